"""
What PsyNeuLink counts while it runs: executions of Mechanisms, the scheduler's calls and its clock, and which nodes ran when.

Where a schedule only counts within a trial, all trials are alike: PsyNeuLink's own scheduler is asked once what runs in one, and the rest
is arithmetic. Where it counts trials or runs, the scheduler runs again through the trials. Where it looks at values, the counts are those
that the model has kept; only the list of what ran when is left as it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np

from cogir.psyneulink.importer.controller import plain_controller
from cogir.psyneulink.importer.imported import Imported
from cogir.psyneulink.pnl import advance_clock_by_one, init_counts, reset_calls, time_scales
from cogir.psyneulink.state.clocks import CompositionCounts
from cogir.psyneulink.state.trace import TrialTrace, all_alike, is_known, run_again, trace_of
from cogir.runtime.context import NativeContext
from cogir.runtime.plan import Floats, Words

OF_MODEL = ("clock:", "have_run:", "n_when:")
"""Prefixes of counts of a model itself; all others are counts of its nodes."""


@dataclass
class ExecutionCount:
    """A Mechanism, and where the model counts its executions."""

    component: Any
    offset: int
    in_trial: int | None = None
    """The place of the count in the last trial, of a Mechanism that may execute several times per call."""
    in_call: int | None = None
    """The place of the count in the last call."""
    finishes: bool = False
    counted: int = 1
    """As how many executions PsyNeuLink counts each."""
    before: float = 0.0


class StateBuffers(NamedTuple):
    """The numbers in which a model counts, as they stood at some time."""

    sf: Floats
    si: Words


class ExecutionTimeline:
    """Counts and clocks of a Composition and those in it, in one execution context."""

    def __init__(self, imported: Imported, counts: list[ExecutionCount], execution_id: Any, context: NativeContext):
        self.key = execution_id
        self.counts = counts
        self.scales = time_scales()
        self.run_begins = True
        """True if the next trials, or those that have just been run, are the first of a run."""
        self.traces: dict[Any, TrialTrace | None] = {}
        self.clocks: dict[Any, CompositionCounts] = {}
        prefixes: dict[str, CompositionCounts] = {}
        for prefix, one in _all(imported, ""):
            self.clocks[one.composition] = prefixes[prefix] = CompositionCounts(one, execution_id)
        for slot in context.plan.slots.values():
            if slot.buffer == "si":
                owner, _, name = slot.path.rpartition("/")
                within = slot.path if name.startswith(OF_MODEL) else owner  # calls of a nested Composition are the outer one's
                prefix = max((prefix for prefix in prefixes if within.startswith(prefix)), key=len)
                prefixes[prefix].find(slot, slot.path[len(prefix) :])
        self.outer = imported.composition
        self.owner = {node: composition for composition in self.clocks for node in composition.nodes}
        self.asides = {plain_controller(composition) for composition in self.clocks}
        """Controllers that are executed beside the nodes."""
        counted = {count.component for count in counts}
        self.idle = [node for node in self.owner if node not in counted and not hasattr(node, "input_CIM")]
        """Nodes that only learning executes."""
        self.called: dict[Any, int] = {}
        """The numbers of trials of the Compositions among those that have just been run, in which a node need not have been executed."""
        self.has_begun = False
        """True after the first trials, before which the counts of a run have begun already."""
        self.before: Words = context.si
        self.is_regular = all(self.trace(composition) is not None for composition in self.clocks)
        """True if all trials are alike, so that PsyNeuLink's counts can be told from the number of trials."""

    def trace(self, composition: Any) -> TrialTrace | None:
        """The trace of a trial, found when it is first needed."""
        if composition not in self.traces:
            self.traces[composition] = trace_of(composition) if all_alike(composition) else None
        return self.traces[composition]

    def begin(self, context: NativeContext, run_begins: bool) -> None:
        """Sets the counts of the model's schedule to PsyNeuLink's."""
        for composition, counts in self.clocks.items():
            counts.copy_in(context.si, run_begins and composition is self.outer)

    def end_run(self) -> None:
        """A run is over: PsyNeuLink's clock says so."""
        advance_clock_by_one(self.outer.scheduler.clocks[self.key], self.scales.run)

    def advance(self, before: StateBuffers, after: StateBuffers, trials: int, run_begins: bool) -> None:
        """Some trials are over, before and after which the model's counts stood so; `run_begins`: they were the first of a run."""
        self.run_begins, self.before = run_begins, before.si
        for count in self.counts:
            count.before = before.sf[count.offset]
        self.called = times = {self.outer: trials}
        for composition in self.clocks:
            calls = self.schedule(composition, times[composition], after.si)
            for node in composition.nodes:
                if node in self.clocks:
                    times[node] = calls.get(node, 0)  # a schedule tells of those that it has called
        for one in self.counts:
            self.executions(one, after.sf)
        begin_counts_of(self.idle, self.key, trial=not (run_begins and self.has_begun))
        self.has_begun = True

    def executions(self, count: ExecutionCount, buffer: Floats) -> None:
        """The counts of one Mechanism."""
        made = count.counted * int(buffer[count.offset] - count.before)
        parameters = count.component.parameters
        executed = parameters.execution_count
        executed.values[None] = np.array(int(executed.values.get(None, 0)) + made)
        time = parameters.num_executions.values.get(self.key)
        if time is None:
            time = parameters.num_executions.values[self.key] = type(parameters.num_executions.default_value)()
        if count.component in self.asides:  # of which PsyNeuLink never begins to count anew
            for scale in ("life", "environment_sequence", "environment_state_update", "pass_", "consideration_set_execution"):
                setattr(time, scale, getattr(time, scale) + made)
        elif self.called[self.owner[count.component]]:
            self.nodes_executions(count, time, buffer, made)
        if made:
            parameters.num_executions.values[None] = time  # as PsyNeuLink does: another context begins with a copy of it
            if not count.finishes:
                parameters.num_executions_before_finished.values[self.key] = np.array(1)

    def nodes_executions(self, count: ExecutionCount, time: Any, buffer: Floats, made: int) -> None:
        """The counts of a node by units of time."""
        composition = self.owner[count.component]
        trace = self.trace(composition)
        if trace is not None:
            called, in_last_pass = trace.calls[count.component], trace.in_last_pass.get(count.component, 0)
        else:
            totals = composition.scheduler.counts_total[self.key]
            called, in_last_pass = totals[self.scales.trial][count.component], totals[self.scales.pass_][count.component]
        each = count.counted if count.in_call is None else int(buffer[count.in_call])
        time.life += made
        time.environment_sequence += made
        time.environment_state_update = each * called if count.in_trial is None or not called else int(buffer[count.in_trial])
        time.pass_ = time.consideration_set_execution = each * min(1, in_last_pass)

    def schedule(self, composition: Any, trials: int, buffer: Words) -> Mapping[Any, int]:
        """The clock, the counts of calls and the list of executions of one scheduler; returns how often each node was called."""
        if not trials and composition is not self.outer:  # PsyNeuLink does not even make a clock for it
            return {}
        scheduler, scales = composition.scheduler, self.scales
        init_counts(scheduler, self.key)
        totals = scheduler.counts_total[self.key]
        begins = composition is self.outer and self.run_begins
        trace = self.trace(composition)
        if trace is None and not is_known(composition):
            passes, steps, calls = self.clocks[composition].copy_out(self.before, buffer, begins)
            advance_clock(scheduler.clocks[self.key], trials, [passes, *[0] * (trials - 1)], [steps, *[0] * (trials - 1)], scales)
            return calls
        if begins:
            totals[scales.run].update(dict.fromkeys(totals[scales.run], 0))
        if trace is None:
            return run_again(composition, self.key, trials)
        advance_clock(scheduler.clocks[self.key], trials, [trace.passes] * trials, [len(trace.sets)] * trials, scales)
        if trials:
            scheduler.execution_list[self.key].extend(trace.sets * trials)
            for scale, counted in trace.totals.items():
                if scale not in (scales.run, scales.life):
                    totals[scale].update(counted)
        for node, called in trace.calls.items():
            totals[scales.run][node] += called * trials
            totals[scales.life][node] += called * trials
        return {node: called * trials for node, called in trace.calls.items()}


