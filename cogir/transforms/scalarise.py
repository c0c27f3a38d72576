"""
Takes small arrays inside a loop apart into their numbers, so that what does not change in the loop can leave it number by number.

```mlir
%v = linalg.generic ins(%x, %drift : tensor<1xf64>, tensor<1xf64>) { %a * %rate * %dt + %b }     // before
%0 = arith.mulf %drift0, %rate                                                                   // after
%1 = arith.mulf %0, %dt                                                                          // ... which is the same in each iteration
%2 = arith.addf %x0, %1
```

The operations on each number are the same, in the same order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import cast

from xdsl.builder import Builder
from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import TensorType
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from cogir.irutils import constant_int, element_type_of, index_constant, iteration_extents, replace_by, row_major_strides, shape_of, size_of

SMALL = 16
"""Arrays of more numbers, and operations with more steps, stay as they are."""


def scalarise(block: Block) -> None:
    """Takes the small arrays of a block apart; those in the regions of its operations stay as they are."""
    Scalariser().visit(block)


class Scalariser:
    """Knows of arrays which numbers they consist of, row by row."""

    def __init__(self) -> None:
        self.numbers: dict[SSAValue, Sequence[SSAValue]] = {}

    def visit(self, block: Block) -> None:
        for op in list(block.ops):
            builder = Builder(InsertPoint.before(op))
            match op:
                case tensor.FromElementsOp():
                    self.numbers[op.result] = list(op.elements)
                case tensor.ExtractOp():
                    self.extract(op)
                case tensor.InsertOp() if size_of(op.dest.type) <= SMALL:
                    self.insert(builder, op)
                case LinalgStructuredOperation() if self.is_small(op):
                    self.unroll(builder, op)
                case Operation() if is_elementwise(op):
                    self.spread(builder, op)
                case _:
                    pass
        for op in reversed(list(block.ops)):
            if isinstance(op, tensor.FromElementsOp | tensor.EmptyOp | tensor.ExtractOp) and not op.results[0].uses:
                block.erase_op(op)

    def is_small(self, op: LinalgStructuredOperation) -> bool:
        types = [value.type for value in (*op.operands, *op.results)]
        if not op.results or any(size_of(type) > SMALL for type in types) or not isinstance(op, linalg.GenericOp):
            return False
        steps = 1
        for extent in iteration_extents(op):
            steps *= extent
        return steps <= SMALL and not any(inner.regions for inner in op.body.block.ops)

    def elements(self, builder: Builder, value: SSAValue) -> Sequence[SSAValue]:
        """The numbers of an array, read here if they are not known; a number is its own."""
        type: Attribute = value.type
        if not isinstance(type, TensorType):
            return [value]
        if value in self.numbers:
            return self.numbers[value]
        shape, element = shape_of(value.type), element_type_of(value.type)
        found: list[SSAValue] = []
        for position in product(*map(range, shape)):
            indices = [builder.insert(index_constant(index)).result for index in position]
            found.append(builder.insert(tensor.ExtractOp(value, indices, element)).result)
        self.numbers[value] = found
        return found

    def extract(self, op: tensor.ExtractOp) -> None:
        """An element of a known array at a known place is that number."""
        known = self.numbers.get(op.tensor)
        place = place_of(op.tensor, op.indices)
        if known is not None and place is not None:
            op.result.replace_all_uses_with(known[place])

    def insert(self, builder: Builder, op: tensor.InsertOp) -> None:
        """An array with another number at a known place."""
        place = place_of(op.dest, op.indices)
        if place is not None:
            numbers = [*self.elements(builder, op.dest)]
            numbers[place] = op.scalar
            self.replace(builder, op, [numbers])

    def unroll(self, builder: Builder, op: LinalgStructuredOperation) -> None:
        """Each step of the operation's loops, one after the other."""
        maps = [attr.data for attr in op.get_indexing_maps()]
        body = cast(linalg.GenericOp, op).body.block
        read = [bool(argument.uses) for argument in body.args]
        held = [list(self.elements(builder, value)) if used else [] for value, used in zip(op.operands, read, strict=True)]
        first = len(op.inputs)
        written: list[list[SSAValue | None]] = [[None] * size_of(value.type) for value in op.outputs]
        for position in product(*map(range, iteration_extents(op))):
            places: list[int] = []
            for value, map_ in zip(op.operands, maps, strict=True):
                strides = row_major_strides(shape_of(value.type))
                places.append(sum(index * stride for index, stride in zip(map_.eval(list(position), []), strides, strict=True)))
            values: dict[SSAValue, SSAValue] = {}
            for number, argument in enumerate(body.args):
                if read[number]:
                    kept = written[number - first][places[number]] if number >= first else None
                    values[argument] = kept if kept is not None else held[number][places[number]]
            for number, result in enumerate(step(builder, body, position, values)):
                written[number][places[first + number]] = result
        results = [
            numbers if None not in numbers else [new or old for new, old in zip(numbers, self.elements(builder, output), strict=True)]
            for numbers, output in zip(written, op.outputs, strict=True)
        ]
        self.replace(builder, op, cast("list[list[SSAValue]]", results))

    def spread(self, builder: Builder, op: Operation) -> None:
        """One operation for each number."""
        type = element_type_of(op.results[0].type)
        operands = zip(*(self.elements(builder, operand) for operand in op.operands), strict=True)
        made = [op.create(operands=each, result_types=[type], properties=op.properties, attributes=op.attributes) for each in operands]
        self.replace(builder, op, [[builder.insert(each).results[0] for each in made]])

    def replace(self, builder: Builder, op: Operation, results: Sequence[Sequence[SSAValue]]) -> None:
        """Arrays of these numbers take the place of an operation's results."""
        made: list[SSAValue] = []
        for result, numbers in zip(op.results, results, strict=True):
            new = builder.insert(tensor.FromElementsOp.create(operands=numbers, result_types=[result.type])).results[0]
            self.numbers[new] = numbers
            made.append(new)
        replace_by(op, made)


def place_of(array: SSAValue, indices: Sequence[SSAValue]) -> int | None:
    """The row-major position of constant indices in an array; None if they are not known, or out of bounds."""
    known = [constant_int(index) for index in indices]
    shape = shape_of(array.type)
    places = [place for place, extent in zip(known, shape, strict=True) if place is not None and 0 <= place < extent]
    if len(places) != len(shape):
        return None
    return sum(place * stride for place, stride in zip(places, row_major_strides(shape), strict=True))


def step(builder: Builder, body: Block, position: Sequence[int], values: Mapping[SSAValue, SSAValue]) -> list[SSAValue]:
    """One step of a structured operation; what it yields."""
    inside = dict(values)
    for op in body.ops:
        match op:
            case linalg.YieldOp():
                return [inside.get(value, value) for value in op.operands]
            case linalg.IndexOp():
                inside[op.result] = builder.insert(index_constant(position[op.dim.value.data])).result
            case _:
                builder.insert(op.clone(inside))
    raise AssertionError("a structured operation ends in linalg.yield")


def is_elementwise(op: Operation) -> bool:
    """True if an operation does one thing to each number of small arrays of one shape."""
    if isinstance(op, arith.ConstantOp) or not op.name.startswith(("arith.", "math.")):
        return False
    types: list[Attribute] = [value.type for value in (*op.operands, *op.results)]
    are_arrays = all(isinstance(type, TensorType) for type in types)
    return are_arrays and len({shape_of(type) for type in types}) == 1 and size_of(types[0]) <= SMALL
