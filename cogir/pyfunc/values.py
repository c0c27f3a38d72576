"""
What an expression of a Python function is while it is compiled.

Some of it is known now (`Const`: numbers, strings, enums, functions, modules, constant arrays), the rest is computed at
run time (`Scalar`, `Array`, generator states). Tuples and lists are known in length, their items may be either.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np
from xdsl.ir import SSAValue

from cogir.pyfunc.kinds import KIND_OF_DTYPE, WORDS_OF_KIND, Kind, Shape
from cogir.pyfunc.trees import Node


class Value:
    """Base of all values at compile time."""

    __slots__ = ()


class Storage:
    """The memory that a NumPy array (or a list) would have; arrays that share one are views of each other."""

    __slots__ = ()


class Borrowed(Storage):
    """Memory that belongs to others: its elements cannot be assigned."""

    __slots__ = ()


ARGUMENT = Borrowed()
"""Memory of the caller of a node's function, and of what is defined outside of functions."""

READ_ONLY = Borrowed()
"""In addition to an array's own memory, of a view that NumPy makes read-only."""


@dataclass(frozen=True, slots=True, eq=False)
class Const(Value):
    """
    A Python object known at compile time; arrays have the dtype that NumPy gives them.

    Two are equal only if nothing tells them apart: 1, 1.0 and True are three constants, 0.0 and -0.0 two.

    `storage` is the memory of an array that a name or a container holds; None for one that nothing refers to.

    `dtype` decides what constants compute among themselves: an np.int64 wraps around, where an int of Python grows.
    """

    value: Any
    storage: frozenset[Storage] | None = None
    dtype: np.dtype[Any] | None = None
    """The type of a number of NumPy, whose `value` is the same number of Python; None for all else."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Const) or type(self.value) is not type(other.value) or self.dtype != other.dtype:
            return False
        if self.value is other.value:
            return True
        mine, others = cast(object, self.value), cast(object, other.value)
        if isinstance(mine, float) and isinstance(others, float):
            return mine.hex() == others.hex()
        if isinstance(mine, np.ndarray) and isinstance(others, np.ndarray):
            return array_key(cast(Any, mine)) == array_key(cast(Any, others))
        return mine == others

    def __hash__(self) -> int:
        return hash(type(self.value).__qualname__)


@dataclass(frozen=True, slots=True, eq=False)
class Scalar(Value):
    """
    A number computed at run time.

    `low` and `high` bound an i64 (both included) where they are known, so that an index needs no check; `index` is the
    same number as a value of type index, where there is one.

    `weak` decides the type of what is computed from it and numbers of float32 (NEP 50): a float or int of Python is float32
    there, a np.float64 or np.int64 makes float64.
    """

    ssa: SSAValue
    kind: Kind
    low: int | None = None
    high: int | None = None
    index: SSAValue | None = None
    weak: bool | None = None
    """True for a number of Python, False for one of NumPy, None for what may be either: an argument."""


@dataclass(slots=True, eq=False)
class Array(Value):
    """An array of static shape computed at run time; `node` is the expression or the tensor that holds it."""

    node: Node
    storage: frozenset[Storage] = field(default_factory=lambda: frozenset({Storage()}))

    @property
    def shape(self) -> Shape:
        return self.node.shape

    @property
    def kind(self) -> Kind:
        return self.node.kind


@dataclass(frozen=True, slots=True, eq=False)
class Tuple(Value):
    """A tuple; `cls` is its class when it is a named tuple."""

    items: tuple[Value, ...]
    cls: Any = tuple

    def __iter__(self) -> Iterator[Value]:
        return iter(self.items)


@dataclass(frozen=True, slots=True, eq=False)
class List(Value):
    """A list of fixed length; two names for one list share its storage."""

    items: tuple[Value, ...]
    storage: frozenset[Storage] = field(default_factory=lambda: frozenset({Storage()}))

    def __iter__(self) -> Iterator[Value]:
        return iter(self.items)


@dataclass(frozen=True, slots=True)
class GeneratorRef(Value):
    """A name for a random generator; its current state is the `GeneratorState` in the environment under `key`."""

    key: str


@dataclass(frozen=True, slots=True, eq=False)
class GeneratorState(Value):
    """The state of a generator after the draws so far."""

    ssa: SSAValue


@dataclass(frozen=True, slots=True, eq=False)
class Closure(Value):
    """A lambda or a nested def: compiled in place at each call."""

    node: ast.Lambda | ast.FunctionDef
    frame: Any
    defaults: dict[str, Value]
    captured: dict[str, Value] = field(default_factory=lambda: {})
    """The variables, by their keys, of a function around it that has returned."""


@dataclass(frozen=True, slots=True, eq=False)
class Method(Value):
    """A method of a run-time value or generator, before it is called."""

    receiver: Value
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Range(Value):
    """`range(start, stop, step)`."""

    start: Value
    stop: Value
    step: Value


@dataclass(frozen=True, slots=True, eq=False)
class Zip(Value):
    """`zip(...)` and `enumerate(...)` (which is a zip with a range)."""

    parts: tuple[Value, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Reversed(Value):
    """`reversed(sequence)`."""

    sequence: Value


@dataclass(frozen=True, slots=True, eq=False)
class Generated(Value):
    """A generator expression, with its items computed at once."""

    items: tuple[Value, ...]
    draws: bool
    """True if an item after the first draws random numbers."""


@dataclass(frozen=True, slots=True)
class LiveName(Value):
    """What a name stands for whenever it is asked: an array or list that a loop goes through, as it is in each iteration."""

    name: str


@dataclass(frozen=True, slots=True)
class Unbound(Value):
    """A name that has no usable value here; `reason` says why, in words for the user."""

    reason: str


PLAIN_ARRAYS = (np.ndarray, np.memmap)
"""The classes of arrays that compute as NumPy's functions say."""


