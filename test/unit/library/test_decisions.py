"""Decision models: the equations, equal bits in every mode and in lanes, and distributions of choices and times."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from math import sqrt
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pytest
from support.decisions import (
    DISCRETE,
    accumulators,
    allowed_distance,
    attention,
    ballistic_first,
    diffusion,
    distance,
    distance_of_samples,
    on_one_axis,
    signed,
    signed_first_passage,
    wald_distribution,
)
from support.long import long
from support.pyfunc import check
from support.specialised import specialised_runs
from xdsl.dialects import func

import cogir
from cogir import library
from cogir.frontend.compile import source_of
from cogir.library.random.generators import keyed_words
from cogir.lowering.pipeline import lower_to
from cogir.runtime.compiled import Compiled
from cogir.runtime.staged import StagedEngine

pytestmark = pytest.mark.sampled(3)

ALPHA = 1e-4
"""The probability of a false alarm of each statistical test; the seeds are fixed."""


def wavy(t: float, threshold: float) -> float:
    return threshold * (1.0 + 0.5 * np.sin(3.0 * t))


class Case(NamedTuple):
    function: Callable[..., Any]
    inputs: list[float]
    given: dict[str, Any]
    statics: Mapping[str, Any] = MappingProxyType({})
    state: Mapping[str, Any] = MappingProxyType({})
    """States in the middle of a trial."""


HALFWAY: dict[str, Any] = {"position": 0.9, "time": 0.35}
STEP: dict[str, Any] = {"time_step_size": 0.01}
COLLAPSE = {**STEP, "collapse_time": 2.0, "asymptote": 0.1}
DDM, FULL = library.drift_diffusion_decision, library.full_drift_diffusion_decision
VARIABLE = {"drift_variability": 0.5, "start_variability": 0.4, "non_decision_time": 0.3, "non_decision_time_variability": 0.1}
BETWEEN = {"positions": np.array([0.5, -0.1, 0.95]), "time": 0.2}
CASES: dict[str, Case] = {
    "constant": Case(DDM, [1.0], {**STEP, "starting_value": 0.2, "non_decision_time": 0.3}, {}, HALFWAY),
    "linear": Case(DDM, [1.0], COLLAPSE, {"bound": "linear"}, HALFWAY),
    "exponential": Case(DDM, [1.0], COLLAPSE, {"bound": "exponential"}, HALFWAY),
    "weibull": Case(DDM, [1.0], {**COLLAPSE, "collapse_shape": 2.5, "leak": 0.7, "urgency": 0.2}, {"bound": "weibull"}, HALFWAY),
    "own bound": Case(DDM, [0.4, 0.6], STEP, {"bound": wavy}, HALFWAY),
    "full": Case(FULL, [1.0], {**STEP, **VARIABLE}, {}, {**HALFWAY, "drift_offset": -0.3, "delay": 0.31}),
    "race": Case(library.race_decision, [1.0, 0.5, 0.8], {**STEP, "threshold": [1.0, 1.1, 1.2], "noise": 0.8}, {}, BETWEEN),
    "lca": Case(library.leaky_competing_decision, [3.0, 2.5, 2.0], {**STEP, "leak": 2.0, "inhibition": 3.0}, {}, BETWEEN),
    "lba": Case(library.linear_ballistic_decision, [1.0, 0.8], {"drift_variability": 0.9, "non_decision_time": 0.2}),
    "attention": Case(
        library.attentional_decision, [3.0, 2.0], {**STEP, "first_fixation": 0.7}, {}, {**HALFWAY, "side": -1.0, "remaining": 0.1}
    ),
}


def model_of(case: Case, prng: str = "xoshiro256", limit: int = 100_000, **given: Any) -> cogir.Model:
    """A model that is one decision."""
    model = cogir.Model("decide")
    settings = {**case.given, **case.statics, **given}
    if case.function is not library.linear_ballistic_decision:
        settings["reset_each_trial"] = True
    node: Any = model.node
    node(
        "decision",
        case.function,
        input=len(case.inputs),
        prng=prng,
        execute_until_finished=True,
        max_executions_before_finished=limit,
        **settings,
    )
    return model


# Equal results


@pytest.mark.parametrize("name", CASES)
def test_compiled_functions_compute_what_python_computes(name: str) -> None:
    case = CASES[name]
    inputs = np.array(case.inputs)
    given = {key: np.array(value) if isinstance(value, list) else value for key, value in case.given.items()}
    decided = {"choice": 1.0} if case.state else {}
    # exp, sin and powers are cogir's own: a tolerance of some last bits
    for state in ({}, case.state, {**case.state, **decided}):
        check(case.function, inputs, statics=case.statics, **given, **state, native=True)


@pytest.mark.parametrize("stage", ["machine", "loops", *long("cf"), "native"])
@pytest.mark.parametrize("name", CASES)
def test_every_stage_gives_the_same_bits(name: str, stage: str) -> None:
    case = CASES[name]
    expected = model_of(case).compile(mode="python").run({"decision": [case.inputs]}, num_trials=4)
    model = model_of(case)
    compiled = model.compile(cache=False) if stage == "native" else Compiled(StagedEngine(source_of(model), stage), stage, model.name)
    found = compiled.run({"decision": [case.inputs]}, num_trials=4)
    assert [found[port].tobytes() for port in found.outputs] == [expected[port].tobytes() for port in expected.outputs]


@pytest.mark.parametrize("name", CASES)
def test_specialised_code_gives_the_same_bits(name: str) -> None:
    case = CASES[name]
    expected = model_of(case).compile().run({"decision": [case.inputs]}, num_trials=20)
    with specialised_runs() as taken:
        found = model_of(case).compile().run({"decision": [case.inputs]}, num_trials=20)
    assert len(taken) == 1
    assert taken[0] > 0
    assert [found[port].tobytes() for port in found.outputs] == [expected[port].tobytes() for port in expected.outputs]


@pytest.mark.parametrize("kind", ["xoshiro256", *long("mt19937")])
@pytest.mark.parametrize("name", CASES)
def test_replicates_are_in_lanes_and_give_the_same_bits(name: str, kind: str) -> None:
    case = CASES[name]
    model = model_of(case, kind)
    asked: dict[str, Any] = {"inputs": {"decision": [case.inputs]}, "count": 60, "num_trials": 2, "seed": 5}
    one_by_one = model.compile(without=["fill-lanes"]).replicates(**asked)
    in_lanes = model.compile().replicates(**asked)
    for port in in_lanes.outputs:
        assert in_lanes[port].tobytes() == one_by_one[port].tobytes()
    module = model.ir()
    lower_to(module, "machine", options={"replicate": {"enabled": True}})
    functions = {op.sym_name.data for op in module.ops if isinstance(op, func.FuncOp)}
    assert ("lanes_iterate" in functions) == (kind != "mt19937")


# The equations, with the same draws


def test_drift_diffusion_is_its_equation() -> None:
    case = CASES["weibull"]
    compiled = model_of(case, starting_value=0.1, non_decision_time=0.3, noise=1.2).compile()
    found = compiled.replicates({"decision": [[1.0]]}, count=50, seed=3)
    for number in range(50):
        random = cogir.library.random.generators.Stream("xoshiro256", keyed_words("xoshiro256", 3, "decision/random:random", number))
        x, step, height, value = 0.1, 0, np.inf, 0.1
        while abs(value) < height:
            step += 1
            x = x + (1.0 - 0.7 * x) * 0.01 + 1.2 * sqrt(0.01) * random.normal()
            value = x * (1.0 + 0.2 * 0.01 * step)
            height = 0.1 + 0.9 * np.exp(-((0.01 * step / 2.0) ** 2.5))
        assert found["decision", "choice"][number, 0] == np.sign(value)
        # sums of steps are rounded in another order
        assert np.isclose(found["decision", "response_time"][number, 0], 0.01 * step + 0.3, rtol=1e-12, atol=0.0)
        assert np.isclose(found["decision", "value"][number, 0], value, rtol=1e-9, atol=1e-12)


def test_the_full_model_draws_once_per_trial() -> None:
    case = CASES["full"]
    found = model_of(case).compile().replicates({"decision": [[1.0]]}, count=50, seed=3)
    for number in range(50):
        random = cogir.library.random.generators.Stream("xoshiro256", keyed_words("xoshiro256", 3, "decision/random:random", number))
        x = drift = delay = 0.0
        step = 0
        while step == 0 or abs(x) < 1.0:
            normals, uniforms = random.normal(2), random.uniform(2)
            if step == 0:
                x, drift, delay = 0.4 * (uniforms[0] - 0.5), 1.0 + 0.5 * normals[1], 0.3 + 0.1 * (uniforms[1] - 0.5)
            step += 1
            x = x + drift * 0.01 + sqrt(0.01) * normals[0]
        assert found["decision", "choice"][number, 0] == np.sign(x)
        assert np.isclose(found["decision", "response_time"][number, 0], 0.01 * step + delay, rtol=1e-12, atol=0.0)


def test_a_decision_is_kept_until_the_reset() -> None:
    for name in ("linear", "full", "race", "lca", "attention"):
        case = CASES[name]
        model = cogir.Model("kept")
        node: Any = model.node
        node("decision", case.function, input=len(case.inputs), reset_each_trial=False, **case.given, **case.statics)
        found = model.compile().run({"decision": [case.inputs]}, num_trials=2000)
        undecided = -1.0 if name in ("race", "lca") else 0.0
        choices = found["decision", "choice"]
        (decided,) = np.nonzero(choices != undecided)
        first = decided[0]
        assert 0 < first < 1900
        for port in found.outputs:
            values = found[port]
            assert np.all(values[first:] == values[first]), f"{name}: {port} after the decision"


def test_undecided_trials_are_reported() -> None:
    for name in ("constant", "full", "race", "lca", "attention"):
        case = CASES[name]
        undecided = -1.0 if name in ("race", "lca") else 0.0
        compiled = model_of(case, limit=30).compile(unfinished="ignore")
        found = compiled.replicates({"decision": [case.inputs]}, count=400, seed=2)
        unfinished = found.unfinished["decision"]
        assert 0 < unfinished.sum() < 400
        assert np.array_equal(found["decision", "choice"] == undecided, unfinished)


def test_ballistic_trials_without_a_positive_drift_are_undecided() -> None:
    case = CASES["lba"]
    compiled = model_of(case, limit=1, drift=0.1).compile(unfinished="ignore")
    found = compiled.replicates({"decision": [case.inputs]}, count=4000, seed=2)
    unfinished = found.unfinished["decision"]
    assert np.array_equal(found["decision", "choice"] == -1.0, unfinished)
    assert np.array_equal(np.isinf(found["decision", "response_time"]), unfinished)
    # P(d <= 0) = P(N <= -0.1/0.9) * P(N <= -0.08/0.9) = 0.4558 * 0.4646; 3.9 standard errors have the probability 1e-4
    share = 0.4558 * 0.4646
    assert abs(unfinished.mean() - share) < 3.9 * sqrt(share * (1.0 - share) / 4000)
    again = model_of(case, limit=1000, drift=0.1).compile(unfinished="error").replicates({"decision": [case.inputs]}, count=4000, seed=2)
    assert np.all(again["decision", "choice"] >= 0.0)


ENDLESS: dict[str, dict[str, Any]] = {
    "infinite": {"threshold": np.inf},
    "overflow": {"threshold": 1e308, "drift": 0.01, "drift_variability": 0.001},
    "one is NaN": {"drift": [np.nan, 1.0]},
    "the other is NaN": {"drift": [1.0, np.nan], "start_variability": [0.0, 0.5]},
}


@pytest.mark.parametrize("given", ENDLESS.values(), ids=ENDLESS)
def test_ballistic_trials_without_a_finite_time_are_undecided(given: dict[str, Any]) -> None:
    model = model_of(CASES["lba"], limit=1, **given)
    asked: dict[str, Any] = {"inputs": {"decision": [[1.0, 0.8]]}, "count": 60, "seed": 2}
    runs = [model.compile(unfinished="ignore", **options).replicates(**asked) for options in ({}, {"without": ["fill-lanes"]})]
    runs.append(model.compile(mode="python", unfinished="ignore").replicates(**asked))
    for found in runs:
        assert np.all(found["decision", "choice"] == -1.0)
        assert np.all(found["decision", "response_time"] == np.inf)
        assert np.all(found.unfinished["decision"])


def test_a_ballistic_accumulator_without_a_finite_time_does_not_stop_the_other() -> None:
    model = model_of(CASES["lba"], limit=1, threshold=[np.inf, 1.0], drift_variability=0.0)
    found = model.compile(unfinished="error").replicates({"decision": [[1.0, 0.8]]}, count=60, seed=2)
    assert np.all(found["decision", "choice"] == 1.0)
    assert np.all(np.isfinite(found["decision", "response_time"]))


# Mistakes


def test_a_bound_that_does_not_exist_is_refused() -> None:
    with pytest.raises(cogir.CogirError, match='bound is none of "constant", "linear", "exponential" and "weibull"'):
        model_of(CASES["constant"], bound="colapsing").compile()
    with pytest.raises(ValueError, match="bound is none of"):
        library.drift_diffusion_decision(np.array([1.0]), bound="colapsing", random=cogir.random(1))


def test_an_attentional_decision_among_three_is_refused() -> None:
    with pytest.raises(cogir.CogirError, match=r"attentional_decision: items has another shape than \(2,\); give the values of two items"):
        cogir.Model().node("decision", library.attentional_decision, input=3)


SINGLE = ("threshold", "drift", "noise", "non_decision_time", "time_step_size")


@pytest.mark.parametrize("parameter", SINGLE)
@pytest.mark.parametrize("name", ["constant", "full", "attention"])
def test_parameters_of_several_elements_are_named(name: str, parameter: str) -> None:
    case = CASES[name]
    message = f"{parameter} has several elements; give a single number"
    with pytest.raises(cogir.ModelError, match=f": {message}"):
        model_of(case, **{parameter: [1.0, 2.0]})
    with pytest.raises(ValueError, match=message):
        case.function(np.array(case.inputs), random=cogir.random(1), **{parameter: np.array([1.0, 2.0])})


def test_parameters_out_of_range_are_refused() -> None:
    for name, value in (("threshold", -1.0), ("collapse_time", 0.0), ("asymptote", 1.5), ("noise", -0.1), ("time_step_size", 0.0)):
        with pytest.raises(cogir.ModelError, match=f'parameter "{name}" is'):
            model_of(CASES["constant"], **{name: value})


def half(t: float, threshold: float) -> float:
    return 0.5 * threshold


def test_models_with_different_bounds_are_compiled_apart() -> None:
    """Bounds are part of the identity of a model in the cache."""
    times = [
        model_of(CASES["constant"], bound=bound).compile().run({"decision": [[1.0]]}, num_trials=50)["decision", "response_time"].mean()
        for bound in (wavy, half, "constant")
    ]
    assert times[1] < times[2] < times[0]


# Distributions


def decisions(case: Case, count: int, seed: int, **given: Any) -> tuple[Any, Any, Any]:
    """Choices, times and the result of replicates."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", cogir.UnfinishedWarning)
        result = model_of(case, limit=10_000_000, **given).compile().replicates({"decision": [case.inputs]}, count=count, seed=seed)
    return result["decision", "choice"][:, 0], result["decision", "response_time"][:, 0], result


