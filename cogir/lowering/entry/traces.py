"""
The functions by which trials record traces, with bodies that write into memory of the caller.

Before: `@trial` calls `@cogir_trace_each`, `@cogir_trace_some`, `@cogir_trace_put` and `@cogir_trace_end`, which have no body.
After:  they have one, and take `%control` and `%trace: memref<?xi64>`, which is the last argument of the entry and of `@trial`.

`%trace` holds, in words of 64 bits: 0 whether a record found no place; 1 the first word of a place for records that are not kept; then,
from `HEADER` on, for each trace and at last for the ends of trials, four words: the place of the next record, the end of what may be
written, the place from which on the run should end with the trial, and how many executions to pass over until the next record. The records
themselves lie behind, where these words say.

A record without a place sets word 0 and the stop flag: the trial is then given up, and the caller makes more room. When a trial is over,
the places of all traces are written down as its end; whoever is past the third word sets the budget of the run, so that it ends there.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, MemRefType, StringAttr, i1, i64
from xdsl.ir import Attribute, Block, Region, SSAValue

from cogir.analysis.signatures import INLINE
from cogir.interpreters.traces import EACH, END, FUNCTIONS, PUT, SOME
from cogir.lowering.entry.code import BUDGET, CONTROL, STOP, Code

TRACE = MemRefType(i64, (DYNAMIC_INDEX,))
FULL, NOWHERE, HEADER = 0, 1, 2
NEXT, LIMIT, ENOUGH, PASS_OVER = range(4)
OF_TRACE = 4
"""Words of each trace in the header."""


def records(function: func.FuncOp) -> bool:
    """True if a trial records traces."""
    return any(isinstance(op, func.CallOp) and op.callee.string_value() in FUNCTIONS for op in function.body.walk())


def hand_over(trial: func.FuncOp, control: SSAValue, trace: SSAValue) -> None:
    """The calls in a trial hand over what the functions work on."""
    for op in list(trial.body.walk()):
        if isinstance(op, func.CallOp) and op.callee.string_value() in FUNCTIONS:
            op.operands = [*op.operands, control, trace]


def trace_functions(names: Sequence[str]) -> list[func.FuncOp]:
    """The functions of these names, with bodies."""
    makers = {EACH: _each, SOME: _some, PUT: _put, END: _end}
    return [makers[name]() for name in names]


def _function(name: str, words: int, results: list[Attribute]) -> tuple[func.FuncOp, Code]:
    function = func.FuncOp(name, ([*[i64] * words, CONTROL, TRACE], results), visibility="private")
    function.attributes[INLINE] = StringAttr("always")
    names = {EACH: ("trace", "words"), SOME: ("trace", "words", "every"), PUT: ("at", "word"), END: ("traces",)}[name]
    for argument, hint in zip(function.args, (*names, "control", "memory"), strict=True):
        argument.name_hint = hint
    return function, Code.at_end(function.body.block)


def _at(code: Code, place: SSAValue) -> SSAValue:
    return code.value(arith.IndexCastOp(place, IndexType()))


def _load(code: Code, memory: SSAValue, place: SSAValue) -> SSAValue:
    return code.value(memref.LoadOp.get(memory, [_at(code, place)]))


def _store(code: Code, word: SSAValue, memory: SSAValue, place: SSAValue) -> None:
    code.builder.insert(memref.StoreOp.get(word, memory, [_at(code, place)]))


def _add(code: Code, place: SSAValue, number: int) -> SSAValue:
    return code.value(arith.AddiOp(place, code.constant(number))) if number else place


def _header(code: Code, trace: SSAValue) -> SSAValue:
    """The first of the words of a trace in the header."""
    return _add(code, code.value(arith.MuliOp(trace, code.constant(OF_TRACE))), HEADER)


def _take(code: Code, header: SSAValue, words: SSAValue, control: SSAValue, memory: SSAValue) -> SSAValue:
    """The place of a record of so many words; without room, the place for what is not kept."""
    at = _load(code, memory, header)
    after = code.value(arith.AddiOp(at, words))
    fits = code.compare(after, "sle", _load(code, memory, _add(code, header, LIMIT)))
    _store(code, code.select(fits, after, at), memory, header)
    full = Block()
    inner = Code.at_end(full)
    inner.store(inner.constant(1), memory, FULL)
    inner.store(inner.constant(1), control, STOP)
    inner.builder.insert(scf.YieldOp())
    code.builder.insert(scf.IfOp(code.value(arith.XOrIOp(fits, code.constant(1, i1))), [], Region(full)))
    return code.select(fits, at, code.load(memory, NOWHERE))


def _each() -> func.FuncOp:
    function, code = _function(EACH, 2, [i64])
    trace, words, control, memory = function.args
    code.builder.insert(func.ReturnOp(_take(code, _header(code, trace), words, control, memory)))
    return function


def _some() -> func.FuncOp:
    """Passes over executions until a record is due."""
    function, code = _function(SOME, 3, [i64])
    trace, words, every, control, memory = function.args
    header = _header(code, trace)
    counter = _add(code, header, PASS_OVER)
    left = _load(code, memory, counter)
    due, passed = Block(), Block()
    taking = Code.at_end(due)
    _store(taking, _add(taking, every, -1), memory, counter)
    taking.builder.insert(scf.YieldOp(_take(taking, header, words, control, memory)))
    passing = Code.at_end(passed)
    _store(passing, _add(passing, left, -1), memory, counter)
    passing.builder.insert(scf.YieldOp(passing.load(memory, NOWHERE)))
    is_due = code.compare(left, "eq", code.constant(0))
    code.builder.insert(func.ReturnOp(code.value(scf.IfOp(is_due, [i64], Region(due), Region(passed)))))
    return function


def _put() -> func.FuncOp:
    function, code = _function(PUT, 2, [])
    at, word, _, memory = function.args
    _store(code, word, memory, at)
    code.builder.insert(func.ReturnOp())
    return function


def _end() -> func.FuncOp:
    """Writes down where a trial ended in each trace, and ends the run here if there is little room left."""
    function, code = _function(END, 1, [])
    traces, control, memory = function.args
    ends = _take(code, _header(code, traces), traces, control, memory)
    block = Block(arg_types=[IndexType()])
    inner = Code.at_end(block)
    trace = inner.value(arith.IndexCastOp(block.args[0], i64), "trace")
    header = _header(inner, trace)
    _store(inner, inner.constant(0), memory, _add(inner, header, PASS_OVER))
    _store(inner, _load(inner, memory, header), memory, inner.value(arith.AddiOp(ends, trace)))
    _stop_if_enough(inner, header, control, memory)
    inner.builder.insert(scf.YieldOp())
    zero, one = code.constant(0, IndexType()), code.constant(1, IndexType())
    code.builder.insert(scf.ForOp(zero, _at(code, traces), one, [], Region(block)))
    _stop_if_enough(code, _header(code, traces), control, memory)
    code.builder.insert(func.ReturnOp())
    return function


def _stop_if_enough(code: Code, header: SSAValue, control: SSAValue, memory: SSAValue) -> None:
    """Sets the budget of the run if a trace is past its third word."""
    enough = code.compare(_load(code, memory, header), "sgt", _load(code, memory, _add(code, header, ENOUGH)))
    block = Block()
    inner = Code.at_end(block)
    inner.store(inner.constant(1), control, BUDGET)
    inner.builder.insert(scf.YieldOp())
    code.builder.insert(scf.IfOp(enough, [], Region(block)))
