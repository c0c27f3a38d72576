"""
Computes each value of a grid once per combination of the axes that it depends on, not once per point.

Before: stage `machine`, after `cog-licm`.
After:  what depends on inner axes only stands in a table over these axes, filled before the loops of the others:

```mlir
                                                  %table = scf.for %j ... { %b = call @g(%j); tensor.insert %b into %t[%j] }
scf.for %i = 0 to 101 {                           scf.for %i = 0 to 101 {
  %a = call @f(%i)                                  %a = call @f(%i)
  scf.for %j = 0 to 101 {                    ->     scf.for %j = 0 to 101 {
    %b = call @g(%j)                                  %b = tensor.extract %table[%j]
    %c = arith.addf %a, %b                            %c = arith.addf %a, %b
```

The order of the loops is kept. What depends on the outermost axes is where it belongs already: `cog-licm` has put it there. With
`before_all` it goes into tables as well, which are all filled before the outermost loop: `outline-gpu` then leaves the loops around a
point away. A value goes into a table when computing it is more work than reading it (`analysis/op_cost.py`), and the table is small
enough to stay near the processor. A small array is kept component by component, each of them side by side for neighbouring levels, so
that neighbouring points can be computed in the lanes of one vector; a large one level by level.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import func, scf, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerType, ModuleOp, TensorType, f32, f64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from cogir import remarks
from cogir.analysis.axes import Axes, Grid, grid_at
from cogir.analysis.effects import EffectsTable
from cogir.analysis.op_cost import CostTable
from cogir.irutils import element_type_of, index_constant, shape_of, size_of

WORTH = 2
"""A value is kept when the work to compute it is at least so many times the number of words to read."""
WORDS = 1 << 17
"""No table is larger: a megabyte, which stays in a cache of the second level."""
SMALL = 16
"""An array of at most so many elements is kept component by component."""


@dataclass
class AxisGroup:
    """The operations that depend on the same axes, and those of their values that are kept in tables."""

    axes: Axes
    operations: list[Operation]
    kept: list[SSAValue]


class GridFactoring:
    """Factors one grid."""

    def __init__(self, grid: Grid, costs: CostTable, before_all: bool = False):
        """`before_all`: tables are filled before the outermost loop, also those over outer axes alone."""
        self.grid = grid
        self.costs = costs
        self.before_all = before_all
        self.depths = {grid.block(axis): axis for axis in range(len(grid.loops))}

    def run(self) -> None:
        """Builds tables, fewer axes first: what a table is computed from may stand in another one."""
        members: dict[Axes, list[Operation]] = {}
        for _, op in self.grid.operations():
            axes = self.grid.axes[op.results[0]] if op.results else None
            if axes is not None and self.outer(axes) != len(axes):
                members.setdefault(axes, []).append(op)
        for axes in sorted(members, key=lambda axes: (len(axes), *sorted(axes))):
            group = AxisGroup(axes, members[axes], [])
            for value in (result for op in group.operations for result in op.results):
                if self.is_worth_a_table(group, value):
                    group.kept.append(value)
            if group.kept:
                self.factor(group)

    def outer(self, axes: Axes) -> int:
        """The number of outermost axes that are all among these, whose loops a table is filled in."""
        if self.before_all:
            return 0
        return next(axis for axis in range(len(axes) + 1) if axis not in axes)

    def inner(self, axes: Axes) -> list[int]:
        """The axes of a table for values that depend on these: those below the first one that is missing."""
        return [axis for axis in sorted(axes) if axis >= self.outer(axes)]

    # Choice of the values kept in tables

    def is_worth_a_table(self, group: AxisGroup, value: SSAValue) -> bool:
        """True if a value is used beyond its group, can be kept, and is more work than reading it, given what is kept already."""
        if all(self.inside(use.operation, group.axes) for use in value.uses) or not can_be_kept(value.type):
            return False
        if self.before_all and isinstance(value.type, IndexType):
            return False  # a thread computes numbers of points from its own
        size = size_of(value.type)
        levels = prod(self.grid.extents[axis] for axis in self.inner(group.axes))
        end = len(self.grid.loops) if self.before_all else max(group.axes)
        skipped = prod(self.grid.extents[axis] for axis in range(self.outer(group.axes), end) if axis not in group.axes)
        if skipped == 1:
            return False
        if levels * size > WORDS:
            self.say_too_large(value, levels * size)
            return False
        if any(value.owner is kept.owner for kept in group.kept):
            return True
        work = sum(map(self.costs.of, self.slice(group, [value], group.kept)))
        return work >= WORTH * max(size, 1)

    def say_too_large(self, value: SSAValue, words: int) -> None:
        """Reports a table that is not made."""
        if isinstance(value.owner, Operation):
            text = "{} is computed at each point: a table would have {:,} words, and {:,} is the limit"
            remarks.missed(value.owner, text, value.owner.name, words, WORDS)

    def inside(self, user: Operation, axes: Axes) -> bool:
        """True if a user of a value depends on these axes alone."""
        top: Operation | None = user
        while top is not None and not (top.results and top.results[0] in self.grid.axes):
            top = top.parent_op()
        return top is not None and self.grid.axes[top.results[0]] == axes

    def slice(self, group: AxisGroup, values: Iterable[SSAValue], known: Iterable[SSAValue] = ()) -> list[Operation]:
        """The operations below where a group's tables are filled that values are computed by, from known ones on, in program order."""
        first = self.outer(group.axes)
        found: set[Operation] = set()
        ready = {value.owner for value in known}
        waiting = [value.owner for value in values]
        while waiting:
            op = waiting.pop()
            if isinstance(op, Block) or op in found or op in ready or not op.results or op.results[0] not in self.grid.axes:
                continue
            if op.parent is None or self.depths[op.parent] < first:
                continue
            found.add(op)
            waiting += [operand.owner for inner in op.walk() for operand in inner.operands]
        return [op for _, op in self.grid.operations() if op in found]

    # Tables

    def factor(self, group: AxisGroup) -> None:
        """Fills the tables of a group before the loop of the first axis that it skips, and reads them in its place."""
        axes = self.inner(group.axes)
        extents = [self.grid.extents[axis] for axis in axes]
        tables = self.filled(group, axes, extents)
        for value, table in zip(group.kept, tables, strict=True):
            table.name_hint = value.name_hint
            owner = value.owner
            assert isinstance(owner, Operation)
            remarks.count("tables made")
            remarks.passed(owner, "put {} into a table: {:,} entries for {:,} points", owner.name, prod(extents), prod(self.grid.extents))
            reader = Builder(InsertPoint.after(owner))
            read = read_entry(reader, table, value.type, [self.grid.index(axis) for axis in axes])
            read.name_hint = value.name_hint
            value.replace_all_uses_with(read)
            self.grid.axes[read] = group.axes
            op: Operation | None = owner.next_op
            while op is not None and op.results and op.results[0] not in self.grid.axes:
                self.grid.axes.update(dict.fromkeys(op.results, group.axes))
                op = op.next_op

    def filled(self, group: AxisGroup, axes: list[int], extents: list[int]) -> Sequence[SSAValue]:
        """The tables of a group's kept values."""
        builder = Builder(InsertPoint.before(self.grid.loops[self.outer(group.axes)]))
        types = [table_type(value.type, extents) for value in group.kept]
        carried: Sequence[SSAValue] = [builder.insert(tensor.EmptyOp((), each)).tensor for each in types]
        zero, one = (builder.insert(index_constant(number)).result for number in (0, 1))
        ends = [builder.insert(index_constant(extent)).result for extent in extents]
        outermost: scf.ForOp | None = None
        indices: dict[SSAValue, SSAValue] = {}
        for axis, end in zip(axes, ends, strict=True):
            block = Block(arg_types=[IndexType(), *types])
            loop = builder.insert(scf.ForOp(zero, end, one, carried, Region(block)))
            if outermost is None:
                outermost = loop
            else:
                builder.insert(scf.YieldOp(*loop.results))
            indices[self.grid.index(axis)] = block.args[0]
            block.args[0].name_hint = self.grid.index(axis).name_hint
            carried = block.args[1:]
            builder = Builder(InsertPoint.at_end(block))
        values = dict(indices)
        for op in self.slice(group, group.kept):
            builder.insert(op.clone(values))
        position = list(indices.values())
        after = [write_entry(builder, values[old], table, position) for old, table in zip(group.kept, carried, strict=True)]
        builder.insert(scf.YieldOp(*after))
        assert outermost is not None
        return outermost.results


