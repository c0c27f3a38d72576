"""
Inputs given as labels (`input_labels`), which PsyNeuLink's own parser makes numbers of.
"""

from typing import Any

import pytest
from support.psyneulink import pnl
from support.psyneulink.compare import compared
from support.psyneulink.golden import fresh

from cogir.psyneulink import accelerate

pytestmark = pytest.mark.filterwarnings("ignore")


def labelled() -> pnl.Composition:
    """One node with labels for the vectors of its input, another one with labels for each of its two inputs."""
    labels = {"input_labels": {"red": [0, 1], "green": [1, 0]}, "output_labels": {"left": [0.0, 1.0], "right": [1.0, 0.0]}}
    first = pnl.TransferMechanism(name="A", input_shapes=2, **labels)
    second = pnl.ProcessingMechanism(name="B", default_variable=[[0], [0]], input_labels={0: {"low": 0, "high": 1}, 1: {"blue": 3.0}})
    return pnl.Composition(pathways=[[first], [second]], name="C")


@pytest.mark.parametrize(
    "inputs",
    [
        pytest.param({"A": [[0, 1], [1, 0]], "B": [[[1.0], [2]], [[1.0], [2.0]]]}, id="numbers"),
        pytest.param({"A": ["red", "green"], "B": [["low", "blue"], ["high", "blue"]]}, id="labels"),
    ],
)
def test_labels(inputs: dict[str, Any]) -> None:
    assert not compared(labelled, inputs)


def test_labels_of_a_nested_node() -> None:
    trials = [[["red"], ["high"], ["blue"]], [[[1.0, 2.0]], ["low"], [2.0]]]
    assert not compared(lambda: pnl.Composition(nodes=[labelled()], name="O"), lambda composition: {composition.nodes[0]: trials})


def test_a_label_that_is_none() -> None:
    """The error is PsyNeuLink's."""
    fresh()
    composition = labelled()
    with accelerate(strict=True, short_runs="native"), pytest.raises(pnl.CompositionError, match=r"'yellow' .*not a label"):
        composition.run({"A": ["yellow"]})
