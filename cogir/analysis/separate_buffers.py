"""
Which memref arguments of private functions never share memory with anything else that the function reaches.

A private function is seen with all its calls. An argument is separate when at every call it lies in memory that is
known (an allocation, a constant, an argument that is itself separate), and no other argument lies in the same elements.

```mlir
func.func private @f(%a: memref<4xf64>, %b: memref<4xf64>)      // separate: %a, %b
func.func @g(%s: memref<8xf64> {llvm.noalias}) {
  %x = memref.subview %s[0] [4] [1]
  %y = memref.subview %s[4] [4] [1]
  func.call @f(%x, %y)                                           // other elements of %s
}
```
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, ModuleOp, NoneAttr, StridedLayoutAttr, UnitAttr
from xdsl.ir import Attribute, Block, BlockArgument, SSAValue

from cogir.irutils import row_major_strides

NO_ALIAS = "llvm.noalias"


@dataclass(frozen=True)
class MemoryRange:
    """Part of one piece of memory: elements `first` up to `last` (None: not known) of what `root` stands for."""

    root: SSAValue
    first: int | None
    last: int | None

    def overlaps(self, other: MemoryRange) -> bool:
        """True if both may share an element, if different roots do not."""
        if self.root is not other.root:
            return False
        if self.first is None or self.last is None or other.first is None or other.last is None:
            return True
        return self.first < other.last and other.first < self.last


def separate_arguments(module: ModuleOp) -> Mapping[str, frozenset[int]]:
    """For each private function of a module the positions of the memref arguments that are separate."""
    functions = {op.sym_name.data: op for op in module.body.block.ops if isinstance(op, func.FuncOp)}
    constants = {op.sym_name.data for op in module.body.block.ops if isinstance(op, memref.GlobalOp) and op.constant is not None}
    calls: dict[str, list[tuple[str, func.CallOp]]] = {name: [] for name in functions}
    for name, function in functions.items():
        for op in function.body.walk():
            if isinstance(op, func.CallOp) and (callee := op.callee.root_reference.data) in calls:
                calls[callee].append((name, op))
    separate: dict[str, frozenset[int]] = {}
    for name in _callers_first(functions, calls):
        function = functions[name]
        if not _is_private(function):
            separate[name] = frozenset()
            continue
        positions = frozenset(i for i, type in enumerate(function.function_type.inputs) if isinstance(type, MemRefType))
        for caller, call in calls[name]:
            if caller not in separate:  # a call from a function that is (in the end) called from here
                positions = frozenset[int]()
                break
            positions &= _separate_at(call, _Memory(functions[caller], separate[caller], constants))
        separate[name] = positions if calls[name] else frozenset()
    return separate


def _is_private(function: func.FuncOp) -> bool:
    return function.sym_visibility is not None and function.sym_visibility.data == "private" and bool(function.body.blocks)


def _callers_first(functions: Mapping[str, func.FuncOp], calls: Mapping[str, list[tuple[str, func.CallOp]]]) -> list[str]:
    """The names of the functions, each after its callers as far as there is no recursion."""
    order: list[str] = []
    seen: set[str] = set()
    for start in functions:
        stack = [(start, iter(calls[start]))] if start not in seen else []
        seen.add(start)
        while stack:
            name, callers = stack[-1]
            following = next((caller for caller, _ in callers if caller not in seen), None)
            if following is None:
                order.append(name)
                stack.pop()
            else:
                seen.add(following)
                stack.append((following, iter(calls[following])))
    return order


def _separate_at(call: func.CallOp, memory: _Memory) -> frozenset[int]:
    """The positions of the arguments that share no element with another at this call."""
    places = {i: memory.place(value) for i, value in enumerate(call.arguments) if isinstance(value.type, MemRefType)}
    if any(place is None for place in places.values()):
        return frozenset()
    return frozenset(
        i
        for i, place in places.items()
        if place is not None and not any(j != i and other is not None and place.overlaps(other) for j, other in places.items())
    )


class _Memory:
    """The memory ranges of the memrefs of one function."""

    def __init__(self, function: func.FuncOp, separate: frozenset[int], constants: set[str]):
        self.function = function
        self.separate = separate
        self.constants = constants

    def place(self, value: SSAValue) -> MemoryRange | None:
        """The place of a memref; None when it is not known, or may be the same as another root's."""
        owner = value.owner
        if isinstance(owner, Block):
            return self.whole(value) if self.is_separate_argument(value, owner) else None
        if isinstance(owner, memref.AllocOp | memref.AllocaOp):
            return self.whole(value)
        if isinstance(owner, memref.GetGlobalOp):
            # A constant is never written, so it does not matter who else reads it.
            return self.whole(value) if owner.name_.root_reference.data in self.constants else None
        if isinstance(owner, memref.CastOp | memref.CollapseShapeOp | memref.ExpandShapeOp):
            return self.place(owner.operands[0])
        if isinstance(owner, memref.SubviewOp):
            return self.part(owner)
        return None

    def is_separate_argument(self, value: SSAValue, block: Block) -> bool:
        if block is not self.function.body.first_block:
            return False
        position = cast("BlockArgument[Attribute]", value).index
        given = self.function.arg_attrs
        return position in self.separate or (given is not None and isinstance(given.data[position].data.get(NO_ALIAS), UnitAttr))

    def whole(self, value: SSAValue) -> MemoryRange:
        extent = _extent(value.type)
        return MemoryRange(value, None if extent is None else 0, extent)

    def part(self, op: memref.SubviewOp) -> MemoryRange | None:
        source = self.place(op.source)
        offsets, strides = op.static_offsets.get_values(), _strides(op.source.type)
        extent = _extent(op.result.type)
        if source is None:
            return None
        if source.first is None or strides is None or extent is None or DYNAMIC_INDEX in offsets:
            return MemoryRange(source.root, None, None)
        first = source.first + sum(offset * stride for offset, stride in zip(offsets, strides, strict=True))
        return MemoryRange(source.root, first, first + extent)


def _strides(type: Attribute) -> tuple[int, ...] | None:
    """The strides of a memref type, in elements, or None when they are not static."""
    typed = cast("MemRefType[Attribute]", type)
    if isinstance(typed.layout, NoneAttr):
        return None if DYNAMIC_INDEX in typed.get_shape()[1:] else row_major_strides(typed.get_shape())
    if isinstance(typed.layout, StridedLayoutAttr):
        strides = tuple(stride for stride in typed.layout.get_strides() if stride is not None)
        return strides if len(strides) == typed.get_num_dims() else None
    return None


def _extent(type: Attribute) -> int | None:
    """The number of elements from the first to the end of the last one, or None when that is not known."""
    shape, strides = cast("MemRefType[Attribute]", type).get_shape(), _strides(type)
    if strides is None or DYNAMIC_INDEX in shape:
        return None
    return 1 + sum((extent - 1) * stride for extent, stride in zip(shape, strides, strict=True)) if 0 not in shape else 0
