"""
Where the user wrote something, and what the user probably meant.

Every error of the builder names the line of the user's script, never a line of cogir, and close misspellings get
a "did you mean".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cogir.callers import user_frame
from cogir.errors import closest, meant, there_is


class SourceLocation(NamedTuple):
    """A line of the user's script."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


def user_place() -> SourceLocation:
    """The innermost line on the call stack that is the user's own."""
    frame = user_frame()
    return SourceLocation(frame.f_code.co_filename, frame.f_lineno)


def did_you_mean(name: object, known: Iterable[str], unlisted: Iterable[str] = ()) -> str:
    """
    A remedy for an unknown name: `; did you mean "rate"?`, or the list of what there is; `unlisted`: more that can be meant.

    Returns a text that continues a message and starts with a semicolon.
    """
    options = list(known)
    near = nearest(name, [*options, *unlisted])
    return there_is(options) if near is None else meant(str(name), near)


def nearest(name: object, known: Sequence[str]) -> str | None:
    """The only known name that begins as an unknown one, else the closest one, if there is any."""
    given = str(name)
    begun = [option for option in known if len(given) > 1 and option.startswith(given)]
    return begun[0] if len(begun) == 1 else closest(given, known)
