"""
The counterpart of a PsyNeuLink Function: a node function, its values, and where each of them is held in PsyNeuLink.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from cogir.library.random.generators import Stream, pack
from cogir.library.signature import Step, signature_of

Array: TypeAlias = NDArray[np.float64]
Shape: TypeAlias = tuple[int, ...]
States: TypeAlias = Mapping[str, Any]


def shape_added(function: Any) -> Shape:
    """The shape of the variable that PsyNeuLink's integrators add to their state: of an InputPort's, without an outer axis."""
    is_of_input = type(getattr(function, "owner", None)).__name__ == "InputPort"
    return np.shape(function.defaults.variable)[-1 if is_of_input else 0 :]


@dataclass(frozen=True)
class ParameterPlace:
    """A Parameter of a PsyNeuLink Function (or an argument of its call): `item` of it, or all of it, in this shape."""

    owner: Any
    parameter: str
    """A Parameter's name; "variable" and "value" for what goes in and out; with an underscore in front, an attribute."""
    item: int | None = None
    shape: Shape = ()
    """For an input, the shape that the node function takes; for anything else, the shape that it has in PsyNeuLink."""
    rows: str | None = None
    """The output that says how many rows of this one are filled, where PsyNeuLink's value has only those."""


@dataclass(frozen=True)
class ParameterWrite:
    """A value that a Parameter holds after a run: `owner.parameters.<parameter>`, or the attribute, if there is an underscore in front."""

    owner: Any
    parameter: str
    value: Any


Rewrite: TypeAlias = Callable[[States], Sequence[ParameterWrite]]


def frozen(mapping: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
    """A copy of a mapping that cannot be changed."""
    return MappingProxyType(dict(mapping or {}))


@dataclass(frozen=True)
class Counterpart:
    """
    A node function that does what a PsyNeuLink Function does, with the values that the Function has now.

    `inputs`, `outputs`: the ports of the node function in its order, each with its part of `variable` and `value`. `places` says where each
    parameter, state and generator lives; those of functions inside (noise, costs) have an owner of their own.
    """

    name: str
    """The class in PsyNeuLink."""
    function: Callable[..., Any]
    inputs: Mapping[str, ParameterPlace]
    outputs: Mapping[str, ParameterPlace]
    params: Mapping[str, Any] = field(default_factory=frozen)
    states: Mapping[str, Any] = field(default_factory=frozen)
    statics: Mapping[str, Any] = field(default_factory=frozen)
    randoms: Mapping[str, Any] = field(default_factory=frozen)
    """NumPy's generators themselves, not copies."""
    places: Mapping[str, ParameterPlace] = field(default_factory=lambda: cast("Mapping[str, ParameterPlace]", frozen()))
    rewrite: Rewrite | None = None
    """Makes the writes of states that PsyNeuLink holds in another form."""

    def arguments(self, variable: Any, params: Mapping[str, Any] | None = None) -> dict[str, Array]:
        """The inputs of the node function for a call `f(variable, params=params)`."""
        given = {"variable": variable, **(params or {})}
        return {name: part_of(given.get(place.parameter, 0.0), place) for name, place in self.inputs.items()}

    def value(self, outputs: Mapping[str, Any]) -> Any:
        """PsyNeuLink's value of the Function from what the node function returned; items of different shapes come as a list."""
        places = {name: place for name, place in self.outputs.items() if place.parameter == "value"}
        values = [_reshaped(outputs[name], place, outputs) for name, place in places.items()]
        if all(place.item is None for place in places.values()):
            return values[0]
        return np.array(values) if len({np.shape(value) for value in values}) == 1 else values

    def written(self, states: States) -> list[ParameterWrite]:
        """The values that PsyNeuLink would hold after the node function has left these states."""
        if self.rewrite is not None:
            return list(self.rewrite(states))
        return [
            ParameterWrite(place.owner, place.parameter, np.reshape(np.asarray(states[name]), place.shape))
            for name, place in self.places.items()
            if name in self.states
        ]

    def step(self, inputs: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any], dict[str, Stream]]:
        """One call as Python, from the values held here: outputs, next states, and the generators after it (copies)."""
        signature = signature_of(self.function)
        streams = {name: Stream(*kind_and_words(source)) for name, source in self.randoms.items()}
        result = self.function(*(inputs[name] for name in signature.inputs), **self.params, **self.states, **self.statics, **streams)
        outputs: Any = result.outputs if isinstance(result, Step) else result
        states: Any = result.states if isinstance(result, Step) else ()
        outputs = cast("tuple[Any, ...]", outputs) if isinstance(outputs, tuple) else (outputs,)
        return dict(zip(self.outputs, outputs, strict=True)), dict(zip(signature.states, states, strict=True)), streams


def kind_and_words(source: Any) -> tuple[str, Any]:
    """The kind of a NumPy generator and the words of its state."""
    words = pack(source)
    return ("mt19937" if isinstance(source, np.random.RandomState) else "philox4x64"), words


def part_of(value: Any, place: ParameterPlace) -> Array:
    """The part of a variable that an input takes: an item or all, rows of different lengths end to end."""
    if place.parameter == "":
        return np.zeros(place.shape)
    return np.array(flat(value if place.item is None else value[place.item]).reshape(place.shape))


def flat(value: Any) -> Array:
    """All numbers of a value end to end, also where its items have different lengths."""
    if isinstance(value, np.ndarray) and cast(Array, value).dtype != object:
        return cast(Array, value).astype(float).reshape(-1)
    if isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and cast(Array, value).ndim):
        return np.concatenate([flat(item) for item in cast("Sequence[Any]", value)])
    return np.array([float(cast(Any, value))])


def _reshaped(value: Any, place: ParameterPlace, outputs: Mapping[str, Any]) -> Any:
    array = np.asarray(value)
    if place.rows is not None:
        return array[: int(outputs[place.rows])].reshape((-1, *place.shape[1:]))
    return array.reshape(place.shape)
