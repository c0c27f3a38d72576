"""Statistics over replicates: those of NumPy and SciPy, whatever the blocks; and what is said about unknown ones."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import cogir
from cogir import reductions
from cogir.runtime.sweeps.reductions import Block, Reduction

POINTS, REPLICATES, TRIALS = 3, 37, 2
TIMES = np.random.default_rng(1).gamma(4.0, 0.2, (POINTS, REPLICATES, TRIALS, 1))
CHOICES = np.where(np.random.default_rng(2).random((POINTS, REPLICATES, TRIALS, 1)) < 0.3, -1.0, 1.0)


def sem(values: Any) -> Any:
    return pytest.importorskip("scipy.stats").sem(values)


CASES: list[tuple[Callable[..., Reduction], Callable[[Any], Any]]] = [
    (reductions.Mean, np.mean),
    (reductions.Variance, np.var),
    (reductions.StandardDeviation, np.std),
    (reductions.StandardError, sem),
    (reductions.Count, len),
    (reductions.Minimum, np.min),
    (reductions.Maximum, np.max),
]


def reduced(reduction: Reduction, block: Block, length: int) -> Any:
    """The result from blocks of a length, joined in order."""
    parts = [reduction.partial(block.part(slice(None), slice(at, at + length))) for at in range(0, REPLICATES, length)]
    whole = parts[0]
    for part in parts[1:]:
        whole = reduction.joined(whole, part)
    return reduction.result(whole)[""]


@pytest.mark.parametrize("length", [REPLICATES, 8, 1])
@pytest.mark.parametrize(("make", "expected"), CASES, ids=[make.__name__ for make, _ in CASES])
def test_statistics_are_those_of_numpy_and_scipy(make: Callable[..., Reduction], expected: Any, length: int) -> None:
    present = np.ones((POINTS, REPLICATES, TRIALS), np.bool_)
    present[1, 30:, 1] = False
    block = Block({"a/time": TIMES, "a/choice": CHOICES}, present)
    found, correct = (reduced(make("a/time", **given), block, length) for given in ({}, {"where": ("a/choice", 1.0)}))
    for point in range(POINTS):
        for trial in range(TRIALS):
            there = present[point, :, trial]
            times, chosen = TIMES[point, there, trial, 0], CHOICES[point, there, trial, 0] == 1.0
            assert found[point, trial, 0] == pytest.approx(expected(times), rel=1e-12)
            assert correct[point, trial, 0] == pytest.approx(expected(times[chosen]), rel=1e-12)


def test_a_standard_error_needs_two_values_and_has_the_unit_of_the_quantity() -> None:
    single = Block({"a/time": TIMES[:, :1]}, None)
    statistic = reductions.StandardError("a/time")
    assert np.isnan(statistic.result(statistic.partial(single))[""]).all()
    whole = Block({"a/time": TIMES}, None)
    assert reduced(reductions.StandardError("a/time", ddof=0), whole, REPLICATES) == pytest.approx(np.std(TIMES, axis=1) / REPLICATES**0.5)
    assert (statistic.name, statistic.keeps_unit) == ("a/time/sem", True)


def test_sweeps_take_its_short_name() -> None:
    model = cogir.Model("m")
    model.node("draw", cogir.library.normal_dist, units={"value": "s"})
    compiled = model.compile()
    kept = compiled.sweep({"draw/mean": [0.0, 1.0]}, replicates=50, seed=1)["draw"]
    found = compiled.sweep({"draw/mean": [0.0, 1.0]}, replicates=50, seed=1, reduce="sem")
    assert found["draw/value", "sem"] == pytest.approx(kept.std(axis=1, ddof=1) / 50**0.5, rel=1e-12)
    assert found.dataset().variables["draw/value/sem"].unit == "s"


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("StandardErorr", 'did you mean "StandardError"?'),
        ("SEM", 'did you mean "StandardError"?'),
        ("std", 'did you mean "StandardDeviation"?'),
        ("Foo", 'there is "Count", "Counts", "Histogram", "Maximum", '),
    ],
)
def test_unknown_statistics_are_named_without_an_internal_path(name: str, remedy: str) -> None:
    with pytest.raises(AttributeError) as found:
        getattr(reductions, name)
    assert str(found.value).startswith(f'cogir.reductions has no "{name}"; {remedy}')
    assert dir(reductions) == sorted(reductions.__all__)


def test_misspelt_words_get_a_remedy() -> None:
    compiled = cogir.Model("m")
    compiled.node("x", input=1)
    for word, remedy in (("std", 'did you mean "sd"?'), ("stderr", 'did you mean "sem"?'), ("colour", "give one or several of 'mean'")):
        with pytest.raises(cogir.InputError, match=rf"reduce: found '{word}'; {remedy}".replace("?", r"\?")):
            compiled.compile().sweep({"x": [1.0]}, replicates=2, reduce=word)
