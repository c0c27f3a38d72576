"""
log, exp, pow and log1p to the bit as glibc has them: what NumPy's streams are made with on Linux.

The algorithms are those of Arm's optimized routines and, for log1p, of FreeBSD's msun (Sun Microsystems, 1993). glibc is compiled for
several processors, and a compiler may fuse a multiplication and an addition: `fused` says whether it has. In which order is part of the
result; the fused operations here are those that GCC makes of the sources. `c_library.py` finds out what the functions of a machine are.
"""

from collections.abc import Callable

from cogir.library.numerics.glibc_tables import (
    EXP_SCALES,
    EXP_TAILS,
    LOG_INVERSES,
    LOG_LOGS,
    LOG_MIDDLES,
    LOG_MIDDLES_LOW,
    POW_INVERSES,
    POW_LOGS,
    POW_LOGS_LOW,
)
from cogir.library.numerics.intrinsics import (
    absolute,
    bits_of,
    divide,
    float_of,
    fma,
    from_bits,
    select,
    wrapping_add,
    wrapping_sub,
)
from cogir.library.numerics.log import FRACTION_BITS, INFINITY, NAN, SMALLEST_NORMAL, at_the_edges, power_at_the_edges
from cogir.library.signature import Static

TWO_27 = 134217728.0
TWO_52 = 4503599627370496.0
LN2_HIGH = 0.6931471805598903
"""The first 42 bits of log(2)."""
LN2_LOW = 5.497923018708371e-14
LOG_START = bits_of(0.6875)
POW_START = 0x3FE6955500000000
"""The bits at which the intervals of the tables begin."""
EXPONENT_AND_SIGN = -(1 << 52)
NEAR_ONE = 0.9375
ABOVE_ONE = 1.064697265625
"""log has a polynomial of its own between these."""
INVERSE_LN2_128 = 184.6649652337873
"""128 / log(2)"""
MINUS_LN2_128_HIGH = -0.005415212348111709
MINUS_LN2_128_LOW = -1.2864023111638346e-14
ROUNDS = 6755399441055744.0
"""1.5 * 2**52, which leaves the bits of a whole number in the low bits of a sum."""
UPPER_32 = -(1 << 32)
UPPER_37 = -(1 << 27)
LOG1P_LN2_HIGH = 6.93147180369123816490e-01
LOG1P_LN2_LOW = 1.90821492927058770002e-10
ROOT_TWO_LESS_ONE = from_bits(0x3FDA827A << 32)
ROOT_HALF_LESS_ONE = -from_bits(0x3FD2BEC4 << 32)
"""log1p takes x for f between these."""
ROOT_TWO_UPPER = 0x6A09E
TWO_53 = 9007199254740992.0
TWO_1009 = 2.0**1009
TWO_MINUS_29 = 2.0**-29
TWO_MINUS_54 = 2.0**-54


def multiply_add(a: float, b: float, c: float, fused: Static) -> float:
    """`a * b + c`, rounded once or twice."""
    return fma(a, b, c) if fused else a * b + c


def log_near_one(x: float, fused: Static) -> float:
    """The logarithm between 15/16 and 1 + 2.07 / 32."""
    r = x - 1.0
    r2 = r * r
    r3 = r * r2
    first = multiply_add(-0.24999999999998432, r, 0.3333333333333352, fused)
    first = multiply_add(0.19999999999320328, r2, first, fused)
    second = multiply_add(0.14285715076560868, r, -0.16666666669929706, fused)
    second = multiply_add(-0.12499997863982555, r2, second, fused)
    third = multiply_add(-0.10000486757818193, r, 0.11110712032936046, fused)
    third = multiply_add(0.09181994006195467, r2, third, fused)
    third = multiply_add(-0.08328363062289341, r3, third, fused)
    series = multiply_add(multiply_add(third, r3, second, fused), r3, first, fused)
    upper = multiply_add(-r, TWO_27, multiply_add(r, TWO_27, r, fused), fused)
    square = upper * upper
    high = multiply_add(square, -0.5, r, fused)
    low = multiply_add(square, -0.5, r - high, fused)
    low = multiply_add(-0.5 * (r - upper), r + upper, low, fused)
    return high + multiply_add(series, r3, low, fused)


def log_elsewhere(x: float, fused: Static) -> float:
    """The logarithm of a positive finite number that is not near 1."""
    subnormal = x < SMALLEST_NORMAL
    bits = bits_of(select(subnormal, x * TWO_52, x))
    bits = wrapping_sub(bits, select(subnormal, 52 << 52, 0))
    offset = wrapping_sub(bits, LOG_START)
    i = (offset >> 45) & 127
    k = float_of(offset >> 52)
    z = from_bits(wrapping_sub(bits, offset & EXPONENT_AND_SIGN))
    inverse, logarithm = LOG_INVERSES[i], LOG_LOGS[i]
    r = fma(z, inverse, -1.0) if fused else ((z - LOG_MIDDLES[i]) - LOG_MIDDLES_LOW[i]) * inverse
    w = multiply_add(k, LN2_HIGH, logarithm, fused)
    high = w + r
    low = multiply_add(k, LN2_LOW, (w - high) + r, fused)
    r2 = r * r
    series = multiply_add(-0.16667054827627667, r, 0.20000304511814496, fused)
    series = multiply_add(series, r2, multiply_add(-0.2499999999622955, r, 0.33333333331825593, fused), fused)
    return multiply_add(r * r2, series, multiply_add(-0.5000000000000001, r2, low, fused), fused) + high


