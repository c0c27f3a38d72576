"""
Labelled data in a notebook: its dimensions, arrays and status as a small table.
"""

from __future__ import annotations

from html import escape

import numpy as np

from cogir.labelled.dataset import Array, Dataset
from cogir.labelled.summary import flag_notes, title_of

ROWS = 30
"""So many arrays are shown."""


def html_of(dataset: Dataset) -> str:
    """A table with a row for each variable: its name, unit, dimensions, dtype and first values."""
    rows = [
        (
            name,
            variable.unit or "",
            ", ".join(f"{axis.name} {axis.size}" for axis in variable.axes),
            str(variable.values.dtype),
            _first(variable.values),
        )
        for name, variable in list(dataset.variables.items())[:ROWS]
    ]
    head = "".join(f"<th style='text-align:left'>{title}</th>" for title in ("output", "unit", "dimensions", "dtype", "values"))
    body = "".join("<tr>" + "".join(f"<td style='text-align:left'>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    more = [f"... and {len(dataset.variables) - ROWS} more outputs"] if len(dataset.variables) > ROWS else []
    labels = [
        f"{axis.name}: {', '.join(map(str, axis.index.tolist()[:12]))}{' ...' if axis.size > 12 else ''}"
        for axis in {id(axis): axis for variable in dataset.variables.values() for axis in variable.axes if axis.coordinates}.values()
    ]
    notes = "".join(f"<div>{escape(note)}</div>" for note in (*more, *labels, *flag_notes(dataset)))
    return (
        f"<div><strong>{escape(title_of(dataset))}</strong><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{notes}</div>"
    )


def _first(values: Array, count: int = 4) -> str:
    """The first values, in a few digits."""
    flat = values.reshape(-1)[:count]
    shown = ", ".join(f"{value:.4g}" if values.dtype.kind == "f" else str(value) for value in flat.tolist())
    return shown + (", ..." if np.size(values) > count else "")
