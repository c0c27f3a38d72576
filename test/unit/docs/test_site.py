"""The site: its links are followed, its pages run, and what leaves `docs` stays on it."""

import re
import runpy
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
sys.path.append(str(ROOT / "docs" / "site"))

import build_site  # noqa: E402
import check_links  # noqa: E402
import freshness  # noqa: E402

DOCS = ROOT / "docs"
EXECUTED = [path for path in sorted(DOCS.rglob("*.md")) if path.read_text().startswith("---\nfile_format: mystnb")]
CELL = re.compile(r"^```\{code-cell\} python\n((?::[^\n]*\n)*)(.*?)^```", re.M | re.S)


def test_the_tutorial_has_five_pages() -> None:
    tutorial = [path.stem for path in EXECUTED if path.parent.name == "tutorial"]
    assert sorted(tutorial) == ["first_model", "learning", "network", "psyneulink_script", "sweep_and_fit"]
    first = CELL.findall((DOCS / "tutorial" / "first_model.md").read_text())[0][1]
    assert len([line for line in first.splitlines() if line.strip()]) <= 10, "a first model and its histogram in ten lines"


ASSERTED = ("first_model", "index", "learning", "network", "sweep_and_fit")
"""Pages that test_tutorial.py and test_learning.py run."""


@pytest.mark.parametrize("path", [path for path in EXECUTED if path.stem not in ASSERTED], ids=lambda path: path.stem)
def test_pages_run_from_top_to_bottom(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    monkeypatch.chdir(tmp_path)
    cells = CELL.findall(path.read_text())
    script = tmp_path / "page.py"
    script.write_text("\n".join(code for options, code in cells if "raises-exception" not in options and "IPython" not in code))
    assert cells
    runpy.run_path(str(script))
    pyplot.close("all")


def page(folder: Path, name: str, body: str) -> None:
    (folder / name).write_text(f"<html><body>{body}</body></html>")


def test_dead_links_are_found(tmp_path: Path) -> None:
    page(
        tmp_path, "a.html", '<a href="b.html#there">good</a> <a href="#own">own</a> <p id="own"></p> <a href="https://example.org">out</a>'
    )
    page(tmp_path, "b.html", '<h1 id="there"></h1><img src="data:image/png;base64,xx">')
    assert check_links.problems(tmp_path) == []
    page(tmp_path, "b.html", '<h1 id="elsewhere"></h1><a href="c.html"></a><script src="https://cdn.example.org/x.js"></script>')
    assert check_links.problems(tmp_path) == [
        "a.html: b.html#there: there is no such heading",
        "b.html: c.html: there is no such file",
        "b.html: https://cdn.example.org/x.js comes from elsewhere",
    ]


def test_what_styles_load_is_found(tmp_path: Path) -> None:
    (tmp_path / "fonts").mkdir()
    (tmp_path / "fonts" / "a.woff2").write_bytes(b"")
    style = tmp_path / "style.css"
    style.write_text("/* url(gone.png) */ @font-face { src: url('fonts/a.woff2?v=1#x') } p { background: url(data:image/png;base64,xx) }")
    page(tmp_path, "a.html", "<style>h1 { background: url(fonts/a.woff2) }</style><p>url(text.png)</p>")
    assert check_links.problems(tmp_path) == []
    style.write_text(
        '@import "https://fonts.example.org/css"; p { background: url( "gone.png" ) } a { background: url(//cdn.example.org/b) }'
    )
    page(tmp_path, "a.html", '<style>h1 { background: url(h.png) }</style><p style="background: url(p.png)">text</p>')
    assert check_links.problems(tmp_path) == [
        "a.html: h.png: there is no such file",
        "a.html: p.png: there is no such file",
        "style.css: //cdn.example.org/b comes from elsewhere",
        "style.css: gone.png: there is no such file",
        "style.css: https://fonts.example.org/css comes from elsewhere",
    ]


def test_a_changed_source_or_library_forgets_what_was_executed(tmp_path: Path) -> None:
    package, built = tmp_path / "package", tmp_path / "build"
    package.mkdir()
    (package / "module.py").write_text("x = 1\n")
    executed = [built / name for name in freshness.EXECUTED]

    def build() -> bool:
        forgotten = freshness.forget_stale(built, freshness.key(package))
        left = [folder for folder in executed if folder.exists()]
        assert left == ([] if forgotten else executed)
        for folder in executed:
            folder.mkdir(parents=True, exist_ok=True)
        return forgotten

    for folder in executed:
        folder.mkdir(parents=True)
    assert build(), "by which sources the first results were made is not known"
    (package / "__pycache__").mkdir()
    (package / "__pycache__" / "module.pyc").write_bytes(b"compiled")
    assert not build()
    (package / "module.py").write_text("x = 2\n")
    assert build()
    (package / "module.py").rename(package / "renamed.py")
    assert build()
    assert not build()
    assert freshness.key(package, ("numpy",)) != freshness.key(package, ("no-such-library",))


def test_links_out_of_docs_lead_to_copies(tmp_path: Path) -> None:
    text = "[a](../CONTRIBUTING.md#style) [b](../examples/lca.py) [c](../examples) [d](running.md#compiling) [e](https://example.org/x)"
    moved = build_site.inside(text, DOCS / "page.md", tmp_path, tmp_path / "page.md")
    assert moved == (
        "[a](CONTRIBUTING.md#style) [b](files/examples/lca.py) [c](gallery/index.rst) [d](running.md#compiling) [e](https://example.org/x)"
    )
    assert (tmp_path / "files" / "examples" / "lca.py").exists()
    deeper = build_site.inside("[a](../../CONTRIBUTING.md)", DOCS / "design" / "README.md", tmp_path, tmp_path / "design" / "README.md")
    assert deeper == "[a](../CONTRIBUTING.md)"


def test_pages_of_an_earlier_build_are_removed(tmp_path: Path) -> None:
    (tmp_path / "old.rst").write_text("Old\n===\n")
    (tmp_path / "gallery").mkdir()
    (tmp_path / "gallery" / "kept.rst").write_text("Kept\n====\n")
    build_site.copy_pages(tmp_path)
    assert not (tmp_path / "old.rst").exists()
    assert (tmp_path / "gallery" / "kept.rst").exists()
    assert (tmp_path / "tutorial" / "first_model.md").read_text() == (DOCS / "tutorial" / "first_model.md").read_text()


def test_a_link_to_a_folder_without_a_page_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LookupError, match="a page links the folder cogir; add its page to PLACES"):
        build_site.inside("[a](../cogir)", DOCS / "page.md", tmp_path, tmp_path / "page.md")
