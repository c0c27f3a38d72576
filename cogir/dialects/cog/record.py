"""
What is recorded inside of trials: a value after each execution of a node, or which nodes each time step has executed.
"""

from __future__ import annotations

from xdsl.dialects.builtin import FlatSymbolRefAttrConstr, IntegerAttr, StringAttr, SymbolRefAttr, i64
from xdsl.irdl import IRDLOperation, irdl_op_definition, opt_prop_def, prop_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from cogir.dialects.cog.attributes import optional_string, ref
from cogir.dialects.cog.node import NodeOp
from cogir.dialects.cog.ports import ModelNames, SymbolUser, show, speaking, suggestion
from cogir.dialects.cog.syntax import attach, parse_port, print_port
from cogir.dialects.cog.traits import Inside

__all__ = ["RecordOp"]

OF_NODES = ("state", "param")
"""The kinds of values of a node that are recorded beside its ports; the words stand before the name."""
SCHEDULE = "schedule"


@irdl_op_definition
class RecordOp(IRDLOperation, SymbolUser):
    """
    A value is recorded after the first execution of its node in a trial and every so many executions from there on: a port or a state as
    the execution left it, a parameter as the execution used it. Each repetition within execute-until-finished is an execution. Of the
    schedule it is recorded which nodes each time step has executed. The simulations of controllers are not recorded.

    ```mlir
    cog.record @decision["value"]
    cog.record @decision state "x" every 10
    cog.record @decision param "rate"
    cog.record schedule
    ```
    """

    name = "cog.record"

    node = opt_prop_def(FlatSymbolRefAttrConstr)
    port = opt_prop_def(StringAttr)
    kind = opt_prop_def(StringAttr)
    held = opt_prop_def(StringAttr)
    every = prop_def(IntegerAttr)

    traits = traits_def(Inside("cog.model"))

    def __init__(
        self,
        node: str | SymbolRefAttr | None,
        port: str | StringAttr | None = None,
        *,
        state: str | StringAttr | None = None,
        param: str | StringAttr | None = None,
        every: int = 1,
    ):
        """A port, a state or a parameter of a node; without a node the schedule."""
        super().__init__(
            properties={
                "node": None if node is None else ref(node),
                "port": optional_string(port),
                "kind": None if state is None and param is None else StringAttr("state" if param is None else "param"),
                "held": optional_string(param if state is None else state),
                "every": IntegerAttr(every, i64),
            }
        )

    @property
    def title(self) -> str:
        """The recorded value, for messages."""
        if self.node is None:
            return SCHEDULE
        if self.kind is None or self.held is None:
            return show(self.node, self.port)
        return f'{show(self.node)} {self.kind.data} "{self.held.data}"'

    def verify_(self) -> None:
        count = self.every.value.data
        if self.every.type != i64 or count < 1:
            raise VerifyException(f"record of {self.title}: every {count} is given; give a whole number of executions, 1 or more")
        if (self.kind is None) != (self.held is None) or (self.kind is not None and self.kind.data not in OF_NODES):
            raise VerifyException('record: a state or a parameter is named as in `@node state "x"` or `@node param "rate"`')
        if self.port is not None and self.kind is not None:
            raise VerifyException(f"record of {self.title}: a port and a {self.kind.data} are named; name one of them")
        if self.node is None and (self.port is not None or self.kind is not None):
            raise VerifyException("record: a value is named, but no node; name its node")

    def verify_symbol_uses(self, scope: ModelNames) -> None:
        """The node is one of the model, and has what is recorded."""
        if self.node is None:
            return
        with speaking(self, f"record of {self.title}"):
            owner = scope.symbols.get(self.node.root_reference.data)
            if owner is not None and not isinstance(owner, NodeOp):
                raise VerifyException(
                    f"{show(self.node)} is a {owner.name}; name a node (what happens in an instance is recorded by its own model)"
                )
            if self.kind is None or self.held is None or owner is None:
                scope.find(self.node, self.port, output=True)
                return
            known = [name for name, _ in (owner.states if self.kind.data == "state" else owner.params)]
            if self.held.data not in known:
                what = "state" if self.kind.data == "state" else "parameter"
                raise VerifyException(f'{show(self.node)} has no {what} "{self.held.data}"{suggestion(self.held.data, known)}')

    def quantity(self, scope: ModelNames) -> tuple[str, str, str]:
        """The node, the kind and the full name of what is recorded."""
        if self.node is None:
            return "", SCHEDULE, ""
        node = self.node.root_reference.data
        if self.kind is not None and self.held is not None:
            return node, self.kind.data, self.held.data
        return node, "port", scope.find(self.node, self.port, output=True)[0]

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        if self.node is None:
            printer.print_string(SCHEDULE)
        else:
            print_port(printer, self.node, self.port)
        if self.kind is not None and self.held is not None:
            printer.print_string(f" {self.kind.data} ")
            printer.print_string_literal(self.held.data)
        if self.every.value.data != 1:
            printer.print_string(f" every {self.every.value.data}")
        printer.print_op_attributes(self.attributes, print_keyword=True)

    @classmethod
    def parse(cls, parser: Parser) -> RecordOp:
        node: SymbolRefAttr | None = None
        port: StringAttr | None = None
        kind: str | None = None
        held: str | None = None
        if parser.parse_optional_keyword(SCHEDULE) is None:
            node, port = parse_port(parser)
            if port is None and (kind := parser.parse_optional_keyword_in(OF_NODES)) is not None:
                held = parser.parse_str_literal()
        every = 1
        if parser.parse_optional_keyword("every") is not None:
            every = parser.parse_integer(allow_boolean=False)
        attributes = parser.parse_optional_attr_dict_with_keyword()
        given = {} if kind is None else {kind: held}
        return attach(cls(node, port, every=every, **given), attributes)
