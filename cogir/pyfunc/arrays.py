"""
Arrays: reading and assigning the elements that an index picks, joining, and reshaping.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from xdsl.dialects import tensor
from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, IntegerAttr, i64
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr

from cogir.pyfunc.elementwise import (
    broadcast_node,
    broadcast_shapes,
    cast_node,
    common_kind,
    convert,
    is_truth,
    materialise,
    node_of,
    scalar_of,
    select,
    transposed,
    viewed,
)
from cogir.pyfunc.emitter import Emitter
from cogir.pyfunc.kinds import Kind, Shape, tensor_type
from cogir.pyfunc.selection import Item, Offset, Selection, Slice, position, select_items, static_bound
from cogir.pyfunc.trees import Applied, Fixed, Node, Tensor, Uniform
from cogir.pyfunc.values import (
    Array,
    Const,
    List,
    Scalar,
    Tuple,
    Value,
    as_operand,
    describe,
    is_numeric,
    is_static,
    memory_of,
    of_numpy,
    shape_of_value,
    static,
    wrap,
)

DYNAMIC = -(1 << 63)


def get_item(e: Emitter, source: Value, items: Sequence[Item]) -> Value:
    """`source[items]` of an array."""
    if not shape_of_value(source):
        raise e.error(f"{describe(source)} cannot be indexed; it is not an array")
    if isinstance(source, Const) and all(map(_is_known, items)):
        return _fold_item(e, source, items)
    node = node_of(source)
    assert node is not None
    storage = memory_of(source)
    if any(map(is_index_array, items)):
        return _take(e, node, [array_of(e, item) if isinstance(item, List) else item for item in items])
    picked = select_items(e, node.shape, items)
    if len(picked.dropped) == len(node.shape) and not picked.new_axes:
        if isinstance(node, Uniform):
            return Scalar(scalar_of(e, Uniform(node.number, (), node.kind)), node.kind, weak=False)
        if isinstance(source, Array):
            source.node = node = materialise(e, node)
        indices = [e.index(offset) if isinstance(offset, int) else offset for offset in picked.offsets]
        return Scalar(e.extract(materialise(e, node).ssa, indices, node.kind), node.kind, weak=False)
    if isinstance(node, Uniform):
        result: Node = Uniform(node.number, picked.shape, node.kind)
    elif picked.sizes == node.shape and not picked.dropped and all(isinstance(offset, int) for offset in picked.offsets):
        result = node
    else:
        if isinstance(source, Array):
            source.node = node = materialise(e, node)
        result = _extract_slice(e, materialise(e, node), picked)
    result = _reverse(result, _kept_positions(picked))
    return Array(add_axes(result, picked.new_axes), storage)


def _is_known(item: Item) -> bool:
    """True for an index, or a slice, that is known when the function is compiled; a window may start anywhere."""
    return all(map(is_static, (item.start, item.stop, item.step))) if isinstance(item, Slice) else is_static(item)


def is_index_array(item: Item) -> bool:
    """True for an index that is an array: it copies."""
    return isinstance(item, List) or len(shape_of_value(item)) > 0


def _fold_item(e: Emitter, source: Const, items: Sequence[Item]) -> Value:
    index = tuple(
        slice(*(static_bound(e, getattr(item, name), name) for name in ("start", "stop", "step")))
        if isinstance(item, Slice)
        else static(item)
        for item in items
    )
    try:
        picked = source.value[index]
    except (IndexError, TypeError, ValueError) as error:
        raise e.error(str(error)) from None
    if isinstance(picked, np.ndarray) and not cast("np.ndarray[Any, Any]", picked).size:
        raise e.misfit("the index selects no element; arrays cannot be empty here")
    return wrap(picked, None if any(map(is_index_array, items)) else source.storage)


def _kept_positions(picked: Selection) -> list[int]:
    """Axes of the result that run backwards."""
    kept = [axis for axis in range(len(picked.sizes)) if axis not in picked.dropped]
    return [place for place, axis in enumerate(kept) if axis in picked.reversed_axes]


def _reverse(node: Node, axes: Sequence[int]) -> Node:
    if not axes:
        return node
    places: list[AffineExpr] = [
        AffineExpr.constant(extent - 1) - AffineExpr.dimension(axis) if axis in axes else AffineExpr.dimension(axis)
        for axis, extent in enumerate(node.shape)
    ]
    return viewed(node, places, node.shape)


def flip(node: Node, axes: Sequence[int]) -> Node:
    """The node with these axes running backwards."""
    return _reverse(node, axes)


def add_axes(node: Node, new_axes: Sequence[int]) -> Node:
    """The node with axes of length 1 at these places of the result."""
    if not new_axes:
        return node
    rank = len(node.shape) + len(new_axes)
    old = [axis for axis in range(rank) if axis not in new_axes]
    shape = tuple(1 if axis in new_axes else node.shape[old.index(axis)] for axis in range(rank))
    return viewed(node, [AffineExpr.dimension(axis) for axis in old], shape)


def _parts(offsets: Sequence[Offset]) -> tuple[list[SSAValue], list[int]]:
    """Dynamic offsets, and all offsets with a marker for those."""
    return (
        [offset for offset in offsets if isinstance(offset, SSAValue)],
        [DYNAMIC if isinstance(offset, SSAValue) else offset for offset in offsets],
    )


def _slice_properties(picked: Selection, static_offsets: Sequence[int]) -> dict[str, Any]:
    return {
        "static_offsets": DenseArrayBase.from_list(i64, static_offsets),
        "static_sizes": DenseArrayBase.from_list(i64, picked.sizes),
        "static_strides": DenseArrayBase.from_list(i64, picked.steps),
    }


def _extract_slice(e: Emitter, source: Tensor, picked: Selection) -> Tensor:
    dynamic, offsets = _parts(picked.offsets)
    op = tensor.ExtractSliceOp.build(
        operands=[source.ssa, dynamic, [], []],
        result_types=[tensor_type(picked.shape, source.kind)],
        properties=_slice_properties(picked, offsets),
    )
    return Tensor(e.add(op).results[0], picked.shape, source.kind)


def insert_slice(e: Emitter, part: SSAValue, target: SSAValue, picked: Selection) -> SSAValue:
    """`target` with the picked elements replaced by `part`."""
    dynamic, offsets = _parts(picked.offsets)
    op = tensor.InsertSliceOp.build(
        operands=[part, target, dynamic, [], []],
        result_types=[target.type],
        properties=_slice_properties(picked, offsets),
    )
    return e.add(op).results[0]


def is_mask(items: Sequence[Item], shape: Shape) -> bool:
    """True if an index is an array of truth values, one for each element."""
    return len(items) == 1 and is_numeric(items[0]) and is_truth(items[0]) and shape_of_value(items[0]) == shape


def set_item(e: Emitter, target: Tensor, items: Sequence[Item], value: Value) -> Tensor:
    """The array after `target[items] = value`."""
    node = node_of(value)
    if node is None:
        if not isinstance(value, Tuple | List):
            raise e.error(f"an array element cannot be {describe(value)}; assign a number or array")
        node = node_of(array_of(e, value))
        assert node is not None
    if (target.kind, node.kind) in (("i64", "f64"), ("i64", "f32")) or (target.kind == "i1" and node.kind != "i1"):
        raise e.error(
            f"an element of {describe(Array(target))} cannot represent {describe(value)} exactly; give the array the wider type, "
            "or convert the value with int(...)"
        )
    node = cast_node(node, target.kind)
    if is_mask(items, target.shape):
        if node.shape:
            raise e.error(f"x[mask] = value takes one number, not {describe(value)}; write x = np.where(mask, new, x)")
        chosen = select(e, items[0], convert(e, value, target.kind), Array(target))
        assert isinstance(chosen, Array)
        return materialise(e, chosen.node)
    if any(map(is_index_array, items)):
        return _put(e, target, items, value, node)
    picked = select_items(e, target.shape, items)
    if len(picked.dropped) == len(target.shape) and not picked.new_axes:
        if node.shape:
            if math.prod(node.shape) != 1:
                raise e.misfit(f"one element cannot be set to {describe(value)}; assign to a slice, or index one element of the value")
            node = materialise(e, node)
            number = e.extract(node.ssa, [e.index(0)] * len(node.shape), target.kind)
        else:
            number = _number(e, node, target.kind)
        indices = [e.index(offset) if isinstance(offset, int) else offset for offset in picked.offsets]
        ssa = e.op(tensor.InsertOp, (number, target.ssa, *indices), target.ssa.type)
        return Tensor(ssa, target.shape, target.kind)
    shape = picked.shape
    for axis in sorted(picked.new_axes):
        shape = (*shape[:axis], 1, *shape[axis:])
    try:
        # As NumPy, which leaves out axes of length 1 in front.
        while len(node.shape) > len(shape) and node.shape[0] == 1:
            node = _without_axes(e, node, [0])
        fits = np.broadcast_shapes(node.shape, shape) == shape
    except ValueError:
        fits = False
    if not fits:
        raise e.misfit(f"a slice of shape {shape} cannot hold {describe(value)}; give it that shape")
    whole = _without_axes(e, broadcast_node(node, shape), picked.new_axes)
    part = materialise(e, _reverse(whole, _kept_positions(picked)))
    if not part.shape:
        number = e.extract(part.ssa, (), part.kind)
        indices = [e.index(offset) if isinstance(offset, int) else offset for offset in picked.offsets]
        return Tensor(e.op(tensor.InsertOp, (number, target.ssa, *indices), target.ssa.type), target.shape, target.kind)
    return Tensor(insert_slice(e, part.ssa, target.ssa, picked), target.shape, target.kind)


def _without_axes(e: Emitter, node: Node, axes: Sequence[int]) -> Node:
    """The node without these axes, which have length 1."""
    if not axes:
        return node
    shape = tuple(extent for axis, extent in enumerate(node.shape) if axis not in axes)
    places = iter(range(len(shape)))
    return viewed(
        node, [AffineExpr.constant(0) if axis in axes else AffineExpr.dimension(next(places)) for axis in range(len(node.shape))], shape
    )


def _put(e: Emitter, target: Tensor, items: Sequence[Item], value: Value, node: Node) -> Tensor:
    """The array after `target[items] = value` with constant arrays of ints among the items; of equal places the last one counts."""
    if not all(map(is_static, items)) or any(isinstance(item, Const) and (item.value is None or item.value is Ellipsis) for item in items):
        raise e.misfit("elements are assigned at constant indices, or one by one in a loop; write for i, j in enumerate(...): x[j] = v[i]")
    try:
        places = np.arange(math.prod(target.shape)).reshape(target.shape)[tuple(np.asarray(static(item)) for item in items)]
    except IndexError as error:
        raise e.misfit(str(error)) from None
    try:
        fits = np.broadcast_shapes(node.shape, places.shape) == places.shape
    except ValueError:
        fits = False
    if not fits:
        raise e.misfit(f"elements of shape {places.shape} cannot hold {describe(value)}; give it that shape")
    size = math.prod(target.shape)
    order = np.full(size, -1)
    order[places.ravel()] = np.arange(places.size)
    changed = Const(order.reshape(target.shape) >= 0)
    if not node.shape:
        chosen = select(e, changed, convert(e, value, target.kind), Array(target))
    else:
        flat = Tensor(reshape_tensor(e, materialise(e, broadcast_node(node, places.shape)), (places.size,)), (places.size,), target.kind)
        new = _take(e, flat, [Const(np.maximum(order, 0).reshape(target.shape))])
        chosen = select(e, changed, new, Array(target))
    assert isinstance(chosen, Array)
    return materialise(e, chosen.node)


def _number(e: Emitter, node: Node, kind: Kind) -> SSAValue:
    if isinstance(node, Uniform):
        return scalar_of(e, node)
    assert isinstance(node, Applied)
    (operand,) = node.operands
    return e.cast(scalar_of(e, operand), operand.kind, kind)


def _take(e: Emitter, node: Node, items: Sequence[Item]) -> Value:
    """`node[items]` where some are arrays of ints (or constant truth values), for the first axes, and others are ints."""
    if any(isinstance(item, Slice) or (isinstance(item, Const) and (item.value is None or item.value is Ellipsis)) for item in items):
        raise e.misfit("an index array next to a slice, ... or None is not in the subset; index twice, or use np.take and reshape")
    extents = node.shape[: len(items)]
    if len(items) > len(node.shape):
        raise e.misfit(f"{len(items)} indices for an array of shape {node.shape}; give at most {len(node.shape)}")
    indices = [_index_node(e, item, extent) for item, extent in zip(items, extents, strict=True)]
    picked = broadcast_shapes(e, [index.shape for index in indices])
    rest = node.shape[len(items) :]
    shape = (*picked, *rest)
    held = materialise(e, node)
    operands = [add_axes(index, range(len(index.shape), len(index.shape) + len(rest))) for index in indices]
    for axis, extent in enumerate(rest):
        numbers = np.arange(extent).reshape(extent, *(1,) * (len(rest) - axis - 1))
        operands.append(Fixed(numbers, numbers.shape, "i64"))
    bounds = [_bounds_of(item, extent) for item, extent in zip(items, extents, strict=True)]
    bounds += [(0, extent - 1) for extent in rest]

    def body(e: Emitter, ssas: Sequence[SSAValue]) -> SSAValue:
        places = [position(e, Scalar(ssa, "i64", *bound), extent) for ssa, bound, extent in zip(ssas, bounds, node.shape, strict=True)]
        return e.extract(held.ssa, [e.index(place) if isinstance(place, int) else place for place in places], held.kind)

    return Array(Applied(body, tuple(operands), shape, node.kind))


def _bounds_of(index: Value, extent: int) -> tuple[int | None, int | None]:
    match index:
        case Const():
            return 0, extent - 1
        case Scalar(_, _, low, high):
            return low, high
        case _:
            return None, None


def _index_node(e: Emitter, index: Value, extent: int) -> Node:
    """An index, or an array of them, along an axis; constant ones are checked, and not negative."""
    if is_truth(index):
        if not isinstance(index, Const):
            raise e.error("a boolean index selects an unknown number of elements; use np.where(mask, x, other)")
        if index.value.shape != (extent,):
            raise e.misfit(f"a boolean index of shape {index.value.shape} does not fit an axis of {extent} elements")
        index = Const(np.flatnonzero(index.value))
        if not index.value.size:
            raise e.misfit("the boolean index selects no element; arrays cannot be empty here")
    if not isinstance(index, Const):
        node = node_of(index)
        if node is None or node.kind != "i64":
            raise e.error(f"{describe(index)} is not an index; use ints")
        return node
    if np.asarray(index.value).dtype.kind not in "iu":
        raise e.error(f"{describe(index)} is not an index; use ints")
    numbers = np.asarray(index.value)
    for number in numbers.ravel().tolist():
        position(e, Const(number), extent)
    wrapped = node_of(wrap((numbers % extent).astype(np.int64)))
    assert wrapped is not None
    return wrapped


# Joining and reshaping


def array_of(e: Emitter, value: Value, kind: Kind | None = None) -> Value:
    """`np.asarray(value)`: numbers and arrays stay, lists and tuples become arrays."""
    if isinstance(value, Tuple | List):
        value = _stack_items(e, value.items)
    if not is_numeric(value):
        raise e.error(f"{describe(value)} is not a number, array, or list of those")
    return value if kind is None else convert(e, value, kind)


def _stack_items(e: Emitter, items: Sequence[Value]) -> Value:
    if not items:
        raise e.error("an empty list cannot become an array; arrays cannot be empty here")
    arrays = [array_of(e, item) for item in items]
    shapes = {shape_of_value(array) for array in arrays}
    if len(shapes) != 1:
        raise e.error(f"the items have shapes {', '.join(map(str, sorted(shapes)))}; an array needs items of one shape")
    if all(map(is_static, arrays)):
        return wrap(np.array([as_operand(array) for array in arrays]))
    # An array has the type that its items have as NumPy's: numbers of Python widen it.
    arrays = [of_numpy(array) for array in arrays]
    kind = common_kind(e, arrays)
    (shape,) = shapes
    if not shape:
        numbers = [_number_of(e, array, kind) for array in arrays]
        ssa = e.op(tensor.FromElementsOp, numbers, tensor_type((len(numbers),), kind))
        return Array(Tensor(ssa, (len(numbers),), kind))
    return stack(e, arrays, 0)


def _number_of(e: Emitter, value: Value, kind: Kind) -> SSAValue:
    node = node_of(convert(e, value, kind))
    assert isinstance(node, Uniform)
    return scalar_of(e, Uniform(node.number, (), kind))


def stack(e: Emitter, arrays: Sequence[Value], axis: int) -> Value:
    """`np.stack`: arrays of one shape, of one axis or more, along a new axis."""
    if all(map(is_static, arrays)):
        return wrap(np.stack([static(array) for array in arrays], axis=axis))
    kind = common_kind(e, arrays)
    part = shape_of_value(arrays[0])
    shape, sizes = (*part[:axis], len(arrays), *part[axis:]), (*part[:axis], 1, *part[axis:])
    ssa = e.empty(shape, kind)
    for number, array in enumerate(arrays):
        node = node_of(array)
        assert node is not None
        offsets = tuple(number if place == axis else 0 for place in range(len(shape)))
        picked = Selection(offsets, sizes, (1,) * len(shape), frozenset({axis}), frozenset(), ())
        ssa = insert_slice(e, materialise(e, cast_node(node, kind)).ssa, ssa, picked)
    return Array(Tensor(ssa, shape, kind))


def concatenate(e: Emitter, arrays: Sequence[Value], axis: int) -> Value:
    """`np.concatenate` along `axis` (not negative)."""
    if all(map(is_static, arrays)):
        return wrap(np.concatenate([static(array) for array in arrays], axis=axis))
    kind = common_kind(e, arrays)
    nodes = [node_of(array) for array in arrays]
    shapes = [node.shape for node in nodes if node is not None]
    if any(shape[:axis] + shape[axis + 1 :] != shapes[0][:axis] + shapes[0][axis + 1 :] for shape in shapes):
        raise e.misfit(
            f"arrays of shapes {', '.join(map(str, shapes))} cannot be joined along axis {axis}; make them equal on all other axes"
        )
    total = sum(shape[axis] for shape in shapes)
    shape = (*shapes[0][:axis], total, *shapes[0][axis + 1 :])
    ssa = e.empty(shape, kind)
    start = 0
    for node in nodes:
        assert node is not None
        offsets = tuple(start if place == axis else 0 for place in range(len(shape)))
        whole = Selection(offsets, node.shape, (1,) * len(shape), frozenset(), frozenset(), ())
        ssa = insert_slice(e, materialise(e, cast_node(node, kind)).ssa, ssa, whole)
        start += node.shape[axis]
    return Array(Tensor(ssa, shape, kind))


def _grouping(rank: int) -> ArrayAttr[ArrayAttr[IntegerAttr]]:
    """All axes as one group."""
    return ArrayAttr([ArrayAttr([IntegerAttr(axis, i64) for axis in range(rank)])])


def reshape(e: Emitter, value: Value, shape: Shape) -> Value:
    """The same elements, row by row, in another shape (of the same size)."""
    node = node_of(value)
    assert node is not None
    size = math.prod(node.shape)
    if shape.count(-1) == 1:
        rest = math.prod(extent for extent in shape if extent != -1)
        shape = tuple(size // rest if extent == -1 else extent for extent in shape) if rest else shape
    if math.prod(shape) != size or -1 in shape:
        raise e.misfit(f"{describe(value)} has {size} elements and cannot be reshaped to {shape}; give a shape of {size} elements")
    if isinstance(value, Const) and node.shape:
        return wrap(value.value.reshape(shape), value.storage)
    storage = memory_of(value)
    if isinstance(node, Uniform):
        return Array(Uniform(node.number, shape, node.kind), storage)
    if node.shape == shape:
        return value
    held = materialise(e, node)
    if not shape:
        return Scalar(e.extract(held.ssa, [e.index(0)] * len(held.shape), held.kind), held.kind, weak=False)
    return Array(Tensor(reshape_tensor(e, held, shape), shape, held.kind), storage)


def reshape_tensor(e: Emitter, held: Tensor, shape: Shape) -> SSAValue:
    """A tensor through one axis into another shape."""
    ssa = held.ssa
    size = math.prod(shape)
    if len(held.shape) > 1:
        flat = tensor_type((size,), held.kind)
        ssa = e.op(tensor.CollapseShapeOp, (ssa,), flat, reassociation=_grouping(len(held.shape)))
    if len(shape) > 1:
        op = tensor.ExpandShapeOp(ssa, [], _grouping(len(shape)), shape, tensor_type(shape, held.kind))
        ssa = e.add(op).results[0]
    return ssa


def matrix_transpose(value: Value) -> Value:
    """`value.T`."""
    node = node_of(value)
    assert node is not None
    if len(node.shape) < 2:
        return value
    if isinstance(value, Const):
        return wrap(value.value.T, value.storage)
    return Array(transposed(node, range(len(node.shape))[::-1]), memory_of(value))
