"""
Diagrams as SVG: one file without scripts, style sheets, ids or fonts of its own, so that several of them can stand in one page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import hypot

from cogir.pictures.diagram import EDGE_KINDS, Diagram, DiagramBox, Edge, EdgeKind, Group
from cogir.pictures.layout import Direction, Link, place
from cogir.pictures.level import Member
from cogir.pictures.placement import Placement, Point, Rectangle, Route
from cogir.pictures.style import (
    BOX_PADDING,
    CHIP,
    CHIP_HEIGHT,
    CLOCK,
    CONDITION,
    EDGES,
    FAINT,
    FONT,
    FRAME,
    GROUND,
    GROUP_FILLS,
    HEADING,
    INK,
    LABEL,
    LINE,
    LINE_HEIGHT,
    ROLES,
    TITLE,
    TITLE_HEIGHT,
    TextBlock,
    box_style,
    box_text,
    chip_width,
    group_text,
    label_size,
    label_text,
)
from cogir.pictures.text import escaped, one_line, shortened, width_of, wrapped

MARGIN = 18.0
LEAST_WIDTH = 320.0
HEADING_ROOM = 600.0
HEAD = 8.0
"""The length of an arrow's head."""
LEGEND_SAMPLE = 30.0


def placed(diagram: Diagram, direction: Direction) -> Placement:
    """The places of what is in a diagram, as its texts need them."""
    links = [Link(edge.source, edge.target, label_size(edge.label), edge.mutual) for edge in diagram.edges]
    return place([_item(member) for member in diagram.members], links, direction)


def _item(member: DiagramBox | Group) -> Member:
    if isinstance(member, DiagramBox):
        text = box_text(member)
        return Member(member.path, text.width, text.height, member.rank, keeps_top="input" in member.roles)
    text = group_text(member)
    return Member(member.path, text.width, text.height - BOX_PADDING[1], member.rank, tuple(_item(inner) for inner in member.members))


def svg_of(diagram: Diagram, direction: Direction = "down") -> str:
    """The diagram as the text of an SVG file."""
    placement = placed(diagram, direction)
    heading = shortened(one_line(diagram.name), HEADING_ROOM, HEADING, bold=True)
    inner = max(placement.width, LEAST_WIDTH, width_of(heading, HEADING, bold=True))
    facts = wrapped(one_line(diagram.facts), max(inner, HEADING_ROOM), LINE, 4)
    inner = max([inner, *(width_of(line, LINE) for line in facts)])
    top = MARGIN + 34.0 + LINE_HEIGHT * len(facts)
    parts = [
        _text(MARGIN, MARGIN + 12.0, heading, HEADING, INK, "start", 'font-weight="bold"'),
        *(_text(MARGIN, MARGIN + 30.0 + LINE_HEIGHT * place, line, LINE, FAINT, "start") for place, line in enumerate(facts)),
        f'<g transform="translate({_number(MARGIN + (inner - placement.width) / 2)} {_number(top)})">',
        *_groups(diagram.members, placement, 0),
        *_edges(diagram.edges, placement.routes),
        *(part for box in diagram.boxes for part in _box(box, placement.rectangles[box.path])),
        *_group_titles(diagram.members, placement, 0),
        *_labels(diagram.edges, placement.routes),
        "</g>",
    ]
    bottom = top + placement.height + 16.0
    legend, bottom = _legend(diagram, inner, bottom)
    parts += legend
    for line in (line for caption in diagram.captions for line in wrapped(one_line(caption), inner, LINE, 4)):
        bottom += LINE_HEIGHT
        parts.append(_text(MARGIN, bottom, line, LINE, FAINT, "start"))
    width, height = inner + 2 * MARGIN, bottom + MARGIN
    size = f'width="{_number(width)}" height="{_number(height)}"'
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {_number(width)} {_number(height)}" role="img" '
        f'aria-label="{escaped(one_line(f"picture of the model {diagram.name}"))}" font-family="{FONT}">',
        f"<title>{escaped(one_line(diagram.name))}</title>",
        f"<desc>{escaped(one_line('; '.join(filter(None, [diagram.facts, *diagram.captions]))))}</desc>",
        _rectangle(Rectangle(0.5, 0.5, width - 1.0, height - 1.0), 8.0, GROUND, FRAME, 1.0),
    ]
    return "\n".join([*head, *parts, "</svg>"]) + "\n"


