"""
What enters a nested Composition: where several Projections go to one of its inputs, the model shows what each has brought.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cogir.frontend.handles import Port
from cogir.frontend.psyneulink.names import name_in_paths
from cogir.frontend.psyneulink.values import vector

if TYPE_CHECKING:
    from cogir.frontend.psyneulink.composition import Imported


def show_arriving(inner: Imported) -> None:
    """Nodes in the model of a nested Composition, each with an input of its own: they keep what a Projection has brought when it ran."""
    cim = inner.composition.input_CIM
    for port in cim.input_ports:
        for projection in port.path_afferents if len(port.path_afferents) > 1 else ():
            if type(projection.sender.owner).__name__ != type(cim).__name__:
                start = vector(port.defaults.value)
                shown = inner.model.node(name_in_paths(projection.name), input=start.shape, initial={"value": start})
                inner.model.input(shown)
                inner.model.schedule.aside(shown, "before")
                inner.arrived[projection] = (shown, list(inner.model.interface("in"))[-1])


def entering(imported: Imported, composition: Any, projection: Any) -> Port | None:
    """The input of a nested Composition that shows what a Projection brings, if there is one."""
    held = imported.inner[composition].arrived.get(projection) if composition in imported.inner else None
    return None if held is None else Port(imported.nodes[composition], held[1])
