"""Splitting of ranges: parts hold all numbers of the whole, whatever its ends are, and no value of a run lies outside."""

import math
import warnings
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from support.planted import in_splits
from support.ranges import Outside
from support.split_ranges import check_split

import cogir
from cogir.analyze import ranges
from cogir.analyze.boxes import split_ends
from cogir.library.signature import State, Step, Value

INF, LARGEST, TINY = math.inf, 1.7976931348623157e308, 5e-324
WHOLES = [
    (0.0, 1.0), (-INF, INF), (0.0, INF), (-INF, -3.0), (5.0, INF), (-1e308, 1e308), (-LARGEST, LARGEST), (0.0, LARGEST), (0.0, TINY),
    (-TINY, TINY), (-0.0, TINY), (-0.0, 0.0), (1.0, 1.0), (INF, INF), (-INF, -INF), (-1.0, 1e-320), (1.0, math.nextafter(1.0, 2.0)),
    (-0.1, 0.7),
]  # fmt: skip


@pytest.mark.parametrize("whole", WHOLES)
@pytest.mark.parametrize("count", range(1, 9))
def test_parts_hold_the_whole_range(whole: tuple[float, float], count: int) -> None:
    low, high = whole
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parts = [(first.item(), last.item()) for first, last in split_ends((np.array(low), np.array(high)), count)]
    assert len(parts) == count
    assert (parts[0][0], math.copysign(1.0, parts[0][0])) == (low, math.copysign(1.0, low))
    assert parts[-1][1] == high
    assert all(first <= last for first, last in parts)
    assert all(one[1] == other[0] for one, other in pairwise(parts))


@pytest.mark.parametrize("whole", [(0, 0), (0, 1), (-5, 7), (-(2**63), 2**63 - 1), (2**53, 2**53 + 1)])
@pytest.mark.parametrize("count", range(1, 9))
def test_whole_numbers_lie_in_parts(whole: tuple[int, int], count: int) -> None:
    low, high = whole
    parts = [(first.item(), last.item()) for first, last in split_ends((np.array(low), np.array(high)), count)]
    assert (len(parts), parts[0][0], parts[-1][1]) == (count, low, high)
    assert all(one[1] + 1 == other[0] or one == other for one, other in pairwise(parts))


def node(function: Any, input: int = 1) -> cogir.Model:
    model = cogir.Model("single")
    model.node("unit", function, input=input)
    return model


def same(variable: Value) -> Value:
    return variable


def root(variable: Value) -> Value:
    return np.sqrt(variable)


def apart(variable: Value) -> Value:
    return variable[0] - variable[1]


def change(variable: Value, *, last: State = 0.0) -> Step:
    return Step(outputs=(variable - last,), states=(variable,))


def plus(variable: Value, *, whole: int = 0) -> Value:
    return variable + whole


@pytest.mark.parametrize("split", range(1, 9))
@pytest.mark.parametrize("ends", [(-INF, INF), (0.0, INF), (-INF, 0.0), (-1e308, 1e308), (0.0, TINY)])
def test_the_identity_of_endless_ranges(ends: tuple[float, float], split: int) -> None:
    found = ranges(node(same), inputs={"unit": ends}, split=split)["unit"]
    assert (found.low.item(), found.high.item(), found.nan.item()) == (*ends, False)


def test_nan_of_a_part_is_kept() -> None:
    assert ranges(node(root), inputs={"unit": (-INF, INF)}, split=2)["unit"].nan.item()


@pytest.mark.parametrize("split", [2, 3, {"unit[0]": 4}])
def test_elements_lie_in_different_parts(split: Any) -> None:
    found = ranges(node(apart, 2), inputs={"unit": (0.0, 1.0)}, split=split)["unit"]
    assert (found.low.item(), found.high.item()) == (-1.0, 1.0)


@pytest.mark.parametrize("trials", [2, 40, None])
def test_inputs_of_trials_lie_in_different_parts(trials: int | None) -> None:
    found = ranges(node(change), inputs={"unit": (0.0, 1.0)}, split=2, trials=trials)["unit"]
    assert (found.low.item(), found.high.item()) == (-1.0, 1.0)


def test_whole_numbers_beyond_floats() -> None:
    model = node(plus)
    with pytest.raises(cogir.InputError, match="give a range that holds a whole number"):
        ranges(model, {"unit/whole": (0.2, 0.4)})
    assert ranges(model, {"unit/whole": (0.2, 3.4)}, {"unit": 0.0}, split=2)["unit"].high.item() == 3.0
    assert ranges(model, {"unit/whole": (-INF, INF)}, {"unit": 0.0}, split=3)["unit"].low.item() == -(2.0**63)
    assert ranges(model, {"unit/whole": (0, 2**53 + 1)}, {"unit": 0.0}).box["unit/whole"][1] == 2**53 + 1


def test_random_models() -> None:
    assert sum(check_split(seed, 100).values for seed in range(8)) >= 800


@pytest.mark.full
@pytest.mark.parametrize("part", range(10))
def test_a_million_values_of_500_random_models(part: int) -> None:
    assert sum(check_split(50 * part + each, 2000).values for each in range(50)) >= 100_000


@pytest.mark.parametrize("name", in_splits.PLANTS)
def test_planted_faults_are_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    in_splits.PLANTS[name](monkeypatch)
    first = 85 if name == "elements_in_step" else 0  # the models before do not have what it needs
    for seed in range(first, first + 100):
        try:
            check_split(seed, 100)
        except Outside:
            return
    pytest.fail(f"{name} was not found in 100 models")
