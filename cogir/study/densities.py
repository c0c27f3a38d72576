"""
First-passage densities in closed form: of the response times of decision models whose steps are infinitely short.

    wiener_log_density     drift diffusion between two constant bounds (Navarro and Fuss 2009)
    wiener_survival        the probability that neither bound has been reached
    ballistic_race         linear ballistic accumulators (Brown and Heathcote 2008)
    diffusion_race         independent accumulators with noise: inverse Gaussian times (Tillman, Van Zandt and Logan 2020)

All arguments are numbers or arrays that NumPy broadcasts; times do not contain the non-decision time.
"""

# SciPy's functions have no types.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
from __future__ import annotations

import math
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from cogir.labelled.extras import extra

Floats: TypeAlias = npt.NDArray[np.float64]

SMALL, LARGE = 2, 7
"""The series for short times has the terms from -2 to 2, that for long times those from 1 to 7."""
SWITCH = 0.25
"""The time, in units of the squared distance of the bounds, from which on the series for long times is taken."""
SURVIVAL_TERMS, SURVIVAL_IMAGES, SURVIVAL_SWITCH = 10, 2, 0.1
ROOT_2PI = math.sqrt(2.0 * math.pi)
LEAST_START = 1e-10
"""Accumulators whose starting points vary by less than this part of the threshold count as starting at one point."""


def special() -> Any:
    """SciPy's special functions. Raises `CogirError` if SciPy is not installed."""
    return extra("scipy.special", "fit", "fit")


def wiener_log_density(time: Any, is_upper: Any, drift: Any, threshold: Any, start: Any = 0.0, noise: Any = 1.0) -> Floats:
    """
    The logarithm of the density with which drift diffusion from `start` reaches the bound `threshold` (`is_upper`) or `-threshold` at
    `time`; -infinity for times that are not positive and starts that do not lie between the bounds.

    With `a = 2 * threshold / noise`, `u = time / a**2` and `w` the distance of the start from the bound that is reached, as a part of the
    whole, the density is `exp(-v * a * w - v**2 * time / 2) / a**2 * g(u, w)` and

        g(u, w) = sum_k (w + 2 k) exp(-(w + 2 k)**2 / (2 u)) / sqrt(2 pi u**3)      k = -2 ... 2, for u < 0.25
        g(u, w) = pi sum_k k exp(-k**2 pi**2 u / 2) sin(k pi w)                     k = 1 ... 7, for u >= 0.25

    The terms that are left out are smaller than 1e-19 times the largest one. Logarithms are taken of the sums with their largest
    exponential factored out, so that no density underflows.

    Source: Navarro and Fuss (2009), with a fixed number of terms in place of their bound.
    """
    time, upper, drift, threshold, start, noise = np.broadcast_arrays(time, np.asarray(is_upper, np.bool_), drift, threshold, start, noise)
    with np.errstate(all="ignore"):
        apart = 2.0 * threshold / noise
        relative = (start + threshold) / (2.0 * threshold)
        w = np.where(upper, 1.0 - relative, relative)
        v = np.where(upper, -drift, drift) / noise
        u = time / (apart * apart)
        found = -v * apart * w - 0.5 * v * v * time - 2.0 * np.log(apart) + _log_standard(u, w)
    return np.where((time > 0.0) & (w > 0.0) & (w < 1.0), found, -np.inf)


def _log_standard(u: Floats, w: Floats) -> Floats:
    """The logarithm of the density of standard diffusion between 0 and 1 from `w`, at 0."""
    k = np.arange(-SMALL, SMALL + 1)
    shifted = w[..., None] + 2 * k
    short = np.sum(shifted * np.exp((w[..., None] ** 2 - shifted**2) / (2.0 * u[..., None])), axis=-1)
    early = np.log(short) - w * w / (2.0 * u) - np.log(ROOT_2PI) - 1.5 * np.log(u)
    k = np.arange(1, LARGE + 1)
    decay = 0.5 * math.pi**2
    long = np.sum(k * np.exp(-decay * (k * k - 1) * u[..., None]) * np.sin(math.pi * k * w[..., None]), axis=-1)
    late = np.log(long) - decay * u + math.log(math.pi)
    return np.where(u < SWITCH, early, late)


def wiener_survival(time: Any, drift: Any, threshold: Any, start: Any = 0.0, noise: Any = 1.0) -> Floats:
    """
    The probability that drift diffusion from `start` has reached neither `threshold` nor `-threshold` by `time`, to about 1e-13.

    Eigenfunctions of the interval for `time >= 0.1 a**2` with `a = 2 * threshold / noise` (10 terms), images before (5 pairs).
    """
    time, drift, threshold, start, noise = np.broadcast_arrays(time, drift, threshold, start, noise)
    with np.errstate(all="ignore"):
        apart = 2.0 * threshold / noise
        begin = (start + threshold) / noise
        v = drift / noise
        late = _survival_by_modes(time, v, apart, begin / apart)
        early = _survival_by_images(time, v, apart, begin)
        found = np.where(time < SURVIVAL_SWITCH * apart * apart, early, late)
        found = np.where(time > 0.0, np.clip(found, 0.0, 1.0), 1.0)
    return np.where((begin > 0.0) & (begin < apart), found, 0.0)


