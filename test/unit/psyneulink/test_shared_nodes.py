"""
Mechanisms that are nodes of two Compositions, which share their state: refused, so that values and counts are PsyNeuLink's.
"""

import warnings
from contextlib import nullcontext

import numpy as np
import pytest
from support.psyneulink_needed import require_psyneulink

require_psyneulink()

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import psyneulink as pnl
    from support.psyneulink_golden import fresh

from cogir.psyneulink import FallbackWarning, UnsupportedFeature, accelerate  # noqa: E402

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
