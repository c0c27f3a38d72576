"""
Variables of three or more axes: values have the shapes that they have in PsyNeuLink.
"""

import warnings
from contextlib import nullcontext

import numpy as np
import pytest
from support.psyneulink_needed import require_psyneulink

require_psyneulink()

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import psyneulink as pnl
    from support.psyneulink_golden import fresh

from cogir.psyneulink import FallbackWarning, accelerate  # noqa: E402

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
