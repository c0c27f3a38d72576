"""
`cog.feature`: what the simulations of a controller get for an input.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from xdsl.dialects.builtin import FlatSymbolRefAttrConstr, IntegerAttr, StringAttr, SymbolRefAttr, i64
from xdsl.ir import Attribute, Operation
from xdsl.irdl import IRDLOperation, irdl_op_definition, opt_prop_def, prop_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from cogir.dialects.cog.attributes import Const, const_type, int64, optional_int64, optional_ref, optional_string
from cogir.dialects.cog.interface import inputs_of
from cogir.dialects.cog.lookup import enclosing_model, symbols_of
from cogir.dialects.cog.ports import ModelNames, count, resolve_port, show, speaking
from cogir.dialects.cog.syntax import attach, const_text, parse_const, parse_port, print_port
from cogir.dialects.cog.traits import Inside

__all__ = ["FeatureOp"]


@irdl_op_definition
class FeatureOp(IRDLOperation):
    """
    The k-th input of the simulated model is this port of the enclosing model, or another input of the trial, or a constant (default: the
    trial's own k-th input).

    ```mlir
    cog.feature 0 from @stimulus["value"]
    cog.feature 1 from input 0
    cog.feature 2 : tensor<2xf64> = dense<[1.0, 2.0]>
    ```
    """

    name = "cog.feature"

    index = prop_def(IntegerAttr.constr(i64))
    node = opt_prop_def(FlatSymbolRefAttrConstr)
    port = opt_prop_def(StringAttr)
    trial_input = opt_prop_def(IntegerAttr.constr(i64))
    constant = opt_prop_def(Attribute)

    traits = traits_def(Inside("cog.grid_search"))

    def __init__(
        self,
        index: int | IntegerAttr[Any],
        node: str | StringAttr | SymbolRefAttr | None = None,
        port: str | StringAttr | None = None,
        *,
        trial_input: int | None = None,
        constant: Const | None = None,
    ):
        super().__init__(
            properties={
                "index": int64(index),
                "node": optional_ref(node),
                "port": optional_string(port),
                "trial_input": optional_int64(trial_input),
                "constant": constant,
            }
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.index.value.data}")
        if self.node is not None:
            printer.print_string(" from ")
            print_port(printer, self.node, self.port)
        if self.trial_input is not None:
            printer.print_string(f" from input {self.trial_input.value.data}")
        if self.value is not None:
            printer.print_string(" : ")
            printer.print_attribute(const_type(self.value))
            printer.print_string(f" = {const_text(self.value)}")
        printer.print_op_attributes(self.attributes, print_keyword=True)

    @classmethod
    def parse(cls, parser: Parser) -> FeatureOp:
        index = parser.parse_integer(allow_boolean=False)
        if parser.parse_optional_punctuation(":"):
            type = parser.parse_type()
            parser.parse_punctuation("=", " and a constant")
            op = cls(index, constant=parse_const(parser, type))
        else:
            parser.parse_keyword("from", " (as in cog.feature 0 from @node)")
            if parser.parse_optional_keyword("input"):
                op = cls(index, trial_input=parser.parse_integer(allow_boolean=False))
            else:
                op = cls(index, *parse_port(parser))
        return attach(op, parser.parse_optional_attr_dict_with_keyword())

    def verify_(self) -> None:
        if sum(held is not None for held in (self.node, self.trial_input, self.constant)) != 1:
            raise VerifyException(f"feature {self.index.value.data}: give exactly one source: a port, an input or a constant")

    def verify_input(self, scope: ModelNames, simulated: Operation, inside: Mapping[str, Operation]) -> None:
        """The simulated model, whose names are `inside`, has this input, and it is of the type of what the simulations get for it."""
        inputs, index = inputs_of(simulated), self.index.value.data
        with speaking(self, f"feature {index}"):
            if not 0 <= index < len(inputs):
                raise VerifyException(f"there is no input {index}: the simulated model has {count(len(inputs), 'input')}")
            _, wanted = resolve_port(self, inputs[index].node, inputs[index].port, inside, output=False)
            if self.value is not None:
                what, given = "the constant", const_type(self.value)
            elif self.trial_input is not None:
                own, number = inputs_of(scope.model), self.trial_input.value.data
                if not 0 <= number < len(own):
                    raise VerifyException(f"there is no input {number}: a trial has {count(len(own), 'input')}")
                what, (_, given) = f"input {number}", scope.find(own[number].node, own[number].port, output=False)
            else:
                assert self.node is not None
                port, given = scope.find(self.node, self.port, output=True)
                what = show(self.node, port)
            if given != wanted:
                raise VerifyException(f"{what} is {given}, but the input is {wanted}")

    @property
    def value(self) -> Const | None:
        """The constant, if it is one."""
        return cast("Const | None", self.constant)

    def resolve_port(self, symbols: Mapping[str, Operation] | None = None) -> str:
        """The output port meant: the one named, or the only one of the node; `symbols` are the enclosing model's."""
        assert self.node is not None
        if symbols is None:
            symbols = symbols_of(enclosing_model(self))
        return resolve_port(self, self.node, self.port, symbols, output=True)[0]
