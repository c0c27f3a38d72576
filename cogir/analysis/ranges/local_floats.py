"""
The range of one floating-point value, found by looking back: the cheap form of `walk.py`, for passes that rewrite.

Passes ask it about single operations in the middle of a rewriting, when what a walk of the whole function has found is out of date.
It takes the same ranges and functions of ranges, but follows operands only: of an array there is one range for all elements, and what an
argument of a function or a loop holds is not known.

```mlir
%p = math.exp %x : f64              // 0.0 to inf, NaN if %x is; never -0.0
%q = arith.addf %p, %one : f64      // 1.0 to inf, NaN if %x is
%r = arith.divf %one, %q : f64      // 0.0 to 1.0, NaN if %x is
%s = arith.addf %x, %zero : f64     // anything, but never -0.0
```
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from xdsl.dialects import arith, math, tensor
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, Float64Type, FloatAttr
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue

from cogir.analysis.memory_plan import is_empty
from cogir.analysis.ranges import floats
from cogir.analysis.ranges.elementary import LIBM_ULPS, of_function
from cogir.analysis.ranges.floats import ANYTHING, FloatRange, exactly
from cogir.analysis.ranges.integers import full, width_of
from cogir.analysis.ranges.transfer import FLOAT_BINARY, FLOAT_UNARY, from_integer
from cogir.irutils import array_of_dense, element_type_of

SAME = (tensor.ExtractOp, tensor.ExtractSliceOp, tensor.ExpandShapeOp, tensor.CollapseShapeOp, tensor.CastOp, tensor.SplatOp)
"""Operations whose result has elements of their first operand."""
JOINED = (tensor.InsertOp, tensor.InsertSliceOp, tensor.FromElementsOp)
"""Operations whose result has elements of their operands."""
DEEP = 64
"""Most operations that are followed back."""


class LocalRanges:
    """The ranges of values; those that were asked for are remembered, so ask again only about what has not changed."""

    def __init__(self) -> None:
        self.known: dict[SSAValue, FloatRange] = {}

    def of(self, value: SSAValue, depth: int = DEEP) -> FloatRange:
        """The range of a value of type f64, or of the elements of an array of these."""
        found = self.known.get(value)
        if found is None:
            is_f64 = isinstance(element_type_of(value.type), Float64Type)
            found = self.known[value] = self.find(value, depth - 1) if depth > 0 and is_f64 else ANYTHING
        return found

    def find(self, value: SSAValue, depth: int) -> FloatRange:
        if isinstance(value, BlockArgument):
            return self.of_element(value, depth)
        op = cast(OpResult, value).op
        kind = type(op)
        if kind in FLOAT_BINARY and not is_array(value):
            x, y = (self.of(operand, depth) for operand in op.operands)
            return floats.squared(x) if kind is arith.MulfOp and op.operands[0] is op.operands[1] else FLOAT_BINARY[kind](x, y)
        if kind in FLOAT_UNARY and not is_array(value):
            return FLOAT_UNARY[kind](self.of(op.operands[0], depth))
        if kind is math.ExpOp and not is_array(value):
            return of_function("exp", [self.of(op.operands[0], depth)], LIBM_ULPS)
        match op:
            case arith.ConstantOp():
                return of_constant(op.value)
            case arith.SelectOp():
                return self.of(op.lhs, depth) | self.of(op.rhs, depth)
            case arith.SIToFPOp():
                return from_integer(full(op.input.type), width_of(op.input.type), True)
            case arith.UIToFPOp():
                return from_integer(full(op.input.type), width_of(op.input.type), False)
            case _ if isinstance(op, SAME):
                return self.of(op.operands[0], depth)
            case _ if isinstance(op, JOINED):
                ranges = [self.of(operand, depth) for operand in op.operands if isinstance(element_type_of(operand.type), Float64Type)]
                joined = ranges[0]
                for each in ranges[1:]:
                    joined |= each
                return joined
            case GenericOp():
                return self.of_elements(op, cast(OpResult, value).index, depth)
            case _:
                return ANYTHING

    def of_element(self, argument: BlockArgument, depth: int) -> FloatRange:
        """An element of what a `linalg.generic` takes, in its body."""
        op = argument.block.parent_op()
        if isinstance(op, GenericOp) and argument.index < len(op.inputs):
            return self.of(op.inputs[argument.index], depth)
        return ANYTHING

    def of_elements(self, op: GenericOp, number: int, depth: int) -> FloatRange:
        """
        The elements of what a `linalg.generic` makes. A sum that does not begin with -0.0 never is -0.0, if adding a term to such a
        sum does not make it so.
        """
        yielded = cast(Operation, op.body.block.last_op).operands[number]
        total = op.body.block.args[len(op.inputs) + number]
        if not total.uses and is_empty(op.outputs[number]):
            return self.of(yielded, depth)
        begun = self.of(op.outputs[number], depth)
        if not total.uses:
            return self.of(yielded, depth) | begun
        if begun.negative_zero:
            return ANYTHING
        inside = LocalRanges()
        inside.known = {each: held for each, held in self.known.items() if each is not total}
        inside.known[total] = FloatRange(negative_zero=False)
        return FloatRange(negative_zero=inside.of(yielded, depth).negative_zero)


def is_array(value: SSAValue) -> bool:
    """True if a value is an array."""
    return element_type_of(value.type) is not value.type


def of_constant(constant: Attribute) -> FloatRange:
    """A number, or the elements of an array."""
    match constant:
        case FloatAttr():
            return exactly(constant.value.data)
        case DenseIntOrFPElementsAttr():
            array = array_of_dense(cast("DenseIntOrFPElementsAttr[Any]", constant))
            if not array.size or np.isnan(array).any():
                return ANYTHING
            negative_zero = bool((np.signbit(array) & (array == 0.0)).any())
            return FloatRange(array.min().item(), array.max().item(), False, negative_zero)
        case _:
            return ANYTHING
