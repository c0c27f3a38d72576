"""
The options of the commands, from their parsers.
"""

from __future__ import annotations

import argparse
import importlib
import tomllib
from pathlib import Path

from reference.markdown import table, write_if_changed

ROOT = Path(__file__).resolve().parents[3]


class Found(Exception):
    """The parser of a command, at the moment in which it would read the command line."""

    def __init__(self, parser: argparse.ArgumentParser):
        super().__init__()
        self.parser = parser


def commands() -> dict[str, str]:
    """The commands that installing cogir gives, each with its function."""
    return dict(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"])


def parser_of(command: str) -> argparse.ArgumentParser:
    """The parser of a command: what it builds is caught before it parses."""
    module, _, name = commands()[command].partition(":")
    main = getattr(importlib.import_module(module), name)
    kept = argparse.ArgumentParser.parse_args, argparse.ArgumentParser.parse_known_args

    def caught(parser: argparse.ArgumentParser, *_: object, **__: object) -> None:
        raise Found(parser)

    argparse.ArgumentParser.parse_args = argparse.ArgumentParser.parse_known_args = caught  # type: ignore[method-assign,assignment]
    try:
        main([])
    except Found as found:
        return found.parser
    finally:
        argparse.ArgumentParser.parse_args, argparse.ArgumentParser.parse_known_args = kept  # type: ignore[method-assign]
    raise LookupError(f"docs/site: {command} does not read its arguments with argparse")


def actions(parser: argparse.ArgumentParser) -> list[tuple[str, argparse.Action]]:
    """The arguments and options of a parser that are not hidden, with the titles of their groups."""
    return [
        (group.title or "", action)
        for group in parser._action_groups
        for action in group._group_actions
        if action.help != argparse.SUPPRESS
    ]


def called(action: argparse.Action) -> str:
    """An option as it is written on the command line."""
    value = action.metavar or (action.dest.upper() if action.nargs != 0 else "")
    if isinstance(value, tuple):
        value = " ".join(value)
    if not action.option_strings:
        return f"`{action.metavar or action.dest}`"
    wants = action.nargs != 0
    return ", ".join(f"`{name}{' ' + str(value) if wants else ''}`".replace(" [=", "[=") for name in action.option_strings)


def meaning(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    """The help of an option, and what it may be."""
    text = parser._get_formatter()._expand_help(action) if action.help else ""
    if action.choices:
        text += f" (one of {', '.join(f'`{each}`' for each in action.choices)})"
    return text


def page(command: str) -> str:
    """The page of a command."""
    parser = parser_of(command)
    description, _, examples = (parser.description or "").partition("\nexamples:\n")
    parts = [f"# {command}\n\n{' '.join(description.split())}\n"]
    if examples:
        lines = "\n".join(line.removeprefix("  ") for line in examples.rstrip().splitlines())
        parts.append(f"```sh\n{lines}\n```\n")
    found = actions(parser)
    for title in dict.fromkeys(title for title, _ in found):
        rows = [[called(action), meaning(parser, action)] for own, action in found if own == title]
        parts.append(f"## {title[:1].upper()}{title[1:]}\n\n{table(['option', 'meaning'], rows)}")
    return "\n".join(parts)


def write(folder: Path) -> list[tuple[str, str]]:
    """Writes a page for each command."""
    for command in commands():
        write_if_changed(folder / "tools" / f"{command}.md", page(command))
    return [(f"tools/{command}", command) for command in commands()]
