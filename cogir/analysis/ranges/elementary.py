"""
Ranges of elementary functions: exp, log, tanh, sin, pow ...

```mlir
%p = math.exp %x : f64       // %x in [0, 1]: 1.0 and 2.718281828459045, each with two units in the last place more
%q = math.tanh %x : f64      // never beyond [-1, 1]
```

No function that is computed is taken to be monotonic. Mathematics' function is, between points that are known, and the computed numbers
err by less than one unit in the last place (`docs/numbers.md` has the measured errors). So with a computed number at an end, the exact one
lies within one unit, and all computed ones between the ends within another. Errors of less than a unit never lead to a number beyond an
exact bound that is a float, such as 1 for tanh, nor beyond zero.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

from cogir.analysis.ranges.floats import (
    ANYTHING,
    INFINITY,
    LARGEST,
    NOTHING_BUT_NAN,
    FloatRange,
    absolute,
    negated,
)
from cogir.library.numerics.math import FUNCTIONS

PORTABLE_ULPS = 1
"""Bound on the error of cogir's own functions, in units in the last place; 0.84 is the largest that was measured."""
LIBM_ULPS = 8
"""The same for the C library's functions: glibc's manual lists at most 5 for these."""
PI = 3.141592653589793
HALF_PI = PI / 2.0
WIDEST = 1e8
"""Arguments of sin, cos and tan beyond this can be anywhere in their periods."""

Unary = Callable[[FloatRange, int], FloatRange]


@lru_cache(maxsize=1 << 16)
def value_of(name: str, *arguments: float) -> float:
    """The portable function's number."""
    return FUNCTIONS[name](*arguments)


def lowered(value: float, ulps: int) -> float:
    """A number below, by as many units in the last place and rounding."""
    if value == INFINITY:
        return LARGEST
    if value == -INFINITY:
        return value
    return math.nextafter(value - ulps * math.ulp(value), -INFINITY)


def raised(value: float, ulps: int) -> float:
    """A number above, by as many units in the last place and rounding."""
    return -lowered(-value, ulps)


def widened(low: float, high: float, ulps: int, least: float, greatest: float) -> tuple[float, float]:
    """The ends moved outwards by an error at the ends and one between them, but not beyond exact bounds."""
    return max(least, lowered(low, 2 * ulps)), min(greatest, raised(high, 2 * ulps))


def increasing(
    name: str,
    domain: tuple[float, float] = (-INFINITY, INFINITY),
    values: tuple[float, float] = (-INFINITY, INFINITY),
    zero: float | None = None,
    keeps_sign: bool = False,
) -> Unary:
    """
    The range of a function that increases on its domain, and is NaN elsewhere.

    `values`: exact bounds that are floats; `zero`: where it is zero; `keeps_sign`: of -0.0 it is -0.0, and so are tiny negative results.
    """
    first, last = domain
    least, greatest = values

    def of_range(x: FloatRange, ulps: int) -> FloatRange:
        low, high = max(x.low, first), min(x.high, last)
        if low > high:
            return NOTHING_BUT_NAN
        lowest = 0.0 if zero is not None and low >= zero else least
        highest = 0.0 if zero is not None and high <= zero else greatest
        low_value, high_value = widened(value_of(name, low), value_of(name, high), ulps, lowest, highest)
        nan = x.nan or x.low < first or x.high > last
        negative_zero = keeps_sign and low_value <= 0.0 <= high_value and (x.negative_zero or x.low < 0.0)
        return FloatRange(low_value, high_value, nan, negative_zero)

    return of_range


def decreasing_acos(x: FloatRange, ulps: int) -> FloatRange:
    """acos, from pi down to 0 on [-1, 1]"""
    low, high = max(x.low, -1.0), min(x.high, 1.0)
    if low > high:
        return NOTHING_BUT_NAN
    low_value, high_value = widened(value_of("acos", high), value_of("acos", low), ulps, 0.0, math.nextafter(PI, 4.0))
    return FloatRange(low_value, high_value, x.nan or x.low < -1.0 or x.high > 1.0, False)


