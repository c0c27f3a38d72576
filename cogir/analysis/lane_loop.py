"""
The loop of a trial whose iterations many replicates can take side by side, each in a lane of its own.

```mlir
func.func @trial(%pf, %pi, %in, %sf, %si, %r) {
  ...                                              // before: what the loop starts from
  %x, %r1 = scf.while (...) { ... } do { ... }     // integrates until a threshold: the number of iterations differs between replicates
  ...                                              // after: outputs and next states
}
```

An iteration must be the same operations for every replicate, on few numbers: no loops without a known end in it, and generators whose
states are a few words and whose draws do not loop. And lanes take iterations that their replicates would not take, whose results are
not read: so no operation of an iteration may trap, on whatever numbers. A trial that records values, in its loop or outside of it, has no
lanes, as the records of a trial come one after another.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from xdsl.dialects import func, scf, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerType, ModuleOp, f32, f64
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from cogir.analysis.effects import EffectsTable
from cogir.analysis.layout import Layout
from cogir.analysis.op_cost import UNKNOWN_TRIP_COUNT, CostTable, trip_count
from cogir.dialects.rng import PRESAMPLED, IntegerOp, NormalOp, SampleOp, SeedOp, StateType, UniformOp
from cogir.errors import LoweringError, did_you_mean, there_is
from cogir.interpreters.traces import FUNCTIONS as TRACES
from cogir.irutils import constant_int, element_type_of, iteration_extents, size_of

SMALL = 16
"""A lane keeps values of at most so many numbers."""
BUFFERS_IN_WORDS = {
    "pf": "the parameters",
    "pi": "the parameters that are whole numbers",
    "sf": "the state: values of ports and states of nodes",
    "si": "the counts: clocks, executions of nodes",
    "in": "the inputs of a trial",
}
"""The buffers of a trial, by the names that they have in the code."""
WORK = 4096
"""An iteration with more work than this stays as it is: it fills lanes by its own loops, or is too large for the registers."""
STRAIGHT_DRAWS: dict[str, tuple[type[Operation], ...]] = {"xoshiro256": (UniformOp, NormalOp), PRESAMPLED: (NormalOp,)}
"""The draws that are straight-line code, by kind of generator."""
PARAMETERS = 2
"""The first two arguments of `@trial` are the buffers of parameters. Replicates share them, but for those that vary in a sweep."""


@dataclass
class LaneLoop:
    """A trial, taken apart at its loop."""

    trial: func.FuncOp
    loop: scf.WhileOp
    before: Sequence[Operation]
    after: Sequence[Operation]
    shared: set[SSAValue]
    """The values before the loop that depend on shared parameters alone."""
    captured: Sequence[SSAValue]
    """The other values from before the loop that an iteration reads."""

    def needed(self, values: Iterable[SSAValue]) -> list[Operation]:
        """The operations before the loop that some values are computed by, in order."""
        found: set[Operation] = set()
        waiting = [value.owner for value in values]
        while waiting:
            op = waiting.pop()
            if isinstance(op, Operation) and op not in found and op.parent is self.loop.parent and op is not self.loop:
                found.add(op)
                waiting += [operand.owner for inner in op.walk() for operand in inner.operands]
        return [op for op in self.before if op in found]


def lane_loop(module: ModuleOp, varying: Sequence[str] = ()) -> LaneLoop | str:
    """
    The loop of a module's trial, if replicates can take its iterations in lanes; the reason in words if they cannot.

    `varying`: the paths of the parameters that differ between replicates.
    """
    functions = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
    trial = functions.get("trial")
    if trial is None:
        return "the module has no trial"
    if any(isinstance(op, func.CallOp) and op.callee.string_value() in TRACES for op in trial.body.walk()):
        return "the model records values inside of trials"
    differing = words_of(trial, Layout.from_module(module), varying) if varying else {}
    loops = [op for op in trial.body.block.ops if isinstance(op, scf.WhileOp)]
    if len(loops) != 1:
        return f"the trial has {len(loops) or 'no'} loop{'s' * (len(loops) != 1)} whose end depends on data; exactly one is required"
    loop, ops = loops[0], list(trial.body.block.ops)
    at = ops.index(loop)
    obstacle = what_may_fail(loop, EffectsTable(module)) or what_is_not_straight(loop, functions)
    if obstacle:
        return obstacle
    if CostTable(module).of(loop) > WORK * UNKNOWN_TRIP_COUNT:
        return f"a step of the loop is more than {WORK:,} operations"
    shared = shared_values(trial, ops[:at], differing)
    for region in loop.regions:
        for op in region.block.walk():
            shared -= read_differing(op, differing)
    captured = [value for value in captured_by(loop) if value not in shared]
    for value in (*captured, *loop.arguments, *loop.results):
        if not can_be_held(value.type):
            return what_cannot_be_held(value)
    return LaneLoop(trial, loop, ops[:at], ops[at + 1 :], shared, captured)


def can_be_held(type: Attribute) -> bool:
    """True if a lane keeps values of this type: a few numbers, or the state of a small generator."""
    if isinstance(type, StateType):
        return type.kind.data in STRAIGHT_DRAWS
    element = element_type_of(type)
    is_number = element in (f64, f32) or isinstance(element, IndexType | IntegerType)
    return is_number and size_of(type) <= SMALL


def what_cannot_be_held(value: SSAValue) -> str:
    """Why a lane does not keep a value, in words."""
    if isinstance(value.type, StateType):
        return needs_another_generator(value.type.kind.data)
    size, name = size_of(value.type), value.name_hint
    if name in BUFFERS_IN_WORDS:
        return f"a lane would keep {BUFFERS_IN_WORDS[name]}: {size} numbers; {SMALL} is the limit"
    called = "" if name is None else f' ("{name}")'
    return f"a lane would keep a value of {size} numbers{called}; {SMALL} is the limit"


def needs_another_generator(kind: str) -> str:
    """The message about a generator that lanes do not have."""
    return f'draws of {kind} are loops; use prng="xoshiro256"'


def what_may_fail(loop: scf.WhileOp, effects: EffectsTable) -> str:
    """The first operation of an iteration that does more than compute on whatever numbers; empty if there is none."""
    for region in loop.regions:
        for op in region.block.ops:
            if not effects.of(op).is_speculatable:
                called = f" @{op.callee.string_value()}" if isinstance(op, func.CallOp) else ""
                return f"a step of the loop has an operation that can fail or has other effects ({op.name}{called})"
    return ""


def what_is_not_straight(loop: scf.WhileOp, functions: dict[str, func.FuncOp]) -> str:
    """The first operation of an iteration, functions that it calls included, that is a loop without a known end; empty if there is none."""
    waiting = [op for region in loop.regions for op in region.block.walk()]
    seen: set[str] = set()
    while waiting:
        op = waiting.pop()
        match op:
            case IntegerOp():
                return "a step of the loop draws whole numbers, which can need several attempts"
            case SampleOp():
                return f"a step of the loop draws from the distribution {op.distribution.data}, which can need several attempts"
            case scf.WhileOp() | scf.IndexSwitchOp() | SeedOp():
                return f"a step of the loop has a loop of its own, or a choice among many ({op.name})"
            case scf.ForOp() if any(constant_int(bound) is None for bound in (op.lb, op.ub, op.step)) or trip_count(op) > SMALL:
                return f"a step of the loop has a loop of its own of more than {SMALL} iterations, or of an unknown number"
            case UniformOp() | NormalOp():
                state = op.state.type
                assert isinstance(state, StateType)
                if not isinstance(op, STRAIGHT_DRAWS.get(state.kind.data, ())):
                    return needs_another_generator(state.kind.data)
            case func.CallOp() if (name := op.callee.string_value()) not in seen:
                seen.add(name)
                function = functions.get(name)
                if function is None or function.is_declaration or len(function.body.blocks) != 1:
                    return f"a step of the loop calls @{name}, whose code is not known here"
                waiting += list(function.body.walk())
            case _:
                pass
    return ""


def loops_in_step(loop: scf.WhileOp) -> str:
    """The first part of an iteration that is a loop in each lane, in words; empty if there is none."""
    for region in loop.regions:
        for op in region.block.walk():
            match op:
                case UniformOp() | NormalOp() if size_of(op.value.type) > SMALL:
                    return f"a step draws {size_of(op.value.type)} numbers at a time; draw up to {SMALL} at a time"
                case LinalgStructuredOperation() if (steps := prod(iteration_extents(op))) > SMALL:
                    name = next((result.name_hint for result in op.results if result.name_hint is not None), None)
                    called = "" if name is None else f' ("{name}")'
                    return f"a step computes an array by {steps} steps{called}; use arrays of up to {SMALL} numbers"
                case scf.ForOp():
                    return f"a step has a loop of {trip_count(op)} iterations; write their values one by one"
                case _:
                    pass
    return ""


def words_of(trial: func.FuncOp, layout: Layout, paths: Iterable[str]) -> dict[SSAValue, set[int]]:
    """By buffer of parameters, the words of some parameters."""
    found: dict[SSAValue, set[int]] = {}
    for path in paths:
        slot = layout.slots.get(path)
        if slot is None or slot.buffer not in ("pf", "pi"):
            known = [path for path, slot in layout.slots.items() if slot.buffer in ("pf", "pi")]
            raise LoweringError(f'fill-lanes: there is no parameter "{path}"{did_you_mean(path, known) or there_is(known)}')
        buffer = trial.args[("pf", "pi").index(slot.buffer)]
        found.setdefault(buffer, set()).update(range(slot.offset, slot.offset + slot.size))
    return found


def read_differing(op: Operation, differing: Mapping[SSAValue, set[int]]) -> set[SSAValue]:
    """The buffers of which an operation reads words that differ, or words that are known at run time only."""
    return {operand for operand in op.operands if operand in differing and not read_words(op).isdisjoint(differing[operand])}


class AnyWord(set[int]):
    """The words of an access that is known at run time only."""

    def isdisjoint(self, other: Iterable[object], /) -> bool:
        return False


def read_words(op: Operation) -> set[int]:
    """The words of a one-dimensional buffer that an operation reads."""
    match op:
        case tensor.ExtractOp() if (index := constant_int(op.indices[0])) is not None:
            return {index}
        case tensor.ExtractSliceOp():
            (offset,), (size,), (stride,) = (list(given.get_values()) for given in (op.static_offsets, op.static_sizes, op.static_strides))
            if DYNAMIC_INDEX not in (offset, size, stride):
                return set(range(offset, offset + size * stride, stride))
        case _:
            pass
    return AnyWord()


def shared_values(trial: func.FuncOp, before: Sequence[Operation], differing: Mapping[SSAValue, set[int]]) -> set[SSAValue]:
    """The parameters, and what is computed from them alone before the loop; not from the words that differ between replicates."""
    shared: set[SSAValue] = set(trial.args[:PARAMETERS])
    for op in before:
        inside = {block for inner in op.walk() for region in inner.regions for block in region.blocks}
        read = [operand for inner in op.walk() for operand in inner.operands]
        if any(read_differing(inner, differing) for inner in op.walk()):
            continue
        if all(operand in shared or is_inside(operand, op, inside) for operand in read):
            shared.update(op.results)
    return shared


def captured_by(op: Operation) -> list[SSAValue]:
    """The values from outside that the regions of an operation read, each once."""
    inside = {block for inner in op.walk() for region in inner.regions for block in region.blocks}
    read = [operand for inner in op.walk() if inner is not op for operand in inner.operands]
    return list(dict.fromkeys(value for value in read if not is_inside(value, op, inside)))


def is_inside(value: SSAValue, op: Operation, inside: set[Block]) -> bool:
    """True if a value is defined in the regions of an operation, whose blocks are `inside`."""
    if isinstance(value, BlockArgument):
        return value.block in inside
    return isinstance(value.owner, Operation) and value.owner is not op and value.owner.parent in inside
