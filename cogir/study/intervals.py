"""
Intervals of estimates: where the profile likelihood has fallen by 1.92, or from the curvature at the maximum.
"""

# SciPy's functions have no types.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import NormalDist
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from cogir.labelled.extras import extra
from cogir.study.responses import Floats
from cogir.study.surface import Objective, Surface

STEP, FARTHEST = 0.25, 3.0
"""Profiles are computed at steps of a quarter of a standard error, up to three of them on each side."""

Profiler: TypeAlias = "Callable[[int, float, Floats], tuple[Floats, float]]"
"""The best point with one coordinate fixed, and the value there, from a start."""


@dataclass(frozen=True, eq=False)
class Profile:
    """
    The profile log-likelihood of a parameter: at each of its values, the largest log-likelihood over all other parameters.

    `fallen` is how far it lies below the maximum; `low` and `high` are the ends of the interval, where it has fallen by `drop` (1.92 for
    95 %), or a bound that is met before.
    """

    name: str
    values: Floats
    fallen: Floats
    low: float
    high: float
    drop: float
    meets_bound: tuple[bool, bool]
    ends: tuple[Floats, Floats]
    """The best points over all other parameters at the ends, in the unit cube."""

    def widened(self, best: float, noise: float, ends: tuple[float, float]) -> Profile:
        """The same with the interval for an estimate that also has the error of simulations: `noise` times its standard error."""
        factor = math.sqrt(1.0 + noise * noise) if math.isfinite(noise) else 1.0
        low, high = best + factor * (self.low - best), best + factor * (self.high - best)
        return replace(self, low=max(ends[0], low), high=min(ends[1], high))

    def __repr__(self) -> str:
        return f"<profile of {self.name}: from {self.low:.4g} to {self.high:.4g} it falls by less than {self.drop:.3g}>"


def drop_of(level: float) -> float:
    """The drop of a log-likelihood at the ends of an interval: half of the quantile of the chi-squared distribution with one degree."""
    return 0.5 * NormalDist().inv_cdf(0.5 + 0.5 * level) ** 2


def covariance_of(hessian: Floats, inner: npt.NDArray[np.bool_]) -> Floats:
    """
    The inverse of the negative second derivatives; infinite where the log-likelihood does not fall. If it does not, the estimates that lie
    at bounds, those that are not `inner`, are taken as known: they have no standard error, and the others do.
    """
    found = _inverse(hessian)
    if np.isfinite(found).all() or inner.all():
        return found
    found = np.where(np.eye(len(hessian), dtype=bool), np.inf, 0.0)
    found[np.ix_(inner, inner)] = _inverse(hessian[np.ix_(inner, inner)])
    return found


def _inverse(hessian: Floats) -> Floats:
    curvature, axes = np.linalg.eigh(-hessian)
    widths = np.where(curvature > 0.0, 1.0 / np.where(curvature > 0.0, curvature, 1.0), np.inf)
    with np.errstate(invalid="ignore"):
        squares = axes**2 @ np.where(np.isinf(widths), 0.0, widths)
        blown = (axes**2 * np.isinf(widths)).sum(axis=1) > 1e-8
        found = (axes * np.where(np.isinf(widths), 0.0, widths)) @ axes.T
    np.fill_diagonal(found, np.where(blown, np.inf, squares))
    return found


def from_surface(surface: Surface) -> Profiler:
    """Profiles of a polynomial."""
    return lambda place, value, start: surface.best(start, {place: value})


def exact(objective: Objective, unit: Floats) -> Profiler:
    """Profiles of a log-likelihood without noise; `unit`: the scale of each coordinate."""
    optimize = extra("scipy.optimize", "fit", "fit")

    def best(place: int, value: float, start: Floats) -> tuple[Floats, float]:
        u = np.array(start)
        u[place] = value
        others = [other for other in range(len(u)) if other != place]
        if not others:
            return u, float(objective(u[None])[0])
        scales = unit[others]

        def negative(x: Floats) -> tuple[float, Floats]:
            """The value and its gradient by central differences, at all points in one call."""
            near = np.clip(x * scales, 0.0, 1.0)
            step = 1e-4 * scales
            points = np.repeat(u[None], 2 * len(others) + 1, axis=0)
            points[:, others] = near
            for number, other in enumerate(others):
                points[2 * number + 1, other] = min(1.0, near[number] + step[number])
                points[2 * number + 2, other] = max(0.0, near[number] - step[number])
            values = -np.maximum(objective(points), -1e9)
            apart = np.array([points[2 * n + 1, o] - points[2 * n + 2, o] for n, o in enumerate(others)])
            return float(values[0]), (values[1::2] - values[2::2]) / apart * scales

        made = optimize.minimize(
            negative, u[others] / scales, jac=True, bounds=[(0.0, 1.0 / one) for one in scales], method="L-BFGS-B", options={"ftol": 1e-10}
        )
        u[others] = np.clip(made.x * scales, 0.0, 1.0)
        return u, -float(made.fun)

    return best


def profile_of(
    name: str, place: int, best: Floats, top: float, error: float, profiler: Profiler, ends: tuple[float, float], level: float
) -> Profile:
    """The profile of a coordinate from its best point outwards; `ends`: what 0 and 1 of the unit cube stand for."""
    drop = drop_of(level)
    step = STEP * (error if math.isfinite(error) and error > 0.0 else 0.1)
    sides: list[list[tuple[float, float]]] = []
    ways: list[list[Floats]] = []
    for sign in (-1.0, 1.0):
        found: list[tuple[float, float]] = []
        way: list[Floats] = [best]
        u = best
        for number in range(1, int(FARTHEST / STEP) * 3 + 1):
            value = min(1.0, max(0.0, best[place] + sign * number * step))
            u, height = profiler(place, value, u)
            top = max(top, height)
            found.append((value, height))
            way.append(u)
            past = top - height > 1.3 * drop
            if value in (0.0, 1.0) or (past and number >= FARTHEST / STEP / 2) or (top - height > 4.0 * drop):
                break
        sides.append(found)
        ways.append(way)
    low, high = (_crossing([(float(best[place]), top), *side], top - drop) for side in sides)
    every = [*reversed(sides[0]), (float(best[place]), top), *sides[1]]
    values, heights = np.array(every).T
    scale = ends[1] - ends[0]
    met = (low is None and sides[0][-1][0] == 0.0, high is None and sides[1][-1][0] == 1.0)
    low, high = (sides[0][-1][0] if low is None else low), (sides[1][-1][0] if high is None else high)
    between = float(ends[0] + scale * low), float(ends[0] + scale * high)
    points = _point_at(ways[0], place, low), _point_at(ways[1], place, high)
    return Profile(name, ends[0] + scale * values, top - heights, *between, drop, met, points)


def _point_at(way: list[Floats], place: int, value: float) -> Floats:
    """The point of a profile at a value of its coordinate, by interpolation between the points at its steps."""
    points = np.array(way)
    order = np.argsort(points[:, place], kind="stable")
    return np.array([np.interp(value, points[order, place], column) for column in points[order].T])


def _crossing(side: list[tuple[float, float]], wanted: float) -> float | None:
    """The first place at which a profile lies below a height, by interpolation of the root of its fall; None if there is none."""
    for (inner, above), (outer, below) in pairwise(side):
        if below <= wanted:
            top = side[0][1]
            a, b, c = (math.sqrt(max(0.0, top - height)) for height in (above, below, wanted))
            return outer if b == a else inner + (outer - inner) * min(1.0, max(0.0, (c - a) / (b - a)))
    return None
