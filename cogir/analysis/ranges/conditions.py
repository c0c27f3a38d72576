"""
What a condition says about the numbers that it compares, where it is known to hold or not to hold.

```mlir
%below = arith.cmpf olt, %x, %limit : f64
%y = scf.if %below -> (f64) { ... %x is below %limit here ... } else { ... and at least %limit, or NaN, here ... }
```

What is learnt of a number goes back to the numbers that it was computed from (through absolute values, sums with constants ...), and on to
those that were computed from it.
"""

from __future__ import annotations

import math as numbers
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any, cast

from xdsl.dialects import arith, math, scf
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation

from cogir.analysis.ranges import floats, integers
from cogir.analysis.ranges.floats import INFINITY, FloatRange
from cogir.analysis.ranges.integers import FALSE, TRUE, IntRange
from cogir.analysis.ranges.transfer import F64, RangeTransfer, predicate_of
from cogir.analysis.ranges.values import Elements, Number, Value, mapped

DEEP = 6
"""So many operations back, and on, what is learnt is followed."""
UNSIGNED = ("ult", "ule", "ugt", "uge")
CHOICES = (arith.SelectOp, scf.IfOp)
"""Operations whose result is one of two numbers, by a condition; a number that an `scf.if` gives has the same three operands."""


class Knowledge:
    """The facts about numbers at the place that is walked, beyond what held where they were computed."""

    def __init__(self, transfer: RangeTransfer):
        self.transfer = transfer
        self.known: dict[Number, Number] = {}

    @contextmanager
    def branch(self) -> Generator[None]:
        """A place where more is known than around it."""
        before, self.known = self.known, dict(self.known)
        try:
            yield
        finally:
            self.known = before

    @contextmanager
    def elsewhere(self) -> Generator[None]:
        """A place of which nothing is known."""
        before, self.known = self.known, {}
        try:
            yield
        finally:
            self.known = before

    # Looking up

    def value(self, value: Value) -> Value:
        """A value with what is known of its numbers."""
        if not self.known or not isinstance(value, Number | Elements):
            return value
        return mapped(value, self.number)

    def number(self, number: Number, depth: int = DEEP) -> Number:
        """A number with what is known of it, or of the numbers that it was computed from."""
        if number.many or not self.known:
            return number
        found = self.known.get(number)
        if found is not None:
            return found
        found = number
        if number.origin is not None and depth > 0:
            op, operands = number.origin
            now = [self.number(each, depth - 1) for each in operands]
            if any(new is not old for new, old in zip(now, operands, strict=True)):
                found = self.again(number, op, now)
        self.known[number] = found
        return found

    def again(self, number: Number, op: Operation, operands: list[Number]) -> Number:
        """A number computed from narrower ones; it is still what it was known to be."""
        if isinstance(op, scf.IfOp):
            condition, a, b = operands
            if not condition.integers.is_constant:
                return number
            return a if condition.integers.low == 1 else b
        made = self.transfer.number(op, operands)
        both = made.range & cast(Any, number.range)
        if both.is_empty or both == number.range:
            return number
        return Number(both, made.form or number.form, (op, tuple(operands)))

    # Learning

    def learn(self, number: Number, range: FloatRange | IntRange, depth: int = DEEP) -> bool:
        """Takes a number to lie in a range, too; False if it cannot."""
        now = self.number(number)
        both = now.range & cast(Any, range)
        if both.is_empty and not (isinstance(both, FloatRange) and both.nan):
            return False
        if both == now.range:
            return True
        if number.many:
            return True
        self.known[number] = Number(cast(Any, both), now.form)
        if number.origin is None or depth == 0:
            return True
        return self.backwards(*number.origin, both, depth - 1)

    def backwards(self, op: Operation, operands: tuple[Number, ...], range: FloatRange | IntRange, depth: int) -> bool:
        """Takes in what the range of a result says about operands; False if there are none."""
        if isinstance(op, CHOICES):
            return self.of_choice(operands, range, depth)
        if isinstance(range, IntRange):
            if op.results[0].type == integers.I1 and range.is_constant:
                return self.of_flag(op, operands, bool(range.low))
            return True
        if op.results[0].type != F64:
            return True
        return all(self.learn(operand, found, depth) for operand, found in self.inverted(op, operands, range))

    def of_choice(self, operands: tuple[Number, ...], range: FloatRange | IntRange, depth: int) -> bool:
        """A choice that can be only one of its numbers: the condition is known, too."""
        possible = [self.is_possible(self.number(each), range) for each in operands[1:]]
        if possible == [True, False]:
            return self.assume(operands[0], True) and self.learn(operands[1], range, depth)
        if possible == [False, True]:
            return self.assume(operands[0], False) and self.learn(operands[2], range, depth)
        return any(possible)

    @staticmethod
    def is_possible(number: Number, range: FloatRange | IntRange) -> bool:
        both = number.range & cast(Any, range)
        return not both.is_empty or (isinstance(both, FloatRange) and both.nan)

    def inverted(self, op: Operation, operands: tuple[Number, ...], range: FloatRange) -> Iterator[tuple[Number, FloatRange]]:
        """Operands of an operation and the ranges in which they lie, if its result lies in a range."""
        now = [self.number(each).floats for each in operands]
        match op:
            case arith.NegfOp():
                yield operands[0], floats.negated(FloatRange(range.low, range.high, range.nan, True))
            case math.AbsFOp():
                low, high = (range.low, range.high) if now[0].low >= 0.0 else (-range.high, range.high)
                if now[0].high <= 0.0 and range.low <= range.high:
                    low, high = -range.high, -range.low
                yield operands[0], FloatRange(low, high, range.nan, True)
            case arith.AddfOp() | arith.SubfOp() if not range.nan and operands[0] is not operands[1]:
                other = floats.negated(now[1]) if isinstance(op, arith.AddfOp) else now[1]
                yield operands[0], sum_before(range, other)
                if isinstance(op, arith.AddfOp):
                    yield operands[1], sum_before(range, floats.negated(now[0]))
                else:
                    yield operands[1], sum_before(floats.negated(range), now[0])
            case arith.MulfOp() if is_factor(now[1]):
                yield operands[0], product_before(range, now[1].low)
            case arith.MulfOp() if is_factor(now[0]):
                yield operands[1], product_before(range, now[0].low)
            case arith.MaximumfOp() if not range.nan:
                for each in operands:
                    yield each, FloatRange(-INFINITY, range.high, range.nan, True)
            case arith.MinimumfOp() if not range.nan:
                for each in operands:
                    yield each, FloatRange(range.low, INFINITY, range.nan, True)
            case _:
                return

    # Conditions

    def assume(self, condition: Number, holds: bool) -> bool:
        """Takes a condition to hold, or not to hold; False if it cannot."""
        now = self.number(condition).integers
        if now.is_constant:
            if now.low != int(holds):
                return False
            if self.number(condition) is not condition:
                return True
        self.known[condition] = Number(TRUE if holds else FALSE)
        return condition.origin is None or self.of_flag(*condition.origin, holds)

    def of_flag(self, op: Operation, operands: tuple[Number, ...], holds: bool) -> bool:
        """Takes in what the truth value of an operation says about its operands; False if it cannot have it."""
        match op:
            case arith.CmpfOp():
                return self.of_comparison(op, operands, holds)
            case arith.CmpiOp():
                return self.of_integers(op, operands, holds)
            case arith.AndIOp() | arith.OrIOp():
                decisive = isinstance(op, arith.AndIOp) == holds
                if decisive:
                    return all(self.assume(each, holds) for each in operands)
                return self.of_other(operands, not holds, holds)
            case arith.XOrIOp():
                return self.of_difference(operands, holds)
            case arith.SelectOp() | scf.IfOp():
                return self.of_choice(operands, TRUE if holds else FALSE, DEEP)
            case _:
                return True

    def of_other(self, operands: tuple[Number, ...], known: bool, holds: bool) -> bool:
        """Of two flags, one of which has the value that says nothing, the other decides."""
        for one, other in (operands, operands[::-1]):
            now = self.number(one).integers
            if now.is_constant and now.low == int(known):
                return self.assume(other, holds)
        return True

    def of_difference(self, operands: tuple[Number, ...], holds: bool) -> bool:
        """x xor y, where one is known"""
        for one, other in (operands, operands[::-1]):
            now = self.number(one).integers
            if now.is_constant:
                return self.assume(other, holds != bool(now.low))
        return True

    def of_comparison(self, op: arith.CmpfOp, operands: tuple[Number, ...], holds: bool) -> bool:
        x, y = operands
        relations = floats.RELATIONS[predicate_of(op)]
        left, right = self.number(x), self.number(y)
        possible = self.transfer.relations(left, right) & (relations if holds else ~relations)
        if not possible:
            return False
        if x is y:
            return True
        below, above = floats.narrowed(left.floats, right.floats, possible), floats.narrowed(right.floats, left.floats, mirrored(possible))
        return self.learn(x, below) and self.learn(y, above)

    def of_integers(self, op: arith.CmpiOp, operands: tuple[Number, ...], holds: bool) -> bool:
        predicate = arith.CMPI_COMPARISON_OPERATIONS[cast("IntegerAttr[Any]", op.predicate).value.data]
        x, y = operands
        left, right = self.number(x).integers, self.number(y).integers
        if integers.width_of(op.lhs.type) == 1 or (predicate in UNSIGNED and (left.low < 0 or right.low < 0)):
            return True
        relations = integers.RELATIONS[predicate]
        possible = integers.relations(left, right) & (relations if holds else ~relations)
        if not possible:
            return False
        if x is y:
            return True
        below, above = integers.narrowed(left, right, possible), integers.narrowed(right, left, mirrored(possible))
        return self.learn(x, below) and self.learn(y, above)