def _survival_by_modes(time: Floats, v: Floats, apart: Floats, w: Floats) -> Floats:
    k = np.arange(1, SURVIVAL_TERMS + 1)
    u = (time / (apart * apart))[..., None]
    modes = 2.0 * math.pi * k * np.sin(math.pi * k * w[..., None]) * np.exp(-0.5 * (math.pi * k) ** 2 * u)
    modes = modes / ((v * apart)[..., None] ** 2 + (math.pi * k) ** 2)
    signs = np.where(k % 2 == 0, 1.0, -1.0)
    faded = -0.5 * v * v * time
    below, above = np.exp(-v * apart * w + faded), np.exp(v * apart * (1.0 - w) + faded)
    return below * modes.sum(axis=-1) - above * (modes * signs).sum(axis=-1)


def _survival_by_images(time: Floats, v: Floats, apart: Floats, begin: Floats) -> Floats:
    log_ndtr, root = special().log_ndtr, np.sqrt(time)
    found = np.zeros(time.shape)
    for j in range(-SURVIVAL_IMAGES, SURVIVAL_IMAGES + 1):
        for sign, image in ((1.0, begin + 2 * j * apart), (-1.0, -begin + 2 * j * apart)):
            low, high = (-image - v * time) / root, (apart - image - v * time) / root
            # Of the two tails, the one in which both ends are small.
            flipped = low > 0.0
            ends = log_ndtr(np.where(flipped, -low, high)), log_ndtr(np.where(flipped, -high, low))
            weight = v * (image - begin)
            found += sign * (np.exp(weight + ends[0]) - np.exp(weight + ends[1]))
    return found


def _normal_density(z: Floats) -> Floats:
    return np.exp(-0.5 * z * z) / ROOT_2PI


def ballistic_race(time: Any, drift: Any, drift_variability: Any, threshold: Any, start_variability: Any) -> tuple[Floats, Floats]:
    """
    The density and the distribution function of the time of each linear ballistic accumulator; accumulators are the last axis of all
    arguments but `time`, and of the results.

    Source: Brown and Heathcote (2008), equations 1 and 2; drifts that are not positive never arrive.
    """
    t, v, s, b, spread = np.broadcast_arrays(np.asarray(time)[..., None], drift, drift_variability, threshold, start_variability)
    ndtr = special().ndtr
    with np.errstate(all="ignore"):
        near, far = (b - spread - t * v) / (t * s), (b - t * v) / (t * s)
        density = (v * (ndtr(far) - ndtr(near)) + s * (_normal_density(near) - _normal_density(far))) / spread
        reached = (b - spread - t * v) * ndtr(near) - (b - t * v) * ndtr(far) + t * s * (_normal_density(near) - _normal_density(far))
        distribution = 1.0 + reached / spread
        at_point = spread <= LEAST_START * b
        density = np.where(at_point, b / (t * t) * _normal_density((b / t - v) / s) / s, density)
        distribution = np.where(at_point, ndtr((v - b / t) / s), distribution)
    positive = t > 0.0
    return np.where(positive, np.maximum(density, 0.0), 0.0), np.where(positive, np.clip(distribution, 0.0, 1.0), 0.0)


def diffusion_race(time: Any, drift: Any, threshold: Any, start: Any = 0.0, noise: Any = 1.0) -> tuple[Floats, Floats]:
    """
    The density and the distribution function of the time at which each of several accumulators with noise reaches its threshold, an
    inverse Gaussian; accumulators are the last axis of all arguments but `time`, and of the results.
    """
    t, v, b, x, s = np.broadcast_arrays(np.asarray(time)[..., None], drift, threshold, start, noise)
    ndtr, log_ndtr = special().ndtr, special().log_ndtr
    with np.errstate(all="ignore"):
        distance, root = (b - x) / s, np.sqrt(t)
        v = v / s
        density = distance / (ROOT_2PI * t * root) * np.exp(-0.5 * (distance - v * t) ** 2 / t)
        distribution = ndtr((v * t - distance) / root) + np.exp(2.0 * v * distance + log_ndtr(-(v * t + distance) / root))
    possible = (t > 0.0) & (distance > 0.0)
    return np.where(possible, density, 0.0), np.where(possible, np.clip(distribution, 0.0, 1.0), np.where(distance > 0.0, 0.0, 1.0))


def first_of(density: Floats, distribution: Floats, winner: Any) -> Floats:
    """The density with which an accumulator arrives while none of the others has; accumulators are the last axis."""
    number = np.asarray(winner, np.int64)[..., None]
    survival = np.prod(np.where(np.arange(density.shape[-1]) == number, 1.0, 1.0 - distribution), axis=-1)
    return np.take_along_axis(density, np.broadcast_to(number, (*density.shape[:-1], 1)), axis=-1)[..., 0] * survival
