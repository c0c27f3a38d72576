"""
Writes the ranges of values beside the operations that compute them.

Before: stage `machine`, or any functions in value form (`func`, `scf`, `arith`, `math`, `linalg`, `tensor`, `rng`).
After:  the same, and operations of whose results something is known have `cog.ranges`, a range for each result; an `scf.while` has
        `cog.iterations`, how often its condition is computed.

```mlir
%p = math.exp %x {cog.ranges = ["[0.0, inf] or NaN"]} : f64
%q = arith.addf %p, %one {cog.ranges = ["[1.0, inf] or NaN"]} : f64
```

Arguments of functions that nobody calls can be anything. `sigmas` takes normal draws to lie within so many standard deviations instead of
what the generators can give at most; the module then says so (`cog.draws_within`), as its ranges hold only for such draws. `parameters`
takes the parameters of a model to have their default values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from xdsl.context import Context
from xdsl.dialects import arith, func, scf
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from cogir.analysis.layout import Layout
from cogir.analysis.ranges.elementary import LIBM_ULPS, PORTABLE_ULPS
from cogir.analysis.ranges.text import says_something, text_of
from cogir.analysis.ranges.values import Elements, Value, constant_range, unknown
from cogir.analysis.ranges.values import Number as RangedNumber
from cogir.analysis.ranges.walk import Walker
from cogir.irutils import element_type_of

RANGES, ITERATIONS, WITHIN = "cog.ranges", "cog.iterations", "cog.draws_within"


def walked(module: ModuleOp, walker: Walker, parameters: bool = False) -> Walker:
    """Walks all functions that nobody calls, for any arguments (or the default parameters of a model), then those that are not reached."""
    functions = [op for op in module.ops if isinstance(op, func.FuncOp) and not op.is_declaration]
    called = {op.callee.string_value() for op in module.walk() if isinstance(op, func.CallOp)}
    for function in [*(each for each in functions if each.sym_name.data not in called), *functions]:
        if not any(argument in walker.facts for argument in function.body.block.args) and not is_walked(function, walker):
            walker.function(function.sym_name.data, arguments_of(module, function, parameters))
    return walker


def is_walked(function: func.FuncOp, walker: Walker) -> bool:
    """True if something is known of the values of a function."""
    return any(result in walker.facts for op in function.body.block.ops for result in op.results)


def arguments_of(module: ModuleOp, function: func.FuncOp, parameters: bool) -> list[Value]:
    """The arguments of a function that nobody calls."""
    found = [unknown(argument.type) for argument in function.body.block.args]
    if parameters and function.sym_name.data in ("init", "trial"):
        layout = Layout.from_module(module)
        for position, buffer in enumerate(("pf", "pi")):
            values: Any = layout.default_buffer(buffer)
            found[position] = Elements(values.shape, tuple(RangedNumber(constant_range(each)) for each in values.tolist()))
    return found


def annotate(op: Operation, walker: Walker) -> None:
    """Writes what is known of an operation."""
    if isinstance(op, scf.WhileOp) and op in walker.counts:
        fewest, most = walker.counts[op]
        op.attributes[ITERATIONS] = StringAttr(f"{fewest} to {most}" if most is not None else f"{fewest} or more")
    if isinstance(op, arith.ConstantOp) or not op.results:
        return
    ranges = [walker.facts.get(result) for result in op.results]
    useful = [
        range is not None and says_something(range, element_type_of(result.type)) for range, result in zip(ranges, op.results, strict=True)
    ]
    if any(useful):
        op.attributes[RANGES] = ArrayAttr(StringAttr("any" if each is None else text_of(each)) for each in ranges)


@dataclass(frozen=True)
class AnnotateRanges(ModulePass):
    """Writes the ranges of values beside the operations that compute them."""

    name = "annotate-ranges"

    sigmas: float | None = None
    """Normal draws lie within so many standard deviations (default: what their generator can give at most)."""
    parameters: bool = False
    """True if the parameters of a model have their default values; they can be anything otherwise."""
    math: str = "portable"
    """The elementary functions: of cogir ("portable"), or of the C library ("libm")."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        ulps = PORTABLE_ULPS if self.math == "portable" else LIBM_ULPS
        walker = walked(op, Walker(op, sigmas=self.sigmas, ulps=ulps), self.parameters)
        for inner in op.walk():
            annotate(inner, walker)
        if self.sigmas is not None:
            op.attributes[WITHIN] = StringAttr(f"{self.sigmas:g} standard deviations")
