"""
A model as it was described: plain data, without any IR.

`Model` fills these records, `frontend/emit` turns them into a `cog` module, and `frontend/identity` into the key of the object cache.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias
from weakref import ref

from cogir.frontend.builder.condition import Condition
from cogir.frontend.builder.source_location import SourceLocation
from cogir.frontend.builder.values import Array, ValueType, type_of
from cogir.library.signature import FunctionSignature

Side: TypeAlias = Literal["in", "out"]
Modulation: TypeAlias = Literal["multiply", "add", "override"]


@dataclass(slots=True, frozen=True)
class Address:
    """A port, state or parameter: its owner and its name (of an instance: `node` or `node/port`)."""

    owner: str
    name: str


@dataclass(slots=True)
class StreamRecord:
    """The start of a generator: a seed, or a whole state (`words`)."""

    name: str
    kind: str
    seed: int | None
    words: Array | None
    number: int | None = None
    """If the seed is that of the model: which of the generators without a seed of their own this is."""


@dataclass(slots=True)
class FunctionRecord:
    """A Python function with the values of its parameters and the start of its states and generators."""

    function: Callable[..., Any]
    signature: FunctionSignature
    params: dict[str, Array]
    states: dict[str, Array]
    statics: dict[str, Any]
    streams: dict[str, StreamRecord]
    python: str | None = None
    """Why it is called in Python, if it cannot be compiled."""


@dataclass(slots=True)
class NodeRecord:
    """`body` is None for a node that passes its input on."""

    name: str
    place: SourceLocation
    inputs: dict[str, ValueType]
    combine: dict[str, str]
    body: FunctionRecord | None
    returns: dict[str, ValueType]
    """All that the function returns; `outputs` are those that became ports."""
    outputs: dict[str, ValueType]
    initials: dict[str, Array]
    finishes: bool
    until_finished: bool
    max_executions: int | None
    labels: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """The labels of the elements along the last axis of outputs."""
    units: dict[str, str] = field(default_factory=dict[str, str])
    """The units of outputs."""
    given_initials: frozenset[str] = frozenset()
    """The outputs whose initial values were given; those of others are zeros."""


@dataclass(slots=True)
class InstanceRecord:
    """A model placed in another."""

    name: str
    place: SourceLocation
    model: ModelRecord

    @property
    def inputs(self) -> dict[str, ValueType]:
        """The inputs of the inner model and their types; `node`, or `node/port` where a node has several."""
        return self.model.interface("in")

    @property
    def outputs(self) -> dict[str, ValueType]:
        """The outputs of the inner model and their types; `node`, or `node/port` where a node has several."""
        return self.model.interface("out")


@dataclass(slots=True)
class ProjectionRecord:
    """`matrix` is None for the identity; `body` and `name` are there in the long form only."""

    name: str | None
    place: SourceLocation
    source: Address
    target: Address
    source_type: ValueType
    target_type: ValueType
    matrix: Array | None
    body: FunctionRecord | None
    recurrent: bool
    feedback: bool


@dataclass(slots=True)
class ModulationRecord:
    """A value that acts on a parameter."""

    place: SourceLocation
    source: Address
    target: Address
    how: Modulation


@dataclass(slots=True)
class SignalRecord:
    """One axis of a search, and the costs of being on it."""

    name: str
    place: SourceLocation
    levels: Array
    initial: float
    costs: dict[str, Callable[..., Any]]
    clip: bool
    sum_from: float | None = None


@dataclass(slots=True)
class TrialInput:
    """An input of the trial, which simulations take for another one."""

    number: int


@dataclass(slots=True)
class EstimatesRecord:
    """The parameters in which the simulations of one grid point differ."""

    name: str
    place: SourceLocation
    number: int
    first: int
    step: int
    below: int
    initial: float
    advance: int


@dataclass(slots=True)
class ControlRecord:
    """A controller that searches a grid."""

    name: str
    place: SourceLocation
    model: ModelRecord | None
    objective: Address
    direction: str
    when: str
    ties: str
    tie_stream: StreamRecord | None
    trials_per_estimate: int
    estimates: int
    seeds: str
    seed_base: int
    keeps: str | None
    features: dict[Address, Address | Array | TrialInput]
    signals: list[SignalRecord]
    estimated: EstimatesRecord | None = None


@dataclass(slots=True)
class LossRecord:
    """A loss of two output ports."""

    sample: Address
    target: Address
    type: ValueType
    function: Callable[..., Any]


@dataclass(slots=True)
class LearningRecord:
    """The learning of the matrices of some projections of a model."""

    name: str
    place: SourceLocation
    weights: list[ProjectionRecord]
    named: bool
    """True if the weights were named; else they are all that the model has."""
    losses: list[LossRecord]
    over: str
    optimizer: FunctionRecord


@dataclass(slots=True)
class ScheduleRecord:
    """The schedule as it was described: every part with the line that gave it."""

    conditions: dict[str, tuple[Condition, SourceLocation]] = field(default_factory=dict[str, tuple[Condition, SourceLocation]])
    """When each node may run."""
    resets: dict[str, tuple[Condition, SourceLocation]] = field(default_factory=dict[str, tuple[Condition, SourceLocation]])
    """When each node is put back to its start."""
    reset_states: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """The only states that a reset of a node concerns."""
    reset_keeps: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """The states that a reset of a node leaves as they are."""
    reset_keeps_ports: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """The output ports that it leaves as they are."""
    carried: set[str] = field(default_factory=set[str])
    """Nodes whose state continues from trial to trial on purpose."""
    ends: dict[str, tuple[Condition, SourceLocation]] = field(default_factory=dict[str, tuple[Condition, SourceLocation]])
    """When a "trial" and a "run" end."""
    asides: dict[str, tuple[str, SourceLocation]] = field(default_factory=dict[str, tuple[str, SourceLocation]])
    """Nodes that execute once in each trial, "before" or "after" its passes."""
    failures: dict[tuple[str, str], tuple[str, SourceLocation]] = field(default_factory=dict[tuple[str, str], tuple[str, SourceLocation]])
    """The messages of states that must be zero at the end of a trial, by node and state."""


@dataclass(frozen=True)
class TraceRecord:
    """A quantity that is recorded inside of trials: its kind ("port", "state", "param" or "schedule"), and one of how many executions."""

    place: SourceLocation
    kind: str
    quantity: Address
    every: int


@dataclass(slots=True, eq=False, weakref_slot=True)
class ModelRecord:
    """A model as it was described, and what its parts mean together: inputs, outputs, parameters."""

    name: str
    nodes: dict[str, NodeRecord | InstanceRecord] = field(default_factory=dict[str, NodeRecord | InstanceRecord])
    projections: list[ProjectionRecord] = field(default_factory=list[ProjectionRecord])
    modulations: list[ModulationRecord] = field(default_factory=list[ModulationRecord])
    controls: dict[str, ControlRecord] = field(default_factory=dict[str, ControlRecord])
    learns: LearningRecord | None = None
    traces: list[TraceRecord] = field(default_factory=list[TraceRecord])
    explicit_inputs: list[Address] = field(default_factory=list[Address])
    explicit_outputs: list[Address] = field(default_factory=list[Address])
    has_inputs: bool = True
    has_outputs: bool = True
    """False if there are none, also where none was named."""
    shadows: dict[tuple[Address, Address], SourceLocation] = field(default_factory=dict[tuple[Address, Address], SourceLocation])
    """Ports, each with one that receives the same external input."""
    schedule: ScheduleRecord = field(default_factory=ScheduleRecord)
    dtype: str = "float64"
    """The type of the model's numbers."""
    seed: int = 0
    """The seed of its generators, and of its replicates and sweeps."""
    compiled_only: bool = False
    """True refuses functions that cannot be compiled."""
    warned: set[str] = field(default_factory=set[str])
    """The warnings about the model that were given: once, however often it is compiled."""
    held_by: list[ref[ModelRecord]] = field(default_factory=list[Any])
    """The models in which this one was placed, or whose controllers simulate it."""

    def holders(self) -> list[ModelRecord]:
        """The models in which this one was placed, or whose controllers simulate it, each once."""
        return list(dict.fromkeys(held for each in self.held_by if (held := each()) is not None))

    def models_inside(self) -> list[ModelRecord]:
        """The models placed in this one, and those placed in them."""
        inner: list[ModelRecord] = []
        for node in self.nodes.values():
            if isinstance(node, InstanceRecord):
                inner += [node.model, *node.model.models_inside()]
        return inner

    def node_places(self, prefix: str = "") -> Iterator[tuple[str, str]]:
        """The path of each node, also in the models placed in this one, and the line where it was made."""
        for name, node in self.nodes.items():
            if isinstance(node, InstanceRecord):
                yield from node.model.node_places(f"{prefix}{name}/")
            else:
                yield f"{prefix}{name}", str(node.place)

    def port_notes(self, prefix: str = "") -> Iterator[tuple[str, tuple[str, ...], str | None]]:
        """Outputs that have labels or a unit, also in the models placed in this one: `node/port`, labels, and unit."""
        for name, node in self.nodes.items():
            if isinstance(node, InstanceRecord):
                yield from node.model.port_notes(f"{prefix}{name}/")
            else:
                for port in {**node.labels, **node.units}:
                    yield f"{prefix}{name}/{port}", node.labels.get(port, ()), node.units.get(port)

    def statics(self, prefix: str = "") -> Iterator[str]:
        """The paths of the Static arguments of all nodes: `node/bound`, `inner/node/bound`."""
        for name, node in self.nodes.items():
            if isinstance(node, InstanceRecord):
                yield from node.model.statics(f"{prefix}{name}/")
            elif node.body is not None:
                yield from (f"{prefix}{name}/{static}" for static in node.body.statics)

    def parameters(self) -> dict[str, ValueType]:
        """The types of all parameters that can be modulated, by path: `node/rate`, `inner/node/rate`."""
        found: dict[str, ValueType] = {}
        for name, node in self.nodes.items():
            if isinstance(node, InstanceRecord):
                inner = node.model.parameters()
                found |= {f"{name}/{path}": kept for path, kept in inner.items()}
            elif node.body is not None:
                found |= {f"{name}/{param}": type_of(value) for param, value in node.body.params.items()}
        return found

    def inputs(self) -> dict[Address, ValueType]:
        """
        The external inputs in order: those named by `input`, else all ports of nodes to which no projection comes (feedback,
        recurrence and projections of a node to itself do not count), and that shadow no other input.
        """
        chosen = self.explicit_inputs
        if not chosen and self.has_inputs:
            reached = {p.target.owner for p in self.projections if _counts(p)} | {shadowing.owner for _, shadowing in self.shadows}
            chosen = [Address(name, port) for name, node in self.nodes.items() if name not in reached for port in node.inputs]
        return {address: self.nodes[address.owner].inputs[address.name] for address in chosen}

    def only_targets(self) -> frozenset[str]:
        """The nodes that are targets of learning and send nothing to others."""
        if self.learns is None:
            return frozenset()
        senders = {each.source.owner for each in (*self.projections, *self.modulations)}
        return frozenset(loss.target.owner for loss in self.learns.losses) - senders

    def why_no_inputs(self) -> str:
        """The message for inputs that are given to a model without any."""
        senders = {p.target.owner: p.source.owner for p in self.projections if _counts(p)}
        path = [next(iter(self.nodes), "")]
        while path[-1] in senders and path[-1] not in path[:-1]:
            path.append(senders[path[-1]])
        cycle = path[path.index(path[-1]) :][::-1]
        if len(cycle) == 1:
            return "the model has no inputs; declare one: model.input(node)"
        return (
            f"the model has no inputs, as each of its nodes receives a projection ({' -> '.join(cycle)} is a cycle); mark the "
            "projection that closes the cycle with feedback=True, or declare an input: "
            f'model.input("{cycle[0]}")'
        )

    def outputs(self) -> dict[Address, ValueType]:
        """
        The ports of a trial's result in order: those named by `output`, else all ports of nodes from which no projection
        and no modulation goes, other than a controller's objective.
        """
        chosen = self.explicit_outputs
        if not chosen and self.has_outputs:
            sending = {p.source.owner for p in self.projections if _counts(p)} | {m.source.owner for m in self.modulations}
            last = [name for name in self.nodes if name not in sending]
            objectives = {control.objective.owner for control in self.controls.values()}
            last = [name for name in last if name not in objectives] or last
            chosen = [Address(name, port) for name in last for port in self.nodes[name].outputs]
        return {address: self.nodes[address.owner].outputs[address.name] for address in chosen}

    def interface(self, side: Side) -> dict[str, ValueType]:
        """Inputs or outputs as the ports of an instance: `node`, or `node/port` where the node has several there."""
        ports = self.inputs() if side == "in" else self.outputs()
        owners = [address.owner for address in ports]
        return {
            address.owner if owners.count(address.owner) == 1 else f"{address.owner}/{address.name}": kept
            for address, kept in ports.items()
        }


def _counts(projection: ProjectionRecord) -> bool:
    return not (projection.feedback or projection.recurrent or projection.source.owner == projection.target.owner)
