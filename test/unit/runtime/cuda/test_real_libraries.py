"""
The real PyCUDA and the real cuda-bindings over a libcuda.so.1 that stands for NVIDIA's driver (support/cuda/fake_libcuda.c): they take the
arguments that cogir gives, and the driver gets what was meant.
"""

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from cogir.runtime.cuda.choice import has_driver_library

SOURCE = Path(__file__).parents[3] / "support" / "cuda" / "fake_libcuda.c"
CHECK = """
import ctypes, gc, sys
import numpy as np
from cogir.backend.kernels import DeviceCode
from cogir.errors import DeviceError, DeviceMemoryError
from cogir.runtime.cuda.through_bindings import BindingsDriver
from cogir.runtime.cuda.through_pycuda import PycudaDriver

driver = {"pycuda": PycudaDriver, "cuda.bindings": BindingsDriver}[sys.argv[1]]()

def fails(kind, text, call, *given):
    try:
        call(*given)
    except kind as error:
        assert text in str(error), error
    else:
        raise AssertionError(text)

assert (driver.version(), driver.count()) == ((13, 0), 1)
facts = driver.facts(0)
assert (facts.name, facts.architecture, facts.multiprocessors) == ("libcuda of the tests", "sm_90", 132), facts
assert (facts.registers_per_multiprocessor, facts.shared_per_multiprocessor, facts.threads_per_block) == (65536, 233472, 1024), facts
assert (facts.warp, facts.threads_per_multiprocessor, facts.clock_khz) == (32, 2048, 1980000), facts
with driver.use(0):
    module = driver.load(DeviceCode("sm_90", b".version 7.8 .target sm_90 .visible .entry scale(", ()))
    kernel = driver.function(module, "scale")
    found = driver.kernel_facts(kernel)
    assert (found.registers, found.local, found.shared, found.threads_per_block) == (40, 8, 16, 1024), found
    fails(DeviceError, 'failed for "other": named symbol not found (CUDA_ERROR_NOT_FOUND)', driver.function, module, "other")
    fails(DeviceError, "device kernel image is invalid (CUDA_ERROR_INVALID_IMAGE)", driver.load, DeviceCode("sm_90", b"nothing", ()))
    fails(DeviceMemoryError, "cuMemAlloc failed for 9,000,000 bytes: out of memory", driver.allocate, 9_000_000)
    stream, start, end = driver.new_stream(), driver.new_event(), driver.new_event()
    values = np.arange(100.0)
    address = driver.allocate(8 * 101)
    driver.fill(address, 0, 8 * 101, stream)
    driver.copy_in(address, values, stream)
    driver.record(start, stream)
    driver.launch(kernel, 4, 32, (np.uint64(address), np.int64(101), np.float64(2.5)), stream)
    driver.record(end, stream)
    result = np.empty(101)
    driver.copy_out(result, address, stream)
    assert driver.is_done(stream)
    driver.wait(stream)
    assert driver.seconds_between(start, end) == 0.002
    assert result.tolist() == [*(2.5 * np.arange(100.0)), 0.0]
    assert driver.free_memory() == 1_000_000 - 808
    driver.free(address)
    assert driver.free_memory() == 1_000_000
    fails(DeviceError, "cuLaunchKernel failed for 1 blocks of 32 threads: invalid argument", driver.launch, kernel, 1, 32,
          (np.uint64(address), np.int64(101), np.float64(2.5)), stream)
alive = ctypes.CDLL("libcuda.so.1").alive
assert alive() == 4, alive()
del module, kernel, stream, start, end
gc.collect()
assert alive() == 0, alive()
print(driver.name)
"""


def undefined(library: str) -> set[str]:
    """The functions of the driver that an extension module of PyCUDA names."""
    spec = find_spec(library)
    folder = Path((spec.submodule_search_locations or [""])[0]) if spec is not None else Path()
    found: set[str] = set()
    for module in folder.glob("_driver*.so"):
        listed = subprocess.run(["nm", "-D", "--undefined-only", str(module)], check=True, capture_output=True, text=True).stdout
        found |= {line.split()[-1] for line in listed.splitlines() if line.split()[-1].startswith("cu") and "@" not in line}
    return found


def build(folder: Path, names: set[str]) -> None:
    """The library, in which functions that it does not have say that they are not supported."""
    have = SOURCE.read_text()
    others = sorted(name for name in names if f"{name}(" not in have)
    (folder / "others.c").write_text("".join(f"int {name}(void) {{ return 801; }}\n" for name in others))
    command = ["cc", "-shared", "-fPIC", "-w", "-Wl,-soname,libcuda.so.1", str(SOURCE), str(folder / "others.c"), "-ldl"]
    subprocess.run([*command, "-o", str(folder / "libcuda.so.1")], check=True)


@pytest.mark.parametrize("library", ["pycuda", "cuda.bindings"])
def test_the_library_over_a_stub_of_the_driver(library: str, tmp_path: Path) -> None:
    if find_spec(library.partition(".")[0]) is None or find_spec(library) is None:
        pytest.skip(f"{library} is not installed (pip install 'cogir[pycuda]' or 'cogir[cuda]')")
    if shutil.which("cc") is None or shutil.which("nm") is None:
        pytest.skip("there is no C compiler to build the library with")
    if has_driver_library():
        pytest.skip("this machine has NVIDIA's driver; a library of the same name may not stand beside it")
    build(tmp_path, undefined("pycuda") if library == "pycuda" else set())
    paths = f"{tmp_path}:{os.environ.get('LD_LIBRARY_PATH', '')}"
    environment = {**os.environ, "LD_LIBRARY_PATH": paths, "FAKE_MEMORY": "1000000", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", CHECK, library], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
