"""
The step of an optimizer goes through the weights once.

Before: stage `machine`, in a module that is made for learning. `@optimize` divides the sum of the derivatives, joins the learned matrices
        to one vector, calls the optimizer, and writes parts of the vector that it gives to the parameters.
After:  the body of the optimizer stands in `@optimize`. Where only parts of what an elementwise operation gives are read, only these are
        computed, from parts of its operands; and an operation on numbers that only one other operation reads is a part of that one:

```mlir
%mean = linalg.generic ins(%sum, %trials) { x / n }              %w = tensor.extract_slice %pf[133] [3000] [1]
%joined = tensor.insert_slice %w into ...                        %s = tensor.extract_slice %sum[0] [3000] [1]
%after = linalg.generic ins(%joined, %mean) { w - rate * g }  ->  %part = linalg.generic ins(%w, %s, %trials) { w - rate * (x / n) }
%part = tensor.extract_slice %after[0] [3000] [1]
```

Each number is computed by the same operations as before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import func, tensor
from xdsl.dialects.builtin import AffineMapAttr, ModuleOp, TensorType
from xdsl.dialects.linalg.attrs import IteratorType, IteratorTypeAttr
from xdsl.dialects.linalg.ops import GenericOp, IndexOp, YieldOp
from xdsl.ir import Block, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from cogir.analysis.effects import EffectsTable
from cogir.analysis.memory_plan import is_empty
from cogir.analysis.signatures import called_functions
from cogir.irutils import element_type_of, shape_of
from cogir.transforms.dce import remove_unused
from cogir.transforms.inlining import inline

OPTIMIZE = "optimize"
ALONG = AffineMap.identity(1)
"""The indexing map of a vector."""


def is_elementwise(value: SSAValue) -> bool:
    """True for a vector each of whose elements is computed by itself, from those at its place in other vectors and from numbers."""
    op = value.owner
    if not isinstance(op, GenericOp) or len(op.results) != 1 or len(op.iterator_types) != 1:
        return False
    if op.iterator_types.data[0].data != IteratorType.PARALLEL or any(isinstance(inner, IndexOp) for inner in op.body.walk()):
        return False
    maps = [each.data for each in op.get_indexing_maps()]
    return is_empty(op.outputs[0]) and maps[-1] == ALONG and all(each == ALONG or not each.results for each in maps)


def part_of(value: SSAValue, first: int, size: int, builder: Builder) -> SSAValue:
    """So many elements of a vector; of a vector that others were joined to, the one that has them."""
    if shape_of(value.type) == (size,):
        return value
    match value.owner:
        case tensor.InsertSliceOp() as op if (place := place_of(op)) is not None:
            start, length = place
            if start <= first and first + size <= start + length:
                return part_of(op.source, first - start, size, builder)
            if first + size <= start or start + length <= first:
                return part_of(op.dest, first, size, builder)
        case tensor.ExtractSliceOp() as op if (place := place_of(op)) is not None:
            return part_of(op.source, place[0] + first, size, builder)
        case _:
            pass
    type = TensorType(element_type_of(value.type), [size])
    return builder.insert(tensor.ExtractSliceOp(value, [first], [size], [1], type)).result


def place_of(op: tensor.InsertSliceOp | tensor.ExtractSliceOp) -> tuple[int, int] | None:
    """The first element and the number of elements of a slice of a vector, if they are known and lie side by side."""
    offsets, sizes, strides = (tuple(each.get_values()) for each in (op.static_offsets, op.static_sizes, op.static_strides))
    if len(offsets) != 1 or op.offsets or op.sizes or op.strides or strides != (1,):
        return None
    return offsets[0], sizes[0]


def compute_parts(op: GenericOp) -> None:
    """An elementwise operation, of whose result only parts are read  ->  an operation for each of the parts"""
    for use in list(op.results[0].uses):
        part = cast(tensor.ExtractSliceOp, use.operation)
        first, size = cast("tuple[int, int]", place_of(part))
        builder = Builder(InsertPoint.before(part))
        maps = [each.data for each in op.get_indexing_maps()]
        inputs = [part_of(value, first, size, builder) if map == ALONG else value for value, map in zip(op.inputs, maps, strict=False)]
        made = elementwise(builder, inputs, maps, op.body.clone(), TensorType(element_type_of(op.results[0].type), [size]))
        made.name_hint = part.result.name_hint
        part.result.replace_all_uses_with(made)
        cast(Block, part.parent).erase_op(part)
    cast(Block, op.parent).erase_op(op)


def elementwise(builder: Builder, inputs: Sequence[SSAValue], maps: Sequence[AffineMap], body: Region, type: TensorType[Any]) -> SSAValue:
    """A vector that is computed element by element."""
    empty = builder.insert(tensor.EmptyOp((), type)).tensor
    kinds = [IteratorTypeAttr(IteratorType.PARALLEL)]
    return builder.insert(GenericOp(inputs, [empty], body, [AffineMapAttr(each) for each in maps], kinds, [type])).results[0]


def absorb(op: GenericOp, number: int) -> GenericOp:
    """An elementwise operation on what another one computes  ->  one operation; `number`: that of the operand."""
    producer = cast(GenericOp, op.inputs[number].owner)
    own, others = ([each.data for each in each_op.get_indexing_maps()] for each_op in (op, producer))
    inputs = [*op.inputs[:number], *op.inputs[number + 1 :], *producer.inputs]
    maps = [*own[:number], *own[number + 1 : -1], *others]
    body = Block(arg_types=[*(element_type_of(value.type) for value in inputs), element_type_of(op.results[0].type)])
    builder = Builder(InsertPoint.at_end(body))
    kept = len(op.inputs) - 1
    values: dict[SSAValue, SSAValue] = dict(zip(producer.body.block.args, body.args[kept:], strict=True))
    taken = copied(producer.body.block, builder, values)
    given = [*op.body.block.args[:number], *op.body.block.args[number + 1 : -1]]
    values = dict(zip(given, body.args, strict=False))
    values |= {op.body.block.args[number]: taken, op.body.block.args[-1]: body.args[-1]}
    builder.insert(YieldOp(copied(op.body.block, builder, values)))
    made = elementwise(Builder(InsertPoint.before(op)), inputs, maps, Region(body), cast("TensorType[Any]", op.results[0].type))
    made.name_hint = op.results[0].name_hint
    op.results[0].replace_all_uses_with(made)
    cast(Block, op.parent).erase_op(op)
    cast(Block, producer.parent).erase_op(producer)
    return cast(GenericOp, made.owner)


def copied(block: Block, builder: Builder, values: dict[SSAValue, SSAValue]) -> SSAValue:
    """Writes the operations of a body again; what it yields."""
    *ops, end = block.ops
    for inner in ops:
        builder.insert(inner.clone(values))
    return values.get(end.operands[0], end.operands[0])


def fuse(function: func.FuncOp, functions: Mapping[str, func.FuncOp]) -> None:
    """Goes through `@optimize`."""
    block = function.body.block
    while calls := [op for op in block.ops if isinstance(op, func.CallOp) and is_straight(functions.get(op.callee.string_value()))]:
        for call in calls:
            inline(call, functions[call.callee.string_value()])
    for op in reversed(list(block.ops)):
        if isinstance(op, GenericOp) and is_elementwise(op.results[0]) and is_read_in_parts(op.results[0]):
            compute_parts(op)
    for op in list(block.ops):
        if isinstance(op, GenericOp) and op.parent is block and is_elementwise(op.results[0]):
            while (number := absorbable(op)) is not None:
                op = absorb(op, number)


def is_straight(function: func.FuncOp | None) -> bool:
    """True for a function whose body is one block."""
    return function is not None and len(function.body.blocks) == 1


def is_read_in_parts(value: SSAValue) -> bool:
    """True if only parts of a vector are read."""
    uses = [use.operation for use in value.uses]
    return bool(uses) and all(isinstance(each, tensor.ExtractSliceOp) and place_of(each) is not None for each in uses)


def absorbable(op: GenericOp) -> int | None:
    """The number of an operand that is computed element by element and that nobody else reads."""
    for number, (value, map) in enumerate(zip(op.inputs, op.get_indexing_maps(), strict=False)):
        if map.data == ALONG and is_elementwise(value) and value.has_one_use():
            return number
    return None


@dataclass(frozen=True)
class FuseOptimizer(ModulePass):
    """Lets the step of an optimizer go through the weights once."""

    name = "fuse-optimizer"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = {each.sym_name.data: each for each in op.ops if isinstance(each, func.FuncOp)}
        if OPTIMIZE in functions:
            inlined = set(called_functions(functions[OPTIMIZE]))
            fuse(functions[OPTIMIZE], functions)
            remove_unused(functions[OPTIMIZE], EffectsTable(op))
            called = {name for each in functions.values() for name in called_functions(each)}
            for name in sorted(inlined - called):
                op.body.block.erase_op(functions[name])
