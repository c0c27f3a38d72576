"""
Soundness of ranges: programs are interpreted for arguments out of random boxes, and every value that is computed must lie in its range.

A value of code that no range reaches is a fault, too.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from random import Random
from typing import Any, NamedTuple

import numpy as np
from support.pyfunc import GENERATOR, compile_for
from support.random.functions import generated
from support.random.machine import random_program
from support.random.models import random_model, wide_model
from support.random.scalars import random_scalars
from xdsl.dialects import func, scf, tensor
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.interpreter import PythonValues
from xdsl.ir import Operation, Region, SSAValue
from xdsl.utils.exceptions import InterpretationError

from cogir.analysis.layout import Layout
from cogir.analysis.ranges.floats import INFINITY, FloatRange, nearest_f32
from cogir.analysis.ranges.integers import IntRange
from cogir.analysis.ranges.trials import LoweredTrials
from cogir.analysis.ranges.values import Elements, Number, Range, Token, Value, anything_of
from cogir.analysis.ranges.walk import Walker
from cogir.analysis.ranges.walking import QUICK, Precision
from cogir.dialects.rng import StateType
from cogir.errors import CogirError
from cogir.frontend.text import parse
from cogir.interpreters.engine import Engine
from cogir.interpreters.func import function
from cogir.interpreters.levels import ALL_MEANINGS
from cogir.irutils import dtype_of, element_type_of, shape_of, size_of
from cogir.library.random.generators import initial_words
from cogir.lowering.convert_cog_to_machine import ConvertCogToMachine
from cogir.lowering.pipeline import OPTIMISATIONS, lower_to

LEFT_OUT = tuple(name for name in OPTIMISATIONS if name != "eliminate-scheduler")
PRECISIONS = (Precision(unroll=0), Precision(unroll=3), Precision(), replace(QUICK, most=None))
SPECIAL = (0.0, -0.0, math.inf, -math.inf, math.nan, 5e-324, -5e-324, 1e-310, 1.0, -1.0, 1.7976931348623157e308, 709.78, -745.2)


class Outside(CogirError):
    """A value that does not lie in its range."""


class Checked(NamedTuple):
    """What was checked of a program, or of several."""

    evaluations: int
    """Arguments for which a function was interpreted, or trials of a model."""
    values: int


class Watched(NamedTuple):
    """A value of a region, and the ends of the range that was found for it: none hold if there is no range."""

    key: int
    low: float
    high: float
    value: SSAValue


class Witness(Engine):
    """An interpreter that holds each value that it computes against the range that was found for it."""

    def __init__(self, module: ModuleOp, walker: Walker):
        super().__init__(module, ALL_MEANINGS)
        self.ranges = walker.facts
        self.counts = walker.counts
        self.seen = 0
        self._watched: dict[Region, tuple[list[Watched], list[Watched]]] = {}
        self._passes: dict[Operation, int] = {}

    def run_ssacfg_region(self, region: Region, args: PythonValues, name: str = "unknown") -> PythonValues:
        returned = super().run_ssacfg_region(region, args, name)
        numbers, arrays = self._watched.get(region) or self._watch(region)
        values = self._values
        # Most values lie within their ends; what does not, and zeros, whose signs matter, are looked at in full.
        for key, low, high, value in numbers:
            found = values[key]
            if not (found and low <= found <= high):
                check_number(value, found, self.ranges.get(value))
        for key, low, high, value in arrays:
            for found in values[key].ravel().tolist():
                if not (found and low <= found <= high):
                    check_number(value, found, self.ranges.get(value))
        self.seen += len(numbers) + len(arrays)
        loop = region.parent_op()
        if isinstance(loop, scf.WhileOp) and loop.before_region is region:
            self.count(loop, bool(returned[0]))
        return returned

    def _watch(self, region: Region) -> tuple[list[Watched], list[Watched]]:
        """The numbers and the arrays of a region."""
        block = region.block
        numbers: list[Watched] = []
        arrays: list[Watched] = []
        for value in (*block.args, *(result for op in block.ops for result in op.results)):
            if is_watched(value):
                range = self.ranges.get(value)
                ends = (1.0, 0.0) if range is None else (range.low, range.high)
                (arrays if isinstance(value.type, TensorType) else numbers).append(Watched(id(value), *ends, value))
        self._watched[region] = numbers, arrays
        return numbers, arrays

    def count(self, loop: scf.WhileOp, goes_on: bool) -> None:
        """Counts an iteration of a loop, and checks the number when the loop ends."""
        passes = self._passes.get(loop, 0) + 1
        self._passes[loop] = passes if goes_on else 0
        if not goes_on:
            fewest, most = self.counts.get(loop, (1 << 62, 0))
            if not (fewest <= passes and (most is None or passes <= most)):
                raise Outside(f"a loop has {passes} iterations, found {fewest} to {most}")


def is_watched(value: SSAValue) -> bool:
    """False for words of generators, and for arrays that hold nothing yet."""
    return anything_of(element_type_of(value.type)) is not None and not isinstance(value.owner, tensor.EmptyOp)


def check_number(value: SSAValue, found: float, range: Range | None) -> None:
    """Raises `Outside` for a number that does not lie in the range of a value."""
    if range is None:
        raise Outside(f"{place_of(value)} is {found!r}, but ranges do not reach it")
    if not range.holds(found):  # pyright: ignore[reportArgumentType]
        raise Outside(f"{place_of(value)} is {found!r}, found {range}")


def place_of(value: SSAValue) -> str:
    """The value in a message."""
    owner = value.owner
    return f"%{value.name_hint} = {owner}" if isinstance(owner, Operation) and not owner.regions else f"%{value.name_hint}"


@dataclass
class FloatBox:
    """Floats between two numbers, and perhaps NaN; -0.0 and 0.0 are two numbers."""

    low: float
    high: float
    nan: bool

    @property
    def range(self) -> FloatRange:
        holds_negative = self.low < 0.0 <= self.high or any(end == 0.0 and math.copysign(1.0, end) < 0.0 for end in (self.low, self.high))
        return FloatRange(self.low, self.high, self.nan, holds_negative)

    def samples(self, source: Random) -> Iterator[float]:
        """The corners first, then what is special, then anything."""
        yield self.low
        yield self.high
        if self.nan:
            yield math.nan
        inside = [each for each in SPECIAL if self.range.holds(each)]
        while True:
            match source.randint(0, 4):
                case 0 if inside:
                    yield source.choice(inside)
                case 1:
                    yield source.choice((self.low, self.high))
                case 2:
                    yield min(max(math.nextafter(self.low, math.inf), self.low), self.high)
                case _:
                    yield self.between(source)

    def between(self, source: Random) -> float:
        low, high = (min(max(end, -1.7e308), 1.7e308) for end in (self.low, self.high))
        value = low + (high * 0.5 - low * 0.5) * 2.0 * source.random()
        if source.random() < 0.3 and low < 0.0 < high:
            value = math.copysign(min(abs(value), 10.0 ** source.uniform(-320.0, 3.0)), value)
        return min(max(value, self.low), self.high)


def random_float_box(source: Random) -> FloatBox:
    """A box: a point, a unit in the last place, narrow, wide, or all there is."""
    nan = source.random() < 0.15
    center = (
        source.choice(SPECIAL) if source.random() < 0.3 else source.uniform(-4.0, 4.0) * 10.0 ** source.choice((0, 0, 0, -3, 2, -300, 300))
    )
    if center != center:
        center = 0.0
    match source.randint(0, 5):
        case 0:
            low = high = center
        case 1:
            low, high = center, math.nextafter(center, math.inf)
        case 2:
            low, high = sorted((center, center + source.uniform(-1e-3, 1e-3) * (abs(center) if abs(center) < 1e300 else 1.0)))
        case 3:
            low, high = sorted((center, source.uniform(-10.0, 10.0)))
        case 4:
            low, high = sorted((center, source.choice([each for each in SPECIAL if each == each])))
        case _:
            low, high = -INFINITY, INFINITY
    return FloatBox(low, high, nan)


@dataclass
class IntBox:
    """Whole numbers between two."""

    low: int
    high: int

    @property
    def range(self) -> IntRange:
        return IntRange(self.low, self.high)

    def samples(self, source: Random) -> Iterator[int]:
        yield self.low
        yield self.high
        while True:
            yield source.choice((self.low, self.high, source.randint(self.low, self.high)))


def random_int_box(source: Random) -> IntBox:
    center = source.choice((0, 1, -1, 7, 2**62, -(2**63), source.randint(-50, 50)))
    match source.randint(0, 3):
        case 0:
            return IntBox(center, center)
        case 1:
            return IntBox(center, min(center + source.randint(0, 9), 2**63 - 1))
        case 2:
            return IntBox(min(center, -3), max(center, 12))
        case _:
            return IntBox(-(2**63), 2**63 - 1)


Box = FloatBox | IntBox


def numbers_of(boxes: Sequence[Box]) -> list[Value]:
    """The arguments of a walk."""
    return [Number(box.range) for box in boxes]


def array_of(shape: tuple[int, ...], boxes: Sequence[Box]) -> Elements:
    """An array of boxes, as an argument of a walk."""
    return Elements(shape, tuple(Number(box.range) for box in boxes))


def interpret(witness: Witness, arguments: Sequence[Any], name: str = "main") -> Any:
    """Runs a function, whose values are all checked."""
    with np.errstate(all="ignore"):
        return function(witness.symbol(name), witness)(*arguments)


# What is walked and interpreted


def check_scalars(seed: int, evaluations: int) -> Checked:
    """A random function of numbers (`support.random.scalars`)."""
    source = Random(seed)
    module = parse(random_scalars(source, source.choice((4, 8, 15, 25))))
    boxes: list[Box] = [random_float_box(source) for _ in range(3)]
    boxes += [FloatBox(-INFINITY, INFINITY, source.random() < 0.5), random_int_box(source), random_int_box(source)]
    boxes.append(IntBox(*source.choice(((0, 0), (1, 1), (0, 1)))))
    walker = Walker(module, precision=source.choice(PRECISIONS))
    walker.function("main", numbers_of(boxes))
    witness = Witness(module, walker)
    samples = [box.samples(source) for box in boxes]
    for _ in range(evaluations):
        arguments: list[Any] = [next(each) for each in samples]
        interpret(witness, [*arguments[:3], nearest_f32(arguments[3]), *arguments[4:6], bool(arguments[6])])
    return Checked(evaluations, witness.seen)


def check_program(seed: int, evaluations: int) -> Checked:
    """A random program of stage `machine` (`support.random.machine`): arrays, calls, draws, loops."""
    source = Random(seed)
    module = parse(random_program(source, source.choice((10, 20, 30))))
    boxes: dict[int, list[Box]] = {}
    arguments: list[Value] = []
    main = next(op for op in module.ops if isinstance(op, func.FuncOp) and op.sym_name.data == "main")
    for number, argument in enumerate(main.body.block.args):
        if isinstance(argument.type, StateType):
            arguments.append(Token())
            continue
        is_whole = "i64" in str(argument.type)
        boxes[number] = [random_int_box(source) if is_whole else random_float_box(source) for _ in range(size_of(argument.type))]
        shape = shape_of(argument.type)
        arguments.append(array_of(shape, boxes[number]) if isinstance(argument.type, TensorType) else numbers_of(boxes[number])[0])
    walker = Walker(module, precision=source.choice(PRECISIONS))
    walker.function("main", arguments)
    witness = Witness(module, walker)
    samples = {number: [box.samples(source) for box in given] for number, given in boxes.items()}
    done = 0
    for _ in range(evaluations):
        given: list[Any] = []
        for number, argument in enumerate(main.body.block.args):
            if number not in samples:
                given.append(initial_words("philox4x64", source.randint(0, 1000)))
                continue
            drawn = [next(each) for each in samples[number]]
            if isinstance(argument.type, TensorType):
                given.append(np.array(drawn, dtype_of(element_type_of(argument.type))).reshape(shape_of(argument.type)))
            else:
                given.append(drawn[0])
        with contextlib.suppress(InterpretationError):  # a draw with parameters that its distribution does not have
            interpret(witness, given)
            done += 1
    return Checked(done, witness.seen)


def check_function(seed: int, evaluations: int) -> Checked:
    """A random Python function (`support.random.functions`), compiled."""
    source = Random(seed)
    made = generated(source)
    module, values = compile_for(made.function, *made.inputs)
    boxes: dict[int, list[Box]] = {}
    arguments: list[Value] = []
    main = next(op for op in module.ops if isinstance(op, func.FuncOp) and op.sym_name.data == "main")
    for number, (argument, value) in enumerate(zip(main.body.block.args, values, strict=True)):
        if isinstance(argument.type, StateType):
            arguments.append(Token())
            continue
        flat = np.asarray(value).reshape(-1)
        boxes[number] = [around(source, each.item()) for each in flat]
        arguments.append(array_of(flat.shape, boxes[number]) if isinstance(argument.type, TensorType) else numbers_of(boxes[number])[0])
    walker = Walker(module, precision=source.choice(PRECISIONS))
    walker.function("main", arguments)
    witness = Witness(module, walker)
    samples = {number: [box.samples(source) for box in given] for number, given in boxes.items()}
    for _ in range(evaluations):
        given: list[Any] = []
        for number, value in enumerate(values):
            if number not in samples:
                given.append(initial_words(GENERATOR, source.randint(0, 1000)))
                continue
            drawn = [next(each) for each in samples[number]]
            given.append(np.array(drawn, np.asarray(value).dtype) if isinstance(value, np.ndarray) else drawn[0])
        interpret(witness, given)
    return Checked(evaluations, witness.seen)


def around(source: Random, value: float) -> Box:
    """A box that holds a number, without NaN and infinities: generated functions are not made for them."""
    if isinstance(value, int):
        return IntBox(value, value + source.choice((0, 0, 3)))
    width = source.choice((0.0, 0.0, 1e-3, 1.0, 50.0))
    return FloatBox(value - width * source.random(), value + width * source.random(), False)


TRIALS = 3
MOST_VALUES = 500_000
"""The values after which a model is not run again: some have a hundred times as many as others."""


def check_model(seed: int, evaluations: int) -> Checked:
    """A random model (`support.random.models`): so many trials, `TRIALS` for each choice of parameters out of their boxes."""
    source = Random(seed)
    drawn = source.choice((random_model, wide_model))(source)
    module = drawn.model.ir()
    lower_to(module, "machine", without=LEFT_OUT, options={ConvertCogToMachine.name: {"outputs_as_numbers": source.random() < 0.5}})
    layout = Layout.from_module(module)
    floats = [around(source, each) for each in layout.default_buffer("pf").tolist()]
    whole: list[Box] = [IntBox(each, each) for each in layout.default_buffer("pi").tolist()]
    inputs: list[Box] = [around(source, source.uniform(-3.0, 3.0)) for _ in range(layout.size("in"))]
    walker = Walker(module, precision=source.choice(PRECISIONS))
    run = LoweredTrials(
        walker, (array_of((len(floats),), floats), array_of((len(whole),), whole)), lambda: array_of((len(inputs),), inputs)
    )
    run.run(source.choice((TRIALS, None)))
    witness = Witness(module, walker)
    samples = [box.samples(source) for box in floats]
    kinds = [slot.type for slot in layout.generator_slots]
    done = 0
    while done < evaluations and witness.seen < MOST_VALUES:
        pf = np.array([next(each) for each in samples])
        pi = layout.default_buffer("pi")
        state: list[Any] = [*interpret(witness, (pf, pi), "init")]
        state += [initial_words(kind.kind.data, source.randint(0, 1000)) for kind in kinds if isinstance(kind, StateType)]
        given = [box.samples(source) for box in inputs]
        for _ in range(TRIALS):
            results = interpret(witness, (pf, pi, np.array([next(each) for each in given]), *state), "trial")
            state = list(results[: len(state)])
        done += TRIALS
    return Checked(done, witness.seen)


def check_many(check: Callable[[int, int], Checked], first: int, each: int, evaluations: int) -> list[str]:
    """What is found in programs from seed `first` on, until there were so many evaluations, at most `each` of a program."""
    found: list[str] = []
    done = 0
    for seed in count(first):
        try:
            done += check(seed, each).evaluations
        except Outside as error:
            found.append(f"{check.__name__}({seed}): {error}")
            done += each
        if done >= evaluations:
            break
    return found
