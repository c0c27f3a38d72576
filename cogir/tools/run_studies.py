"""
Replicates, sweeps and fits of `cog-run`: the arguments of `Compiled.replicates`, `Compiled.sweep` and `cogir.fit` on a command line, and
their results as tables and files.
"""

from __future__ import annotations

import argparse
import csv
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np

import cogir
from cogir.errors import counted
from cogir.labelled.labelled import Labelled
from cogir.labelled.to_dataframe import table_columns
from cogir.runtime.compiled import Compiled
from cogir.runtime.replicates import ReplicatesInterrupted
from cogir.runtime.sweeps.axes import Zipped, zipped
from cogir.runtime.sweeps.sweep import SweepInterrupted
from cogir.study.fitted import Fit
from cogir.study.subjects import Fits
from cogir.tools.csv_files import read_table
from cogir.tools.diagnostics import TextPosition, ToolError
from cogir.tools.run_files import FORMATS as TABLES
from cogir.tools.run_files import by_path, cell_text, path_in, path_of_model, read_json, read_npz, text_table

ROWS = 20
"""So many rows of a table are printed unless --all is given."""


def run_study(ready: Compiled, model: Any, inputs: Any, args: argparse.Namespace) -> int:
    """Carries out `--replicates`, `--sweep` or `--fit`, saves and prints the results; gives the exit code."""
    seed: dict[str, Any] = {} if args.seed is None else {"seed": args.seed}
    if args.fit is not None:
        found = fit(ready, model, inputs, args, seed)
        if args.save is not None:
            save_fit(found, args.save)
        if not args.quiet:
            print(found if isinstance(found, Fits) else found.summary())
        return 0
    code = 0
    progress = False if args.quiet else None
    try:
        if args.sweep is not None:
            reduce = None if args.reduce is None else names_in(args.reduce)
            given: dict[str, Any] = {"reduce": reduce[0] if reduce is not None and len(reduce) == 1 else reduce}
            given |= {"replicates": 1 if args.replicates is None else args.replicates, "store": args.store}
            given |= {"common_random_numbers": args.common_random_numbers, "progress": progress}
            result: Labelled = ready.sweep(points_of(args.sweep, ready), inputs, args.trials, **given, **seed)
        else:
            result = ready.replicates(inputs, args.replicates, args.trials, progress=progress, **seed)
    except (SweepInterrupted, ReplicatesInterrupted) as stop:
        print(f"error: {stop}", file=sys.stderr)
        result, code = cast(Labelled, stop.result), 130
    if args.save is not None:
        save(result, args.save)
    if not args.quiet:
        is_reduced = args.reduce is not None
        print(shown(table_columns(result.dataset()), args.all) if is_reduced or args.all else result.summary())
    return code


def fit(ready: Compiled, model: Any, inputs: Any, args: argparse.Namespace, seed: dict[str, Any]) -> Fit | Fits:
    """What `cogir.fit` finds."""
    if args.likelihood == "analytical" and args.set:
        raise ToolError("--likelihood analytical takes the parameters of the model itself; change them there, and leave --set out")
    given: dict[str, Any] = {name: getattr(args, name) for name in ("likelihood", "simulations", "undecided", "subject")}
    given["response"] = (
        None if args.response is None else {name: path_of_model(column, ready) for name, column in map(pair("--response"), args.response)}
    )
    given["depends_on"] = (
        None
        if args.depends_on is None
        else {
            name: columns[0] if len(columns := [path_of_model(each, ready) for each in names_in(text)]) == 1 else columns
            for name, text in map(pair("--depends-on"), args.depends_on)
        }
    )
    given["lapse"] = None if args.lapse is None else bounds("--lapse", args.lapse)
    given = {name: value for name, value in given.items() if value is not None}
    if args.intervals is not None:
        given["intervals"] = None if args.intervals == "none" else args.intervals
    free = {name: bounds(f"--free {name}", text) for name, text in map(pair("--free"), args.free)}
    table = named(table_in(args.fit), ready)
    return cogir.fit(model if args.likelihood == "analytical" else ready, table, free, inputs=inputs, **given, **seed)


def names_in(text: str) -> list[str]:
    """The names in `a,b`."""
    return [name.strip() for name in text.split(",") if name.strip()]


def pair(option: str) -> Callable[[str], tuple[str, str]]:
    """A reader of `NAME=TEXT`."""

    def read(text: str) -> tuple[str, str]:
        name, equals, value = text.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise ToolError(f"{option} {text}: write NAME=VALUE, such as {option} {EXAMPLES[option]}")
        return path_in(name), value.strip()

    return read


EXAMPLES = {
    "--free": "decision.drift=0:3",
    "--response": "decision.choice=choice",
    "--depends-on": "decision.drift=difficulty",
    "--sweep": "decision.rate=0:2:11",
}


def number(text: str, what: str) -> float:
    """A number. Raises `ToolError` for what is none."""
    try:
        return float(text)
    except ValueError:
        raise ToolError(f"{what}: '{text.strip()}' is not a number") from None


def bounds(what: str, text: str) -> Any:
    """A number, or a tuple of those between colons."""
    numbers = [number(each, what) for each in text.split(":")]
    return numbers[0] if len(numbers) == 1 else tuple(numbers)


