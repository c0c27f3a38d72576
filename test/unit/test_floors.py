"""The house stands: imports go down the floors only, and `import cogir` stays light."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "cogir"
FLOORS = (
    "psyneulink",
    "tools",
    "frontend",
    "runtime",
    "backend",
    "lowering",
    "transforms",
    "analysis",
    "interpreters",
    "model",
    "pyfunc",
    "library",
    "dialects",
)
GROUND = ("errors", "callers", "limits", "ranges", "deferred", "garbage", "irutils", "universe")
"""Modules of the package itself: all but `universe`, which only lists the dialects, lie below all floors."""
CELLARS = ([], ["errors"], ["callers"], ["limits"], ["ranges"], ["deferred"], ["garbage"], ["irutils"])
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


SOURCES = sorted(path for path in PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("path", SOURCES, ids=[str(path.relative_to(PACKAGE)) for path in SOURCES])
def test_imports_go_down(path: Path) -> None:
    parts = ("cogir", *path.relative_to(PACKAGE).with_suffix("").parts)
    own = floor_of(".".join(parts))
    for line, name in imported_modules(path):
        other = floor_of(name)
        if own is None:
            assert len(parts) == 2, f"{path}:{line}: a module outside the floors"
            allowed = parts[1] in ("__init__", "universe", "__main__") or name.split(".")[1:2] in CELLARS
            assert allowed, f"{path}:{line}: {name} lies above the ground"
        elif other is not None:
            assert other >= own, f"{path}:{line}: {FLOORS[own]} imports {FLOORS[other]} above it"
        else:
            assert name.split(".")[1:2] in CELLARS, f"{path}:{line}: {name} is no floor"


def test_library_is_plain_python() -> None:
    """The library sees itself, errors, ranges and NumPy: a scientist can run it without a compiler."""
    for path in (PACKAGE / "library").rglob("*.py"):
        tree = ast.parse(path.read_text())
        modules = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        modules |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        roots = {module.split(".")[0] for module in modules}
        assert not roots & {"xdsl", "llvmlite", "psyneulink", "torch"}, f"{path}: {roots}"
        assert all(
            module.startswith(("cogir.library", "cogir.errors", "cogir.callers", "cogir.ranges"))
            for module in modules
            if module.startswith("cogir")
        ), path


@pytest.mark.parametrize("heavy", ["xdsl", "torch", "psyneulink", "pandas", "scipy", "matplotlib"])
def test_import_is_light(heavy: str) -> None:
    """`import cogir` does not bring in what a script may never use."""
    code = f"import sys, cogir; assert {heavy!r} not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
