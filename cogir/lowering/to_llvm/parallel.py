"""
Calls over a range of indices that may be taken apart: how native code asks Python for threads.

```mlir
func.call @search(%0, %n, %x, %y, %control) {cog.parallel, cog.control}
```
becomes
```mlir
llvm.store %x, %handed[0];  llvm.store %y, %handed[1]; ...
llvm.call @cogir_parallel(@search.chunk, %handed, %n, %control)

llvm.func internal @search.chunk(%handed, %first, %last)                 // @search over a part of the range
llvm.func internal @cogir_parallel(%chunk, %handed, %count, %control) {  // control[6]: 0, or the address of a function that
  control[6] == 0 ? %chunk(%handed, 0, %count) : control[6](%chunk, %handed, %count)        // calls %chunk for all parts
}
```

`runtime/parallel.py` is the other side.

A call that is marked `cog.launch = n` goes the same way, through `@cogir_launch` and control[7], the address of a function that has a
GPU run kernel number n over the range with what was handed over; 0: there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects import func, llvm
from xdsl.dialects.builtin import IntegerAttr, UnitAttr, i32, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from cogir.analysis.signatures import LAUNCH
from cogir.errors import LoweringError
from cogir.lowering.to_llvm.converter import Converter, ModuleConverter, call, call_through, integer_list
from cogir.lowering.to_llvm.memref import load_from, store_to
from cogir.lowering.to_llvm.types import POINTER, VOID, llvm_type

HELPER_WORD = 6
"""Index in `control` of the address of the function that shares chunks among threads."""
LAUNCH_WORD = 7
"""Index in `control` of the address of the function that has a GPU run a kernel."""
PARALLEL, LAUNCHER = "cogir_parallel", "cogir_launch"
_INTERNAL = llvm.LinkageAttr("internal")


def parallel_call(to: Converter, op: func.CallOp) -> None:
    """A call that is marked `cog.parallel` and hands `control` over as its last argument."""
    name = op.callee.root_reference.data
    if op.results:
        raise LoweringError(f"convert-to-llvm: @{name} is called in parts, but has results; write them to buffers")
    handed = op.arguments[2:]
    place = to.in_entry(llvm.AllocaOp(to.integer(1), llvm.LLVMArrayType(len(handed), i64), 8))
    for number, value in enumerate(to.all(handed)):
        to.emit_only(store_to(to.emit(word(place, number)), value))
    chunk = chunk_function(to.module, name, [llvm_type(value.type) for value in handed])
    address = to.emit(llvm.AddressOfOp(chunk, POINTER))
    operands = [address, place, to[op.arguments[1]], to[op.arguments[-1]]]
    if isinstance(kernel := op.attributes.get(LAUNCH), IntegerAttr):
        add_launcher(to.module)
        to.emit_only(call(LAUNCHER, [*operands, to.integer(cast("IntegerAttr[Any]", kernel).value.data)], []))
        return
    add_helper(to.module)
    to.emit_only(call(PARALLEL, operands, []))


def word(place: SSAValue, number: int) -> Operation:
    """The address of the `number`-th word of eight bytes."""
    return llvm.GEPOp.create(
        operands=[place],
        result_types=[POINTER],
        properties={
            "rawConstantIndices": integer_list((number,)),
            "elem_type": i64,
            "noWrapFlags": IntegerAttr(3, i32),
            "inbounds": UnitAttr(),
        },
    )


def add(block: Block, op: Operation) -> SSAValue:
    """Appends an operation with one result."""
    block.add_op(op)
    return op.results[0]


def chunk_function(module: ModuleConverter, name: str, types: Sequence[Attribute]) -> str:
    """The function that calls `@name` over a part of its range, with what was handed over."""
    chunk = f"{name}.chunk"
    if chunk in module.symbols:
        return chunk
    module.symbols.add(chunk)
    block = Block(arg_types=[POINTER, i64, i64])
    handed, first, last = block.args
    values = [add(block, load_from(add(block, word(handed, number)), type)) for number, type in enumerate(types)]
    block.add_op(call(name, [first, last, *values], []))
    block.add_op(llvm.ReturnOp())
    module.declarations.append(llvm.FuncOp(chunk, llvm.LLVMFunctionType([POINTER, i64, i64], VOID), _INTERNAL, body=Region(block)))
    return chunk


def add_helper(module: ModuleConverter) -> None:
    """Makes sure that the module has `@cogir_parallel`."""
    if PARALLEL not in module.symbols:
        entry = Block(arg_types=[POINTER, POINTER, i64, POINTER])
        chunk, handed, count, _ = entry.args
        add_choice(module, PARALLEL, entry, HELPER_WORD, [chunk, handed, count])


def add_launcher(module: ModuleConverter) -> None:
    """Makes sure that the module has `@cogir_launch`."""
    if LAUNCHER not in module.symbols:
        entry = Block(arg_types=[POINTER, POINTER, i64, POINTER, i64])
        _, handed, count, control, kernel = entry.args
        add_choice(module, LAUNCHER, entry, LAUNCH_WORD, [kernel, handed, count, control])


def add_choice(module: ModuleConverter, name: str, entry: Block, place: int, operands: Sequence[SSAValue]) -> None:
    """A function that calls what stands at a place of `control`, with some operands; or the chunk for the whole range, if nothing does."""
    module.symbols.add(name)
    alone, shared = Block(), Block()
    chunk, handed, count, control = entry.args[:4]
    address = add(entry, load_from(add(entry, word(control, place)), i64))
    zero = add(entry, llvm.ConstantOp(IntegerAttr(0, i64), i64))
    entry.add_op(llvm.CondBrOp(add(entry, llvm.ICmpOp(address, zero, IntegerAttr(0, i64))), alone, (), shared, ()))
    alone.add_op(call_through(chunk, [handed, zero, count]))
    alone.add_op(llvm.ReturnOp())
    shared.add_op(call_through(add(shared, llvm.IntToPtrOp(address)), operands))
    shared.add_op(llvm.ReturnOp())
    types = [argument.type for argument in entry.args]
    module.declarations.append(llvm.FuncOp(name, llvm.LLVMFunctionType(types, VOID), _INTERNAL, body=Region([entry, alone, shared])))
