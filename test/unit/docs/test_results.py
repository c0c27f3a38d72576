"""docs/results.md does what it says."""

import os
import re
import runpy
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[3] / "docs" / "results.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_the_page_runs_from_top_to_bottom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "page.py"
    script.write_text("\n".join(BLOCKS))
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(script))
    assert sorted(os.listdir(tmp_path)) == ["decision.csv", "decision.npz", "page.py"]
    printed = capsys.readouterr().out
    shown = re.search(r"```\n(replicates of .*?)```", PAGE, re.DOTALL)
    assert shown is not None
    for line in shown[1].rstrip().splitlines():
        assert line in printed.splitlines(), line
