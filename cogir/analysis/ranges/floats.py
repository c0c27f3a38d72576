"""
Ranges of floating-point numbers, closed at both ends, and the exact operations on them.

A range holds every number that an operation *computes*, not only the number that mathematics would give. NaN and the sign of zero are
tracked apart from the ends. Rounding to nearest never changes the order of two numbers, so the computed `a + b` lies between the rounded
sums of the ends: for `+ - * /`, square root, fused multiply-add and roundings the ends are computed by the operation itself, and are
reached. Where that argument does not hold (elementary functions, operations of f32 that round twice), the ends are rounded outwards.

A range without numbers, `NOTHING_BUT_NAN`, is that of a value that is always NaN.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence
from typing import NamedTuple

INFINITY = math.inf
LARGEST = 1.7976931348623157e308
LEAST = 5e-324
"""The smallest positive number."""


class FloatRange(NamedTuple):
    """The least and the greatest number that a value can be, and whether it can also be NaN, or -0.0."""

    low: float = -INFINITY
    high: float = INFINITY
    nan: bool = True
    negative_zero: bool = True

    @property
    def finite(self) -> bool:
        """True if the value is a number, and not infinite."""
        return not self.nan and not self.unbounded

    @property
    def unbounded(self) -> bool:
        """True if the value can be infinite."""
        return self.low == -INFINITY or self.high == INFINITY

    @property
    def is_empty(self) -> bool:
        """True if the value cannot be a number."""
        return self.low > self.high

    @property
    def zero(self) -> bool:
        """True if the value can be a zero."""
        return self.low <= 0.0 <= self.high

    @property
    def positive_sign(self) -> bool:
        """True if the sign bit of a number is certainly clear."""
        return self.low >= 0.0 and not self.negative_zero

    @property
    def negative_sign(self) -> bool:
        """True if the sign bit of a number is certainly set."""
        return self.high < 0.0

    @property
    def is_constant(self) -> bool:
        """True if the value is one number, whose bits are known."""
        return self.low == self.high and not self.nan and not (self.low == 0.0 and self.negative_zero)

    def __or__(self, other: FloatRange) -> FloatRange:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The range of a value that is one of two."""
        return FloatRange(
            self.low if self.low < other.low else other.low,
            self.high if self.high > other.high else other.high,
            self.nan or other.nan,
            self.negative_zero or other.negative_zero,
        )

    def __and__(self, other: FloatRange) -> FloatRange:
        """The range of a value that lies in both; ends that miss each other leave no numbers."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        nan = self.nan and other.nan
        if low > high:
            return FloatRange(INFINITY, -INFINITY, nan, False)
        return FloatRange(low, high, nan, self.negative_zero and other.negative_zero and low <= 0.0 <= high)

    def covers(self, other: FloatRange) -> bool:
        """True if all values of the other range are values of this one."""
        return (
            (other.low > other.high or (self.low <= other.low and other.high <= self.high))
            and (self.nan or not other.nan)
            and (self.negative_zero or not other.negative_zero)
        )

    def holds(self, value: float) -> bool:
        """True if the value lies in the range."""
        if value != value:
            return self.nan
        if value == 0.0 and not self.negative_zero and math.copysign(1.0, value) < 0.0:
            return False
        return self.low <= value <= self.high


ANYTHING = FloatRange()
NOTHING_BUT_NAN = FloatRange(INFINITY, -INFINITY, True, False)


def exactly(number: float) -> FloatRange:
    """One number."""
    if number != number:
        return NOTHING_BUT_NAN
    return FloatRange(number, number, False, number == 0.0 and math.copysign(1.0, number) < 0.0)


def between(low: float, high: float) -> FloatRange:
    """The numbers from one to another, with zeros of both signs where they lie between."""
    return FloatRange(low, high, False, low <= 0.0 <= high)


def bounds(candidates: Sequence[float], nan: bool, negative_zero: bool) -> FloatRange:
    """The range between the least and the greatest of some numbers; unbounded if one of them is unknown."""
    for each in candidates:
        if each != each:
            return FloatRange(-INFINITY, INFINITY, nan, negative_zero)
    low, high = min(candidates), max(candidates)
    return FloatRange(low, high, nan, negative_zero and low <= 0.0 <= high)


def outwards(x: FloatRange) -> FloatRange:
    """The range with one number more at both ends."""
    if x.low > x.high:
        return x
    return FloatRange(math.nextafter(x.low, -INFINITY), math.nextafter(x.high, INFINITY), x.nan, x.negative_zero)


def without_nan(x: FloatRange) -> FloatRange:
    """The numbers of a range."""
    return FloatRange(x.low, x.high, False, x.negative_zero)


# Arithmetic


def negated(x: FloatRange) -> FloatRange:
    """-x"""
    if x.low > x.high:
        return x
    return FloatRange(-x.high, -x.low, x.nan, x.low <= 0.0 <= x.high)


def added(x: FloatRange, y: FloatRange) -> FloatRange:
    """x + y; infinities of two signs make NaN; only two -0.0 make -0.0, as a sum that is not exactly zero is never rounded to it"""
    if x.low > x.high or y.low > y.high:
        return NOTHING_BUT_NAN
    low, high = x.low + y.low, x.high + y.high
    nan = x.nan or y.nan
    if low - low != 0.0 or high - high != 0.0:  # an end is infinite or unknown
        nan = nan or (x.high == INFINITY and y.low == -INFINITY) or (x.low == -INFINITY and y.high == INFINITY)
        low, high = low if low == low else -INFINITY, high if high == high else INFINITY
    return FloatRange(low, high, nan, x.negative_zero and y.negative_zero)


def subtracted(x: FloatRange, y: FloatRange) -> FloatRange:
    """x - y"""
    return added(x, negated(y))


def _signs_differ(x: FloatRange, y: FloatRange) -> bool:
    """True if one of two values can have the sign bit set and the other not."""
    x_clear, y_clear = x.high >= 0.0, y.high >= 0.0
    x_set, y_set = x.low < 0.0 or x.negative_zero, y.low < 0.0 or y.negative_zero
    return (x_clear and y_set) or (x_set and y_clear)


def multiplied(x: FloatRange, y: FloatRange) -> FloatRange:
    """x * y; zero times infinity makes NaN; a zero has the sign that the factors' signs give"""
    if x.low > x.high or y.low > y.high:
        return NOTHING_BUT_NAN
    a, b, c, d = x.low * y.low, x.low * y.high, x.high * y.low, x.high * y.high
    nan = x.nan or y.nan
    low, high = min(a, b, c, d), max(a, b, c, d)
    if not (low - low == 0.0 and high - high == 0.0) or a != a or b != b or c != c or d != d:
        nan = nan or (x.zero and y.unbounded) or (y.zero and x.unbounded)
        numbers = [0.0 if each != each else each for each in (a, b, c, d)]  # an infinite end times 0: the numbers before it make 0
        low, high = min(numbers), max(numbers)
    return FloatRange(low, high, nan, low <= 0.0 <= high and _signs_differ(x, y))


