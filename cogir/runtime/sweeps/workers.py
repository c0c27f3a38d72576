"""
Sweeps on executors: tasks are handed out, lost ones again, and their results are taken as they come.

    compiled.sweep(points, executor=ProcessPoolExecutor(8))
    compiled.sweep(points, executor=dask.distributed.Client("scheduler:8786"))      # or one of dask-jobqueue's clusters

Any executor of `concurrent.futures` will do. Dask is the engine for many machines: it restarts workers and knows clusters.
"""

from __future__ import annotations

import os
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor
from dataclasses import dataclass
from typing import Any, cast

from cogir.errors import ExecutionError, InputError, shown
from cogir.runtime.interrupt import without_interruption
from cogir.runtime.sweeps.ranges import TaskRanges
from cogir.runtime.sweeps.tasks import Done, Failed, run_task

LOOK_SECONDS = 0.01
"""So often it is looked which tasks are done."""
TASKS_PER_WORKER = 2
"""A worker has a task to go on with while the results of another one are taken."""
MOST_LOSSES = 10
"""A task that is lost so often is not handed out again."""


class Workers(ABC):
    """Other processes that take tasks."""

    @property
    @abstractmethod
    def count(self) -> int:
        """The number of tasks that are computed at the same time."""

    @abstractmethod
    def submit(self, recipe: bytes, task: bytes) -> Any:
        """Hands out a task, and returns a future."""

    @abstractmethod
    def is_done(self, future: Any) -> bool:
        """True if a task is done, failed or lost."""

    def result(self, future: Any) -> Done | Failed:
        """The results of a task. Raises `Lost` if nobody will compute it."""
        try:
            return cast("Done | Failed", future.result())
        except CancelledError as error:
            raise Lost(str(error)) from None

    def recover(self) -> None:
        """Called after a loss, before tasks are handed out again."""

    def close(self) -> None:
        """Called in the end."""


class Lost(Exception):
    """A task whose worker, or the connection to it, is gone."""


class Pool(Workers):
    """An executor of `concurrent.futures`; of a process pool that has broken, a new one of the same size takes the rest."""

    def __init__(self, executor: Executor):
        self.executor = executor
        self.own: Executor | None = None

    @property
    def count(self) -> int:
        return int(getattr(self.executor, "_max_workers", None) or os.cpu_count() or 1)

    def submit(self, recipe: bytes, task: bytes) -> Any:
        try:
            return (self.own or self.executor).submit(run_task, recipe, task)
        except BrokenExecutor:
            self.recover()
            return (self.own or self.executor).submit(run_task, recipe, task)

    def is_done(self, future: Any) -> bool:
        return future.done()

    def result(self, future: Any) -> Done | Failed:
        try:
            return super().result(future)
        except BrokenExecutor as error:
            raise Lost(str(error)) from None

    def recover(self) -> None:
        from concurrent.futures import ProcessPoolExecutor

        if isinstance(self.executor, ProcessPoolExecutor) and (self.own is None or getattr(self.own, "_broken", False)):
            context = getattr(self.executor, "_mp_context", None)
            self.own = ProcessPoolExecutor(self.count, mp_context=context)

    def close(self) -> None:
        if self.own is not None:
            self.own.shutdown(cancel_futures=True)