COMPARED: dict[str, tuple[str, dict[str, Any], Callable[[Any, int], Any]]] = {
    "constant": ("constant", {"noise": 1.2}, lambda rng, n: diffusion(rng, n, 0.01, lambda t: 1.0, 1.0, start=0.2, noise=1.2)),
    "linear": ("linear", {}, lambda rng, n: diffusion(rng, n, 0.01, lambda t: max(0.1, 1.0 - t / 2.0), 1.0)),
    "exponential": ("exponential", {}, lambda rng, n: diffusion(rng, n, 0.01, lambda t: 0.1 + 0.9 * np.exp(-t / 2.0), 1.0)),
    "weibull": (
        "weibull",
        {},
        lambda rng, n: diffusion(rng, n, 0.01, lambda t: 0.1 + 0.9 * np.exp(-((t / 2.0) ** 2.5)), 1.0, leak=0.7, urgency=0.2),
    ),
    "own bound": ("own bound", {}, lambda rng, n: diffusion(rng, n, 0.01, lambda t: 1.0 + 0.5 * np.sin(3.0 * t), 1.0)),
    "unstable": ("constant", {"leak": -0.5}, lambda rng, n: diffusion(rng, n, 0.01, lambda t: 1.0, 1.0, start=0.2, leak=-0.5)),
}
"""Diffusions, with equal steps in NumPy."""


