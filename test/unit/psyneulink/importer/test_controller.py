"""
An OptimizationControlMechanism with GridSearch, in PsyNeuLink and in cogir: choices, costs and all that is left behind.
"""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.compare import KEPT, compared, differences, held
from support.psyneulink.golden import fresh

import cogir.psyneulink
from cogir.psyneulink import accelerate
from cogir.psyneulink.execution.session import sessions_of
from cogir.psyneulink.state.lazy_values import PENDING

pytestmark = pytest.mark.filterwarnings("ignore")

COSTS = pnl.CostFunctions
INPUTS = {"A": [[30.0], [0.1], [4.0]]}
"""With these the choices go up and down."""

MIXED = {"mixed": ("cogir", "PsyNeuLink", "cogir")}
"""PsyNeuLink needs a second for a few searches, so there is one context only."""


def slope(**given: Any) -> Callable[[], pnl.Composition]:
    """Builds two nodes; a controller chooses the slope of the first from 1, 2 and 3."""

    def build() -> pnl.Composition:
        arguments = dict(given)
        modulated = arguments.pop("modulated", "slope")
        signal = {"allocation_samples": [1.0, 2.0, 3.0], "cost_options": COSTS.INTENSITY, **arguments.pop("signal", {})}
        node = pnl.ProcessingMechanism(name="A", input_shapes=1, **arguments.pop("node", {}))
        last = pnl.ProcessingMechanism(name="B", input_shapes=1)
        composition = pnl.Composition(name="C", **arguments.pop("composition", {}))
        composition.add_linear_processing_pathway([node, last])
        search = pnl.GridSearch(**{"save_values": True, **arguments.pop("search", {})})
        controller = {"state_features": [node], "objective_mechanism": pnl.ObjectiveMechanism(name="O", monitor=[last]), **arguments}
        composition.add_controller(
            pnl.OptimizationControlMechanism(
                agent_rep=composition,
                function=search,
                control_signals=[pnl.ControlSignal(modulates=(modulated, node), **signal)],
                **controller,
            )
        )
        return composition

    return build


FULL = pytest.mark.full
"""Such a comparison takes PsyNeuLink seconds; a few of each kind stand for the others in quick runs."""


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(COSTS.NONE, marks=FULL),
        pytest.param(COSTS.INTENSITY, marks=FULL),
        pytest.param(COSTS.ADJUSTMENT, marks=FULL),
        COSTS.DURATION,
        COSTS.INTENSITY | COSTS.ADJUSTMENT,
    ],
    ids=str,
)
def test_costs(options: pnl.CostFunctions) -> None:
    assert not compared(slope(signal={"cost_options": options}), INPUTS, runs=MIXED)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "given",
    [
        pytest.param({"composition": {"controller_mode": "before"}}, id="before"),
        pytest.param({"search": {"direction": pnl.MINIMIZE}}, id="minimize", marks=FULL),
        pytest.param({"search": {"save_values": False, "save_samples": True}}, id="samples", marks=FULL),
        pytest.param({"search": {"select_randomly_from_optimal_values": True}, "signal": {"cost_options": COSTS.NONE}}, id="ties"),
        pytest.param({"num_trials_per_estimate": 3}, id="trials", marks=FULL),
        pytest.param({"signal": {"modulation": pnl.ADDITIVE}}, id="add", marks=FULL),
        pytest.param({"signal": {"modulation": pnl.OVERRIDE}}, id="override"),
        pytest.param({"signal": {"allocation_samples": pnl.SampleSpec(start=0.5, stop=2.0, step=0.5)}}, id="steps", marks=FULL),
    ],
)
def test_searches(given: dict[str, Any]) -> None:
    inputs = {"A": [[0.0], [1.0], [0.0]]} if "select_randomly_from_optimal_values" in given.get("search", {}) else INPUTS
    assert not compared(slope(**given), inputs, runs=MIXED)


def test_what_a_search_has_found() -> None:
    """What is asked for through getters, and what PsyNeuLink keeps as plain attributes."""

    def found(run: Callable[[pnl.Composition], Any]) -> list[Any]:
        fresh()
        composition = slope()()
        run(composition)
        controller, key = composition.controller, composition.default_execution_id
        parameters = [controller.parameters.control_allocation, controller.parameters.costs, controller.parameters.net_outcome]
        saved = [controller.function.parameters.saved_values, controller.parameters.saved_values]
        values = [parameter.get(key) for parameter in (*saved, *parameters)]
        return [np.asarray(value).tolist() for value in (*values, controller.optimal_control_allocation, controller.optimal_net_outcome)]

    python = found(lambda composition: composition.run(INPUTS))
    native = found(lambda composition: cogir.psyneulink.run(composition, INPUTS))
    assert [np.shape(value) for value in native] == [np.shape(value) for value in python]
    for one, other in zip(native, python, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)


