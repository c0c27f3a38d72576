"""
The meaning of `tensor`: arrays as values.

An array that an SSA value holds is never written to again; an operation that changes elements copies first.
What `tensor.empty` holds is meant to be seen when somebody reads it by mistake: NaN, or a strange integer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
from xdsl.dialects import tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Attribute, Operation

from cogir.errors import LoweringError
from cogir.interpreters.engine import Engine, Meanings
from cogir.irutils import Array, dtype_of, element_type_of, shape_of

UNDEFINED_INTEGER = -0x5EED5EED5EED
"""The value of integers in uninitialised arrays."""


def uninitialised(type: Attribute) -> Array:
    """A fresh array of a tensor or memref type of static shape, filled with values that catch the eye."""
    dtype = dtype_of(element_type_of(type))
    shape = shape_of(type)
    if dtype.kind == "f":
        return np.full(shape, np.nan, dtype)
    return np.full(shape, UNDEFINED_INTEGER, np.int64).astype(dtype)


def checked(index: tuple[int, ...], array: Array) -> tuple[int, ...]:
    """The index itself, when it lies within the array: NumPy would take a negative one from the end."""
    for position, extent in zip(index, array.shape, strict=True):
        if not 0 <= position < extent:
            raise IndexError(f"index {list(index)} is out of range for an array of shape {list(array.shape)}")
    return index


def slicer(offsets: Sequence[int], sizes: Sequence[int], strides: Sequence[int]) -> Callable[[Sequence[int], Array], tuple[slice, ...]]:
    """
    From static offsets, sizes and strides, of which some are DYNAMIC_INDEX, to a function that takes the dynamic ones
    (offsets first, then sizes, then strides) and the array, and returns the index of the slice, checked.
    """
    static = (*offsets, *sizes, *strides)
    rank = len(offsets)

    def index(dynamic: Sequence[int], array: Array) -> tuple[slice, ...]:
        given = iter(dynamic)
        values = [next(given) if value == DYNAMIC_INDEX else value for value in static]
        slices: list[slice] = []
        for axis in range(rank):
            offset, size, stride = values[axis], values[rank + axis], values[2 * rank + axis]
            last = offset + (size - 1) * stride
            if size > 0 and not (0 <= offset < array.shape[axis] and 0 <= last < array.shape[axis]):
                raise IndexError(
                    f"slice with size {size}, offset {offset} and stride {stride} is out of range for axis {axis} of "
                    f"{array.shape[axis]} elements"
                )
            slices.append(slice(offset, last + 1, stride))
        return tuple(slices)

    return index


def empty(op: tensor.EmptyOp, engine: Engine) -> Callable[..., Array]:
    if op.dynamic_sizes:
        raise LoweringError("interpreter: tensor.empty has a dynamic shape; cogir's shapes are static")
    return lambda: uninitialised(op.tensor.type)


def extract(op: tensor.ExtractOp, engine: Engine) -> Callable[..., Any]:

    def read(array: Array, *index: int) -> Any:
        return array[checked(index, array)].item()

    return read


def insert(op: tensor.InsertOp, engine: Engine) -> Callable[..., Array]:
    def changed(scalar: Any, array: Array, *index: int) -> Array:
        copy = array.copy()
        copy[checked(index, array)] = scalar
        return copy

    return changed


def extract_slice(op: tensor.ExtractSliceOp, engine: Engine) -> Callable[..., Array]:
    index = slicer(*(tuple(v.get_values()) for v in (op.static_offsets, op.static_sizes, op.static_strides)))
    shape = shape_of(op.result.type)

    def part(array: Array, *dynamic: int) -> Array:
        return array[index(dynamic, array)].reshape(shape)

    return part


def insert_slice(op: tensor.InsertSliceOp, engine: Engine) -> Callable[..., Array]:
    index = slicer(*(tuple(v.get_values()) for v in (op.static_offsets, op.static_sizes, op.static_strides)))

    def changed(source: Array, array: Array, *dynamic: int) -> Array:
        copy = array.copy()
        place = index(dynamic, array)
        copy[place] = source.reshape(copy[place].shape)
        return copy

    return changed


def from_elements(op: tensor.FromElementsOp, engine: Engine) -> Callable[..., Array]:
    shape, dtype = shape_of(op.result.type), dtype_of(element_type_of(op.result.type))
    return lambda *elements: np.array(elements, dtype).reshape(shape)


def splat(op: tensor.SplatOp, engine: Engine) -> Callable[..., Array]:
    shape, dtype = shape_of(op.result.type), dtype_of(element_type_of(op.result.type))

    def fill(value: Any) -> Array:
        return np.full(shape, value, dtype)

    return fill


def reshaped(op: Operation, engine: Engine) -> Callable[..., Array]:
    shape = shape_of(op.results[0].type)

    def view(array: Array, *_: Any) -> Array:
        return array.reshape(shape)

    return view


def concat(op: tensor.ConcatOp, engine: Engine) -> Callable[..., Array]:
    axis = op.dim.value.data
    return lambda *arrays: np.concatenate(arrays, axis)


def dim(op: tensor.DimOp, engine: Engine) -> Callable[[Array, int], int]:
    return lambda array, axis: cast(int, array.shape[axis])


MEANINGS = Meanings(
    value={
        tensor.EmptyOp: empty,
        tensor.ExtractOp: extract,
        tensor.InsertOp: insert,
        tensor.ExtractSliceOp: extract_slice,
        tensor.InsertSliceOp: insert_slice,
        tensor.FromElementsOp: from_elements,
        tensor.SplatOp: splat,
        tensor.ReshapeOp: reshaped,
        tensor.ExpandShapeOp: reshaped,
        tensor.CollapseShapeOp: reshaped,
        tensor.CastOp: reshaped,
        tensor.ConcatOp: concat,
        tensor.DimOp: dim,
    },
)
