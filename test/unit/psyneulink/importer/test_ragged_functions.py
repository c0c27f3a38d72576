"""
Python functions of Mechanisms whose InputPorts have different shapes: PsyNeuLink gives them an array of arrays.
"""

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.compare import differences, held
from support.psyneulink.golden import fresh

from cogir.psyneulink import UnsupportedFeature, accelerate

pytestmark = pytest.mark.filterwarnings("ignore")


def chosen(variable):
    """The last number if the first vector says so, by index, in turn and by unpacking."""
    wanted, _, value = variable
    found = 0.0
    for row in variable:
        found += row[0]
    if wanted[1] > variable[1][0]:
        found += value[0] * len(variable)
    return [found + np.max(variable[0])]


def counted(variable):
    return np.array([variable.shape[0], variable[1][0]], float)


def joined(variable):
    return (variable + variable)[0]


def build(function, searches=False):
    """Three Mechanisms of two, three and one elements, and an ObjectiveMechanism that monitors them."""
    fresh()
    nodes = [pnl.TransferMechanism(name=name, input_shapes=size) for name, size in (("a", 2), ("b", 3), ("c", 1))]
    objective = pnl.ObjectiveMechanism(name="o", monitor=nodes, function=function)
    if not searches:
        return pnl.Composition(name="C", nodes=[*nodes, objective])
    composition = pnl.Composition(name="C", nodes=nodes)
    signal = pnl.ControlSignal(modulates=("slope", nodes[2]), allocation_samples=[0.5, 1.0, 2.0])
    composition.add_controller(
        pnl.OptimizationControlMechanism(
            agent_rep=composition,
            state_features=[node.input_port for node in nodes],
            objective_mechanism=objective,
            function=pnl.GridSearch(),
            control_signals=[signal],
        )
    )
    return composition


INPUTS = {"a": [[1.0, 2.0], [0.5, -1.0]], "b": [[1.5, 0.0, 3.0], [0.1, 0.2, 0.3]], "c": [[4.0], [-2.0]]}


@pytest.mark.parametrize("searches", [False, True])
def test_ports_of_different_shapes_are_taken_one_by_one(searches):
    composition = build(chosen, searches)
    composition.run(inputs=INPUTS)
    expected = held(composition, "C")
    with accelerate(strict=True):
        composition = build(chosen, searches)
        composition.run(inputs=INPUTS)
        assert list(differences(expected, held(composition, "C"))) == []


@pytest.mark.parametrize("function", [counted, joined])
def test_a_function_of_the_array_is_left_to_psyneulink(function):
    """A tuple of vectors has no shape, and the sum of two is longer."""
    composition = build(function)
    with accelerate(strict=True), pytest.raises(UnsupportedFeature, match="other than by index"):
        composition.run(inputs=INPUTS)
