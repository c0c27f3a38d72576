"""
Inputs and results of a run as files: JSON, CSV and NPZ.

A CSV has a line of names and then a line per trial: `stimulus` for a single number, `stimulus[0]`, `stimulus[1]` ... for the
elements of an array, `node/port` for a port. JSON and NPZ hold, by name, one array of trials each.
"""

from __future__ import annotations

import csv
import json
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from cogir.labelled.dataset import Axis, element_names
from cogir.runtime.compiled import Compiled
from cogir.runtime.results import Result
from cogir.tools.csv_files import read_columns
from cogir.tools.diagnostics import TextPosition, ToolError

FORMATS = (".json", ".csv", ".npz")


def path_in(name: str) -> str:
    """`node/parameter` for `node.parameter`; names with a slash, of matrices and of inputs stay as they are."""
    owner, dot, last = name.strip().rpartition(".")
    return f"{owner}/{last}" if dot and owner and "/" not in last and "->" not in name and ":" not in name else name.strip()


def path_of_model(name: str, ready: Compiled) -> str:
    """`node/parameter` for a column `node.parameter`, if the model has that and nothing of the name itself; else the name."""
    path = path_in(name)
    return path if _is_of(path, ready) and not _is_of(name, ready) else name


def by_path(columns: Mapping[str, Any], ready: Compiled) -> dict[str, Any]:
    """Columns of parameters, inputs and outputs called `node/parameter`, as in Python, and others as they are."""
    found: dict[str, Any] = {}
    names: dict[str, str] = {}
    for name, column in columns.items():
        path = path_of_model(name, ready)
        if path in found:
            raise ToolError(f'the table has two columns for "{path}", called "{names[path]}" and "{name}"; leave one of them out')
        found[path], names[path] = column, name
    return found


def _is_of(name: str, ready: Compiled) -> bool:
    """True for the name of a parameter, input or output, or of an element of one."""
    return ready.params.holds(name) or name.partition("[")[0] in ready.inputs.names or name in ready.plan.outputs


def read_inputs(given: str) -> Any:
    """Inputs from a file, or from JSON on the command line itself."""
    if given.lstrip()[:1] in ("{", "["):
        return read_json(given, "--inputs")
    path = Path(given)
    if path.suffix not in FORMATS:
        raise ToolError(f'the inputs cannot be read; give a file {", ".join(FORMATS)}, or JSON: {{"node": [[1.0]]}}', TextPosition(given))
    try:
        if path.suffix == ".npz":
            return read_npz(path)
        return read_columns(path) if path.suffix == ".csv" else read_json(path.read_text(encoding="utf-8-sig"), given)
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise ToolError(f"the file cannot be read: {getattr(error, 'strerror', None) or error}", TextPosition(given)) from error


def read_npz(path: Path) -> dict[str, Any]:
    """The arrays of an archive by name."""
    if not zipfile.is_zipfile(path):
        path.open("rb").close()  # a file that is not there is told as such
        raise ToolError("the file is not a .npz archive; write it with numpy.savez", TextPosition(str(path)))
    try:
        with np.load(path, allow_pickle=False) as arrays:
            return {name: arrays[name] for name in arrays.files}
    except (ValueError, zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise ToolError(
            "the archive is damaged, or contains other data than arrays of numbers; write it with numpy.savez", TextPosition(str(path))
        ) from error


def read_json(text: str, name: str) -> Any:
    """What a text in JSON says; `name` stands for it in messages."""
    try:
        return json.loads(text, object_pairs_hook=lambda pairs: _once(pairs, name))
    except json.JSONDecodeError as error:
        raise ToolError(f"not valid JSON: {error.msg}", TextPosition(name, error.lineno, error.colno)) from error


def _once(pairs: list[tuple[str, Any]], name: str) -> dict[str, Any]:
    """The members of an object of JSON, which has no rule for names that come twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        given = [key for key, _ in pairs]
        twice = next(key for key in given if given.count(key) > 1)
        raise ToolError(f'"{twice}" is given twice; give it once, with all its trials in one list', TextPosition(name))
    return found


def arrays_of(result: Result) -> dict[str, np.ndarray[Any, Any]]:
    """The results by name, and the allocations of controllers as `controller/allocation`."""
    return dict(result) | {f"{name}/allocation": values for name, values in result.allocations.items()}


def check_is_free(path: Path, overwrite: bool) -> None:
    """Refuses the place of a file that exists, unless it is to be overwritten."""
    if path.exists() and not overwrite:
        raise ToolError("the file exists; give another name, or --overwrite", TextPosition(str(path)))


def check_results_file(given: str, overwrite: bool) -> None:
    """Refuses a place to which results cannot be written, and a file that exists: before a run, not after it."""
    path = Path(given)
    if path.suffix not in FORMATS:
        raise ToolError(f"the file name must end in one of {', '.join(FORMATS)}", TextPosition(given))
    check_is_free(path, overwrite)
    existed = path.exists()
    try:
        path.open("ab").close()
        if not existed:
            path.unlink()
    except OSError as error:
        raise ToolError(f"the file cannot be written: {error.strerror}", TextPosition(given)) from error


def write_results(result: Result, given: str) -> None:
    """Saves results in the format that the name of the file asks for; `check_results_file` has looked at the name."""
    path = Path(given)
    arrays = arrays_of(result)
    try:
        if path.suffix == ".npz":
            np.savez(path, **arrays)  # pyright: ignore[reportArgumentType]
        elif path.suffix == ".json":
            path.write_text(json.dumps({name: values.tolist() for name, values in arrays.items()}, indent=1) + "\n", encoding="utf-8")
        else:
            with path.open("w", newline="", encoding="utf-8") as file:
                headings, rows = table(arrays)
                csv.writer(file).writerows([headings, *([repr(value) for value in row] for row in rows)])
    except OSError as error:
        raise ToolError(f"the file cannot be written: {error.strerror}", TextPosition(given)) from error


def table(arrays: dict[str, np.ndarray[Any, Any]]) -> tuple[list[str], list[list[Any]]]:
    """Headings, one for each element, and a row of numbers per trial."""
    columns: dict[str, np.ndarray[Any, Any]] = {}
    for name, values in arrays.items():
        places = element_names(name, [Axis("", size) for size in values.shape[1:]])
        columns |= {heading: values[(slice(None), *place)] for place, heading in places.items()}
    return list(columns), [list(row) for row in zip(*(column.tolist() for column in columns.values()), strict=True)]


def text_table(cells: list[list[str]]) -> list[str]:
    """The lines of a table, its columns side by side."""
    widths = [max(len(line[column]) for line in cells) for column in range(len(cells[0]))]
    return ["  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)) for line in cells]


def cell_text(value: Any) -> str:
    """A cell of a table as text."""
    return f"{value:.8g}" if isinstance(value, float) else str(value)
