"""
The memory of a function's values so far, and the uses that a write would destroy.

A write is checked against the recorded uses of everything that lives in the same memory (`Root.note_use`), with their
spans, so versions of a buffer that touch other slots never conflict. What conflicts is, in this order: read earlier
(scalars at static places), saved in a small copy (slices), or kept by writing elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache

from xdsl.dialects import arith, func, scf, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.ir import Attribute, Operation, SSAValue

from cogir.analysis.buffer_views import BufferView, Root, RootKind, element_span, reshaped_view, slice_view
from cogir.analysis.insertions import Chains
from cogir.analysis.signatures import DRAWS, Updates
from cogir.analysis.timeline import OperationOrder
from cogir.dialects.rng import StateType
from cogir.irutils import constant_int, projected_dims, shape_of

RESHAPES = (tensor.ExpandShapeOp, tensor.CollapseShapeOp, tensor.CastOp, tensor.ReshapeOp)
INSERTS = (tensor.InsertOp, tensor.InsertSliceOp)
LEAVING = (scf.YieldOp, scf.ConditionOp, func.ReturnOp)
"""Operations with which a value leaves its block under another name."""
LONGEST_CHAIN = 64
"""Most versions of a buffer that are followed before the answer about them is the conservative one."""


def is_buffered(type: Attribute) -> bool:
    """True if values of this type become memory."""
    # These classes are abstract base classes' children, for which isinstance is slow; they have no subclasses.
    return type.__class__ is TensorType or type.__class__ is StateType


@cache
def is_scalar_only(op_type: type[Operation]) -> bool:
    """True if operations of this kind are arithmetic, which works on scalars here, so that there is nothing to place."""
    return op_type.name.startswith(("arith.", "math.")) and op_type not in (arith.ConstantOp, arith.SelectOp)


def is_empty(value: SSAValue) -> bool:
    """True if a tensor has no content yet."""
    return isinstance(value.owner, tensor.EmptyOp)


def reads_output(op: LinalgStructuredOperation, number: int) -> bool:
    """True if a linalg operation depends on what its output number `number` held before."""
    return bool(op.body.block.args[len(op.inputs) + number].uses)


@dataclass
class MemoryPlan:
    """The memory of one function."""

    place: dict[SSAValue, BufferView] = field(default_factory=dict[SSAValue, BufferView])
    """The memory of each tensor and each generator state."""
    read_early: dict[SSAValue, list[Operation]] = field(default_factory=dict[SSAValue, list[Operation]])
    """The extracts (of elements or slices) that run as soon as the value is there, before it is overwritten."""
    written_already: set[Operation] = field(default_factory=set[Operation])
    """The `tensor.insert_slice`s whose source was changed in place, so that nothing is left to write."""


@dataclass(frozen=True)
class BufferWrite:
    """
    `op` writes between the elements `first` and `last` of `root`: over its operand number `index`, or instead of it
    to `view`.
    """

    op: Operation
    index: int
    root: Root
    first: int
    last: int
    view: BufferView | None = None


class MemoryPlanner:
    """The memory of one function while it is being laid out."""

    def __init__(self, function: func.FuncOp, updates: Mapping[str, Updates]):
        self.function = function
        self.updates = updates
        self.own_updates = updates[function.sym_name.data]
        self.timeline = OperationOrder(function.body)
        self.chains = Chains()
        self.plan = MemoryPlan()
        self.saved: dict[Operation, Root] = {}
        self.early: set[Operation] = set()

    # Roles of operands.

    def overwrites(self, op: Operation, index: int) -> bool:
        """True if `op` wants to write over its operand number `index`."""
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

    def put(self, value: SSAValue, view: BufferView) -> None:
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

    # Conflicts.

    def may_write(self, write: BufferWrite) -> bool:
        """True if the write can happen in place, perhaps after saving what later uses need."""
        if not write.root.writable:
            return False
        time = self.timeline.write_time(write.op)
        if not write.root.may_be_needed_after(time, write.first, write.last):
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

    def conflicts(self, write: BufferWrite, value: SSAValue, use: Operation, index: int) -> bool:
        """True if `use` needs `value` as it was before the write."""
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

    def is_aligned(self, write: BufferWrite, index: int) -> bool:
        """True if a linalg operation reads operand `index` just where, and just before, it writes the output."""
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
        True if the elements `first` .. `last` of `value` are read from a later version of it, of which `use` makes the
        first; False if they are overwritten before they are read.
        """
        view = self.plan.place[value]
        chain = self.chains.of(use)
        is_inside = view.offset is not None and view.is_contiguous and view.first <= first and last <= view.last
        if chain is not None and is_inside and chain.overwrites(first - view.first, last - view.first, since=use):
            return False
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

    def read_span(self, view: BufferView, op: Operation) -> tuple[int, int] | None:
        """The elements that an extract of a value at `view` reads; None for any other operation."""
        if isinstance(op, tensor.ExtractOp):
            return element_span(view, op.indices)
        if isinstance(op, tensor.ExtractSliceOp):
            part = slice_view(view, op)
            return part.first, part.last
        return None

    def remedy(self, write: BufferWrite, number: int) -> Callable[[], None] | None:
        """A change that lets the recorded use and the write coexist without copying the whole value, or None."""
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
        """True if nothing writes over the value or a view of it, or carries it to where something might."""
        for use in value.uses:
            op = use.operation
            if isinstance(op, (tensor.ExtractSliceOp, *RESHAPES)):
                if not self.is_only_read(op.results[0]):
                    return False
            elif self.overwrites(op, use.index) or isinstance(op, LEAVING):
                return False
        return True

    def relocate(self, value: SSAValue, view: BufferView) -> None:
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

    def view_through(self, op: Operation, source: BufferView) -> BufferView:
        """The view that the result of a slicing or reshaping operation has when its operand has `source`."""
        result = op.results[0]
        if isinstance(op, tensor.ExtractSliceOp):
            return slice_view(source, op, shape_of(result.type))
        return reshaped_view(source, shape_of(result.type)) or self.fresh(result.type, op).whole()
