"""
Normals of mt19937 are made some ahead.

Before: `@trial` on memory, as `bufferize` leaves it.
After:  where each draw from mt19937 is one of normals, the states have room for those that are made ahead, and draws take one of them:

```mlir
%x = func.call @cogir_rng_mt19937_normal(%r) : (memref<627xi64, strided<[1], offset: ?>>) -> f64

%x = func.call @cogir_rng_ahead_normal(%r) : (memref<688xi64, strided<[1], offset: ?>>) -> f64
```

User memory of the same size, or a state whose size is lost in a cast, keeps the pass from doing anything. `add-entry` gives `@trial` such
states: copies of NumPy's words, and at the end of a call, what was not drawn is given back
(`cogir.library.random.ahead`). In modules for replicates the pass does nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import FunctionType, MemRefType, ModuleOp, StringAttr, SymbolRefAttr, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from cogir import remarks
from cogir.dialects.rng import AHEAD_KIND, ALL_WORDS, DRAW_PREFIX
from cogir.irutils import shape_of
from cogir.transforms.replicate import STREAMS

TRIAL = "trial"
KIND = "mt19937"
DRAWS = f"{DRAW_PREFIX}{KIND}_"
NORMAL = f"{DRAWS}normal"
PASSES_STATES_ON = (func.CallOp, func.ReturnOp, memref.CopyOp, memref.AllocaOp, memref.AllocOp, memref.DeallocOp, memref.CastOp)
"""The operations that memory of states may go through."""
KEEPS_SIZES = (memref.CopyOp, memref.CastOp)
"""Those of which all memory is to be of that size."""
MOST = 8
"""So many generators at most: the states of a call are on its stack."""


def holds_state(type: Attribute) -> bool:
    """True for memory as large as that of a state of mt19937."""
    return is_of_words(type, ALL_WORDS[KIND])


def is_larger(type: Attribute) -> bool:
    """True for memory as large as that of a state with normals that are made ahead."""
    return is_of_words(type, ALL_WORDS[AHEAD_KIND])


def is_of_words(type: Attribute, words: int) -> bool:
    """True for memory of so many words."""
    if not isinstance(type, MemRefType):
        return False
    held = cast("MemRefType[Any]", type)
    return held.element_type == i64 and shape_of(held) == (words,)


def enlarged(type: Attribute) -> Attribute:
    """The type of a state that has room for normals that are made ahead."""
    if not holds_state(type):
        return type
    old = cast("MemRefType[Any]", type)
    return MemRefType(i64, (ALL_WORDS[AHEAD_KIND],), old.layout, old.memory_space)


def values_in(op: Operation) -> Iterator[SSAValue]:
    """The results of the operations in one, and the arguments of their blocks."""
    for inner in op.walk():
        yield from inner.results
        yield from (argument for region in inner.regions for block in region.blocks for argument in block.args)


def may_draw_ahead(functions: list[func.FuncOp]) -> bool:
    """True if all states of mt19937 are used to draw normals alone, and nothing else is as large as they are."""
    trial = next((each for each in functions if each.sym_name.data == TRIAL), None)
    if trial is None or trial.is_declaration or any(each.sym_name.data == STREAMS for each in functions):
        return False
    buffers, states = [*trial.function_type.inputs.data[:5], trial.function_type.inputs.data[-1]], trial.function_type.inputs.data[5:-1]
    count = sum(map(holds_state, states))
    if (
        not 0 < count <= MOST
        or any(map(holds_state, buffers))
        or any(is_larger(value.type) for each in functions for value in values_in(each))
    ):
        return False
    known = {each.sym_name.data for each in functions if not each.is_declaration} | {NORMAL}
    if not all(may_pass_states(op, known) for each in functions for op in each.body.walk()):
        return False
    return any(call.callee.string_value() == NORMAL for each in functions for call in each.walk() if isinstance(call, func.CallOp))


def may_pass_states(op: Operation, known: set[str]) -> bool:
    """True if an operation has nothing to do with states of mt19937, or passes them on, or draws a normal; `known`: who may be called."""
    held = [holds_state(value.type) for value in (*op.operands, *op.results)]
    if isinstance(op, func.CallOp):
        callee = op.callee.string_value()
        return callee in known if any(held) else not callee.startswith(DRAWS)
    return not any(held) or (isinstance(op, PASSES_STATES_ON) and (all(held) or not isinstance(op, KEEPS_SIZES)))


@dataclass(frozen=True)
class DrawAhead(ModulePass):
    """Makes normals of mt19937 some ahead."""

    name = "draw-ahead"

    enabled: bool = True
    """True if normals are made ahead; otherwise the pass does nothing."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not self.enabled:
            return
        functions = [each for each in op.ops if isinstance(each, func.FuncOp)]
        if not may_draw_ahead(functions):
            return
        remarks.passed(op, "makes normals of mt19937 some ahead")
        for function in functions:
            for value in list(values_in(function)):
                if holds_state(value.type):
                    Rewriter.replace_value_with_new_type(value, enlarged(value.type))
            type = function.function_type
            function.function_type = FunctionType.from_lists([*map(enlarged, type.inputs)], [*map(enlarged, type.outputs)])
            if function.sym_name.data == NORMAL:
                function.properties["sym_name"] = StringAttr(f"{DRAW_PREFIX}{AHEAD_KIND}_normal")
            for call in function.walk():
                if isinstance(call, func.CallOp) and call.callee.string_value() == NORMAL:
                    call.properties["callee"] = SymbolRefAttr(f"{DRAW_PREFIX}{AHEAD_KIND}_normal")
