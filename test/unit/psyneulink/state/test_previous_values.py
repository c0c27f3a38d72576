"""
What a Mechanism and its ports were before their last execution: `get_previous` after native runs, beside PsyNeuLink.
"""

import contextlib
import copy

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

import cogir.psyneulink
from cogir.psyneulink import FallbackWarning, accelerate

pytestmark = pytest.mark.filterwarnings("ignore")

FULL = pytest.mark.full


def mixed():
    """A Mechanism that integrates, one with noise, one of two ports, one in a nested Composition."""
    a = pnl.TransferMechanism(name="A", input_shapes=2, integrator_mode=True)
    b = pnl.ProcessingMechanism(name="B", input_shapes=2, function=pnl.GaussianDistort)
    last = pnl.TransferMechanism(name="T", input_shapes=2, output_ports=[pnl.RESULT, pnl.MEAN])
    inner = pnl.Composition(name="inner", nodes=[pnl.IntegratorMechanism(name="I", input_shapes=2)])
    return pnl.Composition(name="C", pathways=[[a, b, last], [inner]])


def rarely():
    """B is executed in every second trial, so that the last trial may be without it."""
    a, b = pnl.TransferMechanism(name="A", input_shapes=2, integrator_mode=True), pnl.TransferMechanism(name="B", input_shapes=2)
    composition = pnl.Composition(name="C", pathways=[[a, b], [pnl.TransferMechanism(name="I", input_shapes=2)]])
    composition.scheduler.add_condition(b, pnl.AtTrial(0))
    composition.termination_processing = {pnl.TimeScale.TRIAL: pnl.AfterNCalls(a, 1)}
    return composition


def searching():
    """Its simulations leave no trace."""
    a = pnl.TransferMechanism(name="A", input_shapes=2, output_ports=[pnl.RESULT, pnl.MEAN])
    composition = pnl.Composition(name="C", nodes=[a, pnl.TransferMechanism(name="I", input_shapes=2)])
    signal = pnl.ControlSignal(modulates=(pnl.SLOPE, a), allocation_samples=[1.0, 2.0])
    search = {
        "function": pnl.GridSearch(),
        "objective_mechanism": pnl.ObjectiveMechanism(monitor=[a.output_ports[1]]),
        "control_signals": [signal],
    }
    composition.add_controller(pnl.OptimizationControlMechanism(agent_rep=composition, **search))
    return composition


def deciding():
    """A DDM says that it is reset at the start of each trial; one that computes the moments at once has nothing to reset."""
    a = pnl.TransferMechanism(name="A", input_shapes=2, function=pnl.Logistic)
    decision = pnl.DDM(name="D", function=pnl.DriftDiffusionAnalytical(noise=0.5))
    return pnl.Composition(name="C", pathways=[[a, np.array([[0.5], [-0.5]]), decision], [pnl.TransferMechanism(name="I", input_shapes=2)]])


def previous(composition, context):
    """What is told of each Mechanism and port, or that nothing is; not of an InputPort in a nested Composition."""
    found = {}
    nodes = [one for node in composition.nodes for one in (node.nodes if hasattr(node, "nodes") else [node])]
    for node in nodes:
        for one in (node, *(node.input_ports if node in composition.nodes else ()), *node.output_ports):
            try:
                value = np.array(one.parameters.value.get_previous(context))
            except pnl.ParameterError as error:
                value = str(error.__cause__)
            found[f"{node.name} {one.name}"] = value
    return found


def compared(build, runs, context="C", context_before=None):
    """
    The differences after runs: "n" native, "p" by PsyNeuLink, "." a native run without a look after it. What a native run does not know
    is no difference: it says so.
    """
    shapes = np.random.default_rng(5)
    trials = [int(count) for count in shapes.integers(1, 5, len(runs))]
    found = []
    for native in (False, True):
        fresh()
        composition = build()
        held = []
        rng = np.random.default_rng(3)
        if context_before:
            composition.run({"A": [[1.0, 2.0]]}, context=context_before)
        for who, count in zip(runs, trials, strict=True):
            inputs = {name: rng.uniform(-1, 1, (count, 2)) for name in ("A", "inner" if "inner" in composition.nodes else "I")}
            if native and who != "p":
                cogir.psyneulink.run(composition, inputs, context=context)
            else:
                composition.run(inputs, context=context)
            if who != ".":
                held.append(previous(composition, context))
        found.append(held)
    differing, unknown = [], 0
    for index, (expected, here) in enumerate(zip(*found, strict=True)):
        for name, value in here.items():
            if isinstance(value, str) and "native runs" in value:
                unknown += 1
            elif isinstance(value, str) or isinstance(expected[name], str):
                differing += [] if isinstance(value, str) and isinstance(expected[name], str) else [(index, name, expected[name], value)]
            elif np.shape(value) != np.shape(expected[name]) or not np.allclose(value, expected[name], rtol=1e-12, atol=1e-15):
                differing.append((index, name, expected[name], value))
    return differing, unknown


