"""
Parameters of distributions that are modulated, or set, below 0.
"""

import contextlib

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

from cogir.psyneulink import accelerate

pytestmark = pytest.mark.filterwarnings("ignore")

DRAWN = {
    "standard_deviation": lambda: pnl.NormalDist(seed=3),
    "beta": lambda: pnl.ExponentialDist(seed=3),
    "dist_shape": lambda: pnl.GammaDist(seed=3),
    "mean": lambda: pnl.WaldDist(seed=3),
    "variance": lambda: pnl.GaussianDistort(seed=3),
}


def drawn(parameter, modulation, block):
    """The error of a run, and its results, in whose third trial a parameter of a distribution is modulated below 0."""
    fresh()
    node = pnl.ProcessingMechanism(name="N", function=DRAWN[parameter]())
    signal = pnl.ControlSignal(modulates=(parameter, node), modulation=modulation)
    control = pnl.ControlMechanism(name="CONTROL", control_signals=signal)
    composition = pnl.Composition(name="C")
    for each in (control, node):
        composition.add_node(each, required_roles=pnl.NodeRole.INPUT)
    with block, pytest.raises(ValueError, match=r"(scale|shape|mean) <=? ?0") as caught:
        composition.run({control: [[0.5], [0.7], [-3.0], [0.2]], node: [[1.0]] * 4})
    return str(caught.value), np.array(composition.results)


@pytest.mark.parametrize("modulation", [pnl.OVERRIDE, pnl.MULTIPLICATIVE])
@pytest.mark.parametrize("parameter", DRAWN)
def test_a_parameter_of_a_distribution_below_zero_raises_psyneulinks_error(parameter, modulation):
    error, results = drawn(parameter, modulation, contextlib.nullcontext())
    assert len(results) == 2
    found = drawn(parameter, modulation, accelerate())
    assert found[0] == error
    np.testing.assert_allclose(found[1], results, rtol=1e-12)


def set_to(parameter, value, block):
    """The error of a run after the parameter was set, and the results of the runs before and after that."""
    fresh()
    node = pnl.ProcessingMechanism(name="N", function=DRAWN[parameter]())
    composition = pnl.Composition(name="C", pathways=[node])
    held = getattr(node.function.parameters, parameter)
    with block:
        composition.run({node: [[1.0]] * 2})
        before = held.get("C")
        held.set(value, "C")
        with pytest.raises(ValueError, match=r"(scale|shape|mean) <=? ?0") as caught:
            composition.run({node: [[1.0]] * 2})
        held.set(before, "C")
        composition.run({node: [[1.0]] * 2})
    return str(caught.value), np.array(composition.results)


@pytest.mark.parametrize(("parameter", "value"), [*((parameter, -1.0) for parameter in DRAWN), ("mean", 0.0)])
def test_what_is_set_below_zero_raises_psyneulinks_error(parameter, value):
    error, results = set_to(parameter, value, contextlib.nullcontext())
    found = set_to(parameter, value, accelerate())
    assert found[0] == error
    np.testing.assert_allclose(found[1], results, rtol=1e-12)
