"""
The meaning of `vector`: a vector is a NumPy array of its own; and of `arith` on vectors, lane by lane as on numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import VectorType
from xdsl.interpreter import PythonValues
from xdsl.ir import Block, Operation

from cogir.interpreters import arith as on_numbers
from cogir.interpreters.engine import Engine, Meaning, Meanings
from cogir.irutils import Array, dtype_of, element_type_of


def part(array: Array, index: tuple[int, ...], lanes: int) -> Array:
    """`lanes` neighbours along the last axis, from `index` on."""
    row = array[index[:-1]]
    begin = index[-1]
    if begin < 0 or begin + lanes > len(row):
        raise IndexError(f"elements {begin} to {begin + lanes - 1} are out of range for a row of {len(row)} elements")
    return row[begin : begin + lanes]


def load(op: vector.LoadOp, engine: Engine) -> Callable[..., Array]:
    lanes = op.result.type.get_shape()[0]

    def read(array: Array, *index: int) -> Array:
        return part(array, index, lanes).copy()

    return read


def store(op: vector.StoreOp, engine: Engine) -> Callable[..., PythonValues]:
    def write(value: Array, array: Array, *index: int) -> PythonValues:
        part(array, index, len(value))[:] = value
        return ()

    return write


def masked_load(op: vector.MaskedLoadOp, engine: Engine) -> Callable[..., Array]:
    """Lanes that are masked out may lie beyond the end of the row, and are those of the last operand."""

    def read(array: Array, *rest: Any) -> Array:
        *index, mask, other = rest
        row, begin = array[tuple(index[:-1])], index[-1]
        found = other.copy()
        for lane in np.flatnonzero(mask).tolist():
            found[lane] = part(row, (begin + lane,), 1)[0]
        return found

    return read


def masked_store(op: vector.MaskedStoreOp, engine: Engine) -> Callable[..., PythonValues]:
    """Lanes that are masked out are not written."""

    def write(array: Array, *rest: Any) -> PythonValues:
        *index, mask, value = rest
        row, begin = array[tuple(index[:-1])], index[-1]
        for lane in np.flatnonzero(mask).tolist():
            part(row, (begin + lane,), 1)[:] = value[lane]
        return ()

    return write


def create_mask(op: vector.CreateMaskOp, engine: Engine) -> Callable[[int], Array]:
    (lanes,) = cast("VectorType[Any]", op.mask_vector.type).get_shape()

    def mask(count: int) -> Array:
        return np.arange(lanes) < count

    return mask


def broadcast(op: vector.BroadcastOp, engine: Engine) -> Callable[[Any], Array]:
    shape, dtype = op.vector.type.get_shape(), dtype_of(element_type_of(op.vector.type))
    return lambda value: np.full(shape, value, dtype)


def extract(op: vector.ExtractOp, engine: Engine) -> Callable[..., Any]:
    position = op.static_position.get_values()

    def read(array: Array) -> Any:
        return array[position].item()

    return read


def insert(op: vector.InsertOp, engine: Engine) -> Callable[..., Array]:
    position = op.static_position.get_values()

    def put(value: Any, array: Array) -> Array:
        changed = array.copy()
        changed[position] = value
        return changed

    return put


def shuffle(op: vector.ShuffleOp, engine: Engine) -> Callable[[Array, Array], Array]:
    positions = list(op.mask.get_values())
    return lambda first, second: np.concatenate((first, second))[positions]


def number_operation(op: Operation) -> Operation:
    """The same operation on the numbers of one lane."""
    block = Block(arg_types=[element_type_of(type) for type in op.operand_types])
    types = [element_type_of(type) for type in op.result_types]
    return type(op).create(operands=block.args, result_types=types, properties=op.properties, attributes=op.attributes)


def lane_by_lane(meaning: Meaning) -> Meaning:
    """An operation with one result, on vectors too: in each lane what it is on numbers."""

    def of(op: Operation, engine: Engine) -> Callable[..., Any]:
        type = op.result_types[0]
        if not isinstance(type, VectorType):
            return meaning(op, engine)
        one, dtype = meaning(number_operation(op), engine), dtype_of(element_type_of(cast("VectorType[Any]", type)))
        return lambda *vectors: np.array([one(*lane) for lane in zip(*(each.tolist() for each in vectors), strict=True)], dtype)

    return of


MEANINGS = Meanings(
    value={
        vector.LoadOp: load,
        vector.MaskedLoadOp: masked_load,
        vector.CreateMaskOp: create_mask,
        vector.BroadcastOp: broadcast,
        vector.ExtractOp: extract,
        vector.InsertOp: insert,
        vector.ShuffleOp: shuffle,
        **{op: lane_by_lane(meaning) for op, meaning in on_numbers.MEANINGS.value.items() if op is not arith.ConstantOp},
    },
    results={vector.StoreOp: store, vector.MaskedStoreOp: masked_store},
)
