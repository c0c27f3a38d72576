"""
A summary of labelled data: a row of statistics for each element, without pandas.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import nan

import numpy as np

from cogir.callers import methods_end_at_caller
from cogir.errors import counted
from cogir.labelled.attributes import seed_notes
from cogir.labelled.dataset import OUT_OF_RANGE, REPLICATES, UNFINISHED, Array, Dataset, Variable, element_names
from cogir.labelled.names import ByName, find, path_of

COLUMNS = ("count", "mean", "sd", "min", "25 %", "50 %", "75 %", "max")
CATEGORIES = 8
"""An array of whole numbers with at most so many different ones also has their shares."""
ROWS = 40
"""So many elements are shown; a large array has more than anybody reads."""


@dataclass(frozen=True)
class Row:
    """The statistics of one element; `values` are in the order of `COLUMNS`."""

    name: str
    values: tuple[float, ...]
    unit: str | None
    shares: tuple[tuple[float, float], ...] = ()
    """For whole numbers with few different values, each with its share."""


@methods_end_at_caller
class Summary(ByName[dict[str, float]]):
    """
    A table of statistics, which `print` and notebooks show. `rows` holds it: `name`, `values` in the order of `columns`, `unit`, and
    `shares`; `missing` counts the NaN of each element, which are left out of the statistics.
    """

    columns = COLUMNS

    def __init__(self, title: str, rows: list[Row], notes: list[str], missing: dict[str, int]):
        self.title = title
        self.rows = rows
        self.notes = notes
        self.missing = missing

    def __getitem__(self, name: str) -> dict[str, float]:
        """The statistics of an element by their names."""
        by_name = {row.name: row.values for row in self.rows}
        return dict(zip(COLUMNS, by_name[find(path_of(name), by_name, "summary")], strict=True))

    def __iter__(self) -> Iterator[str]:
        """The names of the elements, in order."""
        return (row.name for row in self.rows)

    def __len__(self) -> int:
        """The number of elements."""
        return len(self.rows)

    def __repr__(self) -> str:
        table = [["", *COLUMNS], *([_headed(row), *map(_number, row.values)] for row in self.rows[:ROWS])]
        widths = [max(len(line[place]) for line in table) for place in range(len(table[0]))]
        lines = [
            f"{line[0]:<{widths[0]}}  " + "  ".join(f"{cell:>{width}}" for cell, width in zip(line[1:], widths[1:], strict=True))
            for line in table
        ]
        return "\n".join([self.title, "", *lines, *self._below()])

    def _repr_html_(self) -> str:
        from html import escape

        head = "".join(f"<th>{escape(column)}</th>" for column in ("", *COLUMNS))
        cells = [(escape(_headed(row)), "".join(f"<td>{_number(value)}</td>" for value in row.values)) for row in self.rows[:ROWS]]
        body = "".join(f"<tr><th style='text-align:left'>{name}</th>{numbers}</tr>" for name, numbers in cells)
        notes = "".join(f"<div>{escape(note)}</div>" for note in self._below() if note)
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        return f"<div><strong>{escape(self.title)}</strong>{table}{notes}</div>"

    def _below(self) -> list[str]:
        """The lines below the table."""
        more = [f"... and {len(self.rows) - ROWS} more elements"] if len(self.rows) > ROWS else []
        shares = [
            f"{row.name}: " + ", ".join(f"{value:g} in {100 * share:.1f} %" for value, share in row.shares)
            for row in self.rows[:ROWS]
            if row.shares
        ]
        below = [*more, *shares, *self.notes]
        return ["", *below] if below else []


def summary_of(dataset: Dataset) -> Summary:
    """The statistics of all variables, the shares of flags, and how the run ended."""
    kept = dataset.kept()
    rows: list[Row] = []
    missing: dict[str, int] = {}
    for name, variable in dataset.variables.items():
        for heading, values in elements_of(dataset, name, variable, kept):
            lost = int(np.count_nonzero(np.isnan(values))) if values.dtype.kind == "f" else 0
            if lost:
                missing[heading] = lost
            rows.append(_row(heading, values, variable.unit))
    return Summary(title_of(dataset), rows, [*flag_notes(dataset), *_missing_notes(missing)], missing)


def elements_of(dataset: Dataset, name: str, variable: Variable, kept: Array | None) -> Iterator[tuple[str, Array]]:
    """The values of each element of a variable at all places at which there was a trial."""
    shared = len(dataset.shared_axes(variable))
    values = variable.values
    if kept is not None and shared == len(dataset.axes):
        flat = values[np.broadcast_to(kept, dataset.extents)]
    else:
        flat = values.reshape(-1, *values.shape[shared:])
    for index, heading in element_names(name, variable.axes[shared:]).items():
        yield heading, flat[(slice(None), *index)]


def _row(name: str, values: Array, unit: str | None) -> Row:
    """The statistics of some values, without those that are NaN; the standard deviation is that of a sample."""
    numbers = values.astype(np.float64)
    numbers = numbers[~np.isnan(numbers)]
    count = len(numbers)
    with np.errstate(invalid="ignore", over="ignore"):  # of infinite values there is no spread
        sd = float(numbers.std(ddof=1)) if count > 1 else nan
        quartiles = np.percentile(numbers, (25, 50, 75)).tolist() if count else [nan] * 3
        ends = (float(numbers.min()), float(numbers.max())) if count else (nan, nan)
        mean = float(numbers.mean()) if count else nan
    is_whole = values.dtype.kind in "biu" or np.array_equal(numbers, np.rint(numbers))
    found: list[float] = np.unique(numbers).tolist() if is_whole else []
    shares = tuple((value, np.count_nonzero(numbers == value) / count) for value in found) if 1 < len(found) <= CATEGORIES else ()
    return Row(name, (float(count), mean, sd, ends[0], *quartiles, ends[1]), unit, shares)


def title_of(dataset: Dataset) -> str:
    """The model, the kind, the lengths of the shared axes, the seed, and the status."""
    extents = ", ".join(f"{axis.name} {axis.size:,}" for axis in dataset.axes)
    model = dataset.attributes.get("model")
    named = f' of "{model}"' if model else ""
    status = [*seed_notes(dataset.attributes), dataset.attributes.get("status", "done")]
    return f"{dataset.kind}{named}: {extents or 'one value each'}; {', '.join(status)}"


def flag_notes(dataset: Dataset) -> list[str]:
    """A line for each flag that was raised."""
    found: list[str] = []
    for kind, text in ((UNFINISHED, "unfinished"), (OUT_OF_RANGE, "out of range")):
        for name, (raised, trials) in raised_flags(dataset, kind).items():
            found.append(f"{name}: {text} in {raised:,} of {counted(trials, 'trial')} ({100 * raised / trials:.1f} %)")
    return found


def raised_flags(dataset: Dataset, kind: str) -> dict[str, tuple[int, int]]:
    """For each flag of a kind that was raised, in how many trials it was, and how many trials there were."""
    found: dict[str, tuple[int, int]] = {}
    kept = dataset.kept()
    for name, flag in dataset.flags(kind).items():
        raised = int(np.count_nonzero(flag.values))
        trials = flag.values.size if kept is None or kept.shape != flag.values.shape else int(np.count_nonzero(kept))
        replicates = dataset.beside.get(REPLICATES)
        if replicates is not None and flag.values.dtype.kind == "f":  # the proportion of the replicates at each point
            raised, trials = round(float(np.nansum(flag.values * replicates.values))), int(replicates.values.sum())
        if raised:
            found[name] = raised, trials
    return found


def _missing_notes(missing: dict[str, int]) -> list[str]:
    return [f"{name}: {count:,} NaN left out" for name, count in missing.items()]


def _headed(row: Row) -> str:
    return f"{row.name} ({row.unit})" if row.unit else row.name


def _number(value: float) -> str:
    """A number with four digits, or all digits of a whole one."""
    return f"{value:,.0f}" if float(value).is_integer() and abs(value) < 1e9 else f"{value:.4g}"
