"""
What is assigned by hand between native runs is logged as by PsyNeuLink, and so is what `execute` of a Composition assigns, but for
interfaces, controllers and what enters a nested Composition, where these are not logged.
"""

import contextlib

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

from cogir.psyneulink import accelerate

pytestmark = pytest.mark.filterwarnings("ignore")


def parameters_set(composition, a, b):
    """Parameters of Functions, in contexts that have run or have not, by several ways."""
    composition.run({a: [[1.0], [2.0]]})
    a.function.parameters.slope.set(3.0, "C")
    a.function.parameters.slope.set(4.0, composition)
    composition.run({a: [[1.0]]})
    a.function.slope = 5.0
    composition.execute({a: [3.0]})
    a.function.slope.base = 2.5
    b.parameters.integration_rate.set(0.5)
    composition.run({a: [[1.0]]}, context="z")
    b.parameters.integration_rate.set(0.6, "z")


def values_set(composition, a, b):
    """Mechanisms executed, reset and given values by hand."""
    composition.run({a: [[1.0]]})
    composition.execute({a: [3.0]}, context="y")
    a.execute([5.0])
    a.parameters.value.set([[9.0]], composition, override=True)
    b.reset([[0.3]])
    composition.execute({a: [3.0]})
    b.reset([[0.3]], context="C")
    composition.run({a: [[1.0]]})


CONDITIONS = {
    "nothing": lambda a, b: None,
    "executions": lambda a, b: [node.set_log_conditions("value", pnl.LogCondition.EXECUTION) for node in (a, b)],
    "all": lambda a, b: [a.set_log_conditions("value"), a.set_log_conditions("OutputPort-0"), b.set_log_conditions("value")],
    "parameters": lambda a, b: a.set_log_conditions("mod_slope"),
}


def logged(script, conditions, block):
    """All entries by the names of the component and the Parameter."""
    fresh()
    a = pnl.ProcessingMechanism(name="A", function=pnl.Linear(slope=2.0))
    b = pnl.TransferMechanism(name="B", integrator_mode=True, integration_rate=0.3)
    inner = pnl.Composition(name="I", pathways=[pnl.TransferMechanism(name="N")])
    composition = pnl.Composition(name="C", pathways=[a, b, inner])
    conditions(a, b)
    with block:
        script(composition, a, b)
    found = {}
    for node in (a, b, *inner.nodes):
        parts = {"mechanism": node, "function": node.function, "integrator": getattr(node, "integrator_function", None)}
        parts |= {port.name: port for port in (*node.output_ports, *node.parameter_ports)}
        parts |= {port.name: port for port in node.input_ports if node in (a, b)}
        for name, part in parts.items():
            for parameter in () if part is None else part.parameters:
                for key, entries in (getattr(parameter, "log", None) or {}).items():
                    found[node.name, name, parameter.name, str(key)] = [entry(*one) for one in entries]
    return found


def entry(time, context, value):
    """One, to be compared."""
    try:
        return (time, context, np.round(np.asarray(value, float), 9).tolist())
    except (TypeError, ValueError):
        return (time, context, type(value).__name__)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("conditions", CONDITIONS)
@pytest.mark.parametrize("script", [parameters_set, values_set])
def test_entries_are_psyneulinks(script, conditions):
    expected = logged(script, CONDITIONS[conditions], contextlib.nullcontext())
    assert expected
    assert logged(script, CONDITIONS[conditions], accelerate(strict=conditions != "parameters")) == expected


def logged_around(block):
    """All entries of what enters and leaves a Composition and one in it, where it is logged: of two trials by `execute`, and of a run."""
    fresh()
    a = pnl.ProcessingMechanism(name="A", input_shapes=2)
    before = pnl.ProcessingMechanism(name="BEFORE", input_shapes=2)
    inner = pnl.Composition(name="I", pathways=[a])
    composition = pnl.Composition(name="C", pathways=[before, inner])
    found = {}
    for ports in (inner.input_CIM.input_ports, a.input_ports, inner.output_CIM.input_ports, composition.output_CIM.input_ports):
        projection = ports[0].path_afferents[0]
        for part in (projection, projection.parameter_ports["matrix"], *([ports[0]] if ports[0].owner is a else [])):
            part.parameters.value.log_condition = pnl.LogCondition.EXECUTION
            found[projection.name, part.name] = part.parameters.value
    with block:
        composition.execute({before: [[1.0, 2.0]]})
        composition.execute({before: [[3.0, 4.0]]})
        composition.run({before: [[5.0, 6.0]]})
    return {name: {str(key): [entry(*one) for one in entries] for key, entries in value.log.items()} for name, value in found.items()}


def test_what_execute_assigns_around_compositions_is_marked_as_the_scripts():
    expected = logged_around(contextlib.nullcontext())
    assert any("COMMAND_LINE" in str(one) for one in expected.values())
    assert logged_around(accelerate(strict=True)) == expected


def logged_of_controller(block, searches, mode, is_nested):
    """All entries of a controller, its ports and the Projections to them: of two trials by `execute`, and of a run."""
    fresh()
    a = pnl.ProcessingMechanism(name="A", function=pnl.Linear(slope=1.5))
    b = pnl.ProcessingMechanism(name="B", function=pnl.Logistic)
    composition = pnl.Composition(name="C", pathways=[a, b], controller_mode=mode)
    if searches:
        controller = pnl.OptimizationControlMechanism(
            name="CONTROL",
            agent_rep=composition,
            state_features=[a.input_port],
            objective_mechanism=pnl.ObjectiveMechanism(monitor=[b]),
            function=pnl.GridSearch(),
            control_signals=[pnl.ControlSignal(modulates=("slope", a), allocation_samples=[0.5, 1.0, 2.0])],
        )
    else:
        controller = pnl.ControlMechanism(
            name="CONTROL", monitor_for_control=[b], control_signals=[pnl.ControlSignal(modulates=("slope", a))]
        )
    composition.add_controller(controller)
    parts = [controller, *controller.input_ports, *controller.output_ports, b]
    parts += [projection for port in controller.input_ports for projection in port.path_afferents]
    for part in parts:
        part.parameters.value.log_condition = pnl.LogCondition.EXECUTION
    outer, node = (pnl.Composition(name="OUTER", pathways=[composition]), composition) if is_nested else (composition, a)
    with block:
        outer.execute({node: [[1.0]]})
        outer.execute({node: [[2.0]]})
        outer.run({node: [[3.0], [4.0]]})
    return {part.name: {str(key): [entry(*one) for one in entries] for key, entries in part.parameters.value.log.items()} for part in parts}


@pytest.mark.parametrize("is_nested", [False, True], ids=["alone", "nested"])
@pytest.mark.parametrize("mode", ["before", "after"])
@pytest.mark.parametrize("searches", [False, True], ids=["reacts", "searches"])
def test_what_execute_assigns_to_a_controller_is_marked_as_the_scripts(searches, mode, is_nested):
    expected = logged_of_controller(contextlib.nullcontext(), searches, mode, is_nested)
    assert "COMMAND_LINE" in str(expected["CONTROL"])
    assert "COMMAND_LINE" not in str(expected["B"])
    assert logged_of_controller(accelerate(strict=True), searches, mode, is_nested) == expected
