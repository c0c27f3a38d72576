"""
The entries that PsyNeuLink makes in the log of one value, by the class of its component.

    value of a Mechanism, a port or a Projection    value
    variable of a Mechanism                         default variable, variable, variable
    num_executions_before_finished                  0 if the Mechanism had finished, then the number of executions
    termination_measure_value                       measure, unless the Mechanism has reached its limit of executions
    matrix, auto, hetero of a recurrent Mechanism   matrix three times, the others twice
    variable of a Projection                        value of its sender

These are the entries of each execution of the Mechanism; PsyNeuLink assigns the default variable as it checks the arguments of the
execution. A Projection to the output of a Composition has its entries at the end of each trial, and one into a nested Composition has them
when a trial of that begins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal, TypeAlias

import numpy as np

from cogir.psyneulink.importer.conditions import conditions_on_finished
from cogir.psyneulink.importer.controller import monitors_nothing
from cogir.psyneulink.importer.imported import Imported
from cogir.psyneulink.importer.learned_matrices import is_recurrent, signals_of
from cogir.psyneulink.importer.mechanism_record import WrittenNode
from cogir.psyneulink.importer.state_features import state_features
from cogir.psyneulink.pnl import afferents_held_by, new_context, value_of_source
from cogir.psyneulink.reader import Reader, is_numeric
from cogir.psyneulink.state.executed_components import is_assigned
from cogir.psyneulink.state.logged_values import Logged, is_assigned_in_context, is_modulatory
from cogir.psyneulink.state.trace import TrialTrace, all_alike, trace_of
from cogir.runtime.plan import Floats

Moment: TypeAlias = Literal["execution", "begin", "end"]
"""The time of an entry: an execution of the Mechanism, or the beginning or end of a trial of the Composition."""
Values: TypeAlias = Callable[[list[Floats]], list[Any]]
"""The values that one execution enters, from the words that were noted of it, or from none, if it is the last that has been."""


@dataclass(frozen=True)
class Sender:
    """The OutputPort of which a Projection takes the value."""

    port: Any
    mechanism: Any
    """The Mechanism whose executions change it, which may be in a nested Composition."""
    path: str

    @property
    def parameter(self) -> Any:
        """The Parameter of the value."""
        return self.port.parameters.value


@dataclass(frozen=True)
class Rule:
    """The entries of one value that is logged."""

    logged: Logged
    paths: tuple[str, ...]
    """The ports and states of the node of its Mechanism whose words are noted at each execution; none if they cannot be."""
    values: Values
    must: bool = False
    """True if executions must be noted, as it is not known when they take place, or as there are several in a trial."""
    sender: Sender | None = None
    is_aligned: bool = False
    """True if the sender belongs to another Composition, and both it and the receiver are executed exactly once in each trial."""
    is_earlier: bool = False
    """True if the sender is executed before the receiver in each trial in which both are."""
    moment: Moment = "execution"
    at: Any = None
    """The Mechanism whose executions tell when, if it is not that of the value."""
    reads_states: bool = False
    """True if the values are in the states of the model, and in no Parameter."""

    @property
    def noted(self) -> tuple[str, ...]:
        """The paths of everything that the model has to note."""
        return (*self.paths, *(() if self.sender is None else (self.sender.path,)))


class Placed:
    """The nodes and schedules of the Mechanisms of a Composition and of those nested in it."""

    def __init__(self, imported: Imported, key: Any, trace: Callable[[Any], TrialTrace | None] | None = None):
        """`key`: the execution context; `trace`: what runs in the trials of a Composition, where that is known already."""
        self.key = key
        self.reader = Reader(key)
        self.trace = trace or cache(found_trace)  # it goes through a trial in PsyNeuLink's scheduler, which may have thousands of passes
        self.written: dict[Any, tuple[str, WrittenNode]] = {}
        self.owner: dict[Any, Any] = {}
        """The Compositions, by their nodes, controllers and interfaces."""
        self.outer = imported.composition
        self.idle: set[Any] = set()
        """Nodes that only learning executes, and that do not run."""
        self.searching: dict[Any, str] = {}
        """The paths of controllers that simulate."""
        self.floats: set[str] = set()
        """The paths of ports and states of floating-point numbers, which can be noted."""
        for prefix, one in all_in(imported, ""):
            composition = one.composition
            self.idle |= {*one.idle}
            self.owner |= dict.fromkeys((*composition.nodes, composition.input_CIM, composition.output_CIM), composition)
            if composition.controller is not None:
                self.owner[composition.controller] = composition
            if one.control is not None:
                self.searching[composition.controller] = f"{prefix}{one.control.name}"
            for node, written in one.written.items():
                path = f"{prefix}{one.nodes[node].name}"
                self.written[node] = (path, written)
                self.floats |= {f"{path}/port:{name}" for name, held in one.nodes[node].outputs.items() if held.dtype.startswith("float")}
                self.floats |= {f"{path}/state:{name}" for name in written.kept}

    def repeats(self, mechanism: Any) -> bool:
        """True if a Mechanism may be executed several times when it is called."""
        until_finished = mechanism.parameters.execute_until_finished.values
        return self.written[mechanism][1].finishes and bool(np.asarray(until_finished.get(self.key, until_finished.get(None, True))))

    def is_assigned_before(self, logged: Logged) -> bool:
        """True if PsyNeuLink computes it before the Mechanism is executed and again then: inputs of what enters a nested Composition."""
        mechanism = logged.mechanism
        composition = self.owner[mechanism]
        if is_interface(mechanism) or is_modulatory(logged.component):
            return False
        is_input = logged.component not in (mechanism, *mechanism.output_ports, *mechanism.parameter_ports)
        is_nested = any(afferents_held_by(port) for port in composition.input_CIM.input_ports)  # as PsyNeuLink tells
        return is_input and is_nested and any(port in composition.input_CIM_ports for port in mechanism.input_ports)

    def is_updated(self, logged: Logged) -> bool:
        """True if each execution of the Mechanism of a ParameterPort assigns its value, and nothing else does."""
        port, owner = logged.port, logged.port.owner
        if is_recurrent(owner):
            return False
        if logged.learns and hasattr(owner, "receiver") and signals_of(owner):
            return owner in self.written[logged.mechanism][1].learning.used and not logged.changes_after_trials
        held = value_of_source(port.source, new_context(self.key))
        return is_assigned(port) and isinstance(held, int | float | np.ndarray)

    def must_note(self, mechanism: Any) -> bool:
        """True if it is not known when a Mechanism is executed, or if it is executed several times in a trial."""
        return self.repeats(mechanism) or self.is_called_often(mechanism)

    def is_called_often(self, node: Any) -> bool:
        """True if a node, or a Composition around it, may be called more than once in a trial."""
        while (composition := self.owner.get(node)) is not None:
            trace = self.trace(composition)
            if trace is None or trace.calls[node] > 1:
                return True
            node = composition
        return False

    def is_called_once(self, node: Any) -> bool:
        """True if each trial calls a node exactly once; an interface counts as its Composition."""
        node = self.owner[node] if is_interface(node) else node
        while (composition := self.owner.get(node)) is not None:
            trace = self.trace(composition)
            if trace is None or trace.calls[node] != 1:
                return False
            node = composition
        return True

    def check_of_search(self, logged: Logged) -> None:
        """Refuses what PsyNeuLink does not assign once in each search of a controller, or what native runs do not show after it."""
        controller = logged.mechanism
        is_own = logged.component is controller and logged.parameter.name in OF_SEARCHES
        if not is_own and (logged.parameter.name != "value" or logged.component not in shown_by_search(controller)):
            raise logged.refuse(
                "which native runs do not record of a controller that simulates",
                "log its value, its control_allocation, or its ControlSignals",
            )
        if self.is_called_often(self.owner[controller]):
            raise logged.refuse("and its Composition may be executed several times in a trial", "do not log it, or run it in PsyNeuLink")

    def rules(self, found: Iterable[Logged]) -> list[Rule]:
        """The entries of the values among these that something assigns in this context; refuses those that native runs do not record."""
        return [self.rule(one) for one in found if not self.is_apart(one) and is_assigned_in_context(one, self.reader)]

    def is_apart(self, logged: Logged) -> bool:
        """
        True if no native trial assigns a value: that of a Mechanism which only learning executes, or of a Projection from the outside into
        the outermost Composition, which PsyNeuLink itself executes if that is nested in one that falls back, and else nothing does.
        """
        enters = logged.mechanism is self.outer.input_CIM and hasattr(self.projection_of(logged), "receiver")
        return enters or logged.mechanism in self.idle

    def rule(self, logged: Logged) -> Rule:
        """The entries of a value that is logged; refuses it if native runs do not record them."""
        mechanism = logged.mechanism
        if mechanism in self.searching:
            self.check_of_search(logged)
            return Rule(logged, (), self.shown(logged))
        if mechanism not in self.owner:
            raise not_recorded(logged)
        if is_interface(mechanism):
            rule = self.at_interface(logged)
            return rule if rule.must or self.floats.issuperset(rule.noted) else replace(rule, paths=())
        if logged.port is not None and not self.is_updated(logged):
            raise logged.refuse("which PsyNeuLink does not assign once in each execution", "log the value of its Mechanism")
        must = self.must_note(mechanism)
        if must and self.repeats(mechanism) and self.is_assigned_before(logged):
            raise logged.refuse(
                "which PsyNeuLink assigns once more where an input of a nested Composition is executed until it has finished",
                "log the value of its Mechanism",
            )
        rule = self.of_execution(logged, must)
        if must and not rule.paths:
            raise not_recorded(logged, "log the value of its Mechanism or of one of its ports")
        if not rule.must and not self.floats.issuperset(rule.noted):
            return replace(rule, paths=rule.paths if rule.reads_states else ())
        return rule

    def of_execution(self, logged: Logged, must: bool) -> Rule:
        """The entries of each execution of its Mechanism."""
        path, written = self.written[logged.mechanism]
        name, is_own = logged.parameter.name, logged.component is logged.mechanism

        def rule(ports: Sequence[str], values: Values | None = None, states: Sequence[str] = ()) -> Rule:
            paths = (*(f"{path}/port:{port}" for port in ports), *(f"{path}/state:{state}" for state in states))
            return Rule(logged, paths, values or self.shown(logged), must, reads_states=bool(states))

        if is_modulatory(logged.component) and logged.component not in written.arrived:
            raise not_recorded(logged)
        if logged.port is not None or name == "value":
            return rule(logged.ports(written))
        if logged.learns:
            raise not_recorded(logged)
        if is_own and name == "variable":
            shown = [written.variables[index] for index in written.in_variable] or written.variables
            return rule(shown, self.as_variable(logged))
        if is_own and name == "num_executions_before_finished":
            return rule((), counted_from_zero, written.kept[1:2]) if written.finishes else rule(written.values[:1], zero_and_one)
        if is_own and name == "integrator_function_value" and (shown := written.function_values.get(logged.mechanism.integrator_function)):
            return rule(shown.names)
        if is_own and name == "termination_measure_value" and len(written.kept) > 3:
            return rule((), self.as_measure(logged), (written.kept[3], written.kept[1]))
        if is_own and name in OF_RECURRENT:
            return rule(written.values[:1], self.as_recurrent(logged))
        if name == "variable" and (logged.component in written.arrived):
            if is_modulatory(logged.component) or self.passes_on(logged.component):
                return rule((written.arrived[logged.component],))
            return self.of_sender(rule(written.values[:1]))
        raise not_recorded(logged)

    def shown(self, logged: Logged) -> Values:
        """The value itself."""
        return lambda words: [self.one(logged, words)]

    def one(self, logged: Logged, words: list[Floats]) -> Any:
        """The value of an execution, or, without words, of the last."""
        is_passed_on = logged.parameter.name == "variable" and hasattr(logged.component, "receiver")
        held = (logged.component.parameters.value if is_passed_on else logged.parameter).values[self.key]
        return shaped(words, held) if words and not logged.is_unmodulated else np.array(held)

    def as_variable(self, logged: Logged) -> Values:
        """The variable of a Mechanism, before which PsyNeuLink assigns the default one as it checks arguments."""

        def values(words: list[Floats]) -> list[Any]:
            held = self.one(logged, words)
            return [copy(np.array(logged.component.defaults.variable)), held, held]

        return values

    def as_measure(self, logged: Logged) -> Values:
        """The measure that a Mechanism compares with its threshold, unless it has reached its limit of executions."""
        mechanism = logged.mechanism
        if any(mechanism in on or not on for one in {*self.owner.values()} for on in conditions_on_finished(one)):
            raise logged.refuse("which PsyNeuLink also assigns when a condition asks if it has finished", "log the value of its Mechanism")
        limit = float(np.asarray(self.reader.get(mechanism, "max_executions_before_finished")))
        dtype = int if hasattr(mechanism.termination_measure, "name") and not callable(mechanism.termination_measure) else float

        def values(words: list[Floats]) -> list[Any]:
            measure, since = (held.item() for held in words)
            return [] if since >= limit else [np.array(measure, dtype)]

        return values

    def as_recurrent(self, logged: Logged) -> Values:
        """The matrix of a recurrent Mechanism, or what it is made of, which nothing changes."""
        mechanism = logged.mechanism
        projection = mechanism.recurrent_projection
        ports = [*(port for port in mechanism.parameter_ports if port.name in OF_RECURRENT), *projection.parameter_ports]
        if logged.learns or any(one for port in ports for one in port.mod_afferents if type(one).__name__ != "LearningProjection"):
            raise logged.refuse("and it changes in runs", "log the value of its Mechanism")
        times = OF_RECURRENT[logged.parameter.name]
        return lambda words: [np.array(logged.parameter.values[self.key])] * times

    def passes_on(self, projection: Any) -> bool:
        """True if a Projection brings what its sender sends."""
        matrix = np.asarray(self.reader.get(projection, "matrix"))
        if any(port.mod_afferents for port in projection.parameter_ports) or type(projection.function).__name__ != "MatrixTransform":
            return False
        is_square = is_numeric(matrix) and matrix.ndim == 2 and matrix.shape[0] == matrix.shape[1]
        return is_square and not is_recurrent(projection) and np.array_equal(matrix, np.eye(len(matrix)))

    # What a Projection takes from its sender

    def of_sender(self, rule: Rule) -> Rule:
        """The rule of the variable of a Projection, which is the value of its sender when the receiver is executed."""
        logged, receiver = rule.logged, rule.logged.mechanism
        port = self.sender_of(logged)
        mechanism = port.owner
        path, written = self.written[mechanism]
        if port not in written.ports:
            raise not_recorded(logged)
        if self.reader.is_reset(mechanism) and not self.is_read_after_reset(mechanism, receiver):
            raise logged.refuse("and its sender may be reset before it is read", "do not log it")
        sender = Sender(self.projection_of(logged).sender, mechanism, f"{path}/port:{written.ports[port]}")
        is_aligned = self.owner[mechanism] is not self.owner[receiver]
        for one in (mechanism, receiver) if is_aligned else ():
            if not self.is_called_once(one) or (not is_interface(one) and self.repeats(one)):
                feature = "and it passes between Compositions of which one is not executed exactly once in each trial"
                raise logged.refuse(feature, "do not log it")
        must = rule.must or self.must_note(mechanism)
        is_earlier = not must and self.is_earlier(mechanism, receiver)
        return replace(rule, must=must, sender=sender, is_aligned=is_aligned, is_earlier=is_earlier)

    def is_read_after_reset(self, sender: Any, receiver: Any) -> bool:
        """True if a Mechanism that is reset, which is done as a trial begins, is executed before what it sends is read."""
        composition = self.owner[sender]
        if self.owner[receiver] is not composition:
            return self.is_called_once(sender) and self.is_called_once(receiver) and self.is_earlier(sender, receiver)
        if receiver is composition.controller and str(composition.controller_mode) == "before":
            return False
        trace = self.trace(composition)
        sets = [] if trace is None else trace.sets
        before = next((index for index, nodes in enumerate(sets) if sender in nodes), len(sets))
        read = next((index for index, nodes in enumerate(sets) if receiver in nodes), len(sets))
        return before < read

    def sender_of(self, logged: Logged) -> Any:
        """The OutputPort of a Mechanism whose value a Projection takes, also through the output of a nested Composition."""
        port = self.projection_of(logged).sender
        while is_interface(port.owner):
            composition = self.owner.get(port.owner)
            if composition is None or port.owner is composition.input_CIM:
                raise not_recorded(logged)
            port = next(inner for inner, (_, outer) in composition.output_CIM_ports.items() if outer is port)
        if port.owner not in self.written:
            raise not_recorded(logged)
        return port

    def is_earlier(self, sender: Any, receiver: Any) -> bool:
        """True if a trial executes one Mechanism, or the nested Composition that it is in, before the other."""
        around = {composition: node for composition, node in self.around(receiver)}
        composition, node = next((composition, node) for composition, node in self.around(sender) if composition in around)
        return self.when(composition, node) < self.when(composition, around[composition])

    def around(self, node: Any) -> Iterator[tuple[Any, Any]]:
        """The Compositions around a node, the innermost first, each with what is executed there when the node is."""
        while (composition := self.owner.get(node)) is not None:
            yield composition, node
            node = composition

    def when(self, composition: Any, node: Any) -> tuple[float, float]:
        """Pass and time step in which a trial executes a node, a controller, or an interface."""
        if node is composition.input_CIM or (node is composition.controller and str(composition.controller_mode) == "before"):
            return (-1, -1)
        if node in (composition.output_CIM, composition.controller):
            return (np.inf, np.inf)
        trace = self.trace(composition)
        assert trace is not None
        return trace.when.get(node, (-1, -1))

    def at_interface(self, logged: Logged) -> Rule:
        """The entries of a Projection out of a Composition, at the end of each trial, or into a nested one, at the beginning."""
        interface, projection = logged.mechanism, self.projection_of(logged)
        if not hasattr(projection, "receiver"):
            raise not_recorded(logged)
        composition = self.owner[interface]
        is_own = logged.port is None and logged.parameter.name in ("value", "variable")
        if logged.learns or not (is_own or logged.is_unmodulated) or len(projection.receiver.path_afferents) != 1:
            raise not_recorded(logged)
        if interface is composition.input_CIM:
            return self.at_entrance(logged, composition)
        must = self.is_called_often(composition)
        if self.trace(composition) is None or self.sends_through(projection):
            if must and composition is not self.outer:
                raise not_recorded(logged)
            sent: Values = lambda _: [np.array(projection.sender.parameters.value.values[self.key])]  # noqa: E731
            return Rule(logged, (), self.shown(logged) if logged.port is not None else sent, moment="end")
        if is_own and not self.passes_on(projection):
            raise not_recorded(logged)
        return self.of_sender(Rule(logged, (), self.shown(logged), must, moment="end"))

    def at_entrance(self, logged: Logged, composition: Any) -> Rule:
        """
        The entries of a Projection into a nested Composition: its value is what enters the Mechanism there, whose first execution in a
        trial tells when.
        """
        projection = self.projection_of(logged)
        inner = next(port for port, (outer, _) in composition.input_CIM_ports.items() if outer is projection.receiver)
        entering = [one for one in inner.path_afferents if one.sender.owner is composition.input_CIM]
        trace = self.trace(composition)
        mechanism = inner.owner
        if trace is None or mechanism not in self.written or trace.calls[mechanism] < 1 or len(entering) != 1:
            raise not_recorded(logged)
        path, written = self.written[mechanism]
        if entering[0] not in written.arrived or not self.passes_on(entering[0]):
            raise not_recorded(logged)
        paths = (f"{path}/port:{written.arrived[entering[0]]}",)
        must = self.must_note(mechanism)
        if logged.port is None and logged.parameter.name == "variable" and not self.passes_on(projection):
            return self.of_sender(Rule(logged, paths, self.shown(logged), must, moment="begin", at=mechanism))
        return Rule(logged, paths, self.shown(logged), must, moment="begin", at=mechanism)

    def projection_of(self, logged: Logged) -> Any:
        """The Projection of which a value, or the matrix, is logged."""
        return logged.port.owner if logged.port is not None else logged.component

    def sends_through(self, projection: Any) -> bool:
        """True if what a Projection takes comes out of a nested Composition."""
        return is_interface(projection.sender.owner)


OF_SEARCHES = ("value", "control_allocation")
"""The Parameters of a controller that simulates of which native runs make entries."""
OF_RECURRENT = {"matrix": 3, "auto": 2, "hetero": 2}
"""
The Parameters of the matrix of a recurrent Mechanism, and how often an execution assigns them: it computes the matrix, and sets it twice,
and with it the others.
"""


def counted_from_zero(words: list[Floats]) -> list[Any]:
    """The count of executions since a Mechanism had finished; PsyNeuLink sets it to zero before the first."""
    count = int(words[0].item())
    return [np.array(0), np.array(1)] if count == 1 else [np.array(count)]


def zero_and_one(_: list[Floats]) -> list[Any]:
    """The same of a Mechanism that finishes with each execution."""
    return [np.array(0), np.array(1)]


def not_recorded(logged: Logged, remedy: str = "log values of Mechanisms, their ports or Projections to them") -> Exception:
    """The error for something of which native runs make no entries."""
    return logged.refuse("which native runs do not record", remedy)


def is_interface(mechanism: Any) -> bool:
    """True if a Mechanism passes on the inputs or outputs of a Composition."""
    return type(mechanism).__name__ == "CompositionInterfaceMechanism"


def shown_by_search(controller: Any) -> list[Any]:
    """The ports of a controller that simulates, and the Projections to them, whose values native runs show after a search."""
    ports = [port for port, _, spec in state_features(controller) if hasattr(spec, "owner")]
    ports += [] if monitors_nothing(controller) else [*controller.outcome_input_ports]
    return [*controller.control_signals, *ports, *(projection for port in ports for projection in port.path_afferents)]


def found_trace(composition: Any) -> TrialTrace | None:
    """The nodes that run in each trial of a Composition; None if trials differ."""
    return trace_of(composition) if all_alike(composition) else None


def all_in(imported: Imported, prefix: str) -> Iterator[tuple[str, Imported]]:
    """A Composition and those in it, with what stands before their names in the model."""
    yield prefix, imported
    for composition, inner in imported.inner.items():
        yield from all_in(inner, f"{prefix}{imported.nodes[composition].name}/")


def shaped(words: Sequence[Floats], like: Any) -> Any:
    """The numbers of ports in the form in which a value of PsyNeuLink is kept: one array, or an array of arrays of several lengths."""
    if not np.asarray(like).dtype.hasobject:
        return np.concatenate([np.ravel(held) for held in words]).reshape(np.shape(like))
    rows = np.empty(len(words), dtype=object)
    for index, (held, row) in enumerate(zip(words, like, strict=True)):
        rows[index] = held.reshape(np.shape(row)).copy()
    return rows
