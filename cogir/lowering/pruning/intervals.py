"""
Ranges of values, and the arithmetic that computes with them at run time.

The range of an f64 is its least and greatest number and whether it can be NaN; an integer has two ends; of a flag it is known whether it is
certainly set, and whether it can be. The ends say nothing of NaN: where a value is always NaN they are any numbers, and where an end is not
known it is infinite.

Rounding to nearest never changes the order of two numbers, so the rounded sum of two ends is the end of all rounded sums: what the model
computes lies between them, and nothing has to be rounded outward. Zeros of both signs are equal here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects import arith, math
from xdsl.ir import Operation, SSAValue

from cogir.lowering.machine.emitter import BlockEmitter

INFINITY = float("inf")
RELATIVE, ABSOLUTE = 2.0**-44, 2.0**-1000
"""
The widening of what an elementary function gives at the ends of a range: more than a hundred units in the last place, where its error
is less than one (`docs/numbers.md`). So functions need not be monotone to the bit.
"""


@dataclass(frozen=True)
class Reals:
    """The range of an f64."""

    low: SSAValue
    high: SSAValue
    nan: SSAValue


@dataclass(frozen=True)
class Integers:
    """The range of an integer or an index."""

    low: SSAValue
    high: SSAValue


@dataclass(frozen=True)
class Truth:
    """The range of a flag."""

    certain: SSAValue
    possible: SSAValue


Range: TypeAlias = Reals | Integers | Truth


class RangeArithmetic:
    """Writes arithmetic on ranges, each operation on the same numbers once."""

    def __init__(self, emitter: BlockEmitter):
        self.emitter = emitter
        self.made: dict[tuple[object, ...], SSAValue] = {}
        """The results of operations in the emitter's block."""

    def inside(self, emitter: BlockEmitter) -> RangeArithmetic:
        """RangeArithmetic in a block in this one."""
        inner = RangeArithmetic(emitter)
        inner.made = dict(self.made)
        return inner

    def once(self, make: Callable[..., Operation], *given: object) -> SSAValue:
        """The result of an operation, which is made if it has not been."""
        key = (make, *given)
        if key not in self.made:
            self.made[key] = self.emitter.value(make(*given))
        return self.made[key]

    def number(self, value: float) -> SSAValue:
        """A constant."""
        return self.emitter.number(value)

    def add(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.once(arith.AddfOp, a, b)

    def subtract(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.once(arith.SubfOp, a, b)

    def multiply(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.once(arith.MulfOp, a, b)

    def divide(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.once(arith.DivfOp, a, b)

    def negate(self, a: SSAValue) -> SSAValue:
        return self.once(arith.NegfOp, a)

    def magnitude(self, a: SSAValue) -> SSAValue:
        return self.once(math.AbsFOp, a)

    def root(self, a: SSAValue) -> SSAValue:
        return self.once(math.SqrtOp, a)

    def compare(self, a: SSAValue, relation: str, b: SSAValue) -> SSAValue:
        return self.once(arith.CmpfOp, a, b, relation)

    def choose(self, condition: SSAValue, a: SSAValue, b: SSAValue) -> SSAValue:
        if a is b or self.emitter.is_true(condition) or self.emitter.is_false(condition):
            return self.emitter.choose(condition, a, b)
        return self.once(arith.SelectOp, condition, a, b)

    def less(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """The lesser of two numbers; b if one is NaN."""
        return a if a is b else self.choose(self.compare(a, "olt", b), a, b)

    def greater(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """The greater of two numbers; b if one is NaN."""
        return a if a is b else self.choose(self.compare(a, "ogt", b), a, b)

    def is_nan(self, a: SSAValue) -> SSAValue:
        return self.compare(a, "uno", a)

    def instead_of_nan(self, a: SSAValue, number: float) -> SSAValue:
        """A value, or a number in the place of NaN."""
        return self.choose(self.is_nan(a), self.number(number), a)

    def any(self, *flags: SSAValue) -> SSAValue:
        """True if one of some flags is set."""
        found = flags[0]
        for flag in flags[1:]:
            is_plain = found is flag or any(self.emitter.is_true(each) or self.emitter.is_false(each) for each in (found, flag))
            found = self.emitter.either(found, flag) if is_plain else self.once(arith.OrIOp, found, flag)
        return found

    def all(self, *flags: SSAValue) -> SSAValue:
        """True if all of some flags are set."""
        found = flags[0]
        for flag in flags[1:]:
            is_plain = found is flag or any(self.emitter.is_true(each) or self.emitter.is_false(each) for each in (found, flag))
            found = self.emitter.both(found, flag) if is_plain else self.once(arith.AndIOp, found, flag)
        return found

    # Ranges

    def reals(self, low: SSAValue, high: SSAValue, nan: SSAValue) -> Reals:
        """A range whose ends are unbounded where they could not be computed."""
        return Reals(self.instead_of_nan(low, -INFINITY), self.instead_of_nan(high, INFINITY), nan)

    def anything(self) -> Reals:
        """The range of a value of which nothing is known."""
        return Reals(self.number(-INFINITY), self.number(INFINITY), self.emitter.flag(True))

    def contains_zero(self, x: Reals) -> SSAValue:
        return self.all(self.compare(x.low, "ole", self.number(0.0)), self.compare(x.high, "oge", self.number(0.0)))

    def is_unbounded(self, x: Reals) -> SSAValue:
        low, high = (self.compare(end, "oeq", self.number(limit)) for end, limit in ((x.low, -INFINITY), (x.high, INFINITY)))
        return self.any(low, high)

    def opposite(self, x: Reals) -> Reals:
        """-x"""
        return Reals(self.negate(x.high), self.negate(x.low), x.nan)

    def sum(self, x: Reals, y: Reals) -> Reals:
        """x + y; infinities of two signs make NaN"""
        nan = self.any(x.nan, y.nan, self.all(self.is_unbounded(x), self.is_unbounded(y)))
        return self.reals(self.add(x.low, y.low), self.add(x.high, y.high), nan)

    def product(self, x: Reals, y: Reals) -> Reals:
        """x * y; zero times infinity makes NaN, which other products of the same ranges do not come near"""
        nan = self.any(
            x.nan,
            y.nan,
            self.all(self.contains_zero(x), self.is_unbounded(y)),
            self.all(self.contains_zero(y), self.is_unbounded(x)),
        )
        ends = [(a, b) for a in dict.fromkeys((x.low, x.high)) for b in dict.fromkeys((y.low, y.high))]
        return self.between([self.instead_of_nan(self.multiply(a, b), 0.0) for a, b in ends], nan)

    def between(self, numbers: list[SSAValue], nan: SSAValue) -> Reals:
        """The least range that holds some numbers, none of them NaN."""
        low = high = numbers[0]
        for number in numbers[1:]:
            low, high = self.less(low, number), self.greater(high, number)
        return Reals(low, high, nan)

    def square(self, x: Reals) -> Reals:
        """x * x"""
        size = self.size(x)
        return self.reals(self.multiply(size.low, size.low), self.multiply(size.high, size.high), x.nan)

    def size(self, x: Reals) -> Reals:
        """|x|"""
        low, high = self.magnitude(x.low), self.magnitude(x.high)
        least = self.choose(self.contains_zero(x), self.number(0.0), self.less(low, high))
        return self.reals(least, self.greater(low, high), x.nan)

    def quotient(self, x: Reals, y: Reals) -> Reals:
        """x / y, where y has one sign; everything where it can be zero"""
        zero = self.number(0.0)
        turned = self.compare(y.high, "olt", zero)
        has_sign = self.any(turned, self.compare(y.low, "ogt", zero))
        above = self.opposite(x)
        low, high = self.choose(turned, above.low, x.low), self.choose(turned, above.high, x.high)
        below = self.opposite(y)
        least, most = self.choose(turned, below.low, y.low), self.choose(turned, below.high, y.high)
        lowest = self.divide(low, self.choose(self.compare(low, "olt", zero), least, most))
        highest = self.divide(high, self.choose(self.compare(high, "olt", zero), most, least))
        nan = self.any(x.nan, y.nan, self.all(self.is_unbounded(x), self.is_unbounded(y)), self.emitter.negation(has_sign))
        lowest = self.choose(has_sign, lowest, self.number(-INFINITY))
        highest = self.choose(has_sign, highest, self.number(INFINITY))
        return self.reals(lowest, highest, nan)

    def hull(self, x: Reals, y: Reals) -> Reals:
        """The range of a value that is one of two."""
        return self.reals(self.less(x.low, y.low), self.greater(x.high, y.high), self.any(x.nan, y.nan))

    def common(self, x: Reals, y: Reals) -> Reals:
        """The range of a value that lies in two ranges."""
        return Reals(self.greater(x.low, y.low), self.less(x.high, y.high), self.all(x.nan, y.nan))

    def widened(self, x: Reals, relative: float = RELATIVE) -> Reals:
        """A range with ends that are further out."""

        def slack(end: SSAValue) -> SSAValue:
            return self.add(self.multiply(self.magnitude(end), self.number(relative)), self.number(ABSOLUTE))

        return self.reals(self.subtract(x.low, slack(x.low)), self.add(x.high, slack(x.high)), x.nan)

    def joined(self, x: Range, y: Range) -> Range:
        """The range of a value that is one of two, of any type."""
        match x, y:
            case Reals(), Reals():
                return self.hull(x, y)
            case Integers(), Integers():
                return Integers(self.least(x.low, y.low), self.most(x.high, y.high))
            case Truth(), Truth():
                return Truth(self.all(x.certain, y.certain), self.any(x.possible, y.possible))
            case _:
                raise AssertionError("ranges of values of one type are of one kind")

    def selected(self, condition: Truth, x: Range, y: Range) -> Range:
        """The range of a selection: of one value where the condition is decided, else of both."""
        both = self.joined(x, y)
        ends = zip(vars(x).values(), vars(y).values(), vars(both).values(), strict=True)
        return type(x)(*(self.choose(condition.certain, a, self.choose(condition.possible, c, b)) for a, b, c in ends))

    # Integers

    def least(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return a if a is b else self.choose(self.emitter.compare(a, "slt", b), a, b)

    def most(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return a if a is b else self.choose(self.emitter.compare(a, "sgt", b), a, b)
