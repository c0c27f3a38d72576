"""
Products of a few rows go through blocks of their operands where these are.

Before: tiles that are marked `cog.in_place`, as `tile-products` leaves them.
After:  each is a call of a function that goes through blocks of 5 rows and three vectors. The function serves all products of a module:

```mlir
func.call @cogir_blocks_in_place(%a, %a_begin, %a_row, %b, %b_begin, %b_row, %c, %c_begin, %c_row, %rows, %columns, %terms, %begins)

func.func private @cogir_blocks_in_place(...) {
  scf.for %jb = 0 to %blocks_of_columns step 1 {
    %j = arith.minsi %jb * 24, %columns - 24
    scf.for %ib = 0 to %blocks_of_rows step 1 {
      %i = arith.minsi %ib * 5, %rows - 5
      ...
      linalg.generic {cog.tile = array<i64: 5>} ins(%a_block, %b_block) outs(%c_block) { total + x * y }
```

A matrix is handed over as all of its memory, with the place of the first element and the distance between its rows. The last blocks of
rows and of columns are moved back to where whole blocks end: they compute what others have computed before once more, in memory of their
own, and only what is new is copied to %c.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import IndexType, ModuleOp, f64, i1
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from cogir.analysis.products import Product, product_of, zeros_before
from cogir.lowering.library.symbols import PREFIX
from cogir.lowering.products.loops import TileWriter
from cogir.lowering.products.pack_products import Matrix, SharedFunctions, WholeMemory, erase_tile, numbers_of, window_of
from cogir.lowering.products.tile_products import IN_PLACE, LANES, TILE

NAME = f"{PREFIX}blocks_in_place"


class BlocksInPlace:
    """The function that goes through the blocks of a product of a few rows."""

    def __init__(self, shared: SharedFunctions, size: int, body: Region):
        """`size`: the rows of a block, the same for all products of a module; `body`: that of a product."""
        self.shared = shared
        self.size = size
        self.body = body

    def function(self) -> str:
        """The name of the function, which is written if there is none yet."""
        matrix = [self.shared.flat, IndexType(), IndexType()]
        types = [*matrix * 3, *[IndexType()] * 3, i1]
        matrices = [f"{name}{part}" for name in ("left", "right", "result") for part in ("", "_begin", "_row")]
        return self.shared.function(NAME, types, (*matrices, "rows", "columns", "terms", "begins"), self.write)

    def write(self, place: TileWriter, given: Sequence[SSAValue]) -> None:
        """for each block of columns: for each block of rows: their product is added to the result, or to zeros"""
        left, left_begin, left_row, right, right_begin, right_row, result, begin, row, rows, columns, terms, begins = given
        size, width = self.size, self.shared.width
        own = place.memory(self.shared.allocate(place, size * width))
        last_column, last_row = place.minus(columns, width), place.minus(rows, size)

        def through_columns(outer: TileWriter, jb: SSAValue) -> None:
            wanted_column = outer.times(jb, width)
            j = outer.least(wanted_column, last_column)
            known_columns = outer.minus(wanted_column, j)

            def through_rows(inner: TileWriter, ib: SSAValue) -> None:
                wanted_row = inner.times(ib, size)
                i = inner.least(wanted_row, last_row)
                known_rows = inner.minus(wanted_row, i)
                a, b = inner.plus(left_begin, inner.times(i, left_row)), inner.plus(right_begin, j)
                at = inner.plus(inner.plus(begin, inner.times(i, row)), j)

                def compute(deep: TileWriter, target: Matrix) -> None:
                    memory, first, distance = target
                    operands = (
                        deep.view(left, a, (size, terms), left_row, turned=True),
                        deep.view(right, b, (terms, width), right_row),
                        deep.view(memory, first, (size, width), distance),
                    )
                    self.shared.product(deep, *operands, begins, self.body)

                is_new = inner.compare("eq", inner.plus(known_rows, known_columns), 0)
                there, here = (result, at, row), (own, 0, width)
                self.shared.in_place_or_own(inner, is_new, begins, there, here, (size, width), compute, (known_rows, known_columns))

            outer.loop(0, self.shared.count(outer, rows, size), 1, "ib", through_rows)

        place.loop(0, self.shared.count(place, columns, width), 1, "jb", through_columns)


class Blocking:
    """Writes the calls for the tiles of one function."""

    def __init__(self, shared: SharedFunctions):
        self.shared = shared
        self.memory = WholeMemory()

    def write(self, product: Product) -> None:
        """Replaces a tile."""
        place = TileWriter(InsertPoint.before(product.op))
        zeros = zeros_before(product)
        (size,) = numbers_of(product, TILE)
        left = window_of(place, product.left, product.left_axes)
        right = window_of(place, product.right, product.right_axes)
        result = window_of(place, product.result, (0, 1))
        matrices: list[SSAValue] = []
        for window in (left, right, result):
            memory, begin, row, _ = window.handed(place, self.memory(window.memory))
            matrices += [memory, begin, row]
        extents = [place.index(extent) for extent in (*result.extents, left.extents[1])]
        name = BlocksInPlace(self.shared, size, product.op.body).function()
        place.builder.insert(func.CallOp(name, [*matrices, *extents, place.begins(zeros)], []))
        erase_tile(product, zeros)


@dataclass(frozen=True)
class BlockProducts(ModulePass):
    """Goes through blocks of products of a few rows, whose operands stay where they are."""

    name = "block-products"

    lanes: int = LANES
    """The numbers that one register holds."""
    vectors: int = 1
    """The registers of a row of a block."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        shared = SharedFunctions(op, self.lanes, self.vectors, f64)
        for function in [each for each in op.ops if isinstance(each, func.FuncOp)]:
            in_place = Blocking(shared)
            for inner in list(function.walk()):
                if isinstance(inner, GenericOp) and IN_PLACE in inner.attributes and (product := product_of(inner)) is not None:
                    in_place.write(product)
