"""
The subject of a sweep: a compiled model, and the context in which its replicates begin.
"""

from __future__ import annotations

import pickle
import platform
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from cogir.errors import InputError
from cogir.runtime.context import Context, NativeContext
from cogir.runtime.origin import About, changed
from cogir.runtime.sweeps.job import SweepJob
from cogir.runtime.sweeps.reductions import Reduction
from cogir.runtime.sweeps.sweep import Elsewhere
from cogir.streams import VERSION

if TYPE_CHECKING:
    from cogir.runtime.sweeps.store import Store


@dataclass(frozen=True)
class Subject:
    """A compiled model, and the context in which the replicates of a sweep begin."""

    name: str
    mode: str
    about: About
    options: Mapping[str, Any]
    """Those of `cogir.compile`, with which another process makes the same code."""
    where: Context

    def elsewhere(self, job: SweepJob, reductions: Mapping[str, Reduction] | None, executor: Any) -> Elsewhere:
        """The workers of an executor, and the recipe from which they compute the sweep."""
        from cogir.runtime.sweeps.tasks import Recipe, own_version, packed_reductions, plan_digest
        from cogir.runtime.sweeps.workers import workers_of

        workers = workers_of(executor)
        if not isinstance(self.where, NativeContext):
            raise InputError(
                f'sweep: model "{self.name}" runs in mode {self.mode}, which needs this process; compile it with mode="run" for an executor'
            )
        if not self.about.text:
            raise changed("sweep", self.name)
        options = {**self.options, "unfinished": "ignore", "out_of_range": "ignore"}
        data, named = packed_reductions(reductions)
        context = pickle.dumps(self.where.twin(None))
        recipe = Recipe(self.about.text, options, plan_digest(job.plan), own_version(), context, data, named)
        return Elsewhere(workers, recipe.packed())

    def store(self, job: SweepJob, reductions: Mapping[str, Reduction] | None, path: str | PathLike[str]) -> Store:
        """The store of the sweep, for exactly what its results depend on."""
        from cogir.runtime.sweeps.identity import identity_of
        from cogir.runtime.sweeps.store import CONTEXT, Store
        from cogir.runtime.sweeps.tasks import digest_of, own_version

        if not self.about.text:
            raise changed("sweep", self.name)
        parameters = dict(self.where.parameters_now())
        limits = {path: parameters.pop(path) for path in list(parameters) if path.rpartition("/")[2].startswith("limit:")}
        mode = "native" if isinstance(self.where, NativeContext) else "interpreted"  # there, limits are parameters
        state = self.where.state_store() if self.where.started else self.where.states_set
        identity = {
            "model": digest_of(self.about.text),
            "version": own_version().partition(" on ")[0],
            "mode": digest_of(mode, *named_values(limits)),
            "options": digest_of(options_of_bits(self.options)),
            "points": digest_of(*points_in(job)),
            "inputs": digest_of(job.rows, job.trials),
            "parameters": digest_of(*named_values(parameters)),
            "state": digest_of(*named_values(state)),
            "seed": digest_of(job.seed),
            "common_random_numbers": str(job.common),
            CONTEXT: "the default context" if job.stream_name is None else f'context "{job.stream_name}"',
            "version of the random streams": str(VERSION),
            "number of replicates": digest_of(job.replicates),
            "reductions": digest_of(
                None if reductions is None else {name: identity_of(f'reduce: "{name}"', held) for name, held in reductions.items()}
            ),
        }
        return Store(path, job, identity)


SAME_BITS = ("mode", "target", "without", "cache", "prune_search")
"""The options that change no result; all others belong to the identity of a sweep."""


def options_of_bits(options: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """The options on which results depend, and the processor or the C library where these count."""
    found = {name: value for name, value in options.items() if name not in SAME_BITS}
    if found.get("contract", "strict") != "strict":
        from cogir.backend.llvm import host

        found["processor"] = host().cpu, host().features
    if found.get("math", "portable") != "portable":
        found["C library"] = platform.libc_ver()
    return sorted(found.items())


def named_values(values: Mapping[str, Any]) -> Iterator[Any]:
    """Values with their names."""
    for path in sorted(values):
        yield path
        yield np.asarray(values[path])


def points_in(job: SweepJob) -> Iterator[Any]:
    """The values along each axis; labels of points only stand beside results."""
    for axis in job.points.axes:
        yield axis.size
        for held in sorted(axis.quantities, key=lambda held: (held.paths, held.element or 0)):
            yield held.kind, held.paths, held.element
            yield held.values
