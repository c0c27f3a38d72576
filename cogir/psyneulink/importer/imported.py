"""
The record of an import: a model, and the part of it that each component of a Composition has become.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from cogir.frontend.builder.handles import Control, Instance, Node, Parameter, Port
from cogir.frontend.builder.model import Model
from cogir.psyneulink.importer.mechanism_record import WrittenNode
from cogir.psyneulink.importer.modulation import Effect
from cogir.psyneulink.importer.survey import Survey
from cogir.psyneulink.reader import UnsupportedFeature


@dataclass
class Feature:
    """A state feature with a function, which has become a node that executes beside the others, right before the controller searches."""

    node: Node
    written: WrittenNode
    arrived: tuple[str, ...]
    """If all is observed: the output ports that show what each Projection has brought."""


@dataclass
class Imported:
    """A model, and where the things of a Composition have gone in it."""

    survey: Survey
    model: Model
    nodes: dict[Any, Node | Instance] = field(default_factory=dict[Any, "Node | Instance"])
    written: dict[Any, WrittenNode] = field(default_factory=dict[Any, WrittenNode])
    inner: dict[Any, Imported] = field(default_factory=dict[Any, "Imported"])
    input_names: dict[Any, str] = field(default_factory=dict[Any, str])
    """For an InputPort that is an input of this model: its name in an instance."""
    output_names: dict[Any, str] = field(default_factory=dict[Any, str])
    control: Control | None = None
    counted: list[Any] = field(default_factory=list[Any])
    """PsyNeuLink's NWhen conditions, in the order in which the model numbers its own."""
    predicates: list[Any] = field(default_factory=list[Any])
    """The Python functions of conditions."""
    asked: list[Any] = field(default_factory=list[Any])
    """The components whose values these read in whatever execution context they had last."""
    assumed: list[Callable[[Any, bool], None]] = field(default_factory=list[Callable[[Any, bool], None]])
    """Checks before each call, for its execution id; they raise `UnsupportedFeature`."""
    features: dict[Any, Feature] = field(default_factory=dict[Any, Feature])
    """For a state feature of the controller that has a function: the node that it has become."""
    matrices: dict[str, Any] = field(default_factory=dict[str, Any])
    """The Projection behind each matrix of the model; None where two go from one port to another."""
    arrived: dict[Any, tuple[Node, str]] = field(default_factory=dict[Any, "tuple[Node, str]"])
    """
    For a Projection that enters a nested Composition, to an input that gets others, too, or to modulate something: the node that shows
    what it has brought, and the node's input in an instance.
    """
    crossings: list[tuple[Any, Node]] = field(default_factory=list[tuple[Any, Node]])
    """Of a nested Composition, by ports through which it is entered or left: the node that keeps whether PsyNeuLink spreads what is NaN."""

    idle: frozenset[Any] = frozenset()
    """The nodes that only `learn` executes. In a run they show zeros, and nobody sees them."""

    @property
    def composition(self) -> Any:
        """The Composition that the model was made of."""
        return self.survey.composition

    def functions(self) -> list[Any]:
        """The user's own Python functions that the model calls, those of nested Compositions, too."""
        nodes = [*self.written.values(), *(feature.written for feature in self.features.values())]
        own = [*self.predicates, *(function for written in nodes for function in written.own_functions)]
        return own + [function for inner in self.inner.values() for function in inner.functions()]

    def mechanisms(self) -> list[Any]:
        """The Mechanisms of this Composition and of nested ones, each as often as it is a node of one of them."""
        return [*self.written, *(held for inner in self.inner.values() for held in inner.mechanisms())]

    def drawing(self) -> list[tuple[Any, Any]]:
        """The Mechanisms of this Composition and of nested ones, with each Function from whose generator they draw."""
        own = [(node, function) for node, written in self.written.items() for function, _ in written.random_of.values()]
        return own + [held for inner in self.inner.values() for held in inner.drawing()]

    def counts_itself(self) -> bool:
        """True if a condition counts how often it has held, here or in a nested Composition."""
        return bool(self.counted) or any(inner.counts_itself() for inner in self.inner.values())

    def takes_counts(self) -> bool:
        """True if an OutputPort or a condition takes a count that simulations change, here or in a nested Composition."""
        return any(written.counted_by for written in self.written.values()) or any(inner.takes_counts() for inner in self.inner.values())

    def all_asked(self) -> list[Any]:
        """The components whose values functions of conditions read, here or in a nested Composition."""
        return self.asked + [held for inner in self.inner.values() for held in inner.all_asked()]

    def all_assumed(self) -> list[Callable[[Any, bool], None]]:
        """Checks before each call, of this Composition and of nested ones."""
        return self.assumed + [check for inner in self.inner.values() for check in inner.all_assumed()]

    def receiver(self, port: Any) -> tuple[Any, Port] | None:
        """The node and the port that an InputPort has become; that of a nested Composition's input CIM too."""
        owner = port.owner
        for composition, inner in self.inner.items():
            if owner is composition.input_CIM:
                held = next(inside for inside, (outer, _) in composition.input_CIM_ports.items() if outer is port)
                return composition, Port(self.nodes[composition], inner.input_names[held])
        if owner in self.nodes:
            return owner, Port(self.nodes[owner], self.written[owner].ports[port])
        return None

    def sender(self, port: Any) -> tuple[Any, Port] | None:
        """The node and the port that an OutputPort has become; that of a nested Composition's output CIM too."""
        owner = port.owner
        for composition, inner in self.inner.items():
            if owner is composition.output_CIM:
                held = next(inside for inside, (_, outer) in composition.output_CIM_ports.items() if outer is port)
                return composition, Port(self.nodes[composition], inner.output_names[held])
        if owner in self.nodes:
            return owner, Port(self.nodes[owner], self.written[owner].ports[port])
        return None

    def gates_of(self, projection: Any) -> list[tuple[Parameter, Effect]]:
        """The parameters on which a modulatory Projection acts, also inside a nested Composition, and how."""
        receiver = projection.receiver
        owner = receiver.owner
        if owner in self.written:
            if projection not in self.written[owner].gates:
                raise UnsupportedFeature(
                    f"{type(owner).__name__} {owner.name!r}",
                    f"{projection.sender.owner.name!r} modulates its {receiver.name!r}, which is not a number that it reads when it runs",
                    "modulate a number of its function, or run it in PsyNeuLink",
                )
            name, how = self.written[owner].gates[projection]
            return [(Parameter(self.nodes[owner], name), how)]
        for composition, inner in self.inner.items():
            if owner is composition.parameter_CIM:
                if len(receiver.path_afferents) > 1:
                    raise UnsupportedFeature(
                        f"Composition {composition.name!r}",
                        f"{len(receiver.path_afferents)} ControlSignals from outside of it modulate {receiver.name!r}",
                        "keep one of them, or put the others into the Composition",
                    )
                outputs = [outer for entered, outer in composition.parameter_CIM_ports.values() if entered is receiver]
                within = [gate for port in outputs for further in port.efferents for gate in inner.gates_of(further)]
                return [(Parameter(self.nodes[composition], f"{held.owner.name}/{held.name}"), how) for held, how in within]
        raise UnsupportedFeature(
            f"Composition {self.composition.name!r}",
            f"{projection.sender.owner.name!r} modulates {receiver.name!r} of {owner.name!r}, which is not a node of it",
            "add it to the Composition",
        )
