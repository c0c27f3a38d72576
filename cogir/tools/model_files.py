"""
Models that tools are given on the command line: `model.mlir`, `model.py`, `model.py:name`, `package.module:name`.

A Python file defines `model` (a `cogir.Model`, or a module) or a function `build()` that returns one.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
import sysconfig
import traceback
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import ModuleOp

import cogir
from cogir.dialects.text import CogParser, make_context
from cogir.errors import CogirError, ModelError
from cogir.frontend.builder.model import Model
from cogir.frontend.parsed import ParsedModel
from cogir.tools.common import read_input, verify_module
from cogir.tools.diagnostics import TextPosition, ToolError, one_line

if TYPE_CHECKING:
    from types import TracebackType

NAMES = ("model", "build")


def load_model(given: str | None) -> Model | ParsedModel:
    """The model that an argument names; None reads text from the standard input."""
    if given is None or given.endswith(".mlir") or given == "-":
        module = load_text(None if given == "-" else given)
        try:
            return ParsedModel(module)
        except ModelError as error:
            raise placed(error) from error
    path, _, name = given.rpartition(":")
    if path and not name.endswith(".py"):
        module = _python_file(path) if path.endswith(".py") else _python_module(path)
        return _model_in(module, path, name)
    if given.endswith(".py"):
        return _model_in(_python_file(given), given, None)
    raise ToolError(f"'{given}' is not a model; give a file .mlir or .py, or module:name")


def is_python(given: str | None) -> bool:
    """True if an argument names a model in Python: `FILE.py`, `FILE.py:name` or `module:name`."""
    if given is None:
        return False
    is_named = ":" in given and not given.endswith(".mlir") and not Path(given).exists()
    return given.endswith(".py") or is_named


def load_python(given: str) -> ModuleOp:
    """The module of a model in Python."""
    try:
        return load_model(given).ir()
    except ModelError as error:
        raise placed(error) from error


def load_text(path: str | None) -> ModuleOp:
    """The checked module in a file of text."""
    text, name = read_input(path)
    module = CogParser(make_context(), text, name).parse_module()
    verify_module(module)
    return module


def _python_file(path: str) -> ModuleType:
    if not Path(path).is_file():
        raise ToolError("the file cannot be read: there is no such file", TextPosition(path))
    spec = importlib.util.spec_from_file_location(Path(path).stem, path)
    if spec is None or spec.loader is None:
        raise ToolError("the file is not a Python script", TextPosition(path))
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(spec.name, module)
    sys.path.insert(0, str(Path(path).parent))
    run_users(lambda: spec.loader.exec_module(module) if spec.loader else None, path)
    return module


def _python_module(name: str) -> ModuleType:
    # Not ".": the finder of "." stays that of the folder in which it was first asked.
    sys.path.insert(0, str(Path.cwd()))
    return run_users(lambda: importlib.import_module(name), name)


def _model_in(module: ModuleType, where: str, name: str | None) -> Model | ParsedModel:
    """The model called `name` in a module, or the one under a usual name; functions are called for it."""
    if name is None:
        name = next((usual for usual in NAMES if hasattr(module, usual)), None)
        if name is None:
            raise ToolError("it defines neither `model` nor `build()`; define one of them, or give FILE.py:name", TextPosition(where))
    if not hasattr(module, name):
        raise ToolError(f"it defines no `{name}`", TextPosition(where))
    found: Any = getattr(module, name)
    if callable(found) and not isinstance(found, Model | ParsedModel):
        found = run_users(found, where)
    if isinstance(found, ModuleOp):
        found = ParsedModel(found)
    if not isinstance(found, Model | ParsedModel):
        raise ToolError(f"`{name}` is a {type(found).__name__}; a cogir.Model is required", TextPosition(where))
    return found


PLACED = re.compile(r"(?P<file>[^:\n]+):(?P<line>\d+):(?:(?P<column>\d+):)? (?P<message>.*)", re.DOTALL)


def placed(error: ModelError) -> ToolError:
    """An error of the builder, whose message starts with the line of the script (of a text: line and column), as an error of the tool."""
    found = PLACED.match(str(error))
    return (
        ToolError(one_line(found["message"]), TextPosition(found["file"], int(found["line"]), int(found["column"] or 1)))
        if found
        else ToolError(one_line(error))
    )


def run_users(code: Any, where: str) -> Any:
    """
    Runs code of the user. Whatever goes wrong in it is the user's to see: the innermost line of the user's own, and the message.
    """
    try:
        return code()
    except ModelError as error:
        raise placed(error) from error
    except CogirError:
        raise
    except SyntaxError as error:
        raise ToolError(f"SyntaxError: {error.msg}", TextPosition(error.filename or where, error.lineno or 0, error.offset or 0)) from error
    except SystemExit as error:
        message = f"the script calls exit({error.code!r}); put code that does not build the model under `if __name__ == '__main__':`"
        raise ToolError(message, _place_of(error.__traceback__, where)) from error
    except Exception as error:
        raise ToolError(f"{type(error).__name__}: {error}", _place_of(error.__traceback__, where)) from error


FOREIGN = ("<", str(Path(cogir.__file__).parent), sysconfig.get_path("stdlib"), sysconfig.get_path("purelib"))
"""The prefixes of the names of files that are not the user's."""


def _place_of(trace: TracebackType | None, where: str) -> TextPosition:
    """The innermost line outside of cogir, Python and what is installed; `where` alone if there is none."""
    frames = [frame for frame in traceback.extract_tb(trace) if not frame.filename.startswith(FOREIGN)]
    own = [frame for frame in frames if frame.filename == where or Path(frame.filename).name == Path(where).name]
    chosen = (own or frames)[-1:]
    return TextPosition(chosen[0].filename, chosen[0].lineno or 0, 1) if chosen else TextPosition(where)
