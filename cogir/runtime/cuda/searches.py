"""
Searches on a GPU: the function that native code calls in the middle of a trial, when it comes to a search.

    void launch(int64_t kernel, int64_t *handed, int64_t points, int64_t *control)        // its address is in control[7]

`handed` has a word for each parameter of the kernel between `last` and `control`: the address of a buffer of the host, or the bits of a
value. Tables are copied to the device, filled by launches over consecutive ranges of points, and copied back (docs/design/gpu.md).
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cogir.backend.kernels import Kernel, Parameter
from cogir.errors import DeviceMemoryError
from cogir.runtime.cuda.driver import Array
from cogir.runtime.cuda.gpu import Gpu, LoadedKernel, end_after
from cogir.runtime.interrupt import CONTROL_WORDS
from cogir.runtime.parallel import STOP
from cogir.runtime.plan import Words

LAUNCH_WORD = 7
_LAUNCH = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p)
_TYPES: Mapping[str, Any] = {
    "f64": np.float64,
    "f32": np.float32,
    "i64": np.int64,
    "i32": np.int32,
    "i16": np.int16,
    "i8": np.int8,
    "i1": np.bool_,
}


@dataclass(frozen=True, eq=False)
class SearchArgument:
    """What native code hands over for a parameter; several may have the same name."""

    place: int
    """The number of the parameter."""
    parameter: Parameter
    value: np.generic | None
    """The value, if it is one."""
    array: Array | None
    """The buffer, if it is one."""
    by_point: bool = False
    """True if it is a table with a row for each point."""

    @property
    def is_written(self) -> bool:
        return self.parameter.access in ("both", "written")


def handed_over(kernel: Kernel, address: int, points: int) -> list[SearchArgument]:
    """What native code hands over for a search of so many points."""
    last = -2 if kernel.workspace else -1  # `control`
    parameters = kernel.parameters[2:last]
    memory: Any = (ctypes.c_int64 * len(parameters)).from_address(address)
    words: Words = np.frombuffer(memory, np.int64)
    return [_handed(kernel, 2 + number, words[number : number + 1], points) for number in range(len(parameters))]


def _handed(kernel: Kernel, place: int, word: Words, points: int) -> SearchArgument:
    parameter = kernel.parameters[place]
    dtype = np.dtype(_TYPES[parameter.element])
    if parameter.access == "value":
        return SearchArgument(place, parameter, word.view(np.uint8)[: dtype.itemsize].view(dtype)[0], None)
    shape = [points if extent == "points" else int(extent) for extent in parameter.shape]
    memory: Any = (ctypes.c_uint8 * (math.prod(shape) * dtype.itemsize)).from_address(int(word[0]))
    array = np.frombuffer(memory, dtype).reshape(shape)
    by_point = parameter.access != "read" and bool(shape) and shape[0] == points != kernel.most_blocks
    return SearchArgument(place, parameter, None, array, by_point)


class SearchRun:
    """One search on a GPU."""

    def __init__(self, gpu: Gpu, loaded: LoadedKernel, handed: Sequence[SearchArgument], points: int):
        gpu.buffers.begin_call()
        self.gpu, self.loaded, self.handed, self.points = gpu, loaded, handed, points
        self.stream = gpu.streams[0]
        self.begun, self.ended = gpu.driver.new_event(), gpu.driver.new_event()
        self.control = gpu.buffers.address(f"{loaded.kernel.name} control", 8 * CONTROL_WORDS)
        kernel = loaded.kernel
        grid = loaded.grid(gpu.facts, points)
        size = grid * loaded.block * kernel.workspace
        self.workspace = gpu.buffers.address(f"{kernel.name} workspace", size) if size else 0

    def _name(self, each: SearchArgument) -> str:
        """The name of the buffer of a parameter."""
        return f"{self.loaded.kernel.name} {each.place} {each.parameter.name}"

    def run(self) -> None:
        """All points; what the kernel writes stands in the tables of the host afterwards."""
        gpu, driver = self.gpu, self.gpu.driver
        driver.fill(self.control, 0, 8 * CONTROL_WORDS, self.stream)
        places = {each.place: self._copy_in(each) for each in self.handed if each.array is not None and not each.by_point}
        tables = [each for each in self.handed if each.by_point]
        try:
            for first, last in self._pieces(tables):
                bases: dict[int, int] = {}
                for each in tables:
                    assert each.array is not None
                    rows = each.array[first:last]
                    address = gpu.buffers.address(self._name(each), rows.nbytes)
                    driver.copy_in(address, rows, self.stream)
                    bases[each.place] = address - first * (rows.nbytes // (last - first))
                self._launches(first, last, places | bases)
                for each in tables:
                    assert each.array is not None
                    rows = each.array[first:last]
                    driver.copy_out(rows, bases[each.place] + first * (rows.nbytes // (last - first)), self.stream)
            for each in self.handed:
                if each.is_written and each.array is not None and not each.by_point:
                    driver.copy_out(each.array, places[each.place], self.stream)
            gpu.wait(self.stream)
        except BaseException as error:
            end_after(error, self._stop)
            raise

    def _copy_in(self, each: SearchArgument) -> int:
        assert each.array is not None
        name = self._name(each)
        if not each.is_written:
            return self.gpu.buffers.put(name, each.array, self.stream)
        address = self.gpu.buffers.address(name, each.array.nbytes)
        self.gpu.driver.copy_in(address, each.array, self.stream)
        return address

    def _pieces(self, tables: Sequence[SearchArgument]) -> list[tuple[int, int]]:
        """The points in ranges whose rows fit into the memory of the device."""
        width = sum(each.array.nbytes // self.points for each in tables if each.array is not None)
        if not width:
            return [(0, self.points)]
        available = self.gpu.available
        size = min(self.points, available // width)
        if size < 1:
            raise DeviceMemoryError(
                f"GPU: {available:,} bytes of memory are free, but a point of the search takes {width:,}; free memory of the GPU, or use "
                'target="cpu"'
            )
        return [(first, min(self.points, first + size)) for first in range(0, self.points, size)]

    def _launches(self, first: int, last: int, places: Mapping[int, int]) -> None:
        """Launches for a range of points, each of which takes a short time."""
        gpu, driver, loaded = self.gpu, self.gpu.driver, self.loaded
        while first < last:
            size = loaded.sizes.size or loaded.resident_blocks(gpu.facts) * loaded.block
            end = min(last, first + size)
            arguments = [np.int64(first), np.int64(end), *(self._argument(each, places) for each in self.handed), np.uint64(self.control)]
            if self.workspace:
                arguments.append(np.uint64(self.workspace))
            driver.record(self.begun, self.stream)
            driver.launch(loaded.function, loaded.grid(gpu.facts, end - first), loaded.block, arguments, self.stream)
            driver.record(self.ended, self.stream)
            gpu.wait(self.stream)
            gpu.learn(loaded, end - first, self.begun, self.ended)
            first = end

    def _argument(self, each: SearchArgument, places: Mapping[int, int]) -> np.generic:
        if each.value is not None:
            return each.value
        return np.uint64(places[each.place] % 2**64)  # that of a piece of a table may lie before the beginning of all memory

    def _stop(self) -> None:
        with self.gpu.use():
            self.gpu.stop(self.stream, self.control)


class Launching:
    """The function for one run, which native code calls."""

    def __init__(self, gpu: Gpu, kernels: Mapping[str, LoadedKernel]):
        self.gpu, self.kernels = gpu, kernels
        self.error: BaseException | None = None
        """The exception that was raised while native code called Python; it cannot pass through native code."""
        self._control: Words | None = None
        self._function = _LAUNCH(self._launch)
        self._address = ctypes.cast(self._function, ctypes.c_void_p).value or 0

    def begin(self, control: Words) -> None:
        """Tells native code where to ask."""
        self._control = control
        control[LAUNCH_WORD] = self._address

    def raise_error(self) -> None:
        """Raises what was held back, if anything was."""
        error, self.error = self.error, None
        if error is not None:
            raise error

    def _launch(self, number: int, handed: int, points: int, control: int) -> None:
        """Called by native code; a trial whose search has failed is stopped, and not counted."""
        try:
            loaded = self.kernels[f"search_{number}"]
            with self.gpu.lock, self.gpu.use():
                SearchRun(self.gpu, loaded, handed_over(loaded.kernel, handed, points), points).run()
        except BaseException as error:
            self.error = self.error or error
            assert self._control is not None
            self._control[STOP] = 1
