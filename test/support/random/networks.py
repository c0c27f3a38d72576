"""Random networks that learn, and whether their derivatives are those of finite differences."""

from random import Random
from typing import Any

import numpy as np

import cogir
from cogir import library

STEP = 1e-6
AGREES, DIFFERS = b"as finite differences say", b"otherwise"


def gated(variable: Any) -> Any:
    """Elements that are moved, put in and taken out, and divided by one another."""
    found = variable.copy()
    found[0] = np.sum(variable) * variable[-1]
    return found / (2.0 + variable[0] * variable[0])


def largest(variable: Any) -> Any:
    """Extremes, and choices between numbers."""
    return np.where(variable > 0.1, variable, -0.5 * variable) + np.max(variable) - np.minimum(variable, 0.3)


def powers(variable: Any) -> Any:
    return np.sqrt(1.0 + variable * variable) - np.exp(-variable) * (1.5 + np.tanh(variable)) ** 2.5


TRANSFERS = (library.linear, library.tanh, library.logistic, library.softmax, gated, largest, powers)
LOSSES = (library.mean_squared_error, library.sum_squared_error, library.sum_absolute_error)


def random_network(source: Random, learns: bool) -> tuple[cogir.Model, Any, list[str]]:
    """A network of layers, some of them with a way around, its loss, and the paths of its matrices."""
    model = cogir.Model("network")
    sizes = [source.randint(1, 3) for _ in range(source.randint(2, 4))]
    layers = [model.node("layer0", input=sizes[0])]
    paths: list[str] = []
    for number, size in enumerate(sizes[1:], 1):
        layers.append(model.node(f"layer{number}", source.choice(TRANSFERS), input=size))
        senders = [number - 1, *([number - 2] if number > 1 and source.random() < 0.6 else [])]
        for sender in senders:
            matrix = [[source.gauss(0.0, 0.8) for _ in range(size)] for _ in range(sizes[sender])]
            model.project(layers[sender], layers[number], matrix=matrix)
            paths.append(f"layer{sender}:value->layer{number}:variable/matrix")
    target = model.node("target", input=sizes[-1])
    model.output(layers[-1], target)
    loss = source.choice(LOSSES)
    if learns:
        model.learning([(layers[-1], target)], library.gradient_descent, rate=1.0, loss=loss)
    return model, loss, paths


def derivatives(number: int) -> list[tuple[str, bytes]]:
    """For each matrix of a random network, whether what is learned from one trial is what the loss says."""
    inputs = {}
    for learns in (True, False):
        source = Random(number)
        model, loss, paths = random_network(source, learns)
        inputs = {
            name: [[source.gauss(0.2, 1.0) for _ in range(model.nodes[name].outputs["value"].shape[0])] for name in [name]]
            for name in ("layer0", "target")
        }
        if learns:
            learner = model.compile(mode="run", cache=False)
            before = {path: learner.params[path] for path in paths}
            learner.learn(inputs)
            found = {path: before[path] - learner.params[path] for path in paths}
        else:
            compiled = model.compile(mode="run", cache=False)
    expected = {path: differences(compiled, inputs, loss, path) for path in paths}
    scale = 1e-5 * max(1.0, *(np.abs(each).max() for each in expected.values()))
    return [(path, AGREES if np.allclose(found[path], expected[path], rtol=0.0, atol=scale) else DIFFERS) for path in paths]


def differences(compiled: cogir.Compiled, inputs: Any, loss: Any, path: str) -> Any:
    """Finite differences of the loss by the elements of a matrix."""
    matrix = compiled.params[path]
    found = np.zeros_like(matrix)
    for place in np.ndindex(matrix.shape):
        sides: list[float] = []
        for step in (STEP, -STEP):
            changed = matrix.copy()
            changed[place] += step
            compiled.params[path] = changed
            compiled.reset()
            sample, target = compiled.run(inputs).results[0]
            sides.append(float(loss(np.asarray(sample), np.asarray(target))))
        found[place] = (sides[0] - sides[1]) / (2.0 * STEP)
    compiled.params[path] = matrix
    return found
