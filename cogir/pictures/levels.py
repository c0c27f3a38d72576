"""
Texts of IR in tabs, for notebooks and pages: without scripts, so that they work wherever HTML is shown.

Where style sheets are not allowed, the texts stand one below the other, each under its name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256

from cogir.pictures.text import escaped

MOST_LINES = 600
"""Longer texts are cut, and say so."""
TOKENS: tuple[tuple[str, str, str], ...] = (
    ("c", "#6a737d", r"(?://|;)[^\n]*"),
    ("s", "#0a7d3c", r'"(?:[^"\\\n]|\\.)*"'),
    ("y", "#8250df", r"@[\w.$-]+"),
    ("v", "#0b69b7", r"%[\w.$-]+"),
    ("t", "#b05a00", r"![\w.]+|\b(?:tensor|memref|vector)<[^<>\n]*>|\b(?:i\d+|f\d+|index|double|ptr|none)\b"),
    ("o", "#cf222e", r"\b(?:builtin|cog|rng|func|scf|cf|arith|math|linalg|tensor|memref|vector|affine|llvm|ub)\.[\w.]+"),
)
"""What is coloured: a class, a colour that can be read on light and on dark pages, and a pattern."""
TOKEN = re.compile("|".join(f"(?P<{name}>{pattern})" for name, _, pattern in TOKENS))


def levels_html(title: str, texts: Mapping[str, str]) -> str:
    """The texts by name, in tabs."""
    key = "cogir" + sha256("\0".join((title, *texts, *texts.values())).encode()).hexdigest()[:10]
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
    colours = "".join(f"#{key} .{name}{{color:{colour}}}" for name, colour, _ in TOKENS)
    return (
        f"#{key} > input{{position:absolute;opacity:0}}"
        f"#{key} > label{{display:inline-block;padding:.25em .7em;cursor:pointer;border-bottom:3px solid transparent;font-weight:600}}"
        f"#{key} > input:checked + label{{border-bottom-color:#0b69b7}}"
        f"#{key} > input:focus-visible + label{{outline:2px solid #0b69b7}}"
        f"#{key} > .level{{display:none}}"
        f"{chosen}{{display:block}}"
        f"#{key} pre{{max-height:32em;overflow:auto;font-size:.8em;line-height:1.35;margin:.3em 0;padding:.6em;white-space:pre}}"
        f"{colours}"
    )


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
        parts += [escaped(text[end : found.start()]), f'<span class="{found.lastgroup}">{escaped(found[0])}</span>']
        end = found.end()
    return "".join([*parts, escaped(text[end:])])
