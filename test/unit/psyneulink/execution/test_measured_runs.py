"""
Runs that begin in PsyNeuLink and go over to native code leave what PsyNeuLink leaves.
"""

import contextlib
import itertools
import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.cases import inputs_of
from support.psyneulink.compare import KEPT, differences, held, simulates
from support.psyneulink.going_over import going_over_after
from support.psyneulink.golden import fresh
from support.psyneulink.suite import CASES

from cogir.psyneulink import FallbackWarning, accelerate, report
from cogir.psyneulink.execution import measured_runs, short_runs
from cogir.psyneulink.execution.measured_runs import MeasuredRun
from cogir.psyneulink.execution.session import sessions_of
from cogir.psyneulink.execution.short_runs import short_runs_of

pytestmark = pytest.mark.filterwarnings("ignore")

CALLS, TRIALS = ("x", "y", "x"), 5
"""The execution contexts of calls, and the trials of each."""


def build(name="C"):
    """Units that compete until one of them has reached a threshold."""
    fresh()
    a = pnl.TransferMechanism(name="A", input_shapes=2)
    noise = pnl.NormalDist(standard_deviation=0.3)
    b = pnl.LCAMechanism(name="B", input_shapes=2, termination_threshold=0.7, execute_until_finished=True, noise=noise)
    return pnl.Composition(name=name, pathways=[[a, np.eye(2), b]])


INPUTS = {"A": [[1.0, 0.5], [0.3, 1.0]]}


def after_calls(made, inputs, block):
    """All that is held after each of some calls in two contexts."""
    fresh()
    composition = made()
    given = inputs(composition)
    found = []
    for context in CALLS:
        with block():
            composition.run(given, num_trials=TRIALS, context=context)
        found.append(held(composition, context))
    return found, composition


@contextlib.contextmanager
def accelerated():
    with accelerate(short_runs="psyneulink"), going_over_after(2):
        yield


NATIVE = [name for name, case in CASES.items() if case.refused is None and name != "no nodes"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if index % 120 == 0 else [pytest.mark.full]) for index, name in enumerate(NATIVE)]
)
def test_a_run_that_goes_over_leaves_the_same(name, monkeypatch):
    monkeypatch.setattr(short_runs, "expected", lambda *given: None)
    case = CASES[name]
    expected, plain = after_calls(case.build, lambda composition: inputs_of(composition, case), contextlib.nullcontext)
    kept = [category for category in KEPT if category not in case.left_out and (category != "count" or not simulates(plain))]
    found, composition = after_calls(case.build, lambda one: inputs_of(one, case), accelerated)
    assert sessions_of(composition)
    assert [list(differences(*pair, kept)) for pair in zip(expected, found, strict=True)] == [[]] * len(CALLS)


@pytest.mark.parametrize("trials", [1, 2, 4])
def test_entries_in_logs_are_those_of_all_trials(trials):
    def entries(block):
        composition = build()
        composition.nodes["B"].set_log_conditions(["value", "variable"])
        with block:
            last = composition.run(INPUTS, num_trials=5)
            composition.run(INPUTS)
        logs = [getattr(composition.nodes["B"].parameters, name).log["C"] for name in ("value", "variable")]
        return [np.round(last, 10).tolist(), composition.input_specification, composition.results.shape] + [
            [(str(entry.time), str(entry.value)[:12]) for entry in log] for log in logs
        ]

    expected = entries(contextlib.nullcontext())
    with going_over_after(trials) as asked:
        assert entries(accelerate(short_runs="psyneulink")) == expected
    assert asked == ["C"]


@pytest.mark.parametrize("changes", [False, True], ids=["look", "change"])
@pytest.mark.parametrize("when", ["before", "after"])
def test_callbacks_are_called_once_for_each_trial(when, changes):
    def seen(block):
        composition = build()
        inputs = {"A": np.array([[1.0, 0.5], [0.3, 1.0]])}
        found = []

        def look():
            found.append(
                (
                    composition.nodes["B"].value.round(10).tolist(),
                    len(composition.results),
                    str(composition.scheduler.get_clock(composition).time),
                )
            )
            if changes:
                composition.nodes["A"].function.slope.base = 1.0 + 0.1 * len(found)
                inputs["A"][:] = 9.0

        with block:
            last = composition.run(inputs, num_trials=5, **{f"call_{when}_trial": look})
            composition.run(INPUTS)
        return found, np.round(last, 10).tolist(), composition.results.round(10).tolist()

    expected = seen(contextlib.nullcontext())
    with going_over_after(2) as asked:
        assert seen(accelerate(short_runs="psyneulink")) == expected
    assert asked == ["C"]
    assert len(expected[0]) == 5


