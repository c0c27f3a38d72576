"""
What PsyNeuLink counts while it runs: executions of Mechanisms, the scheduler's calls and its clock, and which nodes ran when.

Where a schedule only counts within a trial, all trials are alike: PsyNeuLink's own scheduler is asked once what runs in one, and the rest
is arithmetic. Other schedules depend on values, or on the number of the trial; there the executions are those that the model has counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from cogir.frontend.psyneulink.composition import Imported
from cogir.psyneulink.library import new_context, time_scales
from cogir.runtime.context import BankContext
from cogir.runtime.plan import Floats, Leaf

ALIKE = frozenset(
    "Always Never EveryNCalls JustRan AtPass BeforePass AfterPass AfterNPasses EveryNPasses AllHaveRun BeforeNCalls AtNCalls AfterCall"
    " AfterNCalls AfterNCallsCombined AtTimeStep BeforeTimeStep AfterTimeStep AfterNTimeSteps AtConsiderationSetExecution"
    " BeforeConsiderationSetExecution AfterConsiderationSetExecution AfterNConsiderationSetExecutions All And Any Or Not".split()
)
"""Conditions that ask the same in each trial, if they count within it."""
OUTER_SCALES = ("RUN", "LIFE", "ENVIRONMENT_SEQUENCE")


@dataclass
class Count:
    """A Mechanism, where the model counts its executions, and whether it may execute several times when it is called."""

    component: Any
    offset: int
    repeats: bool
    before: float = 0.0
    is_inner: bool = False
    """Whether it is in a nested Composition, where PsyNeuLink counts no runs."""


@dataclass
class Trace:
    """What happens in each trial of a Composition."""

    sets: list[set[Any]]
    passes: int
    calls: Counter[Any] = field(default_factory=Counter[Any])
    in_last_pass: dict[Any, int] = field(default_factory=dict[Any, int])
    totals: dict[Any, dict[Any, int]] = field(default_factory=dict[Any, "dict[Any, int]"])
    useable: dict[Any, dict[Any, int]] = field(default_factory=dict[Any, "dict[Any, int]"])


class Timeline:
    """Counts and clocks of a Composition and those in it, in one execution context."""

    def __init__(self, imported: Imported, counts: list[Count], execution_id: Any):
        self.key = execution_id
        self.counts = counts
        self.compositions = list(_compositions(imported))
        self.clocks: list[tuple[Leaf, list[str]]] | None = None
        self.run_began = True
        """Whether the next trials are the first of a run."""
        self.traces: dict[Any, Trace | None] = {}
        self.scales = time_scales()
        self.owner = {node: composition for composition in self.compositions for node in composition.nodes}

    def trace(self, composition: Any) -> Trace | None:
        """The trace of a trial, found when it is first needed."""
        if composition not in self.traces:
            self.traces[composition] = trace_of(composition) if all_alike(composition) else None
        return self.traces[composition]

    def begin(self, context: BankContext) -> None:
        """Notes where the model's counts stand before some trials, and sets those of its clocks that PsyNeuLink may have turned."""
        for count in self.counts:
            count.before = context.sf[count.offset]
        if self.clocks is None:
            self.clocks = [(leaf, leaf.path.split(":")) for leaf in context.plan.leaves.values() if leaf.bank == "si"]
            self.clocks = [(leaf, parts) for leaf, parts in self.clocks if parts[-1] == "life"]
        if not self.clocks:
            return
        scheduler = self.compositions[0].scheduler
        scheduler._init_counts(execution_id=self.key)
        gone_by = {"run": self.scales.run, "trial": self.scales.trial, "pass": self.scales.pass_, "time_step": self.scales.step}
        names = {node.name: node for node in self.compositions[0].nodes}
        for leaf, parts in self.clocks:
            if parts[0] == "clock" and parts[1] in gone_by:
                context.si[leaf.offset] = scheduler.clocks[self.key].history.total_times[gone_by[parts[1]]]
            elif parts[0].endswith("/calls") and (node := names.get(parts[0].removesuffix("/calls"))) is not None:
                context.si[leaf.offset] = scheduler.counts_total[self.key][self.scales.life][node]

    def end_run(self) -> None:
        """A run is over: PsyNeuLink's clock says so."""
        self.compositions[0].scheduler.clocks[self.key]._increment_time(self.scales.run)
        self.run_began = True

    def advance(self, bank: Floats, trials: int) -> None:
        """A run of some trials is over."""
        outer = self.compositions[0]
        times = {outer: trials}
        for composition in self.compositions:
            trace = self.trace(composition)
            count = times.get(composition, 0)
            for node in composition.nodes:
                if hasattr(node, "input_CIM"):
                    times[node] = count * (trace.calls[node] if trace is not None else 1)
            self.schedule(composition, trace, count, composition is outer)
        for one in self.counts:
            self.executions(one, bank, trials)
        self.run_began = False

    def executions(self, count: Count, bank: Floats, trials: int) -> None:
        """The counts of one Mechanism."""
        made = int(bank[count.offset] - count.before)
        parameters = count.component.parameters
        executed = parameters.execution_count
        executed.values[None] = np.array(int(executed.values.get(None, 0)) + made)
        time = parameters.num_executions.values.get(self.key)
        if time is None:
            time = parameters.num_executions.values[self.key] = type(parameters.num_executions.default_value)()
        trace = self.trace(self.owner[count.component])
        last = int(np.asarray(parameters.num_executions_before_finished.values.get(self.key, 1))) if count.repeats else 1
        repeats = count.repeats and bool(np.asarray(parameters.execute_until_finished.values.get(self.key, True)))
        each = last if repeats else 1
        time.life += made
        time.environment_sequence = made + (time.environment_sequence if count.is_inner or not self.run_began else 0)
        if trace is not None:
            called = trace.calls[count.component]
            if repeats and called > 1:
                time.environment_state_update = max(each, round(made / max(trials, 1)))
            else:
                time.environment_state_update = each * called
            time.pass_ = time.consideration_set_execution = each * min(1, trace.in_last_pass.get(count.component, 0))
        else:
            time.environment_state_update = made if trials == 1 else min(made, each)
            time.pass_ = time.consideration_set_execution = min(made, each)

    def schedule(self, composition: Any, trace: Trace | None, trials: int, is_outer: bool) -> None:
        """The clock, the counts of calls and the list of executions of one scheduler."""
        scheduler = composition.scheduler
        scheduler._init_counts(execution_id=self.key)
        steps, passes = (len(trace.sets), trace.passes) if trace is not None else (1, 1)
        advance_clock(scheduler.clocks[self.key], trials, passes, steps, self.scales)
        if trace is None or not trials:
            return
        scheduler.execution_list[self.key].extend(trace.sets * trials)
        totals = scheduler.counts_total[self.key]
        for scale, counted in trace.totals.items():
            if scale in (self.scales.run, self.scales.life):
                held = totals[scale]
                for node, calls in trace.calls.items():
                    held[node] = calls * trials + (held[node] if scale == self.scales.life or not is_outer or not self.run_began else 0)
            else:
                totals[scale].update(counted)
        for node, counted in trace.useable.items():
            scheduler.counts_useable[self.key][node].update(counted)


