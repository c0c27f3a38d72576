"""
Whether a Composition is still the one that was compiled.

While a Composition is imported, every Parameter that is read is noted. Those that the compiled model takes anew at each run may change;
all others, and what the Composition is built of, are looked at before each run, a dictionary entry at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sized
from operator import is_
from typing import Any, TypeAlias, cast

import numpy as np

from cogir.psyneulink.importer.side_effects import constants_of
from cogir.psyneulink.importer.survey import Survey
from cogir.psyneulink.importer.unmodified import check_genuine, flag_of_finished
from cogir.psyneulink.pnl import LISTS_OF_AFFERENTS, afferents_held_by
from cogir.psyneulink.reader import Reads, is_numeric
from cogir.psyneulink.state.lazy_values import ObservedDict
from cogir.psyneulink.state.previous_values import is_kept

ABSENT = object()
_look_up: Callable[..., Any] = cast("Any", dict).get
Entry: TypeAlias = tuple[dict[Any, Any], Any]
"""A dictionary and a key in it."""

MADE_OF = ("function", "integrator_function", "combination_function", "termination_measure", "custom_function", "default_input")
"""Parameters that say what a component is made of."""

METHODS = (
    "execute _execute function _function _get_variable_from_projections _update_input_ports _update_parameter_ports is_finished".split()
)
"""Methods by whose replacement in a class a script is likely to change what its Mechanisms do."""


class Watch:
    """The objects and numbers on which a compiled model depends, as they were when it was made."""

    def __init__(self, survey: Survey, reads: Reads, copied: Container[int], functions: Iterable[Callable[..., Any]]):
        """`copied`: the identities of the `values` of Parameters that are copied in before each run; `functions`: the user's own."""
        composition = self.composition = survey.composition
        self.entries: dict[tuple[int, int], Entry] = {}
        self.sizes: list[Sized] = []
        self.ports: list[Sized] = []
        """The lists of the ports of Mechanisms."""
        self.kinds: list[Any] = []
        """Classes, and components, of which attributes are watched."""
        self.methods: list[str] = []
        """These attributes."""
        self.nothing: list[None] = []
        self.histories: list[tuple[Any, int]] = []
        """Parameters of which a native run tells the previous value, and how many of them they keep."""
        self.constants = [(function, chain, _kept(value)) for one in functions for function, chain, value in constants_of(one)]
        self.read = [(parameter, key) for parameter, key, computed in reads if computed or id(parameter.values) not in copied]
        for parameter, key in self.read:
            self.add(parameter.values, key)
        self.parts(survey)
        listed = list(self.entries.values())
        self.mappings = [mapping for mapping, _ in listed]
        self.keys = [key for _, key in listed]
        self.expected = self.found()
        self.arrays = [index for index, value in enumerate(self.expected) if is_numeric(value)]
        self.words = self.words_of(self.expected)
        self.copies = [_kept(value) for value in self.expected]
        self.lengths = list(map(len, self.sizes))
        self.port_counts = list(map(len, self.ports))
        self.order = _order(composition)
        self.in_sight = [index for index, mapping in enumerate(self.mappings) if not isinstance(mapping, ObservedDict)]
        """The entries of dictionaries that do not tell when they are used."""
        self.open_mappings = [self.mappings[index] for index in self.in_sight]
        self.open_keys = [self.keys[index] for index in self.in_sight]
        self.kept_values: list[Any] = []
        self.note()

    def note(self) -> None:
        """Notes what has to be looked at although nobody has used a dictionary."""
        self.kept_values = [self.expected[index] for index in self.in_sight] + self.expected[len(self.mappings) :]

    def changed_in_sight(self) -> bool:
        """`changed`, where no Parameter has been used since the last look."""
        found = [*map(_look_up, self.open_mappings, self.open_keys), *map(getattr, self.kinds, self.methods, self.nothing)]
        if not all(map(is_, found, self.kept_values)) or self.lengths != list(map(len, self.sizes)):
            return self.changed()
        if self.words_of(self.expected) != self.words:
            return self.changed()
        return self.is_built_otherwise() or self.constants_changed()

    def is_built_otherwise(self) -> bool:
        """True if there are other nodes, Projections or ports."""
        return self.port_counts != list(map(len, self.ports)) or self.order != _order(self.composition)

    def found(self) -> list[Any]:
        """The present values of the entries, and the methods of classes."""
        return [*map(_look_up, self.mappings, self.keys), *map(getattr, self.kinds, self.methods, self.nothing)]

    def words_of(self, values: list[Any]) -> list[bytes]:
        """The numbers in the arrays, which PsyNeuLink changes in place."""
        return [values[index].tobytes() for index in self.arrays]

    def add(self, mapping: dict[Any, Any], key: Any) -> None:
        """One more entry to look at."""
        self.entries[id(mapping), id(key)] = (mapping, key)

    def parts(self, survey: Survey) -> None:
        """Watches the parts of components, and that none gets a method of its own."""
        kinds: set[type[Any]] = set()
        for one in survey.components:
            held = one.__dict__
            self.sizes.append(held)
            kinds.add(cast("type[Any]", type(one)))
            if (flag := flag_of_finished(cast("type[Any]", type(one)))) is not None:
                self.watch_attribute(one, flag)
            if "reset_stateful_function_when" in held:
                self.add(held, "reset_stateful_function_when")
            for name in LISTS_OF_AFFERENTS:
                if held.get(name) is not None:
                    self.sizes.append(held[name])
            if "parameters" in held:
                if hasattr(one.parameters, "value") and is_kept(one.parameters.value, survey.composition):
                    own = one.parameters.value.__dict__
                    self.histories.append((own, own.get("history_max_length", 1)))
                if getattr(one, "default_input", None) is not None or hasattr(one, "input_ports"):
                    self.add(one.parameters.variable.final_source.__dict__, "default_value")
                for name in MADE_OF:
                    parameter = getattr(one.parameters, name, None)
                    if parameter is not None:
                        values = parameter.final_source.values
                        for key in values:
                            self.add(values, key)
            if hasattr(one, "input_CIM"):
                self.schedule(one)
            elif hasattr(one, "output_ports"):
                self.ports += [one.input_ports.data, one.output_ports.data]
        for kind in kinds:
            if hasattr(kind, "add_node"):
                continue  # `run` and `execute` of Compositions are replaced by acceleration itself
            names = [name for name in METHODS if hasattr(kind, name)]
            for name in names:
                self.watch_attribute(kind, name)

    def watch_attribute(self, one: Any, name: str) -> None:
        """Watches an attribute of a component or of a class."""
        self.kinds.append(one)
        self.methods.append(name)
        self.nothing.append(None)

    def schedule(self, composition: Any) -> None:
        """Conditions, terminations and the controller of a Composition."""
        for held in (composition.scheduler.conditions.conditions_basic, composition.termination_processing):
            self.sizes.append(held)
            for key in held:
                self.add(held, key)
        for name in ("controller", "controller_condition", "controller_time_scale"):
            self.add(composition.__dict__, name)
        self.add(composition.parameters.simulation_results.__dict__, "retain_old_simulation_data")
        conditions = [*composition.scheduler.conditions.conditions_basic.values(), *composition.termination_processing.values()]
        for condition in (*conditions, composition.controller_condition):
            for name in getattr(condition, "__dict__", {}):
                if name in ("func", "args", "kwargs", "is_satisfied", "threshold", "condition"):
                    self.add(condition.__dict__, name)

    def changed(self) -> bool:
        """True if the Composition has become another one. Takes some 50 ns for each watched object."""
        found = self.found()
        if not all(map(is_, found, self.expected)) and not self.mean_the_same(found):
            return True
        if self.words_of(found) != self.words or any(own.get("history_max_length", 1) != length for own, length in self.histories):
            return True
        if self.lengths != list(map(len, self.sizes)):
            check_genuine(Survey(self.composition))  # PsyNeuLink itself gives components attributes as it runs
            if self.is_built_otherwise():
                return True
            self.lengths = list(map(len, self.sizes))
        del found
        self.note()
        return self.is_built_otherwise() or self.constants_changed()

    def constants_changed(self) -> bool:
        """True if a name that one of the user's functions reads stands for something else."""
        return any(not _same(_kept(_now(function, chain)), value) for function, chain, value in self.constants)

    def mean_the_same(self, found: list[Any]) -> bool:
        """True if all entries have equal values, though some are other objects; these are expected from now on."""
        for now, before, copy in zip(found, self.expected, self.copies, strict=True):
            if now is not before and not _same(_kept(now), copy):
                return False
        self.expected = found
        return True

    def holds_in(self, execution_id: Any) -> bool:
        """True if another execution context has the same values of everything that was read."""
        for parameter, key in self.read:
            values = parameter.values
            if key in values and execution_id in values and not _same(_kept(values[execution_id]), _kept(values[key])):
                return False
        return True

    def will_hold_in(self, execution_id: Any) -> bool:
        """`holds_in`, once the context has been given the values that it lacks. Nothing may be pending."""
        for parameter, key in self.read:
            values = parameter.values
            value, expected = _look_up(values, execution_id), _look_up(values, key, ABSENT)
            if value is None:
                value = _look_up(values, None)
            if value is not expected is not ABSENT and not _same(_kept(value), _kept(expected)):
                return False
        return True


