"""Planted unsound transfer functions: plausible mistakes, each of which makes some range too small."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from xdsl.dialects import arith
from xdsl.dialects import math as math_dialect

from cogir.analysis.ranges import conditions, elementary, floats, forms, integers, loops, transfer
from cogir.analysis.ranges.floats import INFINITY, FloatRange
from cogir.analysis.ranges.integers import IntRange

Plant = Callable[[pytest.MonkeyPatch], None]
PLANTS: dict[str, Plant] = {}


def plant(function: Plant) -> Plant:
    """Adds a plant under the name of its function."""
    PLANTS[function.__name__] = function
    return function


def changed(patch: pytest.MonkeyPatch, table: Mapping[Any, Any], key: Any, function: Any) -> None:
    """Puts a function into a table of transfer functions."""
    patch.setitem(table, key, function)  # pyright: ignore[reportArgumentType]


def without(flag: str, function: Callable[..., FloatRange]) -> Callable[..., FloatRange]:
    """A transfer function that forgets NaN, or the sign of zero."""
    return lambda *ranges: function(*ranges)._replace(**{flag: False})


@plant
def infinities_cancel(patch: pytest.MonkeyPatch) -> None:
    changed(patch, transfer.FLOAT_BINARY, arith.AddfOp, lambda x, y: floats.added(x, y)._replace(nan=x.nan or y.nan))


@plant
def negative_zeros_add_up_to_zero(patch: pytest.MonkeyPatch) -> None:
    changed(patch, transfer.FLOAT_BINARY, arith.AddfOp, without("negative_zero", floats.added))


@plant
def subtraction_of_the_same_ends(patch: pytest.MonkeyPatch) -> None:
    def subtracted(x: FloatRange, y: FloatRange) -> FloatRange:
        found = floats.subtracted(x, y)
        ends = sorted((x.low - y.low, x.high - y.high)) if x.finite and y.finite else (found.low, found.high)
        return found._replace(low=ends[0], high=ends[1])

    changed(patch, transfer.FLOAT_BINARY, arith.SubfOp, subtracted)


@plant
def zero_times_infinity(patch: pytest.MonkeyPatch) -> None:
    changed(patch, transfer.FLOAT_BINARY, arith.MulfOp, lambda x, y: floats.multiplied(x, y)._replace(nan=x.nan or y.nan))


@plant
def products_of_two_corners(patch: pytest.MonkeyPatch) -> None:
    def multiplied(x: FloatRange, y: FloatRange) -> FloatRange:
        found = floats.multiplied(x, y)
        if not (x.finite and y.finite) or x.is_empty or y.is_empty:
            return found
        low, high = sorted((x.low * y.low, x.high * y.high))
        return found._replace(low=low, high=high)

    changed(patch, transfer.FLOAT_BINARY, arith.MulfOp, multiplied)


@plant
def quotients_by_a_zero_between(patch: pytest.MonkeyPatch) -> None:
    def divided(x: FloatRange, y: FloatRange) -> FloatRange:
        found = floats.divided(x, y)
        if found.is_empty or y.low >= 0.0 or y.high <= 0.0 or y.unbounded or x.unbounded or x.is_empty:
            return found
        ends = [a / b for a in (x.low, x.high) for b in (y.low, y.high)]
        return found._replace(low=min(ends), high=max(ends))

    changed(patch, transfer.FLOAT_BINARY, arith.DivfOp, divided)


@plant
def quotients_have_no_negative_zero(patch: pytest.MonkeyPatch) -> None:
    changed(patch, transfer.FLOAT_BINARY, arith.DivfOp, without("negative_zero", floats.divided))


@plant
def maximum_ignores_nan(patch: pytest.MonkeyPatch) -> None:
    changed(patch, transfer.FLOAT_BINARY, arith.MaximumfOp, floats.greater_number)


@plant
def negation_keeps_zero_positive(patch: pytest.MonkeyPatch) -> None:
    changed(patch, transfer.FLOAT_UNARY, arith.NegfOp, without("negative_zero", floats.negated))


@plant
def roots_of_negative_numbers(patch: pytest.MonkeyPatch) -> None:
    changed(patch, transfer.FLOAT_UNARY, math_dialect.SqrtOp, without("nan", floats.root))


@plant
def ceiling_of_negative_fractions(patch: pytest.MonkeyPatch) -> None:
    changed(patch, transfer.FLOAT_UNARY, math_dialect.CeilOp, without("negative_zero", floats.rounded(math_ceil)))


def math_ceil(x: float) -> float:
    """The ceiling, of infinities, too."""
    return x if abs(x) == INFINITY else float(math.ceil(x))


@plant
def absolute_values_by_ends(patch: pytest.MonkeyPatch) -> None:
    def absolute(x: FloatRange) -> FloatRange:
        ends = sorted((abs(x.low), abs(x.high)))
        return x if x.is_empty else FloatRange(ends[0], ends[1], x.nan, False)

    changed(patch, transfer.FLOAT_UNARY, math_dialect.AbsFOp, absolute)


@plant
def elementary_functions_without_errors(patch: pytest.MonkeyPatch) -> None:
    """Only exp's overflow shows it soon: a number is the largest one, where its neighbour is infinite."""
    patch.setattr(elementary, "widened", lambda low, high, ulps, least, greatest: (max(least, low + 1e-9 * abs(low)), min(greatest, high)))


