"""
Variables of three or more axes: values have the shapes that they have in PsyNeuLink.
"""

from contextlib import nullcontext

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.compare import compared
from support.psyneulink.golden import fresh

import cogir.psyneulink
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


def chain(*nodes, **settings):
    """A Composition of one pathway."""
    return pnl.Composition(name="C", pathways=[list(nodes)], **settings)


def process(name, shape, function=pnl.Linear, ports=1):
    """A ProcessingMechanism with InputPorts of one shape."""
    return pnl.ProcessingMechanism(name=name, default_variable=[np.zeros(shape)] * ports, function=function)


def integrating(name, **settings):
    """A TransferMechanism that integrates a row of two."""
    return pnl.TransferMechanism(name=name, default_variable=[[[0, 0]]], integrator_mode=True, **settings)


def branches():
    a, b, c, d = (process(name, (1, 1, 2), pnl.Linear(slope=2.0)) for name in "ABDE")
    return pnl.Composition(name="C", pathways=[[a, b, d], [a, c, d]])


def feedback():
    a, b = integrating("A"), integrating("B", noise=pnl.NormalDist())
    composition = chain(a, b)
    composition.add_projection(pnl.MappingProjection(sender=b, receiver=a), feedback=True)
    return composition


def nested():
    inner = pnl.Composition(
        name="I", pathways=[[process("X", (1, 2), pnl.AdaptiveIntegrator(rate=0.1)), process("Y", (1, 2), pnl.Logistic)]]
    )
    return pnl.Composition(name="C", pathways=[[process("A", (1, 2)), inner, process("B", (1, 2))]])


def nested_first():
    inner = pnl.Composition(
        name="I", pathways=[[process("X", (1, 1), pnl.AdaptiveIntegrator(rate=0.1)), process("Y", (1, 1), pnl.Logistic)]]
    )
    return pnl.Composition(
        name="C", nodes=[inner, pnl.Composition(name="J", nodes=[pnl.TransferMechanism(name="Z", default_variable=[[[0]]])])]
    )


def modulated():
    a, monitored = process("A", (1, 2)), pnl.ProcessingMechanism(name="M")
    control = pnl.ControlMechanism(name="K", monitor_for_control=monitored, control_signals=[("slope", a)])
    return pnl.Composition(name="C", nodes=[a, monitored, control])


WITH_OUTER_AXES = {
    "one number": lambda: chain(process("A", (1, 1), pnl.Logistic)),
    "a matrix": lambda: chain(process("A", (1, 2, 3), pnl.Exponential(rate=[[[0.1, 0.2, 0.3]]]))),
    "several axes": lambda: chain(process("A", (1, 1, 2), pnl.Tanh(gain=[1.0, 2.0])), process("B", (1, 1, 2), pnl.ReLU)),
    "two ports": lambda: chain(process("A", (1, 2), ports=2), process("B", (1, 2))),
    "drawn noise": lambda: chain(pnl.TransferMechanism(name="A", default_variable=[[[0, 0]]], noise=pnl.NormalDist(), clip=(-0.5, 0.5))),
    "recurrent": lambda: chain(pnl.RecurrentTransferMechanism(name="A", default_variable=[[[0, 0]]], auto=0.2, hetero=-0.3)),
    "to a vector": lambda: chain(process("A", (1, 2)), pnl.ProcessingMechanism(name="B", input_shapes=3)),
    "integrator": lambda: chain(
        pnl.IntegratorMechanism(name="A", default_variable=[[[0, 0]]], function=pnl.SimpleIntegrator(rate=[0.1, 0.2]))
    ),
    "branches": branches,
    "feedback": feedback,
    "nested": nested,
    "nested first": nested_first,
    "modulated": modulated,
}


def inputs_of(composition, trials=2):
    """Random inputs of the shapes of the inputs of a Composition."""
    random, given = np.random.RandomState(5), {}
    for node in composition.get_nodes_by_role(pnl.NodeRole.INPUT):
        shapes = [np.shape(port.defaults.value) for port in getattr(node, "input_CIM", node).input_ports]
        given[node.name] = [[random.normal(size=shape) for shape in shapes] for _ in range(trials)]
    return given


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", WITH_OUTER_AXES)
def test_outer_axes_are_kept(name):
    assert not compared(WITH_OUTER_AXES[name], inputs_of)


