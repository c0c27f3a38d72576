"""
Connections between nodes: projections from port to port, and modulations of parameters.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    FlatSymbolRefAttrConstr,
    Float32Type,
    Float64Type,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
    f64,
)
from xdsl.ir import Attribute, BlockArgument, Operation, Region
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    opt_region_def,
    prop_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    IsolatedFromAbove,
    OptionalSymbolOpInterface,
)
from xdsl.utils.exceptions import VerifyException

from cogir.dialects.cog.attributes import (
    EMPTY,
    Const,
    Modulation,
    ModulationAttr,
    Ranges,
    const_type,
    optional_ranges,
    optional_string,
    ranges_of,
    ref,
    string,
    strings,
)
from cogir.dialects.cog.interface import InstanceOp
from cogir.dialects.cog.node import CONSTS, STRINGS, Named, NodeOp, YieldOp, body_of, named_consts, pairs
from cogir.dialects.cog.ports import (
    ModelNames,
    PlacedVerifyException,
    SymbolUser,
    count,
    resolve_port,
    show,
    speaking,
    suggestion,
    unique_symbols,
)
from cogir.dialects.cog.syntax import (
    Signature,
    attach,
    matrix_text,
    parse_matrix,
    parse_optional_port,
    parse_port,
    parse_ref,
    print_argument,
    print_consts,
    print_function,
    print_name,
    print_port,
)
from cogir.dialects.cog.traits import Inside
from cogir.dialects.cog.verify.node import check_arguments, check_body, check_consts, check_name, check_ranges, check_yield
from cogir.irutils import element_type_of
from cogir.ranges import Between

__all__ = ["ModulateOp", "ProjectOp"]


@irdl_op_definition
class ProjectOp(IRDLOperation, SymbolUser):
    """
    A projection from an output port to an input port. The receiver gets the sender's value, or the sender (a vector of
    m, or one number) times an m x n matrix. `recurrent` ones are evaluated in each execution inside execute-until-finished; `feedback`
    ones do not count for the order in which nodes are considered.

    ```mlir
    cog.project @stimulus -> @decision["in"] matrix dense<[[1.0], [-1.0]]> : tensor<2x1xf64>
    cog.project @learned @stimulus -> @decision (%value: tensor<2xf64>) params(%matrix: tensor<2x1xf64> = dense<0.0>) { ... }
    ```
    """

    name = "cog.project"

    sym_name = opt_prop_def(SymbolNameConstraint())
    source = prop_def(FlatSymbolRefAttrConstr)
    source_port = opt_prop_def(StringAttr)
    target = prop_def(FlatSymbolRefAttrConstr)
    target_port = opt_prop_def(StringAttr)
    matrix = opt_prop_def(DenseIntOrFPElementsAttr)
    recurrent = opt_prop_def(UnitAttr)
    feedback = opt_prop_def(UnitAttr)
    param_names = opt_prop_def(STRINGS)
    param_defaults = opt_prop_def(CONSTS)
    state_names = opt_prop_def(STRINGS)
    state_initials = opt_prop_def(CONSTS)
    param_ranges = opt_prop_def(DictionaryAttr)
    state_ranges = opt_prop_def(DictionaryAttr)
    body = opt_region_def("single_block")

    traits = traits_def(IsolatedFromAbove(), Inside("cog.model"), OptionalSymbolOpInterface())

    def __init__(
        self,
        source: str | SymbolRefAttr,
        target: str | SymbolRefAttr,
        *,
        source_port: str | StringAttr | None = None,
        target_port: str | StringAttr | None = None,
        matrix: DenseIntOrFPElementsAttr[Any] | None = None,
        recurrent: bool = False,
        feedback: bool = False,
        name: str | StringAttr | None = None,
        sender: tuple[str, Attribute] | None = None,
        params: Named = (),
        states: Named = (),
        param_ranges: Ranges = EMPTY,
        state_ranges: Ranges = EMPTY,
        body: Region | None = None,
    ):
        """
        Short form: an optional `matrix`. Long form: give `sender`, the name and type of the sender's value in the
        function (or a finished `body`), with the parameters and states of that function.
        """
        param_names, defaults = pairs(params)
        state_names, initials = pairs(states)
        if sender is not None and body is None:
            body = body_of(
                [
                    sender,
                    *((name, const_type(value)) for name, value in zip(param_names, defaults, strict=True)),
                    *((name, const_type(value)) for name, value in zip(state_names, initials, strict=True)),
                ]
            )
        super().__init__(
            properties={
                "sym_name": optional_string(name),
                "source": ref(source),
                "source_port": optional_string(source_port),
                "target": ref(target),
                "target_port": optional_string(target_port),
                "matrix": matrix,
                "recurrent": UnitAttr() if recurrent else None,
                "feedback": UnitAttr() if feedback else None,
                "param_names": strings(param_names) if param_names else None,
                "param_defaults": ArrayAttr(defaults) if param_names else None,
                "state_names": strings(state_names) if state_names else None,
                "state_initials": ArrayAttr(initials) if state_names else None,
                "param_ranges": optional_ranges(param_ranges),
                "state_ranges": optional_ranges(state_ranges),
            },
            regions=[body],
        )

    def verify_(self) -> None:
        who = f"projection {show(self.source, self.source_port)} -> {show(self.target, self.target_port)}"
        if self.sym_name is not None:
            check_name(who, self.sym_name.data)
        if self.body is None:
            if any((self.param_names, self.param_defaults, self.state_names, self.state_initials, self.param_ranges, self.state_ranges)):
                raise VerifyException(f"{who} has parameters or states, but no function that uses them; give it one")
            return
        if self.matrix is not None:
            raise VerifyException(f"{who} has a matrix and a function; make the matrix a parameter of the function")
        nothing: ArrayAttr[Any] = ArrayAttr(())
        check_consts(who, "parameter", self.param_names or nothing, self.param_defaults or nothing)
        check_consts(who, "state", self.state_names or nothing, self.state_initials or nothing)
        check_ranges(who, "parameter", dict(self.params), self.param_ranges)
        check_ranges(who, "state", dict(self.states), self.state_ranges)
        block = self.body.block
        held = [
            *((f'parameter "{name}"', const_type(value)) for name, value in self.params),
            *((f'state "{name}"', const_type(value)) for name, value in self.states),
        ]
        if len(block.args) != 1 + len(held):
            raise VerifyException(
                f"{who}: its body takes {len(block.args)} values, but the projection declares {1 + len(held)} (the sender's value, "
                "parameters, states)"
            )
        check_arguments(who, block.args[1:], held)
        check_body(who, block)
        given = self.yield_op
        if len(given.outputs) != 1 or given.random or given.finished is not None:
            raise PlacedVerifyException(given, f"{who}: its function must yield one output and its next states, and nothing else")
        check_yield(who, given, "state", given.states, [(name, const_type(value)) for name, value in self.states])

    def verify_symbol_uses(self, scope: ModelNames) -> None:
        """The sender's value, through the matrix or the function, fits the receiver."""
        with speaking(self, f"projection {show(self.source, self.source_port)} -> {show(self.target, self.target_port)}"):
            source_port, source = scope.find(self.source, self.source_port, output=True)
            target_port, target = scope.find(self.target, self.target_port, output=False)
            sender, receiver = show(self.source, source_port), show(self.target, target_port)
            if self.recurrent is not None and self.source != self.target:
                raise VerifyException("only a projection from a node to itself can be recurrent; remove `recurrent`")
            if self.body is not None:
                verify_function(self, sender, source, receiver, target)
            elif self.matrix is not None:
                verify_matrix(self.matrix, sender, source, receiver, target)
            elif source != target:
                raise VerifyException(
                    f"{sender} has type {source}, but {receiver} has type {target}; give a matrix{wanted_matrix(source, target)}"
                )

    @property
    def params(self) -> tuple[tuple[str, Const], ...]:
        """The parameters of the long form: names and defaults."""
        return named_consts(self.param_names or ArrayAttr(()), self.param_defaults or ArrayAttr(()))

    @property
    def states(self) -> tuple[tuple[str, Const], ...]:
        """The states of the long form: names and initial values."""
        return named_consts(self.state_names or ArrayAttr(()), self.state_initials or ArrayAttr(()))

    @property
    def sender_arg(self) -> BlockArgument:
        """The argument of the long form's function that holds the sender's value."""
        assert self.body is not None
        return self.body.block.args[0]

    @property
    def param_args(self) -> tuple[BlockArgument, ...]:
        """The arguments of the long form's function that hold the parameters."""
        assert self.body is not None
        return self.body.block.args[1 : 1 + len(self.params)]

    @property
    def state_args(self) -> tuple[BlockArgument, ...]:
        """The arguments of the long form's function that hold the states."""
        assert self.body is not None
        return self.body.block.args[1 + len(self.params) :]

    @property
    def yield_op(self) -> YieldOp:
        """The terminator of the long form's function."""
        assert self.body is not None
        return cast(YieldOp, self.body.block.last_op)

    def resolve_source_port(self, symbols: Mapping[str, Operation] | None = None) -> str:
        """The output port meant: the one named, or the only one of the source."""
        return resolve_port(self, self.source, self.source_port, symbols, output=True)[0]

    def resolve_target_port(self, symbols: Mapping[str, Operation] | None = None) -> str:
        """The input port meant: the one named, or the only one of the target."""
        return resolve_port(self, self.target, self.target_port, symbols, output=False)[0]

    def print(self, printer: Printer) -> None:
        if self.sym_name is not None:
            print_name(printer, self.sym_name)
        printer.print_string(" ")
        print_port(printer, self.source, self.source_port)
        printer.print_string(" -> ")
        print_port(printer, self.target, self.target_port)
        if self.matrix is not None:
            printer.print_string(f" matrix {matrix_text(self.matrix)}")
        printer.print_string(" recurrent" if self.recurrent is not None else "")
        printer.print_string(" feedback" if self.feedback is not None else "")
        if self.body is not None:
            printer.print_string(" (")
            print_argument(printer, self.sender_arg, self.sender_arg.name_hint)
            printer.print_string(")")
            if self.params:
                print_consts(printer, "params", self.params, self.param_args, ranges_of(self.param_ranges))
            if self.states:
                print_consts(printer, "states", self.states, self.state_args, ranges_of(self.state_ranges))
        printer.print_op_attributes(self.attributes, print_keyword=True)
        if self.body is not None:
            print_function(printer, self.body)

    @classmethod
    def parse(cls, parser: Parser) -> ProjectOp:
        name: StringAttr | None = None
        source, source_port = parse_port(parser)
        if source_port is None and (node := parser.parse_optional_symbol_name()) is not None:
            # Two names in a row: the first one is that of the projection.
            name, source = source.root_reference, SymbolRefAttr(node)
            source_port = parse_optional_port(parser)
        parser.parse_punctuation("->", " and the receiving port")
        target, target_port = parse_port(parser)
        matrix = parse_matrix(parser) if parser.parse_optional_keyword("matrix") else None
        recurrent = parser.parse_optional_keyword("recurrent") is not None
        feedback = parser.parse_optional_keyword("feedback") is not None
        head = Signature()
        long_form = parser.parse_optional_punctuation("(") is not None
        if long_form:
            head.parse_argument(parser)
            parser.parse_punctuation(")")
            head.parse_groups(parser, generators=False)
        attributes = parser.parse_optional_attr_dict_with_keyword()
        op = cls(
            source,
            target,
            source_port=source_port,
            target_port=target_port,
            matrix=matrix,
            recurrent=recurrent,
            feedback=feedback,
            name=name,
            params=head.params,
            states=head.states,
            param_ranges=head.param_ranges,
            state_ranges=head.state_ranges,
            body=parser.parse_region(head.arguments) if long_form else None,
        )
        return attach(op, attributes)


