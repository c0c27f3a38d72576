"""
xDSL's operations, defined without reading their assembly formats.

xDSL parses the `assembly_format` of each operation when its class is made: a fifth of what importing the compiler costs. Only text that
is read or written needs it, and a model that goes down to machine code is neither. So the formats of the classes that are made within
`read_when_needed()` are parsed when the first operation of that kind is printed or parsed.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from xdsl.irdl import OpDef


@contextmanager
def read_when_needed() -> Generator[None]:
    """Within the block, which imports modules with operations, no assembly format is read."""
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
