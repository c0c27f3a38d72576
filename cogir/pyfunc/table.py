"""
Compiles Python functions, each once for the types and constants that it is called with.

    table = FunctionTable()
    step = compile_function(logistic, [f64, f64], name="logistic", symbol_table=table)
    module = ModuleOp(table.functions())
"""

from __future__ import annotations

import ast
import inspect
import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import FunctionType, MappingProxyType
from typing import Any, cast

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Region, SSAValue

from cogir.dialects.rng import StateType
from cogir.errors import FunctionError
from cogir.library.called_directly import compiled_from
from cogir.library.signature import REQUIRED, FunctionSignature, Step, signature_of
from cogir.pyfunc.calls import NoResult, must_call_in_place
from cogir.pyfunc.elementwise import broadcast_node, cast_node, common_kind, convert, has_other_width, materialise, node_of, scalar_of
from cogir.pyfunc.emitter import Emitter, set_hint
from cogir.pyfunc.expressions import Expressions
from cogir.pyfunc.flow import Frame
from cogir.pyfunc.intrinsics import libm_declaration
from cogir.pyfunc.joining import (
    ArraySpec,
    ConstSpec,
    GeneratorSpec,
    ScalarSpec,
    Spec,
    TupleSpec,
    leaf_types,
    leaves,
    rebuild,
    spec_of,
    variable_spec,
    with_storage,
)
from cogir.pyfunc.kinds import ELEMENT_TYPES, KINDS, tensor_type
from cogir.pyfunc.source import FunctionNode, SourceFile, function_source, names_of, portable_name
from cogir.pyfunc.statements import Statements
from cogir.pyfunc.trees import Tensor
from cogir.pyfunc.values import (
    ARGUMENT,
    Array,
    Borrowed,
    Const,
    GeneratorRef,
    GeneratorState,
    Storage,
    Tuple,
    Value,
    array_key,
    describe,
    is_numeric,
    kind_of,
    other_width,
    shape_of_value,
    storages_of,
    wrap,
)


@dataclass(frozen=True)
class CompiledFunction:
    """A compiled function: its operation, and what it returns (generators' next states come last)."""

    op: func.FuncOp
    result: Spec
    callees: frozenset[str]
    memory: Mapping[Storage, str]
    """The memory of each parameter, which parts of the result may share."""


