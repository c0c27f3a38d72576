"""
Checks that LLVM's NVPTX backend can make PTX from a module of the llvm dialect, and that a GPU then computes what a CPU does.

NVPTX ends the whole process where it meets a function that it has no code for (`llvm.exp`, `llvm.sin` ...), and it leaves calls of the
C library to a linker that does not exist. So all that is not known to work is refused, and all faults of a module are named at once:

- operations, types, address spaces and linkages other than those below;
- intrinsics of which NVPTX was not seen to make code for numbers of 32 and 64 bits (`test/unit/backend/test_nvptx_fuzz.py` looks);
- `llvm.frem`, for which NVPTX computes `x - trunc(x / y) * y`: that is not the remainder to the bit;
- calls of functions without a body, and calls through pointers;
- results of kernels, and buffers whose size is not constant.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import llvm
from xdsl.dialects.builtin import Float32Type, Float64Type, IntAttr, IntegerAttr, IntegerType, ModuleOp, VectorType
from xdsl.ir import Attribute, Operation
from xdsl.passes import ModulePass

from cogir.dialects import llvm_ext
from cogir.dialects.llvm_ext import KERNEL
from cogir.errors import LoweringError

OF_FLOATS = frozenset(
    f"llvm.{name}"
    for name in (
        "sqrt fabs floor ceil trunc round roundeven rint nearbyint copysign fma minimum maximum minimumnum maximumnum minnum maxnum "
        "vector.reduce.fadd vector.reduce.fmul vector.reduce.fmin vector.reduce.fmax vector.reduce.fminimum vector.reduce.fmaximum"
    ).split()
)
"""Intrinsics of floating-point numbers that NVPTX makes inline code for."""
INTRINSICS = OF_FLOATS | frozenset(
    f"llvm.{name}"
    for name in (
        "smin smax umin umax abs ctpop ctlz cttz bswap bitreverse fshl fshr memcpy memmove memset trap assume expect vector.reduce.add "
        "vector.reduce.mul vector.reduce.and vector.reduce.or vector.reduce.xor vector.reduce.smin vector.reduce.smax vector.reduce.umin "
        "vector.reduce.umax uadd.with.overflow sadd.with.overflow umul.with.overflow smul.with.overflow usub.with.overflow "
        "ssub.with.overflow"
    ).split()
)
"""These, and those of whole numbers and of memory."""
OF_GPUS = frozenset(
    (
        *(f"llvm.nvvm.read.ptx.sreg.{name}.{axis}" for name in ("tid", "ntid", "ctaid", "nctaid") for axis in "xyz"),
        "llvm.nvvm.barrier.cta.sync.aligned.all",
    )
)
"""The special registers, and the barrier."""
OPERATIONS = frozenset(
    f"llvm.{name}"
    for name in (
        "add sub mul udiv sdiv urem srem and or xor shl lshr ashr fadd fsub fmul fdiv fneg icmp fcmp select trunc zext sext "
        "ptrtoint inttoptr bitcast addrspacecast fpext fptrunc sitofp uitofp fptosi fptoui load store atomicrmw alloca "
        "getelementptr extractvalue insertvalue insertelement extractelement shufflevector call call_intrinsic br cond_br "
        "switch return unreachable mlir.constant mlir.zero mlir.undef mlir.poison mlir.addressof"
    ).split()
)
SPACES = (0, 1, 3, 4, 5)
"""Generic, global, shared, constant and local memory."""
WIDTHS = (1, 8, 16, 32, 64, 128)
"""Bits of whole numbers."""
MOST_LANES = 16
OF_LIBRARY = "cogir_"
"""The beginning of the names of the library's functions, of which only draws call the C library."""
LINKAGES = ("internal", "private", "external")


class VerifyNvptx(ModulePass):
    """Checks that NVPTX can make PTX from a module."""

    name = "verify-nvptx"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if faults := nvptx_faults(op):
            raise LoweringError("verify-nvptx: " + fault_text(faults))


def fault_text(faults: list[str]) -> str:
    """All faults in one message."""
    return "this module cannot become PTX:\n  " + "\n  ".join(faults)


def nvptx_faults(module: ModuleOp) -> list[str]:
    """The faults of a module: operations that NVPTX or a GPU does not have, each once, with the function that uses it and the remedy."""
    functions = {op.sym_name.data: op for op in module.body.block.ops if isinstance(op, llvm.FuncOp)}
    faults: dict[str, None] = {}
    for op in module.body.block.ops:
        symbol = op.sym_name.data if isinstance(op, llvm.FuncOp | llvm.GlobalOp) else op.name
        faults |= dict.fromkeys(f"@{symbol}: {fault}" for fault in _faults_of(op, functions))
    return list(faults)


def _faults_of(op: Operation, functions: Mapping[str, llvm.FuncOp]) -> Iterator[str]:
    """The faults of a function or variable."""
    match op:
        case llvm.FuncOp():
            yield from _signature_faults(op)
            for inner in op.body.walk():
                yield from _operation_faults(inner, functions, op.sym_name.data)
        case llvm.GlobalOp():
            yield from _global_faults(op)
        case _:
            yield "is neither a function nor a variable; lower it"


def _signature_faults(op: llvm.FuncOp) -> Iterator[str]:
    type = op.function_type
    if op.linkage.linkage.data not in LINKAGES:
        yield f"has the linkage {op.linkage.linkage.data}; make it internal or external"
    if type.is_variadic:
        yield "takes any number of arguments; give it as many as it needs"
    if op.CConv.cconv_name != "ccc":
        yield f"has the calling convention {op.CConv.cconv_name}; leave it out"
    for each in type.inputs:
        yield from _type_faults(each)
    if not isinstance(type.output, llvm.LLVMVoidType):
        yield from _type_faults(type.output)
        if KERNEL in op.attributes:
            yield "is a kernel and has a result; write it into memory"


