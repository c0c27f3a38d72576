"""Searches on a simulated GPU, as native code asks for them; the kernel is a Python function."""

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from support.cuda.fake_gpu import FakeFailure, FakeGpu
from support.cuda.fakes import LIBRARIES, driver_over, fake_code

from cogir.backend.kernels import Kernel, Parameter
from cogir.errors import DeviceError, DeviceMemoryError
from cogir.runtime.cuda.gpu import Gpu, LoadedKernel
from cogir.runtime.cuda.searches import LAUNCH_WORD, Launching

MOST_BLOCKS, POINTS = 16, 100_000


def search(name: str, points: int) -> Kernel:
    """The kernel for the lowest of `(p - target) ** 2`, which also writes all values."""
    return Kernel(
        name,
        (
            Parameter("first", "value", "i64"),
            Parameter("last", "value", "i64"),
            Parameter("bests", "both", "f64", (MOST_BLOCKS,)),
            Parameter("bests", "both", "i64", (MOST_BLOCKS,)),
            Parameter("values", "both", "f64", (points,)),
            Parameter("offsets", "read", "f64", (points,)),
            Parameter("target", "value", "f64"),
            Parameter("control", "both", "i64", (8,)),
        ),
        block=64,
        most_blocks=MOST_BLOCKS,
        workspace=0,
    )


def searched(gpu: FakeGpu, grid: int, block: int, arguments: Sequence[int]) -> None:
    """A block's row has the best of its points, and of those that stood there before."""
    first, last, bests, at, values, offsets, target, _ = arguments
    wanted = np.uint64(target).view(np.float64)
    points = np.arange(first, last)
    found = (points + gpu.array_at(offsets + 8 * first, last - first, np.float64) - wanted) ** 2
    gpu.array_at(values + 8 * first, last - first, np.float64)[:] = found
    for number in range(grid):
        mine = points[(points - first) // block % grid == number]
        if len(mine):
            best = mine[np.argmin(found[mine - first])]
            if found[best - first] < gpu.array_at(bests + 8 * number, 1, np.float64)[0]:
                gpu.array_at(bests + 8 * number, 1, np.float64)[0] = found[best - first]
                gpu.array_at(at + 8 * number, 1, np.int64)[0] = best


class Native:
    """A fake of native code that comes to a search, with the tables of the host."""

    def __init__(self, points: int = POINTS):
        self.points = points
        self.bests, self.at = np.full(MOST_BLOCKS, np.inf), np.zeros(MOST_BLOCKS, np.int64)
        self.values, self.offsets = np.full(points, np.nan), np.full(points, 0.25)
        self.control = np.zeros(16, np.int64)

    def search(self, launching: Launching, target: float) -> int:
        """The point that was found."""
        launching.begin(self.control)
        call = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p)(int(self.control[LAUNCH_WORD]))
        buffers = (self.bests, self.at, self.values, self.offsets)
        handed = np.array([*(buffer.ctypes.data for buffer in buffers), np.float64(target).view(np.int64)], np.int64)
        call(0, handed.ctypes.data, self.points, self.control.ctypes.data)
        launching.raise_error()
        return int(self.at[np.argmin(self.bests)])


class Setting:
    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, library: str = "pycuda", points: int = POINTS, kernel: Any = searched, **given: Any
    ):
        self.fake = FakeGpu(kernels={"search_0": kernel}, attributes={**FakeGpu().attributes, "MULTIPROCESSOR_COUNT": 1}, **given)
        made = search("search_0", points)
        self.gpu = Gpu(driver_over(self.fake, library, monkeypatch, {"search_0": len(made.parameters)}))
        self.kernels: dict[str, LoadedKernel] = self.gpu.load(fake_code(made))
        self.launching = Launching(self.gpu, self.kernels)


def is_right(native: Native, target: float) -> bool:
    return np.array_equal(native.values, (np.arange(native.points) + 0.25 - target) ** 2)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("points", [5, POINTS])
def test_the_best_point_and_all_values(library: str, points: int, monkeypatch: pytest.MonkeyPatch) -> None:
    native = Native(points)
    setting = Setting(monkeypatch, library, points)
    assert native.search(setting.launching, 3.4) == 3
    assert is_right(native, 3.4)
    assert max(grid for _, grid, _ in setting.fake.launches) <= MOST_BLOCKS
    assert not setting.fake.contexts


