"""
PTX for NVIDIA GPUs from the llvm dialect.

LLVM's NVPTX backend ends the whole process when it meets what it cannot make, so a module is checked first
(`cogir.analysis.verify_nvptx`).

A function with the attribute `nvvm.kernel` becomes an entry point. Numbers are as on the CPU: additions and
multiplications are rounded one by one (`add.rn`, `mul.rn`), never contracted.
"""

from __future__ import annotations

import re

from xdsl.dialects.builtin import ModuleOp

from cogir.analysis.verify_nvptx import fault_text, nvptx_faults
from cogir.backend.emit_llvm_ir import emit_llvm_ir
from cogir.backend.jit import assembly
from cogir.backend.llvm import Target, initialise_all_targets
from cogir.errors import BackendError

TRIPLE = "nvptx64-nvidia-cuda"
_ARCHITECTURE = re.compile(r"sm_(\d+)[a-z]?\Z")
_OLDEST = 70


def verify_for_nvptx(module: ModuleOp) -> None:
    """Raises BackendError when a module of the llvm dialect uses what NVPTX does not have, naming all of it."""
    if faults := nvptx_faults(module):
        raise BackendError("nvptx: " + fault_text(faults))


def ptx(module: ModuleOp, *, architecture: str = "sm_80", version: str | None = None) -> str:
    """
    PTX for a module of the llvm dialect, optimised.

    `architecture` is the oldest GPU that is to run it (sm_80: Ampere, sm_90: Hopper); `version` is that of PTX, such as
    "83" (default: what LLVM takes for the architecture). Raises BackendError for what a GPU does not have.
    """
    found = _ARCHITECTURE.match(architecture)
    if found is None or int(found[1]) < _OLDEST:
        raise BackendError(f"nvptx: '{architecture}' is not a supported architecture; use sm_{_OLDEST} or newer, such as sm_80 or sm_90")
    verify_for_nvptx(module)
    initialise_all_targets()
    target = Target(TRIPLE, architecture, "" if version is None else f"+ptx{version}", 3)
    return assembly(emit_llvm_ir(module), target=target)
