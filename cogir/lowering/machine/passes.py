"""
The loop of passes: what is left of the scheduler when conditions depend on data.

```mlir
%sf1, %si1, ... = scf.while (%sf, %si, ..., %passes) {
  // the trial is not over, and there are passes left
} do {
  // for each layer: if the trial is not over, which of its nodes run? each of them in an scf.if
}
```

The loop carries the state buffers and the generators, not the slots.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from cogir.lowering.machine.clocks import begin, count_call, tick
from cogir.lowering.machine.conditions import ConditionEmitter, counts
from cogir.lowering.machine.emitter import BlockEmitter, readable
from cogir.lowering.machine.plan import InstancePlan
from cogir.lowering.machine.state import MachineState
from cogir.model import conditions as s
from cogir.model.conditions import Condition, TimeScale

ExecuteStep = Callable[[MachineState, Sequence[str], Sequence[SSAValue], bool], None]
"""Executes those of the nodes whose flag is set, as one time step; and counts their calls if it is told so."""


def emit_passes(state: MachineState, plan: InstancePlan, execute: ExecuteStep) -> None:
    """Passes until the trial is over; `status` is set if they are too many."""
    emitter, limit = state.emitter, state.read("limit:passes")
    loop = _Passes(plan, execute)
    stops = any(one.checked for one in plan.walk())

    def goes_on(inner: BlockEmitter, values: list[SSAValue]) -> tuple[SSAValue, list[SSAValue]]:
        *carried, passes = values
        before = state.fork(inner, cached=False)
        before.resume(carried)
        more = inner.compare(passes, "slt", limit)
        again = inner.both(inner.negation(loop.trial_is_over(before, more)), more)
        if stops:
            again = inner.both(again, inner.compare(before.read("status"), "eq", inner.integer(0)))
        return again, [*before.carried(), passes]

    def one_pass(inner: BlockEmitter, values: list[SSAValue]) -> list[SSAValue]:
        *carried, passes = values
        inside = state.fork(inner, cached=False)
        inside.resume(carried)
        loop.one_pass(inside)
        return [*inside.carried(), inner.add_integers(passes, inner.integer(1))]

    zero = emitter.integer(0)
    *carried, passes = emitter.loop_while([*state.carried(), zero], goes_on, one_pass)
    passes.name_hint = "passes"
    state.resume(carried)
    state.give_up(plan.limit_name, emitter.compare(passes, "sge", limit))


class _Passes:
    def __init__(self, plan: InstancePlan, execute: ExecuteStep):
        self.plan = plan
        self.execute = execute
        self.conditions = ConditionEmitter(plan)
        self.remembered = [node for node in plan.graph.nodes if plan.paths.just_ran(node) in plan.counters]
        self._counted_at_once: dict[tuple[str, ...], bool] = {}

    def trial_is_over(self, state: MachineState, asked: SSAValue) -> SSAValue:
        """An i1: the trial, or the run, ends here; only `asked` conditions count their evaluations."""
        emitter, schedule = state.emitter, self.plan.schedule
        over = self.conditions.holds(state, schedule.trial_ends, None, asked)
        still = emitter.both(asked, emitter.negation(over)) if counts(schedule.run_ends) else asked
        return emitter.either(over, self.conditions.holds(state, schedule.run_ends, None, still))

    def one_pass(self, state: MachineState) -> None:
        """All layers, each unless the trial is over by then. A pass in which nothing runs takes an empty time step."""
        emitter, plan = state.emitter, self.plan
        begin(state, plan, TimeScale.PASS)
        goes_on, something_ran = emitter.flag(True), emitter.flag(False)
        for layer in plan.schedule.layers:
            goes_on = emitter.both(goes_on, emitter.negation(self.trial_is_over(state, goes_on)))
            runs = self._run_set(state, layer, goes_on)
            happens = emitter.flag(False)
            for flag in runs:
                happens = emitter.either(happens, flag)
            self._remember_set(state, dict(zip(layer, runs, strict=True)), happens)
            self.execute(state, layer, runs, not self._counts_at_once(layer))
            tick(state, plan, TimeScale.TIME_STEP, happens)
            something_ran = emitter.either(something_ran, happens)
        nothing_ran = emitter.negation(something_ran)
        self._remember_set(state, {}, nothing_ran)
        tick(state, plan, TimeScale.TIME_STEP, nothing_ran)
        tick(state, plan, TimeScale.PASS)

    def _remember_set(self, state: MachineState, runs: dict[str, SSAValue], happens: SSAValue) -> None:
        """If a time step happens, its set is the last set."""
        emitter = state.emitter
        for node in self.remembered:
            path = self.plan.paths.just_ran(node)
            state.write(path, emitter.choose(happens, runs.get(node, emitter.flag(False)), state.read(path)))

    def _run_set(self, state: MachineState, layer: Sequence[str], asked: SSAValue) -> list[SSAValue]:
        """For each node of the layer whether it runs now (`asked`: whether the layer is considered at all)."""
        if not self._needs_another_scan(layer):
            return self._scan(state, layer, [state.emitter.flag(False)] * len(layer), asked)
        emitter = state.emitter
        initial = [*state.carried(), *([emitter.flag(False)] * len(layer)), asked]

        def scan(inner: BlockEmitter, values: list[SSAValue]) -> tuple[SSAValue, list[SSAValue]]:
            chosen, asked = values[-1 - len(layer) : -1], values[-1]
            inside = state.fork(inner, cached=False)
            inside.resume(values[: -1 - len(layer)])
            found = self._scan(inside, layer, chosen, asked)
            changed = inner.flag(False)
            for before, after in zip(chosen, found, strict=True):
                changed = inner.either(changed, inner.value(arith.XOrIOp(before, after)))
            return changed, [*inside.carried(), *found, changed]

        results = emitter.loop_while(initial, scan, lambda _, values: values)
        state.resume(results[: -1 - len(layer)])
        return results[-1 - len(layer) : -1]

    def _scan(self, state: MachineState, layer: Sequence[str], chosen: Sequence[SSAValue], asked: SSAValue) -> list[SSAValue]:
        """One look at each node that is not chosen yet, in the order of the text."""
        emitter = state.emitter
        found: list[SSAValue] = []
        for node, already in zip(layer, chosen, strict=True):
            open_ = emitter.both(asked, emitter.negation(already))
            joins = emitter.both(open_, self.conditions.holds(state, self.plan.schedule.when[node], node, open_))
            if self._counts_at_once(layer):
                count_call(state, self.plan, node, joins)
            found.append(emitter.either(already, joins))
            found[-1].name_hint = found[-1].name_hint or readable(f"{node}_runs")
        return found

    def _counts_at_once(self, layer: Sequence[str]) -> bool:
        """
        True if calls are counted as soon as a node joins, because another node of the layer looks at them. Otherwise they
        are counted where the node executes, in its branch.
        """
        if (known := self._counted_at_once.get(tuple(layer))) is None:
            asking = [(node, self.plan.schedule.when[node]) for node in layer]
            known = self._needs_another_scan(layer) or any(
                _asks_calls_of(part, set(layer) - {node}) for node, condition in asking for part in s.walk(condition)
            )
            self._counted_at_once[tuple(layer)] = known
        return known

    def _needs_another_scan(self, layer: Sequence[str]) -> bool:
        """
        True if a second look can find more: when a condition depends on the calls of a node that comes later in the
        layer, or when it counts how often it is asked.
        """
        later = set(layer)
        for node in layer:
            condition = self.plan.schedule.when[node]
            later.discard(node)
            if counts(condition) or any(_asks_calls_of(part, later) for part in s.walk(condition)):
                return True
        return False


def _asks_calls_of(condition: Condition, nodes: set[str]) -> bool:
    """True if the answer depends on whether one of these nodes has been called."""
    match condition:
        case s.Calls(node, _, _, _) | s.EveryNCalls(node, _):
            return node in nodes
        case s.CallsCombined(asked, _, _):
            return not nodes.isdisjoint(asked)
        case s.AllHaveRun(asked, _):
            return not nodes.isdisjoint(asked) if asked else bool(nodes)
        case _:
            return False
