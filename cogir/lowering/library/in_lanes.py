"""
Functions of numbers, made over to functions of vectors: each lane is what the function of numbers gives.

```mlir
func.func private @two_sum(%a: f64, %b: f64) -> (f64, f64)
// becomes, for three lanes
func.func private @two_sum_v3(%a: vector<3xf64>, %b: vector<3xf64>) -> (vector<3xf64>, vector<3xf64>)
```

That is possible where a function has no branches and no memory: nearly all of `cogir.library.numerics.math`, which chooses by
selection. As xDSL's `arith` compares and selects numbers only, what comes out is for `convert-to-llvm` alone; `backend/library.ll` is
made so.
"""

from __future__ import annotations

import re
from typing import Any, cast

from xdsl.dialects import arith, func
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    FunctionType,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    VectorType,
    f64,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, Region, SSAValue

from cogir.errors import LoweringError

WIDENED = (f64, i64, i1)
"""The types of numbers that a lane can have."""
_LANES = re.compile(r"_v(\d+)$")


def symbol_in_lanes(symbol: str, lanes: int) -> str:
    """The symbol of a function for vectors."""
    return f"{symbol}_v{lanes}"


def lanes_of(symbol: str) -> tuple[str, int] | None:
    """The function of numbers, and the lanes, that a symbol for vectors was made of; None for other symbols."""
    found = _LANES.search(symbol)
    return (symbol[: found.start()], int(found[1])) if found else None


def wide(type: Attribute, lanes: int) -> VectorType[Any]:
    """f64  ->  vector<3xf64>"""
    if type not in WIDENED:
        raise LoweringError(f"in-lanes: {type} has no vector type; use one of {', '.join(map(str, WIDENED))}")
    return VectorType(type, [lanes])


def splat(op: arith.ConstantOp, lanes: int) -> arith.ConstantOp:
    """arith.constant 1.0 : f64  ->  arith.constant dense<1.0> : vector<3xf64>"""
    held = op.value
    assert isinstance(held, FloatAttr | IntegerAttr)
    number = cast("FloatAttr[Any] | IntegerAttr[Any]", held).value.data
    type = wide(op.result.type, lanes)
    return arith.ConstantOp(DenseIntOrFPElementsAttr.from_list(cast(Any, type), [number]), type)


def function_in_lanes(function: func.FuncOp, lanes: int) -> func.FuncOp:
    """
    A function of numbers as a function of vectors; what it calls is called for vectors, too.

    :raises LoweringError: if the function has branches or memory.
    """
    name = function.sym_name.data
    if function.is_declaration or len(function.body.blocks) != 1:
        raise LoweringError(f"in-lanes: @{name} has several blocks; only a function of one block can be vectorised")
    inputs, outputs = ([wide(type, lanes) for type in types] for types in (function.function_type.inputs, function.function_type.outputs))
    block = Block(arg_types=inputs)
    values: dict[SSAValue, SSAValue] = {}
    for old, new in zip(function.body.block.args, block.args, strict=True):
        new.name_hint = old.name_hint
        values[old] = new
    for op in function.body.block.ops:
        if op.regions or not (op.name.startswith(("arith.", "math.")) or isinstance(op, func.CallOp | func.ReturnOp)):
            raise LoweringError(f"in-lanes: @{name} contains {op.name}, which cannot be vectorised")
        if isinstance(op, arith.ConstantOp):
            made = splat(op, lanes)
        else:
            made = type(op).create(
                operands=[values[operand] for operand in op.operands],
                result_types=[wide(result.type, lanes) for result in op.results],
                properties=op.properties,
                attributes=op.attributes,
            )
        if isinstance(made, func.CallOp):
            made.properties["callee"] = SymbolRefAttr(symbol_in_lanes(made.callee.string_value(), lanes))
        made.location = op.location
        block.add_op(made)
        for old, new in zip(op.results, made.results, strict=True):
            new.name_hint = old.name_hint
            values[old] = new
    result = func.FuncOp(symbol_in_lanes(name, lanes), FunctionType.from_lists(inputs, outputs), Region(block))
    result.sym_visibility = function.sym_visibility or StringAttr("private")
    return result