class FunctionTable:
    """The functions of one module; equal calls share one of them."""

    def __init__(self, reserved: Iterable[str] = ()):
        """`reserved` are symbols that the module has already."""
        self._symbols: set[str] = set(reserved)
        self._compiled: dict[object, CompiledFunction] = {}
        self._running: list[object] = []
        self._libm: dict[str, func.FuncOp] = {}
        self._nodes: dict[object, CompiledFunction] = {}
        self.finishing: set[str] = set()
        """The symbols of the node functions that say when they have finished."""

    def functions(self) -> list[func.FuncOp]:
        """
        The operations that the compiled node functions need, callees before callers, C library declarations first.

        They belong to no module yet, or to the one to which the caller added them.
        """
        by_name = {entry.op.sym_name.data: entry for entry in (*self._compiled.values(), *self._nodes.values())}
        wanted: dict[str, None] = {}

        def visit(name: str) -> None:
            if name in wanted or name not in by_name:
                return
            for callee in sorted(by_name[name].callees):
                visit(callee)
            wanted[name] = None

        for entry in self._nodes.values():
            visit(entry.op.sym_name.data)
        called = {callee for name in wanted for callee in by_name[name].callees}
        declarations = [op for name, op in self._libm.items() if name in called]
        return [*declarations, *(by_name[name].op for name in wanted)]

    def symbol(self, name: str) -> str:
        """A symbol that is not taken yet, made from `name`."""
        base = "".join(letter if letter.isalnum() or letter in "_.$" else "_" for letter in name) or "function"
        if base[0].isdigit():
            base = "_" + base
        found = next(
            candidate
            for candidate in itertools.chain([base], (f"{base}_{number}" for number in itertools.count(1)))
            if candidate not in self._symbols
        )
        self._symbols.add(found)
        return found

    # Calls from compiled functions

    def call(self, caller: Expressions, function: FunctionType, bound: Mapping[str, Value], node: Any) -> Value:
        """A call of `function` from a function that is being compiled."""
        e = caller.e
        statics = signature_of(function).statics
        specs: dict[str, Spec] = {}
        operands: list[SSAValue] = []
        generators: list[str] = []
        for name, value in bound.items():
            if isinstance(value, GeneratorRef):
                state = caller.env[value.key]
                if value.key in generators:
                    raise e.error(f"{function.__name__} is given the same generator twice; give it once", node)
                generators.append(value.key)
                specs[name] = spec_of(state)
                operands += leaves(e, state, specs[name])
                continue
            spec = spec_of(value)
            specs[name] = spec if name in statics else _argument_spec(spec)
            operands += leaves(e, value, specs[name])
        if not any(map(_has_float32, specs.values())):
            specs = {name: _either(spec) for name, spec in specs.items()}
        compiled = self._helper(function, specs, caller, node)
        types = compiled.op.function_type.outputs.data
        results = iter(e.call_symbol(compiled.op.sym_name.data, operands, types))
        value = rebuild(_at_caller(compiled, bound), results)
        for key, state in zip(generators, results, strict=True):
            caller.env[key] = GeneratorState(state)
        return value

    def _helper(self, function: FunctionType, specs: Mapping[str, Spec], caller: Expressions, node: Any) -> CompiledFunction:
        key = (function, tuple((name, _key(spec)) for name, spec in specs.items()))
        found = self._compiled.get(key)
        if found is None:
            if key in self._running:
                raise caller.e.error(f"'{function.__name__}' calls itself; recursion is not in the subset: write a loop", node)
            self._running.append(key)
            try:
                found = self._compile_helper(function, specs)
            finally:
                self._running.pop()
            self._compiled[key] = found
        return found

    def _compile_helper(self, function: FunctionType, specs: Mapping[str, Spec]) -> CompiledFunction:
        unit = Unit(self, function, specs)
        value = unit.run()
        if must_call_in_place(value):
            raise NoResult
        spec = spec_of(value)
        results = list(leaves(unit.e, value, spec))
        results += [unit.state(key) for key in unit.generators]
        op = unit.finish(self.symbol(function.__name__), results)
        return CompiledFunction(op, spec, frozenset(unit.callees), unit.memory)

    def libm(self, name: str, operands: Sequence[Attribute], result: Attribute) -> None:
        """Declares a function of the C library."""
        if name not in self._libm:
            self._symbols.add(name)
            self._libm[name] = libm_declaration(name, operands, result)

    # Node functions

    def node(self, function: FunctionType, arg_types: Sequence[Attribute], name: str, statics: Mapping[str, Any]) -> func.FuncOp:
        """See `compile_function`."""
        signature = signature_of(function)
        unknown = set(statics) - set(signature.statics)
        place = f"{portable_name(function.__code__.co_filename)}:{function.__code__.co_firstlineno}: {function.__name__}"
        if unknown:
            raise FunctionError(f"{place}: no Static argument {sorted(unknown)}; there are {sorted(signature.statics)}")
        chosen = {**signature.statics, **statics}
        missing = [key for key, value in chosen.items() if value is REQUIRED]
        if missing:
            raise FunctionError(f"{place}: the Static arguments {missing} have no value; give one")
        arguments = signature.arguments
        if len(arg_types) != len(arguments):
            raise FunctionError(
                f"{place}: {len(arg_types)} argument types for {len(arguments)} arguments ({', '.join(arguments)}); give one each"
            )
        key = (function, tuple(arg_types), tuple((key, _key(ConstSpec(wrap(value)))) for key, value in chosen.items()))
        found = self._nodes.get(key)
        if found is None:
            types = list(arg_types)
            # State types grow until the next states fit.
            while True:
                unit, results, grown = self._compile_node(function, signature, types, chosen, place)
                if grown is None:
                    break
                types = grown
            found = self._nodes[key] = CompiledFunction(
                unit.finish(self.symbol(name), results), ConstSpec(Const(None)), frozenset(unit.callees), unit.memory
            )
            if unit.finishes:
                self.finishing.add(found.op.sym_name.data)
        return found.op

    def _compile_node(
        self,
        function: FunctionType,
        signature: FunctionSignature,
        types: Sequence[Attribute],
        statics: Mapping[str, Any],
        place: str,
    ) -> tuple[Unit, list[SSAValue], list[Attribute] | None]:
        specs: dict[str, Spec] = {name: _spec_of_type(type, name, place) for name, type in zip(signature.arguments, types, strict=True)}
        for name in signature.randoms:
            if not isinstance(specs[name], GeneratorSpec):
                raise FunctionError(f"{place}: {name} is a generator and has type !rng.state<...>, not {types[-1]}")
        specs |= {name: ConstSpec(wrap(value)) for name, value in statics.items()}
        unit = Unit(self, function, specs)
        value = unit.run()
        outputs, states, finished = _parts_of_result(unit, value, bool(signature.states))
        for part in (*outputs, *states):
            if isinstance(part, Const) and has_other_width(part):
                raise unit.e.error(f"returns {other_width(part)}", place_of_return(unit.tree))
        if len(states) != len(signature.states):
            raise unit.error(
                f"returns {len(states)} states, but has {len(signature.states)} State arguments"
                f" ({', '.join(signature.states)}); return one for each, in that order: Step(outputs=..., states=(...))"
            )
        first = len(signature.inputs) + len(signature.params)
        grown = list(types)
        for position, (name, state) in enumerate(zip(signature.states, states, strict=True)):
            grown[first + position] = _state_type(unit, name, types[first + position], state)
        if grown != list(types):
            return unit, [], grown
        signature.output_names(len(outputs))
        results = [unit.output(output, f"output {position}") for position, output in enumerate(outputs)]
        results += [unit.fitted(state, types[first + position]) for position, state in enumerate(states)]
        results += [unit.state(key) for key in unit.generators]
        unit.finishes = finished is not None
        if finished is not None:
            results.append(unit.truth_of(finished))
        return unit, results, None