def test_several_launches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of the tables keep the best of all launches; the next search begins with the size that was learned."""
    setting = Setting(monkeypatch)
    native = Native()
    assert native.search(setting.launching, 77_777.1) == 77_777
    assert is_right(native, 77_777.1)
    before = len(setting.fake.launches)
    assert before > 1
    native = Native()
    assert native.search(setting.launching, 12.3) == 12
    assert len(setting.fake.launches) == before + 1


def test_tables_that_do_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    """What has a row for each point is copied in pieces."""
    setting = Setting(monkeypatch, memory_size=1_100_000)
    native = Native()
    assert native.search(setting.launching, 77_777.1) == 77_777
    assert is_right(native, 77_777.1)
    assert len(setting.fake.memory) < 10


def test_memory_of_others_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """What another model has kept makes no pieces."""
    launches: list[int] = []
    for kept in (0, 700_000):
        setting = Setting(monkeypatch, memory_size=1_900_000)
        with setting.gpu.use():
            if kept:
                setting.gpu.buffers.address("another model's", kept)
        native = Native()
        assert native.search(setting.launching, 77_777.1) == 77_777
        assert is_right(native, 77_777.1)
        launches.append(setting.fake.calls["cuMemcpyHtoDAsync"])
    assert launches[0] == launches[1]


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_failure_while_cleaning_up_does_not_hide_the_error(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(gpu: FakeGpu, grid: int, block: int, arguments: Sequence[int]) -> None:
        raise FakeFailure("kernel", "CUDA_ERROR_LAUNCH_FAILED")

    setting = Setting(monkeypatch, library, kernel=failing)
    is_done, calls = setting.gpu.driver.is_done, iter(range(1000))

    def interrupted(stream: Any) -> bool:
        if next(calls) == 0:
            raise KeyboardInterrupt
        return is_done(stream)

    setting.gpu.driver.is_done = interrupted  # type: ignore[method-assign]
    native = Native()
    with pytest.raises(KeyboardInterrupt) as caught:
        native.search(setting.launching, 0.0)
    assert any("unspecified launch failure" in note for note in caught.value.__notes__)
    assert native.control[0] == 1


def test_memory_for_not_even_a_point(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables that are read do not go in pieces."""
    setting = Setting(monkeypatch, memory_size=POINTS * 8 + 386)
    native = Native()
    with pytest.raises(DeviceMemoryError, match=r"1 bytes .* a point of the search takes 8; free memory of the GPU"):
        native.search(setting.launching, 0.0)
    assert native.control[0] == 1


def test_tables_that_are_only_read_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    setting = Setting(monkeypatch)
    native = Native()
    native.search(setting.launching, 1.0)
    native.search(setting.launching, 1.0)
    before = setting.fake.calls["cuMemcpyHtoDAsync"]
    native.search(setting.launching, 2.0)
    assert setting.fake.calls["cuMemcpyHtoDAsync"] == before + 3  # bests, at and values
    native.offsets[7] = -7.0
    native.bests[:] = np.inf
    native.search(setting.launching, 0.0)
    assert native.values[7] == 0.0


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_failure_stops_native_code(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(gpu: FakeGpu, grid: int, block: int, arguments: Sequence[int]) -> None:
        raise FakeFailure("kernel", "CUDA_ERROR_LAUNCH_FAILED")

    setting = Setting(monkeypatch, library, kernel=failing)
    native = Native()
    with pytest.raises(DeviceError, match="unspecified launch failure"):
        native.search(setting.launching, 0.0)
    assert native.control[0] == 1


def test_ctrl_c_stops_native_code(monkeypatch: pytest.MonkeyPatch) -> None:
    setting = Setting(monkeypatch)
    is_done, calls = setting.gpu.driver.is_done, iter(range(1000))

    def interrupted(stream: Any) -> bool:
        if next(calls) == 1:
            raise KeyboardInterrupt
        return is_done(stream)

    setting.gpu.driver.is_done = interrupted  # type: ignore[method-assign]
    native = Native()
    with pytest.raises(KeyboardInterrupt):
        native.search(setting.launching, 0.0)
    assert native.control[0] == 1
    assert not setting.fake.contexts
    native.control[0] = 0
    assert native.search(setting.launching, 5.3) == 5
