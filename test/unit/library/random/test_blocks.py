"""Blocks of normals, and generators whose normals were drawn before."""

import numpy as np
import pytest

from cogir.library.random.blocks import ADDRESS, BLOCK_NORMALS, DRAWN, REPEATED, TAKEN, mt19937_normals, presampled_normal
from cogir.library.random.generators import pack


@pytest.mark.parametrize("seed", [0, 29, 2**32 - 1])
def test_blocks_are_numpys_normals(seed: int) -> None:
    words, expected = pack(np.random.RandomState([seed])), np.random.RandomState([seed]).standard_normal(3 * BLOCK_NORMALS)
    drawn = 0
    for _ in range(2):
        with np.errstate(all="ignore"):
            count, words, normals = mt19937_normals(words, np.zeros(BLOCK_NORMALS))
        assert 200 < count < BLOCK_NORMALS
        assert count % 2 == 0
        assert np.array_equal(normals[:count], expected[drawn : drawn + count])
        assert np.all(np.isfinite(normals[count:]))  # which a trial that takes too many may read
        drawn += count


def test_a_presampled_generator_repeats_its_first_normals_beyond_the_last() -> None:
    normals = np.random.default_rng(1).normal(size=300)
    words = np.zeros(3, np.int64)
    words[ADDRESS], words[DRAWN] = normals.ctypes.data, len(normals)
    taken: list[float] = []
    for _ in range(310):
        value, words = presampled_normal(words)
        taken.append(value)
    assert taken[:300] == normals.tolist()
    assert taken[300:] == [normals[place & (REPEATED - 1)] for place in range(300, 310)]
    assert words[TAKEN] == 310
