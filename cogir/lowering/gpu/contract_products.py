"""
Allows LLVM to contract products and sums.

Before: a module of the llvm dialect.
After:  the model's additions, subtractions and multiplications have the flag `contract`: LLVM makes `a * b + c` one operation with one
        rounding.

Results then differ from those of the CPU in their last bits. The functions of cogir's library keep every rounding, because elementary
functions and generators of random numbers are made of exact differences.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import llvm
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.utils import FastMathFlag
from xdsl.passes import ModulePass

from cogir.lowering.library.symbols import PREFIX

CONTRACT = llvm.FastMathAttr([FastMathFlag.ALLOW_CONTRACT])


class ContractProducts(ModulePass):
    """Allows products and sums of a model to become one operation."""

    name = "contract-products"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.body.block.ops:
            if isinstance(function, llvm.FuncOp) and not function.sym_name.data.startswith(PREFIX):
                for inner in function.body.walk():
                    if isinstance(inner, llvm.FAddOp | llvm.FSubOp | llvm.FMulOp):
                        inner.properties["fastmathFlags"] = CONTRACT
