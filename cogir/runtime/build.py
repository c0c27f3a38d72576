"""
The whole road of a model, from its `cog` module to machine code. Who imports this imports the compiler.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cogir.backend.emit_llvm_ir import emit_llvm_ir
from cogir.backend.jit import compile_to_object
from cogir.backend.linked_library import linked_library
from cogir.lowering.library_code import LINKED, says_linked
from cogir.lowering.pipeline import lower_to
from cogir.runtime.plan import Plan, plan_of
from cogir.runtime.recorded import recorded

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from cogir.runtime.native import Options, Source


def lowered(source: Source, options: Options) -> tuple[ModuleOp, Plan]:
    """The model as a module of the llvm dialect that is to be linked with the library, and its plan."""
    model = recorded(source.build())
    replicates = {"replicate": {"enabled": options.entry == "replicates"}}
    lower_to(model.module, "machine", without=options.without, options=replicates)
    plan = plan_of(model.module, model.shown, model.controllers)
    plan.order, plan.ends = model.order, model.ends
    model.module.attributes[LINKED] = says_linked(linked_library().sizes)
    lower_to(model.module, "llvm", since="machine", without=options.without, options={"expand-math": {"math": options.math}})
    return model.module, plan


def build_object(source: Source, options: Options) -> tuple[bytes, Plan]:
    """Machine code for a model, and its plan."""
    module, plan = lowered(source, options)
    return compile_to_object(linked_library().link(emit_llvm_ir(module))), plan
