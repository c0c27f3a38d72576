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
from typing import Any

import numpy as np

from cogir.psyneulink.importer.controller import monitors_nothing
from cogir.psyneulink.importer.imported import Imported
from cogir.psyneulink.importer.learned_matrices import is_recurrent, signals_of
from cogir.psyneulink.importer.mechanism_record import WrittenNode
from cogir.psyneulink.importer.state_features import state_features
from cogir.psyneulink.pnl import afferents_held_by, log_entry, new_context, value_of_source
from cogir.psyneulink.reader import UnsupportedFeature
from cogir.psyneulink.state.clocks import OWN
from cogir.psyneulink.state.executed_components import is_assigned
from cogir.psyneulink.state.executions import ExecutionTimeline
from cogir.psyneulink.state.logged_values import LogConditions, Logged, conditions_set
from cogir.psyneulink.state.trace import TrialTrace, all_alike, trace_of
from cogir.runtime.plan import Floats, Plan, Words


class Placed:
    """The nodes and schedules of the Mechanisms of a Composition and of those nested in it."""

    def __init__(self, imported: Imported, key: Any, trace: Callable[[Any], TrialTrace | None] | None = None):
        """`key`: the execution context; `trace`: what runs in the trials of a Composition, where that is known already."""
        self.key = key
        self.trace = trace or found_trace
        self.written: dict[Any, tuple[str, WrittenNode]] = {}
        self.owner: dict[Any, Any] = {}
        """The Compositions, by their nodes and controllers."""
        self.searching: dict[Any, str] = {}
        """The paths of controllers that simulate."""
        self.floats: set[str] = set()
        """The paths of ports of floating-point numbers, which can be noted."""
        for prefix, one in _all(imported, ""):
            self.owner |= dict.fromkeys(one.composition.nodes, one.composition)
            if one.composition.controller is not None:
                self.owner[one.composition.controller] = one.composition
            if one.control is not None:
                self.searching[one.composition.controller] = f"{prefix}{one.control.name}"
            for node, written in one.written.items():
                path = f"{prefix}{one.nodes[node].name}"
                self.written[node] = (path, written)
                self.floats |= {f"{path}/port:{name}" for name, held in one.nodes[node].outputs.items() if held.dtype.startswith("float")}

    def repeats(self, mechanism: Any) -> bool:
        """True if a Mechanism may be executed several times when it is called."""
        until_finished = mechanism.parameters.execute_until_finished.values
        return self.written[mechanism][1].finishes and bool(np.asarray(until_finished.get(self.key, until_finished.get(None, True))))

    def is_assigned_before(self, logged: Logged) -> bool:
        """True if PsyNeuLink computes it before the Mechanism is executed and again then: inputs of what enters a nested Composition."""
        mechanism = logged.mechanism
        composition = self.owner[mechanism]
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

    def needs_notes(self, logged: Logged) -> bool:
        """
        Whether each execution of the Mechanism of a value that is logged must be noted, as it is not known when it takes place, or as there
        are several in a trial. Refuses what is not assigned exactly once in each execution.
        """
        mechanism = logged.mechanism
        if mechanism in self.searching:
            self.check_of_search(logged)
            return False
        if (logged.parameter.name != "value" and logged.port is None) or mechanism not in self.owner:
            raise logged.refuse("which native runs do not record", "log values of Mechanisms, their ports or Projections to them")
        if logged.port is not None and not self.is_updated(logged):
            raise logged.refuse("which PsyNeuLink does not assign once in each execution", "log the value of its Mechanism")
        if self.repeats(mechanism) and self.is_assigned_before(logged):
            raise logged.refuse(
                "which PsyNeuLink assigns once more where an input of a nested Composition is executed until it has finished",
                "log the value of its Mechanism",
            )
        return self.repeats(mechanism) or self.is_called_often(mechanism)

    def is_called_often(self, node: Any) -> bool:
        """True if a node, or a Composition around it, may be called more than once in a trial."""
        while (composition := self.owner.get(node)) is not None:
            trace = self.trace(composition)
            if trace is None or trace.calls[node] > 1:
                return True
            node = composition
        return False

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
        if logged.mechanism in self.searching:
            return [], False
        try:
            paths = self.noted(logged)
        except UnsupportedFeature:
            if must:
                raise
            return [], False
        return (paths if must or self.floats.issuperset(paths) else []), must


