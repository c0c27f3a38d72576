"""
Takes parts of a model out again, and puts others in their place: `m.node("x", ..., replace=True)`, `m.remove(node)`.

All that is said about a part is looked at first (`uses.py`); then the record is changed, or an error names what stands in the way and
nothing is changed. Models that were compiled before keep the code that they have.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace

from cogir.errors import ModelError
from cogir.frontend.builder.records import InstanceRecord, ModelRecord, NodeRecord, ProjectionRecord, ScheduleRecord
from cogir.frontend.builder.source_location import SourceLocation
from cogir.frontend.builder.uses import Use, copied, uses_of, uses_outside, without, without_learning, without_reset


class ReplacedWarning(UserWarning):
    """Something was said about the part that was replaced, and does not fit the new one: it was dropped."""


class RepeatedWarning(UserWarning):
    """A projection or modulation is given a second time, as by a cell of a notebook that was run again: both count."""


def put_in_place(record: ModelRecord, new: NodeRecord | InstanceRecord, what: str, place: SourceLocation) -> None:
    """
    Puts a node in the place of the one of its name; drops what does not fit it any more, and says so.

    Raises ModelError, and changes nothing, where the rest of the model needs what the new node does not have.
    """
    old = record.nodes[new.name]
    changed = copied(record)
    reset = changed.schedule.resets.get(new.name)
    if reset is not None and reset[1] == old.place:  # it was given with the node: reset_each_trial=True
        without_reset(changed, new.name)
    changed.schedule.carried.discard(new.name)
    uses = list(uses_of(changed, new.name, new))
    changed.nodes[new.name] = new
    dropped = drop(record, changed, uses, f"{place}: {what}", "keep what they need, or change them first")
    if dropped:
        message = f"{place}: {what}: dropped, as the new node does not fit: {listed(dropped)}; say it again if it is wanted"
        warnings.warn_explicit(message, ReplacedWarning, place.file, place.line)


def take_out(record: ModelRecord, name: str, what: str, place: SourceLocation) -> list[str]:
    """Removes a node with what is said about it alone, which is returned; raises ModelError where the rest of the model needs it."""
    changed = copied(record)
    uses = list(uses_of(changed, name, None))
    del changed.nodes[name]
    return list(map(str, drop(record, changed, uses, f"{place}: {what}", "change or remove them first")))


def drop(record: ModelRecord, changed: ModelRecord, uses: Sequence[Use], what: str, remedy: str) -> list[Use]:
    """Drops what does not stay from a changed copy of a record, makes it the record, and returns what was dropped."""
    gone = [use for use in uses if not use.stays]
    for use in gone:
        if use.drop is not None:
            use.drop(changed)
    lost = [use for use in (*gone, *(use for use in uses_outside(record, changed) if not use.stays))]
    if needed := [use for use in lost if use.drop is None or use not in gone]:
        raise ModelError(f"{what}: it is needed by {listed(needed)}; {remedy}")
    become(record, changed)
    return gone


def become(record: ModelRecord, changed: ModelRecord) -> None:
    """Gives a record all that a changed copy of it has."""
    for field in fields(ModelRecord):
        if field.name != "schedule":
            setattr(record, field.name, getattr(changed, field.name))
    for field in fields(ScheduleRecord):
        setattr(record.schedule, field.name, getattr(changed.schedule, field.name))


def listed(uses: Sequence[Use]) -> str:
    """Uses as a message names them."""
    return "; ".join(map(str, uses))


def warn_repeated(text: str, earlier: SourceLocation, remedy: str, place: SourceLocation, both: str) -> None:
    """Warns of what is given a second time."""
    message = f"{place}: {text}: it is given already, at {earlier}, and {both}; {remedy}"
    warnings.warn_explicit(message, RepeatedWarning, place.file, place.line)


def take_out_projection(record: ModelRecord, old: ProjectionRecord, what: str, place: SourceLocation) -> list[str]:
    """Removes a projection with what is said about its parameters, and the learning of its matrix; returns these."""
    changed = copied(record)
    changed.projections = [each for each in record.projections if each is not old]
    return list(map(str, drop(record, changed, list(_of_projection(record, old, None)), f"{place}: {what}", "change or remove them first")))


def put_projection_in_place(record: ModelRecord, new: ProjectionRecord, what: str, place: SourceLocation) -> bool:
    """Puts a projection in the place of those between its ports, or of its name; False if there is none."""
    old = [each for each in record.projections if projection_key(each) == projection_key(new)]
    if not old:
        return False
    changed = copied(record)
    changed.projections = [new if each is old[0] else each for each in record.projections if each is old[0] or each not in old]
    if changed.learns is not None and same_matrix(old[0], new):
        weights = [new if each is old[0] else each for each in changed.learns.weights]
        changed.learns = replace(changed.learns, weights=weights)
    uses = [use for each in old for use in _of_projection(changed, each, new)]
    if dropped := drop(record, changed, uses, f"{place}: {what}", "keep what they need, or change them first"):
        message = f"{place}: {what}: dropped, as the new projection does not fit: {listed(dropped)}; say it again if it is wanted"
        warnings.warn_explicit(message, ReplacedWarning, place.file, place.line)
    return True


def projection_key(record: ProjectionRecord) -> object:
    """The key by which one projection takes the place of another: the name, or without a name both ports."""
    return (record.source, record.target) if record.name is None else record.name


def same_matrix(old: ProjectionRecord, new: ProjectionRecord) -> bool:
    """True if what learns the matrix of a projection can learn that of another one."""
    if old.matrix is None or new.matrix is None or (old.recurrent, old.feedback) != (new.recurrent, new.feedback):
        return False
    return (old.matrix.shape, old.matrix.dtype) == (new.matrix.shape, new.matrix.dtype)


def _of_projection(record: ModelRecord, old: ProjectionRecord, new: ProjectionRecord | None) -> Iterator[Use]:
    """The uses of a projection in the model."""
    if record.learns is not None and any(each is old for each in record.learns.weights):
        yield Use("what m.learning says", record.learns.place, False, without_learning)
    params = new.body.params if new is not None and new.body is not None else {}
    for modulation in record.modulations if old.name is not None else ():
        if modulation.target.owner == old.name:
            text = f'the modulation {modulation.source.owner} -> {old.name}.param("{modulation.target.name}")'
            is_signal = modulation.source.owner in record.controls
            yield Use(
                text,
                modulation.place,
                modulation.target.name in params,
                None if is_signal else without("modulations", modulation),
            )


def take_out_control(record: ModelRecord, name: str, what: str, place: SourceLocation) -> list[str]:
    """Removes a controller with its signals, its condition and what its signals are sent to; returns what else was dropped."""
    changed = copied(record)
    del changed.controls[name]
    changed.modulations = [each for each in record.modulations if each.source.owner != name]
    changed.schedule.conditions.pop(name, None)
    uses = [
        Use(
            f"the projection {each.source.owner} -> {each.target.owner}",
            each.place,
            False,
            without("projections", each),
        )
        for each in record.projections
        if each.source.owner == name
    ]
    uses += [
        Use(f'that "{each.name}" is an output of the model', place, False, without("explicit_outputs", each))
        for each in record.explicit_outputs
        if each.owner == name
    ]
    return list(map(str, drop(record, changed, uses, f"{place}: {what}", "change or remove them first")))
