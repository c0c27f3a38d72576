"""
The largest predator-prey search, 101 levels for each of three signals, beside PsyNeuLink's own compiled search of the same points.

PsyNeuLink's Python mode would take days; with `comp_execution_mode` LLVM its controller evaluates each point with compiled code, and keeps
all values.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh, script

import cogir.psyneulink

POSITIONS = [
    {"PLAYER POS": [1.1576537, 0.60782117], "PREDATOR POS": [-0.03479106, -0.47666293], "PREY POS": [-0.60836214, 0.1760381]},
    {"PLAYER POS": [-3.0, 40.0], "PREDATOR POS": [25.0, -7.0], "PREY POS": [60.0, 31.0]},
]
POINTS = 101**3


def searched(run: Callable[[pnl.Composition, dict[str, Any]], Any], trials: int) -> dict[str, np.ndarray]:
    """The results of all trials, and what the last search has found: the chosen levels, the value of each point, and of the best one."""
    fresh()
    composition = script("predator_prey").build("XL")
    run(composition, {name: [position[name] for position in POSITIONS[:trials]] for name in POSITIONS[0]})
    controller, key = composition.controller, composition.default_execution_id
    values = np.ravel(controller.function.parameters.saved_values.get(key))
    found = {
        "results": composition.results,
        "chosen": controller.parameters.control_allocation.get(key),
        "values": values,
        "best": values.min(),
    }
    return {name: np.asarray(held, float) for name, held in found.items()}


def by_psyneulink(composition: pnl.Composition, inputs: dict[str, Any]) -> None:
    """Every point is evaluated by PsyNeuLink's compiled code, one trial after the other."""
    composition.controller.parameters.comp_execution_mode.set("LLVM")
    composition.run(inputs=inputs)


@pytest.mark.full
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("trials", [1, 2])
def test_a_million_points(trials: int) -> None:
    expected = searched(by_psyneulink, trials)
    found = searched(lambda composition, inputs: cogir.psyneulink.run(composition, inputs), trials)
    assert expected["values"].shape == found["values"].shape == (POINTS,)
    assert found["chosen"].tolist() == expected["chosen"].tolist()
    for name in expected:
        difference = np.abs(found[name] - expected[name])
        scale = np.maximum(np.abs(expected[name]), np.abs(expected[name]).max())
        assert (difference <= 1e-12 * scale).all(), f"{name}: {np.max(difference / scale)}"
    print(f"{POINTS} points: {np.sum(found['values'] != expected['values'])} differ in the last bits; chosen {np.ravel(found['chosen'])}")