OF_SEARCHES = ("value", "control_allocation")
"""The Parameters of a controller that simulates of which native runs make entries."""


def shown_by_search(controller: Any) -> list[Any]:
    """The ports of a controller that simulates, and the Projections to them, whose values native runs show after a search."""
    ports = [port for port, _, spec in state_features(controller) if hasattr(spec, "owner")]
    ports += [] if monitors_nothing(controller) else [*controller.outcome_input_ports]
    return [*controller.control_signals, *ports, *(projection for port in ports for projection in port.path_afferents)]


def found_trace(composition: Any) -> TrialTrace | None:
    """The nodes that run in each trial of a Composition; None if trials differ."""
    return trace_of(composition) if all_alike(composition) else None


def _all(imported: Imported, prefix: str) -> Iterator[tuple[str, Imported]]:
    """A Composition and those in it, with what stands before their names in the model."""
    yield prefix, imported
    for composition, inner in imported.inner.items():
        yield from _all(inner, f"{prefix}{imported.nodes[composition].name}/")


def ports_to_note(imported: Imported, key: Any, conditions: LogConditions) -> tuple[str, ...]:
    """The paths of the ports whose values the model is to note at each execution; refuses what cannot be logged."""
    idle = idle_nodes(imported)
    found = [logged for logged in conditions.now() if logged.mechanism not in idle]
    placed = Placed(imported, key)
    return tuple(sorted({path for logged in found for path in placed.to_note(logged)[0]}))


