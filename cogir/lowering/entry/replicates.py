"""
Builds the native entry `@replicates`: many independent runs of one model, each with streams of random numbers of its own.

```mlir
func.func @replicates(%pf, %pi, %sf, %si, %in: memref<?xIxf64>, %n_in: i64, %out: memref<?xOxf64>, %lengths: memref<?xi64>,
                      %first: i64, %count: i64, %trials: i64, %seed: i64, %control: memref<16xi64>) -> i32
```

Replicate `first <= r < first + count` begins in the state %sf, %si, which stay as they are, with the generators of the key (seed, r).
Its trial `t < trials` reads input row `t % n_in` and writes output row `(r - first) * trials + t`; `lengths[r - first]` says how many
trials it has had, which are fewer than `trials` if the run's own termination held. The result is that of `@run`: 0 when all is done, 1
when it was stopped, 2 when a node hit its step limit: `control` then holds the number of the replicate (word 1) and the node (word 2).

In a module for sweeps (`replicate{points=true}`) the entry goes through replicates at many points:

```mlir
func.func @sweep(%pf: memref<?xFxf64>, %pi, %sf, %si, %in: memref<?xIxf64>, %vary: memref<6xi64>, %n_in: i64, %out: memref<?xOxf64>,
                 %lengths: memref<?xi64>, %first: i64, %count: i64, %trials: i64, %per_point: i64, %first_point: i64, %seed: i64,
                 %control: memref<16xi64>) -> i32
```

Index `first <= i < first + count` is replicate `i % per_point` at point `i / per_point`, whose parameters, state and inputs are row
`point - first_point` of their tables. A table has one row for all points where its word of %vary (pf, pi, sf, si, in) is 0, else 1; of
inputs, a row stands for the n_in rows of a replicate. If the last word of %vary is not 0, replicates begin where `@init` puts them,
whatever is in %sf and %si.

There are three ways through the replicates: one after the other; the trials of all of them in blocks (`trials_in_blocks.py`); or side by
side in lanes (`lanes_side_by_side.py`).
"""

from __future__ import annotations

from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import IndexType, i32

from cogir.lowering.entry.blocks import TrialBlocks
from cogir.lowering.entry.code import Code
from cogir.lowering.entry.control_flow import loop
from cogir.lowering.entry.lanes_side_by_side import LanesSideBySide
from cogir.lowering.entry.replicate_lanes import NEXT, RESULT, ReplicateLanes
from cogir.lowering.entry.trials_in_blocks import TrialsInBlocks
from cogir.transforms.batch_trials import TRIALS


class ReplicatesEntry(ReplicateLanes):
    """Builds `@replicates`, or `@sweep`, from the functions of a module for replicates, as `bufferize` leaves them."""

    def build(self) -> func.FuncOp:
        """The entry."""
        function = self.function([i32])
        code = Code.at_end(function.body.block)
        self.make_memory(code)
        code.store(self.given["first"], self.words, NEXT)
        if self.in_lanes:
            LanesSideBySide(self).build(code)
        elif TRIALS in self.functions:
            TrialsInBlocks(self, TrialBlocks(self.functions, self.stoppable, self.given["control"])).build(code)
        else:
            self.one_by_one(code)
        result = code.value(arith.TruncIOp(code.load(self.words, RESULT), i32))
        for buffer in self.heap:
            code.builder.insert(memref.DeallocOp.get(buffer))
        code.builder.insert(func.ReturnOp(result))
        return function

    def one_by_one(self, code: Code) -> None:
        """for each replicate: begin; while it goes on: one trial."""
        lane = code.constant(0, IndexType())

        def one(code: Code) -> None:
            self.take_next(code, lane)
            loop(code, lambda code: self.is_busy(code, lane), lambda code: self.one_trial(code, lane))

        loop(code, self.is_left, one)
