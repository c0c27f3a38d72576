"""
What a model consists of: nodes, projections, modulations, nested models, its inputs and its outputs.

Every operation here says what the modeller says; when things happen is said in `cog_schedule`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    FlatSymbolRefAttrConstr,
    IntegerAttr,
    ModuleOp,
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
    lazy_traits_def,
    opt_operand_def,
    opt_prop_def,
    opt_region_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import (
    HasParent,
    IsolatedFromAbove,
    IsTerminator,
    NoTerminator,
    OptionalSymbolOpInterface,
    Pure,
    SymbolOpInterface,
    SymbolTable,
)

from cogir.dialects.cog_attributes import (
    Const,
    Modulation,
    ModulationAttr,
    const_type,
    optional_int64,
    optional_string,
    ref,
    refs,
    string,
    strings,
)
from cogir.dialects.cog_ports import PortOwner, resolve_port
from cogir.dialects.rng import StateType

if TYPE_CHECKING:
    from cogir.dialects.cog_control import GridSearchOp
    from cogir.dialects.cog_schedule import ScheduleOp

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
class ModelOp(IRDLOperation):
    """
    A model: its nodes, what runs between them, and its schedule. The names of its parts are unique.

    ```mlir
    cog.model @stroop { ... }
    ```
    """

    name = "cog.model"

    sym_name = prop_def(SymbolNameConstraint())
    body = region_def("single_block")

    traits = traits_def(IsolatedFromAbove(), NoTerminator(), SymbolOpInterface(), SymbolTable())

    def __init__(self, name: str | StringAttr, ops: Sequence[Operation] | Region = ()):
        body = ops if isinstance(ops, Region) else Region(Block(ops))
        super().__init__(properties={"sym_name": string(name)}, regions=[body])

    @property
    def symbols(self) -> dict[str, Operation]:
        """The named parts of the model, in order; the table is built at each call."""
        return {name.data: op for op in self.body.block.ops if isinstance(name := op.get_attr_or_prop("sym_name"), StringAttr)}

    def lookup(self, name: str | StringAttr | SymbolRefAttr) -> Operation | None:
        """The part of that name, or None; use `symbols` to look up many."""
        if isinstance(name, SymbolRefAttr):
            name = name.root_reference
        name = name if isinstance(name, str) else name.data
        for op in self.body.block.ops:
            held = op.get_attr_or_prop("sym_name")
            if isinstance(held, StringAttr) and held.data == name:
                return op
        return None

    @property
    def nodes(self) -> tuple[NodeOp, ...]:
        """The nodes, in order, without instances of other models."""
        return tuple(op for op in self.body.block.ops if isinstance(op, NodeOp))

    @property
    def executables(self) -> tuple[NodeOp | InstanceOp, ...]:
        """What the scheduler runs: the nodes and the instances of other models, in order."""
        return tuple(op for op in self.body.block.ops if isinstance(op, NodeOp | InstanceOp))

    @property
    def inputs(self) -> tuple[InputOp, ...]:
        """The external inputs, in order."""
        return tuple(op for op in self.body.block.ops if isinstance(op, InputOp))

    @property
    def outputs(self) -> tuple[OutputOp, ...]:
        """The results of a trial, in order."""
        return tuple(op for op in self.body.block.ops if isinstance(op, OutputOp))

    @property
    def projections(self) -> tuple[ProjectOp, ...]:
        """The projections between ports, in order."""
        return tuple(op for op in self.body.block.ops if isinstance(op, ProjectOp))

    @property
    def modulations(self) -> tuple[ModulateOp, ...]:
        """The modulations of parameters, in order."""
        return tuple(op for op in self.body.block.ops if isinstance(op, ModulateOp))

    @property
    def instances(self) -> tuple[InstanceOp, ...]:
        """The instances of other models, in order."""
        return tuple(op for op in self.body.block.ops if isinstance(op, InstanceOp))

    @property
    def schedule(self) -> ScheduleOp | None:
        """The schedule, if the model has one."""
        from cogir.dialects.cog_schedule import ScheduleOp

        return next((op for op in self.body.block.ops if isinstance(op, ScheduleOp)), None)

    @property
    def controllers(self) -> tuple[GridSearchOp, ...]:
        """The controllers, in order."""
        from cogir.dialects.cog_control import GridSearchOp

        return tuple(op for op in self.body.block.ops if isinstance(op, GridSearchOp))


@irdl_op_definition
class NodeOp(IRDLOperation, PortOwner):
    """
    A node: a function of its inputs, parameters, states and generators, which yields the values of its output ports,
    the next states, the next generators and whether it has finished.

    ```mlir
    cog.node @decision (%stimulus: tensor<1xf64>) params(%rate: f64 = 1.0) states(%x: tensor<1xf64> = dense<0.0>)
        random(%r: !rng.state<mt19937> = @noise) -> (value: tensor<1xf64> = dense<0.0>) until_finished max 1000 { ... }
    ```
    """

    name = "cog.node"

    sym_name = prop_def(SymbolNameConstraint())
    input_names = prop_def(STRINGS)
    input_combine = prop_def(STRINGS)
    param_names = prop_def(STRINGS)
    param_defaults = prop_def(CONSTS)
    state_names = prop_def(STRINGS)
    state_initials = prop_def(CONSTS)
    random_names = prop_def(STRINGS)
    streams = prop_def(REFERENCES)
    output_names = prop_def(STRINGS)
    output_initials = prop_def(CONSTS)
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
        random: Sequence[tuple[str, StateType, str | SymbolRefAttr]] = (),
        outputs: Named = (),
        execute_until_finished: bool = False,
        max_executions_before_finished: int | None = None,
        body: Region | None = None,
    ):
        """
        `inputs` gives names and types; `combine` says "product" for inputs whose senders are multiplied (default: sum);
        `random` gives name, type and `rng.stream` of each generator. Without `body` the node gets an empty block with
        the right arguments, to be filled by the caller.
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
                "random_names": strings([name for name, _, _ in random]),
                "streams": refs([stream for _, _, stream in random]),
                "output_names": strings(output_names),
                "output_initials": ArrayAttr(output_initials),
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


