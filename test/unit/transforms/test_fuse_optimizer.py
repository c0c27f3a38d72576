"""The step of an optimizer in one pass over the weights: the same bits, for optimizers of all kinds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from xdsl.dialects import func
from xdsl.dialects.linalg.ops import GenericOp

import cogir
from cogir import library
from cogir.library import State, Step, Value
from cogir.lowering.pipeline import lower_to


def clipped(weights: Value, gradient: Value, *, rate: Value = 0.1, limit: Value = 0.01) -> Value:
    """Needs all derivatives for each weight."""
    size = np.sqrt(np.sum(gradient * gradient))
    return weights - rate * gradient * np.minimum(1.0, limit / size)


def momentum(weights: Value, gradient: Value, *, rate: Value = 0.1, speed: State = 0.0) -> Step:
    after = 0.9 * speed + gradient
    return Step(outputs=(weights - rate * after,), states=(after,))


def reversed_weights(weights: Value, gradient: Value, *, rate: Value = 0.1) -> Value:
    """Reads other places than it writes."""
    return weights - rate * gradient[::-1]


OPTIMIZERS: list[Callable[..., Any]] = [library.gradient_descent, library.adam, clipped, momentum, reversed_weights]


def learner(optimizer: Callable[..., Any], dtype: str = "float64") -> cogir.Model:
    made = np.random.default_rng(0)
    model = cogir.Model("learner", dtype=dtype)
    nodes = [model.node("n0", input=5), model.node("n1", library.logistic, input=4), model.node("n2", library.tanh, input=3)]
    for number, shape in enumerate(((5, 4), (4, 3))):
        model.project(nodes[number], nodes[number + 1], matrix=made.normal(size=shape))
    model.output(nodes[2])
    model.learning([(nodes[2], model.node("target", input=3))], optimizer, rate=0.05)
    return model


@pytest.mark.sampled(2)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_the_same_bits(optimizer: Callable[..., Any], dtype: str) -> None:
    made = np.random.default_rng(1)
    data = {"n0": made.normal(size=(30, 5)), "target": made.uniform(size=(30, 3))}
    model = learner(optimizer, dtype)
    fused, alone = model.compile(), model.compile(without=["fuse-optimizer"])
    found, wanted = (each.learn(data, epochs=3, batch=7) for each in (fused, alone))
    np.testing.assert_array_equal(found.losses, wanted.losses)
    for path in alone.params:
        np.testing.assert_array_equal(fused.params[path], alone.params[path])
    assert np.isfinite(wanted.losses).all()


def test_blocks_of_trials_stay() -> None:
    made = np.random.default_rng(0)
    model = cogir.Model("wide")
    first, second = model.node("first", input=60), model.node("second", library.logistic, input=60)
    model.project(first, second, matrix=made.normal(size=(60, 60)))
    model.learning([(second, model.node("target", input=60))], library.gradient_descent, rate=0.05)
    module = model.ir()
    lower_to(module, "machine", options={"convert-cog-to-machine": {"learning": True}})
    names = {op.sym_name.data for op in module.ops if isinstance(op, func.FuncOp)}
    assert {"gradients", "optimize"} <= names
    assert "gradient_descent" not in names


def test_one_operation_for_each_matrix() -> None:
    module = learner(library.gradient_descent).ir()
    lower_to(module, "machine", options={"convert-cog-to-machine": {"learning": True}})
    (optimize,) = (op for op in module.ops if isinstance(op, func.FuncOp) and op.sym_name.data == "optimize")
    assert sum(isinstance(op, GenericOp) for op in optimize.walk()) == 2
