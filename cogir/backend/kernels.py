"""
Code for a GPU as the run-time gets it: an image, and for each kernel in it what a launch needs to know. This module loads no xDSL.

docs/design/gpu.md has the meaning of the parameters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

EMULATED = "emulated"
"""The architecture of code that runs on this processor in the place of a GPU."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a kernel."""

    name: str
    access: str
    """"value", or for a pointer into global memory "read", "written" or "both"."""
    element: str
    """The type of the value, or of the elements: "f64", "i64" ..."""
    shape: tuple[int | str, ...] = ()
    """Of a buffer: numbers, and the names of numbers that the caller knows ("count", "trials", "n_in", "points")."""


@dataclass(frozen=True)
class Report:
    """The resources of a kernel on one architecture, as ptxas tells them."""

    registers: int
    """Per thread."""
    local: int
    """Bytes of local memory per thread."""
    spilled: int
    """Bytes that are stored for want of registers."""
    shared: int
    """Bytes of shared memory per block."""
    block: int
    """Threads per block."""
    occupancy: float
    """The part of a multiprocessor's threads that can be there at a time."""

    def __str__(self) -> str:
        return (
            f"{self.registers} registers, {self.local} bytes of local memory, {self.spilled} bytes of spills, "
            f"{self.shared} bytes of shared memory, {self.block} threads per block, occupancy {self.occupancy:.0%}"
        )


@dataclass(frozen=True)
class Kernel:
    """A function that the host launches."""

    name: str
    parameters: tuple[Parameter, ...]
    block: int
    """Threads per block: those with which most threads fit on a multiprocessor. A launch may have fewer, and no more."""
    most_blocks: int | None
    """Of a search: the rows of its tables, which a grid must not exceed."""
    workspace: int
    """Bytes of global memory per thread, handed over as the last parameter; 0: there is no such parameter."""
    report: Report | None = None
    """None where there was no ptxas to ask."""

    @staticmethod
    def from_json(entry: Mapping[str, Any]) -> Kernel:
        """The kernel that `to_json` has written."""
        parameters = tuple(Parameter(each["name"], each["access"], each["element"], tuple(each["shape"])) for each in entry["parameters"])
        report = None if entry["report"] is None else Report(**entry["report"])
        return Kernel(entry["name"], parameters, entry["block"], entry["most_blocks"], entry["workspace"], report)

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)


@dataclass(frozen=True)
class DeviceOptions:
    """The choices that code for a GPU leaves open."""

    architecture: str = "sm_80"
    """The oldest GPU that is to run it ("sm_90" and the like), or `EMULATED`."""
    cubin: bool = False
    """True for machine code in the place of PTX; this needs ptxas."""
    block: int | None = None
    """Threads per block; None for those with which most threads fit on a multiprocessor."""
    contract: bool = False
    """True if `a * b + c` may be rounded once. Results then differ from the CPU's in their last bits."""

    @property
    def key(self) -> tuple[str, ...]:
        """The choices as words, for the key of the cache."""
        return (self.architecture, f"cubin {self.cubin}", f"block {self.block}", f"contract {self.contract}")


@dataclass(frozen=True)
class DeviceCode:
    """An image with its kernels."""

    architecture: str
    """"sm_90" and the like, or `EMULATED`."""
    image: bytes
    """PTX, a cubin, or object code of this processor if it is emulated."""
    kernels: tuple[Kernel, ...]

    def kernel(self, name: str) -> Kernel:
        """The kernel of a name."""
        return next(kernel for kernel in self.kernels if kernel.name == name)