@irdl_op_definition
class ModulateOp(IRDLOperation, SymbolUser):
    """
    A modulation of a parameter of a node, a named projection or (as "node/param") of an instance by an output port.
    The parameter used is default * m, default + m, or m. The value is the one frozen at the start of the time step.

    ```mlir
    cog.modulate @control["gain"] -> @decision["rate"] multiply
    ```
    """

    name = "cog.modulate"

    source = prop_def(FlatSymbolRefAttrConstr)
    source_port = opt_prop_def(StringAttr)
    target = prop_def(FlatSymbolRefAttrConstr)
    param = prop_def(StringAttr)
    mode = prop_def(ModulationAttr)

    traits = traits_def(Inside("cog.model"))

    def __init__(
        self,
        source: str | SymbolRefAttr,
        target: str | SymbolRefAttr,
        param: str | StringAttr,
        mode: str | Modulation | ModulationAttr = Modulation.MULTIPLY,
        *,
        source_port: str | StringAttr | None = None,
    ):
        super().__init__(
            properties={
                "source": ref(source),
                "source_port": optional_string(source_port),
                "target": ref(target),
                "param": string(param),
                "mode": mode if isinstance(mode, ModulationAttr) else ModulationAttr(Modulation(mode)),
            }
        )

    def resolve_source_port(self, symbols: Mapping[str, Operation] | None = None) -> str:
        """The output port meant: the one named, or the only one of the source."""
        return resolve_port(self, self.source, self.source_port, symbols, output=True)[0]

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        print_port(printer, self.source, self.source_port)
        printer.print_string(" -> ")
        print_port(printer, self.target, self.param)
        printer.print_string(f" {self.mode.data.value}")
        printer.print_op_attributes(self.attributes, print_keyword=True)

    @classmethod
    def parse(cls, parser: Parser) -> ModulateOp:
        source, source_port = parse_port(parser)
        parser.parse_punctuation("->", " and the parameter")
        target = parse_ref(parser)
        param = parse_optional_port(parser)
        if param is None:
            parser.raise_error('expected a parameter, written @node["parameter"]')
        mode = parser.parse_str_enum(Modulation)
        attributes = parser.parse_optional_attr_dict_with_keyword()
        return attach(cls(source, target, param, mode, source_port=source_port), attributes)

    def verify_symbol_uses(self, scope: ModelNames) -> None:
        """A number acts on a parameter of floating-point numbers."""
        with speaking(self, self.speaker):
            port, type = scope.find(self.source, self.source_port, output=True)
            if not is_number(type):
                raise VerifyException(
                    f"{show(self.source, port)} has type {type}, but a parameter is modulated by one number (f64 or "
                    "tensor<1xf64>); name a port of this type"
                )
            _, value, _ = find_param(self.target, self.param.data, scope.symbols)
            if not isinstance(element_type_of(const_type(value)), Float64Type | Float32Type):
                raise VerifyException(f"the parameter has type {const_type(value)}; only floating-point parameters can be modulated")

    @property
    def speaker(self) -> str:
        """The name of the modulation in messages."""
        return f"modulation {show(self.source, self.source_port)} -> {show(self.target, self.param)}"


