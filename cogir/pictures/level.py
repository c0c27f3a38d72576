"""
The layout of one level: the members of a model or group side by side in ranks, and the edges between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeAlias

from cogir.pictures.order import ordered
from cogir.pictures.placement import Curve, Point
from cogir.pictures.positions import Pull, Vertex, positions
from cogir.pictures.ranks import ranks

RANK_GAP = 46.0
BOX_GAP = 26.0
EDGE_GAP = 9.0
LABEL_GAP = 6.0
PADDING = 18.0
"""The distance of a group's members from its border."""
ENTRY = 12.0
"""The room below the title of a group, where edges come in."""
LOOP = 22.0
NEXT_LOOP = 9.0
STEEP = 0.13
"""Ranks between which an edge goes far to the side are further apart: by this share of its way, up to twice the gap."""
MOST_BENDS = 20_000
"""So many vertices edges may have, all together; longer ones than these allow run straight, behind boxes."""

Size: TypeAlias = tuple[float, float]


@dataclass(frozen=True)
class Member:
    """A box with its size, or a group with the size of its title."""

    path: str
    width: float
    height: float
    rank: float = 0.0
    """A part that executes earlier has a lower one."""
    members: tuple[Member, ...] | None = None
    """The members of a group; None for a box."""
    keeps_top: bool = False
    """True for what stands in the first rank though its receivers are far below, such as inputs."""


@dataclass(frozen=True, slots=True)
class Bend:
    """A part of an edge along the main axis: where it runs, from where to where."""

    cross: float
    begin: float
    end: float
    is_free: bool = False
    """True where there are no boxes, so that the edge may come and go at an angle; it begins and ends at one place then."""

    def moved(self, cross: float, main: float) -> Bend:
        """The same elsewhere."""
        return Bend(self.cross + cross, self.begin + main, self.end + main, self.is_free)

    def back(self) -> Bend:
        """The same for an edge in the other direction."""
        return Bend(self.cross, self.end, self.begin, self.is_free)


@dataclass(frozen=True, slots=True)
class Pin:
    """An edge that crosses the border of a group: its number, whether it leaves, and on which side."""

    link: int
    leaves: bool
    before: bool
    """True for the side at which ranks begin."""


@dataclass(slots=True)
class Strand:
    """The part of an edge on one level, from the upper to the lower end."""

    link: int
    upper: int
    lower: int
    turned: bool
    """True if the lower end is the sender."""
    label: Size | None = None
    through: list[int] = field(default_factory=list[int])
    """The vertices on the way, the ends included."""


@dataclass
class Laid:
    """The layout of a level, from its upper left corner."""

    cross: float = 0.0
    main: float = 0.0
    rectangles: dict[str, tuple[float, float, float, float]] = field(default_factory=dict[str, tuple[float, float, float, float]])
    """cross, main, and the extents in both."""
    chains: dict[int, list[Bend]] = field(default_factory=dict[int, list[Bend]])
    """The edges, or the parts of edges that cross the border, from sender to receiver."""
    pins: dict[Pin, float] = field(default_factory=dict[Pin, float])
    """The points of the border at which edges cross it."""
    labels: dict[int, Point] = field(default_factory=dict[int, Point])
    loops: dict[int, tuple[Point, Curve]] = field(default_factory=dict[int, tuple[Point, Curve]])

    def take(self, other: Laid, cross: float, main: float) -> None:
        """Puts what is in a group where the group stands."""
        for path, (c, m, width, height) in other.rectangles.items():
            self.rectangles[path] = (c + cross, m + main, width, height)
        for link, chain in other.chains.items():
            self.chains[link] = [bend.moved(cross, main) for bend in chain]
        for link, (c, m) in other.labels.items():
            self.labels[link] = (c + cross, m + main)
        for link, (start, curve) in other.loops.items():
            a, b, c = ((point[0] + cross, point[1] + main) for point in curve)
            self.loops[link] = ((start[0] + cross, start[1] + main), (a, b, c))


