"""
Control flow and views of memory, for the builders of native entries.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import DictionaryAttr, IndexType, IntegerAttr, MemRefType, i1, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from cogir.irutils import shape_of
from cogir.lowering.entry.code import Code


def cast_to(code: Code, buffer: SSAValue, type: Attribute) -> SSAValue:
    """The buffer as a value of another memref type of the same shape."""
    return buffer if buffer.type == type else code.value(memref.CastOp.get(buffer, cast("MemRefType[Any]", type)), buffer.name_hint)


def row(code: Code, table: SSAValue, number: SSAValue, type: MemRefType[Any]) -> SSAValue:
    """One row of a table."""
    zeros = [0] * len(shape_of(type))
    return code.value(memref.SubviewOp.get(table, [number, *zeros], [1, *shape_of(type)], [1] * (1 + len(zeros)), type))


AS_IT_IS = DictionaryAttr({"vectorize": IntegerAttr(0, i1), "unroll": IntegerAttr(0, i64)})
"""The hint (`cog.loop`) for loops that are left as they are."""


def when(code: Code, condition: SSAValue, do: Callable[[Code], None]) -> None:
    """scf.if"""
    block = Block()
    inner = Code.at_end(block)
    do(inner)
    inner.builder.insert(scf.YieldOp())
    code.builder.insert(scf.IfOp(condition, [], Region(block)))


def loop(code: Code, condition: Callable[[Code], SSAValue], do: Callable[[Code], None]) -> None:
    """scf.while that carries nothing"""
    before, after = Block(), Block()
    inner = Code.at_end(before)
    inner.builder.insert(scf.ConditionOp(condition(inner)))
    body = Code.at_end(after)
    do(body)
    body.builder.insert(scf.YieldOp())
    op: Operation = scf.WhileOp([], [], Region(before), Region(after))
    code.builder.insert(op)


def for_each(code: Code, count: int, do: Callable[[Code, SSAValue], None], name: str = "lane") -> scf.ForOp:
    """scf.for over so many lanes, or other things"""
    return for_each_of(code, code.constant(count, IndexType()), do, name)


def for_each_of(code: Code, count: SSAValue, do: Callable[[Code, SSAValue], None], name: str | None = None) -> scf.ForOp:
    """scf.for from 0 on"""
    block = Block(arg_types=[IndexType()])
    block.args[0].name_hint = name
    inner = Code.at_end(block)
    do(inner, block.args[0])
    inner.builder.insert(scf.YieldOp())
    first, step = (code.constant(number, IndexType()) for number in (0, 1))
    return code.builder.insert(scf.ForOp(first, count, step, [], Region(block)))


def move(code: Code, buffer: SSAValue, target: SSAValue, source: SSAValue, count: SSAValue) -> None:
    """Moves some numbers of a buffer towards its beginning."""
    to, since, end = (code.value(arith.IndexCastOp(number, IndexType())) for number in (target, source, count))

    def one(code: Code, number: SSAValue) -> None:
        place, from_place = (code.value(arith.AddiOp(base, number)) for base in (to, since))
        moved = code.value(memref.LoadOp.get(buffer, [from_place]))
        code.builder.insert(memref.StoreOp.get(moved, buffer, [place]))

    for_each_of(code, end, one)
