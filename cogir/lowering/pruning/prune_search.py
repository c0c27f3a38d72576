"""
Searches boxes of points before a grid is searched exhaustively.

Before: stage `machine`, after `cog-licm`: what is common to all points stands before the loops of a search.
After:  the search of boxes (`boxes.py`), which finds the same optimum to the bit or gives up early, with the exhaustive search beside it:

```mlir
%best, %at = scf.for ... {cog.first_optimum}      %b, %a, %is_done, ... = func.call @prune(...)
                                            ->    %best, %at = scf.if %is_done { yield %b, %a } else { scf.for ... }

func.func private @point(%x: f64, %y: f64, ...) -> f64
func.func private @bounds(%x_low: f64, %x_high: f64, %x_nan: i1, ...) -> (f64, f64, i1)
```

`docs/design/prune-search.md` says why the answer is the same. The attribute `cog.exhaustive` of the module gives the reasons of controllers
whose searches have no boxes.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects import arith, func, scf
from xdsl.dialects.builtin import DictionaryAttr, ModuleOp, StringAttr, f64, i1, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from cogir import remarks
from cogir.analysis.effects import EffectsTable
from cogir.analysis.first_optimum import CONTROLLER, FIRST_OPTIMUM
from cogir.analysis.op_cost import CostTable
from cogir.analysis.search_points import SearchPoints, search_points
from cogir.interpreters.searched import ARGUMENTS, COUNT_SEARCH
from cogir.irutils import size_of
from cogir.lowering.machine.emitter import INDEX
from cogir.lowering.machine.functions import ModuleFunctions
from cogir.lowering.pruning.boxes import MOST_MOVES, SMALL_BOX, BoxSearch, PointFunctions, PruningLimits, probes_of
from cogir.lowering.pruning.extension import Extension, NoExtension, straightened

EXHAUSTIVE = "cog.exhaustive"
"""The attribute of a module with the reasons why searches have no boxes, by the paths of their controllers."""
SPEED = 16
"""An exhaustive search is so many times as fast as its operations one by one: eight points at a time, which do not wait for one another."""
SHARE = 32
"""
A search of boxes is given up after this part of the work of the exhaustive search, divided by the part of the points that can still be the
optimum, unless these are few.
"""
BOX_WORK, POINT_WORK, NUMBER_WORK = 20, 10, 20
"""The work around a box, around a point, and for each number that the tables of an axis hold, besides computing them."""
READ_WORK = 8
"""The work around a point in the exhaustive search."""
DECISIONS = 2
"""Half of the operations of a bound are comparisons and selections, which take no time beside divisions and roots."""


def work_of_grid(points: SearchPoints, costs: CostTable) -> int:
    """The work of the exhaustive search: of each operation once for each combination of the axes that it depends on."""
    total = READ_WORK * prod(points.extents)
    for op, axes in zip(points.of_points, points.axes, strict=True):
        total += costs.of(op) * prod(points.extents[axis] for axis in axes)
    return total // SPEED


def work_of_tables(points: SearchPoints, costs: CostTable) -> int:
    """The work of computing what depends on one axis."""
    total = 0
    for extent, ops, kept in zip(points.extents, points.of_axis, points.kept, strict=True):
        total += extent * (sum(map(costs.of, ops)) + NUMBER_WORK * sum(size_of(value.type) for value in kept))
    return total


def limits_of(points: SearchPoints, point: func.FuncOp, bounds: func.FuncOp, work: int, force: bool) -> PruningLimits:
    """The limits of the search of boxes."""
    costs = CostTable(ModuleOp([point.clone(), bounds.clone()]))
    box = costs.of_function(bounds.sym_name.data) // DECISIONS + BOX_WORK
    at_point = costs.of_function(point.sym_name.data) + POINT_WORK
    if force:
        return PruningLimits(box, at_point, 2**62, 0, MOST_MOVES)
    budget, neighbours = work // SHARE, 2 * len(points.extents)
    moves = (budget // 2 - at_point * probes_of(len(points.extents))) // (at_point * neighbours)
    if moves < 0:
        raise NoExtension(SHORT)
    return PruningLimits(box, at_point, budget, int(0.9 * work / (at_point + 2 * box / SMALL_BOX)), min(moves, MOST_MOVES))


SHORT = "it takes less time than a search of boxes"


class Pruning:
    """Adds the search of boxes to one module."""

    def __init__(self, module: ModuleOp, context: Context, force: bool):
        self.module = module
        self.context = context
        self.force = force
        self.effects = EffectsTable(module)
        self.costs = CostTable(module)
        self.functions = ModuleFunctions(module)

    def prune(self, loop: scf.ForOp) -> str:
        """Searches boxes before a loop; gives the reason if it does not."""
        points = search_points(loop, self.effects)
        if isinstance(points, str):
            return points
        work = work_of_grid(points, self.costs)
        if work_of_tables(points, self.costs) > work // SHARE and not self.force:
            return SHORT
        built = len(self.functions.built)
        try:
            of_points = PointFunctions(points, self.functions)
            named = {**self.costs.functions, of_points.function.sym_name.data: of_points.function}
            name = self.functions.fresh_name("bounds")
            straight = straightened(of_points.function, named, self.context)
            bounds = Extension(straight, of_points.varying, name, ["low" if points.minimizes else "high"]).build()
            limits = limits_of(points, straight, bounds, work, self.force)
        except NoExtension as reason:
            del self.functions.built[built:]
            return str(reason)
        self.functions.built.append(bounds)
        search = BoxSearch(points, of_points, bounds, limits)
        self.call(loop, points, search)
        return ""

    def call(self, loop: scf.ForOp, points: SearchPoints, search: BoxSearch) -> None:
        """Puts the search of boxes before a loop, which is done if it has been given up."""
        name = search.define(self.functions).sym_name.data
        types = [result.type for result in loop.results]
        block = loop.parent
        assert block is not None
        call = func.CallOp(name, search.captured, [f64, i64, i1, i64, i64])
        call.location = loop.location
        at = arith.IndexCastOp(call.results[1], INDEX)
        found: list[SSAValue] = [at.result] * len(types)
        found[points.best] = call.results[0]
        nothing = Block()
        choice = scf.IfOp(call.results[2], types, Region(Block([scf.YieldOp(*found)])), Region(nothing))
        choice.location = loop.location
        for result, name in zip(call.results, ("best", "best_index", "is_done", "boxes", "points"), strict=True):
            result.name_hint = name
        flag = arith.ExtUIOp(call.results[2], i64)
        count = func.CallOp(COUNT_SEARCH, [flag.result, *call.results[3:]], [])
        block.insert_ops_before([call, flag, count, at, choice], loop)
        for old, new in zip(loop.results, choice.results, strict=True):
            new.name_hint = old.name_hint
            old.replace_all_uses_with(new)
        loop.detach()
        nothing.add_ops([loop, scf.YieldOp(*loop.results)])


@dataclass(frozen=True)
class PruneSearch(ModulePass):
    """Searches boxes of points before a grid is searched exhaustively."""

    name = "prune-search"

    force: bool = False
    """True if boxes are searched however short a search is, and to the end: for tests."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        done: set[Operation] = set()
        reasons: dict[str, Attribute] = {}
        pruning = Pruning(op, ctx, self.force)
        for loop in [each for each in op.walk() if isinstance(each, scf.ForOp) and FIRST_OPTIMUM in each.attributes]:
            if loop not in done:
                done.update(loop.walk())  # searches that the points of another one do are part of these points
                name, reason = loop.attributes.get(CONTROLLER), pruning.prune(loop)
                if reason:
                    remarks.missed(loop, "the search evaluates all points: {}", reason)
                else:
                    remarks.passed(loop, "the search drops boxes of points that cannot hold the optimum")
                if reason and isinstance(name, StringAttr):
                    reasons[name.data] = StringAttr(reason)
        if reasons:
            op.attributes[EXHAUSTIVE] = DictionaryAttr(reasons)
        if pruning.functions.built:
            op.body.block.add_ops(pruning.functions.in_order())
            op.body.block.add_op(func.FuncOp.external(COUNT_SEARCH, [i64] * ARGUMENTS, []))
