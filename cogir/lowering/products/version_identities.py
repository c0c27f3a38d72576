"""
A linear function that may leave numbers as they are is skipped where it does.

Before: a module, as `bufferize` leaves it, in which products begin with zeros, or do so in the first block of a batch
        (`overwrite-derivatives`).
After:  where products alone read what an operation makes of an argument, adding to or multiplying each number by what is known only when
        the function is called, it is computed unless it would add 0 and multiply by 1; else products read the argument:

```mlir
%value = memref.alloc() : memref<256x784xf64>
%is_one = arith.cmpf oeq, %slope, %one : f64
%is_zero = arith.cmpf oeq, %intercept, %zero : f64
%is_same = arith.andi %is_one, %is_zero : i1
scf.if %is_same {
} else {
  linalg.generic ins(%variable) outs(%value) { x * slope + intercept }
}
%source = arith.select %is_same, %variable, %value : memref<256x784xf64, strided<[784, 1], offset: ?>>
linalg.generic ins(%source, %matrix) outs(%sum) { total + x * y }
```

Nodes that take the inputs of a network are often such functions: learning then copies no inputs. They have to lie in memory as the copy
would: those of float32 models are converted, and where one array holds inputs and targets, its rows are longer.

x + 0 is 0 if x is -0, so products may read a zero of the other sign. A sum that has begun with 0 is never -0, as what is added to it is
rounded before: it stays as it is with a zero of either sign added to it, and no bit of a result changes. Where products are fused with
additions (`contract="fast"`), a sum of results that are too small for a number can be -0, and the sign of zeros may change.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import FloatAttr, MemRefType, ModuleOp, StridedLayoutAttr, StringAttr
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from cogir import remarks
from cogir.analysis.products import product_of, zeros_before
from cogir.analysis.signatures import ACCESS
from cogir.analysis.trial_axis import BY_TRIAL
from cogir.irutils import constant_float, iteration_extents, shape_of
from cogir.lowering.products.loops import are_static, strides_of

LEAST_ELEMENTS = 4096
"""A copy of fewer numbers is not worth a question."""
NEUTRAL = {arith.MulfOp: 1.0, arith.DivfOp: 1.0, arith.AddfOp: 0.0, arith.SubfOp: 0.0}
"""The right operands with which operations leave a number as it is, or add 0 to it."""
COMMUTATIVE = (arith.MulfOp, arith.AddfOp)

Term = tuple[SSAValue, float]
"""A value, and the number that it must be."""


@dataclass(frozen=True)
class PossibleIdentity:
    """An operation that copies an argument if some values, one at least, are certain numbers."""

    op: GenericOp
    source: SSAValue
    target: SSAValue
    terms: Sequence[Term]
    readers: Sequence[GenericOp]
    """The products that read what it makes."""


def terms_of(body: Block) -> list[Term] | None:
    """The values that must be certain numbers for a body to yield its first argument; None if no numbers are enough."""
    *steps, end = body.ops
    value: SSAValue = body.args[0]
    terms: list[Term] = []
    for op in steps:
        neutral = NEUTRAL.get(cast(Any, type(op)))
        if neutral is None:
            return None
        left, right = op.operands
        if right is value and isinstance(op, COMMUTATIVE):
            left, right = right, left
        if left is not value or is_inside(right, body):
            return None
        terms.append((right, neutral))
        value = op.results[0]
    return terms if end.operands[0] is value else None


def is_inside(value: SSAValue, body: Block) -> bool:
    """True if a value is an argument of a body or computed in it."""
    return value.owner is body or (isinstance(value.owner, Operation) and value.owner.parent is body)


def identity_of(op: GenericOp) -> PossibleIdentity | None:
    """The copy that an operation may be, if products alone read it."""
    if len(op.inputs) != 1 or len(op.outputs) != 1 or any(kind.data != IteratorType.PARALLEL for kind in op.iterator_types):
        return None
    if len({each.data for each in op.get_indexing_maps()}) != 1 or math.prod(iteration_extents(op)) < LEAST_ELEMENTS:
        return None
    source, target = op.inputs[0], op.outputs[0]
    terms = [term for term in terms_of(op.body.block) or () if constant_float(term[0]) != term[1]]
    readers = products_that_read(target, op)
    if not terms or readers is None or not is_read_only(source) or not are_alike(source, target):
        return None
    if any(constant_float(value) is not None for value, _ in terms):
        return None
    return PossibleIdentity(op, source, target, terms, readers)


def products_that_read(target: SSAValue, writer: GenericOp) -> list[GenericOp] | None:
    """
    The products from zeros that read memory which one operation writes; None if something else is done with it.

    Zeros under a condition are those of `overwrite-derivatives`: other blocks add to what has begun with them.
    """
    if not isinstance(target.owner, memref.AllocOp | memref.AllocaOp):
        return None
    readers: list[GenericOp] = []
    for use in target.uses:
        op = use.operation
        if op is writer or isinstance(op, memref.DeallocOp):
            continue
        if not isinstance(op, GenericOp) or op.parent is not writer.parent or not writer.is_before_in_block(op):
            return None
        product = product_of(op)
        if product is None or target is product.result or zeros_before(product) is None:
            return None
        if (BY_TRIAL in op.attributes) != (BY_TRIAL in writer.attributes):
            return None
        readers.append(product.op)
    return readers


def is_read_only(value: SSAValue) -> bool:
    """True for an argument whose memory nothing in its function writes, as `bufferize` says: no argument that is written overlaps it."""
    if not isinstance(value, BlockArgument) or not isinstance(function := value.block.parent_op(), func.FuncOp) or not function.arg_attrs:
        return False
    return function.arg_attrs.data[value.index].data.get(ACCESS) == StringAttr("read")


def are_alike(source: SSAValue, target: SSAValue) -> bool:
    """True if numbers lie in both memories in the same way, wherever these begin."""
    one, other = (cast("MemRefType[Any]", value.type) for value in (source, target))
    if not are_static(one) or not are_static(other) or shape_of(one) != shape_of(other) or one.memory_space != other.memory_space:
        return False
    begins_anywhere = isinstance(one.layout, StridedLayoutAttr) and one.layout.get_offset() is None
    return one.element_type == other.element_type and strides_of(one) == strides_of(other) and (one == other or begins_anywhere)


@dataclass(frozen=True)
class VersionIdentities(ModulePass):
    """Skips linear functions that leave numbers as they are, which is known only when they are computed."""

    name = "version-identities"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in list(op.walk()):
            if isinstance(inner, GenericOp) and (found := identity_of(inner)) is not None:
                self.rewrite(found)

    def rewrite(self, found: PossibleIdentity) -> None:
        """linalg.generic  ->  scf.if without it and with it, and a choice of what products read"""
        op = found.op
        code = Builder(InsertPoint.before(op))
        are_wanted: list[SSAValue] = []
        for value, wanted in found.terms:
            number = code.insert(arith.ConstantOp(FloatAttr(wanted, cast(Any, value.type)))).result
            are_wanted.append(code.insert(arith.CmpfOp(value, number, "oeq")).result)
        is_same, *others = are_wanted
        for other in others:
            is_same = code.insert(arith.AndIOp(is_same, other)).result
        remarks.passed(op, "skips a linear function of {} numbers where it changes none", f"{math.prod(iteration_extents(op)):,}")
        code.insert(scf.IfOp(is_same, [], Region(Block([scf.YieldOp()])), Region(Block([op.clone(), scf.YieldOp()]))))
        computed = code.insert(memref.CastOp.get(found.target, cast("MemRefType[Any]", found.source.type))).dest
        source = code.insert(arith.SelectOp(is_same, found.source, computed)).result
        source.name_hint = "source"
        for reader in found.readers:
            reader.operands = [source if operand is found.target else operand for operand in reader.operands]
        cast(Block, op.parent).erase_op(op)
