"""
The attributes of the `cog` dialect: small enumerations, and constants of a value's type.

A *constant* (`Const`) is a number or an array of numbers: a default, an initial value, a matrix. Its type is the type
of the value it stands for: f64, f32, i64, i1, or a tensor of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf, prod
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, cast

import numpy as np
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    Float32Type,
    Float64Type,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    f32,
    f64,
    i1,
    i64,
)
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, Data, SpacedOpaqueSyntaxAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from cogir.irutils import array_of_dense, dense_of_array
from cogir.limits import LARGEST_ARRAY
from cogir.ranges import Between

__all__ = [
    "ATTRIBUTES",
    "Comparator",
    "ComparatorAttr",
    "Const",
    "Direction",
    "DirectionAttr",
    "Keeps",
    "KeepsAttr",
    "Modulation",
    "ModulationAttr",
    "Place",
    "PlaceAttr",
    "RangeAttr",
    "Seeds",
    "SeedsAttr",
    "Ties",
    "TiesAttr",
    "TimeScale",
    "TimeScaleAttr",
    "When",
    "WhenAttr",
    "const",
    "const_type",
    "const_value",
    "dense",
    "ranges_of",
    "refs",
]

Const: TypeAlias = FloatAttr[Any] | IntegerAttr[Any] | DenseIntOrFPElementsAttr[Any]
"""A constant number or array; its type is the type of the value it stands for."""

CONST_TYPES = (FloatAttr, IntegerAttr, DenseIntOrFPElementsAttr)
SCALAR_TYPES: tuple[Attribute, ...] = (f64, f32, i64, i1)
"""The element types that models compute with."""


class TimeScale(StrEnum):
    """The spans of time that a model counts in; `trial` and `run` are graph_scheduler's environment scales."""

    TIME_STEP = "time_step"
    PASS = "pass"
    TRIAL = "trial"
    RUN = "run"
    LIFE = "life"


class Modulation(StrEnum):
    """The effect of a modulating value on the default of a parameter."""

    MULTIPLY = "multiply"
    ADD = "add"
    OVERRIDE = "override"


Comparison: TypeAlias = Literal["<", "<=", "==", "!=", ">=", ">"]
"""A comparison of two numbers, as in Python."""

Relation: TypeAlias = Comparison | Literal["every"]
"""A comparison of a count with n; `every` holds for multiples of n (0 included)."""


class Comparator(StrEnum):
    """The comparisons of `cog.threshold`; the text form is `<`, `<=`, `>`, `>=`, `==`, `<>`."""

    LT = "lt"
    LE = "le"
    GT = "gt"
    GE = "ge"
    EQ = "eq"
    NE = "ne"

    @property
    def symbol(self) -> str:
        """The comparison as written in a model."""
        return {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "<>"}[self.value]

    @property
    def relation(self) -> Comparison:
        """The comparison as written in Python."""
        relations: dict[str, Comparison] = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}
        return relations[self.value]

    @classmethod
    def of_symbol(cls, symbol: str) -> Comparator:
        """The comparison that is written `symbol`, as in a model or in Python; raises `ValueError` if there is none."""
        for comparator in cls:
            if symbol in (comparator.symbol, comparator.value):
                return comparator
        if symbol == "!=":
            return cls.NE
        raise ValueError(f"there is no comparison '{symbol}'")


def compare(left: float, relation: Relation, right: float) -> bool:
    """`left relation right`, as in Python."""
    match relation:
        case "<":
            return left < right
        case "<=":
            return left <= right
        case "==":
            return left == right
        case "!=":
            return left != right
        case ">=":
            return left >= right
        case ">":
            return left > right
        case "every":
            return left % right == 0


class Place(StrEnum):
    """The kind of value of a node that is read."""

    PORT = "port"
    STATE = "state"
    PARAM = "param"


class When(StrEnum):
    """When a controller searches, or a node that stands aside executes: before the nodes of a trial run, or after."""

    BEFORE = "before"
    AFTER = "after"


class Direction(StrEnum):
    """The goal of a controller among the net outcomes of its grid."""

    MINIMIZE = "minimize"
    MAXIMIZE = "maximize"


class Ties(StrEnum):
    """The rule that chooses among equally good points of a grid."""

    FIRST = "first"
    RANDOM = "random"


class Seeds(StrEnum):
    """The seeds of estimates: the same at all points of a grid, or different ones at each."""

    SAME = "same"
    PER_POINT = "per_point"


