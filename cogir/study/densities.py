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
ROOT_2 = math.sqrt(2.0)
FADED = 100.0
"""`exp(-z**2 / 2)` of larger numbers is 0."""
NARROW, NODES = 0.5, 10
"""Ways whose normal quantiles differ by less, relative to the larger of 1 and their size, are averaged with so many nodes."""
SLOPE_NODES = 20


def special() -> Any:
    """SciPy's special functions. Raises `CogirError` if SciPy is not installed."""
    return extra("scipy.special", "fit", "fit")


def wiener_log_density(time: Any, is_upper: Any, drift: Any, threshold: Any, start: Any = 0.0, noise: Any = 1.0) -> Floats:
    """
    The logarithm of the density with which drift diffusion from `start` reaches the bound `threshold` (`is_upper`) or `-threshold` at
    `time`; -infinity for times that are not positive and starts that do not lie between the bounds.

    With `a = 2 * threshold / noise`, `u = time / a**2`, `d` the distance of the start from the bound that is reached, in units of the
    noise, `w = d / a`, and `v` the drift away from it, the density is `exp(-v * d - v**2 * time / 2) / a**2 * g(u, w)` and

        g(u, w) = sum_k (w + 2 k) exp(-(w + 2 k)**2 / (2 u)) / sqrt(2 pi u**3)      k = -2 ... 2, for u < 0.25
        g(u, w) = pi sum_k k exp(-k**2 pi**2 u / 2) sin(k pi w)                     k = 1 ... 7, for u >= 0.25

    The terms that are left out are smaller than 1e-19 times the largest one. Logarithms are taken of the sums with their largest
    exponential factored out, so that no density underflows. Both sums vanish where the start is at a bound: they are computed from the
    distance to the nearer one, without differences of numbers that are nearly equal.

    Source: Navarro and Fuss (2009), with a fixed number of terms in place of their bound.
    """
    time, upper, drift, threshold, start, noise = np.broadcast_arrays(time, np.asarray(is_upper, np.bool_), drift, threshold, start, noise)
    with np.errstate(all="ignore"):
        apart = 2.0 * threshold / noise
        above, below = threshold - start, threshold + start
        reached, other = np.where(upper, above, below), np.where(upper, below, above)
        u = time / apart / apart
        near, far = reached / (2.0 * threshold), other / (2.0 * threshold)
        effort, rest = _effort(threshold, np.where(upper, -start, start), np.where(upper, -drift, drift), time, noise)
        is_early = u < SWITCH
        found = np.empty(u.shape)
        found[is_early] = _by_images(*(each[is_early] for each in (u, near, far, apart, time)))
        found[~is_early] = _by_modes(*(each[~is_early] for each in (u, near, far, apart)))
        found = found - rest - effort
        found = np.where(np.isnan(found), -np.inf, found)
    return np.where((time > 0.0) & (above > 0.0) & (below > 0.0) & (threshold > 0.0), found, -np.inf)


def _by_images(u: Floats, near: Floats, far: Floats, apart: Floats, time: Floats) -> Floats:
    """The logarithm of the density, but for the effort, by the series for short times."""
    return _early(u, near, far) - 0.5 * math.log(2.0 * math.pi) + _log_of_product(apart / time, 1.0 / np.sqrt(time))


def _by_modes(u: Floats, near: Floats, far: Floats, apart: Floats) -> Floats:
    """The same by the series for long times."""
    return _late(u, near, far) + math.log(math.pi) - 2.0 * np.log(apart) + near / u * near / 2.0 - 0.5 * math.pi**2 * u


def _effort(threshold: Floats, start: Floats, drift: Floats, time: Floats, noise: Floats) -> tuple[Floats, Floats]:
    """
    `(threshold + start + drift * time)**2 / (2 * time * noise**2)` as the sum of a number and its error, which is nearly exact: the terms
    of the way can nearly cancel, where a drift leads to the bound, and the exponent can be large.

    Source: the exact sums and products of Dekker (1971).
    """
    distance, lost = _sum(threshold, start)
    product, error = _product(drift, time)
    way, last = _sum(distance, product)
    way, lost = _sum(way, lost + error + last)
    scaled = way / noise
    whole, error = _product(scaled, noise)
    scaled_rest = ((way - whole) - error + lost) / noise
    square, error = _product(scaled, scaled)
    found = square / (2.0 * time)
    whole, lost = _product(found, 2.0 * time)
    rest = ((square - whole) - lost + error + 2.0 * scaled * scaled_rest) / (2.0 * time)
    plain = (threshold + start + drift * time) / noise
    is_exact = np.isfinite(rest)
    return np.where(is_exact, found, plain / time * plain / 2.0), np.where(is_exact, rest, 0.0)