def _global_faults(op: llvm.GlobalOp) -> Iterator[str]:
    yield from _type_faults(op.global_type)
    if op.linkage.linkage.data not in LINKAGES:
        yield f"has the linkage {op.linkage.linkage.data}; make it internal or external"
    if op.thread_local_ is not None:
        yield "is a variable of each thread; make it a buffer on the stack"
    if (space := cast("IntegerAttr[Any]", op.addr_space).value.data) not in SPACES:
        yield f"is in address space {space}; use one of {', '.join(map(str, SPACES))}"
    if op.section is not None:
        yield "has a section; leave it out"


def _operation_faults(op: Operation, functions: Mapping[str, llvm.FuncOp], caller: str) -> Iterator[str]:
    """The faults of an operation in the function `caller`."""
    for value in (*op.operands, *op.results):
        yield from _type_faults(value.type)
    if op.name.startswith("llvm.intr."):
        yield from _intrinsic_faults("llvm." + op.name.removeprefix("llvm.intr."), op)
        return
    if op.name == "llvm.frem":
        yield "uses llvm.frem, which NVPTX computes with rounding errors; use fmod of the library"
        return
    if op.name == "llvm.inline_asm":
        yield "contains inline assembly of another processor; remove it"
        return
    if op.name not in OPERATIONS:
        yield f"contains {op.name}, which is not known to work on a GPU"
        return
    match op:
        case llvm.CallIntrinsicOp():
            yield from _intrinsic_faults(op.intrin.data, op)
        case llvm.CallOp():
            yield from _call_faults(op, functions, caller)
        case llvm.AllocaOp():
            yield from _type_faults(op.elem_type)
            if not isinstance(op.size.owner, llvm.ConstantOp):
                yield "has a buffer on the stack whose size is not constant; give it a static size"
        case llvm.GEPOp():
            yield from _type_faults(op.elem_type)
        case llvm_ext.AtomicRMWOp():
            if op.val.type not in (IntegerType(32), IntegerType(64), Float32Type(), Float64Type()):
                yield f"changes {op.val.type} as one step; use numbers of 32 or 64 bits"
        case _:
            pass


def _call_faults(op: llvm.CallOp, functions: Mapping[str, llvm.FuncOp], caller: str) -> Iterator[str]:
    if op.callee is None:
        yield "calls a function through a pointer; call it by its name"
        return
    callee = op.callee.root_reference.data
    function = functions.get(callee)
    if function is None or not function.body.blocks:
        remedy = _REMEDIES.get(callee, _NUMPY if caller.startswith(OF_LIBRARY) else _NO_LIBRARY)
        yield f"calls @{callee}, which has no body: {remedy}"


_NO_LIBRARY = "functions of the C library do not exist on a GPU; lower the model with expand-math{math=portable}"
_NUMPY = (
    "NumPy's generators need functions of the C library to the bit, which a GPU does not have; use xoshiro256, or the CPU "
    "(expand-rng{log=portable} takes cogir's functions, with which one normal in 3,000 differs from NumPy's in its last bits)"
)
_REMEDIES = {
    "malloc": "allocate outside of the kernel, or make the buffer static",
    "free": "free outside of the kernel",
    "puts": "it reports a failed cf.assert, which is not supported on a GPU; remove the assertion",
    "abort": "it ends the process after a failed cf.assert, which is not supported on a GPU; remove the assertion",
}


def _intrinsic_faults(name: str, op: Operation) -> Iterator[str]:
    if name in OF_GPUS:
        return
    parts = name.split(".")
    known = next((base for end in range(2, len(parts) + 1) if (base := ".".join(parts[:end])) in INTRINSICS), None)
    if known is None:
        yield f"uses {name}, which NVPTX does not support; run expand-math, which replaces it by a function of the module"
    elif known in OF_FLOATS and not all(_is_float(operand.type) for operand in op.operands):
        yield f"uses {name} of what are no floating-point numbers"


def _is_float(type: Attribute) -> bool:
    """True for floating-point numbers, and vectors of them."""
    element = cast("VectorType[Attribute]", type).element_type if isinstance(type, VectorType) else type
    return isinstance(element, Float32Type | Float64Type)


def _type_faults(type: Attribute) -> Iterator[str]:
    """The faults of a type."""
    match type:
        case Float32Type() | Float64Type() | llvm.LLVMVoidType():
            return
        case IntegerType():
            if type.width.data in WIDTHS:
                return
        case llvm.LLVMPointerType():
            if not isinstance(type.addr_space, IntAttr) or type.addr_space.data in SPACES:
                return
        case llvm.LLVMArrayType():
            yield from _type_faults(type.type)
            return
        case llvm.LLVMStructType():
            for field in type.types:
                yield from _type_faults(field)
            return
        case VectorType():
            vector: VectorType[Attribute] = type
            if vector.get_num_dims() == 1 and 1 <= vector.get_shape()[0] <= MOST_LANES and not vector.get_num_scalable_dims():
                yield from _type_faults(vector.element_type)
                return
        case _:
            pass
    yield f"has a value of type {type}; a GPU has whole numbers of {', '.join(map(str, WIDTHS))} bits, f32, f64 and short vectors of them"
