"""Logs: a native run makes the entries that PsyNeuLink would make, or leaves the run to it."""

import warnings

import pytest
from support.psyneulink_needed import require_psyneulink

require_psyneulink()

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import psyneulink as pnl
    from support.psyneulink_golden import fresh

from cogir.psyneulink import FallbackWarning, accelerate, explain  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")


def build():
    """An integrating Mechanism, one after it, and one in a nested Composition; the second runs in the second pass."""
    a = pnl.TransferMechanism(name="A", input_shapes=2, integrator_mode=True, integration_rate=0.5)
    b = pnl.ProcessingMechanism(name="B", input_shapes=2, function=pnl.Linear(slope=2.0))
    inner = pnl.Composition(name="INNER", pathways=[pnl.ProcessingMechanism(name="I", input_shapes=2)])
    composition = pnl.Composition(name="C", pathways=[[a, b, inner]])
    composition.scheduler.add_condition(a, pnl.AtPass(0))
    composition.scheduler.add_condition(b, pnl.AtPass(1))
    return composition


def mechanisms(c):
    """The Mechanisms by name, that of the nested Composition too."""
    return {"A": c.nodes["A"], "B": c.nodes["B"], "I": c.nodes["INNER"].nodes["I"]}


LOGGED = {
    "a Mechanism": lambda m: m["A"].set_log_conditions("value"),
    "an OutputPort": lambda m: m["B"].log.set_log_conditions("OutputPort-0"),
    "an InputPort": lambda m: m["A"].log.set_log_conditions("InputPort-0", pnl.LogCondition.PROCESSING),
    "all assignments": lambda m: m["A"].log.set_log_conditions("RESULT", pnl.LogCondition.ALL_ASSIGNMENTS),
    "in a nested Composition": lambda m: m["I"].set_log_conditions("value"),
    "a Projection": lambda m: m["B"].path_afferents[0].log.set_log_conditions("value"),
    "trials, which PsyNeuLink does not log": lambda m: m["A"].log.set_log_conditions("value", pnl.LogCondition.TRIAL),
}
NOT_LOGGED = {
    "a parameter": lambda m: m["A"].log.set_log_conditions("mod_slope"),
    "a matrix": lambda m: m["B"].path_afferents[0].log.set_log_conditions("matrix"),
}


def in_runs(log):
    """The entries of runs: PsyNeuLink also makes some for a call from the command line, whatever is logged."""
    return [(entry.time, entry.context, entry.value.tolist()) for entry in log if "COMMAND_LINE" not in entry.context]


def entries(log):
    """All entries of a Composition that runs in two execution contexts, with a callback, and is logged from the second run on."""
    fresh()
    composition = build()
    held = mechanisms(composition)
    inputs = {"A": [[1, 2], [3, 4]]}
    composition.run(inputs=inputs)
    log(held)
    composition.run(inputs=inputs, num_trials=3)
    composition.run(inputs=inputs, context="other")
    composition.run(inputs=inputs, call_after_trial=lambda: None)
    composition.execute(inputs={held["A"]: [[5, 6]]})
    found = {}
    for mechanism in held.values():
        owners = [mechanism, *mechanism.input_ports, *mechanism.output_ports, *mechanism.parameter_ports, *mechanism.path_afferents]
        for owner in owners:
            for parameter in (owner.parameters.value, *([owner.parameters.matrix] if hasattr(owner, "matrix") else [])):
                logs = parameter.log.items()
                found[mechanism.name, owner.name, parameter.name] = {key: said for key, log in logs if (said := in_runs(log))}
    return found, composition.results.tolist()


QUICK = ("a Mechanism", "in a nested Composition")


@pytest.mark.parametrize("name", [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.full]) for name in LOGGED])
def test_a_native_run_keeps_the_log(name):
    expected = entries(LOGGED[name])
    with accelerate(strict=True):
        assert entries(LOGGED[name]) == expected
    assert any(expected[0].values()) or "not" in name


@pytest.mark.parametrize("name", ["a parameter", pytest.param("a matrix", marks=pytest.mark.full)])
def test_what_no_run_shows_is_logged_by_psyneulink(name):
    expected = entries(NOT_LOGGED[name])
    with accelerate(), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert entries(NOT_LOGGED[name]) == expected
    told = {str(one.message) for one in caught if issubclass(one.category, FallbackWarning)}
    assert len(told) == 1
    assert "is logged" in told.pop()


def test_several_executions_are_logged_by_psyneulink():
    fresh()
    settling = {"integrator_mode": True, "termination_threshold": 0.9, "termination_measure": max, "termination_comparison_op": ">="}
    a = pnl.TransferMechanism(name="A", input_shapes=2, integration_rate=0.5, **settling)
    composition = pnl.Composition(name="C", pathways=[a])
    a.set_log_conditions("value")
    with accelerate(), pytest.warns(FallbackWarning, match="'A': its 'value' is logged, which may be executed several times"):
        composition.run({a: [[1.0, 0.5]]})
    assert len(a.parameters.value.log["C"]) == 4


def test_explain_says_what_is_logged_and_logs_nothing():
    fresh()
    composition = build()
    held = mechanisms(composition)
    held["A"].set_log_conditions("value")
    assert explain(composition)
    matrix = held["B"].path_afferents[0].parameters.matrix
    assert not matrix.log
    held["A"].log.set_log_conditions("mod_slope")
    assert not explain(composition)
    assert "ParameterPort 'slope': its 'value' is logged" in str(explain(composition))
