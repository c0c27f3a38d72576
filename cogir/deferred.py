"""
Importing the compiler without what it may never need: a third of its time, and of the first run of a small model a seventh.

- xDSL parses the `assembly_format` of each operation when its class is made. Only text that is read or written needs it, and a model
  that goes down to machine code is neither.
- `dataclasses` writes six methods for a frozen class, and has Python compile each of them. Most of those that compare, print or guard
  are never called.

Within `preparations_deferred()` both wait until they are needed. What classes mean is the same.
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from xdsl.irdl import OpDef


@contextmanager
def preparations_deferred() -> Generator[None]:
    """Within the block, which imports the compiler, no assembly format is read, and few methods of dataclasses are compiled."""
    with methods_written_when_called(), formats_read_when_needed():
        yield


@contextmanager
def formats_read_when_needed() -> Generator[None]:
    """Operations that are defined in the block read their formats when the first of its kind is printed or parsed."""
    from xdsl.irdl import operations

    accessors: Callable[[OpDef, Any], dict[str, Any]] = operations.get_accessors_from_op_def

    def without_format(definition: OpDef, verify: Any) -> dict[str, Any]:
        """What xDSL adds to the class of an operation, with a format that is read later."""
        text, definition.assembly_format = definition.assembly_format, None
        try:
            found = accessors(definition, verify)
        finally:
            definition.assembly_format = text
        return found if text is None else found | by_format(definition, text)

    operations.get_accessors_from_op_def = without_format
    try:
        yield
    finally:
        operations.get_accessors_from_op_def = accessors


def by_format(definition: OpDef, text: str) -> dict[str, Any]:
    """The methods `parse` and `print` of an operation, which read its format when first called."""

    @cache
    def program() -> Any:
        from xdsl.irdl.declarative_assembly_format import FormatProgram

        return FormatProgram.from_str(text, definition)

    def parse(cls: Any, parser: Any) -> Any:
        return program().parse(parser, cls)

    def print(self: Any, printer: Any) -> None:
        program().print(printer, self)

    return {"parse": classmethod(parse), "print": print}


WRITER = "_create_fn"
"""What makes a method from its source in the `dataclasses` of Python 3.11 and 3.12; later ones compile all methods of a class at once."""
CALLED_OFTEN = "__init__"


@contextmanager
def methods_written_when_called() -> Generator[None]:
    """Dataclasses that this thread defines in the block have their methods, but for `__init__`, compiled when these are first called."""
    write: Callable[..., Callable[..., Any]] | None = getattr(dataclasses, WRITER, None)
    if write is None:
        yield
        return
    thread = threading.get_ident()

    def defer(name: str, *source: Any, **more: Any) -> Callable[..., Any]:
        """The method of that name, or one that will take its own place when it is called."""
        if name == CALLED_OFTEN or threading.get_ident() != thread:
            return write(name, *source, **more)
        return stand_in(name, lambda: write(name, *source, **more))

    setattr(dataclasses, WRITER, defer)
    try:
        yield
    finally:
        setattr(dataclasses, WRITER, write)


def stand_in(name: str, write: Callable[[], Callable[..., Any]]) -> Callable[..., Any]:
    """A method that, when first called, puts the one that `write` makes in its place in the class."""

    @cache
    def written() -> Callable[..., Any]:
        made = write()
        made.__qualname__ = method.__qualname__  # which `dataclasses` has given to the one that stands in
        return made

    def method(self: Any, *arguments: Any) -> Any:
        for kind in type(self).__mro__:
            if vars(kind).get(name) is method:
                setattr(kind, name, written())
        return written()(self, *arguments)

    method.__name__ = name
    return method
