"""
The meaning of `linalg`: one walk over the iteration space, in row-major order of the loops.

Any structured operation (generic, fill, copy, add, matmul ...) is its indexing maps and its body, so one function
interprets them all. On tensors a fresh array is returned; on memrefs every load and store happens in its turn, so that
buffers that overlap show it.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, ShapedType
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.interpreter import PythonValues
from xdsl.ir import Operation
from xdsl.ir.affine import AffineMap

from cogir.interpreters.engine import Engine, Meanings
from cogir.irutils import Array, iteration_extents, projected_dims, shape_of

Index = tuple[int, ...]


def reader(map: AffineMap) -> Callable[[Index], Index]:
    """The indexing map as a function, without evaluating expressions when it only picks loops."""
    positions = projected_dims(map)
    if positions is None:
        return lambda index: tuple(map.eval(index, ()))
    if positions == tuple(range(map.num_dims)):
        return lambda index: index
    return lambda index: tuple([index[position] for position in positions])


def structured(op: LinalgStructuredOperation, engine: Engine) -> Callable[..., PythonValues]:
    """Runs the body once per point of the iteration space."""
    dynamic = any(DYNAMIC_INDEX in shape_of(operand.type) for operand in op.operands if isinstance(operand.type, ShapedType))
    static_extents = () if dynamic else iteration_extents(op)
    readers = [
        reader(attr.data) if isinstance(operand.type, ShapedType) else None
        for operand, attr in zip(op.operands, op.get_indexing_maps(), strict=True)
    ]
    first_output = len(op.inputs)
    on_memory = any(isinstance(operand.type, MemRefType) for operand in op.outputs)
    body = engine.body(op.body, op.name)

    def run(*operands: Any) -> PythonValues:
        outputs: list[Array] = [operand if on_memory else operand.copy() for operand in operands[first_output:]]
        sources = [(array, read) for array, read in zip((*operands[:first_output], *outputs), readers, strict=True)]
        targets = [(array, cast(Any, read)) for array, read in sources[first_output:]]
        extents = iteration_extents(op, [np.shape(operand) for operand in operands]) if dynamic else static_extents
        outer = engine.loop_indices
        for index in product(*map(range, extents)):
            engine.loop_indices = index
            values = body(*[value if read is None else value[read(index)].item() for value, read in sources])
            for (array, read), value in zip(targets, values, strict=True):
                array[read(index)] = value
        engine.loop_indices = outer
        return () if on_memory else tuple(outputs)

    return run


def loop_index(op: linalg.IndexOp, engine: Engine) -> Callable[[], int]:
    loop: int = op.dim.value.data

    def index() -> int:
        return engine.loop_indices[loop]

    return index


_STRUCTURED: tuple[type[Operation], ...] = (
    linalg.GenericOp,
    linalg.FillOp,
    linalg.CopyOp,
    linalg.AddOp,
    linalg.SubOp,
    linalg.MulOp,
    linalg.TransposeOp,
    linalg.MatmulOp,
)

MEANINGS = Meanings(
    value={linalg.IndexOp: loop_index},
    results=dict.fromkeys(_STRUCTURED, structured),
    terminators=(linalg.YieldOp,),
)
