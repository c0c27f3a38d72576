"""
ControlMechanisms and GatingMechanisms as nodes: what they do to parameters and ports, in PsyNeuLink and in cogir.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.cases_control import CONTROL
from support.psyneulink.compare import KEPT, compared
from support.psyneulink.golden import fresh

import cogir.psyneulink

pytestmark = pytest.mark.filterwarnings("ignore")

MULTIPLY, ADD, OVERRIDE, DISABLE = pnl.MULTIPLICATIVE, pnl.ADDITIVE, pnl.OVERRIDE, pnl.DISABLE
FULL = pytest.mark.full
INPUTS = {"A": [[2.0], [3.0], [-1.0]], "X": [[0.5], [4.0], [0.7]]}
MIXED = {"mixed": ("cogir", "PsyNeuLink", "cogir")}
"""PsyNeuLink takes a second for each comparison, so there is one context only."""


def modulated(*ways: str, target: str = "slope", kind: str = "control") -> Callable[[], pnl.Composition]:
    """Builds A -> B, and a mechanism for each of the ways in which B's slope, or one of its ports, is modulated."""

    def build() -> pnl.Composition:
        first = pnl.ProcessingMechanism(name="A", input_shapes=1)
        last = pnl.TransferMechanism(name="B", input_shapes=1, function=pnl.Linear(slope=1.5, intercept=0.25))
        other = pnl.ProcessingMechanism(name="X", input_shapes=1, function=pnl.Linear(slope=0.5, intercept=0.1))
        composition = pnl.Composition(name="C")
        composition.add_linear_processing_pathway([first, last])
        composition.add_node(other)
        acts_on = {"input": last.input_ports[0], "output": last.output_ports[0]}.get(target, (target, last))
        for index, way in enumerate(ways):
            seen = other if index % 2 else first
            if kind == "control":
                signal = pnl.ControlSignal(modulates=acts_on, modulation=way)
                composition.add_node(pnl.ControlMechanism(name=f"CONTROL {index}", monitor_for_control=seen, control=[signal]))
            else:
                gate = pnl.GatingSignal(gate=acts_on, modulation=way)
                composition.add_node(pnl.GatingMechanism(name=f"GATE {index}", monitor_for_gating=seen, gating_signals=[gate]))
        return composition

    return build


def nested(*, deep: bool = False, how: str = MULTIPLY, search: bool = False) -> Callable[[], pnl.Composition]:
    """Builds a node whose slope is modulated, or searched for, from outside of the Composition that it is in."""

    def build() -> pnl.Composition:
        first = pnl.ProcessingMechanism(name="A", input_shapes=1)
        last = pnl.ProcessingMechanism(name="B", input_shapes=1, function=pnl.Linear(slope=1.5))
        source, other = (pnl.ProcessingMechanism(name=name, input_shapes=1) for name in ("S", "X"))
        inner = pnl.Composition(name="INNER", pathways=[[first, last]])
        inside = pnl.Composition(name="MIDDLE", pathways=[[inner]]) if deep else inner
        composition = pnl.Composition(name="C")
        composition.add_linear_processing_pathway([source, inside])
        composition.add_node(other)
        if search:
            signal = pnl.ControlSignal(modulates=("slope", last), allocation_samples=[1.0, 2.0, 3.0], modulation=how)
            composition.add_controller(
                pnl.OptimizationControlMechanism(
                    agent_rep=composition,
                    objective_mechanism=pnl.ObjectiveMechanism(name="O", monitor=[last]),
                    function=pnl.GridSearch(save_values=True),
                    control_signals=[signal],
                )
            )
        else:
            signal = pnl.ControlSignal(modulates=("slope", last), modulation=how)
            composition.add_node(pnl.ControlMechanism(name="CONTROL", monitor_for_control=other, control=[signal]))
        return composition

    return build


@pytest.mark.parametrize(
    "ways",
    [
        pytest.param((MULTIPLY,), id="multiply", marks=FULL),
        pytest.param((ADD,), id="add", marks=FULL),
        pytest.param((OVERRIDE,), id="override", marks=FULL),
        pytest.param((DISABLE,), id="disable", marks=FULL),
        pytest.param((MULTIPLY, MULTIPLY), id="two multiply", marks=FULL),
        pytest.param((MULTIPLY, ADD), id="multiply and add", marks=FULL),
        pytest.param((ADD, MULTIPLY), id="add and multiply", marks=FULL),
        pytest.param((MULTIPLY, ADD, ADD), id="multiply and two add"),
        pytest.param((MULTIPLY, OVERRIDE), id="multiply and override"),
        pytest.param((DISABLE, MULTIPLY), id="disable and multiply", marks=FULL),
    ],
)
def test_of_a_parameter(ways: tuple[str, ...]) -> None:
    assert not compared(modulated(*ways), INPUTS, runs=MIXED)


