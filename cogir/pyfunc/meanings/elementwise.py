"""NumPy's and `math`'s functions of numbers, which go over arrays element by element."""

from __future__ import annotations

import builtins
import math
from dataclasses import replace

import numpy as np

from cogir.pyfunc.arithmetic import integer_power
from cogir.pyfunc.arrays import (
    array_of,
)
from cogir.pyfunc.bounds import is_never_negative
from cogir.pyfunc.elementwise import (
    apply,
    as_python,
    call,
    common_kind,
    convert,
    force,
    is_truth,
    node_of,
    scalar_of,
    select,
)
from cogir.pyfunc.emitter import Emitter
from cogir.pyfunc.meanings.reductions import all_of
from cogir.pyfunc.meanings.registry import BUILTINS, NONE, CallSite, Handler, floating, is_none, known, means
from cogir.pyfunc.scalars import FUNCTIONS
from cogir.pyfunc.values import (
    Array,
    Const,
    Scalar,
    Value,
    as_operand,
    copied,
    describe,
    has_numpy,
    is_numeric,
    is_static,
    kind_of,
    shape_of_value,
    static,
    weak_together,
    weakly,
    wrap,
)


def _ufunc(name: str) -> Handler:
    function = FUNCTIONS[name]

    def two(c: CallSite, x1: Value, x2: Value) -> Value:
        return apply(c.e, function, (array_of(c.e, x1), array_of(c.e, x2)))

    def one(c: CallSite, x: Value) -> Value:
        return apply(c.e, function, (array_of(c.e, x),))

    return two if name in _BINARY else one


_BINARY = (
    "add subtract multiply divide floor_divide remainder fmod maximum minimum fmax fmin equal not_equal less less_equal greater"
    " greater_equal logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor left_shift right_shift copysign arctan2"
    " hypot"
).split()
_NUMPY_NAMES = {"python_max", "python_min", "at_least", "at_most", "power", "erf"}
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

    def of_scalars(c: CallSite, *operands: Value) -> Value:
        if any(shape_of_value(operand) for operand in operands):
            raise c.e.error(f"math.{name} takes numbers, not arrays; use np.{name}")
        return apply(c.e, function, [as_double(c.e, operand) for operand in operands])

    def two(c: CallSite, x: Value, y: Value) -> Value:
        return of_scalars(c, x, y)

    def one(c: CallSite, x: Value) -> Value:
        return of_scalars(c, x)

    return two if name in _BINARY else one


def as_double(e: Emitter, value: Value) -> Value:
    """A number as the float of Python that `math` computes with."""
    if not is_numeric(value):
        raise e.error(f"{describe(value)} is not a number")
    return as_python(e, convert(e, value, "f64"))


for _name, _numpy_name in _MATH_NAMES.items():
    if hasattr(math, _name):
        BUILTINS[getattr(math, _name)] = _math_function(_numpy_name)


@means(math.log)
def _math_log(c: CallSite, x: Value, base: Value = NONE) -> Value:
    numerator = BUILTINS[np.log](c, as_double(c.e, x))
    if static(base) is None if is_static(base) else False:
        return numerator
    return call(c.e, "divide", numerator, BUILTINS[np.log](c, as_double(c.e, base)))


def _to_int(name: str) -> Handler:
    def handler(c: CallSite, x: Value) -> Value:
        if shape_of_value(x):
            raise c.e.error(f"math.{name} takes a number, not {describe(x)}; use np.{name}")
        return as_python(c.e, convert(c.e, call(c.e, name, x), "i64"))

    return handler


BUILTINS[math.floor] = _to_int("floor")
BUILTINS[math.ceil] = _to_int("ceil")
BUILTINS[math.trunc] = _to_int("trunc")


@means(np.abs, builtins.abs)
def _absolute(c: CallSite, x: Value) -> Value:
    found = call(c.e, "absolute", array_of(c.e, x))
    is_bounded = isinstance(x, Scalar) and x.low is not None  # else it may be -2**63, of which the absolute value is no i64
    return replace(found, low=0) if is_bounded and isinstance(found, Scalar) and found.kind == "i64" else found


