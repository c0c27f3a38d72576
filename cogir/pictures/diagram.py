"""
What a picture shows, as plain data: boxes, groups of boxes, and the edges between them. Nothing here has a place or a size.

Paths are those of compiled models: `node`, below an instance `instance/node`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

BoxKind: TypeAlias = Literal["node", "controller", "projection"]
"""A projection has a box of its own where it has a function, or parameters that are modulated."""

EdgeKind: TypeAlias = Literal["projection", "learned", "modulation", "control", "objective"]

EDGE_KINDS: dict[EdgeKind, str] = {
    "projection": "projection",
    "learned": "learned projection",
    "modulation": "modulation",
    "control": "control signal",
    "objective": "objective",
}
"""The kinds of edges, as legends name them."""

LineKind: TypeAlias = Literal["function", "fact", "condition"]


@dataclass(frozen=True)
class TextLine:
    """A line of text below the title of a box or group."""

    text: str
    kind: LineKind = "fact"


@dataclass(frozen=True)
class DiagramBox:
    """A node, a controller, or a projection that has more to show than an edge can."""

    path: str
    title: str
    kind: BoxKind = "node"
    lines: tuple[TextLine, ...] = ()
    roles: tuple[str, ...] = ()
    """Of "input", "output" and "controller"."""
    note: str = ""
    """All that is known of it, for tooltips: several lines."""
    rank: float = 0.0
    """The place of its layer in the order in which a pass visits them; boxes that execute earlier have a lower one."""


@dataclass(frozen=True)
class Group:
    """An instance: a model as a node of another one."""

    path: str
    title: str
    members: tuple[DiagramBox | Group, ...]
    lines: tuple[TextLine, ...] = ()
    note: str = ""
    rank: float = 0.0


@dataclass(frozen=True)
class Edge:
    """A connection from box to box, by their paths."""

    source: str
    target: str
    kind: EdgeKind = "projection"
    label: str = ""
    note: str = ""
    mutual: bool = False
    """True if there is the same edge in the other direction, too, which is not drawn again."""


@dataclass(frozen=True)
class Diagram:
    """A picture without places: the members of the model, the edges on all levels, and what is said of the whole."""

    name: str
    members: tuple[DiagramBox | Group, ...]
    edges: tuple[Edge, ...]
    facts: str = ""
    """The contents of the model, in one line."""
    captions: tuple[str, ...] = ()
    """Sentences below the picture: when a trial ends, how the model learns."""

    @property
    def boxes(self) -> Iterator[DiagramBox]:
        """All boxes, on all levels."""
        return boxes_of(self.members)

    @property
    def groups(self) -> Iterator[Group]:
        """All groups, outer ones before those inside."""
        return groups_of(self.members)

    @property
    def order(self) -> dict[str, tuple[float, ...]]:
        """The ranks and numbers of each box and of the groups around it, outermost first: boxes that execute earlier have lower ones."""
        return dict(_ranks(self.members, ()))


def boxes_of(members: tuple[DiagramBox | Group, ...]) -> Iterator[DiagramBox]:
    """The boxes among the members, and in the groups among them."""
    for member in members:
        if isinstance(member, DiagramBox):
            yield member
        else:
            yield from boxes_of(member.members)


def _ranks(members: tuple[DiagramBox | Group, ...], outer: tuple[float, ...]) -> Iterator[tuple[str, tuple[float, ...]]]:
    for number, member in enumerate(members):
        here = (*outer, member.rank, number)
        if isinstance(member, DiagramBox):
            yield member.path, here
        else:
            yield from _ranks(member.members, here)


def groups_of(members: tuple[DiagramBox | Group, ...]) -> Iterator[Group]:
    """The groups among the members, and those in them."""
    for member in members:
        if isinstance(member, Group):
            yield member
            yield from groups_of(member.members)
