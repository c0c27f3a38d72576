"""
Conditions with a Python function: `While`, `WhileNot` and `Condition`.
"""

from functools import cache

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

from cogir.psyneulink import FallbackWarning, UnsupportedFeature, accelerate

pytestmark = pytest.mark.filterwarnings("ignore")

LIMIT = 0.9


def is_below(node, threshold):
    """True if all elements are."""
    for row in node.value:
        if abs(row[0]) >= threshold:
            return False
    return True


def closure(a):
    """A function that takes the Mechanism from outside."""
    return pnl.Condition(lambda: a.value[0, 0] > 0.5)


CONDITIONS = {
    "item": lambda a: pnl.While(lambda n: n.value[0][0] > 0.5, a),
    "an array of one": lambda a: pnl.While(lambda n, t: n.output_port.value >= t, a, 0.5),
    "keyword": lambda a: pnl.While(lambda n, t: n.value[0][0] >= t, a, t=0.5),
    "default": lambda a: pnl.While(lambda n, t=0.5: n.value[0][0] >= t, a),
    "closure": closure,
    "global": lambda a: pnl.Condition(lambda n: np.max(n.value) > LIMIT, a),
    "port": lambda a: pnl.While(lambda p: p.value[0] > 0.5, a.output_ports[0]),
    "port by name": lambda a: pnl.While(lambda n: n.output_ports["RESULT"].value[0] > 0.5, a),
    "while not": lambda a: pnl.WhileNot(is_below, a, 0.5),
    "context": lambda a: pnl.While(lambda n, t, context: n.parameters.value.get(context)[0][0] >= t, a, 0.5),
    "context by default": lambda a: pnl.While(lambda n, context=None: n.parameters.value.get(context) > 0.5, a),
    "context of a port": lambda a: pnl.While(lambda n, context: n.output_ports[0].parameters.value.get(context)[0] > 0.5, a),
    "execution id": lambda a: pnl.WhileNot(lambda n, execution_id: n.parameters.value.get(execution_id)[0, 0] <= 0.5, a),
    "values of ports": lambda a: pnl.While(lambda n, context: max(n.get_output_values(context)[0]) > 0.5, a),
    "an argument too many": lambda a: pnl.While(lambda n, t=0.5: n.value[0][0] >= t, a, 9.0),
    "in another": lambda a: pnl.All(pnl.While(lambda n: n.value > 0.5, a), pnl.AtPass(2)),
}


def build(condition=None, end=None):
    """A that integrates, B that waits for a condition on it, and C beside them."""
    fresh()
    a = pnl.TransferMechanism(name="A", integrator_mode=True, integration_rate=0.4)
    b, c = pnl.ProcessingMechanism(name="B"), pnl.ProcessingMechanism(name="C")
    composition = pnl.Composition(name="comp", nodes=[a, b, c])
    composition.add_projection(sender=a, receiver=b)
    if condition is not None:
        composition.scheduler.add_condition(b, condition(a))
    composition.scheduler.add_condition(a, pnl.Always())
    ends = pnl.Any(pnl.AfterNCalls(b, 2), pnl.AfterPass(6)) if end is None else pnl.Any(end(a), pnl.AfterPass(6))
    composition.termination_processing = {pnl.TimeScale.TRIAL: ends}
    return composition


def left(composition, context):
    """What a run leaves."""
    a, b = composition.nodes["A"], composition.nodes["B"]
    results = np.array(composition.parameters.results.get(context)).tolist()
    counts = [str(node.parameters.num_executions.get(context)) for node in (a, b)]
    return [results, str(composition.scheduler.get_clock(context).time), a.parameters.value.get(context).tolist(), counts]


def run(composition, context="x"):
    """One run, and what it leaves."""
    composition.run({"A": [[1.0], [0.2], [3.0]], "C": [[1.0], [2.0], [3.0]]}, context=context)
    return left(composition, context)


@cache
def without_a_condition():
    """What two runs leave if B waits for nothing; the same for all cases."""
    composition = build()
    return [run(composition), run(composition)]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", CONDITIONS)
