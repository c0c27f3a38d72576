"""
Computes results of a loop after it where they follow from its other results.

```mlir
%x, %done = scf.while (%x1 = %start) : (f64) -> (f64, i1) {
  ...
  %big = arith.cmpf oge, %x2, %threshold : f64
  scf.condition(%go_on) %x2, %big : f64, i1
} do { ... scf.yield %x1 }
// becomes
%x = scf.while (%x1 = %start) : (f64) -> (f64) { ... scf.condition(%go_on) %x2 : f64 } do { ... }
%done = arith.cmpf oge, %x, %threshold : f64
```

A loop that is taken by many lanes at once keeps its results in memory, lane by lane, in every iteration (`fill_lanes.py`); what is computed
after it costs once.
"""

from __future__ import annotations

from typing import cast

from xdsl.builder import Builder
from xdsl.dialects import scf, tensor
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from cogir.analysis.lane_loop import is_inside
from cogir.irutils import index_constant, shape_of

FEW = 4
"""A result is computed again by at most so many operations."""


def recompute_results(loop: scf.WhileOp) -> scf.WhileOp:
    """Computes results after the loop where a few operations do; returns the loop without these, and without unused results."""
    condition = cast(scf.ConditionOp, loop.before_region.block.last_op)
    after = loop.after_region.block
    known: dict[SSAValue, SSAValue] = {}
    carried = [bool(argument.uses) for argument in after.args]
    for is_carried, value, result in zip(carried, condition.args, loop.results, strict=True):
        if is_carried:
            known.setdefault(value, result)
    builder = Builder(InsertPoint.after(loop))
    for is_carried, value, result in zip(carried, condition.args, loop.results, strict=True):
        if is_carried or not result.uses:
            continue
        ops = _chain(loop, value, known)
        if ops is None:
            known[value] = result
        else:
            result.replace_all_uses_with(_again(builder, ops, value, dict(known)))
    kept = [number for number, result in enumerate(loop.results) if result.uses or carried[number]]
    return loop if len(kept) == len(loop.results) else _with_results(loop, condition, kept)


def _chain(loop: scf.WhileOp, value: SSAValue, known: dict[SSAValue, SSAValue]) -> list[Operation] | None:
    """The operations of an iteration that compute a value from what is known after the loop; None if too many, or not all arithmetic."""
    block = loop.before_region.block
    found: set[Operation] = set()
    waiting = [value]
    while waiting:
        held = waiting.pop()
        if held in known or _element(held, known) is not None or not is_inside(held, loop, {block}):
            continue
        op = held.owner
        if not isinstance(op, Operation) or op.regions or not op.name.startswith(("arith.", "math.")):
            return None
        found.add(op)
        if len(found) > FEW:
            return None
        waiting += op.operands
    return [op for op in block.ops if op in found]


def _element(value: SSAValue, known: dict[SSAValue, SSAValue]) -> tuple[SSAValue, int] | None:
    """The result of the loop, a vector, of which a number is an element, and its position."""
    for use in value.uses:
        op = use.operation
        if isinstance(op, tensor.FromElementsOp) and op.result in known and len(shape_of(op.result.type)) == 1:
            return known[op.result], use.index
    return None


def _again(builder: Builder, ops: list[Operation], value: SSAValue, values: dict[SSAValue, SSAValue]) -> SSAValue:
    """Computes a value by copies of the operations."""
    for operand in (value, *(operand for op in ops for operand in op.operands)):
        element = None if operand in values else _element(operand, values)
        if element is not None:
            vector, position = element
            index = builder.insert(index_constant(position)).result
            values[operand] = builder.insert(tensor.ExtractOp(vector, [index], operand.type)).result
    for op in ops:
        builder.insert(op.clone(values))
    return values.get(value, value)


def _with_results(loop: scf.WhileOp, condition: scf.ConditionOp, kept: list[int]) -> scf.WhileOp:
    """The loop with these of its results only."""
    after = loop.after_region.block
    for argument in [argument for number, argument in enumerate(after.args) if number not in kept]:
        after.erase_arg(argument)
    before = loop.before_region.block
    shorter = scf.ConditionOp(condition.condition, *(condition.args[number] for number in kept))
    before.insert_op_before(shorter, condition)
    before.erase_op(condition)
    results = [loop.results[number] for number in kept]
    regions = [loop.detach_region(region) for region in list(loop.regions)]
    new = scf.WhileOp(loop.arguments, [result.type for result in results], regions[0], regions[1])
    new.location = loop.location
    new.attributes |= loop.attributes
    Builder(InsertPoint.before(loop)).insert(new)
    for old, result in zip(results, new.results, strict=True):
        result.name_hint = old.name_hint
        old.replace_all_uses_with(result)
    loop.detach()
    loop.erase()
    return new
