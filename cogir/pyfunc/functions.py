"""
Compile-time meanings of NumPy functions, `math`, Python's built-ins, and the methods and attributes of arrays.

Each meaning is a function of the compiler and the arguments as values; its parameters are the ones that the subset knows.
Reductions run from the first element to the last.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Sequence
from functools import reduce as fold_left
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from xdsl.dialects import arith, scf, tensor
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Block, SSAValue
from xdsl.ir import Operation as IROperation

from cogir.pyfunc.arithmetic import integer_power
from cogir.pyfunc.arrays import (
    add_axes,
    array_of,
    concatenate,
    flip,
    get_item,
    matrix_transpose,
    reshape,
    stack,
)
from cogir.pyfunc.draws import shape_argument
from cogir.pyfunc.elementwise import (
    Held,
    Node,
    Uniform,
    apply,
    call,
    cast_node,
    contract,
    convert,
    force,
    hold,
    node_of,
    reduce,
    scalar_of,
    select,
    transposed,
)
from cogir.pyfunc.emitter import I64_MAX, I64_MIN, INDEX, Emitter
from cogir.pyfunc.scalars import FUNCTIONS, common_kind, is_float
from cogir.pyfunc.values import (
    DTYPES,
    ELEMENT_TYPES,
    Array,
    Const,
    Kind,
    List,
    Range,
    Scalar,
    Shape,
    Tuple,
    Value,
    Zip,
    describe,
    is_static,
    kind_of,
    shape_of_value,
    static,
    wrap,
)

if TYPE_CHECKING:
    from cogir.pyfunc.expressions import Expressions

Handler: TypeAlias = Callable[..., Value]
NONE = Const(None)
FALSE = Const(False)

BUILTINS: dict[Any, Handler] = {}
"""Meanings by the Python object that is called."""
METHODS: dict[str, Handler] = {}
"""Meanings of methods of arrays and numbers."""


def _is(*functions: Any, method: str | None = None) -> Callable[[Handler], Handler]:
    """Registers a meaning for these callables, and as a method."""

    def register(handler: Handler) -> Handler:
        for function in functions:
            BUILTINS[function] = handler
        if method is not None:
            METHODS[method] = handler
        return handler

    return register


def title_of(function: Any) -> str:
    """The name of a callable as the user writes it."""
    name = getattr(function, "__name__", repr(function))
    module = (getattr(function, "__module__", None) or "").split(".")[0]
    if module == "numpy" or isinstance(function, np.ufunc):
        return f"np.{name}"
    return name if module in ("builtins", "") else f"{module}.{name}"


def known_names() -> list[str]:
    """What can be called, as the user writes it."""
    return sorted({title_of(function) for function in BUILTINS})


# Arguments


def _known(c: Expressions, value: Value, what: str) -> Any:
    if not is_static(value):
        raise c.e.error(f"{what} must be known when the function is compiled, and this is {describe(value)}; use a constant")
    return static(value)


def _axes(c: Expressions, axis: Value, rank: int) -> list[int]:
    """The axes that `axis=` names (all for None), not negative."""
    held = _known(c, axis, "axis")
    if held is None:
        return list(range(rank))
    found: list[int] = []
    for number in held if isinstance(held, tuple) else (held,):
        if not isinstance(number, int) or not -rank <= number < rank:
            raise c.e.error(f"axis {number!r} is not an axis of an array with {rank} axes")
        found.append(number % rank)
    return sorted(found)


_DTYPE_NAMES: dict[Any, Kind] = {
    float: "f64",
    int: "i64",
    bool: "i1",
    np.float64: "f64",
    np.float32: "f32",
    np.int64: "i64",
    np.bool_: "i1",
    np.intp: "i64",
    "float": "f64",
    "int": "i64",
    "bool": "i1",
    "float64": "f64",
    "float32": "f32",
    "int64": "i64",
}


def _dtype(c: Expressions, dtype: Value) -> Kind | None:
    held = _known(c, dtype, "dtype")
    if held is None:
        return None
    held = next((d for d in DTYPES if isinstance(held, np.dtype) and DTYPES[d] == held), held)
    if held in DTYPES:
        return held
    kind = _DTYPE_NAMES.get(held)
    if kind is None:
        raise c.e.error(f"dtype {getattr(held, '__name__', held)} is not in the subset; use float, int, bool or np.float32")
    return kind


def _node(c: Expressions, value: Value) -> Node:
    node = node_of(array_of(c.e, value))
    assert node is not None
    return node


def _array(node: Node) -> Value:
    return Array(node)


# Functions of each element


def _ufunc(name: str) -> Handler:
    function = FUNCTIONS[name]

    def two(c: Expressions, x1: Value, x2: Value) -> Value:
        return apply(c.e, function, (array_of(c.e, x1), array_of(c.e, x2)))

    def one(c: Expressions, x: Value) -> Value:
        return apply(c.e, function, (array_of(c.e, x),))

    return two if name in _BINARY else one


_BINARY = (
    "add subtract multiply divide floor_divide remainder fmod maximum minimum fmax fmin equal not_equal less less_equal greater"
    " greater_equal logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor left_shift right_shift copysign arctan2"
    " hypot"
).split()
_NUMPY_NAMES = {"python_max", "python_min", "power", "erf"}
for _name in FUNCTIONS:
    if _name not in _NUMPY_NAMES:
        BUILTINS[getattr(np, _name)] = _ufunc(_name)

_MATH_NAMES = {
    "fabs": "absolute",
    "asin": "arcsin",
    "acos": "arccos",
    "atan": "arctan",
    "atan2": "arctan2",
    "asinh": "arcsinh",
    "acosh": "arccosh",
    "atanh": "arctanh",
} | {
    name: name
    for name in (
        "sqrt exp expm1 log2 log10 log1p sin cos tan sinh cosh tanh isnan isfinite isinf copysign fmod hypot degrees radians erf cbrt exp2"
    ).split()
}


def _math_function(name: str) -> Handler:
    function = FUNCTIONS[name]

    def of_scalars(c: Expressions, *operands: Value) -> Value:
        if any(shape_of_value(operand) for operand in operands):
            raise c.e.error(f"math.{name} takes numbers, not arrays; use np.{name}")
        floats = [convert(c.e, operand, "f64") if kind_of(operand) in ("i64", "i1") else operand for operand in operands]
        return apply(c.e, function, floats)

    if name in _BINARY:
        return lambda c, x, y: of_scalars(c, x, y)
    return lambda c, x: of_scalars(c, x)


for _name, _numpy_name in _MATH_NAMES.items():
    if hasattr(math, _name):
        BUILTINS[getattr(math, _name)] = _math_function(_numpy_name)


@_is(math.log)
def _math_log(c: Expressions, x: Value, base: Value = NONE) -> Value:
    numerator = BUILTINS[np.log](c, x)
    if static(base) is None if is_static(base) else False:
        return numerator
    return call(c.e, "divide", numerator, BUILTINS[np.log](c, base))


def _to_int(name: str) -> Handler:
    def handler(c: Expressions, x: Value) -> Value:
        if shape_of_value(x):
            raise c.e.error(f"math.{name} takes a number, not {describe(x)}; use np.{name}")
        return convert(c.e, call(c.e, name, x), "i64")

    return handler


BUILTINS[math.floor] = _to_int("floor")
BUILTINS[math.ceil] = _to_int("ceil")
BUILTINS[math.trunc] = _to_int("trunc")


@_is(np.abs, builtins.abs)
def _absolute(c: Expressions, x: Value) -> Value:
    return call(c.e, "absolute", array_of(c.e, x))


@_is(np.fabs)
def _fabs(c: Expressions, x: Value) -> Value:
    return call(c.e, "absolute", _floating(c.e, array_of(c.e, x)))


BUILTINS[np.deg2rad] = BUILTINS[np.radians]
BUILTINS[np.rad2deg] = BUILTINS[np.degrees]


@_is(np.power, math.pow, builtins.pow)
def power(c: Expressions, x1: Value, x2: Value) -> Value:
    """
    `x1 ** x2`: NumPy's short cuts for the constant exponents -1, 0.5, 1, 2; integers by repeated multiplication; else
    `math.powf`.
    """
    e = c.e
    left, right = array_of(e, x1), array_of(e, x2)
    if is_static(left) and is_static(right):
        a, b = static(left), static(right)
        if not isinstance(a, np.ndarray) and isinstance(a, int) and isinstance(b, int):
            try:
                return wrap(a**b)
            except ArithmeticError as error:
                raise e.error(f"{a} ** {b}: {error}") from None
    exponent = right.value if isinstance(right, Const) and not isinstance(right.value, np.ndarray) else None
    if kind_of(left) == "i1" or kind_of(right) == "i1":
        raise e.error("** of truth values is not in the subset; write int(x) first")
    if kind_of(left) == "i64" and kind_of(right) == "i64":
        return _integer_power(c, left, right, exponent)
    if exponent is not None:
        match float(exponent):
            case 2.0:
                return call(e, "square", _floating(e, left))
            case 1.0:
                return call(e, "positive", _floating(e, left))
            case 0.5 if shape_of_value(left):
                return call(e, "sqrt", left)
            case -1.0:
                return call(e, "reciprocal", _floating(e, left))
            case _:
                pass
    return call(e, "power", left, right)


def _floating(e: Emitter, value: Value) -> Value:
    return value if is_float(kind_of(value) or "f64") else convert(e, value, "f64")


def _integer_power(c: Expressions, left: Value, right: Value, exponent: int | None) -> Value:
    if exponent is None:
        if shape_of_value(left) or shape_of_value(right):
            raise c.e.error("** of integer arrays needs a constant exponent; write x.astype(float) ** n")
        operands = [scalar_of(c.e, node) for node in (node_of(left), node_of(right)) if node is not None]
        (ssa,) = c.e.call(integer_power, operands)
        return Scalar(ssa, "i64")
    if exponent < 0:
        return call(c.e, "power", convert(c.e, left, "f64"), Const(float(exponent)))
    if exponent == 0:
        return call(c.e, "add", call(c.e, "multiply", left, Const(0)), Const(1))
    result: Value | None = None
    factor = left
    while exponent:
        if exponent & 1:
            result = factor if result is None else call(c.e, "multiply", result, factor)
        exponent >>= 1
        if exponent:
            factor = call(c.e, "multiply", factor, factor)
            if isinstance(factor, Array):
                force(c.e, factor)
    assert result is not None
    return result


@_is(np.where)
def _where(c: Expressions, condition: Value, x: Value = NONE, y: Value = NONE) -> Value:
    if is_static(x) and static(x) is None:
        raise c.e.error("np.where with one argument gives arrays of unknown length; write np.where(condition, x, y)")
    test = array_of(c.e, condition)
    if isinstance(test, Const) and not isinstance(test.value, np.ndarray) and shape_of_value(x) == shape_of_value(y) == ():
        return x if test.value else y
    return select(c.e, test, array_of(c.e, x), array_of(c.e, y))


@_is(np.clip, method="clip")
def _clip(c: Expressions, a: Value, a_min: Value = NONE, a_max: Value = NONE) -> Value:
    result = array_of(c.e, a)
    for limit, name in ((a_min, "maximum"), (a_max, "minimum")):
        if not (is_static(limit) and static(limit) is None):
            result = call(c.e, name, result, array_of(c.e, limit))
    return result


@_is(np.round, np.around, method="round")
def _round(c: Expressions, a: Value, decimals: Value = Const(0)) -> Value:
    places = _known(c, decimals, "decimals")
    value = array_of(c.e, a)
    if places == 0 or kind_of(value) == "i64":
        return call(c.e, "rint", value)
    scale = 10.0 ** abs(places)
    first, second = ("multiply", "divide") if places > 0 else ("divide", "multiply")
    return call(c.e, second, call(c.e, "rint", call(c.e, first, value, Const(scale))), Const(scale))


@_is(builtins.round)
def _python_round(c: Expressions, number: Value, ndigits: Value = NONE) -> Value:
    if shape_of_value(number):
        raise c.e.error("round takes a number; use np.round for arrays")
    if not (is_static(ndigits) and static(ndigits) is None):
        raise c.e.error("round with digits depends on decimal notation; use np.round(x, digits)")
    return convert(c.e, call(c.e, "rint", number), "i64")


@_is(np.nan_to_num)
def _nan_to_num(c: Expressions, x: Value, nan: Value = Const(0.0)) -> Value:
    biggest = Const(float(np.finfo(np.float64).max))
    value = array_of(c.e, x)
    finite = call(c.e, "maximum", call(c.e, "minimum", value, biggest), call(c.e, "negative", biggest))
    return select(c.e, call(c.e, "isnan", value), nan, finite)


@_is(np.heaviside)
def _heaviside(c: Expressions, x1: Value, x2: Value) -> Value:
    x = array_of(c.e, x1)
    above = select(c.e, call(c.e, "greater", x, Const(0.0)), Const(1.0), x)
    below = select(c.e, call(c.e, "less", x, Const(0.0)), Const(0.0), above)
    return select(c.e, call(c.e, "equal", x, Const(0.0)), x2, below)


@_is(np.isclose)
def _isclose(c: Expressions, a: Value, b: Value, rtol: Value = Const(1e-5), atol: Value = Const(1e-8)) -> Value:
    """`|a - b| <= atol + rtol * |b|` for finite b; equal otherwise."""
    e = c.e
    left, right = array_of(e, a), array_of(e, b)
    distance = call(e, "absolute", call(e, "subtract", left, right))
    allowed = call(e, "add", atol, call(e, "multiply", rtol, call(e, "absolute", right)))
    near = call(e, "logical_and", call(e, "less_equal", distance, allowed), call(e, "isfinite", right))
    return call(e, "logical_or", near, call(e, "equal", left, right))


@_is(np.allclose)
def _allclose(c: Expressions, a: Value, b: Value, rtol: Value = Const(1e-5), atol: Value = Const(1e-8)) -> Value:
    return _all(c, _isclose(c, a, b, rtol, atol))


# Reductions


def _reduction(
    c: Expressions,
    a: Value,
    axis: Value,
    keepdims: Value,
    kinds: Callable[[Kind], Kind],
    start: Callable[[Kind], float],
    combine: Callable[[Emitter, Kind, SSAValue, SSAValue], SSAValue],
) -> Value:
    """Combines elements in order; a number is its own reduction."""
    node = _node(c, a)
    kind = kinds(node.kind)
    axes = _axes(c, axis, len(node.shape))
    node = cast_node(node, kind)
    if not node.shape:
        return convert(c.e, array_of(c.e, a), kind)
    return reduce(
        c.e,
        node,
        axes,
        [(start(kind), kind)],
        lambda e, totals, element, _axes: [combine(e, kind, totals[0], element)],
        keep=bool(_known(c, keepdims, "keepdims")),
    )[0]


def _numeric(kind: Kind) -> Kind:
    return "i64" if kind == "i1" else kind


def _same(kind: Kind) -> Kind:
    return kind


def _by(float_type: type[IROperation], int_type: type[IROperation], bool_type: type[IROperation] | None = None) -> Any:
    def combine(e: Emitter, kind: Kind, total: SSAValue, element: SSAValue) -> SSAValue:
        if is_float(kind):
            return e.float_op(float_type, total, element)
        return e.int_op(bool_type if kind == "i1" and bool_type is not None else int_type, total, element)

    return combine


@_is(np.sum, method="sum")
def _sum(c: Expressions, a: Value, axis: Value = NONE, keepdims: Value = FALSE) -> Value:
    # -0.0 is what leaves every first element as it is.
    start = lambda kind: -0.0 if is_float(kind) else 0  # noqa: E731
    return _reduction(c, a, axis, keepdims, _numeric, start, _by(arith.AddfOp, arith.AddiOp))


@_is(np.prod, method="prod")
def _prod(c: Expressions, a: Value, axis: Value = NONE, keepdims: Value = FALSE) -> Value:
    return _reduction(c, a, axis, keepdims, _numeric, lambda kind: 1, _by(arith.MulfOp, arith.MuliOp))


@_is(np.max, np.amax, method="max")
def _max(c: Expressions, a: Value, axis: Value = NONE, keepdims: Value = FALSE) -> Value:
    start = lambda kind: -np.inf if is_float(kind) else False if kind == "i1" else I64_MIN  # noqa: E731
    return _reduction(c, a, axis, keepdims, _same, start, _by(arith.MaximumfOp, arith.MaxSIOp, arith.OrIOp))


@_is(np.min, np.amin, method="min")
def _min(c: Expressions, a: Value, axis: Value = NONE, keepdims: Value = FALSE) -> Value:
    start = lambda kind: np.inf if is_float(kind) else True if kind == "i1" else I64_MAX  # noqa: E731
    return _reduction(c, a, axis, keepdims, _same, start, _by(arith.MinimumfOp, arith.MinSIOp, arith.AndIOp))


@_is(np.any, method="any")
def _any(c: Expressions, a: Value, axis: Value = NONE, keepdims: Value = FALSE) -> Value:
    return _reduction(c, a, axis, keepdims, lambda kind: "i1", lambda kind: False, _by(arith.AddfOp, arith.OrIOp))


@_is(np.all, method="all")
def _all(c: Expressions, a: Value, axis: Value = NONE, keepdims: Value = FALSE) -> Value:
    return _reduction(c, a, axis, keepdims, lambda kind: "i1", lambda kind: True, _by(arith.AddfOp, arith.AndIOp))


@_is(np.count_nonzero)
def _count_nonzero(c: Expressions, a: Value, axis: Value = NONE, keepdims: Value = FALSE) -> Value:
    return _sum(c, convert(c.e, array_of(c.e, a), "i1"), axis, keepdims)


@_is(np.mean, method="mean")
def _mean(c: Expressions, a: Value, axis: Value = NONE, keepdims: Value = FALSE) -> Value:
    node = _node(c, a)
    value = array_of(c.e, a) if is_float(node.kind) else convert(c.e, array_of(c.e, a), "f64")
    count = math.prod(node.shape[axis] for axis in _axes(c, axis, len(node.shape)))
    return call(c.e, "divide", _sum(c, value, axis, keepdims), Const(float(count)))


@_is(np.var, method="var")
def _var(c: Expressions, a: Value, axis: Value = NONE, ddof: Value = Const(0), keepdims: Value = FALSE) -> Value:
    node = hold(c.e, _node(c, _floating(c.e, array_of(c.e, a))))
    value = _array(node)
    distance = call(c.e, "square", call(c.e, "subtract", value, _mean(c, value, axis, Const(True))))
    count = math.prod(node.shape[axis] for axis in _axes(c, axis, len(node.shape)))
    return call(c.e, "divide", _sum(c, distance, axis, keepdims), Const(float(count - _known(c, ddof, "ddof"))))


@_is(np.std, method="std")
def _std(c: Expressions, a: Value, axis: Value = NONE, ddof: Value = Const(0), keepdims: Value = FALSE) -> Value:
    return call(c.e, "sqrt", _var(c, a, axis, ddof, keepdims))


def _arg_extreme(greater: bool) -> Handler:
    """The first place of the extreme element; a NaN counts as more extreme than any number."""

    def handler(c: Expressions, a: Value, axis: Value = NONE) -> Value:
        node = _node(c, a)
        if not node.shape:
            return Const(0)
        if is_static(axis) and static(axis) is None and len(node.shape) > 1:
            node = _node(c, reshape(c.e, _array(node), (math.prod(node.shape),)))
        axes = _axes(c, axis, len(node.shape))
        (along,) = axes
        node = cast_node(node, "i64") if node.kind == "i1" else node
        kind = node.kind
        worst = (-np.inf if greater else np.inf) if is_float(kind) else (I64_MIN if greater else I64_MAX)

        def combine(e: Emitter, held: Sequence[SSAValue], element: SSAValue, _axes: Sequence[int]) -> Sequence[SSAValue]:
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


_is(np.argmax, method="argmax")(_arg_extreme(True))
_is(np.argmin, method="argmin")(_arg_extreme(False))


def _scan(function: str) -> Handler:
    def handler(c: Expressions, a: Value, axis: Value = NONE) -> Value:
        e = c.e
        node = _node(c, a)
        if not node.shape:
            return reshape(e, array_of(e, a), (1,))
        if len(node.shape) > 1:
            raise e.error("a running sum or product goes along arrays of one axis; go over the rows in a for loop")
        _axes(c, axis, 1)
        source = hold(e, cast_node(node, "i64") if node.kind == "i1" else node)
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
        return _array(Held(op.results[1], source.shape, kind))

    return handler


_is(np.cumsum, method="cumsum")(_scan("add"))
_is(np.cumprod, method="cumprod")(_scan("multiply"))


# Products


@_is(np.matmul)
def _matmul(c: Expressions, x1: Value, x2: Value) -> Value:
    left, right = _node(c, x1), _node(c, x2)
    if not left.shape or not right.shape:
        raise c.e.error("matmul (@) takes arrays, not numbers; use * to scale")
    return _product(c, left, right)


@_is(np.dot, method="dot")
def _dot(c: Expressions, a: Value, b: Value) -> Value:
    left, right = _node(c, a), _node(c, b)
    if not left.shape or not right.shape:
        return call(c.e, "multiply", array_of(c.e, a), array_of(c.e, b))
    return _product(c, left, right)


@_is(np.inner)
def _inner(c: Expressions, a: Value, b: Value) -> Value:
    left, right = _node(c, a), _node(c, b)
    if not left.shape or not right.shape:
        return call(c.e, "multiply", array_of(c.e, a), array_of(c.e, b))
    return _product(c, left, right if len(right.shape) == 1 else transposed(right, (1, 0)))


def _product(c: Expressions, left: Node, right: Node) -> Value:
    e = c.e
    if len(left.shape) > 2 or len(right.shape) > 2:
        raise e.error(f"a product of arrays of shape {left.shape} and {right.shape}; give at most two axes each")
    if left.shape[-1] != right.shape[0]:
        raise e.error(
            f"a product of arrays of shape {left.shape} and {right.shape}: {left.shape[-1]} columns meet {right.shape[0]} rows;"
            " make them equal, or transpose one (.T)"
        )
    kind = common_kind((Array(left), Array(right)))
    assert kind is not None
    kind = _numeric(kind)
    left_axes, right_axes = "ik"[2 - len(left.shape) :], "kj"[: len(right.shape)]
    result_axes = ("i" if len(left.shape) == 2 else "") + ("j" if len(right.shape) == 2 else "")
    return contract(e, hold(e, cast_node(left, kind)), hold(e, cast_node(right, kind)), left_axes, right_axes, result_axes)


@_is(np.outer)
def _outer(c: Expressions, a: Value, b: Value) -> Value:
    left, right = (reshape(c.e, _array(node), (math.prod(node.shape),)) for node in (_node(c, a), _node(c, b)))
    return call(c.e, "multiply", _array(add_axes(_node(c, left), [1])), right)


@_is(np.trace)
def _trace(c: Expressions, a: Value) -> Value:
    return _sum(c, _diagonal(c, a))


@_is(np.diag)
def _diagonal(c: Expressions, v: Value) -> Value:
    e = c.e
    node = _node(c, v)
    if len(node.shape) == 1:
        n = node.shape[0]
        return select(e, Const(np.eye(n, dtype=bool)), _array(node), Const(0.0 if is_float(node.kind) else 0))
    n = min(node.shape)
    flat = reshape(e, _array(hold(e, node)), (math.prod(node.shape),))
    return get_item(e, flat, [Const(np.arange(n) * (node.shape[1] + 1))])


@_is(np.linalg.norm)
def _norm(c: Expressions, x: Value) -> Value:
    return call(c.e, "sqrt", _sum(c, call(c.e, "square", _floating(c.e, array_of(c.e, x)))))


# Making arrays


def _filled(c: Expressions, shape: Shape, fill: Value, dtype: Value, default: Kind) -> Value:
    kind = _dtype(c, dtype) or default
    value = convert(c.e, fill, kind)
    if isinstance(value, Const):
        return Const(np.full(shape, value.value, DTYPES[kind])) if shape else value
    node = node_of(value)
    if node is None or node.shape:
        raise c.e.error(f"an array is filled with a number, not {describe(fill)}")
    return Array(Uniform(scalar_of(c.e, node), shape, kind)) if shape else value


@_is(np.zeros, np.empty)
def _zeros(c: Expressions, shape: Value, dtype: Value = NONE) -> Value:
    return _filled(c, shape_argument(c, shape), Const(0.0), dtype, "f64")


@_is(np.ones)
def _ones(c: Expressions, shape: Value, dtype: Value = NONE) -> Value:
    return _filled(c, shape_argument(c, shape), Const(1.0), dtype, "f64")


@_is(np.full)
def _full(c: Expressions, shape: Value, fill_value: Value, dtype: Value = NONE) -> Value:
    return _filled(c, shape_argument(c, shape), fill_value, dtype, kind_of(fill_value) or "f64")


@_is(np.zeros_like, np.empty_like)
def _zeros_like(c: Expressions, a: Value, dtype: Value = NONE) -> Value:
    node = _node(c, a)
    return _filled(c, node.shape, Const(0), dtype, node.kind)


@_is(np.ones_like)
def _ones_like(c: Expressions, a: Value, dtype: Value = NONE) -> Value:
    node = _node(c, a)
    return _filled(c, node.shape, Const(1), dtype, node.kind)


@_is(np.full_like)
def _full_like(c: Expressions, a: Value, fill_value: Value, dtype: Value = NONE) -> Value:
    node = _node(c, a)
    return _filled(c, node.shape, fill_value, dtype, node.kind)


def _constant_maker(function: Callable[..., Any], remedy: str) -> Handler:
    """A function that makes an array of constants."""

    def handler(c: Expressions, *arguments: Value, dtype: Value = NONE, num: Value | None = None) -> Value:
        extra = () if num is None else (num,)
        if not all(map(is_static, (*arguments, *extra))):
            raise c.e.error(f"{title_of(function)} needs constants; {remedy}")
        held = function(*map(static, (*arguments, *extra)))
        if not held.size:
            raise c.e.error(f"{title_of(function)} gives no element; arrays cannot be empty here")
        kind = _dtype(c, dtype)
        return wrap(held if kind is None else held.astype(DTYPES[kind]))

    return handler


BUILTINS[np.arange] = _constant_maker(np.arange, "scale and shift a constant range: start + step * np.arange(5)")
BUILTINS[np.linspace] = _constant_maker(np.linspace, "scale and shift a constant one: a + (b - a) * np.linspace(0, 1, 5)")
BUILTINS[np.eye] = _constant_maker(np.eye, "use x.shape or a number")
BUILTINS[np.identity] = _constant_maker(np.identity, "use x.shape or a number")


@_is(np.array, np.copy, method="copy")
def _copy(c: Expressions, a: Value, dtype: Value = NONE) -> Value:
    value = array_of(c.e, a, _dtype(c, dtype))
    return Array(value.node) if isinstance(value, Array) else value


@_is(np.asarray, np.ascontiguousarray)
def _asarray(c: Expressions, a: Value, dtype: Value = NONE) -> Value:
    return array_of(c.e, a, _dtype(c, dtype))


@_is(np.atleast_1d)
def _atleast_1d(c: Expressions, a: Value) -> Value:
    value = array_of(c.e, a)
    return value if shape_of_value(value) else _lifted(value, 1)


@_is(np.atleast_2d)
def _atleast_2d(c: Expressions, a: Value) -> Value:
    value = array_of(c.e, a)
    rank = len(shape_of_value(value))
    return value if rank > 1 else _lifted(value, 2 - rank)


def _lifted(value: Value, count: int) -> Value:
    """The value with `count` axes of length 1 in front."""
    node = node_of(value)
    assert node is not None
    storage = value.storage if isinstance(value, Array) else None
    lifted = add_axes(node, range(count))
    return Array(lifted) if storage is None else Array(lifted, storage)


@_is(np.squeeze, method="squeeze")
def _squeeze(c: Expressions, a: Value) -> Value:
    return reshape(c.e, a, tuple(extent for extent in shape_of_value(a) if extent != 1))


@_is(np.expand_dims)
def _expand_dims(c: Expressions, a: Value, axis: Value) -> Value:
    value = array_of(c.e, a)
    node = _node(c, value)
    (place,) = _axes(c, axis, len(node.shape) + 1)
    return Array(add_axes(node, [place]), value.storage) if isinstance(value, Array) else Array(add_axes(node, [place]))


@_is(np.reshape, method="reshape")
def _reshape(c: Expressions, a: Value, *shape: Value) -> Value:
    held: list[Any] = [_known(c, extent, "a shape") for extent in shape]
    if len(held) == 1 and isinstance(held[0], tuple | list):
        held = list(held[0])
    if not all(isinstance(extent, int) for extent in held):
        raise c.e.error(f"{tuple(held)!r} is not a shape; give whole numbers")
    return reshape(c.e, array_of(c.e, a), tuple(held))


@_is(np.ravel, method="ravel")
def _ravel(c: Expressions, a: Value) -> Value:
    value = array_of(c.e, a)
    return reshape(c.e, value, (math.prod(shape_of_value(value)),))


@_is(method="flatten")
def _flatten(c: Expressions, a: Value) -> Value:
    return _copy(c, _ravel(c, a))


@_is(np.transpose, method="transpose")
def _transpose(c: Expressions, a: Value, axes: Value = NONE) -> Value:
    value = array_of(c.e, a)
    order = _known(c, axes, "axes")
    if order is None:
        return matrix_transpose(value)
    node = _node(c, value)
    if sorted(axis % len(node.shape) for axis in order) != list(range(len(node.shape))):
        raise c.e.error(f"axes {tuple(order)} do not name each axis of {describe(value)} once")
    view = transposed(node, [axis % len(node.shape) for axis in order])
    return Array(view, value.storage) if isinstance(value, Array) else Array(view)


@_is(np.flip)
def _flip(c: Expressions, m: Value, axis: Value = NONE) -> Value:
    value = array_of(c.e, m)
    node = _node(c, value)
    view = flip(node, _axes(c, axis, len(node.shape)))
    return Array(view, value.storage) if isinstance(value, Array) else Array(view)


@_is(np.roll)
def _roll(c: Expressions, a: Value, shift: Value) -> Value:
    value = array_of(c.e, a)
    shape = shape_of_value(value)
    if len(shape) != 1:
        raise c.e.error("np.roll turns arrays of one axis; go over the rows in a for loop")
    count = _known(c, shift, "shift") % shape[0]
    return get_item(c.e, value, [Const((np.arange(shape[0]) - count) % shape[0])])


@_is(np.concatenate, np.hstack)
def _concatenate(c: Expressions, arrays: Value, axis: Value = Const(0)) -> Value:
    parts = [array_of(c.e, part) for part in _parts(c, arrays)]
    parts = [part if shape_of_value(part) else _lifted(part, 1) for part in parts]
    place = _axes(c, axis, len(shape_of_value(parts[0])))[0]
    return concatenate(c.e, parts, place)


@_is(np.hstack)
def _hstack(c: Expressions, tup: Value) -> Value:
    parts = [array_of(c.e, part) for part in _parts(c, tup)]
    rank = max(len(shape_of_value(part)) for part in parts)
    return _concatenate(c, Tuple(tuple(parts)), Const(1 if rank > 1 else 0))


@_is(np.vstack)
def _vstack(c: Expressions, tup: Value) -> Value:
    return _concatenate(c, Tuple(tuple(_atleast_2d(c, part) for part in _parts(c, tup))))


@_is(np.append)
def _append(c: Expressions, arr: Value, values: Value) -> Value:
    return _concatenate(c, Tuple((_ravel(c, arr), _ravel(c, values))))


@_is(np.stack)
def _stack(c: Expressions, arrays: Value, axis: Value = Const(0)) -> Value:
    parts = [array_of(c.e, part) for part in _parts(c, arrays)]
    shapes = {shape_of_value(part) for part in parts}
    if len(shapes) != 1:
        raise c.e.error(f"np.stack joins arrays of one shape, not {', '.join(map(str, sorted(shapes)))}")
    (place,) = _axes(c, axis, len(shapes.pop()) + 1)
    if place == 0:
        return array_of(c.e, List(tuple(parts)))
    return stack(c.e, parts, place)


def _parts(c: Expressions, arrays: Value) -> Sequence[Value]:
    if isinstance(arrays, Tuple | List):
        return arrays.items
    return c.static_items(arrays, c.e.node)  # pyright: ignore[reportArgumentType]


@_is(np.repeat)
def _repeat(c: Expressions, a: Value, repeats: Value) -> Value:
    value = _ravel(c, a)
    count = _known(c, repeats, "repeats")
    return get_item(c.e, value, [Const(np.repeat(np.arange(shape_of_value(value)[0]), count))])


@_is(np.tile)
def _tile(c: Expressions, A: Value, reps: Value) -> Value:
    value = _atleast_1d(c, A)
    count = _known(c, reps, "reps")
    if len(shape_of_value(value)) != 1 or not isinstance(count, int):
        raise c.e.error("np.tile repeats arrays of one axis a constant number of times; use np.concatenate")
    return get_item(c.e, value, [Const(np.tile(np.arange(shape_of_value(value)[0]), count))])


@_is(np.take, method="take")
def _take(c: Expressions, a: Value, indices: Value) -> Value:
    return get_item(c.e, _ravel(c, a), [indices])


@_is(np.broadcast_to)
def _broadcast_to(c: Expressions, array: Value, shape: Value) -> Value:
    from cogir.pyfunc.elementwise import broadcast_node

    target = shape_argument(c, shape)
    node = _node(c, array)
    try:
        fits = np.broadcast_shapes(node.shape, target) == target
    except ValueError:
        fits = False
    if not fits:
        raise c.e.error(f"{describe(array)} cannot be repeated to shape {target}")
    return Array(broadcast_node(node, target))


@_is(method="astype")
def _astype(c: Expressions, a: Value, dtype: Value) -> Value:
    kind = _dtype(c, dtype)
    if kind is None:
        raise c.e.error("astype needs a type: float, int or bool")
    value = convert(c.e, a, kind)
    return Array(value.node) if isinstance(value, Array) else value


@_is(method="fill")
def _fill(c: Expressions, a: Value, value: Value) -> Value:
    raise c.e.error("x.fill(v) changes an array in place; write x = np.full(x.shape, v)")


@_is(method="item")
def _item(c: Expressions, a: Value, *index: Value) -> Value:
    if index:
        return get_item(c.e, a, index)
    shape = shape_of_value(a)
    if math.prod(shape) != 1:
        raise c.e.error(f".item() needs an array of one element, not {describe(a)}")
    return get_item(c.e, a, [Const(0)] * len(shape)) if shape else a


@_is(np.shape)
def _shape(c: Expressions, a: Value) -> Value:
    return wrap(shape_of_value(array_of(c.e, a)))


@_is(np.size)
def _size(c: Expressions, a: Value) -> Value:
    return Const(math.prod(shape_of_value(array_of(c.e, a))))


@_is(np.ndim)
def _ndim(c: Expressions, a: Value) -> Value:
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
            kind = kind_of(value)
            return None if kind is None else Const(DTYPES[kind].type)
        case "real":
            return value
        case _:
            return None


# Python's built-ins


def _number_maker(kind: Kind, title: str) -> Handler:
    def handler(c: Expressions, x: Value = Const(0)) -> Value:
        if isinstance(x, Tuple | List) and kind == "i1":
            return Const(bool(x.items))
        if shape_of_value(x):
            x = _item(c, x)
        if isinstance(x, Const) and isinstance(x.value, str):
            raise c.e.error(f"{title} of a string is not in the subset; write the number")
        if node_of(x) is None:
            raise c.e.error(f"{title} takes a number, not {describe(x)}")
        if isinstance(x, Const) and kind == "i64" and not math.isfinite(x.value):
            raise c.e.error(f"int({x.value}) has no value")
        return convert(c.e, x, kind)

    return handler


for _functions, _kind, _title in (
    ((float, np.float64), "f64", "float"),
    ((int, np.int64), "i64", "int"),
    ((bool, np.bool_), "i1", "bool"),
):
    for _function in _functions:
        BUILTINS[_function] = _number_maker(_kind, _title)  # pyright: ignore[reportArgumentType]
BUILTINS[np.float32] = lambda c, x: convert(c.e, x, "f32")


@_is(builtins.len)
def _len(c: Expressions, obj: Value) -> Value:
    match obj:
        case Tuple(items) | List(items):
            return Const(len(items))
        case Range() if is_static(obj):
            return Const(len(static(obj)))
        case _ if shape_of_value(obj):
            return Const(shape_of_value(obj)[0])
        case _:
            raise c.e.error(f"{describe(obj)} has no length")


@_is(builtins.range)
def _range(c: Expressions, start: Value, stop: Value | None = None, step: Value = Const(1)) -> Value:
    first, last = (Const(0), start) if stop is None else (start, stop)
    for part in (first, last, step):
        if kind_of(part) != "i64" or shape_of_value(part):
            raise c.e.error(f"range takes ints, not {describe(part)}; write int(...) around it")
    return Range(first, last, step)


@_is(builtins.enumerate)
def _enumerate(c: Expressions, iterable: Value, start: Value = Const(0)) -> Value:
    return Zip((Range(start, NONE, Const(1)), iterable))


@_is(builtins.zip)
def _zip(c: Expressions, *iterables: Value, strict: Value = FALSE) -> Value:
    if not iterables:
        raise c.e.error("zip needs something to go through")
    return Zip(iterables)


@_is(builtins.reversed)
def _reversed(c: Expressions, sequence: Value) -> Value:
    match sequence:
        case Tuple(items) | List(items):
            return Tuple(items[::-1])
        case Range() if is_static(sequence):
            numbers = static(sequence)[::-1]
            return Range(Const(numbers.start), Const(numbers.stop), Const(numbers.step))
        case _ if shape_of_value(sequence):
            node = node_of(sequence)
            assert node is not None
            return Array(flip(node, [0]))
        case _:
            raise c.e.error(f"reversed takes a tuple, a list, a constant range or an array, not {describe(sequence)}")


@_is(builtins.tuple)
def _tuple(c: Expressions, iterable: Value = Tuple(())) -> Value:
    return Tuple(tuple(_parts(c, iterable)))


@_is(builtins.list)
def _list(c: Expressions, iterable: Value = Tuple(())) -> Value:
    return List(tuple(_parts(c, iterable)))


@_is(builtins.sum)
def _python_sum(c: Expressions, iterable: Value, start: Value = Const(0)) -> Value:
    if shape_of_value(iterable) and len(shape_of_value(iterable)) == 1:
        total = _sum(c, iterable)
        return total if is_static(start) and static(start) == 0 else call(c.e, "add", start, total)
    return fold_left(lambda total, item: call(c.e, "add", total, item), _parts(c, iterable), start)


def _python_extreme(name: str, of_array: Handler) -> Handler:
    def handler(c: Expressions, *values: Value) -> Value:
        items: Sequence[Value] = values
        if len(values) == 1:
            if shape_of_value(values[0]):
                return of_array(c, values[0])
            items = _parts(c, values[0])
        if not items or any(shape_of_value(item) for item in items):
            raise c.e.error(f"{name[7:]} compares numbers; use np.{name[7:]}imum for arrays")
        return fold_left(lambda best, item: call(c.e, name, best, item), items)

    return handler


BUILTINS[builtins.max] = _python_extreme("python_max", _max)
BUILTINS[builtins.min] = _python_extreme("python_min", _min)


def _python_quantifier(is_all: bool, of_array: Handler) -> Handler:
    def handler(c: Expressions, iterable: Value) -> Value:
        if shape_of_value(iterable):
            return of_array(c, iterable)
        result: Value = Const(is_all)
        for item in _parts(c, iterable):
            node = c.e.node
            assert node is not None
            test = c.truth(item, node)
            if isinstance(test, bool):
                if test != is_all:
                    return Const(test)
                continue
            item_truth = Scalar(test, "i1")
            known = isinstance(result, Const)
            result = item_truth if known else call(c.e, "logical_and" if is_all else "logical_or", result, item_truth)
        return result

    return handler


BUILTINS[builtins.all] = _python_quantifier(True, _all)
BUILTINS[builtins.any] = _python_quantifier(False, _any)


@_is(builtins.isinstance)
def _isinstance(c: Expressions, obj: Value, classes: Value) -> Value:
    held = _known(c, classes, "the class")
    options = held if isinstance(held, tuple) else (held,)
    if isinstance(obj, Const) and not isinstance(obj.value, np.ndarray):
        return Const(isinstance(obj.value, options))
    if isinstance(obj, Tuple):
        return Const(obj.cls in options or tuple in options)
    if isinstance(obj, Array | Const):
        return Const(np.ndarray in options)
    if isinstance(obj, Scalar):
        return Const({"i1": bool, "i64": int, "f64": float, "f32": np.float32}[obj.kind] in options)
    raise c.e.error(f"isinstance of {describe(obj)} is not known")


@_is(builtins.print)
def _print(c: Expressions, *values: Value) -> Value:
    raise c.e.error("print is not in the subset; return the value as an output and look at the results")
