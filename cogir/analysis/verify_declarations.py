"""
Checks that a module names no code from outside but the runtime's.

A function without a body, or a global without a value, is bound by its name to whatever the process has of that name: `@system` to the
shell. So each must be in the list of what cogir's own lowering declares:

- the C library's mathematics, `func.func private @log(f64) -> f64 attributes {cog.libm}`, with exactly these types;
- functions that stay Python, `attributes {cog.python = "..."}`, which no module reaches by their name: who built the model gives them;
- draws and elementary functions of cogir's library, `@cogir_rng_<kind>_<draw>` and `@cogir_math_<name>_<type>`, below stage `machine`;
- the functions that record traces, `@cogir_trace_<what>`, above the llvm dialect (`add-entry` gives them bodies);
- in the llvm dialect also `@malloc` and `@free` (buffers on the heap), `@puts` and `@abort` (`cf.assert`), and LLVM's intrinsics.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import func, llvm, memref
from xdsl.dialects.builtin import IntegerAttr, MemRefType, ModuleOp, UnitAttr, f32, f64, i32, i64
from xdsl.ir import Attribute, Operation
from xdsl.passes import ModulePass

from cogir.dialects.cog.ports import PlacedVerifyException
from cogir.dialects.llvm_ext import SHARED_SPACE
from cogir.dialects.python_functions import PYTHON
from cogir.dialects.rng import DRAW_PREFIX
from cogir.interpreters.searched import ARGUMENTS, COUNT_SEARCH
from cogir.interpreters.traces import FUNCTIONS as TRACING
from cogir.library.numerics.libm import ARITIES
from cogir.library.numerics.math import SOURCES
from cogir.library.random.variates import DRAWS

LIBM = "cog.libm"
"""The attribute of a declaration of a C function."""

SHARED, SHARED_MEMORY = IntegerAttr(SHARED_SPACE, i32), IntegerAttr(SHARED_SPACE, i64)
"""The address space of memory that the threads of a GPU's block share: it belongs to a kernel, and has no initial value."""

_POINTER, _VOID = llvm.LLVMPointerType(), llvm.LLVMVoidType()
_OF_LLVM: Mapping[str, tuple[Sequence[Attribute], Attribute]] = {
    "malloc": ([i64], _POINTER),
    "free": ([_POINTER], _VOID),
    "puts": ([_POINTER], i32),
    "abort": ([], _VOID),
}
"""The other C functions that lowering declares, with their types."""

_REPLACED_BY_THE_PROCESS = ("available_externally", "extern_weak", "common")

_DRAWS = frozenset(f"{DRAW_PREFIX}{kind}_{draw}" for kind, draw in DRAWS)
_ELEMENTARY = frozenset(f"cogir_math_{name}_{type}" for name in SOURCES for type in ("f64", "f32"))
_LANES = re.compile(r"_v\d+$")


class VerifyDeclarations(ModulePass):
    """Checks that nothing without a body is called but the runtime's functions."""

    name = "verify-declarations"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for each in op.walk():
            verify_declaration(each)


def verify_declaration(op: Operation, given: Container[str] = ()) -> None:
    """
    Raises VerifyException if `op` declares what is not in the runtime's list. `given`: further symbols, whose addresses the caller has.
    """
    if (check := _CHECKS.get(type(op))) is not None:
        check(op, given)


def c_function_type(symbol: str) -> tuple[list[Attribute], Attribute] | None:
    """The types of a function of the C library's mathematics that code may call; None for other names."""
    if (arity := ARITIES.get(symbol)) is not None:
        return [f64] * arity, f64
    if (arity := ARITIES.get(symbol.removesuffix("f"))) is not None:
        return [f32] * arity, f32
    return None


def of_the_library(symbol: str) -> bool:
    """True if cogir's library has a function of this name."""
    return symbol in _DRAWS or symbol in _ELEMENTARY or _LANES.sub("", symbol) in _ELEMENTARY


