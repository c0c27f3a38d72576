"""
The buffers that stand for the values of one function while it is rewritten.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects import arith, func, memref, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    FloatAttr,
    FunctionType,
    IntegerAttr,
    StringAttr,
    UnitAttr,
)
from xdsl.dialects.utils import get_dynamic_index_list
from xdsl.ir import BlockArgument, Operation, SSAValue

from cogir import remarks
from cogir.analysis.buffer_views import BufferView, Root, RootKind
from cogir.analysis.memory_plan import MemoryPlan, is_buffered, is_empty
from cogir.analysis.signatures import ACCESS
from cogir.irutils import array_of_dense, constant_int, element_type_of, shape_of
from cogir.lowering.buffers.emission import BufferEmitter, Transfer, bytes_of, plain_type
from cogir.lowering.buffers.module import BufferSignature, Constants, Draws


class BufferedFunction:
    """A function whose tensors and generator states are becoming memory along a plan."""

    def __init__(
        self,
        function: func.FuncOp,
        plan: MemoryPlan,
        signatures: dict[str, BufferSignature],
        constants: Constants,
        draws: Draws,
        on_stack: int,
    ):
        self.function = function
        self.plan = plan
        self.signatures = signatures
        self.signature = signatures[function.sym_name.data]
        self.constants = constants
        self.draws = draws
        self.buffers: dict[SSAValue, SSAValue] = {}
        self.roots: dict[Root, SSAValue] = {}
        self.destinations: dict[int, SSAValue] = {}
        self.dead_ops: list[Operation] = []
        self.dead_arguments: list[BlockArgument] = []
        self.done: set[Operation] = set()
        self.emit = BufferEmitter(function, on_stack)
        self.arguments = function.args

    def rewrite_signature(self) -> None:
        signature, access = self.signature, self.access()
        old = tuple(self.function.arg_attrs or ())
        attributes: list[DictionaryAttr] = []
        types = [*signature.arguments, *signature.destinations.values()]
        for number, way in enumerate(access):
            kept = dict(old[number].data) if number < len(old) else {}
            kept.pop("cog.updates", None)
            if way:
                kept[ACCESS] = StringAttr(way)
                kept["llvm.noalias"] = UnitAttr()
            if way == "read":
                kept["llvm.readonly"] = UnitAttr()
            attributes.append(DictionaryAttr(kept))
        self.function.properties["function_type"] = FunctionType.from_lists(types, list(signature.results.values()))
        if any(attrs.data for attrs in attributes):
            self.function.properties["arg_attrs"] = ArrayAttr(attributes)

    def access(self) -> list[str]:
        """The use of each argument and destination of a function: read, update, write, or "" for a scalar."""
        updated = self.signature.updates.values()
        inputs = self.function.function_type.inputs.data
        ways = [("update" if n in updated else "read") if is_buffered(t) else "" for n, t in enumerate(inputs)]
        return ways + ["write"] * len(self.signature.destinations)

    def erase_the_dead(self) -> None:
        for op in reversed(self.dead_ops):
            op.detach()
            op.erase(safe_erase=False)
        for argument in reversed(self.dead_arguments):
            argument.block.erase_arg(argument)

    # Buffers of values.

    def root_buffer(self, root: Root) -> SSAValue:
        """The memory of a root, taken at the start of the function when it is first needed."""
        if root not in self.roots:
            source = root.source
            if root.destination is not None:
                buffer = self.destinations[root.destination]
            elif root.kind is RootKind.CONSTANT:
                constant = cast(arith.ConstantOp, cast(SSAValue, source).owner)
                value = cast("DenseIntOrFPElementsAttr[Any]", constant.value)
                get = memref.GetGlobalOp(self.constants.name_of(value), plain_type(root.type))
                buffer = self.emit.add_at_entry(get).memref
            else:
                results = cast(Operation, source).results
                buffer = self.emit.allocate(root.type, results[0].name_hint if results else None)
            self.roots[root] = buffer
        return self.roots[root]

    def buffer(self, value: SSAValue) -> SSAValue:
        """The memref that stands for a tensor or a generator's state."""
        if value not in self.buffers:
            # Whoever is not bound to a view of its own is made here: in a root, or where it will be inserted.
            self.buffers[value] = self.view_of_root(self.plan.place[value])
        return self.buffers[value]

    def bind(self, value: SSAValue, buffer: SSAValue | None = None) -> None:
        """From here on `value` stands in `buffer` (else: in its root); what must be read early is read now."""
        if buffer is not None:
            self.buffers[value] = buffer
        for op in self.plan.read_early.get(value, ()):
            self.done.add(op)
            if isinstance(op, tensor.ExtractOp):
                indices = [self.emit.index(cast(int, constant_int(index))) for index in op.indices]
                op.result.replace_all_uses_with(self.emit.load(self.buffer(value), indices))
                self.dead_ops.append(op)
            else:
                self.rewrite_extract_slice(cast(tensor.ExtractSliceOp, op))

    def rewrite_extract_slice(self, op: tensor.ExtractSliceOp) -> None:
        offsets = get_dynamic_index_list(op.static_offsets.get_values(), op.offsets, DYNAMIC_INDEX)
        sizes, strides = op.static_sizes.get_values(), op.static_strides.get_values()
        part = self.emit.subview(self.buffer(op.source), offsets, sizes, strides, shape_of(op.result.type))
        if self.plan.place[op.result].root is self.plan.place[op.source].root:
            self.bind(op.result, part)
        else:
            self.emit.copy(part, self.buffer(op.result))
            self.bind(op.result)
        if op in self.done:
            self.dead_ops.append(op)

    def lives_with(self, value: SSAValue, other: SSAValue) -> bool:
        """True if two values live in the same memory at the same place."""
        return self.plan.place[value] == self.plan.place[other]

    def prepare_write(self, old: SSAValue, new: SSAValue, needs_content: bool = True) -> None:
        """Lets `new` start with the content of `old`: by standing in its place, or by a copy into fresh memory."""
        if self.lives_with(old, new):
            self.buffers[new] = self.buffer(old)
        elif needs_content and not is_empty(old):
            if isinstance(new.owner, Operation):
                text = "not in place: an older value is still read, so it is copied ({} bytes)"
                remarks.missed(new.owner, text, bytes_of(plain_type(old.type)))
            self.copy_content(old, self.buffer(new))

    def copy_content(self, value: SSAValue, target: SSAValue) -> None:
        """Copies a tensor to other memory; a constant of equal elements is filled in."""
        owner = value.owner
        if isinstance(owner, arith.ConstantOp):
            array = array_of_dense(cast("DenseIntOrFPElementsAttr[Any]", owner.value))
            if array.size > 1 and array.tobytes() == array.ravel()[:1].tobytes() * array.size:
                type = element_type_of(value.type)
                element = array.ravel()[0].item()
                scalar = IntegerAttr(int(element), cast(Any, type)) if array.dtype.kind in "ib" else FloatAttr(element, cast(Any, type))
                self.emit.fill(self.emit.add(arith.ConstantOp(scalar)).result, target)
                return
        self.emit.copy(self.buffer(value), target)

    def buffer_at(self, value: SSAValue, known: Sequence[SSAValue] = ()) -> SSAValue:
        """A memref for the place of `value` that can be named at the anchor: a known one there, or from its root."""
        view = self.plan.place[value]
        for other in known:
            if self.plan.place[other] == view:
                return self.buffer(other)
        return self.view_of_root(view)

    def view_of_root(self, view: BufferView) -> SSAValue:
        root = self.root_buffer(view.root)
        if view.is_whole:
            return root
        size = view.last - view.first
        return self.emit.reshape(self.emit.subview(root, [view.first], [size], [1], [size]), view.shape)

    def transfer(self, source: SSAValue, target_view: BufferView, target: SSAValue) -> list[Transfer]:
        """The copy that makes `target` hold `source`: none if it is there already."""
        view = self.plan.place[source]
        if view == target_view or is_empty(source):
            return []
        return [Transfer(view, self.buffer(source), target_view, target)]
