"""
The exponential function and its relatives: exp, exp2, expm1, sinh, cosh, tanh; and a shorter exp.

All start from `x = k ln 2 + r`, `|r| <= ln(2) / 2`, and a polynomial for `exp(r) - 1`; the coefficients are printed by
`benchmarks/derive_math_coefficients.py`.
"""

from cogir.library.numerics.intrinsics import absolute, bits_of, copysign, fma, select, wrapping_sub
from cogir.library.numerics.parts import (
    SHIFT,
    SHIFT_BITS,
    fast_two_sum,
    pair_quotient,
    poly8,
    power_of_two,
    round_to_integer,
    scale,
    two_product,
)

LOG2_E = 1.4426950408889634
LN2_HIGH = 0.6931471805598903
"""The first 42 bits of ln 2: its product with an integer of 11 bits is exact."""
LN2_LOW = 5.497923018708371e-14
LN2 = 0.6931471805599453
LN2_TAIL = 2.3190468138462996e-17


def reduce_exp(x: float) -> tuple[int, float, float]:
    """`(k, r, r_low)` with `x = k ln 2 + r + r_low`, for `|x| < 1100`."""
    whole, k = round_to_integer(x * LOG2_E)
    high = fma(whole, -LN2_HIGH, x)
    r, r_low = fast_two_sum(high, whole * -LN2_LOW)
    return k, r, r_low


def exp_tail(r: float) -> float:
    """`(exp(r) - 1 - r - r**2 / 2) / r**3` for `|r| <= ln(2) / 2`."""
    low = poly8(
        r,
        0.16666666666666666,
        0.04166666666666667,
        0.008333333333333333,
        0.0013888888888883748,
        0.00019841269841266415,
        2.4801587325547743e-05,
        2.7557319239957097e-06,
        2.75572736431103e-07,
    )
    r2 = r * r
    r4 = r2 * r2
    high = fma(1.6084327883952603e-10, r2, fma(2.0914686968086876e-09, r, 2.5052078002329456e-08))
    return fma(high, r4 * r4, low)


def exp_reduced(r: float, r_low: float) -> float:
    """`exp(r + r_low)` for `|r| <= ln(2) / 2`, rounded to 0.51 ulp."""
    tail = fma(r * r, fma(r, exp_tail(r), 0.5), fma(r_low, r, r_low))
    high, low = fast_two_sum(1.0, r)
    return high + (low + tail)


def expm1_reduced(r: float, r_low: float) -> tuple[float, float]:
    """`exp(r + r_low) - 1` as a pair (to about 2**-60), for `|r| <= ln(2) / 2`."""
    square, square_low = two_product(r, 0.5 * r)
    high, low = fast_two_sum(r, square)
    rest = fma(r * (r * r), exp_tail(r), fma(r_low, high, r_low))
    return fast_two_sum(high, low + (square_low + rest))


def exp(x: float) -> float:
    """`e**x`."""
    x = select(x > 710.0, 710.0, x)
    x = select(x < -746.0, -746.0, x)
    k, r, r_low = reduce_exp(x)
    return scale(exp_reduced(r, r_low), k)


def exp_fast(x: float) -> float:
    """
    `e**x`, wrong by up to 1.2 ulp, with two thirds of the operations of `exp`: for `contract="fast"`.

    `r` is a single number, and the products are fused with the sums around them.
    """
    x = select(x > 710.0, 710.0, x)
    x = select(x < -746.0, -746.0, x)
    shifted = fma(x, LOG2_E, SHIFT)
    whole = shifted - SHIFT
    r = fma(whole, -LN2_LOW, fma(whole, -LN2_HIGH, x))
    r2 = r * r
    even = fma(2.7620088445409746e-07, r2, 2.4801521295954376e-05)
    even = fma(fma(fma(even, r2, 0.0013888888917213717), r2, 0.04166666666662413), r2, 0.5000000000000001)
    odd = fma(2.510038549551032e-08, r2, 2.7557268459997064e-06)
    odd = fma(fma(fma(odd, r2, 0.00019841269863053618), r2, 0.008333333333330062), r2, 0.16666666666666669)
    return scale(1.0 + fma(r2, fma(odd, r, even), r), wrapping_sub(bits_of(shifted), SHIFT_BITS))