class Unit(Statements):
    """One function that becomes one `func.func`."""

    def __init__(self, table: FunctionTable, function: FunctionType, specs: Mapping[str, Spec]):
        file, node = function_source(function)
        names = names_of(node)
        super().__init__(Emitter(file, function.__name__), Frame("", node, names, file, function.__name__, function, None), table)
        self.e.at(node)
        self.e.call = self._call_helper
        self.e.libm = self._libm
        self.tree: FunctionNode = node
        self.file: SourceFile = file
        self.callees: set[str] = set()
        self.generators: list[str] = []
        self.memory: dict[Storage, str] = {}
        self.finishes = False
        """True if its last result says whether a node has finished."""
        for name, spec in specs.items():
            self._argument(name, spec)

    def _argument(self, name: str, spec: Spec) -> None:
        entry = self.e.entry
        arguments: list[SSAValue] = []
        for type in leaf_types(spec):
            argument = entry.insert_arg(type, len(entry.args))
            set_hint(argument, name)
            arguments.append(argument)
        memory = Borrowed()
        self.memory[memory] = name
        value = rebuild(_as_argument(spec, frozenset({memory})), iter(arguments))
        if isinstance(value, GeneratorState):
            key = f"%{name}"
            self.generators.append(key)
            self.env[key] = value
            value = GeneratorRef(key)
        self.env[name] = value

    def _call_helper(self, function: Callable[..., Any], operands: Sequence[SSAValue]) -> Sequence[SSAValue]:
        assert isinstance(function, FunctionType)
        names = list(inspect.signature(function).parameters)
        specs: dict[str, Spec] = {name: ScalarSpec(KINDS[operand.type]) for name, operand in zip(names, operands, strict=True)}
        compiled = self.table._helper(function, specs, self, self.e.node)  # pyright: ignore[reportPrivateUsage]
        return self.e.call_symbol(compiled.op.sym_name.data, operands, compiled.op.function_type.outputs.data)

    def _libm(self, name: str, operands: Sequence[Attribute], result: Attribute) -> None:
        self.table.libm(name, operands, result)

    def run(self) -> Value:
        """Compiles the body; the value that the function returns."""
        if isinstance(self.tree, ast.Lambda):
            return self.expression(self.tree.body)
        return self.returned(self.block(self.tree.body), self.tree)

    def error(self, message: str) -> FunctionError:
        return self.e.error(message, self.tree)

    def state(self, key: str) -> SSAValue:
        value = self.env[key]
        assert isinstance(value, GeneratorState)
        return value.ssa

    def output(self, value: Value, what: str) -> SSAValue:
        """A returned value as one leaf."""
        node = node_of(value)
        if node is None:
            raise self.error(f"returns {describe(value)} as {what}; return numbers or arrays, one per port")
        (ssa,) = leaves(self.e, value, variable_spec(spec_of(value)))
        return ssa

    def fitted(self, value: Value, type: Attribute) -> SSAValue:
        """A value converted and broadcast to a type that it fits."""
        node = node_of(value)
        assert node is not None
        kind = KINDS[type.get_element_type()] if isinstance(type, TensorType) else KINDS[type]  # pyright: ignore
        if not isinstance(type, TensorType):
            converted = node_of(convert(self.e, value, kind))
            assert converted is not None
            return scalar_of(self.e, converted)
        shape = cast("TensorType[Any]", type).get_shape()
        return materialise(self.e, broadcast_node(cast_node(node, kind), shape)).ssa

    def truth_of(self, value: Value) -> SSAValue:
        test = self.truth(value, self.tree)
        return self.e.constant(test, "i1") if isinstance(test, bool) else test

    def finish(self, symbol: str, results: Sequence[SSAValue]) -> func.FuncOp:
        """The function operation."""
        self.e.add(func.ReturnOp(*results))
        block = self.e.finish()
        op = func.FuncOp(
            symbol,
            ([argument.type for argument in block.args], [result.type for result in results]),
            Region(block),
            "private",
        )
        op.location = self.file.location(self.tree.lineno)
        self.callees = {call.callee.string_value() for call in op.walk() if isinstance(call, func.CallOp)}
        return op


