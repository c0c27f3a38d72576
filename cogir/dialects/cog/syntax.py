"""
The words of the `cog` dialect's text: numbers, constants, ports and signatures, printed and parsed.

Numbers are written as people write them (`0.5`, `-inf`, `nan`, `1.0e-05`, `true`); hexadecimal digits stand for the
bits of a floating-point number. What is printed parses back to the same bits.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import isfinite, isinf, isnan, prod
from typing import Any, TypeVar, cast

import numpy as np
from xdsl.dialects.builtin import (
    BytesAttr,
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
    f64,
    i1,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer

from cogir.dialects.cog.attributes import SCALAR_TYPES, Const, Ranges, const_type, const_value, dense, parse_interval
from cogir.dialects.rng import StateType
from cogir.irutils import array_of_dense
from cogir.ranges import Between

OperationT = TypeVar("OperationT", bound=Operation)

LAYOUT: dict[Attribute, tuple[str, str]] = {Float64Type(): ("<d", "<Q"), Float32Type(): ("<f", "<I")}
"""For `struct`: a floating-point type, and the integer of the same size."""


def float_text(value: float, type: Attribute) -> str:
    """A floating-point number as text that parses back to the same bits."""
    if isnan(value):
        as_float, as_bits = LAYOUT[type]
        (bits,) = struct.unpack(as_bits, struct.pack(as_float, value))
        return "nan" if bits == struct.unpack(as_bits, struct.pack(as_float, float("nan")))[0] else f"0x{bits:X}"
    if isinf(value):
        return "inf" if value > 0 else "-inf"
    text = str(np.float32(value)) if isinstance(type, Float32Type) else repr(float(value))
    if "." not in text:
        mantissa, *exponent = text.split("e")
        text = "e".join([mantissa + ".0", *exponent])
    return text


def number_text(value: float, type: Attribute) -> str:
    """A number of the given scalar type as text."""
    if type in LAYOUT:
        return float_text(float(value), type)
    if type == i1:
        return "true" if value else "false"
    return str(int(value))


def literal_text(values: Any, type: Attribute) -> str:
    """Numbers in nested lists as text."""
    if isinstance(values, list):
        return f"[{', '.join(literal_text(value, type) for value in cast('list[Any]', values))}]"
    return number_text(values, type)


def const_text(value: Const) -> str:
    """A constant as text, without its type."""
    if isinstance(value, FloatAttr | IntegerAttr):
        return number_text(value.value.data, const_type(value))
    array = array_of_dense(value)
    element = value.get_element_type()
    flat = array.reshape(-1)
    if flat.size and flat.tobytes() == np.full_like(flat, flat[0]).tobytes():
        return f"dense<{number_text(flat[0].item(), element)}>"
    return f"dense<{literal_text(array.tolist(), element)}>"


def parse_number(parser: Parser, type: Attribute) -> float | int:
    """Parses a number of the given scalar type."""
    start = parser.pos
    if type not in SCALAR_TYPES:
        parser.raise_error(f"a number cannot have type {type}; use f64, f32, i64 or i1", start, start)
    if type == i1:
        value = parser.parse_optional_boolean()
        if value is None:
            parser.raise_error("expected 'true' or 'false'")
        return value
    if type in LAYOUT:
        negative = parser.parse_optional_punctuation("-") is not None
        word = parser.parse_optional_keyword_in(("nan", "inf"))
        if word is not None:
            return -float(word) if negative else float(word)
        hexadecimal = parser.lexer.input.slice(parser.pos, parser.pos + 2) in ("0x", "0X")
        number = parser.parse_optional_integer(allow_boolean=False, allow_negative=False)
        if number is None:
            number = parser.parse_optional_float(allow_negative=False)
        if number is None:
            parser.raise_error("expected a number, nan or inf")
        value = bits_to_float(parser, start, int(number), type) if hexadecimal else float_of(parser, start, number)
        return -value if negative else value
    number = parser.parse_number()
    if isinstance(number, float):
        parser.raise_error(f"expected an integer, for a value of type {type}", start, parser.pos)
    if not -(2**63) <= number < 2**63:
        parser.raise_error(f"the integer {number} does not fit into {type}", start, parser.pos)
    return number


def float_of(parser: Parser, start: int, number: float) -> float:
    """A parsed number as a float."""
    try:
        value = float(number)
    except OverflowError:
        value = float("inf")
    if not isfinite(value):
        parser.raise_error("the number is too large for a float; write inf for infinity", start, parser.pos)
    return value


def bits_to_float(parser: Parser, start: int, bits: int, type: Attribute) -> float:
    """The floating-point number of the given bits."""
    as_float, as_bits = LAYOUT[type]
    try:
        return struct.unpack(as_float, struct.pack(as_bits, bits))[0]
    except struct.error:
        parser.raise_error(f"the hexadecimal number does not fit into the bits of {type}", start, parser.pos)


def parse_literal(parser: Parser, type: Attribute) -> Any:
    """Parses nested lists of numbers."""
    items = parser.parse_optional_comma_separated_list(parser.Delimiter.SQUARE, lambda: parse_literal(parser, type))
    return parse_number(parser, type) if items is None else items


def literal_shape(parser: Parser, start: int, values: Any) -> tuple[int, ...]:
    """The shape of nested lists; an error when they are ragged."""
    if not isinstance(values, list):
        return ()
    held = cast("list[Any]", values)
    shapes = {literal_shape(parser, start, value) for value in held}
    if len(shapes) > 1:
        parser.raise_error("the rows of an array must have the same length", start, parser.pos)
    return (len(held), *(shapes.pop() if shapes else ()))


def parse_const(parser: Parser, type: Attribute) -> Const:
    """Parses a constant of the given type."""
    if not isinstance(type, TensorType):
        start = parser.pos
        number = parse_number(parser, type)
        if isinstance(type, Float32Type) and isfinite(number):
            rounded = struct.unpack("<f", struct.pack("<f", number))[0] if abs(number) < 3.5e38 else float("inf")
            if not isfinite(rounded):
                parser.raise_error("the number is too large for f32; write inf for infinity", start, parser.pos)
            number = rounded
        if type in LAYOUT:
            return FloatAttr(number, cast("Float64Type", type))
        return IntegerAttr(int(number), cast("IntegerType", type))
    start = parser.pos
    tensor = cast("TensorType[Attribute]", type)
    return dense_from(parser, start, parse_dense(parser, tensor.get_element_type()), tensor)


def parse_dense(parser: Parser, element: Attribute) -> Any:
    """Parses `dense<...>`: nested lists of numbers, one number, or a string of hexadecimal digits."""
    parser.parse_keyword("dense", " (an array is written dense<...>)")
    with parser.in_angle_brackets():
        text = parser.parse_optional_str_literal()
        return parse_literal(parser, element) if text is None else text


def dense_from(parser: Parser, start: int, values: Any, type: TensorType[Attribute]) -> DenseIntOrFPElementsAttr[Any]:
    """The constant of the given type for what `parse_dense` gave."""
    shape = type.get_shape()
    if type.get_element_type() not in SCALAR_TYPES or any(extent <= 0 for extent in shape):
        parser.raise_error(
            f"a value of a model cannot have type {type}; give fixed sizes and f64, f32, i64 or i1",
            start,
            parser.pos,
        )
    if isinstance(values, str):
        return dense_of_bits(parser, start, values, type)
    found = literal_shape(parser, start, values)
    if found and found != shape:
        parser.raise_error(f"the array has shape {by(found)}, but its type {type} has shape {by(shape)}", start, parser.pos)
    return dense(values, type)


def by(shape: Sequence[int]) -> str:
    """A shape as people say it: 2x3."""
    return "x".join(map(str, shape)) or "a single number"


def dense_of_bits(parser: Parser, start: int, text: str, type: TensorType[Attribute]) -> DenseIntOrFPElementsAttr[Any]:
    """An array from its bytes in hexadecimal digits, as MLIR prints large arrays."""
    try:
        data = bytes.fromhex(text.removeprefix("0x"))
    except ValueError:
        parser.raise_error("expected hexadecimal digits", start, parser.pos)
    size = cast("Float64Type", type.get_element_type()).compile_time_size
    if len(data) != size * prod(type.get_shape()):
        parser.raise_error(f"{len(data)} bytes are not an array of type {type}", start, parser.pos)
    return DenseIntOrFPElementsAttr(cast(Any, type), BytesAttr(data))


def print_name(printer: Printer, name: StringAttr) -> None:
    """Prints ` @name`."""
    printer.print_string(" ")
    printer.print_symbol_name(name.data)


def print_port(printer: Printer, node: SymbolRefAttr, port: StringAttr | None, place: str = "") -> None:
    """Prints `@node["port"]`, or `@node[place "port"]`."""
    printer.print_symbol_name(node.root_reference.data)
    if port is not None:
        printer.print_string(f"[{place} " if place else "[")
        printer.print_string_literal(port.data)
        printer.print_string("]")


def parse_ref(parser: Parser) -> SymbolRefAttr:
    """Parses `@name`."""
    name = parser.parse_optional_symbol_name()
    if name is None:
        parser.raise_error("expected a name such as @node")
    return SymbolRefAttr(name)


def parse_port(parser: Parser) -> tuple[SymbolRefAttr, StringAttr | None]:
    """Parses `@node` or `@node["port"]`."""
    node = parse_ref(parser)
    return node, parse_optional_port(parser)


def parse_optional_port(parser: Parser) -> StringAttr | None:
    """Parses `["port"]`, if present."""
    if parser.parse_optional_punctuation("[") is None:
        return None
    port = parser.parse_str_literal(' (a port is written @node["port"])')
    parser.parse_punctuation("]")
    return StringAttr(port)


def parse_body(parser: Parser) -> Region:
    """Parses a region without arguments, which may be empty."""
    region = parser.parse_region()
    if not region.blocks:
        region.add_block(Block())
    return region


def parse_known_operand(parser: Parser) -> SSAValue:
    """Parses a value that must have been defined before."""
    operand = parser.parse_unresolved_operand("expected a value such as %value")
    values = parser.ssa_values.get(operand.operand_name)
    if values is None or operand.index >= len(values):
        parser.raise_error(f"{operand.span.text} is not defined here", operand.span)
    return values[operand.index]


def print_argument(printer: Printer, argument: BlockArgument, name: str | None) -> None:
    """Prints `%name: type`, with the name once more as a string where the value has to be called otherwise."""
    printed = printer.print_ssa_value(argument)
    if name is not None and printed != name:
        printer.print_string(" ")
        printer.print_string_literal(name)
    printer.print_string(": ")
    printer.print_attribute(argument.type)


@dataclass
class Signature:
    """The parsed head of a node or of a projection's function."""

    arguments: list[Parser.Argument] = field(default_factory=list[Parser.Argument])
    input_names: list[str] = field(default_factory=list[str])
    input_combine: list[str] = field(default_factory=list[str])
    params: list[tuple[str, Const]] = field(default_factory=list[tuple[str, Const]])
    states: list[tuple[str, Const]] = field(default_factory=list[tuple[str, Const]])
    random: list[tuple[str, StateType, SymbolRefAttr]] = field(default_factory=list[tuple[str, StateType, SymbolRefAttr]])
    param_ranges: dict[str, Between] = field(default_factory=dict[str, Between])
    state_ranges: dict[str, Between] = field(default_factory=dict[str, Between])

    def parse_argument(self, parser: Parser) -> tuple[str, Attribute]:
        """Parses `%name: type` or `%x "any name": type`."""
        argument = parser.parse_argument(expect_type=False)
        name = parser.parse_optional_str_literal()
        parser.parse_punctuation(":", " after the name")
        type = parser.parse_type()
        self.arguments.append(argument.resolve(type))
        return (argument.name.text[1:] if name is None else name), type

    def parse_input(self, parser: Parser) -> None:
        """Parses `%name: type` with an optional `product`."""
        name, _ = self.parse_argument(parser)
        self.input_names.append(name)
        self.input_combine.append(parser.parse_optional_keyword_in(("sum", "product")) or "sum")

    def parse_const(self, parser: Parser, ranges: dict[str, Between]) -> tuple[str, Const]:
        """Parses `%name: type = constant` with an optional `in` and a range, which goes into `ranges`."""
        name, type = self.parse_argument(parser)
        parser.parse_punctuation("=", " and a value")
        return name, parse_ranged(parser, name, type, ranges)

    def parse_generator(self, parser: Parser) -> None:
        """Parses `%name: !rng.state<kind> = @stream`."""
        start = parser.pos
        name, type = self.parse_argument(parser)
        if not isinstance(type, StateType):
            parser.raise_error(f"a generator has type !rng.state<...>, not {type}", start, parser.pos)
        parser.parse_punctuation("=", " and a stream")
        self.random.append((name, type, parse_ref(parser)))

    def parse_groups(self, parser: Parser, *, generators: bool) -> None:
        """Parses `params (...) states (...) random (...)`, each of which may be left out."""
        if parser.parse_optional_keyword("params"):
            self.params = comma_list(parser, lambda: self.parse_const(parser, self.param_ranges))
        if parser.parse_optional_keyword("states"):
            self.states = comma_list(parser, lambda: self.parse_const(parser, self.state_ranges))
        if generators and parser.parse_optional_keyword("random"):
            comma_list(parser, lambda: self.parse_generator(parser))


