# The lambdas are functions of the compilable subset, whose arguments have no annotations.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false, reportUnknownMemberType=false
"""
Draws from distributions, as they are compiled: exponential, gamma, beta, log-normal, binomial, Poisson and geometric.

Each body takes the words of a state and the parameters, and returns the number and the words of the next state. For mt19937 the
draws are those of NumPy's `RandomState`, for philox4x64 those of `Generator(Philox)`, bit for bit: the same algorithms in the same
order of operations, with the C library's functions where a number is computed from them. The other kinds share the algorithms, on
their own uniforms and normals, with cogir's elementary functions, so their draws are the same on every machine.

| distribution | algorithm |
|---|---|
| exponential | `-log(1 - U)`; philox4x64: ziggurat of 256 layers (Marsaglia and Tsang 2000) |
| gamma | shape > 1: Marsaglia and Tsang (2000, ACM TOMS 26); shape < 1: rejection (Ahrens and Dieter 1974, as in NumPy) |
| beta | both parameters at most 1: Joehnk (1964); otherwise a ratio of gamma draws |
| lognormal | `exp(mean + sigma * N)` |
| binomial | mean at most 30: inversion; otherwise BTPE (Kachitvichyanukul and Schmeiser 1988, CACM 31) |
| poisson | mean below 10: multiplication of uniforms; otherwise PTRS (Hoermann 1993) |
| geometric | p >= 1/3: search; otherwise `ceil(E / -log(1 - p))` with an exponential E |

A parameter outside of its range, or NaN, draws nothing: the number is NaN, or -1 for whole numbers, and the state stays as it is.
The algorithms are written once and get a kind's functions as lambdas, so that they are compiled in place, per kind.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from cogir.library.numerics.intrinsics import divide, float_of, libm_exp, libm_log, libm_log1p, libm_pow, shift_right_logical, sqrt
from cogir.library.numerics.math import exp, log, log1p, pow
from cogir.library.random.ahead import AHEADS
from cogir.library.random.blocks import BLOCKS
from cogir.library.random.rng import (
    BODIES,
    Words,
    mt19937_normal,
    mt19937_uniform,
    philox4x64_next,
    philox4x64_normal,
    philox4x64_uniform,
)
from cogir.library.random.streams import SEEDINGS
from cogir.library.random.xoshiro import xoshiro256_normal, xoshiro256_uniform
from cogir.library.random.ziggurat import EXPONENTIAL_HEIGHTS, EXPONENTIAL_LIMITS, EXPONENTIAL_TAIL_START, EXPONENTIAL_WIDTHS

Function = Callable[..., Any]

NAN = float("nan")
REFUSED = -1
"""The whole number that stands for parameters outside of their ranges."""
LARGEST_MEAN = 9.223372006484771e18
"""NumPy's bound for the mean of a Poisson draw: larger ones could exceed 64 bits."""
INT_MIN = -(2**63)
INT_MAX = 2**63 - 1
TWO_63 = 2.0**63
TINY_BETA = 3e-103
THIRD = 1.0 / 3.0
LOG_TWO_PI = 1.8378770664093453

STIRLING = np.array(
    (
        -1.39243221690590e00,
        1.796443723688307e-01,
        -2.955065359477124e-02,
        6.410256410256410e-03,
        -1.917526917526918e-03,
        8.417508417508418e-04,
        -5.952380952380952e-04,
        7.936507936507937e-04,
        -2.777777777777778e-03,
        8.333333333333333e-02,
    )
)
"""The coefficients of Stirling's series for `log(gamma(x))` in `1 / x**2`, that of the highest power first."""


# The algorithms, on the functions of a kind