def _argument_spec(spec: Spec) -> Spec:
    """The spec of an argument: floats and arrays are passed at run time, so that calls share a function; ints and names are constants."""
    match spec:
        case ConstSpec(Const(float() | np.ndarray()) as constant) if not has_other_width(constant):
            return variable_spec(spec)
        case TupleSpec(items, cls, storage):
            return TupleSpec(tuple(map(_argument_spec, items)), cls, storage)
        case _:
            return spec


def _has_float32(spec: Spec) -> bool:
    """True if a number or array in the spec is of float32, whose results depend on which other numbers are Python's."""
    match spec:
        case ScalarSpec(kind) | ArraySpec(_, kind):
            return kind == "f32"
        case TupleSpec(items):
            return any(map(_has_float32, items))
        case ConstSpec(Const() as constant):
            return is_numeric(constant) and not has_other_width(constant) and kind_of(constant) == "f32"
        case _:
            return False


def _either(spec: Spec) -> Spec:
    """The spec with numbers that may be Python's or NumPy's, so that calls with both share a function."""
    match spec:
        case ScalarSpec(kind):
            return ScalarSpec(kind)
        case TupleSpec(items, cls, storage):
            return TupleSpec(tuple(map(_either, items)), cls, storage)
        case _:
            return spec


def _as_argument(spec: Spec, memory: frozenset[Storage]) -> Spec:
    """The spec inside the function: its arrays and lists are the caller's."""
    match spec:
        case ArraySpec(shape, kind):
            return ArraySpec(shape, kind, memory)
        case TupleSpec(items, cls):
            return TupleSpec(tuple(_as_argument(item, memory) for item in items), cls, memory if cls is list else frozenset())
        case ConstSpec(Const(np.ndarray() as array)):
            return ConstSpec(Const(cast(object, array), memory))
        case _:
            return spec


def _at_caller(compiled: CompiledFunction, bound: Mapping[str, Value]) -> Spec:
    """The result of a call: what may be an argument, or part of one, shares its memory; the rest is new."""
    made: dict[Storage, Storage] = {}

    def change(storage: frozenset[Storage]) -> frozenset[Storage]:
        found: set[Storage] = set()
        for part in storage:
            if part in compiled.memory:
                found.update(storages_of(bound[compiled.memory[part]]))
            elif isinstance(part, Borrowed):
                found.add(part)
            else:
                found.add(made.setdefault(part, Storage()))
        return frozenset(found or {Storage()})

    return with_storage(compiled.result, change)


@dataclass(frozen=True, eq=False)
class Identity:
    """A thing that equals itself only, kept alive so that nothing else takes its place."""

    held: object

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Identity) and self.held is other.held

    def __hash__(self) -> int:
        return id(self.held)


def _key(spec: Spec) -> object:
    """A key that is equal for specs that are one as arguments."""
    match spec:
        case ConstSpec(Const(held, _, dtype)):
            if isinstance(held, np.ndarray):
                return array_key(cast("np.ndarray[Any, Any]", held))
            try:
                hash(held)
            except TypeError:
                return Identity(held)
            return Const(cast(object, held), None, dtype)
        case ConstSpec(value):
            return Identity(value)
        case ArraySpec(shape, kind):
            return (shape, kind)
        case TupleSpec(items, cls):
            return (cls, tuple(map(_key, items)))
        case _:
            return spec


