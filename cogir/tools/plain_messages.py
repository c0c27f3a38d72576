"""
Messages of xDSL in plain words: what has which type, and which one is required.

xDSL's messages name positions, variables of constraints and attributes; the tools say the same about operands, results and types.
"""

from __future__ import annotations

import re

RULES: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(r"operand is used with type (.+), but has been previously used or defined with type (.+)"),
        r"{name} has type \2, but is used as \1",
    ),
    (
        re.compile(r"(operand|result) '(\w+)' at position \d+ does not verify: attribute (.+) expected from variable '\w+', but got (.+)"),
        r"{name}: \1 '\2' has type \4, but the operands and results before it require \3",
    ),
    (
        re.compile(r"(operand|result) '(\w+)' at position \d+ does not verify: Expected attribute (.+) but got (.+)"),
        r"{name}: \1 '\2' has type \4, but \3 is required",
    ),
    (
        re.compile(r"(operand|result) '(\w+)' at position \d+ does not verify: Unexpected attribute (.+)"),
        r"{name}: \1 '\2' cannot have type \3",
    ),
    (re.compile(r"Unexpected attribute (.+)"), r"{name} cannot have type \1"),
    (re.compile(r"'@(.+)' could not be found in symbol table"), r"{name}: there is no @\1 in the module"),
)
"""The messages of xDSL, each with the plain one; `{name}` is the operation or value that it is about."""


def plain(message: str, name: str) -> str:
    """The message about an operation or a value in plain words; as it is if it has none here."""
    for pattern, words in RULES:
        if (found := pattern.fullmatch(message)) is not None:
            return found.expand(words).replace("{name}", name or "the value")
    return message
