"""
The search of the boxes of a grid, for the first best value without evaluating every point.

```mlir
func.func private @prune_0(%captured...) -> (%best: f64, %at: index, %is_done: i1, %boxes: i64, %points: i64) {
  // tables of what depends on one axis (`tables.py`); the first point
  // some points along the axes, and then around the best one in smaller and smaller steps: a good value to begin with
  scf.while (%nodes, %bounds, %first, %count, %best, %at, ...) {      // boxes that wait: a node of the tree of each axis, and a bound
    scf.while {
      // a box is dropped, evaluated, or halved along its longest axis
    }
    // the number of points that are left, which decides whether the search goes on
  }
}
```

Boxes wait in a ring. The one that came first, which is one of the largest, is taken as long as there is room; the one that came last
otherwise, so that a few further places are enough. Large boxes first show early how much can be dropped at all.

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
from cogir.lowering.pruning.intervals import INFINITY, RangeArithmetic
from cogir.lowering.pruning.tables import AxisTables, between, copied, numbers_of, put_together, taken_apart

SMALL_BOX = 8
"""A box of at most so many points is evaluated point by point."""
PROBES, SWEEPS = 12, 2
"""Before boxes are searched, so many levels along each axis are evaluated from the best point so far, so many times."""
MOST_MOVES = 64
"""The most times that the neighbours of the best point are evaluated after that."""
WAITING = 1024
"""With so many boxes waiting, the last one is taken next, and not the first one."""
ROUND = 32
"""After so many boxes, and then a quarter more each time, it is decided whether the search goes on."""


@dataclass(frozen=True)
class PruningLimits:
    """The time for which boxes are searched, in units of work (`analysis/op_cost.py`)."""

    box: int
    """The work of bounding a box."""
    point: int
    """The work of evaluating a point."""
    budget: int
    """The work after which the search is given up if all points are left; divided by the part of the points that are left."""
    tail: int
    """With no more points than this in the boxes that are left, it is not given up."""
    moves: int
    """The number of times, at most, that the neighbours of the best point are evaluated before boxes are searched."""


def probes_of(axes: int) -> int:
    """The number of points that are evaluated first."""
    return 1 + SWEEPS * axes * PROBES


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
    """A row for each box: a node of the tree of each axis."""
    bounds: SSAValue
    """A bound of the values in each box."""
    first: SSAValue
    """The row of the box that came first; the others follow it in the ring."""
    count: SSAValue
    """The number of boxes that wait."""
    best: SSAValue
    at: SSAValue
    boxes: SSAValue
    """The number of boxes that were bounded."""
    points: SSAValue
    """The number of points that were evaluated."""

    def carried(self) -> list[SSAValue]:
        """As control flow carries them."""
        return list(vars(self).values())


@dataclass(frozen=True)
class _Box:
    """A box that waits."""

    nodes: Sequence[SSAValue]
    firsts: Sequence[SSAValue]
    """Of each axis its first level."""
    lasts: Sequence[SSAValue]
    """Of each axis the level after its last one."""
    counts: Sequence[SSAValue]
    """Of each axis the number of its levels."""
    size: SSAValue
    """The number of its points."""
    bound: SSAValue


class BoxSearch:
    """Builds the search of boxes of one grid."""

    def __init__(self, points: SearchPoints, of_points: PointFunctions, bounds: func.FuncOp, limits: PruningLimits):
        self.points = points
        self.of_points = of_points
        self.bounds = bounds
        self.limits = limits
        self.extents = points.extents
        self.tables = [AxisTables(extent, kinds) for extent, kinds in zip(self.extents, of_points.kinds, strict=True)]
        depth = sum(tables.width.bit_length() - 1 for tables in self.tables)
        self.room = 1 << (WAITING + depth).bit_length()
        """The rows of the ring: a box is halved at most `depth` times, and each time one more waits."""
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
        is_nan = RangeArithmetic(emitter).is_nan(first)
        start = self.begun(emitter, is_nan, *self.probe(emitter, first, is_nan))
        everything = emitter.integer(prod(self.extents))
        *held, left = emitter.loop_while([*start.carried(), everything], self.goes_on, self.round)
        end = _State(*held)
        # A run that is stopped leaves the loop early. It does not begin the exhaustive search, and its result is not used.
        is_done = emitter.either(emitter.negation(self.is_left(emitter, end)), self.pays(emitter, end, left))
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
        return emitter.call(self.bounds.sym_name.data, [*ranges, *around], [f64])[0]

    def probe(self, emitter: BlockEmitter, first: SSAValue, is_nan: SSAValue) -> tuple[SSAValue, SSAValue, SSAValue]:
        """The best of some points along the axes, its index, and the number of points evaluated; the first point if that is NaN."""
        axes = range(len(self.extents))

        def level(inner: BlockEmitter, probe: SSAValue, extent: int) -> SSAValue:
            steps = inner.value(arith.MuliOp(probe, inner.integer(extent - 1)))
            return inner.value(arith.DivUIOp(steps, inner.integer(PROBES - 1)))

        def along(inner: BlockEmitter, turn: SSAValue, held: list[SSAValue]) -> list[SSAValue]:
            axis = inner.value(arith.RemUIOp(turn, inner.index(len(self.extents))), "axis")

            def probe(there: BlockEmitter, number: SSAValue, held: list[SSAValue]) -> list[SSAValue]:
                word = there.value(arith.IndexCastOp(number, i64))
                moved = [
                    there.choose(there.compare(axis, "eq", there.index(each)), level(there, word, self.extents[each]), held[2 + each])
                    for each in axes
                ]
                return self.better_point(there, held, moved)

            return inner.loop_for(PROBES, held, probe, "probe")

        def probes(inner: BlockEmitter) -> list[SSAValue]:
            zero = inner.integer(0)
            start = [first, zero, *(zero for _ in axes)]
            found = inner.loop_for(SWEEPS * len(self.extents), start, along, "turn")
            best, at, moves = self.improve(inner, found)
            evaluated = inner.value(arith.MuliOp(moves, inner.integer(2 * len(self.extents))))
            return [best, at, inner.add_integers(evaluated, inner.integer(probes_of(len(self.extents))))]

        alone = [first, emitter.integer(0), emitter.integer(1)]
        best, at, points = emitter.conditional(emitter.negation(is_nan), alone, probes)
        return best, at, points

    def improve(self, emitter: BlockEmitter, start: list[SSAValue]) -> tuple[SSAValue, SSAValue, SSAValue]:
        """
        Moves the best point to better neighbours along the axes, in steps that are halved when there is none; the best value, its index,
        and how often neighbours were evaluated.
        """
        finest = max(self.extents).bit_length()

        def goes_on(inner: BlockEmitter, held: list[SSAValue]) -> tuple[SSAValue, list[SSAValue]]:
            moves, fineness = held[:2]
            fine = inner.compare(fineness, "sle", inner.integer(finest))
            return inner.both(fine, inner.compare(moves, "slt", inner.integer(self.limits.moves))), held

        def move(inner: BlockEmitter, held: list[SSAValue]) -> list[SSAValue]:
            moves, fineness, *point = held
            after = inner.loop_for(2 * len(self.extents), point, lambda there, number, at: self.neighbour(there, number, fineness, at))
            stays = inner.compare(after[1], "eq", point[1])
            finer = inner.choose(stays, inner.add_integers(fineness, inner.integer(1)), fineness)
            return [inner.add_integers(moves, inner.integer(1)), finer, *after]

        coarsest = emitter.integer(PROBES.bit_length())
        moves, _, best, at, *_ = emitter.loop_while([emitter.integer(0), coarsest, *start], goes_on, move)
        return best, at, moves

    def neighbour(self, emitter: BlockEmitter, number: SSAValue, fineness: SSAValue, held: list[SSAValue]) -> list[SSAValue]:
        """The better one of the best point so far and one of its neighbours."""
        levels = held[2:]
        word = emitter.value(arith.IndexCastOp(number, i64))
        axis = emitter.value(arith.ShRUIOp(word, emitter.integer(1)), "axis")
        is_below = emitter.compare(emitter.value(arith.AndIOp(word, emitter.integer(1))), "eq", emitter.integer(0))
        moved: list[SSAValue] = []
        for each, extent in enumerate(self.extents):
            step = emitter.value(arith.MaxSIOp(emitter.value(arith.ShRUIOp(emitter.integer(extent), fineness)), emitter.integer(1)))
            below = emitter.value(arith.MaxSIOp(emitter.value(arith.SubiOp(levels[each], step)), emitter.integer(0)))
            above = emitter.value(arith.MinSIOp(emitter.add_integers(levels[each], step), emitter.integer(extent - 1)))
            along = emitter.compare(axis, "eq", emitter.integer(each))
            moved.append(emitter.choose(along, emitter.choose(is_below, below, above), levels[each]))
        return self.better_point(emitter, held, moved)

    def better_point(self, emitter: BlockEmitter, held: list[SSAValue], levels: list[SSAValue]) -> list[SSAValue]:
        """The better one of the best point so far (its value, its index, its levels) and the point at some levels."""
        value = self.evaluated(emitter, [emitter.value(arith.IndexCastOp(each, INDEX)) for each in levels])
        index = self.index(emitter, levels)
        is_better = self.is_better(emitter, value, index, *held[:2])
        return [emitter.choose(is_better, new, old) for new, old in zip((value, index, *levels), held, strict=True)]

    def begun(self, emitter: BlockEmitter, is_nan: SSAValue, best: SSAValue, at: SSAValue, points: SSAValue) -> _State:
        """The box of all points waits, and the best point so far; no box if the first one is NaN, which nothing is better than."""
        axes, zero = len(self.extents), emitter.index(0)
        nodes = emitter.value(tensor.EmptyOp((), TensorType(i64, [self.room, axes])), "nodes")
        for axis in range(axes):
            nodes = emitter.value(tensor.InsertOp(emitter.integer(1), nodes, [zero, emitter.index(axis)]), "nodes")
        bounds = emitter.value(tensor.EmptyOp((), TensorType(f64, [self.room])), "bounds")
        bounds = emitter.value(tensor.InsertOp(emitter.number(-INFINITY if self.points.minimizes else INFINITY), bounds, [zero]), "bounds")
        count = emitter.choose(is_nan, zero, emitter.index(1))
        return _State(nodes, bounds, zero, count, best, at, emitter.integer(0), points)

    def goes_on(self, emitter: BlockEmitter, carried: list[SSAValue]) -> tuple[SSAValue, list[SSAValue]]:
        """Boxes are left, and the search is not given up."""
        *held, left = carried
        state = _State(*held)
        for name, value in (*vars(state).items(), ("left", left)):
            value.name_hint = name
        return emitter.both(self.is_left(emitter, state), self.pays(emitter, state, left)), carried

    def pays(self, emitter: BlockEmitter, state: _State, left: SSAValue) -> SSAValue:
        """True if the search of boxes is not given up."""
        spent = emitter.add_integers(
            emitter.value(arith.MuliOp(state.boxes, emitter.integer(self.limits.box))),
            emitter.value(arith.MuliOp(state.points, emitter.integer(self.limits.point))),
        )
        a = RangeArithmetic(emitter)
        product = a.multiply(*(emitter.value(arith.SIToFPOp(number, f64)) for number in (spent, left)))
        return emitter.either(
            a.compare(product, "olt", a.number(float(self.limits.budget) * prod(self.extents))),
            emitter.compare(left, "sle", emitter.integer(self.limits.tail)),
        )

    @staticmethod
    def is_left(emitter: BlockEmitter, state: _State) -> SSAValue:
        """True if boxes wait."""
        return emitter.compare(state.count, "sgt", emitter.index(0))

    def round(self, emitter: BlockEmitter, carried: list[SSAValue]) -> list[SSAValue]:
        """Takes some boxes; after them the number of points that are left."""
        start = _State(*carried[:-1])
        quarter = emitter.value(arith.ShRUIOp(start.boxes, emitter.integer(2)))
        end = emitter.add_integers(start.boxes, emitter.value(arith.MaxSIOp(quarter, emitter.integer(ROUND))))

        def goes_on(inner: BlockEmitter, held: list[SSAValue]) -> tuple[SSAValue, list[SSAValue]]:
            state = _State(*held)
            return inner.both(self.is_left(inner, state), inner.compare(state.boxes, "slt", end)), held

        state = _State(*emitter.loop_while(start.carried(), goes_on, self.step))
        return [*state.carried(), self.left(emitter, state)]

    def left(self, emitter: BlockEmitter, state: _State) -> SSAValue:
        """The number of points in those boxes that can still hold the optimum."""

        def count(inner: BlockEmitter, number: SSAValue, held: list[SSAValue]) -> list[SSAValue]:
            box = self.box(inner, state, self.row(inner, state, number))
            more = inner.add_integers(held[0], box.size)
            return [inner.choose(self.is_better(inner, box.bound, self.index(inner, box.firsts), state.best, state.at), more, held[0])]

        return between(emitter, emitter.index(0), state.count, [emitter.integer(0)], count)[0]

    def row(self, emitter: BlockEmitter, state: _State, number: SSAValue) -> SSAValue:
        """The row of a box that waits, by its number."""
        return self.around(emitter, emitter.value(arith.AddiOp(state.first, number)))

    def around(self, emitter: BlockEmitter, row: SSAValue) -> SSAValue:
        """A row of the ring: after the last one comes the first one."""
        return emitter.value(arith.RemUIOp(row, emitter.index(self.room)), "row")

    def box(self, emitter: BlockEmitter, state: _State, row: SSAValue) -> _Box:
        """The box in a row."""
        axes = range(len(self.extents))
        words = [emitter.value(tensor.ExtractOp(state.nodes, [row, emitter.index(axis)], i64)) for axis in axes]
        nodes = [emitter.value(arith.IndexCastOp(word, INDEX), "node") for word in words]
        firsts = [self.tables[axis].first(emitter, nodes[axis]) for axis in axes]
        lasts = [self.tables[axis].last(emitter, nodes[axis]) for axis in axes]
        counts = [emitter.value(arith.SubiOp(last, first), "count") for first, last in zip(firsts, lasts, strict=True)]
        size = counts[0]
        for count in counts[1:]:
            size = emitter.value(arith.MuliOp(size, count), "size")
        bound = emitter.value(tensor.ExtractOp(state.bounds, [row], f64), "bound")
        return _Box(nodes, firsts, lasts, counts, size, bound)

    def is_better(self, emitter: BlockEmitter, value: SSAValue, at: SSAValue, best: SSAValue, best_at: SSAValue) -> SSAValue:
        """True if a value at an index takes the place of the best one."""
        a = RangeArithmetic(emitter)
        beats = a.compare(value, "olt" if self.points.minimizes else "ogt", best)
        return a.any(beats, a.all(a.compare(value, "oeq", best), emitter.compare(at, "slt", best_at)))

    def step(self, emitter: BlockEmitter, carried: list[SSAValue]) -> list[SSAValue]:
        """Takes a box."""
        state = _State(*carried)
        left = emitter.value(arith.SubiOp(state.count, emitter.index(1)), "left")
        is_first = emitter.compare(state.count, "slt", emitter.index(WAITING))
        box = self.box(emitter, state, self.row(emitter, state, emitter.choose(is_first, emitter.index(0), left)))
        following = self.around(emitter, emitter.value(arith.AddiOp(state.first, emitter.index(1))))
        first = emitter.choose(is_first, following, state.first)
        taken = _State(state.nodes, state.bounds, first, left, state.best, state.at, state.boxes, state.points)
        is_hopeful = self.is_better(emitter, box.bound, self.index(emitter, box.firsts), state.best, state.at)

        def search(inner: BlockEmitter) -> list[SSAValue]:
            is_small = inner.compare(box.size, "sle", inner.integer(SMALL_BOX))
            yes, no = inner.nested(), inner.nested()
            yes.add(scf.YieldOp(*self.evaluate(yes, taken, box)))
            no.add(scf.YieldOp(*self.halve(no, taken, box)))
            types = [value.type for value in taken.carried()]
            return list(inner.add(scf.IfOp(is_small, types, Region(yes.block), Region(no.block))).results)

        return emitter.conditional(is_hopeful, taken.carried(), search)

    def index(self, emitter: BlockEmitter, levels: Sequence[SSAValue]) -> SSAValue:
        """The index of a point."""
        found = levels[0]
        for extent, level in zip(self.extents[1:], levels[1:], strict=True):
            found = emitter.add_integers(emitter.value(arith.MuliOp(found, emitter.integer(extent))), level)
        return found

    def evaluate(self, emitter: BlockEmitter, state: _State, box: _Box) -> list[SSAValue]:
        """All points of a box."""
        ends = [[emitter.value(arith.IndexCastOp(end, INDEX)) for end in pair] for pair in zip(box.firsts, box.lasts, strict=True)]

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
        points = emitter.add_integers(state.points, box.size)
        return _State(state.nodes, state.bounds, state.first, state.count, best, at, state.boxes, points).carried()

    def halve(self, emitter: BlockEmitter, state: _State, box: _Box) -> list[SSAValue]:
        """The halves of a box that can hold the optimum wait as the last ones."""
        longest, length = emitter.index(0), box.counts[0]
        for axis, count in enumerate(box.counts[1:], 1):
            is_longer = emitter.compare(count, "sgt", length)
            longest, length = emitter.choose(is_longer, emitter.index(axis), longest), emitter.choose(is_longer, count, length)
        carried = [state.nodes, state.bounds, state.count, state.boxes]

        def half(inner: BlockEmitter, number: SSAValue, held: list[SSAValue]) -> list[SSAValue]:
            rows, bounds, count, boxes = held
            halves: list[SSAValue] = []
            size: SSAValue | None = None
            firsts: list[SSAValue] = []
            for axis, node in enumerate(box.nodes):
                is_split = inner.compare(longest, "eq", inner.index(axis))
                below = inner.value(arith.AddiOp(inner.value(arith.AddiOp(node, node)), number))
                halves.append(inner.choose(is_split, below, node))
                first, last = (end(inner, halves[-1]) for end in (self.tables[axis].first, self.tables[axis].last))
                firsts.append(first)
                levels = inner.value(arith.SubiOp(last, first))
                size = levels if size is None else inner.value(arith.MuliOp(size, levels))
            assert size is not None

            def push(there: BlockEmitter) -> list[SSAValue]:
                bound = self.bound(there, halves)
                row, after = self.row(there, state, count), rows
                for axis, node in enumerate(halves):
                    word = there.value(arith.IndexCastOp(node, i64))
                    after = there.value(tensor.InsertOp(word, after, [row, there.index(axis)]))
                counted = there.add_integers(boxes, there.integer(1))
                kept = there.value(tensor.InsertOp(bound, bounds, [row]))
                is_hopeful = self.is_better(there, bound, self.index(there, firsts), state.best, state.at)
                more = there.choose(is_hopeful, there.value(arith.AddiOp(count, there.index(1))), count)
                return [after, kept, more, counted]

            return inner.conditional(inner.compare(size, "sgt", inner.integer(0)), held, push)

        rows, bounds, count, boxes = emitter.loop_for(2, carried, half, "half")
        return _State(rows, bounds, state.first, count, state.best, state.at, boxes, state.points).carried()
