"""docs/traces.md does what it says."""

import os
import re
import runpy
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "traces.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_the_page_runs_from_top_to_bottom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib").use("Agg")
    script = tmp_path / "page.py"
    script.write_text("\n".join(BLOCKS))
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(script))
    assert os.listdir(tmp_path) == ["page.py"]


def test_the_example(capsys: pytest.CaptureFixture[str]) -> None:
    """Evidence before correct choices rises, before wrong ones it falls."""
    runpy.run_path(str(ROOT / "examples" / "traces.py"), run_name="__main__")
    lines = capsys.readouterr().out.splitlines()
    assert "of 2,000 decisions" in lines[0]
    correct, wrong = (list(map(float, line.partition(": ")[2].split(", "))) for line in lines[1:])
    assert 0 < correct[0] < correct[1] < correct[2] < 1
    assert 0 > wrong[0] > wrong[1] > wrong[2] > -1


def test_the_figure_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    import write_traces

    monkeypatch.setattr(write_traces, "FIGURE", tmp_path / "traces.png")
    write_traces.main()
    assert (tmp_path / "traces.png").stat().st_size > 20_000
    sys.modules.pop("traces", None)
