"""
What a Mechanism has compared with its termination_threshold last, which PsyNeuLink shows as its termination_measure_value.
"""

import contextlib

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

from cogir.psyneulink import accelerate

pytestmark = pytest.mark.filterwarnings("ignore")


def competitors(threshold, most):
    """An LCAMechanism, whose maximum of executions its constructor does not take."""

    def make():
        node = pnl.LCAMechanism(name="A", input_shapes=2, noise=0.1, threshold=threshold)
        node.parameters.max_executions_before_finished.set(most)
        return node

    return make


def settling(**options):
    """A TransferMechanism that integrates."""

    def make():
        return pnl.TransferMechanism(
            name="A",
            input_shapes=2,
            integrator_mode=True,
            integration_rate=0.3,
            **{"termination_threshold": 0.01, "max_executions_before_finished": 30, **options},
        )

    return make


REACHES = {"termination_measure": max, "termination_threshold": 0.3, "termination_comparison_op": ">="}
COUNTS = {"termination_threshold": 5, "termination_comparison_op": ">="}
MAKERS = {
    "competitors": competitors(0.55, 100),
    "competitors stopped": competitors(5.0, 7),
    "converged": settling(),
    "converging": settling(execute_until_finished=False),
    "reached": settling(**REACHES),
    "stopped": settling(**REACHES, max_executions_before_finished=2),
    "recurrent": lambda: pnl.RecurrentTransferMechanism(
        name="A", input_shapes=2, auto=0.2, integrator_mode=True, termination_threshold=0.001, max_executions_before_finished=20
    ),
    "executions in a trial": settling(termination_measure=pnl.TimeScale.TRIAL, **COUNTS),
    "executions in a pass": settling(termination_measure=pnl.TimeScale.PASS, **COUNTS),
    "executions in a time step": settling(termination_measure=pnl.TimeScale.TIME_STEP, **COUNTS),
    "executions in a run": settling(termination_measure=pnl.TimeScale.RUN, **COUNTS),
    "reset": settling(**REACHES, reset_stateful_function_when=pnl.AtTrialStart()),
}


def measures(make, runners, asked=False):
    """Those of runs in two execution contexts, each within its block, and what is held in all contexts in the end."""
    fresh()
    node = make()
    composition = pnl.Composition(name="C", nodes=[node])
    if asked:
        composition.termination_processing = {pnl.TimeScale.TRIAL: pnl.Any(pnl.WhenFinished(node), pnl.AfterPass(2))}
    held = node.parameters.termination_measure_value
    found = []
    for index, runner in enumerate(runners):
        with runner():
            composition.run({node: [[1.0, 0.2], [0.4 * index, 0.1]]}, context="xy"[index % 2])
        found.append(np.array(held.get("xy"[index % 2])))
    return found, {key: np.array(value) for key, value in held.values.items()}


def native():
    """Runs that must be native."""
    return accelerate(strict=True)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("kind", "asked"), [*((kind, False) for kind in MAKERS), ("competitors stopped", True), ("stopped", True)])
def test_it_is_the_same(kind, asked):
    expected, kept = measures(MAKERS[kind], [contextlib.nullcontext] * 5, asked)
    for runners in ([native] * 5, [native, native, native, contextlib.nullcontext, native]):
        found, here = measures(MAKERS[kind], runners, asked)
        np.testing.assert_allclose(found, expected, rtol=1e-12)
        assert [value.shape for value in found] == [value.shape for value in expected]
        assert here.keys() == kept.keys()
    assert any(value != 0.0 for value in expected)
