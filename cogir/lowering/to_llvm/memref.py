"""memref to the llvm dialect: pointers, getelementptr, loads and stores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects import llvm, memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    TensorType,
    UnitAttr,
    i1,
    i8,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from cogir.dialects import llvm_ext
from cogir.dialects.llvm_ext import SHARED_SPACE
from cogir.dialects.memref_ext import PrefetchOp
from cogir.dialects.rng import PresampledOp
from cogir.errors import LoweringError
from cogir.irutils import constant_int, integer_attribute
from cogir.lowering.entry.code import VOLATILE
from cogir.lowering.to_llvm.arith import integer_binary
from cogir.lowering.to_llvm.converter import Converter, call, integer_list, intrinsic_call, rule
from cogir.lowering.to_llvm.types import (
    POINTER,
    MemRef,
    bytes_of,
    is_contiguous,
    is_shared,
    llvm_type,
    memref_of,
    static_offset_of,
    static_size_of,
    strides_of,
)

_MAX_RAW_INDEX = 2**31 - 1
_INBOUNDS = IntegerAttr(3, i32)
_STACK_ALIGNMENT = 64


def constant_of(value: SSAValue) -> int | None:
    """The integer that a value of the llvm dialect is known to be, or None."""
    owner = value.owner
    if isinstance(owner, llvm.ConstantOp) and isinstance(owner.value, IntegerAttr):
        return cast("IntegerAttr[Any]", owner.value).value.data
    return None


def element_pointer(to: Converter, base: SSAValue, element: Attribute, indices: Sequence[SSAValue | int]) -> SSAValue:
    """`llvm.getelementptr inbounds base[indices] : element`; constant indices are written into it."""
    raw: list[int] = []
    dynamic: list[SSAValue] = []
    for index in indices:
        known = index if isinstance(index, int) else constant_of(index)
        if known is not None and 0 <= known <= _MAX_RAW_INDEX:
            raw.append(known)
        else:
            raw.append(llvm.GEP_USE_SSA_VAL)
            dynamic.append(to.integer(index) if isinstance(index, int) else index)
    if all(index == 0 for index in raw):
        return base
    return to.emit(
        llvm.GEPOp.create(
            operands=[base, *dynamic],
            result_types=[POINTER],
            properties={
                "rawConstantIndices": integer_list(tuple(raw)),
                "elem_type": element,
                "noWrapFlags": _INBOUNDS,
                "inbounds": UnitAttr(),
            },
        )
    )


def linear_index(to: Converter, indices: Sequence[SSAValue | int], strides: Sequence[SSAValue | int]) -> SSAValue | int:
    """The sum of `index * stride`, computed here as far as it is known."""
    known, total = 0, None
    for index, stride in zip(indices, strides, strict=True):
        left = index if isinstance(index, int) else constant_of(index)
        right = stride if isinstance(stride, int) else constant_of(stride)
        if left is not None and right is not None:
            known += left * right
            continue
        term = index if right == 1 else stride if left == 1 else None
        if term is None:
            term = integer_binary(to, llvm.MulOp, _value(to, index), _value(to, stride))
        assert isinstance(term, SSAValue)
        total = term if total is None else integer_binary(to, llvm.AddOp, total, term)
    if total is None:
        return known
    return total if known == 0 else integer_binary(to, llvm.AddOp, total, to.integer(known))


def _value(to: Converter, number: SSAValue | int) -> SSAValue:
    return to.integer(number) if isinstance(number, int) else number


def address(to: Converter, base: SSAValue, type: MemRef, indices: Sequence[SSAValue]) -> SSAValue:
    """
    m[i, j]  ->  getelementptr m[i, j] : array<n x T> where rows lie side by side, else getelementptr m[i * s0 + j * s1] : T
    """
    element = llvm_type(type.element_type)
    if not indices:
        return base
    if len(indices) > 1 and is_contiguous(type) and any(constant_of(index) is None for index in indices):
        nested = element
        for extent in reversed(type.get_shape()[1:]):
            nested = llvm.LLVMArrayType(extent, nested)
        return element_pointer(to, base, nested, indices)
    return element_pointer(to, base, element, [linear_index(to, indices, strides_of(type))])


@rule(memref.LoadOp)
def load(to: Converter, op: memref.LoadOp) -> None:
    """memref.load m[i]  ->  llvm.load (getelementptr m[i])"""
    place = address(to, to[op.memref], memref_of(op.memref.type), to.all(op.indices))
    new = load_from(place, llvm_type(op.res.type))
    if VOLATILE in op.attributes:
        new.attributes[llvm_ext.VOLATILE] = UnitAttr()
    to.bind(op.res, to.emit(new))


@rule(memref.StoreOp)
def store(to: Converter, op: memref.StoreOp) -> None:
    """memref.store x, m[i]  ->  llvm.store x, (getelementptr m[i])"""
    place = address(to, to[op.memref], memref_of(op.memref.type), to.all(op.indices))
    to.emit_only(store_to(place, to[op.value]))


@rule(PrefetchOp)
def prefetch(to: Converter, op: PrefetchOp) -> None:
    """memref.prefetch m[i]  ->  llvm.call_intrinsic "llvm.prefetch"(getelementptr m[i]), of a place that may be beyond the end of m"""
    place = address(to, to[op.memref], memref_of(op.memref.type), to.all(op.indices))
    if isinstance(place.owner, llvm.GEPOp):
        place.owner.properties.pop("inbounds", None)
        place.owner.properties["noWrapFlags"] = IntegerAttr(0, i32)
    numbers = bool(op.is_write.value.data), op.locality.value.data, bool(op.is_data.value.data)
    hints = [to.integer(int(number), i32) for number in numbers]
    to.emit_only(intrinsic_call("llvm.prefetch", [place, *hints], []))


def load_from(place: SSAValue, type: Attribute, alignment: int | None = None) -> Operation:
    """`llvm.load place : type`"""
    properties: dict[str, Attribute] = {"ordering": _NOT_ATOMIC}
    if alignment is not None:
        properties["alignment"] = integer_attribute(alignment, i64)
    return llvm.LoadOp.create(operands=[place], result_types=[type], properties=properties)


@rule(PresampledOp)
def presampled(to: Converter, op: PresampledOp) -> None:
    """rng.presampled a  ->  llvm.load (llvm.inttoptr a)"""
    to.bind(op.value, to.emit(load_from(to.emit(llvm.IntToPtrOp(to[op.address])), llvm_type(op.value.type))))


def store_to(place: SSAValue, value: SSAValue, alignment: int | None = None) -> Operation:
    """`llvm.store value, place`"""
    properties: dict[str, Attribute] = {"ordering": _NOT_ATOMIC}
    if alignment is not None:
        properties["alignment"] = integer_attribute(alignment, i64)
    return llvm.StoreOp.create(operands=[value, place], properties=properties)


_NOT_ATOMIC = IntegerAttr(0, 64)


# -- where memory comes from


@rule(memref.AllocaOp)
def alloca(to: Converter, op: memref.AllocaOp) -> None:
    """
    memref.alloca : memref<nxT>  ->  llvm.alloca 1 x array<n x T>, at the top of the function

    A buffer of static size is made once per call, not once per execution (a loop would eat up the stack): its
    contents do not outlive the loop iteration that makes it.
    """
    type = memref_of(op.memref.type)
    element, size = llvm_type(type.element_type), static_size_of(type)
    if size is None:
        count = _dynamic_count(to, type, to.all(op.dynamic_sizes))
        new = llvm.AllocaOp(count, element, _alignment(op.alignment, type, _STACK_ALIGNMENT))
        to.bind(op.memref, to.emit(new))
        return
    new = llvm.AllocaOp(
        to.integer(1),
        llvm.LLVMArrayType(max(size, 1), element),
        _alignment(op.alignment, type, _STACK_ALIGNMENT),
    )
    to.bind(op.memref, to.in_entry(new))


def _alignment(given: Attribute | None, type: MemRef, best: int) -> int:
    if given is not None:
        return cast("IntegerAttr[Any]", given).value.data
    size, natural = static_size_of(type), bytes_of(type.element_type)
    return best if size is None or size * natural >= best else natural


def _dynamic_count(to: Converter, type: MemRef, dynamic: Sequence[SSAValue]) -> SSAValue:
    """The number of elements of a memref, whose dynamic sizes are given in order."""
    pending, known, total = list(dynamic), 1, None
    for extent in type.get_shape():
        if extent != DYNAMIC_INDEX:
            known *= extent
            continue
        size = pending.pop(0)
        total = size if total is None else integer_binary(to, llvm.MulOp, total, size)
    if total is None:
        return to.integer(known)
    return total if known == 1 else integer_binary(to, llvm.MulOp, total, to.integer(known))


@rule(memref.AllocOp)
def alloc(to: Converter, op: memref.AllocOp) -> None:
    """memref.alloc : memref<nxT>  ->  llvm.call @malloc(n * bytes of T)"""
    type = memref_of(op.memref.type)
    count = _dynamic_count(to, type, to.all(op.dynamic_sizes))
    width = bytes_of(type.element_type)
    known = constant_of(count)
    size = to.integer(known * width) if known is not None else integer_binary(to, llvm.MulOp, count, to.integer(width))
    to.module.declare("malloc", [size.type], POINTER)
    to.bind(op.memref, to.emit(call("malloc", [size], [POINTER])))


@rule(memref.DeallocOp)
def dealloc(to: Converter, op: memref.DeallocOp) -> None:
    """memref.dealloc m  ->  llvm.call @free(m)"""
    to.module.declare("free", [POINTER], llvm.LLVMVoidType())
    to.emit_only(call("free", [to[op.memref]], []))


def convert_global(op: memref.GlobalOp) -> llvm.GlobalOp:
    """memref.global @g : memref<nxT> = dense<...>  ->  llvm.mlir.global @g(dense<...> : tensor<nxT>) : array<n x T>"""
    type = memref_of(op.type)
    size, element = static_size_of(type), llvm_type(type.element_type)
    if size is None or not is_contiguous(type):
        raise LoweringError(f"convert-to-llvm: memref.global @{op.sym_name.data}: {type} must be static and contiguous")
    value: Attribute | None = None
    if isinstance(op.initial_value, DenseIntOrFPElementsAttr):
        value = DenseIntOrFPElementsAttr(cast(Any, TensorType(element, [size])), op.initial_value.data)
    private, shared = op.sym_visibility.data == "private", is_shared(type)
    return llvm.GlobalOp(
        llvm.LLVMArrayType(size, element),
        op.sym_name,
        "internal" if private and (value is not None or shared) else "external",
        SHARED_SPACE if shared else 0,
        constant=op.constant is not None,
        value=value,
        alignment=_alignment(op.alignment, type, _STACK_ALIGNMENT),
    )


# -- other views of the same memory


@rule(memref.SubviewOp)
def subview(to: Converter, op: memref.SubviewOp) -> None:
    """memref.subview m[o] [n] [s]  ->  getelementptr m[o * strides of m]"""
    source = memref_of(op.source.type)
    offsets = mixed(to, op.static_offsets, op.offsets)
    shift = linear_index(to, offsets, strides_of(source))
    to.bind(op.result, element_pointer(to, to[op.source], llvm_type(source.element_type), [shift]))


def mixed(to: Converter, static: DenseArrayBase[Any], dynamic: Sequence[SSAValue]) -> list[SSAValue | int]:
    """The entries of an index list of which some are constants and the others operands."""
    pending = iter(dynamic)
    return [to[next(pending)] if value == DYNAMIC_INDEX else value for value in static.get_values()]


@rule(memref.ViewOp)
def view(to: Converter, op: memref.ViewOp) -> None:
    """memref.view m[byte]  ->  getelementptr m[byte] : i8"""
    to.bind(op.results[0], element_pointer(to, to[op.source], i8, [to[op.byte_shift]]))


@rule(memref.ReinterpretCastOp)
def reinterpret_cast(to: Converter, op: memref.ReinterpretCastOp) -> None:
    """memref.reinterpret_cast m to offset: [o] ...  ->  getelementptr m[o - offset of m]"""
    source = memref_of(op.source.type)
    given = static_offset_of(source)
    if given is None:
        raise LoweringError(
            f"convert-to-llvm: memref.reinterpret_cast of {source}: the offset is relative to the start of the buffer, which is "
            "not known for a source with a dynamic offset; use memref.subview instead"
        )
    wanted = mixed(to, op.static_offsets, op.offsets)[0]
    shift = wanted - given if isinstance(wanted, int) else linear_index(to, [wanted, 1], [1, -given])
    to.bind(op.result, element_pointer(to, to[op.source], llvm_type(source.element_type), [shift]))


@rule(memref.CastOp, memref.MemorySpaceCastOp, memref.AssumeAlignmentOp)
def cast_memref(to: Converter, op: Any) -> None:
    """memref.cast m  ->  m"""
    for type in (op.operands[0].type, op.results[0].type):
        memref_of(type)
    to.bind(op.results[0], to[op.operands[0]])


@rule(memref.CollapseShapeOp, memref.ExpandShapeOp)
def reshape(to: Converter, op: memref.CollapseShapeOp | memref.ExpandShapeOp) -> None:
    """memref.collapse_shape m  ->  m: the strides of both types say that elements stay where they are"""
    to.bind(op.result, to[op.src])


@rule(memref.DimOp)
def dim(to: Converter, op: memref.DimOp) -> None:
    """memref.dim m, k  ->  the size, from the type of m or from where m was made"""
    type = memref_of(op.source.type)
    axis = constant_int(op.index)
    if axis is None:
        raise LoweringError("convert-to-llvm: memref.dim: the dimension must be a constant")
    if not 0 <= axis < type.get_num_dims():
        raise LoweringError(f"convert-to-llvm: memref.dim: {type} has no dimension {axis}")
    to.bind(op.result, size_along(to, op.source, axis))


def size_along(to: Converter, value: SSAValue, axis: int) -> SSAValue:
    """The size of a memref along one axis: from its type, else from the operation that made it."""
    extent = memref_of(value.type).get_shape()[axis]
    if extent != DYNAMIC_INDEX:
        return to.integer(extent)
    owner = value.owner
    if isinstance(owner, memref.AllocOp | memref.AllocaOp):
        position = list(memref_of(value.type).get_shape()[:axis]).count(DYNAMIC_INDEX)
        return to[owner.dynamic_sizes[position]]
    if isinstance(owner, memref.CastOp):
        return size_along(to, owner.source, axis)
    if isinstance(owner, memref.SubviewOp) and len(owner.static_sizes) == memref_of(value.type).get_num_dims():
        return _value(to, mixed(to, owner.static_sizes, owner.sizes)[axis])
    if isinstance(owner, memref.ReinterpretCastOp):
        return _value(to, mixed(to, owner.static_sizes, owner.sizes)[axis])
    raise LoweringError(
        f"convert-to-llvm: the size of a {value.type} along dimension {axis} is not known: memrefs are passed as bare "
        "pointers; pass the size as an index beside it"
    )


@rule(memref.RankOp)
def rank(to: Converter, op: memref.RankOp) -> None:
    """memref.rank m  ->  a constant"""
    to.bind(op.rank, to.integer(memref_of(op.source.type).get_num_dims()))


@rule(memref.ExtractStridedMetaDataOp)
def extract_strided_metadata(to: Converter, op: memref.ExtractStridedMetaDataOp) -> None:
    """
    memref.extract_strided_metadata m  ->  the start of the buffer, and constants

    Memory with an offset that is not known begins at its first element here, at offset 0.
    """
    type = memref_of(op.source.type)
    offset = static_offset_of(type) or 0
    to.bind(op.base_buffer, element_pointer(to, to[op.source], llvm_type(type.element_type), [-offset]))
    to.bind(op.offset, to.integer(offset))
    for axis, size in enumerate(op.sizes):
        to.bind(size, size_along(to, op.source, axis))
    for stride, value in zip(op.strides, strides_of(type), strict=True):
        to.bind(stride, to.integer(value))


@rule(memref.ExtractAlignedPointerAsIndexOp)
def extract_aligned_pointer(to: Converter, op: memref.ExtractAlignedPointerAsIndexOp) -> None:
    """memref.extract_aligned_pointer_as_index m  ->  llvm.ptrtoint (start of the buffer)"""
    type = memref_of(op.source.type)
    offset = static_offset_of(type)
    if offset is None:
        raise LoweringError(f"convert-to-llvm: memref.extract_aligned_pointer_as_index of {type}: the offset must be static")
    start = element_pointer(to, to[op.source], llvm_type(type.element_type), [-offset])
    to.bind(op.aligned_pointer, to.emit(llvm.PtrToIntOp(start)))


# -- whole buffers


@rule(memref.CopyOp)
def copy(to: Converter, op: memref.CopyOp) -> None:
    """memref.copy a to b  ->  llvm.memcpy b, a, bytes"""
    source, target = memref_of(op.source.type), memref_of(op.destination.type)
    if not (is_contiguous(source) and is_contiguous(target)):
        raise LoweringError(
            f"convert-to-llvm: memref.copy from {source} to {target}: the elements are not contiguous; run convert-scf-to-cf "
            "before, which lowers the copy to a loop"
        )
    count: SSAValue | int = bytes_of(source.element_type)
    for axis, extent in enumerate(source.get_shape()):
        size = _known_size(to, op, axis) if extent == DYNAMIC_INDEX else extent
        known = size if isinstance(size, int) else constant_of(size)
        if isinstance(count, int) and known is not None:
            count *= known
        else:
            count = integer_binary(to, llvm.MulOp, _value(to, count), _value(to, size))
    not_volatile = to.integer(0, i1)
    to.emit_only(intrinsic_call("llvm.memcpy", [to[op.destination], to[op.source], _value(to, count), not_volatile], []))


def _known_size(to: Converter, op: memref.CopyOp, axis: int) -> SSAValue:
    """The size of both sides of a copy: of the one that knows it."""
    if memref_of(op.destination.type).get_shape()[axis] != DYNAMIC_INDEX:
        return size_along(to, op.destination, axis)
    return size_along(to, op.source, axis)
