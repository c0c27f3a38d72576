"""
Labelled data in files: NumPy's `.npz`, netCDF (`.nc`), zarr (a folder, `.zarr`), and tables (`.csv`), which are written only.

A file is written beside its place and renamed when it is complete, so that there is never half of one.
"""

from __future__ import annotations

import errno
import os
import shutil
import zipfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, cast

import numpy as np

from cogir.errors import CogirError, InputError, shown
from cogir.labelled.dataset import Array, Dataset
from cogir.labelled.extras import extra
from cogir.labelled.layout import HEADER, NoLayout, header_of, packed, unpacked
from cogir.labelled.to_dataframe import to_dataframe
from cogir.labelled.to_xarray import from_xarray, to_xarray

ATTRIBUTE = "attribute:"
"""The beginning of the names of attributes in an `.npz`."""


@dataclass(frozen=True)
class Format:
    """A format of files: how it is written, and how it is read."""

    write: Callable[[Dataset, Path], None]
    read: Callable[[Path], Dataset]
    modules: tuple[str, ...] = ()
    """The optional packages that it needs."""


def write_npz(dataset: Dataset, path: Path) -> None:
    """Arrays by plain names, which `numpy.load` reads, and attributes as arrays of one text or number."""
    held = packed(dataset)
    arrays = held.arrays | held.coordinates | {f"{ATTRIBUTE}{name}": np.array(value) for name, value in held.attributes.items()}
    with path.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)


def read_npz(path: Path) -> Dataset:
    """The data that `write_npz` wrote."""
    try:
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            if not isinstance(file, np.lib.npyio.NpzFile) or f"{ATTRIBUTE}{HEADER}" not in file:
                raise NoLayout("it was not written by cogir; give a file that `save` has written")
            held: dict[str, Array] = {name: file[name] for name in file.files}
    except (ValueError, EOFError, zipfile.BadZipFile) as error:
        raise _unreadable(error, ".npz file") from None
    attributes = {name.removeprefix(ATTRIBUTE): value.item() for name, value in held.items() if name.startswith(ATTRIBUTE)}
    return unpacked(header_of(attributes[HEADER]), held, attributes)


def write_netcdf(dataset: Dataset, path: Path) -> None:
    """A netCDF 4 file."""
    found: Any = to_xarray(dataset, "save")
    found.to_netcdf(path, engine="h5netcdf", encoding=_exact(found))


def read_netcdf(path: Path) -> Dataset:
    """The data that `write_netcdf` wrote."""
    module = extra("xarray", "load", "study")
    try:
        return from_xarray(module.load_dataset(path, engine="h5netcdf"))
    except (ValueError, OSError, KeyError) as error:
        raise _unreadable(error, "netCDF file") from None


def write_zarr(dataset: Dataset, path: Path) -> None:
    """A folder in zarr's format 2, which all readers of zarr know."""
    found: Any = to_xarray(dataset, "save")
    texts = {name: held.astype(object) for name, held in found.coords.items() if held.dtype.kind == "U"}
    found.assign_coords(texts).to_zarr(path, mode="w", zarr_format=2, consolidated=True, encoding=_exact(found))


def read_zarr(path: Path) -> Dataset:
    """The data that `write_zarr` wrote."""
    module = extra("xarray", "load", "study")
    try:
        return from_xarray(module.open_zarr(path, consolidated=True, chunks=None).load())
    except (ValueError, OSError, KeyError) as error:
        raise _unreadable(error, "zarr folder") from None


def write_csv(dataset: Dataset, path: Path) -> None:
    """The table of `to_dataframe`, with its index as the first columns; numbers as Python writes them, which keeps all bits."""
    table: Any = to_dataframe(dataset)
    table.to_csv(path, index=bool(dataset.axes), encoding="utf-8", lineterminator="\n")


def read_csv(path: Path) -> Dataset:
    """Refuses: a table has neither axes nor attributes."""
    raise NoLayout(
        "a .csv file has the table alone, without axes, units, flags and attributes; read it with pandas.read_csv, "
        "or save as .npz, .nc or .zarr"
    )