def squared(x: FloatRange) -> FloatRange:
    """x * x, for one value twice"""
    factor = absolute(x)
    return multiplied(factor, factor)


def _reached(x: FloatRange, divisors: tuple[float, float]) -> list[float]:
    """The quotients at the ends, for divisors of one sign that are not zero; infinity over infinity lies beyond numbers that count."""
    quotients = [a / b for a in (x.low, x.high) for b in divisors]
    return [0.0 if each != each else each for each in quotients]


def divided(x: FloatRange, y: FloatRange) -> FloatRange:
    """x / y; a zero divisor makes an infinity of the sign that both signs give, or NaN for a zero"""
    if x.low > x.high or y.low > y.high:
        return NOTHING_BUT_NAN
    nan = x.nan or y.nan or (x.unbounded and y.unbounded)
    numbers: list[float] = []
    if y.high > 0.0:
        numbers += _reached(x, (max(y.low, LEAST), y.high))
    if y.low < 0.0:
        numbers += _reached(x, (y.low, min(y.high, -LEAST)))
    if y.zero:
        nan = nan or x.zero
        either = y.negative_zero
        if x.high > 0.0:
            numbers += [INFINITY, -INFINITY] if either else [INFINITY]
        if x.low < 0.0:
            numbers += [INFINITY, -INFINITY] if either else [-INFINITY]
    if not numbers:  # 0 / 0
        return NOTHING_BUT_NAN
    return bounds(numbers, nan, _signs_differ(x, y))


