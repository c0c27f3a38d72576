"""
Tables for notebooks: compiled models whose picture would be too large, and the values of contexts.

Colours and fonts are left to the page, so that tables can be read on light and dark ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from cogir.pictures.text import escaped
from cogir.pictures.values import number_text, shape_text

MOST_ROWS = 100
"""Longer tables are cut, and say so."""
MOST_NUMBERS = 8
"""So many numbers of an array are written; longer ones are summarised."""
CELL = "text-align:left"


class Shown(Protocol):
    """A picture for notebooks."""

    @property
    def in_notebook(self) -> str:
        """The picture as HTML for a part of a page."""
        ...


def text_html(text: str) -> str:
    """A text as it is."""
    return f"<pre>{escaped(text)}</pre>"


def nodes_of(params: Iterable[str]) -> list[str]:
    """The paths of the nodes, from those of the start values of their ports."""
    return list(dict.fromkeys(path.partition("/initial:port:")[0] for path in params if "/initial:port:" in path))


def compiled_html(name: str, facts: Iterable[str], picture: Shown | None, params: Mapping[str, Any], generators: Iterable[str]) -> str:
    """A compiled model: the facts in a line, and its picture, or a table of its nodes."""
    head = f"<div>compiled model <b>{escaped(name)}</b>: {escaped(', '.join(facts))}</div>"
    if picture is not None:
        return f"<div>{head}{picture.in_notebook}</div>"
    own: dict[str, list[str]] = {node: [] for node in nodes_of(params)}
    for path, value in params.items():
        owner, kind, name = _parts(path)
        if owner in own and kind == "param":
            own[owner].append(f"{name} = {summary(value)}")
    drawing = {path.rpartition("/")[0] for path in generators}
    rows = [[node, ", ".join(own[node]), "yes" if node in drawing else ""] for node in own]
    return f"<div>{head}{_table(('node', 'parameters', 'draws random numbers'), rows)}</div>"


def context_html(
    title: str, params: Mapping[str, Any], state: Mapping[str, Any] | None, generators: Mapping[str, str], counts: tuple[str, ...]
) -> str:
    """A context: its parameters and its state. `counts`: the beginnings of the names of counts and clocks, which are left out."""
    own = [[_short(path), summary(value)] for path, value in params.items() if _parts(path)[1] == "param"]
    others = len(params) - len(own)
    more = f"; {others} more {'value' if others == 1 else 'values'}, such as levels and start values" if others else ""
    parts = [
        f"<div><b>{escaped(title)}</b></div>",
        _section(f"{len(own)} parameter{'s' * (len(own) != 1)}{more}", ("parameter", "value"), own),
    ]
    if state is None:
        parts.append("<div>no trial has been run since the beginning</div>")
    else:
        held = [
            [_short(path), summary(value)] for path, value in state.items() if not _parts(path)[2].startswith(counts) and _is_value(path)
        ]
        left = len(state) - len(held)
        more = f"; beside them {left} {'value' if left == 1 else 'values'} of clocks and counts" if left else ""
        parts.append(_section(f"{len(held)} values of the state{more}", ("state", "value"), held))
    if generators:
        kinds = [[_short(path), kind] for path, kind in generators.items()]
        parts.append(_section(f"{len(kinds)} generator{'s' * (len(kinds) != 1)}", ("generator", "kind"), kinds))
    return f"<div>{''.join(parts)}</div>"


def chosen_values(values: Mapping[str, Any], kind: str, counts: tuple[str, ...]) -> tuple[list[tuple[str, str]], str]:
    """The values that a table of parameters or of the state shows, and a note about those that it leaves out."""
    if kind == "param:":
        own = [path for path in values if _parts(path)[1] == "param"]
        of_others = "more, such as levels and start values"
    else:
        own = [path for path in values if not _parts(path)[2].startswith(counts) and _is_value(path)]
        of_others = "more of clocks and counts"
    others = len(values) - len(own)
    return [(_short(path), summary(values[path])) for path in own], f"{others} {of_others}" if others else ""


def values_text(title: str, values: Mapping[str, Any], kind: str, counts: tuple[str, ...]) -> str:
    """Parameters or the state of a context, as lines."""
    return rows_text(title, *chosen_values(values, kind, counts))


def rows_text(title: str, rows: Iterable[tuple[str, str]], note: str = "") -> str:
    """Names and texts below a title, as lines of two columns."""
    rows = list(rows)
    width = max((len(name) for name, _ in rows), default=0)
    left = [f"  and {len(rows) - MOST_ROWS} more"] if len(rows) > MOST_ROWS else []
    lines = [f"  {name:<{width}}  {text}" for name, text in rows[:MOST_ROWS]]
    return "\n".join([f"{title}:" if rows else f"{title}: none", *lines, *left, *([f"  ({note})"] if note else [])])


def values_html(title: str, values: Mapping[str, Any], kind: str, counts: tuple[str, ...]) -> str:
    """Parameters or the state of a context, as a table for notebooks."""
    rows, note = chosen_values(values, kind, counts)
    heads = ("parameter" if kind == "param:" else "state", "value")
    return f"<div>{_section(f'{title}; {note}' if note else title, heads, rows)}</div>"


def generators_html(title: str, kinds: Mapping[str, str]) -> str:
    """Generators, as a table for notebooks."""
    return f"<div>{_section(title, ('generator', 'kind'), list(kinds.items()))}</div>"


def node_html(title: str, groups: Iterable[tuple[str, Mapping[str, str]]]) -> str:
    """A node: a table of its ports, parameters and states."""
    rows = [[group, name, text] for group, held in groups for name, text in held.items()]
    return f"<div>{escaped(title)}{_table(('', 'name', 'value'), rows)}</div>"


def summary(value: Any) -> str:
    """A number, a short array, or the shape, the range and the mean of a long one."""
    array = np.asarray(value)
    if array.ndim == 0:
        return number_text(array.item())
    if array.size <= MOST_NUMBERS:
        return _nested(array)
    if (array == array.flat[0]).all():
        return f"{shape_text(array.shape)} times {number_text(array.flat[0].item())}"
    low, high, mean = (number_text(float(each)) for each in (array.min(), array.max(), array.mean()))
    return f"{shape_text(array.shape)} numbers from {low} to {high}, mean {mean}"


def _nested(array: np.ndarray[Any, Any]) -> str:
    if array.ndim == 0:
        return number_text(array.item())
    return f"[{', '.join(_nested(np.asarray(part)) for part in array)}]"


def _parts(path: str) -> tuple[str, str, str]:
    """Owner, kind and name: `a/param:rate` is ("a", "param", "rate")."""
    owner, _, last = path.rpartition("/")
    kind, colon, name = last.partition(":")
    return (owner, kind, name) if colon else (owner, "param", last)


def _is_value(path: str) -> bool:
    return _parts(path)[1] in ("state", "port", "signal")


def _short(path: str) -> str:
    """A path without the kind of what it names, which users may leave out."""
    owner, kind, name = _parts(path)
    return (f"{owner}/{name}" if owner else name) if kind in ("param", "state") else path


def _section(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return f"<details open><summary>{escaped(title)}</summary>{_table(heads, rows)}</details>" if rows else f"<div>{escaped(title)}</div>"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    def row_html(kind: str, texts: Iterable[str]) -> str:
        cells = (f'<{kind} style="{CELL}">{escaped(text)}</{kind}>' for text in texts)
        return f"<tr>{''.join(cells)}</tr>"

    body = "".join(row_html("td", row) for row in rows[:MOST_ROWS])
    left = f"<div>and {len(rows) - MOST_ROWS} more</div>" if len(rows) > MOST_ROWS else ""
    return f"<table><thead>{row_html('th', heads)}</thead><tbody>{body}</tbody></table>{left}"
