"""
The operations of `math` that are elementary functions, with their names in C and in `cogir.library.numerics.math`.

The other operations of `math` (square root, fused multiply-add, roundings, sign and bit operations) are exact: every target has them.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects import math
from xdsl.ir import Operation

ELEMENTARY: Mapping[type[Operation], str] = {
    math.AcosOp: "acos",
    math.AcoshOp: "acosh",
    math.AsinOp: "asin",
    math.AsinhOp: "asinh",
    math.Atan2Op: "atan2",
    math.AtanOp: "atan",
    math.AtanhOp: "atanh",
    math.CbrtOp: "cbrt",
    math.CosOp: "cos",
    math.CoshOp: "cosh",
    math.ErfOp: "erf",
    math.Exp2Op: "exp2",
    math.ExpM1Op: "expm1",
    math.ExpOp: "exp",
    math.Log10Op: "log10",
    math.Log1pOp: "log1p",
    math.Log2Op: "log2",
    math.LogOp: "log",
    math.PowFOp: "pow",
    math.SinOp: "sin",
    math.SinhOp: "sinh",
    math.TanOp: "tan",
    math.TanhOp: "tanh",
}
"""The name of the function for each operation; as many arguments as operands."""

CLIP = "cog.clip"
"""The attribute of `arith.maximumf` and `arith.minimumf` that bound a number, their first operand; at the bound, its derivative is 1."""