class Dask(Workers):
    """A client of Dask: workers that die are replaced by others, and what the scheduler has forgotten is handed out again."""

    def __init__(self, client: Any):
        self.client = client
        self.asked = 0.0
        self.threads = 1

    @property
    def count(self) -> int:
        # The number of workers changes while a cluster grows.
        if time.monotonic() - self.asked > 1.0:
            self.threads = sum(self.client.nthreads().values()) or 1
            self.asked = time.monotonic()
        return self.threads

    def submit(self, recipe: bytes, task: bytes) -> Any:
        return self.client.submit(run_task, recipe, task, pure=False)

    def is_done(self, future: Any) -> bool:
        return future.status in ("finished", "error", "cancelled", "lost")

    def result(self, future: Any) -> Done | Failed:
        if future.status in ("cancelled", "lost"):
            raise Lost(f"its status is {future.status}")
        try:
            return super().result(future)
        except OSError as error:  # the connection closed while the result was on its way
            raise Lost(str(error)) from None
        except Exception as error:
            if type(error).__name__ in ("KilledWorker", "FutureCancelledError", "CommClosedError"):
                raise Lost(str(error)) from None
            raise

    def recover(self) -> None:
        """Waits until the client is connected again."""
        ends = time.monotonic() + 60.0
        while self.client.status != "running":
            if time.monotonic() > ends or self.client.status == "closed":
                raise ExecutionError(f"sweep: the client of Dask is {self.client.status}; connect a new one, and resume from a store")
            time.sleep(0.05)


def workers_of(executor: Any) -> Workers:
    """The workers that users mean. Raises `InputError` for what is no executor."""
    if isinstance(executor, Executor):
        return Pool(executor)
    if hasattr(executor, "submit") and hasattr(executor, "nthreads"):
        return Dask(executor)
    if hasattr(executor, "get_client") and hasattr(executor, "scheduler"):  # a cluster of Dask
        return Dask(executor.get_client())
    raise InputError(
        f"sweep: executor is {shown(executor)}; give an executor of concurrent.futures, such as ProcessPoolExecutor(4), or a "
        "dask.distributed.Client"
    )


@dataclass
class Handed:
    """A range of points that was handed out."""

    first: int
    last: int
    future: Any


class HandOut:
    """Hands out ranges of points until all are done."""

    def __init__(self, workers: Workers, ranges: TaskRanges):
        self.workers = workers
        self.ranges = ranges
        self.outside: list[Handed] = []
        self.losses: dict[int, int] = {}

    def results(self, recipe: bytes, task_of: Any) -> Iterator[tuple[int, int, Done]]:
        """The ranges, each with what it came to, as they are done. Raises `ExecutionError` for a task that failed."""
        try:
            while True:
                without_interruption(lambda: self.submit(recipe, task_of))
                if not self.outside:
                    return
                done = without_interruption(lambda: [held for held in self.outside if self.workers.is_done(held.future)])
                if not done:
                    time.sleep(LOOK_SECONDS)
                for held in done:
                    self.outside.remove(held)
                    yield from self.taken(held)
        finally:
            without_interruption(self.give_up)

    def submit(self, recipe: bytes, task_of: Any) -> None:
        """Hands out as many ranges as the workers need."""
        while len(self.outside) < TASKS_PER_WORKER * self.workers.count and (taken := self.ranges.take()) is not None:
            first, last = taken
            self.outside.append(Handed(first, last, self.workers.submit(recipe, task_of(first, last))))

    def give_up(self) -> None:
        """Nothing that is outside is waited for."""
        for held in self.outside:
            held.future.cancel()
        self.workers.close()

    def taken(self, held: Handed) -> Iterator[tuple[int, int, Done]]:
        """The result of a task, or nothing if it was lost and is to be handed out again."""
        try:
            result = without_interruption(lambda: self.workers.result(held.future))
        except Lost as error:
            self.losses[held.first] = self.losses.get(held.first, 0) + 1
            if self.losses[held.first] >= MOST_LOSSES:
                raise ExecutionError(
                    f"sweep: points {held.first} to {held.last - 1} were handed out {MOST_LOSSES} times, and lost ({error}); look at the "
                    "workers: they may have too little memory"
                ) from None
            self.workers.recover()
            self.ranges.give_back(held.first, held.last)
            return
        if isinstance(result, Failed):
            raise ExecutionError(f"sweep: a worker reports {result.message}")
        self.ranges.learn(held.last - held.first, result.seconds)
        yield held.first, held.last, result
