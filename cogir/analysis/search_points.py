"""
The computation of the points of a search for the first best value, divided by the axes of the grid that each operation depends on.

```mlir
%best, %at = scf.for %i = 0 to 101 iter_args(%best, %at) {
  %a = call @f(%i)                                // of axis 0, kept
  scf.for %j = 0 to 101 iter_args(%best, %at) {
    %b = call @g(%j)                              // of axis 1, kept
    %c = arith.addf %a, %b                        // of points
    %is_better = arith.cmpf olt, %c, %best        // the choice: %c is the value of the point
    ...
} {cog.first_optimum = "minimize"}
```

Operations count here as depending on axes also where they cannot be moved: those that may trap or run for ever are computed for every level
that they depend on, as the nest does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from xdsl.dialects import arith, scf
from xdsl.ir import Operation, SSAValue

from cogir.analysis.axes import Axes, Grid, grid_at
from cogir.analysis.effects import EffectsTable
from cogir.analysis.first_optimum import first_optimum


@dataclass
class SearchPoints:
    """The parts of a search."""

    grid: Grid
    minimizes: bool
    best: int
    """The number of the result of the nest that is the best value."""
    value: SSAValue
    """The value of a point."""
    common: list[Operation]
    """The operations of the nest that no axis changes, in order."""
    of_axis: list[list[Operation]]
    """For each axis the operations that depend on it alone."""
    kept: list[list[SSAValue]]
    """For each axis the values that depend on it alone, and from which those of points are computed."""
    of_points: list[Operation]
    """The operations that depend on several axes."""
    axes: list[Axes]
    """The axes of each of these."""

    @property
    def extents(self) -> list[int]:
        """The number of levels of each axis."""
        return self.grid.extents


def search_points(loop: scf.ForOp, effects: EffectsTable) -> SearchPoints | str:
    """The parts of the search whose outermost loop this is, or the reason why it cannot be divided."""
    carried = first_optimum(loop)
    if carried is None:
        return "ties are drawn at random, or simulations are recorded"
    if carried.status is not None:
        return "a simulation can fail, which a search reports for every point"
    if carried.values is not None:
        return "the values of all points are kept"
    if carried.counts is not None:
        return "events in simulations are counted at every point"
    grid = grid_at(loop, effects)
    if grid is None or len(grid.loops) < 2:
        return "it has one signal"
    value = value_of_point(grid, carried.best)
    if value is None:
        return "the choice among points has an unknown form"
    axes = axes_of_values(grid, effects)
    needed = needed_for(grid, axes, value)
    if any(axes[result] is None for op in needed for result in op.results):
        return "the value of a point depends on the points before it, or has effects"
    if (of_value := axes.get(value)) is None or len(of_value) < 2:
        return "the value of a point depends on one signal"
    common = [op for op in needed if not axes[op.results[0]]]
    of_axis = [[op for op in needed if axes[op.results[0]] == frozenset((axis,))] for axis in range(len(grid.loops))]
    of_points = [op for op in needed if len(axes[op.results[0]] or ()) > 1]
    axes_of_points = [axes[op.results[0]] or frozenset[int]() for op in of_points]
    used = dict.fromkeys(operand for op in of_points for inner in op.walk() for operand in inner.operands)
    kept = [[operand for operand in used if axes.get(operand) == frozenset((axis,))] for axis in range(len(grid.loops))]
    return SearchPoints(grid, carried.minimizes, carried.best, value, common, of_axis, kept, of_points, axes_of_points)


def value_of_point(grid: Grid, best: int) -> SSAValue | None:
    """The value that is compared with the best one so far, and may take its place."""
    block = grid.block(len(grid.loops) - 1)
    chosen = cast(Operation, block.last_op).operands[best]
    choice = chosen.owner
    if not isinstance(choice, scf.IfOp) or choice.parent is not block or not choice.false_region.blocks:
        return None
    number = choice.results.index(chosen)
    taken, left = (cast(Operation, region.block.last_op).operands[number] for region in choice.regions)
    changes = choice.cond.owner
    if left is not block.args[1 + best] or not isinstance(changes, arith.OrIOp):
        return None
    compared = [operand.owner for operand in changes.operands if isinstance(operand.owner, arith.CmpfOp)]
    return taken if len(compared) == 1 and tuple(compared[0].operands) == (taken, left) else None


def axes_of_values(grid: Grid, effects: EffectsTable) -> dict[SSAValue, Axes | None]:
    """The axes of each value of the nest; None for what is carried along, and for results of operations with effects."""
    axes: dict[SSAValue, Axes | None] = {}
    for axis in range(len(grid.loops)):
        index, *carried = grid.block(axis).args
        axes[index] = frozenset((axis,))
        axes.update(dict.fromkeys((*carried, *grid.loops[axis].results)))
    for _, op in grid.operations():
        found = [axes.get(operand, frozenset()) for inner in op.walk() for operand in inner.operands]
        is_tied = None in found or not effects.of(op).is_function_of_operands
        axes.update(dict.fromkeys(op.results, None if is_tied else frozenset[int]().union(*(each for each in found if each))))
    return axes


def needed_for(grid: Grid, axes: dict[SSAValue, Axes | None], value: SSAValue) -> list[Operation]:
    """The operations of the nest that a value is computed by, in order."""
    found: set[Operation] = set()
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if each in axes and isinstance(op := each.owner, Operation) and op not in found:
            found.add(op)
            waiting += [operand for inner in op.walk() for operand in inner.operands]
    return [op for _, op in grid.operations() if op in found]
