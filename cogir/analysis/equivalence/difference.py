"""
Where two models differ, in the user's words: an output, the node whose value or state differs first, and the two expressions.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

from cogir.analysis.equivalence import polynomials as poly
from cogir.analysis.equivalence.correspondence import Correspondence
from cogir.analysis.equivalence.keep_bits import COMMUTATIVE
from cogir.analysis.equivalence.matching import Element
from cogir.analysis.equivalence.over_reals import OverReals
from cogir.analysis.equivalence.polynomials import Polynomial
from cogir.analysis.equivalence.program import Cell, Program
from cogir.analysis.equivalence.terms import Loop, Term, Terms

DEEP = 12
"""Expressions are shown so many operations deep at most."""
LONG = 140
"""Characters of an expression that is shown."""

INFIX = {"addf": "+", "mulf": "*", "divf": "/", "addi": "+", "muli": "*", "andi": "and", "ori": "or"}
TESTS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}
CALLED = {"maximumf": "max", "minimumf": "min", "absf": "abs", "powf": "pow", "maxnumf": "fmax", "minnumf": "fmin"}


@dataclass(frozen=True)
class Difference:
    """
    The first difference of two models.

    `output` is the pair of outputs that differ, `where` the states or values that differ first, of both models, and `first` and `second`
    are what they become.
    """

    output: tuple[str, str]
    where: tuple[str, str]
    what: str
    first: str
    second: str
    change: str | None = None
    """The difference second - first, if that is short."""

    def __str__(self) -> str:
        text = f"{self.what.format(both(self.output), both(self.where))}:\n    first:  {self.first}\n    second: {self.second}"
        if self.first == self.second:
            text += (
                "\n    equal over the reals, but for an operand that differs by rounding or the sign of a zero, where an operation jumps"
            )
        return text + (f"\n    second - first: {self.change}" if self.change else "")


def both(names: tuple[str, str]) -> str:
    """Two names, or one if they are the same."""
    return names[0] if names[0] == names[1] else f"{names[0]} and {names[1]}"


def variable_number(leaf: Term) -> int:
    """The number of a variable of a loop, or of the first of those that it stands for."""
    place: Any = leaf.data[1]
    return cast("tuple[str, int]", place)[1] if isinstance(place, tuple) else leaf.number


class Namer:
    """The names of leaves for users."""

    def __init__(self, terms: Terms, programs: Sequence[Program]):
        self.terms = terms
        self.cells: dict[int, Cell] = {cell.now.number: cell for program in programs for cell in program.cells}

    def name(self, leaf: Term) -> str:
        """The name of a leaf."""
        match leaf.op:
            case "constant":
                return f"{leaf.data!r}"
            case "rational":
                return shown_fraction(leaf.data)
            case "input" | "parameter":
                name, at = leaf.data
                return f"{name}[{at}]"
            case "state":
                return self.cells[leaf.number].name if leaf.number in self.cells else str(leaf.data[1])
            case "variable":
                return self.name_of_variable(leaf)
            case "draw":
                return f"{leaf.data.law}()"
            case "stream":
                return f"the stream {leaf.data[0]} {leaf.data[1]}"
            case _:
                return "undefined"

    def name_of_variable(self, leaf: Term) -> str:
        """A variable of a loop: the state that it begins with, if it is one."""
        loop = self.terms.loops[leaf.data[0]]
        wanted = variable_number(leaf)
        for candidate in self.terms.loops.values():
            for variable, initial in zip(candidate.variables, candidate.initial, strict=True):
                if variable.number == wanted:
                    inner = initial
                    while inner.op == "select":
                        inner = inner.args[2]
                    if inner.op == "state":
                        return self.name(inner)
        return f"a value of loop {loop.number + 1}"

    def show(self, term: Term) -> str:
        """An expression, as deep as it is short."""
        text = ""
        for depth in range(DEEP, 0, -1):
            text = self._show(term, depth)
            if term.op in INFIX and text.startswith("(") and text.endswith(")"):
                text = text[1:-1]
            if len(text) <= LONG:
                return text
        return text[: LONG - 4] + " ..."

    def _show(self, term: Term, depth: int) -> str:
        if not term.args:
            return self.name(term)
        if term.op == "result":
            return self._show(term.args[0], depth)
        if depth == 0:
            return "..."
        parts = [self._show(arg, depth - 1) for arg in term.args]
        match term.op:
            case "addf" if "0.0" in parts:
                return parts[0] if parts[1] == "0.0" else parts[1]
            case "addf" if term.args[1].op == "negf":
                return f"({parts[0]} - {parts[1].removeprefix('-')})"
            case "addf" if term.args[0].op == "negf":
                return f"({parts[1]} - {parts[0].removeprefix('-')})"
            case "negf":
                return f"-{parts[0]}"
            case op if op in INFIX:
                return f"({parts[0]} {INFIX[op]} {parts[1]})"
            case "cmpf" | "cmpi":
                predicate = str(term.data)
                return f"({parts[0]} {TESTS.get(predicate, TESTS.get(predicate[1:], predicate))} {parts[1]})"
            case "select":
                return f"({parts[1]} if {parts[0]} else {parts[2]})"
            case "normal" | "uniform":
                return f"{term.op}()"
            case "xori" if term.type == "i1" and term.args[0].is_constant:
                return f"not {parts[1]}"
            case op:
                return f"{CALLED.get(op, op)}({', '.join(parts)})"

    def show_polynomial(self, reals: OverReals, p: Polynomial, most: int = 4) -> str | None:
        """A short polynomial of leaves, or None if it is long."""
        if len(p) > most:
            return None
        terms: list[str] = []
        for monomial, coefficient in sorted(p.items(), key=lambda item: poly.key_of(dict((item,)))):
            factors: list[str] = []
            for number, exponent in monomial:
                leaf = reals.leaf(number)
                if leaf is None:
                    return None
                factors.append(self.name(leaf) + (f"**{exponent}" if exponent > 1 else ""))
            shown = shown_fraction(coefficient)
            terms.append(" * ".join(factors if shown == "1" and factors else [shown, *factors]))
        return " + ".join(terms) or "0"


def shown_fraction(value: Fraction) -> str:
    """A number in as few digits as a float has."""
    return f"{float(value):g}" if abs(value) < 10**300 else "..."


def element_name(element: Element) -> str:
    """An element of a port."""
    return f"{element[0]}[{element[1]}]"


def first_difference(
    held: Correspondence,
    keys: Callable[[Term], Hashable],
    reals: OverReals,
    namer: Namer,
    programs: Sequence[Program],
    pairs: Sequence[tuple[Term, Term]],
    elements: Sequence[tuple[Element, Element]],
) -> Difference:
    """
    The difference that makes outputs differ: of those that differ while as much as possible is taken to be equal, the first one. From
    there it follows the operands that differ into earlier values and states.
    """
    ends = (programs[0].ending, programs[1].ending)
    search = DifferenceSearch(held, keys, namer)
    for round in range(len(held.history)):
        search.look_at(round)
        if search.differ(*ends):
            search.what, search.where = "a trial fails, or the run is over, in other cases", ("the trial", "the trial")
            return search.found(("the trial", "the trial"), ends, reals)
        for pair, (own, other) in zip(pairs, elements, strict=True):
            if search.differ(*pair):
                return search.found((element_name(own), element_name(other)), pair, reals)
    raise AssertionError("outputs that differ under the last correspondence")


class DifferenceSearch:
    """
    Follows two expressions to the first place where they differ.

    Whether two expressions differ is asked under the correspondence of one round, in which what is told apart later still counts as equal.
    """

    def __init__(self, held: Correspondence, keys: Callable[[Term], Hashable], namer: Namer):
        self.held = held
        self.keys = keys
        self.namer = namer
        self.where = ("", "")
        self.what = "output {0} differs"
        self.seen: set[tuple[int, int]] = set()
        self.round = 0
        self.known: dict[int, Hashable] = {}

    def look_at(self, round: int) -> None:
        """Asks under the correspondence of another round."""
        self.round = round
        self.known = {}

    def key(self, term: Term) -> Hashable:
        """The key of a term under the correspondence."""
        if term.number not in self.known:
            new = self.held.terms.rebuilt((term,), *self.held.history[self.round])
            for number, each in new.items():
                if number not in self.known:
                    self.known[number] = self.keys(each)
        return self.known[term.number]

    def differ(self, first: Term, second: Term) -> bool:
        """True if two terms differ."""
        return self.key(first) != self.key(second)

    def found(self, output: tuple[str, str], pair: tuple[Term, Term], reals: OverReals) -> Difference:
        """The difference that a pair of terms comes from."""
        self.where = self.where if self.where[0] else output
        first, second = self.follow(*pair)
        new = self.held.under((first, second))
        forms = [reals.of(new[term.number]) for term in (first, second)]
        change = None
        if isinstance(forms[0], dict) and isinstance(forms[1], dict):
            change = self.namer.show_polynomial(reals, poly.subtract(forms[1], forms[0]))
        return Difference(output, self.where, self.what, self.namer.show(first), self.namer.show(second), change if change != "0" else None)

    def follow(self, first: Term, second: Term) -> tuple[Term, Term]:
        """The two expressions that differ first."""
        shown = (first, second)
        while (first.number, second.number) not in self.seen:
            self.seen.add((first.number, second.number))
            further = self._into_state(first, second) or self._into_loop(first, second)
            if further is not None:
                shown = first, second = further
                continue
            different = self._different_operands(first, second)
            if different is None:
                break
            first, second = different
            if first.args and second.args:
                shown = (first, second)
        return shown

    def _different_operands(self, first: Term, second: Term) -> tuple[Term, Term] | None:
        """The only operands in which two operations differ, or the first of them if all are computed in the same way."""
        if first.op != second.op or (first.data != second.data and first.op != "result") or len(first.args) != len(second.args):
            return None
        own, other = list(first.args), list(second.args)
        if first.op in COMMUTATIVE:
            common = {self.key(arg) for arg in own} & {self.key(arg) for arg in other}
            own, other = ([arg for arg in args if self.key(arg) not in common] for args in (own, other))
            if len(own) != len(other):
                return None
        pairs = [(x, y) for x, y in zip(own, other, strict=True) if self.differ(x, y)]
        if len(pairs) > 1 and not all(x.op == y.op and not x.is_constant for x, y in pairs):
            return None
        return pairs[0] if pairs else None

    def _into_state(self, first: Term, second: Term) -> tuple[Term, Term] | None:
        """The first values of two different states, or what they become, in the first round that tells them apart."""
        own, other = self.namer.cells.get(first.number), self.namer.cells.get(second.number)
        if own is None or other is None:
            return None
        for what, pair in (("initial value of", (own.initial, other.initial)), ("value after a trial of", (own.then, other.then))):
            if self._look_where_they_differ(pair):
                self.what, self.where = f"output {{0}} differs, first in the {what} {{1}}", (own.name, other.name)
                return pair
        return None

    def _look_where_they_differ(self, pair: tuple[Term, Term]) -> bool:
        """Goes to the first round in which two terms differ; False if there is none up to this round."""
        last = self.round
        for round in range(last + 1):
            self.look_at(round)
            if self.differ(*pair):
                return True
        return False

    def _into_loop(self, first: Term, second: Term) -> tuple[Term, Term] | None:
        """The reason why two values of loops differ: when the loops end, what the values begin with, or what they become."""
        if first.op == "result" and second.op == "result":
            return first.args[0], second.args[0]
        if first.op != "variable" or second.op != "variable":
            return None
        mine, yours = self._loop_and_place(first), self._loop_and_place(second)
        if mine is None or yours is None:
            return None
        (own, at), (other, place) = mine, yours
        steps = [
            ("condition under which the loop over {1} goes on", own.condition, other.condition),
            ("initial value of {1}", own.initial[at], other.initial[place]),
            ("value after a step of {1}", own.nexts[at], other.nexts[place]),
        ]
        for what, before, after in steps:
            if before is not None and after is not None and self._look_where_they_differ((before, after)):
                self.what = f"output {{0}} differs, first in the {what}"
                self.where = (self.namer.name(first), self.namer.name(second))
                return before, after
        return None

    def _loop_and_place(self, variable: Term) -> tuple[Loop, int] | None:
        number = variable_number(variable)
        for loop in self.held.loops:
            for at, each in enumerate(loop.variables):
                if each.number == number:
                    return loop, at
        return None
