"""
Types of the llvm dialect for upstream types, and the layout of memrefs.

A memref is one bare pointer, to its first element: an offset is already added when a memref value exists, strides are
those of its type and therefore static, and the size of the leading dimension is not known to the code unless it is
static.
"""

from __future__ import annotations

from math import prod
from typing import Any, cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    VectorType,
    i64,
)
from xdsl.ir import Attribute

from cogir.dialects.llvm_ext import SHARED_SPACE
from cogir.errors import LoweringError
from cogir.irutils import row_major_strides

POINTER = llvm.LLVMPointerType()
VOID = llvm.LLVMVoidType()
MemRef = MemRefType[Attribute]
_KEPT_TYPES = (Float64Type, Float32Type, IntegerType, Float16Type, BFloat16Type)


def llvm_type(type: Attribute) -> Attribute:
    """The llvm type that holds values of `type`: index is i64, a memref is a pointer, scalars stay."""
    if isinstance(type, _KEPT_TYPES):
        return cast(Attribute, type)
    if isinstance(type, IndexType):
        return i64
    if isinstance(type, MemRefType):
        return POINTER
    if isinstance(type, VectorType):
        vector = cast("VectorType[Attribute]", type)
        if vector.get_num_dims() != 1:
            raise LoweringError(f"convert-to-llvm: {type} is not one-dimensional; flatten it, or loop over its rows")
        element = llvm_type(vector.element_type)
        return vector if element is vector.element_type else VectorType(element, vector.get_shape())
    if isinstance(type, llvm.LLVMPointerType | llvm.LLVMStructType | llvm.LLVMArrayType | llvm.LLVMVoidType):
        return type
    raise LoweringError(
        f"convert-to-llvm: a value of type {type} has no counterpart in the llvm dialect; tensors must be bufferised "
        "and generators expanded before"
    )


def result_type(types: tuple[Attribute, ...]) -> Attribute:
    """The result of an llvm function for these (converted) results: nothing, the value, or a struct."""
    if not types:
        return VOID
    return types[0] if len(types) == 1 else llvm.LLVMStructType.from_type_list(types)


def memref_of(type: Attribute) -> MemRef:
    """`type`, which must be a ranked memref."""
    if not isinstance(type, MemRefType):
        raise LoweringError(f"convert-to-llvm: {type} is not a memref with a rank")
    return cast(MemRef, type)


def is_shared(type: MemRef) -> bool:
    """True for memory that the threads of a block share."""
    space = type.memory_space
    return isinstance(space, IntegerAttr) and cast("IntegerAttr[Any]", space).value.data == SHARED_SPACE


def strides_of(type: MemRef) -> tuple[int, ...]:
    """The strides in elements; they must be static."""
    layout = type.layout
    if isinstance(layout, NoneAttr) or (isinstance(layout, AffineMapAttr) and layout.data.is_minor_identity()):
        if DYNAMIC_INDEX in type.get_shape()[1:]:
            raise LoweringError(f"convert-to-llvm: {type}: only the leading dimension may be dynamic, because strides must be static")
        return row_major_strides(type.get_shape())
    if isinstance(layout, StridedLayoutAttr):
        strides = layout.get_strides()
        if None not in strides:
            return cast("tuple[int, ...]", tuple(strides))
    raise LoweringError(f"convert-to-llvm: {type}: strides must be static; give them in a strided<[...]> layout")


def static_offset_of(type: MemRef) -> int | None:
    """The offset in the layout of a memref type, or None when it is dynamic."""
    return type.layout.get_offset() if isinstance(type.layout, StridedLayoutAttr) else 0


def is_contiguous(type: MemRef) -> bool:
    """True if the elements lie side by side in row-major order; the leading dimension may have any size."""
    shape, strides = type.get_shape(), strides_of(type)
    expected = 1
    for extent, stride in zip(reversed(shape), reversed(strides), strict=True):
        if extent != 1 and stride != expected:
            return False
        expected *= extent
    return True


def static_size_of(type: MemRef) -> int | None:
    """The number of elements of a memref, or None when it has a dynamic dimension."""
    shape = type.get_shape()
    return None if DYNAMIC_INDEX in shape else prod(shape)


def extent_of(type: MemRef) -> int | None:
    """The number of elements from the first to the end of the last one, or None when that is dynamic."""
    shape = type.get_shape()
    if DYNAMIC_INDEX in shape:
        return None
    if 0 in shape:
        return 0
    return 1 + sum((extent - 1) * stride for extent, stride in zip(shape, strides_of(type), strict=True))


def bytes_of(element: Attribute) -> int:
    """The distance in bytes between elements of this type in memory."""
    if isinstance(element, IntegerType):
        width = cast("IntegerType[int, Any]", element).width.data
        return max(1, (1 << (width - 1).bit_length()) >> 3)
    if isinstance(element, Float64Type | IndexType | llvm.LLVMPointerType):
        return 8
    if isinstance(element, Float32Type):
        return 4
    if isinstance(element, Float16Type | BFloat16Type):
        return 2
    if isinstance(element, VectorType):
        vector = cast("VectorType[Any]", element)
        return bytes_of(vector.element_type) * prod(vector.get_shape())
    raise LoweringError(f"convert-to-llvm: element type {element} has no size in memory")
