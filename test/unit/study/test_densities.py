"""Densities in closed form: equal to mpmath's sums and integrals to nearly all digits."""

import math

import mpmath
import numpy as np
import pytest
from scipy import integrate

from cogir.study.densities import ballistic_race, diffusion_race, first_of, wiener_log_density, wiener_survival


def wiener_exactly(time: float, is_upper: bool, drift: float, threshold: float, start: float, noise: float) -> mpmath.mpf:
    """The logarithm of the density by the series for long times up to terms of 1e-220, with 220 digits."""
    with mpmath.workdps(220):
        t, v, b, x, s = map(mpmath.mpf, (time, drift, threshold, start, noise))
        a, w = 2 * b / s, (x + b) / (2 * b)
        v /= s
        if is_upper:
            w, v = 1 - w, -v
        u = t / a**2
        terms = (
            k * mpmath.exp(-((k * mpmath.pi) ** 2) * u / 2) * mpmath.sin(k * mpmath.pi * w)
            for k in range(1, int(math.sqrt(2 * 507 / (math.pi**2 * u))) + 2)
        )
        return mpmath.log(mpmath.pi * mpmath.fsum(terms)) - v * a * w - v**2 * t / 2 - 2 * mpmath.log(a)


@pytest.mark.parametrize("time", [0.004, 0.05, 0.3, 0.999, 1.0, 1.001, 3.0, 20.0])
@pytest.mark.parametrize("is_upper", [True, False])
@pytest.mark.parametrize(("drift", "threshold", "start", "noise"), [(0.0, 1.0, 0.0, 1.0), (2.0, 1.0, 0.4, 1.0), (-0.7, 0.6, -0.5, 0.6)])
def test_wiener_density_has_full_precision(time: float, is_upper: bool, drift: float, threshold: float, start: float, noise: float) -> None:
    wanted = wiener_exactly(time, is_upper, drift, threshold, start, noise)
    found = wiener_log_density(time, is_upper, drift, threshold, start, noise)
    # A logarithm of 300 has an error of half a unit in its last place, 3e-14.
    assert abs(float(found) - float(wanted)) < 2e-14 + 4e-16 * abs(float(wanted))


@pytest.mark.parametrize(("drift", "threshold", "start"), [(0.0, 1.0, 0.0), (1.5, 0.8, 0.3), (-3.0, 1.2, -1.0)])
def test_wiener_density_and_survival_add_up_to_one(drift: float, threshold: float, start: float) -> None:
    for end in (0.02, 0.2, 0.5, 2.0, 6.0):
        reached = sum(
            integrate.quad(
                lambda t, up=up: float(np.exp(wiener_log_density(t, up, drift, threshold, start))), 0, end, limit=200, epsabs=1e-13
            )[0]
            for up in (True, False)
        )
        assert abs(reached + float(wiener_survival(end, drift, threshold, start)) - 1.0) < 1e-11  # quad's own error


def test_wiener_survival_joins_at_the_switch() -> None:
    """Both series hold on both sides of the time at which one takes over from the other."""
    times = 0.1 * 4.0 * np.array([1.0 - 1e-9, 1.0 + 1e-9])
    for drift in (0.0, 1.0, -4.0, 9.0):
        before, after = wiener_survival(times, drift, 1.0, 0.3)
        assert abs(before - after) < 1e-8


def test_impossible_wiener_times_and_starts() -> None:
    assert wiener_log_density(-0.1, True, 1.0, 1.0) == -np.inf
    assert wiener_log_density(0.5, True, 1.0, 1.0, start=1.5) == -np.inf
    assert wiener_survival(0.5, 1.0, 1.0, start=1.5) == 0.0
    assert wiener_survival(-0.5, 1.0, 1.0) == 1.0


@pytest.mark.parametrize("start_variability", [0.5, 1e-12])
def test_ballistic_race_is_the_derivative_of_its_distribution(start_variability: float) -> None:
    given = ([1.2, 0.8], 0.3, 1.0, start_variability)
    for time in (0.5, 0.9, 1.5):
        density, _ = ballistic_race(time, *given)
        step = 1e-5
        _, (low, high) = zip(*(ballistic_race(t, *given) for t in (time - step, time + step)), strict=True)
        assert np.allclose(density, (high - low) / (2 * step), rtol=1e-6, atol=1e-8)  # the error of the difference quotient


def test_ballistic_race_never_arrives_with_the_probability_of_negative_drifts() -> None:
    drift, variability = np.array([0.5, -0.2]), 1.0
    _, distribution = ballistic_race(1e9, drift, variability, 1.0, 0.5)
    from scipy.special import ndtr

    assert np.allclose(distribution, ndtr(drift / variability), atol=1e-8)


def test_diffusion_race_is_inverse_gaussian() -> None:
    from scipy.stats import invgauss

    drift, threshold, start, noise = np.array([1.5, 0.4]), 1.2, 0.2, 0.7
    density, distribution = diffusion_race(0.8, drift, threshold, start, noise)
    mean, shape = (threshold - start) / drift, ((threshold - start) / noise) ** 2
    wanted = invgauss(mean / shape, scale=shape)
    assert np.allclose(density, wanted.pdf(0.8), rtol=1e-12)
    assert np.allclose(distribution, wanted.cdf(0.8), rtol=1e-10)


def test_winners_share_all_trials() -> None:
    drift = np.array([1.5, 1.0, 0.7])
    total = sum(integrate.quad(lambda t, i=i: float(first_of(*diffusion_race(t, drift, 1.0), i)), 0, 60, limit=300)[0] for i in range(3))
    assert abs(total - 1.0) < 1e-7
