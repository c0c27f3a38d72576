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
from xdsl.dialects import func
from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, Float32Type, Float64Type, IndexType, IntegerType, MemRefType, ModuleOp
from xdsl.ir import Attribute, BlockArgument

from cogir.backend import ptxas
from cogir.backend.emit_llvm_ir import emit_llvm_ir
from cogir.backend.jit import compile_to_object
from cogir.backend.kernels import EMULATED, MOST_THREADS, DeviceCode, Kernel, Parameter
from cogir.backend.nvptx import ptx, verify_for_nvptx
from cogir.lowering.entry.replicates_kernel import KERNEL
from cogir.lowering.gpu.emulate_gpu import EmulateGpu
from cogir.lowering.gpu.separate_device import SeparateDevice
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
"""How replicates use what they do not only read."""


def kernels_in(module: ModuleOp) -> tuple[Kernel, ...]:
    """The kernels of a module at stage `loops`."""
    functions = [op for op in module.ops if isinstance(op, func.FuncOp) and KERNEL in op.attributes]
    return tuple(
        Kernel(op.sym_name.data, tuple(parameters_of(op)), MOST_THREADS, ROWS_OF_SEARCHES if TABLES in op.attributes else None, 0)
        for op in functions
    )


def parameters_of(function: func.FuncOp) -> list[Parameter]:
    """The parameters of a kernel."""
    if isinstance(tables := function.attributes.get(TABLES), ArrayAttr):
        both = {*range(2, 2 + len(cast("ArrayAttr[Attribute]", tables))), len(function.args) - 1}
        return [parameter_of(argument, {}, "both" if argument.index in both else "read") for argument in function.args]
    rows = {**ROWS, **(ROWS_OF_SWEEPS if any(each.name_hint == "vary" for each in function.args) else {})}
    return [parameter_of(argument, rows, ACCESS.get(argument.name_hint or "", "read")) for argument in function.args]


def parameter_of(argument: BlockArgument, rows: Mapping[str, tuple[int | str, ...]], access: str) -> Parameter:
    """One parameter, by its name and type."""
    name = argument.name_hint or f"argument_{argument.index}"
    if not isinstance(argument.type, MemRefType):
        return Parameter(name, "value", element_name(argument.type))
    type = cast("MemRefType[Any]", argument.type)
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


def device_code(
    module: ModuleOp,
    architecture: str,
    *,
    options: Mapping[str, Mapping[str, Any]] | None = None,
    cubin: bool = False,
    block: int | None = None,
) -> DeviceCode:
    """
    The kernels of a module at stage `machine`, which is used up.

    `architecture`: "sm_90" and the like, or `EMULATED`. `options`: fields of passes, as `lower_to` takes them. `cubin`: machine code in the place of
    PTX, which needs ptxas. `block`: the threads per block, if not as many as the registers allow.
    """
    SeparateDevice("device").apply(Context(), module)
    lower_to(module, "loops", since="machine", options=options)
    kernels = kernels_in(module)
    lower_to(module, "llvm", since="loops")
    if architecture == EMULATED:
        verify_for_nvptx(module)
        EmulateGpu().apply(Context(), module)
        return DeviceCode(architecture, compile_to_object(emit_llvm_ir(module)), sized(kernels, block))
    text = ptx(module, architecture=architecture)
    if ptxas.ptxas() is None and not cubin:
        return DeviceCode(architecture, text.encode(), sized(kernels, block))
    image, said = ptxas.assembled(text, architecture)
    found = ptxas.reports(said, architecture)
    kernels = tuple(
        replace(
            kernel, report=found[kernel.name], block=ptxas.best_size(found[kernel.name].registers, found[kernel.name].shared, architecture)
        )
        for kernel in kernels
    )
    return DeviceCode(architecture, image if cubin else text.encode(), sized(kernels, block))


def sized(kernels: tuple[Kernel, ...], block: int | None) -> tuple[Kernel, ...]:
    """The kernels with another number of threads per block, if one is given."""
    return kernels if block is None else tuple(replace(kernel, block=block) for kernel in kernels)
