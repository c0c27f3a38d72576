"""docs/tools.md: every command on the page prints what the page shows, and the options that it names exist."""

import json
import re
import shlex
import shutil
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from cogir.tools import cog_lsp, cog_opt, cog_play, cog_run, cog_translate

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "tools.md").read_text()
TOOLS: dict[str, ModuleType] = {
    "cog-opt": cog_opt,
    "cog-run": cog_run,
    "cog-translate": cog_translate,
    "cog-lsp": cog_lsp,
    "cog-play": cog_play,
}
FENCED = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
"""The sessions of the page; the fences within the output of a command are indented."""
SESSIONS = [
    (command, shown)
    for block in FENCED.findall(PAGE)
    for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
]


@pytest.mark.parametrize(("command", "shown"), SESSIONS, ids=[command for command, _ in SESSIONS])
def test_commands(command: str, shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for example in (ROOT / "cogir" / "tools" / "play").glob("*.mlir"):
        shutil.copy(example, tmp_path)
    wrong = re.search(r"```mlir\n(.*?)```", PAGE, re.DOTALL)
    assert wrong is not None
    (tmp_path / "wrong.mlir").write_text(wrong[1])
    for name, fence in (("decision.py", "python"), ("data.csv", "csv")):
        found = re.search(rf"```{fence}\n(.*?)```", PAGE, re.DOTALL)
        assert found is not None
        (tmp_path / name).write_text(found[1])
    monkeypatch.chdir(tmp_path)
    tool, *arguments = shlex.split(command)
    code = TOOLS[tool].main(arguments)
    out, err = capsys.readouterr()
    assert (code or 0) == int("error: " in shown), "the exit code"
    assert (out + err).strip() == shown.strip()
    assert all((tmp_path / name).exists() for name in re.findall(r"--save (\S+)", command))


def test_a_bool_may_stand_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy(ROOT / "cogir/tools/play/loop.mlir", tmp_path)
    monkeypatch.chdir(tmp_path)
    pipelines: list[str] = []
    for options in ("enabled", "enabled=true"):
        cog_opt.main(["loop.mlir", "-p", f"replicate{{{options}}}", "--dump-pass-pipeline", "-o", "/dev/null"])
        pipelines.append("".join(capsys.readouterr()))
    assert pipelines[0] == pipelines[1] != ""


def test_a_pass_that_is_asked_for_and_does_not_run_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(ROOT / "cogir/tools/play/loop.mlir", tmp_path)
    monkeypatch.chdir(tmp_path)
    cog_opt.main(["loop.mlir", "-p", "cog-licm", "--print-ir-after=cog-dce", "-o", "/dev/null"])
    assert re.search(r"^warning: .*cog-dce", capsys.readouterr().err, re.MULTILINE)


def test_all_sessions_are_found() -> None:
    assert len(SESSIONS) == PAGE.count("\n$ ") > 6


def test_options_that_are_named_exist(capsys: pytest.CaptureFixture[str]) -> None:
    known: set[str] = set()
    for tool in TOOLS.values():
        with pytest.raises(SystemExit):
            tool.main(["--help"])
        known |= set(re.findall(r"--[a-z][a-z-]+", capsys.readouterr().out))
    assert set(re.findall(r"`(--[a-z][a-z-]+)", PAGE)) <= known


def test_the_page_is_linked_and_shows_a_picture() -> None:
    assert "docs/tools.md" in (ROOT / "README.md").read_text()
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", PAGE):
        assert (ROOT / "docs" / target).exists(), target


def test_editors_start_the_server() -> None:
    """The blocks for editors name the program, and the language of the grammar in `editors/vscode`."""
    blocks = dict(re.findall(r"^```(lua|lisp|toml)\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE))
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    assert scripts["cog-lsp"] == "cogir.tools.cog_lsp:main"
    helix = tomllib.loads(blocks["toml"])
    assert helix["language-server"]["cog-lsp"] == {"command": "cog-lsp"}
    (language,) = helix["language"]
    grammar = json.loads((ROOT / "editors/vscode/syntaxes/cog.tmLanguage.json").read_text())
    (named,) = json.loads((ROOT / "editors/vscode/package.json").read_text())["contributes"]["languages"]
    assert (language["name"], language["scope"]) == (named["id"], grammar["scopeName"])
    assert {f".{kind}" for kind in language["file-types"]} >= set(named["extensions"])
    assert 'cmd = { "cog-lsp" }' in blocks["lua"]
    assert '(cog-mode . ("cog-lsp"))' in blocks["lisp"]
    assert blocks["lisp"].count("(") == blocks["lisp"].count(")")
