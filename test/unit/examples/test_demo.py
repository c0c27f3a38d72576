"""`make demo`: its tables and its page, with and without PsyNeuLink and a C compiler; the whole of it in the long runs."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).parents[3]
sys.path[:0] = [str(ROOT / "examples")]

import demo  # noqa: E402


@pytest.mark.parametrize(("seconds", "said"), [(2.5, "2.5 s"), (0.0123, "12.3 ms"), (4.5e-6, "4.5 µs"), (3e-9, "3 ns"), (None, "")])
def test_times_have_a_unit_that_suits_them(seconds: float | None, said: str) -> None:
    assert demo.duration(seconds) == said


def test_the_paper_is_quoted_for_models_that_are_shown() -> None:
    assert set(demo.PAPER) <= set(demo.TITLES) <= set(demo.EXAMPLES)
    assert set(demo.IN_PSYNEULINK) <= set(demo.TITLES)


@pytest.mark.parametrize("installed", [True, False])
def test_the_page_has_both_tables_and_pictures(
    installed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    distances = np.linspace(4.0, 0.4, 37)
    monkeypatch.setattr(demo, "TITLES", {name: demo.TITLES[name] for name in ("necker_s", "predator_prey_xl")})
    monkeypatch.setattr(demo, "times_of", lambda name: (0.5, 2e-6))
    monkeypatch.setattr(demo, "in_psyneulink", lambda: {"necker_s": {"Python": 0.05, "LLVMRun": 0.003}} if installed else {})
    monkeypatch.setattr(demo, "in_c", lambda source: [4.0, 2.0] if installed else [])
    monkeypatch.setattr(demo, "search_in_numpy", lambda: 0.08)
    monkeypatch.setattr(demo, "exhaustive_search", lambda: 0.0015)
    monkeypatch.setattr(demo, "decisions", lambda: {"cogir": 2.2, "NumPy": 30.0})
    monkeypatch.setattr(demo, "controller", lambda: ("<img>", distances, np.column_stack([distances, 10.0 - distances])))
    path = demo.main(["--output", str(tmp_path / "demo")])
    said, page = capsys.readouterr().out, path.read_text()
    assert str(path) in said
    for text in (said, page):
        assert "Necker cube S" in text
        assert ("50 ms" in text) == installed
        assert ("no C compiler" in text) is True  # for the step of a decision
        assert ("not installed here" in text) != installed
        assert ("PsyNeuLink, LLVMRun" in text) == installed
        assert "1.5 ms" in text
    assert page.count("<svg") == 1
    assert page.count("<img") == 2
    assert not re.search(r'(?:src|href)="https?:', page)


def test_a_failure_of_psyneulink_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def failed(*_: Any, **__: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess([], 1, "", "Traceback\nImportError: torch\n")

    monkeypatch.setattr(demo.metadata, "version", lambda name: "0.21")
    monkeypatch.setattr(demo.subprocess, "run", failed)
    assert demo.in_psyneulink() == {}
    assert "PsyNeuLink is not measured: ImportError: torch" in capsys.readouterr().out


@pytest.mark.full
def test_the_demo_runs(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, str(ROOT / "examples" / "demo.py"), "--output", str(tmp_path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    attention = [float(line.split()[2]) for line in done.stdout.split("distance of the predator")[1].splitlines()[1:8] if line.strip()]
    assert len(set(attention)) > 2, "the choice changes with the situation"
