"""
Conditions as short texts in boxes: "every 2 calls of stimulus".
"""

from __future__ import annotations

from cogir.model.conditions import Always, Condition, Elapsed, EveryNCalls, Never, TimeScale, at_start
from cogir.model.describe import said

STARTS = {at_start(scale): f"at the start of each {scale.name.lower()}" for scale in (TimeScale.PASS, TimeScale.TRIAL, TimeScale.RUN)}


def short(condition: Condition) -> str:
    """A condition as the text of a box, without a verb: after "runs", or "reset"."""
    match condition:
        case Always():
            return "always"
        case Never():
            return "never"
        case EveryNCalls(node, n):
            return f"after each call of {node}" if n == 1 else f"every {n} calls of {node}"
        case Elapsed() if condition in STARTS:
            return STARTS[condition]
        case Elapsed(unit, "every", n, _):
            return f"every {n} {_units(unit)}"
        case _:
            return f"when {in_words(condition)}"


def in_words(condition: Condition) -> str:
    """A condition after "when"."""
    text = said(condition, "")
    return text[1:-1] if _is_enclosed(text) else text


def _is_enclosed(text: str) -> bool:
    """True if one pair of parentheses holds the whole text."""
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return place == len(text) - 1 and text.startswith("(")
    return False


def _units(unit: TimeScale) -> str:
    name = unit.name.lower().replace("_", " ")
    return f"{name}es" if name.endswith("s") else f"{name}s"
