"""
Operations on the values that nodes send: modulation, sums and products, matrices, conversion to the type of a port.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute

from cogir.dialects import cog
from cogir.interpreters.cog_state import Value
from cogir.irutils import dtype_of, element_type_of, shape_of

Acting: TypeAlias = "tuple[cog.Modulation, Value]"
"""A modulation with the value that acts."""

Outside: TypeAlias = "Mapping[str, Sequence[Acting]]"
"""The modulations that act on a model's parameters from outside of it, by "node/param"."""


def modulated(default: Value, acting: Sequence[Acting], type: Attribute) -> Value:
    """`default * product of the multipliers + sum of the addends`, or what overrides it; all in the parameter's type."""
    values = {mode: [as_type(value, type) for kind, value in acting if kind == mode] for mode in cog.Modulation}
    if overriding := values[cog.Modulation.OVERRIDE]:
        return overriding[-1]
    value = default
    if multipliers := values[cog.Modulation.MULTIPLY]:
        value = joined([value, joined(multipliers, type, "product")], type, "product")
    if addends := values[cog.Modulation.ADD]:
        value = joined([value, joined(addends, type, "sum")], type, "sum")
    return value


@np.errstate(all="ignore")
def joined(values: Sequence[Value], type: Attribute, how: str) -> Value:
    """The sum or product of values of one type, from left to right, in that type's arithmetic."""
    dtype = dtype_of(element_type_of(type))
    total = np.asarray(values[0], dtype)
    for value in values[1:]:
        total = total * np.asarray(value, dtype) if how == "product" else total + np.asarray(value, dtype)
    return as_type(total, type)


@np.errstate(all="ignore")
def times_matrix(sender: Value, matrix: np.ndarray[Any, Any]) -> Value:
    """`sender @ matrix`, each sum from the first row to the last."""
    vector = np.atleast_1d(np.asarray(sender, dtype=matrix.dtype))
    total = np.zeros(matrix.shape[1], dtype=matrix.dtype)
    for element, row in zip(vector, matrix, strict=True):
        total = total + element * row
    return total


def as_type(value: Any, type: Attribute) -> Any:
    """A value in the form of a type: of one element as a number, else as an array of its shape; a number fills an array."""
    array = np.asarray(value, dtype=dtype_of(element_type_of(type)))
    shape = shape_of(type)
    if not isinstance(type, TensorType):
        return array.item()
    return np.broadcast_to(array, shape) if array.ndim == 0 else array.reshape(shape)