def can_be_kept(value_type: Attribute) -> bool:
    """True if values of a type can stand in a table: numbers, flags, and arrays of them."""
    element = element_type_of(value_type)
    return isinstance(element, IntegerType | IndexType) or element in (f64, f32)


def is_array(value_type: Attribute) -> bool:
    """True if values of a type are arrays."""
    return isinstance(value_type, TensorType)


def table_type(value_type: Attribute, extents: Sequence[int]) -> TensorType[Attribute]:
    """The type of a table of values of `value_type` over levels; a small array first by component, then by level."""
    shape, element = shape_of(value_type), element_type_of(value_type)
    if not is_array(value_type):
        return TensorType(element, extents)
    if size_of(value_type) <= SMALL:
        return TensorType(element, (size_of(value_type), *extents))
    return TensorType(element, (*extents, *shape))


def write_entry(builder: Builder, value: SSAValue, table: SSAValue, levels: Sequence[SSAValue]) -> SSAValue:
    """The table with a value at some levels."""
    shape = shape_of(value.type)
    if not is_array(value.type):
        return builder.insert(tensor.InsertOp(value, table, levels)).result
    if size_of(value.type) <= SMALL:
        for number, position in enumerate(product(*map(range, shape))):
            inside = [builder.insert(index_constant(place)).result for place in position]
            part = builder.insert(tensor.ExtractOp(value, inside, element_type_of(value.type))).result
            component = builder.insert(index_constant(number)).result
            table = builder.insert(tensor.InsertOp(part, table, [component, *levels])).result
        return table
    return builder.insert(
        tensor.InsertSliceOp.get(
            value,
            table,
            static_sizes=[1] * len(levels) + list(shape),
            static_offsets=[DYNAMIC_INDEX] * len(levels) + [0] * len(shape),
            offsets=list(levels),
        )
    ).result


