"""
What is known of a floating-point value whatever comes from outside: its bounds, and whether it can be NaN or -0.0.

```mlir
%p = math.exp %x : f64              // 0.0 to inf, NaN if %x is; never -0.0
%q = arith.addf %p, %one : f64      // 1.0 to inf, NaN if %x is
%r = arith.divf %one, %q : f64      // 0.0 to 1.0, NaN if %x is
%s = arith.addf %x, %zero : f64     // anything, but never -0.0
```

Rounding never changes the order of two numbers, so a bound of `a + b` is the rounded sum of the bounds. Of an array the range is that
of all its elements together. What an argument of a function or a loop holds is not known here.
"""

from __future__ import annotations

import math as numbers
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from xdsl.dialects import arith, math, tensor
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, Float64Type, FloatAttr
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue

from cogir.analysis.memory_plan import is_empty
from cogir.irutils import array_of_dense, element_type_of

INFINITY = numbers.inf


@dataclass(frozen=True)
class FloatRange:
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
    def zero(self) -> bool:
        """True if the value can be a zero."""
        return self.low <= 0.0 <= self.high

    @property
    def positive_sign(self) -> bool:
        """True if the sign bit of a number is certainly clear."""
        return self.low >= 0.0 and not self.negative_zero

    def __or__(self, other: FloatRange) -> FloatRange:
        """The range of a value that is one of two."""
        return FloatRange(
            min(self.low, other.low), max(self.high, other.high), self.nan or other.nan, self.negative_zero or other.negative_zero
        )


ANYTHING = FloatRange()
_LEAST_SIGNED, _GREATEST_UNSIGNED = -(2.0**63), 2.0**64


def exactly(number: float) -> FloatRange:
    """One number."""
    if numbers.isnan(number):
        return ANYTHING
    return FloatRange(number, number, False, number == 0.0 and numbers.copysign(1.0, number) < 0.0)


def bounds(candidates: list[float], nan: bool, negative_zero: bool) -> FloatRange:
    """The range between the least and the greatest of some numbers; unbounded if one of them is unknown."""
    if any(map(numbers.isnan, candidates)):
        return FloatRange(nan=nan, negative_zero=negative_zero)
    return FloatRange(min(candidates), max(candidates), nan, negative_zero)


def negated(x: FloatRange) -> FloatRange:
    """-x"""
    return FloatRange(-x.high, -x.low, x.nan, x.zero)


def added(x: FloatRange, y: FloatRange) -> FloatRange:
    """x + y; infinities of two signs make NaN; only two -0.0 make -0.0, as a sum that is not exactly zero is never rounded to it"""
    opposite = (x.high == INFINITY and y.low == -INFINITY) or (x.low == -INFINITY and y.high == INFINITY)
    return bounds([x.low + y.low, x.high + y.high], x.nan or y.nan or opposite, x.negative_zero and y.negative_zero)


def multiplied(x: FloatRange, y: FloatRange) -> FloatRange:
    """x * y; zero times infinity makes NaN; the sign is known only where those of both are"""
    mixed = (x.zero and y.unbounded) or (y.zero and x.unbounded)
    candidates = [a * b for a in (x.low, x.high) for b in (y.low, y.high)]
    candidates = [0.0 if numbers.isnan(each) else each for each in candidates]  # an infinite bound that is not reached, times 0
    same_sign = (x.positive_sign and y.positive_sign) or (x.high < 0.0 and y.high < 0.0)
    return bounds(candidates, x.nan or y.nan or mixed, not same_sign)


def divided(x: FloatRange, y: FloatRange) -> FloatRange:
    """x / y, where the sign of y is known and y is not zero"""
    if not (y.low > 0.0 or y.high < 0.0):
        return ANYTHING
    candidates = [a / b for a in (x.low, x.high) for b in (y.low, y.high)]
    candidates = [0.0 if numbers.isnan(each) else each for each in candidates]
    nan = x.nan or y.nan or (x.unbounded and y.unbounded)
    return bounds(candidates, nan, not (x.positive_sign and y.low > 0.0))


def greater(x: FloatRange, y: FloatRange) -> FloatRange:
    """The greater of two; NaN if one of them is; -0.0 is less than 0.0"""
    return FloatRange(max(x.low, y.low), max(x.high, y.high), x.nan or y.nan, x.negative_zero or y.negative_zero)


def less(x: FloatRange, y: FloatRange) -> FloatRange:
    """The lesser of two."""
    return FloatRange(min(x.low, y.low), min(x.high, y.high), x.nan or y.nan, x.negative_zero or y.negative_zero)


def root(x: FloatRange) -> FloatRange:
    """The square root; NaN below zero, and of -0.0 it is -0.0"""
    low = numbers.sqrt(x.low) if 0.0 <= x.low < INFINITY else 0.0
    high = numbers.sqrt(x.high) if 0.0 <= x.high < INFINITY else INFINITY
    return FloatRange(low, high, x.nan or x.low < 0.0, x.negative_zero)


def absolute(x: FloatRange) -> FloatRange:
    """|x|"""
    low = 0.0 if x.zero else min(abs(x.low), abs(x.high))
    return FloatRange(low, max(abs(x.low), abs(x.high)), x.nan, False)


