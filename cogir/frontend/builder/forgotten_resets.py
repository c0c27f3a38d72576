"""
Nodes whose state lives on from trial to trial without anybody having said so.

A node with `execute_until_finished` that nothing resets begins a trial with the state in which the trial before ended: an integrator
stands at its threshold, and finishes after one more step. That is seldom what was meant.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator

from cogir.frontend.builder.records import InstanceRecord, ModelRecord, NodeRecord
from cogir.frontend.builder.source_location import SourceLocation


class ResetWarning(UserWarning):
    """A node that finishes is never reset between trials, or is reset before it can make a second step."""


def warn_of_forgotten_resets(model: ModelRecord) -> None:
    """Warns of nodes, also in the models inside, whose reset was forgotten: once for each line that makes such nodes."""
    by_line: dict[SourceLocation, dict[int, tuple[str, NodeRecord]]] = {}
    for path, record in _forgotten(model, ""):
        by_line.setdefault(record.place, {}).setdefault(id(record), (path, record))  # one node, however often its model is placed
    for place, found in by_line.items():
        path, record = next(iter(found.values()))
        message = _message(place, path, record.name, len(found) - 1)
        if message not in model.warned:
            warnings.warn_explicit(message, ResetWarning, place.file, place.line, registry={})
            model.warned.add(message)


def has_forgotten_resets(model: ModelRecord) -> bool:
    """True if there is something to warn of."""
    return any(True for _ in _forgotten(model, ""))


def _message(place: SourceLocation, path: str, name: str, others: int) -> str:
    more = f" (and {others} more node{'s' * (others != 1)} made there)" if others else ""
    return (
        f'{place}: node "{path}"{more}: it executes until it has finished and is never reset, so each trial begins with the final '
        "state of the previous trial; give it reset_each_trial=True, which means "
        f'model.schedule.reset("{name}", cogir.AtTrialStart()), or reset_each_trial=False to keep the state'
    )


def _forgotten(model: ModelRecord, prefix: str, *, simulated: bool = False) -> Iterator[tuple[str, NodeRecord]]:
    """
    The nodes that carry state from trial to trial, by path; those of an instance that is reset as a whole do not.

    A model that a controller simulates may simulate this one in turn, so controllers of a `simulated` model are not followed.
    """
    said = {*model.schedule.resets, *model.schedule.carried}
    for name, node in model.nodes.items():
        if name in said:
            continue
        if isinstance(node, InstanceRecord):
            yield from _forgotten(node.model, f"{prefix}{name}/", simulated=simulated)
        elif node.until_finished and has_state(model, node):
            yield f"{prefix}{name}", node
    for control in () if simulated else model.controls.values():
        if control.model not in (None, model) and control.trials_per_estimate > 1:
            yield from _forgotten(control.model, f"{prefix}{control.name}/", simulated=True)


def has_state(model: ModelRecord, record: NodeRecord) -> bool:
    """True if a trial depends on the one before: by states, or by outputs that come back to the node itself."""
    returning = any(held.source.owner == held.target.owner == record.name for held in model.projections)
    return returning or (record.body is not None and bool(record.body.states))
