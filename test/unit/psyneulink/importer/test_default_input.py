"""
InputPorts with `default_input`, and Mechanisms to which nothing projects: their default variables, and changes of these.
"""

from contextlib import nullcontext

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.compare import compared
from support.psyneulink.golden import fresh

from cogir.psyneulink import FallbackWarning, accelerate

pytestmark = pytest.mark.filterwarnings("ignore")

INPUTS = {"A": [[1.0, -1.0], [0.5, 2.0]], "P": [[5.0], [3.0]]}


def with_default(function=None):
    """A Mechanism with an InputPort that has a default input although a node projects to it, and an ordinary one."""
    first, other = pnl.ProcessingMechanism(name="A", input_shapes=2), pnl.ProcessingMechanism(name="P")
    port = {pnl.NAME: "i", pnl.VARIABLE: [2.0, 3.0]} | ({} if function is None else {pnl.FUNCTION: function})
    mechanism = pnl.ProcessingMechanism(name="M", input_ports=[port, "x"])
    composition = pnl.Composition(name="C")
    composition.add_nodes([first, other, mechanism])
    composition.add_projection(pnl.MappingProjection(matrix=[[2.0, 0.0], [0.0, 3.0]]), first, mechanism.input_ports[0])
    composition.add_projection(pnl.MappingProjection(), other, mechanism.input_ports[1])
    mechanism.input_ports[0].parameters.default_input.set(pnl.DEFAULT_VARIABLE, override=True)
    return composition


def alone():
    """A Mechanism that gets no input, and one that does."""
    composition = pnl.Composition(name="C", nodes=[pnl.ProcessingMechanism(name="P"), mechanism := pnl.ProcessingMechanism(name="M")])
    composition.exclude_node_roles(mechanism, pnl.NodeRole.INPUT)
    return composition


@pytest.mark.parametrize("function", [None, lambda: pnl.LinearCombination(scale=3.0)], ids=["plain", "scaled"])
def test_a_default_input_comes_before_projections(function):
    build = with_default if function is None else lambda: with_default(function())
    assert not compared(build, INPUTS, runs={"mixed": ("cogir", "PsyNeuLink", "cogir")})


def with_changes(build, component, default):
    """Results of runs between which the default variable is replaced, and changed in place."""
    fresh()
    composition = build()
    composition._analyze_graph()
    inputs = {node: INPUTS[node.name] for node in composition.get_nodes_by_role(pnl.NodeRole.INPUT)}
    composition.run(inputs)
    component(composition).defaults.variable = np.array(default)
    composition.run(inputs)
    component(composition).defaults.variable[0] = 7.0
    composition.run(inputs)
    composition.run(inputs, context="other")
    held = [trial for context in ("C", "other") for trial in composition.parameters.results.get(context)]
    return [np.concatenate(trial).tolist() for trial in held]


CHANGED = {
    "port": (with_default, lambda composition: composition.nodes["M"].input_ports[0], [10.0, 11.0]),
    "mechanism": (alone, lambda composition: composition.nodes["M"], [[5.0]]),
}


@pytest.mark.parametrize("case", CHANGED)
def test_a_changed_default_variable_is_noticed(case):
    found = []
    for block in (nullcontext(), accelerate(strict=True)):
        with block:
            found.append(with_changes(*CHANGED[case]))
    assert found[0] == found[1]
    assert found[0][0] != found[0][2] != found[0][4]


def test_an_input_interface_without_ports_is_empty_as_in_psyneulink():
    left = []
    for block in (nullcontext(), accelerate(strict=True)):
        fresh()
        mechanism = pnl.TransferMechanism(input_ports=[pnl.InputPort(name="i", variable=[22.0])])
        composition = pnl.Composition(name="C")
        composition.add_node(mechanism, required_roles=pnl.NodeRole.INTERNAL, context=pnl.Context(source=pnl.ContextFlags.METHOD))
        with block:
            composition.run(context="c")
        cim = composition.input_CIM
        held = [one.parameters.value.values["c"] for one in (cim, cim.function)] + [cim.parameters.variable.values["c"]]
        left.append([(value.shape, value.dtype) for value in held])
    assert left[0] == left[1]
    assert left[0][0] == ((1, 0), np.dtype(float))


