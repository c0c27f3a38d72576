"""Streams of mt19937 that are seeded together are those of NumPy, whichever of them are."""

from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.dialects import func

import cogir
from cogir import library
from cogir.library.random.generators import pack
from cogir.library.random.rng import MASK_32
from cogir.library.random.streams import COUNT, FIRST, ROWS, mt19937_streams
from cogir.lowering.entry.streams import SEED
from cogir.lowering.pipeline import lower_to

LARGEST = 2**32 - 1


@pytest.mark.parametrize("length", [1, 3, 4])
def test_states_are_numpys(length: int) -> None:
    chance = Random(length)
    keys = [[chance.randint(0, LARGEST) for _ in range(length)] for _ in range(COUNT - 2)] + [[0] * length, [LARGEST] * length]
    rows = np.full(ROWS * COUNT, -1, np.int64)
    rows[: length * COUNT] = np.transpose(keys).ravel()
    for key, found in zip(keys, states_of(mt19937_streams(length, rows)), strict=True):
        np.testing.assert_array_equal(found, pack(np.random.RandomState(key)))


def states_of(rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """The states that such rows hold."""
    return np.transpose(rows.reshape(ROWS, COUNT)[FIRST:]) & MASK_32


def test_high_bits_of_a_seed_change_the_second_number() -> None:
    rows = np.zeros(ROWS * COUNT, np.int64)
    rows[:COUNT], rows[COUNT : 2 * COUNT] = (5 << 32) + 7, 6
    np.testing.assert_array_equal(states_of(mt19937_streams(3, rows))[0], pack(np.random.RandomState([7, 6 ^ 5, 0])))


def drawing(*kinds: str) -> cogir.Model:
    """A model that draws a normal with each of its generators."""
    model = cogir.Model("drawing")
    for number, kind in enumerate(kinds):
        model.node(f"N{number}", library.normal_dist, input=1, prng=kind, mean=0.0, standard_deviation=1.0)
    return model


COUNTS = [1, 2, 4, 5, 6, COUNT - 1, COUNT, COUNT + 1, COUNT + 4, COUNT + 5, 3 * COUNT + 2]


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("threads", [1, 3])
def test_replicates_draw_from_streams_of_their_own(count: int, threads: int) -> None:
    found = drawing("mt19937", "mt19937").compile(threads=threads).replicates({"N0": [[0.0]], "N1": [[0.0]]}, count=count, seed=LARGEST)
    for number in range(2):
        expected = [np.random.RandomState([LARGEST, number, replicate]).standard_normal() for replicate in range(count)]
        assert found[f"N{number}"].ravel().tolist() == expected


@pytest.mark.parametrize("replicates", [1, 3, 7, COUNT, COUNT + 3])
@pytest.mark.parametrize("common", [False, True])
def test_points_of_a_sweep_draw_from_streams_of_their_own(replicates: int, common: bool) -> None:
    points: dict[str, Any] = {"N0/mean": [0.0] * 11}
    compiled = drawing("mt19937").compile(threads=1)
    found = compiled.sweep(points, {"N0": [[0.0]]}, replicates=replicates, seed=9, common_random_numbers=common)
    keys = [[[9, 0, *([] if common else [point]), replicate] for replicate in range(replicates)] for point in range(11)]
    expected = [[np.random.RandomState(key).standard_normal() for key in of_point] for of_point in keys]
    assert np.reshape(found["N0"], (11, replicates)).tolist() == expected


@pytest.mark.parametrize(("kinds", "together"), [(["mt19937"], True), (["mt19937", "xoshiro256"], False), (["philox4x64"], False)])
def test_only_streams_of_one_kind_are_seeded_together(kinds: list[str], together: bool) -> None:
    module = drawing(*kinds).ir()
    lower_to(module, "loops", options={"replicate": {"enabled": True}})
    assert (SEED in {op.sym_name.data for op in module.ops if isinstance(op, func.FuncOp)}) == together


def test_mixed_kinds_draw_as_each_alone() -> None:
    found = drawing("mt19937", "xoshiro256").compile().replicates({"N0": [[0.0]], "N1": [[0.0]]}, count=40, seed=2)
    assert found["N0"].ravel().tolist() == [np.random.RandomState([2, 0, replicate]).standard_normal() for replicate in range(40)]
