"""The driver through NVIDIA's cuda-bindings (`pip install 'cogir[cuda]'`), whose functions return the code of an error first."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from ctypes import c_uint8
from importlib import import_module
from typing import Any
from weakref import finalize

import numpy as np
import numpy.typing as npt

from cogir.backend.kernels import DeviceCode
from cogir.runtime.cuda.driver import Arguments, Array, DeviceFacts, Driver, KernelFacts
from cogir.runtime.cuda.faults import device_error


class BindingsDriver(Driver):
    """NVIDIA's driver through `cuda.bindings.driver`."""

    def __init__(self) -> None:
        """Raises `ImportError` without cuda-bindings or without a driver, and `DeviceError` if the driver does not start."""
        self._cuda: Any = import_module("cuda.bindings.driver")
        self.name = f"cuda-bindings {import_module('cuda.bindings').__version__}"
        try:
            self._call("cuInit", 0)
        except RuntimeError as error:  # cuda-bindings loads the driver's library with the first call
            raise ImportError(str(error)) from None
        self._contexts: dict[int, Any] = {}

    def _call(self, routine: str, *given: Any, more: str = "") -> Any:
        """The result of a routine; `more`: what was asked for, for the message."""
        code, *results = getattr(self._cuda, routine)(*given)
        self._raise(code, routine, more)
        return results[0] if len(results) == 1 else tuple(results)

    def _raise(self, code: Any, routine: str, more: str = "") -> None:
        """Raises the error of a code, if it is one."""
        if int(code):
            sentence = bytes(self._cuda.cuGetErrorString(code)[1] or b"").decode()
            raise device_error(routine, str(code.name), sentence, more)

    def version(self) -> tuple[int, int]:
        number = self._call("cuDriverGetVersion")
        return number // 1000, number % 1000 // 10

    def count(self) -> int:
        return self._call("cuDeviceGetCount")

    def facts(self, number: int) -> DeviceFacts:
        device = self._call("cuDeviceGet", number)

        def attribute(name: str) -> int:
            kind = getattr(self._cuda.CUdevice_attribute, f"CU_DEVICE_ATTRIBUTE_{name}")
            return int(self._call("cuDeviceGetAttribute", kind, device))

        return DeviceFacts(
            number=number,
            name=bytes(self._call("cuDeviceGetName", 256, device)).split(b"\0")[0].decode(),
            capability=(attribute("COMPUTE_CAPABILITY_MAJOR"), attribute("COMPUTE_CAPABILITY_MINOR")),
            memory=int(self._call("cuDeviceTotalMem", device)),
            multiprocessors=attribute("MULTIPROCESSOR_COUNT"),
            threads_per_multiprocessor=attribute("MAX_THREADS_PER_MULTIPROCESSOR"),
            registers_per_multiprocessor=attribute("MAX_REGISTERS_PER_MULTIPROCESSOR"),
            shared_per_multiprocessor=attribute("MAX_SHARED_MEMORY_PER_MULTIPROCESSOR"),
            threads_per_block=attribute("MAX_THREADS_PER_BLOCK"),
            warp=attribute("WARP_SIZE"),
            clock_khz=attribute("CLOCK_RATE"),
        )

    @contextmanager
    def use(self, number: int) -> Generator[None]:
        if number not in self._contexts:
            self._contexts[number] = self._call("cuDevicePrimaryCtxRetain", self._call("cuDeviceGet", number))
        self._call("cuCtxPushCurrent", self._contexts[number])
        try:
            yield
        finally:
            self._call("cuCtxPopCurrent")

    def free_memory(self) -> int:
        return int(self._call("cuMemGetInfo")[0])

    def load(self, code: DeviceCode) -> Any:
        return self._call("cuModuleLoadData", code.image + b"\0")  # PTX ends with a zero; a cubin knows its length

    def function(self, module: Any, name: str) -> Any:
        return self._call("cuModuleGetFunction", module, name.encode(), more=f'for "{name}"')

    def kernel_facts(self, function: Any) -> KernelFacts:
        def attribute(name: str) -> int:
            kind = getattr(self._cuda.CUfunction_attribute, f"CU_FUNC_ATTRIBUTE_{name}")
            return int(self._call("cuFuncGetAttribute", kind, function))

        return KernelFacts(*(attribute(name) for name in ("NUM_REGS", "LOCAL_SIZE_BYTES", "SHARED_SIZE_BYTES", "MAX_THREADS_PER_BLOCK")))

    def allocate(self, size: int) -> int:
        return int(self._call("cuMemAlloc", size, more=f"for {size:,} bytes"))

    def free(self, address: int) -> None:
        self._call("cuMemFree", self._cuda.CUdeviceptr(address))

    def pinned(self, size: int) -> npt.NDArray[np.uint8]:
        context = self._call("cuCtxGetCurrent")
        address = int(self._call("cuMemAllocHost", size, more=f"for {size:,} bytes"))

        def free() -> None:
            self._cuda.cuCtxPushCurrent(context)
            self._cuda.cuMemFreeHost(address)
            self._cuda.cuCtxPopCurrent()

        return _array_at(address, size, free)

    def copy_in(self, address: int, array: Array, stream: Any) -> None:
        self._call("cuMemcpyHtoDAsync", self._cuda.CUdeviceptr(address), array.ctypes.data, array.nbytes, stream)

    def copy_out(self, array: Array, address: int, stream: Any) -> None:
        self._call("cuMemcpyDtoHAsync", array.ctypes.data, self._cuda.CUdeviceptr(address), array.nbytes, stream)

    def fill(self, address: int, byte: int, size: int, stream: Any) -> None:
        self._call("cuMemsetD8Async", self._cuda.CUdeviceptr(address), byte, size, stream)

    def new_stream(self) -> Any:
        return self._call("cuStreamCreate", self._cuda.CUstream_flags.CU_STREAM_NON_BLOCKING)

    def is_done(self, stream: Any) -> bool:
        (code,) = self._cuda.cuStreamQuery(stream)
        if code.name == "CUDA_ERROR_NOT_READY":
            return False
        self._raise(code, "cuStreamQuery")
        return True

    def wait(self, stream: Any) -> None:
        self._call("cuStreamSynchronize", stream)

    def new_event(self) -> Any:
        return self._call("cuEventCreate", self._cuda.CUevent_flags.CU_EVENT_DEFAULT)

    def record(self, event: Any, stream: Any) -> None:
        self._call("cuEventRecord", event, stream)

    def seconds_between(self, start: Any, end: Any) -> float:
        self._call("cuEventSynchronize", end)
        return float(self._call("cuEventElapsedTime", start, end)) / 1000.0

    def launch(self, function: Any, grid: int, block: int, arguments: Arguments, stream: Any, shared: int = 0) -> None:
        held = [np.array(argument) for argument in arguments]
        places = np.array([value.ctypes.data for value in held], np.uint64)
        given = (grid, 1, 1, block, 1, 1, shared, stream, places.ctypes.data, 0)
        self._call("cuLaunchKernel", function, *given, more=f"for {grid} blocks of {block} threads")


def _array_at(address: int, size: int, free: Callable[[], None]) -> npt.NDArray[np.uint8]:
    """Memory of the host as an array; `free` is called when the last view of it is gone."""
    memory: Any = (c_uint8 * size).from_address(address)
    finalize(memory, free).atexit = False
    return np.frombuffer(memory, np.uint8)
