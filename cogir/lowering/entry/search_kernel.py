"""
Builds the kernel of a search around the function that `outline-gpu` has made for a thread's points.

Before: `@search_0`, which stands for the kernel, and `@search_0_points`, both on memory, as `bufferize` leaves them.
After:

```mlir
func.func @search_0(%first: index, %last: index, %bests: memref<2048xf64>, %points: memref<2048xi64>, %a, ..., %control)
    attributes {nvvm.kernel} {
  %best, %point = func.call @search_0_points(%first + number of the thread, %last, number of threads, %a, ..., %control)
  // shared[thread] = %best, %point
  gpu.barrier;  the first 128 threads:  shared[thread] = the better one of shared[thread] and shared[thread + 128]
  gpu.barrier;  the first 64 threads:   ...
  ...
  gpu.barrier;  thread 0:  %bests[block], %points[block] = the better one of these and shared[0]
}
```

Counts of events are added to the row of the block, and values of points are stored where they belong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from xdsl.dialects import arith, func, gpu, memref
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    StringAttr,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from cogir.dialects.llvm_ext import KERNEL, SHARED_SPACE
from cogir.irutils import shape_of
from cogir.limits import BLOCK_THREADS
from cogir.lowering.entry.code import CONTROL, Code
from cogir.lowering.entry.control_flow import cast_to, when
from cogir.lowering.entry.replicates_kernel import ADD
from cogir.transforms.outline_gpu import POINTS, TABLES, PartOptimum, better_of

SHARED = IntegerAttr(SHARED_SPACE, i64)
"""The memory that the threads of a block share."""
X = gpu.DimensionAttr(gpu.DimensionEnum.X)


@dataclass
class SearchKernel:
    """Builds the kernel of one search."""

    search: func.FuncOp
    """`@search_0` on memory."""
    points: func.FuncOp
    """`@search_0_points` on memory; it may take `control` as its last argument."""
    takes_control: bool
    minimizes: bool
    memories: list[memref.GlobalOp] = field(default_factory=list[memref.GlobalOp])
    """The shared memory, a global for each array."""

    def __post_init__(self) -> None:
        self.name = self.search.sym_name.data
        names = cast("ArrayAttr[StringAttr]", self.search.attributes[TABLES])
        self.tables = [name.data for name in names]
        self.count = len(self.points.function_type.outputs)
        """The number of values of an optimum: two, or four with the first error."""

    def build(self) -> list[Operation]:
        """The kernel, and its shared memory."""
        types = [*self.search.function_type.inputs, CONTROL]
        facts = [DictionaryAttr({"llvm.noalias": UnitAttr()} if isinstance(type, MemRefType) else {}) for type in types]
        kernel = func.FuncOp(self.name, (types, []), arg_attrs=ArrayAttr(facts))
        kernel.attributes[KERNEL] = UnitAttr()
        kernel.attributes[TABLES] = self.search.attributes[TABLES]
        for argument, before in zip(kernel.args, self.search.args, strict=False):
            argument.name_hint = before.name_hint
        kernel.args[-1].name_hint = "control"
        code = Code.at_end(kernel.body.block)
        tables = ("first", "last", *self.tables)
        given = {**dict(zip(tables, kernel.args, strict=False)), "control": kernel.args[-1]}
        captured = list(kernel.args[len(tables) : -1])
        thread, block, threads, blocks = (code.value(op(X)) for op in (gpu.ThreadIdOp, gpu.BlockIdOp, gpu.BlockDimOp, gpu.GridDimOp))
        found, counts = self.search_points(code, given, captured, (thread, block, threads, blocks))
        shared = [self.shared(code, number, value.type) for number, value in enumerate(found.values())]
        self.write(code, shared, thread, found)
        self.reduce(code, shared, thread, threads)
        first = code.compare(thread, "eq", code.constant(0, IndexType()))
        rows = [given[name] for name in self.tables[: self.count]]
        when(code, first, lambda code: self.combine(code, rows, block, shared, code.constant(0, IndexType())))
        if counts is not None:
            self.add_counts(code, given["counts"], block, counts)
        code.builder.insert(func.ReturnOp())
        return [kernel, *self.memories]

    def search_points(
        self, code: Code, given: Mapping[str, SSAValue], captured: Sequence[SSAValue], numbers: tuple[SSAValue, ...]
    ) -> tuple[PartOptimum, SSAValue | None]:
        """The optimum that a thread finds at its points, and the memory in which it has counted events."""
        thread, block, threads, blocks = numbers
        number = code.value(arith.AddiOp(code.value(arith.MuliOp(block, threads)), thread), "number")
        start = code.value(arith.AddiOp(given["first"], number), "start")
        stride = code.value(arith.MuliOp(blocks, threads), "stride")
        operands = [start, given["last"], stride, *([given["values"]] if "values" in given else []), *captured]
        counts = None
        if "counts" in given:
            counts = code.value(memref.AllocaOp.get(i64, shape=[shape_of(given["counts"].type)[1]]), "counted")
            operands.append(counts)
        if self.takes_control:
            operands.append(given["control"])
        wanted = self.points.function_type
        held = [cast_to(code, value, type) for value, type in zip(operands, wanted.inputs, strict=True)]
        call = code.builder.insert(func.CallOp(self.points.sym_name.data, held, wanted.outputs.data))
        return PartOptimum.of(call.results), counts

    def shared(self, code: Code, number: int, element: Attribute) -> SSAValue:
        """An array with a place for each thread of a block."""
        name = f"{self.name}_shared_{number}"
        type = MemRefType(element, (BLOCK_THREADS,), memory_space=SHARED)
        self.memories.append(memref.GlobalOp.get(StringAttr(name), type, UnitAttr()))
        return code.value(memref.GetGlobalOp(name, type), "shared")

    def reduce(self, code: Code, shared: list[SSAValue], thread: SSAValue, threads: SSAValue) -> None:
        """The places of all threads become one, in a tree."""
        half = BLOCK_THREADS // 2
        while half:
            distance = code.constant(half, IndexType())
            other = code.value(arith.AddiOp(thread, distance))
            takes = code.value(arith.AndIOp(code.compare(thread, "ult", distance), code.compare(other, "ult", threads)))
            code.builder.insert(gpu.BarrierOp())
            when(code, takes, lambda code, other=other: self.combine(code, shared, thread, shared, other))
            half //= 2
        code.builder.insert(gpu.BarrierOp())

    def combine(self, code: Code, into: Sequence[SSAValue], place: SSAValue, other: Sequence[SSAValue], there: SSAValue) -> None:
        """`into[place]` becomes the better one of itself and `other[there]`."""
        one, two = self.read(code, into, place), self.read(code, other, there)
        self.write(code, into, place, better_of(code.builder, one, two, self.minimizes))

    @staticmethod
    def read(code: Code, arrays: Sequence[SSAValue], place: SSAValue) -> PartOptimum:
        """The optimum at a place of some arrays."""
        return PartOptimum.of([code.value(memref.LoadOp.get(array, [place])) for array in arrays])

    @staticmethod
    def write(code: Code, arrays: Sequence[SSAValue], place: SSAValue, found: PartOptimum) -> None:
        """Stores an optimum at a place of some arrays."""
        for array, value in zip(arrays, found.values(), strict=True):
            code.builder.insert(memref.StoreOp.get(value, array, [place]))

    def add_counts(self, code: Code, table: SSAValue, block: SSAValue, counts: SSAValue) -> None:
        """Adds the events of a thread to those of its block."""
        for number in range(shape_of(cast("MemRefType[Any]", counts.type))[0]):
            count = code.load(counts, number)

            def add(code: Code, number: int = number, count: SSAValue = count) -> None:
                op = memref.AtomicRMWOp.build(
                    operands=[count, table, [block, code.constant(number, IndexType())]],
                    properties={"kind": IntegerAttr(ADD, i64)},
                    result_types=[i64],
                )
                code.builder.insert(op)

            when(code, code.compare(count, "ne", code.constant(0)), add)


def points_of(search: func.FuncOp) -> str:
    """The name of the function for a thread's points."""
    return search.sym_name.data + POINTS
