"""
The interface to NVIDIA's driver, the same for PyCUDA, NVIDIA's cuda-bindings and the emulation on the CPU.

    driver = find_driver()                       # runtime/cuda/choice.py
    with driver.use(0):
        module = driver.load(code)
        kernel = driver.function(module, "search")
        address = driver.allocate(8 * n)
        driver.copy_in(address, values, stream)
        driver.launch(kernel, grid, block, (np.uint64(address), np.int64(n)), stream)
        driver.copy_out(values, address, stream)
        driver.wait(stream)

Addresses are numbers. Modules, functions, streams and events are whatever the library uses for them, and only go back to the driver that
made them; they are destroyed when nobody holds them. A function holds its module. Everything but `version`, `count` and `facts` needs a
device in use in the thread that calls. Copies, launches and filling return at once; arrays must stay as they are until `wait`. All errors
of a driver are `DeviceError`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from cogir.backend.kernels import DeviceCode
from cogir.errors import DeviceError

Array: TypeAlias = npt.NDArray[Any]
Arguments: TypeAlias = Sequence[np.generic]
"""The arguments of a kernel as NumPy scalars of their types; addresses are `np.uint64`."""


@dataclass(frozen=True)
class DeviceFacts:
    """Facts about a device, as its driver reports them."""

    number: int
    name: str
    capability: tuple[int, int]
    """The compute capability, such as (9, 0)."""
    memory: int
    """The bytes of its memory."""
    multiprocessors: int
    threads_per_multiprocessor: int
    registers_per_multiprocessor: int
    """The number of 32-bit registers."""
    shared_per_multiprocessor: int
    """The bytes of shared memory."""
    threads_per_block: int
    """The most threads of a block."""
    warp: int = 32
    clock_khz: int = 0
    """The highest clock rate of its multiprocessors; 0 if it is unknown."""

    @staticmethod
    def of(number: int, name: str, memory: int, attribute: Callable[[str], int]) -> DeviceFacts:
        """The facts about a device; `attribute` gives an attribute by the driver's name without its prefix `CU_DEVICE_ATTRIBUTE_`."""
        return DeviceFacts(
            number=number,
            name=name,
            capability=(attribute("COMPUTE_CAPABILITY_MAJOR"), attribute("COMPUTE_CAPABILITY_MINOR")),
            memory=memory,
            multiprocessors=attribute("MULTIPROCESSOR_COUNT"),
            threads_per_multiprocessor=attribute("MAX_THREADS_PER_MULTIPROCESSOR"),
            registers_per_multiprocessor=attribute("MAX_REGISTERS_PER_MULTIPROCESSOR"),
            shared_per_multiprocessor=attribute("MAX_SHARED_MEMORY_PER_MULTIPROCESSOR"),
            threads_per_block=attribute("MAX_THREADS_PER_BLOCK"),
            warp=attribute("WARP_SIZE"),
            clock_khz=attribute("CLOCK_RATE"),
        )

    @property
    def architecture(self) -> str:
        """The architecture as compilers name it, such as `sm_90`."""
        major, minor = self.capability
        return f"sm_{major}{minor}"

    def __str__(self) -> str:
        return f"{self.name} ({self.architecture}, {self.multiprocessors} multiprocessors, {self.memory / 2**30:.1f} GiB)"


@dataclass(frozen=True)
class KernelFacts:
    """The resources of a kernel on a device, as its driver reports them."""

    registers: int
    """32-bit registers of a thread."""
    local: int
    """Bytes of local memory of a thread: its arrays, and registers that were spilled."""
    shared: int
    """Bytes of static shared memory of a block."""
    threads_per_block: int
    """The most threads that a block of this kernel can have."""


class Driver(ABC):
    """A driver for NVIDIA GPUs."""

    name: str
    """The library and its version, for messages."""

    @abstractmethod
    def version(self) -> tuple[int, int]:
        """The newest version of CUDA that the driver supports, such as (13, 0)."""

    @abstractmethod
    def count(self) -> int:
        """The number of devices."""

    @abstractmethod
    def facts(self, number: int) -> DeviceFacts:
        """Facts about a device."""

    @abstractmethod
    def use(self, number: int) -> AbstractContextManager[None]:
        """Within the block, this thread works with a device, in the context that all users in the process share."""

    @abstractmethod
    def free_memory(self) -> int:
        """The bytes of memory of the device that are free."""

    @abstractmethod
    def load(self, code: DeviceCode) -> Any:
        """The module of compiled kernels: PTX or a cubin."""

    @abstractmethod
    def function(self, module: Any, name: str) -> Any:
        """The kernel of that name in a module."""

    @abstractmethod
    def kernel_facts(self, function: Any) -> KernelFacts:
        """The resources of a kernel."""

    @abstractmethod
    def allocate(self, size: int) -> int:
        """The address of `size` bytes of the device's memory, not cleared. Raises `DeviceMemoryError` if there are not so many."""

    @abstractmethod
    def free(self, address: int) -> None:
        """Gives memory of the device back."""

    @abstractmethod
    def copy_in(self, address: int, array: Array, stream: Any) -> None:
        """Copies a contiguous array to the device."""

    @abstractmethod
    def copy_out(self, array: Array, address: int, stream: Any) -> None:
        """Copies from the device into a contiguous array."""

    @abstractmethod
    def fill(self, address: int, byte: int, size: int, stream: Any) -> None:
        """Writes `size` bytes of this value."""

    @abstractmethod
    def new_stream(self) -> Any:
        """A stream: what is put into it is done in that order, beside the work of other streams."""

    @abstractmethod
    def is_done(self, stream: Any) -> bool:
        """True if all that was put into a stream is done; raises the errors that came of it."""

    @abstractmethod
    def wait(self, stream: Any) -> None:
        """Waits until all that was put into a stream is done; raises the errors that came of it."""

    @abstractmethod
    def new_event(self) -> Any:
        """An event, which notes a time."""

    @abstractmethod
    def record(self, event: Any, stream: Any) -> None:
        """Notes the time at which a stream comes to this place."""

    @abstractmethod
    def seconds_between(self, start: Any, end: Any) -> float:
        """The seconds between two events, for the later of which it waits."""

    @abstractmethod
    def launch(self, function: Any, grid: int, block: int, arguments: Arguments, stream: Any) -> None:
        """Starts `grid` blocks of `block` threads."""


@contextmanager
def cleaned_up(clean_up: Callable[[], None]) -> Generator[None]:
    """Calls `clean_up` at the end of the block. If the block raises, an error of `clean_up` becomes a note of the block's error."""
    try:
        yield
    except BaseException as error:
        clean_up_after(error, clean_up)
        raise
    clean_up()


def clean_up_after(error: BaseException, clean_up: Callable[[], None]) -> None:
    """
    Calls `clean_up` while an error is raised, which stays the error: one of `clean_up` becomes a note. If the context is found to be lost
    only now, a `DeviceError` says so, too.
    """
    try:
        clean_up()
    except Exception as failure:
        error.add_note(f"Afterwards: {failure}")
        if isinstance(error, DeviceError) and isinstance(failure, DeviceError):
            error.is_lost = error.is_lost or failure.is_lost


def version_of(number: int) -> tuple[int, int]:
    """A version of CUDA from the driver's number for it: 13020 is (13, 2)."""
    return number // 1000, number % 1000 // 10
