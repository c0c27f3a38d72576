"""Ranges of outputs: what is found, that runs stay inside, how results print, and what is refused."""

from typing import Any

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.analyze import ranges
from cogir.library.signature import Random, State, Step, Value


def logistic_model(**given: Any) -> cogir.Model:
    model = cogir.Model("squash")
    model.node("unit", library.logistic, input=1, **given)
    return model


def decision() -> cogir.Model:
    model = cogir.Model("decide", seed=1)
    stimulus = model.node("stimulus", input=1)
    decide = model.node(
        "decision", library.drift_diffusion_integrator, noise=0.5, threshold=1.0, time_step_size=0.1, input=1,
        execute_until_finished=True, max_executions_before_finished=50, reset_each_trial=True,
    )  # fmt: skip
    model.project(stimulus, decide)
    return model


def follow(variable: Value, *, rate: Value = 0.25, level: State = 0.0) -> Step:
    value = level + rate * (variable - level)
    return Step(outputs=(value,), states=(value,))


def add(variable: Value, *, level: State = 0.0) -> Step:
    value = level + variable
    return Step(outputs=(value,), states=(value,))


def parabola(variable: Value) -> Value:
    return variable * (1.0 - variable)


def noisy(variable: Value, *, random: Random) -> Value:
    return variable + random.normal()


def single(function: Any, **given: Any) -> cogir.Model:
    model = cogir.Model("single")
    model.node("unit", function, input=1, **given)
    return model


def test_bounds_that_hold_for_any_input() -> None:
    found = ranges(logistic_model())
    assert found["unit"].low[0] >= 0.0
    assert found["unit"].high[0] <= 1.0
    assert not found["unit"].nan.any()


def test_ranges_of_parameters_and_inputs() -> None:
    found = ranges(logistic_model(), {"unit/gain": (1.0, 2.0)}, {"unit": (0.0, 1.0)})
    assert found["unit/value"].low[0] == pytest.approx(0.5, abs=1e-12)
    assert found["unit/value"].high[0] == pytest.approx(1.0 / (1.0 + np.exp(-2.0)), abs=1e-12)
    assert "unit/gain from 1 to 2" in repr(found)
    assert "unit/value[0]  0.5 to 0.880797" in repr(found)


def test_runs_stay_inside() -> None:
    model = decision()
    found = ranges(model, {"decision/rate": (0.5, 2.0)}, {"stimulus": (-0.5, 1.0)}, trials=20)
    compiled = model.compile(unfinished="ignore")
    source = np.random.default_rng(3)
    for rate in (0.5, 1.3, 2.0):
        compiled.params["decision/rate"] = rate
        result = compiled.run({"stimulus": source.uniform(-0.5, 1.0, (20, 1))}, num_trials=20)
        for path in found:
            assert found[path].holds(result[path]).all(), path


def test_any_number_of_trials() -> None:
    """A leaky integrator has a bound, one without a leak has none."""
    assert ranges(single(follow), inputs={"unit": (-1.0, 2.0)})["unit"].high[0] == pytest.approx(2.0, abs=1e-6)
    assert ranges(single(add), inputs={"unit": (0.0, 2.0)})["unit"].high[0] == np.inf
    assert ranges(single(add), inputs={"unit": (0.0, 2.0)}, trials=5)["unit"].high[0] == 10.0
    by_trial = ranges(single(add), inputs={"unit": (0.0, 2.0)}, trials=3).by_trial
    assert [ports["unit/value"].high[0] for ports in by_trial] == [2.0, 4.0, 6.0]


def test_draws_are_as_large_as_asked_for() -> None:
    model = single(noisy, prng="xoshiro256")
    largest, within = ranges(model, inputs={"unit": 0.0}), ranges(model, inputs={"unit": 0.0}, draws=2)
    assert largest["unit"].high[0] == pytest.approx(8.5717, abs=1e-4)
    assert within["unit"].high[0] == 2.0
    assert largest.hold_always
    assert not within.hold_always
    assert "within 2 standard deviations" in repr(within)


def test_splitting_narrows() -> None:
    """x (1 - x) is at most 1/4; one range for all x from 0 to 1 does not show it."""
    whole, split = (ranges(single(parabola), inputs={"unit": (0.0, 1.0)}, split=each) for each in (None, 64))
    assert split["unit"].width[0] < whole["unit"].width[0]
    assert split["unit"].high[0] < 0.26
    assert len(split.parts) == 64


def reciprocal(variable: Value) -> Value:
    return 1.0 / variable


def test_negative_zero() -> None:
    """A range that begins at 0.0 holds no -0.0; one that begins at -0.0 does."""
    without, holding = (ranges(single(reciprocal), inputs={"unit": (low, 1.0)})["unit"] for low in (0.0, -0.0))
    assert (without.low[0], without.high[0]) == (1.0, np.inf)
    assert (holding.low[0], holding.high[0]) == (-np.inf, np.inf)
    assert holding.holds(single(reciprocal).compile().run({"unit": [[-0.0]]})["unit"]).all()


def test_a_declared_range() -> None:
    with pytest.raises(cogir.InputError, match="has no declared range; give a pair"):
        ranges(logistic_model(), {"unit/gain": "declared"})
    found = ranges(decision(), {"decision/noise": "declared"}, {"stimulus": 0.1}, trials=1)
    assert found.box["decision/noise"][0] == 0.0


def test_tables() -> None:
    pytest.importorskip("pandas")
    found = ranges(logistic_model(), inputs={"unit": (0.0, 1.0)})
    table = found.to_dataframe()
    assert list(table.columns) == ["output", "element", "low", "high", "nan"]
    assert table["low"][0] == found["unit"].low[0]


def test_a_dataset_and_a_picture() -> None:
    pytest.importorskip("xarray")
    pytest.importorskip("matplotlib")
    found = ranges(logistic_model(), inputs={"unit": (0.0, 1.0)}, split=4)
    assert found.to_xarray()["unit.value"].sel(end="high").item() == found["unit"].high[0]
    assert found.plot().get_xlabel() == "unit/variable"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"parameters": {"unit/gian": (0, 1)}}, 'no "unit/gian"; did you mean "unit/gain"'),
        ({"parameters": {"unit/gain": (2, 1)}}, "give the lower end first"),
        ({"inputs": {"nobody": 1.0}}, 'inputs: there is no "nobody"'),
        ({"trials": 0}, "trials is 0; give a number from 1"),
        ({"draws": "some"}, 'give "largest", or a number of standard deviations'),
        ({"inputs": {"unit": (0, 1)}, "split": 10**6}, "parts; give smaller numbers"),
    ],
)
def test_what_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(cogir.InputError, match=message):
        ranges(logistic_model(), **given)
