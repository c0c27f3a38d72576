"""vector to the llvm dialect: vectors of one dimension in registers, loads and stores of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, cast

from xdsl.dialects import llvm, vector
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    DenseArrayBase,
    DenseIntElementsAttr,
    FloatAttr,
    IntegerAttr,
    VectorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, SSAValue

from cogir.dialects import llvm_ext
from cogir.dialects.llvm_ext import vector_of
from cogir.errors import LoweringError
from cogir.lowering.to_llvm.arith import fast_math
from cogir.lowering.to_llvm.converter import Converter, intrinsic_call, rule
from cogir.lowering.to_llvm.memref import address, load_from, store_to
from cogir.lowering.to_llvm.types import bytes_of, llvm_type, memref_of


def _lanes(type: Attribute) -> int:
    return cast("VectorType[Any]", type).get_shape()[0]


def _place(to: Converter, base: SSAValue, indices: Sequence[SSAValue]) -> tuple[SSAValue, int]:
    """The address of a vector in memory, and its alignment, which is that of one element."""
    type = memref_of(base.type)
    return address(to, to[base], type, to.all(indices)), bytes_of(type.element_type)


@rule(vector.LoadOp)
def load(to: Converter, op: vector.LoadOp) -> None:
    """vector.load m[i]  ->  llvm.load (getelementptr m[i]), aligned as one element"""
    place, alignment = _place(to, op.base, op.indices)
    to.bind(op.result, to.emit(load_from(place, llvm_type(op.result.type), alignment)))


@rule(vector.StoreOp)
def store(to: Converter, op: vector.StoreOp) -> None:
    """vector.store v, m[i]  ->  llvm.store v, (getelementptr m[i])"""
    place, alignment = _place(to, op.base, op.indices)
    to.emit_only(store_to(place, to[op.vector], alignment))


@rule(vector.MaskedLoadOp)
def masked_load(to: Converter, op: vector.MaskedLoadOp) -> None:
    """vector.maskedload m[i], mask, v  ->  llvm.masked.load (getelementptr m[i]), mask, v"""
    place, _ = _place(to, op.base, op.indices)
    type = llvm_type(op.result.type)
    to.bind(op.result, to.intrinsic("llvm.masked.load", [place, to[op.mask], to[op.pass_thru]], type))


@rule(vector.MaskedStoreOp)
def masked_store(to: Converter, op: vector.MaskedStoreOp) -> None:
    """vector.maskedstore m[i], mask, v  ->  llvm.masked.store v, (getelementptr m[i]), mask"""
    place, _ = _place(to, op.base, op.indices)
    to.emit_only(intrinsic_call("llvm.masked.store", [to[op.value_to_store], place, to[op.mask]], []))


@rule(vector.CreateMaskOp)
def create_mask(to: Converter, op: vector.CreateMaskOp) -> None:
    """vector.create_mask n  ->  [0, 1, 2 ...] < splat n"""
    type = llvm_type(op.mask_vector.type)
    lanes = _lanes(type)
    numbers = VectorType(i64, [lanes])
    steps = llvm.ConstantOp(DenseIntElementsAttr.from_list(numbers, list(range(lanes))), numbers)
    bound = _splat(to, to[op.mask_dim_sizes[0]], numbers)
    to.bind(op.mask_vector, to.emit(llvm.ICmpOp(to.emit(steps), bound, IntegerAttr(2, i64))))


@rule(vector.BroadcastOp)
def broadcast(to: Converter, op: vector.BroadcastOp) -> None:
    """vector.broadcast x  ->  llvm.shufflevector (llvm.insertelement x, poison[0]) by zeros"""
    source, type = to[op.source], llvm_type(op.vector.type)
    if source.type == type:
        to.bind(op.vector, source)
        return
    if (vector := vector_of(source.type)) is not None:
        if _lanes(vector) != 1:
            raise LoweringError(
                f"convert-to-llvm: vector.broadcast from {vector} to {type} is not supported; broadcast a scalar, or a vector of "
                "one element"
            )
        to.bind(op.vector, _shuffle(to, source, source, [0] * _lanes(type), type))
        return
    to.bind(op.vector, _splat(to, source, type))


def _splat(to: Converter, value: SSAValue, type: Attribute) -> SSAValue:
    empty = to.emit(llvm_ext.PoisonOp(type))
    first = to.emit(llvm.InsertElementOp(empty, value, to.integer(0)))
    return _shuffle(to, first, first, [0] * _lanes(type), type)


@lru_cache(256)
def _mask(lanes: tuple[int, ...]) -> DenseArrayBase[Any]:
    return DenseArrayBase.from_list(i32, list(lanes))


def _shuffle(to: Converter, v1: SSAValue, v2: SSAValue, mask: Sequence[int], type: Attribute) -> SSAValue:
    return to.emit(llvm.ShuffleVectorOp.create(operands=[v1, v2], result_types=[type], properties={"mask": _mask(tuple(mask))}))


@rule(vector.ShuffleOp)
def shuffle(to: Converter, op: vector.ShuffleOp) -> None:
    """vector.shuffle v, w [...]  ->  llvm.shufflevector v, w [...]"""
    mask = [int(position) for position in op.mask.get_values()]
    to.bind(op.result, _shuffle(to, to[op.v1], to[op.v2], mask, llvm_type(op.result.type)))


def _position(to: Converter, static: DenseArrayBase[Any], dynamic: Sequence[SSAValue]) -> SSAValue:
    positions = static.get_values()
    if len(positions) != 1:
        raise LoweringError(
            f"convert-to-llvm: a vector is indexed by {len(positions)} positions; only one-dimensional vectors are supported"
        )
    position = positions[0]
    return to[dynamic[0]] if position == DYNAMIC_INDEX else to.integer(position)


@rule(vector.ExtractOp)
def extract(to: Converter, op: vector.ExtractOp) -> None:
    """vector.extract v[i]  ->  llvm.extractelement v[i]"""
    position = _position(to, op.static_position, op.dynamic_position)
    to.bind(op.result, to.emit(llvm_ext.ExtractElementOp(to[op.vector], position)))


@rule(vector.InsertOp)
def insert(to: Converter, op: vector.InsertOp) -> None:
    """vector.insert x, v[i]  ->  llvm.insertelement x, v[i]"""
    position = _position(to, op.static_position, op.dynamic_position)
    to.bind(op.result, to.emit(llvm.InsertElementOp(to[op.dest], to[op.source], position)))


@rule(vector.FMAOp)
def fma(to: Converter, op: vector.FMAOp) -> None:
    """vector.fma a, b, c  ->  llvm.fma a, b, c"""
    operands = to.all(op.operands)
    to.bind(op.res, to.intrinsic("llvm.fma", operands, operands[0].type))


@rule(vector.BitcastOp)
def bitcast(to: Converter, op: vector.BitcastOp) -> None:
    """vector.bitcast  ->  llvm.bitcast"""
    to.bind(op.result, to.emit(llvm.BitcastOp(to[op.source], llvm_type(op.result.type))))


_REDUCTIONS = {
    "minui": "umin",
    "minsi": "smin",
    "minnumf": "fmin",
    "maxui": "umax",
    "maxsi": "smax",
    "maxnumf": "fmax",
    "minimumf": "fminimum",
    "maximumf": "fmaximum",
    "and": "and",
    "or": "or",
    "xor": "xor",
    "add": "add",
    "mul": "mul",
}
_COMBINE = {"and": llvm.AndOp, "or": llvm.OrOp, "xor": llvm.XOrOp, "add": llvm.AddOp, "mul": llvm.MulOp}
_CHOOSE = {
    "minui": "llvm.umin",
    "minsi": "llvm.smin",
    "maxui": "llvm.umax",
    "maxsi": "llvm.smax",
    "minimumf": "llvm.minimum",
    "maximumf": "llvm.maximum",
    "minnumf": "llvm.minimumnum",
    "maxnumf": "llvm.maximumnum",
}


@rule(vector.ReductionOp)
def reduction(to: Converter, op: vector.ReductionOp) -> None:
    """
    vector.reduction add, v, x  ->  llvm.vector.reduce.fadd(x, v): ((x + v0) + v1) + ...;  integers and min/max: any order
    """
    source, kind = to[op.vector], op.kind.data.value
    element = cast("VectorType[Attribute]", source.type).element_type
    if kind in ("add", "mul") and isinstance(element, AnyFloat):
        # Without a start, -0 and 1 leave the first element as it is.
        start = to[op.acc] if op.acc is not None else _float_constant(to, -0.0 if kind == "add" else 1.0, element)
        new = intrinsic_call(f"llvm.vector.reduce.f{kind}", [start, source], [element])
        new.properties["fastmathFlags"] = fast_math(op.fastmath)
        to.bind(op.dest, to.emit(new))
        return
    value = to.intrinsic(f"llvm.vector.reduce.{_REDUCTIONS[kind]}", [source], element)
    if op.acc is not None:
        accumulated = to[op.acc]
        if kind in _CHOOSE:
            value = to.intrinsic(_CHOOSE[kind], [accumulated, value], element)
        else:
            value = to.emit(_COMBINE[kind](accumulated, value))
    to.bind(op.dest, value)


def _float_constant(to: Converter, value: float, type: Attribute) -> SSAValue:
    return to.emit(llvm.ConstantOp(FloatAttr(value, cast(Any, type)), type))
