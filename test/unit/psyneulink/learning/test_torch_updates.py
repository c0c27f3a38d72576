"""
What random networks have learned after 100 updates is what PyTorch has learned, to 1e-9 of the largest weight, in float64.

Network `n` comes from `Random(n)`, the same each time: layers, functions with parameters, biases that are learned, ways around layers,
matrices that are not learned, one or two losses, optimizers with their options, batches, orders, and learning in one call or two.
"""

# pyright: basic
from dataclasses import dataclass, field
from random import Random

import numpy as np
import pytest
from support.psyneulink.needed import require_torch

import cogir
from cogir import library

require_torch()

import torch  # noqa: E402
from torch.nn import functional  # noqa: E402

UPDATES = 100
BOUND = 1e-9
"""Of the largest weight: rounding, which 100 updates carry on."""

FUNCTIONS = {
    "linear": (library.linear, {"slope": (0.5, 1.5), "intercept": (-0.5, 0.5)}, lambda x, p: p["slope"] * x + p["intercept"]),
    "logistic": (library.logistic, {"gain": (0.5, 2.0), "bias": (-0.5, 0.5)}, lambda x, p: torch.sigmoid(p["gain"] * (x + p["bias"]))),
    "tanh": (library.tanh, {"gain": (0.5, 2.0), "x_0": (-0.5, 0.5)}, lambda x, p: torch.tanh(p["gain"] * (x - p["x_0"]))),
    "relu": (library.relu, {"leak": (0.0, 0.3)}, lambda x, p: functional.leaky_relu(x, p["leak"])),
    "softmax": (library.softmax, {"gain": (0.5, 2.0)}, lambda x, p: torch.softmax(p["gain"] * x, -1)),
    "gaussian": (
        library.psyneulink.gaussian,
        {"standard_deviation": (0.5, 2.0)},
        lambda x, p: torch.exp(-(x**2) / (2.0 * p["standard_deviation"] ** 2)) / np.sqrt(2.0 * np.pi * p["standard_deviation"]),
    ),
}
"""cogir's function, ranges of its parameters, and PyTorch's."""

LOSSES = {
    "mean of squares": (library.mean_squared_error, lambda s, t: functional.mse_loss(s, t, reduction="none").mean(1)),
    "squares": (library.sum_squared_error, lambda s, t: functional.mse_loss(s, t, reduction="none").sum(1)),
    "absolute": (library.sum_absolute_error, lambda s, t: functional.l1_loss(s, t, reduction="none").sum(1)),
    "cross entropy": (library.cross_entropy, lambda s, t: functional.cross_entropy(s, t, reduction="none")),
    "Poisson": (library.poisson_loss, lambda s, t: functional.poisson_nll_loss(s, t, reduction="none").sum(1)),
    "relative entropy": (library.relative_entropy, lambda s, t: functional.kl_div(s, t, reduction="none").sum(1)),
    "binary cross entropy": (library.binary_cross_entropy, lambda s, t: functional.binary_cross_entropy(s, t, reduction="none").mean(1)),
}
"""cogir's loss, and PyTorch's of each trial of a batch. The last one is for samples between 0 and 1."""


@dataclass
class Layer:
    """A layer: its size, its function with parameters, and, by the number of the sender, the matrices that lead to it."""

    size: int
    function: str
    numbers: dict[str, float]
    matrices: dict[int, np.ndarray] = field(default_factory=dict)
    fixed: set[int] = field(default_factory=set)
    bias: np.ndarray | None = None


@dataclass
class Task:
    """A network (layer 0 is the input), what it learns from, and how."""

    layers: list[Layer]
    outputs: list[int]
    losses: list[str]
    stimuli: np.ndarray
    targets: list[np.ndarray]
    optimizer: str
    options: dict[str, float]
    over: str
    batch: int
    order: np.ndarray
    calls: int

    @property
    def learned(self) -> list[tuple[int, int | None]]:
        """(receiver, sender) of all matrices that are learned, in the order of the model; the sender of a bias is None."""
        return [
            (number, sender)
            for number, layer in enumerate(self.layers)
            for sender in (*(each for each in layer.matrices if each not in layer.fixed), *([None] if layer.bias is not None else []))
        ]