def _order(composition: Any) -> tuple[Any, ...]:
    """The nodes and projections of a Composition, and of those in it; what it takes and gives, and what was said of that."""
    roles = composition.node_roles_mgr
    return (
        tuple(map(id, composition.nodes)),
        [(id(node), role) for node, role in (*roles.required_node_roles, *roles.excluded_node_roles)],
        tuple(map(id, composition.input_CIM_ports.values())),
        tuple(map(id, composition.output_CIM_ports.values())),
        len(composition.projections),
        bool(composition.enable_controller),
        bool(composition.include_probes_in_output),
        str(composition.controller_mode),
        any(afferents_held_by(outer) for outer, _ in composition.input_CIM_ports.values()),  # `is_nested` reads Parameters
        tuple(map(id, composition.scheduler.conditions.conditions_basic.values())),
        [tuple(map(id, held)) for held in composition.scheduler.conditions.conditions_structural.values()],
        tuple(map(id, composition.termination_processing.values())),
        tuple(_order(node) for node in composition.nodes if hasattr(node, "input_CIM")),
    )


def _now(function: Any, chain: tuple[str, ...]) -> Any:
    """The present value of a name that a function reads."""
    from cogir.psyneulink.importer.side_effects import mentioned

    return next((value for names, value in mentioned(function) if names == chain), ABSENT)


def _kept(value: Any) -> Any:
    """A value so that it can be compared later: numbers by their bytes, everything else as the object that it is."""
    if is_numeric(value):
        return (value.dtype.str, value.shape, value.tobytes())
    if isinstance(value, list | tuple):
        return (type(cast(object, value)).__name__, *map(_kept, cast("list[Any]", value)))
    if isinstance(value, dict):
        return ("dict", *((key, _kept(held)) for key, held in cast("dict[Any, Any]", value).items()))
    if isinstance(value, np.ndarray):
        ragged = cast("np.ndarray[Any, np.dtype[Any]]", value)
        return ("object", ragged.shape, *map(_kept, ragged.ravel().tolist()))
    return value


def _same(one: Any, other: Any) -> bool:
    """True if two kept values are equal; components and functions only if they are one object."""
    if one is other:
        return True
    if isinstance(one, tuple) and isinstance(other, tuple):
        first, second = cast("tuple[Any, ...]", one), cast("tuple[Any, ...]", other)
        return len(first) == len(second) and all(map(_same, first, second))
    if isinstance(one, bool | int | float | str | bytes | np.generic) and type(cast(object, one)) is type(other):
        return bool(cast(object, one) == other)
    return False