def _legend(diagram: Diagram, room: float, bottom: float) -> tuple[list[str], float]:
    """A sample of each kind of edge, if there are others than plain projections; and where the legend ends."""
    kinds: list[EdgeKind] = [kind for kind in EDGE_KINDS if any(edge.kind == kind for edge in diagram.edges)]
    parts: list[str] = []
    if set(kinds) <= {"projection"}:
        return parts, bottom
    x = MARGIN
    bottom += LINE_HEIGHT
    for kind in kinds:
        width = LEGEND_SAMPLE + width_of(EDGE_KINDS[kind], LINE) + 24.0
        if x > MARGIN and x + width > MARGIN + room:
            x, bottom = MARGIN, bottom + LINE_HEIGHT + 3.0
        y, end = bottom - 4.0, x + LEGEND_SAMPLE - 6.0
        sample = Route((x, y), (((x + 8.0, y), (end - 8.0, y), (end, y)),))
        parts += [*_line(Edge("", "", kind), sample), _text(x + LEGEND_SAMPLE, bottom, EDGE_KINDS[kind], LINE, FAINT, "start")]
        x += width
    return parts, bottom + 6.0


def _groups(members: Iterable[DiagramBox | Group], placement: Placement, depth: int) -> Iterator[str]:
    for member in members:
        if isinstance(member, Group):
            yield _rectangle(placement.rectangles[member.path], 10.0, GROUP_FILLS[depth % len(GROUP_FILLS)], "#8c959f", 1.0)
            yield from _groups(member.members, placement, depth + 1)


def _group_titles(members: Iterable[DiagramBox | Group], placement: Placement, depth: int) -> Iterator[str]:
    """The titles of groups, in front of the edges that pass there."""
    for group in members:
        if isinstance(group, Group):
            rectangle, text = placement.rectangles[group.path], group_text(group)
            x, y = rectangle.x + BOX_PADDING[0], rectangle.y + BOX_PADDING[1]
            size = f'width="{_number(text.width - 2 * BOX_PADDING[0])}" height="{_number(text.height - 2 * BOX_PADDING[1] + 3.0)}"'
            fill = f'fill="{GROUP_FILLS[depth % len(GROUP_FILLS)]}" fill-opacity="0.85"'
            ground = f'<rect x="{_number(x)}" y="{_number(y)}" {size} {fill}/>'
            yield from _titled(group.note, [ground, *_block(text, x, y, "start", bold=True)])
            yield from _group_titles(group.members, placement, depth + 1)


def _box(box: DiagramBox, rectangle: Rectangle) -> Iterator[str]:
    style, text = box_style(box), box_text(box)
    small = box.kind == "projection"
    frame = _rectangle(rectangle, rectangle.height / 2 if small and not box.lines else 6.0, style.fill, style.frame, 1.0 if small else 1.4)
    content = _block(text, rectangle.centre[0], rectangle.y + BOX_PADDING[1], "middle", bold=not small)
    yield from _titled(box.note, [frame, *content])


def _titled(note: str, parts: Iterable[str]) -> Iterator[str]:
    """Parts with a tooltip."""
    yield f"<g><title>{escaped(note)}</title>" if note else "<g>"
    yield from parts
    yield "</g>"


def _block(text: TextBlock, x: float, y: float, anchor: str, *, bold: bool) -> Iterator[str]:
    """Title, chips and lines; `x` is the middle, or the left side of a block that starts there."""
    size, height = (TITLE, TITLE_HEIGHT) if bold else (LINE, LINE_HEIGHT)
    title = width_of(text.title, size, bold=bold)
    row = title + sum(chip_width(chip) + 5.0 for chip in text.chips)
    left = x - row / 2 if anchor == "middle" else x
    weight = 'font-weight="bold"' if bold else ""
    at = left + title / 2 if anchor == "middle" else left
    yield _text(at, y + height - 5.0, text.title, size, INK, anchor, weight)
    left += title + 5.0
    for chip in text.chips:
        width, colour = chip_width(chip), ROLES[chip].frame if chip in ROLES else FAINT
        yield _rectangle(Rectangle(left, y + 2.0, width, CHIP_HEIGHT), CHIP_HEIGHT / 2, "#ffffff", colour, 0.8)
        yield _text(left + width / 2, y + 2.0 + CHIP_HEIGHT - 3.6, chip, CHIP, colour, "middle")
        left += width + 5.0
    y += height
    in_condition = False
    for line in text.lines:
        y += LINE_HEIGHT
        in_condition = line.kind == "condition" or in_condition
        colour = CONDITION if in_condition else INK if line.kind == "fact" else FAINT
        slant = 'font-style="italic"' if line.kind == "function" else ""
        if line.kind == "condition":
            half = (width_of(line.text, LINE) + CLOCK) / 2
            yield from _clock((x - half if anchor == "middle" else x) + 4.0, y - 3.8)
        shift = 0.0 if line.kind != "condition" else CLOCK / 2 if anchor == "middle" else CLOCK
        yield _text(x + shift, y, line.text, LINE, colour, anchor, slant)


