"""Searches with and without the passes that make them fast: the same points, values, ties and draws, whatever the values are."""

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from support.compare_models import behaviour, compare, first_difference
from support.long import long
from support.random.models import Drawn, random_model

import cogir
from cogir.library import Value
from cogir.lowering.pipeline import OPTIMISATIONS

pytestmark = pytest.mark.sampled(3)

EXAMPLES = Path(__file__).parents[3] / "examples"
NAN, INFINITY = float("nan"), float("inf")


def entry(which: Value, *, table: Value, place: float = 0.0, shift: float = 0.0) -> Value:
    """Any value that a table holds."""
    return table[int(place)] + shift * which[0]


def searched(table: Sequence[float], shifts: Sequence[float], **options: Any) -> Drawn:
    """A model whose controller finds its way through a table; which row of it is the faster axis."""
    model = cogir.Model("table")
    node = model.node("node", entry, input=1, table=np.array(table))
    model.input(node)
    model.output(node)
    model.control(
        "control",
        objective=node,
        signals=[
            cogir.Signal(node.param("shift"), levels=shifts, modulation="override", initial=0.0, cost=True),
            cogir.Signal(node.param("place"), levels=range(len(table)), modulation="override", initial=0.0),
        ],
        keep="values",
        **options,
    )
    return Drawn(model, {"node": [[0.0], [1.0], [0.5]]}, 5, {})


@pytest.mark.parametrize("ties", ["first", "random"])
@pytest.mark.parametrize("direction", ["minimize", "maximize"])
def test_awkward_values(eager: None, ties: str, direction: str) -> None:
    """NaN, infinities, zeros of both signs, and plateaus along which the optimum drifts, at the ends and in the middle of blocks."""
    random = Random(f"{ties} {direction}")
    awkward = [NAN, INFINITY, -INFINITY, 0.0, -0.0, 1.0, 1.0 + 1e-9, 1.000005, 0.99999, 1e-9, 2.0]
    for number in range(5):
        table = [random.choice(awkward) for _ in range(random.choice([2, 3, 7, 9]))]
        if number % 3 == 0:
            table = [90.0001 + 0.0005 * step for step in range(20)]
        if number % 4 == 0:
            table[0] = random.choice([NAN, INFINITY, -INFINITY])
        options = {"seed": number} if ties == "random" else {}
        drawn = searched(table, [0.0, *random.choices(awkward[1:], k=3)], direction=direction, ties=ties, **options)
        compare(drawn)
        with np.errstate(all="ignore"):
            assert first_difference(behaviour(drawn, "run"), behaviour(drawn, "run", threads=3)) is None


def test_a_long_row_in_blocks() -> None:
    """Blocks of 1,024 points, the last one shorter, with the optimum in any of them."""
    random = Random(5)
    for count in (1025, 2100):
        table = [random.random() for _ in range(count)]
        drawn = searched(table, [0.0], direction="minimize", ties="random", seed=1)
        drawn.trials = 2
        compare(drawn)


@pytest.mark.parametrize("numbers", [range(4), *long(range(4, 150))])
def test_random_models_with_searches(eager: None, numbers: range) -> None:
    found = 0
    for number in numbers:
        drawn = random_model(Random(number))
        if drawn.tags["grid_search"]:
            found += 1
            compare(drawn)
    assert found >= len(numbers) // 10


def test_a_choice_that_reads_what_goes_on_beside_it(eager: None) -> None:
    """Found by a random model: a loop over simulated trials, which changes one part of the state and hands on the other one."""
    drawn = random_model(Random(108))
    assert first_difference(behaviour(drawn, "run"), behaviour(drawn, "run", without=["reservoir-sampling"])) is None


def test_all_optimisations_can_be_left_out(eager: None) -> None:
    drawn = random_model(Random(3))
    assert first_difference(behaviour(drawn, "run"), behaviour(drawn, "run", without=OPTIMISATIONS)) is None


@pytest.mark.parametrize("left_out", OPTIMISATIONS)
def test_predator_prey_without(left_out: str) -> None:
    """Found by a benchmark: without `cog-licm`, tables were filled from values that came later."""
    model = cogir.Model.from_ir((EXAMPLES / "predator_prey_m.mlir").read_text())
    given = np.array([[1.2, 0.6, -0.03, -0.5, -0.6, 0.2]])
    expected = model.compile(mode="run").run(given, num_trials=3)
    found = model.compile(mode="run", without=[left_out]).run(given, num_trials=3)
    assert str((found.results, found.allocations)) == str((expected.results, expected.allocations))


def test_what_cannot_be_left_out_is_refused() -> None:
    drawn = searched([1.0], [0.0])
    with pytest.raises(cogir.ModelError, match=r'without: there is no optimisation "bufferize"; there is "eliminate-scheduler"'):
        drawn.model.compile(mode="run", without=["bufferize"], cache=False)
