"""
Figures of the code base: its size, the lengths of its functions, and the dependences of its modules.

    python benchmarks/house.py [CHECKOUT ...]           # logical lines, functions, import circles, the boundary to PsyNeuLink
    python benchmarks/house.py --walk [CHECKOUT ...]    # and the modules visited while one Composition is compiled (needs PsyNeuLink)

A logical line is a statement of Python, docstrings and `...` not counted. With several checkouts, such as one of the commit before, their
figures are printed side by side. Without `--walk` nothing of a checkout is run; with it, its package is run in a process of its own.
`test/unit/test_floors.py` uses the functions of this file.
"""

from __future__ import annotations

import argparse
import ast
import json
import statistics
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

WALK = """
import json, sys, warnings
import psyneulink as pnl
from pathlib import Path
import cogir
from cogir.psyneulink import FallbackWarning, accelerate

pnl.core.globals.utilities.set_global_seed(0)
a = pnl.TransferMechanism(name="a", input_shapes=2, function=pnl.Linear(slope=2.0))
b = pnl.TransferMechanism(name="b", input_shapes=2, function=pnl.Logistic(gain=1.0))
c = pnl.DDM(name="c", function=pnl.DriftDiffusionIntegrator(noise=0.5, threshold=1.0, time_step_size=0.01), execute_until_finished=True)
composition = pnl.Composition(name="walked", pathways=[[a, b]])
composition.add_node(c)
composition.add_projection(pnl.MappingProjection(sender=b, receiver=c, matrix=[[1.0], [-1.0]]))
root = Path(cogir.__file__).parent
of_psyneulink = {str(path) for path in root.rglob("*.py") if "psyneulink" in path.relative_to(root).parts}
visits = []
def note(frame, event, _):
    if event == "call":
        name = frame.f_code.co_filename
        if name in of_psyneulink and (not visits or visits[-1] != name):
            visits.append(name)
with warnings.catch_warnings(), accelerate():
    warnings.simplefilter("ignore")
    warnings.simplefilter("error", FallbackWarning)
    sys.setprofile(note)
    composition.run({a: [[0.5, 0.25]]}, num_trials=1)
    sys.setprofile(None)
ways = set(zip(visits, visits[1:]))
print(json.dumps({"files": len(set(visits)), "ways": len(ways), "visits": len(visits)}))
"""


def modules_of(package: Path) -> dict[str, Path]:
    """Dotted names of the modules of a package, with their files."""
    found: dict[str, Path] = {}
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(tree: ast.AST, modules: dict[str, Path]) -> set[str]:
    """
    The modules of the package that a module imports, anywhere: within functions and under TYPE_CHECKING, too.

    `from a import b` counts as an import of the module `a.b` if there is one, and of `a` if not. Packages above an imported module, which
    Python runs as well, do not count: they hold no code of their own, but for the root.
    """
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                found.add(name if name in modules else node.module)
    return found & modules.keys()


def circles(edges: dict[str, set[str]]) -> list[list[str]]:
    """Sets of modules that import each other, directly or not: the strongly connected components of more than one (Tarjan 1972)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(module: str) -> None:
        index[module] = low[module] = len(index)
        stack.append(module)
        for other in sorted(edges[module]):
            if other not in index:
                visit(other)
                low[module] = min(low[module], low[other])
            elif other in stack:
                low[module] = min(low[module], index[other])
        if low[module] == index[module]:
            at = stack.index(module)
            if len(stack) - at > 1:
                found.append(sorted(stack[at:]))
            del stack[at:]

    for module in sorted(edges):
        if module not in index:
            visit(module)
    return found


def statements(tree: ast.AST) -> int:
    """Logical lines: statements, docstrings and other lone constants (such as `...`) not counted."""
    return sum(
        isinstance(node, ast.stmt) and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)) for node in ast.walk(tree)
    )


def functions(tree: ast.AST) -> Iterator[int]:
    """Lengths of functions in lines from `def` to the last statement, without docstrings and decorators; inner functions count, too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0]
            docstring = (first.end_lineno or 0) - first.lineno + 1 if ast.get_docstring(node, clean=False) is not None else 0
            yield (node.end_lineno or 0) - node.lineno + 1 - docstring


