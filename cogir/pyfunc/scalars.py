"""
Functions of numbers: which kinds they take and give, and the operations they become.

The same table serves scalars and the elements of arrays (`elementwise.py`). Where Python and NumPy differ, NumPy's
answer holds, since it has one for each argument: a division by zero is an infinity, NaN, or 0 for integers.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

import numpy as np
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Operation, SSAValue

from cogir.dialects.math_functions import CLIP
from cogir.pyfunc.arithmetic import float_floor_divide, float_remainder, truncated_remainder
from cogir.pyfunc.emitter import Emitter
from cogir.pyfunc.kinds import DTYPES, Kind
from cogir.pyfunc.values import Const, OtherWidth, Value, describe, is_numeric, is_weak, kind_of

Build: TypeAlias = Callable[[Emitter, Kind, Sequence[SSAValue]], SSAValue]
Rule: TypeAlias = Literal["number", "float", "real", "compare", "bool", "bits", "test"]
"""
number: operands brought to one kind, not bool; result of that kind. real: the same, and floats stay, integers are kept.
float: integers become floats. compare: as number (bools too), result bool. bool: operands and result bool.
bits: integers, or bools. test: floats, result bool.
"""


@dataclass(frozen=True)
class Function:
    """
    A function of numbers.

    `build` gets operands of one kind and emits the operations; `fold` is the Python meaning on constants, where it is
    exact (so that folding changes no bit).
    """

    name: str
    rule: Rule
    build: Build
    fold: Callable[..., Any] | None = None


class Undecided(Exception):
    """The type of a result depends on whether numbers are Python's or NumPy's; the text says so, for the user."""


def result_dtype(operands: Sequence[Value]) -> np.dtype[Any] | None:
    """
    The type that NumPy gives the result of arithmetic on these operands (NEP 50); None if one is no number.

    Raises `Undecided` if that depends on whether a number is one of Python, as an argument may be.
    """
    if (common := _without_float32(operands)) is not None:
        return DTYPES[common]
    if not all(map(is_numeric, operands)):
        return None
    weakest, strongest = (np.result_type(*(_stand_in(operand, weak) for operand in operands)) for weak in (True, False))
    if weakest != strongest:
        either = next(operand for operand in operands if is_weak(operand) is None)
        written = "int" if kind_of(either) == "i64" else "float"
        raise Undecided(
            f"{describe(either)} may be one of Python, with which NumPy computes in {weakest}, or one of NumPy, with which it computes in "
            f"{strongest}; write {written}(...) around it for {weakest}, np.{written}64(...) for {strongest}"
        )
    return weakest


def _without_float32(operands: Sequence[Value]) -> Kind | None:
    """The kind of the result where none of the operands is of float32 or of a type that has no kind, which most are not; else None."""
    try:
        kinds = {kind_of(operand) for operand in operands}
    except OtherWidth:
        return None
    if "f32" in kinds or None in kinds:
        return None
    return "f64" if "f64" in kinds else "i64" if "i64" in kinds else "i1"


def _stand_in(operand: Value, undecided: bool) -> Any:
    """A type, or a number of Python, that counts in NumPy's rules of types as the operand does."""
    match operand:
        case Const(np.ndarray() as array):
            return array.dtype
        case Const(_, _, np.dtype() as dtype):
            return dtype
        case _:
            kind = kind_of(operand)
            assert kind is not None
            weak = is_weak(operand)
            return _OF_PYTHON[kind] if (undecided if weak is None else weak) else DTYPES[kind]


_OF_PYTHON: dict[Kind, Any] = {"i1": False, "i64": 0, "f32": DTYPES["f32"], "f64": 0.0}
"""Numbers of Python, by kind."""


def is_float(kind: Kind) -> bool:
    return kind in ("f64", "f32")


def _simple(float_type: type[Operation], int_type: type[Operation] | None = None) -> Build:
    def build(e: Emitter, kind: Kind, operands: Sequence[SSAValue]) -> SSAValue:
        if is_float(kind) or int_type is None:
            return e.float_op(float_type, *operands)
        return e.int_op(int_type, *operands)

    return build


