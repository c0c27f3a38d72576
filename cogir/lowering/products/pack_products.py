"""
The tiles of a product are copied to memory in the order in which registers take them.

Before: tiles, as `tile-products` leaves them.
After:  each tile is a loop over blocks of as many rows and columns as registers hold, whose operands lie side by side, block by block:

```mlir
%left = memref.alloca() : memref<4x256x24xf64>      // block, term, row
%right = memref.alloca() : memref<8x256x8xf64>      // block, term, column
%block = memref.alloca() : memref<24x8xf64>
...                                                 // copies; what a block lacks at the edge is zeros
scf.for %jb = 0 to %blocks_of_columns step 1 {
  scf.for %ib = 0 to %blocks_of_rows step 1 {
    ...                                             // %block = the elements of %c in this block
    linalg.generic {cog.tile, ...} ins(%left[%ib], %right[%jb]) outs(%block) { total + x * y }     // (k, i), (k, j) -> (i, j)
    ...                                             // the elements of %c in this block = %block
```

The zeros at an edge are only multiplied with each other or go to sums that are not copied back, so results stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import arith, memref, vector
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    VectorType,
    f64,
    i1,
)
from xdsl.dialects.linalg.attrs import IteratorType, IteratorTypeAttr
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Block, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from cogir.analysis.products import Product, product_of
from cogir.errors import LoweringError
from cogir.lowering.products.loops import Extent, TileWriter
from cogir.lowering.products.tile_products import COLUMNS, DEPTH, ROWS, TILE

LANES = 8
"""The columns of a block: the numbers of f64 in a vector of 512 bits."""
_PARALLEL, _REDUCTION = IteratorTypeAttr(IteratorType.PARALLEL), IteratorTypeAttr(IteratorType.REDUCTION)
_K, _I, _J = (AffineExpr.dimension(number) for number in range(3))
BLOCK_MAPS = tuple(AffineMapAttr(AffineMap(3, 0, results)) for results in ((_K, _I), (_K, _J), (_I, _J)))
BLOCK_KINDS = (_REDUCTION, _PARALLEL, _PARALLEL)


@dataclass(frozen=True)
class Tile:
    """A tile: a product of windows, and what is known of their extents."""

    product: Product
    rows: Extent
    columns: Extent
    depth: Extent
    block_rows: int

    @staticmethod
    def of(product: Product) -> Tile:
        height, width = sizes_of(product.result)
        block_rows = cast("IntegerAttr[Any]", product.op.attributes[TILE]).value.data
        return Tile(product, height, width, sizes_of(product.left)[product.left_axes[1]], block_rows)


def sizes_of(window: SSAValue) -> tuple[Extent, ...]:
    """The extents of a window along the axes of what it is a window of."""
    owner = window.owner
    if not isinstance(owner, memref.SubviewOp):
        raise LoweringError("pack-products: the operands of a tile are no windows; run tile-products before this pass")
    dynamic = list(owner.sizes)
    return tuple(size if size != DYNAMIC_INDEX else dynamic.pop(0) for size in owner.static_sizes.get_values())


def allocate(place: TileWriter, *shape: int) -> SSAValue:
    """Memory on the stack."""
    return place.builder.insert(memref.AllocaOp.get(f64, shape=shape)).memref


class Packing:
    """Writes the copies and the loops over blocks for one tile."""

    def __init__(self, tile: Tile, lanes: int):
        self.tile = tile
        self.block_rows = tile.block_rows
        self.lanes = lanes

    def write(self) -> None:
        """Replaces the tile."""
        product, tile = self.tile.product, self.tile
        left = self.packed(product.left, tile.rows, ROWS, self.block_rows, product.left_axes)
        right = self.packed(product.right, tile.columns, COLUMNS, self.lanes, (product.right_axes[1], product.right_axes[0]))
        outside = TileWriter(InsertPoint.before(product.op))
        block = allocate(outside, self.block_rows, self.lanes)

        def columns(place: TileWriter, jb: SSAValue) -> None:
            def rows(inner: TileWriter, ib: SSAValue) -> None:
                self.block(inner, ib, jb, left, right, block)

            place.loop(0, self.count(place, tile.rows, self.block_rows), 1, "ib", rows)

        outside.loop(0, self.count(outside, tile.columns, self.lanes), 1, "jb", columns)
        cast(Block, product.op.parent).erase_op(product.op)

    def count(self, place: TileWriter, extent: Extent, block: int) -> Extent:
        """The number of blocks that cover an extent."""
        if isinstance(extent, int):
            return -(-extent // block)
        return place.binary(arith.DivUIOp, place.binary(arith.AddiOp, extent, block - 1), block)

    def within(self, place: TileWriter, extent: Extent, begin: SSAValue, block: int) -> Extent:
        """The part of a block that lies within an extent."""
        if isinstance(extent, int) and extent % block == 0:
            return block
        return place.least(place.minus(extent, begin), block)

    def packed(self, window: SSAValue, extent: Extent, largest: int, block: int, axes: tuple[int, int]) -> SSAValue:
        """A copy of a window, (block, term, row or column); `axes`: those of the window for (row or column, term)."""
        place = TileWriter(InsertPoint.after(cast("memref.SubviewOp", window.owner)))
        most = extent if isinstance(extent, int) else largest
        depth = self.tile.depth
        copy = allocate(place, -(-most // block), (depth if isinstance(depth, int) else DEPTH) + 1, block)

        def along_terms(outer: TileWriter, b: SSAValue) -> None:
            """Neighbours in the window are terms: one row after the other is written down as a column."""
            begin = outer.binary(arith.MuliOp, b, block)
            width = self.within(outer, extent, begin, block)

            def row(middle: TileWriter, i: SSAValue) -> None:
                number = middle.binary(arith.AddiOp, begin, i)
                middle.loop(0, depth, 1, "k", lambda inner, k: inner.store(inner.load(window, number, k), copy, b, k, i), 4)

            def nothing(middle: TileWriter, i: SSAValue) -> None:
                zero = middle.builder.insert(arith.ConstantOp(FloatAttr(0.0, f64))).result
                middle.loop(0, depth, 1, "k", lambda inner, k: inner.store(zero, copy, b, k, i), 4)

            outer.loop(0, width, 1, "i", row)
            if width != block:
                outer.loop(width, block, 1, "i", nothing)

        def across_terms(outer: TileWriter, k: SSAValue) -> None:
            """Neighbours in the window belong to one term: they are copied as vectors, with zeros at the edge."""

            def one_block(middle: TileWriter, b: SSAValue) -> None:
                begin = middle.binary(arith.MuliOp, b, block)
                width = self.within(middle, extent, begin, block)
                for first in range(0, block, self.lanes):
                    lanes = min(self.lanes, block - first)
                    count = lanes if width == block else middle.least(middle.minus(width, first), lanes)
                    values = self.load(middle, window, (k, middle.binary(arith.AddiOp, begin, first)), count)
                    self.store(middle, values, copy, (b, k, middle.index(first)), lanes)

            outer.loop(0, self.count(outer, extent, block), 1, "b", one_block)

        if axes == (0, 1):
            place.loop(0, self.count(place, extent, block), 1, "b", along_terms)
        else:
            place.loop(0, depth, 1, "k", across_terms)
        return copy

    def load(self, place: TileWriter, source: SSAValue, indices: Sequence[SSAValue], count: Extent) -> SSAValue:
        """So many neighbours as a vector, and zeros after them."""
        row = VectorType(f64, [self.lanes])
        if count == self.lanes:
            return place.builder.insert(vector.LoadOp(source, indices, row)).result
        zeros = place.builder.insert(arith.ConstantOp(DenseIntOrFPElementsAttr.from_list(row, [0.0]), row)).result
        return place.builder.insert(vector.MaskedLoadOp(source, indices, self.mask(place, count), zeros)).result

    def store(self, place: TileWriter, values: SSAValue, target: SSAValue, indices: Sequence[SSAValue], count: Extent) -> None:
        """Writes the first elements of a vector."""
        if count == self.lanes:
            place.builder.insert(vector.StoreOp(values, target, indices))
        else:
            place.builder.insert(vector.MaskedStoreOp(target, indices, self.mask(place, count), values))

    def mask(self, place: TileWriter, count: Extent) -> SSAValue:
        """True for so many lanes."""
        return place.builder.insert(vector.CreateMaskOp([place.index(count)], VectorType(i1, [self.lanes]))).mask_vector

    def block(self, place: TileWriter, ib: SSAValue, jb: SSAValue, left: SSAValue, right: SSAValue, block: SSAValue) -> None:
        """A block of the result, from the operands as they were copied."""
        tile = self.tile
        i, j = place.binary(arith.MuliOp, ib, self.block_rows), place.binary(arith.MuliOp, jb, self.lanes)
        height = self.within(place, tile.rows, i, self.block_rows)
        width = self.within(place, tile.columns, j, self.lanes)
        target = place.window(tile.product.result, (i, j), (height, width))
        self.copy(place, target, block, height, width)
        a, b = (self.part(place, packed, number) for packed, number in ((left, ib), (right, jb)))
        body = tile.product.op.body.clone()
        made = GenericOp([a, b], [block], body, BLOCK_MAPS, BLOCK_KINDS)
        made.attributes[TILE] = tile.product.op.attributes[TILE]
        place.builder.insert(made)
        self.copy(place, block, target, height, width)

    def part(self, place: TileWriter, packed: SSAValue, number: SSAValue) -> SSAValue:
        """A block of an operand, (term, row or column)."""
        _, _, block = cast("MemRefType[Any]", packed.type).get_shape()
        return place.window(packed, (number, 0, 0), (1, self.tile.depth, block), keeps=(1, 2))

    def copy(self, place: TileWriter, source: SSAValue, target: SSAValue, height: Extent, width: Extent) -> None:
        """Copies a block row by row."""

        def row(inner: TileWriter, i: SSAValue) -> None:
            at = (i, inner.index(0))
            self.store(inner, self.load(inner, source, at, width), target, at, width)

        place.loop(0, height, 1, "i", row, 2)


@dataclass(frozen=True)
class PackProducts(ModulePass):
    """Copies the tiles of a product to memory in the order in which registers take them."""

    name = "pack-products"

    lanes: int = LANES
    """The number of columns of a block: the numbers that one register holds."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in list(op.walk()):
            if isinstance(inner, GenericOp) and TILE in inner.attributes:
                product = product_of(inner)
                if product is not None:
                    Packing(Tile.of(product), self.lanes).write()