def fused(exact: Callable[[float, float, float], float], x: FloatRange, y: FloatRange, z: FloatRange) -> FloatRange:
    """x * y + z, rounded once, by the function that computes it"""
    if x.low > x.high or y.low > y.high or z.low > z.high:
        return NOTHING_BUT_NAN
    if x.unbounded or y.unbounded or z.unbounded:
        found = added(outwards(multiplied(x, y)), z)
        return FloatRange(found.low, found.high, found.nan, found.zero)
    low = min(exact(a, b, z.low) for a in (x.low, x.high) for b in (y.low, y.high))
    high = max(exact(a, b, z.high) for a in (x.low, x.high) for b in (y.low, y.high))
    return FloatRange(low, high, x.nan or y.nan or z.nan, low <= 0.0 <= high)


def greater(x: FloatRange, y: FloatRange) -> FloatRange:
    """The greater of two; NaN if one of them is; -0.0 is less than 0.0"""
    if x.low > x.high or y.low > y.high:
        return NOTHING_BUT_NAN
    low, high = max(x.low, y.low), max(x.high, y.high)
    return FloatRange(low, high, x.nan or y.nan, (x.negative_zero or y.negative_zero) and low <= 0.0 <= high)


def less(x: FloatRange, y: FloatRange) -> FloatRange:
    """The lesser of two; NaN if one of them is"""
    if x.low > x.high or y.low > y.high:
        return NOTHING_BUT_NAN
    low, high = min(x.low, y.low), min(x.high, y.high)
    return FloatRange(low, high, x.nan or y.nan, (x.negative_zero or y.negative_zero) and low <= 0.0 <= high)


def greater_number(x: FloatRange, y: FloatRange) -> FloatRange:
    """The greater of two; the other one if one is NaN"""
    return _of_numbers(greater, x, y)


def lesser_number(x: FloatRange, y: FloatRange) -> FloatRange:
    """The lesser of two; the other one if one is NaN"""
    return _of_numbers(less, x, y)


def _of_numbers(choose: Callable[[FloatRange, FloatRange], FloatRange], x: FloatRange, y: FloatRange) -> FloatRange:
    found = choose(without_nan(x), without_nan(y)) if not (x.is_empty or y.is_empty) else FloatRange(INFINITY, -INFINITY, False, False)
    if x.nan:
        found |= without_nan(y)
    if y.nan:
        found |= without_nan(x)
    return FloatRange(found.low, found.high, x.nan and y.nan, found.negative_zero)


def root(x: FloatRange) -> FloatRange:
    """The square root; NaN below zero, and of -0.0 it is -0.0"""
    if x.high < 0.0 or x.low > x.high:
        return NOTHING_BUT_NAN
    low = math.sqrt(x.low) if x.low > 0.0 else 0.0
    return FloatRange(low, math.sqrt(x.high), x.nan or x.low < 0.0, x.negative_zero)


def absolute(x: FloatRange) -> FloatRange:
    """|x|"""
    if x.low > x.high:
        return x
    low = 0.0 if x.low <= 0.0 <= x.high else min(abs(x.low), abs(x.high))
    return FloatRange(low, max(abs(x.low), abs(x.high)), x.nan, False)


def with_sign(x: FloatRange, sign: FloatRange) -> FloatRange:
    """|x| with the sign bit of another value; that of NaN is not known"""
    size = absolute(x)
    if size.low > size.high:
        return x
    found = FloatRange(INFINITY, -INFINITY, False, False)
    if sign.nan or sign.high >= 0.0:
        found |= without_nan(size)
    if sign.nan or sign.low < 0.0 or sign.negative_zero:
        found |= negated(without_nan(size))
    return FloatRange(found.low, found.high, x.nan, found.negative_zero)


