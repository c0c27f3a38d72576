"""docs/pictures.md does what it says, and its figures are those that the code draws."""

import re
import runpy
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "pictures.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)

sys.path.insert(0, str(ROOT / "docs"))

import write_pictures  # noqa: E402


def test_the_page_runs_from_top_to_bottom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    script = tmp_path / "page.py"
    script.write_text("\n".join(BLOCKS), encoding="utf-8")
    runpy.run_path(str(script))
    assert (tmp_path / "attention.svg").read_text(encoding="utf-8") == (ROOT / "docs/figures/picture_attention.svg").read_text(
        encoding="utf-8"
    )
    assert "flowchart TD" in capsys.readouterr().out


def test_figures() -> None:
    """The one that needs PsyNeuLink is compared in `test/unit/psyneulink/test_pictures.py`."""
    written = (ROOT / "docs" / "figures" / "picture_attention.svg").read_text(encoding="utf-8")
    assert written == write_pictures.FIGURES["picture_attention"](), "write them again: python docs/write_pictures.py"
    assert all(f"figures/{name}.svg" in PAGE for name in write_pictures.FIGURES)
