"""
What is collected while a sweep runs: the rows of all replicates, or what reductions make of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from cogir.errors import InputError
from cogir.interpreters.flags import UNFINISHED
from cogir.labelled.dataset import LENGTHS, REPLICATES, Array, Axis, Variable
from cogir.labelled.traces import Traces, with_unfinished
from cogir.runtime.flags import FLAG_KINDS, Flag, FlagCount, tally
from cogir.runtime.origin import About, element_axes
from cogir.runtime.plan import Floats, Words
from cogir.runtime.recording import traces_from
from cogir.runtime.replicates import blank_missing
from cogir.runtime.sweeps.job import IndexChunk, SweepEngine, SweepJob
from cogir.runtime.sweeps.reductions import Block, Partial, Reduction, room_for
from cogir.runtime.words import decoded

SLICE_NUMBERS = 2**16
"""Reductions take about so many numbers of an output at a time, which stay in the caches."""

Found = tuple[tuple[Axis, ...], dict[str, Variable], dict[str, Variable]]
"""The shared axes, the variables, and what stands beside them."""


class Collected(ABC):
    """The results of a sweep, as far as they are there."""

    def __init__(self, job: SweepJob):
        self.job = job
        self.finished = np.zeros(job.points.count, np.bool_)
        """True for the points all of whose replicates are there."""
        self.reached = 0
        """The index after the last one that was taken."""

    @abstractmethod
    def memory(self, first: int, last: int) -> tuple[Floats, Words]:
        """Memory for the rows and the lengths of a range of indices; that of the range before stays as it is."""

    @abstractmethod
    def take(self, chunk: IndexChunk) -> None:
        """Takes the rows of a chunk, as far as it was finished."""

    @abstractmethod
    def part(self, first: int, last: int) -> dict[str, Array]:
        """The results of the points from `first` to before `last`, as arrays by name, to be sent or stored."""

    @abstractmethod
    def put(self, first: int, last: int, arrays: Mapping[str, Array]) -> None:
        """Takes what `part` of another process, or a store, has given."""

    @abstractmethod
    def tally(self) -> dict[str, FlagCount]:
        """The counts of each flag."""

    @abstractmethod
    def variables(self, axes: tuple[Axis, ...], about: About) -> Found:
        """All arrays, with the axes of the sweep before others."""

    def traces(self, axes: tuple[Axis, ...], about: About) -> Traces:
        """The records of values inside of trials, with the axes of the sweep before others."""
        return Traces(())

    @property
    @abstractmethod
    def trials(self) -> int:
        """The number of trials that there were."""

    def stop(self) -> None:
        """Nothing more will come."""

    def whole_points(self, chunk: IndexChunk) -> tuple[int, int]:
        """The points of which a chunk has the last replicate and all before it: from the first to before the last."""
        replicates = self.job.replicates
        first = -(-chunk.first // replicates)
        self.reached = chunk.first + chunk.done
        return first, max(first, self.reached // replicates)

    def flags(self) -> list[Flag]:
        """The flags of the model."""
        return [Flag.at(path) for path in self.job.plan.flags]


def flag_name(flag: Flag) -> str:
    """The name of a flag beside the outputs: `unfinished:decision`."""
    return f"{FLAG_KINDS[flag.kind]}{flag.key}"


class Kept(Collected):
    """All rows of all replicates."""

    def __init__(self, job: SweepJob):
        super().__init__(job)
        try:
            self.out = np.empty((job.count * job.trials, job.width))
            self.lengths = np.zeros(job.count, np.int64)
        except (MemoryError, ValueError, OverflowError):
            size = 8 * job.count * job.trials * job.width
            raise InputError(
                f"sweep: the results of {job.points.count:,} points with {job.replicates:,} replicates take {size / 2**30:,.1f} GiB, "
                'which is not there; reduce them: sweep(..., reduce="mean")'
            ) from None

    def memory(self, first: int, last: int) -> tuple[Floats, Words]:
        trials = self.job.trials
        return self.out[first * trials : last * trials], self.lengths[first:last]

    def take(self, chunk: IndexChunk) -> None:
        chunk.forget(chunk.done)
        chunk.blank()
        first, last = self.whole_points(chunk)
        self.finished[first:last] = True

    def part(self, first: int, last: int) -> dict[str, Array]:
        replicates, trials = self.job.replicates, self.job.trials
        rows = self.out[first * replicates * trials : last * replicates * trials]
        lengths = self.lengths[first * replicates : last * replicates]
        return {"rows": rows.reshape(last - first, replicates, trials, -1), "lengths": lengths.reshape(last - first, replicates)}

    def put(self, first: int, last: int, arrays: Mapping[str, Array]) -> None:
        replicates, trials = self.job.replicates, self.job.trials
        self.out[first * replicates * trials : last * replicates * trials] = arrays["rows"].reshape(-1, self.job.width)
        self.lengths[first * replicates : last * replicates] = arrays["lengths"].ravel()
        self.finished[first:last] = True

    @property
    def trials(self) -> int:
        return int(self.lengths.sum())

    def stop(self) -> None:
        job = self.job
        kept = np.repeat(self.finished, job.replicates)
        kept[: self.reached] = True
        self.lengths[~kept] = 0
        blank_missing(job.plan, self.out, self.lengths, job.trials)
        if job.recording is not None:
            job.recording.until = self.reached

    def traces(self, axes: tuple[Axis, ...], about: About) -> Traces:
        job = self.job
        if job.recording is None:
            return Traces(())
        shared = (*axes, Axis("replicate", job.replicates), Axis("trial", job.trials))
        extents = [axis.size for axis in shared]
        found = traces_from(job.recording, self.lengths.reshape(extents[:-1]), shared, about)
        cut_off = [flag for flag in self.flags() if flag.kind == UNFINISHED]
        return with_unfinished(found, {flag.key: flag.counts(job.plan, self.out).reshape(extents) > 0 for flag in cut_off})

    def tally(self) -> dict[str, FlagCount]:
        return tally(self.job.plan, self.out)

    def variables(self, axes: tuple[Axis, ...], about: About) -> Found:
        job = self.job
        shared = (*axes, Axis("replicate", job.replicates), Axis("trial", job.trials))
        extents = tuple(axis.size for axis in shared)
        plan = job.plan
        paths = plan.outputs[: plan.shown]
        elements = element_axes({path: plan.slots[f"out:{path}"].shape for path in paths}, about.labels)
        variables: dict[str, Variable] = {}
        for path in paths:
            slot = plan.slots[f"out:{path}"]
            values = decoded(self.out[:, slot.words], slot).reshape(*extents, *slot.shape)
            variables[path] = Variable(values, (*shared, *elements[path]), about.units.get(path))
        beside = {LENGTHS: Variable(self.lengths.reshape(extents[:-1]), shared[:-1])}
        for flag in self.flags():
            counts = flag.counts(plan, self.out).reshape(extents)
            beside[flag_name(flag)] = Variable(counts if flag.simulated else counts > 0, shared)
        return shared, variables, beside


@dataclass(frozen=True, eq=False)
class ReducedSlice:
    """The outputs at some points, with the number of replicates in which each flag was raised, and how often it was."""

    block: Block
    raised: dict[str, Array]
    times: dict[str, Array]


class Reduced(Collected):
    """The statistics of the replicates at each point."""

    def __init__(self, job: SweepJob, reductions: Mapping[str, Reduction]):
        super().__init__(job)
        self.reductions = reductions
        plan = job.plan
        self.ports = {path: plan.slots[f"out:{path}"] for path in plan.outputs[: plan.shown]}
        for reduction in reductions.values():
            sizes = [slot.size for slot in self.ports.values()] if callable(reduction.of) else [self.ports[self.port(reduction)].size]
            reduction.must_fit(job.replicates * job.trials * max(sizes, default=1))
        self.results: dict[str, dict[str, Array]] = {name: {} for name in reductions}
        """For each reduction the arrays (points, ...), by what is added to its name."""
        self.present = np.zeros((job.points.count, job.trials), np.int64)
        """The number of replicates that had each trial."""
        self.raised = {path: np.zeros((job.points.count, job.trials), np.int64) for path in plan.flags}
        """For each flag, in how many replicates it was raised, or how often in simulations."""
        self.times = {path: np.zeros(job.points.count, np.int64) for path in plan.flags}
        """For each flag, how often it was raised at each point."""
        self.is_passing = not any(callable(reduction.of) or callable(reduction.where) for reduction in reductions.values())
        """True if no function of a user sees the outputs, which it might keep."""
        self.pending: dict[str, Partial] = {}
        """The partial results of the first blocks of a point whose replicates do not fit into one chunk."""
        self.pending_until = 0
        """The index after the last one in them."""
        self.buffers = [np.empty((0, job.width)), np.empty((0, job.width))]
        """Memory for the rows of two chunks, in turns: one is taken while the next one is computed."""
        self.lengths = [np.empty(0, np.int64), np.empty(0, np.int64)]

    def port(self, reduction: Reduction) -> str:
        """The output port of a reduction of one."""
        return Block(dict.fromkeys(self.ports, np.empty((0, 0, 0))), None).path(reduction.of)

    def memory(self, first: int, last: int) -> tuple[Floats, Words]:
        rows = (last - first) * self.job.trials
        self.buffers.reverse()
        self.lengths.reverse()
        if len(self.buffers[0]) < rows:
            self.buffers[0] = np.empty((rows, self.job.width))
            self.lengths[0] = np.empty(last - first, np.int64)
        lengths = self.lengths[0][: last - first]
        lengths[:] = 0
        return self.buffers[0][:rows], lengths

    def take(self, chunk: IndexChunk) -> None:
        job = self.job
        replicates = job.replicates
        if chunk.first % replicates or chunk.last % replicates:
            self.take_part(chunk)
            return
        first, last = self.whole_points(chunk)
        chunk.forget((last - first) * replicates)
        widest = max((slot.size for slot in self.ports.values()), default=1)
        step = max(1, SLICE_NUMBERS // max(1, replicates * job.trials * widest))
        for begin in range(first, last, step):
            end = min(last, begin + step)
            found = self.slice(chunk, begin, end, (begin - chunk.first_point) * replicates, replicates)
            self.finish(self.partials(found.block), begin, end)
            self.count(found, begin, end)
            self.finished[begin:end] = True

    def take_part(self, chunk: IndexChunk) -> None:
        """Takes some of the blocks of a point, which come in order; those that follow one that was interrupted are of no use."""
        is_first = chunk.first % self.job.replicates == 0
        if chunk.done < chunk.count or not (is_first or chunk.first == self.pending_until):
            return
        point = chunk.first_point
        part = self.slice(chunk, point, point + 1, 0, chunk.count)
        self.count(part, point, point + 1)
        found = self.partials(part.block)
        if not is_first:
            found = {name: self.reductions[name].joined(self.pending[name], partial) for name, partial in found.items()}
        # The next chunk is written to the same memory.
        self.pending = {name: {key: np.array(values) for key, values in partial.items()} for name, partial in found.items()}
        self.pending_until = chunk.last
        if chunk.last % self.job.replicates == 0:
            self.finish(found, point, point + 1)
            self.finished[point] = True
            self.pending = {}

    def slice(self, chunk: IndexChunk, first: int, last: int, start: int, replicates: int) -> ReducedSlice:
        """The outputs at some points, `replicates` of each, from the index `start` of the chunk on."""
        job = self.job
        extents = (last - first, replicates, job.trials)
        count = (last - first) * replicates
        rows = chunk.out[start * job.trials : (start + count) * job.trials]
        lengths = chunk.lengths[start : start + count]
        present = None
        if (lengths != job.trials).any():
            present = (np.arange(job.trials) < lengths[:, None]).reshape(extents)
        columns: dict[str, Array] = {}
        for path, slot in self.ports.items():
            values = decoded(rows[:, slot.words], slot).reshape(*extents, *slot.shape)
            columns[path] = by_replicate(values, path if self.is_passing else None)
        raised: dict[str, Array] = {}
        times: dict[str, Array] = {}
        for flag in self.flags():
            counts = flag.counts(job.plan, rows).reshape(extents)
            if present is not None:
                counts = np.where(present, counts, 0)
            times[flag.path] = counts.sum(axis=(1, 2))
            raised[flag.path] = counts.sum(axis=1) if flag.simulated else np.count_nonzero(counts, axis=1)
        return ReducedSlice(Block(columns, present), raised, times)

    def count(self, found: ReducedSlice, first: int, last: int) -> None:
        """Counts the trials and the flags at some points."""
        present = found.block.present
        if present is not None:
            self.present[first:last] += np.count_nonzero(present, axis=1)
        else:
            self.present[first:last] += next(iter(found.block.values())).shape[1] if found.block else 0
        for path, counts in found.raised.items():
            self.times[path][first:last] += found.times[path]
            self.raised[path][first:last] += counts

    def partials(self, block: Block) -> dict[str, Partial]:
        """The partial results of a block, taken in blocks of the fixed length."""
        count = next(iter(block.values())).shape[1] if block else 0
        parts = [block.part(slice(None), slice(at, at + self.job.block)) for at in range(0, count, self.job.block)]
        found: dict[str, Partial] = {}
        for name, reduction in self.reductions.items():
            found[name] = reduction.partial(parts[0])
            for part in parts[1:]:
                found[name] = reduction.joined(found[name], reduction.partial(part))
        return found

    def finish(self, found: Mapping[str, Partial], first: int, last: int) -> None:
        """Writes down the results at some points."""
        for name, partial in found.items():
            for suffix, values in self.reductions[name].result(partial).items():
                self.write(name, suffix, values, first, last)

    def write(self, name: str, suffix: str, values: Array, first: int, last: int) -> None:
        """Writes down a result at some points."""
        held = self.results[name]
        if suffix not in held:
            blank = np.nan if values.dtype.kind == "f" else 0
            held[suffix] = np.full((self.job.points.count, *values.shape[1:]), blank, values.dtype)
        if held[suffix].shape[1:] != values.shape[1:]:
            raise InputError(
                f"reduce: {name}: the result has shape {values.shape[1:]} at point {first}, {held[suffix].shape[1:]} at others; "
                "it must have the same shape everywhere"
            )
        held[suffix][first:last] = values

    def write_blanks(self, name: str, reduction: Reduction) -> None:
        """Writes NaN at all points for a statistic that was made at none, in the shapes that it has of zeros."""
        columns = {path: np.zeros((1, 1, self.job.trials, *slot.shape)) for path, slot in self.ports.items()}
        for suffix, values in reduction.result(reduction.partial(Block(columns, None))).items():
            self.write(name, suffix, values[:0], 0, 0)

    def stop(self) -> None:
        left = ~self.finished
        for held in self.results.values():
            for values in held.values():
                values[left] = np.nan if values.dtype.kind == "f" else 0
        for counts in (self.present, *self.raised.values(), *self.times.values()):
            counts[left] = 0

    def part(self, first: int, last: int) -> dict[str, Array]:
        found = {f"result:{name}:{suffix}": values[first:last] for name, held in self.results.items() for suffix, values in held.items()}
        found |= {f"raised:{path}": counts[first:last] for path, counts in self.raised.items()}
        found |= {f"times:{path}": times[first:last] for path, times in self.times.items()}
        return found | {"present": self.present[first:last]}

    def put(self, first: int, last: int, arrays: Mapping[str, Array]) -> None:
        for key, values in arrays.items():
            kind, _, name = key.partition(":")
            if kind == "result":
                name, _, suffix = name.rpartition(":")
                self.write(name, suffix, values, first, last)
            elif kind == "raised":
                self.raised[name][first:last] = values
            elif kind == "times":
                self.times[name][first:last] = values
        self.present[first:last] = arrays["present"]
        self.finished[first:last] = True

    @property
    def trials(self) -> int:
        return int(self.present.sum())

    def tally(self) -> dict[str, FlagCount]:
        return {
            path: FlagCount(int(np.count_nonzero(held) if Flag.at(path).simulated else held.sum()), int(self.times[path].sum()))
            for path, held in self.raised.items()
        }

    def variables(self, axes: tuple[Axis, ...], about: About) -> Found:
        job = self.job
        extents = job.points.extents
        shared = (*axes, Axis("trial", job.trials))
        elements = element_axes({path: slot.shape for path, slot in self.ports.items()}, about.labels)
        taken: dict[str, Array] = {}
        variables: dict[str, Variable] = {}
        for name, reduction in self.reductions.items():
            if not self.results[name] and not callable(reduction.of) and not callable(reduction.where):
                self.write_blanks(name, reduction)
            own = tuple(self.axis(name, axis, values, taken) for axis, values in reduction.axes)
            for suffix, values in self.results[name].items():
                path = f"{name}/{suffix}" if suffix else name
                after = () if suffix else own
                shape = values.shape[1:]
                has_trials = reduction.keeps_trials
                inner = shape[has_trials : len(shape) - len(after)]
                middle: tuple[Axis, ...] = ()
                if inner:
                    known = () if callable(reduction.of) else elements[self.port(reduction)]
                    is_known = tuple(axis.size for axis in known) == inner
                    middle = known if is_known else tuple(Axis(f"{path}.axis{place}", size) for place, size in enumerate(inner))
                unit = None
                if not callable(reduction.of) and reduction.keeps_unit:
                    unit = about.units.get(self.port(reduction))
                leading = shared if has_trials else axes
                variables[path] = Variable(values.reshape(*extents, *shape), (*leading, *middle, *after), unit)
        beside = {REPLICATES: Variable(self.present.reshape(*extents, job.trials), shared)}
        for flag in self.flags():
            raised = self.raised[flag.path].reshape(*extents, job.trials)
            if not flag.simulated:
                with np.errstate(invalid="ignore", divide="ignore"):
                    raised = raised / beside[REPLICATES].values
            beside[flag_name(flag)] = Variable(raised, shared)
        return shared, variables, beside

    def axis(self, result: str, name: str, values: Array, taken: dict[str, Array]) -> Axis:
        """An axis of a statistic; the name of the result is put before it if another statistic has one with other coordinates."""
        if name in taken and not np.array_equal(taken[name], values):
            name = f"{result}/{name}"
        taken[name] = values
        return Axis(name, len(values), {name: values})


def by_replicate(values: Array, use: str | None) -> Array:
    """
    The same array (points, replicates, ...), whose memory goes through the points first, so that sums over replicates add whole rows.
    `use`: the name of memory that is used again by the next call, if nothing is kept of it.
    """
    rows = values.swapaxes(0, 1)
    if use is None or values.dtype != np.float64:
        return np.ascontiguousarray(rows).swapaxes(0, 1)
    room = room_for(use, rows.shape)
    np.copyto(room, rows)
    return room.swapaxes(0, 1)


def collected_for(job: SweepJob, reductions: Mapping[str, Reduction] | None) -> Collected:
    """Memory for the results of a sweep."""
    return Kept(job) if reductions is None else Reduced(job, reductions)


def run_chunks(sweeper: SweepEngine, collected: Collected, first: int = 0, last: int | None = None, most: int | None = None) -> None:
    """
    Computes the points from `first` to before `last`; what is finished is taken, also when an error ends it.

    A chunk is taken while the next one is computed, so that helpers do not wait for it.
    """
    job = collected.job
    waiting: list[IndexChunk] = []

    def take() -> None:
        while waiting:
            collected.take(waiting.pop())

    with sweeper.team:
        try:
            for begin, end in job.chunks(first, last, most):
                chunk = IndexChunk(job, begin, end, *collected.memory(begin, end))
                try:
                    sweeper.run(chunk, take)
                    chunk.done = chunk.count
                finally:
                    take()
                    waiting.append(chunk)
        finally:
            take()
