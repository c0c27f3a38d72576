"""The tables of callables and methods, and helpers that read their arguments."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias, cast

import numpy as np
from xdsl.ir import SSAValue

from cogir.pyfunc.arrays import (
    array_of,
)
from cogir.pyfunc.elementwise import convert, node_of
from cogir.pyfunc.emitter import Emitter
from cogir.pyfunc.kinds import Kind
from cogir.pyfunc.scalars import is_float
from cogir.pyfunc.trees import Node
from cogir.pyfunc.values import Const, Value, describe, is_static, kind_of, static


class CallSite(Protocol):
    """The compiler of the function in which the call stands, as meanings use it."""

    e: Emitter

    def truth(self, value: Value, node: ast.AST) -> bool | SSAValue: ...

    def static_items(self, value: Value, node: ast.AST) -> Sequence[Value]: ...


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
    family, *inner = module_of(function).split(".")
    if family == "numpy" or vars(np).get(name) is function:
        return ".".join(["np", *(part for part in inner[:1] if part in PUBLIC_PARTS), name])
    return name if family in ("builtins", "") else f"{family}.{name}"


def module_of(function: Any) -> str:
    """The module of a callable; methods of the generators that modules hold have only that of their class."""
    return getattr(function, "__module__", None) or type(getattr(function, "__self__", None)).__module__


PUBLIC_PARTS = ("linalg", "random", "fft")
"""Modules of NumPy whose functions are written with the module's name."""


INSTEAD = {
    np.average: "np.sum(weights * x) / np.sum(weights)",
    np.column_stack: "np.stack((x, y), axis=1)",
    np.cross: "the three products, in np.array",
    np.delete: "np.concatenate of the slices before and after",
    np.einsum: "x @ y, or np.sum over products",
    np.fill_diagonal: "np.where(np.eye(n) == 1.0, value, x)",
    np.float_power: "np.power",
    np.interp: "np.where over the pieces",
    np.median: "the middle one by np.where, or np.mean",
    np.moveaxis: "np.transpose",
    np.nanmax: "np.max(np.where(np.isnan(x), -np.inf, x))",
    np.nanmin: "np.min(np.where(np.isnan(x), np.inf, x))",
    np.nansum: "np.sum(np.where(np.isnan(x), 0.0, x))",
    np.piecewise: "np.where",
    np.ptp: "np.max(x) - np.min(x)",
    np.select: "np.where, one in another",
    np.sinc: "np.sin(np.pi * x) / (np.pi * x)",
    np.sort: "a loop that exchanges neighbours, or np.max, np.min and np.argmax for single ranks",
    np.argsort: "a loop that exchanges neighbours, or np.argmax and np.argmin for single ranks",
    np.split: "slices, x[:2] and x[2:]",
    np.swapaxes: "np.transpose",
    np.tensordot: "x @ y, after reshape",
    np.tril: "x times a constant array of ones and zeros",
    np.triu: "x times a constant array of ones and zeros",
    np.vdot: "np.dot",
    np.vectorize: "the function on whole arrays, with np.where for its conditions",
}
"""Replacements for functions of NumPy that are not in the subset."""


def instead_of(function: Any) -> str:
    """The remedy for a function of NumPy that is not in the subset."""
    return f"write {INSTEAD.get(function) or 'it with functions that docs/functions.md lists'}"


def known_names() -> list[str]:
    """The names of all callables, as the user writes them."""
    return sorted({title_of(function) for function, handler in BUILTINS.items() if handler not in REFUSED})


# Arguments


def known(c: CallSite, value: Value, what: str) -> Any:
    if not is_static(value):
        raise c.e.error(f"{what} must be known when the function is compiled, and this is {describe(value)}; use a constant")
    return static(value)


def axes_of(c: CallSite, axis: Value, rank: int) -> list[int]:
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


def kind_of_dtype(c: CallSite, dtype: Value) -> Kind | None:
    """The kind that `dtype=` asks for; None if it is left out."""
    held: Any = known(c, dtype, "dtype")
    if held is None:
        return None
    kind = _DTYPE_NAMES.get(getattr(held, "type", held))
    if kind is None:
        raise c.e.error(f"dtype {getattr(held, '__name__', held)} is not in the subset; use float, int, bool or np.float32")
    return kind


def tree(c: CallSite, value: Value) -> Node:
    node = node_of(array_of(c.e, value))
    assert node is not None
    return node


def floating(e: Emitter, value: Value) -> Value:
    """Integers and truth values as floats."""
    return value if is_float(kind_of(value) or "f64") else convert(e, value, "f64")
