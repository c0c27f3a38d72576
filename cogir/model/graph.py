"""
The resolved view of a `cog.model`: who sends what to whom, which parameters are modulated by what, and in which order
nodes are considered. Interpreter, analyses and lowerings ask here, so that ports and orders are resolved in one place.

```mlir
cog.model @stroop {
  cog.node @stimulus (%in: tensor<2xf64>) -> (value: tensor<2xf64> = dense<0.0>) { ... }
  cog.node @response (%in: tensor<1xf64>) params(%gain: f64 = 1.0) -> (value: tensor<1xf64> = dense<0.0>) { ... }
  cog.node @monitor (%in: tensor<2xf64>) -> (value: tensor<2xf64> = dense<0.0>) { ... }
  cog.input @stimulus                           // graph["stimulus"].inputs[0].senders == (External(0),)
  cog.shadow @stimulus -> @monitor              // graph["monitor"].inputs[0].senders == (External(0),)
  cog.project @stimulus -> @response matrix ...  // graph["response"].inputs[0].senders == (Projection(...),)
  cog.modulate @stimulus -> @response["gain"]    // graph["response"].modulations["gain"] == (Modulator(...),)
  cog.output @response                          // graph.outputs == (Port("response", "value"),)
}                                               // graph.layers == (("stimulus", "monitor"), ("response",))
```

What the parts mean, for all who execute or lower them:

* An input port holds the sum (or product) of its senders, taken in the order of the text, from left to right. A port
  without senders holds zeros.
* A projection gives `sender @ matrix`, or what its function yields. `recurrent` ones are evaluated in every execution of an
  execute-until-finished node, and see what the node's ports became in the execution before; the others are evaluated once,
  before the first execution, with the values frozen at the start of the time step.
* A parameter that is modulated is `default * product of the multipliers + sum of the addends`, or the override.
* An instance has one input port per `cog.input` of its model and one output port per `cog.output`, called "node/port"
  ("node" is enough when it names one port). Its parameters are called "node/param". A modulation from outside joins those
  inside the model: the multipliers and addends inside come first.
* A node that stands aside (`cog.aside`) is in no layer, and what is sent to it or from it does not count for the order.
* A reset puts a node back to where it was before its first execution: its states, its output ports and its flag `finished`.
  It leaves the generators and the counters alone. (PsyNeuLink's `reset` sets the ports, too.)
* `finished` is what the body yielded at the node's last execution. Before the first one: false if the body yields it, true
  otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias, TypeVar, cast

from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr, SymbolRefAttr, f64
from xdsl.ir import Attribute, Operation

from cogir.dialects.cog import (
    GridSearchOp,
    InputOp,
    InstanceOp,
    ModelOp,
    ModulateOp,
    NodeOp,
    OutputOp,
    ProjectOp,
    ShadowOp,
    enclosing_model,
    find_in_module,
)
from cogir.dialects.cog.attributes import Const, Modulation, When, const_type
from cogir.dialects.cog.lookup import with_names
from cogir.errors import ModelError
from cogir.model.layers import dependencies_of, layers_of


@dataclass(frozen=True)
class Port:
    """A port of a node or instance (or of a controller, whose ports are its signals)."""

    node: str
    name: str

    def __str__(self) -> str:
        return f'@{self.node}["{self.name}"]'


@dataclass(frozen=True)
class External:
    """A sender outside the model: number `index` of the inputs of a trial."""

    index: int
    op: InputOp | ShadowOp = field(compare=False)


@dataclass(frozen=True)
class Modulator:
    """A port that modulates a parameter."""

    source: Port
    mode: Modulation
    op: ModulateOp = field(compare=False)


Modulators: TypeAlias = Mapping[str, tuple[Modulator, ...]]
"""Parameter -> what modulates it, in the order of the text. Parameters that nothing modulates are not in it."""


@dataclass(frozen=True)
class Projection:
    """A projection with its ends. `name` is unique in the model: its symbol, or made from the ends."""

    name: str
    source: Port
    target: Port
    op: ProjectOp = field(compare=False)
    modulations: Modulators = field(compare=False)

    @property
    def recurrent(self) -> bool:
        """True if it is evaluated in each execution of an execute-until-finished node."""
        return self.op.recurrent is not None


Sender: TypeAlias = External | Projection


@dataclass(frozen=True)
class InputPort:
    """An input port: its type, how its senders combine ("sum" or "product"), and these in the order of the text."""

    name: str
    type: Attribute
    combine: str
    senders: tuple[Sender, ...]


@dataclass(frozen=True)
class OutputPort:
    """An output port with what it holds before the first execution."""

    name: str
    initial: Const

    @property
    def type(self) -> Attribute:
        """The type of its values."""
        return const_type(self.initial)


@dataclass(frozen=True)
class Executable:
    """A node or an instance: what the scheduler runs."""

    name: str
    op: NodeOp | InstanceOp
    inputs: tuple[InputPort, ...]
    outputs: tuple[OutputPort, ...]
    modulations: Modulators
    inner: ModelGraph | None
    """The model of an instance."""

    @property
    def projections(self) -> tuple[Projection, ...]:
        """The projections that it receives, port by port."""
        return tuple(sender for port in self.inputs for sender in port.senders if isinstance(sender, Projection))


@dataclass(frozen=True)
class ModelGraph:
    """A resolved model."""

    model: ModelOp
    executables: Mapping[str, Executable]
    """The nodes and instances by name, in the order of the text."""
    inputs: tuple[Port, ...]
    """The input ports to which the inputs of a trial go, in order."""
    outputs: tuple[Port, ...]
    """The output ports whose values are the results of a trial, in order."""

    def __getitem__(self, name: str) -> Executable:
        return self.executables[name]

    def __iter__(self) -> Iterator[Executable]:
        return iter(self.executables.values())

    @property
    def name(self) -> str:
        """The name of the model."""
        return self.model.sym_name.data

    def reset_states(self, node: str) -> tuple[str, ...] | None:
        """The states that a reset of this node puts back; None for all of the node."""
        schedule = self.model.schedule
        reset = schedule.resets.get(node) if schedule is not None else None
        return reset.state_names if reset is not None else None

    def kept_by_reset(self, node: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The states and the ports that a reset of this node leaves as they are."""
        schedule = self.model.schedule
        reset = schedule.resets.get(node) if schedule is not None else None
        return (reset.kept_names, reset.kept_ports) if reset is not None else ((), ())

    @cached_property
    def asides(self) -> Mapping[str, When]:
        """The nodes that are no part of the passes, and when in a trial they execute."""
        schedule = self.model.schedule
        return schedule.asides if schedule is not None else {}

    @cached_property
    def nodes(self) -> tuple[str, ...]:
        """The names of the nodes and instances that the passes visit, in the order of the text."""
        return tuple(name for name in self.executables if name not in self.asides)

    @cached_property
    def projections(self) -> tuple[Projection, ...]:
        """All projections, receiver by receiver."""
        return tuple(projection for executable in self for projection in executable.projections)

    def input_type(self, port: Port) -> Attribute:
        """The type of an input port."""
        return next(held.type for held in self[port.node].inputs if held.name == port.name)

    def output_type(self, port: Port) -> Attribute:
        """The type of an output port; a signal is f64."""
        if port.node not in self.executables:
            return f64
        return next(held.type for held in self[port.node].outputs if held.name == port.name)

    @cached_property
    def dependencies(self) -> Mapping[str, tuple[str, ...]]:
        """
        node -> the nodes that are considered before it, without cycles: see `dependencies_of`. Projections that are `feedback`
        do not count.
        """
        projections = [
            (projection.source.node, executable.name)
            for executable in self
            for projection in executable.projections
            if projection.op.feedback is None
        ]
        modulations = [
            (modulator.source.node, executable.name)
            for executable in self
            for modulators in (executable.modulations, *(projection.modulations for projection in executable.projections))
            for modulator in _all(modulators)
        ]
        return dependencies_of(self.nodes, projections, modulations)

    @cached_property
    def layers(self) -> tuple[tuple[str, ...], ...]:
        """
        The layers in which a pass visits the nodes. They are those of the schedule if it has some; otherwise a node stands
        in the first layer after all its dependencies. Within a layer the order is that of the text.
        """
        schedule = self.model.schedule
        if schedule is not None and schedule.layers is not None:
            return tuple(
                tuple(cast(SymbolRefAttr, node).string_value() for node in cast("ArrayAttr[Attribute]", layer))
                for layer in cast("ArrayAttr[Attribute]", schedule.layers)
            )
        return layers_of(self.dependencies)


