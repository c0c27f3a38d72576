"""
The error function and its complement: erf, erfc.

`erfc(a) = exp(-a**2) F(a) / (1 + 2 a)` for `a >= 0`, where F is one polynomial in `(a - 4) / (a + 4)` for all a up to 27.3 (the
form is M. M. Shepherd and J. G. Laframboise's, Math. Comp. 36 (1981)); below 0.5, erf has a polynomial of its own.
"""

from cogir.library.numerics.exp import expm1_reduced, reduce_exp
from cogir.library.numerics.intrinsics import absolute, copysign, fma, select
from cogir.library.numerics.parts import fast_two_sum, pair_product, pair_quotient, poly4, poly8, scale, two_product, two_sum

INNER = 0.5
"""Up to here erf has its own polynomial; beyond, it comes from erfc."""
TWO_OVER_ROOT_PI = 1.1283791670955126
TWO_OVER_ROOT_PI_LOW = 1.533545961316588e-17


def erfc_outer(a: float) -> float:
    """`erfc(a)` for `a > 0.5` (good to 5 ulp for smaller ones)."""
    a = select(a > 27.5, 27.5, a)
    minus, minus_low = two_sum(a, -4.0)
    plus, plus_low = two_sum(a, 4.0)
    t, t_low = pair_quotient(minus, minus_low, plus, plus_low)
    t2 = t * t
    t4 = t2 * t2
    t8 = t4 * t4
    # F = 1 + c0 + t q(t); what is left out of t is made up for by the slope of F.
    low = poly8(
        t,
        -0.1396211168405629,
        0.01537965210262074,
        0.06809705425473732,
        -0.10103906603635213,
        0.09373283499679412,
        -0.06633036581152939,
        0.03716751556249286,
        -0.016197734059115006,
    )
    middle = poly8(
        t,
        0.005031969755895426,
        -0.00075777334141333,
        -0.00019925550755614952,
        0.000150622243948303,
        -2.4403169244974074e-05,
        -1.1224789135154701e-05,
        5.7178872846321855e-06,
        3.0135049944875397e-07,
    )
    high = poly4(t, -8.351619688696847e-07, 6.270727157198311e-08, 1.1534943745754157e-07, -7.71541861441783e-09)
    high = fma(fma(-1.8206098680308682e-09, t, -1.3670989863347383e-08), t4, high)
    q = fma(fma(high, t8, middle), t8, low)
    slope = poly4(t, -0.13811171695572147, 0.08975988048925856, 0.13991420159640455, -0.7716753996947007)
    slope = fma(t4, 0.7543278106522733, slope)
    base, base_low = fast_two_sum(1.0, 0.2329951186255525)
    product, product_low = two_product(t, q)
    above, above_low = fast_two_sum(base, product)
    above_low = above_low + (base_low + fma(slope, t_low, product_low))
    below, below_low = two_sum(1.0, a + a)
    ratio, ratio_low = pair_quotient(above, above_low, below, below_low)
    square, square_low = two_product(a, a)
    k, r, r_low = reduce_exp(-square)
    r, r_low = fast_two_sum(r, r_low - square_low)
    head, rest = expm1_reduced(r, r_low)
    power, power_low = fast_two_sum(1.0, head)
    value, value_low = pair_product(ratio, ratio_low, power, power_low + rest)
    return scale(value + value_low, k)


def erf_inner(a: float) -> tuple[float, float]:
    """`erf(a)` as a pair (to about 2**-56), for `0 <= a <= 0.5`."""
    z = a * a
    z2 = z * z
    z4 = z2 * z2
    series = poly8(
        z,
        -0.37612638903183754,
        0.112837916709551,
        -0.026866170645103712,
        0.00522397762431208,
        -0.0008548326790963593,
        0.0001205530608486162,
        -1.4923818961225491e-05,
        1.6389165814218982e-06,
    )
    series = fma(-1.4784397128572328e-07, z4 * z4, series)
    high, low = pair_product(a, 0.0, TWO_OVER_ROOT_PI, TWO_OVER_ROOT_PI_LOW)
    return high, fma(a * z, series, low)


def erf(x: float) -> float:
    """The error function, `2 / sqrt(pi)` times the integral of `exp(-t**2)` from 0 to x."""
    a = absolute(x)
    high, low = erf_inner(select(a > INNER, INNER, a))
    return copysign(select(a > INNER, 1.0 - erfc_outer(a), high + low), x)


def erfc(x: float) -> float:
    """`1 - erf(x)`, without cancellation for large x."""
    a = absolute(x)
    inner, inner_low = erf_inner(select(a > INNER, INNER, a))
    sign = copysign(1.0, x)
    head, head_low = fast_two_sum(1.0, -sign * inner)
    outer = erfc_outer(a)
    return select(a > INNER, select(x < 0.0, 2.0 - outer, outer), head + (head_low - sign * inner_low))
