"""
The ports by which Compositions are entered, left and modulated hold what PsyNeuLink leaves in them, variables too; controllers keep the
values of their state features.
"""

import contextlib

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

from cogir.psyneulink import accelerate

pytestmark = pytest.mark.filterwarnings("ignore")


def transfer(name, size=1, **settings):
    return pnl.TransferMechanism(name=name, input_shapes=size, **settings)


def nested():
    inner = pnl.Composition(name="inner", pathways=[[transfer("S"), transfer("R")]])
    return pnl.Composition(name="C", pathways=[[transfer("F"), inner, transfer("L")]])


def entered_by_several():
    """Two Projections arrive at one port of the inner Composition."""
    inner = pnl.Composition(name="inner", pathways=[[transfer("S", 2), transfer("R", 2)]])
    first, second = transfer("F", 2), transfer("G", 2)
    return pnl.Composition(name="C", pathways=[[first, inner], [second, inner]])


def ragged():
    first, second = transfer("F", 2), transfer("G", 3)
    return pnl.Composition(name="C", nodes=[first, second, pnl.Composition(name="inner", nodes=[transfer("S", 1), transfer("T", 4)])])


def controlled(inner_too=False, mode="after"):
    """A controller that searches, of the outer Composition or of the inner one; the outer one modulates within."""
    receiver = transfer("S")
    inner = pnl.Composition(name="inner", pathways=[[receiver, transfer("R")]], controller_mode=mode)
    first, last = transfer("F", function=pnl.Linear(slope=2.0)), transfer("L")
    composition = pnl.Composition(name="C", pathways=[[first, inner, last]], controller_mode=mode)
    owner, feature, monitored = (inner, receiver, inner.nodes[1]) if inner_too else (composition, first, last)
    owner.add_controller(
        pnl.OptimizationControlMechanism(
            name="control",
            agent_rep=owner,
            state_features=[feature.input_port],
            objective_mechanism=pnl.ObjectiveMechanism(name="O", monitor=[monitored]),
            function=pnl.GridSearch(direction=pnl.MINIMIZE),
            control_signals=[pnl.ControlSignal(modulates=("slope", receiver), allocation_samples=[2.0, 3.0])],
        )
    )
    return composition


CASES = {
    "nested": nested,
    "entered by several": entered_by_several,
    "ragged": ragged,
    "controlled": controlled,
    "controlled before": lambda: controlled(mode="before"),
    "controlled within": lambda: controlled(inner_too=True),
}


def interfaces(composition, key):
    """The values and variables of all ports of a Composition's interfaces, and of those of nested ones; state features of controllers."""
    for cim in (composition.input_CIM, composition.output_CIM, composition.parameter_CIM):
        for port in (*cim.input_ports, *cim.output_ports):
            yield f"{port.name} of {cim.name}", port.parameters.value.get(key)
            if port in cim.input_ports:
                yield f"variable of {port.name} of {cim.name}", port.parameters.variable.get(key)
    if hasattr(composition.controller, "state_features"):
        kept = composition.controller.parameters.state_feature_values.values[key]
        yield "state features", [np.asarray(value).tolist() for value in kept.values()]
    for node in composition.nodes:
        if hasattr(node, "input_CIM"):
            yield from interfaces(node, key)


def left(build, is_native):
    """All of it after each of three runs in one execution context and one in another."""
    fresh()
    composition = build()
    found = []
    with accelerate(strict=True) if is_native else contextlib.nullcontext():
        for key in ("x", "x", "y", "x"):
            trials = len(found) + 2
            nodes = [node for node in composition.get_nodes_by_role(pnl.NodeRole.INPUT) if not hasattr(node, "input_CIM")]
            given = {node: [trial + np.arange(np.size(node.input_port.defaults.value)) for trial in range(trials)] for node in nodes}
            composition.run(given, context=key)
            found.append({name: (np.shape(value), np.asarray(value, float).tolist()) for name, value in interfaces(composition, key)})
    return found


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", CASES)
def test_interfaces_hold_what_python_mode_leaves_in_them(name):
    expected, found = left(CASES[name], False), left(CASES[name], True)
    for run, (wanted, got) in enumerate(zip(expected, found, strict=True)):
        assert wanted.keys() == got.keys()
        for what, value in wanted.items():
            assert got[what] == value, f"{what} after run {run}"
