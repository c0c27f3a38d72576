"""
Mechanisms that have finished, from call to call: PsyNeuLink's calls and native ones take turns.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import psyneulink as pnl
import pytest
from support.psyneulink.golden import fresh

from cogir.errors import CogirError
from cogir.psyneulink import accelerate

pytestmark = pytest.mark.filterwarnings("ignore")

INPUTS = {"A": [[1.0, 0.5], [0.3, 1.0], [0.8, 0.1]]}


def lca(**options: Any) -> Any:
    """An LCAMechanism that is executed once in a pass, and finishes at a threshold."""
    settings: dict[str, Any] = {
        "termination_threshold": 0.7,
        "execute_until_finished": False,
        "noise": pnl.NormalDist(standard_deviation=0.3, seed=1),
    }
    return pnl.LCAMechanism(name="B", input_shapes=2, **{**settings, **options})


def transfer(**options: Any) -> Any:
    """A TransferMechanism that integrates, and finishes by another measure."""
    settings = {"integrator_mode": True, "integration_rate": 0.3, "execute_until_finished": False}
    return pnl.TransferMechanism(name="B", input_shapes=2, **settings, **options)


def ddm() -> Any:
    """A DDM that is executed once in a pass."""
    function = pnl.DriftDiffusionIntegrator(threshold=0.4, time_step_size=0.1, noise=0.2, seed=3)
    return pnl.DDM(name="B", function=function, execute_until_finished=False)


MECHANISMS: dict[str, Callable[[], Any]] = {
    "lca": lca,
    "lca until finished": lambda: lca(execute_until_finished=True),
    "least": lambda: transfer(termination_measure=min, termination_threshold=0.25),
    "below": lambda: transfer(termination_measure=max, termination_threshold=0.6, termination_comparison_op=pnl.LESS_THAN),
    "convergence": lambda: transfer(
        termination_measure=pnl.Distance(metric=pnl.MAX_ABS_DIFF),
        termination_threshold=0.06,
        termination_comparison_op=pnl.LESS_THAN_OR_EQUAL,
    ),
    "executions": lambda: transfer(termination_measure=pnl.TimeScale.TRIAL, termination_threshold=3),
    "ddm": ddm,
}


def trial_ends(composition: Any, mechanism: Any, other: Any) -> None:
    composition.termination_processing = {pnl.TimeScale.TRIAL: pnl.WhenFinished(mechanism)}


def other_waits(composition: Any, mechanism: Any, other: Any) -> None:
    composition.scheduler.add_condition(other, pnl.WhenFinished(mechanism))


def first_waits(composition: Any, mechanism: Any, other: Any) -> None:
    """The node before it waits until it has finished, at first in a trial, as it has in the one before."""
    composition.scheduler.add_condition(composition.nodes["A"], pnl.Any(pnl.AtPass(1), pnl.WhenFinished(mechanism)))


SCHEDULES = [trial_ends, other_waits, first_waits]


def nothing(mechanism: Any) -> None:
    pass


def threshold(mechanism: Any) -> None:
    if type(mechanism).__name__ == "DDM":
        mechanism.function.parameters.threshold.set(2.0, "C")
    else:
        mechanism.parameters.termination_threshold.set(0.9, "C")


def reset(mechanism: Any) -> None:
    mechanism.reset(context="C")


CHANGES = [nothing, threshold, reset]


def outcome(
    make: Callable[[], Any], schedule: Callable[..., None], change: Callable[[Any], None], ways: str, strict: bool = True
) -> tuple[Any, ...]:
    """The end of calls, each in PsyNeuLink (p) or native (n), with a change before the last."""
    fresh()
    source, mechanism = pnl.TransferMechanism(name="A", input_shapes=2), make()
    other = pnl.TransferMechanism(name="D", input_shapes=mechanism.output_ports[0].value.size)
    matrix = np.ones((2, 1)) if type(mechanism).__name__ == "DDM" else np.eye(2)
    composition = pnl.Composition(name="C", pathways=[[source, matrix, mechanism, other]])
    schedule(composition, mechanism, other)
    for number, way in enumerate(ways):
        if number == len(ways) - 1:
            change(mechanism)
        if way == "n":
            with accelerate(short_runs="native", strict=strict):
                composition.run(INPUTS, num_trials=3, context="C")
        else:
            composition.run(INPUTS, num_trials=3, context="C")
    results = [np.concatenate([np.ravel(one) for one in trial]) for trial in composition.parameters.results.get("C")]
    executed = [int(node.parameters.num_executions.get("C").life) for node in composition.nodes]
    flag = bool(mechanism.parameters.is_finished_flag.get("C"))
    return np.array(results), executed, flag, composition.scheduler.get_clock("C").time.life


def compared(name: str, schedule: Callable[..., None], change: Callable[[Any], None]) -> None:
    wanted = outcome(MECHANISMS[name], schedule, change, "ppp")
    for ways in ("ppn", "pnp", "npn", "pnn", "nnn"):
        found = outcome(MECHANISMS[name], schedule, change, ways)
        np.testing.assert_allclose(found[0], wanted[0], rtol=1e-12, atol=1e-14, err_msg=ways)
        assert found[1:] == wanted[1:], ways


QUICK = [
    ("lca", trial_ends, threshold),
    ("convergence", other_waits, reset),
    ("executions", trial_ends, nothing),
    ("ddm", first_waits, nothing),
]
CASES = [
    pytest.param(*case, marks=[] if case in QUICK else [pytest.mark.full]) for case in itertools.product(MECHANISMS, SCHEDULES, CHANGES)
]


@pytest.mark.parametrize(("name", "schedule", "change"), CASES)
def test_a_mechanism_has_finished_after_calls_of_either_kind(name, schedule, change):
    compared(name, schedule, change)


@pytest.mark.parametrize(("name", "is_native"), [("lca", True), ("below", False)])
def test_one_that_is_reset_in_each_trial_may_have_finished_before_it_runs(name, is_native):
    """PsyNeuLink compares the value after the reset."""

    def schedule(composition, mechanism, other):
        trial_ends(composition, mechanism, other)
        mechanism.reset_stateful_function_when = pnl.AtTrialStart()

    wanted = outcome(MECHANISMS[name], schedule, nothing, "pp")
    found = outcome(MECHANISMS[name], schedule, nothing, "nn", strict=is_native)
    np.testing.assert_allclose(found[0], wanted[0], rtol=1e-12, atol=1e-14)
    assert found[1:] == wanted[1:]
    if not is_native:
        with pytest.raises(CogirError, match="it is reset, and a condition asks if it has finished, as it may have as soon as it is reset"):
            outcome(MECHANISMS[name], schedule, nothing, "n")


# What changes between calls, and decides whether a Mechanism has finished before it is executed


def set_to(value: float, run: Callable[..., None], mechanism: Any) -> None:
    """A threshold that PsyNeuLink's ParameterPort follows when it is executed."""
    mechanism.parameters.termination_threshold.set(value, "C")
    run()


