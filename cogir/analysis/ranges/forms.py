"""
Affine forms: computed numbers as sums of what they depend on, so that `x - x` and `x - 0.1 * x` are not as wide as two unrelated numbers.

A form is `center + sum(terms[s] * e_s) + error * e`, with a symbol `s` for each independent quantity (a parameter, a draw, the state at the
head of a loop) and all `e` in [-1, 1]. It holds for the number that is computed: roundings, of the model's operations and of these here,
are in the error. (Stolfi and de Figueiredo, "Self-validated numerical methods and applications", 1997.)
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import NamedTuple

from cogir.analysis.ranges.floats import INFINITY, FloatRange

ROUNDING = 2.0**-51
"""Bound on the relative errors of one operation: of the model, and of the form's own coefficients."""
TINY = 2.0**-1070
"""Bound on the errors of underflow."""
HUGE = 1e150
"""Larger numbers have no forms: their products overflow."""
MOST_TERMS = 24
"""Smaller terms beyond so many go into the error."""

_symbols = itertools.count()


class AffineForm(NamedTuple):
    """A number as a sum."""

    center: float
    terms: Mapping[int, float]
    error: float

    @property
    def radius(self) -> float:
        """The largest distance from the center, rounded up."""
        return (sum(map(abs, self.terms.values())) + self.error) * (1.0 + ROUNDING * (1 + len(self.terms)))

    def range(self) -> tuple[float, float]:
        """The ends of the numbers, rounded outwards."""
        radius = self.radius
        return math.nextafter(self.center - radius, -INFINITY), math.nextafter(self.center + radius, INFINITY)


def fresh(x: FloatRange) -> AffineForm | None:
    """A form with a symbol of its own; None for what can be NaN, or huge."""
    if x.nan or x.low > x.high or not (-HUGE < x.low and x.high < HUGE):
        return None
    if x.low == x.high:
        return AffineForm(x.low, {}, 0.0)
    center = 0.5 * x.low + 0.5 * x.high
    radius = max(x.high - center, center - x.low)
    return AffineForm(center, {next(_symbols): radius}, ROUNDING * (abs(center) + radius) + TINY)


def _finish(center: float, terms: dict[int, float], error: float, tiny: float = 0.0) -> AffineForm | None:
    """A form after an operation: its roundings, few terms, and no huge numbers."""
    size = abs(center) + sum(map(abs, terms.values())) + error
    if not size < HUGE:
        return None
    error = (error + ROUNDING * size) * (1.0 + ROUNDING) + tiny
    if len(terms) > MOST_TERMS:
        order = sorted(terms, key=lambda symbol: abs(terms[symbol]))
        small = order[: len(order) - MOST_TERMS // 2]
        error += sum(abs(terms[symbol]) for symbol in small) * (1.0 + ROUNDING * len(small))
        terms = {symbol: terms[symbol] for symbol in order[len(small) :]}
    return AffineForm(center, terms, error)


def added(x: AffineForm, y: AffineForm) -> AffineForm | None:
    """x + y"""
    terms = dict(x.terms)
    for symbol, factor in y.terms.items():
        total = terms.get(symbol, 0.0) + factor
        if total == 0.0:
            terms.pop(symbol, None)
        else:
            terms[symbol] = total
    # What cancels has been rounded before: its roundings are those of the larger parts.
    lost = ROUNDING * sum(abs(factor) for symbol, factor in y.terms.items() if symbol in x.terms)
    return _finish(x.center + y.center, terms, x.error + y.error + lost)


def negated(x: AffineForm) -> AffineForm:
    """-x"""
    return AffineForm(-x.center, {symbol: -factor for symbol, factor in x.terms.items()}, x.error)


def scaled(x: AffineForm, factor: float) -> AffineForm | None:
    """x * factor, an exact number"""
    terms = {symbol: each * factor for symbol, each in x.terms.items()}
    return _finish(x.center * factor, terms, x.error * abs(factor), TINY)


def multiplied(x: AffineForm, y: AffineForm) -> AffineForm | None:
    """x * y: linear in the symbols, and the product of the radii as an error"""
    if not x.terms and x.error == 0.0:
        return scaled(y, x.center)
    if not y.terms and y.error == 0.0:
        return scaled(x, y.center)
    terms = {symbol: factor * y.center for symbol, factor in x.terms.items()}
    for symbol, factor in y.terms.items():
        terms[symbol] = terms.get(symbol, 0.0) + factor * x.center
    lost = ROUNDING * (x.radius * abs(y.center) + y.radius * abs(x.center))
    error = x.error * abs(y.center) + y.error * abs(x.center) + x.radius * y.radius + lost
    return _finish(x.center * y.center, terms, error, TINY)


def squared(x: AffineForm) -> AffineForm | None:
    """x * x, for one number twice: the square of the radius is never negative"""
    half = 0.5 * x.radius * x.radius
    terms = {symbol: 2.0 * factor * x.center for symbol, factor in x.terms.items()}
    error = 2.0 * x.error * abs(x.center) + half * (1.0 + 4.0 * ROUNDING * (1 + len(x.terms)))
    return _finish(x.center * x.center + half, terms, error, TINY)


def linear(x: AffineForm, slope: float, offset: float, error: float) -> AffineForm | None:
    """slope * x + offset, with an error: a function between two parallel lines"""
    terms = {symbol: each * slope for symbol, each in x.terms.items()}
    return _finish(x.center * slope + offset, terms, x.error * abs(slope) + error + ROUNDING * (abs(x.center * slope) + abs(offset)), TINY)
