"""
Replicates side by side in lanes, where `fill-lanes` took the trial apart: a lane whose loop is finished takes its next trial or the next
replicate, while the others wait.

    while a lane is busy:
        for each lane that is finished:  end its trial; take the next one, or the next replicate; begin that
        until one is finished:           two iterations (or one) of the loop for all lanes
"""

from __future__ import annotations

from typing import Any

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, MemRefType, i64
from xdsl.dialects.linalg.ops import FillOp
from xdsl.ir import SSAValue

from cogir.irutils import is_float, shape_of, size_of
from cogir.lowering.buffers.emission import LARGEST_ON_STACK
from cogir.lowering.entry.code import Code
from cogir.lowering.entry.control_flow import cast_to, for_each, loop, when
from cogir.lowering.entry.lane_normals import LaneNormals, tables_of
from cogir.lowering.entry.replicate_lanes import ANY, BUSY, ITERATIONS, ReplicateLanes
from cogir.transforms.fill_lanes import BEGIN, END, ITERATE

POLL_EVERY = 256
"""Lanes ask whether they should stop once in so many iterations (a power of two)."""


class LanesSideBySide:
    """Builds the loop around the lanes of an entry."""

    def __init__(self, lanes: ReplicateLanes):
        self.lanes = lanes

    def build(self, code: Code) -> None:
        """The loop."""
        presampled = {table for table, _ in tables_of(self.lanes.functions[ITERATE])}
        self.held = [self.table(code, type, number in presampled) for number, type in enumerate(self.lanes.tables)]
        self.finished = self.table(code, MemRefType(i64, (self.lanes.lane_count,)))
        for_each(code, self.lanes.lane_count, self.start_empty)

        def serve(code: Code) -> SSAValue:
            for_each(code, self.lanes.lane_count, self.serve)
            busy = code.compare(code.load(self.lanes.words, BUSY), "ne", code.constant(0))
            return code.value(arith.AndIOp(self.lanes.is_fine(code), busy))

        loop(code, serve, self.go_on)

    def table(self, code: Code, type: MemRefType[Any], is_presampled: bool = False) -> SSAValue:
        """
        A table of `fill-lanes`, in memory, filled for the lanes that never have a replicate: with zeros, and an address where states of
        presampled generators are held. It ends on the boundary of a vector, so that no load crosses one.
        """
        on_heap = 8 * size_of(type) > LARGEST_ON_STACK
        op = (memref.AllocOp if on_heap else memref.AllocaOp).get(type.element_type, alignment=64, shape=list(shape_of(type)))
        buffer = code.value(op)
        if on_heap:
            self.lanes.heap.append(buffer)
        if is_presampled and self.lanes.normals is not None:
            idle = self.lanes.normals.address
        else:
            zero = FloatAttr(0.0, type.element_type) if is_float(type) else IntegerAttr(0, type.element_type)
            idle = code.value(arith.ConstantOp(zero))
        code.builder.insert(FillOp([idle], [buffer], res=()))
        return cast_to(code, buffer, type)

    def start_empty(self, code: Code, lane: SSAValue) -> None:
        """A lane that asks for its first replicate."""
        self.lanes.put(code, "replicate", lane, code.constant(-1))
        code.builder.insert(memref.StoreOp.get(code.constant(1), self.finished, [lane]))

    def serve(self, code: Code, lane: SSAValue) -> None:
        """Ends the trial of a lane that is finished, and begins another one."""
        flag = code.value(memref.LoadOp.get(self.finished, [lane]))
        when(code, code.compare(flag, "ne", code.constant(0)), lambda code: self.renew(code, lane))

    def renew(self, code: Code, lane: SSAValue) -> None:
        when(code, self.lanes.is_busy(code, lane), lambda code: self.end_trial(code, lane))
        when(
            code,
            code.value(arith.AndIOp(self.lanes.is_idle(code, lane), self.lanes.are_left(code))),
            lambda code: self.lanes.take_next(code, lane),
        )
        when(code, self.lanes.is_busy(code, lane), lambda code: self.begin_trial(code, lane))

    def begin_trial(self, code: Code, lane: SSAValue) -> None:
        self.lanes.prepare_trial(code, lane)
        row_in, _ = self.lanes.rows(code, lane)
        self.lanes.call(code, BEGIN, [*self.lanes.begun(code, lane, row_in), lane, *self.held])

    def end_trial(self, code: Code, lane: SSAValue) -> None:
        row_in, row_out = self.lanes.rows(code, lane)
        self.lanes.finish_trial(code, lane, self.lanes.call(code, END, [*self.lanes.begun(code, lane, row_in), lane, *self.held, row_out]))

    def go_on(self, code: Code) -> None:
        """Iterates all lanes until one is finished."""
        code.store(code.constant(0), self.lanes.words, ANY)

        def nothing_yet(code: Code) -> SSAValue:
            nobody = code.compare(code.load(self.lanes.words, ANY), "eq", code.constant(0))
            return code.value(arith.AndIOp(self.lanes.is_fine(code), nobody))

        loop(code, nothing_yet, self.iterate)

    def iterate(self, code: Code) -> None:
        """Iterates all lanes once, and now and then asks whether to stop."""
        code.store(self.lanes.call(code, ITERATE, [*self.lanes.shared, *self.held, self.finished]), self.lanes.words, ANY)
        iterations = code.value(arith.AddiOp(code.load(self.lanes.words, ITERATIONS), code.constant(1)), "iterations")
        code.store(iterations, self.lanes.words, ITERATIONS)
        low = code.value(arith.AndIOp(iterations, code.constant(POLL_EVERY - 1)))
        when(code, code.compare(low, "eq", code.constant(0)), self.lanes.stop_if_asked)
        normals = self.lanes.normals
        if isinstance(normals, LaneNormals):
            low = code.value(arith.AndIOp(iterations, code.constant(normals.calls - 1)))
            when(code, code.compare(low, "eq", code.constant(0)), lambda code: self.ask_all(code, normals))

    def ask_all(self, code: Code, normals: LaneNormals) -> None:
        """Draws the normals that lanes with a replicate need."""

        def ask(code: Code, lane: SSAValue) -> None:
            when(code, self.lanes.is_busy(code, lane), lambda code: normals.ask(code, lane, self.held))

        for_each(code, self.lanes.lane_count, ask)
