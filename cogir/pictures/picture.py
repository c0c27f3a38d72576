"""
The picture of a model: shown by notebooks, saved to files, or taken as text for other tools.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from cogir.callers import methods_end_at_caller
from cogir.errors import InputError, shown
from cogir.pictures.diagram import Diagram
from cogir.pictures.dot import dot_of
from cogir.pictures.layout import Direction
from cogir.pictures.mermaid import mermaid_of
from cogir.pictures.of_model import diagram_of, without_details, without_weights
from cogir.pictures.svg import svg_of
from cogir.pictures.text import escaped, one_line

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from cogir.pictures.of_model import Defaults

DIRECTIONS: tuple[Direction, ...] = ("down", "right")
DETAILS = ("full", "names")
MOST_LABELS = 48
"""Labels of more projections than these are left out, unless all details are asked for; tooltips have them."""
LARGE = (80, 240)
"""Models with more boxes or edges than these are drawn with names alone, unless all details are asked for."""


def picture_of(module: ModuleOp, defaults: Defaults, direction: object = "down", detail: object = None) -> Picture:
    """
    The picture of the model of a module. `direction`: "down" or "right". `detail`: "full", "names", or None for what fits the size.

    :raises InputError: for another direction or detail.
    """
    if direction not in DIRECTIONS:
        raise InputError(f'show: direction is {shown(direction)}; give "down" or "right"')
    if detail is not None and detail not in DETAILS:
        raise InputError(f'show: detail is {shown(detail)}; give "full" or "names", or leave it out for what fits the size of the model')
    return picture_of_diagram(diagram_of(module, defaults), direction, cast("str | None", detail))


def picture_of_diagram(diagram: Diagram, direction: Direction, detail: str | None) -> Picture:
    """The picture of a diagram; what is left out of it for its size is said in the facts."""
    is_large = sum(1 for _ in diagram.boxes) > LARGE[0] or len(diagram.edges) > LARGE[1]
    weights = sum(1 for edge in diagram.edges if edge.label and edge.kind in ("projection", "learned"))
    if detail == "names":
        diagram = without_details(diagram)
    elif detail is None and is_large:
        diagram = without_details(diagram)
        diagram = replace(diagram, facts=f'{diagram.facts}; a large model, with names alone: show(detail="full") draws all')
    elif detail is None and weights > MOST_LABELS:
        diagram = without_weights(diagram)
        diagram = replace(diagram, facts=f'{diagram.facts}; without the labels of projections: show(detail="full") writes them')
    return Picture(diagram, direction)


@methods_end_at_caller
class Picture:
    """
    The picture of a model, which notebooks show.

        picture = model.show()
        picture.save("model.svg")      # also .html, .dot and .mmd
        picture.svg                    # the text of the file; also picture.dot and picture.mermaid
    """

    def __init__(self, diagram: Diagram, direction: Direction = "down"):
        self.diagram = diagram
        self.direction: Direction = direction

    @cached_property
    def svg(self) -> str:
        """The picture as the text of an SVG file."""
        return svg_of(self.diagram, self.direction)

    @cached_property
    def dot(self) -> str:
        """The graph as text for Graphviz; neither drawing nor saving the picture needs it."""
        return dot_of(self.diagram, self.direction)

    @cached_property
    def mermaid(self) -> str:
        """The graph as text for Mermaid."""
        return mermaid_of(self.diagram, self.direction)

    @cached_property
    def html(self) -> str:
        """The picture as the text of an HTML page."""
        title = escaped(one_line(self.diagram.name))
        head = f'<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8"><title>{title}</title></head>'
        return f'{head}\n<body style="margin: 1em">\n{self.svg}</body>\n</html>\n'

    def save(self, path: str | PathLike[str]) -> Path:
        """Writes a file, whose kind is that of its name: .svg, .html, .dot (or .gv), .mmd (or .mermaid). Returns its path."""
        if not isinstance(cast(object, path), str | PathLike):
            raise InputError(f'save: found {shown(path)}; give a path, such as "{_file_name(self.diagram.name)}.svg"')
        file = Path(fspath(path))
        kinds: dict[str, Callable[[], str]] = {
            ".svg": lambda: self.svg,
            ".html": lambda: self.html,
            ".htm": lambda: self.html,
            ".dot": lambda: self.dot,
            ".gv": lambda: self.dot,
            ".mmd": lambda: self.mermaid,
            ".mermaid": lambda: self.mermaid,
        }
        write = kinds.get(file.suffix.lower())
        if write is None:
            svg = file.with_suffix(".svg").name if file.name else f"{_file_name(self.diagram.name)}.svg"
            raise InputError(
                f'save: the name "{path}" ends in {file.suffix or "no suffix"}; give one that ends in .svg, .html, .dot or .mmd (browsers, '
                f"Inkscape and cairosvg make .png and .pdf from {svg})"
            )
        try:
            file.write_text(write(), encoding="utf-8")
        except OSError as error:
            raise InputError(
                f'save: "{path}" cannot be written: {error.strerror}; give the name of a file in a folder that exists'
            ) from None
        return file

    @property
    def in_notebook(self) -> str:
        """The picture as HTML for a part of a page, in which large ones are scrolled."""
        return f'<div style="overflow: auto; max-width: 100%">{self.svg}</div>'

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        return self.in_notebook

    def __eq__(self, other: object) -> Any:
        return self.svg == other.svg if isinstance(other, Picture) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.svg)

    def __repr__(self) -> str:
        """A line for terminals, which show no pictures."""
        return f'<picture of "{self.diagram.name}": {self.diagram.facts}; .save("{_file_name(self.diagram.name)}.svg") writes it>'


def _file_name(name: str) -> str:
    """A name for a file, without what systems of files do not allow."""
    return "".join(letter if letter.isalnum() or letter in "-_" else "_" for letter in name) or "model"
