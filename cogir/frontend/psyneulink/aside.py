"""
A controller that simulates nothing, such as a ControlMechanism: a Mechanism that is executed once in each trial, beside the nodes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cogir.frontend.handles import Node, Port
from cogir.frontend.psyneulink.conditions import ConditionReader
from cogir.frontend.psyneulink.control import when_it_acts
from cogir.frontend.psyneulink.values import Reader, UnsupportedFeature

if TYPE_CHECKING:
    from cogir.frontend.psyneulink.composition import Imported


def add_aside(imported: Imported, controller: Any, reader: Reader, conditions: ConditionReader, observed: bool) -> None:
    """Says of the node that a controller has become when it executes; `observed`: what nested Compositions got from it can be seen."""

    def refuse(feature: str, remedy: str) -> UnsupportedFeature:
        return UnsupportedFeature(f"{type(controller).__name__} {controller.name!r}", feature, remedy)

    if reader.is_reset(controller) or "executions_in_trial" in imported.written[controller].states:
        raise refuse("it is reset, or counts its executions in a trial, which no controller does", "make it a Node of the Composition")
    node, schedule = imported.nodes[controller], imported.model.schedule
    assert isinstance(node, Node)
    when = when_it_acts(imported.composition, conditions, refuse)
    mode = str(imported.composition.controller_mode)
    schedule.aside(node, mode)
    if when is not None:
        schedule.when(node, when)
    if observed and mode == "after":
        show_in_force(imported, controller, node)


def show_in_force(imported: Imported, controller: Any, node: Node) -> None:
    """Nodes that keep what the signals of a controller were when the trial began, since that is what entered nested Compositions."""
    for port in controller.output_ports:
        if any(projection.receiver.owner not in imported.written for projection in port.efferents):
            shown = imported.in_force[port] = imported.model.node(f"{node.name}[{port.name}] in force", input=1)
            imported.model.project(Port(node, imported.written[controller].ports[port]), shown, feedback=True)
            imported.model.schedule.aside(shown, "before")
