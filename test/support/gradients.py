"""Derivatives of Python functions, as learning computes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr, TensorType, f64

from cogir.interpreters.func import function
from cogir.interpreters.levels import make_engine
from cogir.lowering.gradient.differentiate import Differentiate, learned_attribute
from cogir.pyfunc.table import FunctionTable, compile_function


def module_of(python, size: int, learned: list[tuple[int, int]]) -> ModuleOp:
    """A module with `@loss`, a Python function of a vector."""
    table = FunctionTable()
    compiled = compile_function(python, [TensorType(f64, [size])], name="loss", symbol_table=table)
    compiled.properties.pop("sym_visibility", None)
    compiled.arg_attrs = ArrayAttr([learned_attribute(learned)])
    assert compiled.sym_name == StringAttr("loss")
    return ModuleOp(list(table.functions()))


def differentiated(module: ModuleOp):
    """`@gradient` of a module, interpreted, as a function."""
    Differentiate().apply(Context(), module)
    module.verify()
    return function(make_engine(module).symbol("gradient"), make_engine(module))


def derivatives(python: Callable[..., Any], point: Any) -> np.ndarray:
    """The derivatives of a function of a vector at a point."""
    point = np.asarray(point, np.float64)
    found, _ = differentiated(module_of(python, point.size, [(0, point.size)]))(point, np.zeros(point.size))
    return found
