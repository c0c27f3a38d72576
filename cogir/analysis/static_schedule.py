"""
Which schedules are the same in every trial, found by running the scheduler itself at compile time.

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
how often an `n_when` has held, and who just ran. Numbers that grow without end are seen through the conditions that read
them: beyond n + 1 nothing compared with n can tell them apart. So there are finitely many beginnings, and all that can be
reached (by another trial, or another run) are tried. The schedule is static if every one of them gives the same sets.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from cogir.errors import CogirError
from cogir.interpreters.schedule_conditions import (
    COUNTABLE,
    SCALES,
    AllHaveRun,
    Calls,
    CallsCombined,
    Condition,
    Elapsed,
    EveryNCalls,
    JustRan,
    Kind,
    Not,
    NWhen,
    TimeScale,
    nodes_in,
    parts_of,
    walk,
)
from cogir.interpreters.scheduler import Schedule, Scheduler, SchedulerState

MAX_STEPS = 16_384
"""A trial of more time steps than this stays a loop of passes."""
MAX_STEPS_WRITTEN = 1024
"""A program stays a loop of passes if, with its repetitions as loops, it has more steps than this and than twice its nodes."""
MAX_PERIOD = 64
"""Repetitions of more steps than this are not looked for."""
MIN_REPEATED = 32
"""Fewer steps than this are not worth a loop."""
MAX_BEGINNINGS = 1024
"""How many different beginnings of a trial are tried before the schedule stays a loop."""


@dataclass(frozen=True)
class StaticProgram:
    """The sets of nodes that run in every trial, in order (time steps in which nothing runs are left out)."""

    steps: tuple[tuple[str, ...], ...]

    @cached_property
    def parts(self) -> Parts:
        """The steps with repetitions as loops."""
        return with_loops(self.steps)


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


def static_program(schedule: Schedule, always_finished: Collection[str] = (), *, instance: bool = False) -> StaticProgram | Residual:
    """
    The sets of nodes that run in every trial, if they are always the same.

    `always_finished` names the nodes whose bodies do not say whether they have finished. An `instance` is given trials by the
    model around it, even when its own run would be over.
    """
    if reason := _needs_passes_between_trials(schedule):
        return Residual(reason)
    counters = _Counters(schedule)
    observations = _NoData(frozenset(always_finished))
    start = SchedulerState.at_birth(schedule)
    beginnings, seen = [start], {counters.seen_in(start)}
    program: tuple[tuple[str, ...], ...] | None = None
    try:
        while beginnings:
            state = beginnings.pop()
            following = [_another_run(schedule, state)]
            scheduler = Scheduler(schedule, observations, state=state)
            if instance or not scheduler.run_is_over():
                steps = _trial(scheduler)
                if steps is None:
                    return Residual(f"a trial takes more than {MAX_STEPS} time steps")
                if program is not None and steps != program:
                    return Residual(f"the first difference between two trials is {_first_difference(program, steps)}")
                program = steps
                following.append(state)
            for after in following:
                if (key := counters.seen_in(after)) not in seen:
                    seen.add(key)
                    beginnings.append(after)
            if len(seen) > MAX_BEGINNINGS:
                return Residual(f"trials begin in more than {MAX_BEGINNINGS} different ways")
    except _DependsOnDataError as question:
        return Residual(str(question))
    found = StaticProgram(program or ())
    if (written := steps_written(found.parts)) > max(MAX_STEPS_WRITTEN, 2 * len(schedule.nodes)):
        return Residual(f"a trial takes {len(found.steps)} time steps, of which {written} would have to be written down")
    return found


def _trial(scheduler: Scheduler) -> tuple[tuple[str, ...], ...] | None:
    """The sets of one trial that are not empty; None, if there are too many time steps."""
    steps: list[tuple[str, ...]] = []
    for time_step, nodes in enumerate(scheduler.trial()):
        if time_step >= MAX_STEPS:
            return None
        if nodes:
            steps.append(nodes)
    scheduler.end_trial()
    return tuple(steps)


def _another_run(schedule: Schedule, state: SchedulerState) -> SchedulerState:
    """What the first trial of another run finds, when the present one ends here."""
    scheduler = Scheduler(schedule, state=state.copy())
    scheduler.end_run()
    scheduler.begin_run()
    return scheduler.state


def _first_difference(first: tuple[tuple[str, ...], ...], second: tuple[tuple[str, ...], ...]) -> str:
    step = next((i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), min(len(first), len(second)))
    sets = [f"[{', '.join(f'@{node}' for node in program[step])}]" if step < len(program) else "the end" for program in (first, second)]
    return f"at time step {step}: {sets[0]} or {sets[1]}"


def _needs_passes_between_trials(schedule: Schedule) -> str | None:
    """
    What a reset or the end of a run asks between trials must be known when a program has run, which does not count passes and
    has no empty time steps. (Passes within the trial are: 0, as a trial begins.)
    """
    after_the_last_step = [(condition, TimeScale.PASS, "what acts once a trial") for condition in schedule.asides.values()]
    before_the_first = [(condition, TimeScale.TRIAL, "a reset, or the end of the run,") for condition in _between_trials(schedule)]
    for condition, beyond, who in (*before_the_first, *after_the_last_step):
        for part in walk(condition):
            match part:
                case Elapsed(unit, _, _, within) if unit < TimeScale.TRIAL and within > beyond:
                    return f"{who} counts each {unit.name.lower()} of the {within.name.lower()}"
                case Calls(_, _, _, scale) | CallsCombined(_, _, scale) | AllHaveRun(_, scale) if scale < TimeScale.TRIAL:
                    return f"{who} counts calls of the {scale.name.lower()}"
                case NWhen():
                    return f"{who} counts how often it held (n_when)"
                case JustRan(node):
                    return f"{who} asks whether @{node} just ran"
                case _:
                    pass
    return None


def _between_trials(schedule: Schedule) -> tuple[Condition, ...]:
    return (schedule.run_ends, *schedule.resets.values())


class _DependsOnDataError(CogirError):
    """A condition asked for a value of the model."""


@dataclass(frozen=True)
class _NoData:
    """Observations of a model that does not run: only of nodes that are always finished anything is known."""

    always_finished: frozenset[str]

    def finished(self, node: str) -> bool:
        if node in self.always_finished:
            return True
        raise _DependsOnDataError(f"a condition asks whether @{node} has finished")

    def read(self, node: str, kind: Kind, name: str) -> object:
        raise _DependsOnDataError(f"a condition reads {kind} '{name}' of @{node}")


class _Counters:
    """What the conditions of a schedule can tell apart in what lasts from trial to trial."""

    def __init__(self, schedule: Schedule):
        self.call_limits: dict[tuple[str, TimeScale], int] = {}
        self.time_limits: dict[tuple[TimeScale, TimeScale], int] = {}
        self.time_periods: dict[tuple[TimeScale, TimeScale], set[int]] = {}
        self.just_ran: set[str] = set()
        asked_between_trials = {id(part) for part in walk(schedule.run_ends)}
        for condition in schedule.conditions():
            lasting = TimeScale.TRIAL if id(condition) in asked_between_trials else TimeScale.RUN
            match condition:
                case Calls(node, _, n, scale):
                    self._limit_calls((node,), scale, n + 1, lasting)
                case CallsCombined(nodes, n, scale):
                    self._limit_calls(nodes, scale, n, lasting)
                case AllHaveRun(nodes, scale):
                    self._limit_calls(nodes or schedule.nodes, scale, 1, lasting)
                case Elapsed(unit, "every", n, within):
                    self.time_periods.setdefault((unit, within), set()).add(n)
                case Elapsed(unit, _, n, within):
                    self.time_limits[unit, within] = max(n + 1, self.time_limits.get((unit, within), 0))
                case JustRan(node):
                    self.just_ran.add(node)
                case _:
                    pass

    def _limit_calls(self, nodes: tuple[str, ...], scale: TimeScale, limit: int, lasting: TimeScale) -> None:
        """Calls of scales that end with the trial are gone when the next one begins, but the end of the run is asked before that."""
        if scale >= lasting:
            for node in nodes:
                self.call_limits[node, scale] = max(limit, self.call_limits.get((node, scale), 0))

    def seen_in(self, state: SchedulerState) -> Hashable:
        """Two states with the same key give the same trials, now and later."""
        clock = state.clock
        lasting = [(unit, scale) for unit in COUNTABLE for scale in SCALES if unit < scale > TimeScale.TRIAL]
        return (
            tuple(min(state.calls[node][scale], limit) for (node, scale), limit in self.call_limits.items()),
            tuple(min(clock.elapsed(*pair), self.time_limits[pair]) for pair in lasting if pair in self.time_limits),
            tuple(clock.elapsed(*pair) % n for pair in lasting for n in sorted(self.time_periods.get(pair, ()))),
            tuple(state.just_ran[node] for node in sorted(self.just_ran)),
            tuple(state.satisfied.values()),
        )


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
    """How many steps from `start` on are whole repetitions of the first `period` ones; 0, if they stand there only once."""
    end = start + period
    while end < len(steps) and steps[end] == steps[end - period]:
        end += 1
    count = (end - start) // period
    return count * period if count > 1 else 0


def steps_written(parts: Parts) -> int:
    """How many time steps stand in a program, those in loops once."""
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
