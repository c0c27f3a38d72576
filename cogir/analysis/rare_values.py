"""
Costly values of an iteration that are used only where a condition holds, which is known before the iteration has drawn random numbers.

```mlir
scf.while (%left = %zero, %x = %x0, ...) {
  %ends = arith.cmpf olt, %left, %none           // known from what the loop carries
  %n, %r1 = rng.normal %r0
  %long = math.exp %n                            // costly, and read by the select alone
  %now = arith.select %ends, %long, %left
  %left1 = arith.subf %now, %dt                  // known ahead, too, if %ends does not hold: %left - %dt
  ...
// condition = %ends, ops = [%ends, %now, %left1]
```
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects import arith, scf
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from cogir.analysis.lane_loop import LaneLoop
from cogir.analysis.op_cost import FUNCTION_COST, CostTable
from cogir.analysis.step_values import implied_conditions, next_value


@dataclass
class RareValues:
    """The condition, and how it is found out for the next iterations as long as it does not hold."""

    condition: SSAValue
    ops: Sequence[Operation]
    """The operations of an iteration that compute the condition and the carried values that it follows from, in order."""
    implied: Collection[Operation]
    """Those that hold in each iteration after the first."""
    carried: Sequence[int]
    """The carried values that the condition follows from, by number."""
    following: Sequence[SSAValue]
    """The values of these in the next iteration."""

    def is_choice(self, op: Operation) -> bool:
        """True if an operation chooses by the condition."""
        return isinstance(op, arith.SelectOp) and op.cond is self.condition


def rare_values(found: LaneLoop, costs: CostTable, looked_up: Collection[Operation]) -> RareValues | None:
    """The condition under which the costliest values of a loop are used, if it is worth a test; `looked_up` operations cost nothing."""
    block = found.loop.before_region.block
    following: dict[SSAValue, SSAValue] = {argument: next_value(found.loop, argument.index) for argument in block.args}
    implied = implied_conditions(found.loop, following)
    condition = cast(scf.ConditionOp, block.last_op)
    after = [operand for op in found.loop.after_region.block.walk() for operand in op.operands]
    ends = [*condition.operands, *after]
    best, most = None, FUNCTION_COST
    usual = implied_conditions(found.loop, following, loosely=True)
    for choice in dict.fromkeys(op.cond for op in block.ops if isinstance(op, arith.SelectOp) and op.cond.owner not in usual):
        rare = found_ahead(found.loop, choice, implied, following)
        if rare is None or sum(costs.of(op) for op in rare.ops) >= FUNCTION_COST:
            continue
        saved = needed_for(ends, block, looked_up) - needed_for(ends, block, looked_up, choice)
        cost = sum(costs.of(op) for op in saved)
        if cost >= most:
            best, most = rare, cost + 1
    return best


def found_ahead(loop: scf.WhileOp, condition: SSAValue, implied: set[Operation], following: dict[SSAValue, SSAValue]) -> RareValues | None:
    """The computation of a condition ahead; None if it takes more than arithmetic on what the loop carries."""
    block, after = loop.before_region.block, loop.after_region.block

    def is_settled(argument: SSAValue) -> bool:
        """True if the next value is not computed after the condition of the loop."""
        owner = following[argument].owner
        return (owner.parent if isinstance(owner, Operation) else owner) is not after

    needed: set[SSAValue] = set()
    while True:
        wanted = [condition, *(following[argument] for argument in needed)]
        ops = needed_for(wanted, block, implied, condition)
        read = [*wanted, *(operand for op in ops if op not in implied for operand in op.operands)]
        more = needed | {value for value in read if isinstance(value, BlockArgument) and value.block is block}
        if more == needed:
            break
        needed = more
    if any(op.regions or not op.name.startswith(("arith.", "math.")) for op in ops) or not all(map(is_settled, needed)):
        return None
    ordered = [(argument.index, following[argument]) for argument in block.args if argument in needed]
    return RareValues(
        condition, [op for op in block.ops if op in ops], implied, [number for number, _ in ordered], [value for _, value in ordered]
    )


def needed_for(values: Iterable[SSAValue], block: Block, known: Collection[Operation], condition: SSAValue | None = None) -> set[Operation]:
    """The operations of a block that compute some values, but for what `known` ones read, and what is used if a condition holds."""
    ops: set[Operation] = set()
    waiting = list(values)
    while waiting:
        op = waiting.pop().owner
        if isinstance(op, Operation) and op.parent is block and op not in ops:
            ops.add(op)
            if isinstance(op, arith.SelectOp) and op.cond is condition:
                waiting.append(op.rhs)
            elif op not in known:
                waiting += [operand for inner in op.walk() for operand in inner.operands]
    return ops
