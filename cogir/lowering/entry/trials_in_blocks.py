"""
The trials of all replicates in blocks, where `batch-trials` has made functions over blocks of trials.

`@trial_ahead` draws for each trial, from the generators of its replicate.
"""

from __future__ import annotations

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import IndexType, i1, i64
from xdsl.ir import SSAValue

from cogir.lowering.entry.blocks import TrialBlocks, row_of
from cogir.lowering.entry.code import Code
from cogir.lowering.entry.control_flow import loop, when
from cogir.lowering.entry.replicate_lanes import BUSY, NEXT, ReplicateLanes


class TrialsInBlocks:
    """Builds the loop over blocks of trials of an entry with one lane."""

    def __init__(self, lanes: ReplicateLanes, blocks: TrialBlocks):
        self.lanes = lanes
        self.blocks = blocks

    def build(self, code: Code) -> None:
        """while trials are left: a block of them, or one trial where few are left"""
        lane = code.constant(0, IndexType())
        self.lanes.set_free(code, lane)
        code.store(code.constant(0), self.lanes.words, BUSY)
        self.filled = code.value(memref.AllocaOp.get(i64, shape=[2]), "filled")
        self.blocks.allocate(code)

        def go_on(code: Code) -> SSAValue:
            busy = self.lanes.is_busy(code, lane)
            left = self.lanes.are_left(code)
            return code.value(arith.AndIOp(self.lanes.is_fine(code), code.value(arith.OrIOp(busy, left))))

        def step(code: Code) -> None:
            waiting = code.value(arith.SubiOp(self.lanes.last, code.load(self.lanes.words, NEXT)))
            begun = code.select(self.lanes.is_busy(code, lane), self.lanes.get(code, "trial", lane), self.lanes.given["trials"])
            of_this = code.value(arith.SubiOp(self.lanes.given["trials"], begun))
            left = code.value(arith.AddiOp(code.value(arith.MuliOp(waiting, self.lanes.given["trials"])), of_this), "left")
            enough = code.compare(left, "sge", code.constant(self.blocks.fewest))

            def one(code: Code) -> None:
                when(code, self.lanes.is_idle(code, lane), lambda code: self.lanes.take_next(code, lane))
                self.lanes.one_trial(code, lane)

            when(code, enough, lambda code: self.block(code, lane))
            when(code, code.value(arith.XOrIOp(enough, code.constant(1, i1))), one)

        loop(code, go_on, step)
        self.blocks.free(code)

    def block(self, code: Code, lane: SSAValue) -> None:
        """As many trials as a block has, or as are left."""
        rows, first = 0, 1  # words of `filled`: the rows so far, and the row of outputs of the first one
        code.store(code.constant(0), self.filled, rows)

        def has_room(code: Code) -> SSAValue:
            busy = self.lanes.is_busy(code, lane)
            left = self.lanes.are_left(code)
            room = code.compare(code.load(self.filled, rows), "slt", code.constant(self.blocks.size))
            return code.value(arith.AndIOp(room, code.value(arith.OrIOp(busy, left))))

        def fill(code: Code) -> None:
            when(code, self.lanes.is_idle(code, lane), lambda code: self.lanes.take_next(code, lane))
            number = code.load(self.filled, rows)
            place = self.lanes.row_out(code, lane)
            is_first = code.compare(number, "eq", code.constant(0))
            when(code, is_first, lambda code: code.store(place, self.filled, first))
            row_in, _ = self.lanes.rows(code, lane)
            code.builder.insert(memref.CopyOp(row_in, row_of(code, self.blocks.rows_in, number)))
            if self.blocks.ahead is not None:
                pf, pi = self.lanes.parameters(code, lane)
                _, si = self.lanes.state(code, lane)
                self.blocks.run_ahead(code, number, pf, pi, si, self.lanes.generators(code, lane), self.blocks.rows_in)
            code.store(code.value(arith.AddiOp(number, code.constant(1))), self.filled, rows)
            self.lanes.finish_trial(code, lane, code.constant(0))

        loop(code, has_room, fill)
        count = code.load(self.filled, rows)
        self.blocks.compute(
            code,
            [*self.lanes.shared, *self.lanes.state(code, lane)],
            code.value(arith.SubiOp(count, code.constant(1))),
            self.blocks.rows_in,
            self.blocks.rows_out,
        )
        self.blocks.hand_on(code, count, self.lanes.given["out"], code.load(self.filled, first))
        self.lanes.stop_if_asked(code)
