"""
Follows the links of a site that was built: every file, every picture and every heading is there, and no style, script, font or picture
comes from elsewhere.
"""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src"}
"""The elements whose targets a browser fetches by itself; a `link` too, unless it only says how pages follow each other."""
ONLY_SAID = ("canonical", "next", "prev", "search", "index", "author", "copyright", "help")


class Page(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[tuple[str, bool]] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag in LOADED and given.get(LOADED[tag]):
            self.links.append((given[LOADED[tag]], True))
        elif tag == "link" and given.get("rel") not in ONLY_SAID and "href" in given:
            self.links.append((given["href"], True))
        elif tag == "a" and given.get("href"):
            self.links.append((given["href"], False))


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
    pages = {path.resolve(): read(path) for path in sorted(folder.rglob("*.html")) if "_static" not in path.parts}
    found: list[str] = []
    for path, page in pages.items():
        for link, loaded in page.links:
            parts = urlsplit(link)
            if parts.scheme == "data":
                continue
            if parts.scheme or parts.netloc:
                if loaded:
                    found.append(f"{path.relative_to(folder.resolve())}: {link} comes from elsewhere")
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.exists():
                found.append(f"{path.relative_to(folder.resolve())}: {link}: there is no such file")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
                found.append(f"{path.relative_to(folder.resolve())}: {link}: there is no such heading")
    return sorted(set(found))


if __name__ == "__main__":
    said = problems(Path(sys.argv[1]))
    print("\n".join(said))
    sys.exit(1 if said else 0)
