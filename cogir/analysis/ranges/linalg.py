"""
The walk of `linalg` operations (`walk.py`): element by element, or with one range for all elements of an array.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from itertools import product
from math import prod
from typing import Any, cast

from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.dialects.linalg.ops import IndexOp as LinalgIndexOp
from xdsl.ir import Operation

from cogir.analysis.ranges.floats import exactly
from cogir.analysis.ranges.integers import IntRange
from cogir.analysis.ranges.loops import separated
from cogir.analysis.ranges.values import Elements, Number, Range, State, Token, Value, covers, one_of, range_of_value, unknown
from cogir.analysis.ranges.walking import Walk, joined_states
from cogir.irutils import iteration_extents, projected_dims, shape_of

STEPS = 4096
"""Most iterations of a reduction over equal ranges that are walked one by one."""

Operand = Number | Elements


class LinalgPlan:
    """A `linalg` operation on arrays, prepared for walks."""

    def __init__(self, op: LinalgStructuredOperation):
        self.op = op
        self.operands = tuple(op.operands)
        self.first = len(op.inputs)
        """The number of inputs: the operands after them are what the results begin with."""
        self.extents = iteration_extents(op)
        self.shapes = [shape_of(operand.type) for operand in op.operands]
        self.results = [shape_of(result.type) for result in op.results]
        self.maps = [attribute.data for attribute in op.get_indexing_maps()]
        self.largest = max(map(prod, self.results), default=0)
        self.points = prod(self.extents)
        self.block = op.body.block
        self.uses_indices = any(isinstance(inner, LinalgIndexOp) for inner in op.walk())
        self.reads_results = any(argument.uses for argument in self.block.args[self.first :])

    @cached_property
    def places(self) -> list[tuple[tuple[int, ...], list[int]]]:
        """Each point of the iteration space, and the element of each operand there, by number."""
        found: list[tuple[tuple[int, ...], list[int]]] = []
        for point in product(*map(range, self.extents)):
            places: list[int] = []
            for map_, shape in zip(self.maps, self.shapes, strict=True):
                place = 0
                for index, extent in zip(map_.eval(point, ()) if shape else (), shape, strict=True):
                    place = place * extent + index
                places.append(place)
            found.append((point, places))
        return found

    @property
    def rounds(self) -> int:
        """The number of iterations that meet one element of the results."""
        if not isinstance(self.op, GenericOp):
            return self.points
        kinds = [kind.data for kind in self.op.iterator_types]
        return prod(extent for extent, kind in zip(self.extents, kinds, strict=True) if kind != IteratorType.PARALLEL)

    @property
    def is_covered(self) -> bool:
        """True if every element of the results is written."""
        return all(projected_dims(map_) is not None for map_ in self.maps[self.first :])


def structured(walk: Walk, plan: LinalgPlan) -> State:
    """A `linalg` operation on arrays."""
    operands = [walk.of(operand) for operand in plan.operands]
    if not plan.results or any(isinstance(each, Token) for each in operands):
        return [unknown(result.type) for result in plan.op.results]
    known = cast("list[Operand]", operands)
    is_small = plan.largest <= walk.precision.cells and plan.points <= walk.precision.points
    if is_small and all(isinstance(each, Number) or each.cells is not None for each in known):
        return by_elements(walk, plan, known)
    return by_ranges(walk, plan, known)


def by_elements(walk: Walk, plan: LinalgPlan, operands: list[Operand]) -> State:
    """Walks the body for each point of the iteration space, in the order of the interpreter."""
    outputs = [list(cast("tuple[Number, ...]", cast(Elements, each).cells)) for each in operands[plan.first :]]
    cells: list[Any] = [[each] if isinstance(each, Number) else each.cells for each in operands[: plan.first]]
    cells += outputs
    outer = walk.indices
    for point, places in plan.places:
        walk.indices = tuple([Number(IntRange(index, index)) for index in point]) if plan.uses_indices else ()
        arguments: list[Value] = [one_of(held[place]) for held, place in zip(cells, places, strict=True)]
        values = walk.block(plan.block, arguments)
        for output, place, value in zip(outputs, places[plan.first :], values, strict=True):
            output[place] = cast(Number, value)
    walk.indices = outer
    return [Elements(shape, tuple(output)) for shape, output in zip(plan.results, outputs, strict=True)]


def by_ranges(walk: Walk, plan: LinalgPlan, operands: list[Operand]) -> State:
    """Walks the body with one range for all elements of each operand; for a reduction, as often as it has iterations."""
    ranges = [cast(Range, range_of_value(each)) if not isinstance(each, Elements) or each.size else exactly(0.0) for each in operands]
    outer = walk.indices

    def once(state: State) -> State:
        walk.indices = tuple([Number(IntRange(0, max(0, extent - 1))) for extent in plan.extents])
        return walk.block(plan.block, [*(Number(each) for each in ranges[: plan.first]), *state])

    start: State = [Number(each) for each in ranges[plan.first :]]
    if plan.points == 0:
        found = start
    elif not plan.reads_results:
        found = once(start)
    else:
        found = accumulated(walk, plan, start, once)
    walk.indices = outer
    if not plan.is_covered:
        found = joined_states([start, found])
    return [Elements.filled(shape, cast(Number, each).range) for shape, each in zip(plan.results, found, strict=True)]


def accumulated(walk: Walk, plan: LinalgPlan, start: State, once: Callable[[State], State]) -> State:
    """The state after as many equal rounds as there are iterations for an element."""
    if plan.rounds > STEPS:
        return [separated(each) for each in once(walk.settled(plan.op, start, once))]
    state = start
    for _ in range(plan.rounds):
        following = [separated(each) for each in once(state)]
        if all(map(covers, state, following)) and all(map(covers, following, state)):
            break
        state = following
    return state


def loop_index(walk: Walk, op: Operation) -> State:
    assert isinstance(op, LinalgIndexOp)
    position: int = cast(Any, op.dim).value.data
    return [walk.indices[position] if position < len(walk.indices) else unknown(op.result.type)]
