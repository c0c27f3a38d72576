"""Searches that several threads share: the same bits for any number of them, and errors and signals that come back cleanly."""

import time
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from random import Random
from typing import Any

import numpy as np
import pytest
from support.compare_models import behaviour, first_difference
from support.interrupts import press_soon
from support.random.models import random_model

import cogir
from cogir.library import Value
from cogir.transforms import outline_parallel

THREADS = [1, 2, 3, 7]


def valley(at: Value, *, left: float = 0.0, right: float = 0.0) -> Value:
    """Lowest where both parameters are what comes in, or near it."""
    return np.exp((left - at[0]) ** 2) + np.exp((right - at[0]) ** 2) + np.floor(4.0 * left) * 0.125


def searched(levels: int, **options: Any) -> cogir.Model:
    """A search over two parameters."""
    model = cogir.Model("valley")
    node = model.node("node", valley, input=1)
    model.input(node)
    model.output(node)
    signals = [cogir.Signal(node.param(name), levels=np.linspace(0, 1, levels), modulation="override") for name in ("left", "right")]
    model.control("control", objective=node, signals=signals, direction="minimize", **options)
    return model


INPUTS = {"node": [[0.3], [0.71], [0.5]]}


@pytest.mark.parametrize("keep", [None, "best", "values"])
def test_the_number_of_threads_cannot_be_seen(keep: Any) -> None:
    model = searched(301, keep=keep)
    seen: list[Any] = []
    for threads in THREADS:
        compiled = model.compile(threads=threads)
        result = compiled.run(INPUTS, num_trials=6)
        kept = [np.asarray(compiled.state[path]).tobytes() for path in sorted(compiled.state)]
        seen.append((result["node"].tobytes(), str(result.allocations), kept))
    assert all(each == seen[0] for each in seen)


def test_helpers_are_asked_for_large_searches_only() -> None:
    with Counting(2) as executor:
        searched(301).compile(executor=executor).run(INPUTS)
        assert executor.asked >= 3
        asked = executor.asked
        searched(10).compile(executor=executor).run(INPUTS)
        assert executor.asked == asked


@pytest.mark.parametrize("numbers", [range(8), pytest.param(range(8, 100), marks=pytest.mark.full)])
def test_random_models(monkeypatch: pytest.MonkeyPatch, numbers: range) -> None:
    """Of which some searches fail on the way."""
    monkeypatch.setattr(outline_parallel, "WORK", 0)
    monkeypatch.setattr(outline_parallel, "PARTS", 1)
    for number in numbers:
        drawn = random_model(Random(number))
        if drawn.tags["grid_search"]:
            assert first_difference(behaviour(drawn, "run"), behaviour(drawn, "run", threads=3)) is None


class Counting(ThreadPoolExecutor):
    """Counts what it is asked for."""

    asked = 0

    def submit(self, *args: Any, **options: Any) -> Future[Any]:
        """As always."""
        self.asked += 1
        return super().submit(*args, **options)


def test_an_executor_that_is_shut_down() -> None:
    """The error comes back from the run, which has taken no trial; the model goes on with another executor."""
    model = searched(301)
    executor = ThreadPoolExecutor(1)
    compiled = model.compile(executor=executor)
    first = compiled.run(INPUTS, num_trials=1)
    before = {path: np.array(compiled.state[path]) for path in compiled.state}
    executor.shutdown()
    with pytest.raises(RuntimeError, match="after shutdown"):
        compiled.run(INPUTS, num_trials=1)
    assert all(np.array_equal(compiled.state[path], value) for path, value in before.items())
    again = model.compile(threads=2).run(INPUTS, num_trials=1)
    assert again["node"].tobytes() == first["node"].tobytes()


def test_ctrl_c_while_threads_work() -> None:
    """A search that would take minutes ends soon, and the workers are free for the next one."""
    compiled = searched(301).compile(threads=3)
    long = searched(30_001).compile(threads=3)
    began = time.perf_counter()
    press_soon(0.3)
    with pytest.raises(cogir.RunInterrupted, match=r"interrupted after [\d,]+ of 100,000 trials"):
        long.run(INPUTS, num_trials=100_000)
    assert time.perf_counter() - began < 20
    assert len(compiled.run(INPUTS, num_trials=1).results) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threads": 0}, "threads is 0; give a whole number from 1 to 1024"),
        ({"threads": 1.5}, r"threads is 1\.5; give a whole number from 1 to 1024"),
        ({"threads": True}, "threads is True; give a whole number"),
        ({"executor": 3}, r"executor is 3, which is not a concurrent\.futures\.Executor; give a ThreadPoolExecutor, or threads=4"),
        ({"executor": ThreadPoolExecutor(1), "threads": -1}, "threads is -1"),
    ],
)
def test_what_is_refused(options: Any, message: str) -> None:
    with pytest.raises(cogir.ModelError, match=message):
        searched(2).compile(**options)


def test_processes_are_refused() -> None:
    with ProcessPoolExecutor(1) as executor, pytest.raises(cogir.ModelError, match="workers do not share memory with the run"):
        searched(2).compile(executor=executor)
