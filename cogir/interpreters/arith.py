"""
The meaning of `arith`: exact IEEE arithmetic on f64 and f32, two's complement integers that wrap around.

Where LLVM leaves a result open, the interpreter picks what x86 gives or stops: a division by zero or an overflowing
signed division is an error, a shift by the width or more shifts everything out, and a float that fits no integer
becomes the smallest one.
"""

from __future__ import annotations

import ctypes
import math
import operator
import struct
from collections.abc import Callable
from typing import Any, cast

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    Float32Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    ShapedType,
)
from xdsl.ir import Attribute, Operation

from cogir.interpreters.engine import Engine, Meaning, Meanings
from cogir.irutils import array_of_dense, dtype_of

Number = Any


def round_f32(value: float) -> float:
    """The f32 nearest to `value`, as a float; overflows to infinity as C does."""
    return ctypes.c_float(value).value


def width_of(type: Attribute) -> int:
    """The number of bits of an integer type; an index has 64."""
    return 64 if isinstance(type, IndexType) else cast(IntegerType, type).width.data


def wrapping(type: Attribute) -> Callable[[int], Number]:
    """The function that brings any integer into the signed range of `type` (i1 is a bool)."""
    width = width_of(type)
    if width == 1:
        return lambda value: bool(value & 1)
    half, mask = 1 << (width - 1), (1 << width) - 1

    def wrap(value: int) -> int:
        if -half <= value < half:
            return value
        value &= mask
        return value - mask - 1 if value >= half else value

    return wrap


def unsigned(type: Attribute) -> Callable[[int], int]:
    """The function that reads an integer of `type` as unsigned."""
    mask = (1 << width_of(type)) - 1
    return lambda value: value & mask


def signed(type: Attribute) -> Callable[[int], int]:
    """The function that reads an integer of `type` as signed: only a true i1 (which is -1) needs care."""
    return operator.neg if width_of(type) == 1 else int


# Constants.


def constant(op: arith.ConstantOp, engine: Engine) -> Callable[[], Any]:
    match op.value:
        case IntegerAttr(value=value, type=type):
            held: Any = wrapping(cast(Attribute, type))(value.data)
        case FloatAttr(value=value, type=type):
            held = round_f32(value.data) if type == Float32Type() else value.data
        case DenseIntOrFPElementsAttr():
            held = array_of_dense(cast("DenseIntOrFPElementsAttr[Any]", op.value))
        case _:
            raise TypeError(f"constant {op.value} is not a number or a dense array")
    return lambda: held


# Floats.


def divide(a: float, b: float) -> float:
    """IEEE division: a zero divisor gives an infinity or NaN."""
    try:
        return a / b
    except ZeroDivisionError:
        if a == 0.0 or math.isnan(a):
            return math.nan
        return math.copysign(math.inf, math.copysign(1.0, a) * math.copysign(1.0, b))


def negate(a: float) -> float:
    return -a


def maximum(a: float, b: float) -> float:
    """The larger; NaN if either is NaN; +0 is larger than -0."""
    if a != a or b != b:
        return math.nan
    if a == b:
        return b if math.copysign(1.0, a) < 0.0 else a
    return a if a > b else b


def minimum(a: float, b: float) -> float:
    """The smaller; NaN if either is NaN; -0 is smaller than +0."""
    return -maximum(-a, -b)


def maxnum(a: float, b: float) -> float:
    """The larger; the other one if one is NaN."""
    return b if a != a else a if b != b else maximum(a, b)


def minnum(a: float, b: float) -> float:
    """The smaller; the other one if one is NaN."""
    return b if a != a else a if b != b else minimum(a, b)


