"""
Trials that do not depend on each other are computed many at a time.

Before: stage `machine`. `@trial` reads nothing that an earlier trial has left but generators and counters, and takes no way that depends on
        its input.
After:  beside `@trial` there are a function that runs ahead, trial after trial, and one that computes a block of trials, as arrays with one
        more axis:

```mlir
func.func private @trial_ahead(%pf, %pi, %in: tensor<784xf64>, %si, %r) -> (%si, %r, %noise: tensor<784xf64>)
func.func private @trials(%pf, %pi, %in: tensor<100x784xf64>, %noise: tensor<100x784xf64>, %last: index, %sf, %si)
    -> (%sf, %si, %out: tensor<100x10xf64>, %status: i64)
```

`@trial_ahead` has the draws and the counters (`analysis/independent_trials.py`), if there are some. In modules for replicates and sweeps,
the trials of a block may belong to several replicates and points: what differs between points is read by `@trial_ahead`.

A product of a vector and a matrix, which reads the matrix once per trial, becomes a product of two matrices (`tile-products`), and an
elementwise function runs over all trials. Each number is computed by the same operations in the same order as in `@trial`: no bit changes.
What a trial leaves in the state is taken from trial `%last` of the block. What comes after it is not computed: `linalg` operations that are
marked `cog.by_trial` go through the trials in their first loop, which ends with `%last`. `add-entry` lets `@run`, `@replicates` and
`@sweep` call it for blocks, and `@trial` for a few trials.

In learning there is `@gradients` instead of `@gradient`, for up to 256 trials (`learning_size`). What each trial adds to the sum of
derivatives is added trial after trial, as before; where it is an outer product, all of them are one product of matrices, whose terms are
the trials.

A trial without a product of at least 100 terms is left alone: its matrices stay in the caches from trial to trial.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, func, scf, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    TensorType,
    UnitAttr,
    f64,
    i64,
)
from xdsl.dialects.linalg.attrs import IteratorType, IteratorTypeAttr
from xdsl.dialects.linalg.ops import GenericOp, IndexOp, YieldOp
from xdsl.dialects.utils import get_dynamic_index_list, split_dynamic_index_list
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from cogir import remarks
from cogir.analysis.effects import EffectsTable
from cogir.analysis.independent_trials import (
    CARRIES,
    Ahead,
    NotIndependentError,
    TrialDependences,
    captured,
    largest_product,
    matrix_of_largest,
)
from cogir.analysis.lane_loop import words_of
from cogir.analysis.layout import Layout
from cogir.analysis.memory_plan import is_empty
from cogir.analysis.signatures import INLINE, WIDE
from cogir.analysis.trial_axis import BY_TRIAL, FEWEST, LAST
from cogir.dialects.rng import StateType
from cogir.irutils import array_of_dense, constant_int, element_type_of, index_constant, is_float, shape_of
from cogir.limits import LARGEST_LEARNING_BLOCK, LEAST_LEARNING_TERMS, LEAST_TERMS
from cogir.transforms.dce import remove_unused_functions
from cogir.transforms.fill_lanes import BEGIN
from cogir.transforms.inlining import inline
from cogir.transforms.replicate import STREAMS, is_seeded

TRIAL, TRIALS, GRADIENT, GRADIENTS = "trial", "trials", "gradient", "gradients"
AHEAD = "trial_ahead"
OBSTACLE = "cog.one_by_one"
"""The attribute of `@trial` that says why trials are computed one after the other."""
SIZE, LARGE_SIZE = 100, 200
"""The trials of a block, and of one with large matrices: multiples of the rows of a product that are in registers at the same time."""
LARGE = 100_000
"""
A matrix with more elements than this is read anew from the outer caches, and copied, in each block, which is a seventh of the time with
blocks of 100 trials.
"""
FEWEST_TRIALS = ((60_000, 4), (30_000, 8), (5_000, 16), (0, 25))
"""
The fewest trials of a block, for matrices from so many elements on. A block copies each matrix once; trials one after the other read it
once each, which is fast while it stays in the first caches.
"""
FEWEST_IN_PLACE = ((60_000, 4), (2_000, 5), (0, 25))
"""As `FEWEST_TRIALS`, where blocks of a few trials read matrices where they are."""
PARALLEL, REDUCTION = IteratorTypeAttr(IteratorType.PARALLEL), IteratorTypeAttr(IteratorType.REDUCTION)
DIFFERENT_WAYS = "the way that a trial takes depends on its input"
ELEMENTWISE = ("arith.", "math.")


@dataclass
class TrialValues:
    """What stands for the values of a trial: a value for all trials of the block, or an array with one entry per trial."""

    last: SSAValue
    """The last trial of the block that counts."""
    new: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    wide: set[SSAValue] = field(default_factory=set[SSAValue])
    """The new values that have an axis of trials, their first one."""
    carried: set[SSAValue] = field(default_factory=set[SSAValue])
    """The old values that hold the state, into which slots are written."""
    sums: set[SSAValue] = field(default_factory=set[SSAValue])
    """Those of them that are sums over trials."""
    totals: set[SSAValue] = field(default_factory=set[SSAValue])
    """The old values that are parts of sums over trials, to which something is added in each trial."""

    def is_wide(self, old: SSAValue) -> bool:
        """True if the trials of a block differ in a value."""
        return self.new.get(old, old) in self.wide

    def __getitem__(self, old: SSAValue) -> SSAValue:
        return self.new.get(old, old)

    def bind(self, old: SSAValue, new: SSAValue, wide: bool) -> None:
        """Says what stands for a value."""
        new.name_hint = old.name_hint
        self.new[old] = new
        if wide:
            self.wide.add(new)


@dataclass
class SplitTrial:
    """A trial with its draws in its own body, and the part of it that runs ahead."""

    trial: func.FuncOp
    ahead: Ahead
    left_out: set[Operation]
    """The operations of that part in which trials differ: the rest of the trial is without them."""

    @staticmethod
    def of(module: ModuleOp, varying: Sequence[str]) -> SplitTrial:
        """
        The trial of a module, whose parameters at some paths vary between the trials of a block; raises `NotIndependentError` where trials
        depend on each other.
        """
        functions = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
        trial = functions[TRIAL].clone()
        effects = EffectsTable(module)
        for op in trial.body.block.ops:
            if effects.of(op).writes:
                raise NotIndependentError("a trial records what happens inside of it")
        inline_sequential(trial, functions)
        dependences = TrialDependences(trial, words_of(trial, Layout.from_module(module), varying) if varying else {})
        ahead = dependences.ahead(functions)
        if any(is_array_without_axes(value.type) for value in ahead.values):
            raise NotIndependentError("an array without axes is drawn")
        uniform = dependences.uniform()
        return SplitTrial(trial, ahead, {op for op in ahead.ops if not uniform.issuperset(op.results)})

    def function(self) -> func.FuncOp:
        """`@trial_ahead`."""
        pf, pi, inputs, _, si, *generators = self.trial.args
        given = [pf, pi, inputs, si, *generators]
        updated = [DictionaryAttr({"cog.updates": IntegerAttr(number, i64)}) for number in range(1 + len(generators))]
        made = func.FuncOp(
            AHEAD,
            ([value.type for value in given], []),
            visibility="private",
            arg_attrs=ArrayAttr([*[DictionaryAttr({})] * 3, *updated]),
        )
        values: dict[SSAValue, SSAValue] = {}
        for old, new in zip(given, made.args, strict=True):
            new.name_hint = old.name_hint
            values[old] = new
        builder = Builder(InsertPoint.at_end(made.body.block))
        for op in self.ahead.ops:
            new_op = builder.insert(op.clone(values))
            for old, new in zip(op.results, new_op.results, strict=True):
                new.name_hint = old.name_hint
                values[old] = new
        counted = values[si]
        for word, value in self.ahead.counters.items():
            place = builder.insert(index_constant(word)).result
            counted = builder.insert(tensor.InsertOp(values[value], counted, [place])).result
        end = cast(func.ReturnOp, self.trial.body.block.last_op)
        states = [values[value] for value in end.arguments[2 : 2 + len(generators)]]
        builder.insert(func.ReturnOp(counted, *states, *(values[value] for value in self.ahead.values)))
        made.update_function_type()
        return made


def is_array_without_axes(type: Attribute) -> bool:
    """True for the type of an array with one number and no axis."""
    return isinstance(type, TensorType) and not shape_of(cast("TensorType[Any]", type))


def inline_sequential(trial: func.FuncOp, functions: Mapping[str, func.FuncOp]) -> None:
    """Puts the bodies of functions that draw, or are given a whole number of the state, into the place of their calls in a trial."""
    si = trial.args[4]

    def is_sequential(value: SSAValue) -> bool:
        return isinstance(value.type, StateType) or (isinstance(value.owner, tensor.ExtractOp) and value.owner.tensor is si)

    while calls := [op for op in trial.body.block.ops if isinstance(op, func.CallOp) and any(map(is_sequential, op.arguments))]:
        for call in calls:
            function = functions[call.callee.string_value()]
            if len(function.body.blocks) != 1:
                raise NotIndependentError(f"@{function.sym_name.data} is not known here")
            inline(call, function)


class Batching:
    """Writes functions over blocks of trials."""

    def __init__(self, module: ModuleOp, size: int):
        self.module = module
        self.size = size
        self.functions = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
        self.made: dict[tuple[str, tuple[bool, ...]], tuple[func.FuncOp, tuple[bool, ...]]] = {}

    # Types and arrays.

    def wide_type(self, type: Attribute) -> TensorType[Any]:
        """The type of the values of all trials: one more axis, the first."""
        return TensorType(element_type_of(type), (self.size, *inner_shape(type)))

    def empty(self, builder: Builder, type: Attribute) -> SSAValue:
        """An array for the values of all trials."""
        return builder.insert(tensor.EmptyOp((), self.wide_type(type))).tensor

    def widened(self, builder: Builder, values: TrialValues, old: SSAValue) -> SSAValue:
        """The values of all trials, copies of one value if they do not differ."""
        new = values[old]
        return new if new in values.wide else self.copies(builder, new)

    def copies(self, builder: Builder, value: SSAValue) -> SSAValue:
        """The same value for each trial."""
        type = self.wide_type(value.type)
        owner = value.owner
        empty = value.type
        if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, DenseIntOrFPElementsAttr) and owner.value.is_splat():
            held = array_of_dense(cast("DenseIntOrFPElementsAttr[Any]", owner.value))
            value = builder.insert(arith.ConstantOp(number_attribute(held.flat[0], type.element_type))).result
        rank = len(shape_of(type))
        is_array = isinstance(value.type, TensorType)
        body = Block(arg_types=[element_type_of(type)] * (2 if is_array else 1))
        Builder(InsertPoint.at_end(body)).insert(YieldOp(body.args[0] if is_array else value))
        maps = [AffineMap(rank, 0, tuple(AffineExpr.dimension(axis) for axis in range(1, rank)))] if is_array else []
        return self.generic(builder, [value] if is_array else [], [self.empty(builder, empty)], maps, [PARALLEL] * rank, body)[0]

    def generic(
        self,
        builder: Builder,
        inputs: Sequence[SSAValue],
        outputs: Sequence[SSAValue],
        maps: Sequence[AffineMap],
        kinds: Sequence[Attribute],
        body: Block,
    ) -> Sequence[SSAValue]:
        """A `linalg.generic` whose results are written as a whole, in order, if there are no maps for them."""
        rest = len(inputs) + len(outputs) - len(maps)
        all_maps = [AffineMapAttr(map) for map in (*maps, *[AffineMap.identity(len(kinds))] * rest)]
        made = GenericOp(inputs, outputs, Region(body), all_maps, cast(Any, list(kinds)), [output.type for output in outputs])
        made.attributes[BY_TRIAL] = UnitAttr()
        return builder.insert(made).results

    # Functions.

    def function(self, name: str, pattern: tuple[bool, ...]) -> tuple[func.FuncOp, tuple[bool, ...]]:
        """The function over blocks for a function of a trial; `pattern`: which arguments differ between trials."""
        key = (name, pattern)
        if key not in self.made:
            old = self.functions[name]
            if not old.body.blocks:
                raise NotIndependentError(f"@{name} is not known here")
            inputs = list(old.function_type.inputs)
            types: list[Attribute] = [self.wide_type(type) if wide else type for type, wide in zip(inputs, pattern, strict=True)]
            attributes = [*[DictionaryAttr({})] * len(types), DictionaryAttr({LAST: UnitAttr()})]
            types.append(IndexType())
            number = sum(1 for each, _ in self.made if each == name)
            made = func.FuncOp(
                f"{name}_of_trials{f'_{number}' if number else ''}", (types, []), visibility="private", arg_attrs=ArrayAttr(attributes)
            )
            made.attributes[INLINE] = StringAttr("never")  # copies would gain nothing, and each takes a hundredth of a second to compile
            made.attributes[WIDE] = UnitAttr()
            values = TrialValues(made.args[-1])
            values.last.name_hint = "last"
            for argument, new, wide in zip(old.args, made.args, pattern, strict=False):
                values.bind(argument, new, wide)
            builder = Builder(InsertPoint.at_end(made.body.block))
            self.block(old.body.block, values, builder)
            end = cast(func.ReturnOp, old.body.block.last_op)
            results = [values[value] for value in end.arguments]
            builder.insert(func.ReturnOp(*results))
            made.update_function_type()
            self.made[key] = (made, tuple(value in values.wide for value in results))
            self.module.body.block.add_op(made)
        return self.made[key]

    def trials(self, split: SplitTrial, fewest: int) -> func.FuncOp:
        """`@trials`, for a trial whose draws and counters run ahead; `fewest`: the trials from which on it is faster."""
        trial, ahead = split.trial, split.ahead
        pf, pi, inputs, sf, si = trial.function_type.inputs.data[:5]
        given = [self.wide_type(value.type) for value in ahead.values]
        updates = [DictionaryAttr({"cog.updates": IntegerAttr(number, i64)}) for number in range(2)]
        made = func.FuncOp(
            TRIALS,
            ([pf, pi, self.wide_type(inputs), *given, IndexType(), sf, si], []),
            visibility="private",
            arg_attrs=ArrayAttr([*[DictionaryAttr({})] * (3 + len(given)), DictionaryAttr({LAST: UnitAttr()}), *updates]),
        )
        made.attributes |= {FEWEST: IntegerAttr(fewest, i64), INLINE: StringAttr("never"), WIDE: UnitAttr()}
        old_pf, old_pi, old_in, old_sf, old_si = trial.args[:5]
        new_pf, new_pi, new_in, *tables, last, new_sf, new_si = made.args
        last.name_hint = "last"
        values = TrialValues(last)
        for old, new in ((old_pf, new_pf), (old_pi, new_pi), (old_in, new_in), (old_sf, new_sf), (old_si, new_si)):
            values.bind(old, new, old is old_in)
        for old, new in zip(ahead.values, tables, strict=True):
            values.bind(old, new, True)
        values.carried |= {old_sf, old_si}
        builder = Builder(InsertPoint.at_end(made.body.block))
        for op in trial.body.block.ops:
            if op is not trial.body.block.last_op and op not in split.left_out:
                self.operation(op, values, builder)
        end = cast(func.ReturnOp, trial.body.block.last_op)
        (sf_end, si_end), (out, status) = end.arguments[:2], end.arguments[-2:]
        if not {sf_end, si_end} <= values.carried:
            raise NotIndependentError("the state is not that of the trial before, with some values replaced")
        if values.is_wide(status) or (STREAMS in self.functions and constant_int(status) != 0):
            raise NotIndependentError("a trial may end the run")
        builder.insert(func.ReturnOp(values[sf_end], values[si_end], self.widened(builder, values, out), values[status]))
        made.update_function_type()
        return made

    def gradients(self) -> func.FuncOp:
        """`@gradients` for `@gradient`."""
        gradient = self.functions[GRADIENT]
        pf, pi, inputs, total = gradient.function_type.inputs
        plain, updates = DictionaryAttr({}), DictionaryAttr({"cog.updates": IntegerAttr(0, i64)})
        attributes = ArrayAttr([plain, plain, plain, DictionaryAttr({LAST: UnitAttr()}), updates])
        types = [pf, pi, self.wide_type(inputs), IndexType(), total]
        made = func.FuncOp(GRADIENTS, (types, []), arg_attrs=attributes)
        made.attributes |= {FEWEST: IntegerAttr(self.size, i64), INLINE: StringAttr("never"), WIDE: UnitAttr()}
        new_pf, new_pi, new_in, last, new_total = made.args
        last.name_hint = "last"
        values = TrialValues(last)
        for old, new in zip(gradient.args, (new_pf, new_pi, new_in, new_total), strict=True):
            values.bind(old, new, new is new_in)
        for held in (values.sums, values.carried, values.totals):
            held.add(gradient.args[3])
        builder = Builder(InsertPoint.at_end(made.body.block))
        self.block(gradient.body.block, values, builder)
        total_end, out, loss = cast(func.ReturnOp, gradient.body.block.last_op).arguments
        if total_end not in values.sums:
            raise NotIndependentError("the derivatives are no sum over trials")
        builder.insert(func.ReturnOp(values[total_end], *(self.widened(builder, values, value) for value in (out, loss))))
        made.update_function_type()
        return made

    # Operations.

    def block(self, block: Block, values: TrialValues, builder: Builder) -> None:
        """The operations of a block, without its end."""
        for op in block.ops:
            if op is not block.last_op:
                self.operation(op, values, builder)

    def operation(self, op: Operation, values: TrialValues, builder: Builder) -> None:
        """One operation."""
        if isinstance(op, tensor.ExtractSliceOp) and op.source in values.sums:
            self.keep(op, values, builder)
            values.totals.add(op.result)
            return
        if isinstance(op, GenericOp) and any(value in values.totals for value in op.inputs):
            if narrows(op):
                self.keep(op, values, builder)
                values.totals.add(op.results[0])
            else:
                self.add_up(op, values, builder)
            return
        for value in captured(op):
            if value in values.carried and not (isinstance(op, tensor.InsertOp | tensor.InsertSliceOp) and value is op.dest):
                raise NotIndependentError(CARRIES)
        if isinstance(op, tensor.InsertOp | tensor.InsertSliceOp) and op.dest in values.carried:
            self.write_state(op, values, builder)
        elif not any(values.is_wide(value) for value in captured(op)):
            self.keep(op, values, builder)
        elif isinstance(op, GenericOp):
            self.widen_generic(op, values, builder)
        elif isinstance(op, func.CallOp):
            pattern = tuple(values.is_wide(operand) for operand in op.arguments)
            function, results = self.function(op.callee.string_value(), pattern)
            types = list(function.function_type.outputs)
            operands = [*(values[operand] for operand in op.arguments), values.last]
            call = builder.insert(func.CallOp(function.sym_name.data, operands, types))
            for old, new, wide in zip(op.results, call.results, results, strict=True):
                values.bind(old, new, wide)
        elif isinstance(op, scf.IfOp):
            self.widen_choice(op, values, builder)
        elif type(op) in TENSOR_RULES:
            new = TENSOR_RULES[type(op)](self, op, values, builder)
            values.bind(op.results[0], new, True)
        elif op.name.startswith(ELEMENTWISE) and not op.regions and not any(isinstance(type, TensorType) for type in op.operand_types):
            self.widen_scalar(op, values, builder)
        elif op.name.startswith("scf."):
            raise NotIndependentError(DIFFERENT_WAYS)
        else:
            raise NotIndependentError(f"{op.name} on values that differ between trials")

    def keep(self, op: Operation, values: TrialValues, builder: Builder) -> None:
        """An operation whose results are the same in all trials."""
        made = builder.insert(op.clone(dict(values.new)))
        for old, new in zip(op.results, made.results, strict=True):
            values.bind(old, new, False)

    def write_state(self, op: tensor.InsertOp | tensor.InsertSliceOp, values: TrialValues, builder: Builder) -> None:
        """Writes a slot of the state, as the last trial leaves it."""
        old = op.scalar if isinstance(op, tensor.InsertOp) else op.source
        mapping = dict(values.new)
        if op.dest in values.sums and values.is_wide(old):
            raise NotIndependentError("a trial replaces what earlier ones have added up")
        if values.is_wide(old):
            mapping[old] = self.entry(builder, values, values[old], old.type)
        made = builder.insert(op.clone(mapping))
        values.bind(op.results[0], made.results[0], False)
        values.carried.add(op.results[0])
        if op.dest in values.sums:
            values.sums.add(op.results[0])

    def entry(self, builder: Builder, values: TrialValues, value: SSAValue, type: Attribute) -> SSAValue:
        """The value of the last trial."""
        shape = inner_shape(type)
        if not isinstance(type, TensorType):
            return builder.insert(tensor.ExtractOp(value, [values.last], type)).result
        offsets, sizes = [values.last, *[0] * len(shape)], [1, *shape]
        return builder.insert(tensor.ExtractSliceOp(value, offsets, sizes, [1] * len(sizes), cast("TensorType[Any]", type))).result

    def widen_scalar(self, op: Operation, values: TrialValues, builder: Builder) -> None:
        """An operation on numbers  ->  the same on the numbers of all trials"""
        inputs = list(dict.fromkeys(operand for operand in op.operands if values.is_wide(operand)))
        body = Block(arg_types=[*(value.type for value in inputs), *op.result_types])
        inside = Builder(InsertPoint.at_end(body))
        mapping = {**values.new, **dict(zip(inputs, body.args, strict=False))}
        inside.insert(YieldOp(*inside.insert(op.clone(mapping)).results))
        arrays = [values[value] for value in inputs]
        outputs = [self.empty(builder, type) for type in op.result_types]
        for old, new in zip(op.results, self.generic(builder, arrays, outputs, [], [PARALLEL], body), strict=True):
            values.bind(old, new, True)

    def widen_generic(self, op: GenericOp, values: TrialValues, builder: Builder) -> None:
        """linalg.generic  ->  linalg.generic with one more parallel loop, the first one"""
        inputs, maps, body = self.operands_of(op, values)
        results = op.body.block.args[len(op.inputs) :]
        outputs = [
            self.empty(builder, value.type) if is_empty(value) or not argument.uses else self.widened(builder, values, value)
            for value, argument in zip(op.outputs, results, strict=True)
        ]
        outer = [shifted(map.data, True) for map in op.get_indexing_maps().data[len(op.inputs) :]]
        made = self.generic(builder, inputs, outputs, [*maps, *outer], [PARALLEL, *op.iterator_types], body)
        for old, new in zip(op.results, made, strict=True):
            values.bind(old, new, True)

    def operands_of(self, op: GenericOp, values: TrialValues) -> tuple[list[SSAValue], list[AffineMap], Block]:
        """The inputs of a `linalg.generic` under one more loop, their maps, and its body."""
        rank = len(op.iterator_types) + 1
        extra = [value for value in captured(op) if value not in op.operands and values.is_wide(value)]
        scalars = [value for value in extra if not isinstance(value.type, TensorType)]
        maps = [shifted(map.data, values.is_wide(value)) for map, value in zip(op.get_indexing_maps(), op.inputs, strict=False)]
        per_trial = AffineMap(rank, 0, (AffineExpr.dimension(0),))
        block = op.body.block
        given, results = block.args[: len(op.inputs)], block.args[len(op.inputs) :]
        body = Block(arg_types=[*(value.type for value in (*given, *scalars, *results))])
        mapping = {**values.new, **dict(zip((*given, *scalars, *results), body.args, strict=True))}
        inside = Builder(InsertPoint.at_end(body))
        for inner in block.ops:
            made = inner.clone(mapping)
            inside.insert(made)
            mapping.update(zip(inner.results, made.results, strict=True))
        body_of_trials(body, values.wide)
        inputs = [*(values[value] for value in op.inputs), *(values[value] for value in scalars)]
        return inputs, [*maps, *[per_trial] * len(scalars)], body

    # Sums over trials.

    def add_up(self, op: GenericOp, values: TrialValues, builder: Builder) -> None:
        """
        total + value  ->  the total after all trials of a block, which are added one after the other

        Where the value is an outer product, the sum over trials is a product of matrices.
        """
        total, value = op.inputs if op.inputs[0] in values.totals else reversed(op.inputs)
        if value in values.totals or not values.is_wide(value) or not adds(op):
            raise NotIndependentError("a sum over trials is not one of numbers of each trial")
        reduced = self.add_terms(value, values[total], values, builder)
        values.bind(op.results[0], reduced, False)
        if total in values.sums:
            for held in (values.sums, values.carried, values.totals):
                held.add(op.results[0])

    def add_terms(self, value: SSAValue, total: SSAValue, values: TrialValues, builder: Builder) -> SSAValue:
        """A total after the values of all trials are added to it."""
        owner = value.owner
        if isinstance(owner, tensor.CollapseShapeOp):
            type = owner.src.type
            whole = tensor.ExpandShapeOp(total, [], owner.reassociation, list(shape_of(type)), cast("TensorType[Any]", type))
            inner = self.add_terms(owner.src, builder.insert(whole).result, values, builder)
            flat = tensor.CollapseShapeOp.build(
                operands=[inner], result_types=[value.type], properties={"reassociation": owner.reassociation}
            )
            return builder.insert(flat).result
        if isinstance(owner, GenericOp) and len(owner.results) == 1 and is_elementwise(owner):
            inputs, maps, body = self.operands_of(owner, values)
            outer = shifted(owner.get_indexing_maps().data[-1].data, False)
            kinds: list[Attribute] = [REDUCTION, *owner.iterator_types]
        else:
            rank = len(shape_of(value.type))
            inputs, maps = [values[value]], [AffineMap.identity(rank + 1)]
            body = Block(arg_types=[element_type_of(value.type)] * 2)
            Builder(InsertPoint.at_end(body)).insert(YieldOp(body.args[0]))
            outer = shifted(AffineMap.identity(rank), False)
            kinds = [REDUCTION, *[PARALLEL] * rank]
        end = cast(YieldOp, body.last_op)
        inside = Builder(InsertPoint.before(end))
        end.operands = [inside.insert(arith.AddfOp(body.args[-1], end.operands[0])).result]
        return self.generic(builder, inputs, [total], [*maps, outer], kinds, body)[0]

    def widen_choice(self, op: scf.IfOp, values: TrialValues, builder: Builder) -> None:
        """scf.if whose condition is the same in all trials"""
        if values.is_wide(op.cond):
            raise NotIndependentError(DIFFERENT_WAYS)
        regions: list[Region] = []
        for region in op.regions:
            block = Block()
            inside = Builder(InsertPoint.at_end(block))
            self.block(region.block, values, inside)
            ends = cast(Operation, region.block.last_op).operands
            inside.insert(scf.YieldOp(*(self.widened(inside, values, value) for value in ends)))
            regions.append(Region(block))
        made = builder.insert(scf.IfOp(values[op.cond], [self.wide_type(type) for type in op.result_types], regions[0], regions[1]))
        for old, new in zip(op.results, made.results, strict=True):
            values.bind(old, new, True)


def number_attribute(value: Any, type: Attribute) -> FloatAttr[Any] | IntegerAttr[Any]:
    """A number as the value of a constant."""
    return FloatAttr(float(value), cast(Any, type)) if is_float(type) else IntegerAttr(int(value), cast(Any, type))


def inner_shape(type: Attribute) -> tuple[int, ...]:
    """The shape of the value of one trial."""
    return shape_of(cast("TensorType[Any]", type)) if isinstance(type, TensorType) else ()


def shifted(map: AffineMap, wide: bool) -> AffineMap:
    """The indexing map under one more loop, outside of the others; `wide`: what it indexes has one more axis, too."""
    inner = tuple(
        result.replace_dims_and_symbols([AffineExpr.dimension(number + 1) for number in range(map.num_dims)], []) for result in map.results
    )
    return AffineMap(map.num_dims + 1, 0, (AffineExpr.dimension(0), *inner) if wide else inner)


def body_of_trials(body: Block, wide: set[SSAValue]) -> None:
    """Counts loops with the one over trials, and reads arrays at the trial."""
    for inner in [inner for op in body.ops for inner in op.walk()]:
        if isinstance(inner, IndexOp):
            inner.dim = IntegerAttr(inner.dim.value.data + 1, cast("IntegerAttr[Any]", inner.dim).type)
        elif isinstance(inner, tensor.ExtractOp) and inner.tensor in wide:
            builder = Builder(InsertPoint.before(inner))
            trial = builder.insert(IndexOp(0)).result
            new = builder.insert(tensor.ExtractOp(inner.tensor, [trial, *inner.indices], inner.result.type)).result
            inner.result.replace_all_uses_with(new)
            cast(Block, inner.parent).erase_op(inner)
        elif any(operand in wide for operand in inner.operands):
            raise NotIndependentError(f"{inner.name} on arrays that differ between trials, inside of a loop over elements")


# Arrays of a trial.


def listed(op: Any, which: str, values: TrialValues) -> list[SSAValue | int]:
    """The offsets, sizes or strides of a slice, which must not differ between trials."""
    static = getattr(op, f"static_{which}").get_values()
    dynamic = [values[value] for value in getattr(op, which)]
    if any(value in values.wide for value in dynamic):
        raise NotIndependentError("which part of an array is read or written differs between trials")
    return list(get_dynamic_index_list(static, dynamic, DYNAMIC_INDEX))


def places_of(batching: Batching, op: Any, values: TrialValues) -> tuple[list[SSAValue | int], list[SSAValue | int], list[SSAValue | int]]:
    """Offsets, sizes and strides of a slice, with those of the axis of trials before them."""
    offsets, sizes, strides = (listed(op, which, values) for which in ("offsets", "sizes", "strides"))
    return [0, *offsets], [batching.size, *sizes], [1, *strides]


def widen_extract_slice(batching: Batching, op: tensor.ExtractSliceOp, values: TrialValues, builder: Builder) -> SSAValue:
    """The slice of each trial."""
    offsets, sizes, strides = places_of(batching, op, values)
    return builder.insert(tensor.ExtractSliceOp(values[op.source], offsets, sizes, strides, batching.wide_type(op.result.type))).result


def widen_insert_slice(batching: Batching, op: tensor.InsertSliceOp, values: TrialValues, builder: Builder) -> SSAValue:
    """The slice of each trial, put into the array of each trial."""
    source, target = (batching.widened(builder, values, value) for value in (op.source, op.dest))
    return insert_slice(builder, source, target, *places_of(batching, op, values))


def insert_slice(
    builder: Builder,
    source: SSAValue,
    target: SSAValue,
    offsets: Sequence[SSAValue | int],
    sizes: Sequence[SSAValue | int],
    strides: Sequence[SSAValue | int],
) -> SSAValue:
    """tensor.insert_slice"""
    numbers, dynamic = zip(*(split_dynamic_index_list(part, DYNAMIC_INDEX) for part in (offsets, sizes, strides)), strict=True)
    names = ("static_offsets", "static_sizes", "static_strides")
    properties = {name: DenseArrayBase.from_list(i64, part) for name, part in zip(names, numbers, strict=True)}
    made = tensor.InsertSliceOp.build(operands=[source, target, *dynamic], result_types=[target.type], properties=properties)
    return builder.insert(made).result


def widen_extract(batching: Batching, op: tensor.ExtractOp, values: TrialValues, builder: Builder) -> SSAValue:
    """The element of each trial."""
    indices = [values[index] for index in op.indices]
    different = [index for index in indices if index in values.wide]
    if not different:
        offsets, sizes = [0, *indices], [batching.size, *[1] * len(indices)]
        made = tensor.ExtractSliceOp(values[op.tensor], offsets, sizes, [1] * len(sizes), batching.wide_type(op.result.type))
        return builder.insert(made).result
    body = Block(arg_types=[IndexType()] * len(different) + [op.result.type])
    inside = Builder(InsertPoint.at_end(body))
    inner = dict(zip(different, body.args, strict=False))
    trial = [inside.insert(IndexOp(0)).result] if values.is_wide(op.tensor) else []
    at = [*trial, *(inner.get(index, index) for index in indices)]
    inside.insert(YieldOp(inside.insert(tensor.ExtractOp(values[op.tensor], at, op.result.type)).result))
    return batching.generic(builder, different, [batching.empty(builder, op.result.type)], [], [PARALLEL], body)[0]


def widen_insert(batching: Batching, op: tensor.InsertOp, values: TrialValues, builder: Builder) -> SSAValue:
    """The number of each trial, put into the array of each trial."""
    if any(values.is_wide(index) for index in op.indices):
        raise NotIndependentError("where a number is written differs between trials")
    source, target = (batching.widened(builder, values, value) for value in (op.scalar, op.dest))
    indices = [values[index] for index in op.indices]
    return insert_slice(builder, source, target, [0, *indices], [batching.size, *[1] * len(indices)], [1] * (1 + len(indices)))


def widen_elements(batching: Batching, op: tensor.FromElementsOp, values: TrialValues, builder: Builder) -> SSAValue:
    """The array of each trial, element by element."""
    result = batching.empty(builder, op.result.type)
    shape = shape_of(op.result.type)
    for number, element in enumerate(op.elements):
        place = [int(index) for index in np.unravel_index(number, shape)] if shape else []
        source = batching.widened(builder, values, element)
        result = insert_slice(builder, source, result, [0, *place], [batching.size, *[1] * len(place)], [1] * (1 + len(place)))
    return result


def widen_splat(batching: Batching, op: tensor.SplatOp, values: TrialValues, builder: Builder) -> SSAValue:
    """The number of each trial, in all elements of its array."""
    rank = 1 + len(shape_of(op.result.type))
    body = Block(arg_types=[op.input.type] * 2)
    Builder(InsertPoint.at_end(body)).insert(YieldOp(body.args[0]))
    maps = [AffineMap(rank, 0, (AffineExpr.dimension(0),))]
    return batching.generic(builder, [values[op.input]], [batching.empty(builder, op.result.type)], maps, [PARALLEL] * rank, body)[0]


def widen_shape(batching: Batching, op: tensor.ExpandShapeOp | tensor.CollapseShapeOp, values: TrialValues, builder: Builder) -> SSAValue:
    """The array of each trial in another shape."""
    groups = [[IntegerAttr(0, i64)], *([IntegerAttr(axis.value.data + 1, i64) for axis in group] for group in cast(Any, op.reassociation))]
    reassociation = ArrayAttr([ArrayAttr(group) for group in groups])
    type = batching.wide_type(op.result.type)
    if isinstance(op, tensor.ExpandShapeOp):
        return builder.insert(tensor.ExpandShapeOp(values[op.src], [], reassociation, list(type.get_shape()), type)).result
    made = tensor.CollapseShapeOp.build(operands=[values[op.src]], result_types=[type], properties={"reassociation": reassociation})
    return builder.insert(made).result


Rule = Callable[[Batching, Any, TrialValues, Builder], SSAValue]
TENSOR_RULES: dict[type[Operation], Rule] = {
    tensor.ExtractSliceOp: widen_extract_slice,
    tensor.InsertSliceOp: widen_insert_slice,
    tensor.ExtractOp: widen_extract,
    tensor.InsertOp: widen_insert,
    tensor.FromElementsOp: widen_elements,
    tensor.SplatOp: widen_splat,
    tensor.ExpandShapeOp: widen_shape,
    tensor.CollapseShapeOp: widen_shape,
}


def narrows(op: GenericOp) -> bool:
    """True if an operation makes f32 from the elements of an array of f64."""
    match list(op.body.block.ops):
        case [arith.TruncFOp(), YieldOp()]:
            return len(op.inputs) == 1 and all(map.data == AffineMap.identity(map.data.num_dims) for map in op.get_indexing_maps())
        case _:
            return False


def adds(op: GenericOp) -> bool:
    """True if an operation adds two arrays, number by number."""
    match list(op.body.block.ops):
        case [arith.AddfOp() as total, YieldOp() as end] if is_elementwise(op) and end.operands[0] is total.result:
            maps = [map.data for map in op.get_indexing_maps()]
            return set(total.operands) == set(op.body.block.args[:2]) and all(map == AffineMap.identity(map.num_dims) for map in maps)
        case _:
            return False


def is_elementwise(op: GenericOp) -> bool:
    """True if an operation computes each element of its result by itself."""
    return all(kind == PARALLEL for kind in op.iterator_types) and not op.body.block.args[-1].uses


def remove_unused(function: func.FuncOp, effects: EffectsTable) -> None:
    """Removes operations whose results are not used."""
    for op in reversed(list(function.body.block.ops)):
        if op.results and not any(result.uses for result in op.results) and effects.of(op).is_removable:
            cast(Block, op.parent).erase_op(op)


def block_size(functions: Sequence[func.FuncOp]) -> int:
    """The number of trials in a block."""
    return LARGE_SIZE if largest_product(functions) >= LARGE else SIZE


def blocks_or_obstacle(module: ModuleOp) -> tuple[int, str]:
    """
    The number of trials in a block for a module of stage `machine`, and why trials are computed one after the other, which is empty if they
    are not. Adds to the module.
    """
    functions = [each for each in module.ops if isinstance(each, func.FuncOp)]
    size = block_size(functions)
    if largest_product(functions) < LEAST_TERMS:
        return size, f"no matrix of a trial has {LEAST_TERMS:,} elements"
    try:
        Batching(module, size).trials(SplitTrial.of(module, ()), 1)
    except NotIndependentError as reason:
        return size, str(reason)
    return size, ""


def call_what_is_shared(module: ModuleOp, names: Collection[str]) -> None:
    """
    Keeps functions that are called in several places from being copied to each of them: a call is short beside what trials in blocks
    compute, and copies take long to compile, as above.
    """
    calls = Counter(op.callee.string_value() for op in module.walk() if isinstance(op, func.CallOp))
    for op in module.ops:
        if isinstance(op, func.FuncOp) and (name := op.sym_name.data) in names and calls[name] > 1:
            op.attributes.setdefault(INLINE, StringAttr("never"))


@dataclass(frozen=True)
class BatchTrials(ModulePass):
    """Computes trials that do not depend on each other many at a time."""

    name = "batch-trials"

    size: int = 0
    """The number of trials in a block; 0: as the sizes of matrices say."""
    learning_size: int = LARGEST_LEARNING_BLOCK
    """The number of trials in a block while a model learns."""
    varying: tuple[str, ...] = ()
    """The paths of the parameters that vary between the points of a sweep."""
    in_place: int = 0
    """The fewest columns of matrices of f64 that blocks of a few trials read where they are (`tile-products`); 0: they never do."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = [each for each in op.ops if isinstance(each, func.FuncOp)]
        named = {function.sym_name.data: function for function in functions}
        if named.keys() & {BEGIN, TRIALS, GRADIENTS}:
            return
        least = LEAST_LEARNING_TERMS if GRADIENT in named else LEAST_TERMS
        if largest_product(functions) < least:
            for function in (named[name] for name in (TRIAL, GRADIENT) if name in named):
                remarks.missed(function, "trials are computed one after the other: no product in them has {:,} terms", least)
            return
        if GRADIENT in named:
            batching = Batching(op, self.learning_size)
            if self.write(batching, named[GRADIENT], lambda: [batching.gradients()]):
                op.body.block.erase_op(named[GRADIENT])
                remove_unused_functions(op)
        elif TRIAL in named and not (STREAMS in named and is_seeded(named[STREAMS])):
            batching = Batching(op, self.size or block_size(functions))
            rows, columns, element = matrix_of_largest(functions)
            table = FEWEST_IN_PLACE if element == f64 and 0 < self.in_place <= columns else FEWEST_TRIALS
            fewest = min(next(count for least, count in table if rows * columns >= least), max(1, batching.size // 4))
            self.write(batching, named[TRIAL], lambda: self.functions(batching, fewest))

    def functions(self, batching: Batching, fewest: int) -> list[func.FuncOp]:
        """The functions beside `@trial`."""
        split = SplitTrial.of(batching.module, self.varying)
        made = batching.trials(split, fewest)
        return [split.function(), made] if split.ahead.ops else [made]

    def write(self, batching: Batching, function: func.FuncOp, make: Callable[[], list[func.FuncOp]]) -> bool:
        """Adds functions over blocks, or says why there are none; true if there are."""
        body = batching.module.body.block
        try:
            made = make()
        except NotIndependentError as reason:
            for each, _ in batching.made.values():
                body.erase_op(each)
            function.attributes[OBSTACLE] = StringAttr(str(reason))
            remarks.missed(function, "trials are computed one after the other: {}", reason)
            return False
        remarks.passed(function, "{} trials are computed at a time", batching.size)
        call_what_is_shared(batching.module, {name for name, _ in batching.made})
        body.insert_ops_after(made, function)
        effects = EffectsTable(batching.module)
        for each in (*made, *(each for each, _ in batching.made.values())):
            remove_unused(each, effects)
        return True
