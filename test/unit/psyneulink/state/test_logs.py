"""Logs: a native run makes the entries that PsyNeuLink would make, or leaves the run to it."""

import contextlib
import warnings

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

from cogir.errors import CogirError
from cogir.psyneulink import FallbackWarning, accelerate, explain
from cogir.psyneulink.execution import session
from cogir.runtime.results import Result, RunInterrupted

pytestmark = pytest.mark.filterwarnings("ignore")


def build():
    """An integrating Mechanism, one after it, and one in a nested Composition; the second runs in the second pass."""
    a = pnl.TransferMechanism(name="A", input_shapes=2, integrator_mode=True, integration_rate=0.5)
    b = pnl.ProcessingMechanism(name="B", input_shapes=2, function=pnl.Linear(slope=2.0))
    inner = pnl.Composition(name="INNER", pathways=[pnl.ProcessingMechanism(name="I", input_shapes=2)])
    composition = pnl.Composition(name="C", pathways=[[a, b, inner]])
    signals = [pnl.ControlSignal(modulates=("slope", b)), pnl.ControlSignal(modulates=("intercept", b), modulation=pnl.OVERRIDE)]
    gain = pnl.ProcessingMechanism(name="G")
    composition.add_linear_processing_pathway([a, np.ones((2, 1)), gain])
    composition.add_node(pnl.ControlMechanism(name="M", monitor_for_control=gain, control_signals=signals))
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
    "a modulated parameter": lambda m: m["B"].log.set_log_conditions("mod_slope"),
    "a parameter": lambda m: m["A"].log.set_log_conditions("mod_integration_rate"),
    "a parameter that is overridden": lambda m: m["B"].log.set_log_conditions("mod_intercept"),
    "what enters a nested Composition, twice": lambda m: m["I"].log.set_log_conditions("InputPort-0"),
    "a Projection that enters a nested Composition": lambda m: m["I"].path_afferents[0].log.set_log_conditions(["value", "mod_matrix"]),
    "a parameter of what enters a nested Composition": lambda m: m["I"].log.set_log_conditions("mod_intercept"),
    "a Parameter that PsyNeuLink does not assign": lambda m: m["A"].log.set_log_conditions(["integration_rate", "noise", "func_slope"]),
    "a matrix in force": lambda m: m["B"].path_afferents[0].log.set_log_conditions("mod_matrix"),
    "a matrix": lambda m: m["B"].path_afferents[0].log.set_log_conditions("matrix"),
    "a Parameter that is assigned twice": lambda m: m["A"].log.set_log_conditions("num_executions_before_finished"),
    "a variable": lambda m: m["A"].log.set_log_conditions("variable"),
}
EXECUTION = pnl.LogCondition.EXECUTION
NOT_LOGGED = {
    "the variable of a Function": lambda m: setattr(m["A"].function.parameters.variable, "log_condition", EXECUTION),
    "the variable of a port": lambda m: setattr(m["A"].input_port.parameters.variable, "log_condition", EXECUTION),
}


def in_runs(log):
    """The entries of runs: PsyNeuLink also makes some for a call from the command line, whatever is logged."""
    return [(entry.time, entry.context, entry.value.tolist()) for entry in log if "COMMAND_LINE" not in entry.context]


def entries(log, trials=3, from_the_start=False):
    """
    All entries of a Composition that runs in two execution contexts, with a callback, and is logged from the second run on, or
    `from_the_start`.
    """
    fresh()
    composition = build()
    held = mechanisms(composition)
    inputs = {"A": [[1, 2], [3, 4]]}
    if from_the_start:
        log(held)
    composition.run(inputs=inputs)
    if not from_the_start:
        log(held)
    composition.run(inputs=inputs, num_trials=trials)
    composition.run(inputs=inputs, context="other")
    composition.run(inputs=inputs, call_after_trial=lambda: None)
    composition.execute(inputs={held["A"]: [[5, 6]]})
    found = {}
    for mechanism in held.values():
        owners = [mechanism, *mechanism.input_ports, *mechanism.output_ports, *mechanism.parameter_ports, *mechanism.path_afferents]
        owners += [port for projection in mechanism.path_afferents for port in projection.parameter_ports]
        for owner in owners:
            names = ("value", "matrix", "variable", "num_executions_before_finished")
            for parameter in (getattr(owner.parameters, name) for name in names if hasattr(owner.parameters, name)):
                logs = parameter.log.items()
                found[mechanism.name, owner.name, parameter.name] = {key: said for key, log in logs if (said := in_runs(log))}
    return found, [[value.tolist() for value in result] for result in composition.results]


