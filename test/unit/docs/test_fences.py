"""The blocks of code of pages: each fence ends the block that it should, also in the reference, which is written from the code."""

import re
import sys
from pathlib import Path

import pytest

from cogir.tools.cog_opt import all_passes

ROOT = Path(__file__).parents[3]
sys.path.append(str(ROOT / "docs" / "site"))

from reference import passes  # noqa: E402

PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
FENCE = re.compile(r"[ >]*(?:[-*] )?[ >]*(`{3,}|~{3,})(.*)")


def stray_fences(text: str) -> list[str]:
    """
    The fences of a page that are not where they should be, by the rules of Markdown: a block ends at a fence of the same letter that is at
    least as long as the first one and says nothing. Within it, a fence of that letter that says something was meant to begin a block.
    """
    found: list[str] = []
    opened = ""
    for number, line in enumerate(text.splitlines(), 1):
        if (match := FENCE.fullmatch(line)) is None:
            continue
        fence, said = match[1], match[2].strip()
        if not opened:
            if "`" not in said:
                opened, start = fence, number
        elif fence[0] == opened[0] and len(fence) >= len(opened):
            if said:
                found.append(f"{number}: a block begins within the one of line {start}; give that one a longer fence")
            opened = ""
    if opened:
        found.append(f"{start}: a block does not end")
    return found


def test_stray_fences_are_found() -> None:
    inner = "  ```mlir\n  %x = ...\n  ```\n"
    assert stray_fences(f"```console\n$ cog-opt\n{inner}```\n") != []
    assert stray_fences(f"````console\n$ cog-opt\n{inner}````\n") == []
    assert stray_fences("```sh\nmake\n") == ["1: a block does not end"]
    assert stray_fences("text ``` `x` ```\n```sh\nmake\n```\n- ```\n  a\n  ```\n") == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_pages(page: Path) -> None:
    assert stray_fences(page.read_text()) == []


@pytest.mark.parametrize("name", all_passes())
def test_pages_of_passes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passes, "example", lambda _: "")
    assert stray_fences(passes.page(name)) == []
