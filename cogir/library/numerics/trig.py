"""
The trigonometric functions and their inverses: sin, cos, tan, asin, acos, atan, atan2.

sin, cos and tan reduce their argument exactly for every double: below 2**27 by three parts of pi/2 (Cody and Waite), above by a
product with 192 bits of 2/pi taken from the right place (Payne and Hanek).
"""

import math

import numpy as np

from cogir.library.numerics.intrinsics import (
    absolute,
    bits_of,
    copysign,
    divide,
    float_of,
    fma,
    less_unsigned,
    mul_hi_unsigned,
    select,
    shift_left,
    shift_right_logical,
    sqrt,
    wrapping_add,
    wrapping_mul,
    wrapping_sub,
)
from cogir.library.numerics.parts import (
    fast_two_sum,
    pair_product,
    pair_quotient,
    poly4,
    poly8,
    round_to_integer,
    two_product,
    two_sum,
)

INFINITY = math.inf
TWO_OVER_PI = 0.6366197723675814
HALF_PI = 1.5707963267948966
HALF_PI_LOW = 6.123233995736766e-17
HALF_PI_LOWER = -1.4973849048591698e-33
PI = 3.141592653589793
PI_LOW = 1.2246467991473532e-16
TWO_PI = 6.283185307179586
TWO_PI_LOW = 2.4492935982947064e-16
ATAN_HALF = 0.4636476090008061
ATAN_HALF_LOW = 2.2698777452961687e-17
QUARTER_PI = 0.7853981633974483
QUARTER_PI_LOW = 3.061616997868383e-17
DOWN_SCALE, UP_SCALE = 2.0**-60, 2.0**60
FRACTION_BITS = 0x000FFFFFFFFFFFFF
HIDDEN_BIT = 0x0010000000000000
LOW_HALF = 0xFFFFFFFF
TWO_MINUS_32, TWO_MINUS_64, TWO_MINUS_96, TWO_MINUS_128 = 2.0**-32, 2.0**-64, 2.0**-96, 2.0**-128

# 1280 bits of 2/pi, after a word of zeros so that a window may begin left of the point.
TWO_OVER_PI_WORDS = np.frombuffer(
    bytes(8)
    + bytes.fromhex(
        "a2f9836e4e441529fc2757d1f534ddc0db6295993c439041fe5163abdebbc561"
        "b7246e3a424dd2e006492eea09d1921cfe1deb1cb129a73ee88235f52ebb4484"
        "e99c7026b45f7e413991d639835339f49c845f8bbdf9283b1ff897ffde05980f"
        "ef2f118b5a0a6d1f6d367ecf27cb09b74f463f669e5fea2d7527bac7ebe5f17b"
        "3d0739f78a5292ea6bfb5fb11f8d5d0856033046fc7b6babf0cfbc209af4361d"
    ),
    dtype=">i8",
).astype(np.int64)


def reduce_small(x: float) -> tuple[int, float, float]:
    """`(q, r, r_low)` with `x = q pi/2 + r + r_low` and `|r|` at most about pi/4, for `|x| < 2**27`."""
    whole, q = round_to_integer(x * TWO_OVER_PI)
    # The first step is exact, the second is kept as a pair, the third only corrects it.
    first = fma(-whole, HALF_PI, x)
    product, product_low = two_product(whole, HALF_PI_LOW)
    second, second_low = two_sum(first, -product)
    r, r_low = fast_two_sum(second, second_low - fma(whole, HALF_PI_LOWER, product_low))
    return q, r, r_low


def window(bit: int) -> int:
    """The 64 bits of `TWO_OVER_PI_WORDS` that begin at `bit`."""
    word = bit >> 6
    offset = bit & 63
    following = shift_right_logical(shift_right_logical(TWO_OVER_PI_WORDS[word + 1], 1), 63 - offset)
    return shift_left(TWO_OVER_PI_WORDS[word], offset) | following


def reduce_large(x: float) -> tuple[int, float, float]:
    """As `reduce_small`, for finite `|x| >= 2**27` (and something harmless for the others)."""
    bits = bits_of(absolute(x))
    mantissa = (bits & FRACTION_BITS) | HIDDEN_BIT
    # x = mantissa * 2**exponent. Bits of 2/pi that make multiples of 4 in the product are left out.
    exponent = (bits >> 52) - 1075
    start = select(exponent > 971, 971, exponent) + 62
    high, middle, low = window(start), window(start + 64), window(start + 128)
    # 192 bits of mantissa * window: two bits of quadrant, then the fraction of a quadrant.
    carried = mul_hi_unsigned(mantissa, low)
    second = wrapping_add(wrapping_mul(mantissa, middle), carried)
    carry = select(less_unsigned(second, carried), 1, 0)
    first = wrapping_add(wrapping_add(wrapping_mul(mantissa, high), mul_hi_unsigned(mantissa, middle)), carry)
    third = wrapping_mul(mantissa, low)
    head = shift_left(first, 2) | shift_right_logical(second, 62)
    tail = shift_left(second, 2) | shift_right_logical(third, 62)
    # Read as signed the fraction lies in [-1/2, 1/2); then the quadrant is one more where it is negative.
    q = wrapping_add(shift_right_logical(first, 62), shift_right_logical(head, 63))
    fraction, fraction_low = fast_two_sum(float_of(head >> 32) * TWO_MINUS_32, float_of(head & LOW_HALF) * TWO_MINUS_64)
    rest = float_of(shift_right_logical(tail, 32)) * TWO_MINUS_96
    rest = rest + float_of(tail & LOW_HALF) * TWO_MINUS_128
    fraction, fraction_low = two_sum(fraction, fraction_low + rest)
    r, r_low = pair_product(fraction, fraction_low, HALF_PI, HALF_PI_LOW)
    negative = x < 0.0
    return select(negative, wrapping_sub(0, q), q), select(negative, -r, r), select(negative, -r_low, r_low)


