"""Functions of Mechanisms have the values and the derivatives that PyTorch computes for them."""

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.psyneulink.learning import torch_functions as functions

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.filterwarnings("ignore::cogir.LearningWarning")


def derivatives(function, value, target, loss, **given):
    """The derivatives of a loss by the numbers `value`, of which a function is computed, natively."""
    size = len(value)
    model = cogir.Model("m")
    model.warns = False
    one, wanted = model.node("one", input=size), model.node("target", input=len(target))
    node = model.node("node", function, input={"variable": size}, **given)
    weights = model.project(one, node, matrix=np.diag(value))
    model.output(node)
    model.learning([(node, wanted, loss)], library.gradient_descent, weights=[weights], rate=1.0)
    compiled = model.compile()
    before = np.diag(value)
    compiled.learn({"one": [np.ones(size)], "target": [target]})
    changed = before - compiled.params["one:value->node:variable/matrix"]
    return changed[np.arange(size), np.arange(size)]


def as_it_is(variable):
    return variable * 1.0


SAMPLES = np.array([0.0, 0.0, 1.0, 1.0, 0.3, 1e-13, 1e-13, 0.999, 1.0 - 1e-13, 1.0 - 1e-13])
TARGETS = np.array([0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0])


def test_derivatives_of_binary_cross_entropy_are_bounded_as_in_pytorch():
    sample = torch.tensor(SAMPLES, requires_grad=True)
    torch.nn.BCELoss()(sample, torch.tensor(TARGETS)).backward()
    for number, expected in enumerate(sample.grad.numpy() * len(SAMPLES)):
        found = derivatives(as_it_is, SAMPLES[number : number + 1], TARGETS[number : number + 1], functions.bounded_cross_entropy)
        assert found[0] == pytest.approx(expected, rel=1e-3 if 0.5 < SAMPLES[number] < 1.0 else 1e-12, abs=1e-12), number


def masked(variable, gain, threshold):
    """PsyNeuLink's softmax with a threshold, as it is computed in PyTorch."""
    scaled = gain * variable
    mask = torch.abs(scaled) > threshold
    scaled = scaled.masked_fill(~mask, float("-inf"))
    if torch.all(~mask):
        return torch.full_like(scaled, 0.0, requires_grad=True)
    weights = torch.exp(scaled - torch.max(scaled[mask]))
    return weights / torch.sum(weights)


@pytest.mark.parametrize("value", [[0.5, 0.001, -0.2, 0.5], [0.001, 0.0, 0.0015, -0.001], [0.0, 0.7, 0.0, 0.0]])
def test_derivatives_of_a_softmax_that_masks(value):
    variable, target = torch.tensor(value, dtype=torch.float64, requires_grad=True), np.array([0.1, 0.4, 0.2, 0.3])
    result = masked(variable, 5.0, 0.01)
    torch.nn.MSELoss()(result, torch.tensor(target)).backward()
    expected = np.zeros(4) if variable.grad is None else variable.grad.numpy()
    found = derivatives(functions.masked_softmax, np.array(value), target, library.mean_squared_error, gain=5.0, mask_threshold=0.01)
    np.testing.assert_allclose(
        functions.masked_softmax(np.array(value), gain=5.0, mask_threshold=0.01), result.detach().numpy(), rtol=1e-15
    )
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-16)
