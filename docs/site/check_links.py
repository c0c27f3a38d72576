"""
Follows the links of a site that was built: every file, every picture and every heading is there, and no style, script, font or picture
comes from elsewhere.
"""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src", "audio": "src", "embed": "src", "object": "data"}
"""The elements whose targets a browser fetches by itself; a `link` too, unless it only says how pages follow each other."""
ONLY_SAID = ("canonical", "next", "prev", "search", "index", "author", "copyright", "help")
COMMENT = re.compile(r"/\*.*?\*/", re.S)
IN_STYLE = re.compile(r"""url\(\s*(?P<quote>["']?)(?P<url>.*?)(?P=quote)\s*\)|@import\s+(?P<mark>["'])(?P<imported>.*?)(?P=mark)""", re.S)


class Page(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[tuple[str, bool]] = []
        self.anchors: set[str] = set()
        self._in_style = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        self._in_style = tag == "style"
        self.links += [(link, True) for link in links_of_style(given.get("style", ""))]
        if tag in LOADED and given.get(LOADED[tag]):
            self.links.append((given[LOADED[tag]], True))
        elif tag == "link" and given.get("rel") not in ONLY_SAID and "href" in given:
            self.links.append((given["href"], True))
        elif tag == "a" and given.get("href"):
            self.links.append((given["href"], False))

    def handle_endtag(self, tag: str) -> None:
        self._in_style = self._in_style and tag != "style"

    def handle_data(self, data: str) -> None:
        if self._in_style:
            self.links += [(link, True) for link in links_of_style(data)]


def links_of_style(text: str) -> list[str]:
    """The files that a style sheet loads: `url(...)` and `@import`, outside comments."""
    return [found["url"] or found["imported"] for found in IN_STYLE.finditer(COMMENT.sub("", text)) if found["url"] or found["imported"]]


def read(path: Path) -> Page:
    """The page of a file."""
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def count(folder: Path) -> int:
    """The number of pages of a site."""
    return sum(1 for _ in folder.rglob("*.html"))


def problems(folder: Path) -> list[str]:
    """The faults of the links of a site, a line for each."""
    folder = folder.resolve()
    pages = {path: read(path) for path in sorted(folder.rglob("*.html")) if "_static" not in path.parts}
    links = {path: page.links for path, page in pages.items()}
    links |= {path: [(link, True) for link in links_of_style(path.read_text(encoding="utf-8"))] for path in sorted(folder.rglob("*.css"))}
    said = ((path, link, problem(path, link, loaded, pages)) for path, found in links.items() for link, loaded in found)
    return sorted({f"{path.relative_to(folder)}: {link}{text}" for path, link, text in said if text})


def problem(path: Path, link: str, loaded: bool, pages: dict[Path, Page]) -> str:
    """The fault of one link of a file; empty if it has none."""
    parts = urlsplit(link)
    if parts.scheme == "data":
        return ""
    if parts.scheme or parts.netloc:
        return " comes from elsewhere" if loaded else ""
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not target.exists():
        return ": there is no such file"
    if parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
        return ": there is no such heading"
    return ""


if __name__ == "__main__":
    said = problems(Path(sys.argv[1]))
    print("\n".join(said))
    sys.exit(1 if said else 0)
