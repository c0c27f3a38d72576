"""
What a model holds, and what names mean in it: ports, inputs and outputs, parameters.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, cast

from cogir.errors import ModelError, shown
from cogir.frontend.builder import checks
from cogir.frontend.builder.handles import Control, Instance, Node, Parameter, Port, Projection, parameter_type
from cogir.frontend.builder.records import Address, LearningRecord, ModulationRecord, ProjectionRecord
from cogir.frontend.builder.source_location import Place, did_you_mean, user_place
from cogir.frontend.builder.values import ValueType, type_of

if TYPE_CHECKING:
    from cogir.frontend.builder.model import Model

Side = Literal["in", "out"]


class Graph:
    """The parts of a model by name; `Model` adds to them."""

    def __init__(self, name: str):
        self.name = name
        self.nodes: dict[str, Node | Instance] = {}
        self.projections: list[ProjectionRecord] = []
        self.named_projections: dict[str, Projection] = {}
        self.modulations: list[ModulationRecord] = []
        self.controls: dict[str, Control] = {}
        self.learns: LearningRecord | None = None
        self.explicit_inputs: list[Address] = []
        self.explicit_outputs: list[Address] = []
        self.shadows: dict[tuple[Address, Address], Place] = {}
        """Ports, each with one that gets what comes to it from outside."""

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

    def new_name(self, given: str, kind: str, place: Place) -> str:
        """Checks a name for a new part of the model."""
        name = checks.name(given, kind, place)
        earlier = self.nodes.get(name) or self.controls.get(name) or self.named_projections.get(name)
        if earlier is not None:
            raise ModelError(
                f'{place}: {kind} "{name}": the model has something of that name already, added at {earlier.record.place}; '
                "give it another name"
            )
        return name

    def models_inside(self) -> list[Graph]:
        """The models placed in this one, and those placed in them."""
        inner: list[Graph] = []
        for node in self.nodes.values():
            if isinstance(node, Instance):
                inner += [node.record.model, *node.record.model.models_inside()]
        return inner

    def node_places(self, prefix: str = "") -> Iterator[tuple[str, str]]:
        """The path of each node, also in the models placed in this one, and the line where it was made."""
        for name, node in self.nodes.items():
            if isinstance(node, Instance):
                yield from node.record.model.node_places(f"{prefix}{name}/")
            else:
                yield f"{prefix}{name}", str(node.record.place)

    # Ports

    def port(self, given: object, side: Side, what: str, place: Place) -> tuple[Address, ValueType]:
        """The port that a handle or a name means: a node stands for its only or first one."""
        if isinstance(given, str):
            given = self.node_called(given, what, place)
        if isinstance(given, Node | Instance):
            ports = given.inputs if side == "in" else given.outputs
            if not ports:
                raise ModelError(f'{place}: {what}: "{given.name}" has no {side}put; name a node that has one')
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

    def node_called(self, name: str, what: str, place: Place) -> Node | Instance:
        """A node or instance by name."""
        if name not in self.nodes:
            raise ModelError(f'{place}: {what}: the model has no node "{name}"{did_you_mean(name, self.nodes)}')
        return self.nodes[name]

    def must_hold(self, part: Node | Instance | Control | Projection, what: str, place: Place) -> None:
        """Refuses a part of another model."""
        if part.model is not cast("Model", self):
            raise ModelError(
                f'{place}: {what}: "{part.name}" belongs to model "{part.model.name}", not to "{self.name}"; '
                "use a node of this model, or place that one in it with m.instance"
            )

    def all_ports(self, given: object, side: Side, what: str, place: Place) -> list[Address]:
        """All the ports that a node or name stands for, or the one port named."""
        if isinstance(given, str):
            given = self.node_called(given, what, place)
        if isinstance(given, Node | Instance):
            self.must_hold(given, what, place)
            return [Address(given.name, name) for name in (given.inputs if side == "in" else given.outputs)]
        return [self.port(given, side, what, place)[0]]

    # Parameters

    def parameters(self) -> dict[str, ValueType]:
        """The types of all parameters that can be modulated, by path: `node/rate`, `inner/node/rate`."""
        found: dict[str, ValueType] = {}
        for name, node in self.nodes.items():
            if isinstance(node, Instance):
                inner = node.record.model.parameters()
                found |= {f"{name}/{path}": kept for path, kept in inner.items()}
            elif node.record.body is not None:
                found |= {f"{name}/{param}": type_of(value) for param, value in node.record.body.params.items()}
        return found

    def check_modulation(self, target: object, how: str, what: str, place: Place) -> Address:
        """The address of a parameter that may be modulated so."""
        if not isinstance(target, Parameter):
            raise ModelError(f'{place}: {what}: found {shown(target)}; give a parameter, such as node.param("rate")')
        self.must_hold(target.owner, what, place)
        checks.choice(how, ("multiply", "add", "override"), f"{what}: modulation", place)
        if parameter_type(target).dtype != "float64":
            raise ModelError(
                f"{place}: {what}: the parameter is {parameter_type(target)}; only numbers with a fraction can be modulated, so "
                f"write its default as a float: {target.name}=1.0"
            )
        address = target.address
        if how == "override" and any(m.target == address and m.how == "override" for m in self.modulations):
            raise ModelError(f"{place}: {what}: it is overridden already; at most one value can override a parameter")
        return address

    # Inputs and outputs

    def inputs(self) -> dict[Address, ValueType]:
        """
        The external inputs in order: those named by `input`, else all ports of nodes to which no projection comes (feedback,
        recurrence and projections of a node to itself do not count), and that shadow no other input.
        """
        chosen = self.explicit_inputs
        if not chosen:
            reached = {p.target.owner for p in self.projections if _counts(p)} | {shadowing.owner for _, shadowing in self.shadows}
            chosen = [Address(name, port) for name, node in self.nodes.items() if name not in reached for port in node.inputs]
        return {address: self.nodes[address.owner].inputs[address.name] for address in chosen}

    def why_no_inputs(self) -> str:
        """What to say to those who give inputs to a model that takes none."""
        senders = {p.target.owner: p.source.owner for p in self.projections if _counts(p)}
        path = [next(iter(self.nodes), "")]
        while path[-1] in senders and path[-1] not in path[:-1]:
            path.append(senders[path[-1]])
        cycle = path[path.index(path[-1]) :][::-1]
        if len(cycle) == 1:
            return "the model has no inputs; name some: model.input(node)"
        return (
            f"the model has no inputs, as each of its nodes receives a projection ({' -> '.join(cycle)} is a cycle); mark the projection "
            f'that closes it with feedback=True, or say what the input is: model.input("{cycle[0]}")'
        )

    def outputs(self) -> dict[Address, ValueType]:
        """
        The ports of a trial's result in order: those named by `output`, else all ports of nodes from which no projection
        and no modulation goes, other than a controller's objective.
        """
        chosen = self.explicit_outputs
        if not chosen:
            sending = {p.source.owner for p in self.projections if _counts(p)} | {m.source.owner for m in self.modulations}
            last = [name for name in self.nodes if name not in sending]
            objectives = {control.record.objective.owner for control in self.controls.values()}
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
