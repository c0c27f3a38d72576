"""A fake of `pycuda` and `pycuda.driver` over a `FakeGpu`: the part of PyCUDA 2026.1's interface that cogir uses."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from types import ModuleType
from typing import Any

import numpy as np
from support.cuda.fake_gpu import FakeFailure, FakeGpu


class Error(Exception):
    """As `pycuda.driver.Error`."""


class LogicError(Error):
    pass


class MemoryError(Error):
    pass


class LaunchError(Error):
    pass


class RuntimeError(Error):
    pass


_KINDS: dict[str, type[Error]] = {
    "CUDA_ERROR_OUT_OF_MEMORY": MemoryError,
    "CUDA_ERROR_LAUNCH_FAILED": LaunchError,
    "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES": LaunchError,
    "CUDA_ERROR_NO_BINARY_FOR_GPU": LogicError,
    "CUDA_ERROR_INVALID_VALUE": LogicError,
    "CUDA_ERROR_NOT_INITIALIZED": LogicError,
    "CUDA_ERROR_INVALID_CONTEXT": LogicError,
}


def raising(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with PyCUDA's exceptions."""

    @wraps(function)
    def raises(*args: Any, **given: Any) -> Any:
        try:
            return function(*args, **given)
        except FakeFailure as failure:
            raise _KINDS.get(failure.name, RuntimeError)(str(failure)) from None

    return raises


def fake_pycuda(gpu: FakeGpu) -> dict[str, ModuleType]:
    """The modules by name, for `sys.modules`."""
    package, driver = ModuleType("pycuda"), ModuleType("pycuda.driver")
    contents: dict[str, Any] = vars(driver)
    vars(package).update(VERSION_TEXT="2026.1", driver=driver)

    class Context:
        def __init__(self, number: int):
            self.number = number

        @raising
        def push(self) -> None:
            gpu.push(self.number)

        @staticmethod
        @raising
        def pop() -> None:
            gpu.pop()

    class Device:
        @raising
        def __init__(self, number: int):
            self.number = gpu.device(number)

        @staticmethod
        @raising
        def count() -> int:
            gpu.enter("cuDeviceGetCount", needs_context=False)
            return gpu.devices

        def name(self) -> str:
            return "Fake GPU"

        def total_memory(self) -> int:
            return gpu.memory_size

        def get_attribute(self, which: str) -> int:
            return gpu.attribute(which)

        def retain_primary_context(self) -> Context:
            return Context(self.number)

    class DeviceAllocation:
        address = 0

        @raising
        def __init__(self, size: int):
            self.address = gpu.allocate(size)

        def __int__(self) -> int:
            return self.address

        @raising
        def free(self) -> None:
            gpu.release(self.address)

        def __del__(self) -> None:
            gpu.memory.pop(self.address, None)  # as PyCUDA does for allocations that nobody holds

    class Function:
        def __init__(self, name: str, module: Module):
            self.name, self.module = name, module  # PyCUDA's functions hold their modules, too
            self.num_regs, self.local_size_bytes, self.shared_size_bytes, self.max_threads_per_block = gpu.resources

        @raising
        def __call__(self, *args: np.generic, block: tuple[int, int, int], grid: tuple[int, int], stream: Stream) -> None:
            assert all(isinstance(value, np.generic) for value in args), "PyCUDA needs NumPy's scalars to know their sizes"
            words = [int(np.array(value).view(f"u{value.itemsize}")) for value in args]
            gpu.launch(self.name, (*grid, 1), block, words, stream.held)

    class Module:
        def __init__(self, names: tuple[str, ...]):
            self.names = names

        @raising
        def get_function(self, name: str) -> Function:
            return Function(gpu.function(self.names, name), self)

        def __del__(self) -> None:
            gpu.alive["module"] -= 1  # as PyCUDA does, in the context in which it was made

    class Stream:
        @raising
        def __init__(self, flags: int = 0):
            self.held = gpu.new_stream()

        def __del__(self) -> None:
            gpu.alive["stream"] -= 1

        @raising
        def synchronize(self) -> None:
            gpu.wait(self.held)

        @raising
        def is_done(self) -> bool:
            return gpu.is_done(self.held)

    class Event:
        @raising
        def __init__(self, flags: int = 0):
            self.held = gpu.new_event()

        def __del__(self) -> None:
            gpu.alive["event"] -= 1

        @raising
        def record(self, stream: Stream) -> None:
            gpu.record(self.held, stream.held)

        @raising
        def synchronize(self) -> None:
            gpu.synchronize(self.held)

        @raising
        def time_till(self, later: Event) -> float:
            return gpu.milliseconds(self.held, later.held)

    def raw(array: np.ndarray) -> np.ndarray:
        assert array.flags.c_contiguous
        return array.reshape(-1).view(np.uint8)

    def memcpy_htod_async(address: int, array: np.ndarray, stream: Stream) -> None:
        gpu.put(stream.held, "cuMemcpyHtoDAsync", lambda: gpu.copy(gpu.bytes_at(address, array.nbytes), raw(array)))

    def memcpy_dtoh_async(array: np.ndarray, address: int, stream: Stream) -> None:
        gpu.put(stream.held, "cuMemcpyDtoHAsync", lambda: gpu.copy(raw(array), gpu.bytes_at(address, array.nbytes)))

    def memset_d8_async(address: int, value: int, count: int, stream: Stream) -> None:
        gpu.put(stream.held, "cuMemsetD8Async", lambda: gpu.bytes_at(address, count).fill(value))

    def get_driver_version() -> int:
        return gpu.cuda

    def mem_get_info() -> tuple[int, int]:
        gpu.enter("cuMemGetInfo")
        return gpu.free_bytes, gpu.memory_size

    class device_attribute:
        pass

    for name in (*gpu.attributes, "COMPUTE_CAPABILITY_MAJOR", "COMPUTE_CAPABILITY_MINOR"):
        setattr(device_attribute, name, name)
    contents |= {kind.__name__: kind for kind in (Error, LogicError, MemoryError, LaunchError, RuntimeError)}
    contents |= {kind.__name__: kind for kind in (Context, Device, Stream, Event, device_attribute)}
    contents |= {
        "init": raising(lambda flags=0: gpu.start()),
        "mem_alloc": DeviceAllocation,
        "module_from_buffer": raising(lambda image: Module(gpu.load(image))),
        **{
            function.__name__: raising(function)
            for function in (memcpy_htod_async, memcpy_dtoh_async, memset_d8_async, get_driver_version, mem_get_info)
        },
    }
    return {"pycuda": package, "pycuda.driver": driver}