def comma_list(parser: Parser, parse: Callable[[], Any]) -> list[Any]:
    """Parses `(a, b, ...)`."""
    return parser.parse_comma_separated_list(parser.Delimiter.PAREN, parse)


def ref_list(parser: Parser, parse: Callable[[], Any]) -> list[Any]:
    """Parses `[a, b, ...]`."""
    return parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parse)


def parse_ranged(parser: Parser, name: str, type: Attribute, ranges: dict[str, Between]) -> Const:
    """Parses a constant with an optional `in` and a range, which goes into `ranges`; a constant outside of it is an error there."""
    start = parser.pos
    value = parse_const(parser, type)
    if parser.parse_optional_keyword("in"):
        end = parser.pos
        ranges[name] = parse_interval(parser)
        if not ranges[name].holds(const_value(value)):
            parser.raise_error(out_of_range(name, value, ranges[name]), start, end)
    return value


def print_range(printer: Printer, ranges: Ranges, name: str) -> None:
    """Prints ` in [0.0, inf]` where there is a range of that name."""
    if name in ranges:
        printer.print_string(f" in {ranges[name].interval}")


def out_of_range(name: str, value: Const, allowed: Between) -> str:
    """The part of a message which says that a constant lies outside of its range."""
    return f'"{name}" is {const_text(value)}; {allowed.demand(const_value(value))}'


