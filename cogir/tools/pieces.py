"""
The pieces of a text that are read one by one: what stands between lines `// -----`.

A dump of `--print-ir-after` begins with such a mark and a comment, as in `// -----// IR Dump After ...`. What has more dashes, or words
after them, is a comment.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

SEPARATOR = "// -----"
MARK = re.compile(rf"^{SEPARATOR}(?=[ \t\r]*$|// )", re.MULTILINE)


@dataclass(frozen=True)
class TextPiece:
    """A piece of a text: its own text, and the offset and the line that it begins at."""

    text: str
    start: int
    first_line: int


def pieces_of(text: str) -> list[TextPiece]:
    """The pieces of a text that are not blank; the text as it is if all are."""
    marks = list(MARK.finditer(text))
    starts = [0, *(mark.end() for mark in marks)]
    ends = [*(mark.start() for mark in marks), len(text)]
    found = [TextPiece(text[start:end], start, text.count("\n", 0, start) + 1) for start, end in zip(starts, ends, strict=True)]
    return [piece for piece in found if piece.text.strip()] or [TextPiece(text, 0, 1)]
