"""
Runs that fail before their first trial leave the counts of executions that PsyNeuLink leaves.
"""

import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

from cogir.psyneulink import accelerate

pytestmark = pytest.mark.filterwarnings("ignore")


def failing():
    """What a callback, a function or a generator does."""
    raise ZeroDivisionError("as wanted")


def generator():
    """Gives no input."""
    yield failing()


FAILURES = {
    "an input of another length": lambda c, a: c.run({a: [[1.0, 2.0]]}),
    "an input for an unknown node": lambda c, a: c.run({"Z": [[1.0]]}),
    "a callback": lambda c, a: c.run({a: [[1.0]]}, call_before_trial=failing),
    "a generator of inputs": lambda c, a: c.run(generator()),
    "a function of inputs": lambda c, a: c.run(lambda trial: failing()),
    "a number of trials that is none": lambda c, a: c.run({a: [[1.0]]}, num_trials="x"),
    "values of cycles that are none": lambda c, a: c.run({a: [[1.0]]}, initialize_cycle_values=5),
    "a reset to what does not fit": lambda c, a: c.run({a: [[1.0]]}, reset_stateful_functions_to={a: {"nothing": 1.0}}),
    "execute with an input of another length": lambda c, a: c.execute({a: [[1.0, 2.0]]}),
}
OTHERS = {
    "no trials": lambda c, a: c.run({a: [[1.0]]}, num_trials=0),
    "no trials and a callback": lambda c, a: c.run({a: [[1.0]]}, num_trials=0, call_before_trial=lambda: None),
    "a run that is over": lambda c, a: c.run({a: [[1.0]]}, termination_processing={pnl.TimeScale.RUN: pnl.Always()}),
}


def counts(call, fails, runs_before):
    """The counts of both nodes after a call, and after another run."""
    fresh()
    a = pnl.TransferMechanism(name="A", integrator_mode=True)
    b = pnl.TransferMechanism(name="B")
    c = pnl.Composition(name="C", pathways=[[a, b]])
    for _ in range(runs_before):
        c.run({a: [[1.0], [2.0]]})
    if fails:
        with pytest.raises(Exception):  # noqa: PT011 (PsyNeuLink's own error, whatever it is)
            call(c, a)
    else:
        call(c, a)
    found = [str(node.parameters.num_executions.get("C")) for node in (a, b)]
    c.run({a: [[1.0]]})
    return found + [str(node.parameters.num_executions.get("C")) for node in (a, b)]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("runs_before", [0, 2])
@pytest.mark.parametrize("name", [*FAILURES, *OTHERS])
def test_counts_after_a_run_without_trials(name, runs_before):
    call = (FAILURES | OTHERS)[name]
    expected = counts(call, name in FAILURES, runs_before)
    with accelerate():
        assert counts(call, name in FAILURES, runs_before) == expected
