"""
Calls that are shorter than compiling stay in PsyNeuLink, and leave what it leaves; later ones go on natively from there.
"""

import contextlib
import math
import os
import subprocess
import sys
import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.cases import inputs_of
from support.psyneulink.compare import KEPT, differences, held, simulates
from support.psyneulink.golden import fresh
from support.psyneulink.suite import CASES

from cogir.errors import CogirError
from cogir.psyneulink import FallbackWarning, accelerate, explain
from cogir.psyneulink.__main__ import main
from cogir.psyneulink.execution import expected_seconds, short_runs
from cogir.psyneulink.execution.expected_seconds import Passes, UnknownLength, expected, rows_of
from cogir.psyneulink.execution.session import sessions_of
from cogir.psyneulink.execution.short_runs import short_runs_of

pytestmark = pytest.mark.filterwarnings("ignore")

INPUTS = {"A": [[1.0, 0.5], [0.2, 0.1]]}


@pytest.fixture
def clock(monkeypatch):
    """A clock on which each call takes a tenth of a second, beside a compiler that takes a third."""
    ticks = iter(range(10**6))
    monkeypatch.setattr(short_runs, "time", SimpleNamespace(thread_time=lambda: next(ticks) / 10))
    monkeypatch.setattr(short_runs, "expected", lambda *given: 0.1)
    monkeypatch.setattr(short_runs, "seconds_of_compiling", lambda *given: 0.35)
    monkeypatch.setattr(short_runs, "slowness", lambda: 1.0)


@pytest.fixture
def twice(monkeypatch):
    """The first two calls of each Composition are short, of whatever kind it is."""
    monkeypatch.setattr(short_runs, "expected", lambda *given: 0.1)
    monkeypatch.setattr(short_runs.ShortRuns, "has_room_for", lambda self, seconds: self.calls < 2)


def build(**settings):
    """A Mechanism that integrates what another one gives it, and draws."""
    fresh()
    a = pnl.TransferMechanism(name="A", input_shapes=2)
    b = pnl.TransferMechanism(name="B", input_shapes=2, integrator_mode=True, noise=pnl.NormalDist(), **settings)
    return pnl.Composition(name="C", pathways=[[a, np.eye(2), b]])


def native_calls(composition, calls=1, run=None, **settings):
    """Which of some calls have run natively."""
    with accelerate(**{"short_runs": "psyneulink", **settings}):
        found = []
        for _ in range(calls):
            (run or (lambda: composition.run(INPUTS)))()
            found.append(bool(sessions_of(composition)))
    return found


def test_a_composition_is_compiled_when_its_calls_have_taken_as_long_as_that(clock):
    composition = build()
    assert native_calls(composition, 5) == [False, False, False, True, True]
    assert short_runs_of(composition).calls == 3


def test_a_short_call_is_left_to_psyneulink_by_what_is_known_of_it():
    assert native_calls(build()) == [False]


@pytest.mark.parametrize(("times", "stays"), [(0.9, True), (2.9, True), (3.1, False)], ids=["shorter than compiling", "in doubt", "longer"])
def test_a_first_call_that_is_in_doubt_begins_in_psyneulink(times, stays, clock, monkeypatch):
    monkeypatch.setattr(short_runs, "expected", lambda *given: times * 0.35)
    composition = build()
    assert native_calls(composition, run=lambda: composition.run({"A": [[1.0, 0.5]]})) == [not stays]


@pytest.mark.parametrize(
    "settings",
    [{"short_runs": "native"}, {"strict": True}, {"mode": "LLVMRun"}, {"short_runs": None}],
    ids=["as asked", "strict", "a mode", "the environment of the tests"],
)
def test_every_call_is_native(settings, clock):
    assert native_calls(build(), **settings) == [True]


def test_a_call_that_asks_for_a_mode_is_native(clock):
    composition = build()
    assert native_calls(composition, run=lambda: composition.run(INPUTS, execution_mode=pnl.ExecutionMode.LLVMRun)) == [True]


