"""Formulas where nodes lead to the decision: the input of each trial is what these nodes give, or the fit says why it is not known."""

import re
from typing import Any

import numpy as np
import pytest
from support.fitted_decisions import BOUNDS, CHOICE, INPUTS, TIME, ddm, ddm_data

import cogir
from cogir import library
from cogir.library import Random, State, Step
from cogir.study import upstream
from cogir.study.densities import wiener_log_density

STIMULUS = np.random.default_rng(0).normal(size=200)
DATA = ddm_data(200) | {"s": STIMULUS}
DECISION: dict[str, Any] = {
    "execute_until_finished": True,
    "reset_each_trial": True,
    "time_step_size": 0.01,
    "max_executions_before_finished": 2000,
}


def network() -> cogir.Model:
    """Stimulus -> two units -> decision, the sum of whose inputs is the drift."""
    m = cogir.Model("network")
    s = m.node("s", library.linear, input=1, slope=2.0)
    h = m.node("h", library.logistic, input=2)
    d = m.node("ddm", library.drift_diffusion_decision, input=2, **DECISION)
    m.project(s, h, matrix=[[1.0, -0.5]])
    m.project(h, d, matrix=[[2.0, 0.0], [0.0, -1.0]])
    return m


MODEL = network()
COMPILED = MODEL.compile(unfinished="ignore")
FREE = {"ddm/threshold": (0.4, 2.5), "s/slope": (0.5, 3.0), "h->ddm[0,0]": (0.0, 4.0)}
POINTS = np.array([[1.0, 2.0, 2.0], [1.3, 1.0, 1.5], [0.7, 2.5, 0.5]])


def by_hand(threshold: float, slope: float, weight: float) -> float:
    hidden = 1.0 / (1.0 + np.exp(-slope * np.outer(STIMULUS, [1.0, -0.5])))
    drift = (hidden @ np.array([[weight, 0.0], [0.0, -1.0]])).sum(axis=1)
    return float(wiener_log_density(DATA[TIME], DATA[CHOICE] > 0, drift, threshold).sum())


@pytest.mark.parametrize("model", [MODEL, COMPILED], ids=["model", "compiled"])
def test_the_drift_of_each_trial_is_what_the_nodes_before_give(model: Any) -> None:
    made = cogir.fit.problem(model, DATA, FREE, likelihood="analytical", undecided="count", floor=0.0)
    assert made.log_likelihood(POINTS) == pytest.approx([by_hand(*point) for point in POINTS], rel=1e-12)
    assert made.log_likelihood(POINTS[1]) == pytest.approx(by_hand(*POINTS[1]), rel=1e-12)


def test_it_is_that_of_the_simulated_model() -> None:
    """Differences between points agree with a kernel over simulated trials, in few conditions."""
    data = {**DATA, "s": np.repeat([-1.0, 1.0], 100)}
    exact = cogir.fit.problem(MODEL, data, FREE, likelihood="analytical").log_likelihood(POINTS)
    steps = {"ddm/threshold": lambda p: p["b"] - 0.05826}
    free = {"b": (0.5, 2.5)} | {name: bounds for name, bounds in FREE.items() if name != "ddm/threshold"}
    kernel = cogir.fit.problem(COMPILED, data, free, simulations=20_000, derive=steps).log_likelihood(POINTS)
    assert np.abs((kernel - kernel[0]) - (exact - exact[0])).max() < 5.0
    assert np.ptp(exact) > 20.0


def test_parameters_that_are_set_later_and_fixed_inputs_count() -> None:
    compiled = MODEL.compile(unfinished="ignore")
    data = {name: DATA[name] for name in (CHOICE, TIME)}
    free = {"ddm/threshold": (0.4, 2.5)}
    made = cogir.fit.problem(compiled, data, free, inputs={"s": [[0.8]]}, likelihood="analytical", undecided="count", floor=0.0)

    def wanted(slope: float) -> float:
        hidden = 1.0 / (1.0 + np.exp(-slope * 0.8 * np.array([1.0, -0.5])))
        return float(wiener_log_density(data[TIME], data[CHOICE] > 0, 2.0 * hidden[0] - hidden[1], 1.0).sum())

    assert made.log_likelihood([1.0]) == pytest.approx(wanted(2.0), rel=1e-12)
    compiled.params["s/slope"] = 1.0
    assert made.log_likelihood([1.0]) == pytest.approx(wanted(1.0), rel=1e-12)


def test_a_fit_by_formula_finds_the_slope() -> None:
    runs = COMPILED.sweep({"s": STIMULUS}, seed=5)
    data = {"s": STIMULUS, CHOICE: runs[CHOICE].ravel(), TIME: runs[TIME].ravel()}
    found = cogir.fit(MODEL, data, {"h->ddm[0,0]": (0.0, 4.0)}, likelihood="analytical")
    low, high = found.intervals["h->ddm[0,0]"]
    assert low < 2.0 < high