@means(np.fabs)
def _fabs(c: CallSite, x: Value) -> Value:
    return call(c.e, "absolute", floating(c.e, array_of(c.e, x)))


BUILTINS[np.deg2rad] = BUILTINS[np.radians]
BUILTINS[np.rad2deg] = BUILTINS[np.degrees]


@means(math.pow)
def _math_pow(c: CallSite, x: Value, y: Value) -> Value:
    if shape_of_value(x) or shape_of_value(y):
        raise c.e.error("math.pow takes numbers, not arrays; use np.power")
    return power(c, as_double(c.e, x), as_double(c.e, y))


@means(np.power, builtins.pow)
def power(c: CallSite, x1: Value, x2: Value) -> Value:
    """`x1 ** x2`; a number of Python if both are."""
    raised = _power(c, x1, x2)
    if has_numpy(x1) or has_numpy(x2):
        return raised
    return as_python(c.e, raised) if isinstance(raised, Const) else weakly(raised, weak_together((x1, x2)))


def _power(c: CallSite, x1: Value, x2: Value) -> Value:
    """
    `x1 ** x2`: NumPy's short cuts for the constant exponents -1, 0.5, 1, 2; integers by repeated multiplication; else
    `math.powf`, which takes ten times as long as a square root.
    """
    e = c.e
    left, right = array_of(e, x1), array_of(e, x2)
    if is_static(left) and is_static(right):
        a, b = static(left), static(right)
        if not isinstance(a, np.ndarray) and isinstance(a, int) and isinstance(b, int):
            try:
                with np.errstate(all="ignore"):
                    return wrap(as_operand(left) ** as_operand(right))
            except (ArithmeticError, ValueError, TypeError) as error:
                raise e.error(f"{a} ** {b}: {error}") from None
    exponent = right.value if isinstance(right, Const) and not isinstance(right.value, np.ndarray) else None
    if not (is_numeric(left) and is_numeric(right)):
        raise e.error(f"** takes numbers and arrays, not {describe(left if is_numeric(right) else right)}")
    if is_truth(left) or is_truth(right):
        raise e.error("** of truth values is not in the subset; write int(x) first")
    kind = common_kind(e, (left, right))
    if kind == "i64":
        return _integer_power(c, convert(e, left, kind), convert(e, right, kind), exponent)
    if exponent is not None:
        left = convert(e, left, kind)
        match float(exponent):
            case 2.0:
                return call(e, "square", floating(e, left))
            case 1.0:
                return call(e, "positive", floating(e, left))
            case 0.5:
                return call(e, "sqrt", left) if shape_of_value(left) else _root(c, floating(e, left))
            case -1.0:
                return call(e, "reciprocal", floating(e, left))
            case _:
                pass
    return call(e, "power", convert(e, left, kind), convert(e, right, kind))


def _root(c: CallSite, x: Value) -> Value:
    """`x ** 0.5` of a number: its square root, but for the exponent's own rules, 0.0 for -0.0 and inf for -inf."""
    e = c.e
    root = call(e, "add", call(e, "sqrt", x), Const(0.0))
    return select(e, call(e, "equal", x, Const(-math.inf)), Const(math.inf), root)


def _integer_power(c: CallSite, left: Value, right: Value, exponent: int | None) -> Value:
    if exponent is None:
        if shape_of_value(left) or shape_of_value(right):
            raise c.e.error("** of integer arrays needs a constant exponent; write x.astype(float) ** n")
        if not is_never_negative(right):
            raise c.e.error(
                "in Python, an int to the power of an int is a float if the exponent is negative; write "
                "a ** max(n, 0) for an int, or float(a) ** n for a float"
            )
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


@means(np.where)
def _where(c: CallSite, condition: Value, x: Value = NONE, y: Value = NONE) -> Value:
    if is_static(x) and static(x) is None:
        raise c.e.error("np.where with one argument gives arrays of unknown length; write np.where(condition, x, y)")
    test = array_of(c.e, condition)
    return select(c.e, test, array_of(c.e, x), array_of(c.e, y))


