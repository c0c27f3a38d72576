"""
The cost of a sweep, estimated before it runs from a few replicates at some of its points.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from cogir.errors import counted
from cogir.runtime.explanation import Remark, amount, duration
from cogir.runtime.parallel import NOBODY
from cogir.runtime.sweeps.collected import Reduced, run_chunks
from cogir.runtime.sweeps.job import CHUNK_BYTES, SweepEngine, SweepJob

SAMPLED_POINTS, SAMPLED_SECONDS = 16, 0.05


def about_cost(job: SweepJob, sweeper: Callable[[SweepJob], SweepEngine], threads: int, *, is_reduced: bool) -> list[Remark]:
    """The time and the memory that a sweep will take in so many threads."""
    size = f"{counted(job.points.count, 'point')} with {counted(job.replicates, 'replicate')} of {counted(job.trials, 'trial')}"
    seconds = sampled_seconds(job, sweeper) / threads
    together = f" in {threads} threads" if threads > 1 else ""
    memory = 8 * job.count * job.trials * job.width
    kept = f"{amount(min(memory, 2 * CHUNK_BYTES))} for two chunks, and the results" if is_reduced else f"{amount(memory)} for all outputs"
    return [Remark("sweep", f"{size}: about {duration(seconds)}{together}"), Remark("sweep", f"memory: {kept}")]


def sampled_seconds(job: SweepJob, sweeper: Callable[[SweepJob], SweepEngine]) -> float:
    """The seconds that one thread will take for a sweep, by some replicates at some points; a model's code is compiled before."""
    step = max(1, job.points.count // SAMPLED_POINTS)
    chosen = np.arange(step // 2, job.points.count, step)[:SAMPLED_POINTS]
    part = replace(job, points=job.points.some(chosen), replicates=1)
    run_chunks(alone(sweeper(part)), Reduced(part, {}))
    begun = time.perf_counter()
    while True:
        first = time.perf_counter()
        run_chunks(alone(sweeper(part)), Reduced(part, {}))
        seconds = time.perf_counter() - first
        if seconds > SAMPLED_SECONDS or part.replicates >= job.replicates or time.perf_counter() - begun > 1.0:
            return seconds * job.count / part.count
        part = replace(part, replicates=min(job.replicates, 4 * part.replicates))


def alone(sweeper: SweepEngine) -> SweepEngine:
    """The same without helpers."""
    sweeper.team = NOBODY
    return sweeper
