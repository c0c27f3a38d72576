"""
A model that is there as `cog` text or as a module, not as records of the builder.
"""

from __future__ import annotations

import hashlib
from pathlib import PurePath
from typing import TYPE_CHECKING, cast

from cogir.callers import methods_end_at_caller
from cogir.errors import ModelError, shown
from cogir.frontend.compilable import Compilable, enough_memory
from cogir.runtime.options import Source

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from cogir.runtime.compiled import Compiled


@methods_end_at_caller
class ParsedModel(Compilable):
    """A model from text or from a module; it can be run and printed like one from the builder, but not added to."""

    def __init__(self, module: ModuleOp | str, file: str = "<model>"):
        from xdsl.dialects.builtin import ModuleOp

        from cogir.frontend.text import check, check_uses, parse_model
        from cogir.model.graph import main_model

        if isinstance(module, str):
            if _is_path(module):
                raise ModelError(f"{module}: found a path instead of the text of a model; give pathlib.Path({module!r}).read_text()")
            with enough_memory("model"):
                module = parse_model(module, file)
        elif isinstance(cast(object, module), ModuleOp):
            check(module, file)
            check_uses(module, file)
        else:
            remedy = (
                "its text: path.read_text()" if isinstance(module, PurePath) else "a cogir.Model, a module with a cog.model, or its text"
            )
            raise ModelError(f"compile: found {shown(module)}; give {remedy}")
        self._module = module
        self._name = main_model(module, None).sym_name.data

    @property
    def name(self) -> str:
        """The name of the model."""
        return self._name

    def source(self, *, learning: bool = False) -> Source:
        """The model for the runtime, which looks itself for how it learns."""
        from cogir.frontend.port_notes import notes_of, without_notes

        def fingerprint() -> str:
            return hashlib.sha256(str(without_notes(self._module)).encode()).hexdigest()

        return Source(self.name, self.defined, fingerprint, notes=lambda: notes_of(self._module))

    def ir(self) -> ModuleOp:
        """The model as a new `cog` module, which prints as its text."""
        from cogir.frontend.printed import printed

        return printed(self._module.clone())

    def defined(self) -> ModuleOp:
        """The model as a new `cog` module: each operation has a result whatever its operands are, each long loop can be stopped."""
        from xdsl.context import Context

        from cogir.transforms.convert_long_for_to_while import ConvertLongForToWhile
        from cogir.transforms.remove_undefined_behaviour import RemoveUndefinedBehaviour

        module = self._module.clone()
        RemoveUndefinedBehaviour().apply(Context(), module)
        ConvertLongForToWhile().apply(Context(), module)
        return module

    def add_remarks(self, compiled: Compiled) -> None:
        """Names the targets of learning that send nothing to others and ports with projections, whose inputs a run need not be given."""
        from cogir.dialects import cog
        from cogir.model.graph import main_model, resolve

        graph = resolve(main_model(self._module, None))
        compiled.inputs.projected = frozenset(f"{held.target.node}/{held.target.name}" for held in graph.projections)
        ops = list(graph.model.walk())
        targets = frozenset(op.target.string_value() for op in ops if isinstance(op, cog.LossOp))
        compiled.inputs.targets = targets - {op.source.string_value() for op in ops if isinstance(op, cog.ProjectOp | cog.ModulateOp)}

    def text(self) -> str:
        """The model as text."""
        return str(self._module)

    def __repr__(self) -> str:
        return f'<model "{self.name}" from text>'


def _is_path(text: str) -> bool:
    """True if a text looks like the path of a file rather than like a model."""
    return "\n" not in text and "{" not in text and text.strip().endswith((".mlir", ".py", ".txt"))
