"""
Modules that print as their text, also where Python shows a value: at the prompt, and in notebooks.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp


class PrintedModule(ModuleOp):
    """A `builtin.module` whose `repr` is its text, also in formatted strings, for which operations have a text of their own."""

    def __repr__(self) -> str:
        return str(self)

    def __format__(self, spec: str, /) -> str:
        return format(str(self), spec)


def printed(module: ModuleOp) -> PrintedModule:
    """The operations and attributes of `module`, which is left empty, in a module that prints as text."""
    made = PrintedModule.create(attributes=module.attributes, properties=module.properties, regions=[module.detach_region(0)])
    made.location = module.location
    return made
