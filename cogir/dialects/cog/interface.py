"""
The interface of a model: its inputs, its outputs, and its instances inside other models.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from xdsl.dialects.builtin import (
    FlatSymbolRefAttrConstr,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
)
from xdsl.ir import Attribute, Operation
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    SymbolOpInterface,
)
from xdsl.utils.exceptions import VerifyException

from cogir.dialects.cog.attributes import (
    optional_string,
    ref,
    string,
)
from cogir.dialects.cog.lookup import find_model, is_model, symbols_of
from cogir.dialects.cog.ports import ModelNames, PlacedVerifyException, PortOwner, SymbolUser, resolve_port, show, speaking, suggestion
from cogir.dialects.cog.syntax import (
    attach,
    parse_port,
    print_port,
)
from cogir.dialects.cog.traits import Inside
from cogir.dialects.cog.verify.node import check_name

__all__ = ["InputOp", "InstanceOp", "OutputOp", "ShadowOp"]


class PortOperation(IRDLOperation):
    """Base of `cog.input` and `cog.output`, which name one port of a node."""

    node = prop_def(FlatSymbolRefAttrConstr)
    port = opt_prop_def(StringAttr)

    def __init__(self, node: str | StringAttr | SymbolRefAttr, port: str | StringAttr | None = None):
        super().__init__(properties={"node": ref(node), "port": optional_string(port)})

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        print_port(printer, self.node, self.port)
        printer.print_op_attributes(self.attributes, print_keyword=True)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        node, port = parse_port(parser)
        attributes = parser.parse_optional_attr_dict_with_keyword()
        return attach(cls(node, port), attributes)


class PortPairOperation(IRDLOperation):
    """Base of `cog.shadow` and `cog.learned`, which name two ports: a source and a target."""

    source = prop_def(FlatSymbolRefAttrConstr)
    source_port = opt_prop_def(StringAttr)
    target = prop_def(FlatSymbolRefAttrConstr)
    target_port = opt_prop_def(StringAttr)

    def __init__(
        self,
        source: str | StringAttr | SymbolRefAttr,
        target: str | StringAttr | SymbolRefAttr,
        source_port: str | StringAttr | None = None,
        target_port: str | StringAttr | None = None,
    ):
        super().__init__(
            properties={
                "source": ref(source),
                "source_port": optional_string(source_port),
                "target": ref(target),
                "target_port": optional_string(target_port),
            }
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        print_port(printer, self.source, self.source_port)
        printer.print_string(" -> ")
        print_port(printer, self.target, self.target_port)
        printer.print_op_attributes(self.attributes, print_keyword=True)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        source, source_port = parse_port(parser)
        parser.parse_punctuation("->", " and the receiving port")
        target, target_port = parse_port(parser)
        attributes = parser.parse_optional_attr_dict_with_keyword()
        return attach(cls(source, target, source_port, target_port), attributes)


@irdl_op_definition
class InputOp(PortOperation):
    """
    An input from outside, added to the port like a projection. The inputs of a trial come in the order of these.

    ```mlir
    cog.input @stimulus["in"]
    ```
    """

    name = "cog.input"

    traits = traits_def(Inside("cog.model"))

    def resolve_port(self, symbols: Mapping[str, Operation] | None = None) -> str:
        """The port meant: the one named, or the only one of the node."""
        return resolve_port(self, self.node, self.port, symbols, output=False)[0]


@irdl_op_definition
class ShadowOp(PortPairOperation, SymbolUser):
    """
    A port gets what comes from outside to another port, too. It is no further input of the trial.

    ```mlir
    cog.shadow @stimulus["in"] -> @monitor["in"]
    ```
    """

    name = "cog.shadow"

    traits = traits_def(Inside("cog.model"))

    def verify_symbol_uses(self, scope: ModelNames) -> None:
        """The source is an input of the model, of the type of the port that shadows it."""
        with speaking(self, f"shadow {show(self.source, self.source_port)} -> {show(self.target, self.target_port)}"):
            source_port, source = scope.find(self.source, self.source_port, output=False)
            target_port, target = scope.find(self.target, self.target_port, output=False)
            shadowed, shadowing = show(self.source, source_port), show(self.target, target_port)
            inputs = inputs_of(scope.model)
            taken = {(each.node, scope.find(each.node, each.port, output=False)[0]) for each in inputs}
            if (self.source, source_port) not in taken:
                raise VerifyException(f"{shadowed} is not an input of the model; name a port that has a cog.input")
            if source != target:
                raise VerifyException(f"{shadowed} has type {source}, but {shadowing} has type {target}; make them the same")


@irdl_op_definition
class OutputOp(PortOperation):
    """
    A part of a trial's result. The results of a trial come in the order of these.

    ```mlir
    cog.output @decision["time"]
    ```
    """

    name = "cog.output"

    traits = traits_def(Inside("cog.model"))

    def resolve_port(self, symbols: Mapping[str, Operation] | None = None) -> str:
        """The port meant: the one named, or the only one of the node."""
        return resolve_port(self, self.node, self.port, symbols, output=True)[0]


@irdl_op_definition
class InstanceOp(IRDLOperation, PortOwner, SymbolUser):
    """
    Another model as a node of this one, with its own clock, states and schedule; one execution is one trial of it.

    ```mlir
    cog.instance @inner of @lca
    ```
    """

    name = "cog.instance"

    sym_name = prop_def(SymbolNameConstraint())
    model = prop_def(FlatSymbolRefAttrConstr)

    traits = traits_def(Inside("cog.model"), SymbolOpInterface())

    assembly_format = "$sym_name `of` $model attr-dict"

    def __init__(self, name: str | StringAttr, model: str | SymbolRefAttr):
        super().__init__(properties={"sym_name": string(name), "model": ref(model)})

    def verify_(self) -> None:
        check_name(f"instance {show(self.sym_name)}", self.sym_name.data)

    def verify_symbol_uses(self, scope: ModelNames) -> None:
        """The model is one of the module, and does not contain the model in which the instance stands."""
        who, name = f"instance {show(self.sym_name)}", self.model.root_reference.data
        found = scope.outside.get(name)
        if found is None or not is_model(found):
            known = [each for each, held in scope.outside.items() if is_model(held)]
            raise PlacedVerifyException(self, f"{who}: there is no model {show(self.model)}{suggestion(name, known, show)}")
        outer = scope.name
        path = path_to(found, outer, scope.outside, [name])
        if path is not None:
            circle = " > ".join(map(show, [outer, *path]))
            raise PlacedVerifyException(
                self, f"{who}: model {show(outer)} would contain itself ({circle}); remove an instance of this cycle"
            )

    @property
    def resolved(self) -> Operation | None:
        """The model that this is an instance of, or None when there is none of that name."""
        return find_model(self, self.model)

    @property
    def input_ports(self) -> tuple[tuple[str, Attribute], ...]:
        return ports_from_outside(self.resolved, InputOp, output=False)

    @property
    def output_ports(self) -> tuple[tuple[str, Attribute], ...]:
        return ports_from_outside(self.resolved, OutputOp, output=True)


def ports_from_outside(model: Operation | None, kind: type[InputOp | OutputOp], *, output: bool) -> tuple[tuple[str, Attribute], ...]:
    """The inputs or outputs of a model as ports of its instances: "node/port" and type."""
    symbols = symbols_of(model)
    ports: list[tuple[str, Attribute]] = []
    for op in () if model is None else model.regions[0].block.ops:
        if isinstance(op, kind):
            port, type = resolve_port(op, op.node, op.port, symbols, output=output)
            ports.append((f"{op.node.root_reference.data}/{port}", type))
    return tuple(ports)


def path_to(model: Operation, goal: str, outside: Mapping[str, Operation], path: list[str]) -> list[str] | None:
    """The names of models from `model` inwards to `goal`, or None when `goal` is not inside."""
    if path[-1] == goal:
        return path
    for op in model.regions[0].block.ops:
        if isinstance(op, InstanceOp) and (inner := op.model.root_reference.data) not in path:
            found = outside.get(inner)
            if found is not None and is_model(found) and (way := path_to(found, goal, outside, [*path, inner])):
                return way
    return None


def inputs_of(model: Operation) -> list[InputOp]:
    """The external inputs of a model, in order."""
    return [op for op in model.regions[0].block.ops if isinstance(op, InputOp)]
