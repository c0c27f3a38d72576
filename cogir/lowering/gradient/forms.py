"""
Forms of expressions whose derivative at their ends is not what the rules of their operations give, one after the other.

```mlir
%y = 1.0 / (1.0 + exp %z)              // the logistic function: where exp overflows, its derivative is 0, not 0 * inf
%y = sqrt (%a * %a + %b * %b)          // a norm: where all squares are 0, its derivative is 0, not 0 / 0
%y = maximum %x, (%leak * %x)          // a rectifier: at 0 the derivative is that of the multiple, as for inputs below
```

A form is found in whatever says which operation made a value from which operands: SSA values, or the numbers of a walk.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from xdsl.dialects import arith, math
from xdsl.ir import Operation

V = TypeVar("V")
MadeBy: TypeAlias = Callable[[V], "tuple[Operation, Sequence[V]] | None"]
"""The operation that made a value, and the values that it made it from."""
ConstantOf: TypeAlias = Callable[[V], "float | None"]
"""The number that a value is, whatever is learned; else None."""

ROOT = "cog.norm"
"""The attribute of a square root of a sum of squares."""
LONGEST = 10_000
"""The operations of a sum that are looked at."""


@dataclass(frozen=True)
class Logistic(Generic[V]):
    """numerator / (1 + exp(exponent))"""

    numerator: V
    exponent: V


def logistic(op: Operation, operands: Sequence[V], made_by: MadeBy[V], constant: ConstantOf[V]) -> Logistic[V] | None:
    """The parts of a quotient that is a logistic function of something."""
    made = made_by(operands[1]) if isinstance(op, arith.DivfOp) else None
    if made is None or not isinstance(made[0], arith.AddfOp):
        return None
    for one, power in (made[1], tuple(reversed(made[1]))):
        inner = made_by(power)
        if constant(one) == 1.0 and inner is not None and isinstance(inner[0], math.ExpOp):
            return Logistic(operands[0], inner[1][0])
    return None


def multiple_of(op: Operation, operands: Sequence[V], made_by: MadeBy[V], varies: Callable[[V], bool]) -> int | None:
    """
    The number of the operand of a maximum that is a multiple of the other one by a fixed factor, if one is.

    `varies`: true for values by which, or through which, is differentiated; a product by one of them is an operand like any other.
    """
    for number, (other, value) in enumerate((tuple(reversed(operands)), operands)) if isinstance(op, arith.MaximumfOp) else ():
        made = made_by(value)
        if made is not None and isinstance(made[0], arith.MulfOp):
            factors = [each for each in made[1] if each is not other]
            if len(factors) == 1 and not varies(factors[0]):
                return number
    return None


def is_sum_of_squares(value: V, made_by: MadeBy[V], constant: ConstantOf[V]) -> bool:
    """True if a value is a sum of squares, perhaps times positive constants: it is 0 only where all of them are."""
    left, squares = [value], 0
    for _ in range(LONGEST):
        if not left:
            return squares > 0
        value = left.pop()
        if constant(value) == 0.0:
            continue
        made = made_by(value)
        if made is None:
            return False
        op, operands = made
        match op:
            case arith.AddfOp():
                left += operands
            case arith.MulfOp() if operands[0] is operands[1]:
                squares += 1
            case arith.MulfOp() if (constant(operands[0]) or 0.0) > 0.0:
                left.append(operands[1])
            case arith.MulfOp() | arith.DivfOp() if (constant(operands[1]) or 0.0) > 0.0:
                left.append(operands[0])
            case arith.AddfOp() | arith.MulfOp() | arith.DivfOp():
                return False
            case _ if op.name.startswith(HANDS_ON):
                left.append(operands[0])
            case _:
                return False
    return False


HANDS_ON = ("tensor.", "linalg.generic")
"""Operations whose result is their first operand, or elements of it, where the form of a value is asked for."""
