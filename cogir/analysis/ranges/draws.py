"""
Ranges of draws: the largest numbers that the algorithms of the generators can give (`library/random`), or so many standard deviations.

Uniforms are multiples of 2**-53 below 1, for every generator. The largest magnitude of a standard normal:

| generator | algorithm | bound | why |
|---|---|---|---|
| `xoshiro256` | Box and Muller: `sqrt(-2 log u) * cos(turns)` | 8.5717 | `u` is at least 2**-53, so `-2 log u` is at most 73.48 |
| `mt19937` | polar: `y * sqrt(-2 log s / s)`, `s = x*x + y*y` | 12.0075 | `y*y <= s`, and `s >= 2**-104`, as `x` is a multiple of 2**-52 |
| `philox4x64` | ziggurat: beyond its last layer `3.6542 + d` | 12.2259 | `d*d` is below `2 h`, and `h = -log1p(-u)` at most 36.74 |

An exponential number is `-log(1 - u)`, at most 53 log 2 = 36.74; the ziggurat of `philox4x64` adds that to the start of its tail, 7.70. The
others follow from these by their formulas. A count of events has no bound but its type's, if no number of standard deviations is asked for.

A state holds what its generator has put there: a second normal that it keeps lies in the same bounds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from cogir.analysis.ranges.elementary import of_function
from cogir.analysis.ranges.floats import (
    INFINITY,
    FloatRange,
    added,
    multiplied,
)
from cogir.analysis.ranges.integers import IntRange
from cogir.library.random.ziggurat import EXPONENTIAL_TAIL_START, EXPONENTIAL_WIDTHS, TAIL_START, WIDTHS

LARGEST_UNIFORM = 1.0 - 2.0**-53
MARGIN = 1.0 + 2.0**-48
"""A factor for the few roundings, and the errors of logarithms, sines and cosines, between a uniform and a draw."""
DEEPEST = 53.0 * math.log(2.0) * MARGIN
"""`-log(2**-53)`, the largest exponential number by inversion."""

_TAIL = math.sqrt(2.0 * DEEPEST)
"""The distance `d` beyond the ziggurat, as `d * d < 2 h`."""
LARGEST_NORMAL: dict[str, float] = {
    "xoshiro256": math.sqrt(2.0 * DEEPEST) * MARGIN,
    "mt19937": math.sqrt(2.0 * 104.0 * math.log(2.0)) * MARGIN,
    "philox4x64": max(TAIL_START + _TAIL, float(WIDTHS.max()) * 2.0**52) * MARGIN,
}
LARGEST_EXPONENTIAL: dict[str, float] = {
    "xoshiro256": DEEPEST,
    "mt19937": DEEPEST,
    "philox4x64": max(EXPONENTIAL_TAIL_START + DEEPEST, float(EXPONENTIAL_WIDTHS.max()) * 2.0**53) * MARGIN,
}
INT_MIN, INT_MAX = -(2**63), 2**63 - 1
WHOLE = IntRange(INT_MIN, INT_MAX)
UNIFORM = FloatRange(0.0, LARGEST_UNIFORM, False, False)


class DrawRanges:
    """The ranges of draws: the largest possible (`sigmas` is None), or within so many standard deviations of the mean."""

    def __init__(self, sigmas: float | None = None):
        self.sigmas = sigmas

    def uniform(self) -> FloatRange:
        """A number in [0, 1), whatever the number of standard deviations."""
        return UNIFORM

    def normal(self, kind: str) -> FloatRange:
        """A standard normal."""
        largest = LARGEST_NORMAL[kind] if self.sigmas is None else min(self.sigmas, LARGEST_NORMAL[kind])
        return FloatRange(-largest, largest, False, True)

    def integer(self, below: IntRange) -> IntRange:
        """A whole number from 0, below another; a bound under 1 counts as 1."""
        return IntRange(0, max(below.high - 1, 0))

    def sample(self, kind: str, distribution: str, parameters: Sequence[FloatRange | IntRange]) -> FloatRange | IntRange:
        """A draw of `rng.sample`; parameters outside of their ranges give NaN, or -1."""
        match distribution, tuple(parameters):
            case "exponential", ():
                largest = LARGEST_EXPONENTIAL[kind]
                return FloatRange(0.0, largest if self.sigmas is None else min(largest, 1.0 + self.sigmas), False, True)
            case "gamma", (FloatRange() as shape,):
                return self.gamma(kind, shape)
            case "beta", (FloatRange() as a, FloatRange() as b):
                return self.beta(a, b)
            case "lognormal", (FloatRange() as mean, FloatRange() as sigma):
                return self.lognormal(kind, mean, sigma)
            case "binomial", (IntRange() as n, FloatRange() as p):
                return self.binomial(n, p)
            case "poisson", (FloatRange() as mean,):
                return self.poisson(mean)
            case "geometric", (FloatRange() as p,):
                return self.geometric(p)
            case _:
                return FloatRange() if distribution in ("gamma", "beta", "lognormal") else WHOLE

    def spread(self, low: float, high: float, variance: float) -> tuple[float, float]:
        """Means and their standard deviations to both sides."""
        assert self.sigmas is not None
        reach = self.sigmas * math.sqrt(variance)
        return low - reach, high + reach

    def gamma(self, kind: str, shape: FloatRange) -> FloatRange:
        """
        By rejection for shapes below 1: `value <= v + y`, `v` exponential and `y = -log((1 - u) / shape)`. Above 1 it is
        `b (1 + N / sqrt(9 b))**3` with `b = shape - 1/3`.
        """
        nan = shape.nan or shape.low < 0.0 or shape.high == INFINITY
        if shape.is_empty or shape.high < 0.0:
            return FloatRange(INFINITY, -INFINITY, True, False)
        high = LARGEST_EXPONENTIAL[kind] + DEEPEST
        if shape.high == INFINITY:
            return FloatRange(0.0, INFINITY, nan, True)
        if shape.high > 1.0:
            b = shape.high - 1.0 / 3.0
            high = max(high, b * (1.0 + LARGEST_NORMAL[kind] / math.sqrt(9.0 * b)) ** 3 * MARGIN)
        low = 0.0
        if self.sigmas is not None:
            below, above = self.spread(max(shape.low, 0.0), shape.high, shape.high)
            low, high = max(0.0, below), min(high, above)
        return FloatRange(low, high, nan, low == 0.0)

    def beta(self, a: FloatRange, b: FloatRange) -> FloatRange:
        """A number in [0, 1]; NaN where both of two numbers underflow, whose ratio it is."""
        low, high = 0.0, 1.0
        if self.sigmas is not None and min(a.low, b.low) > 0.0 and not (a.unbounded or b.unbounded):
            least, greatest = a.low / (a.low + b.high), a.high / (a.high + b.low)
            total = a.low + b.low
            below, above = self.spread(least, greatest, 0.25 / (total + 1.0))
            low, high = max(0.0, below), min(1.0, above)
        return FloatRange(low, high, True, low == 0.0)

    def lognormal(self, kind: str, mean: FloatRange, sigma: FloatRange) -> FloatRange:
        """exp(mean + sigma * N)"""
        exponent = added(mean, multiplied(FloatRange(max(sigma.low, 0.0), max(sigma.high, 0.0), sigma.nan, False), self.normal(kind)))
        found = of_function("exp", [exponent], 8)  # some generators call the C library's
        return FloatRange(found.low, found.high, found.nan or sigma.nan or sigma.low < 0.0, False)

    def binomial(self, n: IntRange, p: FloatRange) -> IntRange:
        """A number of successes in `n` trials."""
        refused = n.low < 0 or p.nan or p.low < 0.0 or p.high > 1.0
        low, high = 0, max(n.high, 0)
        if self.sigmas is not None and not refused:
            below, above = self.spread(n.low * p.low, n.high * p.high, n.high * 0.25)
            low, high = max(low, math.floor(below)), min(high, math.ceil(above))
        return IntRange(-1 if refused else low, high)

    def poisson(self, mean: FloatRange) -> IntRange:
        """A number of events: the product of uniforms can stay above its limit for ever."""
        refused = mean.nan or mean.low < 0.0 or mean.high > 1e15
        if self.sigmas is None or mean.high > 1e15:
            return WHOLE if mean.high > 1e15 else IntRange(-1 if refused else 0, INT_MAX)
        below, above = self.spread(max(mean.low, 0.0), max(mean.high, 0.0), max(mean.high, 0.0))
        return IntRange(-1 if refused else max(0, math.floor(below)), math.ceil(above))

    def geometric(self, p: FloatRange) -> IntRange:
        """The number of trials up to the first success."""
        if p.low < 1e-15:  # RandomState's overflows for tiny ones
            return WHOLE
        refused = p.nan or p.high > 1.0
        high = INT_MAX
        if self.sigmas is not None:
            _, above = self.spread(1.0, 1.0 / p.low, 1.0 / (p.low * p.low))
            high = min(high, math.ceil(above))
        return IntRange(-1 if refused else 1, high)
