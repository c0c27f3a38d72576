"""
Sweeps that can be resumed: what is finished stands in a folder in zarr's format, by blocks of points.

    compiled.sweep(points, ..., store="study.zarr")      # what is in the store is not computed again

A store holds one sweep: of this model, these points, inputs, parameters, state, seed, options and reductions. The chunks of a block are on
the disk before their checksums are, which say that it is done. So an interruption at any time, of the process or of the machine, loses the
blocks that were not; and what is marked as done is there, bit for bit, or an error names the chunk that is not. Processes that write to one
store at the same time write the same bits.
"""

from __future__ import annotations

import ctypes
import os
import socket
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from cogir.errors import CogirError, InputError
from cogir.labelled.extras import extra
from cogir.runtime.interrupt import without_interruption
from cogir.runtime.sweeps.collected import Collected
from cogir.runtime.sweeps.job import SweepJob

FORMAT = 4
MOST_BLOCKS = 4096
"""Each block is a file of each array."""
CONTEXT = "context"
"""The part of an identity that stands in it as it is, not as a digest: the context, whose name chooses the random numbers."""
IDENTITY, BLOCK = "cogir_sweep", "block"
DONE, ARRAYS = "done", "arrays"
"""
The array (blocks, arrays) of checksums, 0 for a block that is not done, and its attribute with the names of the arrays and the checksums of
the files that describe them.
"""
CHECKED = "checked"
"""The attribute with a checksum of that one."""
DESCRIBES = "zarr.json"
"""The file in the folder of each array that describes it."""
MOST_FILES = 16
"""More files than that are put on the disk by one call for the whole file system."""
PARTIAL_SECONDS = 3600.0
"""A file that a killed process has left half-written is removed after so long, and a folder if its process cannot be asked for."""


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
        without_interruption(self.clean)
        if not self.path.exists():
            without_interruption(lambda: self.make(identity))
        self.group = without_interruption(lambda: self.opened(identity))
        self.block = self.group.attrs[BLOCK]

    def make(self, identity: dict[str, str]) -> None:
        """
        Makes the folder. It gets its name at the end, so that after an interruption it is a store or is not there. If another process has
        made one meanwhile, that is taken.
        """
        block = -(-self.job.points.count // MOST_BLOCKS)
        mark = f".{self.path.name}.{owner_of(os.getpid())}."
        with TemporaryDirectory(prefix=mark, dir=self.path.parent, ignore_cleanup_errors=True) as folder:
            made = Path(folder, self.path.name)
            group = self.zarr.open_group(str(made), mode="w-")
            group.attrs.update({"format": FORMAT, BLOCK: block, IDENTITY: identity})
            put_on_disk(path for path in made.rglob("*") if path.is_file())
            try:
                made.rename(self.path)
            except OSError:
                if not self.path.is_dir():
                    raise
            put_on_disk([self.path])

    def clean(self) -> None:
        """Removes what processes have left that were killed: folders that never became a store, and files that were half written."""
        for folder in self.path.parent.glob(f".{self.path.name}.*"):
            owner, _, pid = folder.name.removeprefix(f".{self.path.name}.").rpartition(".")[0].rpartition("-")
            if not pid.isdigit():
                continue
            is_dead = owner_of(int(pid)) == f"{owner}-{pid}" and not is_alive(int(pid))
            with suppress(OSError):
                if is_dead or time.time() - folder.stat().st_mtime > PARTIAL_SECONDS:
                    rmtree(folder, ignore_errors=True)
        for file in self.path.rglob("*.partial"):
            with suppress(OSError):
                if time.time() - file.stat().st_mtime > PARTIAL_SECONDS:
                    file.unlink()

    def opened(self, identity: dict[str, str]) -> Any:
        """The group of a store that is there, if it is that of this sweep."""
        try:
            group = self.zarr.open_group(str(self.path), mode="r+")
            held = dict(group.attrs)
        except Exception as error:
            raise InputError(f"sweep: {str(self.path)!r} is not a store of a sweep ({error}); give another name") from None
        if not isinstance(held.get(IDENTITY), dict):
            raise InputError(f"sweep: {str(self.path)!r} is not a store of a sweep; give another name")
        if held.get("format") != FORMAT:
            raise InputError(
                f"sweep: {str(self.path)!r} has format {held.get('format')}, but this version of cogir writes {FORMAT}; give another name"
            )
        differing = [what for what in {**identity, **held[IDENTITY]} if held[IDENTITY].get(what) != identity.get(what)]
        if differing:
            contexts = f"context ({held[IDENTITY].get(CONTEXT)}, and this call is in {identity.get(CONTEXT)})"
            differing = [contexts if what == CONTEXT else what for what in differing]
            raise InputError(
                f"sweep: {str(self.path)!r} holds another sweep: other {', '.join(differing)}; give another name, or remove the folder"
            )
        if held.get(BLOCK) != -(-self.job.points.count // MOST_BLOCKS):
            raise self.without(self.path / DESCRIBES, "is not what was written")
        return group

    def load(self, collected: Collected) -> list[tuple[int, int]]:
        """
        Takes what there is, and returns the ranges of points that are not there.

        Raises `CogirError` for a chunk that is missing or damaged, and names it.
        """
        found = without_interruption(self.checksums)
        if found is None:
            return [(0, self.job.points.count)]
        names, sums = found
        done = np.asarray(sums.all(axis=1))
        for is_done, first, last in self.runs(done):
            if is_done:
                arrays = {name: self.part(name, first, last, sums[:, place]) for place, name in enumerate(names)}
                collected.put(first, last, {unescaped(name): values for name, values in arrays.items()})
        return [(first, last) for is_done, first, last in self.runs(done) if not is_done]

    def checksums(self) -> tuple[list[str], np.ndarray[Any, Any]] | None:
        """The names of the arrays, and the checksums of their blocks; None if nothing was ever written."""
        is_begun = any(self.path.glob("*/c.*"))  # before it is asked for marks, as another process may write now
        if not (self.path / DONE / DESCRIBES).exists():
            if is_begun:
                raise self.without(self.path / DONE / DESCRIBES, "is missing")
            return None
        names = self.names()
        return names, self.read(DONE, 0, None)

    def names(self) -> list[str]:
        """The names of the arrays, all of which are described as they were when they were made."""
        done, held = self.array(DONE), dict(self.array(DONE).attrs)
        shape = (-(-self.job.points.count // self.block), len(held.get(ARRAYS) or ()))
        is_right = done.shape == shape and done.chunks == (1, shape[1]) and done.dtype == np.int64 and done.fill_value == 0
        if not is_right or held.get(CHECKED) != checked_names(held[ARRAYS]):
            raise self.without(self.path / DONE / DESCRIBES, "is not what was written")
        for name, described in held[ARRAYS]:
            self.array(name)
            if zlib.crc32((self.path / name / DESCRIBES).read_bytes()) != described:
                raise self.without(self.path / name / DESCRIBES, "is not what was written")
        return [name for name, _ in held[ARRAYS]]

    def array(self, name: str) -> Any:
        """An array of the store. Raises `CogirError` if the file that describes it is missing or cannot be read."""
        file = self.path / name / DESCRIBES
        try:
            return self.group[name]
        except Exception:  # of zarr, and of what reads JSON
            raise self.without(file, "cannot be read" if file.exists() else "is missing") from None

    def without(self, file: Path, what: str) -> CogirError:
        """The error about a file without which nothing can be read."""
        return CogirError(
            f"sweep: store {str(self.path)!r}: the file {str(file.relative_to(self.path))!r} {what}; put it back, or remove the folder "
            f"{str(self.path)!r} and call sweep again, which then computes all points"
        )

    def part(self, name: str, first: int, last: int, sums: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """A range of a stored array, whole blocks, all of which are what was written."""
        blocks = range(first // self.block, -(-last // self.block))
        for block in blocks:
            if not self.chunk(name, block).is_file():
                raise self.damaged(name, block, "is missing")
        values = without_interruption(lambda: self.read(name, first, last))
        for block in blocks:
            begin = block * self.block - first
            if checksum(values[begin : begin + self.block]) != sums[block]:
                raise self.damaged(name, block, "is not what was written")
        return values

    def read(self, name: str, first: int, last: int | None) -> np.ndarray[Any, Any]:
        """A range of a stored array. Raises `CogirError` for a chunk that cannot be read."""
        array = self.array(name)
        try:
            return np.asarray(array[first:last])
        except Exception as error:  # of zarr, and of what unpacks chunks
            size = 1 if name == DONE else self.block
            for block in range(first // size, -(-(last or array.shape[0]) // size)):
                try:
                    np.asarray(array[block * size : (block + 1) * size])
                except Exception:
                    raise self.damaged(name, block, "cannot be read") from None
            raise CogirError(f"sweep: store {str(self.path)!r}: {unescaped(name)} cannot be read ({error})") from None

    def damaged(self, name: str, block: int, what: str) -> CogirError:
        """The error about a chunk."""
        first, last = block * self.block, min(self.job.points.count, (block + 1) * self.block)
        points = f"point {first}" if last - first == 1 else f"points {first} to {last - 1}"
        return CogirError(
            f"sweep: store {str(self.path)!r}: {points}: the file {str(self.chunk(name, block).relative_to(self.path))!r} {what}; put it "
            f"back, or remove {str(self.chunk(DONE, block))!r} and call sweep again, which then computes {points}"
        )

    def chunk(self, name: str, block: int) -> Path:
        """The file of a block of an array."""
        array = self.array(name)
        key: str = array.metadata.encode_chunk_key((block, *[0] * (array.ndim - 1)))
        return self.path / name / key

    def runs(self, done: np.ndarray[Any, Any]) -> Iterator[tuple[bool, int, int]]:
        """Neighbouring blocks that are done, or not, as ranges of points."""
        at = 0
        for is_done, blocks in groupby(done.tolist()):
            count = len(list(blocks))
            yield bool(is_done), at * self.block, min(self.job.points.count, (at + count) * self.block)
            at += count

    def save(self, first: int, last: int, arrays: dict[str, Any]) -> None:
        """
        Writes whole blocks, from the point `first` to before `last`; when it returns, they are on the disk.

        Raises `CogirError` if the disk is full; what was written before stays.
        """
        with self.zarr.config.set({"array.write_empty_chunks": True}):  # so that no chunk is missing
            without_interruption(lambda: self.write(first, last, arrays))

    def write(self, first: int, last: int, arrays: dict[str, Any]) -> None:
        """Does the work of `save`."""
        held = {escaped(name): np.ascontiguousarray(values) for name, values in arrays.items()}
        blocks = range(first // self.block, -(-last // self.block))
        try:
            if not (self.path / DONE / DESCRIBES).exists():
                self.make_arrays(held)
            for name, values in held.items():
                self.array(name)[first:last] = values
            put_on_disk(self.chunk(name, block) for name in held for block in blocks)
            sums = [[checksum(values[at : at + self.block]) for values in held.values()] for at in range(0, last - first, self.block)]
            done = self.array(DONE)
            order = [list(held).index(name) for name, _ in done.attrs[ARRAYS]]
            done[blocks.start : blocks.stop] = np.array(sums, np.int64)[:, order]
            put_on_disk(self.chunk(DONE, block) for block in blocks)
        except OSError as error:
            raise CogirError(
                f"sweep: store {str(self.path)!r}: points {first} to {last - 1} cannot be written ({error.strerror or error}); make room "
                "and call sweep again, which goes on after what is stored"
            ) from None

    def make_arrays(self, held: dict[str, np.ndarray[Any, Any]]) -> None:
        """Makes the arrays of the store, and at last that of the checksums; another process may do the same."""
        count = self.job.points.count
        keys = {"name": "default", "separator": "."}  # all chunks of an array are in one folder

        def make(name: str, **made: Any) -> None:
            if not (self.path / name / DESCRIBES).exists():
                with suppress(self.zarr.errors.ContainsArrayError):
                    self.group.create_array(name, **made, chunk_key_encoding=keys)

        for name, values in held.items():
            make(name, shape=(count, *values.shape[1:]), chunks=(self.block, *values.shape[1:]), dtype=values.dtype)
        names = list(held)
        shape = (-(-count // self.block), len(names))
        described = [[name, zlib.crc32((self.path / name / DESCRIBES).read_bytes())] for name in names]
        attributes = {ARRAYS: described, CHECKED: checked_names(described)}
        make(DONE, shape=shape, chunks=(1, len(names)), dtype="int64", fill_value=0, attributes=attributes)
        put_on_disk(self.path / name / DESCRIBES for name in (*names, DONE))
        put_on_disk(self.path / name for name in (*names, DONE))


def checksum(values: np.ndarray[Any, Any]) -> int:
    """A number that tells whether a block is what was written; never 0."""
    return zlib.crc32(np.ascontiguousarray(values).data.cast("B") if values.size else b"") + 1


def checked_names(named: object) -> int:
    """A number that tells whether the names of arrays, with what describes them, are those that were written."""
    return zlib.crc32(repr(named).encode())


def put_on_disk(paths: Iterable[Path]) -> None:
    """Waits until files, and the folders that name them, are on the disk."""
    files = list(paths)
    if not files:
        return
    if len(files) > MOST_FILES and (sync := getattr(ctypes.CDLL(None, use_errno=True), "syncfs", None)) is not None:
        opened(files[0].parent, lambda handle: check(sync(handle)))
        return
    for path in (*files, *{path.parent for path in files}):
        opened(path, os.fsync)


def opened(path: Path, use: Callable[[int], object]) -> None:
    """Uses a file or folder, opened for it."""
    handle = os.open(path, os.O_RDONLY)
    try:
        use(handle)
    finally:
        os.close(handle)


def check(status: int) -> None:
    """Raises the error of a call of the C library, if it failed."""
    if status:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def owner_of(pid: int) -> str:
    """A process of this machine, in the names of folders: containers may share disks and names, but not the numbers of processes."""
    return f"{socket.gethostname()}.{zlib.crc32(boot_and_namespace().encode()):08x}-{pid}"


def boot_and_namespace() -> str:
    """What tells this machine, since it was started, and the processes that can see each other; empty where the system does not say."""
    with suppress(OSError):
        return Path("/proc/sys/kernel/random/boot_id").read_text() + os.readlink("/proc/self/ns/pid")
    return ""


def is_alive(pid: int) -> bool:
    """True if a process of this machine has not ended."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def escaped(name: str) -> str:
    """A name without slashes, which zarr takes for folders."""
    return name.replace("%", "%25").replace("/", "%2F")


def unescaped(name: str) -> str:
    """The name that `escaped` has changed."""
    return name.replace("%2F", "/").replace("%25", "%")
