"""
Conditions in words, for messages: `All((WhenFinished("b"), Elapsed(PASS, ">=", 3, TRIAL)))` is "(@b has finished and pass >= 3)".
"""

from __future__ import annotations

from collections.abc import Iterable

from cogir.model.conditions import (
    All,
    AllHaveRun,
    Always,
    Any,
    Calls,
    CallsCombined,
    Condition,
    Elapsed,
    EveryNCalls,
    JustRan,
    Never,
    Not,
    NWhen,
    Threshold,
    TimeScale,
    WhenFinished,
    WhenFinishedAll,
    WhenFinishedAny,
    While,
    nodes_in,
    walk,
)
from cogir.model.schedule import Schedule

SHOWN = 3
"""The greatest number of nodes whose conditions a message gives."""


def end_in_words(schedule: Schedule) -> str:
    """The condition that ends the trials of a schedule, and the conditions of the nodes that it names, in words."""
    spoken_of = dict.fromkeys(name for part in walk(schedule.trial_ends) for name in nodes_in(part))
    nodes = list(spoken_of) or [node for node in schedule.nodes if not isinstance(schedule.when[node], Always)]
    runs = [f"{_at([node])} runs when {said(schedule.when[node])}" for node in nodes[:SHOWN]]
    return "; ".join([f"a trial ends when {said(schedule.trial_ends)}", *runs, *(["..."] if len(nodes) > SHOWN else [])])


def said(condition: Condition, mark: str = "@") -> str:
    """A condition in words; `mark` stands before the names of nodes."""
    match condition:
        case Always():
            return "always"
        case Never():
            return "never"
        case All(parts):
            return f"({' and '.join(said(part, mark) for part in parts)})"
        case Any(parts):
            return f"({' or '.join(said(part, mark) for part in parts)})"
        case Not(part):
            return f"not {said(part, mark)}"
        case NWhen(part, n):
            return f"{said(part, mark)}, the first {n} times"
        case Calls(node, relation, n, scale):
            return f"calls of {_at([node], mark)} {relation} {n}{_within(scale)}"
        case CallsCombined(nodes, n, scale):
            return f"calls of {_at(nodes, mark)} >= {n}{_within(scale)}"
        case EveryNCalls(node, n):
            return f"{_at([node], mark)} has run" if n == 1 else f"{_at([node], mark)} has run {n} times"
        case Elapsed(unit, relation, n, within):
            name = unit.name.lower().replace("_", " ")
            return f"{name} {'is a multiple of' if relation == 'every' else relation} {n}{_within(within)}"
        case JustRan(node):
            return f"{_at([node], mark)} just ran"
        case AllHaveRun(nodes, scale):
            return f"{_at(nodes, mark) or 'all nodes'} have run{_within(scale)}"
        case WhenFinished(node):
            return f"{_at([node], mark)} has finished"
        case WhenFinishedAny(nodes):
            return f"one of {_at(nodes, mark) or 'all nodes'} has finished"
        case WhenFinishedAll(nodes):
            return f"{_at(nodes, mark) or 'all nodes'} have finished"
        case Threshold(node, kind, name, relation, value):
            return f'{kind} "{name}" of {_at([node], mark)} {relation} {value:g}'
        case While():
            return "a predicate holds"


def _at(nodes: Iterable[str], mark: str = "@") -> str:
    return ", ".join(f"{mark}{node}" for node in nodes)


def _within(scale: TimeScale) -> str:
    """The unit in which is counted; nothing for trials, in which most is."""
    return "" if scale == TimeScale.TRIAL else f" in the {scale.name.lower().replace('_', ' ')}"