def test_where_short_runs_take_place_is_checked(monkeypatch):
    with pytest.raises(CogirError, match="accelerate: short_runs is 'python'; give psyneulink or native"):
        accelerate(short_runs="python")
    monkeypatch.setenv("COGIR_SHORT_RUNS", "never")
    with pytest.raises(CogirError, match="COGIR_SHORT_RUNS is 'never'; give psyneulink or native"):
        accelerate()
    monkeypatch.delenv("COGIR_SHORT_RUNS")
    composition = build()
    with accelerate():
        composition.run(INPUTS)
    assert not sessions_of(composition)


# The same values as in PsyNeuLink


def after_calls(build_case, inputs, block):
    """All that is held after each of some calls in two contexts."""
    fresh()
    composition = build_case()
    given = inputs(composition)
    found = []
    for context in ("x", "y", "x", "y", "x"):
        with block():
            composition.run(given, context=context)
        found.append(held(composition, context))
    return found, composition


MIXED = [name for name, case in CASES.items() if case.refused is None][3::13]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if index % 4 == 0 else [pytest.mark.full]) for index, name in enumerate(MIXED)]
)
def test_a_run_goes_on_natively_from_what_short_runs_have_left(name, twice):
    """The first two calls, one in each context, are PsyNeuLink's."""
    case = CASES[name]
    kept = [category for category in KEPT if category not in case.left_out]
    expected_values, plain = after_calls(case.build, lambda composition: inputs_of(composition, case), contextlib.nullcontext)
    kept = [category for category in kept if category != "count" or not simulates(plain)]
    found, composition = after_calls(case.build, lambda one: inputs_of(one, case), lambda: accelerate(short_runs="psyneulink"))
    assert sessions_of(composition)
    assert short_runs_of(composition).calls == 2
    assert [list(differences(*pair, kept)) for pair in zip(expected_values, found, strict=True)] == [[]] * 5


def test_logs_and_callbacks_go_on(twice):
    def entries(block):
        composition = build()
        composition.nodes["B"].set_log_conditions("value")
        seen = []
        for _ in range(4):
            with block():
                composition.run(INPUTS, call_after_trial=lambda: seen.append(composition.nodes["B"].parameters.value.get("C").tolist()))
        log = composition.nodes["B"].parameters.value.log["C"]
        return [(str(entry.time), np.round(entry.value, 10).tolist()) for entry in log], np.round(seen, 10).tolist()

    expected_entries = entries(contextlib.nullcontext)
    assert entries(lambda: accelerate(short_runs="psyneulink")) == expected_entries
    assert len(expected_entries[0]) == 8


def test_a_short_call_that_fails_leaves_what_psyneulink_leaves(clock):
    def failing(block):
        composition = build()
        with block(), pytest.raises(Exception, match="shape") as raised:
            composition.run({"A": [[1.0, 2.0, 3.0]]})
        return (
            type(raised.value),
            str(raised.value),
            [set(one.values) for one in composition.nodes["B"].parameters if hasattr(one, "values")],
        )

    assert str(failing(lambda: accelerate(short_runs="psyneulink"))) == str(failing(contextlib.nullcontext))


def test_a_short_call_that_is_interrupted_as_it_begins_is_over(clock, monkeypatch):
    class Interrupted:
        """Notes that a call goes on, and is interrupted."""

        def __init__(self):
            self.held = False

        def get(self):
            return self.held

        def set(self, value):
            self.held = value
            if value:
                raise KeyboardInterrupt

    composition = build()
    with monkeypatch.context() as patch:
        patch.setattr(short_runs, "_within", Interrupted())
        with accelerate(short_runs="psyneulink"), pytest.raises(KeyboardInterrupt):
            composition.run(INPUTS)
        assert not short_runs.is_within()
    assert native_calls(composition, 4) == [False, False, True, True]


def test_a_callback_of_a_short_call_runs_the_composition_in_psyneulink(clock):
    def results(block):
        composition = build()
        todo = [lambda: composition.run({"A": [[5.0, 5.0]]})]
        with block():
            composition.run(INPUTS, call_after_trial=lambda: todo and todo.pop()())
        return composition.results.tolist(), composition

    expected_results, _ = results(contextlib.nullcontext)
    found, composition = results(lambda: accelerate(short_runs="psyneulink"))
    assert found == expected_results
    assert not sessions_of(composition)
    assert short_runs_of(composition).calls == 1


