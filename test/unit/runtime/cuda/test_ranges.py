"""Replicates and sweeps on a simulated GPU: pieces, sizes of launches, failures and Ctrl-C. The kernel is a Python function."""

import gc
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from support.cuda.fake_gpu import FakeFailure, FakeGpu
from support.cuda.fakes import LIBRARIES, driver_over, fake_code

from cogir.backend.jit import assembly
from cogir.backend.kernels import Kernel, Parameter
from cogir.backend.llvm import Target, initialise_all_targets
from cogir.backend.nvptx import TRIPLE
from cogir.errors import DeviceError, DeviceMemoryError
from cogir.runtime.cuda.emulated import FACTS
from cogir.runtime.cuda.gpu import LAUNCH_SECONDS, Gpu, LoadedKernel, architecture_for
from cogir.runtime.cuda.ranges import Failure, IndexRange, RangeRun

SQUARES = Kernel(
    "squares",
    (
        Parameter("table", "read", "f64", (2,)),
        Parameter("out", "written", "f64", ("count", "trials", 2)),
        Parameter("lengths", "both", "i64", ("count",)),
        Parameter("first", "value", "i64"),
        Parameter("count", "value", "i64"),
        Parameter("trials", "value", "i64"),
        Parameter("statuses", "both", "i64", ("count",)),
        Parameter("control", "both", "i64", (8,)),
        Parameter("workspace", "written", "i64", ("threads", "workspace")),
    ),
    block=128,
    most_blocks=None,
    workspace=16,
)
FAILING = 700


def squares(gpu: FakeGpu, grid: int, block: int, arguments: Sequence[int]) -> None:
    """Index `i` has the rows `(i * i + table[0], trial + table[1])`; it must find statuses and lengths cleared."""
    table, out, lengths, first, count, trials, statuses, control, workspace = arguments
    gpu.bytes_at(workspace, grid * block * 16)
    assert not gpu.array_at(control, 8, np.int64).any()
    found, ended = gpu.array_at(lengths, count, np.int64), gpu.array_at(statuses, count, np.int64)
    assert not found.any()
    assert (ended == -1).all()
    start, step = gpu.array_at(table, 2, np.float64)
    rows = gpu.array_at(out, count * trials * 2, np.float64).reshape(count, trials, 2)
    index = np.arange(first, first + count, dtype=np.float64)
    rows[:, :, 0] = (index * index + start)[:, None]
    rows[:, :, 1] = np.arange(trials) + step
    found[:], ended[:] = trials, 0


def failing(gpu: FakeGpu, grid: int, block: int, arguments: Sequence[int]) -> None:
    """As `squares`, but indices from 700 on fail with status 5."""
    squares(gpu, grid, block, arguments)
    statuses, first, count = arguments[6], arguments[3], arguments[4]
    index = np.arange(first, first + count)
    gpu.array_at(statuses, count, np.int64)[index >= FAILING] = 5


