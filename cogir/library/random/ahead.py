"""
Normals of mt19937 some ahead: those of the next sixteen pairs of uniforms at once, of which each draw takes one.

NumPy's polar method makes two normals of a pair of uniforms, and rejects about a fifth of the pairs. Of sixteen pairs each step is done by
the vectors of a processor. The words of such a state are NumPy's, as they are after the last pair that was accepted, and behind them the
normals that are left; `ahead_given_back` puts NumPy's words where the draws that were taken have left them. Nothing but normals is drawn
from it.

Where no state is ever given back, as in replicates, normals are drawn in chunks of 32 pairs, which somebody else keeps (`ahead_chunk`).
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from cogir.library.numerics.intrinsics import bits_of, divide, from_bits, libm_log, select, sqrt
from cogir.library.random.blocks import centred, is_accepted, normals_of
from cogir.library.random.rng import (
    MT_GAUSS,
    MT_HAS_GAUSS,
    MT_POSITION,
    MT_SIZE,
    Words,
    mt19937_twist,
    mt19937_uniform,
)

PAIRS = 16
"""So many pairs of uniforms are looked at, at most."""
NORMALS = 2 * PAIRS
CHUNK_PAIRS = 32
CHUNK_NORMALS = 2 * CHUNK_PAIRS
"""The most normals of a chunk. Its last pair begins at most 640 words into the state, which has that many."""
LEFT = MT_GAUSS + 1
MADE, START = LEFT + 1, LEFT + 2
"""After NumPy's words, those that say how many normals are left, how many there were, and the position of the first pair."""
LAST = START + 1
"""The place of the last normal. The others follow; the next one is the last of those that are left."""
WORDS = MT_SIZE + 4 * PAIRS
"""All words: sixteen pairs can be read at each position of a turn, those beyond its end in vain."""


def ahead_normal(words: Words) -> tuple[float, Words]:
    """`RandomState.standard_normal`."""
    words = words.copy()
    left = words[LEFT]
    value = from_bits(words[LAST + ((left - 1) & (NORMALS - 1))])
    if left > 0:
        words[LEFT] = left - 1
    else:
        value, words = ahead_first(words)
    return value, words


def ahead_first(words: Words) -> tuple[float, Words]:
    """A normal where none is left."""
    words = words.copy()
    value = from_bits(words[MT_GAUSS])
    if words[MT_HAS_GAUSS] != 0:
        words[MT_HAS_GAUSS] = 0
        words[MT_GAUSS] = 0
    else:
        position = words[MT_POSITION]
        if position <= MT_SIZE - 4 or position >= MT_SIZE:
            words = ahead_made(words)
        left = words[LEFT]
        if left > 0:
            words[LEFT] = left - 1
            value = from_bits(words[LAST + ((left - 1) & (NORMALS - 1))])
        else:
            value, words = ahead_pair(words)
    return value, words


def ahead_pair(words: Words) -> tuple[float, Words]:
    """A normal of the next pair that is accepted, and another one that is kept for the next draw: of pairs on both sides of a turn."""
    words = words.copy()
    x, y, square = 0.0, 0.0, 2.0
    while square >= 1.0 or square == 0.0:
        u, words = mt19937_uniform(words)
        v, words = mt19937_uniform(words)
        x = 2.0 * u - 1.0
        y = 2.0 * v - 1.0
        square = x * x + y * y
    factor = sqrt(divide(-2.0 * libm_log(square), square))
    words[MT_HAS_GAUSS] = 1
    words[MT_GAUSS] = bits_of(factor * x)
    return factor * y, words


