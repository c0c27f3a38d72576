"""
What only PsyNeuLink does is said once, with a remedy that fits; a method that runs nothing may be replaced.
"""

import warnings

import pytest
from support.psyneulink_needed import require_psyneulink

require_psyneulink()

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import psyneulink as pnl
    from support.psyneulink_golden import fresh

from cogir.psyneulink import FallbackWarning, accelerate  # noqa: E402


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


def run_estimation():
    """A run that stops at once: without an optimization_function there is nothing to search with."""
    composition = object.__new__(pnl.ParameterEstimationComposition)
    composition.name = "C"
    with pytest.raises(AttributeError):
        composition.run()


def learn_in_python():
    first, last = pnl.TransferMechanism(name="A"), pnl.TransferMechanism(name="B")
    composition = pnl.Composition(name="C")
    composition.add_backpropagation_learning_pathway([first, last], learning_rate=0.1)
    for _ in range(2):
        composition.learn(inputs={first: [[1.0]], composition.pathways[0].target: [[2.0]]})


def learn_autodiff_in_python():
    composition = pathway(pnl.AutodiffComposition)
    first, last = composition.nodes
    inputs = {"inputs": {first: [[1.0]]}, "targets": {last: [[2.0]]}}
    composition.learn(inputs=inputs, execution_mode=pnl.ExecutionMode.Python)


def run_in_pytorch():
    composition = pathway()
    composition.run({composition.nodes[0]: [[1.0]]}, execution_mode=pnl.ExecutionMode.PyTorch)


@pytest.mark.parametrize(
    ("call", "feature", "remedy"),
    [
        (run_gru, "the class GRUComposition", "use a plain Composition"),
        (run_memory, "the class EMComposition", "use a plain Composition"),
        (run_estimation, "the class ParameterEstimationComposition", "use a plain Composition"),
        (learn_in_python, "learns in PsyNeuLink's Python mode", "build it as an AutodiffComposition"),
        (learn_autodiff_in_python, "learns in PsyNeuLink's Python mode", "use ExecutionMode.PyTorch"),
        (run_in_pytorch, "execution_mode=PyTorch", "leave execution_mode out"),
    ],
)
def test_what_is_psyneulinks_is_said_once(call, feature, remedy):
    (said,) = told(call)
    assert "'C'" in said
    assert feature in said
    assert remedy in said


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
