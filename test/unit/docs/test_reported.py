"""What the scripts print that write pages: whether a page has changed."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[3] / "docs"))

import reported


def test_each_file_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(reported, "ROOT", tmp_path)
    same, other, new = (tmp_path / name for name in ("same.md", "other.md", "new.svg"))
    same.write_text("a")
    other.write_text("a")
    with reported.reported(same, other, new):
        same.write_text("a")
        other.write_text("b")
        new.write_text("c")
    assert capsys.readouterr().out.splitlines() == ["same.md: unchanged", "other.md: updated", "new.svg: updated"]


@pytest.mark.parametrize("script", sorted((Path(reported.__file__).parent).glob("write_*.py")), ids=lambda path: path.stem)
def test_all_scripts_report(script: Path) -> None:
    assert "with reported(" in script.read_text(), "write the page within `with reported(...)` of docs/reported.py"
