"""
The tiles of a product are copied to memory in the order in which registers take them.

Before: tiles, as `tile-products` leaves them.
After:  each tile is two copies, whose blocks of rows and columns lie side by side, and a call that goes through pairs of these. The
        functions that are called serve all products of a module:

```mlir
%left = memref.alloca() : memref<38496xf64>         // four blocks of 24 rows, with 401 terms each
%right = memref.alloca() : memref<25664xf64>        // eight blocks of 8 columns
func.call @cogir_pack_transposed(%a, %a_begin, %a_row, %a_term, %rows, %depth, %left, %401, %24)
func.call @cogir_pack_vectors(%b, %b_begin, %b_row, %b_term, %columns, %depth, %right, %401, %8)
func.call @cogir_blocks(%left, %right, %c, %c_begin, %c_row, %rows, %columns, %depth, %401, %24)

func.func private @cogir_blocks(..., %block: index) {
  scf.for %jb = 0 to %blocks_of_columns step 1 {
    scf.for %ib = 0 to %blocks_of_rows step 1 {
      ...
      scf.if %block == 24 { linalg.generic {cog.tile = array<i64: 24>} ins(%left[%ib], %right[%jb]) outs(%c_block) { ... } } ...
```

A matrix is handed over as all of its memory, with the place of the first element and the distances between rows and between terms. What a
block lacks at the edge is zeros; it is computed in memory of its own, others in their place in %c (or in a copy of the tile, where rows of
%c are a multiple of 2 KiB apart, so that those of a block displace each other in the first cache). The zeros are only multiplied with each
other or go to sums that are not copied back, so results stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias, cast

from xdsl.context import Context
from xdsl.dialects import arith, func, memref, vector
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    MemRefType,
    ModuleOp,
    StringAttr,
    UnitAttr,
    VectorType,
    f32,
    f64,
    i1,
    i64,
)
from xdsl.dialects.linalg.attrs import IteratorType, IteratorTypeAttr
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from cogir.analysis.products import Product, Zeros, product_of, zeros_before
from cogir.analysis.signatures import BRIEF, INLINE
from cogir.errors import LoweringError
from cogir.irutils import element_type_of
from cogir.lowering.library.symbols import PREFIX
from cogir.lowering.products.loops import Extent, TileWriter, flat_type, strides_of
from cogir.lowering.products.tile_products import IN_PLACE, LANES, TILE, TILE_MOST, lanes_for, vectors_for

CROWDED = 2048
"""Rows whose distance is a multiple of so many bytes share two places or one of the first cache."""
LINES = 8
"""The lines that the first cache holds at each place."""
_PARALLEL, _REDUCTION = IteratorTypeAttr(IteratorType.PARALLEL), IteratorTypeAttr(IteratorType.REDUCTION)
_K, _I, _J = (AffineExpr.dimension(number) for number in range(3))
BLOCK_MAPS = tuple(AffineMapAttr(AffineMap(3, 0, results)) for results in ((_K, _I), (_K, _J), (_I, _J)))
BLOCK_KINDS = (_REDUCTION, _PARALLEL, _PARALLEL)


@dataclass(frozen=True)
class Window:
    """A window of a matrix: its extents along two axes, the place of its first element, and the distances along these axes."""

    memory: SSAValue
    begin: Extent
    extents: tuple[Extent, Extent]
    strides: tuple[int, int]

    def handed(self, place: TileWriter, flat: SSAValue) -> list[SSAValue]:
        """The arguments that stand for the window."""
        return [flat, place.index(self.begin), *(place.index(stride) for stride in self.strides)]


def window_of(place: TileWriter, value: SSAValue, axes: tuple[int, int]) -> Window:
    """The window that a subview is, for two axes in this order."""
    op = value.owner
    if not isinstance(op, memref.SubviewOp):
        raise LoweringError("pack-products: the operands of a tile are no windows; run tile-products before this pass")
    strides = strides_of(cast("MemRefType[Any]", op.source.type))
    offsets, sizes = entries(op.static_offsets, op.offsets), entries(op.static_sizes, op.sizes)
    begin: Extent = 0
    for offset, stride in zip(offsets, strides, strict=True):
        begin = place.plus(begin, place.times(offset, stride))
    return Window(op.source, begin, (sizes[axes[0]], sizes[axes[1]]), (strides[axes[0]], strides[axes[1]]))


def entries(static: Any, dynamic: Sequence[SSAValue]) -> list[Extent]:
    """The entries of a list of which some are constants and the others operands."""
    pending = iter(dynamic)
    return [number if number != DYNAMIC_INDEX else next(pending) for number in static.get_values()]


Matrix: TypeAlias = tuple[SSAValue, Extent, Extent]
"""A matrix in memory: all of the memory, the place of the first element, and the distance between rows."""


def suffix(element: Attribute) -> str:
    """The end of the names of functions for numbers of a type."""
    return "" if element == f64 else f"_{element}"


class SharedFunctions:
    """The functions that all products of a module with numbers of one type call, made when they are needed."""

    def __init__(self, module: ModuleOp, lanes: int, vectors: int, element: Attribute):
        self.module = module
        self.element = element
        self.lanes = lanes_for(element, lanes)
        self.vectors = vectors_for(element, vectors)
        self.width = self.lanes * self.vectors
        """The columns of a block."""
        self.has_masks = lanes >= 4
        """True if a vector can be loaded under a mask: AVX and AVX-512 do, while others branch for each number."""
        self.flat = flat_type(element)
        self.made = {op.sym_name.data for op in module.ops if isinstance(op, func.FuncOp)}
        self.bodies: dict[int, Region] = {}
        """The bodies of products, by the rows of their blocks."""

    def allocate(self, place: TileWriter, *shape: int) -> SSAValue:
        """Memory on the stack."""
        return place.builder.insert(memref.AllocaOp.get(self.element, shape=shape)).memref

    def function(
        self, name: str, types: Sequence[Attribute], hints: Sequence[str], write: Callable[[TileWriter, Sequence[SSAValue]], None]
    ) -> str:
        """The name of a function, which `write` writes if there is none yet."""
        if name not in self.made:
            self.made.add(name)
            made = func.FuncOp(name, (types, []), visibility="private")
            made.attributes |= {INLINE: StringAttr("never"), BRIEF: UnitAttr()}
            for argument, hint in zip(made.args, hints, strict=True):
                argument.name_hint = hint
            place = TileWriter(InsertPoint.at_end(made.body.block))
            write(place, made.args)
            place.builder.insert(func.ReturnOp())
            self.module.body.block.add_op(made)
        return name

    # Copies

    def pack(self, window: Window, blocks: Sequence[int]) -> str:
        """
        The function that copies a window to blocks of one of several numbers of rows. Where neighbours in memory are rows of one term, they
        are copied as vectors; where they are terms of one row, squares of them are transposed in registers; else numbers are copied one by
        one.
        """
        match window.strides:
            case (1, term) if term != 1 and set(blocks) == {self.lanes}:
                kind, write = "vectors", partial(self.write_vectors, size=self.lanes)
            case (1, term) if term != 1 and set(blocks) == {self.width}:
                kind, write = "columns", partial(self.write_vectors, size=self.width)
            case (1, term) if term != 1:
                kind, write = "across", self.write_wide_vectors
            case (_, 1) if self.has_masks and not any(rows % self.lanes for rows in blocks):
                kind, write = "squares", self.write_squares
            case (_, 1):
                kind, write = "transposed", self.write_transposed
            case _:
                kind, write = "along", self.write_numbers
        types = [self.flat, *[IndexType()] * 5, self.flat, IndexType(), IndexType()]
        hints = ("source", "begin", "row", "term", "rows", "terms", "copy", "reach", "block")
        return self.function(f"{PREFIX}pack_{kind}{suffix(self.element)}", types, hints, write)

    def write_vectors(self, place: TileWriter, given: Sequence[SSAValue], size: int) -> None:
        """for each term: the rows of all blocks, which lie side by side; a block has so many, one vector or several"""
        source, begin, _, term, rows, terms, copy, reach, _ = given
        whole, count = place.binary(arith.DivUIOp, rows, size), self.count(place, rows, size)

        def one_term(outer: TileWriter, k: SSAValue) -> None:
            at = outer.plus(begin, outer.times(k, term))

            def one_block(inner: TileWriter, b: SSAValue, is_whole: bool) -> None:
                first = inner.times(b, size)
                to = inner.times(inner.plus(inner.times(b, reach), k), size)
                for lane in range(0, size, self.lanes):
                    width = self.lanes if is_whole else inner.minus(inner.minus(rows, first), lane)
                    values = self.load(inner, source, [inner.index(inner.plus(inner.plus(at, first), lane))], width)
                    self.store(inner, values, copy, [inner.index(inner.plus(to, lane))], self.lanes)

            outer.loop(0, whole, 1, "b", lambda inner, b: one_block(inner, b, True))
            outer.loop(whole, count, 1, "b", lambda inner, b: one_block(inner, b, False))

        place.loop(0, terms, 1, "k", one_term)

    def write_wide_vectors(self, place: TileWriter, given: Sequence[SSAValue]) -> None:
        """As `write_vectors`, for blocks of several vectors, the last of which may have fewer numbers."""
        source, begin, _, term, rows, terms, copy, reach, block = given
        is_even = place.compare("eq", place.binary(arith.RemUIOp, block, self.lanes), 0)
        whole, count = place.select(is_even, place.binary(arith.DivUIOp, rows, block), 0), self.count(place, rows, block)

        def one_term(outer: TileWriter, k: SSAValue) -> None:
            at = outer.plus(begin, outer.times(k, term))

            def one_block(inner: TileWriter, b: SSAValue, is_whole: bool) -> None:
                first = inner.times(b, block)
                to = inner.times(inner.plus(inner.times(b, reach), k), block)

                def one_vector(deep: TileWriter, lane: SSAValue) -> None:
                    room = self.lanes if is_whole else deep.least(deep.minus(block, lane), self.lanes)
                    width = room if is_whole else deep.least(deep.minus(deep.minus(rows, first), lane), room)
                    values = self.load(deep, source, [deep.index(deep.plus(deep.plus(at, first), lane))], width)
                    self.store(deep, values, copy, [deep.index(deep.plus(to, lane))], room)

                inner.loop(0, block, self.lanes, "lane", one_vector)

            outer.loop(0, whole, 1, "b", lambda inner, b: one_block(inner, b, True))
            outer.loop(whole, count, 1, "b", lambda inner, b: one_block(inner, b, False))

        place.loop(0, terms, 1, "k", one_term)

    def write_squares(self, place: TileWriter, given: Sequence[SSAValue]) -> None:
        """
        for each block, vector by vector of its terms: squares, transposed. What is beyond the last row is a copy of it, as what is computed
        of these rows is not kept; what is beyond the last term is never read.
        """
        source, _, row, _, rows, terms, copy, _, block = given

        def one_block(outer: TileWriter, b: SSAValue) -> None:
            (base, to), width = self.block_at(outer, given, b)

            def some_terms(inner: TileWriter, k: SSAValue) -> None:
                mask, zeros = self.mask(inner, inner.least(inner.minus(terms, k), self.lanes)), self.zeros(inner)

                def square(deep: TileWriter, i: SSAValue) -> None:
                    held = deep.least(i, deep.minus(width, 1))
                    at = deep.plus(deep.plus(base, deep.times(held, row)), k)
                    line = deep.plus(deep.plus(to, i), deep.times(k, block))
                    values: list[SSAValue] = []
                    for number in range(self.lanes):
                        values.append(deep.builder.insert(vector.MaskedLoadOp(source, [deep.index(at)], mask, zeros)).result)
                        if number + 1 < self.lanes:
                            is_within = deep.compare("slt", deep.plus(i, number + 1), width)
                            at = deep.plus(at, deep.select(is_within, row, 0))
                    for turned in self.transposed(deep, values):
                        self.store(deep, turned, copy, [deep.index(line)], self.lanes)
                        line = deep.plus(line, block)

                inner.loop(0, block, self.lanes, "i", square)

            outer.loop(0, terms, self.lanes, "k", some_terms)

        place.loop(0, self.count(place, rows, block), 1, "b", one_block)

    def write_transposed(self, place: TileWriter, given: Sequence[SSAValue]) -> None:
        """for each block, vector by vector of its terms: squares, transposed; then number by number the rows and terms that they leave"""
        source, _, row, _, rows, terms, copy, _, block = given

        def one_block(outer: TileWriter, b: SSAValue) -> None:
            (base, to), width = self.block_at(outer, given, b)
            squares = outer.times(outer.binary(arith.DivUIOp, width, self.lanes), self.lanes)

            def some_terms(inner: TileWriter, k: SSAValue) -> None:
                end = inner.least(inner.plus(k, self.lanes), terms)
                is_whole = inner.compare("eq", inner.minus(end, k), self.lanes)
                rest = inner.select(is_whole, squares, 0)

                def square(deep: TileWriter, i: SSAValue) -> None:
                    at = deep.plus(deep.plus(base, deep.times(i, row)), k)
                    line = deep.plus(deep.plus(to, i), deep.times(k, block))
                    values: list[SSAValue] = []
                    for _ in range(self.lanes):
                        values.append(self.load(deep, source, [deep.index(at)], self.lanes))
                        at = deep.plus(at, row)
                    for turned in self.transposed(deep, values):
                        self.store(deep, turned, copy, [deep.index(line)], self.lanes)
                        line = deep.plus(line, block)

                inner.loop(0, rest, self.lanes, "i", square)
                self.numbers(inner, given, b, rest, (k, end))

            outer.loop(0, terms, self.lanes, "k", some_terms)

        place.loop(0, self.count(place, rows, block), 1, "b", one_block)

    def write_numbers(self, place: TileWriter, given: Sequence[SSAValue]) -> None:
        """for each block: number by number the terms of its rows"""
        _, _, _, _, rows, terms, _, _, block = given
        place.loop(0, self.count(place, rows, block), 1, "b", lambda inner, b: self.numbers(inner, given, b, 0, (0, terms)))

    def block_at(self, place: TileWriter, given: Sequence[SSAValue], b: SSAValue) -> tuple[tuple[Extent, Extent], Extent]:
        """The places of a block in memory and in the copy, and the number of its rows within the matrix."""
        _, begin, row, _, rows, _, _, reach, block = given
        first = place.times(b, block)
        places = (place.plus(begin, place.times(first, row)), place.times(place.times(b, reach), block))
        return places, place.least(place.minus(rows, first), block)

    def numbers(self, place: TileWriter, given: Sequence[SSAValue], b: SSAValue, first: Extent, terms: tuple[Extent, Extent]) -> None:
        """Copies some terms of the rows of a block from `first` on number by number, and zeros for rows beyond the matrix."""
        source, _, row, term, _, _, copy, _, block = given
        (base, to), width = self.block_at(place, given, b)

        def one_row(outer: TileWriter, i: SSAValue) -> None:
            is_within = outer.compare("slt", i, width)
            held = outer.select(is_within, i, 0)
            at, line = outer.plus(base, outer.times(held, row)), outer.plus(to, i)

            def number(inner: TileWriter, k: SSAValue) -> None:
                zero = inner.builder.insert(arith.ConstantOp(FloatAttr(0.0, cast(Any, self.element)))).result
                value = inner.select(is_within, inner.load(source, inner.index(inner.plus(at, inner.times(k, term)))), zero)
                inner.store(value, copy, inner.index(inner.plus(line, inner.times(k, block))))

            outer.loop(*terms, 1, "k", number)

        place.loop(first, block, 1, "i", one_row)

    def transposed(self, place: TileWriter, rows: Sequence[SSAValue]) -> list[SSAValue]:
        """
        The columns of a square of so many rows as vectors: squares within it of one, two, four ... elements change places across the
        diagonal (Eklundh 1972).
        """
        values, lanes = list(rows), range(self.lanes)
        size = 1
        while size < self.lanes:
            upper = [lane if not lane & size else self.lanes + lane - size for lane in lanes]
            lower = [lane + size if not lane & size else self.lanes + lane for lane in lanes]
            for number in [number for number in lanes if not number & size]:
                pair = values[number], values[number + size]
                values[number], values[number + size] = (self.shuffle(place, *pair, mask) for mask in (upper, lower))
            size *= 2
        return values

    def shuffle(self, place: TileWriter, first: SSAValue, second: SSAValue, mask: Sequence[int]) -> SSAValue:
        """Elements of two vectors; numbers from the number of lanes on stand for those of the second one."""
        made = vector.ShuffleOp(first, second, DenseArrayBase.from_list(i64, mask), result_type=cast("VectorType[Any]", first.type))
        return place.builder.insert(made).result

    def load(self, place: TileWriter, source: SSAValue, indices: Sequence[SSAValue], count: Extent) -> SSAValue:
        """So many neighbours as a vector, and zeros after them."""
        if count == self.lanes:
            return place.builder.insert(vector.LoadOp(source, indices, VectorType(self.element, [self.lanes]))).result
        return place.builder.insert(vector.MaskedLoadOp(source, indices, self.mask(place, count), self.zeros(place))).result

    def zeros(self, place: TileWriter) -> SSAValue:
        """A vector of zeros."""
        row = VectorType(cast(Any, self.element), [self.lanes])
        return place.builder.insert(arith.ConstantOp(DenseIntOrFPElementsAttr.from_list(row, [0.0]), row)).result

    def store(self, place: TileWriter, values: SSAValue, target: SSAValue, indices: Sequence[SSAValue], count: Extent) -> None:
        """Writes the first elements of a vector."""
        if count == self.lanes:
            place.builder.insert(vector.StoreOp(values, target, indices))
        else:
            place.builder.insert(vector.MaskedStoreOp(target, indices, self.mask(place, count), values))

    def mask(self, place: TileWriter, count: Extent) -> SSAValue:
        """True for so many lanes."""
        return place.builder.insert(vector.CreateMaskOp([place.index(count)], VectorType(i1, [self.lanes]))).mask_vector

    def count(self, place: TileWriter, extent: Extent, block: Extent) -> Extent:
        """The number of blocks that cover an extent."""
        return place.binary(arith.DivUIOp, place.plus(extent, place.minus(block, 1)), block)

    def is_crowded(self, row: int) -> bool:
        """True if rows so far apart share so few places in the first cache that those of a block displace each other."""
        return row * (8 if self.element == f64 else 4) % CROWDED == 0

    def copies(self) -> str:
        """The function that copies a tile of the result, row by row."""
        types = [*[self.flat, IndexType(), IndexType()] * 2, IndexType(), IndexType()]
        hints = ("source", "source_begin", "source_row", "target", "target_begin", "target_row", "rows", "columns")
        return self.function(f"{PREFIX}copy_tile{suffix(self.element)}", types, hints, self.write_copies)

    def write_copies(self, place: TileWriter, given: Sequence[SSAValue]) -> None:
        """for each row: vectors of it"""
        source, source_begin, source_row, target, target_begin, target_row, rows, columns = given

        def row(outer: TileWriter, i: SSAValue) -> None:
            begins = [
                outer.plus(begin, outer.times(i, stride)) for begin, stride in ((source_begin, source_row), (target_begin, target_row))
            ]

            def part(inner: TileWriter, b: SSAValue) -> None:
                j = inner.times(b, self.lanes)
                width = inner.least(inner.minus(columns, j), self.lanes)
                at, to = (inner.index(inner.plus(begin, j)) for begin in begins)
                self.store(inner, self.load(inner, source, [at], width), target, [to], width)

            outer.loop(0, self.count(outer, columns, self.lanes), 1, "b", part)

        place.loop(0, rows, 1, "i", row)

    # Blocks

    def block_for(self, place: TileWriter, rows: Extent, blocks: Sequence[int]) -> Extent:
        """
        The rows of a block for a tile of so many: of two numbers, the first where the last of up to four blocks would be empty from there
        on.
        """
        *few, block = blocks
        if not few:
            return block
        if isinstance(rows, int):
            return few[0] if rows <= 4 * block and 0 < rows % block <= few[0] else block
        rest = place.binary(arith.SubiOp, place.binary(arith.RemUIOp, rows, block), 1)
        leaves_room, is_small = place.compare("ult", rest, few[0]), place.compare("ule", rows, 4 * block)
        takes_few = place.both(leaves_room, is_small)
        return place.builder.insert(arith.SelectOp(takes_few, place.index(few[0]), place.index(block))).result

    def blocks(self, blocks: Sequence[int], body: Region) -> str:
        """
        The name of the function that goes through the pairs of blocks of two copies, whose rows may be one of several numbers; `body`: that
        of the product. `finish` writes it.
        """
        self.bodies |= dict.fromkeys(blocks, body)
        return f"{PREFIX}blocks{suffix(self.element)}"

    def finish(self) -> None:
        """Writes the function over blocks, for all numbers of rows that there are."""
        if self.bodies:
            types = [*[self.flat] * 3, *[IndexType()] * 7, i1]
            hints = ("left", "right", "result", "begin", "row", "rows", "columns", "terms", "reach", "block", "begins")
            self.function(f"{PREFIX}blocks{suffix(self.element)}", types, hints, self.write_blocks)

    def write_blocks(self, place: TileWriter, given: Sequence[SSAValue]) -> None:
        """for each block of columns: for each block of rows: their product is added to the result, or to zeros"""
        left, right, result, begin, row, rows, columns, terms, reach, block, begins = given
        own = place.memory(self.allocate(place, max(self.bodies) * self.width))

        def through_columns(outer: TileWriter, jb: SSAValue) -> None:
            j = outer.times(jb, self.width)
            width = outer.least(outer.minus(columns, j), self.width)
            b = outer.times(outer.times(jb, reach), self.width)

            def through_rows(inner: TileWriter, ib: SSAValue) -> None:
                i = inner.times(ib, block)
                height = inner.least(inner.minus(rows, i), block)
                a = inner.times(inner.times(ib, reach), block)
                at = inner.plus(inner.plus(begin, inner.times(i, row)), j)
                is_whole = inner.both(inner.compare("eq", height, block), inner.compare("eq", width, self.width))

                def computed(deep: TileWriter, target: Matrix, number: Extent, vectors: int) -> None:
                    first = deep.times(number, self.lanes)
                    operands = ((left, a), (right, deep.plus(b, first)))
                    memory, at_first, distance = target
                    self.products(
                        deep, (block, terms, begins), operands, (memory, deep.plus(at_first, first), distance), sorted(self.bodies), vectors
                    )

                def compute(deep: TileWriter, target: Matrix) -> None:
                    if self.vectors == 1:
                        computed(deep, target, 0, 1)
                        return
                    takes_all = deep.compare("sgt", width, (self.vectors - 1) * self.lanes)
                    deep.choice(
                        takes_all,
                        lambda inside: computed(inside, target, 0, self.vectors),
                        lambda inside: inside.loop(
                            0, self.count(inside, width, self.lanes), 1, "v", lambda one, v: computed(one, target, v, 1)
                        ),
                    )

                self.in_place_or_own(inner, is_whole, begins, (result, at, row), (own, 0, self.width), (height, width), compute)

            outer.loop(0, self.count(outer, rows, block), 1, "ib", through_rows)

        place.loop(0, self.count(place, columns, self.width), 1, "jb", through_columns)

    def in_place_or_own(
        self,
        place: TileWriter,
        in_place: SSAValue,
        begins: SSAValue,
        there: Matrix,
        own: Matrix,
        size: tuple[Extent, Extent],
        compute: Callable[[TileWriter, Matrix], None],
        known: tuple[Extent, Extent] = (0, 0),
    ) -> None:
        """
        Computes a block where its result is wanted, `there`, or in memory of its own.

        In the latter case, rows and columns (`size`) of the result are copied there before, unless the block begins with zeros. They are
        copied back after that, without the first ones that are `known`.
        """
        is_own = place.opposite(in_place)
        place.when(place.both(is_own, place.opposite(begins)), lambda inside: self.copy(inside, there, own, *size))
        memory = place.builder.insert(arith.SelectOp(in_place, there[0], own[0])).result
        compute(place, (memory, place.select(in_place, there[1], own[1]), place.select(in_place, there[2], own[2])))

        def hand_on(inside: TileWriter) -> None:
            source, target = (
                (held, inside.plus(begin, inside.plus(inside.times(known[0], row), known[1])), row) for held, begin, row in (own, there)
            )
            self.copy(inside, source, target, inside.minus(size[0], known[0]), inside.minus(size[1], known[1]))

        place.when(is_own, hand_on)

    def products(
        self,
        place: TileWriter,
        given: tuple[SSAValue, SSAValue, SSAValue],
        packed: tuple[tuple[SSAValue, Extent], tuple[SSAValue, Extent]],
        target: Matrix,
        sizes: Sequence[int],
        vectors: int,
    ) -> None:
        """
        The product of two blocks, for one of several numbers of rows, in the columns of the first vectors; `given`: the number of rows, of
        terms, and whether it begins with zeros; `packed`: memory and the place in it, of left and right.
        """
        block, terms, begins = given
        size, *others = sizes
        columns = vectors * self.lanes

        def of_this_size(inner: TileWriter) -> None:
            (left, a), (right, b) = packed
            memory, at, row = target
            operands = (inner.view(left, a, (terms, size), size), inner.view(right, b, (terms, columns), self.width))
            self.product(inner, *operands, inner.view(memory, at, (size, columns), row), begins, self.bodies[size])

        if others:
            place.choice(
                place.compare("eq", block, size),
                of_this_size,
                lambda inner: self.products(inner, given, packed, target, others, vectors),
            )
        else:
            of_this_size(place)

    def product(self, place: TileWriter, left: SSAValue, right: SSAValue, result: SSAValue, begins: SSAValue, body: Region) -> None:
        """The product of two blocks, added to a third one, or to zeros."""
        place.when(begins, lambda inside: inside.fill(result))
        made = GenericOp([left, right], [result], body.clone(), BLOCK_MAPS, BLOCK_KINDS)
        height = cast("MemRefType[Any]", result.type).get_shape()[0]
        made.attributes[TILE] = DenseArrayBase.from_list(i64, [height])
        place.builder.insert(made)

    def copy(self, place: TileWriter, source: Matrix, target: Matrix, height: Extent, width: Extent) -> None:
        """Copies so many rows and columns."""
        handed = [place.index(number) if isinstance(number, int) else number for number in (*source, *target, height, width)]
        place.builder.insert(func.CallOp(self.copies(), handed, []))


def numbers_of(product: Product, name: str) -> list[int]:
    """The numbers of an attribute of a tile."""
    return [int(number) for number in cast("DenseArrayBase[Any]", product.op.attributes[name]).get_values()]


class WholeMemory:
    """All memory of matrices that are arguments of a function."""

    def __init__(self) -> None:
        self.made: dict[SSAValue, SSAValue] = {}

    def __call__(self, matrix: SSAValue) -> SSAValue:
        """All memory of a matrix, from its first element on."""
        if matrix not in self.made:
            place = TileWriter(InsertPoint.at_start(cast(Block, matrix.owner)))
            self.made[matrix] = place.flat(matrix)
        return self.made[matrix]


def erase_tile(product: Product, zeros: Zeros | None) -> None:
    """Erases a tile that something else computes, with the zeros before it and its windows."""
    windows = [value.owner for value in product.op.operands]
    if zeros is not None:
        cast(Block, zeros.op.parent).erase_op(zeros.op)
    cast(Block, product.op.parent).erase_op(product.op)
    for window in windows:
        if isinstance(window, memref.SubviewOp) and not window.result.uses:
            cast(Block, window.parent).erase_op(window)


class Packing:
    """Writes the copies and the calls for the tiles of one function."""

    def __init__(self, shared: SharedFunctions):
        self.shared = shared
        self.memory = WholeMemory()

    def write(self, product: Product) -> None:
        """Replaces a tile."""
        place = TileWriter(InsertPoint.before(product.op))
        zeros = zeros_before(product)
        blocks = numbers_of(product, TILE)
        most_rows, most_terms, most_columns = numbers_of(product, TILE_MOST)
        result = window_of(place, product.result, (0, 1))
        right_axes = (product.right_axes[1], product.right_axes[0])
        left, (terms, reach, block) = self.packed(product.left, product.left_axes, (most_rows, most_terms), blocks)
        right, _ = self.packed(product.right, right_axes, (most_columns, most_terms), [self.shared.width])
        rows, columns = (place.index(extent) for extent in result.extents)
        memory, begin, row, _ = result.handed(place, self.memory(result.memory))
        there = [memory, begin, row]
        is_crowded = blocks[-1] > LINES and self.shared.is_crowded(result.strides[0])
        room = self.shared.allocate(place, most_rows * most_columns) if is_crowded else None
        here = there if room is None else [place.memory(room), place.index(0), place.index(most_columns)]
        name = self.shared.blocks(blocks, product.op.body)
        numbers = (place.index(number) for number in (terms, reach, block))
        begins = place.begins(zeros)

        def move(inside: TileWriter, source: Sequence[SSAValue], target: Sequence[SSAValue]) -> None:
            inside.builder.insert(func.CallOp(self.shared.copies(), [*source, *target, rows, columns], []))

        if is_crowded:
            place.unless(begins, lambda inside: move(inside, there, here))
        place.builder.insert(func.CallOp(name, [left, right, *here, rows, columns, *numbers, begins], []))
        if is_crowded:
            move(place, here, there)
        erase_tile(product, zeros)

    def packed(
        self, value: SSAValue, axes: tuple[int, int], most: tuple[int, int], blocks: Sequence[int]
    ) -> tuple[SSAValue, tuple[Extent, int, Extent]]:
        """
        A copy of a window along its axes for (row or column, term), with the number of terms, the lines of a block, and its rows or
        columns; `most`: the most rows or columns, and the most terms.
        """
        place = TileWriter(InsertPoint.after(cast(memref.SubviewOp, value.owner)))
        window = window_of(place, value, axes)
        extent, terms = window.extents
        largest, deepest = (each if isinstance(each, int) else bound for each, bound in zip(window.extents, most, strict=True))
        reach = -(-deepest // self.shared.lanes) * self.shared.lanes + 1  # squares of terms, and no power of two between blocks
        block = self.shared.block_for(place, extent, blocks)
        lines = max(-(-largest // rows) * rows for rows in blocks)  # which of the blocks is taken may be known only in the end
        copy = place.memory(self.shared.allocate(place, lines * reach))
        handed = window.handed(place, self.memory(window.memory))
        given = [*handed, place.index(extent), place.index(terms), copy, place.index(reach), place.index(block)]
        place.builder.insert(func.CallOp(self.shared.pack(window, blocks), given, []))
        return copy, (terms, reach, block)


@dataclass(frozen=True)
class PackProducts(ModulePass):
    """Copies the tiles of a product to memory in the order in which registers take them."""

    name = "pack-products"

    lanes: int = LANES
    """The numbers that one register holds."""
    vectors: int = 1
    """The registers of a row of a block."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        shared = {element: SharedFunctions(op, self.lanes, self.vectors, element) for element in (f64, f32)}
        for function in [each for each in op.ops if isinstance(each, func.FuncOp)]:
            packing = {element: Packing(each) for element, each in shared.items()}
            for inner in list(function.walk()):
                if not isinstance(inner, GenericOp) or TILE not in inner.attributes or IN_PLACE in inner.attributes:
                    continue
                if (product := product_of(inner)) is not None:
                    packing[cast(Any, element_type_of(product.result.type))].write(product)
        for each in shared.values():
            each.finish()