def _clock(x: float, y: float) -> Iterator[str]:
    """A small clock, the sign of a condition."""
    yield f'<circle cx="{_number(x)}" cy="{_number(y)}" r="4.2" fill="none" stroke="{CONDITION}"/>'
    yield f'<path d="M{_number(x)} {_number(y - 2.6)}V{_number(y)}H{_number(x + 2.2)}" fill="none" stroke="{CONDITION}"/>'


def _edges(edges: Iterable[Edge], routes: Iterable[Route]) -> Iterator[str]:
    for edge, route in zip(edges, routes, strict=True):
        yield from _titled(edge.note, _line(edge, route))


def _line(edge: Edge, route: Route) -> Iterator[str]:
    """The path of an edge with its head, or two, and a wide one that nobody sees, so that its tooltip is found."""
    style = EDGES[edge.kind]
    back = HEAD * 0.7 if style.head == "arrow" else 3.0
    before = route.curves[-1][1] if route.curves else route.start
    after = route.curves[0][0] if route.curves else route.end
    stop = _towards(route.end, before, back)
    path = [f"M{_point(_towards(route.start, after, back) if edge.mutual else route.start)}"]
    for number, (one, two, to) in enumerate(route.curves):
        path.append(f"C{_point(one)} {_point(two)} {_point(stop if number == len(route.curves) - 1 else to)}")
    dashes = f' stroke-dasharray="{style.dashes}"' if style.dashes else ""
    yield (
        f'<path d="{"".join(path)}" fill="none" stroke="{style.colour}" stroke-width="{_number(style.width)}"{dashes} '
        'stroke-linejoin="round"/>'
    )
    if edge.note:
        yield f'<path d="{"".join(path)}" fill="none" stroke="#000" stroke-opacity="0" stroke-width="9"/>'
    for tip, neighbour in [(route.end, before), *([(route.start, after)] if edge.mutual else [])]:
        if style.head == "dot":
            x, y = _towards(tip, neighbour, 3.0)
            yield f'<circle cx="{_number(x)}" cy="{_number(y)}" r="3.2" fill="{style.colour}"/>'
        else:
            yield f'<polygon points="{" ".join(map(_point, _arrow(tip, neighbour)))}" fill="{style.colour}"/>'


def _towards(point: Point, other: Point, way: float) -> Point:
    """The point that lies so far from one on the way to another one."""
    length = hypot(other[0] - point[0], other[1] - point[1]) or 1.0
    return point[0] + (other[0] - point[0]) / length * way, point[1] + (other[1] - point[1]) / length * way


def _arrow(tip: Point, before: Point) -> list[Point]:
    """The corners of an arrow's head."""
    base = _towards(tip, before, HEAD)
    across = ((tip[1] - base[1]) * 0.42, (base[0] - tip[0]) * 0.42)
    return [tip, (base[0] + across[0], base[1] + across[1]), (base[0] - across[0], base[1] - across[1])]


def _labels(edges: Iterable[Edge], routes: Iterable[Route]) -> Iterator[str]:
    """The labels of edges, on a ground that lets them be read."""
    for edge, route in zip(edges, routes, strict=True):
        size = label_size(edge.label)
        if route.label is not None and size is not None:
            x, y = route.label
            ground = f'fill="{GROUND}" fill-opacity="0.88"'
            yield f'<rect x="{_number(x - size[0] / 2)}" y="{_number(y - 7.5)}" width="{_number(size[0])}" height="15" rx="3" {ground}/>'
            yield _text(x, y + 3.8, label_text(edge.label), LABEL, EDGES[edge.kind].colour, "middle")


def _text(x: float, y: float, text: str, size: float, colour: str, anchor: str, more: str = "") -> str:
    more = f" {more}" if more else ""
    anchored = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{_number(x)}" y="{_number(y)}" font-size="{_number(size)}" fill="{colour}"{anchored}{more}>{escaped(text)}</text>'


def _rectangle(held: Rectangle, radius: float, fill: str, frame: str, width: float) -> str:
    place = f'x="{_number(held.x)}" y="{_number(held.y)}" width="{_number(held.width)}" height="{_number(held.height)}"'
    return f'<rect {place} rx="{_number(radius)}" fill="{fill}" stroke="{frame}" stroke-width="{_number(width)}"/>'


def _point(point: Point) -> str:
    return f"{_number(point[0])} {_number(point[1])}"


def _number(value: float) -> str:
    """A number with one digit after the point, without a negative zero."""
    return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")
