"""
What is to be added to the adjoints of the operands of an operation on numbers, given that of its result.

The adjoint of a value is the derivative of the loss by that value. A rule takes the adjoint of the result and gives one for each operand,
or None where there is nothing to add. At kinks and ends the derivatives are PyTorch's: where two values are equal, the larger of them is
half of one and half of the other; the derivative of the absolute value at zero is zero. Three forms, which `gradient/forms.py` knows, have
derivatives that the rules of their operations do not give at their ends: the logistic function, the root of a sum of squares, and the
larger one of a number and a multiple of it.
"""

from __future__ import annotations

import math as numbers
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, TypeAlias, cast

from xdsl.dialects import arith, func, math
from xdsl.dialects.builtin import FloatAttr, StringAttr, f32, f64
from xdsl.dialects.linalg.ops import YieldOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from cogir.dialects.math_functions import CLIP
from cogir.interpreters.checks import OPERATOR
from cogir.irutils import constant_float, is_float
from cogir.lowering.gradient.forms import ROOT, logistic, multiple_of
from cogir.lowering.machine.emitter import BlockEmitter

Adjoints: TypeAlias = "Sequence[SSAValue | None]"
Rule: TypeAlias = Callable[["Scalars", Operation, SSAValue], Adjoints]


Elementary: TypeAlias = math.CosOp | math.CoshOp | math.ExpOp | math.LogOp | math.RoundEvenOp | math.SinOp | math.SinhOp | math.SqrtOp


