"""Letters that the standard output cannot encode are printed escaped, by every tool."""

import io
import sys
from pathlib import Path
from types import ModuleType

import pytest

from cogir.tools import cog_opt, cog_run, cog_translate, common

SCRIPT = """
import cogir

model = cogir.Model("Größe")
model.node("reiz α", input=2, labels=["links", "rechts ←"])
"""


@pytest.fixture
def script(tmp_path: Path) -> str:
    path = tmp_path / "größe.py"
    path.write_text(SCRIPT, encoding="utf-8")
    return str(path)


def printed(monkeypatch: pytest.MonkeyPatch, encoding: str, tool: ModuleType, *arguments: str) -> tuple[int, str, str]:
    """The exit code of a tool whose standard output and error have this encoding, and what it has printed."""
    raw = io.BytesIO(), io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw[0], encoding=encoding, errors="strict"))
    monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(raw[1], encoding=encoding, errors="backslashreplace"))
    code = tool.main(arguments)
    sys.stdout.flush()
    sys.stderr.flush()
    return code, raw[0].getvalue().decode(encoding), raw[1].getvalue().decode(encoding)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8"])
def test_results(script: str, encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, err = printed(monkeypatch, encoding, cog_run, script, "-i", '{"reiz α": [1, 2]}')
    assert (code, err) == (0, "")
    assert "reiz α".encode(encoding, "backslashreplace").decode(encoding) in out
    assert out.splitlines()[1].split() == ["0", "1", "2"]


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_errors(script: str, encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, err = printed(monkeypatch, encoding, cog_run, script, "-i", '{"reiz β": [1, 2]}')
    assert (code, out) == (1, "")
    assert err == 'error: inputs: there is no "reiz \\u03b2"; did you mean "reiz \\u03b1"?\n'


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [(cog_opt, []), (cog_opt, ["--emit=machine", "--remarks"]), (cog_translate, ["--emit=llvm-ir"]), (cog_run, ["--stage", "machine"])],
)
def test_other_output(script: str, tool: ModuleType, arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, _ = printed(monkeypatch, "ascii", tool, script, *arguments)
    assert code == 0
    assert out


def test_files_have_all_letters(script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for suffix in (".json", ".csv"):
        saved = tmp_path / f"ergebnis{suffix}"
        assert printed(monkeypatch, "ascii", cog_run, script, "-o", str(saved))[0] == 0
        assert "reiz" in saved.read_text(encoding="utf-8")
    assert "reiz α" in (tmp_path / "ergebnis.csv").read_text(encoding="utf-8")


def test_planted_raw_output_is_found(script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(common, "escape_what_cannot_be_printed", lambda: None)
    with pytest.raises(UnicodeEncodeError):
        printed(monkeypatch, "ascii", cog_run, script)
