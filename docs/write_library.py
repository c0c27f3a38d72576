"""
Writes the tables of `library.md`: the functions of `cogir.library` and of `cogir.library.psyneulink` by kind, from their signatures and
docstrings.

`python docs/write_library.py` updates the tables between their marks; a test compares them with the library.
"""

import inspect
import re
from pathlib import Path
from typing import Any

from cogir import library
from cogir.library import signature
from cogir.library.signature import signature_of

PAGE = Path(__file__).parent / "library.md"
MARKS = "<!-- functions -->", "<!-- end of functions -->"
MARKS_OF_PSYNEULINK = "<!-- functions of PsyNeuLink -->", "<!-- end of functions of PsyNeuLink -->"

KINDS = {
    "Decisions": ("decisions.", "mechanisms"),
    "Integrators and rate models": ("solvers", "integrators", "rate_models"),
    "Choice": ("choice", "softmax"),
    "Learning of values": ("value_learning",),
    "Attractor networks": ("attractors",),
    "Transfer functions": ("transfer",),
    "Combinations": ("combination",),
    "Distributions": ("distributions",),
    "Learning rules, losses and optimizers": ("learning", "losses", "optimizers"),
}
KINDS_OF_PSYNEULINK = {
    "Decisions and integrators": ("ddm", "integrators", "mechanisms", "fitz_hugh_nagumo", "sphere"),
    "Timers": ("timers",),
    "Selection and softmax": ("selection", "softmax"),
    "Memory": ("memory",),
    "Transfer functions": ("transfer",),
    "Combinations and objectives": ("combination", "objectives"),
    "Learning": ("learning",),
}
"""Modules of the library by kind; a name with a dot at its end is a package."""


def functions(space: Any = library) -> dict[str, Any]:
    """The public functions of a namespace by name, without what belongs to declarations."""
    found = {name: getattr(space, name) for name in space.__all__}
    return {name: each for name, each in found.items() if callable(each) and not hasattr(signature, name)}


def module_of(function: Any) -> str:
    """The module of a function below its namespace."""
    return inspect.unwrap(function).__module__.removeprefix("cogir.library.").removeprefix("psyneulink.")


def kind_of(function: Any, kinds: dict[str, tuple[str, ...]]) -> str:
    """The heading under which a function stands."""
    module = module_of(function)
    for kind, modules in kinds.items():
        if any(module.startswith(each) if each.endswith(".") else module == each for each in modules):
            return kind
    raise LookupError(f"docs/write_library.py: no kind has the module {module}; add it to KINDS or KINDS_OF_PSYNEULINK")


def code(names: list[str]) -> str:
    """Names as code."""
    return ", ".join(f"`{name}`" for name in names)


def summary(function: Any) -> str:
    """The first paragraph of a docstring, as one line of a table."""
    text = inspect.getdoc(function) or ""
    first = " ".join(text.split("\n\n")[0].split())
    block = re.search(r":\n\n((?: {4}.*\n?)+)", f"{text}\n")
    if first.endswith(":") and block is not None:
        first += " " + "; ".join(f"`{line.strip()}`" for line in block[1].splitlines() if line.strip())
    return first.replace("|", "\\|")


def parameters(function: Any) -> str:
    """Parameters with their start values and ranges."""
    if not is_node_function(function):
        return ""
    declared = signature_of(function)
    found = inspect.signature(inspect.unwrap(function)).parameters
    ranges = declared.ranges
    texts: list[str] = []
    for name in (*declared.params, *declared.statics):
        allowed = f" ({ranges[name]})" if name in ranges else ""
        texts.append(f"`{name}={found[name].default!r}`{allowed}")
    return ", ".join(texts).replace("|", "\\|")


def is_node_function(function: Any) -> bool:
    """True if a function can be that of a node; the others are called by node functions, or given to `m.learning`."""
    return module_of(function) not in ("solvers", "optimizers", "losses")


def arguments(function: Any) -> list[str]:
    """The arguments of a function that is called by others."""
    found = inspect.signature(inspect.unwrap(function)).parameters.values()
    return [each.name if each.default is inspect.Parameter.empty else f"{each.name}={each.default!r}" for each in found]


def row(name: str, function: Any, space: Any) -> str:
    """One line of a table."""
    said = summary(function)
    if space is library.psyneulink:
        said += " | " + library.psyneulink.differs(name).replace("|", "\\|")
    if not is_node_function(function):
        return f"| `{name}` | {said} | `{name}({', '.join(arguments(function))})` | |"
    declared = signature_of(function)
    outputs = code(list(declared.outputs)) or "`value`"
    marks = [*(["state"] if declared.states else []), *(["draws"] if declared.randoms else [])]
    marked = f" ({', '.join(marks)})" if marks else ""
    return f"| `{name}` | {said} | {code(list(declared.inputs))} -> {outputs}{marked} | {parameters(function)} |"


def tables(space: Any, kinds: dict[str, tuple[str, ...]]) -> str:
    """The tables of a namespace."""
    lines: list[str] = []
    everything = functions(space)
    for kind in kinds:
        rows = [row(name, each, space) for name, each in sorted(everything.items()) if kind_of(each, kinds) == kind]
        heads = ["function", "meaning", *(["differs"] if space is library.psyneulink else []), "ports", "parameters"]
        lines += [f"### {kind}", "", f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}", *rows, ""]
    return "\n".join(lines)


def write(page: Path = PAGE) -> str:
    """The text of the page with the tables in place."""
    text = page.read_text()
    for marks, space, kinds in (MARKS, library, KINDS), (MARKS_OF_PSYNEULINK, library.psyneulink, KINDS_OF_PSYNEULINK):
        begin, end = (text.index(mark) for mark in marks)
        text = f"{text[: begin + len(marks[0])]}\n\n{tables(space, kinds)}\n{text[end:]}"
    return text


if __name__ == "__main__":
    from reported import reported

    with reported(PAGE):
        PAGE.write_text(write())