@pytest.mark.parametrize("runs", ["nnn", "pnpn", "n..n", pytest.param("nppn.pn", marks=FULL), pytest.param("p.n.pnn", marks=FULL)])
def test_previous_values(runs):
    assert compared(mixed, runs) == ([], 0)


@pytest.mark.parametrize("build", [rarely, searching, deciding])
def test_previous_values_of(build):
    differing, unknown = compared(build, "nn.npn")
    assert not differing
    assert (unknown > 0) == (build is rarely)


def test_another_context():
    assert compared(mixed, "np.n", context="other", context_before="C") == ([], 0)


def test_a_mechanism_that_goes_on_until_it_has_finished():
    """How it got there within a trial is not known."""
    fresh()
    lca = pnl.LCAMechanism(name="L", input_shapes=2, threshold=0.6)
    composition = pnl.Composition(name="C", nodes=[lca])
    cogir.psyneulink.run(composition, {"L": [[1.0, 0.5]]})
    with pytest.raises(pnl.ParameterError) as caught:
        lca.parameters.value.get_previous("C")
    assert "give execution_mode=ExecutionMode.Python" in str(caught.value.__cause__)
    copy.deepcopy(lca.parameters.value.history)
    composition.run({"L": [[1.0, 0.5]]})
    assert np.shape(lca.parameters.value.get_previous("C")) == (1, 2)


@pytest.mark.parametrize("before", [True, False])
def test_a_longer_history_is_kept_by_psyneulink(before):
    def history():
        fresh()
        a = pnl.TransferMechanism(name="A", integrator_mode=True)
        composition = pnl.Composition(name="C", nodes=[a])
        if not before:
            composition.run({"A": [[1.0]]})
        a.parameters.value.history_max_length = 3
        composition.run({"A": [[1.0], [2.0], [3.0], [4.0]]})
        return np.ravel(a.parameters.value.get_previous("C", stop=3)).tolist()

    expected = history()
    with accelerate(), pytest.warns(FallbackWarning, match=r"its value keeps a history of 3 values \(history_max_length\)"):
        assert history() == expected


@pytest.mark.parametrize("ever_alone", [True, False])
def test_inputs_of_a_nested_composition_that_runs_alone(ever_alone):
    """PsyNeuLink sets them twice in each execution, from when on it is nested."""

    def previous_inputs(*, native):
        fresh()
        a = pnl.TransferMechanism(name="A")
        inner = pnl.Composition(name="inner", nodes=[a])

        def run(values):
            if native:
                cogir.psyneulink.run(inner, {a: values})
            else:
                inner.run({a: values})
            try:
                return np.array(a.input_port.parameters.value.get_previous("inner")).tolist()
            except pnl.ParameterError as error:
                return str(error.__cause__)

        found = [run([[1.0], [2.0], [3.0]])] * ever_alone
        pnl.Composition(name="outer", nodes=[inner])
        return [*found, run([[4.0], [5.0], [6.0]]), run([[7.0]])]

    expected, found = previous_inputs(native=False), previous_inputs(native=True)
    assert found[:ever_alone] == expected[:ever_alone] == [[2.0]] * ever_alone
    assert all("native runs" in said for said in found[ever_alone:])


def test_a_run_of_no_trials_leaves_what_the_run_before_it_owes() -> None:
    """Nobody has looked between the two."""
    told = []
    for way in (None, accelerate):
        fresh()
        composition = mixed()
        with accelerate() if way else contextlib.nullcontext():
            for trials in (2, 3, 0):
                composition.run({"A": [[1.0, 2.0]], "inner": [[0.5, 0.25]]}, num_trials=trials)
            told.append([np.array(composition.nodes[name].parameters.value.get_previous("C")) for name in ("A", "T")])
    for python, native in zip(*told, strict=True):
        np.testing.assert_allclose(native, python, rtol=1e-12)
