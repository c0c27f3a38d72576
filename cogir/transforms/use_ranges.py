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

The pass asks the local analysis (`analysis/ranges/local_floats.py`). A walk of the whole module would decide a few comparisons more (2 of
17 in `ddm_analytical`, 2 of 20 in `evc_ddm`), but takes 4 to 12 % of the time to compile, and no run was faster for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, IntegerType, ModuleOp
from xdsl.dialects.utils.fast_math import FastMathFlag
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass

from cogir import remarks
from cogir.analysis.ranges import floats
from cogir.analysis.ranges.floats import FloatRange
from cogir.analysis.ranges.integers import EITHER, IntRange, compared
from cogir.analysis.ranges.local_floats import LocalRanges
from cogir.analysis.ranges.local_integers import predicate_of as predicate_of_integers
from cogir.analysis.ranges.local_integers import range_of
from cogir.analysis.ranges.transfer import F64, predicate_of
from cogir.irutils import replace_by

COMPARISONS = (arith.CmpfOp, arith.CmpiOp)
EXTREMES = (arith.MaximumfOp, arith.MinimumfOp)
I1 = IntegerType(1)


def use(op: Operation, ranges: LocalRanges, flags: bool) -> None:
    """Rewrites one operation by what is known of it."""
    if isinstance(op, COMPARISONS) and op.result.type == I1:
        known = answer_of(op, ranges)
        if known.is_constant:
            remarks.passed(op, "the comparison is always {}", "true" if known.low else "false")
            constant = arith.ConstantOp(IntegerAttr(known.low, I1))
            cast(Block, op.parent).insert_op_before(constant, op)
            replace_by(op, [constant.result])
    elif isinstance(op, EXTREMES) and op.result.type == F64:
        use_extreme(op, ranges.of(op.lhs), ranges.of(op.rhs), flags)


def answer_of(op: arith.CmpfOp | arith.CmpiOp, ranges: LocalRanges) -> IntRange:
    """The answers of a comparison that are possible."""
    if isinstance(op, arith.CmpiOp):
        if op.lhs.type == I1:
            return EITHER
        return compared(predicate_of_integers(op), range_of(op.lhs), range_of(op.rhs), op.lhs.type)
    if op.lhs.type != F64:
        return EITHER
    possible, wanted = floats.relations(ranges.of(op.lhs), ranges.of(op.rhs)), floats.RELATIONS[predicate_of(op)]
    if op.lhs is op.rhs:
        possible &= floats.EQUAL | floats.UNORDERED
    return IntRange(int(not possible & ~wanted), int(bool(possible & wanted))) if possible else EITHER


def use_extreme(op: arith.MaximumfOp | arith.MinimumfOp, x: FloatRange, y: FloatRange, flags: bool) -> None:
    """max(x, y)  ->  x, where x is always greater (NaN stays NaN); else the flags that are harmless"""
    is_maximum = isinstance(op, arith.MaximumfOp)
    for winner, one, other in ((op.lhs, x, y), (op.rhs, y, x)):
        wins = one.low > other.high if is_maximum else one.high < other.low
        if wins and not other.nan and not one.is_empty and not other.is_empty:
            remarks.passed(op, "left {} out: it changes nothing", op.name)
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
        ranges = LocalRanges()
        for inner in [each for each in op.walk() if isinstance(each, COMPARISONS + EXTREMES)]:
            use(inner, ranges, self.flags)
