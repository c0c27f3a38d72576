"""
Functions of nodes that are not compiled but called, by modes `python` and `per_node`.

In the IR such a function is a declaration that says why it has no body, and the node calls it as any other:

```mlir
func.func private @f(f64, !rng.state<mt19937>) -> (f64, !rng.state<mt19937>) attributes {cog.python = "model.py:7: f: ..."}
```

A text does not hold the function itself; a model from the builder brings it along.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from cogir.errors import CogirError, ExecutionError, FunctionError
from cogir.library.signature import Step
from cogir.runtime.numbers import as_numbers

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp


class ValueShape(NamedTuple):
    """The shape and the NumPy dtype name of a value."""

    shape: tuple[int, ...]
    dtype: str


@dataclass(frozen=True)
class PythonFunction:
    """
    A function with the roles of its arguments, called with values as the interpreter has them: inputs, parameters, states, generators.

    It returns outputs, next states, next generators, and whether the node has finished if the function says so.
    """

    function: Callable[..., Any]
    title: str
    """The node, as messages call it."""
    inputs: int
    named: tuple[str, ...]
    """Parameters and states, in order."""
    streams: tuple[tuple[str, str], ...]
    """Generators by name, with their kinds."""
    statics: Mapping[str, Any]
    outputs: tuple[ValueShape, ...]
    states: tuple[ValueShape, ...]
    finishes: bool

    def __call__(self, *arguments: Any) -> tuple[Any, ...]:
        from cogir.library.random.generators import Stream  # not all models draw

        own = [np.array(cast(Any, value)) if isinstance(value, np.ndarray) else value for value in arguments]
        last = self.inputs + len(self.named)
        named = dict(zip(self.named, own[self.inputs : last], strict=True))
        streams = {name: Stream(kind, words) for (name, kind), words in zip(self.streams, own[last:], strict=True)}
        step = self._called(own[: self.inputs], {**named, **streams, **self.statics})
        outputs = self._fitted(_items(step.outputs), self.outputs, "outputs")
        states = self._fitted(_items(step.states), self.states, "states")
        if (step.finished is not None) != self.finishes:
            raise ExecutionError(f"{self.title}: its function returned `finished` in some calls only; return it always or never")
        finished = self._fitted([step.finished], [ValueShape((), "bool")], "flags") if self.finishes else ()
        return (*outputs, *states, *(stream.words for stream in streams.values()), *finished)

    def _called(self, inputs: Sequence[Any], named: Mapping[str, Any]) -> Step:
        try:
            returned = self.function(*inputs, **named)
        except CogirError:
            raise
        except Exception as error:  # whatever a user's function raises
            raise ExecutionError(f"{self.title}: its function raised {type(error).__name__}: {error}") from error
        return returned if isinstance(returned, Step) else Step(returned)

    def _fitted(self, values: Sequence[Any], wanted: Sequence[ValueShape], what: str) -> Iterator[Any]:
        if len(values) != len(wanted):
            raise ExecutionError(f"{self.title}: its function returned {len(values)} {what}, but {len(wanted)} when the model was built")
        for value, held in zip(values, wanted, strict=True):
            try:
                array = as_numbers(value, held.dtype)
            except Exception as reason:  # an object of any class may refuse to become an array
                raise ExecutionError(f"{self.title}: {reason}; its function returned {held.dtype} when the model was built") from reason
            if array.shape != held.shape:
                raise ExecutionError(f"{self.title}: its function returned shape {array.shape}, but {held.shape} when the model was built")
            yield np.array(array) if held.shape else array.item()


def may_keep_state(function: PythonFunction) -> str:
    """The reason why a model with such a function has no replicates and sweeps, and the remedy."""
    return (
        f"{function.title} is called in Python, so it may keep state from one replicate to the next; write its function in the subset of "
        "docs/functions.md, or run each replicate in its own context"
    )


def must_be_independent(asked: str, functions: Mapping[str, PythonFunction]) -> None:
    """Refuses functions that may keep something from one replicate to the next."""
    for function in functions.values():
        raise FunctionError(f"{asked}: {may_keep_state(function)}")


def _items(returned: Any) -> tuple[Any, ...]:
    return cast("tuple[Any, ...]", returned) if isinstance(returned, tuple) else (returned,)


def no_machine_code(what: str, why: str) -> FunctionError:
    """The error where only machine code will do."""
    return FunctionError(f"{what}: {why}; or run the model in mode auto, per_node or python, which call the function in Python")


def check_python_functions(module: ModuleOp, model: str, python: Mapping[str, PythonFunction]) -> None:
    """Raises `FunctionError` if a function stays Python that is not there, as in a text, or that a controller would simulate."""
    from cogir.dialects.python_functions import python_functions, simulated_calls

    functions = python_functions(module)
    for name, why in functions.items():
        if name not in python:
            raise FunctionError(
                f'model "{model}": @{name} is a Python function, which is not part of the text ({why}); compile the model in the '
                "process that builds it"
            )
    for controller, name in simulated_calls(module, functions):
        raise FunctionError(
            f'controller "{controller}": it simulates {python[name].title}, which is called in Python ({functions[name]}); '
            "write its function in the subset of docs/functions.md"
        )
