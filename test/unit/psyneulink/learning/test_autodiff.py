"""An AutodiffComposition that runs, and does not learn, is like any Composition, also after it has learned."""

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.compare import compared, differences, held
from support.psyneulink.golden import fresh

from cogir.psyneulink import UnsupportedFeature, accelerate

pytestmark = pytest.mark.filterwarnings("ignore")

INPUTS = [[0.25, -1.0], [0.5, 2.0], [-1.0, 0.0]]
TARGETS = [[0.0, 1.0], [1.0, 0.5], [0.25, 0.0]]


def network(function=pnl.Logistic, kind=pnl.AutodiffComposition, **settings):
    """Two layers and a bias."""
    rng = np.random.default_rng(3)
    a, b = pnl.TransferMechanism(name="A", input_shapes=2), pnl.TransferMechanism(name="B", input_shapes=3, function=function())
    bias = pnl.TransferMechanism(name="bias", input_shapes=1, default_variable=[[1.0]])
    out = pnl.ProcessingMechanism(name="out", input_shapes=2, function=pnl.Logistic(gain=2.0))
    composition = kind(name="net", **settings)
    for node in (a, b, out):
        composition.add_node(node)
    composition.add_node(bias, required_roles=pnl.NodeRole.BIAS)
    for sender, receiver, shape in ((a, b, (2, 3)), (b, out, (3, 2)), (bias, out, (1, 2))):
        composition.add_projection(pnl.MappingProjection(matrix=rng.normal(size=shape).round(2), sender=sender, receiver=receiver))
    return composition


def nested():
    """A network in a Composition."""
    inner = network()
    last = pnl.TransferMechanism(name="last", input_shapes=2, function=pnl.Linear(slope=3.0))
    return pnl.Composition(name="outer", pathways=[[inner, last]])


FUNCTIONS = {"logistic": pnl.Logistic, "tanh": pnl.Tanh, "relu": pnl.ReLU, "softmax": pnl.SoftMax, "linear": pnl.Linear}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_it_runs_as_in_psyneulink(name):
    assert not compared(lambda: network(FUNCTIONS[name]), {"A": INPUTS})


def test_it_runs_within_a_composition():
    assert not compared(nested, {"net": INPUTS})


LOSSES = [pnl.Loss.MSE, pnl.Loss.SSE, pnl.Loss.L1, pnl.Loss.CROSS_ENTROPY]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("loss", LOSSES)
def test_after_learning_it_runs_with_what_was_learned(loss):
    def script(fast):
        fresh()
        composition = network(loss_spec=loss, learning_rate=0.5)
        a, out = composition.nodes["A"], composition.nodes["out"]
        for _ in range(2):
            composition.learn(inputs={a: INPUTS}, targets={out: TARGETS}, epochs=2, execution_mode=pnl.ExecutionMode.PyTorch, context="x")
            if fast:
                with accelerate(strict=True):
                    composition.run({a: INPUTS}, context="x")
            else:
                composition.run({a: INPUTS}, context="x")
        return held(composition, "x")

    assert not list(differences(script(False), script(True)))


def test_options_of_learning_are_no_matter_when_it_runs():
    fresh()
    with accelerate(strict=True):
        composition = network()
        composition.run({composition.nodes["A"]: INPUTS}, synch_results_with_torch=pnl.LearningScale.RUN, retain_torch_losses=None)
    assert len(composition.results) == len(INPUTS)


class Derived(pnl.AutodiffComposition):
    """A class that cogir does not know, whatever it overrides."""


def test_a_class_that_was_derived_from_it_is_refused():
    fresh()
    node = pnl.ProcessingMechanism(name="A")
    with accelerate(strict=True), pytest.raises(UnsupportedFeature, match="Derived"):
        Derived(name="derived", pathways=[node]).run({node: [[1.0]]})
