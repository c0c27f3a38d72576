"""
A simulated GPU with its driver, behind which stand fakes of `pycuda.driver` and `cuda.bindings.driver` (fake_pycuda.py, fake_bindings.py).

It is stricter than a real one: what is put into a stream is done only when somebody waits for it, fresh memory holds garbage, and addresses
out of range, calls without a context and everything after a lost context are errors.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import local
from typing import Any

import numpy as np

CODES = {
    "CUDA_SUCCESS": 0,
    "CUDA_ERROR_INVALID_VALUE": 1,
    "CUDA_ERROR_OUT_OF_MEMORY": 2,
    "CUDA_ERROR_NOT_INITIALIZED": 3,
    "CUDA_ERROR_NO_DEVICE": 100,
    "CUDA_ERROR_INVALID_DEVICE": 101,
    "CUDA_ERROR_INVALID_IMAGE": 200,
    "CUDA_ERROR_INVALID_CONTEXT": 201,
    "CUDA_ERROR_NO_BINARY_FOR_GPU": 209,
    "CUDA_ERROR_INVALID_PTX": 218,
    "CUDA_ERROR_UNSUPPORTED_PTX_VERSION": 222,
    "CUDA_ERROR_INVALID_HANDLE": 400,
    "CUDA_ERROR_NOT_FOUND": 500,
    "CUDA_ERROR_NOT_READY": 600,
    "CUDA_ERROR_ILLEGAL_ADDRESS": 700,
    "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES": 701,
    "CUDA_ERROR_CONTEXT_IS_DESTROYED": 709,
    "CUDA_ERROR_LAUNCH_FAILED": 719,
}
"""The errors that it knows, with the driver's numbers."""
SENTENCES = {
    "CUDA_SUCCESS": "no error",
    "CUDA_ERROR_INVALID_VALUE": "invalid argument",
    "CUDA_ERROR_OUT_OF_MEMORY": "out of memory",
    "CUDA_ERROR_NOT_INITIALIZED": "initialization error",
    "CUDA_ERROR_NO_DEVICE": "no CUDA-capable device is detected",
    "CUDA_ERROR_INVALID_DEVICE": "invalid device ordinal",
    "CUDA_ERROR_INVALID_IMAGE": "device kernel image is invalid",
    "CUDA_ERROR_INVALID_CONTEXT": "invalid device context",
    "CUDA_ERROR_NO_BINARY_FOR_GPU": "no kernel image is available for execution on the device",
    "CUDA_ERROR_INVALID_PTX": "a PTX JIT compilation failed",
    "CUDA_ERROR_UNSUPPORTED_PTX_VERSION": "the provided PTX was compiled with an unsupported toolchain.",
    "CUDA_ERROR_INVALID_HANDLE": "invalid resource handle",
    "CUDA_ERROR_NOT_FOUND": "named symbol not found",
    "CUDA_ERROR_NOT_READY": "device not ready",
    "CUDA_ERROR_ILLEGAL_ADDRESS": "an illegal memory access was encountered",
    "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES": "too many resources requested for launch",
    "CUDA_ERROR_CONTEXT_IS_DESTROYED": "context is destroyed",
    "CUDA_ERROR_LAUNCH_FAILED": "unspecified launch failure",
}
LOSES_CONTEXT = ("CUDA_ERROR_ILLEGAL_ADDRESS", "CUDA_ERROR_LAUNCH_FAILED", "CUDA_ERROR_CONTEXT_IS_DESTROYED")
GARBAGE = 0xCD
FIRST_ADDRESS, ALIGNMENT = 0x7F00_0000_0000, 256

Kernel = Callable[["FakeGpu", int, int, Sequence[int]], None]
"""A kernel: called with the GPU, the numbers of blocks and of threads in each, and the arguments as 64-bit words."""


class FakeFailure(Exception):
    """An error of the driver, by its name."""

    def __init__(self, routine: str, name: str):
        super().__init__(f"{routine} failed: {SENTENCES[name]}")
        self.name = name


@dataclass
class FakeStream:
    """Work that nobody has waited for yet."""

    work: list[tuple[str, Callable[[], None]]] = field(default_factory=list[tuple[str, Callable[[], None]]])


@dataclass
class FakeEvent:
    """A time in seconds, once the work before it is done."""

    stream: FakeStream | None = None
    time: float | None = None