@means(np.clip, method="clip")
def _clip(c: CallSite, a: Value, a_min: Value = NONE, a_max: Value = NONE) -> Value:
    result = array_of(c.e, a)
    limits = [(array_of(c.e, limit), name) for limit, name in ((a_min, "at_least"), (a_max, "at_most")) if not is_none(limit)]
    given = [result, *(limit for limit, _ in limits)]
    if all(map(is_static, given)):
        lowest, highest = (None if is_none(limit) else as_operand(array_of(c.e, limit)) for limit in (a_min, a_max))
        return copied(wrap(np.clip(as_operand(result), lowest, highest)))
    # NumPy brings all three to one type.
    kind = common_kind(c.e, given)
    for limit, name in limits:
        result = call(c.e, name, convert(c.e, result, kind), convert(c.e, limit, kind))
    return copied(result)


@means(np.round, np.around, method="round")
def _round(c: CallSite, a: Value, decimals: Value = Const(0)) -> Value:
    places = known(c, decimals, "decimals")
    value = array_of(c.e, a)
    if places == 0 or kind_of(value) == "i64":
        return call(c.e, "rint", value)
    scale = 10.0 ** abs(places)
    first, second = ("multiply", "divide") if places > 0 else ("divide", "multiply")
    return call(c.e, second, call(c.e, "rint", call(c.e, first, value, Const(scale))), Const(scale))


@means(builtins.round)
def _python_round(c: CallSite, number: Value, ndigits: Value = NONE) -> Value:
    if shape_of_value(number):
        raise c.e.error("round takes a number; use np.round for arrays")
    if not (is_static(ndigits) and static(ndigits) is None):
        raise c.e.error("round with digits depends on decimal notation; use np.round(x, digits)")
    return as_python(c.e, convert(c.e, call(c.e, "rint", number), "i64"))


@means(np.nan_to_num)
def _nan_to_num(c: CallSite, x: Value, nan: Value = Const(0.0)) -> Value:
    value = array_of(c.e, x)
    biggest = Const(float((np.finfo(np.float32) if kind_of(value) == "f32" else np.finfo(np.float64)).max))
    finite = call(c.e, "maximum", call(c.e, "minimum", value, biggest), call(c.e, "negative", biggest))
    return select(c.e, call(c.e, "isnan", value), nan, finite)


@means(np.heaviside)
def _heaviside(c: CallSite, x1: Value, x2: Value) -> Value:
    x = array_of(c.e, x1)
    above = select(c.e, call(c.e, "greater", x, Const(0.0)), Const(1.0), x)
    below = select(c.e, call(c.e, "less", x, Const(0.0)), Const(0.0), above)
    return select(c.e, call(c.e, "equal", x, Const(0.0)), x2, below)


@means(np.logaddexp)
def _logaddexp(c: CallSite, x1: Value, x2: Value) -> Value:
    """`log(exp(x1) + exp(x2))` as `max + log1p(exp(-|x1 - x2|))`; where both are the same infinity, that one."""
    e = c.e
    a, b = array_of(e, x1), array_of(e, x2)
    largest = call(e, "maximum", a, b)
    distance = call(e, "absolute", call(e, "subtract", a, b))
    total = call(e, "add", largest, call(e, "log1p", call(e, "exp", call(e, "negative", distance))))
    return select(e, call(e, "equal", a, b), call(e, "add", largest, Const(math.log(2.0))), total)


@means(np.isclose)
def _isclose(c: CallSite, a: Value, b: Value, rtol: Value = Const(1e-5), atol: Value = Const(1e-8)) -> Value:
    """`|a - b| <= atol + rtol * |b|` for finite b; equal otherwise."""
    e = c.e
    left, right = array_of(e, a), array_of(e, b)
    distance = call(e, "absolute", call(e, "subtract", left, right))
    allowed = call(e, "add", atol, call(e, "multiply", rtol, call(e, "absolute", right)))
    # A choice, as `inf - inf` counts only where it is taken.
    near = _where(c, call(e, "isfinite", right), call(e, "less_equal", distance, allowed), Const(False))
    return call(e, "logical_or", near, call(e, "equal", left, right))


@means(np.allclose)
def _allclose(c: CallSite, a: Value, b: Value, rtol: Value = Const(1e-5), atol: Value = Const(1e-8)) -> Value:
    return all_of(c, _isclose(c, a, b, rtol, atol))
