"""
Tables that hold one value per lane: number by number, so that the same number of neighbouring lanes lies side by side.

```mlir
%t : tensor<16xf64>                // a number of each of 16 lanes
%t : tensor<3x16xf64>              // three numbers of each
%t : tensor<6x16xi64>              // the words of a generator's state
```
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from xdsl.builder import Builder
from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import IndexType, IntegerType, TensorType, f32, f64, i64
from xdsl.ir import Attribute, SSAValue

from cogir.dialects.rng import FromWordsOp, StateType, ToWordsOp
from cogir.irutils import element_type_of, index_constant, shape_of, size_of


@dataclass(frozen=True)
class LaneValue:
    """A value of this type, of which each lane has its own."""

    type: Attribute

    @property
    def count(self) -> int:
        """Number of elements."""
        return self.type.words if isinstance(self.type, StateType) else size_of(self.type)

    @property
    def kept_type(self) -> Attribute:
        """The type of those numbers as a table holds them: all integers are 64 bits wide there."""
        element = element_type_of(self.type)
        return element if element in (f64, f32) else i64

    @property
    def is_single(self) -> bool:
        """True if it is one number, not an array or a state."""
        return not isinstance(self.type, TensorType | StateType)

    def table_type(self, lanes: int) -> TensorType[Attribute]:
        return TensorType(self.kept_type, [lanes] if self.is_single else [self.count, lanes])

    def numbers(self, builder: Builder, value: SSAValue) -> list[SSAValue]:
        """A value as its numbers."""
        if isinstance(self.type, StateType):
            return list(builder.insert(ToWordsOp(value)).words)
        if self.is_single:
            return [widened(builder, value)]
        element = element_type_of(self.type)
        found: list[SSAValue] = []
        for position in product(*map(range, shape_of(self.type))):
            indices = [builder.insert(index_constant(index)).result for index in position]
            found.append(widened(builder, builder.insert(tensor.ExtractOp(value, indices, element)).result))
        return found

    def value(self, builder: Builder, numbers: Sequence[SSAValue]) -> SSAValue:
        """The value that consists of these numbers."""
        if isinstance(self.type, StateType):
            return builder.insert(FromWordsOp(numbers, self.type)).state
        element = element_type_of(self.type)
        narrow = [narrowed(builder, number, element) for number in numbers]
        if self.is_single:
            return narrow[0]
        return builder.insert(tensor.FromElementsOp.create(operands=narrow, result_types=[self.type])).results[0]

    def read(self, builder: Builder, table: SSAValue, lane: SSAValue) -> list[SSAValue]:
        """The numbers of one lane."""
        return [builder.insert(tensor.ExtractOp(table, place, self.kept_type)).result for place in self.places(builder, lane)]

    def write(self, builder: Builder, table: SSAValue, lane: SSAValue, numbers: Sequence[SSAValue]) -> SSAValue:
        """The table with other numbers for one lane."""
        for place, number in zip(self.places(builder, lane), numbers, strict=True):
            table = builder.insert(tensor.InsertOp(number, table, place)).result
        return table

    def places(self, builder: Builder, lane: SSAValue) -> list[list[SSAValue]]:
        if self.is_single:
            return [[lane]]
        return [[builder.insert(index_constant(number)).result, lane] for number in range(self.count)]


def widened(builder: Builder, value: SSAValue) -> SSAValue:
    """A number as a table holds it."""
    match value.type:
        case IndexType():
            return builder.insert(arith.IndexCastOp(value, i64)).result
        case IntegerType() if value.type != i64:
            return builder.insert(arith.ExtUIOp(value, i64)).result
        case _:
            return value


def narrowed(builder: Builder, number: SSAValue, element: Attribute) -> SSAValue:
    """A number from a table as what it is."""
    match element:
        case IndexType():
            return builder.insert(arith.IndexCastOp(number, element)).result
        case IntegerType() if element != i64:
            return builder.insert(arith.TruncIOp(number, element)).result
        case _:
            return number


def choose(builder: Builder, condition: SSAValue, one: Sequence[SSAValue], other: Sequence[SSAValue]) -> list[SSAValue]:
    """Of each pair of numbers the first where the condition holds, else the second."""
    return [a if a is b else builder.insert(arith.SelectOp(condition, a, b)).result for a, b in zip(one, other, strict=True)]
