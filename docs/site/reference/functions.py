"""
The functions of `cogir.library` and `cogir.library.psyneulink`: docstring, ports, parameters, traps, and a small figure.
"""

from __future__ import annotations

import importlib.util
import inspect
import re
import sys
from pathlib import Path
from typing import Any

from cogir import library
from cogir.library.signature import signature_of
from reference import figures
from reference.markdown import call_text, docstring, table, write_if_changed

DOCS = Path(__file__).resolve().parents[2]
SPACES: dict[str, Any] = {"library": library, "psyneulink": library.psyneulink}
TITLES = {"library": "Functions of the library", "psyneulink": "Functions of PsyNeuLink"}


def writer() -> Any:
    """`docs/write_library.py`, which knows the kinds of functions."""
    if "write_library" not in sys.modules:
        spec = importlib.util.spec_from_file_location("write_library", DOCS / "write_library.py")
        assert spec is not None
        assert spec.loader is not None
        sys.modules["write_library"] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules["write_library"]


def functions(space: str) -> dict[str, Any]:
    """The public functions of a namespace by name."""
    return writer().functions(SPACES[space])


def kinds(space: str) -> dict[str, list[str]]:
    """The names of the functions of a namespace by kind."""
    table_of_kinds = writer().KINDS if space == "library" else writer().KINDS_OF_PSYNEULINK
    found: dict[str, list[str]] = {kind: [] for kind in table_of_kinds}
    for name, function in sorted(functions(space).items()):
        found[writer().kind_of(function, table_of_kinds)].append(name)
    return found


def traps(space: str, name: str, function: Any) -> list[str]:
    """The traps of a function."""
    found: list[str] = []
    if space == "psyneulink" and (differs := library.psyneulink.differs(name)):
        found.append(f"Differs: {differs}")
    if not writer().is_node_function(function):
        return [*found, "It is called by the function of a node, or given to `m.learning`; it is no function of a node itself."]
    declared = signature_of(function)
    if "choice" in declared.states or ({"threshold", "noise"} <= set(declared.params) and declared.states):
        found.append(
            "A finished node stays finished: give the node `execute_until_finished=True`, `reset_each_trial=True`, and a "
            "`max_executions_before_finished` that is large enough; or, if layers before it are to change while it runs, let the trial end "
            "when it has finished: `m.schedule.trial_ends(cogir.WhenFinished(node))`."
        )
    if declared.states.get("choice") is not None and space == "library":
        is_race = float(declared.states["choice"]) == -1.0
        found.append(
            "`choice` is the number of the winner from 0, -1 while undecided; drift diffusion has 1 and -1, 0 while undecided."
            if is_race
            else "`choice` is 1 or -1, 0 while undecided; accumulators and races have the number of the winner from 0."
        )
    if "noise" in declared.params and space == "library":
        found.append("`noise` is a standard deviation per square root of time.")
    if "bias" in declared.params and name in ("logistic", "tanh", "relu"):
        found.append(f"`bias` is {'subtracted from' if name == 'relu' else 'added to'} the input.")
    if declared.statics:
        names = ", ".join(f"`{each}`" for each in declared.statics)
        found.append(f"{names}: a constant of the code, which cannot be modulated, swept or set after compiling.")
    return found


def parameters(function: Any) -> str:
    """A table of the parameters: start value and range."""
    if not writer().is_node_function(function):
        return ""
    declared = signature_of(function)
    found = inspect.signature(inspect.unwrap(function)).parameters
    rows = [
        [f"`{name}`", f"`{found[name].default!r}`", str(declared.ranges[name]) if name in declared.ranges else "any number"]
        for name in declared.params
    ]
    rows += [[f"`{name}`", f"`{found[name].default!r}`", "constant of the code"] for name in declared.statics]
    rows += [[f"`{name}`", f"`{found[name].default!r}`", "state"] for name in declared.states]
    rows += [[f"`{name}`", "", "generator"] for name in declared.randoms]
    return table(["argument", "default", "may be"], rows)


def path_of(space: str, name: str) -> str:
    """The name as it is written after `import cogir`."""
    return f"cogir.library.{'psyneulink.' if space == 'psyneulink' else ''}{name}"


def section(space: str, name: str, function: Any) -> str:
    """One function."""
    found = inspect.signature(inspect.unwrap(function)).parameters
    arguments = ", ".join(
        each.name if each.default is inspect.Parameter.empty else f"{each.name}={each.default!r}" for each in found.values()
    )
    lines = [f"### {name}", "", call_text(path_of(space, name), f"({arguments})"), "", docstring(function), ""]
    lines += [f"![Figure of {name}](figures/{space}-{name}.svg)", ""]
    if rows := parameters(function):
        lines += [rows, ""]
    if found_traps := traps(space, name, function):
        lines += ["Traps:", "", *(f"- {each}" for each in found_traps), ""]
    return "\n".join(lines)


def page(space: str, kind: str) -> str:
    """The functions of a kind."""
    head = f"# {kind}" if space == "library" else f"# {kind}, as PsyNeuLink's"
    body = (section(space, name, functions(space)[name]) for name in kinds(space)[kind])
    return "\n".join([f"{head}\n", f"From `cogir.{'library' if space == 'library' else 'library.psyneulink'}`.\n", *body])


def file_name(space: str, kind: str) -> str:
    """The name of the page of a kind."""
    return f"{space}-{re.sub(r'[^a-z]+', '-', kind.lower()).strip('-')}"


def declarations() -> str:
    """The page of what belongs to declarations, not to computing."""
    rows = [
        ["`State`", "annotates a parameter that is kept from one execution to the next; its default starts it"],
        ["`Random`", "annotates a generator: `random.normal(shape)`, `uniform`, `integer`, `gamma` ..."],
        ["`Static`", "annotates a constant of the code: a string, a number, a bool, an enum, a function, or None"],
        ["`Value`", "annotates an input, a parameter or a result; says nothing about the role"],
        ["`Positive`, `NonNegative`, `Probability`", "ranges of parameters and states; values outside are refused where they are set"],
        ["`Step`", docstring(library.Step)],
        ["`node_function`", docstring(library.node_function)],
    ]
    said = "What `cogir.library` has for signatures. [The Python subset](../../functions.md) explains them."
    return f"# Declarations\n\n{said}\n\n{table(['name', 'meaning'], rows)}"


def is_drawn(path: Path) -> bool:
    """True if a figure has been drawn since `figures.py` was changed; the figures of an earlier cogir are removed by `freshness.py`."""
    return path.exists() and path.stat().st_mtime >= Path(figures.__file__).stat().st_mtime


def write(folder: Path) -> list[tuple[str, str]]:
    """Writes a page for each kind, and the figures."""
    written: list[tuple[str, str]] = []
    for space in SPACES:
        for name, function in functions(space).items():
            path = folder / "functions" / "figures" / f"{space}-{name}.svg"
            if not is_drawn(path):
                figures.draw(space, name, function, path)
        for kind in kinds(space):
            write_if_changed(folder / "functions" / f"{file_name(space, kind)}.md", page(space, kind))
            written.append((f"functions/{file_name(space, kind)}", kind if space == "library" else f"PsyNeuLink's: {kind.lower()}"))
    write_if_changed(folder / "functions" / "declarations.md", declarations())
    return [*written, ("functions/declarations", "Declarations")]
