"""
The inputs of a nested Composition. Its model keeps what PsyNeuLink keeps when it runs: where several Projections go to one of its inputs,
what each has brought, and what modulates something in it.
"""

from __future__ import annotations

from typing import Any

from cogir.frontend.builder.handles import Node, Port
from cogir.psyneulink.importer.imported import Imported
from cogir.psyneulink.importer.modulation import signal_of
from cogir.psyneulink.importer.names import name_in_paths
from cogir.psyneulink.reader import vector


def show_arriving(inner: Imported) -> None:
    """Nodes in the model of a nested Composition, each with an input of its own: they keep what a Projection has brought when it ran."""
    cim = inner.composition.input_CIM
    for port in cim.input_ports:
        for projection in port.path_afferents if len(port.path_afferents) > 1 else ():
            if type(projection.sender.owner).__name__ != type(cim).__name__:
                keep(inner, port, projection)


def show_modulating(inner: Imported) -> None:
    """The same for what modulates something in a nested Composition, but for what is searched for: the search shows it."""
    for port, passed in inner.composition.parameter_CIM_ports.values():
        for projection in port.path_afferents:
            if not hasattr(signal_of(projection).owner, "agent_rep"):
                shown = keep(inner, port, projection)
                for further in passed.efferents:
                    for composition in inner.inner:
                        if (deeper := entering(inner, composition, further)) is not None:
                            inner.model.project(shown, deeper, feedback=True)


def keep(inner: Imported, port: Any, projection: Any) -> Node:
    """A node with an input of its own, which keeps what a Projection to a port of a CIM has brought when the Composition ran."""
    start = vector(port.defaults.value)
    shown = inner.model.node(name_in_paths(projection.name), input=start.shape, initial={"value": start})
    inner.model.input(shown)
    inner.model.schedule.aside(shown, "before")
    inner.arrived[projection] = (shown, list(inner.model.interface("in"))[-1])
    return shown


def entering(imported: Imported, composition: Any, projection: Any) -> Port | None:
    """The input of a nested Composition that shows what a Projection brings, if there is one."""
    held = imported.inner[composition].arrived.get(projection) if composition in imported.inner else None
    return None if held is None else Port(imported.nodes[composition], held[1])
