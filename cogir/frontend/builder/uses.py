"""
What a model says about one of its nodes, and what of it stays when the node is replaced or removed.

    m.project(stimulus, decision)        # stays if both ports are still there, with the same types
    m.schedule.when(decision, ...)       # stays with a node of this name
    m.learning([(decision, target)])     # goes with its ports

A use that stays needs nothing; one that can be dropped says how; one that cannot (a condition of another node, a controller) refuses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import cast

from cogir.frontend.builder.condition import Condition
from cogir.frontend.builder.conditions import Threshold, While
from cogir.frontend.builder.handles import Handle
from cogir.frontend.builder.records import Address, ControlRecord, InstanceRecord, ModelRecord, NodeRecord
from cogir.frontend.builder.source_location import SourceLocation
from cogir.frontend.builder.values import ValueType

Record = NodeRecord | InstanceRecord | None
"""The part under the name of a node: another node, or None once it is removed."""


Drop = Callable[[ModelRecord], None]
"""Takes something out of a record."""


@dataclass(frozen=True)
class Use:
    """Something that was said about a node, with the line that said it."""

    text: str
    place: SourceLocation
    stays: bool
    drop: Drop | None = None
    """None if the model would mean something else without it."""

    def __str__(self) -> str:
        return f"{self.text} ({self.place})"


def copied(record: ModelRecord) -> ModelRecord:
    """A record that can be changed without changing the other one."""
    schedule = record.schedule
    tables = ("conditions", "resets", "reset_states", "reset_keeps", "reset_keeps_ports", "ends", "asides", "failures")
    return replace(
        record,
        nodes=dict(record.nodes),
        projections=[*record.projections],
        modulations=[*record.modulations],
        controls=dict(record.controls),
        traces=[*record.traces],
        explicit_inputs=[*record.explicit_inputs],
        explicit_outputs=[*record.explicit_outputs],
        shadows=dict(record.shadows),
        schedule=replace(schedule, carried={*schedule.carried}, **{name: dict(getattr(schedule, name)) for name in tables}),
    )


def outputs(node: Record) -> dict[str, ValueType]:
    """The output ports of what stands under a name."""
    return {} if node is None else dict(node.outputs)


def inputs(node: Record) -> dict[str, ValueType]:
    """The input ports of what stands under a name."""
    return {} if node is None else dict(node.inputs)


def parameters(node: Record, name: str) -> dict[str, ValueType]:
    """The parameters of what stands under a name, by the names that addresses have for them."""
    alone = {} if node is None else {name: node}
    return {path.removeprefix(f"{name}/"): kept for path, kept in ModelRecord("", nodes=alone).parameters().items()}


def states(node: Record) -> set[str]:
    """The states of what stands under a name."""
    return {*node.body.states} if isinstance(node, NodeRecord) and node.body is not None else set()


def uses_of(record: ModelRecord, name: str, new: Record) -> Iterator[Use]:
    """The uses in the model of the node of this name, beside the node itself, when `new` takes its place."""
    yield from _in_graph(record, name, new)
    yield from _in_learning(record, name, new)
    yield from _in_controls(record, name, new)
    yield from _in_schedule(record, name, new)


def _in_graph(record: ModelRecord, name: str, new: Record) -> Iterator[Use]:
    sent, received, params = outputs(new), inputs(new), parameters(new, name)

    def holds(address: Address, ports: dict[str, ValueType], type: ValueType | None = None) -> bool:
        return address.owner != name or (address.name in ports and type in (None, ports[address.name]))

    for projection in record.projections:
        if name in (projection.source.owner, projection.target.owner):
            stays = holds(projection.source, sent, projection.source_type) and holds(projection.target, received, projection.target_type)
            text = f"the projection {projection.source.owner} -> {projection.target.owner}"
            yield Use(text, projection.place, stays, without("projections", projection))
    for modulation in record.modulations:
        if name in (modulation.source.owner, modulation.target.owner):
            stays = (modulation.source.owner != name or _is_number(sent.get(modulation.source.name))) and (
                modulation.target.owner != name or _is_float(params.get(modulation.target.name))
            )
            text = f'the modulation {modulation.source.owner} -> {modulation.target.owner}.param("{modulation.target.name}")'
            is_signal = modulation.source.owner in record.controls
            text = f'a signal of the controller "{modulation.source.owner}"' if is_signal else text
            drop = None if is_signal else without("modulations", modulation)
            yield Use(text, modulation.place, stays, drop)
    for trace in record.traces:
        if trace.quantity.owner == name:
            known = {"port": sent, "state": states(new), "param": params}.get(trace.kind, {})
            text = f'the recording of the {trace.kind} "{trace.quantity.name}"'
            yield Use(text, trace.place, trace.quantity.name in known, without("traces", trace))
    place = record.nodes[name].place
    for kind, key, ports in (("input", "explicit_inputs", received), ("output", "explicit_outputs", sent)):
        for address in cast("list[Address]", getattr(record, key)):
            if address.owner == name:
                text = f'that "{address.name}" is an {kind} of the model'
                yield Use(text, place, address.name in ports, without(key, address))
    for (first, second), where in record.shadows.items():
        if name in (first.owner, second.owner):
            old = inputs(record.nodes[first.owner]).get(first.name)
            stays = holds(first, received, old) and holds(second, received, old)
            text = f"the shadow {first.owner} -> {second.owner}"
            yield Use(text, where, stays, without_key("shadows", (first, second)))


def _in_learning(record: ModelRecord, name: str, new: Record) -> Iterator[Use]:
    if record.learns is None:
        return
    sent, received = outputs(new), inputs(new)
    addresses = [(address, loss.type) for loss in record.learns.losses for address in (loss.sample, loss.target)]
    stays = all(sent.get(address.name) == kept for address, kept in addresses if address.owner == name)
    for each in record.learns.weights:
        stays &= each.source.owner != name or sent.get(each.source.name) == each.source_type
        stays &= each.target.owner != name or received.get(each.target.name) == each.target_type
    named = {address.owner for address, _ in addresses} | {
        end.owner for each in record.learns.weights for end in (each.source, each.target)
    }
    if name in named:
        yield Use("what m.learning says", record.learns.place, stays, without_learning)


def _in_controls(record: ModelRecord, name: str, new: Record) -> Iterator[Use]:
    for control in record.controls.values():
        if control.model is None and name in _named_by(control):
            yield Use(f'the controller "{control.name}"', control.place, _is_simulated(control, name, new))


def _named_by(control: ControlRecord) -> set[str]:
    """The nodes that the objective and the features of a controller name."""
    ports = [control.objective, *control.features, *(each for each in control.features.values() if isinstance(each, Address))]
    return {port.owner for port in ports}


def _is_simulated(control: ControlRecord, name: str, new: Record) -> bool:
    """True if a controller finds in a node what it reads."""
    sent, received = outputs(new), inputs(new)
    stays = control.objective.owner != name or _is_number(sent.get(control.objective.name))
    for to, of in control.features.items():
        stays &= to.owner != name or to.name in received
        stays &= not isinstance(of, Address) or of.owner != name or of.name in sent
    return stays


def _in_schedule(record: ModelRecord, name: str, new: Record) -> Iterator[Use]:
    """Its own conditions, which stay with a node of this name, and those of others."""
    schedule = record.schedule
    others = [(f'the condition of "{owner}"', given) for owner, given in schedule.conditions.items() if owner != name]
    others += [(f'the reset of "{owner}"', given) for owner, given in schedule.resets.items() if owner != name]
    others += [(f"the end of a {scale}", given) for scale, given in schedule.ends.items()]
    for text, (condition, place) in others:
        if named := [part for part in _parts(condition) if name in _nodes_of(part)]:
            yield Use(text, place, all(_reads(part, name, new) for part in named))
    if name in schedule.conditions:
        condition, place = schedule.conditions[name]
        stays = new is not None and all(_reads(part, name, new) for part in _parts(condition) if name in _nodes_of(part))
        yield Use("its condition", place, stays, without_key("conditions", name))
    if name in schedule.resets:
        asked = (*schedule.reset_states.get(name, ()), *schedule.reset_keeps.get(name, ()))
        kept = schedule.reset_keeps_ports.get(name, ())
        stays = new is not None and states(new).issuperset(asked) and {*outputs(new)}.issuperset(kept)
        yield Use("its reset", schedule.resets[name][1], stays, lambda model: without_reset(model, name))
    if name in schedule.asides:
        stays = isinstance(new, NodeRecord)
        yield Use("its place aside", schedule.asides[name][1], stays, without_key("asides", name))
    for (owner, state), (_, place) in schedule.failures.items():
        if owner == name:
            text = f'that a trial fails by its state "{state}"'
            yield Use(text, place, state in states(new), without_key("failures", (owner, state)))


def uses_outside(record: ModelRecord, changed: ModelRecord) -> Iterator[Use]:
    """The uses that would be gone with a change, of models in which this one is placed or whose controllers simulate it."""
    for outer in record.holders():
        for instance in (each for each in outer.nodes.values() if isinstance(each, InstanceRecord) and each.model is record):
            after = replace(instance, model=changed)
            for use in uses_of(outer, instance.name, after):
                yield replace(use, text=f'{use.text} of model "{outer.name}"')
        for control in outer.controls.values():
            if control.model is record and not all(_is_simulated(control, name, changed.nodes.get(name)) for name in _named_by(control)):
                yield Use(f'the controller "{control.name}" of model "{outer.name}"', control.place, False)


def without_reset(model: ModelRecord, name: str) -> None:
    """Takes what was said about resets of a node out of a record."""
    schedule = model.schedule
    for table in (schedule.resets, schedule.reset_states, schedule.reset_keeps, schedule.reset_keeps_ports):
        table.pop(name, None)
    model.schedule.carried.discard(name)


def without_learning(model: ModelRecord) -> None:
    """Takes what was said about learning out of a record."""
    model.learns = None


def without(key: str, item: object) -> Drop:
    """Takes one item out of a list of a record."""
    return lambda model: setattr(model, key, [each for each in cast("list[object]", getattr(model, key)) if each is not item])


def without_key(key: str, of: object) -> Drop:
    """Takes what is said about something out of a table of a record, or of its schedule."""

    def drop(model: ModelRecord) -> None:
        table = cast("dict[object, object]", getattr(model if key == "shadows" else model.schedule, key))
        del table[of]

    return drop


def _is_float(kept: ValueType | None) -> bool:
    return kept is not None and kept.dtype == "float64"


def _is_number(kept: ValueType | None) -> bool:
    return kept is not None and kept.size == 1 and kept.dtype == "float64"


def _parts(condition: Condition) -> Iterator[Condition]:
    """A condition, and those that it joins, negates or counts."""
    waiting: list[object] = [condition]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Condition):
            yield part
            waiting += vars(part).values()
        elif isinstance(part, tuple):
            waiting += cast("tuple[object, ...]", part)


def _nodes_of(condition: Condition) -> set[str]:
    """The names of the nodes that a condition itself names."""
    held = vars(condition)
    given = [held.get("dependency"), *held.get("dependencies", ()), *(getattr(read, "owner", None) for read in held.get("args", ()))]
    return {each if isinstance(each, str) else each.name for each in given if isinstance(each, str | Handle)}


def _reads(condition: Condition, name: str, new: Record) -> bool:
    """True if a condition finds in a node what it reads."""
    if new is None:
        return False
    known = {*outputs(new), *states(new), *parameters(new, name)}
    match condition:
        case Threshold():
            return condition.parameter in known
        case While():
            return all(read.name in known for read in condition.args if read.owner.name == name)
        case _:
            return True
