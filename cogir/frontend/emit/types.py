"""
Types of values, as the builder keeps them and as the IR has them.
"""

from __future__ import annotations

from functools import lru_cache

from xdsl.dialects.builtin import TensorType, f32, f64, i1, i64
from xdsl.ir import Attribute

from cogir.frontend.builder.values import ValueType
from cogir.irutils import dtype_of, element_type_of, shape_of

_ELEMENTS: dict[str, Attribute] = {"float64": f64, "float32": f32, "int64": i64, "bool": i1}


@lru_cache(maxsize=4096)
def ir_type(kept: ValueType) -> Attribute:
    """The IR type of a value."""
    element = _ELEMENTS[kept.dtype]
    return TensorType(element, kept.shape) if kept.shape else element


def value_type(type: Attribute) -> ValueType:
    """The shape and dtype of values of an IR type."""
    return ValueType(shape_of(type), dtype_of(element_type_of(type)).name)
