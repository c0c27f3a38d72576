"""The dynamic attention model of the gallery, beside the version for PsyNeuLink in its benchmark."""

import numpy as np
import pytest

from benchmarks.dynamic_attention import TOLERANCE, first_trial, script

pytestmark = pytest.mark.filterwarnings("ignore")


def test_the_first_trial_without_noise_is_that_of_psyneulinks_python_mode() -> None:
    rows = {"task": np.array([[1.0, 0.0]]), "colour": np.array([[0.0, 1.0]]), "place": np.array([[0.0, 1.0]])}
    assert first_trial(script()["network"](noise=0.0), rows) <= TOLERANCE