def glibc_log(x: float, fused: Static) -> float:
    """The natural logarithm."""
    near = NEAR_ONE <= x and x < ABOVE_ONE
    value = select(near, log_near_one(x, fused), log_elsewhere(x, fused))
    return at_the_edges(x, value)


def glibc_exp_reduced(x: float, x_low: float, fused: Static) -> tuple[float, int]:
    """`t` and the bits of `s`, where `exp(x + x_low) = s + s * t` for `|x|` below 1024; the exponent of `s` may have overflown."""
    turns = multiply_add(x, INVERSE_LN2_128, ROUNDS, fused)
    k = bits_of(turns)
    whole = turns - ROUNDS
    r = multiply_add(whole, MINUS_LN2_128_LOW, multiply_add(whole, MINUS_LN2_128_HIGH, x, fused), fused) + x_low
    i = k & 127
    r2 = r * r
    low = multiply_add(r2, multiply_add(r, 0.16666666666665886, 0.49999999999996786, fused), EXP_TAILS[i] + r, fused)
    t = multiply_add(r2 * r2, multiply_add(r, 0.008333335853059549, 0.0416666808410674, fused), low, fused)
    return t, wrapping_add(EXP_SCALES[i], k << 45)


def glibc_exp_pair(x: float, x_low: float, fused: Static) -> float:
    """`exp(x + x_low)`; NaN if x is."""
    inside = absolute(x) < 1024.0
    t, bits = glibc_exp_reduced(select(inside, x, 0.0), select(inside, x_low, 0.0), fused)
    scale = from_bits(bits)
    value = multiply_add(scale, t, scale, fused)
    # From 512 on the exponent of the scale is moved before it is used.
    large = from_bits(wrapping_sub(bits, 1009 << 52))
    value = select(x >= 512.0, TWO_1009 * multiply_add(large, t, large, fused), value)
    small = from_bits(wrapping_add(bits, 1022 << 52))
    product = small * t
    y = small + product
    high = 1.0 + y
    rounded = (high + (((1.0 - high) + y) + ((small - y) + product))) - 1.0
    value = select(x <= -512.0, SMALLEST_NORMAL * select(y < 1.0, rounded, y), value)
    return select(inside, value, select(x > 0.0, INFINITY, select(x < 0.0, 0.0, x)))


def glibc_exp(x: float, fused: Static) -> float:
    """The exponential function."""
    return glibc_exp_pair(x, 0.0, fused)


def glibc_log_pair(x: float, fused: Static) -> tuple[float, float]:
    """The logarithm of a positive finite number with some 15 more bits."""
    subnormal = x < SMALLEST_NORMAL
    bits = bits_of(select(subnormal, x * TWO_52, x))
    bits = wrapping_sub(bits, select(subnormal, 52 << 52, 0))
    offset = wrapping_sub(bits, POW_START)
    i = (offset >> 45) & 127
    k = float_of(offset >> 52)
    fraction = wrapping_sub(bits, offset & EXPONENT_AND_SIGN)
    z = from_bits(fraction)
    inverse = POW_INVERSES[i]
    z_high = from_bits(wrapping_add(fraction, 1 << 31) & UPPER_32)
    r_high, r_low = z_high * inverse - 1.0, (z - z_high) * inverse
    r = fma(z, inverse, -1.0) if fused else r_high + r_low
    first = multiply_add(k, LN2_HIGH, POW_LOGS[i], fused)
    second = first + r
    low = multiply_add(k, LN2_LOW, POW_LOGS_LOW[i], fused) + ((first - second) + r)
    half = -0.5 * r
    half2 = r * half
    if fused:
        high = second + half2
        low = (low + fma(half, r, -half2)) + ((second - high) + half2)
    else:
        half_high = -0.5 * r_high
        square = r_high * half_high
        high = second + square
        low = (low + r_low * (half + half_high)) + ((second - high) + square)
    series = multiply_add(r, 1.0000415263675542, -1.142909628459501, fused)
    series = multiply_add(half2, series, multiply_add(r, -0.6666666663487739, 0.7999999995323976, fused), fused)
    series = multiply_add(half2, series, multiply_add(r, 0.5000000000000007, -0.6666666666666679, fused), fused)
    low = multiply_add(r * half2, series, low, fused)
    value = high + low
    return value, (high - value) + low


