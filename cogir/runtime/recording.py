"""
Recording: the memory into which native code writes traces, and the traces of a whole run as they come in.

    TraceMemory   what one call of native code writes into (`lowering/entry/traces.py`), a few MiB at most unless one trial needs more
    Recording     all that was recorded, within a stated number of bytes

Native code ends a call between two trials when a trace has filled half of its memory. A trial that finds no place is given up; it is
run again with more memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from cogir.errors import ExecutionError, counted
from cogir.labelled.dataset import Axis
from cogir.labelled.traces import Trace, Traces
from cogir.runtime.origin import About, element_axes
from cogir.runtime.plan import PlanTrace, Words

DTYPES: dict[str, type[np.generic]] = {"i1": np.bool_, "f32": np.float32}
"""The types of values that are recorded as float64 or int64, other than these."""

DEFAULT_BYTES = 2**30
LEAST_BYTES = 2**20
FIRST_WORDS = 2**19
"""The words of a memory at the beginning: as much as stays in the caches between a call and the copy of what it has written."""
PART_OF_LIMIT = 32
"""The memory of a call takes no more than such a part of all at the beginning, and half of all at most."""
FULL, NOWHERE, HEADER, OF_TRACE = 0, 1, 2, 4
"""The words of a memory: whether a record found no place, where records go that are not kept, and where the traces begin; four of each."""


class TraceMemoryError(ExecutionError):
    """
    The traces of a run do not fit into `trace_memory`. `result` holds the trials of which everything is recorded; the context stands at the
    end of the last of them.
    """


@dataclass
class RecordedTrials:
    """The records of some trials, one after another: the words of each trace, and the number of records (trials, traces)."""

    words: list[Words]
    lengths: Words


class TraceMemory:
    """The memory into which one call writes."""

    def __init__(self, traces: Sequence[PlanTrace], words: int):
        self.traces = traces
        self.widths = np.array([trace.size for trace in traces], np.int64)
        self.make(words)

    def make(self, words: int) -> None:
        """Makes it as large as that: a quarter for the ends of trials, the rest for traces by the size of their values."""
        count = len(self.traces)
        begin = HEADER + OF_TRACE * (count + 1) + max(count, int(self.widths.max()))
        room = max(words - begin, 4 * count + 2 * int(self.widths.sum()))
        shares = np.append(self.widths / self.widths.sum() * 0.75, 0.25)
        sizes = np.maximum((room * shares).astype(np.int64), np.append(self.widths, count))
        self.starts = begin + np.cumsum(sizes) - sizes
        self.words: Words = np.empty(begin + int(sizes.sum()), np.int64)
        header = self.words[HEADER : HEADER + OF_TRACE * (count + 1)].reshape(-1, OF_TRACE)
        header[:, 1] = self.starts + sizes
        header[:, 2] = self.starts + sizes // 2
        self.header = header
        self.words[NOWHERE] = HEADER + OF_TRACE * (count + 1)
        self.begin()

    def begin(self) -> None:
        """Nothing has been written."""
        self.words[FULL] = 0
        self.header[:, 0] = self.starts
        self.header[:, 3] = 0

    @property
    def address(self) -> int:
        """The address of the words."""
        return self.words.ctypes.data

    @property
    def is_full(self) -> bool:
        """True if a record has found no place."""
        return bool(self.words[FULL])

    def lengths(self, trials: int) -> Words:
        """The number of records of each trace in each of the first trials, (trials, traces)."""
        count = len(self.traces)
        at = int(self.starts[-1])
        ends = self.words[at : at + trials * count].reshape(trials, count)
        return np.diff(ends, axis=0, prepend=self.starts[None, :-1]) // self.widths

    def part(self, trials: int) -> RecordedTrials:
        """The records of the first trials: views, which hold until the next call."""
        lengths = self.lengths(trials)
        sizes = lengths.sum(axis=0) * self.widths
        return RecordedTrials([self.words[at : at + size] for at, size in zip(self.starts, sizes, strict=False)], lengths)


class Growing:
    """An array of words that grows; its memory moves without a copy where the system can do that."""

    def __init__(self) -> None:
        self.words: Words = np.empty(0, np.int64)
        self.size = 0

    def append(self, part: Words, room: int) -> None:
        """Adds words; `room`: by how many words it may grow."""
        need = self.size + len(part)
        if need > len(self.words):
            self.words.resize(min(max(need, len(self.words) * 3 // 2), len(self.words) + room), refcheck=False)
        self.words[self.size : need] = part
        self.size = need

    def needs(self, words: int) -> int:
        """By how many words it grows to hold so many more."""
        return max(0, self.size + words - len(self.words))

    def close(self) -> Words:
        """The words; what was not used is given back."""
        self.words.resize(self.size, refcheck=False)
        return self.words


@dataclass
class Recording:
    """
    All that is recorded in a run, replicates, or a chunk of a sweep: parts, each with the number of its first trial or replicate. What is
    recorded and the memories of calls take at most `limit` bytes together.
    """

    traces: Sequence[PlanTrace]
    limit: int = DEFAULT_BYTES
    parts: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """The number of each part, and its number of trials."""
    memories: list[TraceMemory] = field(default_factory=list[TraceMemory])
    lock: Any = field(default_factory=Lock)
    until: int | None = None
    """Parts from this number on are left out."""

    def __post_init__(self) -> None:
        self.words = [Growing() for _ in self.traces]
        self.lengths = Growing()
        self.widths = np.array([trace.size for trace in self.traces], np.int64)

    def memory(self, among: int = 1) -> TraceMemory:
        """A memory for calls, one of so many."""
        made = TraceMemory(self.traces, min(FIRST_WORDS, self.limit // 8 // PART_OF_LIMIT) // among)
        with self.lock:
            self.memories.append(made)
        return made

    @property
    def free(self) -> int:
        """The bytes that are left."""
        held = [*(store.words.nbytes for store in (*self.words, self.lengths)), *(memory.words.nbytes for memory in self.memories)]
        return self.limit - sum(held)

    def enlarge(self, memory: TraceMemory) -> bool:
        """Makes a memory twice as large; False if that is more than is left, or half of the limit."""
        with self.lock:
            if memory.words.nbytes > min(self.free, self.limit // 4):
                return False
            memory.make(2 * len(memory.words))
            return True

    def fitting(self, lengths: Words) -> int:
        """The number of trials, from the first one on, that fit into what is left."""
        added = np.concatenate([lengths * self.widths, np.full((len(lengths), 1), len(self.traces))], axis=1)
        stores = (*self.words, self.lengths)
        room = np.array([len(store.words) - store.size for store in stores])
        grown = np.maximum(0, np.cumsum(added, axis=0) - room).sum(axis=1)
        return int(np.searchsorted(8 * grown, self.free, side="right"))

    def add(self, first: int, part: RecordedTrials) -> bool:
        """Keeps a part; False if there is no room for it."""
        with self.lock:
            added = list(zip((*self.words, self.lengths), (*part.words, part.lengths.ravel()), strict=True))
            left = self.free // 8
            if sum(store.needs(len(words)) for store, words in added) > left:
                return False
            for number, (store, words) in enumerate(added):
                others = sum(other.needs(len(more)) for other, more in added[number + 1 :])
                before = len(store.words)
                store.append(words, left - others)
                left -= len(store.words) - before
            self.parts.append((first, len(part.lengths)))
            return True

    def full(self, asked: str, where: str) -> TraceMemoryError:
        """The error for traces that do not fit."""
        records = sum(store.size // trace.size for store, trace in zip(self.words, self.traces, strict=True))
        trials = sum(trials for _, trials in self.parts)
        return TraceMemoryError(
            f"{asked}: {where} the traces no longer fit into trace_memory={self.limit} bytes; {counted(records, 'value')} of "
            f"{counted(trials, 'trial')} are recorded; record fewer executions (record(..., every=10)), "
            "run fewer trials at a time, or give more memory: "
            "compile(trace_memory=...)"
        )

    def joined(self) -> tuple[list[Words], Words]:
        """The words of each trace and the lengths (trials, traces), in the order of trials."""
        lengths = self.lengths.close().reshape(-1, len(self.traces))
        words = [store.close() for store in self.words]
        firsts = [first for first, _ in self.parts]
        if firsts == sorted(firsts) and (self.until is None or not firsts or firsts[-1] < self.until):
            return words, lengths
        ends = np.cumsum([trials for _, trials in self.parts])
        order = [place for place in np.argsort(firsts, kind="stable") if self.until is None or firsts[place] < self.until]
        rows = [slice(end - trials, end) for end, (_, trials) in zip(ends, self.parts, strict=True)]
        before = np.concatenate([np.zeros((1, len(self.traces)), np.int64), np.cumsum(lengths * self.widths, axis=0)])
        for number in range(len(self.traces)):
            cuts = [slice(before[held.start, number], before[held.stop, number]) for held in rows]
            words[number] = np.concatenate([words[number][:0], *(words[number][cuts[place]] for place in order)])
        return words, np.concatenate([lengths[:0], *(lengths[rows[place]] for place in order)])

    def of_its_own(self) -> Recording:
        """Takes the traces of one replicate that an ordinary run makes, for `put`."""
        return Recording(self.traces, self.limit)

    def put(self, asked: str, where: str, first: int, other: Recording) -> None:
        """Keeps the traces of one replicate."""
        if not self.add(first, RecordedTrials(*other.joined())):
            raise self.full(asked, where)

    def take(self, asked: str, where: str, memory: TraceMemory, first: int, lengths: Words) -> bool:
        """
        Keeps what a call for replicates, or for indices of a sweep, has written, `lengths` trials for each; False if a record found no
        place: then fewer are to be done in a call, or the same one again, with a larger memory.
        """
        if memory.is_full:
            if len(lengths) == 1 and not self.enlarge(memory):
                raise self.full(asked, where)
            return False
        if not self.add(first, memory.part(int(lengths.sum()))):
            raise self.full(asked, where)
        return True


def traces_from(recording: Recording, counts: Words | None, axes: tuple[Axis, ...], about: About) -> Traces:
    """
    The traces of a recording. `counts`: how many trials there were, over all axes but the last, where these are not all; `axes`: those
    of trials.
    """
    words, recorded = recording.joined()
    extents = tuple(axis.size for axis in axes)
    lengths = np.zeros((*extents, len(recording.traces)), np.int64)
    if counts is None:
        lengths[:] = recorded.reshape(lengths.shape)
    else:
        lengths[np.arange(extents[-1]) < counts[..., None]] = recorded
    names = {trace.path: trace.path.replace("/port:", "/") for trace in recording.traces}
    elements = element_axes({names[trace.path]: trace.shape for trace in recording.traces if not trace.labels}, about.labels)
    for trace in recording.traces:
        if trace.labels:
            name = f"{trace.path}.node"
            elements[trace.path] = (Axis(name, len(trace.labels), {name: np.array(trace.labels, np.str_)}),)
    return Traces(
        Trace(
            names[trace.path],
            values_of(held, trace),
            lengths[..., number],
            trace.every,
            axes,
            elements[names[trace.path]],
            about.units.get(names[trace.path]),
        )
        for number, (trace, held) in enumerate(zip(recording.traces, words, strict=True))
    )


def values_of(words: Words, trace: PlanTrace) -> npt.NDArray[Any]:
    """The values of a trace, (records, ...), from their words."""
    values = words.view(np.float64) if trace.dtype in ("f64", "f32") else words
    kept = DTYPES.get(trace.dtype)
    return (values if kept is None else values.astype(kept)).reshape(-1, *trace.shape)