def named_consts(names: ArrayAttr[StringAttr], values: ArrayAttr[Any]) -> tuple[tuple[str, Const], ...]:
    """Names with constants, in order."""
    return tuple((name.data, cast(Const, value)) for name, value in zip(names, values, strict=True))


@irdl_op_definition
class YieldOp(IRDLOperation):
    """
    What a node, or the function of a projection, gives: outputs, next states, next generators and, optionally, whether
    it has finished (when absent: it has, after every execution).

    ```mlir
    cog.yield %value, %time states(%value, %time) random(%next) finished(%done)
    ```
    """

    name = "cog.yield"

    outputs = var_operand_def()
    states = var_operand_def()
    random = var_operand_def(base(StateType))
    finished = opt_operand_def(i1)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = lazy_traits_def(lambda: (IsTerminator(), HasParent(NodeOp, ProjectOp), Pure()))

    def __init__(
        self,
        outputs: Sequence[SSAValue | Operation],
        states: Sequence[SSAValue | Operation] = (),
        random: Sequence[SSAValue | Operation] = (),
        finished: SSAValue | Operation | None = None,
    ):
        super().__init__(operands=[outputs, states, random, finished])


class PortOperation(IRDLOperation):
    """What `cog.input` and `cog.output` have in common: they name one port of a node."""

    node = prop_def(FlatSymbolRefAttrConstr)
    port = opt_prop_def(StringAttr)

    def __init__(self, node: str | StringAttr | SymbolRefAttr, port: str | StringAttr | None = None):
        super().__init__(properties={"node": ref(node), "port": optional_string(port)})


@irdl_op_definition
class InputOp(PortOperation):
    """
    An input from outside, added to the port like a projection. The inputs of a trial come in the order of these.

    ```mlir
    cog.input @stimulus["in"]
    ```
    """

    name = "cog.input"

    traits = traits_def(HasParent(ModelOp))

    def resolve_port(self, symbols: Mapping[str, Operation] | None = None) -> str:
        """The port meant: the one named, or the only one of the node."""
        return resolve_port(self, self.node, self.port, symbols, output=False)[0]


@irdl_op_definition
class OutputOp(PortOperation):
    """
    A part of a trial's result. The results of a trial come in the order of these.

    ```mlir
    cog.output @decision["time"]
    ```
    """

    name = "cog.output"

    traits = traits_def(HasParent(ModelOp))

    def resolve_port(self, symbols: Mapping[str, Operation] | None = None) -> str:
        """The port meant: the one named, or the only one of the node."""
        return resolve_port(self, self.node, self.port, symbols, output=True)[0]


