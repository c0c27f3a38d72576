"""
Modules as text that begins with the program: the layout of buffers, which is an attribute of a lowered module, stands at its end.

    "builtin.module"() ({
      func.func @trial(...)
      ...
    }) {
      cog.layout = {...},
      cog.defaults = {...}
    } : () -> ()
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from io import StringIO
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import DictionaryAttr, ModuleOp
from xdsl.ir import Attribute, Operation
from xdsl.printer import Printer
from xdsl.targets.mlir import MLIRTarget

LAYOUT = "cog.layout"
LONG = 100
"""A dictionary with more characters has a line for each of its entries."""


class ModulePrinter(Printer):
    """xDSL's printer, which writes the layout of a module behind its operations, over several lines."""

    def print_op(self, op: Operation) -> None:
        has_layout = isinstance(op, ModuleOp) and LAYOUT in op.attributes and not op.properties
        if not has_layout or self.print_generic_format or self.print_debuginfo:
            super().print_op(op)
            return
        self.print_string('"builtin.module"() (')
        self.enter_scope()
        self.print_region(op.regions[0])
        self.exit_scope()
        self.print_string(") ")
        self._print_entries(op.attributes)
        self.print_string(" : () -> ()")

    def _print_entries(self, entries: Mapping[str, Attribute]) -> None:
        """A dictionary with a line for each of its entries."""
        with self.in_braces():
            with self.indented():
                for place, (name, value) in enumerate(entries.items()):
                    self.print_string("," if place else "")
                    self._print_new_line()
                    self.print_identifier_or_string_literal(name)
                    self.print_string(" = ")
                    if isinstance(value, DictionaryAttr) and len(str(value)) > LONG:
                        self._print_entries(value.data)
                    else:
                        self.print_attribute(value)
            self._print_new_line()


@dataclass(frozen=True)
class ModuleTarget(MLIRTarget):
    """The text of a module, as `ModulePrinter` writes it."""

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        if self.syntax_highlight:
            super().emit(ctx, module, output)
            return
        printer = ModulePrinter(
            stream=output,
            print_generic_format=self.print_generic_format,
            print_properties_as_attributes=self.print_properties_as_attributes,
            print_debuginfo=self.print_debuginfo,
        )
        printer.print_op(module)
        printer.print_metadata(ctx.loaded_dialects)
        print("\n", file=output)


def module_text(module: ModuleOp) -> str:
    """The text of a module."""
    output = StringIO()
    ModulePrinter(stream=output).print_op(module)
    return output.getvalue()
