"""
Logs: which values of a Composition are logged, and the entries that PsyNeuLink would have made while it ran natively.

PsyNeuLink makes an entry whenever it assigns a value: once for each execution. Native code notes the time and the values of each execution
(`lowering/machine/log.py`), of as many trials as there is room for, and the entries are made when these are over. What is executed at most
once in each trial, at a time that is known, and is not noted (it was not logged when the Composition was compiled, or no port shows it), is
logged from what each trial leaves behind. Logs of values that no run shows are kept by PsyNeuLink alone.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cogir.psyneulink.importer.imported import Imported
from cogir.psyneulink.importer.learned_matrices import is_recurrent, signals_of
from cogir.psyneulink.importer.mechanism_record import WrittenNode
from cogir.psyneulink.importer.survey import Survey
from cogir.psyneulink.pnl import afferents_held_by, log_entry, log_flags, new_context, report_log_conditions, value_of_source
from cogir.psyneulink.reader import Reader, UnsupportedFeature
from cogir.psyneulink.state.executed_components import is_executed
from cogir.psyneulink.state.executions import ExecutionCount, ExecutionTimeline
from cogir.psyneulink.state.trace import TrialTrace, all_alike, trace_of
from cogir.runtime.plan import Floats, Plan, Words

_changes = [0]
"""The number of times that a log condition has been set in this process."""


def count_change() -> None:
    """Counts one setting."""
    _changes[0] += 1


def notice_log_conditions() -> None:
    """Counts each setting of a log condition from now on, as looking through all Parameters takes as long as many runs."""
    report_log_conditions(count_change)


@dataclass(frozen=True)
class Logged:
    """A value that is logged."""

    component: Any
    parameter: Any

    @property
    def mechanism(self) -> Any:
        """The Mechanism whose executions assign it; None if there is none."""
        bases = {base.__name__ for base in type(self.component).__mro__}
        if "Mechanism" in bases:
            return self.component
        if "MappingProjection" in bases:
            return self.component.receiver.owner
        if "ParameterPort" in bases and hasattr(self.component.owner, "receiver"):
            return self.component.owner.receiver.owner
        return self.component.owner if bases & {"InputPort", "OutputPort", "ParameterPort"} else None

    @property
    def of_parameter(self) -> bool:
        """True if it is the value of a ParameterPort."""
        return type(self.component).__name__ == "ParameterPort"

    @property
    def is_unmodulated(self) -> bool:
        """True if it is the value of a ParameterPort that nothing modulates: that of its Parameter, which no execution changes."""
        return self.of_parameter and not self.component.mod_afferents

    def ports(self, written: WrittenNode) -> tuple[str, ...]:
        """The names of the ports that show it, of the node that stands for its Mechanism; none if nothing shows it."""
        mechanism = self.mechanism
        if self.parameter.name != "value":
            return ()
        if self.component is mechanism:
            return written.values
        if self.is_unmodulated:
            return written.values[:1]  # beside which the times are noted
        if self.of_parameter:
            return tuple(name for name, shown in written.observed_of.items() if shown == (self.component, "value"))
        if self.component in mechanism.input_ports:
            return (written.variables[list(mechanism.input_ports).index(self.component)],)
        name = written.ports.get(self.component) if self.component in mechanism.output_ports else written.arrived.get(self.component)
        return () if name is None else (name,)

    def refuse(self, why: str, remedy: str) -> UnsupportedFeature:
        """The error for a log that only PsyNeuLink can keep."""
        kind, name = type(self.component).__name__, self.component.name
        return UnsupportedFeature(f"{kind} {name!r}", f"its {self.parameter.name!r} is logged, {why}", remedy)


def logged_in(survey: Survey, learns: bool = False) -> list[Logged]:
    """The values of a Composition that are logged while it is processed, or, if it `learns`, while it learns."""
    flags = log_flags()
    wanted = flags.processing | (flags.learning if learns else 0)
    found: list[Logged] = []
    for one in survey.components:
        for parameter in getattr(one, "parameters", ()):
            condition = getattr(parameter, "log_condition", None)
            if condition and parameter.loggable and getattr(parameter, "final_source", None) is parameter:
                logged = Logged(one, parameter)
                if survey.has_controller:
                    raise logged.refuse("and it is simulated by a controller", "do not log it, or run it in PsyNeuLink")
                if int(condition) & wanted:
                    found.append(logged)
    return found


class LogConditions:
    """The values of a Composition that are logged, looked for again only after a log condition has been set."""

    def __init__(self, survey: Survey):
        self.survey = survey
        self.seen: int | None = None
        self.found: list[Logged] = []
        notice_log_conditions()

    def now(self) -> list[Logged]:
        """The values that are logged now; refuses what cannot be logged."""
        if self.seen != _changes[0]:
            self.found = logged_in(self.survey)
            self.seen = _changes[0]
        return self.found


class Placed:
    """The nodes and schedules of the Mechanisms of a Composition and of those nested in it."""

    def __init__(self, imported: Imported, key: Any, trace: Callable[[Any], TrialTrace | None] | None = None):
        """`key`: the execution context; `trace`: what runs in the trials of a Composition, where that is known already."""
        self.key = key
        self.trace = trace or found_trace
        self.written: dict[Any, tuple[str, WrittenNode]] = {}
        self.owner: dict[Any, Any] = {}
        self.floats: set[str] = set()
        """The paths of ports of floating-point numbers, which can be noted."""
        for prefix, one in _all(imported, ""):
            self.owner |= dict.fromkeys(one.composition.nodes, one.composition)
            for node, written in one.written.items():
                path = f"{prefix}{one.nodes[node].name}"
                self.written[node] = (path, written)
                self.floats |= {f"{path}/port:{name}" for name, held in one.nodes[node].outputs.items() if held.dtype.startswith("float")}

    def repeats(self, mechanism: Any) -> bool:
        """True if a Mechanism may be executed several times when it is called."""
        until_finished = mechanism.parameters.execute_until_finished.values
        return self.written[mechanism][1].finishes and bool(np.asarray(until_finished.get(self.key, until_finished.get(None, True))))

    def is_assigned_twice(self, logged: Logged) -> bool:
        """True if PsyNeuLink computes it before the Mechanism is executed and again then: inputs of what enters a nested Composition."""
        mechanism = logged.mechanism
        composition = self.owner[mechanism]
        is_input = logged.component not in (mechanism, *mechanism.output_ports, *mechanism.parameter_ports)
        is_nested = any(afferents_held_by(port) for port in composition.input_CIM.input_ports)  # as PsyNeuLink tells
        return is_input and is_nested and any(port in composition.input_CIM_ports for port in mechanism.input_ports)

    def is_updated(self, port: Any) -> bool:
        """True if each execution of the Mechanism of a ParameterPort assigns its value, and learning does not."""
        if is_recurrent(port.owner) or (hasattr(port.owner, "receiver") and signals_of(port.owner)):
            return False
        held = value_of_source(port.source, new_context(self.key))
        return is_executed(port, Reader(self.key)) and isinstance(held, int | float | np.ndarray)

    def needs_notes(self, logged: Logged) -> bool:
        """
        Whether each execution of the Mechanism of a value that is logged must be noted, as it is not known when it takes place, or as there
        are several in a trial. Refuses what is not assigned exactly once in each execution.
        """
        mechanism = logged.mechanism
        if logged.parameter.name != "value" or mechanism not in self.owner:
            raise logged.refuse("which native runs do not record", "log values of Mechanisms, their ports or Projections to them")
        if logged.of_parameter and not self.is_updated(logged.component):
            raise logged.refuse("which PsyNeuLink does not assign once in each execution", "log the value of its Mechanism")
        if self.is_assigned_twice(logged):
            raise logged.refuse(
                "which PsyNeuLink assigns twice where an input of a nested Composition is executed", "log the value of its Mechanism"
            )
        if self.repeats(mechanism):
            return True
        node: Any = mechanism
        while (composition := self.owner.get(node)) is not None:
            trace = self.trace(composition)
            if trace is None or trace.calls[node] > 1:
                return True
            node = composition
        return False

    def noted(self, logged: Logged) -> list[str]:
        """The paths of the ports that show it, whose values are to be noted."""
        path, written = self.written[logged.mechanism]
        names = logged.ports(written)
        if not names:
            raise logged.refuse("which native runs do not record", "log the value of its Mechanism or of one of its ports")
        return [f"{path}/port:{name}" for name in names]

    def to_note(self, logged: Logged) -> tuple[list[str], bool]:
        """The paths of the ports whose values can be noted, none if there are not all of them; and whether they must be."""
        must = self.needs_notes(logged)
        try:
            paths = self.noted(logged)
        except UnsupportedFeature:
            if must:
                raise
            return [], False
        return (paths if must or self.floats.issuperset(paths) else []), must


def found_trace(composition: Any) -> TrialTrace | None:
    """The nodes that run in each trial of a Composition; None if trials differ."""
    return trace_of(composition) if all_alike(composition) else None


def _all(imported: Imported, prefix: str) -> Iterator[tuple[str, Imported]]:
    """A Composition and those in it, with what stands before their names in the model."""
    yield prefix, imported
    for composition, inner in imported.inner.items():
        yield from _all(inner, f"{prefix}{imported.nodes[composition].name}/")


def ports_to_note(imported: Imported, key: Any, conditions: LogConditions) -> tuple[str, ...]:
    """The paths of the ports whose values the model is to note at each execution; none where something that is logged is refused."""
    try:
        found = conditions.now()
        placed = Placed(imported, key)
        return tuple(sorted({path for logged in found for path in placed.to_note(logged)[0]}))
    except UnsupportedFeature:
        return ()  # `Logs.refresh` says so when it looks


class NotNoted(Exception):
    """Something is logged that the compiled model does not note."""


class NoRoom(Exception):
    """Trials have made more entries in logs than the compiled model has room for, or more searches than there is room for in records."""

    def __init__(self, record: int):
        """`record`: the words of the record that has no room; 0 if it is a log."""
        super().__init__()
        self.record = record


class Notes:
    """The notes of native code on the executions of a Mechanism, and the columns of one of its values."""

    def __init__(self, plan: Plan, path: str, ports: Sequence[str], noted: Sequence[str], trial: int):
        """`ports`: the paths of the ports that show the value; `noted`: of all that are noted; `trial`: where the model counts trials."""
        self.rows, self.count, self.trial = plan.slots[f"{path}/log:rows"], plan.slots[f"{path}/log:count"].offset, trial
        of_node = sorted((plan.slots[one] for one in noted if one.startswith(f"{path}/port:")), key=lambda slot: slot.offset)
        start = self.rows.shape[1] - sum(slot.size for slot in of_node)
        columns: dict[str, Words] = {}
        for slot in of_node:
            columns[slot.path] = np.arange(start, start + slot.size)
            start += slot.size
        self.columns = [columns[port] for port in ports]

    def entries(self, sf: Floats, si: Words) -> Iterator[tuple[int, int, int, list[Floats]]]:
        """Of each execution how many trials ago it was (1: in that which has just ended), its pass and time step, and the ports' values."""
        for row in sf[self.rows.words].reshape(self.rows.shape)[: si[self.count]]:
            trial, in_pass, step = map(int, row[:3])
            yield int(si[self.trial]) - trial, in_pass, step, [row[words] for words in self.columns]


