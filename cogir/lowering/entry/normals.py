"""
The normals of presampled generators in an entry for replicates (`presample-normals`): they are drawn before they are used.

Each such generator of a lane has memory for some normals, and a state of mt19937 from which they are drawn, many at a time:

    before each trial, for each generator:
        if fewer normals are left than the reserve:  move these to the beginning; draw more until there are enough
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import IndexType, MemRefType, StridedLayoutAttr, f64, i64
from xdsl.ir import SSAValue

from cogir.dialects.rng import ALL_WORDS, PRESAMPLED
from cogir.irutils import shape_of
from cogir.library.random.blocks import ADDRESS, DRAWN, TAKEN
from cogir.lowering.entry.code import Code
from cogir.lowering.entry.control_flow import loop, move, when

STATE = ALL_WORDS["mt19937"]
"""The words that are seeded."""
BYTES = 8
"""Those of a normal."""


class Words(Protocol):
    """The words of a presampled generator, wherever they are."""

    def load(self, code: Code, word: int) -> SSAValue: ...

    def store(self, code: Code, word: int, value: SSAValue) -> None: ...


class OfState:
    """Those in a state."""

    def __init__(self, state: SSAValue):
        self.state = state

    def load(self, code: Code, word: int) -> SSAValue:
        return code.load(self.state, word)

    def store(self, code: Code, word: int, value: SSAValue) -> None:
        code.store(value, self.state, word)


class Normals(ABC):
    """The normals of all lanes, and the states that they are drawn from."""

    buffer: SSAValue
    """The memory for normals, a memref of f64."""
    address: SSAValue
    """Its address, an i64: lanes without a replicate read there."""
    capacity: SSAValue
    """The normals for which each generator of a lane has memory."""
    reserve: SSAValue
    """The normals that are left at least when a trial begins."""

    def __init__(self, states: Sequence[MemRefType[Any]], lanes: int, draw: str, source_words: int, most: int):
        """
        `states`: the types of the states of a trial's generators; `draw`: the function that draws `most` normals at most from a state of
        `source_words`, and says how many.
        """
        self.numbers = presampled(states)
        """The presampled generators, by number."""
        self.lanes = lanes
        self.source_words = source_words
        row = StridedLayoutAttr([1], None)
        self.source = MemRefType(i64, (source_words,), row)
        self.seeded = MemRefType(i64, (STATE,), row)
        self.drawn = MemRefType(f64, (most,), row)
        self.draw = func.FuncOp.external(draw, [self.source, self.drawn], [i64])

    def allocate(self, code: Code, given: Mapping[str, SSAValue]) -> list[SSAValue]:
        """Makes the memory, and returns what is to be freed. `given`: the arguments of the entry."""
        self.sources = code.value(memref.AllocOp.get(i64, 64, shape=[self.lanes * len(self.numbers) * self.source_words]), "sources")
        self.held = code.value(memref.AllocaOp.get(i64, shape=[1]), "held")
        return [self.sources, *self.memory(code, given)]

    @abstractmethod
    def memory(self, code: Code, given: Mapping[str, SSAValue]) -> list[SSAValue]:
        """Says where the normals are, and how many; returns what is to be freed."""

    def sources_of(self, code: Code, lane: SSAValue, states: Sequence[SSAValue]) -> list[SSAValue]:
        """The states to be seeded when a lane begins a replicate: those of its generators, or what presampled ones are drawn from."""
        return [
            self.state(code, self.place(code, lane, number), self.seeded) if number in self.numbers else state
            for number, state in enumerate(states)
        ]

    def place(self, code: Code, lane: SSAValue, number: int) -> SSAValue:
        """The place of a generator of a lane among all of them."""
        before = code.value(arith.MuliOp(code.value(arith.IndexCastOp(lane, i64)), code.constant(len(self.numbers))))
        return code.value(arith.AddiOp(before, code.constant(self.numbers.index(number))))

    def state(self, code: Code, place: SSAValue, type: MemRefType[Any]) -> SSAValue:
        """A state of mt19937, or the beginning of it."""
        start = code.value(arith.IndexCastOp(code.value(arith.MuliOp(place, code.constant(self.source_words))), IndexType()))
        return code.value(memref.SubviewOp.get(self.sources, [start], list(shape_of(type)), [1], type))

    def begin(self, code: Code, lane: SSAValue, states: Sequence[SSAValue]) -> None:
        """A lane begins a replicate, of which no normals are drawn yet."""
        for number in self.numbers:
            first = code.value(arith.MuliOp(self.place(code, lane, number), self.capacity))
            bytes = code.value(arith.MuliOp(first, code.constant(BYTES)))
            words = OfState(states[number])
            words.store(code, ADDRESS, code.value(arith.AddiOp(self.address, bytes)))
            words.store(code, TAKEN, code.constant(0))
            words.store(code, DRAWN, code.constant(0))

    def prepare(self, code: Code, states: Sequence[SSAValue]) -> None:
        """Draws what a lane needs that begins a trial."""
        for number in self.numbers:
            self.feed(code, [OfState(states[number])])

    def feed(self, code: Code, held: Sequence[Words]) -> None:
        """
        Draws normals of a generator if fewer than the reserve are left. `held`: its words, at all places where they are held; these have
        taken more or fewer of the same normals.
        """
        taken = [words.load(code, TAKEN) for words in held]
        least, most = taken[0], taken[0]
        for number in taken[1:]:
            least, most = code.value(arith.MinSIOp(least, number)), code.value(arith.MaxSIOp(most, number))
        left = code.value(arith.SubiOp(held[0].load(code, DRAWN), most), "left")
        is_few = code.compare(left, "slt", self.reserve)
        when(code, is_few, lambda code: self.refill(code, held, taken, least, most))

    def refill(self, code: Code, held: Sequence[Words], taken: Sequence[SSAValue], least: SSAValue, most: SSAValue) -> None:
        """Moves the normals that are left anywhere to the beginning, and draws others behind them."""
        offset = code.value(arith.SubiOp(held[0].load(code, ADDRESS), self.address))
        bytes = code.value(arith.MuliOp(self.capacity, code.constant(BYTES)))
        place = code.value(arith.DivSIOp(offset, bytes), "place")
        first = code.value(arith.MuliOp(place, self.capacity), "first")
        kept = code.value(arith.SubiOp(held[0].load(code, DRAWN), least), "kept")
        move(code, self.buffer, first, code.value(arith.AddiOp(first, least)), kept)
        code.store(kept, self.held, 0)
        wanted = code.value(arith.AddiOp(self.reserve, code.value(arith.SubiOp(most, least))), "wanted")
        source = self.state(code, place, self.source)

        def are_few(code: Code) -> SSAValue:
            return code.compare(code.load(self.held, 0), "slt", wanted)

        def draw(code: Code) -> None:
            count = code.load(self.held, 0)
            start = code.value(arith.IndexCastOp(code.value(arith.AddiOp(first, count)), IndexType()))
            target = code.value(memref.SubviewOp.get(self.buffer, [start], list(shape_of(self.drawn)), [1], self.drawn))
            drawn = code.value(func.CallOp(self.draw.sym_name.data, [source, target], [i64]), "drawn")
            code.store(code.value(arith.AddiOp(count, drawn)), self.held, 0)

        loop(code, are_few, draw)
        for words, number in zip(held, taken, strict=True):
            words.store(code, TAKEN, code.value(arith.SubiOp(number, least)))
            words.store(code, DRAWN, code.load(self.held, 0))


def presampled(states: Sequence[MemRefType[Any]]) -> list[int]:
    """The numbers of the generators that are presampled, of those with states of these types."""
    return [number for number, type in enumerate(states) if shape_of(type) == (ALL_WORDS[PRESAMPLED],)]
