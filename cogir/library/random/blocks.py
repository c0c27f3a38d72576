"""
Normals of mt19937 in blocks: all that one turn of its 624 words gives, at once.

NumPy's polar method takes four words for a pair of uniforms and rejects about a fifth of the pairs. In a block each step is a loop of its
own over 156 pairs, which the vectors of a processor do; one by one the words wait for each other. The normals are those of
`RandomState.standard_normal` in its order: the state keeps none of them for the next draw. Blocks begin at a turn, so a generator of which
blocks are drawn is used for nothing else.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from cogir.library.numerics.c_library import c_log
from cogir.library.numerics.intrinsics import divide, float_at, from_bits, select, sqrt
from cogir.library.random.rng import MT_SIZE, TWO_MINUS_53, Words, mt19937_temper, mt19937_twist

Normals: TypeAlias = Any
"""An array of float64."""

BLOCK = "normals"
"""The name of the draw of a block."""
PAIRS = MT_SIZE // 4
BLOCK_NORMALS = 2 * PAIRS
"""The most normals of a block."""
CAPACITY = 256
"""A power of two that is not below the number of pairs, so that each place is known to be one of an array."""
ADDRESS, TAKEN, DRAWN = 0, 1, 2
"""The words of a presampled generator."""
TWO_52 = 4503599627370496.0
EXPONENT_52 = 0x4330000000000000
"""The bits of 2**52."""
REPEATED = 256
"""So many normals are repeated beyond those that were drawn (a power of two)."""


def whole(number: int) -> float:
    """A whole number from 0 to 2**52 - 1 as a float, by operations that the vectors of all processors have."""
    return from_bits(number | EXPONENT_52) - TWO_52


def centred(high: int, low: int) -> float:
    """The number in [-1, 1) that two words make."""
    return 2.0 * ((whole(mt19937_temper(high) >> 5) * 67108864.0 + whole(mt19937_temper(low) >> 6)) * TWO_MINUS_53) - 1.0


def is_accepted(square: float) -> int:
    """1 for a pair whose squares have a sum that the polar method takes, else 0."""
    return select(square < 1.0, select(square == 0.0, 0, 1), 0)


def normals_of(x: float, y: float, square: float) -> tuple[float, float]:
    """The two normals of a pair that is accepted, in NumPy's order."""
    factor = sqrt(divide(-2.0 * c_log(square), square))
    return factor * y, factor * x


def mt19937_normals(words: Words, normals: Normals) -> tuple[int, Words, Normals]:
    """The number of normals in the next block, the words after it, and an array that begins with them."""
    words = mt19937_twist(words)
    words[MT_SIZE] = MT_SIZE
    x, y, square = np.zeros(CAPACITY), np.zeros(CAPACITY), np.zeros(CAPACITY)
    for i in range(PAIRS):
        x[i] = centred(words[4 * i], words[4 * i + 1])
        y[i] = centred(words[4 * i + 2], words[4 * i + 3])
        square[i] = x[i] * x[i] + y[i] * y[i]
    count = 0
    for i in range(PAIRS):
        s = square[i]
        place = count & (CAPACITY - 1)
        x[place] = x[i]
        y[place] = y[i]
        square[place] = s
        count = count + is_accepted(s)
    normals = normals.copy()
    for i in range(PAIRS):
        s = select(i < count, square[i], 0.5)  # those beyond the count are numbers: a trial that takes too many may read them, and ends
        normals[2 * i], normals[2 * i + 1] = normals_of(x[i], y[i], s)
    return 2 * count, words, normals


def presampled_normal(words: Words) -> tuple[float, Words]:
    """The next normal of those that were drawn before; of the first ones again, if there are no more."""
    words = words.copy()
    taken = words[TAKEN]
    words[TAKEN] = taken + 1
    place = select(taken < words[DRAWN], taken, taken & (REPEATED - 1))
    return float_at(words[ADDRESS] + 8 * place), words


BLOCKS: dict[tuple[str, str], Callable[..., Any]] = {
    ("mt19937", BLOCK): mt19937_normals,
    ("presampled", "normal"): presampled_normal,
}
"""The bodies, by kind of generator and what is drawn."""
