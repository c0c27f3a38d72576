"""
`cog.estimates`: the value of a point of a grid as the mean of several simulations, which differ in one signal.
"""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import FloatAttr, IntegerAttr, StringAttr, SymbolNameConstraint, UnitAttr, f64, i64
from xdsl.irdl import IRDLOperation, irdl_op_definition, opt_prop_def, prop_def, traits_def
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
    the first estimate; before the first search, `initial`. With `renewed` the numbers are other ones in each search: as many are used up as
    if each simulation had taken new ones.

    ```mlir
    cog.estimates @seed 3 from 35 step 5 below 16777215 initial 3.0 renewed
    ```
    """

    name = "cog.estimates"

    sym_name = prop_def(SymbolNameConstraint())
    number = prop_def(IntegerAttr.constr(i64))
    first = prop_def(IntegerAttr.constr(i64))
    step = prop_def(IntegerAttr.constr(i64))
    below = prop_def(IntegerAttr.constr(i64))
    initial = prop_def(FloatAttr.constr(f64))
    renewed = opt_prop_def(UnitAttr)

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
        renewed: bool = False,
    ):
        super().__init__(
            properties={
                "sym_name": string(name),
                "number": int64(number),
                "first": int64(first),
                "step": int64(step),
                "below": int64(below),
                "initial": float64(initial),
                "renewed": UnitAttr() if renewed else None,
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
        printer.print_string(" renewed" if self.renewed is not None else "")
        printer.print_op_attributes(self.attributes, print_keyword=True)

    @classmethod
    def parse(cls, parser: Parser) -> EstimatesOp:
        def whole(keyword: str, otherwise: int) -> int:
            return parser.parse_integer(allow_boolean=False) if parser.parse_optional_keyword(keyword) else otherwise

        name = parser.parse_symbol_name()
        number = parser.parse_integer(allow_boolean=False, context_msg=" (as in cog.estimates @seed 3)")
        first, step, below = whole("from", 0), whole("step", 1), whole("below", LARGEST)
        initial = parse_number(parser, f64) if parser.parse_optional_keyword("initial") else 0.0
        renewed = parser.parse_optional_keyword("renewed") is not None
        op = cls(name, number, first=first, step=step, below=below, initial=initial, renewed=renewed)
        return attach(op, parser.parse_optional_attr_dict_with_keyword())

    def verify_(self) -> None:
        who = f"estimates {show(self.sym_name)}"
        check_name(who, self.sym_name.data)
        for what, held, least in (("the number of estimates", self.number, 1), ("step", self.step, 1), ("from", self.first, 0)):
            if held.value.data < least:
                raise VerifyException(f"{who}: {what} is {held.value.data}; it must be at least {least}")
        if not self.first.value.data < self.below.value.data <= LARGEST:
            raise VerifyException(
                f"{who}: below is {self.below.value.data}; it must be more than from, {self.first.value.data}, and at most {LARGEST}"
            )

    @property
    def count(self) -> int:
        """The number of simulations of a point."""
        return self.number.value.data

    @property
    def following(self) -> int:
        """The number that comes after those of the first search, if its simulations took no others."""
        return (self.first.value.data + self.count * self.step.value.data) % self.below.value.data

    def levels(self, first: int) -> list[float]:
        """The values of the estimates of a search that begins with this number."""
        return [float((first + index * self.step.value.data) % self.below.value.data) for index in range(self.count)]

    def skipped(self, points: int) -> tuple[int, int]:
        """Two steps from the `next` of a search of so many points: to the first number of the next search, and to its `next`."""
        used = points * self.count
        size = self.count * self.step.value.data
        return (used - 1) * size, used * size
