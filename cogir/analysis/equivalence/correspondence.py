"""
The coarsest correspondence between the states of two models that every trial keeps.

At first all cells with equal initial values count as equal, and so do the variables of all loops. What each of them becomes is then
computed under this assumption, and those that become different are told apart; this is repeated until nothing changes. What is left is
true by induction over trials and iterations: equal at the beginning, and equal after each step if equal before it. It can also be that a
cell keeps a constant. Loops correspond if they go on under the same condition, so that they end at the same time.

Which expressions count as equal is left to a function that gives their keys: over bits, or over the real numbers. What operations that jump
depend on (`by_bits`) must have the same bits in any case.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from cogir.analysis.equivalence.evaluate import Draw
from cogir.analysis.equivalence.over_reals import by_bits
from cogir.analysis.equivalence.program import SAMPLE, Cell, Program
from cogir.analysis.equivalence.terms import Loop, Term, Terms

Keys = Callable[[Term], Hashable]


@dataclass
class Reached:
    """The cells and loops on which some terms depend, and the draws."""

    cells: list[Cell]
    loops: list[Loop]
    draws: list[Term]
    jumps: list[Term]
    """Operands of operations that jump."""


def reached(terms: Terms, cells: Mapping[int, Cell], roots: Iterable[Term]) -> Reached:
    """The values that some terms depend on, through loops and earlier trials."""
    open_ = list(roots)
    seen: set[int] = set()
    found: dict[int, Cell] = {}
    loops: dict[int, Loop] = {}
    draws: dict[int, Term] = {}
    jumps: dict[int, Term] = {}
    while open_:
        term = open_.pop()
        if term.number in seen:
            continue
        seen.add(term.number)
        open_ += term.args
        jumps |= {each.number: each for each in by_bits(term)}
        if term.number in cells and term.number not in found:
            cell = found[term.number] = cells[term.number]
            open_ += (cell.initial, cell.then)
        elif term.op == "draw":
            draws[term.number] = term
        elif term.op in ("variable", "result"):
            number = term.data[0] if term.op == "variable" else term.data
            if number not in loops:
                loop = loops[number] = terms.loops[number]
                open_ += (*loop.initial, *loop.nexts, *([loop.condition] if loop.condition else []))
    return Reached(
        [found[each] for each in sorted(found)],
        [loops[each] for each in sorted(loops)],
        [draws[each] for each in sorted(draws)],
        [jumps[each] for each in sorted(jumps)],
    )


class Correspondence:
    """
    The coarsest classes of cells, variables and loops that two programs have in common.

    `coupling` gives, for the names of draws, the draw of the other program that has the same value.
    """

    def __init__(
        self, terms: Terms, programs: Sequence[Program], roots: Iterable[Term], keys: Keys, coupling: Mapping[Draw, Draw] | None = None
    ):
        self.terms = terms
        self.keys = keys
        self.coupling = coupling or {}
        cells = {cell.now.number: cell for program in programs for cell in program.cells}
        found = reached(terms, cells, roots)
        self.cells, self.loops, self.draws = found.cells, found.loops, found.draws
        behind = reached(terms, cells, found.jumps)
        self.by_bits = {cell.now.number for cell in behind.cells} | {each.number for loop in behind.loops for each in loop.variables}
        """The cells and variables that must have the same bits."""
        self.class_of: dict[int, Hashable] = {
            cell.now.number: ("cell", cell.now.type, keys(cell.initial), self._bits(cell.now, cell.initial)) for cell in self.cells
        }
        self.class_of |= {variable.number: ("variable", variable.type) for loop in self.loops for variable in loop.variables}
        self.loop_class: dict[int, Hashable] = {loop.number: ("loop", len(loop.inside)) for loop in self.loops}
        self.constants: dict[Hashable, Term] = {
            self.class_of[cell.now.number]: cell.initial for cell in self.cells if cell.initial.is_constant
        }
        """For a class of cells: the constant that they keep."""
        self.kept = {cell.now.number for cell in self.cells if cell.initial.is_constant}
        self.leaves: dict[int, Term] = {}
        self.new: dict[int, Term] = {}
        """The terms that cells and variables become; in them what corresponds is the same."""
        self.loop_leaders: dict[int, int] = {}
        self.history: list[tuple[dict[int, Term], dict[int, int]]] = []
        """The representative of each leaf and loop in each round; the first has the most in common."""
        while self._refine():
            pass

    def under(self, roots: Iterable[Term]) -> dict[int, Term]:
        """Terms in which what corresponds is the same, by the numbers of the terms."""
        return self.terms.rebuilt(roots, self.leaves, self.loop_leaders)

    def one(self, term: Term) -> Term:
        """A term in which what corresponds is the same."""
        return self.under((term,))[term.number]

    def equal(self, first: Term, second: Term) -> bool:
        """True if two terms are equal after every trial."""
        new = self.under((first, second))
        return self.keys(new[first.number]) == self.keys(new[second.number])

    def _bits(self, now: Term, *values: Term) -> tuple[int, ...]:
        """The values of a cell or a variable, if they must have the same bits."""
        return tuple(each.number for each in values) if now.number in self.by_bits else ()

    def _refine(self) -> bool:
        """Tells apart what becomes different; True if anything was."""
        self._choose_leaders()
        roots = [cell.then for cell in self.cells]
        for loop in self.loops:
            roots += [*loop.initial, *loop.nexts, *([loop.condition] if loop.condition else [])]
        new = self.new = self.under(roots)
        key = {number: self.keys(new[number]) for number in {root.number for root in roots}}
        before = self._count()
        self._split_loops(key)
        self._split_cells(key)
        return self._count() != before

    def _count(self) -> tuple[int, int, int]:
        return len(set(self.class_of.values())), len(set(self.loop_class.values())), len(self.kept)

    def _split_loops(self, key: Mapping[int, Hashable]) -> None:
        loops = {
            loop.number: (self.loop_class[loop.number], key[loop.condition.number] if loop.condition else None, self._nest(loop.inside))
            for loop in self.loops
        }
        variables: dict[int, Hashable] = {}
        for loop in self.loops:
            for variable, initial, then in zip(loop.variables, loop.initial, loop.nexts, strict=True):
                held = self.class_of[variable.number]
                bits = self._bits(variable, self.new[initial.number], self.new[then.number])
                variables[variable.number] = (held, loops[loop.number], key[initial.number], key[then.number], bits)
        self.loop_class = numbered(loops, "loop")
        self.class_of |= numbered(variables, "variable")

    def _nest(self, inside: Sequence[int]) -> tuple[Hashable, ...]:
        return tuple(self.loop_class.get(number, ("loop", number)) for number in inside)

    def _split_cells(self, key: Mapping[int, Hashable]) -> None:
        cells: dict[int, Hashable] = {}
        kept: set[int] = set()
        for cell in self.cells:
            number = cell.now.number
            held = self.class_of[number]
            constant = self.constants.get(held) if number in self.kept else None
            then = self.new[cell.then.number]
            is_same = constant is not None and (
                then is constant if number in self.by_bits else key[cell.then.number] == self.keys(constant)
            )
            if constant is not None and is_same and keeps(cell, constant):
                kept.add(number)
                cells[number] = (held, "kept")
            else:
                cells[number] = (held, key[cell.then.number], cell.at_runs, self._bits(cell.now, then))
        constants = {cells[number]: self.constants[self.class_of[number]] for number in kept}
        classes = numbered(cells, "cell")
        self.constants = {classes[number]: constants[cells[number]] for number in kept}
        self.class_of |= classes
        self.kept = kept

    def _choose_leaders(self) -> None:
        """The representative of each class: a constant, the first of its cells, or a variable of the first of the loops."""
        leaders: dict[Hashable, Term] = {}
        firsts: dict[Hashable, int] = {}
        for loop in self.loops:
            firsts.setdefault(self.loop_class[loop.number], loop.number)
        self.loop_leaders = {loop.number: firsts[self.loop_class[loop.number]] for loop in self.loops}
        self.leaves = {}
        for cell in self.cells:
            held = self.class_of[cell.now.number]
            constant = self.constants.get(held) if cell.now.number in self.kept else None
            self.leaves[cell.now.number] = constant if constant is not None else leaders.setdefault(held, cell.now)
        for loop in self.loops:
            for variable in loop.variables:
                held = self.class_of[variable.number]
                leader = leaders.get(held)
                if leader is None:
                    data = (self.loop_leaders[loop.number], ("class", variable.number))
                    leader = leaders[held] = self.terms.leaf("variable", variable.type, data)
                self.leaves[variable.number] = leader
        self._couple()
        self.history.append((self.leaves, self.loop_leaders))

    def _couple(self) -> None:
        """Draws that are coupled become one, if they are drawn in loops that correspond."""
        by_name = {draw.data.name: draw for draw in self.draws}
        for draw in self.draws:
            held: Draw = draw.data
            partner = self.coupling.get(held)
            if partner is not None and partner.name in by_name and self._nest(held.inside) == self._nest(partner.inside):
                held = partner
            inside = tuple(self.loop_leaders.get(number, number) for number in held.inside)
            self.leaves[draw.number] = self.terms.leaf("draw", draw.type, replace(held, inside=inside))


def keeps(cell: Cell, constant: Term) -> bool:
    """True if the beginning and the end of a run leave a cell the constant that it holds."""
    return all(after == SAMPLE or (after == 0 and constant.data == 0) for after in cell.at_runs)


def numbered(signatures: Mapping[int, Hashable], kind: str) -> dict[int, Hashable]:
    """Classes by number: members with equal signatures have one class."""
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for member, signature in signatures.items():
        groups[signature].append(member)
    return {member: (kind, min(members)) for members in groups.values() for member in members}