@pytest.mark.parametrize("name", COMPARED)
@pytest.mark.parametrize("count", [20_000, pytest.param(1_000_000, marks=pytest.mark.full)])
def test_diffusions_have_the_distribution_of_numpys(name: str, count: int) -> None:
    case, given, reference = COMPARED[name]
    delay = CASES[case].given.get("non_decision_time", 0.0)
    choices, times, _ = decisions(CASES[case], count, 1, **given)
    found, expected = signed(choices, times - delay), signed(*reference(np.random.default_rng(1), count))
    # on one grid: rounding of sums of steps must not count
    assert distance_of_samples(np.rint(found * 100.0), np.rint(expected * 100.0)) < allowed_distance(ALPHA, count, count)


@pytest.mark.parametrize("count", [20_000, pytest.param(1_000_000, marks=pytest.mark.full)])
def test_the_full_model_has_the_distribution_of_numpys(count: int) -> None:
    rng = np.random.default_rng(2)
    drifts, starts = rng.normal(1.0, 0.5, count), rng.uniform(-0.2, 0.2, count)
    reference_choices, reference_times = diffusion(rng, count, 0.01, lambda t: 1.0, drifts, start=starts)
    expected = signed(reference_choices, reference_times + rng.uniform(0.25, 0.35, count))
    choices, times, _ = decisions(CASES["full"], count, 2)
    assert distance_of_samples(signed(choices, times), expected) < allowed_distance(ALPHA, count, count)


