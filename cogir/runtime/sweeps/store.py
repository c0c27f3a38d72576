"""
Sweeps that can be resumed: what is finished stands in a folder in zarr's format, by blocks of points.

    compiled.sweep(points, ..., store="study.zarr")      # what is in the store is not computed again

A store holds one sweep: of this model, these points, inputs, parameters, seed and reductions. A block is written before it is marked as
done, so an interruption at any time loses the blocks that were not. One process writes: the one that called `sweep`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from cogir.errors import CogirError, InputError
from cogir.labelled.extras import extra
from cogir.runtime.interrupt import without_interruption
from cogir.runtime.sweeps.collected import Collected
from cogir.runtime.sweeps.job import SweepJob

FORMAT = 1
MOST_BLOCKS = 4096
"""Each block is a file of each array."""
IDENTITY, BLOCK = "cogir_sweep", "block"
DONE = "done"


class Store:
    """The folder of a sweep."""

    def __init__(self, path: str | os.PathLike[str], job: SweepJob, identity: dict[str, str]):
        """
        Opens a store, or makes one. `identity`: digests of all that results depend on, by what they are of.

        Raises `InputError` for a folder that is the store of another sweep or something else, `CogirError` without zarr.
        """
        self.zarr: Any = extra("zarr", "sweep: store", "study")
        self.path = Path(path)
        self.job = job
        if self.path.suffix != ".zarr":
            raise InputError(f"sweep: store is {str(self.path)!r}; give the name of a folder that ends in .zarr")
        if not self.path.parent.is_dir():
            raise InputError(f"sweep: store: there is no folder {str(self.path.parent)!r}; make it first")
        if not self.path.exists():
            without_interruption(lambda: self.make(identity))
        self.group = without_interruption(lambda: self.opened(identity))
        self.block = int(self.group.attrs[BLOCK])

    def make(self, identity: dict[str, str]) -> None:
        """Makes the folder. It gets its name at the end, so that after an interruption it is a store or is not there."""
        block = -(-self.job.points.count // MOST_BLOCKS)
        with TemporaryDirectory(prefix=f".{self.path.name}.", dir=self.path.parent, ignore_cleanup_errors=True) as folder:
            made = Path(folder, self.path.name)
            group = self.zarr.open_group(str(made), mode="w-")
            group.create_array(DONE, shape=(-(-self.job.points.count // block),), chunks=(1,), dtype="int8", fill_value=0)
            group.attrs.update({"format": FORMAT, BLOCK: block, IDENTITY: identity})
            made.rename(self.path)

    def opened(self, identity: dict[str, str]) -> Any:
        """The group of a store that is there, if it is that of this sweep."""
        try:
            group = self.zarr.open_group(str(self.path), mode="r+")
            held = dict(group.attrs)
        except Exception as error:
            raise InputError(f"sweep: {str(self.path)!r} is not a store of a sweep ({error}); give another name") from None
        if IDENTITY not in held or DONE not in group:
            raise InputError(f"sweep: {str(self.path)!r} is not a store of a sweep; give another name")
        if held.get("format") != FORMAT:
            raise InputError(
                f"sweep: {str(self.path)!r} has format {held.get('format')}, but this version of cogir writes {FORMAT}; give another name"
            )
        differing = [what for what in identity if held[IDENTITY].get(what) != identity[what]]
        if differing:
            raise InputError(
                f"sweep: {str(self.path)!r} holds another sweep: other {', '.join(differing)}; give another name, or remove the folder"
            )
        return group

    def load(self, collected: Collected) -> list[tuple[int, int]]:
        """Takes what there is, and returns the ranges of points that are not there."""
        held: dict[str, Any] = without_interruption(lambda: dict(self.group.arrays()))
        done = self.part(held.pop(DONE), 0, None).astype(bool)
        for is_done, first, last in self.runs(done):
            if is_done:
                collected.put(first, last, {unescaped(name): self.part(array, first, last) for name, array in held.items()})
        return [(first, last) for is_done, first, last in self.runs(done) if not is_done]

    def part(self, array: Any, first: int, last: int | None) -> np.ndarray[Any, Any]:
        """A range of a stored array."""
        return without_interruption(lambda: np.asarray(array[first:last]))

    def runs(self, done: np.ndarray[Any, Any]) -> Iterator[tuple[bool, int, int]]:
        """Neighbouring blocks that are done, or not, as ranges of points."""
        at = 0
        for is_done, blocks in groupby(done.tolist()):
            count = len(list(blocks))
            yield bool(is_done), at * self.block, min(self.job.points.count, (at + count) * self.block)
            at += count

    def save(self, first: int, last: int, arrays: dict[str, Any]) -> None:
        """
        Writes whole blocks, from the point `first` to before `last`.

        Raises `CogirError` if the disk is full; what was written before stays.
        """
        without_interruption(lambda: self.write(first, last, arrays))

    def write(self, first: int, last: int, arrays: dict[str, Any]) -> None:
        """Does the work of `save`."""
        try:
            for name, values in arrays.items():
                key = escaped(name)
                if key not in self.group:
                    shape = (self.job.points.count, *values.shape[1:])
                    self.group.create_array(key, shape=shape, chunks=(self.block, *values.shape[1:]), dtype=values.dtype)
                self.group[key][first:last] = values
            self.group[DONE][first // self.block : -(-last // self.block)] = 1
        except OSError as error:
            raise CogirError(
                f"sweep: store {str(self.path)!r}: points {first} to {last - 1} cannot be written ({error.strerror or error}); make room "
                "and call sweep again, which goes on after what is stored"
            ) from None


def escaped(name: str) -> str:
    """A name without slashes, which zarr takes for folders."""
    return name.replace("%", "%25").replace("/", "%2F")


def unescaped(name: str) -> str:
    """The name that `escaped` has changed."""
    return name.replace("%2F", "/").replace("%25", "%")
