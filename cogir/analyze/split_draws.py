"""
Draws whose ranges are split into parts, so that a range over all of them is the union of narrower ones.

Only draws of normals that a trial makes at most once are split: each of them has one part in a walk of the trial, and the walks of all
combinations of parts hold every run together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from xdsl.dialects import func, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from cogir.analysis.ranges.floats import FloatRange
from cogir.analysis.ranges.values import Range
from cogir.analysis.ranges.walk import Walker
from cogir.dialects.rng import NormalOp
from cogir.irutils import size_of

Draw = tuple[NormalOp, int]
"""An element of a draw."""
Part = tuple[float, float]
"""A part of its range, as shares of the whole range from its lower end."""


class PartialWalker(Walker):
    """A walker in which some draws have parts of their ranges."""

    def __init__(self, module: ModuleOp, parts: Mapping[Draw, Part], **options: Any):
        super().__init__(module, **options)
        self.parts = parts
        self._elements: dict[Operation, int] = {}
        """The number of elements of each draw that have their ranges."""

    def drawn(self, op: Operation, kind: str) -> Range:
        """The range of the next element of a draw."""
        found = super().drawn(op, kind)
        if not isinstance(op, NormalOp) or not isinstance(found, FloatRange):
            return found
        element = self._elements.get(op, 0)
        self._elements[op] = (element + 1) % size_of(op.value.type)
        part = self.parts.get((op, element))
        if part is None:
            return found
        low, high = (found.low + (found.high - found.low) * share for share in part)
        return FloatRange(low, high, found.nan, low <= 0.0 <= high)


def single_draws(module: ModuleOp) -> list[Draw]:
    """The elements of the normals that a trial draws at most once."""
    calls: dict[str, list[Operation]] = {}
    for op in module.walk():
        if isinstance(op, func.CallOp):
            calls.setdefault(op.callee.string_value(), []).append(op)

    def is_single(op: Operation) -> bool:
        around = op.parent_op()
        if isinstance(around, scf.IfOp):
            return is_single(around)
        if not isinstance(around, func.FuncOp):
            return False
        callers = calls.get(around.sym_name.data, [])
        return around.sym_name.data == "trial" or (len(callers) == 1 and is_single(callers[0]))

    found = [op for op in module.walk() if isinstance(op, NormalOp) and is_single(op)]
    return [(op, element) for op in found for element in range(size_of(op.value.type))]


def combinations(draws: list[Draw], parts: int) -> Iterator[dict[Draw, Part]]:
    """All combinations of equal parts of the ranges of some draws."""
    shares = [(number / parts, (number + 1) / parts) for number in range(parts)]
    for chosen in product(shares, repeat=len(draws)):
        yield dict(zip(draws, chosen, strict=True))
