"""
Normal forms over the real numbers: floats become polynomials with rational coefficients, and rounding is left out.

Constants are the exact numbers that the doubles are. What is no sum or product is an atom, made of normal forms itself:

    a / b = a * inv(b)            with  b * inv(b) = 1  where b cannot be 0
    max(a, b) = b + relu(a - b)   |a| = 2 * relu(a) - a     relu(c * x) = c * relu(x) for c > 0
    c ? a : b = b + if(c, a - b)  and  x < 0 ? k * x : 0 = k * min(x, 0)
    exp(a) * exp(b) = exp(a + b)  tanh(a) = 1 - 2 * inv(exp(2 * a) + 1)
    a < b  is  a - b < 0, divided by the magnitude of its leading coefficient

Every rule holds for all real numbers for which both sides are defined. Two expressions with one normal form are therefore the same real
function there; where a value is infinite or NaN nothing is said.

A few operations jump where their operands differ by rounding only, or by the sign of a zero: `copysign`, `atan2` on its cut, `floor` and
its kin, conversions to integers, bits. Their operands have no forms there: they are equal if they have the same bits (`by_bits`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from cogir.analysis.equivalence import polynomials as poly
from cogir.analysis.equivalence.keep_bits import COMMUTATIVE
from cogir.analysis.equivalence.polynomials import Monomial, Polynomial
from cogir.analysis.equivalence.terms import Term, Terms, key_of

Form: TypeAlias = "Polynomial | int"
"""The normal form of a float, or the number of that of anything else."""

MOST_TERMS = 3000
"""Products that would have more terms than this are not expanded."""
MOST_BITS = 8192
"""Nor are those of coefficients with more bits than this."""
MOST_STEPS = 400
"""Rewrites of one polynomial; after that, or with more terms than `MOST_TERMS`, it stays as it is."""
MOST_SIZE = 500_000
"""Terms of all polynomials, and 64-bit words of their coefficients; after that, results are atoms. Examples have some thousand."""


@dataclass(frozen=True)
class Atom:
    """A term that stands for itself in polynomials: its kind, what tells it apart, and the forms that it is made of."""

    kind: str
    data: Hashable
    parts: tuple[int, ...] = ()
    """The numbers of forms."""


TRUE, FALSE = 1, 0

NOT_FINITE = "not finite"
"""The kind of atoms that are computed from infinity or NaN."""
CHOOSING = frozenset(("maximumf", "minimumf", "maxnumf", "minnumf"))
"""Operations that may have a number as their result where an operand is infinite."""


def of_sign(args: tuple[Term, ...]) -> tuple[int, ...]:
    """copysign(x, y) jumps where y is 0"""
    return () if has_sign(args[1]) else (1,)


def of_angle(args: tuple[Term, ...]) -> tuple[int, ...]:
    """atan2(y, x) jumps where y is 0, unless x is positive"""
    return () if has_sign(args[0]) or (args[1].type == "f64" and args[1].range.low > 0.0) else (0, 1)


def has_sign(term: Term) -> bool:
    """True if a number is always positive, or always negative."""
    return term.type == "f64" and (term.range.low > 0.0 or term.range.high < 0.0)


def of_all(args: tuple[Term, ...]) -> tuple[int, ...]:
    """Every operand."""
    return tuple(range(len(args)))


JUMPS: Mapping[str, Callable[[tuple[Term, ...]], tuple[int, ...]]] = {
    "copysign": of_sign,
    "atan2": of_angle,
    **dict.fromkeys(("floor", "ceil", "trunc", "round", "roundeven", "remf", "fptosi", "fptoui", "bitcast"), of_all),
}
"""Operations that jump, with the operands that must have the same bits."""


def by_bits(term: Term) -> tuple[Term, ...]:
    """The operands of a term that must have the same bits, as it jumps where they differ by rounding or by the sign of a zero."""
    jumps = JUMPS.get(term.op)
    return () if jumps is None else tuple(term.args[at] for at in jumps(term.args))


class OverReals:
    """Normal forms of the terms of one comparison."""

    def __init__(self, terms: Terms):
        self.terms = terms
        self.forms: dict[int, Form] = {}
        self._polynomials: list[Polynomial] = []
        self._polynomial_keys: dict[poly.Key, int] = {}
        self._keys: dict[int, int] = {}
        self._atoms: list[Atom] = []
        self._numbers: dict[Atom, int] = {}
        self._signs: dict[int, int] = {}
        self._leaves: dict[int, Term] = {}
        self._others: dict[Hashable, int] = {}
        self._other_parts: list[tuple[int, ...]] = [(), ()]
        self._other_leaves: dict[int, Term] = {}
        self._opposites: dict[int, int] = {FALSE: TRUE, TRUE: FALSE}
        self._comparisons: dict[int, tuple[str, Polynomial]] = {}
        self._size = 0

    # Forms

    def key(self, term: Term) -> Hashable:
        """A key that is equal for terms with one normal form."""
        found = self._keys.get(term.number)
        if found is None:
            found = self._keys[term.number] = self.key_of(self.of(term))
        return found

    def key_of(self, form: Form) -> int:
        """The number of a form: negative for polynomials."""
        if not isinstance(form, dict):
            return form
        number = self._polynomial_keys.setdefault(poly.key_of(form), len(self._polynomials))
        if number == len(self._polynomials):
            self._polynomials.append(form)
            self._size += size_of(form)
        return -1 - number

    def polynomial(self, key: int) -> Polynomial:
        """The polynomial with a number."""
        return self._polynomials[-1 - key]

    def of(self, term: Term) -> Form:
        """The normal form of a term."""
        if term.number not in self.forms:
            for each in self.terms.below((term,)):
                if each.number not in self.forms:
                    form = self.forms[each.number] = self._form(each)
                    self._size += size_of(form) if isinstance(form, dict) else 0
        return self.forms[term.number]

    def _form(self, term: Term) -> Form:
        parts = [self.forms[arg.number] for arg in term.args]
        if term.type in ("f64", "f32"):
            return self._float(term, parts)
        if term.type == "i1":
            return self._flag(term, parts)
        if term.is_constant:
            return self._other(("constant", term.type, key_of(term.data)))
        if not term.args:
            return self._other_leaf(term)
        return self._other((term.op, term.type, term.data), *self._parts(term, parts))

    def _parts(self, term: Term, parts: list[Form]) -> tuple[int, ...]:
        keys = [self.key_of(part) for part in parts]
        for operand in by_bits(term):
            for at, arg in enumerate(term.args):
                if arg is operand:
                    keys[at] = self._other(("bits", arg.number), keys[at])
        return tuple(sorted(keys)) if term.op in COMMUTATIVE else tuple(keys)

    def _other(self, head: Hashable, *parts: int) -> int:
        key = (head, parts)
        number = self._others.get(key)
        if number is None:
            number = self._others[key] = len(self._other_parts)
            self._other_parts.append(parts)
        return number

    def _other_leaf(self, term: Term) -> int:
        number = self._other(("leaf", term.number))
        self._other_leaves[number] = term
        return number

    def _atom(self, kind: str, data: Hashable = None, *parts: int) -> int:
        held = Atom(kind, data, parts)
        number = self._numbers.get(held)
        if number is None:
            number = self._numbers[held] = len(self._atoms)
            self._atoms.append(held)
        return number

    def atom(self, number: int) -> Atom:
        """An atom by its number."""
        return self._atoms[number]

    def leaf(self, number: int) -> Term | None:
        """The leaf that an atom is."""
        return self._leaves.get(number)

    def atom_of(self, leaf: Term) -> int:
        """The atom of a leaf, whose range says whether it can be negative."""
        number = self._atom("leaf", leaf.number)
        if number not in self._leaves:
            self._leaves[number] = leaf
            low = leaf.range.low if leaf.type == "f64" else -math.inf
            self._signs[number] = 2 if low > 0.0 else 1 if low >= 0.0 else 0
        return number

    def leaves_in(self, form: Form) -> set[Term]:
        """The leaves that a form is made of."""
        found: set[Term] = set()
        seen: set[int] = set()
        open_ = [self.key_of(form)]
        while open_:
            key = open_.pop()
            if key in seen:
                continue
            seen.add(key)
            if key >= 0:
                open_ += self._other_parts[key]
                found |= {self._other_leaves[key]} if key in self._other_leaves else set[Term]()
                continue
            for number in poly.atoms_of(self.polynomial(key)):
                open_ += self._atoms[number].parts
                found |= {self._leaves[number]} if number in self._leaves else set[Term]()
        return found

    # Floats

    def _float(self, term: Term, parts: list[Form]) -> Polynomial:
        if term.is_constant:
            value = term.data
            return poly.number(Fraction(value)) if math.isfinite(value) else poly.atom(self._atom("constant", str(value)))
        if term.op == "rational":
            return poly.number(term.data)
        if not term.args:
            return poly.atom(self.atom_of(term))
        if any(map(self.is_not_finite, parts)) and (term.op not in CHOOSING or not self._has_infinity(parts)):
            return self._not_finite(term, parts)
        if self._size > MOST_SIZE:
            return self._unexpanded(term, parts)
        match term.op, parts:
            case "addf", [dict() as p, dict() as q]:
                return poly.add(p, q)
            case "subf", [dict() as p, dict() as q]:
                return poly.subtract(p, q)
            case "negf", [dict() as p]:
                return poly.scale(p, -1)
            case "extf", [dict() as p]:
                return p
            case "fma", [dict() as p, dict() as q, dict() as r]:
                return fused(self, p, q, r)
            case op, [dict() as p] if op in UNARY:
                return UNARY[op](self, p)
            case op, [dict() as p, dict() as q] if op in BINARY:
                return BINARY[op](self, p, q)
            case "select", [int() as condition, dict() as x, dict() as y]:
                return self.choice(condition, x, y)
            case _:
                return self._unexpanded(term, parts)

    def _unexpanded(self, term: Term, parts: list[Form]) -> Polynomial:
        """An operation that stands for itself."""
        return poly.atom(self._atom(term.op, (term.type, term.data), *self._parts(term, parts)))

    def _not_finite(self, term: Term, parts: list[Form]) -> Polynomial:
        return poly.atom(self._atom(NOT_FINITE, (term.op, term.type, term.data), *self._parts(term, parts)))

    def is_not_finite(self, form: Form) -> bool:
        """True if a form is infinity, NaN, or is computed from one of them: such forms are never parts of sums or products."""
        if not isinstance(form, dict) or len(form) != 1:
            return False
        ((monomial, _),) = form.items()
        return len(monomial) == 1 and self._atoms[monomial[0][0]].kind in ("constant", NOT_FINITE)

    def _has_infinity(self, parts: list[Form]) -> bool:
        return any(isinstance(part, dict) and self._infinity(part) != 0 for part in parts)

    def times(self, p: Polynomial, q: Polynomial) -> Polynomial:
        """p * q, not expanded if that is too long."""
        for x, y in ((p, q), (q, p)):
            constant = poly.as_number(x)
            if constant is not None and not self._is_long(y, constant):
                return poly.scale(y, constant)
        if len(p) * len(q) > MOST_TERMS or self._bits(p) + self._bits(q) > MOST_BITS:
            return poly.atom(self._atom("product", None, *sorted((self.key_of(p), self.key_of(q)))))
        return self.tidy(poly.multiply(p, q))

    def _is_long(self, p: Polynomial, factor: Fraction) -> bool:
        return self._bits(p) + factor.denominator.bit_length() > MOST_BITS

    @staticmethod
    def _bits(p: Polynomial) -> int:
        return max((c.numerator.bit_length() + c.denominator.bit_length() for c in p.values()), default=0)

    def power(self, p: Polynomial, exponent: int) -> Polynomial:
        """p ** exponent, for an exponent of at least 0."""
        total = poly.number(1)
        for _ in range(exponent):
            total = self.times(total, p)
        return total

    def divide(self, p: Polynomial, q: Polynomial) -> Polynomial:
        """p / q"""
        return self.times(p, self.inverse(q)) if q else poly.atom(self._atom(NOT_FINITE, "division by 0", self.key_of(p)))

    def inverse(self, p: Polynomial) -> Polynomial:
        """1 / p"""
        constant = poly.as_number(p)
        if constant is not None:
            return poly.number(1 / constant) if constant else poly.atom(self._atom(NOT_FINITE, "1 / 0"))
        if len(p) == 1:
            ((monomial, coefficient),) = p.items()
            total = poly.number(1 / coefficient)
            for index, exponent in monomial:
                total = self.times(total, self.power(self._inverse_of_atom(index), exponent))
            return total
        shift, p = self._without_exponential(p)
        coefficient = p[poly.leading(p)]
        found = poly.atom(self._atom("inv", None, self.key_of(poly.scale(p, 1 / coefficient))))
        return self.times(poly.scale(found, 1 / coefficient), self.exponential(poly.scale(shift, -1)))

    def _inverse_of_atom(self, index: int) -> Polynomial:
        atom = self._atoms[index]
        if atom.kind == "exp":
            return self.exponential(poly.scale(self.polynomial(atom.parts[0]), -1))
        if atom.kind == "inv" and self.is_nonzero(self.polynomial(atom.parts[0])):
            return self.polynomial(atom.parts[0])
        return poly.atom(self._atom("inv", None, self.key_of(poly.atom(index))))

    def _without_exponential(self, p: Polynomial) -> tuple[Polynomial, Polynomial]:
        """A sum as `exp(shift)` times a sum, chosen in the same way for all sums that differ by an exponential."""
        shifts = {poly.key_of(self._exponent(monomial)) for monomial in p}
        if shifts == {()}:
            return {}, p
        ways = [(dict(shift), self.times(p, self.exponential(poly.scale(dict(shift), -1)))) for shift in sorted(shifts)]
        return min(ways, key=lambda way: poly.key_of(poly.scale(way[1], 1 / way[1][poly.leading(way[1])])))

    def _exponent(self, monomial: Monomial) -> Polynomial:
        """The argument of the exponential in a monomial."""
        for index, _ in monomial:
            if self._atoms[index].kind == "exp":
                return self.polynomial(self._atoms[index].parts[0])
        return {}

    def exponential(self, p: Polynomial) -> Polynomial:
        """exp(p)"""
        return poly.atom(self._atom("exp", None, self.key_of(p))) if p else poly.number(1)

    def tidy(self, p: Polynomial) -> Polynomial:
        """A polynomial with exponentials joined, squares of roots without them, and `b * inv(b)` as 1."""
        done: Polynomial = {}
        waiting = list(p.items())
        steps = 0
        while waiting:
            monomial, coefficient = waiting.pop()
            has_room = steps < MOST_STEPS and len(done) + len(waiting) <= MOST_TERMS
            simpler = self._simpler(monomial) if has_room else None
            if simpler is None:
                new = done.get(monomial, 0) + coefficient
                if new:
                    done[monomial] = Fraction(new)
                else:
                    done.pop(monomial, None)
            else:
                steps += 1
                waiting += [(each, factor * coefficient) for each, factor in simpler.items()]
        return done

    def _simpler(self, monomial: Monomial) -> Polynomial | None:
        exponentials = [(index, exponent) for index, exponent in monomial if self._atoms[index].kind == "exp"]
        if len(exponentials) > 1 or any(exponent != 1 for _, exponent in exponentials):
            argument: Polynomial = {}
            for index, exponent in exponentials:
                argument = poly.add(argument, poly.scale(self.polynomial(self._atoms[index].parts[0]), exponent))
            rest = tuple(each for each in monomial if each not in exponentials)
            return poly.multiply({rest: Fraction(1)}, self.exponential(argument))
        for index, exponent in monomial:
            atom = self._atoms[index]
            if atom.kind == "sqrt" and exponent > 1 and self.sign(self.polynomial(atom.parts[0])) > 0:
                rest = tuple((each, power if each != index else power - 2) for each, power in monomial if each != index or power > 2)
                return poly.multiply({rest: Fraction(1)}, self.polynomial(atom.parts[0]))
            if atom.kind == "inv":
                found = self._cancelled(monomial, index, self.polynomial(atom.parts[0]))
                if found is not None:
                    return found
        return None

    def _cancelled(self, monomial: Monomial, index: int, below: Polynomial) -> Polynomial | None:
        """M * lead(D) * inv(D)  ->  M * (1 - rest(D) * inv(D)), where D is not 0"""
        if not below:
            return None
        if len(below) == 2 and poly.ONE in below:
            found = self._shifted(monomial, index, below)
            if found is not None:
                return found
        lead = poly.leading(below)
        powers = dict(monomial)
        if any(powers.get(each, 0) < exponent for each, exponent in lead) or not self.is_nonzero(below):
            return None
        for each, exponent in (*lead, (index, 1)):
            powers[each] -= exponent
        outer = {tuple(sorted((each, exponent) for each, exponent in powers.items() if exponent)): Fraction(1)}
        rest = {each: -coefficient for each, coefficient in below.items() if each != lead}
        inner = poly.add(poly.number(1), poly.multiply(rest, poly.atom(index)))
        return poly.scale(poly.multiply(outer, inner), 1 / below[lead])

    def _shifted(self, monomial: Monomial, index: int, below: Polynomial) -> Polynomial | None:
        """
        exp(e) * inv(a + b * exp(d))  with e brought between 0 and d, which a and b of one sign allow:

            e >= d:  (exp(e - d) - a * exp(e - d) * inv(..)) / b
            e < 0:   (exp(e) - b * exp(e + d) * inv(..)) / a
        """
        other = next(each for each in below if each != poly.ONE)
        if len(other) != 1 or other[0][1] != 1 or self._atoms[other[0][0]].kind != "exp" or not self.is_nonzero(below):
            return None
        d = self.polynomial(self._atoms[other[0][0]].parts[0])
        e = self._exponent(monomial)
        times = ratio(e, d) if e else None
        if times is None or 0 <= times < 1:
            return None
        rest = tuple(each for each in monomial if self._atoms[each[0]].kind != "exp")
        outer = tuple((each, exponent - (each == index)) for each, exponent in rest if exponent - (each == index))
        kept, left = {rest: Fraction(1)}, {outer: Fraction(1)}
        first, second = below[poly.ONE], below[other]
        if times >= 1:
            shift = self.exponential(poly.subtract(e, d))
            whole = poly.subtract(poly.multiply(left, shift), poly.scale(poly.multiply(kept, shift), first))
            return poly.scale(whole, 1 / second)
        shift = self.exponential(poly.add(e, d))
        whole = poly.subtract(poly.multiply(left, self.exponential(e)), poly.scale(poly.multiply(kept, shift), second))
        return poly.scale(whole, 1 / first)

    # Signs

    def sign(self, p: Polynomial) -> int:
        """2 if a polynomial is positive for all real numbers, 1 if it is not negative, else 0."""
        best = 1
        for monomial, coefficient in p.items():
            if coefficient < 0:
                return 0
            signs = [
                2 if self._atom_sign(index) == 2 else 1 if exponent % 2 == 0 else self._atom_sign(index) for index, exponent in monomial
            ]
            least = min(signs, default=2)
            if least == 0:
                return 0
            best = max(best, least)
        return best

    def _atom_sign(self, index: int) -> int:
        found = self._signs.get(index)
        if found is None:
            atom = self._atoms[index]
            match atom.kind:
                case "exp":
                    found = 2
                case "sqrt":
                    found = 2 if self.sign(self.polynomial(atom.parts[0])) == 2 else 1
                case "relu":
                    found = 1
                case "inv":
                    found = 2 if self.polynomial(atom.parts[0]) and self.sign(self.polynomial(atom.parts[0])) == 2 else 0
                case _:
                    found = 0
            self._signs[index] = found
        return found

    def is_nonzero(self, p: Polynomial) -> bool:
        """True if a polynomial is certainly not 0."""
        return self.sign(p) == 2 or self.sign(poly.scale(p, -1)) == 2

    # Functions

    def relu(self, p: Polynomial) -> Polynomial:
        """max(p, 0)"""
        constant = poly.as_number(p)
        if constant is not None:
            return poly.number(max(constant, Fraction(0)))
        if self.sign(p):
            return p
        if self.sign(poly.scale(p, -1)):
            return {}
        coefficient = p[poly.leading(p)]
        normal = poly.scale(p, 1 / coefficient)
        found = poly.atom(self._atom("relu", None, self.key_of(normal)))
        return poly.scale(found, coefficient) if coefficient > 0 else poly.scale(poly.subtract(found, normal), -coefficient)

    def maximum(self, p: Polynomial, q: Polynomial) -> Polynomial:
        """max(p, q)"""
        for x, bound in ((p, q), (q, p)):
            infinity = self._infinity(bound)
            if infinity:
                return bound if infinity > 0 else x
        return poly.add(q, self.relu(poly.subtract(p, q)))

    def minimum(self, p: Polynomial, q: Polynomial) -> Polynomial:
        """min(p, q)"""
        for x, bound in ((p, q), (q, p)):
            infinity = self._infinity(bound)
            if infinity:
                return x if infinity > 0 else bound
        return poly.subtract(p, self.relu(poly.subtract(p, q)))

    def _infinity(self, p: Polynomial) -> int:
        """The sign of a polynomial that is infinity, else 0."""
        if len(p) == 1:
            ((monomial, coefficient),) = p.items()
            if len(monomial) == 1 and self._atoms[monomial[0][0]] in (Atom("constant", "inf"), Atom("constant", "-inf")):
                sign = 1 if self._atoms[monomial[0][0]].data == "inf" else -1
                return sign if coefficient > 0 else -sign
        return 0

    def absolute(self, p: Polynomial) -> Polynomial:
        """|p|"""
        return poly.subtract(poly.scale(self.relu(p), 2), p)

    def root(self, p: Polynomial) -> Polynomial:
        """sqrt(p)"""
        constant = poly.as_number(p)
        if constant is not None and constant >= 0:
            top, bottom = math.isqrt(constant.numerator), math.isqrt(constant.denominator)
            if top * top == constant.numerator and bottom * bottom == constant.denominator:
                return poly.number(Fraction(top, bottom))
            return poly.atom(self._atom("sqrt", None, self.key_of(p)))
        coefficient = abs(p[poly.leading(p)])
        if constant is None and coefficient != 1:
            return self.times(self.root(poly.number(coefficient)), self.root(poly.scale(p, 1 / coefficient)))
        return poly.atom(self._atom("sqrt", None, self.key_of(p)))

    def logarithm(self, p: Polynomial) -> Polynomial:
        """log(p)"""
        return poly.atom(self._atom("log", None, self.key_of(p)))

    def hyperbolic(self, p: Polynomial) -> Polynomial:
        """tanh(p)"""
        below = poly.add(self.exponential(poly.scale(p, 2)), poly.number(1))
        return poly.subtract(poly.number(1), poly.scale(self.inverse(below), 2))

    def raised(self, p: Polynomial, q: Polynomial) -> Polynomial:
        """p ** q"""
        exponent = poly.as_number(q)
        if exponent is not None and exponent.denominator == 1 and 0 <= exponent <= 64:
            return self.power(p, exponent.numerator)
        if exponent == Fraction(1, 2):
            return self.root(p)
        return poly.atom(self._atom("powf", None, self.key_of(p), self.key_of(q)))

    def choice(self, condition: int, p: Polynomial, q: Polynomial) -> Polynomial:
        """condition ? p : q"""
        if condition in (TRUE, FALSE):
            return p if condition == TRUE else q
        change = poly.subtract(p, q)
        if not change:
            return q
        below = self._opposites.get(condition)
        if below is not None and below < condition:
            return self.choice(below, q, p)
        if condition in self._comparisons:
            kind, d = self._comparisons[condition]
            factor = ratio(change, d)
            if kind in ("lt", "le") and factor is not None:
                return poly.add(q, poly.scale(self.minimum(d, {}), factor))
        coefficient = change[poly.leading(change)]
        found = poly.atom(self._atom("if", None, condition, self.key_of(poly.scale(change, 1 / coefficient))))
        return poly.add(q, poly.scale(found, coefficient))

    # Flags

    def _flag(self, term: Term, parts: list[Form]) -> int:
        if term.is_constant:
            return TRUE if term.data else FALSE
        if not term.args:
            return self._other_leaf(term)
        match term.op, parts:
            case "cmpf", _ if self._size > MOST_SIZE:
                return self._other((term.op, term.type, term.data), *self._parts(term, parts))
            case "cmpf", [dict() as p, dict() as q] if term.data not in ("ord", "uno"):
                return self.compare(str(term.data)[1:], p, q)
            case "cmpi", [int() as x, int() as y] if term.data in ("sle", "ule"):
                return self.opposite(self._other(("cmpi", str(term.data)[0] + "lt"), y, x))
            case "cmpi", [int() as x, int() as y] if term.data in ("eq", "ne"):
                found = TRUE if x == y else self._other(("cmpi", "eq"), min(x, y), max(x, y))
                return found if term.data == "eq" else self.opposite(found)
            case "andi", [int() as x, int() as y]:
                return self.both(x, y)
            case "ori", [int() as x, int() as y]:
                return self.opposite(self.both(self.opposite(x), self.opposite(y)))
            case "xori", [int() as x, int() as y] if TRUE in (x, y):
                return self.opposite(y if x == TRUE else x)
            case _:
                return self._other((term.op, term.type, term.data), *self._parts(term, parts))

    def opposite(self, flag: int) -> int:
        """not flag"""
        found = self._opposites.get(flag)
        if found is None:
            found = self._opposites[flag] = self._other("not", flag)
            self._opposites[found] = flag
        return found

    def both(self, x: int, y: int) -> int:
        """x and y"""
        if FALSE in (x, y) or self._opposites.get(x) == y:
            return FALSE
        if TRUE in (x, y):
            return y if x == TRUE else x
        return x if x == y else self._other("and", min(x, y), max(x, y))

    def compare(self, kind: str, p: Polynomial, q: Polynomial) -> int:
        """p < q, p <= q, p > q, p >= q, p == q or p != q"""
        if kind in ("gt", "ge"):
            return self.opposite(self.compare("le" if kind == "gt" else "lt", p, q))
        if kind == "ne":
            return self.opposite(self.compare("eq", p, q))
        for bound, sign in ((q, 1), (p, -1)):
            infinity = self._infinity(bound) * sign
            if infinity and not self.is_not_finite(p if sign > 0 else q):
                return TRUE if kind != "eq" and infinity > 0 else FALSE
        if self.is_not_finite(p) or self.is_not_finite(q):
            return self._other((NOT_FINITE, kind), self.key_of(p), self.key_of(q))
        difference = poly.subtract(p, q)
        constant = poly.as_number(difference)
        if constant is not None:
            return TRUE if (constant < 0 if kind == "lt" else constant <= 0 if kind == "le" else constant == 0) else FALSE
        coefficient = difference[poly.leading(difference)]
        normal = poly.scale(difference, 1 / coefficient)
        if kind != "eq" and coefficient < 0:  # -d < 0 is not (d <= 0)
            return self.opposite(self._comparison("le" if kind == "lt" else "lt", normal))
        return self._comparison(kind, normal)

    def _comparison(self, kind: str, d: Polynomial) -> int:
        """d < 0, d <= 0 or d == 0"""
        if self.sign(d) == 2 or (kind == "lt" and self.sign(d)):
            return FALSE
        opposite = self.sign(poly.scale(d, -1))
        if kind != "eq" and (opposite == 2 or (kind == "le" and opposite)):
            return TRUE
        found = self._other(kind, self.key_of(d))
        self._comparisons[found] = (kind, d)
        return found


def size_of(p: Polynomial) -> int:
    """The terms of a polynomial, and the 64-bit words of their coefficients."""
    return len(p) + sum(c.numerator.bit_length() + c.denominator.bit_length() for c in p.values()) // 64


def ratio(p: Polynomial, q: Polynomial) -> Fraction | None:
    """The constant by which p is a multiple of q."""
    if p.keys() != q.keys():
        return None
    factors = {p[monomial] / q[monomial] for monomial in p}
    return factors.pop() if len(factors) == 1 else None


def fused(reals: OverReals, p: Polynomial, q: Polynomial, r: Polynomial) -> Polynomial:
    """p * q + r"""
    return poly.add(reals.times(p, q), r)


def inverse_root(reals: OverReals, p: Polynomial) -> Polynomial:
    """1 / sqrt(p)"""
    return reals.inverse(reals.root(p))


def exponential_less_one(reals: OverReals, p: Polynomial) -> Polynomial:
    """exp(p) - 1"""
    return poly.subtract(reals.exponential(p), poly.number(1))


def logarithm_after_one(reals: OverReals, p: Polynomial) -> Polynomial:
    """log(1 + p)"""
    return reals.logarithm(poly.add(p, poly.number(1)))


UNARY: Mapping[str, Callable[[OverReals, Polynomial], Polynomial]] = {
    "absf": OverReals.absolute,
    "sqrt": OverReals.root,
    "rsqrt": inverse_root,
    "exp": OverReals.exponential,
    "expm1": exponential_less_one,
    "log": OverReals.logarithm,
    "log1p": logarithm_after_one,
    "tanh": OverReals.hyperbolic,
}
BINARY: Mapping[str, Callable[[OverReals, Polynomial, Polynomial], Polynomial]] = {
    "mulf": OverReals.times,
    "divf": OverReals.divide,
    "maximumf": OverReals.maximum,
    "minimumf": OverReals.minimum,
    "maxnumf": OverReals.maximum,
    "minnumf": OverReals.minimum,
    "powf": OverReals.raised,
}
