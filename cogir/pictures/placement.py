"""
The result of a layout: rectangles for boxes and groups, and paths for edges.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Point: TypeAlias = tuple[float, float]
Curve: TypeAlias = tuple[Point, Point, Point]
"""A cubic curve from where the path stands: two control points and the end."""


@dataclass(frozen=True)
class Rectangle:
    """A rectangle by its upper left corner and its size."""

    x: float
    y: float
    width: float
    height: float

    @property
    def centre(self) -> Point:
        """The point in the middle."""
        return self.x + self.width / 2, self.y + self.height / 2

    @property
    def right(self) -> float:
        """The right side."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The lower side."""
        return self.y + self.height

    def overlaps(self, other: Rectangle) -> bool:
        """True if the two have more than an edge in common."""
        return self.x < other.right and other.x < self.right and self.y < other.bottom and other.y < self.bottom

    def contains(self, other: Rectangle) -> bool:
        """True if no part of the other one is outside."""
        return self.x <= other.x and self.y <= other.y and self.right >= other.right and self.bottom >= other.bottom

    def transposed(self) -> Rectangle:
        """The rectangle with horizontal and vertical exchanged."""
        return Rectangle(self.y, self.x, self.height, self.width)


@dataclass(frozen=True)
class Route:
    """The path of an edge from the sender's side to the receiver's, and the middle of its label, if it has one."""

    start: Point
    curves: tuple[Curve, ...]
    label: Point | None = None

    @property
    def end(self) -> Point:
        """The point at the receiver."""
        return self.curves[-1][2] if self.curves else self.start

    def transposed(self) -> Route:
        """The path with horizontal and vertical exchanged."""
        curves = tuple(((a[1], a[0]), (b[1], b[0]), (c[1], c[0])) for a, b, c in self.curves)
        return Route((self.start[1], self.start[0]), curves, None if self.label is None else (self.label[1], self.label[0]))


@dataclass(frozen=True)
class Placement:
    """The places of all boxes and groups by path, and the routes of the edges in their order."""

    width: float
    height: float
    rectangles: dict[str, Rectangle]
    routes: tuple[Route, ...]
