"""
The names that the source of a function mentions: the names from outside it, the attributes, and the loops.

The source is the one that the compiler compiles (`cogir.pyfunc.source`), which refuses a file that has changed since it was imported.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import TypeAlias
from weakref import WeakKeyDictionary

from cogir.errors import FunctionError
from cogir.pyfunc.source import FunctionNode, SourceFile, function_source, source_file

Chain: TypeAlias = tuple[str, ...]
"""A name and the attributes read from it at once: `helpers.Config.GAIN`."""


@dataclass(frozen=True)
class SourceMentions:
    """The names in a function and in those inside it; `text` is its syntax tree as a text, without places."""

    chains: tuple[Chain, ...]
    """The names that are read, with the attributes that are read from them at once."""
    attributes: tuple[str, ...]
    has_while: bool
    text: str


def mentions_of(function: FunctionType) -> SourceMentions | None:
    """The names that a function mentions; None if there is no source that is certain to be its own."""
    code = function.__code__
    file = source_file(code.co_filename, function.__globals__)
    known = _known.get(code)
    if known is not None and known[0] is file:
        return known[1]
    try:
        found = _mentions_in(function_source(function)[1])
    except FunctionError:
        found = None
    _known[code] = file, found
    return found


_known: WeakKeyDictionary[CodeType, tuple[SourceFile | None, SourceMentions | None]] = WeakKeyDictionary()
"""The names in each function, and the state of the file in which they were found."""


def _mentions_in(tree: FunctionNode) -> SourceMentions:
    chains: dict[Chain, None] = {}
    attributes: dict[str, None] = {}
    has_while = False
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        has_while |= isinstance(node, ast.While)
        if (chain := _chain(node)) is not None:
            chains[chain] = None
            attributes |= dict.fromkeys(chain[1:])
            continue
        if isinstance(node, ast.Attribute):
            attributes[node.attr] = None
        waiting += ast.iter_child_nodes(node)
    return SourceMentions(tuple(chains), tuple(attributes), has_while, ast.dump(tree))


def _chain(node: ast.AST) -> Chain | None:
    """The chain of names that a node is, if it is one."""
    if isinstance(node, ast.Name):
        return (node.id,)
    if isinstance(node, ast.Attribute) and (inner := _chain(node.value)) is not None:
        return (*inner, node.attr)
    return None


def global_names(code: CodeType) -> Iterator[str]:
    """The names that a code object, and those inside it, may look up in the module or in Python itself."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from global_names(constant)
