"""Derivatives through reversed arrays are those of finite differences; indices in arrays are refused in the user's terms."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.library import Value
from cogir.lowering.gradient import arrays

START = np.eye(3) + 0.1 * np.arange(9.0).reshape(3, 3)
STIMULUS = np.array([1.0, 2.0, -0.5])


def reversed_vector(x: Value) -> Value:
    return x[::-1]


def flipped(x: Value) -> Value:
    return np.flip(x)


def every_second_from_the_end(x: Value) -> Value:
    return x[::-2]


def part_from_the_end(x: Value) -> Value:
    return x[2:0:-1]


def sums_from_the_end(x: Value) -> Value:
    return np.cumsum(x[::-1])[::-1]


def turned_matrix(x: Value) -> Value:
    return np.outer(x, x)[::-1, ::-1] @ x


def turned_rows(x: Value) -> Value:
    return np.sum(np.exp(np.outer(x, 0.1 * x))[::-1] * np.arange(6.0).reshape(2, 3)[:, None, :], axis=(0, 1))


def product_with_itself(x: Value) -> Value:
    return np.array([x @ x[::-1], np.max(np.tanh(x[::-1]) * x)])


def descending(x: Value) -> Value:
    return np.sort(x)[::-1]


FUNCTIONS = [
    reversed_vector,
    flipped,
    every_second_from_the_end,
    part_from_the_end,
    sums_from_the_end,
    turned_matrix,
    turned_rows,
    product_with_itself,
    descending,
]


def learner(function: Callable[..., Any]) -> cogir.Model:
    model = cogir.Model("m")
    source, out = model.node("source", input=3), model.node("out", function, input=3)
    model.project(source, out, matrix=START, name="weights")
    model.output(out)
    target = model.node("target", input=function(STIMULUS).shape)
    model.learning([(out, target)], library.gradient_descent, rate=0.01)
    return model


@pytest.mark.sampled(2)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_reversed_arrays_have_derivatives(function: Callable[..., Any]) -> None:
    compiled = learner(function).compile()
    wanted = 0.3 * np.arange(function(STIMULUS).size)
    (path,) = [path for path in compiled.params if "weights" in path]
    compiled.learn({"source": [STIMULUS], "target": [wanted]}, epochs=1)
    found = (START - compiled.params[path]) / 0.01

    def loss(matrix: Any) -> Any:
        return np.mean((function(STIMULUS @ matrix) - wanted) ** 2)

    expected = np.zeros((3, 3))
    for place in np.ndindex(3, 3):
        step = np.zeros((3, 3))
        step[place] = 1e-6
        expected[place] = (loss(START + step) - loss(START - step)) / 2e-6
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-8)  # finite differences have errors of about 1e-9


ORDER = np.array([2, 0, 1])


def permuted(x: Value) -> Value:
    return x[ORDER]


def rolled(x: Value) -> Value:
    return np.roll(x, 1)


@pytest.mark.parametrize("function", [permuted, rolled])
def test_arrays_of_indices_have_derivatives(function: Callable[..., Any]) -> None:
    test_reversed_arrays_have_derivatives(function)


def test_many_indices_of_many_elements_are_refused_with_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "MOST_PAIRS", 8)
    line = permuted.__code__.co_firstlineno + 1
    with pytest.raises(
        cogir.CogirError, match=rf"rearranged.py:{line}: .* by an array of indices: 9 pairs .* write np.concatenate of slices"
    ):
        learner(permuted).compile(cache=False).learn({"source": [STIMULUS], "target": [np.zeros(3)]})


def test_elements_one_by_one_have_derivatives() -> None:
    def written_out(x: Value) -> Value:
        return np.array([x[i] for i in (2, 0, 1)])

    test_reversed_arrays_have_derivatives(written_out)
