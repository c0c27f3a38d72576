"""
The comparison with PsyNeuLink sees what it should: nothing between a Composition and itself, and each planted difference by name.
"""

import numpy as np
import pytest
from support.psyneulink import compare, pnl
from support.psyneulink.compare import CATEGORIES, RUNS, compared, differences, held, same
from support.psyneulink.golden import fresh

pytestmark = pytest.mark.filterwarnings("ignore")

INPUTS = {"A": [[1.0, 0.5], [0.2, -0.3]]}


def build() -> pnl.Composition:
    noisy = pnl.TransferMechanism(
        name="B", input_shapes=2, integrator_mode=True, integration_rate=0.3, noise=pnl.NormalDist(standard_deviation=0.1)
    )
    return pnl.Composition(name="C", pathways=[pnl.TransferMechanism(name="A", input_shapes=2), noisy])


def run(composition: pnl.Composition) -> pnl.Composition:
    composition.run(inputs=INPUTS, context="x")
    return composition


def put(component: object, parameter: str, value: object) -> None:
    getattr(component.parameters, parameter).final_source.values["x"] = value


def noise_of(composition: pnl.Composition) -> pnl.Function:
    return composition.nodes["B"].integrator_function.parameters.noise.get("x")


PLANTED = {
    "result port 0": lambda c: put(c, "results", np.array(c.parameters.results.get("x")) * (1 + 1e-11)),
    "port A[InputPort-0].value": lambda c: put(c.nodes["A"].input_port, "value", np.array([0.2, -0.3 - 1e-11])),
    "port B[RESULT].value": lambda c: put(c.nodes["B"].output_port, "value", np.zeros(2)),
    "mechanism B.value": lambda c: put(c.nodes["B"], "value", np.zeros((1, 2))),
    "mechanism B.variable": lambda c: put(c.nodes["B"], "variable", np.zeros((1, 3))),
    "function B.function.value": lambda c: put(c.nodes["B"].function, "value", None),
    "state B.integrator_function.previous_value": lambda c: put(c.nodes["B"].integrator_function, "previous_value", np.zeros((1, 2))),
    "cim C Output_CIM[OUTPUT_CIM_B_RESULT].value": lambda c: put(c.output_CIM.output_port, "value", np.zeros(2)),
    "generator B.integrator_function.noise.random_state": lambda c: noise_of(c).parameters.random_state.get("x").uniform(),
    "parameter B[slope].value": lambda c: put(c.nodes["B"].parameter_ports["slope"], "value", 3.0),
    "projection MappingProjection from A[RESULT] to B[InputPort-0].value": lambda c: put(
        c.nodes["B"].path_afferents[0], "value", np.zeros(2)
    ),
    "count B.num_executions": lambda c: put(c.nodes["B"], "num_executions", None),
    "clock time": lambda c: c.scheduler.get_clock("x")._increment_time(pnl.TimeScale.RUN),
}


@pytest.fixture(scope="module")
def after_a_run() -> pnl.Composition:
    fresh()
    return run(build())


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_difference_is_found(name: str, after_a_run: pnl.Composition) -> None:
    before = held(after_a_run, "x")
    assert not list(differences(before, held(after_a_run, "x")))
    PLANTED[name](after_a_run)
    assert [line.split(":")[0] for line in differences(before, held(after_a_run, "x"))] == [name]


def test_two_built_alike_hold_the_same() -> None:
    fresh()
    again = held(run(build()), "x")
    fresh()
    assert not list(differences(held(run(build()), "x"), again))


def test_every_category_is_planted() -> None:
    assert {name.split()[0] for name in PLANTED} == set(CATEGORIES)


def test_the_rule() -> None:
    assert same([1.0, 1e-13], [1.0 + 1e-13, 0.0])
    assert not same([0.0, 1e-11], [1.0, 0.0])
    assert not same([1.0], [[1.0]])
    assert same([np.nan, np.inf], [np.nan, np.inf])
    assert not same([np.nan, np.inf], [np.nan, -np.inf])
    assert not same([1.0, np.nan], [1.0, 2.0])
    assert same([np.zeros(1), np.zeros(2)], [np.zeros(1), np.zeros(2)])
    assert not same([np.zeros(1), np.zeros(2)], [np.zeros(1), np.full(2, 1.0)])


def test_cogir_and_psyneulink_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = ("result", "port", "state", "generator")
    native = compare.cogir.psyneulink.run

    def wrong(composition: pnl.Composition, *args: object, context: str, mode: str) -> None:
        native(composition, *args, context=context, mode=mode)
        if context == "interleaved":
            composition.nodes["B"].integrator_function.parameters.previous_value.values[context] += 0.001

    monkeypatch.setattr(compare.cogir.psyneulink, "run", wrong)
    assert any("interleaved, run 2 (cogir): state B.integrator_function" in line for line in compared(build, INPUTS, kept=kept))
    assert RUNS["interleaved"] == ("PsyNeuLink", "cogir", "PsyNeuLink")
