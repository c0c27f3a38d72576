"""
The normals of presampled generators where replicates go side by side: drawn in chunks, in trials, too.

`fill-lanes` says how many normals a call of `@lanes_iterate` and the rest of a trial draw at most (`cog.normals`). So chunks are drawn
(`cogir.library.random.ahead`) when a lane begins a trial, and when it has made some calls of `@lanes_iterate` since.

Lanes without a replicate go on drawing; the first normals are repeated for them, and nobody reads what they compute.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import DenseArrayBase, IndexType, MemRefType, f64, i64
from xdsl.ir import SSAValue

from cogir.dialects.rng import AHEAD_KIND, ALL_WORDS, DRAW_PREFIX
from cogir.library.random.ahead import CHUNK, CHUNK_NORMALS
from cogir.library.random.blocks import REPEATED
from cogir.lowering.entry.code import Code
from cogir.lowering.entry.normals import Normals
from cogir.transforms.normals_in_lanes import MOST, NORMALS, TABLES

DRAW = f"{DRAW_PREFIX}{AHEAD_KIND}_{CHUNK}"
"""The function that draws a chunk."""
MOST_CALLS = 16
"""A lane is asked at most after so many calls whether it needs normals; a power of two."""
CAPACITY = max(REPEATED, 2 * MOST + CHUNK_NORMALS)
"""
A lane has memory for so many normals of each generator: a chunk, and fewer than are in reserve and may have been taken at one place and not
yet at another, in a call of `@lanes_iterate`.
"""


class OfTable:
    """The words of a presampled generator of a lane in a table of `fill-lanes`."""

    def __init__(self, table: SSAValue, lane: SSAValue):
        self.table, self.lane = table, lane

    def load(self, code: Code, word: int) -> SSAValue:
        return code.value(memref.LoadOp.get(self.table, [code.constant(word, IndexType()), self.lane]))

    def store(self, code: Code, word: int, value: SSAValue) -> None:
        code.builder.insert(memref.StoreOp.get(value, self.table, [code.constant(word, IndexType()), self.lane]))


class LaneNormals(Normals):
    """Normals in chunks, in memory of the entry's own."""

    def __init__(self, iterate: func.FuncOp, states: Sequence[MemRefType[Any]], lanes: int):
        """`iterate`: `@lanes_iterate`, with `NORMALS`."""
        super().__init__(states, lanes, DRAW, ALL_WORDS[AHEAD_KIND], CHUNK_NORMALS)
        per_call, around = cast("DenseArrayBase[Any]", iterate.attributes[NORMALS]).get_values()
        self.tables: dict[int, list[int]] = {}
        """The tables that hold the words of each generator."""
        for table, generator in tables_of(iterate):
            self.tables.setdefault(generator, []).append(table)
        self.calls = MOST_CALLS
        """After so many calls, lanes are asked."""
        while self.calls > 1 and self.calls * per_call + around > MOST:
            self.calls //= 2
        self.most_until_asked = self.calls * per_call + around
        """The most normals that a lane draws until it is asked again."""

    def memory(self, code: Code, given: Mapping[str, SSAValue]) -> list[SSAValue]:
        self.capacity, self.reserve = code.constant(CAPACITY), code.constant(self.most_until_asked)
        self.buffer = code.value(memref.AllocOp.get(f64, 64, shape=[self.lanes * len(self.numbers) * CAPACITY]), "normals")
        address = memref.ExtractAlignedPointerAsIndexOp.build(operands=[self.buffer], result_types=[IndexType()])
        self.address = code.value(arith.IndexCastOp(code.value(address), i64), "address")
        return [self.buffer]

    def ask(self, code: Code, lane: SSAValue, tables: Sequence[SSAValue]) -> None:
        """Draws what a lane needs that is in a trial."""
        for numbers in self.tables.values():
            self.feed(code, [OfTable(tables[number], lane) for number in numbers])


def tables_of(iterate: func.FuncOp) -> list[tuple[int, int]]:
    """The tables of `@lanes_iterate` that hold states of presampled generators, and the numbers of these."""
    if TABLES not in iterate.attributes:
        return []
    numbers = list(cast("DenseArrayBase[Any]", iterate.attributes[TABLES]).get_values())
    return list(zip(numbers[::2], numbers[1::2], strict=True))