def print_consts(
    printer: Printer, keyword: str, named: Sequence[tuple[str, Const]], arguments: Sequence[BlockArgument], ranges: Ranges
) -> None:
    """Prints `keyword (%name: type = constant in range, ...)` on a line of its own."""
    printer.print_string(f"\n    {keyword} (")
    for index, ((name, value), argument) in enumerate(zip(named, arguments, strict=True)):
        printer.print_string(", " if index else "")
        print_argument(printer, argument, name)
        printer.print_string(f" = {const_text(value)}")
        print_range(printer, ranges, name)
    printer.print_string(")")


def print_generators(printer: Printer, random: Sequence[tuple[str, StateType, SymbolRefAttr]], arguments: Sequence[BlockArgument]) -> None:
    """Prints `random (%name: !rng.state<kind> = @stream)` on a line of its own."""
    printer.print_string("\n    random (")
    for index, ((name, _, stream), argument) in enumerate(zip(random, arguments, strict=True)):
        printer.print_string(", " if index else "")
        print_argument(printer, argument, name)
        printer.print_string(" = ")
        printer.print_symbol_name(stream.root_reference.data)
    printer.print_string(")")


def print_output(printer: Printer, name: str, initial: Const, labels: Sequence[str] = (), unit: str | None = None) -> None:
    """Prints `name: type = constant labels [...] unit "..."`, without the parts that are not there."""
    printer.print_identifier_or_string_literal(name)
    printer.print_string(": ")
    printer.print_attribute(const_type(initial))
    printer.print_string(f" = {const_text(initial)}")
    if labels:
        printer.print_string(" labels [")
        printer.print_list(labels, printer.print_string_literal)
        printer.print_string("]")
    if unit is not None:
        printer.print_string(" unit ")
        printer.print_string_literal(unit)


