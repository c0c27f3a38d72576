"""
Transfer functions: the number that an operation on numbers makes, from the numbers that it takes.

Each operation of `arith` and `math` on scalars has a row; an operation without one gives any number of its type. Where plain ranges lose
too much, the numbers have forms (`forms.py`), and the range is what both allow.
"""

from __future__ import annotations

import math as numbers
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import Float32Type, Float64Type, FloatAttr, IntegerAttr, IntegerType
from xdsl.ir import Attribute, Operation

from cogir.analysis.ranges import elementary, floats, forms, integers
from cogir.analysis.ranges.floats import FloatRange
from cogir.analysis.ranges.forms import AffineForm
from cogir.analysis.ranges.integers import EITHER, IntRange
from cogir.analysis.ranges.values import Number, Range, anything_of, joined_range
from cogir.dialects.math_functions import ELEMENTARY
from cogir.interpreters.arith import round_f32
from cogir.interpreters.math import EXACT
from cogir.irutils import element_type_of
from cogir.library.numerics import intrinsics
from cogir.library.numerics.math import round_half_away

F32, F64, I64 = Float32Type(), Float64Type(), IntegerType(64)

FLOAT_BINARY: Mapping[type[Operation], Callable[[FloatRange, FloatRange], FloatRange]] = {
    arith.AddfOp: floats.added,
    arith.SubfOp: floats.subtracted,
    arith.MulfOp: floats.multiplied,
    arith.DivfOp: floats.divided,
    arith.MaximumfOp: floats.greater,
    arith.MinimumfOp: floats.less,
    arith.MaxnumfOp: floats.greater_number,
    arith.MinnumfOp: floats.lesser_number,
    math.CopySignOp: floats.with_sign,
}
FLOAT_UNARY: Mapping[type[Operation], Callable[[FloatRange], FloatRange]] = {
    arith.NegfOp: floats.negated,
    math.AbsFOp: floats.absolute,
    math.SqrtOp: floats.root,
    math.CeilOp: floats.rounded(lambda x: EXACT[math.CeilOp](x)),
    math.FloorOp: floats.rounded(lambda x: EXACT[math.FloorOp](x)),
    math.RoundEvenOp: floats.rounded(intrinsics.round_even),
    math.RoundOp: floats.rounded(round_half_away),
    math.TruncOp: floats.rounded(intrinsics.truncate),
    math.RsqrtOp: lambda x: floats.divided(floats.exactly(1.0), floats.root(x)),
}
ON_INTEGERS: Mapping[type[Operation], str] = {
    op: op.name
    for op in (
        arith.AddiOp, arith.SubiOp, arith.MuliOp, arith.DivSIOp, arith.FloorDivSIOp, arith.CeilDivSIOp, arith.RemSIOp, arith.AndIOp,
        arith.OrIOp, arith.XOrIOp, arith.MinSIOp, arith.MaxSIOp, arith.DivUIOp, arith.CeilDivUIOp, arith.RemUIOp, arith.MinUIOp,
        arith.MaxUIOp, arith.ShLIOp, arith.ShRSIOp, arith.ShRUIOp,
    )
}  # fmt: skip
FORMS_BINARY: Mapping[type[Operation], Callable[[AffineForm, AffineForm], AffineForm | None]] = {
    arith.AddfOp: forms.added,
    arith.SubfOp: lambda x, y: forms.added(x, forms.negated(y)),
    arith.MulfOp: forms.multiplied,
}


