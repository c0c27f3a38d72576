"""Decision models written in NumPy, their distributions in closed form, and the test by Kolmogorov and Smirnov."""

from __future__ import annotations

from collections.abc import Callable
from math import erf, exp, log, pi, sqrt
from typing import Any

import numpy as np

Times = np.ndarray[Any, Any]
Bound = Callable[[float], float]


def allowed_distance(alpha: float, count: int, other: int | None = None) -> float:
    """
    The distance of Kolmogorov and Smirnov that is exceeded with a probability of about `alpha` if the distributions are equal.

    One sample of `count` against a distribution, or two samples. For times on a grid of steps the probability is smaller.
    """
    size = count if other is None else count * other / (count + other)
    return sqrt(-log(alpha / 2.0) / 2.0 / size)


def distance(sample: Times, distribution: Callable[[Times], Times]) -> float:
    """The largest difference between the empirical distribution of a sample and a continuous one."""
    ordered = np.sort(sample)
    expected, count = distribution(ordered), len(sample)
    return float(max(np.max(np.arange(1, count + 1) / count - expected), np.max(expected - np.arange(count) / count)))


def distance_of_samples(first: Times, second: Times) -> float:
    """The largest difference between the empirical distributions of two samples."""
    points = np.unique(np.concatenate([first, second]))
    parts = [np.searchsorted(np.sort(sample), points, side="right") / len(sample) for sample in (first, second)]
    return float(np.max(np.abs(parts[0] - parts[1])))


def signed(choices: Times, times: Times) -> Times:
    """One number per decision with two outcomes: the time, negative for the lower bound. Its distribution has that of the choices in it."""
    return np.where(choices > 0.0, times, -times)


def on_one_axis(choices: Times, times: Times, span: float) -> Times:
    """One number per decision among n: the choices one after the other, `span` apart, and the times within them (at most `span`)."""
    assert np.max(times) < span
    return choices * span + times


# Euler schemes


def diffusion(
    rng: np.random.Generator,
    count: int,
    dt: float,
    bound: Bound,
    drift: Times | float,
    *,
    leak: float = 0.0,
    urgency: float = 0.0,
    noise: float = 1.0,
    start: Times | float = 0.0,
) -> tuple[Times, Times]:
    """Choices (1, -1) and times of diffusions between two bounds; drifts and starts are numbers, or one for each trial."""
    rates, x = np.broadcast_to(drift, count).astype(float), np.broadcast_to(start, count).astype(float)
    choices, times, open_ = np.zeros(count), np.zeros(count), np.arange(count)
    step = 0
    while len(open_):
        step += 1
        x = x + (rates - leak * x) * dt + noise * sqrt(dt) * rng.standard_normal(len(x))
        seen = x * (1.0 + urgency * step * dt)
        done = np.abs(seen) >= bound(step * dt)
        choices[open_[done]], times[open_[done]] = np.where(seen[done] >= 0.0, 1.0, -1.0), step * dt
        x, rates, open_ = x[~done], rates[~done], open_[~done]
    return choices, times


def accumulators(
    rng: np.random.Generator,
    count: int,
    dt: float,
    drifts: list[float],
    threshold: float,
    *,
    leak: float = 0.0,
    inhibition: float = 0.0,
    noise: float = 1.0,
    floor: float = -np.inf,
) -> tuple[Times, Times]:
    """Winners (from 0) and times of accumulators that start at 0."""
    weights = -inhibition * (np.ones((len(drifts), len(drifts))) - np.eye(len(drifts))) - leak * np.eye(len(drifts))
    x = np.zeros((count, len(drifts)))
    choices, times, open_ = np.zeros(count), np.zeros(count), np.arange(count)
    step = 0
    while len(open_):
        step += 1
        x = np.maximum(floor, x + (np.array(drifts) + x @ weights) * dt + noise * sqrt(dt) * rng.standard_normal(x.shape))
        done = np.any(x >= threshold, axis=1)
        choices[open_[done]], times[open_[done]] = np.argmax(x[done], axis=1), step * dt
        x, open_ = x[~done], open_[~done]
    return choices, times


