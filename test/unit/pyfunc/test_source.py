"""Where functions stand in their files, and that what stands there is still what Python runs."""

import ast
import collections
import importlib
import inspect
import sys
import typing

import pytest

from cogir.errors import FunctionError
from cogir.pyfunc.source import SourceFile, function_source

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
    else:
        with pytest.raises(FunctionError, match=r"edited_after_import.py:\d+: .*: the file has changed since it was imported"):
            function_source(function)


def test_a_module_that_is_loaded_again_is_read_again(edited):
    module = importlib.reload(edited("return 2.0 * x\n", "return 7.0 * x\n"))
    assert module.plain(1.0) == 7.0
    assert "7.0 * x" in ast.unparse(function_source(module.plain)[1])
    for name in FUNCTIONS:
        function_source(FUNCTIONS[name](module))


STRINGS = """
@decorator(
    1,
)
# a remark
def first(x):
    text = '''
not the end
    '''
# nor this
    return (x,
1)
def second(x): return x
if True:
    def inner(x): return x
"""


@pytest.mark.parametrize(
    "text",
    [STRINGS, *map(inspect.getsource, (ast, collections, inspect, typing))],
    ids=["strings", "ast", "collections", "inspect", "typing"],
)
def test_a_function_parsed_alone_is_the_function_of_the_file(text):
    file = SourceFile("a.py", text.splitlines(keepends=True))
    whole = SourceFile("a.py", file.lines)
    whole.outer.update(dict.fromkeys(range(len(file.lines) + 1)))
    alone = 0
    for line in range(1, len(file.lines) + 1):
        expected = whole.definitions(line)
        if not expected:
            continue
        found = file.definitions(line)
        alone += file.outer[line] is not None
        outermost = expected[:1] if file.outer[line] is not None else expected
        assert [ast.dump(node, include_attributes=True) for node in found] == [
            ast.dump(node, include_attributes=True) for node in outermost
        ]
    assert alone >= sum(isinstance(node, ast.FunctionDef) for node in ast.parse(text).body)


def test_a_function_of_the_module_is_read_without_the_rest_of_the_file(edited):
    module = edited("plain", "plain")
    file, _ = function_source(module.plain)
    assert not file.codes
    assert "_all" not in vars(file)
    file, _ = function_source(module.FIRST)
    assert file.codes
    assert "_all" in vars(file)


def test_a_function_of_a_file_that_is_run_in_parts_is_current(tmp_path):
    """As sphinx-gallery does: a part without the imports calls `np.sqrt` in another way than the whole file."""
    text = "import numpy as np\n\n# %%\n# A part.\n\n\ndef root(x):\n    return np.sqrt(x + 1.0)\n"
    path = tmp_path / "parts.py"
    path.write_text(text)
    names: dict[str, object] = {}
    for part in (text[: text.index("# %%")], "\n" * text[: text.index("def")].count("\n") + text[text.index("def") :]):
        exec(compile(part, str(path), "exec"), names)
    _, node = function_source(names["root"])
    assert node.name == "root"
    path.write_text(text.replace("1.0", "2.0"))
    with pytest.raises(FunctionError, match="the file has changed since it was imported"):
        function_source(names["root"])
