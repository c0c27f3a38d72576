"""
Values of any shape: sums and products of terms, vector times matrix, changes of shape and of element type.

Arrays become `linalg.generic` with scalar bodies. Sums run from left to right and begin with their first term.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    TensorType,
    f32,
    f64,
    i1,
    i32,
    i64,
)
from xdsl.dialects.linalg.attrs import IteratorType, IteratorTypeAttr
from xdsl.dialects.linalg.ops import GenericOp, YieldOp
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from cogir.irutils import element_type_of, is_float, shape_of, size_of
from cogir.lowering.machine.emitter import BlockEmitter, is_tensor
from cogir.ranges import Between

PARALLEL, REDUCTION = IteratorTypeAttr(IteratorType.PARALLEL), IteratorTypeAttr(IteratorType.REDUCTION)


def add(emitter: BlockEmitter, left: SSAValue, right: SSAValue) -> SSAValue:
    """left + right (scalars)"""
    operation = arith.AddfOp(left, right) if is_float(left.type) else arith.AddiOp(left, right)
    return emitter.value(operation)


def multiply(emitter: BlockEmitter, left: SSAValue, right: SSAValue) -> SSAValue:
    """left * right (scalars)"""
    operation = arith.MulfOp(left, right) if is_float(left.type) else arith.MuliOp(left, right)
    return emitter.value(operation)


def fold(emitter: BlockEmitter, terms: Sequence[SSAValue], join: Callable[[BlockEmitter, SSAValue, SSAValue], SSAValue]) -> SSAValue:
    """((t0 join t1) join t2) ..., element by element; a single term is itself."""
    if len(terms) == 1:
        return terms[0]

    def scalar(inner: BlockEmitter, elements: list[SSAValue]) -> SSAValue:
        result = elements[0]
        for element in elements[1:]:
            result = join(inner, result, element)
        return result

    return elementwise(emitter, next((t.type for t in terms if is_tensor(t.type)), terms[0].type), terms, scalar)


def joined(emitter: BlockEmitter, to: Attribute, combine: str, terms: Sequence[SSAValue]) -> SSAValue:
    """The value of an input of type `to`: its terms summed or multiplied from left to right, zero if there are none."""
    if not terms:
        return emitter.zero(to)
    shaped = [as_type(emitter, term, to) for term in terms]
    return fold(emitter, shaped, multiply if combine == "product" else add)


def elementwise(
    emitter: BlockEmitter,
    result_type: Attribute,
    values: Sequence[SSAValue],
    body: Callable[[BlockEmitter, list[SSAValue]], SSAValue],
    hint: str | None = None,
) -> SSAValue:
    """`body` on the elements of tensors of one shape (and on scalars beside them), as one `linalg.generic`; on scalars as it is."""
    if not is_tensor(result_type):
        return body(emitter, list(values))
    inner = emitter.nested([*(element_type_of(value.type) for value in values), element_type_of(result_type)])
    inner.add(YieldOp(body(inner, list(inner.block.args[:-1]))))
    start = emitter.value(tensor.EmptyOp.create(operands=[], result_types=[result_type]))
    properties = elementwise_properties(len(shape_of(result_type)), tuple(is_tensor(value.type) for value in values))
    generic = GenericOp.create(
        operands=[*values, start], result_types=[result_type], properties=dict(properties), regions=[Region(inner.block)]
    )
    return emitter.value(generic, hint)


@cache
def elementwise_properties(rank: int, shaped: tuple[bool, ...]) -> Mapping[str, Attribute]:
    """The properties of a `linalg.generic` over arrays (`shaped`) and scalars."""
    identity, scalar = AffineMapAttr(AffineMap.identity(rank)), AffineMapAttr(AffineMap(rank, 0, ()))
    return {
        "indexing_maps": ArrayAttr([*(identity if each else scalar for each in shaped), identity]),
        "iterator_types": ArrayAttr([PARALLEL] * rank),
        "operandSegmentSizes": DenseArrayBase.from_list(i32, [len(shaped), 1]),
    }


def select(emitter: BlockEmitter, condition: SSAValue, yes: SSAValue, no: SSAValue) -> SSAValue:
    """yes if condition else no, for values of any shape; the condition is one flag."""

    def scalar(inner: BlockEmitter, elements: list[SSAValue]) -> SSAValue:
        return inner.choose(*elements)

    return elementwise(emitter, yes.type, [condition, yes, no], scalar, no.name_hint)


def is_outside(emitter: BlockEmitter, value: SSAValue, held: Between) -> SSAValue:
    """True if a number, or an element of an array, does not lie in a range; NaN lies in none."""

    def elements(inner: BlockEmitter, indices: list[SSAValue], found: SSAValue) -> SSAValue:
        if len(indices) == len(shape_of(value.type)):
            element = inner.value(tensor.ExtractOp(value, indices, element_type_of(value.type))) if is_tensor(value.type) else value
            return inner.either(found, _is_number_outside(inner, element, held))

        def following(inner: BlockEmitter, index: SSAValue, carried: list[SSAValue]) -> list[SSAValue]:
            return [elements(inner, [*indices, index], carried[0])]

        return inner.loop_for(shape_of(value.type)[len(indices)], [found], following)[0]

    return elements(emitter, [], emitter.flag(False))


def _is_number_outside(emitter: BlockEmitter, value: SSAValue, held: Between) -> SSAValue:
    wide = with_elements(emitter, value, f64)
    below = emitter.value(arith.CmpfOp(wide, emitter.number(held.low), "ule" if held.low_open else "ult"))
    above = emitter.value(arith.CmpfOp(wide, emitter.number(held.high), "uge" if held.high_open else "ugt"))
    return emitter.either(below, above)


def vector_times_matrix(emitter: BlockEmitter, vector: SSAValue, matrix: SSAValue) -> SSAValue:
    """
    vector(m) @ matrix(m x n) -> n numbers, each summed over m in order, from zero.
    """
    rows, columns = shape_of(matrix.type)
    element = element_type_of(matrix.type)
    result_type = TensorType(element, (columns,))
    i, j = AffineExpr.dimension(0), AffineExpr.dimension(1)
    # The reduction is the outer loop: the columns are then independent chains of additions, side by side in memory.
    maps = [AffineMapAttr(AffineMap(2, 0, exprs)) for exprs in ((i,), (i, j), (j,))]
    inner = emitter.nested([element, element, element])
    sender, weight, total = inner.block.args
    inner.add(YieldOp(add(inner, total, multiply(inner, sender, weight))))
    start = emitter.zero(result_type)
    generic = GenericOp([vector, matrix], [start], Region(inner.block), maps, [REDUCTION, PARALLEL], [result_type])
    assert shape_of(vector.type) == (rows,)
    return emitter.value(generic)


def as_type(emitter: BlockEmitter, value: SSAValue, to: Attribute) -> SSAValue:
    """The same elements as a value of another type: f64 <-> tensor<1xf64>, 4 <-> 2x2, i1 <-> i64; a number fills an array."""
    value = with_elements(emitter, value, element_type_of(to))
    if value.type == to:
        return value
    if not is_tensor(value.type):
        if size_of(to) > 1:
            return elementwise(emitter, to, [value], lambda _, elements: elements[0], value.name_hint)
        value = emitter.value(tensor.FromElementsOp(value), value.name_hint)
    return reshaped(emitter, flattened(emitter, value), to) if is_tensor(to) else element(emitter, value, ())


def with_elements(emitter: BlockEmitter, value: SSAValue, to: Attribute) -> SSAValue:
    """The value with its elements as `to`: f64 <-> f32, i1 <-> i64, integers to floats, f64 to integers (by leaving out the fraction)."""
    if (source := element_type_of(value.type)) == to:
        return value

    def convert(inner: BlockEmitter, elements: list[SSAValue]) -> SSAValue:
        (old,) = elements
        if is_float(source) and to == i1:
            return inner.value(arith.CmpfOp(old, inner.value(arith.ConstantOp(FloatAttr(0.0, f64 if source == f64 else f32))), "une"))
        if is_float(source) and to == i64:
            return inner.value(arith.FPToSIOp(old, i64))
        if is_float(source):
            return inner.value(arith.TruncFOp(old, f32) if source == f64 else arith.ExtFOp(old, f64))
        if to == i1:
            return inner.compare(old, "ne", inner.integer(0))
        if source == i1:
            old = inner.as_integer(old)
        return old if to == i64 else inner.value(arith.SIToFPOp(old, f32 if to == f32 else f64))

    return elementwise(emitter, TensorType(to, shape_of(value.type)) if is_tensor(value.type) else to, [value], convert)


def reshaped(emitter: BlockEmitter, flat: SSAValue, to: Attribute) -> SSAValue:
    """A one-dimensional tensor in the shape of `to`."""
    if flat.type == to:
        return flat
    shape, target = shape_of(to), TensorType(element_type_of(to), shape_of(to))
    return emitter.value(tensor.ExpandShapeOp(flat, [], all_axes(len(shape)), shape, target), flat.name_hint)


def flattened(emitter: BlockEmitter, value: SSAValue) -> SSAValue:
    """The elements of a tensor in one dimension."""
    shape = shape_of(value.type)
    if len(shape) == 1:
        return value
    flat = TensorType(element_type_of(value.type), (size_of(value.type),))
    properties = {"reassociation": all_axes(len(shape))}
    return emitter.value(tensor.CollapseShapeOp.create(operands=[value], result_types=[flat], properties=properties), value.name_hint)


def all_axes(rank: int) -> ArrayAttr[ArrayAttr[IntegerAttr[Any]]]:
    """The reassociation that joins all axes into one."""
    return ArrayAttr([ArrayAttr([IntegerAttr(axis, i64) for axis in range(rank)])] if rank else [])


def element(emitter: BlockEmitter, value: SSAValue, indices: Sequence[int]) -> SSAValue:
    """One element of a value; of a scalar, or of a tensor with a single element, without indices."""
    if not is_tensor(value.type):
        return value
    indices = indices or [0] * len(shape_of(value.type))
    places = [emitter.index(index) for index in indices]
    return emitter.value(tensor.ExtractOp(value, places, element_type_of(value.type)), value.name_hint)