def attention(
    rng: np.random.Generator,
    count: int,
    dt: float,
    items: tuple[float, float],
    *,
    drift: float,
    discount: float,
    threshold: float,
    noise: float,
    first: float,
    fixation: tuple[float, float],
) -> tuple[Times, Times, Times]:
    """Choices (1, -1), times, and the parts of the times in which the first item was looked at; `fixation`: mean, and s of logarithms."""
    x, looked = np.zeros(count), np.zeros(count)
    on_first = rng.random(count) < first
    left = np.zeros(count)
    choices, times, gaze, open_ = np.zeros(count), np.zeros(count), np.zeros(count), np.arange(count)
    mean, s = fixation
    step = 0
    while len(open_):
        over = left < 0.5
        on_first = np.where(over & (step > 0), ~on_first, on_first)
        left = np.where(over, rng.lognormal(log(mean / dt) - s * s / 2.0, s, len(x)), left)
        step += 1
        left = left - 1.0
        rates = np.where(on_first, items[0] - discount * items[1], discount * items[0] - items[1])
        x = x + drift * rates * dt + noise * sqrt(dt) * rng.standard_normal(len(x))
        looked = looked + on_first
        done = np.abs(x) >= threshold
        choices[open_[done]], times[open_[done]], gaze[open_[done]] = np.sign(x[done]), step * dt, looked[done] / step
        x, looked, on_first, left, open_ = x[~done], looked[~done], on_first[~done], left[~done], open_[~done]
    return choices, times, gaze


# Closed forms

DISCRETE = 0.5825971579390107
"""
`-zeta(1/2) / sqrt(2 pi)`: a random walk with steps of the standard deviation `s` reaches a threshold `b` when Brownian motion reaches
`b + 0.5826 s`, up to errors of a higher order (Siegmund 1979; Broadie, Glasserman and Kou 1997).
"""


def first_passage(times: Times, drift: float, threshold: float, start: float = 0.0, terms: int = 200) -> Times:
    """
    The probability to have reached `-threshold` by a time, for a diffusion with noise 1: the series for large times in Navarro and Fuss
    (2009), integrated; accurate for times above 0.001 with so many terms.
    """
    a, w = 2.0 * threshold, (start + threshold) / (2.0 * threshold)
    upper = exp(-2.0 * drift * a)
    at_end = (exp(-2.0 * drift * a * w) - upper) / (1.0 - upper) if drift != 0.0 else 1.0 - w
    k = np.arange(1, terms + 1)
    rates = drift * drift / 2.0 + (k * pi / a) ** 2 / 2.0
    weights = pi / (a * a) * exp(-drift * a * w) * k * np.sin(k * pi * w) / rates
    found = np.empty(len(times))
    for begin in range(0, len(times), 10_000):
        some = times[begin : begin + 10_000]
        found[begin : begin + 10_000] = at_end - np.exp(-np.outer(some, rates)) @ weights
    return found


def signed_first_passage(values: Times, drift: float, threshold: float, start: float = 0.0) -> Times:
    """The distribution of `signed` choices and times of a diffusion with noise 1."""
    below = values < 0.0
    # Reaching -threshold with this drift is reaching threshold with the opposite one.
    at_end = first_passage(np.array([1e9]), drift, threshold, start)[0]
    found = np.empty(len(values))
    found[below] = at_end - first_passage(-values[below], drift, threshold, start)
    found[~below] = at_end + first_passage(values[~below], -drift, threshold, -start)
    return found


def _normal(x: Times) -> Times:
    return np.exp(-x * x / 2.0) / sqrt(2.0 * pi)


def _cumulated(x: Times) -> Times:
    return np.array([0.5 + 0.5 * erf(value / sqrt(2.0)) for value in x])


def wald_distribution(times: Times, drift: float, threshold: float) -> Times:
    """The probability that a diffusion with noise 1 and one threshold has reached it by a time: the inverse Gaussian distribution."""
    roots = np.sqrt(times)
    late, early = (drift * times - threshold) / roots, (-drift * times - threshold) / roots
    return _cumulated(late) + exp(2.0 * drift * threshold) * _cumulated(early)


def ballistic_distribution(t: Times, v: float, s: float, b: float, a: float) -> Times:
    """The probability that one accumulator has finished by a time: equation 1 of Brown and Heathcote (2008)."""
    low, high = (b - a - t * v) / (t * s), (b - t * v) / (t * s)
    terms = (b - a - t * v) * _cumulated(low) - (b - t * v) * _cumulated(high) + t * s * (_normal(low) - _normal(high))
    return 1.0 + terms / a


def ballistic_density(t: Times, v: float, s: float, b: float, a: float) -> Times:
    """The density of the time of one accumulator: equation 2 of Brown and Heathcote (2008)."""
    low, high = (b - a - t * v) / (t * s), (b - t * v) / (t * s)
    return (-v * _cumulated(low) + s * _normal(low) + v * _cumulated(high) - s * _normal(high)) / a


def ballistic_first(t: Times, winner: int, drifts: list[float], s: float, b: float, a: float) -> Times:
    """The density of times at which one accumulator finishes before the others: equation 3 of Brown and Heathcote (2008)."""
    found = ballistic_density(t, drifts[winner], s, b, a)
    for number, v in enumerate(drifts):
        if number != winner:
            found = found * (1.0 - ballistic_distribution(t, v, s, b, a))
    return found