def test_costs_that_are_asked_for() -> None:
    """PsyNeuLink computes them anew from the intensity before; the samples that it saves, and the best, are of the kind of the levels."""

    def found(run: Callable[[pnl.Composition], Any]) -> list[Any]:
        fresh()
        signal = {"allocation_samples": [1, 2, 3], "cost_options": COSTS.INTENSITY | COSTS.ADJUSTMENT}
        composition = slope(signal=signal, search={"save_samples": True})()
        seen: list[Any] = []
        for inputs in (INPUTS, {"A": [[0.1]]}, {"A": [[30.0]]}, {"A": [[30.0]]}):
            run(composition)(inputs)
            signal = composition.controller.control_signals[0]
            seen += [np.asarray(composition.controller.costs).tolist(), signal.parameters.intensity.get_previous("C").tolist()]
        samples = composition.controller.function.saved_samples
        best = composition.controller.function.parameters.value.get("C")[0]
        return [*seen, samples.dtype, samples.tolist(), best.dtype, best.tolist()]

    python = found(lambda composition: composition.run)
    assert found(lambda composition: lambda inputs: cogir.psyneulink.run(composition, inputs)) == python


def test_searches_that_nobody_looks_at_write_nothing() -> None:
    fresh()
    composition = slope()()
    for _ in range(5):
        cogir.psyneulink.run(composition, {"A": [[30.0]]})
    assert sessions_of(composition)[-1].mirrors[composition.default_execution_id] in PENDING.pending
    assert composition.controller.value.tolist() == [[3.0]]


def test_changed_levels_and_costs_are_seen() -> None:
    fresh()
    composition = slope()()
    cogir.psyneulink.run(composition, {"A": [[30.0]]})
    signal = composition.controller.control_signals[0]
    assert composition.controller.value.tolist() == [[3.0]]
    signal.function.intensity_cost_fct.parameters.rate.set(10.0, composition.default_execution_id)
    cogir.psyneulink.run(composition, {"A": [[30.0]]})
    assert composition.controller.value.tolist() == [[1.0]]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        pytest.param(
            {"composition": {"controller_time_scale": pnl.TimeScale.PASS}},
            "its controller_time_scale is PASS and its controller_mode 'after'; use TimeScale.TRIAL",
            id="scale",
        ),
        pytest.param({"search_statefulness": False}, "its search_statefulness is False; leave it True", id="search_statefulness"),
        pytest.param({"combine_costs": np.max}, "it has a custom combine_costs; use np.sum", id="combination"),
        pytest.param(
            {"compute_reconfiguration_cost": lambda both: 1.0},
            "it has a compute_reconfiguration_cost; use the costs of its ControlSignals",
            id="reconfiguration",
        ),
    ],
)
def test_refused(given: dict[str, Any], message: str) -> None:
    fresh()
    with pytest.raises(
        cogir.psyneulink.UnsupportedFeature, match=f"OptimizationControlMechanism 'OptimizationControlMechanism-0': {message}"
    ):
        cogir.psyneulink.run(slope(**given)(), INPUTS)


@pytest.mark.parametrize(
    "given",
    [
        {"controller_condition": pnl.AtTrial(1)},
        pytest.param({"controller_condition": pnl.AtTrial(1), "controller_mode": "before"}, marks=FULL),
        pytest.param({"controller_condition": pnl.AfterPass(0)}, marks=FULL),
        pytest.param({"controller_condition": pnl.Not(pnl.AtTrial(0))}, marks=FULL),
        pytest.param({"controller_time_scale": pnl.TimeScale.RUN, "controller_mode": "before"}, marks=FULL),
    ],
    ids=lambda given: " ".join(map(str, given.values())),
)
def test_when_a_controller_searches(given: dict[str, Any]) -> None:
    assert not compared(slope(composition=given), INPUTS, runs=MIXED)


