"""
Learning: `cog.learn` says which matrices of a model are learned, from what, and how.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FlatSymbolRefAttrConstr,
    FunctionType,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
    TensorType,
    f32,
    f64,
)
from xdsl.ir import Attribute, Block, Operation, Region
from xdsl.irdl import IRDLOperation, irdl_op_definition, opt_prop_def, prop_def, region_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import NoTerminator, SymbolOpInterface
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from cogir.dialects.cog.attributes import (
    EMPTY,
    Const,
    Ranges,
    const_type,
    optional_ranges,
    optional_string,
    ranges_of,
    ref,
    string,
    strings,
)
from cogir.dialects.cog.interface import PortPairOperation
from cogir.dialects.cog.node import CONSTS, STRINGS, Named, named_consts, pairs
from cogir.dialects.cog.ports import ModelNames, PlacedVerifyException, SymbolUser, resolve_port, show, speaking, suggestion
from cogir.dialects.cog.project import ProjectOp
from cogir.dialects.cog.syntax import (
    attach,
    comma_list,
    parse_body,
    parse_output,
    parse_port,
    parse_ranged,
    parse_ref,
    parse_typed_name,
    print_name,
    print_output,
    print_port,
    print_range,
)
from cogir.dialects.cog.traits import Inside
from cogir.dialects.cog.verify.node import check_consts, check_name, check_ranges
from cogir.irutils import element_type_of
from cogir.ranges import Between

__all__ = ["NAMED_WEIGHTS", "LearnOp", "LearnedOp", "LossOp", "Over"]

NAMED_WEIGHTS = "cog.named"
"""The attribute of a `cog.learned` whose projection was named to be learned: a derivative that is always zero is then an error."""

Symbol = str | StringAttr | SymbolRefAttr


class Over(StrEnum):
    """The loss of several trials."""

    MEAN = "mean"
    SUM = "sum"


@irdl_op_definition
class LearnedOp(PortPairOperation):
    """
    The matrix of the projection between these ports is learned.

    ```mlir
    cog.learned @stimulus["value"] -> @hidden["variable"]
    ```
    """

    name = "cog.learned"

    traits = traits_def(Inside("cog.learn"))

    def ends(self, symbols: Mapping[str, Operation]) -> tuple[tuple[str, str], tuple[str, str]]:
        """Node and port of the sender, and of the receiver; `symbols` are those of the model."""
        sender, _ = resolve_port(self, self.source, self.source_port, symbols, output=True)
        receiver, _ = resolve_port(self, self.target, self.target_port, symbols, output=False)
        return (self.source.string_value(), sender), (self.target.string_value(), receiver)

    def verify_projection(self, scope: ModelNames) -> ProjectOp:
        """The projection whose matrix is learned. Raises if there is none, or several, or one without a matrix."""
        with speaking(self, f"learned projection {show(self.source, self.source_port)} -> {show(self.target, self.target_port)}"):
            ends = self.ends(scope.symbols)
            parts = scope.model.regions[0].block.ops
            found = [each for each in parts if isinstance(each, ProjectOp) and ends_of(each, scope.symbols) == ends]
            if len(found) != 1:
                raise VerifyException(f"there are {len(found) or 'no'} projections between these ports; one is required")
            if found[0].matrix is None or found[0].matrix.get_element_type() not in (f64, f32):
                raise VerifyException("the projection has no matrix of floats; give it one")
        return found[0]


@irdl_op_definition
class LossOp(IRDLOperation):
    """
    The loss to be minimised: a function (sample, target) -> f64 of two ports after a trial (-> f32 if these are f32). The target's value
    is a constant: no derivative is taken through it.

    ```mlir
    cog.loss @mean_squared_error(@output["value"], @target["value"])
    ```
    """

    name = "cog.loss"

    function = prop_def(FlatSymbolRefAttrConstr)
    sample = prop_def(FlatSymbolRefAttrConstr)
    sample_port = opt_prop_def(StringAttr)
    target = prop_def(FlatSymbolRefAttrConstr)
    target_port = opt_prop_def(StringAttr)

    traits = traits_def(Inside("cog.learn"))

    def __init__(
        self,
        function: Symbol,
        sample: Symbol,
        target: Symbol,
        *,
        sample_port: str | StringAttr | None = None,
        target_port: str | StringAttr | None = None,
    ):
        super().__init__(
            properties={
                "function": ref(function),
                "sample": ref(sample),
                "sample_port": optional_string(sample_port),
                "target": ref(target),
                "target_port": optional_string(target_port),
            }
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.function.root_reference.data)
        printer.print_string("(")
        print_port(printer, self.sample, self.sample_port)
        printer.print_string(", ")
        print_port(printer, self.target, self.target_port)
        printer.print_string(")")
        printer.print_op_attributes(self.attributes, print_keyword=True)

    @classmethod
    def parse(cls, parser: Parser) -> LossOp:
        function = parse_ref(parser)
        parser.parse_punctuation("(", " and the ports of sample and target")
        sample, sample_port = parse_port(parser)
        parser.parse_punctuation(",", " and the port of the target")
        target, target_port = parse_port(parser)
        parser.parse_punctuation(")")
        op = cls(function, sample, target, sample_port=sample_port, target_port=target_port)
        return attach(op, parser.parse_optional_attr_dict_with_keyword())

    def verify_function(self, scope: ModelNames) -> None:
        """The function takes the values of two ports, and gives a number."""
        with speaking(self, f"loss {show(self.function)}"):
            _, sample = scope.find(self.sample, self.sample_port, output=True)
            _, target = scope.find(self.target, self.target_port, output=True)
        number: Attribute = f32 if element_type_of(sample) == f32 else f64
        check_function(self, "loss", self.function, FunctionType.from_lists([sample, target], [number]), scope)


@irdl_op_definition
class LearnOp(IRDLOperation, SymbolUser):
    """
    Learning from batches of trials, each of which begins with the model's initial state. The loss of a batch is the mean or the sum of
    those of its trials. The optimizer, a function (weights, derivatives, parameters ..., states ...) -> (weights, states ...), updates
    all learned matrices, concatenated to one vector.

    ```mlir
    cog.learn @learning mean by @gradient_descent params (rate: f64 = 0.1, decay: f64 = 0.0) {
      cog.learned @stimulus["value"] -> @hidden["variable"]
      cog.loss @mean_squared_error(@output["value"], @target["value"])
    }
    ```
    """

    name = "cog.learn"

    sym_name = prop_def(SymbolNameConstraint())
    over = prop_def(StringAttr)
    optimizer = prop_def(FlatSymbolRefAttrConstr)
    param_names = prop_def(STRINGS)
    param_defaults = prop_def(CONSTS)
    state_names = prop_def(STRINGS)
    state_initials = prop_def(CONSTS)
    param_ranges = opt_prop_def(DictionaryAttr)
    body = region_def("single_block")

    traits = traits_def(NoTerminator(), Inside("cog.model"), SymbolOpInterface())

    def __init__(
        self,
        name: str | StringAttr,
        optimizer: Symbol,
        *,
        over: str | Over = Over.MEAN,
        params: Named = (),
        states: Named = (),
        param_ranges: Ranges = EMPTY,
        ops: Sequence[Operation] | Region = (),
    ):
        """`ops`: what is learned, and from what losses."""
        param_names, defaults = pairs(params)
        state_names, initials = pairs(states)
        super().__init__(
            properties={
                "sym_name": string(name),
                "over": StringAttr(Over(over).value),
                "optimizer": ref(optimizer),
                "param_names": strings(param_names),
                "param_defaults": ArrayAttr(defaults),
                "state_names": strings(state_names),
                "state_initials": ArrayAttr(initials),
                "param_ranges": optional_ranges(param_ranges),
            },
            regions=[ops if isinstance(ops, Region) else Region(Block(ops))],
        )

    def print(self, printer: Printer) -> None:
        print_name(printer, self.sym_name)
        printer.print_string(f" {self.over.data} by ")
        printer.print_symbol_name(self.optimizer.root_reference.data)
        for keyword, named, ranges in (("params", self.params, ranges_of(self.param_ranges)), ("states", self.states, EMPTY)):
            if named:
                printer.print_string(f" {keyword} (")
                for index, (name, value) in enumerate(named):
                    printer.print_string(", " if index else "")
                    print_output(printer, name, value)
                    print_range(printer, ranges, name)
                printer.print_string(")")
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body, print_empty_block=False)

    @classmethod
    def parse(cls, parser: Parser) -> LearnOp:
        name = parser.parse_symbol_name()
        over = parser.parse_str_enum(Over)
        parser.parse_keyword("by", " and the name of the optimizer")
        optimizer = parse_ref(parser)
        params: list[tuple[str, Const]] = []
        states: list[tuple[str, Const]] = []
        ranges: dict[str, Between] = {}

        def parse_param() -> tuple[str, Const]:
            name, type = parse_typed_name(parser)
            return name, parse_ranged(parser, name, type, ranges)

        if parser.parse_optional_keyword("params"):
            params = comma_list(parser, parse_param)
        if parser.parse_optional_keyword("states"):
            states = comma_list(parser, lambda: parse_output(parser))
        attributes = parser.parse_optional_attr_dict_with_keyword()
        op = cls(name, optimizer, over=over, params=params, states=states, param_ranges=ranges, ops=parse_body(parser))
        return attach(op, attributes)

    def verify_(self) -> None:
        who = f"learning {show(self.sym_name)}"
        check_name(who, self.sym_name.data)
        check_consts(who, "parameter", self.param_names, self.param_defaults)
        check_consts(who, "state", self.state_names, self.state_initials)
        check_ranges(who, "parameter", dict(self.params), self.param_ranges)
        if self.over.data not in (one.value for one in Over):
            raise VerifyException(f'{who}: the losses of the trials of a batch are reduced by "{self.over.data}"; write mean or sum')
        for op in self.body.block.ops:
            if not isinstance(op, LearnedOp | LossOp):
                raise PlacedVerifyException(op, f"{who} contains {op.name}; only cog.learned and cog.loss are allowed")
        if not self.learned:
            raise VerifyException(f"{who}: nothing is learned; add a cog.learned")
        if not self.losses:
            raise VerifyException(f"{who} has no loss; add a cog.loss")

    def verify_symbol_uses(self, scope: ModelNames) -> None:
        """The matrices are there; the functions take and give what they must."""
        weights, seen = 0, set[ProjectOp]()
        for learned in self.learned:
            projection = learned.verify_projection(scope)
            if projection in seen:
                raise PlacedVerifyException(learned, "this matrix is already learned; keep one cog.learned for it")
            seen.add(projection)
            assert projection.matrix is not None
            weights += prod(projection.matrix.get_shape())
        for loss in self.losses:
            loss.verify_function(scope)
        vector = TensorType(f64, [weights])
        params = [const_type(value) for _, value in self.params]
        states = [const_type(value) for _, value in self.states]
        wanted = FunctionType.from_lists([vector, vector, *params, *states], [vector, *states])
        check_function(self, f"learning {show(self.sym_name)}: the optimizer", self.optimizer, wanted, scope)

    @property
    def learned(self) -> tuple[LearnedOp, ...]:
        """The learned projections, in order."""
        return tuple(op for op in self.body.block.ops if isinstance(op, LearnedOp))

    @property
    def losses(self) -> tuple[LossOp, ...]:
        """The losses, of which the sum is to become small."""
        return tuple(op for op in self.body.block.ops if isinstance(op, LossOp))

    @property
    def params(self) -> tuple[tuple[str, Const], ...]:
        """The parameters of the optimizer: names and values."""
        return named_consts(self.param_names, self.param_defaults)

    @property
    def states(self) -> tuple[tuple[str, Const], ...]:
        """The states of the optimizer: names and initial values."""
        return named_consts(self.state_names, self.state_initials)


def ends_of(op: ProjectOp, symbols: Mapping[str, Operation]) -> tuple[tuple[str, str], tuple[str, str]] | None:
    """Node and port of the sender and of the receiver; None where they are not there, which is refused elsewhere."""
    try:
        ports = op.resolve_source_port(symbols), op.resolve_target_port(symbols)
    except VerifyException:
        return None
    return (op.source.string_value(), ports[0]), (op.target.string_value(), ports[1])


def check_function(op: Operation, who: str, name: SymbolRefAttr, wanted: FunctionType, scope: ModelNames) -> None:
    """A function of this name and type is in the module."""
    found = scope.outside.get(name.root_reference.data)
    if not isinstance(found, func.FuncOp):
        hint = suggestion(name.root_reference.data, scope.known(func.FuncOp), show)
        raise PlacedVerifyException(op, f"{who} {show(name)} is not a function of the module{hint}")
    if found.function_type != wanted:
        raise PlacedVerifyException(op, f"{who} {show(name)} has type {found.function_type}; it must be {wanted}")
