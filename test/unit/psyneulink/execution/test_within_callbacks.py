"""
A Composition that runs while it runs: called by a callback of its own run, it returns and leaves what PsyNeuLink does.
"""

import contextlib
import warnings

import numpy as np
import pytest
from support.psyneulink import pnl
from support.psyneulink.compare import CATEGORIES, differences, held
from support.psyneulink.golden import fresh

from cogir.psyneulink import FallbackWarning, accelerate

pytestmark = pytest.mark.filterwarnings("ignore")

ONE = {"A": [[1.0]]}
TWO = {"A": [[1.0], [2.0]]}
FIVE = {"A": [[5.0]]}


def build(schedule=None):
    """A Mechanism that integrates what another one gives it, and draws."""
    fresh()
    a = pnl.TransferMechanism(name="A", integrator_mode=True)
    b = pnl.TransferMechanism(name="B", noise=pnl.NormalDist(seed=3))
    composition = pnl.Composition(name="C", pathways=[[a, b]])
    if schedule is not None:
        composition.scheduler.add_condition(b, schedule(a))
    return composition


def once(act):
    """A callback that acts the first time only."""
    todo = [act]
    return lambda: todo.pop()() if todo else None


def ending(condition):
    """Terminations of a trial."""
    return {"termination_processing": {pnl.TimeScale.TRIAL: condition}}


def times(composition):
    """The time that the Composition's clock shows."""
    return str(composition.scheduler.get_clock(pnl.Context(execution_id="C")).time)


def seen_by(composition, run):
    """What callbacks see of the results and the clock, who run the Composition in between."""
    seen = []

    def after():
        seen.append((composition.results.tolist(), times(composition)))
        composition.run(FIVE)
        seen.append((composition.results.tolist(), times(composition)))

    run(after)
    return seen


def changes_terminations(composition):
    """A callback gives the Composition other terminations than the call has."""
    a = composition.nodes["A"]
    composition.run(
        TWO,
        call_after_trial=lambda: setattr(composition, "termination_processing", {pnl.TimeScale.RUN: pnl.AfterNTrials(1)}),
        **ending(pnl.AfterNCalls(a, 2)),
    )
    return composition.run(TWO)


RUNS = {
    "after trials": lambda c: c.run(TWO, call_after_trial=lambda: c.run(FIVE)),
    "before trials": lambda c: c.run(TWO, call_before_trial=lambda: c.run(FIVE)),
    "once": lambda c: c.run(TWO, num_trials=4, call_after_trial=once(lambda: c.run(FIVE, num_trials=2))),
    "seen": lambda c: seen_by(c, lambda after: c.run(TWO, call_after_trial=after)),
    "with a callback": lambda c: c.run(TWO, call_after_trial=lambda: c.run(FIVE, num_trials=2, call_after_trial=lambda: len(c.results))),
    "three deep": lambda c: c.run(TWO, call_after_trial=lambda: c.run(FIVE, call_after_trial=lambda: c.run(ONE))),
    "the last of no trials": lambda c: c.run(TWO, call_after_trial=lambda: c.run(FIVE, num_trials=0)),
    "in another context": lambda c: (c.run(TWO, call_after_trial=lambda: c.run(FIVE, context="D")), c.results.tolist()),
    "in another context, in Python mode": lambda c: (
        c.run(TWO, call_after_trial=lambda: c.run(FIVE, context="D", execution_mode=pnl.ExecutionMode.Python)),
        c.results.tolist(),
    ),
    "with the context": lambda c: c.run(TWO, call_after_trial=lambda context: c.run(FIVE, context=context.execution_id)),
    "execute": lambda c: c.run(TWO, call_after_trial=lambda: c.execute({c.nodes["A"]: [[5.0]]})),
    "a function": lambda c: c.run(lambda trial: {c.nodes["A"]: [[float(c.run(FIVE)[0][0])]]}, num_trials=3),
    "a generator": lambda c: c.run({c.nodes["A"]: [[float(c.run(FIVE)[0][0])]]} for _ in range(3)),
    "runtime_params": lambda c: c.run(TWO, runtime_params={c.nodes["A"]: {"integration_rate": 0.25}}, call_after_trial=lambda: c.run(FIVE)),
    "resets": lambda c: (
        c.run(TWO, reset_stateful_functions_when=pnl.AtTrialStart(), call_after_trial=lambda: c.run(FIVE)),
        c.run(TWO, num_trials=3),
    ),
    "terminations": lambda c: c.run(TWO, call_after_trial=lambda: c.run(FIVE), **ending(pnl.AfterNCalls(c.nodes["A"], 3))),
    "terminations within": lambda c: c.run(TWO, call_after_trial=lambda: c.run(FIVE, **ending(pnl.AfterNCalls(c.nodes["A"], 3)))),
    "terminations and a function": lambda c: c.run(
        lambda trial: {c.nodes["A"]: [[float(c.run(FIVE)[0][0])]]}, num_trials=3, **ending(pnl.AfterNCalls(c.nodes["A"], 3))
    ),
    "other terminations": changes_terminations,
    "results put elsewhere": lambda c: c.run(TWO, num_trials=3, call_after_trial=lambda: c.run(FIVE) is setattr(c, "results", [[[0.5]]])),
    "what falls back": lambda c: c.run(TWO, call_after_trial=lambda: c.run(FIVE, call_after_pass=lambda: None)),
    "in what falls back": lambda c: c.run(TWO, call_after_trial=lambda: c.run(FIVE), call_after_pass=lambda: None),
    "after a run": lambda c: (c.run(TWO), c.run(TWO, call_after_trial=lambda: c.run(FIVE)), c.run(ONE)),
}
SCHEDULES = {
    "none": None,
    "counts within a trial": lambda a: pnl.EveryNCalls(a, 2),
    "counts trials": lambda a: pnl.Any(pnl.BeforeTrial(1), pnl.EveryNCalls(a, 2)),
    "counts calls in the run": lambda a: pnl.AfterNCalls(a, 3, time_scale=pnl.TimeScale.RUN),
    "looks at values": lambda a: pnl.Any(pnl.Threshold(a, parameter="value", threshold=2.0, comparator=">"), pnl.EveryNCalls(a, 2)),
}


