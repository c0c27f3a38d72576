"""
The parts that functions over ranges of a search have in common: `outline-parallel` makes them for threads, `outline-gpu` for GPUs.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.builder import Builder
from xdsl.dialects import arith, func, tensor
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IndexType, IntegerAttr, i64
from xdsl.ir import Attribute, Operation, SSAValue

from cogir.analysis.first_optimum import FirstOptimum
from cogir.irutils import index_constant


def worst_value(carried: FirstOptimum) -> float:
    """A value that any number is better than."""
    return float("inf") if carried.minimizes else -float("inf")


def range_function(name: str, tables: Sequence[Attribute], hints: Sequence[str], captured: Sequence[SSAValue]) -> func.FuncOp:
    """
    A private function of a range, of tables that it updates and returns, and of captured values, without a body yet. `hints`: the names of
    the first tables.
    """
    inputs: list[Attribute] = [IndexType(), IndexType(), *tables, *(value.type for value in captured)]
    updates = [DictionaryAttr({"cog.updates": IntegerAttr(number, i64)}) for number in range(len(tables))]
    others = [DictionaryAttr({})] * len(captured)
    attributes = ArrayAttr([DictionaryAttr({}), DictionaryAttr({}), *updates, *others])
    function = func.FuncOp(name, (inputs, tables), visibility="private", arg_attrs=attributes)
    for argument, hint in zip(function.args, ("first", "last", *hints), strict=False):
        argument.name_hint = hint
    for old, new in zip(captured, function.args[2 + len(tables) :], strict=True):
        new.name_hint = old.name_hint
    return function


def insert_constants(builder: Builder, constants: Sequence[SSAValue], values: dict[SSAValue, SSAValue]) -> None:
    """Makes constants again, which `values` then maps to the new ones."""
    for old in constants:
        assert isinstance(old.owner, Operation)
        builder.insert(old.owner.clone(values))


def add_row(builder: Builder, total: SSAValue, table: SSAValue, row: SSAValue, count: int) -> SSAValue:
    """The `count` numbers of events with those of a row of a table."""
    for number in range(count):
        place = builder.insert(index_constant(number)).result
        more = builder.insert(tensor.ExtractOp(table, [row, place], i64)).result
        before = builder.insert(tensor.ExtractOp(total, [place], i64)).result
        total = builder.insert(tensor.InsertOp(builder.insert(arith.AddiOp(before, more)).result, total, [place])).result
    return total


def first_status(builder: Builder, before: SSAValue, found: SSAValue) -> SSAValue:
    """The status `found`, unless one before it is that of an error, which counts first."""
    zero = builder.insert(arith.ConstantOp(IntegerAttr(0, i64))).result
    fine = builder.insert(arith.CmpiOp(before, zero, "eq")).result
    return builder.insert(arith.SelectOp(fine, found, before)).result