def test_a_nested_composition_stays_in_psyneulink_where_the_one_around_it_does_not_compile(twice):
    """Two runs are short as a whole, and two trials of it in the run that is known not to be native."""
    fresh()
    inner = pnl.Composition(name="INNER", pathways=[pnl.TransferMechanism(name="A", input_shapes=2, integrator_mode=True)])
    printing = pnl.ProcessingMechanism(name="B", input_shapes=2, function=lambda value: (print(end=""), value)[1])
    outer = pnl.Composition(name="OUTER", pathways=[inner, printing])
    with accelerate(short_runs="psyneulink"):
        for trials, native in ((1, False), (1, False), (2, False), (1, True)):
            outer.run({inner: [[[1.0, 0.5]]] * trials})
            assert bool(sessions_of(inner)) == native
    assert short_runs_of(inner).calls == 2
    found = np.array(outer.results)
    fresh()
    inner = pnl.Composition(name="INNER", pathways=[pnl.TransferMechanism(name="A", input_shapes=2, integrator_mode=True)])
    alone = pnl.Composition(name="OUTER", pathways=[inner, pnl.ProcessingMechanism(name="B", input_shapes=2)])
    alone.run({inner: [[[1.0, 0.5]]] * 5})
    np.testing.assert_allclose(found, alone.results, rtol=1e-12)


def test_a_nested_composition_stays_in_psyneulink_with_the_one_around_it(clock):
    fresh()
    inner = pnl.Composition(name="I", nodes=[pnl.TransferMechanism(name="A", input_shapes=2)])
    outer = pnl.Composition(name="O", nodes=[inner])
    with accelerate(short_runs="psyneulink"):
        outer.run({inner: INPUTS["A"]})
    assert not sessions_of(outer)
    assert not sessions_of(inner)


# What is known beforehand of a call


def own(variable):
    """A function of the user's."""
    return variable * 2.0


def searching(num_estimates=None, **settings):
    """A controller that simulates."""
    node = pnl.TransferMechanism(name="A", input_shapes=2, **settings)
    composition = pnl.Composition(name="C", nodes=[node])
    signal = pnl.ControlSignal(modulates=("slope", node), allocation_samples=[1.0, 2.0])
    objective = pnl.ObjectiveMechanism(monitor=[node])
    composition.add_controller(
        pnl.OptimizationControlMechanism(
            agent_rep=composition,
            state_features=[node.input_port],
            objective_mechanism=objective,
            function=pnl.GridSearch(),
            control_signals=[signal],
            num_estimates=num_estimates,
        )
    )
    return composition


def ending(composition):
    """A trial that ends when a value says so."""
    composition.termination_processing = {pnl.TimeScale.TRIAL: pnl.WhenFinished(composition.nodes["B"])}
    return composition


def deciding():
    """An integrator that executes until it has reached its threshold."""
    function = pnl.DriftDiffusionIntegrator(threshold=1.0)
    return pnl.Composition(name="C", nodes=[pnl.DDM(name="A", function=function, execute_until_finished=True)])


OPEN = {
    "a threshold": lambda: build(termination_threshold=1.0, execute_until_finished=True),
    "an integrator with a threshold": deciding,
    "an end by values": lambda: ending(build()),
    "a class of the script's": lambda: pnl.Composition(name="C", nodes=[OfScript(name="A")]),
}


class OfScript(pnl.ProcessingMechanism):
    """A Mechanism of which nothing is known."""


@pytest.mark.parametrize("name", OPEN)
def test_the_length_of_a_trial_may_be_unknown(name):
    fresh()
    composition = OPEN[name]()
    assert expected(composition, {"self": composition, "num_trials": 1}) is None


@pytest.mark.parametrize("trials", [1, 2])
def test_a_first_call_of_few_trials_of_unknown_length_is_measured(trials, clock, monkeypatch):
    """On the clock it takes a tenth of a second, so that further trials fit in as often as they do into a third."""
    monkeypatch.setattr(short_runs, "expected", lambda *given: None)
    fresh()
    composition = ending(build())
    found = []
    with accelerate(short_runs="psyneulink"):
        for _ in range(4):
            before = composition.scheduler.get_clock(composition).time.environment_sequence
            composition.run({"A": [[1.0, 0.5]] * trials})
            found.append(bool(sessions_of(composition)))
            assert composition.scheduler.get_clock(composition).time.environment_sequence == before + 1
    assert found == [False, False, False, True]