def mirrored(relations: int) -> int:
    """The relations of y to x, from those of x to y."""
    found = relations & ~(floats.LESS | floats.GREATER)
    if relations & floats.LESS:
        found |= floats.GREATER
    if relations & floats.GREATER:
        found |= floats.LESS
    return found


def _beyond(x: float, direction: float) -> float:
    """The next number in a direction: what rounds to `x` lies before it."""
    return numbers.nextafter(x, direction)


def sum_before(total: FloatRange, other: FloatRange) -> FloatRange:
    """The numbers x for which x + (-other), rounded, lies in a range of numbers: `other` is the negated second term."""
    low = _beyond(_beyond(total.low, -INFINITY) + other.low, -INFINITY)
    high = _beyond(_beyond(total.high, INFINITY) + other.high, INFINITY)
    low, high = low if low == low else -INFINITY, high if high == high else INFINITY
    return FloatRange(low, high, False, True)


def is_factor(x: FloatRange) -> bool:
    """True for one number that is finite and not zero."""
    return x.is_constant and x.low != 0.0 and not x.unbounded


def product_before(product: FloatRange, factor: float) -> FloatRange:
    """The numbers x for which x * factor, rounded, lies in a range."""
    low, high = _beyond(product.low, -INFINITY), _beyond(product.high, INFINITY)
    ends = [each / factor for each in (low, high)]
    if any(each != each for each in ends):
        return floats.ANYTHING
    return FloatRange(_beyond(min(ends), -INFINITY), _beyond(max(ends), INFINITY), product.nan, True)