@pytest.mark.parametrize("count", [20_000, pytest.param(1_000_000, marks=pytest.mark.full)])
@pytest.mark.parametrize("name", ["race", "lca"])
def test_accumulators_have_the_distribution_of_numpys(name: str, count: int) -> None:
    case = CASES[name]
    if name == "race":
        choices, times, _ = decisions(case, count, 3, threshold=1.0)
        expected = accumulators(np.random.default_rng(3), count, 0.01, case.inputs, 1.0, noise=0.8)
    else:
        choices, times, _ = decisions(case, count, 3)
        expected = accumulators(np.random.default_rng(3), count, 0.01, case.inputs, 1.0, leak=2.0, inhibition=3.0, floor=0.0)
    found, reference = (np.rint(on_one_axis(c, t, 100.0) * 100.0) for c, t in ((choices, times), expected))
    assert distance_of_samples(found, reference) < allowed_distance(ALPHA, count, count)


@pytest.mark.parametrize("count", [20_000, pytest.param(1_000_000, marks=pytest.mark.full)])
def test_attentional_decisions_have_the_distribution_of_numpys(count: int) -> None:
    case = CASES["attention"]
    choices, times, result = decisions(case, count, 4)
    expected_choices, expected_times, expected_gaze = attention(
        np.random.default_rng(4),
        count,
        0.01,
        (3.0, 2.0),
        drift=0.2,
        discount=0.3,
        threshold=1.0,
        noise=0.6,
        first=0.7,
        fixation=(0.4, 0.5),
    )
    limit = allowed_distance(ALPHA, count, count)
    found, expected = signed(choices, times), signed(expected_choices, expected_times)
    assert distance_of_samples(np.rint(found * 100.0), np.rint(expected * 100.0)) < limit
    gaze = result["decision", "gaze"][:, 0]
    assert distance_of_samples(np.round(signed(choices, gaze), 9), np.round(signed(expected_choices, expected_gaze), 9)) < limit


