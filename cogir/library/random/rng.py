"""
The generators of random numbers, as they are compiled: seeding, uniforms, normals and integers of three kinds.

Each function takes the words of a state (layout: `generators.py`) and returns what was drawn and the words of the next state; the
argument is not changed, and after bufferisation the words are updated in place. mt19937 and philox4x64 equal NumPy's `RandomState` and
`Generator(Philox)` bit for bit; xoshiro256 has a file of its own (`xoshiro.py`).
"seed" starts a generator from one number, "keyed" from three, "keyed4" from four. A bound for integers that is below 1 counts as 1, where
NumPy raises an error.

What two bodies call must be compiled to the same function for both: a whole number that is a constant at a call becomes part of the
function that is called, so no function is given different ones by different bodies.

Sources: M. Matsumoto and T. Nishimura, ACM TOMACS 8 (1998), and `mt19937ar.c` for mt19937; J. Salmon et al., SC 2011, for Philox;
G. Marsaglia and T. A. Bray (1964) for the polar method; G. Marsaglia and W. W. Tsang (2000), with J. Doornik's tables, for the
ziggurat; D. Lemire (2019) for integers without division; M. O'Neill (2015) for the hashing of seeds.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from cogir.library.numerics.intrinsics import (
    bits_of,
    divide,
    float_of,
    from_bits,
    less_unsigned,
    libm_log,
    libm_log1p,
    mul_hi_unsigned,
    mul_lo_unsigned,
    remainder_unsigned,
    select,
    shift_left,
    shift_right_logical,
    sqrt,
    wrapping_add,
    wrapping_mul,
    wrapping_sub,
)
from cogir.library.numerics.math import exp
from cogir.library.random.xoshiro import (
    xoshiro256_integer,
    xoshiro256_keyed,
    xoshiro256_keyed4,
    xoshiro256_normal,
    xoshiro256_seed,
    xoshiro256_uniform,
)
from cogir.library.random.ziggurat import HEIGHTS, LIMITS, TAIL_INVERSE, TAIL_START, WIDTHS

Words: TypeAlias = Any
"""An array of int64."""

MASK_32 = 0xFFFFFFFF
FRACTION_BITS = 0x000FFFFFFFFFFFFF
TWO_MINUS_53 = 2.0**-53

# mt19937: where things are.

MT_SIZE = 624
MT_SHIFT = 397
MT_POSITION, MT_HAS_GAUSS, MT_GAUSS = 624, 625, 626


def mt19937_seed(seed: int) -> Words:
    """The state of `RandomState([seed])`: `init_by_array` with a key of one 32-bit number."""
    words = mt19937_start()
    key = seed & MASK_32
    last = words[0]
    for i in range(1, MT_SIZE):
        last = mt19937_enter(words[i], last, key)
        words[i] = last
    # The index wraps around: word 0 takes the last, and word 1 has a second turn.
    words[1] = mt19937_enter(words[1], last, key)
    return mt19937_finish(words)


def mt19937_keyed(seed: int, a: int, b: int) -> Words:
    """
    The state of `RandomState([seed, a, b])`: `init_by_array` with a key of three 32-bit numbers. Of a larger seed, the high bits change the
    second number.
    """
    words = mt19937_start()
    # The numbers are added in turn, each with its position.
    key, following, third = seed & MASK_32, (with_high_bits(a, seed) & MASK_32) + 1, (b & MASK_32) + 2
    last = words[0]
    for i in range(1, MT_SIZE):
        last = mt19937_enter(words[i], last, key)
        words[i] = last
        key, following, third = following, third, key
    words[1] = mt19937_enter(words[1], last, key)
    return mt19937_finish(words)


def mt19937_keyed4(seed: int, a: int, b: int, c: int) -> Words:
    """The state of `RandomState([seed, a, b, c])`: `init_by_array` with a key of four 32-bit numbers; a larger seed as in the other."""
    words = mt19937_start()
    key, second, third, fourth = seed & MASK_32, (with_high_bits(a, seed) & MASK_32) + 1, (b & MASK_32) + 2, (c & MASK_32) + 3
    last = words[0]
    for i in range(1, MT_SIZE):
        last = mt19937_enter(words[i], last, key)
        words[i] = last
        key, second, third, fourth = second, third, fourth, key
    words[1] = mt19937_enter(words[1], last, key)
    return mt19937_finish(words)


def with_high_bits(number: int, seed: int) -> int:
    """A word of a key, changed by the bits of a seed beyond the 32 that its own word has."""
    return number ^ shift_right_logical(seed, 32)


def mt19937_start() -> Words:
    """The state from which `init_by_array` starts: `init_genrand(19650218)`."""
    words = np.zeros(627, dtype=np.int64)
    last = 19650218
    words[0] = last
    for i in range(1, MT_SIZE):
        last = (1812433253 * (last ^ (last >> 30)) + i) & MASK_32
        words[i] = last
    return words


def mt19937_enter(word: int, last: int, key: int) -> int:
    """A word after the word before it, and a number of the key, were mixed into it."""
    return ((word ^ ((last ^ (last >> 30)) * 1664525)) + key) & MASK_32


def mt19937_finish(words: Words) -> Words:
    """The second round of `init_by_array`, which begins at word 2."""
    words = words.copy()
    last = words[1]
    for i in range(2, MT_SIZE):
        last = ((words[i] ^ ((last ^ (last >> 30)) * 1566083941)) - i) & MASK_32
        words[i] = last
    last = ((words[1] ^ ((last ^ (last >> 30)) * 1566083941)) - 1) & MASK_32
    words[1] = last
    words[0] = 0x80000000
    words[MT_POSITION] = MT_SIZE
    return words


def mt19937_mix(high: int, low: int, other: int) -> int:
    """One step of the recurrence: the top bit of one word joined with the rest of the next, twisted, onto a third."""
    joined = (high & 0x80000000) | (low & 0x7FFFFFFF)
    return other ^ (joined >> 1) ^ ((0 - (joined & 1)) & 0x9908B0DF)


def mt19937_twist(words: Words) -> Words:
    """The next 624 key words."""
    words = words.copy()
    for i in range(MT_SIZE - MT_SHIFT):
        words[i] = mt19937_mix(words[i], words[i + 1], words[i + MT_SHIFT])
    # In two parts, so that no vector is read that has just been written.
    for i in range(MT_SIZE - MT_SHIFT, 2 * (MT_SIZE - MT_SHIFT)):
        words[i] = mt19937_mix(words[i], words[i + 1], words[i + (MT_SHIFT - MT_SIZE)])
    for i in range(2 * (MT_SIZE - MT_SHIFT), MT_SIZE - 1):
        words[i] = mt19937_mix(words[i], words[i + 1], words[i + (MT_SHIFT - MT_SIZE)])
    words[MT_SIZE - 1] = mt19937_mix(words[MT_SIZE - 1], words[0], words[MT_SHIFT - 1])
    words[MT_POSITION] = 0
    return words


def mt19937_temper(y: int) -> int:
    """A key word as it is given out."""
    y = y ^ (y >> 11)
    y = y ^ ((y << 7) & 0x9D2C5680)
    y = y ^ ((y << 15) & 0xEFC60000)
    return y ^ (y >> 18)


def mt19937_next(words: Words) -> tuple[int, Words]:
    """The next 32 bits."""
    words = words.copy()
    if words[MT_POSITION] >= MT_SIZE:
        words = mt19937_twist(words)
    position = words[MT_POSITION]
    y = words[position]
    words[MT_POSITION] = position + 1
    return mt19937_temper(y), words


def mt19937_uniform(words: Words) -> tuple[float, Words]:
    """`RandomState.random_sample`: 53 bits of two draws, in [0, 1)."""
    words = words.copy()
    position = words[MT_POSITION]
    if position < MT_SIZE - 1:
        high, low = mt19937_temper(words[position]), mt19937_temper(words[position + 1])
        words[MT_POSITION] = position + 2
    else:
        high, words = mt19937_next(words)
        low, words = mt19937_next(words)
    return (float_of(high >> 5) * 67108864.0 + float_of(low >> 6)) * TWO_MINUS_53, words


def mt19937_normal(words: Words) -> tuple[float, Words]:
    """`RandomState.standard_normal`: the polar method, which makes two normals and keeps one for the next draw."""
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
    words[MT_GAUSS] = bits_of(factor * x)
    return factor * y, words


def smear(n: int) -> int:
    """The smallest `2**k - 1` that is not below `n`."""
    n = n | (n >> 1)
    n = n | (n >> 2)
    n = n | (n >> 4)
    n = n | (n >> 8)
    n = n | (n >> 16)
    return n | (n >> 32)


def mt19937_integer(words: Words, below: int) -> tuple[int, Words]:
    """`RandomState.randint(below, dtype=int64)`: masked rejection, on 32 bits where they suffice; 0 without a draw for `below` 1."""
    largest = below - 1
    mask = smear(largest)
    value = 0
    if largest > 0:
        value = below
        while value > largest:
            value, words = mt19937_next(words)
            if largest > MASK_32:
                low, words = mt19937_next(words)
                value = shift_left(value, 32) | low
            value = value & mask
    return value, words


# philox4x64: where things are. The words are counter[4], key[2], buffer[4] and three more.

PHILOX_KEY, PHILOX_BUFFER = 4, 6
PHILOX_POSITION, PHILOX_HAS_HALF, PHILOX_HALF = 10, 11, 12
PHILOX_MULTIPLIER_0 = 0xD2E7470EE14C6C93 - 2**64
PHILOX_MULTIPLIER_1 = 0xCA5A826395121157 - 2**64
PHILOX_WEYL_0 = 0x9E3779B97F4A7C15 - 2**64
PHILOX_WEYL_1 = 0xBB67AE8584CAA73B - 2**64


def hash_seed(value: int, constant: int, multiplier: int) -> tuple[int, int]:
    """One step of SeedSequence's hash: the mixed value, and the next constant."""
    value = value ^ constant
    constant = wrapping_mul(constant, multiplier) & MASK_32
    value = wrapping_mul(value, constant) & MASK_32
    return value ^ (value >> 16), constant