def gamma_draw(
    words: Words, shape: float, uniform: Function, normal: Function, exponential: Function, log: Function, power: Function
) -> tuple[float, Words]:
    """A draw from the gamma distribution of scale 1."""
    value = NAN
    if shape == 1.0:
        value, words = exponential(words)
    elif shape == 0.0:
        value = 0.0
    elif shape > 0.0 and shape < 1.0:
        waiting = True
        while waiting:
            u, words = uniform(words)
            v, words = exponential(words)
            if u <= 1.0 - shape:
                value = power(u, 1.0 / shape)
                waiting = not value <= v
            else:
                y = -log((1.0 - u) / shape)
                value = power(1.0 - shape + shape * y, 1.0 / shape)
                waiting = not value <= v + y
    elif shape > 1.0:
        b = shape - THIRD
        c = 1.0 / sqrt(9.0 * b)
        waiting = True
        while waiting:
            x, v = 0.0, 0.0
            while v <= 0.0:
                x, words = normal(words)
                v = 1.0 + c * x
            v = v * v * v
            u, words = uniform(words)
            value = b * v
            if u < 1.0 - 0.0331 * (x * x) * (x * x) or log(u) < 0.5 * x * x + b * (1.0 - v + log(v)):
                waiting = False
    return value, words


def beta_of_small(
    words: Words, a: float, b: float, uniform: Function, exp: Function, log: Function, log1p: Function, power: Function
) -> tuple[float, Words]:
    """Joehnk's draw for parameters of at most 1, in logarithms where a power is too small (`Generator.beta`)."""
    value = 0.0
    waiting = True
    if a < TINY_BETA and b < TINY_BETA:
        u, words = uniform(words)
        value = 1.0 if (a + b) * u < a else 0.0
        waiting = False
    while waiting:
        u, words = uniform(words)
        v, words = uniform(words)
        x = power(u, 1.0 / a)
        y = power(v, 1.0 / b)
        total = x + y
        if total <= 1.0 and u + v > 0.0:
            waiting = False
            if x > 0.0 and y > 0.0:
                value = x / total
            else:
                difference = log(u) / a - log(v) / b
                if difference > 0.0:
                    value = exp(-log1p(exp(-difference)))
                else:
                    value = exp(difference - log1p(exp(difference)))
    return value, words


def legacy_beta_of_small(words: Words, a: float, b: float) -> tuple[float, Words]:
    """Joehnk's draw for parameters of at most 1, as in `RandomState.beta`."""
    value = 0.0
    waiting = True
    while waiting:
        u, words = mt19937_uniform(words)
        v, words = mt19937_uniform(words)
        x = libm_pow(u, 1.0 / a)
        y = libm_pow(v, 1.0 / b)
        if x + y <= 1.0:
            waiting = False
            if x + y > 0.0:
                value = x / (x + y)
            else:
                log_x = libm_log(u) / a
                log_y = libm_log(v) / b
                larger = log_x if log_x > log_y else log_y
                log_x = log_x - larger
                log_y = log_y - larger
                value = libm_exp(log_x - libm_log(libm_exp(log_x) + libm_exp(log_y)))
    return value, words


def log_gamma(x: float, log: Function) -> float:
    """`log(gamma(x))` for whole numbers x from 1, by Stirling's series (Zhang and Jin 1996)."""
    result = 0.0
    if x != 1.0 and x != 2.0:
        more = int(7.0 - x) if x <= 7.0 else 0
        shifted = x + more
        inverse = 1.0 / (shifted * shifted)
        series = 0.0
        for k in range(10):
            series = series * inverse + STIRLING[k]
        result = series / shifted + 0.5 * LOG_TWO_PI + (shifted - 0.5) * log(shifted) - shifted
        for _ in range(more):
            result = result - log(shifted - 1.0)
            shifted = shifted - 1.0
    return result


def poisson_draw(words: Words, mean: float, uniform: Function, exp: Function, log: Function) -> tuple[int, Words]:
    """A draw from the Poisson distribution."""
    value = REFUSED
    if mean >= 10.0 and mean <= LARGEST_MEAN:
        root = sqrt(mean)
        log_mean = log(mean)
        b = 0.931 + 2.53 * root
        a = -0.059 + 0.02483 * b
        inverse_alpha = 1.1239 + 1.1328 / (b - 3.4)
        bound = 0.9277 - 3.6224 / (b - 2.0)
        waiting = True
        while waiting:
            u, words = uniform(words)
            v, words = uniform(words)
            u = u - 0.5
            distance = 0.5 - abs(u)
            if distance > 0.0:
                value = int(np.floor((2.0 * a / distance + b) * u + mean + 0.43))
                if distance >= 0.07 and v <= bound:
                    waiting = False
                elif value >= 0 and not (distance < 0.013 and v > distance):
                    height = log(v) + log(inverse_alpha) - log(a / (distance * distance) + b)
                    waiting = not height <= -mean + value * log_mean - log_gamma(value + 1.0, log)
    elif mean == 0.0:
        value = 0
    elif mean > 0.0 and mean < 10.0:
        limit = exp(-mean)
        product = 1.0
        waiting = True
        while waiting:
            u, words = uniform(words)
            product = product * u
            value = value + 1
            waiting = product > limit
    return value, words


