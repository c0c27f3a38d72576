"""
Runs sweeps, and what they give back.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from cogir.errors import counted
from cogir.labelled.dataset import OUT_OF_RANGE, UNFINISHED, Axis, Dataset
from cogir.labelled.labelled import Labelled
from cogir.labelled.loaded import LoadedArrays
from cogir.labelled.traces import Traces, as_variables
from cogir.runtime.meter import Meter
from cogir.runtime.origin import Origin
from cogir.runtime.sweeps.axes import Points
from cogir.runtime.sweeps.collected import Collected, run_chunks
from cogir.runtime.sweeps.job import SweepEngine, SweepJob
from cogir.runtime.sweeps.ranges import TaskRanges

if TYPE_CHECKING:
    from cogir.runtime.sweeps.store import Store
    from cogir.runtime.sweeps.workers import Workers


class Sweep(Labelled):
    """
    The results of a sweep: a mapping from `node/port` to arrays.

    Without reductions `s["decision"]` is the array (points along each axis, replicates, trials, ...) of a node's first output. With them it
    is a statistic, (points along each axis, trials, ...): `s["decision/response_time", "mean"]`, or `s["accuracy"]` under a name of your
    own. What a sweep has not computed is NaN (0 for whole numbers and flags); `finished` says at which points all is there.

    `unfinished` and `out_of_range` say which trials were cut off or had parameters out of range; after reductions, in what part of the
    replicates. `status` is "done" or "interrupted".
    """

    __slots__ = ("_collected", "_dataset", "_finished", "_traces", "job", "origin", "status")

    def __init__(self, collected: Collected, origin: Origin, status: str):
        self._collected: Collected | None = collected
        self._finished = collected.finished
        self.job = collected.job
        self.origin = origin
        self.status = status
        self._dataset: Dataset | None = None
        self._traces: Traces | None = None

    @property
    def points(self) -> Points:
        """The axes of the sweep, and what varies along them."""
        return self.job.points

    @property
    def num_replicates(self) -> int:
        """The number of replicates at each point."""
        return self.job.replicates

    @property
    def num_trials(self) -> int:
        """The number of trials of each replicate, unless its run ended before."""
        return self.job.trials

    @property
    def finished(self) -> npt.NDArray[np.bool_]:
        """True for the points all of whose replicates are there, (points along each axis)."""
        return self._finished.reshape(self.points.extents)

    def dataset(self) -> Dataset:
        if self._dataset is None:
            assert self._collected is not None
            axes = axes_of(self.points)
            shared, variables, beside = self._collected.variables(axes, self.origin.about)
            beside |= {name: held for trace in self.traces.values() for name, held in as_variables(trace).items()}
            self._dataset = Dataset("sweep", shared, variables, beside, self.origin.attributes(self.status))
        return self._dataset

    @property
    def traces(self) -> Traces:
        """
        What was recorded inside of trials (`Model.record`), by name: `s.traces["decision/value"][point, replicate, trial]`, with a number
        for each axis of the sweep in the place of `point`. Sweeps with `reduce`, `executor` or `store` record nothing.
        """
        if self._traces is None:
            assert self._collected is not None
            self._traces = self._collected.traces(axes_of(self.points), self.origin.about)
        return self._traces

    @property
    def unfinished(self) -> LoadedArrays:
        """
        For each node that is executed until finished, True for the trials in which its limit cut off an execution; after reductions, the
        proportion of the replicates. By "control/decision", how many were cut off in the simulations of a controller.
        """
        return LoadedArrays("unfinished", {name: held.values for name, held in self.dataset().flags(UNFINISHED).items()})

    @property
    def out_of_range(self) -> LoadedArrays:
        """As `unfinished`, for parameters that were modulated out of their ranges, by "node/parameter"."""
        return LoadedArrays("out_of_range", {name: held.values for name, held in self.dataset().flags(OUT_OF_RANGE).items()})

    def __getstate__(self) -> tuple[None, dict[str, Any]]:
        """The parts that are pickled and copied: arrays and traces, without the memory and the functions of which they were made."""
        made = {"_dataset": self.dataset(), "_traces": self.traces, "_collected": None}
        job = replace(self.job, recording=None)
        return None, {"job": job, "_finished": self._finished, "origin": self.origin, "status": self.status, **made}

    def __repr__(self) -> str:
        along = " x ".join(f"{axis.size} {axis.name}" for axis in self.points.axes)
        size = f"{counted(self.num_replicates, 'replicate')} of {counted(self.num_trials, 'trial')}"
        return f"<sweep of {along}, {size}, {self.origin.states(self.status)}: {', '.join(self.outputs)}>"


class SweepInterrupted(KeyboardInterrupt):
    """Ctrl-C during a sweep; `result` holds what was finished."""

    def __init__(self, message: str, result: Sweep):
        super().__init__(message, result)
        self.result = result

    def __str__(self) -> str:
        return str(self.args[0])


def axes_of(points: Points) -> tuple[Axis, ...]:
    """The axes of results."""
    return tuple(Axis(axis.name, axis.size, axis.coordinates) for axis in points.axes)


@dataclass(frozen=True)
class Elsewhere:
    """Other processes that compute a sweep."""

    workers: Workers
    recipe: bytes


def compute(
    job: SweepJob,
    collected: Collected,
    sweeper: Callable[[], SweepEngine],
    meter: Meter,
    elsewhere: Elsewhere | None = None,
    store: Store | None = None,
) -> None:
    """Computes all points that are not in the store, here or elsewhere; what is finished is taken, also when an error ends it."""
    if elsewhere is None and store is None:
        run_chunks(sweeper(), collected)
        return
    left, align = ([(0, job.points.count)], 1) if store is None else (store.load(collected), store.block)
    ranges = TaskRanges(left, align)
    if elsewhere is not None:
        from cogir.runtime.sweeps.tasks import Task
        from cogir.runtime.sweeps.workers import HandOut

        hand_out = HandOut(elsewhere.workers, ranges)

        def task(first: int, last: int) -> bytes:
            return pickle.dumps(Task.of(job, first, last))

        for first, last, done in hand_out.results(elsewhere.recipe, task):
            collected.put(first, last, done.arrays)
            meter.update(int(np.count_nonzero(collected.finished)) * job.replicates)
            if store is not None:
                store.save(first, last, done.arrays)
    elif store is not None:
        here = sweeper()
        while (taken := ranges.take()) is not None:
            begun = time.perf_counter()
            run_chunks(here, collected, *taken)
            ranges.learn(taken[1] - taken[0], time.perf_counter() - begun)
            store.save(*taken, collected.part(*taken))
