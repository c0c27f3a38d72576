"""
Loops and windows of memory, built op by op, for the passes of products.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from xdsl.builder import Builder
from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    DictionaryAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    i1,
    i64,
)
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.attrs import IteratorType, IteratorTypeAttr
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.rewriter import InsertPoint

from cogir.analysis.products import Zeros
from cogir.irutils import element_type_of, index_constant, row_major_strides, shape_of
from cogir.lowering.convert_scf_to_cf import LOOP_HINT

Extent = SSAValue | int
"""The number of elements along an axis, or an index."""


def flat_type(element: Attribute) -> MemRefType[Any]:
    """The type of all memory of a matrix."""
    return MemRefType(element, [DYNAMIC_INDEX], StridedLayoutAttr([1], None))


class TileWriter:
    """Writes loops, and what they do, at one place."""

    def __init__(self, point: InsertPoint, outside: TileWriter | None = None):
        """`outside`: writes what stands around the place, and the constants."""
        self.builder = Builder(point)
        self.outside = outside
        self.constants: dict[int, SSAValue] = {}

    def index(self, number: Extent) -> SSAValue:
        """An index as a value."""
        if not isinstance(number, int):
            return number
        if self.outside is not None:
            return self.outside.index(number)
        if number not in self.constants:
            self.constants[number] = self.builder.insert(index_constant(number)).result
        return self.constants[number]

    def binary(self, kind: Any, left: Extent, right: Extent) -> SSAValue:
        """An operation on two indices."""
        return self.builder.insert(kind(self.index(left), self.index(right))).results[0]

    def least(self, left: Extent, right: Extent) -> Extent:
        """The lesser of two indices."""
        if isinstance(left, int) and isinstance(right, int):
            return min(left, right)
        return self.binary(arith.MinSIOp, left, right)

    def minus(self, left: Extent, right: Extent) -> Extent:
        """left - right"""
        if isinstance(left, int) and isinstance(right, int):
            return left - right
        if right == 0:
            return left
        return self.binary(arith.SubiOp, left, right)

    def plus(self, left: Extent, right: Extent) -> Extent:
        """left + right"""
        if isinstance(left, int) and isinstance(right, int):
            return left + right
        if 0 in (left, right):
            return right if left == 0 else left
        return self.binary(arith.AddiOp, left, right)

    def times(self, left: Extent, right: Extent) -> Extent:
        """left * right"""
        if isinstance(left, int) and isinstance(right, int):
            return left * right
        if 1 in (left, right):
            return right if left == 1 else left
        return 0 if 0 in (left, right) else self.binary(arith.MuliOp, left, right)

    def compare(self, how: str, left: Extent, right: Extent) -> SSAValue:
        """A comparison of two indices."""
        return self.builder.insert(arith.CmpiOp(self.index(left), self.index(right), how)).result

    def both(self, one: SSAValue, other: SSAValue) -> SSAValue:
        """True if both are true."""
        return self.builder.insert(arith.AndIOp(one, other)).result

    def opposite(self, condition: SSAValue) -> SSAValue:
        """True if a condition is false."""
        true = self.builder.insert(arith.ConstantOp(IntegerAttr(1, i1))).result
        return self.builder.insert(arith.XOrIOp(condition, true)).result

    def begins(self, zeros: Zeros | None) -> SSAValue:
        """True if a product is added to zeros, false if it is added to what its result holds."""
        if zeros is not None and zeros.condition is not None:
            return zeros.condition
        return self.builder.insert(arith.ConstantOp(IntegerAttr(int(zeros is not None), i1))).result

    def select(self, condition: SSAValue, yes: Extent, no: Extent) -> SSAValue:
        """One of two values."""
        return self.builder.insert(arith.SelectOp(condition, self.index(yes), self.index(no))).result

    def choice(self, condition: SSAValue, yes: Callable[[TileWriter], None], no: Callable[[TileWriter], None]) -> None:
        """scf.if"""
        regions: list[Region] = []
        for write in (yes, no):
            block = Block()
            inside = TileWriter(InsertPoint.at_end(block), self)
            write(inside)
            inside.builder.insert(scf.YieldOp())
            regions.append(Region(block))
        self.builder.insert(scf.IfOp(condition, [], regions[0], regions[1]))

    def when(self, condition: SSAValue, write: Callable[[TileWriter], None]) -> None:
        """scf.if without an alternative"""
        block = Block()
        inside = TileWriter(InsertPoint.at_end(block), self)
        write(inside)
        inside.builder.insert(scf.YieldOp())
        self.builder.insert(scf.IfOp(condition, [], Region(block)))

    def unless(self, condition: SSAValue, write: Callable[[TileWriter], None]) -> None:
        """scf.if that does nothing where the condition is true"""
        self.choice(condition, lambda _: None, write)

    def fill(self, target: SSAValue) -> None:
        """Zeros in a matrix."""
        element = cast("MemRefType[Any]", target.type).element_type
        body = Block(arg_types=[element])
        zero = arith.ConstantOp(FloatAttr(0.0, element))
        body.add_ops([zero, linalg.YieldOp(zero.result)])
        maps, kinds = [AffineMapAttr(AffineMap.identity(2))], [IteratorTypeAttr(IteratorType.PARALLEL)] * 2
        self.builder.insert(linalg.GenericOp([], [target], Region(body), maps, kinds))

    def loop(self, first: Extent, last: Extent, step: int, name: str, body: Callable[[TileWriter, SSAValue], None]) -> None:
        """
        A loop; `body` writes what it does, at a place inside, with its index. LLVM leaves it alone, and so compiles it in a fraction of the
        time.
        """
        block = Block(arg_types=[IndexType()])
        block.args[0].name_hint = name
        inside = TileWriter(InsertPoint.at_end(block), self)
        bounds = (self.index(first), self.index(last), self.index(step))
        body(inside, block.args[0])
        inside.builder.insert(scf.YieldOp())
        loop = self.builder.insert(scf.ForOp(*bounds, [], Region(block)))
        loop.attributes[LOOP_HINT] = DictionaryAttr({"vectorize": IntegerAttr(0, i1), "unroll": IntegerAttr(0, i64)})

    def window(self, source: SSAValue, offsets: Sequence[Extent], sizes: Sequence[Extent], keeps: Sequence[int] | None = None) -> SSAValue:
        """A window of memory; `keeps`: the axes that it has, the others have one element each."""
        type = cast("MemRefType[Any]", source.type)
        strides = strides_of(type)
        axes = range(len(sizes)) if keeps is None else keeps
        shape = [size if isinstance(size, int) else DYNAMIC_INDEX for size in sizes]
        layout = StridedLayoutAttr([strides[axis] for axis in axes], None)
        made = MemRefType(element_type_of(type), [shape[axis] for axis in axes], layout)
        return self.builder.insert(memref.SubviewOp.get(source, offsets, sizes, [1] * len(sizes), made)).result

    def flat(self, matrix: SSAValue) -> SSAValue:
        """All memory of a matrix, from its first element on, whose elements have places by their strides."""
        type = cast("MemRefType[Any]", matrix.type)
        reach = 1 + sum((extent - 1) * stride for extent, stride in zip(shape_of(type), strides_of(type), strict=True))
        return self.memory(self.reinterpreted(matrix, [reach], [1]))

    def view(self, memory: SSAValue, begin: Extent, sizes: tuple[Extent, Extent], stride: Extent, turned: bool = False) -> SSAValue:
        """A matrix in memory, from a place on, with a distance between its rows; `turned`: its axes change places."""
        reach = self.plus(self.times(stride, self.minus(sizes[0], 1)), sizes[1])
        line, strides = self.window(memory, [begin], [reach]), [stride, 1]
        return self.reinterpreted(line, sizes[::-1], strides[::-1]) if turned else self.reinterpreted(line, sizes, strides)

    def reinterpreted(self, memory: SSAValue, sizes: Sequence[Extent], strides: Sequence[Extent]) -> SSAValue:
        """Memory from its first element on, as an array of other sizes and strides."""
        parts = self.builder.insert(memref.ExtractStridedMetaDataOp(memory))
        layout = StridedLayoutAttr([stride if isinstance(stride, int) else None for stride in strides], None)
        shape = [size if isinstance(size, int) else DYNAMIC_INDEX for size in sizes]
        made = MemRefType(element_type_of(memory.type), shape, layout)
        view = memref.ReinterpretCastOp.from_dynamic(parts.base_buffer, [parts.offset], sizes, strides, made)
        return self.builder.insert(view).result

    def memory(self, buffer: SSAValue) -> SSAValue:
        """Memory in one line, as memory of any length."""
        made = flat_type(element_type_of(buffer.type))
        return buffer if buffer.type == made else self.builder.insert(memref.CastOp.get(buffer, made)).dest

    def rows(self, window: SSAValue) -> SSAValue:
        """A window, whose rows may lie side by side, as memory of its own with any number of rows."""
        type = cast("MemRefType[Any]", window.type)
        (_, columns), (row, _) = type.get_shape(), strides_of(type)
        layout = NoneAttr() if row == columns else StridedLayoutAttr([row, 1], None)
        made = MemRefType(element_type_of(type), (DYNAMIC_INDEX, columns), layout)
        return self.builder.insert(memref.CastOp.get(window, made)).dest

    def load(self, source: SSAValue, *indices: SSAValue) -> SSAValue:
        """An element."""
        return self.builder.insert(memref.LoadOp.get(source, indices)).res

    def store(self, value: SSAValue, target: SSAValue, *indices: SSAValue) -> None:
        """Puts a number at a place in memory."""
        self.builder.insert(memref.StoreOp.get(value, target, indices))


def strides_of(type: MemRefType[Any]) -> tuple[int, ...]:
    """The distances between neighbours along each axis, which are static."""
    layout = type.layout
    if isinstance(layout, NoneAttr):
        return row_major_strides(shape_of(type))
    strides = type.get_strides() or ()
    return tuple(cast(int, stride) for stride in strides)


def are_static(type: MemRefType[Any]) -> bool:
    """True if the shape and the strides of memory are known."""
    strides = type.get_strides()
    return DYNAMIC_INDEX not in type.get_shape() and strides is not None and all(isinstance(stride, int) for stride in strides)
