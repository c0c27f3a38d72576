"""
What the `parameter_CIM` of a nested Composition holds after it was controlled from outside, as PsyNeuLink leaves it.
"""

from typing import Any

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

import cogir.psyneulink

pytestmark = pytest.mark.filterwarnings("ignore")


def controlled_two_deep() -> pnl.Composition:
    """A Composition in one in another, with a ControlMechanism outside that modulates two slopes inside."""
    nodes = [pnl.ProcessingMechanism(name=name, function=pnl.Linear(slope=2.0)) for name in ("A", "B")]
    inner = pnl.Composition(pathways=[nodes], name="inner")
    middle = pnl.Composition(pathways=[[inner]], name="middle")
    control = pnl.ControlMechanism(name="control", control=[(pnl.SLOPE, node) for node in nodes])
    return pnl.Composition(pathways=[[middle], [control]], name="outer")


def held(composition: Any, key: str) -> list[tuple[str, Any]]:
    """The variables and values of the interfaces by which modulation enters, and the states of their ports' functions."""
    found: list[tuple[str, Any]] = []
    for inner in (composition.nodes["middle"], composition.nodes["middle"].nodes["inner"]):
        cim = inner.parameter_CIM
        for parameter in (cim.parameters.variable, cim.parameters.value, cim.function.parameters.value):
            found.append((f"{inner.name} {parameter.name}", parameter.values[key]))
        for port in cim.output_ports:
            found.append((f"{inner.name} {port.name} intensity", port.function.parameters.intensity.values[key]))
    return found


def test_variables_and_intensities_of_parameter_interfaces_are_those_of_the_last_trial() -> None:
    inputs = {"middle": [[1.0], [2.0]], "control": [[5.0], [3.0]]}
    by_runner: list[list[tuple[str, Any]]] = []
    for run in (pnl.Composition.run, cogir.psyneulink.run):
        fresh()
        composition = controlled_two_deep()
        named = {composition.nodes[name]: values for name, values in inputs.items()}
        run(composition, named, context="c")
        by_runner.append(held(composition, "c"))
    expected, found = by_runner
    assert len(expected) == 10
    for (name, one), (_, other) in zip(expected, found, strict=True):
        assert np.array_equal(one, other), name
        assert np.shape(one) == np.shape(other), name
    assert np.all(dict(found)["inner variable"] == 3.0)


def test_a_composition_that_learned_and_that_nothing_controls_has_no_signals_to_show() -> None:
    fresh()
    nodes = [pnl.ProcessingMechanism(name=name) for name in ("A", "B")]
    inner = pnl.AutodiffComposition(pathways=[nodes], name="inner")
    inner.learn({nodes[0]: [[1.0], [2.0]]}, targets={nodes[1]: [[0.5], [0.25]]}, epochs=3, execution_mode=pnl.ExecutionMode.PyTorch)
    outer = pnl.Composition(nodes=[inner], name="outer")
    cogir.psyneulink.run(outer, {inner: {nodes[0]: [[3.0]]}}, context="c")
    assert nodes[1].parameters.value.values["c"][0] == pytest.approx(3.0 * nodes[1].path_afferents[0].parameters.matrix.get("c")[0])