def _spec_of_type(type: Attribute, name: str, place: str) -> Spec:
    """The spec of an argument of this type; a tensor without axes is a number."""
    if isinstance(type, StateType):
        return GeneratorSpec(type)
    if isinstance(type, TensorType):
        tensor = cast("TensorType[Any]", type)
        kind = KINDS.get(tensor.get_element_type())
        shape = tensor.get_shape()
        if kind is not None and shape and all(extent > 0 for extent in shape):
            return ArraySpec(shape, kind, frozenset({ARGUMENT}))
    elif type in KINDS:
        return ScalarSpec(KINDS[type])
    raise FunctionError(
        f"{place}: argument {name} has type {type}; give f64, f32, i64, i1, a tensor of those with a static shape, or !rng.state"
    )


def _parts_of_result(unit: Unit, value: Value, has_states: bool) -> tuple[list[Value], list[Value], Value | None]:
    """Outputs, next states and whether the function finished, from what it returned."""
    if isinstance(value, Const) and value.value is None:
        raise unit.error("returns nothing; return the values of the output ports (return x)")
    if not (isinstance(value, Tuple) and value.cls is Step):
        if has_states:
            raise unit.error(f"has State arguments but returns {describe(value)}; return Step(outputs=(...,), states=(...,))")
        return list(value.items) if isinstance(value, Tuple) else [value], [], None
    outputs, states, finished = value.items
    is_none = isinstance(finished, Const) and finished.value is None
    return (
        list(outputs.items) if isinstance(outputs, Tuple) else [outputs],
        list(states.items) if isinstance(states, Tuple) else [states],
        None if is_none else finished,
    )


def place_of_return(function: FunctionNode) -> ast.AST:
    """The last `return` of a function, or the expression of a lambda."""
    if isinstance(function, ast.Lambda):
        return function.body
    found = [node for node in ast.walk(function) if isinstance(node, ast.Return)]
    return max(found, key=lambda node: node.lineno, default=function)


def _state_type(unit: Unit, name: str, type: Attribute, value: Value) -> Attribute:
    """The type that holds both the state so far and its next value: shapes broadcast, int widens to float."""
    current = _spec_of_type(type, name, "state")
    if node_of(value) is None or not isinstance(current, ScalarSpec | ArraySpec):
        raise unit.error(f"returns {describe(value)} as next state of {name}; return a number or array")
    old_shape = current.shape if isinstance(current, ArraySpec) else ()
    kinds = {current.kind, kind_of(value)}
    held = Array(Tensor(unit.e.entry.args[0], (), current.kind))
    kind = common_kind(unit.e, (held, value)) if "i1" not in kinds else current.kind
    try:
        shape = np.broadcast_shapes(old_shape, shape_of_value(value))
    except ValueError:
        shape = None
    if shape is None or (len(kinds) > 1 and "i1" in kinds):
        raise unit.error(
            f"state {name} is {describe(Array(Tensor(unit.e.entry.args[0], old_shape, current.kind)))}, and its next value"
            f" {describe(value)}; give both one type and shape (check the initial value)"
        )
    return tensor_type(shape, kind) if shape else ELEMENT_TYPES[kind]


def compile_function(
    fn: Callable[..., Any],
    arg_types: Sequence[Attribute],
    *,
    name: str,
    statics: Mapping[str, Any] = MappingProxyType({}),
    symbol_table: FunctionTable,
) -> func.FuncOp:
    """
    A node function as a private, pure `func.func`, compiled once per (function, types, statics).

    `arg_types` are those of inputs, parameters, states and generators, in that order (`signature_of(fn).arguments`);
    results are outputs, next states, next generator states, and `finished` (i1) if the function gives it. The type of a
    state may grow: when the next state is an array, or a float, the argument becomes one too, so read the types from the
    function that comes back. Its symbol is `name` or near it. Functions that it calls are in `symbol_table.functions()`.

    Raises `FunctionError` with file and line for anything outside the subset.
    """
    fn = compiled_from(fn)
    if not isinstance(fn, FunctionType):
        raise FunctionError(f"{getattr(fn, '__name__', fn)!s} is {type(fn).__name__}, not a Python function; give a def or lambda")
    return symbol_table.node(fn, arg_types, name, statics)