def wrap(value: Any, storage: frozenset[Storage] | None = None) -> Value:
    """
    A Python object as a value: tuples and lists item by item, NumPy scalars as numbers, arrays in a kind we have.

    `storage` is the memory of arrays and lists in it; None if nothing else refers to them.
    """
    if isinstance(value, Value):
        return value
    if isinstance(value, np.generic):
        dtype: np.dtype[Any] = cast(Any, value).dtype
        if dtype.kind == "f" and dtype.itemsize > 8:
            shown = repr(cast(object, value))
            return Unbound(f"{shown} has more than 64 bits, which numbers do not have here; write float(...) where it is defined")
        return Const(value.item(), None, dtype if dtype.kind in "biuf" else None)
    if isinstance(value, np.ndarray):
        array = cast("np.ndarray[Any, Any]", value)
        if type(array) not in PLAIN_ARRAYS:
            return Unbound(
                f"an array of class {type(array).__name__} is not supported; convert it to a plain array where it is defined:"
                " np.asarray(...), or .filled(...) of a masked array"
            )
        return Const(np.ascontiguousarray(array), storage) if array.shape else wrap(array[()])
    if isinstance(value, tuple):
        items = cast("tuple[object, ...]", value)
        return Tuple(tuple(wrap(item, storage) for item in items), type(items))
    if isinstance(value, list):
        parts = tuple(wrap(item, storage) for item in cast("list[object]", value))
        return List(parts) if storage is None else List(parts, storage)
    return Const(value)


def of_others(value: Any) -> Value:
    """A Python object that is defined outside of the function, as a value."""
    return wrap(value, frozenset({ARGUMENT}))


def memory_of(value: Value) -> frozenset[Storage]:
    """The memory of an array or list; new memory for what nothing refers to yet."""
    match value:
        case Array() | List():
            return value.storage
        case Const(_, storage) if storage is not None:
            return storage
        case _:
            return frozenset({Storage()})


def held(value: Value) -> Value:
    """A value that a name or a container is to hold: a constant array gets its memory then."""
    match value:
        case Const(np.ndarray(), None):
            return Const(value.value, memory_of(value))
        case _:
            return value


def copied(value: Value) -> Value:
    """A copy of an array or number: nothing else refers to it."""
    match value:
        case Array(node):
            return Array(node)
        case Const(array, _, dtype):
            return Const(array, None, dtype)
        case _:
            return value


def array_key(array: np.ndarray[Any, Any]) -> tuple[str, Shape, bytes]:
    """A key that is equal for equal constant arrays."""
    return array.dtype.str, array.shape, array.tobytes()


def storages_of(value: Value) -> Iterator[Storage]:
    """The memory that NumPy and Python would hold for a value."""
    match value:
        case Array():
            yield from value.storage
        case List(items, storage):
            yield from storage
            for item in items:
                yield from storages_of(item)
        case Tuple(items) | Zip(items) | Generated(items):
            for item in items:
                yield from storages_of(item)
        case Const(_, storage):
            yield from storage or ()
        case Closure():
            for item in (*value.defaults.values(), *value.captured.values()):
                yield from storages_of(item)
        case Method(inner) | Reversed(inner):
            yield from storages_of(inner)
        case _:
            pass


class NotStatic(Exception):
    """A value is needed at compile time but is computed at run time."""


def static(value: Value) -> Any:
    """The Python object that a value stands for; raises `NotStatic` if any part of it is computed at run time."""
    match value:
        case Const(held):
            return held
        case Tuple(items, cls):
            return tuple(map(static, items)) if cls is tuple else cls(*map(static, items))
        case List(items):
            return [static(item) for item in items]
        case Range(start, stop, step):
            return range(static(start), static(stop), static(step))
        case _:
            raise NotStatic


def as_operand(value: Value) -> Any:
    """The object of `static`, of NumPy where the constant is: what constants are computed from."""
    return value.dtype.type(value.value) if isinstance(value, Const) and value.dtype is not None else static(value)


def of_numpy(value: Value) -> Value:
    """A number as one of NumPy: what its functions return, also of numbers of Python."""
    match value:
        case Const(bool() | int() | float() as number, _, None) if not isinstance(number, int) or -(2**63) <= number < 2**63:
            return wrap(np.asarray(number)[()])
        case Scalar():
            return replace(value, weak=False)
        case _:
            return value