def parse_output(parser: Parser) -> tuple[str, Const]:
    """Parses `name: type = constant`."""
    name, type = parse_typed_name(parser)
    return name, parse_const(parser, type)


def parse_noted_output(parser: Parser, labels: dict[str, list[str]], units: dict[str, str]) -> tuple[str, Const]:
    """Parses `name: type = constant` with optional labels and an optional unit, which go into `labels` and `units`."""
    name, initial = parse_output(parser)
    if parser.parse_optional_keyword("labels"):
        labels[name] = ref_list(parser, lambda: parser.parse_str_literal(' (a label is written "left")'))
    if parser.parse_optional_keyword("unit"):
        units[name] = parser.parse_str_literal(' (a unit is written "s")')
    return name, initial


def parse_typed_name(parser: Parser) -> tuple[str, Attribute]:
    """Parses `name: type =`."""
    name = parser.parse_identifier_or_str_literal(" for an output port")
    parser.parse_punctuation(":", " after the name")
    type = parser.parse_type()
    parser.parse_punctuation("=", " and the value before the first execution")
    return name, type


def matrix_text(matrix: DenseIntOrFPElementsAttr[Any]) -> str:
    """A matrix with its type. Its numbers are written as f64, because the type is only known after them."""
    array = array_of_dense(matrix).astype(np.float64)
    return f"{const_text(dense(array))} : {matrix.type}"


def parse_matrix(parser: Parser) -> DenseIntOrFPElementsAttr[Any]:
    """Parses `dense<...> : type`, a matrix of f64 or f32."""
    start = parser.pos
    values = parse_dense(parser, f64)
    parser.parse_punctuation(":", " and the type of the matrix")
    type_start = parser.pos
    type = parser.parse_type()
    if not isinstance(type, TensorType) or cast("TensorType[Attribute]", type).get_element_type() not in LAYOUT:
        parser.raise_error(f"a matrix has a type such as tensor<2x3xf64>, not {type}", type_start, parser.pos)
    return dense_from(parser, start, values, cast("TensorType[Attribute]", type))


def attach(op: OperationT, attributes: DictionaryAttr | None) -> OperationT:
    """Gives the attributes of a parsed dictionary to an operation."""
    if attributes is not None:
        op.attributes |= attributes.data
    return op


def print_function(printer: Printer, body: Region) -> None:
    """Prints the body of a node or of a projection's function, whose arguments have been printed before."""
    printer.print_string(" ")
    printer.print_region(body, print_entry_block_args=False, print_empty_block=False)