def twice(name, schedule):
    """What two calls return, and all that they leave."""
    composition = build(SCHEDULES[schedule])
    returned = [np.asarray(RUNS[name](composition), dtype=object).tolist() for _ in range(2)]
    return returned, [composition.results.tolist(), times(composition)], held(composition, "C")


COUNTED = ("before trials", "with a callback")
CASES = [(name, "none") for name in RUNS] + [(name, schedule) for schedule in SCHEDULES if schedule != "none" for name in COUNTED]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("name", "schedule"), CASES)
def test_as_psyneulink_does(name, schedule):
    returned, left, state = twice(name, schedule)
    with accelerate(), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found, slots, after = twice(name, schedule)
    assert found == returned
    assert slots == left
    assert list(differences(state, after, CATEGORIES)) == []
    assert any(issubclass(one.category, FallbackWarning) for one in caught) == ("falls back" in name)


GIVEN = {
    "none": lambda a: None,
    "of trials": lambda a: {pnl.TimeScale.TRIAL: pnl.AfterNCalls(a, 2)},
    "of the run": lambda a: {pnl.TimeScale.RUN: pnl.AfterNTrials(3)},
}
CHANGES = {
    "of trials": lambda a: {pnl.TimeScale.TRIAL: pnl.AfterNCalls(a, 3)},
    "of the run": lambda a: {pnl.TimeScale.RUN: pnl.AfterNTrials(2)},
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("changed", CHANGES)
@pytest.mark.parametrize("given", GIVEN)
def test_terminations_that_a_callback_changes_in_place(given, changed):
    def left(block, *, is_own):
        composition = build()
        a = composition.nodes["A"]
        terminations = GIVEN[given](a)
        changing = composition.termination_processing if is_own else terminations
        counted = []

        def change():
            changing.update(CHANGES[changed](a))
            counted.append([str(node.parameters.num_executions.get("C")) for node in composition.nodes])

        with block:
            returned = composition.run(TWO, num_trials=4, call_after_trial=change, termination_processing=terminations)
            counted.append([str(node.parameters.num_executions.get("C")) for node in composition.nodes])
        return np.asarray(returned).tolist(), composition.results.tolist(), counted, times(composition)

    for is_own in (True, False) if given != "none" else (True,):
        assert left(accelerate(strict=True), is_own=is_own) == left(contextlib.nullcontext(), is_own=is_own)
