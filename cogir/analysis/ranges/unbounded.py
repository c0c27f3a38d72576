"""
The origin of a value without a bound: the operation that makes an infinity of operands that have bounds, or NaN of numbers.

The search goes from a result of `@trial` backwards through the values that can be infinite (or NaN), in calls, branches and loops.

```mlir
%n = arith.mulf %x, %x : f64        // [0, 1]
%q = arith.divf %y, %n : f64        // [-inf, inf] or NaN: the origin
%r = arith.addf %q, %one : f64      // [-inf, inf] or NaN
```
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from math import isfinite

from xdsl.dialects import arith, func, scf, tensor
from xdsl.dialects.builtin import FileLineColLoc
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue

from cogir.analysis.ranges.floats import FloatRange
from cogir.analysis.ranges.integers import IntRange
from cogir.analysis.ranges.values import Range
from cogir.interpreters.checks import is_of_library
from cogir.irutils import constant_int

Calls = tuple[func.CallOp, ...]
"""The calls that lead from `@trial` to a value, outermost first."""

NOUNS = {
    "arith.addf": "the sum",
    "arith.subf": "the difference",
    "arith.mulf": "the product",
    "arith.divf": "the division",
    "arith.remf": "the remainder",
    "math.powf": "the power",
    "math.fpowi": "the power",
    "math.fma": "the product and sum",
}
"""Operations in words; others have their names."""


@dataclass(frozen=True)
class UnboundedOrigin:
    """The operation that makes a value without a bound, and the calls that lead to it."""

    op: Operation
    calls: Calls
    operands: tuple[Range, ...]

    @property
    def place(self) -> str:
        """The user's line: of the operation, or of the call of the library that leads to it; empty if it is not known."""
        for op in (self.op, *reversed(self.calls)):
            if isinstance(op.location, FileLineColLoc) and not is_of_library(op.location):
                return f"{op.location.filename.data}:{op.location.line.data}"
        return ""

    def __str__(self) -> str:
        what = NOUNS.get(self.op.name, self.op.name.partition(".")[2])
        joint = " by " if self.op.name == "arith.divf" else " and "
        of = f" of {joint.join(map(ends, self.operands))}" if self.operands else ""
        return f"{what}{of}{f' ({self.place})' if self.place else ''}"


def ends(range: Range) -> str:
    """A range in a few digits."""
    text = f"{range.low:.6g}" if range.low == range.high else f"{range.low:.6g} to {range.high:.6g}"
    return f"{text} or NaN" if isinstance(range, FloatRange) and range.nan else text


def has_bounds(range: Range) -> bool:
    """True if a value is never infinite."""
    return isinstance(range, IntRange) or range.low > range.high or (isfinite(range.low) and isfinite(range.high))


def is_number(range: Range) -> bool:
    """True if a value is never NaN."""
    return isinstance(range, IntRange) or not range.nan


