"""
Sums of independent normal numbers as one.

If normal draws reach the rest of a model only in one sum `c1 * n1 + c2 * n2 + ...` (or in multiples of it), and the factors are known
before they are drawn, then the sum is normal with variance `c1**2 + c2**2 + ...`, and the model has the same distribution with
`sqrt(c1**2 + c2**2 + ...) * n` in its place. That also holds for one draw, and says that the sign of its factor does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from cogir.analysis.equivalence import polynomials as poly
from cogir.analysis.equivalence.correspondence import reached
from cogir.analysis.equivalence.evaluate import Draw
from cogir.analysis.equivalence.over_reals import OverReals, ratio
from cogir.analysis.equivalence.polynomials import Polynomial
from cogir.analysis.equivalence.program import Cell, Program
from cogir.analysis.equivalence.terms import Loop, Term, Terms

LINEAR = frozenset(("addf", "subf", "negf", "mulf"))
"""Operations whose operands are seen in the polynomial of the result."""


@dataclass(frozen=True)
class Sum:
    """A sum of normal draws: the factor of each, by the atom of the draw."""

    factors: dict[int, Polynomial]
    draws: dict[int, Term]


def standardise(terms: Terms, program: Program) -> Program:
    """
    The program with sums of normal draws as one draw each. Loops of the program are changed in place. `terms.spreads` is False before, so
    that the sums in results of loops are seen, and True after.
    """
    reals = OverReals(terms)
    cells = {cell.now.number: cell for cell in program.cells}
    outputs = [term for elements in program.outputs.values() for term in elements]
    found = reached(terms, cells, [*outputs, program.ending])
    roots = [*outputs, program.ending, *(each for cell in found.cells for each in (cell.then, cell.initial)), *ends_of(found.loops)]
    sums = sums_of(reals, terms, roots, found.draws)
    leaves: dict[int, Term] = {}
    for held in sums:
        leaves |= replaced(reals, terms, held)
    terms.spreads = True
    new = terms.rebuilt(roots, leaves, {})
    for loop in found.loops:
        loop.initial, loop.nexts = ([new[each.number] for each in part] for part in (loop.initial, loop.nexts))
        loop.condition = new[loop.condition.number] if loop.condition else None
    kept = {cell.now.number for cell in found.cells}
    changed = [
        Cell(cell.name, cell.now, new[cell.initial.number], new[cell.then.number], cell.at_runs) if cell.now.number in kept else cell
        for cell in program.cells
    ]
    made = {name: [new[term.number] for term in elements] for name, elements in program.outputs.items()}
    return Program(program.side, changed, made, new[program.ending.number], program.generators)


def ends_of(loops: Iterable[Loop]) -> list[Term]:
    """The expressions in loops."""
    return [each for loop in loops for each in (*loop.initial, *loop.nexts, *([loop.condition] if loop.condition else []))]


def sums_of(reals: OverReals, terms: Terms, roots: Iterable[Term], draws: Iterable[Term]) -> list[Sum]:
    """The sums of normal draws that may be replaced."""
    normal = {reals.atom_of(draw): draw for draw in draws if draw.data.law == "normal"}
    groups: dict[int, set[int]] = {atom: {atom} for atom in normal}
    seen: list[tuple[Polynomial, set[int]]] = []
    for form in sinks(reals, terms, roots):
        inside = poly.atoms_of(form) & normal.keys()
        if inside:
            seen.append((form, inside))
            joined = set[int]().union(*(groups[atom] for atom in inside))
            for atom in joined:
                groups[atom] = joined
    found: list[Sum] = []
    for group in {id(each): each for each in groups.values()}.values():
        forms = [form for form, inside in seen if inside & group]
        held = sum_in(reals, forms, group, normal)
        if held is not None:
            found.append(held)
    return found


def sinks(reals: OverReals, terms: Terms, roots: Iterable[Term]) -> list[Polynomial]:
    """The polynomials through which draws reach anything: of roots, and of operands of operations that are no sums or products."""
    roots = list(roots)
    found = {root.number: root for root in roots}
    for term in terms.below(roots):
        if term.op not in LINEAR:
            found |= {arg.number: arg for arg in term.args}
    forms = [reals.of(term) for term in found.values()]
    return [form for form in forms if isinstance(form, dict)]


def sum_in(reals: OverReals, forms: list[Polynomial], group: set[int], normal: dict[int, Term]) -> Sum | None:
    """The sum of a group of draws, if all forms contain it as a whole."""
    if not forms or len({normal[atom].data.inside for atom in group}) > 1:
        return None
    inside: tuple[int, ...] = normal[min(group)].data.inside
    parts = [noise_in(form, group) for form in forms]
    first = parts[0]
    if first is None or poly.atoms_of(first) & group != group:
        return None
    if any(part is None or ratio(part, first) is None for part in parts):
        return None
    factors = {atom: factor_of(first, atom) for atom in sorted(group)}
    if not all(is_known_before(reals, factor, inside) for factor in factors.values()):
        return None
    if not reals.is_nonzero(factors[min(group)]):
        return None
    return Sum(factors, {atom: normal[atom] for atom in group})


def noise_in(form: Polynomial, group: set[int]) -> Polynomial | None:
    """The part of a polynomial that holds draws of a group, or None if it is not linear in them."""
    part: Polynomial = {}
    for monomial, coefficient in form.items():
        held = [exponent for atom, exponent in monomial if atom in group]
        if held:
            if held != [1]:
                return None
            part[monomial] = coefficient
    return part


def factor_of(part: Polynomial, draw: int) -> Polynomial:
    """The factor of a draw in a linear form."""
    return {
        tuple(each for each in monomial if each[0] != draw): coefficient
        for monomial, coefficient in part.items()
        if any(atom == draw for atom, _ in monomial)
    }


def is_known_before(reals: OverReals, factor: Polynomial, inside: tuple[int, ...]) -> bool:
    """True if a factor is made of what is known when the draws are made."""
    for number in poly.atoms_of(factor):
        leaf = reals.leaf(number)
        if leaf is not None:
            if leaf.op in ("input", "parameter", "state"):
                continue
            if leaf.op == "variable" and leaf.data[0] in inside:
                continue
            return False
        atom = reals.atom(number)
        if atom.kind not in ("sqrt", "inv") or not is_known_before(reals, reals.polynomial(atom.parts[0]), inside):
            return False
    return True


def replaced(reals: OverReals, terms: Terms, held: Sum) -> dict[int, Term]:
    """For the first draw of a sum: `(deviation * n - the other draws) / its factor`, so that the sum is `deviation * n`."""
    first, *others = sorted(held.factors)
    variance: Polynomial = {}
    for factor in held.factors.values():
        variance = poly.add(variance, reals.times(factor, factor))
    law: Draw = held.draws[first].data
    normal = terms.leaf("draw", "f64", Draw("normal", (f"{law.name[0]} sum", law.name[1]), law.inside))
    value = terms.make("mulf", "f64", (term_of(reals, terms, reals.root(variance)), normal))
    for other in others:
        part = terms.make("mulf", "f64", (term_of(reals, terms, held.factors[other]), held.draws[other]))
        value = terms.make("subf", "f64", (value, part))
    return {held.draws[first].number: terms.node("divf", "f64", (value, term_of(reals, terms, held.factors[first])))}


def term_of(reals: OverReals, terms: Terms, form: Polynomial) -> Term:
    """A term with a normal form that is made of leaves, roots and inverses."""
    total = rational(terms, Fraction(0))
    for monomial, coefficient in form.items():
        value = rational(terms, coefficient)
        for number, exponent in monomial:
            for _ in range(exponent):
                value = terms.node("mulf", "f64", (value, term_of_atom(reals, terms, number)))
        total = terms.node("addf", "f64", (total, value))
    return total


def term_of_atom(reals: OverReals, terms: Terms, number: int) -> Term:
    """A leaf, a root or an inverse as a term."""
    leaf = reals.leaf(number)
    if leaf is not None:
        return leaf
    atom = reals.atom(number)
    inner = term_of(reals, terms, reals.polynomial(atom.parts[0]))
    if atom.kind == "sqrt":
        return terms.node("sqrt", "f64", (inner,))
    return terms.node("divf", "f64", (rational(terms, Fraction(1)), inner))


def rational(terms: Terms, value: Fraction) -> Term:
    """An exact number, which need not be a double."""
    return terms.leaf("rational", "f64", value)
