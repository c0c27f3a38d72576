"""
What the builder hands back: nodes, instances, controllers and projections, and the ports, parameters and states in them.

Handles only name things; everything about them is in the records of their model.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, Generic, TypeAlias, TypeVar

from cogir.errors import ModelError, quoted, shown
from cogir.frontend.builder.checks import is_among
from cogir.frontend.builder.records import Address, ControlRecord, InstanceRecord, ModelRecord, NodeRecord, ProjectionRecord
from cogir.frontend.builder.source_location import did_you_mean, nearest, user_place
from cogir.frontend.builder.values import ValueType, type_of
from cogir.ranges import Between

if TYPE_CHECKING:
    Owner: TypeAlias = "Node | Instance | Control | Projection"


OwnerT = TypeVar("OwnerT", bound="Owner")
RecordT = TypeVar("RecordT", NodeRecord, InstanceRecord, ProjectionRecord, ControlRecord)


class _Part(Generic[OwnerT]):
    """Something of an owner, by its name there."""

    __slots__ = ("name", "owner")

    def __init__(self, owner: OwnerT, name: str):
        self.owner = owner
        self.name = name

    @property
    def address(self) -> Address:
        """The names of the owner and of the port."""
        return Address(self.owner.name, self.name)


class Port(_Part["Node | Instance | Control"]):
    """An input or output port of a node: `node["time"]`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f'{self.owner.name}["{self.name}"]'


class Parameter(_Part["Node | Instance | Projection"]):
    """A parameter of a node, an instance or a projection: `node.param("rate")`."""

    __slots__ = ()
    kind = "param"
    """The word before its name in the names of traces."""

    def __repr__(self) -> str:
        return f'{self.owner.name}.param("{self.name}")'


class State(_Part["Node"]):
    """A state of a node: `node.state("previous_value")`."""

    __slots__ = ()
    kind = "state"
    """The word before its name in the names of traces."""

    def __repr__(self) -> str:
        return f'{self.owner.name}.state("{self.name}")'


class Handle(Generic[RecordT]):
    """A name for one part of a model; everything about the part is in its record."""

    __slots__ = ("model", "record")

    def __init__(self, model: ModelRecord, record: RecordT):
        self.model = model
        self.record = record

    @property
    def name(self) -> str:
        """Its name in the model; empty for a projection without one."""
        return self.record.name or ""


class Node(Handle[NodeRecord]):
    """A node of a model, as `Model.node` returns it."""

    __slots__ = ()
    __iter__: ClassVar[None] = None  # it has names, no numbers, to be indexed with

    @property
    def inputs(self) -> dict[str, ValueType]:
        """Its input ports and their types."""
        return dict(self.record.inputs)

    @property
    def outputs(self) -> dict[str, ValueType]:
        """Its output ports and their types."""
        return dict(self.record.outputs)

    def __getitem__(self, port: str) -> Port:
        """A port by name."""
        known = dict.fromkeys((*self.record.outputs, *self.record.inputs))
        if not is_among(port, known):
            raise ModelError(f'{user_place()}: node "{self.name}" has no port {quoted(port)}{self._remedy(port)}')
        return Port(self, port)

    def __contains__(self, port: object) -> bool:
        """True for the name of a port of the node."""
        return is_among(port, dict.fromkeys((*self.record.outputs, *self.record.inputs)))

    def _remedy(self, port: object) -> str:
        """The port that may be meant by an unknown name, else the inputs and the outputs that there are."""
        near = nearest(port, [*self.record.outputs, *self.record.inputs])
        if near is not None:
            return f'; did you mean "{near}"?'
        return f"; it has {ports_of('input', self.record.inputs)}, and {ports_of('output', self.record.outputs)}"

    def param(self, name: str) -> Parameter:
        """A parameter by name, to modulate it or to search over it."""
        known = self.record.body.params if self.record.body else {}
        if not is_among(name, known):
            raise ModelError(f'{user_place()}: node "{self.name}" has no parameter {quoted(name)}{did_you_mean(name, known)}')
        return Parameter(self, name)

    def state(self, name: str) -> State:
        """A state by name, to look at it in a condition."""
        known = self.record.body.states if self.record.body else {}
        if not is_among(name, known):
            raise ModelError(f'{user_place()}: node "{self.name}" has no state {quoted(name)}{did_you_mean(name, known)}')
        return State(self, name)

    def __repr__(self) -> str:
        return f'<node "{self.name}" of "{self.model.name}">'

    def _repr_html_(self) -> str:
        """Its function, ports, parameters and states as a table for notebooks."""
        from cogir.pictures.tables import node_html, summary

        record, body = self.record, self.record.body
        does = "passes its input on" if body is None else getattr(body.function, "__name__", type(body.function).__name__)
        repeats = ", executes until it has finished" * record.until_finished
        groups: list[tuple[str, dict[str, str]]] = [
            ("input", {port: str(kept) for port, kept in record.inputs.items()}),
            ("parameter", {} if body is None else {name: summary(value) for name, value in body.params.items()}),
            ("option", {} if body is None else {name: shown(value) for name, value in body.statics.items()}),
            ("state, from", {} if body is None else {name: summary(value) for name, value in body.states.items()}),
            ("generator", {} if body is None else {role: stream.kind for role, stream in body.streams.items()}),
            ("output", {port: str(kept) for port, kept in record.outputs.items()}),
        ]
        return node_html(f'node "{self.name}" of "{self.model.name}": {does}{repeats}', groups)


