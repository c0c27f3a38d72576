"""The driver through NVIDIA's cuda-bindings (`pip install 'cogir[cuda]'`), whose functions return the code of an error first."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any
from weakref import finalize

import numpy as np

from cogir.backend.kernels import DeviceCode
from cogir.runtime.cuda.driver import Arguments, Array, DeviceFacts, Driver, KernelFacts, cleaned_up, version_of
from cogir.runtime.cuda.faults import device_error


@dataclass(eq=False)
class OwnedHandle:
    """A module, stream or event of the driver, which is destroyed when nobody holds it."""

    handle: Any


@dataclass(eq=False)
class ModuleFunction:
    """A kernel, with the module that it belongs to."""

    handle: Any
    module: OwnedHandle


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

    def _owned(self, handle: Any, destroy: str) -> OwnedHandle:
        """A handle that the routine `destroy` gives back, in the context that is current now."""
        owned = OwnedHandle(handle)
        finalize(owned, self._destroy, destroy, handle, self._call("cuCtxGetCurrent")).atexit = False
        return owned

    def _destroy(self, routine: str, handle: Any, context: Any) -> None:
        """Gives a handle back. Errors are passed over: a lost context has nothing left to give back."""
        (code,) = self._cuda.cuCtxPushCurrent(context)[:1]
        if not int(code):
            getattr(self._cuda, routine)(handle)
            self._cuda.cuCtxPopCurrent()

    def version(self) -> tuple[int, int]:
        return version_of(self._call("cuDriverGetVersion"))

    def count(self) -> int:
        return self._call("cuDeviceGetCount")

    def facts(self, number: int) -> DeviceFacts:
        device = self._call("cuDeviceGet", number)

        def attribute(name: str) -> int:
            kind = getattr(self._cuda.CUdevice_attribute, f"CU_DEVICE_ATTRIBUTE_{name}")
            return int(self._call("cuDeviceGetAttribute", kind, device))

        name = bytes(self._call("cuDeviceGetName", 256, device)).split(b"\0")[0].decode()
        return DeviceFacts.of(number, name, int(self._call("cuDeviceTotalMem", device)), attribute)

    @contextmanager
    def use(self, number: int) -> Generator[None]:
        if number not in self._contexts:
            self._contexts[number] = self._call("cuDevicePrimaryCtxRetain", self._call("cuDeviceGet", number))
        self._call("cuCtxPushCurrent", self._contexts[number])
        with cleaned_up(lambda: self._call("cuCtxPopCurrent")):
            yield

    def free_memory(self) -> int:
        return int(self._call("cuMemGetInfo")[0])

    def load(self, code: DeviceCode) -> OwnedHandle:
        image = code.image + b"\0"  # PTX ends with a zero; a cubin knows its length
        return self._owned(self._call("cuModuleLoadData", image), "cuModuleUnload")

    def function(self, module: OwnedHandle, name: str) -> ModuleFunction:
        return ModuleFunction(self._call("cuModuleGetFunction", module.handle, name.encode(), more=f'for "{name}"'), module)

    def kernel_facts(self, function: ModuleFunction) -> KernelFacts:
        def attribute(name: str) -> int:
            kind = getattr(self._cuda.CUfunction_attribute, f"CU_FUNC_ATTRIBUTE_{name}")
            return int(self._call("cuFuncGetAttribute", kind, function.handle))

        return KernelFacts(*(attribute(name) for name in ("NUM_REGS", "LOCAL_SIZE_BYTES", "SHARED_SIZE_BYTES", "MAX_THREADS_PER_BLOCK")))

    def allocate(self, size: int) -> int:
        return int(self._call("cuMemAlloc", size, more=f"for {size:,} bytes"))

    def free(self, address: int) -> None:
        self._call("cuMemFree", self._cuda.CUdeviceptr(address))

    def copy_in(self, address: int, array: Array, stream: OwnedHandle) -> None:
        self._call("cuMemcpyHtoDAsync", self._cuda.CUdeviceptr(address), array.ctypes.data, array.nbytes, stream.handle)

    def copy_out(self, array: Array, address: int, stream: OwnedHandle) -> None:
        self._call("cuMemcpyDtoHAsync", array.ctypes.data, self._cuda.CUdeviceptr(address), array.nbytes, stream.handle)

    def fill(self, address: int, byte: int, size: int, stream: OwnedHandle) -> None:
        self._call("cuMemsetD8Async", self._cuda.CUdeviceptr(address), byte, size, stream.handle)

    def new_stream(self) -> OwnedHandle:
        return self._owned(self._call("cuStreamCreate", self._cuda.CUstream_flags.CU_STREAM_NON_BLOCKING), "cuStreamDestroy")

    def is_done(self, stream: OwnedHandle) -> bool:
        (code,) = self._cuda.cuStreamQuery(stream.handle)
        if code.name == "CUDA_ERROR_NOT_READY":
            return False
        self._raise(code, "cuStreamQuery")
        return True

    def wait(self, stream: OwnedHandle) -> None:
        self._call("cuStreamSynchronize", stream.handle)

    def new_event(self) -> OwnedHandle:
        return self._owned(self._call("cuEventCreate", self._cuda.CUevent_flags.CU_EVENT_DEFAULT), "cuEventDestroy")

    def record(self, event: OwnedHandle, stream: OwnedHandle) -> None:
        self._call("cuEventRecord", event.handle, stream.handle)

    def seconds_between(self, start: OwnedHandle, end: OwnedHandle) -> float:
        self._call("cuEventSynchronize", end.handle)
        return float(self._call("cuEventElapsedTime", start.handle, end.handle)) / 1000.0

    def launch(self, function: ModuleFunction, grid: int, block: int, arguments: Arguments, stream: OwnedHandle) -> None:
        held = [np.array(argument) for argument in arguments]
        places = np.array([value.ctypes.data for value in held], np.uint64)
        given = (grid, 1, 1, block, 1, 1, 0, stream.handle, places.ctypes.data, 0)
        self._call("cuLaunchKernel", function.handle, *given, more=f"for {grid} blocks of {block} threads")
