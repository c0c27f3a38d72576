"""
Reverse-mode differentiation: adds the function that computes the derivatives of a loss.

Before: stage `machine` with a function `@loss`. Its last result is the loss; arguments carry `cog.learned`, the ranges of their elements
        by which it is to be differentiated. Without it there is nothing to do.
After:  `@gradient` in its place, which computes the same and adds the derivatives, range after range, to an array that it is given:

```mlir
func.func @loss(%pf: tensor<8xf64> {cog.learned = [[2, 4]]}, %in: tensor<2xf64>) -> (tensor<2xf64>, f64)
func.func @gradient(%pf: tensor<8xf64>, %in: tensor<2xf64>, %sum: tensor<4xf64> {cog.updates = 0}) -> (tensor<4xf64>, tensor<2xf64>, f64)
```

Calls are inlined and loops of few iterations unrolled first. Then every operation, from the last to the first, passes the derivative of
the loss by its result (the adjoint) on to its operands, as far as these depend on what is learned (`gradient/scalars.py`,
`gradient/arrays.py`). What has no derivative, or none that is known, is an error where it matters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import arith, func, math, scf, tensor
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    ModuleOp,
    TensorType,
    UnitAttr,
    f32,
    f64,
    i64,
)
from xdsl.dialects.linalg.ops import GenericOp, YieldOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.passes import ModulePass

from cogir.analysis.effects import EffectsTable
from cogir.analysis.layout import Layout, Slot
from cogir.errors import LoweringError
from cogir.irutils import constant_float, constant_int, index_constant, is_float, replace_by, size_of
from cogir.lowering.convert_elementwise_to_linalg import ConvertElementwiseToLinalg
from cogir.lowering.gradient.arrays import MOVES, Contribution, Generic, contributions, plus
from cogir.lowering.gradient.forms import ROOT, is_sum_of_squares
from cogir.lowering.gradient.scalars import adjoints, is_step, operator_of, rule_of, yielded
from cogir.lowering.gradient.zeros import NEVER, Condition, KnownZeros, Part, all_of, read_at_start
from cogir.lowering.machine.buffer_access import store_words, words
from cogir.lowering.machine.emitter import BlockEmitter, Head, is_tensor
from cogir.lowering.machine.tensors import elementwise, flattened, with_elements
from cogir.transforms.dce import remove_unused
from cogir.transforms.inlining import inline_all
from cogir.zero_gradients import ZeroGradient, named_in_vain

LOSS, GRADIENT = "loss", "gradient"
LEARNED = "cog.learned"
"""The attribute of an argument that names the ranges of its elements that are learned: [[offset, size], ...]."""
FIXED = "cog.fixed"
"""The attribute of a copy of a value through which nothing is learned."""
STRAIGHT = ("arith.", "math.", "tensor.")
"""Operations of a branch that can be computed whether it is taken or not."""
MOST_ITERATIONS = 64
"""A loop of more iterations is not unrolled."""


@dataclass(frozen=True)
class LearnedRange:
    """A range of the elements of an argument, by which the loss is differentiated."""

    argument: int
    offset: int
    size: int


def learned_ranges(function: func.FuncOp) -> list[LearnedRange]:
    """The learned ranges that the attributes of the arguments name, in order."""
    found: list[LearnedRange] = []
    for number, attributes in enumerate(function.arg_attrs or ()):
        for place in cast("ArrayAttr[ArrayAttr[IntegerAttr[Any]]]", attributes.data.get(LEARNED, ArrayAttr(()))):
            offset, size = (each.value.data for each in place)
            found.append(LearnedRange(number, offset, size))
    return found


def learned_attribute(ranges: Sequence[tuple[int, int]]) -> DictionaryAttr:
    """The attributes of an argument of which these ranges, (offset, size), are learned."""
    return DictionaryAttr({LEARNED: ArrayAttr(ArrayAttr(IntegerAttr(number, i64) for number in place) for place in ranges)})


def fixed(emitter: BlockEmitter, value: SSAValue) -> SSAValue:
    """The same value, to be taken as it is: what it depends on is not learned through it."""
    if not is_tensor(value.type):
        return fixed_number(emitter, value)
    copy = elementwise(emitter, value.type, [value], lambda _, elements: elements[0])
    cast(Operation, copy.owner).attributes[FIXED] = UnitAttr()
    return copy


def fixed_number(emitter: BlockEmitter, value: SSAValue) -> SSAValue:
    """As `fixed`, for a number: there and back through an array."""
    array = emitter.value(tensor.FromElementsOp(value))
    return emitter.value(tensor.ExtractOp(fixed(emitter, array), [emitter.index(0)], value.type))


def straighten(function: func.FuncOp, functions: dict[str, func.FuncOp], effects: EffectsTable) -> None:
    """
    Inlines calls but for those that have a derivative of their own, removes what is not used, and unrolls loops that compute floats, whose
    iterations are known and few.
    """
    inline_all(function, functions, keeps=lambda call: operator_of(call) is not None)
    remove_unused(function, effects)
    while loops := [op for op in function.body.block.ops if isinstance(op, scf.ForOp) and has_floats(op)]:
        for loop in loops:
            unroll(loop)


def has_floats(op: Operation) -> bool:
    """True if a derivative can flow through an operation: if it has a float, or an array of floats, as result."""
    return any(is_float(result.type) for result in op.results)


def unroll(loop: scf.ForOp) -> None:
    """scf.for of n iterations  ->  its body n times"""
    first, end, step = map(constant_int, (loop.lb, loop.ub, loop.step))
    if first is None or end is None or not step:
        raise LoweringError(
            "differentiate: a loop has a number of iterations that is not constant; only loops with constant bounds can be differentiated"
        )
    iterations = range(first, end, step)
    if len(iterations) > MOST_ITERATIONS:
        raise LoweringError(f"differentiate: a loop has {len(iterations)} iterations; at most {MOST_ITERATIONS} can be differentiated")
    block = cast(Block, loop.parent)
    body = loop.body.block
    carried: list[SSAValue] = list(loop.iter_args)
    for iteration in iterations:
        index = index_constant(iteration)
        block.insert_op_before(index, loop)
        mapping: dict[SSAValue, SSAValue] = dict(zip(body.args, [index.results[0], *carried], strict=True))
        for op in body.ops:
            if isinstance(op, scf.YieldOp):
                carried = [mapping.get(operand, operand) for operand in op.operands]
            else:
                block.insert_op_before(op.clone(mapping), loop)
    for old, new in zip(loop.results, carried, strict=True):
        old.replace_all_uses_with(new)
    block.erase_op(loop)


def mark_norms(function: func.FuncOp) -> None:
    """Marks the roots of sums of squares."""
    for op in function.walk():
        if isinstance(op, math.SqrtOp) and is_sum_of_squares(op.operand, traced, zero_or_constant):
            op.attributes[ROOT] = UnitAttr()


def traced(value: SSAValue) -> tuple[Operation, Sequence[SSAValue]] | None:
    """The operation that made a value, or an element of it, also within a linalg.generic and from there."""
    owner = value.owner
    if isinstance(owner, GenericOp):
        return owner, [yielded(owner.body.block)]
    if isinstance(owner, Operation):
        return owner, owner.operands
    generic = owner.parent_op()
    return (generic, [generic.operands[cast(BlockArgument, value).index]]) if isinstance(generic, GenericOp) else None


def zero_or_constant(value: SSAValue) -> float | None:
    """The number that a value is, or that all elements of it are."""
    match value.owner:
        case arith.ConstantOp(value=DenseIntOrFPElementsAttr() as held) if held.is_splat() and is_float(value.type):
            return float(cast(float, held.get_values()[0]))
        case _:
            return constant_float(value)


def static_offset(op: tensor.ExtractSliceOp) -> int | None:
    """The start of a slice of a one-dimensional array, if it is contiguous and begins at a known element."""
    offsets, strides = (cast("Any", each).get_values() for each in (op.static_offsets, op.static_strides))
    return offsets[0] if not op.offsets and len(offsets) == 1 and strides[0] == 1 else None


class Gradient:
    """Builds `@gradient` from a straight copy of `@loss`."""

    def __init__(self, loss: func.FuncOp, ranges: Sequence[LearnedRange]):
        self.loss = loss
        self.ranges = ranges
        self.total = TensorType(f64, (sum(each.size for each in ranges),))
        self.active: set[SSAValue] = set()
        self.decided: set[SSAValue] = set()
        """Truth values and integers that depend on what is learned."""
        self.sums: dict[SSAValue, SSAValue] = {}
        self.parts: dict[tuple[int, int, int], SSAValue] = {}
        """The adjoints of parts of arguments: (argument, offset, size)."""
        self.places: dict[SSAValue, tuple[int, int]] = {}
        """Values that are a part of an argument: the argument, and where it begins there."""
        self.adjoints: list[list[SSAValue]] = []
        """The parts of the derivatives by each learned range."""

    def build(self) -> func.FuncOp:
        old = self.loss.body.block
        block = Block(arg_types=[*(argument.type for argument in old.args), self.total])
        head = Head(block)
        self.emitter = BlockEmitter(block, head)
        for argument, source in zip(block.args, old.args, strict=False):
            argument.name_hint = source.name_hint
        block.args[-1].name_hint = "sum"
        mapping: dict[SSAValue, SSAValue] = dict(zip(old.args, block.args, strict=False))
        self.places = {argument: (number, 0) for number, argument in enumerate(block.args[:-1])}
        ops: list[Operation] = []
        for op in old.ops:
            if not isinstance(op, func.ReturnOp):
                ops += self.copied(op, mapping)
        last = cast(func.ReturnOp, old.last_op)
        results = [mapping.get(operand, operand) for operand in last.operands]
        if results[-1] not in self.active:
            raise LoweringError("differentiate: the loss does not depend on any learned weights; name other projections or targets")
        self.sums[results[-1]] = self.emitter.number(1.0)
        for op in reversed(ops):
            self.hand_on(op)
        for op in ops:
            if FIXED in op.attributes:
                replace_by(op, [op.operands[0]])
        self.adjoints = [[part for key, part in self.parts.items() if overlaps(key, each)] for each in self.ranges]
        total = self.packed(block.args[-1])
        self.emitter.add(func.ReturnOp(total, *results))
        head.close()
        types = [argument.type for argument in block.args]
        function = func.FuncOp(GRADIENT, FunctionType.from_lists(types, [self.total, *(value.type for value in results)]), Region(block))
        updates = DictionaryAttr({"cog.updates": IntegerAttr(0, i64)})
        function.arg_attrs = ArrayAttr([*(DictionaryAttr({}) for _ in types[:-1]), updates])
        return function

    def copied(self, op: Operation, mapping: dict[SSAValue, SSAValue]) -> list[Operation]:
        """A copy of an operation of the loss, or what stands for it, at the end of the block; `mapping` gets its results."""
        if isinstance(op, scf.IfOp) and self.is_choice(op, mapping):
            return self.chosen(op, mapping)
        copy = op.clone(mapping)
        self.emitter.add(copy)
        # The bits of a float may become a float again.
        has_bits = any(isinstance(inner, arith.BitcastOp) for inner in op.walk())
        self.activate(copy, flows=has_bits or any(is_float(result.type) and result.first_use is not None for result in op.results))
        return [copy]

    def is_choice(self, op: scf.IfOp, mapping: dict[SSAValue, SSAValue]) -> bool:
        """True if both branches of a condition, which no learned value decides, are straight lines of arithmetic on arrays."""
        inside = [inner for region in op.regions for inner in region.block.ops]
        plain = all(isinstance(inner, GenericOp | scf.YieldOp) or inner.name.startswith(STRAIGHT) for inner in inside)
        arrays = all(is_tensor(result.type) and is_float(result.type) for result in op.results)
        return plain and arrays and mapping.get(op.cond, op.cond) not in self.decided

    def chosen(self, op: scf.IfOp, mapping: dict[SSAValue, SSAValue]) -> list[Operation]:
        """scf.if %c { %a } else { %b }  ->  both, and element by element one of them"""
        ops: list[Operation] = []
        yielded: list[Sequence[SSAValue]] = []
        for region in op.regions:
            *body, end = region.block.ops
            for inner in body:
                ops += self.copied(inner, mapping)
            yielded.append([mapping.get(value, value) for value in end.operands])
        condition = mapping.get(op.cond, op.cond)
        for result, yes, no in zip(op.results, *yielded, strict=True):

            def choose(inner: BlockEmitter, elements: Sequence[SSAValue]) -> SSAValue:
                return inner.value(arith.SelectOp(condition, elements[0], elements[1]))

            value = elementwise(self.emitter, result.type, [yes, no], choose)
            mapping[result] = value
            ops.append(cast(Operation, value.owner))
            self.activate(ops[-1])
        return ops

    # Values that matter

    def is_learned(self, value: SSAValue, size: int) -> bool:
        """True if a part of an argument, of so many elements, has learned ones among them."""
        argument, offset = self.places[value]
        return any(each.argument == argument and each.offset < offset + size and offset < each.offset + each.size for each in self.ranges)

    def part_of_argument(self, op: Operation) -> tuple[int, int] | None:
        """The argument and the place in it, if the result of an operation is a part of one."""
        if isinstance(op, tensor.ExtractSliceOp) and op.source in self.places and (start := static_offset(op)) is not None:
            argument, offset = self.places[op.source]
            return argument, offset + start
        if isinstance(op, tensor.ExtractOp) and op.tensor in self.places and len(op.indices) == 1:
            index = constant_int(op.indices[0])
            argument, offset = self.places[op.tensor]
            return None if index is None else (argument, offset + index)
        return None

    def activate(self, op: Operation, *, flows: bool = True) -> None:
        """Notes whether the results of an operation depend on what is learned; `flows`: a result that is used is a float, or floats."""
        if (place := self.part_of_argument(op)) is not None:
            (result,) = op.results
            self.places[result] = place
            if self.is_learned(result, size_of(result.type)):
                self.active.add(result)
            return
        inside = [operand for inner in op.walk() for operand in inner.operands]
        given = [value for value in (*op.operands, *inside) if is_float(value.type)]
        self.active.update(value for value in given if value in self.places and self.is_learned(value, size_of(value.type)))
        if any(value in self.active or value in self.decided for value in (*op.operands, *inside)):
            self.decided.update(result for result in op.results if not is_float(result.type))
        if not any(value in self.active for value in given) or is_step(op) or FIXED in op.attributes or not flows:
            return
        if isinstance(op, GenericOp):
            if Generic(op).is_active(self.active):
                self.active.update(op.results)
        elif type(op) in MOVES or rule_of(op) is not None:
            self.active.update(result for result in op.results if is_float(result.type))
        else:
            raise LoweringError(
                f"differentiate: {op.name} depends on learned weights and has no derivative rule; a model that learns must not "
                "have conditions on computed values, or loops that end on one"
            )

    # Adjoints

    def hand_on(self, op: Operation) -> None:
        """Gives the adjoint of an operation's result to its operands."""
        given = self.sums.pop(op.results[0], None) if len(op.results) == 1 else None
        if given is None:
            return
        if (place := self.places.get(op.results[0])) is not None:
            self.note_part((*place, size_of(given.type)), given)
        elif rule_of(op) is not None:
            of: dict[SSAValue, SSAValue] = {op.results[0]: given}
            adjoints(self.emitter, [op], of, self.active)
            self.add_all(list(of.items()))
        elif isinstance(op, GenericOp) or type(op) in MOVES:
            self.add_all(contributions(self.emitter, op, given, self.active))

    def add_all(self, found: Sequence[Contribution]) -> None:
        for value, addend in found:
            if value not in self.active:
                continue
            if value in self.places:
                self.note_part((*self.places[value], size_of(value.type)), addend)
            else:
                self.sums[value] = plus(self.emitter, self.sums[value], addend) if value in self.sums else addend

    def note_part(self, key: tuple[int, int, int], addend: SSAValue) -> None:
        """Adds to the adjoint of a part of an argument."""
        addend = flattened(self.emitter, addend) if isinstance(addend.type, TensorType) else self.vector(addend)
        self.parts[key] = plus(self.emitter, self.parts[key], addend) if key in self.parts else addend

    def vector(self, number: SSAValue) -> SSAValue:
        return self.emitter.value(tensor.FromElementsOp(number))

    def packed(self, total: SSAValue) -> SSAValue:
        """The derivatives by all that is learned, added to `total`, range after range."""
        start = 0
        for each in self.ranges:
            for (argument, offset, size), adjoint in self.parts.items():
                first, end = max(offset, each.offset), min(offset + size, each.offset + each.size)
                if argument == each.argument and first < end:
                    place = start + first - each.offset
                    addend = words(self.emitter, adjoint, first - offset, end - first)
                    before = words(self.emitter, total, place, end - first)
                    total = store_words(self.emitter, total, place, self.added(before, addend))
            start += each.size
        total.name_hint = "sum"
        return total

    def added(self, before: SSAValue, addend: SSAValue) -> SSAValue:
        """The sum of two vectors; where the second one was made from f32, it is a sum of f32, which f64 hold."""
        narrow = self.narrow(addend)
        if narrow is None:
            return plus(self.emitter, before, addend)
        return with_elements(self.emitter, plus(self.emitter, with_elements(self.emitter, before, f32), narrow), f64)

    def narrow(self, value: SSAValue) -> SSAValue | None:
        """The f32 that a vector was made from, if it was."""
        match value.owner:
            case tensor.CollapseShapeOp() as op if (inner := self.narrow(op.src)) is not None:
                return flattened(self.emitter, inner)
            case GenericOp() as op if widens(op):
                return op.inputs[0]
            case _:
                return None


