"""
Lets loops over the points of a search ask whether they should stop, so that Ctrl-C does not wait for a million points.

```mlir
scf.for %i = 0 to 101 {              scf.for %i = 0 to 101 {
  scf.for %j = 0 to 10201 {            %stop = func.call @cogir_stop_requested(%control)
    ...                        ->      %end = arith.select %stop, %0, %10201
                                       scf.for %j = 0 to %end {
```

A loop whose body holds a loop has its inner loops end at once; a loop whose body holds loops without a known end, or calls
functions that do, skips its body. What the trial then gives is of no use, and is not used: a stopped trial does not count.
"""

from __future__ import annotations

from collections.abc import Collection

from xdsl.dialects import arith, func, scf
from xdsl.dialects.builtin import i1
from xdsl.ir import Block, Operation, Region, SSAValue

from cogir.irutils import constant_int

LONG = 1 << 14
"""Loops over fewer points than this are left alone: they end soon enough, unless their body has loops of its own kind."""


def searches(function: func.FuncOp, stoppable: Collection[str]) -> list[scf.ForOp]:
    """The loops of a function that should ask, outer ones first."""
    return [op for op in function.body.walk() if isinstance(op, scf.ForOp) and (_is_nest(op) or _is_heavy(op, stoppable))]


def add_poll_to_search(loop: scf.ForOp, control: SSAValue, poll: str, stoppable: Collection[str]) -> None:
    """Makes a loop ask at the start of each iteration."""
    block = loop.body.block
    first = block.first_op
    ask = func.CallOp(poll, [control], [i1])
    assert first is not None
    block.insert_op_before(ask, first)
    ask.results[0].name_hint = "stop"
    if _is_heavy(loop, stoppable):
        _skip_body(loop, ask)
        return
    for inner in _inner_loops(loop):
        end = arith.SelectOp(ask.results[0], inner.lb, inner.ub)
        block.insert_op_before(end, inner)
        inner.operands = [inner.lb, end.result, inner.step, *inner.iter_args]


def _skip_body(loop: scf.ForOp, ask: func.CallOp) -> None:
    """body; yield %x  ->  %y = scf.if %stop { yield what came in } else { body; yield %x }; yield %y"""
    block = loop.body.block
    end = block.last_op
    assert isinstance(end, scf.YieldOp)
    moved = [op for op in block.ops if op is not ask and op is not end]
    for op in moved:
        op.detach()
    body = Block([*moved, scf.YieldOp(*end.operands)])
    skipped = Block([scf.YieldOp(*block.args[1:])])
    choice = scf.IfOp(ask.results[0], [value.type for value in end.operands], Region(skipped), Region(body))
    block.insert_op_before(choice, end)
    end.operands = list(choice.results)


def _inner_loops(loop: scf.ForOp) -> list[scf.ForOp]:
    return [op for op in loop.body.block.ops if isinstance(op, scf.ForOp)]


def _is_nest(loop: scf.ForOp) -> bool:
    return bool(_inner_loops(loop)) and _points(loop) >= LONG


def _is_heavy(loop: scf.ForOp, stoppable: Collection[str]) -> bool:
    """True if an iteration may take long: the body has a `while`, or calls a function that has one, outside of inner loops over points."""
    return any(_may_take_long(op, stoppable) for op in loop.body.block.ops if not isinstance(op, scf.ForOp))


def _may_take_long(op: Operation, stoppable: Collection[str]) -> bool:
    for inner in op.walk():
        if isinstance(inner, scf.WhileOp) or (isinstance(inner, func.CallOp) and inner.callee.string_value() in stoppable):
            return True
    return False


def _points(loop: scf.ForOp) -> int:
    """The number of iterations of the loop and the loops in it; a bound that is not known counts as many."""
    first, end, step = (constant_int(value) for value in (loop.lb, loop.ub, loop.step))
    iterations = LONG if first is None or end is None or step is None else len(range(first, end, step))
    return iterations * max((_points(inner) for inner in _inner_loops(loop)), default=1)
