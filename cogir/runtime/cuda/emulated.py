"""
A GPU that is emulated on the CPU: memory of the device is the host's, and kernels are called for one thread after the other.

`compile(target="cuda-emulated")` takes it, so that kernels, reductions and launches in pieces are tested without a GPU.
"""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import contextmanager
from ctypes import memmove, memset
from typing import Any

import numpy as np

from cogir.backend.emulated import emulated
from cogir.backend.kernels import DeviceCode
from cogir.runtime.cuda.driver import Arguments, Array, DeviceFacts, Driver, KernelFacts
from cogir.runtime.cuda.faults import device_error

FACTS = DeviceFacts(
    number=0,
    name="emulation on the CPU",
    capability=(0, 0),
    memory=2**28,
    multiprocessors=2,
    threads_per_multiprocessor=256,
    registers_per_multiprocessor=65536,
    shared_per_multiprocessor=65536,
    threads_per_block=1024,
)
"""A small device, so that work is done in several pieces."""


class EmulatedDriver(Driver):
    """The emulation on the CPU, in which everything is done at once."""

    name = "emulation"

    def __init__(self, facts: DeviceFacts = FACTS) -> None:
        self._facts = facts
        self._memory: dict[int, Array] = {}

    def version(self) -> tuple[int, int]:
        return (0, 0)

    def count(self) -> int:
        return 1

    def facts(self, number: int) -> DeviceFacts:
        return self._facts

    @contextmanager
    def use(self, number: int) -> Generator[None]:
        yield

    def free_memory(self) -> int:
        return self._facts.memory - sum(held.nbytes for held in self._memory.values())

    def load(self, code: DeviceCode) -> Any:
        return code

    def function(self, module: Any, name: str) -> Any:
        return emulated(module, name)

    def kernel_facts(self, function: Any) -> KernelFacts:
        return KernelFacts(32, 0, 0, self._facts.threads_per_block)

    def allocate(self, size: int) -> int:
        if size > self.free_memory():
            raise device_error("allocate", "CUDA_ERROR_OUT_OF_MEMORY", more=f"for {size:,} bytes")
        held = np.empty(size, np.uint8)
        self._memory[held.ctypes.data] = held
        return held.ctypes.data

    def free(self, address: int) -> None:
        del self._memory[address]

    def copy_in(self, address: int, array: Array, stream: Any) -> None:
        memmove(address, array.ctypes.data, array.nbytes)

    def copy_out(self, array: Array, address: int, stream: Any) -> None:
        memmove(array.ctypes.data, address, array.nbytes)

    def fill(self, address: int, byte: int, size: int, stream: Any) -> None:
        memset(address, byte, size)

    def new_stream(self) -> Any:
        return None

    def is_done(self, stream: Any) -> bool:
        return True

    def wait(self, stream: Any) -> None:
        pass

    def new_event(self) -> Any:
        return [0.0]

    def record(self, event: Any, stream: Any) -> None:
        event[0] = time.perf_counter()

    def seconds_between(self, start: Any, end: Any) -> float:
        return end[0] - start[0]

    def launch(self, function: Any, grid: int, block: int, arguments: Arguments, stream: Any) -> None:
        function(grid, block, [argument.item() for argument in arguments])