class Setting:
    """A kernel on a simulated GPU."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, library: str = "pycuda", kernel: Any = squares, **given: Any):
        self.fake = FakeGpu(kernels={"squares": kernel}, attributes={**FakeGpu().attributes, "MULTIPROCESSOR_COUNT": 1}, **given)
        self.gpu = Gpu(driver_over(self.fake, library, monkeypatch, {"squares": len(SQUARES.parameters)}))
        self.loaded: LoadedKernel = self.gpu.load(fake_code(SQUARES))["squares"]
        self.done: list[int] = []

    def work(self, count: int, trials: int = 3, first: int = 0) -> IndexRange:
        out, lengths = np.full((count * trials, 2), np.nan), np.zeros(count, np.int64)
        return IndexRange(first, out, lengths, trials, {"table": np.array([0.5, 0.25])})

    def run(self, work: IndexRange) -> Failure | None:
        with self.gpu.use():
            return RangeRun(self.gpu, self.loaded, work, self.done.append).run()


def expected(work: IndexRange) -> np.ndarray:
    index = np.arange(work.first, work.first + work.count, dtype=np.float64)
    rows = np.empty((work.count, work.trials, 2))
    rows[:, :, 0], rows[:, :, 1] = (index * index + 0.5)[:, None], np.arange(work.trials) + 0.25
    return rows.reshape(-1, 2)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("count", [1, 127, 50_000])
def test_all_indices_have_their_rows(library: str, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    setting = Setting(monkeypatch, library)
    work = setting.work(count, first=10)
    assert setting.run(work) is None
    assert np.array_equal(work.out, expected(work))
    assert (work.lengths == 3).all()
    assert work.done == setting.done[-1] == count
    assert not setting.fake.contexts


def test_launches_take_a_short_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A launch is at most eight times as long as the one before, and then as long as fits."""
    sizes: list[int] = []

    def noted(gpu: FakeGpu, grid: int, block: int, arguments: Sequence[int]) -> None:
        squares(gpu, grid, block, arguments)
        sizes.append(arguments[4])
        gpu.clock += 1e-6 * arguments[4]

    setting = Setting(monkeypatch, kernel=noted, seconds=lambda name, grid, block: 0.0)
    setting.run(setting.work(300_000, trials=1))
    assert sizes[0] == 1024  # as many threads as fit beside each other with 64 registers each
    assert all(later <= 8 * earlier for earlier, later in zip(sizes, sizes[2:], strict=False))
    assert max(sizes) == pytest.approx(LAUNCH_SECONDS / 1e-6, rel=0.01)
    assert sum(sizes) == 300_000
    before = len(sizes)
    setting.run(setting.work(100_000, trials=1))
    assert len(sizes) - before == 2  # the next call knows


def test_a_launch_has_few_results(monkeypatch: pytest.MonkeyPatch) -> None:
    """However fast kernels are: copying results takes longer. But a launch has an index for each thread."""
    sizes: list[int] = []

    def noted(gpu: FakeGpu, grid: int, block: int, arguments: Sequence[int]) -> None:
        squares(gpu, grid, block, arguments)
        sizes.append(arguments[4])

    setting = Setting(monkeypatch, kernel=noted, seconds=lambda name, grid, block: 1e-9)
    work = setting.work(50_000)
    monkeypatch.setattr("cogir.runtime.cuda.ranges.COPIED_BYTES", 5000 * work.bytes_per_index)
    assert setting.run(work) is None
    assert np.array_equal(work.out, expected(work))
    assert max(sizes) == 5000
    monkeypatch.setattr("cogir.runtime.cuda.ranges.COPIED_BYTES", 1)
    sizes.clear()
    assert setting.run(setting.work(5000)) is None
    assert max(sizes) == 1024


def test_what_does_not_fit_is_done_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    setting = Setting(monkeypatch, memory_size=200_000)
    work = setting.work(20_000)
    with setting.gpu.use():
        most = RangeRun(setting.gpu, setting.loaded, work, setting.done.append).most
    assert 500 < most < 2000
    assert setting.run(work) is None
    assert np.array_equal(work.out, expected(work))
    assert len(setting.fake.launches) >= 20_000 // most


def test_memory_for_not_even_one(monkeypatch: pytest.MonkeyPatch) -> None:
    setting = Setting(monkeypatch, memory_size=50_000)
    with pytest.raises(DeviceMemoryError, match=r"one replicate takes 160,016 .*; free memory of the GPU, run fewer trials"):
        setting.run(setting.work(2, trials=10_000))


