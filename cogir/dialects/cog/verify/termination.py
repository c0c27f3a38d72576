"""
Trials that can never end, whatever the numbers are: their end waits for what cannot happen.

```mlir
cog.schedule {                  // @b never runs, so @c never does, and the trial waits for all nodes
  cog.when @b { cog.never }
  cog.when @c { cog.every_n_calls @b 1 }
}
```

Nodes are taken for ones that never run until their conditions may hold with those alone that may run. A node without a condition may
run, and what looks at values may hold.
"""

from __future__ import annotations

from collections.abc import Collection

from xdsl.ir import Block, Operation, SSAValue

from cogir.dialects.cog.attributes import TimeScale, compare
from cogir.dialects.cog.conditions import (
    AfterNCallsCombinedOp,
    AllHaveRunOp,
    AllOp,
    AlwaysOp,
    AnyOp,
    CallsCondition,
    Condition,
    EveryNCallsOp,
    JustRanOp,
    NeverOp,
    NotOp,
    NWhenOp,
    WhileNotOp,
    WhileOp,
)
from cogir.dialects.cog.ports import PlacedVerifyException, show
from cogir.dialects.cog.schedule import ScheduleOp
from cogir.dialects.cog.value_conditions import ReadOp


def verify_end(schedule: ScheduleOp, nodes: Collection[str]) -> None:
    """A refusal of a schedule whose trials can never end."""
    if schedule.program is not None:
        return  # a program has an end
    alive = may_run(schedule, nodes)
    trial, run = schedule.terminate(TimeScale.TRIAL), schedule.terminate(TimeScale.RUN)
    ends = len(alive) == len(nodes) if trial is None else may(trial.condition, True, alive, nodes)
    if ends or (run is not None and may(run.condition, True, alive, nodes)):
        return
    end = AllHaveRunOp() if trial is None else trial.condition.owner
    waits = [name for name in dict.fromkeys(_names(end, nodes)) if name not in alive]
    if not waits:
        raise PlacedVerifyException(trial or schedule, f"end of a trial: {_said(end)} never holds; give a condition that can hold")
    whens = {name: when for name, when in schedule.whens.items() if name not in alive}
    # A node that does not wait for others explains more than one that does.
    node = next((name for name, when in whens.items() if not may(when.condition, True, nodes, nodes)), waits[0])
    raise PlacedVerifyException(
        whens[node],
        f"condition of {show(node)}: {_said(whens[node].condition.owner)} never holds, and trials wait for "
        f"{', '.join(map(show, waits))}, so trials never end; give {show(node)} a condition that can hold, or terminate trials on "
        "another condition",
    )


def may_run(schedule: ScheduleOp, nodes: Collection[str]) -> set[str]:
    """The nodes that may run at some time."""
    waiting = {name: when for name, when in schedule.whens.items() if name in nodes}
    alive = set(nodes) - set(waiting)
    while found := {name for name, when in waiting.items() if may(when.condition, True, alive, nodes)}:
        alive |= found
        waiting = {name: when for name, when in waiting.items() if name not in found}
    return alive


def may(condition: SSAValue, wanted: bool, alive: Collection[str], nodes: Collection[str]) -> bool:
    """True if a condition may hold (`wanted`), or may fail, at some time when only the nodes `alive` ever run."""
    op = condition.owner
    match op:
        case AlwaysOp() | NeverOp():
            return wanted == isinstance(op, AlwaysOp)
        case AllOp() | AnyOp():
            every = all if wanted == isinstance(op, AllOp) else any
            return every(may(part, wanted, alive, nodes) for part in op.conditions)
        case NotOp() | WhileNotOp():
            return may(op.condition, not wanted, alive, nodes)
        case WhileOp():
            return may(op.condition, wanted, alive, nodes)
        case NWhenOp():
            return not wanted or may(op.condition, True, alive, nodes)
        case AllHaveRunOp():
            return not wanted or set(_names(op, nodes)) <= set(alive)
        case EveryNCallsOp() | JustRanOp():
            holds = False
        case AfterNCallsCombinedOp():
            holds = op.n.value.data <= 0
        case CallsCondition():
            holds = compare(0, op.RELATION, op.n.value.data)
        case _:
            return True
    # `holds`, as long as none of the nodes has run.
    return wanted == holds or not set(alive).isdisjoint(_names(op, nodes))


def _names(op: Operation | Block, nodes: Collection[str]) -> list[str]:
    """The nodes that a condition, or what it joins, speaks of."""
    if isinstance(op, Block):
        return []
    if isinstance(op, AllHaveRunOp) and not op.nodes:
        return list(nodes)
    own = op.named_nodes if isinstance(op, Condition | ReadOp) else ()
    inner = [name for part in op.operands for name in _names(part.owner, nodes)]
    return [*(each.root_reference.data for each in own), *inner]


def _said(op: Operation | Block) -> str:
    """A condition in a message: its operation, and the nodes that it speaks of."""
    name = "it" if isinstance(op, Block) else op.name
    return " ".join([name, *map(show, _names(op, ()))])
