"""
The time that a drift diffusion has taken, in another shape than usual: PsyNeuLink then counts it in the non_decision_time as well.
"""

import contextlib
import warnings

import numpy as np
import pytest
from support.psyneulink_needed import require_psyneulink

require_psyneulink()

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import psyneulink as pnl
    from support.psyneulink_golden import fresh

from cogir.psyneulink import FallbackWarning, accelerate  # noqa: E402

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