BINARY: dict[type[Operation], Callable[[FloatRange, FloatRange], FloatRange]] = {
    arith.AddfOp: added,
    arith.SubfOp: lambda x, y: added(x, negated(y)),
    arith.MulfOp: multiplied,
    arith.DivfOp: divided,
    arith.MaximumfOp: greater,
    arith.MinimumfOp: less,
}
UNARY: dict[type[Operation], Callable[[FloatRange], FloatRange]] = {
    arith.NegfOp: negated,
    math.SqrtOp: root,
    math.AbsFOp: absolute,
    math.ExpOp: lambda x: FloatRange(0.0, INFINITY, x.nan, False),
}
SAME = (tensor.ExtractOp, tensor.ExtractSliceOp, tensor.ExpandShapeOp, tensor.CollapseShapeOp, tensor.CastOp, tensor.SplatOp)
"""Operations whose result has elements of their first operand."""
JOINED = (tensor.InsertOp, tensor.InsertSliceOp, tensor.FromElementsOp)
"""Operations whose result has elements of their operands."""
DEEP = 64
"""Most operations that are followed back."""


class Ranges:
    """The ranges of values; those that were asked for are remembered, so ask again only about what has not changed."""

    def __init__(self) -> None:
        self.known: dict[SSAValue, FloatRange] = {}

    def of(self, value: SSAValue, depth: int = DEEP) -> FloatRange:
        """The range of a value of type f64, or of the elements of an array of these."""
        found = self.known.get(value)
        if found is None:
            is_f64 = isinstance(element_type_of(value.type), Float64Type)
            found = self.known[value] = self.find(value, depth - 1) if depth > 0 and is_f64 else ANYTHING
        return found

    def find(self, value: SSAValue, depth: int) -> FloatRange:
        if isinstance(value, BlockArgument):
            return self.of_element(value, depth)
        op = cast(OpResult, value).op
        kind = type(op)
        if kind in BINARY and not is_array(value):
            if kind is arith.MulfOp and op.operands[0] is op.operands[1]:
                factor = absolute(self.of(op.operands[0], depth))
                return multiplied(factor, factor)
            return BINARY[kind](*(self.of(operand, depth) for operand in op.operands))
        if kind in UNARY and not is_array(value):
            return UNARY[kind](self.of(op.operands[0], depth))
        match op:
            case arith.ConstantOp():
                return of_constant(op.value)
            case arith.SelectOp():
                return self.of(op.lhs, depth) | self.of(op.rhs, depth)
            case arith.SIToFPOp():
                return FloatRange(_LEAST_SIGNED, -_LEAST_SIGNED, False, False)
            case arith.UIToFPOp():
                return FloatRange(0.0, _GREATEST_UNSIGNED, False, False)
            case _ if isinstance(op, SAME):
                return self.of(op.operands[0], depth)
            case _ if isinstance(op, JOINED):
                ranges = [self.of(operand, depth) for operand in op.operands if isinstance(element_type_of(operand.type), Float64Type)]
                joined = ranges[0]
                for each in ranges[1:]:
                    joined |= each
                return joined
            case GenericOp():
                return self.of_elements(op, cast(OpResult, value).index, depth)
            case _:
                return ANYTHING

    def of_element(self, argument: BlockArgument, depth: int) -> FloatRange:
        """An element of what a `linalg.generic` takes, in its body."""
        op = argument.block.parent_op()
        if isinstance(op, GenericOp) and argument.index < len(op.inputs):
            return self.of(op.inputs[argument.index], depth)
        return ANYTHING

    def of_elements(self, op: GenericOp, number: int, depth: int) -> FloatRange:
        """
        The elements of what a `linalg.generic` makes. A sum that does not begin with -0.0 never is -0.0, if adding a term to such a
        sum does not make it so.
        """
        yielded = cast(Operation, op.body.block.last_op).operands[number]
        total = op.body.block.args[len(op.inputs) + number]
        if not total.uses and is_empty(op.outputs[number]):
            return self.of(yielded, depth)
        begun = self.of(op.outputs[number], depth)
        if not total.uses:
            return self.of(yielded, depth) | begun
        if begun.negative_zero:
            return ANYTHING
        inside = Ranges()
        inside.known = {each: held for each, held in self.known.items() if each is not total}
        inside.known[total] = FloatRange(negative_zero=False)
        return FloatRange(negative_zero=inside.of(yielded, depth).negative_zero)


def is_array(value: SSAValue) -> bool:
    """True if a value is an array."""
    return element_type_of(value.type) is not value.type


def of_constant(constant: Attribute) -> FloatRange:
    """A number, or the elements of an array."""
    match constant:
        case FloatAttr():
            return exactly(constant.value.data)
        case DenseIntOrFPElementsAttr():
            array = array_of_dense(cast("DenseIntOrFPElementsAttr[Any]", constant))
            if not array.size or np.isnan(array).any():
                return ANYTHING
            negative_zero = bool((np.signbit(array) & (array == 0.0)).any())
            return FloatRange(array.min().item(), array.max().item(), False, negative_zero)
        case _:
            return ANYTHING
