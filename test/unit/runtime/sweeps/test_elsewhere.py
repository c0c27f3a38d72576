"""Sweeps in other processes, and stores: the same bits as here, whatever is killed, lost or interrupted."""

import multiprocessing
import os
import pickle
import signal
import threading
import time
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cogir
from cogir import library
from cogir.runtime.sweeps import tasks as tasks_module
from cogir.runtime.sweeps.ranges import TaskRanges
from cogir.runtime.sweeps.subject import Subject
from cogir.runtime.sweeps.tasks import run_task
from cogir.runtime.sweeps.workers import MOST_LOSSES

SPAWN = multiprocessing.get_context("spawn")
INPUTS = {"decision": [[1.0]]}
POINTS = {"decision/rate": np.linspace(0.5, 2.0, 40), "decision/threshold": [0.5, 1.0]}


def decision() -> cogir.Model:
    model = cogir.Model("decision")
    given = {"noise": 1.0, "threshold": 1.0, "time_step_size": 0.01, "execute_until_finished": True, "reset_each_trial": True}
    model.node("decision", library.drift_diffusion_integrator, input=1, max_executions_before_finished=10_000, **given)
    return model


def late(r: Any) -> Any:
    """True for late decisions."""
    return r["decision", "time"] > 0.5


REDUCE: dict[str, Any] = {"mean": cogir.reductions.Mean("decision/time"), "late": cogir.reductions.Mean(late)}


def arrays(found: cogir.Sweep) -> dict[str, bytes]:
    held = found.dataset()
    return {name: one.values.tobytes() for name, one in {**held.variables, **held.beside}.items()}


@pytest.fixture(autouse=True)
def no_models_of_other_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks_module, "_models", {})


class Here:
    """An executor that does each task at once, pickled on its way; `lose` says which ones get lost."""

    def __init__(self, lose: Any = lambda number: False):
        self.lose = lose
        self.number = 0
        self.points: list[int] = []

    def submit(self, function: Any, recipe: bytes, task: bytes, **_: Any) -> Any:
        future: Any = Future()
        self.number += 1
        if self.lose(self.number):
            future.cancel()
            return future
        found = pickle.loads(task)
        count = len(found.quantities[0].values)
        self.points += range(found.offset, found.offset + count)
        future.set_result(pickle.loads(pickle.dumps(function(recipe, task))))
        return future


class Pool(Here, ThreadPoolExecutor):
    """The same, for those who look for an executor of `concurrent.futures`."""

    def __init__(self, lose: Any = lambda number: False):
        ThreadPoolExecutor.__init__(self, 2)
        Here.__init__(self, lose)


@pytest.mark.parametrize("reduce", [None, REDUCE, ["mean", "quantiles"]], ids=["kept", "own", "named"])
def test_tasks_give_the_same_bits(reduce: Any) -> None:
    compiled = decision().compile()
    asked: dict[str, Any] = {"points": POINTS, "inputs": INPUTS, "replicates": 20, "seed": 4, "reduce": reduce}
    expected = arrays(compiled.sweep(**asked))
    executor = Pool()
    assert arrays(compiled.sweep(**asked, executor=executor)) == expected
    assert executor.number > 1
    assert sorted(executor.points) == list(range(80))
    losing = Pool(lambda number: number in (1, 2, 4))
    assert arrays(compiled.sweep(**asked, executor=losing)) == expected
    assert sorted(losing.points) == list(range(80))


def test_a_context_that_stands_elsewhere() -> None:
    model = cogir.Model("sum")
    model.node("sum", library.drift_diffusion_integrator, input=1, noise=1.0)
    compiled = model.compile()
    compiled.params["sum/time_step_size"] = 0.5
    compiled.run({"sum": [[1.0]]}, num_trials=3)
    asked: dict[str, Any] = {"points": {"sum/rate": [0.5, 1.0, 2.0]}, "inputs": {"sum": [[1.0], [2.0]]}, "replicates": 5}
    asked["start"] = "context"
    assert arrays(compiled.sweep(**asked, executor=Pool())) == arrays(compiled.sweep(**asked))
    inputs: dict[str, Any] = {
        "points": {"sum": [[1.0], [2.0]], "sum/state:previous_value": [0.0, 1.0]},
        "replicates": 3,
        "start": "context",
    }
    assert arrays(compiled.sweep(**inputs, executor=Pool())) == arrays(compiled.sweep(**inputs))


