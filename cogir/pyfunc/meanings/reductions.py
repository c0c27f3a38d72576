"""NumPy's functions that combine the elements of an array, from the first to the last."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from xdsl.dialects import arith, scf, tensor
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Block, SSAValue
from xdsl.ir import Operation as IROperation

from cogir.pyfunc.arrays import (
    array_of,
    reshape,
)
from cogir.pyfunc.elementwise import call, cast_node, convert, materialise, reduce
from cogir.pyfunc.emitter import I64_MAX, I64_MIN, INDEX, Emitter
from cogir.pyfunc.kinds import ELEMENT_TYPES, Kind
from cogir.pyfunc.meanings.registry import FALSE, NONE, CallSite, Handler, axes_of, floating, known, means, tree
from cogir.pyfunc.scalars import FUNCTIONS, is_float
from cogir.pyfunc.trees import Tensor
from cogir.pyfunc.values import Array, Const, Scalar, Value, is_static, static


def _reduction(
    c: CallSite,
    a: Value,
    axis: Value,
    keepdims: Value,
    kinds: Callable[[Kind], Kind],
    start: Callable[[Kind], float],
    combine: Callable[[Emitter, Kind, SSAValue, SSAValue], SSAValue],
) -> Value:
    """Combines elements in order; a number is its own reduction."""
    node = tree(c, a)
    kind = kinds(node.kind)
    axes = axes_of(c, axis, len(node.shape))
    node = cast_node(node, kind)
    if not node.shape:
        return convert(c.e, array_of(c.e, a), kind)
    return reduce(
        c.e,
        node,
        axes,
        [(start(kind), kind)],
        lambda e, totals, element, _: [combine(e, kind, totals[0], element)],
        keep=bool(known(c, keepdims, "keepdims")),
    )[0]


_LOWEST: dict[Kind, float] = {"f64": -np.inf, "f32": -np.inf, "i64": I64_MIN, "i1": False}
_HIGHEST: dict[Kind, float] = {"f64": np.inf, "f32": np.inf, "i64": I64_MAX, "i1": True}


def without_bool(kind: Kind) -> Kind:
    return "i64" if kind == "i1" else kind


def _same(kind: Kind) -> Kind:
    return kind


def _by(float_type: type[IROperation], int_type: type[IROperation], bool_type: type[IROperation] | None = None) -> Any:
    def combine(e: Emitter, kind: Kind, total: SSAValue, element: SSAValue) -> SSAValue:
        if is_float(kind):
            return e.float_op(float_type, total, element)
        return e.int_op(bool_type if kind == "i1" and bool_type is not None else int_type, total, element)

    return combine


@means(np.sum, method="sum")
def sum_of(c: CallSite, a: Value, axis: Value = NONE, keepdims: Value = FALSE) -> Value:
    # It begins with 0.0, as in NumPy and Python: a sum of nothing but -0.0 is 0.0.
    return _reduction(c, a, axis, keepdims, without_bool, lambda kind: 0, _by(arith.AddfOp, arith.AddiOp))


@means(np.prod, method="prod")
def _prod(c: CallSite, a: Value, axis: Value = NONE, keepdims: Value = FALSE) -> Value:
    return _reduction(c, a, axis, keepdims, without_bool, lambda kind: 1, _by(arith.MulfOp, arith.MuliOp))


@means(np.max, np.amax, method="max")
def max_of(c: CallSite, a: Value, axis: Value = NONE, keepdims: Value = FALSE) -> Value:
    return _reduction(c, a, axis, keepdims, _same, lambda kind: _LOWEST[kind], _by(arith.MaximumfOp, arith.MaxSIOp, arith.OrIOp))


@means(np.min, np.amin, method="min")
def min_of(c: CallSite, a: Value, axis: Value = NONE, keepdims: Value = FALSE) -> Value:
    return _reduction(c, a, axis, keepdims, _same, lambda kind: _HIGHEST[kind], _by(arith.MinimumfOp, arith.MinSIOp, arith.AndIOp))


@means(np.any, method="any")
def any_of(c: CallSite, a: Value, axis: Value = NONE, keepdims: Value = FALSE) -> Value:
    return _reduction(c, a, axis, keepdims, lambda kind: "i1", lambda kind: False, _by(arith.AddfOp, arith.OrIOp))


@means(np.all, method="all")
def all_of(c: CallSite, a: Value, axis: Value = NONE, keepdims: Value = FALSE) -> Value:
    return _reduction(c, a, axis, keepdims, lambda kind: "i1", lambda kind: True, _by(arith.AddfOp, arith.AndIOp))


@means(np.count_nonzero)
def _count_nonzero(c: CallSite, a: Value, axis: Value = NONE, keepdims: Value = FALSE) -> Value:
    return sum_of(c, convert(c.e, array_of(c.e, a), "i1"), axis, keepdims)


@means(np.mean, method="mean")
def _mean(c: CallSite, a: Value, axis: Value = NONE, keepdims: Value = FALSE) -> Value:
    node = tree(c, a)
    value = array_of(c.e, a) if is_float(node.kind) else convert(c.e, array_of(c.e, a), "f64")
    count = math.prod(node.shape[axis] for axis in axes_of(c, axis, len(node.shape)))
    return call(c.e, "divide", sum_of(c, value, axis, keepdims), Const(float(count)))


@means(np.var, method="var")
def _var(c: CallSite, a: Value, axis: Value = NONE, ddof: Value = Const(0), keepdims: Value = FALSE) -> Value:
    node = materialise(c.e, tree(c, floating(c.e, array_of(c.e, a))))
    value = Array(node)
    distance = call(c.e, "square", call(c.e, "subtract", value, _mean(c, value, axis, Const(True))))
    count = math.prod(node.shape[axis] for axis in axes_of(c, axis, len(node.shape)))
    return call(c.e, "divide", sum_of(c, distance, axis, keepdims), Const(float(count - known(c, ddof, "ddof"))))


@means(np.std, method="std")
def _std(c: CallSite, a: Value, axis: Value = NONE, ddof: Value = Const(0), keepdims: Value = FALSE) -> Value:
    return call(c.e, "sqrt", _var(c, a, axis, ddof, keepdims))


def _arg_extreme(greater: bool) -> Handler:
    """The first place of the extreme element; a NaN counts as more extreme than any number."""

    def handler(c: CallSite, a: Value, axis: Value = NONE) -> Value:
        node = tree(c, a)
        if not node.shape:
            return Const(0)
        if is_static(axis) and static(axis) is None and len(node.shape) > 1:
            node = tree(c, reshape(c.e, Array(node), (math.prod(node.shape),)))
        axes = axes_of(c, axis, len(node.shape))
        (along,) = axes
        node = cast_node(node, "i64") if node.kind == "i1" else node
        kind = node.kind
        worst = (_LOWEST if greater else _HIGHEST)[kind]

        def combine(e: Emitter, held: Sequence[SSAValue], element: SSAValue, _: Sequence[int]) -> Sequence[SSAValue]:
            best, place = held
            better = e.compare(("o" if is_float(kind) else "s") + ("gt" if greater else "lt"), element, best)
            if is_float(kind):
                first_nan = e.int_op(arith.AndIOp, e.compare("uno", element, element), e.compare("ord", best, best))
                better = e.int_op(arith.OrIOp, better, first_nan)
            here = e.from_index(e.add(linalg.IndexOp(along)).results[0])
            return [e.select(better, element, best), e.select(better, here, place)]

        _, place = reduce(c.e, node, axes, [(worst, kind), (0, "i64")], combine)
        if isinstance(place, Scalar):
            return Scalar(place.ssa, "i64", 0, node.shape[along] - 1)
        return place

    return handler


means(np.argmax, method="argmax")(_arg_extreme(True))
means(np.argmin, method="argmin")(_arg_extreme(False))


def _scan(function: str) -> Handler:
    def handler(c: CallSite, a: Value, axis: Value = NONE) -> Value:
        e = c.e
        node = tree(c, a)
        if not node.shape:
            return reshape(e, array_of(e, a), (1,))
        if len(node.shape) > 1:
            raise e.error("a cumulative sum or product takes an array of one axis; use a for loop over the rows")
        axes_of(c, axis, 1)
        source = materialise(e, cast_node(node, "i64") if node.kind == "i1" else node)
        kind = source.kind
        start = 1 if function == "multiply" else (-0.0 if is_float(kind) else 0)
        block = Block(arg_types=[INDEX, ELEMENT_TYPES[kind], source.ssa.type])
        with e.inside(block):
            index, total, result = block.args
            following = FUNCTIONS[function].build(e, kind, (total, e.extract(source.ssa, [index], kind)))
            inserted = e.op(tensor.InsertOp, (following, result, index), result.type)
            e.add(scf.YieldOp(following, inserted))
        starts = [e.constant(start, kind), e.empty(source.shape, kind)]
        op = e.add(scf.ForOp(e.index(0), e.index(source.shape[0]), e.index(1), starts, block))
        return Array(Tensor(op.results[1], source.shape, kind))

    return handler


means(np.cumsum, method="cumsum")(_scan("add"))
means(np.cumprod, method="cumprod")(_scan("multiply"))
