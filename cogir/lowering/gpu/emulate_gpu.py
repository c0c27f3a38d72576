"""
Makes kernels functions that this processor can run in the place of a GPU, one thread after another.

Before: a module of the llvm dialect as NVPTX gets it.
After:  for each kernel two functions, and nothing that only a GPU has:

```mlir
llvm.func internal @search.thread(%words: !llvm.ptr, %thread: i64, %block: i64, %threads: i64, %blocks: i64, %frame: !llvm.ptr, %since: i64)
    -> i64 {
  // arguments from %words; special registers are the numbers above, and shared memory is a variable
  llvm.switch %since [0: ^start, 1: ^after_the_first_barrier, ...]
^start:
  ...
  llvm.return %1                  // stands before the first barrier
^after_the_first_barrier:
  ...
  llvm.return %-1                 // has returned
}
llvm.func @search.launch(%blocks: i64, %threads: i64, %words: !llvm.ptr) {
  for each block:  until all its threads have returned:  for each thread:  run it from where it stands to the next barrier
}
```

A value that lives across a barrier, or from one block to another, is in the frame of its thread, where `@search.thread` finds it when
it goes on. Barriers may therefore be anywhere, in loops too. Threads of a block see each other's stores in the order of a barrier, as
on a GPU; blocks run one after the other. Atomic operations stay as they are.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects import arith, func, llvm, memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    StridedLayoutAttr,
    UnitAttr,
    i8,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from cogir.dialects import llvm_ext
from cogir.dialects.llvm_ext import KERNEL
from cogir.errors import LoweringError
from cogir.lowering.convert_scf_to_cf import ConvertScfToCf
from cogir.lowering.convert_to_llvm import ConvertToLlvm
from cogir.lowering.entry.code import Code
from cogir.lowering.entry.control_flow import for_each_of, loop, when
from cogir.lowering.to_llvm.gpu import BARRIER, SHARED, SPECIAL_REGISTERS
from cogir.lowering.to_llvm.memref import load_from, store_to
from cogir.lowering.to_llvm.parallel import add, word
from cogir.lowering.to_llvm.types import POINTER, bytes_of

THREAD, LAUNCH = ".thread", ".launch"
"""The ending that is added to the name of a kernel."""
RETURNED = -1
NUMBERS = ("thread", "block", "threads", "blocks")
"""The arguments that stand for special registers, in the order of `SPECIAL_REGISTERS`."""
REGISTERS = {f"{name}.x": number for number, name in enumerate(SPECIAL_REGISTERS.values())}


@dataclass
class EmulatedThread:
    """Makes a kernel the function of one thread."""

    kernel: llvm.FuncOp
    frame: int = 0
    """The bytes of the frame so far."""
    barriers: int = 0
    """The number of barriers so far."""
    entry: Block = field(default_factory=lambda: Block(arg_types=[POINTER, i64, i64, i64, i64, POINTER, i64]))
    """Runs whenever the thread goes on; what it defines is there everywhere."""

    def build(self) -> llvm.FuncOp:
        """The function; the kernel gives its body away."""
        blocks = list(self.kernel.body.blocks)
        start = blocks[0]
        for number, argument in enumerate(list(start.args)):
            argument.replace_all_uses_with(add(self.entry, load_from(add(self.entry, word(self.entry.args[0], number)), argument.type)))
            start.erase_arg(argument)
        resumed = [after for block in blocks for after in self.split(block)]
        for block in list(self.kernel.body.blocks):
            for op in list(block.ops):
                self.settle(op)
        for block in list(self.kernel.body.blocks):
            for value in [*block.args, *(result for op in block.ops for result in op.results)]:
                self.keep(value, block)
        self.entry.add_op(llvm_ext.SwitchOp(self.entry.args[-1], (start, ()), [(n, block, ()) for n, block in enumerate(resumed, 1)]))
        first = self.kernel.body.blocks[0]
        self.kernel.body.insert_block_before(self.entry, first)
        region = Region()
        self.kernel.body.move_blocks(region)
        name = self.kernel.sym_name.data + THREAD
        types = [argument.type for argument in self.entry.args]
        return llvm.FuncOp(name, llvm.LLVMFunctionType(types, i64), llvm.LinkageAttr("internal"), body=region)

    def split(self, block: Block) -> list[Block]:
        """Ends a block at each barrier, where the thread returns the number of the barrier; the blocks where it goes on."""
        found: list[Block] = []
        for op in list(block.ops):
            if isinstance(op, llvm.ReturnOp):
                self.leave(block, op, RETURNED)
            elif isinstance(op, llvm.CallIntrinsicOp) and op.intrin.data == BARRIER:
                after = block.split_before(op)
                self.barriers += 1
                self.leave(block, None, self.barriers)
                after.erase_op(op)
                return [after, *self.split(after)]
        return found

    def leave(self, block: Block, old: Operation | None, where: int) -> None:
        """Returns the number of the place where the thread stands."""
        number = llvm.ConstantOp(IntegerAttr(where, i64), i64)
        block.add_ops([number, llvm.ReturnOp(number.result)])
        if old is not None:
            block.erase_op(old)

    def settle(self, op: Operation) -> None:
        """Constants, addresses, memory of the thread and special registers are found whenever the thread goes on."""
        match op:
            case llvm.ConstantOp() | llvm.AddressOfOp() | llvm.ZeroOp() | llvm.UndefOp() | llvm_ext.PoisonOp():
                op.detach()
                self.entry.add_op(op)
            case llvm.AllocaOp():
                self.replace(op, self.memory(size_of_memory(op)))
            case llvm.CallIntrinsicOp() if op.intrin.data in REGISTERS:
                number = self.entry.args[1 + REGISTERS[op.intrin.data]]
                self.replace(op, add(self.entry, llvm.TruncOp(number, i32)))
            case _:
                pass

    def replace(self, op: Operation, value: SSAValue) -> None:
        op.results[0].replace_all_uses_with(value)
        op.detach()
        op.erase()

    def memory(self, size: int, alignment: int = 64) -> SSAValue:
        """The address of some bytes of the frame."""
        offset = -(-self.frame // alignment) * alignment
        self.frame = offset + size
        return add(self.entry, byte(self.entry.args[5], offset))

    def keep(self, value: SSAValue, block: Block) -> None:
        """A value that other blocks use is stored where it is made, and loaded where it is used."""
        outside = [use for use in value.uses if use.operation.parent is not block]
        if not outside:
            return
        place = self.memory(size_of_type(value.type), 8)
        made = value.owner
        first = block.first_op if isinstance(value, BlockArgument) else made.next_op if isinstance(made, Operation) else None
        assert first is not None
        block.insert_op_before(store_to(place, value), first)
        loaded: dict[Operation, SSAValue] = {}
        for use in outside:
            user = use.operation
            if user not in loaded:
                load = load_from(place, value.type)
                assert user.parent is not None
                user.parent.insert_op_before(load, user)
                loaded[user] = load.results[0]
            user.operands[use.index] = loaded[user]


def size_of_memory(op: llvm.AllocaOp) -> int:
    """The bytes of a buffer of the thread."""
    size = op.size.owner
    assert isinstance(size, llvm.ConstantOp)
    assert isinstance(size.value, IntegerAttr)
    return size.value.value.data * size_of_type(op.elem_type)


def size_of_type(type: Attribute) -> int:
    """The bytes that a value takes in memory, rounded up to words."""
    match type:
        case llvm.LLVMArrayType():
            return type.size.data * size_of_element(type.type)
        case llvm.LLVMStructType():
            return sum(max(8, size_of_type(each)) for each in type.types)
        case _:
            return -(-bytes_of(type) // 8) * 8


def size_of_element(type: Attribute) -> int:
    """The distance between elements of an array."""
    return size_of_type(type) if isinstance(type, llvm.LLVMArrayType | llvm.LLVMStructType) else bytes_of(type)


def byte(place: SSAValue, offset: int) -> Operation:
    """The address so many bytes further on."""
    op = word(place, offset)
    op.properties["elem_type"] = i8
    return op


def launcher(name: str, frame: int) -> list[Operation]:
    """`@<name>.launch`, which runs all threads of all blocks, in the llvm dialect."""
    words, frames, numbers = MemRefType(i64, (DYNAMIC_INDEX,)), MemRefType(i8, (DYNAMIC_INDEX,)), MemRefType(i64, (DYNAMIC_INDEX,))
    of_thread = MemRefType(i8, (frame,), StridedLayoutAttr([1], None))
    thread = func.FuncOp.external(name + THREAD, [words, i64, i64, i64, i64, of_thread, i64], [i64])
    function = func.FuncOp(name + LAUNCH, ([i64, i64, words], []))
    code = Code.at_end(function.body.block)
    blocks, threads, given = function.args
    count = code.value(arith.IndexCastOp(threads, IndexType()))
    bytes = code.value(arith.MuliOp(count, code.constant(max(frame, 1), IndexType())))
    memory = code.value(memref.AllocOp.get(i8, 64, [DYNAMIC_INDEX], [bytes]))
    since = code.value(memref.AllocOp.get(i64, None, [DYNAMIC_INDEX], [count]))
    alive = code.value(memref.AllocaOp.get(i64, shape=[1]))
    assert frames == memory.type
    assert numbers == since.type

    def begin(code: Code, thread: SSAValue) -> None:
        code.builder.insert(memref.StoreOp.get(code.constant(0), since, [thread]))

    def one_block(code: Code, block: SSAValue) -> None:
        for_each_of(code, count, begin)
        code.store(code.constant(1), alive, 0)
        loop(code, lambda code: code.compare(code.load(alive, 0), "ne", code.constant(0)), lambda code: one_round(code, block))

    def one_round(code: Code, block: SSAValue) -> None:
        code.store(code.constant(0), alive, 0)
        for_each_of(code, count, lambda code, thread: one_thread(code, block, thread))

    def one_thread(code: Code, block: SSAValue, thread: SSAValue) -> None:
        stands = code.value(memref.LoadOp.get(since, [thread]))
        when(code, code.compare(stands, "ne", code.constant(RETURNED)), lambda code: go_on(code, block, thread, stands))

    def go_on(code: Code, block: SSAValue, thread: SSAValue, stands: SSAValue) -> None:
        start = code.value(arith.MuliOp(thread, code.constant(frame, IndexType())))
        own = code.value(memref.SubviewOp.get(memory, [start], [frame], [1], of_thread))
        numbers = [code.value(arith.IndexCastOp(number, i64)) for number in (thread, block)]
        now = code.value(func.CallOp(name + THREAD, [given, *numbers, threads, blocks, own, stands], [i64]))
        code.builder.insert(memref.StoreOp.get(now, since, [thread]))
        left = code.value(arith.ExtUIOp(code.compare(now, "ne", code.constant(RETURNED)), i64))
        code.store(code.value(arith.OrIOp(code.load(alive, 0), left)), alive, 0)

    for_each_of(code, code.value(arith.IndexCastOp(blocks, IndexType())), one_block)
    code.builder.insert(memref.DeallocOp.get(memory))
    code.builder.insert(memref.DeallocOp.get(since))
    code.builder.insert(func.ReturnOp())
    module = ModuleOp([thread, function])
    for step in (ConvertScfToCf(), ConvertToLlvm()):
        step.apply(Context(), module)
    made = [op for op in module.body.block.ops if not (isinstance(op, llvm.FuncOp) and op.sym_name.data == name + THREAD)]
    for op in made:
        op.detach()
    return made


@dataclass(frozen=True)
class EmulateGpu(ModulePass):
    """Makes kernels functions of this processor."""

    name = "emulate-gpu"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        share_memory(op)
        kernels = [each for each in op.body.block.ops if isinstance(each, llvm.FuncOp) and KERNEL in each.attributes]
        for function in op.body.block.ops:
            if isinstance(function, llvm.FuncOp) and function not in kernels:
                refuse_registers(function)
        declared = {each.sym_name.data for each in op.body.block.ops if isinstance(each, llvm.FuncOp)}
        for kernel in kernels:
            thread = EmulatedThread(kernel)
            op.body.block.add_op(thread.build())
            for made in launcher(kernel.sym_name.data, -(-thread.frame // 64) * 64):
                name = made.sym_name.data if isinstance(made, llvm.FuncOp) else ""
                if name not in declared:
                    declared.add(name)
                    op.body.block.add_op(made)
            op.body.block.erase_op(kernel, safe_erase=False)


def refuse_registers(function: llvm.FuncOp) -> None:
    """Threads and barriers are known to kernels only, not to the functions that they call."""
    for op in function.body.walk():
        if isinstance(op, llvm.CallIntrinsicOp) and (op.intrin.data in REGISTERS or op.intrin.data == BARRIER):
            raise LoweringError(
                f"emulate-gpu: @{function.sym_name.data} uses {op.intrin.data}; only a kernel may do so: inline the function"
            )


def share_memory(module: ModuleOp) -> None:
    """Memory that the threads of a block share becomes a variable; there is one block at a time."""
    for op in list(module.walk()):
        match op:
            case llvm.GlobalOp() if op.addr_space == IntegerAttr(llvm_ext.SHARED_SPACE, i32):
                op.properties["addr_space"] = IntegerAttr(0, i32)
                op.properties["value"] = UnitAttr()  # LLVM's zeroinitializer
            case llvm_ext.AddrSpaceCastOp() if op.arg.type == SHARED:
                address = op.arg.owner
                assert isinstance(address, llvm.AddressOfOp)
                new = llvm.AddressOfOp(address.global_name, POINTER)
                assert op.parent is not None
                op.parent.insert_op_before(new, op)
                op.result.replace_all_uses_with(new.result)
                op.parent.erase_op(op)
                if not address.result.uses:
                    address.detach()
                    address.erase()
            case _:
                pass
