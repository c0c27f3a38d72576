"""
Leaves out what only the state would show: for runs of which nothing but the results is asked for.

Before: stage `machine`, as `convert-cog-to-machine` leaves it.
After:  `@trial` writes only those leaves of the state on which a result or the status, of this trial or of a later one, depends, and
        gives back as they were all others, and generators from which only others draw. What was computed only for them is dead code:
        `cog-dce` removes it. The paths of what is forgotten stand in the attribute `cog.forgotten`.

```mlir
%a = ... %in ...                                          %a = ... %in ...
%b, %r1 = ... %a, %r0 ...
%sf1 = tensor.insert %a into %sf[%c0]              ->
%sf2 = tensor.insert %b into %sf1[%c1]
return %sf2, %si, %r1, %a, %ok                            return %sf, %si, %r0, %a, %ok
```

Without `enabled` the pass does nothing. It does not look at the values of parameters: whichever they become, nothing that is forgotten
will be missed. Only state that is written one leaf after the other at the end of a trial is looked at; what a loop over passes carries, of
schedules that depend on data, stays. Signals of controllers are always kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects import func, tensor
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from cogir.analysis.effects import EffectsTable
from cogir.analysis.layout import Layout
from cogir.irutils import constant_int, size_of
from cogir.transforms.dce import Liveness

FORGOTTEN = "cog.forgotten"
"""The attribute with the paths of what a trial does not keep up to date."""
INSERTS = (tensor.InsertOp, tensor.InsertSliceOp)


def words_of(op: Operation) -> range | None:
    """Which words of a bank an operation reads or writes; None if that is not static."""
    match op:
        case tensor.ExtractOp() | tensor.InsertOp():
            place = constant_int(op.indices[0])
            return None if place is None else range(place, place + 1)
        case tensor.ExtractSliceOp() | tensor.InsertSliceOp():
            if op.offsets or op.sizes or op.strides or any(step != 1 for step in op.static_strides.iter_values()):
                return None
            start = next(iter(op.static_offsets.iter_values()))
            return range(start, start + size_of((op.result if isinstance(op, tensor.ExtractSliceOp) else op.source).type))
        case _:
            return None


def written_to(bank: SSAValue, after: SSAValue) -> dict[Operation, range] | None:
    """The operations that make one value of a bank of another, and the words that each writes; None if there are others between."""
    found: dict[Operation, range] = {}
    while after is not bank:
        op = after.owner
        words = words_of(op) if isinstance(op, INSERTS) else None
        if words is None or not isinstance(op, INSERTS) or len(list(after.uses)) != 1:
            return None
        found[op] = words
        after = op.dest
    return found


class LiveAcrossTrials(Liveness):
    """What is needed for the results, in this trial and in later ones."""

    def __init__(self, trial: func.FuncOp, effects: EffectsTable):
        super().__init__(effects)
        returned = trial.get_return_op()
        assert returned is not None
        self.returned = returned
        state: list[SSAValue] = [*trial.args[3:]]
        self.after: dict[SSAValue, SSAValue] = dict(zip(state, returned.operands, strict=False))
        """What becomes of each bank of the state, and of each generator."""
        self.chains = {bank: written_to(bank, self.after[bank]) for bank in state[:2]}
        self.read: dict[SSAValue, set[int]] = {bank: set() for bank in state[:2]}
        """The words of the banks that later trials need."""

    def need_op(self, op: Operation) -> None:
        if op in self.ops:
            return
        if op is self.returned:
            self.ops.add(op)
            for result in op.operands[len(self.after) :]:
                self.need(result)
            return
        bank = op.operands[0] if isinstance(op, tensor.ExtractOp | tensor.ExtractSliceOp) else None
        words = words_of(op)
        if bank is None or bank not in self.read or words is None:
            super().need_op(op)
            return
        self.ops.add(op)
        parent = op.parent_op()
        if parent is not None and not isinstance(parent, func.FuncOp):
            self.need_op(parent)
        for index in op.operands[1:]:
            self.need(index)
        self.need_words(bank, words)

    def need(self, value: SSAValue) -> None:
        if value in self.read:
            if value not in self.values:
                self.need_words(value, range(size_of(value.type)))
        elif value in self.after and value not in self.values:
            super().need(value)
            self.need(self.after[value])
        super().need(value)

    def need_words(self, bank: SSAValue, words: range) -> None:
        """What stands in these words at the end of a trial is needed by the next one."""
        chain = self.chains[bank]
        if chain is None:
            self.need(self.after[bank])
            return
        fresh = set(words) - self.read[bank]
        self.read[bank] |= fresh
        for op, written in chain.items():
            if not fresh.isdisjoint(written):
                self.need(op.operands[0])


@dataclass(frozen=True)
class ForgetUnread(ModulePass):
    """Leaves out what only the state would show."""

    name = "forget-unread"

    enabled: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        trial = next((each for each in op.ops if isinstance(each, func.FuncOp) and each.sym_name.data == "trial"), None)
        if not self.enabled or trial is None:
            return
        layout = Layout.from_module(op)
        kept = LiveAcrossTrials(trial, EffectsTable(op))
        for bank, name in zip(kept.read, ("sf", "si"), strict=True):
            for leaf in layout:
                if leaf.bank == name and "/signal:" in f"/{leaf.path}":
                    kept.need_words(bank, range(leaf.offset, leaf.offset + leaf.size))
        kept.mark_from(trial)
        op.attributes[FORGOTTEN] = ArrayAttr(StringAttr(path) for path in forget(kept, layout))


def forget(kept: LiveAcrossTrials, layout: Layout) -> Iterator[str]:
    """Takes what is not kept out of what the trial returns; gives its paths."""
    for (bank, chain), name in zip(kept.chains.items(), ("sf", "si"), strict=True):
        lost: set[int] = set()
        for op, words in (chain or {}).items():
            if kept.read[bank].isdisjoint(words):
                lost.update(words)
                result, dest = op.results[0], cast("tensor.InsertOp | tensor.InsertSliceOp", op).dest
                result.replace_all_uses_with(dest)
                op.detach()
                op.erase()
        yield from (leaf.path for leaf in layout if leaf.bank == name and not lost.isdisjoint(range(leaf.offset, leaf.offset + leaf.size)))
    generators = list(kept.after)[2:]
    for number, (argument, leaf) in enumerate(zip(generators, layout.generator_leaves, strict=True)):
        if argument not in kept.values and kept.returned.operands[2 + number] is not argument:
            kept.returned.operands[2 + number] = argument
            yield leaf.path
