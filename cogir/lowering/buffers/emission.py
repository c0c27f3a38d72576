"""
Small pieces of IR over memory: subviews, reshapes, copies, allocations.

An `BufferEmitter` puts operations in front of an anchor, and constants and allocations at the start of the function. It makes
them with `create`, which checks nothing, and shares their types and attributes: a large model has many thousands.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar, cast

from xdsl.dialects import affine, func, memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    TensorType,
    i32,
    i64,
)
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from cogir import remarks
from cogir.analysis.buffer_views import BufferView, kept_axes
from cogir.dialects.rng import StateType
from cogir.irutils import element_type_of, index_constant, row_major_strides, shape_of

OperationT = TypeVar("OperationT", bound=Operation)

LARGEST_ON_STACK = 64 * 1024
"""Bytes of one temporary from which on it is taken from the heap."""
ALL_ON_STACK = 2 * 1024 * 1024
"""Bytes of the temporaries of a function, and of those that it calls, that are not taken from the heap: stacks have 8 MiB on Linux."""


@cache
def plain_type(type: Attribute) -> MemRefType[Any]:
    """The buffer of a tensor or generator state that starts where its memory starts."""
    if isinstance(type, StateType):
        return MemRefType(i64, (type.words,))
    return MemRefType(element_type_of(type), shape_of(type))


@cache
def open_type(type: Attribute) -> MemRefType[Any]:
    """The buffer of a tensor or generator state that may start anywhere in some larger memory."""
    plain = plain_type(type)
    layout = StridedLayoutAttr(row_major_strides(plain.get_shape()), None)
    return MemRefType(plain.element_type, plain.get_shape(), layout)


@cache
def strided_type(element_type: Attribute, shape: tuple[int, ...], strides: tuple[int, ...], offset: int | None) -> MemRefType[Any]:
    """The type of a buffer whose elements lie at these strides from this offset on."""
    return MemRefType(element_type, shape, StridedLayoutAttr(strides, offset))


@cache
def integers(values: tuple[int, ...]) -> DenseArrayBase[Any]:
    """`array<i64: ...>`"""
    return DenseArrayBase.from_list(i64, values)


@cache
def strides_of(type: MemRefType[Any]) -> tuple[int, ...]:
    """The strides of a buffer, in elements."""
    if isinstance(type.layout, StridedLayoutAttr):
        return cast("tuple[int, ...]", tuple(type.layout.get_strides()))
    return row_major_strides(type.get_shape())


@cache
def segments(*counts: int) -> DenseArrayBase[Any]:
    """`operandSegmentSizes`: how many operands each of several variadic groups has."""
    return DenseArrayBase.from_list(i32, counts)


def memref_type(value: SSAValue) -> MemRefType[Any]:
    return cast("MemRefType[Any]", value.type)


def bytes_of(type: MemRefType[Any]) -> int:
    """The size of a buffer of static shape, counting eight bytes per element."""
    return 8 * math.prod(type.get_shape())


def offset_of(type: MemRefType[Any]) -> int | None:
    """The offset of the elements in their memory, None if that is only known at run time."""
    layout = type.layout
    if isinstance(layout, StridedLayoutAttr):
        return None if isinstance(layout.offset, NoneAttr) else layout.offset.data
    return 0


def grouping(axes: Sequence[Sequence[int]]) -> ArrayAttr[ArrayAttr[IntegerAttr]]:
    """The `reassociation` attribute of a reshape."""
    return ArrayAttr(ArrayAttr(IntegerAttr(axis, i64) for axis in group) for group in axes)


@dataclass
class Transfer:
    """Elements that have to get from one place to another, with the buffers that stand for both."""

    source: BufferView
    source_buffer: SSAValue
    target: BufferView
    target_buffer: SSAValue


class BufferEmitter:
    """Inserts operations before `anchor`."""

    def __init__(self, function: func.FuncOp, on_stack: int = 0):
        """`on_stack`: the bytes of temporaries that the functions it calls have on the stack."""
        self.function = function
        self.on_stack = on_stack
        self.entry = function.body.block
        self.anchor: Operation = cast(Operation, self.entry.first_op)
        self.first_op = self.anchor
        self.indices: dict[int, SSAValue] = {}
        self.on_heap: list[SSAValue] = []

    def add(self, op: OperationT) -> OperationT:
        cast(Block, self.anchor.parent).insert_op_before(op, self.anchor)
        return op

    def add_at_entry(self, op: OperationT) -> OperationT:
        """Puts an operation at the start of the function, behind others that were put there."""
        self.entry.insert_op_before(op, self.first_op)
        return op

    def index(self, value: int) -> SSAValue:
        """A constant index, made once per function."""
        if value not in self.indices:
            self.indices[value] = self.add_at_entry(index_constant(value)).result
        return self.indices[value]

    def allocate(self, type: Attribute, name: str | None) -> SSAValue:
        """Memory for a tensor or a generator's state that lives as long as the function runs."""
        plain = plain_type(type)
        size = bytes_of(plain)
        on_heap = size > LARGEST_ON_STACK or self.on_stack + size > ALL_ON_STACK
        if not on_heap:
            self.on_stack += size
        remarks.count("buffers on the heap" if on_heap else "buffers on the stack")
        kind = memref.AllocOp if on_heap else memref.AllocaOp
        op = kind.create(result_types=[plain], properties={"operandSegmentSizes": segments(0, 0)})
        buffer = self.add_at_entry(op).results[0]
        buffer.name_hint = name
        if on_heap:
            self.on_heap.append(buffer)
        if isinstance(type, StateType):
            cast_op = memref.CastOp.create(operands=[buffer], result_types=[open_type(type)])
            return self.add_at_entry(cast_op).dest
        return buffer

    def subview(
        self,
        buffer: SSAValue,
        offsets: Sequence[SSAValue | int],
        sizes: Sequence[int],
        strides: Sequence[int],
        shape: Sequence[int],
    ) -> SSAValue:
        """The part of a buffer that a slice names, in the shape of the slice's value."""
        type = memref_type(buffer)
        offset = offset_of(type)
        for position, step in zip(offsets, strides_of(type), strict=True):
            offset = None if offset is None or not isinstance(position, int) else offset + position * step
        steps = [step * stride for step, stride in zip(strides_of(type), strides, strict=True)]
        kept = tuple(steps[axis] for axis in kept_axes(sizes, shape))
        dynamic = [position for position in offsets if isinstance(position, SSAValue)]
        static = tuple(position if isinstance(position, int) else DYNAMIC_INDEX for position in offsets)
        op = memref.SubviewOp.create(
            operands=[buffer, *dynamic],
            result_types=[strided_type(type.element_type, tuple(shape), kept, offset)],
            properties={
                "static_offsets": integers(static),
                "static_sizes": integers(tuple(sizes)),
                "static_strides": integers(tuple(strides)),
                "operandSegmentSizes": segments(1, len(dynamic), 0, 0),
            },
        )
        return self.add(op).result

    def reshape(self, buffer: SSAValue, shape: Sequence[int]) -> SSAValue:
        """The same elements, which lie side by side, in another shape: through one axis."""
        type = memref_type(buffer)
        if type.get_shape() == tuple(shape):
            return buffer
        count = math.prod(shape)
        if type.get_num_dims() != 1:
            axes = [range(type.get_num_dims())] if type.get_num_dims() else []
            flat = self.with_shape(type, (count,))
            buffer = self.add(
                memref.CollapseShapeOp.create(operands=[buffer], result_types=[flat], properties={"reassociation": grouping(axes)})
                if axes
                else self.expand(buffer, flat, [])
            ).results[0]
        if len(shape) == 1:
            return buffer
        result = self.with_shape(type, shape)
        if not shape:
            op = memref.CollapseShapeOp.create(operands=[buffer], result_types=[result], properties={"reassociation": grouping([])})
            return self.add(op).result
        return self.add(self.expand(buffer, result, [range(len(shape))])).result

    def expand(self, buffer: SSAValue, result: MemRefType[Any], axes: Sequence[Sequence[int]]) -> memref.ExpandShapeOp:
        return memref.ExpandShapeOp.create(
            operands=[buffer],
            result_types=[result],
            properties={
                "reassociation": grouping(axes),
                "static_output_shape": integers(result.get_shape()),
            },
        )

    def with_shape(self, type: MemRefType[Any], shape: Sequence[int]) -> MemRefType[Any]:
        """The type of the same elements, side by side, in another shape."""
        if isinstance(type.layout, StridedLayoutAttr):
            return strided_type(type.element_type, tuple(shape), row_major_strides(shape), offset_of(type))
        return MemRefType(type.element_type, shape)

    def cast(self, buffer: SSAValue, type: Attribute) -> SSAValue:
        """The buffer as a value of another memref type of the same shape."""
        if buffer.type == type:
            return buffer
        return self.add(memref.CastOp.create(operands=[buffer], result_types=[type])).dest

    def copy(self, source: SSAValue, target: SSAValue) -> None:
        remarks.count("copies")
        self.add(memref.CopyOp.create(operands=[source, target]))

    def fill(self, value: SSAValue, buffer: SSAValue) -> None:
        self.add(linalg.FillOp([value], [buffer], res=()))

    def store(self, value: SSAValue, buffer: SSAValue, indices: Sequence[SSAValue]) -> None:
        self.add(memref.StoreOp.create(operands=[value, buffer, *indices]))

    def load(self, buffer: SSAValue, indices: Sequence[SSAValue]) -> SSAValue:
        type = memref_type(buffer).element_type
        return self.add(memref.LoadOp.create(operands=[buffer, *indices], result_types=[type])).res

    def for_each_element(self, shape: Sequence[int], emit: Callable[[Sequence[SSAValue]], None]) -> None:
        """Loops over all indices of a shape in row-major order; `emit` adds the body at the anchor."""
        outer = self.anchor
        indices: list[SSAValue] = []
        for extent in shape:
            end = affine.YieldOp.get()
            body = Block([end], arg_types=[IndexType()])
            self.add(affine.ForOp.from_region([], [], [], [], 0, extent, Region(body)))
            indices.append(body.args[0])
            self.anchor = end
        emit(indices)
        self.anchor = outer

    def transfer_all(self, transfers: Sequence[Transfer]) -> None:
        """Copies all at once: no source is overwritten before it was read, if need be through a temporary."""
        for transfer in transfers:
            if any(other.target.overlaps(transfer.source) for other in transfers):
                type = memref_type(transfer.source_buffer)
                saved = self.allocate(TensorType(type.element_type, type.get_shape()), None)
                self.copy(transfer.source_buffer, saved)
                transfer.source_buffer = saved
        for transfer in transfers:
            self.copy(transfer.source_buffer, transfer.target_buffer)
