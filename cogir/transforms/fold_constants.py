"""
Computes what depends on constants alone, and takes the branches that constants decide.

Before: stage `machine`.
After:  an operation of `arith`, `math` or `tensor`, or a small `linalg.generic`, whose operands are constants, is a constant; so is an
        element of an array that is one. `scf.if` and `arith.select` with a constant condition are what they choose. Neutral elements
        are gone, and constants go on into functions.

```mlir
%two = arith.constant 2.0 : f64
%four = arith.mulf %two, %two : f64            ->   arith.constant 4.0
```

Constants are computed by the interpreter, whose numbers are those of machine code to the bit; one whose value would be NaN is left to
machine code.
"""

from __future__ import annotations

import math as numbers
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import arith, func, scf, tensor
from xdsl.dialects.builtin import Float64Type, IndexType, IntegerType, ModuleOp, TensorType
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import InterpretationError

from cogir import remarks
from cogir.analysis.effects import EffectsTable, may_trap
from cogir.analysis.memory_plan import is_empty, reads_output
from cogir.analysis.signatures import callees_first
from cogir.interpreters.levels import make_engine
from cogir.interpreters.tensor import uninitialised
from cogir.irutils import iteration_extents, replace_by, size_of
from cogir.transforms.constant_arguments import Copies
from cogir.transforms.identities import attribute_of, constant_of, held_by, same_element, simpler

LARGEST = 4096
"""The iterations of a `linalg.generic`, and the elements of an array, up to which a constant is computed."""
ROUNDS = 3
"""Most rounds: a constant result of a function becomes a constant of its callers in the next round only."""
VIEWS = (tensor.ExpandShapeOp, tensor.CollapseShapeOp, tensor.CastOp, tensor.ReshapeOp, tensor.ExtractSliceOp, tensor.ExtractOp)
"""Operations that compute nothing: of arrays of any size."""


class Folder:
    """Folds the body of functions."""

    def __init__(self, module: ModuleOp, math: str):
        self.module = module
        self.math = math
        self.changed = False

    def fold(self, block: Block) -> None:
        """Goes through a block from top to bottom, so that constants are known to what comes after them."""
        for op in list(block.ops):
            if op.parent is not block:
                continue
            if isinstance(op, GenericOp):
                self.hand_in(op)
            for region in op.regions:
                for inner in region.blocks:
                    self.fold(inner)
            if op.results and not isinstance(op, arith.ConstantOp):
                self.visit(op)

    def visit(self, op: Operation) -> None:
        """Replaces one operation, if it can be."""
        if (constants := self.computed(op)) is not None:
            self.replace(op, [constant.result for constant in constants], constants)
        elif isinstance(op, scf.IfOp):
            self.take_branch(op)
        elif (value := simpler(op)) is not None:
            self.replace(op, [value], [value.owner] if isinstance(value.owner, arith.ConstantOp) and value.owner.parent is None else [])

    def replace(self, op: Operation, values: Sequence[SSAValue], new: Sequence[Operation] = ()) -> None:
        """Puts values in the place of an operation, before which the new operations are put."""
        remarks.count("operations folded")
        block = op.parent
        assert block is not None
        block.insert_ops_before(list(new), op)
        names = [value.name_hint for value in values]
        replace_by(op, values)
        for value, name in zip(values, names, strict=True):
            value.name_hint = name or value.name_hint
        self.changed = True

    # Constants

    def computed(self, op: Operation) -> list[arith.ConstantOp] | None:
        """The constants that the results of an operation are, if its operands are constants."""
        is_linalg = isinstance(op, LinalgStructuredOperation)
        if not is_linalg and (op.regions or op.name.partition(".")[0] not in ("arith", "math", "tensor") or may_trap(op)):
            return None
        if not op.operands or not all(isinstance(result.type, IntegerType | IndexType | Float64Type | TensorType) for result in op.results):
            return None
        values: list[Any] = []
        for number, operand in enumerate(op.operands):
            constant = constant_of(operand)
            if constant is not None:
                values.append(held_by(constant))
            elif is_linalg and is_empty(operand) and number >= len(op.inputs) and not reads_output(op, number - len(op.inputs)):
                values.append(uninitialised(operand.type))
            else:
                return None
        if any(value is None for value in values) or self.is_large(op) or (is_linalg and looks_outside(op)):
            return None
        try:
            found = make_engine(self.module, self.math).evaluate(op, tuple(values))
        except InterpretationError:
            return None
        attributes = [attribute_of(value, result.type) for value, result in zip(found, op.results, strict=True)]
        if any(attribute is None for attribute in attributes):
            return None
        return [arith.ConstantOp(cast(Any, attribute), result.type) for attribute, result in zip(attributes, op.results, strict=True)]

    @staticmethod
    def is_large(op: Operation) -> bool:
        """True if computing an operation would take long, or its results much memory."""
        if isinstance(op, LinalgStructuredOperation):
            return numbers.prod(iteration_extents(op)) > LARGEST
        if isinstance(op, VIEWS):
            return False
        return any(size_of(each.type) > LARGEST for each in op.results)

    # Control flow

    def take_branch(self, op: scf.IfOp) -> None:
        """scf.if true { a } else { b }  ->  a"""
        condition = constant_of(op.cond)
        if condition is None:
            return
        region = op.true_region if held_by(condition) else op.false_region
        remarks.passed(op, "took the branch that is always taken: the condition is {}", "true" if held_by(condition) else "false")
        block = op.parent
        assert block is not None
        if not region.blocks:
            block.erase_op(op)
            self.changed = True
            return
        inner = region.block
        end = inner.last_op
        assert isinstance(end, scf.YieldOp)
        results = list(end.operands)
        for each in list(inner.ops):
            if each is not end:
                each.detach()
                block.insert_op_before(each, op)
        self.replace(op, results)

    # Arrays

    def hand_in(self, op: GenericOp) -> None:
        """A number that a `linalg.generic` takes, and an array of equal numbers, are constants of its body."""
        block = op.body.block
        for operand, argument in zip(op.inputs, block.args, strict=False):
            constant = constant_of(operand)
            if constant is None or not argument.uses:
                continue
            number = same_element(constant)
            if number is not None:
                copy = arith.ConstantOp(cast(Any, number), argument.type)
                block.insert_op_before(copy, cast(Operation, block.first_op))
                argument.replace_all_uses_with(copy.result)
                self.changed = True


