"""Sorting, searching, order statistics, interpolation and convolution, by the functions of `cogir.library.numerics`."""

from __future__ import annotations

import math

import numpy as np

from cogir.library.numerics import interpolation, sorting
from cogir.pyfunc.arrays import array_of, get_item, reshape
from cogir.pyfunc.elementwise import call, common_kind, convert, transposed
from cogir.pyfunc.kinds import Kind, Shape
from cogir.pyfunc.meanings.registry import (
    FALSE,
    NONE,
    REFUSED,
    CallSite,
    Handler,
    axes_of,
    call_library,
    is_none,
    known,
    means,
    title_of,
    tree,
)
from cogir.pyfunc.selection import Slice
from cogir.pyfunc.values import Array, Const, Value, describe, is_static, kind_of, shape_of_value, static

LAST = Const(-1)


def _rows(c: CallSite, title: str, a: Value, axis: Value) -> tuple[Value, Shape, list[int]]:
    """The elements along `axis` as rows of a matrix, the shape of the other axes, and the axes."""
    node = tree(c, a)
    if not node.shape:
        raise c.e.error(f"{title} takes an array, not {describe(a)}; use np.atleast_1d")
    axes = axes_of(c, axis, len(node.shape))
    kept = [place for place in range(len(node.shape)) if place not in axes]
    shape = tuple(node.shape[place] for place in kept)
    moved = Array(transposed(node, [*kept, *axes]))
    return reshape(c.e, moved, (math.prod(shape), math.prod(node.shape[place] for place in axes))), shape, axes


def _along(function: object, name: str) -> Handler:
    """`np.sort` or `np.argsort`."""

    def handler(c: CallSite, a: Value, axis: Value = LAST, kind: Value = NONE, *, stable: Value = NONE) -> Value:
        e = c.e
        if known(c, kind, "kind") not in (None, "quicksort", "heapsort", "mergesort", "stable"):
            raise e.error(f"{name}: kind is 'quicksort', 'heapsort', 'mergesort' or 'stable', not {static(kind)!r}")
        known(c, stable, "stable")
        rows, kept, axes = _rows(c, name, a, axis)
        if len(axes) > 1 and not is_none(axis):
            raise e.error(f"{name} sorts along one axis, not along {static(axis)}; reshape the array before")
        is_bool = kind_of(rows) == "i1"
        found = call_library(c, function, convert(e, rows, "i64") if is_bool else rows)
        if is_bool and function is sorting.sort_rows:
            found = convert(e, found, "i1")
        length = shape_of_value(rows)[1]
        if is_none(axis):
            return reshape(e, found, (length,))
        node = tree(c, reshape(e, found, (*kept, length)))
        back = list(range(len(kept)))
        back.insert(axes[0], len(kept))
        return Array(transposed(node, back)) if back != sorted(back) else Array(node)

    return handler


means(np.sort)(_along(sorting.sort_rows, "np.sort"))
means(np.argsort, method="argsort")(_along(sorting.argsort_rows, "np.argsort"))


@means(method="sort")
def _sort_in_place(c: CallSite, a: Value, axis: Value = LAST) -> Value:
    raise c.e.error("x.sort() changes an array in place; write x = np.sort(x)")


REFUSED.add(_sort_in_place)


def flat(c: CallSite, value: Value, kind: Kind) -> tuple[Value, Shape]:
    """The elements of a number or array, in a kind, as an array of one axis; and its shape."""
    shape = shape_of_value(array_of(c.e, value))
    node = tree(c, convert(c.e, array_of(c.e, value), kind))
    return reshape(c.e, Array(node), (math.prod(shape),)), shape


def unflattened(c: CallSite, value: Value, shape: Shape) -> Value:
    """The elements of an array of one axis in this shape; a number for `()`."""
    return reshape(c.e, value, shape) if shape else get_item(c.e, value, [Const(0)])


@means(np.searchsorted, method="searchsorted")
def _searchsorted(c: CallSite, a: Value, v: Value, side: Value = Const("left")) -> Value:
    e = c.e
    ordered = array_of(e, a)
    if len(shape_of_value(ordered)) != 1:
        raise e.error(f"np.searchsorted searches an array of one axis, not {describe(ordered)}; use a for loop over the rows")
    where = known(c, side, "side")
    if where not in ("left", "right"):
        raise e.error(f"np.searchsorted: side is 'left' or 'right', not {where!r}")
    kind = common_kind(e, (ordered, array_of(e, v)))
    kind = "i64" if kind == "i1" else kind
    values, shape = flat(c, v, kind)
    return unflattened(c, call_library(c, sorting.searchsorted, convert(e, ordered, kind), values, Const(where == "right")), shape)


def _reduced(c: CallSite, value: Value, before: Shape, kept: Shape, rank: int, axes: list[int], keepdims: Value) -> Value:
    """The result of a reduction, of which the axes are `before` and those of `kept`; with `keepdims`, those of length 1, too."""
    if known(c, keepdims, "keepdims"):
        lengths = iter(kept)
        kept = tuple(1 if place in axes else next(lengths) for place in range(rank))
    shape = (*before, *kept)
    return unflattened(c, reshape(c.e, value, (math.prod(shape),)), shape)


