"""
A trial that ends when a node has finished: is the node still finished when the next trial begins?

A finished node stays finished until it is reset. So a trial that ends `WhenFinished(decision)`, without a reset of
`decision`, runs once: all later trials end before anything has run.
"""

from __future__ import annotations

from typing import cast

from cogir.frontend.builder.conditions import All, Any, Condition, WhenFinished, WhenFinishedAll, WhenFinishedAny
from cogir.frontend.builder.records import ModelRecord, NodeRecord


def stays_finished(model: ModelRecord) -> str | None:
    """The message, with a remedy, for a model whose later trials compute nothing; None if they may compute something."""
    if "trial" not in model.schedule.ends or "run" in model.schedule.ends:
        return None
    waits = _nodes(model.schedule.ends["trial"][0], model)
    if not waits or any(name in model.schedule.resets for name in waits):
        return None
    says = [name for name in waits if isinstance(node := model.nodes[name], NodeRecord) and node.finishes]
    if not says:
        return None
    names = " and ".join(f'"{name}"' for name in says)
    return (
        f'model "{model.name}": every trial after the first ends at once, because trials end when {names} has finished, and it stays '
        f'finished until it is reset; add model.schedule.reset("{says[0]}", cogir.AtTrialStart())'
    )


def _nodes(condition: Condition, model: ModelRecord) -> list[str] | None:
    """The nodes that a condition looks at, if it holds for as long as those that are finished stay so; else None."""
    match condition:
        case WhenFinished():
            named = (condition.dependency,)
        case WhenFinishedAny() | WhenFinishedAll():
            named = condition.dependencies or tuple(model.nodes)
        case All() | Any():
            parts = [_nodes(part, model) for part in condition.conditions]
            return None if None in parts else [name for part in parts for name in cast("list[str]", part)]
        case _:
            return None
    return [node if isinstance(node, str) else node.name for node in named]
