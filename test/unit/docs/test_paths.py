"""Every file and folder of the repository that a page names exists, and every link between pages leads to a file and a heading."""

import re
from pathlib import Path

import pytest
from unit.test_floors import FLOORS

ROOT = Path(__file__).parents[3]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
FILE = re.compile(r"`([\w./-]+/[\w.-]+\.(?:py|mlir|md|c|ll|json|svg|yml))`")
FOLDER = re.compile(r"`((?:cogir|docs|examples|benchmarks|test)/[\w/-]+?)/?`")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
FOLDERS = ("", "cogir")
"""Pages give paths from the root of the repository, or from the package."""


def names(page: Path) -> str:
    """The name of a page, for reports."""
    return str(page.relative_to(ROOT))


def headings(page: Path) -> set[str]:
    """The anchors of a page, as GitHub makes them of its headings."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=names)
def test_named_files_exist(page: Path) -> None:
    named = {name for name in FILE.findall(page.read_text()) if "..." not in name}
    assert [name for name in sorted(named) if not any((ROOT / folder / name).is_file() for folder in FOLDERS)] == []
    assert [name for name in sorted(set(FOLDER.findall(page.read_text()))) if not (ROOT / name).is_dir()] == []


@pytest.mark.parametrize("page", PAGES, ids=names)
def test_links_lead_somewhere(page: Path) -> None:
    for link in LINK.findall(page.read_text()):
        if "://" in link:
            continue
        target, _, anchor = link.partition("#")
        path = (page.parent / target).resolve() if target else page
        assert path.exists(), f"{link}: there is no such file"
        assert not anchor or anchor in headings(path), f"{link}: there is no such heading"


def test_the_floors_are_the_packages() -> None:
    packages = {path.parent.name for path in (ROOT / "cogir").glob("*/__init__.py")}
    assert set(FLOORS) == packages, "a package of cogir is no floor, or a floor no package; change FLOORS in test/unit/test_floors.py"


def test_the_architecture_page_lists_the_floors_in_their_order() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text()
    found = re.search(r"only packages later in this list: ([^.]*)\.", page)
    assert found is not None
    assert tuple(re.findall(r"`(\w+)`", found[1])) == FLOORS, "complete the list in docs/write_architecture.py, and run it"


def test_the_table_of_floors_is_in_their_order() -> None:
    page = (ROOT / "docs" / "design" / "README.md").read_text()
    assert tuple(re.findall(r"^\| `cogir/(\w+)` \|", page, re.MULTILINE)) == FLOORS