def test_a_task_that_is_always_lost() -> None:
    with pytest.raises(cogir.ExecutionError, match=rf"points \d+ to \d+ were handed out {MOST_LOSSES} times, and lost"):
        decision().compile().sweep(POINTS, INPUTS, executor=Pool(lambda number: True))


def test_errors_of_workers() -> None:
    compiled = decision().compile()
    compiled.params["decision/limit:executions"] = 5
    with pytest.warns(cogir.UnfinishedWarning):
        compiled.sweep(POINTS, INPUTS, executor=Pool())
    with pytest.raises(cogir.InputError, match=r"executor is 3; give an executor of concurrent\.futures"):
        compiled.sweep(POINTS, INPUTS, executor=3)
    with pytest.raises(cogir.InputError, match='runs in mode python, which needs this process; compile it with mode="run"'):
        decision().compile(mode="python").sweep(POINTS, INPUTS, executor=Pool())


def test_workers_with_another_version(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = decision().compile()
    sent: list[bytes] = []

    class Sending(Pool):
        def submit(self, function: Any, recipe: bytes, task: bytes, **_: Any) -> Any:
            sent.append(recipe)
            with monkeypatch.context() as other:
                other.setattr(tasks_module, "own_version", lambda: "cogir 0.0.1 on Python 3.11")
                return super().submit(function, recipe, task)

    with pytest.raises(cogir.ExecutionError, match=r"this worker has cogir 0.0.1 on Python 3.11, but the sweep was begun with cogir"):
        compiled.sweep(POINTS, INPUTS, replicates=3, executor=Sending())
    recipe = pickle.loads(sent[0])
    other = pickle.dumps(tasks_module.Recipe(recipe.text, recipe.options, "another", recipe.version, recipe.context, recipe.reductions, []))
    assert "another layout; install the same version" in str(run_task(other, b""))


def test_functions_that_cannot_be_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "cloudpickle", None)
    with pytest.raises(cogir.InputError, match=r"a function cannot be sent .* define it with `def` at the top of a module, or install"):
        decision().compile().sweep(POINTS, INPUTS, reduce={"a": lambda r: 1.0}, executor=Pool())


def test_ranges_grow_to_what_is_worth_sending() -> None:
    ranges = TaskRanges([(0, 1000), (1500, 2000)], align=10)
    assert ranges.take() == (0, 10)
    ranges.learn(10, 0.01)
    assert ranges.take() == (10, 90)
    ranges.learn(80, 0.1)
    first, last = ranges.take() or (0, 0)
    assert (first, last) == (90, 490)
    ranges.give_back(first, last)
    assert ranges.take() == (90, 490)


def test_a_store_is_resumed(tmp_path: Path) -> None:
    pytest.importorskip("zarr")
    compiled = decision().compile()
    for name, reduce in (("kept", None), ("reduced", ["mean", "quantiles"])):
        asked: dict[str, Any] = {"points": POINTS, "inputs": INPUTS, "replicates": 20, "seed": 4, "reduce": reduce}
        expected = arrays(compiled.sweep(**asked))
        path = tmp_path / f"{name}.zarr"

        def stop(number: int) -> bool:
            if number > 4:
                raise KeyboardInterrupt
            return False

        executor = Pool(stop)
        with pytest.raises(cogir.SweepInterrupted, match=r"interrupted after \d+ of 80 points") as caught:
            compiled.sweep(**asked, store=path, executor=executor)
        count = int(caught.value.result.finished.sum())
        assert 0 < count < 80
        rest = Pool()
        assert arrays(compiled.sweep(**asked, store=path, executor=rest)) == expected
        assert sorted(rest.points) == [number for number in range(80) if not caught.value.result.finished.ravel()[number]]
        again = Pool()
        assert arrays(compiled.sweep(**asked, store=path, executor=again)) == expected
        assert again.points == []
        assert arrays(compiled.sweep(**asked, store=tmp_path / f"{name}-here.zarr")) == expected


