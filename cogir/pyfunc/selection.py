"""
Which elements of an array an index picks.

An index known at compile time is checked then. One computed at run time may be negative as in Python; where it is out of
range Python raises, compiled code has nobody to tell: it takes the nearest element (the index is clamped), so that it
never reads or writes other memory. A slice has known bounds, or is a window `x[i : i + 3]`, which is moved to where it fits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, i64
from xdsl.ir import Operation, SSAValue

from cogir.pyfunc.emitter import Emitter
from cogir.pyfunc.kinds import Shape
from cogir.pyfunc.values import Const, Scalar, Value, describe, is_static, kind_of, static


@dataclass(frozen=True)
class Slice(Value):
    """`start:stop:step`, each a value (None for what is left out); `length` is known where it is written `i : i + length`."""

    start: Value
    stop: Value
    step: Value
    length: int | None = None


Item: TypeAlias = Value


Offset: TypeAlias = "int | SSAValue"


@dataclass(frozen=True)
class Selection:
    """
    The elements that an index selects: from each axis `sizes` elements from `offsets` on, `steps` (> 0) apart.

    `dropped` axes (indexed by an integer) are not in the result; `reversed_axes` run backwards; `new_axes` are positions in the
    result where an axis of length 1 stands.
    """

    offsets: tuple[Offset, ...]
    sizes: Shape
    steps: Shape
    dropped: frozenset[int]
    reversed_axes: frozenset[int]
    new_axes: tuple[int, ...]

    @property
    def shape(self) -> Shape:
        """The shape of the picked elements, without new axes."""
        return tuple(size for axis, size in enumerate(self.sizes) if axis not in self.dropped)


def position(e: Emitter, index: Value, extent: int, window: int | None = None) -> Offset:
    """An index into an axis of `extent` elements, or the start of a window of that many elements, such that all of it is in bounds."""
    length = window or 1
    last = extent - length
    if isinstance(index, Const) and isinstance(index.value, int) and not isinstance(index.value, bool):
        if not -extent <= index.value < extent:
            raise e.misfit(f"index {index.value} is out of range for an axis of {extent} elements; give {-extent} to {extent - 1}")
        return index.value % extent
    if not isinstance(index, Scalar) or index.kind != "i64":
        remedy = "write int(...) around it" if kind_of(index) in ("f64", "f32", "i1") else "use an int or a slice"
        raise e.misfit(f"index is {describe(index)}, not an int; {remedy}")
    low, high = index.low, index.high
    if low is not None and high is not None and 0 <= low and high <= last:
        return index.index if index.index is not None else e.to_index(index.ssa)
    value = index.ssa
    zero = e.constant(0, "i64")
    is_negative = low is None or low < 0
    if is_negative:
        wrapped = e.int_op(arith.AddiOp, value, e.constant(extent, "i64"))
        if window is not None:
            _mark_window(wrapped, window, extent)
        value = wrapped if high is not None and high < 0 else e.select(e.compare("slt", value, zero), wrapped, value)
        if low is None or low < -extent:
            value = e.int_op(arith.MaxSIOp, value, zero)
            if window is None:
                _mark_index(value, extent)
    if high is None or high > last or (length > 1 and is_negative):
        value = e.int_op(arith.MinSIOp, value, e.constant(last, "i64"))
        if window is None:
            _mark_index(value, extent)
        elif not is_negative:
            _mark_window(value, window, extent)
    return e.to_index(value)


def _mark_index(moved: SSAValue, extent: int) -> None:
    """Marks the operation that brings an index into its axis, as Python raises where that changes it."""
    cast(Operation, moved.owner).attributes["cog.index"] = IntegerAttr(extent, i64)


def _mark_window(moved: SSAValue, length: int, extent: int) -> None:
    """Marks the first operation on the start of a window, as Python gives fewer elements where the axis has no room for it."""
    cast(Operation, moved.owner).attributes["cog.window"] = DenseArrayBase.from_list(i64, (length, extent))


def static_bound(e: Emitter, value: Value, name: str) -> int | None:
    if is_static(value):
        bound = static(value)
        if bound is None or isinstance(bound, int):
            return bound
    raise e.error(
        f"the {name} of a slice is {describe(value)}; it must be known when the function is compiled, since shapes are"
        " fixed: use a constant, or a loop over single elements"
    )


def select_items(e: Emitter, shape: Shape, items: Sequence[Item]) -> Selection:
    """The elements that `[items]` picks from an array of `shape`."""
    consumed = sum(1 for item in items if not (isinstance(item, Const) and (item.value is None or item.value is Ellipsis)))
    if consumed > len(shape):
        raise e.error(f"{consumed} indices for an array of shape {shape}; give at most {len(shape)}")
    expanded: list[Item] = []
    full = Slice(Const(None), Const(None), Const(None))
    for item in items:
        if isinstance(item, Const) and item.value is Ellipsis:
            expanded += [full] * (len(shape) - consumed)
            consumed = len(shape)
        else:
            expanded.append(item)
    expanded += [full] * (len(shape) - consumed)
    offsets: list[Offset] = []
    sizes: list[int] = []
    steps: list[int] = []
    dropped: set[int] = set()
    backwards: set[int] = set()
    new_axes: list[int] = []
    for item in expanded:
        axis = len(offsets)
        if isinstance(item, Const) and item.value is None:
            new_axes.append(axis - len(dropped) + len(new_axes))
        elif isinstance(item, Slice) and item.length is not None and not is_static(item.start):
            if not 0 < item.length <= shape[axis]:
                raise e.error(f"a slice of {item.length} elements is too long for an axis of {shape[axis]} elements")
            # The start is brought to where the whole window fits.
            offsets.append(position(e, item.start, shape[axis], item.length))
            sizes.append(item.length)
            steps.append(1)
        elif isinstance(item, Slice):
            bounds = slice(
                static_bound(e, item.start, "start"),
                static_bound(e, item.stop, "stop"),
                static_bound(e, item.step, "step"),
            )
            if bounds.step == 0:
                raise e.error("the step of a slice is 0; give another step")
            start, stop, step = bounds.indices(shape[axis])
            picked = range(start, stop, step)
            if not picked:
                raise e.error(f"the slice selects no element of an axis of {shape[axis]} elements; arrays cannot be empty here")
            if step < 0:
                backwards.add(axis)
            offsets.append(min(picked[0], picked[-1]))
            sizes.append(len(picked))
            steps.append(abs(step))
        else:
            offsets.append(position(e, item, shape[axis]))
            sizes.append(1)
            steps.append(1)
            dropped.add(axis)
    return Selection(tuple(offsets), tuple(sizes), tuple(steps), frozenset(dropped), frozenset(backwards), tuple(new_axes))
