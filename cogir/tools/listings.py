"""
Lists for the command line: the passes with a sentence and their options, one pass in full, and the dialects.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable
from types import ModuleType

from xdsl.context import Context
from xdsl.passes import ModulePass

from cogir.lowering.pass_descriptions import PassDescription, PassOption, describe_pass, first_sentence

WIDTH = 100
"""The width of the lists in columns."""
COLUMN = 34
"""The column at which descriptions begin."""
FENCED = re.compile(r"^ *```[^\n]*\n(?P<code>.*?)^ *```\n?", re.DOTALL | re.MULTILINE)
"""A fenced block of Markdown."""
UNDESCRIBED = "(xDSL has no description of it)"


def list_of_passes(title: str, passes: Iterable[type[ModulePass]]) -> str:
    """Passes under a title, each with a sentence and its options."""
    return "\n".join([f"{title}:", *(line for pass_type in passes for line in lines_of_pass(describe_pass(pass_type)))])


def lines_of_pass(described: PassDescription) -> list[str]:
    """A pass with a sentence, and a line or more for each of its options."""
    lines = row(f"  {described.name}", described.summary or UNDESCRIBED)
    for option in described.options:
        lines += row(f"    {option.name}=<{option.type}>", option_text(option))
    return lines


def option_text(option: PassOption) -> str:
    """The description of an option, with its default."""
    default = "required" if option.default is None else f"default: {option.default}"
    return f"{option.description} ({default})".strip()


def row(name: str, text: str) -> list[str]:
    """A name, and the text about it at a column of its own, in lines that fit a terminal."""
    lines = textwrap.wrap(text, WIDTH - COLUMN, break_long_words=False) or [""]
    first = [name, ""] if len(name) >= COLUMN else [name]
    return [
        *first[:-1],
        first[-1].ljust(COLUMN) + lines[0],
        *(" " * COLUMN + line for line in lines[1:]),
    ]


def pass_in_full(pass_type: type[ModulePass]) -> str:
    """A pass with its sentence, its options, and all that its source says about it."""
    described = describe_pass(pass_type)
    parts = ["\n".join(lines_of_pass(described)).strip()]
    if described.text:
        parts.append(textwrap.indent(indented_code(described.text), "  "))
    return "\n\n".join(parts) + "\n"


def indented_code(text: str) -> str:
    """Markdown whose fenced blocks of code are indented instead, as a terminal shows them."""
    return FENCED.sub(lambda found: textwrap.indent(textwrap.dedent(found["code"]), "    "), text)


def list_of_dialects(context: Context, own: Iterable[ModuleType]) -> str:
    """The dialects that a context knows: those of the modules of cogir with a sentence and the number of their operations."""
    sentences = {module.__name__.rpartition(".")[2].partition("_")[0]: first_sentence((module.__doc__ or "").strip()) for module in own}
    lines = ["Available Dialects:"]
    for name, sentence in sentences.items():
        number = sum(1 for op in context.loaded_ops if op.dialect_name() == name)
        lines += row(f"  {name}", f"{sentence} ({number} operations)")
    others = ", ".join(name for name in sorted(context.registered_dialect_names) if name not in sentences)
    return "\n".join([*lines, "of xDSL:", *textwrap.wrap(others, WIDTH, initial_indent="  ", subsequent_indent="  ")])
