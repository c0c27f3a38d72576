"""
Builds the kernel `@replicates` or `@sweep`: the entry of `replicates.py` for a GPU, where each thread is a lane of its own.

```mlir
func.func @replicates(%pf, %pi, %sf, %si, %in, %n_in, %out, %lengths, %first, %count, %trials, %seed, %statuses: memref<?xi64>,
                      %control: memref<16xi64>) attributes {nvvm.kernel}
```

A thread takes the next index from a counter that all threads share, `control[1]`, until `first + count` is reached. It writes the
outcome of its replicate into `statuses`: 0, or the status of the trial that it ended with (a step limit or a fault), of which
`control[2]` is the highest. A replicate that was not begun, or that the flag in `control[0]` stopped, leaves its status as it is. One
that ends does not stop others.

Where `fill-lanes` took the trial apart, the kernel is one loop:

    while the thread is busy:
        if its loop is finished:  end its trial; take the next one, or the next replicate; begin that
        two iterations (or one) of the loop

so the threads of a warp meet in each iteration, and one whose trial is over waits for no other.
"""

from __future__ import annotations

from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerAttr, MemRefType, UnitAttr, i64
from xdsl.ir import Attribute, SSAValue

from cogir.dialects.llvm_ext import KERNEL
from cogir.lowering.entry.code import Code
from cogir.lowering.entry.control_flow import when
from cogir.lowering.entry.lanes_side_by_side import LanesSideBySide
from cogir.lowering.entry.replicate_lanes import NEXT
from cogir.lowering.entry.replicates import ReplicatesEntry

COUNTER, HIGHEST = 1, 2
"""Words of a kernel's control: how many indices have been taken, and the highest status."""
ADD, MAXIMUM = 1, 4
"""`addi` and `maxs` of `memref.atomic_rmw`."""


class LanesOfThread(LanesSideBySide):
    """Builds the loop of a thread."""

    def renew(self, code: Code, lane: SSAValue) -> None:
        lanes = self.lanes
        when(code, lanes.is_busy(code, lane), lambda code: self.end_trial(code, lane))
        when(code, lanes.is_idle(code, lane), lambda code: when(code, lanes.is_left(code), lambda code: lanes.take_next(code, lane)))
        when(code, lanes.is_busy(code, lane), lambda code: self.begin_trial(code, lane))

    def go_on(self, code: Code) -> None:
        self.iterate(code)


class ReplicatesKernel(ReplicatesEntry):
    """Builds the kernel from the functions of a module for replicates, as `bufferize` leaves them."""

    def seeded_together(self) -> None:
        """Each thread has one replicate at a time."""

    def signature(self) -> dict[str, Attribute]:
        """The arguments by name, with their types."""
        types = super().signature()
        control = types.pop("control")
        return types | {"statuses": MemRefType(i64, (DYNAMIC_INDEX,)), "control": control}

    def build(self) -> func.FuncOp:
        """The kernel."""
        function = self.function([])
        function.attributes[KERNEL] = UnitAttr()
        code = Code.at_end(function.body.block)
        self.make_memory(code)
        if self.in_lanes:
            LanesOfThread(self).build(code)
        else:
            self.one_by_one(code)
        code.builder.insert(func.ReturnOp())
        return function

    def fetch(self, code: Code) -> None:
        """The thread gets an index of its own."""
        taken = self.update(code, ADD, code.constant(1), COUNTER)
        code.store(code.value(arith.AddiOp(self.given["first"], taken)), self.words, NEXT)

    def update(self, code: Code, kind: int, value: SSAValue, word: int) -> SSAValue:
        """Changes a word of control as one step; gives what it was before."""
        op = memref.AtomicRMWOp.build(
            operands=[value, self.given["control"], [code.constant(word, IndexType())]],
            properties={"kind": IntegerAttr(kind, i64)},
            result_types=[i64],
        )
        return code.value(op)

    def is_left(self, code: Code) -> SSAValue:
        self.fetch(code)
        return super().is_left(code)

    def take_next(self, code: Code, lane: SSAValue) -> None:
        self.begin(code, lane, code.load(self.words, NEXT))

    def finish_trial(self, code: Code, lane: SSAValue, status: SSAValue) -> None:
        """As on the CPU, but a trial that was stopped on its way is not read."""
        self.stop_if_asked(code)

        def report(code: Code) -> None:
            place = self.place(code, lane)
            super(ReplicatesKernel, self).finish_trial(code, lane, status)
            when(code, self.is_idle(code, lane), lambda code: self.end(code, place, status))

        when(code, self.is_fine(code), report)

    def end(self, code: Code, place: SSAValue, status: SSAValue) -> None:
        """A replicate is over."""
        outcome = code.value(arith.MaxSIOp(status, code.constant(0)), "outcome")
        code.store_at(outcome, self.given["statuses"], place)

    def fail(self, code: Code, lane: SSAValue, status: SSAValue) -> None:
        """A node hit its step limit, or a check failed: this replicate ends."""
        self.update(code, MAXIMUM, status, HIGHEST)
