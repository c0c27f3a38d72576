"""Answers that rest on no finite bound: what they are worth, what they print, and the formulas beside them."""

import math
import warnings
from random import Random
from typing import Any

import mpmath
import numpy as np
import pytest

import cogir
from cogir import library
from cogir.analyze import DriftDiffusionTimes, convergence, sensitivity
from cogir.library import State, Step, Value


def quotient(n: Value, *, a: float = 1.0, x: float = 1.0) -> Value:
    return np.sqrt(a) / n + x * x


def accumulate(v: Value, *, x: State = 0.0, rate: float = 1.0) -> Step:
    x = x + rate * v
    return Step(outputs=(x,), states=(x,), finished=np.abs(x[0]) >= 1.0)


def model(function: Any, **options: Any) -> cogir.Model:
    made = cogir.Model("single")
    made.node("n", function, input=1, **options)
    return made


def accumulator() -> cogir.Model:
    return model(accumulate, execute_until_finished=True, max_executions_before_finished=100, reset_each_trial=True)


def test_sensitivity_is_true_if_all_outputs_are_bounded() -> None:
    line = quotient.__code__.co_firstlineno + 1
    assert sensitivity(model(quotient), None, {"n": (1.0, 2.0)})
    found = sensitivity(model(quotient), {"n/a": (-1.0, 1.0), "n/x": (0.0, np.inf)}, {"n": 1.0})
    assert not found
    assert found["n/a"].unbounded["n/value"].startswith("sqrt of -1 to 1 (")
    assert found["n/x"].unbounded == {"n/value": 'the parameter "n/x", whose range has no bound'}
    text = str(found)
    assert "n/value[0]: 1 to 2, or not a number" in text
    assert f"n/value can be not a number: sqrt of -1 to 1 (unit/analyze/test_answers_without_bounds.py:{line})" in text
    assert 'n/value has no finite bound: the parameter "n/x"' in text
    pandas = pytest.importorskip("pandas")
    table = found.to_dataframe()
    assert isinstance(table, pandas.DataFrame)
    assert table["nan"].tolist()[0] is True


def test_pictures_of_sensitivity_name_what_is_not_bounded() -> None:
    pytest.importorskip("matplotlib")
    found = sensitivity(model(quotient), {"n/a": (0.0, 1.0), "n/x": (0.0, np.inf)}, {"n": 1.0})
    axes = found.plot()
    assert {each.get_text() for each in axes.get_yticklabels()} == {"n/a", "n/x"}
    assert any("1 to inf" in each.get_text() for each in axes.texts)
    with pytest.raises(cogir.InputError, match="plot: no range has finite ends"):
        sensitivity(model(quotient), {"n/a": (0.0, 1.0)}, {"n": (-1.0, 1.0)}).plot()


def test_slopes_need_a_middle() -> None:
    with pytest.raises(cogir.InputError, match="give n/n a range with finite ends"):
        sensitivity(model(quotient), {"n/a": (0.0, 1.0)}, {"n": (1.0, np.inf)}, slopes=True)
    assert sensitivity(model(quotient), {"n/a": (0.0, 1.0)}, {"n": (1.0, np.inf)})


def test_convergence_is_true_if_conditions_hold_in_the_end() -> None:
    assert convergence(accumulator(), None, {"n": (0.1, 0.2)})
    cut = convergence(accumulator(), None, {"n": (-0.1, 0.2)})
    assert not cut
    assert "where the limit of executions ends it" in str(cut)
    given = convergence(accumulator(), {"n/limit:executions": (3, 7)}, {"n": (0.1, 0.2)})
    assert not given
    assert (given.latest, given.steps[0].limit) == (7, 7)


def exactly(times: DriftDiffusionTimes) -> tuple[mpmath.mpf, mpmath.mpf]:
    """The probability of the upper bound, and the mean time, with 600 digits (Bogacz et al., 2006)."""
    v, s, b, x = map(mpmath.mpf, (times.drift, times.noise, times.threshold, times.start))
    if v == 0:
        return (x + b) / (2 * b), (b * b - x * x) / s**2
    k = -2 * v / s**2
    upper = mpmath.expm1(k * (x + b)) / mpmath.expm1(2 * k * b)
    return upper, (b * (2 * upper - 1) - x) / v


def test_times_near_the_ends_of_their_parameters() -> None:
    source = Random(4)
    with mpmath.workdps(600):
        for _ in range(500):
            threshold, noise = 10.0 ** source.uniform(-2.0, 2.0), 10.0 ** source.uniform(-1.0, 1.0)
            start = source.choice((-1.0, 1.0)) * threshold * (1.0 - source.choice((1e-15, 1e-9, 1e-3, 0.5, 1.0)) * source.uniform(0.1, 1.0))
            pull = source.choice((0.0, 1e-300, 1e-12, 1e-6, 1e-3, 0.1, 0.5, 1.0, 10.0, 100.0)) * source.uniform(-1.0, 1.0)
            times = DriftDiffusionTimes(pull * noise * noise / threshold, noise, threshold, start)
            upper, mean = map(float, exactly(times))
            assert math.isclose(times.probability_upper, upper, rel_tol=1e-13)
            assert math.isclose(times.mean, mean, rel_tol=1e-14)


@pytest.mark.parametrize(
    "given",
    [{"threshold": np.inf}, {"noise": np.inf}, {"rate": np.inf}, {"rate": 1e8}, {"noise": 1e-200}, {"threshold": 1e-300}, {"rate": 1e-12}],
)
def test_no_formula_without_finite_moderate_numbers(given: dict[str, float]) -> None:
    diffusion = model(library.drift_diffusion_integrator, noise=1.0, threshold=1.0, execute_until_finished=True, reset_each_trial=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = convergence(diffusion, {f"n/{name}": value for name, value in given.items()}, {"n": 1.0}, most_steps=50)
        assert str(found)
    assert bool(found.analytical) == (given == {"rate": 1e-12})
