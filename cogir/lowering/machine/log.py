"""
The log of a node: when it was executed, and what its ports and states held afterwards.

    node/log:rows     tensor<room x (3 + words) x f64>: trial, pass, time step, and the values of ports, then of states
    node/log:count    i64: how many executions there have been since somebody set it to zero

Rows are filled from the first one on, and not looked at. Executions for which there is no room overwrite the last row: then the count is
greater than the room, and whoever reads the log has to make more.
"""

from __future__ import annotations

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import IndexType, f64
from xdsl.ir import SSAValue

from cogir.lowering.machine.emitter import BlockEmitter
from cogir.lowering.machine.plan import TIMES_LOGGED, InstancePlan
from cogir.lowering.machine.state import MachineState

FEW = 4
"""Most words that are copied one by one."""


def log_execution(state: MachineState, plan: InstancePlan, node: str) -> None:
    """A row for the execution of a node that has just taken place, if it is logged."""
    if node not in plan.logged:
        return
    state.save()
    emitter, layout = state.emitter, state.layout
    rows, count = layout[plan.paths.log_rows(node)], state.read(plan.paths.log_count(node))
    room, width = rows.shape
    last = emitter.integer(room - 1)
    number = emitter.choose(emitter.compare(count, "slt", last), count, last)
    row = emitter.add_integers(emitter.value(arith.MuliOp(number, emitter.integer(width))), emitter.integer(rows.offset))
    begin = emitter.value(arith.IndexCastOp(row, IndexType()), "row")
    buffer, column = state.buffers["sf"], 0
    for unit, within in TIMES_LOGGED:
        time = emitter.value(arith.SIToFPOp(state.read(plan.paths.elapsed(unit, within)), f64))
        buffer = _put(emitter, buffer, time, begin, emitter.index(column))
        column += 1
    for path in plan.logged[node]:
        slot = layout[path]
        buffer = _copy(emitter, buffer, slot.offset, slot.size, begin, column)
        column += slot.size
    state.buffers["sf"] = buffer
    state.write(plan.paths.log_count(node), emitter.add_integers(count, emitter.integer(1)))


def _put(emitter: BlockEmitter, buffer: SSAValue, value: SSAValue, begin: SSAValue, column: SSAValue) -> SSAValue:
    """The buffer with a word in a column of the row that begins there."""
    return emitter.value(tensor.InsertOp(value, buffer, emitter.value(arith.AddiOp(begin, column))), buffer.name_hint)


def _copy(emitter: BlockEmitter, buffer: SSAValue, offset: int, size: int, begin: SSAValue, column: int) -> SSAValue:
    """The buffer with neighbouring words in neighbouring columns, too."""

    def one(inner: BlockEmitter, index: SSAValue, held: SSAValue) -> SSAValue:
        source = inner.value(arith.AddiOp(index, inner.index(offset)))
        word = inner.value(tensor.ExtractOp(held, source, f64))
        return _put(inner, held, word, begin, inner.value(arith.AddiOp(index, inner.index(column))))

    if size > FEW:
        return emitter.loop_for(size, [buffer], lambda inner, index, held: [one(inner, index, held[0])], hint="word")[0]
    for index in range(size):
        word = emitter.value(tensor.ExtractOp(buffer, emitter.index(offset + index), f64))
        buffer = _put(emitter, buffer, word, begin, emitter.index(column + index))
    return buffer
