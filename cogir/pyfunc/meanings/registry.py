"""The tables of callables and methods, and helpers that read their arguments."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Mapping, Sequence
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

    def call_value(self, callee: Value, arguments: Sequence[Value], named: Mapping[str, Value], node: ast.AST) -> Value: ...


Handler: TypeAlias = Callable[..., Value]
NONE = Const(None)
FALSE = Const(False)

BUILTINS: dict[Any, Handler] = {}
"""Meanings by the Python object that is called."""
REFUSED: set[Handler] = set()
"""Meanings that only say what to write instead."""
SPECIAL: dict[str, Handler] = {}
"""Meanings of the functions of `scipy.special`, by their names there."""
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


def means_special(name: str) -> Callable[[Handler], Handler]:
    """Registers a meaning for a function of `scipy.special`."""

    def register(handler: Handler) -> Handler:
        SPECIAL[name] = handler
        return handler

    return register


def name_in_scipy(function: Any) -> str | None:
    """The name that a callable has in `scipy.special`, if the user's program has imported that; None for all others."""
    name, module = getattr(function, "__name__", None), sys.modules.get("scipy.special")
    if module is None or not isinstance(name, str) or vars(np).get(name) is function:
        return None
    return name if getattr(module, name, None) is function else None


def meaning_of(function: Any) -> Handler | None:
    """The meaning of a callable; None if it has none."""
    handler = BUILTINS.get(function)
    return SPECIAL.get(name_in_scipy(function) or "") if handler is None else handler


def call_library(c: CallSite, function: Any, *arguments: Value) -> Value:
    """A call of a function of `cogir.library`, compiled once for the types of its arguments."""
    assert c.e.node is not None
    return c.call_value(Const(function), arguments, {}, c.e.node)


def title_of(function: Any) -> str:
    """The name of a callable as the user writes it."""
    if (special := name_in_scipy(function)) is not None:
        return f"scipy.special.{special}"
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
    np.fill_diagonal: "np.where(np.eye(n) == 1.0, value, x)",
    np.float_power: "np.power",
    np.moveaxis: "np.transpose",
    np.nanmax: "np.max(np.where(np.isnan(x), -np.inf, x))",
    np.nanmin: "np.min(np.where(np.isnan(x), np.inf, x))",
    np.nansum: "np.sum(np.where(np.isnan(x), 0.0, x))",
    np.piecewise: "np.where",
    np.ptp: "np.max(x) - np.min(x)",
    np.select: "np.where, one in another",
    np.sinc: "np.sin(np.pi * x) / (np.pi * x)",
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
    """The remedy for a function of NumPy or SciPy that is not in the subset."""
    if name_in_scipy(function) is not None:
        return f"of scipy.special, {', '.join(sorted(SPECIAL))} are"
    return f"write {INSTEAD.get(function) or 'it with functions that docs/functions.md lists'}"


def known_names() -> list[str]:
    """The names of all callables, as the user writes them."""
    names = {title_of(function) for function, handler in BUILTINS.items() if handler not in REFUSED}
    return sorted({*names, *(f"scipy.special.{name}" for name in SPECIAL)})


# Arguments


def known(c: CallSite, value: Value, what: str) -> Any:
    if not is_static(value):
        raise c.e.error(f"{what} must be known when the function is compiled, and this is {describe(value)}; use a constant")
    return static(value)


def is_none(value: Value) -> bool:
    """True for an argument that is `None`, or left out."""
    return is_static(value) and static(value) is None


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
