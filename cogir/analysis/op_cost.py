"""
How much work an operation is, in units of one addition: enough to tell whether a value is worth keeping in a table.

```mlir
%a = arith.addf %x, %y : f64                        // 1
%b = math.exp %a : f64                              // 16
%c = linalg.generic ... : tensor<5xf64>             // 5 times its body
%d = func.call @f(%a) : (f64) -> f64                // what the body of @f costs
```

The numbers are rough throughput figures of processors of today; only their order of magnitude matters.
"""

from __future__ import annotations

from math import prod

from xdsl.dialects import arith, func, math, scf
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.ir import Operation, Region
from xdsl.traits import IsTerminator

from cogir.dialects import rng
from cogir.irutils import constant_int, iteration_extents, size_of

FREE = (arith.ConstantOp, arith.IndexCastOp)
LONG = (arith.DivfOp, math.SqrtOp, arith.DivSIOp, arith.DivUIOp, arith.RemSIOp, arith.RemUIOp)
LONG_COST, FUNCTION_COST, DRAW_COST, SAMPLE_COST = 5, 16, 30, 100
UNKNOWN_TRIP_COUNT = 16
"""The assumed number of iterations of a loop whose bounds are not constants."""


class CostTable:
    """The costs of the operations of a module; those of its functions are found once."""

    def __init__(self, module: ModuleOp, by_size: bool = False):
        """`by_size`: operations on tensors count for each element, and those that move elements, too."""
        self.by_size = by_size
        self.functions = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
        self._of_function: dict[str, int] = {}

    def of_function(self, name: str) -> int:
        """The cost of a call of `@name`; a function without a body, or one that calls itself, counts as an elementary one."""
        if name not in self._of_function:
            self._of_function[name] = FUNCTION_COST
            function = self.functions.get(name)
            if function is not None and not function.is_declaration:
                self._of_function[name] = self._of_region(function.body)
        return self._of_function[name]

    def of(self, op: Operation) -> int:
        """The cost of running `op` once."""
        match op:
            case func.CallOp():
                return self.of_function(op.callee.string_value())
            case LinalgStructuredOperation():
                return self._of_region(op.body) * prod(iteration_extents(op))
            case scf.ForOp():
                return self._of_region(op.body) * trip_count(op)
            case scf.WhileOp():
                return UNKNOWN_TRIP_COUNT * sum(map(self._of_region, op.regions))
            case rng.UniformOp() | rng.NormalOp() | rng.IntegerOp():
                return DRAW_COST * size_of(op.value.type)
            case rng.SampleOp():
                return SAMPLE_COST * size_of(op.value.type)
            case rng.SeedOp():
                return (1000 if op.state.type.kind.data == "mt19937" else 5) * DRAW_COST
            case _ if op.regions:
                return sum(map(self._of_region, op.regions))
            case _ if self.by_size and op.results and op.results[0].type.name == TensorType.name:
                return size_of(op.results[0].type) * max(1, self._of_element(op))
            case _:
                return self._of_element(op)

    def _of_element(self, op: Operation) -> int:
        """The cost of an operation without regions on numbers."""
        match op:
            case _ if isinstance(op, FREE) or op.has_trait(IsTerminator) or op.name.startswith("tensor."):
                return 0
            case _ if isinstance(op, LONG):
                return LONG_COST
            case _ if op.name.startswith("math.") and not isinstance(op, math.AbsFOp | math.CopySignOp | math.FmaOp):
                return FUNCTION_COST
            case _:
                return 1

    def _of_region(self, region: Region) -> int:
        return sum(self.of(op) for block in region.blocks for op in block.ops)


def trip_count(loop: scf.ForOp) -> int:
    """The number of iterations of a loop."""
    known = known_trip_count(loop)
    return UNKNOWN_TRIP_COUNT if known is None else known


def known_trip_count(loop: scf.ForOp) -> int | None:
    """The number of iterations of a loop whose bounds are constants, or None."""
    first, end, step = (constant_int(bound) for bound in (loop.lb, loop.ub, loop.step))
    return None if first is None or end is None or not step else len(range(first, end, step))
