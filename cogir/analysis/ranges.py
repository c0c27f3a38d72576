"""
Between which numbers an integer lies, whatever a model's numbers are.

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

from cogir.irutils import constant_int, iteration_extents

Range = tuple[int, int]
"""The least and the greatest value."""
DEPTH = 8
"""So far back operations are looked at."""


def range_of(value: SSAValue, depth: int = DEPTH) -> Range:
    """The range of a value; all numbers of its type where nothing is known."""
    full = range_of_type(value.type)
    found = full if depth == 0 else _known(value, full, depth - 1)
    return found if full[0] <= found[0] and found[1] <= full[1] else full  # else it may have wrapped around


def range_of_type(type: Attribute) -> Range:
    """The signed numbers of a type."""
    width: int = cast("Any", type).width.data if isinstance(type, IntegerType) else 64
    return -(1 << width - 1), (1 << width - 1) - 1


def _known(value: SSAValue, full: Range, depth: int) -> Range:
    """The range that follows from the operation that computes a value, without wrap-around."""
    constant = constant_int(value)
    if constant is not None:
        return constant, constant
    match value.owner:
        case arith.IndexCastOp(input=held):
            return range_of(held, depth)
        case arith.ExtUIOp(input=held) if held.type == IntegerType(1):
            return 0, 1
        case arith.MaxSIOp(lhs=one, rhs=other):
            (a, b), (c, d) = range_of(one, depth), range_of(other, depth)
            return max(a, c), max(b, d)
        case arith.MinSIOp(lhs=one, rhs=other):
            (a, b), (c, d) = range_of(one, depth), range_of(other, depth)
            return min(a, c), min(b, d)
        case arith.AddiOp(lhs=one, rhs=other):
            (a, b), (c, d) = range_of(one, depth), range_of(other, depth)
            return a + c, b + d
        case arith.SubiOp(lhs=one, rhs=other):
            (a, b), (c, d) = range_of(one, depth), range_of(other, depth)
            return a - d, b - c
        case arith.MuliOp(lhs=one, rhs=other):
            products = [a * b for a in range_of(one, depth) for b in range_of(other, depth)]
            return min(products), max(products)
        case arith.RemSIOp(lhs=held, rhs=divisor) if (size := abs(constant_int(divisor) or 0)) > 0:
            low, high = range_of(held, depth)
            return max(min(low, 0), 1 - size), min(max(high, 0), size - 1)
        case arith.SelectOp() as choice:
            return _of_choice(choice, depth)
        case LinalgIndexOp(dim=dim) as op if isinstance(around := op.parent_op(), LinalgStructuredOperation):
            return 0, max(0, iteration_extents(around)[dim.value.data] - 1)
        case _:
            return _of_counter(value) or full


def _of_choice(choice: arith.SelectOp, depth: int) -> Range:
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
        return min(a for a, _ in below + above), max(b for _, b in below + above)
    (a, b), (c, d) = range_of(choice.lhs, depth), range_of(choice.rhs, depth)
    return min(a, c), max(b, d)


def _of_counter(value: SSAValue) -> Range | None:
    """The values of the index of a loop between constants."""
    if not isinstance(value, BlockArgument) or value.index != 0:
        return None
    match value.block.parent_op():
        case scf.ForOp() as loop:
            lower, upper, step = (constant_int(bound) for bound in (loop.lb, loop.ub, loop.step))
            if lower is not None and upper is not None and step is not None and step > 0:
                return lower, max(lower, upper - 1)
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
