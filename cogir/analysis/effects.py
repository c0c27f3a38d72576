"""
What running an operation may do besides computing its results: the one table that cse, licm and dce ask.

```mlir
%a = arith.divsi %x, %y : i64                   // may trap, unless %y is known not to be 0 (`ranges.py`)
%b = linalg.generic ... ins(%t : tensor<..>)    // nothing: tensors are values
%c, %s1 = rng.normal %s : !rng.state<..> -> f64 // nothing: states are values
%d = func.call @f(%x) : (f64) -> f64            // what the body of @f does
%e = scf.while ...                              // may not terminate
memref.store %x, %m[%i] : memref<4xf64>         // writes, may trap (%i may be outside)
```

An operation that is not known here is taken to do everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects import affine, arith, cf, func, memref, scf, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, ModuleOp, ShapedType
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.ops import IndexOp as LinalgIndexOp
from xdsl.dialects.linalg.ops import YieldOp as LinalgYieldOp
from xdsl.ir import Operation, SSAValue

from cogir.analysis.ranges.local_integers import is_safe_divisor, range_of
from cogir.dialects.rng import IntegerOp
from cogir.irutils import constant_int

PURE_DIALECTS = frozenset(("arith", "math", "tensor", "rng", "vector"))
"""Dialects whose operations compute values and touch no memory, but for the exceptions below."""
STRUCTURED_CONTROL = (scf.IfOp, scf.IndexSwitchOp, scf.ExecuteRegionOp, scf.ForOp, scf.WhileOp, affine.ForOp)
TERMINATORS = (scf.YieldOp, scf.ConditionOp, affine.YieldOp, LinalgYieldOp, func.ReturnOp, cf.BranchOp)
"""Terminators do nothing themselves, but are no part of what can be moved or removed."""


@dataclass(frozen=True)
class Effects:
    """The effects of an operation."""

    reads: bool = False
    writes: bool = False
    allocates: bool = False
    may_trap: bool = False
    may_not_terminate: bool = False

    def __or__(self, other: Effects) -> Effects:
        return Effects(
            self.reads or other.reads,
            self.writes or other.writes,
            self.allocates or other.allocates,
            self.may_trap or other.may_trap,
            self.may_not_terminate or other.may_not_terminate,
        )

    @property
    def is_function_of_operands(self) -> bool:
        """True if running it again with the same operands gives the same results: two can be merged."""
        return not (self.reads or self.writes or self.allocates)

    @property
    def is_removable(self) -> bool:
        """True if it can be removed when its results are unused. (A program may not rely on a trap.)"""
        return not (self.writes or self.may_not_terminate)

    @property
    def is_speculatable(self) -> bool:
        """True if it can run where it would not have run: out of a loop without iterations."""
        return self.is_function_of_operands and not (self.may_trap or self.may_not_terminate)


NOTHING = Effects()
EVERYTHING = Effects(reads=True, writes=True, allocates=True, may_trap=True, may_not_terminate=True)


class EffectsTable:
    """The effects of the operations of a module; those of its functions are found once, callees first."""

    def __init__(self, module: ModuleOp):
        self.functions = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
        self._of_function: dict[str, Effects] = {}
        self._of_op: dict[Operation, Effects] = {}

    def of_function(self, name: str) -> Effects:
        """The effects of a call of `@name`. A function that calls itself may not terminate."""
        if name not in self._of_function:
            function = self.functions.get(name)
            if function is None:
                return EVERYTHING
            if function.is_declaration:
                found = NOTHING if "cog.libm" in function.attributes else EVERYTHING
            else:
                self._of_function[name] = EVERYTHING
                found = self._of_regions(function)
            self._of_function[name] = found
        return self._of_function[name]

    def of(self, op: Operation) -> Effects:
        """The effects of `op`; cached, so valid only for operations that have not changed."""
        found = self._of_op.get(op)
        if found is None:
            found = self._of_op[op] = self._find(op)
        return found

    def _of_regions(self, op: Operation) -> Effects:
        found = NOTHING
        for region in op.regions:
            blocks = list(region.blocks)
            if len(blocks) > 1:
                found |= Effects(may_not_terminate=True)
            for block in blocks:
                for inner in block.ops:
                    found |= self.of(inner)
        return found

    def _find(self, op: Operation) -> Effects:
        if isinstance(op, TERMINATORS):
            return NOTHING
        if isinstance(op, func.CallOp):
            return self.of_function(op.callee.string_value())
        if isinstance(op, STRUCTURED_CONTROL):
            return self._of_regions(op) | Effects(may_not_terminate=not is_bounded(op))
        if isinstance(op, LinalgStructuredOperation):
            on_memory = any(isinstance(type, MemRefType) for type in op.operand_types)
            return self._of_regions(op) | Effects(reads=on_memory, writes=on_memory)
        if isinstance(op, LinalgIndexOp | affine.ApplyOp | affine.MinOp):
            return NOTHING
        if op.name.startswith(("memref.", "affine.")):
            return effects_on_memory(op)
        if op.name.partition(".")[0] in PURE_DIALECTS and not op.regions:
            return Effects(may_trap=may_trap(op))
        return EVERYTHING


def is_bounded(op: Operation) -> bool:
    """True if a structured operation ends after finitely many iterations, if its regions do."""
    if isinstance(op, scf.ForOp):
        step = constant_int(op.step)
        return step is not None and step > 0
    return not isinstance(op, scf.WhileOp)


def may_trap(op: Operation) -> bool:
    """True if an operation on values has operands for which its meaning is undefined: division by 0, index outside."""
    match op:
        case arith.DivSIOp() | arith.RemSIOp() | arith.FloorDivSIOp() | arith.CeilDivSIOp():
            return not is_safe_divisor(op.rhs)
        case arith.DivUIOp() | arith.RemUIOp() | arith.CeilDivUIOp():
            return constant_int(op.rhs) in (None, 0)
        case tensor.ExtractOp():
            return not within(op.indices, op.tensor)
        case tensor.InsertOp():
            return not within(op.indices, op.dest)
        case tensor.ExtractSliceOp() | tensor.InsertSliceOp():
            return DYNAMIC_INDEX in (*op.static_offsets.iter_values(), *op.static_sizes.iter_values())
        case IntegerOp():
            return range_of(op.below)[0] <= 0
        case _:
            return False


def within(indices: Sequence[SSAValue], array: SSAValue) -> bool:
    """True if all indices are known to lie within an array of static shape."""
    shape = cast("ShapedType", array.type).get_shape()
    ranges = [range_of(index) for index in indices]
    return all(0 <= low and high < extent for (low, high), extent in zip(ranges, shape, strict=True))


def effects_on_memory(op: Operation) -> Effects:
    """The effects of operations on memrefs."""
    match op:
        case memref.LoadOp():
            return Effects(reads=True, may_trap=not within(op.indices, op.memref))
        case memref.StoreOp():
            return Effects(writes=True, may_trap=not within(op.indices, op.memref))
        case affine.LoadOp():
            return Effects(reads=True, may_trap=True)
        case affine.StoreOp():
            return Effects(writes=True, may_trap=True)
        case memref.CopyOp():
            return Effects(reads=True, writes=True)
        case memref.AllocOp() | memref.AllocaOp():
            return Effects(allocates=True)
        case memref.SubviewOp():
            return Effects(may_trap=bool(op.offsets or op.sizes or op.strides))
        case memref.CastOp() | memref.CollapseShapeOp() | memref.ExpandShapeOp() | memref.GetGlobalOp() | memref.DimOp():
            return NOTHING
        case _:
            return EVERYTHING
