"""
Importing the compiler without what it may never need: a third of its time, and of the first run of a small model a seventh.

- xDSL parses the `assembly_format` of each operation when its class is made. Only text that is read or written needs it, and a model
  that goes down to machine code is neither.
- `dataclasses` writes six methods for a frozen class, and has Python compile each of them. Most of those that compare, print or guard
  are never called, and most of the classes are never made an object of.

Within `preparations_deferred()` both wait until they are needed. What classes mean is the same.

Both stand in the place of a function that is not public: xDSL's, of the version that `pyproject.toml` asks for, and Python's. Where there
is none of that name, nothing is deferred. They stand there for one thread at a time, and the others' classes are made as ever.
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from xdsl.irdl import OpDef

_one_at_a_time = threading.RLock()
"""Held by the thread whose imports are deferred: else one would put back what another one has put there."""


@contextmanager
def preparations_deferred() -> Generator[None]:
    """Within the block, which imports the compiler, no assembly format is read, and few methods of dataclasses are compiled."""
    with methods_written_when_called(constructors=True), formats_read_when_needed():
        yield


@contextmanager
def in_place_of(module: ModuleType, name: str, another: Callable[[Any], Callable[..., Any]]) -> Generator[None]:
    """While this thread is in the block, its calls of a module's function, if there is one of the name, go to another, made from it."""
    thread = threading.get_ident()
    with _one_at_a_time:
        before: Callable[..., Any] | None = getattr(module, name, None)
        if before is None:
            yield
            return
        function, other = before, another(before)

        def call(*given: Any, **more: Any) -> Any:
            return (other if threading.get_ident() == thread else function)(*given, **more)

        setattr(module, name, call)
        try:
            yield
        finally:
            setattr(module, name, before)


ADDER = "get_accessors_from_op_def"
"""What adds the methods of its definition to the class of an operation, in `xdsl.irdl.operations`."""


@contextmanager
def formats_read_when_needed() -> Generator[None]:
    """Operations that this thread defines in the block read their formats when the first of its kind is printed or parsed."""
    from xdsl.irdl import operations

    with in_place_of(operations, ADDER, without_format):
        yield


def without_format(accessors: Callable[[OpDef, Any], dict[str, Any]]) -> Callable[[OpDef, Any], dict[str, Any]]:
    """The function of xDSL that reads formats, so that they are read later."""

    def later(definition: OpDef, verify: Any) -> dict[str, Any]:
        """What xDSL adds to the class of an operation, with a format that is read later."""
        text, definition.assembly_format = definition.assembly_format, None
        try:
            found = accessors(definition, verify)
        finally:
            definition.assembly_format = text
        return found if text is None else found | by_format(definition, text)

    return later


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
CONSTRUCTOR = "__init__"


@contextmanager
def methods_written_when_called(*, constructors: bool = False) -> Generator[None]:
    """
    Dataclasses that this thread defines in the block have their methods compiled when these are first called.

    `constructors`: `__init__`, too. It does not show its parameters until then, so this is for classes that no user meets.
    """
    with in_place_of(dataclasses, WRITER, deferring_all if constructors else deferring):
        yield


def deferring_all(write: Callable[..., Callable[..., Any]]) -> Callable[..., Callable[..., Any]]:
    """The function of `dataclasses` that compiles a method, so that all are compiled later."""

    def defer(name: str, *source: Any, **more: Any) -> Callable[..., Any]:
        """A method that will take its own place when it is called."""
        return stand_in(name, lambda: write(name, *source, **more))

    return defer


def deferring(write: Callable[..., Callable[..., Any]]) -> Callable[..., Callable[..., Any]]:
    """The same, but for constructors, which are compiled at once."""
    later = deferring_all(write)

    def defer(name: str, *source: Any, **more: Any) -> Callable[..., Any]:
        return write(name, *source, **more) if name == CONSTRUCTOR else later(name, *source, **more)

    return defer


def stand_in(name: str, write: Callable[[], Callable[..., Any]]) -> Callable[..., Any]:
    """A method that, when first called, puts the one that `write` makes in its place in the class."""

    found: list[Callable[..., Any]] = []

    def written() -> Callable[..., Any]:
        if not found:
            made = write()
            made.__qualname__ = method.__qualname__  # which `dataclasses` has given to the one that stands in
            found.append(made)
        return found[0]

    def method(self: Any, *arguments: Any, **named: Any) -> Any:
        for kind in type(self).__mro__:
            if vars(kind).get(name) is method:
                setattr(kind, name, written())
        return written()(self, *arguments, **named)

    method.__name__ = name
    return method
