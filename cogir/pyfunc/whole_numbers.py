"""
Python's comparisons and quotients of ints, which are exact, where floats are not: above 2**53.

NumPy's functions, and operators on its arrays, bring ints to floats first, as NumPy does; so does cogir there. The functions at the end are
written in the Python subset, and compiled like any other.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from xdsl.dialects import arith
from xdsl.dialects.linalg import ops as linalg

from cogir.library.numerics.intrinsics import bits_of, divide, float_of, from_bits, shift_left
from cogir.pyfunc.bounds import bounds_of
from cogir.pyfunc.elementwise import convert, has_other_width, node_of, reduce, scalar_of, select
from cogir.pyfunc.values import Const, Scalar, Value, is_static, kind_of, shape_of_value, weak_together

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.ir import SSAValue

    from cogir.pyfunc.emitter import Emitter

EXACT = 2**53
"""Ints up to this one are floats exactly."""
LEAST = -(2**63)

_HOLDS = {
    "equal": ("eq", 0),
    "not_equal": ("ne", 0),
    "less": ("slt", 0),
    "less_equal": ("sle", 0),
    "greater": ("eq", 1),
    "greater_equal": ("ult", 2),
}
"""The order of two numbers as a comparison asks for it: -1, 0, 1, or 2 for NaN."""
_MIRRORED = {"less": "greater", "less_equal": "greater_equal", "greater": "less", "greater_equal": "less_equal"}


def compared(e: Emitter, name: str, left: Value, right: Value) -> Value | None:
    """A comparison of an int with a float of which floats alone could give another answer; None for all others."""
    if any(isinstance(value, Const) and has_other_width(value) for value in (left, right)):
        return None
    if kind_of(left) == "f64" and kind_of(right) == "i64":
        return compared(e, _MIRRORED.get(name, name), right, left)
    if not (kind_of(left) == "i64" and kind_of(right) == "f64") or _is_array(left, right) or _is_small(left):
        return None
    if isinstance(right, Const) and not EXACT <= abs(float(right.value)) < math.inf:
        return None
    (order,) = e.call(order_of, [_ssa(e, left), _ssa(e, right)])
    predicate, number = _HOLDS[name]
    return Scalar(e.compare(predicate, order, e.constant(number, "i64")), "i1")


def divided(e: Emitter, left: Value, right: Value) -> Value | None:
    """The quotient of two ints, of which floats alone could give another; None for all others."""
    if any(isinstance(value, Const) and has_other_width(value) for value in (left, right)) or (is_static(left) and is_static(right)):
        return None
    if kind_of(left) != "i64" or kind_of(right) != "i64" or _is_array(left, right) or (_is_small(left) and _is_small(right)):
        return None
    return Scalar(e.call_operator("divf", quotient_of, [_ssa(e, left), _ssa(e, right)]), "f64", weak=weak_together((left, right)))


def better(e: Emitter, name: str, best: Value, item: Value) -> Value | None:
    """Python's `max` or `min` ("greater", "less") of an int and a float, as a float; None where floats alone give the same."""
    test = compared(e, name, item, best)
    return None if test is None else select(e, test, convert(e, item, "f64"), convert(e, best, "f64"))


def first_best(e: Emitter, values: Value, name: str) -> Value:
    """
    Python's `max` or `min` ("greater", "less") of an array of floats with one axis: the first element, or a later one that is better.

    So a NaN that comes first stays, and others are passed over.
    """
    node = node_of(values)
    assert node is not None
    kind = node.kind

    def combine(e: Emitter, held: Sequence[SSAValue], element: SSAValue, _: Sequence[int]) -> Sequence[SSAValue]:
        (best,) = held
        place = e.from_index(e.add(linalg.IndexOp(0)).results[0])
        is_first = e.compare("eq", place, e.constant(0, "i64"))
        wins = e.compare("ogt" if name == "greater" else "olt", element, best)
        return [e.select(e.int_op(arith.OrIOp, is_first, wins), element, best)]

    return reduce(e, node, [0], [(0.0, kind)], combine)[0]


def _is_array(*values: Value) -> bool:
    return any(shape_of_value(value) for value in values)


def _is_small(value: Value) -> bool:
    """True if an int is a float exactly."""
    bounds = bounds_of(value)
    return bounds is not None and -EXACT <= bounds[0] and bounds[1] <= EXACT


def _ssa(e: Emitter, value: Value) -> SSAValue:
    node = node_of(value)
    assert node is not None
    return scalar_of(e, node)


def order_of(whole: int, number: float) -> int:
    """-1, 0 or 1 for an int that is less than a float, equal to it, or greater; 2 for NaN. It has no branch, so that loops vectorise."""
    nearest = float_of(whole)
    exact = int(number)
    after = 1 if whole > exact else 0
    tied = -1 if whole < exact or number >= 9223372036854775808.0 else after
    unequal = 1 if nearest > number else 2
    apart = -1 if nearest < number else unequal
    return tied if nearest == number else apart


def quotient_of(dividend: int, divisor: int) -> float:
    """`dividend / divisor`, rounded once; by zero an infinity or NaN."""
    is_exact = -EXACT <= dividend <= EXACT and -EXACT <= divisor <= EXACT
    if is_exact or dividend == 0 or divisor == 0:
        return divide(float_of(dividend), float_of(divisor))
    return long_quotient(dividend, divisor)


def long_quotient(dividend: int, divisor: int) -> float:
    """
    `dividend / divisor` of ints other than zero: at least 55 bits of the quotient, of which the last says whether anything is left.

    -2**63 has no magnitude in 64 bits; it is twice -2**62.
    """
    scale = (2.0 if dividend == LEAST else 1.0) * (0.5 if divisor == LEAST else 1.0)
    rest = abs(-(2**62) if dividend == LEAST else dividend)
    step = abs(-(2**62) if divisor == LEAST else divisor)
    # Exponents of the nearest floats may be one too large, so one is taken off: the shifted dividend stays below 2**63.
    shift = (bits_of(float_of(step)) >> 52) - (bits_of(float_of(rest)) >> 52) - 1
    shift = shift if shift > 0 else 0
    scale = scale * (1.0 if (dividend < 0) == (divisor < 0) else -1.0) * from_bits(shift_left(1023 - shift, 52))
    rest = shift_left(rest, shift)
    quotient = rest // step
    rest = rest - quotient * step
    for _ in range(58):
        goes_on = quotient < 2**55
        left = rest - (step - rest)
        fits = left >= 0
        doubled = 2 * quotient + (1 if fits else 0)
        after = left if fits else 2 * rest
        quotient, rest = (doubled if goes_on else quotient), (after if goes_on else rest)
        scale = 0.5 * scale if goes_on else scale
    return float_of(quotient | (1 if rest != 0 else 0)) * scale
