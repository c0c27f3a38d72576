"""
What a walk of a program keeps: the values at the place where it is, what is known there, and the ranges found so far (`walk.py`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from xdsl.dialects import arith, func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from cogir.analysis.ranges.conditions import Knowledge
from cogir.analysis.ranges.draws import DrawRanges
from cogir.analysis.ranges.loops import NARROWINGS, Thresholds, invariant, separated
from cogir.analysis.ranges.transfer import RangeTransfer, constant
from cogir.analysis.ranges.values import Elements, Number, Range, State, Value, joined, joined_range, range_of_value
from cogir.errors import LoweringError
from cogir.irutils import array_of_dense, constant_int

MOST_DEFAULTS = 4096
"""The defaults of more parameters are no thresholds."""


@dataclass(frozen=True)
class Precision:
    """The work that the walk takes upon itself."""

    unroll: int = 64
    """Iterations of a loop that are walked one by one."""
    cells: int = 64
    """Elements of a result of `linalg` that have ranges of their own."""
    points: int = 4096
    """Iterations of a `linalg` operation that are walked one by one."""
    symbolic: bool = True
    """True if numbers have affine forms (`forms.py`)."""
    work: int = 100_000
    """Operations after which no loop is walked iteration by iteration any more."""
    most: int | None = None
    """Operations after which the walk is given up (`TooMuchWork`)."""


THOROUGH = Precision()
QUICK = Precision(unroll=0, cells=16, points=64, symbolic=False, most=20_000)
"""For passes."""


class TooMuchWork(Exception):
    """A walk that was given up."""


class BlockStep(NamedTuple):
    """An operation of a block, and what walks it."""

    walk: Callable[[Operation], State]
    op: Operation
    results: tuple[SSAValue, ...]


class BlockPlan(NamedTuple):
    """A block, prepared for walks."""

    arguments: tuple[SSAValue, ...]
    steps: tuple[BlockStep, ...]
    end: tuple[SSAValue, ...]


class Walk(ABC):
    """A walk of the functions of a module; `Walker` knows the operations."""

    def __init__(self, module: ModuleOp, sigmas: float | None, ulps: int, precision: Precision):
        self.functions = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
        self.draws = DrawRanges(sigmas)
        self.precision = precision
        self.transfer = RangeTransfer(ulps, precision.symbolic)
        self.knowledge = Knowledge(self.transfer)
        self.thresholds = Thresholds()
        self.thresholds.add(*constants_of(module))
        self.values: dict[SSAValue, Value] = {}
        self.facts: dict[SSAValue, Range] = {}
        """The range of each value, over all times that it was computed."""
        self.counts: dict[Operation, tuple[int, int | None]] = {}
        """The fewest and the most iterations of each `scf.while`; None if there is no bound."""
        self.searching = 0
        """Above 0 while a state of a loop is only tried: nothing is kept then."""
        self.indices: tuple[Number, ...] = ()
        """The loop indices of the `linalg` operation that is walked."""
        self.place: tuple[Operation, ...] = ()
        """The calls that lead to the function that is walked."""
        self._plans: dict[Block, BlockPlan] = {}
        self._walked = 0
        self._heads: dict[tuple[Operation, ...], State] = {}
        """The states at the heads of loops inside a loop, as they were found the last time that the outer one was tried."""

    @abstractmethod
    def handler(self, op: Operation) -> Callable[[Operation], State]:
        """The function that walks an operation."""

    # Blocks

    def block(self, block: Block, arguments: Sequence[Value]) -> State:
        """The operands of the terminator of a block."""
        plan = self._plans.get(block) or self._plan(block)
        self._walked += len(plan.steps)
        if self.precision.most is not None and self._walked > self.precision.most:
            raise TooMuchWork
        for argument, value in zip(plan.arguments, arguments, strict=True):
            self.define(argument, value)
        for walk, op, results in plan.steps:
            for result, value in zip(results, walk(op), strict=True):
                self.define(result, value)
        return [self.of(operand) for operand in plan.end]

    def _plan(self, block: Block) -> BlockPlan:
        ops = list(block.ops)
        ends = bool(ops) and not ops[-1].results and not ops[-1].regions
        steps = tuple(BlockStep(self.handler(op), op, tuple(op.results)) for op in (ops[:-1] if ends else ops))
        plan = self._plans[block] = BlockPlan(tuple(block.args), steps, tuple(ops[-1].operands) if ends else ())
        return plan

    def define(self, value: SSAValue, held: Value) -> None:
        """Gives an SSA value its value, and keeps its range."""
        self.values[value] = held
        if not self.searching:
            found = range_of_value(held)
            if found is not None:
                known = self.facts.get(value)
                self.facts[value] = found if known is None else joined_range((known, found))

    def of(self, value: SSAValue) -> Value:
        """The value of an SSA value, with what is known at this place."""
        held = self.values[value]
        return self.knowledge.value(held) if self.knowledge.known else held

    def number(self, value: SSAValue) -> Number:
        """The number of an SSA value."""
        return cast(Number, self.of(value))

    def array(self, value: SSAValue) -> Elements | None:
        """The array of an SSA value; None if nothing is known of it."""
        found = self.of(value)
        return found if isinstance(found, Elements) else None

    # Loops

    def begin(self) -> None:
        """Begins to count the work anew."""
        self._walked = 0

    @property
    def has_time(self) -> bool:
        """True while loops are walked iteration by iteration."""
        return self._walked < self.precision.work

    def trying(self, step: Callable[[State], State | None]) -> Callable[[State], State | None]:
        """A step of a loop of which nothing is kept."""

        def tried(state: State) -> State | None:
            self.searching += 1
            try:
                with self.knowledge.branch():
                    return step(state)
            finally:
                self.searching -= 1

        return tried

    def settled(self, op: Operation, start: State, step: Callable[[State], State | None]) -> State:
        """
        A state that holds at the head of a loop in every iteration.

        While a loop around it is tried, the search begins where it has ended in the last try: the states of the outer one grow.
        """
        key = (*self.place, op)
        if self.searching and key in self._heads:
            start = [joined(separated(a), b) for a, b in zip(start, self._heads[key], strict=True)]
        head = invariant(start, self.trying(step), self.thresholds, 0 if self.searching else NARROWINGS)
        if self.searching:
            self._heads[key] = head
        else:
            self._heads = {}
        return [separated(each) for each in head]


def joined_states(states: Sequence[State]) -> State:
    """One of several states."""
    found = states[0]
    for each in states[1:]:
        found = [joined(a, b) for a, b in zip(found, each, strict=True)]
    return found


def several_blocks() -> LoweringError:
    """The error for control flow that is not structured."""
    return LoweringError("ranges: a function has several blocks; ranges are found up to stage machine, where control flow is scf")


def constants_of(module: ModuleOp) -> tuple[list[float], list[int]]:
    """The constants of a program, and the numbers in the defaults of its parameters."""
    found: set[float] = set()
    whole: set[int] = set()
    for op in module.walk():
        if isinstance(op, arith.ConstantOp):
            number = constant_int(op.result)
            if number is not None:
                whole.add(number)
                continue
            held = constant(op)
            if held is not None:
                found.add(cast(float, held.low))
    defaults: Any = module.attributes.get("cog.defaults")
    if defaults is not None:
        values = array_of_dense(defaults.data["pf"])
        if values.size <= MOST_DEFAULTS:
            found.update(values.tolist())
    return list(found), list(whole)
