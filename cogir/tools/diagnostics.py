"""
Errors and remarks as the tools print them: the place, the message, the line of the source, and a caret, as clang and MLIR do.

    model.mlir:6:3: error: output @aa: @aa is not part of the model; did you mean @a?
      cog.output @aa
      ^          ~~~
"""

from __future__ import annotations

import linecache
import os
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TextIO

from xdsl.dialects.builtin import FileLineColLoc
from xdsl.ir import Operation
from xdsl.utils.exceptions import (
    DiagnosticException,
    MultipleSpansParseError,
    ParseError,
    UnregisteredConstructException,
    VerifyException,
)
from xdsl.utils.lexer import Location, Span

from cogir.dialects.cog.ports import PlacedVerifyException
from cogir.errors import CogirError, closest
from cogir.tools.plain_messages import plain

MOST_COLUMNS = 120
"""The number of columns that are shown of a longer line, around the place."""
UNPRINTABLE = "\ufffd"
"""The character that is shown for those that are not printable."""
NAMED = re.compile(r"[@%^!#][\w$.-]+|@\"[^\"]+\"|\"[^\"]+\"|'[^']+'")
"""The names in a message that may stand in the line: symbols, values, and what is quoted."""
SUBJECT = re.compile(r"(?:%[^=\n]*=\s*)?\"?([%\w$.#-]+)")
"""The value or the operation at the beginning of a text."""
COLOURS = {
    "error": "\x1b[1;31m",
    "warning": "\x1b[1;35m",
    "remark": "\x1b[1;34m",
    "note": "\x1b[1;36m",
    "bold": "\x1b[1m",
    "caret": "\x1b[1;32m",
}
PLAIN = "\x1b[0m"


@dataclass(frozen=True)
class TextPosition:
    """A position in a text file; lines and columns count from 1, and 0 means unknown."""

    file: str
    line: int = 0
    column: int = 0
    width: int = field(default=1, compare=False)
    """The number of characters that are meant, if that is known."""

    def __str__(self) -> str:
        return self.file + (f":{self.line}:{self.column}" if self.line else "")


@dataclass(frozen=True)
class Note:
    """Another place that belongs to an error."""

    message: str
    place: TextPosition


class ToolError(Exception):
    """An error that a tool tells its user: a place and a message, and further places."""

    def __init__(self, message: str, place: TextPosition | None = None, notes: tuple[Note, ...] = ()):
        super().__init__(message)
        self.message = message
        self.place = place
        self.notes = notes

    def __str__(self) -> str:
        others = ", ".join(str(note.place) for note in self.notes)
        message = f"{self.message} ({self.notes[0].message} {others})" if self.notes else self.message
        return f"{self.place}: error: {message}" if self.place else f"error: {message}"


USER_ERRORS = (ToolError, ParseError, DiagnosticException, CogirError, UnregisteredConstructException)
"""The errors that are the user's: those of other kinds are defects."""


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
            notes = tuple(Note(one_line(error.ref_text or text or "see also"), place_of_span(span)) for span, text in error.refs)
            return ToolError(one_line(error.msg), place_of_span(error.span), notes)
        case ParseError():
            return ToolError(plain(parser_message(error), subject_of(error.span)), place_of_span(error.span))
        case PlacedVerifyException():
            place = place_of(error.op)
            # Some messages name the place themselves, for those who see them without this tool.
            return ToolError(one_line(error).replace(f" at {place} ", " "), place)
        case VerifyException() if "Underlying verification failure" in str(error):
            # A constraint that comes with words of its own; what xDSL adds to them says nothing new.
            message = one_line(str(error).partition("Underlying verification failure")[0])
            return ToolError(plain(message, op.name if op else ""), op and place_of(op))
        case DiagnosticException() | CogirError() | UnregisteredConstructException():
            return ToolError(plain(one_line(error), op.name if op else ""), None if op is None else place_of(op))
        case _:
            raise error


def internal_error(error: Exception) -> ToolError:
    """The message for a defect, for tools that go on after it."""
    return ToolError(f"internal error: {type(error).__name__}: {one_line(error)}; this is a defect of cogir, not of the text")


def parser_message(error: ParseError) -> str:
    """The parser's message; at the end of the text, that it ends there."""
    message = one_line(error.msg)
    at_the_end = not error.span.input.content[error.span.start :].strip()
    if at_the_end and (message == "in block definition" or message.endswith(" expected")):
        expected = f" ({message})" if message.endswith("expected") else ""
        return f"the text ends inside an operation{expected}; is a closing bracket missing?"
    return message