def rounded(function: Callable[[float], float]) -> Callable[[FloatRange], FloatRange]:
    """A function that never changes the order of two numbers, and keeps the sign: floor, ceil, trunc, round ..."""

    def of_range(x: FloatRange) -> FloatRange:
        if x.low > x.high:
            return x
        low, high = function(x.low), function(x.high)
        return FloatRange(low, high, x.nan, low <= 0.0 <= high and (x.negative_zero or x.low < 0.0))

    return of_range


# Other formats

_FLOAT32 = struct.Struct("<f")
LARGEST_F32 = 3.4028234663852886e38


def nearest_f32(x: float) -> float:
    """The f32 nearest to a number."""
    if x != x or abs(x) == INFINITY:
        return x
    try:
        return _FLOAT32.unpack(_FLOAT32.pack(x))[0]
    except OverflowError:
        return math.copysign(INFINITY, x)


def as_f32(x: FloatRange) -> FloatRange:
    """The numbers of a range, rounded to f32; what is tiny and negative becomes -0.0"""
    if x.low > x.high:
        return x
    low, high = nearest_f32(x.low), nearest_f32(x.high)
    return FloatRange(low, high, x.nan, low <= 0.0 <= high and (x.negative_zero or x.low < 0.0))


def outwards_f32(x: FloatRange) -> FloatRange:
    """The range with one number of f32 more at both ends: for operations of f32 that are not the f64 ones, rounded."""
    if x.low > x.high:
        return x

    def beyond(end: float, direction: float) -> float:
        if abs(end) == INFINITY:
            return end if (end > 0.0) == (direction > 0.0) else math.copysign(LARGEST_F32, end)
        step = max(2.0**-149, math.ldexp(1.0, math.frexp(end)[1] - 24)) if end else 2.0**-149
        return nearest_f32(end + direction * step)

    low, high = beyond(x.low, -1.0), beyond(x.high, 1.0)
    return FloatRange(low, high, x.nan, low <= 0.0 <= high)


# Comparisons

LESS, EQUAL, GREATER, UNORDERED = 1, 2, 4, 8
"""The four ways in which two floats can lie to each other; a comparison is true in some of them."""
RELATIONS: dict[str, int] = {
    "false": 0,
    "oeq": EQUAL,
    "ogt": GREATER,
    "oge": GREATER | EQUAL,
    "olt": LESS,
    "ole": LESS | EQUAL,
    "one": LESS | GREATER,
    "ord": LESS | EQUAL | GREATER,
    "ueq": EQUAL | UNORDERED,
    "ugt": GREATER | UNORDERED,
    "uge": GREATER | EQUAL | UNORDERED,
    "ult": LESS | UNORDERED,
    "ule": LESS | EQUAL | UNORDERED,
    "une": LESS | GREATER | UNORDERED,
    "uno": UNORDERED,
    "true": LESS | EQUAL | GREATER | UNORDERED,
}


def relations(x: FloatRange, y: FloatRange) -> int:
    """The relations that are possible between values of two ranges."""
    found = UNORDERED if x.nan or y.nan else 0
    if x.low > x.high or y.low > y.high:
        return found
    if x.low < y.high:
        found |= LESS
    if x.high > y.low:
        found |= GREATER
    if x.low <= y.high and y.low <= x.high:
        found |= EQUAL
    return found


def narrowed(x: FloatRange, y: FloatRange, possible: int) -> FloatRange:
    """The values of `x` that can have one of these relations to some value of `y`."""
    nan = x.nan and bool(possible & UNORDERED)
    if y.nan and possible & UNORDERED:  # whatever x is, y can be NaN
        return FloatRange(x.low, x.high, nan, x.negative_zero)
    low, high = x.low, x.high
    ordered = possible & (LESS | EQUAL | GREATER)
    if not ordered or y.low > y.high:
        return FloatRange(INFINITY, -INFINITY, nan, False)
    if not ordered & GREATER:
        high = min(high, y.high if ordered & EQUAL else math.nextafter(y.high, -INFINITY))
    if not ordered & LESS:
        low = max(low, y.low if ordered & EQUAL else math.nextafter(y.low, INFINITY))
    if low > high:
        return FloatRange(INFINITY, -INFINITY, nan, False)
    return FloatRange(low, high, nan, x.negative_zero and low <= 0.0 <= high)
