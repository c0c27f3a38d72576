"""Pages of the documentation, run from top to bottom."""

import os
import re
import runpy
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


@dataclass
class Ran:
    """A page that was run: the names that its blocks leave, the text that they print, and the files that they write."""

    names: dict[str, Any]
    printed: str
    files: list[str]
    folder: Path


def page(name: str) -> str:
    """The text of a page of docs."""
    return (ROOT / "docs" / name).read_text()


def run_page(text: str, folder: Path, *, fence: str = "```python", change: Callable[[str], str] = str) -> Ran:
    """Runs the blocks of a page as one script in a folder, so that its functions have sources."""
    script = folder / "page.py"
    script.write_text(change("\n".join(re.findall(rf"^{re.escape(fence)}\n(.*?)^```", text, re.DOTALL | re.MULTILINE))))
    printed, before = StringIO(), Path.cwd()
    os.chdir(folder)
    try:
        with redirect_stdout(printed):
            names = runpy.run_path(str(script))
    finally:
        os.chdir(before)
    return Ran(names, printed.getvalue(), sorted(path.name for path in folder.iterdir() if path != script), folder)
