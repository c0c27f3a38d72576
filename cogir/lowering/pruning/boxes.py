"""
The search of the boxes of a grid, for the first best value without evaluating every point.

```mlir
func.func private @prune_0(%captured...) -> (%best: f64, %at: index, %is_done: i1, %boxes: i64, %points: i64) {
  // tables of what depends on one axis (`tables.py`); the first point
  scf.while (%nodes, %bounds, %height, %best, %at, ...) {       // a stack of boxes: a node of the tree of each axis, and a bound
    // the topmost box is dropped, evaluated, or halved along its longest axis; the half with the better bound comes to the top
  }
}
```

A box is dropped if no point in it can take the place of the best one: its bound is worse, or as good and all its points come later. Of
equal values that at the lowest index is taken, so the result does not depend on the order in which boxes are searched.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.dialects import arith, func, scf, tensor
from xdsl.dialects.builtin import TensorType, f64, i64
from xdsl.ir import Attribute, Region, SSAValue

from cogir.analysis.search_points import SearchPoints
from cogir.lowering.machine.emitter import INDEX, BlockEmitter
from cogir.lowering.machine.functions import ModuleFunctions
from cogir.lowering.pruning.extension import parts
from cogir.lowering.pruning.intervals import INFINITY, Arithmetic
from cogir.lowering.pruning.tables import AxisTables, between, copied, numbers_of, put_together, taken_apart

SMALL_BOX = 8
"""A box of at most so many points is evaluated point by point."""


@dataclass(frozen=True)
class Limits:
    """How long boxes are searched, in units of work (`analysis/op_cost.py`)."""

    box: int
    """The work of bounding a box."""
    point: int
    """The work of evaluating a point."""
    budget: int
    """The work after which the search is given up, if many points are left."""
    tail: int
    """With no more points than this in the boxes that are left, it is not given up."""


class PointFunctions:
    """The functions that points become: their arguments are the numbers of each axis, then what points take from around the nest."""

    def __init__(self, points: SearchPoints, functions: ModuleFunctions):
        self.points = points
        self.kinds = [[kind for value in kept for kind in numbers_of(value)] for kept in points.kept]
        """Of each axis the types of the numbers that points depend on."""
        kept = {value for each in points.kept for value in each}
        self.constants, self.captured = captured(points.of_points, kept)
        self.function = functions.define("point", self.arguments(), self.build)
        self.varying = range(sum(map(len, self.kinds)))

    def arguments(self) -> list[tuple[str, Attribute]]:
        """The names and types of the arguments."""
        found: list[tuple[str, Attribute]] = []
        for kept in self.points.kept:
            for value in kept:
                kinds = numbers_of(value)
                name = value.name_hint or "x"
                found += [(name if len(kinds) == 1 else f"{name}_{number}", kind) for number, kind in enumerate(kinds)]
        return [*found, *((value.name_hint or "c", value.type) for value in self.captured)]

    def build(self, emitter: BlockEmitter, arguments: list[SSAValue]) -> list[SSAValue]:
        """The value of a point."""
        given = iter(arguments)
        values: dict[SSAValue, SSAValue] = {}
        for value in (value for kept in self.points.kept for value in kept):
            values[value] = put_together(emitter, value.type, [next(given) for _ in numbers_of(value)])
        values.update(zip(self.captured, given, strict=True))
        add_constants(emitter, self.constants, values)
        copied(emitter, self.points.of_points, values)
        return [values[self.points.value]]


def captured(operations: Sequence[object], known: set[SSAValue]) -> tuple[list[SSAValue], list[SSAValue]]:
    """The constants and the other values that operations take from outside of them, but for known ones."""
    from xdsl.ir import Operation

    inside = [inner for op in operations if isinstance(op, Operation) for inner in op.walk()]
    own: set[SSAValue] = {result for op in inside for result in op.results}
    own |= {argument for op in inside for region in op.regions for block in region.blocks for argument in block.args}
    used = dict.fromkeys(operand for op in inside for operand in op.operands if operand not in own and operand not in known)
    constants = [value for value in used if isinstance(value.owner, arith.ConstantOp)]
    return constants, [value for value in used if not isinstance(value.owner, arith.ConstantOp)]


def add_constants(emitter: BlockEmitter, constants: Sequence[SSAValue], values: dict[SSAValue, SSAValue]) -> None:
    """Makes constants again."""
    for constant in constants:
        assert isinstance(constant.owner, arith.ConstantOp)
        values[constant] = emitter.constant(constant.owner.value, constant.type)


@dataclass(frozen=True)
class _State:
    """The values that the search of boxes carries."""

    nodes: SSAValue
    """A row for each box on the stack: a node of the tree of each axis."""
    bounds: SSAValue
    """A bound of the values in each box."""
    height: SSAValue
    """The number of boxes on the stack."""
    best: SSAValue
    at: SSAValue
    boxes: SSAValue
    """The number of boxes that were bounded."""
    points: SSAValue
    """The number of points that were evaluated."""
    left: SSAValue
    """The number of points in the boxes on the stack."""

    def carried(self) -> list[SSAValue]:
        """As control flow carries them."""
        return list(vars(self).values())


class BoxSearch:
    """Builds the search of boxes of one grid."""

    def __init__(self, points: SearchPoints, of_points: PointFunctions, bounds: func.FuncOp, limits: Limits):
        self.points = points
        self.of_points = of_points
        self.bounds = bounds
        self.limits = limits
        self.extents = points.extents
        self.tables = [AxisTables(extent, kinds) for extent, kinds in zip(self.extents, of_points.kinds, strict=True)]
        self.room = 1 + sum(tables.width.bit_length() - 1 for tables in self.tables)
        """The most boxes on the stack: each halving adds one, and no box can be halved more often."""
        operations = [*points.common, *(op for each in points.of_axis for op in each), *points.of_points]
        indices = {points.grid.index(axis) for axis in range(len(self.extents))}
        self.constants, self.captured = captured(operations, indices)
        self.values: dict[SSAValue, SSAValue] = {}

    def define(self, functions: ModuleFunctions) -> func.FuncOp:
        """The function."""
        return functions.define("prune", [(value.name_hint or "c", value.type) for value in self.captured], self.build)

    def build(self, emitter: BlockEmitter, arguments: list[SSAValue]) -> list[SSAValue]:
        """The tables, the first point, the boxes."""
        self.values.update(zip(self.captured, arguments, strict=True))
        add_constants(emitter, self.constants, self.values)
        copied(emitter, self.points.common, self.values)
        for axis in range(len(self.extents)):
            self.fill(emitter, axis)
        first = self.evaluated(emitter, [emitter.index(0)] * len(self.extents))
        is_nan = Arithmetic(emitter).is_nan(first)
        start = self.begun(emitter, first, is_nan)
        end = _State(*emitter.loop_while(start.carried(), self.goes_on, self.step))
        is_done = emitter.compare(end.height, "eq", emitter.index(0))
        return [end.best, end.at, is_done, end.boxes, end.points]

    def fill(self, emitter: BlockEmitter, axis: int) -> None:
        """The tables of one axis."""

        def numbers(inner: BlockEmitter, level: SSAValue) -> list[SSAValue]:
            values = self.values | {self.points.grid.index(axis): level}
            copied(inner, self.points.of_axis[axis], values)
            return [number for value in self.points.kept[axis] for number in taken_apart(inner, values[value])]

        self.tables[axis].fill(emitter, numbers)

    def evaluated(self, emitter: BlockEmitter, levels: Sequence[SSAValue]) -> SSAValue:
        """The value of the point at some levels."""
        numbers = [number for tables, level in zip(self.tables, levels, strict=True) for number in tables.exact(emitter, level)]
        around = [self.values[value] for value in self.of_points.captured]
        return emitter.call(self.of_points.function.sym_name.data, [*numbers, *around], [f64])[0]

    def bound(self, emitter: BlockEmitter, nodes: Sequence[SSAValue]) -> SSAValue:
        """A value that no point of a box is better than."""
        ranges = [part for tables, node in zip(self.tables, nodes, strict=True) for part in tables.ranges(emitter, node)]
        around = [self.values[value] for value in self.of_points.captured]
        types = [each for _, each in parts(f64) or ()]
        found = emitter.call(self.bounds.sym_name.data, [*ranges, *around], types)
        return found[0 if self.points.minimizes else 1]

    def begun(self, emitter: BlockEmitter, first: SSAValue, is_nan: SSAValue) -> _State:
        """The box of all points on the stack, and the first point as the best one; no box if that is NaN, which nothing is better than."""
        axes, zero = len(self.extents), emitter.index(0)
        nodes = emitter.value(tensor.EmptyOp((), TensorType(i64, [self.room, axes])), "nodes")
        for axis in range(axes):
            nodes = emitter.value(tensor.InsertOp(emitter.integer(1), nodes, [zero, emitter.index(axis)]), "nodes")
        bounds = emitter.value(tensor.EmptyOp((), TensorType(f64, [self.room])), "bounds")
        bounds = emitter.value(tensor.InsertOp(emitter.number(-INFINITY if self.points.minimizes else INFINITY), bounds, [zero]), "bounds")
        height = emitter.choose(is_nan, zero, emitter.index(1))
        height.name_hint = "height"
        one = emitter.integer(1)
        return _State(nodes, bounds, height, first, emitter.integer(0), emitter.integer(0), one, emitter.integer(prod(self.extents)))

    def goes_on(self, emitter: BlockEmitter, carried: list[SSAValue]) -> tuple[SSAValue, list[SSAValue]]:
        """Boxes are left, and the search is not given up."""
        state = _State(*carried)
        for name, value in vars(state).items():
            value.name_hint = name
        is_left = emitter.compare(state.height, "sgt", emitter.index(0))
        spent = emitter.add_integers(
            emitter.value(arith.MuliOp(state.boxes, emitter.integer(self.limits.box))),
            emitter.value(arith.MuliOp(state.points, emitter.integer(self.limits.point))),
        )
        pays = emitter.either(
            emitter.compare(spent, "slt", emitter.integer(self.limits.budget)),
            emitter.compare(state.left, "sle", emitter.integer(self.limits.tail)),
        )
        return emitter.both(is_left, pays), carried

    def is_better(self, emitter: BlockEmitter, value: SSAValue, at: SSAValue, best: SSAValue, best_at: SSAValue) -> SSAValue:
        """True if a value at an index takes the place of the best one."""
        a = Arithmetic(emitter)
        beats = a.compare(value, "olt" if self.points.minimizes else "ogt", best)
        return a.any(beats, a.all(a.compare(value, "oeq", best), emitter.compare(at, "slt", best_at)))

    def step(self, emitter: BlockEmitter, carried: list[SSAValue]) -> list[SSAValue]:
        """Takes the topmost box from the stack."""
        state = _State(*carried)
        top = emitter.value(arith.SubiOp(state.height, emitter.index(1)), "top")
        rows = range(len(self.extents))
        nodes = [
            emitter.value(arith.IndexCastOp(emitter.value(tensor.ExtractOp(state.nodes, [top, emitter.index(axis)], i64)), INDEX), "node")
            for axis in rows
        ]
        firsts = [self.tables[axis].first(emitter, nodes[axis]) for axis in rows]
        lasts = [self.tables[axis].last(emitter, nodes[axis]) for axis in rows]
        counts = [emitter.value(arith.SubiOp(last, first), "count") for first, last in zip(firsts, lasts, strict=True)]
        size = counts[0]
        for count in counts[1:]:
            size = emitter.value(arith.MuliOp(size, count), "size")
        bound = emitter.value(tensor.ExtractOp(state.bounds, [top], f64), "bound")
        taken = _State(
            state.nodes,
            state.bounds,
            top,
            state.best,
            state.at,
            state.boxes,
            state.points,
            emitter.value(arith.SubiOp(state.left, size), "left"),
        )
        is_hopeful = self.is_better(emitter, bound, self.index(emitter, firsts), state.best, state.at)

        def search(inner: BlockEmitter) -> list[SSAValue]:
            is_small = inner.compare(size, "sle", inner.integer(SMALL_BOX))
            yes, no = inner.nested(), inner.nested()
            yes.add(scf.YieldOp(*self.evaluate(yes, taken, firsts, lasts, size)))
            no.add(scf.YieldOp(*self.halve(no, taken, nodes, counts)))
            types = [value.type for value in taken.carried()]
            return list(inner.add(scf.IfOp(is_small, types, Region(yes.block), Region(no.block))).results)

        return emitter.conditional(is_hopeful, taken.carried(), search)

    def index(self, emitter: BlockEmitter, levels: Sequence[SSAValue]) -> SSAValue:
        """The index of a point."""
        found = levels[0]
        for extent, level in zip(self.extents[1:], levels[1:], strict=True):
            found = emitter.add_integers(emitter.value(arith.MuliOp(found, emitter.integer(extent))), level)
        return found

    def evaluate(
        self, emitter: BlockEmitter, state: _State, firsts: Sequence[SSAValue], lasts: Sequence[SSAValue], size: SSAValue
    ) -> list[SSAValue]:
        """All points of a box."""
        ends = [[emitter.value(arith.IndexCastOp(end, INDEX)) for end in pair] for pair in zip(firsts, lasts, strict=True)]

        def along(inner: BlockEmitter, levels: list[SSAValue], carried: list[SSAValue]) -> list[SSAValue]:
            axis = len(levels)
            if axis < len(self.extents):
                first, last = ends[axis]
                return between(inner, first, last, carried, lambda body, level, held: along(body, [*levels, level], held))
            best, at = carried
            value = self.evaluated(inner, levels)
            index = self.index(inner, [inner.value(arith.IndexCastOp(level, i64)) for level in levels])
            is_better = self.is_better(inner, value, index, best, at)
            return [inner.choose(is_better, value, best), inner.choose(is_better, index, at)]

        best, at = along(emitter, [], [state.best, state.at])
        points = emitter.add_integers(state.points, size)
        return _State(state.nodes, state.bounds, state.height, best, at, state.boxes, points, state.left).carried()

    def halve(self, emitter: BlockEmitter, state: _State, nodes: Sequence[SSAValue], counts: Sequence[SSAValue]) -> list[SSAValue]:
        """Puts the halves of a box that can hold the optimum on the stack."""
        longest, length = emitter.index(0), counts[0]
        for axis, count in enumerate(counts[1:], 1):
            is_longer = emitter.compare(count, "sgt", length)
            longest, length = emitter.choose(is_longer, emitter.index(axis), longest), emitter.choose(is_longer, count, length)
        carried = [state.nodes, state.bounds, state.height, state.boxes, state.left]

        def half(inner: BlockEmitter, number: SSAValue, held: list[SSAValue]) -> list[SSAValue]:
            rows, bounds, height, boxes, left = held
            halves: list[SSAValue] = []
            size: SSAValue | None = None
            firsts: list[SSAValue] = []
            for axis, node in enumerate(nodes):
                is_split = inner.compare(longest, "eq", inner.index(axis))
                below = inner.value(arith.AddiOp(inner.value(arith.AddiOp(node, node)), number))
                halves.append(inner.choose(is_split, below, node))
                first, last = (end(inner, halves[-1]) for end in (self.tables[axis].first, self.tables[axis].last))
                firsts.append(first)
                count = inner.value(arith.SubiOp(last, first))
                size = count if size is None else inner.value(arith.MuliOp(size, count))
            assert size is not None

            def push(there: BlockEmitter) -> list[SSAValue]:
                bound = self.bound(there, halves)
                above = rows
                for axis, node in enumerate(halves):
                    word = there.value(arith.IndexCastOp(node, i64))
                    above = there.value(tensor.InsertOp(word, above, [height, there.index(axis)]))
                counted = there.add_integers(boxes, there.integer(1))
                kept = there.value(tensor.InsertOp(bound, bounds, [height]))
                is_hopeful = self.is_better(there, bound, self.index(there, firsts), state.best, state.at)
                higher = there.choose(is_hopeful, there.value(arith.AddiOp(height, there.index(1))), height)
                more = there.choose(is_hopeful, there.add_integers(left, size), left)
                return [above, kept, higher, counted, more]

            return inner.conditional(inner.compare(size, "sgt", inner.integer(0)), held, push)

        rows, bounds, height, boxes, left = emitter.loop_for(2, carried, half, "half")
        rows, bounds = self.in_order(emitter, rows, bounds, state.height, height)
        return _State(rows, bounds, height, state.best, state.at, boxes, state.points, left).carried()

    def in_order(
        self, emitter: BlockEmitter, rows: SSAValue, bounds: SSAValue, low: SSAValue, height: SSAValue
    ) -> tuple[SSAValue, SSAValue]:
        """The stack with the better one of two new boxes on top; the first half where they are as good."""
        one = emitter.index(1)
        high = emitter.value(arith.AddiOp(low, one))
        both = emitter.compare(height, "eq", emitter.value(arith.AddiOp(high, one)))

        def ordered(inner: BlockEmitter) -> list[SSAValue]:
            below, above = (inner.value(tensor.ExtractOp(bounds, [row], f64)) for row in (low, high))
            stays = inner.value(arith.CmpfOp(above, below, "olt" if self.points.minimizes else "ogt"))
            kept, table = bounds, rows
            for row, (here, there) in zip((low, high), ((below, above), (above, below)), strict=True):
                kept = inner.value(tensor.InsertOp(inner.choose(stays, here, there), kept, [row]))
            for axis in range(len(self.extents)):
                at = inner.index(axis)
                down, up = (inner.value(tensor.ExtractOp(rows, [row, at], i64)) for row in (low, high))
                for row, (here, there) in zip((low, high), ((down, up), (up, down)), strict=True):
                    table = inner.value(tensor.InsertOp(inner.choose(stays, here, there), table, [row, at]))
            return [table, kept]

        table, kept = emitter.conditional(both, [rows, bounds], ordered)
        return table, kept