def _bound(float_type: type[Operation], int_type: type[Operation]) -> Build:
    """The larger or smaller of a number and a bound, which is marked as such."""

    def build(e: Emitter, kind: Kind, operands: Sequence[SSAValue]) -> SSAValue:
        result = _simple(float_type, int_type)(e, kind, operands)
        if is_float(kind) and isinstance(result.owner, float_type):
            result.owner.attributes[CLIP] = UnitAttr()
        return result

    return build


def _comparison(float_predicate: str, int_predicate: str) -> Build:
    def build(e: Emitter, kind: Kind, operands: Sequence[SSAValue]) -> SSAValue:
        # i1 holds -1 for true where it is read as signed, so truth values compare unsigned.
        predicate = float_predicate if is_float(kind) else int_predicate
        if kind == "i1" and predicate[0] == "s":
            predicate = "u" + predicate[1:]
        return e.compare(predicate, *operands)

    return build


def _logic(op_type: type[Operation]) -> Build:
    def build(e: Emitter, _kind: Kind, operands: Sequence[SSAValue]) -> SSAValue:
        return e.int_op(op_type, *operands)

    return build


def safe_divisor(e: Emitter, divisor: SSAValue) -> tuple[SSAValue | None, SSAValue]:
    """An i1, true if an integer divisor is 0 or -1 (None: a constant that is neither), and the divisor with 1 in their place."""
    if _constant_of(divisor) not in (None, 0, -1):
        return None, divisor
    # x + 1 unsigned is below 2 for 0 and -1 only.
    shifted = e.int_op(arith.AddiOp, divisor, e.constant(1, "i64"))
    special = e.compare("ult", shifted, e.constant(2, "i64"))
    safe = e.select(special, e.constant(1, "i64"), divisor)
    # Python raises where the divisor is 0.
    cast(Operation, safe.owner).attributes["cog.divisor"] = UnitAttr()
    return special, safe


def _constant_of(value: SSAValue) -> int | None:
    owner = value.owner
    if isinstance(owner, arith.ConstantOp):
        data = getattr(getattr(owner.value, "value", None), "data", None)
        return data if isinstance(data, int) else None
    return None


def floor_remainder(e: Emitter, dividend: SSAValue, divisor: SSAValue) -> SSAValue:
    """`dividend % divisor` of i64 with the sign of the divisor; 0 when the divisor is 0."""
    _, safe = safe_divisor(e, divisor)
    zero = e.constant(0, "i64")
    remainder = e.int_op(arith.RemSIOp, dividend, safe)
    constant = _constant_of(safe)
    if constant is not None and constant > 0:
        wrong = e.compare("slt", remainder, zero)
    else:
        differs = e.compare("slt", e.int_op(arith.XOrIOp, remainder, safe), zero)
        wrong = e.int_op(arith.AndIOp, e.compare("ne", remainder, zero), differs)
    return e.select(wrong, e.int_op(arith.AddiOp, remainder, safe), remainder)


def floor_quotient(e: Emitter, dividend: SSAValue, divisor: SSAValue) -> SSAValue:
    """`dividend // divisor` of i64, rounded down; 0 when the divisor is 0."""
    special, safe = safe_divisor(e, divisor)
    zero = e.constant(0, "i64")
    quotient = e.int_op(arith.DivSIOp, dividend, safe)
    remainder = e.int_op(arith.SubiOp, dividend, e.int_op(arith.MuliOp, quotient, safe))
    differs = e.compare("slt", e.int_op(arith.XOrIOp, remainder, safe), zero)
    inexact = e.int_op(arith.AndIOp, e.compare("ne", remainder, zero), differs)
    floored = e.select(inexact, e.int_op(arith.SubiOp, quotient, e.constant(1, "i64")), quotient)
    if special is None:
        return floored
    # dividend // 0 is 0, dividend // -1 is -dividend: dividend * divisor in both.
    return e.select(special, e.int_op(arith.MuliOp, dividend, divisor), floored)


def _floor_divide(e: Emitter, kind: Kind, operands: Sequence[SSAValue]) -> SSAValue:
    return _by_helper(e, kind, "floor_divide", float_floor_divide, operands) if is_float(kind) else floor_quotient(e, *operands)


