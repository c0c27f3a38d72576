"""
Faults: what a checked model stops at, and how one number says which it was.

    index      an index out of range of its axis
    window     the start of a window that its axis has no room for
    divisor    an integer that is divided by zero
    nan        a result that is NaN although no operand is
    draw       a draw whose parameters are out of range
    integer    a draw of an integer below a number that is not above 0
    seed       a seed that is out of range

`insert-checks` (`lowering/insert_checks.py`) gives each place of a function at which one of them can happen a number, the place's position
in a table plus 1. The fault of a body is 0, or that number in the upper 16 of 48 bits and in the lower 32 what was found: the index, or
the upper half of an operand's bits. A status holds the node, too. This module loads no xDSL.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass

from cogir.errors import FAILED, ExecutionError
from cogir.library.random.methods import demands

FOUND_BITS = 32
CHECK_BITS = 16
NODE_SHIFT = FOUND_BITS + CHECK_BITS
MOST_CHECKS = (1 << CHECK_BITS) - 1
FAULT = 1 << 62
"""A status with this bit is a fault; the node's number stands above `NODE_SHIFT`."""
FARTHEST = (1 << (FOUND_BITS - 1)) - 1
"""Indices beyond this, on either side, are said to be this far."""

WITHIN = "in a call on this line: "
"""Stands before a fault inside a function of the library, whose place is the user's call."""

CHECKS = "cog.checks"
"""The attribute of a module that holds the table of its checks."""


@dataclass(frozen=True)
class Check:
    """One place at which a fault can happen."""

    kind: str
    """"index", "window", "divisor", "nan", "draw", "integer" or "seed"."""
    detail: str
    """The extent of the axis (for a window its length and the extent), the name of the operation or draw, or the bits of a seed."""
    place: str
    """The file and line of the function, with ": " after them, and `WITHIN` if the user's line calls the function; empty if unknown."""

    def text(self, found: int) -> str:
        """The fault in words; `found` are the lower 32 bits of the fault."""
        match self.kind:
            case "index" | "window":
                *window, extent = self.detail.split()
                found_at = f"index {_integer_of(found)}"
                if window:
                    found_at = f"the window of {window[0]} element{'' if window == ['1'] else 's'} that starts at {found_at}"
                what = f"{found_at} is out of range for an axis of {extent} elements; check the index before it is used"
            case "divisor":
                what = "an integer is divided by zero; check the divisor before"
            case "draw":
                what = f"random.{self.detail} cannot draw with these parameters; {demands(self.detail)}"
            case "integer":
                what = no_integer(_integer_of(found))
            case "seed":
                bits, seed = int(self.detail), _integer_of(found)
                what = no_seed(seed if seed.startswith("-") else f"{2**bits} or more", bits)
            case _:
                (operand,) = struct.unpack("<d", struct.pack("<Q", found << FOUND_BITS))
                what = f"{_made_nan(self.detail, operand)} is NaN; check the operands before"
        return f"{self.place}{what}"


def _integer_of(found: int) -> str:
    """The integer that a fault holds, in words."""
    integer = found - (1 << FOUND_BITS) if found > FARTHEST else found
    return f"{integer}{' or beyond' if abs(integer) >= FARTHEST else ''}"


def no_integer(below: str) -> str:
    """The message about a draw of an integer for which there is none."""
    return f"an integer from 0 to n - 1 is drawn with n = {below}; n must be above 0"


def no_seed(seed: str, bits: int) -> str:
    """The message about a seed that NumPy refuses, too."""
    return f"random.seed: found {seed}; a seed must be a whole number in [0, 2**{bits})"


def _made_nan(operation: str, first: float) -> str:
    """The operation that made NaN of numbers, of which the first is given with some six digits."""
    shown = f"{first:.4g}"
    match operation:
        case "addf":
            return f"{shown} + {-first:g}"
        case "subf":
            return f"{shown} - {shown}" if first > 0 else f"{shown} - ({shown})"
        case "mulf":
            return f"{shown} * 0" if math.isinf(first) else "0 * inf"
        case "divf":
            return "inf / inf" if math.isinf(first) else "0 / 0"
        case "remainder" | "floor_divide":
            return f"{shown} {'%' if operation == 'remainder' else '//'} {'0' if math.isfinite(first) else 'a number'}"
        case "fmod":
            return f"fmod({shown}, {'0' if math.isfinite(first) else 'a number'})"
        case "sqrt" | "rsqrt":
            return f"the square root of {shown}"
        case "fma":
            return "a product of 0 and inf, or a sum of inf and -inf,"
        case "powf":
            return f"{shown} to a power that is not an integer"
        case _:
            return f"{operation}({shown})"


class BodyFailed(ExecutionError):
    """The body of an interpreted node yielded a fault; `failure` says which one, as `fault_text` does."""

    def __init__(self, failure: str):
        super().__init__(failure)
        self.failure = failure


def is_fault(status: int) -> bool:
    """True if a positive status of a trial is a fault, and not the number of a limit."""
    return bool(status & FAULT)


def fault_text(status: int, nodes: Sequence[str], checks: Sequence[Check]) -> str:
    """`decision failed: model.py:12: index 7 ...` for a status; the fault of a body is the status for the first of the nodes."""
    node = (status & ~FAULT) >> NODE_SHIFT
    check = (status >> FOUND_BITS) & MOST_CHECKS
    return f"{nodes[node]}{FAILED}{checks[check - 1].text(status & ((1 << FOUND_BITS) - 1))}"
