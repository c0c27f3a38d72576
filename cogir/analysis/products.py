"""
Products of matrices among operations on memory, and the sizes of the tiles in which they are computed.

```mlir
linalg.generic {indexing_maps = [(i, k, j) -> (i, k), (i, k, j) -> (k, j), (i, k, j) -> (i, j)], ...} ins(%a, %b) outs(%c) {
^bb0(%x: f64, %y: f64, %sum: f64):
  %product = arith.mulf %x, %y : f64
  %next = arith.addf %sum, %product : f64
  linalg.yield %next : f64
}
```

Loops and the axes of the matrices may come in any order; the rows of a product are the loop of the first axis of its result.

Zeros that are written right before it, perhaps under a condition, need not go through memory:

```mlir
scf.if %first {
  linalg.generic outs(%c) { linalg.yield %zero }
}
linalg.generic ... ins(%a, %b) outs(%c) { ... }       // the product begins with zeros if %first is true
```
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import cast

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.dialects.linalg.ops import GenericOp, YieldOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import Pure

from cogir.analysis.trial_axis import BY_TRIAL
from cogir.irutils import constant_float, element_type_of, is_float, projected_dims, shape_of


@dataclass(frozen=True)
class Product:
    """c[row, column] += left[row, depth] * right[depth, column], for each depth in order."""

    op: GenericOp
    left: SSAValue
    right: SSAValue
    result: SSAValue
    rows: int
    """The loop over the rows: its place among the loops."""
    columns: int
    depth: int
    left_axes: tuple[int, int]
    """The axes of `left` that stand for (row, depth)."""
    right_axes: tuple[int, int]
    """The axes of `right` that stand for (depth, column)."""


def product_of(op: GenericOp) -> Product | None:
    """The product of two matrices of f64, or of f32, that an operation on memory is, or None."""
    kinds = [kind.data for kind in op.iterator_types]
    if sorted(kinds) != [IteratorType.PARALLEL, IteratorType.PARALLEL, IteratorType.REDUCTION]:
        return None
    if len(op.inputs) != 2 or len(op.outputs) != 1 or not adds_products(op.body.block):
        return None
    if not all(is_matrix(operand) for operand in op.operands) or len({element_type_of(operand.type) for operand in op.operands}) > 1:
        return None
    depth = kinds.index(IteratorType.REDUCTION)
    first, second, result = (projected_dims(map.data) for map in op.get_indexing_maps())
    if first is None or second is None or result is None or len(result) != 2 or depth in result:
        return None
    rows, columns = result
    left, right = op.inputs
    if set(first) == {depth, columns}:
        left, right, first, second = right, left, second, first
    if set(first) != {rows, depth} or set(second) != {depth, columns} or len(first) != 2 or len(second) != 2:
        return None
    left_axes = (first.index(rows), first.index(depth))
    right_axes = (second.index(depth), second.index(columns))
    return Product(op, left, right, op.outputs[0], rows, columns, depth, left_axes, right_axes)


def is_matrix(value: SSAValue) -> bool:
    """True for memory of f64 or f32 with two axes."""
    type = value.type
    return isinstance(type, MemRefType) and is_float(value.type) and len(shape_of(value.type)) == 2


def adds_products(body: Block) -> bool:
    """total + x * y, with roundings after both operations"""
    match list(body.ops):
        case [arith.MulfOp() as product, arith.AddfOp() as total, YieldOp() as end]:
            x, y, before = body.args
            return (
                {product.lhs, product.rhs} == {x, y}
                and {total.lhs, total.rhs} == {before, product.result}
                and end.operands[0] is total.result
                and not any(flags.data for flags in (product.fastmath, total.fastmath))
            )
        case _:
            return False


@dataclass(frozen=True)
class Zeros:
    """Zeros that are written to the result of a product right before it."""

    op: Operation
    """The operation that writes them."""
    condition: SSAValue | None
    """They are written if this is true; None: always."""


def zeros_before(product: Product) -> Zeros | None:
    """The zeros that a product is added to, or None if something else may stand in its result."""
    op = product.op.prev_op
    while op is not None and op.has_trait(Pure):
        op = op.prev_op
    match op:
        case GenericOp() if fills(op, product):
            return Zeros(op, None)
        case scf.IfOp() if not op.results and not op.false_region.blocks:
            *constants, fill, _ = [None, *op.true_region.block.ops]
            if isinstance(fill, GenericOp) and fills(fill, product) and all(each is None or each.has_trait(Pure) for each in constants):
                return Zeros(op, op.cond)
        case _:
            pass
    return None


def fills(op: GenericOp, product: Product) -> bool:
    """True if an operation writes zeros to what a product writes: all of its result, or the rows of those trials that count."""
    if op.inputs or list(op.outputs) != [product.result] or any(kind.data != IteratorType.PARALLEL for kind in op.iterator_types):
        return False
    is_for_trials = product.rows == 0 and BY_TRIAL in product.op.attributes
    if (BY_TRIAL in op.attributes) != is_for_trials:
        return False
    (map,) = op.get_indexing_maps()
    zero = constant_float(cast(YieldOp, op.body.block.last_op).operands[0])
    return projected_dims(map.data) == (0, 1) and zero is not None and zero == 0.0 and math.copysign(1.0, zero) > 0.0
