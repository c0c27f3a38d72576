"""
Writes down what a modeller left to the defaults, so that a printed model hides nothing.

Before: models with or without a `cog.schedule`, which may lack layers, conditions of nodes and terminations.
After:  each model has one schedule with its layers, a condition for every node, and terminations for trial and run.

The defaults are graph_scheduler's and PsyNeuLink's: a node runs when each of the nodes that it depends on has run
since it last ran (always, if it depends on none); a trial ends when all nodes have run; a run never ends by itself.
The layers are the consideration queue: see `ModelGraph.dependencies` for feedback and cycles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from cogir import remarks
from cogir.dialects.cog import (
    AllHaveRunOp,
    AllOp,
    AlwaysOp,
    EveryNCallsOp,
    ModelOp,
    NeverOp,
    ScheduleOp,
    TerminateOp,
    TimeScale,
    WhenOp,
    refs,
)
from cogir.model.graph import ModelGraph, resolve


def default_condition(dependencies: Sequence[str]) -> list[Operation]:
    """[] -> always;  [a] -> every_n_calls @a 1;  [a, b] -> all(every_n_calls @a 1, every_n_calls @b 1)"""
    each: list[Operation] = [EveryNCallsOp(node, 1) for node in dependencies]
    if not each:
        return [AlwaysOp()]
    return each if len(each) == 1 else [*each, AllOp(each)]


def complete(model: ModelOp) -> None:
    """Completes the schedule of one model."""
    graph: ModelGraph = resolve(model)
    schedule = model.schedule
    if schedule is None:
        schedule = ScheduleOp()
        schedule.location = model.location
        model.body.block.add_op(schedule)
    if schedule.layers is None:
        schedule.layers = ArrayAttr([refs(layer) for layer in graph.layers])
    given = schedule.whens
    block = schedule.body.block
    # Conditions of nodes come first, in the order of the nodes, so that a completed schedule reads like a table.
    first = block.first_op
    for node in graph.nodes:
        when = given.get(node)
        if when is None:
            remarks.count("default conditions added")
            when = WhenOp(node, default_condition(graph.dependencies[node]))
            when.location = schedule.location
        else:
            if when is first:
                first = when.next_op
            when.detach()
        if first is None:
            block.add_op(when)
        else:
            block.insert_op_before(when, first)
    for scale, default in ((TimeScale.TRIAL, AllHaveRunOp), (TimeScale.RUN, NeverOp)):
        if schedule.terminate(scale) is None:
            remarks.count("default terminations added")
            terminate = TerminateOp(scale, default())
            terminate.location = schedule.location
            block.add_op(terminate)


@dataclass(frozen=True)
class CompleteSchedule(ModulePass):
    """Writes down layers, conditions and terminations of every model."""

    name = "complete-schedule"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for each in list(op.body.block.ops):
            if isinstance(each, ModelOp):
                complete(each)
