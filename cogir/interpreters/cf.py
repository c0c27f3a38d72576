"""The meaning of `cf`: branches between the blocks of a region."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.dialects import cf
from xdsl.interpreter import PythonValues, Successor

from cogir.errors import ExecutionError
from cogir.interpreters.engine import Engine, Meanings


def branch(op: cf.BranchOp, engine: Engine) -> Callable[..., Successor]:
    return lambda *args: Successor(op.successor, args)


def conditional_branch(op: cf.ConditionalBranchOp, engine: Engine) -> Callable[..., Successor]:
    split = len(op.then_arguments)

    def choose(condition: bool, *args: Any) -> Successor:
        return Successor(op.then_block, args[:split]) if condition else Successor(op.else_block, args[split:])

    return choose


def switch(op: cf.SwitchOp, engine: Engine) -> Callable[..., Successor]:
    values = op.case_values.get_values() if op.case_values is not None else ()
    default_count = len(op.default_operands)
    spans: dict[int, tuple[Any, int, int]] = {}
    start = default_count
    for value, block, operands in zip(values, op.case_blocks, op.case_operand, strict=True):
        spans[value] = (block, start, start + len(operands))
        start += len(operands)

    def choose(flag: int, *args: Any) -> Successor:
        block, first, last = spans.get(flag, (op.default_block, 0, default_count))
        return Successor(block, args[first:last])

    return choose


def run_assert(op: cf.AssertOp, engine: Engine) -> Callable[[bool], PythonValues]:
    def check(condition: bool) -> PythonValues:
        if not condition:
            raise ExecutionError(f"cf.assert does not hold: {op.msg.data}")
        return ()

    return check


MEANINGS = Meanings(
    results={cf.AssertOp: run_assert},
    branches={cf.BranchOp: branch, cf.ConditionalBranchOp: conditional_branch, cf.SwitchOp: switch},
)