@dataclass
class FakeGpu:
    """The state of the driver and of its only device. `fails`: names of errors by routine, with the number of the call that fails first."""

    devices: int = 1
    cuda: int = 13000
    capability: tuple[int, int] = (9, 0)
    memory_size: int = 2**30
    kernels: dict[str, Kernel] = field(default_factory=dict[str, Kernel])
    fails: dict[str, tuple[str, int]] = field(default_factory=dict[str, tuple[str, int]])
    seconds: Callable[[str, int, int], float] = lambda name, grid, block: 0.001
    """The time that a launch takes."""
    calls: Counter[str] = field(default_factory=Counter[str])
    launches: list[tuple[str, int, int]] = field(default_factory=list[tuple[str, int, int]])
    memory: dict[int, np.ndarray] = field(default_factory=dict[int, np.ndarray])
    alive: Counter[str] = field(default_factory=Counter[str])
    """The numbers of modules, streams and events that were made and not destroyed."""
    clock: float = 0.0
    lost: str | None = None
    started: bool = False
    attributes: dict[str, int] = field(
        default_factory=lambda: {
            "MULTIPROCESSOR_COUNT": 132,
            "MAX_THREADS_PER_MULTIPROCESSOR": 2048,
            "MAX_REGISTERS_PER_MULTIPROCESSOR": 65536,
            "MAX_SHARED_MEMORY_PER_MULTIPROCESSOR": 233472,
            "MAX_THREADS_PER_BLOCK": 1024,
            "WARP_SIZE": 32,
            "CLOCK_RATE": 1_980_000,
        }
    )
    resources: tuple[int, int, int, int] = (64, 0, 0, 1024)
    """Registers, bytes of local and of shared memory, and threads of a block of each kernel."""
    _thread: local = field(default_factory=local)

    def enter(self, routine: str, needs_context: bool = True) -> None:
        """Called by each routine: raises what is to fail."""
        self.calls[routine] += 1
        name, first = self.fails.get(routine, ("", 0))
        if name and self.calls[routine] >= first:
            self.fail(routine, name)
        if routine != "cuInit" and not self.started:
            self.fail(routine, "CUDA_ERROR_NOT_INITIALIZED")
        if needs_context:
            if not self.contexts:
                self.fail(routine, "CUDA_ERROR_INVALID_CONTEXT")
            if self.lost is not None:
                raise FakeFailure(routine, self.lost)

    def fail(self, routine: str, name: str) -> None:
        """Raises an error, after which the context may be lost."""
        if name in LOSES_CONTEXT:
            self.lost = name
        raise FakeFailure(routine, name)

    @property
    def contexts(self) -> list[int]:
        """The stack of contexts of this thread, by the numbers of their devices."""
        if not hasattr(self._thread, "stack"):
            self._thread.stack = []
        return self._thread.stack

    def start(self) -> None:
        self.enter("cuInit", needs_context=False)
        self.started = True
        if not self.devices:
            self.fail("cuInit", "CUDA_ERROR_NO_DEVICE")

    def device(self, number: int) -> int:
        self.enter("cuDeviceGet", needs_context=False)
        if not 0 <= number < self.devices:
            self.fail("cuDeviceGet", "CUDA_ERROR_INVALID_DEVICE")
        return number

    def attribute(self, name: str) -> int:
        """An attribute of the device, by the driver's name for it."""
        major, minor = self.capability
        return {**self.attributes, "COMPUTE_CAPABILITY_MAJOR": major, "COMPUTE_CAPABILITY_MINOR": minor}[name]

    def push(self, number: int) -> None:
        self.enter("cuCtxPushCurrent", needs_context=False)
        self.contexts.append(number)

    def pop(self) -> None:
        assert self.contexts, "a context is popped that was not pushed"
        self.contexts.pop()
        self.enter("cuCtxPopCurrent", needs_context=False)

    @property
    def free_bytes(self) -> int:
        return self.memory_size - sum(len(held) for held in self.memory.values())

    def allocate(self, size: int) -> int:
        self.enter("cuMemAlloc")
        if size <= 0:
            self.fail("cuMemAlloc", "CUDA_ERROR_INVALID_VALUE")
        if size > self.free_bytes:
            self.fail("cuMemAlloc", "CUDA_ERROR_OUT_OF_MEMORY")
        ends = (address + len(held) for address, held in self.memory.items())
        address = max(ends, default=FIRST_ADDRESS)
        address += -address % ALIGNMENT + ALIGNMENT
        self.memory[address] = np.full(size, GARBAGE, np.uint8)
        return address

    def release(self, address: int) -> None:
        self.enter("cuMemFree")
        if self.memory.pop(address, None) is None:
            self.fail("cuMemFree", "CUDA_ERROR_INVALID_VALUE")

    def bytes_at(self, address: int, size: int) -> np.ndarray:
        """The memory at an address, for kernels and copies."""
        for start, held in self.memory.items():
            if start <= address and address + size <= start + len(held):
                return held[address - start : address - start + size]
        raise FakeFailure("kernel", "CUDA_ERROR_ILLEGAL_ADDRESS")

    def array_at(self, address: int, count: int, dtype: Any) -> np.ndarray:
        """An array in the memory of the device."""
        return self.bytes_at(address, count * np.dtype(dtype).itemsize).view(dtype)

    def load(self, image: bytes) -> tuple[str, ...]:
        """The names of the kernels of an image, which must be PTX."""
        self.enter("cuModuleLoadData")
        if not image.endswith(b"\0"):
            self.fail("cuModuleLoadData", "CUDA_ERROR_INVALID_IMAGE")
        text = image[:-1].decode("utf-8", "replace")
        version, target = re.search(r"\.version (\d+)\.(\d+)", text), re.search(r"\.target sm_(\d+)", text)
        if version is None or target is None:
            self.fail("cuModuleLoadData", "CUDA_ERROR_INVALID_IMAGE")
        assert version is not None
        assert target is not None
        if int(target[1]) > 10 * self.capability[0] + self.capability[1]:
            self.fail("cuModuleLoadData", "CUDA_ERROR_INVALID_PTX")
        self.alive["module"] += 1
        return tuple(re.findall(r"\.entry (\w+)", text))

    def function(self, module: tuple[str, ...], name: str) -> str:
        self.enter("cuModuleGetFunction")
        if name not in module:
            self.fail("cuModuleGetFunction", "CUDA_ERROR_NOT_FOUND")
        return name

    def new_stream(self) -> FakeStream:
        self.enter("cuStreamCreate")
        self.alive["stream"] += 1
        return FakeStream()

    def new_event(self) -> FakeEvent:
        self.enter("cuEventCreate")
        self.alive["event"] += 1
        return FakeEvent()

    def destroy(self, kind: str) -> None:
        """Destroys a module, stream or event, which needs a context."""
        assert self.contexts, f"a {kind} is destroyed without its context"
        self.alive[kind] -= 1

    def put(self, stream: FakeStream, routine: str, work: Callable[[], None]) -> None:
        """Puts work into a stream."""
        self.enter(routine)
        if not isinstance(stream, FakeStream):
            self.fail(routine, "CUDA_ERROR_INVALID_HANDLE")
        stream.work.append((routine, work))

    def copy(self, target: np.ndarray, source: np.ndarray) -> None:
        target[:] = source

    def launch(
        self, name: str, grid: tuple[int, int, int], block: tuple[int, int, int], arguments: Sequence[int], stream: FakeStream
    ) -> None:
        threads = block[0] * block[1] * block[2]
        if not 0 < threads <= self.resources[3] or min(grid) < 1 or grid[0] >= 2**31:
            self.enter("cuLaunchKernel")
            self.fail("cuLaunchKernel", "CUDA_ERROR_INVALID_VALUE")

        def work() -> None:
            self.clock += self.seconds(name, grid[0], block[0])
            self.launches.append((name, grid[0], block[0]))
            self.kernels[name](self, grid[0], block[0], arguments)

        self.put(stream, "cuLaunchKernel", work)

    def wait(self, stream: FakeStream) -> None:
        self.enter("cuStreamSynchronize")
        pending, stream.work = stream.work, []
        for _, work in pending:
            try:
                work()
            except FakeFailure as error:
                self.fail("cuStreamSynchronize", error.name)

    def is_done(self, stream: FakeStream) -> bool:
        """False once for work that nobody has waited for, which then is done."""
        self.enter("cuStreamQuery")
        if not stream.work:
            return True
        self.wait(stream)
        return False

    def record(self, event: FakeEvent, stream: FakeStream) -> None:
        def note() -> None:
            event.time = self.clock

        event.stream, event.time = stream, None
        self.put(stream, "cuEventRecord", note)

    def synchronize(self, event: FakeEvent) -> None:
        self.enter("cuEventSynchronize")
        if event.time is None and event.stream is not None:
            self.wait(event.stream)

    def milliseconds(self, start: FakeEvent, end: FakeEvent) -> float:
        self.enter("cuEventElapsedTime")
        assert start.time is not None
        assert end.time is not None
        return 1000.0 * (end.time - start.time)
