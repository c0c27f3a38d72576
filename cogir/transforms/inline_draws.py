"""
Inlines functions that draw random numbers where every iteration of a loop would draw the same ones.

Before: stage `machine`.
After:  a call, within a loop, of a private function that draws from a generator state defined outside of the loop is
        replaced by the function's body. The draws are then operations of the loop that do not depend on it, and
        `cog-licm` takes them out: grid points that start from one restored state draw once, not once per point.

```mlir
scf.for %i = ... {                                             scf.for %i = ... {
  %x, %r1 = func.call @distort(%mean, %sd_i, %r)       ->        %n, %r1 = rng.normal %r
}                                                                %x = ... %mean, %sd_i, %n ...
```
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from cogir.analysis.signatures import DRAWS, callees_first
from cogir.analysis.timeline import LOOPS, defining_block
from cogir.dialects.rng import StateType
from cogir.transforms.inlining import inline


def draws_first(function: func.FuncOp) -> bool:
    """True if the function draws, outside of any control flow, from a state that it is given."""
    if function.sym_visibility != StringAttr("private") or len(function.body.blocks) != 1:
        return False
    given = set(function.args)
    return any(isinstance(op, DRAWS) and op.operands[0] in given for op in function.body.block.ops)


def is_repeated(call: func.CallOp) -> bool:
    """True if a loop around the call starts each iteration with a state that the call takes."""
    states = [operand for operand in call.arguments if isinstance(operand.type, StateType)]
    return any(loop_between(call, state) for state in states)


def loop_between(op: Operation, value: SSAValue) -> bool:
    """True if there is a loop around `op` that does not define `value`."""
    home, block = defining_block(value), op.parent
    while block is not None and block is not home:
        parent = block.parent_op()
        if isinstance(parent, LOOPS):
            return True
        block = parent.parent if parent is not None else None
    return False


def calls_in(function: func.FuncOp) -> Iterator[func.CallOp]:
    for op in list(function.body.walk()):
        if isinstance(op, func.CallOp):
            yield op


@dataclass(frozen=True)
class InlineDraws(ModulePass):
    """Inlines functions that draw where every iteration of a loop would draw the same numbers."""

    name = "inline-draws"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = callees_first(op)
        drawing = {function.sym_name.data: function for function in functions if draws_first(function)}
        for function in functions:
            for call in calls_in(function):
                callee = drawing.get(call.callee.string_value())
                if callee is not None and is_repeated(call):
                    inline(call, callee)
