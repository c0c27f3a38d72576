"""
The step of an optimizer multiplies by the reciprocal of the number of trials where that is a power of two.

Before: `@optimize`, as `bufferize` leaves it: sums of derivatives are divided by the number of trials.
After:  it divides only if the number is no power of two. Both ways give the same bits, as the reciprocal of a power of two is exact:

```mlir
%bits = arith.bitcast %trials : f64 to i64
%is_power = ...                               // 1 <= %trials <= 2 ** 52, and the fraction in %bits is zero
%reciprocal = arith.divf %one, %trials : f64
scf.if %is_power {
  linalg.generic ins(%weights, %sum, %reciprocal) outs(%weights) { w - rate * (s * r) }
} else {
  linalg.generic ins(%weights, %sum, %trials) outs(%weights) { w - rate * (s / n) }
}
```

Processors divide an eighth as fast as they multiply, or slower, and most batches have 32, 64 ... trials. LLVM does not take a loop apart
for this.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, cast

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, func, scf
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, ModuleOp, f64, i32, i64
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Block, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from cogir import remarks
from cogir.irutils import is_float, iteration_extents
from cogir.lowering.machine.learning import OPTIMIZE

LEAST_ELEMENTS = 64
"""Fewer divisions are not worth a second loop."""


def divisor_of(op: GenericOp) -> int | None:
    """The number of the only operand that is a number and by which the body divides, and does nothing else with it."""
    found = [number for number, operand in enumerate(op.inputs) if is_float(operand.type) and only_divides(op.body.block.args[number])]
    return found[0] if len(found) == 1 else None


def only_divides(argument: SSAValue) -> bool:
    """True if a value is a divisor, and nothing else."""
    users = [use.operation for use in argument.uses]
    return bool(users) and all(isinstance(op, arith.DivfOp) and op.rhs is argument and op.lhs is not argument for op in users)


def is_power(code: Builder, number: SSAValue) -> SSAValue:
    """True if a number is a power of two from 1 to 2 ** 52, or up to 2 ** 23 of f32."""
    digits, bits = (52, i64) if number.type == f64 else (23, i32)

    def constant(value: float) -> SSAValue:
        return code.insert(arith.ConstantOp(FloatAttr(value, cast(Any, number.type)))).result

    fraction = code.insert(arith.ConstantOp(IntegerAttr((1 << digits) - 1, bits))).result
    nothing = code.insert(arith.ConstantOp(IntegerAttr(0, bits))).result
    pattern = code.insert(arith.BitcastOp(number, bits)).result
    held = code.insert(arith.AndIOp(pattern, fraction)).result
    tests = [
        code.insert(arith.CmpiOp(held, nothing, "eq")).result,
        code.insert(arith.CmpfOp(number, constant(1.0), "oge")).result,
        code.insert(arith.CmpfOp(number, constant(math.ldexp(1.0, digits)), "ole")).result,
    ]
    both = code.insert(arith.AndIOp(tests[0], tests[1])).result
    return code.insert(arith.AndIOp(both, tests[2])).result


def multiplied(op: GenericOp, number: int, reciprocal: SSAValue) -> GenericOp:
    """The operation with a reciprocal in the place of a divisor."""
    made = op.clone()
    made.operands[number] = reciprocal
    for use in list(made.body.block.args[number].uses):
        division = cast(arith.DivfOp, use.operation)
        product = arith.MulfOp(division.lhs, division.rhs)
        made.body.block.insert_op_before(product, division)
        division.result.replace_all_uses_with(product.result)
        made.body.block.erase_op(division)
    return made


@dataclass(frozen=True)
class UseReciprocals(ModulePass):
    """Has optimizers multiply by the reciprocal of the number of trials where that is exact."""

    name = "use-reciprocals"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in [each for each in op.ops if isinstance(each, func.FuncOp) and each.sym_name.data == OPTIMIZE]:
            for inner in [each for each in function.walk() if isinstance(each, GenericOp)]:
                number = divisor_of(inner)
                if number is not None and math.prod(iteration_extents(inner)) >= LEAST_ELEMENTS:
                    self.rewrite(inner, number)

    def rewrite(self, op: GenericOp, number: int) -> None:
        """linalg.generic  ->  scf.if with two of them"""
        divisor = op.inputs[number]
        code = Builder(InsertPoint.before(op))
        condition = is_power(code, divisor)
        one = code.insert(arith.ConstantOp(FloatAttr(1.0, cast(Any, divisor.type)))).result
        reciprocal = code.insert(arith.DivfOp(one, divisor)).result
        remarks.passed(op, "multiplies by the reciprocal of a power of two")
        exact, other = (Region(Block([each, scf.YieldOp()])) for each in (multiplied(op, number, reciprocal), op.clone()))
        code.insert(scf.IfOp(condition, [], exact, other))
        cast(Block, op.parent).erase_op(op)
