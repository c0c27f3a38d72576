"""
A sweep in other processes: what is sent to them, and what they do with it.

A task is the text of the model with the options of its compilation, where replicates begin, and a range of points. A process compiles the
text once, or takes the code from its host's cache, and keeps it for further tasks. Results come back as arrays.
"""

from __future__ import annotations

import pickle
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np

from cogir.errors import CogirError, ExecutionError, InputError
from cogir.labelled.dataset import Array
from cogir.runtime.plan import Floats, Plan
from cogir.runtime.sweeps.axes import POINT, Points, Quantity, SweepAxis
from cogir.runtime.sweeps.collected import collected_for, run_chunks
from cogir.runtime.sweeps.identity import Named, check_named, named_in
from cogir.runtime.sweeps.job import SweepJob
from cogir.runtime.sweeps.reductions import Reduction

if TYPE_CHECKING:
    from cogir.runtime.context import NativeContext


class Rebuilt(Protocol):
    """A compiled model, as `cogir.compile` returns it."""

    plan: Plan
    engine: Any


KEPT_MODELS = 8
"""A process keeps the code of so many models."""


@dataclass(frozen=True)
class Recipe:
    """The recipe by which another process gets a compiled model, and where replicates begin."""

    text: str
    options: Mapping[str, Any]
    """Of `cogir.compile`."""
    plan: str
    """A digest of the places of all values: code that has others does not fit."""
    version: str
    context: bytes
    reductions: bytes
    named: list[Named]
    """The names that functions of reductions use and that are sent as names, which must be the same in the other process."""

    def packed(self) -> bytes:
        """The recipe as bytes."""
        return pickle.dumps(self)


def packed_reductions(reductions: Mapping[str, Reduction] | None) -> tuple[bytes, list[Named]]:
    """
    Reductions as bytes, with what must be the same in the other process. Functions of the script go by what they do where cloudpickle is
    installed, else by their names. Raises `InputError` if a function cannot be sent.
    """
    if reductions is None or not any(callable(part) for held in reductions.values() for part in vars(held).values()):
        return pickle.dumps(reductions), []
    try:
        cloudpickle: Any = import_module("cloudpickle")
    except ImportError:
        try:
            return pickle.dumps(reductions), named_in(reductions, main=True)
        except InputError:
            raise
        except Exception as error:
            raise InputError(
                f"sweep: reduce: a function cannot be sent to other processes ({error}); define it with `def` at the top of a module, "
                "or install cloudpickle: pip install cloudpickle"
            ) from None
    try:
        data: bytes = cloudpickle.dumps(reductions)
    except Exception as error:
        raise InputError(
            f"sweep: reduce: a function cannot be sent to other processes ({error}); give one that uses numbers, texts and arrays"
        ) from None
    return data, named_in(reductions, main=False)


@dataclass(frozen=True)
class Task:
    """A range of the points of a sweep."""

    quantities: tuple[Quantity, ...]
    """Of the points of the range, side by side."""
    offset: int
    """The number of the first point."""
    rows: Floats
    replicates: int
    trials: int
    seed: int
    common: bool
    stream_name: str | None = None

    @staticmethod
    def of(job: SweepJob, first: int, last: int) -> Task:
        """The points of a sweep from `first` to before `last`."""
        (axis,) = job.points.some(np.arange(first, last)).axes
        return Task(axis.quantities, job.offset + first, job.rows, job.replicates, job.trials, job.seed, job.common, job.stream_name)

    def job(self, plan: Plan) -> SweepJob:
        """The task as a sweep of its own."""
        points = Points(plan, (SweepAxis(POINT, len(self.quantities[0].values), self.quantities),))
        return SweepJob(
            plan, points, self.rows, self.replicates, self.trials, self.seed, self.common, self.offset, stream_name=self.stream_name
        )


@dataclass(frozen=True)
class Done:
    """The results of a task, and the seconds that it took, without compiling."""

    arrays: dict[str, Array]
    seconds: float


@dataclass(frozen=True)
class Failed:
    """An error of cogir in a task."""

    message: str


_models: dict[bytes, tuple[Rebuilt, NativeContext, Mapping[str, Reduction] | None]] = {}


def run_task(recipe: bytes, task: bytes) -> Done | Failed:
    """Computes a task in this process."""
    try:
        compiled, context, reductions = _model(recipe)
        found: Task = pickle.loads(task)
        begun = time.perf_counter()
        job = found.job(compiled.plan)
        collected = collected_for(job, reductions)
        run_chunks(compiled.engine.sweeper(context, job), collected)
        return Done(collected.part(0, job.points.count), time.perf_counter() - begun)
    except CogirError as error:
        return Failed(f"{type(error).__name__}: {error}")


def _model(packed: bytes) -> tuple[Rebuilt, NativeContext, Mapping[str, Reduction] | None]:
    """The model of a recipe, compiled when it comes for the first time."""
    key = sha256(packed).digest()
    if key not in _models:
        recipe: Recipe = pickle.loads(packed)
        if recipe.version != own_version():
            raise ExecutionError(
                f"sweep: this worker has {own_version()}, but the sweep was begun with {recipe.version}; install the same version on all"
            )
        reductions = _reductions(recipe)
        # A worker is a user of the package, whatever floor this module is on.
        from cogir.runtime.native import NativeEngine

        compiled: Rebuilt = import_module("cogir").compile(recipe.text, **recipe.options)
        if plan_digest(compiled.plan) != recipe.plan:
            raise ExecutionError("sweep: the model compiled by this worker has another layout; install the same version of cogir on all")
        while len(_models) >= KEPT_MODELS:
            del _models[next(iter(_models))]
        context: NativeContext = pickle.loads(recipe.context)
        assert isinstance(compiled.engine, NativeEngine)
        context.plan, context.start = compiled.plan, compiled.engine.entry.start
        _models[key] = (compiled, context, reductions)
    return _models[key]


def _reductions(recipe: Recipe) -> Mapping[str, Reduction] | None:
    """The reductions of a recipe, if their functions are here what they are where they come from."""
    check_named(recipe.named)
    try:
        return pickle.loads(recipe.reductions)
    except Exception as error:  # what is sent by name may be missing here
        raise ExecutionError(
            f"sweep: reduce: this worker cannot load the functions ({type(error).__name__}: {error}); install cloudpickle here and on all "
            "workers: pip install cloudpickle"
        ) from None


def own_version() -> str:
    """The version of cogir and of Python in this process."""
    return f"cogir {vars(sys.modules['cogir'])['__version__']} on Python {sys.version_info.major}.{sys.version_info.minor}"


def plan_digest(plan: Plan) -> str:
    """A digest of the places of all values and of the kinds of generators."""
    slots = sorted((slot.path, slot.buffer, slot.offset, slot.shape, slot.dtype) for slot in plan.slots.values())
    kinds = [(path, start.kind) for path, start in plan.generators.items()]
    return sha256(repr((slots, sorted(plan.sizes.items()), kinds, plan.outputs, plan.shown)).encode()).hexdigest()


def digest_of(*contents: Any) -> str:
    """A digest of texts, numbers and arrays."""
    digest = sha256()
    for content in contents:
        data = repr(content).encode()
        if isinstance(content, np.ndarray):
            array = cast("Array", content)
            data = repr((array.shape, array.dtype)).encode() + array.tobytes()
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()