@dataclass
class OriginSearch:
    """A search through the values of a walk (`facts`) that are not `sound`."""

    functions: Mapping[str, func.FuncOp]
    facts: Mapping[SSAValue, Range]
    sound: Callable[[Range], bool]
    origins: list[UnboundedOrigin] = field(default_factory=list[UnboundedOrigin])
    reads: list[tuple[int, int | None]] = field(default_factory=list[tuple[int, int | None]])
    """Elements of arguments of the entry that have no bound: the argument, and the element where it is known."""
    grown: list[UnboundedOrigin] = field(default_factory=list[UnboundedOrigin])
    """Operations on values that have no bound, in the order in which they are met: the origin may be one in a loop."""

    def from_result(self, value: SSAValue) -> None:
        """Searches backwards from a value of the entry."""
        waiting: list[tuple[SSAValue, Calls]] = [(value, ())]
        seen: set[SSAValue] = set()
        while waiting:
            current, calls = waiting.pop()
            if current in seen or not self.is_unsound(current):
                continue
            seen.add(current)
            waiting += self.before(current, calls)

    def is_unsound(self, value: SSAValue) -> bool:
        """True if it is known that a value is not sound."""
        found = self.facts.get(value)
        return found is not None and not self.sound(found)

    def before(self, value: SSAValue, calls: Calls) -> Iterator[tuple[SSAValue, Calls]]:
        """The values that a value is made of."""
        if isinstance(value, BlockArgument):
            yield from self.before_argument(value, calls)
            return
        assert isinstance(value, OpResult)
        op = value.op
        match op:
            case func.CallOp() if (callee := self.functions.get(op.callee.string_value())) is not None and not callee.is_declaration:
                yield end_of(callee.body)[value.index], (*calls, op)
            case scf.IfOp() | scf.IndexSwitchOp() | scf.ExecuteRegionOp():
                yield from ((end_of(region)[value.index], calls) for region in op.regions if region.blocks)
            case scf.ForOp():
                yield from ((each[value.index], calls) for each in (op.iter_args, end_of(op.body)))
            case scf.WhileOp():
                yield end_of(op.before_region)[value.index + 1], calls
            case LinalgStructuredOperation() if self.is_unsound(inner := end_of(op.body)[value.index]):
                yield inner, calls
            case _:
                yield from self.operands_of(op, calls)

    def operands_of(self, op: Operation, calls: Calls) -> Iterator[tuple[SSAValue, Calls]]:
        """The operands of an operation on numbers or arrays; it is an origin if all of them have bounds."""
        unbounded = [each for each in op.operands if self.is_unsound(each)]
        if isinstance(op, tensor.ExtractOp | tensor.ExtractSliceOp) and (argument := entry_argument(op.operands[0], calls)) is not None:
            self.reads.append((argument, place_of(op)))
            return
        yield from ((each, calls) for each in unbounded)
        if isinstance(op, arith.SelectOp) or op.name.startswith("tensor."):
            return
        known = tuple(found for each in op.operands if (found := self.facts.get(each)) is not None)
        (self.grown if unbounded else self.origins).append(UnboundedOrigin(op, calls, known))

    def before_argument(self, value: BlockArgument, calls: Calls) -> Iterator[tuple[SSAValue, Calls]]:
        """The value that an argument of a block stands for."""
        op, at = value.block.parent_op(), value.index
        match op:
            case func.FuncOp() if calls:
                yield calls[-1].operands[at], calls[:-1]
            case func.FuncOp():
                self.reads.append((at, None))
            case scf.ForOp() if at > 0:
                yield from ((each[at - 1], calls) for each in (op.iter_args, end_of(op.body)))
            case scf.WhileOp() if value.block is op.before_region.block:
                yield from ((each[at], calls) for each in (op.arguments, end_of(op.after_region)))
            case scf.WhileOp():
                yield end_of(op.before_region)[at + 1], calls
            case LinalgStructuredOperation():
                yield op.operands[at], calls
            case _:
                return


def entry_argument(value: SSAValue, calls: Calls) -> int | None:
    """The argument of the entry that a value is."""
    if calls or not isinstance(value, BlockArgument) or not isinstance(value.block.parent_op(), func.FuncOp):
        return None
    return value.index


def end_of(region: Region) -> tuple[SSAValue, ...]:
    """The operands of the terminator of a region with one block."""
    block: Block = region.block
    assert block.last_op is not None
    return tuple(block.last_op.operands)


def place_of(op: tensor.ExtractOp | tensor.ExtractSliceOp) -> int | None:
    """The element of an array of one axis with which a part of it begins."""
    if isinstance(op, tensor.ExtractSliceOp):
        return op.static_offsets.get_values()[0]
    return constant_int(op.indices[0]) if len(op.indices) == 1 else None


def unbounded_origins(functions: Mapping[str, func.FuncOp], facts: Mapping[SSAValue, Range], result: int, words: range) -> OriginSearch:
    """The origin of infinities in some words of a result of `@trial`, or NaN if they are never infinite."""
    value = end_of(functions["trial"].body)[result]
    parts = list(written(value, words)) or [value]
    infinite = any((found := facts.get(part)) is not None and not has_bounds(found) for part in parts)
    search = OriginSearch(functions, facts, has_bounds if infinite else is_number)
    for part in parts:
        search.from_result(part)
    return search


def written(buffer: SSAValue, words: range) -> Iterator[SSAValue]:
    """The value written into some words of a buffer of one axis, as far as it is known."""
    value = buffer
    if isinstance(value, OpResult) and isinstance(value.op, tensor.FromElementsOp):
        yield from value.op.operands[words.start : words.stop]
    while isinstance(value, OpResult) and isinstance(value.op, tensor.InsertOp | tensor.InsertSliceOp):
        op = value.op
        if isinstance(op, tensor.InsertOp):
            at = constant_int(op.indices[0]) if len(op.indices) == 1 else None
            size, source, value = 1, op.scalar, op.dest
        else:
            at, size = op.static_offsets.get_values()[0], op.static_sizes.get_values()[0]
            source, value = op.source, op.dest
        if at is None or (at < words.stop and words.start < at + size):
            yield source
