"""
Leaves the zeros out of products with constant matrices.

Before: stage `machine`, after `fold-constants`: `vector @ matrix` as `linalg.generic`, its sums beginning with 0.0, its matrix constant.
After:  where the matrix has so many zeros that it pays (`analysis/sparsity.py`), the product looks at the other elements only. That is
        exact where all numbers of the vector are finite, which is looked at when it runs, unless it is known:

```mlir
%y = linalg.generic ... ins(%v, %matrix) outs(%zeros)      ->
%finite = linalg.generic ... ins(%v) outs(%true) { |x| < inf and all before }
%y = scf.if %finite { linalg.generic ... ins(%rows, %weights) outs(%zeros) { total + v[row] * weight } } else { ... as before ... }
```

Why no bit changes: for a finite `x` the product with a zero is 0.0 or -0.0. Adding one of these to a total changes it only if the total
is -0.0, and no total is: the first one is 0.0, and a sum is -0.0 only if both of its terms are. Sums keep their order, and what fills up a
shorter column is such a zero, too. So a diagonal matrix becomes an elementwise product, the identity `0.0 + x`, a permutation
`0.0 + v[row]`, and zeros nothing at all. With an infinity or NaN among the numbers, whose product with zero is NaN, the product is the
one that it was.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, math, scf, tensor
from xdsl.dialects.builtin import AffineMapAttr, DenseIntOrFPElementsAttr, Float64Type, FloatAttr, IndexType, ModuleOp, TensorType, f64, i1
from xdsl.dialects.linalg.attrs import IteratorType, IteratorTypeAttr
from xdsl.dialects.linalg.ops import GenericOp, YieldOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from cogir import remarks
from cogir.analysis.ranges.local_floats import LocalRanges
from cogir.analysis.sparsity import Columns
from cogir.irutils import array_of_dense, dense_of_array, element_type_of, projected_dims, replace_by, shape_of
from cogir.transforms.identities import is_number

PARALLEL, REDUCTION = IteratorTypeAttr(IteratorType.PARALLEL), IteratorTypeAttr(IteratorType.REDUCTION)


@dataclass
class SparseProduct:
    """`vector @ matrix`, each sum from 0.0 on, and the matrix as it is known."""

    op: GenericOp
    vector: SSAValue
    columns: Columns


def product_of(op: GenericOp) -> SparseProduct | None:
    """The product that an operation is, if its matrix is constant and mostly zeros."""
    kinds = [kind.data for kind in op.iterator_types]
    if sorted(kinds) != [IteratorType.PARALLEL, IteratorType.REDUCTION] or len(op.inputs) != 2 or len(op.results) != 1:
        return None
    receiver, sender = kinds.index(IteratorType.PARALLEL), kinds.index(IteratorType.REDUCTION)
    maps = [projected_dims(attribute.data) for attribute in op.get_indexing_maps()]
    vector, matrix = op.inputs
    if maps[0] != (sender,) or maps[2] != (receiver,) or maps[1] not in ((sender, receiver), (receiver, sender)):
        return None
    if not isinstance(element_type_of(vector.type), Float64Type) or not begins_with_zero(op.outputs[0]):
        return None
    values = constant_array(matrix)
    if values is None or values.dtype != np.float64 or not adds_products(op.body.block, values):
        return None
    columns = Columns(values if maps[1] == (sender, receiver) else values.T)
    return SparseProduct(op, vector, columns) if columns.is_worth_it else None


def constant_array(value: SSAValue) -> Any:
    """The elements of a constant array."""
    owner = value.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, DenseIntOrFPElementsAttr):
        return array_of_dense(cast("DenseIntOrFPElementsAttr[Any]", owner.value))
    return None


def begins_with_zero(start: SSAValue) -> bool:
    """True if all elements are 0.0, and none -0.0."""
    values = constant_array(start)
    return values is not None and not values.any() and not np.signbit(values).any()


def adds_products(body: Block, matrix: Any) -> bool:
    """total + vector * weight, the weight perhaps as the one number that all elements of the matrix are: 0.0, or -0.0"""
    operations = list(body.ops)
    match operations:
        case [*_, arith.MulfOp() as product, arith.AddfOp() as total, YieldOp() as end]:
            rest = operations[:-3]
            x, weight, before = body.args
            factors = {product.lhs, product.rhs}
            known = {each.results[0] for each in rest if is_number(each.results[0], 0.0) or is_number(each.results[0], -0.0)}
            return (
                len(known) == len(rest)
                and (not known or not matrix.any())
                and (factors == {x, weight} or (not weight.uses and x in factors and bool(factors & known)))
                and {total.lhs, total.rhs} == {before, product.result}
                and end.operands[0] is total.result
            )
        case _:
            return False


class Emission:
    """Writes a product without the zeros."""

    def __init__(self, product: SparseProduct, builder: Builder):
        self.product = product
        self.builder = builder
        self.result = cast("TensorType[Attribute]", product.op.results[0].type)

    def constant(self, values: Any) -> SSAValue:
        """A constant array."""
        return self.builder.insert(arith.ConstantOp(dense_of_array(values))).result

    def number(self, builder: Builder, value: float) -> SSAValue:
        """A constant number."""
        return builder.insert(arith.ConstantOp(FloatAttr(value, f64))).result

    def generic(self, inputs: list[SSAValue], start: SSAValue, maps: list[AffineMap], kinds: list[Attribute], body: Block) -> SSAValue:
        """A `linalg.generic` with one result."""
        attributes = [AffineMapAttr(each) for each in maps]
        op = GenericOp(inputs, [start], Region(body), attributes, cast(Any, kinds), [start.type])
        return self.builder.insert(op).results[0]

    def finite(self) -> SSAValue:
        """An i1: all numbers of the vector are finite."""
        start = self.constant(np.array(True))
        body = Block(arg_types=[f64, i1])
        x, before = body.args
        inside = Builder(InsertPoint.at_end(body))
        size = inside.insert(math.AbsFOp(x)).result
        below = inside.insert(arith.CmpfOp(size, self.number(inside, float("inf")), "olt")).result
        inside.insert(YieldOp(inside.insert(arith.AndIOp(before, below)).result))
        all_of_them = self.generic([self.product.vector], start, [AffineMap.identity(1), AffineMap(1, 0, ())], [REDUCTION], body)
        return self.builder.insert(tensor.ExtractOp(all_of_them, [], i1)).result

    def thin(self) -> SSAValue:
        """The product with the elements that are not zero."""
        columns = self.product.columns
        if columns.length == 0:
            return self.constant(np.zeros(shape_of(self.result)))
        if columns.is_diagonal:
            return self.elementwise(np.ascontiguousarray(columns.matrix.diagonal()))
        return self.picked(*columns.table())

    def elementwise(self, diagonal: Any) -> SSAValue:
        """0.0 + v[j] * diagonal[j]"""
        is_identity = bool((diagonal == 1.0).all())
        body = Block(arg_types=[f64] * (2 if is_identity else 3))
        inside = Builder(InsertPoint.at_end(body))
        x = body.args[0] if is_identity else inside.insert(arith.MulfOp(body.args[0], body.args[1])).result
        inside.insert(YieldOp(inside.insert(arith.AddfOp(self.number(inside, 0.0), x)).result))
        inputs = [self.product.vector, *([] if is_identity else [self.constant(diagonal)])]
        start = self.builder.insert(tensor.EmptyOp((), self.result)).tensor
        return self.generic(inputs, start, [AffineMap.identity(1)] * (len(inputs) + 1), [PARALLEL], body)

    def picked(self, rows: Any, weights: Any) -> SSAValue:
        """((0.0 + v[rows[0, j]] * weights[0, j]) + v[rows[1, j]] * weights[1, j]) ..."""
        are_ones = bool((weights == 1.0).all())
        inputs = [self.constant(rows), *([] if are_ones else [self.constant(weights)])]
        body = Block(arg_types=[element_type_of(each.type) for each in inputs] + [f64])
        inside = Builder(InsertPoint.at_end(body))
        row = inside.insert(arith.IndexCastOp(body.args[0], IndexType())).result
        x = inside.insert(tensor.ExtractOp(self.product.vector, [row], f64)).result
        term = x if are_ones else inside.insert(arith.MulfOp(x, body.args[1])).result
        inside.insert(YieldOp(inside.insert(arith.AddfOp(body.args[-1], term)).result))
        receiver = AffineMap(2, 0, (AffineExpr.dimension(1),))
        maps = [*([AffineMap.identity(2)] * len(inputs)), receiver]
        return self.generic(inputs, self.product.op.outputs[0], maps, [REDUCTION, PARALLEL], body)


def rewrite(product: SparseProduct) -> None:
    """Replaces a product."""
    op = product.op
    builder = Builder(InsertPoint.before(op))
    if LocalRanges().of(product.vector).finite:
        replace_by(op, [Emission(product, builder).thin()])
        return
    finite = Emission(product, builder).finite()
    finite.name_hint = "finite"
    few, all_of_them = Block(), Block()
    inside = Builder(InsertPoint.at_end(few))
    inside.insert(scf.YieldOp(Emission(product, inside).thin()))
    copy = op.clone()
    all_of_them.add_ops([copy, scf.YieldOp(copy.results[0])])
    choice = builder.insert(scf.IfOp(finite, op.result_types, Region(few), Region(all_of_them)))
    replace_by(op, choice.results)


@dataclass(frozen=True)
class SparseProducts(ModulePass):
    """Leaves the zeros out of products with constant matrices."""

    name = "sparse-products"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        found: list[Operation] = [inner for inner in op.walk() if isinstance(inner, GenericOp)]
        for inner in found:
            product = product_of(cast(GenericOp, inner))
            if product is not None:
                matrix = product.columns.matrix
                remarks.passed(
                    inner, "left {} of the {} elements of a matrix out, which are zeros", int((matrix == 0.0).sum()), matrix.size
                )
                rewrite(product)
