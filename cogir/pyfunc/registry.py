"""What can be called: the tables of meanings, and how their arguments are read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np

from cogir.pyfunc.arrays import (
    array_of,
)
from cogir.pyfunc.elementwise import (
    Node,
    convert,
    node_of,
)
from cogir.pyfunc.emitter import Emitter
from cogir.pyfunc.scalars import is_float
from cogir.pyfunc.values import (
    Const,
    Kind,
    Value,
    describe,
    is_static,
    kind_of,
    static,
)

if TYPE_CHECKING:
    from cogir.pyfunc.expressions import Expressions


Handler: TypeAlias = Callable[..., Value]
NONE = Const(None)
FALSE = Const(False)

BUILTINS: dict[Any, Handler] = {}
"""Meanings by the Python object that is called."""
REFUSED: set[Handler] = set()
"""Meanings that only say what to write instead."""
METHODS: dict[str, Handler] = {}
"""Meanings of methods of arrays and numbers."""


def means(*functions: Any, method: str | None = None) -> Callable[[Handler], Handler]:
    """Registers a meaning for these callables, and as a method."""

    def register(handler: Handler) -> Handler:
        for function in functions:
            BUILTINS[function] = handler
        if method is not None:
            METHODS[method] = handler
        return handler

    return register


def title_of(function: Any) -> str:
    """The name of a callable as the user writes it."""
    name = getattr(function, "__name__", repr(function))
    module = getattr(function, "__module__", None) or ""
    if module.split(".")[0] == "numpy" or isinstance(function, np.ufunc):
        return f"np.linalg.{name}" if module == "numpy.linalg" else f"np.{name}"
    return name if module in ("builtins", "") else f"{module.split('.')[0]}.{name}"


def known_names() -> list[str]:
    """What can be called, as the user writes it."""
    return sorted({title_of(function) for function, handler in BUILTINS.items() if handler not in REFUSED})


# Arguments


def known(c: Expressions, value: Value, what: str) -> Any:
    if not is_static(value):
        raise c.e.error(f"{what} must be known when the function is compiled, and this is {describe(value)}; use a constant")
    return static(value)


def axes_of(c: Expressions, axis: Value, rank: int) -> list[int]:
    """The axes that `axis=` names (all for None), not negative."""
    held = known(c, axis, "axis")
    if held is None:
        return list(range(rank))
    found: list[int] = []
    numbers = cast("tuple[Any, ...]", held) if isinstance(held, tuple) else (held,)
    for number in numbers:
        if not isinstance(number, int) or not -rank <= number < rank:
            raise c.e.error(f"axis {number!r} is not an axis of an array with {rank} axes")
        found.append(number % rank)
    return sorted(found)


_DTYPE_NAMES: dict[Any, Kind] = {
    float: "f64",
    int: "i64",
    bool: "i1",
    np.float64: "f64",
    np.float32: "f32",
    np.int64: "i64",
    np.bool_: "i1",
    np.intp: "i64",
    "float": "f64",
    "int": "i64",
    "bool": "i1",
    "float64": "f64",
    "float32": "f32",
    "int64": "i64",
}


def kind_of_dtype(c: Expressions, dtype: Value) -> Kind | None:
    """The kind that `dtype=` asks for; None if it is left out."""
    held: Any = known(c, dtype, "dtype")
    if held is None:
        return None
    kind = _DTYPE_NAMES.get(getattr(held, "type", held))
    if kind is None:
        raise c.e.error(f"dtype {getattr(held, '__name__', held)} is not in the subset; use float, int, bool or np.float32")
    return kind


def tree(c: Expressions, value: Value) -> Node:
    node = node_of(array_of(c.e, value))
    assert node is not None
    return node


def floating(e: Emitter, value: Value) -> Value:
    """Integers and truth values as floats."""
    return value if is_float(kind_of(value) or "f64") else convert(e, value, "f64")
