"""
The generator xoshiro256, as it is compiled: for runs of one model side by side in the lanes of a vector unit.

It is xoshiro256++ 1.0 of D. Blackman and S. Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 47 (2021), from one seed
started by splitmix64 as they recommend, and from a key (`cogir/streams.py`) by the hash of splitmix64. Its bits equal theirs; normals are
Box and Muller's, with the second value kept for the next draw. But for the question whether there is such a value, draws are straight
lines, and all are inlined: where it is known that none is kept, loops over many generators vectorise. An integer can need several attempts
and is a loop.

The logarithm, sine and cosine here are not those of `math.py`: they take few operations, are made for numbers in [0, 1] only, and err by
2.0 and 1.4 units in the last place at most (measured; `math.py` stays below 0.8). They too are the same bits on every machine.
"""

from typing import Any, TypeAlias

import numpy as np

from cogir.library.numerics.intrinsics import (
    bits_of,
    float_of,
    fma,
    from_bits,
    less_unsigned,
    mul_hi_unsigned,
    remainder_unsigned,
    select,
    shift_left,
    shift_right_logical,
    sqrt,
    wrapping_add,
    wrapping_mul,
    wrapping_sub,
)
from cogir.library.numerics.parts import poly4, round_to_integer

Words: TypeAlias = Any
"""An array of int64: the four words of the generator, whether a normal is kept, and the bits of that normal."""

HAS_GAUSS, GAUSS = 4, 5

TWO_MINUS_53 = 2.0**-53
FRACTION_BITS = 0x000FFFFFFFFFFFFF
ROOT_HALF_BITS = bits_of(0.5**0.5)
ONE_OVER_ROOT_HALF = bits_of(1.0) - ROOT_HALF_BITS
"""The offset from the bits of sqrt(1/2) to those of 1: with it, the exponent of `x` becomes that of the nearest power of two."""
TWO_52 = 2.0**52
TWO_52_BITS = bits_of(TWO_52)
EXPONENT_OF_ONE = 1023.0
LN2 = 0.6931471805599453
HALF_PI = 1.5707963267948966

GOLDEN = 0x9E3779B97F4A7C15 - 2**64
MIX_0 = 0xBF58476D1CE4E5B9 - 2**64
MIX_1 = 0x94D049BB133111EB - 2**64

# The fractional part of pi in words of 64 bits, so that the two rounds of a key differ.
ROUND_0 = 0x243F6A8885A308D3
ROUND_1 = 0x13198A2E03707344
ROUND_2 = 0xA4093822299F31D0 - 2**64
ROUND_3 = 0x082EFA98EC4E6C89
ROUND_4 = 0x452821E638D01377
ROUND_5 = 0xBE5466CF34E90C6C - 2**64
ROUND_6 = 0xC0AC29B7C97C50DD - 2**64
ROUND_7 = 0x3F84D5B5B5470917


def mix64(z: int) -> int:
    """The output of splitmix64 for its state: a one-to-one, random-looking map of 64 bits."""
    z = wrapping_mul(z ^ shift_right_logical(z, 30), MIX_0)
    z = wrapping_mul(z ^ shift_right_logical(z, 27), MIX_1)
    return z ^ shift_right_logical(z, 31)


def xoshiro256_seed(seed: int) -> Words:
    """The four words are what splitmix64 gives first when it starts from `seed`; they are four different numbers, so not all 0."""
    words = np.zeros(6, dtype=np.int64)
    for i in range(4):
        seed = wrapping_add(seed, GOLDEN)
        words[i] = mix64(seed)
    return words


def xoshiro256_keyed(seed: int, generator: int, replicate: int) -> Words:
    """The state of a generator in a replicate at no point."""
    return xoshiro256_keyed4(seed, generator, -1, replicate)


def xoshiro256_keyed4(seed: int, generator: int, point: int, replicate: int) -> Words:
    """
    The words of a key after two rounds in which each is changed by a hash of the one before it.

    Each of the eight steps can be undone, so no two keys have the same state; after them every word depends on all of the key.
    """
    generator = generator ^ mix64(wrapping_add(seed, ROUND_0))
    point = point ^ mix64(wrapping_add(generator, ROUND_1))
    replicate = replicate ^ mix64(wrapping_add(point, ROUND_2))
    seed = seed ^ mix64(wrapping_add(replicate, ROUND_3))
    generator = generator ^ mix64(wrapping_add(seed, ROUND_4))
    point = point ^ mix64(wrapping_add(generator, ROUND_5))
    replicate = replicate ^ mix64(wrapping_add(point, ROUND_6))
    seed = seed ^ mix64(wrapping_add(replicate, ROUND_7))
    words = np.zeros(6, dtype=np.int64)
    words[0] = seed
    words[1] = generator
    words[2] = point
    words[3] = replicate
    return words


def rotate_left(x: int, count: int) -> int:
    """The 64 bits of `x`, moved in a circle."""
    return shift_left(x, count) | shift_right_logical(x, 64 - count)