def glibc_pow(x: float, y: float, fused: Static) -> float:
    """`x**y`, with C's special values."""
    magnitude = absolute(x)
    logarithm, logarithm_low = glibc_log_pair(magnitude, fused)
    if fused:
        power = y * logarithm
        power_low = fma(y, logarithm_low, fma(y, logarithm, -power))
    else:
        y_high = from_bits(bits_of(y) & UPPER_37)
        logarithm_high = from_bits(bits_of(logarithm) & UPPER_37)
        power = y_high * logarithm_high
        power_low = (y - y_high) * logarithm_high + y * ((logarithm - logarithm_high) + logarithm_low)
    return power_at_the_edges(x, y, glibc_exp_pair(power, power_low, fused))


def glibc_log1p(x: float, fused: Static) -> float:
    """`log(1 + x)`, without cancellation near zero."""
    inside = x > -1.0 and x < INFINITY
    given = select(inside, x, 1.0)
    # log(1 + x) = k log(2) + log(1 + f), and c is what 1 + x has lost.
    near = given < ROOT_TWO_LESS_ONE and given > ROOT_HALF_LESS_ONE
    huge = given >= TWO_53
    u = select(huge, given, 1.0 + given)
    bits = bits_of(u)
    k = (bits >> 52) - 1023
    lost = divide(select(k > 0, 1.0 - (u - given), given - (u - 1.0)), u)
    lost = select(near or huge, 0.0, lost)
    upper = (bits >> 32) & 0xFFFFF
    small = upper < ROOT_TWO_UPPER
    k = select(near, 0, select(small, k, k + 1))
    exponent = select(small, 1023, 1022)
    f = select(near, given, from_bits((bits & FRACTION_BITS) | (exponent << 52)) - 1.0)
    tiny = not near and select(small, upper, (0x100000 - upper) >> 2) == 0
    turns = float_of(k)
    half_square = 0.5 * f * f
    s = divide(f, 2.0 + f)
    z = s * s
    z2 = z * z
    z4 = z2 * z2
    series = z2 * multiply_add(z, 2.857142874366239149e-01, 3.999999999940941908e-01, fused)
    series = multiply_add(z, 6.666666666666735130e-01, series, fused)
    series = multiply_add(z4, multiply_add(z, 1.818357216161805012e-01, 2.222219843214978396e-01, fused), series, fused)
    series = multiply_add(z4 * z2, multiply_add(z, 1.479819860511658591e-01, 1.531383769920937332e-01, fused), series, fused)
    rest = s * (half_square + series)
    low = multiply_add(turns, LOG1P_LN2_LOW, lost, fused)
    scaled = multiply_add(turns, LOG1P_LN2_HIGH, -((half_square - (rest + low)) - f), fused)
    value = select(k == 0, f - (half_square - rest), scaled)
    # f below 2**-20.
    cubic = half_square * multiply_add(-0.66666666666666666, f, 1.0, fused)
    scaled = multiply_add(turns, LOG1P_LN2_HIGH, -((cubic - low) - f), fused)
    scaled = select(f == 0.0, select(k == 0, 0.0, turns * LOG1P_LN2_HIGH + low), scaled)
    value = select(tiny, select(k == 0, f - cubic, scaled), value)
    magnitude = absolute(given)
    value = select(magnitude < TWO_MINUS_29, multiply_add(-given * given, 0.5, given, fused), value)
    value = select(magnitude < TWO_MINUS_54, given, value)
    return select(inside, value, select(x == -1.0, -INFINITY, select(x < -1.0, NAN, x)))


def log_fused(x: float) -> float:
    """The logarithm of a glibc with fused operations."""
    return glibc_log(x, True)


def log_separate(x: float) -> float:
    """The logarithm of a glibc without them."""
    return glibc_log(x, False)


def exp_fused(x: float) -> float:
    """The exponential function of a glibc with fused operations."""
    return glibc_exp(x, True)


def exp_separate(x: float) -> float:
    """The exponential function of a glibc without them."""
    return glibc_exp(x, False)


def log1p_fused(x: float) -> float:
    """`log(1 + x)` of a glibc with fused operations."""
    return glibc_log1p(x, True)


def log1p_separate(x: float) -> float:
    """`log(1 + x)` of a glibc without them."""
    return glibc_log1p(x, False)


def pow_fused(x: float, y: float) -> float:
    """`x**y` of a glibc with fused operations."""
    return glibc_pow(x, y, True)


def pow_separate(x: float, y: float) -> float:
    """`x**y` of a glibc without them."""
    return glibc_pow(x, y, False)


BODIES: dict[tuple[str, str], Callable[..., float]] = {
    ("log", "fused"): log_fused,
    ("log", "separate"): log_separate,
    ("exp", "fused"): exp_fused,
    ("exp", "separate"): exp_separate,
    ("log1p", "fused"): log1p_fused,
    ("log1p", "separate"): log1p_separate,
    ("pow", "fused"): pow_fused,
    ("pow", "separate"): pow_separate,
}
"""The functions by C's name, and by how they round."""
