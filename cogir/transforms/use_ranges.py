"""
Uses the ranges of values: comparisons that are decided, clips that change nothing, and maxima that need no care for NaN and -0.0.

Before: stage `machine`, in the pipeline for one set of parameter values, after `fold-constants`: most ranges follow from parameters.
After:  a comparison that has the same answer whenever it is computed is a constant; `arith.maximumf` and `arith.minimumf` are the operand
        that always wins, or have the flags `nnan` (no operand can be NaN) and `nsz` (there are no zeros of two signs). All bits stay.

```mlir
%p = math.exp %x : f64
%c = arith.cmpf ult, %p, %minus_one : f64      ->   (only if %x cannot be NaN) arith.constant false
%m = arith.maximumf %r, %zero : f64            ->   arith.maximumf %r, %zero fastmath<nnan,nsz> : f64
```

A maximum with both flags is one instruction of the processor instead of three or four. Other operations get no flags: LLVM does nothing
with them that could be measured. Flags are left out where runs go side by side in lanes (`flags=false`): a lane that has finished goes on.

A module for which the walk takes too long stays as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, IntegerType, ModuleOp
from xdsl.dialects.utils.fast_math import FastMathFlag
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from cogir.analysis.ranges.elementary import LIBM_ULPS
from cogir.analysis.ranges.floats import FloatRange
from cogir.analysis.ranges.values import Range
from cogir.analysis.ranges.walk import Walker
from cogir.analysis.ranges.walking import QUICK, TooMuchWork
from cogir.irutils import replace_by
from cogir.transforms.annotate_ranges import walked

COMPARISONS = (arith.CmpfOp, arith.CmpiOp)
EXTREMES = (arith.MaximumfOp, arith.MinimumfOp)
I1 = IntegerType(1)


def use(op: Operation, facts: dict[SSAValue, Range], flags: bool) -> None:
    """Rewrites one operation by what is known of it."""
    if isinstance(op, COMPARISONS) and op.result.type == I1:
        known = facts.get(op.result)
        if known is not None and known.low == known.high:
            constant = arith.ConstantOp(IntegerAttr(int(known.low), I1))
            cast(Block, op.parent).insert_op_before(constant, op)
            replace_by(op, [constant.result])
    elif isinstance(op, EXTREMES):
        x, y = (facts.get(operand) for operand in op.operands)
        if isinstance(x, FloatRange) and isinstance(y, FloatRange):
            use_extreme(op, x, y, flags)


def use_extreme(op: arith.MaximumfOp | arith.MinimumfOp, x: FloatRange, y: FloatRange, flags: bool) -> None:
    """max(x, y)  ->  x, where x is always greater (NaN stays NaN); else the flags that are harmless"""
    is_maximum = isinstance(op, arith.MaximumfOp)
    for winner, one, other in ((op.lhs, x, y), (op.rhs, y, x)):
        wins = one.low > other.high if is_maximum else one.high < other.low
        if wins and not other.nan and not one.is_empty and not other.is_empty:
            replace_by(op, [winner])
            return
    found: list[FastMathFlag] = []
    if not x.nan and not y.nan:
        found.append(FastMathFlag.NO_NANS)
    if not (x.zero and y.zero and (x.negative_zero or y.negative_zero)):
        found.append(FastMathFlag.NO_SIGNED_ZEROS)
    if flags and found:
        op.properties["fastmath"] = arith.FastMathFlagsAttr(found)


@dataclass(frozen=True)
class UseRanges(ModulePass):
    """Uses the ranges of values: decided comparisons, clips that change nothing, flags of maxima."""

    name = "use-ranges"

    flags: bool = True
    """True if maxima and minima get fast-math flags."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        wanted = [inner for inner in op.walk() if isinstance(inner, COMPARISONS + EXTREMES)]
        if not wanted:
            return
        try:
            facts = walked(op, Walker(op, ulps=LIBM_ULPS, precision=QUICK)).facts
        except TooMuchWork:
            return
        for inner in wanted:
            use(inner, facts, self.flags)