def may_be_linked(symbol: str) -> bool:
    """True if machine code may refer to this symbol of the process."""
    return c_function_type(symbol) is not None or symbol in _OF_LLVM


def _check_function(op: func.FuncOp, given: Container[str]) -> None:
    symbol = op.sym_name.data
    if not op.is_declaration or symbol in given or of_the_library(symbol) or PYTHON in op.attributes:
        return
    if symbol in TRACING:
        count, results = TRACING[symbol]
        if (list(op.function_type.inputs), list(op.function_type.outputs)) != ([i64] * count, [i64] * results):
            raise _refused(op, f"@{symbol} has no body; the function that records takes {count} i64 and returns {results}")
        return
    if symbol == COUNT_SEARCH and (list(op.function_type.inputs), list(op.function_type.outputs)) == ([i64] * ARGUMENTS, []):
        return
    known = c_function_type(symbol)
    if known is None:
        raise _refused(op, f"@{symbol} has no body, and the runtime has no function of that name; give it a body")
    inputs, output = known
    if (list(op.function_type.inputs), list(op.function_type.outputs)) != (inputs, [output]) or op.attributes.get(LIBM) != UnitAttr():
        types = ", ".join(str(type) for type in inputs)
        declaration = f"func.func private @{symbol}({types}) -> {output} attributes {{{LIBM}}}"
        raise _refused(op, f"@{symbol} has no body; give it one, or write the C function as: {declaration}")


def _check_llvm_function(op: llvm.FuncOp, given: Container[str]) -> None:
    symbol = op.sym_name.data
    _check_linkage(op)
    if op.body.blocks or symbol in given or of_the_library(symbol) or symbol.startswith("llvm."):
        return
    known = c_function_type(symbol) or _OF_LLVM.get(symbol)
    if known is None:
        raise _refused(op, f"@{symbol} has no body, and the runtime has no function of that name; give it a body")
    inputs, output = known
    found = op.function_type
    if (list(found.inputs), found.output, found.is_variadic) != (list(inputs), output, False):
        types = ", ".join(str(type) for type in inputs)
        raise _refused(
            op,
            f"@{symbol} has no body; the runtime's function of that name takes ({types}) and returns {output}; declare it with "
            "these types, or give it a body",
        )


def _check_linkage(op: llvm.FuncOp | llvm.GlobalOp) -> None:
    """Refuses what LLVM may drop the body of, to bind the name to that of the process."""
    if (linkage := op.linkage.linkage.data) in _REPLACED_BY_THE_PROCESS:
        raise _refused(
            op, f"@{op.sym_name.data} is {linkage}, so its name may be bound to code of the process; make it internal or external"
        )


def _check_global(op: llvm.GlobalOp, given: Container[str]) -> None:
    _check_linkage(op)
    if op.linkage.linkage.data == "internal" and op.addr_space == SHARED:
        return
    if op.value is None and not op.body.blocks and op.sym_name.data not in given:
        raise _refused(
            op, f"@{op.sym_name.data} has no initial value, so its name would be bound to a variable of the process; give it a value"
        )


def _check_memory(op: memref.GlobalOp, given: Container[str]) -> None:
    if cast("MemRefType[Any]", op.type).memory_space == SHARED_MEMORY and op.sym_visibility.data == "private":
        return
    if isinstance(op.initial_value, UnitAttr) and op.sym_name.data not in given:
        raise _refused(
            op, f"@{op.sym_name.data} has no initial value, so its name would be bound to a variable of the process; give it a value"
        )


def _refused(op: Operation, message: str) -> PlacedVerifyException:
    return PlacedVerifyException(op, f"verify-declarations: {op.name} {message}")


_CHECKS: dict[type[Operation], Callable[[Any, Container[str]], None]] = {
    func.FuncOp: _check_function,
    llvm.FuncOp: _check_llvm_function,
    llvm.GlobalOp: _check_global,
    memref.GlobalOp: _check_memory,
}