def idle_nodes(imported: Imported) -> set[Any]:
    """The nodes that only learning executes, and that do not run."""
    return {node for _, one in _all(imported, "") for node in one.idle}


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

    def __init__(self, plan: Plan, path: str, ports: Sequence[str], noted: Sequence[str], trial: int, is_before: bool):
        """
        `ports`: the paths of the ports that show the value; `noted`: of all that are noted; `trial`: where the model counts trials;
        `is_before`: the Mechanism is executed before the first pass, when the model still has the time of the trial before.
        """
        self.is_before = is_before
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
            if self.is_before:
                in_pass = step = 0
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
        self.idle = idle_nodes(imported)
        self.items: list[tuple[Logged, Callable[[Floats, Words], bool], tuple[int, int] | None]] = []
        """
        Values that are logged after each trial: each with what tells whether it was assigned in it, and with the pass and the time step;
        None for the end of the trial.
        """
        self.notes: list[tuple[Logged, Notes]] = []
        self.assigned_before: set[int] = set()
        """The identities of what is logged and assigned once more before each execution."""
        self.of_script = False
        """True if the trials are those of a call of `execute`, in which the script counts as assigning what is assigned before."""
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
        if self.seen == conditions_set():
            return
        found = [(logged, *self.placed.to_note(logged)) for logged in self.conditions.now() if logged.mechanism not in self.idle]
        if any(must and not set(self.noted).issuperset(paths) for _, paths, must in found):
            raise NotNoted
        noted = [(logged, paths) for logged, paths, _ in found if paths and set(self.noted).issuperset(paths)]
        self.notes = [(logged, self.notes_of(logged, paths)) for logged, paths in noted]
        self.assigned_before = {id(logged) for logged, _, _ in found if self.placed.is_assigned_before(logged)}
        self.items = [self.kept(logged) for logged, _, _ in found if not any(logged is other for other, _ in noted)]
        self.seen = conditions_set()

    def notes_of(self, logged: Logged, ports: Sequence[str]) -> Notes:
        """The notes of a value that is logged."""
        composition = self.placed.owner[logged.mechanism]
        is_before = logged.mechanism is composition.controller and not acts_after(composition)
        trial = self.timeline.clocks[composition].clock["trial"]
        return Notes(self.plan, self.placed.written[logged.mechanism][0], ports, self.noted, trial, is_before)

    def kept(self, logged: Logged) -> tuple[Logged, Callable[[Floats, Words], bool], tuple[int, int] | None]:
        """A value that is logged after each trial: what tells whether it was assigned, and the pass and time step in which it was."""
        mechanism = logged.mechanism
        composition = self.placed.owner[mechanism]
        when = None
        if mechanism is not composition.controller:
            trace = self.timeline.trace(composition)
            assert trace is not None
            when = trace.when.get(mechanism, (0, 0))
        elif not acts_after(composition):
            when = (0, 0)
        if (path := self.placed.searching.get(mechanism)) is not None:
            place = self.plan.slots[f"{path}/found:searches"].offset
            return logged, lambda _, si: si[place] != self.timeline.before[place], when
        count = self.counts[mechanism]
        return logged, lambda sf, _: sf[count.offset] != count.before, when

    def begin(self, si: Words) -> None:
        """Some trials begin, of which nothing has been noted."""
        for count, _ in self.rooms:
            si[count] = 0

    def lacks_room(self, si: Words) -> bool:
        """True if something that is logged could not be noted."""
        return bool(self.notes) and any(si[count] > room for count, room in self.rooms)

    def record(self, sf: Floats, si: Words) -> None:
        """Makes the entries of the last trial."""
        for logged, was_assigned, when in self.items:
            if was_assigned(sf, si):
                self.enter(logged, 1, *(when or (self.passes(logged), 0)), self.present(logged))
        for logged, notes in self.notes:
            for ago, in_pass, step, words in notes.entries(sf, si):
                value = self.present(logged) if logged.is_unmodulated else shaped(words, logged.parameter.values[self.key])
                self.enter(logged, ago, in_pass, step, value)

    def passes(self, logged: Logged) -> int:
        """The number of passes of the last trial of the Composition to which a value belongs."""
        run = self.placed.owner[logged.mechanism].scheduler.clocks[self.key].history.children[-1]
        return run.children[-2].total_times[self.timeline.scales.pass_]

    def present(self, logged: Logged) -> Any:
        """The value as the last execution has left it."""
        return np.array(logged.parameter.values[self.key])

    def enter(self, logged: Logged, ago: int, in_pass: int, step: int, value: Any) -> None:
        """Makes the entry of a value that was assigned in the last trial or so many trials ago."""
        scheduler = self.placed.owner[logged.mechanism].scheduler
        if (own := OWN.get(scheduler)) is not None:  # whose time PsyNeuLink takes, though it stands still
            now = own.get_clock(new_context(self.key)).time
            ago, in_pass, step = 0, now.pass_, now.consideration_set_execution
        else:
            now = scheduler.clocks[self.key].time
        entry = log_entry(now.environment_sequence, now.environment_state_update - ago, in_pass, step, value, logged.flags.text)
        is_again = id(logged) in self.assigned_before and not self.of_script
        logged.parameter.log.setdefault(self.key, deque()).extend([entry] * (logged.times * (2 if is_again else 1)))


def acts_after(composition: Any) -> bool:
    """True if the controller of a Composition is executed after its nodes."""
    return str(composition.controller_mode) == "after"


def shaped(words: Sequence[Floats], like: Any) -> Any:
    """The numbers of ports in the form in which a value of PsyNeuLink is kept: one array, or an array of arrays of several lengths."""
    if not np.asarray(like).dtype.hasobject:
        return np.concatenate([np.ravel(held) for held in words]).reshape(np.shape(like))
    rows = np.empty(len(words), dtype=object)
    for index, (held, row) in enumerate(zip(words, like, strict=True)):
        rows[index] = held.reshape(np.shape(row)).copy()
    return rows
