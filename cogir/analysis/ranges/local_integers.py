"""
The range of one integer, found by looking a few operations back: the cheap form of `walk.py`, for effects and for rewriting.

It needs no walk of the whole function and keeps nothing, so it can be asked in the middle of a rewriting, about IR that has just changed;
`effects.py` asks it for every index and divisor of a module. What an argument of a function holds is not known here.

```mlir
%a = arith.maxsi %x, %c0 : i64                        // 0 or more
%b = arith.minsi %a, %c7 : i64                        // 0 to 7
%r = arith.remsi %x, %c4 : i64                        // -3 to 3
%n = arith.cmpi slt, %r, %c0 : i64
%s = arith.addi %r, %c4 : i64
%m = arith.select %n, %s, %r : i64                    // 0 to 3
scf.for %i = %c0 to %c4 step %c1 { ... }              // %i: 0 to 3
```
"""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerType
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.ops import IndexOp as LinalgIndexOp
from xdsl.ir import Attribute, BlockArgument, SSAValue

from cogir.analysis.ranges.integers import BINARY, IntRange, full
from cogir.irutils import constant_int, iteration_extents

DEPTH = 8
"""So far back operations are looked at."""
I1 = IntegerType(1)
FOLLOWED = (arith.AddiOp, arith.SubiOp, arith.MuliOp, arith.RemSIOp, arith.MinSIOp, arith.MaxSIOp)
"""The operations on two integers that are followed back."""


def range_of(value: SSAValue, depth: int = DEPTH) -> IntRange:
    """The range of a value; all numbers of its type where nothing is known."""
    everything = range_of_type(value.type)
    found = everything if depth == 0 else _known(value, everything, depth - 1)
    return found if everything.covers(found) else everything  # else it may have wrapped around


def range_of_type(type: Any) -> IntRange:
    """The signed numbers of a type; i1 holds -1 and 0."""
    return (
        IntRange(-1, 0)
        if type == I1
        else full(cast(Attribute, type))
        if isinstance(type, IntegerType)
        else IntRange(-(1 << 63), (1 << 63) - 1)
    )


def _known(value: SSAValue, everything: IntRange, depth: int) -> IntRange:
    """The range that follows from the operation that computes a value."""
    constant = constant_int(value)
    if constant is not None:
        return IntRange(constant, constant)
    op = value.owner
    if isinstance(op, FOLLOWED) and value.type != I1:
        return BINARY[op.name](range_of(op.lhs, depth), range_of(op.rhs, depth), value.type)
    match op:
        case arith.IndexCastOp(input=held):
            return range_of(held, depth)
        case arith.ExtUIOp(input=held) if held.type == I1:
            return IntRange(0, 1)
        case arith.SelectOp():
            return _of_choice(op, depth)
        case LinalgIndexOp(dim=dim) if isinstance(around := op.parent_op(), LinalgStructuredOperation):
            return IntRange(0, max(0, iteration_extents(around)[dim.value.data] - 1))
        case _:
            return _of_counter(value) or everything


def _of_choice(choice: arith.SelectOp, depth: int) -> IntRange:
    """One or the other; of `x < 0 ? x + c : x`, where each `x` is on its own side of 0."""
    shifted = choice.lhs.owner
    test = choice.cond.owner
    if (
        isinstance(test, arith.CmpiOp)
        and predicate_of(test) == "slt"
        and constant_int(test.rhs) == 0
        and test.lhs is choice.rhs
        and isinstance(shifted, arith.AddiOp)
        and shifted.lhs is choice.rhs
        and (step := constant_int(shifted.rhs)) is not None
    ):
        low, high = range_of(choice.rhs, depth)
        below = [(low + step, min(high, -1) + step)] if low < 0 else []
        above = [(max(low, 0), high)] if high >= 0 else []
        return IntRange(min(a for a, _ in below + above), max(b for _, b in below + above))
    return range_of(choice.lhs, depth) | range_of(choice.rhs, depth)


def _of_counter(value: SSAValue) -> IntRange | None:
    """The values of the index of a loop between constants."""
    if not isinstance(value, BlockArgument) or value.index != 0:
        return None
    match value.block.parent_op():
        case scf.ForOp() as loop:
            lower, upper, step = (constant_int(bound) for bound in (loop.lb, loop.ub, loop.step))
            if lower is not None and upper is not None and step is not None and step > 0:
                return IntRange(lower, max(lower, upper - 1))
        case _:
            pass
    return None


def predicate_of(test: arith.CmpiOp) -> str:
    """Its predicate: "eq", "slt", ..."""
    number: int = cast("Any", test.predicate).value.data
    return arith.CMPI_COMPARISON_OPERATIONS[number]


def is_safe_divisor(value: SSAValue) -> bool:
    """
    True if a divisor is neither 0 nor -1, for which a division has no result.

    So it is if it is a constant, lies on one side of them, or is `x + 1 < 2 ? c : x`, unsigned, with a constant `c` of that kind.
    """
    low, high = range_of(value)
    if low > 0 or high < -1:
        return True
    choice = value.owner
    if not isinstance(choice, arith.SelectOp):
        return False
    test, instead = choice.cond.owner, constant_int(choice.lhs)
    if not isinstance(test, arith.CmpiOp) or instead in (None, 0, -1):
        return False
    shifted = test.lhs.owner
    return (
        predicate_of(test) == "ult"
        and constant_int(test.rhs) == 2
        and isinstance(shifted, arith.AddiOp)
        and shifted.lhs is choice.rhs
        and constant_int(shifted.rhs) == 1
    )