def ahead_made(words: Words) -> Words:
    """The normals of the next pairs; what comes after a turn is not looked at."""
    words = words.copy()
    if words[MT_POSITION] >= MT_SIZE:
        words = mt19937_twist(words)
    start = min(max(words[MT_POSITION], 0), MT_SIZE)
    pairs = min(PAIRS, (MT_SIZE - start) >> 2)
    firsts, seconds, accepted = np.zeros(PAIRS), np.zeros(PAIRS), np.zeros(PAIRS, dtype=np.int64)
    for i in range(PAIRS):
        place = start + 4 * i
        x, y = centred(words[place], words[place + 1]), centred(words[place + 2], words[place + 3])
        square = x * x + y * y
        firsts[i], seconds[i] = normals_of(x, y, square)  # of no use outside of the unit circle
        accepted[i] = is_accepted(square) & select(i < pairs, 1, 0)
    count, end = 0, start
    for i in range(PAIRS):
        pair = PAIRS - 1 - i  # the last comes first, so that what is left is a number
        is_one, place = accepted[pair], count & (PAIRS - 1)
        words[LAST + 2 * place] = bits_of(seconds[pair])
        words[LAST + 2 * place + 1] = bits_of(firsts[pair])
        end = select(is_one > count, start + 4 * (pair + 1), end)
        count = count + is_one
    words[START] = start
    words[MADE] = 2 * count
    words[LEFT] = 2 * count
    words[MT_POSITION] = select(count == 0, start + 4 * pairs, end)
    return words


def ahead_given_back(words: Words) -> Words:
    """NumPy's words after the draws that were taken: normals that are left were not drawn."""
    words = words.copy()
    left = words[LEFT]
    if left > 0:
        if left > 1:  # with one left, a normal of the last pair has been drawn, and the position is behind it already
            position, found, taken = words[START], 0, words[MADE] - left
            while 2 * found < taken:
                x, y = centred(words[position], words[position + 1]), centred(words[position + 2], words[position + 3])
                square = x * x + y * y
                found = found + is_accepted(square)
                position = position + 4
            words[MT_POSITION] = position
        if (left & 1) == 1:
            words[MT_HAS_GAUSS] = 1
            words[MT_GAUSS] = words[LAST + ((left - 1) & (NORMALS - 1))]
        words[LEFT] = 0
    return words


def ahead_chunk(words: Words, normals: Any) -> tuple[int, Words, Any]:
    """
    How many normals the next pairs of uniforms give, the words after these, and an array that begins with them. All that is drawn from such
    a state is drawn in chunks, from its seed on.
    """
    words, normals = words.copy(), normals.copy()
    if words[MT_POSITION] >= MT_SIZE:
        words = mt19937_twist(words)
    start = min(max(words[MT_POSITION], 0), MT_SIZE)
    pairs = min(CHUNK_PAIRS, (MT_SIZE - start) >> 2)
    firsts, seconds, accepted = np.zeros(CHUNK_PAIRS), np.zeros(CHUNK_PAIRS), np.zeros(CHUNK_PAIRS, dtype=np.int64)
    for i in range(CHUNK_PAIRS):
        place = start + 4 * i
        x, y = centred(words[place], words[place + 1]), centred(words[place + 2], words[place + 3])
        square = x * x + y * y
        is_one = is_accepted(square) & select(i < pairs, 1, 0)
        firsts[i], seconds[i] = normals_of(x, y, select(is_one == 1, square, 0.5))  # those that are not accepted are numbers, too
        accepted[i] = is_one
    count = 0
    for i in range(CHUNK_PAIRS):
        place = count & (CHUNK_PAIRS - 1)
        normals[2 * place] = firsts[i]
        normals[2 * place + 1] = seconds[i]
        count = count + accepted[i]
    words[MT_POSITION] = start + 4 * pairs
    return 2 * count, words, normals


NORMAL, GIVEN_BACK, CHUNK = "normal", "back", "chunk"
"""The draws of such a state."""
AHEADS: dict[tuple[str, str], Callable[..., Any]] = {
    ("ahead", NORMAL): ahead_normal,
    ("ahead", GIVEN_BACK): ahead_given_back,
    ("ahead", CHUNK): ahead_chunk,
}
"""The bodies, by kind of generator and what is drawn."""
