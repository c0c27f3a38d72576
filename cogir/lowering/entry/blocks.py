"""
Blocks of trials in `@run`: rows of input are gathered, `@trials` computes them, and rows of output are handed on.

```mlir
%rows = min(%left, 96)
scf.for %r = 0 to 96 { copy %in[(%first + min(%r, %rows - 1)) % %n_in] to %block_in[%r] }     // the last trial fills the rest of a block
%status = func.call @trials(%pf, %pi, %block_in, %rows - 1, %sf, %si, %block_out)
scf.for %r = 0 to %rows { copy %block_out[%r] to %out[%done + %r] }
```
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import IndexType, MemRefType, StridedLayoutAttr, i64
from xdsl.ir import Block, Region, SSAValue

from cogir.irutils import shape_of
from cogir.lowering.entry.code import Code
from cogir.lowering.products.loops import strides_of


class TrialBlocks:
    """Calls of a function that computes blocks of trials."""

    def __init__(self, function: func.FuncOp):
        self.function = function
        types = [cast("MemRefType[Any]", type) for type in function.function_type.inputs]
        self.pf, self.pi, self.input = types[:3]
        self.sf, self.si, self.output = types[4:]
        self.size = shape_of(self.input)[0]
        self.least = self.size // 4
        """For fewer trials, a block takes as long as trials one after the other."""

    def allocate(self, code: Code) -> None:
        """Memory for the rows of a block."""
        self.rows_in, self.rows_out = (
            code.value(memref.AllocOp.get(type.element_type, None, type.get_shape())) for type in (self.input, self.output)
        )

    def free(self, code: Code) -> None:
        """Gives the memory back."""
        for buffer in (self.rows_in, self.rows_out):
            code.builder.insert(memref.DeallocOp.get(buffer))

    def call(
        self, code: Code, given: Mapping[str, SSAValue], buffers: Sequence[SSAValue], first: SSAValue, done: SSAValue, rows: SSAValue
    ) -> SSAValue:
        """Computes `rows` trials from `first` on, whose outputs begin at row `done`; the status."""
        last = code.value(arith.SubiOp(rows, code.constant(1)))

        def gather(inside: Code, number: SSAValue) -> None:
            trial = inside.value(arith.AddiOp(first, inside.value(arith.MinSIOp(number, last))))
            row = inside.value(arith.RemSIOp(trial, given["n_in"]))
            copy_row(inside, given["in"], row, self.rows_in, number)

        def hand_on(inside: Code, number: SSAValue) -> None:
            copy_row(inside, self.rows_out, number, given["out"], inside.value(arith.AddiOp(done, number)))

        loop(code, code.constant(self.size), gather)
        pf, pi, sf, si = (
            buffer if buffer.type == type else code.value(memref.CastOp.get(buffer, type))
            for buffer, type in zip(buffers, (self.pf, self.pi, self.sf, self.si), strict=True)
        )
        number = code.value(arith.IndexCastOp(last, IndexType()))
        operands = [pf, pi, *self.cast(code, self.rows_in, self.input), number, sf, si, *self.cast(code, self.rows_out, self.output)]
        status = code.value(func.CallOp(self.function.sym_name.data, operands, [i64]), "status")
        loop(code, rows, hand_on)
        return status

    def cast(self, code: Code, buffer: SSAValue, type: MemRefType[Any]) -> list[SSAValue]:
        """A buffer as the function takes it."""
        return [buffer if buffer.type == type else code.value(memref.CastOp.get(buffer, type))]


def loop(code: Code, count: SSAValue, body: Any) -> None:
    """scf.for over so many rows"""
    block = Block(arg_types=[i64])
    inside = Code.at_end(block)
    body(inside, block.args[0])
    inside.builder.insert(scf.YieldOp())
    code.builder.insert(scf.ForOp(code.constant(0), count, code.constant(1), [], Region(block)))


def copy_row(code: Code, source: SSAValue, row: SSAValue, target: SSAValue, to: SSAValue) -> None:
    """Copies a row from one table to another."""
    code.builder.insert(memref.CopyOp(row_of(code, source, row), row_of(code, target, to)))


def row_of(code: Code, table: SSAValue, number: SSAValue) -> SSAValue:
    """One row of a table."""
    type = cast("MemRefType[Any]", table.type)
    width = shape_of(type)[1]
    index = code.value(arith.IndexCastOp(number, IndexType()))
    made = MemRefType(type.element_type, [width], StridedLayoutAttr([strides_of(type)[1]], None))
    return code.value(memref.SubviewOp.get(table, [index, 0], [1, width], [1, 1], made))
