"""
Loads from and stores to the buffers: one-dimensional tensors in which slots lie side by side.

A buffer holds f64 or i64. Values of other types are converted on their way: f32 is held as f64, i1 as 0 or 1; inputs of all types are
held as f64. So are outputs, except whole numbers, which a float above 2**53 would round: an i64 is held as the f64 with the same bits
(`runtime/outputs.py`).
"""

from __future__ import annotations

from functools import cache
from typing import Any

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import DenseArrayBase, TensorType, f64, i32, i64
from xdsl.ir import Attribute, SSAValue

from cogir.irutils import element_type_of, shape_of, size_of
from cogir.lowering.machine.emitter import BlockEmitter, is_tensor
from cogir.lowering.machine.tensors import elementwise, flattened, reshaped, with_elements

ONE = DenseArrayBase.from_list(i64, [1])
EXTRACT_SEGMENTS = DenseArrayBase.from_list(i32, [1, 0, 0, 0])
INSERT_SEGMENTS = DenseArrayBase.from_list(i32, [1, 1, 0, 0, 0])


def load(emitter: BlockEmitter, buffer: SSAValue, offset: int, value_type: Attribute, hint: str | None = None) -> SSAValue:
    """The value of `value_type` whose words begin at `offset` of the buffer."""
    if not is_tensor(value_type):
        operands, result = [buffer, emitter.index(offset)], element_type_of(buffer.type)
        held = emitter.value(tensor.ExtractOp.create(operands=operands, result_types=[result]), hint)
        value = with_elements(emitter, held, value_type)
        value.name_hint = held.name_hint
        return value
    flat = words(emitter, buffer, offset, size_of(value_type), hint)
    held = _array_type(element_type_of(buffer.type), shape_of(value_type))
    return with_elements(emitter, reshaped(emitter, flat, held), element_type_of(value_type))


def store(emitter: BlockEmitter, buffer: SSAValue, offset: int, value: SSAValue) -> SSAValue:
    """The buffer after `value` has been written from `offset` on."""
    held = element_type_of(buffer.type)
    value = bits_of(emitter, value) if held == f64 and element_type_of(value.type) == i64 else with_elements(emitter, value, held)
    if is_tensor(value.type):
        return store_words(emitter, buffer, offset, flattened(emitter, value))
    operands = [value, buffer, emitter.index(offset)]
    return emitter.value(tensor.InsertOp.create(operands=operands, result_types=[buffer.type]), buffer.name_hint)


def bits_of(emitter: BlockEmitter, value: SSAValue) -> SSAValue:
    """Whole numbers as the f64 of the same bits."""
    to = TensorType(f64, shape_of(value.type)) if is_tensor(value.type) else f64
    return elementwise(emitter, to, [value], lambda inner, elements: inner.value(arith.BitcastOp(elements[0], f64)), value.name_hint)


def words(emitter: BlockEmitter, buffer: SSAValue, offset: int, size: int, hint: str | None = None) -> SSAValue:
    """`size` neighbouring words of a buffer as they are."""
    part = _array_type(element_type_of(buffer.type), (size,))
    if part == buffer.type:
        return buffer
    properties = _place(offset, size, EXTRACT_SEGMENTS)
    operation = tensor.ExtractSliceOp.create(operands=[buffer], result_types=[part], properties=properties)
    return emitter.value(operation, hint)


def store_words(emitter: BlockEmitter, buffer: SSAValue, offset: int, part: SSAValue) -> SSAValue:
    """The buffer after neighbouring words have been replaced."""
    if part.type == buffer.type:
        return part
    properties = _place(offset, size_of(part.type), INSERT_SEGMENTS)
    operation = tensor.InsertSliceOp.create(operands=[part, buffer], result_types=[buffer.type], properties=properties)
    return emitter.value(operation, buffer.name_hint)


@cache
def _array_type(element: Attribute, shape: tuple[int, ...]) -> TensorType[Attribute]:
    return TensorType(element, shape)


@cache
def _one_number(value: int) -> DenseArrayBase[Any]:
    return DenseArrayBase.from_list(i64, [value])


def _place(offset: int, size: int, segments: Attribute) -> dict[str, Attribute]:
    """The properties of a slice at a static place; the public constructors take three times as long."""
    return {
        "static_offsets": _one_number(offset),
        "static_sizes": _one_number(size),
        "static_strides": ONE,
        "operandSegmentSizes": segments,
    }
