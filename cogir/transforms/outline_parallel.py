"""
Makes a search for the first best value a function over a range of levels, whose ranges can be computed at the same time.

Before: stage `machine`, after `reservoir-sampling`.
After:

```mlir
%best, %at = scf.for %i = 0 to 101                   %bests, %ats = func.call @search(%0, %101, %b, %a, ...) {cog.parallel}
    iter_args(%best, %at) {                   ->     %best, %at = scf.for %i = 0 to 101 iter_args(%best, %at) {
  ...                                                  // the better of this one and the best of level %i
} {cog.first_optimum = "minimize"}                   }

func.func private @search(%first: index, %last: index, %b: tensor<101xf64> {cog.updates = 0}, ...) {
  scf.for %i = %first to %last iter_args(%best = inf, ...) {
    // the loop's body; what it has found by then goes into %b[%i], %a[%i]
  }
}
```

A call that is marked `cog.parallel` may be taken apart into calls over parts of its range, in any order and at the same time:
different levels write different elements of what is updated, and read none of them. The tables hold one entry per level of the
first axis, and results are the same bits however many threads share the work, because the second loop is the same one always.
Searches that draw among ties stay in one piece, and so do those that are shorter than starting threads takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, func, scf, tensor
from xdsl.dialects.builtin import (
    FloatAttr,
    IndexType,
    ModuleOp,
    TensorType,
    UnitAttr,
    f64,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from cogir import remarks
from cogir.analysis.axes import extent_of
from cogir.analysis.first_optimum import FirstOptimum, first_optimum
from cogir.analysis.op_cost import CostTable
from cogir.analysis.signatures import PARALLEL
from cogir.irutils import dense_of_array, index_constant, replace_by, size_of
from cogir.transforms.captured import captured_by
from cogir.transforms.outlined_search import add_row, first_status, insert_constants, range_function, worst_value

WORK = 1_000_000
"""Searches with less work than so many additions, about a third of a millisecond, are not worth waking a thread for."""
PARTS = 8
"""A first axis with fewer levels than this cannot be shared out evenly."""
FEW_LEVELS = f"its first signal has fewer than {PARTS} levels"
SHORT = "it takes less time than starting threads"
"""The reasons why a search is not shared among threads."""


class Outliner:
    """Outlines one search."""

    def __init__(self, loop: scf.ForOp, carried: FirstOptimum, name: str):
        self.loop = loop
        self.carried = carried
        self.name = name
        self.extent = extent_of(loop) or 0
        self.roles = [carried.best, carried.point, *([] if carried.status is None else [carried.status])]
        """The carried values of which there is one per level, in the order of their tables."""
        self.flags = 0 if carried.counts is None else size_of(loop.iter_args[carried.counts].type)
        """The number of counts of events."""
        self.constants, self.captured = captured_by(loop, [] if carried.status is None else [loop.iter_args[carried.status]])

    def tables(self, builder: Builder) -> list[SSAValue]:
        """
        An empty table of values, tables of zeros, and what the search fills besides.

        A signal at the very beginning of the function that shares the work among threads leaves the tables as they are. The trial is
        stopped then, but goes on to its next look at the flag with the point that a table gives, which has to be one.
        """
        made: list[SSAValue] = [builder.insert(tensor.EmptyOp((), TensorType(f64, [self.extent]))).tensor]
        shapes: list[tuple[int, ...]] = [(self.extent,)] * (len(self.roles) - 1)
        if self.carried.counts is not None:
            shapes.append((self.extent, self.flags))
        made += (builder.insert(arith.ConstantOp(dense_of_array(np.zeros(shape, np.int64)))).result for shape in shapes)
        return made if self.carried.values is None else [*made, self.loop.iter_args[self.carried.values]]

    def outline(self) -> func.FuncOp:
        """Replaces the loop by a call and a choice among its results; gives the function that is called."""
        builder = Builder(InsertPoint.before(self.loop))
        zero, one, end = (builder.insert(index_constant(number)).result for number in (0, 1, self.extent))
        tables = self.tables(builder)
        types = [table.type for table in tables]
        call = builder.insert(func.CallOp(self.name, [zero, end, *tables, *self.captured], types))
        call.attributes[PARALLEL] = UnitAttr()
        call.location = self.loop.location
        function = self.function(types)
        results: list[SSAValue] = [*self.loop.iter_args]
        merged = self.merge(builder, zero, one, end, call.results)
        for role, value in zip(self.roles, merged, strict=False):
            results[role] = value
        if self.carried.counts is not None:
            results[self.carried.counts] = merged[-1]
        if self.carried.values is not None:
            results[self.carried.values] = call.results[-1]
        replace_by(self.loop, results)
        return function

    def function(self, types: Sequence[Attribute]) -> func.FuncOp:
        """The search over a range of levels."""
        names = ["bests", "points", *(["statuses"] if self.carried.status is not None else [])]
        function = range_function(self.name, types, names, self.captured)
        first, last, *rest = function.args
        tables, given = rest[: len(types)], rest[len(types) :]
        values: dict[SSAValue, SSAValue] = dict(zip(self.captured, given, strict=True))
        builder = Builder(InsertPoint.at_end(function.body.block))
        insert_constants(builder, self.constants, values)
        step = builder.insert(index_constant(1)).result
        begun = self.begun(builder, values)
        block = Block(arg_types=[IndexType(), *types, *(value.type for value in begun)])
        self.level(block, values, len(types))
        loop = builder.insert(scf.ForOp(first, last, step, [*tables, *begun], Region(block)))
        builder.insert(func.ReturnOp(*loop.results[: len(types)]))
        return function

    def begun(self, builder: Builder, values: dict[SSAValue, SSAValue]) -> list[SSAValue]:
        """The initial values of a range of levels: a best value that any number is better than, and no error yet."""
        best = builder.insert(arith.ConstantOp(FloatAttr(worst_value(self.carried), f64))).result
        point = builder.insert(index_constant(0)).result
        if self.carried.status is None:
            return [best, point]
        status = self.loop.iter_args[self.carried.status]
        return [best, point, values[status]]

    def level(self, block: Block, values: dict[SSAValue, SSAValue], count: int) -> None:
        """One iteration of the loop, and what has been found by then; the first `count` of what is carried are the tables."""
        body = self.loop.body.block
        index, tables, carried = block.args[0], block.args[1 : 1 + count], block.args[1 + count :]
        index.name_hint = body.args[0].name_hint
        inside = dict(values)
        inside[body.args[0]] = index
        for role, value in zip(self.roles, carried, strict=True):
            value.name_hint = body.args[1 + role].name_hint
            inside[body.args[1 + role]] = value
        if self.carried.values is not None:
            inside[body.args[1 + self.carried.values]] = tables[-1]
        builder = Builder(InsertPoint.at_end(block))
        if self.carried.counts is not None:
            counts = self.carried.counts
            inside[body.args[1 + counts]] = builder.insert(arith.ConstantOp(dense_of_array(np.zeros(self.flags, np.int64)))).result
        end = body.last_op
        assert end is not None
        for op in body.ops:
            if op is not end:
                builder.insert(op.clone(inside))
        found = [inside.get(operand, operand) for operand in end.operands]
        after: list[SSAValue] = []
        for role, table in zip(self.roles, tables, strict=False):
            value = found[role]
            if isinstance(value.type, IndexType):
                value = builder.insert(arith.IndexCastOp(value, i64)).result
            after.append(builder.insert(tensor.InsertOp(value, table, [index])).result)
        if self.carried.counts is not None:
            after.append(self.copy_counts(builder, found[self.carried.counts], tables[len(self.roles)], index))
        if self.carried.values is not None:
            after.append(found[self.carried.values])
        builder.insert(scf.YieldOp(*after, *(found[role] for role in self.roles)))

    def copy_counts(self, builder: Builder, counts: SSAValue, table: SSAValue, level: SSAValue) -> SSAValue:
        """The table with the numbers of events of one level."""
        for number in range(self.flags):
            place = builder.insert(index_constant(number)).result
            count = builder.insert(tensor.ExtractOp(counts, [place], i64)).result
            table = builder.insert(tensor.InsertOp(count, table, [level, place])).result
        return table

    def merge(self, builder: Builder, zero: SSAValue, one: SSAValue, end: SSAValue, tables: Sequence[SSAValue]) -> Sequence[SSAValue]:
        """The first best of the levels' first bests, the first error of all, and all events together."""
        initial = [self.loop.iter_args[role] for role in self.roles]
        if self.carried.counts is not None:
            initial.append(self.loop.iter_args[self.carried.counts])
        block = Block(arg_types=[IndexType(), *(value.type for value in initial)])
        index, best, point, *rest = block.args
        status = rest[: len(self.roles) - 2]
        inner = Builder(InsertPoint.at_end(block))
        names = ["level", "best", "best_index", *(["status"] if status else [])]
        for argument, hint in zip(block.args, names, strict=False):
            argument.name_hint = hint
        types = [f64, i64, i64]
        found, place, *error = (
            inner.insert(tensor.ExtractOp(table, index, types[number])).result for number, table in enumerate(tables[: len(self.roles)])
        )
        is_first = inner.insert(arith.CmpiOp(index, zero, "eq")).result
        is_better = inner.insert(arith.CmpfOp(found, best, "olt" if self.carried.minimizes else "ogt")).result
        taken = inner.insert(arith.OrIOp(is_first, is_better)).result
        at = inner.insert(arith.IndexCastOp(place, IndexType())).result
        after: list[SSAValue] = [
            inner.insert(arith.SelectOp(taken, found, best)).result,
            inner.insert(arith.SelectOp(taken, at, point)).result,
        ]
        after += [first_status(inner, before, new) for before, new in zip(status, error, strict=True)]
        if self.carried.counts is not None:
            after.append(add_row(inner, rest[-1], tables[len(self.roles)], index, self.flags))
        inner.insert(scf.YieldOp(*after))
        return builder.insert(scf.ForOp(zero, end, one, initial, Region(block))).results


@dataclass(frozen=True)
class OutlineParallel(ModulePass):
    """Makes searches functions over ranges of levels, which can be computed at the same time."""

    name = "outline-parallel"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        costs = CostTable(op)
        names = {function.sym_name.data for function in op.ops if isinstance(function, func.FuncOp)}
        done: set[Operation] = set()
        told: set[Operation] = set()
        for loop in [each for each in op.walk() if isinstance(each, scf.ForOp)]:
            carried = None if loop in done else first_optimum(loop)
            if carried is None:
                continue
            if (extent_of(loop) or 0) < PARTS or costs.of(loop) < WORK:
                if loop not in told:
                    told.update(loop.walk())
                    remarks.missed(loop, "the search stays in one thread: {}", FEW_LEVELS if (extent_of(loop) or 0) < PARTS else SHORT)
                continue
            number = 0
            while (name := f"search_{number}") in names:
                number += 1
            names.add(name)
            done.update(loop.walk())  # searches that its points do stay as they are: it is their points that are computed at the same time
            op.body.block.add_op(Outliner(loop, carried, name).outline())
