"""
Whether every draw of a module is a new random number.

A draw gives the same numbers again if it is made from a state that was used before, as in a search that restores its generators. In a
module in which each state is used at most once, this cannot happen:

```mlir
%a, %s1 = rng.normal %s0 : !rng.state<mt19937> -> f64     // the only use of %s0
%b, %s2 = rng.normal %s1 : !rng.state<mt19937> -> f64     // the only use of %s1
func.return %s2 : !rng.state<mt19937>                     // the next trial goes on from here
```
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from cogir.dialects.rng import FromWordsOp, SeedOp, StateType, ToWordsOp

ONE_WAY = (scf.IfOp, scf.IndexSwitchOp)
"""Operations of which one region runs, once."""


def draws_are_new(module: ModuleOp) -> bool:
    """True if each state of a generator is used at most once, and none is made within a function."""
    for op in module.walk():
        if isinstance(op, SeedOp | ToWordsOp | FromWordsOp):
            return False
        for value in values_of(op):
            if (
                isinstance(value.type, StateType)
                and use_count(value, value.owner if isinstance(value.owner, Block) else block_of(value.owner)) > 1
            ):
                return False
    return True


def values_of(op: Operation) -> list[SSAValue]:
    """The results of an operation, and the arguments of its blocks."""
    return [*op.results, *(arg for region in op.regions for block in region.blocks for arg in block.args)]


def block_of(op: Operation) -> Block:
    """The block of an operation."""
    block = op.parent_block()
    assert block is not None
    return block


def use_count(value: SSAValue, block: Block) -> int:
    """The number of uses of a value, at most, when its block runs; 2 stands for more, too."""
    return count_in(block, [use.operation for use in value.uses])


def count_in(block: Block, users: Iterable[Operation]) -> int:
    """The uses by these operations when `block` runs, which all of them are in."""
    total = 0
    inner: dict[Operation, list[Operation]] = defaultdict(list)
    for user in users:
        around = ancestor_in(block, user)
        if around is user:
            total += 1
        else:
            inner[around].append(user)
    for op, inside in inner.items():
        if not isinstance(op, ONE_WAY):
            return 2
        by_region = [[user for user in inside if region.is_ancestor(user)] for region in op.regions]
        total += max(count_in(region.block, users) if users else 0 for region, users in zip(op.regions, by_region, strict=True))
    return total


def ancestor_in(block: Block, op: Operation) -> Operation:
    """The operation of `block` that `op` is, or is in."""
    while op.parent_block() is not block:
        parent = op.parent_op()
        assert parent is not None
        op = parent
    return op
