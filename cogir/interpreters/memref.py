"""
The meaning of `memref`: arrays in memory. A memref value is a NumPy array, a subview a view of it; stores write in place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseIntOrFPElementsAttr
from xdsl.interpreter import PythonValues
from xdsl.ir import Operation

from cogir.dialects.memref_ext import PrefetchOp
from cogir.errors import ExecutionError
from cogir.interpreters.engine import Engine, Meanings
from cogir.interpreters.tensor import checked, slicer, uninitialised
from cogir.irutils import Array, array_of_dense, dtype_of, element_type_of, shape_of


def load(op: memref.LoadOp, engine: Engine) -> Callable[..., Any]:

    def read(array: Array, *index: int) -> Any:
        return array[checked(index, array)].item()

    return read


def store(op: memref.StoreOp, engine: Engine) -> Callable[..., PythonValues]:
    def write(value: Any, array: Array, *index: int) -> PythonValues:
        array[checked(index, array)] = value
        return ()

    return write


def allocate(op: memref.AllocOp | memref.AllocaOp, engine: Engine) -> Callable[..., Array]:
    type = op.memref.type
    shape = shape_of(type)
    if DYNAMIC_INDEX not in shape:
        return lambda: uninitialised(type)
    dtype = dtype_of(element_type_of(type))

    def sized(*dynamic: int) -> Array:
        sizes = iter(dynamic)
        return np.zeros([next(sizes) if extent == DYNAMIC_INDEX else extent for extent in shape], dtype)

    return sized


def deallocate(op: memref.DeallocOp, engine: Engine) -> Callable[[Array], PythonValues]:
    return lambda array: ()


def prefetch(op: PrefetchOp, engine: Engine) -> Callable[..., PythonValues]:
    def ask(array: Array, *index: int) -> PythonValues:
        return ()

    return ask


def subview(op: memref.SubviewOp, engine: Engine) -> Callable[..., Array]:
    index = slicer(*(tuple(v.get_values()) for v in (op.static_offsets, op.static_sizes, op.static_strides)))
    shape = shape_of(op.result.type)
    sizes = op.static_sizes.get_values()
    alone = [axis for axis, size in enumerate(sizes) if size == 1][: len(sizes) - len(shape)]  # the axes that the result has not

    def view(array: Array, *dynamic: int) -> Array:
        part = array[index(dynamic, array)]
        if DYNAMIC_INDEX in shape:
            return part.squeeze(tuple(alone))
        return same_memory(part, part.reshape(shape))

    return view


def same_memory(array: Array, reshaped: Array) -> Array:
    """`reshaped`, which must be a view of `array`: NumPy silently copies what it cannot view."""
    if not np.may_share_memory(array, reshaped):
        raise ExecutionError(f"memref of strides {array.strides} cannot be viewed with shape {list(reshaped.shape)}")
    return reshaped


def reshape(op: Operation, engine: Engine) -> Callable[..., Array]:
    shape = shape_of(op.results[0].type)

    def view(array: Array, *_: int) -> Array:
        return same_memory(array, array.reshape(shape))

    return view


def reinterpret(op: memref.ReinterpretCastOp, engine: Engine) -> Callable[..., Array]:
    static = (*op.static_offsets.get_values(), *op.static_sizes.get_values(), *op.static_strides.get_values())
    rank = len(op.static_sizes)

    def view(array: Array, *dynamic: int) -> Array:
        given = iter(dynamic)
        offset, *rest = [next(given) if value == DYNAMIC_INDEX else value for value in static]
        sizes, strides = rest[:rank], rest[rank:]
        flat = same_memory(array, array.reshape(-1))[offset:]
        reach = 1 + sum((size - 1) * stride for size, stride in zip(sizes, strides, strict=True))
        if reach > flat.size:
            raise IndexError(
                f"view with sizes {sizes}, strides {strides} and offset {offset} is out of range for a buffer of {array.size} elements"
            )
        return np.lib.stride_tricks.as_strided(flat, sizes, [stride * flat.itemsize for stride in strides])

    return view


def extract_strided_metadata(op: memref.ExtractStridedMetaDataOp, engine: Engine) -> Callable[[Array], PythonValues]:
    """The memory of a view from its first element on, which is taken to be its base: the offset is 0."""

    def parts(array: Array) -> PythonValues:
        strides = [stride // array.itemsize for stride in array.strides]
        reach = 1 + sum((size - 1) * stride for size, stride in zip(array.shape, strides, strict=True))
        return (np.lib.stride_tricks.as_strided(array, [reach], [array.itemsize]), 0, *array.shape, *strides)

    return parts


def copy(op: memref.CopyOp, engine: Engine) -> Callable[[Array, Array], PythonValues]:
    def run(source: Array, destination: Array) -> PythonValues:
        destination[...] = source
        return ()

    return run


def get_global(op: memref.GetGlobalOp, engine: Engine) -> Callable[[], Array]:
    symbol = op.name_.string_value()
    held = engine.memory.get(symbol)
    if held is None:
        definition = cast(memref.GlobalOp, engine.symbol(symbol))
        if isinstance(definition.initial_value, DenseIntOrFPElementsAttr):
            held = array_of_dense(cast("DenseIntOrFPElementsAttr[Any]", definition.initial_value))
            # A constant stays read-only memory: a store to it is an error here, as it is in machine code.
            held = held if definition.constant is not None else held.copy()
        else:
            held = uninitialised(definition.type)
        engine.memory[symbol] = held
    array = held
    return lambda: array


def dim(op: memref.DimOp, engine: Engine) -> Callable[[Array, int], int]:
    return lambda array, axis: cast(int, array.shape[axis])


def _same(op: Operation, engine: Engine) -> Callable[[Array], Array]:
    return lambda array: array


MEANINGS = Meanings(
    value={
        memref.LoadOp: load,
        memref.AllocOp: allocate,
        memref.AllocaOp: allocate,
        memref.SubviewOp: subview,
        memref.ExpandShapeOp: reshape,
        memref.CollapseShapeOp: reshape,
        memref.ReinterpretCastOp: reinterpret,
        memref.CastOp: _same,
        memref.GetGlobalOp: get_global,
        memref.DimOp: dim,
    },
    results={
        memref.StoreOp: store,
        memref.DeallocOp: deallocate,
        memref.CopyOp: copy,
        PrefetchOp: prefetch,
        memref.ExtractStridedMetaDataOp: extract_strided_metadata,
    },
)
