"""
An entry of the table of PsyNeuLink Functions, and the reader of one live Function, from which the entry builds its counterpart.

A Function may hold others (noise, costs, metrics). Their counterparts are found in the table that the reader is given, so that the
modules which make up the table need not import it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import numpy as np

from cogir.library.signature import signature_of
from cogir.psyneulink.functions.counterpart import Array, Counterpart, ParameterPlace, Rewrite, Shape, flat, frozen, shape_added
from cogir.psyneulink.pnl import METHODS_OF_FUNCTIONS, context_of, is_defined_in, raw_value
from cogir.psyneulink.reader import Reader, UnsupportedFeature, generator_of, note_read

OF_THEIR_OWN_SHAPE = ("DriftDiffusionIntegrator", "DriftOnASphereIntegrator", "FitzHughNagumoIntegrator")
"""Functions whose states keep their shape, whatever that of the variable."""


def takes(shape: Shape, added: Shape) -> bool:
    """True if an array of a shape keeps it when one of another shape is added to it in place."""
    try:
        return np.broadcast_shapes(shape, added) == shape
    except ValueError:
        return False


@dataclass(frozen=True)
class TableEntry:
    """A PsyNeuLink Function class in the table. Without `build` it is refused, for the reason in `limits`."""

    category: str
    module: str
    """The module in which PsyNeuLink defines the class."""
    functions: tuple[Callable[..., Any], ...] = ()
    """The library functions that it can become."""
    build: Callable[[FunctionReader], Counterpart] | None = None
    parameters: tuple[str, ...] = ()
    """The Parameters that are values of the model."""
    constants: tuple[str, ...] = ()
    """The Parameters that the function is compiled for."""
    states: tuple[str, ...] = ()
    limits: str = ""
    """The part of it that is refused, or the reason why all of it is."""
    remedy: str = ""


Table: TypeAlias = Mapping[str, TableEntry]
"""Entries by the names of PsyNeuLink's classes."""


class FunctionReader:
    """Reads the Parameters of one Function in one context, and refuses what cannot be compiled."""

    def __init__(self, table: Table, function: Any, context: Any, variable: Any, params: Mapping[str, Any] | None = None) -> None:
        """`variable`: a value of the shape that the Function is called with (None: its default variable); `params`: those of the call."""
        self.table = table
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
        return raw_value(parameter, self.context)

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
        remedy = f"reset it to a value of the shape of its {parameter.initializer}, {np.shape(start)}"
        if np.shape(held) != np.shape(start) and Reader(key).is_reset(self.function.owner):
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
        inputs: Mapping[str, ParameterPlace] | None = None,
        outputs: Mapping[str, ParameterPlace] | None = None,
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
            inputs = {signature_of(function).inputs[0]: ParameterPlace(f, "variable", None, self.shape)}
        read = {name: (name, self.numbers(name)) for name in params.split()}
        read |= {name: (name, self.number(name)) for name in scalars.split()}
        read |= dict(values or {})
        places = {name: ParameterPlace(f, parameter, None, np.shape(value)) for name, (parameter, value) in read.items()}
        held: dict[str, Any] = {}
        for name, (parameter, taken, kept) in (states or {}).items():
            self.check_start(parameter)
            held[name] = self.state(parameter, taken)
            places[name] = ParameterPlace(f, parameter, None, kept)
        randoms: dict[str, Any] = {}
        if random is not None:
            randoms[random] = self.generator(legacy=legacy)
            places[random] = ParameterPlace(f, "random_state")
        if outputs is None:
            if shape is None:
                shape = np.broadcast_shapes(self.shape, *(np.shape(value) for _, value in read.values()))
            outputs = {signature_of(function).output_names(1)[0]: ParameterPlace(f, "value", None, shape)}
        return Counterpart(
            type(f).__name__,
            function,
            frozen(inputs),
            frozen(outputs),
            frozen({name: value for name, (_, value) in read.items()}),
            frozen(held),
            frozen(statics),
            frozen(randoms),
            frozen(places),
            rewrite,
        )

    def of_inner(self, function: Any, variable: Any = None) -> FunctionReader:
        """The reader of a Function inside this one, in the same context."""
        return FunctionReader(self.table, function, self.context, variable)

    def inner(self, function: Any, variable: Any, what: str) -> Counterpart:
        """The counterpart of a Function inside this one, for a variable of this shape."""
        if not hasattr(function, "parameters"):
            raise self.refuse(f"{what} is {function!r:.60}", "give a PsyNeuLink Function")
        try:
            return self.of_inner(function, variable).counterpart()
        except UnsupportedFeature as error:
            raise UnsupportedFeature(f"{self.title}: {what}: {error.component}", error.feature, error.remedy) from error

    def counterpart(self) -> Counterpart:
        """The counterpart of the Function, by the entry of its class."""
        entry = self.entry()
        if entry.build is None:
            raise self.refuse(entry.limits, entry.remedy)
        return entry.build(self)

    def entry(self) -> TableEntry:
        """The entry of the Function's class; refused are classes that are not PsyNeuLink's own and Functions with a method of their own."""
        function: Any = self.function
        kind = cast("type[Any]", type(function))
        entry = self.table.get(kind.__name__)
        if entry is None or not is_defined_in(kind, entry.module):
            bases = [base.__name__ for base in kind.__mro__[1:] if base.__name__ in self.table]
            remedy = f"use {bases[0]} itself, or a UserDefinedFunction" if bases else "use one of PsyNeuLink's, or a UserDefinedFunction"
            raise self.refuse(f"the class {kind.__module__}.{kind.__qualname__} is not supported", remedy)
        if own := [name for name in METHODS_OF_FUNCTIONS if name in getattr(function, "__dict__", {})]:
            raise self.refuse(f"its method {own[0]} was replaced", "do not replace it, or use a UserDefinedFunction")
        return entry
