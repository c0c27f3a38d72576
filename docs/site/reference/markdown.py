"""
Docstrings as Markdown.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from pathlib import Path
from typing import Any

FIELD = re.compile(r"^:(raises|returns|param)\s*([\w.]*):\s*", re.M)
ARGUMENT = re.compile(r"`[\w.*]+`(?:, `[\w.*]+`)*: ")
CODE = re.compile(r"(?:^|(?<=\n\n))((?: {4}[^\n]*\n?|\n(?= {4}))+)")


def docstring(thing: Any) -> str:
    """The docstring of something as Markdown; empty if it has none of its own."""
    return markdown(inspect.getdoc(thing) or "")


def markdown(text: str) -> str:
    """Markdown of a docstring: indented blocks become blocks of code; arguments with a line each, and fields, become lists."""
    text = _listed(CODE.sub(_fenced, f"{text.strip()}\n"))
    text = FIELD.sub(
        lambda found: f"- **{found[1].capitalize()}** `{found[2]}`: " if found[2] else f"- **{found[1].capitalize()}**: ", text
    )
    return re.sub(r"\n+(- \*\*(?:Raises|Returns|Param))", r"\n\n\1", text).strip()


def _listed(text: str) -> str:
    """Lines that begin with the name of an argument, and the lines that go on with it, as items of a list."""
    lines: list[str] = []
    inside = False
    for line in text.splitlines():
        begins = ARGUMENT.match(line) is not None
        if begins and not inside and lines and lines[-1]:
            lines.append("")
        inside = begins or (inside and bool(line) and not FIELD.match(line))
        lines.append(f"- {line}" if begins else f"  {line}" if inside else line)
    return "\n".join(lines) + "\n"


def _fenced(found: re.Match[str]) -> str:
    code = textwrap.dedent(found[1]).rstrip()
    return f"```{language(code)}\n{code}\n```\n"


def language(code: str) -> str:
    """The language of an indented block: Python if it can be parsed as such."""
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return "text"
    return "python" if any(not isinstance(each, ast.Expr) or isinstance(each.value, ast.Call) for each in tree.body) else "text"


def first_paragraph(thing: Any) -> str:
    """The first paragraph of a docstring, on one line."""
    return " ".join((inspect.getdoc(thing) or "").split("\n\n")[0].split())


def cell(text: str) -> str:
    """A text for a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")


def table(heads: list[str], rows: list[list[str]]) -> str:
    """A table; empty if it has no rows."""
    if not rows:
        return ""
    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    return "\n".join([*lines, *(f"| {' | '.join(cell(each) for each in row)} |" for row in rows)]) + "\n"


def signature_text(function: Any, *, leave: tuple[str, ...] = ("self", "cls")) -> str:
    """The signature of a function, without `self`, with short annotations."""
    try:
        found = inspect.signature(function)
    except (TypeError, ValueError):
        return "(...)"
    kept = [each.replace(annotation=_short(each.annotation)) for each in found.parameters.values() if each.name not in leave]
    return str(found.replace(parameters=kept, return_annotation=_short(found.return_annotation)))


def call_text(path: str, signature: str) -> str:
    """A call as a block of code, with a line for each argument if it is long."""
    text = f"{path}{signature}"
    if len(text) > 100:
        arguments, result = _arguments(signature)
        text = "\n".join([f"{path}(", *(f"    {each}," for each in arguments), f"){result}"])
    return f"```python\n{text}\n```"


def _arguments(signature: str) -> tuple[list[str], str]:
    """The arguments of a signature, and what follows them."""
    found: list[str] = []
    depth, start = 0, 1
    quoted = False
    for place, letter in enumerate(signature):
        quoted ^= letter == "'"
        if quoted:
            continue
        depth += (letter in "([{") - (letter in ")]}")
        if (letter == "," and depth == 1) or depth == 0:
            found.append(signature[start:place].strip())
            start = place + 1
        if depth == 0:
            break
    return [each for each in found if each], signature[start:]


class Shown(str):
    """A text that a signature shows without quotes."""

    def __repr__(self) -> str:
        return str(self)


def _short(annotation: Any) -> Any:
    if annotation is inspect.Parameter.empty or annotation is inspect.Signature.empty:
        return annotation
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return Shown(re.sub(r"\b(?:cogir|typing|collections|numpy|pathlib|os)(?:\.[a-z_]\w*)*\.(?=[A-Z])", "", text))


def write_if_changed(path: Path, text: str) -> None:
    """Writes a file unless it holds this text already: Sphinx reads again what is newer."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
