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

import cogir  # noqa: E402


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


def test_what_stands_beside_the_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    script = tmp_path / "page.py"
    script.write_text("\n".join(BLOCKS), encoding="utf-8")
    names = runpy.run_path(str(script))
    picture = names["picture"]
    assert capsys.readouterr().out.splitlines()[-1] == str(picture), "a line"
    svg = picture.svg
    for shown in ("drift_diffusion_integrator", "threshold", "\N{MINUS SIGN}0.4", "× slope", "<title>"):
        assert shown in svg
    assert "penalty" in svg
    stages = re.search(r"model.stages\(\) +# (.*)", PAGE)
    assert stages is not None
    assert [*names["stages"]] == stages[1].split(", ")
    assert [*names["some"]] == ["cog", "machine"]
    assert "<script" not in svg + picture.html


@pytest.mark.parametrize(("nodes", "is_large"), [(80, False), (81, True)])
def test_large_models_have_names_alone(nodes: int, is_large: bool) -> None:
    m = cogir.Model("m")
    for number in range(nodes):
        m.node(f"n{number}", cogir.library.linear)
    assert ("large model" in m.show().diagram.facts) == is_large
    assert ("<svg" in m.compile(mode="python", cache=False)._repr_html_()) != is_large


@pytest.mark.parametrize(("labels", "are_left_out"), [(48, False), (49, True)])
def test_many_labels_are_left_out(labels: int, are_left_out: bool) -> None:
    m = cogir.Model("m")
    senders, receivers = ([m.node(f"{side}{number}", cogir.library.linear) for number in range(7)] for side in "ab")
    for number in range(labels):
        m.project(senders[number // 7], receivers[number % 7], matrix=[[0.5]])
    assert ("without the labels of projections" in m.show().diagram.facts) == are_left_out


@pytest.mark.parametrize(("edges", "is_large"), [(240, False), (241, True)])
def test_many_edges_have_no_details(edges: int, is_large: bool) -> None:
    m = cogir.Model("m")
    senders, receivers = ([m.node(f"{side}{number}", cogir.library.linear) for number in range(16)] for side in "ab")
    for number in range(edges):
        m.project(senders[number // 16], receivers[number % 16])
    assert ("large model" in m.show().diagram.facts) == is_large


def test_tables_of_values() -> None:
    """Without start values, clocks and counts; arrays of more than 8 numbers are summarised."""
    m = cogir.Model("m")
    m.node("short", cogir.library.linear, input=8, slope=2.0)
    m.node("long", cogir.library.psyneulink.simple_integrator, input=9)
    compiled = m.compile(mode="python", cache=False)
    compiled.run({"short": [range(8)], "long": [range(9)]})
    params, state = str(compiled.params), str(compiled.state)
    assert re.search(r"^  short/slope +2$", params, re.MULTILINE), "two columns"
    assert "initial:" not in params
    assert "clock:" not in state
    assert "short/initial:port:value" in dict(compiled.params)
    assert re.search(r"short/port:value +\[0, 2, 4, 6, 8, 10, 12, 14\]", state)
    assert re.search(r"long/port:value +9 numbers from 0 to 8, mean 4", state)
    html = compiled.params._repr_html_()
    assert "<table" in html
    assert "initial:" not in html
