"""
The drift diffusions of a model whose numbers are known, and the formulas of their times.

A node is one if it calls `library.drift_diffusion_integrator` or `library.drift_diffusion_decision` (with constant bounds, without leak
and urgency) in a loop that goes on until a condition holds, and if its parameters, its input and its start are single numbers.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterator, Mapping

from xdsl.dialects import func, tensor
from xdsl.ir import BlockArgument, Operation, SSAValue

from cogir import library
from cogir.analysis.ranges.floats import FloatRange
from cogir.analysis.ranges.trials import LoweredTrials
from cogir.analysis.ranges.values import Number
from cogir.analysis.ranges.walk import Walker
from cogir.analyze.drift_diffusion_times import DriftDiffusionTimes
from cogir.analyze.output_ranges import RangedModel
from cogir.irutils import constant_int, size_of

CONSTANTS = ("bound",)
"""The arguments that are compiled in, and are no operands."""
FUNCTIONS = {
    function.__name__: tuple(name for name in inspect.signature(function).parameters if name not in CONSTANTS)
    for function in (library.drift_diffusion_integrator, library.drift_diffusion_decision)
}
"""The names of the operands of calls, in order."""
OF_NODE = "/param:"


def read_of(value: SSAValue) -> tuple[int, int] | None:
    """The argument of the function, and the element of it, that a value is read from."""
    op = value.owner
    if not isinstance(op, tensor.ExtractOp) or not isinstance(op.tensor, BlockArgument) or len(op.indices) != 1:
        return None
    index = constant_int(op.indices[0])
    return None if index is None else (op.tensor.index, index)


def single(found: object) -> float | None:
    """The number that a range is, if it is only one."""
    return found.low if isinstance(found, FloatRange) and found.is_constant else None


def library_name(callee: str) -> str | None:
    """The function of the library that a function of a module is, which may have a number."""
    return next((name for name in FUNCTIONS if callee == name or callee.removeprefix(f"{name}_").isdigit()), None)


class DriftDiffusionCall:
    """A call of one of the functions, in a walked model."""

    def __init__(self, call: func.CallOp, operands: Mapping[str, SSAValue], ranged: RangedModel, trials: LoweredTrials):
        self.call = call
        self.operands = operands
        self.ranged = ranged
        self.walker: Walker = trials.walker
        self.parameters = trials.parameters[0].numbers()

    @property
    def node(self) -> str | None:
        """The node that makes the call, by a parameter that it reads."""
        for operand in self.operands.values():
            place = read_of(operand)
            if place is not None and place[0] == 0:
                for slot in self.ranged.layout.in_buffer("pf"):
                    if slot.offset == place[1] and OF_NODE in slot.path:
                        return slot.path.partition(OF_NODE)[0]
        return None

    def number(self, name: str) -> float | None:
        """The value of an argument, if it is always the same number."""
        return single(self.walker.facts.get(self.operands[name]))

    def initial(self, name: str) -> float | None:
        """The first element of a state at the beginning, if it is one number."""
        slots = self.ranged.layout
        path = f"{self.node}/initial:state:{name}"
        held: Number | None = self.parameters[slots[path].offset] if path in slots else None
        return None if held is None else single(held.range)

    def times(self) -> DriftDiffusionTimes | None:
        """The times of the node; None if they are not those of a drift diffusion with known numbers."""
        is_decision = "drift" in self.operands
        if is_decision and not self.is_plain():
            return None
        input, noise, threshold = (self.number(name) for name in ("variable", "noise", "threshold"))
        drift = self.number("drift" if is_decision else "rate")
        start = self.number("starting_value") if is_decision else self.initial("previous_value")
        begins = self.number("non_decision_time") if is_decision else self.initial("previous_time")
        if input is None or noise is None or threshold is None or drift is None or start is None or begins is None:
            return None
        if is_decision:
            input *= size_of(self.operands["variable"].type)
        elif self.number("offset") != 0.0:
            return None
        if not (all(map(math.isfinite, (input, noise, threshold, drift, start, begins))) and noise > 0.0 and abs(start) < threshold):
            return None
        times = DriftDiffusionTimes(drift * input, noise, threshold, start, begins)
        return times if times.is_moderate else None

    def is_plain(self) -> bool:
        """True for a decision between constant bounds, without leak and urgency, that begins at the beginning."""
        if any(self.number(name) != 0.0 for name in ("leak", "urgency")) or any(self.initial(name) != 0.0 for name in ("time", "choice")):
            return False
        functions = self.walker.functions
        bounds = [
            functions[op.callee.string_value()].body.block
            for op in functions[self.call.callee.string_value()].walk()
            if isinstance(op, func.CallOp) and op.callee.string_value().startswith("bound_at")
        ]
        return all(block.last_op is not None and block.last_op.operands[0] is block.args[1] for block in bounds)


def calls_in(op: Operation, functions: Mapping[str, func.FuncOp]) -> Iterator[tuple[func.CallOp, list[SSAValue]]]:
    """The calls inside an operation, also those of the functions that are called, with operands as values outside of all of them."""
    for call in op.walk():
        if not isinstance(call, func.CallOp):
            continue
        outer = list(call.operands)
        yield call, outer
        callee = functions[call.callee.string_value()]
        if library_name(callee.sym_name.data) is None and not callee.is_declaration:
            for inner, operands in calls_in(callee, functions):
                arguments = callee.body.block.args
                yield inner, [outer[each.index] if isinstance(each, BlockArgument) and each in arguments else each for each in operands]


def formulas_of(ranged: RangedModel, trials: LoweredTrials) -> Iterator[tuple[str, DriftDiffusionTimes]]:
    """The nodes that are drift diffusions with known numbers, and their times."""
    for loop in trials.walker.counts:
        for call, operands in calls_in(loop, trials.walker.functions):
            name = library_name(call.callee.string_value())
            if name is not None:
                found = DriftDiffusionCall(call, dict(zip(FUNCTIONS[name], operands, strict=False)), ranged, trials)
                times = found.times()
                if found.node is not None and times is not None:
                    yield found.node, times