def is_weak(value: Value) -> bool | None:
    """True for a number of Python, which takes the width of one of NumPy beside it; False for those and arrays, None for either."""
    match value:
        case Const(np.ndarray()) | Scalar(_, "f32"):
            return False
        case Const(_, _, dtype):
            return dtype is None
        case Scalar():
            return value.weak
        case _:
            return False


def weak_together(values: Iterable[Value]) -> bool | None:
    """True if a number computed from these by an operator is one of Python (see `is_weak`)."""
    found = set(map(is_weak, values))
    return False if False in found else None if None in found else True


def weakly(value: Value, weak: bool | None) -> Value:
    """A number computed at run time as one of Python or NumPy (see `is_weak`); others stay."""
    return replace(value, weak=weak) if isinstance(value, Scalar) and value.weak != weak else value


def has_numpy(value: Value) -> bool:
    """True for constants of NumPy, and for lists and tuples that have some."""
    match value:
        case Tuple(items) | List(items):
            return any(map(has_numpy, items))
        case Const(held, _, dtype):
            return dtype is not None or isinstance(held, np.ndarray)
        case _:
            return False


def is_static(value: Value) -> bool:
    """True if the whole value is known at compile time."""
    match value:
        case Const():
            return True
        case Tuple(items) | List(items):
            return all(map(is_static, items))
        case Range(start, stop, step):
            return is_static(start) and is_static(stop) and is_static(step)
        case _:
            return False


class OtherWidth(Exception):
    """A constant has a type that nothing computed at run time has; the text says which, and what to write instead."""


def kind_of_constant(value: Const) -> Kind | None:
    """
    The kind of a constant number or array; None for anything else.

    Raises `OtherWidth` for the types of NumPy that have none, as no operation on one of the kinds gives what NumPy gives.
    """
    match value:
        case Const(np.ndarray() as array):
            dtype: np.dtype[Any] | None = array.dtype
        case Const(dtype=dtype):
            pass
    if dtype is not None:
        if dtype not in KIND_OF_DTYPE and dtype.kind in "iuf":
            raise OtherWidth(other_width(value))
        return KIND_OF_DTYPE.get(dtype)
    match value.value:
        case bool():
            return "i1"
        case int():
            return "i64"
        case float():
            return "f64"
        case _:
            return None


def other_width(value: Const) -> str:
    """The message about a constant of a type of NumPy that has no kind."""
    held: object = value.value
    if isinstance(held, np.ndarray):
        array = cast("np.ndarray[Any, Any]", held)
        shown, dtype = f"a constant array of shape {array.shape}", array.dtype
        remedy = f"write .astype({'float' if dtype.kind == 'f' else 'int'}) where it is defined"
    else:
        assert value.dtype is not None
        shown, dtype = describe(value), value.dtype
        remedy = f"write {'float' if dtype.kind == 'f' else 'int'}(...) around it"
    return f"{shown} is of type {dtype}, in which NumPy computes and functions at run time do not; {remedy}"


def is_numeric(value: Value) -> bool:
    """True for numbers and arrays of numbers, of whatever width."""
    match value:
        case Scalar() | Array():
            return True
        case Const(np.ndarray() as array):
            return array.dtype.kind in "biuf"
        case Const(held):
            return isinstance(held, bool | int | float)
        case _:
            return False


def kind_of(value: Value) -> Kind | None:
    """The kind of a number or array; None for other values. Raises `OtherWidth` as `kind_of_constant` does."""
    match value:
        case Scalar(_, kind):
            return kind
        case Array():
            return value.kind
        case Const():
            return kind_of_constant(value)
        case _:
            return None


def shape_of_value(value: Value) -> Shape:
    """The shape of a number (`()`) or array."""
    match value:
        case Array():
            return value.shape
        case Const(np.ndarray() as array):
            return array.shape
        case _:
            return ()


def describe(value: Value) -> str:
    """A description of a value for an error message."""
    match value:
        case Const(np.ndarray() as array):
            return f"a constant array of shape {array.shape}"
        case Const(bool() | int() | float() as number, _, np.dtype() as dtype):
            return f"np.{dtype.type.__name__}({number!r})"
        case Const(held) if held is None or isinstance(held, bool | int | float | str):
            return repr(held)
        case Const(held):
            return f"{type(held).__name__} {getattr(held, '__name__', held)}"
        case Scalar(_, kind):
            return f"a number ({WORDS_OF_KIND[kind]})"
        case Array():
            return f"an array of shape {value.shape} ({WORDS_OF_KIND[value.kind]})"
        case Tuple(items, cls):
            return f"a {'tuple' if cls is tuple else cls.__name__} of {len(items)}"
        case List(items):
            return f"a list of {len(items)}"
        case GeneratorRef() | GeneratorState():
            return "a random generator"
        case Closure():
            return "a function"
        case Method(_, name):
            return f"the method .{name}"
        case Range():
            return "a range"
        case Zip():
            return "a zip"
        case Reversed():
            return "reversed(...)"
        case Generated():
            return "a generator expression"
        case _:
            return "nothing"
