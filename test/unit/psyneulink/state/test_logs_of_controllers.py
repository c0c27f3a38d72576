"""Logs of Compositions with a controller: entries of the nodes, of the controller itself, and none of simulations."""

import contextlib
import warnings

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

from cogir.psyneulink import FallbackWarning, accelerate

pytestmark = pytest.mark.filterwarnings("ignore")


def plain(mode="after", **given):
    """A ControlMechanism, which simulates nothing, as controller."""
    a = pnl.TransferMechanism(name="A", integrator_mode=True, integration_rate=0.5)
    b = pnl.ProcessingMechanism(name="B", input_shapes=1, function=pnl.Linear(intercept=0.5))
    monitor = pnl.ObjectiveMechanism(name="O", monitor=[b])
    signals = [pnl.ControlSignal(modulates=("slope", a))]
    control = pnl.ControlMechanism(name="CONTROL", objective_mechanism=monitor, control_signals=signals)
    composition = pnl.Composition(name="C", pathways=[a, b], controller=control, controller_mode=mode, **given)
    return composition


def at_second_trial():
    """One that acts from the second trial on, before the nodes."""
    return plain("before", controller_condition=pnl.AfterNTrials(1))


def settling(controlled=plain):
    """Trials that a value ends."""
    composition = controlled()
    a = composition.nodes["A"]
    reached = pnl.Or(pnl.Threshold(a, "value", 0.4, ">=", (0, 0)), pnl.AfterPass(4))
    composition.termination_processing[pnl.TimeScale.TRIAL] = pnl.And(reached, pnl.AllHaveRun())
    return composition


def searching(mode="after", trials=1, signal=None, **given):
    """An OptimizationControlMechanism over a node that integrates and one that draws."""
    a = pnl.TransferMechanism(name="A", integrator_mode=True, integration_rate=0.5)
    b = pnl.TransferMechanism(name="B", noise=pnl.NormalDist(standard_deviation=0.1))
    monitor = pnl.ObjectiveMechanism(name="O", monitor=[b])
    composition = pnl.Composition(name="C", pathways=[a, b, monitor], **given)
    signal = signal or {"intensity_cost_function": pnl.Exponential(rate=0.7)}
    control = pnl.OptimizationControlMechanism(
        name="OCM",
        agent_rep=composition,
        objective_mechanism=monitor,
        state_features={a: a.input_port},
        function=pnl.GridSearch(save_values=True),
        num_trials_per_estimate=trials,
        control_signals=[
            pnl.ControlSignal(modulates=("slope", a), allocation_samples=[0.5, 1.0, 1.5], **signal),
            pnl.ControlSignal(modulates=("intercept", b), allocation_samples=[0.1, 0.2], cost_options=pnl.CostFunctions.DURATION),
        ],
    )
    composition.add_controller(control)
    composition.controller_mode = mode
    return composition


def monitoring():
    """One that monitors a node itself, and searches in every second trial."""
    a, b = pnl.ProcessingMechanism(name="A"), pnl.TransferMechanism(name="B", integrator_mode=True)
    composition = pnl.Composition(name="C", pathways=[a, b], controller_condition=pnl.Any(pnl.AtTrial(0), pnl.AtTrial(2)))
    samples = pnl.SampleSpec(start=0.1, stop=1.0, step=0.3)
    signal = pnl.ControlSignal(modulates=("integration_rate", b), allocation_samples=samples, modulation=pnl.OVERRIDE)
    control = pnl.OptimizationControlMechanism(
        name="OCM", agent_rep=composition, monitor_for_control=b, function=pnl.GridSearch(), control_signals=[signal]
    )
    composition.add_controller(control)
    return composition


def inside(controlled):
    """A Composition with a controller in another one."""
    inner = controlled()
    inner.name = "INNER"
    first, last = pnl.ProcessingMechanism(name="FIRST"), pnl.ProcessingMechanism(name="LAST", function=pnl.Linear(slope=2.0))
    return pnl.Composition(name="C", pathways=[first, inner, last])


MODELS = {
    "a ControlMechanism": plain,
    "a ControlMechanism before the trial": lambda: plain("before"),
    "a ControlMechanism with a condition": at_second_trial,
    "a ControlMechanism in trials that differ": settling,
    "a ControlMechanism in trials that differ, before": lambda: settling(lambda: plain("before")),
    "a nested ControlMechanism": lambda: inside(plain),
    "a search": searching,
    "a search before the trial": lambda: searching("before"),
    "a search over two trials": lambda: searching(trials=2),
    "a search in trials that differ": lambda: settling(searching),
    "a search that monitors a node, with a condition": monitoring,
    "a nested search": lambda: inside(monitoring),
    "a disabled search": lambda: searching(enable_controller=False),
    "a search once in a run": lambda: searching("before", controller_time_scale=pnl.TimeScale.RUN),
}
QUICK = ("a ControlMechanism in trials that differ", "a search", "a nested search")


