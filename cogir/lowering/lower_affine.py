"""
Affine expressions, maps, sets and accesses as `arith` and `memref` operations.

`convert-scf-to-cf` asks this file for the arithmetic behind `affine`; loops and branches are its own. Division and
remainder follow the definition of `affine`: they round towards minus infinity, also for negative numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from xdsl.dialects import affine, arith, memref, vector
from xdsl.dialects.builtin import IndexType, IntegerAttr, i1
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineConstraintKind,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSet,
    AffineSymExpr,
)

from cogir.errors import LoweringError

_INDEX = IndexType()
_NO_OVERFLOW_FLAGS = arith.IntegerOverflowAttr("none")
Emit: TypeAlias = Callable[[Operation], Any]
"""Puts a new operation into the IR, at the place that is being lowered."""


class Arithmetic:
    """Writes index arithmetic with `emit`; `constant` gives the value of an index constant."""

    def __init__(self, emit: Emit, constant: Callable[[int], SSAValue]):
        self.emit = emit
        self.constant = constant

    def binary(self, op_type: type[Operation], lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """`op_type lhs, rhs : index`"""
        properties = {"overflowFlags": _NO_OVERFLOW_FLAGS} if op_type in _WITH_OVERFLOW_FLAGS else {}
        op = op_type.create(operands=[lhs, rhs], result_types=[_INDEX], properties=properties)
        self.emit(op)
        return op.results[0]

    def compare(self, predicate: int, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """`arith.cmpi predicate, lhs, rhs : index`"""
        op = arith.CmpiOp.create(operands=[lhs, rhs], result_types=[i1], properties={"predicate": IntegerAttr(predicate, 64)})
        self.emit(op)
        return op.results[0]

    def less(self, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """An i1: `lhs < rhs`, as signed numbers."""
        return self.compare(_SLT, lhs, rhs)

    def select(self, condition: SSAValue, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """`condition ? lhs : rhs`"""
        op = arith.SelectOp.create(operands=[condition, lhs, rhs], result_types=[lhs.type])
        self.emit(op)
        return op.results[0]

    def modulo(self, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """lhs mod rhs  ->  r = remsi lhs, rhs; r < 0 ? r + rhs : r     (rhs > 0)"""
        remainder = self.binary(arith.RemSIOp, lhs, rhs)
        return self.select(self.less(remainder, self.constant(0)), self.binary(arith.AddiOp, remainder, rhs), remainder)

    def floor_divide(self, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """lhs floordiv rhs  ->  lhs < 0 ? -1 - (-1 - lhs) / rhs : lhs / rhs     (rhs > 0)"""
        minus_one = self.constant(-1)
        negative = self.less(lhs, self.constant(0))
        mirrored = self.select(negative, self.binary(arith.SubiOp, minus_one, lhs), lhs)
        quotient = self.binary(arith.DivSIOp, mirrored, rhs)
        return self.select(negative, self.binary(arith.SubiOp, minus_one, quotient), quotient)

    def ceil_divide(self, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """lhs ceildiv rhs  ->  lhs > 0 ? (lhs - 1) / rhs + 1 : -(-lhs / rhs)     (rhs > 0)"""
        zero, one = self.constant(0), self.constant(1)
        positive = self.less(zero, lhs)
        mirrored = self.select(positive, self.binary(arith.SubiOp, lhs, one), self.binary(arith.SubiOp, zero, lhs))
        quotient = self.binary(arith.DivSIOp, mirrored, rhs)
        return self.select(positive, self.binary(arith.AddiOp, quotient, one), self.binary(arith.SubiOp, zero, quotient))

    def expression(self, expr: AffineExpr, dims: Sequence[SSAValue], symbols: Sequence[SSAValue]) -> SSAValue:
        """The value of an affine expression."""
        match expr:
            case AffineConstantExpr(value=value):
                return self.constant(value)
            case AffineDimExpr(position=position):
                return dims[position]
            case AffineSymExpr(position=position):
                return symbols[position]
            case AffineBinaryOpExpr(kind=kind, lhs=lhs, rhs=rhs):
                left, right = self.expression(lhs, dims, symbols), self.expression(rhs, dims, symbols)
                match kind:
                    case AffineBinaryOpKind.Add:
                        return self.binary(arith.AddiOp, left, right)
                    case AffineBinaryOpKind.Mul:
                        return self.binary(arith.MuliOp, left, right)
                    case AffineBinaryOpKind.Mod:
                        return self.modulo(left, right)
                    case AffineBinaryOpKind.FloorDiv:
                        return self.floor_divide(left, right)
                    case AffineBinaryOpKind.CeilDiv:
                        return self.ceil_divide(left, right)
            case _:
                raise LoweringError(f"convert-scf-to-cf: affine expression {expr} is of an unknown kind")

    def results(self, map: AffineMap, operands: Sequence[SSAValue]) -> list[SSAValue]:
        """The results of an affine map for its operands: dimensions first, then symbols."""
        dims, symbols = operands[: map.num_dims], operands[map.num_dims :]
        return [self.expression(result, dims, symbols) for result in map.results]

    def smallest(self, values: Sequence[SSAValue]) -> SSAValue:
        """The least of some values; an upper bound or `affine.min` with several results."""
        return self._reduce(arith.MinSIOp, values)

    def largest(self, values: Sequence[SSAValue]) -> SSAValue:
        """The greatest of some values; a lower bound with several results."""
        return self._reduce(arith.MaxSIOp, values)

    def _reduce(self, op_type: type[Operation], values: Sequence[SSAValue]) -> SSAValue:
        best = values[0]
        for value in values[1:]:
            best = self.binary(op_type, best, value)
        return best

    def holds(self, condition: AffineSet, operands: Sequence[SSAValue]) -> SSAValue:
        """An i1: all constraints of an affine set hold for its operands."""
        dims, symbols = operands[: condition.num_dims], operands[condition.num_dims :]
        outcome: SSAValue | None = None
        for constraint in condition.constraints:
            left = self.expression(constraint.lhs, dims, symbols)
            right = self.expression(constraint.rhs, dims, symbols)
            met = self.compare(_PREDICATES[constraint.kind], left, right)
            if outcome is None:
                outcome = met
            else:
                both = arith.AndIOp.create(operands=[outcome, met], result_types=[i1])
                self.emit(both)
                outcome = both.results[0]
        if outcome is None:
            raise LoweringError("convert-scf-to-cf: affine.if without constraints; give it at least one")
        return outcome


_SLT = 2
_PREDICATES = {AffineConstraintKind.eq: 0, AffineConstraintKind.le: 3, AffineConstraintKind.ge: 5}
_WITH_OVERFLOW_FLAGS = frozenset({arith.AddiOp, arith.SubiOp, arith.MuliOp})


def lower_access(op: Operation, arithmetic: Arithmetic) -> Operation | None:
    """
    The operation without `affine` that does the same as an affine access, or None when `op` is not one.

    affine.load m[map(i)]  ->  memref.load m[map i], and so for store, vector_load and vector_store
    """
    match op:
        case affine.LoadOp():
            operands = [op.memref, *arithmetic.results(op.map.data, op.indices)]
            return memref.LoadOp.create(operands=operands, result_types=op.result_types)
        case affine.StoreOp():
            operands = [op.value, op.memref, *arithmetic.results(op.map.data, op.indices)]
            return memref.StoreOp.create(operands=operands)
        case affine.VectorLoadOp():
            operands = [op.memref, *arithmetic.results(op.map.data, op.indices)]
            return vector.LoadOp.create(operands=operands, result_types=op.result_types)
        case affine.VectorStoreOp():
            operands = [op.value, op.memref, *arithmetic.results(op.map.data, op.indices)]
            return vector.StoreOp.create(operands=operands)
        case _:
            return None


def lower_index(op: Operation, arithmetic: Arithmetic) -> SSAValue | None:
    """
    The value of `affine.apply` or `affine.min`, or None when `op` is neither.

    affine.apply map(i)  ->  map i;     affine.min map(i)  ->  minsi over the results of map i
    """
    match op:
        case affine.ApplyOp():
            return arithmetic.results(op.map.data, op.mapOperands)[0]
        case affine.MinOp():
            return arithmetic.smallest(arithmetic.results(op.map.data, op.arguments))
        case _:
            return None
