"""
What is to be added to the adjoints of the operands of an operation on numbers, given that of its result.

The adjoint of a value is the derivative of the loss by that value. A rule takes the adjoint of the result and gives one for each operand,
or None where there is nothing to add. Where two values are equal, the larger of them is half of one and half of the other, and the
derivative of the absolute value at zero is zero, as in PyTorch.
"""

from __future__ import annotations

import math as numbers
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, TypeAlias, cast

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import FloatAttr, f32, f64
from xdsl.dialects.linalg.ops import YieldOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from cogir.irutils import constant_float, is_float
from cogir.lowering.machine.emitter import BlockEmitter

Adjoints: TypeAlias = "Sequence[SSAValue | None]"
Rule: TypeAlias = Callable[["Scalars", Operation, SSAValue], Adjoints]


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

    def apply(self, function: type[math.ExpOp | math.LogOp | math.SinOp | math.CosOp], a: SSAValue) -> SSAValue:
        return self.emitter.value(function(a))

    def compare(self, a: SSAValue, relation: str, b: SSAValue) -> SSAValue:
        return self.emitter.value(arith.CmpfOp(a, b, relation))

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
    """x ** y: x ** 0 is 1 for x = 0, too; the logarithm is that of x where x is positive, and y has no part in it elsewhere."""
    x, y = op.operands
    zero, one = s.constant(0.0), s.constant(1.0)
    by_base = s.multiply(y, s.power(x, s.subtract(y, one)))
    by_base = s.choose(s.compare(y, "oeq", zero), zero, by_base)
    is_positive = s.compare(x, "ogt", zero)
    logarithm = s.apply(math.LogOp, s.choose(is_positive, x, one))
    by_exponent = s.multiply(s.multiply(given, op.results[0]), logarithm)
    return s.multiply(given, by_base), s.choose(is_positive, by_exponent, zero)


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


RULES: dict[type[Operation], Rule] = {
    arith.AddfOp: lambda s, op, given: (given, given),
    arith.SubfOp: lambda s, op, given: (given, s.negate(given)),
    arith.MulfOp: lambda s, op, given: (s.multiply(given, op.operands[1]), s.multiply(given, op.operands[0])),
    arith.DivfOp: quotient,
    arith.NegfOp: lambda s, op, given: (s.negate(given),),
    arith.MaximumfOp: partial(extremum, "ogt"),
    arith.MaxnumfOp: partial(extremum, "ogt"),
    arith.MinimumfOp: partial(extremum, "olt"),
    arith.MinnumfOp: partial(extremum, "olt"),
    arith.SelectOp: choice,
    arith.ExtFOp: lambda s, op, given: (s.emitter.value(arith.TruncFOp(given, f32)),),
    arith.TruncFOp: lambda s, op, given: (s.emitter.value(arith.ExtFOp(given, f64)),),
    math.AbsFOp: magnitude,
    math.CosOp: lambda s, op, given: (s.negate(s.multiply(given, s.apply(math.SinOp, op.operands[0]))),),
    math.ErfOp: scaled(error_function),
    math.ExpM1Op: scaled(lambda s, op: (one_plus(s, op.results[0]),)),
    math.ExpOp: scaled(lambda s, op: (op.results[0],)),
    math.FmaOp: lambda s, op, given: (s.multiply(given, op.operands[1]), s.multiply(given, op.operands[0]), given),
    math.Log1pOp: lambda s, op, given: (s.divide(given, one_plus(s, op.operands[0])),),
    math.LogOp: lambda s, op, given: (s.divide(given, op.operands[0]),),
    math.PowFOp: power,
    math.SinOp: scaled(lambda s, op: (s.apply(math.CosOp, op.operands[0]),)),
    math.SqrtOp: lambda s, op, given: (s.divide(given, s.add(op.results[0], op.results[0])),),
    math.TanhOp: scaled(lambda s, op: (one_less_square(s, op.results[0]),)),
}
"""The operations through which adjoints go, besides those on arrays."""

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


def adjoints(emitter: BlockEmitter, ops: Sequence[Operation], of: dict[SSAValue, SSAValue], active: set[SSAValue]) -> None:
    """
    Carries the adjoints `of` values from the results of operations on numbers, which stand before the cursor in this order, to what they
    were computed from. `active`: the values whose adjoints are of interest.
    """
    s = Scalars(emitter)
    for op in reversed(ops):
        given = of.pop(op.results[0], None) if len(op.results) == 1 else None
        if given is not None and type(op) in RULES:
            s.type = given.type
            for operand, addend in zip(op.operands, RULES[type(op)](s, op, given), strict=True):
                if addend is not None and operand in active:
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
        if isinstance(op, STEPS) or not any(operand in active for inner in op.walk() for operand in inner.operands):
            continue
        if type(op) not in RULES:
            return op
        active.update(result for result in op.results if is_float(result.type))
    return None
