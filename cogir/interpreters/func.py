"""
The meaning of `func`: calls to functions of the module, and to the C library's mathematics.

A function without a body is either implemented by a registered `impl_external`, or, when it carries `cog.libm`, is the
C library's function of that name, reached through ctypes.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

from xdsl.dialects import func
from xdsl.dialects.builtin import Float32Type, Float64Type, IntegerType
from xdsl.interpreter import PythonValues
from xdsl.ir import Attribute, Operation

from cogir.errors import ExecutionError
from cogir.interpreters.engine import Engine, Meanings

_C_TYPES: dict[Attribute, Any] = {
    Float64Type(): ctypes.c_double,
    Float32Type(): ctypes.c_float,
    IntegerType(64): ctypes.c_int64,
    IntegerType(32): ctypes.c_int32,
}


@cache
def c_function(name: str, argument_types: tuple[Attribute, ...], result_type: Attribute) -> Callable[..., Any]:
    """The C library's function `name`, with the C types of the given ones."""
    try:
        function = getattr(ctypes.CDLL("libm.so.6"), name)
    except (OSError, AttributeError):
        raise ExecutionError(f"interpreter: the C library has no function '{name}'") from None
    function.argtypes = [_C_TYPES[type] for type in argument_types]
    function.restype = _C_TYPES[result_type]
    return function


def function(op: Operation, engine: Engine) -> Callable[..., PythonValues]:
    """A `func.func` as a Python function of its arguments."""
    if not isinstance(op, func.FuncOp):
        raise ExecutionError(f"interpreter: '{op.name}' cannot be called; only func.func can")
    symbol = op.sym_name.data
    if not op.is_declaration:
        return lambda *args: engine.run_isolated(op.body, args, f"@{symbol}")
    if "cog.libm" in op.attributes:
        call = c_function(symbol, op.function_type.inputs.data, op.function_type.outputs.data[0])
        return lambda *args: (call(*args),)
    return lambda *args: engine.call_external(symbol, op, args)


def call(op: func.CallOp, engine: Engine) -> Callable[..., PythonValues]:
    return function(engine.symbol(op.callee.string_value()), engine)


MEANINGS = Meanings(results={func.CallOp: call}, terminators=(func.ReturnOp,))
