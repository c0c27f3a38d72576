"""Compiles a Python function for given arguments, interprets the IR, and holds the results against Python's own."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from support.native import call
from xdsl.dialects import func, tensor
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, ModuleOp, StringAttr, TensorType, f32, f64, i1, i64
from xdsl.ir import Attribute, Block, Region, SSAValue

from cogir.backend.jit import compile_module
from cogir.dialects.rng import StateType
from cogir.interpreters.checks import CHECKS
from cogir.interpreters.engine import Engine
from cogir.interpreters.func import function as interpreted
from cogir.interpreters.levels import ALL_MEANINGS, run_function
from cogir.library.random.generators import Stream, initial_words
from cogir.library.signature import Step, signature_of
from cogir.lowering.pipeline import lower_to
from cogir.pyfunc.table import FunctionTable, compile_function

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


def compiled_results(function: Callable[..., Any], *inputs: Any, statics: Mapping[str, Any] | None = None, **given: Any) -> tuple[Any, ...]:
    """What the compiled function returns: outputs, next states, next generator states, finished."""
    module, values = compile_for(function, *inputs, statics=statics, **given)
    return run_function(module, "main", values)


def checked_results(function: Callable[..., Any], *inputs: Any, statics: Mapping[str, Any] | None = None, **given: Any) -> tuple[Any, ...]:
    """The same from an interpreter that raises where Python does."""
    return _checked_results(*compile_for(function, *inputs, statics=statics, **given))


def _checked_results(module: ModuleOp, values: list[Any]) -> tuple[Any, ...]:
    engine = Engine(module, (CHECKS, *ALL_MEANINGS))
    return tuple(interpreted(engine.symbol("main"), engine)(*values))


def python_results(function: Callable[..., Any], *inputs: Any, statics: Mapping[str, Any] | None = None, **given: Any) -> tuple[Any, ...]:
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
    native: bool = False,
    **given: Any,
) -> tuple[Any, ...]:
    """
    The compiled function gives what Python gives, and the checks find nothing where Python does not raise.

    `native` also checks the bits of machine code, as `check_native` does, with one compilation for both.
    """
    module, values = compile_for(function, *inputs, statics=statics, **given)
    actual = _checked_results(module, copy.deepcopy(values))
    expected = python_results(function, *inputs, statics=statics, **given)
    assert len(actual) == len(expected), f"{len(actual)} results, Python gives {len(expected)}"
    for a, b in zip(actual, expected, strict=True):
        assert_same(a, b, tolerance)
    if native:
        _check_native(module, values)
    return actual


def native_results(function: Callable[..., Any], *inputs: Any, **given: Any) -> tuple[Any, ...]:
    """What machine code returns: the module on the whole road from stage `machine` down, called through a wrapper."""
    module, values = compile_for(function, *inputs, **given)
    return _machine_code(module)(*values)


def interpreted_for(function: Callable[..., Any], *inputs: Any) -> Callable[..., tuple[Any, ...]]:
    """`compiled_results` of a function for any arguments of the types of these: compiled once."""
    module, _ = compile_for(function, *inputs)
    return lambda *values: run_function(module, "main", values)


def native_for(function: Callable[..., Any], *inputs: Any) -> Callable[..., tuple[Any, ...]]:
    """`native_results` of a function for any arguments of the types of these: compiled once."""
    return _machine_code(compile_for(function, *inputs)[0])


def _machine_code(module: ModuleOp) -> Callable[..., tuple[Any, ...]]:
    """`@main` of a module at stage `machine` as machine code. The module is lowered in place."""
    body = next(op for op in module.ops if isinstance(op, func.FuncOp) and op.sym_name.data == "main")
    body.properties |= {"sym_name": StringAttr("body"), "sym_visibility": StringAttr("private")}
    updates = _wrap(module, body)
    outputs = list(body.function_type.outputs)
    lower_to(module, "llvm", since="machine")
    code = compile_module(module)

    def results_of(*values: Any) -> tuple[Any, ...]:
        destinations = [
            np.zeros(type.get_shape() if isinstance(type, TensorType) else (1,), _dtype_of(type))
            for type in outputs
            if not isinstance(type, StateType)
        ]
        arguments: list[Any] = [np.array(value) if isinstance(value, np.ndarray) else value for value in values]
        call(code, "main", [*arguments, *destinations])
        written = iter(destinations)
        results: list[Any] = []
        for position, type in enumerate(outputs):
            if position in updates:
                results.append(arguments[updates[position]])
            else:
                held = next(written)
                results.append(held if isinstance(type, TensorType) else held[0].item())
        return tuple(results)

    return results_of


def _dtype_of(type: Attribute) -> Any:
    element = type.get_element_type() if isinstance(type, TensorType) else type
    return {f64: np.float64, f32: np.float32, i64: np.int64, i1: np.bool_}[element]


def _wrap(module: ModuleOp, body: func.FuncOp) -> dict[int, int]:
    """
    Adds `@main`, which calls `body` and returns arrays only, as memory that the caller gives.

    The result is, for each generator state that comes back, the argument that it takes the place of.
    """
    inputs, outputs = list(body.function_type.inputs), list(body.function_type.outputs)
    block = Block(arg_types=inputs)
    call_op = func.CallOp("body", block.args, outputs)
    block.add_op(call_op)
    results: list[SSAValue] = []
    for result in call_op.results:
        if not isinstance(result.type, TensorType | StateType):
            result = tensor.FromElementsOp(result)
            block.add_op(result)
            results.append(result.results[0])
        else:
            results.append(result)
    block.add_op(func.ReturnOp(*results))
    generators = [position for position, type in enumerate(inputs) if isinstance(type, StateType)]
    returned = [position for position, type in enumerate(outputs) if isinstance(type, StateType)]
    updates = dict(zip(returned, generators, strict=True))
    attributes = [
        DictionaryAttr({"cog.updates": IntegerAttr(returned[generators.index(position)], i64)} if position in generators else {})
        for position in range(len(inputs))
    ]
    main = func.FuncOp("main", (inputs, [result.type for result in results]), Region(block), arg_attrs=ArrayAttr(attributes))
    module.body.block.add_op(main)
    module.verify()
    return updates


def check_native(function: Callable[..., Any], *inputs: Any, **given: Any) -> None:
    """Machine code gives the bits that the interpreter gives."""
    _check_native(*compile_for(function, *inputs, **given))


def _check_native(module: ModuleOp, values: list[Any]) -> None:
    interpreted = run_function(module, "main", copy.deepcopy(values))
    check_bits(_machine_code(module)(*values), interpreted)


def check_bits(native: tuple[Any, ...], interpreted: tuple[Any, ...]) -> None:
    """What machine code returned has the bits of what the interpreter returned."""
    for position, (a, b) in enumerate(zip(native, interpreted, strict=True)):
        same = np.asarray(a).tobytes() == np.asarray(b).tobytes() or (np.isnan(a).all() and np.isnan(b).all())
        assert same, f"result {position}: machine code {a!r}, interpreted {b!r}"
