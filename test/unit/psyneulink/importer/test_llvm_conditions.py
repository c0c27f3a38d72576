"""
Conditions that PsyNeuLink's own compiler refuses by their names, and with which cogir gives PsyNeuLink's numbers.
"""

from typing import Any

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.features import COMPILED_BY_COGIR_ALONE, CONDITIONS_OF_COGIR_ALONE
from support.psyneulink.golden import fresh, refused_by_its_compiler

import cogir.psyneulink

pytestmark = pytest.mark.filterwarnings("ignore")

INPUTS = {"A": [[1.0], [-2.0], [0.5]]}
QUICK = 6
"""Each of this many is tried in `make test`."""


def scheduled(condition: Any) -> pnl.Composition:
    """A -> B: A runs three times in a trial, and B, which counts, when the condition holds."""
    fresh()
    a = pnl.TransferMechanism(name="A", integrator_mode=True)
    b = pnl.IntegratorMechanism(name="B", function=pnl.SimpleIntegrator(rate=2.0))
    composition = pnl.Composition(name="C", pathways=[[a, b]])
    composition.scheduler.add_condition(a, pnl.Always())
    composition.scheduler.add_condition(b, condition(a))
    composition.termination_processing = {pnl.TimeScale.TRIAL: pnl.AfterNCalls(a, 3)}
    return composition


def results(composition: Any, run: Any) -> list[float]:
    """The results of two runs."""
    for _ in range(2):
        run(composition)
    return np.ravel(composition.results).tolist()


@pytest.mark.parametrize(
    "feature", [pytest.param(name, marks=[pytest.mark.full] * bool(index % QUICK)) for index, name in enumerate(CONDITIONS_OF_COGIR_ALONE)]
)
def test_a_condition_that_psyneulink_refuses(feature: str) -> None:
    assert feature in COMPILED_BY_COGIR_ALONE
    condition = CONDITIONS_OF_COGIR_ALONE[feature]
    refusal = (
        "EveryNCalls is only supported with count == 1" if "EveryNCalls" in feature else rf"Unsupported scheduling condition: {feature}\b"
    )
    with refused_by_its_compiler(AssertionError, match=refusal):
        scheduled(condition).run(INPUTS, execution_mode=pnl.ExecutionMode.LLVMRun)
    expected = results(scheduled(condition), lambda composition: composition.run(INPUTS))
    found = results(scheduled(condition), lambda composition: cogir.psyneulink.run(composition, INPUTS))
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-15)
