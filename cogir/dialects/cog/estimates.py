"""
`cog.estimates`: the value of a point of a grid as the mean of several simulations, which differ in one signal.
"""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import FloatAttr, IntegerAttr, StringAttr, SymbolNameConstraint, f64, i64
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import SymbolOpInterface
from xdsl.utils.exceptions import VerifyException

from cogir.dialects.cog.attributes import float64, int64, string
from cogir.dialects.cog.ports import show
from cogir.dialects.cog.syntax import attach, const_text, parse_number, print_name
from cogir.dialects.cog.traits import Inside
from cogir.dialects.cog.verify.node import check_name

__all__ = ["EstimatesOp"]

LARGEST = 2**53
"""Up to here f64 holds every whole number."""


@irdl_op_definition
class EstimatesOp(IRDLOperation):
    """
    The value of each point of the grid is the mean of several simulations. They differ in the value of this output port of the controller
    (f64), which usually overrides seeds: estimate i is made with `(from + i * step) mod below`. After a search the port holds the value of
    the first estimate; before the first search, `initial`. After each search `from` grows by `advance`, modulo `below` (default: 0, the
    same numbers in all searches).

    ```mlir
    cog.estimates @seed 3 from 35 step 5 below 16777215 initial 3.0 advance 15
    ```
    """

    name = "cog.estimates"

    sym_name = prop_def(SymbolNameConstraint())
    number = prop_def(IntegerAttr.constr(i64))
    first = prop_def(IntegerAttr.constr(i64))
    step = prop_def(IntegerAttr.constr(i64))
    below = prop_def(IntegerAttr.constr(i64))
    initial = prop_def(FloatAttr.constr(f64))
    advance = prop_def(IntegerAttr.constr(i64))

    traits = traits_def(Inside("cog.grid_search"), SymbolOpInterface())

    def __init__(
        self,
        name: str | StringAttr,
        number: int,
        *,
        first: int = 0,
        step: int = 1,
        below: int = LARGEST,
        initial: float | FloatAttr[Any] = 0.0,
        advance: int = 0,
    ):
        super().__init__(
            properties={
                "sym_name": string(name),
                "number": int64(number),
                "first": int64(first),
                "step": int64(step),
                "below": int64(below),
                "initial": float64(initial),
                "advance": int64(advance),
            }
        )

    def print(self, printer: Printer) -> None:
        print_name(printer, self.sym_name)
        printer.print_string(f" {self.number.value.data} from {self.first.value.data}")
        if self.step.value.data != 1:
            printer.print_string(f" step {self.step.value.data}")
        if self.below.value.data != LARGEST:
            printer.print_string(f" below {self.below.value.data}")
        printer.print_string(f" initial {const_text(self.initial)}")
        if self.advance.value.data:
            printer.print_string(f" advance {self.advance.value.data}")
        printer.print_op_attributes(self.attributes, print_keyword=True)

    @classmethod
    def parse(cls, parser: Parser) -> EstimatesOp:
        def whole(keyword: str, otherwise: int) -> int:
            return parser.parse_integer(allow_boolean=False) if parser.parse_optional_keyword(keyword) else otherwise

        name = parser.parse_symbol_name()
        number = parser.parse_integer(allow_boolean=False, context_msg=" (as in cog.estimates @seed 3)")
        first, step, below = whole("from", 0), whole("step", 1), whole("below", LARGEST)
        initial = parse_number(parser, f64) if parser.parse_optional_keyword("initial") else 0.0
        op = cls(name, number, first=first, step=step, below=below, initial=initial, advance=whole("advance", 0))
        return attach(op, parser.parse_optional_attr_dict_with_keyword())

    def verify_(self) -> None:
        who = f"estimates {show(self.sym_name)}"
        check_name(who, self.sym_name.data)
        for what, held, least in (
            ("the number of estimates", self.number, 1),
            ("step", self.step, 1),
            ("from", self.first, 0),
            ("advance", self.advance, 0),
        ):
            if held.value.data < least:
                raise VerifyException(f"{who}: {what} is {held.value.data}; it must be at least {least}")
        if not self.first.value.data < self.below.value.data <= LARGEST:
            raise VerifyException(
                f"{who}: below is {self.below.value.data}; it must be more than from, {self.first.value.data}, and at most {LARGEST}"
            )
        if self.first.value.data + (self.number.value.data - 1) * self.step.value.data >= 2**63:
            raise VerifyException(f"{who}: the last number is beyond 64 bits; give a step below below, {self.below.value.data}")
        if not self.advance.value.data < self.below.value.data:
            raise VerifyException(f"{who}: advance is {self.advance.value.data}; it must be less than below, {self.below.value.data}")

    @property
    def count(self) -> int:
        """The number of simulations of a point."""
        return self.number.value.data

    def levels(self, first: int) -> list[float]:
        """The values of the estimates of a search that begins with this number."""
        return [float((first + index * self.step.value.data) % self.below.value.data) for index in range(self.count)]