def reduce_quadrant(x: float) -> tuple[int, float, float]:
    """`(q, r, r_low)` with `x = q pi/2 + r + r_low` (q modulo 4) and `|r|` at most about pi/4."""
    if absolute(x) < 134217728.0:
        return reduce_small(x)
    return reduce_large(x)


def sin_reduced(r: float, r_low: float) -> tuple[float, float]:
    """`sin(r + r_low)` as a pair (to about 2**-57), for `|r| < 0.8`."""
    z = r * r
    series = fma(
        fma(fma(-7.586455940017973e-13, z, 1.605852751943773e-10), z, -2.5052106206531682e-08),
        z * z * (z * z),
        poly4(z, -0.16666666666666666, 0.008333333333333331, -0.00019841269841264968, 2.755731921926441e-06),
    )
    return r, fma(r * z, series, fma(r_low * z, -0.5, r_low))


def cos_reduced(r: float, r_low: float) -> tuple[float, float]:
    """`cos(r + r_low)` as a pair (to about 2**-58), for `|r| < 0.8`."""
    z = r * r
    series = fma(
        fma(fma(4.745737811425911e-14, z, -1.1470458608341428e-11), z, 2.0876755776671767e-09),
        z * z * (z * z),
        poly4(z, 0.041666666666666664, -0.0013888888888888887, 2.4801587301584594e-05, -2.755731922136126e-07),
    )
    half, half_low = two_product(r, 0.5 * r)
    high, low = fast_two_sum(1.0, -half)
    return high, low + (fma(z * z, series, -half_low) - r_low * r)


def quadrant_value(q: int, sine: float, cosine: float) -> float:
    """`sin(q pi/2 + r)` from the sine and cosine of r."""
    value = select((q & 1) == 0, sine, cosine)
    return select((q & 2) == 0, value, -value)


def sin(x: float) -> float:
    """The sine."""
    q, r, r_low = reduce_quadrant(x)
    sine, sine_low = sin_reduced(r, r_low)
    cosine, cosine_low = cos_reduced(r, r_low)
    value = quadrant_value(q, sine + sine_low, cosine + cosine_low)
    value = select(x == 0.0, x, value)
    return select(absolute(x) < INFINITY, value, x - x)


def cos(x: float) -> float:
    """The cosine."""
    q, r, r_low = reduce_quadrant(x)
    sine, sine_low = sin_reduced(r, r_low)
    cosine, cosine_low = cos_reduced(r, r_low)
    value = quadrant_value(wrapping_add(q, 1), sine + sine_low, cosine + cosine_low)
    return select(absolute(x) < INFINITY, value, x - x)


def tan(x: float) -> float:
    """The tangent."""
    q, r, r_low = reduce_quadrant(x)
    sine, sine_low = sin_reduced(r, r_low)
    sine, sine_low = fast_two_sum(sine, sine_low)
    cosine, cosine_low = cos_reduced(r, r_low)
    cosine, cosine_low = fast_two_sum(cosine, cosine_low)
    even = (q & 1) == 0
    high, low = pair_quotient(
        select(even, sine, -cosine),
        select(even, sine_low, -cosine_low),
        select(even, cosine, sine),
        select(even, cosine_low, sine_low),
    )
    value = select(x == 0.0, x, high + low)
    return select(absolute(x) < INFINITY, value, x - x)


def asin_tail(z: float) -> float:
    """`(asin(x) - x) / x**3` at `z = x**2 <= 1/4`."""
    low = poly8(
        z,
        0.16666666666666669,
        0.07499999999998433,
        0.04464285714635543,
        0.030381944138531247,
        0.02237217294214989,
        0.017352392720869973,
        0.013971212973552933,
        0.011479177415184906,
    )
    high = poly4(z, 0.01032281435018578, 0.005457506718640358, 0.01740087944269402, -0.014851887071247204)
    z2 = z * z
    z4 = z2 * z2
    high = fma(0.028757851367421566, z4, high)
    return fma(high, z4 * z4, low)