def test_buffers_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once launches have their size, a call allocates nothing, and copies no table that has not changed."""
    setting = Setting(monkeypatch)
    setting.run(setting.work(5000))
    setting.run(setting.work(5000))
    allocated, copied = setting.fake.calls["cuMemAlloc"], setting.fake.calls["cuMemcpyHtoDAsync"]
    setting.run(setting.work(5000))
    assert (setting.fake.calls["cuMemAlloc"], setting.fake.calls["cuMemcpyHtoDAsync"]) == (allocated, copied)
    work = setting.work(5000)
    work.given["table"][0] = 1.5
    setting.run(work)
    assert np.array_equal(work.out[:, 0], expected(work)[:, 0] + 1.0)


def test_a_buffer_that_was_written_is_copied_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Models share the buffers of a GPU by name."""
    setting = Setting(monkeypatch)
    setting.run(setting.work(10))
    with setting.gpu.use():
        address = setting.gpu.buffers.address("table 0", 16)
        setting.gpu.driver.fill(address, 0, 16, setting.gpu.streams[0])
    work = setting.work(10)
    setting.run(work)
    assert np.array_equal(work.out, expected(work))


def test_memory_of_others_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """What another model has kept gives way."""
    setting = Setting(monkeypatch, memory_size=200_000)
    with setting.gpu.use():
        setting.gpu.buffers.address("another model's", 150_000)
    work = setting.work(3000)
    assert setting.run(work) is None
    assert np.array_equal(work.out, expected(work))


def test_the_first_failure_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    setting = Setting(monkeypatch, kernel=failing)
    work = setting.work(5000)
    assert setting.run(work) == Failure(FAILING, 5)
    assert work.done == FAILING


def test_ctrl_c_keeps_what_is_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    """The launch that goes on is waited for, and its results are kept, too."""
    setting = Setting(monkeypatch)
    calls = iter(range(1000))
    work = setting.work(50_000)
    is_done = setting.gpu.driver.is_done

    def interrupted(stream: Any) -> bool:
        if next(calls) == 4:
            raise KeyboardInterrupt
        return is_done(stream)

    setting.gpu.driver.is_done = interrupted  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        setting.run(work)
    assert 0 < work.done < 50_000
    assert np.array_equal(work.out[: 3 * work.done], expected(work)[: 3 * work.done])
    setting.gpu.driver.is_done = is_done  # type: ignore[method-assign]
    assert setting.run(setting.work(1000)) is None


