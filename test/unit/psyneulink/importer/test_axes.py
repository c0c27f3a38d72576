"""
Variables of three or more axes: values have the shapes that they have in PsyNeuLink.
"""

from contextlib import nullcontext

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

from cogir.psyneulink import FallbackWarning, accelerate

pytestmark = pytest.mark.filterwarnings("ignore")


def recurrent(axes):
    """A recurrent Mechanism whose variable has `axes` axes, all but the last of length one."""
    shape = (1,) * (axes - 1) + (3,)
    matrix = [[1.0, 2.0, 3.0], [2.0, 1.0, 2.0], [3.0, 2.0, 1.0]]
    return pnl.RecurrentTransferMechanism(name="R", default_variable=np.zeros(shape), matrix=matrix, has_recurrent_input_port=True)


@pytest.mark.parametrize("axes", [3, 4])
def test_axes_of_length_one_are_psyneulinks(axes):
    found = []
    for block in (nullcontext(), accelerate()):
        fresh()
        mechanism = recurrent(axes)
        composition = pnl.Composition(name="C", pathways=[mechanism])
        with block, nullcontext() if not found else pytest.warns(FallbackWarning, match="has three or more axes"):
            composition.run([[1, 3, 2]])
        ports = [port.parameters.variable.get("C").tolist() for port in mechanism.input_ports]
        found.append((mechanism.parameters.value.get("C").tolist(), mechanism.parameters.variable.get("C").tolist(), ports))
    assert found[0] == found[1]


@pytest.mark.parametrize(("variable", "is_native"), [(pnl.OWNER_VALUE, False), ((pnl.OWNER_VALUE, 0), True)])
def test_an_output_port_that_is_overridden_has_the_axes_of_python_mode(variable, is_native):
    left = []
    for accelerated in (False, True):
        fresh()
        mechanism = pnl.TransferMechanism(name="A", output_ports=[pnl.OutputPort(variable=variable)])
        signal = pnl.ControlSignal(modulation=pnl.OVERRIDE, modulates=mechanism.output_port)
        allocation = mechanism.value if variable is pnl.OWNER_VALUE else mechanism.value[0]
        control = pnl.ControlMechanism(name="control", control_signals=signal, default_allocation=allocation)
        composition = pnl.Composition(name="C")
        composition.add_nodes([(mechanism, pnl.NodeRole.INPUT), (control, pnl.NodeRole.INPUT)])
        with accelerate(strict=is_native) if accelerated else nullcontext():
            composition.run({mechanism: [[0.5], [0.6]], control: [[0.2], [0.3]]}, context="x")
        results = composition.parameters.results.get("x")
        values = [mechanism.output_port.parameters.value.get("x"), composition.output_CIM.output_port.parameters.value.get("x")]
        left.append([(np.shape(each), np.asarray(each).tolist()) for each in (results, *values)])
    assert left[0] == left[1]


def decision(function):
    """A DDM that takes one step in each trial."""
    return pnl.DDM(name="A", function=function, execute_until_finished=False)


def oscillator(function):
    return pnl.IntegratorMechanism(name="A", function=function)


@pytest.mark.parametrize(("mechanism", "function"), [(decision, pnl.DriftDiffusionIntegrator), (oscillator, pnl.FitzHughNagumoIntegrator)])
@pytest.mark.parametrize("given_as", ["class", "instance"])
def test_a_function_that_is_given_as_a_class_has_the_axes_of_python_mode(mechanism, function, given_as):
    left = []
    for accelerated in (False, True):
        fresh()
        node = mechanism(function if given_as == "class" else function())
        composition = pnl.Composition(name="C", pathways=[node])
        with accelerate(strict=given_as == "instance") if accelerated else nullcontext():
            composition.run({node: 0}, num_trials=2, context="x")
            composition.run({node: [[1.0]]}, context="x")
        results = [[np.asarray(port).tolist() for port in trial] for trial in composition.parameters.results.get("x")]
        values = [one.parameters.value.get("x") for one in (node, node.function, *node.output_ports, composition.output_CIM)]
        left.append((results, [(np.shape(value), np.asarray(value).tolist()) for value in values]))
    assert left[0][1] == left[1][1]
    assert str(left[0][0]) == str(left[1][0])


@pytest.mark.sampled(2)
@pytest.mark.parametrize("axes", [1, 2])
@pytest.mark.parametrize("variable", [pnl.OWNER_VALUE, (pnl.OWNER_VALUE, 0)])
@pytest.mark.parametrize("modulation", [pnl.MULTIPLICATIVE, pnl.ADDITIVE, pnl.DISABLE])
def test_an_output_port_that_is_modulated_has_the_axes_of_python_mode(modulation, variable, axes):
    """A signal that begins with a value of several axes has one axis once it has been executed."""
    left = []
    for accelerated in (False, True):
        fresh()
        mechanism = pnl.TransferMechanism(name="A", output_ports=[pnl.OutputPort(variable=variable)])
        signal = pnl.ControlSignal(modulation=modulation, modulates=mechanism.output_port)
        control = pnl.ControlMechanism(name="control", control_signals=signal, default_allocation=np.ones((1,) * axes))
        composition = pnl.Composition(name="C")
        composition.add_nodes([(mechanism, pnl.NodeRole.INPUT), (control, pnl.NodeRole.INPUT)])
        with accelerate(strict=True) if accelerated else nullcontext():
            composition.run({mechanism: [[0.5], [0.6]], control: [[0.2], [0.3]]}, context="x")
        values = [port.parameters.value.get("x") for port in (mechanism.output_port, signal, signal.efferents[0])]
        left.append(str([composition.parameters.results.get("x").tolist(), *values, *shown_by(composition.output_CIM)]))
    assert left[0] == left[1]


def shown_by(interface):
    """What an interface of a Composition shows after runs, port by port, and in arrays for all of them."""
    values = [interface.parameters.variable, interface.parameters.value, interface.function.parameters.value]
    for port in interface.input_ports:
        values += [port.parameters.variable, port.parameters.value, *(one.parameters.value for one in port.path_afferents)]
    values += [port.parameters.value for port in interface.output_ports]
    return [repr(value.get("x")) for value in values]


def passing(name, size, *, whole=True):
    """A Mechanism with an OutputPort for its `whole` value, or else for the only row of it."""
    port = pnl.OutputPort(variable=pnl.OWNER_VALUE if whole else (pnl.OWNER_VALUE, 0))
    return pnl.TransferMechanism(name=name, input_shapes=size, output_ports=[port])


OUTPUTS = {
    "one": lambda: [passing("A", 2)],
    "of one length": lambda: [passing("A", 2), passing("B", 2)],
    "of several lengths": lambda: [passing("A", 2), passing("B", 3)],
    "of several axes": lambda: [passing("A", 2), passing("B", 2, whole=False)],
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize("outputs", OUTPUTS)
def test_interfaces_have_the_axes_of_the_outputs(outputs, nested):
    left = []
    for accelerated in (False, True):
        fresh()
        composition = inner = pnl.Composition(name="I", nodes=OUTPUTS[outputs]())
        if nested:
            composition = pnl.Composition(name="C", nodes=[inner])
        with accelerate(strict=True) if accelerated else nullcontext():
            for runs in (1, 2):
                composition.run(num_trials=runs, context="x")
        left.append([*shown_by(composition.output_CIM), *shown_by(inner.output_CIM)])
    assert left[0] == left[1]
