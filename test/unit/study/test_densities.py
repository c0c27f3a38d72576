"""Densities in closed form: equal to mpmath's sums and integrals to nearly all digits."""

import math
import warnings
from random import Random
from typing import Any

import mpmath
import numpy as np
import pytest
from scipy import integrate

from cogir.study import densities
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


def short(time: float, is_upper: bool, drift: float, threshold: float, start: float, noise: float) -> mpmath.mpf:
    """The logarithm of the density by the series of its squared distance of bounds, with 60 digits."""
    with mpmath.workdps(60):
        t, v, b, x, s = map(mpmath.mpf, (time, drift, threshold, start, noise))
        a, w, v = 2 * b / s, ((b - x) if is_upper else (b + x)) / (2 * b), (-v if is_upper else v) / s
        u = t / a**2
        if u < 0.25:
            total = mpmath.fsum((w + 2 * k) * mpmath.exp((w**2 - (w + 2 * k) ** 2) / (2 * u)) for k in range(-6, 7))
            found = mpmath.log(total) - w**2 / (2 * u) - mpmath.log(2 * mpmath.pi * u**3) / 2
        else:
            terms = (k * mpmath.exp(-(k * k - 1) * mpmath.pi**2 * u / 2) * mpmath.sin(k * mpmath.pi * w) for k in range(1, 20))
            found = mpmath.log(mpmath.pi * mpmath.fsum(terms)) - mpmath.pi**2 * u / 2
        return found - v * a * w - v * v * t / 2 - 2 * mpmath.log(a)


NEAR = (1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 0.1, 0.5, 1.0)
"""Distances of a start from a bound, as parts of its distance from the middle."""


def random_diffusion(source: Random) -> tuple[float, bool, float, float, float, float]:
    """Arguments of the density: starts near either bound, tiny and huge drifts, times around the switch of the series and far from it."""
    threshold, noise = 10.0 ** source.uniform(-3.0, 3.0), 10.0 ** source.uniform(-2.0, 2.0)
    start = source.choice((-1.0, 1.0)) * threshold * (1.0 - source.choice(NEAR) * source.uniform(0.01, 1.0))
    unit = (2.0 * threshold / noise) ** 2
    time = unit * source.choice((1e-6, 1e-3, 0.01, 0.1, 0.2, 0.2499999, 0.25, 0.2500001, 0.3, 1.0, 10.0, 100.0)) * source.uniform(0.5, 1.5)
    pull = source.choice((0.0, 1e-12, -1e-12, 1.0, -1.0, 1e3, -1e3, 1e6, -1e6)) * source.random()
    return time, source.random() < 0.5, pull * noise * noise / threshold, threshold, start, noise


def worst_digits(density: Any, cases: int) -> float:
    """The largest error of a log-density, as a multiple of what `docs/fits.md` promises."""
    source = Random(5)
    worst = 0.0
    for _ in range(cases):
        given = random_diffusion(source)
        if abs(given[4]) == given[3]:  # the start is rounded to the bound
            continue
        wanted = float(short(*given))
        error = abs(float(density(*given)) - wanted)
        worst = max(worst, error / (2e-14 + 3.0 * np.spacing(abs(wanted))))
    return worst


def test_wiener_density_near_the_ends_of_its_parameters() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert worst_digits(wiener_log_density, 600) < 1.0
    at = short(0.3, True, 0.5, 1.0, 1.0 - 2.0**-50, 1.0)
    assert abs(float(wiener_log_density(0.3, True, 0.5, 1.0, 1.0 - 2.0**-50)) - float(at)) < 2e-14 + 3 * np.spacing(float(abs(at)))