@pytest.mark.parametrize("given", [{}, {"runtime_params": {}}], ids=["may go over", "may not"])
def test_a_first_call_of_more_trials_begins_in_psyneulink_if_it_may_go_over(given, clock, monkeypatch):
    monkeypatch.setattr(short_runs, "expected", lambda *given: None)
    fresh()
    composition = ending(build())
    with accelerate(short_runs="psyneulink"):
        composition.run({"A": [[1.0, 0.5]] * 3}, **given)
    assert bool(sessions_of(composition)) == bool(given)


@pytest.mark.parametrize(
    "given",
    [
        {"termination_processing": {pnl.TimeScale.TRIAL: pnl.AfterPass(1)}},
        {"runtime_params": {}},
        {"animate": False},
        {"call_after_pass": lambda: None},
        {"report_output": pnl.ReportOutput.OFF},
        {"execution_mode": pnl.ExecutionMode.Python},
        {"reset_stateful_functions_when": pnl.Never()},
    ],
    ids=lambda given: next(iter(given)),
)
def test_a_call_with_other_arguments_stays(given):
    composition = build()
    with accelerate(short_runs="psyneulink"):
        composition.run({"A": [[1.0, 0.5]]}, **given)
    assert not sessions_of(composition)
    assert short_runs_of(composition).calls == 1


def test_estimates_are_points_of_a_search():
    """PsyNeuLink adds a signal for them."""
    fresh()
    composition = searching(num_estimates=5, noise=pnl.NormalDist())
    assert expected_seconds.simulations_of(composition, composition.controller) == 10


def test_a_search_counts_for_all_its_points():
    fresh()
    composition = searching()
    controller = composition.controller
    assert expected_seconds.simulations_of(composition, controller) == 2
    controller.control_signals[0].parameters.allocation_samples.set(pnl.SampleIterator(np.linspace(1.0, 3.0, 50)))
    assert expected_seconds.simulations_of(composition, controller) == 50
    controller.parameters.num_trials_per_estimate.set(4)
    assert expected_seconds.simulations_of(composition, controller) == 200
    nodes = len(composition.nodes)  # with the ObjectiveMechanism
    plain = expected_seconds.PER_CALL + expected_seconds.PER_EXECUTION
    each = expected_seconds.PER_SIMULATION + expected_seconds.PER_EXECUTION
    assert expected(composition, {"self": composition, "num_trials": 1}) == pytest.approx(nodes * (plain + 200 * each), rel=1e-3)
    controller.function = pnl.GradientOptimization()
    assert expected(composition, {"self": composition, "num_trials": 1}) is None


def test_what_executes_once_is_known():
    composition = build(termination_threshold=1.0, execute_until_finished=False)
    once = expected(composition, {"inputs": INPUTS})
    assert once == expected(build(), {"inputs": INPUTS})
    assert expected(composition, {"inputs": INPUTS, "num_trials": 1000}) > 100 * once
    assert expected(composition, {"inputs": (row for row in INPUTS["A"])}) is None


def test_a_function_of_the_user_counts_for_several():
    def seconds(function):
        fresh()
        composition = pnl.Composition(name="C", nodes=[pnl.ProcessingMechanism(name="A", input_shapes=2, function=function)])
        return expected(composition, {"self": composition, "inputs": INPUTS})

    assert seconds(own) > 10 * seconds(pnl.Linear())


def test_wide_layers_count_for_more():
    def seconds(size):
        fresh()
        composition = pnl.Composition(name="C", nodes=[pnl.ProcessingMechanism(name="A", input_shapes=size)])
        return expected(composition, {"self": composition, "num_trials": 1})

    assert seconds(1000) > 10 * seconds(2)


