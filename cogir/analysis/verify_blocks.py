"""
Checks that a body that must be a single block is one, before verifiers of operations read it.

```mlir
cog.model @m {
  ...
^bb0(%x: f64):      // refused: the body of cog.model has 2 blocks; only functions may have several
}
```
"""

from __future__ import annotations

from xdsl.dialects import affine, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region
from xdsl.irdl import IRDLOperation, OptSingleBlockRegionDef, SingleBlockRegionDef, VarSingleBlockRegionDef

from cogir.dialects.cog.ports import PlacedVerifyException

_SINGLE = (SingleBlockRegionDef, OptSingleBlockRegionDef, VarSingleBlockRegionDef)
_ALSO = (affine.ForOp, affine.IfOp, scf.IfOp, scf.IndexSwitchOp, scf.ReduceOp)
"""Operations whose definition in xDSL allows several blocks, though their verifiers do not."""


def verify_blocks(module: Operation) -> None:
    """Raises VerifyException if an operation has several blocks where its kind has one, or a module has none."""
    for op in module.walk():
        for region in op.regions:
            if not region.blocks and isinstance(op, ModuleOp):
                raise PlacedVerifyException(op, f"the body of {op.name} is empty; write its operations")
            if len(region.blocks) > 1 and _must_be_single(op, region):
                _refuse(op, region)


def _must_be_single(op: Operation, region: Region) -> bool:
    """True if the region must not have several blocks."""
    if isinstance(op, _ALSO):
        return True
    if not isinstance(op, IRDLOperation):
        return False
    for name, definition in op.get_irdl_definition().regions:
        held = getattr(op, name)
        if held is region or (isinstance(held, tuple) and region in held):
            return isinstance(definition, _SINGLE)
    return False


def _refuse(op: Operation, region: Region) -> None:
    blocks = list(region.blocks)
    remedy = "only functions may have several; remove the label (^...) before this operation"
    raise PlacedVerifyException(_first_op(blocks[1:]) or op, f"the body of {op.name} has {len(blocks)} blocks; {remedy}")


def _first_op(blocks: list[Block]) -> Operation | None:
    return next((block.first_op for block in blocks if block.first_op is not None), None)
