"""
Moves what does not depend on a loop out of it.

Before: any module with `scf.for`, `scf.while` and `affine.for`.
After:  an operation of a loop's body whose operands, and whatever its regions use, are defined outside of the loop
        stands before the loop, if it may run even when the loop has no iterations (`analysis/effects.py`): no memory, no
        possible trap, and certain to terminate. Also `linalg.generic`s, inner loops, draws from a generator state that
        every iteration starts from, and calls of pure functions. A part or another shape of a tensor is no work, and only leaves with
        what uses it: a thousand nodes that each read their own parameters need not hold a thousand addresses.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import affine, arith, scf, tensor
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.traits import IsTerminator

from cogir import remarks
from cogir.analysis.effects import Effects, EffectsTable

LOOPS = (scf.ForOp, scf.WhileOp, affine.ForOp)
VIEWS = (tensor.ExtractSliceOp, tensor.ExpandShapeOp, tensor.CollapseShapeOp)


class Hoister:
    """Treats inner loops first, so that an operation leaves as many loops as it can."""

    def __init__(self, effects: EffectsTable):
        self.effects = effects

    def visit(self, block: Block) -> None:
        for op in list(block.ops):
            for region in op.regions:
                for inner in region.blocks:
                    self.visit(inner)
            if isinstance(op, LOOPS):
                self.hoist_from(op)

    def hoist_from(self, loop: Operation) -> None:
        if loop.parent is None:
            return
        varying: set[SSAValue] = set()
        views: dict[SSAValue, Operation] = {}
        for region in loop.regions:
            for block in region.blocks:
                varying.update(block.args)
                for op in list(block.ops):
                    if not self.can_leave(op, varying, loop):
                        varying.update(op.results)
                    elif isinstance(op, VIEWS):
                        views[op.results[0]] = op
                    else:
                        self.move(op, loop, views)

    def move(self, op: Operation, loop: Operation, views: dict[SSAValue, Operation]) -> None:
        """Puts an operation before the loop, after the views that it uses and that are still inside."""
        for inner in op.walk():
            for operand in inner.operands:
                if (view := views.pop(operand, None)) is not None:
                    self.move(view, loop, views)
        before = loop.parent
        assert before is not None
        remarks.count("operations hoisted")
        if not isinstance(op, arith.ConstantOp | tensor.EmptyOp):  # they compute nothing
            remarks.passed(op, "hoisted {} out of {}", op.name, loop.name)
        op.detach()
        before.insert_op_before(op, loop)

    def can_leave(self, op: Operation, varying: set[SSAValue], loop: Operation) -> bool:
        if op.has_trait(IsTerminator) or any(operand in varying for operand in op.operands):
            return False
        if op.regions and any(operand in varying for inner in op.walk() for operand in inner.operands):
            return False
        effects = self.effects.of(op)
        if not effects.is_speculatable:
            remarks.missed(op, "did not hoist {} out of {}: {}", op.name, loop.name, hindrance(effects))
        return effects.is_speculatable


def hindrance(effects: Effects) -> str:
    """The reason why an operation with these effects stays where it is."""
    if not effects.is_function_of_operands:
        return "it uses memory, or calls a function that may"
    return "it may never end" if effects.may_not_terminate else "it can fail, and the loop may have no iterations"


@dataclass(frozen=True)
class LoopInvariantCodeMotion(ModulePass):
    """Moves what does not depend on a loop out of it."""

    name = "cog-licm"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        Hoister(EffectsTable(op)).visit(op.body.block)
