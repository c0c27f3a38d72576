"""
State features of an OptimizationControlMechanism: what its simulations get as inputs, in PsyNeuLink and in cogir.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.compare import compared
from support.psyneulink.golden import fresh

import cogir.psyneulink

pytestmark = pytest.mark.filterwarnings("ignore")

FULL = pytest.mark.full
INPUTS = {"A": [[1.0], [2.0]], "X": [[0.5, 1.0], [1.0, -1.0]]}
MIXED = {"mixed": ("cogir", "PsyNeuLink", "cogir")}


def with_features(**given: Any) -> Callable[[], pnl.Composition]:
    """Builds A -> B <- X, of which X has a default of its own; what is given for the controller is made of the three."""

    def build() -> pnl.Composition:
        first, last = (pnl.ProcessingMechanism(name=name, input_shapes=1) for name in "AB")
        other = pnl.TransferMechanism(name="X", default_variable=[[0.5, 0.25]])
        composition = pnl.Composition(name="C", controller_mode=given.get("mode", "after"))
        composition.add_linear_processing_pathway([first, last])
        composition.add_node(other)
        composition.add_projection(pnl.MappingProjection(other, last, matrix=[[1.0], [1.0]]), other, last)
        made = {
            name: value(first, last, other) if isinstance(value, type(lambda: None)) else value
            for name, value in given.items()
            if name != "mode"
        }
        composition.add_controller(
            pnl.OptimizationControlMechanism(
                agent_rep=composition,
                objective_mechanism=pnl.ObjectiveMechanism(name="O", monitor=[last]),
                function=pnl.GridSearch(save_values=True),
                control_signals=[pnl.ControlSignal(modulates=("slope", first), allocation_samples=[1.0, 2.0])],
                **made,
            )
        )
        return composition

    return build


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "given",
    [
        pytest.param({"state_features": None}, id="none", marks=FULL),
        pytest.param({"state_features": lambda a, b, x: [3.0, [1.0, 2.0]]}, id="numbers", marks=FULL),
        pytest.param({"state_features": lambda a, b, x: [b.output_port, x.input_port]}, id="a port"),
        pytest.param({"state_features": lambda a, b, x: [b.output_port, x.input_port], "mode": "before"}, id="a port, before", marks=FULL),
        pytest.param({"state_features": lambda a, b, x: {a: a.input_port}}, id="one of them", marks=FULL),
        pytest.param({"state_features": lambda a, b, x: {a: a.input_port}, "state_feature_default": None}, id="default input"),
        pytest.param({"state_features": lambda a, b, x: {a: 2.0}}, id="a number for one", marks=FULL),
        pytest.param({"state_features": lambda a, b, x: {x}}, id="set", marks=FULL),
        pytest.param({"state_features": lambda a, b, x: [None, x]}, id="None in a list", marks=FULL),
        pytest.param({"state_features": lambda a, b, x: [b.input_port, x]}, id="all that a Node gets"),
        pytest.param(
            {"state_features": lambda a, b, x: [b.input_port, x], "mode": "before"}, id="all that a Node gets, before", marks=FULL
        ),
    ],
)
def test_state_features(given: dict[str, Any]) -> None:
    assert not compared(with_features(**given), INPUTS, runs=MIXED)


def doubled(variable):
    """A function of the user's own."""
    return variable * 2.0 + 1.0