def runs_it(composition, **given):
    composition.run({"A": [[0.2, 0.9], [0.1, 0.2], [0.5, 0.5], [0.6, 0.1]]}, call_before_trial=None, **given)


CHANGES = {
    "runs it": lambda composition, context: runs_it(composition),
    "runs it in its context": lambda composition, context: runs_it(composition, context=context),
    "executes it in its context": lambda composition, context: composition.execute({composition.nodes["A"]: [[0.2, 0.9]]}, context=context),
    "another scheduler": lambda composition, context: setattr(composition, "scheduler", pnl.Scheduler(composition=composition)),
    "other results": lambda composition, context: composition.parameters.results.set(
        np.full(np.shape(composition.parameters.results.get("C")), 5.0), "C"
    ),
    "a reset": lambda composition, context: setattr(composition.nodes["B"], "reset_stateful_function_when", pnl.AtTrialStart()),
    "another default context": lambda composition, context: setattr(composition, "default_execution_id", "other"),
}
"""What a callback does beside the run, which PsyNeuLink goes on with as it has begun."""


BESIDE = list(itertools.product(CHANGES, ["before", "after"], [1, 2, 3]))
KNOWN = pytest.mark.xfail(strict=True, reason="a native run goes on with the scheduler that a callback has put in the place of its own")


@pytest.mark.parametrize(
    ("change", "when", "after"),
    [pytest.param(*case, marks=[KNOWN] if case == ("another scheduler", "after", 1) else []) for case in BESIDE],
)
@pytest.mark.sampled(12)
def test_what_callbacks_change_beside_a_run_stays_psyneulinks(change, when, after):
    def results(block):
        composition = build()
        composition.nodes["B"].execute_until_finished = False
        called = []

        def act(context):
            called.append(str(composition.scheduler.get_clock(composition).time))
            if called.count("end") == 1:
                CHANGES[change](composition, context)
            called.append("end")

        with block:
            composition.run(INPUTS, num_trials=6, **{f"call_{when}_trial": act})
            composition.run(INPUTS)
        conditions = [type(node.reset_stateful_function_when).__name__ for node in composition.nodes]
        counts = [str(node.num_executions) for node in composition.nodes]
        return called, str(np.round(composition.results, 10).tolist()), conditions, counts

    expected = results(contextlib.nullcontext())
    with going_over_after(after):
        assert results(accelerate(short_runs="psyneulink")) == expected


def test_an_output_that_a_callback_adds_is_psyneulinks_error():
    """It has no value in the context of the run."""

    def raised(block):
        composition = build()

        def add():
            if len(composition.results) == 1:
                composition.add_linear_processing_pathway([composition.nodes["B"], pnl.ProcessingMechanism(name="D", input_shapes=2)])

        with block, pytest.raises(Exception, match="has no value") as error:
            composition.run(INPUTS, num_trials=4, call_before_trial=add)
        return type(error.value), str(error.value), len(composition.results)

    with going_over_after(2):
        assert raised(accelerate(short_runs="psyneulink")) == raised(contextlib.nullcontext())


def test_where_a_warning_of_a_fallback_is_an_error_it_comes_before_the_first_trial():
    def unknown(variable):
        with open(__file__):
            return np.sort(variable)

    fresh()
    function = pnl.UserDefinedFunction(custom_function=unknown)
    composition = pnl.Composition(name="C", nodes=[pnl.ProcessingMechanism(name="A", input_shapes=2, function=function)])
    composition.termination_processing[pnl.TimeScale.TRIAL] = pnl.Condition(lambda: True)
    with going_over_after(1), warnings.catch_warnings():
        warnings.simplefilter("error", FallbackWarning)
        with accelerate(short_runs="psyneulink"), pytest.raises(FallbackWarning):
            composition.run({"A": [[1.0, 2.0]] * 4})
    assert not len(composition.results)