def mix_seeds(x: int, y: int) -> int:
    """SeedSequence's mixing of two hashed values."""
    mixed = wrapping_sub(wrapping_mul(0xCA01F9DD, x), wrapping_mul(0x4973F715, y)) & MASK_32
    return mixed ^ (mixed >> 16)


def philox4x64_seed(seed: int) -> Words:
    """The state of `Philox([seed])`."""
    pool = np.zeros(4, dtype=np.int64)
    pool[0] = seed & MASK_32
    pool[1] = shift_right_logical(seed, 32)
    return philox4x64_start(hash_pool(pool))


def philox4x64_keyed(seed: int, a: int, b: int) -> Words:
    """The state of `Philox([seed, a, b])` for numbers below 2**32; of a larger seed, the high bits change the second number."""
    pool = np.zeros(4, dtype=np.int64)
    pool[0] = seed & MASK_32
    pool[1] = with_high_bits(a, seed) & MASK_32
    pool[2] = b & MASK_32
    return philox4x64_start(hash_pool(pool))


def philox4x64_keyed4(seed: int, a: int, b: int, c: int) -> Words:
    """The state of `Philox([seed, a, b, c])` for numbers below 2**32; a larger seed as in the other."""
    pool = np.zeros(4, dtype=np.int64)
    pool[0] = seed & MASK_32
    pool[1] = with_high_bits(a, seed) & MASK_32
    pool[2] = b & MASK_32
    pool[3] = c & MASK_32
    return philox4x64_start(hash_pool(pool))


