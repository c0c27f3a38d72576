"""
Where a nested Composition is entered and left, PsyNeuLink multiplies by identity matrices, which change what is infinite or NaN in part:
infinity times zero is NaN. A model has no such matrices. It keeps whether there was such a thing, so that a run can be given up.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cogir.frontend.builder.handles import Node, Port
from cogir.frontend.builder.records import Side
from cogir.frontend.builder.source_location import user_place
from cogir.library.signature import State, Step, Value
from cogir.psyneulink.importer.imported import Imported


def crossing(x: Value, *, was_spread: State = 0.0) -> Step:
    """True if an identity matrix would ever have changed the vector that has come here: it is neither all finite nor all NaN."""
    is_spread = not np.all(np.isfinite(x)) and not np.all(np.isnan(x))
    return Step(was_spread, (1.0 if is_spread else was_spread,))


def watch_crossings(inner: Imported) -> None:
    """Nodes in the model of a nested Composition that look at what its Mechanisms get from outside, and at what they send there."""
    composition = inner.composition
    for port in composition.input_CIM_ports:
        if port.owner in inner.written and (watcher := watcher_of(inner, port, "in")) is not None:
            received = inner.receiver(port)
            assert received is not None
            inner.model.shadow(received[1], watcher)
    for port in composition.output_CIM_ports:
        if port.owner in inner.written and (watcher := watcher_of(inner, port, "out")) is not None:
            sent = inner.sender(port)
            assert sent is not None
            inner.model.project(sent[1], watcher)


def watcher_of(inner: Imported, port: Any, direction: Side) -> Node | None:
    """The node that looks at what crosses at a port; None if that is one number, which no matrix changes."""
    at = Port(inner.nodes[port.owner], inner.written[port.owner].ports[port])
    shape = inner.model.port(at, direction, "watch", user_place())[1].shape
    if int(np.prod(shape)) < 2:
        return None
    watcher = inner.model.node(f"{at.owner.name} {at.name} crossing", crossing, input=shape)
    inner.model.schedule.aside(watcher, "before" if direction == "in" else "after")
    inner.crossings.append((port, watcher))
    return watcher
