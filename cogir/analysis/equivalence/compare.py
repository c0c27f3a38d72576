"""
Compares two modules at stage `machine`: which outputs are equal, and in what sense.

    BITS          the same bits, whatever the inputs are
    REALS         the same real numbers, if rounding is left out
    DISTRIBUTION  the same distribution, if every generator gives independent numbers

The senses are tried in this order. `docs/design/equivalence.md` says why each answer is sound.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from itertools import islice, permutations
from typing import TypeVar

from xdsl.dialects.builtin import ModuleOp

from cogir.analysis.equivalence.correspondence import Correspondence, reached
from cogir.analysis.equivalence.difference import Difference, Namer, first_difference
from cogir.analysis.equivalence.evaluate import Draw, NotCompared
from cogir.analysis.equivalence.keep_bits import range_of, simplify
from cogir.analysis.equivalence.linear_generators import draws_are_new
from cogir.analysis.equivalence.matching import Element, Matched, shared
from cogir.analysis.equivalence.over_reals import OverReals
from cogir.analysis.equivalence.program import Program, program_of
from cogir.analysis.equivalence.standard_noise import standardise
from cogir.analysis.equivalence.terms import Term, Terms

_Paired = TypeVar("_Paired")

MOST_COUPLINGS = 120
"""Ways to couple the draws of two models that are tried."""


class Sense(IntEnum):
    """The sense in which two things are equal."""

    NONE = 0
    DISTRIBUTION = 1
    REALS = 2
    BITS = 3


@dataclass(frozen=True)
class Question:
    """
    Two modules, and what belongs together in them.

    `values` has elements of parameters that differ from those of the modules, by path, of the first module and of the second; `free` has
    pairs of paths of parameters that may take any value, the same in both.
    """

    first: ModuleOp
    second: ModuleOp
    inputs: Matched
    outputs: Matched
    values: tuple[Mapping[str, Sequence[float]], Mapping[str, Sequence[float]]] = field(default_factory=lambda: ({}, {}))
    free: tuple[tuple[str, str, int], ...] = ()
    budget: int = 200_000


@dataclass(frozen=True)
class Answer:
    """The sense in which each pair of outputs is equal, the first difference, and what was assumed of random numbers."""

    levels: tuple[Sense, ...]
    difference: Difference | None
    draws: bool = False
    """True if the outputs depend on random draws."""
    sources: tuple[frozenset[Hashable], ...] = ()
    """The inputs and the laws of draws on which each output of the first model depends, and of the second, over the real numbers."""

    @property
    def level(self) -> Sense:
        """The sense in which all are equal."""
        return min(self.levels, default=Sense.NONE)


Keys = Callable[[Term], Hashable]


class Comparison:
    """The equations of both models, and what they are compared by."""

    def __init__(self, question: Question, exact: bool = False, fresh: bool = False):
        self.question = question
        self.terms = Terms(simplify, range_of, exact)
        self.programs = tuple(self._new_program(side) if fresh else self._program(side, False) for side in (0, 1))
        self.reals = OverReals(self.terms)
        self.pairs = [
            (self.programs[0].outputs[own[0]][own[1]], self.programs[1].outputs[other[0]][other[1]])
            for own, other in question.outputs.pairs
        ]

    def _new_program(self, side: int) -> Program:
        """A program whose draws are new random numbers."""
        self.terms.spreads = False
        return standardise(self.terms, self._program(side, True))

    def _program(self, side: int, fresh: bool) -> Program:
        question, terms = self.question, self.terms

        def leaf(element: Element) -> object:
            return terms.leaf("input", "f64", element)

        leaves = shared(question.inputs.pairs, leaf)[side]
        inputs: dict[str, list[Term]] = {}
        for (port, at), term in sorted(leaves.items(), key=lambda item: item[0]):
            assert isinstance(term, Term)
            assert at == len(inputs.setdefault(port, []))
            inputs[port].append(term)
        types = {True: "f64", False: "i64"}
        values = question.values[side]
        parameters = {path: [terms.constant(each, types[isinstance(each, float)]) for each in held] for path, held in values.items()}
        for own, other, size in question.free:
            parameters[(own, other)[side]] = [terms.leaf("parameter", "f64", (own, at)) for at in range(size)]
        module = (question.first, question.second)[side]
        return program_of(module, terms, ("first", "second")[side], inputs, parameters, question.budget, fresh)

    @property
    def roots(self) -> list[Term]:
        """The outputs of both, and whether a trial fails."""
        return [term for pair in self.pairs for term in pair] + [program.ending for program in self.programs]

    def judged(
        self, keys: Keys, coupling: Mapping[Draw, Draw] | None = None, programs: Sequence[Program] | None = None
    ) -> tuple[Correspondence, list[bool]]:
        """The pairs of outputs that are equal if terms with equal keys are; none if one model fails where the other does not."""
        held = Correspondence(self.terms, programs or self.programs, self.roots, keys, coupling)
        ends = held.equal(self.programs[0].ending, self.programs[1].ending)
        return held, [ends and held.equal(first, second) for first, second in self.pairs]

    def draws_of(self, side: int) -> list[Term]:
        """The new random numbers on which the outputs of a program depend over the real numbers, in the order of the outputs."""
        found: dict[int, Term] = {}
        for pair in self.pairs:
            found |= {leaf.number: leaf for leaf in self._leaves_behind(pair[side], side) if leaf.op == "draw" and leaf.number not in found}
        return list(found.values())

    def sources(self) -> tuple[frozenset[Hashable], ...]:
        """The inputs, and the laws of draws, on which the outputs of either model depend over the real numbers."""
        return tuple(frozenset(self._sources_of(pair[side], side)) for side in (0, 1) for pair in self.pairs)

    def _sources_of(self, root: Term, side: int) -> set[Hashable]:
        leaves = self._leaves_behind(root, side)
        inputs: set[Hashable] = {leaf.data for leaf in leaves if leaf.op == "input"}
        return inputs | ({"draws"} if any(leaf.type == "rng" for leaf in leaves) else set[Hashable]())

    def _leaves_behind(self, root: Term, side: int) -> list[Term]:
        """The leaves on which a term depends over the real numbers, also through loops and earlier trials, by their numbers."""
        cells = {cell.now.number: cell for cell in self.programs[side].cells}
        found: dict[int, Term] = {}
        open_ = [root]
        while open_:
            for leaf in self.reals.leaves_in(self.reals.of(open_.pop())):
                if leaf.number in found:
                    continue
                found[leaf.number] = leaf
                if leaf.op == "variable":
                    loop = self.terms.loops[leaf.data[0]]
                    open_ += (*loop.initial, *loop.nexts, *([loop.condition] if loop.condition else []))
                elif leaf.number in cells:
                    open_.append(cells[leaf.number].then)
        return [found[number] for number in sorted(found)]

    def uses_generators(self, side: int) -> bool:
        """True if the outputs of a program depend on a generator."""
        cells = {cell.now.number: cell for cell in self.programs[side].cells}
        found = reached(self.terms, cells, [pair[side] for pair in self.pairs])
        return bool(found.draws) or any(cell.now.type == "rng" for cell in found.cells)


def compare(question: Question, least: Sense = Sense.DISTRIBUTION, explain: bool = True, sources: bool = False) -> Answer:
    """
    The sense in which the outputs of two modules are equal: the strongest that can be shown, not below `least`. `explain`: with the first
    difference. `sources`: with what outputs depend on.

    :raises NotCompared: if a module contains what cannot be compared.
    """
    comparison = Comparison(question)
    draws = any(comparison.uses_generators(side) for side in (0, 1))
    held, equal = comparison.judged(lambda term: term.number)
    levels = [Sense.BITS if each else Sense.NONE for each in equal]
    if least < Sense.BITS and not all(levels):
        comparison = Comparison(question, exact=True)
        held, equal = comparison.judged(comparison.reals.key)
        levels = [max(level, Sense.REALS if each else Sense.NONE) for level, each in zip(levels, equal, strict=True)]
    best = comparison
    if least < Sense.REALS and draws and not all(levels):
        levels, best, held = in_distribution(question, comparison, levels, held)
    difference = None
    if explain and not all(levels):
        keys = best.reals.key
        namer = Namer(best.terms, best.programs)
        wrong = [at for at, level in enumerate(levels) if not level]
        pairs, elements = [best.pairs[at] for at in wrong], [question.outputs.pairs[at] for at in wrong]
        difference = first_difference(held, keys, best.reals, namer, best.programs, pairs, elements)
    return Answer(tuple(levels), difference, draws, comparison.sources() if sources else ())


def in_distribution(
    question: Question, comparison: Comparison, levels: list[Sense], held: Correspondence
) -> tuple[list[Sense], Comparison, Correspondence]:
    """The levels with what is equal in distribution; all pairs under one coupling, as the outputs of a model depend on each other."""
    best: tuple[list[Sense], Comparison, Correspondence] = (levels, comparison, held)
    alike, same = comparison.judged(comparison.reals.key, None, one_stream(comparison))
    if not all(same) and not any(levels):
        best = (levels, comparison, alike)  # where they differ even with the same random numbers
    for way, found, equal in ways_to_couple(question, comparison):
        new = [Sense.DISTRIBUTION if each else Sense.NONE for each in equal]
        if all(new):
            return new, way, found
        if sum(map(bool, new)) > sum(map(bool, best[0])):
            best = (new, way, found)
    return best


def ways_to_couple(question: Question, comparison: Comparison) -> Generator[tuple[Comparison, Correspondence, list[bool]]]:
    """
    Ways to give two models the same random numbers, each with what is equal then. If nothing more is equal even if all streams, or all
    draws of a law, are one, then no way makes it so, and there is none.
    """
    renamed = list(islice(renamings(comparison), MOST_COUPLINGS))
    if renamed and hopeful(comparison, one_stream(comparison)):
        for names in renamed:
            programs = (comparison.programs[0], with_streams(comparison, 1, names))
            yield comparison, *comparison.judged(comparison.reals.key, None, programs)
    if not (is_independent(question.first, comparison.programs[0]) and is_independent(question.second, comparison.programs[1])):
        return
    try:
        fresh = Comparison(question, exact=True, fresh=True)
    except NotCompared:
        return
    coupled = list(islice(couplings(fresh), MOST_COUPLINGS))
    if coupled and hopeful(fresh, None, one_draw(fresh)):
        for coupling in coupled:
            yield fresh, *fresh.judged(fresh.reals.key, coupling)


def hopeful(comparison: Comparison, programs: Sequence[Program] | None, coupling: Mapping[Draw, Draw] | None = None) -> bool:
    """True if any output is equal when more random numbers are one than may be."""
    _, equal = comparison.judged(comparison.reals.key, coupling, programs)
    return all(equal)


def one_stream(comparison: Comparison) -> tuple[Program, ...]:
    """The programs with all generators beginning alike."""
    alike: dict[object, object] = dict.fromkeys([*streams_in(comparison, 0), *streams_in(comparison, 1)], "alike")
    return tuple(with_streams(comparison, side, alike) for side in (0, 1))


def one_draw(comparison: Comparison) -> dict[Draw, Draw]:
    """All draws of a law and as many loops deep as one of them."""
    firsts: dict[tuple[str, int], Draw] = {}
    draws: list[Draw] = [term.data for side in (0, 1) for term in comparison.draws_of(side)]
    return {draw: firsts.setdefault((draw.law, len(draw.inside)), draw) for draw in draws}


def is_independent(module: ModuleOp, program: Program) -> bool:
    """True if no two generators begin alike, and no number is drawn twice."""
    return len(set(program.generators.values())) == len(program.generators) and draws_are_new(module)


def streams_in(comparison: Comparison, side: int) -> list[tuple[str, object]]:
    """The initial states of the generators on which the outputs of a program depend."""
    cells = {cell.now.number: cell for cell in comparison.programs[side].cells}
    found = reached(comparison.terms, cells, [pair[side] for pair in comparison.pairs])
    return list(dict.fromkeys(cell.initial.data for cell in found.cells if cell.now.type == "rng"))


def renamings(comparison: Comparison) -> Generator[dict[object, object]]:
    """Streams of the first program by those of the second, so that each takes the place of one of its kind."""
    kinds: dict[str, tuple[list[object], list[object]]] = {}
    for side in (0, 1):
        for stream in streams_in(comparison, side):
            kinds.setdefault(stream[0], ([], []))[side].append(stream)
    yield from pairings(list(kinds.values()))


def with_streams(comparison: Comparison, side: int, renamed: Mapping[object, object]) -> Program:
    """A program with other streams."""
    program = comparison.programs[side]
    cells = [
        replace(cell, initial=comparison.terms.leaf("stream", "rng", renamed.get(cell.initial.data, cell.initial.data)))
        if cell.now.type == "rng"
        else cell
        for cell in program.cells
    ]
    return replace(program, cells=cells)


def couplings(comparison: Comparison) -> Generator[dict[Draw, Draw]]:
    """Draws of the first program by those of the second, of the same law and as many loops deep; by their order first."""
    kinds: dict[tuple[str, int], tuple[list[Draw], list[Draw]]] = {}
    for side in (0, 1):
        for term in comparison.draws_of(side):
            draw: Draw = term.data
            kinds.setdefault((draw.law, len(draw.inside)), ([], []))[side].append(draw)
    yield from pairings(list(kinds.values()))


def pairings(kinds: Sequence[tuple[Sequence[_Paired], Sequence[_Paired]]]) -> Generator[dict[_Paired, _Paired]]:
    """
    All ways to give each thing of a second list one of the first, kind by kind: things of the first by those of the second. None if a kind
    has more in one list than in the other. There can be very many: they are made one at a time (`itertools.product` would keep all
    permutations of each kind).
    """
    if any(len(own) != len(other) for own, other in kinds):
        return
    if not kinds:
        yield {}
        return
    own, other = kinds[0]
    for order in permutations(own):
        for rest in pairings(kinds[1:]):
            yield {**dict(zip(other, order, strict=True)), **rest}