class RangeTransfer:
    """
    The transfer functions, for a choice of elementary functions and with or without forms.

    `ulps`: the error of elementary functions; `symbolic`: whether numbers get forms.
    """

    def __init__(self, ulps: int = elementary.PORTABLE_ULPS, symbolic: bool = True):
        self.ulps = ulps
        self.symbolic = symbolic

    def number(self, op: Operation, operands: Sequence[Number]) -> Number:
        """The number that an operation with one result makes."""
        type = element_type_of(op.results[0].type)
        kind = op.__class__
        range: Range | None
        form: AffineForm | None = None
        if kind is arith.SelectOp:
            return self.chosen(op, operands)
        if isinstance(type, Float64Type | Float32Type):
            range = self.floating(op, kind, operands)
            if self.symbolic and type == F64 and range is not None:
                form = self.form(kind, operands)
                if form is not None:
                    range, form = reconciled(range, form)
            if range is not None and type == F32 and kind not in (arith.ExtFOp, arith.TruncFOp, arith.NegfOp, math.AbsFOp):
                range = self.single(kind, range)
        else:
            range = self.whole(op, kind, operands, type)
        if range is None:
            range = cast("Range", anything_of(type))
        return Number(range, form, (op, tuple(operands)))

    def chosen(self, op: Operation, operands: Sequence[Number]) -> Number:
        """select(condition, a, b)"""
        condition, a, b = operands
        if condition.integers.low == 1:
            return a
        if condition.integers.high == 0 or a is b:
            return b
        return Number(joined_range((a.range, b.range)), None, (op, tuple(operands)))

    # Floats

    def floating(self, op: Operation, kind: type[Operation], operands: Sequence[Number]) -> FloatRange | None:
        """The range of a float, as if it were f64."""
        if (binary := FLOAT_BINARY.get(kind)) is not None:
            x, y = operands
            if x is y and kind in SAME_TWICE:
                return SAME_TWICE[kind](x.floats)
            return binary(x.floats, y.floats)
        if (unary := FLOAT_UNARY.get(kind)) is not None:
            return unary(operands[0].floats)
        if (name := ELEMENTARY.get(kind)) is not None:
            return elementary.of_function(name, [each.floats for each in operands], self.ulps)
        match op:
            case arith.SIToFPOp():
                return from_integer(operands[0].integers, integers.width_of(op.input.type), True)
            case arith.UIToFPOp():
                return from_integer(operands[0].integers, integers.width_of(op.input.type), False)
            case math.FmaOp():
                return floats.fused(intrinsics.fma, *(each.floats for each in operands))
            case arith.ExtFOp():
                return operands[0].floats
            case arith.TruncFOp():
                return floats.as_f32(operands[0].floats)
            case arith.BitcastOp() if op.input.type == I64:
                return from_bits(operands[0].integers)
            case _:
                return None

    def single(self, kind: type[Operation], range: FloatRange) -> FloatRange:
        """The range of an operation of f32, from that of f64: rounded, or wider where the operation does not just round."""
        rounded = floats.as_f32(range)
        return floats.outwards_f32(rounded) if kind in (math.FmaOp, math.RsqrtOp) or kind in ELEMENTARY else rounded

    def form(self, kind: type[Operation], operands: Sequence[Number]) -> AffineForm | None:
        """The form of a result, for operations that are nearly linear."""
        if (binary := FORMS_BINARY.get(kind)) is not None:
            x, y = operands
            left, right = form_of(x), form_of(y)
            if left is None or right is None:
                return None
            return forms.squared(left) if x is y and kind is arith.MulfOp else binary(left, right)
        if kind is arith.NegfOp:
            only = form_of(operands[0])
            return None if only is None else forms.negated(only)
        if kind is arith.DivfOp and (divisor := operands[1].floats).is_constant and abs(divisor.low) > 1.0 / forms.HUGE:
            left = form_of(operands[0])
            return None if left is None or not abs(divisor.low) < forms.HUGE else forms.scaled(left, 1.0 / divisor.low)
        return None

    # Integers and truth values

    def whole(self, op: Operation, kind: type[Operation], operands: Sequence[Number], type: Attribute) -> IntRange | None:
        """The range of an integer."""
        if (name := ON_INTEGERS.get(kind)) is not None:
            x, y = operands
            if x is y and kind in (arith.SubiOp, arith.XOrIOp):
                return IntRange(0, 0)
            return integers.operated(name, x.integers, y.integers, type)
        match op:
            case arith.CmpfOp():
                return self.compared(op, operands)
            case arith.CmpiOp():
                predicate = arith.CMPI_COMPARISON_OPERATIONS[cast("IntegerAttr[Any]", op.predicate).value.data]
                x, y = operands
                if x is y:
                    return integers.TRUE if integers.RELATIONS[predicate] & integers.EQUAL else integers.FALSE
                return integers.compared(predicate, x.integers, y.integers, op.lhs.type)
            case arith.IndexCastOp() | arith.ExtSIOp() | arith.TruncIOp():
                return converted(operands[0].integers, op.operands[0].type, type)
            case arith.ExtUIOp():
                x = operands[0].integers
                if x.low >= 0:
                    return integers.fitting(x.low, x.high, type)
                return integers.fitting(0, (1 << integers.width_of(op.operands[0].type)) - 1, type)
            case arith.FPToSIOp():
                return to_integer(operands[0].floats, type, True)
            case arith.FPToUIOp():
                return to_integer(operands[0].floats, type, False)
            case arith.BitcastOp() if op.input.type == F64:
                return to_bits(operands[0].floats)
            case math.AbsIOp():
                x = operands[0].integers
                size = max(abs(x.low), abs(x.high))
                return integers.fitting(0 if x.low <= 0 <= x.high else min(abs(x.low), abs(x.high)), size, type)
            case math.CtPopOp() | math.CountLeadingZerosOp() | math.CountTrailingZerosOp():
                return integers.fitting(0, integers.width_of(type), type)
            case _:
                return None

    def compared(self, op: arith.CmpfOp, operands: Sequence[Number]) -> IntRange:
        """The range of a comparison of floats."""
        wanted = floats.RELATIONS[predicate_of(op)]
        possible = self.relations(*operands)
        if not possible:
            return EITHER
        return IntRange(int(not possible & ~wanted), int(bool(possible & wanted)))

    def relations(self, x: Number, y: Number) -> int:
        """The relations that are possible between two floats, by their ranges and by the form of their difference."""
        if x is y:
            return (0 if x.floats.is_empty else floats.EQUAL) | (floats.UNORDERED if x.floats.nan else 0)
        possible = floats.relations(x.floats, y.floats)
        if self.symbolic and possible & (floats.LESS | floats.GREATER) and (x.form is not None or y.form is not None):
            left, right = form_of(x), form_of(y)
            difference = forms.added(left, forms.negated(right)) if left is not None and right is not None else None
            if difference is not None:
                low, high = difference.range()
                if low > 0.0:
                    possible &= floats.GREATER
                elif high < 0.0:
                    possible &= floats.LESS
        return possible


