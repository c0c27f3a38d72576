"""
What is kept of all simulations of a search: native searches keep their results, and only PsyNeuLink's own search the values of Parameters.
"""

import contextlib

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

from cogir.psyneulink import FallbackWarning, UnsupportedFeature, accelerate, explain

pytestmark = pytest.mark.filterwarnings("ignore")

PARAMETERS = {
    "the value of a Mechanism": lambda c: c.nodes["A"].parameters.value,
    "a Parameter of a Function": lambda c: c.nodes["A"].function.parameters.slope,
    "results": lambda c: c.parameters.results,
}


def build():
    """A controller that searches for a slope of two."""
    fresh()
    a = pnl.ProcessingMechanism(name="A")
    composition = pnl.Composition(name="C", pathways=[a])
    signal = pnl.ControlSignal(modulates=("slope", a), allocation_samples=[1.0, 2.0])
    search = {"function": pnl.GridSearch(), "objective_mechanism": pnl.ObjectiveMechanism(name="O", monitor=[a])}
    controller = pnl.OptimizationControlMechanism(name="OCM", agent_rep=composition, state_features=[a], control_signals=[signal], **search)
    composition.add_controller(controller)
    return composition


def kept(name, block):
    """What is kept in execution contexts, those of simulations in the order in which they were made."""
    composition = build()
    with block:
        parameter = PARAMETERS[name](composition)
        parameter.retain_old_simulation_data = True
        composition.run({"A": [[1.0], [2.0]]})
        values = [value for key, value in parameter.values.items() if key is not None]
        parameter.retain_old_simulation_data = False
        explained = bool(explain(composition))
    return [np.asarray(value, dtype=object).tolist() for value in values], explained


@pytest.mark.parametrize("name", PARAMETERS)
def test_what_simulations_leave_is_left_by_psyneulink(name):
    expected, compiles = kept(name, contextlib.nullcontext())
    assert len(expected) > 2
    assert compiles
    with pytest.warns(FallbackWarning, match=r"is kept of each simulation of 'OCM' \(retain_old_simulation_data\); use saved_values"):
        assert kept(name, accelerate()) == (expected, True)


def by_parameter(composition, keep):
    """Has the results of simulations kept."""
    composition.parameters.simulation_results.retain_old_simulation_data = keep


def by_composition(composition, keep):
    """Has the values of all Parameters kept, of which a native search keeps the results only."""
    composition.retain_old_simulation_data = keep


def results_kept(how):
    """Results of simulations after runs with and without them being kept, the result of the last trial, and the allocations."""
    composition = build()
    seen = []
    for keep, context in ((False, "x"), (True, "x"), (True, "x"), (True, "y"), (False, "x"), (True, "x")):
        how(composition, keep)
        last = composition.run({"A": [[1.0], [2.0]]}, context=context)
        seen.append([np.asarray(one).tolist() for one in composition.parameters.simulation_results.get(context)])
        seen.append([np.asarray(last).tolist(), np.asarray(composition.controller.parameters.control_allocation.get(context)).tolist()])
    return seen


@pytest.mark.parametrize("how", [by_parameter, by_composition])
def test_results_of_simulations_are_kept_natively(how):
    expected = results_kept(how)
    assert len(expected[4]) > len(expected[2]) > 0
    with accelerate(strict=True):
        assert results_kept(how) == expected


def test_values_of_simulations_are_no_values_of_something_else():
    composition = build()
    composition.retain_old_simulation_data = True
    with accelerate(strict=True):
        composition.run({"A": [[1.0], [2.0]]}, context="x")
    names = composition.controller.parameters.simulation_ids.get("x")
    assert len(names) == len(composition.parameters.simulation_results.get("x"))
    with pytest.raises(UnsupportedFeature, match=r"simulation .x-sim.*keeps the results of its simulations, and no other values"):
        composition.nodes["A"].parameters.value.get(names[0])


def test_names_go_on_in_psyneulink():
    composition = build()
    composition.retain_old_simulation_data = True
    with accelerate(strict=True):
        composition.run({"A": [[1.0]]}, context="x")
    count = len(composition.controller.parameters.simulation_ids.get("x"))
    composition.run({"A": [[1.0]]}, context="x")
    names = composition.controller.parameters.simulation_ids.get("x")
    assert len(names) == 2 * count
    assert composition.nodes["A"].parameters.value.get(names[-1]) is not None
