"""
Where every tensor and every generator state of a function lives once it is memory.

Values flow forward through a function; an operation that changes a tensor (`tensor.insert`, `linalg.generic` on its
output, a loop on what it carries, a draw on its state) writes over the old version where that is not needed any more,
and into fresh memory where somebody does:

```mlir
%a1 = tensor.insert %x into %a[%c0]    // lives where %a does
%b1 = tensor.insert %x into %b[%c0]    // fresh: the old %b is returned below
%p  = tensor.extract %c[%c1]           // moved up to where %c is defined, so that ...
%c1 = tensor.insert %x into %c[%c1]    // ... this can live where %c does
return %a1, %b, %b1, %c1
```

How a write is checked, and what is done about later uses of the old version, is in `memory_plan.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from xdsl.dialects import arith, func, scf, tensor
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.ir import Block, Operation, Region, SSAValue

from cogir.analysis.buffer_views import BufferView, Root, RootKind, element_span, reshaped_view, slice_view
from cogir.analysis.insertions import span
from cogir.analysis.memory_plan import (
    INSERTS,
    LEAVING,
    LONGEST_CHAIN,
    RESHAPES,
    BufferWrite,
    MemoryPlan,
    MemoryPlanner,
    is_buffered,
    is_empty,
    is_scalar_only,
)
from cogir.analysis.signatures import DRAWS, Updates
from cogir.dialects.rng import FromWordsOp, SeedOp, ToWordsOp
from cogir.errors import LoweringError
from cogir.irutils import shape_of


class Planner(MemoryPlanner):
    """Walks a function once, in program order."""

    def run(self) -> MemoryPlan:
        if len(self.function.body.blocks) != 1:
            raise LoweringError(f"bufferize: @{self.function.sym_name.data} has several blocks; keep control flow in scf until here")
        for argument in self.function.args:
            if is_buffered(argument.type):
                writable = argument.index in self.own_updates.values()
                self.put(argument, Root(RootKind.ARGUMENT, argument.type, writable, argument).whole())
        self.visit_block(self.function.body.block)
        return self.plan

    def put_new(self, value: SSAValue, source: Operation, index: int = -1) -> None:
        """Places what `source` makes from scratch: in the buffer that it is inserted into next, if it can be made there."""
        self.put(value, self.final_place(value, source, index) or self.fresh(value.type, source).whole())

    # Building a value where it will be inserted.

    def final_place(self, value: SSAValue, source: Operation, index: int) -> BufferView | None:
        """
        The place of `value`, when the last thing that happens to it is a `tensor.insert_slice` into a later version of
        what lives there now, and the old elements are not needed any more when `source` makes the value.
        """
        insertion = self.last_insertion(value, source)
        target = self.current_version(insertion, source) if insertion is not None else None
        if insertion is None or target is None:
            return None
        part = reshaped_view(slice_view(target, insertion, shape_of(insertion.source.type)), shape_of(value.type))
        if part is None or not self.is_reachable(part):
            return None
        write = BufferWrite(source, index, part.root, part.first, part.last, part)
        late = part.root.uses_after(self.timeline.write_time(source), part.first, part.last)
        if any(self.conflicts(write, *part.root.uses[number]) for number in late):
            return None
        return part

    def last_insertion(self, value: SSAValue, source: Operation) -> tensor.InsertSliceOp | None:
        """The insertion of `value`, perhaps reshaped, into a buffer, in the block of `source`, if it is its last use."""
        insertion: tensor.InsertSliceOp | None = None
        reads: list[tuple[SSAValue, Operation]] = []
        current: SSAValue | None = value
        while current is not None:
            following: SSAValue | None = None
            for use in current.uses:
                op = use.operation
                if isinstance(op, tensor.InsertSliceOp) and use.index == 0 and op.parent is source.parent:
                    if insertion is not None:
                        return None
                    insertion = op
                elif isinstance(op, LEAVING):
                    return None
                elif self.overwrites(op, use.index):
                    later = self.filled(op, use.index) if isinstance(source, tensor.EmptyOp) and op.parent is source.parent else None
                    if later is None or following is not None:
                        return None
                    following = later
                elif isinstance(op, RESHAPES) and following is None:
                    following = op.results[0]
                elif isinstance(op, (tensor.ExtractSliceOp, *RESHAPES)):
                    return None
                else:
                    reads.append((current, op))
            if following is not None and insertion is not None:
                return None
            current = following
        if insertion is None:
            return None
        time = self.timeline.write_time(insertion)
        is_last = all(self.timeline.use_time(read, op, False) < time for read, op in reads)
        return insertion if is_last else None

    def filled(self, op: Operation, index: int) -> SSAValue | None:
        """The result of `op` (a loop, a call or an insertion) that replaces its operand number `index`, which it overwrites."""
        match op:
            case scf.ForOp():
                return op.results[index - 3]
            case tensor.InsertOp() | tensor.InsertSliceOp():
                return op.result
            case func.CallOp():
                updates = self.updates[op.callee.string_value()]  # by the number of a result that of the argument it overwrites
                return next(op.results[number] for number, argument in updates.items() if argument == index)
            case _:
                return None

    def current_version(self, insertion: tensor.InsertSliceOp, source: Operation) -> BufferView | None:
        """
        The place of the buffer of an insertion when `source` runs, going back over insertions that touch other elements and
        have not been placed yet.
        """
        chain = self.chains.of(insertion)
        if chain is not None and chain.base in self.plan.place and chain.first.result not in self.plan.place:
            view = self.plan.place[chain.base]
            start, stop = cast("tuple[int, int]", span(insertion))
            if view.root.writable and not is_empty(chain.base) and chain.writes_alone(start, stop):
                return view
        between: list[Operation] = []
        buffer: SSAValue = insertion.dest
        while buffer not in self.plan.place:
            owner = buffer.owner
            if not isinstance(owner, INSERTS) or owner.parent is not source.parent or len(between) == LONGEST_CHAIN:
                return None
            between.append(owner)
            buffer = owner.dest
        view = self.plan.place[buffer]
        if not view.root.writable or (is_empty(buffer) and not buffer.has_one_use()):
            return None
        part = slice_view(view, insertion)
        if any(first < part.last and part.first < last for first, last in (self.insert_span(view, op) for op in between)):
            return None
        return view

    def insert_span(self, view: BufferView, op: Operation) -> tuple[int, int]:
        """The elements that an insertion into a value at `view` overwrites."""
        if isinstance(op, tensor.InsertOp):
            return element_span(view, op.indices)
        part = slice_view(view, cast(tensor.InsertSliceOp, op))
        return part.first, part.last

    # The walk.

    def visit_block(self, block: Block) -> None:
        for op in block.ops:
            self.visit(op)

    def visit(self, op: Operation) -> None:
        if is_scalar_only(type(op)) and not is_buffered(op.results[0].type):
            return
        match op:
            case arith.ConstantOp():
                if is_buffered(op.result.type):
                    self.put(op.result, Root(RootKind.CONSTANT, op.result.type, False, op.result).whole())
            case SeedOp() | FromWordsOp():
                self.put_fresh(op.results[0], op)
            case tensor.EmptyOp():
                self.put_new(op.tensor, op)
            case tensor.FromElementsOp() | tensor.SplatOp() | tensor.ConcatOp():
                self.put_new(op.results[0], op)
            case arith.SelectOp():
                if is_buffered(op.result.type):
                    self.put_fresh(op.result, op)
            case tensor.ExtractSliceOp():
                if op in self.saved:
                    self.put(op.result, self.saved[op].whole())
                else:
                    self.put(op.result, self.view_through(op, self.plan.place[op.source]))
            case tensor.ExpandShapeOp() | tensor.CollapseShapeOp() | tensor.CastOp() | tensor.ReshapeOp():
                self.put(op.results[0], self.view_through(op, self.plan.place[op.operands[0]]))
            case tensor.InsertOp():
                view = self.plan.place[op.dest]
                self.put_written(op.result, BufferWrite(op, 1, view.root, *element_span(view, op.indices)))
            case tensor.InsertSliceOp():
                self.visit_insert_slice(op)
            case LinalgStructuredOperation() if op.results:  # without results it works on memory already
                self.put_all_written(op, list(zip(range(len(op.inputs), len(op.operands)), op.results, strict=True)))
            case func.CallOp():
                self.visit_call(op)
            case scf.ForOp():
                self.visit_for(op)
            case scf.WhileOp():
                self.visit_while(op)
            case scf.IfOp() | scf.IndexSwitchOp():
                self.visit_branches(op, [region for region in op.regions if region.blocks])
            case func.ReturnOp():
                self.visit_return(op)
            case _ if isinstance(op, DRAWS):
                if is_buffered(op.value.type):
                    self.put_new(op.value, op)
                self.put_all_written(op, [(0, op.next_state)])
            case _:
                self.refuse_unknown(op)

    def refuse_unknown(self, op: Operation) -> None:
        """Raises if an operation that this analysis does not know touches a tensor or a generator's state."""
        if isinstance(op, scf.YieldOp | scf.ConditionOp | tensor.ExtractOp | tensor.DimOp | ToWordsOp):
            return
        touched = [type for inner in op.walk() for type in (*inner.operand_types, *inner.result_types)]
        if any(is_buffered(type) for type in touched):
            raise LoweringError(
                f"bufferize: {op.name} in @{self.function.sym_name.data} works on tensors, but this pass does not "
                "know how; lower it to linalg.generic, tensor or scf operations first"
            )

    def put_written(self, result: SSAValue, write: BufferWrite) -> None:
        """Places the result of an operation that overwrites one operand: in place if possible, else fresh."""
        operand = write.op.operands[write.index]
        if is_empty(operand) and isinstance(write.op, LinalgStructuredOperation):
            self.put_new(result, write.op, write.index)
        elif (not is_empty(operand) or operand.has_one_use()) and self.may_write(write):
            self.put(result, self.plan.place[operand])
        else:
            self.put_fresh(result, write.op)

    def put_all_written(self, op: Operation, pairs: Sequence[tuple[int, SSAValue]]) -> None:
        """Places what an operation makes of several whole operands, which must not end up in one place."""
        taken: list[BufferView] = []
        for index, result in pairs:
            view = self.plan.place[op.operands[index]]
            if any(view.overlaps(other) for other in taken) or not (view.is_contiguous or self.takes_strides(op)):
                self.put_fresh(result, op)
            else:
                self.put_written(result, BufferWrite(op, index, view.root, view.first, view.last))
            taken.append(self.plan.place[result])

    def takes_strides(self, op: Operation) -> bool:
        """True if an operation can work on memory with gaps; functions get theirs in one piece."""
        return not isinstance(op, (func.CallOp, *DRAWS))

    def visit_insert_slice(self, op: tensor.InsertSliceOp) -> None:
        target = self.plan.place[op.dest]
        part = slice_view(target, op, shape_of(op.source.type))
        if target.root.writable and (not is_empty(op.dest) or op.dest.has_one_use()) and part.same_place(self.plan.place[op.source]):
            self.plan.written_already.add(op)
            self.put(op.result, target)
        else:
            self.put_written(op.result, BufferWrite(op, 1, target.root, part.first, part.last))

    def visit_call(self, op: func.CallOp) -> None:
        updates = self.updates.get(op.callee.string_value(), {})
        for number, result in enumerate(op.results):
            if is_buffered(result.type) and number not in updates:
                self.put_new(result, op)
        self.put_all_written(op, [(argument, op.results[number]) for number, argument in sorted(updates.items())])

    def visit_for(self, op: scf.ForOp) -> None:
        body = op.body.block
        carried = [(number + 3, argument) for number, argument in enumerate(body.args[1:]) if is_buffered(argument.type)]
        self.put_all_written(op, carried)
        self.visit_block(body)
        for index, argument in carried:
            self.put(op.results[index - 3], self.plan.place[argument])

    def visit_while(self, op: scf.WhileOp) -> None:
        before, after = op.before_region.block, op.after_region.block
        carried = [(number, argument) for number, argument in enumerate(before.args) if is_buffered(argument.type)]
        self.put_all_written(op, carried)
        self.visit_block(before)
        condition = cast(scf.ConditionOp, before.last_op)
        places = [self.plan.place[argument] for _, argument in carried]
        for forwarded, argument in zip(condition.args, after.args, strict=True):
            if is_buffered(forwarded.type):
                view = self.plan.place[forwarded]
                if view in places or self.is_reachable(view):
                    self.put(argument, view)
                else:
                    self.put_fresh(argument, condition)
        self.visit_block(after)
        for argument, result in zip(after.args, op.results, strict=True):
            if is_buffered(result.type):
                self.put(result, self.plan.place[argument])

    def is_reachable(self, view: BufferView) -> bool:
        """True if the memory of a view can be named from anywhere in the function, not only where it was made."""
        return view.is_whole or (view.offset is not None and view.is_contiguous and len(view.root.shape) == 1)

    def visit_branches(self, op: scf.IfOp | scf.IndexSwitchOp, regions: Sequence[Region]) -> None:
        for region in regions:
            self.visit_block(region.block)
        taken: list[Root] = []
        for number, result in enumerate(op.results):
            if not is_buffered(result.type):
                continue
            yielded = [cast(Operation, region.block.last_op).operands[number] for region in regions]
            views = [self.plan.place[value] for value in yielded]
            if all(view == views[0] for view in views) and self.is_reachable(views[0]):
                self.put(result, views[0])
                continue
            view = next((view for view in views if self.is_made_in(view, op) and view.root not in taken), None)
            view = view or self.fresh(result.type, op).whole()
            taken.append(view.root)
            self.put(result, view)

    def is_made_in(self, view: BufferView, op: Operation) -> bool:
        """True if a view is fresh memory allocated inside a region of `op`, so that it is not used outside."""
        source = view.root.source
        if view.root.kind is not RootKind.FRESH or not view.is_whole or not isinstance(source, Operation):
            return False
        return self.timeline.position[op] < self.timeline.position[source] <= self.timeline.end[op]

    def visit_return(self, op: func.ReturnOp) -> None:
        """Builds results in the caller's memory where they are whole and fresh."""
        for number, value in enumerate(op.arguments):
            if is_buffered(value.type) and number not in self.own_updates:
                view = self.plan.place[value]
                if view.root.kind is RootKind.FRESH and view.is_whole and view.root.destination is None:
                    view.root.destination = number


def plan_function(function: func.FuncOp, updates: Mapping[str, Updates]) -> MemoryPlan:
    """
    The places of the tensors and generator states of `function`; `updates` are those of all functions of the module.

    Raises `LoweringError` for an operation on tensors that is not known here.
    """
    return Planner(function, updates).run()
