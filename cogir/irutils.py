"""
Small helpers over xDSL's IR that every floor may use: constants, dense attributes as NumPy arrays, element types.

Nothing here knows a dialect of cogir.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt
from xdsl import builder as xdsl_builder
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    BytesAttr,
    DenseIntOrFPElementsAttr,
    Float32Type,
    Float64Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    TensorType,
    VectorType,
)
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from cogir.errors import LoweringError

Array: TypeAlias = npt.NDArray[Any]


_plain_post_init = Operation.__post_init__


def _post_init(self: Operation) -> None:
    """
    What follows the making of an operation: it goes into the block that this thread builds implicitly, as named operations of linalg do for
    their bodies.

    xDSL puts this into the class when a thread begins such a block, and takes it out when it ends. All threads share the class, so where
    two compile at once, operations were inserted twice or not at all. Here it stays.
    """
    _plain_post_init(self)
    builder: Any = xdsl_builder._current_builder.builder  # pyright: ignore[reportPrivateUsage]
    if builder is not None:
        builder.insert(self)


Operation.__post_init__ = _post_init
xdsl_builder._override_operation_post_init = lambda: _post_init  # pyright: ignore[reportPrivateUsage]

_INDEX = IndexType()

_DTYPES: dict[Attribute, np.dtype[Any]] = {
    Float64Type(): np.dtype(np.float64),
    Float32Type(): np.dtype(np.float32),
    IndexType(): np.dtype(np.int64),
    IntegerType(64): np.dtype(np.int64),
    IntegerType(32): np.dtype(np.int32),
    IntegerType(16): np.dtype(np.int16),
    IntegerType(8): np.dtype(np.int8),
    IntegerType(1): np.dtype(np.bool_),
}


def dtype_of(element_type: Attribute) -> np.dtype[Any]:
    """The NumPy dtype that holds values of `element_type` (f64, f32, i64, i32, i16, i8, i1, index)."""
    try:
        return _DTYPES[element_type]
    except KeyError:
        raise LoweringError(f"values of type {element_type} have no NumPy dtype; use one of {', '.join(map(str, _DTYPES))}") from None


def shape_of(type: Attribute) -> tuple[int, ...]:
    """The static shape of a tensor or memref type; a scalar has shape ()."""
    if isinstance(type, TensorType | MemRefType):
        return cast("TensorType[Attribute] | MemRefType[Attribute]", type).get_shape()
    return ()


def element_type_of(type: Attribute) -> Attribute:
    """The type of the elements of a tensor, memref or vector; a scalar is its own element."""
    if isinstance(type, VectorType):
        return cast("VectorType[Attribute]", type).element_type
    if isinstance(type, TensorType | MemRefType):
        return cast("TensorType[Attribute] | MemRefType[Attribute]", type).get_element_type()
    return type


def is_float(value_type: Attribute) -> bool:
    """True if the elements of this type are floating-point numbers."""
    return isinstance(element_type_of(value_type), Float64Type | Float32Type)


def size_of(type: Attribute) -> int:
    """The number of elements of a value of `type`, whose shape is static."""
    return math.prod(shape_of(type))


def array_of_dense(attr: DenseIntOrFPElementsAttr) -> Array:
    """The elements of a dense attribute as an array of its shape, which must not be written to."""
    element_type: Attribute = attr.get_element_type()
    if element_type == IntegerType(1):
        flat: Array = np.frombuffer(attr.data.data, dtype=np.int8) != 0
    else:
        flat = np.frombuffer(attr.data.data, dtype=dtype_of(element_type))
    return flat.reshape(attr.get_shape())


def dense_of_array(array: Array, element_type: Attribute | None = None) -> DenseIntOrFPElementsAttr:
    """A dense attribute of tensor type with the elements of `array`, without a detour over Python numbers."""
    if element_type is None:
        element_type = next(type for type, dtype in _DTYPES.items() if dtype == array.dtype and type != IndexType())
    held = np.ascontiguousarray(array, dtype=dtype_of(element_type))
    return DenseIntOrFPElementsAttr(
        cast(Any, TensorType(element_type, array.shape)),
        # xDSL stores a true i1 as -1, as it normalises integers to their signed range.
        BytesAttr((-held.astype(np.int8) if held.dtype == np.bool_ else held).tobytes()),
    )


def index_constant(value: int) -> arith.ConstantOp:
    """`arith.constant value : index`, built without the checks of the public constructors (it is built often)."""
    return arith.ConstantOp.create(result_types=[_INDEX], properties={"value": integer_attribute(value, _INDEX)})


@lru_cache(1024)
def integer_attribute(value: int, type: IntegerType | IndexType) -> IntegerAttr[Any]:
    """`value : type`; one attribute for all that ask, as it takes long to make."""
    return IntegerAttr(value, type)


def constant_int(value: SSAValue) -> int | None:
    """The integer that an SSA value holds when it is the result of an integer `arith.constant`, else None."""
    owner = value.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, IntegerAttr):
        return cast("IntegerAttr[Any]", owner.value).value.data
    return None


def constant_float(value: SSAValue) -> float | None:
    """The number that an SSA value holds when it is the result of an `arith.constant` of a float, else None."""
    owner = value.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, FloatAttr):
        return cast("FloatAttr[Any]", owner.value).value.data
    return None


def replace_by(op: Operation, results: Sequence[SSAValue]) -> None:
    """Erases an operation, in the place of whose results others stand from now on, under the same names."""
    for old, new in zip(op.results, results, strict=True):
        new.name_hint = old.name_hint
        old.replace_all_uses_with(new)
    op.detach()
    op.erase()


def row_major_strides(shape: Sequence[int]) -> tuple[int, ...]:
    """The strides of a row-major array of this shape, in elements."""
    strides: list[int] = []
    step = 1
    for extent in reversed(shape):
        strides.append(step)
        step *= extent
    return tuple(reversed(strides))


def iteration_extents(op: LinalgStructuredOperation, shapes: Sequence[tuple[int, ...]] | None = None) -> tuple[int, ...]:
    """
    The number of iterations of each loop of a linalg operation: the extent of an axis that an operand indexes by that loop alone.

    `shapes`: those of the operands when it runs, in the place of those of their types.

    Raises `LoweringError` if no operand tells the extent of a loop, or the shape is dynamic.
    """
    maps = [attr.data for attr in op.get_indexing_maps()]
    extents: list[int | None] = [None] * maps[0].num_dims
    for shape, map in zip(shapes or [shape_of(operand.type) for operand in op.operands], maps, strict=True):
        for expr, extent in zip(map.results, shape, strict=True):
            if isinstance(expr, AffineDimExpr):
                extents[expr.position] = extent
    known = [extent for extent in extents if extent is not None and extent >= 0]
    if len(known) != len(extents):
        raise LoweringError(
            f"{op.name}: no operand of static shape is indexed by loop d{extents.index(None) if None in extents else 0} "
            "alone, so its extent is unknown; add an operand that is"
        )
    return tuple(known)


def projected_dims(map: AffineMap) -> tuple[int, ...] | None:
    """The loops that the results of an indexing map pick, when each result is one loop alone, else None."""
    if all(isinstance(expr, AffineDimExpr) for expr in map.results):
        return tuple(cast(AffineDimExpr, expr).position for expr in map.results)
    return None
