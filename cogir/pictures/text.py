"""
Texts in pictures: how wide they are, where they break, and what has to be escaped.

Nobody knows the fonts of the machine on which a picture is looked at. Widths are those of DejaVu Sans, which is wider than other common
fonts without serifs, so that texts stay in their boxes.
"""

from __future__ import annotations

import re
import unicodedata
from html import escape

_ASCII = (
    *(32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34, 84, 84, 84, 53),
    *(100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79, 60, 79, 69, 63, 61, 73, 68, 99, 69, 61, 69, 39, 34, 39, 84, 50),
    *(50, 61, 63, 55, 63, 62, 35, 63, 63, 28, 28, 58, 28, 97, 63, 61, 63, 63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84),
)
"""The widths of the characters from the space on, in hundredths of the font's size."""
OTHER = 70
WIDE = 110
BOLD = 1.13
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """The width of a text that no common font exceeds."""
    return sum(map(_width, text)) * size / 100 * (BOLD if bold else 1.0)


def _width(letter: str) -> int:
    code = ord(letter)
    if 32 <= code < 127:
        return _ASCII[code - 32]
    if unicodedata.combining(letter) or unicodedata.category(letter) in ("Cf", "Mn"):
        return 0
    return WIDE if unicodedata.east_asian_width(letter) in "WF" else OTHER


def shortened(text: str, room: float, size: float, *, bold: bool = False) -> str:
    """The text, cut with an ellipsis where it is wider than `room`."""
    if width_of(text, size, bold=bold) <= room:
        return text
    left = room - width_of(ELLIPSIS, size, bold=bold)
    for place, letter in enumerate(text):
        left -= width_of(letter, size, bold=bold)
        if left < 0:
            return text[:place].rstrip() + ELLIPSIS
    return text


def wrapped(text: str, room: float, size: float, most: int) -> list[str]:
    """The text in lines, broken at spaces; at most so many lines, the last one cut with an ellipsis."""
    lines: list[str] = []
    words = text.split()
    while words:
        if len(lines) == most - 1:
            lines.append(shortened(" ".join(words), room, size))
            break
        count = 1
        while count < len(words) and width_of(" ".join(words[: count + 1]), size) <= room:
            count += 1
        lines.append(shortened(" ".join(words[:count]), room, size))
        words = words[count:]
    return lines


def one_line(text: str) -> str:
    """The text without line breaks, and without characters that XML does not allow."""
    return " ".join(in_xml(text).split())


def in_xml(text: str) -> str:
    """The text with a replacement for characters that XML does not allow."""
    return _NOT_IN_XML.sub("\N{REPLACEMENT CHARACTER}", text)


def escaped(text: str) -> str:
    """The text for the content or an attribute of an XML element."""
    return escape(in_xml(text), quote=True)
