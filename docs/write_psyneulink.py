"""
Writes the table of PsyNeuLink's Functions in `psyneulink.md` from the compiler's own table.

`python docs/write_psyneulink.py` writes it anew, between its two marks; a test compares it with what the compiler knows today.
"""

from pathlib import Path

from cogir.frontend.psyneulink.entry import Entry
from cogir.frontend.psyneulink.functions import TABLE

PAGE = Path(__file__).parent / "psyneulink.md"
START, END = "<!-- functions -->", "<!-- end of functions -->"


def code(names: tuple[str, ...]) -> str:
    """Names as code; words as they are."""
    return ", ".join(f"`{name}`" if name.isidentifier() else name for name in names)


def row(name: str, entry: Entry) -> str:
    """One line of the first table."""
    functions = code(tuple(dict.fromkeys(function.__name__ for function in entry.functions)))
    values = code(entry.parameters) + (f"; state {code(entry.states)}" if entry.states else "")
    return f"| `{name}` | {functions} | {values} | {code(entry.constants)} | {entry.limits} |"


def table() -> str:
    """Both tables: what has a counterpart, and what has none."""
    lines: list[str] = []
    built = {name: entry for name, entry in TABLE.items() if entry.build is not None}
    refused = {name: entry for name, entry in TABLE.items() if entry.build is None}
    lines += [f"{len(built)} of the {len(TABLE)} Function classes that PsyNeuLink 0.21 ships have a counterpart.", ""]
    for category in dict.fromkeys(entry.category for entry in built.values()):
        lines += [
            f"### {category.capitalize()}",
            "",
            "| class | in `cogir.library` | values | compiled for | refused |",
            "|---|---|---|---|---|",
        ]
        lines += [row(name, entry) for name, entry in built.items() if entry.category == category]
        lines.append("")
    lines += ["### Without a counterpart", "", "| class | why | what to do |", "|---|---|---|"]
    lines += [f"| `{name}` | {entry.limits} | {entry.remedy} |" for name, entry in refused.items()]
    return "\n".join(lines)


def page() -> str:
    """The page with the table of today."""
    text = PAGE.read_text()
    before, rest = text.split(START)
    _, after = rest.split(END)
    return f"{before}{START}\n{table()}\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(page())
