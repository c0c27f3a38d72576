"""
Diagrams in the language of Mermaid, which many pages and editors draw from text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cogir.pictures.diagram import Diagram, DiagramBox, Edge, Group
from cogir.pictures.layout import Direction
from cogir.pictures.style import EDGES, BoxStyle, box_style
from cogir.pictures.text import in_xml, one_line

DIRECTIONS: dict[Direction, str] = {"down": "TD", "right": "LR"}
SPECIAL = {letter: f"#{ord(letter)};" for letter in '"#&<>;`\\'}
"""The characters that mean something to Mermaid or HTML within quotes, written as numbers."""


def mermaid_of(diagram: Diagram, direction: Direction = "down") -> str:
    """The diagram as a flowchart: nodes with their lines, subgraphs for instances."""
    numbers = {box.path: f"n{number}" for number, box in enumerate(diagram.boxes)}
    numbers |= {group.path: f"g{number}" for number, group in enumerate(diagram.groups)}
    about = [one_line(line) for line in filter(None, [diagram.name, diagram.facts, *diagram.captions])]
    lines = [
        *(f"%% {line.replace('{', '(').replace('}', ')')}" for line in about),
        f"flowchart {DIRECTIONS[direction]}",
        *_members(diagram.members, numbers, 1),
    ]
    for number, edge in enumerate(diagram.edges):
        style = EDGES[edge.kind]
        lines.append(f"  {numbers[edge.source]} {_arrow(edge)} {numbers[edge.target]}")
        if edge.kind != "projection":
            lines.append(f"  linkStyle {number} stroke:{style.colour},stroke-width:{style.width}px")
    for name, style in _classes(diagram.boxes).items():
        lines.append(f"  classDef {name} fill:{style.fill},stroke:{style.frame},color:#1f2328")
    return "\n".join(lines) + "\n"


def _members(members: Iterable[DiagramBox | Group], numbers: dict[str, str], depth: int) -> Iterator[str]:
    indent = "  " * depth
    for member in members:
        number = numbers[member.path]
        lines = "<br/>".join(_escaped(line.text) for line in member.lines)
        if isinstance(member, DiagramBox):
            roles = f" ({', '.join(member.roles)})" if member.roles else ""
            text = f"{_escaped(member.title + roles)}{'<br/>' if lines else ''}{lines}"
            left, right = {"node": ("(", ")"), "controller": ("{{", "}}"), "projection": ("([", "])")}[member.kind]
            yield f'{indent}{number}{left}"{text}"{right}:::{_class(member)}'
        else:
            yield f'{indent}subgraph {number}["{_escaped(member.title)}{" - " if lines else ""}{lines.replace("<br/>", ", ")}"]'
            yield from _members(member.members, numbers, depth + 1)
            yield f"{indent}end"


def _arrow(edge: Edge) -> str:
    style = EDGES[edge.kind]
    line, head = ("-.-" if style.dashes else "==" if style.width > 2 else "--"), ("o" if style.head == "dot" else ">")
    label = f'|"{_escaped(edge.label)}"|' if edge.label else ""
    return f"{('o' if head == 'o' else '<') if edge.mutual else ''}{line}{head}{label}"


def _class(box: DiagramBox) -> str:
    return "_".join(["cog", *(box.roles or [box.kind])])  # Mermaid has classes of its own, such as "node"


def _classes(boxes: Iterable[DiagramBox]) -> dict[str, BoxStyle]:
    """The looks of boxes by the names of their classes."""
    return {_class(box): box_style(box) for box in boxes}


def _escaped(text: str) -> str:
    return "".join(SPECIAL.get(letter, letter) for letter in in_xml(one_line(text)))
