# NumPy types a few reductions only in part.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
"""
Distributions: nodes that draw. The input only gives the shape; one draw per element, in row-major order.

The generator is NumPy's (see `generators.py`), so with a NumPy state a stream is NumPy's, draw by draw.
"""

import numpy as np

from cogir.library.signature import NonNegative, Positive, Random, Value

_CENTRE = (
    (
        2509.0809287301227,
        33430.57558358813,
        67265.7709270087,
        45921.95393154987,
        13731.69376550946,
        1971.5909503065513,
        133.14166789178438,
        3.3871328727963665,
    ),
    (
        5226.495278852854,
        28729.085735721943,
        39307.89580009271,
        21213.794301586597,
        5394.196021424751,
        687.1870074920579,
        42.31333070160091,
        1.0,
    ),
)
_MIDDLE = (
    (
        0.0007745450142783414,
        0.022723844989269184,
        0.2417807251774506,
        1.2704582524523684,
        3.6478483247632045,
        5.769497221460691,
        4.630337846156546,
        1.4234371107496835,
    ),
    (
        1.0507500716444169e-09,
        0.0005475938084995345,
        0.015198666563616457,
        0.14810397642748008,
        0.6897673349851,
        1.6763848301838038,
        2.053191626637759,
        1.0,
    ),
)
_TAIL = (
    (
        2.0103343992922881e-07,
        2.7115555687434876e-05,
        0.0012426609473880784,
        0.026532189526576124,
        0.29656057182850487,
        1.7848265399172913,
        5.463784911164114,
        6.657904643501103,
    ),
    (
        2.0442631033899397e-15,
        1.421511758316446e-07,
        1.8463183175100548e-05,
        0.0007868691311456133,
        0.014875361290850615,
        0.1369298809227358,
        0.599832206555888,
        1.0,
    ),
)
"""Numerators and denominators of AS 241: near the centre, further out, in the tails."""


def normal_dist(variable: Value, *, mean: Value = 0.0, standard_deviation: NonNegative = 1.0, random: Random) -> Value:
    """
    `mean + standard_deviation * N`

    Parameters (numbers, or arrays of the input's shape): `mean`; `standard_deviation` (>= 0), in the unit of the mean.

    Input: `variable`, of any shape, which gives only the shape. Output: `value`, of that shape. Draws: one standard normal `N` for each
    element.

    Source: PsyNeuLink `NormalDist`.

        model.node("noise", library.normal_dist, input=2, mean=3.0, standard_deviation=0.5)
    """
    return mean + standard_deviation * random.normal(variable.shape)


def uniform_dist(variable: Value, *, low: Value = 0.0, high: Value = 1.0, random: Random) -> Value:
    """
    `low + (high - low) * U` with U uniform in [0, 1)

    Parameters (numbers, or arrays of the input's shape): `low` and `high`, the limits.

    Input: `variable`, of any shape, which gives only the shape. Output: `value`, of that shape. Draws: one uniform number U for each
    element.

    Source: PsyNeuLink `UniformDist`.

        model.node("noise", library.uniform_dist, input=2, low=-1.0, high=1.0)
    """
    return low + (high - low) * random.uniform(variable.shape)


def exponential_dist(variable: Value, *, beta: NonNegative = 1.0, random: Random) -> Value:
    """
    `-beta * log(1 - U)` with U uniform in [0, 1): an exponential distribution of mean `beta`

    Parameter: `beta` (>= 0), the mean; a number, or an array of the input's shape.

    Input: `variable`, of any shape, which gives only the shape. Output: `value`, of that shape. Draws: one uniform number U for each
    element, as NumPy's legacy generator inverts the distribution. With `mt19937`, the last bits differ from NumPy's in about 1 % of the
    numbers, as `np.log` here is cogir's own; those of `random.exponential` are NumPy's.

    Source: PsyNeuLink `ExponentialDist`.

        model.node("wait", library.exponential_dist, input=1, beta=2.0)
    """
    return beta * -np.log(1.0 - random.uniform(variable.shape))


def wald_dist(variable: Value, *, scale: Positive = 1.0, mean: Positive = 1.0, random: Random) -> Value:
    """
    The inverse Gaussian (Wald) distribution of mean `mean` and shape `scale`, whose variance is `mean**3 / scale`

    Parameters, numbers in the unit of the result: `mean` (> 0); `scale` (> 0), often called lambda: the larger, the narrower.

    Input: `variable`, of any shape, which gives only the shape. Output: `value`, of that shape. Draws: one standard normal and one uniform
    number for each element, in the order of NumPy's legacy `wald`.

    Source: Michael, Schucany and Haas (1976); PsyNeuLink `WaldDist`.

        model.node("time", library.wald_dist, input=1, mean=0.5, scale=2.0)
    """
    result = np.zeros(variable.size)
    half = mean / (2.0 * scale)
    for i in range(variable.size):
        normal = random.normal()
        squared = mean * normal * normal
        x = mean + half * (squared - np.sqrt(4.0 * scale * squared + squared * squared))
        u = random.uniform()
        if u <= mean / (mean + x):
            result[i] = x
        else:
            result[i] = mean * mean / x
    return result.reshape(variable.shape)