def test_a_disabled_controller() -> None:
    """Its signals go on to modulate."""

    def results(run: Callable[[pnl.Composition], Any]) -> list[float]:
        fresh()
        composition = slope()()
        for enabled in (True, False, True):
            composition.enable_controller = enabled
            run(composition)
        return np.ravel(composition.results).tolist()

    native = results(lambda composition: cogir.psyneulink.run(composition, INPUTS))
    assert native == results(lambda composition: composition.run(INPUTS))


@pytest.mark.parametrize("mode", ["after", pytest.param("before", marks=FULL)])
@pytest.mark.parametrize("at", [None, 0, pytest.param(1, marks=FULL)])
def test_what_signals_bring(mode: str, at: int | None) -> None:
    """Projections show what they brought in the last trial: the last choice, that before it, or what a script has put in its place."""

    def after_each(run: Callable[[pnl.Composition], Any]) -> list[Any]:
        fresh()
        found: list[Any] = []
        composition = slope(composition={"controller_mode": mode})()
        signal = composition.controller.control_signals[0].parameters.value
        if at is not None:
            composition.controller_condition = pnl.AtTrial(at)
        for enabled, value in ((True, None), (True, None), (False, None), (False, 2.5), (True, None)):
            composition.enable_controller = enabled
            if value is not None:
                signal.set(np.array([value]), composition.default_execution_id, override=True)
            run(composition)
            found.append(held(composition, composition.default_execution_id))
        return found

    native = after_each(lambda composition: cogir.psyneulink.run(composition, INPUTS))
    expected = after_each(lambda composition: composition.run(INPUTS))
    kept = [category for category in KEPT if category != "count"]
    assert [line for pair in zip(expected, native, strict=True) for line in differences(*pair, kept)] == []


def controllers_on_two_levels() -> pnl.Composition:
    """A controller in a nested Composition looks for the least, the outer one for the most of the same node."""

    def search(composition: pnl.Composition, node: Any, seen: Any, direction: str) -> pnl.OptimizationControlMechanism:
        signal = pnl.ControlSignal(modulates=("slope", node), allocation_samples=[1.0, 2.0], cost_options=COSTS.NONE)
        return pnl.OptimizationControlMechanism(
            agent_rep=composition,
            state_features=[node.input_port],
            objective_mechanism=pnl.ObjectiveMechanism(monitor=[seen.output_port]),
            function=pnl.GridSearch(direction=direction),
            control_signals=[signal],
        )

    outer, first, last = (pnl.ProcessingMechanism(name=name) for name in ("A", "B", "C"))
    inner = pnl.Composition(name="INNER", pathways=[[first, last]])
    inner.add_controller(search(inner, first, last, pnl.MINIMIZE))
    composition = pnl.Composition(name="OUTER")
    composition.add_linear_processing_pathway([outer, inner])
    composition.add_controller(search(composition, outer, last, pnl.MAXIMIZE))
    return composition


@FULL
def test_controllers_on_two_levels() -> None:
    assert not compared(controllers_on_two_levels, {"A": [[2.0], [-3.0]]}, runs=MIXED)


def test_a_condition_that_counts_in_simulations_is_refused() -> None:
    fresh()
    composition = slope()()
    composition.scheduler.add_condition(composition.nodes["B"], pnl.NWhen(pnl.Always(), 2))
    with pytest.raises(cogir.psyneulink.UnsupportedFeature, match="NWhen, whose count starts again in each simulation"):
        cogir.psyneulink.run(composition, INPUTS)


def test_resets_of_a_run_that_simulates(recwarn: pytest.WarningsRecorder) -> None:
    """PsyNeuLink does not take them back: its simulations are runs of their own, and it remembers what to put back for one run only."""

    def last_results(call: Any) -> list[float]:
        fresh()
        node = pnl.TransferMechanism(name="A", integrator_mode=True, integration_rate=0.3)
        composition = pnl.Composition(name="C", pathways=[node])
        signal = pnl.ControlSignal(modulates=("slope", node), allocation_samples=[1.0, 2.0])
        settings = {"state_features": [node.input_port], "objective_mechanism": pnl.ObjectiveMechanism(monitor=[node])}
        composition.add_controller(
            pnl.OptimizationControlMechanism(agent_rep=composition, control_signals=[signal], function=pnl.GridSearch(), **settings)
        )
        with call:
            composition.run({node: [[1.0], [2.0]]}, reset_stateful_functions_when=pnl.AtTrial(1))
            composition.run({node: [[1.0], [2.0], [3.0]]})
        return np.ravel(composition.results).tolist()

    accelerated = last_results(cogir.psyneulink.accelerate())
    assert accelerated == last_results(cogir.psyneulink.accelerate("Python"))
    assert any("reset_stateful_functions_when, which PsyNeuLink does not restore" in str(each.message) for each in recwarn)