def test_the_number_of_trials_is_told_by_the_inputs():
    fresh()
    wide = pnl.ProcessingMechanism(name="A", input_shapes=3)
    several = pnl.ProcessingMechanism(name="B", input_shapes=[2, 1])
    composition = pnl.Composition(name="C", nodes=[wide, several])
    for node, value, trials in (
        (wide, [1, 2, 3], 1),
        (wide, [[1, 2, 3]], 1),
        (wide, [[1, 2, 3], [4, 5, 6]], 2),
        ("A", np.zeros((7, 3)), 7),
        (several, np.ones((4, 3)), 4),
        (wide.input_port, np.ones((5, 3)), 5),
        (several, [[1, 2], [3]], 1),
        (several, [[[1, 2], [3]], [[4, 5], [6]], [[7, 8], [9]]], 3),
        (wide, 1.0, 1),
    ):
        assert rows_of(composition, node, value) == trials
    with pytest.raises(UnknownLength):
        rows_of(composition, wide, lambda trial: [1, 2, 3])


CONDITIONS = {
    "none": lambda a, b, c: {},
    "every third call": lambda a, b, c: {b: pnl.EveryNCalls(a, 3)},
    "calls of calls": lambda a, b, c: {b: pnl.EveryNCalls(a, 3), c: pnl.EveryNCalls(b, 2)},
    "after calls": lambda a, b, c: {c: pnl.AfterNCalls(a, 4)},
    "after a call": lambda a, b, c: {c: pnl.AfterCall(b, 2)},
    "passes": lambda a, b, c: {b: pnl.AfterPass(2), c: pnl.EveryNPasses(2)},
    "after passes": lambda a, b, c: {b: pnl.AfterNPasses(3)},
    "at a pass": lambda a, b, c: {b: pnl.AtPass(2)},
    "at calls": lambda a, b, c: {c: pnl.AtNCalls(b, 3)},
    "before its first call": lambda a, b, c: {a: pnl.AtNCalls(a, 0), b: pnl.Always()},
    "all": lambda a, b, c: {c: pnl.All(pnl.EveryNCalls(a, 4), pnl.AfterNCalls(b, 2))},
    "any": lambda a, b, c: {c: pnl.Any(pnl.EveryNCalls(a, 4), pnl.EveryNCalls(b, 2))},
    "numbers with a fraction": lambda a, b, c: {b: pnl.EveryNCalls(a, 3.0), c: pnl.AfterNCalls(a, 3.5)},
}
ENDS = {
    "after calls": (lambda a, b, c: pnl.AfterNCalls(a, 40), 40),
    "after a pass": (lambda a, b, c: pnl.AfterPass(20), 22),
    "after calls of one that waits": (lambda a, b, c: pnl.AfterNCalls(b, 12.0), 36),
    "all": (lambda a, b, c: pnl.All(pnl.AfterNCalls(a, 7), pnl.AfterNCalls(b, 5)), 15),
    "any": (lambda a, b, c: pnl.Any(pnl.AfterNCalls(a, 7), pnl.AfterNCalls(b, 5)), 7),
}


@pytest.mark.parametrize("name", CONDITIONS)
def test_the_passes_of_a_trial_are_at_most_as_many_as_expected(name):
    fresh()
    nodes = [pnl.ProcessingMechanism(name=name) for name in "ABC"]
    composition = pnl.Composition(name="C", pathways=[nodes])
    composition.scheduler.add_condition_set(CONDITIONS[name](*nodes))
    passes = Passes(composition)
    composition.run({"A": [[1.0]]})
    sets = composition.scheduler.execution_list["C"]
    for node in nodes:
        assert sum(node in one for one in sets) <= passes.calls_of(node)
    assert composition.scheduler.clocks["C"].history.total_times[pnl.TimeScale.PASS] <= passes.count <= 8


