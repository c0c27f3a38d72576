"""
The work of trials that always end soon.

```mlir
func.func @trial(...) -> (..., i64) {
  scf.for ... 0 to 10 step 1 { ... }                // its bounds are constants, as everywhere in @trial
  func.return ..., %0 : i64                         // the status is 0 (constant): no trial fails, and no run ends itself
}
```

A run of a few such trials can be left to itself: it need not be asked to stop. An addition takes 1 ns, or 30 where numbers are subnormal.
Of trials in blocks an eighth counts: most of their work are products of matrices, eight numbers at a time. Draws are not, but a draw takes
a third of what it counts.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects import func, scf
from xdsl.dialects.builtin import ModuleOp

from cogir.analysis.op_cost import CostTable, known_trip_count
from cogir.irutils import constant_int

TRIAL, TRIALS = "trial", "trials"
AT_A_TIME = 8
"""The numbers that AVX-512 computes at a time; with shorter vectors, a run takes two to four times as long."""


def trial_work(module: ModuleOp) -> int:
    """
    The work of a trial of a module at stage `machine`, in additions one after the other (`op_cost`), of which those in blocks do eight at a
    time; 0 if it may take any time, fail, or end the run.
    """
    functions = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
    trial = functions.get(TRIAL)
    if trial is None:
        return 0
    end = trial.body.block.last_op
    if not isinstance(end, func.ReturnOp) or constant_int(end.operands[-1]) != 0:
        return 0
    if not is_bounded(TRIAL, functions, {}):
        return 0
    work = CostTable(module, by_size=True).of_function(TRIAL)
    return -(-work // AT_A_TIME) if TRIALS in functions else work


def is_bounded(name: str, functions: Mapping[str, func.FuncOp], known: dict[str, bool]) -> bool:
    """
    True if every loop of a function, and of those that it calls, has a known number of iterations; `known`: for functions that were looked
    at before. One that calls itself is not bounded.
    """
    if name in known:
        return known[name]
    known[name] = False
    function = functions.get(name)
    if function is None or function.is_declaration:
        return False
    for op in function.walk():
        match op:
            case scf.WhileOp():
                return False
            case scf.ForOp() if known_trip_count(op) is None:
                return False
            case func.CallOp() if not is_bounded(op.callee.string_value(), functions, known):
                return False
            case _:
                pass
    known[name] = True
    return True