def test_a_run_that_is_over_stays_over():
    """Its end, by a condition of the Composition, counts the trials in PsyNeuLink, too."""

    def results(block):
        composition = build()
        composition.termination_processing[pnl.TimeScale.RUN] = pnl.AfterNTrials(4)
        with block:
            composition.run(INPUTS, num_trials=9)
        return len(composition.results), str(composition.scheduler.get_clock(composition).time)

    with going_over_after(2):
        assert results(accelerate(short_runs="psyneulink")) == results(contextlib.nullcontext())


def test_conditions_of_resets_are_put_back():
    composition = build()
    before = composition.nodes["B"].reset_stateful_function_when
    with accelerate(short_runs="psyneulink"), going_over_after(1):
        composition.run(INPUTS, num_trials=3)
    assert sessions_of(composition)
    assert composition.nodes["B"].reset_stateful_function_when is before


def test_a_run_that_does_not_compile_goes_on_in_psyneulink():
    """Nested Compositions in it are native from there on, if they can be."""

    def unknown(variable):
        with open(__file__):
            return np.sort(variable)

    def results(block):
        inner = build("inner")
        function = pnl.UserDefinedFunction(custom_function=unknown)
        outer = pnl.Composition(name="outer", pathways=[[inner, pnl.ProcessingMechanism(name="D", input_shapes=2, function=function)]])
        with block:
            outer.run({inner: [[1.0, 0.5], [0.3, 1.0]]}, num_trials=6)
        return outer, inner

    expected, _ = results(contextlib.nullcontext())
    with going_over_after(2) as asked, warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        outer, inner = results(accelerate(short_runs="psyneulink"))
    np.testing.assert_allclose(outer.results, expected.results, rtol=1e-12)
    assert asked == ["outer"]
    (message,) = [str(one.message) for one in told if one.category is FallbackWarning]
    assert "'D'" in message
    assert not sessions_of(outer)
    assert sessions_of(inner) or short_runs_of(inner)
    assert "run, 1 call: in PsyNeuLink" in str(report(outer))


def test_inputs_that_cannot_be_native_stay_in_psyneulink():
    def results(block):
        fresh()
        composition = pnl.Composition(name="C", pathways=[pnl.TransferMechanism(name="A", input_shapes=2)])
        with block, np.errstate(all="ignore"):
            composition.run({"A": [[1.0, 2.0], [2.0, 3.0], [np.inf, 1.0], [4.0, 5.0]]})
        return composition.results.tolist()

    with going_over_after(1) as asked:
        assert str(results(accelerate(short_runs="psyneulink"))) == str(results(contextlib.nullcontext()))
    assert asked


def test_a_trial_that_cannot_be_native_is_psyneulinks_again():
    """Its output overflows, after the run has gone over."""

    def results(block):
        fresh()
        mechanism = pnl.ProcessingMechanism(name="A", input_shapes=2, function=pnl.Exponential())
        composition = pnl.Composition(name="C", pathways=[mechanism])
        with block, np.errstate(all="ignore"):
            composition.run({"A": [[1.0, 2.0], [2.0, 3.0], [3.0, 1.0], [800.0, 5.0], [1.0, 1.0]]})
        return composition.results.tolist(), str(composition.scheduler.get_clock(composition).time), composition.input_specification

    expected = results(contextlib.nullcontext())
    with going_over_after(1) as asked, pytest.warns(FallbackWarning, match="the rest of the run is executed in PsyNeuLink"):
        assert str(results(accelerate(short_runs="psyneulink"))) == str(expected)
    assert asked


def test_an_error_in_psyneulink_is_its_own():
    def raised(block):
        composition = build()
        with block, pytest.raises(Exception, match="shape") as error:
            composition.run({"A": [[1.0, 2.0, 3.0]] * 3})
        return type(error.value), str(error.value)

    with going_over_after(1):
        assert raised(accelerate(short_runs="psyneulink")) == raised(contextlib.nullcontext())


