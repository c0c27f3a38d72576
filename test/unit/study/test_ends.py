"""The check of intervals by the likelihood itself."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from cogir.study.ends import moved_outwards, near_ends
from cogir.study.intervals import Profile

SUMMIT = np.array([0.5, 0.5])
PROFILE = Profile(
    "drift",
    np.array([0.3, 0.5, 0.7]),
    np.array([1.92, 0.0, 1.92]),
    0.3,
    0.7,
    1.92,
    (False, False),
    (np.array([0.3, 0.5]), np.array([0.7, 0.5])),
)


def objectives(upper: float, noise: float = 0.1) -> list[Any]:
    """Log-likelihoods that fall by 1.92 at the lower end and by another number at the upper one, each with its noise."""
    rng = np.random.default_rng(0)

    def one(shift: Any) -> Any:
        return lambda u: -np.where(u[:, 0] < 0.5, 1.92, np.where(u[:, 0] > 0.5, upper + shift, 0.0))

    return [one(noise * rng.normal()) for _ in range(8)]


def test_ends_at_which_the_likelihood_falls_are_kept() -> None:
    assert near_ends([PROFILE], objectives(1.9), SUMMIT) == []


def test_an_end_at_which_it_falls_too_little_is_moved_outwards() -> None:
    near = near_ends([PROFILE], objectives(0.8), SUMMIT)
    assert [(one.name, one.side) for one in near] == [("drift", 1)]
    assert str(near[0]).startswith("the log-likelihood has fallen by only 0.8")
    assert 'at the upper end of the interval of "drift", not by 1.92' in str(near[0])
    moved = moved_outwards(PROFILE, near, 0.5, (0.0, 1.0))
    assert moved.low == 0.3
    assert moved.high == pytest.approx(0.5 + 0.2 * (1.92 / 0.8) ** 0.5, rel=0.1)
    assert moved_outwards(PROFILE, near, 0.5, (0.0, 0.72)).high == 0.72
    assert moved_outwards(replace(PROFILE, name="other"), near, 0.5, (0.0, 1.0)).high == 0.7


def test_noise_is_no_reason() -> None:
    assert near_ends([PROFILE], objectives(1.2, noise=2.0), SUMMIT) == []


def test_ends_at_bounds_are_not_checked() -> None:
    at_bound = replace(PROFILE, meets_bound=(False, True))
    assert near_ends([at_bound], objectives(0.1), SUMMIT) == []
    assert near_ends([replace(PROFILE, meets_bound=(True, True))], objectives(0.1), SUMMIT) == []
