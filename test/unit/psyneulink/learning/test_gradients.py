"""What random networks learn from a trial is what PyTorch's derivatives say."""

import itertools

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import cogir
from cogir import library

torch = pytest.importorskip("torch")

FUNCTIONS = {
    "exponential": (library.exponential, torch.exp),
    "linear": (library.linear, lambda x: x),
    "logistic": (library.logistic, torch.sigmoid),
    "relu": (library.relu, torch.relu),
    "softmax": (library.softmax, lambda x: torch.softmax(x, 0)),
    "tanh": (library.tanh, torch.tanh),
}
LOSSES = {
    "absolute": (library.sum_absolute_error, torch.nn.L1Loss(reduction="sum")),
    "cross entropy": (library.cross_entropy, torch.nn.CrossEntropyLoss()),
    "Poisson": (library.poisson_loss, torch.nn.PoissonNLLLoss(reduction="sum")),
    "relative entropy": (library.relative_entropy, torch.nn.KLDivLoss(reduction="sum")),
    "squares": (library.sum_squared_error, torch.nn.MSELoss(reduction="sum")),
    "mean of squares": (library.mean_squared_error, torch.nn.MSELoss()),
}
OF_PROBABILITIES = {"binary cross entropy": (library.binary_cross_entropy, torch.nn.BCELoss())}
"""Losses of samples between 0 and 1."""


@st.composite
def networks(draw):
    """Sizes of layers, their functions, a loss, whether the input also goes to the last layer, and a seed for numbers."""
    sizes = draw(st.lists(st.integers(1, 4), min_size=2, max_size=4))
    functions = draw(st.lists(st.sampled_from(sorted(FUNCTIONS)), min_size=len(sizes) - 1, max_size=len(sizes) - 1))
    bounded = functions[-1] == "logistic"
    loss = draw(st.sampled_from(sorted({**LOSSES, **OF_PROBABILITIES} if bounded else LOSSES)))
    return sizes, functions, loss, draw(st.booleans()), draw(st.integers(0, 2**32 - 1))


def layered(sizes, functions, loss, direct, matrices):
    """The network as a model that learns, and its learned matrices in order."""
    model = cogir.Model("network")
    nodes = [model.node("n0", input=sizes[0])]
    target = model.node("target", input=sizes[-1])
    for number, (size, name) in enumerate(zip(sizes[1:], functions, strict=True), start=1):
        nodes.append(model.node(f"n{number}", FUNCTIONS[name][0], input=size))
    for one, two, matrix in zip(nodes[:-1], nodes[1:], matrices, strict=False):
        model.project(one, two, matrix=matrix)
    if direct:
        model.project(nodes[0], nodes[-1], matrix=matrices[-1])
    model.output(nodes[-1])
    model.learning([(nodes[-1], target)], loss={**LOSSES, **OF_PROBABILITIES}[loss][0], rate=1.0)
    return model


def derivatives(sizes, functions, loss, direct, matrices, trial, target):
    """The loss, and its derivatives by all matrices, by PyTorch."""
    weights = [torch.tensor(matrix, requires_grad=True) for matrix in matrices]
    entered = value = torch.tensor(trial)
    for number, name in enumerate(functions):
        net = value @ weights[number]
        if direct and number == len(functions) - 1:
            net = net + entered @ weights[-1]
        value = FUNCTIONS[name][1](net)
    total = {**LOSSES, **OF_PROBABILITIES}[loss][1](value, torch.tensor(target))
    total.backward()
    return total.item(), [weight.grad.numpy() for weight in weights]


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(networks(), st.sampled_from(["python", "python", "run"]))
def test_what_is_learned_is_what_pytorch_derives(network, mode) -> None:
    sizes, functions, loss, direct, seed = network
    direct = direct and len(sizes) > 2
    rng = np.random.default_rng(seed)
    shapes = [*itertools.pairwise(sizes), *([(sizes[0], sizes[-1])] if direct else [])]
    matrices = [rng.normal(size=shape) for shape in shapes]
    trial, target = rng.normal(size=sizes[0]), rng.dirichlet(np.ones(sizes[-1]))
    expected, slopes = derivatives(sizes, functions, loss, direct, matrices, trial, target)
    assume(np.isfinite(expected))  # not the Poisson loss of large exponentials: learn warns of it (test_learning)
    compiled = layered(sizes, functions, loss, direct, matrices).compile(mode=mode, cache=False)
    learned = compiled.learn({"n0": [trial], "target": [target]})
    np.testing.assert_allclose(learned.losses, [[expected]], rtol=1e-11, atol=1e-12)
    ends = [(f"n{number}", f"n{number + 1}") for number in range(len(functions))] + ([("n0", f"n{len(functions)}")] if direct else [])
    for (sender, receiver), matrix, slope in zip(ends, matrices, slopes, strict=True):
        change = compiled.params[f"{sender}:value->{receiver}:variable/matrix"] - matrix
        largest = max(np.abs(slope).max(), np.abs(matrix).max())
        np.testing.assert_allclose(change, -slope, rtol=1e-9, atol=1e-14 * largest)