def even_cosh(x: FloatRange, ulps: int) -> FloatRange:
    """cosh, which increases from 1 with the magnitude"""
    size = absolute(x)
    if size.is_empty:
        return NOTHING_BUT_NAN
    low_value, high_value = widened(value_of("cosh", size.low), value_of("cosh", size.high), ulps, 1.0, INFINITY)
    return FloatRange(low_value, high_value, x.nan, False)


def _whole_between(low: float, high: float) -> range:
    """The whole numbers between two numbers, with those that rounding could bring in."""
    return range(math.ceil(low - 1e-6), math.floor(high + 1e-6) + 1)


def _wave(name: str, phase: float) -> Unary:
    """sin (phase 0.25) or cos (phase 0): 1 at whole numbers of turns after the phase, -1 half a turn later"""

    def of_range(x: FloatRange, ulps: int) -> FloatRange:
        if x.low > x.high or (abs(x.low) == abs(x.high) == INFINITY and x.low == x.high):
            return NOTHING_BUT_NAN
        nan = x.nan or x.unbounded
        if max(abs(x.low), abs(x.high)) > WIDEST or x.high - x.low > 2.0 * PI:
            return FloatRange(-1.0, 1.0, nan, True)
        low, high = x.low / (2.0 * PI) - phase, x.high / (2.0 * PI) - phase
        ends = value_of(name, x.low), value_of(name, x.high)
        low_value, high_value = widened(min(ends), max(ends), ulps, -1.0, 1.0)
        if _whole_between(low, high):
            high_value = 1.0
        if _whole_between(low - 0.5, high - 0.5):
            low_value = -1.0
        return FloatRange(low_value, high_value, nan, low_value <= 0.0 <= high_value)

    return of_range


def tangent(x: FloatRange, ulps: int) -> FloatRange:
    """tan, which increases between its poles"""
    if x.low > x.high or (x.low == x.high and x.unbounded):
        return NOTHING_BUT_NAN
    nan = x.nan or x.unbounded
    is_far = max(abs(x.low), abs(x.high)) > WIDEST or x.high - x.low > PI
    if is_far or _whole_between(x.low / PI - 0.5, x.high / PI - 0.5):
        return FloatRange(-INFINITY, INFINITY, nan, True)
    low_value, high_value = widened(value_of("tan", x.low), value_of("tan", x.high), ulps, -INFINITY, INFINITY)
    return FloatRange(low_value, high_value, nan, low_value <= 0.0 <= high_value)


def power(x: FloatRange, y: FloatRange, ulps: int) -> FloatRange:
    """
    pow(x, y). From positive numbers it is monotonic in each of both, so that its extremes are at corners; from negative ones it is a number
    for whole `y` only. pow(1, NaN) and pow(NaN, 0) are 1.
    """
    if y.low == y.high == 0.0 and not y.nan:
        return FloatRange(1.0, 1.0, False, False)
    found = FloatRange(INFINITY, -INFINITY, False, False)
    nan = (x.nan and not y.low == y.high == 0.0) or (y.nan and not (x.low == x.high == 1.0 and not x.nan))
    if (x.nan and y.zero) or (y.nan and x.low <= 1.0 <= x.high):
        found |= FloatRange(1.0, 1.0, False, False)
    if x.is_empty or y.is_empty:
        return FloatRange(found.low, found.high, nan, found.negative_zero)
    if x.high >= 0.0:
        found |= _power_of_positive(max(x.low, 0.0), x.high, y, ulps)
    if x.low < 0.0 or x.negative_zero:
        size = absolute(FloatRange(x.low, min(x.high, 0.0), False, False))
        positive = _power_of_positive(size.low, size.high, y, ulps)
        is_whole = y.low == y.high and y.low.is_integer()
        is_odd = is_whole and abs(y.low) < 2.0**53 and y.low % 2.0 == 1.0
        if not is_odd:
            found |= positive
        if is_odd or not is_whole:
            found |= negated(positive)
        nan = nan or (not is_whole and x.low < 0.0)
    return FloatRange(found.low, found.high, nan, found.negative_zero and found.zero)