class Instance(Handle[InstanceRecord]):
    """A model placed in another, as `Model.instance` returns it."""

    __slots__ = ()
    __iter__: ClassVar[None] = None  # it has names, no numbers, to be indexed with

    @property
    def inputs(self) -> dict[str, ValueType]:
        """The inputs of the inner model and their types; `node`, or `node/port` where a node has several."""
        return self.record.inputs

    @property
    def outputs(self) -> dict[str, ValueType]:
        """The outputs of the inner model and their types; `node`, or `node/port` where a node has several."""
        return self.record.outputs

    def __getitem__(self, port: str) -> Port:
        """An input or output of the inner model: `inner["node"]` or `inner["node/port"]`."""
        known = {**self.inputs, **self.outputs}
        if not is_among(port, known):
            raise ModelError(
                f'{user_place()}: instance "{self.name}" of model "{self.record.model.name}" has no input or output '
                f"{quoted(port)}{did_you_mean(port, known)}"
            )
        return Port(self, port)

    def __contains__(self, port: object) -> bool:
        """True for the name of an input or output of the inner model."""
        return is_among(port, {**self.inputs, **self.outputs})

    def param(self, name: str) -> Parameter:
        """A parameter of a node in the inner model: `inner.param("node/rate")`."""
        known = self.record.model.parameters()
        if not is_among(name, known):
            raise ModelError(f'{user_place()}: instance "{self.name}" has no parameter {quoted(name)}{did_you_mean(name, known)}')
        return Parameter(self, name)

    def __repr__(self) -> str:
        return f'<instance "{self.name}" of "{self.record.model.name}">'


class Projection(Handle[ProjectionRecord]):
    """A named projection with parameters or states of its own."""

    __slots__ = ()

    def param(self, name: str) -> Parameter:
        """A parameter by name, to modulate it."""
        known = self.record.body.params if self.record.body else {}
        if not is_among(name, known):
            raise ModelError(
                f'{user_place()}: projection "{self.name}" has no parameter {quoted(name)}{did_you_mean(name, known)}; to modulate '
                'its matrix, give the projection a name: m.project(a, b, name="weights", matrix=...)'
            )
        return Parameter(self, name)

    def __repr__(self) -> str:
        return f"<projection {self.record.source.owner} -> {self.record.target.owner}>"


class Control(Handle[ControlRecord]):
    """A controller, as `Model.control` returns it; `control["signal"]` is the value of a signal."""

    __slots__ = ()
    __iter__: ClassVar[None] = None  # it has names, no numbers, to be indexed with

    def __getitem__(self, signal: str) -> Port:
        """The value of a signal, as a port."""
        known = [record.name for record in self.record.signals]
        if not is_among(signal, known):
            raise ModelError(f'{user_place()}: controller "{self.name}" has no signal {quoted(signal)}{did_you_mean(signal, known)}')
        return Port(self, signal)

    def __contains__(self, signal: object) -> bool:
        """True for the name of a signal of the controller."""
        return is_among(signal, [record.name for record in self.record.signals])

    def __repr__(self) -> str:
        return f'<controller "{self.name}" of "{self.model.name}">'


def ports_of(kind: str, names: Iterable[str]) -> str:
    """The ports of a kind as a message names them: `the input "variable"`."""
    listed = [f'"{name}"' for name in names]
    return f"{'the ' if listed else 'no '}{kind}{'s' * (len(listed) > 1)}{' ' * bool(listed)}{', '.join(listed)}"


def parameter_range(parameter: Parameter) -> Between | None:
    """The range of the parameter that a handle names, if its function declares one."""
    return _range_in(parameter.owner.record, parameter.name)


def _range_in(record: NodeRecord | InstanceRecord | ProjectionRecord, name: str) -> Between | None:
    if isinstance(record, InstanceRecord):
        node, _, rest = name.partition("/")
        return _range_in(record.model.nodes[node], rest)
    return None if record.body is None else record.body.signature.ranges.get(name)


def parameter_type(parameter: Parameter) -> ValueType:
    """The type of the parameter that a handle names."""
    record = parameter.owner.record
    if isinstance(record, InstanceRecord):
        return record.model.parameters()[parameter.name]
    if record.body is None:
        raise ModelError(f'{user_place()}: found {parameter!r}; give a parameter, such as node.param("rate")')
    return type_of(record.body.params[parameter.name])