QUICK = (
    "a Mechanism",
    "in a nested Composition",
    "what enters a nested Composition, twice",
    "a modulated parameter",
    "a parameter",
    "a parameter that is overridden",
    "a Parameter that PsyNeuLink does not assign",
    "a matrix in force",
)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.full]) for name in LOGGED])
def test_a_native_run_keeps_the_log(name):
    expected = entries(LOGGED[name])
    with accelerate(strict=True):
        assert entries(LOGGED[name]) == expected
    assert any(expected[0].values()) or "not" in name


@pytest.mark.parametrize("name", [pytest.param(name, marks=[] if name in QUICK[:1] else [pytest.mark.full]) for name in LOGGED])
def test_logs_are_made_of_many_trials_at_once(name, monkeypatch):
    """What was logged when a Composition was compiled does not make its runs go trial by trial."""
    expected = entries(LOGGED[name], trials=20, from_the_start=True)
    run, made = session.Trials.run, []

    def counted(self, context, rows, out):
        made.append(len(out))
        return run(self, context, rows, out)

    monkeypatch.setattr(session.Trials, "run", counted)
    with accelerate(strict=True):
        assert entries(LOGGED[name], trials=20, from_the_start=True) == expected
        assert made[:2] == [2, 20]
        monkeypatch.setattr(session, "LOG_ROOM", 6)
        made.clear()
        assert entries(LOGGED[name], trials=20, from_the_start=True) == expected
        assert made[:5] == ([2, 20, 2, 1, 1] if "not" in name else [2, 6, 6, 6, 2])


@pytest.mark.parametrize(
    "name", ["the variable of a Function", *(pytest.param(name, marks=pytest.mark.full) for name in [*NOT_LOGGED][1:])]
)
def test_what_no_run_shows_is_logged_by_psyneulink(name):
    expected = entries(NOT_LOGGED[name])
    with accelerate(), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert entries(NOT_LOGGED[name]) == expected
    told = {str(one.message) for one in caught if issubclass(one.category, FallbackWarning)}
    assert len(told) == 1
    assert "is logged" in told.pop()


def test_explain_says_what_is_logged_and_logs_nothing():
    fresh()
    composition = build()
    held = mechanisms(composition)
    held["A"].set_log_conditions("value")
    assert explain(composition)
    matrix = held["B"].path_afferents[0].parameters.matrix
    assert not matrix.log
    held["A"].function.parameters.variable.log_condition = EXECUTION
    assert not explain(composition)
    assert "its 'variable' is logged" in str(explain(composition))


# What is executed several times in a trial, or in trials that differ


def layer(name, **given):
    """A recurrent layer that settles."""
    given = {"integrator_mode": True, "integration_rate": 0.1, "function": pnl.Logistic(), **given}
    return pnl.RecurrentTransferMechanism(name=name, input_shapes=2, hetero=-1.0, **given)


def settling():
    """Two layers that excite one another, as in models of the Stroop task; trials end when one of them says so, or after a while."""
    stimulus = pnl.ProcessingMechanism(name="STIMULUS", input_shapes=2)
    hidden, response = layer("HIDDEN"), layer("RESPONSE")
    composition = pnl.Composition(name="C", pathways=[[stimulus, hidden, response], [response, hidden]])
    over = pnl.Or(pnl.Threshold(response, "value", 0.7, ">=", (0, 0)), pnl.AfterPass(40))
    return composition, {"termination_processing": {pnl.TimeScale.TRIAL: over}}


def counting():
    """A node in every second pass, and one in the first trial only: trials differ, but not by values."""
    a, b, c = (pnl.TransferMechanism(name=name, input_shapes=2, integrator_mode=True) for name in "ABC")
    composition = pnl.Composition(name="C", pathways=[[a, b], [a, c]])
    composition.scheduler.add_condition(b, pnl.EveryNCalls(a, 2))
    composition.scheduler.add_condition(c, pnl.AtTrial(0))
    return composition, {"termination_processing": {pnl.TimeScale.TRIAL: pnl.AfterNCalls(b, 3)}}


