"""
What only PsyNeuLink does is said once, with a remedy that fits; a method that runs nothing may be replaced.
"""

import contextlib
import functools
import warnings

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

# isort: split
import optuna
from psyneulink.core.components.functions.nonstateful.fitfunctions import PECOptimizationFunction

from cogir.psyneulink import FallbackWarning, accelerate
from cogir.psyneulink.execution.session import sessions_of


def told(call):
    """What the FallbackWarnings of a call say."""
    fresh()
    with accelerate(), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return [str(one.message) for one in caught if issubclass(one.category, FallbackWarning)]


def pathway(kind=pnl.Composition):
    """Two Mechanisms."""
    return kind(name="C", pathways=[pnl.TransferMechanism(name="A"), pnl.TransferMechanism(name="B")])


def run_gru():
    composition = pnl.GRUComposition(name="C", input_size=2, hidden_size=2)
    composition.run({composition.input_node: [[1.0, 2.0]]})


def run_memory():
    composition = pnl.EMComposition(name="C", memory_template=(2, 2), memory_capacity=3)
    composition.run({node: [[1.0, 2.0]] for node in composition.get_nodes_by_role(pnl.NodeRole.INPUT)})


def fit(mode="LLVM"):
    """A fit of a threshold, of two values that are tried; `mode`: PsyNeuLink's execution mode of its simulations."""
    steps = pnl.DriftDiffusionIntegrator(rate=0.3, noise=1.0, threshold=0.6, non_decision_time=0.15, time_step_size=0.05)
    decision = pnl.DDM(name="D", function=steps, output_ports=[pnl.DECISION_OUTCOME, pnl.RESPONSE_TIME])
    model = pnl.Composition(name="model", pathways=decision)
    search = PECOptimizationFunction(method=optuna.samplers.RandomSampler(seed=0), max_iterations=2, direction="maximize")
    composition = pnl.ParameterEstimationComposition(
        name="C",
        nodes=model,
        parameters={("threshold", decision): np.linspace(0.1, 0.5, 3)},
        outcome_variables=list(decision.output_ports),
        objective_function=lambda found: np.mean(found[:, :, 0] / found[:, :, 1]),
        optimization_function=search,
        num_estimates=3,
        initial_seed=42,
    )
    composition.controller.parameters.comp_execution_mode.set(mode)
    composition.run(inputs={model: [[1.0], [-1.0]]})
    (threshold,) = composition.optimized_parameter_values.values()
    return float(threshold)


def fit_in_python():
    return fit("Python")


def learn_in_batches():
    first, last = pnl.TransferMechanism(name="A"), pnl.TransferMechanism(name="B")
    composition = pnl.Composition(name="C")
    composition.add_backpropagation_learning_pathway([first, last], learning_rate=0.1)
    for _ in range(2):
        inputs = {first: [[1.0]], composition.pathways[0].target: [[2.0]]}
        composition.learn(inputs=inputs, call_after_minibatch=lambda: None)


def run_in_pytorch():
    composition = pathway()
    composition.run({composition.nodes[0]: [[1.0]]}, execution_mode=pnl.ExecutionMode.PyTorch)


def run_with_gates():
    """Twice: the first run of PsyNeuLink leaves in an InputPort what its gate has added."""
    first, last = (pnl.TransferMechanism(name=name, input_shapes=2) for name in "AB")
    signals = [
        pnl.GatingSignal(modulates=last.input_port, modulation=pnl.ADDITIVE),
        pnl.GatingSignal(modulates=last.output_port, modulation=pnl.OVERRIDE),
    ]
    gate = pnl.GatingMechanism(name="G", default_allocation=0.7, gating_signals=signals, monitor_for_gating=first)
    composition = pnl.Composition(name="C", pathways=[first, last])
    composition.add_node(gate)
    for _ in range(2):
        composition.run({first: [[1.0, 2.0]]})


@pytest.mark.parametrize(
    ("call", "feature"),
    [
        (run_with_gates, "'B': its OutputPort 'RESULT' has several elements, but 'G' modulates it with one number"),
    ],
)
def test_the_reason_is_said_and_no_other(call, feature):
    (said,) = told(call)
    assert feature in said


