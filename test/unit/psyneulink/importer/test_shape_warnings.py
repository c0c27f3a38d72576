"""
Shapes that PsyNeuLink stretches are its own: cogir stretches them alike, without a warning.
"""

import warnings

import numpy as np
import pytest
from support.psyneulink import pnl

import cogir
from cogir.psyneulink import accelerate

pytestmark = pytest.mark.filterwarnings("ignore")


def of_different_lengths() -> pnl.Composition:
    return pnl.Composition(pathways=[[pnl.ProcessingMechanism(input_shapes=2), pnl.ProcessingMechanism(input_shapes=3)]])


def with_two_gains() -> pnl.Composition:
    return pnl.Composition(nodes=[pnl.ProcessingMechanism(input_shapes=1, function=pnl.Logistic(gain=[1.0, 2.0]))])


@pytest.mark.parametrize(("build", "inputs"), [(of_different_lengths, [[1.0, 2.0]]), (with_two_gains, [[1.0]])])
def test_shapes_of_psyneulink_are_not_warned_of(build, inputs):
    expected = build().run(inputs)
    with warnings.catch_warnings():
        warnings.simplefilter("error", cogir.ShapeWarning)
        cogir.from_psyneulink(build())
        with accelerate(strict=True):
            np.testing.assert_allclose(build().run(inputs), expected, rtol=1e-12)
