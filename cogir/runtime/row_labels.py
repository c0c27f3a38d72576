"""
The labels of rows: the index of a Series or of a DataFrame of pandas, and coordinates of arrays of xarray.

Numbers are taken in their order. So labels that say another order, as the names of elements do, are refused, and numbers that belong
together by their place must have the same labels, as pandas and xarray would put them together by these.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

MOST_LABELS = 4
"""So many labels are shown in a message."""


def index_of(given: Any) -> Any:
    """The index of the rows of a Series or DataFrame of pandas; None for all else."""
    index = getattr(given, "index", None)
    return index if hasattr(index, "equals") and hasattr(index, "to_numpy") else None


def index_along(given: Any, dim: Any) -> Any:
    """The index along a dimension of an array of xarray; None if it has no coordinate."""
    return given.indexes.get(dim)


def is_order(index: Any, values: Any = ()) -> bool:
    """True for labels that say no more than the order of the values: 0, 1, 2 ..., or the values themselves."""
    labels = index.to_numpy()
    if labels.dtype.kind in "iu" and np.array_equal(labels, np.arange(len(labels))):
        return True
    return labels.dtype.kind in "iuf" and np.array_equal(labels, np.asarray(values).reshape(-1))


def are_numbers(index: Any) -> bool:
    """True for labels that are numbers of rows, as those of a part of a table are."""
    return index.to_numpy().dtype.kind in "iu"


def labels_text(index: Any) -> str:
    """Some labels in a message."""
    return ", ".join(map(str, index[:MOST_LABELS])) + (" ..." if len(index) > MOST_LABELS else "")


def differing(given: Iterable[tuple[str, Any]]) -> str | None:
    """
    The reason why some values are not rows of the same things: two of them are equally many, and have different labels; None if there are
    no such. `given`: names, and the index of each or None.
    """
    seen: dict[int, tuple[str, Any]] = {}
    for name, index in given:
        if index is None:
            continue
        first, other = seen.setdefault(len(index), (name, index))
        if other is not index and not other.equals(index):
            places = np.flatnonzero(np.array([one != two for one, two in zip(other, index, strict=True)], np.bool_))
            place = int(places[0]) if len(places) else 0
            return (
                f'the rows of "{first}" and "{name}" have different labels (row {place} is {other[place]} and {index[place]}), so '
                "their order says nothing; put them into one DataFrame, which goes by the labels, or give values.to_numpy() for each to go "
                "by the order"
            )
    return None
