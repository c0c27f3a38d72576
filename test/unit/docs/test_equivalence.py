"""docs/equivalence.md does what it says, and prints what it shows."""

import contextlib
import io
import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "equivalence.md").read_text()
CODE = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
SHOWN = re.findall(r"```\n\n```\n(.*?)```", PAGE, re.DOTALL)
"""The output that follows code."""


def test_the_page_prints_what_it_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    script = tmp_path / "page.py"
    script.write_text("\n".join(CODE))
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        runpy.run_path(str(script))
    assert len(SHOWN) == 6
    assert printed.getvalue() == "".join(SHOWN)


def test_the_example(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(ROOT / "examples" / "equivalence.py"), run_name="__main__")
    answers = [line.partition(": ")[2] for line in capsys.readouterr().out.splitlines() if line[:1].strip() and ": " in line]
    assert answers == [
        "equal over the reals",
        "bit-equal",
        "equal in distribution",
        "equal under these parameter values",
        "not shown",
    ]
