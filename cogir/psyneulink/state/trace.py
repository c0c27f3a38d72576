"""
What runs in a trial of a Composition, as far as it is known without the values: PsyNeuLink's own scheduler is asked.

Where all trials are alike it is asked once, in an execution context of its own; where they differ by their number it runs again through
the trials that cogir has run, in theirs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from cogir.psyneulink.importer.conditions import asks_for_values
from cogir.psyneulink.pnl import advance_clock_by_one, delete_counts, init_counts, new_context, time_scales

ALIKE = frozenset(
    "Always Never EveryNCalls AtPass BeforePass AfterPass AfterNPasses EveryNPasses AllHaveRun BeforeNCalls AtNCalls AfterCall"
    " AfterNCalls AfterNCallsCombined AtTimeStep BeforeTimeStep AfterTimeStep AfterNTimeSteps AtConsiderationSetExecution"
    " BeforeConsiderationSetExecution AfterConsiderationSetExecution AfterNConsiderationSetExecutions All And Any Or Not".split()
)
"""Conditions that ask the same in each trial, if they count within it."""
BETWEEN_TRIALS = frozenset(
    "Always Never AtTrial AfterTrial AfterNTrials AtRun AfterRun AfterNRuns BeforeTrial AtTrialStart AtRunStart".split()
)
"""Conditions that change only when a trial is over."""
OUTER_SCALES = ("RUN", "LIFE", "ENVIRONMENT_SEQUENCE")


@dataclass
class TrialTrace:
    """The course of each trial of a Composition."""

    sets: list[set[Any]]
    passes: int
    calls: Counter[Any] = field(default_factory=Counter[Any])
    in_last_pass: dict[Any, int] = field(default_factory=dict[Any, int])
    totals: dict[Any, dict[Any, int]] = field(default_factory=dict[Any, "dict[Any, int]"])
    when: dict[Any, tuple[int, int]] = field(default_factory=dict[Any, "tuple[int, int]"])
    """Pass and time step in which each node runs last."""
    steps: list[int] = field(default_factory=list[int])
    """The time step of each set, within its pass."""


def conditions_of(composition: Any) -> Iterator[Any]:
    """The conditions of the nodes of a Composition, and of the ends of its trials."""
    yield from composition.scheduler.conditions.conditions_basic.values()
    yield from (condition for scale, condition in composition.termination_processing.items() if scale.name not in OUTER_SCALES)


def all_alike(composition: Any) -> bool:
    """True if the same nodes run in each trial of a Composition, whatever their values are, and no trial is cut short by the run's end."""
    ends = [condition for scale, condition in composition.termination_processing.items() if scale.name in OUTER_SCALES]
    return all(map(_is_alike, conditions_of(composition))) and all(type(end).__name__ in BETWEEN_TRIALS for end in ends)


def is_known(composition: Any) -> bool:
    """True if what runs in a trial of a Composition depends on counts and not on values."""
    return not any(map(asks_for_values, (*conditions_of(composition), *composition.termination_processing.values())))


def _is_alike(condition: Any) -> bool:
    if type(condition).__name__ not in ALIKE:
        return False
    arguments = [*condition.args, *condition.kwargs.values(), getattr(condition, "time_scale", None)]
    cells = getattr(condition.func, "__closure__", None) or ()
    for value in [*arguments, *(cell.cell_contents for cell in cells)]:
        if type(value).__name__ == "TimeScale" and getattr(value, "name", "") in OUTER_SCALES:
            return False
        if value is not condition and hasattr(value, "is_satisfied") and not _is_alike(value):
            return False
    return True


def trace_of(composition: Any) -> TrialTrace:
    """The course of a trial, from PsyNeuLink's scheduler in an execution context of its own."""
    scheduler = composition.scheduler
    key = ("cogir", id(composition))
    init_counts(scheduler, key)
    try:
        sets: list[set[Any]] = []
        when: dict[Any, tuple[int, int]] = {}
        steps: list[int] = []
        for nodes in _sets(composition, key):
            now = scheduler.clocks[key].time
            when.update(dict.fromkeys(nodes, (now.pass_, now.consideration_set_execution)))
            steps.append(now.consideration_set_execution)
            sets.append(set(nodes))
        scales = time_scales()
        totals = {scale: dict(counted) for scale, counted in scheduler.counts_total[key].items()}
        return TrialTrace(
            sets=sets,
            passes=scheduler.clocks[key].history.total_times[scales.pass_],
            calls=Counter(node for nodes in sets for node in nodes),
            in_last_pass=totals[scales.pass_],
            totals=totals,
            when=when,
            steps=steps,
        )
    finally:
        delete_counts(scheduler, key)


def _sets(composition: Any, key: Any) -> Iterator[set[Any]]:
    """The sets of nodes of one trial."""
    ends = composition.termination_processing
    return composition.scheduler.run(termination_conds=ends, context=new_context(key), skip_trial_time_increment=True)


def run_again(composition: Any, key: Any, trials: int) -> Counter[Any]:
    """Has PsyNeuLink's scheduler go through some trials in the execution context `key`; returns the calls of each node."""
    scheduler = composition.scheduler
    clock, trial = scheduler.get_clock(key), time_scales().trial
    calls: Counter[Any] = Counter()
    for _ in range(trials):
        for nodes in _sets(composition, key):
            calls.update(nodes)
        advance_clock_by_one(clock, trial)
    return calls
