"""
When things happen in a function with structured control flow.

Every operation has a position in program order, nested ones included; `end` of an operation is the position after
everything in its regions. A value that is used in a loop but defined outside of it is used until the loop ends.

```mlir
%a = ...                 // position 1
scf.for ... {            // position 2, end 4
  "use"(%a)              // position 3, but %a is used until 4
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import affine, scf
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.ir import Block, Operation, Region, SSAValue

LOOPS = (scf.ForOp, scf.WhileOp, affine.ForOp, LinalgStructuredOperation)
"""Operations that run a region more than once."""


def ancestors(op: Operation) -> Iterator[tuple[Block, Operation]]:
    """The operation with its block, then the operation around that, and so on outwards."""
    current: Operation | None = op
    while current is not None and (block := current.parent) is not None:
        yield block, current
        current = block.parent_op()


def defining_block(value: SSAValue) -> Block | None:
    """The block in which a value is an argument or a result."""
    owner = value.owner
    return owner if isinstance(owner, Block) else owner.parent


class OperationOrder:
    """Positions of all operations under a region, and the order of uses and writes that follows."""

    def __init__(self, region: Region):
        self.position: dict[Operation, int] = {}
        self.end: dict[Operation, int] = {}
        self._count = 1
        for block in region.blocks:
            self._number(block)

    def _number(self, block: Block) -> None:
        for op in block.ops:
            self.position[op] = self._count
            self._count += 1
            if op.regions:
                for region in op.regions:
                    for inner in region.blocks:
                        self._number(inner)
                self._count += 1
            self.end[op] = self._count - 1

    def write_time(self, op: Operation) -> int:
        """The time at which an operation writes its results."""
        return 2 * self.position[op]

    def use_time(self, value: SSAValue, op: Operation, is_overwritten: bool) -> int:
        """
        The time until which `op` needs `value`: its own, just before it writes when it overwrites the value
        (`is_overwritten`), else just after; the end of the outermost loop around `op` that does not define the value.
        """
        home = defining_block(value)
        time = 2 * self.position[op] + (not is_overwritten)
        block = op.parent
        while block is not None and block is not home:
            parent = block.parent_op()
            if parent is None or parent not in self.position:
                break
            if isinstance(parent, LOOPS):
                time = max(time, 2 * self.end[parent] + 1)
            block = parent.parent
        return time

    def happens_after(self, use: Operation, value: SSAValue, write: Operation) -> bool:
        """
        True if `use` of `value` may run after `write` did, with no new definition of `value` in between.

        Branches of one `scf.if` exclude each other, and a loop around both that does not define the value lets the
        use of the next iteration follow the write of this one.
        """
        path = dict(ancestors(write))
        common: Block | None = None
        use_at = write_at = use
        for block, op in ancestors(use):
            if block in path:
                common, use_at, write_at = block, op, path[block]
                break
        home = defining_block(value)
        block = common
        loops: list[Operation] = []
        while block is not None and block is not home:
            parent = block.parent_op()
            if parent is not None and isinstance(parent, LOOPS):
                loops.append(parent)
            block = parent.parent if parent is not None else None
        if block is home and loops:
            return True
        if use_at is write_at:
            # One lies inside the other, or they lie in two regions of one operation: of a branch, or of a while loop.
            return write is write_at or (use is not use_at and isinstance(use_at, LOOPS))
        return self.position[use_at] > self.position[write_at]
