"""
PsyNeuLink's states go on from trial to trial where nothing resets them: under `accelerate()` they do alike, without a warning.
"""

import warnings

import numpy as np
import pytest
from support.psyneulink import pnl

import cogir
from cogir.psyneulink import accelerate

pytestmark = pytest.mark.filterwarnings("ignore")


def never_reset() -> pnl.Composition:
    function = pnl.DriftDiffusionIntegrator(noise=0.0, threshold=0.5, time_step_size=0.1)
    never = pnl.Never()
    decision = pnl.DDM(name="D", function=function, execute_until_finished=True, reset_stateful_function_when=never)
    return pnl.Composition(nodes=[decision])


def test_states_that_psyneulink_never_resets_are_not_warned_of() -> None:
    expected = np.ravel(never_reset().run([[1.0]], num_trials=3))
    with warnings.catch_warnings():
        warnings.simplefilter("error", cogir.ResetWarning)
        imported = cogir.from_psyneulink(never_reset())
        assert "until_finished" in str(imported.ir())
        imported.compile().run([[1.0]], num_trials=3)
        with accelerate(strict=True):
            np.testing.assert_allclose(np.ravel(never_reset().run([[1.0]], num_trials=3)), expected, rtol=1e-12)