def hash_pool(pool: Words) -> Words:
    """The first four outputs of `SeedSequence` for at most four 32-bit numbers, padded with zeros."""
    pool = pool.copy()
    constant = 0x43B0D7E5
    for i in range(4):
        hashed, constant = hash_seed(pool[i], constant, 0x931E8875)
        pool[i] = hashed
    for source in range(4):
        for target in range(4):
            if source != target:
                hashed, constant = hash_seed(pool[source], constant, 0x931E8875)
                pool[target] = mix_seeds(pool[target], hashed)
    constant = 0x8B51F9DD
    for i in range(4):
        hashed, constant = hash_seed(pool[i], constant, 0x58F38DED)
        pool[i] = hashed
    return pool


def philox4x64_start(key: Words) -> Words:
    """Counter 0 and a key of four 32-bit numbers."""
    words = np.zeros(13, dtype=np.int64)
    words[PHILOX_KEY] = key[0] | shift_left(key[1], 32)
    words[PHILOX_KEY + 1] = key[2] | shift_left(key[3], 32)
    words[PHILOX_POSITION] = 4
    return words


def philox4x64_refill(words: Words) -> Words:
    """Adds one to the counter, and enciphers it into the buffer."""
    words = words.copy()
    carry = 1
    for i in range(4):
        words[i] = wrapping_add(words[i], carry)
        carry = select(words[i] == 0, carry, 0)
    c0, c1, c2, c3 = words[0], words[1], words[2], words[3]
    key0, key1 = words[PHILOX_KEY], words[PHILOX_KEY + 1]
    for _ in range(10):
        high0, low0 = mul_hi_unsigned(PHILOX_MULTIPLIER_0, c0), mul_lo_unsigned(PHILOX_MULTIPLIER_0, c0)
        high1, low1 = mul_hi_unsigned(PHILOX_MULTIPLIER_1, c2), mul_lo_unsigned(PHILOX_MULTIPLIER_1, c2)
        c0, c1, c2, c3 = high1 ^ c1 ^ key0, low1, high0 ^ c3 ^ key1, low0
        key0, key1 = wrapping_add(key0, PHILOX_WEYL_0), wrapping_add(key1, PHILOX_WEYL_1)
    words[PHILOX_BUFFER] = c0
    words[PHILOX_BUFFER + 1] = c1
    words[PHILOX_BUFFER + 2] = c2
    words[PHILOX_BUFFER + 3] = c3
    words[PHILOX_POSITION] = 0
    return words


