"""Effects of parameters: ranges one by one, and slopes against finite differences of compiled runs."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.analyze import ranges, sensitivity
from cogir.library.signature import Value


def two_nodes() -> cogir.Model:
    model = cogir.Model("two", seed=2)
    first = model.node("first", library.logistic, input=2, gain=1.5, bias=0.2)
    second = model.node("second", library.psyneulink.integrated_logistic, input=1, integration_rate=0.3, gain=2.0)
    model.project(first, second, matrix=[[0.5], [-1.5]])
    return model


def noisy() -> cogir.Model:
    model = cogir.Model("noisy", seed=3)
    model.node("walk", library.psyneulink.ornstein_uhlenbeck_integrator, input=1, noise=0.5, rate=0.7, decay=0.4, prng="philox4x64")
    return model


def slope_by_differences(build: Callable[[], cogir.Model], inputs: Any, trials: int, parameter: str, output: str) -> Any:
    """The derivative of an output of the last trial, by two runs with the same seeds."""
    found: list[Any] = []
    step = 0.0
    for sign in (1.0, -1.0):
        compiled = build().compile()
        value = float(compiled.params[parameter])
        step = 1e-6 * abs(value)
        compiled.params[parameter] = value + sign * step
        found.append(np.asarray(compiled.run(inputs, num_trials=trials)[output])[-1])
    return (found[0] - found[1]) / (2.0 * step)


@pytest.mark.parametrize(
    ("build", "inputs", "output", "parameters"),
    [
        (two_nodes, {"first": [0.3, -0.8]}, "second/value", ["first/gain", "first/bias", "second/integration_rate", "second/gain"]),
        (noisy, {"walk": [0.4]}, "walk/value", ["walk/noise", "walk/rate", "walk/decay"]),
    ],
)
def test_slopes(build: Callable[[], cogir.Model], inputs: Any, output: str, parameters: list[str]) -> None:
    """At the values of the model, whatever the ranges are; of random outputs for the draws that the seeds give."""
    found = sensitivity(build(), {name: (0.25, 0.5) for name in parameters}, inputs, trials=3, slopes=True)
    for name in parameters:
        expected = slope_by_differences(build, {node: [row] for node, row in inputs.items()}, 3, name, output)
        slopes = found[name].slopes
        assert slopes is not None
        assert slopes[output] == pytest.approx(expected, rel=1e-5, abs=1e-8), name


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "cbrt": lambda x, *, a=0.5: np.cbrt(a) * x,
    "logarithms": lambda x, *, a=0.5: np.log2(a) * x + np.log10(a),
    "powers of 2": lambda x, *, a=0.5: np.exp2(a) * x,
    "arctan2": lambda x, *, a=0.5: np.arctan2(a, x) + np.arctan2(x, a),
    "inverse circular": lambda x, *, a=0.5: np.arcsin(a) * x + np.arccos(a) + np.arctan(a),
    "hyperbolic": lambda x, *, a=0.5: np.cosh(a) * x + np.sinh(a),
    "inverse hyperbolic": lambda x, *, a=0.5: np.arcsinh(a) * x + np.arccosh(a + 1.0) + np.arctanh(a),
    "tan": lambda x, *, a=0.5: np.tan(a) * x,
    "a varying exponent": lambda x, *, a=0.5: (1.0 + x * x) ** a + a ** (a * x),
    "a varying exponent of a magnitude": lambda x, *, a=0.5: np.where(x > 0.0, x, -x) ** (a + x),
    "remainders": lambda x, *, a=0.53: np.fmod(x, a) + x % a + x // a,
    "copysign": lambda x, *, a=0.5: np.copysign(a, x) * a,
    "saturated": lambda x, *, a=0.5: library.logistic(x, gain=2000.0 * a),
    "a product": lambda x, *, a=0.5: np.prod(a + x) * x,
    "norms": lambda x, *, a=0.5: np.std(a * x + np.array([0.0, 1.0])) + np.hypot(a, x) + np.linalg.norm(a * x),
}  # fmt: skip


@pytest.mark.parametrize("name", FUNCTIONS)
def test_slopes_through_functions(name: str) -> None:
    def build() -> cogir.Model:
        model = cogir.Model("one")
        model.output(model.node("n", FUNCTIONS[name], input=2))
        return model

    inputs = {"n": [-1.3, 0.7]}
    slopes = sensitivity(build(), {"n/a": (0.4, 0.6)}, inputs, slopes=True)["n/a"].slopes
    assert slopes is not None
    expected = slope_by_differences(build, {"n": [[-1.3, 0.7]]}, 1, "n/a", "n/value")
    assert slopes["n/value"] == pytest.approx(expected, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda x, *, a=0.5: library.logistic(x, gain=4000.0 * a), [0.0, 0.0]),
        (lambda x, *, a=0.0: library.relu(a * x, leak=0.1), [-0.13, 0.07]),
        (lambda x, *, a=1.0: np.maximum(x, x * a), [-0.65, 0.35]),
        (lambda x, *, a=0.0: np.linalg.norm(a * x) + 0.0 * x, [0.0, 0.0]),
        (lambda x, *, a=1.3: np.clip(x * a, -1.3 * 1.3, 1.3), [-1.3, 0.7]),
    ],
)
def test_slopes_at_kinks_and_ends_are_those_of_learning(function: Callable[..., Any], expected: list[float]) -> None:
    model = cogir.Model("one")
    model.output(model.node("n", function, input=2))
    slopes = sensitivity(model, {"n/a": (-1.0, 2.0)}, {"n": [-1.3, 0.7]}, slopes=True)["n/a"].slopes
    assert slopes is not None
    assert slopes["n/value"] == pytest.approx(expected, rel=1e-12, abs=1e-15)


def product(variable: Value, *, times: int = 2, share: float = 0.25) -> Any:
    return variable * times * share, np.argmax(variable) + times, int(variable[0] * share)


@pytest.mark.parametrize("trials", [1, 3])
def test_whole_numbers_have_no_slope(trials: int) -> None:
    model = cogir.Model("one")
    model.output(model.node("n", product, input=2))
    found = sensitivity(model, {"n/times": (1, 5), "n/share": (0.25, 0.5)}, {"n": [0.5, 8.0]}, trials=trials, slopes=True)
    outputs = found["n/times"].outputs
    assert (outputs["n/value_0"].low.tolist(), outputs["n/value_0"].high.tolist()) == ([0.125, 2.0], [0.625, 10.0])
    assert (outputs["n/value_1"].low.item(), outputs["n/value_1"].high.item()) == (2.0, 6.0)
    by_times, by_share = found["n/times"].slopes, found["n/share"].slopes
    assert by_times is not None
    assert by_share is not None
    assert all(np.isnan(each).all() for each in by_times.values())
    assert {name: each.tolist() for name, each in by_share.items()} == {"n/value_0": [1.0, 16.0], "n/value_1": 0.0, "n/value_2": 0.0}
    assert "n/value_1: 2 to 6; no slope by a whole number" in repr(found)
    assert "n/value_1: always 3; slope 0" in repr(found)
    table = found.to_dataframe()
    assert np.isnan(table["slope"].to_numpy()[table["parameter"] == "n/times"]).all()


def test_one_parameter_at_a_time() -> None:
    found = sensitivity(two_nodes(), {"first/gain": (1.0, 2.0), "second/gain": (1.0, 3.0)}, {"first": [0.3, -0.8]})
    alone = ranges(two_nodes(), {"first/gain": (1.0, 2.0)}, {"first": [0.3, -0.8]}, trials=1)
    assert found["first/gain"].outputs["second/value"].low == alone["second"].low
    assert [each.parameter for each in found] == ["first/gain", "second/gain"]
    assert found.base["second/value"].width[0] < found["first/gain"].outputs["second/value"].width[0]


def test_all_parameters_by_default() -> None:
    found = sensitivity(two_nodes(), inputs={"first": [0.3, -0.8]})
    matrix = "first:value->second:variable/matrix"
    assert {"first/gain", "first/bias", "second/gain", "second/integration_rate", matrix} <= {each.parameter for each in found}
    assert not [each.parameter for each in found if "initial" in each.parameter]
    assert "first/gain from 1.35 to 1.65" in repr(found)
    low, high = found[matrix].ends
    assert low.ravel().tolist() == pytest.approx([0.35, -1.65])
    assert high.ravel().tolist() == pytest.approx([0.65, -1.35])


def test_zeros_vary_as_far_as_their_function_allows() -> None:
    found = sensitivity(two_nodes(), inputs={"first": [0.3, -0.8]})
    assert [each.tolist() for each in found["first/offset"].ends] == [-0.1, 0.1]
    model = cogir.Model("drift")
    model.node("unit", library.drift_diffusion_integrator, input=1, noise=0.0)
    assert [each.tolist() for each in sensitivity(model, inputs={"unit": [0.3]})["unit/noise"].ends] == [0.0, 0.1]


def test_inputs_are_needed() -> None:
    with pytest.raises(cogir.InputError, match="there is no value for first/variable; give inputs"):
        sensitivity(two_nodes())


def test_tables_and_pictures() -> None:
    pytest.importorskip("pandas")
    pytest.importorskip("matplotlib")
    found = sensitivity(two_nodes(), {"first/gain": (1.0, 2.0), "second/gain": (1.0, 3.0)}, {"first": [0.3, -0.8]})
    table = found.to_dataframe()
    assert list(table["parameter"]) == ["first/gain", "second/gain"]
    assert found.plot("second").get_xlabel() == "second/value[0]"
