"""
A table of what depends on the number of the iteration alone, for loops that many replicates go through side by side.

Replicates differ in how far they are, so each would compute `exp` of the same times again. Instead, the values of each iteration are
computed once and kept, and a lane looks its own up by the number of its iteration:

```mlir
%index : tensor<48xi64>             // the number of the next iteration of each lane
%entry_count : tensor<1xi64>        // one more than the number of entries; 0 if no lane has begun
%entries : tensor<1x65536xf64>      // the values of iterations 0, 1, ...
%time : tensor<2xf64>               // a carried value that they follow from: at the start, and after the last entry
%found : tensor<2x48xf64>           // the values of the next two iterations of each lane
```

The first lane that begins says what the table starts from. A lane that starts from other bits, or does not fulfil the conditions of
`StepValues`, gets a number behind the end of the table. While some lane is there, or has made `CAPACITY` iterations, the values of all
lanes are computed as without a table. Both ways do the same operations on the same numbers, so results are the same bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.builder import Builder
from xdsl.dialects import arith, scf, tensor
from xdsl.dialects.builtin import IndexType, IntegerAttr, TensorType, f64, i1, i64
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.rewriter import InsertPoint

from cogir.analysis.lane_loop import LaneLoop
from cogir.analysis.step_values import StepValues
from cogir.irutils import index_constant
from cogir.transforms.lane_tables import LaneValue

CAPACITY = 65536
"""The entries of a table: 512 KiB for each value, on the heap; only those that are needed are computed."""
INDEX, ENTRY_COUNT, ENTRIES, FOUND = range(4)
NAMES = ("index", "entry_count", "entries", "found")
Values = dict[SSAValue, SSAValue]


@dataclass
class StepTable:
    """The table of one loop: the code that begins, fills and reads it. `steps` iterations are made at once."""

    loop: LaneLoop
    values: StepValues
    lanes: int
    steps: int

    def __post_init__(self) -> None:
        arguments = self.loop.loop.before_region.block.args
        self.carried = [arguments[number] for number in self.values.carried]
        self.slots = [LaneValue(argument.type) for argument in self.carried]
        self.count = len(self.values.costly)
        self.names: list[str | None] = [*NAMES, *(argument.name_hint for argument in self.carried)]

    @property
    def types(self) -> list[Attribute]:
        """The types of its tensors: index, entry_count, entries, found, then the carried values."""
        found = TensorType(f64, [self.steps * self.count, self.lanes])
        fixed = [TensorType(i64, [self.lanes]), TensorType(i64, [1]), TensorType(f64, [self.count, CAPACITY]), found]
        return [*fixed, *(slot.table_type(2) for slot in self.slots)]

    @property
    def compared(self) -> list[SSAValue]:
        """The values from before the loop that its conditions read."""
        return [op.rhs for op in self.values.conditions]

    # A lane begins

    def begin(self, builder: Builder, values: Values, lane: SSAValue, tables: Sequence[SSAValue]) -> list[SSAValue]:
        """The number of a lane that begins, and what the table starts from if it is the first one."""
        tables = list(tables)
        zero, one = (builder.insert(index_constant(row)).result for row in (0, 1))
        nothing, some, far = self.integers(builder, 0, 1, CAPACITY)
        starts = [values[value] for value in self.loop.loop.arguments]
        is_usual = self.hold(builder, values | dict(zip(self.loop.loop.before_region.block.args, starts, strict=True)))
        entry_count = builder.insert(tensor.ExtractOp(tables[ENTRY_COUNT], [zero], i64)).result
        is_new = builder.insert(arith.CmpiOp(entry_count, nothing, "eq")).result
        is_first = builder.insert(arith.AndIOp(is_new, is_usual)).result
        for place, (slot, number) in enumerate(zip(self.slots, self.values.carried, strict=True), len(NAMES)):
            (start,) = slot.numbers(builder, starts[number])
            for row in (one, zero):
                (old,) = slot.read(builder, tables[place], row)
                held = builder.insert(arith.SelectOp(is_first, start, old)).result
                tables[place] = slot.write(builder, tables[place], row, [held])
            is_same = builder.insert(arith.CmpiOp(bits(builder, start), bits(builder, held), "eq")).result
            is_usual = builder.insert(arith.AndIOp(is_usual, is_same)).result
        entry_count = builder.insert(arith.SelectOp(is_first, some, entry_count)).result
        tables[ENTRY_COUNT] = builder.insert(tensor.InsertOp(entry_count, tables[ENTRY_COUNT], [zero])).result
        index = builder.insert(arith.SelectOp(is_usual, nothing, far)).result
        tables[INDEX] = builder.insert(tensor.InsertOp(index, tables[INDEX], [lane])).result
        return tables

    def hold(self, builder: Builder, values: Values) -> SSAValue:
        """True if the conditions hold for the values of a lane."""
        held = builder.insert(arith.ConstantOp(IntegerAttr(1, i1))).result
        for result in self.conditions(builder, values).values():
            held = builder.insert(arith.AndIOp(held, result)).result
        return held

    def conditions(self, builder: Builder, values: Values) -> Values:
        """The conditions for the values of a lane: what the loop carries in it, and what its conditions compare this with."""
        return {op.result: builder.insert(op.clone(dict(values))).results[0] for op in self.values.conditions}

    # The next iterations of all lanes

    def look_up(
        self,
        builder: Builder,
        bounds: tuple[SSAValue, SSAValue, SSAValue],
        values: Values,
        tables: Sequence[SSAValue],
        of_lane: Callable[[Builder, SSAValue], Values],
    ) -> list[SSAValue]:
        """
        Finds the values of the next iterations of all lanes. `values` has what stands before the loop and is shared, `of_lane` gives
        what the loop captures and carries in a lane.
        """
        nothing, last = self.integers(builder, 0, CAPACITY - self.steps)
        top = self.highest_index(builder, bounds, nothing, tables[INDEX])
        fits = builder.insert(arith.CmpiOp(top, last, "sle")).result
        branches = [Block(), Block()]
        inner = Builder(InsertPoint.at_end(branches[0]))
        read = self.filled(inner, values, tables, top)
        read[FOUND] = self.for_each(inner, bounds, read[FOUND], self.reader(read))
        inner.insert(scf.YieldOp(*read[ENTRY_COUNT:]))
        inner = Builder(InsertPoint.at_end(branches[1]))
        found = self.for_each(inner, bounds, tables[FOUND], self.computer(values, of_lane))
        inner.insert(scf.YieldOp(*tables[ENTRY_COUNT:FOUND], found, *tables[FOUND + 1 :]))
        choice = scf.IfOp(fits, [table.type for table in tables[ENTRY_COUNT:]], Region(branches[0]), Region(branches[1]))
        return [tables[INDEX], *builder.insert(choice).results]

    def highest_index(self, builder: Builder, bounds: tuple[SSAValue, SSAValue, SSAValue], least: SSAValue, index: SSAValue) -> SSAValue:
        """The number of the next iteration of the lane that is the farthest."""
        block = Block(arg_types=[IndexType(), i64])
        inner = Builder(InsertPoint.at_end(block))
        number = inner.insert(tensor.ExtractOp(index, [block.args[0]], i64)).result
        inner.insert(scf.YieldOp(inner.insert(arith.MaxSIOp(number, block.args[1])).result))
        return builder.insert(scf.ForOp(*bounds, [least], Region(block))).results[0]

    def filled(self, builder: Builder, values: Values, tables: Sequence[SSAValue], top: SSAValue) -> list[SSAValue]:
        """The table with the entries up to the last of the next iterations of the lane that is the farthest."""
        zero, one = (builder.insert(index_constant(row)).result for row in (0, 1))
        some, steps = self.integers(builder, 1, self.steps)
        entry_count = builder.insert(tensor.ExtractOp(tables[ENTRY_COUNT], [zero], i64)).result
        entries = builder.insert(arith.SubiOp(entry_count, some)).result
        end = builder.insert(arith.AddiOp(top, steps)).result
        is_short = builder.insert(arith.CmpiOp(entries, end, "slt")).result
        changing = [tables[ENTRY_COUNT], tables[ENTRIES], *tables[FOUND + 1 :]]
        branches = [Block(), Block()]
        inner = Builder(InsertPoint.at_end(branches[0]))
        starts = [slot.value(inner, slot.read(inner, table, one)) for slot, table in zip(self.slots, tables[FOUND + 1 :], strict=True)]
        block = Block(arg_types=[IndexType(), tables[ENTRIES].type, *(start.type for start in starts)])
        entry = Builder(InsertPoint.at_end(block))
        costly, following = self.one_step(entry, values, block.args[2:], None)
        entry.insert(scf.YieldOp(self.written(entry, block.args[1], 0, block.args[0], costly), *following))
        first, behind = (inner.insert(arith.IndexCastOp(number, IndexType())).result for number in (entries, end))
        made, *last = inner.insert(scf.ForOp(first, behind, one, [tables[ENTRIES], *starts], Region(block))).results
        entry_count = inner.insert(tensor.InsertOp(inner.insert(arith.AddiOp(end, some)).result, tables[ENTRY_COUNT], [zero])).result
        held = [
            slot.write(inner, table, one, slot.numbers(inner, value))
            for slot, table, value in zip(self.slots, tables[FOUND + 1 :], last, strict=True)
        ]
        inner.insert(scf.YieldOp(entry_count, made, *held))
        Builder(InsertPoint.at_end(branches[1])).insert(scf.YieldOp(*changing))
        choice = scf.IfOp(is_short, [table.type for table in changing], Region(branches[0]), Region(branches[1]))
        entry_count, made, *held = builder.insert(choice).results
        return [tables[INDEX], entry_count, made, tables[FOUND], *held]

    def one_step(
        self, builder: Builder, values: Values, carried: Sequence[SSAValue], conditions: Values | None
    ) -> tuple[list[SSAValue], list[SSAValue]]:
        """The costly values of an iteration and what the next one starts from; without `conditions` all of them hold."""
        inside = values | dict(zip(self.carried, carried, strict=True))
        if conditions is None:
            true = builder.insert(arith.ConstantOp(IntegerAttr(1, i1))).result
            conditions = {op.result: true for op in self.values.conditions}
        inside |= conditions
        for op in self.values.ops:
            builder.insert(op.clone(inside))
        return [inside[value] for value in self.values.costly], [inside.get(value, value) for value in self.values.following]

    def reader(self, tables: Sequence[SSAValue]) -> Callable[[Builder, SSAValue, SSAValue], SSAValue]:
        """Looks the values of a lane up in the table."""

        def read(builder: Builder, lane: SSAValue, found: SSAValue) -> SSAValue:
            index = builder.insert(tensor.ExtractOp(tables[INDEX], [lane], i64)).result
            for step in range(self.steps):
                (number,) = self.integers(builder, step)
                place = builder.insert(arith.IndexCastOp(builder.insert(arith.AddiOp(index, number)).result, IndexType())).result
                rows = [builder.insert(index_constant(row)).result for row in range(self.count)]
                costly = [builder.insert(tensor.ExtractOp(tables[ENTRIES], [row, place], f64)).result for row in rows]
                found = self.written(builder, found, step, lane, costly)
            return found

        return read

    def computer(self, values: Values, of_lane: Callable[[Builder, SSAValue], Values]) -> Callable[[Builder, SSAValue, SSAValue], SSAValue]:
        """Computes the values of a lane. Those of later iterations are read only if the conditions hold there."""

        def compute(builder: Builder, lane: SSAValue, found: SSAValue) -> SSAValue:
            held = of_lane(builder, lane)
            carried = [held[argument] for argument in self.carried]
            conditions: Values | None = self.conditions(builder, values | held)
            for step in range(self.steps):
                costly, carried = self.one_step(builder, values, carried, conditions)
                found = self.written(builder, found, step, lane, costly)
                conditions = None
            return found

        return compute

    def for_each(
        self,
        builder: Builder,
        bounds: tuple[SSAValue, SSAValue, SSAValue],
        found: SSAValue,
        one: Callable[[Builder, SSAValue, SSAValue], SSAValue],
    ) -> SSAValue:
        """Writes the values of each lane."""
        block = Block(arg_types=[IndexType(), found.type])
        inner = Builder(InsertPoint.at_end(block))
        inner.insert(scf.YieldOp(one(inner, *block.args)))
        return builder.insert(scf.ForOp(*bounds, [found], Region(block))).results[0]

    def written(self, builder: Builder, table: SSAValue, step: int, place: SSAValue, costly: Sequence[SSAValue]) -> SSAValue:
        """A table with the values of one iteration at a place of its rows."""
        for number, value in enumerate(costly, step * self.count):
            row = builder.insert(index_constant(number)).result
            table = builder.insert(tensor.InsertOp(value, table, [row, place])).result
        return table

    # The iterations

    def looked_up(self, builder: Builder, found: SSAValue, step: int, lane: SSAValue) -> Values:
        """The costly values of one of the next iterations of a lane."""
        rows = [builder.insert(index_constant(step * self.count + number)).result for number in range(self.count)]
        return {
            value: builder.insert(tensor.ExtractOp(found, [row, lane], f64)).result
            for row, value in zip(rows, self.values.costly, strict=True)
        }

    def advance(self, builder: Builder, index: SSAValue, lane: SSAValue, goes_on: SSAValue) -> SSAValue:
        """The numbers of the iterations after these; finished lanes go back to the start, lanes without a replicate may count on."""
        nothing, steps = self.integers(builder, 0, self.steps)
        number = builder.insert(tensor.ExtractOp(index, [lane], i64)).result
        later = builder.insert(arith.AddiOp(number, steps)).result
        return builder.insert(tensor.InsertOp(builder.insert(arith.SelectOp(goes_on, later, nothing)).result, index, [lane])).result

    @staticmethod
    def integers(builder: Builder, *numbers: int) -> list[SSAValue]:
        return [builder.insert(arith.ConstantOp(IntegerAttr(number, i64))).result for number in numbers]


def bits(builder: Builder, number: SSAValue) -> SSAValue:
    """The bits of a number of a table."""
    return builder.insert(arith.BitcastOp(number, i64)).result if number.type == f64 else number
