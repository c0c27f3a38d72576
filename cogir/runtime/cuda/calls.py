"""
Replicates and chunks of sweeps as ranges of indices, of which a GPU and the CPU may each compute a part.

With target "auto" the CPU begins, and the GPU goes on where that pays; after a failure of the GPU the CPU goes on. Whoever goes on does
so at the first index that is not done.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np

from cogir.runtime.context import NativeContext
from cogir.runtime.cuda.driver import Array
from cogir.runtime.cuda.ranges import IndexRange
from cogir.runtime.parallel import Crew
from cogir.runtime.replicates import Job, NativeReplicates, RangeJob
from cogir.runtime.sweeps.job import TABLES, NativeSweeper, Prepared


def nothing() -> None:
    """Does nothing."""


class RangeCall(ABC):
    """A range of indices to compute."""

    what: str
    """Its kind, as `explain()` names it."""
    entry: str
    """Its kind, as errors name it."""
    job: RangeJob
    """The range, with the number of indices that are done."""
    context: NativeContext
    whole: int
    """The number of indices of the user's call, of which the range may be a part."""

    @property
    @abstractmethod
    def left(self) -> int:
        """The number of indices of the user's call that are not done yet."""

    @property
    @abstractmethod
    def threads(self) -> int:
        """The most threads that compute on the CPU."""

    @abstractmethod
    def on_cpu(self, seconds: float | None = None) -> None:
        """Computes on the CPU what is not done yet. `seconds`: what is not finished after so long is left."""

    @abstractmethod
    def for_gpu(self) -> IndexRange:
        """The indices that are not done yet, with the arguments of the kernel."""

    @abstractmethod
    def name(self, place: int) -> str:
        """The name of the index at a place of the range, for messages."""

    def meanwhile(self) -> None:
        """Done once, while the first indices are computed."""


class ReplicatesCall(RangeCall):
    """Replicates."""

    what = entry = "replicates"

    def __init__(self, context: NativeContext, job: Job, code: Callable[[], NativeReplicates], crew: Crew):
        """`context` stands where the replicates begin; `code`: native code for the CPU."""
        self.context, self.job, self.code, self.crew = context, job, code, crew
        self.replicates = job
        self.whole = job.count

    @property
    def left(self) -> int:
        return self.job.count - self.job.done

    @property
    def threads(self) -> int:
        return 1 + self.crew.team().helpers

    def on_cpu(self, seconds: float | None = None) -> None:
        with self.crew.team() as team:
            self.code().run(self.context, self.replicates, team, seconds=seconds)

    def for_gpu(self) -> IndexRange:
        job, done = self.replicates, self.job.done
        given: dict[str, Array | int] = {
            **{name: getattr(self.context, name) for name in ("pf", "pi", "sf", "si")},
            "in": job.rows,
            "n_in": len(job.rows),
            "seed": job.root,
        }
        return IndexRange(done, job.out[done * job.trials :], job.lengths[done:], job.trials, given)

    def name(self, place: int) -> str:
        return f"replicate {place}"


class ChunkCall(RangeCall):
    """A chunk of a sweep."""

    what, entry = "sweeps", "sweep"

    def __init__(self, prepared: Prepared, context: NativeContext, sweeper: NativeSweeper | None, meanwhile: Callable[[], None]):
        """`sweeper`: native code for the CPU, if it may be used. `meanwhile`: done once, while the first indices are computed."""
        self.prepared = self.job = prepared
        self.context, self.sweeper, self._meanwhile = context, sweeper, meanwhile
        self.whole = prepared.chunk.job.count

    @property
    def left(self) -> int:
        return self.whole - self.prepared.chunk.first - self.job.done

    @property
    def threads(self) -> int:
        return 1 if self.sweeper is None else 1 + self.sweeper.team.helpers

    def on_cpu(self, seconds: float | None = None) -> None:
        assert self.sweeper is not None
        self.sweeper.compute(self.prepared, self.meanwhile, seconds)

    def for_gpu(self) -> IndexRange:
        chunk, sweep, done = self.prepared.chunk, self.prepared.chunk.job, self.job.done
        given: dict[str, Array | int] = {
            **{name: np.ascontiguousarray(table) for name, table in zip(TABLES, self.prepared.tables, strict=True)},
            "vary": self.prepared.vary,
            "n_in": self.prepared.n_in,
            "per_point": sweep.replicates,
            "first_point": sweep.offset + chunk.first_point,
            "seed": sweep.root,
        }
        return IndexRange(self._first + done, chunk.out[done * sweep.trials :], chunk.lengths[done:], sweep.trials, given)

    @property
    def _first(self) -> int:
        """The number of the first index of the chunk, as the kernel counts."""
        return self.prepared.chunk.job.offset * self.prepared.chunk.job.replicates + self.prepared.chunk.first

    def name(self, place: int) -> str:
        point, replicate = divmod(self._first + place, self.prepared.chunk.job.replicates)
        return f"replicate {replicate} at point {point}"

    def meanwhile(self) -> None:
        meanwhile, self._meanwhile = self._meanwhile, nothing
        meanwhile()
