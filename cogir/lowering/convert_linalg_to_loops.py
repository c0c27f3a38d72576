"""
Writes linalg operations on memory out as loops.

Before: `linalg` operations and copies on memrefs of static shape, as `bufferize` leaves them.
After:  no `linalg` operation is left, and every `memref.copy` is of memory in one piece: nests of `affine.for` with
        `affine.load` and `affine.store`, in the order of the operation's loops. A reduction over the innermost loops
        keeps its sum (or product, maximum ...) in a value that the loops carry, and stores it once; left to right, so
        results do not change. A loop over the trials of a block ends with the last one that counts; where an operation goes
        through the elements of arrays that have an axis of trials one by one, it is one loop through all of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import affine, memref
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    ShapedType,
    StridedLayoutAttr,
    TensorType,
    i64,
)
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap
from xdsl.passes import ModulePass

from cogir.analysis.trial_axis import BY_TRIAL, last_trial
from cogir.errors import LoweringError
from cogir.irutils import element_type_of, iteration_extents, projected_dims, row_major_strides, shape_of

VIEWS = (memref.SubviewOp, memref.CastOp, memref.CollapseShapeOp, memref.ExpandShapeOp, memref.ReinterpretCastOp)


def memory_of(buffer: SSAValue) -> SSAValue:
    """The argument or allocation that a buffer is a window of."""
    while isinstance(buffer.owner, VIEWS):
        buffer = buffer.owner.operands[0]
    return buffer


def insert(op: Operation, anchor: Operation) -> None:
    """Puts `op` before `anchor`."""
    cast(Block, anchor.parent).insert_op_before(op, anchor)


def access(map: AffineMap, loops: Sequence[SSAValue]) -> tuple[list[SSAValue], AffineMapAttr]:
    """The operands and the map that stand for an indexing map inside of its loops."""
    dims = projected_dims(map)
    if dims is None:
        return list(loops), AffineMapAttr(map)
    return [loops[dim] for dim in dims], AffineMapAttr(AffineMap.identity(len(dims)))


def outer_loops(op: LinalgStructuredOperation) -> int:
    """The number of loops around those through which the elements of the outputs can be carried."""
    count = len(op.get_iterator_types())
    written = {memory_of(output) for output in op.outputs}
    if len(written) < len(op.outputs) or any(memory_of(value) in written for value in op.inputs):
        return count  # What is stored may be read again by a later iteration: every store stays where it is.
    maps = [attr.data for attr in op.get_indexing_maps().data[len(op.inputs) :]]
    exprs = (expr for map in maps for result in map.results for expr in result.dfs())
    return 1 + max((expr.position for expr in exprs if isinstance(expr, AffineDimExpr)), default=-1)


def is_collapsible(op: LinalgStructuredOperation) -> bool:
    """True if an operation by trial does the same to each element of arrays of one shape, whose elements lie side by side."""
    maps = [attr.data for attr in op.get_indexing_maps()]
    depth = len(op.get_iterator_types())
    if last_trial(op) is None or depth < 2 or any(isinstance(inner, linalg.IndexOp) for inner in op.body.block.ops):
        return False
    arrays = [(value, map) for value, map in zip(op.operands, maps, strict=True) if map.results]
    return all(map == AffineMap.identity(depth) and not has_gaps(value) for value, map in arrays)


def collapse(op: LinalgStructuredOperation) -> LoopNest:
    """
    An operation on arrays with an axis of trials  ->  the loop of the same operation on arrays of one axis

    Row by row, the last elements of each row would not fill a vector.
    """
    trials, *extents = iteration_extents(op)
    elements = math.prod(extents)
    operands, maps = list(op.operands), [attr.data for attr in op.get_indexing_maps()]
    for number, value in enumerate(operands):
        if maps[number].results:
            operands[number] = in_one_line(op, value, trials * elements)
    lines = [AffineMapAttr(AffineMap(1, 0, (AffineExpr.dimension(0),) if map.results else ())) for map in maps]
    inputs = len(op.inputs)
    made = linalg.GenericOp(operands[:inputs], operands[inputs:], op.detach_region(op.body), lines, op.get_iterator_types().data[:1])
    made.attributes[BY_TRIAL] = op.attributes[BY_TRIAL]
    insert(made, op)
    cast(Block, op.parent).erase_op(op)
    return LoopNest(made, elements)


def in_one_line(op: Operation, value: SSAValue, count: int) -> SSAValue:
    """A buffer whose elements lie side by side as an array of one axis."""
    type = cast("MemRefType[Any]", value.type)
    layout = StridedLayoutAttr([1], type.layout.offset) if isinstance(type.layout, StridedLayoutAttr) else type.layout
    axes = ArrayAttr([ArrayAttr(IntegerAttr(axis, i64) for axis in range(type.get_num_dims()))])
    made = MemRefType(type.element_type, [count], layout, type.memory_space)
    line = memref.CollapseShapeOp.create(operands=[value], result_types=[made], properties={"reassociation": axes})
    insert(line, op)
    return line.result


@dataclass
class LoopNest:
    """The loops that replace one operation, built from the outside to the inside."""

    op: LinalgStructuredOperation
    elements: int = 1
    """The elements of a trial that the first loop goes through."""
    loops: list[SSAValue] = field(default_factory=list[SSAValue])

    def __post_init__(self) -> None:
        self.maps = [attr.data for attr in self.op.get_indexing_maps()]
        self.extents = iteration_extents(self.op)
        self.outer_loops = outer_loops(self.op)
        self.outputs = range(len(self.op.inputs), len(self.op.operands))

    def build(self) -> None:
        """Puts the loops before the operation, and removes it."""
        self.enter(self.op)
        cast(Block, self.op.parent).erase_op(self.op)

    def enter(self, anchor: Operation) -> None:
        """Adds the loops that carry nothing, then what carries the outputs, and the stores."""
        depth = len(self.loops)
        if depth < self.outer_loops:
            end = affine.YieldOp.get()
            body = Block([end], arg_types=[IndexType()])
            insert(self.loop([], body), anchor)
            self.loops.append(body.args[0])
            self.enter(end)
            return
        carries = self.outer_loops < len(self.extents)
        before = [self.load(number, anchor) if carries or self.is_read(number) else None for number in self.outputs]
        after = self.carry(anchor, before)
        for number, value in zip(self.outputs, after, strict=True):
            indices, map = access(self.maps[number], self.loops)
            insert(affine.StoreOp(value, self.op.operands[number], indices, map), anchor)

    def carry(self, anchor: Operation, values: Sequence[SSAValue | None]) -> Sequence[SSAValue]:
        """Adds the remaining loops, which hand the elements of the outputs on; returns what these are in the end."""
        depth = len(self.loops)
        if depth == len(self.extents):
            return self.move_body(anchor, values)
        given = [cast(SSAValue, value) for value in values]
        end = affine.YieldOp.get()
        body = Block([end], arg_types=[IndexType(), *(value.type for value in given)])
        loop = self.loop(given, body)
        insert(loop, anchor)
        self.loops.append(body.args[0])
        insert(affine.YieldOp.get(*self.carry(end, body.args[1:])), end)
        body.erase_op(end)
        return loop.results

    def loop(self, carried: Sequence[SSAValue], body: Block) -> affine.ForOp:
        """The next loop; that over the trials of a block ends with the last one that counts."""
        depth = len(self.loops)
        last = last_trial(self.op) if depth == 0 else None
        end = (AffineExpr.dimension(0) + 1) * self.elements if self.elements > 1 else AffineExpr.dimension(0) + 1
        bound: int | AffineMapAttr = self.extents[depth] if last is None else AffineMapAttr(AffineMap(1, 0, (end,)))
        types = [value.type for value in carried]
        return affine.ForOp.from_region([], [] if last is None else [last], carried, types, 0, bound, Region(body))

    def is_read(self, number: int) -> bool:
        """True if the body uses the element of operand `number`."""
        return bool(self.op.body.block.args[number].uses)

    def load(self, number: int, anchor: Operation) -> SSAValue:
        """The element of operand `number` at the current indices; a scalar operand is its own."""
        operand = self.op.operands[number]
        if not isinstance(operand.type, ShapedType):
            return operand
        indices, map = access(self.maps[number], self.loops)
        load = affine.LoadOp(operand, indices, map, element_type_of(operand.type))
        insert(load, anchor)
        return load.result

    def move_body(self, anchor: Operation, carried: Sequence[SSAValue | None]) -> Sequence[SSAValue]:
        """Moves the body before `anchor`; returns what it yields."""
        block = self.op.body.block
        for number in range(len(self.op.inputs)):
            if self.is_read(number):
                block.args[number].replace_all_uses_with(self.load(number, anchor))
        for number, value in zip(self.outputs, carried, strict=True):
            if value is not None:
                block.args[number].replace_all_uses_with(value)
        for inner in list(block.ops):
            match inner:
                case linalg.YieldOp():
                    return list(inner.operands)
                case linalg.IndexOp():
                    inner.result.replace_all_uses_with(self.loops[inner.dim.value.data])
                case _:
                    inner.detach()
                    insert(inner, anchor)
        raise LoweringError(f"convert-linalg-to-loops: the body of {self.op.name} does not end in linalg.yield")


def has_gaps(value: SSAValue) -> bool:
    """True if the elements of a buffer do not lie side by side in row-major order."""
    type = cast("MemRefType[Any]", value.type)
    pairs = zip(type.get_strides() or (), row_major_strides(shape_of(type)), shape_of(type), strict=True)
    return any(stride != dense for stride, dense, extent in pairs if extent != 1)


def convert_copy(op: memref.CopyOp) -> None:
    """memref.copy a to b, one of them with gaps  ->  a loop over the elements"""
    anchor: Operation = op
    loops: list[SSAValue] = []
    for extent in shape_of(op.source.type):
        end = affine.YieldOp.get()
        body = Block([end], arg_types=[IndexType()])
        insert(affine.ForOp.from_region([], [], [], [], 0, extent, Region(body)), anchor)
        loops.append(body.args[0])
        anchor = end
    load = affine.LoadOp(op.source, loops)
    insert(load, anchor)
    insert(affine.StoreOp(load.result, op.destination, loops), anchor)
    cast(Block, op.parent).erase_op(op)


@dataclass(frozen=True)
class ConvertLinalgToLoops(ModulePass):
    """Writes linalg operations on memory as affine loops."""

    name = "convert-linalg-to-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in list(op.walk()):
            if isinstance(inner, LinalgStructuredOperation):
                if any(isinstance(type, TensorType) for type in inner.operand_types):
                    raise LoweringError(f"convert-linalg-to-loops: {inner.name} has tensor operands; run bufferize before this pass")
                (collapse(inner) if is_collapsible(inner) else LoopNest(inner)).build()
            elif isinstance(inner, memref.CopyOp) and (has_gaps(inner.source) or has_gaps(inner.destination)):
                convert_copy(inner)