def binomial_by_inversion(words: Words, n: int, p: float, none: float, uniform: Function) -> tuple[int, Words]:
    """A draw for small n * p; `none` is the probability of 0."""
    q = 1.0 - p
    mean = n * p
    bound = int(min(float_of(n), mean + 10.0 * sqrt(mean * q + 1.0)))
    value = 0
    probability = none
    u, words = uniform(words)
    while u > probability:
        value = value + 1
        if value > bound:
            value = 0
            probability = none
            u, words = uniform(words)
        else:
            u = u - probability
            probability = ((n - value + 1) * p * probability) / (value * q)
    return value, words


def stirling_rest(x: float, squared: float) -> float:
    """The rest of Stirling's formula for a factorial."""
    return (13680.0 - (462.0 - (132.0 - (99.0 - 140.0 / squared) / squared) / squared) / squared) / x / 166320.0


def binomial_accepts(n: int, m: int, y: int, v: float, xm: float, r: float, q: float, log: Function) -> bool:
    """BTPE's comparison of `v` with the probability of `y`, relative to that of the mode `m`."""
    spread = n * r * q
    k = abs(y - m)
    accepted = False
    if k > 20 and k < spread / 2.0 - 1.0:
        rho = (k / spread) * ((k * (k / 3.0 + 0.625) + 0.16666666666666666) / spread + 0.5)
        t = -k * k / (2.0 * spread)
        height = log(v)
        if height < t - rho:
            accepted = True
        elif height <= t + rho:
            x1 = y + 1.0
            f1 = m + 1.0
            z = n + 1.0 - m
            w = n - y + 1.0
            limit = (
                xm * log(f1 / x1)
                + (n - m + 0.5) * log(z / w)
                + (y - m) * log(w * r / (x1 * q))
                + stirling_rest(f1, f1 * f1)
                + stirling_rest(z, z * z)
                + stirling_rest(x1, x1 * x1)
                + stirling_rest(w, w * w)
            )
            accepted = not height > limit
    else:
        s = r / q
        a = s * (n + 1)
        factor = 1.0
        for i in range(m + 1, y + 1):
            factor = factor * (a / i - s)
        for i in range(y + 1, m + 1):
            factor = divide(factor, a / i - s)
        accepted = not v > factor
    return accepted


def binomial_by_btpe(words: Words, n: int, p: float, uniform: Function, log: Function) -> tuple[int, Words]:
    """A draw for n * p above 30 and p of at most 1/2: rejection from a triangle, a parallelogram and two exponential tails."""
    r = min(p, 1.0 - p)
    q = 1.0 - r
    fm = n * r + r
    m = int(np.floor(fm))
    p1 = np.floor(2.195 * sqrt(n * r * q) - 4.6 * q) + 0.5
    xm = m + 0.5
    xl = xm - p1
    xr = xm + p1
    c = 0.134 + 20.5 / (15.3 + m)
    a = (fm - xl) / (fm - xl * r)
    left = a * (1.0 + a / 2.0)
    a = (xr - fm) / (xr * q)
    right = a * (1.0 + a / 2.0)
    p2 = p1 * (1.0 + 2.0 * c)
    p3 = p2 + c / left
    p4 = p3 + c / right
    y = 0
    waiting = True
    while waiting:
        u, words = uniform(words)
        v, words = uniform(words)
        u = u * p4
        if u <= p1:
            y = int(np.floor(xm - p1 * v + u))
            waiting = False
        else:
            compared = False
            if u <= p2:
                x = xl + (u - p1) / c
                v = v * c + 1.0 - abs(m - x + 0.5) / p1
                y = int(np.floor(x))
                compared = v <= 1.0
            elif v > 0.0:
                if u <= p3:
                    y = int(np.floor(xl + log(v) / left))
                    compared = y >= 0
                    v = v * (u - p2) * left
                else:
                    y = int(np.floor(xr - log(v) / right))
                    compared = y <= n
                    v = v * (u - p3) * right
            if compared:
                waiting = not binomial_accepts(n, m, y, v, xm, r, q, log)
    return y, words


