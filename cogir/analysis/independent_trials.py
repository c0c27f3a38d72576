"""
The operations of a trial that have to run trial after trial, so that all others can run for many trials at the same time.

```mlir
func.func @trial(%pf, %pi, %in, %sf, %si, %r) {
  %n, %r1 = rng.normal %r                  // ahead: each draw follows the draw before it
  %count = tensor.extract %si[%0]          // ahead: a counter
  %next = arith.addi %count, %1            // ahead: the counter after this trial
  %y = linalg.generic ... ins(%n, %w)      // together: reads nothing that an earlier trial has left
```

Trials are independent of each other if a trial reads nothing that earlier ones have left but generators and counters, and if what decides
on these takes little time: then draws are made ahead, in the order of the trials, and the rest of a trial is computed for many of them.
A counter is a whole number of the state of which each trial computes the next value from the value before and parameters alone.

In a sweep, what a trial reads of the parameters that vary is read ahead, too: other trials of a block may belong to another point.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from xdsl.dialects import func, tensor
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Attribute, Operation, SSAValue

from cogir.analysis.lane_loop import read_differing
from cogir.dialects.rng import StateType
from cogir.irutils import constant_int, element_type_of, iteration_extents, size_of
from cogir.limits import LEAST_TERMS, MOST_TERMS_AHEAD

LARGEST_PARAMETER = 256
"""The largest part of the parameters that may differ between the trials of a block."""
CARRIES = "a trial reads what the trial before has left"


class NotIndependentError(Exception):
    """Trials cannot be computed as a block, with the reason in a modeller's words."""


@dataclass(frozen=True)
class Ahead:
    """The part of a trial that runs trial after trial."""

    ops: Sequence[Operation] = ()
    """Its operations, in order."""
    values: Sequence[SSAValue] = ()
    """The results of these that the rest of the trial reads, and in which trials differ."""
    counters: Mapping[int, SSAValue] = field(default_factory=dict[int, SSAValue])
    """The words of the state that are counters, with their values after the trial."""


def captured(op: Operation) -> list[SSAValue]:
    """The values that an operation takes from outside: its operands, and those that its regions use."""
    inside = {value for inner in op.walk() for value in inner.results}
    inside |= {argument for inner in op.walk() for region in inner.regions for block in region.blocks for argument in block.args}
    return list(dict.fromkeys(value for inner in op.walk() for value in inner.operands if value not in inside))


def largest_product(roots: Iterable[Operation]) -> int:
    """The number of terms of the largest product of a vector and a matrix."""
    rows, columns, _ = matrix_of_largest(roots)
    return rows * columns


def matrix_of_largest(roots: Iterable[Operation]) -> tuple[int, int, Attribute | None]:
    """
    The numbers of rows and columns of the matrix in the largest product of a vector and a matrix, and the type of its elements; zeros and
    None if there is none.
    """
    found = (0, 0, None)
    for root in roots:
        for op in root.walk():
            kinds = [kind.data for kind in op.iterator_types] if isinstance(op, GenericOp) else []
            if len(kinds) == 2 and kinds.count(IteratorType.REDUCTION) == 1:
                extents = iteration_extents(cast(GenericOp, op))
                rows = kinds.index(IteratorType.REDUCTION)
                if min(extents) > 1 and math.prod(extents) > found[0] * found[1]:
                    found = (extents[rows], extents[1 - rows], element_type_of(op.operands[-1].type))
    return found


def largest_product_of(ops: Iterable[Operation], functions: Mapping[str, func.FuncOp]) -> int:
    """As `largest_product`, with the functions that are called."""
    seen: set[str] = set()
    pending = list(ops)
    largest = 0
    while pending:
        root = pending.pop()
        largest = max(largest, largest_product([root]))
        for op in root.walk():
            if isinstance(op, func.CallOp) and (name := op.callee.string_value()) not in seen:
                seen.add(name)
                pending += [functions[name]] if name in functions else []
    return largest


