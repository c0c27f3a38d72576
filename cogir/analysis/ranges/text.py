"""
Ranges in words, as attributes and results print them: `[0.0, 1.0]`, `[0.0, inf] or NaN`, `[-1.0, 1.0] with -0.0`.
"""

from __future__ import annotations

from xdsl.ir import Attribute

from cogir.analysis.ranges.floats import FloatRange
from cogir.analysis.ranges.values import Range, anything_of


def text_of(range: Range) -> str:
    """A range in words; -0.0 is named where it is among numbers that are not negative, or not where numbers of both signs are."""
    if not isinstance(range, FloatRange):
        return str(range.low) if range.is_constant else f"[{range.low}, {range.high}]"
    if range.is_empty:
        return "NaN"
    numbers = f"{range.low!r}" if range.low == range.high else f"[{range.low!r}, {range.high!r}]"
    expected = range.low < 0.0 <= range.high
    zero = "" if range.negative_zero == expected else " with -0.0" if range.negative_zero else " without -0.0"
    return f"{numbers}{zero}{' or NaN' if range.nan else ''}"


def says_something(range: Range, element: Attribute) -> bool:
    """True if a range has not all values of its type."""
    return range != anything_of(element)
