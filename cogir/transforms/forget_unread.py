"""
Leaves out what only the state would show: for runs of which nothing but the results is asked for.

Before: stage `machine`, as `convert-cog-to-machine` leaves it.
After:  `@trial` writes only those slots of the state on which a result or the status, of this trial or of a later one, depends, and
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
will be missed. Only state that is written one slot after the other at the end of a trial is looked at; what a loop over passes carries, of
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

from cogir import remarks
from cogir.analysis.effects import EffectsTable
from cogir.analysis.layout import Layout
from cogir.irutils import constant_int, size_of
from cogir.transforms.dce import Liveness

FORGOTTEN = "cog.forgotten"
"""The attribute with the paths of what a trial does not keep up to date."""
INSERTS = (tensor.InsertOp, tensor.InsertSliceOp)


def words_of(op: Operation) -> range | None:
    """The elements of a buffer that an operation reads or writes; None if that is not static."""
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


def written_to(buffer: SSAValue, after: SSAValue) -> dict[Operation, range] | None:
    """The insertions between two values of a buffer, and the elements that each writes; None if there are other operations between."""
    found: dict[Operation, range] = {}
    while after is not buffer:
        op = after.owner
        words = words_of(op) if isinstance(op, INSERTS) else None
        if words is None or not isinstance(op, INSERTS) or len(list(after.uses)) != 1:
            return None
        found[op] = words
        after = op.dest
    return found


class LiveAcrossTrials(Liveness):
    """Liveness across trials: what the results of this trial and of later ones depend on."""

    def __init__(self, trial: func.FuncOp, effects: EffectsTable):
        super().__init__(effects)
        returned = trial.get_return_op()
        assert returned is not None
        self.returned = returned
        state: list[SSAValue] = [*trial.args[3:]]
        self.after: dict[SSAValue, SSAValue] = dict(zip(state, returned.operands, strict=False))
        """The value of each state buffer, and of each generator, at the end of the trial."""
        self.chains = {buffer: written_to(buffer, self.after[buffer]) for buffer in state[:2]}
        self.read: dict[SSAValue, set[int]] = {buffer: set() for buffer in state[:2]}
        """The elements of the buffers that later trials read."""

    def need_op(self, op: Operation) -> None:
        if op in self.ops:
            return
        if op is self.returned:
            self.ops.add(op)
            for result in op.operands[len(self.after) :]:
                self.need(result)
            return
        buffer = op.operands[0] if isinstance(op, tensor.ExtractOp | tensor.ExtractSliceOp) else None
        words = words_of(op)
        if buffer is None or buffer not in self.read or words is None:
            super().need_op(op)
            return
        self.ops.add(op)
        parent = op.parent_op()
        if parent is not None and not isinstance(parent, func.FuncOp):
            self.need_op(parent)
        for index in op.operands[1:]:
            self.need(index)
        self.need_words(buffer, words)

    def need(self, value: SSAValue) -> None:
        if value in self.read:
            if value not in self.values:
                self.need_words(value, range(size_of(value.type)))
        elif value in self.after and value not in self.values:
            super().need(value)
            self.need(self.after[value])
        super().need(value)

    def need_words(self, buffer: SSAValue, words: range) -> None:
        """Marks these elements of a state buffer as read by the next trial."""
        chain = self.chains[buffer]
        if chain is None:
            self.need(self.after[buffer])
            return
        fresh = set(words) - self.read[buffer]
        self.read[buffer] |= fresh
        for op, written in chain.items():
            if not fresh.isdisjoint(written):
                self.need(op.operands[0])


@dataclass(frozen=True)
class ForgetUnread(ModulePass):
    """Removes updates of the state that no result, of this trial or a later one, depends on."""

    name = "forget-unread"

    enabled: bool = False
    """True if nothing but the results of runs is asked for; otherwise the pass does nothing."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        trial = next((each for each in op.ops if isinstance(each, func.FuncOp) and each.sym_name.data == "trial"), None)
        if not self.enabled or trial is None:
            return
        layout = Layout.from_module(op)
        kept = LiveAcrossTrials(trial, EffectsTable(op))
        for buffer, name in zip(kept.read, ("sf", "si"), strict=True):
            for slot in layout:
                if slot.buffer == name and "/signal:" in f"/{slot.path}":
                    kept.need_words(buffer, range(slot.offset, slot.offset + slot.size))
        kept.mark_from(trial)
        forgotten = list(forget(kept, layout))
        for path in forgotten:
            remarks.passed(trial, "does not keep {}, which nothing reads", path)
        op.attributes[FORGOTTEN] = ArrayAttr(map(StringAttr, forgotten))


def forget(kept: LiveAcrossTrials, layout: Layout) -> Iterator[str]:
    """Removes what is not kept from the results of the trial; yields its paths."""
    for (buffer, chain), name in zip(kept.chains.items(), ("sf", "si"), strict=True):
        lost: set[int] = set()
        for op, words in (chain or {}).items():
            if kept.read[buffer].isdisjoint(words):
                lost.update(words)
                result, dest = op.results[0], cast("tensor.InsertOp | tensor.InsertSliceOp", op).dest
                result.replace_all_uses_with(dest)
                op.detach()
                op.erase()
        yield from (
            slot.path for slot in layout if slot.buffer == name and not lost.isdisjoint(range(slot.offset, slot.offset + slot.size))
        )
    generators = list(kept.after)[2:]
    for number, (argument, slot) in enumerate(zip(generators, layout.generator_slots, strict=True)):
        if argument not in kept.values and kept.returned.operands[2 + number] is not argument:
            kept.returned.operands[2 + number] = argument
            yield slot.path
