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
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.dialects.linalg.ops import GenericOp, YieldOp
from xdsl.ir import Block, SSAValue

from cogir.irutils import element_type_of, is_float, projected_dims, shape_of


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