def begin_counts(composition: Any, key: Any, trial: bool = False) -> None:
    """
    A run, or only a `trial`, begins: nodes count their executions in it anew, but for those that have no count yet in this execution
    context, which will go on from a copy of that of the context before.
    """
    begin_counts_of(composition.nodes, key, trial)


def begin_counts_of(nodes: Iterable[Any], key: Any, trial: bool) -> None:
    """The same for some nodes."""
    for node in nodes:
        time = node.parameters.num_executions.values.get(key)
        if time is not None:
            time.environment_sequence *= trial
            time.environment_state_update = time.pass_ = time.consideration_set_execution = 0


def without_counts(composition: Any, key: Any) -> list[Any]:
    """The nodes that have no count of executions yet in this execution context."""
    return [node for node in composition.nodes if node.parameters.num_executions.values.get(key) is None]


def forget_counts(nodes: Iterable[Any], key: Any) -> None:
    """Takes the counts of executions in an execution context from nodes that had none."""
    for node in nodes:
        node.parameters.num_executions.values.pop(key, None)


def begin_calls(composition: Any, key: Any) -> None:
    """A run begins: the scheduler counts its calls in it anew."""
    scheduler = composition.scheduler
    init_counts(scheduler, key)
    reset_calls(scheduler, time_scales().run, key)


def advance_clock(clock: Any, trials: int, passes: list[int], steps: list[int], scales: Any) -> None:
    """Turns a clock by some trials of so many passes and time steps, as if it had been told of each."""
    root = clock.history
    run = root.children[-1]
    for tree in (root, run):
        tree.total_times[scales.trial] += trials
        tree.total_times[scales.pass_] += sum(passes)
        tree.total_times[scales.step] += sum(steps)
    children = run.children
    if trials:
        times = children[-1].total_times
        times[scales.pass_] += passes[0]
        times[scales.step] += steps[0]
        add_trials(children, [*zip(passes[1:], steps[1:], strict=True), (0, 0)], scales)
    time = root.current_time
    time.environment_state_update += trials
    time.pass_ = time.consideration_set_execution = 0


def add_trials(children: list[Any], counts: Iterable[tuple[int, int]], scales: Any) -> None:
    """Adds trials of so many passes and time steps each to those of a run, which has one at least."""
    held = cast("dict[str, Any]", vars(children[-1]))
    make = cast("Any", type(children[-1]))
    no_times = dict.fromkeys(cast("dict[Any, int]", held["total_times"]), 0)
    times_of: dict[tuple[int, int], dict[Any, int]] = {}  # to copy one takes less time than to make it, as its keys are of an Enum
    for each in counts:
        times = times_of.get(each)
        if times is None:
            times = times_of[each] = no_times | {scales.pass_: each[0], scales.step: each[1]}
        trial = make.__new__(make)
        trial.__dict__ = {**held, "index": len(children), "children": [], "total_times": times.copy()}
        children.append(trial)


def _all(imported: Imported, prefix: str) -> Iterator[tuple[str, Imported]]:
    """A Composition and those in it, outer ones first, with what stands before their names in the model."""
    yield prefix, imported
    for composition, inner in imported.inner.items():
        yield from _all(inner, f"{prefix}{imported.nodes[composition].name}/")
