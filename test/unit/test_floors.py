"""The house stands: imports go down the floors only, nothing imports in circles, names are told apart, and `import cogir` stays light."""

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from benchmarks.house import circles, classes, imported, modules_of

PACKAGE = Path(__file__).parents[2] / "cogir"
FLOORS = (
    "psyneulink",
    "tools",
    "study",
    "analyze",
    "frontend",
    "runtime",
    "labelled",
    "backend",
    "lowering",
    "transforms",
    "analysis",
    "interpreters",
    "pictures",
    "model",
    "pyfunc",
    "library",
    "dialects",
)
GROUND = ("synonyms", "errors", "callers", "limits", "ranges", "zero_gradients", "streams", "garbage", "irutils", "remarks", "universe")
"""Modules of the package itself: all but `universe`, which only lists the dialects, lie below all floors."""
CELLARS = (
    [],
    ["synonyms"],
    ["errors"],
    ["callers"],
    ["limits"],
    ["ranges"],
    ["zero_gradients"],
    ["streams"],
    ["garbage"],
    ["irutils"],
    ["remarks"],
)
"""What every floor may import besides lower ones."""


def floor_of(module: str) -> int | None:
    """The index of the floor of a dotted module of cogir; None for the package and the ground."""
    parts = module.split(".")
    return FLOORS.index(parts[1]) if len(parts) > 1 and parts[1] in FLOORS else None


def imported_modules(path: Path) -> list[tuple[int, str]]:
    """Line and dotted name of every import of cogir in a file, imports inside functions included."""
    found: list[tuple[int, str]] = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}:{node.lineno}: relative import; write the full name"
            found.append((node.lineno, node.module))
            found += [(node.lineno, f"{node.module}.{alias.name}") for alias in node.names if node.module == "cogir"]
    return [(line, name) for line, name in found if name == "cogir" or name.startswith("cogir.")]


@cache
def trees() -> dict[str, ast.Module]:
    """The syntax trees of all modules of the package."""
    return {name: ast.parse(path.read_text()) for name, path in modules_of(PACKAGE).items()}


@cache
def edges() -> dict[str, set[str]]:
    """The modules of the package that each of them imports."""
    modules = modules_of(PACKAGE)
    return {name: imported(tree, modules) - {name} for name, tree in trees().items()}


STOREYS = (
    "accelerate native_calls explanation report runner __main__",
    "learning",
    "execution",
    "state",
    "importer",
    "functions",
    "fallback history modes records reader pnl tasks",
)
"""The floors within cogir.psyneulink, from the highest: only lower ones are imported. `__init__` shows names of all of them."""
TWICE = {
    "a condition: the builder's, and as the model resolves it": "All AllHaveRun Always Any EveryNCalls JustRan NWhen Never Not Threshold"
    " WhenFinished WhenFinishedAll WhenFinishedAny While",
    "the base of all conditions: of the builder's, and of the dialect's operations": "Condition",
    "a handle of the builder, and what it names in the resolved model": "Port Projection Schedule",
    "a parameter of a node, in the builder, and one of a kernel": "Parameter",
    "an enumeration for users, an attribute of the dialect, and the resolved model's": "TimeScale",
}
"""Names of several classes, by the reason for which they are alike."""
TO_BE_RENAMED = set[str]()
"""Names of several classes that have nothing in common; take out what is renamed."""


def test_imports_go_down() -> None:
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = ("cogir", *path.relative_to(PACKAGE).with_suffix("").parts)
        own = floor_of(".".join(parts))
        for line, name in imported_modules(path):
            other = floor_of(name)
            if own is None:
                assert len(parts) == 2, f"{path}:{line}: a module outside the floors"
                allowed = parts[1] in ("__init__", "exported", "universe", "__main__") or name.split(".")[1:2] in CELLARS
                assert allowed, f"{path}:{line}: {name} lies above the ground"
            elif other is not None:
                assert other >= own, f"{path}:{line}: {FLOORS[own]} imports {FLOORS[other]} above it"
            else:
                assert name.split(".")[1:2] in CELLARS, f"{path}:{line}: {name} is no floor"


def test_no_circles() -> None:
    """Imports within functions and under TYPE_CHECKING count, too."""
    assert not circles(edges()), "these modules import each other"


def test_imports_go_down_within_psyneulink() -> None:
    storeys = {f"cogir.psyneulink.{name}": height for height, names in enumerate(STOREYS) for name in names.split()}

    def height_of(module: str) -> int | None:
        return storeys.get(".".join(module.split(".")[:3]))

    up: set[tuple[str, str]] = set()
    for module, others in edges().items():
        own = height_of(module)
        if module.startswith("cogir.psyneulink."):
            assert own is not None, f"{module} is on no floor; add it to STOREYS"
            up |= {(module, other) for other in others if (height := height_of(other)) is not None and height < own}
    assert not up, f"imports that go up: {sorted(up)}"


def test_class_names_are_unique() -> None:
    found = {name: places for name, places in classes(trees()).items() if len(places) > 1}
    known = TO_BE_RENAMED.union(*(names.split() for names in TWICE.values()))
    for name, places in found.items():
        where = f"{name} is the name of {len(places)} classes, in {', '.join(places)}"
        assert name in known, f"{where}; rename all but one, or add it to TWICE with the reason"
    assert not known - found.keys(), f"one class each, take them out of the lists: {sorted(known - found.keys())}"


def test_library_is_plain_python() -> None:
    """The library sees itself, errors, ranges, the keys of streams and NumPy: a scientist can run it without a compiler."""
    for path in (PACKAGE / "library").rglob("*.py"):
        tree = ast.parse(path.read_text())
        modules = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        modules |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        roots = {module.split(".")[0] for module in modules}
        assert not roots & {"xdsl", "llvmlite", "psyneulink", "torch"}, f"{path}: {roots}"
        assert all(
            module.startswith(("cogir.library", "cogir.errors", "cogir.synonyms", "cogir.callers", "cogir.ranges", "cogir.streams"))
            for module in modules
            if module.startswith("cogir")
        ), path


@pytest.mark.parametrize("heavy", ["xdsl", "torch", "psyneulink", "pandas", "scipy", "matplotlib", "xarray", "h5netcdf", "zarr"])
def test_import_is_light(heavy: str) -> None:
    """`import cogir` does not bring in what a script may never use."""
    code = f"import sys, cogir; assert {heavy!r} not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
