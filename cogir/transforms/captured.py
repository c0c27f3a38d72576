"""
The values that a loop takes from around it: constants, which are made again where its body goes, and the rest, which is handed over.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects import arith, scf
from xdsl.ir import BlockArgument, SSAValue


def captured_by(loop: scf.ForOp, further: Iterable[SSAValue] = ()) -> tuple[list[SSAValue], list[SSAValue]]:
    """The constants and the other values that the body of a loop uses from around it, each once; `further` ones come first."""
    inside = {loop.body.block}
    inside |= {block for op in loop.body.walk() for region in op.regions for block in region.blocks}
    defined: set[SSAValue] = {result for op in loop.body.walk() for result in op.results}
    used: dict[SSAValue, None] = dict.fromkeys(further)
    for op in loop.body.walk():
        for operand in op.operands:
            if operand not in defined and not (isinstance(operand, BlockArgument) and operand.block in inside):
                used[operand] = None
    constants = [value for value in used if isinstance(value.owner, arith.ConstantOp)]
    return constants, [value for value in used if not isinstance(value.owner, arith.ConstantOp)]