def often():
    """Nodes that are executed several times in a trial, all trials being alike; one pass in between does nothing."""
    a, b = (pnl.TransferMechanism(name=name, input_shapes=2, integrator_mode=True) for name in "AB")
    composition = pnl.Composition(name="C", pathways=[[a, b]])
    composition.scheduler.add_condition(a, pnl.EveryNPasses(2))
    composition.scheduler.add_condition(b, pnl.EveryNCalls(a, 2))
    return composition, {"termination_processing": {pnl.TimeScale.TRIAL: pnl.AfterNCalls(b, 2)}}


def nested():
    """A nested Composition that settles in each of several executions in a trial; values decide how often."""
    a = pnl.TransferMechanism(name="A", input_shapes=2, integrator_mode=True, integration_rate=0.3)
    inside, end = layer("INSIDE"), pnl.ProcessingMechanism(name="END", input_shapes=2)
    inner = pnl.Composition(name="INNER", pathways=[[inside, end]])
    inner.termination_processing[pnl.TimeScale.TRIAL] = pnl.Or(pnl.Threshold(inside, "value", 0.55, ">=", (0, 0)), pnl.AfterPass(3))
    composition = pnl.Composition(name="C", pathways=[[a, inner]])
    composition.scheduler.add_condition(inner, pnl.EveryNCalls(a, 2))
    over = pnl.Threshold(a, "value", 0.8, ">=", (0, 0))
    return composition, {"termination_processing": {pnl.TimeScale.TRIAL: pnl.And(over, pnl.AllHaveRun())}}


def repeating():
    """Nodes that are executed until they have finished whenever they are called, one of them twice in a trial."""
    reached = {"integrator_mode": True, "termination_threshold": 0.6, "termination_measure": max, "termination_comparison_op": ">="}
    a = pnl.TransferMechanism(name="A", input_shapes=2, integration_rate=0.5, reset_stateful_function_when=pnl.AtTrialStart(), **reached)
    gain = {"function": pnl.Logistic(gain=2.0), "leak": 0.5, "reset_stateful_function_when": pnl.AtTrialStart()}
    b = pnl.LCAMechanism(name="B", input_shapes=2, threshold=0.515, noise=pnl.NormalDist(standard_deviation=0.1), **gain)
    c = pnl.TransferMechanism(name="D", input_shapes=2, integrator_mode=True)
    composition = pnl.Composition(name="C", pathways=[[a, b, c]])
    composition.scheduler.add_condition(c, pnl.AfterNCalls(b, 2))
    composition.scheduler.add_condition(b, pnl.Always())
    return composition, {"termination_processing": {pnl.TimeScale.TRIAL: pnl.AllHaveRun(c)}}


def ragged():
    """A value of two items that differ in length, and OutputPorts of its own."""
    a = pnl.ProcessingMechanism(name="A", input_shapes=[2, 3], output_ports=["FIRST", {pnl.VARIABLE: (pnl.OWNER_VALUE, 1)}])
    b = pnl.TransferMechanism(name="B", input_shapes=2, integrator_mode=True)
    composition = pnl.Composition(name="C", pathways=[[a, b]])
    return composition, {"termination_processing": {pnl.TimeScale.TRIAL: pnl.Threshold(b, "value", 0.9, ">=", (0, 0))}}


MODELS = {"settling": settling, "counting": counting, "often": often, "nested": nested, "repeating": repeating}


def parts_of(composition, inside=False):
    """All Mechanisms with their ports and Projections, those of nested Compositions, too, but for what enters these."""
    for node in composition.nodes:
        if hasattr(node, "input_CIM"):
            yield from parts_of(node, inside=True)
        else:
            yield from (node, *node.output_ports, *(port for port in node.parameter_ports if port.name in ("slope", "gain")))
            if not inside or node not in composition.get_nodes_by_role(pnl.NodeRole.INPUT):
                yield from (*node.input_ports, *node.path_afferents)


def logs_of(composition):
    """Times and contexts of the entries of all values, and the values, by component and execution context."""
    times, values = {}, {}
    for part in parts_of(composition):
        for key, log in part.parameters.value.log.items():
            log = [entry for entry in log if "COMMAND_LINE" not in entry.context]
            name = (getattr(getattr(part, "owner", None), "name", ""), part.name)
            times[name, key] = [(entry.time, entry.context) for entry in log]
            values[name, key] = [(np.shape(entry.value), np.concatenate([*map(np.ravel, entry.value)])) for entry in log]
    return times, values


def table_of(mechanism):
    """The log of a Mechanism as a table of times, with the shapes of the values."""
    table = mechanism.log.nparray_dictionary()
    times = ("Run", "Trial", "Pass", "Time_step")
    return {key: {name: held if name in times else np.shape(held) for name, held in rows.items()} for key, rows in table.items()}


