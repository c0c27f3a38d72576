"""
What is zero by construction, and what a trial reads of what was there before it.

```mlir
%start = tensor.extract_slice %pf[0] [7] [1] {cog.start = array<i64>}     // the state before a trial: initial values, which are parameters
%h = tensor.extract_slice %start[2] [3] [1]                  // read before anything is written there: it is carried from trial to trial
%w_bar = linalg.generic (%h, %y_bar) { mulf }                // zero if the initial values are
```

Initial values can be set, so what is zero is said as a condition on them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias, cast

from xdsl.dialects import arith, func, math, tensor
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.dialects.linalg.ops import GenericOp, YieldOp
from xdsl.ir import Operation, SSAValue

from cogir.irutils import constant_int, size_of

START = "cog.start"
"""
The attribute of the operation that makes the state from which a trial starts while a model learns. It holds offset and size of each part
of it that every trial resets, in runs, too.
"""

Place = tuple[int, int]
"""The number of an argument, and where in it a value begins."""

Part: TypeAlias = tuple[str, int, int]
"""Elements of an initial value: its path, the first of them, and how many."""

Condition: TypeAlias = frozenset[frozenset[Part]]
"""Alternatives, of which one holds if all its parts are zero."""

NEVER: Condition = frozenset()
ALWAYS: Condition = frozenset({frozenset[Part]()})
MOST_ALTERNATIVES = 8
"""Of more, the shortest are kept: that something is zero is then not always known."""


def any_of(conditions: Iterable[Condition]) -> Condition:
    """The condition that one of several holds."""
    return shortest({each for condition in conditions for each in condition})


def all_of(conditions: Iterable[Condition]) -> Condition:
    """The condition that all of several hold."""
    found = ALWAYS
    for condition in conditions:
        found = shortest({one | other for one in found for other in condition})
    return found


def shortest(alternatives: set[frozenset[Part]]) -> Condition:
    """The alternatives without those that others imply."""
    kept: list[frozenset[Part]] = []
    for each in sorted(alternatives, key=lambda parts: (len(parts), sorted(parts))):
        if len(kept) < MOST_ALTERNATIVES and not any(other <= each for other in kept):
            kept.append(each)
    return frozenset(kept)


KEEP_ZERO = (
    arith.NegfOp, arith.ExtFOp, arith.TruncFOp, math.AbsFOp, math.SqrtOp, math.SinOp, math.TanOp, math.TanhOp, math.SinhOp, math.AsinOp,
    math.AtanOp, math.AsinhOp, math.AtanhOp, math.CbrtOp, math.ErfOp, math.ExpM1Op, math.Log1pOp,
)  # fmt: skip
"""Functions that are 0 at 0."""


class KnownZeros:
    """
    The conditions under which values are zero whatever the inputs and the matrices are, as far as numbers are finite.

    `is_zero`: that of the elements of an argument, so many from an offset on; `places`: values that are a part of an argument.
    """

    def __init__(self, is_zero: Callable[[int, int, int], Condition], places: dict[SSAValue, Place]):
        self.is_zero = is_zero
        self.places = places
        self.known: dict[SSAValue, Condition] = {}

    def condition(self, value: SSAValue) -> Condition:
        """The condition under which a value is zero, or all of its elements are."""
        stack = [value]
        while stack:
            each = stack[-1]
            if each in self.known:
                stack.pop()
                continue
            if missing := [operand for operand in self.needed(each) if operand not in self.known]:
                stack += missing
            else:
                self.known[stack.pop()] = self.found(each)
        return self.known[value]

    def needed(self, value: SSAValue) -> Sequence[SSAValue]:
        """The values that decide on another one."""
        owner = value.owner
        if value in self.places or not isinstance(owner, Operation):
            return ()
        return owner.operands

    def found(self, value: SSAValue) -> Condition:
        """The condition for a value, by those for what it is computed from."""
        if (place := self.places.get(value)) is not None:
            return self.is_zero(*place, size_of(value.type))
        owner = value.owner
        if not isinstance(owner, Operation):
            return NEVER
        zero = [self.known[operand] for operand in owner.operands]
        match owner:
            case arith.ConstantOp(value=DenseIntOrFPElementsAttr() as held):
                return constantly(not any(held.data.data) or (held.is_splat() and held.get_values()[0] == 0))
            case arith.ConstantOp():
                return constantly(cast(Any, owner.value).value.data == 0)
            case GenericOp():
                return self.of_generic(owner, zero)
            case tensor.InsertSliceOp() | tensor.InsertOp():
                return all_of(zero[:2])
            case tensor.EmptyOp():
                return NEVER
            case tensor.FromElementsOp():
                return all_of(zero)
            case _ if owner.name.startswith("tensor."):
                return zero[0] if zero else NEVER
            case _:
                return of_number(owner, zero)

    def of_generic(self, op: GenericOp, zero: Sequence[Condition]) -> Condition:
        """The condition for the result of a linalg.generic."""
        block = op.body.block
        held: dict[SSAValue, Condition] = dict(zip(block.args, zero, strict=True))
        for inner in block.ops:
            given = [held[each] if each in held else self.outside(each) for each in inner.operands]
            if isinstance(inner, YieldOp):
                return all_of(given)
            for result in inner.results:
                held[result] = of_number(inner, given)
        return NEVER

    def outside(self, value: SSAValue) -> Condition:
        """The condition for a number that a body uses without taking it as an operand: constants are looked at, and no more."""
        owner = value.owner
        return constantly(isinstance(owner, arith.ConstantOp) and cast(Any, owner.value).value.data == 0)


def constantly(is_zero: bool) -> Condition:
    """The condition for a number that is known."""
    return ALWAYS if is_zero else NEVER


def of_number(op: Operation, zero: Sequence[Condition]) -> Condition:
    """The condition for the result of an operation on numbers, by those for its operands."""
    match op:
        case arith.ConstantOp():
            return constantly(not isinstance(op.value, DenseIntOrFPElementsAttr) and cast(Any, op.value).value.data == 0)
        case arith.MulfOp():
            return any_of(zero)
        case arith.DivfOp() | math.CopySignOp():
            return zero[0]
        case arith.AddfOp() | arith.SubfOp() | arith.MaximumfOp() | arith.MinimumfOp():
            return all_of(zero)
        case math.FmaOp():
            return all_of((zero[2], any_of(zero[:2])))
        case arith.SelectOp():
            return all_of(zero[1:])
        case _:
            return zero[0] if isinstance(op, KEEP_ZERO) else NEVER


def read_at_start(function: func.FuncOp) -> list[tuple[int, int]]:
    """
    The ranges (offset, size) of the state that a function reads as it was at the start, in the straight line of a trial, but for what
    every trial resets.
    """
    start = next((op for op in function.body.block.ops if START in op.attributes), None)
    if start is None:
        return []
    (state,) = start.results
    reset = [int(each) for each in cast("Any", start.attributes[START]).get_values()]
    always = [range(offset, offset + size) for offset, size in zip(reset[::2], reset[1::2], strict=True)]
    written: dict[SSAValue, frozenset[int]] = {state: frozenset(word for words in always for word in words)}
    found: set[tuple[int, int]] = set()
    for op in function.body.block.ops:
        held = next((operand for operand in op.operands if operand in written), None)
        if held is None:
            continue
        if (part := words_of(op)) is None:
            return [(0, size_of(state.type))]
        offset, size = part
        words = frozenset(range(offset, offset + size))
        if isinstance(op, tensor.InsertOp | tensor.InsertSliceOp):
            if op.operands[1] is held:
                written[op.results[0]] = written[held] | words
        elif not words <= written[held]:
            found.add(part)
    return sorted(found)


def words_of(op: Operation) -> tuple[int, int] | None:
    """The words of a buffer that an operation reads or writes, if these are known."""
    match op:
        case tensor.ExtractSliceOp() | tensor.InsertSliceOp():
            offsets, sizes = (cast("Any", each).get_values() for each in (op.static_offsets, op.static_sizes))
            return None if op.offsets or len(offsets) != 1 else (offsets[0], sizes[0])
        case tensor.ExtractOp(indices=indices) | tensor.InsertOp(indices=indices) if len(indices) == 1:
            index = constant_int(indices[0])
            return None if index is None else (index, 1)
        case _:
            return None


__all__ = ["NEVER", "START", "Condition", "KnownZeros", "Part", "all_of", "read_at_start"]
