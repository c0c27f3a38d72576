"""
What a PsyNeuLink Function is in cogir: a node function, its values, and where each of them lives in PsyNeuLink.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from cogir.library.random.generators import Stream, pack
from cogir.library.signature import Step, signature_of
from cogir.psyneulink.importer.reader import Reader as Values
from cogir.psyneulink.importer.reader import UnsupportedFeature, note_read
from cogir.psyneulink.importer.seeds import generator_of

Array: TypeAlias = NDArray[np.float64]
Shape: TypeAlias = tuple[int, ...]
States: TypeAlias = Mapping[str, Any]

OF_THEIR_OWN_SHAPE = ("DriftDiffusionIntegrator", "DriftOnASphereIntegrator", "FitzHughNagumoIntegrator")
"""Functions whose states keep their shape, whatever that of the variable."""


def shape_added(function: Any) -> Shape:
    """The shape of the variable that PsyNeuLink's integrators add to their state: of an InputPort's, without an outer axis."""
    is_of_input = type(getattr(function, "owner", None)).__name__ == "InputPort"
    return np.shape(function.defaults.variable)[-1 if is_of_input else 0 :]


def takes(shape: Shape, added: Shape) -> bool:
    """Whether an array of a shape keeps it when one of another shape is added to it in place."""
    try:
        return np.broadcast_shapes(shape, added) == shape
    except ValueError:
        return False


@dataclass(frozen=True)
class Place:
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
class Write:
    """A value that a Parameter holds after a run: `owner.parameters.<parameter>`, or the attribute, if there is an underscore in front."""

    owner: Any
    parameter: str
    value: Any


Rewrite: TypeAlias = Callable[[States], Sequence[Write]]


def _frozen(mapping: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
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
    inputs: Mapping[str, Place]
    outputs: Mapping[str, Place]
    params: Mapping[str, Any] = field(default_factory=_frozen)
    states: Mapping[str, Any] = field(default_factory=_frozen)
    statics: Mapping[str, Any] = field(default_factory=_frozen)
    randoms: Mapping[str, Any] = field(default_factory=_frozen)
    """NumPy's generators themselves, not copies."""
    places: Mapping[str, Place] = field(default_factory=lambda: cast("Mapping[str, Place]", _frozen()))
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

    def written(self, states: States) -> list[Write]:
        """What PsyNeuLink would hold after the node function has left these states."""
        if self.rewrite is not None:
            return list(self.rewrite(states))
        return [
            Write(place.owner, place.parameter, np.reshape(np.asarray(states[name]), place.shape))
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


def part_of(value: Any, place: Place) -> Array:
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


def _reshaped(value: Any, place: Place, outputs: Mapping[str, Any]) -> Any:
    array = np.asarray(value)
    if place.rows is not None:
        return array[: int(outputs[place.rows])].reshape((-1, *place.shape[1:]))
    return array.reshape(place.shape)


class Reader:
    """Reads the Parameters of one Function in one context, and refuses what cannot be compiled."""

    def __init__(self, function: Any, context: Any, variable: Any, params: Mapping[str, Any] | None) -> None:
        self.function = function
        self.context = context_of(context)
        self.given = dict(params or {})
        given = function.defaults.variable if variable is None else variable
        try:
            self.variable: Any = np.asarray(given)
        except ValueError:
            self.variable = np.empty(len(given), object)
            self.variable[:] = [np.asarray(item) for item in given]
        self.ragged = self.variable.dtype == object
        self.shape: Shape = (len(flat(self.variable)),) if self.ragged else self.variable.shape
        self.size = len(flat(self.variable))

    @property
    def title(self) -> str:
        """The component, for messages: its name and, if it has one, its owner's."""
        owner = getattr(self.function, "owner", None)
        of = f" of {getattr(owner, 'name', '')}" if getattr(owner, "name", None) else ""
        return f"{self.function.name}{of} ({type(self.function).__name__})"

    def refuse(self, feature: str, remedy: str) -> UnsupportedFeature:
        """The error to raise: component, feature, remedy."""
        return UnsupportedFeature(self.title, feature, remedy)

    def value(self, name: str) -> Any:
        """A Parameter as it is."""
        parameter = getattr(self.function.parameters, name)
        key = self.context.execution_id
        note_read(parameter.final_source, key if key in parameter.final_source.values else None)
        return parameter._get(self.context)

    def numbers(self, name: str) -> Any:
        """A Parameter as a number or an array of numbers."""
        return self.as_numbers(self.value(name), name)

    def as_numbers(self, value: Any, name: str) -> Any:
        """A value as a number or an array of numbers."""
        try:
            array = np.asarray(value, dtype=float)
        except (TypeError, ValueError):
            raise self.refuse(f"{name} is {value!r:.60}", "give a number or an array of numbers") from None
        if value is None or not array.size:
            raise self.refuse(f"{name} is {value!r:.60}", "give a number or an array of numbers")
        return float(array) if array.ndim == 0 else array

    def number(self, name: str) -> float:
        """A Parameter as one number, also where it is an array of one element."""
        array = np.asarray(self.numbers(name))
        if array.size != 1:
            raise self.refuse(f"{name} has {array.size} elements", "give one number")
        return float(array.reshape(()))

    def choice(self, name: str, known: Sequence[Any]) -> Any:
        """A Parameter that is one of a few words or flags."""
        value: Any = self.value(name)
        if isinstance(value, np.ndarray | np.generic) and np.ndim(cast(Any, value)) == 0:
            value = cast(Any, value).item()
        for one in known:
            if isinstance(value, type(one)) and value == one:
                return one
        raise self.refuse(f"{name} is {value!r}", f"give one of {', '.join(map(repr, known))}")

    def rows(self) -> tuple[int, int]:
        """The shape of a two-dimensional variable."""
        if self.ragged or len(self.shape) != 2:
            raise self.refuse("its variable is not an array of two dimensions", "give rows of one length")
        return self.shape[0], self.shape[1]

    def regular(self) -> None:
        """Refuses rows of different lengths."""
        if self.ragged:
            raise self.refuse("the rows of its variable have different lengths", "give rows of one length")

    def generator(self, owner: Any = None, *, legacy: str = "") -> Any:
        """The generator of this Function or of one inside; `legacy`: what only NumPy's `RandomState` does in the known way."""
        source = generator_of(owner or self.function, self.context.execution_id)
        if not isinstance(source, np.random.RandomState | np.random.Generator):
            raise self.refuse(f"its random_state is {type(source).__name__}", "leave PsyNeuLink's own generators in place")
        if legacy and not isinstance(source, np.random.RandomState):
            raise self.refuse(f"{legacy} with the Philox generator", "use PsyNeuLink's default generator, or another distribution")
        return source

    def state(self, name: str, shape: Shape | None) -> Array:
        """A Parameter as an array of this shape, or as it is; one number stands for all."""
        array: Array = np.asarray(self.numbers(name), dtype=float)
        if shape is None:
            return array
        if array.size == 1:
            return np.full(shape, array.reshape(-1)[0])
        if array.size != int(np.prod(shape)):
            raise self.refuse(f"{name} has the shape {array.shape}", f"give the shape of its variable, {shape}")
        return array.reshape(shape)

    def check_start(self, name: str) -> None:
        """
        Refuses a state that has got a shape of its own. Where that of its initializer differs, PsyNeuLink's reset puts the array of the
        initializer itself in the place of the state, so that each execution changes both, and the next reset leads nowhere.
        """
        parameter = getattr(self.function.parameters, name)
        values, key = parameter.final_source.values, self.context.execution_id
        held = values.get(key)
        if held is None or self.ragged or not parameter.initializer:
            return
        starts = getattr(self.function.parameters, parameter.initializer).final_source.values
        start = starts.get(key, starts.get(None))
        own = type(self.function).__name__ in OF_THEIR_OWN_SHAPE
        added = () if own else shape_added(self.function)
        if np.ndim(held) > max(np.ndim(values.get(None)), len(added)):
            raise self.refuse(f"its {name} has the shape {np.shape(held)}", f"reset it to the shape {np.shape(values.get(None))}")
        if not takes(np.shape(start), added):
            return  # an execution makes a new array
        remedy = f"reset it to the shape of its {parameter.initializer}, {np.shape(start)}"
        if np.shape(held) != np.shape(start) and Values(key).is_reset(self.function.owner):
            raise self.refuse(f"its {name} has the shape {np.shape(held)} when it is reset", remedy)
        if held is start or np.may_share_memory(held, start):
            raise self.refuse(f"its {name} has become one array with its {parameter.initializer}", remedy)

    def make(
        self,
        function: Callable[..., Any],
        params: str = "",
        *,
        scalars: str = "",
        values: Mapping[str, tuple[str, Any]] | None = None,
        states: Mapping[str, tuple[str, Shape | None, Shape]] | None = None,
        statics: Mapping[str, Any] | None = None,
        random: str | None = None,
        legacy: str = "",
        inputs: Mapping[str, Place] | None = None,
        outputs: Mapping[str, Place] | None = None,
        shape: Shape | None = None,
        rewrite: Rewrite | None = None,
    ) -> Counterpart:
        """
        The counterpart. `params`: Parameters that are numbers or arrays; `scalars`: those that must be one number; `values`: parameters of
        the library function by name, each with its Parameter and its value. `states`: the Parameter, the shape that the library function
        takes (None: as it is) and the shape in PsyNeuLink. `random`: the name of its generator. `shape`: of `value`.
        """
        f = self.function
        if inputs is None:
            self.regular()
            inputs = {signature_of(function).inputs[0]: Place(f, "variable", None, self.shape)}
        read = {name: (name, self.numbers(name)) for name in params.split()}
        read |= {name: (name, self.number(name)) for name in scalars.split()}
        read |= dict(values or {})
        places = {name: Place(f, parameter, None, np.shape(value)) for name, (parameter, value) in read.items()}
        held: dict[str, Any] = {}
        for name, (parameter, taken, kept) in (states or {}).items():
            self.check_start(parameter)
            held[name] = self.state(parameter, taken)
            places[name] = Place(f, parameter, None, kept)
        randoms: dict[str, Any] = {}
        if random is not None:
            randoms[random] = self.generator(legacy=legacy)
            places[random] = Place(f, "random_state")
        if outputs is None:
            if shape is None:
                shape = np.broadcast_shapes(self.shape, *(np.shape(value) for _, value in read.values()))
            outputs = {signature_of(function).output_names(1)[0]: Place(f, "value", None, shape)}
        return Counterpart(
            type(f).__name__,
            function,
            _frozen(inputs),
            _frozen(outputs),
            _frozen({name: value for name, (_, value) in read.items()}),
            _frozen(held),
            _frozen(statics),
            _frozen(randoms),
            _frozen(places),
            rewrite,
        )

    def inner(self, function: Any, variable: Any, what: str) -> Counterpart:
        """The counterpart of a Function inside this one, for a variable of this shape."""
        from cogir.psyneulink.functions.table import counterpart

        if not hasattr(function, "parameters"):
            raise self.refuse(f"{what} is {function!r:.60}", "give a PsyNeuLink Function")
        try:
            return counterpart(function, self.context, variable=variable)
        except UnsupportedFeature as error:
            raise UnsupportedFeature(f"{self.title}: {what}: {error.component}", error.feature, error.remedy) from error


def context_of(context: Any) -> Any:
    """PsyNeuLink's Context for a Context, an execution id or None."""
    if hasattr(context, "execution_id"):
        return context
    return sys.modules["psyneulink.core.globals.context"].Context(execution_id=context)
