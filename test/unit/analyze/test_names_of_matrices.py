"""
Matrices are called by short names in all questions.
"""

from collections.abc import Callable
from typing import Any

import pytest

import cogir
from cogir import library
from cogir.library import Value

SHORT = "task->hidden"


def network(name: str = "network", weight: float = 2.0) -> cogir.Model:
    m = cogir.Model(name)
    task, hidden = (m.node(each, library.linear, input=2) for each in ("task", "hidden"))
    m.project(task, hidden, matrix=[[weight, 0.0], [0.0, 1.0]])
    return m


def test_ranges_of_a_matrix() -> None:
    found = cogir.analyze.ranges(network(), parameters={SHORT: (0.0, 3.0)}, inputs={"task": (0.0, 1.0)})
    assert found["hidden"].high.tolist() == [6.0, 6.0]


def test_matrices_of_two_models() -> None:
    one, other = network(), network("other", 3.0)
    assert cogir.analyze.equivalent(one, other).level is None
    assert cogir.analyze.equivalent(one, other, parameters={SHORT: [[1.0, 0.0], [0.0, 1.0]]}).level == "bits"
    assert cogir.analyze.equivalent(one, other, for_all=[SHORT]).level == "bits"


def named_otherwise(y: Value) -> Value:
    return y


def test_matrices_to_ports_of_different_names() -> None:
    one, other = network(), cogir.Model("other")
    task, hidden = other.node("task", library.linear, input=2), other.node("hidden", named_otherwise, input=2)
    other.project(task, hidden, matrix=[[3.0, 0.0], [0.0, 1.0]])
    assert cogir.analyze.equivalent(one, other).level is None
    assert cogir.analyze.equivalent(one, other, parameters={SHORT: [[1.0, 0.0], [0.0, 1.0]]}).level == "bits"


@pytest.mark.parametrize(
    ("ask", "what"),
    [
        (lambda name: cogir.analyze.ranges(network(), parameters={name: (0.0, 1.0)}), "ranges: parameters: there is no"),
        (lambda name: cogir.analyze.equivalent(network(), network(), parameters={name: 1.0}), "parameters: there is no parameter"),
        (lambda name: cogir.analyze.equivalent(network(), network(), for_all=[name]), "for_all: there is no parameter"),
        (lambda name: cogir.analyze.equivalent(network(), network(), find_parameters=[name]), "find_parameters: there is no parameter"),
    ],
)
def test_a_misspelt_matrix_is_led_to_its_short_name(ask: Callable[[str], Any], what: str) -> None:
    with pytest.raises(cogir.InputError, match=f'^{what} "task->hiden"; did you mean "task->hidden"'):
        ask("task->hiden")
