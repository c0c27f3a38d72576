"""
Splits the loop of a search into one that computes values and one that chooses, which most rows of points do not need.

Before: stage `machine`, after `factor-grid`. The innermost loop of a search computes the value of a point, and then changes what
        the search carries (the best value, its point, how many were as good, the generator for ties) if that value asks for it.
After:

```mlir
%touched, %values = scf.for %k = 0 to 101 iter_args(%touched = false, %values) {     // no iteration waits for another one
  %value = ...
  %changes = ... %value, %best ...                  // with what the row began with
  yield %touched or %changes, insert %value into %values[%k]
}
%best1, %index1 = scf.if %touched {                 // the search as before, over the values of this row
  scf.for %k = 0 to 101 iter_args(%best, %index) {
    %value = tensor.extract %values[%k]
    %changes = ... %value, %best ...
    scf.if %changes { ... } else { yield %best, %index }
  }
} else { yield %best, %index }
```

This is exact whatever the rules of the choice are (the tolerance for ties is not transitive, NaN is never better, a tie takes
a draw): if no point of a row would change what the row began with, then the first point does not change it, so the second one meets the
same, and so on to the end of the row. Rows that do change something are chosen from one by one, in the order of the grid.

The first loop has no dependence between iterations, so LLVM computes several points in the lanes of a vector. A long row
is cut into blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, scf, tensor
from xdsl.dialects.builtin import IndexType, IntegerAttr, ModuleOp, i1
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from cogir import remarks
from cogir.analysis.axes import extent_of
from cogir.analysis.effects import EffectsTable
from cogir.analysis.first_optimum import FIRST_OPTIMUM
from cogir.analysis.op_cost import CostTable
from cogir.irutils import index_constant, replace_by
from cogir.transforms.factor_grid import can_be_kept, read_entry, table_type, write_entry

SHORT = 8
"""A row of fewer points stays as it is: there is nothing for the lanes of a vector to do."""
BLOCK = 1024
"""A row of more points is cut into blocks of so many, whose values stay in a cache of the first level."""
WORK = 4096
"""A point that is more work than this stays as it is: lanes would not help, or its own loops fill them."""


@dataclass
class ChoosingLoop:
    """A loop that computes values and chooses among them."""

    loop: scf.ForOp
    choose: scf.IfOp
    """Changes what the loop carries, or hands it on."""
    chosen: list[int]
    """The numbers of the carried values that `choose` gives, in the order of its results."""
    values: list[Operation]
    """The operations that do not depend on what is chosen."""
    rule: list[Operation]
    """Those that do, but for `choose` itself: they say whether to change."""
    kept: list[SSAValue]
    """The values on which the choice depends, kept for it."""
    again: list[Operation]
    """The values on which it depends that are computed again instead: arithmetic of indices."""


def choice_of(loop: scf.ForOp, effects: EffectsTable, costs: CostTable) -> ChoosingLoop | None:
    """The loop as a choice among values, if it is one."""
    block, extent = loop.body.block, extent_of(loop)
    end = block.last_op
    choose = next((op for op in block.ops if isinstance(op, scf.IfOp) and hands_on(op, block)), None)
    if extent is None or choose is None or end is None:
        return None
    if extent < SHORT:
        remarks.missed(loop, "not vectorised: the innermost loop has {} points, and lanes need {}", extent, SHORT)
        return None
    arguments: list[SSAValue] = list(block.args[1:])
    chosen = [arguments.index(operand) for operand in otherwise(choose)]
    if [end.operands[position] for position in chosen] != list(choose.results):
        return None
    tied: set[SSAValue] = {arguments[position] for position in chosen}
    values: list[Operation] = []
    rule: list[Operation] = []
    for op in block.ops:
        if op is end or op is choose:
            continue
        if uses(op, tied):
            rule.append(op)
            tied.update(op.results)
        else:
            values.append(op)
    others = [operand for position, operand in enumerate(end.operands) if position not in chosen]
    if any(operand in tied or operand.owner is choose for operand in others):
        return None
    beside = set(arguments) - {arguments[position] for position in chosen}
    if any(uses(op, beside) for op in (*rule, choose)):
        return None  # the choice among kept values does not carry what goes on beside it
    if not all(effects.of(op).is_speculatable for op in rule):
        return None
    if sum(map(costs.of, values)) > WORK:
        remarks.missed(loop, "not vectorised: a point takes more than {:,} operations, so lanes would not help", WORK)
        return None
    if not all(effects.of(op).is_function_of_operands and not effects.of(op).may_not_terminate for op in values):
        return None
    kept, again = needed(values, (*rule, choose))
    return ChoosingLoop(loop, choose, chosen, values, rule, kept, again) if all(can_be_kept(value.type) for value in kept) else None


def hands_on(op: scf.IfOp, block: Block) -> bool:
    """True if an `scf.if` either changes values that the loop carries or hands them on as they are."""
    if not op.results or not op.false_region.blocks or len(op.false_region.block.ops) != 1:
        return False
    return all(value in block.args[1:] for value in otherwise(op))


def otherwise(op: scf.IfOp) -> Sequence[SSAValue]:
    """The results of an `scf.if` when its condition does not hold."""
    end = op.false_region.block.last_op
    return end.operands if end is not None else ()


def uses(op: Operation, values: set[SSAValue]) -> bool:
    """True if an operation, or what stands in it, uses one of some values."""
    return any(operand in values for inner in op.walk() for operand in inner.operands)


def needed(values: Sequence[Operation], users: Sequence[Operation]) -> tuple[list[SSAValue], list[Operation]]:
    """The results of `values` that `users` need: those to be kept, and the operations that are run again instead."""
    own = {result for op in values for result in op.results}
    wanted = dict.fromkeys(operand for user in users for op in user.walk() for operand in op.operands if operand in own)
    kept: list[SSAValue] = []
    again: set[Operation] = set()
    waiting = list(wanted)
    while waiting:
        value = waiting.pop()
        op = value.owner
        assert isinstance(op, Operation)
        if value.type in (IndexType(), i1) and not op.regions and op.name.startswith("arith."):
            again.add(op)
            waiting += [operand for operand in op.operands if operand in own]
        elif value not in kept:
            kept.append(value)
    return kept, [op for op in values if op in again]


class Splitter:
    """Splits one choice."""

    def __init__(self, choice: ChoosingLoop):
        self.choice = choice
        self.loop = choice.loop
        self.block = choice.loop.body.block
        self.arguments: list[SSAValue] = list(self.block.args[1:])
        self.extent = extent_of(choice.loop) or 0

    def split(self) -> None:
        """Puts the two loops in the place of the one."""
        builder = Builder(InsertPoint.before(self.loop))
        carried = list(self.loop.iter_args)
        if self.extent <= BLOCK:
            results = self.row(builder, carried, self.loop.lb, self.loop.ub, self.extent)
        else:
            results = self.blocks(builder, carried)
        replace_by(self.loop, results)

    def blocks(self, builder: Builder, carried: list[SSAValue]) -> list[SSAValue]:
        """A loop over the blocks of a long row."""
        zero, one, count, size = (builder.insert(index_constant(number)).result for number in (0, 1, -(-self.extent // BLOCK), BLOCK))
        body = Block(arg_types=[IndexType(), *(value.type for value in carried)])
        for argument, source in zip(body.args[1:], self.arguments, strict=True):
            argument.name_hint = source.name_hint
        inner = Builder(InsertPoint.at_end(body))
        first = inner.insert(arith.MuliOp(body.args[0], size)).result
        full = inner.insert(arith.AddiOp(first, size)).result
        is_full = inner.insert(arith.CmpiOp(full, self.loop.ub, "sle")).result
        last = inner.insert(arith.SelectOp(is_full, full, self.loop.ub)).result
        inner.insert(scf.YieldOp(*self.row(inner, list(body.args[1:]), first, last, BLOCK)))
        loop = builder.insert(scf.ForOp(zero, count, one, carried, Region(body)))
        loop.attributes |= self.loop.attributes
        return list(loop.results)

    def row(self, builder: Builder, carried: list[SSAValue], first: SSAValue, last: SSAValue, size: int) -> list[SSAValue]:
        """The values of the points from `first` to `last`, then the choice among them; returns what is carried on."""
        kept = self.choice.kept
        false = builder.insert(arith.ConstantOp(IntegerAttr(0, i1))).result
        tables = [builder.insert(tensor.EmptyOp((), table_type(value.type, [size]))).tensor for value in kept]
        others = [position for position in range(len(carried)) if position not in self.choice.chosen]
        begun = [false, *tables, *(carried[position] for position in others)]
        computed = self.compute(builder, carried, others, begun, first, last)
        touched, tables, after = computed[0], computed[1 : 1 + len(kept)], computed[1 + len(kept) :]
        touched.name_hint = "touched"
        for value, table in zip(kept, tables, strict=True):
            table.name_hint = value.name_hint
        results = list(carried)
        for position, value in zip(others, after, strict=True):
            results[position] = value
        start = [carried[position] for position in self.choice.chosen]
        branch, other = Block(), Block([scf.YieldOp(*start)])
        inner = Builder(InsertPoint.at_end(branch))
        inner.insert(scf.YieldOp(*self.search(inner, start, tables, first, last)))
        taken = builder.insert(scf.IfOp(touched, [value.type for value in start], Region(branch), Region(other)))
        for position, value in zip(self.choice.chosen, taken.results, strict=True):
            results[position] = value
        return results

    def compute(
        self, builder: Builder, carried: list[SSAValue], others: list[int], begun: list[SSAValue], first: SSAValue, last: SSAValue
    ) -> list[SSAValue]:
        """The loop that computes values: whether one of them changes what the row began with, the tables, and what is carried besides."""
        block = self.body_like(begun)
        inner = Builder(InsertPoint.at_end(block))
        values: dict[SSAValue, SSAValue] = {self.block.args[0]: block.args[0]}
        values |= {self.arguments[position]: carried[position] for position in self.choice.chosen}
        count = len(self.choice.kept)
        values |= {self.arguments[position]: value for position, value in zip(others, block.args[2 + count :], strict=True)}
        self.copy(inner, (*self.choice.values, *self.choice.rule), values)
        place = self.place(inner, block.args[0], first)
        tables = [
            write_entry(inner, values[old], table, [place]) for old, table in zip(self.choice.kept, block.args[2 : 2 + count], strict=True)
        ]
        changes = self.choice.choose.cond
        touched = inner.insert(arith.OrIOp(block.args[1], values.get(changes, changes))).result
        end = self.block.last_op
        assert end is not None
        after = [values.get(end.operands[position], end.operands[position]) for position in others]
        inner.insert(scf.YieldOp(touched, *tables, *after))
        return list(builder.insert(scf.ForOp(first, last, self.loop.step, begun, Region(block))).results)

    def search(
        self, builder: Builder, start: list[SSAValue], tables: Sequence[SSAValue], first: SSAValue, last: SSAValue
    ) -> Sequence[SSAValue]:
        """The loop that chooses among the values of a row."""
        block = self.body_like([self.arguments[position] for position in self.choice.chosen])
        inner = Builder(InsertPoint.at_end(block))
        values: dict[SSAValue, SSAValue] = {self.block.args[0]: block.args[0]}
        values |= {self.arguments[position]: value for position, value in zip(self.choice.chosen, block.args[1:], strict=True)}
        place = self.place(inner, block.args[0], first)
        for old, table in zip(self.choice.kept, tables, strict=True):
            values[old] = read_entry(inner, table, old.type, [place])
            values[old].name_hint = old.name_hint
        self.copy(inner, (*self.choice.again, *self.choice.rule, self.choice.choose), values)
        inner.insert(scf.YieldOp(*(values[result] for result in self.choice.choose.results)))
        return builder.insert(scf.ForOp(first, last, self.loop.step, start, Region(block))).results

    def body_like(self, carried: Sequence[SSAValue]) -> Block:
        """An empty body of a loop that carries such values."""
        types: list[Attribute] = [IndexType(), *(value.type for value in carried)]
        block = Block(arg_types=types)
        for argument, value in zip(block.args, (self.block.args[0], *carried), strict=True):
            argument.name_hint = value.name_hint
        return block

    def place(self, builder: Builder, index: SSAValue, first: SSAValue) -> SSAValue:
        """The index of a point's value in the tables of its row."""
        return index if self.extent <= BLOCK else builder.insert(arith.SubiOp(index, first)).result

    @staticmethod
    def copy(builder: Builder, operations: Sequence[Operation], values: dict[SSAValue, SSAValue]) -> None:
        """Copies operations with other operands."""
        for op in operations:
            builder.insert(op.clone(values))


@dataclass(frozen=True)
class ReservoirSampling(ModulePass):
    """Computes the values of a search's points apart from the choice among them."""

    name = "reservoir-sampling"

    first_optima: bool = True
    """False leaves searches for the first best value alone, whose points are the threads of a kernel and not the lanes of a vector."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        effects, costs = EffectsTable(op), CostTable(op)
        around: set[Operation] = set()
        """The loops around those that are split: they choose among rows, and have no values of their own."""
        if not self.first_optima:
            around |= {inner for each in op.walk() if FIRST_OPTIMUM in each.attributes for inner in each.walk()}
        for loop in reversed([each for each in op.walk() if isinstance(each, scf.ForOp)]):  # inner ones first
            choice = choice_of(loop, effects, costs) if loop not in around else None
            if choice is not None:
                outer = loop.parent_op()
                while outer is not None and outer not in around:
                    around.add(outer)
                    outer = outer.parent_op()
                remarks.passed(loop, "split the loop, so that {} points can be computed in lanes", min(extent_of(loop) or 0, BLOCK))
                Splitter(choice).split()
