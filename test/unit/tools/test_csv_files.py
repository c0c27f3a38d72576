"""Tables of numbers in CSV files: whoever reads them, the numbers are those that Python reads."""

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from cogir.runtime.named_data import NamedColumns
from cogir.tools import csv_files
from cogir.tools.csv_files import read_columns, read_table
from cogir.tools.diagnostics import ToolError

CELLS = ("1", "-0.0", "0.1", "1e-400", "4.9e-324", "1e5", ".5", "1.", "+1", " 1", "1 ", "\t2")
ODD = (
    *(
        "",
        "nan",
        "inf",
        "-Infinity",
        "NA",
        "True",
        "false",
        "TRUE",
        "0x10",
        "1_0",
        "1d5",
        "1e",
        "e1",
        ".",
        "--1",
        "1 2",
        "1j",
        '"1"',
        '"1',
        '""',
    ),
    *("9007199254740993", "9007199254740992", "1e300", "1\x00", "\u0661", "#1", "1#", "x", '"1,5"', '"1\n2"'),
)


def said_or_read(path: Path) -> Any:
    """The columns of a file as bits, or the message."""
    try:
        found = read_columns(path)
    except ToolError as error:
        return str(error)
    return {name: np.asarray(column).tobytes() for name, column in found.by_name.items()}


def random_table(rng: Random) -> str:
    """A table, which may have mistakes."""
    width = rng.randint(1, 3)
    lines = [",".join(rng.choice(("a", '"b"', "c[0]", " d")) + str(place) for place in range(width))]
    for _ in range(rng.randint(1, 5)):
        cells = [repr(rng.gauss(0, 1) * 10.0 ** rng.randint(-320, 20)) for _ in range(width)]
        if rng.random() < 0.5:
            cells[rng.randrange(width)] = rng.choice(CELLS if rng.random() < 0.7 else ODD)
        if rng.random() < 0.05:
            cells = cells[:-1] if rng.random() < 0.5 else [*cells, rng.choice(("", "1"))]
        lines.append(",".join(cells))
        if rng.random() < 0.05:
            lines.append("")
    return rng.choice(("", "\ufeff")) + rng.choice(("\n", "\r\n")).join(lines) + rng.choice(("\n", ""))


def differences(path: Path, count: int) -> Iterator[str]:
    """Tables that are read in another way at once than line by line."""
    for number in range(count):
        path.write_bytes(random_table(Random(number)).encode())
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(csv_files, "FEW_BYTES", 2**62)
            line_by_line = said_or_read(path)
            patch.setattr(csv_files, "FEW_BYTES", 0)
            if said_or_read(path) != line_by_line:
                yield f"{number}: {said_or_read(path)} is not {line_by_line}"


@pytest.fixture(params=["pandas", "numpy"])
def reader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The reader of large files."""
    if request.param == "pandas":
        pytest.importorskip("pandas")
    else:
        monkeypatch.delitem(sys.modules, "pandas", raising=False)
        monkeypatch.setattr(csv_files, "MANY_BYTES", 2**62)
    return request.param


@pytest.mark.parametrize("count", [150, pytest.param(20_000, marks=pytest.mark.full)])
def test_numbers_are_those_of_python(reader: str, count: int, tmp_path: Path) -> None:
    assert not list(differences(tmp_path / "table.csv", count))


def test_large_files_are_read_at_once(reader: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(0).normal(size=(2000, 2))
    path = tmp_path / "table.csv"
    path.write_text("\n".join(["s[1],s[0]", *(f"{one!r},{other!r}" for one, other in values.tolist())]) + "\n")
    monkeypatch.setattr(csv_files, "_lines", lambda text, name: pytest.fail("read line by line"))
    found = read_columns(path)
    assert np.array_equal(np.stack(list(found.by_name.values()), axis=1), values)
    assert list(found.by_name) == ["s[1]", "s[0]"]


def by_rounding(path: Path, width: int) -> list[Any]:
    """Numbers in fewer digits."""
    return [np.round(column, 12) for column in numpy_columns(path, width)]


numpy_columns = csv_files._by_numpy

MUTANTS = {
    "digits are lost": [("_by_numpy", by_rounding), ("_by_pandas", by_rounding)],
    "flags are numbers": [("OF_FLAGS", ())],
}


@pytest.mark.parametrize("name", MUTANTS)
def test_planted_readers_are_found(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pandas")
    for attribute, value in MUTANTS[name]:
        monkeypatch.setattr(csv_files, attribute, value)
    assert next(differences(tmp_path / "table.csv", 3000), None) is not None


def test_tables_with_labels(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("condition, decision/rate\neasy,2\nhard,0.5\n")
    assert read_table(path) == {"condition": ["easy", "hard"], "decision/rate": [2.0, 0.5]}
    path.write_text("a,a\n1,2\n")
    with pytest.raises(ToolError, match="two columns are called a; leave one out"):
        read_table(path)


def test_what_is_read_is_a_table_of_names(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text('"a",b\n1,2\n')
    found = read_columns(path)
    assert isinstance(found, NamedColumns)
    assert {name: column.tolist() for name, column in found.by_name.items()} == {"a": [1.0], "b": [2.0]}
