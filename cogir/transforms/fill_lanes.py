"""
Splits a trial at its loop, so that many replicates can go through the loop side by side, each in a lane of its own.

Before: stage `machine`, in a module that is made for replicates: `@trial` holds one loop that runs until something is finished.
After:

```mlir
func.func private @lanes_begin(%pf, %pi, %in, %sf, %si, %r, %lane, %t0, %t1) -> (%t0, %t1) {
  // what stands before the loop; what the loop starts from goes into the tables, at %lane
}
func.func private @lanes_iterate(%pf, %pi, %t0, %t1, %finished) -> (%t0, %t1, %finished, %any) {
  scf.for %lane = 0 to 16 {                     // no iteration waits for another one
    // two iterations of the loop; the second one counts if the first one did not finish
  }
}
func.func private @lanes_end(%pf, %pi, %in, %sf, %si, %r, %lane, %t0, %t1) -> (%sf, %si, %r, %out, %status) {
  // what stands after the loop
}
```

Nothing in the body of `@lanes_iterate` depends on the lane but where it reads and writes, so LLVM lets the lanes of a vector do it; a lane
that is finished takes the next replicate (`lowering/entry/replicates.py`), so that lanes stay full. What a replicate computes does not
depend on the lane that it is in, nor on the others.

Two iterations are taken at once because a generator makes two normals at a time and keeps one. Where no lane keeps one, which is
tested once for all of them, the first iteration makes two and the second uses the one left. Where some do, as after an odd number of
draws before the loop, both iterations make two. A loop that carries nothing but generators and counters, as that of a decision in a single
step, makes one iteration per call.

Draws of mt19937 are loops, but normals can be drawn before they are used (`normals_in_lanes.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, func, scf, tensor
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    IndexType,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    TensorType,
    UnitAttr,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from cogir import remarks
from cogir.analysis.effects import EffectsTable
from cogir.analysis.lane_loop import PARAMETERS, LaneLoop, lane_loop, loops_in_step, needs_another_generator
from cogir.analysis.op_cost import CostTable
from cogir.analysis.rare_values import needed_for, rare_values
from cogir.analysis.signatures import INLINE, OVER_LANES
from cogir.analysis.step_values import next_value, step_values
from cogir.dialects.rng import KEPT_NORMAL, StateType
from cogir.irutils import index_constant
from cogir.transforms.inlining import inline_all
from cogir.transforms.invariant_bounds import simplify_bounds
from cogir.transforms.lane_tables import LaneValue, choose
from cogir.transforms.licm import Hoister
from cogir.transforms.normals_in_lanes import (
    NORMALS,
    TABLES,
    NormalsOfTrial,
    draws_of,
    generator_of,
    not_presampled,
    presampled_functions,
)
from cogir.transforms.presample_normals import SOURCE, TARGET
from cogir.transforms.rare_lanes import WIDTH, Bounds, in_blocks, is_used
from cogir.transforms.recompute_results import recompute_results
from cogir.transforms.replicate import STREAMS
from cogir.transforms.scalarise import scalarise
from cogir.transforms.step_tables import FOUND, StepTable
from cogir.transforms.unroll_draws import unroll_draws

SIDE_BY_SIDE = "cog.lanes"
"""The attribute of a module whose replicates go side by side: how many of them."""
LANES = 48
"""Six vectors of eight numbers: with fewer, testing for finished ones costs too much; more do not stay in the L1 cache."""
BEGIN, ITERATE, END = "lanes_begin", "lanes_iterate", "lanes_end"


class LaneFunctions:
    """The three functions of one trial."""

    def __init__(self, found: LaneLoop, lanes: int, costs: CostTable):
        self.found = found
        self.loop = found.loop
        self.lanes = lanes
        self.condition = cast(scf.ConditionOp, self.loop.before_region.block.last_op)
        self.following = cast(scf.YieldOp, self.loop.after_region.block.last_op)
        self.slots: list[LaneValue] = []
        """The slots of a lane: what the loop captures, then its results, then what it carries besides."""
        self.names: list[str | None] = []
        self.slot_of_captured = [self.add_slot(value) for value in found.captured]
        self.slot_of_result = self.find_results()
        self.slot_of_carried = self.find_carried()
        self.tables: list[Attribute] = [slot.table_type(lanes) for slot in self.slots]
        step = step_values(found, costs) if lanes > 1 else None  # a table that nobody shares costs more than its values
        self.count = 1 if self.starts_afresh else 2
        """The number of iterations that a call makes."""
        self.steps = None if step is None else StepTable(found, step, lanes, self.count)
        if self.steps is not None:
            self.tables += self.steps.types
            self.names += self.steps.names
        self.rare = rare_values(found, costs, self.looked_up_ops) if lanes % WIDTH == 0 else None

    def add_slot(self, value: SSAValue) -> int:
        self.slots.append(LaneValue(value.type))
        self.names.append(value.name_hint)
        return len(self.slots) - 1

    def find_results(self) -> list[int]:
        """For each result of the loop its slot; results that are the same value share one."""
        found: dict[SSAValue, int] = {}
        for result, value in zip(self.loop.results, self.condition.args, strict=True):
            if value not in found:
                found[value] = self.add_slot(result)
        return [found[value] for value in self.condition.args]

    def find_carried(self) -> list[int]:
        """The slot of each value that the loop carries: that of a result that equals it after each iteration, or one of its own."""
        after = self.loop.after_region.block
        taken: set[int] = set()
        found: list[int] = []
        for value, argument in zip(self.following.operands, self.loop.before_region.block.args, strict=True):
            slot = self.slot_of_result[value.index] if isinstance(value, BlockArgument) and value.block is after else -1
            if slot < 0 or slot in taken:
                slot = self.add_slot(argument)
            taken.add(slot)
            found.append(slot)
        return found

    @property
    def own(self) -> list[int]:
        """The carried values whose slot is not that of a result, by number."""
        return [number for number, slot in enumerate(self.slot_of_carried) if slot not in self.slot_of_result]

    @property
    def starts_afresh(self) -> bool:
        """True if iterations carry nothing but generators and counters: then the first one is likely to be the last."""
        arguments = self.loop.before_region.block.args
        following = [next_value(self.loop, number) for number in range(len(arguments))]
        return all(
            isinstance(argument.type, StateType) or (isinstance(value.owner, arith.AddiOp) and argument in value.owner.operands)
            for argument, value in zip(arguments, following, strict=True)
        )

    # Before and after the loop

    def begin(self) -> func.FuncOp:
        """The operations before the loop, for one lane."""
        given = self.found.trial.function_type.inputs.data
        function = self.function(BEGIN, [*given, IndexType()], self.tables, [])
        builder = Builder(InsertPoint.at_end(function.body.block))
        values: dict[SSAValue, SSAValue] = dict(zip(self.found.trial.args, function.args, strict=False))
        lane = function.args[len(given)]
        tables: list[SSAValue] = [*function.args[len(given) + 1 :]]
        starts = list(zip((*self.slot_of_captured, *self.slot_of_carried), (*self.found.captured, *self.loop.arguments), strict=True))
        compared = [] if self.steps is None else self.steps.compared
        self.clone(builder, self.found.needed([*(value for _, value in starts), *compared]), values)
        for slot, value in starts:
            numbers = self.slots[slot].numbers(builder, values[value])
            tables[slot] = self.slots[slot].write(builder, tables[slot], lane, numbers)
        if self.steps is not None:
            tables[len(self.slots) :] = self.steps.begin(builder, values, lane, tables[len(self.slots) :])
        builder.insert(func.ReturnOp(*tables))
        return function

    def end(self) -> func.FuncOp:
        """The operations after the loop, for one lane."""
        trial = self.found.trial
        given, outputs = trial.function_type.inputs.data, trial.function_type.outputs.data
        inputs = [*given, IndexType(), *self.tables]
        attributes = [*(trial.arg_attrs or [DictionaryAttr({})] * len(given)), *[DictionaryAttr({})] * (len(inputs) - len(given))]
        function = func.FuncOp(END, (inputs, outputs), visibility="private", arg_attrs=ArrayAttr(attributes))
        self.name_arguments(function, [*(argument.name_hint for argument in trial.args), "lane", *self.names])
        builder = Builder(InsertPoint.at_end(function.body.block))
        values: dict[SSAValue, SSAValue] = dict(zip(trial.args, function.args, strict=False))
        lane, tables = function.args[len(given)], function.args[len(given) + 1 :]
        read = [operand for op in self.found.after for inner in op.walk() for operand in inner.operands]
        self.clone(builder, self.found.needed(read), values)
        for slot, result in zip(self.slot_of_result, self.loop.results, strict=True):
            if bool(result.uses):
                values[result] = self.slots[slot].value(builder, self.slots[slot].read(builder, tables[slot], lane))
        self.clone(builder, self.found.after, values)
        return function

    # The loop

    def iterate(self) -> func.FuncOp:
        """`count` iterations of the loop, for all lanes."""
        flags = TensorType(i64, [self.lanes])
        given = self.found.trial.function_type.inputs.data[:PARAMETERS]
        function = self.function(ITERATE, given, [*self.tables, flags], [i64])
        builder = Builder(InsertPoint.at_end(function.body.block))
        values: dict[SSAValue, SSAValue] = dict(zip(self.found.trial.args, function.args[:PARAMETERS], strict=False))
        inside = [operand for region in self.loop.regions for op in region.block.walk() for operand in op.operands]
        self.clone(builder, self.found.needed(value for value in inside if value in self.found.shared), values)
        zero, end, one = (builder.insert(index_constant(number)).result for number in (0, self.lanes, 1))
        bounds = (zero, end, one)
        nothing = builder.insert(arith.ConstantOp(IntegerAttr(0, i64))).result
        tables: list[SSAValue] = [*function.args[PARAMETERS:], nothing]
        if self.steps is not None:
            tables[len(self.slots) : -2] = self.steps.look_up(
                builder, bounds, values, tables[len(self.slots) : -2], lambda inner, lane: self.of_lane(inner, tables, lane)
            )
        keeping = [slot for slot in sorted({*self.slot_of_carried}) if self.keeps_normals(slot)]
        if not keeping:
            results: Sequence[SSAValue] = self.lane_loops(builder, bounds, tables, values, ())
        else:
            kept = self.any_kept(builder, bounds, [tables[slot] for slot in keeping], nothing, keeping)
            condition = builder.insert(arith.CmpiOp(kept, nothing, "ne")).result
            branches = [Block(), Block()]
            for block, without_kept in zip(branches, ((), tuple(keeping)), strict=True):
                inner = Builder(InsertPoint.at_end(block))
                loops = self.lane_loops if without_kept else self.lane_loop
                inner.insert(scf.YieldOp(*loops(inner, bounds, tables, values, without_kept)))
            choice = scf.IfOp(condition, [value.type for value in tables], Region(branches[0]), Region(branches[1]))
            results = builder.insert(choice).results
        builder.insert(func.ReturnOp(*results))
        return function

    @property
    def presampled(self) -> list[tuple[int, int]]:
        """The slots that hold states of presampled generators, and the numbers of these, -1 for those that are not known."""
        held = [
            *zip(self.slot_of_captured, self.found.captured, strict=True),
            *zip(self.slot_of_result, self.loop.results, strict=True),
            *zip(self.slot_of_carried, self.loop.arguments, strict=True),
        ]
        generators = {slot: generator_of(value, self.found.trial) for slot, value in held if value.type == TARGET}
        return [(slot, -1 if number is None else number) for slot, number in sorted(generators.items())]

    def keeps_normals(self, slot: int) -> bool:
        """True if a slot holds a generator that makes two normals at a time."""
        held = self.slots[slot].type
        return isinstance(held, StateType) and held.kind.data in KEPT_NORMAL

    def kept_normal(self, slot: int) -> int:
        """The word of a generator's state that is 0 when no normal is kept."""
        return KEPT_NORMAL[cast(StateType, self.slots[slot].type).kind.data]

    def any_kept(
        self,
        builder: Builder,
        bounds: Bounds,
        tables: Sequence[SSAValue],
        nothing: SSAValue,
        slots: Sequence[int],
    ) -> SSAValue:
        """Not 0 if the generator of any lane keeps a normal."""
        block = Block(arg_types=[IndexType(), i64])
        inner = Builder(InsertPoint.at_end(block))
        found: SSAValue = block.args[1]
        for table, slot in zip(tables, slots, strict=True):
            word = inner.insert(index_constant(self.kept_normal(slot))).result
            flag = inner.insert(tensor.ExtractOp(table, [word, block.args[0]], i64)).result
            found = inner.insert(arith.OrIOp(found, flag)).result
        inner.insert(scf.YieldOp(found))
        return builder.insert(scf.ForOp(*bounds, [nothing], Region(block))).results[0]

    def lane_loops(
        self, builder: Builder, bounds: Bounds, tables: Sequence[SSAValue], values: dict[SSAValue, SSAValue], without_kept: Sequence[int]
    ) -> Sequence[SSAValue]:
        """`count` iterations for each lane, without the values that are used rarely where no lane of a block uses them."""
        rare = self.rare
        if rare is None:
            return self.lane_loop(builder, bounds, tables, values, without_kept)

        def is_rare(inner: Builder, lane: SSAValue, tables: Sequence[SSAValue]) -> SSAValue:
            held = values | self.captured(inner, tables, lane)
            return is_used(inner, self.found, rare, held, self.arguments(inner, tables, lane), self.count)

        def iterate(inner: Builder, some: Bounds, first: SSAValue, tables: Sequence[SSAValue], rarely: bool) -> Sequence[SSAValue]:
            return self.lane_loop(inner, some, tables, values, without_kept, first, rarely)

        return in_blocks(builder, bounds, tables, is_rare, iterate)

    def lane_loop(
        self,
        builder: Builder,
        bounds: Bounds,
        tables: Sequence[SSAValue],
        values: dict[SSAValue, SSAValue],
        without_kept: Sequence[int],
        first: SSAValue | None = None,
        rarely: bool = True,
    ) -> Sequence[SSAValue]:
        """
        `count` iterations for each lane, from the `first` on. `tables` are those of the slots, of what is finished, and whether any is; no
        generator in the slots `without_kept` keeps a normal, and no lane uses rare values if they are not to be computed.
        """
        values = dict(values)
        block = Block(arg_types=[IndexType(), *(value.type for value in tables)])
        carried = block.args[1:]
        self.name(block.args, ["lane", *self.names, "finished", "any"])
        inner = Builder(InsertPoint.at_end(block))
        lane = block.args[0] if first is None else inner.insert(arith.AddiOp(first, block.args[0])).result
        numbers = [slot.read(inner, table, lane) for slot, table in zip(self.slots, carried, strict=False)]
        for slot in without_kept:
            numbers[slot][self.kept_normal(slot)] = inner.insert(arith.ConstantOp(IntegerAttr(0, i64))).result
        for slot, value in zip(self.slot_of_captured, self.found.captured, strict=True):
            values[value] = self.slots[slot].value(inner, numbers[slot])
        ahead = [self.looked_up(inner, carried, step, lane) for step in range(self.count)]
        goes_on, after = self.one_iteration(inner, numbers, values | ahead[0], rarely)
        if self.count == 2:
            goes_on_again, twice = self.one_iteration(inner, after, values | ahead[1], rarely)
            after = [choose(inner, goes_on, *pair) for pair in zip(twice, after, strict=True)]
            goes_on = inner.insert(arith.AndIOp(goes_on, goes_on_again)).result
        kept: list[SSAValue] = [*carried[:-2]]
        finished, any_finished = carried[-2:]
        for number, slot in enumerate(self.slots):
            if number not in self.slot_of_captured:
                kept[number] = slot.write(inner, kept[number], lane, after[number])
        if self.steps is not None:
            kept[len(self.slots)] = self.steps.advance(inner, kept[len(self.slots)], lane, goes_on)
        true = inner.insert(arith.ConstantOp(IntegerAttr(1, i1))).result
        flag = inner.insert(arith.ExtUIOp(inner.insert(arith.XOrIOp(goes_on, true)).result, i64)).result
        finished = inner.insert(tensor.InsertOp(flag, finished, [lane])).result
        any_finished = inner.insert(arith.OrIOp(any_finished, flag)).result
        inner.insert(scf.YieldOp(*kept, finished, any_finished))
        return builder.insert(scf.ForOp(*bounds, tables, Region(block))).results

    def one_iteration(
        self, builder: Builder, numbers: Sequence[list[SSAValue]], values: dict[SSAValue, SSAValue], rarely: bool
    ) -> tuple[SSAValue, list[list[SSAValue]]]:
        """An i1 that says whether the loop goes on after an iteration, and the values of the slots then."""
        inside = dict(values)
        for slot, argument in zip(self.slot_of_carried, self.loop.before_region.block.args, strict=True):
            inside[argument] = self.slots[slot].value(builder, numbers[slot])
        for op in self.computed(rarely):
            if not rarely and self.rare is not None and self.rare.is_choice(op):
                inside[op.results[0]] = inside.get(op.operands[2], op.operands[2])
            else:
                builder.insert(op.clone(inside))
        after = [*numbers]
        for slot, result, argument in zip(self.slot_of_result, self.condition.args, self.loop.after_region.block.args, strict=True):
            value = inside[argument] = inside.get(result, result)
            after[slot] = self.slots[slot].numbers(builder, value)
        self.clone(builder, list(self.loop.after_region.block.ops)[:-1], inside)
        for number in self.own:
            slot, value = self.slot_of_carried[number], self.following.operands[number]
            after[slot] = self.slots[slot].numbers(builder, inside.get(value, value))
        return inside.get(self.condition.condition, self.condition.condition), after

    def captured(self, builder: Builder, tables: Sequence[SSAValue], lane: SSAValue) -> dict[SSAValue, SSAValue]:
        """The values that the loop captures in a lane."""
        slots = zip(self.found.captured, self.slot_of_captured, strict=True)
        return {value: self.slots[slot].value(builder, self.slots[slot].read(builder, tables[slot], lane)) for value, slot in slots}

    def of_lane(self, builder: Builder, tables: Sequence[SSAValue], lane: SSAValue) -> dict[SSAValue, SSAValue]:
        """The values that the loop captures and carries in a lane."""
        carried = zip(self.loop.before_region.block.args, self.arguments(builder, tables, lane), strict=True)
        return self.captured(builder, tables, lane) | dict(carried)

    def arguments(self, builder: Builder, tables: Sequence[SSAValue], lane: SSAValue) -> list[SSAValue]:
        """The values that the loop carries in a lane."""
        slots = [(self.slots[slot], tables[slot]) for slot in self.slot_of_carried]
        return [slot.value(builder, slot.read(builder, table, lane)) for slot, table in slots]

    def looked_up(self, builder: Builder, tables: Sequence[SSAValue], step: int, lane: SSAValue) -> dict[SSAValue, SSAValue]:
        """The values of one of the next iterations that a table has."""
        return {} if self.steps is None else self.steps.looked_up(builder, tables[len(self.slots) + FOUND], step, lane)

    @property
    def looked_up_ops(self) -> set[Operation]:
        """The operations whose results are looked up in a table."""
        costly: Sequence[SSAValue] = () if self.steps is None else self.steps.values.costly
        return {value.owner for value in costly if isinstance(value.owner, Operation)}

    def computed(self, rarely: bool) -> list[Operation]:
        """The operations of an iteration, but for those that only values of a table, or rare ones, need."""
        block, looked_up = self.loop.before_region.block, self.looked_up_ops
        after = [operand for op in self.loop.after_region.block.walk() for operand in op.operands]
        condition = None if rarely or self.rare is None else self.rare.condition
        needed = needed_for([*self.condition.operands, *after], block, looked_up, condition)
        return [op for op in block.ops if op in needed and op not in looked_up]

    # Pieces

    def clone(self, builder: Builder, ops: Sequence[Operation], values: dict[SSAValue, SSAValue]) -> None:
        for op in ops:
            builder.insert(op.clone(values))

    def function(self, name: str, given: Sequence[Attribute], tables: Sequence[Attribute], results: Sequence[Attribute]) -> func.FuncOp:
        """A private function that updates tables, which come after what is given."""
        updates = [DictionaryAttr({"cog.updates": IntegerAttr(number, i64)}) for number in range(len(tables))]
        attributes = ArrayAttr([*[DictionaryAttr({})] * len(given), *updates])
        function = func.FuncOp(name, ([*given, *tables], [*tables, *results]), visibility="private", arg_attrs=attributes)
        before = [argument.name_hint for argument in self.found.trial.args]
        lane = [*before, "lane"] if name == BEGIN else before[:PARAMETERS]
        self.name_arguments(function, [*lane, *self.names, "finished"])
        return function

    def name_arguments(self, function: func.FuncOp, names: Sequence[str | None]) -> None:
        self.name(function.args, names)

    def name(self, values: Sequence[SSAValue], names: Sequence[str | None]) -> None:
        for value, hint in zip(values, names, strict=False):
            value.name_hint = hint


