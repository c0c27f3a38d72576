"""
Diagrams in the language of Graphviz.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cogir.pictures.diagram import Diagram, DiagramBox, Edge, Group
from cogir.pictures.layout import Direction
from cogir.pictures.style import EDGES, GROUP_FILLS, box_style
from cogir.pictures.text import in_xml, one_line

DIRECTIONS: dict[Direction, str] = {"down": "TB", "right": "LR"}


def dot_of(diagram: Diagram, direction: Direction = "down") -> str:
    """The diagram as a digraph: nodes with their lines, clusters for instances."""
    order = diagram.order
    caption = "\\l".join(_inside(one_line(line)) for line in filter(None, [diagram.facts, *diagram.captions]))
    lines = [
        f"digraph {_quoted(diagram.name)} {{",
        f'  graph [rankdir={DIRECTIONS[direction]}, fontname="Helvetica", labelloc=b, labeljust=l, label="{caption}\\l"];',
        '  node [shape=box, style="rounded,filled", fontname="Helvetica", fontsize=11];',
        '  edge [fontname="Helvetica", fontsize=10];',
        *_members(diagram.members, 1),
        *(f"  {_edge(edge, runs_back=order[edge.source] > order[edge.target])}" for edge in diagram.edges),
        "}",
    ]
    return "\n".join(lines) + "\n"


def _members(members: Iterable[DiagramBox | Group], depth: int) -> Iterator[str]:
    indent = "  " * depth
    for member in members:
        if isinstance(member, DiagramBox):
            style = box_style(member)
            lines = [member.title, *([f"({', '.join(member.roles)})"] if member.roles else []), *(line.text for line in member.lines)]
            label = "\\n".join(_inside(one_line(line)) for line in lines)
            shape = ", shape=oval" if member.kind == "projection" else ""
            about = f'label="{label}", fillcolor="{style.fill}", color="{style.frame}"{shape}, tooltip={_quoted(member.note)}'
            yield f"{indent}{_quoted(member.path)} [{about}];"
        else:
            yield f"{indent}subgraph {_quoted(f'cluster {member.path}')} {{"
            label = "\\l".join(_inside(one_line(line)) for line in [member.title, *(line.text for line in member.lines)])
            fill = GROUP_FILLS[(depth - 1) % len(GROUP_FILLS)]
            yield f'{indent}  label="{label}\\l"; labelloc=t; fontsize=12; style="rounded,filled"; fillcolor="{fill}";'
            yield from _members(member.members, depth + 1)
            yield f"{indent}}}"


def _edge(edge: Edge, *, runs_back: bool) -> str:
    """An edge; one from what executes later has no part in the ranks."""
    style = EDGES[edge.kind]
    about = [f'color="{style.colour}"', f'fontcolor="{style.colour}"']
    if edge.label:
        about.append(f'label="{_inside(one_line(edge.label))}"')
    if style.dashes:
        about.append("style=dotted" if edge.kind == "objective" else "style=dashed")
    if style.width > 2:
        about.append(f"penwidth={style.width}")
    if style.head == "dot":
        about.append("arrowhead=dot")
    if runs_back:
        about.append("constraint=false")
    if edge.mutual:
        about.append("dir=both")
    if edge.note:
        about.append(f"tooltip={_quoted(edge.note)}")
    return f"{_quoted(edge.source)} -> {_quoted(edge.target)} [{', '.join(about)}];"


def _quoted(text: str) -> str:
    return f'"{_inside(in_xml(text))}"'


def _inside(text: str) -> str:
    """The text within quotes; a backslash of its own stands for itself."""
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
