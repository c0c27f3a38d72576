"""
The meaning of `math`: roundings exactly, everything else by the portable functions of the library.

`meanings("libm")` takes the C library's functions instead, as `expand-math{math=libm}` does. f32 results are computed in f64 and
rounded; tensors and vectors go element by element.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects import math
from xdsl.dialects.builtin import Float32Type, ShapedType
from xdsl.ir import Operation

from cogir.dialects.math_functions import ELEMENTARY
from cogir.interpreters.arith import round_f32, width_of, wrapping
from cogir.interpreters.engine import Engine, Meaning, Meanings
from cogir.irutils import dtype_of, element_type_of
from cogir.library.numerics import intrinsics
from cogir.library.numerics.libm import libm
from cogir.library.numerics.math import FUNCTIONS, round_half_away

Function: TypeAlias = Callable[..., Any]


def floor(x: float) -> float:
    return float(np.floor(x))


def ceil(x: float) -> float:
    return float(np.ceil(x))


def rsqrt(x: float) -> float:
    return intrinsics.divide(1.0, intrinsics.sqrt(x))


EXACT: Mapping[type[Operation], Function] = {
    math.AbsFOp: intrinsics.absolute,
    math.CeilOp: ceil,
    math.CopySignOp: intrinsics.copysign,
    math.FloorOp: floor,
    math.FmaOp: intrinsics.fma,
    math.RoundEvenOp: intrinsics.round_even,
    math.RoundOp: round_half_away,
    math.RsqrtOp: rsqrt,
    math.SqrtOp: intrinsics.sqrt,
    math.TruncOp: intrinsics.truncate,
}


def to_f32(function: Function) -> Function:
    """The function of f32: computed in f64 and rounded, except where that would not be the operations in f32."""
    return IN_F32.get(function) or (lambda *args: round_f32(function(*args)))


def rsqrt_f32(x: float) -> float:
    return round_f32(intrinsics.divide(1.0, round_f32(intrinsics.sqrt(x))))


_fmaf = libm().fmaf
_fmaf.restype, _fmaf.argtypes = ctypes.c_float, (ctypes.c_float,) * 3
IN_F32: Mapping[Function, Function] = {intrinsics.fma: _fmaf, rsqrt: rsqrt_f32}


def elementwise(function: Function) -> Meaning:
    """A function of doubles on whatever floating-point type the operation has."""

    def meaning(op: Operation, engine: Engine) -> Function:
        type = op.results[0].type
        element = element_type_of(type)
        rounded = to_f32(function) if isinstance(element, Float32Type) else function
        if not isinstance(type, ShapedType):
            return rounded
        over_array = np.frompyfunc(lambda *args: rounded(*map(float, args)), len(op.operands), 1)
        dtype = dtype_of(element)

        def on_arrays(*arrays: Any) -> Any:
            with np.errstate(all="ignore"):
                return np.asarray(over_array(*arrays)).astype(dtype)

        return on_arrays

    return meaning


def absolute_int(op: math.AbsIOp, engine: Engine) -> Callable[[int], int]:
    wrap = wrapping(op.result.type)
    return lambda value: wrap(abs(value))


def bit_count(op: math.CtPopOp, engine: Engine) -> Callable[[int], int]:
    mask = (1 << width_of(op.result.type)) - 1
    return lambda value: (value & mask).bit_count()


def leading_zeros(op: math.CountLeadingZerosOp, engine: Engine) -> Callable[[int], int]:
    width = width_of(op.result.type)
    return lambda value: width - (value & (1 << width) - 1).bit_length()


def trailing_zeros(op: math.CountTrailingZerosOp, engine: Engine) -> Callable[[int], int]:
    width = width_of(op.result.type)
    return lambda value: width if value == 0 else (value & -value).bit_length() - 1


def libm_function(name: str, arity: int) -> Function:
    """A function of doubles of the C library."""
    function = getattr(libm(), name)
    function.restype, function.argtypes = ctypes.c_double, (ctypes.c_double,) * arity
    return function


def meanings(choice: str) -> Meanings:
    """The table of `math`, with the elementary functions from the library ("portable") or from C ("libm")."""
    table: dict[type[Operation], Meaning] = {op: elementwise(function) for op, function in EXACT.items()}
    for op, name in ELEMENTARY.items():
        arity = 2 if op in (math.Atan2Op, math.PowFOp) else 1
        table[op] = elementwise(FUNCTIONS[name] if choice == "portable" else libm_function(name, arity))
    table[math.AbsIOp] = absolute_int
    table[math.CtPopOp] = bit_count
    table[math.CountLeadingZerosOp] = leading_zeros
    table[math.CountTrailingZerosOp] = trailing_zeros
    return Meanings(value=table)


MEANINGS = meanings("portable")
