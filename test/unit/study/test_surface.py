"""Surfaces: intervals of likelihoods with curved ridges and long tails."""

from typing import Any

import numpy as np
import pytest

from cogir.study.intervals import covariance_of, from_surface, profile_of
from cogir.study.surface import Surface, Surveyor, bends_of, bent, straightened

LOW, HIGH = np.array([0.2, 0.1]), np.array([4.0, 8.0])
"""The bounds of a height and of a time."""
SPREAD, ACROSS, BEST = 0.3, 0.06, np.array([1.0, 1.0])
"""Of the logarithm of the time, and of the distance from the ridge; the maximum."""


def banana(u: Any) -> Any:
    """A log-likelihood with a ridge along which height times time is constant, as of bounds that collapse."""
    height, time = np.log(LOW + u * (HIGH - LOW)).T
    return -0.5 * ((height + time) / ACROSS) ** 2 - 0.5 * (time / SPREAD) ** 2


def noisy(size: float, seed: int) -> Any:
    """The same with noise."""
    rng = np.random.default_rng(seed)
    return lambda u: banana(u) + size * rng.normal(size=len(u))


def intervals(fresh: Any) -> Any:
    """The 95 % intervals of both parameters, by the polynomial around the maximum, and the polynomial."""
    surface = Surveyor(banana, fresh, fresh, (BEST - LOW) / (HIGH - LOW) + np.array([0.01, -0.01]), 0).survey()
    best, top = surface.best(surface.centre)
    errors = np.sqrt(np.diag(covariance_of(surface.hessian(best), np.ones(2, np.bool_))))
    profiler = from_surface(surface)
    found = [profile_of("", n, best, top, float(errors[n]), profiler, (LOW[n], HIGH[n]), 0.95) for n in range(2)]
    return np.array([(one.low, one.high) for one in found]), found


def exact() -> Any:
    """The intervals in closed form: both logarithms are normal."""
    widths = 1.959964 * np.array([np.hypot(SPREAD, ACROSS), SPREAD])
    return np.exp(np.stack([-widths, widths], axis=1))


@pytest.mark.parametrize(("fresh", "near"), [(banana, 0.08), (noisy(0.8, 1), 0.15), (noisy(2.3, 2), 0.28)])
def test_intervals_follow_a_curved_ridge(fresh: Any, near: float) -> None:
    """Each end of the intervals (0.55 to 1.82, 0.56 to 1.80) lies within a part of the width; without bends it is off by 0.39."""
    found, _ = intervals(fresh)
    wanted = exact()
    assert (np.abs(found - wanted) < near * (wanted[:, 1:] - wanted[:, :1])).all()
    assert ((found[:, 1] - BEST) > 1.2 * (BEST - found[:, 0])).all()


def test_the_ends_of_a_profile_are_points_of_the_ridge() -> None:
    _, profiles = intervals(banana)
    for place, profile in enumerate(profiles):
        for end, value in zip(profile.ends, (profile.low, profile.high), strict=True):
            assert LOW[place] + end[place] * (HIGH - LOW)[place] == pytest.approx(value)
            assert banana(end[None])[0] == pytest.approx(-1.92, abs=0.3)


def test_bends_vanish_for_a_polynomial_of_degree_2() -> None:
    u = np.random.default_rng(3).uniform(0.3, 0.7, (200, 2))
    centre, scale = np.array([0.5, 0.5]), 0.1 * np.eye(2)
    values = -0.5 * (((u - 0.5) / 0.1) ** 2).sum(axis=1) + (u[:, 0] - 0.5) * (u[:, 1] - 0.5)
    assert bends_of(u, values, centre, scale, np.array([1.0, -1.0])) == pytest.approx([0.0, 0.0], abs=1e-3)


@pytest.mark.parametrize("bends", [[0.0, 0.0], [-2.0, 3.0]])
def test_bent_coordinates_have_an_inverse(bends: list[float]) -> None:
    distances = np.array([[0.3, -0.2], [0.0, 0.0], [-0.4, 0.1]])
    assert straightened(bent(distances, np.array(bends)), np.array(bends)) == pytest.approx(distances)
    assert not np.isfinite(straightened(np.array([0.6, -0.4]), np.array([-2.0, 3.0]))).any()


def test_slopes_and_second_derivatives_are_those_of_the_values() -> None:
    rng = np.random.default_rng(4)
    surveyor = Surveyor(banana, banana, banana, (BEST - LOW) / (HIGH - LOW), 0)
    surface: Surface = surveyor.survey()
    u = surface.centre + 0.3 * surface.scale @ rng.normal(size=2)
    step = 1e-5 * np.eye(2)
    slope = [(surface.value(u + one) - surface.value(u - one)) / 2e-5 for one in step]
    assert surface.slope(u) == pytest.approx(slope, rel=1e-5)
    second = [(surface.slope(u + one) - surface.slope(u - one)) / 2e-5 for one in step]
    assert surface.hessian(u) == pytest.approx(np.array(second), rel=1e-5)
