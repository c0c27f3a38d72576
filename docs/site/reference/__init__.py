"""
The reference, written from the code: public names, functions of the library, conditions, operations, passes, and options of commands.

A module of this package writes the pages of one of them, and lists the names that it has written; a test compares the lists with the code.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from reference import api, conditions, functions, operations, passes, tools

WRITERS: dict[str, Callable[[Path], list[tuple[str, str]]]] = {
    "Python": api.write,
    "Functions of the library": functions.write,
    "Conditions": conditions.write,
    "Operations of the dialects": operations.write,
    "Passes": passes.write,
    "Commands": tools.write,
}
"""The function that writes the pages of a chapter into a folder, and returns them: the name of each page, and its contents in a phrase."""

INTRODUCTION = """# Reference

Every page of this reference is written from the code when the site is built: signatures, docstrings, the definitions of operations, the
options of commands. The examples are executed.
"""


def write(pages: Path) -> None:
    """Writes all pages of the reference below a folder of pages."""
    folder = pages / "reference"
    parts = [INTRODUCTION]
    for title, writer in WRITERS.items():
        written = writer(folder)
        rows = [f"- [{name.rpartition('/')[2] if not said else said}]({name}.md)" for name, said in written]
        tree = "\n".join(["```{toctree}", ":hidden:", f":caption: {title}", "", *(name for name, _ in written), "```"])
        parts.append(f"## {title}\n\n" + "\n".join(rows) + f"\n\n{tree}\n")
    (folder / "index.md").write_text("\n".join(parts))
