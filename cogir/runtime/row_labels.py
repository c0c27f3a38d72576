"""
The labels of rows: the index of a Series or of a DataFrame of pandas, and coordinates of arrays of xarray.

Numbers are taken in their order. So labels that may say another order are refused, as names of elements and numbers that do not ascend, and
numbers that belong together by their place must have the same labels, as pandas and xarray would put them together by these.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

import numpy as np

from cogir.runtime.missing_values import is_missing

MOST_LABELS = 4
"""So many labels are shown in a message."""


def index_of(given: Any) -> Any:
    """The index of the rows of a Series or DataFrame of pandas; None for all else."""
    index = getattr(given, "index", None)
    return index if hasattr(index, "equals") and hasattr(index, "to_numpy") else None


def index_along(given: Any, dim: Any) -> Any:
    """The index along a dimension of an array of xarray; None if it has no coordinate."""
    return given.indexes.get(dim)


def is_count(index: Any) -> bool:
    """True for the labels 0, 1, 2 ..., which are the numbers of elements."""
    labels = index.to_numpy()
    return labels.dtype.kind in "iu" and np.array_equal(labels, np.arange(len(labels)))


def is_order(index: Any) -> bool:
    """
    True for labels that do not contradict the order: a single one, or numbers or dates that ascend, as those of some rows of a table do.

    The values have no part in this, so that the same labels are accepted whatever the numbers are.
    """
    labels = index.to_numpy()
    if len(labels) < 2:
        return True
    if has_texts(index):
        return False
    try:
        return bool((labels[:-1] < labels[1:]).all())
    except TypeError:  # labels that have no order, as the NA of pandas
        return False


def has_texts(index: Any) -> bool:
    """True if a label is a text, or has one as a part: names, which say what a row is."""
    labels = index.to_numpy()
    return labels.dtype.kind not in "iufbMm" and any(map(_has_text, labels))


def are_texts(index: Any) -> bool:
    """True for labels that all are texts."""
    return all(isinstance(label, str) for label in index)


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
        if other is index or other.equals(index):
            continue
        pairs = enumerate(zip(other, index, strict=True))
        place = next((place for place, (one, two) in pairs if not _is_same(one, two)), None)
        if place is not None:
            return (
                f'the rows of "{first}" and "{name}" have different labels (row {place} is {other[place]} and {index[place]}), so '
                "their order says nothing; put them into one DataFrame, which goes by the labels, or give values.to_numpy() for each to go "
                "by the order"
            )
    return None


def _has_text(label: Any) -> bool:
    return isinstance(label, str | bytes) or (isinstance(label, tuple) and any(map(_has_text, cast("tuple[Any, ...]", label))))


def _is_same(one: Any, two: Any) -> bool:
    """True for equal labels; missing ones are equal to each other, whatever they are made of, and to nothing else."""
    if one is two:
        return True
    if isinstance(one, tuple) and isinstance(two, tuple):
        ones, twos = cast("tuple[Any, ...]", one), cast("tuple[Any, ...]", two)
        return len(ones) == len(twos) and all(map(_is_same, ones, twos))
    if is_missing(one) or is_missing(two):
        return is_missing(one) and is_missing(two)
    return bool(one == two)