def subject_of(span: Span[str] | Span[bytes]) -> str:
    """The value, or the operation without its results, that the text of a span begins with."""
    found = SUBJECT.match(str(span.text))
    return found[1] if found is not None else ""


def place_of_span(span: Span[str] | Span[bytes]) -> TextPosition:
    """The place of a span of the parser."""
    location: Location = span.get_location()
    return TextPosition(location.file, location.line, location.col, max(span.end - span.start, 1))


def remember_text(name: str, text: str) -> None:
    """Keeps a text that was read, so that its lines can be shown; it may come from where it cannot be read again."""
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)


def source_line(place: TextPosition) -> str:
    """The line of a place, without its end; empty if it is not known."""
    linecache.checkcache(place.file)
    return printable(linecache.getline(place.file, place.line).rstrip("\r\n")) if place.line > 0 else ""


def near(name: str, known: Iterable[str]) -> str:
    """The hint after an unknown name, as in `; did you mean 'cog-licm'?`; empty if no known name is like it."""
    close = closest(name, known)
    return "" if close is None else f"; did you mean '{close}'?"


def printable(text: str) -> str:
    """A text with nothing that a terminal would obey."""
    return "".join(character if character.isprintable() or character == "\t" else UNPRINTABLE for character in text)


def excerpt(place: TextPosition, message: str = "", caret: str = "") -> str:
    """
    The line of a place, and below it a caret, with `~` below the rest of what is meant and below the first name of the message that stands
    in the line; empty if the line is not known. `caret` is the escape sequence that colours the marks.
    """
    line = source_line(place)
    if not line.strip():
        return ""
    first = len(line) - len(line.lstrip())
    at = max(place.column - 1, first)
    marks = dict.fromkeys(range(at, min(at + place.width, max(len(line), at + 1))), "~")
    if place.width == 1 and (named := named_in(line, at, message)) is not None:
        marks |= dict.fromkeys(range(*named), "~")
    marks[at] = "^"
    start = 0 if len(line) <= MOST_COLUMNS else max(0, min(at - MOST_COLUMNS // 2, len(line) - MOST_COLUMNS))
    end = start + MOST_COLUMNS if len(line) > MOST_COLUMNS else len(line)
    shown = ("..." if start else "") + line[start:end] + ("..." if end < len(line) else "")
    under = "".join(marks.get(column, "\t" if line[column : column + 1] == "\t" else " ") for column in range(start, max(marks) + 1))
    under = ((" " * 3 if start else "") + under[: end - start + 1]).rstrip()
    return f"{shown}\n{caret}{under}{PLAIN if caret else ''}"


def named_in(line: str, since: int, message: str) -> tuple[int, int] | None:
    """The columns of the first name in a message that stands in a line, not at its beginning."""
    for name in NAMED.findall(message):
        for written in (name, name.strip("\"'")):
            found = re.compile(rf"(?<![\w@%]){re.escape(written)}(?!\w)").search(line, since + 1)
            if found is not None:
                return found.span()
    return None


def coloured(stream: TextIO) -> bool:
    """True if messages to a stream are coloured: it is a terminal, and the user has not asked for plain text."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def diagnostic(kind: str, message: str, place: TextPosition | None, *, colours: bool = False) -> str:
    """A message of a kind ("error", "warning", "remark", "note") with its place, the line there and a caret."""
    bold, of_kind, caret, plain = (COLOURS["bold"], COLOURS[kind], COLOURS["caret"], PLAIN) if colours else ("", "", "", "")
    head = f"{bold}{printable(str(place))}: {plain}" if place else ""
    text = f"{head}{of_kind}{kind}: {plain}{bold}{printable(message)}{plain}"
    below = excerpt(place, message, caret) if place else ""
    return f"{text}\n{below}" if below else text


def rendered(error: ToolError, *, colours: bool = False) -> str:
    """An error with its notes."""
    notes = (diagnostic("note", note.message, note.place, colours=colours) for note in error.notes)
    return "\n".join([diagnostic("error", error.message, error.place, colours=colours), *notes])


def tell(error: ToolError) -> None:
    """Prints an error on the standard error."""
    print(rendered(error, colours=coloured(sys.stderr)), file=sys.stderr)


def warn(message: str) -> None:
    """Prints a warning on the standard error."""
    print(diagnostic("warning", message, None, colours=coloured(sys.stderr)), file=sys.stderr)