def each(scalar: Callable[..., float]) -> Callable[..., Any]:
    """A function of numbers for arrays: NumPy's own maximum does not know which zero is larger."""
    over_array = np.frompyfunc(scalar, 2, 1)

    def on_arrays(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> Any:
        return np.asarray(over_array(a, b)).astype(a.dtype)

    return on_arrays


def float_op(scalar: Callable[..., float], elementwise: Callable[..., Any]) -> Meaning:
    """A float operation: on scalars `scalar`, rounded if f32 (exact for + - * /); on tensors `elementwise`."""

    def meaning(op: Operation, engine: Engine) -> Callable[..., Any]:
        type = op.results[0].type
        if isinstance(type, ShapedType):

            def on_arrays(*args: Any) -> Any:
                with np.errstate(all="ignore"):
                    return np.asarray(elementwise(*args))  # a ufunc makes a number of arrays without dimensions

            return on_arrays
        if type == Float32Type():
            return lambda *args: round_f32(scalar(*args))
        return scalar

    return meaning


def _ordered(test: Callable[[float, float], bool]) -> Callable[[float, float], bool]:
    return lambda a, b: a == a and b == b and test(a, b)


def _unordered(test: Callable[[float, float], bool]) -> Callable[[float, float], bool]:
    return lambda a, b: a != a or b != b or test(a, b)


FLOAT_TESTS: dict[str, Callable[[float, float], bool]] = {
    "false": lambda a, b: False,
    "oeq": operator.eq,
    "ogt": operator.gt,
    "oge": operator.ge,
    "olt": operator.lt,
    "ole": operator.le,
    "one": _ordered(operator.ne),
    "ord": _ordered(lambda a, b: True),
    "ueq": _unordered(operator.eq),
    "ugt": _unordered(operator.gt),
    "uge": _unordered(operator.ge),
    "ult": _unordered(operator.lt),
    "ule": _unordered(operator.le),
    "une": operator.ne,
    "uno": _unordered(lambda a, b: False),
    "true": lambda a, b: True,
}


def compare_floats(op: arith.CmpfOp, engine: Engine) -> Callable[[float, float], bool]:
    return FLOAT_TESTS[arith.CMPF_COMPARISON_OPERATIONS[op.predicate.value.data]]


# Integers.


def int_op(function: Callable[[int, int], int], wrapped: bool = True) -> Meaning:
    """A signed integer operation; on tensors the NumPy operator of the same name, which wraps by itself."""

    def meaning(op: Operation, engine: Engine) -> Callable[[Any, Any], Any]:
        type = op.results[0].type
        if isinstance(type, ShapedType):
            return lambda a, b: np.asarray(function(a, b))
        wrap, read = wrapping(type), signed(type)
        if width_of(type) == 1:
            return lambda a, b: wrap(function(read(a), read(b)))
        return (lambda a, b: wrap(function(a, b))) if wrapped else function

    return meaning


def unsigned_op(function: Callable[[int, int], int]) -> Meaning:
    """An operation on integers that are read as unsigned."""

    def meaning(op: Operation, engine: Engine) -> Callable[[int, int], Number]:
        type = op.results[0].type
        wrap, read = wrapping(type), unsigned(type)
        return lambda a, b: wrap(function(read(a), read(b)))

    return meaning


def divide_truncating(a: int, b: int) -> int:
    """Signed division rounded towards zero, as C's."""
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def remainder(a: int, b: int) -> int:
    """The remainder of C's signed division: it has the sign of `a`."""
    return a - b * divide_truncating(a, b)


def divide_ceiling(a: int, b: int) -> int:
    return -(-a // b)


def shift(function: Callable[[int, int], int], read: Callable[[Attribute], Callable[[int], int]]) -> Meaning:
    """A shift; an amount of the width or more shifts everything out."""

    def meaning(op: Operation, engine: Engine) -> Callable[[int, int], Number]:
        type = op.results[0].type
        width, wrap, value_of, amount_of = width_of(type), wrapping(type), read(type), unsigned(type)
        return lambda a, b: wrap(function(value_of(a), min(amount_of(b), width)))

    return meaning


INT_TESTS: dict[str, tuple[Callable[[int, int], bool], Callable[[Attribute], Callable[[int], int]]]] = {
    "eq": (operator.eq, signed),
    "ne": (operator.ne, signed),
    "slt": (operator.lt, signed),
    "sle": (operator.le, signed),
    "sgt": (operator.gt, signed),
    "sge": (operator.ge, signed),
    "ult": (operator.lt, unsigned),
    "ule": (operator.le, unsigned),
    "ugt": (operator.gt, unsigned),
    "uge": (operator.ge, unsigned),
}


def compare_ints(op: arith.CmpiOp, engine: Engine) -> Callable[[int, int], bool]:
    test, reading = INT_TESTS[arith.CMPI_COMPARISON_OPERATIONS[op.predicate.value.data]]
    type = op.lhs.type
    if width_of(type) > 1 and reading is signed:
        return test
    read = reading(type)
    return lambda a, b: test(read(a), read(b))


def extended(function: Callable[[int, int], int], read: Callable[[Attribute], Callable[[int], int]]) -> Meaning:
    """An operation with a result of double width, given as its low and its high half."""

    def meaning(op: Operation, engine: Engine) -> Callable[[int, int], tuple[Number, Number]]:
        low, high = op.results
        shift_by, value_of = width_of(low.type), read(low.type)
        wrap_low, wrap_high = wrapping(low.type), wrapping(high.type)

        def both(a: int, b: int) -> tuple[Number, Number]:
            whole = function(value_of(a), value_of(b))
            return wrap_low(whole), wrap_high(whole >> shift_by)

        return both

    return meaning


def select(op: arith.SelectOp, engine: Engine) -> Callable[[bool, Any, Any], Any]:
    return lambda condition, a, b: a if condition else b


# Conversions.


def convert_int(read: Callable[[Attribute], Callable[[int], int]]) -> Meaning:
    """Between integer types: read the operand as signed or unsigned, and wrap."""

    def meaning(op: Operation, engine: Engine) -> Callable[[int], Number]:
        value_of, wrap = read(op.operands[0].type), wrapping(op.results[0].type)
        return lambda a: wrap(value_of(a))

    return meaning


def int_to_float(read: Callable[[Attribute], Callable[[int], int]]) -> Meaning:
    """From an integer to the nearest float, rounded once also for f32."""

    def meaning(op: Operation, engine: Engine) -> Callable[[int], float]:
        value_of = read(op.operands[0].type)
        if op.results[0].type == Float32Type():
            numpy_type = np.int64 if read is signed else np.uint64
            return lambda a: float(np.float32(numpy_type(value_of(a))))
        return lambda a: float(value_of(a))

    return meaning


def float_to_int(reads_unsigned: bool) -> Meaning:
    """From a float towards zero to an integer; what does not fit becomes the smallest signed integer."""

    def meaning(op: Operation, engine: Engine) -> Callable[[float], Number]:
        type = op.results[0].type
        width, wrap = width_of(type), wrapping(type)
        low, high = (0, 1 << width) if reads_unsigned else (-(1 << (width - 1)), 1 << (width - 1))

        def convert(a: float) -> Number:
            if math.isfinite(a) and low <= (whole := int(a)) < high:
                return wrap(whole)
            return wrap(1 << (width - 1))

        return convert

    return meaning


_FORMATS: dict[np.dtype[Any], str] = {
    np.dtype(np.float64): "<d",
    np.dtype(np.float32): "<f",
    np.dtype(np.int64): "<q",
    np.dtype(np.int32): "<i",
}


def bitcast(op: arith.BitcastOp, engine: Engine) -> Callable[[Any], Any]:
    source, target = (_FORMATS[dtype_of(value.type)] for value in (op.input, op.result))
    pack, unpack = struct.Struct(source).pack, struct.Struct(target).unpack
    return lambda a: unpack(pack(a))[0]


def _same(op: Operation, engine: Engine) -> Callable[[Any], Any]:
    return lambda a: a


MEANINGS = Meanings(
    value={
        arith.ConstantOp: constant,
        arith.AddfOp: float_op(operator.add, np.add),
        arith.SubfOp: float_op(operator.sub, np.subtract),
        arith.MulfOp: float_op(operator.mul, np.multiply),
        arith.DivfOp: float_op(divide, np.divide),
        arith.NegfOp: float_op(negate, np.negative),
        arith.MaximumfOp: float_op(maximum, each(maximum)),
        arith.MinimumfOp: float_op(minimum, each(minimum)),
        arith.MaxnumfOp: float_op(maxnum, each(maxnum)),
        arith.MinnumfOp: float_op(minnum, each(minnum)),
        arith.CmpfOp: compare_floats,
        arith.AddiOp: int_op(operator.add),
        arith.SubiOp: int_op(operator.sub),
        arith.MuliOp: int_op(operator.mul),
        arith.DivSIOp: int_op(divide_truncating),
        arith.RemSIOp: int_op(remainder),
        arith.FloorDivSIOp: int_op(lambda a, b: a // b),
        arith.CeilDivSIOp: int_op(divide_ceiling),
        arith.AndIOp: int_op(lambda a, b: a & b, wrapped=False),
        arith.OrIOp: int_op(lambda a, b: a | b, wrapped=False),
        arith.XOrIOp: int_op(lambda a, b: a ^ b, wrapped=False),
        arith.MinSIOp: int_op(min, wrapped=False),
        arith.MaxSIOp: int_op(max, wrapped=False),
        arith.DivUIOp: unsigned_op(lambda a, b: a // b),
        arith.RemUIOp: unsigned_op(operator.mod),
        arith.CeilDivUIOp: unsigned_op(divide_ceiling),
        arith.MinUIOp: unsigned_op(min),
        arith.MaxUIOp: unsigned_op(max),
        arith.ShLIOp: shift(lambda a, b: a << b, unsigned),
        arith.ShRUIOp: shift(lambda a, b: a >> b, unsigned),
        arith.ShRSIOp: shift(lambda a, b: a >> b, signed),
        arith.CmpiOp: compare_ints,
        arith.SelectOp: select,
        arith.IndexCastOp: convert_int(signed),
        arith.TruncIOp: convert_int(signed),
        arith.ExtSIOp: convert_int(signed),
        arith.ExtUIOp: convert_int(unsigned),
        arith.ExtFOp: _same,
        arith.TruncFOp: lambda op, engine: round_f32,
        arith.SIToFPOp: int_to_float(signed),
        arith.UIToFPOp: int_to_float(unsigned),
        arith.FPToSIOp: float_to_int(reads_unsigned=False),
        arith.FPToUIOp: float_to_int(reads_unsigned=True),
        arith.BitcastOp: bitcast,
    },
    results={
        arith.AddUIExtendedOp: extended(operator.add, unsigned),
        arith.MulUIExtendedOp: extended(operator.mul, unsigned),
        arith.MulSIExtendedOp: extended(operator.mul, signed),
    },
)
