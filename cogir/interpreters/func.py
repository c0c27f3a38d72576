"""
The meaning of `func`: calls to functions of the module, and to the C library's mathematics.

A function without a body is a Python function that the engine was given, when it carries `cog.python`;
the C library's function of that name, reached through ctypes, when it carries `cog.libm`;
a function that records traces (`interpreters/traces.py`), if the engine has a recorder;
a draw `@cogir_rng_<kind>_<draw>`, which moves the words of a generator on in place, as long as `expand-rng` has not given
it a body; or else implemented by a registered `impl_external`.
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

from cogir.dialects.python_functions import PYTHON
from cogir.dialects.rng import DRAW_PREFIX
from cogir.errors import ExecutionError
from cogir.interpreters.engine import Engine, Meanings
from cogir.interpreters.searched import COUNT_SEARCH
from cogir.interpreters.traces import FUNCTIONS as TRACING
from cogir.interpreters.traces import meaning as record
from cogir.library.numerics.libm import ARITIES, libm
from cogir.library.random.ahead import AHEADS, GIVEN_BACK
from cogir.library.random.generators import Stream, Words, seeded_words
from cogir.library.random.variates import VARIATES

_C_TYPES: dict[Attribute, Any] = {
    Float64Type(): ctypes.c_double,
    Float32Type(): ctypes.c_float,
    IntegerType(64): ctypes.c_int64,
    IntegerType(32): ctypes.c_int32,
}


@cache
def c_function(name: str, argument_types: tuple[Attribute, ...], result_type: Attribute) -> Callable[..., Any]:
    """
    The C library's function `name`, with the C types of the given ones.

    :raises ExecutionError: for a function that is not of the library's mathematics: models do not call what acts on the process.
    """
    if name not in ARITIES and name.removesuffix("f") not in ARITIES:
        raise ExecutionError(f"interpreter: @{name} has no body, and the runtime has no function of that name; give it a body")
    try:
        function = getattr(libm(), name)
    except (OSError, AttributeError):
        raise ExecutionError(f"interpreter: the C library has no function '{name}'") from None
    function.argtypes = [_C_TYPES[type] for type in argument_types]
    function.restype = _C_TYPES[result_type]
    return function


def draw_in_place(kind: str, draw: str) -> Callable[..., PythonValues]:
    """A draw as `bufferize` leaves it: the words of the state are changed, the number is the result."""

    def seed(*key_and_words: Any) -> PythonValues:
        *key, words = key_and_words
        words[:] = seeded_words(kind, *key)
        return ()

    def number(words: Words, *args: Any) -> PythonValues:
        stream = Stream(kind, words.copy())
        if (kind, draw) in VARIATES:
            value = stream.sample(draw, (), *args)
        else:
            value = stream.integer(*args) if draw == "integer" else getattr(stream, draw)()
        words[:] = stream.words
        return (value,)

    def ahead(words: Words) -> PythonValues:
        if draw == GIVEN_BACK:
            words[:] = AHEADS[kind, draw](words)
            return ()
        number, words[:] = AHEADS[kind, draw](words)
        return (number,)

    if (kind, draw) in AHEADS:
        return ahead
    return seed if draw in ("seed", "keyed", "keyed4") else number


def function(op: Operation, engine: Engine) -> Callable[..., PythonValues]:
    """A `func.func` as a Python function of its arguments."""
    if not isinstance(op, func.FuncOp):
        raise ExecutionError(f"interpreter: the callee is a '{op.name}'; only a func.func can be called")
    symbol = op.sym_name.data
    if not op.is_declaration:
        return lambda *args: engine.run_isolated(op.body, args, f"@{symbol}")
    if PYTHON in op.attributes:
        if symbol not in engine.python:
            raise ExecutionError(
                f"interpreter: @{symbol} is a Python function, which is not part of the module; run the model in the process that built it"
            )
        return engine.python[symbol]
    if "cog.libm" in op.attributes:
        call = c_function(symbol, op.function_type.inputs.data, op.function_type.outputs.data[0])
        return lambda *args: (call(*args),)
    if symbol in TRACING and engine.recorder is not None:
        return record(symbol, engine.recorder)
    if symbol == COUNT_SEARCH:
        return lambda *args: ()
    if symbol.startswith(DRAW_PREFIX):
        kind, _, draw = symbol.removeprefix(DRAW_PREFIX).rpartition("_")
        return draw_in_place(kind, draw)
    return lambda *args: engine.call_external(symbol, op, args)


def call(op: func.CallOp, engine: Engine) -> Callable[..., PythonValues]:
    return function(engine.symbol(op.callee.string_value()), engine)


MEANINGS = Meanings(results={func.CallOp: call}, terminators=(func.ReturnOp,))
