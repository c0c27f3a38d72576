"""
Logs: which values of a Composition are logged, and the entries that PsyNeuLink would have made while it ran natively.

PsyNeuLink makes an entry whenever it assigns a value: once for each execution. Native code notes the time and the values of each execution
(`lowering/machine/log.py`), of as many trials as there is room for, and the entries are made when these are over. What is executed at most
once in each trial, at a time that is known, and is not noted (it was not logged when the Composition was compiled, or no port shows it), is
logged from what each trial leaves behind. Logs of values that no run shows are kept by PsyNeuLink alone.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cogir.psyneulink.importer.imported import Imported
from cogir.psyneulink.pnl import log_entry, new_context, text_of_script
from cogir.psyneulink.state.clocks import OWN
from cogir.psyneulink.state.executions import ExecutionTimeline
from cogir.psyneulink.state.lazy_values import look_up
from cogir.psyneulink.state.log_rules import Placed, Rule, Sender, is_interface, shaped
from cogir.psyneulink.state.logged_values import LogConditions, Logged, conditions_set
from cogir.runtime.plan import Floats, Plan, Words


def ports_to_note(imported: Imported, key: Any, conditions: LogConditions) -> tuple[str, ...]:
    """The paths of the ports whose values the model is to note at each execution; refuses what cannot be logged."""
    return tuple(sorted({path for rule in Placed(imported, key).rules(conditions.now()) for path in rule.noted}))


class NotNoted(Exception):
    """Something is logged that the compiled model does not note."""


class NoRoom(Exception):
    """Trials have made more entries in logs than the compiled model has room for, or more searches than there is room for in records."""

    def __init__(self, record: int):
        """`record`: the words of the record that has no room; 0 if it is a log."""
        super().__init__()
        self.record = record


@dataclass
class Execution:
    """An execution of a Mechanism, or a time at which something is entered in a log: its trial, pass and time step, and what was noted."""

    trial: float
    in_pass: float
    step: float
    words: list[Floats]

    @property
    def time(self) -> tuple[float, float, float]:
        """When it was; executions are in this order."""
        return self.trial, self.in_pass, self.step


class Notes:
    """The notes of native code on the executions of a Mechanism, and the columns of one of its values."""

    def __init__(self, plan: Plan, path: str, shown: Sequence[str], noted: Sequence[str], is_before: bool):
        """
        `shown`: the paths of the ports and states that show the value; `noted`: of all that are noted; `is_before`: the Mechanism is
        executed before the first pass, when the model still has the time of the trial before.
        """
        self.is_before = is_before
        self.rows, self.count = plan.slots[f"{path}/log:rows"], plan.slots[f"{path}/log:count"].offset
        ports = sorted((plan.slots[one] for one in noted if one.startswith(f"{path}/port:")), key=lambda slot: slot.offset)
        states = sorted((plan.slots[one] for one in noted if one.startswith(f"{path}/state:")), key=lambda slot: slot.offset)
        start = self.rows.shape[1] - sum(slot.size for slot in (*ports, *states))
        columns: dict[str, Words] = {}
        for slot in (*ports, *states):
            columns[slot.path] = np.arange(start, start + slot.size)
            start += slot.size
        self.columns = [columns[each] for each in shown]

    def executions(self, sf: Floats, si: Words) -> list[Execution]:
        """The executions that have been noted."""
        rows = sf[self.rows.words].reshape(self.rows.shape)[: si[self.count]]
        times: list[list[float]] = rows[:, :3].tolist()
        found = zip(*(rows[:, words] for words in self.columns), strict=True) if self.columns else (() for _ in times)
        times = [[trial, -1, -1] for trial, _, _ in times] if self.is_before else times
        return [Execution(trial, in_pass, step, [*words]) for (trial, in_pass, step), words in zip(times, found, strict=True)]


@dataclass
class LoggedByTrial:
    """A value that is logged after each trial."""

    rule: Rule
    was_assigned: Callable[[Floats, Words], bool]
    when: tuple[int, int] | None
    """The pass and time step in which it was assigned; None for the end of the trial."""


@dataclass
class LoggedByNotes:
    """A value that is logged from notes: those on its Mechanism, if they tell when, and those on the sender whose value it is."""

    rule: Rule
    receiver: Notes | None
    sender: Notes | None


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
        self.items: list[LoggedByTrial] = []
        self.notes: list[LoggedByNotes] = []
        self.before: dict[str, Any] = {}
        """The values of senders before the trials, by their paths."""
        self.assigned_before: set[int] = set()
        """The identities of what is logged and assigned once more before each execution."""
        self.of_script = False
        """
        True if the trials are those of a call of `execute`: the script counts as assigning interfaces and controllers then, and what is
        assigned before.
        """
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
        rules = self.placed.rules(self.conditions.now())
        noted = set(self.noted)
        if any(rule.must and not noted.issuperset(rule.noted) for rule in rules):
            raise NotNoted
        self.notes, self.items = [], []
        for rule in rules:
            if rule.noted and noted.issuperset(rule.noted) and (rule.moment == "execution" or self.counts_trials(rule)):
                self.notes.append(self.noted_by(rule))
            else:
                self.items.append(self.kept(rule))
        self.before = dict.fromkeys(rule.sender.path for rule in rules if rule.sender is not None)
        self.assigned_before = {id(rule.logged) for rule in rules if self.placed.is_assigned_before(rule.logged)}
        self.seen = conditions_set()

    def counts_trials(self, rule: Rule) -> bool:
        """True if the model counts the trials of the Composition of a value."""
        composition = self.placed.owner[rule.logged.mechanism]
        return "trial" in self.timeline.clocks[composition].clock and self.timeline.trace(composition) is not None

    def noted_by(self, rule: Rule) -> LoggedByNotes:
        """A value that is logged from notes."""
        receiver = self.notes_of(rule.at or rule.logged.mechanism, rule.paths) if rule.paths else None
        return LoggedByNotes(rule, receiver, None if rule.sender is None else self.notes_of(rule.sender.mechanism, (rule.sender.path,)))

    def notes_of(self, mechanism: Any, shown: Sequence[str]) -> Notes:
        """The notes on the executions of a Mechanism, of what these ports and states hold."""
        composition = self.placed.owner[mechanism]
        is_before = mechanism is composition.controller and not acts_after(composition)
        return Notes(self.plan, self.placed.written[mechanism][0], shown, self.noted, is_before)

    def kept(self, rule: Rule) -> LoggedByTrial:
        """A value that is logged after each trial."""
        mechanism = rule.logged.mechanism
        if is_interface(mechanism):
            around = self.placed.owner[mechanism]
            return LoggedByTrial(rule, lambda _, __: self.timeline.called[around] > 0, (0, 0) if rule.moment == "begin" else None)
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
            return LoggedByTrial(rule, lambda _, si: si[place] != self.timeline.before[place], when)
        count = self.counts[mechanism]
        return LoggedByTrial(rule, lambda sf, _: sf[count.offset] != count.before, when)

    def begin(self, sf: Floats, si: Words) -> None:
        """Some trials begin, of which nothing has been noted."""
        for count, _ in self.rooms:
            si[count] = 0
        for path in self.before:
            self.before[path] = sf[self.plan.slots[path].words].copy()

    def lacks_room(self, si: Words) -> bool:
        """True if something that is logged could not be noted."""
        return bool(self.notes) and any(si[count] > room for count, room in self.rooms)

    def record(self, sf: Floats, si: Words) -> None:
        """Makes the entries of the last trials."""
        for item in self.items:
            if item.was_assigned(sf, si):
                logged = item.rule.logged
                in_pass, step = item.when or (self.passes(logged), 0)
                for value in self.values_now(item.rule, sf):
                    self.enter(logged, 1, in_pass, step, value)
        found: dict[Notes, list[Execution]] = {}
        for noted in self.notes:
            for notes in (noted.receiver, noted.sender):
                if notes is not None:
                    found[notes] = notes.executions(sf, si)
            self.record_noted(noted, found, si)

    def values_now(self, rule: Rule, sf: Floats) -> list[Any]:
        """The values that the last execution, which was in the last trial, has entered."""
        if rule.sender is not None and rule.logged.port is None:
            return [self.sent(rule.sender, sf[self.plan.slots[rule.sender.path].words] if rule.is_earlier else None)]
        return rule.values([sf[self.plan.slots[path].words] for path in rule.paths] if rule.reads_states else [])

    def record_noted(self, noted: LoggedByNotes, found: dict[Notes, list[Execution]], si: Words) -> None:
        """Makes the entries of a value from notes."""
        rule, logged = noted.rule, noted.rule.logged
        place = self.timeline.clocks[self.placed.owner[logged.mechanism]].clock["trial"]
        now = int(si[place])
        if noted.receiver is None:
            entered = self.ends(logged, now - int(self.timeline.before[place]), now)
        else:
            entered = found[noted.receiver] if rule.moment == "execution" else beginnings(found[noted.receiver])
        for index, each in enumerate(entered):
            if rule.sender is not None and logged.port is None:
                assert noted.sender is not None
                values = [self.sent_to(rule, index, each, found[noted.sender])]
            else:
                values = rule.values(each.words)
            in_pass, step = max(0, int(each.in_pass)), max(0, int(each.step))
            for value in values:
                self.enter(logged, now - int(each.trial), in_pass, step, value)

    def ends(self, logged: Logged, trials: int, now: int) -> list[Execution]:
        """The ends of so many trials, of which the last has just ended."""
        trace = self.timeline.trace(self.placed.owner[logged.mechanism])
        assert trace is not None
        return [Execution(trial, trace.passes, 0, []) for trial in range(now - trials, now)]

    def sent_to(self, rule: Rule, index: int, receiver: Execution, sent: list[Execution]) -> Any:
        """The value of a sender at an execution of the receiver, the `index`-th of these trials."""
        assert rule.sender is not None
        if rule.is_aligned:
            at = index if rule.is_earlier else index - 1
        elif rule.sender.mechanism is rule.logged.mechanism:
            at = index - 1
        else:
            at = bisect_left(sent, receiver.time, key=lambda each: each.time) - 1
        return self.sent(rule.sender, sent[at].words[0] if at >= 0 else None)

    def sent(self, sender: Sender, words: Floats | None) -> Any:
        """The value of a sender; without words, that before these trials."""
        return shaped([self.before[sender.path] if words is None else words], look_up(sender.parameter.values, self.key))

    def passes(self, logged: Logged) -> int:
        """The number of passes of the last trial of the Composition to which a value belongs."""
        run = self.placed.owner[logged.mechanism].scheduler.clocks[self.key].history.children[-1]
        return run.children[-2].total_times[self.timeline.scales.pass_]

    def enter(self, logged: Logged, ago: int, in_pass: int, step: int, value: Any) -> None:
        """Makes the entry of a value that was assigned in the last trial or so many trials ago."""
        scheduler = self.placed.owner[logged.mechanism].scheduler
        if (own := OWN.get(scheduler)) is not None:  # whose time PsyNeuLink takes, though it stands still
            now = own.get_clock(new_context(self.key)).time
            ago, in_pass, step = 0, now.pass_, now.consideration_set_execution
        else:
            now = scheduler.clocks[self.key].time
        outside = text_of_script() if self.of_script else logged.flags.text
        is_outside = is_interface(logged.mechanism) or self.placed.owner[logged.mechanism].controller is logged.mechanism
        texts = [outside if is_outside else logged.flags.text] * logged.times
        texts = [outside, *texts] if id(logged) in self.assigned_before else texts
        when = now.environment_sequence, now.environment_state_update - ago, in_pass, step
        entries = [log_entry(*when, value, text) for text in texts]
        for parameter in (logged.parameter, *logged.shown_as):
            parameter.log.setdefault(self.key, deque()).extend(entries)


def beginnings(executions: list[Execution]) -> list[Execution]:
    """The beginnings of the trials of these executions, each with what was noted first in it."""
    first: dict[float, Execution] = {}
    for each in executions:
        first.setdefault(each.trial, each)
    return [Execution(trial, -1, -1, each.words) for trial, each in first.items()]


def acts_after(composition: Any) -> bool:
    """True if the controller of a Composition is executed after its nodes."""
    return str(composition.controller_mode) == "after"
