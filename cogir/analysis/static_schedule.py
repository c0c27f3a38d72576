"""
What trials do whose schedules only count, found by running the scheduler itself at compile time.

```mlir
cog.schedule layers [[@a], [@b]] {              // static_program(schedule).steps ==
  cog.when @b {                                 //   (("a",), ("a",), ("b",))
    %c = cog.every_n_calls @a 2
    cog.condition %c
  }
}
```

A trial is simulated with counters alone. If a condition then asks for a value of the model, the schedule depends on data. Only
what is really asked counts: `any(at_pass 0, threshold ...)` depends on data only if there is a second pass.

What a trial finds when it begins is what lasts from trial to trial: calls and units of time counted within a run or a life,
how often an `n_when` has held, and who just ran. Nobody knows these counts at compile time (a run goes on from the state of others, and
states can be set), so the scheduler runs on unknown ones (`unknown_counts.py`): where it compares one, the trial is run both ways. The
answers then are a tree of questions, with the program of a trial at each end. What would be asked again and again within the
trial is so asked once, as it begins; and never where trials do not differ.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TypeAlias

from cogir.analysis.unknown_counts import Questions, Unknown
from cogir.errors import CogirError
from cogir.model.conditions import (
    All,
    AllHaveRun,
    Always,
    Calls,
    CallsCombined,
    Condition,
    Elapsed,
    EveryNCalls,
    JustRan,
    Kind,
    Never,
    Not,
    NWhen,
    TimeScale,
    nodes_in,
    parts_of,
    walk,
)
from cogir.model.conditions import Any as AnyOf
from cogir.model.program import Choice, Counted, Program, StaticProgram, programs_in
from cogir.model.schedule import Schedule
from cogir.model.scheduler import Scheduler

MAX_STEPS = 16_384
"""A trial of more time steps than this stays a loop of passes."""
MAX_STEPS_WRITTEN = 1024
"""A program stays a loop of passes if, with its repetitions as loops, it has more steps than this and than twice its nodes."""
MAX_PERIOD = 64
"""Repetitions of more steps than this are not looked for."""
MIN_REPEATED = 32
"""Fewer steps than this are not worth a loop."""
MAX_WAYS = 64
"""Most ways of beginning a trial that are tried before the schedule stays a loop: more than there are programs, as many end alike."""
MAX_PROGRAMS = 16
"""Among more programs than this, trials do not choose."""
MAX_TRIED = 4 * MAX_STEPS
"""Most time steps that are simulated in all."""


@dataclass(frozen=True)
class Repeat:
    """A part of a program that runs several times."""

    count: int
    parts: Parts


Parts: TypeAlias = "tuple[tuple[str, ...] | Repeat, ...]"
"""A program with its repetitions as loops: sets of nodes, and repeated parts."""


@dataclass(frozen=True)
class Residual:
    """Why a schedule is not static."""

    reason: str


def static_program(
    schedule: Schedule, always_finished: Collection[str] = (), *, instance: bool = False
) -> StaticProgram | Choice | Residual:
    """
    The programs of trials: always the same, or chosen by what has been counted when they begin.

    `always_finished` names the nodes whose bodies do not say whether they have finished. An `instance` is given trials by the
    model around it, even when its own run would be over.
    """
    if reason := _needs_passes_between_trials(schedule):
        return Residual(reason)
    trials = _Trials(schedule, frozenset(always_finished), instance)
    try:
        found = trials.all_that_begin_with(())
    except _NotStaticError as reason:
        return Residual(str(reason))
    if isinstance(found, _NoTrial):
        return StaticProgram(())
    programs = dict.fromkeys(programs_in(found))
    steps = list(dict.fromkeys(tuple(nodes for nodes in program.steps if nodes) for program in programs))
    if (written := sum(steps_written(with_loops(each)) for each in steps)) > max(MAX_STEPS_WRITTEN, 2 * len(schedule.nodes)):
        return Residual(f"a trial takes {max(map(len, steps))} time steps; with repetitions as loops, its program still has {written}")
    if len(steps) == 1:
        return StaticProgram(steps[0])
    if len(programs) > MAX_PROGRAMS:
        return Residual(f"trials have {len(programs)} different programs")
    return found


@dataclass(frozen=True)
class _NoTrial:
    """The end of a run."""


class _Trials:
    """The trials of a schedule, simulated for all counts that they can begin with."""

    def __init__(self, schedule: Schedule, always_finished: frozenset[str], instance: bool):
        self.schedule = schedule
        self.observations = _NoData(always_finished)
        self.run_can_be_over = not instance and all(map(_lasts, walk(schedule.run_ends)))
        """True if the counts that the end of the run asks before a trial are the same as those that the trial begins with."""
        elapsed = [part for part in schedule.conditions() if isinstance(part, Elapsed) and part.within > TimeScale.TRIAL]
        self.keeps_empty = any(isinstance(part, JustRan) for part in schedule.conditions()) or any(
            part.unit == TimeScale.TIME_STEP for part in elapsed
        )
        """True if later trials can tell that there were time steps in which nothing ran."""
        self.passes = {f"clock:pass:{part.within.name.lower()}" for part in elapsed if part.unit == TimeScale.PASS}
        self.ways = self.tried = 0

    def all_that_begin_with(self, answers: tuple[bool, ...]) -> Program | _NoTrial:
        """The programs of trials, once the first questions about their beginnings have been answered; raises `_NotStaticError`."""
        self.ways += 1
        if self.ways > MAX_WAYS:
            raise _NotStaticError(f"trials begin in more than {MAX_WAYS} different ways")
        questions = Questions(answers)
        found = self._trial(questions)
        given = tuple(answer for _, answer in questions.asked)
        for number in reversed(range(len(answers), len(given))):
            found = _either(questions.asked[number][0], self.all_that_begin_with((*given[:number], True)), found)
        return found

    def _trial(self, questions: Questions) -> StaticProgram | _NoTrial:
        """One trial, of which `questions` says what it begins with."""
        scheduler = Scheduler(self.schedule, self.observations)
        for path, (counts, key) in scheduler.state.places():
            if _outlives_trials(path):
                counts[key] = Unknown((path,), 0, questions)
        scheduler.last_set = scheduler.nodes
        if self.run_can_be_over and scheduler.run_is_over():
            return _NoTrial()
        steps: list[tuple[str, ...]] = []
        for nodes in scheduler.trial():
            steps.append(nodes)
            self.tried += 1
            if len(steps) > MAX_STEPS:
                raise _NotStaticError(f"a trial takes more than {MAX_STEPS} time steps")
            if self.tried > MAX_TRIED:
                raise _NotStaticError(f"trials that begin in different ways take more than {MAX_TRIED} time steps together")
        counted = ((path, counts[key]) for path, (counts, key) in scheduler.state.places())
        advances = tuple(
            (path, count.more)
            for path, count in counted
            if isinstance(count, Unknown) and count.more and (path in self.passes or path.startswith("n_when:"))
        )
        return StaticProgram(tuple(nodes for nodes in steps if nodes or self.keeps_empty), advances)


def _either(question: Counted, yes: Program | _NoTrial, no: Program | _NoTrial) -> Program | _NoTrial:
    """The programs of trials: `yes` or `no`, if it makes a difference."""
    if yes == no or isinstance(yes, _NoTrial):
        return no
    return yes if isinstance(no, _NoTrial) else Choice(question, yes, no)


def _outlives_trials(path: str) -> bool:
    """True if a count goes on from trial to trial."""
    return path.endswith((":run", ":life", "/just_ran")) or path.startswith("n_when:")


def _lasts(condition: Condition) -> bool:
    """True if a condition (not its parts) looks at nothing that begins anew with the trial, and at no values."""
    match condition:
        case Always() | Never() | All() | AnyOf() | Not():
            return True
        case Calls(_, _, _, scale) | CallsCombined(_, _, scale) | AllHaveRun(_, scale) | Elapsed(_, _, _, scale):
            return scale > TimeScale.TRIAL
        case _:
            return False


def _needs_passes_between_trials(schedule: Schedule) -> str | None:
    """
    Conditions of resets and of the end of a run, evaluated between trials, must be known after a program, which does not count passes and
    has no empty time steps. (Passes within the trial are: 0, as a trial begins.)
    """
    after_the_last_step = [
        (condition, TimeScale.PASS, "a condition of a controller or of a node outside the passes") for condition in schedule.asides.values()
    ]
    before_the_first = [
        (condition, TimeScale.TRIAL, "a condition of a reset or of the end of the run") for condition in _between_trials(schedule)
    ]
    for condition, beyond, who in (*before_the_first, *after_the_last_step):
        for part in walk(condition):
            match part:
                case Elapsed(unit, _, _, within) if unit < TimeScale.TRIAL and within > beyond:
                    return f"{who} counts each {unit.name.lower()} of the {within.name.lower()}"
                case Calls(_, _, _, scale) | CallsCombined(_, _, scale) | AllHaveRun(_, scale) if scale < TimeScale.TRIAL:
                    return f"{who} counts calls in the {scale.name.lower()}"
                case NWhen():
                    return f"{who} counts how often it has held (n_when)"
                case JustRan(node):
                    return f"{who} asks whether @{node} just ran"
                case _:
                    pass
    return None


def _between_trials(schedule: Schedule) -> tuple[Condition, ...]:
    return (schedule.run_ends, *schedule.resets.values())


class _NotStaticError(CogirError):
    """The schedule has no program: a condition asks for a value of the model, or there is too much to tell."""


@dataclass(frozen=True)
class _NoData:
    """Observations of a model that does not run: only of nodes that are always finished anything is known."""

    always_finished: frozenset[str]

    def finished(self, node: str) -> bool:
        if node in self.always_finished:
            return True
        raise _NotStaticError(f"a condition asks whether @{node} has finished")

    def read(self, node: str, kind: Kind, name: str) -> object:
        raise _NotStaticError(f"a condition reads {kind} '{name}' of @{node}")


# ------------------------------------------------------------------------------------------------------------------ loops


def with_loops(steps: Parts) -> Parts:
    """
    The same steps with repetitions as loops, outer ones first: at each place the (shortest) period that covers the most steps.

    a b a b ... a b c  ->  (Repeat(n, (a, b)), c)
    """
    parts: list[tuple[str, ...] | Repeat] = []
    start = 0
    while start < len(steps):
        period = max(range(1, MAX_PERIOD + 1), key=lambda period: _repeated(steps, start, period))
        covered = _repeated(steps, start, period)
        if covered >= MIN_REPEATED:
            parts.append(Repeat(covered // period, with_loops(steps[start : start + period])))
            start += covered
        else:
            parts.append(steps[start])
            start += 1
    return tuple(parts)


def _repeated(steps: Parts, start: int, period: int) -> int:
    """The number of steps from `start` on that are whole repetitions of the first `period` ones; 0, if they stand there only once."""
    end = start + period
    while end < len(steps) and steps[end] == steps[end - period]:
        end += 1
    count = (end - start) // period
    return count * period if count > 1 else 0


def steps_written(parts: Parts) -> int:
    """The number of time steps in a program, those in loops counted once."""
    return sum(steps_written(part.parts) if isinstance(part, Repeat) else 1 for part in parts)


# ------------------------------------------------------------------------------------------------------ order in a layer


def order_dependent(schedule: Schedule) -> tuple[tuple[str, str], ...]:
    """
    Pairs (node, other) of one layer where whether the node runs can depend on which of the two is considered first.

    graph_scheduler leaves that order open; cogir takes the order of the text. A condition that `other` can only help to hold
    (it has run often enough) does not depend on it, as the layer is scanned until nothing changes.
    """
    found: list[tuple[str, str]] = []
    for layer in schedule.layers:
        for node in layer:
            hindering = _hindering(schedule.when[node], helps=True)
            found += [(node, other) for other in layer if other != node and other in hindering]
    return tuple(found)


def _hindering(condition: Condition, helps: bool) -> set[str]:
    """The nodes whose joining the set can make the condition fail."""
    match condition:
        case Not(part):
            return _hindering(part, not helps)
        case NWhen(part, _, _):
            return {node for inner in walk(part) for node in nodes_in(inner)}
        case Calls(node, relation, _, _):
            return {node} if relation == "==" or (relation in (">", ">=")) != helps else set()
        case CallsCombined() | AllHaveRun() | EveryNCalls():
            return set() if helps else set(nodes_in(condition))
        case _:
            return {node for part in parts_of(condition) for node in _hindering(part, helps)}
