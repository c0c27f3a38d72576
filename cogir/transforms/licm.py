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
from xdsl.dialects import affine, scf, tensor
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.traits import IsTerminator

from cogir.analysis.effects import EffectsTable

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
                    if not self.can_leave(op, varying):
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
        op.detach()
        before.insert_op_before(op, loop)

    def can_leave(self, op: Operation, varying: set[SSAValue]) -> bool:
        if op.has_trait(IsTerminator) or any(operand in varying for operand in op.operands):
            return False
        if not self.effects.of(op).is_speculatable:
            return False
        return not op.regions or not any(operand in varying for inner in op.walk() for operand in inner.operands)


@dataclass(frozen=True)
class LoopInvariantCodeMotion(ModulePass):
    """Moves what does not depend on a loop out of it."""

    name = "cog-licm"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        Hoister(EffectsTable(op)).visit(op.body.block)
