"""
The inputs of blocks of trials are separate arguments, so that nobody has to write them side by side.

Before: stage `machine`, after `batch-trials`: `@gradients` takes the inputs of a block as one matrix, with a trial in each row, and reads
        ranges of its columns.
After:  each of these ranges is an argument, whose attribute says which columns it has:

```mlir
func.func @gradients(%pf, %pi, %in: tensor<256x794xf64>, ...) {
  %x = tensor.extract_slice %in[0, 0] [256, 784] [1, 1]
  %y = tensor.extract_slice %in[0, 784] [256, 10] [1, 1]
// becomes
func.func @gradients(%pf, %pi, %x: tensor<256x784xf64> {cog.columns = array<i64: 0, 784>},
                     %y: tensor<256x10xf64> {cog.columns = array<i64: 784, 794>}, ...) {
```

`learn` then reads the arrays of its caller where they are. A matrix of which ranges overlap, or one has two types, or which is read
otherwise, stays one.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import func, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, DenseArrayBase, DictionaryAttr, ModuleOp, i64
from xdsl.ir import Block, BlockArgument
from xdsl.passes import ModulePass

from cogir import remarks
from cogir.irutils import constant_int, shape_of
from cogir.transforms.batch_trials import GRADIENTS

COLUMNS = "cog.columns"
"""The attribute of an argument that has some columns of the inputs of trials: the first one, and the one after the last."""
INPUTS = 2
"""The place of the inputs among the arguments of `@gradients`."""

Range = tuple[int, int]


def columns_of(function: func.FuncOp) -> list[Range]:
    """The columns that the arguments of a function for inputs have, in their order; none if all inputs are one argument."""
    attributes = () if function.arg_attrs is None else function.arg_attrs.data
    held = (cast("DenseArrayBase[Any]", each.data[COLUMNS]).get_values() for each in attributes if COLUMNS in each.data)
    return [(int(begin), int(end)) for begin, end in held]


def inputs_of(function: func.FuncOp) -> int:
    """The number of arguments that a function has for inputs."""
    return max(1, len(columns_of(function)))


def range_of(op: tensor.ExtractSliceOp, rows: int) -> Range | None:
    """The columns that a slice has of all rows; None for another slice."""
    offsets, sizes, strides = (tuple(each.get_values()) for each in (op.static_offsets, op.static_sizes, op.static_strides))
    held = iter(op.offsets)
    row, column = (constant_int(next(held)) if each == DYNAMIC_INDEX else each for each in offsets)
    if column is None or (row, sizes[0], *strides) != (0, rows, 1, 1) or sizes[1] == DYNAMIC_INDEX:
        return None
    return (column, column + sizes[1]) if shape_of(op.result.type) in (sizes, (rows,)) else None


def slices_of(inputs: BlockArgument) -> dict[Range, list[tensor.ExtractSliceOp]] | None:
    """The slices through which alone a matrix is read, by their ranges of columns; None if they do not make arguments."""
    rows, _ = shape_of(inputs.type)
    found: dict[Range, list[tensor.ExtractSliceOp]] = {}
    for use in inputs.uses:
        op = use.operation
        columns = range_of(op, rows) if isinstance(op, tensor.ExtractSliceOp) else None
        if columns is None:
            return None
        found.setdefault(columns, []).append(cast(tensor.ExtractSliceOp, op))
    ranges = sorted(found)
    if any(len({op.result.type for op in ops}) > 1 for ops in found.values()):
        return None
    if any(end > begin for (_, end), (begin, _) in pairwise(ranges)):
        return None
    return {each: found[each] for each in ranges}


class SplitInputs(ModulePass):
    """Makes inputs of blocks of trials, which are columns of one matrix, separate arguments."""

    name = "split-inputs"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in [each for each in op.ops if isinstance(each, func.FuncOp) and each.sym_name.data == GRADIENTS]:
            inputs = function.args[INPUTS]
            if (slices := slices_of(inputs)) and function.arg_attrs is not None:
                self.split(function, inputs, slices)
                remarks.passed(function, "the inputs of a block are {} arguments", len(slices))

    def split(self, function: func.FuncOp, inputs: BlockArgument, slices: dict[Range, list[tensor.ExtractSliceOp]]) -> None:
        """%in  ->  an argument for each range of columns"""
        body = function.body.block
        attributes = list(cast("ArrayAttr[DictionaryAttr]", function.arg_attrs).data)
        plain = attributes.pop(INPUTS)
        for place, ((begin, end), ops) in enumerate(slices.items(), INPUTS):
            made = body.insert_arg(ops[0].result.type, place)
            made.name_hint = ops[-1].result.name_hint  # of the first one: uses are kept the last first
            attributes.insert(place, DictionaryAttr({**plain.data, COLUMNS: DenseArrayBase.from_list(i64, [begin, end])}))
            for op in ops:
                op.result.replace_all_uses_with(made)
                cast(Block, op.parent).erase_op(op)
        body.erase_arg(inputs)
        function.arg_attrs = ArrayAttr(attributes)
        function.update_function_type()
