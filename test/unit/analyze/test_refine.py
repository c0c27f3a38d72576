"""The region in which an objective is best: it is found, what is excluded for certain holds, and mistakes are named."""

import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cogir
from cogir.analyze.refine_space import Refiner
from cogir.library import Random, Value

sys.path.insert(0, str(Path(__file__).parents[3] / "examples"))


def valley(which: Value, *, x: float = 0.0, y: float = 0.0) -> Value:
    """Least at x = 2.3, y = -1."""
    return (x - 2.3) ** 2 + np.abs(y + 1.0) + 0.0 * which[0]


def noisy(which: Value, *, x: float = 0.0, random: Random) -> Value:
    """Noise that falls with x, whose price rises."""
    return np.abs(random.normal()) / (1.0 + x) + 0.1 * x + 0.0 * which[0]


def model(function: Any, **options: Any) -> cogir.Model:
    made = cogir.Model("model", seed=1)
    node = made.node("node", function, input=1, **options)
    made.input(node)
    made.output(node)
    return made


def test_a_valley() -> None:
    found = cogir.analyze.refine(model(valley), {"node/x": (0.0, 10.0)}, {"node": 0.0}, objective="node", narrow=0.005)
    low, high = found.region["node/x"]
    assert low <= 2.3 <= high
    assert high - low <= 0.1
    assert found
    assert found.rounds <= 10
    low, high = found.certain["node/x"]
    assert low <= 2.3 <= high
    assert high - low < 1.0


def test_two_parameters() -> None:
    space = {"node/x": (-4.0, 4.0), "node/y": (-2.0, 2.0)}
    found = cogir.analyze.refine(model(valley), space, {"node": 0.0}, objective="node", rounds=14, narrow=0.001)
    for name, best in (("node/x", 2.3), ("node/y", -1.0)):
        low, high = found.region[name]
        assert low - 0.05 <= best <= high + 0.05
        assert found.certain[name][0] <= best <= found.certain[name][1]


