"""The bar of a long run: one for the run, also where its trials are run in parts."""

import sys

import pytest
from support.psyneulink import pnl
from support.psyneulink.golden import fresh

from cogir.psyneulink import accelerate
from cogir.psyneulink.execution import progress

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def moves(monkeypatch):
    """Of each move of a bar which one it is, the trials of its run, and how many are over."""
    found = []
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(progress, "AFTER_SECONDS", 0.0)
    monkeypatch.setattr(progress.watched_trials, "show", lambda bar, done: found.append((bar, bar.trials, done)))
    return found


@pytest.mark.parametrize("given", [{}, {"logs": True}, {"runtime_params": True}])
def test_a_run_has_one_bar(moves, given):
    """Where values are logged each trial is a part of its own; where `runtime_params` change, the trials between two changes."""
    fresh()
    a = pnl.ProcessingMechanism(name="A")
    b = pnl.ProcessingMechanism(name="B")
    composition = pnl.Composition(name="X", pathways=[a, b])
    if "logs" in given:  # of what runs twice in each trial
        composition.scheduler.add_condition(b, pnl.EveryNCalls(a, 1))
        composition.termination_processing = {pnl.TimeScale.TRIAL: pnl.AfterNCalls(b, 2)}
        a.set_log_conditions("value")
    runtime_params = {a: {"slope": (3.0, pnl.AtTrial(7))}} if "runtime_params" in given else None
    with accelerate(strict=True):
        composition.run({a: [[1.0]]}, num_trials=20, runtime_params=runtime_params)
    assert len({bar for bar, _, _ in moves}) == 1
    assert {trials for _, trials, _ in moves} == {20}
    done = [over for _, _, over in moves]
    assert done == sorted(set(done))
    assert done[-1] == 20
    assert len(composition.results) == 20