def simplify(loop: scf.WhileOp, module: ModuleOp) -> None:
    """
    Makes an iteration of the loop as small as possible: invariants are computed before the loop, and results that follow from
    others after it.
    """
    inline_all(loop, {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)})
    unroll_draws(loop)
    for region in loop.regions:
        scalarise(region.block)
    Hoister(EffectsTable(module)).hoist_from(loop)
    simplify_bounds(loop)
    recompute_results(loop)


def simplified_loop(module: ModuleOp, varying: Sequence[str], presamples: bool) -> tuple[LaneLoop | str, NormalsOfTrial | None]:
    """
    The loop of the trial of a module for replicates, simplified, if replicates can go through it side by side, else the reason in words;
    and the normals that its presampled generators draw, if they are few enough for lanes. If it `presamples`, generators become such ones
    where that lets replicates go side by side.
    """
    presampled = presampled_functions(module) if presamples else []
    found, draws = lane_loop(module, varying), None
    if not isinstance(found, str):
        simplify(found.loop, module)
        found = lane_loop(module, varying)
    if not isinstance(found, str):
        draws = draws_of(found, module)
        if draws is None and presampled:
            found = needs_another_generator(SOURCE.kind.data)
    if isinstance(found, str):
        not_presampled(presampled)
    return found, draws


