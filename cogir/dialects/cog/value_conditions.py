"""
Conditions and reads that look at a value of a node: a port, a state or a parameter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from xdsl.dialects.builtin import (
    DenseArrayBase,
    FlatSymbolRefAttrConstr,
    FloatAttr,
    StringAttr,
    SymbolRefAttr,
    f64,
    i64,
)
from xdsl.ir import Attribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from cogir.dialects.cog.attributes import (
    Comparator,
    ComparatorAttr,
    Place,
    PlaceAttr,
    optional_float64,
    optional_string,
    ref,
)
from cogir.dialects.cog.conditions import NodeCondition, Symbol
from cogir.dialects.cog.syntax import attach, const_text, parse_number, parse_ref, print_port

__all__ = ["ReadOp", "ThresholdOp"]


def print_place(printer: Printer, node: SymbolRefAttr, place: PlaceAttr, of: StringAttr | None) -> None:
    """Prints `@node["port"]`, `@node[state "x"]` or `@node[param "x"]`."""
    print_port(printer, node, of, "" if place.data == Place.PORT else place.data.value)


def parse_place(parser: Parser) -> tuple[SymbolRefAttr, Place, StringAttr | None]:
    """Parses `@node`, `@node["port"]`, `@node[state "x"]` or `@node[param "x"]`."""
    node = parse_ref(parser)
    if parser.parse_optional_punctuation("[") is None:
        return node, Place.PORT, None
    place = Place(parser.parse_optional_keyword_in(("port", "state", "param")) or "port")
    of = parser.parse_str_literal(' (as in @node["port"] or @node[state "x"])')
    parser.parse_punctuation("]")
    return node, place, StringAttr(of)


def parse_comparator(parser: Parser) -> Comparator:
    """Parses `<`, `<=`, `>`, `>=`, `==` or `<>`."""
    start = parser.pos
    symbol = ""
    signs: tuple[Literal["<", ">", "="], ...] = ("<", ">", "=")
    while found := next((sign for sign in signs if parser.parse_optional_punctuation(sign)), None):
        symbol += found
    try:
        return Comparator.of_symbol(symbol)
    except ValueError:
        parser.raise_error("expected a comparison: <, <=, >, >=, == or <> (not equal)", start, parser.pos)


@irdl_op_definition
class ThresholdOp(NodeCondition):
    """
    Compares a value of a node with a number. `atol` and `rtol` widen `==` and `<>` (as `numpy.isclose`); indices pick
    an element of an array.

    ```mlir
    %c = cog.threshold @decision["value"] >= 0.5
    %d = cog.threshold @decision[state "x"][0, 1] == 0.5 atol 1.0e-3
    ```
    """

    name = "cog.threshold"

    place = prop_def(PlaceAttr)
    of = opt_prop_def(StringAttr)
    indices = opt_prop_def(DenseArrayBase.constr(i64))
    comparator = prop_def(ComparatorAttr)
    value = prop_def(FloatAttr.constr(f64))
    atol = opt_prop_def(FloatAttr.constr(f64))
    rtol = opt_prop_def(FloatAttr.constr(f64))

    def __init__(
        self,
        node: Symbol,
        of: str | StringAttr | None,
        comparator: str | Comparator | ComparatorAttr,
        value: float | FloatAttr[Any],
        *,
        place: str | Place | PlaceAttr = Place.PORT,
        indices: Sequence[int] = (),
        atol: float | FloatAttr[Any] | None = None,
        rtol: float | FloatAttr[Any] | None = None,
    ):
        if isinstance(comparator, str):
            comparator = ComparatorAttr(Comparator.of_symbol(comparator))
        super().__init__(
            node,
            place=place if isinstance(place, PlaceAttr) else PlaceAttr(Place(place)),
            of=optional_string(of),
            indices=DenseArrayBase.from_list(i64, list(indices)) if indices else None,
            comparator=comparator,
            value=optional_float64(value),
            atol=optional_float64(atol),
            rtol=optional_float64(rtol),
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        print_place(printer, self.node, self.place, self.of)
        if self.indices is not None:
            printer.print_string(f"[{', '.join(map(str, self.indices.iter_values()))}]")
        printer.print_string(f" {self.comparator.data.symbol} {const_text(self.value)}")
        if self.atol is not None:
            printer.print_string(f" atol {const_text(self.atol)}")
        if self.rtol is not None:
            printer.print_string(f" rtol {const_text(self.rtol)}")
        printer.print_op_attributes(self.attributes, print_keyword=True)

    @classmethod
    def parse(cls, parser: Parser) -> ThresholdOp:
        node, place, of = parse_place(parser)
        indices = parser.parse_optional_comma_separated_list(parser.Delimiter.SQUARE, lambda: parser.parse_integer(allow_boolean=False))
        comparator = parse_comparator(parser)
        value = parse_number(parser, f64)
        atol = parse_number(parser, f64) if parser.parse_optional_keyword("atol") else None
        rtol = parse_number(parser, f64) if parser.parse_optional_keyword("rtol") else None
        attributes = parser.parse_optional_attr_dict_with_keyword()
        op = cls(node, of, comparator, value, place=place, indices=indices or (), atol=atol, rtol=rtol)
        return attach(op, attributes)


@irdl_op_definition
class ReadOp(IRDLOperation):
    """
    Reads a port, state or parameter of a node, for a predicate of one's own.

    ```mlir
    %v = cog.read @decision["value"] : f64
    %x = cog.read @decision[state "x"] : tensor<2xf64>
    ```
    """

    name = "cog.read"

    node = prop_def(FlatSymbolRefAttrConstr)
    place = prop_def(PlaceAttr)
    of = opt_prop_def(StringAttr)
    result = result_def()
    traits = traits_def(Pure())

    def __init__(
        self,
        node: Symbol,
        of: str | StringAttr | None,
        type: Attribute,
        *,
        place: str | Place | PlaceAttr = Place.PORT,
    ):
        super().__init__(
            properties={
                "node": ref(node),
                "place": place if isinstance(place, PlaceAttr) else PlaceAttr(Place(place)),
                "of": optional_string(of),
            },
            result_types=[type],
        )

    @property
    def named_nodes(self) -> tuple[SymbolRefAttr, ...]:
        """The node that is read."""
        return (self.node,)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        print_place(printer, self.node, self.place, self.of)
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)

    @classmethod
    def parse(cls, parser: Parser) -> ReadOp:
        node, place, of = parse_place(parser)
        attributes = parser.parse_optional_attr_dict_with_keyword()
        parser.parse_punctuation(":", " and the type of what is read")
        return attach(cls(node, of, parser.parse_type(), place=place), attributes)
