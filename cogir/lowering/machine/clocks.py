"""
Clocks and counters: what begins, what has gone by, who was called. The rules are those of `model/scheduler.py`;
only the counters in the plan exist.
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from cogir.lowering.machine.plan import InstancePlan
from cogir.lowering.machine.state import MachineState
from cogir.model.conditions import COUNTABLE, SCALES, TimeScale


def begin(state: MachineState, plan: InstancePlan, scale: TimeScale) -> None:
    """A unit of `scale` begins: calls are counted anew for it and for all finer scales."""
    paths = plan.paths
    zeroed: list[str] = []
    for each in SCALES[TimeScale.PASS : scale + 1]:
        zeroed += [paths.calls(node, each) for node in plan.graph.nodes]
        zeroed.append(paths.have_run(each))
    if scale >= TimeScale.TRIAL:
        zeroed += plan.usable
    state.clear([path for path in zeroed if path in plan.counters])


def tick(state: MachineState, plan: InstancePlan, unit: TimeScale, happened: SSAValue | None = None) -> None:
    """One `unit` is over and the next one begins (if `happened` holds)."""
    emitter, paths = state.emitter, plan.paths
    for inner in COUNTABLE:
        for outer in SCALES:
            path = paths.elapsed(inner, outer)
            if inner < outer and path in plan.counters:
                if inner == unit:
                    state.increase(path, emitter.integer(1) if happened is None else emitter.as_integer(happened))
                elif outer <= unit:
                    state.clear([path])


def count_call(state: MachineState, plan: InstancePlan, node: str, called: SSAValue) -> None:
    """The node joins the set (if `called` holds): it has used up its dependencies' calls, and its own call is there to be used."""
    emitter, paths = state.emitter, plan.paths
    amount = emitter.as_integer(called)
    for scale in SCALES[TimeScale.PASS :]:
        if (path := paths.calls(node, scale)) in plan.counters:
            before = state.read(path)
            if (have_run := paths.have_run(scale)) in plan.counters:
                first = emitter.both(called, emitter.compare(before, "eq", emitter.integer(0)))
                state.increase(have_run, emitter.as_integer(first))
            state.write(path, emitter.add_integers(before, amount))
    used = [paths.usable(dependency, node) for dependency in plan.used_by.get(node, ())]
    if emitter.is_true(called):
        state.clear(used)
    else:
        for path in used:
            state.write(path, emitter.choose(called, emitter.integer(0), state.read(path)))
    for user in plan.users_of.get(node, ()):
        path = paths.usable(node, user)
        if emitter.is_true(called) and (node, user) in plan.used_singly:
            state.write(path, emitter.integer(1))
        else:
            state.increase(path, amount)
