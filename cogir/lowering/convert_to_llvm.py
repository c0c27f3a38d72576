"""
Lowers everything below the loops to the llvm dialect.

Before: func, cf, arith, memref, vector, gpu, ub, and the part of math that machines have.
After: only the llvm dialect is left, inside the module.

Functions are written anew in one walk; `to_llvm/` has a file of rules per dialect. Memrefs become bare pointers (see
`to_llvm/types.py`), addresses are computed by getelementptr and never by integer arithmetic on pointers, static
allocas stand at the top of their function.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import func, llvm, memref
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from cogir.analysis.code_size import CodeSize
from cogir.analysis.separate_buffers import separate_arguments
from cogir.errors import LoweringError
from cogir.lowering.to_llvm import arith, control, gpu, math, vector
from cogir.lowering.to_llvm.converter import RULES, ModuleConverter
from cogir.lowering.to_llvm.functions import called_too_often, convert_function, few_enough, too_large_to_inline
from cogir.lowering.to_llvm.memref import convert_global

RULE_FILES = (arith, control, gpu, math, vector)
"""The files that fill `RULES` when they are imported (memref's is imported by name above)."""


class ConvertToLlvm(ModulePass):
    """Lowers arith, math, memref, vector, cf and func to the llvm dialect."""

    name = "convert-to-llvm"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        old = list(op.body.block.ops)
        symbols = {symbol.data for each in old if isinstance(symbol := each.properties.get("sym_name"), StringAttr)}
        sizes = CodeSize(op)
        not_inlined = too_large_to_inline(op, sizes) | called_too_often(op, sizes)
        module = ModuleConverter(symbols, not_inlined, few_enough(op, sizes), separate_arguments(op))
        new = [_convert_top_level(module, each) for each in old]
        for each in old:
            each.detach()
        block = op.body.block
        for each in (*module.declarations, *new):
            block.add_op(each)
        for name in [name for name in op.attributes if name.startswith("cog.")]:
            del op.attributes[name]


def _convert_top_level(module: ModuleConverter, op: Operation) -> Operation:
    if isinstance(op, func.FuncOp):
        return convert_function(module, op)
    if isinstance(op, memref.GlobalOp):
        return convert_global(op)
    if isinstance(op, llvm.FuncOp | llvm.GlobalOp):
        return op.clone()
    raise LoweringError(f"convert-to-llvm: {op.name} is left in the module; only functions and globals have a counterpart")


__all__ = ["RULES", "ConvertToLlvm"]
