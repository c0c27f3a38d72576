"""
Writes loops that may be long as `scf.while`, which a signal can stop.

Before: `scf` loops, functions that do not call themselves.
After:  no more than `LONGEST` operations run between two turns of a `scf.while`, as far as loops are counted: a `scf.for` with more, or
        with a number of iterations that is not known, is a `scf.while`.

```mlir
%r = scf.for %i = %a to %b step %s iter_args(%x = %start) -> (f64) { ... scf.yield %y : f64 }
// becomes
%k, %r = scf.while (%i = %a, %x = %start) : (index, f64) -> (index, f64) {
  %go_on = arith.cmpi slt, %i, %b : index
  scf.condition(%go_on) %i, %x : index, f64
} do {
^bb0(%i: index, %x: f64):
  ...
  %next = arith.addi %i, %s : index
  scf.yield %next, %y : index, f64
}
```

Native code looks at the stop flag in each `scf.while` (`lowering/add_entry.py`), not in `scf.for`, which LLVM makes vectors of. Loops over
arrays are short, but a text may count to 10^18: models from text go through this pass.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod

from xdsl.context import Context
from xdsl.dialects import arith, func, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.ir import Block, Operation, Region
from xdsl.passes import ModulePass

from cogir.analysis.ranges import range_of
from cogir.irutils import iteration_extents, replace_by

LONGEST = 2**26
"""So many operations may run without a look at the stop flag: some tenths of a second."""


@dataclass(frozen=True)
class ConvertLongForToWhile(ModulePass):
    """Loops that may be long become `scf.while`, which a signal can stop."""

    name = "convert-long-for-to-while"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        lengths = _Lengths({each.sym_name.data: each for each in op.ops if isinstance(each, func.FuncOp)})
        for each in list(op.ops):
            lengths.of(each)


@dataclass
class _Lengths:
    """How many operations run, at most, between two looks at the stop flag; loops with too many are converted when they are counted."""

    functions: dict[str, func.FuncOp]
    _of_function: dict[str, int] = field(default_factory=dict[str, int])

    def of(self, op: Operation) -> int:
        """The operations that run when `op` does."""
        match op:
            case func.FuncOp():
                return self.of_function(op.sym_name.data)
            case func.CallOp():
                return 1 + self.of_function(op.callee.string_value())
            case LinalgStructuredOperation():
                return prod(iteration_extents(op)) * self.of_regions(op)
            case scf.ForOp():
                length = iterations(op) * self.of_regions(op)
                if length <= LONGEST:
                    return length
                convert(op)
                return 1
            case _:
                return 1 + self.of_regions(op)

    def of_function(self, name: str) -> int:
        """The operations that run when a function is called."""
        if name not in self._of_function:
            self._of_function[name] = 1  # also for a function that calls itself, which is refused elsewhere
            if (function := self.functions.get(name)) is not None:
                self._of_function[name] = 1 + self.of_regions(function)
        return self._of_function[name]

    def of_regions(self, op: Operation) -> int:
        """The operations inside of `op`."""
        return sum(self.of(inner) for region in op.regions for block in region.blocks for inner in list(block.ops))


def iterations(loop: scf.ForOp) -> int:
    """How often a loop runs at most."""
    (lower, _), (_, upper), (step, _) = range_of(loop.lb), range_of(loop.ub), range_of(loop.step)
    return max(0, -((lower - upper) // max(step, 1)))


def convert(loop: scf.ForOp) -> None:
    """scf.for i = a to b step s  ->  scf.while i < b, with i + s at the end"""
    types = [loop.lb.type, *(value.type for value in loop.iter_args)]
    before = Block(arg_types=types)
    test = arith.CmpiOp(before.args[0], loop.ub, "slt")
    before.add_ops([test, scf.ConditionOp(test, *before.args)])
    body = loop.body.detach_block(loop.body.block)
    end = body.last_op
    assert isinstance(end, scf.YieldOp)
    following = arith.AddiOp(body.args[0], loop.step)
    body.insert_ops_before([following, scf.YieldOp(following, *end.arguments)], end)
    body.erase_op(end)
    new = scf.WhileOp([loop.lb, *loop.iter_args], types, Region(before), Region(body))
    for op in (test, following, new):
        op.location = loop.location
    assert loop.parent is not None
    loop.parent.insert_op_before(new, loop)
    replace_by(loop, new.results[1:])
