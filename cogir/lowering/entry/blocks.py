"""
Blocks of trials in `@run`, `@replicates` and `@sweep`: rows of input are gathered, `@trials` computes them, rows of output are handed on.

```mlir
%rows = min(%left, 100)
scf.for %r = 0 to %rows { copy %in[(%first + %r) % %n_in] to %block_in[%r] }
scf.for %r = 0 to %rows { func.call @trial_ahead(%pf, %pi, %block_in[%r], %si, %generator, %noise[%r]) }            // if there are draws
%status = func.call @trials(%pf, %pi, %block_in, %noise, %rows - 1, %sf, %si, %block_out)
scf.for %r = 0 to %rows { copy %block_out[%r] to %out[%done + %r] }
```

In `@run`, a whole block whose rows of input lie side by side reads them where they are, and writes its outputs where they are wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, cast

from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import FloatAttr, IndexType, IntegerAttr, MemRefType, StridedLayoutAttr, i64
from xdsl.dialects.linalg.ops import FillOp
from xdsl.ir import Attribute, Block, Region, SSAValue

from cogir.analysis.trial_axis import FEWEST
from cogir.irutils import is_float, shape_of
from cogir.lowering.convert_scf_to_cf import LOOP_HINT
from cogir.lowering.entry.code import Code
from cogir.lowering.entry.control_flow import AS_IT_IS
from cogir.lowering.products.loops import strides_of
from cogir.transforms.batch_trials import AHEAD, TRIALS


class TrialBlocks:
    """Calls of a function that computes blocks of trials, and of the one that runs ahead."""

    def __init__(self, functions: Mapping[str, func.FuncOp], stoppable: Collection[str], control: SSAValue):
        """`stoppable`: the functions that take `control` as their last argument."""
        self.stoppable = stoppable
        self.control = control
        inputs = list(functions[TRIALS].function_type.inputs)
        number = next(place for place, type in enumerate(inputs) if isinstance(type, IndexType))
        before, after = inputs[:number], inputs[number + 1 :]
        self.pf, self.pi, self.input, *self.given = (cast("MemRefType[Any]", type) for type in before)
        self.sf, self.si, self.output = (cast("MemRefType[Any]", type) for type in after[:3])
        self.ahead = functions.get(AHEAD)
        self.size = shape_of(self.input)[0]
        self.fewest = cast("IntegerAttr[Any]", functions[TRIALS].attributes[FEWEST]).value.data
        """The trials from which on a block is faster than trials one after the other."""

    def allocate(self, code: Code) -> None:
        """Memory for the rows of a block; what trials are given ahead is zero in rows that no trial has written yet."""

        def memory(type: MemRefType[Any]) -> SSAValue:
            return code.value(memref.AllocOp.get(type.element_type, None, type.get_shape()))

        self.rows_in, self.rows_out = memory(self.input), memory(self.output)
        self.tables = [memory(type) for type in self.given]
        for table, type in zip(self.tables, self.given, strict=True):
            element = type.element_type
            zero = FloatAttr(0.0, element) if is_float(element) else IntegerAttr(0, element)
            code.builder.insert(FillOp([code.value(arith.ConstantOp(zero))], [table], res=()))

    def free(self, code: Code) -> None:
        """Gives the memory back."""
        for buffer in (self.rows_in, self.rows_out, *self.tables):
            code.builder.insert(memref.DeallocOp.get(buffer))

    def call(
        self,
        code: Code,
        given: Mapping[str, SSAValue],
        buffers: Sequence[SSAValue],
        states: Sequence[SSAValue],
        first: SSAValue,
        done: SSAValue,
        rows: SSAValue,
    ) -> SSAValue:
        """Computes `rows` trials from `first` on, whose outputs begin at row `done`; the status. `states`: the generators."""
        last = code.value(arith.SubiOp(rows, code.constant(1)))
        pf, pi, _, si = buffers
        begin = code.value(arith.RemSIOp(first, given["n_in"]))
        end = code.value(arith.AddiOp(begin, code.constant(self.size)))
        is_whole = code.compare(rows, "eq", code.constant(self.size))
        stays = code.value(arith.AndIOp(is_whole, code.compare(end, "sle", given["n_in"])), "stays")

        def gather(inside: Code, number: SSAValue) -> None:
            row = inside.value(arith.RemSIOp(inside.value(arith.AddiOp(first, number)), given["n_in"]))
            copy_row(inside, given["in"], row, self.rows_in, number)

        here, gathered = Block(), Block()
        inside = Code.at_end(here)
        rows_in, rows_out = self.rows_at(inside, given["in"], begin, self.input), self.rows_at(inside, given["out"], done, self.output)
        inside.builder.insert(scf.YieldOp(rows_in, rows_out))
        inside = Code.at_end(gathered)
        loop(inside, rows, gather)
        rows_in, rows_out = self.cast(inside, self.rows_in, self.input), self.cast(inside, self.rows_out, self.output)
        inside.builder.insert(scf.YieldOp(rows_in, rows_out))
        rows_in, rows_out = code.builder.insert(scf.IfOp(stays, [self.input, self.output], Region(here), Region(gathered))).results
        if self.ahead is not None:
            loop(code, rows, lambda inside, number: self.run_ahead(inside, number, pf, pi, si, states, rows_in))
        status = self.compute(code, buffers, last, rows_in, rows_out)
        handed = Block()
        inside = Code.at_end(handed)
        self.hand_on(inside, rows, given["out"], done)
        inside.builder.insert(scf.YieldOp())
        nothing = Block()
        Code.at_end(nothing).builder.insert(scf.YieldOp())
        code.builder.insert(scf.IfOp(stays, [], Region(nothing), Region(handed)))
        return status

    def rows_at(self, code: Code, table: SSAValue, number: SSAValue, type: MemRefType[Any]) -> SSAValue:
        """The rows of a block in a table, from one of them on."""
        shape = shape_of(type)
        index = code.value(arith.IndexCastOp(number, IndexType()))
        made = MemRefType(type.element_type, shape, StridedLayoutAttr(strides_of(type), None))
        window = memref.SubviewOp.get(table, [index, *[0] * (len(shape) - 1)], shape, [1] * len(shape), made)
        return self.cast(code, code.value(window), type)

    def run_ahead(
        self,
        code: Code,
        number: SSAValue,
        pf: SSAValue,
        pi: SSAValue,
        si: SSAValue,
        states: Sequence[SSAValue],
        rows_in: SSAValue,
    ) -> None:
        """Draws and counts for the trial of a row, whose inputs are there."""
        assert self.ahead is not None
        arrays = [table for table in self.tables if len(shape_of(table.type)) > 1]
        rows = [row_of(code, buffer, number) for buffer in (rows_in, *arrays)]
        operands = [pf, pi, rows[0], si, *states, *rows[1:], *self.control_for(AHEAD)]
        wanted = list(self.ahead.function_type.inputs)
        held = [self.cast(code, operand, type) for operand, type in zip(operands, wanted, strict=True)]
        results = list(code.builder.insert(func.CallOp(AHEAD, held, list(self.ahead.function_type.outputs))).results)
        place = code.value(arith.IndexCastOp(number, IndexType()))
        for table, value in zip([table for table in self.tables if table not in arrays], results, strict=True):
            code.builder.insert(memref.StoreOp.get(value, table, [place]))

    def compute(self, code: Code, buffers: Sequence[SSAValue], last: SSAValue, rows_in: SSAValue, rows_out: SSAValue) -> SSAValue:
        """Computes a block whose inputs are there; the status."""
        pf, pi, sf, si = (self.cast(code, buffer, type) for buffer, type in zip(buffers, (self.pf, self.pi, self.sf, self.si), strict=True))
        number = code.value(arith.IndexCastOp(last, IndexType()))
        tables = [self.cast(code, table, type) for table, type in zip(self.tables, self.given, strict=True)]
        rows_in, rows_out = self.cast(code, rows_in, self.input), self.cast(code, rows_out, self.output)
        operands = [pf, pi, rows_in, *tables, number, sf, si, rows_out, *self.control_for(TRIALS)]
        return code.value(func.CallOp(TRIALS, operands, [i64]), "status")

    def hand_on(self, code: Code, rows: SSAValue, out: SSAValue, first: SSAValue) -> None:
        """Copies outputs to where they are wanted, from a row on."""

        def copy(inside: Code, number: SSAValue) -> None:
            copy_row(inside, self.rows_out, number, out, inside.value(arith.AddiOp(first, number)))

        loop(code, rows, copy)

    def control_for(self, name: str) -> list[SSAValue]:
        """`control`, for a function that takes it."""
        return [self.control] if name in self.stoppable else []

    def cast(self, code: Code, buffer: SSAValue, type: Attribute) -> SSAValue:
        """A buffer as a function takes it."""
        return buffer if buffer.type == type else code.value(memref.CastOp.get(buffer, cast("MemRefType[Any]", type)))


def loop(code: Code, count: SSAValue, body: Callable[[Code, SSAValue], None]) -> None:
    """scf.for over so many rows"""
    block = Block(arg_types=[i64])
    inside = Code.at_end(block)
    body(inside, block.args[0])
    inside.builder.insert(scf.YieldOp())
    made = code.builder.insert(scf.ForOp(code.constant(0), count, code.constant(1), [], Region(block)))
    # Rows are moved by one call each: more code would gain nothing, and takes longer to compile.
    made.attributes[LOOP_HINT] = AS_IT_IS


def copy_row(code: Code, source: SSAValue, row: SSAValue, target: SSAValue, to: SSAValue) -> None:
    """Copies a row from one table to another."""
    code.builder.insert(memref.CopyOp(row_of(code, source, row), row_of(code, target, to)))


def row_of(code: Code, table: SSAValue, number: SSAValue) -> SSAValue:
    """One row of a table."""
    type = cast("MemRefType[Any]", table.type)
    shape = shape_of(type)[1:]
    index = code.value(arith.IndexCastOp(number, IndexType()))
    made = MemRefType(type.element_type, shape, StridedLayoutAttr(strides_of(type)[1:], None))
    zeros, ones = [0] * len(shape), [1] * len(shape)
    return code.value(memref.SubviewOp.get(table, [index, *zeros], [1, *shape], [1, *ones], made))