class TrialDependences:
    """The dependences among the operations of a trial, whose arguments are %pf, %pi, %in, %sf, %si and the generators."""

    def __init__(self, trial: func.FuncOp, differing: Mapping[SSAValue, set[int]]):
        """`differing`: by buffer of parameters, the words in which the trials of a block may differ."""
        self.trial = trial
        self.differing = differing
        self.pf, self.pi, self.input, self.sf, self.si, *_ = trial.args
        *ops, self.end = trial.body.block.ops
        self.ops = ops
        self.read = {op: captured(op) for op in (*ops, self.end)}

    def counters(self) -> dict[int, SSAValue | None]:
        """The words of the state that are counters, with their values after the trial; None for a word that no trial changes."""
        after = self.words_after()
        words = [self.word_read(op) for op in self.ops]
        found = {word: after.get(word) for word in words if word is not None}
        return {word: value for word, value in found.items() if value is None or self.counts(value, found)}

    def words_after(self) -> dict[int, SSAValue]:
        """The whole numbers of the state that a trial replaces, as far as their places are known."""
        found: dict[int, SSAValue] = {}
        value = self.end.operands[1]
        while isinstance(value.owner, tensor.InsertOp):
            word = constant_int(value.owner.indices[0])
            if word is None:
                return {}
            found.setdefault(word, value.owner.scalar)
            value = value.owner.dest
        return found if value is self.si else {}

    def word_read(self, op: Operation) -> int | None:
        """The whole number of the state that an operation reads, by its place."""
        if isinstance(op, tensor.ExtractOp) and op.tensor is self.si:
            return constant_int(op.indices[0])
        return None

    def counts(self, value: SSAValue, words: Container[int | None]) -> bool:
        """True if a value is computed from such words of the state and from parameters alone."""
        for op in self.needed([value]):
            others = [each for each in self.read[op] if each not in (self.pf, self.pi) and not isinstance(each.owner, Operation)]
            if others and not (others == [self.si] and self.word_read(op) in words):
                return False
        return isinstance(value.owner, Operation)

    def needed(self, values: Iterable[SSAValue]) -> list[Operation]:
        """The operations that values are computed by, in order."""
        found: set[Operation] = set()
        waiting = [value.owner for value in values]
        while waiting:
            op = waiting.pop()
            if isinstance(op, Operation) and op in self.read and op not in found:
                found.add(op)
                waiting += [value.owner for value in self.read[op]]
        return [op for op in self.ops if op in found]

    def begins_ahead(self, op: Operation, counters: Mapping[int, SSAValue | None]) -> bool:
        """True for an operation that draws, reads a counter, or reads what differs between points."""
        if any(isinstance(value.type, StateType) for value in (*self.read[op], *op.results)):
            return True
        if self.word_read(op) in counters:
            return True
        return any(read_differing(inner, self.differing) for inner in op.walk())

    def uniform(self) -> set[SSAValue]:
        """The values that are the same in all trials of a block: computed from shared parameters alone."""
        found: set[SSAValue] = {self.pf, self.pi}
        for op in self.ops:
            if all(value in found for value in self.read[op]) and not any(read_differing(inner, self.differing) for inner in op.walk()):
                found |= set(op.results)
        return found

    def ahead(self, functions: Mapping[str, func.FuncOp]) -> Ahead:
        """The part that runs trial after trial; raises `NotIndependentError` where that leaves too little, or needs what is not there."""
        counters = self.counters()
        begins = [op for op in self.ops if self.begins_ahead(op, counters)]
        if not begins:
            return Ahead()
        for op in begins:
            if self.differing and any(read_differing(inner, self.differing) for inner in op.walk()):
                self.check_parameters(op)
        after = {word: value for word, value in counters.items() if value is not None}
        ops = self.needed([*(op.results[0] for op in begins if op.results), *after.values()])
        for op in ops:
            for value in self.read[op]:
                if value is self.sf or (value is self.si and self.word_read(op) not in counters):
                    raise NotIndependentError(CARRIES)
        inside = set(ops)
        rest = [op for op in self.ops if op not in inside]
        terms = largest_product_of(ops, functions)
        if terms >= MOST_TERMS_AHEAD or (terms >= LEAST_TERMS > largest_product_of(rest, functions)):
            raise NotIndependentError("random numbers or counters depend on products of matrices")
        uniform = self.uniform()
        outside = [value for op, values in self.read.items() if op not in inside for value in values]
        values = [
            value
            for value in dict.fromkeys(outside)
            if value.owner in inside and value not in uniform and not isinstance(value.type, StateType)
        ]
        return Ahead(ops, values, after)

    def check_parameters(self, op: Operation) -> None:
        """Raises `NotIndependentError` if an operation reads a matrix that differs between points."""
        if len(op.results) != 1 or size_of(op.results[0].type) > LARGEST_PARAMETER:
            raise NotIndependentError("points of the sweep differ in a matrix or another large parameter")