def binomial_draw(words: Words, n: int, p: float, uniform: Function, none_of: Function, log: Function) -> tuple[int, Words]:
    """A draw from the binomial distribution; `none_of(n, p)` is the probability of 0."""
    value = REFUSED
    if n >= 0 and p >= 0.0 and p <= 1.0:
        small = p if p <= 0.5 else 1.0 - p
        if small * n <= 30.0:
            value, words = binomial_by_inversion(words, n, small, none_of(n, small), uniform)
        else:
            value, words = binomial_by_btpe(words, n, small, uniform, log)
        if p > 0.5:
            value = n - value
    return value, words


def geometric_by_search(words: Words, p: float, uniform: Function) -> tuple[int, Words]:
    """A draw for p of at least 1/3. The sum of probabilities may stay below u by rounding: then the last term is 0, and the search ends."""
    value = 1
    product = p
    total = p
    q = 1.0 - p
    u, words = uniform(words)
    while u > total and product > 0.0:
        product = product * q
        total = total + product
        value = value + 1
    return value, words


# mt19937: RandomState


def mt19937_exponential(words: Words) -> tuple[float, Words]:
    """`RandomState.standard_exponential`."""
    u, words = mt19937_uniform(words)
    return -libm_log(1.0 - u), words


def mt19937_gamma(words: Words, shape: float) -> tuple[float, Words]:
    """`RandomState.standard_gamma`."""
    return gamma_draw(
        words,
        shape,
        lambda w: mt19937_uniform(w),
        lambda w: mt19937_normal(w),
        lambda w: mt19937_exponential(w),
        lambda x: libm_log(x),
        lambda x, y: libm_pow(x, y),
    )


def mt19937_beta(words: Words, a: float, b: float) -> tuple[float, Words]:
    """`RandomState.beta`."""
    value = NAN
    if a > 0.0 and b > 0.0:
        if a <= 1.0 and b <= 1.0:
            value, words = legacy_beta_of_small(words, a, b)
        else:
            x, words = mt19937_gamma(words, a)
            y, words = mt19937_gamma(words, b)
            value = divide(x, x + y)
    return value, words


def mt19937_lognormal(words: Words, mean: float, sigma: float) -> tuple[float, Words]:
    """`RandomState.lognormal`."""
    value = NAN
    if sigma >= 0.0:
        x, words = mt19937_normal(words)
        value = libm_exp(mean + sigma * x)
    return value, words


def mt19937_binomial(words: Words, n: int, p: float) -> tuple[int, Words]:
    """`RandomState.binomial`."""
    return binomial_draw(words, n, p, lambda w: mt19937_uniform(w), lambda n, p: libm_exp(n * libm_log(1.0 - p)), lambda x: libm_log(x))


def mt19937_poisson(words: Words, mean: float) -> tuple[int, Words]:
    """`RandomState.poisson`."""
    return poisson_draw(words, mean, lambda w: mt19937_uniform(w), lambda x: libm_exp(x), lambda x: libm_log(x))


def mt19937_geometric(words: Words, p: float) -> tuple[int, Words]:
    """`RandomState.geometric`: for p of at most 2**-54 always -2**63, as in NumPy."""
    value = REFUSED
    if p >= THIRD and p <= 1.0:
        value, words = geometric_by_search(words, p, lambda w: mt19937_uniform(w))
    elif p > 0.0 and p < THIRD:
        u, words = mt19937_uniform(words)
        trials = np.ceil(divide(libm_log1p(-u), libm_log(1.0 - p)))
        value = INT_MIN
        if trials > -TWO_63 and trials < TWO_63:
            value = int(trials)
    return value, words


# philox4x64: Generator(Philox)


