"""
Evaluations of control allocations by a script: PsyNeuLink's `evaluate`, whose trials are native.
"""

import warnings

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.cases import inputs_of
from support.psyneulink.cases_control import CASES, searching
from support.psyneulink.compare import CATEGORIES, differences, held
from support.psyneulink.golden import fresh

from cogir.psyneulink import FallbackWarning, UnsupportedFeature, accelerate
from cogir.psyneulink.execution.native_run import NativeRun

pytestmark = pytest.mark.filterwarnings("ignore")

EVALUATED = [
    "grid search",
    "grid search before",
    "grid search with duration costs",
    "grid search with noise",
    "grid search with estimates",
    "grid search at a trial",
    "grid search of two trials",
]
LEFT_TO_PSYNEULINK = ["grid search with a net outcome of its own", "grid search with costs of its own"]


class Script:
    """The calls of a script on one Composition, what they return, and what they leave."""

    def __init__(self, composition, inputs):
        self.composition, self.own = composition, composition.default_execution_id
        self.inputs = {composition.nodes[name]: trials for name, trials in inputs.items()}
        self.found = []

    def run(self, context=None, **given):
        self.composition.run(inputs=self.inputs, context=context, **given)
        self.look(None, context or self.own)

    def evaluate(self, level, context, **given):
        allocation = np.full((len(self.composition.controller.control_signals), 1), level)
        inputs = {node: trials[: given.get("num_trials", 1)] for node, trials in self.inputs.items()}
        self.look(self.composition.evaluate(inputs, allocation, context=context, **given), context)

    def look(self, returned, context):
        kept = self.composition.parameters.simulation_results
        state = held(self.composition, context) | {("result", f"simulated in {key}"): [*kept.get(key)] for key in (None, self.own)}
        self.found.append((returned, state))


def evaluations(script):
    """Evaluations before, between and after runs: in the context of no run, in that of the Composition, and in that of a call."""
    script.run()
    for level in (1.0, 2.0):
        script.evaluate(level, None)
    script.evaluate(1.5, script.own)
    script.evaluate(2.0, script.own, num_trials=2, return_results=True)
    script.run()
    script.run(context="other")
    script.evaluate(1.0, "other")


def both(build, inputs, calls, left_out=()):
    """Runs a script alone and accelerated; returns the lines in which they differ, and what was said."""
    fresh()
    alone = Script(build(), inputs)
    calls(alone)
    fresh()
    native = Script(build(), inputs)
    with accelerate(), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        calls(native)
    for (expected, _), (returned, _) in zip(alone.found, native.found, strict=True):
        assert type(returned) is type(expected)
        for one, other in zip(*(each if isinstance(each, tuple) else (each,) for each in (returned, expected)), strict=True):
            np.testing.assert_allclose(np.array(one, float), np.array(other, float), rtol=1e-12)
    kept = [category for category in CATEGORIES if category not in left_out]
    states = zip(alone.found, native.found, strict=True)
    lines = [f"{at}: {line}" for at, ((_, one), (_, other)) in enumerate(states) for line in differences(one, other, kept)]
    return lines, [str(one.message) for one in caught if issubclass(one.category, FallbackWarning)]


@pytest.fixture
def native_runs(monkeypatch):
    """The execution contexts of all native runs."""
    contexts, original = [], NativeRun.run

    def counted(self, *given):
        result = original(self, *given)
        contexts.append(self.execution_id)
        return result

    monkeypatch.setattr(NativeRun, "run", counted)
    return contexts


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "name", [*EVALUATED[:2], *(pytest.param(name, marks=pytest.mark.full) for name in EVALUATED[2:] + LEFT_TO_PSYNEULINK)]
)
def test_it_returns_and_leaves_what_psyneulink_does(name, native_runs):
    case = CASES[name]
    fresh()
    inputs = inputs_of(case.build(), case)
    lines, said = both(case.build, inputs, evaluations, case.left_out)
    assert lines == []
    if name in LEFT_TO_PSYNEULINK:
        assert (len(said), native_runs) == (1, [])
    else:
        assert said == []
        assert native_runs.count(None) == 2
        assert len(native_runs) == 8


def nested_search():
    """A nested Composition with a search of its own, which a simulation of the one around it does not leave out."""
    inner = searching().build()
    last = pnl.TransferMechanism(name="Z", function=pnl.Linear(slope=2.0))
    outer = pnl.Composition(name="OUTER", pathways=[[inner, last]])
    signal = pnl.ControlSignal(modulates=("slope", last), allocation_samples=[1.0, 2.0])
    seen = pnl.ObjectiveMechanism(name="SEEN", monitor=[last])
    settings = {"state_features": [inner.nodes["A"].input_port], "objective_mechanism": seen, "function": pnl.GridSearch()}
    outer.add_controller(pnl.OptimizationControlMechanism(name="OUTER_K", agent_rep=outer, control_signals=[signal], **settings))
    outer.enable_controller = False
    return outer