def everything(build, inputs):
    """All logs of a Composition that runs in several ways, from the second run on."""
    fresh()
    composition, given = build()
    first = next(iter(composition.input_CIM_ports)).owner
    rows = {first: inputs}
    composition.run(rows, **given)
    for part in parts_of(composition):
        part.set_log_conditions("value") if hasattr(part, "input_ports") else part.log.set_log_conditions("value")
    composition.run(rows, num_trials=3, **given)
    if build is not counting:  # whose trials end only as it says
        composition.run(rows, num_trials=2)
    composition.run(rows, context="other", **given)
    composition.run(rows, call_after_trial=lambda: None, **given)
    mechanisms = [part for part in parts_of(composition) if hasattr(part, "input_ports")]
    # PsyNeuLink makes no table of Mechanisms that are executed several times in a call
    tables = {} if build is repeating else {mechanism.name: table_of(mechanism) for mechanism in mechanisms}
    for mechanism in mechanisms:
        mechanism.log.clear_entries()
    composition.run(rows, **given)
    return *logs_of(composition), tables, composition.results


def assert_alike(expected, found):
    """Times are the same, and values to 1e-12."""
    assert found[0] == expected[0]
    assert found[2] == expected[2]
    assert found[1].keys() == expected[1].keys()
    for key, entries_of_one in expected[1].items():
        for (shape, value), (found_shape, found_value) in zip(entries_of_one, found[1][key], strict=True):
            assert found_shape == shape, key
            np.testing.assert_allclose(found_value, value, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(np.asarray(found[3], float), np.asarray(expected[3], float), rtol=1e-12)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in ("settling", "nested", "repeating") else [pytest.mark.full]) for name in MODELS]
)
def test_each_execution_is_logged(name):
    inputs = [[1.0, 0.2], [2.0, -0.5]]
    expected = everything(MODELS[name], inputs)
    assert any(len(times) > 10 for times in expected[0].values())
    with accelerate(strict=True):
        assert_alike(expected, everything(MODELS[name], inputs))


def test_a_trial_may_have_more_executions_than_there_was_room_for(monkeypatch):
    def runs():
        fresh()
        composition, given = settling()
        rows = {composition.nodes["STIMULUS"]: [[1.0, 0.2], [1.0, 0.9], [0.2, 1.0]]}
        composition.nodes["HIDDEN"].set_log_conditions("value")
        composition.nodes["RESPONSE"].log.set_log_conditions("RESULT")
        composition.run(rows, num_trials=2)
        composition.run(rows, **given)
        composition.run(rows, num_trials=2)
        composition.nodes["HIDDEN"].set_log_conditions("value", pnl.LogCondition.OFF)
        composition.nodes["RESPONSE"].log.set_log_conditions("RESULT", pnl.LogCondition.OFF)
        composition.run({composition.nodes["STIMULUS"]: [[0.0, 0.0]]}, num_trials=2, context="not logged", **given)
        composition.nodes["HIDDEN"].set_log_conditions("value")
        slope = {composition.nodes["STIMULUS"]: {"slope": (3.0, pnl.AtTrial(1))}}
        composition.run(rows, runtime_params=slope, context="with runtime_params", **given)
        return *logs_of(composition), {}, composition.parameters.results.get("with runtime_params")

    expected = runs()
    assert max(map(len, expected[0].values())) > 20
    monkeypatch.setattr(session, "LOG_ROOM", 6)  # which grows to 48
    with accelerate(strict=True):
        assert_alike(expected, runs())


def test_a_log_of_items_that_differ_in_length():
    def runs():
        fresh()
        composition, given = ragged()
        a = composition.nodes["A"]
        a.set_log_conditions("value")
        a.log.set_log_conditions("FIRST")
        composition.run({a: [[1.0, 2.0], [3.0, 4.0, 5.0]]}, **given)
        composition.run({a: [[1.0, 1.0], [3.0, 4.0, 6.0]]}, num_trials=2, **given)
        return *logs_of(composition), {}, [0.0]

    expected = runs()
    with accelerate(strict=True):
        assert_alike(expected, runs())


def logged(monkeypatch, room, most):
    """A Composition that is logged, with room for so many executions in a trial, and at most for so many."""
    fresh()
    composition, given = settling()
    composition.nodes["HIDDEN"].set_log_conditions("value")
    monkeypatch.setattr(session, "LOG_ROOM", room)
    monkeypatch.setattr(session, "MOST_LOG_ROOM", most)
    return composition, given


