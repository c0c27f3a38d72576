"""Short ways from text at the level of loops to a module, to code, and to a call."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.context import Context
from xdsl.dialects import get_all_dialects
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from cogir.analysis.verify_ssa import verify_ssa
from cogir.backend.jit import CompiledCode, compile_module
from cogir.dialects import llvm_ext
from cogir.lowering.convert_scf_to_cf import ConvertScfToCf
from cogir.lowering.convert_to_llvm import ConvertToLlvm


def context() -> Context:
    """A context with all upstream dialects, and our `llvm`."""
    made = Context(allow_unregistered=False)
    for name, dialect in get_all_dialects().items():
        made.register_dialect(name, (lambda: llvm_ext.LLVM) if name == "llvm" else dialect)
    return made


def parse(text: str) -> ModuleOp:
    """A verified module from text."""
    module = Parser(context(), text).parse_module()
    module.verify()
    verify_ssa(module)
    return module


def lower(module: ModuleOp) -> ModuleOp:
    """Lowers a module of loops to the llvm dialect in place, verifying it after each pass."""
    for step in (ConvertScfToCf(), ConvertToLlvm()):
        step.apply(context(), module)
        module.verify()
        verify_ssa(module)
    return module


def compile_text(text: str, **options: Any) -> CompiledCode:
    """Machine code for text at the level of loops."""
    return compile_module(lower(parse(text)), **options)


def call(code: CompiledCode, name: str, arguments: Sequence[Any], result: Any = None) -> Any:
    """Calls a function; arrays are passed as bare pointers, int as i64, float as f64, bool as i1."""
    types = {np.ndarray: ctypes.c_void_p, bool: ctypes.c_bool, int: ctypes.c_int64, float: ctypes.c_double}
    function = code.function(name, result, *(types[type(argument)] for argument in arguments))
    return function(*(argument.ctypes.data if isinstance(argument, np.ndarray) else argument for argument in arguments))