class Scalars:
    """Writes arithmetic on numbers."""

    def __init__(self, emitter: BlockEmitter):
        self.emitter = emitter
        self.type: Attribute = f64
        """The type of the numbers."""

    def constant(self, value: float) -> SSAValue:
        """A number; at the head of the function, unlike what a body of `linalg.generic` holds otherwise."""
        return self.emitter.constant(FloatAttr(value, cast(Any, self.type)), self.type)

    def is_one(self, value: SSAValue) -> bool:
        """True if a number is known to be 1."""
        return constant_float(value) == 1.0

    def add(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.emitter.value(arith.AddfOp(a, b))

    def subtract(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.emitter.value(arith.SubfOp(a, b))

    def multiply(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.emitter.value(arith.MulfOp(a, b))

    def divide(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.emitter.value(arith.DivfOp(a, b))

    def negate(self, a: SSAValue) -> SSAValue:
        return self.emitter.value(arith.NegfOp(a))

    def power(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.emitter.value(math.PowFOp(a, b))

    def apply(self, function: type[Elementary], a: SSAValue) -> SSAValue:
        return self.emitter.value(function(a))

    def compare(self, a: SSAValue, relation: str, b: SSAValue) -> SSAValue:
        return self.emitter.value(arith.CmpfOp(a, b, relation))

    def both(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.emitter.value(arith.AndIOp(a, b))

    def either(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.emitter.value(arith.OrIOp(a, b))

    def choose(self, condition: SSAValue, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.emitter.value(arith.SelectOp(condition, a, b))


def scaled(factors: Callable[[Scalars, Operation], Sequence[SSAValue]]) -> Rule:
    """A rule in which each operand gets the adjoint times a factor."""
    return lambda s, op, given: [s.multiply(given, factor) for factor in factors(s, op)]


def extremum(relation: str, s: Scalars, op: Operation, given: SSAValue) -> Adjoints:
    """The larger (or smaller) of two: the adjoint goes to it, half of it to each if they are equal."""
    a, b = op.operands
    half = s.choose(s.compare(a, "oeq", b), s.multiply(given, s.constant(0.5)), s.constant(0.0))
    first = s.choose(s.compare(a, relation, b), given, half)
    second = s.choose(s.compare(b, relation, a), given, half)
    return first, second


def of_numbers(relation: str, s: Scalars, op: Operation, given: SSAValue) -> Adjoints:
    """The larger (or smaller) of two of which one may be NaN, as fmax gives it: the adjoint goes to the first one if they are equal."""
    a, b = op.operands
    zero = s.constant(0.0)
    is_first = s.either(s.compare(a, relation, b), s.compare(b, "uno", b))
    return s.choose(is_first, given, zero), s.choose(is_first, zero, given)


def bounded(relation: str, s: Scalars, op: Operation, given: SSAValue) -> Adjoints:
    """A number (the first one) that is not to lie beyond a bound: the adjoint goes to the number, also if it is the bound."""
    a, b = op.operands
    beyond = s.compare(b, relation, a)
    return s.choose(beyond, s.constant(0.0), given), s.choose(beyond, given, s.constant(0.0))


def rectified(multiple: int, s: Scalars, op: Operation, given: SSAValue) -> Adjoints:
    """
    The larger one of a number and a multiple of it, which is operand 0 or 1: at 0 and at -inf the adjoint goes to the multiple, as for
    numbers between, at inf to the number.
    """
    scaled_one, other = op.operands[multiple], op.operands[1 - multiple]
    zero = s.constant(0.0)
    tied_above = s.both(s.compare(other, "oeq", scaled_one), s.compare(other, "ogt", zero))
    is_other = s.either(s.compare(other, "ogt", scaled_one), tied_above)
    by_other, by_multiple = s.choose(is_other, given, zero), s.choose(is_other, zero, given)
    return (by_multiple, by_other) if multiple == 0 else (by_other, by_multiple)


def magnitude(s: Scalars, op: Operation, given: SSAValue) -> Adjoints:
    (x,) = op.operands
    zero = s.constant(0.0)
    negative = s.choose(s.compare(x, "olt", zero), s.negate(given), zero)
    return (s.choose(s.compare(x, "ogt", zero), given, negative),)


def quotient(s: Scalars, op: Operation, given: SSAValue) -> Adjoints:
    """x / y: where x is 1, given / y is computed as given * (1 / y), which takes no second division and may have another last bit."""
    x, y = op.operands
    part = s.multiply(given, op.results[0]) if s.is_one(x) else s.divide(given, y)
    return part, s.negate(s.multiply(part, op.results[0]))


def power(s: Scalars, op: Operation, given: SSAValue) -> Adjoints:
    """x ** y: x ** 0 is 1 for x = 0, too; by y it is flat at x = 0 for all y from 0 on, and there is no derivative for x below 0."""
    x, y = op.operands
    zero, one = s.constant(0.0), s.constant(1.0)
    by_base = s.multiply(y, s.power(x, s.subtract(y, one)))
    by_base = s.choose(s.compare(y, "oeq", zero), zero, by_base)
    is_flat = s.both(s.compare(x, "oeq", zero), s.compare(y, "oge", zero))
    by_exponent = s.multiply(s.multiply(given, op.results[0]), s.apply(math.LogOp, s.choose(is_flat, one, x)))
    return s.multiply(given, by_base), s.choose(is_flat, zero, by_exponent)


def choice(s: Scalars, op: Operation, given: SSAValue) -> Adjoints:
    condition, zero = op.operands[0], s.constant(0.0)
    return None, s.choose(condition, given, zero), s.choose(condition, zero, given)


def one_plus(s: Scalars, value: SSAValue) -> SSAValue:
    return s.add(s.constant(1.0), value)


def one_less_square(s: Scalars, value: SSAValue) -> SSAValue:
    return s.subtract(s.constant(1.0), s.multiply(value, value))


def error_function(s: Scalars, op: Operation) -> Sequence[SSAValue]:
    (x,) = op.operands
    return (s.multiply(s.constant(2.0 / numbers.sqrt(numbers.pi)), s.apply(math.ExpOp, s.negate(s.multiply(x, x)))),)


def root(s: Scalars, op: Operation, given: SSAValue) -> Adjoints:
    """The square root: of a sum of squares that is 0, the derivative is 0 as for a norm; of another 0 it is infinite."""
    y = op.results[0]
    slope = s.divide(given, s.add(y, y))
    zero = s.constant(0.0)
    return (s.choose(s.compare(y, "oeq", zero), zero, slope) if ROOT in op.attributes else slope,)


def cube_root(s: Scalars, op: Operation, given: SSAValue) -> Adjoints:
    y = op.results[0]
    return (s.divide(given, s.multiply(s.constant(3.0), s.multiply(y, y))),)


def reciprocal_root(s: Scalars, op: Operation, given: SSAValue) -> Adjoints:
    y = op.results[0]
    return (s.multiply(s.multiply(given, s.constant(-0.5)), s.multiply(y, s.multiply(y, y))),)


def over(divisor: Callable[[Scalars, SSAValue], SSAValue], *, negative: bool = False) -> Rule:
    """A rule for a function of one number: the adjoint, or minus it, over something that is computed from the number."""

    def rule(s: Scalars, op: Operation, given: SSAValue) -> Adjoints:
        return (s.divide(s.negate(given) if negative else given, divisor(s, op.operands[0])),)

    return rule


def square_and(sign: float, constant: float) -> Callable[[Scalars, SSAValue], SSAValue]:
    """constant + sign * x * x"""
    return lambda s, x: (s.add if sign > 0.0 else s.subtract)(s.constant(constant), s.multiply(x, x))


def root_of(of: Callable[[Scalars, SSAValue], SSAValue]) -> Callable[[Scalars, SSAValue], SSAValue]:
    return lambda s, x: s.apply(math.SqrtOp, of(s, x))


def angle(s: Scalars, op: Operation, given: SSAValue) -> Adjoints:
    """atan2(y, x): at the origin, which has no angle, both derivatives are 0."""
    y, x = op.operands
    square = s.add(s.multiply(y, y), s.multiply(x, x))
    zero = s.constant(0.0)
    part = s.choose(s.compare(square, "oeq", zero), zero, s.divide(given, square))
    return s.multiply(part, x), s.negate(s.multiply(part, y))


def with_sign(s: Scalars, op: Operation, given: SSAValue) -> Adjoints:
    """The magnitude of one number with the sign of another, of which it is a step."""
    x = op.operands[0]
    zero = s.constant(0.0)
    return s.choose(s.compare(x, "oeq", zero), zero, s.multiply(given, s.divide(op.results[0], x))), None


def remainder(s: Scalars, op: Operation, given: SSAValue) -> Adjoints:
    """r = x - n * y, as fmod and % give it: the adjoint to x, and -n times it to y."""
    x, y = op.operands
    times = s.apply(math.RoundEvenOp, s.divide(s.subtract(x, op.results[0]), y))
    return given, s.negate(s.multiply(given, times))


RULES: dict[type[Operation], Rule] = {
    arith.AddfOp: lambda s, op, given: (given, given),
    arith.SubfOp: lambda s, op, given: (given, s.negate(given)),
    arith.MulfOp: lambda s, op, given: (s.multiply(given, op.operands[1]), s.multiply(given, op.operands[0])),
    arith.DivfOp: quotient,
    arith.NegfOp: lambda s, op, given: (s.negate(given),),
    arith.MaximumfOp: partial(extremum, "ogt"),
    arith.MaxnumfOp: partial(of_numbers, "oge"),
    arith.MinimumfOp: partial(extremum, "olt"),
    arith.MinnumfOp: partial(of_numbers, "ole"),
    arith.SelectOp: choice,
    arith.ExtFOp: lambda s, op, given: (s.emitter.value(arith.TruncFOp(given, f32)),),
    arith.TruncFOp: lambda s, op, given: (s.emitter.value(arith.ExtFOp(given, f64)),),
    math.AbsFOp: magnitude,
    math.AcosOp: over(root_of(square_and(-1.0, 1.0)), negative=True),
    math.AcoshOp: over(root_of(square_and(1.0, -1.0))),
    math.AsinOp: over(root_of(square_and(-1.0, 1.0))),
    math.AsinhOp: over(root_of(square_and(1.0, 1.0))),
    math.AtanOp: over(square_and(1.0, 1.0)),
    math.Atan2Op: angle,
    math.AtanhOp: over(square_and(-1.0, 1.0)),
    math.CbrtOp: cube_root,
    math.CopySignOp: with_sign,
    math.CosOp: lambda s, op, given: (s.negate(s.multiply(given, s.apply(math.SinOp, op.operands[0]))),),
    math.CoshOp: scaled(lambda s, op: (s.apply(math.SinhOp, op.operands[0]),)),
    math.ErfOp: scaled(error_function),
    math.Exp2Op: scaled(lambda s, op: (s.multiply(op.results[0], s.constant(numbers.log(2.0))),)),
    math.ExpM1Op: scaled(lambda s, op: (one_plus(s, op.results[0]),)),
    math.ExpOp: scaled(lambda s, op: (op.results[0],)),
    math.FmaOp: lambda s, op, given: (s.multiply(given, op.operands[1]), s.multiply(given, op.operands[0]), given),
    math.Log1pOp: lambda s, op, given: (s.divide(given, one_plus(s, op.operands[0])),),
    math.Log2Op: over(lambda s, x: s.multiply(x, s.constant(numbers.log(2.0)))),
    math.Log10Op: over(lambda s, x: s.multiply(x, s.constant(numbers.log(10.0)))),
    math.LogOp: lambda s, op, given: (s.divide(given, op.operands[0]),),
    math.PowFOp: power,
    math.SinOp: scaled(lambda s, op: (s.apply(math.CosOp, op.operands[0]),)),
    math.RsqrtOp: reciprocal_root,
    math.SinhOp: scaled(lambda s, op: (s.apply(math.CoshOp, op.operands[0]),)),
    math.SqrtOp: root,
    math.TanOp: scaled(lambda s, op: (one_plus(s, s.multiply(op.results[0], op.results[0])),)),
    math.TanhOp: scaled(lambda s, op: (one_less_square(s, op.results[0]),)),
}
"""The operations through which adjoints go, besides those on arrays."""

CLIPPING: dict[type[Operation], Rule] = {arith.MaximumfOp: partial(bounded, "ogt"), arith.MinimumfOp: partial(bounded, "olt")}
"""The operations of `np.clip`, of which the first operand is what is clipped."""

STEPS: tuple[type[Operation], ...] = (
    arith.CmpfOp,
    arith.FPToSIOp,
    arith.FPToUIOp,
    math.CeilOp,
    math.FloorOp,
    math.RoundEvenOp,
    math.RoundOp,
    math.TruncOp,
)
"""Operations whose results do not change where they have a derivative."""


OPERATORS: dict[str, Rule] = {"fmod": remainder, "remainder": remainder}
"""Functions that compute operators (`cog.operator`), and are differentiated as such."""
STEP_OPERATORS = ("floor_divide",)
"""Those whose results do not change where they have a derivative."""


def operator_of(op: Operation) -> str | None:
    """The operator that a call computes, if its derivative is that of the operator and not of the function."""
    name = op.attributes.get(OPERATOR)
    known = isinstance(op, func.CallOp) and isinstance(name, StringAttr) and (name.data in OPERATORS or name.data in STEP_OPERATORS)
    return name.data if known and isinstance(name, StringAttr) else None


def is_step(op: Operation) -> bool:
    """True if the results of an operation do not change where they have a derivative."""
    return isinstance(op, STEPS) or operator_of(op) in STEP_OPERATORS


def rule_of(op: Operation, active: Container[SSAValue] = ()) -> Rule | None:
    """The rule of an operation, if it has one; `active`: the values that depend on what is learned."""
    if (name := operator_of(op)) is not None:
        return OPERATORS.get(name)
    if CLIP in op.attributes and type(op) in CLIPPING:
        return CLIPPING[type(op)]
    if (multiple := multiple_of(op, op.operands, made_by, active.__contains__)) is not None:
        return partial(rectified, multiple)
    return RULES.get(type(op))


def contributions(s: Scalars, op: Operation, given: SSAValue, active: Container[SSAValue]) -> Iterator[tuple[SSAValue, SSAValue]]:
    """Values that the result of an operation is computed from, each with what is to be added to its adjoint, if it is `active`."""
    if (found := logistic(op, op.operands, made_by, constant_float)) is not None:
        share, slope = logistic_slopes(s, op)
        yield found.numerator, s.multiply(given, share)
        yield found.exponent, s.multiply(given, slope)
    elif (rule := rule_of(op, active)) is not None:
        for operand, addend in zip(op.operands, rule(s, op, given), strict=True):
            if addend is not None:
                yield operand, addend


def logistic_slopes(s: Any, op: Any) -> tuple[Any, Any]:
    """
    The derivatives of y = x / (1 + exp(z)) by x and by z, from the value: y / x and -y * (1 - y / x).

    Where the exponential overflows, its derivative times that of the quotient would be inf * 0.
    """
    x, divisor = op.operands
    share = op.results[0] if s.is_one(x) else s.divide(s.constant(1.0), divisor)
    return share, s.negate(s.multiply(op.results[0], s.subtract(s.constant(1.0), share)))


def made_by(value: SSAValue) -> tuple[Operation, Sequence[SSAValue]] | None:
    """The operation that made a value, with its operands."""
    owner = value.owner
    return (owner, owner.operands) if isinstance(owner, Operation) else None


def adjoints(emitter: BlockEmitter, ops: Sequence[Operation], of: dict[SSAValue, SSAValue], active: set[SSAValue]) -> None:
    """
    Carries the adjoints `of` values from the results of operations on numbers, which stand before the cursor in this order, to what they
    were computed from. `active`: the values whose adjoints are of interest.
    """
    s = Scalars(emitter)
    for op in reversed(ops):
        given = of.pop(op.results[0], None) if len(op.results) == 1 and rule_of(op) is not None else None
        if given is not None:
            s.type = given.type
            for operand, addend in contributions(s, op, given, active):
                if operand in active:
                    of[operand] = s.add(of[operand], addend) if operand in of else addend


def yielded(body: Block) -> SSAValue:
    """The values that a body yields."""
    last = body.last_op
    assert isinstance(last, YieldOp)
    return last.operands[0]


def operations(body: Block) -> Iterator[Operation]:
    """The operations of a body before its end."""
    return (op for op in body.ops if not isinstance(op, YieldOp))


def activate(ops: Iterable[Operation], active: set[SSAValue]) -> Operation | None:
    """
    Adds to `active` the numbers that depend on values in it; returns an operation without a rule that such a value goes into, if any.
    """
    for op in ops:
        if is_step(op) or not any(operand in active for inner in op.walk() for operand in inner.operands):
            continue
        if rule_of(op) is None:
            return op
        active.update(result for result in op.results if is_float(result.type))
    return None