def form_of(x: Number) -> AffineForm | None:
    """The form of a number; one with a new symbol where it has none."""
    if x.form is None:
        x.form = forms.fresh(x.floats)
    return x.form


def reconciled(range: FloatRange, form: AffineForm) -> tuple[FloatRange, AffineForm | None]:
    """The numbers that both a range and a form allow; a form that is much wider than the range is given up."""
    low, high = form.range()
    both = range & FloatRange(low, high, True, True)
    if both.is_empty:  # code that no numbers reach
        return range, None
    wide = both.high - both.low
    return FloatRange(both.low, both.high, range.nan, both.negative_zero), form if form.radius <= 4.0 * wide else None


def nothing_or_nan(x: FloatRange) -> FloatRange:
    """x - x: NaN for infinities and NaN"""
    return FloatRange(0.0, 0.0, x.nan or x.unbounded, False) if not x.is_empty else floats.NOTHING_BUT_NAN


def one_or_nan(x: FloatRange) -> FloatRange:
    """x / x: NaN for zeros, infinities and NaN"""
    return FloatRange(1.0, 1.0, x.nan or x.unbounded or x.zero, False) if not x.is_empty else floats.NOTHING_BUT_NAN


SAME_TWICE: Mapping[type[Operation], Callable[[FloatRange], FloatRange]] = {
    arith.SubfOp: nothing_or_nan,
    arith.MulfOp: floats.squared,
    arith.DivfOp: one_or_nan,
    arith.MaximumfOp: lambda x: x,
    arith.MinimumfOp: lambda x: x,
}
"""The operations that know more of one number twice than of two numbers of its range."""


def predicate_of(op: arith.CmpfOp) -> str:
    """The predicate of a comparison: "olt", "une" ..."""
    return arith.CMPF_COMPARISON_OPERATIONS[op.predicate.value.data]


# Conversions


def from_integer(x: IntRange, width: int, signed: bool) -> FloatRange:
    """The floats of integers; a true i1 is -1 where it is read as signed."""
    if signed and width == 1:
        x = IntRange(-x.high, -x.low)
    elif not signed and x.low < 0:
        x = IntRange(0, (1 << width) - 1)
    return FloatRange(float(x.low), float(x.high), False, False)


def converted(x: IntRange, source: Attribute, type: Attribute) -> IntRange:
    """The numbers of another integer type; a true i1 is -1 as a signed number."""
    if integers.width_of(source) == 1 and integers.width_of(type) > 1:
        x = IntRange(-x.high, -x.low)
    return integers.fitting(x.low, x.high, type)


def to_integer(x: FloatRange, type: Attribute, signed: bool) -> IntRange:
    """The whole numbers towards zero; one that does not fit can be any number."""
    width = integers.width_of(type)
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if signed else (0, (1 << width) - 1)
    if x.nan or x.is_empty or x.unbounded or not (low <= numbers.trunc(x.low) and numbers.trunc(x.high) <= high):
        return integers.full(type)
    return integers.fitting(numbers.trunc(x.low), numbers.trunc(x.high), type)


def from_bits(x: IntRange) -> FloatRange:
    """The floats with these bits: as integers they increase with the float, from 0.0 on."""
    if x.low < 0 or x.high > 0x7FF0000000000000:
        return floats.ANYTHING
    return FloatRange(intrinsics.from_bits(x.low), intrinsics.from_bits(x.high), False, False)


def to_bits(x: FloatRange) -> IntRange | None:
    """The bits of floats that are not negative."""
    if x.nan or x.is_empty or not x.positive_sign:
        return None
    return IntRange(intrinsics.bits_of(abs(x.low)), intrinsics.bits_of(x.high))


def constant(op: arith.ConstantOp) -> Range | None:
    """The range of a constant number."""
    match op.value:
        case FloatAttr(value=value, type=type):
            return floats.exactly(round_f32(value.data) if type == F32 else value.data)
        case IntegerAttr(value=value, type=type):
            number = value.data
            if integers.width_of(cast(Attribute, type)) == 1:
                number &= 1
            return IntRange(number, number)
        case _:
            return None
