"""
Reports of PsyNeuLink on native trials: what is printed and kept is to the letter what PsyNeuLink prints and keeps, as values are equal to
the bit here.
"""

import contextlib

import numpy as np
import pytest
from psyneulink.core.compositions.report import ReportDevices, ReportOutput, ReportParams, ReportProgress
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

from cogir.psyneulink import FallbackWarning, accelerate
from cogir.psyneulink.reader import UnsupportedFeature

pytestmark = pytest.mark.filterwarnings("ignore")

KEPT = [ReportDevices.DIVERT, ReportDevices.RECORD]
PRINTED = [ReportDevices.CONSOLE, ReportDevices.RECORD]


@pytest.fixture(autouse=True)
def width(monkeypatch):
    """The width of the terminal for which reports are made."""
    monkeypatch.setenv("COLUMNS", "100")


def chain():
    """A Composition whose nodes have different preferences, and its input node."""
    fresh()
    a = pnl.TransferMechanism(name="a", input_shapes=2)
    b = pnl.TransferMechanism(name="b", function=pnl.Linear(slope=2.0))
    c = pnl.TransferMechanism(name="c", integrator_mode=True)
    a.reportOutputPref, b.reportOutputPref = ReportOutput.OFF, ReportOutput.TERSE
    c.reportOutputPref = [ReportOutput.FULL, "integration_rate", "slope", "value", "num_executions"]
    return pnl.Composition([a, b, c], name="chain"), a


def nested():
    """A Composition with one in it."""
    fresh()
    a, b = pnl.TransferMechanism(name="a"), pnl.TransferMechanism(name="b", function=pnl.Logistic)
    b.reportOutputPref = "params"
    inner = pnl.Composition([a, b], name="inner")
    return pnl.Composition([inner, pnl.TransferMechanism(name="c")], name="outer"), inner


def counting():
    """A Composition with several passes in a trial."""
    fresh()
    a, b = pnl.TransferMechanism(name="a"), pnl.TransferMechanism(name="b", integrator_mode=True)
    composition = pnl.Composition([a, b], name="counting")
    composition.scheduler.add_condition(b, pnl.EveryNCalls(a, 2))
    return composition, a


def reported(capsys, make, calls, native):
    """What calls of methods print and keep; `native`: none of them may be left to PsyNeuLink."""
    composition, node = make()
    trial = np.arange(1.0, 1.0 + len(composition.get_input_values()[0]) if hasattr(node, "nodes") else 1.0 + node.defaults.variable.size)
    found = []
    capsys.readouterr()
    with accelerate(strict=True) if native else contextlib.nullcontext():
        for method, options in calls:
            inputs = {node: [[trial], [2 * trial]] if hasattr(node, "nodes") else [trial, 2 * trial]}
            getattr(composition, method)(inputs if method == "run" else {node: [trial]}, **options)
            kept = [getattr(composition, name, None) for name in ("rich_diverted_reports", "recorded_reports")]
            found.append((capsys.readouterr().out, *kept))
    return found


@pytest.mark.parametrize("make", [chain, nested])
@pytest.mark.parametrize("method", ["run", "execute"])
def test_reports_are_equal(capsys, make, method):
    calls = [
        (method, {"report_output": output, "report_progress": progress, "report_to_devices": devices, "report_params": params})
        for output, params in (
            (ReportOutput.TERSE, None),
            (ReportOutput.USE_PREFS, [ReportParams.LOGGED]),
            (ReportOutput.FULL, [ReportParams.MONITORED]),
            (ReportOutput.OFF, None),
        )
        for progress, devices in ((ReportProgress.OFF, KEPT), (ReportProgress.ON, PRINTED))
    ]
    assert reported(capsys, make, calls, native=True) == reported(capsys, make, calls, native=False)


def test_reports_on_several_passes_are_equal(capsys):
    calls = [("run", {"report_output": ReportOutput.TERSE}), ("execute", {"report_output": ReportOutput.TERSE})]
    assert reported(capsys, counting, calls, native=True) == reported(capsys, counting, calls, native=False)


def test_values_of_what_is_executed_several_times_are_left_to_psyneulink():
    composition, node = counting()
    with accelerate(strict=True), pytest.raises(UnsupportedFeature, match="a report on values of 'a', which is executed several times"):
        composition.run({node: [[1.0]]}, report_output=ReportOutput.FULL)


def test_parameters_that_there_are_not_are_left_to_psyneulink():
    composition, node = chain()
    composition.nodes["c"].reportOutputPref = ["glorp"]
    with accelerate(strict=True), pytest.raises(UnsupportedFeature, match="a report on 'glorp' of 'c', which it does not have"):
        composition.run({node: [[1.0, 2.0]]}, report_output=ReportOutput.FULL)


def test_callbacks_come_between_the_trials(capsys):
    def texts(native):
        composition, node = chain()
        with accelerate(strict=True) if native else contextlib.nullcontext():
            composition.run(
                {node: [[1.0, 2.0], [3.0, 4.0]]},
                call_before_trial=lambda: print("before"),
                call_after_trial=lambda: print("after"),
                report_output=ReportOutput.TERSE,
            )
            composition.run({node: [[1.0, 2.0]]}, num_trials=0, report_output=ReportOutput.TERSE)
        return capsys.readouterr().out

    expected = texts(native=False)
    assert texts(native=True) == expected
    assert expected.count("before") == 2