class Keeps(StrEnum):
    """The record that a controller keeps of its last search: the best point, or also the values of all points."""

    BEST = "best"
    VALUES = "values"


@irdl_attr_definition
class TimeScaleAttr(EnumAttribute[TimeScale], SpacedOpaqueSyntaxAttribute):
    name = "cog.time_scale"


@irdl_attr_definition
class ModulationAttr(EnumAttribute[Modulation], SpacedOpaqueSyntaxAttribute):
    name = "cog.modulation"


@irdl_attr_definition
class ComparatorAttr(EnumAttribute[Comparator], SpacedOpaqueSyntaxAttribute):
    name = "cog.comparator"


@irdl_attr_definition
class PlaceAttr(EnumAttribute[Place], SpacedOpaqueSyntaxAttribute):
    name = "cog.place"


@irdl_attr_definition
class WhenAttr(EnumAttribute[When], SpacedOpaqueSyntaxAttribute):
    name = "cog.search_when"


@irdl_attr_definition
class DirectionAttr(EnumAttribute[Direction], SpacedOpaqueSyntaxAttribute):
    name = "cog.direction"


@irdl_attr_definition
class TiesAttr(EnumAttribute[Ties], SpacedOpaqueSyntaxAttribute):
    name = "cog.ties"


@irdl_attr_definition
class SeedsAttr(EnumAttribute[Seeds], SpacedOpaqueSyntaxAttribute):
    name = "cog.seeds"


@irdl_attr_definition
class KeepsAttr(EnumAttribute[Keeps], SpacedOpaqueSyntaxAttribute):
    name = "cog.keeps"


@irdl_attr_definition
class RangeAttr(Data[Between]):
    """
    The range of a parameter or state: `#cog.range<(0.0, inf]>` holds all numbers above 0, infinity included. In the head of a node it
    stands behind the value: `%threshold: f64 = 1.0 in (0.0, inf]`.
    """

    name = "cog.range"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Between:
        with parser.in_angle_brackets():
            return parse_interval(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.data.interval)


def parse_interval(parser: AttrParser) -> Between:
    """Parses an interval, such as `[0.0, inf]` or `(0.0, 1.0)`."""
    start = parser.pos
    low_open = parse_bracket(parser, "[", "(")
    low = parse_end(parser)
    parser.parse_punctuation(",", " and the upper end of the range")
    high = parse_end(parser)
    high_open = parse_bracket(parser, "]", ")")
    try:
        return Between(low, high, low_open, high_open)
    except ValueError as error:
        parser.raise_error(str(error), start, parser.pos)


def parse_bracket(parser: AttrParser, closed: Literal["[", "]"], opened: Literal["(", ")"]) -> bool:
    """Parses the bracket at one end of a range; True if the end is open."""
    if parser.parse_optional_punctuation(opened) is not None:
        return True
    if parser.parse_optional_punctuation(closed) is None:
        parser.raise_error(f"expected '{closed}' or '{opened}' of a range, such as [0.0, inf]")
    return False


def parse_end(parser: AttrParser) -> float:
    """Parses one end of a range: a number, `inf` or `-inf`."""
    negative = parser.parse_optional_punctuation("-") is not None
    number = inf if parser.parse_optional_keyword("inf") is not None else float(parser.parse_number(allow_boolean=False))
    return -number if negative else number


Ranges: TypeAlias = "Mapping[str, Between]"
"""The ranges of those parameters or states that have one, by name."""


EMPTY: Ranges = MappingProxyType({})


def optional_ranges(ranges: Ranges) -> DictionaryAttr | None:
    """`ranges` as an attribute, or None when there are none."""
    return DictionaryAttr({name: RangeAttr(held) for name, held in ranges.items()}) if ranges else None


def ranges_of(held: DictionaryAttr | None) -> Ranges:
    """The ranges in an attribute."""
    return {} if held is None else {name: given.data for name, given in held.data.items() if isinstance(given, RangeAttr)}


def const(value: object, type: Attribute | None = None) -> Const:
    """
    The constant for a Python number, nested list or NumPy array.

    Without `type`: floats are f64, integers i64, booleans i1; lists and arrays become tensors of these. A number given
    with a tensor type fills the tensor. Constants are returned as they are.
    """
    if isinstance(value, CONST_TYPES):
        return cast(Const, value)
    array = np.asarray(value)
    if type is None:
        if array.dtype == np.float32:
            element: Attribute = f32
        else:
            element = {"b": i1, "i": i64, "u": i64}.get(array.dtype.kind, f64)
        type = TensorType(element, array.shape) if array.ndim else element
    if isinstance(type, TensorType):
        return dense(array, cast("TensorType[Attribute]", type))
    number = array.item()
    if isinstance(type, Float64Type | Float32Type):
        return FloatAttr(float(number), type)
    return IntegerAttr(int(number), cast("IntegerType", type))


