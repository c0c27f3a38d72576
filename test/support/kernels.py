"""Kernels on this processor in the place of a GPU, behind the methods of a compiled model."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from cogir.backend.emulated import emulated
from cogir.backend.kernels import EMULATED, DeviceCode, Kernel
from cogir.backend.llvm import LoadedObject
from cogir.frontend.compile import source_of
from cogir.frontend.parsed import ParsedModel
from cogir.runtime.build import build_kernels, build_object
from cogir.runtime.compiled import Compiled
from cogir.runtime.entry import NativeEntry
from cogir.runtime.options import Options

Shape = tuple[int, int]
"""Blocks, and threads per block."""
SHAPES: tuple[Shape, ...] = ((1, 1), (3, 32), (7, 96), (2, 256))
TARGET = "cuda-emulated"
LAUNCH_WORD = 7
NUMPY = re.compile(r"mt19937|philox4x64")
_LAUNCH = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p)


@dataclass
class EmulatedReplicates:
    """Replicates of a model by its kernel, in the place of `NativeReplicates`."""

    code: DeviceCode
    shape: Shape
    statuses: Any = None
    control: Any = field(default_factory=lambda: np.zeros(16, np.int64))

    def __post_init__(self) -> None:
        self.kernel = self.code.kernel("replicates")
        self.launch = emulated(self.code, "replicates")

    def run(self, context: Any, job: Any, team: Any) -> None:
        pf, pi, sf, si, _ = context.addresses
        job.lengths[:] = 0
        self.statuses = np.full(job.count, -1, np.int64)
        self.control[1:] = 0
        arrays = [job.rows, job.out, job.lengths, self.statuses, self.control]
        rows, out, lengths, statuses, control = (array.ctypes.data for array in arrays)
        given = [pf, pi, sf, si, rows, len(job.rows), out, lengths, 0, job.count, job.trials, job.seed, statuses, control]
        self.launch(*self.shape, [*given, *workspace_for(self.kernel, self.shape)])
        job.done = job.count


@dataclass
class EmulatedSweep:
    """Sweeps of a model by its kernel, in the place of `NativeSweep`."""

    launch: Any
    shape: Shape
    start: Any
    launches: int = 3

    def run(self, context: Any, job: Any, team: Any, meanwhile: Any, seconds: Any) -> None:
        meanwhile()
        chunk = job.chunk
        chunk.lengths[:] = 0
        self.statuses = np.full(chunk.count, -1, np.int64)
        bounds = [chunk.count * part // self.launches for part in range(self.launches + 1)]
        for first, last in pairwise(bounds):
            control = np.zeros(16, np.int64)
            given = [*job.arguments(first, last), self.statuses[first:].ctypes.data, control.ctypes.data]
            self.launch(*self.shape, given)
        job.done = chunk.count


class EmulatedSearches(NativeEntry):
    """The host's part of a model, whose searches are emulated in several launches."""

    def prepare(self, code: DeviceCode, shape: Shape, launches: int = 3) -> EmulatedSearches:
        """`launches`: the number of parts that a search is done in."""
        self.code, self.shape, self.launches, self.count = code, shape, launches, 0
        self.kernels = [emulated(code, kernel.name) for kernel in code.kernels]
        self.numbers = {int(kernel.name.removeprefix("search_")): place for place, kernel in enumerate(code.kernels)}
        self.error: BaseException | None = None
        self.callback = _LAUNCH(self.launch)
        plain = self._run

        def run(*given: Any) -> int:
            ctypes.c_int64.from_address(given[10] + 8 * LAUNCH_WORD).value = ctypes.cast(self.callback, ctypes.c_void_p).value
            status = plain(*given)
            if self.error is not None:
                raise self.error
            return status

        self._run = run
        return self

    def launch(self, number: int, handed: int, points: int, control: int) -> None:
        """Called by native code."""
        try:
            place = self.numbers[number]
            words = np.ctypeslib.as_array((ctypes.c_int64 * (len(self.code.kernels[place].parameters) - 3)).from_address(handed)).tolist()
            of_kernel = np.zeros(16, np.int64)
            bounds = [points * part // self.launches for part in range(self.launches + 1)]
            for first, last in pairwise(bounds):
                self.kernels[place](*self.shape, [first, last, *words, of_kernel.ctypes.data])
                self.count += 1
        except BaseException as error:
            self.error = error


def workspace_for(kernel: Kernel, shape: Shape) -> list[int]:
    """The address of a workspace, if the kernel has one; it lives as long as the process."""
    if not kernel.workspace:
        return []
    _WORKSPACES.append(np.zeros(shape[0] * shape[1] * kernel.workspace // 8 + 8, np.float64))
    address = _WORKSPACES[-1].ctypes.data
    return [-(-address // 64) * 64]


_WORKSPACES: list[Any] = []


def parsed(model: Any) -> Any:
    """A model that can be compiled, from any form of one."""
    return model if hasattr(model, "compile") else ParsedModel(model)


def without_numpy(model: Any) -> ParsedModel:
    """A model with xoshiro256 in the place of NumPy's generators, which kernels refuse."""
    return ParsedModel(NUMPY.sub("xoshiro256", str(model.ir())))


def emulating(model: Any, shape: Shape, **options: Any) -> tuple[Compiled, EmulatedReplicates]:
    """A compiled model whose replicates are emulated, and what emulates them."""
    compiled = parsed(model).compile(cache=False)
    code, _ = build_kernels(source_of(parsed(model)), Options(TARGET, entry="replicates", **options), EMULATED)
    engine = EmulatedReplicates(code, shape)
    compiled.engine.replicates = engine
    return compiled, engine


def sweeping(model: Any, shape: Shape, varying: tuple[str, ...], common: bool = False) -> tuple[Compiled, EmulatedSweep]:
    """A compiled model whose sweeps over some parameters are emulated, and what emulates them."""
    compiled = parsed(model).compile(cache=False)
    code, _ = build_kernels(source_of(parsed(model)), Options(TARGET, entry="sweep", varying=varying, common=common), EMULATED)
    engine = EmulatedSweep(emulated(code, "sweep"), shape, compiled.engine.entry.start)
    compiled.engine.sweeps[varying, common, False] = engine
    return compiled, engine


def searching(model: Any) -> Callable[[Shape], tuple[Compiled, EmulatedSearches]]:
    """A function that gives compiled models whose searches are emulated with so many blocks and threads."""
    source, options = source_of(parsed(model)), Options(TARGET)
    code, _ = build_kernels(source, options, EMULATED)
    native, plan = build_object(source, options)
    loaded = LoadedObject(native, ("run", "init"), {})

    def with_shape(shape: Shape) -> tuple[Compiled, EmulatedSearches]:
        compiled = parsed(model).compile()
        entry = EmulatedSearches(loaded.address("run"), loaded.address("init"), loaded, bool(plan.traces)).prepare(code, shape)
        compiled.engine.entry = entry
        return compiled, entry

    return with_shape


def bits(values: Any) -> Any:
    """The bits of numbers, where NaN equals NaN."""
    return np.where(np.isnan(values), np.nan, values).view(np.int64)


def same_bits(first: Any, second: Any) -> bool:
    """True if all outputs are the same bits."""
    return np.array_equal(bits(first._rows), bits(second._rows))
