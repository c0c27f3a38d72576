"""
gpu to the llvm dialect: the numbers of threads and blocks are special registers, which LLVM reads by intrinsics; so is a barrier.

Memory that the threads of a block share is a global in address space 3. Its pointers are cast to the generic address space, in which all
other code works; LLVM finds the space again.
"""

from __future__ import annotations

from xdsl.dialects import gpu, llvm, memref
from xdsl.dialects.builtin import IntAttr, IntegerAttr, i32, i64
from xdsl.ir import SSAValue

from cogir.dialects import llvm_ext
from cogir.errors import LoweringError
from cogir.lowering.to_llvm.converter import Converter, intrinsic_call, rule
from cogir.lowering.to_llvm.memref import address
from cogir.lowering.to_llvm.types import POINTER, is_shared, memref_of

SPECIAL_REGISTERS: dict[type[gpu.ThreadIdOp | gpu.BlockIdOp | gpu.BlockDimOp | gpu.GridDimOp], str] = {
    gpu.ThreadIdOp: "llvm.nvvm.read.ptx.sreg.tid",
    gpu.BlockIdOp: "llvm.nvvm.read.ptx.sreg.ctaid",
    gpu.BlockDimOp: "llvm.nvvm.read.ptx.sreg.ntid",
    gpu.GridDimOp: "llvm.nvvm.read.ptx.sreg.nctaid",
}
"""The intrinsic of each number, without the dimension."""
BARRIER = "llvm.nvvm.barrier.cta.sync.aligned.all"
"""All threads of a block wait here for each other; they then see what the others have written."""
SHARED = llvm.LLVMPointerType(IntAttr(llvm_ext.SHARED_SPACE))
_KINDS = {0: "fadd", 1: "add", 4: "max", 5: "umax", 7: "min", 8: "umin", 9: "_or", 10: "_and"}
"""The functions of `llvm.atomicrmw` by the numbers that `memref.atomic_rmw` has for them (`arith.AtomicRMWKind`)."""


@rule(*SPECIAL_REGISTERS)
def special_register(to: Converter, op: gpu.ThreadIdOp | gpu.BlockIdOp | gpu.BlockDimOp | gpu.GridDimOp) -> None:
    """gpu.thread_id x  ->  llvm.zext (llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.tid.x" : i32)"""
    number = to.intrinsic(f"{SPECIAL_REGISTERS[type(op)]}.{op.dimension.data.value}", [], i32)
    to.bind(op.result, to.emit(llvm.ZExtOp(number, i64)))


@rule(gpu.BarrierOp)
def barrier(to: Converter, op: gpu.BarrierOp) -> None:
    """gpu.barrier  ->  llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.aligned.all"(0)"""
    to.emit_only(intrinsic_call(BARRIER, [to.integer(0, i32)], []))


@rule(memref.GetGlobalOp)
def get_global(to: Converter, op: memref.GetGlobalOp) -> None:
    """memref.get_global @g  ->  llvm.mlir.addressof @g, of shared memory cast to the generic address space"""
    name = op.name_.root_reference
    if not is_shared(memref_of(op.memref.type)):
        to.bind(op.memref, to.emit(llvm.AddressOfOp(name, POINTER)))
        return
    to.bind(op.memref, to.emit(llvm_ext.AddrSpaceCastOp(to.emit(llvm.AddressOfOp(name, SHARED)), POINTER)))


@rule(memref.AtomicRMWOp)
def atomic(to: Converter, op: memref.AtomicRMWOp) -> None:
    """memref.atomic_rmw addi x, m[i]  ->  llvm.atomicrmw add (getelementptr m[i]), x monotonic"""
    place: SSAValue = address(to, to[op.memref], memref_of(op.memref.type), to.all(op.indices))
    kind = _KINDS.get(_number(op.kind))
    if kind is None:
        raise LoweringError(
            f"convert-to-llvm: memref.atomic_rmw of kind {_number(op.kind)} is not supported; use a sum, minimum or maximum"
        )
    to.bind(op.result, to.emit(llvm_ext.AtomicRMWOp(kind, place, to[op.value])))


def _number(attribute: IntegerAttr) -> int:
    return attribute.value.data
