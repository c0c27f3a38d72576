"""
Derivatives of a model's outputs by its parameters, in forward mode: a walk whose numbers are single ones and carry their derivatives.

The walk of `analysis/ranges` computes the numbers of the interpreter where every range is a point. Draws come from the streams of the
model, so the derivatives are those of a run with the same random numbers. What an operation passes on is given by the rules of the gradient
(`lowering/gradient/scalars.py`), each with 1 as the adjoint of the result. Where a branch is chosen by a condition, the derivative is that
of the branch: a number of steps, or a choice, has no slope.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import prod
from typing import Any, cast

import numpy as np
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Operation

from cogir.analysis.layout import Layout
from cogir.analysis.ranges import floats
from cogir.analysis.ranges.elementary import value_of
from cogir.analysis.ranges.floats import RELATIONS, FloatRange, exactly
from cogir.analysis.ranges.loops import detached
from cogir.analysis.ranges.transfer import RangeTransfer
from cogir.analysis.ranges.values import Elements, Number, State, Token, constant_range
from cogir.analysis.ranges.walk import DRAWING, Walker
from cogir.analysis.ranges.walking import Precision
from cogir.dialects import rng
from cogir.dialects.math_functions import CLIP, ELEMENTARY
from cogir.interpreters.math import EXACT as EXACT_FUNCTIONS
from cogir.irutils import shape_of
from cogir.library.random.generators import Stream, Words, seeded_words
from cogir.lowering.gradient.forms import ROOT, is_sum_of_squares, logistic, multiple_of
from cogir.lowering.gradient.scalars import CLIPPING, RULES, STEPS, logistic_slopes, rectified
from cogir.runtime.plan import starts_of

Tangent = Mapping[str, float]
"""Derivatives by name of the parameter; those that are zero are left out."""
UNKNOWN = "?"
"""The name under which a derivative is kept for which there is no rule."""
EXACT = Precision(unroll=10**9, cells=10**9, points=10**9, symbolic=False, work=10**12)


class OnNumbers:
    """The arithmetic in which rules are written, on plain numbers."""

    def constant(self, value: float) -> float:
        return value

    def is_one(self, value: float) -> bool:
        return value == 1.0

    def add(self, a: float, b: float) -> float:
        return a + b

    def subtract(self, a: float, b: float) -> float:
        return a - b

    def multiply(self, a: float, b: float) -> float:
        return a * b

    def divide(self, a: float, b: float) -> float:
        return floats.divided(exactly(a), exactly(b)).low

    def negate(self, a: float) -> float:
        return -a

    def power(self, a: float, b: float) -> float:
        return value_of("pow", a, b)

    def apply(self, function: type[Operation], a: float) -> float:
        return cast(float, EXACT_FUNCTIONS[function](a)) if function in EXACT_FUNCTIONS else value_of(ELEMENTARY[function], a)

    def compare(self, a: float, relation: str, b: float) -> bool:
        return bool(floats.relations(exactly(a), exactly(b)) & RELATIONS[relation])

    def both(self, a: bool, b: bool) -> bool:
        return a and b

    def either(self, a: bool, b: bool) -> bool:
        return a or b

    def choose(self, condition: bool, a: float, b: float) -> float:
        return a if condition else b


@dataclass(frozen=True)
class AppliedFunction:
    """An operation with numbers in the place of its operands and its result."""

    operands: Sequence[float]
    results: Sequence[float]
    attributes: Collection[str] = ()


class DualTransfer(RangeTransfer):
    """RangeTransfer functions that also compute derivatives."""

    def __init__(self) -> None:
        super().__init__(symbolic=False)
        self.arithmetic: Any = OnNumbers()

    def number(self, op: Operation, operands: Sequence[Number]) -> Number:
        made = super().number(op, operands)
        if isinstance(op, arith.SelectOp) or isinstance(op, STEPS) or not any(each.tangent for each in operands):
            return made
        made.tangent = self.tangent(op, operands, made)
        return made

    def tangent(self, op: Operation, operands: Sequence[Number], made: Number) -> Tangent | None:
        """The derivatives of a result."""
        if not isinstance(made.range, FloatRange):
            return None
        tangents: list[Tangent] = [each.tangent or {} for each in operands]
        names = {name for each in tangents for name in each}
        attributes = {ROOT} if isinstance(op, math.SqrtOp) and is_sum_of_squares(operands[0], made_by, constant_of) else op.attributes
        applied = AppliedFunction([number_of(each) for each in operands], [number_of(made)], attributes)
        if (parts := logistic(op, operands, made_by, constant_of)) is not None:
            tangents = [each.tangent or {} for each in (parts.numerator, parts.exponent)]
            factors = logistic_slopes(self.arithmetic, applied)
        elif (rule := rule_for(op, operands)) is not None:
            factors = rule(self.arithmetic, applied, 1.0)
        else:
            return dict.fromkeys((*names, UNKNOWN), float("nan"))
        found: dict[str, float] = {}
        for tangent, factor in zip(tangents, factors, strict=True):
            for name, slope in tangent.items() if factor is not None else ():
                found[name] = found.get(name, 0.0) + cast(float, factor) * slope
        return found


def rule_for(op: Operation, operands: Sequence[Number]) -> Any:
    """The rule of an operation on numbers, if it has one."""
    if CLIP in op.attributes and type(op) in CLIPPING:
        return CLIPPING[type(op)]
    if (multiple := multiple_of(op, operands, made_by, lambda number: bool(number.tangent))) is not None:
        return partial(rectified, multiple)
    return RULES.get(type(op))


def made_by(number: Number) -> tuple[Operation, Sequence[Number]] | None:
    """The operation that a number comes from, with its operands."""
    return number.origin


def constant_of(number: Number) -> float | None:
    """The number, if it depends on no parameter."""
    return None if number.tangent or not isinstance(number.range, FloatRange) else number_of(number)


def number_of(number: Number) -> float:
    """The number that a point is."""
    return float("nan") if number.floats.is_empty else number.floats.low


class StreamToken(Token):
    """A state of a generator that is known."""

    __slots__ = ("words",)

    def __init__(self, words: Words):
        self.words = words


class DualWalker(Walker):
    """Walks a model for single numbers, with the draws that its streams give."""

    def __init__(self, module: ModuleOp):
        super().__init__(module, precision=EXACT)
        self.transfer = DualTransfer()
        self.knowledge.transfer = self.transfer

    def handler(self, op: Operation) -> Callable[[Operation], State]:
        if isinstance(op, DRAWING):
            return self.draw
        return self.generator if isinstance(op, rng.SeedOp) else super().handler(op)

    def draw(self, op: Operation) -> State:
        value = op.results[0]
        token = self.of(op.operands[0])
        assert isinstance(token, StreamToken)
        stream = Stream(cast(rng.StateType, op.operands[0].type).kind.data, token.words)
        shape = shape_of(value.type)
        drawn = np.asarray(self.sampled(op, stream, shape)).reshape(-1).tolist()
        numbers = tuple(Number(constant_range(each)) for each in drawn)
        after = StreamToken(stream.words)
        return [Elements(shape, numbers) if isinstance(value.type, TensorType) else numbers[0], after]

    def sampled(self, op: Operation, stream: Stream, shape: tuple[int, ...]) -> Any:
        """The numbers of a draw."""
        match op:
            case rng.UniformOp():
                return stream.uniform(shape)
            case rng.NormalOp():
                return stream.normal(shape)
            case rng.IntegerOp():
                below = max(self.number(op.below).integers.low, 1)
                return [stream.integer(below) for _ in range(prod(shape))]
            case rng.SampleOp():
                parameters = [each.range.low for each in map(self.number, op.parameters)]
                return stream.sample(op.distribution.data, shape, *parameters)
            case _:
                raise ValueError(op.name)

    def generator(self, op: Operation) -> State:
        if isinstance(op, rng.SeedOp):
            key = [self.number(each).integers.low for each in op.key]
            return [StreamToken(seeded_words(op.state.type.kind.data, *key))]
        return super().generator(op)


def initial_tokens(module: ModuleOp, layout: Layout) -> list[Token]:
    """The states of the generators before the first trial."""
    starts = starts_of(module)
    found: list[Token] = []
    for path, name in zip(layout.generators, layout.streams, strict=True):
        found.append(StreamToken(starts[name].state(path, layout.seed)))
    return found


def slopes_of(
    module: ModuleOp, layout: Layout, floats_: Elements, whole: Elements, inputs: Elements, names: Mapping[int, str], trials: int
) -> tuple[Number, ...]:
    """The words of the outputs of the last trial, with their derivatives by the words of `pf` that have names."""
    walker = DualWalker(module)
    cells = list(floats_.numbers())
    for place, name in names.items():
        cells[place] = Number(cells[place].range)
        cells[place].tangent = {name: 1.0}
    parameters = (Elements(floats_.shape, tuple(cells)), whole)
    state: State = [*walker.function("init", parameters), *initial_tokens(module, layout)]
    results: State = []
    for _ in range(trials):
        results = walker.function("trial", [*parameters, inputs, *state])
        state = detached(results[: len(state)])
    return cast(Elements, results[-2]).numbers()
