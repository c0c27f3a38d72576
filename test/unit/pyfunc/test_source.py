"""Where functions stand in their files, and that what stands there is still what Python runs."""

import ast
import importlib
import sys

import pytest

from cogir.errors import FunctionError
from cogir.pyfunc.source import function_source

BEFORE = """
from functools import wraps

def plain(x):
    return 2.0 * x

def around(k):
    @wraps(plain)
    def inner(x):
        return k * x
    return inner, (lambda x: 2.0 * x + k), lambda x: 2.0 - x

DECORATED, FIRST, SECOND = around(3.0)
"""
FUNCTIONS = {
    "plain": lambda module: module.plain,
    "decorated": lambda module: module.DECORATED,
    "first lambda": lambda module: module.FIRST,
    "second lambda": lambda module: module.SECOND,
}
EDITS = {
    "a constant": ("2.0 * x\n", "7.0 * x\n", {"plain"}),
    "the kind of a constant": ("2.0 * x\n", "2 * x\n", {"plain"}),
    "an operator": ("k * x", "k + x", {"decorated"}),
    "a lambda": ("2.0 * x + k", "2.5 * x + k", {"first lambda"}),
    "another lambda": ("2.0 - x", "2.0 + x", {"second lambda"}),
    "a comment": ("3.0)\n", "3.0)  # the gain\n", set()),
    "lines": ("def plain", "\n\ndef plain", set(FUNCTIONS)),
    "no Python": ("def plain(x):", "def plain(x:", set(FUNCTIONS)),
}


@pytest.fixture
def edited(tmp_path, monkeypatch):
    """Imports a file, then changes it."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    file = tmp_path / "edited_after_import.py"

    def make(old, new):
        file.write_text(BEFORE)
        importlib.invalidate_caches()
        module = importlib.import_module("edited_after_import")
        assert old in BEFORE
        file.write_text(BEFORE.replace(old, new))
        return module

    yield make
    sys.modules.pop("edited_after_import", None)


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("case", EDITS)
def test_a_file_that_changed_after_its_import_is_refused(edited, case, name):
    old, new, changed = EDITS[case]
    function = FUNCTIONS[name](edited(old, new))
    if name not in changed:
        function_source(function)
    elif case == "no Python":
        with pytest.raises(FunctionError, match="the source of the function cannot be read"):
            function_source(function)
    else:
        with pytest.raises(FunctionError, match=r"edited_after_import.py:\d+: .*: the file has changed since it was imported"):
            function_source(function)


def test_a_module_that_is_loaded_again_is_read_again(edited):
    module = importlib.reload(edited("return 2.0 * x\n", "return 7.0 * x\n"))
    assert module.plain(1.0) == 7.0
    assert "7.0 * x" in ast.unparse(function_source(module.plain)[1])
    for name in FUNCTIONS:
        function_source(FUNCTIONS[name](module))