FUNCTIONS: dict[str, dict[str, Any]] = {
    "AdaptiveIntegrator": {"state_feature_function": lambda a, b, x: pnl.AdaptiveIntegrator(rate=0.3)},
    "AdaptiveIntegrator, before": {"state_feature_function": lambda a, b, x: pnl.AdaptiveIntegrator(rate=0.3), "mode": "before"},
    "SimpleIntegrator": {"state_feature_function": lambda a, b, x: pnl.SimpleIntegrator(rate=0.5)},
    "SimpleIntegrator with a start": {"state_feature_function": lambda a, b, x: pnl.SimpleIntegrator(rate=0.5, initializer=0.5)},
    "AccumulatorIntegrator": {"state_feature_function": lambda a, b, x: pnl.AccumulatorIntegrator(increment=0.3)},
    "LeakyCompetingIntegrator": {"state_feature_function": lambda a, b, x: pnl.LeakyCompetingIntegrator(leak=0.3)},
    "Linear": {"state_feature_function": lambda a, b, x: pnl.Linear(slope=2.0, intercept=1.0)},
    "LinearCombination": {"state_feature_function": lambda a, b, x: pnl.LinearCombination(scale=3.0)},
    "a Python function": {"state_features": lambda a, b, x: [(a.input_port, pnl.UserDefinedFunction(custom_function=doubled)), x]},
    "SoftMax of one": {"state_features": lambda a, b, x: [a.input_port, (x.input_port, pnl.SoftMax)]},
    "noise": {"state_feature_function": lambda a, b, x: pnl.GaussianDistort(variance=0.5)},
    "noise and estimates": {"state_feature_function": lambda a, b, x: pnl.GaussianDistort(variance=0.5), "num_estimates": 3},
    "integrators with noise": {
        "state_features": lambda a, b, x: [
            (port, pnl.AdaptiveIntegrator(rate=0.5, noise=pnl.NormalDist(standard_deviation=0.1))) for port in (a.input_port, x.input_port)
        ]
    },
    "several trials": {"state_feature_function": lambda a, b, x: pnl.AdaptiveIntegrator(rate=0.5), "num_trials_per_estimate": 3},
    "a dict": {"state_features": lambda a, b, x: {a: (a.input_port, pnl.AdaptiveIntegrator(rate=0.25)), x: x.input_port}},
    "ports": {"state_features": lambda a, b, x: [(b.output_port, pnl.Linear(slope=3.0)), (x.input_port, pnl.AdaptiveIntegrator(rate=0.2))]},
    "ports, before": {"state_features": lambda a, b, x: [(b.output_port, pnl.SimpleIntegrator), x.input_port], "mode": "before"},
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", [pytest.param(name, marks=[FULL] if index % 4 else []) for index, name in enumerate(FUNCTIONS)])
def test_functions_of_state_features(name: str) -> None:
    assert not compared(with_features(**FUNCTIONS[name]), INPUTS, runs=MIXED)


def test_a_function_takes_one_step_whenever_the_controller_acts() -> None:
    """Trials without a search leave the integrator where it is, and so do simulations, of which there are two of two trials each."""

    def build() -> pnl.Composition:
        composition = with_features(
            state_feature_function=lambda a, b, x: pnl.AdaptiveIntegrator(rate=0.5), num_trials_per_estimate=2, mode="before"
        )()
        composition.controller_condition = pnl.AfterNTrials(2, time_scale=pnl.TimeScale.RUN)
        return composition

    inputs = {"A": [[1.0], [2.0], [4.0], [8.0]], "X": [[0.5, 1.0]] * 4}
    assert not compared(build, inputs, runs=MIXED)


def test_the_numbers_of_a_function_are_read_again_before_each_run() -> None:
    def results(run: Callable[[pnl.Composition], Any]) -> list[Any]:
        fresh()
        composition = with_features(state_feature_function=lambda a, b, x: pnl.AdaptiveIntegrator(rate=0.5))()
        found: list[Any] = []
        for rate in (0.5, 0.25):
            for port in composition.controller.state_input_ports:
                port.function.parameters.rate.set(rate, composition)
            run(composition)
            found.append(composition.controller.saved_values.tolist())
        composition.controller.state_input_ports[0].function.parameters.previous_value.set(np.array([[7.0]]), composition)
        run(composition)
        return [*found, composition.controller.saved_values.tolist(), composition.results.tolist()]

    expected = results(lambda composition: composition.run(inputs=INPUTS))
    assert results(lambda composition: cogir.psyneulink.run(composition, INPUTS)) == expected


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"state_feature_function": lambda a, b, x: pnl.Buffer(history=2)}, "the value of its function Buffer grows"),
        (
            {"state_features": lambda a, b, x: [(3.0, pnl.AdaptiveIntegrator()), x]},
            "has a function of constants, which each",
        ),
        ({"state_features": lambda a, b, x: [(b.input_port, pnl.AdaptiveIntegrator()), x]}, "several Projections to .* whose function"),
        ({"state_feature_function": lambda a, b, x: pnl.AdaptiveIntegrator(noise=pnl.NormalDist())}, "draw noise from one generator"),
        ({"state_feature_function": lambda a, b, x: pnl.SoftMax(adapt_entropy_weighting=0.5)}, "adapt_entropy_weighting is set to"),
    ],
)
def test_functions_that_are_refused(given: dict[str, Any], said: str) -> None:
    fresh()
    composition = with_features(**given)()
    with pytest.raises(cogir.psyneulink.UnsupportedFeature, match=said):
        cogir.psyneulink.run(composition, INPUTS)


def two_inputs() -> pnl.Composition:
    """Two inputs of one length; the simulations get them the other way round."""
    first, other = (pnl.ProcessingMechanism(name=name, input_shapes=1) for name in "AX")
    last = pnl.ProcessingMechanism(name="B", input_shapes=1)
    composition = pnl.Composition(name="C", pathways=[[first, last], [other, last]])
    composition.add_controller(
        pnl.OptimizationControlMechanism(
            agent_rep=composition,
            state_features=[other.input_port, first.input_port],
            objective_mechanism=pnl.ObjectiveMechanism(name="O", monitor=[last]),
            function=pnl.GridSearch(save_values=True),
            control_signals=[pnl.ControlSignal(modulates=("slope", first), allocation_samples=[1.0, 2.0])],
        )
    )
    return composition


def test_inputs_change_places() -> None:
    assert not compared(two_inputs, {"A": [[1.0], [2.0]], "X": [[3.0], [-4.0]]}, runs=MIXED)


def nested_source() -> pnl.Composition:
    """The state feature comes from a Node two Compositions deep: PsyNeuLink adds its value to that of the output in which it is shown."""
    first, other = (pnl.ProcessingMechanism(name=name) for name in "AX")
    inner = pnl.Composition(name="INNER", nodes=[first, other])
    middle = pnl.Composition(name="MIDDLE", nodes=[inner])
    composition = pnl.Composition(name="C", nodes=[middle])
    composition.add_controller(
        pnl.OptimizationControlMechanism(
            state_features=first.output_port,
            objective_mechanism=pnl.ObjectiveMechanism(monitor=[other]),
            function=pnl.GridSearch(save_values=True),
            allow_probes=True,
            control_signals=[pnl.ControlSignal(modulates=("slope", other), allocation_samples=[1.0, -2.0])],
        )
    )
    return composition


def test_a_source_in_nested_compositions() -> None:
    assert not compared(nested_source, lambda composition: {composition.nodes[0]: [[[1.0], [2.0]], [[-3.0], [4.0]]]}, runs=MIXED)


def test_a_port_shadows_one_that_is_no_input() -> None:
    """B gets from A what X gets from it."""

    def build() -> pnl.Composition:
        first, other = (pnl.TransferMechanism(name=name, input_shapes=2) for name in "AX")
        last = pnl.TransferMechanism(name="B", function=pnl.Logistic, input_ports=[other.input_port])
        composition = pnl.Composition(name="C", pathways=[[first, other]])
        composition.add_node(last)
        return composition

    assert not compared(build, {"A": [[1.0, 2.0], [3.0, -1.0]]}, runs=MIXED)