def read_entry(builder: Builder, table: SSAValue, value_type: Attribute, levels: Sequence[SSAValue]) -> SSAValue:
    """The value that a table holds at some levels."""
    if not is_array(value_type):
        return builder.insert(tensor.ExtractOp(table, levels, value_type)).result
    if size_of(value_type) <= SMALL:
        components = [builder.insert(index_constant(number)).result for number in range(size_of(value_type))]
        parts = [
            builder.insert(tensor.ExtractOp(table, [component, *levels], element_type_of(value_type))).result for component in components
        ]
        return builder.insert(tensor.FromElementsOp.create(operands=parts, result_types=[value_type])).results[0]
    shape = list(shape_of(value_type))
    offsets, sizes = [*levels, *(0 for _ in shape)], [1] * len(levels) + shape
    return builder.insert(tensor.ExtractSliceOp(table, offsets, sizes, [1] * len(sizes), value_type)).result


@dataclass(frozen=True)
class FactorGrid(ModulePass):
    """Computes each value of a grid once per combination of the axes that it depends on."""

    name = "factor-grid"

    before_all: bool = False
    """True for kernels, whose threads have points of their own: tables are filled before the outermost loop."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        effects, costs = EffectsTable(op), CostTable(op)
        for function in [each for each in op.ops if isinstance(each, func.FuncOp) and not each.is_declaration]:
            for loop in [each for each in function.walk() if isinstance(each, scf.ForOp)]:
                grid = grid_at(loop, effects) if loop.parent is not None else None
                if grid is not None and len(grid.loops) > 1:
                    GridFactoring(grid, costs, self.before_all).run()
