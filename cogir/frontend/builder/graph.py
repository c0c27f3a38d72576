"""
The parts of a model by name: nodes, ports, projections, controllers, parameters.
"""

from __future__ import annotations

from collections.abc import Iterator

from cogir.errors import ModelError, shown
from cogir.frontend.builder import checks
from cogir.frontend.builder.handles import Control, Instance, Node, Parameter, Port, Projection, parameter_type
from cogir.frontend.builder.records import (
    Address,
    ControlRecord,
    InstanceRecord,
    LearningRecord,
    ModelRecord,
    ModulationRecord,
    NodeRecord,
    ProjectionRecord,
    Side,
)
from cogir.frontend.builder.source_location import SourceLocation, did_you_mean, user_place
from cogir.frontend.builder.values import ValueType


class Graph:
    """A record of a model, and its parts by name; `Model` adds to them."""

    def __init__(self, name: str):
        self.description = ModelRecord(name)
        self.nodes: dict[str, Node | Instance] = {}
        self.named_projections: dict[str, Projection] = {}
        self.controls: dict[str, Control] = {}

    @property
    def name(self) -> str:
        """The name of the model."""
        return self.description.name

    @property
    def projections(self) -> list[ProjectionRecord]:
        """All projections, in the order in which they were added."""
        return self.description.projections

    @property
    def modulations(self) -> list[ModulationRecord]:
        """All modulations, in the order in which they were added."""
        return self.description.modulations

    @property
    def explicit_inputs(self) -> list[Address]:
        """The inputs that were named."""
        return self.description.explicit_inputs

    @property
    def explicit_outputs(self) -> list[Address]:
        """The outputs that were named."""
        return self.description.explicit_outputs

    @property
    def learns(self) -> LearningRecord | None:
        """The learning of the model, or None."""
        return self.description.learns

    def inputs(self) -> dict[Address, ValueType]:
        """The external inputs in order."""
        return self.description.inputs()

    def outputs(self) -> dict[Address, ValueType]:
        """The ports of a trial's result in order."""
        return self.description.outputs()

    def interface(self, side: Side) -> dict[str, ValueType]:
        """Inputs or outputs as the ports of an instance: `node`, or `node/port` where the node has several there."""
        return self.description.interface(side)

    def parameters(self) -> dict[str, ValueType]:
        """The types of all parameters that can be modulated, by path: `node/rate`, `inner/node/rate`."""
        return self.description.parameters()

    def _add_node(self, record: NodeRecord) -> Node:
        """Adds a node under its name."""
        self.description.nodes[record.name] = record
        node = self.nodes[record.name] = Node(self.description, record)
        return node

    def _add_instance(self, record: InstanceRecord) -> Instance:
        """Adds a model placed in this one under its name."""
        self.description.nodes[record.name] = record
        instance = self.nodes[record.name] = Instance(self.description, record)
        return instance

    def _add_projection(self, record: ProjectionRecord) -> Projection:
        """Adds a projection, which can be found by its name if it has one."""
        self.projections.append(record)
        projection = Projection(self.description, record)
        if record.name is not None:
            self.named_projections[record.name] = projection
        return projection

    def _add_control(self, record: ControlRecord) -> Control:
        """Adds a controller under its name."""
        self.description.controls[record.name] = record
        control = self.controls[record.name] = Control(self.description, record)
        return control

    def __getitem__(self, name: str) -> Node | Instance:
        """A node or instance by name."""
        return self.node_called(name, "model", user_place())

    def __iter__(self) -> Iterator[str]:
        """The names of the nodes and instances, in the order in which they were added."""
        return iter(self.nodes)

    def __len__(self) -> int:
        """The number of nodes and instances."""
        return len(self.nodes)

    def __bool__(self) -> bool:
        """True, as of most objects: a model without nodes is a model."""
        return True

    def __contains__(self, part: object) -> bool:
        """True for the name of a node or instance of this model, and for its handle."""
        return part in self.nodes if isinstance(part, str) else any(part is node for node in self.nodes.values())

    def new_name(self, given: str, kind: str, place: SourceLocation) -> str:
        """Checks a name for a new part of the model."""
        name = checks.name(given, kind, place)
        earlier = self.nodes.get(name) or self.controls.get(name) or self.named_projections.get(name)
        if earlier is not None:
            raise ModelError(
                f'{place}: {kind} "{name}": the name is already used in the model, at {earlier.record.place}; give another name'
            )
        return name

    # Ports

    def port(self, given: object, side: Side, what: str, place: SourceLocation) -> tuple[Address, ValueType]:
        """The port that a handle or a name means: a node stands for its only or first one."""
        if isinstance(given, str):
            given = self.node_called(given, what, place)
        if isinstance(given, Node | Instance):
            ports = given.inputs if side == "in" else given.outputs
            if not ports:
                raise ModelError(f'{place}: {what}: "{given.name}" has no {side}puts; name a node that has one')
            if side == "in" and len(ports) > 1:
                raise ModelError(
                    f'{place}: {what}: "{given.name}" has {len(ports)} inputs; name one, such as {given.name}["{next(iter(ports))}"]'
                )
            given = Port(given, next(iter(ports)))
        if not isinstance(given, Port):
            raise ModelError(f'{place}: {what}: found {shown(given)}; give a node, or a port such as node["value"]')
        owner = given.owner
        self.must_hold(owner, what, place)
        if isinstance(owner, Control):
            if side == "in":
                raise ModelError(f'{place}: {what}: "{owner.name}" is a controller, which has no inputs')
            return given.address, ValueType(())
        ports = owner.inputs if side == "in" else owner.outputs
        if given.name not in ports:
            raise ModelError(f'{place}: {what}: "{owner.name}" has no {side}put "{given.name}"{did_you_mean(given.name, ports)}')
        return given.address, ports[given.name]

    def node_called(self, name: str, what: str, place: SourceLocation) -> Node | Instance:
        """A node or instance by name."""
        if name not in self.nodes:
            raise ModelError(f'{place}: {what}: the model has no node "{name}"{did_you_mean(name, self.nodes)}')
        return self.nodes[name]

    def must_hold(self, part: Node | Instance | Control | Projection, what: str, place: SourceLocation) -> None:
        """Refuses a part of another model."""
        if part.model is not self.description:
            raise ModelError(
                f'{place}: {what}: "{part.name}" belongs to model "{part.model.name}", not to "{self.name}"; '
                "use a node of this model, or add the other model with m.instance"
            )

    def all_ports(self, given: object, side: Side, what: str, place: SourceLocation) -> list[Address]:
        """All the ports that a node or name stands for, or the one port named."""
        if isinstance(given, str):
            given = self.node_called(given, what, place)
        if isinstance(given, Node | Instance):
            self.must_hold(given, what, place)
            return [Address(given.name, name) for name in (given.inputs if side == "in" else given.outputs)]
        return [self.port(given, side, what, place)[0]]

    # Parameters

    def check_modulation(self, target: object, how: str, what: str, place: SourceLocation) -> Address:
        """The address of a parameter that may be modulated so."""
        if not isinstance(target, Parameter):
            raise ModelError(f'{place}: {what}: found {shown(target)}; give a parameter, such as node.param("rate")')
        self.must_hold(target.owner, what, place)
        checks.choice(how, ("multiply", "add", "override"), f"{what}: modulation", place)
        if parameter_type(target).dtype != "float64":
            raise ModelError(
                f"{place}: {what}: the parameter is {parameter_type(target)}; only floating-point parameters can be modulated; "
                f"write its default as a float: {target.name}=1.0"
            )
        address = target.address
        if how == "override" and any(m.target == address and m.how == "override" for m in self.modulations):
            raise ModelError(f"{place}: {what}: the parameter is already overridden; keep one override")
        return address
