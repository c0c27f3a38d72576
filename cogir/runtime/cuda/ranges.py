"""
Replicates and sweeps on a GPU: ranges of indices, each in one launch.

While a launch computes, the results of the one before are copied out. Buffers for results are as long as a launch; their size follows from
the free memory of the device, so a range that does not fit is processed in pieces.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cogir.backend.kernels import Parameter
from cogir.errors import DeviceMemoryError
from cogir.runtime.cuda.driver import Array
from cogir.runtime.cuda.gpu import Gpu, LoadedKernel, end_after
from cogir.runtime.interrupt import CONTROL_WORDS
from cogir.runtime.plan import Floats, Words

COPIED_BYTES = 2**26
"""A launch has no more results than this, unless the GPU would not be full: copying them takes longer than to compute them."""
NOT_FINISHED = 0xFF
"""The bytes of the status of an index that has not been finished: -1."""


@dataclass
class IndexRange:
    """A range of indices to compute, with memory for their results."""

    first: int
    """The number of the first index, as the kernel counts."""
    out: Floats
    """The rows of all trials, index after index."""
    lengths: Words
    trials: int
    given: Mapping[str, Array | int]
    """The other arguments of the kernel, by name."""
    done: int = 0
    """The number of indices that were finished before the first one that was not."""

    @property
    def count(self) -> int:
        """The number of indices."""
        return len(self.lengths)

    @property
    def bytes_per_index(self) -> int:
        """The bytes that an index takes on the device."""
        return self.trials * self.out.shape[1] * self.out.itemsize + 16


@dataclass(frozen=True)
class Failure:
    """An index that ended with the status of an error."""

    place: int
    """The index, from the first one of the range."""
    status: int


@dataclass(eq=False)
class LaunchSlot:
    """One of two places for launches: its stream, its buffers, and the launch that goes on there."""

    number: int
    stream: Any
    begun: Any
    ended: Any
    first: int = 0
    last: int = 0
    addresses: dict[str, int] = field(default_factory=dict[str, int])

    @property
    def is_busy(self) -> bool:
        return self.last > self.first


class RangeRun:
    """The launches of one range."""

    def __init__(
        self,
        gpu: Gpu,
        loaded: LoadedKernel,
        work: IndexRange,
        progress: Callable[[int], None],
        meanwhile: Callable[[], None] = lambda: None,
    ):
        """`progress` is called with the number of indices that are done, `meanwhile` once while the first launches compute."""
        self.gpu, self.loaded, self.work, self.progress = gpu, loaded, work, progress
        self.meanwhile: Callable[[], None] | None = meanwhile
        gpu.buffers.begin_call()
        driver = gpu.driver
        self.slots = [LaunchSlot(number, stream, driver.new_event(), driver.new_event()) for number, stream in enumerate(gpu.streams)]
        self.most = self._most()
        self.failure: Failure | None = None

    def _most(self) -> int:
        """The most indices of a launch, such that the buffers of two fit."""
        gpu, work = self.gpu, self.work
        inputs = sum(value.nbytes for value in work.given.values() if isinstance(value, np.ndarray))
        threads = self.loaded.resident_blocks(gpu.facts) * self.loaded.block
        left = gpu.available - 2 * inputs - 2 * threads * self.loaded.kernel.workspace
        most = left // (2 * work.bytes_per_index)
        if most < 1:
            raise DeviceMemoryError(
                f"GPU: {gpu.available:,} bytes of memory are free, but one replicate takes {work.bytes_per_index:,} beside {inputs:,} for "
                'parameters and inputs; free memory of the GPU, run fewer trials at a time, or use target="cpu"'
            )
        return most

    def run(self) -> Failure | None:
        """All indices; the first failure, after which nothing more is done. `work.done` counts what is finished, also when it raises."""
        try:
            self._launches()
        except BaseException as error:
            end_after(error, self._drain)
            raise
        return self.failure

    def _launches(self) -> None:
        sizes, first, turn = self.loaded.sizes, 0, 0
        while first < self.work.count and self.failure is None:
            full = self.loaded.resident_blocks(self.gpu.facts) * self.loaded.block
            size = min(sizes.size or full, max(full, COPIED_BYTES // self.work.bytes_per_index))
            slot, other = self.slots[turn], self.slots[1 - turn]
            last = min(self.work.count, first + min(size, self.most))
            self._launch(slot, first, last)
            if other.is_busy:
                self._finish(other)
            first, turn = last, 1 - turn
        for slot in sorted(self.slots, key=lambda slot: slot.first):
            if slot.is_busy:
                self._finish(slot)

    def _launch(self, slot: LaunchSlot, first: int, last: int) -> None:
        """Starts the launch of a range."""
        gpu, work, kernel = self.gpu, self.work, self.loaded.kernel
        driver, count = gpu.driver, last - first
        grid = self.loaded.grid(gpu.facts, count)
        own = {
            "out": count * work.trials * work.out.shape[1] * work.out.itemsize,
            "lengths": 8 * count,
            "statuses": 8 * count,
            "control": 8 * CONTROL_WORDS,
            "workspace": grid * self.loaded.block * kernel.workspace,
        }
        slot.addresses = {name: gpu.buffers.address(f"{name} {slot.number}", size) for name, size in own.items() if size}
        driver.fill(slot.addresses["lengths"], 0, own["lengths"], slot.stream)
        driver.fill(slot.addresses["statuses"], NOT_FINISHED, own["statuses"], slot.stream)
        driver.fill(slot.addresses["control"], 0, own["control"], slot.stream)
        numbers = {"first": work.first + first, "count": count, "trials": work.trials}
        arguments = [self._argument(parameter, slot, numbers) for parameter in kernel.parameters]
        slot.first, slot.last = first, last  # before it begins: what an interrupt finds going on is stopped
        driver.record(slot.begun, slot.stream)
        driver.launch(self.loaded.function, grid, self.loaded.block, arguments, slot.stream)
        driver.record(slot.ended, slot.stream)

    def _argument(self, parameter: Parameter, slot: LaunchSlot, numbers: Mapping[str, int]) -> np.generic:
        name = parameter.name
        if name in slot.addresses:
            return np.uint64(slot.addresses[name])
        value = numbers[name] if name in numbers else self.work.given[name]
        if isinstance(value, np.ndarray):
            # Each slot has its own copy: a buffer that the other slot's launch still reads must not change.
            return np.uint64(self.gpu.buffers.put(f"{name} {slot.number}", value, slot.stream))
        return np.int64(value)

    def _finish(self, slot: LaunchSlot) -> None:
        """Waits for a launch and takes its results."""
        if self.meanwhile is not None:
            meanwhile, self.meanwhile = self.meanwhile, None
            meanwhile()
        self.gpu.wait(slot.stream)
        count = slot.last - slot.first
        if self._take(slot):
            self.gpu.learn(self.loaded, count, slot.begun, slot.ended)

    def _take(self, slot: LaunchSlot) -> bool:
        """The results of a launch that is over; True if all its indices are finished."""
        driver, work, first, last = self.gpu.driver, self.work, slot.first, slot.last
        statuses = np.empty(last - first, np.int64)
        driver.copy_out(statuses, slot.addresses["statuses"], slot.stream)
        driver.copy_out(work.lengths[first:last], slot.addresses["lengths"], slot.stream)
        if work.trials:
            driver.copy_out(work.out[first * work.trials : last * work.trials], slot.addresses["out"], slot.stream)
        driver.wait(slot.stream)
        ended = np.flatnonzero(statuses)
        finished = int(ended[0]) if len(ended) else last - first
        if work.done == first:
            work.done += finished
        failed = np.flatnonzero(statuses > 0)
        if len(failed) and self.failure is None:
            self.failure = Failure(first + int(failed[0]), int(statuses[failed[0]]))
        slot.last = slot.first
        self.progress(work.done)
        return not len(ended)

    def _drain(self) -> None:
        """Stops what goes on, and takes what was finished by then."""
        with self.gpu.use():
            busy = sorted((slot for slot in self.slots if slot.is_busy), key=lambda slot: slot.first)
            for slot in busy:
                self.gpu.stop(slot.stream, slot.addresses["control"])
            for slot in busy:
                self._take(slot)
