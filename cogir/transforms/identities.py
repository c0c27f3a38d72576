"""
Constants, and operations that are one of their operands whatever the others hold.

Neutral elements go where that is exact for all numbers, NaN, infinities and -0.0 included:

    x * 1.0 = x     x / 1.0 = x     x - 0.0 = x     x + (-0.0) = x

and with what is known of the range of `x` (`analysis/ranges/local_floats.py`):

    x + 0.0 = x             unless x is -0.0
    x < c, max(x, c) ...    where x is on one side of c
"""

from __future__ import annotations

import math as numbers
from typing import Any, cast

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    Float64Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    TensorType,
)
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineMap

from cogir.analysis.ranges.local_floats import LocalRanges
from cogir.interpreters.arith import FLOAT_TESTS
from cogir.irutils import array_of_dense, dense_of_array


def constant_of(value: SSAValue) -> Attribute | None:
    """The constant that a value is."""
    return value.owner.value if isinstance(value.owner, arith.ConstantOp) else None


def held_by(constant: Attribute) -> Any:
    """A constant as the interpreter knows it."""
    match constant:
        case FloatAttr():
            return constant.value.data
        case IntegerAttr():
            number = cast("IntegerAttr[Any]", constant)
            return bool(number.value.data) if number.type == IntegerType(1) else number.value.data
        case DenseIntOrFPElementsAttr():
            return array_of_dense(cast("DenseIntOrFPElementsAttr[Any]", constant))
        case _:
            return None


def attribute_of(value: Any, type: Attribute) -> Attribute | None:
    """A value of the interpreter as a constant; None for NaN, and for what is no number."""
    match type:
        case TensorType():
            array = np.asarray(value)
            if array.dtype.kind == "f" and np.isnan(array).any():
                return None
            return dense_of_array(array, type.get_element_type())
        case IntegerType() | IndexType():
            return IntegerAttr(int(value), type)
        case Float64Type():
            return None if numbers.isnan(value) else FloatAttr(float(value), type)
        case _:
            return None


def is_number(value: SSAValue, wanted: float) -> bool:
    """True if a value is this floating-point constant; zeros differ by their sign."""
    constant = constant_of(value)
    if not isinstance(constant, FloatAttr):
        return False
    held = constant.value.data
    return held == wanted and numbers.copysign(1.0, held) == numbers.copysign(1.0, wanted)


def same_element(constant: Attribute) -> Attribute | None:
    """The number that a constant is, or whose copies make up an array."""
    if not isinstance(constant, DenseIntOrFPElementsAttr):
        return constant
    dense = cast("DenseIntOrFPElementsAttr[Any]", constant)
    array = array_of_dense(dense)
    if not array.size:
        return None
    words = np.ascontiguousarray(array).view(np.uint8).reshape(array.size, -1)
    if not (words == words[0]).all():
        return None
    return attribute_of(array.flat[0].item(), dense.get_element_type())


def simpler(op: Operation) -> SSAValue | None:
    """The value, or a new constant, that the only result of an operation is known to be."""
    match op:
        case arith.MulfOp():
            return first(op.lhs if is_number(op.rhs, 1.0) else None, op.rhs if is_number(op.lhs, 1.0) else None)
        case arith.DivfOp() if is_number(op.rhs, 1.0):
            return op.lhs
        case arith.SubfOp() if is_number(op.rhs, 0.0):
            return op.lhs
        case arith.AddfOp():
            return first(without_zero(op.lhs, op.rhs), without_zero(op.rhs, op.lhs))
        case arith.SelectOp() if (condition := constant_of(op.cond)) is not None and not isinstance(op.cond.type, TensorType):
            return op.lhs if held_by(condition) else op.rhs
        case arith.SelectOp() if op.lhs is op.rhs:
            return op.lhs
        case arith.CmpfOp():
            return decided(op)
        case arith.MaximumfOp() | arith.MinimumfOp():
            return first(clipped(op, op.lhs, op.rhs), clipped(op, op.rhs, op.lhs))
        case arith.AndIOp() | arith.OrIOp() | arith.XOrIOp() if op.result.type == IntegerType(1):
            return first(flag(op, op.lhs, op.rhs), flag(op, op.rhs, op.lhs))
        case GenericOp() if len(op.results) == 1:
            return copied(op)
        case _:
            return None


def first(*values: SSAValue | None) -> SSAValue | None:
    """The first of some values that there is."""
    return next((value for value in values if value is not None), None)


def without_zero(x: SSAValue, zero: SSAValue) -> SSAValue | None:
    """x + zero  ->  x, for -0.0 always; for 0.0 if x is not -0.0, which would become 0.0"""
    if is_number(zero, -0.0) or (is_number(zero, 0.0) and not LocalRanges().of(x).negative_zero):
        return x
    return None


def decided(op: arith.CmpfOp) -> SSAValue | None:
    """A comparison whose answer is the same for all values that its operands can have."""
    if not isinstance(op.lhs.type, Float64Type) or (constant_of(op.lhs) is None and constant_of(op.rhs) is None):
        return None
    ranges = LocalRanges()
    left, right = ranges.of(op.lhs), ranges.of(op.rhs)
    if left.nan or right.nan or not (left.high < right.low or right.high < left.low):
        return None
    answer = FLOAT_TESTS[arith.CMPF_COMPARISON_OPERATIONS[op.predicate.value.data]](left.low, right.low)
    return arith.ConstantOp(IntegerAttr(int(answer), IntegerType(1))).result


def clipped(op: arith.MaximumfOp | arith.MinimumfOp, x: SSAValue, bound: SSAValue) -> SSAValue | None:
    """max(x, bound)  ->  x, where x is greater; NaN stays NaN either way"""
    if constant_of(bound) is None or not isinstance(x.type, Float64Type):
        return None
    ranges = LocalRanges()
    values, limit = ranges.of(x), ranges.of(bound)
    if limit.nan:
        return None
    is_beyond = values.low > limit.high if isinstance(op, arith.MaximumfOp) else values.high < limit.low
    return x if is_beyond else None


def flag(op: Operation, x: SSAValue, known: SSAValue) -> SSAValue | None:
    """x and true = x, x and false = false, x or false = x, x or true = true, x xor false = x"""
    constant = constant_of(known)
    if constant is None:
        return None
    is_set = bool(held_by(constant))
    match op:
        case arith.AndIOp():
            return x if is_set else known
        case arith.OrIOp():
            return known if is_set else x
        case _:
            return None if is_set else x


def copied(op: GenericOp) -> SSAValue | None:
    """A `linalg.generic` that hands on one of its operands, element by element  ->  the operand"""
    block = op.body.block
    maps = [attribute.data for attribute in op.get_indexing_maps()]
    if block.first_op is not block.last_op or maps[-1] != AffineMap.identity(maps[-1].num_dims):
        return None
    yielded = cast(Operation, block.last_op).operands[0]
    for argument, operand, map in zip(block.args, op.inputs, maps, strict=False):
        if yielded is argument and map == maps[-1] and operand.type == op.results[0].type:
            return operand
    return None