def exp2(x: float) -> float:
    """`2**x`; exact for integers."""
    x = select(x > 1025.0, 1025.0, x)
    x = select(x < -1076.0, -1076.0, x)
    whole, k = round_to_integer(x)
    r, r_low = two_product(x - whole, LN2)
    return scale(exp_reduced(r, fma(x - whole, LN2_TAIL, r_low)), k)


def expm1(x: float) -> float:
    """`e**x - 1`, without cancellation near zero."""
    clamped = select(x > 710.0, 710.0, x)
    clamped = select(clamped < -45.0, -45.0, clamped)
    k, r, r_low = reduce_exp(clamped)
    head, rest = expm1_reduced(r, r_low)
    # exp(x) - 1 = 2**k ((1 - 2**-k) + (exp(r) - 1)); from 2**60 on, 2**-k is lost beside 1.
    one, one_low = fast_two_sum(1.0, -power_of_two(wrapping_sub(0, select(k > 60, 60, k))))
    high, low = fast_two_sum(one, head)
    return copysign(scale(high + (low + (one_low + rest)), k), x)


def sinh(x: float) -> float:
    """`(e**x - e**-x) / 2`."""
    k, one, one_low, grown, grown_low, shrunk, shrunk_low = hyperbolic_parts(x)
    high, low = fast_two_sum(one, grown)
    high, shift = fast_two_sum(high, shrunk)
    value = high + (shift + (low + (one_low + (grown_low + shrunk_low))))
    return copysign(scale(value, wrapping_sub(k, 1)), x)


def cosh(x: float) -> float:
    """`(e**x + e**-x) / 2`."""
    k, one, one_low, grown, grown_low, shrunk, shrunk_low = hyperbolic_parts(x)
    # (1 + w) + t - w t / (1 + t), where one = 1 - w
    other, other_low = fast_two_sum(1.0, (1.0 - one) - one_low)
    high, low = fast_two_sum(other, grown)
    high, shift = fast_two_sum(high, -shrunk)
    value = high + (shift + (low + (other_low + (grown_low - shrunk_low))))
    return scale(value, wrapping_sub(k, 1))


def hyperbolic_parts(x: float) -> tuple[int, float, float, float, float, float, float]:
    """
    For `|x| = k ln 2 + r`, `t = exp(r) - 1` and `w = 4**-k`: k, and the pairs `1 - w`, `t`, `w t / (1 + t)`.

    With them `exp(|x|) -+ exp(-|x|) = 2**k ((1 -+ w) + t +- w t / (1 + t))`, without cancellation at 0 or overflow.
    """
    magnitude = absolute(x)
    magnitude = select(magnitude > 712.0, 712.0, magnitude)
    k, r, r_low = reduce_exp(magnitude)
    t, t_low = expm1_reduced(r, r_low)
    w = power_of_two(wrapping_sub(0, select(k > 60, 120, k + k)))
    one, one_low = fast_two_sum(1.0, -w)
    base, base_low = fast_two_sum(1.0, t)
    quotient, quotient_low = pair_quotient(t, t_low, base, base_low + t_low)
    return k, one, one_low, t, t_low, w * quotient, w * quotient_low


def tanh(x: float) -> float:
    """`sinh(x) / cosh(x)`, as `t / (t + 2)` with `t = exp(2 |x|) - 1`."""
    magnitude = absolute(x)
    magnitude = select(magnitude > 22.0, 22.0, magnitude)
    k, r, r_low = reduce_exp(magnitude + magnitude)
    head, rest = expm1_reduced(r, r_low)
    w = power_of_two(wrapping_sub(0, k))
    # t / (t + 2) = ((1 - w) + s) / ((1 + w) + s), with w = 2**-k and s = exp(r) - 1
    minus, minus_low = fast_two_sum(1.0, -w)
    plus, plus_low = fast_two_sum(1.0, w)
    above, above_low = fast_two_sum(minus, head)
    below, below_low = fast_two_sum(plus, head)
    high, low = pair_quotient(above, above_low + (minus_low + rest), below, below_low + (plus_low + rest))
    return copysign(high + low, x)