def test_a_nested_search_goes_on(native_runs):
    lines, said = both(nested_search, {"C": [[0.5], [1.0], [-0.25]]}, evaluations, ("count",))
    assert (lines, said) == ([], [])
    assert len(native_runs) == 8


def drifting():
    """An allocation is the drift of a decision of many steps."""
    first = pnl.TransferMechanism(name="A")
    decision = pnl.DriftDiffusionIntegrator(noise=0.5, threshold=2.0, time_step_size=0.1, seed=4)
    last = pnl.DDM(name="B", function=decision, execute_until_finished=True)
    composition = pnl.Composition(name="C", pathways=[first, last])
    signal = pnl.ControlSignal(modulates=("slope", first), allocation_samples=[1.0, 2.0], intensity_cost_function=pnl.Linear(slope=0.1))
    seen = pnl.ObjectiveMechanism(name="O", monitor=[last.output_ports[pnl.RESPONSE_TIME]])
    settings = {"state_features": [first.input_port], "objective_mechanism": seen, "function": pnl.GridSearch()}
    composition.add_controller(pnl.OptimizationControlMechanism(agent_rep=composition, control_signals=[signal], **settings))
    composition.enable_controller = False
    return composition


def test_draws_go_on_where_they_were(native_runs):
    lines, said = both(drifting, {"A": [[0.3], [0.1], [0.2]]}, evaluations)
    assert (lines, said) == ([], [])
    assert len(native_runs) == 8


def test_runtime_params(native_runs):
    def calls(script):
        script.run()
        script.evaluate(2.0, script.own, runtime_params={script.composition.nodes["B"]: {"slope": 3.0}})
        script.evaluate(2.0, script.own)

    assert both(searching().build, {"A": [[0.5], [1.0]]}, calls, ("count",)) == ([], [])
    assert len(native_runs) == 3


def test_within_a_callback(native_runs):
    def calls(script):
        script.run(call_before_trial=lambda: script.evaluate(2.0, script.own))
        script.run()

    assert both(searching().build, {"A": [[0.5], [1.0]]}, calls, ("count",)) == ([], [])
    assert len(native_runs) == 4


def test_inputs_that_raise(native_runs):
    """The controller acts again in the next run; a `Context` that the script gave says in which Composition it was used."""

    def calls(script):
        context = pnl.Context(execution_id=script.own)
        script.run()
        with pytest.raises(ZeroDivisionError):
            script.composition.evaluate(lambda trial: 1 / 0, np.array([[2.0]]), context=context)
        assert context.composition is script.composition
        assert script.composition.enable_controller
        script.run()

    assert both(searching().build, {"A": [[0.5], [1.0]]}, calls, ("count",)) == ([], [])
    assert len(native_runs) == 2


def test_a_composition_stands_for_its_own_context(native_runs):
    def calls(script):
        composition = script.composition
        composition.run(inputs=script.inputs, context=composition)
        script.look(composition.evaluate(script.inputs, [[2.0]], num_trials=2, context=composition), script.own)

    assert both(searching().build, {"A": [[0.5], [1.0]]}, calls, ("count",)) == ([], [])
    assert len(native_runs) == 2


@pytest.mark.parametrize("how", ["no trials", "a callback", "an input function", "one call"])
def test_a_trial_makes_forget_the_evaluations_before(how):
    def calls(script):
        script.run()
        script.evaluate(2.0, script.own, base_context=pnl.Context(execution_id=script.own))
        match how:
            case "no trials":
                script.run(num_trials=0)
            case "a callback":
                script.run(call_after_trial=lambda: script.look(None, script.own))
            case "an input function":
                node = script.composition.nodes["A"]
                script.composition.run(inputs=lambda trial: {node: [trial + 0.5]}, num_trials=2)
                script.look(None, script.own)
            case _:
                script.run()

    assert both(searching().build, {"A": [[0.5], [1.0]]}, calls, ("count",)) == ([], [])


def test_a_function_that_does_not_compile(native_runs):
    """What cannot be compiled is simulated by PsyNeuLink, after a sentence that names it."""

    def odd(x):
        return [float(str(value)) for value in np.ravel(x)]

    lines, said = both(searching(last={"function": odd}).build, {"A": [[0.5], [1.0]]}, evaluations, ("count",))
    assert lines == []
    assert len(said) == 1
    assert 'node "B"' in said[0]
    assert native_runs == []


def test_strict():
    fresh()
    composition = searching().build()
    with accelerate(strict=True), pytest.raises(UnsupportedFeature, match=r"'C': evaluate\(\) is called .* it has not run; call run"):
        composition.evaluate({composition.nodes["A"]: [[1.0]]}, None, context="never")