def philox4x64_next(words: Words) -> tuple[int, Words]:
    """The next 64 bits."""
    words = words.copy()
    if words[PHILOX_POSITION] >= 4:
        words = philox4x64_refill(words)
    position = words[PHILOX_POSITION]
    words[PHILOX_POSITION] = position + 1
    return words[PHILOX_BUFFER + position], words


def philox4x64_next_half(words: Words) -> tuple[int, Words]:
    """The next 32 bits: the lower half of 64, then the upper half, which is kept until it is asked for."""
    words = words.copy()
    if words[PHILOX_HAS_HALF] != 0:
        words[PHILOX_HAS_HALF] = 0
        return words[PHILOX_HALF], words
    bits, words = philox4x64_next(words)
    words = words.copy()
    words[PHILOX_HAS_HALF] = 1
    words[PHILOX_HALF] = shift_right_logical(bits, 32)
    return bits & MASK_32, words


def philox4x64_uniform(words: Words) -> tuple[float, Words]:
    """`Generator.random`: the upper 53 of 64 bits, in [0, 1)."""
    bits, words = philox4x64_next(words)
    return float_of(shift_right_logical(bits, 11)) * TWO_MINUS_53, words


def philox4x64_tail(words: Words) -> tuple[float, Words]:
    """The distance beyond `TAIL_START` of a normal that is known to lie there (Marsaglia 1964)."""
    beyond, height = 1.0, 0.0
    while height + height <= beyond * beyond:
        u, words = philox4x64_uniform(words)
        v, words = philox4x64_uniform(words)
        beyond = -TAIL_INVERSE * libm_log1p(-u)
        height = -libm_log1p(-v)
    return beyond, words


