# NumPy types a few functions only in part.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false
"""
The draws of a generator that are made of other draws, in the Python subset: what `random.exponential(2.0)` calls.

They run as Python (`generators.Stream`) and are compiled into the functions that draw (`cogir.pyfunc.variates`). `size` is the whole
shape of the result, a tuple; parameters are numbers, or arrays that broadcast to it. `random.sample(name, size, ...)` draws from the
distributions of `variates.py`. Parameters out of range give NaN, or -1 for whole numbers.
"""

import numpy as np

from cogir.library.distributions import normal_quantile
from cogir.library.numerics.math import erfc
from cogir.library.signature import Random, Static, Value

ROOT_HALF = 0.7071067811865476
TWO_MINUS_54 = 2.0**-54
SUM_TOLERANCE = 1.4901161193847656e-08
"""The largest distance of a sum of probabilities from 1: the square root of the spacing of doubles at 1, as in NumPy."""
ONE_BY_ONE = 16
"""Arrays of so many numbers are made number by number, without a loop, so that they can be drawn in lanes."""
QUANTILES_OF_LANES = 3
"""The same for quantiles of truncated normals; of more, an iteration is too much work for lanes."""


def exponential(scale: Value, size: Static, random: Random) -> Value:
    """`scale * E`."""
    return np.where(scale >= 0.0, scale, np.nan) * random.sample("exponential", size)


def exponential_without_loop(scale: Value, size: Static, random: Random) -> Value:
    """The same for generators whose E is `-log(1 - U)`."""
    return np.where(scale >= 0.0, scale, np.nan) * -np.log(1.0 - random.uniform(size))


def gamma(shape: Value, scale: Value, size: Static, random: Random) -> Value:
    """`scale` times a draw of scale 1."""
    return np.where(scale >= 0.0, scale, np.nan) * random.sample("gamma", size, shape)


def beta(a: Value, b: Value, size: Static, random: Random) -> Value:
    """A draw from the beta distribution."""
    return random.sample("beta", size, a, b)


def lognormal(mean: Value, sigma: Value, size: Static, random: Random) -> Value:
    """`exp(mean + sigma * N)`."""
    return random.sample("lognormal", size, mean, sigma)


def lognormal_without_loop(mean: Value, sigma: Value, size: Static, random: Random) -> Value:
    """The same for generators whose normals are made without a loop."""
    return np.exp(mean + np.where(sigma >= 0.0, sigma, np.nan) * random.normal(size))


def binomial(n: Value, p: Value, size: Static, random: Random) -> Value:
    """The number of successes in n trials."""
    return random.sample("binomial", size, n, p)


def poisson(lam: Value, size: Static, random: Random) -> Value:
    """A count of mean `lam`."""
    return random.sample("poisson", size, lam)


def geometric(p: Value, size: Static, random: Random) -> Value:
    """The number of trials up to the first success."""
    return random.sample("geometric", size, p)


def each_of_one(name: Static, first: Value, random: Random) -> Value:
    """One draw for each element of a parameter; of floats."""
    flat = first.reshape(first.size)
    result = np.zeros(first.size)
    for i in range(first.size):
        result[i] = random.sample(name, (), flat[i])
    return result.reshape(first.shape)


def each_of_two(name: Static, first: Value, second: Value, random: Random) -> Value:
    """One draw for each pair of parameters; of floats."""
    flat, other = first.reshape(first.size), second.reshape(first.size)
    result = np.zeros(first.size)
    for i in range(first.size):
        result[i] = random.sample(name, (), flat[i], other[i])
    return result.reshape(first.shape)


def each_count_of_one(name: Static, first: Value, random: Random) -> Value:
    """One draw for each element of a parameter; of whole numbers."""
    flat = first.reshape(first.size)
    result = np.zeros(first.size, dtype=np.int64)
    for i in range(first.size):
        result[i] = random.sample(name, (), flat[i])
    return result.reshape(first.shape)


def each_count_of_two(name: Static, first: Value, second: Value, random: Random) -> Value:
    """One draw for each pair of parameters; of whole numbers."""
    flat, other = first.reshape(first.size), second.reshape(first.size)
    result = np.zeros(first.size, dtype=np.int64)
    for i in range(first.size):
        result[i] = random.sample(name, (), flat[i], other[i])
    return result.reshape(first.shape)


def truncated_normal(low: Value, high: Value, mean: Value, sigma: Value, size: Static, random: Random) -> Value:
    """Normal numbers between `low` and `high`, one uniform each."""
    u = random.uniform(size)
    if len(size) == 0:
        return truncated_quantile(u, low, high, mean, sigma)
    flat = u.reshape(u.size)
    lows, highs = np.broadcast_to(low, size).reshape(u.size), np.broadcast_to(high, size).reshape(u.size)
    means, sigmas = np.broadcast_to(mean, size).reshape(u.size), np.broadcast_to(sigma, size).reshape(u.size)
    if u.size <= QUANTILES_OF_LANES:
        return np.array([truncated_quantile(flat[i], lows[i], highs[i], means[i], sigmas[i]) for i in range(u.size)]).reshape(size)
    result = np.zeros(u.size)
    for i in range(u.size):
        result[i] = truncated_quantile(flat[i], lows[i], highs[i], means[i], sigmas[i])
    return result.reshape(size)