def test_a_run_without_a_report_forgets_the_last_one():
    composition, node = chain()
    with accelerate(strict=True):
        composition.run({node: [[1.0, 2.0]]}, report_output=ReportOutput.TERSE, report_to_devices=KEPT)
        assert composition.rich_diverted_reports
        composition.run({node: [[1.0, 2.0]]})
    assert composition.rich_diverted_reports is composition.recorded_reports is None


def test_psyneulink_carries_reports_on(capsys):
    def texts(native):
        composition, node = chain()

        def asks(trials=[]):
            trials.append(0)
            if len(trials) == 2:
                composition.scheduler.add_condition(composition.nodes["c"], pnl.Condition(lambda: (print("asked"), True)[1]))

        with accelerate() if native else contextlib.nullcontext():
            composition.run(
                {node: [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]}, call_after_trial=asks, report_output=ReportOutput.FULL
            )
        return capsys.readouterr().out

    assert texts(native=True) == texts(native=False)


def test_runs_within_a_reported_call_are_reported(capsys):
    def texts(native):
        composition, node = chain()
        other = pnl.TransferMechanism(name="other")
        inner = pnl.Composition([other], name="inner")
        with accelerate() if native else contextlib.nullcontext():
            composition.run({node: [[1.0, 2.0]]}, call_after_trial=lambda: inner.run({other: [[1.0]]}), report_output=ReportOutput.TERSE)
        return capsys.readouterr().out

    expected = texts(native=False)
    assert "inner TRIAL 0" in expected
    assert texts(native=True) == expected


def test_what_nodes_report_may_change_between_trials(capsys):
    def texts(native):
        composition, node = counting()
        b = composition.nodes["b"]
        composition.scheduler.add_condition(composition.nodes["b"], pnl.Always())
        b.reportOutputPref = node.reportOutputPref = ReportOutput.TERSE

        def shown():
            b.reportOutputPref = [ReportOutput.FULL]

        composition.termination_processing = {pnl.TimeScale.TRIAL: pnl.AfterNPasses(2)}
        with accelerate() if native else contextlib.nullcontext():
            composition.run({node: [[1.0], [2.0]]}, call_after_trial=shown, report_output=ReportOutput.USE_PREFS)
        return capsys.readouterr().out

    assert texts(native=True) == texts(native=False)


def test_a_run_that_is_not_reported_silences_those_in_it(capsys):
    def texts(native):
        composition, node = chain()
        other, alone = pnl.TransferMechanism(name="other"), pnl.TransferMechanism(name="alone")
        alone.reportOutputPref = ReportOutput.FULL
        inner = pnl.Composition([other], name="inner")

        def within():
            inner.run({other: [[1.0]]}, report_output=ReportOutput.FULL, report_to_devices=[*KEPT, ReportDevices.CONSOLE])
            alone.execute([1.0])

        with accelerate(strict=True) if native else contextlib.nullcontext():
            composition.run({node: [[1.0, 2.0], [3.0, 4.0]]}, call_after_trial=within)
            kept = inner.rich_diverted_reports, inner.recorded_reports
            inner.run({other: [[1.0]]}, report_output=ReportOutput.TERSE)
        return capsys.readouterr().out, kept

    expected = texts(native=False)
    assert expected[0].count("Execution of inner") == 1
    assert texts(native=True) == expected


def test_runs_by_a_function_for_inputs_are_reported(capsys):
    def texts(native):
        composition, node = chain()
        other = pnl.TransferMechanism(name="other")
        inner = pnl.Composition([other], name="inner")

        def inputs(trial):
            print("inputs", trial)
            inner.run({other: [[1.0]]})
            return {node: [float(trial), 2.0]}

        with accelerate() if native else contextlib.nullcontext():
            composition.run(inputs, num_trials=2, report_output=ReportOutput.TERSE)
        return capsys.readouterr().out

    expected = texts(native=False)
    assert expected.count("inner TRIAL 0") == 2
    assert texts(native=True) == expected


@pytest.mark.parametrize("option", ["report_output", "report_progress", "report_simulations"])
def test_none_is_no_option(option):
    composition, node = chain()
    with accelerate(), pytest.raises(pnl.core.compositions.report.ReportError, match=option):
        composition.run({node: [[1.0, 2.0]]}, **{option: None})


def test_a_part_of_a_call_that_falls_back_is_reported(capsys):
    def texts(native):
        composition, node = nested()
        composition.scheduler.add_condition(composition.nodes["c"], pnl.Condition(lambda: (print("asked"), True)[1]))
        with accelerate() if native else contextlib.nullcontext():
            composition.run({node: [[[1.0]]]}, report_output=ReportOutput.TERSE)
        return capsys.readouterr().out

    assert texts(native=True) == texts(native=False)


def test_reports_with_a_controller_are_psyneulinks():
    composition, _ = chain()
    composition.add_controller(
        pnl.OptimizationControlMechanism(
            agent_rep=composition,
            state_features={node: None for node in composition.get_nodes_by_role(pnl.NodeRole.INPUT)},
            objective_mechanism=pnl.ObjectiveMechanism(monitor=composition.nodes["c"]),
            function=pnl.GridSearch(),
            control_signals=[pnl.ControlSignal(modulates=("slope", composition.nodes["c"]), allocation_samples=[1.0, 2.0])],
        )
    )
    with accelerate(), pytest.warns(FallbackWarning, match="a report while 'chain' has the controller"):
        composition.run({composition.nodes["a"]: [[1.0, 2.0]]}, report_output=ReportOutput.TERSE, report_to_devices=KEPT)
    assert "Execution of chain" in composition.rich_diverted_reports
