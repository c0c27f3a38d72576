"""
Small pieces of IR over memory: subviews, reshapes, copies, allocations.

An `Emitter` puts operations in front of an anchor, and constants and allocations at the start of the function.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from xdsl.dialects import affine, func, linalg, memref
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from cogir.analysis.buffer_views import View, kept_axes
from cogir.dialects.rng import StateType
from cogir.irutils import element_type_of, index_constant, row_major_strides, shape_of

OperationT = TypeVar("OperationT", bound=Operation)

LARGEST_ON_STACK = 64 * 1024
"""Bytes of one temporary from which on it is taken from the heap."""


def plain_type(type: Attribute) -> MemRefType[Any]:
    """The buffer of a tensor or generator state that starts where its memory starts."""
    if isinstance(type, StateType):
        return MemRefType(i64, (type.words,))
    return MemRefType(element_type_of(type), shape_of(type))


def open_type(type: Attribute) -> MemRefType[Any]:
    """The buffer of a tensor or generator state that may start anywhere in some larger memory."""
    plain = plain_type(type)
    layout = StridedLayoutAttr(row_major_strides(plain.get_shape()), None)
    return MemRefType(plain.element_type, plain.get_shape(), layout)


def memref_type(value: SSAValue) -> MemRefType[Any]:
    return cast("MemRefType[Any]", value.type)


def bytes_of(type: MemRefType[Any]) -> int:
    """The size of a buffer of static shape, counting eight bytes per element."""
    return 8 * math.prod(type.get_shape())


def offset_of(type: MemRefType[Any]) -> int | None:
    """Where the elements start in their memory, None if that is only known at run time."""
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

    source: View
    source_buffer: SSAValue
    target: View
    target_buffer: SSAValue


class Emitter:
    """Inserts operations before `anchor`."""

    def __init__(self, function: func.FuncOp):
        self.function = function
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
        if bytes_of(plain) > LARGEST_ON_STACK:
            buffer = self.add_at_entry(memref.AllocOp([], [], plain)).memref
            self.on_heap.append(buffer)
        else:
            buffer = self.add_at_entry(memref.AllocaOp.get(plain.element_type, shape=plain.get_shape())).memref
        buffer.name_hint = name
        if isinstance(type, StateType):
            return self.add_at_entry(memref.CastOp.get(buffer, open_type(type))).dest
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
        full = memref.SubviewOp.infer_result_type(memref_type(buffer), offsets, sizes, strides)
        layout = cast(StridedLayoutAttr, full.layout)
        kept = kept_axes(sizes, shape)
        steps = layout.get_strides()
        result = MemRefType(full.element_type, tuple(shape), StridedLayoutAttr([steps[axis] for axis in kept], layout.offset))
        return self.add(memref.SubviewOp.get(buffer, offsets, sizes, strides, result)).result

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
                "static_output_shape": DenseArrayBase.from_list(i64, result.get_shape()),
            },
        )

    def with_shape(self, type: MemRefType[Any], shape: Sequence[int]) -> MemRefType[Any]:
        """The type of the same elements, side by side, in another shape."""
        if isinstance(type.layout, StridedLayoutAttr):
            layout = StridedLayoutAttr(row_major_strides(shape), type.layout.offset)
            return MemRefType(type.element_type, shape, layout)
        return MemRefType(type.element_type, shape)

    def cast(self, buffer: SSAValue, type: Attribute) -> SSAValue:
        """The buffer as a value of another memref type of the same shape."""
        if buffer.type == type:
            return buffer
        return self.add(memref.CastOp.get(buffer, cast("MemRefType[Any]", type))).dest

    def copy(self, source: SSAValue, target: SSAValue) -> None:
        self.add(memref.CopyOp(source, target))

    def fill(self, value: SSAValue, buffer: SSAValue) -> None:
        self.add(linalg.FillOp([value], [buffer], res=()))

    def store(self, value: SSAValue, buffer: SSAValue, indices: Sequence[SSAValue]) -> None:
        self.add(memref.StoreOp.get(value, buffer, indices))

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
                saved = self.add_at_entry(memref.AllocaOp.get(type.element_type, shape=type.get_shape())).memref
                self.copy(transfer.source_buffer, saved)
                transfer.source_buffer = saved
        for transfer in transfers:
            self.copy(transfer.source_buffer, transfer.target_buffer)
