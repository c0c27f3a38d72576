"""
The layout of labelled data in files and in xarray: arrays by plain names, and a header that tells all else.

    packed(dataset)     names without slashes, one array for each variable and coordinate, and the header
    unpacked(...)       the same dataset again

xarray, netCDF and zarr treat a slash in a name as a folder (zarr then loses the array), so `decision/value` becomes `decision.value`; the
header keeps the names, their order, which axes are shared, and what is JSON among the attributes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from cogir.labelled.dataset import Array, Axis, Dataset, Variable

FORMAT = 1
"""The number of the layout; readers refuse higher ones."""
HEADER = "cogir_layout"
"""The attribute, or the array, that holds the header."""


@dataclass
class Packed:
    """Arrays by plain names, with their dimensions, units and full names, and attributes that are texts and numbers."""

    arrays: dict[str, Array] = field(default_factory=dict[str, Array])
    coordinates: dict[str, Array] = field(default_factory=dict[str, Array])
    dims: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """The dimensions of arrays and coordinates."""
    units: dict[str, str] = field(default_factory=dict[str, str])
    names: dict[str, str] = field(default_factory=dict[str, str])
    """The full names of arrays and coordinates."""
    attributes: dict[str, Any] = field(default_factory=dict[str, Any])


class NoLayout(ValueError):
    """The header is not one that this version reads; the message says why."""


class _Names:
    """Plain names that differ from one another."""

    def __init__(self) -> None:
        self.taken: set[str] = set()

    def new(self, name: str) -> str:
        """A name without slashes and control characters that was not given before."""
        plain = "".join(letter if letter.isprintable() else "_" for letter in name.replace("/", ".")).strip() or "_"
        plain = f"_{plain}" if plain.startswith((".", "__")) else plain
        found, count = plain, 2
        while found in self.taken:
            found, count = f"{plain}_{count}", count + 1
        self.taken.add(found)
        return found


class _Axes:
    """The axes of a dataset by plain names; axes of one name with different coordinates get different ones."""

    def __init__(self, names: _Names):
        self.names = names
        self.held: list[tuple[Axis, str]] = []

    def name_of(self, axis: Axis) -> str:
        """The plain name of an axis."""
        for other, name in self.held:
            if axis is other or same_axis(axis, other):
                return name
        self.held.append((axis, self.names.new(axis.name)))
        return self.held[-1][1]


def same_axis(one: Axis, other: Axis) -> bool:
    """True if two axes have the same name, coordinates and units."""
    return (
        one.name == other.name
        and one.size == other.size
        and dict(one.units) == dict(other.units)
        and one.coordinates.keys() == other.coordinates.keys()
        and all(_same_values(values, other.coordinates[name]) for name, values in one.coordinates.items())
    )


def _same_values(one: Array, other: Array) -> bool:
    return one.dtype == other.dtype and np.array_equal(one, other, equal_nan=one.dtype.kind == "f")


def _variables(dataset: Dataset) -> Iterator[tuple[str, Variable]]:
    yield from dataset.variables.items()
    yield from dataset.beside.items()


def packed(dataset: Dataset) -> Packed:
    """The dataset as arrays with plain names, and the header among the attributes."""
    found, names = Packed(), _Names()
    axes = _Axes(names)
    shared = [axes.name_of(axis) for axis in dataset.axes]
    for _, variable in _variables(dataset):
        for axis in variable.axes:
            axes.name_of(axis)
    header: dict[str, Any] = {"format": FORMAT, "kind": dataset.kind, "shared": shared, "axes": {}, "variables": {}, "beside": {}}
    for axis, dim in axes.held:
        coordinates: dict[str, str] = {}
        for name, values in axis.coordinates.items():
            plain = coordinates[name] = dim if name == axis.name else names.new(name)
            found.coordinates[plain], found.dims[plain], found.names[plain] = values, (dim,), name
            if name in axis.units:
                found.units[plain] = axis.units[name]
        header["axes"][dim] = {"name": axis.name, "size": axis.size, "coordinates": coordinates, "units": dict(axis.units)}
    for part, variables in (("variables", dataset.variables), ("beside", dataset.beside)):
        for name, variable in variables.items():
            plain = names.new(name)
            dims = tuple(axes.name_of(axis) for axis in variable.axes)
            found.arrays[plain], found.dims[plain], found.names[plain] = variable.values, dims, name
            if variable.unit is not None:
                found.units[plain] = variable.unit
            header[part][plain] = {"name": name, "axes": dims, "unit": variable.unit}
    plain_values = {name: value for name, value in dataset.attributes.items() if isinstance(value, str) or type(value) in (int, float)}
    others = {name: json.dumps(value) for name, value in dataset.attributes.items() if name not in plain_values}
    header["attributes"] = list(dataset.attributes)
    header["json"] = list(others)
    found.attributes = {name: (plain_values | others)[name] for name in dataset.attributes} | {HEADER: json.dumps(header)}
    return found


def header_of(text: object) -> dict[str, Any]:
    """The header from its text; raises `NoLayout` if this version cannot read it."""
    try:
        header = json.loads(cast("str", text))
        number = int(header["format"])
    except (LookupError, TypeError, ValueError):
        raise NoLayout("it was not written by cogir; give a file that `save` has written") from None
    if number > FORMAT:
        raise NoLayout(f"it has format {number}, and this version of cogir reads up to {FORMAT}; update cogir")
    return header


def unpacked(header: Mapping[str, Any], arrays: Mapping[str, Array], attributes: Mapping[str, Any]) -> Dataset:
    """The dataset of a header, of arrays and coordinates by plain names, and of attributes as `packed` gives them."""
    axes: dict[str, Axis] = {
        dim: Axis(held["name"], held["size"], {name: arrays[plain] for name, plain in held["coordinates"].items()}, held["units"])
        for dim, held in header["axes"].items()
    }

    def variables(part: str) -> dict[str, Variable]:
        return {
            held["name"]: Variable(arrays[plain], tuple(axes[dim] for dim in held["axes"]), held["unit"])
            for plain, held in header[part].items()
        }

    encoded = set(header["json"])
    given: dict[str, Any] = {name: cast(Any, held).item() if isinstance(held, np.generic) else held for name, held in attributes.items()}
    kept = {name: json.loads(given[name]) if name in encoded else given[name] for name in header["attributes"]}
    return Dataset(header["kind"], tuple(axes[dim] for dim in header["shared"]), variables("variables"), variables("beside"), kept)
