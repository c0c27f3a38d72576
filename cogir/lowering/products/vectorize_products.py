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

A block whose operands stay where they are (`block-products`) gets all memory of each, the place of its first element, and the distance
between its rows; its function is called @cogir_product_5x24_in_place.

A block may also have several vectors in each of its rows (`vectors` of `pack-products`), such as 8 rows of 24 columns: then each number of
%left is loaded once for several operations.

With `ahead`, each step prefetches what `left` holds so many terms further on (`memref.prefetch`): a block of it is read once, from the
second cache, while that of `right` stays in the first one.

With `unroll`, each step of the loop has so many terms, and a second loop takes those that are left over: fused operations would wait for
the instructions around them.

With `fused=true` the product is not rounded before it is added (`vector.fma`), which takes half of the instructions and gives other bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, func, memref, scf, vector
from xdsl.dialects.builtin import AnyFloat, DenseIntOrFPElementsAttr, IndexType, MemRefType, ModuleOp, StringAttr, UnitAttr, VectorType, i1
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
from cogir.lowering.products.loops import Extent, TileWriter, flat_type
from cogir.lowering.products.pack_products import BLOCK_MAPS, entries, suffix
from cogir.lowering.products.tile_products import LANES, TILE, lanes_for

Rows: TypeAlias = "MemRefType[Any]"
"""The type of a packed operand: any number of rows, one per term."""


class PackedOperands:
    """The operands of a block, copied to the order in which registers take them: a row for each term."""

    suffix = ""

    def __init__(self, left: Rows, right: Rows):
        self.types = {"left": left, "right": right}

    def start(self, code: Builder, given: Sequence[SSAValue], places: Sequence[SSAValue], firsts: Sequence[SSAValue]) -> None:
        """
        Writes what the loop through the terms needs, before it. `given`: the arguments for the operands; `places`: the numbers of rows;
        `firsts`: the first columns of vectors.
        """
        self.left, self.right = given
        self.places, self.firsts = places, firsts

    def columns(self, inside: Builder, k: SSAValue, type: VectorType[Any]) -> list[SSAValue]:
        """The vectors of `right` for a term."""
        return [inside.insert(vector.LoadOp(self.right, [k, first], type)).result for first in self.firsts]

    def number(self, inside: Builder, k: SSAValue, row: int) -> SSAValue:
        """The number of `left` for a term and a row."""
        return inside.insert(memref.LoadOp.get(self.left, [k, self.places[row]])).res

    def prefetch(self, inside: Builder, further: SSAValue, rows: range) -> None:
        """Prefetches what `left` holds for a later term; `rows`: one of each line of the cache."""
        for first in rows:
            inside.insert(PrefetchOp(self.left, [further, self.places[first]]))


class OperandsInPlace:
    """The operands of a block where they are."""

    suffix = "_in_place"

    def __init__(self, element: AnyFloat):
        matrices = {name: (flat_type(element), IndexType(), IndexType()) for name in ("left", "right")}
        self.types = {f"{name}{part}": type for name, types in matrices.items() for part, type in zip(("", "_begin", "_row"), types)}

    def start(self, code: Builder, given: Sequence[SSAValue], places: Sequence[SSAValue], firsts: Sequence[SSAValue]) -> None:
        """As `PackedOperands.start`."""
        self.left, left_begin, left_row, self.right, right_begin, self.right_row = given
        self.lines = [left_begin]
        while len(self.lines) < len(places):
            self.lines.append(code.insert(arith.AddiOp(self.lines[-1], left_row)).result)
        self.firsts = [code.insert(arith.AddiOp(right_begin, first)).result for first in firsts]

    def columns(self, inside: Builder, k: SSAValue, type: VectorType[Any]) -> list[SSAValue]:
        """As `PackedOperands.columns`."""
        line = inside.insert(arith.MuliOp(k, self.right_row)).result
        places = [inside.insert(arith.AddiOp(first, line)).result for first in self.firsts]
        return [inside.insert(vector.LoadOp(self.right, [at], type)).result for at in places]

    def number(self, inside: Builder, k: SSAValue, row: int) -> SSAValue:
        """As `PackedOperands.number`."""
        return inside.insert(memref.LoadOp.get(self.left, [inside.insert(arith.AddiOp(self.lines[row], k)).result])).res

    def prefetch(self, inside: Builder, further: SSAValue, rows: range) -> None:
        """Nothing: neighbours in memory are terms of one row, for which the processor itself asks ahead."""


