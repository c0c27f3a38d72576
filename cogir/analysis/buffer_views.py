"""
Where a tensor lives: a `BufferView` is a shaped window into a `Root`, one piece of memory.

```mlir
%sf : tensor<10xf64>                                                    // root sf, elements 0 .. 10
%m  = tensor.extract_slice %sf[4] [6] [1] : ... to tensor<6xf64>        // root sf, elements 4 .. 10
%n  = tensor.expand_shape %m [[0, 1]] output_shape [2, 3] : ...         // root sf, elements 4 .. 10, strides 3, 1
```
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

import numpy as np
from xdsl.dialects import tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Attribute, Operation, SSAValue

from cogir.dialects.rng import StateType
from cogir.irutils import Array, constant_int, row_major_strides, shape_of


class RootKind(Enum):
    """Kind of a piece of memory."""

    ARGUMENT = "argument"
    CONSTANT = "constant"
    FRESH = "fresh"


def buffer_shape(type: Attribute) -> tuple[int, ...]:
    """The shape of the buffer that holds a value: a tensor's own, or the words of a generator's state."""
    return (type.words,) if isinstance(type, StateType) else shape_of(type)


MOST_PARTS = 1024
"""The parts of a piece of memory for which is known until when they are needed; matrices have many more elements."""


@dataclass(eq=False)
class Root:
    """
    One piece of memory of a function: an argument, a constant, or fresh.

    `needed_until[p]` is the latest time at which a value that lives here is known to be read in part `p`, one of up to a thousand or so
    that have `part` elements each; the individual uses behind it are `uses`, with their spans in the columns of `spans` (time, first,
    last).
    """

    kind: RootKind
    type: Attribute
    writable: bool
    source: SSAValue | Operation | None
    """The argument, the constant's result, or the operation for which fresh memory was taken."""
    destination: int | None = None
    """The result of the function that is built here, when fresh memory is the caller's."""
    part: int = field(init=False)
    needed_until: Array = field(init=False)
    uses: list[tuple[SSAValue, Operation, int]] = field(default_factory=list[tuple[SSAValue, Operation, int]])
    spans: Array = field(init=False)

    def __post_init__(self) -> None:
        size = max(math.prod(self.shape), 1)
        self.part = max(1, size // MOST_PARTS)
        self.needed_until = np.zeros(-(-size // self.part), np.int64)
        self.spans = np.zeros((3, 8), np.int64)

    @property
    def shape(self) -> tuple[int, ...]:
        return buffer_shape(self.type)

    def whole(self) -> BufferView:
        """The view of all of it."""
        return BufferView(self, 0, self.shape, row_major_strides(self.shape), 0, max(math.prod(self.shape), 1))

    def note_use(self, time: int, first: int, last: int, use: tuple[SSAValue, Operation, int]) -> None:
        """Records that `use` needs elements `first` .. `last` as they are until `time`."""
        parts = self.needed_until[first // self.part : -(-last // self.part)]
        np.maximum(parts, time, out=parts)
        count = len(self.uses)
        if count == self.spans.shape[1]:
            self.spans = np.concatenate([self.spans, np.zeros_like(self.spans)], axis=1)
        self.spans[:, count] = (time, first, last)
        self.uses.append(use)

    def may_be_needed_after(self, time: int, first: int, last: int) -> bool:
        """False if no recorded use needs any of the elements `first` .. `last` after `time`."""
        return self.needed_until[first // self.part : -(-last // self.part)].max() > time

    def uses_after(self, time: int, first: int, last: int) -> list[int]:
        """The recorded uses (their numbers) that need some of the elements `first` .. `last` after `time`."""
        times, firsts, lasts = self.spans[:, : len(self.uses)]
        late = np.nonzero((times > time) & (firsts < last) & (lasts > first))[0]
        return [int(number) for number in late]

    def forget_use(self, number: int) -> None:
        """The use does not look here any more: what it needs is saved elsewhere."""
        self.spans[0, number] = -1


@dataclass(frozen=True)
class BufferView:
    """
    A window into a root: elements at `offset + sum(index * stride)`, all of them between `first` and `last`.

    `offset` is None when it is not known at compile time; two such views are equal only if they are one (`identity`).
    """

    root: Root
    offset: int | None
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    first: int
    last: int
    identity: Any = None

    @property
    def is_contiguous(self) -> bool:
        """True if the elements lie side by side in row-major order."""
        extents = [(extent, stride) for extent, stride in zip(self.shape, self.strides, strict=True) if extent != 1]
        return [stride for _, stride in extents] == list(row_major_strides([extent for extent, _ in extents]))

    @property
    def is_whole(self) -> bool:
        """True if this is the root as it is."""
        return self.offset == 0 and self.shape == self.root.shape and self.is_contiguous

    def overlaps(self, other: BufferView) -> bool:
        """True if both may share an element."""
        return self.root is other.root and self.first < other.last and other.first < self.last

    def same_place(self, other: BufferView) -> bool:
        """True if both hold the same elements in the same order, whatever their shapes."""
        if self.root is not other.root:
            return False
        if self == other:
            return True
        same_start = self.offset is not None and self.offset == other.offset
        same_size = math.prod(self.shape) == math.prod(other.shape)
        return same_start and same_size and self.is_contiguous and other.is_contiguous


def kept_axes(sizes: Sequence[int], shape: Sequence[int]) -> list[int]:
    """The axes of a slice with these sizes that remain in a result of `shape`, which may leave out axes of extent 1."""
    kept: list[int] = []
    for axis, size in enumerate(sizes):
        if len(kept) < len(shape) and size == shape[len(kept)]:
            kept.append(axis)
    return kept


def slice_view(
    source: BufferView, op: tensor.ExtractSliceOp | tensor.InsertSliceOp, result_shape: Sequence[int] | None = None
) -> BufferView:
    """The part of `source` that a slicing operation takes or overwrites, in the shape of the slice."""
    sizes = op.static_sizes.get_values()
    steps = op.static_strides.get_values()
    offsets = op.static_offsets.get_values()
    strides = tuple(stride * step for stride, step in zip(source.strides, steps, strict=True))
    axes = list(range(len(sizes))) if result_shape is None else kept_axes(sizes, result_shape)
    shape, kept_strides = tuple(sizes[axis] for axis in axes), tuple(strides[axis] for axis in axes)
    if source.offset is None or DYNAMIC_INDEX in offsets:
        return BufferView(source.root, None, shape, kept_strides, source.first, source.last, identity=op)
    start = source.offset + sum(offset * stride for offset, stride in zip(offsets, source.strides, strict=True))
    reach = sum((size - 1) * stride for size, stride in zip(sizes, strides, strict=True))
    return BufferView(source.root, start, shape, kept_strides, start, start + reach + 1)


def reshaped_view(source: BufferView, shape: tuple[int, ...]) -> BufferView | None:
    """The same elements in another shape, or None if strides cannot express it without a copy."""
    if not source.is_contiguous:
        return None
    return BufferView(source.root, source.offset, shape, row_major_strides(shape), source.first, source.last, source.identity)


def element_span(source: BufferView, indices: Sequence[SSAValue]) -> tuple[int, int]:
    """The elements of the root that `source[indices]` may be: one if the indices are constants, else all."""
    if source.offset is None:
        return source.first, source.last
    position = source.offset
    for index, stride in zip(indices, source.strides, strict=True):
        value = constant_int(index)
        if value is None:
            return source.first, source.last
        position += value * stride
    return position, position + 1
