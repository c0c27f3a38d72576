"""
Logarithms, what is made of them, and powers: log, log2, log10, log1p, asinh, acosh, atanh, pow, cbrt.

All start from `x = 2**k m`, `sqrt(1/2) <= m < sqrt(2)`, and a polynomial in `s = f / (2 + f)`, `f = m - 1`:
`log(m) = 2 s + (2/3) s**3 + (2/5) s**5 + ...`.
"""

import math

from cogir.library.numerics.exp import LN2_HIGH, LN2_LOW, exp_reduced, reduce_exp
from cogir.library.numerics.intrinsics import (
    absolute,
    bits_of,
    copysign,
    divide,
    float_of,
    fma,
    from_bits,
    mul_hi_unsigned,
    select,
    sqrt,
    truncate,
    wrapping_add,
    wrapping_sub,
)
from cogir.library.numerics.parts import fast_two_sum, pair_product, pair_quotient, poly4, scale, two_product, two_sum

INFINITY = math.inf
NAN = math.nan
SMALLEST_NORMAL = 2.2250738585072014e-308
TWO_54 = 18014398509481984.0
TINY = 2.0**-29
"""Below this, `f(x) = x + c x**3` (`c` at most 1/3) rounds to x."""
ROOT_HALF_BITS = bits_of(math.sqrt(0.5))
FRACTION_BITS = 0x000FFFFFFFFFFFFF
LOG2_E = 1.4426950408889634
LOG2_E_LOW = 2.0355273740931033e-17
LOG10_E = 0.4342944819032518
LOG10_E_LOW = 1.098319650216765e-17
LOG10_2_HIGH = 0.30102999566383914
"""The first 42 bits of log10(2)."""
LOG10_2_LOW = 1.42050232272661e-13
TWO_THIRDS = 0.6666666666666666
TWO_THIRDS_LOW = 3.700743415417188e-17
TWO_FIFTHS = 0.4
TWO_FIFTHS_LOW = -2.2204460492503132e-17


def split(x: float) -> tuple[float, float]:
    """`(k, m)` with `x = 2**k m` and `m` in [sqrt(1/2), sqrt(2)), for finite `x > 0`; subnormals too."""
    subnormal = x < SMALLEST_NORMAL
    bits = wrapping_sub(bits_of(select(subnormal, x * TWO_54, x)), ROOT_HALF_BITS)
    k = float_of(bits >> 52) - select(subnormal, 54.0, 0.0)
    return k, from_bits(wrapping_add(bits & FRACTION_BITS, ROOT_HALF_BITS))


def log_fraction(f: float) -> tuple[float, float]:
    """`log(1 + f)` as a pair (to about 2**-58), for `sqrt(1/2) <= 1 + f <= sqrt(2)`."""
    s = f / (2.0 + f)
    z = s * s
    z2 = z * z
    series = poly4(z, 0.666666666666667, 0.3999999999989889, 0.28571428626253836, 0.22222211089379496)
    series = fma(fma(0.14617807153417325, z2, fma(0.15331611722055008, z, 0.1818289243253687)), z2 * z2, series)
    square, square_low = two_product(f, 0.5 * f)
    high, low = fast_two_sum(f, -square)
    return high, low + fma(s, fma(z, series, square), -square_low)


def at_the_edges(x: float, value: float) -> float:
    """A logarithm with its special values: -inf at 0, NaN below, inf and NaN unchanged."""
    value = select(x < INFINITY, value, x)
    value = select(x == 0.0, -INFINITY, value)
    return select(x < 0.0, NAN, value)


def log(x: float) -> float:
    """The natural logarithm."""
    k, m = split(x)
    head, rest = log_fraction(m - 1.0)
    high, low = fast_two_sum(k * LN2_HIGH, head)
    return at_the_edges(x, high + (low + fma(k, LN2_LOW, rest)))


def log2(x: float) -> float:
    """The logarithm to base 2; exact for powers of two."""
    k, m = split(x)
    head, rest = log_fraction(m - 1.0)
    scaled, scaled_low = pair_product(head, rest, LOG2_E, LOG2_E_LOW)
    high, low = fast_two_sum(k, scaled)
    return at_the_edges(x, high + (low + scaled_low))


