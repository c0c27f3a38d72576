"""
Labelled data as an xarray Dataset, and back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from cogir.labelled.dataset import Array, Dataset
from cogir.labelled.extras import extra
from cogir.labelled.layout import HEADER, header_of, packed, unpacked
from cogir.labelled.traces import COUNTS, RECORDS

if TYPE_CHECKING:
    import xarray

LONG_NAME = "long_name"
"""The attribute that holds the name with its slashes."""
UNITS = "units"
SAMPLES = "sample_dimension"
"""CF's attribute of the counts of ragged arrays, which names the dimension of their records."""


def to_xarray(dataset: Dataset, what: str = "to_xarray") -> xarray.Dataset:
    """The data with named dimensions, coordinates, units and attributes; the arrays are not copied."""
    module = extra("xarray", what, "study")
    held = packed(dataset)
    records = {name.removeprefix(RECORDS): plain for plain, name in held.names.items() if name.startswith(RECORDS)}

    def variable(plain: str, values: Array) -> Any:
        attributes = {LONG_NAME: held.names[plain]} if held.names[plain] != plain else {}
        if plain in held.units:
            attributes[UNITS] = held.units[plain]
        if (name := held.names[plain]).startswith(COUNTS):
            attributes[SAMPLES] = held.dims[records[name.removeprefix(COUNTS)]][0]
        return module.Variable(held.dims[plain], values, attributes)

    return module.Dataset(
        {plain: variable(plain, values) for plain, values in held.arrays.items()},
        {plain: variable(plain, values) for plain, values in held.coordinates.items()},
        held.attributes,
    )


def from_xarray(dataset: xarray.Dataset) -> Dataset:
    """The data that `to_xarray` gave; raises `NoLayout` for anything else."""
    header = header_of(dataset.attrs.get(HEADER))
    arrays: dict[str, Array] = {str(name): _as_stored(cast(Any, held).values) for name, held in dataset.variables.items()}
    return unpacked(header, arrays, {str(name): value for name, value in dataset.attrs.items()})


def _as_stored(values: Array) -> Array:
    """Texts as NumPy's fixed-length ones, whichever form a file's reader has given them."""
    return values if values.dtype.kind in "biufU" else np.array(values.tolist(), np.str_).reshape(values.shape)
