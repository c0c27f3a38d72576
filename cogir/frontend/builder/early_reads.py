"""
Values that are read before the node that computes them has run, and make something zero until then.

A modulation that closes a cycle does not count for the order of the nodes, so its sender runs after the node whose parameter it sets: in
the first trial the parameter is the initial value of the sender, 0 if nobody says another. The same holds for what multiplies.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator

from cogir.frontend.builder.records import InstanceRecord, ModelRecord, ModulationRecord, NodeRecord, ProjectionRecord
from cogir.frontend.builder.source_location import SourceLocation
from cogir.model.layers import dependencies_of, layers_of
from cogir.runtime.modes import OrderWarning


def warn_of_early_reads(model: ModelRecord) -> None:
    """Warns of modulations and of projections that multiply, also in the models inside, that read a zero which nobody asked for."""
    for each in (model, *model.models_inside()):
        for place, message in _early_reads(each):
            if message not in model.warned:
                warnings.warn_explicit(message, OrderWarning, place.file, place.line, registry={})
                model.warned.add(message)


def _early_reads(model: ModelRecord) -> Iterator[tuple[SourceLocation, str]]:
    """The places and messages of these reads."""
    products = any(isinstance(node, NodeRecord) and "product" in node.combine.values() for node in model.nodes.values())
    if not products and all(held.how == "add" for held in model.modulations):
        return
    layers = _layers(model)
    receivers = {held.name: held.target.owner for held in model.projections if held.name is not None}
    for held in model.modulations:
        sender, receiver = held.source.owner, receivers.get(held.target.owner, held.target.owner)
        if held.how != "add" and _reads_before(layers, sender, receiver) and (node := _unset(model, held)) is not None:
            effect = "is" if held.how == "override" else "is multiplied by"
            target = f'parameter "{held.target.name}" of "{held.target.owner}"'
            yield held.place, _message(held.place, f"modulation {sender} -> {receiver}", target, effect, node, held.source.name)
    for held in model.projections:
        sender, receiver = held.source.owner, held.target.owner
        node = model.nodes[receiver]
        multiplies = isinstance(node, NodeRecord) and node.combine.get(held.target.name) == "product"
        if multiplies and _reads_before(layers, sender, receiver) and (source := _unset(model, held)) is not None:
            target = f'input "{held.target.name}" of "{receiver}"'
            yield (
                held.place,
                _message(held.place, f"projection {sender} -> {receiver}", target, "is multiplied by", source, held.source.name),
            )


def _message(place: SourceLocation, what: str, target: str, effect: str, sender: NodeRecord, port: str) -> str:
    name = sender.name
    return (
        f'{place}: {what}: "{name}" runs after the node that reads it, so {target} {effect} 0, the initial value of "{name}", until '
        f'"{name}" has run for the first time; give the initial value where "{name}" is made: initial={{"{port}": ...}} (0.0 if 0 is meant)'
    )


def _layers(model: ModelRecord) -> dict[str, float]:
    """The layer of each node; nodes that execute once in a trial lie before or after all others."""
    asides = {name: when for name, (when, _) in model.schedule.asides.items()}
    receivers = {held.name: held.target.owner for held in model.projections if held.name is not None}
    projections = [(held.source.owner, held.target.owner) for held in model.projections if not held.feedback]
    modulations = [(held.source.owner, receivers.get(held.target.owner, held.target.owner)) for held in model.modulations]
    nodes = [name for name in model.nodes if name not in asides]
    layers = layers_of(dependencies_of(nodes, projections, modulations))
    found = {name: float(number) for number, layer in enumerate(layers) for name in layer}
    return found | {name: float("-inf") if when == "before" else float("inf") for name, when in asides.items()}


def _reads_before(layers: dict[str, float], sender: str, receiver: str) -> bool:
    """True if the receiver runs before the sender does in each pass, or with it. Nodes of one layer read what was there before it."""
    return sender in layers and receiver in layers and layers[sender] >= layers[receiver]


def _unset(model: ModelRecord, held: ModulationRecord | ProjectionRecord) -> NodeRecord | None:
    """The node that sends, if its output is 0 at first without anybody having said so."""
    node, port = model.nodes[held.source.owner], held.source.name
    while isinstance(node, InstanceRecord):
        inner, _, rest = port.partition("/")
        node = node.model.nodes[inner]
        port = rest or next(iter(node.outputs))
    return node if port in node.initials and port not in node.given_initials and not node.initials[port].any() else None