def _remainder(e: Emitter, kind: Kind, operands: Sequence[SSAValue]) -> SSAValue:
    return _by_helper(e, kind, "remainder", float_remainder, operands) if is_float(kind) else floor_remainder(e, *operands)


def _fmod(e: Emitter, kind: Kind, operands: Sequence[SSAValue]) -> SSAValue:
    if is_float(kind):
        return _by_helper(e, kind, "fmod", truncated_remainder, operands)
    _, safe = safe_divisor(e, operands[1])
    return e.int_op(arith.RemSIOp, operands[0], safe)


def _by_helper(e: Emitter, kind: Kind, name: str, helper: Callable[..., Any], operands: Sequence[SSAValue]) -> SSAValue:
    """A function written in the subset itself, over doubles: exact for float32, whose results fit."""
    result = e.call_operator(name, helper, [e.cast(operand, kind, "f64") for operand in operands])
    return e.cast(result, "f64", kind)


def _divide(e: Emitter, _kind: Kind, operands: Sequence[SSAValue]) -> SSAValue:
    return e.float_op(arith.DivfOp, *operands)


def _negate(e: Emitter, kind: Kind, operands: Sequence[SSAValue]) -> SSAValue:
    if is_float(kind):
        return e.float_op(arith.NegfOp, *operands)
    return e.int_op(arith.SubiOp, e.constant(0, kind), *operands)


def _absolute(e: Emitter, kind: Kind, operands: Sequence[SSAValue]) -> SSAValue:
    if is_float(kind):
        return e.float_op(math.AbsFOp, *operands)
    (value,) = operands
    return e.select(e.compare("slt", value, e.constant(0, kind)), _negate(e, kind, operands), value)


def _sign(e: Emitter, kind: Kind, operands: Sequence[SSAValue]) -> SSAValue:
    """-1, 0 or 1; NaN stays, and so does a negative zero's value 0."""
    (value,) = operands
    zero = e.constant(0, kind)
    above, below = ("ogt", "olt") if is_float(kind) else ("sgt", "slt")
    rest = e.select(e.compare("oeq", value, zero), zero, value) if is_float(kind) else zero
    negative = e.select(e.compare(below, value, zero), e.constant(-1, kind), rest)
    return e.select(e.compare(above, value, zero), e.constant(1, kind), negative)


def _square(e: Emitter, kind: Kind, operands: Sequence[SSAValue]) -> SSAValue:
    (value,) = operands
    return e.float_op(arith.MulfOp, value, value) if is_float(kind) else e.int_op(arith.MuliOp, value, value)


def _reciprocal(e: Emitter, kind: Kind, operands: Sequence[SSAValue]) -> SSAValue:
    return e.float_op(arith.DivfOp, e.constant(1.0, kind), *operands)


def _keep_integer(op_type: type[Operation]) -> Build:
    """A rounding: integers are what they would become."""

    def build(e: Emitter, kind: Kind, operands: Sequence[SSAValue]) -> SSAValue:
        return e.float_op(op_type, *operands) if is_float(kind) else operands[0]

    return build


def _is_nan(e: Emitter, _kind: Kind, operands: Sequence[SSAValue]) -> SSAValue:
    return e.compare("uno", operands[0], operands[0])


def _is_finite(e: Emitter, kind: Kind, operands: Sequence[SSAValue]) -> SSAValue:
    return e.compare("olt", e.float_op(math.AbsFOp, *operands), e.constant(np.inf, kind))


def _is_inf(e: Emitter, kind: Kind, operands: Sequence[SSAValue]) -> SSAValue:
    return e.compare("oeq", e.float_op(math.AbsFOp, *operands), e.constant(np.inf, kind))


def _invert(e: Emitter, kind: Kind, operands: Sequence[SSAValue]) -> SSAValue:
    if kind == "i1":
        return e.invert(operands[0])
    return e.int_op(arith.XOrIOp, operands[0], e.constant(-1, kind))


def _logical_not(e: Emitter, _kind: Kind, operands: Sequence[SSAValue]) -> SSAValue:
    return e.invert(operands[0])