@irdl_op_definition
class ProjectOp(IRDLOperation):
    """
    A projection from an output port to an input port. The receiver gets the sender's value, or the sender (a vector of
    m) times an m x n matrix. `recurrent` ones are evaluated in each execution inside execute-until-finished; `feedback`
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
    body = opt_region_def("single_block")

    traits = traits_def(IsolatedFromAbove(), HasParent(ModelOp), OptionalSymbolOpInterface())

    def __init__(
        self,
        source: str | SymbolRefAttr,
        target: str | SymbolRefAttr,
        *,
        source_port: str | None = None,
        target_port: str | None = None,
        matrix: DenseIntOrFPElementsAttr[Any] | None = None,
        recurrent: bool = False,
        feedback: bool = False,
        name: str | StringAttr | None = None,
        sender: tuple[str, Attribute] | None = None,
        params: Named = (),
        states: Named = (),
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
            },
            regions=[body],
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


@irdl_op_definition
class ModulateOp(IRDLOperation):
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

    traits = traits_def(HasParent(ModelOp))

    def __init__(
        self,
        source: str | SymbolRefAttr,
        target: str | SymbolRefAttr,
        param: str | StringAttr,
        mode: str | Modulation | ModulationAttr = Modulation.MULTIPLY,
        *,
        source_port: str | None = None,
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


@irdl_op_definition
class InstanceOp(IRDLOperation, PortOwner):
    """
    Another model as a node of this one, with its own clock, states and schedule; one execution is one trial of it.

    ```mlir
    cog.instance @inner of @lca
    ```
    """

    name = "cog.instance"

    sym_name = prop_def(SymbolNameConstraint())
    model = prop_def(FlatSymbolRefAttrConstr)

    traits = traits_def(HasParent(ModelOp), SymbolOpInterface())

    assembly_format = "$sym_name `of` $model attr-dict"

    def __init__(self, name: str | StringAttr, model: str | SymbolRefAttr):
        super().__init__(properties={"sym_name": string(name), "model": ref(model)})

    @property
    def resolved(self) -> ModelOp | None:
        """The model that this is an instance of, or None when there is none of that name."""
        return find_model(self, self.model)

    @property
    def input_ports(self) -> tuple[tuple[str, Attribute], ...]:
        model = self.resolved
        return () if model is None else ports_from_outside(model, model.inputs, output=False)

    @property
    def output_ports(self) -> tuple[tuple[str, Attribute], ...]:
        model = self.resolved
        return () if model is None else ports_from_outside(model, model.outputs, output=True)


def ports_from_outside(model: ModelOp, ops: Sequence[InputOp | OutputOp], *, output: bool) -> tuple[tuple[str, Attribute], ...]:
    """The inputs or outputs of a model as ports of its instances: "node/port" and type."""
    symbols = model.symbols
    ports: list[tuple[str, Attribute]] = []
    for op in ops:
        port, type = resolve_port(op, op.node, op.port, symbols, output=output)
        ports.append((f"{op.node.root_reference.data}/{port}", type))
    return tuple(ports)


def enclosing_model(op: Operation) -> ModelOp | None:
    """The innermost model around an operation."""
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, ModelOp):
        parent = parent.parent_op()
    return parent


def enclosing_module(op: Operation) -> ModuleOp | None:
    """The innermost module around an operation."""
    parent: Operation | None = op
    while parent is not None and not isinstance(parent, ModuleOp):
        parent = parent.parent_op()
    return parent


def find_in_module(op: Operation, symbol: SymbolRefAttr) -> Operation | None:
    """What the module around `op` holds under that name: a model, a function, a stream."""
    module = enclosing_module(op)
    if module is None:
        return None
    for held in module.body.block.ops:
        if held.get_attr_or_prop("sym_name") == symbol.root_reference:
            return held
    return None


def find_model(op: Operation, symbol: SymbolRefAttr) -> ModelOp | None:
    """The model of that name in the module around `op`, or None."""
    found = find_in_module(op, symbol)
    return found if isinstance(found, ModelOp) else None
