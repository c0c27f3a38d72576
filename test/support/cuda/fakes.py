"""Drivers over a simulated GPU, by the name of the library whose fake they use."""

import sys

import pytest
from support.cuda.fake_bindings import fake_bindings
from support.cuda.fake_gpu import FakeGpu
from support.cuda.fake_pycuda import fake_pycuda

from cogir.backend.kernels import DeviceCode, Kernel
from cogir.runtime.cuda.driver import Driver
from cogir.runtime.cuda.through_bindings import BindingsDriver
from cogir.runtime.cuda.through_pycuda import PycudaDriver

LIBRARIES = ("pycuda", "cuda-bindings")


def driver_over(gpu: FakeGpu, library: str, monkeypatch: pytest.MonkeyPatch, parameters: dict[str, int]) -> Driver:
    """The driver through a library; `parameters`: the number of parameters of each kernel."""
    modules = fake_pycuda(gpu) if library == "pycuda" else fake_bindings(gpu, parameters)
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
    return PycudaDriver() if library == "pycuda" else BindingsDriver()


def fake_code(*kernels: Kernel, version: str = "7.8", architecture: str = "sm_80") -> DeviceCode:
    """Code with these kernels, of which a simulated GPU reads the names only."""
    entries = "".join(f".visible .entry {kernel.name}(\n" for kernel in kernels)
    return DeviceCode(architecture, f".version {version}\n.target {architecture}\n{entries}".encode(), kernels)
