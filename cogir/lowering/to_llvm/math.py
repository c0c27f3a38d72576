"""The part of math that machines have: square root, rounding, signs, fused multiply-add. The rest is expanded before."""

from __future__ import annotations

from typing import Any

from xdsl.dialects import math
from xdsl.dialects.builtin import i1 as _I1
from xdsl.ir import Attribute, Operation

from cogir.lowering.to_llvm.arith import fast_math
from cogir.lowering.to_llvm.converter import Converter, intrinsic_call, rule

_INTRINSICS: dict[type[Operation], str] = {
    math.SqrtOp: "llvm.sqrt",
    math.AbsFOp: "llvm.fabs",
    math.FloorOp: "llvm.floor",
    math.CeilOp: "llvm.ceil",
    math.TruncOp: "llvm.trunc",
    math.RoundOp: "llvm.round",
    math.RoundEvenOp: "llvm.roundeven",
    math.CopySignOp: "llvm.copysign",
    math.FmaOp: "llvm.fma",
}


@rule(*_INTRINSICS)
def exact_function(to: Converter, op: Any) -> None:
    """math.sqrt  ->  llvm.sqrt, and so on: functions whose result IEEE 754 fixes to the bit"""
    operands = to.all(op.operands)
    new = intrinsic_call(_INTRINSICS[type(op)], operands, [operands[0].type])
    new.properties["fastmathFlags"] = fast_math(op.properties.get("fastmath"))
    to.bind(op.results[0], to.emit(new))


@rule(math.AbsIOp)
def absi(to: Converter, op: math.AbsIOp) -> None:
    """math.absi  ->  llvm.abs, which wraps for the smallest number"""
    value = to[op.operands[0]]
    to.bind(op.results[0], to.intrinsic("llvm.abs", [value, to.integer(0, _I1)], value.type))


_BIT_COUNTS: dict[type[Operation], tuple[str, bool]] = {
    math.CtPopOp: ("llvm.ctpop", False),
    math.CountLeadingZerosOp: ("llvm.ctlz", True),
    math.CountTrailingZerosOp: ("llvm.cttz", True),
}


@rule(*_BIT_COUNTS)
def bit_count(to: Converter, op: Any) -> None:
    """math.ctpop  ->  llvm.ctpop, and so on; the number of zeros of 0 is the width"""
    name, defined_at_zero = _BIT_COUNTS[type(op)]
    value = to[op.operands[0]]
    type_: Attribute = value.type
    operands = [value, to.integer(0, _I1)] if defined_at_zero else [value]
    to.bind(op.results[0], to.intrinsic(name, operands, type_))
