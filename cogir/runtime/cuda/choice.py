"""
The driver that this machine offers, or what it lacks.

PyCUDA is taken where it can be imported, else NVIDIA's cuda-bindings.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache

from cogir.errors import DeviceError
from cogir.runtime.cuda.driver import DeviceFacts, Driver
from cogir.runtime.cuda.through_bindings import BindingsDriver
from cogir.runtime.cuda.through_pycuda import PycudaDriver

OLDEST = (7, 0)
"""The oldest compute capability that cogir compiles for."""
LAYERS: tuple[tuple[str, Callable[[], Driver]], ...] = (("PyCUDA", PycudaDriver), ("cuda-bindings", BindingsDriver))
"""Who offers the driver in Python, in the order in which they are tried."""
INSTALL = "'cogir[cuda]' (wheels) or 'cogir[pycuda]' (built from source, docs/gpu.md)"


@cache
def find_driver() -> Driver:
    """The driver of this process. Raises `DeviceError` if there is none, naming what is missing."""
    failures: list[str] = []
    for name, layer in LAYERS:
        try:
            return layer()
        except ModuleNotFoundError:
            continue
        except ImportError as error:
            failures.append(f"{name}: {str(error).partition(chr(10))[0]}")
    if not has_driver_library():
        found = f" ({'; '.join(failures)})" if failures else ""
        more = "" if failures else f"; install {INSTALL} there"
        raise DeviceError(
            f'target "cuda": this machine has no NVIDIA driver: the library libcuda.so.1 was not found{found}; run it on a machine with an '
            f'NVIDIA GPU and its driver{more}; or use target="cpu"'
        )
    if failures:
        raise DeviceError(f'target "cuda": the driver cannot be loaded: {"; ".join(failures)}; reinstall the package, or use target="cpu"')
    raise DeviceError(
        f'target "cuda": NVIDIA\'s driver is there, but neither PyCUDA nor cuda-bindings; install {INSTALL}, or use target="cpu"'
    )


def has_driver_library() -> bool:
    """True if the library of NVIDIA's driver can be loaded."""
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    return True


def find_device(driver: Driver) -> DeviceFacts:
    """Facts about the first device. Raises `DeviceError` if there is none, or if it is too old."""
    if driver.count() == 0:
        raise DeviceError(
            'target "cuda": NVIDIA\'s driver is there, but no GPU is visible; check CUDA_VISIBLE_DEVICES and nvidia-smi, or use '
            'target="cpu"'
        )
    facts = driver.facts(0)
    if facts.capability < OLDEST:
        raise DeviceError(
            f'target "cuda": the GPU is {facts}, but compute capability {OLDEST[0]}.{OLDEST[1]} (sm_{OLDEST[0]}{OLDEST[1]}) or newer is '
            'required; use another GPU, or target="cpu"'
        )
    return facts