@pytest.mark.parametrize(
    ("target", "ways"),
    [
        pytest.param("input", (MULTIPLY,), marks=FULL),
        pytest.param("input", (ADD,), marks=FULL),
        pytest.param("input", (OVERRIDE,), marks=FULL),
        ("input", (MULTIPLY, ADD)),
        pytest.param("input", (ADD, ADD), marks=FULL),
        pytest.param("output", (MULTIPLY,)),
        pytest.param("output", (OVERRIDE,), marks=FULL),
    ],
)
def test_of_a_port(target: str, ways: tuple[str, ...]) -> None:
    assert not compared(modulated(*ways, target=target, kind="gate"), INPUTS, runs=MIXED)


@pytest.mark.parametrize(
    "given",
    [
        pytest.param({}, id="one level", marks=FULL),
        pytest.param({"deep": True}, id="two levels"),
        pytest.param({"how": OVERRIDE}, id="override", marks=FULL),
        pytest.param({"search": True}, id="searched", marks=FULL),
        pytest.param({"search": True, "deep": True}, id="searched, two levels", marks=FULL),
    ],
)
def test_of_a_nested_node(given: dict[str, Any]) -> None:
    assert not compared(nested(**given), {"S": [[2.0], [3.0], [-1.0]], "X": [[0.5], [4.0], [0.7]]}, runs=MIXED)


def test_a_modulated_parameter_port_shows_what_is_used() -> None:
    kept = (*KEPT, "parameter")
    found = compared(modulated(MULTIPLY, ADD), INPUTS, runs={"native": ("cogir",)}, kept=kept)
    assert not [line for line in found if "B[slope]" in line]


def test_refused() -> None:
    """What cannot be compiled names the component and the remedy."""

    def build() -> pnl.Composition:
        composition = modulated(MULTIPLY)()
        composition.nodes["B"].parameter_ports["slope"].function.parameters.intercept.set(1.0, composition.default_execution_id)
        return composition

    fresh()
    with pytest.raises(
        cogir.psyneulink.UnsupportedFeature, match="TransferMechanism 'B': its ParameterPort 'slope' is modulated and has a custom function"
    ):
        cogir.psyneulink.run(build(), INPUTS)


def locus_coeruleus() -> pnl.Composition:
    """An LCControlMechanism that sets the gain of a node by the activity of another."""
    first, last = (pnl.TransferMechanism(name=name, input_shapes=1, function=pnl.Logistic) for name in "AB")
    seen = pnl.ObjectiveMechanism(name="O", function=pnl.Linear, monitor=[first])
    composition = pnl.Composition(name="C")
    composition.add_linear_processing_pathway([first, last])
    composition.add_node(pnl.LCControlMechanism(name="LC", modulated_mechanisms=[last], objective_mechanism=seen))
    return composition


@FULL
def test_of_gain_by_a_locus_coeruleus() -> None:
    assert not compared(locus_coeruleus, {"A": [[1.0], [2.0], [-1.0]]}, runs=MIXED)


@pytest.mark.parametrize("options", [pnl.CostFunctions.INTENSITY | pnl.CostFunctions.ADJUSTMENT, pnl.CostFunctions.DURATION], ids=str)
def test_costs_of_a_node(options: pnl.CostFunctions) -> None:
    """The costs of a ControlSignal of a node are what PsyNeuLink says that they are, run by run."""

    def costs(run: Callable[[pnl.Composition], Any]) -> list[Any]:
        fresh()
        composition = modulated(MULTIPLY)()
        signal = composition.nodes["CONTROL 0"].control_signals[0]
        signal.function.assign_costs(options)
        found = []
        for _ in range(2):
            run(composition)
            parameters = signal.function.parameters
            held = (parameters.combined_costs, parameters.adjustment_cost, parameters.duration_cost, parameters.intensity)
            found.append([np.asarray(one.get(composition.default_execution_id)).tolist() for one in held])
        return found

    assert costs(lambda one: cogir.psyneulink.run(one, INPUTS)) == costs(lambda one: one.run(INPUTS))


