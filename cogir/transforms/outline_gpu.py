"""
Makes searches for the first best value kernels for GPUs, and replicates too.

Before: stage `machine`, after `reservoir-sampling` and `replicate`.
After:

```mlir
%best, %at = scf.for %i = 0 to 101                  %bests, %ats = func.call @search_0(%0, %10201, %neutral, %zeros, %a) {cog.launch = 0}
    iter_args(%best, %at) {                   ->    %best, %at = scf.for %row = 0 to 2048 iter_args(%best = inf, %at = 0) {
  %b = ... %i                                         // the better of this one and that of the row
  scf.for %j = 0 to 101 iter_args(...) {            }
    ...
  }
} {cog.first_optimum = "minimize"}

func.func private @search_0_points(%first: index, %last: index, %stride: index, %a) -> (f64, i64) {
  scf.for %point = %first to %last step %stride iter_args(%best = inf, %at = 0) {
    %i = %point / 101
    %j = %point % 101
    // the bodies of all loops
  }
}
func.func private @search_0(%first: index, %last: index, %bests {cog.updates}, %ats {cog.updates}, %a) attributes {cog.kernel = 0} {
  // what @search_0_points finds from %first to %last goes into row 0
}
```

On a GPU each thread calls `@search_0_points` for the points that are its own, and `add-entry` makes `@search_0` the kernel around it,
whose blocks have a row each (`lowering/entry/search_kernel.py`). A host without a GPU calls `@search_0` as it stands here.

Optima are compared by an order in which no two points are equal: NaN at point 0, which the sequential search keeps, then the better
value, then the lower point. So the result is the same bits however points are shared out. The first error is that of the lowest point
that has one. Counts of events are sums. What loops over outer axes compute is computed for each point anew if it is cheap;
`factor-grid` has put the rest into tables.

Searches that draw among ties stay as they are: closeness is not transitive, and each tie takes a draw. In a module for replicates the
replicates are the kernel, and searches are a part of each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, func, scf, tensor
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    TensorType,
    UnitAttr,
    f64,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from cogir import remarks
from cogir.analysis.axes import extent_of, next_loop
from cogir.analysis.first_optimum import FIRST_OPTIMUM, FirstOptimum, first_optimum
from cogir.analysis.signatures import KERNEL, LAUNCH
from cogir.irutils import dense_of_array, index_constant, replace_by, size_of
from cogir.transforms.captured import captured_by
from cogir.transforms.outlined_search import add_row, first_status, insert_constants, range_function, worst_value
from cogir.transforms.replicate import STREAMS

ROWS = 2048
"""The rows of the tables, one for each block: about as many blocks as the largest GPUs have at a time."""
TABLES = "cog.tables"
"""The attribute of a function that a kernel stands for: the names of its tables, which are the arguments after the range."""
POINTS = "_points"
"""What is added to the name of a search."""


@dataclass(frozen=True)
class PartOptimum:
    """The optimum of a part of a search with its point, and the first error with its point if there can be one."""

    best: SSAValue
    point: SSAValue
    status: SSAValue | None = None
    failed: SSAValue | None = None

    @staticmethod
    def of(values: Sequence[SSAValue]) -> PartOptimum:
        """From the values in order."""
        return PartOptimum(*values)

    def values(self) -> list[SSAValue]:
        """The values in order."""
        return [value for value in (self.best, self.point, self.status, self.failed) if value is not None]


def better_of(builder: Builder, one: PartOptimum, other: PartOptimum, minimizes: bool) -> PartOptimum:
    """What two parts of a search have found together, in whichever order they are given."""

    def either(first: SSAValue, second: SSAValue) -> SSAValue:
        return builder.insert(arith.OrIOp(first, second)).result

    def both(first: SSAValue, second: SSAValue) -> SSAValue:
        return builder.insert(arith.AndIOp(first, second)).result

    def compared(first: SSAValue, relation: str, second: SSAValue) -> SSAValue:
        return builder.insert(arith.CmpfOp(first, second, relation)).result

    def less(first: SSAValue, second: SSAValue) -> SSAValue:
        return builder.insert(arith.CmpiOp(first, second, "slt")).result

    def chosen(condition: SSAValue, first: SSAValue, second: SSAValue) -> SSAValue:
        return builder.insert(arith.SelectOp(condition, first, second)).result

    is_nan = compared(other.best, "uno", other.best)
    is_better = compared(other.best, "olt" if minimizes else "ogt", one.best)
    is_before = both(compared(other.best, "oeq", one.best), less(other.point, one.point))
    taken = either(is_nan, either(is_better, is_before))
    best, point = chosen(taken, other.best, one.best), chosen(taken, other.point, one.point)
    if one.status is None or one.failed is None or other.status is None or other.failed is None:
        return PartOptimum(best, point)
    fails_before = less(other.failed, one.failed)
    return PartOptimum(best, point, chosen(fails_before, other.status, one.status), chosen(fails_before, other.failed, one.failed))


def grid_loops(loop: scf.ForOp) -> list[scf.ForOp]:
    """The loops of a grid whose bodies can be run for each point: no value outside of the innermost one depends on what is carried."""
    loops = [loop]
    while (inner := next_loop(loops[-1])) is not None:
        outer = loops[-1].body.block
        carried = set(outer.args[1:])
        others = [op for op in outer.ops if op is not inner and op is not outer.last_op]
        uses_carried = any(operand in carried for op in others for part in op.walk() for operand in part.operands)
        assert outer.last_op is not None
        if uses_carried or list(inner.iter_args) != list(outer.args[1:]) or list(outer.last_op.operands) != list(inner.results):
            break
        loops.append(inner)
    return loops


class SearchOutliner:
    """Outlines one search."""

    def __init__(self, loop: scf.ForOp, carried: FirstOptimum, number: int, name: str):
        self.loop = loop
        self.carried = carried
        self.number = number
        self.name = name
        self.loops = grid_loops(loop)
        self.extents = [extent_of(each) or 0 for each in self.loops]
        self.points = prod(self.extents)
        self.constants, self.captured = captured_by(loop, [] if carried.status is None else [loop.iter_args[carried.status]])
        self.flags = 0 if carried.counts is None else size_of(loop.iter_args[carried.counts].type)
        """The number of counts of events."""
        self.elements: list[Attribute] = [f64, i64] if carried.status is None else [f64, i64, i64, i64]
        """The types of what is found."""

    def outline(self) -> list[func.FuncOp]:
        """Replaces the loop by a call and a choice among the rows; gives the functions."""
        builder = Builder(InsertPoint.before(self.loop))
        zero, one, end, rows = (builder.insert(index_constant(number)).result for number in (0, 1, self.points, ROWS))
        tables = self.tables(builder)
        call = builder.insert(func.CallOp(self.name, [zero, end, *tables, *self.captured], [table.type for table in tables]))
        call.attributes[LAUNCH] = IntegerAttr(self.number, i64)
        call.location = self.loop.location
        results: list[SSAValue] = [*self.loop.iter_args]
        merged = self.merge(builder, zero, one, rows, call.results)
        results[self.carried.best] = merged[0]
        results[self.carried.point] = builder.insert(arith.IndexCastOp(merged[1], IndexType())).result
        if self.carried.status is not None:
            results[self.carried.status] = first_status(builder, self.loop.iter_args[self.carried.status], merged[2])
        if self.carried.counts is not None:
            results[self.carried.counts] = merged[-1]
        if self.carried.values is not None:
            results[self.carried.values] = call.results[-1]
        functions = [self.points_function(), self.search_function([table.type for table in tables])]
        replace_by(self.loop, results)
        return functions

    def neutral(self) -> list[float | int]:
        """What a part of a search without points has found."""
        return [worst_value(self.carried), 0, 0, self.points][: len(self.elements)]

    def tables(self, builder: Builder) -> list[SSAValue]:
        """Tables of neutral rows, and what the search fills besides."""
        made: list[SSAValue] = []
        for element, value in zip(self.elements, self.neutral(), strict=True):
            array = np.full(ROWS, value, np.float64 if element == f64 else np.int64)
            made.append(builder.insert(arith.ConstantOp(dense_of_array(array))).result)
        if self.carried.counts is not None:
            made.append(builder.insert(arith.ConstantOp(dense_of_array(np.zeros((ROWS, self.flags), np.int64)))).result)
        return made if self.carried.values is None else [*made, self.loop.iter_args[self.carried.values]]

    # A thread's points

    def points_function(self) -> func.FuncOp:
        """The search over every `stride`-th point of a range."""
        index = IndexType()
        after: list[Attribute] = [*self.elements]
        values = [] if self.carried.values is None else [self.loop.iter_args[self.carried.values].type]
        counts = [] if self.carried.counts is None else [TensorType(i64, [self.flags])]
        inputs: list[Attribute] = [index, index, index, *values, *(value.type for value in self.captured)]
        attributes = [DictionaryAttr({}) for _ in inputs]
        outputs = [*after, *counts, *values]
        if values:
            attributes[3] = DictionaryAttr({"cog.updates": IntegerAttr(len(outputs) - 1, i64)})
        function = func.FuncOp(self.name + POINTS, (inputs, outputs), visibility="private", arg_attrs=ArrayAttr(attributes))
        first, last, stride, *rest = function.args
        held, given = rest[: len(values)], rest[len(values) :]
        hints = ["first", "last", "stride", *(["values"] if values else [])]
        for argument, hint in zip(function.args, hints, strict=False):
            argument.name_hint = hint
        inside: dict[SSAValue, SSAValue] = dict(zip(self.captured, given, strict=True))
        for old, new in inside.items():
            new.name_hint = old.name_hint
        builder = Builder(InsertPoint.at_end(function.body.block))
        insert_constants(builder, self.constants, inside)
        initial = [*self.begun(builder, inside), *held]
        block = Block(arg_types=[index, *(value.type for value in initial)])
        self.point(block, inside)
        loop = builder.insert(scf.ForOp(first, last, stride, initial, Region(block)))
        results = list(loop.results)
        results[1] = builder.insert(arith.IndexCastOp(results[1], i64)).result
        if self.carried.status is not None:
            results[3] = builder.insert(arith.IndexCastOp(results[3], i64)).result
        builder.insert(func.ReturnOp(*results))
        return function

    def begun(self, builder: Builder, inside: dict[SSAValue, SSAValue]) -> list[SSAValue]:
        """The values that a thread begins with: best, point, status and point of the first error, counts."""
        begun: list[SSAValue] = [
            builder.insert(arith.ConstantOp(FloatAttr(worst_value(self.carried), f64))).result,
            builder.insert(index_constant(0)).result,
        ]
        if self.carried.status is not None:
            status = self.loop.iter_args[self.carried.status]
            begun += [inside.get(status, status), builder.insert(index_constant(self.points)).result]
        if self.carried.counts is not None:
            begun.append(builder.insert(arith.ConstantOp(dense_of_array(np.zeros(self.flags, np.int64)))).result)
        return begun

    def point(self, block: Block, values: dict[SSAValue, SSAValue]) -> None:
        """One point: the bodies of all loops, with what they carry."""
        builder = Builder(InsertPoint.at_end(block))
        number, *carried = block.args
        number.name_hint = "point"
        inside = dict(values)
        indices = self.indices(builder, number)
        by_role = self.by_role(carried)
        for depth, (loop, index) in enumerate(zip(self.loops, indices, strict=True)):
            body = loop.body.block
            inside[body.args[0]] = index
            index.name_hint = body.args[0].name_hint
            for role, value in by_role.items():
                inside[body.args[1 + role]] = value
                value.name_hint = body.args[1 + role].name_hint
            inner = self.loops[depth + 1] if depth + 1 < len(self.loops) else None
            for op in body.ops:
                if op is not inner and op is not body.last_op:
                    builder.insert(op.clone(inside))
        end = self.loops[-1].body.block.last_op
        assert end is not None
        found = [inside.get(operand, operand) for operand in end.operands]
        after = [found[self.carried.best], found[self.carried.point]]
        if self.carried.status is not None:
            status = found[self.carried.status]
            after += [status, self.first_failure(builder, carried[2], status, carried[3], number)]
        after += [found[role] for role in (self.carried.counts, self.carried.values) if role is not None]
        builder.insert(scf.YieldOp(*after))

    def by_role(self, carried: Sequence[SSAValue]) -> dict[int, SSAValue]:
        """What a thread carries, by the number that it has in the loops."""
        given = iter(carried)
        found = {self.carried.best: next(given), self.carried.point: next(given)}
        if self.carried.status is not None:
            found[self.carried.status] = next(given)
            next(given)
        found |= {role: next(given) for role in (self.carried.counts, self.carried.values) if role is not None}
        return found

    def indices(self, builder: Builder, number: SSAValue) -> list[SSAValue]:
        """The indices along all axes, the last of which is the fastest."""
        found: list[SSAValue] = []
        for extent in reversed(self.extents[1:]):
            size = builder.insert(index_constant(extent)).result
            found.append(builder.insert(arith.RemUIOp(number, size)).result)
            number = builder.insert(arith.DivUIOp(number, size)).result
        return [number, *reversed(found)]

    @staticmethod
    def first_failure(builder: Builder, before: SSAValue, status: SSAValue, failed: SSAValue, number: SSAValue) -> SSAValue:
        """The point of the first error so far."""
        zero = builder.insert(arith.ConstantOp(IntegerAttr(0, i64))).result
        was_fine = builder.insert(arith.CmpiOp(before, zero, "eq")).result
        is_wrong = builder.insert(arith.CmpiOp(status, zero, "ne")).result
        is_first = builder.insert(arith.AndIOp(was_fine, is_wrong)).result
        return builder.insert(arith.SelectOp(is_first, number, failed)).result

    # A search as one thread alone does it

    def search_function(self, types: Sequence[Attribute]) -> func.FuncOp:
        """The search over a range of points, whose result goes into row 0 of the tables."""
        function = range_function(self.name, types, self.names(), self.captured)
        function.attributes[KERNEL] = IntegerAttr(self.number, i64)
        function.attributes[TABLES] = ArrayAttr(StringAttr(name) for name in self.names())
        function.attributes[FIRST_OPTIMUM] = self.loop.attributes[FIRST_OPTIMUM]
        first, last, *rest = function.args
        tables, given = list(rest[: len(types)]), rest[len(types) :]
        builder = Builder(InsertPoint.at_end(function.body.block))
        zero, one = (builder.insert(index_constant(number)).result for number in (0, 1))
        count = len(self.elements)
        held = tables[-1:] if self.carried.values is not None else []
        counts = [] if self.carried.counts is None else [TensorType(i64, [self.flags])]
        results = [*self.elements, *counts, *(table.type for table in held)]
        call = builder.insert(func.CallOp(self.name + POINTS, [first, last, one, *held, *given], results))
        before = PartOptimum.of(
            [builder.insert(tensor.ExtractOp(tables[number], zero, self.elements[number])).result for number in range(count)]
        )
        found = better_of(builder, before, PartOptimum.of(call.results[:count]), self.carried.minimizes).values()
        after: list[SSAValue] = [
            builder.insert(tensor.InsertOp(value, table, [zero])).result for value, table in zip(found, tables, strict=False)
        ]
        if self.carried.counts is not None:
            after.append(self.add_counts(builder, tables[count], call.results[count], zero))
        if held:
            after.append(call.results[-1])
        builder.insert(func.ReturnOp(*after))
        return function

    def optimum_in(self, builder: Builder, tables: Sequence[SSAValue], row: SSAValue) -> PartOptimum:
        """The optimum in a row of the tables."""
        held = zip(tables, self.elements, strict=False)
        return PartOptimum.of([builder.insert(tensor.ExtractOp(table, row, element)).result for table, element in held])

    def names(self) -> list[str]:
        """The names of the tables."""
        found = ["bests", "points", "statuses", "failures"][: len(self.elements)]
        return [*found, *(["counts"] if self.carried.counts is not None else []), *(["values"] if self.carried.values is not None else [])]

    def add_counts(self, builder: Builder, table: SSAValue, counts: SSAValue, row: SSAValue) -> SSAValue:
        """The table with the numbers of events added to those of a row."""
        for number in range(self.flags):
            place = builder.insert(index_constant(number)).result
            count = builder.insert(tensor.ExtractOp(counts, [place], i64)).result
            before = builder.insert(tensor.ExtractOp(table, [row, place], i64)).result
            table = builder.insert(tensor.InsertOp(builder.insert(arith.AddiOp(before, count)).result, table, [row, place])).result
        return table

    # The host's choice among rows

    def merge(self, builder: Builder, zero: SSAValue, one: SSAValue, rows: SSAValue, tables: Sequence[SSAValue]) -> Sequence[SSAValue]:
        """What the rows have found together, and all events."""
        count = len(self.elements)
        initial: list[SSAValue] = []
        for element, value in zip(self.elements, self.neutral(), strict=True):
            constant = FloatAttr(float(value), f64) if element == f64 else IntegerAttr(int(value), i64)
            initial.append(builder.insert(arith.ConstantOp(constant)).result)
        if self.carried.counts is not None:
            initial.append(self.loop.iter_args[self.carried.counts])
        block = Block(arg_types=[IndexType(), *(value.type for value in initial)])
        row, *carried = block.args
        hints = ["row", "best", "point", *(["status", "failed"] if count == 4 else [])]
        for argument, hint in zip(block.args, hints, strict=False):
            argument.name_hint = hint
        inner = Builder(InsertPoint.at_end(block))
        there = PartOptimum.of(
            [inner.insert(tensor.ExtractOp(tables[number], row, self.elements[number])).result for number in range(count)]
        )
        after = better_of(inner, PartOptimum.of(carried[:count]), there, self.carried.minimizes).values()
        if self.carried.counts is not None:
            after.append(add_row(inner, carried[count], tables[count], row, self.flags))
        inner.insert(scf.YieldOp(*after))
        return builder.insert(scf.ForOp(zero, rows, one, initial, Region(block))).results


@dataclass(frozen=True)
class OutlineGpu(ModulePass):
    """Makes searches and replicates kernels for GPUs."""

    name = "outline-gpu"

    points: int = 1
    """The fewest points of a search that becomes a kernel."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = {each.sym_name.data: each for each in op.ops if isinstance(each, func.FuncOp)}
        if STREAMS in functions:
            functions[STREAMS].attributes[KERNEL] = UnitAttr()
            return
        done: set[Operation] = set()
        number = 0
        for loop in [each for each in op.walk() if isinstance(each, scf.ForOp)]:
            carried = None if loop in done else first_optimum(loop)
            if carried is None or prod(extent_of(each) or 0 for each in grid_loops(loop)) < self.points:
                continue
            while (name := f"search_{number}") in functions or name + POINTS in functions:
                number += 1
            done.update(loop.walk())  # a search that a point does is a part of the kernel
            remarks.passed(loop, "made the search kernel @{}", name)
            for function in SearchOutliner(loop, carried, number, name).outline():
                functions[function.sym_name.data] = function
                op.body.block.add_op(function)