def widens(op: GenericOp) -> bool:
    """True if an operation makes f64 from the elements of an array of f32."""
    match list(op.body.block.ops):
        case [arith.ExtFOp(), YieldOp()]:
            return len(op.inputs) == 1 and all(each.data == AffineMap.identity(each.data.num_dims) for each in op.get_indexing_maps())
        case _:
            return False


def gradient_of(
    loss: func.FuncOp, functions: dict[str, func.FuncOp], context: Context, is_zero: Callable[[int, int, int], Condition]
) -> Derivatives:
    """`@gradient` for a function, which stays as it is; `is_zero`: the condition under which elements of an argument are zero."""
    ranges = learned_ranges(loss)
    if not ranges:
        raise LoweringError(f"differentiate: no argument of @{LOSS} is learned; mark one with the attribute `{LEARNED}`")
    if loss.function_type.outputs.data[-1] != cast(Attribute, f64):
        raise LoweringError(
            f"differentiate: the last result of @{LOSS} has type {loss.function_type.outputs.data[-1]}; it is the loss and must be f64"
        )
    straight = loss.clone()
    module = ModuleOp([straight])
    straighten(straight, functions, EffectsTable(module))
    ConvertElementwiseToLinalg().apply(context, module)
    mark_norms(straight)
    carried = read_at_start(straight)
    gradient = Gradient(straight, ranges)
    function = gradient.build()
    zeros = KnownZeros(is_zero, gradient.places)
    absent = [number for number, parts in enumerate(gradient.adjoints) if not parts]
    zero = {number: all_of(map(zeros.condition, parts)) for number, parts in enumerate(gradient.adjoints) if parts}
    return Derivatives(function, absent, zero, carried)


