"""
The common parts of the command-line tools: input and output, exit codes, and the check of a whole module.

An error of a user is one message, `file:line:column: error: what; remedy`, with the line and a caret (`diagnostics.py`), and exit code 1.
Errors of other kinds are defects of cogir and are not caught here.
"""

from __future__ import annotations

import argparse
import errno
import os
import re
import sys
import warnings
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from io import TextIOWrapper
from typing import IO, NoReturn, TextIO, cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, Region
from xdsl.traits import IsTerminator, NoTerminator, SymbolTable
from xdsl.utils.exceptions import VerifyException

from cogir.analysis.verify_blocks import verify_blocks
from cogir.analysis.verify_declarations import verify_declaration
from cogir.analysis.verify_ssa import verify_ssa
from cogir.dialects.cog.verify.model import unique_symbols
from cogir.runtime.short_names import ARROW, MATRIX, is_of_projection
from cogir.tools.diagnostics import (
    USER_ERRORS,
    TextPosition,
    ToolError,
    coloured,
    diagnostic,
    near,
    one_line,
    place_of,
    remember_text,
    tell,
    tool_error,
)

USER_ERROR = 1
"""The exit code when the input is wrong."""

INTERNAL_ERROR = 70
"""The exit code when a pass of cogir failed in a way that is not the user's doing (EX_SOFTWARE of sysexits.h)."""


OF_WRITING = (errno.ENOSPC, errno.EIO, errno.EBADF, errno.EDQUOT, errno.EFBIG)
"""The numbers of errors that arise when an open file, such as the standard output, is written."""


def parameter_paths(names: str) -> tuple[str, ...]:
    """The paths in a layout of the parameters that a command line calls `decision/rate,decision/noise`; matrices by whole paths."""
    found: list[str] = []
    for name in filter(None, names.split(",")):
        path = name.strip()
        owner, _, last = path.rpartition("/")
        if not owner:
            form = (
                "matrices in full, such as task:value->hidden:variable/matrix"
                if ARROW in path
                else f"them with nodes, such as decision/{last}"
            )
            raise ToolError(f'there is no parameter "{path}"; name {form}')
        is_whole = ":" in last or (last == MATRIX and is_of_projection(path))
        found.append(path if is_whole else f"{owner}/param:{last}")
    return tuple(found)


def left_out(names: str) -> tuple[str, ...]:
    """The optimisations that `--without a,b` names."""
    return tuple(name.strip() for name in names.split(",") if name.strip())


TERMINATORS = {
    "cog.node": "cog.yield",
    "cog.project": "cog.yield",
    "cog.when": "cog.condition",
    "cog.reset": "cog.condition",
    "cog.terminate": "cog.condition",
    "cog.repeat": "a cog.step",
    "func.func": "func.return",
    "linalg.generic": "linalg.yield",
}
"""The terminators of the bodies of some operations."""


def verify_module(module: Operation) -> None:
    """
    Checks a module, inner operations first; raises a `ToolError` that names the place of the first one that is wrong.
    """
    for error in module_errors(module):
        raise error


def module_errors(module: Operation) -> Iterator[ToolError]:
    """The errors of a module, those of inner operations first. An operation that is wrong hides the errors of those around it."""
    try:
        verify_blocks(module)
    except VerifyException as error:
        yield caused(tool_error(error, module), error)
        return
    wrong: set[Operation] = set()
    for op in module.walk(region_first=True):
        if op not in wrong and (error := operation_error(op)) is not None:
            yield error
            wrong.add(op)
        if op in wrong and (parent := op.parent_op()) is not None:
            wrong.add(parent)
    if isinstance(module, ModuleOp) and not wrong:
        try:
            verify_ssa(module)
        except VerifyException as error:
            yield caused(tool_error(error, module), error)


def operation_error(op: Operation) -> ToolError | None:
    """The error of an operation, not of those in it; None if it has none."""
    try:
        check_ends(op)
        if op.has_trait(SymbolTable):
            unique_symbols(op.regions[0].block.ops, "the module")
        op.verify(verify_nested_ops=False)
        verify_declaration(op)
    except ToolError as error:
        return error
    except VerifyException as error:
        return caused(tool_error(error, op), error)
    except Exception as error:
        if type(error) is not Exception:  # memref and scf of xDSL say so where they mean a VerifyException
            raise
        return caused(ToolError(one_line(error), place_of(op)), error)
    return None


def caused(error: ToolError, cause: Exception) -> ToolError:
    """An error that remembers its cause."""
    error.__cause__ = cause
    return error


def check_ends(op: Operation) -> None:
    """
    Refuses an operation that ends a body of one block without being a terminator, and one that has an empty body.
    (xDSL checks that, too, but in words of its own.)
    """
    parent = op.parent_op()
    if parent is not None and op.next_op is None and not op.has_trait(IsTerminator) and needs_terminator(parent, op.parent_region()):
        raise ToolError(f"the body of {parent.name} ends in {op.name}; {remedy(parent)}", place_of(op))
    for region in op.regions:
        no_block = not region.blocks and op.name.startswith("cog.")
        if no_block or (needs_terminator(op, region) and region.block.is_empty):
            raise ToolError(f"the body of {op.name} is empty; {remedy(op)}", place_of(op))


def needs_terminator(op: Operation, region: Region | None) -> bool:
    """True if a region of `op` is one block that must end in a terminator."""
    return region is not None and len(region.blocks) == 1 and not op.has_trait(NoTerminator)


