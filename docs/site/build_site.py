"""
Builds the site: `make docs`, or

    python docs/site/build_site.py [--output build/site]

The pages of `docs` are copied to `build/pages`, the reference is written beside them, and Sphinx makes HTML of both and of the gallery.
Warnings are errors. In the end every link of the site is followed.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
DOCS = HERE.parent
ROOT = DOCS.parent
sys.path[:0] = [str(ROOT), str(HERE)]

import check_links  # noqa: E402
import freshness  # noqa: E402
import reference  # noqa: E402
from reference.markdown import write_if_changed  # noqa: E402

BUILD = ROOT / "build"
PAGES = BUILD / "pages"
FROM_ROOT = ("CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "README.md", "LICENSE")
"""Files beside `docs` that become pages, or are linked from pages."""
PLACES = {
    "examples": "gallery/index.rst",
    "examples/models": "gallery/index.rst",
    "examples/gallery": "gallery/index.rst",
    "examples/gallery/README.rst": "gallery/index.rst",
    "examples/c": "c.md",
    "docs/design": "design/README.md",
}
"""Folders and files that pages link, and the page of the site for each."""
WRITTEN_LATER = ("gallery", "reference", "files")
"""Folders of pages that are not copied from `docs`."""
LINK = re.compile(r"(\[[^\]]*\])\(([^)\s]+)\)")


def copy_pages(target: Path) -> None:
    """Copies all pages and figures; links that leave `docs` lead to copies of what they name. Pages of an earlier build are removed."""
    written = {target / name for name in FROM_ROOT}
    for path in sorted(DOCS.rglob("*")):
        if not path.is_file() or HERE in path.parents or path.suffix in (".py", ".pyc"):
            continue
        copied = target / path.relative_to(DOCS)
        written.add(copied)
        copied.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".md":
            write_if_changed(copied, inside(path.read_text(), path, target, copied))
        else:
            shutil.copy2(path, copied)
    for name in FROM_ROOT:
        path = ROOT / name
        if path.suffix == ".md":
            write_if_changed(target / name, inside(path.read_text(), path, target, target / name))
    for path in [*target.rglob("*.md"), *target.rglob("*.rst")]:
        if path not in written and path.relative_to(target).parts[0] not in WRITTEN_LATER:
            path.unlink()


def inside(text: str, page: Path, target: Path, copied: Path) -> str:
    """The text of a page with links that stay on the site."""

    def moved(match: re.Match[str]) -> str:
        label, link = match.groups()
        name, hash_, anchor = link.partition("#")
        if "://" in link or not name or name.startswith("mailto:"):
            return match[0]
        found = (page.parent / name).resolve()
        if not found.is_relative_to(ROOT):
            return match[0]
        return f"{label}({relative(place_of(found, target), copied.parent)}{hash_}{anchor})"

    return LINK.sub(moved, text)


def place_of(found: Path, target: Path) -> Path:
    """The place on the site of a file of the repository; files that are no pages are copied to `files`."""
    name = found.relative_to(ROOT).as_posix()
    if name in PLACES:
        return target / PLACES[name]
    if found.is_dir():
        raise LookupError(f"docs/site/build_site.py: a page links the folder {name}; add its page to PLACES")
    if DOCS in found.parents and found.suffix != ".py":
        return target / found.relative_to(DOCS)
    if found.suffix == ".md" and name in FROM_ROOT:
        return target / name
    copied = target / "files" / name
    copied.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(found, copied)
    return copied


def relative(path: Path, folder: Path) -> str:
    """A path as seen from a folder."""
    return Path(*[".."] * len(folder.relative_to(common := _common(path, folder)).parts), path.relative_to(common)).as_posix()


def _common(path: Path, folder: Path) -> Path:
    return next(parent for parent in (folder, *folder.parents) if path.is_relative_to(parent))


def main(arguments: list[str] | None = None) -> int:
    from sphinx.cmd.build import main as sphinx

    parser = argparse.ArgumentParser(description="Builds the site.")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "site")
    parser.add_argument("--jobs", default="1")
    chosen = parser.parse_args(arguments)
    started = time.perf_counter()
    shutil.rmtree(chosen.output, ignore_errors=True)  # pages of an earlier build; what they are made from is kept
    if freshness.forget_stale(BUILD, freshness.key(ROOT / "cogir")):
        print("cogir or a library has changed since the last build: all cells, scripts and figures are executed again", flush=True)
    copy_pages(PAGES)
    reference.write(PAGES)
    print(f"reference written after {time.perf_counter() - started:.0f} s", flush=True)
    options = ["-W", "--keep-going", "-q", "-b", "html", "-c", str(HERE), "-j", chosen.jobs, "-d", str(BUILD / "doctrees")]
    failed = sphinx([*options, str(PAGES), str(chosen.output)])
    if failed:
        return failed
    problems = check_links.problems(chosen.output)
    print("\n".join(problems))
    print(f"{chosen.output}/index.html: {check_links.count(chosen.output)} pages in {time.perf_counter() - started:.0f} s")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
