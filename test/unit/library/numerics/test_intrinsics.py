"""The machine's scalar operations, against NumPy's fixed-width integers and exact rationals."""

import math
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cogir.library.numerics import intrinsics as it

words = st.integers(-(2**63), 2**63 - 1)
doubles = st.floats(allow_nan=False, allow_infinity=False, allow_subnormal=False)


def as_int64(value: np.uint64) -> int:
    return int(value.view(np.int64))


def as_uint64(value: int) -> np.uint64:
    return np.int64(value).view(np.uint64)


@given(words, words)
def test_integers_wrap_as_numpy_arrays_do(a: int, b: int) -> None:
    x, y = np.array([a]), np.array([b])
    assert it.wrapping_add(a, b) == (x + y)[0]
    assert it.wrapping_sub(a, b) == (x - y)[0]
    assert it.wrapping_mul(a, b) == (x * y)[0]
    assert it.less_unsigned(a, b) == (as_uint64(a) < as_uint64(b))
    assert it.remainder_unsigned(a, b | 1) == as_int64(as_uint64(a) % as_uint64(b | 1))


@given(words, st.integers(0, 63))
def test_shifts(a: int, count: int) -> None:
    assert it.shift_left(a, count) == as_int64(as_uint64(a) << np.uint64(count))
    assert it.shift_right_logical(a, count) == as_int64(as_uint64(a) >> np.uint64(count))


@given(words, words)
def test_halves_of_the_unsigned_product(a: int, b: int) -> None:
    high, low = as_uint64(it.mul_hi_unsigned(a, b)), as_uint64(it.mul_lo_unsigned(a, b))
    assert int(high) * 2**64 + int(low) == int(as_uint64(a)) * int(as_uint64(b))


@given(*[st.floats(-1e100, 1e100)] * 3)
def test_fma_rounds_once(a: float, b: float, c: float) -> None:
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if exact and abs(exact) > 1e-290:
        assert it.fma(a, b, c) == float(exact)


@given(doubles)
def test_bits_round_trip(x: float) -> None:
    assert math.copysign(1.0, it.from_bits(it.bits_of(x))) == math.copysign(1.0, x)
    assert it.from_bits(it.bits_of(x)) == x
    assert it.bits_of(x) == np.float64(x).view(np.int64)


def test_what_python_refuses() -> None:
    assert it.divide(1.0, 0.0) == math.inf
    assert it.divide(-1.0, 0.0) == -math.inf
    assert math.isnan(it.divide(0.0, 0.0))
    assert math.isnan(it.sqrt(-1.0))
    assert it.round_even(math.inf) == math.inf
    assert (it.round_even(2.5), it.round_even(3.5), it.truncate(-2.9)) == (2.0, 4.0, -2.0)
