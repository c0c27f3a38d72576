"""
A node function that the importer writes: Python source in the compilable subset, and the values that it starts with.

What PsyNeuLink spreads over a Mechanism, its Ports and its Functions becomes one function that reads like this:

```python
@node_function(outputs=("RESULT",))
def transfer_mechanism(InputPort_0, *, rate, noise, gain, previous_value: State = 0.0):
    step = adaptive_integrator(InputPort_0, rate=rate, noise=noise, previous_value=previous_value)
    value = logistic(step.outputs[0], gain=gain)
    return Step(outputs=(value,), states=(step.states[0],))
```

Numbers stand outside, as the node's parameters and start values, so that Mechanisms of one make share one function.
"""

from __future__ import annotations

import keyword
import linecache
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cogir.library.signature import Random, State, Step, node_function

Shape = tuple[int, ...]


def identifier(name: str) -> str:
    """The name as Python can write it."""
    plain = re.sub(r"\W", "_", name)
    if not plain or plain[0].isdigit() or keyword.iskeyword(plain):
        plain = f"_{plain}"
    return plain


def snake_case(name: str) -> str:
    """A class's name as that of a function."""
    return identifier(
        "".join(f"_{c.lower()}" if c.isupper() and not name[max(i - 1, 0)].isupper() else c.lower() for i, c in enumerate(name)).lstrip("_")
    )


@dataclass(frozen=True)
class Expression:
    """Python text for a number or an array, and the value that it has at the start, which tells its shape."""

    text: str
    value: Any

    @property
    def shape(self) -> Shape:
        """The shape; `()` for a number."""
        return np.shape(self.value)


@dataclass(frozen=True)
class Rows(Expression):
    """Vectors of different lengths: the text is that of all of them end to end, the value an array of arrays."""

    rows: tuple[Expression, ...] = ()


def as_vector(held: Expression) -> Expression:
    """A number as a vector of one element, and a single row as a vector."""
    if held.shape == ():
        return Expression(f"np.full((1,), {held.text})", np.full((1,), held.value))
    if len(held.shape) == 2 and held.shape[0] == 1:
        return Expression(f"{held.text}[0]", held.value[0])
    return held


@dataclass
class Body:
    """The function as far as it is written."""

    name: str
    inputs: dict[str, Expression] = field(default_factory=dict[str, Expression])
    params: dict[str, Any] = field(default_factory=dict[str, Any])
    states: dict[str, Any] = field(default_factory=dict[str, Any])
    randoms: dict[str, Any] = field(default_factory=dict[str, Any])
    lines: list[str] = field(default_factory=list[str])
    used: dict[str, Any] = field(default_factory=dict[str, Any])
    successors: dict[str, str] = field(default_factory=dict[str, str])
    _taken: set[str] = field(default_factory=lambda: {"np", "Step", "State", "Random"})

    def fresh(self, wanted: str) -> str:
        """A name that nothing in the function has yet."""
        wanted = identifier(wanted)
        name, count = wanted, 1
        while name in self._taken or name in self.used:
            count += 1
            name = f"{wanted}_{count}"
        self._taken.add(name)
        return name

    def input(self, name: str, start: Any) -> Expression:
        """An input port."""
        name = self.fresh(name)
        self.inputs[name] = Expression(name, np.asarray(start, float))
        return self.inputs[name]

    def param(self, name: str, value: Any) -> Expression:
        """A parameter with its value."""
        name = self.fresh(name)
        self.params[name] = value
        return Expression(name, value)

    def state(self, name: str, value: Any) -> Expression:
        """A state with its start value; `successors` says what it becomes."""
        name = self.fresh(name)
        self.states[name] = value
        self.successors[name] = name
        return Expression(name, value)

    def random(self, name: str, generator: Any) -> Expression:
        """A generator in the state in which it starts."""
        name = self.fresh(name)
        self.randoms[name] = generator
        return Expression(name, None)

    def function_name(self, function: Callable[..., Any]) -> str:
        """The name by which the source calls a function."""
        name = identifier(getattr(function, "__name__", "function").replace("<lambda>", "function"))
        while self.used.get(name, function) is not function or (name in self._taken and name not in self.used):
            name += "_"
        self.used[name] = function
        self._taken.add(name)
        return name

    def bind(self, wanted: str, text: str, value: Any) -> Expression:
        """Writes `wanted = text`."""
        name = self.fresh(wanted)
        self.lines.append(f"{name} = {text}")
        return Expression(name, value)

    def source(self, outputs: Sequence[tuple[str, Expression]], finished: str | None) -> str:
        """The whole function as text."""
        keywords = [
            *self.params,
            *(f"{name}: State = 0.0" for name in self.states),
            *(f"{name}: Random" for name in self.randoms),
        ]
        arguments = [*self.inputs, *(["*", *keywords] if keywords else [])]
        parts = [f"outputs=({', '.join(expression.text for _, expression in outputs)},)"]
        if self.states:
            parts.append(f"states=({', '.join(self.successors[name] for name in self.states)},)")
        if finished is not None:
            parts.append(f"finished={finished}")
        names = ", ".join(repr(name) for name, _ in outputs)
        body = [*self.lines, f"return Step({', '.join(parts)})"]
        return f"@node_function(outputs=({names},))\ndef {identifier(self.name)}({', '.join(arguments)}):\n" + "".join(
            f"    {line}\n" for line in body
        )

    def function(self, outputs: Sequence[tuple[str, Expression]], finished: str | None) -> Callable[..., Any]:
        """The function; the same object for the same text over the same functions."""
        return function_of(self.source(outputs, finished), self.used)


_MADE: dict[tuple[str, tuple[tuple[str, int], ...]], Callable[..., Any]] = {}


def function_of(source: str, used: Mapping[str, Any]) -> Callable[..., Any]:
    """The one function that a source defines, over the functions that it uses."""
    key = (source, tuple((name, id(value)) for name, value in used.items()))
    made = _MADE.get(key)
    if made is None:
        filename = f"<psyneulink {len(_MADE)}>"
        linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
        names: dict[str, Any] = {"np": np, "Step": Step, "State": State, "Random": Random, "node_function": node_function, **used}
        before = set(names)
        exec(compile(source, filename, "exec"), names)  # the source is written here, from a Composition in this process
        made = _MADE[key] = names[next(name for name in names if name not in before and not name.startswith("__"))]
    return made