def test_a_log_in_a_trial_without_an_end_is_refused_when_it_is_too_long(monkeypatch):
    composition, given = logged(monkeypatch, 2, 8)
    rows = {composition.nodes["STIMULUS"]: [[1.0, 0.2]]}
    with accelerate(), pytest.warns(FallbackWarning, match="'C': a trial executes a Mechanism that is logged more than 2 times"):
        composition.run(rows, **given)
    passes = [entry.time.pass_ for entry in composition.nodes["HIDDEN"].parameters.value.log["C"]]
    assert passes == list(range(len(passes)))


def growing(monkeypatch):
    """A Composition that is logged, in the third trial of which there are more executions than a log may have."""
    composition, _ = logged(monkeypatch, 4, 4)
    short = pnl.And(pnl.AfterPass(2), pnl.BeforeTrial(2))
    return composition, {"termination_processing": {pnl.TimeScale.TRIAL: pnl.Or(short, pnl.AfterPass(9))}}


def test_after_a_log_that_gets_too_long_psyneulink_goes_on(monkeypatch):
    """From the trials before, of which it keeps the entries; the third has them all."""

    def outcome(run):
        composition, given = growing(monkeypatch)
        rows = {composition.nodes["STIMULUS"]: [[1.0, 0.2], [0.5, 0.9]]}
        with run():
            returned = composition.run(rows, num_trials=4, **given)
        log = [(entry.time, entry.value.tolist()) for entry in composition.nodes["HIDDEN"].parameters.value.log["C"]]
        return np.asarray(returned), np.asarray(composition.results), log

    expected = outcome(contextlib.nullcontext)
    with pytest.warns(FallbackWarning, match="'C': after 2 trials of the run, a trial executes a Mechanism that is logged more"):
        found = outcome(accelerate)
    assert len(expected[1]) == len(found[1]) == 4
    for one, other in zip(found[:2], expected[:2], strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)
    assert [time for time, _ in found[2]] == [time for time, _ in expected[2]]
    np.testing.assert_allclose([value for _, value in found[2]], [value for _, value in expected[2]], rtol=1e-12)


def test_a_strict_block_refuses_a_log_that_gets_too_long_and_leaves_the_trials_before(monkeypatch):
    composition, given = growing(monkeypatch)
    rows = {composition.nodes["STIMULUS"]: [[1.0, 0.2], [0.5, 0.9]]}
    expected = np.array(composition.run(rows, num_trials=2, context="expected", **given))
    said = "'C': after 2 trials of the run, a trial executes a Mechanism that is logged more"
    with accelerate(strict=True), pytest.raises(CogirError, match=said):
        composition.run(rows, num_trials=4, **given)
    assert len(composition.results) == 2
    np.testing.assert_allclose(composition.results[-1], expected, rtol=1e-12)
    np.testing.assert_allclose(composition.output_values, expected, rtol=1e-12)


def test_an_interrupted_run_keeps_its_results_in_order(monkeypatch):
    fresh()
    composition, given = settling()
    rows = {composition.nodes["STIMULUS"]: [[1.0, 0.2], [0.5, 0.9]]}
    composition.nodes["HIDDEN"].set_log_conditions("value")
    with accelerate(strict=True):
        composition.run(rows, num_trials=3, context="expected", **given)
    run, calls = session.Trials.run, []

    def interrupted_at_the_end_of_the_third(self, context, rows, out):
        progress = run(self, context, rows, out)
        calls.append(progress.done)
        if len(calls) == 3:
            raise RunInterrupted("interrupted", Result(context.plan, out[: progress.done], "interrupted", {}))
        return progress

    monkeypatch.setattr(session.Trials, "run", interrupted_at_the_end_of_the_third)
    monkeypatch.setattr("cogir.psyneulink.state.mirror.Mirror.at_a_time", 1)
    with accelerate(strict=True), pytest.raises(KeyboardInterrupt):
        composition.run(rows, num_trials=7, **given)
    np.testing.assert_array_equal(composition.results, composition.parameters.results.get("expected"))
    calls[:] = [1, 1]
    with accelerate(strict=True), pytest.raises(KeyboardInterrupt):
        composition.execute({composition.nodes["STIMULUS"]: [[1.0, 0.2]]}, **given)
    assert len(composition.results) == 3  # to which execute() adds nothing