def _float32_again(c: CallSite, a: Value, value: Value) -> Value:
    return convert(c.e, value, "f32") if kind_of(array_of(c.e, a)) == "f32" else value


@means(np.median)
def _median(c: CallSite, a: Value, axis: Value = NONE, *, keepdims: Value = FALSE) -> Value:
    rank = len(shape_of_value(array_of(c.e, a)))
    if not rank:
        return convert(c.e, array_of(c.e, a), "f64")
    rows, kept, axes = _rows(c, "np.median", a, axis)
    found = call_library(c, sorting.median_rows, convert(c.e, rows, "f64"))
    return _float32_again(c, a, _reduced(c, found, (), kept, rank, axes, keepdims))


def _quantile(function: object, most: float) -> Handler:
    """`np.percentile` or `np.quantile`, whose fractions go up to `most`."""
    title = title_of(function)

    def handler(c: CallSite, a: Value, q: Value, axis: Value = NONE, *, method: Value = Const("linear"), keepdims: Value = FALSE) -> Value:
        e = c.e
        if known(c, method, "method") != "linear":
            raise e.error(
                f"{title}: method {static(method)!r} is not in the subset, only 'linear'; sort with np.sort and index the elements "
                "that the method takes"
            )
        if kind_of(array_of(e, a)) == "f32":
            raise e.error(f"{title} of float32 weighs two elements in float32 or float64, as q is given; write x.astype(float)")
        if kind_of(array_of(e, a)) == "i1":
            raise e.error(f"{title} of truth values has no meaning in NumPy; write x.astype(float)")
        if is_static(q) and not np.all((np.asarray(static(q)) >= 0) & (np.asarray(static(q)) <= most)):
            raise e.error(f"{title}: q is {static(q)}; give numbers from 0 to {most:g}")
        fractions, before = flat(c, q, "f64")
        if len(before) > 1:
            raise e.error(f"{title}: q is a number or an array of one axis, not {describe(q)}; use q.ravel()")
        if most != 1.0:
            fractions = call(e, "divide", fractions, Const(most))
        array = a if shape_of_value(array_of(e, a)) else Array(tree(c, reshape(e, array_of(e, a), (1,))))
        rank = len(shape_of_value(array_of(e, a)))
        rows, kept, axes = _rows(c, title, array, axis)
        found = call_library(c, sorting.quantile_rows, convert(e, rows, "f64"), fractions)
        return _reduced(c, found, before, kept, rank, axes, keepdims)

    return handler


means(np.percentile)(_quantile(np.percentile, 100.0))
means(np.quantile)(_quantile(np.quantile, 1.0))


@means(np.interp)
def _interp(c: CallSite, x: Value, xp: Value, fp: Value, left: Value = NONE, right: Value = NONE, period: Value = NONE) -> Value:
    e = c.e
    if not is_none(period):
        raise e.error(
            "np.interp: period is not in the subset; write np.interp(x % period, xp, fp) with the points of one period, ends included"
        )
    points, values = (convert(e, array_of(e, part), "f64") for part in (xp, fp))
    if len(shape_of_value(points)) != 1 or shape_of_value(points) != shape_of_value(values):
        raise e.misfit(f"np.interp takes points as two arrays of one axis and one length, not {describe(points)} and {describe(values)}")
    below = get_item(e, values, [Const(0)]) if is_none(left) else convert(e, left, "f64")
    above = get_item(e, values, [Const(-1)]) if is_none(right) else convert(e, right, "f64")
    if shape_of_value(below) or shape_of_value(above):
        raise e.misfit("np.interp: left and right are numbers, not arrays")
    places, shape = flat(c, x, "f64")
    return unflattened(c, call_library(c, interpolation.interp, places, points, values, below, above), shape)


@means(np.convolve)
def _convolve(c: CallSite, a: Value, v: Value, mode: Value = Const("full")) -> Value:
    e = c.e
    parts = [part if shape_of_value(part) else reshape(e, part, (1,)) for part in (array_of(e, a), array_of(e, v))]
    wanted = known(c, mode, "mode")
    if wanted not in ("full", "same", "valid"):
        raise e.error(f"np.convolve: mode is 'full', 'same' or 'valid', not {wanted!r}")
    if any(len(shape_of_value(part)) != 1 for part in parts):
        raise e.misfit(f"np.convolve takes arrays of one axis, not {' and '.join(map(describe, parts))}; use a for loop over the rows")
    kind = common_kind(e, parts)
    # NumPy combines truth values by `and` and `or`.
    used: Kind = "i64" if kind == "i1" else kind
    parts.sort(key=lambda part: -shape_of_value(part)[0])
    most, least = (shape_of_value(part)[0] for part in parts)
    found = call_library(c, interpolation.convolve, *(convert(e, part, used) for part in parts))
    found = convert(e, found, "i1") if kind == "i1" else found
    if wanted == "full":
        return found
    start, count = ((least - 1) // 2, most) if wanted == "same" else (least - 1, most - least + 1)
    return get_item(e, found, [Slice(Const(start), Const(start + count), Const(None))])
