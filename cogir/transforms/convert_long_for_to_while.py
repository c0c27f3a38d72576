"""
Writes loops that may be long as `scf.while`, which a signal can stop, over blocks of iterations.

Before: `scf` loops with steps of at least 1, functions that do not call themselves.
After:  no more than `LONGEST` operations run between two looks at the stop flag, as far as loops are counted: a `scf.for` with more, or
        with a number of iterations that is not known, is a `scf.while` around a `scf.for` of at most so many iterations as take `BLOCK`
        operations; a loop with a long body is a `scf.while` alone.

```mlir
%r = scf.for %i = %a to %b step %c1 iter_args(%x = %start) -> (f64) { ... scf.yield %y : f64 }
// becomes
%k, %r = scf.while (%i = %a, %x = %start) : (index, f64) -> (index, f64) {
  %go_on = arith.cmpi slt, %i, %b : index
  scf.condition(%go_on) %i, %x : index, f64
} do {
^bb0(%i: index, %x: f64):
  %left = arith.subi %b, %i : index
  %length = arith.minui %left, %block : index
  %end = arith.addi %i, %length : index
  %next = scf.for %j = %i to %end step %c1 iter_args(%y = %x) -> (f64) { ... }
  scf.yield %end, %next : index, f64
} attributes {cog.blocks}
```

Native code looks at the stop flag in each `scf.while` (`lowering/entry/run.py`), once in a block with `cog.blocks`; not in `scf.for`, which
LLVM vectorizes. Loops over arrays are short, but a text may count to 10^18: models from text go through this pass. A loop whose step is
not 1 counts the iterations of a block from 0, since the index after the last one may not fit its type.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any, cast

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, func, scf
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, UnitAttr
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from cogir import remarks
from cogir.analysis.ranges.local_integers import range_of, range_of_type
from cogir.irutils import constant_int, iteration_extents, replace_by

LONGEST = 2**26
"""Most operations between two polls of the stop flag: some tenths of a second."""
BLOCK = 2**16
"""Operations in a block of iterations: some tens of microseconds, against which polling the stop flag costs nothing."""
SHORTEST_BLOCK = 16
"""A loop with a body so long that a block would have fewer iterations than this has no blocks."""
POLL_EVERY = 256
"""Iterations between two polls of the stop flag, of a `scf.while` without `cog.blocks`."""
BLOCKS = "cog.blocks"
"""Attribute of a `scf.while` that polls the stop flag in each iteration but the first: its iterations are long."""
_NO_WRAP = arith.IntegerOverflowAttr([arith.IntegerOverflowFlag.NSW])


@dataclass(frozen=True)
class ConvertLongForToWhile(ModulePass):
    """Writes loops that may be long as `scf.while`, which a signal can stop."""

    name = "convert-long-for-to-while"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        lengths = _Lengths({each.sym_name.data: each for each in op.ops if isinstance(each, func.FuncOp)})
        for each in list(op.ops):
            lengths.of(each)


@dataclass
class _Lengths:
    """The most operations that run between two looks at the stop flag; loops with too many are converted when they are counted."""

    functions: dict[str, func.FuncOp]
    _of_function: dict[str, int] = field(default_factory=dict[str, int])

    def of(self, op: Operation) -> int:
        """The operations that run when `op` does."""
        match op:
            case func.FuncOp():
                return self.of_function(op.sym_name.data)
            case func.CallOp():
                return 1 + self.of_function(op.callee.string_value())
            case LinalgStructuredOperation():
                return prod(iteration_extents(op)) * self.of_regions(op)
            case scf.ForOp():
                return self.of_loop(op)
            case _:
                return 1 + self.of_regions(op)

    def of_loop(self, loop: scf.ForOp) -> int:
        """The operations that run in a loop until it ends or looks at the stop flag; converts it if these are too many."""
        inside = self.of_regions(loop)
        length = iterations(loop) * inside
        if length <= LONGEST and not may_wrap(loop):
            return length
        count = 1 << (BLOCK // inside).bit_length() >> 1  # a power of two: vectors fill it
        in_blocks = SHORTEST_BLOCK <= count <= range_of_type(loop.lb.type)[1] // max(range_of(loop.step)[0], 1)
        each_iteration = in_blocks or inside * POLL_EVERY > LONGEST
        remarks.passed(
            loop, "made the loop one that can be stopped: {}", f"blocks of {count} iterations" if in_blocks else "each iteration"
        )
        convert(loop, count if in_blocks else 1, each_iteration)
        return BLOCK if in_blocks else inside if each_iteration else inside * POLL_EVERY

    def of_function(self, name: str) -> int:
        """The operations that run when a function is called."""
        if name not in self._of_function:
            self._of_function[name] = 1  # also for a function that calls itself, which is refused elsewhere
            if (function := self.functions.get(name)) is not None:
                self._of_function[name] = 1 + self.of_regions(function)
        return self._of_function[name]

    def of_regions(self, op: Operation) -> int:
        """The operations inside of `op`."""
        return sum(self.of(inner) for region in op.regions for block in region.blocks for inner in list(block.ops))


def iterations(loop: scf.ForOp) -> int:
    """The most iterations that a loop can have."""
    (lower, _), (_, upper), (step, _) = range_of(loop.lb), range_of(loop.ub), range_of(loop.step)
    return max(0, -((lower - upper) // max(step, 1)))


def may_wrap(loop: scf.ForOp) -> bool:
    """True if the index may get beyond the numbers of its type after the last iteration."""
    return range_of(loop.ub)[1] - 1 + max(range_of(loop.step)[1], 1) > range_of_type(loop.lb.type)[1]


def convert(loop: scf.ForOp, count: int = 1, each_iteration: bool = False) -> None:
    """
    for i = a to b step s  ->  while i < b { end = i + min(b - i, count * s); for j = i to end step s; i = end }

    With a `count` of 1 there is no inner loop. With `each_iteration` the stop flag is polled in each iteration (`cog.blocks`).
    """
    span = _span(loop, count)
    types = [loop.lb.type, *(value.type for value in loop.iter_args)]
    before = Block(arg_types=types)
    test = arith.CmpiOp(before.args[0], loop.ub, "slt")
    before.add_ops([test, scf.ConditionOp(test, *before.args)])
    after = Block(arg_types=types)
    code = Builder(InsertPoint.at_end(after))
    length = span
    if constant_int(span) != 1:
        length = code.insert(arith.MinUIOp(code.insert(arith.SubiOp(loop.ub, after.args[0])).result, span)).result
    end = code.insert(arith.AddiOp(after.args[0], length, loop.lb.type, _NO_WRAP)).result
    arithmetic = list(after.ops)
    carried = _iteration(loop, code, after, length, end) if count > 1 else _body(loop, code, after.args)
    code.insert(scf.YieldOp(end, *carried))
    new = scf.WhileOp([loop.lb, *loop.iter_args], types, Region(before), Region(after))
    if each_iteration:
        new.attributes[BLOCKS] = UnitAttr()
    for op in (new, test, *arithmetic):
        op.location = loop.location
    Builder(InsertPoint.before(loop)).insert(new)
    replace_by(loop, new.results[1:])


def _span(loop: scf.ForOp, count: int) -> SSAValue:
    """`count * step`, or a `step` that is not a constant where that is more than the type holds."""
    if count == 1:
        return loop.step
    code = Builder(InsertPoint.before(loop))
    type, most = loop.step.type, range_of_type(loop.step.type)[1] // count

    def constant(value: int) -> SSAValue:
        return code.insert(arith.ConstantOp(IntegerAttr(value, cast(Any, type)))).result

    step = constant_int(loop.step)
    if step is not None:
        return constant(step * count)
    fits = code.insert(arith.CmpiOp(loop.step, constant(most), "ule")).result
    product = code.insert(arith.MuliOp(loop.step, constant(count))).result
    return code.insert(arith.SelectOp(fits, product, loop.step)).result


def _iteration(loop: scf.ForOp, code: Builder, block: Block, length: SSAValue, end: SSAValue) -> Sequence[SSAValue]:
    """The loop over one block of iterations, from the first argument of `block` on; returns what it carries on."""
    start, *carried = block.args
    if constant_int(loop.step) == 1:
        inner = scf.ForOp(start, end, loop.step, carried, loop.detach_region(loop.body))
    else:
        zero, one = (code.insert(arith.ConstantOp(IntegerAttr(value, cast(Any, start.type)))).result for value in (0, 1))
        count = code.insert(arith.CeilDivUIOp(length, loop.step)).result
        body = Block(arg_types=[value.type for value in block.args])
        inside = Builder(InsertPoint.at_end(body))
        offset = inside.insert(arith.MuliOp(body.args[0], loop.step)).result
        position = inside.insert(arith.AddiOp(start, offset)).result
        inside.insert(scf.YieldOp(*_body(loop, inside, [position, *body.args[1:]])))
        inner = scf.ForOp(zero, count, one, carried, Region(body))
    inner.location = loop.location
    return code.insert(inner).results


def _body(loop: scf.ForOp, code: Builder, arguments: Sequence[SSAValue]) -> Sequence[SSAValue]:
    """Moves the body of a loop to where `code` inserts, with these values for its arguments; returns what it yields."""
    body = loop.body.block
    for old, new in zip(body.args, arguments, strict=True):
        new.name_hint = new.name_hint or old.name_hint
        old.replace_all_uses_with(new)
    end = body.last_op
    assert isinstance(end, scf.YieldOp)
    yielded = list(end.arguments)
    for op in list(body.ops):
        op.detach()
        if op is not end:
            code.insert(op)
    end.erase()
    return yielded
