"""
Parameters that keep their values in all simulations of a search: only PsyNeuLink's own search has them.
"""

import contextlib

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

from cogir.psyneulink import FallbackWarning, accelerate, explain

pytestmark = pytest.mark.filterwarnings("ignore")

PARAMETERS = {
    "the value of a Mechanism": lambda c: c.nodes["A"].parameters.value,
    "a Parameter of a Function": lambda c: c.nodes["A"].function.parameters.slope,
    "results": lambda c: c.parameters.results,
    "simulation_results": lambda c: c.parameters.simulation_results,
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


def kept(name, runs_before, block):
    """What is kept in execution contexts, those of simulations in the order in which they were made."""
    composition = build()
    with block:
        for _ in range(runs_before):
            composition.run({"A": [[1.0]]})
        parameter = PARAMETERS[name](composition)
        parameter.retain_old_simulation_data = True
        composition.run({"A": [[1.0], [2.0]]})
        values = [value for key, value in parameter.values.items() if key is not None]
        parameter.retain_old_simulation_data = False
        explained = bool(explain(composition))
    return [np.asarray(value, dtype=object).tolist() for value in values], explained


@pytest.mark.parametrize(("name", "runs_before"), [*((name, 0) for name in PARAMETERS), ("simulation_results", 1)])
def test_what_simulations_leave_is_left_by_psyneulink(name, runs_before):
    expected, compiles = kept(name, runs_before, contextlib.nullcontext())
    assert len(expected) > 2
    assert compiles
    with pytest.warns(FallbackWarning, match=r"is kept of each simulation of 'OCM' \(retain_old_simulation_data\); use saved_values"):
        assert kept(name, runs_before, accelerate()) == (expected, True)
