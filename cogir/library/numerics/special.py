# NumPy types a few functions only in part.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
"""
Special functions of statistics, element by element: the compiled bodies of SciPy's `expit` and `gammaln`.

They choose with `np.where` instead of branches, so that loops over arrays vectorise and derivatives exist.
"""

import numpy as np

from cogir.library.signature import Value

NEAR_TWO = (
    0.42278433509846713,
    0.3224670334241132,
    -0.06735230105319814,
    0.02058080842778457,
    -0.0073855510286681535,
    0.002890510330738737,
    -0.0011927539120010226,
    0.0005096695248853096,
    -0.00022315475074520367,
    9.945750909889392e-05,
    -4.4926351103833334e-05,
    2.050726741605779e-05,
    -9.438458716242811e-06,
    4.374374916915131e-06,
    -2.0449201467015115e-06,
    9.578663334114758e-07,
    -4.303558760359961e-07,
    2.0304806751615227e-07,
    -1.3412819758517287e-07,
    6.379047507619774e-08,
)
"""
The coefficients, from the lowest, of `log(gamma(2 + y)) / y` for `|y| <= 0.5`: a Chebyshev interpolation of degree 19, good to 2.4e-17.
"""

STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400, 43867 / 244188, -174611 / 125400)
"""The coefficients of `1 / x`, `1 / x**3` ... in Stirling's series (NIST DLMF 5.11.1)."""
STIRLING_FROM = 8.0
HALF_LOG_TWO_PI = 0.9189385332046727
LARGEST_FRACTION = 2.0**52
"""From here on a double is a whole number."""


def expit(x: Value) -> Value:
    """`1 / (1 + exp(-x))`, from `exp(-abs(x))`, which does not overflow."""
    small = np.exp(np.where(x > 0.0, -x, x))
    return np.where(x > 0.0, 1.0, small) / (1.0 + small)


def log_gamma_above_zero(x: Value) -> Value:
    """
    `log(gamma(x))` for `x >= 0`.

    Below 8, `x` is moved to `2 + y` with `|y| <= 0.5` by `gamma(x + 1) = x * gamma(x)`; from 8 on, Stirling's series is summed.
    """
    is_small = x < STIRLING_FROM
    low, high = np.where(is_small, x, 1.0), np.where(is_small, STIRLING_FROM, x)
    factors = low * 0.0 + 1.0
    for step in (1.0, 2.0, 3.0, 4.0, 5.0, 6.0):
        factors = factors * np.where(low >= step + 1.5, low - step, 1.0)
    y = low - np.where(low < 0.5, 0.0, np.floor(low + 0.5))
    factors = np.where(low < 0.5, low * (low + 1.0), np.where(low < 1.5, low, factors))
    logarithm = np.log(np.where(is_small, factors, x))
    near = 0.0
    for coefficient in NEAR_TWO[::-1]:
        near = near * y + coefficient
    inverse = 1.0 / high
    square = inverse * inverse
    series = 0.0
    for coefficient in STIRLING[::-1]:
        series = series * square + coefficient
    far = (high - 0.5) * (logarithm - 1.0) + (series * inverse + (HALF_LOG_TWO_PI - 0.5))
    return np.where(is_small, np.where(low < 1.5, y * near - logarithm, y * near + logarithm), far)


def gammaln(x: Value) -> Value:
    """
    `log(abs(gamma(x)))`: infinite at 0, -1, -2 ... and at infinity, -inf at -inf.

    Below 0 by the reflection `gamma(x) * gamma(-x) = -pi / (x * sin(pi * x))`.
    """
    size = np.abs(x)
    mirrored = log_gamma_above_zero(size)
    is_negative = np.logical_and(x < -1e-20, size < LARGEST_FRACTION)
    inner = np.where(is_negative, size, 0.5)
    # The distance to the nearest whole number is exact.
    sine = np.abs(np.sin(np.pi * (inner - np.rint(inner))))
    reflected = np.log(np.pi / (inner * sine)) - np.where(is_negative, mirrored, 0.0)
    outer = np.where(np.logical_and(x < 0.0, size >= LARGEST_FRACTION), np.where(size == np.inf, x, np.inf), mirrored)
    return np.where(is_negative, reflected, outer)