@plant
def sine_between_its_ends(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(elementary, "_whole_between", lambda low, high: range(0))


@plant
def logarithms_of_negative_numbers(patch: pytest.MonkeyPatch) -> None:
    log = elementary.UNARY["log"]
    changed(patch, elementary.UNARY, "log", lambda x, ulps: log(x, ulps)._replace(nan=x.nan))


@plant
def powers_of_negative_numbers(patch: pytest.MonkeyPatch) -> None:
    power = elementary.power
    changed(patch, elementary.BINARY, "pow", lambda x, y, ulps: power(x._replace(low=max(x.low, 0.0)), y, ulps))


@plant
def unsigned_conversion_reads_signed(patch: pytest.MonkeyPatch) -> None:
    before = transfer.from_integer
    patch.setattr(transfer, "from_integer", lambda x, width, signed: before(x, width, True))


@plant
def sums_do_not_wrap(patch: pytest.MonkeyPatch) -> None:
    changed(patch, integers.BINARY, "arith.addi", lambda x, y, type: IntRange(x.low + y.low, x.high + y.high))


@plant
def bits_of_both_are_small(patch: pytest.MonkeyPatch) -> None:
    changed(patch, integers.BINARY, "arith.xori", lambda x, y, type: IntRange(min(x.low, y.low), max(x.high, y.high)))


@plant
def unordered_is_not_greater(patch: pytest.MonkeyPatch) -> None:
    """`uge` taken for `oge`."""
    changed(patch, floats.RELATIONS, "uge", floats.GREATER | floats.EQUAL)


@plant
def conditions_exclude_nan(patch: pytest.MonkeyPatch) -> None:
    """What fails `x < y` is taken to be at least y, though it can be NaN."""
    before = conditions.floats.narrowed
    patch.setattr(conditions.floats, "narrowed", lambda x, y, possible: before(x, y, possible)._replace(nan=False))


@plant
def choices_of_the_first_number(patch: pytest.MonkeyPatch) -> None:
    """Either branch is taken to be the first where its condition is not known."""
    patch.setattr(transfer.RangeTransfer, "chosen", lambda self, op, operands: operands[1])


@plant
def loops_are_walked_once(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(loops, "covers", lambda one, other: True)


@plant
def forms_of_squares(patch: pytest.MonkeyPatch) -> None:
    """Every number is taken to have the symbol of every other: `x - y` is zero in the middle."""
    shared = iter(lambda: 7, None)
    patch.setattr(forms, "_symbols", shared)
