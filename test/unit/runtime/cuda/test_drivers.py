"""The two drivers over fakes of their libraries: they do the same, and their errors become cogir's."""

import gc
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from support.cuda.fake_bindings import fake_bindings
from support.cuda.fake_gpu import FakeGpu
from support.cuda.fake_pycuda import fake_pycuda

from cogir.backend.kernels import DeviceCode
from cogir.errors import DeviceError, DeviceMemoryError
from cogir.runtime.cuda.choice import find_device, find_driver
from cogir.runtime.cuda.driver import Driver
from cogir.runtime.cuda.through_bindings import BindingsDriver
from cogir.runtime.cuda.through_pycuda import PycudaDriver

PTX = DeviceCode("sm_80", b".version 7.8\n.target sm_80\n.visible .entry double(\n", ())


def double(gpu: FakeGpu, grid: int, block: int, arguments: Sequence[int]) -> None:
    """A kernel that doubles an array."""
    address, count = arguments
    gpu.array_at(address, count, np.float64)[:] *= 2.0


def with_pycuda(gpu: FakeGpu, monkeypatch: pytest.MonkeyPatch) -> Driver:
    for name, module in fake_pycuda(gpu).items():
        monkeypatch.setitem(sys.modules, name, module)
    return PycudaDriver()


def with_bindings(gpu: FakeGpu, monkeypatch: pytest.MonkeyPatch) -> Driver:
    for name, module in fake_bindings(gpu, {"double": 2}).items():
        monkeypatch.setitem(sys.modules, name, module)
    return BindingsDriver()


Make = Callable[[FakeGpu, pytest.MonkeyPatch], Driver]
both = pytest.mark.parametrize("make", [with_pycuda, with_bindings])


