"""
Products of matrices go through their operands in tiles that stay in the caches.

Before: `linalg.generic` on memory, as `bufferize` leaves it.
After:  those that are products of matrices large enough are calls of a function that goes through tiles of at most 264 rows, 64 columns
        and 400 terms (72 columns and 264 terms where blocks have three vectors in a row):

```mlir
func.func private @cogir_product_0(%left: memref<128x784xf64>, %right: memref<784x512xf64>, %result: memref<128x512xf64>)
scf.for %k = 0 to 784 step 392 {
  scf.for %i = 0 to 128 step 264 {
    %a = memref.subview %left[%i, %k] [%rows, %depth] [1, 1]
    scf.for %j = 0 to 512 step 64 {
      %b = memref.subview %right[%k, %j] [%depth, %columns] [1, 1]
      %c = memref.subview %result[%i, %j] [%rows, %columns] [1, 1]
      linalg.generic {cog.tile = array<i64: 24>, ...} ins(%a, %b) outs(%c) { total + x * y }
```

If blocks have three vectors in a row, tiles of %b may have all columns (264 terms of up to 576 columns, or fewer of more). A product of
more than 120 rows goes through such a tile in tiles of 16 rows, the loop over rows inside that over columns: %b stays in the second cache,
and results are written row by row.

A product of many terms takes a range of tiles of columns, too: it can be divided among threads (`cog.parallel`).

A product that is added to zeros, which are written right before it, writes zeros to the part of its result at the first tile of terms; the
passes that follow keep them in registers:

```mlir
      scf.if %is_first { linalg.generic outs(%c) { linalg.yield 0.0 } }
      linalg.generic {cog.tile = array<i64: 24>, ...} ins(%a, %b) outs(%c) { total + x * y }
```

The sum of each element goes through the terms in the same order as before, in memory between two tiles of terms: no bit changes. A tile of
`left` (825 KiB) stays in the second cache for all columns, one of `right` (200 KiB) for all rows of that tile. With fewer terms a tile has
more rows. The other way round it is a tile of `right` (1.2 MiB) that stays for all rows. Processors with a smaller second cache read them
from the third one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import DenseArrayBase, IndexType, MemRefType, ModuleOp, StringAttr, UnitAttr, f64, i1, i64
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Attribute, Block, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from cogir import remarks
from cogir.analysis.products import Product, product_of, zeros_before
from cogir.analysis.signatures import INLINE
from cogir.analysis.signatures import PARALLEL as SHARED
from cogir.analysis.trial_axis import BY_TRIAL, fewest_trials, last_trial
from cogir.irutils import element_type_of, iteration_extents
from cogir.lowering.convert_linalg_to_loops import memory_of
from cogir.lowering.library.symbols import PREFIX
from cogir.lowering.products.loops import Extent, TileWriter, are_static, strides_of

TILE = "cog.tile"
"""
The attribute of a product that is a tile of another one: the number of rows that are computed in registers at a time; or two of them, the
first of which is taken for tiles of a few rows where that leaves fewer rows of nothing.
"""
TILE_MOST = "cog.tile_most"
"""The attribute that says how many rows, terms and columns it has at most."""
IN_PLACE = "cog.in_place"
"""The attribute of a tile whose operands are read where they are."""
ROWS, COLUMNS, DEPTH = 264, 64, 400
"""The largest tile."""
DEPTH_OF_SEVERAL = 264
"""The most terms of a tile whose blocks have several vectors in a row: a block of `right` with more would leave the first cache."""
MOST_TILE_ROWS = 2 * ROWS
"""The most rows of a tile with few terms, which has as many elements of `left` as others, so that `right` is copied less often."""
ROWS_KEPT = 120
"""The rows of `left` that stay in the second cache for all columns even if blocks have several vectors in a row."""
WIDE_TILE = 264 * 576
"""The most elements of a tile of `right` that stays in the second cache. It has all columns: else `left` would be copied for each tile."""
BLOCKS_OF_ROWS = 2
"""The blocks of rows that go through such a tile."""
LARGE_RESULT = 2**17
"""A result with more elements, a MiB of f64, leaves no room in the second cache for a tile of `left`."""
MOST_ROWS = 24
"""The rows of a block: of 32 registers, three quarters hold sums, one a row of `right`, and the rest products on their way."""
FEW_ROWS = 20
"""A product of at most so many rows uses what it reads in so few blocks that copies would take longer."""
ROWS_OF_FEW = 5
"""The most rows of a block of such a product, which has as many rows as a block at least."""
DEPTH_OF_FEW = 32
"""The most terms of a tile of a few rows, if `right` does not stay in the second cache: so many lines are read side by side."""
LARGE_MATRIX = 2**16
"""A matrix with more elements, half a MiB of f64, shares the second cache with too much else to stay there."""
LANES = 8
"""The numbers of f64 in a vector of 512 bits. There are twice as many of f32."""
LEAST_ROWS = 4
"""A product of fewer rows is a product of a vector for each of them: it reads every element of `right` as often, and tiles gain nothing."""
LEAST_WORK = 4096
"""A product of fewer terms is over before a tile is packed."""
LEAST_MATRIX = 1024
"""Trials times a matrix with fewer elements go through it at the same speed without a copy of it, and are compiled sooner."""
SHARED_WORK = 50_000_000
"""A product of fewer terms, about a millisecond, is not worth waking a thread for."""


Range = tuple[SSAValue, SSAValue]
"""The first tile of columns, and the one after the last."""


def is_worth_tiles(product: Product) -> bool:
    """True if a product is large enough, all strides are known, and its result is no memory that it reads."""
    if not all(are_static(cast("MemRefType[Any]", value.type)) for value in product.op.operands):
        return False
    if strides_of(cast("MemRefType[Any]", product.result.type))[1] != 1:
        return False
    if memory_of(product.result) in (memory_of(product.left), memory_of(product.right)):
        return False
    rows, columns, depth = extents_of(product)
    if product.rows == 0 and last_trial(product.op) is not None and columns * depth < LEAST_MATRIX:
        return False
    return min(rows, columns, depth) >= LEAST_ROWS and rows * columns * depth >= LEAST_WORK


def extents_of(product: Product) -> tuple[int, int, int]:
    """The numbers of rows, columns and terms."""
    extents = iteration_extents(product.op)
    return extents[product.rows], extents[product.columns], extents[product.depth]


def share(extent: int, most: int) -> int:
    """The largest of equal shares of an extent that are at most so long."""
    return -(-extent // -(-extent // most))


def rows_of_block(rows: int, most: int) -> int:
    """
    The rows of a block, at most so many, and a third, two thirds or all of these: blocks at the edge should have few rows of nothing, and a
    block takes the time of three more rows than it has, or six where it has so few that each sum waits for itself. There are only three
    sizes because each one has functions of its own; one row more is taken where it gains much, as with 100 or 200 rows.
    """

    def cost(block: int) -> float:
        return -(-rows // block) * (block + (3 if block >= 12 else 6)) * (1.01 if block > most else 1.0)

    return min((most, most * 2 // 3, most // 3, *([most + 1] if most >= MOST_ROWS else [])), key=cost)


def lanes_for(element: Attribute, lanes: int) -> int:
    """The numbers of a type in a vector of so many f64."""
    return lanes if element == f64 else 2 * lanes


def is_shared(product: Product) -> bool:
    """True if a product is so large that it can be divided among threads."""
    rows, columns, depth = extents_of(product)
    return rows * columns * depth >= SHARED_WORK


def vectors_for(element: Attribute, vectors: int) -> int:
    """The vectors in each row of a block, of which blocks of f64 have so many: those of f32 are too short to be copied as squares."""
    return vectors if element == f64 else 1


@dataclass(frozen=True)
class TileSizes:
    """The most rows, terms and columns of a tile."""

    rows: int
    terms: int
    columns: int
    keeps_right: bool
    """True if tiles of `right` stay in the second cache, for all rows; else those of `left` do, for all columns."""


@dataclass(frozen=True)
class Shape:
    """The shape of blocks of f64 in registers: at most so many rows, and a number of vectors, of so many f64, in each."""

    rows: int
    vectors: int
    lanes: int

    def columns(self, element: Attribute) -> int:
        """The columns of a tile: a multiple of those of a block."""
        block = vectors_for(element, self.vectors) * lanes_for(element, self.lanes)
        return -(-COLUMNS // block) * block

    def terms(self, product: Product) -> int:
        """
        The most terms of a tile: blocks of f32 have one vector, and can have more of them; and a result that does not stay in the second
        cache is better written once.
        """
        rows, columns, depth = extents_of(product)
        is_written_once = depth <= DEPTH and rows * columns > LARGE_RESULT
        has_several = vectors_for(element_type_of(product.result.type), self.vectors) > 1
        return DEPTH_OF_SEVERAL if has_several and not is_written_once else DEPTH

    def tile_sizes(self, product: Product, block: int) -> TileSizes:
        """The largest tile for blocks of so many rows."""
        rows, columns, depth = extents_of(product)
        element = element_type_of(product.result.type)
        terms = share(depth, self.terms(product))
        if vectors_for(element, self.vectors) > 1 and rows > ROWS_KEPT and columns * terms <= WIDE_TILE:
            return TileSizes(BLOCKS_OF_ROWS * block, terms, -(-columns // self.columns(element)) * self.columns(element), True)
        most = min(ROWS * DEPTH // terms, MOST_TILE_ROWS, -(-rows // block) * block)
        return TileSizes(most // block * block, terms, self.columns(element), False)

    def may_read_in_place(self, product: Product) -> bool:
        """True if blocks of a few rows can read operands where they are: their rows are rows in memory, and there are columns enough."""
        _, columns, _ = extents_of(product)
        element = element_type_of(product.result.type)
        inner = [
            strides_of(cast("MemRefType[Any]", value.type))[axes[1]]
            for value, axes in ((product.left, product.left_axes), (product.right, product.right_axes))
        ]
        return element == f64 and inner == [1, 1] and 0 < self.fewest_columns <= columns

    @property
    def fewest_columns(self) -> int:
        """The fewest columns that can be read where they are: those of a block, if it has several vectors; else 0, as none are."""
        return self.vectors * self.lanes if self.vectors > 1 else 0

    @property
    def rows_of_few(self) -> int:
        """The rows of a block of a product of a few rows: no more than registers have room for."""
        return min(ROWS_OF_FEW, self.rows)

    def blocks(self, product: Product, by_trial: bool, fewest: int) -> list[int]:
        """The rows of blocks: one number, or two for trials, of which at least `fewest` are wanted, but there may be few."""
        vectors = vectors_for(element_type_of(product.result.type), self.vectors)
        if vectors > 1:
            return [self.rows]
        rows, _, _ = extents_of(product)
        most = self.rows * self.vectors
        block = rows_of_block(rows, most)
        few = most // 2
        return [few, block] if by_trial and product.rows == 0 and fewest <= few < block else [block]


def tile(product: Product, shape: Shape, outlined: Outlined, fewest: int = 1) -> None:
    """
    A product, in a function of its own  ->  loops over tiles, in which it is a product of windows

    Of products by trial, at least `fewest` trials are wanted, which are rows or terms; for a few rows, blocks have fewer of them.
    """
    place = TileWriter(InsertPoint.before(product.op))
    columns = columns_in(product, place, outlined.part, shape.columns(element_type_of(product.result.type)))
    rows = outlined.trials if outlined.trials is not None and product.rows == 0 else extents_of(product)[0]

    def copied(inside: TileWriter) -> None:
        blocks = shape.blocks(product, outlined.trials is not None, fewest)
        tiles(product, inside, outlined, columns, blocks, shape.tile_sizes(product, blocks[-1]))

    def in_place(inside: TileWriter) -> None:
        tiles_of_terms(product, inside, outlined, columns, rows, shape.rows_of_few)

    if not shape.may_read_in_place(product):
        copied(place)
    elif isinstance(rows, int):
        (in_place if shape.rows_of_few <= rows <= FEW_ROWS else copied)(place)
    else:
        are_few = place.compare("ule", place.minus(rows, shape.rows_of_few), FEW_ROWS - shape.rows_of_few)
        place.choice(are_few, in_place, copied)
    cast(Block, product.op.parent).erase_op(product.op)


def columns_in(product: Product, place: TileWriter, part: Range | None, most: int) -> tuple[Extent, Extent]:
    """The columns, from the first to before the last, in a range of tiles of so many columns."""
    _, columns, _ = extents_of(product)
    if part is None:
        return 0, columns
    first, last = (place.times(tile, most) for tile in part)
    return first, place.least(last, columns)


def tiles(
    product: Product, place: TileWriter, outlined: Outlined, columns: tuple[Extent, Extent], blocks: Sequence[int], largest: TileSizes
) -> None:
    """The loops over tiles of at most the largest size, for blocks of one of several numbers of rows."""
    trials = outlined.trials
    most_rows, whole, most_terms = extents_of(product)
    rows = most_rows if trials is None or product.rows != 0 else trials
    depth = most_terms if trials is None or product.depth != 0 else trials
    attributes = {
        TILE: DenseArrayBase.from_list(i64, blocks),
        TILE_MOST: DenseArrayBase.from_list(i64, [largest.rows, largest.terms, largest.columns]),
    }

    def terms(outer: TileWriter, k: SSAValue) -> None:
        length = size(outer, depth, largest.terms, k)
        begins = outlined.begins and outer.both(outlined.begins, outer.compare("eq", k, 0))

        def left_at(at: TileWriter, i: SSAValue) -> tuple[SSAValue, Extent]:
            height = size(at, rows, largest.rows, i)
            return window(at, product.left, product.left_axes, (i, k), (height, length)), height

        def right_at(at: TileWriter, j: SSAValue) -> tuple[SSAValue, Extent]:
            end = columns[1] if largest.keeps_right else whole  # a range of columns is whole tiles, but may be part of a wide one
            width = size(at, end, largest.columns, j)
            return window(at, product.right, product.right_axes, (k, j), (length, width)), width

        def one_tile(at: TileWriter, i: SSAValue, j: SSAValue, left: tuple[SSAValue, Extent], right: tuple[SSAValue, Extent]) -> None:
            result = window(at, product.result, (0, 1), (i, j), (left[1], right[1]))
            write_tile(at, product, (left[0], right[0], result), begins, attributes)

        def rows_from(middle: TileWriter, i: SSAValue) -> None:
            left = left_at(middle, i)
            middle.loop(*columns, largest.columns, "j", lambda inner, j: one_tile(inner, i, j, left, right_at(inner, j)))

        def columns_from(middle: TileWriter, j: SSAValue) -> None:
            right = right_at(middle, j)
            middle.loop(0, rows, largest.rows, "i", lambda inner, i: one_tile(inner, i, j, left_at(inner, i), right))

        if largest.keeps_right:
            outer.loop(*columns, largest.columns, "j", columns_from)
        else:
            outer.loop(0, rows, largest.rows, "i", rows_from)

    place.loop(0, depth, largest.terms, "k", terms)


def tiles_of_terms(
    product: Product, place: TileWriter, outlined: Outlined, columns: tuple[Extent, Extent], rows: Extent, block: int
) -> None:
    """The loop over tiles of a few rows, all columns, and some of the terms, whose operands are read where they are."""
    _, whole, depth = extents_of(product)
    most = DEPTH_OF_FEW if whole * depth > LARGE_MATRIX else DEPTH
    first, last = columns
    width = place.minus(last, first)
    attributes = {TILE: DenseArrayBase.from_list(i64, [block]), IN_PLACE: UnitAttr()}

    def terms(inner: TileWriter, k: Extent) -> None:
        length = depth if depth <= most else inner.least(inner.minus(depth, k), most)
        begins = outlined.begins if depth <= most else outlined.begins and inner.both(outlined.begins, inner.compare("eq", k, 0))
        left = window(inner, product.left, product.left_axes, (0, k), (rows, length))
        right = window(inner, product.right, product.right_axes, (k, first), (length, width))
        result = window(inner, product.result, (0, 1), (0, first), (rows, width))
        write_tile(inner, product, (left, right, result), begins, attributes)

    if depth <= most:
        terms(place, 0)
    else:
        place.loop(0, depth, most, "k", terms)


def write_tile(
    place: TileWriter,
    product: Product,
    windows: tuple[SSAValue, SSAValue, SSAValue],
    begins: SSAValue | None,
    attributes: Mapping[str, Attribute],
) -> None:
    """The product of two windows, added to a third one, or to zeros."""
    left, right, result = windows
    if begins is not None:
        place.when(begins, lambda inside: inside.fill(result))
    operands = {product.left: left, product.right: right, product.result: result}
    made = product.op.clone()
    made.attributes.pop(BY_TRIAL, None)
    made.operands = [operands[operand] for operand in product.op.operands]
    made.attributes |= attributes
    place.builder.insert(made)


def size(place: TileWriter, whole: Extent, largest: int, begin: SSAValue) -> Extent:
    """The extent of the tile that begins there."""
    if not isinstance(whole, int):
        return place.least(place.minus(whole, begin), largest)
    if whole % largest == 0:
        return largest
    return whole if whole < largest else place.least(place.minus(whole, begin), largest)


def window(
    place: TileWriter, source: SSAValue, axes: tuple[int, int], begins: tuple[Extent, Extent], sizes: tuple[Extent, Extent]
) -> SSAValue:
    """The window of a matrix whose `axes` stand for what `begins` and `sizes` are given for."""
    offsets, extents = (tuple(pair[axes.index(axis)] for axis in (0, 1)) for pair in (begins, sizes))
    return place.window(source, offsets, extents)


@dataclass(frozen=True)
class Outlined:
    """A function that a product has become."""

    function: func.FuncOp
    trials: SSAValue | None
    """The argument that says how many trials are wanted, if it has one."""
    part: Range | None
    """The arguments that say which tiles of columns are wanted, if it has them."""
    begins: SSAValue | None
    """The argument that says whether the product begins with zeros, if it has one; else it is added to what is there."""


class Outlining:
    """The functions that products become: one for all products of the same shape and layout, whose copies lie on the stack only once."""

    def __init__(self, module: ModuleOp, shape: Shape):
        self.module = module
        self.shape = shape
        self.made: dict[Any, Outlined] = {}

    def function_for(self, op: GenericOp, by_trial: bool, shared: bool, begins: bool) -> str:
        """
        The name of the function that does what an operation does. `by_trial`: for as many trials as an argument after the operands says;
        `shared`: for the range of tiles of columns that its first two arguments say; `begins`: it begins with zeros if its last argument
        is true.
        """
        key = (by_trial, begins, tuple(op.operand_types), tuple(op.get_indexing_maps().data), tuple(op.iterator_types))
        if key not in self.made:
            name = f"{PREFIX}product_{len(self.made)}"
            index: list[Attribute] = [IndexType()]
            types = [*(index * 2 if shared else []), *op.operand_types, *(index if by_trial else []), *([i1] if begins else [])]
            function = func.FuncOp(name, (types, []), visibility="private")
            function.attributes[INLINE] = StringAttr("never")
            arguments = list(function.args)
            part = (arguments.pop(0), arguments.pop(0)) if shared else None
            begin = arguments.pop() if begins else None
            trials = arguments.pop() if by_trial else None
            named = {
                "first": part and part[0],
                "last": part and part[1],
                "trials": trials,
                "begins": begin,
                **dict(zip(("left", "right", "result"), arguments)),
            }
            for hint, argument in named.items():
                if argument is not None:
                    argument.name_hint = hint
            inner = op.clone()
            inner.operands = arguments
            function.body.block.add_ops([inner, func.ReturnOp()])
            self.module.body.block.add_op(function)
            self.made[key] = Outlined(function, trials, part, begin)
        return self.made[key].function.sym_name.data

    def outline(self, product: Product) -> None:
        """linalg.generic  ->  func.call"""
        op = product.op
        last = last_trial(op) if 0 in (product.rows, product.depth) else None
        place = TileWriter(InsertPoint.before(op))
        trials = [] if last is None else [place.index(place.plus(last, 1))]
        shared = is_shared(product)
        columns = self.shape.columns(element_type_of(product.result.type))
        part = [place.index(0), place.index(-(-extents_of(product)[1] // columns))] if shared else []
        zeros = zeros_before(product)
        begins = [] if zeros is None else [place.begins(zeros)]
        name = self.function_for(op, last is not None, shared, zeros is not None)
        call = func.CallOp(name, [*part, *op.operands, *trials, *begins], [])
        if shared:
            call.attributes[SHARED] = UnitAttr()
        place.builder.insert(call)
        if zeros is not None:
            cast(Block, zeros.op.parent).erase_op(zeros.op)
        cast(Block, op.parent).erase_op(op)


@dataclass(frozen=True)
class TileProducts(ModulePass):
    """Turns products of matrices into functions that go through tiles, which stay in the caches."""

    name = "tile-products"

    rows: int = MOST_ROWS
    """The most rows of a product that are in registers at the same time; `vectors` times as many of f32."""
    lanes: int = LANES
    """The numbers that one register holds."""
    vectors: int = 1
    """The registers of a row of f64; rows of f32 have one."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        shape = Shape(self.rows, self.vectors, self.lanes)
        outlining = Outlining(op, shape)
        for inner in list(op.walk()):
            if not isinstance(inner, GenericOp) or (product := product_of(inner)) is None:
                continue
            size = " x ".join(map(str, extents_of(product)))
            if is_worth_tiles(product):
                remarks.passed(inner, "tiled a product of matrices ({} terms)", size)
                outlining.outline(product)
            else:
                remarks.missed(inner, "did not tile a product of matrices ({} terms): it is small, or its operands overlap", size)
        fewest = fewest_trials(op)
        for made in outlining.made.values():
            (inner, _) = made.function.body.block.ops
            tile(cast(Product, product_of(cast(GenericOp, inner))), shape, made, fewest)