def of_bias_nodes(*names):
    """BIAS Nodes by themselves, which are neither INPUT nor OUTPUT Nodes."""
    nodes = [
        (pnl.ProcessingMechanism(name=name, input_ports=["x", "y"], default_variable=[[3.0], [7.0]]), pnl.NodeRole.BIAS) for name in names
    ]
    return pnl.Composition(name="bias", pathways=[[node] for node in nodes])


def bias_before_a_node():
    """A BIAS Node is the only ORIGIN."""
    bias = pnl.ProcessingMechanism(name="S", default_variable=[[2.0]])
    return pnl.Composition(name="C", pathways=[(bias, pnl.NodeRole.BIAS), pnl.TransferMechanism(name="B", integrator_mode=True)])


def bias_before_a_nested_composition():
    """A BIAS Node projects to a nested Composition."""
    bias, inner = (
        pnl.ProcessingMechanism(name="S", default_variable=[[2.0]]),
        pnl.Composition(name="I", nodes=[pnl.ProcessingMechanism(name="N")]),
    )
    return pnl.Composition(name="C", pathways=[(bias, pnl.NodeRole.BIAS), inner])


def beside_a_nested_bias():
    """A nested Composition has neither inputs nor outputs."""
    return pnl.Composition(name="C", nodes=[pnl.TransferMechanism(name="A", input_shapes=2, integrator_mode=True), of_bias_nodes("S")])


def fed_by_feedback():
    """Without an INPUT Node; the first node gets the value that the last one had in the trial before."""
    first, last = pnl.ProcessingMechanism(name="M"), pnl.ProcessingMechanism(name="N", function=pnl.Linear(slope=2.0, intercept=1.0))
    composition = pnl.Composition(name="C", pathways=[first, last])
    composition.add_projection(pnl.MappingProjection(last, first), feedback=True)
    composition.exclude_node_roles(first, pnl.NodeRole.INPUT)
    return composition


def without_outputs():
    """The last node is none of the OUTPUT Nodes, and so the results are empty."""
    last = pnl.TransferMechanism(name="B", input_shapes=2, integrator_mode=True)
    composition = pnl.Composition(name="C", pathways=[pnl.ProcessingMechanism(name="A", input_shapes=2), last])
    composition.exclude_node_roles(last, pnl.NodeRole.OUTPUT)
    return composition


@pytest.mark.parametrize(
    ("build", "inputs"),
    [
        pytest.param(without_outputs, {"A": INPUTS["A"]}, marks=pytest.mark.full),
        (lambda: of_bias_nodes("S", "T"), {}),
        (bias_before_a_node, {}),
        pytest.param(bias_before_a_nested_composition, {}, marks=pytest.mark.full),
        pytest.param(beside_a_nested_bias, {"A": INPUTS["A"]}, marks=pytest.mark.full),
        pytest.param(fed_by_feedback, {}, marks=pytest.mark.full),
    ],
    ids=["without outputs", "alone", "before a node", "before a nested Composition", "nested", "feedback"],
)
def test_no_inputs_or_no_outputs(build, inputs):
    assert not compared(build, inputs, num_trials=3, runs={"mixed": ("cogir", "PsyNeuLink", "cogir")})


def test_execute_without_inputs():
    found = []
    for block in (nullcontext(), accelerate(strict=True, short_runs="native")):
        fresh()
        composition = bias_before_a_node()
        composition._analyze_graph()
        with block:
            found.append([np.asarray(call()).tolist() for call in (composition.execute, composition.run, composition.execute)])
    assert found[0] == found[1]


def test_inputs_for_a_composition_that_takes_none():
    """The error is PsyNeuLink's."""
    fresh()
    composition = bias_before_a_node()
    with accelerate(short_runs="native"):
        composition.run()
        error = pytest.raises(pnl.core.compositions.composition.RunError, match=r"are not INPUT Nodes of that Composition .*: B")
        with error, pytest.warns(FallbackWarning, match="it is given inputs, but it has no INPUT Node"):
            composition.run({composition.nodes["B"]: [[1.0]]})
