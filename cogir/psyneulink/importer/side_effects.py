"""
Side effects of a user's Python function: in a compiled model it must compute its value from its arguments and do nothing else.

A function that counts its calls, draws from NumPy's global generator or prints does something that a compiled copy of it would not. It is
refused from its bytecode, without being called, so that PsyNeuLink can run it afterwards as if nobody had looked.
"""

from __future__ import annotations

import builtins
import dis
import functools
import math
import operator
from collections.abc import Callable, Iterator
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any, cast

import numpy as np

from cogir.library.bytecode import Chain, mentions

PURE_BUILTINS = frozenset(
    "abs all any bool complex dict divmod enumerate filter float int isinstance len list map max min pow range reversed round set slice"
    " sorted str sum tuple type zip True False None ValueError TypeError AssertionError NotImplementedError".split()
)
CHANGING = frozenset(
    "append extend insert pop popitem remove clear update sort reverse setdefault add discard fill put partition resize itemset setflags"
    " byteswap write at".split()
)
"""Methods by which lists, dicts, sets, arrays and files change."""
NUMPY_CHANGING = frozenset((np.copyto, np.put, np.place, np.putmask, np.fill_diagonal, np.put_along_axis))
EFFECTS = {
    "STORE_GLOBAL": "it assigns a global variable",
    "DELETE_GLOBAL": "it deletes a global variable",
    "STORE_ATTR": "it assigns an attribute",
    "DELETE_ATTR": "it deletes an attribute",
    "IMPORT_NAME": "it imports a module",
    "YIELD_VALUE": "it is a generator",
}


def impurity(function: Any) -> str | None:
    """A side effect of a function in words; None if it only computes a value from its arguments."""
    for one in reached(function):
        if not isinstance(one, FunctionType):
            return f"it calls {getattr(one, '__qualname__', one)!s:.60}, which may do more than compute"
        why = _effect(one.__code__) or _mentioned(one)
        if why is not None:
            return why
    return None


def reached(function: Any) -> Iterator[Any]:
    """The function and the user's functions that it mentions, in turn; anything else that it may call and that is not known."""
    waiting, seen = [function], set[int]()
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, functools.partial):
            waiting.extend([one.func, *filter(callable, one.args), *filter(callable, one.keywords.values())])
            continue
        if is_known(one):
            continue
        yield one
        if isinstance(one, FunctionType):
            waiting.extend(value for _, value in mentioned(one) if callable(value))


def is_known(function: Any) -> bool:
    """True if a callable only computes: NumPy's functions, those of `math`, built-ins such as `max`, and classes of numbers."""
    if isinstance(function, np.ufunc):
        return True
    module = str(getattr(function, "__module__", None) or "")
    name = getattr(function, "__name__", "")
    if getattr(math, name, None) is function or getattr(operator, name, None) is function:
        return True
    if getattr(builtins, name, None) is function:
        return name in PURE_BUILTINS
    if module.startswith("cogir.library"):
        return True
    if isinstance(function, type):
        return module.startswith("numpy") or issubclass(function, tuple | int | float)
    return (
        module.partition(".")[0] == "numpy"
        and not module.startswith("numpy.random")
        and not isinstance(getattr(function, "__self__", None), np.random.RandomState)
        and all(function is not changing for changing in NUMPY_CHANGING)
    )


def mentioned(function: FunctionType) -> Iterator[tuple[Chain, Any]]:
    """The names from outside that a function reads, each with the attributes read from it, and what they stand for."""
    code = function.__code__
    found = mentions(code)
    cells = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
    for chain in found.cells:
        if chain[0] in cells:
            try:
                yield _end_of(chain, cells[chain[0]].cell_contents)
            except ValueError:
                continue  # the variable has no value yet
    for chain in found.globals:
        if chain[0] in function.__globals__:
            yield _end_of(chain, function.__globals__[chain[0]])
        elif hasattr(builtins, chain[0]):
            yield chain, getattr(builtins, chain[0])


def _end_of(chain: Chain, start: Any) -> tuple[Chain, Any]:
    """As far along a chain as modules and classes go; attributes of arrays and other values are computed."""
    value = start
    for position, name in enumerate(chain[1:], 1):
        if isinstance(cast(object, value), np.ndarray | np.generic | int | float | str | tuple | FunctionType | np.ufunc) or not hasattr(
            value, name
        ):
            return chain[:position], value
        value = getattr(value, name)
    return chain, value


def _effect(code: CodeType) -> str | None:
    """The side effect of an instruction."""
    before = ""
    for instruction in dis.get_instructions(code):
        name = instruction.opname
        if name in EFFECTS:
            return EFFECTS[name]
        if name in ("STORE_DEREF", "DELETE_DEREF") and instruction.argval in code.co_freevars:
            return f"it assigns {instruction.argval!r}, a variable of the function around it"
        if name == "POP_TOP" and before in ("CALL", "CALL_FUNCTION_EX", "CALL_KW"):
            return "it calls a function and ignores its result"
        before = name
    for constant in code.co_consts:
        if isinstance(constant, CodeType) and (why := _effect(constant)):
            return why
    return None


def _mentioned(function: FunctionType) -> str | None:
    """The objection to a global that a function mentions."""
    code = function.__code__
    changing = sorted(CHANGING & set(mentions(code).attributes))
    stores = any(instruction.opname in ("STORE_SUBSCR", "DELETE_SUBSCR") for instruction in dis.get_instructions(code))
    writes = "out" in [name for constant in code.co_consts if isinstance(constant, tuple) for name in cast("tuple[Any, ...]", constant)]
    for chain, value in mentioned(function):
        name = ".".join(chain)
        if isinstance(value, np.random.RandomState | np.random.Generator) or _draws(value):
            return f"it draws from the generator {name}"
        if isinstance(value, MethodType | BuiltinFunctionType) and _is_instance(getattr(value, "__self__", None)):
            return f"it calls {name}, which may change from call to call"
        if isinstance(value, list | dict | set | bytearray | np.ndarray):
            if stores or changing or writes:
                return f"it may change {name}, which is defined outside of it"
        elif _is_instance(value) and not callable(value) and not _is_number(value):
            return f"it reads {name}, an object of the class {type(value).__name__}"
        elif callable(value) and not isinstance(value, FunctionType | type | functools.partial) and not is_known(value):
            return f"it calls {name}, which may do more than compute"
    return None


def _draws(value: Any) -> bool:
    return isinstance(getattr(value, "__self__", None), np.random.RandomState | np.random.Generator) or (
        isinstance(value, ModuleType) and value.__name__ in ("random", "numpy.random", "time")
    )


def _is_instance(value: Any) -> bool:
    return value is not None and not isinstance(value, ModuleType | type)


def _is_number(value: Any) -> bool:
    import enum

    return isinstance(value, int | float | str | bytes | tuple | np.generic | enum.Enum | slice | type(Ellipsis) | FunctionType)


def constants_of(function: Callable[..., Any]) -> list[tuple[Callable[..., Any], Chain, Any]]:
    """The globals that a function and those that it calls read, and that are compiled in: the reader, the names, the value."""
    return [
        (one, chain, value)
        for one in reached(function)
        if isinstance(one, FunctionType)
        for chain, value in mentioned(one)
        if not isinstance(value, ModuleType)
    ]
