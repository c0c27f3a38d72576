"""
Soundness: no value of a random function or model lies outside of its range, and no loop has fewer or more iterations than was found.

Arguments come out of random boxes, some of them a point or a unit in the last place wide; corners, NaN, infinities, subnormals and zeros of
both signs are among them. A sample runs always; a million evaluations with `-m full`.
"""

from collections.abc import Callable

import pytest
from support.planted import in_ranges
from support.ranges import Checked, Outside, check_function, check_many, check_model, check_program, check_scalars

Check = Callable[[int, int], Checked]


@pytest.mark.parametrize("seed", range(12))
def test_functions_of_numbers(seed: int) -> None:
    assert sum(check_scalars(20 * seed + each, 10).values for each in range(20)) > 0


@pytest.mark.parametrize("seed", range(5))
def test_programs_with_arrays(seed: int) -> None:
    assert sum(check_program(3 * seed + each, 5).values for each in range(3)) > 0


@pytest.mark.parametrize("seed", range(5))
def test_python_functions(seed: int) -> None:
    assert sum(check_function(2 * seed + each, 5).values for each in range(2)) > 0


@pytest.mark.parametrize("seed", [0, 1, 3, 7])
def test_models(seed: int) -> None:
    assert check_model(seed, 12).values > 0


LONG: list[tuple[Check, int, int, int]] = [
    *((check_scalars, 1250 * part, 64, 80_000) for part in range(10)),
    *((check_program, 500 * part, 60, 30_000) for part in range(3)),
    *((check_function, 500 * part, 60, 30_000) for part in range(2)),
    *((check_model, 1000 * part, 150, 15_000) for part in range(4)),
]
"""The checks, with the first seed, the evaluations of a program, and those of all: a million and ten thousand together."""
assert sum(evaluations for _, _, _, evaluations in LONG) >= 1_000_000


@pytest.mark.full
@pytest.mark.parametrize(("check", "first", "each", "evaluations"), LONG)
def test_a_million_evaluations(check: Check, first: int, each: int, evaluations: int) -> None:
    found = check_many(check, first, each, evaluations)
    assert not found, "\n".join(found[:10])


BOUND = 1500
"""So many functions are tried before a plant counts as missed."""


SLOW = ("sine_between_its_ends", "quotients_by_a_zero_between", "unordered_is_not_greater")
"""Plants that show in few functions."""


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.full) if name in SLOW else name for name in in_ranges.PLANTS])
def test_planted_faults_are_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    in_ranges.PLANTS[name](monkeypatch)
    for seed in range(BOUND):
        try:
            check_scalars(seed, 20)
        except Outside:
            return
    pytest.fail(f"{name} was not found in {BOUND} functions")