def fed_by_itself() -> tuple[Any, Any]:
    """A node to whose InputPort its own output comes as well as the input."""
    first = pnl.RecurrentTransferMechanism(name="A", auto=0.5, hetero=0.0)
    return first, pnl.Composition(name="C", pathways=[first, pnl.TransferMechanism(name="B", function=pnl.Linear(slope=-1.0))])


def fed_by_feedback() -> tuple[Any, Any]:
    """A node to which the one after it projects."""
    first, last = (pnl.TransferMechanism(name=name) for name in "AB")
    composition = pnl.Composition(name="C", pathways=[first, last])
    composition.add_projection(pnl.MappingProjection(last, first, matrix=[[0.9]]), feedback=True)
    return first, composition


@pytest.mark.parametrize("mode", ["after", pytest.param("before", marks=FULL)])
@pytest.mark.parametrize("nodes", [fed_by_itself, fed_by_feedback])
def test_a_shadow_of_more_than_an_input(nodes: Callable[[], tuple[Any, Any]], mode: str) -> None:
    """PsyNeuLink brings to a shadow of an InputPort all that comes to that port, which is no input of the trial."""

    def build() -> pnl.Composition:
        first, composition = nodes()
        last = composition.nodes["B"]
        signal = pnl.ControlSignal(modulates=("slope", last), allocation_samples=[1.0, 2.0])
        settings = {"state_features": [first.input_port], "objective_mechanism": pnl.ObjectiveMechanism(monitor=[last])}
        composition.add_controller(
            pnl.OptimizationControlMechanism(agent_rep=composition, control_signals=[signal], function=pnl.GridSearch(), **settings)
        )
        composition.controller_mode = mode
        return composition

    assert not compared(build, {"A": [[0.5], [-2.0], [1.0]]}, runs=MIXED)


@pytest.mark.parametrize(
    "given",
    [
        pytest.param({}, id="nothing else"),
        pytest.param({"signal": {"cost_options": COSTS.INTENSITY | COSTS.ADJUSTMENT}}, id="costs", marks=FULL),
        pytest.param({"state_features": [[3.0]]}, id="features", marks=FULL),
        pytest.param({"search": {"select_randomly_from_optimal_values": True}}, id="ties", marks=FULL),
    ],
)
def test_a_search_without_an_outcome(given: dict[str, Any]) -> None:
    """PsyNeuLink gives all points the net outcome zero, whatever they cost, and so chooses the first of them, or one at random."""
    assert not compared(slope(**{"objective_mechanism": None, "state_features": None, **given}), INPUTS, runs=MIXED)


def test_a_duration_cost_without_an_outcome_is_refused() -> None:
    fresh()
    composition = slope(objective_mechanism=None, signal={"cost_options": COSTS.DURATION})()
    with pytest.raises(cogir.psyneulink.UnsupportedFeature, match="has a duration cost, but it monitors nothing"):
        cogir.psyneulink.run(composition, INPUTS)


@pytest.mark.parametrize("estimates", [None, 3])
def test_a_search_by_psyneulinks_compiler_is_native_as_in_python_mode(estimates):
    """With several estimates PsyNeuLink's compiler makes other simulations than its Python mode."""

    def allocations(native):
        fresh()
        noisy = {"node": {"function": pnl.GaussianDistort}, "modulated": "variance", "num_estimates": estimates, "initial_seed": 3}
        given = {**noisy, "same_seed_for_all_allocations": True} if estimates else {}
        composition = slope(comp_execution_mode="LLVM" if native else "Python", **given)()
        with accelerate(strict=True) if native else nullcontext():
            composition.run(inputs={"A": [[1.0], [-2.0], [0.5]]})
        return np.ravel(composition.results), composition.controller.parameters.saved_values.get(composition.default_execution_id)

    for wanted, found in zip(allocations(False), allocations(True), strict=True):
        np.testing.assert_allclose(np.ravel(found), np.ravel(wanted), rtol=1e-12)
