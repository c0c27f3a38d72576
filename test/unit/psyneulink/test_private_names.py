"""
Only `pnl.py` uses private names of PsyNeuLink: attributes and modules whose names begin with an underscore.

The sources are read, not run, so that this needs no PsyNeuLink.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import cogir

PACKAGE = Path(cogir.__file__).parent / "psyneulink"
PRIVATE = re.compile(r"_[a-zA-Z]\w*")
PUBLIC = {"_replace", "_asdict", "_fields", "_run_module_as_main"}
"""Methods of named tuples, and a function of Python's runpy."""
OF_COGIR = "cogir"
"""Names with this in them are attributes that cogir gives to PsyNeuLink's objects."""


def names_of_its_own(tree: ast.AST) -> set[str]:
    """The private names that a module defines: its functions, classes, variables and attributes of `self`."""
    own: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            own.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            own.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and of_self(node):
            own.add(node.attr)
    return own


def of_self(node: ast.Attribute) -> bool:
    """True for an attribute of `self` or `cls`."""
    return isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")


def private_names(source: str) -> Iterator[tuple[int, str]]:
    """The lines and the private names of others that a source uses, as attributes or as texts that are nothing but such a name."""
    tree = ast.parse(source)
    own = names_of_its_own(tree) | PUBLIC
    parts = {part for node in ast.walk(tree) for part in parts_of_texts(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and not of_self(node):
            name = node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in parts:
            name = node.value
        else:
            continue
        if PRIVATE.fullmatch(name) and name not in own and OF_COGIR not in name:
            yield node.lineno, name


def parts_of_texts(node: ast.AST) -> list[ast.expr]:
    """The texts in an f-string, and those with which others are compared by their ends."""
    if isinstance(node, ast.JoinedStr):
        return node.values
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("removesuffix", "endswith"):
        return node.args
    return []


def files() -> list[str]:
    """All modules of the package but `pnl.py`."""
    return sorted(str(path.relative_to(PACKAGE)) for path in PACKAGE.rglob("*.py") if path != PACKAGE / "pnl.py")


@pytest.mark.parametrize("file", files())
def test_private_names_of_psyneulink_stand_in_one_file(file: str) -> None:
    """A private name goes into a function of `pnl.py` whose name says what it is for."""
    assert list(private_names((PACKAGE / file).read_text())) == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("x._analyze_graph()", ["_analyze_graph"]),
        ("getattr(x, '_needed')", ["_needed"]),
        ("for name in ('_a', 'b'): held.get(name)", ["_a"]),
        ("self.function._owner", ["_owner"]),
        ("class C:\n    def f(self):\n        self._mine = 1\n        other._mine\n", []),
        ("f'{x}_cost'; name.removesuffix('_arg'); x._kept_by_cogir", []),
        ("x.__dict__; row._replace(a=1)", []),
    ],
)
def test_private_names_are_found(source: str, found: list[str]) -> None:
    """The search itself."""
    assert [name for _, name in private_names(source)] == found
