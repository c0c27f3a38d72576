"""
Tables of numbers in CSV files: a line of names, and a line of numbers per row, separated by commas.

Large files of plain numbers are read by pandas where it is installed, or by NumPy; all others, and those with mistakes, line by line. The
numbers are the same: each is the float that is nearest to what is written.
"""

from __future__ import annotations

import csv
import importlib.util
import mmap
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import numpy as np

from cogir.runtime.named_data import NamedColumns
from cogir.runtime.numbers import EXACT, NotNumbers, as_numbers
from cogir.runtime.plan import Floats
from cogir.tools.diagnostics import TextPosition, ToolError

FEW_BYTES = 2**14
"""Smaller files are read line by line."""
MANY_BYTES = 2**25
"""From this size on, loading pandas takes less time than it saves."""
OF_FLAGS = (b"u", b"U", b"s", b"S")
"""Letters of "true" and "false", which pandas reads as numbers."""


def read_columns(path: Path) -> NamedColumns:
    """
    The columns of a file by their names, each with a number per line. Raises `ToolError` for what is no such table, with the line,
    `UnicodeDecodeError` for what is no text, and `OSError`.
    """
    name = str(path)
    if path.stat().st_size >= FEW_BYTES and (names := _names_of_plain(path)):
        numbers = _at_once(path, len(names))
        if numbers is not None:
            return _columns(names, numbers, name)
    lines = _lines(_text(path), name)
    return _columns(lines[0], [np.array(list(_numbers(lines, position, name))) for position in range(len(lines[0]))], name)


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8-sig")  # spreadsheets put a mark before the first letter


def _names_of_plain(path: Path) -> list[str]:
    """The names of the columns of a file that can be read at once; empty for others."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        end = data.find(b"\n")
        head = data[:end].decode("utf-8-sig")
        if end < 0 or head.count('"') % 2 or any(data.find(letter, end) >= 0 for letter in OF_FLAGS):
            return []
    return next(csv.reader([head.rstrip("\r")]), list[str]())


def read_table(path: Path) -> dict[str, list[Any]]:
    """The columns of a table by their names: of numbers, or of texts where a cell is none."""
    name = str(path)
    lines = _lines(_text(path), name)
    found: dict[str, list[Any]] = {}
    for position, heading in enumerate(lines[0]):
        cells = [line[position] if position < len(line) else "" for line in lines[1:] if line]
        try:
            column: list[Any] = [float_of(cell) for cell in cells]
        except ValueError:
            column = [cell.strip() for cell in cells]
        if heading.strip() in found:
            raise _twice(heading.strip(), name)
        found[heading.strip()] = column
    return found


def _columns(names: list[str], columns: list[Floats], name: str) -> NamedColumns:
    names = [each.strip() for each in names]
    twice = next((each for place, each in enumerate(names) if each in names[:place]), None)
    if twice is not None:
        raise _twice(twice, name)
    return NamedColumns(dict(zip(names, columns, strict=True)), "file")


def _twice(heading: str, name: str) -> ToolError:
    return ToolError(f"two columns are called {heading}; leave one out", TextPosition(name, 1, 1))


def _at_once(path: Path, width: int) -> list[Floats] | None:
    """
    The columns of numbers below the first line, of which there are so many; None if a line has another number of them, or if one may be a
    whole number that no float can hold.
    """
    is_there = "pandas" in sys.modules or (path.stat().st_size >= MANY_BYTES and importlib.util.find_spec("pandas") is not None)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # of lines that are too long
            columns = (_by_pandas if is_there else _by_numpy)(path, width)
    except (ValueError, Warning):
        return None
    are_all = len(columns) == width and all(len(each) and -EXACT < each.min() and each.max() < EXACT for each in columns)
    return columns if are_all else None  # a number that is missing is NaN


def _by_pandas(path: Path, width: int) -> list[Floats]:
    import pandas  # pyright: ignore[reportMissingTypeStubs]

    is_old = tuple(map(int, pandas.__version__.split(".")[:2])) < (3, 1)  # from there on the default rounds correctly, and has no other
    options: dict[str, Any] = {"float_precision": "round_trip"} if is_old else {}
    frame: Any = cast(Any, pandas).read_csv(
        path, header=None, skiprows=1, names=range(width), index_col=False, dtype=np.float64, engine="c", **options
    )
    return [frame[place].to_numpy() for place in range(width)]


def _by_numpy(path: Path, width: int) -> list[Floats]:
    return list(np.loadtxt(path, delimiter=",", ndmin=2, skiprows=1, comments=None, encoding="utf-8").T)


def _lines(text: str, name: str) -> list[list[str]]:
    """The cells of all lines. Raises `ToolError` for lines that are no table."""
    lines = list(csv.reader(text.splitlines()))
    if len(lines) < 2:
        raise ToolError("a line of names and at least one line of numbers are required", TextPosition(name))
    if len(lines[0]) == 1 and ";" in lines[0][0]:
        raise ToolError(
            "the columns are separated by ';'; separate them by commas, and write numbers with a point: 0.5", TextPosition(name, 1, 1)
        )
    width = len(lines[0])
    for number, line in enumerate(lines[1:], start=2):
        if len(line) > width and any(map(str.strip, line[width:])):
            remedy = "give each value a column, and write numbers with a point: 0.5"
            raise ToolError(f"the line has {len(line)} values, but there are {width} names; {remedy}", TextPosition(name, number, 1))
    return lines


def _numbers(lines: list[list[str]], position: int, name: str) -> Iterator[float]:
    for number, line in enumerate(lines[1:], start=2):
        if not line:
            continue
        try:
            yield float_of(line[position])
        except NotNumbers as reason:
            raise ToolError(f"column {position + 1}: {reason}", TextPosition(name, number, 1)) from None
        except (ValueError, IndexError):
            found = repr(line[position]) if position < len(line) else "nothing"
            raise ToolError(f"column {position + 1} contains {found}; a number is required", TextPosition(name, number, 1)) from None


def float_of(text: str) -> float:
    """The float that is written; a whole number must not lose digits."""
    found = float(text)
    if abs(found) < EXACT or found != found:  # 2**53 + 1 is read as 2**53
        return found
    try:
        whole = int(text)
    except ValueError:
        return found
    return float(as_numbers(whole))
