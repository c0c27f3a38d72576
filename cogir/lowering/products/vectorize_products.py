"""
The blocks of a product are computed in registers.

Before: blocks, as `pack-products` leaves them.
After:  each is a call of a function that holds the block in vectors, a row in each, while it goes through the terms:

```mlir
func.func private @cogir_product_24x8(%left: memref<?x24xf64>, %right: memref<?x8xf64>, %result: memref<?xf64>, %begin: index,
                                      %row: index, %terms: index, %begins: i1) {
  %0:24 = scf.if %begins { zeros } else {
    vector.load %result[%begin] : vector<8xf64>                  // and 23 more, each %row further on
  }
  %1:24 = scf.for %k = 0 to %terms step 1 iter_args(%s0 = %0#0, ...) {
    %right_k = vector.load %right[%k, 0]
    %x = memref.load %left[%k, 0]
    %y = arith.mulf (vector.broadcast %x), %right_k              // and then the sum: two roundings
    %z = arith.addf %s0, %y
    scf.yield %z, ...
  }
  vector.store %1#0, %result[%begin] ...
}
```

A block may also have several vectors in each of its rows (`vectors` of `pack-products`), such as 8 rows of 24 columns: then each number of
%left is loaded once for several operations.

With `ahead`, each step prefetches what `left` holds so many terms further on (`memref.prefetch`): a block of it is read once, from the
second cache, while that of `right` stays in the first one.

With `fused=true` the product is not rounded before it is added (`vector.fma`), which takes half of the instructions and gives other bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, func, memref, scf, vector
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IndexType, MemRefType, ModuleOp, StringAttr, UnitAttr, VectorType, i1
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Block, Operation, OpResult, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from cogir import remarks
from cogir.analysis.products import Product, product_of, zeros_before
from cogir.analysis.signatures import BRIEF, INLINE
from cogir.dialects.memref_ext import PrefetchOp
from cogir.errors import LoweringError
from cogir.irutils import index_constant
from cogir.lowering.library.symbols import PREFIX
from cogir.lowering.products.loops import TileWriter, flat_type
from cogir.lowering.products.pack_products import BLOCK_MAPS, entries, suffix
from cogir.lowering.products.tile_products import LANES, TILE, lanes_for

Rows: TypeAlias = "MemRefType[Any]"
"""The type of a packed operand: any number of rows, one per term."""


def product_function(name: str, left: Rows, right: Rows, lanes: int, fused: bool, ahead: int) -> func.FuncOp:
    """
    A function that adds the product of two packed operands to a block in memory, row by row in vectors of so many numbers. `ahead`: the
    number of terms ahead of which `left` is prefetched; 0: it is not.
    """
    element = left.element_type
    (_, rows), (_, columns) = left.get_shape(), right.get_shape()
    function = func.FuncOp(name, ([left, right, flat_type(element), *[IndexType()] * 3, i1], []), visibility="private")
    function.attributes |= {INLINE: StringAttr("never"), BRIEF: UnitAttr()}
    left_rows, right_rows, result, begin, row_stride, terms, begins = function.args
    for argument, hint in zip(function.args, ("left", "right", "result", "begin", "row", "terms", "begins"), strict=True):
        argument.name_hint = hint
    vector_type = VectorType(element, [lanes])
    code = Builder(InsertPoint.at_end(function.body.block))
    places = [code.insert(index_constant(number)).result for number in range(max(rows, 2))]
    firsts = [places[0], *(code.insert(index_constant(number)).result for number in range(lanes, columns, lanes))]
    lines: list[SSAValue] = [begin]
    while len(lines) < rows:
        lines.append(code.insert(arith.AddiOp(lines[-1], row_stride)).result)
    targets = [line if first is places[0] else code.insert(arith.AddiOp(line, first)).result for line in lines for first in firsts]
    zeros, loads = Block(), Block()
    loads.add_ops(held := [vector.LoadOp(result, [target], vector_type) for target in targets])
    loads.add_op(scf.YieldOp(*(load.result for load in held)))
    zeros.add_op(zero := arith.ConstantOp(DenseIntOrFPElementsAttr.from_list(vector_type, [0.0]), vector_type))
    zeros.add_op(scf.YieldOp(*[zero.result] * len(targets)))
    sums = code.insert(scf.IfOp(begins, [vector_type] * len(targets), Region(zeros), Region(loads))).results
    body = Block(arg_types=[IndexType(), *[vector_type] * len(sums)])
    body.args[0].name_hint = "k"
    inside = Builder(InsertPoint.at_end(body))
    others = [inside.insert(vector.LoadOp(right_rows, [body.args[0], first], vector_type)).result for first in firsts]
    if ahead:
        further = inside.insert(arith.AddiOp(body.args[0], code.insert(index_constant(ahead)).result)).result
        for first in range(0, rows, lanes_for(element, LANES)):
            inside.insert(PrefetchOp(left_rows, [further, places[first]]))
    added: list[SSAValue] = []
    for number in range(rows):
        x = inside.insert(memref.LoadOp.get(left_rows, [body.args[0], places[number]])).res
        wide = inside.insert(vector.BroadcastOp(x, vector_type)).vector
        for other in others:
            total = body.args[1 + len(added)]
            if fused:
                added.append(inside.insert(vector.FMAOp(wide, other, total)).res)
            else:
                added.append(inside.insert(arith.AddfOp(total, inside.insert(arith.MulfOp(wide, other)).result)).result)
    inside.insert(scf.YieldOp(*added))
    loop = code.insert(scf.ForOp(places[0], terms, places[1], sums, Region(body)))
    for target, total in zip(targets, loop.results, strict=True):
        code.insert(vector.StoreOp(total, result, [target]))
    code.insert(func.ReturnOp())
    return function


@dataclass(frozen=True)
class VectorizeProducts(ModulePass):
    """Computes the blocks of a product in registers."""

    name = "vectorize-products"

    fused: bool = False
    """True if a product is not rounded before it is added, which is faster and gives other bits."""
    lanes: int = LANES
    """The most numbers of f64 that one register holds."""
    ahead: int = 0
    """The terms ahead of which `left` is prefetched; 0: it is not."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions: set[str] = set()
        for inner in list(op.walk()):
            if isinstance(inner, GenericOp) and TILE in inner.attributes and tuple(inner.get_indexing_maps().data) == BLOCK_MAPS:
                type = cast("MemRefType[Any]", inner.outputs[0].type)
                rows, columns = type.get_shape()
                name = f"{PREFIX}product_{rows}x{columns}{suffix(type.element_type)}"
                call = self.call(cast(Product, product_of(inner)), name)
                if name not in functions:
                    functions.add(name)
                    left, right = (cast(Rows, value.type) for value in call.arguments[:2])
                    lanes = min(columns, lanes_for(type.element_type, self.lanes))
                    if columns % lanes:
                        raise LoweringError(
                            f"vectorize-products: a block has {columns} columns, which are no vectors of {lanes} numbers; give the `lanes` "
                            "of pack-products"
                        )
                    op.body.block.add_op(product_function(name, left, right, lanes, self.fused, self.ahead))

    def call(self, product: Product, name: str) -> func.CallOp:
        """linalg.generic of a block  ->  func.call"""
        op = product.op
        remarks.passed(op, "vectorised a block of a product: @{}", name)
        place = TileWriter(InsertPoint.before(op))
        left, right = op.inputs
        result, line, packed = op.outputs[0].owner, line_of(op.outputs[0]), left.owner
        if line is None or not isinstance(result, memref.ReinterpretCastOp) or not isinstance(packed, memref.ReinterpretCastOp):
            raise LoweringError("vectorize-products: the operands of a block are no views; run pack-products before this pass")
        (begin,), (row, _) = entries(line.static_offsets, line.offsets), entries(result.static_strides, result.strides)
        numbers = [place.index(number) for number in (begin, row, entries(packed.static_sizes, packed.sizes)[0])]
        zeros = zeros_before(product)
        operands = [place.rows(left), place.rows(right), line.source, *numbers, place.begins(zeros)]
        call = place.builder.insert(func.CallOp(name, operands, []))
        for unused in (zeros and zeros.op, op, result, result.source.owner, line):
            if isinstance(unused, Operation) and not any(each.uses for each in unused.results):
                cast(Block, unused.parent).erase_op(unused)
        return call


def line_of(view: SSAValue) -> memref.SubviewOp | None:
    """The line of memory that is viewed as a matrix."""
    match view.owner:
        case memref.ReinterpretCastOp(source=OpResult(op=memref.ExtractStridedMetaDataOp(source=OpResult(op=memref.SubviewOp() as line)))):
            return line
        case _:
            return None