def asin_parts(x: float) -> tuple[bool, float, float]:
    """
    For `|x| <= 1`: whether `|x| > 1/2`, and a pair.

    The pair is `asin(|x|)` up to 1/2, and `acos(|x|) = 2 asin(sqrt((1 - |x|) / 2))` above.
    """
    magnitude = absolute(x)
    outer = magnitude > 0.5
    z = select(outer, 0.5 * (1.0 - magnitude), magnitude * magnitude)
    root = select(outer, sqrt(z), magnitude)
    # What the rounded square root lacks, to first order.
    missing = divide(0.5 * fma(-root, root, z), root)
    low = select(outer and z > 0.0, missing, 0.0)
    low = fma(root * z, asin_tail(z), low)
    factor = select(outer, 2.0, 1.0)
    return outer, factor * root, factor * low


def asin(x: float) -> float:
    """The inverse sine, in [-pi/2, pi/2]; NaN outside [-1, 1]."""
    outer, high, low = asin_parts(x)
    top, top_low = fast_two_sum(HALF_PI, -high)
    value = select(outer, top + (top_low + (HALF_PI_LOW - low)), high + low)
    return copysign(value, x)


def acos(x: float) -> float:
    """The inverse cosine, in [0, pi]; NaN outside [-1, 1]."""
    outer, high, low = asin_parts(x)
    negative = x < 0.0
    # acos(x) = pi/2 - asin(x) inside; acos(|x|) or pi - acos(|x|) outside.
    base = select(outer, select(negative, PI, 0.0), HALF_PI)
    base_low = select(outer, select(negative, PI_LOW, 0.0), HALF_PI_LOW)
    down = outer == negative
    sign = select(down, -1.0, 1.0)
    top, top_low = fast_two_sum(base, sign * high)
    return top + (top_low + (base_low + sign * low))


def atan_fraction(y: float, x: float) -> tuple[float, float]:
    """`atan(y / x)` as a pair (to about 2**-57), for `0 <= y <= x` with `x > 0`."""
    # atan(t) = atan(c) + atan((t - c) / (1 + c t)) with c = 0, 1/2 or 1, so that the last argument is at most 1/4.
    near_half = y > 0.25 * x
    near_one = y > 0.75 * x
    c = select(near_one, 1.0, select(near_half, 0.5, 0.0))
    base = select(near_one, QUARTER_PI, select(near_half, ATAN_HALF, 0.0))
    base_low = select(near_one, QUARTER_PI_LOW, select(near_half, ATAN_HALF_LOW, 0.0))
    below, below_low = fast_two_sum(x, c * y)
    above = fma(-c, x, y)
    q, q_low = pair_quotient(above, 0.0, below, below_low)
    z = q * q
    z2 = z * z
    z4 = z2 * z2
    series = poly8(
        z,
        -0.3333333333333333,
        0.19999999999999982,
        -0.14285714285704648,
        0.11111111109132153,
        -0.0909090888420049,
        0.07692295263634524,
        -0.06666210203297757,
        0.05871917647375624,
    )
    series = fma(fma(0.03602305043853311, z, -0.05117354078010482), z4 * z4, series)
    high, low = fast_two_sum(base, q)
    return high, low + fma(q * z, series, base_low + q_low)


def atan(x: float) -> float:
    """The inverse tangent, in [-pi/2, pi/2]."""
    magnitude = absolute(x)
    magnitude = select(magnitude > 1e20, 1e20, magnitude)
    steep = magnitude > 1.0
    high, low = atan_fraction(select(steep, 1.0, magnitude), select(steep, magnitude, 1.0))
    top, top_low = fast_two_sum(HALF_PI, -high)
    return copysign(select(steep, top + (top_low + (HALF_PI_LOW - low)), high + low), x)


def atan2(y: float, x: float) -> float:
    """The angle of the point (x, y), in [-pi, pi], with C's special values."""
    height, width = absolute(y), absolute(x)
    # Infinities count as equally large; zeros as a point on the right; scaling keeps the quotient's parts in range.
    infinite = height == INFINITY or width == INFINITY
    height = select(infinite, select(height == INFINITY, 1.0, 0.0), height)
    width = select(infinite, select(width == INFINITY, 1.0, 0.0), width)
    steep = height > width
    longer, shorter = select(steep, height, width), select(steep, width, height)
    factor = select(longer > 1e300, DOWN_SCALE, select(longer < 1e-200, UP_SCALE, 1.0))
    longer, shorter = longer * factor, shorter * factor
    high, low = atan_fraction(shorter, select(longer == 0.0, 1.0, longer))
    # Angle from the x axis, then from its positive half.
    left = bits_of(x) < 0
    base = select(steep, HALF_PI, select(left, PI, 0.0))
    base_low = select(steep, HALF_PI_LOW, select(left, PI_LOW, 0.0))
    sign = select(steep != left, -1.0, 1.0)
    top, top_low = fast_two_sum(base, sign * high)
    value = top + (top_low + (base_low + sign * low))
    return select(x != x or y != y, x + y, copysign(value, y))