def test_what_does_not_vary_with_points_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Any] = []
    computed = upstream.Upstream.computed
    monkeypatch.setattr(upstream.Upstream, "computed", lambda self, varied: calls.append(1) or computed(self, varied))
    made = cogir.fit.problem(MODEL, DATA, {"ddm/threshold": (0.4, 2.5)}, likelihood="analytical")
    for count in (1, 3, 7):
        made.log_likelihood(np.linspace(0.5, 2.0, count)[:, None])
    assert len(calls) == 1


def noisy(x: Any, random: Random):
    return x + random.normal(x.shape)


def keeps(x: Any, total: State = 0.0):
    return Step(outputs=x + total, states=total + 1.0)


def refusing(change: Any) -> cogir.Model:
    """A model in which something keeps the input of the decision from being known."""
    m = cogir.Model("refusing")
    s = m.node("s", library.linear, input=1)
    d = m.node("ddm", library.drift_diffusion_decision, **DECISION)
    change(m, s, d)
    return m


def with_node(function: Any) -> Any:
    def change(m: cogir.Model, s: Any, d: Any) -> None:
        n = m.node("n", function, input=1)
        m.project(s, n)
        m.project(n, d)

    return change


def modulated(m: cogir.Model, s: Any, d: Any) -> None:
    m.project(s, d)
    m.modulate(m.node("c", lambda: 1.0, input=()), s.param("slope"), "multiply")


def modulated_decision(m: cogir.Model, s: Any, d: Any) -> None:
    m.project(s, d)
    m.modulate(m.node("c", lambda: 1.0, input=()), d.param("threshold"), "multiply")


def conditional(m: cogir.Model, s: Any, d: Any) -> None:
    m.project(s, d)
    m.schedule.when(s, cogir.AtTrial(0))


def cyclic(m: cogir.Model, s: Any, d: Any) -> None:
    m.project(s, d)
    m.project(d["choice"], s, feedback=True)
    m.input(s)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (with_node(noisy), '"n" has random numbers'),
        (with_node(keeps), '"n" has a state'),
        (modulated, '"s" is modulated'),
        (modulated_decision, 'its parameters are modulated by "c"'),
        (conditional, '"s" has a condition'),
        (cyclic, 'the projection from "ddm" to "s" closes a cycle'),
    ],
    ids=lambda one: getattr(one, "__name__", None),
)
def test_an_input_that_is_not_known_is_refused_with_the_reason(change: Any, told: str) -> None:
    data = {name: DATA[name] for name in (CHOICE, TIME)}
    with pytest.raises(cogir.InputError, match=re.escape(told)) as error:
        cogir.fit.problem(refusing(change), data, {"ddm/threshold": (0.4, 2.5)}, inputs={"s": [[1.0]]}, likelihood="analytical")
    assert 'use likelihood="kernel"' in str(error.value)


def test_a_model_that_was_made_from_its_text_or_changed() -> None:
    model = ddm()
    data = {name: DATA[name] for name in (CHOICE, TIME)}
    told = "fit: an analytical likelihood needs the model as it was built in Python, but this one was made from its text, or was changed"
    with pytest.raises(cogir.InputError, match=re.escape(told)):
        cogir.fit.problem(cogir.compile(str(model.ir())), data, BOUNDS, inputs=INPUTS, likelihood="analytical")
    compiled = model.compile(unfinished="ignore")
    wanted = cogir.fit.problem(model, data, BOUNDS, inputs=INPUTS, likelihood="analytical").log_likelihood([1.0, 1.0, 0.3])
    assert cogir.fit.problem(compiled, data, BOUNDS, inputs=INPUTS, likelihood="analytical").log_likelihood([1.0, 1.0, 0.3]) == wanted
    model.node("more", library.linear, input=1)
    with pytest.raises(cogir.InputError, match=re.escape(told)):
        cogir.fit.problem(compiled, data, BOUNDS, inputs=INPUTS, likelihood="analytical")


MUTANTS = {
    "parameters of the whole are ignored": lambda patch: patch.setattr(upstream.Upstream, "shared", property(lambda self: [])),
    "points are taken for one": lambda patch: patch.setattr(
        upstream.Upstream, "has", lambda self, kind, name: kind == "input" and name in self.part.inputs.names
    ),
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_planted_wrong_input_is_found(mutant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    MUTANTS[mutant](monkeypatch)

    def checks() -> None:
        test_the_drift_of_each_trial_is_what_the_nodes_before_give(MODEL)
        test_parameters_that_are_set_later_and_fixed_inputs_count()

    with pytest.raises(AssertionError):
        checks()
