"""
The walk: an interpreter of programs of stage `machine` on ranges.

It goes through a function as the interpreter does, with a `Number` or `Elements` for each value (`values.py`) instead of the value itself.

- A branch that cannot be taken is left out; what the condition says is known inside (`conditions.py`).
- A loop is first walked iteration by iteration, as long as `unroll` allows, then until its state holds in every iteration (`loops.py`).
- A call walks the callee with the ranges of this call; the same call again has the same results.
- `linalg` is walked element by element up to `points` iterations and `cells` results; larger ones once, with one range for all elements.

```mlir
%n = arith.constant 1.0 : f64
%p = math.exp %x : f64              // [0, inf]
%q = arith.addf %p, %n : f64        // [1, inf]
%r = arith.divf %n, %q : f64        // [0, 1]
```
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import prod
from typing import Any, cast

from xdsl.dialects import arith, func, scf
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, ModuleOp, TensorType
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.ops import IndexOp as LinalgIndexOp
from xdsl.ir import Block, Operation, Region

from cogir.analysis.ranges import elementary
from cogir.analysis.ranges.arrays import HANDLERS as ON_ARRAYS
from cogir.analysis.ranges.integers import IntRange
from cogir.analysis.ranges.linalg import LinalgPlan, loop_index, structured
from cogir.analysis.ranges.loops import detached, separated
from cogir.analysis.ranges.transfer import constant
from cogir.analysis.ranges.values import (
    Elements,
    Number,
    Range,
    State,
    Token,
    Value,
    anything_of,
    combined,
    covers,
    joined_range,
    of_dense,
    one_of,
    range_of_value,
    unknown,
)
from cogir.analysis.ranges.walking import THOROUGH, Precision, Walk, joined_states, several_blocks
from cogir.dialects import rng
from cogir.irutils import shape_of

MOST_CALLS = 512
"""So many calls are remembered."""


class Walker(Walk):
    """
    Walks the functions of a module.

    `sigmas`: draws lie within so many standard deviations (default: what the generators can give at most). `ulps`: the error of elementary
    functions.
    """

    def __init__(
        self,
        module: ModuleOp,
        *,
        sigmas: float | None = None,
        ulps: int = elementary.PORTABLE_ULPS,
        precision: Precision = THOROUGH,
    ):
        super().__init__(module, sigmas, ulps, precision)
        self._calls: dict[tuple[Any, ...], State] = {}
        self._constants: dict[Operation, Value] = {}
        self._active: list[str] = []

    def handler(self, op: Operation) -> Callable[[Operation], State]:
        kind = type(op)
        if kind in HANDLERS:
            return partial(HANDLERS[kind], self)
        if isinstance(op, LinalgStructuredOperation) and op.results:
            plan = LinalgPlan(op)
            return lambda _: structured(self, plan)
        if op.name.startswith(("arith.", "math.")) and len(op.results) == 1:
            return self.on_arrays if isinstance(op.results[0].type, TensorType) else self.on_numbers(op)
        return lambda op: [unknown(result.type) for result in op.results]

    # Functions

    def function(self, name: str, arguments: Sequence[Value]) -> State:
        """The results of a function for these arguments."""
        function = self.functions[name]
        if function.is_declaration:
            return self.external(function, arguments)
        if name in self._active:
            return [unknown(type) for type in function.function_type.outputs.data]
        outer, self.values = self.values, {}
        indices, self.indices = self.indices, ()
        self._active.append(name)
        try:
            with self.knowledge.elsewhere():
                return self.region(function.body, arguments)
        finally:
            self._active.pop()
            self.values, self.indices = outer, indices

    def external(self, function: func.FuncOp, arguments: Sequence[Value]) -> State:
        """The results of a function without a body: of C's mathematics, or unknown."""
        types = function.function_type.outputs.data
        if "cog.libm" in function.attributes and all(isinstance(each, Number) for each in arguments):
            found = elementary.of_function(function.sym_name.data, [cast(Number, each).floats for each in arguments], elementary.LIBM_ULPS)
            return [Number(found)]
        return [unknown(type) for type in types]

    def entry(self, name: str) -> State:
        """The results of a function for any arguments."""
        return self.function(name, [unknown(argument.type) for argument in self.functions[name].body.block.args])

    def region(self, region: Region, arguments: Sequence[Value]) -> State:
        """The operands of the terminator of a region with one block."""
        if len(region.blocks) != 1:
            raise several_blocks()
        return self.block(region.block, arguments)

    # Operations on numbers

    def on_numbers(self, op: Operation) -> Callable[[Operation], State]:
        """An operation on numbers."""
        operands, transfer = tuple(op.operands), self.transfer.number

        def walk(op: Operation) -> State:
            return [transfer(op, [self.number(operand) for operand in operands])]

        if any(anything_of(each.type) is None for each in (*operands, op.results[0])):
            return lambda op: [unknown(op.results[0].type)]
        return walk

    def on_arrays(self, op: Operation) -> State:
        """An operation on arrays, element by element."""
        operands = [self.of(operand) for operand in op.operands]
        arrays = [each for each in operands if isinstance(each, Elements)]
        if any(each.cells is None for each in arrays) or arrays[0].size > self.precision.cells:
            numbers = [Number(cast(Range, range_of_value(each))) for each in operands]
            return [Elements.filled(arrays[0].shape, self.transfer.number(op, numbers).range)]
        columns = [each.cells if isinstance(each, Elements) else (cast(Number, each),) * arrays[0].size for each in operands]
        cells = [self.transfer.number(op, list(map(one_of, row))) for row in zip(*cast(Any, columns), strict=True)]
        return [Elements(arrays[0].shape, tuple(cells))]

    # Constants, calls

    def constant(self, op: Operation) -> State:
        assert isinstance(op, arith.ConstantOp)
        found = self._constants.get(op)
        if found is None:
            if isinstance(op.value, DenseIntOrFPElementsAttr):
                found = of_dense(cast("DenseIntOrFPElementsAttr[Any]", op.value))
            else:
                range = constant(op)
                found = unknown(op.result.type) if range is None else Number(range)
            self._constants[op] = found
        return [found]

    def call(self, op: Operation) -> State:
        assert isinstance(op, func.CallOp)
        name = op.callee.string_value()
        arguments = [self.of(operand) for operand in op.operands]
        key = (name, bool(self.searching), *arguments)
        found = self._calls.get(key)
        if found is None:
            outer, self.place = self.place, (*self.place, op)
            found = self.function(name, arguments)
            self.place = outer
            if len(self._calls) >= MOST_CALLS:
                self._calls.clear()
            self._calls[key] = found
        return found

    # Control flow

    def conditional(self, op: Operation) -> State:
        assert isinstance(op, scf.IfOp)
        condition = self.number(op.cond)
        taken: list[State] = []
        for holds, region in ((True, op.true_region), (False, op.false_region)):
            if not region.blocks:
                taken += [[]] if not op.results else []
                continue
            with self.knowledge.branch():
                if self.knowledge.assume(condition, holds):
                    taken.append([self.knowledge.value(each) for each in self.block(region.block, ())])
        if not taken:  # no value reaches this place
            return [unknown(result.type) for result in op.results]
        if len(taken) == 1:
            return taken[0]

        def choice(a: Number, b: Number) -> Number:
            if a is b:
                return a
            return Number(joined_range((a.range, b.range)), None, (op, (condition, a, b)))

        return [combined(one, other, choice) for one, other in zip(*taken, strict=True)]

    def switch(self, op: Operation) -> State:
        assert isinstance(op, scf.IndexSwitchOp)
        index = self.number(op.arg).integers
        cases = list(zip(op.cases.iter_values(), op.case_regions, strict=True))
        regions = [region for case, region in cases if index.holds(case)]
        if not (index.is_constant and regions):
            regions.append(op.default_region)
        results: list[State] = []
        for region in regions:
            with self.knowledge.branch():
                results.append(self.block(region.block, ()))
        return joined_states(results)

    def execute(self, op: Operation) -> State:
        assert isinstance(op, scf.ExecuteRegionOp)
        return self.region(op.region, ()) if len(op.region.blocks) == 1 else [unknown(result.type) for result in op.results]

    def for_loop(self, op: Operation) -> State:
        assert isinstance(op, scf.ForOp)
        lower, upper, step = (self.number(each).integers for each in (op.lb, op.ub, op.step))
        start = [self.of(each) for each in op.iter_args]
        block = op.body.block
        if step.low <= 0:
            return [unknown(result.type) for result in op.results]
        fewest = len(range(lower.high, upper.low, step.high))
        most = len(range(lower.low, upper.high, step.low)) if upper.high > lower.low else 0
        if fewest == most and lower.is_constant and step.is_constant and most <= self.precision.unroll:
            indices = range(lower.low, lower.low + most * step.low, step.low)
            while indices and self.has_time:
                with self.knowledge.branch():
                    start = self.one_iteration(block, Number(IntRange(indices[0], indices[0])), detached(start))
                indices = indices[1:]
            if not indices:
                return start
            lower, fewest = IntRange(indices[0], indices[0]), len(indices)
        if most == 0:
            return start
        known = IntRange(lower.low, upper.high - 1)
        head = self.settled(op, start, lambda state: self.one_iteration(block, Number(known), state))
        with self.knowledge.branch():
            last = self.one_iteration(block, Number(known), head)
        last = [separated(each) for each in last]
        return last if fewest > 0 else joined_states([start, last])

    def one_iteration(self, block: Block, index: Number, state: State) -> State:
        """The state after an iteration of an `scf.for`."""
        return [self.knowledge.value(each) for each in self.block(block, [index, *state])]

    def while_loop(self, op: Operation) -> State:
        assert isinstance(op, scf.WhileOp)
        exits: list[State] = []
        fewest: int | None = None
        state: State | None = [self.of(each) for each in op.arguments]

        def once(state: State) -> tuple[State | None, State | None]:
            """The state after an iteration, and the results if it was the last."""
            condition, *forwarded = self.block(op.before_region.block, state)
            ends, goes_on = None, None
            with self.knowledge.branch():
                if self.knowledge.assume(cast(Number, condition), False):
                    ends = [self.knowledge.value(each) for each in forwarded]
            with self.knowledge.branch():
                if self.knowledge.assume(cast(Number, condition), True):
                    inside = [self.knowledge.value(each) for each in forwarded]
                    goes_on = [self.knowledge.value(each) for each in self.block(op.after_region.block, inside)]
            return goes_on, ends

        passes = 0
        while state is not None and passes < self.precision.unroll and self.has_time:
            with self.knowledge.branch():
                following, ends = once(detached(state))
            passes += 1
            if ends is not None:
                exits.append(ends)
                fewest = passes if fewest is None else fewest
            if following is not None and all(map(covers, state, following)):
                break
            state = following
        if state is not None:
            head = self.settled(op, state, lambda each: once(each)[0])
            with self.knowledge.branch():
                _, ends = once(head)
            if ends is not None:
                exits.append([separated(each) for each in ends])
                fewest = passes + 1 if fewest is None else fewest
        if not self.searching:
            self.count(op, fewest or passes, passes if state is None else None)
        return joined_states(exits) if exits else [unknown(result.type) for result in op.results]

    def count(self, op: Operation, fewest: int, most: int | None) -> None:
        """Keeps the number of times that the condition of a loop is computed."""
        known = self.counts.get(op)
        if known is not None:
            fewest = min(fewest, known[0])
            most = None if most is None or known[1] is None else max(most, known[1])
        self.counts[op] = fewest, most

    # Draws

    def generator(self, op: Operation) -> State:
        return [Token() if isinstance(result.type, rng.StateType) else unknown(result.type) for result in op.results]

    def draw(self, op: Operation) -> State:
        """A draw, and the state after it."""
        value = op.results[0]
        kind = cast(rng.StateType, op.operands[0].type).kind.data
        shape = shape_of(value.type)
        if not isinstance(value.type, TensorType):
            return [Number(self.drawn(op, kind)), Token()]
        if prod(shape) > self.precision.cells:
            return [Elements.filled(shape, self.drawn(op, kind)), Token()]
        return [Elements(shape, tuple([Number(self.drawn(op, kind)) for _ in cells_of(shape)])), Token()]

    def drawn(self, op: Operation, kind: str) -> Range:
        match op:
            case rng.UniformOp():
                return self.draws.uniform()
            case rng.NormalOp():
                return self.draws.normal(kind)
            case rng.IntegerOp():
                return self.draws.integer(self.number(op.below).integers)
            case rng.SampleOp():
                parameters = [self.number(each).range for each in op.parameters]
                return self.draws.sample(kind, op.distribution.data, cast(Any, parameters))
            case _:
                raise ValueError(op.name)


def cells_of(shape: tuple[int, ...]) -> range:
    """The elements of an array of this shape, by number."""
    return range(prod(shape))


DRAWING = (rng.UniformOp, rng.NormalOp, rng.IntegerOp, rng.SampleOp)
HANDLERS: Mapping[type[Operation], Callable[[Walker, Operation], State]] = {
    arith.ConstantOp: Walker.constant,
    func.CallOp: Walker.call,
    scf.IfOp: Walker.conditional,
    scf.IndexSwitchOp: Walker.switch,
    scf.ExecuteRegionOp: Walker.execute,
    scf.ForOp: Walker.for_loop,
    scf.WhileOp: Walker.while_loop,
    LinalgIndexOp: loop_index,
    rng.SeedOp: Walker.generator,
    rng.FromWordsOp: Walker.generator,
    rng.ToWordsOp: Walker.generator,
    **dict.fromkeys(DRAWING, Walker.draw),
    **ON_ARRAYS,
}
