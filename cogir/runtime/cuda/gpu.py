"""
A GPU as compiled models use it: kernels that are loaded once, memory that is kept between calls, and launches that take a short time each.

A launch takes about 50 ms, so that Ctrl-C is noticed in time and a display that shares the GPU does not freeze. How many indices fit into
that is learned from the launches before.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from cogir.backend.kernels import DeviceCode, Kernel
from cogir.errors import DeviceError, DeviceMemoryError
from cogir.runtime.cuda.driver import Array, DeviceFacts, Driver, KernelFacts, clean_up_after

LAUNCH_SECONDS = 0.05
"""The time that a launch should take; none should take twice as long."""
GROWTH = 8
"""How many times as long as the one before a launch may be: times vary."""
MOST_BLOCKS_PER_MULTIPROCESSOR = 32
PARTITIONS = 4
"""The parts of a multiprocessor from sm_70 on. A warp takes its registers from one of them."""
SPARE = 0.8
"""The part of the memory that calls may take of what others do not use."""
COMPARED_BYTES = 2**24
"""Larger arrays are copied to the device without a look at what was copied last."""
SPIN_SECONDS, SLEEP_SECONDS = 0.001, 0.0002
"""So long is waited for a kernel without sleeping, and then with naps of this length."""


class DeviceBuffers:
    """Memory of a device by name, which is kept from call to call, and grows."""

    def __init__(self, driver: Driver):
        self._driver = driver
        self._held: dict[str, tuple[int, int]] = {}
        self._copied: dict[str, Array] = {}
        """What was copied into buffers last, as long as nothing else was written there."""
        self._on_the_way: dict[str, Array] = {}
        """Arrays whose copies may not be over: they must stay until the call is."""
        self._in_use: set[str] = set()
        """The buffers of the call that goes on, which keep their places."""

    def begin_call(self) -> None:
        """From now on all buffers may be given back, until they are asked for again."""
        self._in_use.clear()
        self._on_the_way.clear()

    @property
    def size(self) -> int:
        """The bytes of all buffers."""
        return sum(size for _, size in self._held.values())

    @property
    def idle(self) -> int:
        """The bytes of the buffers that the call has not asked for, which are given back when memory is short."""
        return sum(size for name, (_, size) in self._held.items() if name not in self._in_use)

    def address(self, name: str, size: int) -> int:
        """The address of a buffer of at least `size` bytes, into which something will be written."""
        self._copied.pop(name, None)
        return self._place(name, size)

    def _place(self, name: str, size: int) -> int:
        self._in_use.add(name)
        address, held = self._held.get(name, (0, -1))
        if held >= size:
            return address
        self.release(name)
        try:
            address = self._driver.allocate(max(8, size))
        except DeviceMemoryError:
            self.release()
            address = self._driver.allocate(max(8, size))
        self._held[name] = (address, size)
        return address

    def put(self, name: str, array: Array, stream: Any) -> int:
        """The address of a buffer that holds a copy of an array, which is copied only if it is not there already."""
        before = self._copied.get(name)
        is_there = before is not None and _same_bytes(before, array)
        address = self._place(name, array.nbytes)
        if is_there and name in self._copied:
            return address
        copy = np.array(array)
        self._driver.copy_in(address, copy, stream)
        self._on_the_way[name] = copy
        if copy.nbytes <= COMPARED_BYTES:
            self._copied[name] = copy
        return address

    def release(self, name: str | None = None) -> None:
        """Gives a buffer back, or all that are not in use: they are made again when they are needed."""
        for each in [held for held in self._held if held not in self._in_use] if name is None else [name]:
            self._copied.pop(each, None)
            address, size = self._held.pop(each, (0, -1))
            if size >= 0:
                self._driver.free(address)


def _same_bytes(one: Array, other: Array) -> bool:
    """True if two arrays are equal to the bit, also in NaN and the signs of zeros."""
    return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()


class LaunchSizes:
    """The numbers of indices of launches, such that each takes about `LAUNCH_SECONDS`."""

    def __init__(self) -> None:
        self.size = 0
        """The indices of the next launch; 0 if nothing is known yet."""

    def learn(self, count: int, seconds: float, least: int) -> None:
        """`count` indices have taken so long. `least`: those that a device computes at a time, of which fewer take no less."""
        if count < min(self.size or least, least):  # what was left of a range
            return
        fitting = int(count * LAUNCH_SECONDS / max(seconds, 1e-6))
        self.size = max(least, min(fitting, GROWTH * count))


@dataclass(eq=False)
class LoadedKernel:
    """A kernel on a device."""

    kernel: Kernel
    function: Any
    facts: KernelFacts
    sizes: LaunchSizes

    @property
    def block(self) -> int:
        """The threads of its blocks."""
        return min(self.kernel.block, self.facts.threads_per_block)

    def resident_blocks(self, device: DeviceFacts) -> int:
        """The number of its blocks that a device holds at a time."""
        warps = -(-self.block // device.warp)
        by_threads = device.threads_per_multiprocessor // (warps * device.warp)
        per_warp = -(-self.facts.registers * device.warp // 256) * 256  # registers are given to warps, 256 at a time
        fitting = PARTITIONS * (device.registers_per_multiprocessor // PARTITIONS // max(1, per_warp))
        by_registers = fitting // warps
        by_shared = device.shared_per_multiprocessor // (self.facts.shared + 1024) if self.facts.shared else by_threads
        return device.multiprocessors * max(1, min(by_threads, by_registers, by_shared, MOST_BLOCKS_PER_MULTIPROCESSOR))

    def occupancy(self, device: DeviceFacts) -> float:
        """The part of the threads of a device that its blocks fill."""
        return self.resident_blocks(device) * self.block / (device.multiprocessors * device.threads_per_multiprocessor)

    def grid(self, device: DeviceFacts, count: int) -> int:
        """The number of blocks for so many indices."""
        most = self.resident_blocks(device)
        if self.kernel.most_blocks is not None:
            most = min(most, self.kernel.most_blocks)
        return max(1, min(most, -(-count // self.block)))


class Gpu:
    """A device in use."""

    def __init__(self, driver: Driver, number: int = 0):
        self.driver = driver
        self.facts = driver.facts(number)
        self.buffers = DeviceBuffers(driver)
        self.lock = threading.RLock()
        """Held by the call that uses the buffers."""
        with self.use():
            self.streams = [driver.new_stream(), driver.new_stream()]
            self._stopping = driver.new_stream()
        self.lost = ""
        """The error by which the device was lost for this process, if it was."""
        self.kernel_seconds = 0.0
        """The time that kernels took so far, by the clock of the device."""

    def use(self) -> AbstractContextManager[None]:
        """Within the block, this thread works with the device."""
        return self.driver.use(self.facts.number)

    @property
    def available(self) -> int:
        """The bytes that further buffers of a call may take: free memory, and buffers that the call has not asked for."""
        return int(SPARE * (self.driver.free_memory() + self.buffers.idle))

    def load(self, code: DeviceCode) -> dict[str, LoadedKernel]:
        """The kernels of a module by name. Raises `DeviceError` if they are for another architecture."""
        self._must_fit(code)
        with self.use():
            module = self.driver.load(code)
            loaded: dict[str, LoadedKernel] = {}
            for kernel in code.kernels:
                function = self.driver.function(module, kernel.name)
                loaded[kernel.name] = LoadedKernel(kernel, function, self.driver.kernel_facts(function), LaunchSizes())
            return loaded

    def _must_fit(self, code: DeviceCode) -> None:
        """Refuses code for a newer device, or for a newer driver."""
        found = code.architecture.removeprefix("sm_").rstrip("abcdef")
        major, minor = self.facts.capability
        if found.isdigit() and int(found) > 10 * major + minor:
            raise DeviceError(
                f"GPU: the kernels are for {code.architecture}, but the device is {self.facts}; compile them for {self.facts.architecture}"
            )
        required = required_cuda(code.image)
        if required is not None and required > self.driver.version():
            (a, b), (c, d) = self.driver.version(), required
            raise DeviceError(
                f"GPU: the driver supports CUDA {a}.{b}, but PTX for {code.architecture} requires CUDA {c}.{d}; update NVIDIA's driver"
            )

    def wait(self, stream: Any) -> None:
        """Waits for a stream; handlers of signals run in the meantime, and may raise."""
        begun = time.perf_counter()
        while not self.driver.is_done(stream):
            if time.perf_counter() - begun > SPIN_SECONDS:
                time.sleep(SLEEP_SECONDS)

    def learn(self, loaded: LoadedKernel, count: int, begun: Any, ended: Any) -> None:
        """Notes the time that a launch for `count` indices took between two events."""
        seconds = self.driver.seconds_between(begun, ended)
        self.kernel_seconds += seconds
        loaded.sizes.learn(count, seconds, loaded.resident_blocks(self.facts) * loaded.block)

    def stop(self, stream: Any, control: int) -> None:
        """
        Sets the stop flag of a kernel, which is the first word at `control`, until its stream is done: a launch that has not begun clears
        the flag first.
        """
        flag = np.ones(1, np.int64)
        while not self.driver.is_done(stream):
            self.driver.copy_in(control, flag, self._stopping)
            self.driver.wait(self._stopping)
            time.sleep(SLEEP_SECONDS)


def end_after(error: BaseException, work: Callable[[], None]) -> None:
    """Ends by `work` what goes on on a device after an error, which stays the error, unless the device is lost."""
    if not (isinstance(error, DeviceError) and error.is_lost):
        clean_up_after(error, partial(undisturbed, work))


def undisturbed(work: Callable[[], None]) -> None:
    """Does some work in another thread, where no signal ends it; raises its error."""
    errors: list[BaseException] = []

    def guarded() -> None:
        try:
            work()
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=guarded, name="cogir-gpu", daemon=True)
    thread.start()
    while thread.is_alive():
        try:
            thread.join()
        except BaseException:  # the first signal is the one that counts
            continue
    if errors:
        raise errors[0]


ARCHITECTURES = (70, 72, 75, 80, 86, 87, 88, 89, 90, 100, 101, 103, 110, 120, 121)
"""The architectures that LLVM knows. Of others it makes PTX that no driver takes."""


def architecture_for(facts: DeviceFacts) -> str:
    """The newest architecture that LLVM knows and a device runs: drivers assemble PTX for all later devices."""
    major, minor = facts.capability
    known = max((number for number in ARCHITECTURES if number <= 10 * major + minor), default=ARCHITECTURES[0])
    return f"sm_{known}"


def required_cuda(image: bytes) -> tuple[int, int] | None:
    """The version of CUDA that a driver must support for PTX; None for what is no PTX."""
    found = re.search(rb"^\.version (\d+)\.(\d+)", image[:4096], re.MULTILINE)
    if found is None:
        return None
    major, minor = int(found[1]), int(found[2])
    return major + 4, minor + ((major, minor) >= (8, 6) and major == 8)  # PTX 7.0 came with CUDA 11.0, 8.0 with 12.0, but 8.6 with 12.7
