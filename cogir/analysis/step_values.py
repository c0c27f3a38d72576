"""
The costly values of an iteration that depend on nothing but its number, such as a bound that collapses with time.

```mlir
scf.while (%t = %start, %x = %x0, %choice = %none) {
  %undecided = arith.cmpf oeq, %choice, %none    // holds after the first iteration, as the loop would have ended otherwise
  %later = arith.addf %t, %dt
  %t1 = arith.select %undecided, %later, %t      // depends on the number of the iteration, and is cheap
  %height = math.exp %t1                         // is costly
  %choice1 = ...                                 // depends on random numbers
  %decided = arith.cmpf une, %choice1, %none
  scf.condition(%not_decided) %t1, %x1, %choice1
}
// costly = [%height], carried = [0], conditions = [%undecided], ops = [%later, %t1, %height], following = [%t1]
```

This holds for all loops that start from the same carried values and fulfil the conditions in their first iteration.
Costly values are those that an elementary function is needed for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects import arith, scf
from xdsl.dialects.arith import CMPF_COMPARISON_OPERATIONS
from xdsl.dialects.builtin import FloatAttr, IndexType, f64, i1, i64
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from cogir.analysis.lane_loop import LaneLoop
from cogir.analysis.op_cost import FUNCTION_COST, CostTable
from cogir.irutils import constant_int

MOST = 4
"""The most values that are looked for, the costliest; the others are computed, as are those that follow cheaply from them."""
PAIRS = {"oeq": "une", "ogt": "ule", "oge": "ult", "olt": "uge", "ole": "ugt", "one": "ueq", "ord": "uno"}
NEGATED = PAIRS | {negated: name for name, negated in PAIRS.items()}

Fact = tuple[str, SSAValue, SSAValue]
"""A comparison that holds: its predicate and its operands."""


@dataclass
class StepValues:
    """The costly values, and all that they are computed from."""

    costly: Sequence[SSAValue]
    carried: Sequence[int]
    """The carried values that they follow from, by number."""
    following: Sequence[SSAValue]
    """The values of these in the next iteration."""
    conditions: Sequence[arith.CmpfOp]
    """Comparisons of a carried value with a value from before the loop, which hold in each iteration after the first."""
    ops: Sequence[Operation]
    """The operations that compute costly and following values, in order, without the conditions."""


def step_values(found: LaneLoop, costs: CostTable) -> StepValues | None:
    """The costly values of a loop that depend on the number of the iteration alone; None if it has none."""
    block = found.loop.before_region.block
    following: dict[SSAValue, SSAValue] = {argument: next_value(found.loop, argument.index) for argument in block.args}
    conditions = implied_conditions(found.loop, following)
    carried: set[SSAValue] = {argument for argument in block.args if argument.type in (f64, i64, i1, IndexType())}
    while True:
        only = depends_on_number(found, carried, conditions)
        kept = {argument for argument in carried if following[argument] in only}
        if kept == carried:
            break
        carried = kept
    worth: dict[SSAValue, int] = {}
    taken: set[Operation] = set()
    for op in block.ops:
        for value in op.results:
            if value in only and value.type == f64 and op not in conditions and is_read_elsewhere(value, only):
                ops = computed_from([value], block, conditions | taken)[0] - taken
                if computed_from([value], block, conditions)[1] and any(costs.of(each) >= FUNCTION_COST for each in ops):
                    worth[value] = sum(map(costs.of, ops))
                    taken.add(op)
    most = sorted(worth, key=lambda value: -worth[value])[:MOST]
    costly = [value for value in worth if value in most]
    if not costly:
        return None
    needed: set[SSAValue] = set()
    while True:
        ops, arguments = computed_from([*costly, *(following[argument] for argument in needed)], block, conditions)
        if arguments == needed:
            break
        needed |= arguments
    ordered = [(argument.index, following[argument]) for argument in block.args if argument in needed]
    return StepValues(
        costly,
        [number for number, _ in ordered],
        [value for _, value in ordered],
        [op for op in block.ops if isinstance(op, arith.CmpfOp) and op in ops and op in conditions],
        [op for op in block.ops if op in ops and op not in conditions],
    )


def next_value(loop: scf.WhileOp, number: int) -> SSAValue:
    """The value that the loop carries to the next iteration, where an iteration computes it."""
    value = cast(scf.YieldOp, loop.after_region.block.last_op).operands[number]
    if isinstance(value, BlockArgument) and value.block is loop.after_region.block:
        return cast(scf.ConditionOp, loop.before_region.block.last_op).args[value.index]
    return value


def depends_on_number(found: LaneLoop, carried: Iterable[SSAValue], conditions: set[Operation]) -> set[SSAValue]:
    """The values that depend on the number of the iteration alone, if these carried ones do and the conditions hold."""
    only: set[SSAValue] = set(carried) | found.shared
    for op in found.loop.before_region.block.ops:
        is_computed = not op.regions and op.name.startswith(("arith.", "math.")) and all(operand in only for operand in op.operands)
        if is_computed or op in conditions:
            only.update(op.results)
    return only


def is_read_elsewhere(value: SSAValue, only: set[SSAValue]) -> bool:
    """True if something reads the value that is not itself a number that depends on the iteration alone."""
    return any(not use.operation.results or any(r not in only or r.type != f64 for r in use.operation.results) for use in value.uses)


def computed_from(values: Iterable[SSAValue], block: Block, conditions: set[Operation]) -> tuple[set[Operation], set[SSAValue]]:
    """The operations of a block that compute some values, and its arguments that they read; what conditions read is not among these."""
    ops: set[Operation] = set()
    arguments: set[SSAValue] = set()
    waiting = list(values)
    while waiting:
        value = waiting.pop()
        if isinstance(value, BlockArgument):
            if value.block is block:
                arguments.add(value)
        elif isinstance(value.owner, Operation) and value.owner.parent is block and value.owner not in ops:
            ops.add(value.owner)
            if value.owner not in conditions:
                waiting += value.owner.operands
    return ops, arguments


def implied_conditions(loop: scf.WhileOp, following: dict[SSAValue, SSAValue], loosely: bool = False) -> set[Operation]:
    """
    The comparisons of carried values with values from before the loop that hold because the loop has gone on; `loosely`: unless one of
    them is NaN.
    """
    holding = list(facts(cast(scf.ConditionOp, loop.before_region.block.last_op).condition, True))
    block = loop.before_region.block
    return {
        op
        for op in block.ops
        if isinstance(op, arith.CmpfOp) and op.lhs in following and is_outside(op.rhs, block)
        for predicate, lhs, rhs in holding
        if predicate[loosely:] == name_of(op)[loosely:] and lhs is following[op.lhs] and is_same(rhs, op.rhs)
    }


def facts(condition: SSAValue, truth: bool) -> Iterator[Fact]:
    """The comparisons of floats that hold if a condition is true, or is false."""
    op = condition.owner
    match op:
        case arith.AndIOp() if truth:
            yield from (*facts(op.lhs, True), *facts(op.rhs, True))
        case arith.OrIOp() if not truth:
            yield from (*facts(op.lhs, False), *facts(op.rhs, False))
        case arith.XOrIOp() if constant_int(op.rhs) is not None and op.result.type == i1:
            yield from facts(op.lhs, truth != bool(constant_int(op.rhs)))
        case arith.CmpfOp() if (name := name_of(op)) in NEGATED:
            yield name if truth else NEGATED[name], op.lhs, op.rhs
        case _:
            pass


def name_of(op: arith.CmpfOp) -> str:
    """The predicate of a comparison by name."""
    return CMPF_COMPARISON_OPERATIONS[op.predicate.value.data]


def is_outside(value: SSAValue, block: Block) -> bool:
    """True if a value is not defined in a block."""
    return (value.owner.parent if isinstance(value.owner, Operation) else value.owner) is not block


def is_same(one: SSAValue, other: SSAValue) -> bool:
    """True for the same value or equal constants."""
    if one is other:
        return True
    constants = [value.owner.value for value in (one, other) if isinstance(value.owner, arith.ConstantOp)]
    return len(constants) == 2 and isinstance(constants[0], FloatAttr) and constants[0] == constants[1]
