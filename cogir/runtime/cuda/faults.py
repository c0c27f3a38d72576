"""
The errors of NVIDIA's driver in cogir's words.

cuda-bindings returns the code of an error, PyCUDA raises an exception with the driver's sentence for it; both are found in one table.
"""

from __future__ import annotations

from dataclasses import dataclass

from cogir.errors import DeviceError, DeviceMemoryError

NEW_PROCESS = "results that were finished before are kept; start a new process, as this one cannot use the GPU any more"
UPDATE_DRIVER = 'update NVIDIA\'s driver (nvidia-smi shows its version), or use target="cpu"'


@dataclass(frozen=True)
class DriverFault:
    """An error of the driver."""

    sentence: str
    """The driver's own words."""
    remedy: str
    is_lost: bool = False
    """True if the context is lost."""


_SMALLER = "free memory of the GPU (nvidia-smi lists its users), or ask for less at a time"

FAULTS: dict[str, DriverFault] = {
    "CUDA_ERROR_OUT_OF_MEMORY": DriverFault("out of memory", _SMALLER),
    "CUDA_ERROR_NO_DEVICE": DriverFault(
        "no CUDA-capable device is detected", 'run it on a machine with an NVIDIA GPU, check CUDA_VISIBLE_DEVICES, or use target="cpu"'
    ),
    "CUDA_ERROR_INVALID_DEVICE": DriverFault("invalid device ordinal", "check CUDA_VISIBLE_DEVICES"),
    "CUDA_ERROR_DEVICE_UNAVAILABLE": DriverFault(
        "CUDA-capable device(s) is/are busy or unavailable", "wait until the other user of the GPU is done, or choose another one"
    ),
    "CUDA_ERROR_INVALID_IMAGE": DriverFault("device kernel image is invalid", "clear cogir's cache and compile again"),
    "CUDA_ERROR_INVALID_PTX": DriverFault("a PTX JIT compilation failed", f"report it with the PTX, or {UPDATE_DRIVER}"),
    "CUDA_ERROR_UNSUPPORTED_PTX_VERSION": DriverFault("the provided PTX was compiled with an unsupported toolchain.", UPDATE_DRIVER),
    "CUDA_ERROR_NO_BINARY_FOR_GPU": DriverFault(
        "no kernel image is available for execution on the device", "compile for the architecture of this GPU"
    ),
    "CUDA_ERROR_JIT_COMPILER_NOT_FOUND": DriverFault(
        "PTX JIT compiler library not found", "install libnvidia-ptxjitcompiler of the driver's version, or emit a cubin"
    ),
    "CUDA_ERROR_NOT_FOUND": DriverFault("named symbol not found", "clear cogir's cache and compile again"),
    "CUDA_ERROR_NOT_INITIALIZED": DriverFault(
        "initialization error", 'CUDA cannot be used after a fork; start processes with the method "spawn" or "forkserver"'
    ),
    "CUDA_ERROR_DEINITIALIZED": DriverFault("driver shutting down", "do not run models while the interpreter shuts down"),
    "CUDA_ERROR_INVALID_CONTEXT": DriverFault("invalid device context", NEW_PROCESS, True),
    "CUDA_ERROR_CONTEXT_IS_DESTROYED": DriverFault("context is destroyed", NEW_PROCESS, True),
    "CUDA_ERROR_ILLEGAL_ADDRESS": DriverFault("an illegal memory access was encountered", NEW_PROCESS, True),
    "CUDA_ERROR_MISALIGNED_ADDRESS": DriverFault("misaligned address", NEW_PROCESS, True),
    "CUDA_ERROR_ILLEGAL_INSTRUCTION": DriverFault("an illegal instruction was encountered", NEW_PROCESS, True),
    "CUDA_ERROR_LAUNCH_FAILED": DriverFault("unspecified launch failure", NEW_PROCESS, True),
    "CUDA_ERROR_LAUNCH_TIMEOUT": DriverFault("the launch timed out and was terminated", NEW_PROCESS, True),
    "CUDA_ERROR_ECC_UNCORRECTABLE": DriverFault("uncorrectable ECC error encountered", NEW_PROCESS, True),
    "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES": DriverFault("too many resources requested for launch", "give a smaller block size"),
    "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH": DriverFault(
        "system has unsupported display driver / cuda driver combination", "restart the machine after an update of the driver"
    ),
    "CUDA_ERROR_STUB_LIBRARY": DriverFault(
        "CUDA driver is a stub library", "take the folder of the stub libcuda.so out of LD_LIBRARY_PATH; it is only for linking"
    ),
}
"""The errors that have a remedy of their own, by the driver's name for them."""

_BY_SENTENCE = {fault.sentence: name for name, fault in FAULTS.items()}


def error_named(name: str) -> str:
    """The driver's name for an error of which only the sentence is known; the sentence itself for one without a remedy of its own."""
    return _BY_SENTENCE.get(name, name)


def device_error(routine: str, name: str, sentence: str = "", more: str = "") -> DeviceError:
    """The error for a routine of the driver that failed; `sentence`: the driver's own words; `more`: what was asked for."""
    fault = FAULTS.get(name)
    words = fault.sentence if fault is not None else sentence or name
    remedy = fault.remedy if fault is not None else 'use target="cpu", and report it'
    text = f"GPU: {routine} failed{f' {more}' if more else ''}: {words.rstrip('.')} ({name}); {remedy}"
    error = DeviceMemoryError(text) if name == "CUDA_ERROR_OUT_OF_MEMORY" else DeviceError(text)
    error.is_lost = fault is not None and fault.is_lost
    return error
