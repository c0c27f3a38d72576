"""
Places for boxes, groups and edges: a layered layout after Sugiyama, level by level.

On each level, members stand in ranks (`ranks`), in an order in which few edges cross (`order`), as near to their neighbours as they can
(`positions`). An edge over several ranks passes each of them at a vertex of its own, so that it runs through no box, and a label is such
a vertex with a size. A group is laid out first, with a pin on its border for each edge that crosses it, and is a box on the level above.

All is computed with `cross` for the direction in which a rank extends and `main` for the one in which ranks follow each other: x and y
when the picture runs down, y and x when it runs to the right.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from cogir.pictures.level import PADDING, Bend, Laid, Level, Member, Pin, Size, Strand
from cogir.pictures.placement import Curve, Placement, Point, Rectangle, Route
from cogir.pictures.ranks import downward

Direction: TypeAlias = Literal["down", "right"]


@dataclass(frozen=True)
class Link:
    """An edge from box to box, with the size of its label."""

    source: str
    target: str
    label: Size | None = None
    mutual: bool = False
    """True if it stands for one in the other direction, too."""


def place(items: Sequence[Member], links: Sequence[Link], direction: Direction = "down") -> Placement:
    """The places of items and links: no two boxes overlap, members lie inside their groups, and each link has a route."""
    laid = _Layout(links, direction).all(items)
    routes: list[Route] = []
    for number in range(len(links)):
        label = laid.labels.get(number)
        if number in laid.loops:
            start, curve = laid.loops[number]
            routes.append(Route(start, (curve,), label))
        else:
            routes.append(_route(laid.chains[number], label))
    rectangles = {path: Rectangle(c, m, width, height) for path, (c, m, width, height) in laid.rectangles.items()}
    if direction == "right":
        rectangles = {path: rectangle.transposed() for path, rectangle in rectangles.items()}
        return Placement(laid.main, laid.cross, rectangles, tuple(route.transposed() for route in routes))
    return Placement(laid.cross, laid.main, rectangles, tuple(routes))


def _route(chain: Sequence[Bend], label: Point | None) -> Route:
    """The path along the bends: straight where they are, and curves between them."""
    at = (chain[0].cross, chain[0].begin)
    start, curves = at, list[Curve]()

    def straight(to: Point) -> None:
        nonlocal at
        if abs(to[0] - at[0]) + abs(to[1] - at[1]) > 0.05:
            third = ((to[0] - at[0]) / 3, (to[1] - at[1]) / 3)
            curves.append(((at[0] + third[0], at[1] + third[1]), (to[0] - third[0], to[1] - third[1]), to))
            at = to

    slope = 0.0
    for number, bend in enumerate(chain):
        next_slope = _slope(chain[number - 1], bend, chain[number + 1]) if bend.is_free and 0 < number < len(chain) - 1 else 0.0
        if abs(bend.cross - at[0]) < 0.5 and slope == next_slope == 0.0:
            straight((bend.cross, bend.begin))
        else:
            half = (bend.begin - at[1]) / 2
            curves.append(
                ((at[0] + slope * half, at[1] + half), (bend.cross - next_slope * half, bend.begin - half), (bend.cross, bend.begin))
            )
            at = (bend.cross, bend.begin)
        slope = next_slope
        straight((bend.cross, bend.end))
    return Route(start, tuple(curves), label)


def _slope(before: Bend, bend: Bend, after: Bend) -> float:
    """The angle at which an edge passes a free bend: between those of the ways there and on, and none if it turns back."""
    one = (bend.cross - before.cross) / ((bend.begin - before.end) or 1.0)
    two = (after.cross - bend.cross) / ((after.begin - bend.end) or 1.0)
    return 2 * one * two / (one + two) if one * two > 0 else 0.0


class _Layout:
    """The layout of one picture."""

    def __init__(self, links: Sequence[Link], direction: Direction):
        self.links = links
        self.turned = direction == "right"
        self.home: dict[str, tuple[str, ...]] = {}
        """path of a box -> the members in which it stands, from the outermost one to itself"""

    def all(self, items: Sequence[Member]) -> Laid:
        self._find(items, ())
        return self._level(items, range(len(self.links)), (), 0, None)

    def _find(self, items: Sequence[Member], outer: tuple[str, ...]) -> None:
        for item in items:
            if item.members is None:
                self.home[item.path] = (*outer, item.path)
            else:
                self._find(item.members, (*outer, item.path))

    def _size(self, size: Size) -> Size:
        """A size as extents in cross and main."""
        return (size[1], size[0]) if self.turned else size

    def _level(self, members: Sequence[Member], links: Iterable[int], pins: Sequence[Pin], depth: int, group: Member | None) -> Laid:
        """The layout of a level with the links that have both ends in it, and pins for those that have one."""
        index = {member.path: number for number, member in enumerate(members)}

        def member_at(end: str) -> int:
            return index[self.home[end][depth]]

        inside: dict[int, list[int]] = {number: [] for number in range(len(members))}
        loops: dict[int, list[int]] = {}
        strands: list[Strand] = []
        for number in links:
            link = self.links[number]
            source, target = member_at(link.source), member_at(link.target)
            if source != target:
                label = None if link.label is None else self._size(link.label)
                strands.append(Strand(number, source, target, turned=False, label=label))
            elif members[source].members is not None:
                inside[source].append(number)
            else:
                loops.setdefault(source, []).append(number)
        pairs = [(strand.upper, strand.lower) for strand in strands]
        back = [(strand.lower, strand.upper) for strand in strands if self.links[strand.link].mutual]
        for strand, down in zip(strands, downward([member.rank for member in members], [*pairs, *back]), strict=False):
            if not down:
                strand.upper, strand.lower, strand.turned = strand.lower, strand.upper, True
        crossing: dict[int, list[Pin]] = {number: [] for number in range(len(members))}
        for strand in strands:
            crossing[strand.upper].append(Pin(strand.link, leaves=not strand.turned, before=False))
            crossing[strand.lower].append(Pin(strand.link, leaves=strand.turned, before=True))
        ends: list[tuple[Pin, int]] = []
        for pin in pins:
            link = self.links[pin.link]
            member = member_at(link.source if pin.leaves else link.target)
            crossing[member].append(pin)
            ends.append((pin, member))
        groups = {
            number: self._level(member.members, inside[number], crossing[number], depth + 1, member)
            for number, member in enumerate(members)
            if member.members is not None
        }
        level = Level(members, strands, groups, [self._size((member.width, member.height)) for member in members])
        level.reserve(loops, {number: self._size(self.links[number].label or (0.0, 0.0)) for held in loops.values() for number in held})
        level.add_pins(ends)
        level.arrange()
        return level.laid(self._margins(group), ends)

    def _margins(self, group: Member | None) -> tuple[float, float, float, float]:
        """The space around the members: before and after them in cross, before and after them in main; and for a title, the least size."""
        if group is None:
            return (0.0, 0.0, 0.0, 0.0)
        cross, main = (PADDING + group.height, PADDING) if self.turned else (PADDING, PADDING + group.height)
        return (cross, main, *self._size((group.width, 0.0)))
