"""
The range of the result of an operation on numbers, given those of its operands.

A rule takes the operation, the ranges of its operands, and gives that of its result; an operation without one can give anything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import f64, i64
from xdsl.ir import Attribute, Operation, SSAValue

from cogir.lowering.machine.emitter import INDEX
from cogir.lowering.pruning.intervals import INFINITY, Integers, Range, RangeArithmetic, Reals, Truth

RangeRule: TypeAlias = "Callable[[RangeArithmetic, Operation, Sequence[Range]], Range | None]"
"""None where nothing is known of the result."""

WIDE = 1 << 61
"""Sums of integers within it, and products of their roots, do not wrap."""
INTEGERS: tuple[Attribute, ...] = (i64, INDEX)


def reals(operands: Sequence[Range]) -> list[Reals]:
    """Operands that are floats."""
    return [each for each in operands if isinstance(each, Reals)]


# Floats


def product(a: RangeArithmetic, op: Operation, operands: Sequence[Range]) -> Range:
    x, y = reals(operands)
    return a.square(x) if op.operands[0] is op.operands[1] else a.product(x, y)


def multiply_add(a: RangeArithmetic, op: Operation, operands: Sequence[Range]) -> Range:
    """x * y + z, rounded once"""
    x, y, z = reals(operands)
    plain = a.sum(a.product(x, y), z)

    def rounded(p: SSAValue, q: SSAValue, r: SSAValue) -> SSAValue:
        return a.emitter.value(math.FmaOp(p, q, r))

    low = [rounded(p, q, z.low) for p in (x.low, x.high) for q in (y.low, y.high)]
    high = [rounded(p, q, z.high) for p in (x.low, x.high) for q in (y.low, y.high)]
    is_number = a.emitter.negation(a.any(*(a.is_nan(each) for each in (*low, *high))))
    lowest, highest = a.between(low, plain.nan).low, a.between(high, plain.nan).high
    return Reals(a.choose(is_number, lowest, a.number(-INFINITY)), a.choose(is_number, highest, a.number(INFINITY)), plain.nan)


def root(a: RangeArithmetic, op: Operation, operands: Sequence[Range]) -> Range:
    (x,) = reals(operands)
    zero = a.number(0.0)
    is_negative = a.compare(x.low, "olt", zero)
    low, high = (a.root(end) for end in (a.choose(is_negative, zero, x.low), x.high))
    return a.reals(low, high, a.any(x.nan, is_negative))


def monotone(a: RangeArithmetic, op: Operation, operands: Sequence[Range]) -> Range:
    """A rounding to whole numbers, which keeps the order of numbers."""
    (x,) = reals(operands)
    low, high = (a.emitter.value(type(op).create(operands=[end], result_types=[f64], properties=op.properties)) for end in (x.low, x.high))
    return a.reals(low, high, x.nan)


def increasing(a: RangeArithmetic, op: Operation, operands: Sequence[Range]) -> Range:
    """An elementary function that increases, but for its errors; NaN at an end that is outside of its domain."""
    (x,) = reals(operands)
    low, high = (a.emitter.value(type(op).create(operands=[end], result_types=[f64])) for end in (x.low, x.high))
    return a.widened(Reals(low, high, a.any(x.nan, a.is_nan(low), a.is_nan(high))))


def exponential(a: RangeArithmetic, op: Operation, operands: Sequence[Range]) -> Range:
    """As `increasing`, and not negative."""
    found = increasing(a, op, operands)
    assert isinstance(found, Reals)
    return Reals(a.greater(found.low, a.number(0.0)), found.high, found.nan)


def decreasing(a: RangeArithmetic, op: Operation, operands: Sequence[Range]) -> Range:
    """An elementary function that decreases, but for its errors."""
    (x,) = reals(operands)
    high, low = (a.emitter.value(type(op).create(operands=[end], result_types=[f64])) for end in (x.low, x.high))
    return a.widened(Reals(low, high, a.any(x.nan, a.is_nan(low), a.is_nan(high))))


def wave(a: RangeArithmetic, op: Operation, operands: Sequence[Range]) -> Range:
    """A sine or a cosine; NaN at infinity"""
    (x,) = reals(operands)
    return a.widened(Reals(a.number(-1.0), a.number(1.0), a.any(x.nan, a.is_unbounded(x))))


def power(a: RangeArithmetic, op: Operation, operands: Sequence[Range]) -> Range:
    """x ** y of one y, where x is not negative: monotone in x"""
    x, y = reals(operands)
    ends = [a.emitter.value(math.PowFOp(end, y.low)) for end in (x.low, x.high)]
    is_known = a.all(
        a.compare(x.low, "oge", a.number(0.0)), a.compare(y.low, "oeq", y.high), *(a.emitter.negation(a.is_nan(end)) for end in ends)
    )
    found = a.widened(a.between(ends, a.any(x.nan, y.nan)))
    low, high = a.choose(is_known, found.low, a.number(-INFINITY)), a.choose(is_known, found.high, a.number(INFINITY))
    return Reals(low, high, a.any(found.nan, a.emitter.negation(is_known)))


def with_sign(a: RangeArithmetic, op: Operation, operands: Sequence[Range]) -> Range:
    """The size of one number with the sign of another one, which is not asked for here."""
    size = a.size(reals(operands)[0])
    return Reals(a.negate(size.high), size.high, size.nan)


def extremum(pick: Callable[[RangeArithmetic], Callable[[SSAValue, SSAValue], SSAValue]], ignores_nan: bool) -> RangeRule:
    """The lesser or the greater of two: NaN if one is, or the other one where NaN is ignored."""

    def rule(a: RangeArithmetic, op: Operation, operands: Sequence[Range]) -> Range:
        x, y = reals(operands)
        return of_extremum(a, pick(a), x, y, ignores_nan)

    return rule


def of_extremum(a: RangeArithmetic, pick: Callable[[SSAValue, SSAValue], SSAValue], x: Reals, y: Reals, ignores_nan: bool) -> Reals:
    """The range of an extremum; with `ignores_nan`, any of the two where one can be NaN."""
    nan = a.any(x.nan, y.nan)
    found = a.reals(pick(x.low, y.low), pick(x.high, y.high), nan)
    if not ignores_nan or a.emitter.is_false(nan):
        return found
    either = a.hull(x, y)
    return Reals(a.choose(nan, either.low, found.low), a.choose(nan, either.high, found.high), nan)


# Comparisons and selections

OPPOSITES: Mapping[str, str] = {"uge": "olt", "ugt": "ole", "ule": "ogt", "ult": "oge", "une": "oeq", "ueq": "one", "uno": "ord"}
"""The ordered comparison that holds where another one does not."""


def comparison(a: RangeArithmetic, op: Operation, operands: Sequence[Range]) -> Range:
    assert isinstance(op, arith.CmpfOp)
    x, y = reals(operands)
    return compared(a, arith.CMPF_COMPARISON_OPERATIONS[op.predicate.value.data], x, y)


def compared(a: RangeArithmetic, relation: str, x: Reals, y: Reals) -> Truth:
    """The range of a comparison."""
    if relation in OPPOSITES:
        return opposite(a, compared(a, OPPOSITES[relation], x, y))
    flag, numbers = a.emitter.flag, a.emitter.negation(a.any(x.nan, y.nan))
    match relation:
        case "ogt" | "oge":
            return compared(a, "olt" if relation == "ogt" else "ole", y, x)
        case "olt" | "ole":
            return Truth(a.all(a.compare(x.high, relation, y.low), numbers), a.compare(x.low, relation, y.high))
        case "oeq" | "one":
            meet = a.all(a.compare(x.low, "ole", y.high), a.compare(y.low, "ole", x.high))
            same = a.all(a.compare(x.low, "oeq", y.high), a.compare(y.low, "oeq", x.high))
            if relation == "oeq":
                return Truth(a.all(same, numbers), meet)
            return Truth(a.all(a.emitter.negation(meet), numbers), a.emitter.negation(same))
        case "ord":
            return Truth(numbers, flag(True))
        case "true":
            return Truth(flag(True), flag(True))
        case _:
            return Truth(flag(False), flag(relation != "false"))


def opposite(a: RangeArithmetic, x: Truth) -> Truth:
    """not x"""
    return Truth(a.emitter.negation(x.possible), a.emitter.negation(x.certain))


def conjunction(a: RangeArithmetic, op: Operation, operands: Sequence[Range]) -> Range | None:
    match operands:
        case [Truth() as x, Truth() as y]:
            return Truth(a.all(x.certain, y.certain), a.all(x.possible, y.possible))
        case _:
            return None


def disjunction(a: RangeArithmetic, op: Operation, operands: Sequence[Range]) -> Range | None:
    match operands:
        case [Truth() as x, Truth() as y]:
            return Truth(a.any(x.certain, y.certain), a.any(x.possible, y.possible))
        case _:
            return None


def difference(a: RangeArithmetic, op: Operation, operands: Sequence[Range]) -> Range | None:
    """Exactly one of two flags."""
    match operands:
        case [Truth() as x, Truth() as y]:
            no_x, no_y = opposite(a, x), opposite(a, y)
            certain = a.any(a.all(x.certain, no_y.certain), a.all(no_x.certain, y.certain))
            equal = a.any(a.all(x.certain, y.certain), a.all(no_x.certain, no_y.certain))
            return Truth(certain, a.emitter.negation(equal))
        case _:
            return None


LARGER, SMALLER = ("ogt", "oge", "ugt", "uge"), ("olt", "ole", "ult", "ule")


def selection(a: RangeArithmetic, op: Operation, operands: Sequence[Range]) -> Range | None:
    """x if c else y; where c compares x with y, their extremum"""
    condition, x, y = operands
    if type(x) is not type(y) or not isinstance(condition, Truth):
        return None
    found = a.selected(condition, x, y)
    if isinstance(x, Reals) and isinstance(y, Reals) and isinstance(found, Reals) and (pick := picked(a, op)) is not None:
        narrow = of_extremum(a, pick, x, y, ignores_nan=True)
        return Reals(a.greater(found.low, narrow.low), a.less(found.high, narrow.high), found.nan)
    return found


def picked(a: RangeArithmetic, op: Operation) -> Callable[[SSAValue, SSAValue], SSAValue] | None:
    """The extremum that a selection between the two sides of its comparison takes, where none is NaN."""
    condition, *sides = op.operands
    test = condition.owner
    if not isinstance(test, arith.CmpfOp) or {*test.operands} != {*sides}:
        return None
    relation = arith.CMPF_COMPARISON_OPERATIONS[test.predicate.value.data]
    if relation not in (*LARGER, *SMALLER):
        return None
    return a.greater if (relation in LARGER) == (test.operands[0] is sides[0]) else a.less


# Integers


def within(a: RangeArithmetic, x: Integers, limit: int) -> SSAValue:
    """True if both ends are small enough."""
    bound, below = constant(a, x.low.type, limit), constant(a, x.low.type, -limit)
    return a.all(a.emitter.compare(x.high, "slt", bound), a.emitter.compare(x.low, "sgt", below))


def constant(a: RangeArithmetic, value_type: Attribute, value: int) -> SSAValue:
    return a.emitter.index(value) if value_type == INDEX else a.emitter.integer(value)


def bounded(a: RangeArithmetic, fits: SSAValue, low: SSAValue, high: SSAValue) -> Integers:
    """The range between two ends, or that of all integers where something may have wrapped."""
    least, most = (constant(a, low.type, value) for value in (-(2**63), 2**63 - 1))
    return Integers(a.choose(fits, low, least), a.choose(fits, high, most))


def integer_sum(sign: int) -> RangeRule:
    """x + y or x - y"""

    def rule(a: RangeArithmetic, op: Operation, operands: Sequence[Range]) -> Range | None:
        match operands:
            case [Integers() as x, Integers() as y] if op.results[0].type in INTEGERS:
                make = arith.AddiOp if sign > 0 else arith.SubiOp
                low, high = (y.low, y.high) if sign > 0 else (y.high, y.low)
                ends = a.emitter.value(make(x.low, low)), a.emitter.value(make(x.high, high))
                return bounded(a, a.all(within(a, x, WIDE), within(a, y, WIDE)), *ends)
            case _:
                return None

    return rule


def integer_product(a: RangeArithmetic, op: Operation, operands: Sequence[Range]) -> Range | None:
    match operands:
        case [Integers() as x, Integers() as y] if op.results[0].type in INTEGERS:
            ends = [a.emitter.value(arith.MuliOp(p, q)) for p in (x.low, x.high) for q in (y.low, y.high)]
            low = high = ends[0]
            for end in ends[1:]:
                low, high = a.least(low, end), a.most(high, end)
            return bounded(a, a.all(within(a, x, 1 << 30), within(a, y, 1 << 30)), low, high)
        case _:
            return None


def integer_comparison(a: RangeArithmetic, op: Operation, operands: Sequence[Range]) -> Range | None:
    assert isinstance(op, arith.CmpiOp)
    relation = arith.CMPI_COMPARISON_OPERATIONS[op.predicate.value.data]
    match operands:
        case [Integers() as x, Integers() as y]:
            test = a.emitter.compare
            meet = a.all(test(x.low, "sle", y.high), test(y.low, "sle", x.high))
            same = a.all(test(x.low, "eq", y.high), test(y.low, "eq", x.high))
            match relation:
                case "slt" | "sle":
                    return Truth(test(x.high, relation, y.low), test(x.low, relation, y.high))
                case "sgt" | "sge":
                    return Truth(test(x.low, relation, y.high), test(x.high, relation, y.low))
                case "eq":
                    return Truth(same, meet)
                case "ne":
                    return Truth(a.emitter.negation(meet), a.emitter.negation(same))
                case _:
                    return None
        case _:
            return None


def integer_as_float(a: RangeArithmetic, op: Operation, operands: Sequence[Range]) -> Range | None:
    match operands:
        case [Integers() as x] if x.low.type == i64 and op.results[0].type == f64:
            low, high = (a.emitter.value(arith.SIToFPOp(end, f64)) for end in (x.low, x.high))
            return Reals(low, high, a.emitter.flag(False))
        case _:
            return None


def flag_as_number(a: RangeArithmetic, op: Operation, operands: Sequence[Range]) -> Range | None:
    """0 or 1, as an integer or a float"""
    match operands:
        case [Truth() as x] if op.results[0].type == i64:
            return Integers(a.emitter.as_integer(x.certain), a.emitter.as_integer(x.possible))
        case [Truth() as x] if op.results[0].type == f64:
            one, zero = a.number(1.0), a.number(0.0)
            return Reals(a.choose(x.certain, one, zero), a.choose(x.possible, one, zero), a.emitter.flag(False))
        case _:
            return None


def index_cast(a: RangeArithmetic, op: Operation, operands: Sequence[Range]) -> Range | None:
    match operands:
        case [Integers() as x] if op.results[0].type in INTEGERS:
            return Integers(*(a.emitter.value(arith.IndexCastOp(end, op.results[0].type)) for end in (x.low, x.high)))
        case _:
            return None


RULES: Mapping[type[Operation], RangeRule] = {
    arith.AddfOp: lambda a, op, operands: a.sum(*reals(operands)),
    arith.SubfOp: lambda a, op, operands: a.sum(reals(operands)[0], a.opposite(reals(operands)[1])),
    arith.MulfOp: product,
    arith.DivfOp: lambda a, op, operands: a.quotient(*reals(operands)),
    arith.NegfOp: lambda a, op, operands: a.opposite(*reals(operands)),
    arith.MaximumfOp: extremum(lambda a: a.greater, ignores_nan=False),
    arith.MinimumfOp: extremum(lambda a: a.less, ignores_nan=False),
    arith.MaxnumfOp: extremum(lambda a: a.greater, ignores_nan=True),
    arith.MinnumfOp: extremum(lambda a: a.less, ignores_nan=True),
    arith.CmpfOp: comparison,
    arith.SelectOp: selection,
    arith.AndIOp: conjunction,
    arith.OrIOp: disjunction,
    arith.XOrIOp: difference,
    arith.AddiOp: integer_sum(1),
    arith.SubiOp: integer_sum(-1),
    arith.MuliOp: integer_product,
    arith.CmpiOp: integer_comparison,
    arith.SIToFPOp: integer_as_float,
    arith.UIToFPOp: flag_as_number,
    arith.ExtUIOp: flag_as_number,
    arith.IndexCastOp: index_cast,
    math.FmaOp: multiply_add,
    math.SqrtOp: root,
    math.AbsFOp: lambda a, op, operands: a.size(*reals(operands)),
    math.CopySignOp: with_sign,
    math.FloorOp: monotone,
    math.CeilOp: monotone,
    math.TruncOp: monotone,
    math.RoundEvenOp: monotone,
    math.ExpOp: exponential,
    math.Exp2Op: exponential,
    math.ExpM1Op: increasing,
    math.LogOp: increasing,
    math.Log2Op: increasing,
    math.Log10Op: increasing,
    math.Log1pOp: increasing,
    math.CbrtOp: increasing,
    math.SinhOp: increasing,
    math.TanhOp: increasing,
    math.AsinhOp: increasing,
    math.AcoshOp: increasing,
    math.AtanhOp: increasing,
    math.AsinOp: increasing,
    math.AtanOp: increasing,
    math.ErfOp: increasing,
    math.AcosOp: decreasing,
    math.SinOp: wave,
    math.CosOp: wave,
    math.PowFOp: power,
}
"""The rules, by operation."""
DECISIVE: tuple[type[Operation], ...] = (
    arith.CmpfOp, arith.SelectOp, arith.MaximumfOp, arith.MinimumfOp, arith.MaxnumfOp, arith.MinnumfOp, math.TanhOp, math.AtanOp,
    math.ErfOp, math.SinOp, math.CosOp, math.ExpOp, math.AbsFOp,
)  # fmt: skip
"""Operations whose result is bounded whatever an operand is."""