def xoshiro256_step(s0: int, s1: int, s2: int, s3: int) -> tuple[int, int, int, int, int]:
    """The next 64 bits, and the words after them."""
    bits = wrapping_add(rotate_left(wrapping_add(s0, s3), 23), s0)
    shifted = shift_left(s1, 17)
    s2 = s2 ^ s0
    s3 = s3 ^ s1
    return bits, s0 ^ s3, s1 ^ s2, s2 ^ shifted, rotate_left(s3, 45)


def xoshiro256_next(words: Words) -> tuple[int, Words]:
    """The next 64 bits."""
    words = words.copy()
    bits, words[0], words[1], words[2], words[3] = xoshiro256_step(words[0], words[1], words[2], words[3])
    return bits, words


def xoshiro256_uniform(words: Words) -> tuple[float, Words]:
    """The upper 53 of 64 bits, in [0, 1)."""
    bits, words = xoshiro256_next(words)
    return float_of(shift_right_logical(bits, 11)) * TWO_MINUS_53, words


def xoshiro256_normal(words: Words) -> tuple[float, Words]:
    """Box and Muller's method: two uniforms give two normals, and the second is kept for the next draw."""
    words = words.copy()
    if words[HAS_GAUSS] != 0:
        kept = from_bits(words[GAUSS])
        words[HAS_GAUSS] = 0
        words[GAUSS] = 0
        return kept, words
    first, words = xoshiro256_next(words)
    second, words = xoshiro256_next(words)
    radius = sqrt(-2.0 * log_of_uniform(float_of(shift_right_logical(first, 11) + 1) * TWO_MINUS_53))
    cosine, sine = cos_sin_of_turns(float_of(shift_right_logical(second, 11)) * TWO_MINUS_53)
    words = words.copy()
    words[HAS_GAUSS] = 1
    words[GAUSS] = bits_of(radius * sine)
    return radius * cosine, words


def xoshiro256_integer(words: Words, below: int) -> tuple[int, Words]:
    """An integer in [0, below) by Lemire's method on 64 bits."""
    below = select(below < 1, 1, below)
    threshold = remainder_unsigned(wrapping_sub(0, below), below)
    bits, words = xoshiro256_next(words)
    while less_unsigned(wrapping_mul(bits, below), threshold):
        bits, words = xoshiro256_next(words)
    return mul_hi_unsigned(bits, below), words


def poly6(x: float, c0: float, c1: float, c2: float, c3: float, c4: float, c5: float) -> float:
    """A polynomial of degree 5, in Estrin's order: a chain of few steps, so that the lanes' numbers wait little for each other."""
    x2 = x * x
    return fma(fma(c5, x, c4), x2 * x2, poly4(x, c0, c1, c2, c3))


def poly7(x: float, c0: float, c1: float, c2: float, c3: float, c4: float, c5: float, c6: float) -> float:
    """A polynomial of degree 6, in Estrin's order."""
    x2 = x * x
    return fma(fma(c6, x2, fma(c5, x, c4)), x2 * x2, poly4(x, c0, c1, c2, c3))


def log_of_uniform(u: float) -> float:
    """The logarithm of a number in [2**-53, 1], to 2.0 units in the last place."""
    bits = bits_of(u)
    # Small integers in the fraction of 2**52 become floats by a subtraction, which every vector unit has.
    k = from_bits(shift_right_logical(bits + ONE_OVER_ROOT_HALF, 52) | TWO_52_BITS) - (TWO_52 + EXPONENT_OF_ONE)
    f = from_bits(((bits + ONE_OVER_ROOT_HALF) & FRACTION_BITS) + ROOT_HALF_BITS) - 1.0
    s = f / (2.0 + f)
    z = s * s
    series = poly7(
        z,
        0.666666666666667,
        0.3999999999989889,
        0.28571428626253836,
        0.22222211089379496,
        0.1818289243253687,
        0.15331611722055008,
        0.14617807153417325,
    )
    return fma(k, LN2, fma(s * z, series, s + s))


def cos_sin_of_turns(turns: float) -> tuple[float, float]:
    """`cos(2 pi turns)` and `sin(2 pi turns)` for `turns` in [0, 1], to 1.4 units in the last place."""
    quarters, quarter = round_to_integer(4.0 * turns)
    x = 4.0 * turns - quarters
    z = x * x
    sine = poly6(
        z,
        -0.6459640975062462,
        0.07969262624614423,
        -0.004681754134254207,
        0.00016044116661409423,
        -3.5987029509735105e-06,
        5.642225369163528e-08,
    )
    cosine = poly7(
        z,
        -1.2337005501361697,
        0.2536695079010478,
        -0.020863480763340773,
        0.0009192602745468447,
        -2.5202039028029178e-05,
        4.710678405505227e-07,
        -6.329396344967424e-09,
    )
    sine = fma(x, HALF_PI, (x * z) * sine)
    cosine = fma(z, cosine, 1.0)
    odd = (quarter & 1) != 0
    return (
        with_sign_flipped(select(odd, sine, cosine), (quarter + 1) & 2),
        with_sign_flipped(select(odd, cosine, sine), quarter & 2),
    )


def with_sign_flipped(x: float, two: int) -> float:
    """`-x` where `two` is 2, `x` where it is 0."""
    return from_bits(bits_of(x) ^ shift_left(two, 62))