def test_a_kernel_that_was_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a launch that is stopped, what was finished before the first unfinished index is kept."""

    def stopped(gpu: FakeGpu, grid: int, block: int, arguments: Sequence[int]) -> None:
        squares(gpu, grid, block, arguments)
        gpu.array_at(arguments[6], arguments[4], np.int64)[10:] = -1

    setting = Setting(monkeypatch, kernel=stopped)
    work = setting.work(100)
    is_done, calls = setting.gpu.driver.is_done, iter(range(1000))

    def interrupted(stream: Any) -> bool:
        if next(calls) == 0:
            raise KeyboardInterrupt
        return is_done(stream)

    setting.gpu.driver.is_done = interrupted  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        setting.run(work)
    assert work.done == 10


def test_the_stop_flag_is_set_until_the_kernel_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """A launch that has not begun clears the flag first."""
    setting = Setting(monkeypatch)
    gpu = setting.gpu
    done = iter([False, False, True])
    gpu.driver.is_done = lambda stream: next(done)  # type: ignore[method-assign]
    with gpu.use():
        control, found = gpu.buffers.address("control", 64), np.empty(1, np.int64)
        gpu.stop(gpu.streams[0], control)
        gpu.driver.copy_out(found, control, gpu.streams[0])
        gpu.driver.wait(gpu.streams[0])
    assert found == 1
    assert setting.fake.calls["cuMemcpyHtoDAsync"] == 2


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_failure_while_cleaning_up_does_not_hide_the_error(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """After Ctrl-C, the launch that goes on ends with an error: it is a note of the interrupt."""

    def failing_later(gpu: FakeGpu, grid: int, block: int, arguments: Sequence[int]) -> None:
        if len(gpu.launches) > 2:
            raise FakeFailure("kernel", "CUDA_ERROR_ILLEGAL_ADDRESS")
        squares(gpu, grid, block, arguments)

    setting = Setting(monkeypatch, library, kernel=failing_later)
    work = setting.work(50_000)
    is_done, calls = setting.gpu.driver.is_done, iter(range(1000))

    def interrupted(stream: Any) -> bool:
        if next(calls) == 4:
            raise KeyboardInterrupt
        return is_done(stream)

    setting.gpu.driver.is_done = interrupted  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt) as caught:
        setting.run(work)
    assert any("an illegal memory access was encountered" in note for note in caught.value.__notes__)
    assert 0 < work.done < 50_000
    assert np.array_equal(work.out[: 3 * work.done], expected(work)[: 3 * work.done])


def test_other_work_is_done_while_kernels_compute(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two launches are on their way by then, and none is waited for; its error ends the call."""
    setting = Setting(monkeypatch)
    work, seen = setting.work(5000), []

    def meanwhile() -> None:
        seen.append((setting.fake.calls["cuLaunchKernel"], len(setting.fake.launches)))

    with setting.gpu.use():
        RangeRun(setting.gpu, setting.loaded, work, setting.done.append, meanwhile).run()
    assert seen == [(2, 0)]
    assert np.array_equal(work.out, expected(work))
    with setting.gpu.use(), pytest.raises(ZeroDivisionError):
        RangeRun(setting.gpu, setting.loaded, work, setting.done.append, lambda: print(1 // 0)).run()
    assert all(not stream.held.work for stream in setting.gpu.streams)


@pytest.mark.parametrize("library", LIBRARIES)
def test_calls_leave_no_events(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    setting = Setting(monkeypatch, library)
    for _ in range(3):
        setting.run(setting.work(1000))
    gc.collect()
    assert setting.fake.alive == {"module": 1, "stream": 3, "event": 0}


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_lost_context(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was finished before is kept."""

    def lost(gpu: FakeGpu, grid: int, block: int, arguments: Sequence[int]) -> None:
        if len(gpu.launches) > 3:
            raise FakeFailure("kernel", "CUDA_ERROR_ILLEGAL_ADDRESS")
        squares(gpu, grid, block, arguments)

    setting = Setting(monkeypatch, library, kernel=lost)
    work = setting.work(50_000)
    with pytest.raises(DeviceError, match="start a new process") as caught:
        setting.run(work)
    assert caught.value.is_lost
    assert 0 < work.done < 50_000
    assert np.array_equal(work.out[: 3 * work.done], expected(work)[: 3 * work.done])


def test_code_for_another_architecture_or_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    gpu = Setting(monkeypatch, cuda=11080).gpu
    with pytest.raises(DeviceError, match=r"the kernels are for sm_100, but the device is Fake GPU \(sm_90, .*; compile them for sm_90"):
        gpu.load(fake_code(SQUARES, architecture="sm_100"))
    with pytest.raises(DeviceError, match=r"the driver supports CUDA 11.8, but PTX for sm_80 requires CUDA 12.7; update NVIDIA's driver"):
        gpu.load(fake_code(SQUARES, version="8.6"))


@pytest.mark.parametrize(("capability", "architecture"), [((7, 0), 70), ((9, 0), 90), ((10, 3), 103), ((12, 1), 121), ((13, 5), 121)])
def test_kernels_are_for_an_architecture_that_llvm_knows(capability: tuple[int, int], architecture: int) -> None:
    initialise_all_targets()
    found = architecture_for(replace(FACTS, capability=capability))
    assert found == f"sm_{architecture}"
    text = assembly("define void @f() {\n  ret void\n}\n", target=Target(TRIPLE, found, "", 3))
    assert f".target {found}" in text
    version = re.search(r"\.version (\d+)\.", text)
    assert version is not None
    assert int(version[1]) >= 6  # 3 for what it does not know
