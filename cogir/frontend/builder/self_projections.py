"""
Projections from a node to itself that are read less often than the node executes.

A node with `execute_until_finished` repeats its function within one execution, with the inputs that it had at the beginning, but for those
of `recurrent` projections. Competition between accumulators, without `recurrent=True`, is the zero of the beginning in all repetitions.
"""

from __future__ import annotations

import warnings

from cogir.frontend.builder.records import ModelRecord, NodeRecord
from cogir.frontend.builder.source_location import SourceLocation


class RecurrentWarning(UserWarning):
    """A node that executes until it has finished reads a projection to itself only once, before the first repetition."""


def warn_of_self_projection(model: ModelRecord, name: str, place: SourceLocation) -> None:
    """Warns of a projection of a node to itself about which nothing was said."""
    node = model.nodes.get(name)
    if isinstance(node, NodeRecord) and node.until_finished:
        message = (
            f'{place}: projection {name} -> {name}: node "{name}" executes until it has finished, and this projection is evaluated only '
            "once, before the first repetition; give recurrent=True to evaluate it in each repetition, or recurrent=False if once is meant"
        )
        warnings.warn_explicit(message, RecurrentWarning, place.file, place.line)
