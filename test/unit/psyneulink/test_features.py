"""
State features of an OptimizationControlMechanism: what its simulations get as inputs, in PsyNeuLink and in cogir.
"""

import warnings
from collections.abc import Callable
from typing import Any

import pytest
from support.psyneulink_needed import require_psyneulink

require_psyneulink()

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import psyneulink as pnl
    from support.psyneulink_compare import compared
    from support.psyneulink_golden import fresh

import cogir.psyneulink  # noqa: E402

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
    ],
)
def test_state_features(given: dict[str, Any]) -> None:
    assert not compared(with_features(**given), INPUTS, runs=MIXED)


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


def test_a_feature_with_a_function_is_refused() -> None:
    fresh()
    composition = with_features(state_feature_function=pnl.Buffer(history=2))()
    with pytest.raises(cogir.psyneulink.UnsupportedFeature, match=r"its state feature .* has a function; leave it out"):
        cogir.psyneulink.run(composition, INPUTS)
