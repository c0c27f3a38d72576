"""
What is known of values while a program is walked: numbers, arrays of them, states of generators.

A `Number` stands for one number of the program as it runs: two places that hold the same object hold the same number. So `x - x` is zero,
and what a condition says about a number is known of all places that hold it. One that stands for many numbers, such as all elements of a
large array, is marked; reading one of them makes a new object.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, TypeAlias, cast

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, Float32Type, Float64Type, IndexType, IntegerType, TensorType
from xdsl.ir import Attribute, Operation

from cogir.analysis.ranges.floats import ANYTHING, FloatRange, exactly
from cogir.analysis.ranges.forms import AffineForm
from cogir.analysis.ranges.integers import IntRange, full
from cogir.irutils import array_of_dense, element_type_of, shape_of

MOST_CELLS = 1 << 16
"""An array of more elements has one range for all."""

Range: TypeAlias = "FloatRange | IntRange"


class Number:
    """A number: its range, and perhaps its form, and the operation that computed it from other numbers."""

    __slots__ = ("form", "many", "origin", "range", "tangent")

    def __init__(
        self,
        range: Range,
        form: AffineForm | None = None,
        origin: tuple[Operation, tuple[Number, ...]] | None = None,
        many: bool = False,
    ):
        self.range = range
        self.form = form
        self.origin = origin
        self.many = many
        """True if the object stands for many numbers of this range."""
        self.tangent: Any = None
        """The derivatives that a walk by dual numbers knows; copies take it along."""

    def __repr__(self) -> str:
        return f"Number({self.range})"

    @property
    def floats(self) -> FloatRange:
        """The range of a float."""
        return cast(FloatRange, self.range)

    @property
    def integers(self) -> IntRange:
        """The range of an integer."""
        return cast(IntRange, self.range)


class Token:
    """A state of a generator, or another value of which nothing is known."""

    __slots__ = ()


class Elements:
    """An array: a number for each element in row-major order, or one for all."""

    __slots__ = ("cells", "every", "shape")

    def __init__(self, shape: tuple[int, ...], cells: tuple[Number, ...] | None, every: Number | None = None):
        self.shape = shape
        self.cells = cells
        self.every = every

    @classmethod
    def filled(cls, shape: tuple[int, ...], range: Range) -> Elements:
        """An array whose elements all lie in one range."""
        number = Number(range, many=True)
        size = prod(shape)
        return cls(shape, (number,) * size) if size <= MOST_CELLS else cls(shape, None, number)

    def __repr__(self) -> str:
        return f"Elements({self.shape}, {self.cells or self.every})"

    @property
    def size(self) -> int:
        """The number of elements."""
        return prod(self.shape)

    def reshaped(self, shape: tuple[int, ...]) -> Elements:
        """The same elements in another shape."""
        return Elements(shape, self.cells, self.every)

    def numbers(self) -> tuple[Number, ...]:
        """The objects that stand for the elements, each at least once."""
        return self.cells if self.cells is not None else (cast(Number, self.every),)

    def range(self) -> Range:
        """The range of all elements together."""
        return joined_range(each.range for each in distinct(self.numbers()))


Value: TypeAlias = "Number | Elements | Token"
State: TypeAlias = "list[Value]"


def distinct(numbers: Sequence[Number]) -> list[Number]:
    """Each object once, in order."""
    return list(dict.fromkeys(numbers))


def joined_range(ranges: Any) -> Range:
    """The range of a value that lies in one of some ranges; there is at least one."""
    found: Any = None
    for each in ranges:
        found = each if found is None or found is each else found | each
    return found


def one_of(number: Number) -> Number:
    """The number itself, or a new object for one of many."""
    return Number(number.range) if number.many else number


def anything_of(element: Attribute) -> Range | None:
    """All numbers of a type; None for what is no number."""
    if isinstance(element, Float64Type | Float32Type):
        return ANYTHING
    if isinstance(element, IntegerType | IndexType):
        return full(cast(Attribute, element))
    return None


def unknown(type: Attribute) -> Value:
    """Any value of a type."""
    element = anything_of(element_type_of(type))
    if element is None:
        return Token()
    return Elements.filled(shape_of(cast(Attribute, type)), element) if isinstance(type, TensorType) else Number(element)


def constant_range(value: Any) -> Range:
    """The range of one number, or truth value, as the interpreter has it."""
    return exactly(value) if isinstance(value, float) else IntRange(int(value), int(value))


def of_dense(attribute: DenseIntOrFPElementsAttr) -> Elements:
    """The elements of a constant array."""
    array = array_of_dense(cast("DenseIntOrFPElementsAttr[Any]", attribute))
    shape = tuple(array.shape)
    if array.size > MOST_CELLS:
        ranges = joined_range(constant_range(each.item()) for each in array.reshape(-1))
        return Elements(shape, None, Number(ranges, many=True))
    known: dict[bytes, Number] = {}
    cells: list[Number] = []
    for each in array.reshape(-1):
        key = each.tobytes()
        if key not in known:
            known[key] = Number(constant_range(each.item()))
        cells.append(known[key])
    return Elements(shape, tuple(cells))


def combined(one: Value, other: Value, numbers: Callable[[Number, Number], Number]) -> Value:
    """Two values of a type, number by number."""
    if one is other:
        return one
    if isinstance(one, Number):
        return numbers(one, cast(Number, other))
    if isinstance(one, Elements):
        second = cast(Elements, other)
        if one.cells is None or second.cells is None:
            every = numbers(Number(one.range(), many=True), Number(second.range(), many=True))
            return Elements(one.shape, None, Number(every.range, many=True))
        made: dict[tuple[Number, Number], Number] = {}
        cells: list[Number] = []
        for pair in zip(one.cells, second.cells, strict=True):
            a, b = pair
            if a is b:
                cells.append(a)
                continue
            if (found := made.get(pair)) is None:
                found = numbers(a, b)
                if a.many or b.many:
                    found = Number(found.range, many=True)
                made[pair] = found
            cells.append(found)
        return Elements(one.shape, tuple(cells))
    return Token()


def either(a: Number, b: Number) -> Number:
    """One of two numbers."""
    return a if a is b else Number(joined_range((a.range, b.range)))


def joined(one: Value, other: Value) -> Value:
    """One of two values."""
    return combined(one, other, either)


def mapped(value: Value, function: Callable[[Number], Number]) -> Value:
    """A value with other numbers; an object that stands at several places is changed once."""
    if isinstance(value, Number):
        return function(value)
    if isinstance(value, Elements):
        if value.cells is None:
            return Elements(value.shape, None, Number(function(cast(Number, value.every)).range, many=True))
        made: dict[Number, Number] = {}
        changed = False
        cells: list[Number] = []
        for each in value.cells:
            found = made.get(each)
            if found is None:
                found = function(each)
                if each.many and not found.many:
                    found = Number(found.range, many=True)
                made[each] = found
            changed = changed or found is not each
            cells.append(found)
        return Elements(value.shape, tuple(cells)) if changed else value
    return value


def range_of_value(value: Value) -> Range | None:
    """The range of a number, or of all elements of an array; None for what is no number."""
    if isinstance(value, Number):
        return value.range
    if isinstance(value, Elements):
        return value.range() if value.size else None
    return None


def covers(one: Value, other: Value) -> bool:
    """True if all values of the other are values of this one."""
    if one is other:
        return True
    if isinstance(one, Number):
        return one.range.covers(cast(Any, cast(Number, other).range))
    if isinstance(one, Elements):
        second = cast(Elements, other)
        if one.cells is None or second.cells is None:
            return one.range().covers(cast(Any, second.range()))
        pairs = dict.fromkeys(zip(one.cells, second.cells, strict=True))
        return all(a is b or a.range.covers(cast(Any, b.range)) for a, b in pairs)
    return True
