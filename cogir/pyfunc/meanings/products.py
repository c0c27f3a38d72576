"""Products of vectors and matrices."""

from __future__ import annotations

import math

import numpy as np

from cogir.pyfunc.arrays import (
    add_axes,
    array_of,
    get_item,
    reshape,
)
from cogir.pyfunc.elementwise import call, cast_node, common_kind, contract, materialise, node_of, select, transposed
from cogir.pyfunc.meanings.reductions import sum_of, without_bool
from cogir.pyfunc.meanings.registry import FALSE, NONE, CallSite, floating, means, tree
from cogir.pyfunc.scalars import is_float
from cogir.pyfunc.trees import Node
from cogir.pyfunc.values import READ_ONLY, Array, Const, Value, memory_of


@means(np.matmul)
def matmul(c: CallSite, x1: Value, x2: Value) -> Value:
    left, right = tree(c, x1), tree(c, x2)
    if not left.shape or not right.shape:
        raise c.e.error("matmul (@) takes arrays, not numbers; use * to scale")
    return _product(c, left, right)


@means(np.dot, method="dot")
def _dot(c: CallSite, a: Value, b: Value) -> Value:
    left, right = tree(c, a), tree(c, b)
    if not left.shape or not right.shape:
        return call(c.e, "multiply", array_of(c.e, a), array_of(c.e, b))
    return _product(c, left, right)


@means(np.inner)
def _inner(c: CallSite, a: Value, b: Value) -> Value:
    left, right = tree(c, a), tree(c, b)
    if not left.shape or not right.shape:
        return call(c.e, "multiply", array_of(c.e, a), array_of(c.e, b))
    return _product(c, left, right if len(right.shape) == 1 else transposed(right, (1, 0)))


def _product(c: CallSite, left: Node, right: Node) -> Value:
    e = c.e
    if len(left.shape) > 2 or len(right.shape) > 2:
        raise e.misfit(f"a product of arrays of shape {left.shape} and {right.shape}; give at most two axes each")
    columns, rows = math.prod(left.shape[-1:]), math.prod(right.shape[:1])
    if columns != rows:
        vectors = len(left.shape) == len(right.shape) == 1
        met = (
            f"{columns} elements cannot be multiplied with {rows}"
            if vectors
            else f"{columns} columns cannot be multiplied with {rows} rows"
        )
        remedy = "for all pairs write np.outer" if vectors else "transpose one (.T)"
        raise e.misfit(f"a product of arrays of shape {left.shape} and {right.shape}: {met}; make them equal, or {remedy}")
    kind = without_bool(common_kind(e, (Array(left), Array(right))))
    left_axes, right_axes = "ik"[2 - len(left.shape) :], "kj"[: len(right.shape)]
    result_axes = ("i" if len(left.shape) == 2 else "") + ("j" if len(right.shape) == 2 else "")
    return contract(e, materialise(e, cast_node(left, kind)), materialise(e, cast_node(right, kind)), left_axes, right_axes, result_axes)


@means(np.outer)
def _outer(c: CallSite, a: Value, b: Value) -> Value:
    left, right = (reshape(c.e, Array(node), (math.prod(node.shape),)) for node in (tree(c, a), tree(c, b)))
    return call(c.e, "multiply", Array(add_axes(tree(c, left), [1])), right)


@means(np.trace)
def _trace(c: CallSite, a: Value) -> Value:
    return sum_of(c, _diagonal(c, a))


@means(np.diag)
def _diagonal(c: CallSite, v: Value) -> Value:
    e = c.e
    node = tree(c, v)
    if len(node.shape) == 1:
        n = node.shape[0]
        return select(e, Const(np.eye(n, dtype=bool)), Array(node), Const(0.0 if is_float(node.kind) else 0))
    n = min(node.shape)
    flat = reshape(e, Array(materialise(e, node)), (math.prod(node.shape),))
    picked = node_of(get_item(e, flat, [Const(np.arange(n) * (node.shape[1] + 1))]))
    assert picked is not None
    return Array(picked, memory_of(v) | {READ_ONLY})


@means(np.linalg.norm)
def _norm(c: CallSite, x: Value, ord: Value = NONE, axis: Value = NONE, keepdims: Value = FALSE) -> Value:
    if not all(isinstance(value, Const) and value.value is default for value, default in ((ord, None), (axis, None), (keepdims, False))):
        raise c.e.error(
            "np.linalg.norm is of all elements of an array, without ord, axis and keepdims; write np.sqrt(np.sum(x * x, axis=1)), "
            "np.sum(np.abs(x)) for ord=1, or np.max(np.abs(x)) for ord=np.inf"
        )
    return call(c.e, "sqrt", sum_of(c, call(c.e, "square", floating(c.e, array_of(c.e, x)))))
