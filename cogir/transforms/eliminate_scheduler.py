"""
Resolves schedules that only count: the trial becomes a fixed sequence of time steps.

Before: `cog` models with any schedules (`complete-schedule` need not have run). Those that hold a program already keep it.
After:  a schedule that only counts holds a `cog.program`, the sets of nodes that run in a trial, with loops where they repeat,
        which from here on says what a trial does. Where trials differ by what has been counted before them, the program chooses
        once, as the trial begins. The conditions stay as what it was made from; those
        of resets and of the end of a run are still asked. A schedule that depends on data, or differs too much from trial to trial, is
        left as it is, with the reason in its attribute `cog.residual`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation, Region
from xdsl.passes import ModulePass

from cogir import remarks
from cogir.analysis.static_schedule import Parts, Repeat, Residual, static_program, with_loops
from cogir.dialects import cog
from cogir.dialects.cog.lookup import enclosing_module
from cogir.interpreters.engine import Engine
from cogir.model.graph import ModelGraph, resolve
from cogir.model.program import Choice, Program, StaticProgram
from cogir.model.read_schedule import schedule_of

RESIDUAL = "cog.residual"
"""Attribute of a schedule that could not be resolved: the reason."""


@dataclass(frozen=True)
class EliminateScheduler(ModulePass):
    """Turns trials whose conditions only count into fixed sequences of time steps."""

    name = "eliminate-scheduler"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        models = [model for model in op.body.block.ops if isinstance(model, cog.ModelOp)]
        instanced = {instance.model.string_value() for model in models for instance in model.instances}
        for model in models:
            eliminate(model, instance=model.sym_name.data in instanced)


class LazyInterpreter:
    """Evaluates predicates that read nothing; its engine is made when it meets the first one, as nearly all models have none."""

    def __init__(self, model: cog.ModelOp):
        self.model = model

    @cached_property
    def engine(self) -> Engine:
        """The interpreter of the module around the model."""
        from cogir.interpreters.levels import make_engine  # brings in the meanings of all dialects

        module = enclosing_module(self.model)
        return make_engine(module if module is not None else ModuleOp([]))

    def run_isolated(self, region: Region, args: tuple[Any, ...], name: str) -> tuple[Any, ...]:
        """Results of a region that sees nothing from above."""
        return self.engine.run_isolated(region, args, name)


def eliminate(model: cog.ModelOp, *, instance: bool) -> None:
    """cog.schedule { conditions }  ->  cog.schedule { conditions  cog.program { cog.step ... } }, where possible."""
    schedule = model.schedule
    if schedule is not None and schedule.program is not None:
        return
    graph = resolve(model)
    found = static_program(schedule_of(graph, LazyInterpreter(model)), always_finished(graph), instance=instance)
    if schedule is None:
        schedule = cog.ScheduleOp(layers=graph.layers)
        model.body.block.add_op(schedule)
    if isinstance(found, Residual):
        schedule.attributes[RESIDUAL] = StringAttr(found.reason)
        remarks.missed(model, "the trial stays a loop over passes: {}", found.reason)
    else:
        schedule.body.block.add_op(cog.ProgramOp(written(found)))
        remarks.passed(model, "made the trial a fixed sequence of {}", counted(found))


def counted(program: Program) -> str:
    """The number of time steps of a program, in words."""
    match program:
        case Choice():
            return "time steps, chosen once as it begins"
        case StaticProgram(steps, _):
            return f"{len(steps)} time step{'s' * (len(steps) != 1)}"


def written(program: Program) -> list[Operation]:
    """A choice between programs becomes a `cog.choose`, the steps and counts of one `cog.step`, `cog.repeat` and `cog.advance`."""
    match program:
        case Choice(asked, yes, no):
            return [cog.ChooseOp(asked.counters, asked.relation, asked.n, written(yes), written(no), modulus=asked.modulus)]
        case StaticProgram(steps, advances):
            return [*written_steps(with_loops(steps)), *(cog.AdvanceOp(path, amount) for path, amount in advances)]


def written_steps(parts: Parts) -> list[Operation]:
    """(set, ..., Repeat(n, parts))  ->  cog.step set ... cog.repeat n { parts }"""
    return [cog.RepeatOp(part.count, written_steps(part.parts)) if isinstance(part, Repeat) else cog.StepOp(part) for part in parts]


def always_finished(graph: ModelGraph) -> frozenset[str]:
    """The nodes whose bodies do not say whether they have finished, and the instances: they always are."""
    return frozenset(
        executable.name for executable in graph if not isinstance(executable.op, cog.NodeOp) or executable.op.yield_op.finished is None
    )