def _sum(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """A sum, and its error."""
    total = x + y
    back = total - x
    return total, (x - (total - back)) + (y - back)


def _product(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """A product, and its error."""
    product = x * y
    (high, low), (other_high, other_low) = _halves(x), _halves(y)
    return product, low * other_low - (((product - high * other_high) - low * other_high) - high * other_low)


def _halves(x: Floats) -> tuple[Floats, Floats]:
    """A number as the sum of two of 26 bits."""
    scaled = 134217729.0 * x
    high = scaled - (scaled - x)
    return high, x - high


def _log_of_product(x: Floats, y: Floats) -> Floats:
    """log(x * y), also where the product overflows or underflows."""
    product = x * y
    return np.where((product > 1e-300) & (product < 1e300), np.log(product), np.log(x) + np.log(y))


def _early(u: Floats, near: Floats, far: Floats) -> Floats:
    """
    The logarithm of `sum_k (w + 2 k) exp(-((w + 2 k)**2 - w**2) / (2 u))` with `w = near` and `1 - w = far`, each exact to its last digit.

    The terms k and -k together, and k and -1 - k where `w` is near 1, are sums of numbers of one sign, and of `expm1`.
    """
    w, z, u = near[..., None], far[..., None], u[..., None]
    k = np.arange(1, SMALL + 1)
    pairs = np.exp(-2.0 * k * (k - w) / u) * (w * (1.0 + np.exp(-4.0 * k * w / u)) + 2.0 * k * np.expm1(-4.0 * k * w / u))
    by_near = near + _without_nan(pairs)
    a = 2 * np.arange(SMALL + 1) + 1
    mirrored = np.exp(((1.0 - z) ** 2 - (a - z) ** 2) / (2.0 * u))
    mirrored = mirrored * (-a * np.expm1(-2.0 * a * z / u) - z * (1.0 + np.exp(-2.0 * a * z / u)))
    return np.log(np.where(near <= far, by_near, _without_nan(mirrored)))


def _without_nan(terms: Floats) -> Floats:
    """The sum of terms; those whose exponential underflows are 0, whatever it multiplies."""
    return np.sum(np.where(np.isnan(terms), 0.0, terms), axis=-1)


def _late(u: Floats, near: Floats, far: Floats) -> Floats:
    """The logarithm of `sum_k k exp(-(k**2 - 1) pi**2 u / 2) sin(k pi w)` with `w = near` and `1 - w = far`."""
    k = np.arange(1, LARGE + 1)
    signs = np.where((k % 2 == 1) | (near <= far)[..., None], 1.0, -1.0)
    waves = np.sin(math.pi * k * np.minimum(near, far)[..., None])
    return np.log(np.sum(signs * k * np.exp(-0.5 * math.pi**2 * (k * k - 1) * u[..., None]) * waves, axis=-1))


def wiener_survival(time: Any, drift: Any, threshold: Any, start: Any = 0.0, noise: Any = 1.0) -> Floats:
    """
    The probability that drift diffusion from `start` has reached neither `threshold` nor `-threshold` by `time`, to about 1e-13.

    Eigenfunctions of the interval for `time >= 0.1 a**2` with `a = 2 * threshold / noise` (10 terms), images before (5 pairs).
    """
    time, drift, threshold, start, noise = np.broadcast_arrays(time, drift, threshold, start, noise)
    with np.errstate(all="ignore"):
        apart = 2.0 * threshold / noise
        below, above = (threshold + start) / noise, (threshold - start) / noise
        v = drift / noise
        is_early = time < SURVIVAL_SWITCH * apart * apart
        found = np.empty(time.shape)
        found[is_early] = _survival_by_images(*(each[is_early] for each in (time, v, apart, below, above)))
        found[~is_early] = _survival_by_modes(*(each[~is_early] for each in (time, v, apart, below, above)))
        found = np.where(time > 0.0, np.clip(found, 0.0, 1.0), 1.0)
    return np.where((below > 0.0) & (above > 0.0), found, 0.0)


def _survival_by_modes(time: Floats, v: Floats, apart: Floats, below: Floats, above: Floats) -> Floats:
    """`below` and `above`: the distances of the start from the bounds."""
    k = np.arange(1, SURVIVAL_TERMS + 1)
    u = (time / apart / apart)[..., None]
    modes = 2.0 * math.pi * k * np.exp(-0.5 * (math.pi * k) ** 2 * u) / ((v * apart)[..., None] ** 2 + (math.pi * k) ** 2)
    waves = np.sin(math.pi * k * (np.minimum(below, above) / apart)[..., None])
    mirrored = waves * np.where(k % 2 == 0, -1.0, 1.0)
    is_below = (below <= above)[..., None]
    from_below, from_above = np.where(is_below, waves, mirrored), np.where(is_below, mirrored, waves)
    faded = -0.5 * v * v * time
    return np.exp(faded - v * below) * (modes * from_below).sum(axis=-1) + np.exp(faded + v * above) * (modes * from_above).sum(axis=-1)


def _survival_by_images(time: Floats, v: Floats, apart: Floats, below: Floats, above: Floats) -> Floats:
    """`below` and `above`: the distances of the start from the bounds."""
    log_ndtr, root = special().log_ndtr, np.sqrt(time)
    found = np.zeros(time.shape)
    for j in range(-SURVIVAL_IMAGES, SURVIVAL_IMAGES + 1):
        # The way of an image from the lower bound, and to the upper one: sums of terms of one sign.
        for sign, weight, down, up in (
            (1.0, 2 * j * v * apart, (1 + 2 * j) * below + 2 * j * above, -2 * j * below + (1 - 2 * j) * above),
            (
                -1.0,
                v * ((2 * j - 2) * below + 2 * j * above),
                (2 * j - 1) * below + 2 * j * above,
                (2 - 2 * j) * below + (1 - 2 * j) * above,
            ),
        ):
            low, high = (-down - v * time) / root, (up - v * time) / root
            # Of the two tails, the one in which both ends are small.
            flipped = low > 0.0
            ends = log_ndtr(np.where(flipped, -low, high)), log_ndtr(np.where(flipped, -high, low))
            found += sign * (np.exp(weight + ends[0]) - np.exp(weight + ends[1]))
    return found


def _scaled_tail(z: Floats) -> Floats:
    """The probability of a normal number above `z`, times `exp(z**2 / 2)`; for `z` of at least 0 it is at most 1/2."""
    return 0.5 * special().erfcx(z / ROOT_2)


def _scaled_excess(z: Floats) -> Floats:
    """`1 / sqrt(2 pi) - z * _scaled_tail(z)`: the mean excess of a normal number over `z`, times `exp(z**2 / 2)`; to `z**2` units."""
    return np.where(z < FADED, 1.0 / ROOT_2PI - z * _scaled_tail(z), 0.0)


def ballistic_race(time: Any, drift: Any, drift_variability: Any, threshold: Any, start_variability: Any) -> tuple[Floats, Floats]:
    """
    The density of the time of each linear ballistic accumulator, and the probability that it has not arrived; accumulators are the last
    axis of all arguments but `time`, and of the results.

    An accumulator with the way `y` to go, from `threshold - start_variability` to `threshold`, arrives with the density
    `y / time * phi(z) / (time * s)` with `z = (y / time - drift) / s`, and has not arrived with the probability `Phi(z)`. Both are averaged
    over the ways: by Gauss and Legendre's rule where they hardly differ, else by primitives, on both sides of 0 from the far end.

    Source: Brown and Heathcote (2008), equations 1 and 2; drifts that are not positive never arrive.
    """
    t, v, s, b, spread = np.broadcast_arrays(np.asarray(time)[..., None], drift, drift_variability, threshold, start_variability)
    with np.errstate(all="ignore"):
        near, far = ((b - spread) / t - v) / s, (b / t - v) / s
        width = spread / (t * s)
        is_narrow = width * np.maximum(1.0, np.maximum(np.abs(near), np.abs(far))) <= NARROW
        density, survival = _ballistic_wide(t, v, s, b, spread, near, far, width)
        narrow = _ballistic_narrow(*(each[is_narrow] for each in (t, v, s, b, spread)))
    for found, other in zip((density, survival), narrow, strict=True):
        found[is_narrow] = other
    positive = t > 0.0
    return np.where(positive, np.maximum(density, 0.0), 0.0), np.where(positive, np.clip(survival, 0.0, 1.0), 1.0)


def _ballistic_narrow(t: Floats, v: Floats, s: Floats, b: Floats, spread: Floats) -> tuple[Floats, Floats]:
    """Averages over ways whose `z` hardly differ."""
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    way = b[..., None] - spread[..., None] * (0.5 + 0.5 * nodes)
    rate = way / t[..., None]
    z = (rate - v[..., None]) / s[..., None]
    density = (rate * np.exp(-0.5 * z * z)) @ (0.5 * weights) / (ROOT_2PI * t * s)
    return density, special().ndtr(z) @ (0.5 * weights)


def _ballistic_wide(
    t: Floats, v: Floats, s: Floats, b: Floats, spread: Floats, near: Floats, far: Floats, width: Floats
) -> tuple[Floats, Floats]:
    """Averages over ways with `z` from `near` to `far` by primitives; those of each side of 0 fade away from it."""
    density, survival = np.zeros(t.shape), np.zeros(t.shape)
    above = (1.0, np.maximum(near, 0.0), np.maximum(far, 0.0), b - spread, b)
    below = (-1.0, np.maximum(-far, 0.0), np.maximum(-near, 0.0), b, b - spread)
    for sign, inner, outer, of_inner, of_outer in (above, below):
        parts: list[tuple[Floats, Floats]] = []
        for end, way in ((inner, of_inner), (outer, of_outer)):
            fading, excess = np.exp(-0.5 * end * end), _scaled_excess(end)
            rate = np.where(end > 0.0, way / t, v)
            parts.append((fading * (rate * _scaled_tail(end) + sign * s * excess), fading * excess))
        density += parts[0][0] - parts[1][0]
        survival += sign * (parts[1][1] - parts[0][1])
    survival += np.where(near > 0.0, width, np.maximum(far, 0.0))
    return density / spread, survival / width


def diffusion_race(time: Any, drift: Any, threshold: Any, start: Any = 0.0, noise: Any = 1.0) -> tuple[Floats, Floats]:
    """
    The density of the time at which each of several accumulators with noise reaches its threshold, an inverse Gaussian, and the probability
    that it has not; accumulators are the last axis of all arguments but `time`, and of the results.

    With `d` the distance of start and threshold in units of the noise, and `h` the scaled tail of the normal distribution, that probability
    is `exp(-(d - v t)**2 / (2 t)) * (h((v t - d) / sqrt(t)) - h((v t + d) / sqrt(t)))`: by Gauss and Legendre's rule where the two are near
    each other.
    """
    t, v, b, x, s = np.broadcast_arrays(np.asarray(time)[..., None], drift, threshold, start, noise)
    with np.errstate(all="ignore"):
        distance, root = (b - x) / s, np.sqrt(t)
        v = v / s
        fading = np.exp(-0.25 * ((distance - v * t) / root) ** 2)  # squared by two factors: the other one can be very large
        density = fading * (distance / root / t / ROOT_2PI) * fading
        pull, apart = v * root, distance / root
        is_narrow = apart <= np.where(pull > 0.0, np.maximum(1.0, 0.25 * pull), 1.0 / np.maximum(1.0, -pull))
        low, high = apart - pull, apart + pull
        mirrored = np.where(
            high > 0.0, fading * _scaled_tail(np.maximum(high, 0.0)) * fading, np.exp(2.0 * v * distance) * special().ndtr(-high)
        )
        survival = special().ndtr(low) - mirrored
    survival[is_narrow] = _not_reached(pull[is_narrow], apart[is_narrow])
    possible = (t > 0.0) & (distance > 0.0)
    return np.where(possible, density, 0.0), np.where(possible, np.clip(survival, 0.0, 1.0), np.where(distance > 0.0, 1.0, 0.0))


def _not_reached(pull: Floats, apart: Floats) -> Floats:
    """`exp(-(apart - pull)**2 / 2) * (h(pull - apart) - h(pull + apart))` as the integral of the slope of the scaled tail `h`."""
    nodes, weights = np.polynomial.legendre.leggauss(SLOPE_NODES)
    shift = apart[..., None] * nodes
    z = pull[..., None] + shift
    start = (pull - apart)[..., None]
    with np.errstate(all="ignore"):
        beyond = np.exp(-0.5 * start * start) * _scaled_excess(np.maximum(z, 0.0))
        # Below 0 the tail itself grows as exp(z**2 / 2).
        within = np.exp(-0.5 * start * start) / ROOT_2PI - z * special().ndtr(-z) * np.exp(0.5 * (z - start) * (z + start))
    return np.where(z > 0.0, beyond, within) @ weights * apart


def first_of(density: Floats, survival: Floats, winner: Any) -> Floats:
    """The density with which an accumulator arrives while none of the others has; accumulators are the last axis."""
    number = np.asarray(winner, np.int64)[..., None]
    others = np.prod(np.where(np.arange(density.shape[-1]) == number, 1.0, survival), axis=-1)
    return np.take_along_axis(density, np.broadcast_to(number, (*density.shape[:-1], 1)), axis=-1)[..., 0] * others
