"""
Puts presampled generators in the place of those of mt19937 from which only normals are drawn.

Before: stage `machine`, in a module for estimates; `fill-lanes` does the same in one for replicates.
After:  where each draw from mt19937 is one of normals, the states of `@trial`, and of the functions that it calls, are those of presampled
        generators, whose normals the native entry draws before they are used (`lowering/entry/normals.py`). The draws then are
        straight-line code, so that `fill-lanes` can take the loop of a trial apart.

```mlir
%x, %r1 = rng.normal %r : !rng.state<mt19937> -> f64        ->        %x, %r1 = rng.normal %r : !rng.state<presampled> -> f64
```

`@replicate_streams` keeps its generators, which are the sources of the normals. Without `enabled` the pass does nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func, scf
from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from cogir import remarks
from cogir.dialects.rng import PRESAMPLED, NormalOp, StateType
from cogir.transforms.replicate import STREAMS

SOURCE, TARGET = StateType("mt19937"), StateType(PRESAMPLED)
PASSES_STATES_ON = (func.CallOp, func.ReturnOp, scf.IfOp, scf.ForOp, scf.WhileOp, scf.YieldOp, scf.ConditionOp, scf.IndexSwitchOp)
"""The operations, beside draws of normals, that states of generators may go through."""


def holds_source(op: Operation) -> bool:
    """True if an operation takes or gives a state of mt19937."""
    return any(value.type == SOURCE for value in (*op.operands, *op.results))


def draws_normals_only(functions: list[func.FuncOp]) -> bool:
    """True if functions draw from mt19937, and nothing but normals."""
    using = [op for function in functions for op in function.body.walk() if holds_source(op)]
    allowed = (NormalOp, *PASSES_STATES_ON)
    return any(isinstance(op, NormalOp) for op in using) and all(isinstance(op, allowed) for op in using)


def presample(function: func.FuncOp) -> None:
    """Puts presampled generators in the place of those of mt19937 in a function."""
    change_states(function, SOURCE, TARGET)


def unsample(function: func.FuncOp) -> None:
    """Puts generators of mt19937 back in the place of presampled ones."""
    change_states(function, TARGET, SOURCE)


def change_states(function: func.FuncOp, old: StateType, new: StateType) -> None:
    """Changes the type of each state of one kind in a function."""
    values: list[SSAValue] = []
    for op in function.walk():
        values += op.results
        values += [argument for region in op.regions for block in region.blocks for argument in block.args]
    for value in values:
        if value.type == old:
            Rewriter.replace_value_with_new_type(value, new)
    inputs, outputs = (
        [new if each == old else each for each in types] for types in (function.function_type.inputs, function.function_type.outputs)
    )
    function.function_type = FunctionType.from_lists(inputs, outputs)


@dataclass(frozen=True)
class PresampleNormals(ModulePass):
    """Puts presampled generators in the place of those from which only normals are drawn."""

    name = "presample-normals"

    enabled: bool = False
    """True if the normals are drawn in blocks before they are used; otherwise the pass does nothing."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not self.enabled:
            return
        functions = [each for each in op.ops if isinstance(each, func.FuncOp) and each.sym_name.data != STREAMS]
        if draws_normals_only(functions):
            remarks.passed(op, "draws normals in blocks before they are used")
            for function in functions:
                presample(function)
