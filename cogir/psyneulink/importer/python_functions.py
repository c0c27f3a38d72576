"""
A user's own Python function as a part of a node function.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from cogir.psyneulink.importer.node_source import Expression, Rows
from cogir.psyneulink.importer.node_writer import NodeWriter
from cogir.psyneulink.importer.side_effects import impurity
from cogir.psyneulink.importer.termination_measures import compilable

TRIES = 3
"""The number of values of its variable with which a function is tried."""


def call_python(
    writer: NodeWriter, function: Callable[..., Any], variable: Expression, given: dict[str, Expression], shape: tuple[int, ...]
) -> Expression:
    """A user's own Python function, which takes the variable in the shape that PsyNeuLink gives it; refused if it does more."""
    if (known := compilable(function)) is not None:
        function = known
    elif (why := impurity(function)) is not None:
        raise writer.refuse(
            f"its function {getattr(function, '__name__', function)} does more than compute a value from its arguments: {why}",
            "give it all that it needs as arguments and parameters, or run it in PsyNeuLink",
        )
    else:
        writer.own_functions.append(function)
    if int(np.prod(shape)) != np.size(variable.value):
        raise writer.refuse(
            f"its Python function takes a variable of shape {shape}, but receives shape {variable.shape}",
            "give it a default_variable of that shape",
        )
    value = np.reshape(variable.value, shape)
    text = variable.text
    if isinstance(variable, Rows):
        text = f"({', '.join(row.text for row in variable.rows)},)"
        if not takes_rows(function, variable, {name: held.value for name, held in given.items()}):
            raise writer.refuse("its Python function takes InputPorts of different shapes other than by index", "take them one by one")
    elif value.shape != variable.shape:
        text = f"{text}.reshape({value.shape})"
    try:
        returned = function(value, **{name: held.value for name, held in given.items()})
    except Exception as error:
        raise writer.refuse(f"its function {function.__name__} fails on its default variable: {error}", "correct the function") from error
    keywords = "".join(f", {name}={held.text}" for name, held in given.items())
    call = f"{writer.body.function_name(function)}({text}{keywords})"
    if isinstance(returned, list | tuple):
        call = f"np.array({call})"
    result = np.asarray(cast(Any, returned))
    if result.dtype.kind in "biu":  # a model shows and projects floats
        call = f"np.asarray({call}, float)" if result.ndim else f"float({call})"
    held = writer.body.bind("result", call, np.asarray(result, float))
    if result.dtype.kind in "biu":
        writer.types_of_results[held.text] = result.dtype
    return held


def takes_rows(function: Callable[..., Any], variable: Rows, given: dict[str, Any]) -> bool:
    """
    True if a function does with a tuple of vectors what it does with PsyNeuLink's array of vectors of different lengths: one that computes
    with the whole of it does not. Both are tried, with the values at the start and with others.
    """
    generator = np.random.default_rng(0)
    rows = [np.asarray(row, float) for row in variable.value]
    for values in (rows, *([row + generator.normal(size=row.shape) for row in rows] for _ in range(TRIES))):
        array = np.empty(len(values), object)
        array[:] = values
        try:
            wanted, found = (np.asarray(function(one, **given), float) for one in (array, tuple(map(np.array, values))))
        except Exception:
            return False
        if not (wanted.shape == found.shape and np.array_equal(wanted, found, equal_nan=True)):
            return False
    return True