class Logs:
    """The logs of a Composition in one execution context."""

    def __init__(
        self, imported: Imported, timeline: ExecutionTimeline, key: Any, plan: Plan, noted: Sequence[str], conditions: LogConditions
    ):
        """`noted`: the paths of the ports whose values the model notes; `conditions`: those of the Composition."""
        self.timeline, self.key, self.plan, self.noted = timeline, key, plan, noted
        self.conditions = conditions
        self.placed = Placed(imported, key, timeline.trace)
        self.counts = {count.component: count for count in timeline.counts}
        self.seen: Any = None
        self.idle = {node for _, one in _all(imported, "") for node in one.idle}
        """Nodes that only learning executes."""
        self.items: list[tuple[Logged, ExecutionCount, tuple[int, int]]] = []
        """Values that are logged after each trial, with the pass and the time step of the execution."""
        self.notes: list[tuple[Logged, Notes]] = []
        self.rooms: list[tuple[int, int]] = [
            (slot.offset, plan.slots[f"{path.rpartition(':')[0]}:rows"].shape[0])
            for path, slot in plan.slots.items()
            if path.endswith("/log:count")
        ]
        """The place of each count of notes, and its capacity in executions."""

    def __bool__(self) -> bool:
        return bool(self.items or self.notes)

    @property
    def at_a_time(self) -> int | None:
        """The largest number of trials after which entries are made; None if nothing is logged."""
        return 1 if self.items else min(room for _, room in self.rooms) if self.notes else None

    def refresh(self) -> None:
        """Looks for what is logged, if a log condition has been set meanwhile; refuses what cannot be logged."""
        if self.seen == _changes[0]:
            return
        found = [(logged, *self.placed.to_note(logged)) for logged in self.conditions.now() if logged.mechanism not in self.idle]
        if any(must and not set(self.noted).issuperset(paths) for _, paths, must in found):
            raise NotNoted
        noted = [(logged, paths) for logged, paths, _ in found if paths and set(self.noted).issuperset(paths)]
        self.notes = [(logged, self.notes_of(logged, paths)) for logged, paths in noted]
        self.items = [self.kept(logged) for logged, _, _ in found if not any(logged is other for other, _ in noted)]
        self.seen = _changes[0]

    def notes_of(self, logged: Logged, ports: Sequence[str]) -> Notes:
        """The notes of a value that is logged."""
        counts = self.timeline.clocks[self.placed.owner[logged.mechanism]]
        return Notes(self.plan, self.placed.written[logged.mechanism][0], ports, self.noted, counts.clock["trial"])

    def kept(self, logged: Logged) -> tuple[Logged, ExecutionCount, tuple[int, int]]:
        """A value that is logged: where its Mechanism's executions are counted, and the pass and time step in which it runs."""
        mechanism = logged.mechanism
        trace = self.timeline.trace(self.timeline.owner[mechanism])
        assert trace is not None
        return logged, self.counts[mechanism], trace.when.get(mechanism, (0, 0))

    def begin(self, si: Words) -> None:
        """Some trials begin, of which nothing has been noted."""
        for count, _ in self.rooms:
            si[count] = 0

    def lacks_room(self, si: Words) -> bool:
        """True if something that is logged could not be noted."""
        return bool(self.notes) and any(si[count] > room for count, room in self.rooms)

    def record(self, sf: Floats, si: Words) -> None:
        """Makes the entries of the last trial."""
        for logged, count, (in_pass, step) in self.items:
            if sf[count.offset] != count.before:
                self.enter(logged, 1, in_pass, step, self.present(logged))
        for logged, notes in self.notes:
            for ago, in_pass, step, words in notes.entries(sf, si):
                value = self.present(logged) if logged.is_unmodulated else shaped(words, logged.parameter.values[self.key])
                self.enter(logged, ago, in_pass, step, value)

    def present(self, logged: Logged) -> Any:
        """The value as the last execution has left it."""
        return np.array(logged.parameter.values[self.key])

    def enter(self, logged: Logged, ago: int, in_pass: int, step: int, value: Any) -> None:
        """Makes one entry, of a value that was assigned in the last trial or so many trials ago."""
        now = self.timeline.owner[logged.mechanism].scheduler.clocks[self.key].time
        entry = log_entry(now.environment_sequence, now.environment_state_update - ago, in_pass, step, value)
        logged.parameter.log.setdefault(self.key, deque()).append(entry)


def shaped(words: Sequence[Floats], like: Any) -> Any:
    """The numbers of ports in the form in which a value of PsyNeuLink is kept: one array, or an array of arrays of several lengths."""
    if not np.asarray(like).dtype.hasobject:
        return np.concatenate([np.ravel(held) for held in words]).reshape(np.shape(like))
    rows = np.empty(len(words), dtype=object)
    for index, held in enumerate(words):
        rows[index] = held.copy()
    return rows
