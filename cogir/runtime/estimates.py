"""
Estimates: many simulations of a model from the state of a context, each with seeds of its own.

    job = EstimatesJob(rows, seeds, trials)        # seeds: (estimates, generators)
    native.run(context, job, team)
    job.out                                        # (estimates * trials, outputs)

Generator `g` of estimate `r` is `RandomState([seeds[r, g]])`. The state of the context stays as it is.

Normals are drawn in blocks, of which a trial finds at least a reserve. The few estimates with a trial that takes more are repeated with a
larger one.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cogir.errors import ExecutionError
from cogir.library.random.blocks import BLOCK_NORMALS
from cogir.runtime.context import NativeContext
from cogir.runtime.entry import FINISHED, STEP_LIMIT, limit_message
from cogir.runtime.interrupt import DONE, NODE, patiently
from cogir.runtime.plan import Floats, Words
from cogir.runtime.recording import TraceMemory
from cogir.runtime.replicates import NativeRanges

_Pointer, _Int = ctypes.c_void_p, ctypes.c_int64
ESTIMATES_TYPE = ctypes.CFUNCTYPE(
    ctypes.c_int32, *[_Pointer] * 5, _Int, _Pointer, _Pointer, _Int, _Int, _Int, _Pointer, _Pointer, _Int, _Int, _Int, _Pointer
)
RESERVE = 256
"""The normals that a trial finds at first."""
MOST_RESERVE = 2**22
"""A trial that takes more than so many normals of one generator is not estimated."""
OFTEN = 0.01
"""The part of estimates that may be repeated; if there are more, later trials find more normals."""
LANES = 48
"""The most lanes of native code, each of which has normals of its own."""


class TooManyNormals(ExecutionError):
    """A trial takes more normals than there can be room for."""


@dataclass
class EstimatesJob:
    """The estimates to make, and the arrays for their results."""

    rows: Floats
    seeds: Words
    """(estimates, generators)"""
    trials: int
    width: int
    """The number of outputs of a trial."""
    done: int = 0
    recording: None = None
    out: Floats = field(init=False)
    lengths: Words = field(init=False)

    def __post_init__(self) -> None:
        self.out = np.empty((self.count * self.trials, self.width))
        self.lengths = np.zeros(self.count, np.int64)

    @property
    def count(self) -> int:
        return len(self.seeds)


@dataclass
class NativeEstimates(NativeRanges[EstimatesJob]):
    """The function `@estimates` of a model compiled for it, by address; `keep` keeps the memory that holds it."""

    address: int
    keep: Any
    generators: int
    reserve: int = RESERVE
    _call: Any = field(init=False)

    def __post_init__(self) -> None:
        self._call = ESTIMATES_TYPE(self.address)

    def call(
        self, context: NativeContext, job: EstimatesJob, first: int, last: int, control: Words, stopped: bool, memory: TraceMemory | None
    ) -> int:
        """Native code for a range of estimates; its status. `stopped`: it was stopped before."""
        reserve = self.reserve
        status = self.call_range(context, job, first, last, control, stopped, reserve)
        short = np.flatnonzero(job.lengths[first:last] < job.trials) + first if status == FINISHED else ()
        if len(short) > OFTEN * (last - first) and self.reserve < MOST_RESERVE:
            self.reserve = max(self.reserve, 2 * reserve)
        for number in map(int, short):
            more = reserve
            while status == FINISHED and job.lengths[number] < job.trials:
                more *= 4
                if more > MOST_RESERVE:
                    raise TooManyNormals(f"estimates: a trial takes more than {more // 4:,} normals of one generator")
                status = self.call_range(context, job, number, number + 1, control, stopped, more)
        return status

    def call_range(
        self, context: NativeContext, job: EstimatesJob, first: int, last: int, control: Words, stopped: bool, reserve: int
    ) -> int:
        """One call, in which each trial finds so many normals."""
        pf, pi, sf, si, _ = context.addresses
        capacity = reserve + BLOCK_NORMALS
        normals = np.empty(max(1, LANES * self.generators * capacity))
        out, lengths = job.out[first * job.trials :], job.lengths[first:]
        lengths[: last - first] = 0
        given = (
            *(pf, pi, sf, si, job.rows.ctypes.data, len(job.rows), out.ctypes.data, lengths.ctypes.data, first, last - first, job.trials),
            *(job.seeds.ctypes.data, normals.ctypes.data, normals.ctypes.data, capacity, reserve, control.ctypes.data),
        )
        status: int = patiently(control, lambda: self._call(*given)) if stopped else self._call(*given)
        if status == STEP_LIMIT:
            raise ExecutionError(limit_message(context, "estimates", f"estimate {control[DONE]}", int(control[NODE])))
        return status
