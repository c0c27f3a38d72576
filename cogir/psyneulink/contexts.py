"""
The execution context in which each component was executed last, as a run leaves it.

A component that is asked for a value without a context answers with that of this one, and what is set or reset by hand is logged with
the time of the Composition that it names. PsyNeuLink gives each Mechanism a context of its own, in the phase in which it was executed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from cogir.psyneulink.held import LEDGER
from cogir.psyneulink.library import context_left, context_left_in_node

ATTRIBUTE = "_most_recent_context"
"""Where a component keeps it."""


class LastContexts:
    """Those of all components of a Composition."""

    def __init__(self, composition: Any):
        self.composition = composition
        compositions = list(_compositions_in(composition))
        frames = [one for each in compositions for one in (each, each.input_CIM, each.output_CIM, each.parameter_CIM)]
        seen = set(map(id, [*frames, *(node for each in compositions for node in each.nodes)]))
        self.nodes = [
            (each, [one.__dict__ for node in _mechanisms_of(each) for one in _parts_of(node, each, seen)]) for each in compositions
        ]
        """Of each Composition, what its Mechanisms consist of."""
        in_nodes = seen.difference(map(id, frames))
        self.others = [one.__dict__ for one in _all_of(composition, compositions) if id(one) not in in_nodes]
        """Compositions, their interfaces, controllers, and Projections of these."""

    def leave(self, execution_id: Any, *, is_run: bool = True, shared: Any = None) -> None:
        """
        All were executed in this context, also what there was no need of: in a run, or by `execute`.

        `shared`: PsyNeuLink's own for Compositions, if it has made one.

        Nothing is done where that was said last, and no value of PsyNeuLink has been used since.
        """
        now = (self, execution_id, is_run, LEDGER.looks)
        if shared is None and _left and _left[0] == now:
            return
        shared = context_left(execution_id, self.composition, is_run=is_run) if shared is None else shared
        for held in self.others:
            held[ATTRIBUTE] = shared
        for composition, parts in self.nodes:
            inner = context_left_in_node(execution_id, composition)
            for held in parts:
                held[ATTRIBUTE] = inner
        _left[:] = [now]

    def end_run(self, execution_id: Any) -> None:
        """A run is over: the Composition itself says its context, whatever the callbacks have executed last."""
        self.composition.__dict__[ATTRIBUTE] = context_left(execution_id, self.composition, is_run=True)
        _left.clear()


_left: list[tuple[LastContexts, Any, bool, int]] = []
"""What was said last: of which Composition, and how often somebody had looked by then."""


def _compositions_in(composition: Any) -> Iterator[Any]:
    yield composition
    for node in composition.nodes:
        if hasattr(node, "input_CIM"):
            yield from _compositions_in(node)


def _mechanisms_of(composition: Any) -> Iterator[Any]:
    return (node for node in composition.nodes if not hasattr(node, "input_CIM"))


def _parts_of(node: Any, composition: Any, seen: set[int]) -> Iterator[Any]:
    """A Mechanism, its ports, what projects to them in its Composition, and the Functions of all these."""
    yield node
    waiting: list[Any] = [*node._parameter_components, *node.input_ports, *node.output_ports, *node.parameter_ports]
    while waiting:
        one = waiting.pop()
        if id(one) in seen or not hasattr(one, "__dict__"):
            continue
        seen.add(id(one))
        yield one
        waiting += [*one._parameter_components, *(getattr(one, "parameter_ports", None) or ())]
        for projection in getattr(one, "all_afferents", ()):
            if one.afferents_info[projection].is_active_in_composition(composition):
                waiting.append(projection)


def _all_of(root: Any, compositions: Collection[Any]) -> Iterator[Any]:
    """All components that a Composition depends on, as PsyNeuLink finds them, but for what Projections of others bring along."""
    seen = {id(root)}
    waiting: list[Any] = [root]
    while waiting:
        one = waiting.pop()
        yield one
        info = getattr(one, "afferents_info", {})
        for other in one._dependent_components:
            if other in info and not any(map(info[other].is_active_in_composition, compositions)):
                continue
            if id(other) not in seen:
                seen.add(id(other))
                waiting.append(other)
