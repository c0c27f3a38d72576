"""Random models with a decision that record anything, in its loop or outside of it: runs, replicates and sweeps equal the interpreter's."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from support.long import long

import cogir
from cogir import library
from cogir.analysis import lane_loop
from cogir.errors import BackendError

INPUTS = {"stimulus": [[1.0], [0.4]]}


def random_model(seed: int) -> cogir.Model:
    rng = Random(seed)
    m = cogir.Model("recorded", seed=seed)
    stimulus = m.node("stimulus", input=1)
    before = m.node("before", library.logistic, gain=rng.uniform(0.5, 2.0))
    ends: dict[str, Any] = {"execute_until_finished": True, "max_executions_before_finished": rng.choice([20, 100])}
    decision = m.node(
        "decision",
        library.drift_diffusion_integrator,
        noise=0.5,
        threshold=rng.uniform(0.5, 2.0),
        time_step_size=0.1,
        reset_each_trial=rng.random() < 0.8,
        **ends if rng.random() < 0.8 else {},
    )
    after = m.node("after", library.linear, slope=rng.uniform(-2.0, 2.0))
    memory = m.node("memory", library.drift_diffusion_integrator, noise=rng.choice([0.0, 0.3]))
    m.project(stimulus, before)
    m.project(rng.choice([stimulus, before]), decision)
    m.project(decision["value"], after)
    m.project(rng.choice([stimulus, after]), memory)
    m.output(decision, after, memory)
    outside: list[Any] = [stimulus, before, after, memory["value"], m.schedule]
    things = [*outside, decision["value"], decision["time"], decision.state("previous_value")]
    for thing in rng.sample(things, rng.randrange(1, 4)):
        m.record(thing) if rng.random() < 0.6 or thing is m.schedule else m.record(thing, every=rng.choice([2, 3]))
    return m


def bits(found: Any) -> list[Any]:
    traces = {name: (trace.values.tobytes(), trace.lengths.tolist()) for name, trace in found.traces.items()}
    assert traces
    return [*(found[name].tobytes() for name in found), traces]


def compare(seed: int) -> None:
    native, interpreted = (random_model(seed).compile(mode=mode, unfinished="ignore") for mode in ("run", "python"))
    sweep = {"before/gain": [0.5, 2.0], "decision/threshold": [0.5, 1.0]}
    for ask in (
        lambda c: c.run(INPUTS, 3),
        lambda c: c.replicates(INPUTS, 3, seed=seed, start="context"),
        lambda c: c.sweep(sweep, INPUTS, replicates=2, seed=seed, start="context"),
        lambda c: c.run(INPUTS),
    ):
        assert bits(ask(native)) == bits(ask(interpreted)), seed
    kept = native.sweep(sweep, INPUTS, replicates=2, seed=seed, start="fresh")
    with pytest.warns(cogir.NotRecordedWarning):
        reduced = native.sweep(sweep, INPUTS, replicates=2, seed=seed, reduce="maximum", start="fresh")
    assert reduced["after/value", "maximum"].tobytes() == kept["after"].max(axis=2).tobytes()


def recorded(what: str, every: int) -> cogir.Model:
    """A decision, and something that is recorded outside of its loop."""
    m = cogir.Model("recorded", seed=1)
    stimulus = m.node("stimulus", input=1)
    decision = m.node(
        "decision", library.drift_diffusion_integrator, noise=0.5, time_step_size=0.1, execute_until_finished=True, reset_each_trial=True
    )
    after = m.node("after", library.linear)
    m.project(stimulus, decision)
    m.project(decision, after)
    m.record({"stimulus": stimulus, "schedule": m.schedule, "after": after}[what], **({} if what == "schedule" else {"every": every}))
    m.output(decision)
    return m


@pytest.mark.parametrize("what", ["stimulus", "schedule", "after"])
@pytest.mark.parametrize("every", [1, 2])
def test_what_is_recorded_beside_the_loop_of_a_decision(what: str, every: int) -> None:
    compiled = recorded(what, every).compile(unfinished="ignore")
    (trace,) = compiled.replicates(INPUTS, 5).traces.values()
    assert trace.lengths.shape == (5, 2)
    (trace,) = compiled.sweep({"decision/noise": [0.1, 0.2]}, INPUTS, replicates=5).traces.values()
    assert trace.lengths.shape == (2, 5, 2)
    assert "the model records values inside of trials" in str(compiled.explain())


@pytest.mark.filterwarnings("ignore::cogir.ResetWarning")  # decisions of one step are meant
@pytest.mark.parametrize("seed", [*range(2), *long(*range(2, 200))])
def test_random_models_that_record(seed: int) -> None:
    compare(seed)


@pytest.mark.parametrize("every", [1, 2])
def test_a_planted_division_of_trials_that_record_is_found(every: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lane_loop, "TRACES", ())
    with pytest.raises(BackendError, match="has no body"):
        recorded("stimulus", every).compile(unfinished="ignore", cache=False).replicates(INPUTS, 5)
