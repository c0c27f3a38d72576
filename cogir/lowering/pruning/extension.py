"""
The interval extension of a function: from ranges of some of its arguments to the range of its result.

```mlir
func.func private @point(%x: f64, %y: f64, %c: f64) -> f64                                  // %x and %y vary, %c does not
func.func private @bounds(%x_low: f64, %x_high: f64, %x_nan: i1, %y_low: ..., %c: f64) -> (f64, f64, i1)
```

For all values in the ranges the result of `@point` is NaN, which the last result admits, or lies between the first two. What depends on no
argument that varies is copied. Calls are inlined and small arrays taken apart first, so that almost everything is an operation on numbers
(`rules.py`); the rest can give anything, and a result of which nothing can be known has no extension.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from xdsl.context import Context
from xdsl.dialects import arith, func, math, scf
from xdsl.dialects.builtin import FunctionType, IntegerAttr, ModuleOp, f64, i1, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from cogir.analysis.effects import EffectsTable
from cogir.lowering.convert_elementwise_to_linalg import ConvertElementwiseToLinalg
from cogir.lowering.machine.emitter import INDEX, BlockEmitter, Head
from cogir.lowering.pruning.intervals import Integers, Range, RangeArithmetic, Reals, Truth
from cogir.lowering.pruning.rules import DECISIVE, RULES
from cogir.transforms.dce import remove_unused
from cogir.transforms.inlining import inline_all
from cogir.transforms.scalarise import scalarise

LONGEST = 4000
"""The most operations of a function that is extended."""
MOST_TERMS = 64
"""Of a longer sum the rounding errors might be more than what ranges are widened by."""
SMALLEST, LARGEST = 2.0**-900, 2.0**1000
"""A sum of squares above the one loses nothing by underflow that counts, and one below the other did not overflow."""


@dataclass(frozen=True)
class NoRange:
    """A value of which nothing is known, and the name of the operation that has no range."""

    why: str


Known: TypeAlias = "Range | NoRange"


class NoExtension(Exception):
    """Why a function has no extension, for people."""


def parts(value_type: Attribute) -> Sequence[tuple[str, Attribute]] | None:
    """The names and types of what describes the range of a value; None for types without ranges."""
    if value_type == f64:
        return ("low", f64), ("high", f64), ("nan", i1)
    if value_type == i1:
        return ("certain", i1), ("possible", i1)
    return (("low", value_type), ("high", value_type)) if value_type in (i64, INDEX) else None


def range_of_parts(value_type: Attribute, values: Sequence[SSAValue]) -> Range:
    """The range that some parts describe."""
    if value_type == f64:
        low, high, nan = values
        return Reals(low, high, nan)
    low, high = values
    return Truth(low, high) if value_type == i1 else Integers(low, high)


def straightened(function: func.FuncOp, functions: dict[str, func.FuncOp], context: Context) -> func.FuncOp:
    """A copy of a function without calls, as far as they have bodies, and without small arrays."""
    copy = function.clone()
    module = ModuleOp([copy])
    inline_all(copy, {name: each for name, each in functions.items() if not each.is_declaration})
    ConvertElementwiseToLinalg().apply(context, module)
    scalarise(copy.body.block)
    remove_unused(copy, EffectsTable(module))
    if (length := sum(1 for _ in copy.walk())) > LONGEST:
        raise NoExtension(f"a point consists of {length} operations; at most {LONGEST} are bounded")
    return copy


class Extension:
    """Builds the extension of one function, which is straightened."""

    def __init__(self, function: func.FuncOp, varying: Collection[int], name: str, wanted: Sequence[str] = ("low", "high", "nan")):
        """`varying`: the numbers of the arguments that vary, which are numbers or flags; `wanted`: the parts of the result."""
        self.function = function
        self.varying = varying
        self.name = name
        self.wanted = wanted
        self.effects = EffectsTable(ModuleOp([function.clone()]))
        self.ranges: dict[SSAValue, Known] = {}
        """The ranges of the values that vary."""
        self.copies: dict[SSAValue, SSAValue] = {}
        """The copies of those that do not."""
        self.exact: dict[SSAValue, Range] = {}
        """Ranges of those, made at the top of the function."""

    def build(self) -> func.FuncOp:
        """The extension; raises `NoExtension` where nothing can be known of the result."""
        types: list[Attribute] = []
        for number, argument in enumerate(self.function.args):
            described = parts(argument.type) if number in self.varying else None
            types += [each for _, each in described] if described is not None else [argument.type]
        block = Block(arg_types=types)
        head = Head(block)
        self.emitter = BlockEmitter(block, head)
        self.arithmetic = RangeArithmetic(self.emitter)
        self.name_arguments(block)
        for op in self.function.body.block.ops:
            if not isinstance(op, func.ReturnOp):
                self.extend(op)
        (result,) = cast(func.ReturnOp, self.function.body.block.last_op).operands
        found = self.known(result)
        if isinstance(found, NoRange):
            raise NoExtension(f"nothing is known of the result of {found.why}")
        assert isinstance(found, Reals)
        found = self.arithmetic.reals(found.low, found.high, found.nan)
        results = [getattr(found, part) for part in self.wanted]
        self.emitter.add(func.ReturnOp(*results))
        head.close()
        kind = FunctionType.from_lists(types, [result.type for result in results])
        function = func.FuncOp(self.name, kind, Region(block), visibility="private")
        remove_unused(function, EffectsTable(ModuleOp([function])))
        function.detach()
        return function

    def name_arguments(self, block: Block) -> None:
        """Notes the arguments and their ranges."""
        given = iter(block.args)
        for number, argument in enumerate(self.function.args):
            described = parts(argument.type) if number in self.varying else None
            if described is None:
                self.copies[argument] = copy = next(given)
                copy.name_hint = argument.name_hint
                continue
            values = [next(given) for _ in described]
            for value, (part, _) in zip(values, described, strict=True):
                value.name_hint = f"{argument.name_hint}_{part}" if argument.name_hint else part
            self.ranges[argument] = range_of_parts(argument.type, values)

    # Values

    def varies(self, op: Operation) -> bool:
        """True if an operation, or what stands in it, uses a value that varies."""
        return any(operand in self.ranges for inner in op.walk() for operand in inner.operands)

    def known(self, value: SSAValue) -> Known:
        """The range of any value."""
        if value in self.ranges:
            return self.ranges[value]
        if value not in self.exact:
            found = self.range_of_one(value, self.copies.get(value, value))
            if self.arithmetic.emitter is not self.emitter:
                return found
            self.exact[value] = found
        return self.exact[value]

    def range_of_one(self, value: SSAValue, copy: SSAValue) -> Range:
        """The range of a value that does not vary."""
        if value.type == f64:
            is_constant = isinstance(value.owner, arith.ConstantOp)
            return Reals(copy, copy, self.emitter.flag(False) if is_constant and not is_nan(value) else self.arithmetic.is_nan(copy))
        if value.type == i1:
            return Truth(copy, copy)
        return Integers(copy, copy)

    # Operations

    def extend(self, op: Operation) -> None:
        """The ranges of the results of an operation; a copy where nothing varies."""
        if not self.varies(op):
            self.copy(op)
        elif isinstance(op, scf.IfOp):
            self.branch(op)
        elif isinstance(op, scf.ForOp):
            self.loop(op)
        else:
            for result in op.results:
                self.ranges[result] = NoRange(op.name)
            if len(op.results) == 1:
                self.ranges[op.results[0]] = self.of_operation(op)

    def copy(self, op: Operation) -> None:
        """The operation as it is."""
        if isinstance(op, arith.ConstantOp):
            self.copies[op.result] = self.emitter.constant(op.value, op.result.type)
            return
        self.arithmetic.emitter.add(op.clone(self.copies))

    def of_operation(self, op: Operation) -> Known:
        """The range of the only result of an operation."""
        (result,) = op.results
        rule = RULES.get(type(op))
        if rule is None or any(parts(value.type) is None for value in (*op.operands, result)):
            return next((found for value in op.operands if isinstance(found := self.ranges.get(value), NoRange)), NoRange(op.name))
        operands: list[Range] = []
        for operand in op.operands:
            found = self.known(operand)
            if isinstance(found, NoRange):
                if not isinstance(op, DECISIVE):
                    return found
                found = self.anything(operand.type)
            operands.append(found)
        found = rule(self.arithmetic, op, operands)
        if isinstance(op, arith.DivfOp) and isinstance(found, Reals):
            found = self.narrow_quotient(op, found)
        return NoRange(op.name) if found is None else self.named(found, result)

    def anything(self, value_type: Attribute) -> Range:
        """The range of a value of some type of which nothing is known."""
        a = self.arithmetic
        if value_type == f64:
            return a.anything()
        if value_type == i1:
            return Truth(self.emitter.flag(False), self.emitter.flag(True))
        limits = (-(2**63), 2**63 - 1)
        low, high = (self.emitter.constant(IntegerAttr(limit, cast(Any, value_type)), value_type) for limit in limits)
        return Integers(low, high)

    @staticmethod
    def named(found: Range, value: SSAValue) -> Range:
        """A range whose parts are named after the value."""
        if value.name_hint:
            for part, held in vars(found).items():
                held.name_hint = held.name_hint or f"{value.name_hint}_{part}"
        return found

    # Quotients in which a value occurs twice

    def narrow_quotient(self, op: arith.DivfOp, plain: Reals) -> Reals:
        """The range of a quotient, narrowed where it is a share or a component of a normalised vector."""
        root = op.rhs.owner
        if (rest := others(op.lhs, op.rhs)) is not None:
            return self.share(self.reals(op.lhs), [self.reals(each) for each in rest], plain)
        if isinstance(root, math.SqrtOp) and (rest := other_squares(op.lhs, root.operand)) is not None:
            return self.component(self.reals(op.lhs), [self.reals(each) for each in rest], self.reals(root.operand), plain)
        return plain

    def reals(self, value: SSAValue) -> Reals:
        """The range of a float."""
        found = self.known(value)
        return found if isinstance(found, Reals) else self.arithmetic.anything()

    def total(self, terms: Sequence[Reals]) -> tuple[Reals, SSAValue]:
        """The sum of some terms, and true if none of them can be negative."""
        a = self.arithmetic
        found, positive = terms[0], a.compare(terms[0].low, "oge", a.number(0.0))
        for each in terms[1:]:
            found, positive = a.sum(found, each), a.all(positive, a.compare(each.low, "oge", a.number(0.0)))
        return found, positive

    def share(self, x: Reals, terms: Sequence[Reals], plain: Reals) -> Reals:
        """x / (x + rest) increases with x and decreases with the rest, if no term is negative."""
        a = self.arithmetic
        rest, positive = self.total(terms)
        low = a.divide(x.low, a.add(x.low, rest.high))
        high = a.divide(x.high, a.add(x.high, rest.low))
        finite = a.compare(a.add(x.high, rest.high), "olt", a.number(LARGEST))
        applies = a.all(positive, a.compare(x.low, "oge", a.number(0.0)), finite)
        return self.narrowed(plain, Reals(low, high, plain.nan), applies)

    def component(self, x: Reals, terms: Sequence[Reals], squares: Reals, plain: Reals) -> Reals:
        """
        x / sqrt(x * x + rest) increases with x; with the rest its size decreases. Where the sum may be so small that squares underflow, or
        so large that they overflow, this does not hold.
        """
        a = self.arithmetic
        zero = a.number(0.0)
        rest, positive = self.total(terms)

        def at(end: SSAValue, other: SSAValue) -> SSAValue:
            return a.divide(end, a.root(a.add(a.multiply(end, end), other)))

        low = at(x.low, a.choose(a.compare(x.low, "olt", zero), rest.low, rest.high))
        high = at(x.high, a.choose(a.compare(x.high, "olt", zero), rest.high, rest.low))
        normal = a.compare(squares.low, "oge", a.number(SMALLEST)), a.compare(squares.high, "olt", a.number(LARGEST))
        return self.narrowed(plain, Reals(low, high, plain.nan), a.all(positive, *normal))

    def narrowed(self, plain: Reals, other: Reals, applies: SSAValue) -> Reals:
        """The common part of a range and another one, widened by rounding errors, where that applies; unknown ends narrow nothing."""
        a = self.arithmetic
        other = a.widened(other)
        low, high = a.greater(other.low, plain.low), a.less(other.high, plain.high)
        return Reals(a.choose(applies, low, plain.low), a.choose(applies, high, plain.high), plain.nan)

    # Control flow

    def can_be_computed(self, region: Region) -> bool:
        """True if the operations of a branch can run where it is not taken."""
        return all(self.effects.of(op).is_speculatable for op in region.block.ops if not isinstance(op, scf.YieldOp))

    def branch(self, op: scf.IfOp) -> None:
        """scf.if: both branches, and of each result the range of what the condition selects."""
        condition = self.known(op.cond)
        if not isinstance(condition, Truth) or not op.false_region.blocks or not all(self.can_be_computed(each) for each in op.regions):
            self.ranges.update((result, NoRange(op.name)) for result in op.results)
            return
        yielded: list[list[Known]] = []
        for region in op.regions:
            *body, end = region.block.ops
            for inner in body:
                self.extend(inner)
            yielded.append([self.known(value) if parts(value.type) is not None else NoRange(op.name) for value in end.operands])
        for result, yes, no in zip(op.results, *yielded, strict=True):
            if isinstance(yes, NoRange) or isinstance(no, NoRange):
                self.ranges[result] = yes if isinstance(yes, NoRange) else no
            else:
                self.ranges[result] = self.named(self.arithmetic.selected(condition, yes, no), result)

    def loop(self, op: scf.ForOp) -> None:
        """scf.for over a range that does not vary: the same loop, which carries the ranges of what varies."""
        if any(bound in self.ranges for bound in (op.lb, op.ub, op.step)):
            self.ranges.update((result, NoRange(op.name)) for result in op.results)
            return
        varying = self.carried_that_vary(op)
        arguments = list(op.body.block.args[1:])
        described = {number: parts(arguments[number].type) for number in varying}
        starts = {number: self.known(op.iter_args[number]) for number, each in described.items() if each is not None}
        known = {number: each for number, each in starts.items() if not isinstance(each, NoRange)}
        start: list[SSAValue] = []
        for number, value in enumerate(op.iter_args):
            if number in known:
                start += vars(known[number]).values()
            elif number not in varying:
                start.append(self.copies.get(value, value))
        outside, around = self.arithmetic, self.arithmetic.emitter
        inner = around.nested([INDEX, *(value.type for value in start)])
        self.copies[op.body.block.args[0]] = inner.block.args[0]
        given = iter(inner.block.args[1:])
        for number, argument in enumerate(arguments):
            if number in known:
                self.ranges[argument] = range_of_parts(argument.type, [next(given) for _ in described[number] or ()])
            elif number in varying:
                self.ranges[argument] = NoRange(op.name)
            else:
                self.copies[argument] = next(given)
        self.arithmetic = outside.inside(inner)
        *body, end = op.body.block.ops
        for each in body:
            self.extend(each)
        following: list[SSAValue] = []
        for number, value in enumerate(end.operands):
            if number in known:
                found = self.known(value)
                following += vars(self.anything(value.type) if isinstance(found, NoRange) else found).values()
            elif number not in varying:
                following.append(self.copies.get(value, value))
        inner.add(scf.YieldOp(*following))
        self.arithmetic = outside
        bounds = [self.copies.get(bound, bound) for bound in (op.lb, op.ub, op.step)]
        results = iter(around.add(scf.ForOp(bounds[0], bounds[1], bounds[2], start, Region(inner.block))).results)
        for number, result in enumerate(op.results):
            if number in known:
                self.ranges[result] = range_of_parts(result.type, [next(results) for _ in described[number] or ()])
            elif number in varying:
                self.ranges[result] = NoRange(op.name)
            else:
                self.copies[result] = next(results)

    def carried_that_vary(self, op: scf.ForOp) -> set[int]:
        """The numbers of the carried values that vary in some iteration."""
        arguments = op.body.block.args[1:]
        found = {number for number, value in enumerate(op.iter_args) if value in self.ranges}
        *body, end = op.body.block.ops
        while True:
            varying = {arguments[number] for number in found} | set(self.ranges)
            for each in body:
                if any(operand in varying for inner in each.walk() for operand in inner.operands):
                    varying.update(each.results)
            after = found | {number for number, value in enumerate(end.operands) if value in varying}
            if after == found:
                return found
            found = after


def is_nan(value: SSAValue) -> bool:
    """True if a constant is NaN."""
    held = cast(arith.ConstantOp, value.owner).value
    number = cast("float", held.value.data)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    return number != number


def others(term: SSAValue, total: SSAValue) -> list[SSAValue] | None:
    """The other terms of a sum in which a value is a term, once."""
    terms = terms_of(total)
    return [each for each in terms if each is not term] if 2 <= len(terms) <= MOST_TERMS and terms.count(term) == 1 else None


def other_squares(root: SSAValue, total: SSAValue) -> list[SSAValue] | None:
    """The other terms of a sum in which the square of a value is a term, once."""
    squares = [each for each in terms_of(total) if is_square_of(each, root)]
    return others(squares[0], total) if len(squares) == 1 else None


def terms_of(total: SSAValue) -> list[SSAValue]:
    """The terms of a sum from left to right; the value itself if it is none."""
    if isinstance(total.owner, arith.AddfOp):
        return [*terms_of(total.owner.lhs), total.owner.rhs]
    return [total]


def is_square_of(value: SSAValue, root: SSAValue) -> bool:
    """True if a value is `root * root`."""
    return isinstance(value.owner, arith.MulfOp) and value.owner.lhs is root and value.owner.rhs is root
