"""
PTX for NVIDIA GPUs from the llvm dialect.

LLVM's NVPTX backend ends the whole process when it meets a function that it cannot make (`llvm.exp`, `llvm.sin` ...),
and leaves calls of the C library to a linker that does not exist. Therefore a module is checked first.

A function with the attribute `nvvm.kernel` becomes an entry point. Numbers are as on the CPU: additions and
multiplications are rounded one by one (`add.rn`, `mul.rn`), never contracted.
"""

from __future__ import annotations

import re

from xdsl.dialects import llvm
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from cogir.backend.emit_llvm_ir import emit_llvm_ir
from cogir.backend.intrinsics import base_name
from cogir.backend.jit import assembly
from cogir.backend.llvm import Target, initialise_all_targets
from cogir.errors import BackendError

TRIPLE = "nvptx64-nvidia-cuda"
_ARCHITECTURE = re.compile(r"sm_(\d+)[a-z]?\Z")
_OLDEST = 70

SUPPORTED_INTRINSICS = frozenset(
    f"llvm.{name}"
    for name in (
        "sqrt fabs floor ceil trunc round roundeven rint nearbyint canonicalize copysign fma fmuladd minimum maximum "
        "minimumnum maximumnum minnum maxnum smin smax umin umax abs ctpop ctlz cttz bswap bitreverse fshl fshr memcpy "
        "memmove memset masked.load masked.store trap assume expect vector.reduce.fadd vector.reduce.fmul "
        "vector.reduce.add vector.reduce.mul vector.reduce.and vector.reduce.or vector.reduce.xor vector.reduce.smin "
        "vector.reduce.smax vector.reduce.umin vector.reduce.umax vector.reduce.fmin vector.reduce.fmax "
        "vector.reduce.fminimum vector.reduce.fmaximum uadd.with.overflow sadd.with.overflow umul.with.overflow "
        "smul.with.overflow usub.with.overflow ssub.with.overflow"
    ).split()
)
"""Intrinsics that NVPTX was seen to make inline code for, for f32 and f64 (or integers)."""


def verify_for_nvptx(module: ModuleOp) -> None:
    """Raises BackendError when a module of the llvm dialect uses what NVPTX does not have, naming all of it."""
    functions = {op.sym_name.data: op for op in module.body.block.ops if isinstance(op, llvm.FuncOp)}
    faults: list[str] = []
    for name, function in functions.items():
        for op in function.body.walk():
            fault = _fault(op, functions)
            if fault is not None and (line := f"@{name}: {fault}") not in faults:
                faults.append(line)
    if faults:
        raise BackendError("nvptx: this module cannot become PTX:\n  " + "\n  ".join(faults))


def _fault(op: Operation, functions: dict[str, llvm.FuncOp]) -> str | None:
    if isinstance(op, llvm.CallIntrinsicOp):
        return _intrinsic_fault(op.intrin.data)
    if op.name.startswith("llvm.intr."):
        return _intrinsic_fault("llvm." + op.name.removeprefix("llvm.intr."))
    if isinstance(op, llvm.CallOp) and op.callee is not None:
        callee = op.callee.root_reference.data
        function = functions.get(callee)
        if function is not None and function.body.blocks:
            return None
        remedy = _REMEDIES.get(callee, _NO_LIBRARY)
        return f"calls @{callee}, which has no body: {remedy}"
    if isinstance(op, llvm.AllocaOp) and not isinstance(op.size.owner, llvm.ConstantOp):
        return "has a buffer on the stack whose size is not constant; give it a static size"
    if isinstance(op, llvm.InlineAsmOp):
        return "contains inline assembly of another processor; remove it"
    return None


_NO_LIBRARY = (
    "functions of the C library do not exist on a GPU; lower the model with expand-math{math=portable} and "
    "expand-rng{log=portable}, as cog-translate --emit=ptx does from stage machine or above"
)

_REMEDIES = {
    "malloc": "allocate outside of the kernel, or make the buffer static",
    "free": "free outside of the kernel",
    "puts": "it reports a failed cf.assert, which is not supported on a GPU; remove the assertion",
    "abort": "it ends the process after a failed cf.assert, which is not supported on a GPU; remove the assertion",
}


def _intrinsic_fault(name: str) -> str | None:
    if name.startswith("llvm.nvvm.") or base_name(name) in SUPPORTED_INTRINSICS:
        return None
    return f"uses {name}, which NVPTX does not support; run expand-math, which replaces it by a function of the module"


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