@dataclass(frozen=True)
class TermSteps:
    """The loop through the terms of a block: the options of the pass with these names."""

    fused: bool
    ahead: int
    unroll: int


def product_function(
    name: str, operands: PackedOperands | OperandsInPlace, element: AnyFloat, shape: tuple[int, int], lanes: int, steps: TermSteps
) -> func.FuncOp:
    """A function that adds the product of two operands to a block in memory, row by row in vectors of so many numbers."""
    rows, columns = shape
    types = {**operands.types, "result": flat_type(element), **dict.fromkeys(("begin", "row", "terms"), IndexType()), "begins": i1}
    function = func.FuncOp(name, (list(types.values()), []), visibility="private")
    function.attributes |= {INLINE: StringAttr("never"), BRIEF: UnitAttr()}
    *given, result, begin, row_stride, terms, begins = function.args
    for argument, hint in zip(function.args, types, strict=True):
        argument.name_hint = hint
    vector_type = VectorType(element, [lanes])
    code = Builder(InsertPoint.at_end(function.body.block))
    places = [code.insert(index_constant(number)).result for number in range(max(rows, 2))]
    firsts = [places[0], *(code.insert(index_constant(number)).result for number in range(lanes, columns, lanes))]
    lines: list[SSAValue] = [begin]
    while len(lines) < rows:
        lines.append(code.insert(arith.AddiOp(lines[-1], row_stride)).result)
    targets = [line if first is places[0] else code.insert(arith.AddiOp(line, first)).result for line in lines for first in firsts]
    operands.start(code, given, places[:rows], firsts)
    zeros, loads = Block(), Block()
    loads.add_ops(held := [vector.LoadOp(result, [target], vector_type) for target in targets])
    loads.add_op(scf.YieldOp(*(load.result for load in held)))
    zeros.add_op(zero := arith.ConstantOp(DenseIntOrFPElementsAttr.from_list(vector_type, [0.0]), vector_type))
    zeros.add_op(scf.YieldOp(*[zero.result] * len(targets)))
    sums = code.insert(scf.IfOp(begins, [vector_type] * len(targets), Region(zeros), Region(loads))).results
    lines_ahead = range(0, rows, lanes_for(element, LANES))
    further = code.insert(index_constant(steps.ahead)).result if steps.ahead else None

    def term(inside: Builder, k: SSAValue, totals: Sequence[SSAValue]) -> list[SSAValue]:
        """The sums with one more term."""
        others = operands.columns(inside, k, vector_type)
        if further is not None:
            operands.prefetch(inside, inside.insert(arith.AddiOp(k, further)).result, lines_ahead)
        left = iter(totals)
        added: list[SSAValue] = []
        for number in range(rows):
            wide = inside.insert(vector.BroadcastOp(operands.number(inside, k, number), vector_type)).vector
            for other, total in zip(others, left):
                if steps.fused:
                    added.append(inside.insert(vector.FMAOp(wide, other, total)).res)
                else:
                    added.append(inside.insert(arith.AddfOp(total, inside.insert(arith.MulfOp(wide, other)).result)).result)
        return added

    def loop(first: SSAValue, end: SSAValue, step: int, totals: Sequence[SSAValue]) -> Sequence[SSAValue]:
        """The sums with the terms of a range, so many in each step."""
        body = Block(arg_types=[IndexType(), *[vector_type] * len(totals)])
        k, *now = body.args
        k.name_hint = "k"
        inside = Builder(InsertPoint.at_end(body))
        for offset in range(step):
            at = inside.insert(arith.AddiOp(k, code.insert(index_constant(offset)).result)).result if offset else k
            now = term(inside, at, now)
        inside.insert(scf.YieldOp(*now))
        return code.insert(scf.ForOp(first, end, code.insert(index_constant(step)).result, totals, Region(body))).results

    if steps.unroll > 1:
        rest = code.insert(arith.RemUIOp(terms, code.insert(index_constant(steps.unroll)).result)).result
        whole = code.insert(arith.SubiOp(terms, rest)).result
        totals = loop(whole, terms, 1, loop(places[0], whole, steps.unroll, sums))
    else:
        totals = loop(places[0], terms, 1, sums)
    for target, total in zip(targets, totals, strict=True):
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
    unroll: int = 1
    """The terms of each step of blocks with several vectors in a row, whose operands are copied."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions: set[str] = set()
        for inner in list(op.walk()):
            if isinstance(inner, GenericOp) and TILE in inner.attributes and tuple(inner.get_indexing_maps().data) == BLOCK_MAPS:
                type = cast("MemRefType[Any]", inner.outputs[0].type)
                rows, columns = type.get_shape()
                call, operands = self.call(cast(Product, product_of(inner)))
                name = call.callee.string_value()
                if name not in functions:
                    functions.add(name)
                    lanes = min(columns, lanes_for(type.element_type, self.lanes))
                    if columns % lanes:
                        raise LoweringError(
                            f"vectorize-products: a block has {columns} columns, which are no vectors of {lanes} numbers; give the `lanes` "
                            "of pack-products"
                        )
                    shape = (rows, columns)
                    unroll = self.unroll if columns > lanes and not operands.suffix else 1
                    steps = TermSteps(self.fused, self.ahead, unroll)
                    op.body.block.add_op(product_function(name, operands, type.element_type, shape, lanes, steps))

    def call(self, product: Product) -> tuple[func.CallOp, PackedOperands | OperandsInPlace]:
        """linalg.generic of a block  ->  func.call"""
        op = product.op
        place = TileWriter(InsertPoint.before(op))
        zeros = zeros_before(product)
        left, right = op.inputs
        packed, other, result = view_of(left), view_of(right), view_of(op.outputs[0])
        type = cast("MemRefType[Any]", result.matrix.result.type)
        given: list[SSAValue]
        if packed.is_turned:
            operands, given = OperandsInPlace(type.element_type), [*packed.handed(place), *other.handed(place)]
        else:
            given = [place.rows(left), place.rows(right)]
            operands = PackedOperands(*(cast(Rows, value.type) for value in given))
        name = f"{PREFIX}product_{'x'.join(map(str, type.get_shape()))}{suffix(type.element_type)}{operands.suffix}"
        remarks.passed(op, "vectorised a block of a product: @{}", name)
        arguments = [*given, *result.handed(place), place.index(packed.terms), place.begins(zeros)]
        call = place.builder.insert(func.CallOp(name, arguments, []))
        unused = [zeros and zeros.op, op, *result.operations, *(packed.operations + other.operations if packed.is_turned else [])]
        for each in unused:
            if isinstance(each, Operation) and not any(result.uses for result in each.results):
                cast(Block, each.parent).erase_op(each)
        return call, operands


@dataclass(frozen=True)
class MatrixView:
    """A line of memory that is viewed as a matrix."""

    line: memref.SubviewOp
    matrix: memref.ReinterpretCastOp

    @property
    def strides(self) -> list[Extent]:
        """The distances along both axes."""
        return entries(self.matrix.static_strides, self.matrix.strides)

    @property
    def is_turned(self) -> bool:
        """True if neighbours in memory are neighbours along the first axis."""
        first, second = self.strides
        return first == 1 and second != 1

    @property
    def terms(self) -> Extent:
        """The extent along the first axis."""
        return entries(self.matrix.static_sizes, self.matrix.sizes)[0]

    @property
    def operations(self) -> list[Operation]:
        """The operations that make the view, the last one first."""
        return [self.matrix, cast(Operation, self.matrix.source.owner), self.line]

    def handed(self, place: TileWriter) -> list[SSAValue]:
        """The arguments that stand for it: memory, the place of the first element, and the distance between rows (or columns)."""
        (begin,) = entries(self.line.static_offsets, self.line.offsets)
        return [self.line.source, place.index(begin), place.index(self.strides[1 if self.is_turned else 0])]


def view_of(value: SSAValue) -> MatrixView:
    """The view that an operand of a block is."""
    match value.owner:
        case (
            memref.ReinterpretCastOp(
                source=OpResult(op=memref.ExtractStridedMetaDataOp(source=OpResult(op=memref.SubviewOp() as line)))
            ) as matrix
        ):
            return MatrixView(line, matrix)
        case _:
            raise LoweringError("vectorize-products: the operands of a block are no views; run pack-products before this pass")
