"""A fake of `cuda.bindings.driver` over a `FakeGpu`: the part of cuda-bindings 13's interface that cogir uses."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from enum import IntEnum
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
from support.cuda.fake_gpu import CODES, SENTENCES, FakeEvent, FakeFailure, FakeGpu, FakeStream

CUresult = IntEnum("CUresult", CODES)


class CUdeviceptr:
    """An address."""

    def __init__(self, address: int):
        self.address = address

    def __int__(self) -> int:
        return self.address


def fake_bindings(gpu: FakeGpu, parameters: dict[str, int] | None = None) -> dict[str, ModuleType]:
    """
    The modules by name, for `sys.modules`. `parameters`: the number of parameters of each kernel, which a driver knows from its image.
    """
    root, bindings, driver = ModuleType("cuda"), ModuleType("cuda.bindings"), ModuleType("cuda.bindings.driver")
    vars(bindings).update(__version__="13.5.0", driver=driver)
    vars(root).update(bindings=bindings)
    contents: dict[str, Any] = vars(driver)

    def routine(function: Callable[..., Any]) -> None:
        def returns_code(*args: Any) -> tuple[Any, ...]:
            try:
                result = function(*args)
            except FakeFailure as failure:
                return (CUresult[failure.name],)
            return (
                (CUresult.CUDA_SUCCESS,)
                if result is None
                else (CUresult.CUDA_SUCCESS, *(result if isinstance(result, tuple) else (result,)))
            )

        contents[function.__name__] = returns_code

    def host(address: int, size: int) -> np.ndarray:
        return np.frombuffer((ctypes.c_uint8 * size).from_address(address), np.uint8)

    @routine
    def cuInit(flags: int) -> None:
        gpu.start()

    @routine
    def cuDriverGetVersion() -> int:
        return gpu.cuda

    @routine
    def cuDeviceGetCount() -> int:
        gpu.enter("cuDeviceGetCount", needs_context=False)
        return gpu.devices

    @routine
    def cuDeviceGet(number: int) -> int:
        return gpu.device(number)

    @routine
    def cuDeviceGetName(length: int, device: int) -> bytes:
        return b"Fake GPU".ljust(length, b"\0")

    @routine
    def cuDeviceTotalMem(device: int) -> int:
        return gpu.memory_size

    @routine
    def cuDeviceGetAttribute(which: str, device: int) -> int:
        return gpu.attribute(which.removeprefix("CU_DEVICE_ATTRIBUTE_"))

    @routine
    def cuDevicePrimaryCtxRetain(device: int) -> SimpleNamespace:
        gpu.enter("cuDevicePrimaryCtxRetain", needs_context=False)
        return SimpleNamespace(device=device)

    @routine
    def cuCtxPushCurrent(context: SimpleNamespace) -> None:
        gpu.push(context.device)

    @routine
    def cuCtxPopCurrent() -> SimpleNamespace:
        gpu.pop()
        return SimpleNamespace()

    @routine
    def cuCtxGetCurrent() -> SimpleNamespace:
        gpu.enter("cuCtxGetCurrent")
        return SimpleNamespace(device=gpu.contexts[-1])

    @routine
    def cuMemGetInfo() -> tuple[int, int]:
        gpu.enter("cuMemGetInfo")
        return gpu.free_bytes, gpu.memory_size

    @routine
    def cuModuleLoadData(image: bytes) -> tuple[tuple[str, ...]]:
        return (gpu.load(image),)

    @routine
    def cuModuleUnload(module: tuple[str, ...]) -> None:
        gpu.destroy("module")

    @routine
    def cuModuleGetFunction(module: tuple[str, ...], name: bytes) -> str:
        assert isinstance(name, bytes), "cuda-bindings takes names as bytes"
        return gpu.function(module, name.decode())

    @routine
    def cuFuncGetAttribute(which: str, function: str) -> int:
        names = ("NUM_REGS", "LOCAL_SIZE_BYTES", "SHARED_SIZE_BYTES", "MAX_THREADS_PER_BLOCK")
        return gpu.resources[names.index(which.removeprefix("CU_FUNC_ATTRIBUTE_"))]

    @routine
    def cuMemAlloc(size: int) -> CUdeviceptr:
        return CUdeviceptr(gpu.allocate(size))

    @routine
    def cuMemFree(pointer: CUdeviceptr) -> None:
        gpu.release(pointer.address)

    @routine
    def cuMemcpyHtoDAsync(target: CUdeviceptr, source: int, size: int, stream: FakeStream) -> None:
        gpu.put(stream, "cuMemcpyHtoDAsync", lambda: gpu.copy(gpu.bytes_at(target.address, size), host(source, size)))

    @routine
    def cuMemcpyDtoHAsync(target: int, source: CUdeviceptr, size: int, stream: FakeStream) -> None:
        gpu.put(stream, "cuMemcpyDtoHAsync", lambda: gpu.copy(host(target, size), gpu.bytes_at(source.address, size)))

    @routine
    def cuMemsetD8Async(target: CUdeviceptr, value: int, count: int, stream: FakeStream) -> None:
        gpu.put(stream, "cuMemsetD8Async", lambda: gpu.bytes_at(target.address, count).fill(value))

    @routine
    def cuStreamCreate(flags: int) -> FakeStream:
        return gpu.new_stream()

    @routine
    def cuStreamDestroy(stream: FakeStream) -> None:
        gpu.destroy("stream")

    @routine
    def cuStreamQuery(stream: FakeStream) -> None:
        if not gpu.is_done(stream):
            raise FakeFailure("cuStreamQuery", "CUDA_ERROR_NOT_READY")

    @routine
    def cuStreamSynchronize(stream: FakeStream) -> None:
        gpu.wait(stream)

    @routine
    def cuEventCreate(flags: int) -> FakeEvent:
        return gpu.new_event()

    @routine
    def cuEventDestroy(event: FakeEvent) -> None:
        gpu.destroy("event")

    @routine
    def cuEventRecord(event: FakeEvent, stream: FakeStream) -> None:
        gpu.record(event, stream)

    @routine
    def cuEventSynchronize(event: FakeEvent) -> None:
        gpu.synchronize(event)

    @routine
    def cuEventElapsedTime(start: FakeEvent, end: FakeEvent) -> float:
        return gpu.milliseconds(start, end)

    @routine
    def cuLaunchKernel(function: str, *given: Any) -> None:
        *shape, _, stream, places, extra = given
        assert extra == 0
        count = (parameters or {}).get(function, 0)
        addresses = (ctypes.c_uint64 * count).from_address(places)
        words = [ctypes.c_uint64.from_address(address).value for address in addresses]  # kernels of the tests take 64-bit words only
        gpu.launch(function, tuple(shape[:3]), tuple(shape[3:]), words, stream)

    class ByName:
        def __getattr__(self, name: str) -> str:
            return name

    contents |= {"CUresult": CUresult, "CUdeviceptr": CUdeviceptr}
    contents |= {"CUdevice_attribute": ByName(), "CUfunction_attribute": ByName()}
    contents |= {"CUstream_flags": SimpleNamespace(CU_STREAM_NON_BLOCKING=1), "CUevent_flags": SimpleNamespace(CU_EVENT_DEFAULT=0)}
    contents["cuGetErrorString"] = lambda code: (CUresult.CUDA_SUCCESS, SENTENCES[code.name].encode())
    return {"cuda": root, "cuda.bindings": bindings, "cuda.bindings.driver": driver}
