"""
What the command-line tools share: where errors are, how they are said, and the check of a whole module.

An error of a user is one message, `file:line:column: error: what; remedy`, and exit code 1. What is not an error of a
user (a defect of cogir) is not caught here.
"""

from __future__ import annotations

import argparse
import errno
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from typing import IO, NoReturn, TextIO, cast

from xdsl.dialects.builtin import FileLineColLoc, ModuleOp
from xdsl.ir import Operation, Region
from xdsl.traits import IsTerminator, NoTerminator, SymbolTable
from xdsl.utils.exceptions import (
    DiagnosticException,
    MultipleSpansParseError,
    ParseError,
    UnregisteredConstructException,
    VerifyException,
)
from xdsl.utils.lexer import Location

from cogir.analysis.verify_blocks import verify_blocks
from cogir.analysis.verify_declarations import verify_declaration
from cogir.analysis.verify_ssa import verify_ssa
from cogir.dialects.cog.ports import PlacedVerifyException
from cogir.dialects.cog.verify.model import unique_symbols
from cogir.errors import CogirError

USER_ERROR = 1
"""The exit code when the input is wrong."""

INTERNAL_ERROR = 70
"""The exit code when a pass of cogir failed in a way that is not the user's doing (EX_SOFTWARE of sysexits.h)."""


OF_WRITING = (errno.ENOSPC, errno.EIO, errno.EBADF, errno.EDQUOT, errno.EFBIG)
"""The numbers of errors that arise when an open file, such as the standard output, is written."""


@dataclass(frozen=True)
class TextPosition:
    """A position in a text file; lines and columns count from 1, and 0 means unknown."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return self.file + (f":{self.line}:{self.column}" if self.line else "")


def parameter_paths(names: str) -> tuple[str, ...]:
    """The paths in a layout of the parameters that a command line calls `decision/rate,decision/noise`."""
    found: list[str] = []
    for name in filter(None, names.split(",")):
        owner, _, last = name.strip().rpartition("/")
        found.append(f"{owner}/{last}" if ":" in last else f"{owner}/param:{last}")
    return tuple(found)


def left_out(names: str) -> tuple[str, ...]:
    """The optimisations that `--without a,b` names."""
    return tuple(name.strip() for name in names.split(",") if name.strip())


class ToolError(Exception):
    """An error that a tool tells its user: a place and a message."""

    def __init__(self, message: str, place: TextPosition | None = None):
        super().__init__(message)
        self.message = message
        self.place = place

    def __str__(self) -> str:
        return f"{self.place}: error: {self.message}" if self.place else f"error: {self.message}"


def place_of(op: Operation) -> TextPosition | None:
    """The source location of an operation, or else of the closest operation around it."""
    current: Operation | None = op
    while current is not None:
        if isinstance(location := current.location, FileLineColLoc):
            return TextPosition(location.filename.data, location.line.data, location.column.data)
        current = current.parent_op()
    return None


def one_line(message: object) -> str:
    """A message without line breaks."""
    return " ".join(str(message).split())


def tool_error(error: Exception, op: Operation | None = None) -> ToolError:
    """
    The message for an error in the input: of the parser, the verifier, a pass, or cogir itself. `op` is what was being
    looked at. Errors of other kinds are defects and are raised again.
    """
    match error:
        case ToolError():
            return error
        case MultipleSpansParseError():
            others = ", ".join(f"{span.get_location()}" for span, _ in error.refs)
            place = place_of_span(error.span.get_location())
            return ToolError(f"{one_line(error.msg)} ({error.ref_text or 'see also'} {others})", place)
        case ParseError():
            return ToolError(parser_message(error), place_of_span(error.span.get_location()))
        case PlacedVerifyException():
            place = place_of(error.op)
            # Some messages name the place themselves, for those who see them without this tool.
            return ToolError(one_line(error).replace(f" at {place} ", " "), place)
        case VerifyException() if "Underlying verification failure" in str(error):
            # A constraint that comes with words of its own; what xDSL adds to them says nothing new.
            return ToolError(one_line(str(error).partition("Underlying verification failure")[0]), op and place_of(op))
        case DiagnosticException() | CogirError() | UnregisteredConstructException():
            return ToolError(one_line(error), None if op is None else place_of(op))
        case _:
            raise error


def parser_message(error: ParseError) -> str:
    """The parser's message; at the end of the text, that it ends there."""
    message = one_line(error.msg)
    at_the_end = not error.span.input.content[error.span.start :].strip()
    if at_the_end and (message == "in block definition" or message.endswith(" expected")):
        expected = f" ({message})" if message.endswith("expected") else ""
        return f"the text ends inside an operation{expected}; is a closing bracket missing?"
    return message


def place_of_span(location: Location) -> TextPosition:
    """xDSL's location as a place."""
    return TextPosition(location.file, location.line, location.col)


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
    try:
        verify_blocks(module)
    except VerifyException as error:
        raise tool_error(error, module) from error
    for op in module.walk(region_first=True):
        check_ends(op)
        try:
            if op.has_trait(SymbolTable):
                unique_symbols(op.regions[0].block.ops, "the module")
            op.verify(verify_nested_ops=False)
            verify_declaration(op)
        except VerifyException as error:
            raise tool_error(error, op) from error
        except Exception as error:
            if type(error) is not Exception:  # memref and scf of xDSL say so where they mean a VerifyException
                raise
            raise ToolError(one_line(error), place_of(op)) from error
    if isinstance(module, ModuleOp):
        try:
            verify_ssa(module)
        except VerifyException as error:
            raise tool_error(error, module) from error


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
            return sys.stdin.buffer.read().decode("utf-8"), name
        with open(path, "rb") as file:
            return file.read().decode("utf-8"), name
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
        refuse_arguments(self.prog, message)


def add_version(parser: argparse.ArgumentParser) -> None:
    """Adds `--version`: of cogir, and of the two libraries that decide what comes out."""
    from cogir.backend.llvm import versions

    text = f"{parser.prog} (cogir {version('cogir')}, xDSL {version('xdsl')}, {versions()})"
    parser.add_argument("-v", "--version", action="version", version=text, help="print the versions of cogir, xDSL and LLVM")


def refuse_arguments(program: str, message: str) -> NoReturn:
    """The reaction to a command line that cannot be parsed."""
    raise ToolError(f"{one_line(message)}; see {program} --help")


def run_tool(main: Callable[[], int]) -> int:
    """
    Runs a tool and gives its exit code; errors of its user become one message on the standard error.
    """
    try:
        code = main()
        if cast(object, sys.stdout) is not None:
            sys.stdout.flush()
        return code
    except RecursionError:
        # Only what nests gets there: the parser, the checks and the passes walk IR by recursion.
        print(ToolError("the input is nested too deeply"), file=sys.stderr)
        return USER_ERROR
    except MemoryError as error:
        detail = f" ({one_line(error)})" if str(error) else ""
        print(ToolError(f"there is not enough memory{detail}; use smaller arrays, or fewer trials"), file=sys.stderr)
        return USER_ERROR
    except (ToolError, ParseError, DiagnosticException, CogirError, UnregisteredConstructException) as error:
        print(tool_error(error), file=sys.stderr)
        return USER_ERROR
    except BrokenPipeError:
        # The reader of our output has gone, as in `cog-opt ... | head`.
        return without_output()
    except OSError as error:
        print(system_error(error), file=sys.stderr)
        return without_output()


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