@pytest.mark.full
def test_outer_axes_of_random_compositions_are_kept():
    random = np.random.RandomState(7)
    functions = [
        lambda: pnl.Linear(slope=1.5),
        lambda: pnl.Logistic(),
        lambda: pnl.Tanh(),
        lambda: pnl.ReLU(leak=0.1),
        lambda: pnl.Gaussian(),
        lambda: pnl.AdaptiveIntegrator(rate=0.3),
    ]
    for _ in range(30):
        shape = (1,) * random.randint(1, 4) + (random.randint(1, 4),)
        length, kinds = random.randint(1, 4), random.randint(0, len(functions), 3)
        noise = random.choice([0.0, 0.3])

        def build(shape=shape, length=length, kinds=kinds, noise=noise):
            nodes = [process("ABD"[index], shape, functions[kinds[index]]()) for index in range(length)]
            last = pnl.TransferMechanism(name="E", default_variable=[np.zeros(shape)], noise=noise, integrator_mode=bool(kinds[0] % 2))
            return chain(*nodes, last)

        assert not compared(build, inputs_of)


@pytest.mark.parametrize("logged", ["value", "ports"])
def test_logs_have_the_outer_axes(logged):
    left = []
    for accelerated in (False, True):
        fresh()
        composition = WITH_OUTER_AXES["several axes"]()
        components = (
            composition.nodes
            if logged == "value"
            else [port for node in composition.nodes for port in (*node.input_ports, *node.output_ports)]
        )
        for component in components:
            component.set_log_conditions("value")
        with accelerate(strict=True) if accelerated else nullcontext():
            composition.run(inputs_of(composition, 3), context="x")
        entries = [component.log.nparray_dictionary(["value"])["x"]["value"] for component in components]
        left.append([(np.shape(each), np.round(np.asarray(each, float), 12).tolist()) for each in entries])
    assert left[0] == left[1]


def scaled_at_its_port():
    mechanism = process("A", (1, 2))
    mechanism.input_port.function.parameters.scale.set(2.0, None)
    return mechanism


REFUSED = {
    "a SoftMax": lambda: chain(process("A", (1, 2), pnl.SoftMax)),
    "does more than sum up": lambda: chain(scaled_at_its_port()),
    "has three or more axes; leave": lambda: chain(pnl.ProcessingMechanism(name="S", input_shapes=2), process("A", (1, 2))),
    "it is reset": lambda: chain(integrating("A", reset_stateful_function_when=pnl.AtTrialStart())),
    "a termination_threshold": lambda: chain(integrating("A", termination_threshold=0.5, max_executions_before_finished=3)),
    "it is a LCAMechanism": lambda: chain(pnl.LCAMechanism(name="A", default_variable=[[[0, 0]]])),
    "is not just an item": lambda: chain(pnl.TransferMechanism(name="A", default_variable=[[[0, 0]]], output_ports=["MEAN"])),
}


@pytest.mark.parametrize("why", REFUSED)
def test_outer_axes_that_matter_are_refused(why):
    fresh()
    composition = REFUSED[why]()
    with pytest.raises(cogir.psyneulink.UnsupportedFeature, match=why):
        cogir.psyneulink.run(composition, num_trials=1)


def test_a_controller_that_simulates_outer_axes_is_refused():
    fresh()
    a = process("A", (1, 2))
    composition = pnl.Composition(name="C", nodes=[a])
    signal = pnl.ControlSignal(modulates=("slope", a), allocation_samples=[1.0, 2.0])
    controller = pnl.OptimizationControlMechanism(agent_rep=composition, control_signals=[signal], function=pnl.GridSearch())
    composition.add_controller(controller)
    with pytest.raises(cogir.psyneulink.UnsupportedFeature, match="its controller simulates"):
        cogir.psyneulink.run(composition, num_trials=1)