def test_a_node_waits(name):
    composition = build(CONDITIONS[name])
    expected = [run(composition), run(composition)]
    with accelerate(strict=True):
        composition = build(CONDITIONS[name])
        assert [run(composition), run(composition)] == expected
    assert expected != without_a_condition()


@pytest.mark.parametrize("name", ["item", "while not"])
def test_a_trial_ends(name):
    expected = run(build(end=CONDITIONS[name]))
    with accelerate(strict=True):
        assert run(build(end=CONDITIONS[name])) == expected


def test_a_name_that_changes(monkeypatch):
    def found():
        monkeypatch.setitem(globals(), "LIMIT", 0.9)
        composition = build(CONDITIONS["global"])
        first = run(composition)
        monkeypatch.setitem(globals(), "LIMIT", 0.2)
        return first, run(composition)

    expected = found()
    with accelerate(strict=True):
        assert found() == expected


def test_another_execution_context_is_psyneulinks():
    """Until a Mechanism executes, PsyNeuLink reads its value in the context in which it was executed last."""

    def found():
        composition = build(CONDITIONS["item"])
        return [run(composition, context) for context in "xyxx"]

    expected = found()
    with accelerate(short_runs="native"), pytest.warns(FallbackWarning, match="from the execution context 'x' until it executes"):
        assert found() == expected


def test_values_in_the_context_of_the_run_are_read_in_any():
    """Also in one in which the Mechanism was not executed last."""

    def found():
        composition = build(CONDITIONS["context"])
        return [run(composition, context) for context in "xyxx"]

    expected = found()
    with accelerate(strict=True):
        assert found() == expected


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        (lambda a: pnl.While(lambda n, execution_id: n.value[0][0] > 0.5 or execution_id == "y", a), "uses execution_id otherwise than"),
        (lambda a: pnl.While(lambda n, scheduler: n.value[0][0] > 0.5, a), "takes the argument scheduler"),
        (lambda a: pnl.While(lambda context, n: n.value[0][0] > 0.5, a), "gets a value for its argument context"),
        (lambda a: pnl.While(lambda n: n.num_executions.trial > 1, a), "uses 'A' otherwise than by its value"),
        (lambda a: pnl.While(lambda n, other: n.value[0][0] > other[0], a, [0.5]), "gets .0.5. for its argument other"),
        (lambda a: pnl.While(lambda n: print(n.value) is None, a), "does more than compute a value: it calls print"),
        (lambda a: pnl.While(lambda n: [n.value[0][0] > 0.5, True], a), "returns 2 values"),
        (lambda a: pnl.While(lambda *n: n[0].value[0][0] > 0.5, a), "takes any number of arguments"),
        (lambda a: pnl.While(np.any, 1.0), "is <.*>; give a function that is written in Python"),
        (lambda a: pnl.While(lambda n, m: n.value[0][0] > 0.5, a), "gets no value for its argument m"),
    ],
)
def test_what_is_not_compiled(condition, message):
    with accelerate(strict=True), pytest.raises(UnsupportedFeature, match=message):
        run(build(condition))


def searching(condition):
    """A Composition whose trials a controller simulates."""
    composition = build(CONDITIONS[condition])
    a = composition.nodes["A"]
    signal = pnl.ControlSignal(modulates=("slope", a), allocation_samples=[1.0, 2.0])
    monitor = {"objective_mechanism": pnl.ObjectiveMechanism(name="O", monitor=[a])}
    composition.add_controller(
        pnl.OptimizationControlMechanism(
            agent_rep=composition, state_features=[a], function=pnl.GridSearch(), control_signals=[signal], **monitor
        )
    )
    return composition


def test_simulations_read_values_of_one_another():
    with accelerate(strict=True), pytest.raises(UnsupportedFeature, match="which PsyNeuLink lets read values of other simulations"):
        run(searching("item"))


def test_simulations_read_values_in_their_own_context():
    expected = run(searching("context"))
    with accelerate(strict=True):
        assert run(searching("context")) == expected
