"""
Columns of data as arrays in which one thing stands for what is missing: NaN.

Tables have many: None, NaN, NaT, the NA of pandas, and the masks of masked arrays and of nullable columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from cogir.errors import InputError, shown
from cogir.labelled.names import path_of
from cogir.runtime.missing_values import is_missing
from cogir.runtime.named_data import Named, columns_in, is_labelled, is_masked, is_series
from cogir.runtime.numbers import NotNumbers, as_numbers
from cogir.runtime.row_labels import differing, index_along, index_of

Array: TypeAlias = npt.NDArray[Any]
Floats: TypeAlias = npt.NDArray[np.float64]


def columns_of(data: Any) -> dict[str, Array]:
    """
    The columns of a DataFrame, a structured array or a dict by name. Raises `InputError` for what is none of these, and for two columns of
    one name.
    """
    try:
        table = columns_in(data, with_missing=True)
    except Named as reason:
        raise InputError(f"data: {reason}") from None
    if table is not None:
        pairs = [(str(name), values) for name, values in table.by_name.items()]
    elif isinstance(data, Mapping):
        pairs = [(path_of(name), values) for name, values in cast("Mapping[Any, Any]", data).items()]
        if (reason := differing((name, index_of_rows(values)) for name, values in pairs)) is not None:
            raise InputError(f"data: {reason}")
    else:
        raise InputError(f"data: found {shown(data)}; give a pandas DataFrame with a row per trial, or a dict from names to arrays")
    names = [name for name, _ in pairs]
    if twice := [name for name in names if names.count(name) > 1]:
        raise InputError(f'data: two columns are called "{twice[0]}"; give each a name of its own')
    return {name: column_of(name, values) for name, values in pairs}


def index_of_rows(values: Any) -> Any:
    """The labels of the rows of a Series, or of an array of xarray, whose first dimension they lie along; None if there are none."""
    if is_labelled(values):
        return index_along(values, values.dims[0]) if values.ndim else None
    return index_of(values) if is_series(values) else None


def column_of(name: str, given: Any) -> Array:
    """
    A column as an array (rows, ...): numbers and texts as they are, and NaN for what is missing, among objects where that is no number. A
    column (rows, 1), as results of runs have, is (rows,).

    Raises `InputError` for what is no column.
    """
    held = given.to_numpy() if hasattr(given, "to_numpy") else given
    mask: Array | None = np.ma.getmaskarray(held) if is_masked(held) else None
    try:
        column: Array = np.asarray(held)
    except Exception as reason:  # rows of different lengths, or what an object of another package raises
        raise InputError(f'data: column "{name}": found {shown(given)}, which is no array ({reason}); give one value per trial') from None
    if column.ndim == 0:
        raise InputError(f'data: column "{name}": found {shown(given)}; give one value per trial')
    if mask is None and column.dtype.kind in "mM":
        mask = np.isnat(column)
    if mask is not None and mask.any():
        column = column.astype(np.float64 if column.dtype.kind == "f" else object)
        column[mask] = np.nan
    if column.dtype == object:
        column = column.copy()
        flat = column.reshape(-1)
        flat[[is_missing(item) for item in flat.tolist()]] = np.nan
    return column.reshape(len(column)) if column.ndim > 1 and column.size == len(column) else column


def missing_rows(column: Array) -> npt.NDArray[np.bool_]:
    """True for the rows of a column of `column_of` in which something is missing."""
    rows = column.reshape(len(column), -1)
    if rows.dtype == object:
        return np.array([any(is_missing(item) for item in row) for row in rows.tolist()], np.bool_)
    return np.asarray(np.isnan(rows).any(axis=1)) if rows.dtype.kind == "f" else np.zeros(len(rows), np.bool_)


def numbers_of(what: str, given: Any, wanted: str) -> Floats:
    """What a user gives or returns as floats. Raises `InputError` for what are no numbers; `wanted`: the remedy."""
    try:
        return as_numbers(given).astype(np.float64, copy=False)
    except NotNumbers as reason:
        raise InputError(f"{what}: {reason}; {wanted}") from None