def parts_of(composition, is_inside=False):
    """All Mechanisms and controllers with ports and Projections, but for what enters a nested Composition."""
    for node in [*composition.nodes, *([composition.controller] if composition.controller else [])]:
        if hasattr(node, "input_CIM"):
            yield from parts_of(node, True)
            continue
        yield from (node, *node.output_ports, *(port for port in node.parameter_ports if port.name in ("slope", "integration_rate")))
        if not is_inside or node not in composition.get_nodes_by_role(pnl.NodeRole.INPUT):
            yield from (*node.input_ports, *node.path_afferents)


def log(part, *names):
    """Logs Parameters of a component."""
    for name in names:
        part.log.set_log_conditions(name)


def logged(part):
    """What is logged of a component."""
    return ("value", "control_allocation") if type(part).__name__ == "OptimizationControlMechanism" else ("value",)


def entries_of(composition):
    """All entries, but those of calls from the command line."""
    found = {}
    for part in parts_of(composition):
        for name in logged(part):
            for key, entries in getattr(part.parameters, name).log.items():
                said = [(entry.time, entry.context, np.array(entry.value)) for entry in entries if "COMMAND_LINE" not in entry.context]
                found[getattr(getattr(part, "owner", None), "name", ""), part.name, name, str(key)] = said
    return found


def outcome(build, runs, from_the_start=True):
    """The entries of a Composition that runs in several ways, and its results."""
    fresh()
    composition = build()
    first = next(iter(composition.input_CIM_ports)).owner
    if not from_the_start:
        composition.run({first: [[1.0]]})
    for part in parts_of(composition):
        log(part, *logged(part))
    runs(composition, {first: [[1.0], [0.5]]})
    return entries_of(composition), np.array(composition.results, float)


def several_ways(composition, inputs):
    composition.run(inputs, num_trials=4)
    composition.run(inputs, num_trials=1, context="other")
    composition.run(inputs, num_trials=1, call_after_trial=lambda: None)


def assert_alike(expected, found):
    """The same entries: times, contexts, shapes, and values to 1e-12."""
    assert found[0].keys() == expected[0].keys()
    for key, entries in expected[0].items():
        assert [entry[:2] for entry in found[0][key]] == [entry[:2] for entry in entries], key
        for (*_, value), (*_, other) in zip(found[0][key], entries, strict=True):
            assert value.shape == other.shape, key
            np.testing.assert_allclose(value.astype(float), other.astype(float), rtol=1e-12, atol=1e-14, err_msg=str(key))
    np.testing.assert_allclose(found[1], expected[1], rtol=1e-12)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.full]) for name in MODELS])
def test_logs_beside_a_controller(name):
    expected = outcome(MODELS[name], several_ways)
    assert any(expected[0].values())
    assert not any("sim" in key[-1] for key in expected[0])
    with accelerate(strict=True):
        assert_alike(expected, outcome(MODELS[name], several_ways))


def test_what_is_logged_later_makes_trials_run_one_by_one():
    expected = outcome(searching, several_ways, from_the_start=False)
    with accelerate(strict=True):
        assert_alike(expected, outcome(searching, several_ways, from_the_start=False))


def evaluating(composition, inputs):
    """An evaluation by the script, whose trial is logged."""
    composition.run(inputs)
    composition.evaluate({composition.nodes["A"]: [[1.0]]}, control_allocation=np.array([[1.0], [0.1]]), context=composition)
    composition.run(inputs)


def test_an_evaluation_by_a_script_is_logged():
    expected = outcome(searching, evaluating)
    with accelerate(strict=True):
        assert_alike(expected, outcome(searching, evaluating))


def test_kept_simulations_leave_their_logs_to_psyneulink():
    def run(block):
        fresh()
        composition = searching()
        composition.retain_old_simulation_data = True
        log(composition.nodes["A"], "value")
        with block:
            composition.run({composition.nodes["A"]: [[1.0]]})
        return [len(entries) for entries in composition.nodes["A"].parameters.value.log.values()]

    expected = run(contextlib.nullcontext())
    assert len(expected) == 7
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert run(accelerate()) == expected
    (said,) = {str(one.message) for one in caught if issubclass(one.category, FallbackWarning)}
    assert "each simulation keeps a log (retain_old_simulation_data)" in said
