"""
Shapes that are stretched without being asked warn at the user's line; the same written out does not.
"""

import warnings
from typing import Any

import numpy as np
import pytest

import cogir
from cogir import library


def weighted(x: Any, *, weights: Any, gain: float = 1.0) -> Any:
    """A function of a user's own, with an array among its parameters."""
    return weights * x * gain


def pair(size: int, other: int) -> tuple[cogir.Model, cogir.Node, cogir.Node]:
    m = cogir.Model("m")
    return m, m.node("a", input=size), m.node("b", input=other)


def test_a_projection_without_a_matrix_between_different_lengths_warns() -> None:
    m, a, b = pair(2, 3)
    with pytest.warns(
        cogir.ShapeWarning, match='projection a -> b: the sender has 2 .* a 2x3 matrix, or matrix="full" for the sum'
    ) as caught:
        m.project(a, b)
    assert caught[0].filename == __file__
    assert m.compile(mode="python").run({"a": [[1.0, 2.0]]}).results[0][0].tolist() == [3.0, 3.0, 3.0]


@pytest.mark.parametrize(("size", "other", "given"), [(2, 3, "full"), (2, 2, None), (1, 3, None), (3, 1, None), (2, 3, np.ones((2, 3)))])
def test_projections_that_say_it_or_can_mean_one_thing_only_do_not_warn(size: int, other: int, given: Any) -> None:
    m, a, b = pair(size, other)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        m.project(a, b, matrix=given)


@pytest.mark.parametrize("given", [{}, {"input": 1}])
def test_a_parameter_that_stretches_the_input_warns(given: dict[str, Any]) -> None:
    m = cogir.Model("m")
    with pytest.warns(cogir.ShapeWarning, match=r'node "a": parameter "gain" of function logistic has shape \(2,\)') as caught:
        m.node("a", library.logistic, gain=[1, 2], **given)
    assert caught[0].filename == __file__


def test_a_column_that_stretches_a_row_warns() -> None:
    with pytest.warns(cogir.ShapeWarning, match=r"but input \"variable\" has \(2,\), so an output has \(2, 2\)"):
        cogir.Model("m").node("a", library.logistic, input=2, gain=[[1], [2]])


def test_an_array_of_a_users_own_function_warns_where_its_default_is_a_number() -> None:
    with pytest.warns(cogir.ShapeWarning, match='"gain" of function weighted'):
        cogir.Model("m").node("a", weighted, weights=1.0, gain=[1, 2])


@pytest.mark.parametrize(
    ("function", "given"),
    [
        (library.logistic, {"input": 2, "gain": [1, 2]}),
        (library.logistic, {"input": (), "gain": [1, 2]}),
        (library.logistic, {"input": 3, "gain": 2.0}),
        (library.logistic, {"input": 1, "gain": [2.0]}),
        (weighted, {"weights": [1, 2]}),
    ],
)
def test_nodes_that_say_their_shape_do_not_warn(function: Any, given: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cogir.Model("m").node("a", function, **given)


@pytest.mark.parametrize("mode", ["python", "run"])
def test_one_number_that_all_elements_take(mode: Any) -> None:
    m = cogir.Model("m")
    m.node("a", library.linear, input=(), slope=[1, 2])
    assert m.compile(mode=mode).run({"a": [3.0]}).results[0][0].tolist() == [3.0, 6.0]
