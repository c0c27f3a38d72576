"""
Traces: values that are recorded inside of trials, after executions of nodes (`cog.record`).

```mlir
%at = func.call @cogir_trace_each(%trace, %words) : (i64, i64) -> i64          // the place of the next record of a trace
func.call @cogir_trace_put(%at, %bits) : (i64, i64) -> ()                     // one word of it
func.call @cogir_trace_end(%traces) : (i64) -> ()                             // the trial is over
```

These functions have no body on this level, so that passes take a call to do anything at all, and leave it where it stands. `add-entry`
gives them bodies, which write into memory of the caller (`lowering/entry/traces.py`). A record that is due once in a while asks for its
place by `@cogir_trace_some(%trace, %words, %every)`. Without traces there is none of this. Loops that record are not split into lanes.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, func, tensor
from xdsl.dialects.builtin import f32, f64, i1, i64
from xdsl.ir import SSAValue

from cogir.interpreters.traces import EACH, END, FUNCTIONS, PUT, SOME
from cogir.irutils import element_type_of, shape_of
from cogir.lowering.machine.emitter import BlockEmitter, is_tensor
from cogir.lowering.machine.state import MachineState
from cogir.model.traces import TracedQuantity

FEW = 4
"""Most words that are put one by one."""


def declarations(traces: Sequence[TracedQuantity]) -> list[func.FuncOp]:
    """The functions that a module with traces calls, without bodies."""
    return [func.FuncOp.external(name, [i64] * given, [i64] * results) for name, (given, results) in FUNCTIONS.items() if traces]


def record(state: MachineState, trace: TracedQuantity, value: SSAValue) -> None:
    """Records a value of a trace, unless the trial is only simulated."""
    if state.simulates:
        return
    emitter = state.emitter
    at = _place(state, trace)
    if not is_tensor(value.type):
        emitter.call(PUT, [at, _bits(emitter, value)], [])
        return
    _put_all(emitter, value, shape_of(value.type), at)


def record_flags(state: MachineState, trace: TracedQuantity, flags: Sequence[SSAValue]) -> None:
    """Records a trace of flags, given one by one."""
    if state.simulates:
        return
    emitter, at = state.emitter, _place(state, trace)
    for number, flag in enumerate(flags):
        place = emitter.add_integers(at, emitter.integer(number)) if number else at
        emitter.call(PUT, [place, emitter.as_integer(flag)], [])


def end_traces(state: MachineState) -> None:
    """Says that a trial is over."""
    if state.layout.traces:
        state.emitter.call(END, [state.emitter.integer(len(state.layout.traces))], [])


def _place(state: MachineState, trace: TracedQuantity) -> SSAValue:
    """The place of the next record."""
    emitter = state.emitter
    given = [emitter.integer(state.layout.traces.index(trace)), emitter.integer(trace.size)]
    if trace.every == 1:
        return emitter.call(EACH, given, [i64])[0]
    return emitter.call(SOME, [*given, emitter.integer(trace.every)], [i64])[0]


def _put_all(emitter: BlockEmitter, value: SSAValue, shape: Sequence[int], at: SSAValue) -> None:
    """Puts the elements of an array in the order of rows: a loop along each axis but short ones."""

    def along(inner: BlockEmitter, axis: int, indices: list[SSAValue], place: SSAValue) -> None:
        if axis == len(shape):
            element = inner.value(tensor.ExtractOp(value, indices, element_type_of(value.type)))
            inner.call(PUT, [place, _bits(inner, element)], [])
            return
        below = 1
        for extent in shape[axis + 1 :]:
            below *= extent
        if shape[axis] <= FEW:
            for number in range(shape[axis]):
                there = inner.add_integers(place, inner.integer(number * below)) if number else place
                along(inner, axis + 1, [*indices, inner.index(number)], there)
            return

        def one(deeper: BlockEmitter, index: SSAValue, held: list[SSAValue]) -> Sequence[SSAValue]:
            step = deeper.value(arith.MuliOp(deeper.value(arith.IndexCastOp(index, i64)), deeper.integer(below)))
            along(deeper, axis + 1, [*indices, index], deeper.add_integers(place, step))
            return held

        inner.loop_for(shape[axis], [], one, hint="word")

    along(emitter, 0, [], at)


def _bits(emitter: BlockEmitter, value: SSAValue) -> SSAValue:
    """A number as a word of 64 bits: floats as f64, others as i64."""
    if value.type == f32:
        value = emitter.value(arith.ExtFOp(value, f64))
    if value.type == f64:
        return emitter.value(arith.BitcastOp(value, i64))
    return emitter.as_integer(value) if value.type == i1 else value
