"""
Sweeps as work: ranges of indices, replicate `i % replicates` at point `i // replicates`, which native code or an interpreter goes through
in chunks.
"""

from __future__ import annotations

import ctypes
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from cogir.errors import ExecutionError, InputError
from cogir.interpreters.faults import is_fault
from cogir.runtime.entry import FINISHED, STEP_LIMIT, address_of, limit_message
from cogir.runtime.interrupt import DONE, NODE, patiently
from cogir.runtime.parallel import NOBODY, Crew, Team
from cogir.runtime.plan import Floats, Plan, Words
from cogir.runtime.recording import Recording, TraceMemory, TraceMemoryError
from cogir.runtime.replicates import CROWDED, NativeRanges, TrialRunner, blank_missing
from cogir.runtime.sweeps.axes import Points
from cogir.runtime.sweeps.reductions import block_length
from cogir.streams import as_signed, key_of, root_of

if TYPE_CHECKING:
    from cogir.runtime.context import Context, NativeContext

CHUNK_BYTES = 2**24
"""The rows of a chunk take about as much memory; reductions need a part of it again."""
TABLE_BYTES = 2**29
"""Where parameters vary, each point of a chunk has a copy of all of them; these take no more memory."""
TABLES = ("pf", "pi", "sf", "si", "in")
"""The tables that can differ between points, in the order of the words of `vary`."""
KEY_LIMITS = {"mt19937": 2**32, "philox4x64": 2**32, "xoshiro256": 2**63}
"""The numbers of points and replicates from which on a kind of generator has no stream for them."""

_Pointer, _Int = ctypes.c_void_p, ctypes.c_int64
_SWEEP = (*[_Pointer] * 6, _Int, _Pointer, _Pointer, _Int, _Int, _Int, _Int, _Int, _Int, _Pointer)
SWEEP_TYPE = ctypes.CFUNCTYPE(ctypes.c_int32, *_SWEEP)
TRACED_SWEEP_TYPE = ctypes.CFUNCTYPE(ctypes.c_int32, *_SWEEP, _Pointer)
"""Of a model with traces, which takes their memory last."""