def truncated_quantile(u: Value, low: Value, high: Value, mean: Value, sigma: Value) -> Value:
    """
    The number below which a truncated normal falls with probability u: `mean + sigma * Q(F(a) + u * (F(b) - F(a)))`.

    `a` and `b` are the bounds in units of sigma. An interval above the mean is reflected to the other side, where F is small and
    therefore exact. A result that rounding has moved across a bound is the bound.
    """
    result = np.nan
    if sigma > 0.0 and low < high:
        a, b = (low - mean) / sigma, (high - mean) / sigma
        sign = 1.0
        if a > 0.0:
            a, b, sign = -b, -a, -1.0
        below, above = 0.5 * erfc(-a * ROOT_HALF), 0.5 * erfc(-b * ROOT_HALF)
        if above > below:
            quantile = normal_quantile(below + max(u, TWO_MINUS_54) * (above - below))
            result = min(max(mean + sigma * (sign * quantile), low), high)
    return result


def categorical(p: Value, size: Static, random: Random) -> Value:
    """The index of the first cumulated probability above a uniform; -1 if p are no probabilities."""
    cumulated = np.cumsum(p)
    are_probabilities = np.all(p >= 0.0) and abs(cumulated[-1] - 1.0) <= SUM_TOLERANCE
    bounds = cumulated / cumulated[-1]
    u = random.uniform(size)
    if len(size) == 0:
        found = np.sum(bounds <= u)
    elif u.size <= ONE_BY_ONE:
        flat = u.reshape(u.size)
        found = np.array([np.sum(bounds <= flat[i]) for i in range(u.size)]).reshape(size)
    else:
        found = np.sum(bounds <= u.reshape((*size, 1)), axis=-1)
    return np.where(are_probabilities, found, -1)


def indices(n: Value, size: Static, random: Random) -> Value:
    """Whole numbers from 0 to n - 1."""
    if len(size) == 0:
        return random.integer(n)
    result = np.zeros(np.zeros(size).size, dtype=np.int64)
    for i in range(result.size):
        result[i] = random.integer(n)
    return result.reshape(size)


def up_to(largest: Value, masked: Static, random: Random) -> Value:
    """A whole number from 0 to `largest`: of 32 random bits so many as it has, again while they make too large a number."""
    if not masked:
        return random.integer(largest + 1)
    mask = largest | (largest >> 1)
    mask = mask | (mask >> 2)
    mask = mask | (mask >> 4)
    mask = mask | (mask >> 8)
    mask = mask | (mask >> 16)
    value = largest + 1
    while value > largest:
        value = random.integer(4294967296) & mask
    return value


def permuted(n: Static, masked: Static, random: Random) -> Value:
    """The numbers from 0 to n - 1 in random order (Fisher and Yates, from the end)."""
    order = np.arange(n)
    for step in range(n - 1):
        i = n - 1 - step
        j = up_to(i, masked, random)
        other = order[i]
        order[i] = order[j]
        order[j] = other
    return order


def distinct(n: Static, count: Static, random: Random) -> Value:
    """`count` different numbers below n in random order, as in `Generator.choice` (Floyd, or a shuffle of the end of all numbers)."""
    if n > 10000 and count > n // 50:
        order = np.arange(n)
        for step in range(min(count, n - 1)):
            i = n - 1 - step
            j = random.integer(i + 1)
            other = order[i]
            order[i] = order[j]
            order[j] = other
        return order[n - count :]
    chosen = np.zeros(count, dtype=np.int64)
    for i in range(count):
        value = random.integer(n - count + i + 1)
        for k in range(i):
            if chosen[k] == value:
                value = n - count + i
                break
        chosen[i] = value
    for step in range(count - 1):
        i = count - 1 - step
        j = random.integer(i + 1)
        other = chosen[i]
        chosen[i] = chosen[j]
        chosen[j] = other
    return chosen


def first_of_permuted(n: Static, count: Static, random: Random) -> Value:
    """`count` different numbers below n in random order, as in `RandomState.choice`: the first of all in random order."""
    return permuted(n, False, random)[:count]


def taken(a: Value, found: Value) -> Value:
    """The elements, or the rows, of an array at these places."""
    if a.ndim == 1:
        return a[found]
    result = np.zeros_like(a)
    for i in range(found.size):
        result[i] = a[found[i]]
    return result


def taken_at(a: Value, found: Value) -> Value:
    """The elements of a vector at an array of places."""
    return a[found.reshape(found.size)].reshape(found.shape)


def number_or_nan(value: Value, found: Value) -> Value:
    """Elements that were chosen; NaN where no place was drawn, because the probabilities are none."""
    return np.where(found < 0, np.nan, value)


def number_or_none(value: Value, found: Value) -> Value:
    """Whole numbers that were chosen; -1 where no place was drawn, because the probabilities are none."""
    return np.where(found < 0, -1, value)


def reshaped(x: Value, size: Static) -> Value:
    """An array of this shape, or its only element for `()`."""
    return x.reshape(size) if len(size) > 0 else x[0]