def package_of(module: str) -> str:
    """The package under which a module is counted, two names deep: `cogir.lowering` for `cogir.lowering.machine.plan`."""
    return ".".join(module.split(".")[:2])


IMPORTER = ("cogir.psyneulink.importer", "cogir.psyneulink.functions", "cogir.frontend.psyneulink")
"""Packages that read a Composition; the last is the name of the first two in earlier versions."""


def crosses(importing: str, imported: str) -> bool:
    """True if an import leads from what runs a Composition to what reads it."""
    return importing.startswith("cogir.psyneulink") and not importing.startswith(IMPORTER) and imported.startswith(IMPORTER)


def classes(trees: dict[str, ast.Module]) -> dict[str, list[str]]:
    """Names of classes, with the modules that define one of that name."""
    found: dict[str, list[str]] = {}
    for module, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, []).append(module)
    return found


def measure(checkout: Path) -> dict[str, object]:
    """All figures of a checkout that need no run."""
    modules = modules_of(checkout / "cogir")
    trees = {name: ast.parse(path.read_text()) for name, path in modules.items()}
    tests = [ast.parse(path.read_text()) for path in sorted((checkout / "test").rglob("*.py"))]
    edges = {name: imported(tree, modules) - {name} for name, tree in trees.items()}
    lengths = [length for tree in trees.values() for length in functions(tree)]
    lines: Counter[str] = Counter()
    files: Counter[str] = Counter()
    for name, tree in trees.items():
        lines[package_of(name)] += statements(tree)
        files[package_of(name)] += 1
    sets = circles(edges)
    return {
        "packages": {name: (lines[name], files[name]) for name in sorted(lines)},
        "logical lines in cogir": sum(lines.values()),
        "logical lines in test": sum(map(statements, tests)),
        "files in cogir": len(modules),
        "functions": len(lengths),
        "lines of a function, median": statistics.median(lengths),
        "lines of a function, 95 %": statistics.quantiles(lengths, n=20)[-1],
        "lines of the longest function": max(lengths),
        "sets of modules that import each other": len(sets),
        "modules in such sets": sum(map(len, sets)),
        "class names that stand twice or more": sum(len(places) > 1 for places in classes(trees).values()),
        "imports across the PsyNeuLink boundary": sum(crosses(name, other) for name, others in edges.items() for other in others),
    }


def walk(checkout: Path) -> dict[str, object]:
    """
    Files of PsyNeuLink's part that calls enter while one Composition is compiled and run for the first time.

    A visit is a call that enters another file than the call before it; loops make many of the same. Ways are the pairs of files of which
    one was entered after the other, each counted once.
    """
    command = [sys.executable, "-c", WALK]
    ran = subprocess.run(command, cwd=checkout, env={"PYTHONPATH": str(checkout), "PATH": ""}, capture_output=True, text=True, check=True)
    figures = json.loads(ran.stdout.splitlines()[-1])
    return {
        "files entered on the walk of a Composition": figures["files"],
        "ways from file to file": figures["ways"],
        "visits on the way": figures["visits"],
    }


def show(figures: list[dict[str, object]]) -> None:
    """Prints a row per figure and a column per checkout."""
    packages = sorted({name for one in figures for name in one["packages"]})  # type: ignore[attr-defined]
    for name in packages:
        cells = [one["packages"].get(name, (0, 0)) for one in figures]  # type: ignore[attr-defined]
        print(f"{name:64}" + "".join(f"{f'{lines} in {files}':>16}" for lines, files in cells))
    for name in [name for name in figures[0] if name != "packages"]:
        print(f"{name:64}" + "".join(f"{one[name]!s:>16}" for one in figures))


def main() -> None:
    """Prints the figures of the checkouts given on the command line, or of this one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkouts", nargs="*", type=Path, default=[Path(__file__).resolve().parents[1]])
    parser.add_argument("--walk", action="store_true")
    arguments = parser.parse_args()
    show([measure(path.resolve()) | (walk(path.resolve()) if arguments.walk else {}) for path in arguments.checkouts])


if __name__ == "__main__":
    main()