@pytest.mark.parametrize("name", ENDS)
@pytest.mark.parametrize(
    "last", [lambda a, b: pnl.All(pnl.EveryNCalls(a, 4), pnl.AfterNCalls(a, 2)), lambda a, b: pnl.Threshold(a, "value", 9, ">")]
)
def test_a_trial_may_end_by_counts(name, last):
    fresh()
    nodes = a, b, c = [pnl.ProcessingMechanism(name=name) for name in "ABC"]
    composition = pnl.Composition(name="C", pathways=[nodes])
    composition.scheduler.add_condition_set({b: pnl.EveryNCalls(a, 3), c: last(a, b)})
    end, count = ENDS[name]
    composition.termination_processing = {pnl.TimeScale.TRIAL: end(*nodes)}
    passes = Passes(composition)
    composition.run({"A": [[1.0]]})
    sets = composition.scheduler.execution_list["C"]
    for node in nodes:
        assert sum(node in one for one in sets) <= passes.calls_of(node)
    assert composition.scheduler.clocks["C"].history.total_times[pnl.TimeScale.PASS] <= passes.count == count


@pytest.mark.parametrize("end", [lambda a: pnl.Threshold(a, "value", 1.0, ">"), lambda a: pnl.AfterNCalls(a, math.inf)])
def test_other_ends_are_not_known(end):
    fresh()
    a = pnl.ProcessingMechanism(name="A")
    composition = pnl.Composition(name="C", nodes=[a])
    composition.termination_processing = {pnl.TimeScale.TRIAL: end(a)}
    with pytest.raises(UnknownLength):
        Passes(composition)


@pytest.mark.parametrize(
    "condition",
    [
        lambda a, b: pnl.Condition(lambda: True),
        lambda a, b: pnl.AtTrial(0),
        lambda a, b: pnl.AfterNCalls(a, 2, time_scale=pnl.TimeScale.RUN),
        lambda a, b: pnl.EveryNCalls(b, 2),
        lambda a, b: pnl.Threshold(a, "value", 1.0, ">"),
    ],
    ids=["the user's", "trials", "a run", "itself", "values"],
)
def test_other_conditions_are_not_known(condition):
    fresh()
    a, b = (pnl.ProcessingMechanism(name=name) for name in "AB")
    composition = pnl.Composition(name="C", pathways=[[a, b]])
    composition.scheduler.add_condition(b, condition(a, b))
    with pytest.raises(UnknownLength):
        Passes(composition)


# Code that is in the cache, and what the user is told


def test_code_in_the_cache_is_loaded_sooner(monkeypatch, tmp_path):
    monkeypatch.setenv("COGIR_CACHE_DIR", str(tmp_path / "cache"))

    def expected_of_compiling():
        composition = build()
        with accelerate(short_runs="psyneulink"):
            composition.run(INPUTS)
        return short_runs_of(composition).compiling

    before = expected_of_compiling()
    native_calls(build(), short_runs="native")
    assert expected_of_compiling() < before


@pytest.mark.parametrize("method", ["run", "learn"])
def test_estimates_are_those_of_the_machine(monkeypatch, method):
    """Where all takes three times as long, as many calls stay in PsyNeuLink."""

    def stayed(slowness):
        seconds = iter(range(10**6))
        monkeypatch.setattr(short_runs, "slowness", lambda: slowness)
        monkeypatch.setattr(short_runs, "time", SimpleNamespace(thread_time=lambda: slowness * next(seconds) / 10))
        composition, calls = build(), 0
        while True:
            given = {"self": composition, "num_trials": 2}
            call = short_runs.staying(composition, given) if method == "run" else short_runs.staying_to_learn(composition, 2)
            if call is None:
                return calls
            with call:
                calls += 1

    monkeypatch.setattr(short_runs, "seconds_of_compiling", lambda *given: 0.45)
    assert stayed(1.0) == stayed(3.0) == 4


def test_how_slow_a_machine_is_is_measured(monkeypatch):
    seconds = iter([0.0, 2.0, 5.0, 6.0, 10.0, 13.0, 20.0, 22.0])
    monkeypatch.setattr(expected_seconds, "time", SimpleNamespace(thread_time=lambda: next(seconds)))
    assert expected_seconds.slowness.__wrapped__() == 1.0 / expected_seconds.SECONDS_OF_ROUNDS


def test_a_call_that_is_not_compiled_is_told_of_when_it_is_no_longer_short(clock):
    fresh()
    composition = pnl.Composition(name="C", nodes=[pnl.ProcessingMechanism(name="A", input_shapes=2, function=lambda x: np.unwrap(x))])
    said = []
    with accelerate(short_runs="psyneulink"):
        for _ in range(5):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                composition.run(INPUTS)
            said.append(sum(issubclass(one.category, FallbackWarning) for one in caught))
    assert said == [0, 0, 0, 1, 0]