@pytest.mark.parametrize("count", [20_000, pytest.param(1_000_000, marks=pytest.mark.full)])
def test_ballistic_decisions_have_the_density_of_brown_and_heathcote(count: int) -> None:
    """Counts in 40 intervals of time for each winner, against the density, by chi-square."""
    drifts, s, b, a = [1.0, 0.8, 0.6], 0.4, 1.2, 0.7
    case = Case(
        library.linear_ballistic_decision,
        drifts,
        {"drift_variability": s, "threshold": b, "start_variability": a, "non_decision_time": 0.2},
    )
    result = model_of(case, limit=1).compile(unfinished="ignore").replicates({"decision": [drifts]}, count=count, seed=5)
    choices, times = result["decision", "choice"][:, 0], result["decision", "response_time"][:, 0] - 0.2
    edges = np.concatenate([np.linspace(1e-6, 2.4, 40), [10.0]])
    nodes, weights = np.polynomial.legendre.leggauss(20)
    statistic, cells = 0.0, 0
    for winner in range(3):
        middle, half_width = (edges[1:] + edges[:-1]) / 2.0, (edges[1:] - edges[:-1]) / 2.0
        points = middle[:, None] + half_width[:, None] * nodes
        densities = ballistic_first(points.ravel(), winner, drifts, s, b, a).reshape(points.shape)
        expected = count * half_width * (densities @ weights)
        counted, _ = np.histogram(times[choices == winner], edges)
        enough = expected > 10.0
        statistic += float(np.sum((counted[enough] - expected[enough]) ** 2 / expected[enough]))
        cells += int(enough.sum())
        assert enough.sum() > 15
    # chi-square with `cells` degrees of freedom by the cube root of Wilson and Hilferty: 3.72 standard deviations have the probability 1e-4
    assert (statistic / cells) ** (1.0 / 3.0) < 1.0 - 2.0 / (9.0 * cells) + 3.72 * sqrt(2.0 / (9.0 * cells))


