"""
Removes operations whose results are not needed.

Before: any module.
After:  operations whose results are not used, and which neither write nor might run for ever (`analysis/effects.py`), are gone;
        so are results of `scf.for`, `scf.while`, `scf.if` and `scf.index_switch` that are not used, with what is carried only
        for them, and private functions that no public one reaches.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects import func, scf
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr, SymbolRefAttr
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass
from xdsl.traits import IsTerminator

from cogir import remarks
from cogir.analysis.effects import EffectsTable

BRANCHES = (scf.IfOp, scf.IndexSwitchOp)
THINNED = (scf.ForOp, scf.WhileOp, *BRANCHES)
"""Operations that can lose single results."""


def terminator(block: Block) -> Operation:
    return cast(Operation, block.last_op)


class Liveness:
    """Marks what is needed, from what has effects backwards."""

    def __init__(self, effects: EffectsTable):
        self.effects = effects
        self.values: set[SSAValue] = set()
        self.ops: set[Operation] = set()
        self.pending: list[SSAValue] = []

    def mark_from(self, function: func.FuncOp) -> None:
        for op in function.body.walk():
            is_thinned = isinstance(op, THINNED) and not (isinstance(op, scf.WhileOp | scf.ForOp) and self.effects.of(op).may_not_terminate)
            if isinstance(op, func.ReturnOp) or not (is_thinned or self.effects.of(op).is_removable):
                self.need_op(op)
        while self.pending:
            self.follow(self.pending.pop())

    def need(self, value: SSAValue) -> None:
        if value not in self.values:
            self.values.add(value)
            self.pending.append(value)

    def need_op(self, op: Operation) -> None:
        """The operation runs; so does everything around it."""
        if op in self.ops:
            return
        self.ops.add(op)
        parent = op.parent_op()
        if parent is not None and not isinstance(parent, func.FuncOp | ModuleOp):
            self.need_op(parent)
        match op:
            case scf.ForOp():
                for value in (op.lb, op.ub, op.step):
                    self.need(value)
            case scf.WhileOp():
                self.need(cast(scf.ConditionOp, terminator(op.before_region.block)).condition)
            case scf.IfOp():
                self.need(op.cond)
            case scf.IndexSwitchOp():
                self.need(op.arg)
            case _:
                if op.has_trait(IsTerminator) and isinstance(parent, THINNED):
                    return
                for operand in op.operands:
                    self.need(operand)
                if op.regions:
                    for block in (block for region in op.regions for block in region.blocks):
                        if block.last_op is not None:
                            self.need_op(block.last_op)

    def follow(self, value: SSAValue) -> None:
        """Marks the values on which a needed value depends."""
        if isinstance(value, BlockArgument):
            self.follow_argument(value)
            return
        op = cast(OpResult, value).op
        self.need_op(op)
        number = cast(OpResult, value).index
        match op:
            case scf.ForOp():
                self.need(op.body.block.args[number + 1])
            case scf.WhileOp():
                self.need(op.after_region.block.args[number])
            case scf.IfOp() | scf.IndexSwitchOp():
                for region in op.regions:
                    self.need(terminator(region.block).operands[number])
            case _:
                pass

    def follow_argument(self, value: BlockArgument) -> None:
        """Marks the start and the yielded value of what a loop carries."""
        parent = value.block.parent_op()
        match parent:
            case scf.ForOp() if value.index > 0:
                self.need_op(parent)
                self.need(parent.iter_args[value.index - 1])
                self.need(terminator(value.block).operands[value.index - 1])
            case scf.WhileOp() if value.block is parent.before_region.block:
                self.need(parent.arguments[value.index])
                self.need(terminator(parent.after_region.block).operands[value.index])
            case scf.WhileOp():
                self.need(cast(scf.ConditionOp, terminator(parent.before_region.block)).args[value.index])
            case _:
                pass


class Sweeper:
    """Removes what is not marked."""

    def __init__(self, live: Liveness):
        self.live = live
        self.dead_arguments: list[BlockArgument] = []

    def sweep(self, function: func.FuncOp) -> None:
        for block in function.body.blocks:
            self.sweep_block(block)
        for argument in self.dead_arguments:
            argument.block.erase_arg(argument)

    def sweep_block(self, block: Block) -> None:
        for op in list(reversed(list(block.ops))):
            if op not in self.live.ops and not op.has_trait(IsTerminator):
                remarks.count("operations removed")
                op.detach()
                op.erase(safe_erase=False)
                continue
            if isinstance(op, THINNED):
                op = self.thin(op)
            for region in op.regions:
                for inner in region.blocks:
                    self.sweep_block(inner)

    def kept(self, values: Sequence[SSAValue]) -> list[int]:
        """The numbers of those values that are needed."""
        return [number for number, value in enumerate(values) if value in self.live.values]

    def thin(self, op: Operation) -> Operation:
        """The operation without the results, and the carried values, that are not needed."""
        match op:
            case scf.ForOp():
                arguments = op.body.block.args[1:]
                kept = self.kept(arguments)
                if len(kept) == len(arguments):
                    return op
                self.keep_operands(terminator(op.body.block), kept)
                self.drop_arguments(op.body.block, kept, 1)
                initial = [op.iter_args[number] for number in kept]
                new: Operation = scf.ForOp(op.lb, op.ub, op.step, initial, op.detach_region(op.body))
                return self.replace(op, new, kept)
            case scf.WhileOp():
                return self.thin_while(op)
            case scf.IfOp() | scf.IndexSwitchOp():
                kept = self.kept(op.results)
                if len(kept) == len(op.results):
                    return op
                for region in op.regions:
                    if region.blocks:
                        self.keep_operands(terminator(region.block), kept)
                types = [op.results[number].type for number in kept]
                regions = [op.detach_region(region) for region in list(op.regions)]
                if isinstance(op, scf.IfOp):
                    new = scf.IfOp(op.cond, types, regions[0], regions[1])
                else:
                    new = scf.IndexSwitchOp(op.arg, op.cases, regions[0], regions[1:], types)
                return self.replace(op, new, kept)
            case _:
                return op

    def thin_while(self, op: scf.WhileOp) -> Operation:
        before, after = op.before_region.block, op.after_region.block
        carried, forwarded = self.kept(before.args), self.kept(after.args)
        if len(carried) == len(before.args) and len(forwarded) == len(after.args):
            return op
        condition = cast(scf.ConditionOp, terminator(before))
        condition.operands = [condition.condition, *(condition.args[number] for number in forwarded)]
        self.keep_operands(terminator(after), carried)
        self.drop_arguments(before, carried, 0)
        self.drop_arguments(after, forwarded, 0)
        types = [op.results[number].type for number in forwarded]
        arguments = [op.arguments[number] for number in carried]
        regions = [op.detach_region(region) for region in (op.before_region, op.after_region)]
        return self.replace(op, scf.WhileOp(arguments, types, regions[0], regions[1]), forwarded)

    def keep_operands(self, op: Operation, kept: Sequence[int]) -> None:
        op.operands = [op.operands[number] for number in kept]

    def drop_arguments(self, block: Block, kept: Sequence[int], first: int) -> None:
        self.dead_arguments += [block.args[n] for n in range(first, len(block.args)) if n - first not in kept]

    def replace(self, op: Operation, new: Operation, kept: Sequence[int]) -> Operation:
        """Puts `new` in the place of `op`; its results are those of `op` that are kept."""
        new.attributes |= op.attributes
        new.location = op.location
        block = cast(Block, op.parent)
        block.insert_op_before(new, op)
        for number, result in zip(kept, new.results, strict=True):
            op.results[number].replace_all_uses_with(result)
        op.detach()
        op.erase(safe_erase=False)
        return new


def symbols_in(attribute: Attribute) -> Iterator[str]:
    """The symbols that an attribute refers to."""
    match attribute:
        case SymbolRefAttr():
            yield attribute.root_reference.data
        case ArrayAttr():
            for element in attribute:
                yield from symbols_in(element)
        case DictionaryAttr():
            for element in attribute.data.values():
                yield from symbols_in(element)
        case _:
            pass


def remove_unused_functions(module: ModuleOp) -> None:
    """Removes private functions that are reached neither from public symbols nor from attributes of the module."""
    functions = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
    private = StringAttr("private")
    pending = [op for op in module.ops if not (isinstance(op, func.FuncOp) and op.sym_visibility == private)]
    reached = {op.sym_name.data for op in pending if isinstance(op, func.FuncOp)}
    while pending:
        for op in pending.pop().walk():
            for attribute in (*op.properties.values(), *op.attributes.values()):
                for name in symbols_in(attribute):
                    if name in functions and name not in reached:
                        reached.add(name)
                        pending.append(functions[name])
    for name, function in functions.items():
        if name not in reached:
            remarks.count("functions removed")
            function.detach()
            function.erase()


def remove_unused(function: func.FuncOp, effects: EffectsTable) -> None:
    """Removes the operations, results and carried values of a function of one block that are not needed."""
    live = Liveness(effects)
    live.mark_from(function)
    Sweeper(live).sweep(function)


@dataclass(frozen=True)
class DeadCode(ModulePass):
    """Removes operations, results, carried values and functions that are not needed."""

    name = "cog-dce"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        effects = EffectsTable(op)
        for function in [inner for inner in op.ops if isinstance(inner, func.FuncOp)]:
            if len(function.body.blocks) != 1:
                continue  # Without a body, or with branches between blocks, whose arguments are not followed here.
            remove_unused(function, effects)
        remove_unused_functions(op)
