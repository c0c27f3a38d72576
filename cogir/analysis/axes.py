"""
Which axes of a grid each value depends on.

A grid is a nest of `scf.for` over constant levels in which each body hands on what the next loop gives. A value in it depends on
the axes whose indices go into it, and perhaps on what the loops carry along, which ties it to its place.

```mlir
scf.for %i = 0 to 101 iter_args(%best) {          // axis 0
  %a = call @f(%i)                                // {0}
  scf.for %j = 0 to 101 iter_args(%best) {        // axis 1
    %b = call @g(%j)                              // {1}: does not depend on the loop around it
    %c = arith.addf %a, %b                        // {0, 1}
    %d = arith.cmpf olt, %c, %best                // tied: depends on what is carried
```
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import IsTerminator

from cogir.analysis.effects import EffectsTable
from cogir.irutils import constant_int

Axes: TypeAlias = frozenset[int]


@dataclass
class Grid:
    """A nest of loops, outermost first, and the axes of the values in it."""

    loops: list[scf.ForOp]
    axes: dict[SSAValue, Axes | None] = field(default_factory=dict[SSAValue, "Axes | None"])
    """The axes of each value of the nest; None for values that are tied to their place. Values from outside are not in here."""

    @property
    def extents(self) -> list[int]:
        """The number of levels of each axis."""
        return [extent for loop in self.loops if (extent := extent_of(loop)) is not None]

    def block(self, axis: int) -> Block:
        """The body of the loop over an axis."""
        return self.loops[axis].body.block

    def index(self, axis: int) -> SSAValue:
        """The index along an axis."""
        return self.block(axis).args[0]

    def of(self, op: Operation) -> Axes | None:
        """The axes that an operation of the nest depends on; None if it is tied to its place."""
        found: Axes = frozenset()
        for inner in op.walk():
            for operand in inner.operands:
                axes = self.axes.get(operand, frozenset())
                if axes is None:
                    return None
                found |= axes
        return found

    def operations(self) -> Iterator[tuple[int, Operation]]:
        """The operations of all bodies, each with the depth of the body that it stands in, in program order."""
        for depth in range(len(self.loops)):
            for op in self.block(depth).ops:
                if op not in self.loops and not op.has_trait(IsTerminator):
                    yield depth, op


def extent_of(loop: scf.ForOp) -> int | None:
    """The number of levels of a loop from 0 in steps of 1; None for other loops."""
    extent = constant_int(loop.ub)
    return extent if constant_int(loop.lb) == 0 and constant_int(loop.step) == 1 and extent is not None and extent > 0 else None


def next_loop(loop: scf.ForOp) -> scf.ForOp | None:
    """The loop in the body of a loop whose results the body hands on, all of them; None in the innermost one."""
    end = loop.body.block.last_op
    assert end is not None
    inner = end.operands[0].owner if end.operands else None
    if isinstance(inner, scf.ForOp) and inner.parent is loop.body.block and extent_of(inner) is not None:
        if all(value.owner is inner for value in end.operands):
            return inner
    return None


def grid_at(loop: scf.ForOp, effects: EffectsTable) -> Grid | None:
    """The grid whose outermost loop this is; None if it is no loop over levels, or within another grid."""
    if extent_of(loop) is None:
        return None
    outer = loop.parent_op()
    if isinstance(outer, scf.ForOp) and next_loop(outer) is loop and extent_of(outer) is not None:
        return None
    loops, inner = [loop], next_loop(loop)
    while inner is not None:
        loops.append(inner)
        inner = next_loop(inner)
    grid = Grid(loops)
    for axis in range(len(loops)):
        index, *carried = grid.block(axis).args
        grid.axes[index] = frozenset((axis,))
        grid.axes.update(dict.fromkeys((*carried, *loops[axis].results)))
    for _, op in grid.operations():
        axes = grid.of(op) if effects.of(op).is_speculatable else None
        grid.axes.update(dict.fromkeys(op.results, axes))
    return grid
