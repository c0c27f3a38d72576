"""
Controllers that simulate each point of their grid several times, with other seeds; and seeds that something else modulates.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.compare import compared, differences, held
from support.psyneulink.golden import fresh

import cogir.psyneulink

pytestmark = pytest.mark.filterwarnings("ignore")

FULL = pytest.mark.full
MIXED = {"mixed": ("cogir", "PsyNeuLink", "cogir")}
INPUTS = {"A": [[1.0], [-0.5]]}


def estimating(*, nested: bool = False, ddm: bool = False, signals: int = 1, **given: Any) -> Callable[[], pnl.Composition]:
    """Builds two nodes that draw, and a controller of the variance of the first that makes two estimates of each of two points."""

    def build() -> pnl.Composition:
        arguments = {"num_estimates": 2, "initial_seed": 5, **given}
        composition = pnl.Composition(name="C", controller_mode=arguments.pop("mode", "after"))
        first = pnl.ProcessingMechanism(name="A", input_shapes=1, function=pnl.GaussianDistort(variance=0.5))
        last = decision() if ddm else pnl.TransferMechanism(name="B", noise=pnl.NormalDist(standard_deviation=0.3))
        composition.add_linear_processing_pathway([first, pnl.Composition(name="I", pathways=[[last]]) if nested else last])
        variables = arguments.pop("random_variables", None)
        if variables is not None:
            arguments["random_variables"] = [first.function]
        searched = [pnl.ControlSignal(modulates=("variance", first), allocation_samples=[1.0, 2.0])]
        searched += [pnl.ControlSignal(modulates=("bias", first), allocation_samples=[0.0, 0.5], cost_options=pnl.CostFunctions.INTENSITY)]
        composition.add_controller(
            pnl.OptimizationControlMechanism(
                agent_rep=composition,
                state_features=[first.input_port],
                objective_mechanism=pnl.ObjectiveMechanism(name="O", monitor=[last.output_ports[0]]),
                function=pnl.GridSearch(**arguments.pop("search", {"save_values": True, "save_samples": True})),
                control_signals=searched[:signals],
                **arguments,
            )
        )
        return composition

    return build


def decision() -> pnl.DDM:
    """A node with two seeds, of which only one is used."""
    function = pnl.DriftDiffusionIntegrator(noise=0.5, threshold=1.0, time_step_size=0.1)
    when = pnl.AtTrialStart()
    return pnl.DDM(
        name="B", function=function, execute_until_finished=True, max_executions_before_finished=3, reset_stateful_function_when=when
    )


@pytest.mark.parametrize(
    "given",
    [
        pytest.param({}, id="independent streams"),
        pytest.param({"noise_stream_policy": "shared_seed"}, id="shared seeds", marks=FULL),
        pytest.param({"same_seed_for_all_allocations": True}, id="same seeds", marks=FULL),
        pytest.param({"num_trials_per_estimate": 2}, id="trials", marks=FULL),
        pytest.param({"random_variables": "one"}, id="one variable", marks=FULL),
        pytest.param({"signals": 2}, id="two signals", marks=FULL),
        pytest.param({"mode": "before"}, id="before", marks=FULL),
        pytest.param({"num_estimates": 1}, id="one estimate", marks=FULL),
        pytest.param({"search": {"direction": "minimize"}}, id="minimize", marks=FULL),
        pytest.param({"search": {"select_randomly_from_optimal_values": True}}, id="ties", marks=FULL),
        pytest.param({"nested": True}, id="nested", marks=FULL),
        pytest.param({"ddm": True}, id="a seed that is not used", marks=FULL),
        pytest.param({"initial_seed": 2**24 // 2 - 3}, id="numbers that begin anew", marks=FULL),
        pytest.param({"initial_seed": 2**31 - 100, "noise_stream_policy": "shared_seed"}, id="large numbers", marks=FULL),
    ],
)
def test_estimates(given: dict[str, Any]) -> None:
    """Choices, saved values and samples, generators, and, as they make the seeds of the searches to come, the numbers of seeds."""
    assert not compared(estimating(**given), INPUTS, runs=MIXED)


def test_seeds_go_on_in_other_contexts_and_in_psyneulink() -> None:
    """PsyNeuLink counts seeds for all contexts together."""

    def seeds(native: bool) -> list[Any]:
        fresh()
        composition = estimating()()
        found = []
        for context in ("one", "other", "one"):
            if native:
                cogir.psyneulink.run(composition, INPUTS, context=context)
            else:
                composition.run(inputs=INPUTS, context=context)
            search = composition.controller.function
            values = search.parameters.saved_values.get(context)
            found.append((composition.controller._seed_counter, list(search.search_space[1].generator), np.round(values, 12).tolist()))
        return found

    assert seeds(native=True) == seeds(native=False)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        pytest.param({"seeds": [1, 9]}, "the seeds for its estimates were changed", id="seeds"),
        pytest.param({"aggregation": np.max}, "its GridSearch has a custom aggregation_function; leave it out", id="aggregation"),
    ],
)
def test_refused(given: dict[str, Any], message: str) -> None:
    fresh()
    composition = estimating()()
    search = composition.controller.function
    if "seeds" in given:
        search.search_space[1] = pnl.SampleIterator(given["seeds"])
    if "aggregation" in given:
        search.parameters.aggregation_function.set(given["aggregation"])
    with pytest.raises(cogir.psyneulink.UnsupportedFeature, match=f"OptimizationControlMechanism 'Optim.*': {message}"):
        cogir.psyneulink.run(composition, INPUTS)


def modulated(make: Callable[[], Any], how: str = pnl.OVERRIDE, line: tuple[float, float] | None = None) -> Callable[[], pnl.Composition]:
    """Builds a node whose seed is what another one says."""

    def build() -> pnl.Composition:
        node, other = make(), pnl.ProcessingMechanism(name="X", input_shapes=1)
        composition = pnl.Composition(name="C", pathways=[node, [other]])
        port: Any = next(port for port in node.parameter_ports if "seed" in port.name)
        if line is not None:
            port = pnl.ControlProjection(receiver=port, function=pnl.Linear(slope=line[0], intercept=line[1]))
        signal = pnl.ControlSignal(modulates=port, modulation=how)
        composition.add_node(pnl.ControlMechanism(name="CONTROL", monitor_for_control=other, control=[signal]))
        return composition

    return build


def distorting() -> pnl.ProcessingMechanism:
    return pnl.ProcessingMechanism(name="A", input_shapes=1, function=pnl.GaussianDistort)


@pytest.mark.parametrize(
    ("make", "given"),
    [
        pytest.param(distorting, {}, id="GaussianDistort"),
        pytest.param(distorting, {"how": pnl.MULTIPLICATIVE}, id="multiply", marks=FULL),
        pytest.param(distorting, {"how": pnl.ADDITIVE}, id="add", marks=FULL),
        pytest.param(distorting, {"how": pnl.DISABLE}, id="disable", marks=FULL),
        pytest.param(distorting, {"line": (2.0, 1.0)}, id="a Projection with a function", marks=FULL),
        pytest.param(lambda: pnl.TransferMechanism(name="A", noise=pnl.NormalDist()), {}, id="NormalDist", marks=FULL),
        pytest.param(lambda: pnl.TransferMechanism(name="A", noise=pnl.UniformToNormalDist()), {}, id="a deaf Function", marks=FULL),
        pytest.param(lambda: pnl.DDM(name="A", function=pnl.DriftDiffusionAnalytical()), {}, id="DDM", marks=FULL),
    ],
)
def test_a_modulated_seed(make: Callable[[], Any], given: dict[str, Any]) -> None:
    """A generator starts anew when the whole part of its seed becomes another one, and goes on otherwise."""
    assert not compared(modulated(make, **given), {"A": [[0.5], [0.6], [0.7], [0.8]], "X": [[3.0], [3.2], [3.0], [7.0]]})


def test_what_is_not_known_of_seeds_is_refused() -> None:
    fresh()
    node = modulated(lambda: pnl.ProcessingMechanism(name="A", input_shapes=[2, 2], function=pnl.OneHot(mode=pnl.PROB)))
    with pytest.raises(cogir.psyneulink.UnsupportedFeature, match="'A': the seed of its OneHot is modulated, which has an effect"):
        cogir.from_psyneulink(node())
    fresh()
    with pytest.raises(cogir.psyneulink.UnsupportedFeature, match="its 'seed' through a Projection with a function; use OVERRIDE"):
        cogir.from_psyneulink(modulated(distorting, how=pnl.ADDITIVE, line=(2.0, 1.0))())


def test_what_is_no_seed_is_an_error_as_in_psyneulink() -> None:
    """Trials in which a modulation makes a negative seed are undone, and run in PsyNeuLink, which fails in the second of them."""

    def left() -> dict[tuple[str, str], Any]:
        fresh()
        composition = modulated(distorting)()
        composition.run({"A": [[0.5], [0.6]], "X": [[3.0], [-0.5]]})
        with pytest.raises(ValueError, match="Seed must be between 0"):
            composition.run({"A": [[0.5], [0.6], [0.7]], "X": [[4.0], [-2.0], [5.0]]})
        composition.run({"A": [[0.5]], "X": [[7.0]]})
        return held(composition, "C")

    expected = left()
    with (
        cogir.psyneulink.accelerate(),
        pytest.warns(cogir.psyneulink.FallbackWarning, match='"A" failed in trial 1: its seed is modulated, and was negative'),
    ):
        assert not list(differences(expected, left()))


def test_a_seed_that_is_modulated_in_a_simulation_is_refused() -> None:
    fresh()
    composition = modulated(distorting)()
    signal = pnl.ControlSignal(modulates=(pnl.SLOPE, composition.nodes["X"]), allocation_samples=[1.0, 2.0])
    search = {"function": pnl.GridSearch(), "monitor_for_control": [composition.nodes["A"]], "control_signals": [signal]}
    composition.add_controller(pnl.OptimizationControlMechanism(agent_rep=composition, **search))
    with pytest.raises(cogir.psyneulink.UnsupportedFeature, match="modulates a seed in 'A', which it simulates; leave the seed alone"):
        cogir.from_psyneulink(composition)


def test_a_seed_that_was_set_between_runs() -> None:
    """PsyNeuLink throws the generator away when its seed is set."""

    def results(run: Callable[[pnl.Composition], Any]) -> list[float]:
        fresh()
        composition = pnl.Composition(name="C", pathways=[distorting()])
        run(composition)
        composition.nodes["A"].function.parameters.seed.set(5, composition.default_execution_id)
        run(composition)
        return np.ravel(composition.results).tolist()

    native = results(lambda composition: cogir.psyneulink.run(composition, {"A": [[0.0], [0.0]]}))
    assert native == results(lambda composition: composition.run({"A": [[0.0], [0.0]]}))


@pytest.mark.parametrize("mode", ["python", "exec", "run"])
def test_a_seed_that_is_none_stops_a_model_by_itself(mode: str) -> None:
    """Outside of `accelerate`, where nobody falls back, the run ends before the trial in which PsyNeuLink fails."""
    fresh()
    compiled = cogir.from_psyneulink(modulated(distorting)()).compile(mode=mode)
    expected = compiled.run({"A": [[0.5], [0.6]], "X": [[3.0], [4.0]]}).rows.tolist()
    compiled.reset()
    with pytest.raises(cogir.ExecutionError, match=r'"A" failed.*its seed is modulated, and was negative or at least 2') as caught:
        compiled.run({"A": [[0.5], [0.6], [0.7]], "X": [[3.0], [4.0], [-2.0]]})
    assert caught.value.result.rows.tolist() == expected
