"""
The portable math functions: one definition of exp, log, sin ... for every target, and for the interpreters.

Each takes and returns doubles and is built from `+ - * /`, square root, fused multiply-add and integer operations alone, so its
results are the same bits on every machine, in every lane and at every position of an array. All keep subnormal numbers, follow C99 at
special values, and are accurate to below one unit in the last place (`docs/numbers.md` has the measured figures). There are no
tables except one, for sin, cos and tan of huge arguments.
"""

from collections.abc import Callable
from typing import Any

from cogir.library.numerics.erf import erf, erfc
from cogir.library.numerics.exp import cosh, exp, exp2, exp_fast, expm1, sinh, tanh
from cogir.library.numerics.intrinsics import absolute, copysign, select, truncate
from cogir.library.numerics.log import acosh, asinh, atanh, cbrt, log, log1p, log2, log10, pow
from cogir.library.numerics.trig import acos, asin, atan, atan2, cos, sin, tan

__all__ = [
    "FUNCTIONS",
    "SHORTER",
    "SOURCES",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "exp_fast",
    "expm1",
    "log",
    "log1p",
    "log2",
    "log10",
    "pow",
    "round_half_away",
    "sin",
    "sinh",
    "tan",
    "tanh",
]

FUNCTIONS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        exp, exp2, expm1, log, log2, log10, log1p, pow, cbrt, sinh, cosh, tanh, asinh, acosh, atanh,
        sin, cos, tan, asin, acos, atan, atan2, erf, erfc,
    )
}  # fmt: skip
"""The functions that have C's names, by name."""


def round_half_away(x: float) -> float:
    """The nearest integer as a float; halves go away from zero (C's `round`)."""
    whole = truncate(x)
    return copysign(select(absolute(x - whole) < 0.5, absolute(whole), absolute(whole) + 1.0), x)


SHORTER = {"exp": "exp_fast"}
"""The functions that have a second definition, with fewer operations and a larger error, and its name."""
SOURCES: dict[str, Callable[..., Any]] = {**FUNCTIONS, "round_half_away": round_half_away, "exp_fast": exp_fast}
"""All definitions, by name."""
