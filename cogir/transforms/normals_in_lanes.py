"""
Normals of mt19937 in lanes: drawn before they are used, some for each lane.

NumPy's polar method rejects pairs of uniforms, so a draw is a loop, and a loop over lanes with such draws is none of vectors. Where a trial
draws nothing but normals from mt19937, and at most so many in an iteration of its loop and outside of it, its generators become
presampled ones (`presample-normals`), and the entry draws normals for each lane before it has too few (`lowering/entry/lane_normals.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.dialects import func, scf
from xdsl.dialects.builtin import DenseArrayBase, ModuleOp, i64
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from cogir.analysis.lane_loop import LaneLoop
from cogir.analysis.op_cost import trip_count
from cogir.dialects.rng import PRESAMPLED, NormalOp, StateType
from cogir.irutils import constant_int, size_of
from cogir.transforms.presample_normals import draws_normals_only, presample, unsample
from cogir.transforms.replicate import STREAMS

NORMALS = "cog.normals"
"""The attribute of `@lanes_iterate`: the most normals that a call draws in a lane, and that the rest of a trial draws."""
TABLES = "cog.presampled"
"""
The attribute of `@lanes_iterate` about tables that hold states of presampled generators: the number of each, followed by that of the
generator among those of a trial. A generator has two tables if the loop gives another state than it carries on.
"""
MOST = 96
"""So many normals at most, in a call and in the rest of a trial together."""


@dataclass(frozen=True)
class NormalsOfTrial:
    """The most normals of a trial in one lane, from all generators."""

    in_step: int
    """In an iteration of the loop."""
    around: int
    """Before and after the loop."""

    def fit(self, iterations: int) -> bool:
        """True if a call with so many iterations, and the rest of a trial, draw few enough."""
        return iterations * self.in_step + self.around <= MOST

    def attribute(self, iterations: int) -> DenseArrayBase[Any]:
        """`NORMALS` for a call with so many iterations."""
        return DenseArrayBase.from_list(i64, [iterations * self.in_step, self.around])


def presampled_functions(module: ModuleOp) -> list[func.FuncOp]:
    """The functions whose generators have become presampled ones; none if they draw something else, too."""
    functions = [each for each in module.ops if isinstance(each, func.FuncOp) and each.sym_name.data != STREAMS]
    if not draws_normals_only(functions):
        return []
    for function in functions:
        presample(function)
    return functions


def not_presampled(functions: Iterable[func.FuncOp]) -> None:
    """Gives functions their generators back."""
    for function in functions:
        unsample(function)


def draws_of(found: LaneLoop, module: ModuleOp) -> NormalsOfTrial | None:
    """
    The most normals of presampled generators in a trial. None if there are no such generators, or too many normals, or nobody knows; or if
    the rest of a trial would draw again what was drawn before the loop, from normals that have been moved since.
    """
    carried = [value for value in (*found.loop.arguments, *found.loop.results) if is_presampled(value)]
    if not any(map(is_presampled, found.trial.args)) or any(map(is_presampled, found.captured)):
        return None
    moved = {generator_of(value, found.trial) for value in carried}
    again = drawn_again(found)
    if None in moved | again or moved & again:
        return None
    functions = {each.sym_name.data: each for each in module.ops if isinstance(each, func.FuncOp)}
    step = drawn_by([op for region in found.loop.regions for op in region.block.ops], functions)
    around = drawn_by([*found.before, *found.after], functions)
    if step is None or around is None:
        return None
    return NormalsOfTrial(step, around) if NormalsOfTrial(step, around).fit(2) else None


def is_presampled(value: SSAValue) -> bool:
    """True for the state of a presampled generator."""
    return isinstance(value.type, StateType) and value.type.kind.data == PRESAMPLED


def drawn_again(found: LaneLoop) -> set[int | None]:
    """
    The generators of which states from before the loop are read after it: by what is drawn there, or by operations before the loop that are
    done once more after it, as their results are read there.
    """
    read = [operand for op in found.after for inner in op.walk() for operand in inner.operands]
    earlier = [value for value in read if is_presampled(value) and (value in found.trial.args or value.owner in found.before)]
    earlier += [operand for op in found.needed(read) for inner in op.walk() for operand in inner.operands if is_presampled(operand)]
    return {generator_of(value, found.trial) for value in earlier}


def generator_of(state: SSAValue, trial: func.FuncOp) -> int | None:
    """The number, among the generators of a trial, of the one that has a state; None if that is not known."""
    states = states_in(trial.args)
    value: SSAValue | None = state
    while value is not None and value not in states:
        value = state_before(value)
    return None if value is None else states.index(value)


def state_before(state: SSAValue) -> SSAValue | None:
    """An earlier state of the same generator, from which an operation or a loop has made this one; None if that is not known."""
    owner = state.owner
    if isinstance(owner, Block):
        loop, number = owner.parent_op(), cast("BlockArgument", state).index
        if isinstance(loop, scf.ForOp):
            return loop.iter_args[number - 1] if number else None
        if not isinstance(loop, scf.WhileOp):
            return None
        return loop.arguments[number] if owner is loop.before_region.block else condition_of(loop).args[number]
    number = cast("OpResult", state).index
    match owner:
        case NormalOp():
            return owner.state
        case scf.IfOp():
            return cast("scf.YieldOp", owner.true_region.block.last_op).operands[number]
        case scf.ForOp():
            return owner.iter_args[number]
        case scf.WhileOp():
            return condition_of(owner).args[number]
        case func.CallOp():
            given, made = (states_in(values) for values in (owner.operands, owner.results))
            return given[made.index(state)] if len(given) == len(made) else None
        case _:
            return None


def states_in(values: Sequence[SSAValue]) -> list[SSAValue]:
    """Those of some values that are states of generators."""
    return [value for value in values if isinstance(value.type, StateType)]


def condition_of(loop: scf.WhileOp) -> scf.ConditionOp:
    """The end of the first region of a loop."""
    return cast("scf.ConditionOp", loop.before_region.block.last_op)


def drawn_by(ops: Iterable[Operation], functions: Mapping[str, func.FuncOp]) -> int | None:
    """The most normals that operations draw from presampled generators; None if that is not known."""
    total = 0
    for op in ops:
        found = drawn_by_one(op, functions)
        if found is None:
            return None
        total += found
    return total


def drawn_by_one(op: Operation, functions: Mapping[str, func.FuncOp]) -> int | None:
    """`drawn_by`, for one operation."""
    if isinstance(op, NormalOp):
        return size_of(op.value.type)
    if isinstance(op, func.CallOp):
        if not any(isinstance(value.type, StateType) and value.type.kind.data == PRESAMPLED for value in op.operands):
            return 0
        called = functions.get(op.callee.string_value())
        return None if called is None or called.is_declaration else drawn_by(called.body.block.ops, functions)
    inside = drawn_by([inner for region in op.regions for block in region.blocks for inner in block.ops], functions)
    if not inside:
        return inside
    if isinstance(op, scf.ForOp):
        is_known = all(constant_int(bound) is not None for bound in (op.lb, op.ub, op.step))
        return inside * trip_count(op) if is_known else None
    return inside if isinstance(op, scf.IfOp | scf.IndexSwitchOp) else None