def overlaps(key: tuple[int, int, int], learned: LearnedRange) -> bool:
    """True if a part of an argument (argument, offset, size) has elements of a learned range."""
    argument, offset, size = key
    return argument == learned.argument and offset < learned.offset + learned.size and learned.offset < offset + size


@dataclass(frozen=True)
class Derivatives:
    """`@gradient`, and what is known of it."""

    function: func.FuncOp
    absent: Sequence[int]
    """The learned ranges on which the loss does not depend, by number."""
    zero: Mapping[int, Condition]
    """The conditions under which the derivatives by the others are zero by construction, as they are multiplied with initial values."""
    carried: Sequence[tuple[int, int]]
    """The ranges of the state of floats that the loss reads as it was before the trial."""


@dataclass(frozen=True)
class Differentiate(ModulePass):
    """Replaces `@loss` by `@gradient`, which computes its derivatives, too."""

    name = "differentiate"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = {each.sym_name.data: each for each in op.ops if isinstance(each, func.FuncOp)}
        loss = functions.get(LOSS)
        if loss is None or not learned_ranges(loss):
            return
        layout = Layout.from_module(op) if "cog.layout" in op.attributes else None
        made = gradient_of(loss, functions, ctx, zero_initials(layout))
        if layout is not None:
            note_learning(layout, made)
            layout.write_to(op)
        op.body.block.insert_op_before(made.function, loss)
        op.body.block.erase_op(loss)


