"""
The inputs of a run, as given and as the model takes them: a row of values for each trial.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from xdsl.ir import Attribute

from cogir.errors import InputError
from cogir.interpreters.cog_state import Value
from cogir.interpreters.cog_values import as_type
from cogir.irutils import shape_of
from cogir.model.graph import ModelGraph, Port

Inputs: TypeAlias = "Mapping[str, Sequence[Any]] | Sequence[Sequence[Any]]"
"""Per node (or "node/port") a list of values over trials; or a list of trials, each a list of the inputs in their order."""


def input_rows(graph: ModelGraph, inputs: Inputs) -> list[list[Value]]:
    """Inputs as one list per trial, with a value for each `cog.input`. A model without inputs takes one empty row."""
    types = [graph.input_type(port) for port in graph.inputs]
    if not isinstance(inputs, Mapping):
        rows = list(inputs) or ([[]] if not types else [])
    else:
        columns = [_column(graph, port, inputs) for port in graph.inputs]
        if unknown := [name for name in inputs if not any(name in (p.node, f"{p.node}/{p.name}") for p in graph.inputs)]:
            known = ", ".join(f"{port.node}/{port.name}" for port in graph.inputs) or "none"
            raise InputError(f"cog.model @{graph.name}: there is no input '{unknown[0]}'; the inputs are {known}")
        count = max((len(column) for column in columns), default=1)
        if any(len(column) not in (1, count) for column in columns):
            raise InputError(
                f"cog.model @{graph.name}: inputs are given for {sorted({len(c) for c in columns})} trials; give the same number "
                "of trials for all"
            )
        rows = [[column[trial % len(column)] for column in columns] for trial in range(count)]
    if not rows:
        raise InputError(f"cog.model @{graph.name}: there are no inputs; give a value for {', '.join(map(str, graph.inputs))}")
    return [_row(graph, row, types) for row in rows]


def _column(graph: ModelGraph, port: Port, inputs: Mapping[str, Sequence[Any]]) -> Sequence[Any]:
    """The values over trials for one input."""
    alone = sum(other.node == port.node for other in graph.inputs) == 1
    for name in (f"{port.node}/{port.name}", *((port.node,) if alone else ())):
        if name in inputs:
            return inputs[name]
    raise InputError(f"cog.model @{graph.name}: there is no input for {port}; give a list of values, one per trial")


def _row(graph: ModelGraph, row: Sequence[Any], types: Sequence[Attribute]) -> list[Value]:
    if len(row) != len(types):
        raise InputError(f"cog.model @{graph.name}: a trial has {len(row)} inputs, but the model has {len(types)}; give one value for each")
    values: list[Value] = []
    for value, type, port in zip(row, types, graph.inputs, strict=True):
        size, wanted = np.size(value), int(np.prod(shape_of(type), dtype=int))
        if size != wanted:
            raise InputError(f"cog.model @{graph.name}: the input for {port} has {size} elements, but the port has {wanted}")
        values.append(as_type(np.reshape(value, shape_of(type)), type))
    return values