def test_ctrl_c_after_a_run_has_gone_over_leaves_whole_trials(monkeypatch):
    from cogir.psyneulink.execution.native_run import NativeRun

    def stopped(*given):
        raise KeyboardInterrupt

    composition = build()
    monkeypatch.setattr(NativeRun, "go_on", stopped)
    with accelerate(short_runs="psyneulink"), going_over_after(2), pytest.raises(KeyboardInterrupt):
        composition.run(INPUTS, num_trials=5)
    assert len(composition.results) == 2
    monkeypatch.undo()
    with accelerate(strict=True):
        composition.run(INPUTS, num_trials=5)
    assert len(composition.results) == 7


def test_the_report_counts_it_as_native():
    composition = build()
    with accelerate(short_runs="psyneulink"), going_over_after(1):
        composition.run(INPUTS, num_trials=3)
    assert "run, 1 call: native" in str(report(composition))
    assert short_runs_of(composition) is None  # no call has been PsyNeuLink's


def test_the_time_of_a_run_that_has_gone_over_is_none_of_short_calls():
    composition = build()
    with accelerate(short_runs="psyneulink"):
        composition.run(INPUTS, num_trials=1)
        before = short_runs_of(composition).seconds
        with going_over_after(1):
            composition.run(INPUTS, num_trials=2)
    assert sessions_of(composition)
    assert (short_runs_of(composition).calls, short_runs_of(composition).seconds) == (1, before)


# When it pays


@pytest.mark.parametrize("name", ["call_before_trial", "call_after_trial"])
def test_the_time_of_callbacks_between_trials_is_none_of_theirs(name, monkeypatch):
    now = [0.0]

    def ticking():
        now[0] += 0.001
        return now[0]

    monkeypatch.setattr(short_runs, "time", SimpleNamespace(thread_time=ticking))
    composition = build()

    def call(context):
        now[0] += 100.0

    with accelerate(short_runs="psyneulink"):
        for _ in range(2):
            composition.run(INPUTS, num_trials=5, **{name: call})
    assert not sessions_of(composition)
    assert short_runs_of(composition).calls == 2
    assert short_runs_of(composition).seconds == pytest.approx(2 * 5 * 0.001)


@pytest.mark.parametrize(
    ("trials", "each", "compiling", "over"),
    [
        (10, 1.0, 5.0, 2),  # eight trials are left, of a second each
        (10, 1.0, 8.0, None),  # eight seconds, no more than compiling
        (4, 9.0, 8.0, 1),  # the first trial alone takes longer than compiling
        (1, 9.0, 8.0, None),  # nothing is left after it
        (1000, 0.001, 8.0, None),
    ],
)
def test_a_run_goes_over_where_the_trials_that_are_left_take_longer_than_compiling(trials, each, compiling, over):
    ticks = (each * number for number in range(trials + 1))
    run = MeasuredRun({"self": SimpleNamespace(scheduler="S")}, trials, compiling, contextlib.nullcontext(), lambda: next(ticks))
    prepared = []
    run.prepare = lambda: prepared.append(run.done)
    for _ in range(trials):
        run.trial_begins(SimpleNamespace(execution_id="C"), "S")
    assert prepared == ([] if over is None else [over])


@pytest.mark.parametrize(
    "given",
    [{"call_after_pass": lambda: None}, {"runtime_params": {"A": {}}}, {"clamp_input": "hard_clamp"}, {"inputs": lambda trial: INPUTS}],
    ids=lambda given: next(iter(given)),
)
def test_calls_with_other_arguments_do_not_go_over(given):
    composition = build()
    assert not measured_runs.may_go_over(composition, {"self": composition, "inputs": INPUTS, **given})


def test_what_searches_does_not_go_over():
    composition = build()
    composition.add_controller(
        pnl.OptimizationControlMechanism(
            agent_rep=composition,
            state_features=[composition.nodes["A"].input_port],
            function=pnl.GridSearch(),
            objective_mechanism=pnl.ObjectiveMechanism(monitor=[composition.nodes["B"]]),
            control_signals=[pnl.ControlSignal(modulates=("slope", composition.nodes["A"]), allocation_samples=[1.0, 2.0])],
        )
    )
    assert not measured_runs.may_go_over(composition, {"self": composition, "inputs": INPUTS})
