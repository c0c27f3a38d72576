"""
The meaning of the functions by which lowered models record traces (`lowering/machine/traces.py`), and what a trial has recorded.

    @cogir_trace_each(%trace, %words) -> %at            // the place of the next record of a trace, of so many words
    @cogir_trace_some(%trace, %words, %every) -> %at    // the same, for the first record of a trial and each so many from there on
    @cogir_trace_put(%at, %word)                        // writes a word of a record
    @cogir_trace_end(%traces)                           // the trial is over
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

TRACE = "cogir_trace_"
"""The beginning of the names of these functions."""
EACH, SOME, PUT, END = (f"{TRACE}{name}" for name in ("each", "some", "put", "end"))
FUNCTIONS = {EACH: (2, 1), SOME: (3, 1), PUT: (2, 0), END: (1, 0)}
"""Their numbers of arguments and results, each an i64."""
NOWHERE = -1
"""The place of a record that is not due."""
BELOW = 40
"""The bits of a place that say where within a trace; the number of the trace stands above."""


class Recorder:
    """The records of one trial: of each trace the words of its values, one after another; floats by the bits of their f64."""

    def __init__(self, traces: Sequence[tuple[str, int]]):
        """`traces`: their paths, and one of how many executions each of them records."""
        self.traces = {path: (number, every) for number, (path, every) in enumerate(traces)}
        self.words: list[list[int]] = [[] for _ in traces]
        self.executions = [0 for _ in traces]
        self.simulating = False
        """True in simulations of controllers, which are not recorded."""

    def begin_trial(self) -> None:
        """Nothing has been recorded yet."""
        for held in self.words:
            held.clear()
        self.executions = [0] * len(self.words)

    @contextmanager
    def paused(self) -> Generator[None]:
        """Within the block, nothing is recorded."""
        before, self.simulating = self.simulating, True
        try:
            yield
        finally:
            self.simulating = before

    def is_due(self, trace: int, every: int) -> bool:
        """Counts an execution; true if it is to be recorded."""
        self.executions[trace] += 1
        return (self.executions[trace] - 1) % every == 0

    def record(self, path: str, value: Any) -> None:
        """Records a value, if there is a trace of that path and if it is due."""
        if path not in self.traces or self.simulating:
            return
        trace, every = self.traces[path]
        if self.is_due(trace, every):
            array = np.asarray(value)
            words = array.astype(np.float64).view(np.int64) if array.dtype.kind == "f" else array.astype(np.int64)
            self.words[trace].extend(words.ravel().tolist())

    def each(self, trace: int, words: int) -> int:
        """The place of the next record."""
        held = self.words[trace]
        held.extend([0] * words)
        return trace << BELOW | (len(held) - words)

    def some(self, trace: int, words: int, every: int) -> int:
        """The place of the next record, if it is due."""
        return self.each(trace, words) if self.is_due(trace, every) else NOWHERE

    def put(self, at: int, word: int) -> None:
        """Writes a word of a record that has a place."""
        if at >= 0:
            self.words[at >> BELOW][at & ((1 << BELOW) - 1)] = word


def meaning(name: str, recorder: Recorder) -> Callable[..., tuple[Any, ...]]:
    """One of the functions."""

    def put(at: int, word: int) -> tuple[Any, ...]:
        recorder.put(at, word)
        return ()

    def place(*given: int) -> tuple[Any, ...]:
        return (recorder.each(*given) if name == EACH else recorder.some(*given),)

    def end(traces: int) -> tuple[Any, ...]:
        return ()

    return {PUT: put, END: end}.get(name, place)
