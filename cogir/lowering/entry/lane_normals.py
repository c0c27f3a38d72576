"""
The normals of presampled generators in an entry for replicates that has lanes.

`fill-lanes` says how many normals a call of `@lanes_iterate` and the rest of a trial draw at most (`cog.normals`). Each lane has memory for
some from each generator, and a state of mt19937 from which they are drawn in chunks (`cogir.library.random.ahead`):

    a lane begins a trial, or has made some calls of @lanes_iterate since:
        if fewer normals are left than it may draw until it is asked again:
            move these to the beginning; draw chunks until there are enough

Lanes without a replicate go on drawing; the first normals are repeated for them, and nobody reads what they compute.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, cast

from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import DenseArrayBase, IndexType, MemRefType, StridedLayoutAttr, f64, i64
from xdsl.ir import SSAValue

from cogir.dialects.rng import AHEAD_KIND, ALL_WORDS, DRAW_PREFIX, PRESAMPLED
from cogir.irutils import shape_of
from cogir.library.random.ahead import CHUNK, CHUNK_NORMALS
from cogir.library.random.blocks import ADDRESS, DRAWN, REPEATED, TAKEN
from cogir.lowering.entry.code import Code
from cogir.lowering.entry.control_flow import loop, move, when
from cogir.transforms.normals_in_lanes import MOST, NORMALS

DRAW = f"{DRAW_PREFIX}{AHEAD_KIND}_{CHUNK}"
"""The function that draws a chunk."""
MOST_CALLS = 16
"""A lane is asked at most after so many calls whether it needs normals; a power of two."""
CAPACITY = max(REPEATED, 2 * MOST + CHUNK_NORMALS)
"""A lane has memory for so many normals of each generator."""
STATE = ALL_WORDS["mt19937"]


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


class OfTable:
    """Those of a lane in a table of `fill-lanes`."""

    def __init__(self, table: SSAValue, lane: SSAValue):
        self.table, self.lane = table, lane

    def load(self, code: Code, word: int) -> SSAValue:
        return code.value(memref.LoadOp.get(self.table, [code.constant(word, IndexType()), self.lane]))

    def store(self, code: Code, word: int, value: SSAValue) -> None:
        code.builder.insert(memref.StoreOp.get(value, self.table, [code.constant(word, IndexType()), self.lane]))


class LaneNormals:
    """The normals of all lanes, and the states that they are drawn from."""

    def __init__(self, iterate: func.FuncOp, states: Sequence[MemRefType[Any]], lanes: int):
        """`iterate`: `@lanes_iterate`, with `NORMALS`; `states`: the types of the states of a trial's generators."""
        per_call, around, *self.tables = cast("DenseArrayBase[Any]", iterate.attributes[NORMALS]).get_values()
        self.calls = MOST_CALLS
        """After so many calls, lanes are asked."""
        while self.calls > 1 and self.calls * per_call + around > MOST:
            self.calls //= 2
        self.reserve = self.calls * per_call + around
        """The most normals that a lane draws until it is asked again."""
        self.numbers = [number for number, type in enumerate(states) if shape_of(type) == (ALL_WORDS[PRESAMPLED],)]
        """The generators that are presampled."""
        self.lanes = lanes
        row = StridedLayoutAttr([1], None)
        self.source = MemRefType(i64, (ALL_WORDS[AHEAD_KIND],), row)
        self.seeded = MemRefType(i64, (STATE,), row)
        self.chunk = MemRefType(f64, (CHUNK_NORMALS,), row)
        self.draw = func.FuncOp.external(DRAW, [self.source, self.chunk], [i64])

    def allocate(self, code: Code) -> list[SSAValue]:
        """Makes the memory, and returns what is to be freed."""
        count = self.lanes * len(self.numbers)
        self.normals = code.value(memref.AllocOp.get(f64, 64, shape=[count * CAPACITY]), "normals")
        self.sources = code.value(memref.AllocOp.get(i64, 64, shape=[count * ALL_WORDS[AHEAD_KIND]]), "sources")
        address = memref.ExtractAlignedPointerAsIndexOp.build(operands=[self.normals], result_types=[IndexType()])
        self.address = code.value(arith.IndexCastOp(code.value(address), i64), "address")
        self.held = code.value(memref.AllocaOp.get(i64, shape=[1]), "held")
        return [self.normals, self.sources]

    def place(self, code: Code, lane: SSAValue, number: int) -> SSAValue:
        """The place of a generator of a lane among all of them."""
        before = code.value(arith.MuliOp(code.value(arith.IndexCastOp(lane, i64)), code.constant(len(self.numbers))))
        return code.value(arith.AddiOp(before, code.constant(self.numbers.index(number))))

    def state(self, code: Code, place: SSAValue, type: MemRefType[Any]) -> SSAValue:
        """A state of mt19937, or the beginning of it."""
        start = code.value(arith.IndexCastOp(code.value(arith.MuliOp(place, code.constant(ALL_WORDS[AHEAD_KIND]))), IndexType()))
        return code.value(memref.SubviewOp.get(self.sources, [start], list(shape_of(type)), [1], type))

    def sources_of(self, code: Code, lane: SSAValue, states: Sequence[SSAValue]) -> list[SSAValue]:
        """The states to be seeded when a lane begins a replicate: those of its generators, or what presampled ones are drawn from."""
        return [
            self.state(code, self.place(code, lane, number), self.seeded) if number in self.numbers else state
            for number, state in enumerate(states)
        ]

    def begin(self, code: Code, lane: SSAValue, states: Sequence[SSAValue]) -> None:
        """A lane begins a replicate, of which no normals are drawn yet."""
        for number in self.numbers:
            first = code.value(arith.MuliOp(self.place(code, lane, number), code.constant(8 * CAPACITY)))
            words = OfState(states[number])
            words.store(code, ADDRESS, code.value(arith.AddiOp(self.address, first)))
            words.store(code, TAKEN, code.constant(0))
            words.store(code, DRAWN, code.constant(0))

    def prepare(self, code: Code, states: Sequence[SSAValue]) -> None:
        """Draws what a lane needs that begins a trial."""
        for number in self.numbers:
            self.feed(code, OfState(states[number]))

    def ask(self, code: Code, lane: SSAValue, tables: Sequence[SSAValue]) -> None:
        """Draws what a lane needs that is in a trial."""
        for table in self.tables:
            self.feed(code, OfTable(tables[table], lane))

    def feed(self, code: Code, words: Words) -> None:
        """Draws normals if fewer than the reserve are left."""
        left = code.value(arith.SubiOp(words.load(code, DRAWN), words.load(code, TAKEN)), "left")
        when(code, code.compare(left, "slt", code.constant(self.reserve)), lambda code: self.refill(code, words, left))

    def refill(self, code: Code, words: Words, left: SSAValue) -> None:
        """Moves the normals that are left to the beginning, and draws chunks behind them."""
        offset = code.value(arith.SubiOp(words.load(code, ADDRESS), self.address))
        place = code.value(arith.DivSIOp(offset, code.constant(8 * CAPACITY)), "place")
        first = code.value(arith.MuliOp(place, code.constant(CAPACITY)), "first")
        move(code, self.normals, first, code.value(arith.AddiOp(first, words.load(code, TAKEN))), left)
        code.store(left, self.held, 0)
        source = self.state(code, place, self.source)

        def are_few(code: Code) -> SSAValue:
            return code.compare(code.load(self.held, 0), "slt", code.constant(self.reserve))

        def draw(code: Code) -> None:
            held = code.load(self.held, 0)
            start = code.value(arith.IndexCastOp(code.value(arith.AddiOp(first, held)), IndexType()))
            target = code.value(memref.SubviewOp.get(self.normals, [start], [CHUNK_NORMALS], [1], self.chunk))
            drawn = code.value(func.CallOp(DRAW, [source, target], [i64]), "drawn")
            code.store(code.value(arith.AddiOp(held, drawn)), self.held, 0)

        loop(code, are_few, draw)
        words.store(code, TAKEN, code.constant(0))
        words.store(code, DRAWN, code.load(self.held, 0))