def random_task(seed: int) -> Task:
    source, rng = Random(seed), np.random.default_rng(seed)
    layers = [Layer(source.randint(1, 6), "linear", {})]
    for number in range(1, source.randint(2, 5)):
        function = source.choice(sorted(FUNCTIONS))
        numbers = {name: source.uniform(*ends) for name, ends in FUNCTIONS[function][1].items()}
        layer = Layer(source.randint(2, 6), function, numbers)  # a softmax of one element is 1, so nothing would be learned
        senders = {number - 1, *(sender for sender in range(number - 1) if source.random() < 0.3)}
        for sender in sorted(senders):
            layer.matrices[sender] = rng.normal(size=(layers[sender].size, layer.size)) / np.sqrt(layers[sender].size)
            if sender != number - 1 and source.random() < 0.3:
                layer.fixed.add(sender)
        if source.random() < 0.5:
            layer.bias = 0.3 * rng.normal(size=layer.size)
        layers.append(layer)
    outputs = [len(layers) - 1, *([len(layers) - 2] if len(layers) > 2 and source.random() < 0.3 else [])]
    losses = [_loss(source, layers[number].function) for number in outputs]
    batches = source.choice([1, 2, 4, 5])
    batch = source.randint(1, 4)
    trials = source.randint(batch * (batches - 1) + 1, batch * batches)
    stimuli = rng.normal(size=(trials, layers[0].size))
    targets = [rng.dirichlet(np.ones(layers[number].size), size=trials) for number in outputs]
    optimizer, options = _optimizer(source)
    order = np.array([rng.permutation(trials) for _ in range(UPDATES // batches)])
    calls, over = source.choice([1, 2]), source.choice(["mean", "sum"])
    return Task(layers, outputs, losses, stimuli, targets, optimizer, options, over, batch, order, calls)


def _loss(source: Random, function: str) -> str:
    bounded = function == "logistic"
    return source.choice(sorted(LOSSES if bounded else set(LOSSES) - {"binary cross entropy"}))


def _optimizer(source: Random) -> tuple[str, dict[str, float]]:
    decay = source.choice([0.0, 0.0, 0.01])
    if source.random() < 0.5:
        return "sgd", {"rate": source.uniform(0.001, 0.05), "decay": decay}
    betas = {"beta1": source.choice([0.9, 0.8]), "beta2": source.choice([0.999, 0.99])}
    return "adam", {"rate": source.uniform(0.001, 0.01), "decay": decay, **betas, "epsilon": source.choice([1e-8, 1e-6])}


def learned_here(task: Task) -> tuple[np.ndarray, list[np.ndarray]]:
    """The losses of all batches, and the learned matrices, by cogir."""
    model = cogir.Model("network")
    one = model.node("one", input=1)
    nodes = [model.node("n0", input=task.layers[0].size)]
    learned = []
    for number, layer in enumerate(task.layers[1:], 1):
        nodes.append(model.node(f"n{number}", FUNCTIONS[layer.function][0], input=layer.size, **layer.numbers))
        for sender, matrix in layer.matrices.items():
            projection = model.project(nodes[sender], nodes[number], matrix=matrix)
            if sender not in layer.fixed:
                learned.append(projection)
        if layer.bias is not None:
            learned.append(model.project(one, nodes[number], matrix=layer.bias[None]))
    pairs = []
    for which, (number, loss) in enumerate(zip(task.outputs, task.losses, strict=True)):
        target = model.node(f"target{which}", input=task.layers[number].size)
        pairs.append((nodes[number], target, LOSSES[loss][0]))
    model.input("one", "n0", *(f"target{which}" for which in range(len(pairs))))
    model.output(*(nodes[number] for number in task.outputs))
    optimizer = {"sgd": library.gradient_descent, "adam": library.adam}[task.optimizer]
    model.learning(pairs, optimizer, weights=learned, over=task.over, **task.options)
    compiled = model.compile(mode="run", cache=False)
    trials = len(task.stimuli)
    inputs = {"one": np.ones((trials, 1)), "n0": task.stimuli, **{f"target{which}": rows for which, rows in enumerate(task.targets)}}
    losses = [
        compiled.learn(inputs, epochs=len(order), batch=task.batch, order=order).losses.ravel()
        for order in np.array_split(task.order, task.calls)
    ]
    names = {None: "one"} | {number: f"n{number}" for number in range(len(nodes))}
    paths = [f"{names[sender]}:value->n{number}:variable/matrix" for number, sender in task.learned]
    return np.concatenate(losses), [compiled.params[path] for path in paths]


def learned_by_torch(task: Task) -> tuple[np.ndarray, list[np.ndarray]]:
    """The same by PyTorch."""
    weights = {
        (number, sender): torch.tensor(matrix, requires_grad=sender not in layer.fixed)
        for number, layer in enumerate(task.layers)
        for sender, matrix in (*layer.matrices.items(), *([] if layer.bias is None else [(None, layer.bias[None])]))
    }
    options = dict(task.options)
    given = {"lr": options.pop("rate"), "weight_decay": options.pop("decay")}
    if task.optimizer == "adam":
        given |= {"betas": (options["beta1"], options["beta2"]), "eps": options["epsilon"]}
    optimizer = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam}[task.optimizer]([weights[key] for key in task.learned], **given)
    stimuli, targets = torch.tensor(task.stimuli), [torch.tensor(rows) for rows in task.targets]
    losses = []
    for order in task.order:
        for start in range(0, len(order), task.batch):
            rows = order[start : start + task.batch]
            values = [stimuli[rows]]
            for number, layer in enumerate(task.layers[1:], 1):
                net = sum(values[sender] @ weights[number, sender] for sender in layer.matrices)
                if layer.bias is not None:
                    net = net + weights[number, None]
                values.append(FUNCTIONS[layer.function][2](net, layer.numbers))
            of_trials = sum(LOSSES[loss][1](values[n], t[rows]) for n, loss, t in zip(task.outputs, task.losses, targets, strict=True))
            loss = of_trials.mean() if task.over == "mean" else of_trials.sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    return np.array(losses), [weights[key].detach().numpy() for key in task.learned]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("first", range(0, 100, 10))
def test_a_hundred_updates_are_those_of_pytorch(first: int) -> None:
    for seed in range(first, first + 10):
        task = random_task(seed)
        losses, matrices = learned_here(task)
        expected_losses, expected = learned_by_torch(task)
        assert len(losses) == len(expected_losses) == UPDATES
        largest = max(np.abs(matrix).max() for matrix in expected)
        before = [task.layers[number].bias if sender is None else task.layers[number].matrices[sender] for number, sender in task.learned]
        assert max(np.abs(now - was).max() for now, was in zip(expected, before, strict=True)) > 1e-4 * largest, "nothing was learned"
        for found, wanted, key in zip(matrices, expected, task.learned, strict=True):
            assert np.abs(found - wanted).max() <= BOUND * largest, f"network {seed}: the matrix from {key[1]} to {key[0]}"
        np.testing.assert_allclose(losses, expected_losses, rtol=BOUND, atol=BOUND, err_msg=f"network {seed}")
