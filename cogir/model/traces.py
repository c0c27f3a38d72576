"""
The traces of a model: what `cog.record` says of it and of the models inside it, in the order of numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects.builtin import TensorType, i1
from xdsl.ir import Attribute

from cogir.dialects import cog
from cogir.irutils import size_of
from cogir.model.graph import ModelGraph

SCHEDULE = "schedule"
"""The kind of a trace that says which nodes each time step has executed, and the last part of its path."""


@dataclass(frozen=True)
class TracedQuantity:
    """
    A recorded quantity: `owner` is the path of its node (of the schedule the prefix of its model), `kind` is "port", "state", "param" or
    "schedule". One of every so many executions is recorded, beginning with the first one of each trial.
    """

    owner: str
    kind: str
    name: str
    type: Attribute
    every: int
    labels: tuple[str, ...] = ()
    """Of the schedule the names of its nodes."""

    @property
    def path(self) -> str:
        """The path of the quantity, as in `analysis/layout.py`; of the schedule `schedule` below the prefix of its model."""
        return f"{self.owner}{SCHEDULE}" if self.kind == SCHEDULE else f"{self.owner}/{self.kind}:{self.name}"

    @property
    def size(self) -> int:
        """The number of elements of a value."""
        return size_of(self.type)

    @staticmethod
    def at(path: str, type: Attribute, every: int, labels: tuple[str, ...] = ()) -> TracedQuantity:
        """The trace of a path."""
        owner, _, last = path.rpartition("/")
        kind, colon, name = last.partition(":")
        if not colon:
            owner, kind, name = path.removesuffix(SCHEDULE), SCHEDULE, ""
        return TracedQuantity(owner, kind, name, type, every, labels)


def traces_of(graph: ModelGraph, prefix: str = "") -> Iterator[TracedQuantity]:
    """The traces of a model, then those of its instances."""
    for op in graph.model.records:
        if op.node is None:
            yield TracedQuantity(prefix, SCHEDULE, "", TensorType(i1, (len(graph.nodes),)), op.every.value.data, graph.nodes)
            continue
        name = op.node.root_reference.data
        node = graph[name].op
        assert isinstance(node, cog.NodeOp)
        kinds = {"port": node.outputs, "state": node.states, "param": node.params}
        kind = "port" if op.kind is None else op.kind.data
        held = op.held if op.kind is not None else op.port
        types = {each: cog.const_type(value) for each, value in kinds[kind]}
        wanted = next(iter(types)) if held is None else held.data
        yield TracedQuantity(f"{prefix}{name}", kind, wanted, types[wanted], op.every.value.data)
    for executable in graph:
        if executable.inner is not None:
            yield from traces_of(executable.inner, f"{prefix}{executable.name}/")
