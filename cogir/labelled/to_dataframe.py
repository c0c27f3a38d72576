"""
Labelled data as a pandas table: a row per trial, or a row per element.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cogir.labelled.dataset import Array, Dataset, element_names
from cogir.labelled.extras import extra

if TYPE_CHECKING:
    from pandas import DataFrame  # pyright: ignore[reportMissingTypeStubs]


def to_dataframe(dataset: Dataset, tidy: bool = False) -> DataFrame:
    """The variables as a table whose index is the shared axes; the places at which there was no trial are left out."""
    pandas = extra("pandas", "to_dataframe", "pandas")
    places, index = _index(dataset, pandas)
    along = _coordinates(dataset, places)
    return _tidy(dataset, pandas, places, along) if tidy else pandas.DataFrame(along | _wide(dataset, places), index=index)


def table_columns(dataset: Dataset) -> dict[str, Array]:
    """The columns of the table, those of its index first, without pandas."""
    places = _places(dataset)
    index = {axis.name: axis.index[place] for axis, place in zip(dataset.axes, places, strict=True)}
    return index | _coordinates(dataset, places) | _wide(dataset, places)


def _places(dataset: Dataset) -> tuple[Array, ...]:
    """The positions along each shared axis of all places at which there was a trial."""
    if not dataset.axes:
        return ()
    kept = dataset.kept()
    return np.nonzero(np.ones(dataset.extents, np.bool_) if kept is None else np.broadcast_to(kept, dataset.extents))


def _index(dataset: Dataset, pandas: Any) -> tuple[tuple[Array, ...], Any]:
    """The places, and the index of the table."""
    places = _places(dataset)
    marks = [axis.index[place] for axis, place in zip(dataset.axes, places, strict=True)]
    names = [axis.name for axis in dataset.axes]
    if not marks:
        return places, pandas.RangeIndex(1)
    return places, pandas.Index(marks[0], name=names[0]) if len(marks) == 1 else pandas.MultiIndex.from_arrays(marks, names=names)


def _coordinates(dataset: Dataset, places: tuple[Array, ...]) -> dict[str, Array]:
    """The coordinates of shared axes that are not in the index, as columns."""
    return {name: values[place] for axis, place in zip(dataset.axes, places, strict=True) for name, values in axis.others.items()}


def _elements(dataset: Dataset, places: tuple[Array, ...]) -> dict[tuple[str, str], Array]:
    """The column of each element, by the name of its variable and its own."""
    found: dict[tuple[str, str], Array] = {}
    for name, variable in dataset.variables.items():
        rows = dataset.over_all_axes(variable)[places] if places else variable.values[None]
        for index, heading in element_names(name, variable.axes[len(dataset.shared_axes(variable)) :]).items():
            found[name, heading] = rows[(slice(None), *index)]
    return found


def _wide(dataset: Dataset, places: tuple[Array, ...]) -> dict[str, Array]:
    return {heading: values for (_, heading), values in _elements(dataset, places).items()}


def _tidy(dataset: Dataset, pandas: Any, places: tuple[Array, ...], along: dict[str, Array]) -> DataFrame:
    """A row per element: the marks along the shared axes, the variable, the element, and its value."""
    columns = {axis.name: axis.index[place] for axis, place in zip(dataset.axes, places, strict=True)} | along
    elements = _elements(dataset, places)
    rows, count = (len(places[0]) if places else 1), len(elements)
    table = {name: np.tile(values, count) for name, values in columns.items()}
    table["output"] = np.repeat(np.array([name for name, _ in elements], np.object_), rows)
    marks = [heading.removeprefix(name).removeprefix("[").removesuffix("]").replace("][", ",") for name, heading in elements]
    table["element"] = np.repeat(np.array(marks, np.object_), rows)
    table["value"] = np.concatenate([*elements.values()]) if elements else np.empty(0)
    return pandas.DataFrame(table)