def weighted(which: Value, *, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Value:
    return x * x + y * y + z * z + 0.0 * which[0]


def test_pictures() -> None:
    """Of one parameter with the ranges of the objective, of two as rectangles, of more none."""
    pytest.importorskip("matplotlib")
    options: dict[str, Any] = {"objective": "node", "rounds": 2}
    spaces = [{f"node/{name}": (-1.0, 2.0) for name in names} for names in ("x", "xy", "xyz")]
    one, two, three = (cogir.analyze.refine(model(weighted), space, {"node": 0.0}, **options) for space in spaces)
    assert (one.plot().get_xlabel(), one.plot().get_ylabel()) == ("node/x", "range of node/value")
    axes = two.plot()
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("node/x", "node/y")
    assert len(axes.collections) == len(two.boxes)
    with pytest.raises(cogir.InputError, match="plot: the space has 3 parameters; at most two"):
        three.plot()


def test_the_greatest_value() -> None:
    found = cogir.analyze.refine(model(valley), {"node/x": (0.0, 10.0)}, {"node": 0.0}, objective="node", direction="maximize")
    assert found.region["node/x"][1] == 10.0
    assert found.certain["node/x"][0] > 9.0
    assert found.guarantee <= valley(np.zeros(1), x=10.0)[()]


@pytest.mark.parametrize("parts", [1, 3])
def test_draws_within_two_standard_deviations(parts: int) -> None:
    """The guarantee is that of the largest draw, 2 / (1 + x) + 0.1 x, least at sqrt(20) - 1."""
    best = np.sqrt(20.0) - 1.0
    found = cogir.analyze.refine(
        model(noisy), {"node/x": (0.0, 10.0)}, {"node": 0.0}, objective="node", draws=2.0, draw_parts=parts, keep=2, narrow=0.02
    )
    low, high = found.region["node/x"]
    assert low - 0.2 <= best <= high + 0.2
    assert found.guarantee == pytest.approx(2.0 / (1.0 + best) + 0.1 * best, rel=0.02)
    assert found.certain["node/x"][0] <= best <= found.certain["node/x"][1]
    assert "no run within 2 standard deviations is above" in str(found)


def divided(n: Value, *, a: float = 1.0, x: float = 1.0) -> Value:
    return (a - 8) ** 2 + 0 * x / (n * n)


@pytest.mark.parametrize("direction", ["minimize", "maximize"])
@pytest.mark.parametrize("inputs", [{"node": (-1.0, 1.0)}, None])
def test_without_a_finite_guarantee_nothing_is_narrowed(direction: Any, inputs: Any) -> None:
    found = cogir.analyze.refine(model(divided), {"node/a": (0.0, 10.0)}, inputs, objective="node", direction=direction)
    assert not found
    assert found.region == found.certain == {"node/a": (0.0, 10.0)}
    assert np.isinf(found.guarantee)
    line = divided.__code__.co_firstlineno + 1
    assert found.reason is not None
    assert re.match(rf"the division of 0 by 0 to \S+ \(.*test_refine.py:{line}\)", found.reason)
    assert f"nothing is narrowed: in no box is node/value always finite, because of {found.reason}" in str(found)
    if inputs is None:
        assert "node/n can be any finite number, give ranges of inputs" in found.reason


def test_nothing_without_a_finite_guarantee_is_drawn() -> None:
    pytest.importorskip("matplotlib")
    found = cogir.analyze.refine(model(reciprocal), {"node/a": (-1.0, 1.0)}, {"node": 0.0}, objective="node", rounds=4)
    assert "boxes have no finite range" in found.plot().get_title(loc="left")
    found = cogir.analyze.refine(model(reciprocal), {"node/a": (-1.0, 1.0)}, {"node": 0.0}, objective="node", rounds=1)
    with pytest.raises(cogir.InputError, match="plot: no range has finite ends"):
        found.plot()


def reciprocal(n: Value, *, a: float = 1.0) -> Value:
    return 1.0 / a + 0.0 * n[0]


def test_boxes_that_get_a_guarantee_later() -> None:
    """Only boxes beside the pole have none; those are not dropped before they are halved."""
    found = cogir.analyze.refine(model(reciprocal), {"node/a": (-1.0, 1.0)}, {"node": 0.0}, objective="node", rounds=12)
    assert found
    assert found.region["node/a"][0] > -0.02
    assert found.guarantee <= -100.0
    assert found.certain["node/a"][1] == 0.0
    assert "boxes without a guarantee, because of the division of 1 by -1 to 0" in str(found)


def irrelevant() -> cogir.analyze.Refinement:
    """`y` makes no difference, and x = 1 is the middle of the space: all boxes are met by one of equal guarantee."""

    def symmetric(which: Value, *, x: float = 0.0, y: float = 0.0) -> Value:
        return np.abs(x - 1.0) + 0.0 * y + 0.0 * which[0]

    space = {"node/x": (0.0, 2.0), "node/y": (0.0, 1.0)}
    return cogir.analyze.refine(model(symmetric), space, {"node": 0.0}, objective="node", rounds=8, keep=1)


def test_boxes_are_not_chosen_by_their_position() -> None:
    found = irrelevant()
    assert found.region["node/y"] == (0.0, 1.0)
    low, high = found.region["node/x"]
    assert low + high == 2.0
    assert high - low < 0.3


def test_a_choice_by_position_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted fault: the first `keep` boxes of those with the best guarantees."""

    def best(self: Refiner, boxes: Any, keep: int) -> Any:
        return sorted(boxes, key=lambda pair: self.guarantee(pair[1]))[:keep]

    monkeypatch.setattr(Refiner, "best", best)
    with pytest.raises(AssertionError):
        test_boxes_are_not_chosen_by_their_position()
    with pytest.raises(AssertionError):
        test_without_a_finite_guarantee_nothing_is_narrowed("minimize", {"node": (-1.0, 1.0)})


def test_too_many_equal_boxes() -> None:
    """Of an objective that is the same everywhere nothing is narrowed, and it says so."""

    def constant(which: Value, *, x: float = 0.0) -> Value:
        return 0.0 * x + 0.0 * which[0]

    found = cogir.analyze.refine(model(constant), {"node/x": (0.0, 1.0)}, {"node": 0.0}, objective="node")
    assert not found
    assert found.region == {"node/x": (0.0, 1.0)}
    assert "it ends as 128 boxes have one guarantee" in str(found)


def test_whole_numbers() -> None:
    def steps(which: Value, *, x: float = 0.0, k: int = 0) -> Value:
        return (x - 3.0) ** 2 + (k - 2) ** 2 + 0.0 * which[0]

    found = cogir.analyze.refine(model(steps), {"node/x": (-1.0, 9.0), "node/k": (0, 9)}, {"node": 0.0}, objective="node", rounds=12)
    assert found
    assert found.region["node/k"] == (2, 2)
    assert found.region["node/x"][0] <= 3.0 <= found.region["node/x"][1]


def test_what_is_worse_for_certain_is_worse_in_runs() -> None:
    """No run with parameters in a box that was dropped for certain is as good as the best one, for the same draws."""
    found = cogir.analyze.refine(model(noisy), {"node/x": (0.0, 100.0)}, {"node": 0.0}, objective="node", draws=2.0)
    dropped = [box for box in found.boxes if box.fate == "worse for certain"]
    assert dropped
    compiled = model(noisy).compile()

    def losses(x: float) -> Any:
        compiled.params["node/x"] = x
        return compiled.replicates([[0.0]], count=200, seed=3)["node"].ravel()

    best = losses(float(np.mean(found.region["node/x"])))
    for box in dropped:
        assert (losses(box.parameters["node/x"][0]) > best)[best <= found.guarantee].all()


def test_tables() -> None:
    found = cogir.analyze.refine(model(valley), {"node/x": (0.0, 10.0)}, {"node": 0.0}, objective="node", rounds=3, narrow=1e-9)
    assert not found
    assert str(found).endswith("more rounds narrow it")
    pandas = pytest.importorskip("pandas")
    table = found.to_dataframe()
    assert isinstance(table, pandas.DataFrame)
    assert list(table["round"])[-1] == 3
    assert set(table["fate"]) <= {"left", "worse", "worse for certain"}
    pytest.importorskip("xarray")
    data = found.to_xarray()
    assert {tuple(each.shape) for each in data.data_vars.values()} == {(len(found.boxes), 2)}
    assert len(data.data_vars) == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"objective": "nod"}, r'refine: objective: there is no output "nod"; there is "node/value"'),
        ({"direction": "least"}, "refine: direction is 'least'; give one of minimize, maximize"),
        ({"rounds": 0}, "refine: rounds is 0; give a whole number from 1"),
        ({"parameters": {"node/x": 1.0}}, "refine: parameters: give a pair"),
        ({"draws": -1.0}, "refine: draws is -1.0; give"),
        ({"draws": np.inf}, "refine: draws is inf; give"),
        ({"narrow": "much"}, "refine: narrow is 'much'; give a part of the space, a number from 0 to 1"),
        ({"narrow": np.nan}, "refine: narrow is nan; give a part"),
        ({"parameters": 3}, "refine: parameters is 3; give a dict of ranges by name"),
        ({"parameters": {"node/x": (0.0, np.inf)}}, "has no finite length"),
        ({"parameters": {"node/x": (-1.7e308, 1.7e308)}}, "has no finite length"),
    ],
)
def test_mistakes(options: dict[str, Any], message: str) -> None:
    given: dict[str, Any] = {"parameters": {"node/x": (0.0, 1.0)}, "inputs": {"node": 0.0}, "objective": "node", **options}
    with pytest.raises(cogir.InputError, match=message):
        cogir.analyze.refine(model(noisy), given.pop("parameters"), given.pop("inputs"), **given)


@pytest.mark.full
def test_attention_to_the_prey() -> None:
    """Figure 7 of Distill: the region is found in at most 10 rounds, and no run within two standard deviations is above the guarantee."""
    import refine_attention

    found = refine_attention.refined()
    assert found
    assert found.rounds <= 10
    low, high = found.region["ATTENTION/prey"]
    levels, losses = refine_attention.simulated(levels=20, runs=200)
    worst = np.quantile(losses, 0.95, axis=1)
    inside = (levels >= low - 0.5) & (levels <= high + 0.5)
    assert worst[inside].max() <= found.guarantee
    assert worst[inside].min() < min(worst[0], worst[-1])
