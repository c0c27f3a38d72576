"""The driver through PyCUDA (`pip install 'cogir[pycuda]'`), whose functions raise exceptions with the driver's sentence."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from cogir.backend.kernels import DeviceCode
from cogir.runtime.cuda.driver import Arguments, Array, DeviceFacts, Driver, KernelFacts, cleaned_up, version_of
from cogir.runtime.cuda.faults import device_error, error_named

NON_BLOCKING = 1
"""CU_STREAM_NON_BLOCKING, for which PyCUDA has no name: the stream does not wait for that of others who name none."""


class PycudaDriver(Driver):
    """NVIDIA's driver through `pycuda.driver`."""

    def __init__(self) -> None:
        """Raises `ImportError` without PyCUDA or without a driver, and `DeviceError` if the driver does not start."""
        self._cuda: Any = import_module("pycuda.driver")
        self.name = f"PyCUDA {import_module('pycuda').VERSION_TEXT}"
        with self._translated():
            self._cuda.init()
        self._contexts: dict[int, Any] = {}
        self._memory: dict[int, Any] = {}
        """The allocations by address: PyCUDA frees those that nobody holds."""

    @contextmanager
    def _translated(self, more: str = "") -> Generator[None]:
        """Errors of PyCUDA as `DeviceError`; `more`: what was asked for, for the message."""
        try:
            yield
        except self._cuda.Error as error:
            routine, _, sentence = str(error).partition(" failed: ")
            sentence = sentence.partition(" - ")[0].strip()
            raise device_error(routine, error_named(sentence), sentence, more) from None

    def version(self) -> tuple[int, int]:
        with self._translated():
            return version_of(self._cuda.get_driver_version())

    def count(self) -> int:
        with self._translated():
            return self._cuda.Device.count()

    def facts(self, number: int) -> DeviceFacts:
        with self._translated():
            device = self._cuda.Device(number)

            def attribute(name: str) -> int:
                return int(device.get_attribute(getattr(self._cuda.device_attribute, name)))

            return DeviceFacts.of(number, device.name(), int(device.total_memory()), attribute)

    @contextmanager
    def use(self, number: int) -> Generator[None]:
        with self._translated():
            if number not in self._contexts:
                self._contexts[number] = self._cuda.Device(number).retain_primary_context()
            self._contexts[number].push()
        with cleaned_up(self._pop):
            yield

    def _pop(self) -> None:
        with self._translated():
            self._cuda.Context.pop()

    def free_memory(self) -> int:
        with self._translated():
            return int(self._cuda.mem_get_info()[0])

    def load(self, code: DeviceCode) -> Any:
        with self._translated():
            return self._cuda.module_from_buffer(code.image + b"\0")  # PTX ends with a zero; a cubin knows its length

    def function(self, module: Any, name: str) -> Any:
        with self._translated(f'for "{name}"'):
            return module.get_function(name)

    def kernel_facts(self, function: Any) -> KernelFacts:
        with self._translated():
            return KernelFacts(function.num_regs, function.local_size_bytes, function.shared_size_bytes, function.max_threads_per_block)

    def allocate(self, size: int) -> int:
        with self._translated(f"for {size:,} bytes"):
            held = self._cuda.mem_alloc(size)
        self._memory[int(held)] = held
        return int(held)

    def free(self, address: int) -> None:
        with self._translated():
            self._memory.pop(address).free()

    def copy_in(self, address: int, array: Array, stream: Any) -> None:
        with self._translated():
            self._cuda.memcpy_htod_async(address, array, stream)

    def copy_out(self, array: Array, address: int, stream: Any) -> None:
        with self._translated():
            self._cuda.memcpy_dtoh_async(array, address, stream)

    def fill(self, address: int, byte: int, size: int, stream: Any) -> None:
        with self._translated():
            self._cuda.memset_d8_async(address, byte, size, stream)

    def new_stream(self) -> Any:
        with self._translated():
            return self._cuda.Stream(NON_BLOCKING)

    def is_done(self, stream: Any) -> bool:
        with self._translated():
            return bool(stream.is_done())

    def wait(self, stream: Any) -> None:
        with self._translated():
            stream.synchronize()

    def new_event(self) -> Any:
        with self._translated():
            return self._cuda.Event()

    def record(self, event: Any, stream: Any) -> None:
        with self._translated():
            event.record(stream)

    def seconds_between(self, start: Any, end: Any) -> float:
        with self._translated():
            end.synchronize()
            return float(start.time_till(end)) / 1000.0

    def launch(self, function: Any, grid: int, block: int, arguments: Arguments, stream: Any) -> None:
        with self._translated(f"for {grid} blocks of {block} threads"):
            function(*arguments, grid=(grid, 1), block=(block, 1, 1), stream=stream)
