"""Plants in the bodies of the library: random numbers and elementary functions."""

from typing import Any

from support.planted.plants import Patch, planted

from cogir.library.numerics.exp import exp
from cogir.library.numerics.intrinsics import (
    bits_of,
    divide,
    float_of,
    from_bits,
    libm_exp,
    libm_log,
    mul_hi_unsigned,
    shift_right_logical,
    sqrt,
    wrapping_add,
    wrapping_mul,
)
from cogir.library.random import rng as library_rng
from cogir.library.random.rng import (
    MT_GAUSS,
    MT_HAS_GAUSS,
    PHILOX_BUFFER,
    PHILOX_KEY,
    PHILOX_MULTIPLIER_0,
    PHILOX_MULTIPLIER_1,
    PHILOX_POSITION,
    PHILOX_WEYL_0,
    PHILOX_WEYL_1,
    mt19937_uniform,
    philox4x64_next,
    philox4x64_uniform,
)
from cogir.library.random.variates import DRAWS, poisson_draw
from cogir.lowering.library import expand_math

# --------------------------------------------------------------------------------------------------- bodies of the library


def polar_the_other_way(words: Any) -> Any:
    """The pair of normals in the wrong order."""
    words = words.copy()
    if words[MT_HAS_GAUSS] != 0:
        kept = from_bits(words[MT_GAUSS])
        words[MT_HAS_GAUSS] = 0
        words[MT_GAUSS] = 0
        return kept, words
    x, y, square = 0.0, 0.0, 2.0
    while square >= 1.0 or square == 0.0:
        u, words = mt19937_uniform(words)
        v, words = mt19937_uniform(words)
        x = 2.0 * u - 1.0
        y = 2.0 * v - 1.0
        square = x * x + y * y
    factor = sqrt(divide(-2.0 * libm_log(square), square))
    words = words.copy()
    words[MT_HAS_GAUSS] = 1
    words[MT_GAUSS] = bits_of(factor * y)
    return factor * x, words


@planted("draws", library=True)
def normals_in_the_wrong_order(patch: Patch) -> None:
    patch.setitem(DRAWS, ("mt19937", "normal"), polar_the_other_way)


def refill_without_carry(words: Any) -> Any:
    """The counter grows in its second word."""
    words = words.copy()
    words[1] = wrapping_add(words[1], 1)
    c0, c1, c2, c3 = words[0], words[1], words[2], words[3]
    key0, key1 = words[PHILOX_KEY], words[PHILOX_KEY + 1]
    for _ in range(10):
        high0, low0 = mul_hi_unsigned(PHILOX_MULTIPLIER_0, c0), wrapping_mul(PHILOX_MULTIPLIER_0, c0)
        high1, low1 = mul_hi_unsigned(PHILOX_MULTIPLIER_1, c2), wrapping_mul(PHILOX_MULTIPLIER_1, c2)
        c0, c1, c2, c3 = high1 ^ c1 ^ key0, low1, high0 ^ c3 ^ key1, low0
        key0, key1 = wrapping_add(key0, PHILOX_WEYL_0), wrapping_add(key1, PHILOX_WEYL_1)
    words[PHILOX_BUFFER] = c0
    words[PHILOX_BUFFER + 1] = c1
    words[PHILOX_BUFFER + 2] = c2
    words[PHILOX_BUFFER + 3] = c3
    words[PHILOX_POSITION] = 0
    return words


@planted("draws", library=True)
def philox_counter_in_the_wrong_word(patch: Patch) -> None:
    patch.setattr(library_rng, "philox4x64_refill", refill_without_carry)


def coarse_uniform(words: Any) -> Any:
    """52 bits instead of 53."""
    bits, words = philox4x64_next(words)
    return float_of(shift_right_logical(bits, 12)) * 2.220446049250313e-16, words


@planted("draws", library=True)
def uniforms_with_a_bit_less(patch: Patch) -> None:
    patch.setattr(library_rng, "philox4x64_uniform", coarse_uniform)
    patch.setitem(DRAWS, ("philox4x64", "uniform"), coarse_uniform)


def exponential_of_the_uniform(words: Any) -> Any:
    """`-log(U)`, which has the same distribution as `-log(1 - U)`, and other numbers."""
    u, words = mt19937_uniform(words)
    return -libm_log(u), words


@planted(library=True, look="draws")
def exponentials_of_the_other_tail(patch: Patch) -> None:
    patch.setitem(DRAWS, ("mt19937", "exponential"), exponential_of_the_uniform)


def poisson_one_too_many(words: Any, mean: float) -> Any:
    """Counts the factor with which the product falls below its limit, too."""
    count, words = poisson_draw(words, mean, lambda w: philox4x64_uniform(w), lambda x: libm_exp(x), lambda x: libm_log(x))
    return count + 1, words


@planted(library=True, look="draws")
def poisson_counts_one_too_many(patch: Patch) -> None:
    patch.setitem(DRAWS, ("philox4x64", "poisson"), poisson_one_too_many)


def careless_tanh(x: float) -> float:
    """The definition as it stands in books, which rounds more often."""
    return 1.0 - 2.0 / (exp(2.0 * x) + 1.0)


@planted("squash", library=True)
def tanh_by_another_formula(patch: Patch) -> None:
    patch.setitem(expand_math.SOURCES, "tanh", careless_tanh)  # type: ignore[arg-type]
