"""
Puts the bodies of functions in the place of calls.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from xdsl.dialects import func
from xdsl.ir import Block, Operation, SSAValue

from cogir import remarks


def inline(call: func.CallOp, function: func.FuncOp) -> None:
    """Replaces a call by a copy of the function's body, which is one block."""
    remarks.count("calls inlined")
    remarks.passed(call, "inlined @{}", function.sym_name.data)
    block = cast(Block, call.parent)
    values: dict[SSAValue, SSAValue] = dict(zip(function.args, call.arguments, strict=True))
    for op in function.body.block.ops:
        if isinstance(op, func.ReturnOp):
            for old, new in zip(call.res, op.arguments, strict=True):
                old.replace_all_uses_with(values[new])
            break
        block.insert_op_before(op.clone(values), call)
    block.erase_op(call)


def inline_all(root: Operation, functions: Mapping[str, func.FuncOp], keeps: Callable[[func.CallOp], bool] = lambda call: False) -> None:
    """
    Replaces all calls inside an operation, and those that come with them, by the bodies of the functions, which do not recur.

    `keeps`: calls that stay.
    """
    while calls := [op for op in root.walk() if isinstance(op, func.CallOp) and not keeps(op)]:
        for call in calls:
            inline(call, functions[call.callee.string_value()])