def advance_clock(clock: Any, trials: int, passes: int, steps: int, scales: Any) -> None:
    """Turns a clock by some trials, as if it had been told of every pass and time step."""
    root = clock.history
    run = root.children[-1]
    for tree in (root, run):
        tree.total_times[scales.trial] += trials
        tree.total_times[scales.pass_] += passes * trials
        tree.total_times[scales.step] += steps * trials
    make = cast("Any", type(run))
    children = run.children
    for _ in range(trials):
        times = children[-1].total_times
        times[scales.pass_] += passes
        times[scales.step] += steps
        trial = make.__new__(make)
        trial.__dict__.update(children[-1].__dict__, index=len(children), children=[], total_times=dict.fromkeys(times, 0))
        children.append(trial)
    time = root.current_time
    time.environment_state_update += trials
    time.pass_ = time.consideration_set_execution = 0


def _compositions(imported: Imported) -> Iterator[Any]:
    yield imported.composition
    for inner in imported.inner.values():
        yield from _compositions(inner)


def all_alike(composition: Any) -> bool:
    """Whether the same nodes run in each trial of a Composition, whatever their values are."""
    conditions = [*composition.scheduler.conditions.conditions.values()]
    conditions += [condition for scale, condition in composition.termination_processing.items() if scale.name not in OUTER_SCALES]
    return all(map(_is_alike, conditions))


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


def trace_of(composition: Any) -> Trace:
    """What PsyNeuLink's scheduler would run in a trial, asked in an execution context of its own."""
    scheduler = composition.scheduler
    key = ("cogir", id(composition))
    context = new_context(key)
    scheduler._init_counts(execution_id=key)
    try:
        sets = [
            set(nodes)
            for nodes in scheduler.run(
                termination_conds=composition.termination_processing, context=context, skip_trial_time_increment=True
            )
        ]
        scales = time_scales()
        totals = {scale: dict(counted) for scale, counted in scheduler.counts_total[key].items()}
        return Trace(
            sets=sets,
            passes=scheduler.clocks[key].history.total_times[scales.pass_],
            calls=Counter(node for nodes in sets for node in nodes),
            in_last_pass=totals[scales.pass_],
            totals=totals,
            useable={node: dict(counted) for node, counted in scheduler.counts_useable[key].items()},
        )
    finally:
        scheduler._delete_counts(key)
        for held in (scheduler.clocks, scheduler.execution_timestamps):
            held.pop(key, None)
