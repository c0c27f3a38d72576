"""
Writes the tables of `psyneulink.md`: PsyNeuLink's Functions, from the compiler's table, and Compositions, from the test cases.

`python docs/write_psyneulink.py` updates the tables between their marks; tests compare them with the compiler. The
cases can be read only where PsyNeuLink is installed; elsewhere their table is not changed.
"""

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from cogir import library
from cogir.psyneulink.functions.table import TABLE
from cogir.psyneulink.functions.table_entry import TableEntry

PAGE = Path(__file__).parent / "psyneulink.md"
FUNCTIONS = "<!-- functions -->", "<!-- end of functions -->"
COMPOSITIONS = "<!-- compositions -->", "<!-- end of compositions -->"
TESTS = Path(__file__).parents[1] / "test"


def code(names: tuple[str, ...]) -> str:
    """Names as code; words as they are."""
    return ", ".join(f"`{name}`" if name.isidentifier() else name for name in names)


def place_of(function: Any) -> str:
    """Where a function is in the library; nothing for one that is not public."""
    name = function.__name__
    of_psyneulink = getattr(library.psyneulink, name, None) is function
    return f"psyneulink.{name}" if of_psyneulink else name if hasattr(library, name) else ""


def row(name: str, entry: TableEntry) -> str:
    """One line of the first table."""
    functions = ", ".join(dict.fromkeys(f"`{place}`" for each in entry.functions if (place := place_of(each))))
    values = code(entry.parameters) + (f"; state {code(entry.states)}" if entry.states else "")
    return f"| `{name}` | {functions} | {values} | {code(entry.constants)} | {entry.limits} |"


def table() -> str:
    """Both tables: the classes with a counterpart, and the classes without one."""
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
    lines += ["### Without a counterpart", "", "| class | reason | remedy |", "|---|---|---|"]
    lines += [f"| `{name}` | {entry.limits} | {entry.remedy} |" for name, entry in refused.items()]
    return "\n".join(lines)


def cases() -> dict[str, dict[str, Any]]:
    """The test cases by group; they need PsyNeuLink."""
    if str(TESTS) not in sys.path:
        sys.path.append(str(TESTS))
    from support.psyneulink.suite import MODULES

    return {title: group for module in MODULES for title, group in module.GROUPS.items()}


def compositions() -> str:
    """The tables of compared Compositions, of refused ones, and of features that PsyNeuLink's own compiler does not support."""
    groups = cases()
    from support.psyneulink import compare, features

    refused = {name: case for group in groups.values() for name, case in group.items() if case.refused is not None}
    count = sum(map(len, groups.values())) - len(refused)
    lines = [f"{count} Compositions give PsyNeuLink's results; {len(refused)} are refused. Random Compositions are tested in addition.", ""]
    lines += ["| about | compared | Compositions |", "|---|---|---|"]
    for title, group in groups.items():
        names = [name for name in group if name not in refused]
        lines.append(f"| {title} | {len(names)} | {', '.join(names)} |")
    lines += ["", "| refused | message |", "|---|---|"]
    lines += [f"| {name} | {case.refused} |" for name, case in refused.items()]
    lines += ["", "| not compared | reason |", "|---|---|"]
    lines += [f"| {what} | {why} |" for what, why in compare.LEFT_OUT.items()]
    lines += ["", "| supported by cogir, and not by PsyNeuLink's own compiler | compared as |", "|---|---|"]
    lines += [f"| {feature} | {case} |" for feature, case in features.COMPILED_BY_COGIR_ALONE.items()]
    return "\n".join(lines)


def replaced(text: str, marks: tuple[str, str], table: str) -> str:
    """The page with a table between its marks."""
    before, rest = text.split(marks[0])
    _, after = rest.split(marks[1])
    return f"{before}{marks[0]}\n{table}\n{marks[1]}{after}"


def page() -> str:
    """The page with the table of Functions of today."""
    return replaced(PAGE.read_text(), FUNCTIONS, table())


if __name__ == "__main__":
    from reported import reported

    with reported(PAGE):
        PAGE.write_text(page())
        if find_spec("psyneulink") is not None and find_spec("psyneulink").origin is not None:
            PAGE.write_text(replaced(page(), COMPOSITIONS, compositions()))
