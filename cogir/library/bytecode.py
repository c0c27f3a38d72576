"""
The bytecode of a Python function: its content, the names that it reads, and its loops.

`content` compares two code objects of one interpreter. `mentions` is for hints and refusals only: whether a function is likely to be
outside the subset, which the compiler then decides, and whether it may have side effects. The key of the object cache does not use it.
"""

from __future__ import annotations

import opcode
import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType
from typing import Any, TypeAlias, cast

Chain: TypeAlias = tuple[str, ...]
"""A name and the attributes read from it at once: `helpers.Config.GAIN`."""

_EXTENDED, _FOR, _GLOBAL, _NAME = (opcode.opmap[name] for name in ("EXTENDED_ARG", "FOR_ITER", "LOAD_GLOBAL", "LOAD_NAME"))
_CACHE = 0
_CELLS = {opcode.opmap[name] for name in ("LOAD_DEREF", "LOAD_CLASSDEREF") if name in opcode.opmap}
_ATTRIBUTES = {opcode.opmap[name] for name in ("LOAD_ATTR", "LOAD_METHOD") if name in opcode.opmap}
_BACKWARD = {number for name, number in opcode.opmap.items() if "JUMP_BACKWARD" in name}
_ATTRIBUTE_SHIFT = 1 if sys.version_info >= (3, 12) else 0
"""From 3.12 on, the lowest bit of LOAD_ATTR's argument says whether a method is meant."""


@dataclass(frozen=True)
class Mentions:
    """
    The names and constants that a code object and those inside it mention.

    `globals` and `cells` are chains that start at a global (or built-in) name or at a variable of a function around;
    `attributes` are all names that may be read from anything.
    """

    globals: tuple[Chain, ...]
    cells: tuple[Chain, ...]
    attributes: tuple[str, ...]
    has_while: bool
    content: bytes


@lru_cache(maxsize=4096)
def mentions(code: CodeType) -> Mentions:
    """The names and constants that a code object mentions, from a cache."""
    starts: dict[Chain, None] = {}
    cells: dict[Chain, None] = {}
    attributes = dict.fromkeys(code.co_names)
    has_while = False
    for found, chain in _chains(code):
        (starts if found == _GLOBAL else cells)[chain] = None
    has_while = _has_while(code.co_code)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            inner = mentions(constant)
            starts |= dict.fromkeys(inner.globals)
            cells |= dict.fromkeys(inner.cells)
            attributes |= dict.fromkeys(inner.attributes)
            has_while |= inner.has_while
    return Mentions(tuple(starts), tuple(cells), tuple(attributes), has_while, content(code))


def _chains(code: CodeType) -> Iterator[tuple[int, Chain]]:
    """The names that are loaded, each with what is read from it by the instructions that follow at once."""
    raw, names = code.co_code, code.co_names
    variables = (*code.co_varnames, *(name for name in code.co_cellvars if name not in code.co_varnames), *code.co_freevars)
    kind, chain = _GLOBAL, ()
    extended = 0
    for offset in range(0, len(raw), 2):
        operation = raw[offset]
        if operation == _CACHE:
            continue
        argument = raw[offset + 1] | extended
        if operation == _EXTENDED:
            extended = argument << 8
            continue
        extended = 0
        if chain:
            if operation in _ATTRIBUTES:
                chain = (*chain, names[argument >> _ATTRIBUTE_SHIFT])
                continue
            yield kind, chain
            chain = ()
        if operation == _GLOBAL:
            kind, chain = _GLOBAL, (names[argument >> 1],)
        elif operation == _NAME:
            kind, chain = _GLOBAL, (names[argument],)
        elif operation in _CELLS:
            kind, chain = operation, (variables[argument],)


def _has_while(raw: bytes) -> bool:
    """A backward jump whose target is not a `for` is a `while`."""
    extended = 0
    for offset in range(0, len(raw), 2):
        operation = raw[offset]
        if operation == _CACHE:
            continue
        argument = raw[offset + 1] | extended
        extended = argument << 8 if operation == _EXTENDED else 0
        if operation in _BACKWARD:
            target = offset + 2
            while raw[target : target + 1] == b"\0":
                target += 2
            target -= 2 * argument
            while raw[target] == _EXTENDED:
                target += 2
            if raw[target] != _FOR:
                return True
    return False


def content(code: CodeType) -> bytes:
    """The computation of a code object as one text: instructions, names and constants, without source locations."""
    shape = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
    names = (code.co_name, code.co_names, code.co_varnames, code.co_cellvars, code.co_freevars)
    return b"%r%r%r%b" % (shape, names, code.co_code, _constant(code.co_consts))


def _constant(value: Any) -> bytes:
    """A constant in the bytecode, so that 1, 1.0, True and -0.0 differ."""
    if isinstance(value, CodeType):
        return b"<%b>" % content(value)
    if isinstance(value, tuple):
        return b"(%b)" % b",".join(map(_constant, cast("tuple[Any, ...]", value)))
    if isinstance(value, frozenset):
        return b"{%b}" % b",".join(sorted(map(_constant, cast("frozenset[Any]", value))))
    if isinstance(value, float):
        return b"f" + struct.pack("<d", value).hex().encode()
    return repr(value).encode("utf-8", "backslashreplace")