def remedy(op: Operation) -> str:
    """The remedy for the body of an operation without a terminator."""
    return f"end it with {TERMINATORS.get(op.name, 'a yield' if op.name.startswith('scf.') else 'its terminator')}"


def read_input(path: str | None) -> tuple[str, str]:
    """The text of a file, or of the standard input when there is no path, and the name to use for it in messages."""
    name = path or "<stdin>"
    try:
        if path is None:
            if cast(object, sys.stdin) is None:
                raise ToolError("the standard input is closed; give a file")
            text = sys.stdin.buffer.read().decode("utf-8")
        else:
            with open(path, "rb") as file:
                text = file.read().decode("utf-8")
        remember_text(name, text)
        return text, name
    except OSError as error:
        raise ToolError(f"the file cannot be read: {error.strerror}", TextPosition(name)) from error
    except UnicodeDecodeError as error:
        raise ToolError(f"the file is not valid UTF-8: byte {error.start} is invalid", TextPosition(name)) from error


def open_output(path: str | None) -> IO[str]:
    """The file to write to, or the standard output when there is no path."""
    if path is None:
        return standard_output()
    try:
        return open(path, "w", encoding="utf-8")
    except OSError as error:
        raise ToolError(f"the file cannot be written: {error.strerror}", TextPosition(path)) from error


def standard_output(remedy: str = "give -o FILE") -> TextIO:
    """The standard output; an error with a `remedy` if whoever started the tool has closed it."""
    if cast(object, sys.stdout) is None:
        raise ToolError(f"the standard output is closed; {remedy}")
    return sys.stdout


class Arguments(argparse.ArgumentParser):
    """A command line whose mistakes are errors like all others: one message, exit code 1."""

    def error(self, message: str) -> NoReturn:
        refuse_arguments(self, message)


def add_version(parser: argparse.ArgumentParser) -> None:
    """Adds `--version`: of cogir, and of the two libraries that decide what comes out."""
    from cogir.backend.llvm import versions

    text = f"{parser.prog} (cogir {version('cogir')}, xDSL {version('xdsl')}, {versions()})"
    parser.add_argument("-v", "--version", action="version", version=text, help="print the versions of cogir, xDSL and LLVM")


def refuse_arguments(parser: argparse.ArgumentParser, message: str) -> NoReturn:
    """The reaction to a command line that cannot be parsed."""
    raise ToolError(f"{one_line(message)}{option_meant(parser, message) or f'; see {parser.prog} --help'}")


def option_meant(parser: argparse.ArgumentParser, message: str) -> str:
    """The hint after options that do not exist: for the first of them, the option that is spelled alike; empty if there is none."""
    unknown = re.match(r"unrecognized arguments:.*? (--[^\s=]+)", message)
    known = dict.fromkeys(re.findall(r"--[a-z][a-z-]+", parser.format_help()))
    return near(unknown[1], known) if unknown is not None else ""


def run_tool(main: Callable[[], int]) -> int:
    """
    Runs a tool and gives its exit code; errors of its user become one message on the standard error.
    """
    with warnings_as_messages():
        return exit_code(main)


@contextmanager
def warnings_as_messages() -> Generator[None]:
    """A block in which warnings are printed as the errors of tools are, without a line of the tool's own source."""
    before = warnings.formatwarning

    def formatted(message: Warning | str, category: type[Warning], *_: object, **__: object) -> str:
        return f"{diagnostic('warning', f'{one_line(message)} [{category.__name__}]', None, colours=coloured(sys.stderr))}\n"

    warnings.formatwarning = formatted
    try:
        yield
    finally:
        warnings.formatwarning = before


def exit_code(main: Callable[[], int]) -> int:
    """The exit code of a tool; errors of its user become one message on the standard error."""
    try:
        escape_what_cannot_be_printed()
        code = main()
        if cast(object, sys.stdout) is not None and not sys.stdout.closed:
            sys.stdout.flush()
        return code
    except RecursionError:
        # Only what nests gets there: the parser, the checks and the passes walk IR by recursion.
        tell(ToolError("the input is nested too deeply"))
        return USER_ERROR
    except MemoryError as error:
        detail = f" ({one_line(error)})" if str(error) else ""
        tell(ToolError(f"there is not enough memory{detail}; use smaller arrays, or fewer trials"))
        return USER_ERROR
    except USER_ERRORS as error:
        tell(tool_error(error))
        return USER_ERROR
    except BrokenPipeError:
        # The reader of our output has gone, as in `cog-opt ... | head`.
        return without_output()
    except OSError as error:
        tell(system_error(error))
        return without_output()


def escape_what_cannot_be_printed() -> None:
    """Makes the standard output and error print letters that their encoding does not have as `\\u03b1`, as Python does for errors."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and stream.errors in ("strict", "surrogateescape"):
            stream.reconfigure(errors="backslashreplace")


def system_error(error: OSError) -> ToolError:
    """The message for an error of the operating system that was not told where it arose: with the file, if it names one."""
    reason = error.strerror or one_line(error)
    if error.filename is not None:
        return ToolError(f"the file cannot be used: {reason}", TextPosition(os.fsdecode(error.filename)))
    return ToolError(f"the output cannot be written: {reason}" if error.errno in OF_WRITING else f"the operating system reports: {reason}")


def without_output() -> int:
    """The exit code of a tool that cannot write; keeps Python from complaining at exit of what is not written."""
    if cast(object, sys.stdout) is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return USER_ERROR
