"""
Inlines what a search computes at each point where parts of it depend on some of the axes only.

Before: stage `machine`, after `inline-draws`: grids whose points call functions and compute whole arrays.
After:  the functions are inlined, and array operations are split, where that exposes an
        operation that is long (a division, a root, an elementary function) and depends on fewer axes than the whole.

```mlir
%move = call @move(%a, %b, %c)                    // {0}, {1}, {2}: all axes, at each point

%far = math.sqrt ...                              // {1, 2}
%part = linalg.generic ins(%flight) { divf %x, %far }      // {1, 2}
%move = linalg.generic ins(%part, ...) { mulf ... }        // {0, 1, 2}
```

The exposed operation is then moved: by `cog-licm` out of the loops that it does not depend on, by `factor-grid` into a table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import cast

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import func, scf, tensor
from xdsl.dialects.builtin import AffineMapAttr, ModuleOp, TensorType
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint
from xdsl.traits import IsTerminator

from cogir.analysis.axes import Axes, Grid, grid_at
from cogir.analysis.effects import EffectsTable
from cogir.analysis.op_cost import LONG_COST, CostTable
from cogir.irutils import shape_of
from cogir.transforms.inlining import inline

FEWEST_POINTS = 32
"""A smaller grid is done before tables are filled (measured: 8 points take 0.4 us, and 0.6 us inlined; 64 points 0.74 and 0.63)."""

AxesOf = Mapping[SSAValue, Axes | None]


NONE: Axes = frozenset()


def of(value: SSAValue, axes: AxesOf) -> Axes:
    """The axes of a value; none for one from outside."""
    return axes.get(value) or NONE


def axes_in(op: Operation, axes: AxesOf) -> Axes:
    """The axes of what an operation and all inside it read."""
    return NONE.union(*(of(operand, axes) for inner in op.walk() for operand in inner.operands))


def is_elementwise(op: Operation) -> bool:
    """True if an operation computes arrays element by element, each result in its own order."""
    if not isinstance(op, linalg.GenericOp) or any(kind.data != IteratorType.PARALLEL for kind in op.get_iterator_types()):
        return False
    maps = [attr.data for attr in op.get_indexing_maps()]
    plain = all(map == AffineMap.identity(map.num_dims) for map in maps[len(op.inputs) :])
    return plain and not any(inner.regions or isinstance(inner, linalg.IndexOp) for inner in op.body.block.ops)


class Opening:
    """Inlines the calls, and splits the elementwise operations, of one grid."""

    def __init__(self, grid: Grid, functions: Mapping[str, func.FuncOp], costs: CostTable):
        self.grid, self.functions, self.costs = grid, functions, costs

    def is_short_of(self, op: Operation, own: Axes, whole: Axes) -> bool:
        """True if an operation is long and depends on fewer axes than the whole."""
        return own < whole and self.costs.of(op) >= LONG_COST

    def function(self, call: Operation) -> func.FuncOp | None:
        """The function that an operation calls, if it has a body of one block."""
        if not isinstance(call, func.CallOp):
            return None
        function = self.functions.get(call.callee.string_value())
        return function if function is not None and len(function.body.blocks) == 1 else None

    def pays(self, function: func.FuncOp, given: Sequence[Axes], whole: Axes, callers: tuple[func.FuncOp, ...] = ()) -> bool:
        """True if a function whose arguments depend on these axes contains an operation that should be exposed."""
        if function in callers:
            return False
        axes: dict[SSAValue, Axes | None] = dict(zip(function.args, given, strict=True))
        for op in function.body.block.ops:
            own = axes_in(op, axes)
            if self.is_short_of(op, own, whole) or (own == whole and self.holds_short(op, axes, whole)):
                return True
            inner = self.function(op)
            if inner is not None and own == whole:
                if self.pays(inner, [of(operand, axes) for operand in op.operands], whole, (*callers, function)):
                    return True
            axes.update(dict.fromkeys(op.results, own))
        return False

    def body_axes(self, op: linalg.GenericOp, axes: AxesOf) -> dict[SSAValue, Axes]:
        """The axes of the values in the body of an elementwise operation."""
        found: dict[SSAValue, Axes] = {}
        for argument, operand in zip(op.body.block.args, op.operands, strict=True):
            found[argument] = of(operand, axes)
        for inner in op.body.block.ops:
            own = NONE.union(*(found[operand] if operand in found else of(operand, axes) for operand in inner.operands))
            for result in inner.results:
                found[result] = own
        return found

    def holds_short(self, op: Operation, axes: AxesOf, whole: Axes) -> bool:
        """True if the body of an elementwise operation holds a long operation of fewer axes."""
        if not is_elementwise(op):
            return False
        body = cast(linalg.GenericOp, op).body.block
        inside = self.body_axes(cast(linalg.GenericOp, op), axes)
        return any(self.is_short_of(inner, inside[inner.results[0]], whole) for inner in body.ops if inner.results)

    def calls(self) -> Iterator[tuple[func.CallOp, func.FuncOp]]:
        """The calls that are to be inlined."""
        for _, op in self.grid.operations():
            function, whole = self.function(op), self.grid.axes.get(op.results[0]) if op.results else None
            if function is None or not whole:
                continue
            if self.pays(function, [of(operand, self.grid.axes) for operand in op.operands], whole):
                yield cast(func.CallOp, op), function

    def take_apart(self) -> None:
        """Splits array operations: parts that depend on fewer axes become operations of their own."""
        for _, op in list(self.grid.operations()):
            whole = self.grid.axes.get(op.results[0]) if op.results else None
            if whole and self.holds_short(op, self.grid.axes, whole):
                op = cast(linalg.GenericOp, op)
                inside = self.body_axes(op, self.grid.axes)
                take_out(op, list(self.parts(op, inside, whole)))

    def parts(self, op: linalg.GenericOp, inside: Mapping[SSAValue, Axes], whole: Axes) -> Iterator[SSAValue]:
        """The values of a body that depend on fewer axes than all that is computed from them, and are long to compute."""
        for inner in op.body.block.ops:
            if inner.has_trait(IsTerminator) or not inside[inner.results[0]] < whole:
                continue
            value = inner.results[0]
            users = [use.operation for use in value.uses]
            if any(user.has_trait(IsTerminator) or inside[user.results[0]] != inside[value] for user in users):
                if any(self.costs.of(each) >= LONG_COST for each in slice_of(value)):
                    yield value


def slice_of(value: SSAValue) -> list[Operation]:
    """The operations of its block from which a value is computed, in order."""
    owner = value.owner
    assert isinstance(owner, Operation)
    block, found, waiting = owner.parent, set[Operation](), [owner]
    while waiting:
        op = waiting.pop()
        if op not in found:
            found.add(op)
            waiting += [operand.owner for operand in op.operands if isinstance(operand.owner, Operation) and operand.owner.parent is block]
    assert block is not None
    return [op for op in block.ops if op in found]


def take_out(op: linalg.GenericOp, parts: Sequence[SSAValue]) -> None:
    """
    linalg.generic ins(%a, %b) { mulf (sqrt %x), %y }
    ->  %c = linalg.generic ins(%a) { sqrt %x };  linalg.generic ins(%c, %b) { mulf %x, %y }
    """
    builder = Builder(InsertPoint.before(op))
    block, maps = op.body.block, list(op.get_indexing_maps())
    inputs = list(op.inputs)
    identity = AffineMapAttr(AffineMap.identity(maps[0].data.num_dims))
    shape = shape_of(op.outputs[0].type)
    computed: list[SSAValue] = []
    for part in parts:
        operations = slice_of(part)
        read = [number for number, argument in enumerate(block.args) if any(argument in each.operands for each in operations)]
        type = TensorType(part.type, shape)
        body = Block(arg_types=[*(block.args[number].type for number in read), part.type])
        values: dict[SSAValue, SSAValue] = {block.args[number]: argument for number, argument in zip(read, body.args, strict=False)}
        body.add_ops([each.clone(values) for each in operations])
        body.add_op(linalg.YieldOp(values[part]))
        empty = builder.insert(tensor.EmptyOp((), type)).tensor
        own_maps = [*(maps[number] for number in read), identity]
        own = linalg.GenericOp([op.operands[number] for number in read], [empty], Region(body), own_maps, op.iterator_types, [type])
        builder.insert(own)
        own.results[0].name_hint = part.name_hint
        computed.append(own.results[0])
    region = op.detach_region(op.body)
    for number, part in enumerate(parts):
        argument = block.insert_arg(part.type, len(inputs) + number)
        argument.name_hint = part.name_hint
        part.replace_all_uses_with(argument)
    for each in reversed(list(block.ops)):
        if each.results and not any(result.uses for result in each.results):
            each.detach()
            each.erase()
    new_maps = [*maps[: len(inputs)], *([identity] * len(parts)), *maps[len(inputs) :]]
    new = builder.insert(linalg.GenericOp([*inputs, *computed], op.outputs, region, new_maps, op.iterator_types, op.result_types))
    for old, fresh in zip(op.results, new.results, strict=True):
        fresh.name_hint = old.name_hint
        old.replace_all_uses_with(fresh)
    cast(Block, op.parent).erase_op(op)


@dataclass(frozen=True)
class OpenPoints(ModulePass):
    """Inlines what a search computes at each point where parts of it depend on some of the axes only."""

    name = "open-points"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        effects, costs = EffectsTable(op), CostTable(op)
        functions = {each.sym_name.data: each for each in op.ops if isinstance(each, func.FuncOp) and not each.is_declaration}
        for function in functions.values():
            for loop in [each for each in function.walk() if isinstance(each, scf.ForOp)]:
                grid = grid_at(loop, effects) if loop.parent is not None else None
                if grid is None or len(grid.loops) < 2 or prod(grid.extents) < FEWEST_POINTS:
                    continue
                while calls := list((opening := Opening(grid, functions, costs)).calls()):
                    for call, callee in calls:
                        inline(call, callee)
                    grid = cast(Grid, grid_at(loop, effects))
                opening.take_apart()