def dense(values: Sequence[object] | np.ndarray[Any, Any], type: TensorType[Any] | None = None) -> DenseIntOrFPElementsAttr[Any]:
    """The constant tensor for a nested list or array, as `const`; a single number fills a tensor of given type."""
    array = np.asarray(values)
    if type is None:
        return cast("DenseIntOrFPElementsAttr[Any]", const(array))
    return dense_of_array(np.broadcast_to(array, type.get_shape()), type.get_element_type())


def const_type(value: Attribute) -> Attribute:
    """The type of the value that a constant stands for."""
    return cast(Const, value).type


def const_value(value: Attribute) -> float | int | bool | np.ndarray[Any, Any]:
    """A constant as a Python number, or as an array of its shape for a tensor."""
    if isinstance(value, FloatAttr):
        return cast("FloatAttr[Any]", value).value.data
    if isinstance(value, IntegerAttr):
        number = cast("IntegerAttr[Any]", value)
        return bool(number.value.data) if number.type == i1 else number.value.data
    return array_of_dense(cast("DenseIntOrFPElementsAttr[Any]", value))


def check_value_type(type: Attribute, what: str) -> None:
    """Raises a `VerifyException` unless `type` is f64, f32, i64, i1 or a tensor of them with a static shape."""
    element: Attribute = type
    if isinstance(type, TensorType):
        tensor = cast("TensorType[Attribute]", type)
        if any(extent <= 0 for extent in tensor.get_shape()):
            raise VerifyException(f"{what} has type {type}; give every dimension a fixed size of at least 1")
        if (size := prod(tensor.get_shape())) > LARGEST_ARRAY:
            raise VerifyException(f"{what} has type {type}, {size} elements; an array of a model has at most {LARGEST_ARRAY}")
        element = tensor.get_element_type()
    if element not in SCALAR_TYPES:
        raise VerifyException(f"{what} has type {type}; values of a model are f64, f32, i64, i1 or tensors of them")


def string(value: str | StringAttr) -> StringAttr:
    """`value` as an attribute."""
    return StringAttr(value) if isinstance(value, str) else value


def optional_string(value: str | StringAttr | None) -> StringAttr | None:
    """`value` as an attribute, or None."""
    return None if value is None else string(value)


def strings(values: Sequence[str]) -> ArrayAttr[StringAttr]:
    """Names as an attribute."""
    return ArrayAttr([StringAttr(value) for value in values])


def ref(symbol: str | StringAttr | SymbolRefAttr) -> SymbolRefAttr:
    """A reference to a symbol."""
    return symbol if isinstance(symbol, SymbolRefAttr) else SymbolRefAttr(symbol)


def optional_ref(symbol: str | StringAttr | SymbolRefAttr | None) -> SymbolRefAttr | None:
    """A reference to a symbol, or None."""
    return None if symbol is None else ref(symbol)


def refs(symbols: Sequence[str | StringAttr | SymbolRefAttr]) -> ArrayAttr[SymbolRefAttr]:
    """References to several symbols."""
    return ArrayAttr([ref(symbol) for symbol in symbols])


def int64(value: int | IntegerAttr[Any]) -> IntegerAttr[Any]:
    """`value` as an i64 attribute."""
    return IntegerAttr(value, i64) if isinstance(value, int) else value


def optional_int64(value: int | IntegerAttr[Any] | None) -> IntegerAttr[Any] | None:
    """`value` as an i64 attribute, or None."""
    return None if value is None else int64(value)


def float64(value: float | FloatAttr[Any]) -> FloatAttr[Any]:
    """`value` as an f64 attribute."""
    return value if isinstance(value, FloatAttr) else FloatAttr(float(value), f64)


def optional_float64(value: float | FloatAttr[Any] | None) -> FloatAttr[Any] | None:
    """`value` as an f64 attribute, or None."""
    return None if value is None else float64(value)


ATTRIBUTES: list[type[Attribute]] = [
    TimeScaleAttr,
    ModulationAttr,
    ComparatorAttr,
    PlaceAttr,
    WhenAttr,
    DirectionAttr,
    TiesAttr,
    SeedsAttr,
    KeepsAttr,
    RangeAttr,
]