def philox4x64_exponential(words: Words) -> tuple[float, Words]:
    """`Generator.standard_exponential`: a ziggurat of 256 layers, entered with 8 bits of layer and 53 of width."""
    value = 0.0
    waiting = True
    while waiting:
        bits, words = philox4x64_next(words)
        layer = shift_right_logical(bits, 3) & 0xFF
        distance = shift_right_logical(bits, 11)
        value = float_of(distance) * EXPONENTIAL_WIDTHS[layer]
        if distance < EXPONENTIAL_LIMITS[layer]:
            waiting = False
        else:
            u, words = philox4x64_uniform(words)
            if layer == 0:
                value = EXPONENTIAL_TAIL_START - libm_log1p(-u)
                waiting = False
            else:
                height = (EXPONENTIAL_HEIGHTS[layer - 1] - EXPONENTIAL_HEIGHTS[layer]) * u + EXPONENTIAL_HEIGHTS[layer]
                waiting = not height < libm_exp(-value)
    return value, words


def philox4x64_gamma(words: Words, shape: float) -> tuple[float, Words]:
    """`Generator.standard_gamma`."""
    return gamma_draw(
        words,
        shape,
        lambda w: philox4x64_uniform(w),
        lambda w: philox4x64_normal(w),
        lambda w: philox4x64_exponential(w),
        lambda x: libm_log(x),
        lambda x, y: libm_pow(x, y),
    )


def philox4x64_beta(words: Words, a: float, b: float) -> tuple[float, Words]:
    """`Generator.beta`."""
    value = NAN
    if a > 0.0 and b > 0.0:
        if a <= 1.0 and b <= 1.0:
            value, words = beta_of_small(
                words,
                a,
                b,
                lambda w: philox4x64_uniform(w),
                lambda x: libm_exp(x),
                lambda x: libm_log(x),
                lambda x: libm_log1p(x),
                lambda x, y: libm_pow(x, y),
            )
        else:
            x, words = philox4x64_gamma(words, a)
            y, words = philox4x64_gamma(words, b)
            value = divide(x, x + y)
    return value, words


def philox4x64_lognormal(words: Words, mean: float, sigma: float) -> tuple[float, Words]:
    """`Generator.lognormal`."""
    value = NAN
    if sigma >= 0.0:
        x, words = philox4x64_normal(words)
        value = libm_exp(mean + sigma * x)
    return value, words


def philox4x64_binomial(words: Words, n: int, p: float) -> tuple[int, Words]:
    """`Generator.binomial`: no draw where the number is known to be 0."""
    value = 0
    if n != 0 and p != 0.0:
        value, words = binomial_draw(
            words, n, p, lambda w: philox4x64_uniform(w), lambda n, p: libm_exp(n * libm_log1p(-p)), lambda x: libm_log(x)
        )
    elif not (n >= 0 and p >= 0.0 and p <= 1.0):
        value = REFUSED
    return value, words


def philox4x64_poisson(words: Words, mean: float) -> tuple[int, Words]:
    """`Generator.poisson`."""
    return poisson_draw(words, mean, lambda w: philox4x64_uniform(w), lambda x: libm_exp(x), lambda x: libm_log(x))


def philox4x64_geometric(words: Words, p: float) -> tuple[int, Words]:
    """`Generator.geometric`."""
    value = REFUSED
    if p >= THIRD and p <= 1.0:
        value, words = geometric_by_search(words, p, lambda w: philox4x64_uniform(w))
    elif p > 0.0 and p < THIRD:
        x, words = philox4x64_exponential(words)
        trials = np.ceil(-x / libm_log1p(-p))
        value = INT_MAX
        if trials < TWO_63:
            value = int(trials)
    return value, words


# xoshiro256


def xoshiro256_exponential(words: Words) -> tuple[float, Words]:
    """`-log(1 - U)`."""
    u, words = xoshiro256_uniform(words)
    return -log(1.0 - u), words


def xoshiro256_gamma(words: Words, shape: float) -> tuple[float, Words]:
    """A draw from the gamma distribution of scale 1."""
    return gamma_draw(
        words,
        shape,
        lambda w: xoshiro256_uniform(w),
        lambda w: xoshiro256_normal(w),
        lambda w: xoshiro256_exponential(w),
        lambda x: log(x),
        lambda x, y: pow(x, y),
    )


