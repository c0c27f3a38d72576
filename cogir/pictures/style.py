"""
The looks of boxes and edges: colours, sizes of letters, and the room that texts take.

The picture brings its own light ground, so that it can be read on a light and on a dark page. Colours are told apart by people who see
few of them, and nothing is said by colour alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from cogir.pictures.diagram import DiagramBox, EdgeKind, Group, TextLine
from cogir.pictures.text import one_line, shortened, width_of, wrapped

FONT = "Helvetica, Arial, DejaVu Sans, sans-serif"
GROUND, FRAME = "#ffffff", "#d0d7de"
INK, FAINT = "#1f2328", "#59636e"
CONDITION = "#875300"

TITLE, LINE, LABEL, HEADING = 13.0, 11.0, 10.5, 16.0
CHIP = 9.0
TITLE_HEIGHT, LINE_HEIGHT, CHIP_HEIGHT = 18.0, 14.5, 13.0
BOX_PADDING = (11.0, 7.0)
TITLE_ROOM, LINE_ROOM, LABEL_ROOM = 280.0, 240.0, 190.0
CONDITION_LINES = 3
FUNCTION_LINES = 2
CLOCK = 14.0
"""The room of the clock before a condition."""
GROUP_FILLS = ("#f3f5f8", "#e7ecf2")


@dataclass(frozen=True)
class EdgeStyle:
    """The line of an edge, and its head: "arrow", or "dot" for what acts on a parameter."""

    colour: str
    width: float = 1.3
    dashes: str = ""
    head: str = "arrow"


EDGES: dict[EdgeKind, EdgeStyle] = {
    "projection": EdgeStyle("#57606a"),
    "learned": EdgeStyle("#1a7f37", 2.2),
    "modulation": EdgeStyle("#0969da", 1.4, "6 3", "dot"),
    "control": EdgeStyle("#8250df", 1.4, "6 3", "dot"),
    "objective": EdgeStyle("#8250df", 1.4, "2 3"),
}


@dataclass(frozen=True)
class BoxStyle:
    """The fill and frame of a box."""

    fill: str
    frame: str


ROLES: dict[str, BoxStyle] = {
    "input": BoxStyle("#dff3e4", "#1a7f37"),
    "output": BoxStyle("#ffecd6", "#bc4c00"),
    "controller": BoxStyle("#efe5ff", "#8250df"),
}
PLAIN = BoxStyle("#ffffff", "#57606a")
PROJECTION = BoxStyle("#f6f8fa", "#8c959f")


def box_style(box: DiagramBox) -> BoxStyle:
    """The colours of a box; what is an input and an output has the fill of the one and the frame of the other."""
    if box.kind == "projection":
        return PROJECTION
    if not box.roles:
        return PLAIN
    return BoxStyle(ROLES[box.roles[0]].fill, ROLES[box.roles[-1]].frame)


@dataclass(frozen=True)
class TextBlock:
    """The text in a box or at the top of a group: its title, and lines, with the size that they take."""

    title: str
    lines: tuple[TextLine, ...]
    chips: tuple[str, ...]
    width: float
    height: float


def box_text(box: DiagramBox) -> TextBlock:
    """The texts of a box, with the size of the box."""
    return _block(box.title, box.lines, box.roles, small=box.kind == "projection")


def group_text(group: Group) -> TextBlock:
    """The texts at the top of a group, with their size."""
    return _block(group.title, group.lines, ("instance",))


def _block(title: str, lines: tuple[TextLine, ...], chips: tuple[str, ...], *, small: bool = False) -> TextBlock:
    size = LINE if small else TITLE
    shown = shortened(one_line(title), TITLE_ROOM, size, bold=not small)
    broken: list[TextLine] = []
    for line in lines:
        if line.kind == "condition":
            broken += [TextLine(part, "condition" if not place else "fact") for place, part in enumerate(_parts(line))]
        elif line.kind == "function":
            broken += [TextLine(part, "function") for part in wrapped(one_line(line.text), LINE_ROOM, LINE, FUNCTION_LINES)]
        else:
            broken.append(TextLine(shortened(one_line(line.text), LINE_ROOM, LINE), line.kind))
    row = width_of(shown, size, bold=not small) + sum(chip_width(chip) + 5.0 for chip in chips)
    widths = [width_of(line.text, LINE) + (CLOCK * 2 if line.kind == "condition" else 0.0) for line in broken]
    width = max([row, *widths, 24.0]) + 2 * BOX_PADDING[0]
    height = (LINE_HEIGHT if small else TITLE_HEIGHT) + LINE_HEIGHT * len(broken) + 2 * BOX_PADDING[1]
    return TextBlock(shown, tuple(broken), chips, width, height)


def _parts(line: TextLine) -> list[str]:
    return wrapped(one_line(line.text), LINE_ROOM - 2 * CLOCK, LINE, CONDITION_LINES)


def chip_width(chip: str) -> float:
    """The width of a small frame around a word, such as "input"."""
    return width_of(chip, CHIP) + 8.0


def label_text(label: str) -> str:
    """The label of an edge as it is written."""
    return shortened(one_line(label), LABEL_ROOM, LABEL)


def label_size(label: str) -> tuple[float, float] | None:
    """The size of the label of an edge; None without one."""
    return (width_of(label_text(label), LABEL) + 8.0, 15.0) if label else None