def _shift(op_type: type[Operation]) -> Build:
    """A shift by a count that is brought to 0 .. 63, where it is defined (NumPy's answer for larger counts: all shifted out)."""

    def build(e: Emitter, kind: Kind, operands: Sequence[SSAValue]) -> SSAValue:
        value, count = operands
        constant = _constant_of(count)
        if constant is not None and 0 <= constant < 64:
            return e.int_op(op_type, value, count)
        in_range = e.compare("ult", count, e.constant(64, kind))
        if op_type is arith.ShRSIOp:
            return e.int_op(op_type, value, e.select(in_range, count, e.constant(63, kind)))
        shifted = e.int_op(op_type, value, e.select(in_range, count, e.constant(0, kind)))
        return e.select(in_range, shifted, e.constant(0, kind))

    return build


def _float_function(op_type: type[Operation]) -> Build:
    return _simple(op_type)


def _copysign(e: Emitter, kind: Kind, operands: Sequence[SSAValue]) -> SSAValue:
    """`copysign`, to which a NaN has no sign: which one it would have depends on what computes it."""
    magnitude, sign = operands
    if not isinstance(sign.owner, arith.ConstantOp):
        sign = e.select(e.compare("uno", sign, sign), e.constant(0.0, kind), sign)
    return e.float_op(math.CopySignOp, magnitude, sign)


def copysign_fold(magnitude: Any, sign: Any) -> Any:
    """`copysign` of constants, in the same sense."""
    return np.copysign(magnitude, cast("Any", np.where(np.isnan(sign), np.zeros_like(sign), sign)))


def _hypot(e: Emitter, _kind: Kind, operands: Sequence[SSAValue]) -> SSAValue:
    """sqrt(x * x + y * y), without care for overflow."""
    x, y = (e.float_op(arith.MulfOp, operand, operand) for operand in operands)
    return e.float_op(math.SqrtOp, e.float_op(arith.AddfOp, x, y))


def _scaled(factor: float) -> Build:
    def build(e: Emitter, kind: Kind, operands: Sequence[SSAValue]) -> SSAValue:
        return e.float_op(arith.MulfOp, operands[0], e.constant(factor, kind))

    return build


def _maximum_if(predicate: str) -> Build:
    """Python's `max` and `min` of two: the second only if it is strictly better (so a NaN first stays, a NaN second is dropped)."""

    def build(e: Emitter, kind: Kind, operands: Sequence[SSAValue]) -> SSAValue:
        first, second = operands
        name = ("o" if is_float(kind) else "s") + predicate
        return e.select(e.compare(name, second, first), second, first)

    return build


def _table(*functions: Function) -> dict[str, Function]:
    return {function.name: function for function in functions}


_PYTHON: Any = operator

