"""
The reference models run natively, their scripts unchanged: `accelerate()` gives the results of the reference files.

Draws and counts are equal, values within `1e-12 * max(abs(reference), largest magnitude of the port)`.
"""

import numpy as np
import pytest
from support.psyneulink.golden import MODELS, build_golden, values_after_trial

import cogir
from cogir.psyneulink import accelerate, explain

pytestmark = pytest.mark.filterwarnings("ignore")

SLOW_TO_BUILD = {"necker_S", "predator_prey_M_philox", "predator_prey_S_philox"}
"""What PsyNeuLink takes long to build, in `make check-full` only."""

COUNTS = {"ddm_integrator": {("DDM", 1)}, "multitasking": {("lca", 1)}}
"""The output ports of nodes whose values are counts."""


def close(found, expected):
    """`abs(a - b) <= 1e-12 * max(abs(b), largest magnitude of the port)`, the same shape and the same NaNs."""
    a, b = np.array(found, dtype=float), np.array(expected, dtype=float)
    assert a.shape == b.shape
    np.testing.assert_allclose(a, b, rtol=0.0, atol=1e-12 * np.nanmax(np.abs(b), initial=0.0))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.full] * (name in SLOW_TO_BUILD)) for name in sorted(MODELS)])
def test_a_reference_model_runs_natively(name):
    golden = build_golden(name)
    composition = golden.composition
    assert explain(composition)
    assert "cog.model" in str(cogir.from_psyneulink(composition).ir())
    with accelerate(strict=True):
        for call, expected in zip(golden.calls, golden.reference["results"], strict=True):
            execution_id = call.get("context") or composition.default_execution_id
            composition.run(inputs=call["inputs"], num_trials=call["num_trials"], context=execution_id)
            trials = composition.parameters.results.get(execution_id)[-call["num_trials"] :]
            for column, _ in enumerate(expected["trials"][0]):
                close([trial[column] for trial in trials], [trial[column] for trial in expected["trials"]])
            found = values_after_trial(composition, execution_id)
            for node, ports in expected["nodes"][-1].items():
                for index, value in enumerate(ports):
                    if node == "$control_allocation" or (node, index) in COUNTS.get(name, ()):
                        assert found[node][index] == value
                    elif node != "$saved_values":
                        close(found[node][index], value)