def named(table: Any, ready: Compiled) -> Any:
    """A table with its columns by their paths; anything else as it is."""
    return by_path(cast("Mapping[str, Any]", table), ready) if isinstance(table, Mapping) else table


def points_of(given: Sequence[str], ready: Compiled) -> Any:
    """The points of a sweep: an axis for each option, or what a single table or JSON says."""
    axes: dict[str, Any] = {}
    tables: list[Any] = []
    """Dicts as in Python, and tables with a row per point."""
    for text in given:
        if text.lstrip().startswith("{"):
            tables.append(read_json(text, "--sweep"))
        elif "=" not in text or Path(text).suffix in TABLES:
            table = table_in(text)
            tables.append(table if text.endswith(".json") else zipped(named(table, ready)))
        else:
            name, values = pair("--sweep")(text)
            if name in axes:
                raise ToolError(f"--sweep {text}: {name} is given twice; give it once")
            axes[name] = values_in(values, f"--sweep {name}")
    if not tables:
        return axes
    if len(tables) == 1 and not axes:
        return tables[0]
    for number, table in enumerate(tables):
        if isinstance(table, Zipped):
            axes["point" if len(tables) == 1 else f"point_{number}"] = table
            continue
        if twice := next((name for name in table if name in axes), None):
            raise ToolError(f"--sweep: {twice} is given twice; give it once")
        axes |= table
    return axes


def values_in(text: str, what: str) -> Any:
    """Values along an axis: `LOW:HIGH:COUNT`, numbers between commas, or a list in JSON."""
    if text.startswith("["):
        return read_json(text, what)
    if ":" not in text:
        return [number(each, what) for each in names_in(text)]
    parts = text.split(":")
    if len(parts) != 3 or not parts[2].strip().isdecimal() or int(parts[2]) < 1:
        raise ToolError(f"{what}={text}: write LOW:HIGH:COUNT with a whole number of values, such as 0:2:11, or 0,0.5,2")
    low, high = (number(each, what) for each in parts[:2])
    return np.linspace(low, high, int(parts[2]))


def table_in(given: str) -> Any:
    """A table in a file: of a CSV or NPZ, columns side by side; of JSON what it says."""
    path = Path(given)
    if path.suffix not in TABLES:
        raise ToolError(f"the file cannot be read; give a table, {', '.join(TABLES)}", TextPosition(given))
    try:
        if path.suffix == ".json":
            return read_json(path.read_text(encoding="utf-8-sig"), given)
        columns = read_table(path) if path.suffix == ".csv" else read_npz(path)
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise ToolError(f"the file cannot be read: {getattr(error, 'strerror', None) or error}", TextPosition(given)) from error
    return columns


def save(result: Labelled, given: str) -> None:
    """Saves a result in the format that the name of the file asks for."""
    if given.endswith(".csv"):
        columns = table_columns(result.dataset())
        save_table(given, list(columns), [list(row) for row in zip(*(column.tolist() for column in columns.values()), strict=True)])
        return
    try:
        result.save(given, overwrite=True)
    except OSError as error:
        raise ToolError(f"the file cannot be written: {error.strerror or error}", TextPosition(given)) from error


def save_table(given: str, headings: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Saves rows as CSV."""
    try:
        with Path(given).open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([headings, *([repr(cell) if isinstance(cell, float) else cell for cell in row] for row in rows)])
    except OSError as error:
        raise ToolError(f"the file cannot be written: {error.strerror}", TextPosition(given)) from error


def save_fit(found: Fit | Fits, given: str) -> None:
    """Saves a fit as `Fit.save` does, or as CSV the estimates with their errors and intervals; those of subjects as arrays side by side."""
    headings, rows = estimates(found)
    try:
        if given.endswith(".csv"):
            save_table(given, headings, rows)
        elif isinstance(found, Fit):
            found.save(given, overwrite=True)
        elif given.endswith(".nc"):
            cast(Any, found.to_xarray()).to_netcdf(given, engine="h5netcdf")
        else:
            columns: dict[str, Any] = {heading: np.array(column) for heading, column in zip(headings, zip(*rows, strict=True), strict=True)}
            np.savez(given, **columns)
    except OSError as error:
        raise ToolError(f"the file cannot be written: {error.strerror or error}", TextPosition(given)) from error


def estimates(found: Fit | Fits) -> tuple[list[str], list[list[Any]]]:
    """Headings, and a row for each parameter, of each subject if there are several."""
    headings = ["parameter", "estimate", "standard_error", "low", "high"]
    if isinstance(found, Fits):
        rows = [[str(subject), *row] for subject, one in found.items() for row in estimates(one)[1]]
        return [found.subject, *headings], rows
    blank = (math.nan, math.nan)
    errors, intervals = found.standard_errors, dict(found.intervals)
    return headings, [[name, value, errors[name], *intervals.get(name, blank)] for name, value in found.parameters.items()]


def shown(columns: Mapping[str, Any], everything: bool) -> str:
    """Columns as a table of text."""
    rows = list(zip(*(column.tolist() for column in columns.values()), strict=True))
    kept = rows if everything else rows[:ROWS]
    lines = text_table([list(columns), *([cell_text(cell) for cell in row] for row in kept)])
    if left := len(rows) - len(kept):
        lines.append(f"... {counted(left, 'more row')} (--all prints all, --save keeps them)")
    return "\n".join(lines)
