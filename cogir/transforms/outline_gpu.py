"""
x
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.passes import ModulePass

from cogir.analysis.signatures import KERNEL
from cogir.transforms.replicate import STREAMS


@dataclass(frozen=True)
class OutlineGpu(ModulePass):
    """Makes searches and replicates kernels for GPUs."""

    name = "outline-gpu"

    enabled: bool = True
    points: int = 1
    """The fewest points of a search that becomes a kernel."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not self.enabled:
            return
        functions = {each.sym_name.data: each for each in op.ops if isinstance(each, func.FuncOp)}
        if STREAMS in functions:
            functions[STREAMS].attributes[KERNEL] = UnitAttr()
            return