def wanted_matrix(source: Attribute, target: Attribute) -> str:
    """` of 2x3` when vectors of these types need one."""
    rows, columns = vector_size(source), vector_size(target)
    return "" if rows is None or columns is None else f" of {rows}x{columns}"


def vector_size(type: Attribute) -> int | None:
    """The number of elements of a vector type, where a single number counts as one; None for everything else."""
    if not isinstance(type, TensorType):
        return 1
    shape = cast("TensorType[Attribute]", type).get_shape()
    return shape[0] if len(shape) == 1 else None


def verify_matrix(matrix: DenseIntOrFPElementsAttr[Any], sender: str, source: Attribute, receiver: str, target: Attribute) -> None:
    """sender (m) @ matrix (m x n) = receiver (n)"""
    rows, columns = vector_size(source), vector_size(target)
    if rows is None or columns is None:
        wrong, type = (sender, source) if rows is None else (receiver, target)
        raise VerifyException(f"a matrix maps a vector to a vector, but {wrong} has type {type}; give a function instead")
    shape = tuple(matrix.get_shape())
    found = "x".join(map(str, shape))
    if len(shape) != 2:
        raise VerifyException(f"the matrix has type {matrix.type}; give a {rows}x{columns} matrix")
    if shape[0] != rows:
        raise VerifyException(f"matrix is {found}, but {sender} has {count(rows, 'element')}; give a {rows}x{columns} matrix")
    if shape[1] != columns:
        raise VerifyException(f"matrix is {found}, but {receiver} has {count(columns, 'element')}; give a {rows}x{columns} matrix")
    if len({element_type_of(type) for type in (source, target, matrix.type)}) > 1:
        raise VerifyException(
            f"the matrix has type {matrix.type}, {sender} has type {source} and {receiver} has type {target}; use one element type"
        )


