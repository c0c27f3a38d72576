"""
A ControlMechanism as a Composition's controller, which is executed beside its nodes and simulates nothing.
"""

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.cases_control import BESIDE
from support.psyneulink.compare import differences, held
from support.psyneulink.golden import fresh

import cogir.psyneulink

pytestmark = pytest.mark.filterwarnings("ignore")

INPUTS = {"A": [[0.5], [-1.0], [2.0]]}


def turned_on_and_off(run):
    """Runs between which the controller is disabled, moved to the other side of the trials, and told another condition."""
    fresh()
    composition = BESIDE["ControlMechanism as controller"].build()
    for settings in (
        {},
        {"enable_controller": False},
        {"enable_controller": True, "controller_mode": "before"},
        {"controller_condition": pnl.AtTrial(2)},
    ):
        for name, value in settings.items():
            setattr(composition, name, value)
        run(composition)
    return held(composition, composition.default_execution_id)


def test_a_controller_may_change_between_runs():
    native = turned_on_and_off(lambda composition: cogir.psyneulink.run(composition, INPUTS))
    assert list(differences(turned_on_and_off(lambda composition: composition.run(INPUTS)), native)) == []


def test_execute():
    def executed(call):
        fresh()
        composition = BESIDE["ControlMechanism as controller"].build()
        with call:
            return [composition.execute(inputs={composition.nodes["A"]: [[value]]}) for value in (0.5, -1.0, 2.0)]

    native = executed(cogir.psyneulink.accelerate(strict=True))
    np.testing.assert_allclose(native, executed(cogir.psyneulink.accelerate("Python")), rtol=1e-12)


def test_a_search_around_it_is_refused():
    """PsyNeuLink cannot simulate a nested Composition with such a controller: it lacks the values of the controller."""
    fresh()
    inner = BESIDE["ControlMechanism as controller"].build()
    last = pnl.ProcessingMechanism(name="Z")
    composition = pnl.Composition(name="OUTER")
    composition.add_linear_processing_pathway([inner, last])
    search = pnl.OptimizationControlMechanism(
        agent_rep=composition,
        state_features=[inner.nodes["A"].input_port],
        objective_mechanism=pnl.ObjectiveMechanism(name="SEEN", monitor=[last]),
        function=pnl.GridSearch(),
        control_signals=[pnl.ControlSignal(modulates=("slope", last), allocation_samples=[0.5, 1.0])],
    )
    composition.add_controller(search)
    with pytest.raises(
        cogir.psyneulink.UnsupportedFeature, match="with the controller 'K', which PsyNeuLink cannot simulate; make 'K' a Node"
    ):
        cogir.psyneulink.run(composition, {inner: [[0.5]]})


def test_a_controller_that_would_be_reset_is_refused():
    fresh()
    composition = BESIDE["controller that integrates"].build()
    composition.controller.reset_stateful_function_when = pnl.AtTrialStart()
    with pytest.raises(cogir.psyneulink.UnsupportedFeature, match=r"ControlMechanism 'K': it is reset, .* make it a Node"):
        cogir.psyneulink.run(composition, INPUTS)


def test_a_condition_that_asks_for_it_is_refused():
    fresh()
    composition = BESIDE["ControlMechanism as controller"].build()
    composition.scheduler.add_condition(composition.nodes["B"], pnl.AfterNCalls(composition.controller, 1))
    with pytest.raises(cogir.psyneulink.UnsupportedFeature, match="a condition names 'K', which is not one of its nodes"):
        cogir.psyneulink.run(composition, INPUTS)


def test_explain_speaks_of_it():
    fresh()
    explained = cogir.psyneulink.explain(BESIDE["ControlMechanism as controller"].build())
    assert explained
    assert "K  ControlMechanism: compiles" in str(explained)