def test_an_interruption_before_the_first_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a store is opened, and while the model is packed for other processes, both of which take a while."""
    pytest.importorskip("zarr")

    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    compiled = decision().compile()
    for name, asked in (("store", {"store": tmp_path / "study.zarr"}), ("elsewhere", {"executor": Pool()})):
        with monkeypatch.context() as patch:
            patch.setattr(Subject, name, interrupted)
            with pytest.raises(KeyboardInterrupt, match="interrupted after 0 of 80 points") as caught:
                compiled.sweep(POINTS, INPUTS, reduce="mean", **asked)
        assert isinstance(caught.value, cogir.SweepInterrupted)
        assert not caught.value.result.finished.any()
        assert np.isnan(caught.value.result["decision"]).all()
        compiled.sweep(POINTS, INPUTS, reduce="mean", **asked)


def test_an_interruption_waits_for_stores_and_executors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that ended their calls in the middle could leave a lock held, for which their threads would wait without end."""
    zarr = pytest.importorskip("zarr")
    compiled = decision().compile()
    asked: dict[str, Any] = {"points": POINTS, "inputs": INPUTS, "reduce": "mean", "store": tmp_path / "study.zarr"}
    over: list[str] = []
    original = zarr.Array.__setitem__

    def interrupted(*given: Any) -> None:
        signal.raise_signal(signal.SIGINT)
        original(*given)
        over.append("write")

    with monkeypatch.context() as patch:
        patch.setattr(zarr.Array, "__setitem__", lambda *given: original(*given) if over else interrupted(*given))
        with pytest.raises(cogir.SweepInterrupted) as caught:
            compiled.sweep(**asked)
    assert over == ["write"]
    rest = Pool()
    compiled.sweep(**asked, executor=rest)
    assert sorted(rest.points) == np.flatnonzero(~caught.value.result.finished.ravel()).tolist()

    class Interrupting(Pool):
        def submit(self, *given: Any, **more: Any) -> Any:
            signal.raise_signal(signal.SIGINT)
            over.append("submit")
            return super().submit(*given, **more)

    with pytest.raises(cogir.SweepInterrupted):
        compiled.sweep(POINTS, INPUTS, executor=Interrupting(lambda number: number > 1))
    assert over[1] == "submit"


