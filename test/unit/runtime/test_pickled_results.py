"""Results can be pickled and copied, whatever functions their models have: with arrays, flags, traces, attributes, and the model's text."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cogir
from cogir import library, reductions

INPUTS = {"stimulus": [[1.0], [0.2]]}


def model(*, calls_python: bool = False) -> cogir.Model:
    gain = 2.0
    m = cogir.Model("decision", seed=3)
    # dict.get is not in the compilable subset
    function = (lambda x: {0: gain}.get(0) * x) if calls_python else (lambda x: gain * x)
    stimulus = m.node("stimulus", function, input=1, labels=["left"])
    decision = m.node(
        "decision",
        library.drift_diffusion_integrator,
        noise=0.5,
        threshold=1.0,
        execute_until_finished=True,
        max_executions_before_finished=60,
        reset_each_trial=True,
        units={"time": "s"},
    )
    m.project(stimulus, decision)
    m.record(decision["value"], every=2)
    return m


def learns() -> Any:
    gain = 1.0
    m = cogir.Model("learns")
    a, b, target = m.node("a", input=2), m.node("b", lambda x: gain * x, input=1), m.node("target", input=1)
    m.project(a, b, matrix=[[0.1], [0.2]])
    m.output(b)
    m.learning([(b, target)], rate=0.1)
    return m.compile().learn({"a": [[0.0, 1.0], [1.0, 1.0]], "target": [[1.0], [0.0]]}, epochs=5)


def swept(compiled: Any, **options: Any) -> Any:
    return compiled.sweep({"decision/rate": [0.5, 1.0]}, INPUTS, replicates=5, seed=1, **options)


def set_by_hand(compiled: Any) -> Any:
    compiled.generators["decision"] = cogir.random(7)
    return compiled.run(INPUTS)


RESULTS: dict[str, Callable[[Any], Any]] = {
    "run": lambda c: c.run(INPUTS, 3),
    "set by hand": set_by_hand,
    "nothing": lambda c: c.run(INPUTS, 0),
    "replicates": lambda c: c.replicates(INPUTS, 5),
    "sweep": swept,
    "learned": lambda c: learns(),
}


def same(found: Any, expected: Any) -> None:
    """All that a user can ask of one result is what the other one says."""
    assert type(found) is type(expected) or isinstance(found, type(expected))
    assert list(found) == list(expected)
    for name in expected:
        assert found[name].tobytes() == expected[name].tobytes()
        assert (found[name].dtype, found[name].shape) == (expected[name].dtype, expected[name].shape)
    assert dict(found.attributes) == dict(expected.attributes)
    assert (repr(found), str(found.summary()), found.status) == (repr(expected), str(expected.summary()), expected.status)
    for what in ("unfinished", "out_of_range"):
        flags: Mapping[str, Any] = getattr(expected, what, {})
        assert {name: held.tobytes() for name, held in getattr(found, what, {}).items()} == {n: held.tobytes() for n, held in flags.items()}
    traces: Mapping[str, Any] = getattr(expected, "traces", {})
    assert list(getattr(found, "traces", {})) == list(traces)
    for name, trace in traces.items():
        other = found.traces[name]
        assert (other.values.tobytes(), other.lengths.tobytes(), other.every) == (
            trace.values.tobytes(),
            trace.lengths.tobytes(),
            trace.every,
        )
        assert other.unfinished.tobytes() == trace.unfinished.tobytes()
    assert found.to_dataframe().equals(expected.to_dataframe())
    assert found.to_xarray().identical(expected.to_xarray())


@pytest.mark.sampled(2)
@pytest.mark.parametrize("looked_at", [False, True])
@pytest.mark.parametrize("what", RESULTS)
def test_results_come_back_from_a_pickle_and_from_copies(what: str, looked_at: bool) -> None:
    compiled = model().compile(unfinished="ignore")
    with pytest.raises(Exception, match="pickle"):
        pickle.dumps(model())
    expected = RESULTS[what](compiled)
    if looked_at:
        same(expected, expected)
    found = [pickle.loads(pickle.dumps(expected)), copy.copy(expected), copy.deepcopy(expected)]
    found.append(pickle.loads(pickle.dumps(found[0])))
    for each in found:
        same(each, expected)
        assert "cog.node @" in each.attributes["model_text"]


def test_what_only_some_results_say_comes_back_too() -> None:
    kinds = ("run", "replicates", "sweep")
    run, replicates, sweep = (pickle.loads(pickle.dumps(RESULTS[what](model().compile(unfinished="ignore")))) for what in kinds)
    assert (run.num_trials, len(run.results), run.rows.shape[0]) == (3, 3, 3)
    assert (replicates.num_replicates, replicates.lengths.tolist()) == (5, [2] * 5)
    assert (sweep.points.extents, sweep.finished.tolist(), sweep.num_replicates, sweep.num_trials) == ((2,), [True, True], 5, 2)
    learned = pickle.loads(pickle.dumps(learns()))
    assert learned["loss"] is learned.losses
    assert learned.trials["b"].shape == (10, 1)


def test_a_model_with_python_functions_has_results_that_can_be_pickled() -> None:
    with pytest.warns(cogir.NotCompiledWarning):
        compiled = model(calls_python=True).compile(mode="per_node", unfinished="ignore")
    expected = compiled.run(INPUTS)
    same(pickle.loads(pickle.dumps(expected)), expected)


def test_reductions_by_functions_of_ones_own_stay_behind() -> None:
    limit = 0.5
    compiled = model().compile(unfinished="ignore")
    with pytest.warns(cogir.NotRecordedWarning):
        expected = swept(compiled, reduce={"above": reductions.Mean(lambda r: r["decision"] > limit), "own": lambda r: r["decision"].max()})
    data = pickle.dumps(expected)
    same(pickle.loads(data), expected)
    assert len(data) < 100_000, "without the memory of two chunks"


def test_a_result_that_was_interrupted_comes_back_with_its_error() -> None:
    compiled = model().compile(unfinished="ignore")
    for kind, result in (
        (cogir.RunInterrupted, compiled.run(INPUTS)),
        (cogir.ReplicatesInterrupted, compiled.replicates(INPUTS, 2, start="fresh")),
        (cogir.SweepInterrupted, swept(compiled, start="fresh")),
    ):
        error = pickle.loads(pickle.dumps(kind("stopped after 2", result)))
        assert (type(error), str(error)) == (kind, "stopped after 2")
        same(error.result, result)
    error = pickle.loads(pickle.dumps(cogir.LearningInterrupted("stopped", np.ones(2))))
    assert (str(error), error.losses.tolist()) == ("stopped", [1.0, 1.0])
    strict = model().compile(unfinished="error")
    strict.params["decision/threshold"] = 1e6
    with pytest.raises(cogir.ExecutionError) as raised:
        strict.run(INPUTS, 3)
    error = pickle.loads(pickle.dumps(raised.value))
    assert str(error) == str(raised.value)
    same(error.result, raised.value.result)


@pytest.mark.parametrize("ending", ["npz", "nc", "zarr"])
def test_a_result_that_was_read_from_a_file_can_be_pickled(ending: str, tmp_path: Path) -> None:
    expected = swept(model().compile(unfinished="ignore"))
    expected.save(tmp_path / f"r.{ending}")
    loaded = cogir.load(tmp_path / f"r.{ending}")
    assert dict(loaded.attributes) == dict(expected.attributes)
    same(pickle.loads(pickle.dumps(loaded)), loaded)


def state_set_by_hand(compiled: Any) -> Any:
    compiled.state["decision/previous_value"] = 0.1
    return compiled.run(INPUTS)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("ending", ["npz", "nc", "zarr"])
@pytest.mark.parametrize("what", [*RESULTS, "state"])
def test_all_attributes_come_back_from_files(what: str, ending: str, tmp_path: Path) -> None:
    expected = (RESULTS | {"state": state_set_by_hand})[what](model().compile(unfinished="ignore"))
    expected.save(tmp_path / f"r.{ending}")
    found = cogir.load(tmp_path / f"r.{ending}")
    assert dict(found.attributes) == dict(expected.attributes)
    assert [found[name].tobytes() for name in expected] == [expected[name].tobytes() for name in expected]
    assert found.attributes.keys() >= {"set by hand": {"generator_states"}, "state": {"states"}}.get(what, set())


def in_a_worker(rate: float) -> Any:
    compiled = model().compile(unfinished="ignore")
    compiled.params["decision/rate"] = rate
    return compiled.run(INPUTS)


def test_workers_return_results() -> None:
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("fork")) as pool:
        found = list(pool.map(in_a_worker, [0.5, 1.0]))
    for rate, result in zip([0.5, 1.0], found, strict=True):
        same(result, in_a_worker(rate))
