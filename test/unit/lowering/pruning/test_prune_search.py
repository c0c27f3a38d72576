"""Searches by boxes: the same optimum to the bit as the exhaustive search, whatever the values are, and when boxes are searched at all."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from support.compare_models import behaviour, first_difference
from support.interrupts import press_soon
from support.long import long
from support.random.models import Drawn, random_model
from xdsl.context import Context
from xdsl.dialects import func

import cogir
from cogir import library
from cogir.library import Value
from cogir.lowering.pipeline import lower_to
from cogir.lowering.pruning import boxes, prune_search
from cogir.lowering.pruning.boxes import BoxSearch
from cogir.lowering.pruning.prune_search import EXHAUSTIVE

EXAMPLES = Path(__file__).parents[4] / "examples"
INFINITY = float("inf")


def bowl(which: Value, *, a: float = 0.0, b: float = 0.0, c: float = 0.0) -> Value:
    return (a - 0.3) * (a - 0.3) + (b * a - which[0]) * (b * a - which[0]) + c * b


def bands(which: Value, *, a: float = 0.0, b: float = 0.0, c: float = 0.0) -> Value:
    """A function with plateaus: many equal optima."""
    return np.floor(a * b) + np.floor(c * which[0] + 0.0 * a)


def logarithm(which: Value, *, a: float = 0.0, b: float = 0.0, c: float = 0.0) -> Value:
    """NaN where the product is negative, and -inf where it is zero."""
    return np.log(a * b) + np.exp(-c * a) + which[0]


def undecided(which: Value, *, a: float = 0.0, b: float = 0.0, c: float = 0.0) -> Value:
    if a > b:
        found = np.tanh(a * c) - which[0]
    elif c * a >= b:
        found = a - b * c
    else:
        found = np.maximum(a, b) / (1.0 + c * c * a * a)
    return found


def ratio(which: Value, *, a: float = 0.0, b: float = 0.0, c: float = 0.0) -> Value:
    """Poles, and 0 / 0."""
    return a / (a - b) + which[0] * c * a / np.sqrt(a * a + c * c)


def flat(which: Value, *, a: float = 0.0, b: float = 0.0, c: float = 0.0) -> Value:
    return 0.0 * (a * b * c) + which[0]


def shares(which: Value, *, a: float = 0.0, b: float = 0.0, c: float = 0.0) -> Value:
    """A softmax of three values."""
    x, y, z = np.exp(a), np.exp(b), np.exp(c * which[0])
    return x / (x + y + z) - 0.1 * a * b


def steps(which: Value, *, a: float = 0.0, b: float = 0.0, c: float = 0.0) -> Value:
    """A loop that several signals go into."""
    found = which[0]
    for _ in range(5):
        found = found + 0.1 * (a * b - c * found)
    return found


FUNCTIONS: tuple[Callable[..., Any], ...] = (bowl, bands, logarithm, undecided, ratio, flat, shares, steps)
AWKWARD = (0.0, -0.0, 1.0, -1.0, 1e-300, 1e300, INFINITY, -INFINITY, 0.5)


def searched(function: Callable[..., Any], levels: Sequence[Sequence[float]], has_cost: bool = True, **options: Any) -> Drawn:
    """A model whose controller searches the parameters of a function; `has_cost`: the second one has a cost."""
    model = cogir.Model("searched")
    node = model.node("node", function, input=1)
    model.input(node)
    model.output(node)
    signals = [
        cogir.Signal(node.param(name), levels=each, modulation="override", initial=0.0, cost=has_cost and number == 1)
        for number, (name, each) in enumerate(zip("abc", levels, strict=False))
    ]
    model.control("control", objective=node, signals=signals, keep="best", **options)
    return Drawn(model, {"node": [[0.5], [-1.25], [2.0]]}, 3, {})


def random_levels(random: Random) -> list[list[float]]:
    """Levels of two or three signals: sorted or not, repeated, some of them awkward."""
    found: list[list[float]] = []
    for _ in range(random.choice((2, 3, 3))):
        count = random.choice((1, 2, 5, 8, 13, 17))
        held = [random.gauss(0.0, 2.0) for _ in range(count)] if random.random() < 0.5 else np.linspace(-2.0, 3.0, count).tolist()
        if random.random() < 0.3:
            held = [random.choice((value, *AWKWARD)) for value in held]
        found.append(held)
    return found


def difference(drawn: Drawn) -> str | None:
    """Where a search by boxes differs from an exhaustive one."""
    with np.errstate(all="ignore"):
        return first_difference(behaviour(drawn, "run", prune_search=False), behaviour(drawn, "run", prune_search=True))


def case(number: int) -> Drawn:
    """One of many searches."""
    random = Random(number)
    return searched(FUNCTIONS[number % len(FUNCTIONS)], random_levels(random), direction=random.choice(("minimize", "maximize")))


@pytest.mark.parametrize("numbers", [range(3), *long(range(3, 400))])
def test_the_same_optimum(numbers: range) -> None:
    found = 0
    for number in numbers:
        drawn = case(number)
        assert (where := difference(drawn)) is None, f"{number}: {where}"
        compiled = drawn.model.compile(mode="run", prune_search=True, cache=False)
        compiled.run(drawn.inputs, num_trials=3)
        found += compiled.context().searched.finished > 0
    assert found >= len(numbers) // 2


@pytest.mark.parametrize("numbers", [range(6, 9), *long(range(9, 60))])
def test_small_boxes_and_few_places(monkeypatch: pytest.MonkeyPatch, numbers: range) -> None:
    """Boxes down to single points; more boxes than places, so that both orders in which they are taken occur."""
    monkeypatch.setattr(boxes, "SMALL_BOX", 1)
    monkeypatch.setattr(boxes, "WAITING", 4)
    monkeypatch.setattr(boxes, "ROUND", 1)
    for number in numbers:
        assert (where := difference(case(number))) is None, f"{number}: {where}"


@pytest.mark.parametrize("numbers", [range(9, 11), *long(range(11, 60))])
def test_searches_that_are_given_up(monkeypatch: pytest.MonkeyPatch, numbers: range) -> None:
    """After some boxes, the exhaustive search does all."""
    limits = prune_search.limits_of
    monkeypatch.setattr(prune_search, "limits_of", lambda *given: replace(limits(*given), budget=1))
    monkeypatch.setattr(boxes, "ROUND", 2)
    given_up = 0
    for number in numbers:
        drawn = case(number)
        assert (where := difference(drawn)) is None, f"{number}: {where}"
        compiled = drawn.model.compile(mode="run", prune_search=True, cache=False)
        compiled.run(drawn.inputs, num_trials=3)
        given_up += compiled.context().searched.given_up
    assert given_up > 0


@pytest.mark.parametrize("numbers", [range(2), *long(range(2, 300))])
def test_random_models(numbers: range) -> None:
    found = 0
    for number in numbers:
        drawn = random_model(Random(number))
        if drawn.tags["grid_search"]:
            found += 1
            assert (where := difference(drawn)) is None, f"{number}: {where}"
    assert found >= len(numbers) // 20


def first_point(model: str, **options: Any) -> cogir.Compiled:
    return cogir.Model.from_ir((EXAMPLES / f"predator_prey_{model}.mlir").read_text()).compile(mode="run", cache=False, **options)


PLACES = np.array([[1.1576537, 0.60782117, -0.03479106, -0.47666293, -0.60836214, 0.1760381]])


def test_predator_prey_xl() -> None:
    """The largest search evaluates less than 1 % of its points, counting boxes as points."""
    exhaustive, pruned = (first_point("xl", prune_search=each) for each in (False, None))
    expected, found = (each.run(PLACES, num_trials=5) for each in (exhaustive, pruned))
    assert str((found.results, found.allocations)) == str((expected.results, expected.allocations))
    searched = pruned.context().searched
    assert (searched.finished, searched.given_up) == (5, 0)
    assert searched.boxes + searched.points < 0.01 * 5 * 101**3
    assert exhaustive.context().searched.boxes == 0


@pytest.mark.parametrize("size", ["m"])
def test_predator_prey_by_boxes(size: str) -> None:
    expected, found = (first_point(size, prune_search=each).run(PLACES, num_trials=4) for each in (False, True))
    assert str((found.results, found.allocations)) == str((expected.results, expected.allocations))


def test_nothing_is_dropped_from_a_flat_function() -> None:
    """The boxes of a flat function are given up soon, and the first point is the optimum."""
    levels = np.linspace(0.0, 1.0, 120)
    compiled = searched(flat, [levels, levels, levels], has_cost=False).model.compile(mode="run", cache=False)
    compiled.run([[1.0]])
    assert compiled.context().searched.given_up + compiled.context().searched.finished == 1
    assert compiled.state["control/found:point"] == 0


def waves(which: Value, *, a: float = 0.0, b: float = 0.0, c: float = 0.0) -> Value:
    """Much shorter than a box, so that nothing can be dropped."""
    return np.sin(a * 211.0 * b) * np.cos(b * 171.0 * c) + np.sin(c * 93.0 * a) + which[0]


def test_an_interrupted_search_of_boxes_ends() -> None:
    """Found by hand: the exhaustive search must not begin when boxes were left because of Ctrl-C."""
    levels = np.linspace(0.1, 1.0, 1000)
    compiled = searched(waves, [levels, levels, levels], has_cost=False).model.compile(mode="run", prune_search=True, cache=False)
    press_soon(0.5)
    begun = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        compiled.run([[1.0]])
    assert time.perf_counter() - begun < 20.0


def test_threads_change_nothing() -> None:
    """Boxes that are given up, and then the exhaustive search with one and two threads."""
    levels = np.linspace(0.1, 1.0, 101)
    drawn = searched(waves, [levels, levels, levels], has_cost=False)
    with np.errstate(all="ignore"):
        assert first_difference(behaviour(drawn, "run", threads=1), behaviour(drawn, "run", threads=2)) is None


class TestNever:
    """Searches that evaluate every point, and what they say."""

    @staticmethod
    def reason(model: cogir.Model) -> str:
        module = model.ir()
        lower_to(module, "machine", context=Context(), options={"prune-search": {"force": True}})
        assert not any(isinstance(op, func.FuncOp) and op.sym_name.data.startswith("prune") for op in module.ops)
        reasons = module.attributes.get(EXHAUSTIVE)
        return "" if reasons is None else reasons.data["control"].data  # type: ignore[attr-defined]

    def test_random_ties(self) -> None:
        model = searched(bowl, [[0.0, 1.0]] * 2, ties="random", seed=1).model
        assert self.reason(model) == ""
        explained = model.compile().explain()
        assert explained["search control"][0] == "evaluates all 4 points: ties are drawn at random"  # type: ignore[index]

    def test_values_that_are_kept(self) -> None:
        model = cogir.Model("kept")
        node = model.node("node", bowl, input=1)
        signals = [cogir.Signal(node.param(name), levels=[0.0, 1.0], modulation="override") for name in "ab"]
        model.control("control", objective=node, signals=signals, keep="values")
        # Only a compilation that keeps them has them; without, the boxes are searched.
        module = model.ir()
        options: dict[str, Any] = {"prune-search": {"force": True}, "convert-cog-to-machine": {"save_values": True}}
        lower_to(module, "machine", context=Context(), options=options)
        assert module.attributes[EXHAUSTIVE].data["control"].data == "the values of all points are kept"  # type: ignore[attr-defined]

    def test_one_signal(self) -> None:
        assert self.reason(searched(bowl, [[0.0, 1.0]]).model) == "it has one signal"

    def test_loops_that_end_on_data(self) -> None:
        model = cogir.Model("decides")
        node = model.node(
            "node",
            library.drift_diffusion_integrator,
            rate=1.0,
            noise=0.5,
            threshold=1.0,
            execute_until_finished=True,
            reset_each_trial=True,
        )
        signals = [cogir.Signal(node.param(name), levels=[0.5, 1.0], modulation="multiply") for name in ("rate", "threshold")]
        model.control("control", objective=node, signals=signals)
        assert self.reason(model) == "nothing is known of the result of scf.while"
        explained = model.compile().explain()
        assert explained["search control"][0] == "evaluates all 4 points: events in simulations are counted at every point"  # type: ignore[index]

    def test_what_is_not_bounded(self) -> None:
        def tangent(which: Value, *, a: float = 0.0, b: float = 0.0) -> Value:
            return which + np.tan(a * b)

        model = cogir.Model("tangent")
        node = model.node("node", tangent, input=1)
        signals = [cogir.Signal(node.param(name), levels=[0.0, 1.0], modulation="override") for name in "ab"]
        model.control("control", objective=node, signals=signals)
        assert self.reason(model) == "nothing is known of the result of math.tan"

    def test_short_searches(self) -> None:
        explained = searched(bowl, [[0.0, 1.0]] * 2).model.compile().explain()
        assert explained["search control"][0] == "evaluates all 4 points: it takes less time than a search of boxes"  # type: ignore[index]

    def test_when_asked(self) -> None:
        explained = searched(bowl, [[0.0, 1.0]] * 2).model.compile(prune_search=False).explain()
        expected = 'evaluates all 4 points: compiled with without=["prune-search"]'
        assert explained["search control"][0] == expected  # type: ignore[index]


# What is planted here must be found by the cases above.


def ties_to_the_last(self: BoxSearch, emitter: Any, value: Any, at: Any, best: Any, best_at: Any) -> Any:
    """Equal values replace the best one wherever they stand."""
    from xdsl.dialects import arith

    return emitter.value(arith.CmpfOp(value, best, "ole" if self.points.minimizes else "oge"))


def ties_to_whoever_is_first(self: BoxSearch, emitter: Any, value: Any, at: Any, best: Any, best_at: Any) -> Any:
    """Equal values never replace the best one."""
    from xdsl.dialects import arith

    return emitter.value(arith.CmpfOp(value, best, "olt" if self.points.minimizes else "ogt"))


PLANTED = {"ties to the last": ties_to_the_last, "ties to whoever is first": ties_to_whoever_is_first}


@pytest.mark.parametrize("name", PLANTED)
def test_wrong_choices_are_caught(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(BoxSearch, "is_better", PLANTED[name])
    assert any(difference(case(number)) is not None for number in range(1, 60, 8))
