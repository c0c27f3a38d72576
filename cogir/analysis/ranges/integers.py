"""
Ranges of integers, and operations on them.

An operation whose exact result may not fit its type can wrap around: then every number of the type is possible. Numbers of i1 are 0 and 1;
operations that read them as signed (-1 and 0) go through all combinations.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, cast

from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Attribute

from cogir.interpreters.arith import INT_TESTS, divide_ceiling, divide_truncating, remainder


class IntRange(NamedTuple):
    """The least and the greatest value."""

    low: int
    high: int

    def __or__(self, other: IntRange) -> IntRange:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The range of a value that is one of two."""
        return IntRange(min(self.low, other.low), max(self.high, other.high))

    def __and__(self, other: IntRange) -> IntRange:
        """The range of a value that lies in both."""
        return IntRange(max(self.low, other.low), min(self.high, other.high))

    @property
    def is_empty(self) -> bool:
        """True if no value is possible."""
        return self.low > self.high

    @property
    def is_constant(self) -> bool:
        """True if the value is one number."""
        return self.low == self.high

    def covers(self, other: IntRange) -> bool:
        """True if all values of the other range are values of this one."""
        return other.low > other.high or (self.low <= other.low and other.high <= self.high)

    def holds(self, value: int) -> bool:
        """True if the value lies in the range."""
        return self.low <= value <= self.high


FALSE, TRUE, EITHER = IntRange(0, 0), IntRange(1, 1), IntRange(0, 1)
I1 = IntegerType(1)
MOST_SHIFTED = 128
"""Shifts by more are taken to give any number."""


def width_of(type: Attribute) -> int:
    """The number of bits of an integer type; an index has 64."""
    return 64 if isinstance(type, IndexType) else cast(IntegerType, type).width.data


def full(type: Attribute) -> IntRange:
    """All numbers of a type."""
    width = width_of(type)
    return EITHER if width == 1 else IntRange(-(1 << (width - 1)), (1 << (width - 1)) - 1)


def fitting(low: int, high: int, type: Attribute) -> IntRange:
    """The range between two numbers, or all numbers of the type if one does not fit."""
    whole = full(type)
    return IntRange(low, high) if whole.low <= low and high <= whole.high else whole


def of_flags(function: Callable[[int, int], int]) -> Callable[[IntRange, IntRange], IntRange]:
    """The range of a function of two numbers of i1, read as 0 and 1, by all combinations."""

    def of_ranges(x: IntRange, y: IntRange) -> IntRange:
        found = {function(a, b) & 1 for a in range(x.low, x.high + 1) for b in range(y.low, y.high + 1)}
        return IntRange(min(found), max(found)) if found else EITHER

    return of_ranges


Binary = Callable[[IntRange, IntRange, Attribute], IntRange]


def added(x: IntRange, y: IntRange, type: Attribute) -> IntRange:
    """x + y"""
    return fitting(x.low + y.low, x.high + y.high, type)


def subtracted(x: IntRange, y: IntRange, type: Attribute) -> IntRange:
    """x - y"""
    return fitting(x.low - y.high, x.high - y.low, type)


def multiplied(x: IntRange, y: IntRange, type: Attribute) -> IntRange:
    """x * y"""
    products = [a * b for a in x for b in y]
    return fitting(min(products), max(products), type)


def _parts(x: IntRange) -> list[int]:
    """The ends of the numbers of a range on both sides of zero: where a quotient by it has its extremes."""
    found = [x.low, x.high] + [one for one in (-1, 1) if x.low <= one <= x.high]
    return [each for each in found if each != 0]


def quotient(divide: Callable[[int, int], int]) -> Binary:
    """A division that increases with the dividend, and has no result for 0."""

    def of_ranges(x: IntRange, y: IntRange, type: Attribute) -> IntRange:
        divisors = _parts(y)
        if not divisors:
            return full(type)
        quotients = [divide(a, b) for a in x for b in divisors]
        if x.low <= 0 <= x.high:
            quotients.append(0)
        return fitting(min(quotients), max(quotients), type)

    return of_ranges


def remaining(x: IntRange, y: IntRange, type: Attribute) -> IntRange:
    """The remainder of C's division, with the sign of x"""
    if x.low == x.high and y.low == y.high and y.low != 0:
        value = remainder(x.low, y.low)
        return IntRange(value, value)
    size = max(abs(y.low), abs(y.high))
    if size == 0:
        return full(type)
    low, high = max(min(x.low, 0), 1 - size), min(max(x.high, 0), size - 1)
    if x.low >= 0 and y.low > 0 and x.high < y.low:
        return x
    return IntRange(low, high)


def of_positive(function: Binary) -> Binary:
    """An operation on unsigned numbers, where both are not negative as signed ones; else any number of the type."""

    def of_ranges(x: IntRange, y: IntRange, type: Attribute) -> IntRange:
        return function(x, y, type) if x.low >= 0 and y.low >= 0 else full(type)

    return of_ranges


def both_bits(x: IntRange, y: IntRange, type: Attribute) -> IntRange:
    """x & y: not above one that is not negative"""
    if x.low == x.high and y.low == y.high:
        value = x.low & y.low
        return IntRange(value, value)
    if x.low >= 0 and y.low >= 0:
        return IntRange(0, min(x.high, y.high))
    if x.low >= 0 or y.low >= 0:
        return IntRange(0, x.high if x.low >= 0 else y.high)
    return full(type)


def either_bits(function: Callable[[int, int], int]) -> Binary:
    """x | y and x ^ y: below the next power of two, for numbers that are not negative"""

    def of_ranges(x: IntRange, y: IntRange, type: Attribute) -> IntRange:
        if x.low == x.high and y.low == y.high:
            value = function(x.low, y.low)
            return IntRange(value, value)
        if x.low >= 0 and y.low >= 0:
            return IntRange(0, (1 << max(x.high.bit_length(), y.high.bit_length())) - 1)
        return full(type)

    return of_ranges