def log10(x: float) -> float:
    """The logarithm to base 10."""
    k, m = split(x)
    head, rest = log_fraction(m - 1.0)
    scaled, scaled_low = pair_product(head, rest, LOG10_E, LOG10_E_LOW)
    high, low = fast_two_sum(k * LOG10_2_HIGH, scaled)
    return at_the_edges(x, high + (low + fma(k, LOG10_2_LOW, scaled_low)))


def log_sum(u: float, u_low: float, doublings: float) -> float:
    """`log((u + u_low) * 2**doublings)`, for a finite `u > 0` and a `u_low` of about half an ulp of it, or less."""
    k, m = split(u)
    k = k + doublings
    head, rest = log_fraction(m - 1.0)
    high, low = fast_two_sum(k * LN2_HIGH, head)
    # log(u + u_low) = log(u) + u_low / u
    high, shift = two_sum(high, u_low / u)
    return high + (shift + (low + fma(k, LN2_LOW, rest)))


def log1p(x: float) -> float:
    """`log(1 + x)`, without cancellation near zero."""
    inside = x < INFINITY and x > -1.0
    u, u_low = two_sum(1.0, select(inside, x, 0.0))
    return copysign(at_the_edges(1.0 + x, log_sum(u, u_low, 0.0)), x)


def root_of_pair(a: float, a_low: float) -> tuple[float, float]:
    """The square root of a pair `a > 0`, as a pair."""
    root = sqrt(a)
    return root, divide(fma(-root, root, a) + a_low, root + root)


def asinh(x: float) -> float:
    """The inverse hyperbolic sine: `log(1 + t)`, `t = a + a**2 / (1 + sqrt(1 + a**2))` for `a = |x|`."""
    a = absolute(x)
    large = a > 1e9
    inner = select(large, 1.0, a)
    square, square_low = two_product(inner, inner)
    sum, sum_low = two_sum(1.0, square)
    root, root_low = root_of_pair(sum, sum_low + square_low)
    below, below_low = fast_two_sum(root, 1.0)
    q, q_low = pair_quotient(square, square_low, below, below_low + root_low)
    t, t_low = two_sum(inner, q)
    u, u_low = two_sum(1.0, t)
    # Large arguments: log(2 a).
    finite = select(a < INFINITY, a, 1.0)
    u, u_low = select(large, finite, u), select(large, 0.0, u_low + (t_low + q_low))
    value = log_sum(u, u_low, select(large, 1.0, 0.0))
    return copysign(select(a < INFINITY, select(a < TINY, a, value), a), x)


def acosh(x: float) -> float:
    """The inverse hyperbolic cosine: `log(1 + t)`, `t = m + sqrt(m (m + 2))` for `m = x - 1`; NaN below 1."""
    large = x > 1e9
    inner = select(large or x < 1.0, 2.0, x)
    m = inner - 1.0
    square, square_low = two_product(m, m)
    sum, sum_low = two_sum(m + m, square)
    root, root_low = root_of_pair(sum, sum_low + square_low)
    t, t_low = two_sum(m, root)
    u, u_low = two_sum(1.0, t)
    # Large arguments: log(2 x).
    finite = select(x < INFINITY, x, 2.0)
    u, u_low = select(large, finite, u), select(large, 0.0, u_low + (t_low + root_low))
    value = log_sum(u, u_low, select(large, 1.0, 0.0))
    value = select(x == 1.0, 0.0, select(x < 1.0, NAN, value))
    return select(x < INFINITY, value, x)


def atanh(x: float) -> float:
    """The inverse hyperbolic tangent: `log(1 + 2 a / (1 - a)) / 2` for `a = |x|`; NaN outside [-1, 1]."""
    a = absolute(x)
    inner = select(a < 1.0, a, 0.5)
    below, below_low = two_sum(1.0, -inner)
    t, t_low = pair_quotient(inner + inner, 0.0, below, below_low)
    u, u_low = two_sum(1.0, t)
    value = 0.5 * log_sum(u, u_low + t_low, 0.0)
    value = select(a < 1.0, value, select(a == 1.0, INFINITY, NAN))
    return copysign(select(a < TINY, a, value), x)