def _power_of_positive(first: float, last: float, y: FloatRange, ulps: int) -> FloatRange:
    """pow of the numbers between two that are not negative"""
    corners = [value_of("pow", base, exponent) for base in (first, last) for exponent in (y.low, y.high)]
    if y.zero:
        corners.append(1.0)
    if first <= 1.0 <= last:
        corners.append(1.0)
    low, high = widened(min(corners), max(corners), ulps, 0.0, INFINITY)
    # 1 is an exact bound where base and exponent are on known sides of 1 and 0
    if (first >= 1.0 and y.low >= 0.0) or (last <= 1.0 and y.high <= 0.0):
        low = max(low, 1.0)
    if (last <= 1.0 and y.low >= 0.0) or (first >= 1.0 and y.high <= 0.0):
        high = min(high, 1.0)
    return FloatRange(low, high, False, False)


def angle(y: FloatRange, x: FloatRange, ulps: int) -> FloatRange:
    """atan2(y, x): its extremes are at corners, unless the origin or the jump behind it lies between"""
    if y.is_empty or x.is_empty:
        return NOTHING_BUT_NAN
    nan = y.nan or x.nan
    least, greatest = -math.nextafter(PI, 4.0), math.nextafter(PI, 4.0)
    if y.low >= 0.0 and not y.negative_zero:
        least = 0.0
    if y.high < 0.0:
        greatest = 0.0
    if not (x.low > 0.0 or y.low > 0.0 or y.high < 0.0):
        return FloatRange(least, greatest, nan, y.low < 0.0 or y.negative_zero)
    corners = [value_of("atan2", a, b) for a in (y.low, y.high) for b in (x.low, x.high)]
    low, high = widened(min(corners), max(corners), ulps, least, greatest)
    return FloatRange(low, high, nan, low <= 0.0 <= high and (y.low < 0.0 or y.negative_zero))


UNARY: dict[str, Unary] = {
    "acos": decreasing_acos,
    "acosh": increasing("acosh", (1.0, INFINITY), zero=1.0),
    "asin": increasing("asin", (-1.0, 1.0), zero=0.0, keeps_sign=True),
    "asinh": increasing("asinh", zero=0.0, keeps_sign=True),
    "atan": increasing("atan", zero=0.0, keeps_sign=True),
    "atanh": increasing("atanh", (-1.0, 1.0), zero=0.0, keeps_sign=True),
    "cbrt": increasing("cbrt", zero=0.0, keeps_sign=True),
    "cos": _wave("cos", 0.0),
    "cosh": even_cosh,
    "erf": increasing("erf", values=(-1.0, 1.0), zero=0.0, keeps_sign=True),
    "exp": increasing("exp", values=(0.0, INFINITY)),
    "exp2": increasing("exp2", values=(0.0, INFINITY)),
    "expm1": increasing("expm1", values=(-1.0, INFINITY), zero=0.0, keeps_sign=True),
    "log": increasing("log", (0.0, INFINITY), zero=1.0),
    "log10": increasing("log10", (0.0, INFINITY), zero=1.0),
    "log1p": increasing("log1p", (-1.0, INFINITY), zero=0.0, keeps_sign=True),
    "log2": increasing("log2", (0.0, INFINITY), zero=1.0),
    "sin": _wave("sin", 0.25),
    "sinh": increasing("sinh", zero=0.0, keeps_sign=True),
    "tan": tangent,
    "tanh": increasing("tanh", values=(-1.0, 1.0), zero=0.0, keeps_sign=True),
}
BINARY: dict[str, Callable[[FloatRange, FloatRange, int], FloatRange]] = {"pow": power, "atan2": angle}


def of_function(name: str, arguments: list[FloatRange], ulps: int = PORTABLE_ULPS) -> FloatRange:
    """The range of a function of floats by its name in C; anything if the function is not known."""
    if name in UNARY:
        x = arguments[0]
        return NOTHING_BUT_NAN if x.is_empty else UNARY[name](x, ulps)
    if name in BINARY:
        return BINARY[name](arguments[0], arguments[1], ulps)
    return ANYTHING


__all__ = ["BINARY", "LIBM_ULPS", "PORTABLE_ULPS", "UNARY", "of_function", "value_of"]
