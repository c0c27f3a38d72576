"""
Rewrites the maximum and the minimum of two numbers, one of which is loop-invariant, so that an iteration does less.

IEEE 754's `maximum` and `minimum` hand NaN on and know that -0 is less than +0, which processors' instructions do not. A comparison and a
choice are one such instruction:

    m = x < b ? b : x

It hands a NaN `x` on, and differs from `maximum(x, b)` in two cases only, which `b` alone decides: `b` is +0 and `x` is -0; or `b` is NaN.

| b     | maximum(x, b)         | minimum(x, b)                   |
|-------|-----------------------|---------------------------------|
| +0    | m without its sign    | m                               |
| -0    | m                     | m with the sign set             |
| NaN   | NaN                   | NaN                             |
| other | m                     | m                               |

For b = +0 no `m` of `maximum` is less than zero, and for b = -0 none of `minimum` is greater. So what remains is `m & keep | set`, with
masks that are computed before the loop.
"""

from __future__ import annotations

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, f64, i64
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from cogir.irutils import replace_by

SIGN = -(2**63)
"""The bits of -0."""
EVERYTHING = -1
"""All bits: as a number NaN."""


def simplify_bounds(loop: Operation) -> None:
    """Treats the bounds of numbers inside of a loop; numbers of other types than f64 stay as they are."""
    inside = {block for region in loop.regions for op in region.walk() for inner in op.regions for block in inner.blocks}
    inside.update(block for region in loop.regions for block in region.blocks)
    bounds = Bounds(Builder(InsertPoint.before(loop)))
    for op in [op for region in loop.regions for op in region.walk()]:
        if isinstance(op, arith.MaximumfOp | arith.MinimumfOp) and op.result.type == f64:
            outside = [operand for operand in (op.rhs, op.lhs) if block_of(operand) not in inside]
            if len(outside) == 1:
                bounds.simplify(op, outside[0])


def block_of(value: SSAValue) -> Block | None:
    return value.owner.parent if isinstance(value.owner, Operation) else value.owner


class Bounds:
    """Makes the masks of each bound once."""

    def __init__(self, before: Builder):
        self.before = before
        self.masks: dict[tuple[bool, SSAValue], tuple[SSAValue | None, SSAValue]] = {}

    def simplify(self, op: arith.MaximumfOp | arith.MinimumfOp, bound: SSAValue) -> None:
        builder = Builder(InsertPoint.before(op))
        is_upper = isinstance(op, arith.MinimumfOp)
        number = op.lhs if bound is op.rhs else op.rhs
        keep, set_ = self.masks_of(bound, is_upper)
        is_beyond = builder.insert(arith.CmpfOp(bound, number, "olt" if is_upper else "ogt")).result
        nearest = builder.insert(arith.SelectOp(is_beyond, bound, number)).result
        bits: SSAValue = builder.insert(arith.BitcastOp(nearest, i64)).result
        if keep is not None:
            bits = builder.insert(arith.AndIOp(bits, keep)).result
        bits = builder.insert(arith.OrIOp(bits, set_)).result
        replace_by(op, [builder.insert(arith.BitcastOp(bits, f64)).result])

    def masks_of(self, bound: SSAValue, is_upper: bool) -> tuple[SSAValue | None, SSAValue]:
        """The bits that stay, None for all, and those that are set."""
        if (is_upper, bound) not in self.masks:
            build = self.before.insert
            sign, everything, nothing = (build(arith.ConstantOp(IntegerAttr(bits, i64))).result for bits in (SIGN, EVERYTHING, 0))
            number = build(arith.BitcastOp(bound, i64)).result
            is_nan = build(arith.CmpfOp(bound, bound, "uno")).result
            if is_upper:
                is_zero = build(arith.CmpiOp(number, sign, "eq")).result
                keep = None
                otherwise = build(arith.SelectOp(is_zero, sign, nothing)).result
            else:
                is_zero = build(arith.CmpiOp(number, nothing, "eq")).result
                keep = build(arith.SelectOp(is_zero, build(arith.ConstantOp(IntegerAttr(~SIGN, i64))).result, everything)).result
                otherwise = nothing
            self.masks[is_upper, bound] = keep, build(arith.SelectOp(is_nan, everything, otherwise)).result
        return self.masks[is_upper, bound]
