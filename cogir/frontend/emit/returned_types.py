"""
The types that a function returns, found by compiling it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import FileLineColLoc
from xdsl.ir import Operation

from cogir.dialects.rng import StateType
from cogir.errors import FunctionError
from cogir.frontend.builder.records import FunctionRecord
from cogir.frontend.builder.shapes import Returned
from cogir.frontend.builder.signatures import describe
from cogir.frontend.builder.values import Array, ValueType, type_of
from cogir.frontend.emit.types import ir_type, value_type
from cogir.pyfunc.table import FunctionTable, compile_function


def returned_by_compiling(body: FunctionRecord, inputs: Mapping[str, ValueType]) -> Returned:
    """The types that `call_once` finds by calling; for functions that may not return."""
    states = list(body.states.values())
    for _ in range(4):
        table = FunctionTable()
        function = _compiled(body, inputs, states, table)
        results = list(function.function_type.outputs)
        finishes = function.sym_name.data in table.finishing
        carried = len(states) + len(body.streams)
        last_output = len(results) - carried - (1 if finishes else 0)
        grown = [
            np.array(np.broadcast_to(start, kept.shape), dtype=kept.dtype)
            for start, kept in zip(states, map(value_type, results[last_output : last_output + len(states)]), strict=True)
        ]
        if all(type_of(one) == type_of(other) for one, other in zip(grown, states, strict=True)):
            return Returned(tuple(value_type(result) for result in results[:last_output]), tuple(grown), finishes)
        states = grown
    raise FunctionError(f"{describe(body.function)}: the shapes of its states change with every execution; use states of a fixed shape")


def _compiled(body: FunctionRecord, inputs: Mapping[str, ValueType], states: Sequence[Array], table: FunctionTable) -> func.FuncOp:
    types = [
        *(ir_type(kept) for kept in inputs.values()),
        *(ir_type(type_of(value)) for value in (*body.params.values(), *states)),
        *(StateType(stream.kind) for stream in body.streams.values()),
    ]
    return compile_function(body.function, types, name=body.function.__name__, statics=body.statics, symbol_table=table)


def compiles_in_float64(body: FunctionRecord, inputs: Mapping[str, ValueType]) -> bool:
    """True if a function that float32 does not suit can be compiled where inputs, parameters and states are float64."""

    def wide(values: Mapping[str, Array]) -> dict[str, Array]:
        return {name: value.astype(np.float64) if value.dtype == np.float32 else value for name, value in values.items()}

    types = {name: ValueType(kept.shape, "float64") if kept.dtype == "float32" else kept for name, kept in inputs.items()}
    try:
        returned_by_compiling(replace(body, params=wide(body.params), states=wide(body.states)), types)
    except FunctionError:
        return False
    return True


def line_of_result(body: FunctionRecord, inputs: Mapping[str, ValueType], position: int) -> str:
    """The line, as `file:line`, on which a function computes one of its results, counted from its first output to its last state."""
    return line_computing(_compiled(body, inputs, list(body.states.values()), FunctionTable()), position)


def line_computing(function: func.FuncOp, position: int) -> str:
    """The line, as `file:line`, on which a compiled function computes one of its results."""
    ending = function.body.block.last_op
    assert ending is not None
    owner = ending.operands[position].owner
    location = owner.location if isinstance(owner, Operation) else function.location
    return f"{location.filename.data}:{location.line.data}" if isinstance(location, FileLineColLoc) else function.sym_name.data