def test_cancelled_distances_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted faults: the distance of the other bound is 1 - w; the way to a bound is rounded before it is squared."""
    early, late = densities._early, densities._late
    monkeypatch.setattr(densities, "_early", lambda u, near, far: early(u, near, 1.0 - near))
    monkeypatch.setattr(densities, "_late", lambda u, near, far: late(u, near, 1.0 - near))
    assert worst_digits(wiener_log_density, 100) > 1e3
    monkeypatch.undo()
    monkeypatch.setattr(densities, "_product", lambda x, y: (x * y, np.zeros(x.shape)))
    assert worst_digits(wiener_log_density, 600) > 1.0


def normal(z: mpmath.mpf) -> mpmath.mpf:
    """The distribution function of the standard normal distribution."""
    return mpmath.erfc(-z / mpmath.sqrt(2)) / 2


def inverse_gaussian(time: float, drift: float, threshold: float, start: float, noise: float) -> tuple[mpmath.mpf, mpmath.mpf]:
    """The density and the survival function, with 420 digits."""
    t, v, b, x, s = map(mpmath.mpf, (time, drift, threshold, start, noise))
    d, v, root = (b - x) / s, v / s, mpmath.sqrt(t)
    density = d / (mpmath.sqrt(2 * mpmath.pi) * t * root) * mpmath.exp(-((d - v * t) ** 2) / (2 * t))
    return density, normal((d - v * t) / root) - mpmath.exp(2 * v * d) * normal(-(v * t + d) / root)


def ballistic(time: float, drift: float, spread: float, threshold: float, starts: float) -> tuple[mpmath.mpf, mpmath.mpf]:
    """The density and the survival function by equations 1 and 2 of Brown and Heathcote (2008), with 420 digits."""
    t, v, s, b, a = map(mpmath.mpf, (time, drift, spread, threshold, starts))
    near, far = (b - a - t * v) / (t * s), (b - t * v) / (t * s)
    bell = lambda z: mpmath.exp(-z * z / 2) / mpmath.sqrt(2 * mpmath.pi)  # noqa: E731
    density = (v * (normal(far) - normal(near)) + s * (bell(near) - bell(far))) / a
    return density, ((b - t * v) * normal(far) - (b - a - t * v) * normal(near) - t * s * (bell(near) - bell(far))) / a


LEAST = 1e-290
RELATIVE = 1e-12
"""The exponents of numbers near 1e-290 are known to so much."""


def check_races(cases: int) -> None:
    source = Random(6)
    for _ in range(cases):
        threshold, noise = 10.0 ** source.uniform(-2.0, 2.0), 10.0 ** source.uniform(-2.0, 1.0)
        start = threshold * (1.0 - source.choice((1e-15, 1e-9, 1e-3, 0.5, 1.0)) * source.uniform(0.01, 1.0))
        way = (threshold - start) / noise
        if way > 0.0:
            drift = source.choice((0.0, 1e-9, 1.0, -1.0, 10.0, -10.0, 1e3, -1e3)) * source.random() / way * noise
            given = (way * way * 10.0 ** source.uniform(-3.0, 3.0), drift, threshold, start, noise)
            compare(diffusion_race(*given[:1], [given[1]], *given[2:]), inverse_gaussian(*given), given)
        starts = threshold * source.choice((1.0, 0.999, 0.5, 0.1, 1e-3, 1e-6, 1e-9, 1e-11)) * source.uniform(0.01, 1.0)
        drift = source.choice((1.0, -1.0, 10.0, 1e-6, 100.0)) * source.uniform(0.01, 1.0) * noise
        spread = abs(drift) * 10.0 ** source.uniform(-2.0, 1.0)
        given = (threshold / abs(drift) * 10.0 ** source.uniform(-1.5, 2.0), drift, spread, threshold, starts)
        compare(ballistic_race(*given[:1], [given[1]], *given[2:]), ballistic(*given), given)


def compare(found: Any, wanted: Any, given: Any) -> None:
    for one, other in zip(found, map(float, wanted), strict=True):
        assert abs(float(one[0]) - other) <= RELATIVE * other + LEAST, given


def test_races_near_the_ends_of_their_parameters() -> None:
    with mpmath.workdps(420), warnings.catch_warnings():
        warnings.simplefilter("error")
        check_races(150)


def test_differences_of_equal_numbers_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted fault: averages over ways by primitives only."""
    monkeypatch.setattr(densities, "NARROW", 0.0)
    with mpmath.workdps(420), pytest.raises(AssertionError):
        check_races(100)


def test_ballistic_race_without_variable_starts() -> None:
    """The limit of a start variability of 0: a normal rate, b / t."""
    from scipy.stats import norm

    density, survival = ballistic_race(0.7, [1.2], 0.3, 1.0, 0.0)
    rate = 1.0 / 0.7
    assert np.allclose(density, norm.pdf(rate, 1.2, 0.3) * rate / 0.7, rtol=1e-14)
    assert np.allclose(survival, norm.cdf(rate, 1.2, 0.3), rtol=1e-14)


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
def test_ballistic_race_is_the_derivative_of_its_survival(start_variability: float) -> None:
    given = ([1.2, 0.8], 0.3, 1.0, start_variability)
    for time in (0.5, 0.9, 1.5):
        density, _ = ballistic_race(time, *given)
        step = 1e-5
        _, (low, high) = zip(*(ballistic_race(t, *given) for t in (time - step, time + step)), strict=True)
        assert np.allclose(density, (low - high) / (2 * step), rtol=1e-6, atol=1e-8)  # the error of the difference quotient


def test_ballistic_race_never_arrives_with_the_probability_of_negative_drifts() -> None:
    drift, variability = np.array([0.5, -0.2]), 1.0
    _, survival = ballistic_race(1e9, drift, variability, 1.0, 0.5)
    from scipy.special import ndtr

    assert np.allclose(survival, ndtr(-drift / variability), atol=1e-8)


def test_diffusion_race_is_inverse_gaussian() -> None:
    from scipy.stats import invgauss

    drift, threshold, start, noise = np.array([1.5, 0.4]), 1.2, 0.2, 0.7
    density, survival = diffusion_race(0.8, drift, threshold, start, noise)
    mean, shape = (threshold - start) / drift, ((threshold - start) / noise) ** 2
    wanted = invgauss(mean / shape, scale=shape)
    assert np.allclose(density, wanted.pdf(0.8), rtol=1e-12)
    assert np.allclose(survival, wanted.sf(0.8), rtol=1e-10)


def test_winners_share_all_trials() -> None:
    drift = np.array([1.5, 1.0, 0.7])
    total = sum(integrate.quad(lambda t, i=i: float(first_of(*diffusion_race(t, drift, 1.0), i)), 0, 60, limit=300)[0] for i in range(3))
    assert abs(total - 1.0) < 1e-7
