"""Normals of mt19937 that are made ahead: NumPy's numbers, and NumPy's state after any number of draws."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from xdsl.dialects import func

import cogir
from cogir.dialects.rng import AHEAD_KIND, ALL_WORDS
from cogir.library.random.ahead import LAST, LEFT, NORMALS, ahead_given_back, ahead_normal
from cogir.library.random.ahead import WORDS as AHEAD_WORDS
from cogir.library.random.generators import WORDS, pack
from cogir.library.signature import Random, Value
from cogir.lowering.pipeline import lower_to
from cogir.runtime.staged import StagedEngine

KIND = "mt19937"
pytestmark = pytest.mark.filterwarnings("ignore:invalid value encountered")


def summed(variable: float, *, random: Random) -> float:
    """So many normals, one after the other."""
    total, drawn = 0.0, 0.0
    while drawn < variable:
        total = total + random.normal()
        drawn = drawn + 1.0
    return total


def mixed(variable: float, *, random: Random) -> float:
    """A normal and a uniform from one generator."""
    return variable + random.normal() + random.uniform()


def started(seed: int, skipped: int = 0, has_gauss: bool = False) -> Any:
    """A generator that is somewhere on its way: `skipped` words of 32 bits, and perhaps a normal that is kept."""
    source = np.random.RandomState([seed])
    source.randint(0, 2**32, size=skipped, dtype=np.uint32)
    if has_gauss:
        source.standard_normal()
    return source


def same_state(one: Any, other: Any) -> bool:
    """Equal states of RandomState; of a normal that is not kept, the bits do not matter."""
    a, b = (each.get_state(legacy=False) for each in (one, other))
    kept = not a["has_gauss"] or a["gauss"] == b["gauss"]
    return a["has_gauss"] == b["has_gauss"] and kept and np.array_equal(pack(one)[:625], pack(other)[:625])


@pytest.mark.parametrize("skipped", [0, 1, 2, 3, 555, 600, 617, 618, 619, 620, 621, 622, 623])
@pytest.mark.parametrize("has_gauss", [False, True])
def test_bodies_as_python(skipped: int, has_gauss: bool) -> None:
    """From any position in a turn, and after each draw."""
    source = started(3, skipped, has_gauss)
    words = np.zeros(ALL_WORDS[AHEAD_KIND], np.int64)
    words[: WORDS[KIND]] = pack(source)
    for number in range(40):
        value, words = ahead_normal(words)
        assert value == source.standard_normal()
        assert 0 <= words[LEFT] < NORMALS
        if number % 3 == 0:
            given = ahead_given_back(words)
            expected = pack(source)
            expected[WORDS[KIND] - 1] *= expected[WORDS[KIND] - 2]
            np.testing.assert_array_equal(given[: WORDS[KIND] - 1], expected[:-1])
            assert not given[WORDS[KIND] - 2] or given[WORDS[KIND] - 1] == expected[-1]


def drawing(function: Any = summed, nodes: int = 1) -> cogir.Model:
    model = cogir.Model("drawing")
    for number in range(nodes):
        model.node(f"A{number}", function, input=1, prng=KIND, seed=5 + number)
    return model


def compiled(function: Any = summed, nodes: int = 1, **options: Any) -> cogir.Compiled:
    return drawing(function, nodes).compile(**options)


def is_ahead(model: cogir.Model, without: tuple[str, ...] = ()) -> bool:
    """True if normals are made ahead, as the module at stage `loops` shows."""
    module = model.source().build()
    lower_to(module, "loops", without=without)
    return any(call.callee.string_value() == f"cogir_rng_{AHEAD_KIND}_normal" for call in module.walk() if isinstance(call, func.CallOp))


def test_runs_draw_what_numpy_draws_and_leave_its_state() -> None:
    one, numpy, draws = compiled(), np.random.RandomState([5]), np.random.default_rng(0)
    for _ in range(300):
        counts = draws.integers(0, 60, size=draws.integers(1, 6)).astype(float)
        found = np.ravel(one.run({"A0": counts[:, None]})["A0"])
        expected = []
        for count in counts:
            total = 0.0
            for value in numpy.standard_normal(int(count)):
                total += value
            expected.append(total)
        assert found.tolist() == expected
        assert same_state(one.generators["A0"], numpy)


@pytest.mark.parametrize("skipped", [0, 3, 617, 621, 623])
@pytest.mark.parametrize("has_gauss", [False, True])
def test_generators_that_are_set(skipped: int, has_gauss: bool) -> None:
    one, numpy = compiled(), started(11, skipped, has_gauss)
    one.generators["A0"] = started(11, skipped, has_gauss)
    for count in (1.0, 2.0, 7.0, 0.0, 300.0):
        (found,) = np.ravel(one.run({"A0": [[count]]})["A0"])
        total = 0.0
        for value in numpy.standard_normal(int(count)):
            total += value
        assert found == total
        assert same_state(one.generators["A0"], numpy)


@pytest.mark.parametrize("stage", ["machine", "loops", "cf"])
def test_the_interpreter_draws_the_same_at_each_stage(stage: str) -> None:
    interpreted, native = cogir.Compiled(StagedEngine(drawing().source(), stage), stage, "drawing"), compiled()
    for counts in ([[3.0], [40.0]], [[1.0]], [[0.0]]):
        assert np.array_equal(native.run({"A0": counts})["A0"], interpreted.run({"A0": counts})["A0"])
        assert same_state(native.generators["A0"], interpreted.generators["A0"])


def test_normals_alone_are_made_ahead() -> None:
    """Not where something else is drawn, for many generators, or where it is left out."""
    assert is_ahead(drawing(summed))
    assert is_ahead(drawing(summed, nodes=8))
    assert not is_ahead(drawing(summed, nodes=9))
    assert not is_ahead(drawing(mixed))
    assert not is_ahead(drawing(summed), without=("draw-ahead",))


def test_all_roads_draw_the_same() -> None:
    """Nine generators are not drawn from ahead, eight are."""
    counts = np.random.default_rng(3).integers(0, 40, size=(20, 1)).astype(float)
    few, many = compiled(nodes=2), compiled(nodes=9)
    found, expected = few.run({"A0": counts, "A1": counts}), many.run({f"A{number}": counts for number in range(9)})
    for node in ("A0", "A1"):
        assert np.array_equal(found[node], expected[node])
        assert same_state(few.generators[node], many.generators[node])
    left_out = compiled(nodes=2, without=["draw-ahead"])
    assert np.array_equal(left_out.run({"A0": counts, "A1": counts})["A1"], found["A1"])


def test_memory_and_words_fit() -> None:
    assert ALL_WORDS[AHEAD_KIND] == AHEAD_WORDS >= LAST + NORMALS
    assert LEFT == WORDS[KIND]


def noisy_vector(variable: Value, *, random: Random) -> Value:
    """Normals as an array."""
    return variable + random.normal(3)


def test_arrays_and_traces() -> None:
    model = cogir.Model("arrays")
    first = model.node("A", noisy_vector, input=3, prng=KIND, seed=1)
    second = model.node("B", noisy_vector, input=3, prng=KIND, seed=2)
    model.project(first, second)
    model.record(second)
    rows = {"A": np.random.default_rng(1).normal(size=(50, 3))}
    ahead, plain = model.compile(), model.compile(without=["draw-ahead"])
    for _ in range(3):
        found, expected = ahead.run(rows), plain.run(rows)
        assert np.array_equal(found["B"], expected["B"])
        assert all(same_state(ahead.generators[node], plain.generators[node]) for node in ("A", "B"))


def chosen(variable: float, gain: float = 1.0, *, random: Random) -> float:
    """What a search looks at, with noise at each point."""
    return -((gain * variable - 1.0 + 0.3 * random.normal()) ** 2)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("when", ["before", "after"])
def test_searches_draw_from_copies(when: str, threads: int) -> None:
    """Each point of a search starts from the state of the trial, of which some normals have been taken."""
    model = cogir.Model("searching")
    model.node("noise", summed, input=1, prng=KIND, seed=3)
    seen = model.node("seen", chosen, input=1, prng=KIND, seed=4)
    signal = cogir.Signal(seen.param("gain"), levels=np.linspace(0.2, 3.0, 300))
    model.control("control", objective=seen, signals=[signal], when=when)
    model.output(seen)
    rows = {"noise": [[3.0], [1.0], [8.0]], "seen": [[0.5], [0.9], [2.0]]}
    ahead, plain = (model.compile(threads=threads, without=without) for without in ([], ["draw-ahead"]))
    for _ in range(5):
        found, expected = ahead.run(rows), plain.run(rows)
        assert np.array_equal(found["seen"], expected["seen"])
        assert all(same_state(ahead.generators[node], plain.generators[node]) for node in ("noise", "seen"))
