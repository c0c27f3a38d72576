"""
Checks arrays and numbers of a module that is to be run, as far as constants and types tell.

- values are floats, integers of at most 64 bits, indices, generator states, or arrays of numbers with a fixed shape;
- constant indices lie within their array, slices and reshaped arrays too; sizes and strides of slices are constants;
- a `linalg` operation reads and writes within its operands;
- constant divisors are not 0, constant shifts are below the width, constant steps of loops above 0.

```mlir
%x = tensor.extract %v[%c7] : tensor<4xf64>      // refused: index 7 is out of range for an axis of 4 elements
```

An index that is computed at run time is brought into range by `transforms/remove_undefined_behaviour.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NoReturn, cast

from xdsl.dialects import arith, linalg, scf, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    IntegerType,
    TensorType,
    f32,
    f64,
)
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap

from cogir.dialects.cog.ports import PlacedVerifyException
from cogir.interpreters.arith import width_of
from cogir.irutils import constant_int, element_type_of, shape_of
from cogir.limits import LARGEST_ARRAY

DIVISIONS = (
    arith.DivSIOp,
    arith.DivUIOp,
    arith.RemSIOp,
    arith.RemUIOp,
    arith.FloorDivSIOp,
    arith.CeilDivSIOp,
    arith.CeilDivUIOp,
)
SHIFTS = (arith.ShLIOp, arith.ShRUIOp, arith.ShRSIOp)
_NUMBERS: tuple[Attribute, ...] = (f64, f32, IndexType(), *(IntegerType(width) for width in (64, 1, 32, 16, 8)))
_BUILT_IN = ("cog", "rng")
"""Dialects whose operations check the types of their values themselves."""


def verify_arrays(op: Operation) -> None:
    """Raises VerifyException if an operation leaves an array, or is undefined for its constants."""
    if op.name.partition(".")[0] not in _BUILT_IN:
        for value in (*op.results, *(argument for region in op.regions for block in region.blocks for argument in block.args)):
            if (reason := _refusal(value.type)) is not None:
                _refuse(op, reason)
    if (check := _CHECKS.get(type(op))) is not None:
        check(op)
    elif isinstance(op, LinalgStructuredOperation):
        _structured(op)
    elif op.name.startswith("linalg.") and not isinstance(op, linalg.ops.IndexOp | linalg.ops.YieldOp):
        _refuse(op, "this operation is not supported in models; write it as linalg.generic")


def exact_int(value: SSAValue) -> int | None:
    """The integer that a value is known to hold: a constant, or one that was cast to or from `index`."""
    while isinstance(value.owner, arith.IndexCastOp):
        value = value.owner.input
    return constant_int(value)


def slice_extents(op: tensor.ExtractSliceOp | tensor.InsertSliceOp) -> list[tuple[int, int, int]]:
    """
    For each axis the static offset (DYNAMIC_INDEX where it is computed), how many elements the slice spans from its first to its last,
    and the extent of the array.
    """
    array = op.source if isinstance(op, tensor.ExtractSliceOp) else op.dest
    offsets, sizes, strides = (each.get_values() for each in (op.static_offsets, op.static_sizes, op.static_strides))
    spans = ((size - 1) * stride + 1 for size, stride in zip(sizes, strides, strict=True))
    return list(zip(offsets, spans, shape_of(array.type), strict=True))


# -- types


@lru_cache(maxsize=4096)
def _refusal(type: Attribute) -> str | None:
    """The fault of a type of values; None if a model can hold them."""
    if isinstance(type, TensorType):
        type = cast("TensorType[Attribute]", type)
        shape = shape_of(type)
        if any(extent <= 0 for extent in shape):
            return f"a value has type {type}; give every dimension a fixed size of at least 1"
        if (size := math.prod(shape)) > LARGEST_ARRAY:
            return f"a value has type {type}, {size} elements; an array of a model has at most {LARGEST_ARRAY}"
        return None if _is_number(element_type_of(type)) else _strange(type)
    return None if _is_number(type) or type.name.partition(".")[0] in _BUILT_IN else _strange(type)


def _strange(type: Attribute) -> str:
    return f"a value has type {type}; values of a model are f64, f32, i64, i1 (i32, i16, i8), index, or tensors of these"


def _is_number(type: Attribute) -> bool:
    return type in _NUMBERS


# -- arrays


def _element(op: tensor.ExtractOp | tensor.InsertOp) -> None:
    array = op.tensor if isinstance(op, tensor.ExtractOp) else op.dest
    shape = shape_of(array.type)
    if len(op.indices) != len(shape):
        given = f"{len(op.indices)} {'index' if len(op.indices) == 1 else 'indices'}"
        _refuse(op, f"{given} for an array of type {array.type}; give {len(shape)}, one for each axis")
    scalar = op.result.type if isinstance(op, tensor.ExtractOp) else op.scalar.type
    if scalar != element_type_of(array.type) or (isinstance(op, tensor.InsertOp) and op.result.type != array.type):
        _refuse(op, f"the types of the operands and the result do not match the type of the array, {array.type}")
    for index, extent in zip(op.indices, shape, strict=True):
        position = exact_int(index)
        if position is not None and not 0 <= position < extent:
            _refuse(op, f"index {position} is out of range for an axis of {extent} elements; give 0 to {extent - 1}")


def _slice(op: tensor.ExtractSliceOp | tensor.InsertSliceOp) -> None:
    array, part = (op.source, op.result) if isinstance(op, tensor.ExtractSliceOp) else (op.dest, op.source)
    sizes, strides = op.static_sizes.get_values(), op.static_strides.get_values()
    ranks = {len(shape_of(array.type)), len(sizes), len(strides), len(op.static_offsets.get_values())}
    if len(ranks) > 1:
        _refuse(op, f"give an offset, a size and a stride for each axis of {array.type}")
    if DYNAMIC_INDEX in (*sizes, *strides):
        _refuse(op, "sizes and strides must be constants, since shapes are fixed; only offsets may be computed")
    if any(size < 1 for size in sizes) or any(stride < 1 for stride in strides):
        _refuse(op, f"sizes are {list(sizes)} and strides are {list(strides)}; they must be at least 1")
    kept = iter(sizes)
    fits = all(any(size == extent for size in kept) for extent in shape_of(part.type))
    if not fits or math.prod(shape_of(part.type)) != math.prod(sizes) or element_type_of(part.type) != element_type_of(array.type):
        _refuse(op, f"a slice of {array.type} with sizes {list(sizes)} cannot have type {part.type}")
    if isinstance(op, tensor.InsertSliceOp) and op.result.type != array.type:
        _refuse(op, f"gives {op.result.type} for an array of type {array.type}; make them the same")
    for offset, span, extent in slice_extents(op):
        if span > extent or (offset != DYNAMIC_INDEX and not 0 <= offset <= extent - span):
            start = "" if offset == DYNAMIC_INDEX else f" from {offset} on"
            _refuse(op, f"a slice that spans {span} elements{start} is out of range for an axis of {extent} elements")


def _reshape(op: Operation) -> None:
    given, wanted = op.operands[0].type, op.results[0].type
    if math.prod(shape_of(given)) != math.prod(shape_of(wanted)) or element_type_of(given) != element_type_of(wanted):
        _refuse(op, f"{given} and {wanted} differ in element type or in number of elements; make them the same")


def _from_elements(op: tensor.FromElementsOp) -> None:
    if len(op.elements) != math.prod(shape_of(op.result.type)):
        _refuse(op, f"{len(op.elements)} elements for {op.result.type}; give one for each element of the array")


def _dim(op: tensor.DimOp) -> None:
    axis, rank = exact_int(op.index), len(shape_of(op.source.type))
    if axis is None or not 0 <= axis < rank:
        found = "is computed" if axis is None else f"is {axis}"
        _refuse(op, f"the axis {found}; give a constant from 0 to {rank - 1}")


def _concat(op: tensor.ConcatOp) -> None:
    axis, result = op.dim.value.data, shape_of(op.result.type)
    shapes = [shape_of(value.type) for value in op.inputs]
    agree = all(len(shape) == len(result) and _without(shape, axis) == _without(result, axis) for shape in shapes)
    if not (0 <= axis < len(result) and agree and sum(shape[axis] for shape in shapes) == result[axis]):
        _refuse(op, f"the operands, joined along axis {axis}, do not have the result type {op.result.type}")


def _without(shape: Sequence[int], axis: int) -> tuple[int, ...]:
    return (*shape[:axis], *shape[axis + 1 :])


def _structured(op: LinalgStructuredOperation) -> None:
    try:
        maps = [attribute.data for attribute in op.get_indexing_maps()]
        loops = len(op.get_iterator_types())
    except (NotImplementedError, ValueError, IndexError) as error:
        _refuse(op, f"its indexing maps are not known ({error}); write it as linalg.generic")
    outputs = [value.type for value in op.outputs]
    if len(maps) != len(op.operands) or any(map.num_dims != loops or map.num_symbols for map in maps):
        _refuse(op, f"give an indexing map over the {loops} loops for each of the {len(op.operands)} operands")
    if [result.type for result in op.results] != outputs:
        _refuse(op, "the types of the results differ from the types of the outputs; make them the same")
    block = op.body.block
    elements = [element_type_of(value.type) for value in op.operands]
    yielded = [] if block.last_op is None else [value.type for value in block.last_op.operands]
    if list(block.arg_types) != elements or yielded != elements[len(op.inputs) :]:
        _refuse(op, "its body must take one element of each operand and yield one element of each output")
    extents = _extents(op, maps, loops)
    for map, operand in zip(maps, op.operands, strict=True):
        _within(op, map, operand, extents)
    for inner in block.walk():
        if isinstance(inner, linalg.ops.IndexOp) and not 0 <= inner.dim.value.data < loops:
            _refuse(inner, f"there is no loop {inner.dim.value.data}; {op.name} has {loops} loops, counted from 0")


def _extents(op: LinalgStructuredOperation, maps: Sequence[AffineMap], loops: int) -> list[int]:
    """The number of iterations of each loop; refuses a loop for which operands disagree, or none tells."""
    found: list[int | None] = [None] * loops
    for map, operand in zip(maps, op.operands, strict=True):
        shape = shape_of(operand.type)
        if len(shape) != len(map.results):
            _refuse(op, f"an indexing map with {len(map.results)} results for an operand of type {operand.type}")
        for expr, extent in zip(map.results, shape, strict=True):
            if isinstance(expr, AffineDimExpr):
                if found[expr.position] not in (None, extent):
                    _refuse(op, f"loop d{expr.position} runs over an axis of {found[expr.position]} and one of {extent} elements")
                found[expr.position] = extent
    if None in found:
        _refuse(op, f"no operand is indexed by loop d{found.index(None)} alone, so its extent is unknown; add an operand that is")
    return cast("list[int]", found)


def _within(op: LinalgStructuredOperation, map: AffineMap, operand: SSAValue, extents: Sequence[int]) -> None:
    for expr, extent in zip(map.results, shape_of(operand.type), strict=True):
        try:
            low, high = _bounds(expr, extents)
        except ZeroDivisionError:
            _refuse(op, f"the index {expr} divides by a number below 1; give a positive divisor")
        if low < 0 or high >= extent:
            _refuse(op, f"the index {expr} goes from {low} to {high}, out of range for an axis of {extent} elements")


def _bounds(expr: AffineExpr, extents: Sequence[int]) -> tuple[int, int]:
    """The least and the greatest value of an index expression; raises ZeroDivisionError for divisors that are not positive."""
    match expr:
        case AffineDimExpr():
            return 0, extents[expr.position] - 1
        case AffineConstantExpr():
            return expr.value, expr.value
        case AffineBinaryOpExpr():
            return _BINARY[expr.kind](_bounds(expr.lhs, extents), _bounds(expr.rhs, extents))
        case _:
            raise ZeroDivisionError


def _positive(divisor: tuple[int, int]) -> tuple[int, int]:
    if divisor[0] < 1:
        raise ZeroDivisionError
    return divisor


_Bounds = tuple[int, int]


def _quotients(divide: Callable[[int, int], int]) -> Callable[[_Bounds, _Bounds], _Bounds]:
    def of(a: _Bounds, b: _Bounds) -> _Bounds:
        found = [divide(x, y) for x in a for y in _positive(b)]
        return min(found), max(found)

    return of


def _products(a: _Bounds, b: _Bounds) -> _Bounds:
    found = [x * y for x in a for y in b]
    return min(found), max(found)


_BINARY: Mapping[AffineBinaryOpKind, Callable[[_Bounds, _Bounds], _Bounds]] = {
    AffineBinaryOpKind.Add: lambda a, b: (a[0] + b[0], a[1] + b[1]),
    AffineBinaryOpKind.Mul: _products,
    AffineBinaryOpKind.Mod: lambda a, b: (0, _positive(b)[1] - 1),
    AffineBinaryOpKind.FloorDiv: _quotients(lambda x, y: x // y),
    AffineBinaryOpKind.CeilDiv: _quotients(lambda x, y: -(-x // y)),
}


# -- numbers


def _scalar(op: Any) -> None:
    if isinstance(op.result.type, TensorType):
        _refuse(op, "the operands are arrays, but only numbers are supported; write the operation in the body of a linalg.generic")


def _division(op: Any) -> None:
    _scalar(op)
    if exact_int(op.rhs) == 0:
        _refuse(op, "divides by 0; give another divisor")


def _shift(op: Any) -> None:
    _scalar(op)
    width = width_of(op.result.type)
    by = exact_int(op.rhs)
    if by is not None and not 0 <= by < width:
        _refuse(op, f"shifts a number of {width} bits by {by}; give 0 to {width - 1}")


def _loop(op: scf.ForOp) -> None:
    step = exact_int(op.step)
    if step is not None and step < 1:
        _refuse(op, f"the step is {step}; it must be at least 1")


def _refuse(op: Operation, message: str) -> NoReturn:
    raise PlacedVerifyException(op, f"{op.name}: {message}")


_CHECKS: Mapping[type[Operation], Callable[[Any], None]] = {
    tensor.ExtractOp: _element,
    tensor.InsertOp: _element,
    tensor.ExtractSliceOp: _slice,
    tensor.InsertSliceOp: _slice,
    tensor.CastOp: _reshape,
    tensor.ReshapeOp: _reshape,
    tensor.ExpandShapeOp: _reshape,
    tensor.CollapseShapeOp: _reshape,
    tensor.FromElementsOp: _from_elements,
    tensor.ConcatOp: _concat,
    tensor.DimOp: _dim,
    scf.ForOp: _loop,
    **dict.fromkeys(DIVISIONS, _division),
    **dict.fromkeys(SHIFTS, _shift),
}