def looks_outside(op: LinalgStructuredOperation) -> bool:
    """True if the body uses values from outside of the operation."""
    inside = {op.body.block, *(block for inner in op.body.walk() for region in inner.regions for block in region.blocks)}
    for inner in op.body.walk():
        for operand in inner.operands:
            owner = operand.owner
            if (owner if isinstance(owner, Block) else owner.parent) not in inside:
                return True
    return False


def hand_back(module: ModuleOp) -> bool:
    """Makes constant results of functions without effects constants of their callers; True if there were any."""
    effects = EffectsTable(module)
    changed = False
    for function in [op for op in module.ops if isinstance(op, func.FuncOp)]:
        for call in [op for op in function.walk() if isinstance(op, func.CallOp)]:
            callee = effects.functions.get(call.callee.string_value())
            returned = None if callee is None or callee.is_declaration else callee.get_return_op()
            if returned is None or not effects.of(call).is_function_of_operands:
                continue
            for result, value in zip(call.results, returned.operands, strict=True):
                constant = constant_of(value)
                if constant is not None and result.uses:
                    copy = arith.ConstantOp(cast(Any, constant), result.type)
                    copy.result.name_hint = result.name_hint
                    cast(Block, call.parent).insert_op_before(copy, call)
                    result.replace_all_uses_with(copy.result)
                    changed = True
    return changed


def one_round(module: ModuleOp, math: str) -> bool:
    """Folds all functions, callers first, so that constants reach those that they call; True if anything has changed."""
    changed = hand_back(module)
    folder, copies = Folder(module, math), Copies(module)
    calls: dict[str, list[func.CallOp]] = defaultdict(list)
    for function in reversed(callees_first(module)):
        name = function.sym_name.data
        for each in copies.settle(name, calls[name]) if name in calls else [function]:
            for block in each.body.blocks:
                folder.fold(block)
            for op in each.walk():
                if isinstance(op, func.CallOp) and op.callee.string_value() in copies.functions:
                    calls[op.callee.string_value()].append(op)
    return changed or folder.changed or copies.changed


@dataclass(frozen=True)
class FoldConstants(ModulePass):
    """Computes what depends on constants alone."""

    name = "fold-constants"

    math: str = "portable"
    """The elementary functions: of cogir ("portable"), or of the C library ("libm")."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for _ in range(ROUNDS):
            if not one_round(op, self.math):
                return
