"""
Reads `cog.schedule` into the records of `schedule.py`, with the defaults filled in.

```mlir
cog.schedule {                                  // Schedule(
  cog.when @b {                                 //   when={"a": Always(), "b": EveryNCalls("a", 2), "c": EveryNCalls("b", 1)},
    %c = cog.every_n_calls @a 2                 //   trial_ends=WhenFinished("b"),
    cog.condition %c                            //   run_ends=Never(),
  }                                             //   layers=(("a",), ("b",), ("c",)),
  cog.terminate trial {                         //   resets={})
    %d = cog.when_finished @b
    cog.condition %d
  }
}
```

A condition is an expression: it is asked from `cog.condition` inwards, each part only if graph_scheduler asks it, and a value
that is used twice is asked twice. (Only `cog.n_when`, which counts how often it held, can tell.)
What is computed by other operations from `cog.read` is a predicate (graph_scheduler's `Condition(func)`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Protocol

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, SymbolRefAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from cogir.dialects import cog
from cogir.errors import ModelError
from cogir.model import conditions as s
from cogir.model.graph import ModelGraph
from cogir.model.program import Choice, Counted, Program, StaticProgram
from cogir.model.schedule import Schedule


class RegionRunner(Protocol):
    """An interpreter that runs predicates."""

    def run_isolated(self, region: Region, args: tuple[Any, ...], name: str) -> tuple[Any, ...]:
        """Results of a region that sees nothing from above."""
        ...


ONE_TO_ONE: Mapping[type[cog.Condition], type[s.Condition]] = {
    cog.AlwaysOp: s.Always,
    cog.NeverOp: s.Never,
    cog.AllHaveRunOp: s.AllHaveRun,
    cog.AfterNCallsCombinedOp: s.CallsCombined,
    cog.EveryNCallsOp: s.EveryNCalls,
    cog.JustRanOp: s.JustRan,
    cog.WhenFinishedOp: s.WhenFinished,
    cog.WhenFinishedAnyOp: s.WhenFinishedAny,
    cog.WhenFinishedAllOp: s.WhenFinishedAll,
}
"""Records whose fields are the properties of an operation."""


@dataclass(frozen=True, eq=False)
class Predicate:
    """
    A value computed from what a condition reads: a function whose arguments are the results of `reads`, in order.

    `value` is where it stands in the schedule; `body` is the same computation as a region of its own.
    """

    value: SSAValue
    reads: tuple[cog.ReadOp, ...]
    places: tuple[tuple[str, s.Kind, str], ...]
    """The values that are read: node, kind, name."""
    body: Region
    runner: RegionRunner | None

    def __call__(self, observations: s.Observations) -> bool:
        """True if the predicate holds now."""
        arguments = tuple(observations.read(*place) for place in self.places)  # an analysis that knows no values stops here
        if self.runner is None:
            raise ModelError("cog.schedule: this schedule was read without an interpreter, so its predicates cannot be evaluated")
        return bool(self.runner.run_isolated(self.body, arguments, "a predicate of the schedule")[0])


def what_is_read(op: cog.ReadOp | cog.ThresholdOp, graph: ModelGraph) -> tuple[str, s.Kind, str]:
    """Node, kind and name of the value that an operation reads; without a name it is the only one of its kind."""
    node, kind = op.node.string_value(), op.place.data.value
    if node not in graph.executables:
        raise ModelError(f"{op.name}: the model has no node @{node}; it has {', '.join(map('@{}'.format, graph.nodes))}")
    read = graph[node]
    held: list[str] = []
    if kind == "port":
        held = [port.name for port in read.outputs]
    elif isinstance(read.op, cog.NodeOp):
        held = [name for name, _ in (read.op.states if kind == "state" else read.op.params)]
    named = held if op.of is None else [n for n in held if n == op.of.data] or [n for n in held if n.startswith(f"{op.of.data}/")]
    if len(named) != 1:
        wish = f"no {kind} '{op.of.data}'" if op.of is not None else f"{len(held)} values of kind {kind}"
        raise ModelError(f"{op.name}: @{node} has {wish}; name one of {', '.join(held) or 'none'}")
    return node, kind, named[0]


def schedule_of(graph: ModelGraph, runner: RegionRunner | None = None) -> Schedule:
    """The schedule of a model. `runner` evaluates its predicates; without one, they are only described."""
    schedule = graph.model.schedule
    whens = schedule.whens if schedule is not None else {}
    resets = schedule.resets if schedule is not None else {}
    ends = {scale: schedule.terminate(scale) if schedule is not None else None for scale in (cog.TimeScale.TRIAL, cog.TimeScale.RUN)}
    program = schedule.program if schedule is not None else None
    reader = _Reader(graph, runner)
    return Schedule(
        layers=graph.layers,
        when={
            node: reader.read(whens[node].condition) if node in whens else s.default_condition(graph.dependencies[node])
            for node in graph.nodes
        },
        trial_ends=reader.read(trial.condition) if (trial := ends[cog.TimeScale.TRIAL]) is not None else s.AllHaveRun(),
        run_ends=reader.read(run.condition) if (run := ends[cog.TimeScale.RUN]) is not None else s.Never(),
        resets={node: reader.read(op.condition) for node, op in resets.items()},
        asides={
            name: reader.read(whens[name].condition)
            for name in (*graph.asides, *(op.sym_name.data for op in graph.model.controllers))
            if name in whens
        },
        program=program_of(program.body) if program is not None else None,
    )


def program_of(region: Region) -> Program:
    """The program that stands in a region, or the programs among which it chooses."""
    match region.block.first_op:
        case cog.ChooseOp() as op:
            return Choice(question_of(op), program_of(op.yes), program_of(op.no))
        case _:
            return StaticProgram(
                tuple(step.node_names for step in cog.steps_in(region)),
                tuple((op.counter.data, op.amount.value.data) for op in region.block.ops if isinstance(op, cog.AdvanceOp)),
            )


def question_of(op: cog.ChooseOp) -> Counted:
    """The question of a choice between programs."""
    return Counted(
        tuple(path.data for path in op.counters),
        op.comparator.data.relation,
        op.n.value.data,
        None if op.modulus is None else op.modulus.value.data,
    )


class _Reader:
    """Reads conditions, and numbers the `cog.n_when`s of a schedule in the order in which it meets them."""

    def __init__(self, graph: ModelGraph, runner: RegionRunner | None):
        self.graph = graph
        self.runner = runner
        self.keys: dict[Operation, int] = {}

    def read(self, value: SSAValue) -> s.Condition:
        op = value.owner
        if not isinstance(op, cog.Condition):
            return s.While(self.predicate(value))
        if (record := ONE_TO_ONE.get(type(op))) is not None:
            return record(*(plain(op.properties[field.name]) for field in fields(record)))
        match op:
            case cog.AllOp():
                return s.All(tuple(self.read(part) for part in op.conditions))
            case cog.AnyOp():
                return s.Any(tuple(self.read(part) for part in op.conditions))
            case cog.NotOp() | cog.WhileNotOp():
                return s.Not(self.read(op.condition))
            case cog.WhileOp():
                return self.read(op.condition)
            case cog.NWhenOp():
                key = self.keys.setdefault(op, len(self.keys))
                return s.NWhen(self.read(op.condition), op.n.value.data, key)
            case cog.CallsCondition():
                return s.Calls(plain(op.node), op.RELATION, op.n.value.data, plain(op.scale))
            case cog.CountCondition():
                counted, within = s.TimeScale[op.COUNTED.name], s.TimeScale[op.within.name]
                elapsed = s.Elapsed(counted, op.RELATION, op.n.value.data, within)
                return s.All((s.at_start(counted), elapsed)) if op.AT_START else elapsed
            case cog.StartCondition():
                return s.at_start(s.TimeScale[op.OF.name])
            case cog.ThresholdOp():
                atol, rtol = (0.0 if each is None else each.value.data for each in (op.atol, op.rtol))
                indices = () if op.indices is None else tuple(op.indices.iter_values())
                return s.Threshold(*what_is_read(op, self.graph), op.comparator.data.relation, op.value.value.data, atol, rtol, indices)
            case _:
                raise ModelError(f"{op.name}: conditions on wall-clock time are not supported; count passes, trials or calls instead")

    def predicate(self, value: SSAValue) -> Predicate:
        """The computation of `value` as a function of what it reads."""
        ops = list(_needed_for(value))
        reads = tuple(op for op in ops if isinstance(op, cog.ReadOp))
        block = Block(arg_types=[read.result.type for read in reads])
        moved: dict[SSAValue, SSAValue] = {read.result: argument for read, argument in zip(reads, block.args, strict=True)}
        for op in ops:
            if isinstance(op, cog.Condition):
                raise ModelError(f"{op.name} is an operand of ordinary arithmetic; combine conditions by cog.all, cog.any and cog.not")
            if not isinstance(op, cog.ReadOp):
                block.add_op(op.clone(moved))
        block.add_op(func.ReturnOp(moved.get(value, value)))
        return Predicate(value, reads, tuple(what_is_read(read, self.graph) for read in reads), Region(block), self.runner)


def _needed_for(value: SSAValue) -> Iterator[Operation]:
    """The operations of the block that compute `value`, in order."""
    last = value.owner
    block = last.parent if isinstance(last, Operation) else None
    if block is None or not isinstance(last, Operation):
        raise ModelError("cog.schedule: a condition is computed from an argument of a block; compute it from cog.read")
    needed: set[Operation] = set()
    work: list[Operation] = [last]
    while work:
        op = work.pop()
        if op not in needed:
            needed.add(op)
            operands = [operand for inner in op.walk() for operand in inner.operands]
            work += [operand.owner for operand in operands if isinstance(operand.owner, Operation) and operand.owner.parent is block]
    yield from (op for op in block.ops if op in needed)


def plain(attribute: Attribute) -> Any:
    """A number, a name, several names or a time scale as a value of Python."""
    match attribute:
        case ArrayAttr(data=parts):
            return tuple(plain(part) for part in parts)
        case SymbolRefAttr():
            return attribute.string_value()
        case cog.TimeScaleAttr():
            return s.TimeScale[attribute.data.name]
        case IntegerAttr():
            return attribute.value.data
        case _:
            raise TypeError(f"{attribute} is not a number, a name or a time scale")
