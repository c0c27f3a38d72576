"""
Scalar operations that Python cannot say, with their plain meaning, and the operation each of them compiles to.

The bodies of `math.py` and `rng.py` work on the machine's numbers: doubles, and 64-bit integers that wrap around. Python's own
`+ - * <<` on integers grow without bound and it has no fused multiply-add, so these bodies call the functions below. Run as Python
they are the meaning (exact, slow); `pyfunc` looks a called function up in `INTRINSICS` and emits the operation named there.

An `i64` is a Python `int` in `[-2**63, 2**63)`; "unsigned" functions read the same 64 bits as a number in `[0, 2**64)`.
`& | ^` and `>>` (arithmetic) on such numbers need no help: Python's meaning is already the machine's.
"""

import ctypes
import math
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from cogir.library.numerics.libm import libm

_Value = TypeVar("_Value")
_SIGN = 1 << 63
_MASK = (1 << 64) - 1


def _libm_function(name: str, arity: int) -> Callable[..., float]:
    function = getattr(libm(), name)
    function.restype = ctypes.c_double
    function.argtypes = (ctypes.c_double,) * arity
    return function


_libm_fma = _libm_function("fma", 3)
_libm_log = _libm_function("log", 1)
_libm_log1p = _libm_function("log1p", 1)
_libm_exp = _libm_function("exp", 1)
_libm_pow = _libm_function("pow", 2)


@dataclass(frozen=True)
class Intrinsic:
    """
    The operation that a call of an intrinsic becomes.

    `operation` is an operation of `arith`, `math` or `rng`, followed by its predicate if it has one (`arith.cmpi ult`);
    `arith.mului_extended high` takes the second result, `low` the first; `call @name` is a call of that function of the C library.
    Types are "f64", "i64", "i1"; "T" stands for any one scalar type, the same at each place.
    """

    function: Callable[..., object]
    operation: str
    operands: tuple[str, ...]
    result: str

    @property
    def name(self) -> str:
        return self.function.__name__


INTRINSICS: dict[Callable[..., object], Intrinsic] = {}
"""All intrinsics, by the Python function."""

_Function = TypeVar("_Function", bound=Callable[..., object])


def intrinsic(operation: str, operands: tuple[str, ...], result: str) -> Callable[[_Function], _Function]:
    """Registers the decorated function as the meaning of `operation`."""

    def register(function: _Function) -> _Function:
        INTRINSICS[function] = Intrinsic(function, operation, operands, result)
        return function

    return register


def _wrap(value: int) -> int:
    """The i64 that has the low 64 bits of `value`."""
    return ((value + _SIGN) & _MASK) - _SIGN


# Floating point


@intrinsic("math.fma", ("f64", "f64", "f64"), "f64")
def fma(a: float, b: float, c: float) -> float:
    """`a * b + c`, rounded once: C's, because Python 3.11 has none."""
    return _libm_fma(a, b, c)


@intrinsic("math.sqrt", ("f64",), "f64")
def sqrt(x: float) -> float:
    """The correctly rounded square root; NaN below zero."""
    if x < 0.0:
        return math.nan
    return math.sqrt(x)


@intrinsic("math.absf", ("f64",), "f64")
def absolute(x: float) -> float:
    """`x` without its sign (also of a zero or NaN)."""
    return math.fabs(x)


@intrinsic("math.copysign", ("f64", "f64"), "f64")
def copysign(magnitude: float, sign: float) -> float:
    """`magnitude` with the sign bit of `sign`."""
    return math.copysign(magnitude, sign)


@intrinsic("math.roundeven", ("f64",), "f64")
def round_even(x: float) -> float:
    """The nearest integer as a float, halves to even; infinities, NaN and the sign of zero pass through."""
    return float(np.rint(x))


@intrinsic("math.trunc", ("f64",), "f64")
def truncate(x: float) -> float:
    """The integer part as a float; infinities, NaN and the sign of zero pass through."""
    return float(np.trunc(x))


@intrinsic("arith.divf", ("f64", "f64"), "f64")
def divide(a: float, b: float) -> float:
    """IEEE division: by zero it gives an infinity or NaN, where Python's `/` raises."""
    with np.errstate(all="ignore"):
        return float(np.float64(a) / np.float64(b))


