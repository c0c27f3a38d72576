"""Functions, methods and attributes that make, join, reshape or describe arrays."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from cogir.pyfunc.arrays import add_axes, array_of, concatenate, flip, get_item, matrix_transpose, reshape, stack
from cogir.pyfunc.draws import shape_argument
from cogir.pyfunc.elementwise import as_python, broadcast_node, call, convert, node_of, scalar_of, transposed
from cogir.pyfunc.emitter import Emitter
from cogir.pyfunc.kinds import DTYPES, Kind, Shape
from cogir.pyfunc.meanings.registry import BUILTINS, NONE, REFUSED, CallSite, Handler, axes_of, kind_of_dtype, known, means, title_of, tree
from cogir.pyfunc.selection import Slice
from cogir.pyfunc.trees import Uniform
from cogir.pyfunc.values import (
    READ_ONLY,
    Array,
    Const,
    List,
    Tuple,
    Value,
    as_operand,
    copied,
    describe,
    has_numpy,
    is_static,
    kind_of,
    memory_of,
    shape_of_value,
    wrap,
)


def _filled(c: CallSite, shape: Shape, fill: Value, dtype: Value, default: Kind) -> Value:
    kind = kind_of_dtype(c, dtype) or default
    value = convert(c.e, fill, kind)
    if isinstance(value, Const):
        return Const(np.full(shape, value.value, DTYPES[kind])) if shape else value
    node = node_of(value)
    if node is None or node.shape:
        raise c.e.error(f"an array is filled with a number, not {describe(fill)}")
    return Array(Uniform(scalar_of(c.e, node), shape, kind)) if shape else value


@means(np.zeros, np.empty)
def _zeros(c: CallSite, shape: Value, dtype: Value = NONE) -> Value:
    return _filled(c, shape_argument(c.e, shape), Const(0.0), dtype, "f64")


@means(np.ones)
def _ones(c: CallSite, shape: Value, dtype: Value = NONE) -> Value:
    return _filled(c, shape_argument(c.e, shape), Const(1.0), dtype, "f64")


@means(np.full)
def _full(c: CallSite, shape: Value, fill_value: Value, dtype: Value = NONE) -> Value:
    return _filled(c, shape_argument(c.e, shape), fill_value, dtype, kind_of(fill_value) or "f64")


@means(np.zeros_like, np.empty_like)
def _zeros_like(c: CallSite, a: Value, dtype: Value = NONE) -> Value:
    node = tree(c, a)
    return _filled(c, node.shape, Const(0), dtype, node.kind)


@means(np.ones_like)
def _ones_like(c: CallSite, a: Value, dtype: Value = NONE) -> Value:
    node = tree(c, a)
    return _filled(c, node.shape, Const(1), dtype, node.kind)


@means(np.full_like)
def _full_like(c: CallSite, a: Value, fill_value: Value, dtype: Value = NONE) -> Value:
    node = tree(c, a)
    return _filled(c, node.shape, fill_value, dtype, node.kind)


def _constant_maker(function: Callable[..., Any], remedy: str) -> Handler:
    """A function that makes an array of constants."""

    def handler(c: CallSite, *arguments: Value, dtype: Value = NONE, num: Value | None = None) -> Value:
        extra = () if num is None else (num,)
        if not all(map(is_static, (*arguments, *extra))):
            raise c.e.error(f"{title_of(function)} needs constants; {remedy}")
        held = function(*map(as_operand, (*arguments, *extra)))
        if not held.size:
            raise c.e.error(f"{title_of(function)} gives no element; arrays cannot be empty here")
        kind = kind_of_dtype(c, dtype)
        return wrap(held if kind is None else held.astype(DTYPES[kind]))

    return handler


BUILTINS[np.arange] = _constant_maker(np.arange, "scale and shift a constant range: start + step * np.arange(5)")
BUILTINS[np.linspace] = _constant_maker(np.linspace, "scale and shift a constant one: a + (b - a) * np.linspace(0, 1, 5)")
BUILTINS[np.eye] = _constant_maker(np.eye, "use x.shape or a number")
BUILTINS[np.identity] = _constant_maker(np.identity, "use x.shape or a number")


@means(np.array, np.copy, method="copy")
def _copy(c: CallSite, a: Value, dtype: Value = NONE) -> Value:
    return copied(array_of(c.e, a, kind_of_dtype(c, dtype)))


@means(np.asarray, np.ascontiguousarray)
def _asarray(c: CallSite, a: Value, dtype: Value = NONE) -> Value:
    return array_of(c.e, a, kind_of_dtype(c, dtype))


@means(np.atleast_1d)
def _atleast_1d(c: CallSite, a: Value) -> Value:
    value = array_of(c.e, a)
    return value if shape_of_value(value) else _lifted(value, 1)


@means(np.atleast_2d)
def _atleast_2d(c: CallSite, a: Value) -> Value:
    value = array_of(c.e, a)
    rank = len(shape_of_value(value))
    return value if rank > 1 else _lifted(value, 2 - rank)


def _lifted(value: Value, count: int) -> Value:
    """The value with `count` axes of length 1 in front."""
    node = node_of(value)
    assert node is not None
    return Array(add_axes(node, range(count)), memory_of(value))


@means(np.squeeze, method="squeeze")
def _squeeze(c: CallSite, a: Value) -> Value:
    return reshape(c.e, a, tuple(extent for extent in shape_of_value(a) if extent != 1))


@means(np.expand_dims)
def _expand_dims(c: CallSite, a: Value, axis: Value) -> Value:
    value = array_of(c.e, a)
    node = tree(c, value)
    (place,) = axes_of(c, axis, len(node.shape) + 1)
    return Array(add_axes(node, [place]), memory_of(value))


@means(np.reshape, method="reshape")
def _reshape(c: CallSite, a: Value, *shape: Value) -> Value:
    held: list[Any] = [known(c, extent, "a shape") for extent in shape]
    if len(held) == 1 and isinstance(held[0], tuple | list):
        held = list(cast("tuple[Any, ...]", held[0]))
    if not all(isinstance(extent, int) for extent in held):
        raise c.e.error(f"{tuple(held)!r} is not a shape; give whole numbers")
    return reshape(c.e, array_of(c.e, a), tuple(held))


@means(np.ravel, method="ravel")
def _ravel(c: CallSite, a: Value) -> Value:
    value = array_of(c.e, a)
    return reshape(c.e, value, (math.prod(shape_of_value(value)),))


@means(method="flatten")
def _flatten(c: CallSite, a: Value) -> Value:
    return _copy(c, _ravel(c, a))


@means(np.transpose, method="transpose")
def _transpose(c: CallSite, a: Value, axes: Value = NONE) -> Value:
    value = array_of(c.e, a)
    order = known(c, axes, "axes")
    if order is None:
        return matrix_transpose(value)
    node = tree(c, value)
    if sorted(axis % len(node.shape) for axis in order) != list(range(len(node.shape))):
        raise c.e.error(f"axes {tuple(order)} are not a permutation of the axes of {describe(value)}")
    view = transposed(node, [axis % len(node.shape) for axis in order])
    return Array(view, memory_of(value))


@means(np.flip)
def _flip(c: CallSite, m: Value, axis: Value = NONE) -> Value:
    value = array_of(c.e, m)
    node = tree(c, value)
    view = flip(node, axes_of(c, axis, len(node.shape)))
    return Array(view, memory_of(value))


@means(np.roll)
def _roll(c: CallSite, a: Value, shift: Value) -> Value:
    value = array_of(c.e, a)
    shape = shape_of_value(value)
    if len(shape) != 1:
        raise c.e.error("np.roll takes an array of one axis; use a for loop over the rows")
    count = known(c, shift, "shift") % shape[0]
    return get_item(c.e, value, [Const((np.arange(shape[0]) - count) % shape[0])])


@means(np.concatenate, np.hstack)
def _concatenate(c: CallSite, arrays: Value, axis: Value = Const(0)) -> Value:
    parts = [array_of(c.e, part) for part in parts_of(c, arrays)]
    parts = [part if shape_of_value(part) else _lifted(part, 1) for part in parts]
    place = axes_of(c, axis, len(shape_of_value(parts[0])))[0]
    return concatenate(c.e, parts, place)


@means(np.hstack)
def _hstack(c: CallSite, tup: Value) -> Value:
    parts = [array_of(c.e, part) for part in parts_of(c, tup)]
    rank = max(len(shape_of_value(part)) for part in parts)
    return _concatenate(c, Tuple(tuple(parts)), Const(1 if rank > 1 else 0))


@means(np.vstack)
def _vstack(c: CallSite, tup: Value) -> Value:
    return _concatenate(c, Tuple(tuple(_atleast_2d(c, part) for part in parts_of(c, tup))))


@means(np.append)
def _append(c: CallSite, arr: Value, values: Value) -> Value:
    return _concatenate(c, Tuple((_ravel(c, arr), _ravel(c, values))))


@means(np.stack)
def _stack(c: CallSite, arrays: Value, axis: Value = Const(0)) -> Value:
    parts = [array_of(c.e, part) for part in parts_of(c, arrays)]
    shapes = {shape_of_value(part) for part in parts}
    if len(shapes) != 1:
        raise c.e.error(f"np.stack joins arrays of one shape, not {', '.join(map(str, sorted(shapes)))}")
    (place,) = axes_of(c, axis, len(shapes.pop()) + 1)
    if place == 0:
        return array_of(c.e, List(tuple(parts)))
    return stack(c.e, parts, place)


def parts_of(c: CallSite, arrays: Value) -> Sequence[Value]:
    if isinstance(arrays, Tuple | List):
        return arrays.items
    return c.static_items(arrays, c.e.node)  # pyright: ignore[reportArgumentType]


@means(np.repeat)
def _repeat(c: CallSite, a: Value, repeats: Value) -> Value:
    value = _ravel(c, a)
    count = known(c, repeats, "repeats")
    return get_item(c.e, value, [Const(np.repeat(np.arange(shape_of_value(value)[0]), count))])


@means(np.tile)
def _tile(c: CallSite, A: Value, reps: Value) -> Value:
    value = _atleast_1d(c, A)
    count = known(c, reps, "reps")
    if len(shape_of_value(value)) != 1 or not isinstance(count, int):
        raise c.e.error("np.tile repeats arrays of one axis a constant number of times; use np.concatenate")
    return get_item(c.e, value, [Const(np.tile(np.arange(shape_of_value(value)[0]), count))])


@means(np.take, method="take")
def _take(c: CallSite, a: Value, indices: Value) -> Value:
    return get_item(c.e, _ravel(c, a), [indices])


@means(np.broadcast_to)
def _broadcast_to(c: CallSite, array: Value, shape: Value) -> Value:
    target = shape_argument(c.e, shape)
    node = tree(c, array)
    try:
        fits = np.broadcast_shapes(node.shape, target) == target
    except ValueError:
        fits = False
    if not fits:
        raise c.e.error(f"{describe(array)} cannot be repeated to shape {target}")
    return Array(broadcast_node(node, target), memory_of(array) | {READ_ONLY})


@means(method="astype")
def _astype(c: CallSite, a: Value, dtype: Value) -> Value:
    kind = kind_of_dtype(c, dtype)
    if kind is None:
        raise c.e.error("astype needs a type: float, int or bool")
    return copied(convert(c.e, a, kind))


@means(method="fill")
def _fill(c: CallSite, a: Value, value: Value) -> Value:
    raise c.e.error("x.fill(v) changes an array in place; write x = np.full(x.shape, v)")


REFUSED.add(_fill)


@means(np.diff)
def _diff(c: CallSite, a: Value) -> Value:
    value = array_of(c.e, a)
    if len(shape_of_value(value)) != 1 or shape_of_value(value) == (1,):
        raise c.e.error(f"np.diff takes an array of one axis with at least two elements, not {describe(value)}")
    first, none = Const(1), Const(None)
    later = get_item(c.e, value, [Slice(first, none, none)])
    return call(c.e, "subtract", later, get_item(c.e, value, [Slice(none, Const(-1), none)]))


@means(method="item")
def item_of(c: CallSite, a: Value, *index: Value) -> Value:
    if index:
        return as_python(c.e, get_item(c.e, a, index))
    shape = shape_of_value(a)
    if math.prod(shape) != 1:
        raise c.e.error(f".item() needs an array of one element, not {describe(a)}")
    return as_python(c.e, get_item(c.e, a, [Const(0)] * len(shape)) if shape else a)


@means(np.shape)
def _shape(c: CallSite, a: Value) -> Value:
    return wrap(shape_of_value(array_of(c.e, a)))


@means(np.size)
def _size(c: CallSite, a: Value) -> Value:
    return Const(math.prod(shape_of_value(array_of(c.e, a))))


@means(np.ndim)
def _ndim(c: CallSite, a: Value) -> Value:
    return Const(len(shape_of_value(array_of(c.e, a))))


def attribute_of(e: Emitter, value: Value, name: str) -> Value | None:
    """An attribute of an array or number; None if it is none (perhaps a method)."""
    shape = shape_of_value(value)
    match name:
        case "shape":
            return wrap(shape)
        case "size":
            return Const(math.prod(shape))
        case "ndim":
            return Const(len(shape))
        case "T":
            return matrix_transpose(value)
        case "dtype":
            if isinstance(value, Const):
                return Const(np.asarray(as_operand(value)).dtype.type) if has_numpy(value) else None
            kind = kind_of(value)
            return None if kind is None else Const(DTYPES[kind].type)
        case "real":
            return value
        case _:
            return None
