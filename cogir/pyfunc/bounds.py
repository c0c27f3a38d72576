"""
What is known about the values of integers, so that indices need not be checked.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from cogir.pyfunc.values import (
    Const,
    Scalar,
    Value,
)


def bounded(op: type[ast.operator], left: Value, right: Value, result: Value) -> Value:
    """The result of an operator on integers, with the bounds that follow from those of the operands."""
    if not isinstance(result, Scalar) or result.kind != "i64":
        return result
    a, b = bounds_of(left), bounds_of(right)
    if op is ast.Mod and b is not None and b[0] == b[1] and b[0] > 0:
        return replace(result, low=0, high=b[0] - 1)
    if a is None or b is None:
        return result
    if op is ast.Add:
        return replace(result, low=a[0] + b[0], high=a[1] + b[1])
    if op is ast.Sub:
        return replace(result, low=a[0] - b[1], high=a[1] - b[0])
    if op is ast.Mult:
        products = [x * y for x in a for y in b]
        return replace(result, low=min(products), high=max(products))
    if op is ast.FloorDiv and b[0] == b[1] and b[0] > 0:
        return replace(result, low=a[0] // b[0], high=a[1] // b[0])
    return result


def bounds_of(value: Value) -> tuple[int, int] | None:
    """The smallest and largest number that an integer can be, if known (and small enough not to wrap around)."""
    match value:
        case Const(int() as number):
            found = (number, number)
        case Scalar(_, "i64", int() as low, int() as high):
            found = (low, high)
        case _:
            return None
    return found if max(map(abs, found)) < 1 << 62 else None


def is_never_negative(value: Value) -> bool:
    """True if an integer is known to be 0 or greater."""
    match value:
        case Const(int() as number):
            return number >= 0
        case Scalar(_, "i64", int() as low):
            return low >= 0
        case _:
            return False