@intrinsic("arith.bitcast", ("f64",), "i64")
def bits_of(x: float) -> int:
    """The 64 bits of a double, as an i64."""
    return struct.unpack("<q", struct.pack("<d", x))[0]


@intrinsic("arith.bitcast", ("i64",), "f64")
def from_bits(bits: int) -> float:
    """The double that has these 64 bits."""
    return struct.unpack("<d", struct.pack("<q", bits))[0]


@intrinsic("arith.sitofp", ("i64",), "f64")
def float_of(a: int) -> float:
    """The nearest double to a signed integer."""
    return float(a)


@intrinsic("arith.select", ("i1", "T", "T"), "T")
def select(condition: bool, if_true: _Value, if_false: _Value) -> _Value:
    """`if_true if condition else if_false`, with both sides evaluated: no branch, so that loops around it vectorise."""
    return if_true if condition else if_false


@intrinsic("call @log", ("f64",), "f64")
def libm_log(x: float) -> float:
    """The C library's `log`, to the bit: what NumPy's legacy normals are made with."""
    return _libm_log(x)


@intrinsic("call @log1p", ("f64",), "f64")
def libm_log1p(x: float) -> float:
    """The C library's `log1p`, to the bit: what the tail of NumPy's ziggurat is made with."""
    return _libm_log1p(x)


@intrinsic("call @exp", ("f64",), "f64")
def libm_exp(x: float) -> float:
    """The C library's `exp`, to the bit: what NumPy's log-normals are made with."""
    return _libm_exp(x)


@intrinsic("call @pow", ("f64", "f64"), "f64")
def libm_pow(x: float, y: float) -> float:
    """The C library's `pow`, to the bit: what NumPy's beta and small gamma draws are made with."""
    return _libm_pow(x, y)


@intrinsic("rng.presampled", ("i64",), "f64")
def float_at(address: int) -> float:
    """The double at an address of this process, which nobody changes."""
    return ctypes.c_double.from_address(int(address)).value


# Integers


@intrinsic("arith.addi", ("i64", "i64"), "i64")
def wrapping_add(a: int, b: int) -> int:
    """`a + b` modulo 2**64."""
    return _wrap(int(a) + int(b))


@intrinsic("arith.subi", ("i64", "i64"), "i64")
def wrapping_sub(a: int, b: int) -> int:
    """`a - b` modulo 2**64."""
    return _wrap(int(a) - int(b))


@intrinsic("arith.muli", ("i64", "i64"), "i64")
def wrapping_mul(a: int, b: int) -> int:
    """The low 64 bits of `a * b`."""
    return _wrap(int(a) * int(b))


@intrinsic("arith.mului_extended high", ("i64", "i64"), "i64")
def mul_hi_unsigned(a: int, b: int) -> int:
    """The high 64 bits of the 128-bit product of two unsigned numbers."""
    return _wrap(((int(a) & _MASK) * (int(b) & _MASK)) >> 64)


@intrinsic("arith.mului_extended low", ("i64", "i64"), "i64")
def mul_lo_unsigned(a: int, b: int) -> int:
    """The low 64 bits of that product: beside the high ones, they come from the same multiplication."""
    return _wrap(int(a) * int(b))


@intrinsic("arith.remui", ("i64", "i64"), "i64")
def remainder_unsigned(a: int, b: int) -> int:
    """`a % b` of unsigned numbers; `b` is not 0."""
    return _wrap((int(a) & _MASK) % (int(b) & _MASK))


@intrinsic("arith.shli", ("i64", "i64"), "i64")
def shift_left(a: int, count: int) -> int:
    """`a << count` modulo 2**64; `count` in [0, 63]."""
    return _wrap(int(a) << int(count))


@intrinsic("arith.shrui", ("i64", "i64"), "i64")
def shift_right_logical(a: int, count: int) -> int:
    """`a >> count`, filled with zeros from the left; `count` in [0, 63]."""
    return _wrap((int(a) & _MASK) >> int(count))


@intrinsic("arith.cmpi ult", ("i64", "i64"), "i1")
def less_unsigned(a: int, b: int) -> bool:
    """`a < b` of unsigned numbers."""
    return (int(a) & _MASK) < (int(b) & _MASK)