def zero_initials(layout: Layout | None) -> Callable[[int, int, int], Condition]:
    """Says of elements of the parameters under which condition they are zero: if they are initial values, if these are."""
    initial = [slot for slot in (layout.in_buffer("pf") if layout is not None else ()) if is_initial(slot)]

    def is_zero(argument: int, offset: int, size: int) -> Condition:
        if argument != 0:
            return NEVER
        parts: list[Part] = []
        for slot in initial:
            first, last = max(offset, slot.offset), min(offset + size, slot.offset + slot.size)
            if first < last:
                parts.append((slot.path, first - slot.offset, last - first))
        return frozenset({frozenset(parts)}) if sum(count for *_, count in parts) == size else NEVER

    return is_zero


def is_initial(slot: Slot) -> bool:
    """True for initial values of ports and states."""
    return slot.path.rpartition("/")[2].startswith("initial:")


def note_learning(layout: Layout, made: Derivatives) -> None:
    """Says in the layout what is not learned, why and when, and what a trial reads of the trial before; refuses what was named in vain."""
    layout.unlearned = [(layout.learned[number], "the loss does not depend on it") for number in made.absent]
    layout.zeros = [
        ZeroGradient(layout.learned[number], tuple(sorted(tuple(sorted(each)) for each in condition)))
        for number, condition in made.zero.items()
        if condition
    ]
    for path, reason in layout.unlearned:
        if path in layout.named:
            raise LoweringError(named_in_vain(path, reason, "name other weights, or other losses"))
    layout.carried = [slot.path for slot in layout.in_buffer("sf") if any(meets(part, slot) for part in made.carried)]


def meets(part: tuple[int, int], slot: Slot) -> bool:
    """True if a part of a buffer, (offset, size), has words of a slot."""
    offset, size = part
    return offset < slot.offset + slot.size and slot.offset < offset + size
