"""
A controller that simulates nothing, such as a ControlMechanism: a Mechanism that is executed once in each trial, beside the nodes.
"""

from __future__ import annotations

from typing import Any

from cogir.frontend.builder.handles import Node
from cogir.psyneulink.importer.conditions import ConditionReader
from cogir.psyneulink.importer.controller import when_it_acts
from cogir.psyneulink.importer.imported import Imported
from cogir.psyneulink.reader import Reader, UnsupportedFeature


def add_aside(imported: Imported, controller: Any, reader: Reader, conditions: ConditionReader) -> None:
    """Says of the node that a controller has become when it executes."""

    def refuse(feature: str, remedy: str) -> UnsupportedFeature:
        return UnsupportedFeature(f"{type(controller).__name__} {controller.name!r}", feature, remedy)

    if reader.is_reset(controller) or "executions_in_trial" in imported.written[controller].states:
        raise refuse(
            "it is reset, or counts its executions in a trial, which a controller outside the passes cannot",
            "make it a Node of the Composition",
        )
    node, schedule = imported.nodes[controller], imported.model.schedule
    assert isinstance(node, Node)
    when = when_it_acts(imported.composition, conditions, refuse)
    mode = str(imported.composition.controller_mode)
    schedule.aside(node, mode)
    if when is not None:
        schedule.when(node, when)
