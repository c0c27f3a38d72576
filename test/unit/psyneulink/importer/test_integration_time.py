"""
The time that an integrator has taken, in another shape than usual, which that of a drift diffusion is counted in as non_decision_time, too.
"""

import contextlib

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

from cogir.psyneulink import FallbackWarning, accelerate

pytestmark = pytest.mark.filterwarnings("ignore")


def results(shape, context, block):
    """Those of three runs, before the second of which previous_time is set."""
    fresh()
    ddm = pnl.DDM(name="D", function=pnl.DriftDiffusionIntegrator(threshold=2.0, noise=0.0, rate=0.3))
    composition = pnl.Composition(name="C", pathways=[ddm])
    found = []
    with block:
        for run in range(3):
            if run == 1:
                ddm.function.parameters.previous_time.set(np.full(shape, 0.5), context)
            composition.run({ddm: [[1.0], [2.0]]}, context=context)
            held = ddm.function.parameters.previous_time.get(context)
            found.append((np.asarray(composition.parameters.results.get(context)).tolist(), np.shape(held), np.ravel(held).tolist()))
    return found


@pytest.mark.parametrize("shape", [(), (1, 1), (2,)], ids=str)
def test_another_shape_is_left_to_psyneulink(shape):
    expected = results(shape, "x", contextlib.nullcontext())
    with pytest.warns(FallbackWarning, match="its previous_time has the shape .*; set it in the shape of its non_decision_time"):
        assert results(shape, "x", accelerate()) == expected


def test_the_usual_shape_is_native():
    assert results((1,), "x", accelerate(strict=True)) == results((1,), "x", contextlib.nullcontext())


INTEGRATORS = {
    "drift diffusion": (1, lambda: pnl.DriftDiffusionIntegrator(threshold=100.0, noise=0.0)),
    "on a sphere": (2, lambda: pnl.DriftOnASphereIntegrator(noise=0.0, dimension=3)),
    "oscillator": (1, pnl.FitzHughNagumoIntegrator),
}


@pytest.mark.parametrize("value", [0.5, [0.5]], ids=str)
@pytest.mark.parametrize("kind", INTEGRATORS)
def test_it_has_psyneulinks_shape_when_it_was_set_before_the_first_run(kind, value):
    def found(block):
        fresh()
        size, function = INTEGRATORS[kind]
        node = pnl.IntegratorMechanism(name="A", input_shapes=size, function=function())
        composition = pnl.Composition(name="C", pathways=[node])
        time = node.function.parameters.previous_time
        time.set(value)
        held = []
        with block:
            for _ in range(3):
                composition.run({node: [[0.5] * size, [0.2] * size]})
                held.append([(key, np.shape(one), np.ravel(one).tolist()) for key, one in time.values.items()])
                held.append([np.shape(one) for one in node.function.parameters.value.get("C")])
        return held

    assert found(accelerate()) == found(contextlib.nullcontext())