@pytest.mark.parametrize(("count", "dt"), [(20_000, 1e-3), pytest.param(1_000_000, 1e-4, marks=pytest.mark.full)], ids=["20000", "1000000"])
@pytest.mark.parametrize(("drift", "start"), [(1.0, 0.0), (-0.5, 0.4), (0.0, -0.3)])
def test_drift_diffusion_has_the_distribution_of_navarro_and_fuss(drift: float, start: float, count: int, dt: float) -> None:
    """
    Brownian motion reaches bounds at 1; a walk with steps of `dt` reaches them as late as bounds `DISCRETE * sqrt(dt)` below. The times of
    the walk lie on the grid of its steps: uniform numbers within the step make them continuous.
    """
    case = Case(DDM, [1.0], {"time_step_size": dt})
    choices, times, _ = decisions(case, count, 6, drift=drift, starting_value=start, threshold=1.0 - DISCRETE * sqrt(dt))
    times = times - dt * np.random.default_rng(6).random(count)
    found = distance(signed(choices, times), lambda values: signed_first_passage(values, drift, 1.0, start))
    assert found < allowed_distance(ALPHA, count)


@pytest.mark.parametrize(("count", "dt"), [(20_000, 1e-3), pytest.param(1_000_000, 1e-4, marks=pytest.mark.full)], ids=["20000", "1000000"])
def test_times_of_a_race_are_the_smallest_of_inverse_gaussian_times(count: int, dt: float) -> None:
    """With the correction of the threshold, as above."""
    drifts = [1.5, 1.0, 0.8]
    case = Case(library.race_decision, drifts, {"time_step_size": dt, "threshold": 1.0 - DISCRETE * sqrt(dt)})
    _, times, _ = decisions(case, count, 7)
    times = times - dt * np.random.default_rng(7).random(count)

    def distribution(values: Any) -> Any:
        remaining = 1.0
        for drift in drifts:
            remaining = remaining * (1.0 - wald_distribution(values, drift, 1.0))
        return 1.0 - remaining

    assert distance(times, distribution) < allowed_distance(ALPHA, count)


@pytest.mark.full
def test_late_decisions_of_large_steps_are_detected() -> None:
    """Without the correction of the threshold, the test above fails: steps of 1 ms are late, as the docstring of the function says."""
    choices, times, _ = decisions(Case(DDM, [1.0], {"time_step_size": 1e-3}), 1_000_000, 6)
    assert distance(signed(choices, times), lambda values: signed_first_passage(values, 1.0, 1.0)) > allowed_distance(ALPHA, 1_000_000)


@pytest.mark.parametrize("name", ["race_decision", "leaky_competing_decision", "linear_ballistic_decision"])
def test_alternatives_are_a_vector(name: str) -> None:
    with pytest.raises(cogir.ModelError, match=rf"{name}: variable has another shape than \(n,\); give a vector"):
        cogir.Model("m").node("d", getattr(library, name), input=(2, 2))