def log_pair(x: float) -> tuple[float, float]:
    """The natural logarithm of a finite `x > 0` as a pair (to about 2**-66)."""
    k, m = split(x)
    f = m - 1.0
    below, below_low = fast_two_sum(2.0, f)
    s = f / below
    s_low = fma(-s, below_low, fma(-s, below, f)) / below
    z, z_low = pair_product(s, s_low, s, s_low)
    # w = z (2/3 + z (2/5 + z tail))
    tail = poly4(z, 0.285714285714286, 0.22222222222140214, 0.18181818226283877, 0.15384606355892447)
    tail = fma(fma(fma(0.11567351729591345, z, 0.11721731747176209), z, 0.13334204464506105), z * z * (z * z), tail)
    inner, inner_low = fast_two_sum(TWO_FIFTHS, z * tail)
    inner, inner_low = pair_product(z, z_low, inner, inner_low + TWO_FIFTHS_LOW)
    outer, outer_low = fast_two_sum(TWO_THIRDS, inner)
    outer, outer_low = pair_product(z, z_low, outer, outer_low + (inner_low + TWO_THIRDS_LOW))
    rest, rest_low = pair_product(s, s_low, outer, outer_low)
    high, low = fast_two_sum(s + s, rest)
    low = low + (rest_low + (s_low + s_low))
    total, total_low = fast_two_sum(k * LN2_HIGH, high)
    return fast_two_sum(total, total_low + fma(k, LN2_LOW, low))


def pow(x: float, y: float) -> float:
    """`x**y`, with C's special values."""
    magnitude = absolute(x)
    high, low = log_pair(magnitude)
    power, power_low = two_product(y, high)
    power_low = fma(y, low, power_low)
    inside = absolute(power) < 750.0
    k, r, r_low = reduce_exp(select(inside, power, copysign(750.0, power)))
    r, r_low = fast_two_sum(r, r_low + select(inside, power_low, 0.0))
    value = scale(exp_reduced(r, r_low), k)
    return power_at_the_edges(x, y, value)


def power_at_the_edges(x: float, y: float, value: float) -> float:
    """`x**y` with its sign and C's special values, where `value` is `|x|**y` if both are finite and x is not 0."""
    magnitude = absolute(x)
    # The magnitude at 0, infinity (of x or y) and 1, and for y = 0.
    endless = absolute(y) == INFINITY
    grows = (magnitude > 1.0) == (y > 0.0)
    extreme = select(grows, INFINITY, 0.0)
    value = select(magnitude == 0.0 or magnitude == INFINITY or endless, extreme, value)
    value = select(x != x or y != y, NAN, value)
    # The sign: only an integer y makes sense below zero, and an odd one keeps the sign.
    half = 0.5 * y
    whole = truncate(y) == y
    halved = truncate(half) == half
    value = select(x < 0.0 and magnitude < INFINITY and not whole, NAN, value)
    value = select(whole and not halved, copysign(value, x), value)
    return select(x == 1.0 or y == 0.0 or (magnitude == 1.0 and endless), 1.0, value)


THIRD_OF_64_BITS = 0x5555555555555556
CBRT_BIAS = 0x2A9F7893782DA1CE
"""Two thirds of the exponent's bias, less what makes the first guess good to 3.2 % on both sides."""


def cbrt(x: float) -> float:
    """The cube root."""
    magnitude = absolute(x)
    small, large = magnitude < SMALLEST_NORMAL, magnitude > 1e300
    a = magnitude * select(small, TWO_54, select(large, 1.0 / TWO_54, 1.0))
    y = from_bits(wrapping_add(mul_hi_unsigned(bits_of(a), THIRD_OF_64_BITS), CBRT_BIAS))
    # Halley's step triples the number of good digits: 3e-2, 2e-5, 3e-15; then one step of Newton with an exact residual.
    cube = y * y * y
    y = y * divide(cube + (a + a), (cube + cube) + a)
    cube = y * y * y
    y = y * divide(cube + (a + a), (cube + cube) + a)
    square, square_low = two_product(y, y)
    residual = fma(square, y, -a) + square_low * y
    y = y - divide(residual, 3.0 * square)
    y = y * select(small, 1.0 / 262144.0, select(large, 262144.0, 1.0))
    y = select(magnitude == 0.0 or magnitude == INFINITY, magnitude, y)
    return copysign(y, x)