def resolve(model: ModelOp) -> ModelGraph:
    """The resolved view of a model. Raises `ModelError` for names that lead nowhere and for models that contain themselves."""
    return _resolve(model, ())


def _resolve(model: ModelOp, outer: tuple[ModelOp, ...]) -> ModelGraph:
    if model in outer:
        raise ModelError(f"cog.model @{model.sym_name.data} contains an instance of itself; a model can only contain other models")
    inners = {
        instance.sym_name.data: _resolve(_model_of(instance), (*outer, model))
        for instance in model.body.block.ops
        if isinstance(instance, InstanceOp)
    }
    ends = _Ends(model, inners)
    modulations: dict[str, dict[str, list[Modulator]]] = {}
    for op in model.body.block.ops:
        if isinstance(op, ModulateOp):
            modulator = Modulator(ends.output(op, op.source, op.source_port), op.mode.data, op)
            modulations.setdefault(op.target.string_value(), {}).setdefault(ends.param(op), []).append(modulator)
    inputs = [ends.input(op, op.node, op.port) for op in model.inputs]
    senders: dict[Port, list[Sender]] = {}
    for op in model.body.block.ops:
        if isinstance(op, InputOp):
            target = ends.input(op, op.node, op.port)
            senders.setdefault(target, []).append(External(inputs.index(target), op))
        elif isinstance(op, ShadowOp):
            shadowed, target = ends.input(op, op.source, op.source_port), ends.input(op, op.target, op.target_port)
            if shadowed not in inputs:
                raise ModelError(f"{op.name}: {shadowed} is not an input of the model; name a port that has a cog.input")
            senders.setdefault(target, []).append(External(inputs.index(shadowed), op))
        elif isinstance(op, ProjectOp):
            source, target = ends.output(op, op.source, op.source_port), ends.input(op, op.target, op.target_port)
            name = op.sym_name.data if op.sym_name is not None else _unnamed(source, target, senders.get(target, ()))
            modulated = modulations.get(name, {}) if op.sym_name is not None else {}
            senders.setdefault(target, []).append(Projection(name, source, target, op, _frozen(modulated)))
    executables: dict[str, Executable] = {}
    for op in model.body.block.ops:
        if isinstance(op, NodeOp | InstanceOp):
            name = op.sym_name.data
            inner = inners.get(name)
            executables[name] = Executable(
                name,
                op,
                tuple(
                    InputPort(port, type, combine, tuple(senders.get(Port(name, port), ())))
                    for port, type, combine in _input_ports(op, inner)
                ),
                tuple(OutputPort(port, initial) for port, initial in _output_ports(op, inner)),
                _frozen(modulations.get(name, {})),
                inner,
            )
    outputs = tuple(ends.output(op, op.node, op.port) for op in model.body.block.ops if isinstance(op, OutputOp))
    return ModelGraph(model, executables, tuple(inputs), outputs)