@both
def test_a_kernel_runs_on_copied_memory(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    gpu = FakeGpu(kernels={"double": double})
    driver = make(gpu, monkeypatch)
    assert (driver.version(), driver.count()) == ((13, 0), 1)
    facts = driver.facts(0)
    assert (facts.name, facts.architecture, facts.memory, facts.multiprocessors) == ("Fake GPU", "sm_90", 2**30, 132)
    with driver.use(0):
        stream, begun, ended = driver.new_stream(), driver.new_event(), driver.new_event()
        function = driver.function(driver.load(PTX), "double")
        assert driver.kernel_facts(function).registers == 64
        values = np.arange(10.0)
        address = driver.allocate(88)
        driver.fill(address, 0, 88, stream)
        driver.copy_in(address, values, stream)
        driver.record(begun, stream)
        driver.launch(function, 2, 32, (np.uint64(address), np.int64(11)), stream)
        driver.record(ended, stream)
        found = np.empty(11)
        driver.copy_out(found, address, stream)
        assert not driver.is_done(stream)
        driver.wait(stream)
        assert driver.is_done(stream)
        assert driver.seconds_between(begun, ended) == pytest.approx(0.001)
        assert found.tolist() == [*np.arange(0.0, 20.0, 2.0), 0.0]
        assert driver.free_memory() == 2**30 - 88
        driver.free(address)
        assert driver.free_memory() == 2**30
    assert gpu.launches == [("double", 2, 32)]
    assert not gpu.contexts


@both
def test_no_memory(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    driver = make(FakeGpu(memory_size=1000), monkeypatch)
    with (
        driver.use(0),
        pytest.raises(DeviceMemoryError, match=r"cuMemAlloc failed for 2,000 bytes: out of memory .*; free"),
    ):
        driver.allocate(2000)


@both
def test_a_bad_image(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    driver = make(FakeGpu(), monkeypatch)
    with driver.use(0):
        with pytest.raises(DeviceError, match=r"cuModuleLoadData failed: device kernel image is invalid .*; clear cogir's cache"):
            driver.load(DeviceCode("sm_80", b"no image", ()))
        with pytest.raises(DeviceError, match=r'failed for "halve": named symbol not found'):
            driver.function(driver.load(PTX), "halve")


@both
def test_a_newer_architecture_or_driver_is_required(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    driver = make(FakeGpu(capability=(7, 5)), monkeypatch)
    with driver.use(0), pytest.raises(DeviceError, match="a PTX JIT compilation failed"):
        driver.load(PTX)
    driver = make(FakeGpu(fails={"cuModuleLoadData": ("CUDA_ERROR_UNSUPPORTED_PTX_VERSION", 1)}), monkeypatch)
    with driver.use(0), pytest.raises(DeviceError, match=r"unsupported toolchain \(.*\); update NVIDIA's driver"):
        driver.load(PTX)


@both
def test_a_lost_context(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """An address out of range is found when the stream is waited for, and everything fails from then on."""
    driver = make(FakeGpu(kernels={"double": double}), monkeypatch)
    with driver.use(0):
        stream = driver.new_stream()
        function = driver.function(driver.load(PTX), "double")
        driver.launch(function, 1, 32, (np.uint64(5), np.int64(11)), stream)
        with pytest.raises(DeviceError, match=r"an illegal memory access was encountered .* start a new process") as caught:
            driver.wait(stream)
        assert caught.value.is_lost
        with pytest.raises(DeviceError, match="start a new process"):
            driver.allocate(8)


@both
def test_a_launch_that_is_refused(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    driver = make(FakeGpu(fails={"cuLaunchKernel": ("CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", 1)}), monkeypatch)
    with driver.use(0):
        function = driver.function(driver.load(PTX), "double")
        with pytest.raises(DeviceError, match=r"cuLaunchKernel failed for 4 blocks of 1024 threads: too many resources .*; give a smaller"):
            driver.launch(function, 4, 1024, (np.uint64(0), np.int64(0)), driver.new_stream())


@both
def test_errors_without_a_remedy_of_their_own(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    driver = make(FakeGpu(), monkeypatch)
    with driver.use(0), pytest.raises(DeviceError, match=r'cuMemAlloc failed for 0 bytes: invalid argument .*; use target="cpu"'):
        driver.allocate(0)


@both
def test_no_device(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DeviceError, match=r"cuInit failed: no CUDA-capable device is detected .*check CUDA_VISIBLE_DEVICES"):
        make(FakeGpu(devices=0), monkeypatch)


@both
def test_what_nobody_holds_is_destroyed(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Modules, streams and events, from any thread and without a context in use; a kernel holds its module."""
    gpu = FakeGpu()
    driver = make(gpu, monkeypatch)
    with driver.use(0):
        function = driver.function(driver.load(PTX), "double")
        held = [driver.new_stream(), driver.new_event(), driver.new_event()]
    gc.collect()
    assert gpu.alive == {"module": 1, "stream": 1, "event": 2}
    del function, held
    gc.collect()
    assert not gpu.alive.total()
    assert not gpu.contexts


@both
def test_the_error_within_a_context_comes_before_that_of_leaving_it(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    driver = make(FakeGpu(fails={"cuCtxPopCurrent": ("CUDA_ERROR_LAUNCH_FAILED", 1)}), monkeypatch)
    with pytest.raises(DeviceError, match="cuMemAlloc failed for 0 bytes") as caught, driver.use(0):
        driver.allocate(0)
    assert "cuCtxPopCurrent failed: unspecified launch failure" in caught.value.__notes__[0]
    assert caught.value.is_lost
    with pytest.raises(ZeroDivisionError), driver.use(0):
        _ = 1 // 0
    with pytest.raises(DeviceError, match="cuCtxPopCurrent failed: unspecified launch failure"), driver.use(0):
        pass


@pytest.fixture
def choosing(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A machine without any driver library, and without PyCUDA and cuda-bindings."""
    find_driver.cache_clear()
    for name in ("pycuda", "pycuda.driver", "cuda", "cuda.bindings", "cuda.bindings.driver"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setattr("cogir.runtime.cuda.choice.has_driver_library", lambda: False)
    return monkeypatch


@pytest.fixture(autouse=True)
def forget_drivers() -> Any:
    yield
    find_driver.cache_clear()


def put(monkeypatch: pytest.MonkeyPatch, modules: dict[str, Any]) -> None:
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)


def test_pycuda_comes_first(choosing: pytest.MonkeyPatch) -> None:
    put(choosing, fake_bindings(FakeGpu()))
    assert find_driver().name == "cuda-bindings 13.5.0"
    put(choosing, fake_pycuda(FakeGpu()))
    find_driver.cache_clear()
    assert find_driver().name == "PyCUDA 2026.1"


def test_nothing_is_there(choosing: pytest.MonkeyPatch) -> None:
    with pytest.raises(DeviceError, match=r"has no NVIDIA driver: the library libcuda.so.1 was not found; .*; install 'cogir\[cuda\]'"):
        find_driver()
    choosing.setattr("cogir.runtime.cuda.choice.has_driver_library", lambda: True)
    with pytest.raises(DeviceError, match=r"driver is there, but neither PyCUDA nor cuda-bindings; install 'cogir\[cuda\]'"):
        find_driver()


def test_the_library_of_the_driver_is_missing(choosing: pytest.MonkeyPatch) -> None:
    """cuda-bindings can be imported without it, and raises a RuntimeError at the first call."""
    modules = fake_bindings(FakeGpu())

    def not_found(flags: int) -> None:
        raise RuntimeError('"cuda" is an NVIDIA driver library\nand can only be found via system search')

    vars(modules["cuda.bindings.driver"])["cuInit"] = not_found
    put(choosing, modules)
    with pytest.raises(DeviceError, match=r'has no NVIDIA driver: .*\(cuda-bindings: "cuda" is an NVIDIA driver library\)'):
        find_driver()


def test_the_device_must_be_new_enough(choosing: pytest.MonkeyPatch) -> None:
    put(choosing, fake_pycuda(FakeGpu(capability=(6, 1))))
    with pytest.raises(DeviceError, match=r"the GPU is Fake GPU \(sm_61, .*\), but compute capability 7.0 \(sm_70\) or newer is required"):
        find_device(find_driver())


def test_no_device_is_visible(choosing: pytest.MonkeyPatch) -> None:
    gpu = FakeGpu()
    put(choosing, fake_bindings(gpu))
    driver = find_driver()
    gpu.devices = 0
    with pytest.raises(DeviceError, match="no GPU is visible; check CUDA_VISIBLE_DEVICES"):
        find_device(driver)
