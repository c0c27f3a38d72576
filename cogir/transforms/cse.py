"""
Merges operations that compute the same.

Before: any module.
After:  of two operations that are functions of their operands (`analysis/effects.py`), with the same operands,
        attributes and regions, of which one dominates the other, one is left. Also `linalg.generic`s, draws from one
        generator state, structured control flow, and calls of pure functions.

```mlir
%a = linalg.generic ... ins(%x) ...
scf.if %c { %b = linalg.generic ... ins(%x) ... }   // becomes %a
```
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.traits import Commutative, IsolatedFromAbove, IsTerminator

from cogir import remarks
from cogir.analysis.effects import EffectsTable

Numbers = dict[SSAValue, int]
Key = Hashable


def key_of(op: Operation, numbers: Numbers) -> Key:
    """
    Equal for operations that compute the same, if their regions do: operands from outside by identity, values defined inside of
    the regions by their number in order of definition.
    """
    operands: list[Hashable] = [numbers.get(operand, operand) for operand in op.operands]
    if len(operands) == 2 and op.has_trait(Commutative):
        operands.sort(key=hash)
    attributes = (*sorted(op.properties.items()), *sorted(op.attributes.items()))
    return type(op), tuple(operands), attributes, tuple(op.result_types)


def regions_key(op: Operation, numbers: Numbers) -> Key:
    """Equal for operations whose regions compute the same."""
    regions: list[Key] = []
    for region in op.regions:
        for block in region.blocks:
            for argument in block.args:
                numbers[argument] = len(numbers)
            inner_keys: list[Key] = [tuple(block.arg_types)]
            for inner in block.ops:
                inner_keys.append((key_of(inner, numbers), regions_key(inner, numbers)))
                for result in inner.results:
                    numbers[result] = len(numbers)
            regions.append(tuple(inner_keys))
        regions.append(None)
    return tuple(regions)


class Merger:
    """
    Walks the module in dominance order. `known` has the operations that dominate the present one, by their keys; regions are
    looked into only when two operations are the same without them, so that a large loop is not read again at every level.
    """

    def __init__(self, effects: EffectsTable):
        self.effects = effects

    def visit(self, block: Block, known: dict[Key, tuple[Operation, ...]]) -> None:
        added: list[Key] = []
        for op in list(block.ops):
            for region in op.regions:
                # Blocks of a region with branches do not dominate each other by their order: each starts afresh.
                is_closed = isinstance(op, LinalgStructuredOperation) or op.has_trait(IsolatedFromAbove)
                blocks = list(region.blocks)
                for inner in blocks:
                    starts_afresh = is_closed or (len(blocks) > 1 and inner is not blocks[0])
                    self.visit(inner, {} if starts_afresh else known)
            if not op.results or op.has_trait(IsTerminator) or not self.effects.of(op).is_function_of_operands:
                continue
            key = key_of(op, {})
            candidates = known.get(key, ())
            earlier = next((other for other in candidates if not op.regions or regions_key(other, {}) == regions_key(op, {})), None)
            if earlier is None:
                known[key] = (*candidates, op)
                added.append(key)
                continue
            remarks.count("operations merged")
            if not isinstance(op, arith.ConstantOp | tensor.EmptyOp):  # they compute nothing
                remarks.passed(op, "merged {} with an equal one before it", op.name)
            for old, new in zip(op.results, earlier.results, strict=True):
                old.replace_all_uses_with(new)
            block.erase_op(op)
        for key in added:
            known[key] = known[key][:-1]


@dataclass(frozen=True)
class CommonSubexpressions(ModulePass):
    """Merges operations that compute the same, with regions and calls of pure functions."""

    name = "cog-cse"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        Merger(EffectsTable(op)).visit(op.body.block, {})
