"""
Reads the parts of arrays that are assembled and sliced again from their sources.

Before: stage `machine`.
After:  a slice or an element, at a known place, of an array that was assembled from slices is what was put there. Where a function
        slices an array that its caller assembles, the function is inlined, so that this can be seen.

```mlir
%a = tensor.insert_slice %predator into %empty[0, 0] [1, 2] [1, 1]
%b = tensor.insert_slice %player into %a[1, 0] [1, 2] [1, 1]
%p = tensor.extract_slice %b[0, 0] [1, 2] [1, 1]                           // becomes %predator
```

PsyNeuLink hands a Mechanism's inputs to its function as the rows of one array. In a search each of them may depend on other axes, the
array on all of them: `open-points`, which comes next, sees what depends on fewer only where the rows are apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import func, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, ModuleOp, StringAttr, i64
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from cogir.analysis.buffer_views import kept_axes
from cogir.analysis.memory_plan import is_empty
from cogir.analysis.signatures import callees_first
from cogir.irutils import constant_int, index_constant, shape_of
from cogir.transforms.inlining import inline

Reading = tensor.ExtractSliceOp | tensor.ExtractOp
Writing = tensor.InsertSliceOp | tensor.InsertOp
LARGEST = 2000
"""Inlining budget per function, in operations: functions that call two each would grow without end."""
MOST_PIECES = 64
"""An array of more pieces is left as it is: each read of it looks through them all."""


@dataclass(frozen=True)
class Box:
    """Neighbouring elements of an array: along each axis `sizes` of them from `offsets` on."""

    offsets: tuple[int, ...]
    sizes: tuple[int, ...]

    def holds(self, other: Box) -> bool:
        """True if all elements of the other box are in this one."""
        ends = zip(self.offsets, self.sizes, other.offsets, other.sizes, strict=True)
        return all(start <= first and first + count <= start + size for start, size, first, count in ends)

    def misses(self, other: Box) -> bool:
        """True if no element of the other box is in this one."""
        ends = zip(self.offsets, self.sizes, other.offsets, other.sizes, strict=True)
        return any(first + count <= start or start + size <= first for start, size, first, count in ends)

    def within(self, outer: Box, kept: Sequence[int]) -> Box:
        """The same elements, counted from where the outer box begins, along the axes that are kept."""
        return Box(
            tuple(self.offsets[axis] - outer.offsets[axis] for axis in kept),
            tuple(self.sizes[axis] for axis in kept),
        )


def box_of(op: Reading | Writing) -> Box | None:
    """The elements that an operation takes out of its array, or puts into it; None where that is not known, or they have gaps."""
    if isinstance(op, tensor.ExtractOp | tensor.InsertOp):
        places = [constant_int(index) for index in op.indices]
        known = tuple(place for place in places if place is not None)
        return Box(known, (1,) * len(known)) if len(known) == len(places) else None
    offsets, sizes, steps = (each.get_values() for each in (op.static_offsets, op.static_sizes, op.static_strides))
    if DYNAMIC_INDEX in (*offsets, *sizes) or any(step != 1 for step in steps):
        return None
    return Box(tuple(offsets), tuple(sizes))


def written_pieces(array: SSAValue) -> list[Writing]:
    """The pieces from which an array was assembled, the last one first; none if it did not begin empty: buffers stay as they are."""
    found: list[Writing] = []
    while isinstance(owner := array.owner, Writing) and len(found) < MOST_PIECES:
        found.append(owner)
        array = owner.dest
    return found if is_empty(array) else []


def forwarded(op: Reading) -> SSAValue | None:
    """The value that an operation reads, taken from its source; None if it has several sources, or its source is unknown."""
    box = box_of(op)
    if box is None:
        return None
    for piece in written_pieces(op.operands[0]):
        placed = box_of(piece)
        if placed is not None and placed.holds(box):
            if isinstance(piece, tensor.InsertSliceOp):
                return part_of(piece.source, placed, op, box)
            return piece.scalar if isinstance(op, tensor.ExtractOp) else None
        if placed is None or not placed.misses(box):
            return None
    return None


def part_of(source: SSAValue, placed: Box, op: Reading, box: Box) -> SSAValue | None:
    """The elements `box` of an array in which `source` is `placed`, as `op` gives them; None where the two leave out different axes."""
    type, shape = op.results[0].type, shape_of(source.type)
    if box == placed and source.type == type:
        return source
    inside = box.within(placed, kept_axes(placed.sizes, shape))
    builder = Builder(InsertPoint.before(op))
    if isinstance(op, tensor.ExtractOp):
        places = [builder.insert(index_constant(place)).result for place in inside.offsets]
        return read_further(builder.insert(tensor.ExtractOp(source, places, type)))
    if len(kept_axes(inside.sizes, shape_of(type))) != len(shape_of(type)):
        return None
    offsets, sizes, steps = (DenseArrayBase.from_list(i64, each) for each in (inside.offsets, inside.sizes, (1,) * len(shape)))
    properties = {"static_offsets": offsets, "static_sizes": sizes, "static_strides": steps}
    part = tensor.ExtractSliceOp.build(operands=[source, [], [], []], result_types=[type], properties=properties)
    return read_further(builder.insert(part))


def read_further(op: Reading) -> SSAValue:
    """The value that a new slice of a piece reads: the piece may have been assembled, too."""
    value = forwarded(op)
    if value is None:
        return op.results[0]
    op.detach()
    op.erase()
    return value


def takes_apart(function: func.FuncOp, number: int) -> bool:
    """True if a function does nothing with an argument but read parts of it at known places."""
    uses = [use.operation for use in function.args[number].uses]
    return bool(uses) and all(isinstance(op, Reading) and box_of(op) is not None for op in uses)


def should_open(call: func.CallOp, functions: Mapping[str, func.FuncOp]) -> bool:
    """True if a call passes an array that is assembled here, at known places, and sliced there."""
    function = functions.get(call.callee.string_value())
    if function is None or len(function.body.blocks) != 1 or function.sym_visibility != StringAttr("private"):
        return False
    for number, operand in enumerate(call.arguments):
        pieces = written_pieces(operand) if takes_apart(function, number) else []
        if pieces and all(box_of(piece) is not None for piece in pieces):
            return True
    return False


@dataclass(frozen=True)
class ForwardSlices(ModulePass):
    """Reads the parts of arrays that are assembled and sliced again from their sources."""

    name = "forward-slices"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = callees_first(op)
        known = {function.sym_name.data: function for function in functions if not function.is_declaration}
        for function in functions:
            room = LARGEST
            for call in [each for each in function.walk() if isinstance(each, func.CallOp)]:
                if should_open(call, known):
                    callee = known[call.callee.string_value()]
                    room -= sum(1 for _ in callee.body.walk())
                    if room >= 0:
                        inline(call, callee)
            for reading in [each for each in function.walk() if isinstance(each, Reading)]:
                if (value := forwarded(reading)) is not None:
                    value.name_hint = value.name_hint or reading.results[0].name_hint
                    reading.results[0].replace_all_uses_with(value)
                    reading.detach()
                    reading.erase()