def _on_curve(one: Bend, two: Bend, main: float) -> float:
    """The position in cross of the curve from one bend to another when it has come to `main`."""
    begin, end = one.end, two.begin
    if end - begin < 1e-6:
        return two.cross
    wanted = (main - begin) / (end - begin)
    low, high = 0.0, 1.0
    for _ in range(24):
        t = (low + high) / 2
        if 1.5 * t * (1 - t) + t**3 < wanted:  # the cubic with both control points in the middle
            low = t
        else:
            high = t
    t = (low + high) / 2
    return one.cross + (two.cross - one.cross) * t * t * (3 - 2 * t)


class Level:
    """The members, strands and bends of one level."""

    def __init__(self, members: Sequence[Member], strands: list[Strand], groups: dict[int, Laid], sizes: Sequence[Size]):
        self.members = members
        self.strands = strands
        self.groups = groups
        self.sizes = [(groups[number].cross, groups[number].main) if number in groups else size for number, size in enumerate(sizes)]
        self.vertices = [Vertex(cross / 2, cross / 2, BOX_GAP) for cross, _ in self.sizes]
        self.heights = [main for _, main in self.sizes]
        self.loops: dict[int, tuple[int, float, Size]] = {}
        """loop -> its member, how far it reaches, the size of its label"""
        self.pin_vertices: dict[Pin, int] = {}
        self.behind: set[int] = set()
        """The strands without bends."""

    def reserve(self, loops: dict[int, list[int]], labels: dict[int, Size]) -> None:
        """Makes room for edges from a member to itself, one around the other, and for their labels."""
        for member, held in loops.items():
            reach = LOOP
            for number in held:
                self.loops[number] = (member, reach, labels[number])
                self.heights[member] = max(self.heights[member], labels[number][1])
                reach += NEXT_LOOP + labels[number][0] + (LABEL_GAP if labels[number][0] else 0.0)
            self.vertices[member].right += reach - NEXT_LOOP

    def add_pins(self, ends: Sequence[tuple[Pin, int]]) -> None:
        """Vertices on the border of the group."""
        for pin, member in ends:
            vertex = len(self.vertices)
            self.pin_vertices[pin] = vertex
            self.vertices.append(Vertex(0.0, 0.0, EDGE_GAP))
            self.heights.append(0.0)
            upper, lower = (vertex, member) if pin.before else (member, vertex)
            self.strands.append(Strand(pin.link, upper, lower, turned=pin.leaves == pin.before))

    def arrange(self) -> None:
        """Ranks, bends, the order in ranks, and positions in them."""
        self._set_ranks()
        self._bend()
        count = len(self.vertices)
        above: list[list[int]] = [[] for _ in range(count)]
        below: list[list[int]] = [[] for _ in range(count)]
        for strand in self.strands:
            for one, two in pairwise(strand.through):
                below[one].append(two)
                above[two].append(one)
        self.rows = ordered(self.rows, above, below)
        self.offsets: dict[tuple[int, int], float] = {}
        """(strand, 0 for its upper and 1 for its lower end) -> where it begins, from the middle of its member"""
        self._fix_offsets()
        self.at = positions(self.rows, self.vertices, *self._pulls(), None)
        self._spread()
        self.at = positions(self.rows, self.vertices, *self._pulls(), self.at)
        self._spread()

    def _set_ranks(self) -> None:
        members = range(len(self.members))
        pinned = set(self.pin_vertices.values())
        inner = [strand for strand in self.strands if strand.upper not in pinned and strand.lower not in pinned]
        entered = {member for pin, vertex in self.pin_vertices.items() for member in self._ends_of(vertex) if pin.before}
        keeps = [member.keeps_top or number in entered for number, member in enumerate(self.members)]
        found = ranks([member.rank for member in self.members], [(strand.upper, strand.lower) for strand in inner], keeps)
        step = 2 if any(strand.label for strand in self.strands) else 1
        first = 1 if any(pin.before for pin in self.pin_vertices) else 0
        last = max(found, default=-1) + first + 1
        self.rank = [step * (rank + first) for rank in found]
        self.rank += [0 if pin.before else step * last for pin in self.pin_vertices]
        self.step = step
        self.rows: list[list[int]] = [[] for _ in range(max(self.rank, default=-1) + 1)]
        for vertex in [*members, *self.pin_vertices.values()]:
            self.rows[self.rank[vertex]].append(vertex)

    def _ends_of(self, vertex: int) -> Iterable[int]:
        return [strand.lower for strand in self.strands if strand.upper == vertex]

    def _bend(self) -> None:
        """Gives each strand a vertex in each rank that it passes, one of them with the size of its label."""
        left = MOST_BENDS
        spans = [self.rank[strand.lower] - self.rank[strand.upper] for strand in self.strands]
        for number in sorted(range(len(self.strands)), key=lambda number: (spans[number], number)):
            strand, span = self.strands[number], spans[number]
            left -= span - 1
            if left < 0:
                self.behind.add(number)
                continue
            start = self.rank[strand.upper]
            labelled = (start + span // 2) // 2 * 2 + 1 if strand.label is not None else None
            strand.through = [strand.upper]
            for rank in range(start + 1, start + span):
                cross, main = strand.label if rank == labelled and strand.label is not None else (0.0, 0.0)
                vertex = len(self.vertices)
                self.vertices.append(Vertex(cross / 2, cross / 2, LABEL_GAP if cross else EDGE_GAP))
                self.heights.append(main)
                self.rank.append(rank)
                self.rows[rank].append(vertex)
                strand.through.append(vertex)
            strand.through.append(strand.lower)

    def _fix_offsets(self) -> None:
        """Edges to a group begin and end at its pins."""
        for number, strand in enumerate(self.strands):
            for end, member in ((0, strand.upper), (1, strand.lower)):
                self.offsets[number, end] = 0.0
                if member in self.groups:
                    group = self.groups[member]
                    pin = Pin(strand.link, leaves=(end == 0) != strand.turned, before=end == 1)
                    self.offsets[number, end] = group.pins[pin] - group.cross / 2

    def _spread(self) -> None:
        """Edges on one side of a box begin and end side by side, in the order of their other ends."""
        sides: dict[tuple[int, int], list[tuple[float, int]]] = {}
        for number, strand in enumerate(self.strands):
            if strand.through:
                for end, member, other in ((0, strand.upper, strand.through[1]), (1, strand.lower, strand.through[-2])):
                    if member < len(self.members) and member not in self.groups:
                        facing = self.offsets[number, 1 - end] if len(strand.through) == 2 else 0.0
                        sides.setdefault((member, end), []).append((self.at[other] + facing, number))
        for (member, end), found in sides.items():
            width = self.sizes[member][0]
            step = min(18.0, 0.72 * width / max(1, len(found) - 1))
            for place, (_, number) in enumerate(sorted(found)):
                self.offsets[number, end] = step * (place - (len(found) - 1) / 2)

    def _pulls(self) -> tuple[list[list[Pull]], list[list[Pull]]]:
        """The edges to the ranks above and below. Long edges should be straight, so that bends pull each other more than boxes do."""
        above: list[list[Pull]] = [[] for _ in self.vertices]
        below: list[list[Pull]] = [[] for _ in self.vertices]
        members = len(self.members)
        for number, strand in enumerate(self.strands):
            last = len(strand.through) - 2
            for place, (one, two) in enumerate(pairwise(strand.through)):
                weight = (1.0, 2.0, 8.0)[(one >= members) + (two >= members)]
                upper = self.offsets[number, 0] if place == 0 else 0.0
                lower = self.offsets[number, 1] if place == last else 0.0
                below[one].append(Pull(two, upper, lower, weight))
                above[two].append(Pull(one, lower, upper, weight))
        return above, below

    def laid(self, margins: tuple[float, float, float, float], ends: Sequence[tuple[Pin, int]]) -> Laid:
        """The level with its margins, as rectangles and chains."""
        before_cross, before_main, least_cross, least_main = margins
        is_group = before_cross > 0
        after = PADDING if is_group else 0.0
        low = min((self.at[v] - self.vertices[v].left for row in self.rows for v in row), default=0.0)
        high = max((self.at[v] + self.vertices[v].right for row in self.rows for v in row), default=0.0)
        cross = max(high - low + before_cross + after, least_cross + 2 * after)
        spare = cross - before_cross - after - (high - low)  # where the title is wider than the members
        at = [position + before_cross - low + spare / 2 for position in self.at]
        tops, bottoms, main = self._rank_places(before_main, is_group, least_main)
        result = Laid(cross, main)
        for number, member in enumerate(self.members):
            width, height = self.sizes[number]
            top = self._top(number, tops, bottoms)
            result.rectangles[member.path] = (at[number] - width / 2, top, width, height)
            if number in self.groups:
                result.take(self.groups[number], at[number] - width / 2, top)
        corridors = self._corridors(at)
        for number, strand in enumerate(self.strands):
            chain, label = self._smooth(self._chain(number, strand, at, tops, bottoms), strand, corridors)
            if strand.turned:
                chain = [bend.back() for bend in reversed(chain)]
            self._join(result, strand, chain)
            if label is not None:
                result.labels[strand.link] = label
        for pin, _ in ends:
            result.pins[pin] = at[self.pin_vertices[pin]]
        self._add_loops(result, at, tops, bottoms)
        return result

    def _rank_places(self, before: float, is_group: bool, least: float) -> tuple[list[float], list[float], float]:
        """The begin and end of each rank, and the whole extent; pins stand on the border."""
        heights = [max((self.heights[v] for v in row), default=0.0) for row in self.rows]
        far = [0.0] * len(self.rows)
        for strand in self.strands:
            for one, two in pairwise(strand.through):
                far[self.rank[one]] = max(far[self.rank[one]], abs(self.at[one] - self.at[two]))
        gap = RANK_GAP / self.step
        first_is_pins = any(pin.before for pin in self.pin_vertices)
        last_is_pins = any(not pin.before for pin in self.pin_vertices)
        tops, bottoms, here = list[float](), list[float](), 0.0 if first_is_pins else before
        for rank, height in enumerate(heights):
            tops.append(here)
            bottoms.append(here + height)
            here += height
            if rank + 1 < len(heights):
                near_pins = (rank < self.step and first_is_pins) or (rank >= len(heights) - 1 - self.step and last_is_pins)
                here += (gap if not near_pins else gap / 2) + min(gap, STEEP * far[rank])
            if rank == 0 and first_is_pins:
                here = max(here, before + ENTRY) if self.step == 1 else max(here, before + ENTRY - gap / 2)
        end = here if last_is_pins else here + (PADDING if is_group else 0.0)
        if end < least:
            end = least
            if last_is_pins:
                tops[-1] = bottoms[-1] = end
        return tops, bottoms, end

    def _top(self, member: int, tops: Sequence[float], bottoms: Sequence[float]) -> float:
        """Members stand in the middle of their rank."""
        rank = self.rank[member]
        return (tops[rank] + bottoms[rank] - self.sizes[member][1]) / 2

    def _chain(self, number: int, strand: Strand, at: Sequence[float], tops: Sequence[float], bottoms: Sequence[float]) -> list[Bend]:
        """The bends of a strand, from its upper to its lower end."""
        through = strand.through or [strand.upper, strand.lower]
        chain: list[Bend] = []
        for place, vertex in enumerate(through):
            rank = self.rank[vertex]
            begin, end, cross = tops[rank], bottoms[rank], at[vertex]
            if place == 0:
                begin = self._top(vertex, tops, bottoms) + self.sizes[vertex][1] if vertex < len(self.members) else begin
                cross += self.offsets[number, 0]
            elif place == len(through) - 1:
                end = self._top(vertex, tops, bottoms) if vertex < len(self.members) else end
                cross += self.offsets[number, 1]
            elif self.step == 2 and rank % 2 == 1:
                begin = end = (begin + end) / 2
            chain.append(Bend(cross, begin, end, is_free=begin == end and 0 < place < len(through) - 1))
        return chain

    def _corridors(self, at: Sequence[float]) -> list[tuple[float, float]]:
        """The range in which each vertex may be moved within its rank without meeting boxes or other edges that are moved, too."""
        corridors = [(0.0, 0.0)] * len(at)
        members = len(self.members)
        first = min((at[v] - self.vertices[v].left for row in self.rows for v in row), default=0.0)
        last = max((at[v] + self.vertices[v].right for row in self.rows for v in row), default=0.0)
        for row in self.rows:
            low = first
            for place, vertex in enumerate(row):
                held = self.vertices[vertex]
                high = last
                if place + 1 < len(row):
                    other = row[place + 1]
                    here, there = at[vertex] + held.right, at[other] - self.vertices[other].left
                    if vertex >= members and other >= members:
                        high = (here + there) / 2
                    else:
                        high = there - EDGE_GAP if vertex >= members else here + EDGE_GAP
                corridors[vertex] = (min(low + held.left, at[vertex]), max(high - held.right, at[vertex]))
                low = high
        return corridors

    def _smooth(self, chain: list[Bend], strand: Strand, corridors: Sequence[tuple[float, float]]) -> tuple[list[Bend], Point | None]:
        """The chain without the bends that a longer curve makes unnecessary; and where its label is then."""
        kept, here, label = [chain[0]], 0, None
        labelled = next((place for place, v in enumerate(strand.through[1:-1], 1) if self.vertices[v].left), None) if strand.label else None
        while here < len(chain) - 1:
            there = here + 1
            while there + 1 < len(chain) and all(
                corridors[strand.through[place]][0] <= cross <= corridors[strand.through[place]][1]
                for place in range(here + 1, there + 1)
                for cross in (_on_curve(kept[-1], chain[there + 1], main) for main in {chain[place].begin, chain[place].end})
            ):
                there += 1
            if labelled is not None and here < labelled <= there:
                middle = (chain[labelled].begin + chain[labelled].end) / 2
                label = (chain[there].cross if labelled == there else _on_curve(kept[-1], chain[there], middle), middle)
            kept.append(chain[there])
            here = there
        if strand.label is not None and label is None:
            label = ((chain[0].cross + chain[-1].cross) / 2, (chain[0].begin + chain[-1].end) / 2)
        return kept, label

    def _join(self, result: Laid, strand: Strand, chain: list[Bend]) -> None:
        """Puts a strand together with what lies inside the groups at its ends."""
        source, target = (strand.lower, strand.upper) if strand.turned else (strand.upper, strand.lower)
        inner_source = self._inside(result, source, strand.link)
        inner_target = self._inside(result, target, strand.link)
        result.chains[strand.link] = [*inner_source, *chain, *inner_target]

    def _inside(self, result: Laid, member: int, link: int) -> list[Bend]:
        """The part of an edge inside a group, where the group stands."""
        if member not in self.groups:
            return []
        cross, main, _, _ = result.rectangles[self.members[member].path]
        return [bend.moved(cross, main) for bend in self.groups[member].chains[link]]

    def _add_loops(self, result: Laid, at: Sequence[float], tops: Sequence[float], bottoms: Sequence[float]) -> None:
        for number, (member, reach, label) in self.loops.items():
            width, height = self.sizes[member]
            side, middle = at[member] + width / 2, self._top(member, tops, bottoms) + height / 2
            half = min(0.34 * height, 7.0 + (reach - LOOP) / 4)  # the loop reaches 1.35 times as far, and no further than the box
            far = side + reach * 4 / 3 - 4.0
            curve = ((far, middle + half * 2.0), (far, middle - half * 2.0), (side, middle - half))
            result.loops[number] = ((side, middle + half), curve)
            if label[0]:
                result.labels[number] = (side + reach + label[0] / 2, middle)