def gamma_dist(variable: Value, *, scale: NonNegative = 1.0, dist_shape: NonNegative = 1.0, random: Random) -> Value:
    """
    The gamma distribution of shape `dist_shape` and mean `dist_shape * scale`

    Parameters, numbers: `scale` (>= 0), in the unit of the result; `dist_shape` (>= 0), without unit, where 0 gives 0.

    Input: `variable`, of any shape, which gives only the shape. Output: `value`, of that shape. Draws: those of NumPy's legacy
    `standard_gamma`, in its order; their number varies by rejection, except for a shape of 1. With `mt19937` and a shape of at most 1, the
    last bits differ from NumPy's in 1 to 2 % of the numbers, as `np.log` and `np.power` here are cogir's own; those of `random.gamma` are
    NumPy's.

    Source: Marsaglia and Tsang (2000) for shapes above 1; PsyNeuLink `GammaDist`.

        model.node("wait", library.gamma_dist, input=1, scale=0.5, dist_shape=2.0)
    """
    result = np.zeros(variable.size)
    for i in range(variable.size):
        result[i] = scale * _standard_gamma(dist_shape, random)
    return result.reshape(variable.shape)


def _standard_gamma(shape: Value, random: Random) -> Value:
    """One draw from the gamma distribution of scale 1."""
    result = 0.0
    if shape == 1.0:
        result = -np.log(1.0 - random.uniform())
    elif shape > 1.0:
        result = _large_gamma(shape, random)
    elif shape > 0.0:
        result = _small_gamma(shape, random)
    return result


def _large_gamma(shape: Value, random: Random) -> Value:
    """Marsaglia and Tsang: a cubed normal, squeezed; for shapes above 1."""
    b = shape - 1.0 / 3.0
    c = 1.0 / np.sqrt(9.0 * b)
    v = 1.0
    accepted = False
    while not accepted:
        x = random.normal()
        v = 1.0 + c * x
        while v <= 0.0:
            x = random.normal()
            v = 1.0 + c * x
        v = v * v * v
        u = random.uniform()
        accepted = u < 1.0 - 0.0331 * (x * x) * (x * x)
        if not accepted:
            accepted = np.log(u) < 0.5 * x * x + b * (1.0 - v + np.log(v))
    return b * v


def _small_gamma(shape: Value, random: Random) -> Value:
    """Rejection from a power and an exponential part; for shapes below 1."""
    x = 0.0
    accepted = False
    while not accepted:
        u = random.uniform()
        v = -np.log(1.0 - random.uniform())
        if u <= 1.0 - shape:
            x = np.power(u, 1.0 / shape)
            accepted = x <= v
        else:
            y = -np.log((1.0 - u) / shape)
            x = np.power(1.0 - shape + shape * y, 1.0 / shape)
            accepted = x <= v + y
    return x


def uniform_to_normal_dist(variable: Value, *, mean: Value = 0.0, standard_deviation: NonNegative = 1.0, random: Random) -> Value:
    """
    `normal_quantile(U) * standard_deviation + mean` with U uniform in [0, 1): a normal distribution by inversion

    Parameters (numbers, or arrays of the input's shape): `mean`; `standard_deviation` (>= 0), in the unit of the mean.

    Input: `variable`, of any shape, which gives only the shape. Output: `value`, of that shape. Draws: one uniform number U for each
    element.

    Source: PsyNeuLink `UniformToNormalDist`.

        model.node("noise", library.uniform_to_normal_dist, input=2, mean=3.0, standard_deviation=0.5)
    """
    result = np.zeros(variable.size)
    for i in range(variable.size):
        result[i] = normal_quantile(random.uniform())
    return result.reshape(variable.shape) * standard_deviation + mean


def normal_quantile(p: Value) -> Value:
    """
    The number below which a standard normal falls with the probability `p`

    Input: `p`, a number above 0 and below 1; others give NaN. Output: `value`, a number, with a relative error below 1e-15
    (measured: 7e-16).

    Source: Wichura (1988), algorithm AS 241.

        library.normal_quantile(0.975)  # 1.96
    """
    q = p - 0.5
    sign = 1.0
    if abs(q) <= 0.425:
        r = 0.180625 - q * q
        numerator = _polynomial(r, _CENTRE[0]) * q
        denominator = _polynomial(r, _CENTRE[1])
    else:
        sign = -1.0 if q < 0.0 else 1.0
        r = np.sqrt(-np.log(p if q <= 0.0 else 1.0 - p))
        if r <= 5.0:
            numerator = _polynomial(r - 1.6, _MIDDLE[0])
            denominator = _polynomial(r - 1.6, _MIDDLE[1])
        else:
            numerator = _polynomial(r - 5.0, _TAIL[0])
            denominator = _polynomial(r - 5.0, _TAIL[1])
    return sign * (numerator / denominator)


def _polynomial(x: Value, coefficients: Value) -> Value:
    """Horner's scheme; the coefficient of the highest power comes first."""
    total = 0.0
    for c in coefficients:
        total = total * x + c
    return total
