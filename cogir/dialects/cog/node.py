"""
Nodes: functions of their inputs, parameters, states and generators.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FlatSymbolRefAttrConstr,
    IntegerAttr,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
    UnitAttr,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    base,
    irdl_op_definition,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    IsolatedFromAbove,
    IsTerminator,
    Pure,
    SymbolOpInterface,
)
from xdsl.utils.exceptions import VerifyException

from cogir.dialects.cog.attributes import (
    EMPTY,
    Const,
    Ranges,
    check_value_type,
    const_type,
    optional_int64,
    optional_ranges,
    ranges_of,
    refs,
    string,
    strings,
)
from cogir.dialects.cog.ports import ModelNames, PlacedVerifyException, PortOwner, SymbolUser, show, suggestion
from cogir.dialects.cog.syntax import (
    Signature,
    attach,
    comma_list,
    parse_known_operand,
    parse_noted_output,
    print_argument,
    print_consts,
    print_function,
    print_generators,
    print_name,
    print_output,
)
from cogir.dialects.cog.traits import Inside
from cogir.dialects.cog.verify.node import (
    check_arguments,
    check_body,
    check_consts,
    check_labels,
    check_name,
    check_names,
    check_ranges,
    check_state_type,
    check_units,
    check_yield,
)
from cogir.dialects.rng import StateType, StreamOp

__all__ = ["NodeOp", "YieldOp"]

Named = Sequence[tuple[str, Const]] | Mapping[str, Const]
"""Names with constants, in order."""

STRINGS = ArrayAttr.constr(base(StringAttr))
REFERENCES = ArrayAttr.constr(FlatSymbolRefAttrConstr)
CONSTS = base(ArrayAttr)


def pairs(named: Named) -> tuple[list[str], list[Const]]:
    """Splits names with constants into names and constants."""
    items = list(named.items() if isinstance(named, Mapping) else named)
    return [name for name, _ in items], [value for _, value in items]


def body_of(arguments: Sequence[tuple[str, Attribute]]) -> Region:
    """A region with one empty block whose arguments carry these names and types."""
    block = Block(arg_types=[type for _, type in arguments])
    for argument, (name, _) in zip(block.args, arguments, strict=True):
        if SSAValue.is_valid_name(name):
            argument.name_hint = name
    return Region(block)


@irdl_op_definition
class NodeOp(IRDLOperation, PortOwner, SymbolUser):
    """
    A node: a function of its inputs, parameters, states and generators, which yields the values of its output ports,
    the next states, the next generators and whether it has finished.

    ```mlir
    cog.node @decision (%stimulus: tensor<1xf64>) params(%rate: f64 = 1.0) states(%x: tensor<1xf64> = dense<0.0>)
        random(%r: !rng.state<mt19937> = @noise) -> (value: tensor<1xf64> = dense<0.0>) until_finished max 1000 { ... }
    cog.node @stimulus (%in: tensor<2xf64>) -> (value: tensor<2xf64> = dense<0.0> labels ["left", "right"] unit "cd") { ... }
    ```

    Labels name the elements along the last axis of an output. They and units stand in results; nothing is computed from them.
    """

    name = "cog.node"

    sym_name = prop_def(SymbolNameConstraint())
    input_names = prop_def(STRINGS)
    input_combine = prop_def(STRINGS)
    param_names = prop_def(STRINGS)
    param_defaults = prop_def(CONSTS)
    state_names = prop_def(STRINGS)
    state_initials = prop_def(CONSTS)
    param_ranges = opt_prop_def(DictionaryAttr)
    state_ranges = opt_prop_def(DictionaryAttr)
    random_names = prop_def(STRINGS)
    streams = prop_def(REFERENCES)
    output_names = prop_def(STRINGS)
    output_initials = prop_def(CONSTS)
    output_labels = opt_prop_def(DictionaryAttr)
    output_units = opt_prop_def(DictionaryAttr)
    execute_until_finished = opt_prop_def(UnitAttr)
    max_executions_before_finished = opt_prop_def(IntegerAttr.constr(i64))
    body = region_def("single_block")

    traits = traits_def(IsolatedFromAbove(), SymbolOpInterface())

    DEFAULT_MAX_EXECUTIONS: ClassVar[int] = 1000

    def __init__(
        self,
        name: str | StringAttr,
        *,
        inputs: Sequence[tuple[str, Attribute]] | Mapping[str, Attribute] = (),
        combine: Mapping[str, str] | Sequence[str] = (),
        params: Named = (),
        states: Named = (),
        param_ranges: Ranges = EMPTY,
        state_ranges: Ranges = EMPTY,
        random: Sequence[tuple[str, StateType, str | SymbolRefAttr]] = (),
        outputs: Named = (),
        labels: Mapping[str, Sequence[str]] = MappingProxyType({}),
        units: Mapping[str, str] = MappingProxyType({}),
        execute_until_finished: bool = False,
        max_executions_before_finished: int | None = None,
        body: Region | None = None,
    ):
        """
        `inputs` gives names and types; `combine` says "product" for inputs whose senders are multiplied (default: sum);
        `param_ranges` and `state_ranges` give the ranges of the parameters and states that have one;
        `random` gives name, type and `rng.stream` of each generator; `labels` and `units` are by output. Without `body` the node
        gets an empty block with the right arguments, to be filled by the caller.
        """
        inputs = list(inputs.items() if isinstance(inputs, Mapping) else inputs)
        if isinstance(combine, Mapping):
            combine = [combine.get(port, "sum") for port, _ in inputs]
        param_names, defaults = pairs(params)
        state_names, initials = pairs(states)
        output_names, output_initials = pairs(outputs)
        if body is None:
            body = body_of(
                [
                    *inputs,
                    *((name, const_type(value)) for name, value in zip(param_names, defaults, strict=True)),
                    *((name, const_type(value)) for name, value in zip(state_names, initials, strict=True)),
                    *((name, type) for name, type, _ in random),
                ]
            )
        super().__init__(
            properties={
                "sym_name": string(name),
                "input_names": strings([port for port, _ in inputs]),
                "input_combine": strings(combine or ["sum"] * len(inputs)),
                "param_names": strings(param_names),
                "param_defaults": ArrayAttr(defaults),
                "state_names": strings(state_names),
                "state_initials": ArrayAttr(initials),
                "param_ranges": optional_ranges(param_ranges),
                "state_ranges": optional_ranges(state_ranges),
                "random_names": strings([name for name, _, _ in random]),
                "streams": refs([stream for _, _, stream in random]),
                "output_names": strings(output_names),
                "output_initials": ArrayAttr(output_initials),
                "output_labels": DictionaryAttr({port: strings(held) for port, held in labels.items()}) if labels else None,
                "output_units": DictionaryAttr({port: string(unit) for port, unit in units.items()}) if units else None,
                "execute_until_finished": UnitAttr() if execute_until_finished else None,
                "max_executions_before_finished": optional_int64(max_executions_before_finished),
            },
            regions=[body],
        )

    @property
    def input_args(self) -> tuple[BlockArgument, ...]:
        """The arguments of the body that hold the inputs."""
        return self.body.block.args[: len(self.input_names)]

    @property
    def param_args(self) -> tuple[BlockArgument, ...]:
        """The arguments of the body that hold the parameters."""
        start = len(self.input_names)
        return self.body.block.args[start : start + len(self.param_names)]

    @property
    def state_args(self) -> tuple[BlockArgument, ...]:
        """The arguments of the body that hold the states."""
        start = len(self.input_names) + len(self.param_names)
        return self.body.block.args[start : start + len(self.state_names)]

    @property
    def random_args(self) -> tuple[BlockArgument, ...]:
        """The arguments of the body that hold the generators."""
        return self.body.block.args[len(self.input_names) + len(self.param_names) + len(self.state_names) :]

    @property
    def inputs(self) -> tuple[tuple[str, Attribute], ...]:
        """The input ports: names and types."""
        return tuple((name.data, arg.type) for name, arg in zip(self.input_names, self.input_args, strict=True))

    @property
    def params(self) -> tuple[tuple[str, Const], ...]:
        """The parameters: names and defaults."""
        return named_consts(self.param_names, self.param_defaults)

    @property
    def states(self) -> tuple[tuple[str, Const], ...]:
        """The states: names and initial values."""
        return named_consts(self.state_names, self.state_initials)

    @property
    def random(self) -> tuple[tuple[str, StateType, SymbolRefAttr], ...]:
        """The generators: names, types, and the `rng.stream` each starts from."""
        return tuple(
            (name.data, cast(StateType, arg.type), stream)
            for name, arg, stream in zip(self.random_names, self.random_args, self.streams, strict=True)
        )

    @property
    def outputs(self) -> tuple[tuple[str, Const], ...]:
        """The output ports: names and values before the first execution (whose types are the ports' types)."""
        return named_consts(self.output_names, self.output_initials)

    @property
    def labels(self) -> dict[str, tuple[str, ...]]:
        """The labels of the elements along the last axis of outputs, for those that have some."""
        held = () if self.output_labels is None else self.output_labels.data.items()
        return {port: tuple(label.data for label in cast("ArrayAttr[StringAttr]", labels)) for port, labels in held}

    @property
    def units(self) -> dict[str, str]:
        """The units of outputs, for those that have one."""
        held = () if self.output_units is None else self.output_units.data.items()
        return {port: cast(StringAttr, unit).data for port, unit in held}

    @property
    def input_ports(self) -> tuple[tuple[str, Attribute], ...]:
        return self.inputs

    @property
    def output_ports(self) -> tuple[tuple[str, Attribute], ...]:
        return tuple((name, const_type(value)) for name, value in self.outputs)

    @property
    def yield_op(self) -> YieldOp:
        """The terminator of the body."""
        return cast(YieldOp, self.body.block.last_op)

    @property
    def max_executions(self) -> int:
        """After how many executions an execute-until-finished node stops although it has not finished."""
        limit = self.max_executions_before_finished
        return self.DEFAULT_MAX_EXECUTIONS if limit is None else limit.value.data

    def input_type(self, port: str) -> Attribute | None:
        """The type of an input port, or None when there is no such port."""
        return dict(self.inputs).get(port)

    def output_type(self, port: str) -> Attribute | None:
        """The type of an output port, or None when there is no such port."""
        return next((const_type(value) for name, value in self.outputs if name == port), None)

    def print(self, printer: Printer) -> None:
        print_name(printer, self.sym_name)
        printer.print_string(" (")
        combine = [each.data for each in self.input_combine]
        for index, ((name, _), argument) in enumerate(zip(self.inputs, self.input_args, strict=True)):
            printer.print_string(", " if index else "")
            print_argument(printer, argument, name)
            printer.print_string(" product" if combine[index] == "product" else "")
        printer.print_string(")")
        if self.params:
            print_consts(printer, "params", self.params, self.param_args, ranges_of(self.param_ranges))
        if self.states:
            print_consts(printer, "states", self.states, self.state_args, ranges_of(self.state_ranges))
        if self.random:
            print_generators(printer, self.random, self.random_args)
        several_lines = bool(self.params or self.states or self.random)
        printer.print_string("\n    -> (" if several_lines else " -> (")
        labels, units = self.labels, self.units
        printer.print_list(self.outputs, lambda output: print_output(printer, *output, labels.get(output[0], ()), units.get(output[0])))
        printer.print_string(")")
        if self.execute_until_finished is not None:
            printer.print_string(" until_finished")
        if self.max_executions_before_finished is not None:
            printer.print_string(f" max {self.max_executions_before_finished.value.data}")
        printer.print_op_attributes(self.attributes, print_keyword=True)
        print_function(printer, self.body)

    @classmethod
    def parse(cls, parser: Parser) -> NodeOp:
        name = parser.parse_symbol_name()
        head = Signature()
        comma_list(parser, lambda: head.parse_input(parser))
        head.parse_groups(parser, generators=True)
        parser.parse_punctuation("->", " and the output ports")
        labels: dict[str, list[str]] = {}
        units: dict[str, str] = {}
        outputs: list[tuple[str, Const]] = comma_list(parser, lambda: parse_noted_output(parser, labels, units))
        until_finished = parser.parse_optional_keyword("until_finished") is not None
        limit = parser.parse_integer(allow_boolean=False) if parser.parse_optional_keyword("max") else None
        attributes = parser.parse_optional_attr_dict_with_keyword()
        body = parser.parse_region(head.arguments)
        op = cls(
            name,
            inputs=[(input_name, argument.type) for input_name, argument in zip(head.input_names, head.arguments, strict=False)],
            combine=head.input_combine,
            params=head.params,
            states=head.states,
            param_ranges=head.param_ranges,
            state_ranges=head.state_ranges,
            random=head.random,
            outputs=outputs,
            labels=labels,
            units=units,
            execute_until_finished=until_finished,
            max_executions_before_finished=limit,
            body=body,
        )
        return attach(op, attributes)

    def verify_(self) -> None:
        who = f"node {show(self.sym_name)}"
        check_name(who, self.sym_name.data)
        check_names(who, "input port", self.input_names)
        check_consts(who, "parameter", self.param_names, self.param_defaults)
        check_consts(who, "state", self.state_names, self.state_initials)
        check_ranges(who, "parameter", dict(self.params), self.param_ranges)
        check_ranges(who, "state", dict(self.states), self.state_ranges)
        check_names(who, "generator", self.random_names)
        check_consts(who, "output port", self.output_names, self.output_initials)
        check_labels(who, dict(self.output_ports), self.output_labels)
        check_units(who, dict(self.output_ports), self.output_units)
        if len(self.input_combine) != len(self.input_names) or len(self.streams) != len(self.random_names):
            raise VerifyException(f"{who}: give one entry of input_combine for each input, and one of streams for each generator")
        for combine in self.input_combine:
            if combine.data not in ("sum", "product"):
                raise VerifyException(f'{who}: inputs are combined by "{combine.data}"; write "sum" or "product"')
        block = self.body.block
        before = len(self.input_names)
        after = before + len(self.param_names) + len(self.state_names)
        if len(block.args) != after + len(self.random_names):
            expected = after + len(self.random_names)
            raise VerifyException(
                f"{who}: its body takes {len(block.args)} values, but the node declares {expected} (inputs, parameters, states, generators)"
            )
        for name, argument in zip(self.input_names, block.args[:before], strict=True):
            check_value_type(argument.type, f'{who}: input port "{name.data}"')
        held = [
            *((f'parameter "{name}"', const_type(value)) for name, value in self.params),
            *((f'state "{name}"', const_type(value)) for name, value in self.states),
        ]
        check_arguments(who, block.args[before:after], held)
        for name, argument in zip(self.random_names, block.args[after:], strict=True):
            check_state_type(who, name.data, argument.type)
        if self.max_executions_before_finished is not None:
            if self.max_executions < 1:
                raise VerifyException(f"{who}: max is {self.max_executions}; it must be at least 1")
            if self.execute_until_finished is None:
                raise VerifyException(f"{who}: max applies only with until_finished; add until_finished, or leave max out")
        check_body(who, block)
        given = self.yield_op
        check_yield(who, given, "output", given.outputs, self.output_ports)
        check_yield(who, given, "state", given.states, [(name, const_type(value)) for name, value in self.states])
        check_yield(who, given, "generator", given.random, [(name, type) for name, type, _ in self.random])

    def verify_symbol_uses(self, scope: ModelNames) -> None:
        """The generators start from streams of their kind."""
        for name, type, stream in self.random:
            found = scope.outside.get(stream.root_reference.data)
            who = f'node {show(self.sym_name)}: generator "{name}" starts from {show(stream)}'
            if not isinstance(found, StreamOp):
                known = scope.known(StreamOp)
                hint = suggestion(stream.root_reference.data, known, show) if known else ""
                raise PlacedVerifyException(self, f"{who}, which is not an rng.stream of the module{hint or '; add one at its end'}")
            if found.kind != type.kind:
                raise PlacedVerifyException(
                    self, f"{who}, which is of kind {found.kind.data}, but has type {type}; make them the same kind"
                )


def named_consts(names: ArrayAttr[StringAttr], values: ArrayAttr[Any]) -> tuple[tuple[str, Const], ...]:
    """Names with constants, in order."""
    return tuple((name.data, cast(Const, value)) for name, value in zip(names, values, strict=True))


@irdl_op_definition
class YieldOp(IRDLOperation):
    """
    The results of a node, or of the function of a projection: outputs, next states, next generators and, optionally, whether
    it has finished (by default it has, after every execution). The pass `insert-checks` adds the first fault of the execution.

    ```mlir
    cog.yield %value, %time states(%value, %time) random(%next) finished(%done) checked(%fault)
    ```
    """

    name = "cog.yield"

    outputs = var_operand_def()
    states = var_operand_def()
    random = var_operand_def(base(StateType))
    finished = opt_operand_def(i1)
    checked = opt_operand_def(i64)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(IsTerminator(), Inside("cog.node", "cog.project"), Pure())

    def __init__(
        self,
        outputs: Sequence[SSAValue | Operation],
        states: Sequence[SSAValue | Operation] = (),
        random: Sequence[SSAValue | Operation] = (),
        finished: SSAValue | Operation | None = None,
        checked: SSAValue | Operation | None = None,
    ):
        super().__init__(operands=[outputs, states, random, finished, checked])

    def print(self, printer: Printer) -> None:
        if self.outputs:
            printer.print_string(" ")
            printer.print_list(self.outputs, printer.print_ssa_value)
        for keyword, values in (("states", self.states), ("random", self.random)):
            if values:
                printer.print_string(f" {keyword}")
                printer.print_operands(values)
        for keyword, value in (("finished", self.finished), ("checked", self.checked)):
            if value is not None:
                printer.print_string(f" {keyword}")
                printer.print_operands((value,))
        printer.print_op_attributes(self.attributes, print_keyword=True)

    @classmethod
    def parse(cls, parser: Parser) -> YieldOp:
        def values() -> list[SSAValue]:
            return comma_list(parser, lambda: parse_known_operand(parser))

        def one(keyword: str) -> SSAValue | None:
            if not parser.parse_optional_keyword(keyword):
                return None
            with parser.in_parens():
                return parse_known_operand(parser)

        outputs: list[SSAValue] = []
        # The first value decides whether there is a list at all, so a plain `cog.yield` is possible.
        if parser.lexer.input.at(parser.pos) == "%":
            outputs = parser.parse_comma_separated_list(parser.Delimiter.NONE, lambda: parse_known_operand(parser))
        states = values() if parser.parse_optional_keyword("states") else []
        random = values() if parser.parse_optional_keyword("random") else []
        finished, checked = one("finished"), one("checked")
        attributes = parser.parse_optional_attr_dict_with_keyword()
        return attach(cls(outputs, states, random, finished, checked), attributes)
