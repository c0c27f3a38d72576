"""
Mechanisms that are nodes of two Compositions, and Mechanisms that draw from one generator: they share a state. They are refused, so that
values, counts and draws are PsyNeuLink's.
"""

from contextlib import nullcontext

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

from cogir.psyneulink import FallbackWarning, UnsupportedFeature, accelerate

pytestmark = pytest.mark.filterwarnings("ignore")


def nested_and_outer():
    """A Mechanism that is a node of a nested Composition, and of the one around it."""
    first, shared = pnl.ProcessingMechanism(name="A"), pnl.TransferMechanism(name="S", integrator_mode=True)
    inner = pnl.Composition(name="I", pathways=[[first, shared]])
    entry = pnl.ProcessingMechanism(name="X")
    outer = pnl.Composition(name="O", pathways=[[entry, inner, pnl.ProcessingMechanism(name="Y"), shared]])
    return outer, shared, entry


def siblings():
    """A Mechanism that is a node of two nested Compositions."""
    shared = pnl.TransferMechanism(name="S", integrator_mode=True)
    one = pnl.Composition(name="I", pathways=[[pnl.ProcessingMechanism(name="A"), shared]])
    two = pnl.Composition(name="J", pathways=[[pnl.ProcessingMechanism(name="B"), shared]])
    return pnl.Composition(name="O", pathways=[[one, two]]), shared, one


@pytest.mark.parametrize("build", [nested_and_outer, siblings])
def test_a_node_of_two_compositions_is_psyneulinks(build):
    found = []
    for block in (nullcontext(), accelerate()):
        fresh()
        composition, shared, entry = build()
        with block, nullcontext() if not found else pytest.warns(FallbackWarning, match="'S' is a node of two Compositions"):
            composition.run({entry: [[1.5], [0.5]]})
        found.append((np.array(composition.results).tolist(), shared.parameters.value.get("O").tolist(), int(shared.num_executions.life)))
    assert found[0] == found[1]


@pytest.mark.parametrize("build", [nested_and_outer, siblings])
def test_a_node_of_two_compositions_is_named(build):
    fresh()
    composition, _, entry = build()
    with accelerate(strict=True), pytest.raises(UnsupportedFeature, match="'S' is a node of two Compositions in it"):
        composition.run({entry: [[1.5]]})


def noisy(name, noise):
    """A Mechanism with noise."""
    return pnl.TransferMechanism(name=name, input_shapes=2, noise=noise)


def side_by_side(noise):
    """Two Mechanisms of one layer, whose names are not in the order of their creation."""
    return pnl.Composition(name="O", pathways=[[noisy("Z", noise)], [noisy("Y", noise)]])


def in_a_chain(noise):
    """Two Mechanisms of which one hears the other."""
    return pnl.Composition(name="O", pathways=[[noisy("Z", noise), noisy("Y", noise)]])


def inside_and_outside(noise):
    """A Mechanism in a nested Composition, and one beside it."""
    return pnl.Composition(name="O", pathways=[[pnl.Composition(name="I", nodes=[noisy("Z", noise)])], [noisy("Y", noise)]])


SHARING = [side_by_side, in_a_chain, inside_and_outside]


def drawn(build, method):
    """The results of two runs of a Composition whose noise is a Function, or its method."""
    fresh()
    function = pnl.NormalDist(seed=3)
    composition = build(function.function if method else function)
    for _ in range(2):
        composition.run(
            {node: [np.ones((len(node.external_input_ports), 2))] * 2 for node in composition.get_nodes_by_role(pnl.NodeRole.INPUT)}
        )
    return np.array(composition.results).tolist()


@pytest.mark.parametrize("build", SHARING)
def test_what_draws_from_one_generator_is_psyneulinks(build):
    expected = drawn(build, method=True)
    with accelerate(), pytest.warns(FallbackWarning, match="'Y' and 'Z' draw from the generator of one NormalDist"):
        assert drawn(build, method=True) == expected


@pytest.mark.parametrize("build", SHARING)
def test_of_a_function_itself_each_mechanism_has_a_copy(build):
    expected = drawn(build, method=False)
    with accelerate(strict=True):
        np.testing.assert_allclose(drawn(build, method=False), expected, rtol=1e-12, atol=0)
