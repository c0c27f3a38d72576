"""
Builds the native entry `@learn`: batch after batch of trials, after each of which the optimizer changes what is learned.

```mlir
func.func @learn(%pf, %pi, %sf, %si, %in: memref<?xIxf64>, %order: memref<?xi64>, %starts: memref<?xi64>, %sum: memref<Wxf64>,
                 %out: memref<?xOxf64>, %losses: memref<?xf64>, %first: i64, %count: i64, %control: memref<16xi64>) -> i32
```

Where `split-inputs` has made the inputs several arguments of `@gradients`, so they are here: %in, %in_1, ... in the order of their columns.

Batch `first <= b < first + count` consists of the input rows `order[t]` for `starts[b] <= t < starts[b + 1]`; their outputs go to the rows
`t` of %out, and its loss to `losses[b]`. %pf holds the learned matrices and %sf the states of the optimizer, which both change; %sum is
memory for the derivatives. A whole block of trials that follow each other in %in is read where it stands, others are copied first.
`control` is that of `@run`, and says how many batches are done. The result is 0 when all of them are, and 1 when it was stopped. That
happens between two trials, or within one in its loops; a batch that was stopped on its way changes nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, cast

from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FloatAttr,
    IndexType,
    MemRefType,
    StridedLayoutAttr,
    UnitAttr,
    f64,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Region, SSAValue

from cogir.irutils import shape_of
from cogir.lowering.entry.blocks import copy_row
from cogir.lowering.entry.blocks import loop as rows_of
from cogir.lowering.entry.code import BUDGET, CONTROL, DONE, FINISHED, POLL, STOPPED, Code, plain
from cogir.lowering.entry.control_flow import cast_to, row
from cogir.lowering.gradient.differentiate import GRADIENT
from cogir.lowering.machine.learning import OPTIMIZE
from cogir.lowering.products.loops import strides_of
from cogir.lowering.products.overwrite_derivatives import OVERWRITES, ranges_between
from cogir.transforms.batch_trials import GRADIENTS
from cogir.transforms.split_inputs import inputs_of

NAME = "learn"
PARAMETERS = ("pf", "pi", "sf", "si")
OTHERS = ("order", "starts", "sum", "out", "losses", "first", "count", "control")
"""The arguments before and after the inputs."""


class LearnEntry:
    """Builds `@learn` from `@gradient`, or `@gradients` for blocks of trials, and `@optimize`, as `bufferize` leaves them."""

    def __init__(self, functions: Mapping[str, func.FuncOp], stoppable: Collection[str] = ()):
        """`stoppable`: the functions that take `control` as their last argument."""
        self.functions = functions
        self.stoppable = stoppable
        self.has_blocks = GRADIENTS in functions
        """True if there is a function for blocks of trials, which are the rows of its inputs, of its outputs, and of its losses."""
        gradient = functions[GRADIENTS if self.has_blocks else GRADIENT].function_type.inputs
        optimize = functions[OPTIMIZE].function_type.inputs
        buffers = [cast("MemRefType[Any]", type) for type in gradient if isinstance(type, MemRefType)]
        inputs = inputs_of(functions[GRADIENTS]) if self.has_blocks else 1
        self.pf, self.pi, *self.inputs = buffers[: 2 + inputs]
        self.sum, self.output, *each = buffers[2 + inputs :]
        self.each = each[0] if self.has_blocks else None
        self.overwritten = self.ranges_overwritten() if self.has_blocks else None
        """The ranges of the sum of derivatives that the first block of a batch overwrites; None if it is not told that it is the first."""
        self.sf, self.si = (cast("MemRefType[Any]", type) for type in optimize.data[5:7])

    @property
    def size(self) -> int:
        """The trials of a block."""
        return shape_of(self.inputs[0])[0]

    def ranges_overwritten(self) -> list[int] | None:
        """The ranges in the attribute `OVERWRITES`; None if `@gradients` is not told which block is the first."""
        attributes = self.functions[GRADIENTS].arg_attrs
        found = [each.data[OVERWRITES] for each in attributes.data if OVERWRITES in each.data] if attributes is not None else []
        return [int(number) for number in cast("DenseArrayBase[Any]", found[0]).get_values()] if found else None

    def build(self) -> func.FuncOp:
        *inputs, outputs = (
            MemRefType(type.element_type, (DYNAMIC_INDEX, *shape_of(type)[1 if self.has_blocks else 0 :]))
            for type in (*self.inputs, self.output)
        )
        buffers = [plain(type) for type in (self.pf, self.pi, self.sf, self.si)]
        numbers, places = MemRefType(f64, (DYNAMIC_INDEX,)), MemRefType(i64, (DYNAMIC_INDEX,))
        types: list[Attribute] = [*buffers, *inputs, places, places, plain(self.sum), outputs, numbers, i64, i64, CONTROL]
        attributes = [DictionaryAttr({"llvm.noalias": UnitAttr()} if isinstance(type, MemRefType) else {}) for type in types]
        function = func.FuncOp(NAME, (types, [i32]), arg_attrs=ArrayAttr(attributes))
        self.tables = ["in" if number == 0 else f"in_{number}" for number in range(len(inputs))]
        self.given: dict[str, SSAValue] = dict(zip((*PARAMETERS, *self.tables, *OTHERS), function.args, strict=True))
        for name, argument in self.given.items():
            argument.name_hint = name
        code = Code.at_end(function.body.block)
        tables = [] if self.each is None else [*self.inputs, self.output, self.each]
        self.rows = [code.value(memref.AllocOp.get(table.element_type, None, table.get_shape())) for table in tables]
        before, after = Block(arg_types=[i32, i64]), Block(arg_types=[i32, i64])
        self.emit_condition(before)
        self.emit_step(after)
        loop = scf.WhileOp([code.constant(FINISHED, i32), code.constant(0)], [i32, i64], Region(before), Region(after))
        status = code.value(loop, "status")
        for buffer in self.rows:
            code.builder.insert(memref.DeallocOp.get(buffer))
        code.builder.insert(func.ReturnOp(status))
        return function

    def emit_condition(self, block: Block) -> None:
        """Go on while nothing happened and batches are left."""
        status, done = block.args
        code = Code.at_end(block)
        more = code.compare(done, "slt", self.given["count"])
        fine = code.compare(status, "eq", code.constant(FINISHED, i32))
        code.builder.insert(scf.ConditionOp(code.value(arith.AndIOp(more, fine)), status, done))

    def emit_step(self, block: Block) -> None:
        """One batch, unless a stop is requested or the budget is spent."""
        done, control = block.args[1], self.given["control"]
        code = Code.at_end(block)
        stop = code.value(func.CallOp(POLL, [control], [i1]), "stop")
        budget = code.load(control, BUDGET)
        limited = code.compare(budget, "sgt", code.constant(0))
        spent = code.value(arith.AndIOp(limited, code.compare(done, "sge", budget)), "spent")
        halted, running = Block(), Block()
        stopping = Code.at_end(halted)
        stopping.builder.insert(scf.YieldOp(stopping.constant(STOPPED, i32), done))
        self.emit_batch(Code.at_end(running), done)
        halt = code.value(arith.OrIOp(stop, spent), "halt")
        step = code.builder.insert(scf.IfOp(halt, [i32, i64], Region(halted), Region(running)))
        code.builder.insert(scf.YieldOp(*step.results))

    def emit_batch(self, code: Code, done: SSAValue) -> None:
        """The trials of a batch, and what the optimizer makes of them."""
        given = self.given
        batch = code.value(arith.AddiOp(given["first"], done), "batch")
        first = self.load(code, "starts", batch)
        last = self.load(code, "starts", code.value(arith.AddiOp(batch, code.constant(1))))
        total = cast_to(code, given["sum"], self.sum)
        self.clear(code, total)
        zero = code.value(arith.ConstantOp(FloatAttr(0.0, f64)))
        losses = self.trials(code, first, last, total, zero)
        stop = code.value(func.CallOp(POLL, [given["control"]], [i1]), "stop")
        halted, learning = Block(), Block()
        stopping = Code.at_end(halted)
        stopping.builder.insert(scf.YieldOp(stopping.constant(STOPPED, i32), done))
        self.emit_optimizer(Code.at_end(learning), done, batch, total, losses, code.value(arith.SubiOp(last, first)))
        step = code.builder.insert(scf.IfOp(stop, [i32, i64], Region(halted), Region(learning)))
        code.builder.insert(scf.YieldOp(*step.results))

    def emit_optimizer(self, code: Code, done: SSAValue, batch: SSAValue, total: SSAValue, losses: SSAValue, count: SSAValue) -> None:
        """The step of the optimizer from the losses and derivatives of so many trials."""
        given = self.given
        trials = code.value(arith.SIToFPOp(count, f64), "trials")
        pf, pi, sf, si = (
            cast_to(code, given[name], type) for name, type in (("pf", self.pf), ("pi", self.pi), ("sf", self.sf), ("si", self.si))
        )
        wanted = self.functions[OPTIMIZE].function_type.inputs.data
        operands = [pf, pi, total, losses, trials, sf, si]
        held = [
            cast_to(code, value, cast("MemRefType[Any]", type)) if isinstance(type, MemRefType) else value
            for value, type in zip(operands, wanted, strict=False)
        ]
        loss = code.value(self.call(OPTIMIZE, held), "loss")
        code.builder.insert(memref.StoreOp.get(loss, given["losses"], [self.index(code, batch)]))
        now = code.value(arith.AddiOp(done, code.constant(1)))
        code.store(now, given["control"], DONE)
        code.builder.insert(scf.YieldOp(code.constant(FINISHED, i32), now))

    def trials(self, code: Code, first: SSAValue, last: SSAValue, total: SSAValue, zero: SSAValue) -> SSAValue:
        """The sum of the losses of the trials of a batch, up to a stop, whose derivatives are added to `total`."""
        before, after = Block(arg_types=[i64, f64]), Block(arg_types=[i64, f64])
        asking = Code.at_end(before)
        stop = asking.value(func.CallOp(POLL, [self.given["control"]], [i1]), "stop")
        more = asking.compare(before.args[0], "slt", last)
        goes_on = asking.value(arith.AndIOp(more, asking.value(arith.XOrIOp(stop, asking.constant(1, i1)))))
        asking.builder.insert(scf.ConditionOp(goes_on, *before.args))
        trial, losses = after.args
        self.emit_trials(Code.at_end(after), trial, losses, (first, last), total)
        loop = code.builder.insert(scf.WhileOp([first, zero], [i64, f64], Region(before), Region(after)))
        return loop.results[1]

    def emit_trials(self, code: Code, trial: SSAValue, losses: SSAValue, ends: tuple[SSAValue, SSAValue], total: SSAValue) -> None:
        """A trial of a batch, or a block of those that are left; `ends`: the first trial of the batch, and the one after its last."""
        first, last = ends
        trial.name_hint, losses.name_hint = "trial", "losses"
        if self.has_blocks:
            size = code.constant(self.size)
            count = code.value(arith.MinSIOp(code.value(arith.SubiOp(last, trial), "left"), size), "count")
            results = self.block_of_trials(code, trial, losses, total, count, code.compare(trial, "eq", first))
        else:
            results = self.one_trial(code, trial, losses, total)
        code.builder.insert(scf.YieldOp(*results))

    def one_trial(self, code: Code, trial: SSAValue, losses: SSAValue, total: SSAValue) -> tuple[SSAValue, SSAValue]:
        """The trial after this one, and the losses with this one."""
        number = self.index(code, self.load(code, "order", trial))
        operands = [
            cast_to(code, self.given["pf"], self.pf),
            cast_to(code, self.given["pi"], self.pi),
            row(code, self.given["in"], number, self.inputs[0]),
            total,
            row(code, self.given["out"], self.index(code, trial), self.output),
        ]
        loss = code.value(self.call(GRADIENT, operands), "loss")
        following = code.value(arith.AddiOp(trial, code.constant(1)))
        return following, code.value(arith.AddfOp(losses, loss))

    def block_of_trials(
        self, code: Code, trial: SSAValue, losses: SSAValue, total: SSAValue, count: SSAValue, is_first: SSAValue
    ) -> tuple[SSAValue, SSAValue]:
        """The trial after a block of so many, and the losses with those of the block, added one after the other."""
        assert self.each is not None
        *inputs, outputs, each = self.rows

        def gather(inside: Code, number: SSAValue) -> None:
            source = self.load(inside, "order", inside.value(arith.AddiOp(trial, number)))
            for name, table in zip(self.tables, inputs, strict=True):
                copy_row(inside, self.given[name], source, table, number)

        def hand_on(inside: Code, number: SSAValue) -> None:
            copy_row(inside, outputs, number, self.given["out"], inside.value(arith.AddiOp(trial, number)))

        start = self.load(code, "order", trial)
        in_place, gathered = Block(), Block()
        reading = Code.at_end(in_place)
        self.call_gradients(reading, self.block_in_place(reading, start), total, count, is_first)
        reading.builder.insert(scf.YieldOp())
        copying = Code.at_end(gathered)
        rows_of(copying, count, gather)
        gathered_rows = [cast_to(copying, table, type) for table, type in zip(inputs, self.inputs, strict=True)]
        self.call_gradients(copying, gathered_rows, total, count, is_first)
        copying.builder.insert(scf.YieldOp())
        is_whole = code.compare(count, "eq", code.constant(self.size))
        follow = code.value(arith.AndIOp(is_whole, self.follow_each_other(code, trial, start, count)), "in_place")
        code.builder.insert(scf.IfOp(follow, [], Region(in_place), Region(gathered)))
        rows_of(code, count, hand_on)
        block = Block(arg_types=[IndexType(), f64])
        inside = Code.at_end(block)
        loss = inside.value(memref.LoadOp.get(each, [block.args[0]]), "loss")
        inside.builder.insert(scf.YieldOp(inside.value(arith.AddfOp(block.args[1], loss))))
        first, step = (code.constant(number, IndexType()) for number in (0, 1))
        summed = code.value(scf.ForOp(first, self.index(code, count), step, [losses], Region(block)))
        return code.value(arith.AddiOp(trial, count)), summed

    def follow_each_other(self, code: Code, trial: SSAValue, start: SSAValue, count: SSAValue) -> SSAValue:
        """True if so many trials from `trial` on are the rows of input from `start` on, in their order."""
        block = Block(arg_types=[i64, i1])
        inside = Code.at_end(block)
        number, so_far = block.args
        row = self.load(inside, "order", inside.value(arith.AddiOp(trial, number)))
        follows = inside.compare(row, "eq", inside.value(arith.AddiOp(start, number)))
        inside.builder.insert(scf.YieldOp(inside.value(arith.AndIOp(so_far, follows))))
        return code.value(scf.ForOp(code.constant(0), count, code.constant(1), [code.constant(1, i1)], Region(block)))

    def block_in_place(self, code: Code, start: SSAValue) -> list[SSAValue]:
        """The rows of a whole block where they stand in the inputs."""
        first = self.index(code, start)
        views: list[SSAValue] = []
        for name, type in zip(self.tables, self.inputs, strict=True):
            shape = shape_of(type)
            offsets = [first, *[0] * (len(shape) - 1)]
            strided = MemRefType(type.element_type, shape, StridedLayoutAttr(strides_of(type), None))
            view = memref.SubviewOp.get(self.given[name], offsets, shape, [1] * len(shape), strided)
            views.append(cast_to(code, code.value(view), type))
        return views

    def call_gradients(self, code: Code, rows: Sequence[SSAValue], total: SSAValue, count: SSAValue, is_first: SSAValue) -> None:
        """The gradients of a block of so many trials, added to `total`, or written to it by the first block; its outputs and losses."""
        assert self.each is not None
        *_, outputs, each = self.rows
        last = self.index(code, code.value(arith.SubiOp(count, code.constant(1))))
        pf, pi = (cast_to(code, self.given[name], type) for name, type in (("pf", self.pf), ("pi", self.pi)))
        held = [pf, pi, *rows, last, total, cast_to(code, outputs, self.output), cast_to(code, each, self.each)]
        held += [is_first] if self.overwritten is not None else []
        control = [self.given["control"]] if GRADIENTS in self.stoppable else []
        code.builder.insert(func.CallOp(GRADIENTS, [*held, *control], []))

    def call(self, name: str, operands: Sequence[SSAValue]) -> func.CallOp:
        """A call, with `control` if the function takes it."""
        return func.CallOp(name, [*operands, *([self.given["control"]] if name in self.stoppable else [])], [f64])

    def clear(self, code: Code, buffer: SSAValue) -> None:
        """Zeros in a buffer, but for what is overwritten."""
        for begin, end in ranges_between(self.overwritten or (), shape_of(buffer.type)[0]):
            block = Block(arg_types=[IndexType()])
            inner = Code.at_end(block)
            zero = inner.value(arith.ConstantOp(FloatAttr(0.0, f64)))
            inner.builder.insert(memref.StoreOp.get(zero, buffer, [block.args[0]]))
            inner.builder.insert(scf.YieldOp())
            first, last, step = (code.constant(number, IndexType()) for number in (begin, end, 1))
            code.builder.insert(scf.ForOp(first, last, step, [], Region(block)))

    def load(self, code: Code, name: str, place: SSAValue) -> SSAValue:
        return code.value(memref.LoadOp.get(self.given[name], [self.index(code, place)]))

    def index(self, code: Code, number: SSAValue) -> SSAValue:
        return code.value(arith.IndexCastOp(number, IndexType()))