@pytest.mark.parametrize("when", ["before", "between", "within"])
def test_a_python_function_in_the_place_of_a_function(when):
    """PsyNeuLink has no place for it, and fails."""

    def call():
        composition = pathway()
        first = composition.nodes[0]

        def change():
            first.function = lambda variable: variable * 3

        if when == "before":
            change()
        elif when == "between":
            composition.run({first: [[1.0]]})
            change()
        with pytest.raises(TypeError, match="unexpected keyword argument"):
            composition.run({first: [[1.0]]}, num_trials=2, call_after_trial=change if when == "within" else None)

    (said,) = told(call)
    assert "'A'" in said
    assert "its function is '<lambda>', which is not a Function of PsyNeuLink; " in said


@pytest.mark.parametrize(
    ("call", "feature", "remedy"),
    [
        (fit_in_python, "the class ParameterEstimationComposition", "set comp_execution_mode of its controller to LLVM"),
        (run_in_pytorch, "execution_mode=PyTorch", "leave execution_mode out"),
    ],
)
def test_what_is_psyneulinks_is_said_once(call, feature, remedy):
    (said,) = told(call)
    assert "'C'" in said
    assert feature in said
    assert remedy in said


@pytest.mark.parametrize("call", [run_memory, run_gru, fit, learn_in_batches])
def test_what_is_native_says_nothing(call):
    assert told(call) == []


def test_a_fit_finds_what_it_finds_in_psyneulink():
    found = []
    for is_native in (False, True):
        fresh()
        with accelerate() if is_native else contextlib.nullcontext(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found.append(fit())
    assert found[0] == found[1]


def test_a_composition_whose_show_graph_is_replaced_runs_natively(monkeypatch):
    fresh()
    composition = pathway()
    composition.show_graph = lambda *args, **kwargs: None
    monkeypatch.setattr(pnl.Composition, "show_graph", lambda self: None)
    with accelerate(strict=True):
        assert composition.run({composition.nodes[0]: [[1.0]]}) == [[1.0]]


def test_a_wrapper_around_run_is_called_and_runs_natively():
    fresh()
    composition, calls = pathway(), []
    with accelerate(strict=True):
        native = composition.run

        def counted(*args, **kwargs):
            calls.append(args)
            return native(*args, **kwargs)

        composition.run = counted
        assert composition.run({composition.nodes[0]: [[1.0]]}) == [[1.0]]
    assert len(calls) == 1


def counting(original, calls):
    """A wrapper that holds what it calls in a closure."""

    def counted(self, *args, **kwargs):
        calls.append(args)
        return original(self, *args, **kwargs)

    return counted


def counting_by_default(original, calls):
    """One that holds it in a default value."""

    def counted(self, *args, original=original, **kwargs):
        calls.append(args)
        return original(self, *args, **kwargs)

    return counted


def counting_wrapped(original, calls):
    """One that looks like what it calls."""
    return functools.wraps(original)(counting(original, calls))


@pytest.mark.parametrize("put_around", [counting, counting_by_default, counting_wrapped])
def test_a_wrapper_that_was_there_before_is_called_and_runs_natively(monkeypatch, put_around):
    fresh()
    composition, calls, shipped = pathway(), [], pnl.Composition.run
    node = composition.nodes[0]
    monkeypatch.setattr(pnl.Composition, "run", put_around(shipped, calls))
    with accelerate(strict=True):
        assert composition.run({node: [[1.0]]}) == [[1.0]]
        assert composition.run(inputs={node: [[2.0], [3.0]]}, num_trials=3) == [[2.0]]
    assert len(sessions_of(composition)) == 1
    assert len(calls) == 2
    assert composition.run({node: [[4.0]]}) == [[4.0]]
    assert len(calls) == 3
    assert not any(hasattr(cell.cell_contents, "accelerates") for cell in shipped.__closure__)
    assert composition.results.ravel().tolist() == [1.0, 2.0, 3.0, 2.0, 4.0]


def test_a_wrapper_falls_back_as_any_call(monkeypatch):
    fresh()
    composition, calls = pathway(), []
    monkeypatch.setattr(pnl.Composition, "run", counting(pnl.Composition.run, calls))
    composition.nodes[0].parameters.value.history_max_length = 3
    with accelerate(), pytest.warns(FallbackWarning, match="history"):
        assert composition.run({composition.nodes[0]: [[1.0]]}) == [[1.0]]
    assert len(calls) == 1
