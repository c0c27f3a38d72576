"""
The other road to machine code: `mlir-opt`, `mlir-translate` and `clang` of LLVM 22, nothing of which is ours.

`lower_with_mlir_opt` gives a shared object for a module of upstream dialects. Its functions take memrefs as MLIR's
descriptors; `MlirLibrary.call` makes them from arrays.

Tools are looked for in $COGIR_MLIR_OPT, $COGIR_MLIR_TRANSLATE, $COGIR_CLANG, then on the PATH, then in Debian's
folder for LLVM 22. Without them a test is skipped, with the reason; where CI=true it fails.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

LLVM_MAJOR = 22
_FOLDERS = (f"/usr/lib/llvm-{LLVM_MAJOR}/bin", "/opt/homebrew/opt/llvm/bin", "/usr/local/opt/llvm/bin")
_TOOLS = {"mlir-opt": "COGIR_MLIR_OPT", "mlir-translate": "COGIR_MLIR_TRANSLATE", "clang": "COGIR_CLANG", "opt": "COGIR_OPT"}

PASSES = (
    "lower-affine,convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-vector-to-llvm,"
    "convert-arith-to-llvm,arith-expand,finalize-memref-to-llvm,convert-math-to-llvm,convert-math-to-libm,convert-arith-to-llvm,"
    "convert-func-to-llvm,convert-cf-to-llvm,convert-ub-to-llvm,reconcile-unrealized-casts"
)
"""
MLIR's own way from the loops to the llvm dialect. What `arith-expand` is there for (divisions that round up or down) has no other way;
it comes after `convert-arith-to-llvm`, since its `maximumf` of 0.0 and -0.0 is not always 0.0, as the dialect says.
"""


@cache
def find_tool(name: str) -> str | None:
    """The path of an LLVM 22 tool, or None."""
    candidates = [os.environ.get(_TOOLS[name]), shutil.which(f"{name}-{LLVM_MAJOR}"), shutil.which(name)]
    candidates += [str(Path(folder) / name) for folder in _FOLDERS]
    for candidate in candidates:
        if candidate and Path(candidate).is_file():
            said = subprocess.run([candidate, "--version"], capture_output=True, text=True, check=False).stdout
            if f"version {LLVM_MAJOR}." in said:
                return candidate
    return None


def need_tools(*names: str) -> None:
    """Skips the running test when a tool is missing; fails it where CI=true."""
    missing = [name for name in names or ("mlir-opt", "mlir-translate", "clang") if find_tool(name) is None]
    if missing:
        reason = f"{', '.join(missing)} of LLVM {LLVM_MAJOR} not found; install it or set {', '.join(_TOOLS[name] for name in missing)}"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)


def run_tool(name: str, *arguments: str, text: str = "") -> str:
    """Runs a tool on `text` and returns what it prints; an assertion fails with its message when it fails."""
    path = find_tool(name)
    assert path is not None, f"{name} is missing; call need_tools first"
    done = subprocess.run([path, *arguments], input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{name} {' '.join(arguments)} failed:\n{done.stderr}\n{text}"
    return done.stdout


def lower_with_mlir_opt(module_text: str, folder: Path, name: str = "reference") -> Path:
    """
    The shared object that LLVM's own tools make of a module of upstream dialects.

    No contraction, and no knowledge of C functions: a call of `log` stays a call of `log`.
    """
    dialect = run_tool("mlir-opt", f"--pass-pipeline=builtin.module({PASSES})", text=module_text)
    ir = run_tool("mlir-translate", "--mlir-to-llvmir", text=dialect)
    source, target = folder / f"{name}.ll", folder / f"{name}.so"
    source.write_text(ir)
    run_tool(
        "clang",
        *("-O2", "-ffp-contract=off", "-fno-builtin", "-Wno-override-module", "-march=native"),
        # Our private functions are plain symbols here: without -Bsymbolic a `tanh` of ours would be that of the C library.
        *("-shared", "-fPIC", "-Wl,-Bsymbolic"),
        *(str(source), "-o", str(target), "-lm"),
    )
    return target


def verify_llvm_ir(text: str) -> None:
    """Fails unless LLVM's own verifier accepts this LLVM IR."""
    run_tool("opt", "-passes=verify", "-disable-output", "-", text=text)


class MlirLibrary:
    """A shared object made by `lower_with_mlir_opt`."""

    def __init__(self, path: Path):
        self._library = ctypes.CDLL(str(path))

    def call(self, name: str, arguments: Sequence[Any], result: Any = None) -> Any:
        """Calls a function; an array stands for a memref (its strides must be those of the memref's type)."""
        function = self._library[name]
        function.restype = result
        return function(*(value for argument in arguments for value in _expanded(argument)))


def _expanded(argument: Any) -> list[Any]:
    if isinstance(argument, np.ndarray):
        place = ctypes.c_void_p(argument.ctypes.data)
        strides = [stride // argument.itemsize for stride in argument.strides]
        return [place, place, ctypes.c_int64(0), *map(ctypes.c_int64, (*argument.shape, *strides))]
    if isinstance(argument, bool):
        return [ctypes.c_bool(argument)]
    if isinstance(argument, int):
        return [ctypes.c_int64(argument)]
    if isinstance(argument, float):
        return [ctypes.c_double(argument)]
    return [argument]