class _Ends:
    """Finds the ports and parameters that the operations of a model name."""

    def __init__(self, model: ModelOp, inners: Mapping[str, ModelGraph]):
        self.symbols = model.symbols
        self.inners = inners

    def input(self, op: Operation, node: SymbolRefAttr, port: StringAttr | None) -> Port:
        target = self._named(op, node)
        if not isinstance(target, NodeOp | InstanceOp):
            raise ModelError(f"{op.name}: @{node.string_value()} is a {target.name}, which has no input ports; name a node or an instance")
        names = [name for name, _, _ in _input_ports(target, self.inners.get(node.string_value()))]
        return Port(node.string_value(), _pick(op, node, port, names, "input"))

    def output(self, op: Operation, node: SymbolRefAttr, port: StringAttr | None) -> Port:
        source = self._named(op, node)
        if isinstance(source, NodeOp | InstanceOp):
            names = [name for name, _ in _output_ports(source, self.inners.get(node.string_value()))]
        else:
            names = _signal_names(source)
        return Port(node.string_value(), _pick(op, node, port, names, "output"))

    def param(self, op: ModulateOp) -> str:
        target, name = self._named(op, op.target), op.param.data
        if isinstance(target, InstanceOp):
            held = [param for param in _params_of(self.inners[op.target.string_value()])]
        else:
            held = [param for param, _ in target.params] if isinstance(target, NodeOp | ProjectOp) else []
        if name not in held:
            raise ModelError(f"{op.name}: @{op.target.string_value()} has no parameter '{name}'; it has {_listed(held)}")
        return name

    def _named(self, op: Operation, node: SymbolRefAttr) -> Operation:
        found = self.symbols.get(node.string_value())
        if found is None:
            raise ModelError(f"{op.name}: the model has no @{node.string_value()}; it has {_listed(list(self.symbols))}")
        return found


def _pick(op: Operation, node: SymbolRefAttr, port: StringAttr | None, names: list[str], what: str) -> str:
    """The port meant: the one named (of an instance also by its inner node alone, at any depth), or the only one."""
    if port is None:
        matching = names
    else:
        matching = [name for name in names if name == port.data] or [name for name in names if name.startswith(f"{port.data}/")]
    if len(matching) != 1:
        said = f"has no {what} port '{port.data}'" if port is not None else f"has {len(names)} {what} ports"
        raise ModelError(f"{op.name}: @{node.string_value()} {said}; name one of {_listed(names)}")
    return matching[0]


