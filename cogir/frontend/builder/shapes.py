"""
What a function returns, found by calling it once.

A node function is plain Python over NumPy, so one call with the start values tells the shapes and dtypes of its outputs
and next states, within microseconds and before anything is compiled. A state grows to the shape of its successor: a
state that starts as 0.0 and becomes an array of two elements is an array of two elements from the start.

A function that holds a `while`, or can reach one that does, could run for ever on start values; it is not called. `None` says that only
compiling it can tell.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from cogir.errors import ModelError, shown
from cogir.frontend.builder.source_location import SourceLocation
from cogir.frontend.builder.values import Array, ValueType, type_of
from cogir.library.signature import Step
from cogir.pyfunc.reachable import may_loop

KEPT = ("float64", "float32", "int64", "bool")
"""The dtypes that outputs and states may have."""


class StillStream:
    """Stands for a generator while shapes are found out: draws have the right shape and no randomness."""

    def normal(self, shape: Any = ()) -> Any:
        """Zeros of this shape."""
        return np.zeros(shape) if shape != () else 0.0

    def uniform(self, shape: Any = ()) -> Any:
        """Halves of this shape."""
        return np.full(shape, 0.5) if shape != () else 0.5

    def integer(self, n: int) -> int:
        """The smallest integer there is."""
        return 0

    def seed(self, n: int) -> None:
        """Nothing to start anew."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """The draws that are made of others, such as `gamma`: those of a generator with a fixed seed, which refuses wrong parameters."""
        from cogir.library.random.generators import Stream
        from cogir.library.random.methods import NAMES

        if name not in NAMES:
            raise AttributeError(f"a generator has no draw {name!r}; it has normal, uniform, integer, seed, {', '.join(NAMES)}")
        return getattr(Stream.seeded("xoshiro256", 0), name)


@dataclass(frozen=True)
class Returned:
    """The types of what one execution of a function returns, and its states' start values in their final shapes."""

    outputs: tuple[ValueType, ...]
    states: tuple[Array, ...]
    finishes: bool


@dataclass(frozen=True)
class FirstCall:
    """A function with zeros for its inputs, all other arguments but states by keyword, and the start values of its states."""

    function: Callable[..., Any]
    inputs: tuple[Array, ...]
    keywords: Mapping[str, Any]
    states: Mapping[str, Array]
    what: str
    place: SourceLocation

    @property
    def is_float32(self) -> bool:
        """True if it has numbers of float32: as Python's own numbers, in which a call takes and gives single ones, they have no type."""
        return any(each.dtype == np.float32 for each in (*self.inputs, *self.states.values()))


class NoNumbers(Exception):
    """A function raised, or what it returned is no number; the message says so."""


def call_once(call: FirstCall) -> Returned | None:
    """
    The types that a function returns for inputs, keyword arguments and states of these shapes.

    None if it may not return, if it raises, or if what it returns are no real numbers: the start values alone may be the reason, and
    compiling tells, with the line of the function and what to write instead when it is not so.
    """
    if may_loop(call.function):
        return None
    try:
        return _settled(call, np.asarray, _locked)
    except NoNumbers:
        return None


def returned_in_python(call: FirstCall) -> Returned:
    """
    As `call_once`, for a function that Python will call: numbers of other widths count as float64 and int64.

    Raises `NoNumbers` where the function raises, or returns what is no number.
    """
    return _settled(call, _narrowed if call.is_float32 else _widened, _plain)


def _settled(call: FirstCall, held: Callable[[Any], Array], plain: Callable[[Array], Any]) -> Returned:
    """
    The types that a function returns once its states have the shapes of their successors.

    `held`: a returned value as an array; `plain`: a value as the function gets it.
    """
    what, place = call.what, call.place
    present = dict(call.states)
    for _ in range(4):
        try:
            with np.errstate(all="ignore"):
                named = {name: plain(value) for name, value in present.items()}
                named |= {
                    name: plain(cast("Array", value)) if isinstance(value, np.ndarray) else value for name, value in call.keywords.items()
                }
                returned = call.function(*map(plain, call.inputs), **named)
            step = returned if isinstance(returned, Step) else Step(returned)
            outputs, successors = list(map(held, _as_tuple(step.outputs))), list(map(held, _as_tuple(step.states)))
        except Exception as error:  # whatever a user's function raises
            raise NoNumbers(f"it raised {type(error).__name__}: {error}") from error
        if len(successors) != len(present):
            raise ModelError(
                f"{place}: {what}: the function has {len(present)} states ({', '.join(present)}) but returns "
                f"{len(successors)}; return Step(outputs=(...), states=(...)) with one next value for each"
            )
        grown = {
            name: _grown(start, after, f'{what}: state "{name}"', place)
            for (name, start), after in zip(present.items(), successors, strict=True)
        }
        for value in (*outputs, *grown.values()):
            if value.dtype.name not in KEPT or not value.size:
                raise NoNumbers(f"it returned {shown(value)}, which is neither a number nor an array of numbers")
        settled = all(type_of(grown[name]) == type_of(present[name]) for name in present)
        present = grown
        if settled:
            return Returned(tuple(map(type_of, outputs)), tuple(present.values()), step.finished is not None)
    raise ModelError(f"{place}: {what}: the shapes of its states change with every execution; use states of a fixed shape")


def _widened(value: Any) -> Array:
    """A value as an array, in the width that models keep."""
    array = np.asarray(value)
    if array.dtype.kind in "iu":
        return array.astype(np.int64)
    return array.astype(np.float64) if array.dtype.kind == "f" and array.dtype != np.float32 else array


def _narrowed(value: Any) -> Array:
    """As `_widened`, for a model of float32, where a number of Python's is one of float32."""
    return np.asarray(value, np.float32) if isinstance(value, float) and not isinstance(value, np.floating) else _widened(value)


def _as_tuple(returned: Any) -> tuple[Any, ...]:
    return cast("tuple[Any, ...]", returned) if isinstance(returned, tuple) else (returned,)


def _plain(value: Array) -> Any:
    """A scalar as a Python number, an array as a copy of its own."""
    return value.item() if value.shape == () else value.copy()


def _locked(value: Array) -> Any:
    """The same, of which the function can change no element: what compiled code does not do must not pass here."""
    if value.shape == ():
        return value.item()
    kept = value.copy()
    kept.flags.writeable = False
    return kept


def _grown(start: Array, after: Array, what: str, place: SourceLocation) -> Array:
    """The start value in the shape and dtype of the value after one execution."""
    dtype = np.result_type(start.dtype, after.dtype)
    try:
        return np.array(np.broadcast_to(start, after.shape), dtype=dtype)
    except ValueError:
        raise ModelError(
            f"{place}: {what} has an initial value of shape {start.shape}, but its next value has shape {after.shape}; give an "
            "initial value of that shape"
        ) from None
