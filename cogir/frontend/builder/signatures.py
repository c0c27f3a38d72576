"""
Functions as users give them: their names in messages, and the roles of their parameters.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any, cast, get_origin

import numpy as np

from cogir.errors import CogirError, ModelError, shown
from cogir.frontend.builder.source_location import SourceLocation
from cogir.library.signature import FunctionSignature, signature_of


def describe(function: Callable[..., Any]) -> str:
    """The name of a function in a message."""
    name = getattr(function, "__name__", None) or type(function).__name__
    return "the lambda" if name == "<lambda>" else f"function {name}"


def signature_for(function: object, what: str, place: SourceLocation, *, python: bool = False) -> FunctionSignature:
    """The roles of a function's parameters; an error names the node that wanted it. `python`: also of methods and objects to be called."""
    if not inspect.isfunction(function) and not (python and is_own_callable(function)):
        if isinstance(function, np.ufunc):
            wanted = f"write a function around it: def f(variable): return {_full_name(function)}(variable)"
        elif isinstance(function, functools.partial):
            called = describe(cast("functools.partial[Any]", function).func)
            wanted = f"give {called} itself, and the fixed arguments by keyword: m.node(name, function, rate=2.0)"
        elif callable(function):
            wanted = "only functions written with def or lambda can be compiled; write an equivalent one"
        else:
            wanted = "give a function, such as cogir.library.logistic"
        raise ModelError(f"{place}: {what}: found {shown(function)}; {wanted}")
    try:
        signature = signature_of(cast("Callable[..., Any]", function))
    except CogirError as error:
        raise ModelError(f"{place}: {what}: {error}") from None
    for name in signature.inputs:
        if get_origin(getattr(function, "__annotations__", {}).get(name)) is Callable:
            called = describe(cast("Callable[..., Any]", function))
            raise ModelError(
                f'{place}: {what}: {called} takes a function as "{name}", and a port carries numbers; call it in a function of your own: '
                f"def f(variable, *, y: State = 0.0): ... {getattr(function, '__name__', 'f')}(...)"
            )
    return signature


def _full_name(function: np.ufunc) -> str:
    """The name of a ufunc with the module in which users find it, if that is NumPy or SciPy's special functions."""
    for module, short in (("numpy", "np"), ("scipy.special", "scipy.special")):
        if getattr(sys.modules.get(module), function.__name__, None) is function:
            return f"{short}.{function.__name__}"
    return function.__name__


def is_own_callable(function: object) -> bool:
    """True for a bound method, and for an object whose class makes it callable: Python can call them, but nothing can compile them."""
    if isinstance(function, MethodType):
        return True
    return callable(function) and not isinstance(function, type | BuiltinFunctionType | np.ufunc | functools.partial | FunctionType)