def obstacles(module: ModuleOp, varying: Sequence[str] = ()) -> tuple[str, str]:
    """
    Why the trial of a module for replicates cannot be taken apart, and if it can, what keeps LLVM from vectorising the loop over lanes, in
    words; empty if nothing does. The loop is simplified on the way.
    """
    found, _ = simplified_loop(module, varying, presamples=True)
    return (found, "") if isinstance(found, str) else ("", loops_in_step(found.loop))


@dataclass(frozen=True)
class FillLanes(ModulePass):
    """Takes the trial of a module for replicates apart, so that they can go through its loop side by side."""

    name = "fill-lanes"

    lanes: int = LANES
    """The number of replicates that go through the loop side by side."""
    varying: tuple[str, ...] = ()
    """The paths of the parameters that differ between the points of a sweep, so that each lane has its own."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not any(isinstance(each, func.FuncOp) and each.sym_name.data == STREAMS for each in op.ops):
            return
        found, draws = simplified_loop(op, self.varying, presamples=self.lanes > 1)
        if isinstance(found, str):
            remarks.missed(trial_of(op), "not vectorised: replicates run one after the other, because {}", found)
            return
        if slow := loops_in_step(found.loop):
            remarks.missed(found.loop, "in {} lanes, one after the other in each step unless LLVM unrolls this: {}", self.lanes, slow)
        else:
            remarks.passed(found.loop, "vectorised: {} replicates go through the loop side by side", self.lanes)
        functions = LaneFunctions(found, self.lanes, CostTable(op))
        iterate = functions.iterate()
        iterate.attributes[INLINE] = StringAttr("always")
        iterate.attributes[OVER_LANES] = UnitAttr()
        if draws is not None:
            iterate.attributes[NORMALS] = draws.attribute(functions.count)
        if presampled := functions.presampled:
            iterate.attributes[TABLES] = DenseArrayBase.from_list(i64, [number for pair in presampled for number in pair])
        op.attributes[SIDE_BY_SIDE] = IntegerAttr(self.lanes, i64)
        for function in (functions.begin(), iterate, functions.end()):
            op.body.block.add_op(function)
        op.body.block.erase_op(found.trial)


def trial_of(module: ModuleOp) -> Operation:
    """The trial of a module; the module itself if it has none."""
    return next((op for op in module.ops if isinstance(op, func.FuncOp) and op.sym_name.data == "trial"), module)
