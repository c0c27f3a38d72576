"""Questions about Compositions that are answered without running them; PsyNeuLink's own runs stay within the answers."""

from typing import Any

import numpy as np
import psyneulink as pnl
import pytest

from cogir.analyze import DriftDiffusionTimes, convergence, ranges, refine, sensitivity

pytestmark = pytest.mark.filterwarnings("ignore")


def pathway(gain: float = 1.0) -> Any:
    first = pnl.TransferMechanism(input_shapes=2)
    second = pnl.TransferMechanism(input_shapes=2, function=pnl.Logistic(gain=gain))
    return pnl.Composition(pathways=[[first, np.array([[1.0, -1.0], [2.0, 0.5]]), second]])


def decision(noise: float = 0.0) -> Any:
    function = pnl.DriftDiffusionIntegrator(rate=1.0, noise=noise, threshold=1.0, time_step_size=0.01, seed=3)
    mechanism = pnl.DDM(
        function=function,
        execute_until_finished=True,
        max_executions_before_finished=1000,
        reset_stateful_function_when=pnl.AtTrialStart(),
    )
    return pnl.Composition(pathways=[[mechanism]])


def names(composition: Any) -> list[str]:
    """The nodes by name: PsyNeuLink numbers those that were there before."""
    return [node.name for node in composition.nodes]


def outputs(composition: Any, value: Any) -> np.ndarray:
    """The results of a trial in PsyNeuLink."""
    return np.concatenate([np.ravel(each) for each in composition.run(inputs={composition.nodes[0]: [value]})])


def test_ranges() -> None:
    composition = pathway()
    first, second = names(composition)
    found = ranges(composition, {f"{second}/gain": (0.5, 2.0)}, {first: (-1.0, 1.0)}, trials=1)[second]
    low, high = np.ravel(found.low), np.ravel(found.high)
    assert ((low > 0.0) & (low < 0.25) & (high > 0.75) & (high < 1.0)).all()
    for gain in (0.5, 1.25, 2.0):
        for value in ([-1.0, -1.0], [1.0, 1.0], [0.3, -0.7]):
            assert found.holds(outputs(pathway(gain), value).reshape(found.low.shape)).all()


def test_sensitivity() -> None:
    composition = pathway()
    first, second = names(composition)
    slopes = sensitivity(composition, {f"{second}/gain": (0.9, 1.1)}, {first: [0.3, -0.7]}, slopes=True)[f"{second}/gain"].slopes
    above, below = (outputs(pathway(gain), [0.3, -0.7]) for gain in (1.0 + 1e-6, 1.0 - 1e-6))
    assert slopes is not None
    (slope,) = slopes.values()
    assert np.ravel(slope) == pytest.approx((above - below) / 2e-6, rel=1e-5)


def test_convergence() -> None:
    composition = decision()
    found = convergence(composition, inputs={names(composition)[0]: (0.3, 0.5)})
    assert (found.earliest, found.latest) == (200, 334)
    steps = [round(outputs(decision(), [value])[1] / 0.01) for value in (0.3, 0.37, 0.5)]
    assert found.earliest <= min(steps)
    assert max(steps) <= found.latest


def test_analytical_times() -> None:
    composition = decision(0.5)
    (node,) = names(composition)
    assert convergence(composition, inputs={node: 0.4}).analytical == {node: DriftDiffusionTimes(0.4, 0.5, 1.0)}


def test_refine() -> None:
    unit = pnl.TransferMechanism(function=pnl.Linear(slope=1.0))
    error = pnl.TransferMechanism(function=pnl.Logistic(gain=-4.0, bias=0.5))
    composition = pnl.Composition(pathways=[[unit, error]])
    found = refine(composition, {f"{unit.name}/slope": (-1.0, 1.0)}, {unit.name: 1.0}, objective=error.name)
    low, high = found.region[f"{unit.name}/slope"]
    assert found
    assert low <= 1.0 <= high
    assert high - low < 0.1
