"""arith to the llvm dialect: scalars, and vectors of one dimension."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects import arith, llvm
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    VectorType,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from cogir.dialects import llvm_ext
from cogir.dialects.llvm_ext import truth_type, vector_of
from cogir.irutils import integer_attribute
from cogir.lowering.to_llvm.converter import NO_FAST_MATH, Converter, intrinsic_call, rule
from cogir.lowering.to_llvm.types import llvm_type

_NO_WRAP_FLAGS = {flags: IntegerAttr(flags, 32) for flags in range(4)}


def fast_math(flags: arith.FastMathFlagsAttr | None) -> llvm.FastMathAttr:
    """The same fast-math flags, in the llvm dialect."""
    return llvm.FastMathAttr(list(flags.data)) if flags is not None and flags.data else NO_FAST_MATH


def constant_attribute(value: Attribute) -> Attribute:
    """The value of an `arith.constant` as one of the llvm dialect: index becomes i64."""
    if isinstance(value, IntegerAttr):
        integer = cast("IntegerAttr[Any]", value)
        return integer_attribute(integer.value.data, i64) if isinstance(integer.type, IndexType) else integer
    return value


@rule(arith.ConstantOp)
def constant(to: Converter, op: arith.ConstantOp) -> None:
    """arith.constant v  ->  llvm.mlir.constant v"""
    value, type = constant_attribute(op.value), llvm_type(op.result.type)
    if isinstance(op.value, DenseIntOrFPElementsAttr):
        value = DenseIntOrFPElementsAttr(cast(Any, type), op.value.data)
    to.bind(op.result, to.emit(llvm.ConstantOp.create(result_types=[type], properties={"value": value})))


_FLOAT_OPERATIONS: dict[type[Operation], type[Operation]] = {
    arith.AddfOp: llvm.FAddOp,
    arith.SubfOp: llvm.FSubOp,
    arith.MulfOp: llvm.FMulOp,
    arith.DivfOp: llvm.FDivOp,
}


@rule(*_FLOAT_OPERATIONS)
def float_operation(to: Converter, op: Any) -> None:
    """arith.addf  ->  llvm.fadd, and so on"""
    operands = to.all(op.operands)
    to.bind(
        op.result,
        to.emit(
            _FLOAT_OPERATIONS[type(op)].create(
                operands=operands, result_types=[operands[0].type], properties={"fastmathFlags": fast_math(op.fastmath)}
            )
        ),
    )


@rule(arith.NegfOp)
def negf(to: Converter, op: arith.NegfOp) -> None:
    """arith.negf  ->  llvm.fneg"""
    value = to[op.operand]
    properties: dict[str, Attribute] = {"fastmathFlags": fast_math(op.fastmath)}
    to.bind(op.result, to.emit(llvm.FNegOp.create(operands=[value], result_types=[value.type], properties=properties)))


_WRAPPING_OPERATIONS: dict[type[Operation], type[Operation]] = {
    arith.AddiOp: llvm.AddOp,
    arith.SubiOp: llvm.SubOp,
    arith.MuliOp: llvm.MulOp,
    arith.ShLIOp: llvm.ShlOp,
}


@rule(*_WRAPPING_OPERATIONS)
def wrapping_operation(to: Converter, op: Any) -> None:
    """arith.addi  ->  llvm.add, and so on, with nsw and nuw"""
    operands = to.all(op.operands)
    names = cast("tuple[arith.IntegerOverflowFlag, ...]", op.overflow_flags.data)
    flags = (1 if arith.IntegerOverflowFlag.NSW in names else 0) | (2 if arith.IntegerOverflowFlag.NUW in names else 0)
    to.bind(
        op.result,
        to.emit(
            _WRAPPING_OPERATIONS[type(op)].create(
                operands=operands,
                result_types=[operands[0].type],
                properties={"overflowFlags": _NO_WRAP_FLAGS[flags]},
            )
        ),
    )


_INTEGER_OPERATIONS: dict[type[Operation], type[Operation]] = {
    arith.DivUIOp: llvm.UDivOp,
    arith.DivSIOp: llvm.SDivOp,
    arith.RemUIOp: llvm.URemOp,
    arith.RemSIOp: llvm.SRemOp,
    arith.AndIOp: llvm.AndOp,
    arith.OrIOp: llvm.OrOp,
    arith.XOrIOp: llvm.XOrOp,
    arith.ShRUIOp: llvm.LShrOp,
    arith.ShRSIOp: llvm.AShrOp,
}


@rule(*_INTEGER_OPERATIONS)
def integer_operation(to: Converter, op: Any) -> None:
    """arith.divsi  ->  llvm.sdiv, and so on"""
    operands = to.all(op.operands)
    to.bind(op.result, to.emit(_binary(_INTEGER_OPERATIONS[type(op)], *operands)))


_INTRINSICS: dict[type[Operation], str] = {
    arith.MinSIOp: "llvm.smin",
    arith.MaxSIOp: "llvm.smax",
    arith.MinUIOp: "llvm.umin",
    arith.MaxUIOp: "llvm.umax",
    # NaN wins, and -0 < +0.
    arith.MinimumfOp: "llvm.minimum",
    arith.MaximumfOp: "llvm.maximum",
    # NaN loses, and -0 < +0: `arith` leaves the sign of zero open, llvm.maxnum would leave it to the machine.
    arith.MinnumfOp: "llvm.minimumnum",
    arith.MaxnumfOp: "llvm.maximumnum",
}


@rule(*_INTRINSICS)
def minimum_or_maximum(to: Converter, op: Any) -> None:
    """arith.minsi  ->  llvm.smin, and so on"""
    operands = to.all(op.operands)
    new = intrinsic_call(_INTRINSICS[type(op)], operands, [operands[0].type])
    flags = op.properties.get("fastmath")
    if flags is not None:
        new.properties["fastmathFlags"] = fast_math(flags)
    to.bind(op.result, to.emit(new))


@rule(arith.CmpiOp)
def cmpi(to: Converter, op: arith.CmpiOp) -> None:
    """arith.cmpi p  ->  llvm.icmp p"""
    to.bind(op.result, to.emit(_icmp(op.predicate.value.data, to[op.lhs], to[op.rhs])))


@rule(arith.CmpfOp)
def cmpf(to: Converter, op: arith.CmpfOp) -> None:
    """arith.cmpf p  ->  llvm.fcmp p"""
    lhs = to[op.lhs]
    compare = llvm.FCmpOp if vector_of(lhs.type) is None else llvm_ext.FCmpOp
    to.bind(
        op.result,
        to.emit(
            compare.create(
                operands=[lhs, to[op.rhs]],
                result_types=[truth_type(lhs.type)],
                properties={"predicate": op.predicate, "fastmathFlags": fast_math(op.fastmath)},
            )
        ),
    )


@rule(arith.SelectOp)
def select(to: Converter, op: arith.SelectOp) -> None:
    """arith.select  ->  llvm.select"""
    to.bind(op.result, to.emit(_select(to[op.cond], to[op.lhs], to[op.rhs])))


# -- casts

_CASTS: dict[type[Operation], type[Operation]] = {
    arith.FPToSIOp: llvm_ext.FPToSIOp,
    arith.FPToUIOp: llvm_ext.FPToUIOp,
    arith.SIToFPOp: llvm.SIToFPOp,
    arith.UIToFPOp: llvm_ext.UIToFPOp,
    arith.ExtFOp: llvm.FPExtOp,
    arith.TruncFOp: llvm.FPTruncOp,
    arith.TruncIOp: llvm.TruncOp,
    arith.ExtSIOp: llvm.SExtOp,
    arith.ExtUIOp: llvm.ZExtOp,
    arith.BitcastOp: llvm.BitcastOp,
}


@rule(*_CASTS)
def cast_operation(to: Converter, op: Any) -> None:
    """arith.sitofp  ->  llvm.sitofp, and so on"""
    value, type_ = to[op.input], llvm_type(op.result.type)
    if value.type == type_:
        to.bind(op.result, value)
        return
    to.bind(op.result, to.emit(_CASTS[type(op)].create(operands=[value], result_types=[type_])))


@rule(arith.IndexCastOp)
def index_cast(to: Converter, op: arith.IndexCastOp) -> None:
    """arith.index_cast  ->  nothing, llvm.trunc or llvm.sext"""
    value, wanted = to[op.input], cast(IntegerType, llvm_type(op.result.type))
    given = cast(IntegerType, value.type)
    if given == wanted:
        to.bind(op.result, value)
        return
    new = llvm.TruncOp if given.width.data > wanted.width.data else llvm.SExtOp
    to.bind(op.result, to.emit(new.create(operands=[value], result_types=[wanted])))


# -- operations that become several


@rule(arith.AddUIExtendedOp)
def addui_extended(to: Converter, op: arith.AddUIExtendedOp) -> None:
    """arith.addui_extended a, b  ->  s = llvm.add a, b;  overflow = s <u a"""
    lhs, rhs = to[op.lhs], to[op.rhs]
    total = to.emit(_binary(llvm.AddOp, lhs, rhs))
    to.bind(op.sum, total)
    to.bind(op.overflow, to.emit(_icmp(_ULT, total, lhs)))


@rule(arith.MulUIExtendedOp, arith.MulSIExtendedOp)
def mul_extended(to: Converter, op: arith.MulUIExtendedOp | arith.MulSIExtendedOp) -> None:
    """arith.mului_extended a, b  ->  the halves of the product of a and b, both extended to twice the width"""
    lhs, rhs = to[op.lhs], to[op.rhs]
    narrow: Attribute = lhs.type
    vector = vector_of(narrow)
    width = cast("IntegerType[int, Any]", narrow if vector is None else vector.element_type).width.data
    wide: Attribute = IntegerType(2 * width) if vector is None else VectorType(IntegerType(2 * width), vector.get_shape())
    extend = llvm.ZExtOp if isinstance(op, arith.MulUIExtendedOp) else llvm.SExtOp
    product = to.emit(
        _binary(
            llvm.MulOp,
            to.emit(extend.create(operands=[lhs], result_types=[wide])),
            to.emit(extend.create(operands=[rhs], result_types=[wide])),
        )
    )
    by = to.emit(llvm.ZExtOp.create(operands=[_splat(to, width, narrow)], result_types=[wide]))  # xDSL has no dense constants of i128
    shifted = to.emit(_binary(llvm.LShrOp, product, by))
    to.bind(op.low, to.emit(llvm.TruncOp.create(operands=[product], result_types=[narrow])))
    to.bind(op.high, to.emit(llvm.TruncOp.create(operands=[shifted], result_types=[narrow])))


@rule(arith.FloorDivSIOp)
def floordivsi(to: Converter, op: arith.FloorDivSIOp) -> None:
    """arith.floordivsi a, b  ->  q = a / b;  (q * b != a and the signs differ) ? q - 1 : q"""
    _rounded_division(to, op, down=True)


@rule(arith.CeilDivSIOp)
def ceildivsi(to: Converter, op: arith.CeilDivSIOp) -> None:
    """arith.ceildivsi a, b  ->  q = a / b;  (q * b != a and the signs agree) ? q + 1 : q"""
    _rounded_division(to, op, down=False)


def _rounded_division(to: Converter, op: arith.FloorDivSIOp | arith.CeilDivSIOp, *, down: bool) -> None:
    lhs, rhs = to[op.lhs], to[op.rhs]
    zero = _splat(to, 0, lhs.type)
    quotient = to.emit(_binary(llvm.SDivOp, lhs, rhs))
    inexact = to.emit(_icmp(_NE, to.emit(_binary(llvm.MulOp, quotient, rhs)), lhs))
    left_negative, right_negative = to.emit(_icmp(_SLT, lhs, zero)), to.emit(_icmp(_SLT, rhs, zero))
    signs = to.emit(_icmp(_NE if down else _EQ, left_negative, right_negative))
    adjust = to.emit(_binary(llvm.AndOp, inexact, signs))
    moved = to.emit(_binary(llvm.SubOp if down else llvm.AddOp, quotient, _splat(to, 1, lhs.type)))
    to.bind(op.result, to.emit(_select(adjust, moved, quotient)))


@rule(arith.CeilDivUIOp)
def ceildivui(to: Converter, op: arith.CeilDivUIOp) -> None:
    """arith.ceildivui a, b  ->  a == 0 ? 0 : (a - 1) / b + 1"""
    lhs, rhs = to[op.lhs], to[op.rhs]
    zero, one = _splat(to, 0, lhs.type), _splat(to, 1, lhs.type)
    quotient = to.emit(_binary(llvm.UDivOp, to.emit(_binary(llvm.SubOp, lhs, one)), rhs))
    rounded = to.emit(_binary(llvm.AddOp, quotient, one))
    to.bind(op.result, to.emit(_select(to.emit(_icmp(_EQ, lhs, zero)), zero, rounded)))


_EQ, _NE, _SLT, _ULT = 0, 1, 2, 6
_PREDICATES = [IntegerAttr(predicate, i64) for predicate in range(10)]


def _binary(op_type: type[Operation], lhs: SSAValue, rhs: SSAValue) -> Operation:
    flags = op_type in (llvm.AddOp, llvm.SubOp, llvm.MulOp, llvm.ShlOp)
    properties: dict[str, Attribute] = {"overflowFlags": _NO_WRAP_FLAGS[0]} if flags else {}
    return op_type.create(operands=[lhs, rhs], result_types=[lhs.type], properties=properties)


def integer_binary(to: Converter, op_type: type[Operation], lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    """`op_type lhs, rhs`, emitted; without nsw or nuw."""
    return to.emit(_binary(op_type, lhs, rhs))


def _icmp(predicate: int, lhs: SSAValue, rhs: SSAValue) -> Operation:
    return llvm.ICmpOp.create(operands=[lhs, rhs], result_types=[truth_type(lhs.type)], properties={"predicate": _PREDICATES[predicate]})


def _select(condition: SSAValue, lhs: SSAValue, rhs: SSAValue) -> Operation:
    chooser = llvm.SelectOp if vector_of(condition.type) is None else llvm_ext.SelectOp
    return chooser.create(operands=[condition, lhs, rhs], result_types=[lhs.type], properties={"fastmathFlags": NO_FAST_MATH})


def _splat(to: Converter, value: int, type: Attribute) -> SSAValue:
    """An integer constant of scalar or vector type."""
    if (vector := vector_of(type)) is None:
        return to.integer(value, cast(IntegerType, type))
    attribute: Attribute = DenseIntOrFPElementsAttr.from_list(cast(Any, vector), [value])
    return to.emit(llvm.ConstantOp.create(result_types=[type], properties={"value": attribute}))
