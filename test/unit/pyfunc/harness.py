"""Compiles a Python function for given arguments, interprets the IR, and holds the results against Python's own."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp, StringAttr, TensorType, f64, i1, i64
from xdsl.ir import Attribute

from cogir.dialects.rng import StateType
from cogir.interpreters import run_function
from cogir.library.generators import Stream, initial_words
from cogir.library.signature import Step, signature_of
from cogir.pyfunc import FunctionTable, compile_function

GENERATOR = "mt19937"
ELEMENTS: dict[type, Attribute] = {bool: i1, int: i64, float: f64}


def type_of(value: Any) -> Attribute:
    """The type of a Python number or array as an argument."""
    array = np.asarray(value)
    element = {"b": i1, "i": i64, "f": f64}[array.dtype.kind]
    return TensorType(element, array.shape) if array.shape else element


def module_of(table: FunctionTable) -> ModuleOp:
    """A verified module of all compiled functions; the node functions are public."""
    module = ModuleOp([op for op in table.functions()])
    module.verify()
    return module


def compile_for(
    function: Callable[..., Any], *inputs: Any, statics: Mapping[str, Any] | None = None, **given: Any
) -> tuple[ModuleOp, list[Any]]:
    """The module of `function` (symbol @main) for these arguments, and the arguments in the order of the compiled one."""
    signature = signature_of(function)
    assert len(inputs) == len(signature.inputs)
    named = [given.get(name, default) for name, default in (*signature.params.items(), *signature.states.items())]
    values: list[Any] = [*inputs, *named]
    types: list[Attribute] = [type_of(value) for value in values]
    types += [StateType(GENERATOR)] * len(signature.randoms)
    values += [initial_words(GENERATOR, 7 + position) for position in range(len(signature.randoms))]
    table = FunctionTable()
    op = compile_function(function, types, name="main", statics=statics or {}, symbol_table=table)
    module = module_of(table)
    op.properties["sym_visibility"] = StringAttr("public")
    # State types may have grown.
    for position, type in enumerate(op.function_type.inputs):
        if isinstance(type, TensorType):
            dtype = {f64: np.float64, i64: np.int64, i1: np.bool_}[type.get_element_type()]
            values[position] = np.array(np.broadcast_to(np.asarray(values[position], dtype), type.get_shape()))
        elif type == f64:
            values[position] = float(values[position])
    return module, values


def compiled_results(
    function: Callable[..., Any], *inputs: Any, statics: Mapping[str, Any] | None = None, **given: Any
) -> tuple[Any, ...]:
    """What the compiled function returns: outputs, next states, next generator states, finished."""
    module, values = compile_for(function, *inputs, statics=statics, **given)
    return run_function(module, "main", values)


def python_results(
    function: Callable[..., Any], *inputs: Any, statics: Mapping[str, Any] | None = None, **given: Any
) -> tuple[Any, ...]:
    """What Python makes of the same call, in the same order."""
    signature = signature_of(function)
    streams = [Stream(GENERATOR, initial_words(GENERATOR, 7 + position)) for position in range(len(signature.randoms))]

    def held(value: Any) -> Any:
        value = copy.deepcopy(value)
        return np.float64(value) if isinstance(value, float) else value

    named: dict[str, Any] = {
        name: held(given.get(name, default)) for name, default in (*signature.params.items(), *signature.states.items())
    }
    named |= dict(zip(signature.randoms, streams, strict=True)) | dict(statics or {})
    with np.errstate(all="ignore"):
        result = function(*map(held, inputs), **named)
    if not isinstance(result, Step):
        result = Step(result)
    outputs = result.outputs if isinstance(result.outputs, tuple) else (result.outputs,)
    states = result.states if isinstance(result.states, tuple) else (result.states,)
    finished = () if result.finished is None else (bool(result.finished),)
    return (*outputs, *states, *(stream.words for stream in streams), *finished)


def assert_same(actual: Any, expected: Any, tolerance: float = 0.0) -> None:
    """One result against Python's: shape, and value (NaN equals NaN) up to `tolerance` relative to the largest element."""
    a, b = np.asarray(actual), np.asarray(expected)
    assert a.shape == b.shape, f"shape {a.shape}, Python gives {b.shape}"
    kinds = {a.dtype.kind, b.dtype.kind}
    assert "b" not in kinds or len(kinds) == 1, f"{a.dtype}, Python gives {b.dtype}"
    if tolerance == 0.0:
        np.testing.assert_array_equal(a, b)
        return
    with np.errstate(all="ignore"):
        finite = np.abs(b[np.isfinite(b)])
        limit = tolerance * float(finite.max(initial=0.0))
    np.testing.assert_allclose(a, b, rtol=tolerance, atol=limit)


def check(
    function: Callable[..., Any],
    *inputs: Any,
    statics: Mapping[str, Any] | None = None,
    tolerance: float = 1e-14,
    **given: Any,
) -> tuple[Any, ...]:
    """The compiled function gives what Python gives."""
    actual = compiled_results(function, *inputs, statics=statics, **given)
    expected = python_results(function, *inputs, statics=statics, **given)
    assert len(actual) == len(expected), f"{len(actual)} results, Python gives {len(expected)}"
    for a, b in zip(actual, expected, strict=True):
        assert_same(a, b, tolerance)
    return actual
