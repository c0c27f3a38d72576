"""
The subject of a sweep: a compiled model, and the context in which its replicates begin.
"""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from cogir.errors import InputError, ModelError
from cogir.runtime.context import Context, NativeContext
from cogir.runtime.origin import About
from cogir.runtime.sweeps.job import SweepJob
from cogir.runtime.sweeps.reductions import Reduction
from cogir.runtime.sweeps.sweep import Elsewhere

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
        from cogir.runtime.sweeps.tasks import Recipe, own_version, plan_digest
        from cogir.runtime.sweeps.workers import workers_of

        workers = workers_of(executor)
        if not isinstance(self.where, NativeContext):
            raise InputError(
                f'sweep: model "{self.name}" runs in mode {self.mode}, which needs this process; compile it with mode="run" for an executor'
            )
        if not self.about.text:
            raise ModelError(f'sweep: model "{self.name}" was changed after it was compiled; compile it again')
        options = {**self.options, "unfinished": "ignore", "out_of_range": "ignore"}
        recipe = Recipe(self.about.text, options, plan_digest(job.plan), own_version(), pickle.dumps(self.where.twin(None)), reductions)
        return Elsewhere(workers, recipe.packed())

    def store(self, job: SweepJob, reductions: Mapping[str, Reduction] | None, path: str | PathLike[str]) -> Store:
        """The store of the sweep, for exactly what its results depend on."""
        from cogir.runtime.sweeps.store import Store
        from cogir.runtime.sweeps.tasks import digest_of, own_version

        points = [(held.paths, held.element, held.values.shape) for axis in job.points.axes for held in axis.quantities]
        values = [held.values for axis in job.points.axes for held in axis.quantities]
        state: dict[str, Any] = dict(self.where.state_store()) if self.where.ran else {}
        identity = {
            "model": digest_of(self.about.text, self.options.get("math", "")),
            "version": own_version().partition(" on ")[0],
            "points": digest_of(job.points.extents, points, *values),
            "inputs": digest_of(job.rows, job.trials),
            "parameters": digest_of(*(np.asarray(value) for value in self.where.parameters_now().values())),
            "state": digest_of(*state, *(np.asarray(value) for value in state.values())),
            "seed": digest_of(job.seed, job.common),
            "number of replicates": digest_of(job.replicates),
            "reductions": digest_of(None if reductions is None else {name: held.identity for name, held in reductions.items()}),
        }
        return Store(path, job, identity)
