"""
Gives every operation on numbers and arrays a result, whatever its operands are: the one that Python functions of nodes have.

Before: numbers and arrays; constants out of range are refused (`analysis/verify_arrays.py`).
After:  no operation on values has undefined behaviour. What `analysis/ranges.py` shows to be in range stays as it is.

- an index out of range takes the nearest element, a slice moves to where it fits;
- an integer divided by 0 is 0, as is the remainder; the smallest integer divided by -1 wraps around;
- a shift by the width or more shifts everything out;
- a float that fits no integer (and NaN) becomes the smallest one;
- a loop whose step is below 1 has step 1;
- `tensor.empty` is filled with zeros, unless all its elements are written before they can be read;
- flags that make overflow, NaN or infinities undefined (`nsw`, `nuw`, `nnan`, `ninf`) go.

```mlir
%x = tensor.extract %v[%i] : tensor<4xf64>
// becomes
%a = arith.maxsi %i, %c0 {cog.index = 4 : i64} : index
%b = arith.minsi %a, %c3 {cog.index = 4 : i64} : index
%x = tensor.extract %v[%b] : tensor<4xf64>
```

The attributes `cog.index`, `cog.window` and `cog.divisor` say where a result had to be chosen (`interpreters/checks.py`). Models from text
go through this pass before all others. Those of the builder do not need it: `pyfunc` emits these forms in the first place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, TypeAlias, cast

import numpy as np
from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, math, scf, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    TensorType,
    UnitAttr,
    i64,
)
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from cogir.analysis.memory_plan import reads_output
from cogir.analysis.ranges.local_integers import is_safe_divisor, range_of
from cogir.analysis.verify_arrays import slice_extents, verify_arrays
from cogir.interpreters.arith import width_of
from cogir.interpreters.checks import DIVISOR, INDEX, WINDOW
from cogir.irutils import constant_float, constant_int, element_type_of, is_float, shape_of

_Place: TypeAlias = "tuple[int | slice[int, int, int], ...]"
"""An index of NumPy for some elements of an array: an integer or a slice for each axis."""
_POISON_FLAGS = frozenset((FastMathFlag.NO_NANS, FastMathFlag.NO_INFS))
_NO_OVERFLOW_FLAGS = arith.IntegerOverflowAttr("none")


@dataclass(frozen=True)
class RemoveUndefinedBehaviour(ModulePass):
    """Brings indices, divisors, shifts and casts into the range where they are defined."""

    name = "remove-undefined-behaviour"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        operations = list(op.walk())
        for inner in operations[1:]:
            verify_arrays(inner)
        for inner in operations:
            drop_flags(inner)
            if (rule := _RULES.get(type(inner))) is not None:
                rule(inner, _Before(inner))


class _Before:
    """Puts operations in front of another one, with the place of the one that is changed."""

    def __init__(self, op: Operation, changed: Operation | None = None):
        self._builder = Builder(InsertPoint.before(op))
        self._location = (changed or op).location

    def add(self, op: Operation) -> Any:
        """Inserts an operation; returns its result."""
        op.location = self._location
        return self._builder.insert(op).results[0]

    def constant(self, value: float, type: Attribute) -> SSAValue:
        """`arith.constant value : type`"""
        attribute = FloatAttr(float(value), cast(Any, type)) if is_float(type) else IntegerAttr(int(value), cast(Any, type))
        return self.add(arith.ConstantOp(attribute))

    def compare(self, predicate: str, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """`arith.cmpi` or `arith.cmpf`, by the type of the operands."""
        compare = arith.CmpfOp if is_float(lhs.type) else arith.CmpiOp
        return self.add(compare(lhs, rhs, predicate))

    def select(self, condition: SSAValue, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """`arith.select condition, lhs, rhs`"""
        return self.add(arith.SelectOp(condition, lhs, rhs))


def drop_flags(op: Operation) -> None:
    """Removes the flags of an operation under which some results are undefined."""
    if "overflowFlags" in op.properties:
        op.properties["overflowFlags"] = _NO_OVERFLOW_FLAGS
    flags = op.properties.get("fastmath")
    if isinstance(flags, arith.FastMathFlagsAttr) and _POISON_FLAGS & set(flags.data):
        op.properties["fastmath"] = arith.FastMathFlagsAttr([flag for flag in flags.data if flag not in _POISON_FLAGS])


# -- arrays


def _clamped(before: _Before, index: SSAValue, last: int, mark: tuple[str, Attribute]) -> SSAValue:
    """An index brought to 0 .. last by operations with an attribute, `mark`."""
    low, high = range_of(index)
    if low < 0:
        index = _marked(before.add(arith.MaxSIOp(index, before.constant(0, index.type))), mark)
    if high > last:
        index = _marked(before.add(arith.MinSIOp(index, before.constant(last, index.type))), mark)
    return index


def _marked(index: SSAValue, mark: tuple[str, Attribute]) -> SSAValue:
    name, value = mark
    cast(Operation, index.owner).attributes[name] = value
    return index


def _element(op: tensor.ExtractOp | tensor.InsertOp, before: _Before) -> None:
    """extract v[i]  ->  extract v[min(max(i, 0), n - 1)]"""
    array, first = (op.tensor, 1) if isinstance(op, tensor.ExtractOp) else (op.dest, 2)
    for axis, extent in enumerate(shape_of(array.type)):
        op.operands[first + axis] = _clamped(before, op.operands[first + axis], extent - 1, (INDEX, IntegerAttr(extent, i64)))


def _slice(op: tensor.ExtractSliceOp | tensor.InsertSliceOp, before: _Before) -> None:
    """extract_slice v[i] [m] [1]  ->  extract_slice v[min(max(i, 0), n - m)] [m] [1]"""
    number = 1 if isinstance(op, tensor.ExtractSliceOp) else 2
    for offset, span, extent in slice_extents(op):
        if offset == DYNAMIC_INDEX:
            window = DenseArrayBase.from_list(i64, (span, extent))
            op.operands[number] = _clamped(before, op.operands[number], extent - span, (WINDOW, window))
            number += 1


def _empty(op: tensor.EmptyOp, before: _Before) -> None:
    """tensor.empty  ->  tensor.splat 0, where an element could be read before it is written"""
    array = op.tensor
    if not is_overwritten(array):
        zero = before.constant(0, element_type_of(array.type))
        array.replace_all_uses_with(before.add(tensor.SplatOp(zero, [], cast("TensorType[Any]", array.type))))
        op.detach()
        op.erase()


def is_overwritten(array: SSAValue) -> bool:
    """True if all elements of an array are written before one of them can be read."""
    if all(_writes_all(use.operation, use.index) for use in array.uses):
        return True
    places = _written_places(array)
    shape = shape_of(array.type)
    if sum(map(_size, places)) < prod(shape):
        return False
    missing = np.ones(shape, bool)
    for place in places:
        missing[place] = False
    return not missing.any()


def _written_places(array: SSAValue) -> list[_Place]:
    """The elements that insertions in the block of an array write one after the other, before anything else uses it."""
    places: list[_Place] = []
    block = array.owner.parent if isinstance(array.owner, Operation) else None
    while (op := array.get_user_of_unique_use()) is not None and op.parent is block:
        if not isinstance(op, tensor.InsertOp | tensor.InsertSliceOp) or op.dest is not array:
            break
        if (place := _place(op)) is not None:
            places.append(place)
        array = op.result
    return places


def _size(place: _Place) -> int:
    """The number of elements at a place."""
    return prod(len(range(each.start, each.stop, each.step)) if isinstance(each, slice) else 1 for each in place)


def _place(op: tensor.InsertOp | tensor.InsertSliceOp) -> _Place | None:
    """The elements that an insertion writes; None if they are computed."""
    if isinstance(op, tensor.InsertOp):
        indices = tuple(constant_int(index) for index in op.indices)
        return None if None in indices else cast("_Place", indices)
    if op.offsets:
        return None
    each: Sequence[Any] = [values.get_values() for values in (op.static_offsets, op.static_sizes, op.static_strides)]
    return tuple(slice(start, start + (size - 1) * step + 1, step) for start, size, step in zip(*each, strict=True))


def _writes_all(op: Operation, index: int) -> bool:
    """True if an operation writes each element of its operand, and reads none."""
    if not isinstance(op, LinalgStructuredOperation) or index < len(op.inputs) or reads_output(op, index - len(op.inputs)):
        return False
    map = op.get_indexing_maps().data[index].data
    return len(set(map.results)) == len(map.results) and all(isinstance(expr, AffineDimExpr) for expr in map.results)


# -- numbers


def _signed_division(op: Any, before: _Before) -> None:
    """a / b  ->  b in (0, -1) ? a * b : a / (b in (0, -1) ? 1 : b)"""
    if is_safe_divisor(op.rhs):
        return
    lhs, rhs = op.lhs, op.rhs
    is_remainder = isinstance(op, arith.RemSIOp)
    if op.result.type == IntegerType(1):
        _replace(op, before.constant(0, op.result.type) if is_remainder else before.add(arith.MuliOp(lhs, rhs)))
        return
    one = before.constant(1, rhs.type)
    special = before.compare("ult", before.add(arith.AddiOp(rhs, one)), before.constant(2, rhs.type))
    op.operands[1] = _divisor(before.select(special, one, rhs))
    if not is_remainder:
        after = _after(op)
        _choose(op, after, special, after.add(arith.MuliOp(lhs, rhs)))


def _unsigned_division(op: Any, before: _Before) -> None:
    """a / b  ->  b == 0 ? 0 : a / (b == 0 ? 1 : b)"""
    low, high = range_of(op.rhs)
    if low > 0 or high < 0:
        return
    zero = before.constant(0, op.rhs.type)
    special = before.compare("eq", op.rhs, zero)
    op.operands[1] = _divisor(before.select(special, before.constant(1, op.rhs.type), op.rhs))
    if not isinstance(op, arith.RemUIOp):
        _choose(op, _after(op), special, zero)


def _divisor(safe: SSAValue) -> SSAValue:
    cast(Operation, safe.owner).attributes[DIVISOR] = UnitAttr()
    return safe


def _shift(op: arith.ShLIOp | arith.ShRUIOp | arith.ShRSIOp, before: _Before) -> None:
    """a << b  ->  b < width ? a << (b < width ? b : 0) : 0, and for shrsi  a >> (b < width ? b : width - 1)"""
    type = op.result.type
    width = width_of(type)
    low, high = range_of(op.rhs)
    if 0 <= low and high < width:
        return
    if width == 1:
        _replace(op, op.lhs if isinstance(op, arith.ShRSIOp) else _shifted_bit(op, before))
        return
    fits = before.compare("ult", op.rhs, before.constant(width, type))
    is_signed = isinstance(op, arith.ShRSIOp)
    op.operands[1] = before.select(fits, op.rhs, before.constant(width - 1 if is_signed else 0, type))
    if not is_signed:
        after = _after(op)
        zero = after.constant(0, type)
        _choose(op, after, after.add(arith.XOrIOp(fits, after.constant(1, IntegerType(1)))), zero)


def _shifted_bit(op: arith.ShLIOp | arith.ShRUIOp, before: _Before) -> SSAValue:
    return before.select(op.rhs, before.constant(0, op.result.type), op.lhs)


def _to_integer(op: arith.FPToSIOp | arith.FPToUIOp, before: _Before) -> None:
    """fptosi x  ->  t = trunc x;  fits = -2**63 <= t < 2**63;  fits ? fptosi (fits ? t : 0.0) : -2**63"""
    if _is_guarded(op):
        return
    type = op.result.type
    width = width_of(type)
    low, high = (0, 1 << width) if isinstance(op, arith.FPToUIOp) else (-(1 << width - 1), 1 << width - 1)
    whole = before.add(math.TruncOp(op.input))
    above = before.compare("oge", whole, before.constant(low, whole.type))
    below = before.compare("olt", whole, before.constant(high, whole.type))
    fits = before.add(arith.AndIOp(above, below))
    op.operands[0] = before.select(fits, whole, before.constant(0.0, whole.type))
    after = _after(op)
    unfit = after.add(arith.XOrIOp(fits, after.constant(1, IntegerType(1))))
    _choose(op, after, unfit, after.constant(-(1 << width - 1), type))


def _is_guarded(op: arith.FPToSIOp | arith.FPToUIOp) -> bool:
    """True if a float is brought into range as `pyfunc` does: |x| < 2**63 ? x : 0.0, as an i64."""
    choice = op.input.owner
    if not isinstance(op, arith.FPToSIOp) or op.result.type != i64 or not isinstance(choice, arith.SelectOp):
        return False
    test = choice.cond.owner
    if not isinstance(test, arith.CmpfOp) or arith.CMPF_COMPARISON_OPERATIONS[test.predicate.value.data] != "olt":
        return False
    magnitude = test.lhs.owner
    return (
        isinstance(magnitude, math.AbsFOp)
        and magnitude.operand is choice.lhs
        and constant_float(test.rhs) == 2.0**63
        and constant_float(choice.rhs) == 0.0
    )


def _loop(op: scf.ForOp, before: _Before) -> None:
    """for i = a to b step s  ->  for i = a to b step max(s, 1)"""
    if range_of(op.step)[0] < 1:
        op.operands[2] = before.add(arith.MaxSIOp(op.step, before.constant(1, op.step.type)))


# -- what replaces a result


def _after(op: Operation) -> _Before:
    following = op.next_op
    assert following is not None  # an operation with results ends no block
    return _Before(following, op)


def _choose(op: Any, after: _Before, condition: SSAValue, instead: SSAValue) -> None:
    """Puts `condition ? instead : result` in the place of the result of an operation."""
    result: SSAValue = op.result
    uses = list(result.uses)
    chosen = after.select(condition, instead, result)
    for use in uses:
        use.operation.operands[use.index] = chosen


def _replace(op: Any, value: SSAValue) -> None:
    op.result.replace_all_uses_with(value)
    op.detach()
    op.erase()


_RULES: Mapping[type[Operation], Callable[[Any, _Before], None]] = {
    tensor.ExtractOp: _element,
    tensor.InsertOp: _element,
    tensor.ExtractSliceOp: _slice,
    tensor.InsertSliceOp: _slice,
    tensor.EmptyOp: _empty,
    scf.ForOp: _loop,
    **dict.fromkeys((arith.DivSIOp, arith.RemSIOp, arith.FloorDivSIOp, arith.CeilDivSIOp), _signed_division),
    **dict.fromkeys((arith.DivUIOp, arith.RemUIOp, arith.CeilDivUIOp), _unsigned_division),
    **dict.fromkeys((arith.ShLIOp, arith.ShRUIOp, arith.ShRSIOp), _shift),
    **dict.fromkeys((arith.FPToSIOp, arith.FPToUIOp), _to_integer),
}