def test_explanations_tell_of_short_calls(clock):
    composition = build()
    assert "short" not in str(explain(composition))
    with accelerate(short_runs="psyneulink"):
        composition.run(INPUTS)
    assert "1 short call ran in PsyNeuLink (0.1 s), as compiling takes about 0.35 s" in str(explain(composition))
    assert "1 short call ran in PsyNeuLink" in explain(composition)._repr_html_()


SCRIPT = """
import psyneulink as pnl
composition = pnl.Composition(name="C", pathways=[[pnl.TransferMechanism(name="A"), pnl.TransferMechanism(name="B")]])
composition.run({"A": [[1.0]]})
"""


def test_a_script_is_told_at_its_end(tmp_path, capsys, monkeypatch):
    fresh()
    monkeypatch.setattr(sys, "argv", sys.argv)
    monkeypatch.setattr(sys, "path", list(sys.path))
    (script := tmp_path / "script.py").write_text(SCRIPT)
    assert main(["--short-runs=psyneulink", "--explain", str(script)]) == 0
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "C: compiles"
    assert said[-1].startswith("C: 1 short call ran in PsyNeuLink")
    assert main(["--short-runs=other", str(script)]) == 2
    assert "short_runs is 'other'" in capsys.readouterr().err


LEARNING = """
import psyneulink as pnl
composition = pnl.Composition(nodes=[hebbian := pnl.RecurrentTransferMechanism(input_shapes=3, enable_learning=True, name="H")])
composition.learn({hebbian: [1.0, 0.0, 1.0]}, num_trials=2)
"""


@pytest.mark.parametrize("calls", [SCRIPT, LEARNING], ids=["run", "learn"])
def test_a_script_whose_calls_are_short_imports_no_compiler(calls, tmp_path):
    script = f"from cogir.psyneulink import accelerate\naccelerate()\n{calls}\nimport sys\nprint(*sys.modules)"
    environment = {**os.environ, "COGIR_SHORT_RUNS": "psyneulink", "COGIR_CACHE_DIR": str(tmp_path / "cache")}
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", script], capture_output=True, text=True, env=environment, check=True)
    loaded = set(done.stdout.split())
    assert "cogir.psyneulink.execution.short_runs" in loaded
    heavy = {"xdsl", "cogir.psyneulink.native_calls", "cogir.psyneulink.execution.session", "cogir.psyneulink.importer.composition"}
    assert not loaded & (heavy | {"cogir.library", "cogir.frontend", "cogir.runtime"})


REFUSED = """
import psyneulink as pnl
composition = pnl.Composition(nodes=[node := pnl.ProcessingMechanism(input_shapes=3, name="A")], name="C")
for _ in range(2):
    composition.run({node: [[1.0, 0.0, 1.0]]}, call_after_pass=lambda: None)
assert len(composition.results) == 2
"""


def test_a_call_whose_arguments_are_refused_imports_nothing_for_it():
    script = f"from cogir.psyneulink import accelerate\naccelerate(short_runs='native')\n{REFUSED}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stderr.count("FallbackWarning: Composition 'C': run() is called with call_after_pass, within a trial") == 1
    assert not set(done.stdout.split()) & {"xdsl", "cogir.psyneulink.native_calls"}


def test_a_script_whose_code_is_in_the_cache_imports_no_compiler(tmp_path):
    script = f"from cogir.psyneulink import accelerate\naccelerate(short_runs='native')\n{SCRIPT}\nimport sys\nprint(*sys.modules)"
    environment = {**os.environ, "COGIR_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, "-W", "ignore", "-c", script]
    cold, warm = (subprocess.run(command, capture_output=True, text=True, env=environment, check=True).stdout.split() for _ in "12")
    compiler = {"xdsl", "cogir.backend.jit", "cogir.lowering"}
    assert compiler <= set(cold)
    assert not compiler & set(warm)
    assert "cogir.psyneulink.native_calls" in warm
