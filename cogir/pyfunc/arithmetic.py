"""
Operators that no operation of `arith` has, written in the Python subset: they are compiled like any other function.

`%` and `//` of floats are NumPy's `remainder` and `floor_divide`, exact in the remainder. They are Python only to be
read; as Python they give the same numbers.
"""

import numpy as np

from cogir.library.numerics.intrinsics import absolute, copysign, divide


def truncated_remainder(dividend: float, divisor: float) -> float:
    """C's fmod: `dividend - n * divisor` with n towards zero, exactly; NaN for an infinite dividend or divisor 0."""
    rest = absolute(dividend)
    step = absolute(divisor)
    if np.isnan(rest) or np.isnan(step) or np.isinf(rest) or step == 0.0:
        return np.nan
    if rest < step:
        return dividend
    # Long division in base 2: every difference below is exact.
    multiple = step
    while rest - multiple >= multiple:
        multiple = multiple + multiple
    while multiple > step:
        if rest >= multiple:
            rest = rest - multiple
        multiple = 0.5 * multiple
    if rest >= step:
        rest = rest - step
    return copysign(rest, dividend)


def float_remainder(dividend: float, divisor: float) -> float:
    """`dividend % divisor`: fmod brought to the sign of the divisor; a zero takes the divisor's sign."""
    remainder = truncated_remainder(dividend, divisor)
    if remainder == 0.0:
        return copysign(0.0, divisor)
    if (divisor < 0.0) != (remainder < 0.0):
        return remainder + divisor
    return remainder


def float_floor_divide(dividend: float, divisor: float) -> float:
    """`dividend // divisor`, as NumPy computes it from the exact remainder."""
    if divisor == 0.0:
        return divide(dividend, divisor)
    remainder = truncated_remainder(dividend, divisor)
    quotient = (dividend - remainder) / divisor
    if remainder != 0.0 and (divisor < 0.0) != (remainder < 0.0):
        quotient = quotient - 1.0
    if quotient == 0.0:
        return copysign(0.0, dividend / divisor)
    floored = float(np.floor(quotient))
    if quotient - floored > 0.5:
        return floored + 1.0
    return floored


def integer_power(base: int, exponent: int) -> int:
    """`base ** exponent` of integers, `exponent >= 0`, wrapping around; 1 for a negative exponent (Python gives a float)."""
    result = 1
    factor = base
    while exponent > 0:
        if exponent % 2 == 1:
            result = result * factor
        factor = factor * factor
        exponent = exponent // 2
    return result
