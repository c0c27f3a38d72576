"""
The normals of presampled generators in memory that the caller gives: drawn in blocks, before each trial.

How many a trial takes is not known. One that takes more than there are repeats them, so its replicate ends before it, and `lengths` says
that it had fewer trials than it should. The caller repeats such a replicate with a larger reserve.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import SSAValue

from cogir.dialects.rng import DRAW_PREFIX
from cogir.library.random.blocks import BLOCK, BLOCK_NORMALS, DRAWN, TAKEN
from cogir.lowering.entry.code import Code
from cogir.lowering.entry.normals import STATE, Normals

DRAW = f"{DRAW_PREFIX}mt19937_{BLOCK}"
"""The function that draws a block."""
ARGUMENTS = ("normals", "address", "capacity", "reserve")
"""The arguments of the entry that say where the normals are, and how many."""


class GivenNormals(Normals):
    """Normals in blocks, in memory of the caller."""

    def __init__(self, states: Sequence[MemRefType[Any]], lanes: int):
        super().__init__(states, lanes, DRAW, STATE, BLOCK_NORMALS)

    def memory(self, code: Code, given: Mapping[str, SSAValue]) -> list[SSAValue]:
        self.buffer, self.address, self.capacity, self.reserve = (given[name] for name in ARGUMENTS)
        return []

    def spent(self, code: Code, states: Sequence[SSAValue]) -> list[SSAValue]:
        """For each presampled generator an i1: true if more normals have been taken than there were."""
        return [code.compare(code.load(states[number], TAKEN), "sgt", code.load(states[number], DRAWN)) for number in self.numbers]
