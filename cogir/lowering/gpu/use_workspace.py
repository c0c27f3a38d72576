"""
Takes large buffers of kernels from memory that the host provides, as there is no heap on a GPU, and little local memory.

Before: kernels at stage `loops`.
After:  no `memref.alloc` and no `memref.alloca` of more than 16 KiB is left in them. A function with such buffers takes them from a
        workspace, which is its last argument; so does who calls it:

```mlir
func.func @replicates(..., %workspace: memref<?xi8>) attributes {nvvm.kernel, cog.workspace = 640} {
  %own = memref.view %workspace[(number of the thread) * 640] : memref<?xi8> to memref<640xi8>
  %buffer = memref.view %own[0] : memref<640xi8> to memref<64xf64>
  func.call @trial(..., memref.view %own[512] : memref<640xi8> to memref<128xi8>)
```

Each thread has so many bytes as the largest chain of calls needs.
"""

from __future__ import annotations

from math import prod
from typing import Any, cast

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, func, gpu, memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DictionaryAttr,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    i8,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from cogir.analysis.signatures import callees_first
from cogir.dialects.llvm_ext import KERNEL
from cogir.errors import LoweringError
from cogir.irutils import index_constant

WORKSPACE = "cog.workspace"
"""The attribute of a kernel: the bytes of workspace for each thread."""
LARGEST_LOCAL = 16 * 1024
"""Bytes of one buffer that stay in local memory."""
ALIGNMENT = 64
X = gpu.DimensionAttr(gpu.DimensionEnum.X)


class UseWorkspace(ModulePass):
    """Takes large buffers of kernels from a workspace."""

    name = "use-workspace"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = callees_first(op)
        if not any(KERNEL in function.attributes for function in functions):
            return
        frames: dict[str, int] = {}
        """The bytes that a function and what it calls take."""
        for function in functions:
            if not function.is_declaration:
                frames[function.sym_name.data] = self.rewrite(function, frames)

    def rewrite(self, function: func.FuncOp, frames: dict[str, int]) -> int:
        """Gives a function its workspace, if it needs one; its size."""
        buffers = [op for op in function.body.walk() if is_large(op)]
        calls = [op for op in function.body.walk() if isinstance(op, func.CallOp) and frames.get(op.callee.string_value(), 0)]
        offsets: dict[Operation, int] = {}
        own = 0
        for op in buffers:
            offsets[op] = own
            own += -(-size_of_buffer(op) // ALIGNMENT) * ALIGNMENT
        frame = own + max((frames[call.callee.string_value()] for call in calls), default=0)
        if not frame:
            return 0
        for op in list(function.body.walk()):
            if isinstance(op, memref.DeallocOp):
                op.detach()
                op.erase()
        workspace = self.add_argument(function, frame)
        for op in buffers:
            builder = Builder(InsertPoint.before(op))
            shift = builder.insert(index_constant(offsets[op])).result
            buffer = view(builder, workspace, shift, op.results[0].type)
            buffer.name_hint = op.results[0].name_hint
            op.results[0].replace_all_uses_with(buffer)
            op.detach()
            op.erase()
        for call in calls:
            builder = Builder(InsertPoint.before(call))
            shift = builder.insert(index_constant(own)).result
            call.operands = [*call.operands, part(builder, workspace, shift, frames[call.callee.string_value()])]
        return frame

    @staticmethod
    def add_argument(function: func.FuncOp, frame: int) -> SSAValue:
        """The workspace as the last argument; in a kernel the part of the thread."""
        entry = function.body.block
        first = entry.first_op
        assert first is not None
        is_kernel = KERNEL in function.attributes
        argument = entry.insert_arg(MemRefType(i8, (DYNAMIC_INDEX if is_kernel else frame,)), len(entry.args))
        argument.name_hint = "workspace"
        if function.arg_attrs is not None:
            function.arg_attrs = ArrayAttr([*function.arg_attrs, DictionaryAttr({})])
        function.update_function_type()
        if not is_kernel:
            return argument
        function.attributes[WORKSPACE] = IntegerAttr(frame, i64)
        builder = Builder(InsertPoint.before(first))
        thread, block, threads = (builder.insert(op(X)).result for op in (gpu.ThreadIdOp, gpu.BlockIdOp, gpu.BlockDimOp))
        before = builder.insert(arith.MuliOp(block, threads)).result
        number = builder.insert(arith.AddiOp(before, thread)).result
        return part(builder, argument, builder.insert(arith.MuliOp(number, builder.insert(index_constant(frame)).result)).result, frame)


def part(builder: Builder, workspace: SSAValue, shift: SSAValue, size: int) -> SSAValue:
    """So many bytes of a workspace."""
    return view(builder, workspace, shift, MemRefType(i8, (size,)))


def view(builder: Builder, workspace: SSAValue, shift: SSAValue, type: Attribute) -> SSAValue:
    """A buffer that begins so many bytes further on."""
    return builder.insert(memref.ViewOp.build(operands=[workspace, shift, []], result_types=[type])).results[0]


def is_large(op: Operation) -> bool:
    """True for a buffer that does not stay in local memory."""
    return isinstance(op, memref.AllocOp) or (isinstance(op, memref.AllocaOp) and size_of_buffer(op) > LARGEST_LOCAL)


def size_of_buffer(op: Operation) -> int:
    """The bytes of a buffer, counting eight for each element."""
    type = cast("MemRefType[Any]", op.results[0].type)
    if DYNAMIC_INDEX in type.get_shape():
        raise LoweringError("use-workspace: a kernel has a buffer whose size is not constant; give it a static size")
    return 8 * prod(type.get_shape())
