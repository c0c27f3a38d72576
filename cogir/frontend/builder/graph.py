"""
The parts of a model by name: nodes, ports, projections, controllers, parameters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar, cast
from weakref import ref

from cogir.errors import ModelError, shown
from cogir.frontend.builder import checks
from cogir.frontend.builder.handles import Control, Instance, Node, Parameter, Port, Projection, State, parameter_type
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
from cogir.frontend.builder.replacing import projection_key, put_in_place, take_out, take_out_control, take_out_projection
from cogir.frontend.builder.source_location import SourceLocation, did_you_mean, user_place
from cogir.frontend.builder.values import ValueType

HandleT = TypeVar("HandleT", Node, Instance)


class Graph:
    """A record of a model, and its parts by name; `Model` adds to them."""

    def __init__(self, name: str):
        self.description = ModelRecord(name)
        self.nodes: dict[str, Node | Instance] = {}
        self.named_projections: dict[str, Projection] = {}
        self.controls: dict[str, Control] = {}
        self._given: dict[object, ProjectionRecord | ModulationRecord] = {}
        """The last projections and modulations by what they join; some of them may have been removed since."""

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
        """Adds a node under its name, or puts it in the place of the one that has it."""
        return self._placed(Node, record)

    def _add_instance(self, record: InstanceRecord) -> Instance:
        """Adds a model placed in this one under its name, or puts it in the place of what has it."""
        instance = self._placed(Instance, record)
        record.model.held_by.append(ref(self.description))
        return instance

    def _placed(self, kind: type[HandleT], record: NodeRecord | InstanceRecord) -> HandleT:
        """The handle of a node. Handles of one that is replaced by one of its kind mean the new one from then on."""
        if record.name in self.nodes:
            put_in_place(self.description, record, f'{kind.__name__.lower()} "{record.name}"', record.place)
            self._forget_projections()
        self.description.nodes[record.name] = record
        handle = self.nodes.get(record.name)
        if isinstance(handle, kind):
            handle.record = record  # pyright: ignore[reportAttributeAccessIssue]
            return handle
        made = kind(self.description, record)  # pyright: ignore[reportArgumentType]
        self.nodes[record.name] = made
        return made

    def _add_projection(self, record: ProjectionRecord, is_new: bool = True) -> Projection:
        """Adds a projection, which can be found by its name if it has one; `is_new`: it stands in the list already if not."""
        if is_new:
            self.projections.append(record)
        self._given[projection_key(record)] = record
        projection = Projection(self.description, record)
        if record.name is not None:
            self.named_projections[record.name] = projection
        return projection

    def _add_control(self, record: ControlRecord) -> Control:
        """Adds a controller under its name."""
        if record.model is not None:
            record.model.held_by.append(ref(self.description))
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

    def new_name(self, given: str, kind: str, place: SourceLocation, replace: object = False) -> str:
        """Checks a name for a new part of the model; with `replace` it may be that of an earlier part of its kind."""
        name = checks.name(given, kind, place)
        replaces = checks.flag(replace, f'{kind} "{name}": replace', place)
        tables = ({"projection": self.named_projections, "controller": self.controls}).get(kind, self.nodes)
        if replaces and name in tables:
            return name
        earlier = self.nodes.get(name) or self.controls.get(name) or self.named_projections.get(name)
        if earlier is not None:
            remedy = " or replace=True to put this one in its place" if name in tables else " (a part of another kind is not replaced)"
            raise ModelError(
                f'{place}: {kind} "{name}": the name is already used in the model, at {earlier.record.place}; give another name,{remedy}'
            )
        return name

    def remove(self, part: Node | Instance | Projection | Control | str) -> list[str]:
        """
        Removes a node, an instance, a projection or a controller with all that was said about it alone: projections from and to it, its
        conditions, modulations, recordings. Returns what was removed with it, with the lines that said it.

        Raises ModelError, and changes nothing, if something else would mean something else without it: conditions of other nodes, ends of
        trials and runs, controllers, models in which this one is placed. Models that were compiled before are not changed.
        """
        place = user_place()
        if isinstance(part, str):
            part = (
                self.nodes.get(part)
                or self.controls.get(part)
                or self.named_projections.get(part)
                or self.node_called(part, "remove", place)
            )
        if not isinstance(cast(object, part), Node | Instance | Projection | Control):
            raise ModelError(f"{place}: remove: found {shown(part)}; give a node, an instance, a projection or a controller, or its name")
        self.must_hold(part, "remove", place)
        if isinstance(part, Projection):
            gone = take_out_projection(self.description, part.record, f"remove {part!r}", place)
            self.named_projections.pop(part.name, None)
        elif isinstance(part, Control):
            gone = take_out_control(self.description, part.name, f'remove "{part.name}"', place)
            del self.controls[part.name]
        else:
            gone = take_out(self.description, part.name, f'remove "{part.name}"', place)
            del self.nodes[part.name]
        self._forget_projections()
        return gone

    def given_already(self, key: object, among: Iterable[object]) -> ProjectionRecord | ModulationRecord | None:
        """An earlier projection or modulation with the same key, if it is still among those of the model."""
        earlier = self._given.get(key)
        return earlier if earlier is not None and any(each is earlier for each in among) else None

    def _add_modulation(self, record: ModulationRecord) -> None:
        """Adds a modulation by a port."""
        self.modulations.append(record)
        self._given[record.source, record.target] = record

    def _forget_projections(self) -> None:
        """Names of projections that are no longer in the model are free again."""
        for name, handle in [*self.named_projections.items()]:
            if not self._has(handle):
                del self.named_projections[name]

    def _has(self, part: Node | Instance | Control | Projection) -> bool:
        """True if a part of this model was not removed or replaced by one of another kind."""
        if isinstance(part, Projection):
            return any(record is part.record for record in self.projections)
        return part is self.nodes.get(part.name) or part is self.controls.get(part.name)

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
        if not self._has(part):
            called = f'"{part.name}"' if part.name else repr(part)
            raise ModelError(
                f'{place}: {what}: {called}, made at {part.record.place}, is not in model "{self.name}" any more: it was removed or '
                "replaced; use the new one, or add it again"
            )

    def must_have(self, part: Parameter | State, what: str, place: SourceLocation) -> None:
        """Refuses a parameter or state of another model, and one that its owner has no longer."""
        self.must_hold(part.owner, what, place)
        if isinstance(part.owner, Instance):
            known: Iterable[str] = part.owner.record.model.parameters()
        else:
            body = part.owner.record.body
            known = () if body is None else body.params if isinstance(part, Parameter) else body.states
        if part.name not in known:
            raise ModelError(
                f'{place}: {what}: {part!r} is not there any more: "{part.owner.name}" was replaced, at {part.owner.record.place}'
                f"{did_you_mean(part.name, known)}"
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

    def check_modulation(
        self, target: object, how: str, what: str, place: SourceLocation, beside: Iterable[ModulationRecord] | None = None
    ) -> Address:
        """The address of a parameter that may be modulated so, `beside` other modulations (default: those of the model)."""
        if not isinstance(target, Parameter):
            raise ModelError(f'{place}: {what}: found {shown(target)}; give a parameter, such as node.param("rate")')
        self.must_have(target, what, place)
        checks.choice(how, ("multiply", "add", "override"), f"{what}: modulation", place)
        if parameter_type(target).dtype != "float64":
            raise ModelError(
                f"{place}: {what}: {target!r} is {parameter_type(target)}; only floating-point parameters can be modulated; "
                f"write its default as a float: {target.name.rpartition('/')[2]}=1.0"
            )
        address = target.address
        if how == "override" and any(m.target == address and m.how == "override" for m in (self.modulations if beside is None else beside)):
            raise ModelError(f"{place}: {what}: the parameter is already overridden; keep one override, or give replace=True")
        return address
