"""docs/fits.md does what it says."""

import os
import re
import runpy
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[3] / "docs" / "fits.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_the_page_runs_from_top_to_bottom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "page.py"
    script.write_text("\n".join(BLOCKS))
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(script))
    assert sorted(os.listdir(tmp_path)) == ["decision.npz", "experiment.csv", "fit.png", "page.py"]