def philox4x64_normal(words: Words) -> tuple[float, Words]:
    """`Generator.standard_normal`: a ziggurat of 256 layers, entered with 8 bits of layer, one of sign and 52 of width."""
    words = words.copy()
    position = words[PHILOX_POSITION]
    bits = words[PHILOX_BUFFER + (position & 3)]
    words[PHILOX_POSITION] = position + 1
    if position >= 4:
        bits, words = philox4x64_first(words)
    layer = bits & 0xFF
    distance = shift_right_logical(bits, 9) & FRACTION_BITS
    value = from_bits(bits_of(float_of(distance) * WIDTHS[layer]) | shift_left(bits & 0x100, 55))
    if distance >= LIMITS[layer]:
        value, words = philox4x64_outside(words, bits)
    return value, words


def philox4x64_first(words: Words) -> tuple[int, Words]:
    """The first 64 bits of the next four."""
    words = philox4x64_refill(words)
    words[PHILOX_POSITION] = 1
    return words[PHILOX_BUFFER], words


def philox4x64_outside(words: Words, bits: int) -> tuple[float, Words]:
    """`philox4x64_normal`, where these bits lead to a place that may be outside of a layer's core; about one of ninety do."""
    value = 0.0
    searching = True
    while searching:
        layer = bits & 0xFF
        sign = shift_right_logical(bits, 8) & 1
        distance = shift_right_logical(bits, 9) & FRACTION_BITS
        x = float_of(distance) * WIDTHS[layer]
        value = select(sign == 1, -x, x)
        if distance < LIMITS[layer]:
            searching = False
        elif layer == 0:
            beyond, words = philox4x64_tail(words)
            beyond = TAIL_START + beyond
            value = select(((distance >> 8) & 1) == 1, -beyond, beyond)
            searching = False
        else:
            u, words = philox4x64_uniform(words)
            searching = (HEIGHTS[layer - 1] - HEIGHTS[layer]) * u + HEIGHTS[layer] >= exp(-0.5 * x * x)
            if searching:
                bits, words = philox4x64_next(words)
    return value, words


def philox4x64_integer(words: Words, below: int) -> tuple[int, Words]:
    """`Generator.integers(below)`: Lemire's method on 32 bits where they suffice, else on 64; 0 without a draw for `below` 1."""
    value = 0
    if below > MASK_32 + 1:
        high, low, threshold = 0, 0, 1
        while less_unsigned(low, threshold):
            bits, words = philox4x64_next(words)
            high, low = mul_hi_unsigned(bits, below), wrapping_mul(bits, below)
            threshold = remainder_unsigned(wrapping_sub(0, below), below)
        value = high
    elif below > 1:
        product, threshold = 0, 1
        while (product & MASK_32) < threshold:
            bits, words = philox4x64_next_half(words)
            product = wrapping_mul(bits, below)
            threshold = (MASK_32 + 1 - below) % below
        value = shift_right_logical(product, 32)
    return value, words


Body: TypeAlias = Callable[..., Any]

BODIES: dict[tuple[str, str], Body] = {
    ("mt19937", "seed"): mt19937_seed,
    ("mt19937", "keyed"): mt19937_keyed,
    ("mt19937", "keyed4"): mt19937_keyed4,
    ("mt19937", "uniform"): mt19937_uniform,
    ("mt19937", "normal"): mt19937_normal,
    ("mt19937", "integer"): mt19937_integer,
    ("philox4x64", "seed"): philox4x64_seed,
    ("philox4x64", "keyed"): philox4x64_keyed,
    ("philox4x64", "keyed4"): philox4x64_keyed4,
    ("philox4x64", "uniform"): philox4x64_uniform,
    ("philox4x64", "normal"): philox4x64_normal,
    ("philox4x64", "integer"): philox4x64_integer,
    ("xoshiro256", "seed"): xoshiro256_seed,
    ("xoshiro256", "keyed"): xoshiro256_keyed,
    ("xoshiro256", "keyed4"): xoshiro256_keyed4,
    ("xoshiro256", "uniform"): xoshiro256_uniform,
    ("xoshiro256", "normal"): xoshiro256_normal,
    ("xoshiro256", "integer"): xoshiro256_integer,
}
"""The bodies, by kind of generator and what is drawn."""
