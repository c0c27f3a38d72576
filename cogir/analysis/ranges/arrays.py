"""
The walk of `tensor` operations (`walk.py`): they move elements, whose objects stay what they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import cast

from xdsl.dialects import tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation, SSAValue

from cogir.analysis.ranges.values import Elements, Number, State, Token, constant_range, joined_range, one_of, range_of_value, unknown
from cogir.analysis.ranges.walking import Walk
from cogir.irutils import shape_of

MOST_INDICES = 64
"""An index with more possible values is taken to be any."""


def empty(walk: Walk, op: Operation) -> State:
    return [unknown(op.results[0].type)]


def extract(walk: Walk, op: Operation) -> State:
    assert isinstance(op, tensor.ExtractOp)
    array = walk.array(op.tensor)
    if not isinstance(array, Elements):
        return [unknown(op.result.type)]
    places = places_of(walk, op.indices, array)
    if array.cells is None or places is None:
        return [Number(array.range())]
    if len(places) == 1:
        return [one_of(array.cells[places[0]])]
    return [Number(joined_range(array.cells[place].range for place in places))]


def places_of(walk: Walk, indices: Sequence[SSAValue], array: Elements) -> list[int] | None:
    """The elements that indices can name, by number; None for too many. Indices outside of the array have no meaning."""
    axes: list[range] = []
    for index, extent in zip(indices, array.shape, strict=True):
        known = walk.number(index).integers
        axes.append(range(max(known.low, 0), min(known.high, extent - 1) + 1))
    count = prod(map(len, axes))
    if count == 0 or count > MOST_INDICES:
        return None
    found = [0]
    for axis, extent in zip(axes, array.shape, strict=True):
        found = [place * extent + index for place in found for index in axis]
    return found


def insert(walk: Walk, op: Operation) -> State:
    assert isinstance(op, tensor.InsertOp)
    array, scalar = walk.of(op.dest), walk.number(op.scalar)
    if not isinstance(array, Elements):
        return [Token()]
    if array.cells is None:
        return [Elements(array.shape, None, Number(joined_range((array.range(), scalar.range)), many=True))]
    places = places_of(walk, op.indices, array)
    cells = list(array.cells)
    if places is not None and len(places) == 1:
        cells[places[0]] = scalar
    else:
        for place in range(len(cells)) if places is None else places:
            cells[place] = Number(joined_range((cells[place].range, scalar.range)), many=cells[place].many)
    return [Elements(array.shape, tuple(cells))]


def window(walk: Walk, op: tensor.ExtractSliceOp | tensor.InsertSliceOp, shape: tuple[int, ...]) -> list[int] | None:
    """The elements of a slice of an array of this shape, by number; None if its place is not known."""
    given = iter([*op.offsets, *op.sizes, *op.strides])
    numbers: list[int] = []
    for each in (op.static_offsets, op.static_sizes, op.static_strides):
        for value in cast("Sequence[int]", each.get_values()):
            if value == DYNAMIC_INDEX:
                known = walk.number(next(given)).integers
                if not known.is_constant:
                    return None
                value = known.low
            numbers.append(value)
    rank = len(shape)
    found = [0]
    for axis in range(rank):
        offset, size, stride = numbers[axis], numbers[rank + axis], numbers[2 * rank + axis]
        if size and not (0 <= offset and offset + (size - 1) * stride < shape[axis]):
            return None
        found = [place * shape[axis] + offset + index * stride for place in found for index in range(size)]
    return found


def extract_slice(walk: Walk, op: Operation) -> State:
    assert isinstance(op, tensor.ExtractSliceOp)
    array = walk.of(op.source)
    shape = shape_of(op.result.type)
    if not isinstance(array, Elements) or -1 in shape:
        return [unknown(op.result.type)]
    places = None if array.cells is None else window(walk, op, array.shape)
    if array.cells is None or places is None:
        return [Elements.filled(shape, array.range())]
    cells = array.cells
    return [Elements(shape, tuple([cells[place] for place in places]))]


def insert_slice(walk: Walk, op: Operation) -> State:
    assert isinstance(op, tensor.InsertSliceOp)
    source, array = walk.of(op.source), walk.of(op.dest)
    if not isinstance(array, Elements) or not isinstance(source, Elements):
        return [Token()]
    places = None if array.cells is None or source.cells is None else window(walk, op, array.shape)
    if array.cells is None or source.cells is None or places is None:
        found = joined_range((array.range(), source.range()))
        if array.cells is not None and (where := window(walk, op, array.shape)) is not None and source.cells is None:
            cells = list(array.cells)
            for place in where:
                cells[place] = cast(Number, source.every)
            return [Elements(array.shape, tuple(cells))]
        return [Elements.filled(array.shape, found)]
    cells = list(array.cells)
    for place, cell in zip(places, source.cells, strict=True):
        cells[place] = cell
    return [Elements(array.shape, tuple(cells))]


def from_elements(walk: Walk, op: Operation) -> State:
    return [Elements(shape_of(op.results[0].type), tuple([walk.number(each) for each in op.operands]))]


def splat(walk: Walk, op: Operation) -> State:
    shape = shape_of(op.results[0].type)
    number = walk.number(op.operands[0])
    if prod(shape) > walk.precision.points:
        return [Elements.filled(shape, number.range)]
    return [Elements(shape, (number,) * prod(shape))]


def reshaped(walk: Walk, op: Operation) -> State:
    array = walk.of(op.operands[0])
    return [array.reshaped(shape_of(op.results[0].type)) if isinstance(array, Elements) else unknown(op.results[0].type)]


def concatenated(walk: Walk, op: Operation) -> State:
    return [Elements.filled(shape_of(op.results[0].type), joined_range(range_of_value(walk.of(each)) for each in op.operands))]


def extent(walk: Walk, op: Operation) -> State:
    assert isinstance(op, tensor.DimOp)
    axis = walk.number(op.index).integers
    shape = shape_of(op.source.type)
    return [Number(constant_range(shape[axis.low])) if axis.is_constant else unknown(op.result.type)]


SAME = (tensor.ExpandShapeOp, tensor.CollapseShapeOp, tensor.CastOp, tensor.ReshapeOp)
HANDLERS: Mapping[type[Operation], Callable[[Walk, Operation], State]] = {
    tensor.EmptyOp: empty,
    tensor.ExtractOp: extract,
    tensor.InsertOp: insert,
    tensor.ExtractSliceOp: extract_slice,
    tensor.InsertSliceOp: insert_slice,
    tensor.FromElementsOp: from_elements,
    tensor.SplatOp: splat,
    tensor.ConcatOp: concatenated,
    tensor.DimOp: extent,
    **dict.fromkeys(SAME, reshaped),
}
