"""
From a module at stage `machine`, after `outline-gpu`, to code for a GPU, or for this processor in its place.

    separate-device ──► loops ──► llvm ──► legalise ──► NVPTX ──► ptxas
                                                └ emulate-gpu ──► object code
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import func, llvm
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    ModuleOp,
    StringAttr,
)
from xdsl.ir import Attribute, BlockArgument

from cogir.backend import ptxas
from cogir.backend.emit_llvm_ir import emit_llvm_ir
from cogir.backend.jit import compile_to_object
from cogir.backend.kernels import EMULATED, DeviceCode, DeviceOptions, Kernel, Parameter
from cogir.backend.nvptx import ptx, verify_for_nvptx
from cogir.dialects.llvm_ext import KERNEL
from cogir.errors import BackendError
from cogir.limits import BLOCK_THREADS
from cogir.lowering.gpu.contract_products import ContractProducts
from cogir.lowering.gpu.emulate_gpu import EmulateGpu
from cogir.lowering.gpu.use_workspace import WORKSPACE
from cogir.lowering.pipeline import lower_to
from cogir.transforms.outline_gpu import ROWS as ROWS_OF_SEARCHES
from cogir.transforms.outline_gpu import TABLES

ROWS: Mapping[str, tuple[int | str, ...]] = {
    "in": ("n_in",),
    "out": ("count", "trials"),
    "lengths": ("count",),
    "statuses": ("count",),
    "workspace": ("threads", "workspace"),
}
"""The leading dimensions of buffers whose types leave them open, by the parameter's name."""
ROWS_OF_SWEEPS: Mapping[str, tuple[int | str, ...]] = {
    **{name: ("points",) for name in ("pf", "pi", "sf", "si")},
    "in": ("points", "n_in"),
}
ACCESS = {"out": "written", "lengths": "both", "statuses": "both", "control": "both", "workspace": "written"}
"""The access of replicates to the arrays that they do not only read."""


def kernels_in(module: ModuleOp) -> tuple[Kernel, ...]:
    """The kernels of a module at stage `loops`."""
    return tuple(kernel_of(op) for op in module.ops if isinstance(op, func.FuncOp) and KERNEL in op.attributes)


def kernel_of(function: func.FuncOp) -> Kernel:
    """The facts about a kernel that a launch needs."""
    rows = ROWS_OF_SEARCHES if TABLES in function.attributes else None
    return Kernel(function.sym_name.data, tuple(parameters_of(function)), BLOCK_THREADS, rows, workspace_of(function))


def workspace_of(function: func.FuncOp) -> int:
    """The bytes of workspace for each thread of a kernel."""
    size = function.attributes.get(WORKSPACE)
    return cast("IntegerAttr[Any]", size).value.data if isinstance(size, IntegerAttr) else 0


def parameters_of(function: func.FuncOp) -> list[Parameter]:
    """The parameters of a kernel."""
    if isinstance(tables := function.attributes.get(TABLES), ArrayAttr):
        both = {*range(2, 2 + len(cast("ArrayAttr[Attribute]", tables)))}
        return [parameter_of(argument, ROWS, "both" if argument.index in both else access_of(argument)) for argument in function.args]
    rows = {**ROWS, **(ROWS_OF_SWEEPS if any(each.name_hint == "vary" for each in function.args) else {})}
    return [parameter_of(argument, rows, access_of(argument)) for argument in function.args]


def access_of(argument: BlockArgument) -> str:
    """The use of a buffer by a kernel, by its name: what is not known is only read."""
    return ACCESS.get(argument.name_hint or "", "read")


def parameter_of(argument: BlockArgument, rows: Mapping[str, tuple[int | str, ...]], access: str) -> Parameter:
    """One parameter, by its name and type."""
    name = argument.name_hint or f"argument_{argument.index}"
    given: Attribute = argument.type
    if not isinstance(given, MemRefType):
        return Parameter(name, "value", element_name(given))
    type = cast("MemRefType[Any]", given)
    shape: list[int | str] = []
    for extent in type.get_shape():
        shape += rows[name] if extent == DYNAMIC_INDEX else (extent,)
    return Parameter(name, access, element_name(type.element_type), tuple(shape))


def element_name(type: Attribute) -> str:
    """The name of a type of numbers."""
    match type:
        case Float64Type():
            return "f64"
        case Float32Type():
            return "f32"
        case IntegerType():
            return f"i{type.width.data}"
        case IndexType():
            return "i64"
        case _:
            return str(type)


def device_code(module: ModuleOp, device: DeviceOptions, passes: Mapping[str, Mapping[str, Any]] | None = None) -> DeviceCode:
    """
    The kernels of a module at stage `machine`, which is used up. `passes`: fields of passes, as `lower_to` takes them.

    Raises `BackendError` for what a GPU does not have, and for a number of threads that kernels do not allow.
    """
    if device.block is not None and not 1 <= device.block <= BLOCK_THREADS:
        raise BackendError(f"nvptx: {device.block} threads per block; give 1 to {BLOCK_THREADS}, or leave it out")
    lower_to(module, "loops", since="machine", kernels=True, options=passes)
    kernels = tuple(replace(kernel, block=device.block or kernel.block) for kernel in kernels_in(module))
    lower_to(module, "llvm", since="loops", kernels=True)
    if device.contract:
        ContractProducts().apply(Context(), module)
    if device.architecture == EMULATED:
        verify_for_nvptx(module)
        EmulateGpu().apply(Context(), module)
        return DeviceCode(EMULATED, compile_to_object(emit_llvm_ir(module)), kernels)
    bound_launches(module, device.block or BLOCK_THREADS)
    text = ptx(module, architecture=device.architecture)
    if ptxas.ptxas() is None and not device.cubin:
        return DeviceCode(device.architecture, text.encode(), kernels)
    image, said = ptxas.assembled(text, device.architecture)
    found = ptxas.reports(said, device.architecture, device.block)
    kernels = tuple(replace(kernel, report=found[kernel.name], block=found[kernel.name].block) for kernel in kernels)
    return DeviceCode(device.architecture, image if device.cubin else text.encode(), kernels)


def bound_launches(module: ModuleOp, threads: int) -> None:
    """
    Says of each kernel how many threads its blocks have at most, so that its registers are enough for them; and that one block at a time
    is enough for a multiprocessor, so that ptxas does not spill registers for the sake of a second one.
    """
    for op in module.body.block.ops:
        if isinstance(op, llvm.FuncOp) and KERNEL in op.attributes:
            given = op.get_attr_or_prop("passthrough")
            bounds = [
                ArrayAttr([StringAttr("nvvm.maxntid"), StringAttr(str(threads))]),
                ArrayAttr([StringAttr("nvvm.minctasm"), StringAttr("1")]),
            ]
            op.properties["passthrough"] = ArrayAttr([*(cast("ArrayAttr[Attribute]", given) if given is not None else ()), *bounds])