@dataclass(frozen=True, eq=False)
class SweepJob:
    """All that a sweep computes, whoever computes it."""

    plan: Plan
    points: Points
    rows: Floats
    """The inputs of a replicate that do not vary."""
    replicates: int
    trials: int
    seed: int
    common: bool
    """True for common random numbers: replicate `r` has the same streams at every point."""
    offset: int = 0
    """The number of the first point, if this is a part of a sweep."""
    recording: Recording | None = None
    """Takes the traces, if they are recorded."""
    stream_name: str | None = None
    """The name of the context in which the replicates are."""

    @property
    def root(self) -> int:
        """The first word of the keys of all streams, signed."""
        return as_signed(root_of(self.seed, self.stream_name))

    @property
    def width(self) -> int:
        """The number of words that a trial writes."""
        return self.plan.size("out")

    @property
    def count(self) -> int:
        """The number of indices."""
        return self.points.count * self.replicates

    @property
    def block(self) -> int:
        """The number of replicates that reductions take at a time."""
        return block_length(self.trials, self.width)

    def check_keys(self) -> None:
        """Refuses numbers of points and replicates for which there are no streams: none is wrapped around."""
        if self.count >= 2**62:
            raise InputError(f"sweep: {self.points.count:,} points with {self.replicates:,} replicates are more than can be counted")
        for path, start in self.plan.generators.items():
            limit = KEY_LIMITS[start.kind]
            largest = max(self.replicates, 1 if self.common else self.points.count)
            if largest > limit or self.seed >= limit:
                raise InputError(
                    f"sweep: generator {path} is {start.kind}, whose streams have numbers below {limit:,} for seeds, points and replicates"
                    '; split the sweep and give each part a seed of its own, or use prng="xoshiro256"'
                )

    def chunks(self, first: int = 0, last: int | None = None, most: int | None = None) -> Iterator[tuple[int, int]]:
        """
        The indices in chunks that fit into memory, from the point `first` to before `last`: whole points, or where those are too large,
        whole blocks of one. `most`: no more points in a chunk.
        """
        last = self.points.count if last is None else last
        fitting = max(1, CHUNK_BYTES // (8 * self.width * max(1, self.trials)))
        points = min(fitting // max(1, self.replicates), most or self.points.count)
        if points and self.points.quantities("parameter"):
            points = min(points, max(1, TABLE_BYTES // (8 * self.plan.size("pf"))))
        if points:
            for begin in range(first, last, points):
                yield begin * self.replicates, min(last, begin + points) * self.replicates
            return
        size = max(1, fitting // self.block) * self.block
        for point in range(first, last):
            begin, end = point * self.replicates, (point + 1) * self.replicates
            for start in range(begin, end, size):
                yield start, min(end, start + size)

    def keys(self, index: int) -> tuple[int, ...]:
        """The words of the streams of an index, after seed and generator."""
        point, replicate = divmod(index, self.replicates)
        return (replicate,) if self.common else (self.offset + point, replicate)


@dataclass(eq=False)
class IndexChunk:
    """A range of indices, with memory for what they write."""

    job: SweepJob
    first: int
    last: int
    out: Floats
    lengths: Words
    done: int = 0
    """The number of indices that were finished before the first one that was not."""

    @property
    def count(self) -> int:
        """The number of indices."""
        return self.last - self.first

    @property
    def first_point(self) -> int:
        """The point of the first index."""
        return self.first // self.job.replicates

    @property
    def end_point(self) -> int:
        """The point after that of the last index."""
        return (self.last - 1) // self.job.replicates + 1

    def forget(self, place: int) -> None:
        """Forgets the trials of the indices from a place on, as if they had had none."""
        self.lengths[place:] = 0

    def blank(self) -> None:
        """Writes NaN (0 for what is no float) where there were no trials."""
        blank_missing(self.job.plan, self.out, self.lengths, self.job.trials)


class SweepEngine(ABC):
    """Whoever computes the chunks of a sweep."""

    team: Team = NOBODY
    """The threads that take part."""

    @abstractmethod
    def run(self, chunk: IndexChunk, meanwhile: Callable[[], None]) -> None:
        """
        All indices of a chunk; `done` says how far it came, also when it raises. `meanwhile` is called once this thread's helpers are at
        work.
        """


def begins_anew(context: NativeContext, job: SweepJob) -> bool:
    """True if native code puts replicates to where the model begins with the parameters of the point: no state was given."""
    return not context.started and not context.states_set and not job.points.quantities("state")


class NativeSweeper(SweepEngine):
    """Native code, in as many threads as there are in a team."""

    def __init__(self, entry: NativeSweep, context: NativeContext, job: SweepJob, crew: Crew):
        self.entry = entry
        self.team = crew.team()
        self.job = job
        self.begins = begins_anew(context, job)
        self.context = context

    def run(self, chunk: IndexChunk, meanwhile: Callable[[], None]) -> None:
        self.compute(self.prepared(chunk), meanwhile)

    def prepared(self, chunk: IndexChunk) -> Prepared:
        """A chunk with the tables of its points."""
        return Prepared.of(chunk, self.context, self.begins, self.entry.start)

    def compute(self, prepared: Prepared, meanwhile: Callable[[], None], seconds: float | None = None) -> None:
        """The indices of a chunk that are not done yet. `seconds`: what is not finished after so long is left."""
        self.context.meter.base = prepared.chunk.first
        self.entry.run(self.context, prepared, self.team, meanwhile, seconds)


@dataclass(eq=False)
class Prepared:
    """A chunk, with the tables that native code reads."""

    chunk: IndexChunk
    tables: list[npt.NDArray[Any]]
    vary: Words
    n_in: int
    addresses: tuple[int, ...] = field(init=False)
    """Of the tables, of `vary`, and of the memory of the chunk."""

    def __post_init__(self) -> None:
        self.addresses = tuple([address_of(array) for array in (*self.tables, self.vary, self.chunk.out, self.chunk.lengths)])

    @staticmethod
    def of(chunk: IndexChunk, context: NativeContext, begins: bool, start: Any) -> Prepared:
        """
        The tables of the points of a chunk. `begins`: native code puts states to the beginning; `start` does it here, where a context has
        not begun and states vary.
        """
        job = chunk.job
        first, last = chunk.first_point, chunk.end_point
        states = {"sf": context.sf, "si": context.si}
        tables = [job.points.table(buffer, name, first, last) for name, buffer in zip(("pf", "pi"), context.parameter_buffers, strict=True)]
        if not begins and not context.started:
            count = max(map(len, tables))
            begun = [_begun(context, [table[min(row, len(table) - 1)] for table in tables], start) for row in range(count)]
            for name in states:
                rows = np.stack([getattr(one, name) for one in begun])
                varied = job.points.table(rows[0], name, first, last)
                rows = np.repeat(rows, len(varied), axis=0) if count == 1 else rows
                for held in job.points.quantities("state"):
                    slot = job.plan.slots[held.paths[0]]
                    if slot.buffer == name:
                        rows[:, held.words(slot)] = varied[:, held.words(slot)]
                tables.append(rows)
        else:
            tables += [job.points.table(states[name], name, first, last) for name in states]
        inputs = job.points.inputs(job.rows, first, last)
        tables.append(inputs)
        vary = np.array([*[len(table) > 1 for table in tables], begins], np.int64)
        return Prepared(chunk, tables, vary, inputs.shape[1])

    def arguments(self, first: int, last: int) -> tuple[int, ...]:
        """The arguments of native code for a range of the indices of the chunk: addresses and numbers, up to the seed."""
        chunk, sweep = self.chunk, self.chunk.job
        *tables, vary, out, lengths = self.addresses
        return (
            *tables,
            vary,
            self.n_in,
            out + first * sweep.trials * chunk.out.strides[0],
            lengths + first * chunk.lengths.itemsize,
            sweep.offset * sweep.replicates + chunk.first + first,
            last - first,
            sweep.trials,
            sweep.replicates,
            sweep.offset + chunk.first_point,
            sweep.root,
        )

    @property
    def trials(self) -> int:
        return self.chunk.job.trials

    @property
    def count(self) -> int:
        return self.chunk.count

    @property
    def recording(self) -> Recording | None:
        return self.chunk.job.recording

    @property
    def done(self) -> int:
        return self.chunk.done

    @done.setter
    def done(self, count: int) -> None:
        self.chunk.done = count


def _begun(context: NativeContext, parameters: list[npt.NDArray[Any]], start: Any) -> NativeContext:
    """A context that stands where the model begins with these parameters."""
    made = context.twin(None)
    made.pf[:], made.pi[:] = parameters
    start(made)
    return made


@dataclass
class NativeSweep(NativeRanges[Prepared]):
    """The function `@sweep` of a model compiled for it, by address; `keep` keeps the memory that holds it."""

    address: int
    keep: Any
    start: Any
    """Puts the state of a context to where the model begins."""
    traced: bool = False
    """True if traces are recorded."""
    _call: Any = field(init=False)

    def __post_init__(self) -> None:
        self._call = (TRACED_SWEEP_TYPE if self.traced else SWEEP_TYPE)(self.address)

    def call(
        self, context: NativeContext, job: Prepared, first: int, last: int, control: Words, stopped: bool, memory: TraceMemory | None
    ) -> int:
        """
        Native code for a range of the indices of a chunk; its status. `stopped`: it was stopped before. `memory`: for traces, if they are
        recorded.
        """
        chunk, whole = job.chunk, job.chunk.job
        chunk.lengths[first:last] = 0
        traces = () if memory is None else (memory.address,)
        given = (*job.arguments(first, last), address_of(control), *traces)
        status: int = patiently(control, lambda: self._call(*given)) if stopped else self._call(*given)
        if status == STEP_LIMIT:
            index = int(control[DONE])
            point, replicate = divmod(index, whole.replicates)
            where = f"replicate {replicate} at point {point}"
            if is_fault(int(control[NODE]) + 1):
                where = f"trial {chunk.lengths[index - whole.offset * whole.replicates - chunk.first]} of {where}"
            raise ExecutionError(limit_message(context, "sweep", where, int(control[NODE])))
        if memory is not None and whole.recording is not None and (status == FINISHED or memory.is_full):
            begin = chunk.first + first
            point, replicate = divmod(begin, whole.replicates)
            where = f"in replicate {replicate} at point {point}"
            kept = whole.recording.take("sweep", where, memory, begin, chunk.lengths[first:last])
            return FINISHED if kept else CROWDED
        return status


class OneByOne(SweepEngine):
    """Replicates by ordinary runs, for engines without native code for sweeps."""

    def __init__(self, engine: TrialRunner, context: Context, job: SweepJob):
        self.engine = engine
        self.context = context
        self.job = job

    def run(self, chunk: IndexChunk, meanwhile: Callable[[], None]) -> None:
        from cogir.library.random.generators import keyed_words

        meanwhile()
        job = chunk.job
        for point in range(chunk.first_point, chunk.end_point):
            context, rows = self.at(point)
            begin = max(chunk.first, point * job.replicates)
            for index in range(begin, min(chunk.last, (point + 1) * job.replicates)):
                place = index - chunk.first
                replicate = context.twin(None)
                for number, (path, start) in enumerate(self.engine.plan.generators.items()):
                    key = key_of(start.kind, number, path)
                    words = keyed_words(start.kind, job.seed, key, *job.keys(index), context=job.stream_name)
                    replicate.set_words(path, words)
                out = chunk.out[place * job.trials : (place + 1) * job.trials]
                where = f"in replicate {index % job.replicates} at point {job.offset + point}"
                replicate.recording = recording = None if job.recording is None else job.recording.of_its_own()
                try:
                    chunk.lengths[place] = self.engine.run(replicate, rows, out).done
                    if job.recording is not None and recording is not None:
                        job.recording.put("sweep", where, index, recording)
                except TraceMemoryError:
                    raise
                except ExecutionError as error:
                    raise ExecutionError(f"sweep: {where}: {str(error).removeprefix('run: ')}") from None
                chunk.done = place + 1
                self.context.meter.update(index + 1)

    def at(self, point: int) -> tuple[Context, Floats]:
        """A context at a point, and the inputs there."""
        points = self.job.points
        context = self.context.twin(None)
        places = list(map(int, np.unravel_index(point, points.extents)))
        for kind, store in (("parameter", context.parameter_store), ("state", context.state_store)):
            for place, axis in zip(places, points.axes, strict=True):
                for held in axis.quantities:
                    if held.kind == kind:
                        held.put(store(), place)
        return context, points.inputs(self.job.rows, point, point + 1)[0]