def _input_ports(op: NodeOp | InstanceOp, inner: ModelGraph | None) -> list[tuple[str, Attribute, str]]:
    if isinstance(op, NodeOp):
        return [(name, type, combine.data) for (name, type), combine in zip(op.inputs, op.input_combine, strict=True)]
    assert inner is not None
    return [(f"{port.node}/{port.name}", inner.input_type(port), "sum") for port in inner.inputs]


def _output_ports(op: NodeOp | InstanceOp, inner: ModelGraph | None) -> list[tuple[str, Const]]:
    if isinstance(op, NodeOp):
        return list(op.outputs)
    assert inner is not None
    initials = {Port(executable.name, port.name): port.initial for executable in inner for port in executable.outputs}
    for controller in inner.model.controllers:
        initials |= {Port(controller.sym_name.data, name): start for name, start in controller.starts.items()}
    return [(f"{port.node}/{port.name}", initials[port]) for port in inner.outputs]


def _params_of(graph: ModelGraph) -> Iterator[str]:
    """The parameters inside a model: "node/param", "projection/param", "instance/node/param"."""
    for executable in graph:
        inside = _params_of(executable.inner) if executable.inner is not None else _names(cast(NodeOp, executable.op))
        yield from (f"{executable.name}/{param}" for param in inside)
    for projection in graph.projections:
        yield from (f"{projection.name}/{param}" for param in _names(projection.op))


def _names(op: NodeOp | ProjectOp) -> Iterator[str]:
    yield from (name for name, _ in op.params)


def _signal_names(controller: Operation) -> list[str]:
    """The signals of a controller, which are its output ports."""
    return [name for region in controller.regions for name, _ in with_names(region.block.ops)]


def simulated_model(controller: GridSearchOp) -> ModelOp | None:
    """The model that a controller simulates: the one that it names, or the enclosing one; None if there is none."""
    found = controller.simulated_model
    return found if isinstance(found, ModelOp) else None


def _model_of(instance: InstanceOp) -> ModelOp:
    found = find_in_module(instance, instance.model)
    if not isinstance(found, ModelOp):
        raise ModelError(f"cog.instance @{instance.sym_name.data}: there is no cog.model @{instance.model.string_value()} in the module")
    return found


def _unnamed(source: Port, target: Port, earlier: Iterable[Sender]) -> str:
    """A name for a projection without one, from its ends; a second one between the same ports gets a number."""
    same = sum(isinstance(sender, Projection) and sender.source == source for sender in earlier)
    return f"{source.node}:{source.name}->{target.node}:{target.name}" + (f"#{same}" if same else "")


def _frozen(modulators: Mapping[str, list[Modulator]]) -> Modulators:
    return {param: tuple(found) for param, found in modulators.items()}


def _all(modulations: Modulators) -> Iterator[Modulator]:
    for found in modulations.values():
        yield from found


def _listed(names: list[str]) -> str:
    return ", ".join(f"'{name}'" for name in names) if names else "none"


Effect = TypeVar("Effect")
"""The form in which a modulation acts: values, operations, or facts about it."""


def effects_inside(
    instance: Executable, effects: Callable[[Sequence[Modulator]], list[Effect]], outside: Mapping[str, Sequence[Effect]]
) -> dict[str, list[Effect]]:
    """
    The effects on parameters in an instance, by "node/param": those of the modulators of the model in which it is placed, then those
    from `outside` of that model, by the same with the instance's name before it.
    """
    found = {param: effects(modulators) for param, modulators in instance.modulations.items()}
    for path, further in outside.items():
        owner, _, param = path.partition("/")
        if owner == instance.name:
            found.setdefault(param, []).extend(further)
    return found


def main_model(module: ModuleOp, name: str | None) -> ModelOp:
    """The model of that name; without a name, the one that is no part of another (the last one, if there are several)."""
    models = {op.sym_name.data: op for op in module.body.block.ops if isinstance(op, ModelOp)}
    if not models:
        raise ModelError("cog: the module contains no cog.model")
    if name is not None:
        if name not in models:
            raise ModelError(f"cog: there is no cog.model @{name}; there is {', '.join(f'@{known}' for known in models)}")
        return models[name]
    inside: set[str] = set()
    for op in module.walk():
        if isinstance(op, InstanceOp):
            inside.add(op.model.string_value())
        elif isinstance(op, GridSearchOp) and op.model is not None:
            enclosing = enclosing_model(op)
            inside |= {op.model.string_value()} - {enclosing.sym_name.data if isinstance(enclosing, ModelOp) else ""}
    outermost = [model for symbol, model in models.items() if symbol not in inside]
    return (outermost or list(models.values()))[-1]
