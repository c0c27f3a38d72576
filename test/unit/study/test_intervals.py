"""Profiles of likelihoods without noise: the maxima that SciPy finds, in few calls."""

from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize
from support.fitted_decisions import BOUNDS, INPUTS, ddm, ddm_data

import cogir
from cogir.study import intervals
from cogir.study.intervals import exact


def curved(u: Any) -> Any:
    """A curved ridge between the second and the third coordinate, skewed in the first; no other maximum where one of them is fixed."""
    x, y, z = np.asarray(u).T * 6.0 - 2.4
    return -(np.exp(x) - x) - 3.0 * (y - 0.5 * z - 0.05 * z**3) ** 2 - 0.5 * z**2


CENTRE = np.array([0.4, 0.4, 0.4])
HESSIAN = np.diag([-100.0, -600.0, -100.0])


@pytest.mark.sampled(3)
@pytest.mark.parametrize("place", range(3))
@pytest.mark.parametrize("value", [0.0, 0.2, 0.4, 0.55, 0.8, 1.0])
@pytest.mark.parametrize("hessian", [HESSIAN, np.diag([-1.0, -1.0, 5.0]), np.full((3, 3), np.inf)], ids=["right", "wrong", "infinite"])
def test_a_point_of_a_profile_is_the_maximum_over_the_others(place: int, value: float, hessian: Any) -> None:
    u, height = exact(curved, np.array([0.1, 0.05, 0.1]), hessian)(place, value, CENTRE)
    others = [other for other in range(3) if other != place]

    def negative(x: Any) -> float:
        point = np.zeros(3)
        point[others], point[place] = x, value
        return -float(curved(point[None])[0])

    wanted = -min(minimize(negative, start, bounds=[(0.0, 1.0)] * 2).fun for start in ([0.4, 0.4], [0.2, 0.6], [0.6, 0.2], [0.9, 0.9]))
    assert u[place] == value
    assert height == pytest.approx(wanted, abs=1e-5)
    assert curved(u[None])[0] == pytest.approx(height, abs=1e-12)


def test_profiles_take_few_points() -> None:
    """For three parameters with intervals about twice as many points as without; the search by SciPy took four times as many."""
    problem = cogir.fit.problem(ddm(), ddm_data(300, seed=1), BOUNDS, inputs=INPUTS, likelihood="analytical")
    alone = cogir.fit(problem, intervals=None).evaluations
    assert cogir.fit(problem).evaluations < 2.8 * alone


def test_a_planted_profile_that_does_not_climb_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intervals, "_climbed", lambda slopes, x, top, curvature: (x, -slopes(x)[0], True))
    with pytest.raises(AssertionError):
        test_a_point_of_a_profile_is_the_maximum_over_the_others(2, 0.8, HESSIAN)
