"""
Where every tensor and every generator state of a function lives once it is memory.

Values flow forward through a function; an operation that changes a tensor (`tensor.insert`, `linalg.generic` on its
output, a loop on what it carries, a draw on its state) writes over the old version where nobody needs that any more,
and into fresh memory where somebody does:

```mlir
%a1 = tensor.insert %x into %a[%c0]    // lives where %a does
%b1 = tensor.insert %x into %b[%c0]    // fresh: the old %b is returned below
%p  = tensor.extract %c[%c1]           // moved up to where %c is defined, so that ...
%c1 = tensor.insert %x into %c[%c1]    // ... this can live where %c does
return %a1, %b, %b1, %c1
```

A write is checked against the recorded uses of everything that lives in the same memory (`Root.note_use`), with their
spans, so versions of a bank that touch other leaves never conflict. What conflicts is, in this order: read earlier
(scalars at static places), saved in a small copy (slices), or kept by writing elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import cast

from xdsl.dialects import arith, func, scf, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from cogir.analysis.buffer_views import Root, RootKind, View, element_span, reshaped_view, slice_view
from cogir.analysis.signatures import DRAWS, Updates
from cogir.analysis.timeline import Timeline
from cogir.dialects.rng import SeedOp, StateType
from cogir.errors import LoweringError
from cogir.irutils import constant_int, projected_dims, shape_of

RESHAPES = (tensor.ExpandShapeOp, tensor.CollapseShapeOp, tensor.CastOp, tensor.ReshapeOp)
INSERTS = (tensor.InsertOp, tensor.InsertSliceOp)
LEAVING = (scf.YieldOp, scf.ConditionOp, func.ReturnOp)
"""Operations with which a value leaves its block under another name."""
LONGEST_CHAIN = 64
"""How many versions of a bank are followed ahead before a question about them is answered with "may be"."""


def is_buffered(type: Attribute) -> bool:
    """Whether values of this type become memory."""
    # These classes are abstract base classes' children, for which isinstance is slow; nobody derives from them.
    return type.__class__ is TensorType or type.__class__ is StateType


@cache
def is_scalar_only(op_type: type[Operation]) -> bool:
    """Whether operations of this kind are arithmetic, which works on scalars here, so that there is nothing to place."""
    return op_type.name.startswith(("arith.", "math.")) and op_type not in (arith.ConstantOp, arith.SelectOp)


def is_empty(value: SSAValue) -> bool:
    """Whether a tensor has no content yet."""
    return isinstance(value.owner, tensor.EmptyOp)


def reads_output(op: LinalgStructuredOperation, number: int) -> bool:
    """Whether a linalg operation depends on what its output number `number` held before."""
    return bool(op.body.block.args[len(op.inputs) + number].uses)


@dataclass
class Plan:
    """The memory of one function."""

    place: dict[SSAValue, View] = field(default_factory=dict[SSAValue, View])
    """Where each tensor and each generator state lives."""
    read_early: dict[SSAValue, list[Operation]] = field(default_factory=dict[SSAValue, list[Operation]])
    """The extracts (of elements or slices) that run as soon as the value is there, before it is overwritten."""
    written_already: set[Operation] = field(default_factory=set[Operation])
    """The `tensor.insert_slice`s whose source was changed in place, so that nothing is left to write."""


@dataclass(frozen=True)
class Write:
    """
    `op` writes between the elements `first` and `last` of `root`: over its operand number `index`, or in the stead of it
    to `view`.
    """

    op: Operation
    index: int
    root: Root
    first: int
    last: int
    view: View | None = None


class Planner:
    """Walks a function once, in program order."""

    def __init__(self, function: func.FuncOp, updates: Mapping[str, Updates]):
        self.function = function
        self.updates = updates
        self.own_updates = updates[function.sym_name.data]
        self.timeline = Timeline(function.body)
        self.plan = Plan()
        self.saved: dict[Operation, Root] = {}
        self.early: set[Operation] = set()

    def run(self) -> Plan:
        if len(self.function.body.blocks) != 1:
            raise LoweringError(f"bufferize: @{self.function.sym_name.data} has several blocks; keep control flow in scf until here")
        for argument in self.function.args:
            if is_buffered(argument.type):
                writable = argument.index in self.own_updates.values()
                self.put(argument, Root(RootKind.ARGUMENT, argument.type, writable, argument).whole())
        self.visit_block(self.function.body.block)
        return self.plan

    # Roles of operands.

    def overwrites(self, op: Operation, index: int) -> bool:
        """Whether `op` wants to write over its operand number `index`."""
        match op:
            case tensor.InsertOp() | tensor.InsertSliceOp():
                return index == 1
            case LinalgStructuredOperation():
                return index >= len(op.inputs)
            case func.CallOp():
                return index in self.updates.get(op.callee.string_value(), {}).values()
            case scf.ForOp():
                return index >= 3
            case scf.WhileOp():
                return True
            case _:
                return isinstance(op, DRAWS) and index == 0

    def put(self, value: SSAValue, view: View) -> None:
        """Decides that `value` lives at `view`, and records what needs it there until when."""
        self.plan.place[value] = view
        if not view.root.writable:
            return
        for use in value.uses:
            op, index = use.operation, use.index
            first, last = view.first, view.last
            if isinstance(op, tensor.ExtractOp):
                first, last = element_span(view, op.indices)
            elif isinstance(op, tensor.ExtractSliceOp):
                part = slice_view(view, op)
                first, last = part.first, part.last
            time = self.timeline.use_time(value, op, self.overwrites(op, index))
            view.root.note_use(time, first, last, (value, op, index))

    def fresh(self, type: Attribute, source: Operation) -> Root:
        return Root(RootKind.FRESH, type, True, source)

    def put_fresh(self, value: SSAValue, source: Operation) -> None:
        self.put(value, self.fresh(value.type, source).whole())

    def put_new(self, value: SSAValue, source: Operation, index: int = -1) -> None:
        """Places what `source` makes from scratch: in the bank that it is inserted into next, if it can be made there."""
        self.put(value, self.final_place(value, source, index) or self.fresh(value.type, source).whole())

    # Building a value where it will be inserted.

    def final_place(self, value: SSAValue, source: Operation, index: int) -> View | None:
        """
        Where `value` ends up, when the last thing that happens to it is a `tensor.insert_slice` into a later version of
        what lives there now, and nobody needs the old elements any more when `source` makes the value.
        """
        insertion = self.last_insertion(value, source)
        target = self.current_version(insertion, source) if insertion is not None else None
        if insertion is None or target is None:
            return None
        part = reshaped_view(slice_view(target, insertion, shape_of(insertion.source.type)), shape_of(value.type))
        if part is None or not self.is_reachable(part):
            return None
        write = Write(source, index, part.root, part.first, part.last, part)
        late = part.root.uses_after(self.timeline.write_time(source), part.first, part.last)
        if any(self.conflicts(write, *part.root.uses[number]) for number in late):
            return None
        return part

    def last_insertion(self, value: SSAValue, source: Operation) -> tensor.InsertSliceOp | None:
        """The insertion of `value`, perhaps reshaped, into a bank, in the block of `source`, if it is its last use."""
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
                elif self.overwrites(op, use.index) or isinstance(op, LEAVING):
                    return None
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

    def current_version(self, insertion: tensor.InsertSliceOp, source: Operation) -> View | None:
        """
        Where the bank of an insertion lives when `source` runs, going back over insertions that touch other elements and
        have not been placed yet.
        """
        between: list[Operation] = []
        bank: SSAValue = insertion.dest
        while bank not in self.plan.place:
            owner = bank.owner
            if not isinstance(owner, INSERTS) or owner.parent is not source.parent or len(between) == LONGEST_CHAIN:
                return None
            between.append(owner)
            bank = owner.dest
        view = self.plan.place[bank]
        if not view.root.writable or (is_empty(bank) and not bank.has_one_use()):
            return None
        part = slice_view(view, insertion)
        if any(first < part.last and part.first < last for first, last in (self.insert_span(view, op) for op in between)):
            return None
        return view

    def insert_span(self, view: View, op: Operation) -> tuple[int, int]:
        """The elements that an insertion into a value at `view` overwrites."""
        if isinstance(op, tensor.InsertOp):
            return element_span(view, op.indices)
        part = slice_view(view, cast(tensor.InsertSliceOp, op))
        return part.first, part.last

    # Conflicts.

    def may_write(self, write: Write) -> bool:
        """Whether the write can happen in place, perhaps after saving what later uses need."""
        if not write.root.writable:
            return False
        time = self.timeline.write_time(write.op)
        if write.root.needed_until[write.first : write.last].max() <= time:
            return True
        remedies: list[Callable[[], None]] = []
        for number in write.root.uses_after(time, write.first, write.last):
            value, use, index = write.root.uses[number]
            if not self.conflicts(write, value, use, index):
                continue
            remedy = self.remedy(write, number)
            if remedy is None:
                return False
            remedies.append(remedy)
        for remedy in remedies:
            remedy()
        return True

    def conflicts(self, write: Write, value: SSAValue, use: Operation, index: int) -> bool:
        """Whether `use` needs `value` as it was before the write."""
        overwritten = self.overwrites(use, index)
        own_time = 2 * self.timeline.position[use] + (not overwritten)
        repeated = self.timeline.use_time(value, use, overwritten) > own_time
        if not repeated:
            if use is write.op and (index == write.index or self.is_aligned(write, index)):
                return False
            if not self.timeline.happens_after(use, value, write.op):
                return False
            if overwritten and use is not write.op:
                return self.is_content_needed(value, use, write.first, write.last)
            return True
        return self.timeline.happens_after(use, value, write.op)

    def is_aligned(self, write: Write, index: int) -> bool:
        """Whether a linalg operation reads operand `index` just where, and just before, it writes the output."""
        op = write.op
        if not isinstance(op, LinalgStructuredOperation) or index >= len(op.inputs):
            return False
        maps = op.get_indexing_maps().data
        dims = projected_dims(maps[write.index].data)
        return (
            maps[index] == maps[write.index]
            and dims is not None
            and len(set(dims)) == len(op.get_iterator_types())
            and self.plan.place[op.operands[index]] == (write.view or self.plan.place[op.operands[write.index]])
        )

    def is_content_needed(self, value: SSAValue, use: Operation, first: int, last: int) -> bool:
        """
        Whether the elements `first` .. `last` of `value` are read from a later version of it, of which `use` makes the
        first; False if they are overwritten before anybody reads them.
        """
        view = self.plan.place[value]
        for _ in range(LONGEST_CHAIN):
            match use:
                case tensor.InsertOp():
                    start, end = element_span(view, use.indices)
                    covers = end - start == 1
                case tensor.InsertSliceOp():
                    part = slice_view(view, use)
                    start, end, covers = part.first, part.last, part.offset is not None and part.is_contiguous
                case _:
                    return True
            if covers and start <= first and last <= end:
                return False
            following: Operation | None = None
            for later in use.results[0].uses:
                span = self.read_span(view, later.operation)
                if span is not None:
                    if span[0] < last and first < span[1]:
                        return True
                elif isinstance(later.operation, INSERTS) and later.index == 1 and following is None:
                    following = later.operation
                else:
                    return True
            if following is None:
                return False
            use = following
        return True

    def read_span(self, view: View, op: Operation) -> tuple[int, int] | None:
        """The elements that an extract of a value at `view` reads; None for any other operation."""
        if isinstance(op, tensor.ExtractOp):
            return element_span(view, op.indices)
        if isinstance(op, tensor.ExtractSliceOp):
            part = slice_view(view, op)
            return part.first, part.last
        return None

    def remedy(self, write: Write, number: int) -> Callable[[], None] | None:
        """What lets the recorded use and the write coexist without copying the whole value, if anything does."""
        value, use, _ = write.root.uses[number]
        if use in self.early:
            return lambda: write.root.forget_use(number)
        if isinstance(use, tensor.ExtractOp) and all(constant_int(index) is not None for index in use.indices):
            return lambda: self.read_early(value, use, write.root, number)
        if isinstance(use, tensor.ExtractSliceOp) and self.is_only_read(use.result):
            offsets = use.static_offsets.get_values()
            if DYNAMIC_INDEX not in offsets:
                return lambda: self.save_slice_early(value, use, write.root, number)
        owner = value.owner
        if isinstance(owner, (tensor.ExtractSliceOp, *RESHAPES)) and self.is_only_read(value):
            return lambda: self.relocate(value, self.fresh(value.type, owner).whole())
        return None

    def read_early(self, value: SSAValue, use: Operation, root: Root, number: int) -> None:
        root.forget_use(number)
        if use not in self.early:
            self.early.add(use)
            self.plan.read_early.setdefault(value, []).append(use)

    def save_slice_early(self, value: SSAValue, use: tensor.ExtractSliceOp, root: Root, number: int) -> None:
        self.read_early(value, use, root, number)
        self.saved[use] = self.fresh(use.result.type, use)
        if use.result in self.plan.place:
            self.relocate(use.result, self.saved[use].whole())

    def is_only_read(self, value: SSAValue) -> bool:
        """Whether nobody writes over the value or a view of it, or carries it where somebody might."""
        for use in value.uses:
            op = use.operation
            if isinstance(op, (tensor.ExtractSliceOp, *RESHAPES)):
                if not self.is_only_read(op.results[0]):
                    return False
            elif self.overwrites(op, use.index) or isinstance(op, LEAVING):
                return False
        return True

    def relocate(self, value: SSAValue, view: View) -> None:
        """Moves a value that is only read to other memory, and everything that looks into it."""
        old = self.plan.place[value].root
        for number, (used, _, _) in enumerate(old.uses):
            if used is value:
                old.forget_use(number)
        self.put(value, view)
        for use in value.uses:
            op = use.operation
            if isinstance(op, (tensor.ExtractSliceOp, *RESHAPES)) and op.results[0] in self.plan.place:
                result = op.results[0]
                if self.plan.place[result].root is old:
                    self.relocate(result, self.view_through(op, view))

    def view_through(self, op: Operation, source: View) -> View:
        """Where the result of a slicing or reshaping operation lies when its operand lies at `source`."""
        result = op.results[0]
        if isinstance(op, tensor.ExtractSliceOp):
            return slice_view(source, op, shape_of(result.type))
        return reshaped_view(source, shape_of(result.type)) or self.fresh(result.type, op).whole()

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
            case tensor.EmptyOp() | SeedOp():
                self.put_fresh(op.results[0], op)
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
                self.put_written(op.result, Write(op, 1, view.root, *element_span(view, op.indices)))
            case tensor.InsertSliceOp():
                self.visit_insert_slice(op)
            case LinalgStructuredOperation():
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
        if isinstance(op, scf.YieldOp | scf.ConditionOp | tensor.ExtractOp | tensor.DimOp):
            return
        touched = [type for inner in op.walk() for type in (*inner.operand_types, *inner.result_types)]
        if any(is_buffered(type) for type in touched):
            raise LoweringError(
                f"bufferize: {op.name} in @{self.function.sym_name.data} works on tensors, but this pass does not "
                "know how; lower it to linalg.generic, tensor or scf operations first"
            )

    def put_written(self, result: SSAValue, write: Write) -> None:
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
        taken: list[View] = []
        for index, result in pairs:
            view = self.plan.place[op.operands[index]]
            if any(view.overlaps(other) for other in taken) or not (view.is_contiguous or self.takes_strides(op)):
                self.put_fresh(result, op)
            else:
                self.put_written(result, Write(op, index, view.root, view.first, view.last))
            taken.append(self.plan.place[result])

    def takes_strides(self, op: Operation) -> bool:
        """Whether an operation can work on memory with gaps; functions get theirs in one piece."""
        return not isinstance(op, (func.CallOp, *DRAWS))

    def visit_insert_slice(self, op: tensor.InsertSliceOp) -> None:
        target = self.plan.place[op.dest]
        part = slice_view(target, op, shape_of(op.source.type))
        if target.root.writable and (not is_empty(op.dest) or op.dest.has_one_use()) and part.same_place(self.plan.place[op.source]):
            self.plan.written_already.add(op)
            self.put(op.result, target)
        else:
            self.put_written(op.result, Write(op, 1, target.root, part.first, part.last))

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

    def is_reachable(self, view: View) -> bool:
        """Whether the memory of a view can be named from anywhere in the function, not only where it was made."""
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

    def is_made_in(self, view: View, op: Operation) -> bool:
        """Whether a view is fresh memory that was taken inside a region of `op`, so that nobody outside uses it."""
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


def plan_function(function: func.FuncOp, updates: Mapping[str, Updates]) -> Plan:
    """
    Where the tensors and generator states of `function` live; `updates` are those of all functions of the module.

    Raises `LoweringError` for an operation on tensors that is not known here.
    """
    return Planner(function, updates).run()
