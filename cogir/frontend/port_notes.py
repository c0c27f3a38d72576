"""
The labels and units that the text of a model gives to outputs, on which its code does not depend.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import ModuleOp

from cogir.dialects import cog
from cogir.dialects.cog.lookup import find_model
from cogir.model.graph import main_model
from cogir.runtime.origin import PortNotes, port_notes


def notes_of(module: ModuleOp) -> PortNotes:
    """The labels and units in the main model of a module, and in the models placed in it, by `node/port`."""
    return port_notes(_notes(main_model(module, None), ""))


def _notes(model: cog.ModelOp, prefix: str) -> Iterator[tuple[str, tuple[str, ...], str | None]]:
    for op in model.body.block.ops:
        if isinstance(op, cog.InstanceOp):
            inner = find_model(op, op.model)
            if isinstance(inner, cog.ModelOp):
                yield from _notes(inner, f"{prefix}{op.sym_name.data}/")
        elif isinstance(op, cog.NodeOp):
            for port in {**op.labels, **op.units}:
                yield f"{prefix}{op.sym_name.data}/{port}", op.labels.get(port, ()), op.units.get(port)


def without_notes(module: ModuleOp) -> ModuleOp:
    """The module, or a copy of it without labels and units if it has some: what its code depends on."""
    if not any(_has_notes(op) for op in module.walk()):
        return module
    copy = module.clone()
    for op in copy.walk():
        if isinstance(op, cog.NodeOp):
            op.output_labels = op.output_units = None
    return copy


def _has_notes(op: object) -> bool:
    return isinstance(op, cog.NodeOp) and (op.output_labels is not None or op.output_units is not None)
