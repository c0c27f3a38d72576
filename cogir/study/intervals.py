"""
Intervals of estimates: where the profile likelihood has fallen by 1.92, or from the curvature at the maximum.
"""

# SciPy's functions have no types.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from statistics import NormalDist
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from cogir.labelled.extras import extra
from cogir.labelled.fits import Profile
from cogir.study.responses import Floats
from cogir.study.surface import Objective, Surface

STEP, FARTHEST = 0.25, 3.0
"""Profiles are computed at steps of a quarter of a standard error, up to three of them on each side."""

NEWTON, HALVINGS, DECREMENT = 25, 8, 2e-8
"""The numbers of steps to a point of a profile, and of shorter steps where one does not climb; the promised gain that is too small."""
CURVATURES = (1e-3, 1e4)
"""The limits of curvatures, in units of the scale."""

Profiler: TypeAlias = "Callable[[int, float, Floats], tuple[Floats, float]]"
"""The best point with one coordinate fixed, and the value there, from a start."""


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


def exact(objective: Objective, unit: Floats, hessian: Floats) -> Profiler:
    """
    Profiles of a log-likelihood without noise, by a quasi-Newton method that begins with its second derivatives at the maximum, so that a
    step of a profile takes two or three calls. `unit`: the scale of each coordinate; `hessian`: the second derivatives.
    """

    def best(place: int, value: float, start: Floats) -> tuple[Floats, float]:
        u = np.array(start)
        u[place] = value
        others = [other for other in range(len(u)) if other != place]
        if not others:
            return u, float(objective(u[None])[0])
        scales = unit[others]
        slopes = _Slopes(objective, u, others, scales)
        curvature = -hessian[np.ix_(others, others)] * np.outer(scales, scales)
        x, height, has_converged = _climbed(slopes, u[others] / scales, 1.0 / scales, curvature)
        if not has_converged:
            x, height = _climbed_by_scipy(slopes, x, 1.0 / scales)
        u[others] = np.clip(x * scales, 0.0, 1.0)
        return u, height

    return best


@dataclass(frozen=True, eq=False)
class _Slopes:
    """The negative of a log-likelihood and its gradient over some coordinates, in units of their scales."""

    objective: Objective
    u: Floats
    others: list[int]
    scales: Floats

    def __call__(self, x: Floats) -> tuple[float, Floats]:
        """The value and its gradient by central differences, at all points in one call."""
        near = np.clip(x * self.scales, 0.0, 1.0)
        step = 1e-4 * self.scales
        points = np.repeat(self.u[None], 2 * len(self.others) + 1, axis=0)
        points[:, self.others] = near
        for number, other in enumerate(self.others):
            points[2 * number + 1, other] = min(1.0, near[number] + step[number])
            points[2 * number + 2, other] = max(0.0, near[number] - step[number])
        values = -np.maximum(self.objective(points), -1e9)
        apart = np.array([points[2 * n + 1, o] - points[2 * n + 2, o] for n, o in enumerate(self.others)])
        return float(values[0]), (values[1::2] - values[2::2]) / apart * self.scales


def _climbed(slopes: _Slopes, x: Floats, top: Floats, curvature: Floats) -> tuple[Floats, float, bool]:
    """
    The least point between 0 and `top` near a start, the height there (the value of the objective), and False if it was not found in few
    steps: BFGS with projected steps, from a given curvature.
    """
    widths, axes = np.linalg.eigh(np.where(np.isfinite(curvature), curvature, 0.0))
    curvature = (axes * np.clip(np.abs(widths), *CURVATURES)) @ axes.T
    value, slope = slopes(x)
    for _ in range(NEWTON):
        inner = ~((x <= 0.0) & (slope > 0.0)) & ~((x >= top) & (slope < 0.0))
        step = np.zeros(len(x))
        step[inner] = -np.linalg.solve(curvature[np.ix_(inner, inner)], slope[inner])
        if -slope @ step < DECREMENT:
            return x, -value, True
        for factor in 0.25 ** np.arange(HALVINGS):
            moved = np.clip(x + factor * step, 0.0, top)
            lower, next_slope = slopes(moved)
            if lower <= value + 1e-4 * float(slope @ (moved - x)):
                break
        else:
            return x, -value, False
        s, y = moved - x, next_slope - slope
        bowed = curvature @ s
        if (bend := float(s @ bowed)) > 0.0:
            # Powell's damping keeps the curvature positive where that of the log-likelihood is not.
            mix = 1.0 if float(s @ y) >= 0.2 * bend else 0.8 * bend / (bend - float(s @ y))
            y = mix * y + (1.0 - mix) * bowed
            curvature = curvature + np.outer(y, y) / float(s @ y) - np.outer(bowed, bowed) / bend
        x, value, slope = moved, lower, next_slope
    return x, -value, False


def _climbed_by_scipy(slopes: _Slopes, x: Floats, top: Floats) -> tuple[Floats, float]:
    """The same by SciPy, which takes more steps."""
    optimize = extra("scipy.optimize", "fit", "fit")
    made = optimize.minimize(slopes, x, jac=True, bounds=[(0.0, one) for one in top], method="L-BFGS-B", options={"ftol": 1e-10})
    return np.asarray(made.x, np.float64), -float(made.fun)


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