def test_modulation_of_a_matrix_is_refused() -> None:
    """Where it is in force, which takes more than to specify it."""
    fresh()
    first, last, other = (pnl.ProcessingMechanism(name=name, input_shapes=1) for name in "ABX")
    weight = pnl.MappingProjection(first, last, matrix=[[2.0]], name="weight")
    composition = pnl.Composition(name="C", pathways=[[first, weight, last], [other]])
    signal = pnl.ControlSignal(modulates=weight.parameter_ports["matrix"])
    composition.add_node(pnl.ControlMechanism(name="CONTROL", monitor_for_control=other, control=[signal]))
    signal.efferents[0]._activate_for_compositions(composition)
    with pytest.raises(cogir.psyneulink.UnsupportedFeature, match="the matrix of the Projection 'weight' is modulated"):
        cogir.psyneulink.run(composition, {"A": [[1.0]], "X": [[2.0]]})


def cycle() -> pnl.Composition:
    """What a ControlMechanism monitors is what it modulates: it acts with the value of the trial before."""
    first, last = (pnl.ProcessingMechanism(name=name, input_shapes=1) for name in "AB")
    composition = pnl.Composition(name="C")
    composition.add_linear_processing_pathway([first, last])
    signals = [pnl.ControlSignal(modulates=("slope", last)), pnl.ControlSignal(modulates=("intercept", first), modulation=OVERRIDE)]
    composition.add_node(pnl.ControlMechanism(name="CONTROL", default_allocation=0.5, monitor_for_control=last, control=signals))
    return composition


def two_signals() -> pnl.Composition:
    """The rate of an integrator is overridden, and the intercept of the function after it is added to; noise is drawn."""
    noise = pnl.NormalDist(standard_deviation=0.1)
    first, other = (pnl.ProcessingMechanism(name=name, input_shapes=1) for name in "AX")
    last = pnl.TransferMechanism(name="B", input_shapes=1, integrator_mode=True, integration_rate=0.5, noise=noise)
    composition = pnl.Composition(name="C", pathways=[[first, last], [other]])
    signals = [
        pnl.ControlSignal(modulates=("integration_rate", last), modulation=OVERRIDE),
        pnl.ControlSignal(modulates=("intercept", last), modulation=ADD),
    ]
    composition.add_node(pnl.ControlMechanism(name="CONTROL", monitor_for_control=[first, other], control=signals))
    return composition


def tripled(variable: Any, k: float = 3.0) -> Any:
    """A function of a user's."""
    return variable * k


def own_function() -> pnl.Composition:
    """The parameter of a user's function is modulated."""
    first = pnl.ProcessingMechanism(name="A", input_shapes=1)
    last = pnl.ProcessingMechanism(name="B", input_shapes=1, function=pnl.UserDefinedFunction(custom_function=tripled, k=3.0))
    composition = pnl.Composition(name="C", pathways=[first, last])
    composition.add_node(pnl.ControlMechanism(name="CONTROL", monitor_for_control=first, control=[("k", last)]))
    return composition


@pytest.mark.parametrize("build", [cycle, two_signals, pytest.param(own_function, marks=FULL)])
def test_of_several_parameters(build: Callable[[], pnl.Composition]) -> None:
    inputs = {"A": [[0.2], [0.3], [-0.1]]} | ({"X": [[0.5], [0.25], [0.75]]} if build is two_signals else {})
    assert not compared(build, inputs, runs=MIXED)


@pytest.mark.parametrize("how", [pnl.OVERRIDE, *(pytest.param(how, marks=FULL) for how in (pnl.MULTIPLICATIVE, pnl.ADDITIVE, pnl.DISABLE))])
def test_of_a_termination_threshold(how: str) -> None:
    """When a Mechanism has finished, and with it the one that waits for it."""

    def build() -> pnl.Composition:
        first = pnl.LCAMechanism(name="A", input_shapes=2, threshold=0.3, execute_until_finished=False, max_executions_before_finished=40)
        last = pnl.TransferMechanism(name="B", input_shapes=2, integrator_mode=True, termination_threshold=0.2)
        composition = pnl.Composition(name="C", pathways=[first, last])
        for name, node in (("X", first), ("Y", last)):
            signal = pnl.ControlSignal(modulation=how, modulates=("termination_threshold", node))
            composition.add_node(pnl.ControlMechanism(name=name, control_signals=signal), required_roles=pnl.NodeRole.INPUT)
        composition.require_node_roles(first, pnl.NodeRole.INPUT)
        composition.scheduler.add_condition(last, pnl.WhenFinished(first))
        return composition

    inputs = {"A": [[0.5, 0.2], [1.0, 0.3]], "X": [[0.05], [0.02]], "Y": [[0.1], [0.05]]}
    assert not compared(build, inputs, runs=MIXED)


