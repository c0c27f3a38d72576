"""
What an expression of a Python function is while it is compiled.

Some of it is known now (`Const`: numbers, strings, enums, functions, modules, constant arrays), the rest is computed at
run time (`Scalar`, `Array`, generator states). Tuples and lists are known in length, their items may be either.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
from xdsl.ir import SSAValue

from cogir.pyfunc.kinds import DTYPES, WORDS_OF_KIND, Kind, Shape
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
    A Python object known at compile time; arrays have dtype float64, float32, int64 or bool.

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
    """

    ssa: SSAValue
    kind: Kind
    low: int | None = None
    high: int | None = None
    index: SSAValue | None = None


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
        return Const(value.item(), None, dtype if dtype.kind in "biuf" else None)
    if isinstance(value, np.ndarray):
        array = cast("np.ndarray[Any, Any]", value)
        if type(array) not in PLAIN_ARRAYS:
            return Unbound(
                f"an array of class {type(array).__name__} is not supported; convert it to a plain array where it is defined:"
                " np.asarray(...), or .filled(...) of a masked array"
            )
        return Const(normal_array(array), storage) if array.shape else wrap(array[()])
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
        case Const(array):
            return Const(array)
        case _:
            return value


def array_key(array: np.ndarray[Any, Any]) -> tuple[str, Shape, bytes]:
    """A key that is equal for equal constant arrays."""
    return array.dtype.str, array.shape, array.tobytes()


def normal_array(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """`array`, contiguous, as float64, float32, int64 or bool (other types as they are: using them is an error later)."""
    if array.dtype.kind in "iu":
        return np.ascontiguousarray(array, np.int64)
    if array.dtype.kind == "f" and array.dtype != np.float32:
        return np.ascontiguousarray(array, np.float64)
    return np.ascontiguousarray(array)


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


def of_python(value: Value) -> Value:
    """A number of NumPy as one of Python: what `int(x)` and `x.item()` return."""
    return Const(value.value) if isinstance(value, Const) and value.dtype is not None else value


def of_numpy(value: Value) -> Value:
    """A constant number as one of NumPy: what its functions return, also of numbers of Python."""
    match value:
        case Const(bool() | int() | float() as number, _, None) if not isinstance(number, int) or -(2**63) <= number < 2**63:
            return wrap(np.asarray(number)[()])
        case _:
            return value


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


def kind_of_constant(value: Any) -> Kind | None:
    """The kind of a Python number or constant array; None for anything else."""
    if isinstance(value, bool):
        return "i1"
    if isinstance(value, int):
        return "i64"
    if isinstance(value, float):
        return "f64"
    if isinstance(value, np.ndarray):
        return next((kind for kind, dtype in DTYPES.items() if dtype == value.dtype), None)  # pyright: ignore
    return None


def kind_of(value: Value) -> Kind | None:
    """The kind of a number or array; None for other values."""
    match value:
        case Scalar(_, kind):
            return kind
        case Array():
            return value.kind
        case Const(held):
            return kind_of_constant(held)
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
