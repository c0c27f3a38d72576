"""Explanations: what was not done, and why."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.analysis.lane_loop import BUFFERS_IN_WORDS
from cogir.library import Random, State, Step, Value
from cogir.runtime.context import BUFFERS
from cogir.runtime.sweeps import cost
from cogir.runtime.sweeps.collected import Collected, Kept, run_chunks
from cogir.runtime.sweeps.job import SweepEngine


def decision(**given: Any) -> cogir.Model:
    model = cogir.Model("decision")
    options: dict[str, Any] = {
        "noise": 1.0,
        "threshold": 1.0,
        "time_step_size": 0.01,
        "execute_until_finished": True,
        "reset_each_trial": True,
    }
    model.node("decision", library.drift_diffusion_integrator, input=1, max_executions_before_finished=10_000, **(options | given))
    return model


def wide(value: Value, *, position: State = np.zeros(20), random: Random) -> Step:
    position = position + value + random.normal(20)
    return Step(outputs=(position,), states=(position,), finished=np.max(position) > 3.0)


def drawing(value: Value, *, total: State = 0.0, random: Random) -> Step:
    total = total + random.gamma(2.0)
    return Step(outputs=(value + total,), states=(total,), finished=total > 5.0)


def looping(function: Any, width: int) -> cogir.Model:
    model = cogir.Model("looping")
    model.node("node", function, input=width, execute_until_finished=True, max_executions_before_finished=1000, reset_each_trial=True)
    return model


def test_buffers_have_words() -> None:
    assert {*BUFFERS_IN_WORDS} == {*BUFFERS, "in"} - {"rng"}


@pytest.mark.parametrize(
    ("model", "options", "reason"),
    [
        (decision(), {}, "in 48 lanes"),
        (decision(), {"without": ("fill-lanes",)}, 'not in lanes: compiled with without=["fill-lanes"]'),
        (decision(prng="mt19937"), {}, "in 48 lanes"),
        (decision(prng="philox4x64"), {}, 'not in lanes: draws of philox4x64 are loops; use prng="xoshiro256"'),
        (looping(wide, 20), {}, "not in lanes: a lane would keep the inputs of a trial: 20 numbers; 16 is the limit"),
        (looping(drawing, 1), {}, "not in lanes: a step of the loop draws from the distribution"),
    ],
)
def test_lanes(model: cogir.Model, options: dict[str, Any], reason: str) -> None:
    (text,) = model.compile(**options).explain()["replicates and sweeps"]
    assert text.startswith(reason), text


def test_a_trial_without_such_a_loop() -> None:
    model = cogir.Model("plain")
    model.node("node", library.linear, input=1)
    (text,) = model.compile().explain()["replicates and sweeps"]
    assert text == "not in lanes: the trial has no loops whose end depends on data; exactly one is required"


def valley(at: Value, *, left: float = 0.0, right: float = 0.0) -> Value:
    """Lowest where both parameters are what comes in."""
    return np.exp((left - at[0]) ** 2) + np.exp((right - at[0]) ** 2)


@pytest.mark.parametrize(
    ("levels", "ties", "reason"),
    [
        (301, "first", "divided among threads"),
        (5, "first", "one thread: it takes less"),
        (301, "random", "one thread: ties are drawn at random"),
    ],
)
def test_searches(levels: int, ties: str, reason: str) -> None:
    model = cogir.Model("valley")
    node = model.node("node", valley, input=1)
    signals = [cogir.Signal(node.param(name), levels=np.linspace(0, 1, levels), modulation="override") for name in ("left", "right")]
    model.control("control", objective=node, signals=signals, direction="minimize", ties=ties)
    _, text = model.compile().explain()["search control"]
    assert text.startswith(reason)


def test_modes_and_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    assert decision().compile(mode="python").explain()["mode"] == ["python: interpreted"]
    assert decision().compile(threads=3).explain()["threads"] == ["3, as compile(threads=...) or an executor says"]
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    monkeypatch.setenv("COGIR_NUM_THREADS", "1")
    assert decision().compile().explain()["threads"] == ["1, by the environment variable COGIR_NUM_THREADS"]
    monkeypatch.setenv("PYTEST_XDIST_WORKER", "gw1")
    found = decision().compile().explain()
    assert found["threads"] == ["one: this process is a worker of a pool, of Dask or of xdist"]
    assert str(found).splitlines()[0] == "mode: run: whole runs as native code"
    assert "<td>threads</td>" in found._repr_html_()
    assert [remark.about for remark in found] == ["mode", "trials", "replicates and sweeps", "threads"]


@pytest.mark.filterwarnings("ignore::cogir.NotCompiledWarning", "ignore::cogir.ReducedModeWarning")
def test_functions_that_stay_python() -> None:
    def outside(value: Any) -> Any:
        return np.array([float(str(value[0]))])

    model = cogir.Model("outside")
    model.node("node", outside, input=1)
    compiled = model.compile()
    assert any("str cannot be compiled" in text for text in compiled.explain()["mode"])
    assert compiled.explain()["functions"] == ['node "node" is called in Python']
    (sweeps,) = compiled.explain()["replicates and sweeps"]
    assert sweeps.startswith('not possible: node "node" is called in Python, so it may keep state from one replicate to the next; write')
    for call in (lambda: compiled.explain({"node/port:value": [[1.0]]}, {"node": 0.0}), lambda: compiled.replicates({"node": 0.0}, 2)):
        with pytest.raises(cogir.FunctionError) as found:
            call()
        assert sweeps.removeprefix("not possible: ") in str(found.value)


@pytest.mark.parametrize("mode", ["run", "python"])
def test_the_cost_of_a_sweep(mode: str) -> None:
    compiled = decision().compile(mode=mode, unfinished="ignore")
    time, memory = compiled.explain({"decision/rate": np.linspace(0.5, 2.0, 100)}, {"decision": [[1.0]]}, replicates=1000)["sweep"]
    assert time.startswith("100 points with 1,000 replicates of 1 trial: about ")
    assert memory.startswith("memory: 2.3 MiB for all outputs")
    _, memory = compiled.explain({"decision/rate": np.ones(10**6)}, {"decision": [[1.0]]}, replicates=1000, reduce="mean")["sweep"]
    assert memory == "memory: 32.0 MiB for two chunks, and the results"
    with pytest.raises(cogir.InputError, match='there is no "decision/rat"'):
        compiled.explain({"decision/rat": [1.0]})


RATES = np.linspace(0.5, 2.0, 40)
STIMULUS = {"decision": [[1.0]]}


def steps(found: cogir.Sweep) -> float:
    """The steps that all decisions of a sweep took."""
    return float(np.sum(found["decision", "time"]) / 0.01)


@pytest.fixture
def price(monkeypatch: pytest.MonkeyPatch) -> float:
    """The seconds that a step of a decision takes by the clock of estimates, which does not run otherwise."""
    clock, price = [0.0], 1e-6

    def run(sweeper: SweepEngine, collected: Collected) -> None:
        kept = Kept(collected.job)
        run_chunks(sweeper, kept)
        clock[0] += price * float(np.sum(kept.out[:, kept.job.plan.slots["out:decision/time"].offset])) / 0.01

    monkeypatch.setattr(cost, "run_chunks", run)
    monkeypatch.setattr(cost, "time", SimpleNamespace(perf_counter=lambda: clock[0]))
    monkeypatch.setattr(cost, "duration", lambda seconds: f"{seconds!r} seconds")
    return price


def estimated(compiled: cogir.Compiled, rates: Any, inputs: Any, replicates: int = 300) -> float:
    text, _ = compiled.explain({"decision/rate": rates}, inputs, replicates=replicates)["sweep"]
    return float(text.partition("about ")[2].split()[0])


@pytest.mark.parametrize("mode", ["run", "exec"])
def test_estimates_count_the_work(mode: str, price: float) -> None:
    """Points, replicates, trials, and what inputs make of them: the estimate is the price of the steps that the sweep takes."""
    compiled = decision().compile(mode=mode, unfinished="ignore", threads=1)
    few = estimated(compiled, RATES, STIMULUS)
    assert few == pytest.approx(price * steps(compiled.sweep({"decision/rate": RATES}, STIMULUS, replicates=300)), rel=0.1)
    assert estimated(compiled, np.repeat(RATES, 3), STIMULUS) == pytest.approx(3.0 * few, rel=0.1)
    assert estimated(compiled, RATES, STIMULUS, 1200) == pytest.approx(4.0 * few, rel=0.1)
    assert estimated(compiled, RATES, {"decision": [[1.0]] * 5}) == pytest.approx(5.0 * few, rel=0.1)
    strong = {"decision": [[10.0]]}
    assert estimated(compiled, RATES, strong) == pytest.approx(
        price * steps(compiled.sweep({"decision/rate": RATES}, strong, replicates=300)), rel=0.1
    )
    assert estimated(compiled, RATES, strong) < 0.4 * few


def test_estimates_without_inputs_are_those_of_zeros(price: float) -> None:
    compiled = decision().compile(unfinished="ignore", threads=1)
    with pytest.warns(cogir.MissingInputWarning, match='explain: input "decision" is not given, and is zero in all trials'):
        found = estimated(compiled, RATES, None)
    assert found == estimated(compiled, RATES, {"decision": [[0.0]]})
    assert found > 1.2 * estimated(compiled, RATES, STIMULUS)


def test_estimates_are_divided_by_threads(price: float) -> None:
    alone, together = (decision().compile(unfinished="ignore", threads=threads) for threads in (1, 2))
    assert estimated(together, RATES, STIMULUS) == estimated(alone, RATES, STIMULUS) / 2
    assert together.explain({"decision/rate": RATES}, STIMULUS)["sweep"][0].endswith(" in 2 threads")


def test_a_changed_model() -> None:
    model = decision()
    compiled = model.compile()
    model.node("more", library.linear, input=1)
    with pytest.raises(cogir.ModelError, match="was changed after it was compiled"):
        compiled.explain()
