"""
Prints the polynomials and constants of `cogir/library/numerics` and `cogir/library/random/xoshiro.py`.

    python benchmarks/derive_math_coefficients.py

Each polynomial interpolates at Chebyshev's points in 300 bits (mpmath's `chebyfit`), which is within a factor of two of the best
possible, and its coefficients are rounded to double. The printed error is that of the exact polynomial.
"""

from __future__ import annotations

from collections.abc import Callable

import mpmath
from mpmath import mpf

mpmath.mp.prec = 300


def fit(title: str, function: Callable[[mpf], mpf], low: mpf, high: mpf, terms: int) -> None:
    coefficients, error = mpmath.chebyfit(function, [low, high], terms, error=True)
    print(f"{title}: {terms} terms, error 2**{float(mpmath.log(error, 2)):.1f}")
    for power, coefficient in enumerate(reversed(coefficients)):
        print(f"  {power:2d} {float(coefficient)!r}")


def pair(title: str, value: mpf) -> None:
    high = float(value)
    print(f"{title}: {high!r} + {float(value - high)!r}")


def split(title: str, value: mpf, bits: int) -> None:
    """The first part has so few bits that its product with a small integer is exact."""
    high = float(mpmath.floor(value * 2**bits) / mpf(2) ** bits)
    print(f"{title}: {high!r} + {float(value - high)!r}")


def exp_series(start: int) -> Callable[[mpf], mpf]:
    """The series of `exp(r)` from the term `r**start` on, over `r**start`."""
    return lambda r: sum(r**n / mpmath.factorial(n + start) for n in range(40))


def log_series(start: int) -> Callable[[mpf], mpf]:
    """The series of `log((1 + s) / (1 - s))` in `z = s**2`, from the term `s**start` on, over `s**start`."""
    return lambda z: sum(2 * z**n / (2 * n + start) for n in range(80))


def sin_series(z: mpf) -> mpf:
    return sum((-1) ** (n + 1) * z**n / mpmath.factorial(2 * n + 3) for n in range(30))


def cos_series(z: mpf) -> mpf:
    return sum((-1) ** n * z**n / mpmath.factorial(2 * n + 4) for n in range(30))


def sin_quarters(z: mpf) -> mpf:
    """`(sin(pi/2 x) - pi/2 x) / x**3` in `z = x**2`."""
    return sum((-1) ** (n + 1) * (mpmath.pi / 2) ** (2 * n + 3) * z**n / mpmath.factorial(2 * n + 3) for n in range(30))


def cos_quarters(z: mpf) -> mpf:
    """`(cos(pi/2 x) - 1) / x**2` in `z = x**2`."""
    return sum((-1) ** (n + 1) * (mpmath.pi / 2) ** (2 * n + 2) * z**n / mpmath.factorial(2 * n + 2) for n in range(30))


def odd_tail(function: Callable[[mpf], mpf], limit: mpf) -> Callable[[mpf], mpf]:
    """`(f(x) - x) / x**3` in `z = x**2`, with its limit at 0."""

    def tail(z: mpf) -> mpf:
        x = mpmath.sqrt(z)
        return (function(x) - x) / x**3 if z > mpf(10) ** -20 else limit

    return tail


def erf_tail(z: mpf) -> mpf:
    slope = 2 / mpmath.sqrt(mpmath.pi)
    x = mpmath.sqrt(z)
    return (mpmath.erf(x) / x - slope) / z if z > mpf(10) ** -20 else -slope / 3


def erfc_factor(t: mpf) -> mpf:
    a = 4 * (1 + t) / (1 - t)
    return (1 + 2 * a) * mpmath.exp(a * a) * mpmath.erfc(a) - 1


def main() -> None:
    ln2 = mpmath.log(2)
    # Reduction may overshoot its interval by a little, so the polynomials reach a little further.
    reduced = ln2 / 2 * mpf("1.0001")
    ratio = ((mpmath.sqrt(2) - 1) / (mpmath.sqrt(2) + 1)) ** 2 * mpf("1.001")
    quarter = (mpmath.pi / 4 * mpf("1.002")) ** 2
    fit("exp_tail", exp_series(3), -reduced, reduced, 11)
    fit("exp_fast, from r**2", exp_series(2), -reduced, reduced, 10)
    fit("log_fraction", log_series(3), mpf(0), ratio, 7)
    fit("log_pair, from s**7", log_series(7), mpf(0), ratio, 7)
    fit("sin_reduced", sin_series, mpf(0), quarter, 7)
    fit("cos_reduced", cos_series, mpf(0), quarter, 7)
    fit("cos_sin_of_turns, sine", sin_quarters, mpf(0), mpf(1) / 4, 6)
    fit("cos_sin_of_turns, cosine", cos_quarters, mpf(0), mpf(1) / 4, 7)
    fit("asin_tail", odd_tail(mpmath.asin, mpf(1) / 6), mpf(0), mpf(1) / 4, 13)
    fit("atan_fraction", odd_tail(mpmath.atan, -mpf(1) / 3), mpf(0), mpf(1) / 16, 10)
    fit("erf_inner", erf_tail, mpf(0), mpf("0.25") * mpf("1.002"), 9)
    fit("erfc_outer", erfc_factor, mpf(-1), mpf("0.75"), 23)
    fit("erfc_outer, slope", lambda t: mpmath.diff(erfc_factor, t), mpf("-0.8"), mpf("0.75"), 5)
    split("ln 2", ln2, 42)
    split("log10 2", mpmath.log10(2), 42)
    for title, value in (
        ("ln 2", ln2),
        ("log2 e", 1 / ln2),
        ("log10 e", 1 / mpmath.log(10)),
        ("pi/2", mpmath.pi / 2),
        ("pi", +mpmath.pi),
        ("2 pi", 2 * mpmath.pi),
        ("pi/4", mpmath.pi / 4),
        ("atan 1/2", mpmath.atan(mpf(1) / 2)),
        ("2/sqrt pi", 2 / mpmath.sqrt(mpmath.pi)),
        ("2/3", mpf(2) / 3),
        ("2/5", mpf(2) / 5),
    ):
        pair(title, value)
    with mpmath.workprec(1500):
        print(f"2/pi: {int(mpmath.floor(2 / mpmath.pi * mpf(2) ** 1280)):0320x}")


if __name__ == "__main__":
    main()