def test_modulation_that_psyneulink_does_not_heed_is_refused() -> None:
    fresh()
    first = pnl.ProcessingMechanism(name="A", input_shapes=1)
    last = pnl.ProcessingMechanism(name="B", input_shapes=1, function=pnl.BinomialDistort(p=0.5))
    composition = pnl.Composition(name="C", pathways=[first, last])
    composition.add_node(pnl.ControlMechanism(name="CONTROL", monitor_for_control=first, control=[("p", last)]))
    with pytest.raises(cogir.psyneulink.UnsupportedFeature, match="'B': its p is modulated, which has no effect in PsyNeuLink"):
        cogir.psyneulink.run(composition, {"A": [[1.0]]})


def test_modulation_by_a_vector_is_refused() -> None:
    fresh()
    first = pnl.ProcessingMechanism(name="A", input_shapes=2)
    last = pnl.TransferMechanism(name="B", input_shapes=2, function=pnl.Logistic)
    composition = pnl.Composition(name="C", pathways=[first, last])
    composition.add_node(pnl.ControlMechanism(name="CONTROL", monitor_for_control=first, control=[("gain", last)]))
    with pytest.raises(cogir.psyneulink.UnsupportedFeature, match="'CONTROL' modulates 'gain' with 2 numbers; give its signal one number"):
        cogir.psyneulink.run(composition, {"A": [[1.0, 2.0]]})


@pytest.mark.parametrize("strict", [False, True])
def test_a_modulation_that_becomes_another_one(strict: bool) -> None:
    """PsyNeuLink keeps in a port's function by what the port was multiplied, and goes on to multiply by it when a signal adds."""

    def run(composition: pnl.Composition) -> None:
        composition.run(inputs={name: [[0.3], [0.7]] for name in ("A", "X")})

    def results() -> list[float]:
        fresh()
        composition = CONTROL["control multiplies"].build()
        run(composition)
        composition.nodes["CONTROL"].control_signals[0].parameters.modulation.set(pnl.ADDITIVE, composition)
        run(composition)
        return np.ravel(composition.results).tolist()

    with cogir.psyneulink.accelerate(strict=strict):
        if strict:
            with pytest.raises(cogir.psyneulink.UnsupportedFeature, match=r"'slope' is modulated and .* in another mode before"):
                results()
            return
        native = results()
    np.testing.assert_allclose(native, results(), rtol=1e-12)


def test_an_input_port_that_is_overridden_keeps_its_variable() -> None:
    variables = []
    for run in (pnl.Composition.run, cogir.psyneulink.run):
        fresh()
        node = pnl.TransferMechanism(name="A")
        signal = pnl.ControlSignal(modulation=OVERRIDE, modulates=node.input_port)
        control = pnl.ControlMechanism(name="control", control_signals=signal)
        composition = pnl.Composition(name="C")
        composition.add_nodes([(node, pnl.NodeRole.INPUT), (control, pnl.NodeRole.INPUT)])
        run(composition, {node: [[0.5], [0.75]], control: [[0.2], [0.3]]}, context="c")
        assert node.input_port.parameters.value.values["c"] == 0.3
        variables.append(np.array(node.input_port.parameters.variable.values["c"]))
    assert np.array_equal(*variables)


@pytest.mark.parametrize("target", ["input", "output"])
def test_a_disabled_modulation_leaves_the_function_of_a_port(target):
    found = []
    for mode in ("Python", "Auto"):
        fresh()
        first = pnl.TransferMechanism(name="A")
        ports = {
            "input": {"input_ports": [pnl.InputPort(name="I", function=pnl.LinearCombination(offset=5.0))]},
            "output": {"output_ports": [pnl.OutputPort(name="O", function=pnl.Linear(slope=5.0))]},
        }
        last = pnl.TransferMechanism(name="B", **ports[target])
        port = last.input_port if target == "input" else last.output_port
        signal = pnl.ControlSignal(modulates=port, modulation=DISABLE)
        control = pnl.ControlMechanism(name="CONTROL", monitor_for_control=first, control_signals=[signal])
        composition = pnl.Composition(name="C", pathways=[first, last])
        composition.add_node(control)
        with cogir.psyneulink.accelerate(mode, strict=True):
            composition.run({first: [[1.0], [2.0]]})
        found.append(np.asarray(composition.results).ravel().tolist())
    assert found[0] == found[1] == ([6.0, 7.0] if target == "input" else [5.0, 10.0])
