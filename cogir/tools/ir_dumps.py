"""
The IR before and after passes, as `--print-ir-before` and `--print-ir-after` print it.

Each dump begins with a comment like that of mlir-opt, and is a whole module. `cog-opt --split-input-file` reads them again, one by one:

    // -----// IR Dump After CompleteSchedule (complete-schedule) //----- //
    builtin.module {
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import IO

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass


@dataclass
class IrDumps:
    """Prints the IR around passes."""

    before: Collection[str] | None
    """The names of the passes before which the IR is printed; None for all."""
    after: Collection[str] | None
    """The names of those after which it is."""
    only_changes: bool
    """True if the IR after a pass is printed only if the pass has changed it."""
    text_of: Callable[[ModuleOp], str]
    stream: Callable[[], IO[str]]
    _text: str = ""

    def enter(self, each: ModulePass, module: ModuleOp) -> None:
        """Called before a pass."""
        if is_chosen(each.name, self.before):
            self.write("Before", each, self.text_of(module))
        if self.only_changes and is_chosen(each.name, self.after):
            self._text = self.text_of(module)

    def leave(self, each: ModulePass, module: ModuleOp) -> None:
        """Called after a pass."""
        if is_chosen(each.name, self.after):
            text = self.text_of(module)
            if not self.only_changes or text != self._text:
                self.write("After", each, text)

    def write(self, when: str, each: ModulePass, text: str) -> None:
        """Writes one dump."""
        head = f"// -----// IR Dump {when} {type(each).__name__} ({each.name}) //----- //"
        print(f"{head}\n{text.rstrip()}\n", file=self.stream(), flush=True)


def is_chosen(name: str, chosen: Collection[str] | None) -> bool:
    """True if a pass is among those that are chosen."""
    return chosen is None or name in chosen
