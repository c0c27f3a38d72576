"""
Values across control flow: what a value is made of, what two of them have in common, and how they travel through results.

A `Spec` says which part of a value is known at compile time and which travels as SSA values (its *leaves*).

    x = 1          (one branch)     ConstSpec(1)
    x = 0.5 * y    (other branch)   ScalarSpec(f64)     joined: ScalarSpec(f64), one leaf
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from xdsl.ir import Attribute, SSAValue

from cogir.pyfunc.elementwise import cast_node, force, materialise, node_of, scalar_of
from cogir.pyfunc.emitter import Emitter
from cogir.pyfunc.kinds import ELEMENT_TYPES, WORDS_OF_KIND, Kind, Shape, tensor_type
from cogir.pyfunc.trees import Tensor
from cogir.pyfunc.values import (
    Array,
    Closure,
    Const,
    Generated,
    GeneratorRef,
    GeneratorState,
    List,
    Method,
    OtherWidth,
    Range,
    Reversed,
    Scalar,
    Storage,
    Tuple,
    Value,
    Zip,
    describe,
    is_weak,
    kind_of_constant,
    memory_of,
    shape_of_value,
)


@dataclass(frozen=True)
class ConstSpec:
    """A value that is known; it has no leaf."""

    value: Value


@dataclass(frozen=True)
class ScalarSpec:
    """A number; `weak` is that of `Scalar`."""

    kind: Kind
    weak: bool | None = None


@dataclass(frozen=True)
class ArraySpec:
    shape: Shape
    kind: Kind
    storage: frozenset[Storage]


@dataclass(frozen=True)
class TupleSpec:
    """A tuple, or a list (`cls` is list)."""

    items: tuple[Spec, ...]
    cls: Any
    storage: frozenset[Storage] = frozenset()


@dataclass(frozen=True)
class GeneratorSpec:
    type: Attribute


Spec: TypeAlias = ConstSpec | ScalarSpec | ArraySpec | TupleSpec | GeneratorSpec


class CannotJoin(Exception):
    """Two values have nothing in common; the text says why, for the user."""


def spec_of(value: Value) -> Spec:
    """The spec of a value."""
    match value:
        case Scalar(_, kind):
            return ScalarSpec(kind, is_weak(value))
        case Array():
            return ArraySpec(value.shape, value.kind, value.storage)
        case Tuple(items, cls):
            return TupleSpec(tuple(map(spec_of, items)), cls)
        case List(items, storage):
            return TupleSpec(tuple(map(spec_of, items)), list, storage)
        case GeneratorState(ssa):
            return GeneratorSpec(ssa.type)
        case _:
            return ConstSpec(value)


def variable_spec(spec: Spec) -> Spec:
    """The spec with constant numbers and arrays as run-time ones, as a loop needs them."""
    match spec:
        case ConstSpec(Const() as constant):
            kind = kind_of_constant(constant)
            if kind is None:
                return spec
            shape = shape_of_value(constant)
            return ArraySpec(shape, kind, memory_of(constant)) if shape else ScalarSpec(kind, is_weak(constant))
        case TupleSpec(items, cls, storage):
            return TupleSpec(tuple(map(variable_spec, items)), cls, storage)
        case _:
            return spec


def _same_constant(left: Value, right: Value) -> bool:
    match left, right:
        case Const(), Const():
            return left == right
        case GeneratorRef(a), GeneratorRef(b):
            return a == b
        case Closure(), Closure():
            is_one = left.node is right.node and left.frame is right.frame
            return is_one and _same_values(left.defaults, right.defaults) and _same_values(left.captured, right.captured)
        case _:
            return left is right


def _same_values(left: Mapping[str, Value], right: Mapping[str, Value]) -> bool:
    return left.keys() == right.keys() and all(_same_constant(value, right[name]) for name, value in left.items())


def join(left: Spec, right: Spec) -> Spec:
    """The narrowest spec that both fit; `CannotJoin` if there is none."""
    try:
        return _join(left, right)
    except OtherWidth as error:
        raise CannotJoin(str(error)) from None


def _join(left: Spec, right: Spec) -> Spec:
    if left == right and not isinstance(left, ConstSpec | TupleSpec):
        return left
    match left, right:
        case ConstSpec(a), ConstSpec(b):
            if _same_constant(a, b):
                return _of_both(a, b)
            return _join_variables(variable_spec(left), variable_spec(right), left, right)
        case TupleSpec(a, cls, storage), TupleSpec(b, other, more) if cls is other:
            if len(a) != len(b):
                raise CannotJoin(f"{_words(left)} on one path, and {_words(right)} on another")
            return TupleSpec(tuple(_join(x, y) for x, y in zip(a, b, strict=True)), cls, storage | more)
        case _:
            return _join_variables(variable_spec(left), variable_spec(right), left, right)


def _of_both(left: Value, right: Value) -> ConstSpec:
    """One constant on both paths, with the memory of either."""
    match left, right:
        case Const(array, a), Const(_, b) if a is not None and b is not None and not a >= b:
            return ConstSpec(Const(array, a | b))
        case _:
            return ConstSpec(left)


def _join_variables(left: Spec, right: Spec, left_was: Spec, right_was: Spec) -> Spec:
    match left, right:
        case ScalarSpec(_, weak), ScalarSpec(_, other):
            return ScalarSpec(_join_kinds(left_was, right_was), weak if weak == other else None)
        case ArraySpec(shape, _, storage), ArraySpec(other, _, more) if shape == other:
            return ArraySpec(shape, _join_kinds(left_was, right_was), storage | more)
        case TupleSpec(), TupleSpec():
            return _join(left, right)
        case _:
            raise CannotJoin(f"{_words(left_was)} on one path, and {_words(right_was)} on another")


def _join_kinds(left: Spec, right: Spec) -> Kind:
    kinds = {_kind(left), _kind(right)}
    if "i1" in kinds and len(kinds) > 1:
        raise CannotJoin(f"{_words(left)} on one path, and {_words(right)} on another")
    if "f32" in kinds and len(kinds) > 1:
        raise CannotJoin(
            f"{_typed(left)} on one path, and {_typed(right)} on another, with which NumPy computes in different types; write "
            "np.float32(...) around the one, or float(...) around the other"
        )
    return "f64" if len(kinds) > 1 else _kind(left)


def _typed(spec: Spec) -> str:
    match spec:
        case ConstSpec(Const() as constant) if constant.dtype is None and not shape_of_value(constant):
            return f"{_words(spec)} (Python's {WORDS_OF_KIND[_kind(spec)]})"
        case ConstSpec(Const(np.ndarray())):
            return f"{_words(spec)} ({WORDS_OF_KIND[_kind(spec)]})"
        case _:
            return _words(spec)


def _kind(spec: Spec) -> Kind:
    variable = variable_spec(spec)
    assert isinstance(variable, ScalarSpec | ArraySpec)
    return variable.kind


def _words(spec: Spec) -> str:
    match spec:
        case ConstSpec(value):
            return describe(value)
        case ScalarSpec(kind):
            return f"a number ({WORDS_OF_KIND[kind]})"
        case ArraySpec(shape, kind):
            return f"an array of shape {shape} ({WORDS_OF_KIND[kind]})"
        case TupleSpec(items, cls):
            return f"a {'list' if cls is list else 'tuple'} of {len(items)}"
        case GeneratorSpec():
            return "a random generator"


def leaf_types(spec: Spec) -> Iterator[Attribute]:
    """The types of the leaves of a spec."""
    match spec:
        case ScalarSpec(kind):
            yield ELEMENT_TYPES[kind]
        case ArraySpec(shape, kind):
            yield tensor_type(shape, kind)
        case TupleSpec(items):
            for item in items:
                yield from leaf_types(item)
        case GeneratorSpec(type):
            yield type
        case ConstSpec():
            pass


def leaves(e: Emitter, value: Value, spec: Spec) -> Iterator[SSAValue]:
    """The leaves of a value, converted to `spec`."""
    match spec:
        case ConstSpec():
            pass
        case ScalarSpec(kind):
            node = node_of(value)
            assert node is not None
            yield e.cast(scalar_of(e, node), node.kind, kind)
        case ArraySpec(_, kind):
            if isinstance(value, Array):
                if value.kind == kind:
                    yield force(e, value)
                    return
            node = node_of(value)
            assert node is not None
            yield materialise(e, cast_node(node, kind)).ssa
        case TupleSpec(items):
            assert isinstance(value, Tuple | List)
            for item, part in zip(value.items, items, strict=True):
                yield from leaves(e, item, part)
        case GeneratorSpec():
            assert isinstance(value, GeneratorState)
            yield value.ssa


def placeholders(e: Emitter, spec: Spec) -> Iterator[SSAValue]:
    """Leaves for a path on which there is no value, and on which nobody reads one: zeros."""
    match spec:
        case ScalarSpec(kind):
            yield e.constant(0, kind)
        case ArraySpec(shape, kind):
            yield e.filled(shape, 0, kind)
        case TupleSpec(items):
            for item in items:
                yield from placeholders(e, item)
        case GeneratorSpec():
            raise AssertionError("a generator exists on every path")
        case ConstSpec():
            pass


def rebuild(spec: Spec, ssas: Iterator[SSAValue]) -> Value:
    """The value of a spec whose leaves are `ssas`."""
    match spec:
        case ConstSpec(value):
            return value
        case ScalarSpec(kind):
            return Scalar(next(ssas), kind, weak=spec.weak)
        case ArraySpec(shape, kind, storage):
            return Array(Tensor(next(ssas), shape, kind), storage)
        case TupleSpec(items, cls, storage):
            parts = tuple(rebuild(item, ssas) for item in items)
            return List(parts, storage) if cls is list else Tuple(parts, cls)
        case GeneratorSpec():
            return GeneratorState(next(ssas))


def force_all(e: Emitter, values: Sequence[Value] | Iterator[Value]) -> None:
    """Computes the trees among these values here, so that regions that follow share the tensors."""
    for value in values:
        match value:
            case Array():
                force(e, value)
            case Tuple(items) | List(items) | Zip(items) | Generated(items):
                force_all(e, items)
            case Range(start, stop, step):
                force_all(e, (start, stop, step))
            case Closure():
                force_all(e, [*value.defaults.values(), *value.captured.values()])
            case Method(receiver) | Reversed(receiver):
                force_all(e, [receiver])
            case _:
                pass


def with_storage(spec: Spec, change: Callable[[frozenset[Storage]], frozenset[Storage]]) -> Spec:
    """The spec with its memory renamed."""
    match spec:
        case ArraySpec():
            return replace(spec, storage=change(spec.storage))
        case TupleSpec(items, cls, storage):
            return TupleSpec(tuple(with_storage(item, change) for item in items), cls, change(storage) if storage else storage)
        case ConstSpec(Const(array, storage)) if storage is not None:
            return ConstSpec(Const(array, change(storage)))
        case _:
            return spec
