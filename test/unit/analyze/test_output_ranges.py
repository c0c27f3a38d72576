"""Ranges of outputs: what is found, that runs stay inside, how results print, and what is refused."""

import re
import warnings
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


def test_what_has_no_finite_bound() -> None:
    """Such an answer is false, and names the operation."""
    line = reciprocal.__code__.co_firstlineno + 1
    found = ranges(single(reciprocal), inputs={"unit": (-1.0, 1.0)})
    assert not found
    assert re.fullmatch(rf"the division of 1 by -1 to 1 \(.*test_output_ranges.py:{line}\)", found.unbounded["unit/value"])
    assert f"unit/value has no finite bound: {found.unbounded['unit/value']}" in str(found)
    assert ranges(single(reciprocal), inputs={"unit": (1.0, 2.0)})
    assert not ranges(single(reciprocal), inputs={"unit": (0.5, 2.0)}).unbounded
    grown = ranges(single(add), inputs={"unit": (0.0, 2.0)})
    assert not grown
    assert grown.unbounded["unit/value"] == 'the state "unit/level", which may grow from trial to trial: give trials'
    endless = ranges(single(parabola), inputs={"unit": (0.0, np.inf)})
    assert endless.unbounded["unit/value"] == 'the input "unit/variable", whose range has no bound'
    free = ranges(single(parabola))
    assert "unit/variable can be any finite number, give ranges of inputs" in free.unbounded["unit/value"]


def test_what_can_be_nan() -> None:
    def root(variable: Value) -> Value:
        return np.sqrt(variable)

    found = ranges(single(root), inputs={"unit": (-1.0, 4.0)}, split=3)
    assert not found
    assert "unit/value can be not a number: sqrt of -1 to 4" in str(found)


def test_in_a_loop_and_in_calls() -> None:
    def half(x: Value) -> Value:
        return 1.0 / x

    def loops(variable: Value) -> Value:
        total = 0.0
        for _ in range(100):
            total = total + half(variable[0])
        return total

    line = half.__code__.co_firstlineno + 1
    found = ranges(single(loops), inputs={"unit": (-1.0, 1.0)})
    assert f"test_output_ranges.py:{line})" in found.unbounded["unit/value"]


def test_a_call_of_the_library_is_named_by_the_line_of_the_user() -> None:
    def uses(variable: Value) -> Value:
        return library.relu(variable) / library.linear(variable)

    line = uses.__code__.co_firstlineno + 1
    assert f"test_output_ranges.py:{line})" in ranges(single(uses), inputs={"unit": (-1.0, 1.0)}).unbounded["unit/value"]


def test_pictures_of_what_has_no_finite_bound() -> None:
    pytest.importorskip("matplotlib")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for options in ({}, {"split": 4}):
            with pytest.raises(cogir.InputError, match="plot: no range has finite ends"):
                ranges(single(reciprocal), inputs={"unit": (-0.1, 0.1)} if not options else {"unit": (-np.inf, np.inf)}, **options).plot()
        axes = ranges(single(reciprocal), inputs={"unit": (0.0, 1.0)}, split=4).plot()
        assert axes.get_legend_handles_labels()[1] == ["unit/value[0] (no finite bound in places)"]
        model = cogir.Model("two")
        model.node("unit", two, input=1)
        axes = ranges(model, inputs={"unit": (0.0, 1.0)}).plot()
        assert [each.get_text() for each in axes.get_yticklabels()] == ["unit/value_0[0]", "unit/value_1[0]"]
        assert [each.get_text() for each in axes.texts] == ["1 to inf"]


def two(variable: Value) -> tuple[Value, Value]:
    return variable, 1.0 / variable


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
        (
            {"inputs": {"unit[0]": (0, 1)}},
            r'inputs: "unit\[0\]" is an element of "unit"; give ranges of whole arrays, with arrays of shape \(1,\) as ends: \{"unit": ',
        ),
        ({"parameters": {"unit/gain[0]": (0, 1)}}, r'"unit/gain\[0\]" is an element of "unit/gain"; that is one number: unit/gain'),
        ({"parameters": {"unit/gain": (2, 1)}}, "give the lower end first"),
        ({"inputs": {"nobody": 1.0}}, 'inputs: there is no "nobody"'),
        ({"trials": 0}, "trials is 0; give a whole number from 1"),
        ({"draws": "some"}, 'give "largest", or a number of standard deviations'),
        ({"inputs": {"unit": (0, 1)}, "split": 10**6}, "parts; give smaller numbers"),
        ({"inputs": {"unit": (0, 1)}, "split": {"unti": 2}}, 'split: "unti" has no range; did you mean "unit"'),
        ({"inputs": {"unit": (0, 1)}, "split": {"unit": 2, "unit/variable": 3}}, "given twice"),
        ({"inputs": {"unit": 0, "unit/variable": 1}}, "is given twice, under two of its names"),
        ({"inputs": [0, 1]}, r"inputs is \[0, 1\]; give a dict of ranges by name"),
        ({"inputs": {"unit": "3"}}, "found '3', which is text"),
        ({"inputs": {"unit": np.ma.array([1.0], mask=[True])}}, "found a masked array"),
        ({"inputs": {"unit": (0, 10**400)}}, "too large for a float"),
        ({"inputs": {"unit": (0, np.nan)}}, "give the lower end first, and no NaN"),
        ({"draws": np.inf}, "draws is inf; give"),
        ({"draws": True}, "draws is True; give"),
        ({"math": np.array([1, 2])}, "give one of portable, libm"),
        ({"math": "exact"}, "math is 'exact'; give one of portable, libm"),
    ],
)
def test_what_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(cogir.InputError, match=message):
        ranges(logistic_model(), **given)


def test_types_with_a_range_are_ranges() -> None:
    """`cogir.Probability` as an argument is the range that it declares of parameters."""
    found = ranges(logistic_model(), inputs={"unit": cogir.Probability})
    assert str(found) == str(ranges(logistic_model(), inputs={"unit": (0.0, 1.0)}))
    assert "0 to 1" in str(found).splitlines()[1]
