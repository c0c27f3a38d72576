"""
Rules that simplify an expression and keep its bits, for all numbers, NaN, infinities and -0.0 included (but for the sign of a NaN).

    a + b = b + a        a * b = b * a        max(a, b) = max(b, a)
    x * 1 = x            x / 1 = x            x + (-0.0) = x         x + 0.0 = x, unless x is -0.0
    a - b = a + (-b)     (-a) * b = -(a * b)  x + x = 2 * x          x / 2 = x * 0.5
    2 * a + 2 * b = 2 * (a + b), where nothing overflows
    a > b = b < a        not (a < b) = b <= a or one is NaN
    if c then x else x = x, and what is inside of a choice by c under the same c

Integers are those of the machine: they wrap around, so sums and products of constants may be rearranged.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from cogir.analysis.equivalence.terms import Term, Terms
from cogir.analysis.ranges.floats import ANYTHING, FloatRange, absolute, added, divided, greater, less, multiplied, negated, root

FLOATS = ("f64", "f32")
COMMUTATIVE = frozenset(("addf", "mulf", "maximumf", "minimumf", "addi", "muli", "andi", "ori", "xori", "maxsi", "minsi", "maxui", "minui"))
IDEMPOTENT = frozenset(("maximumf", "minimumf", "andi", "ori", "maxsi", "minsi", "maxui", "minui"))

SWAPPED = {"ogt": "olt", "oge": "ole", "ugt": "ult", "uge": "ule", "sgt": "slt", "sge": "sle"}
"""Predicates, and those with which the operands change places."""
SWAPPED_UNSIGNED = {"ugt": "ult", "uge": "ule"}
SYMMETRIC = frozenset(("oeq", "one", "ord", "ueq", "une", "uno", "eq", "ne"))
OPPOSITE_FLOAT = {
    "olt": "uge",
    "ole": "ugt",
    "ult": "oge",
    "ule": "ogt",
    "oeq": "une",
    "une": "oeq",
    "one": "ueq",
    "ueq": "one",
    "ord": "uno",
    "uno": "ord",
}
OPPOSITE_INT = {"slt": "sge", "sle": "sgt", "ult": "uge", "ule": "ugt", "eq": "ne", "ne": "eq"}

LARGE = 2.0**1000
"""Numbers up to this can be added and doubled without overflow."""


def ordered(a: Term, b: Term) -> tuple[Term, Term]:
    """Two operands in the order of their numbers."""
    return (a, b) if a.number <= b.number else (b, a)


def simplify(terms: Terms, op: str, type: str, args: tuple[Term, ...], data: object) -> Term | None:
    """The simplest term that has the bits of the operation, or None if it stays as it is."""
    rule = RULES.get(op)
    if rule is not None:
        found = rule(terms, type, args, data)
        if found is not None:
            return found
    if op in COMMUTATIVE:
        args = ordered(*args)
        if op in IDEMPOTENT and args[0] is args[1]:
            return args[0]
        return terms.node(op, type, args, data)
    return None


# Floats.


def unsigned(term: Term) -> tuple[Term, bool]:
    """A term without its outermost negation, and True if there was one."""
    return (term.args[0], True) if term.op == "negf" else (term, False)


def positive(terms: Terms, term: Term) -> tuple[Term, bool]:
    """A term without its sign, if the sign is that of a constant or a negation, and True if it was negative."""
    if term.is_constant and math.copysign(1.0, term.data) < 0.0:
        return terms.constant(-term.data, term.type), True
    return unsigned(term)


def negate(terms: Terms, term: Term) -> Term:
    return terms.make("negf", term.type, (term,))


def negation(terms: Terms, type: str, args: tuple[Term, ...], data: object) -> Term | None:
    (x,) = args
    if x.is_constant:
        return terms.constant(-x.data, type)
    return x.args[0] if x.op == "negf" else None


def difference(terms: Terms, type: str, args: tuple[Term, ...], data: object) -> Term | None:
    return terms.make("addf", type, (args[0], negate(terms, args[1])))


def scaled(term: Term) -> tuple[Term, float] | None:
    """A term as another one times a power of two of at least 2, with its sign."""
    inner, is_negative = unsigned(term)
    if inner.op == "mulf" and inner.args[0].is_constant and is_doubling(inner.args[0].data):
        return inner.args[1], -inner.args[0].data if is_negative else inner.args[0].data
    return None


def is_doubling(number: float) -> bool:
    """True for 2, 4, 8 ... up to 2**1000."""
    return 2.0 <= number <= LARGE and math.frexp(number)[0] == 0.5


def is_moderate(term: Term) -> bool:
    """True if the magnitude of a term has a bound far from overflow."""
    return -1.0e6 <= term.range.low and term.range.high <= 1.0e6


def addition(terms: Terms, type: str, args: tuple[Term, ...], data: object) -> Term | None:
    for x, zero in (args, args[::-1]):
        if zero.is_number(-0.0) or (zero.is_number(0.0) and not x.range.negative_zero):
            return x
    if args[0] is args[1]:
        return terms.make("mulf", type, (terms.constant(2.0, type), args[0]))
    if type == "f64":
        first, second = scaled(args[0]), scaled(args[1])
        if first and second and abs(first[1]) == abs(second[1]) and is_moderate(first[0]) and is_moderate(second[0]):
            parts = [part if factor > 0.0 else negate(terms, part) for part, factor in (first, second)]
            return terms.make("mulf", type, (terms.constant(abs(first[1]), type), terms.make("addf", type, parts)))
    return None


def product(terms: Terms, type: str, args: tuple[Term, ...], data: object) -> Term | None:
    (x, x_negative), (y, y_negative) = (positive(terms, arg) for arg in args)
    if x_negative or y_negative:
        whole = terms.make("mulf", type, (x, y))
        return negate(terms, whole) if x_negative != y_negative else whole
    for factor, other in ((x, y), (y, x)):
        if factor.is_number(1.0):
            return other
        if factor.is_constant:
            if is_doubling(factor.data) and other.op == "mulf" and other.args[0].is_constant and is_doubling(other.args[0].data):
                both = factor.data * other.args[0].data
                if is_doubling(both):
                    return terms.node("mulf", type, (terms.constant(both, type), other.args[1]))
            return terms.node("mulf", type, (factor, other))
    return None


def quotient(terms: Terms, type: str, args: tuple[Term, ...], data: object) -> Term | None:
    (x, x_negative), (y, y_negative) = (positive(terms, arg) for arg in args)
    if x_negative or y_negative:
        whole = terms.make("divf", type, (x, y))
        return negate(terms, whole) if x_negative != y_negative else whole
    if y.is_number(1.0):
        return x
    if y.is_constant and type == "f64" and y.data != 0.0 and math.isfinite(y.data) and abs(math.frexp(y.data)[0]) == 0.5:
        inverse = 1.0 / y.data
        if 2.0**-1000 <= abs(inverse) <= LARGE:
            return terms.make("mulf", type, (x, terms.constant(inverse, type)))
    return None


def magnitude(terms: Terms, type: str, args: tuple[Term, ...], data: object) -> Term | None:
    x, is_negative = unsigned(args[0])
    if x.op == "absf" or (x.range.positive_sign and not x.range.nan):
        return x
    return terms.make("absf", type, (x,)) if is_negative else None


def clip(is_maximum: bool) -> Callable[[Terms, str, tuple[Term, ...], object], Term | None]:
    """max(x, y) or min(x, y), where one is on one side of the other; NaN stays NaN."""

    def rule(terms: Terms, type: str, args: tuple[Term, ...], data: object) -> Term | None:
        for x, bound in (args, args[::-1]):
            beyond = x.range.low > bound.range.high if is_maximum else x.range.high < bound.range.low
            if beyond and not bound.range.nan:
                return x
            if bound.is_number(-math.inf if is_maximum else math.inf):
                return x
        return None

    return rule


def comparison(terms: Terms, type: str, args: tuple[Term, ...], data: object) -> Term | None:
    predicate = str(data)
    x, y = args
    if predicate in SWAPPED:
        return terms.make("cmpf", type, (y, x), SWAPPED[predicate])
    if predicate in SYMMETRIC and x.number > y.number:
        return terms.make("cmpf", type, (y, x), predicate)
    if predicate in ("olt", "ole", "ult", "ule") and not x.range.nan and not y.range.nan:
        strict = predicate[1:] == "lt"
        if x.range.high < y.range.low or (not strict and x.range.high <= y.range.low):
            return terms.constant(True, type)
        if x.range.low > y.range.high or (strict and x.range.low >= y.range.high):
            return terms.constant(False, type)
    return None


# Integers and flags.


def whole_sum(terms: Terms, type: str, args: tuple[Term, ...], data: object) -> Term | None:
    for x, constant in (args, args[::-1]):
        if constant.is_constant:
            if constant.data == 0:
                return x
            if x.op == "addi" and x.args[0].is_constant:
                return terms.make("addi", type, (terms.make("addi", type, (x.args[0], constant)), x.args[1]))
            return terms.node("addi", type, (constant, x))
    return None


def whole_difference(terms: Terms, type: str, args: tuple[Term, ...], data: object) -> Term | None:
    x, y = args
    if x is y:
        return terms.constant(0, type)
    if y.is_constant and type == "i64" and y.data != -(2**63):
        return terms.make("addi", type, (x, terms.constant(-y.data, type)))
    return None


def whole_product(terms: Terms, type: str, args: tuple[Term, ...], data: object) -> Term | None:
    for x, constant in (args, args[::-1]):
        if constant.is_constant and constant.data in (0, 1) and type != "i1":
            return x if constant.data == 1 else constant
    return None


def conjunction(terms: Terms, type: str, args: tuple[Term, ...], data: object) -> Term | None:
    if type != "i1":
        return None
    for x, flag in (args, args[::-1]):
        if flag.is_constant:
            return x if flag.data else flag
        if negated_flag(x) is flag:
            return terms.constant(False, type)
    return None


def disjunction(terms: Terms, type: str, args: tuple[Term, ...], data: object) -> Term | None:
    if type != "i1":
        return None
    for x, flag in (args, args[::-1]):
        if flag.is_constant:
            return flag if flag.data else x
        if negated_flag(x) is flag:
            return terms.constant(True, type)
    return None


def negated_flag(term: Term) -> Term | None:
    """The flag whose opposite a flag is."""
    if term.op == "xori" and term.type == "i1" and term.args[0].is_constant and term.args[0].data:
        return term.args[1]
    return None


def exclusive(terms: Terms, type: str, args: tuple[Term, ...], data: object) -> Term | None:
    x, y = args
    if x is y:
        return terms.constant(False if type == "i1" else 0, type)
    for inner, flag in (args, args[::-1]):
        if flag.is_constant and type == "i1":
            return opposite(terms, inner) if flag.data else inner
    return None


def opposite(terms: Terms, flag: Term) -> Term:
    """not flag"""
    if flag.is_constant:
        return terms.constant(not flag.data, "i1")
    if (inner := negated_flag(flag)) is not None:
        return inner
    if flag.op == "cmpf" and flag.data in OPPOSITE_FLOAT:
        return terms.make("cmpf", "i1", flag.args, OPPOSITE_FLOAT[flag.data])
    if flag.op == "cmpi" and flag.data in OPPOSITE_INT:
        return terms.make("cmpi", "i1", flag.args, OPPOSITE_INT[flag.data])
    return terms.node("xori", "i1", (terms.constant(True, "i1"), flag))


def whole_comparison(terms: Terms, type: str, args: tuple[Term, ...], data: object) -> Term | None:
    predicate = str(data)
    x, y = args
    swapped = SWAPPED_UNSIGNED.get(predicate) or (SWAPPED.get(predicate) if predicate.startswith("s") else None)
    if swapped:
        return terms.make("cmpi", type, (y, x), swapped)
    if x is y:
        return terms.constant(predicate in ("eq", "sle", "ule"), type)
    if predicate in SYMMETRIC and x.number > y.number:
        return terms.make("cmpi", type, (y, x), predicate)
    return None


def choice(terms: Terms, type: str, args: tuple[Term, ...], data: object) -> Term | None:
    condition, x, y = args
    if x is y:
        return x
    if condition.is_constant:
        return x if condition.data else y
    if (inner := negated_flag(condition)) is not None:
        return terms.make("select", type, (inner, y, x))
    if is_upper(condition):
        return terms.make("select", type, (opposite(terms, condition), y, x))
    if x.op == "select" and x.args[0] is condition:
        return terms.make("select", type, (condition, x.args[1], y))
    if y.op == "select" and y.args[0] is condition:
        return terms.make("select", type, (condition, x, y.args[2]))
    if type == "i1" and (x.is_constant or y.is_constant):
        return flag_choice(terms, condition, x, y)
    return None


def is_upper(condition: Term) -> bool:
    """True for one of two opposite comparisons, so that a choice is always by the other."""
    return (condition.op == "cmpf" and condition.data in ("ult", "ule", "une", "one", "uno")) or (
        condition.op == "cmpi" and condition.data == "ne"
    )


def flag_choice(terms: Terms, condition: Term, x: Term, y: Term) -> Term | None:
    """A choice between flags, one of which is known, by `and` and `or`."""
    if x.is_constant:
        if x.data:
            return terms.make("ori", "i1", (condition, y))
        return terms.make("andi", "i1", (opposite(terms, condition), y))
    if y.data:
        return terms.make("ori", "i1", (opposite(terms, condition), x))
    return terms.make("andi", "i1", (condition, x))


Rule = Callable[[Terms, str, "tuple[Term, ...]", object], "Term | None"]

RULES: Mapping[str, Rule] = {
    "negf": negation,
    "subf": difference,
    "addf": addition,
    "mulf": product,
    "divf": quotient,
    "absf": magnitude,
    "maximumf": clip(True),
    "minimumf": clip(False),
    "cmpf": comparison,
    "addi": whole_sum,
    "subi": whole_difference,
    "muli": whole_product,
    "andi": conjunction,
    "ori": disjunction,
    "xori": exclusive,
    "cmpi": whole_comparison,
    "select": choice,
}

UNIT = FloatRange(0.0, 1.0, False, False)


def range_of(term: Term) -> FloatRange:
    """The range of a float that is no constant."""
    ranges = [arg.range for arg in term.args]
    match term.op:
        case "addf":
            return added(*ranges)
        case "mulf":
            if term.args[0] is term.args[1]:
                return multiplied(absolute(ranges[0]), absolute(ranges[0]))
            found = multiplied(*ranges)
            return without_zero_sign(term, found)
        case "negf":
            return negated(ranges[0])
        case "divf":
            return divided(*ranges)
        case "maximumf":
            return greater(*ranges)
        case "minimumf":
            return less(*ranges)
        case "sqrt":
            return root(ranges[0])
        case "absf":
            return absolute(ranges[0])
        case "exp":
            return FloatRange(0.0, math.inf, ranges[0].nan, False)
        case "select":
            return ranges[1] | ranges[2]
        case "uniform":
            return UNIT
        case "draw" if term.data.law == "uniform":
            return UNIT
        case "sitofp":
            return FloatRange(-(2.0**63), 2.0**63, False, False)
        case "uitofp":
            return FloatRange(0.0, 2.0**64, False, False)
        case _:
            return ANYTHING


def without_zero_sign(term: Term, found: FloatRange) -> FloatRange:
    """A product with a constant of at least 1 does not underflow: it is -0.0 only if the other factor is."""
    factor, other = term.args
    if factor.is_constant and 1.0 <= factor.data < math.inf and not other.range.negative_zero:
        return FloatRange(found.low, found.high, found.nan, False)
    return found