FUNCTIONS: dict[str, Function] = _table(
    Function("add", "number", _simple(arith.AddfOp, arith.AddiOp), operator.add),
    Function("subtract", "number", _simple(arith.SubfOp, arith.SubiOp), operator.sub),
    Function("multiply", "number", _simple(arith.MulfOp, arith.MuliOp), operator.mul),
    Function("divide", "float", _divide, _PYTHON.truediv),
    Function("floor_divide", "number", _floor_divide, _PYTHON.floordiv),
    Function("remainder", "number", _remainder, operator.mod),
    Function("fmod", "number", _fmod),
    Function("negative", "number", _negate, operator.neg),
    Function("positive", "number", lambda e, kind, operands: operands[0], operator.pos),
    Function("absolute", "number", _absolute, abs),
    Function("sign", "number", _sign, np.sign),
    Function("square", "number", _square, np.square),
    Function("reciprocal", "float", _reciprocal),
    Function("maximum", "real", _simple(arith.MaximumfOp, arith.MaxSIOp), np.maximum),
    Function("minimum", "real", _simple(arith.MinimumfOp, arith.MinSIOp), np.minimum),
    Function("at_least", "real", _bound(arith.MaximumfOp, arith.MaxSIOp), np.maximum),
    Function("at_most", "real", _bound(arith.MinimumfOp, arith.MinSIOp), np.minimum),
    Function("fmax", "real", _simple(arith.MaxnumfOp, arith.MaxSIOp)),
    Function("fmin", "real", _simple(arith.MinnumfOp, arith.MinSIOp)),
    Function("python_max", "real", _maximum_if("gt"), max),
    Function("python_min", "real", _maximum_if("lt"), min),
    Function("floor", "real", _keep_integer(math.FloorOp), np.floor),
    Function("ceil", "real", _keep_integer(math.CeilOp), np.ceil),
    Function("trunc", "real", _keep_integer(math.TruncOp), np.trunc),
    Function("rint", "real", _keep_integer(math.RoundEvenOp), np.rint),
    Function("equal", "compare", _comparison("oeq", "eq"), operator.eq),
    Function("not_equal", "compare", _comparison("une", "ne"), operator.ne),
    Function("less", "compare", _comparison("olt", "slt"), operator.lt),
    Function("less_equal", "compare", _comparison("ole", "sle"), operator.le),
    Function("greater", "compare", _comparison("ogt", "sgt"), operator.gt),
    Function("greater_equal", "compare", _comparison("oge", "sge"), operator.ge),
    Function("logical_and", "bool", _logic(arith.AndIOp)),
    Function("logical_or", "bool", _logic(arith.OrIOp)),
    Function("logical_xor", "bool", _logic(arith.XOrIOp)),
    Function("logical_not", "bool", _logical_not),
    Function("bitwise_and", "bits", _logic(arith.AndIOp), _PYTHON.and_),
    Function("bitwise_or", "bits", _logic(arith.OrIOp), _PYTHON.or_),
    Function("bitwise_xor", "bits", _logic(arith.XOrIOp), _PYTHON.xor),
    Function("invert", "bits", _invert, _PYTHON.invert),
    Function("left_shift", "bits", _shift(arith.ShLIOp), _PYTHON.lshift),
    Function("right_shift", "bits", _shift(arith.ShRSIOp), _PYTHON.rshift),
    Function("isnan", "test", _is_nan, np.isnan),
    Function("isfinite", "test", _is_finite, np.isfinite),
    Function("isinf", "test", _is_inf, np.isinf),
    Function("sqrt", "float", _float_function(math.SqrtOp), np.sqrt),
    Function("copysign", "float", _copysign, copysign_fold),
    Function("exp", "float", _float_function(math.ExpOp)),
    Function("exp2", "float", _float_function(math.Exp2Op)),
    Function("expm1", "float", _float_function(math.ExpM1Op)),
    Function("log", "float", _float_function(math.LogOp)),
    Function("log2", "float", _float_function(math.Log2Op)),
    Function("log10", "float", _float_function(math.Log10Op)),
    Function("log1p", "float", _float_function(math.Log1pOp)),
    Function("sin", "float", _float_function(math.SinOp)),
    Function("cos", "float", _float_function(math.CosOp)),
    Function("tan", "float", _float_function(math.TanOp)),
    Function("arcsin", "float", _float_function(math.AsinOp)),
    Function("arccos", "float", _float_function(math.AcosOp)),
    Function("arctan", "float", _float_function(math.AtanOp)),
    Function("arctan2", "float", _float_function(math.Atan2Op)),
    Function("sinh", "float", _float_function(math.SinhOp)),
    Function("cosh", "float", _float_function(math.CoshOp)),
    Function("tanh", "float", _float_function(math.TanhOp)),
    Function("arcsinh", "float", _float_function(math.AsinhOp)),
    Function("arccosh", "float", _float_function(math.AcoshOp)),
    Function("arctanh", "float", _float_function(math.AtanhOp)),
    Function("cbrt", "float", _float_function(math.CbrtOp)),
    Function("erf", "float", _float_function(math.ErfOp)),
    Function("power", "float", _float_function(math.PowFOp)),
    Function("hypot", "float", _hypot),
    Function("degrees", "float", _scaled(180.0 / np.pi)),
    Function("radians", "float", _scaled(np.pi / 180.0)),
)
"""Functions of numbers, by the name of the NumPy function they are."""
