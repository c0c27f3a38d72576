"""The bodies of the generators, run as plain Python, against NumPy's generators draw by draw."""

import math
import random
from typing import Any

import mpmath
import numpy as np
import pytest

from cogir.library.random.generators import Stream, Xoshiro256, initial_words, seeded_words
from cogir.library.random.rng import BODIES
from cogir.library.random.xoshiro import cos_sin_of_turns, log_of_uniform, xoshiro256_step
from cogir.library.random.ziggurat import HEIGHTS, LIMITS, TAIL_INVERSE, TAIL_START, WIDTHS

SEEDS = {
    "mt19937": (0, 1, 42, 2**32 - 1),
    "philox4x64": (0, 42, 2**32, 2**63 - 1),
    "xoshiro256": (0, 42, 2**63 - 1),
}
BOUNDS = (1, 2, 3, 10, 255, 2**31, 2**32 - 1, 2**32, 2**32 + 1, 2**62 + 12345, 2**63 - 1)
CASES = [(kind, seed) for kind, seeds in SEEDS.items() for seed in seeds]


@pytest.mark.parametrize(("kind", "seed"), CASES)
def test_seeding(kind: str, seed: int) -> None:
    np.testing.assert_array_equal(BODIES[kind, "seed"](seed), initial_words(kind, seed))


WORDS_OF_KEYS = (0, 1, 2, 2**31, 2**32 - 1, 2**32, 2**40 + 5, 2**63 - 1, -1, -(2**63))
"""Numbers that a kind has no room for too: their low bits count."""


@pytest.mark.parametrize("kind", SEEDS)
@pytest.mark.parametrize(("count", "draw"), [(3, "keyed"), (4, "keyed4")])
def test_keys_of_several_words(kind: str, count: int, draw: str) -> None:
    choice = random.Random(0)
    for _ in range(12):
        key = [choice.choice(WORDS_OF_KEYS) for _ in range(count)]
        np.testing.assert_array_equal(BODIES[kind, draw](*key), seeded_words(kind, *key))
    for word in WORDS_OF_KEYS:
        np.testing.assert_array_equal(BODIES[kind, "seed"](word), seeded_words(kind, word))


@pytest.mark.parametrize(("kind", "seed"), CASES)
def test_mixed_draws_equal_numpy(kind: str, seed: int) -> None:
    choice = random.Random(seed)
    words = initial_words(kind, seed)
    stream = Stream(kind, words)
    for _ in range(700):
        draw = choice.choice(("uniform", "normal", "integer"))
        args = (choice.choice(BOUNDS),) if draw == "integer" else ()
        value, words = BODIES[kind, draw](words, *args)
        assert value == getattr(stream, draw)(*args)
    np.testing.assert_array_equal(words, stream.words)


def test_a_draw_does_not_change_its_argument() -> None:
    for (kind, draw), body in BODIES.items():
        if draw not in ("seed", "keyed", "keyed4"):
            words = initial_words(kind, 7)
            body(words, *((10,) if draw == "integer" else ()))
            np.testing.assert_array_equal(words, initial_words(kind, 7))


@pytest.mark.parametrize("kind", SEEDS)
@pytest.mark.parametrize("below", [0, -3])
def test_a_bound_below_one_counts_as_one(kind: str, below: int) -> None:
    words = initial_words(kind, 7)
    value, after = BODIES[kind, "integer"](words, below)
    expected, expected_after = BODIES[kind, "integer"](words, 1)
    assert value == expected == 0
    np.testing.assert_array_equal(after, expected_after)


XOSHIRO_ANSWERS = """
    41943041 58720359 3588806011781223 3591011842654386 9228616714210784205 9973669472204895162 14011001112246962877
    12406186145184390807 15849039046786891736 10450023813501588000
"""


def test_xoshiro256_known_answers() -> None:
    """What Blackman and Vigna's C code gives from the state (1, 2, 3, 4)."""
    twin, words, answers = Xoshiro256([1, 2, 3, 4]), (1, 2, 3, 4), [int(answer) for answer in XOSHIRO_ANSWERS.split()]
    assert [twin.next() for _ in answers] == answers
    for answer in answers:
        bits, *words = xoshiro256_step(*words)
        assert bits % 2**64 == answer


def test_splitmix64_known_answers() -> None:
    """What Vigna's C code gives from the state 1234567."""
    answers = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    assert Xoshiro256.seeded(1234567).state == answers


def ulps(found: float, exact: Any) -> float:
    """How far a number is from the exact one, in units in the last place of that."""
    return abs(float((found - exact) / math.ulp(float(exact))))


def test_functions_of_uniforms_are_as_close_as_stated() -> None:
    choice = random.Random(0)
    uniforms = [choice.getrandbits(53) * 2.0**-53 for _ in range(3000)]
    small = [2.0 ** -choice.uniform(0, 53) for _ in range(1000)]
    edges = [eighth / 8 + step * 2.0**-53 for eighth in range(8) for step in range(20)]
    with mpmath.workprec(150):
        for u in (1.0 - 2.0**-53, 2.0**-53, *(1.0 - u for u in uniforms), *small, *(1.0 - e for e in edges[1:])):
            assert ulps(log_of_uniform(u), mpmath.log(u)) < 2.0
        for v in (1.0 - 2.0**-53, 2.0**-53, *uniforms, *edges):
            cosine, sine = cos_sin_of_turns(v)
            if v % 0.5:
                assert ulps(sine, mpmath.sinpi(2 * mpmath.mpf(v))) < 1.5
            if (v - 0.25) % 0.5:
                assert ulps(cosine, mpmath.cospi(2 * mpmath.mpf(v))) < 1.5
    assert log_of_uniform(1.0) == 0.0
    assert [cos_sin_of_turns(quarter / 4) for quarter in range(5)] == [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0), (1.0, 0.0)]


def test_ziggurat_tables_are_a_ziggurat() -> None:
    """The tables, which are NumPy's to the last bit, against the layers' recurrence; those are good to 13 digits."""
    x = WIDTHS * 2.0**52
    area = x[0] * HEIGHTS[255]
    assert x[255] == TAIL_START
    assert 1.0 / TAIL_START == TAIL_INVERSE
    np.testing.assert_allclose(HEIGHTS[1:], np.exp(-0.5 * x[1:] ** 2), rtol=1e-13)
    np.testing.assert_allclose(x[2:] * (HEIGHTS[1:-1] - HEIGHTS[2:]), area, rtol=1e-11)
    np.testing.assert_allclose(LIMITS[2:] / 2.0**52, x[1:-1] / x[2:], rtol=1e-13)
    np.testing.assert_allclose(LIMITS[0] / 2.0**52, TAIL_START / x[0], rtol=1e-13)
    assert LIMITS[1] == 0
