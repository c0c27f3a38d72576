"""
What the portable math functions share: polynomials, exact sums, and numbers held as a pair.

A *pair* `(high, low)` stands for the unevaluated sum `high + low`, where `low` is at most about half a unit in the last place of
`high`: twice the precision of a double. A function that computes its result as a pair rounds only once, at the end.
"""

from cogir.library.numerics.intrinsics import bits_of, divide, fma, from_bits, shift_left, wrapping_add, wrapping_sub

SHIFT = 6755399441055744.0
"""1.5 * 2**52: `x + SHIFT` rounds to an integer, which the low bits of the sum then hold."""
SHIFT_BITS = bits_of(SHIFT)


def poly4(x: float, c0: float, c1: float, c2: float, c3: float) -> float:
    """`c0 + c1 x + c2 x**2 + c3 x**3`, in Estrin's order."""
    return fma(fma(c3, x, c2), x * x, fma(c1, x, c0))


def poly8(x: float, c0: float, c1: float, c2: float, c3: float, c4: float, c5: float, c6: float, c7: float) -> float:
    """A polynomial of degree 7, in Estrin's order."""
    x2 = x * x
    low = fma(fma(c3, x, c2), x2, fma(c1, x, c0))
    high = fma(fma(c7, x, c6), x2, fma(c5, x, c4))
    return fma(high, x2 * x2, low)


def fast_two_sum(a: float, b: float) -> tuple[float, float]:
    """`a + b` as a pair; exact if `|a| >= |b|` or `a` is 0."""
    high = a + b
    return high, (a - high) + b


def two_sum(a: float, b: float) -> tuple[float, float]:
    """`a + b` as a pair, exact."""
    high = a + b
    back = high - a
    return high, (a - (high - back)) + (b - back)


def two_product(a: float, b: float) -> tuple[float, float]:
    """`a * b` as a pair, exact unless it underflows."""
    high = a * b
    return high, fma(a, b, -high)


def pair_product(a: float, a_low: float, b: float, b_low: float) -> tuple[float, float]:
    """The product of two pairs, to about 2**-104."""
    high = a * b
    return high, fma(a, b, -high) + fma(a, b_low, a_low * b)


def pair_quotient(a: float, a_low: float, b: float, b_low: float) -> tuple[float, float]:
    """The quotient of two pairs, to about 2**-104; one division."""
    inverse = divide(1.0, b)
    high = a * inverse
    return high, (fma(-high, b, a) + fma(-high, b_low, a_low)) * inverse


def round_to_integer(x: float) -> tuple[float, int]:
    """The integer nearest to `x`, `|x| < 2**51`, as a float and as an integer."""
    shifted = x + SHIFT
    return shifted - SHIFT, wrapping_sub(bits_of(shifted), SHIFT_BITS)


def power_of_two(k: int) -> float:
    """`2.0 ** k` for `-1022 <= k <= 1023`."""
    return from_bits(shift_left(wrapping_add(k, 1023), 52))


def scale(x: float, k: int) -> float:
    """`x * 2**k` for `-2044 <= k <= 2046`, rounded once where the result is subnormal."""
    # The exponents of both factors, each with its bias of 1023: 2**k = 2**(half - 1023) * 2**(both - half - 1023).
    both = wrapping_add(k, 2046)
    half = both >> 1
    return x * from_bits(shift_left(half, 52)) * from_bits(shift_left(wrapping_sub(both, half), 52))
