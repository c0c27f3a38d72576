"""
The first block of a batch overwrites sums of derivatives, which need not be zeros before.

Before: `@gradients`, as `bufferize` leaves it: it adds the derivatives of a block of trials to `%sum`.
After:  where a product is all that it adds to a part of `%sum`, that part is zeros first if the block is the first one of its batch, which
        an argument says. `add-entry` clears the other parts:

```mlir
func.func @gradients(%pf, %pi, %in, %last, %sum {cog.overwrites = array<i64: 0, 401408>}, ..., %first: i1 {cog.first}) {
  %part = memref.subview %sum[0] [401408] [1]
  %matrix = memref.expand_shape %part [[0, 1]] output_shape [784, 512]
  scf.if %first { linalg.generic outs(%matrix) { linalg.yield 0.0 } }
  linalg.generic ins(%x, %y) outs(%matrix) { total + x * y }
```

`tile-products` has such a product begin with zeros in registers: the derivatives of a large matrix are written once, and not read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, DenseArrayBase, DictionaryAttr, MemRefType, ModuleOp, UnitAttr, i1, i64
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Block, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from cogir import remarks
from cogir.analysis.products import Product, product_of
from cogir.lowering.products.loops import TileWriter
from cogir.lowering.products.tile_products import is_worth_tiles
from cogir.transforms.batch_trials import GRADIENTS
from cogir.transforms.split_inputs import inputs_of

FIRST = "cog.first"
"""The attribute of the argument of `@gradients` that says whether a block is the first one of its batch."""
OVERWRITES = "cog.overwrites"
"""The attribute of the sum of derivatives that says which ranges a first block overwrites: begin and end of each, in their order."""


@dataclass(frozen=True)
class OverwrittenPart:
    """A part of the sum of derivatives to which a product is added, and nothing else."""

    begin: int
    end: int
    product: Product


def windows_of(total: SSAValue) -> list[memref.SubviewOp] | None:
    """The windows of the sum through which alone it is used, in the order of their places; None if it is used otherwise."""
    windows: list[memref.SubviewOp] = []
    for use in total.uses:
        op = use.operation
        if not isinstance(op, memref.SubviewOp) or op.parent is not total.owner:
            return None
        if DYNAMIC_INDEX in (*op.static_offsets.get_values(), *op.static_sizes.get_values()) or op.static_strides.get_values() != (1,):
            return None
        windows.append(op)
    return sorted(windows, key=range_of)


def range_of(window: memref.SubviewOp) -> tuple[int, int]:
    """The begin and the end of a window."""
    (begin,), (size,) = window.static_offsets.get_values(), window.static_sizes.get_values()
    return int(begin), int(begin) + int(size)


def product_in(window: memref.SubviewOp) -> Product | None:
    """The product, worth tiles, that is added to a window, as a matrix, if nothing else is done with it."""
    matrices = [use.operation for use in window.result.uses]
    if len(matrices) != 1 or not isinstance(matrix := matrices[0], memref.ExpandShapeOp):
        return None
    users = [use.operation for use in matrix.result.uses]
    products = [op for op in users if isinstance(op, GenericOp)]
    unread = all(isinstance(op, memref.CollapseShapeOp) and not op.result.uses for op in users if op not in products)
    if len(products) != 1 or not unread or products[0].parent is not window.parent or matrix.result in products[0].inputs:
        return None
    product = product_of(products[0])
    return product if product is not None and is_worth_tiles(product) else None


def parts_of(total: SSAValue) -> list[OverwrittenPart]:
    """The parts that a first block can overwrite, in the order of their places."""
    windows = windows_of(total) or []
    ranges = [range_of(window) for window in windows]

    def is_alone(begin: int, end: int) -> bool:
        return sum(other < end and begin < last for other, last in ranges) == 1

    found = [(range_of(window), product_in(window)) for window in windows]
    return [OverwrittenPart(begin, end, product) for (begin, end), product in found if product is not None and is_alone(begin, end)]


def ranges_between(covered: Sequence[int], size: int) -> list[tuple[int, int]]:
    """The ranges up to a size that those of `OVERWRITES` leave."""
    ends = [0, *covered, size]
    return [(begin, end) for begin, end in zip(ends[::2], ends[1::2], strict=True) if begin < end]


@dataclass(frozen=True)
class OverwriteDerivatives(ModulePass):
    """Has the first block of a batch overwrite sums of derivatives rather than add to zeros."""

    name = "overwrite-derivatives"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in [each for each in op.ops if isinstance(each, func.FuncOp) and each.sym_name.data == GRADIENTS]:
            buffers = [value for value in function.args if isinstance(value.type, MemRefType)]
            total = buffers[2 + inputs_of(function)]  # parameters, whole numbers among them, and inputs come before it
            if (parts := parts_of(total)) and function.arg_attrs is not None:
                self.write(function, total, parts)

    def write(self, function: func.FuncOp, total: SSAValue, parts: Sequence[OverwrittenPart]) -> None:
        """Adds the argument, and zeros before the products."""
        body = cast(Block, total.owner)
        first = body.insert_arg(i1, len(body.args))
        first.name_hint = "first"
        for part in parts:
            place = TileWriter(InsertPoint.before(part.product.op))
            place.when(first, lambda inside, matrix=part.product.result: inside.fill(matrix))
            remarks.passed(part.product.op, "the first block of a batch overwrites {} derivatives", f"{part.end - part.begin:,}")
        covered = DenseArrayBase.from_list(i64, [place for part in parts for place in (part.begin, part.end)])
        attributes = list(cast("ArrayAttr[DictionaryAttr]", function.arg_attrs).data)
        number = body.args.index(cast(Any, total))
        attributes[number] = DictionaryAttr({**attributes[number].data, OVERWRITES: covered})
        function.arg_attrs = ArrayAttr([*attributes, DictionaryAttr({FIRST: UnitAttr()})])
        function.update_function_type()