def xoshiro256_beta(words: Words, a: float, b: float) -> tuple[float, Words]:
    """A draw from the beta distribution."""
    value = NAN
    if a > 0.0 and b > 0.0:
        if a <= 1.0 and b <= 1.0:
            value, words = beta_of_small(
                words, a, b, lambda w: xoshiro256_uniform(w), lambda x: exp(x), lambda x: log(x), lambda x: log1p(x), lambda x, y: pow(x, y)
            )
        else:
            x, words = xoshiro256_gamma(words, a)
            y, words = xoshiro256_gamma(words, b)
            value = divide(x, x + y)
    return value, words


def xoshiro256_lognormal(words: Words, mean: float, sigma: float) -> tuple[float, Words]:
    """`exp(mean + sigma * N)`."""
    value = NAN
    if sigma >= 0.0:
        x, words = xoshiro256_normal(words)
        value = exp(mean + sigma * x)
    return value, words


def xoshiro256_binomial(words: Words, n: int, p: float) -> tuple[int, Words]:
    """A draw from the binomial distribution."""
    return binomial_draw(words, n, p, lambda w: xoshiro256_uniform(w), lambda n, p: exp(n * log1p(-p)), lambda x: log(x))


def xoshiro256_poisson(words: Words, mean: float) -> tuple[int, Words]:
    """A draw from the Poisson distribution."""
    return poisson_draw(words, mean, lambda w: xoshiro256_uniform(w), lambda x: exp(x), lambda x: log(x))


def xoshiro256_geometric(words: Words, p: float) -> tuple[int, Words]:
    """A draw from the geometric distribution."""
    value = REFUSED
    if p >= THIRD and p <= 1.0:
        value, words = geometric_by_search(words, p, lambda w: xoshiro256_uniform(w))
    elif p > 0.0 and p < THIRD:
        u, words = xoshiro256_uniform(words)
        trials = np.ceil(log(1.0 - u) / log1p(-p))
        value = INT_MAX
        if trials < TWO_63:
            value = 1 if trials < 1.0 else int(trials)
    return value, words


VARIATES: dict[tuple[str, str], Function] = {
    ("mt19937", "exponential"): mt19937_exponential,
    ("mt19937", "gamma"): mt19937_gamma,
    ("mt19937", "beta"): mt19937_beta,
    ("mt19937", "lognormal"): mt19937_lognormal,
    ("mt19937", "binomial"): mt19937_binomial,
    ("mt19937", "poisson"): mt19937_poisson,
    ("mt19937", "geometric"): mt19937_geometric,
    ("philox4x64", "exponential"): philox4x64_exponential,
    ("philox4x64", "gamma"): philox4x64_gamma,
    ("philox4x64", "beta"): philox4x64_beta,
    ("philox4x64", "lognormal"): philox4x64_lognormal,
    ("philox4x64", "binomial"): philox4x64_binomial,
    ("philox4x64", "poisson"): philox4x64_poisson,
    ("philox4x64", "geometric"): philox4x64_geometric,
    ("xoshiro256", "exponential"): xoshiro256_exponential,
    ("xoshiro256", "gamma"): xoshiro256_gamma,
    ("xoshiro256", "beta"): xoshiro256_beta,
    ("xoshiro256", "lognormal"): xoshiro256_lognormal,
    ("xoshiro256", "binomial"): xoshiro256_binomial,
    ("xoshiro256", "poisson"): xoshiro256_poisson,
    ("xoshiro256", "geometric"): xoshiro256_geometric,
}
"""The bodies, by kind of generator and distribution."""

DRAWS: dict[tuple[str, str], Function] = {**BODIES, **VARIATES, **BLOCKS, **AHEADS, **SEEDINGS}
"""All draws, the seedings, and what draws in blocks or ahead, by kind of generator."""


def accepts(distribution: str, parameters: Sequence[Any]) -> bool:
    """True if the parameters of a distribution are in their ranges."""
    match distribution, tuple(parameters):
        case "exponential", ():
            return True
        case "gamma", (shape,):
            return shape >= 0.0
        case "beta", (a, b):
            return a > 0.0 and b > 0.0
        case "lognormal", (_, sigma):
            return sigma >= 0.0
        case "binomial", (n, p):
            return n >= 0 and 0.0 <= p <= 1.0
        case "poisson", (mean,):
            return 0.0 <= mean <= LARGEST_MEAN
        case "geometric", (p,):
            return 0.0 < p <= 1.0
        case other:
            raise ValueError(other)
