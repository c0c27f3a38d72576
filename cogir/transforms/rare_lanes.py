"""
Asks, before lanes iterate, whether any of them will use costly values that are used rarely.

```mlir
scf.for %first = 0 to 48 step 8 {
  %any = scf.for %0 = 0 to 8 { ... }                       // is the condition true in one of the next iterations of lane %first + %0?
  scf.if %any { ... } else { ... }                         // iterations with the costly values, or without
}
```
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xdsl.builder import Builder
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr, i1
from xdsl.ir import Block, Region, SSAValue
from xdsl.rewriter import InsertPoint

from cogir.analysis.lane_loop import LaneLoop
from cogir.analysis.rare_values import RareValues
from cogir.irutils import index_constant

WIDTH = 8
"""The lanes that are asked together: the numbers of the longest vectors."""
Bounds = tuple[SSAValue, SSAValue, SSAValue]
Iterate = Callable[[Builder, Bounds, SSAValue, Sequence[SSAValue], bool], Sequence[SSAValue]]
"""Writes iterations for the lanes from one on, on tables; with the rare values or without them."""


def in_blocks(
    builder: Builder,
    bounds: Bounds,
    tables: Sequence[SSAValue],
    is_rare: Callable[[Builder, SSAValue, Sequence[SSAValue]], SSAValue],
    iterate: Iterate,
) -> Sequence[SSAValue]:
    """Iterates blocks of `WIDTH` lanes, one after the other; those that use no rare values do not compute them."""
    types = [table.type for table in tables]
    block = Block(arg_types=[IndexType(), *types])
    inner = Builder(InsertPoint.at_end(block))
    first, *held = block.args
    width = builder.insert(index_constant(WIDTH)).result
    no = builder.insert(arith.ConstantOp(IntegerAttr(0, i1))).result
    some = (bounds[0], width, bounds[2])
    asked = Block(arg_types=[IndexType(), i1])
    asking = Builder(InsertPoint.at_end(asked))
    lane = asking.insert(arith.AddiOp(first, asked.args[0])).result
    asking.insert(scf.YieldOp(asking.insert(arith.OrIOp(is_rare(asking, lane, held), asked.args[1])).result))
    is_any = inner.insert(scf.ForOp(*some, [no], Region(asked))).results[0]
    branches = [Block(), Block()]
    for branch, rarely in zip(branches, (True, False), strict=True):
        writer = Builder(InsertPoint.at_end(branch))
        writer.insert(scf.YieldOp(*iterate(writer, some, first, held, rarely)))
    inner.insert(scf.YieldOp(*inner.insert(scf.IfOp(is_any, types, Region(branches[0]), Region(branches[1]))).results))
    return builder.insert(scf.ForOp(bounds[0], bounds[1], width, tables, Region(block))).results


def is_used(
    builder: Builder, loop: LaneLoop, rare: RareValues, values: Mapping[SSAValue, SSAValue], arguments: Sequence[SSAValue], steps: int
) -> SSAValue:
    """True if a lane uses rare values in one of its next iterations; `arguments` are what the loop carries in it."""
    block = loop.loop.before_region.block
    true, is_any = (builder.insert(arith.ConstantOp(IntegerAttr(number, i1))).result for number in (1, 0))
    inside = {**values, **dict(zip(block.args, arguments, strict=True))}
    for step in range(steps):
        for op in rare.ops:
            if step > 0 and op in rare.implied:
                inside[op.results[0]] = true
            elif rare.is_choice(op):
                inside[op.results[0]] = inside.get(op.operands[2], op.operands[2])
            else:
                builder.insert(op.clone(inside))
        is_any = builder.insert(arith.OrIOp(is_any, inside.get(rare.condition, rare.condition))).result
        carried = [inside.get(value, value) for value in rare.following]
        inside = {**values, **{block.args[number]: value for number, value in zip(rare.carried, carried, strict=True)}}
    return is_any
