"""
Numbers and shapes as users write them, turned into the arrays that the builder keeps.

A value is a NumPy array of float64, float32, int64 or bool; shape `()` is a scalar. Whole numbers become floats
(a rate of 1 is a rate of 1.0) except where a function's own default is a whole number or a flag.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from cogir.errors import ModelError, shown
from cogir.frontend.builder.source_location import SourceLocation, did_you_mean
from cogir.runtime.named_data import Named, without_names
from cogir.runtime.numbers import NotNumbers, as_numbers

Array: TypeAlias = npt.NDArray[Any]
Shape: TypeAlias = tuple[int, ...]

_DTYPES = (np.dtype(np.float64), np.dtype(np.float32), np.dtype(np.int64), np.dtype(np.bool_))


class ValueType(NamedTuple):
    """The shape and the NumPy dtype name of a value; `()` and `float64` is a plain number."""

    shape: Shape
    dtype: str = "float64"

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)

    def __str__(self) -> str:
        short = {"float64": "f64", "float32": "f32", "int64": "i64", "bool": "i1"}[self.dtype]
        return f"{'x'.join(map(str, (*self.shape, short)))}" if self.shape else short


def type_of(value: Array) -> ValueType:
    """The type of a kept value."""
    return ValueType(value.shape, value.dtype.name)


def as_shape(given: Any, what: str, place: SourceLocation) -> Shape:
    """A shape from `3` (a vector of three), `(2, 3)`, or `()` (a plain number)."""
    sizes: Sequence[Any] = cast(Sequence[Any], given) if isinstance(given, (tuple, list)) else (given,)
    try:
        shape = tuple(operator.index(size) for size in sizes)
    except TypeError:
        raise ModelError(
            f"{place}: {what}: {shown(given)} is not a shape; give a length such as 3, a shape such as (2, 3), or ()"
        ) from None
    if any(size < 1 for size in shape):
        raise ModelError(f"{place}: {what}: the shape {shown(given)} has no elements; every length must be at least 1")
    if math.prod(shape) >= 2**32:
        raise ModelError(f"{place}: {what}: a value of shape {shown(given)} does not fit into memory; give a smaller shape")
    return shape


def as_value(given: Any, what: str, place: SourceLocation, default: Any = None) -> Array:
    """
    The array kept for a number, list or array that the user gave.

    Where `default` (a function's own default) is a whole number or a flag, whole numbers and flags stay what they are.
    """
    if isinstance(given, (str, bytes)) or callable(given) or given is None:
        hinted = given is not None and default is not None
        hint = "annotate it `Static` in the function to make it a constant of the program" if hinted else ""
        raise ModelError(f"{place}: {what}: found {shown(given)}; give a number or an array of numbers{'; ' + hint if hint else ''}")
    try:
        array = np.asarray(without_names(given))
    except Named as reason:
        raise ModelError(f"{place}: {what}: {reason}") from None
    except ValueError:
        raise ModelError(
            f"{place}: {what}: the rows have different lengths; give an array with rows of one length, or several ports"
        ) from None
    if array.size == 0:
        raise ModelError(f"{place}: {what}: the array is empty; give at least one number")
    dtype = np.dtype(np.float64)
    if array.dtype in _DTYPES and array.dtype.kind == "f":
        dtype = array.dtype
    elif isinstance(default, (bool, int, np.integer)) and (array.dtype.kind in "iub" or isinstance(given, int)):
        dtype = np.dtype(np.bool_ if array.dtype.kind == "b" else np.int64)
    try:
        return np.array(as_numbers(array, dtype))
    except NotNumbers as reason:
        raise ModelError(f"{place}: {what}: {reason}; give a number or an array of numbers") from None


def as_number(given: Any, what: str, place: SourceLocation) -> float:
    """One number that is not NaN."""
    value = as_value(given, what, place)
    if value.size != 1 or np.isnan(value).any():
        raise ModelError(f"{place}: {what} is {shown(given)}; give one number")
    return float(value.item())


def _square(name: str, make: Callable[[int], Array]) -> Callable[[int, int], Array]:
    def matrix(rows: int, columns: int) -> Array:
        if rows != columns:
            raise ValueError(f'"{name}" needs as many rows as columns')
        return make(rows)

    return matrix


MATRICES: dict[str, Callable[[int, int], Array]] = {
    "identity": _square("identity", np.eye),
    "full": lambda rows, columns: np.ones((rows, columns)),
    "zeros": lambda rows, columns: np.zeros((rows, columns)),
    "hollow": _square("hollow", lambda n: 1.0 - np.eye(n)),
    "inverse_hollow": _square("inverse_hollow", lambda n: np.eye(n) - 1.0),
}
"""Matrices by keyword, as PsyNeuLink's: ones everywhere, ones (or minus ones) everywhere but on the diagonal ..."""


def as_matrix(given: Any, rows: int, columns: int, what: str, place: SourceLocation) -> Array | None:
    """
    The matrix of a projection from `rows` to `columns` elements; None stands for the identity.

    Without a matrix, equal lengths are joined by the identity and different ones by a full matrix of ones, as in PsyNeuLink.
    """
    if given is None:
        return None if rows == columns else np.ones((rows, columns))
    if isinstance(given, str):
        make = MATRICES.get(given.lower().removesuffix("_matrix"))
        if make is None:
            raise ModelError(f'{place}: {what}: there is no matrix "{given}"{did_you_mean(given, MATRICES)}')
        try:
            return make(rows, columns)
        except ValueError as error:
            raise ModelError(
                f"{place}: {what}: {error}, but it maps {rows} elements to {columns}; give a {rows}x{columns} matrix"
            ) from None
    matrix = as_value(given, f"{what}: matrix", place).astype(np.float64, copy=False)
    if matrix.ndim < 2 and matrix.size == rows * columns and 1 in (rows, columns):
        matrix = matrix.reshape(rows, columns)
    if matrix.shape != (rows, columns):
        found = "x".join(map(str, matrix.shape)) or "a number"
        raise ModelError(f"{place}: {what}: matrix is {found}, but it maps {rows} elements to {columns}; give a {rows}x{columns} matrix")
    return matrix