def set_and_back(run: Callable[..., None], mechanism: Any) -> None:
    set_to(0.0, run, mechanism)
    set_to(2.0, run, mechanism)
    run()


def set_by_callback(run: Callable[..., None], mechanism: Any) -> None:
    run(call_before_trial=lambda: mechanism.parameters.termination_threshold.set(0.0, "C"))


def set_for_a_run(run: Callable[..., None], mechanism: Any) -> None:
    run(runtime_params={mechanism: {"termination_threshold": 0.0}})
    run()


def in_another_context(run: Callable[..., None], mechanism: Any) -> None:
    run(context="other")
    run(context="other")
    run()


LATER: dict[str, Callable[..., None]] = {
    "set": lambda run, mechanism: set_to(0.0, run, mechanism),
    "set and back": set_and_back,
    "by a callback": set_by_callback,
    "for a run": set_for_a_run,
    "another context": in_another_context,
}
MEASURES: dict[str, Callable[[], Any]] = {
    "in a trial": lambda: transfer(termination_measure=pnl.TimeScale.TRIAL, termination_threshold=2),
    "in a run": lambda: transfer(termination_measure=pnl.TimeScale.RUN, termination_threshold=3),
    "in a pass": lambda: transfer(termination_measure=pnl.TimeScale.PASS, termination_threshold=1),
    "of all": lambda: transfer(termination_measure=pnl.TimeScale.LIFE, termination_threshold=5),
    "reset": lambda: transfer(
        termination_measure=max,
        termination_threshold=0.4,
        termination_comparison_op=pnl.GREATER_THAN_OR_EQUAL,
        reset_stateful_function_when=pnl.AtTrialStart(),
    ),
}


def after(measure: str, change: str, asked: Callable[[Any], Any], native: bool) -> tuple[Any, ...]:
    """The end of a run, and of those that follow a change."""
    fresh()
    mechanism = MEASURES[measure]()
    composition = pnl.Composition(name="C", nodes=[mechanism])
    composition.termination_processing = {pnl.TimeScale.TRIAL: pnl.Any(asked(mechanism), pnl.AfterNPasses(6))}

    def run(**arguments: Any) -> None:
        composition.run({mechanism: [[1.0, 0.4], [0.3, 0.9]]}, **{"context": "C", **arguments})

    with accelerate(short_runs="native") if native else contextlib.nullcontext():
        run()
        LATER[change](run, mechanism)
    keys = ["C", "other"] if change == "another context" else ["C"]
    results = [np.concatenate([np.ravel(one) for key in keys for one in composition.parameters.results.get(key)])]
    counts = [(mechanism.parameters.num_executions.get(key).life, composition.scheduler.get_clock(key).time.life) for key in keys]
    return np.array(results), [(int(executed), passed) for executed, passed in counts], mechanism.execution_count


@pytest.mark.parametrize("change", LATER)
@pytest.mark.parametrize("measure", MEASURES)
def test_what_changes_between_calls_may_have_finished_a_mechanism(measure: str, change: str) -> None:
    wanted, found = (after(measure, change, pnl.WhenFinished, native) for native in (False, True))
    np.testing.assert_allclose(found[0], wanted[0], rtol=1e-12, atol=1e-14)
    assert found[1:] == wanted[1:]


@pytest.mark.parametrize("asked", [pnl.WhenFinishedAny, pnl.WhenFinishedAll, lambda one: pnl.Not(pnl.Not(pnl.WhenFinished(one)))])
def test_other_conditions_that_ask(asked: Callable[[Any], Any]) -> None:
    wanted, found = (after("in a run", "set", asked, native) for native in (False, True))
    np.testing.assert_allclose(found[0], wanted[0], rtol=1e-12, atol=1e-14)
    assert found[1:] == wanted[1:]