def _unreadable(error: Exception, kind: str) -> NoLayout:
    """The reason for which a file cannot be read."""
    return error if isinstance(error, NoLayout) else NoLayout(f"it is damaged, or no {kind}; give one that `save` has written")


def _exact(found: Any) -> dict[str, dict[str, Any]]:
    """The encodings of arrays: floats without a value that stands for missing ones."""
    return {name: {"_FillValue": None} for name, held in found.variables.items() if held.dtype.kind == "f"}


FORMATS = {
    ".npz": Format(write_npz, read_npz),
    ".nc": Format(write_netcdf, read_netcdf, ("xarray", "h5netcdf")),
    ".zarr": Format(write_zarr, read_zarr, ("xarray", "zarr")),
    ".csv": Format(write_csv, read_csv, ("pandas",)),
}


def _format_of(path: object, what: str) -> tuple[Path, Format]:
    """The path, and the format that its ending says; refuses what is no path, and formats whose packages are missing."""
    if not isinstance(path, str | PathLike):
        raise InputError(f'{what}: found {shown(path)} as a path; give one such as "study.nc"')
    place = Path(os.fsdecode(cast("str | PathLike[str]", path))).expanduser()
    found = FORMATS.get(place.suffix.lower())
    if found is None:
        endings = ".npz, .nc, .zarr or .csv" if what == "save" else ".npz, .nc or .zarr"
        raise InputError(f'{what}: "{place}" ends in "{place.suffix}"; give a name that ends in {endings}')
    for module in found.modules:
        extra(module, f"{what}: {place.suffix}", "study")
    return place, found


def save(dataset: Dataset, path: str | PathLike[str], *, overwrite: bool = False) -> None:
    """Writes the data to a file whose ending says the format."""
    place, form = _format_of(path, "save")
    if type(overwrite) is not bool:
        raise InputError(f"save: overwrite is {shown(overwrite)}; give True or False")
    if not place.parent.is_dir():
        raise InputError(f'save: there is no folder "{place.parent}"; make it first')
    if place.exists() and not overwrite:
        raise InputError(f'save: "{place}" exists; give another name, or overwrite=True')
    if place.is_dir() and not is_zarr(place):
        raise InputError(f'save: "{place}" is a folder and no zarr data; give another name')
    beside = place.with_name(f".{place.stem}.{os.getpid()}.{os.urandom(4).hex()}{place.suffix}")
    try:
        form.write(dataset, beside)
        _put(beside, place)
    except OSError as error:
        raise CogirError(f'save: "{place}" cannot be written: {_reason(error)}') from None
    finally:
        _remove(beside)


def load(path: str | PathLike[str]) -> Dataset:
    """The data of a file that `save` has written."""
    place, form = _format_of(path, "load")
    if not place.exists():
        raise InputError(f'load: there is no "{place}"')
    try:
        return form.read(place)
    except NoLayout as error:
        raise InputError(f'load: "{place}" cannot be read: {error}') from None
    except OSError as error:
        raise CogirError(f'load: "{place}" cannot be read: {_reason(error)}') from None


def is_zarr(path: Path) -> bool:
    """True if a folder holds data in a format of zarr, so that it may be replaced."""
    return any((path / name).exists() for name in (".zgroup", "zarr.json"))


def _put(new: Path, place: Path) -> None:
    """Moves what was written to its place; a folder that is there goes aside first."""
    if not place.is_dir():
        os.replace(new, place)
        return
    old = new.with_name(f"{new.name}.old")
    os.replace(place, old)
    try:
        os.replace(new, place)
    except BaseException:
        os.replace(old, place)
        raise
    _remove(old)


def _remove(path: Path) -> None:
    """Removes a file or folder, if it is there."""
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def _reason(error: OSError) -> str:
    """Why a file cannot be written or read, with the remedy."""
    remedies = {
        errno.ENOSPC: "no space is left on the disk; free some, or choose another folder",
        errno.EDQUOT: "the disk quota is used up; free some space, or choose another folder",
        errno.EACCES: "you may not use this folder or file; change its permissions, or choose another one",
        errno.EROFS: "the file system can only be read; choose another folder",
        errno.ENAMETOOLONG: "the name is too long; give a shorter one",
    }
    return remedies.get(error.errno or 0, error.strerror or str(error))