def verify_function(op: ProjectOp, sender: str, source: Attribute, receiver: str, target: Attribute) -> None:
    """The function of the long form takes the sender and gives the receiver."""
    if op.sender_arg.type != source:
        raise VerifyException(f"its function takes {op.sender_arg.type}, but {sender} has type {source}; make them the same")
    (given,) = op.yield_op.outputs
    if given.type != target:
        raise VerifyException(f"its function yields {given.type}, but {receiver} has type {target}; make them the same")


def is_number(type: Attribute) -> bool:
    """True if a port of this type holds one floating-point number."""
    return type in (f64, TensorType(f64, [1]))


class ModulatedParam(NamedTuple):
    """The full name, the default and the range of a parameter."""

    name: str
    default: Const
    allowed: Between | None


def find_param(target: SymbolRefAttr, param: str, symbols: Mapping[str, Operation]) -> ModulatedParam:
    """The parameter of a node, a named projection or ("node/param") an instance."""
    name = target.root_reference.data
    owner = symbols.get(name)
    if owner is None:
        raise VerifyException(f"{show(target)} is not part of the model{suggestion(name, symbols, show)}")
    if isinstance(owner, InstanceOp):
        inner, slash, rest = param.partition("/")
        if not slash:
            raise VerifyException(f"a parameter of an instance is named by node and parameter; write {show(target, f'node/{param}')}")
        model = owner.resolved
        # An instance of a model that is not there is refused elsewhere.
        inside = {} if model is None else unique_symbols(model.regions[0].block.ops, f"model {show(owner.model)}")
        found = find_param(SymbolRefAttr(inner), rest, inside)
        return found._replace(name=f"{inner}/{found.name}")
    if not isinstance(owner, NodeOp | ProjectOp):
        raise VerifyException(f"{show(target)} is a {owner.name}, which has no parameters; name a node or a projection")
    params = dict(owner.params)
    if param not in params:
        raise VerifyException(f'{show(target)} has no parameter "{param}"{suggestion(param, params)}')
    return ModulatedParam(param, params[param], ranges_of(owner.param_ranges).get(param))
