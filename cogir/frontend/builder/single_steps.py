"""
Nodes that are reset in each trial and make a single step in it.

A decision without `execute_until_finished` executes once in each pass. Where the schedule ends the trial after one pass, and a reset begins
each trial, the decision never gets further than its first step: its response time is one time step in all trials.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator

from cogir.frontend.builder.conditions import AtTrialStart
from cogir.frontend.builder.forgotten_resets import ResetWarning, has_state
from cogir.frontend.builder.records import InstanceRecord, ModelRecord, NodeRecord


def warn_of_single_steps(model: ModelRecord) -> None:
    """Warns of nodes, also in the models inside, whose function says when it has finished, but which never execute twice between resets."""
    for path, record in _single(model, ""):
        message = (
            f'{record.place}: node "{path}": it is reset in each trial and executes once in it, so it never gets further than one step; '
            "give it execute_until_finished=True, or let the trial end when it has finished: "
            f'model.schedule.trial_ends(cogir.WhenFinished("{record.name}"))'
        )
        if message not in model.warned:
            warnings.warn_explicit(message, ResetWarning, record.place.file, record.place.line, registry={})
            model.warned.add(message)


def nodes_that_start_anew(model: ModelRecord, prefix: str = "") -> Iterator[str]:
    """The paths of the nodes, also in the models inside, all of whose states are reset at the start of each trial."""
    for name, node in model.nodes.items():
        if isinstance(node, InstanceRecord):
            yield from nodes_that_start_anew(node.model, f"{prefix}{name}/")
        elif _starts_anew(model, name):
            yield f"{prefix}{name}"


def _single(model: ModelRecord, prefix: str) -> Iterator[tuple[str, NodeRecord]]:
    """These nodes, by path. Without conditions and ends of trials a trial has one pass, in which each node executes once."""
    schedule = model.schedule
    has_one_pass = not schedule.conditions and "trial" not in schedule.ends
    for name, node in model.nodes.items():
        if isinstance(node, InstanceRecord):
            yield from _single(node.model, f"{prefix}{name}/")
        elif has_one_pass and node.finishes and not node.until_finished and has_state(model, node) and _starts_anew(model, name):
            yield f"{prefix}{name}", node


def _starts_anew(model: ModelRecord, name: str) -> bool:
    """True if all states of a node are reset at the start of each trial."""
    schedule = model.schedule
    condition, _ = schedule.resets.get(name, (None, None))
    is_whole = name not in schedule.reset_states and not schedule.reset_keeps.get(name) and not schedule.reset_keeps_ports.get(name)
    return isinstance(condition, AtTrialStart) and is_whole
