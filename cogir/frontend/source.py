"""
The model of the builder as a source for the runtime: its module, its fingerprint, and its numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cogir.errors import FunctionError
from cogir.frontend.builder.parameters import numbers_of
from cogir.frontend.builder.records import InstanceRecord, ModelRecord
from cogir.frontend.identity.fingerprint import fingerprint
from cogir.runtime.options import Source
from cogir.runtime.origin import PortNotes, port_notes
from cogir.runtime.plan import Numbers
from cogir.runtime.python_functions import PythonFunction, no_machine_code

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp


def source_of_record(model: ModelRecord, *, learning: bool = False) -> Source:
    """The source of a model: how to build its module, and its fingerprint; `learning`: for a module that learns."""

    def hash_of(numbers: bool) -> str | None:
        return fingerprint(model, numbers=numbers, learning=learning)

    def numbers() -> Numbers:
        return numbers_of(model, learning=learning)

    python: dict[str, PythonFunction] = {}

    def build() -> ModuleOp:
        """The module, checked: what the builder lets pass must not become machine code that reads where nothing is."""
        from cogir.frontend.emit.module import emitted
        from cogir.frontend.text import check

        module, found = emitted(model)
        python.update(found)
        check(module, f'model "{model.name}"')
        return module

    def notes() -> PortNotes:
        return port_notes(model.port_notes())

    return Source(model.name, build, lambda: hash_of(True), lambda: hash_of(False), numbers, python, lambda: not_compiled(model), notes)


def not_compiled(model: ModelRecord) -> FunctionError | None:
    """Why a model has no machine code, if a node of it, or of a model inside, is known to call Python."""
    for node in model.nodes.values():
        if isinstance(node, InstanceRecord):
            found = not_compiled(node.model)
        else:
            body, what = node.body, f'{node.place}: node "{node.name}"'
            found = None if body is None or body.python is None else no_machine_code(what, body.python)
        if found is not None:
            return found
    return None
