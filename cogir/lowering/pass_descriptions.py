"""
Descriptions of passes: a sentence, the options, the accepted IR and the resulting IR.

A pass describes itself in its source: the docstring of its class is the sentence, the docstring of its module the text with `Before:` and
`After:`, and the docstrings of its fields describe its options. `cog-opt --list-passes`, the editors and the reference read them from here.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
import sys
import textwrap
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from xdsl.passes import ModulePass
from xdsl.utils.hints import type_repr

SECTION = re.compile(r"(Before and after|Before|After):\s+")
"""The start of a paragraph on the accepted or on the resulting IR."""


@dataclass(frozen=True)
class PassOption:
    """An option of a pass, as `pass{option=value}` gives it."""

    name: str
    type: str
    default: str | None
    """The default as text; None if the option must be given."""
    description: str
    """The description, without a full stop at its end; empty if the source has none."""


@dataclass(frozen=True)
class PassDescription:
    """The description of a pass."""

    name: str
    class_name: str
    summary: str
    """One sentence; empty if the source has none."""
    options: tuple[PassOption, ...]
    before: str
    """The accepted IR; empty if the source does not say."""
    after: str
    """The resulting IR; empty if the source does not say, or shows it as code."""
    text: str
    """The whole description, in Markdown."""
    module: str
    """The dotted name of the module that defines the pass."""


@cache
def describe_pass(pass_type: type[ModulePass]) -> PassDescription:
    """The description of a pass, from its source."""
    is_own = pass_type.__module__.startswith("cogir.")
    class_text = docstring(pass_type)
    text = inspect.cleandoc(sys.modules[pass_type.__module__].__doc__ or "") if is_own else class_text
    sections = sections_of(text)
    return PassDescription(
        pass_type.name,
        pass_type.__name__,
        first_sentence(class_text),
        options_of(pass_type),
        sections.get("Before", ""),
        sections.get("After", ""),
        text,
        pass_type.__module__,
    )


def docstring(described: type) -> str:
    """The docstring of a class; empty if there is none but the one that `dataclass` makes up."""
    text = inspect.cleandoc(vars(described).get("__doc__") or "")
    return "" if text.startswith(f"{described.__name__}(") else text


def first_sentence(text: str) -> str:
    """The first sentence of a text, on one line."""
    paragraph = " ".join(text.partition("\n\n")[0].split())
    end = re.search(r"(?<!i\.e)(?<!e\.g)\.(?=\s+[A-Z`]|$)", paragraph)
    return paragraph[: end.end()] if end else paragraph


def sections_of(text: str) -> dict[str, str]:
    """The paragraphs of a text that begin with `Before:` and `After:`, each on one line."""
    found: dict[str, str] = {}
    paragraphs = re.split(r"\n\n|\n(?=After:)", text)
    for paragraph in paragraphs:
        if (start := SECTION.match(f"{paragraph}\n")) is not None:
            for section in start[1].split(" and "):
                found[section.capitalize()] = " ".join(paragraph[start.end() :].split())
    return found


def options_of(pass_type: type[ModulePass]) -> tuple[PassOption, ...]:
    """The options of a pass."""
    described = descriptions_of_fields(pass_type)
    return tuple(
        PassOption(field.name.replace("_", "-"), type_of(field), default_of(field), described.get(field.name, ""))
        for field in dataclasses.fields(pass_type)
    )


def type_of(field: dataclasses.Field[object]) -> str:
    """The type of an option, as Python writes it."""
    written = field.type if isinstance(field.type, str) else type_repr(field.type)
    return written.replace("typing.", "")


def default_of(field: dataclasses.Field[object]) -> str | None:
    """The default of an option as a user would write it; None if it must be given."""
    value = field.default if field.default_factory is dataclasses.MISSING else field.default_factory()
    match value:
        case dataclasses.MISSING:
            return None
        case bool() | None:
            return str(value).lower()
        case tuple():
            return ",".join(map(str, value)) or "empty"  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        case _:
            return str(value)


def descriptions_of_fields(pass_type: type[ModulePass]) -> dict[str, str]:
    """The docstrings of the fields of a class: strings below annotated names."""
    try:
        (body,) = ast.parse(textwrap.dedent(inspect.getsource(pass_type))).body
    except (OSError, TypeError, SyntaxError, ValueError):  # the source is not installed
        return {}
    found: dict[str, str] = {}
    statements = body.body if isinstance(body, ast.ClassDef) else []
    for field, text in pairwise(statements):
        match field, text:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(written))):
                found[name] = " ".join(written.split()).removesuffix(".")
            case _:
                pass
    return found