def least(x: IntRange, y: IntRange, type: Attribute) -> IntRange:
    """min(x, y)"""
    return IntRange(min(x.low, y.low), min(x.high, y.high))


def greatest(x: IntRange, y: IntRange, type: Attribute) -> IntRange:
    """max(x, y)"""
    return IntRange(max(x.low, y.low), max(x.high, y.high))


def shifted_left(x: IntRange, y: IntRange, type: Attribute) -> IntRange:
    """x << y"""
    if x.low < 0 or y.low < 0 or y.high >= width_of(type):
        return full(type)
    return fitting(x.low << y.low, x.high << y.high, type)


def shifted_right(x: IntRange, y: IntRange, type: Attribute) -> IntRange:
    """x >> y, of numbers whose sign is kept"""
    if y.low < 0 or y.high > MOST_SHIFTED:
        return IntRange(min(x.low, -1 if x.low < 0 else 0), max(x.high, 0))
    shifted = [a >> b for a in x for b in y]
    return IntRange(min(shifted), max(shifted))


def logically_shifted_right(x: IntRange, y: IntRange, type: Attribute) -> IntRange:
    """x >> y, of the bits of x: a shift by a known number of bits leaves few"""
    if x.low >= 0:
        return shifted_right(x, y, type)
    if 0 < y.low and y.high < width_of(type):
        return IntRange(0, (1 << (width_of(type) - y.low)) - 1)
    return full(type)


BINARY: dict[str, Binary] = {
    "arith.addi": added,
    "arith.subi": subtracted,
    "arith.muli": multiplied,
    "arith.divsi": quotient(divide_truncating),
    "arith.floordivsi": quotient(lambda a, b: a // b),
    "arith.ceildivsi": quotient(divide_ceiling),
    "arith.remsi": remaining,
    "arith.andi": both_bits,
    "arith.ori": either_bits(lambda a, b: a | b),
    "arith.xori": either_bits(lambda a, b: a ^ b),
    "arith.minsi": least,
    "arith.maxsi": greatest,
    "arith.divui": of_positive(quotient(lambda a, b: a // b)),
    "arith.ceildivui": of_positive(quotient(divide_ceiling)),
    "arith.remui": of_positive(remaining),
    "arith.minui": of_positive(least),
    "arith.maxui": of_positive(greatest),
    "arith.shli": shifted_left,
    "arith.shrsi": shifted_right,
    "arith.shrui": logically_shifted_right,
}
FLAGS: dict[str, Callable[[IntRange, IntRange], IntRange]] = {
    "arith.addi": of_flags(lambda a, b: a + b),
    "arith.subi": of_flags(lambda a, b: a - b),
    "arith.muli": of_flags(lambda a, b: a * b),
    "arith.andi": of_flags(lambda a, b: a & b),
    "arith.ori": of_flags(lambda a, b: a | b),
    "arith.xori": of_flags(lambda a, b: a ^ b),
    "arith.minui": of_flags(min),
    "arith.maxui": of_flags(max),
    "arith.minsi": of_flags(max),
    "arith.maxsi": of_flags(min),
}
"""The operations on i1; the signed minimum is the unsigned maximum, as true is -1."""


def operated(name: str, x: IntRange, y: IntRange, type: Attribute) -> IntRange:
    """The range of an operation of `arith` on two integers of a type."""
    if x.is_empty or y.is_empty:
        return full(type)
    if width_of(type) == 1:
        return FLAGS[name](x, y) if name in FLAGS else EITHER
    return BINARY[name](x, y, type) if name in BINARY else full(type)


LESS, EQUAL, GREATER = 1, 2, 4
RELATIONS: dict[str, int] = {
    "eq": EQUAL,
    "ne": LESS | GREATER,
    "slt": LESS,
    "sle": LESS | EQUAL,
    "sgt": GREATER,
    "sge": GREATER | EQUAL,
    "ult": LESS,
    "ule": LESS | EQUAL,
    "ugt": GREATER,
    "uge": GREATER | EQUAL,
}


def relations(x: IntRange, y: IntRange) -> int:
    """The relations that are possible between values of two ranges."""
    found = 0
    if x.low < y.high:
        found |= LESS
    if x.high > y.low:
        found |= GREATER
    if x.low <= y.high and y.low <= x.high:
        found |= EQUAL
    return found


def compared(predicate: str, x: IntRange, y: IntRange, type: Attribute) -> IntRange:
    """The range of a comparison."""
    if width_of(type) == 1:
        test, read = INT_TESTS[predicate]
        value_of = read(type)
        answers = {int(test(value_of(a), value_of(b))) for a in range(x.low, x.high + 1) for b in range(y.low, y.high + 1)}
        return IntRange(min(answers), max(answers)) if answers else EITHER
    if predicate.startswith("u") and (x.low < 0 or y.low < 0):
        return EITHER
    possible, wanted = relations(x, y), RELATIONS[predicate]
    if not possible:
        return EITHER
    return IntRange(int(not possible & ~wanted), int(bool(possible & wanted)))


def narrowed(x: IntRange, y: IntRange, possible: int) -> IntRange:
    """The values of `x` that can have one of these relations to some value of `y`."""
    low, high = x.low, x.high
    if not possible & GREATER:
        high = min(high, y.high if possible & EQUAL else y.high - 1)
    if not possible & LESS:
        low = max(low, y.low if possible & EQUAL else y.low + 1)
    if possible == LESS | GREATER and y.low == y.high:  # not equal: an end can go
        low, high = low + (low == y.low), high - (high == y.low)
    return IntRange(low, high)
