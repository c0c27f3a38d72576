"""
Texts of IR in tabs, for notebooks and pages: without scripts, so that they work wherever HTML is shown.

Where style sheets are not allowed, the texts stand one below the other, each under its name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from secrets import token_hex

from cogir.pictures.highlighting import RULES
from cogir.pictures.text import escaped

MOST_LINES = 600
"""Longer texts are cut, and say so."""
COLOURS: Mapping[str, tuple[str, str]] = {
    "comment": ("c", "#6a737d"),
    "string": ("s", "#0a7d3c"),
    "symbol": ("y", "#8250df"),
    "value": ("v", "#0b69b7"),
    "type": ("t", "#b05a00"),
    "dialect type": ("t", "#b05a00"),
    "operation": ("o", "#cf222e"),
}
"""The kinds of tokens that are coloured, each with a class and a colour that can be read on light and on dark pages."""
OF_LLVM = (("comment", r";[^\n]*"), ("type", r"\b(?:double|float|ptr|void)\b"))
"""The tokens of LLVM IR that other IR does not have."""
TOKENS = (*OF_LLVM, *((rule.name, rule.pattern) for rule in RULES))
TOKEN = re.compile("|".join(f"(?P<t{number}>{pattern})" for number, (_, pattern) in enumerate(TOKENS)))


def levels_html(texts: Mapping[str, str]) -> str:
    """The texts by name, in tabs."""
    key = f"cogir{token_hex(8)}"  # of its own for each view: the same model may be shown twice on a page
    buttons: list[str] = []
    panels: list[str] = []
    for place, (name, text) in enumerate(texts.items()):
        checked = " checked" if place == 0 else ""
        buttons.append(f'<input type="radio" name="{key}" id="{key}-{place}"{checked}><label for="{key}-{place}">{escaped(name)}</label>')
        panels.append(f'<div class="level"><pre>{highlighted(shortened(text))}</pre></div>')
    chosen = ",".join(f"#{key} > input:nth-of-type({place}):checked ~ .level:nth-of-type({place})" for place in range(1, len(panels) + 1))
    return f'<style>{style(key, chosen)}</style><div id="{key}">{"".join(buttons)}{"".join(panels)}</div>'


def style(key: str, chosen: str) -> str:
    """The style sheet of one set of tabs."""
    return (
        f"#{key} > input{{position:absolute;opacity:0}}"
        f"#{key} > label{{display:inline-block;padding:.25em .7em;cursor:pointer;border-bottom:3px solid transparent;font-weight:600}}"
        f"#{key} > input:checked + label{{border-bottom-color:#0b69b7}}"
        f"#{key} > input:focus-visible + label{{outline:2px solid #0b69b7}}"
        f"#{key} > .level{{display:none}}"
        f"{chosen}{{display:block}}"
        f"#{key} pre{{max-height:32em;overflow:auto;font-size:.8em;line-height:1.35;margin:.3em 0;padding:.6em;white-space:pre}}"
        f"{colours(f'#{key}')}"
    )


def colours(selector: str) -> str:
    """The style sheet of the tokens in the elements that a selector takes."""
    return "".join(f"{selector} .{name}{{color:{colour}}}" for name, colour in dict(COLOURS.values()).items())


def shortened(text: str) -> str:
    """A text of at most `MOST_LINES` lines."""
    lines = text.rstrip().splitlines()
    if len(lines) <= MOST_LINES:
        return "\n".join(lines)
    return "\n".join([*lines[:MOST_LINES], f"// and {len(lines) - MOST_LINES:,} more lines"])


def highlighted(text: str) -> str:
    """IR as HTML, its tokens in colours."""
    parts: list[str] = []
    end = 0
    for found in TOKEN.finditer(text):
        written, kind = escaped(found[0]), TOKENS[int(str(found.lastgroup)[1:])][0]
        shown = f'<span class="{COLOURS[kind][0]}">{written}</span>' if kind in COLOURS else written
        parts += [escaped(text[end : found.start()]), shown]
        end = found.end()
    return "".join([*parts, escaped(text[end:])])