def test_a_store_is_whole_or_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interruption while it is made leaves nothing that the next sweep would take for something else."""
    zarr = pytest.importorskip("zarr")

    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    compiled = decision().compile()
    asked: dict[str, Any] = {"points": POINTS, "inputs": INPUTS, "reduce": "mean", "store": tmp_path / "study.zarr"}
    for kind, name, left in ((zarr.core.attributes.Attributes, "update", []), (zarr.Group, "create_array", ["study.zarr"])):
        with monkeypatch.context() as patch:
            patch.setattr(kind, name, interrupted)
            with pytest.raises(KeyboardInterrupt):
                compiled.sweep(**asked)
        assert [path.name for path in tmp_path.iterdir()] == left
    assert arrays(compiled.sweep(**asked)) == arrays(compiled.sweep(**(asked | {"store": None})))
    assert [path.name for path in tmp_path.iterdir()] == ["study.zarr"]


def test_stores_of_other_sweeps_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    zarr = pytest.importorskip("zarr")
    compiled = decision().compile()
    path = tmp_path / "study.zarr"
    asked: dict[str, Any] = {"points": {"decision/rate": [0.5, 1.0]}, "inputs": INPUTS, "replicates": 3, "reduce": "mean", "store": path}
    compiled.sweep(**asked)
    for change, what in (
        ({"seed": 1}, "seed"),
        ({"replicates": 4}, "number of replicates"),
        ({"reduce": "sd"}, "reductions"),
        ({"inputs": {"decision": [[2.0]]}}, "inputs"),
        ({"points": {"decision/rate": [0.5, 1.1]}}, "points"),
        ({"common_random_numbers": True}, "common_random_numbers"),
        ({"context": "s"}, r'context \(the default context, and this call is in context "s"\)'),
    ):
        with pytest.raises(cogir.InputError, match=rf"holds another sweep: other {what}; give another name, or remove the folder"):
            compiled.sweep(**(asked | change))
    compiled.params["decision/noise"] = 0.5
    with pytest.raises(cogir.InputError, match="other parameters"):
        compiled.sweep(**asked)
    other = decision()
    other.node("more", library.linear, input=1)
    with pytest.raises(cogir.InputError, match="other model"):
        other.compile().sweep(**(asked | {"inputs": INPUTS | {"more": [[0.0]]}}))
    monkeypatch.setattr(cogir, "__version__", "9.9")
    with pytest.raises(cogir.InputError, match="other version"):
        decision().compile().sweep(**asked)
    monkeypatch.undo()
    compiled = decision().compile()
    with pytest.raises(cogir.InputError, match=r"give the name of a folder that ends in \.zarr"):
        compiled.sweep(**(asked | {"store": "study"}))
    with pytest.raises(cogir.InputError, match="there is no folder"):
        compiled.sweep(**(asked | {"store": tmp_path / "no" / "study.zarr"}))
    zarr.open_group(str(tmp_path / "other.zarr"), mode="w-")
    (tmp_path / "empty.zarr").mkdir()
    for name in ("other", "empty"):
        with pytest.raises(cogir.InputError, match="is not a store of a sweep"):
            compiled.sweep(**(asked | {"store": tmp_path / f"{name}.zarr"}))
    group = zarr.open_group(str(path), mode="r+")
    group.attrs["format"] = 7
    with pytest.raises(cogir.InputError, match="has format 7, but this version of cogir writes 4"):
        compiled.sweep(**asked)


def test_no_disk_space(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("zarr")
    from zarr import Array

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "study.zarr"
    asked: dict[str, Any] = {"points": POINTS, "inputs": INPUTS, "replicates": 3, "reduce": "mean", "store": path}
    monkeypatch.setattr(Array, "__setitem__", full)
    with pytest.raises(cogir.CogirError, match=r"cannot be written \(No space left on device\); make room"):
        decision().compile().sweep(**asked)
    monkeypatch.undo()
    assert arrays(decision().compile().sweep(**asked)) == arrays(decision().compile().sweep(**(asked | {"store": None})))


def kill_one(pids: Any, done: threading.Event) -> None:
    """Kills a process that works, after a while."""
    time.sleep(1.0)
    os.kill(pids()[0], signal.SIGKILL)
    done.set()


LONG: dict[str, Any] = {
    "points": {"decision/rate": np.linspace(0.5, 2.0, 400)},
    "inputs": INPUTS,
    "replicates": 20_000,
    "seed": 7,
    "reduce": ["mean", "sd"],
}


@pytest.mark.full
def test_a_process_pool_with_a_worker_that_is_killed() -> None:
    compiled = decision().compile()
    expected = arrays(compiled.sweep(**LONG))
    with ProcessPoolExecutor(2, mp_context=SPAWN) as executor:
        compiled.sweep({"decision/rate": [1.0, 2.0]}, INPUTS, executor=executor)
        killed = threading.Event()
        processes: Any = executor._processes
        threading.Thread(target=kill_one, args=(lambda: list(processes), killed)).start()
        assert arrays(compiled.sweep(**LONG, executor=executor)) == expected
        assert killed.is_set()


@pytest.mark.full
def test_a_thread_pool() -> None:
    compiled = decision().compile()
    with ThreadPoolExecutor(2) as executor:
        asked: dict[str, Any] = LONG | {"replicates": 100}
        assert arrays(compiled.sweep(**asked, executor=executor)) == arrays(compiled.sweep(**asked))


@pytest.mark.full
@pytest.mark.filterwarnings("ignore")
def test_dask_with_a_killed_worker_a_lost_connection_and_an_interruption(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    compiled = decision().compile()
    expected = arrays(compiled.sweep(**LONG))
    path = tmp_path / "study.zarr"
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, cluster.get_client() as client:
        compiled.sweep({"decision/rate": [1.0, 2.0]}, INPUTS, executor=client)
        killed = threading.Event()
        threading.Thread(target=kill_one, args=(lambda: [worker.pid for worker in cluster.workers.values()], killed)).start()

        def close() -> None:
            time.sleep(2.0)
            client.loop.add_callback(client.scheduler_comm.comm.abort)

        threading.Thread(target=close).start()
        threading.Timer(4.0, signal.raise_signal, [signal.SIGINT]).start()
        with pytest.raises(cogir.SweepInterrupted) as caught:
            compiled.sweep(**(LONG | {"replicates": 100_000}), executor=client, store=path)
        assert killed.is_set()
        first = caught.value.result.finished
        assert 0 < first.sum() < 400
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, cluster.get_client() as client:
        found = compiled.sweep(**(LONG | {"replicates": 100_000}), executor=cluster, store=path)
        assert arrays(found) == arrays(compiled.sweep(**(LONG | {"replicates": 100_000})))
    assert arrays(compiled.sweep(**LONG)) == expected


def test_an_executor_that_raises(tmp_path: Path) -> None:
    class Failing(ThreadPoolExecutor):
        def submit(self, *_: Any, **__: Any) -> Any:
            raise RuntimeError("cannot schedule new futures after shutdown")

    with pytest.raises(RuntimeError, match="after shutdown"):
        decision().compile().sweep(POINTS, INPUTS, executor=Failing(1))
