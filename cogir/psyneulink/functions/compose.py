"""
Node functions made of others: the text of a small function that calls them in turn, as one would write it by hand.

The text is kept where Python looks for sources, so it compiles, is shown in errors and can be debugged as any other function.
"""

from __future__ import annotations

import hashlib
import linecache
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from cogir.library.signature import Random, State, Step, node_function, signature_of
from cogir.psyneulink.functions.counterpart import Counterpart, ParameterPlace

_MADE: dict[tuple[Any, ...], Callable[..., Any]] = {}


class Composer:
    """Collects calls of node functions, and the arguments that the composed function takes for them."""

    def __init__(self, inputs: Sequence[str]) -> None:
        self.inputs = list(inputs)
        self.lines: list[str] = []
        self.params: dict[str, Any] = {}
        self.states: dict[str, Any] = {}
        self.randoms: dict[str, Any] = {}
        self.places: dict[str, ParameterPlace] = {}
        self.next_states: dict[str, str] = {}
        self._functions: dict[str, Callable[..., Any]] = {}
        self._called = 0

    def state(self, name: str, value: Any, place: ParameterPlace) -> None:
        """A state of the composed function itself; `next_states[name]` says what it becomes."""
        self.states[name] = value
        self.places[name] = place

    def call(self, counterpart: Counterpart, inputs: Sequence[str], prefix: str, given: Mapping[str, str] | None = None) -> list[str]:
        """
        Calls the counterpart's function with these expressions; returns an expression for each output.

        Its parameters, states and generators become arguments named with the prefix, but for those in `given`, which are expressions.
        """
        given = given or {}
        signature = signature_of(counterpart.function)
        function = self._function(counterpart.function)
        keywords = dict(given)
        for kind, held in ((self.params, counterpart.params), (self.states, counterpart.states), (self.randoms, counterpart.randoms)):
            for name, value in held.items():
                if name not in given:
                    kind[prefix + name] = value
                    self.places[prefix + name] = counterpart.places[name]
                    keywords[name] = prefix + name
        keywords |= {name: repr(value) for name, value in counterpart.statics.items()}
        result = f"{prefix}result_{self._called}"
        self._called += 1
        arguments = ", ".join([*inputs, *(f"{name}={expression}" for name, expression in keywords.items())])
        self.lines.append(f"{result} = {function}({arguments})")
        if signature.states:
            self.next_states |= {prefix + name: f"{result}[1][{index}]" for index, name in enumerate(signature.states)}
            return [f"{result}[0][{index}]" for index in range(len(counterpart.outputs))]
        return [result] if len(counterpart.outputs) == 1 else [f"{result}[{index}]" for index in range(len(counterpart.outputs))]

    def _function(self, function: Callable[..., Any]) -> str:
        name = function.__name__
        while self._functions.setdefault(name, function) is not function:
            name += "_"
        return name

    def function(self, name: str, outputs: Mapping[str, str]) -> Callable[..., Any]:
        """The composed function, with these outputs by name and expression; the same text gives the same function."""
        arguments = [*self.inputs, "*"] if self.params or self.states or self.randoms else list(self.inputs)
        arguments += [f"{param}=0.0" for param in self.params]
        arguments += [f"{state}: State = 0.0" for state in self.states]
        arguments += [f"{random}: Random" for random in self.randoms]
        results = "".join(f"{expression}, " for expression in outputs.values())
        if self.states:
            states = "".join(f"{self.next_states[state]}, " for state in self.states)
            last = f"return Step(outputs=({results}), states=({states}))"
        else:
            last = f"return {results.removesuffix(', ')}"
        text = "\n".join([f"def {name}({', '.join(arguments)}):", *(f"    {line}" for line in (*self.lines, last)), ""])
        key = (text, tuple(outputs), tuple(self._functions.values()))
        if key not in _MADE:
            called = [f"{one.__module__}.{one.__qualname__}" for one in self._functions.values()]
            digest = hashlib.sha256(repr((text, called)).encode()).hexdigest()[:16]
            filename = f"<cogir {name} {digest}>"
            linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
            names: dict[str, Any] = {**self._functions, "State": State, "Random": Random, "Step": Step, "np": np, "__name__": __name__}
            exec(compile(text, filename, "exec"), names)
            _MADE[key] = node_function(outputs=tuple(outputs))(names[name])
        return _MADE[key]
