"""
Data whose columns or axes have names: DataFrames, Series, structured arrays, and arrays of xarray.

Their numbers are taken by name (`runtime/columns.py`), or refused, but never by position. A DataFrame whose columns are called 0, 1, 2 ...,
and an array of xarray whose dimensions are called `dim_0`, `dim_1` ..., have no names.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from cogir.runtime.row_labels import index_along, index_of, is_order, labels_text

PLAIN: frozenset[type] = frozenset((float, int, bool, str, np.float64, np.int64, np.bool_))
"""The types of single values."""
MOST_SHOWN = 8
"""So many names of columns are shown in a message."""


class Named(ValueError):
    """Data have names or a mask that the place where they are given has no use for; the message is the reason, and the remedy."""


@dataclass(frozen=True, eq=False)
class NamedColumns:
    """Columns by the names that the user gave them, each (trials,), and the data that they come from in words."""

    by_name: Mapping[Any, Any]
    what: str

    @property
    def only(self) -> Any:
        """The only column; None if there are several."""
        return next(iter(self.by_name.values())) if len(self.by_name) == 1 else None


def kind_of(given: Any) -> str:
    """The kind of data in words: `DataFrame`, `structured array`, `DataArray`."""
    return "structured array" if isinstance(given, np.ndarray | np.void) else type(given).__name__


def is_plain_array(given: Any) -> bool:
    """True for an array of NumPy that has neither names nor a mask."""
    return type(given) is np.ndarray and given.dtype.names is None


def has_no_names(given: Any) -> bool:
    """True for lists, tuples, and arrays of NumPy that have neither names nor a mask: nothing about them itself is named."""
    return type(given) in (list, tuple) or is_plain_array(given)


def is_frame(given: Any) -> bool:
    """True for a DataFrame of pandas or polars, and for a table of Arrow."""
    return (hasattr(given, "columns") and hasattr(given, "to_numpy")) or (hasattr(given, "column_names") and hasattr(given, "to_pandas"))


def is_series(given: Any) -> bool:
    """True for a column of a DataFrame."""
    return hasattr(given, "to_numpy") and not hasattr(given, "columns") and not hasattr(given, "dims")


def is_labelled(given: Any) -> bool:
    """True for an array of xarray."""
    return hasattr(given, "dims") and hasattr(given, "coords") and hasattr(given, "to_numpy")


def is_dataset(given: Any) -> bool:
    """True for a Dataset of xarray."""
    return hasattr(given, "data_vars") and hasattr(given, "coords")


def is_records(given: Any) -> bool:
    """True for an array whose elements are records with named fields, and for a record."""
    return isinstance(given, np.ndarray | np.void) and cast("np.ndarray[Any, Any]", given).dtype.names is not None


def is_sparse(given: Any) -> bool:
    """True for a sparse matrix of SciPy."""
    return hasattr(given, "toarray") and hasattr(given, "nnz")


def is_masked(given: object) -> bool:
    """True if this is a masked array; where nobody has loaded `numpy.ma`, which takes longer than a short run, there are none."""
    masked = sys.modules.get("numpy.ma")
    return masked is not None and isinstance(given, masked.MaskedArray)


def columns_in(given: Any, *, with_missing: bool = False) -> NamedColumns | None:
    """
    The columns of a table; None for what is no table. Raises `Named` if two of them have one name, if elements are masked, or if values are
    missing, unless these are wanted (`with_missing`).
    """
    if isinstance(given, NamedColumns):
        return given
    if is_masked(given) and is_records(given):
        raise Named(masked_text())
    if is_records(given):
        records: Any = np.atleast_1d(given)
        return NamedColumns({name: records[name] for name in records.dtype.names}, "structured array")
    if not is_frame(given):
        return None
    names = list(given.columns if hasattr(given, "to_numpy") else given.column_names)
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise Named(f'found a {kind_of(given)} with two columns called "{twice}"; leave one of them out')
    columns = {name: given[name] for name in names}
    for name, column in columns.items():
        if not with_missing and (reason := missing_text(column)) is not None:
            raise Named(f'column "{name}" of the {kind_of(given)}: {reason}')
    return NamedColumns({name: column.to_numpy() for name, column in columns.items()}, kind_of(given))


def without_names(given: Any) -> Any:
    """
    What was given, if it has no names that would be lost; matrices of SciPy as arrays.

    Raises `Named` for a table with names for its columns, for an array of xarray with names for several dimensions, for labels of rows that
    are texts or do not ascend, for missing values and a masked array, and for a list of such.
    """
    if type(given) in PLAIN or is_plain_array(given):
        return given
    if type(given) in (list, tuple):
        return _without_names_inside(given)
    if is_masked(given):
        raise Named(masked_text())
    if is_sparse(given):
        return given.toarray()
    if is_labelled(given):
        if given.ndim > 1 and not are_default(given.dims):
            names = ", ".join(map(str, given.dims))
            raise Named(
                f"found a {kind_of(given)} with dimensions ({names}), whose names say nothing here; give an array: values.to_numpy()"
            )
        for dim in given.dims:
            _check_order(given, index_along(given, dim))
        return given.to_numpy()
    if isinstance(given, NamedColumns) or is_records(given) or is_frame(given):
        columns = columns_in(given)
        assert columns is not None
        if len(columns.by_name) > 1 and list(columns.by_name) != list(range(len(columns.by_name))):
            names = ", ".join(map(str, list(columns.by_name)[:MOST_SHOWN])) + (" ..." if len(columns.by_name) > MOST_SHOWN else "")
            remedy = "numpy.lib.recfunctions.structured_to_unstructured(values)" if is_records(given) else "values.to_numpy()"
            raise Named(
                f"found a {columns.what} with columns called {names}, whose names say nothing here; give an array with its columns in the "
                f"right order: {remedy}"
            )
        _check_order(given, index_of(given))
        return np.stack(list(columns.by_name.values()), axis=-1) if columns.by_name else np.empty(0)
    if (reason := missing_text(given)) is not None:
        raise Named(reason)
    _check_order(given, index_of(given))
    return given


def without_row_labels(given: Any) -> Any:
    """
    A column whose rows are trials or points, which go by their order, as an array; all else as it is. Raises `Named` if values are missing.
    """
    if is_series(given):
        if (reason := missing_text(given)) is not None:
            raise Named(reason)
        return given.to_numpy()
    return given.to_numpy() if is_labelled(given) and given.ndim == 1 else given


def _check_order(given: Any, index: Any) -> None:
    """Refuses numbers whose rows have labels that say another order."""
    if index is not None and not is_order(index):
        raise Named(
            f"found a {kind_of(given)} whose rows are called {labels_text(index)}, and these labels say nothing here; give an array with "
            "its numbers in the right order: values.to_numpy()"
        )


def masked_text() -> str:
    return "found a masked array; give values for its masked elements: values.filled(...)"


def missing_text(given: Any) -> str | None:
    """
    The reason why a column cannot be numbers, and the remedy, if values are missing in it that are not NaN: the NA of pandas, and the null
    of polars and Arrow. They become NaN where NumPy reads them. None for all else.
    """
    nulls = getattr(given, "null_count", 0)
    if nulls() if callable(nulls) else nulls:
        return f"found a {kind_of(given)} with missing values (null); give numbers for them: values.fill_null(...)"
    if type(getattr(getattr(given, "dtype", None), "na_value", None)).__name__ != "NAType":
        return None
    missing = np.flatnonzero(np.asarray(given.isna()))
    if not len(missing):
        return None
    return f"found a {kind_of(given)} with missing values (NA, first in row {missing[0]}); give numbers for them: values.fillna(...)"


def _without_names_inside(given: list[Any] | tuple[Any, ...]) -> Any:
    """A list whose items have no names."""
    return given if PLAIN.issuperset(map(type, given)) else [without_names(item) for item in given]


def are_default(dims: Iterable[Any]) -> bool:
    """True for the names that xarray gives to dimensions without any."""
    return all(name == f"dim_{place}" for place, name in enumerate(dims))
