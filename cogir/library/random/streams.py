"""
Seeding of many streams of mt19937 at once.

NumPy's `init_by_array` mixes 624 words twice, each with the one before it, so that a stream waits at each step for the step before. Here
each step is done for 32 streams, which the vectors of a processor do side by side.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from cogir.library.numerics.intrinsics import shift_right_logical
from cogir.library.random.rng import (
    MASK_32,
    MT_GAUSS,
    MT_HAS_GAUSS,
    MT_POSITION,
    MT_SIZE,
    Words,
    mt19937_start,
)

STREAMS = "streams"
"""The name of the seeding of many streams."""
COUNT = 32
"""So many streams at once: four vectors of eight words, so that three are worked at while one waits."""
TURN = 12
"""After so many steps all keys begin again: a multiple of the lengths 1, 3 and 4."""
STATE = MT_GAUSS + 1
"""The words of a state."""
FIRST = 4
"""The row of the first word of all streams, after those of the longest keys."""
ROWS = FIRST + STATE
"""The rows of the memory to work in, of a number for each stream."""
START = np.array(mt19937_start()[:MT_SIZE], dtype=np.int64)
"""The words from which all streams start."""


def mixed(last: int) -> int:
    """The lower 32 bits of a word, mixed, as a number of 32 bits, of which vectors make products faster than of others."""
    lower = last & MASK_32
    return lower ^ (lower >> 30)


def entered(word: int, last: int, added: int) -> int:
    """A word after the first round, in its lower 32 bits."""
    return (word ^ (mixed(last) * 1664525)) + added


def left(word: int, last: int, index: int) -> int:
    """A word after the second round, in its lower 32 bits."""
    return (word ^ (mixed(last) * 1566083941)) - index


def mt19937_streams(length: int, rows: Words) -> Words:
    """
    The states of `RandomState([...])` for 32 keys of `length` numbers: 1, 3 or 4. `rows` begin with the first numbers of all keys, the
    second ones, and so on; the high bits of a larger first number change the second one, as in `mt19937_keyed`. From row `FIRST` on they
    are given back with the words of all states, each in its lower 32 bits.
    """
    rows = rows.copy()
    if length > 1:
        for stream in range(COUNT):
            rows[COUNT + stream] = rows[COUNT + stream] ^ shift_right_logical(rows[stream], 32)
    added = np.zeros(TURN * COUNT, dtype=np.int64)
    for number in range(TURN * COUNT):
        place = number // COUNT % length
        added[number] = (rows[place * COUNT + number % COUNT] & MASK_32) + place
    for stream in range(COUNT):
        rows[FIRST * COUNT + stream] = START[0]
    for word in range(1, MT_SIZE):
        row, step = FIRST + word, (word - 1) % TURN
        for stream in range(COUNT):
            rows[row * COUNT + stream] = entered(START[word], rows[(row - 1) * COUNT + stream], added[step * COUNT + stream])
    # The index wraps around: word 0 takes the last, and word 1 has a second turn.
    for stream in range(COUNT):
        last = rows[(FIRST + MT_SIZE - 1) * COUNT + stream]
        again = entered(rows[(FIRST + 1) * COUNT + stream], last, added[(MT_SIZE - 1) % TURN * COUNT + stream])
        rows[(FIRST + 1) * COUNT + stream] = again
    for word in range(2, MT_SIZE):
        row = FIRST + word
        for stream in range(COUNT):
            rows[row * COUNT + stream] = left(rows[row * COUNT + stream], rows[(row - 1) * COUNT + stream], word)
    for stream in range(COUNT):
        rows[(FIRST + 1) * COUNT + stream] = left(rows[(FIRST + 1) * COUNT + stream], rows[(FIRST + MT_SIZE - 1) * COUNT + stream], 1)
        rows[FIRST * COUNT + stream] = 0x80000000
        rows[(FIRST + MT_POSITION) * COUNT + stream] = MT_SIZE
        rows[(FIRST + MT_HAS_GAUSS) * COUNT + stream] = 0
        rows[(FIRST + MT_GAUSS) * COUNT + stream] = 0
    return rows


SEEDINGS: dict[tuple[str, str], Callable[..., Any]] = {("mt19937", STREAMS): mt19937_streams}
"""The bodies, by kind of generator and what is done."""
