"""
Compiled objects on disk, so that a model is compiled once and not once per process.

```python
cache = open_cache()
key = cache_key(text_of_the_model, options)
entry = cache.get(key)
if entry is None:
    entry = Entry(code=compile_to_object(...), metadata={"symbols": ["run"]})
    cache.put(key, entry)
```

The folder is `$COGIR_CACHE_DIR`, else the user's cache folder of the platform. Machine code is run as it is found, so
the folder must belong to the user and be closed to everybody else. Entries are written beside and renamed, carry a
checksum, and are thrown away when they are damaged: any number of processes may read, write and be killed meanwhile.
When entries take more than the limit, those not used for longest go.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

import numpy as np

from cogir.backend.llvm import Target, host, versions
from cogir.errors import CacheError

PACKAGE = os.path.dirname(os.path.dirname(__file__))
"""The folder of the whole package, whose sources decide what code comes out."""
FOLDER_VARIABLE = "COGIR_CACHE_DIR"
DEFAULT_LIMIT = 512 * 1024 * 1024
_MAGIC = b"cogir object 1\n"
_DIGEST_SIZE = hashlib.sha256().digest_size
_SUFFIX = ".cogir"
_MARK = ".mark"
_TEMPORARY = ".writing-"
_TEMPORARY_AGE = 3600.0
"""A file that a writer left behind so many seconds ago was left for good: the writer was killed."""


@dataclass(frozen=True)
class Entry:
    """An object file, and what is needed beside it (as JSON): symbols, the layout of the buffers ..."""

    code: bytes
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])


def default_folder() -> Path:
    """The folder of the cache: `$COGIR_CACHE_DIR`, else the platform's folder for a user's caches."""
    try:
        if chosen := os.environ.get(FOLDER_VARIABLE):
            return Path(chosen).expanduser()
        home = Path.home()
    except RuntimeError:
        raise CacheError(f"object cache: no folder, as this user has no home folder; set {FOLDER_VARIABLE} to a folder") from None
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "cogir"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local")) / "cogir" / "Cache"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "cogir"


def open_cache(*, limit: int = DEFAULT_LIMIT) -> ObjectCache:
    """The cache of this user. Raises CacheError when its folder cannot be used safely."""
    return ObjectCache(default_folder(), limit=limit)


@cache
def code_version() -> str:
    """
    Changes whenever compiled code could: with cogir's source files and linked library (by size and time), llvmlite, LLVM, xDSL, NumPy
    and Python.
    """
    digest = hashlib.sha256("\n".join(sorted(_sources(PACKAGE, ""))).encode())
    python = ".".join(map(str, sys.version_info))
    return f"cogir {digest.hexdigest()} {versions()} xdsl {_xdsl_version()} numpy {np.__version__} python {python}"


def _xdsl_version() -> str:
    """
    The version of xDSL, without importing it: the name of the folder that its installer left beside it. Where there is
    none (it runs from a checkout), its source files tell.
    """
    spec = find_spec("xdsl")
    if spec is None or spec.origin is None:
        return "none"
    folder = os.path.dirname(spec.origin)
    with os.scandir(os.path.dirname(folder)) as beside:
        names = sorted(entry.name for entry in beside if entry.name.startswith("xdsl-") and entry.name.endswith(".dist-info"))
    return " ".join(names) or hashlib.sha256("\n".join(sorted(_sources(folder, ""))).encode()).hexdigest()


def _sources(folder: str, within: str) -> Iterator[str]:
    """A line for each source file: its name, size and time."""
    with os.scandir(folder) as found:
        for entry in found:
            name = f"{within}/{entry.name}"
            if entry.is_dir():
                yield from _sources(entry.path, name)
            elif name.endswith((".py", ".ll")):
                status = entry.stat()
                yield f"{name} {status.st_size} {status.st_mtime_ns}"


def cache_key(*contents: bytes | str, target: Target | None = None) -> str:
    """
    The key of what is compiled from `contents`, by this version of cogir, for a target (default: this processor).

    Contents are told apart by their lengths too: ("ab", "c") and ("a", "bc") have different keys.
    """
    digest = hashlib.sha256()
    for content in (code_version(), (target or host()).description(), *contents):
        data = content.encode() if isinstance(content, str) else content
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()


class ObjectCache:
    """A folder of entries, safe to share between processes of one user."""

    def __init__(self, folder: Path, *, limit: int = DEFAULT_LIMIT):
        self.folder = folder
        self.limit = limit
        _prepare(folder)

    def path(self, key: str) -> Path:
        """The file that holds an entry."""
        if not (len(key) == 2 * _DIGEST_SIZE and all(digit in "0123456789abcdef" for digit in key)):
            raise CacheError(f"object cache: '{key}' is not a cache key; make keys with cache_key")
        return self.folder / (key + _SUFFIX)

    def get(self, key: str) -> Entry | None:
        """The entry of a key, or None when there is none. A damaged entry counts as none, and is removed."""
        path = self.path(key)
        data = _read_own(path)
        if data is None:
            return None
        entry = _decode(key, data)
        if entry is None:
            with suppress(OSError):
                path.unlink()
            return None
        with suppress(OSError):
            os.utime(path)
        return entry

    def put(self, key: str, entry: Entry) -> None:
        """Stores an entry, in the place of an earlier one. Raises CacheError when the disk does not take it."""
        import tempfile  # only who writes waits for it

        path = self.path(key)
        try:
            handle, temporary = tempfile.mkstemp(prefix=_TEMPORARY, dir=self.folder)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(_encode(key, entry))
                os.replace(temporary, path)
            except BaseException:
                with suppress(OSError):
                    os.unlink(temporary)
                raise
        except OSError as error:
            remedy = f"remove {path.name} there" if path.is_dir() else "free space"
            raise CacheError(
                f"object cache: cannot write to {self.folder}: {error.strerror}; {remedy}, or set {FOLDER_VARIABLE} to another folder"
            ) from None
        self.prune(keep=path)

    def mark(self, key: str) -> None:
        """Leaves a mark with a key, which says no more than that it is there. Raises CacheError when the disk does not take it."""
        path = self.path(key).with_suffix(_MARK)
        try:
            path.touch(mode=0o600)
        except OSError as error:
            raise CacheError(
                f"object cache: cannot write to {self.folder}: {error.strerror}; free space, or set {FOLDER_VARIABLE}"
            ) from None

    def is_marked(self, key: str) -> bool:
        """True if there is a mark with this key."""
        return self.path(key).with_suffix(_MARK).exists()

    def prune(self, *, keep: Path | None = None) -> None:
        """Removes the entries not used for longest while all together exceed the limit, and what killed writers left."""
        entries: list[tuple[float, int, Path]] = []
        now = time.time()
        for path in self.folder.iterdir():
            with suppress(OSError):
                status = path.lstat()
                if path.name.startswith(_TEMPORARY):
                    if now - status.st_mtime > _TEMPORARY_AGE:
                        path.unlink()
                elif path.suffix in (_SUFFIX, _MARK) and stat.S_ISREG(status.st_mode):
                    entries.append((status.st_mtime, status.st_size, path))
        total = sum(size for _, size, _ in entries)
        for _, size, path in sorted(entries):
            if total <= self.limit:
                break
            if path != keep:
                with suppress(OSError):
                    path.unlink()
                total -= size

    def clear(self) -> None:
        """Removes all entries and marks."""
        for path in (*self.folder.glob(f"*{_SUFFIX}"), *self.folder.glob(f"*{_MARK}")):
            with suppress(OSError):
                path.unlink()


# -- the format of an entry: magic, sha256 of the rest, key, length of metadata, metadata, code


def _encode(key: str, entry: Entry) -> bytes:
    metadata = json.dumps(dict(entry.metadata)).encode()
    body = bytes.fromhex(key) + len(metadata).to_bytes(8, "little") + metadata + entry.code
    return _MAGIC + hashlib.sha256(body).digest() + body


def _decode(key: str, data: bytes) -> Entry | None:
    """The entry that a file holds, or None when it is damaged or belongs to another key."""
    if not data.startswith(_MAGIC):
        return None
    start = len(_MAGIC) + _DIGEST_SIZE
    digest, body = data[len(_MAGIC) : start], data[start:]
    if hashlib.sha256(body).digest() != digest or body[:_DIGEST_SIZE] != bytes.fromhex(key):
        return None
    after = _DIGEST_SIZE + 8
    size = int.from_bytes(body[_DIGEST_SIZE:after], "little")
    try:
        metadata: Any = json.loads(body[after : after + size])
    except ValueError:
        return None
    return Entry(body[after + size :], cast("dict[str, Any]", metadata)) if isinstance(metadata, dict) else None


# -- safety


def _prepare(folder: Path) -> None:
    """Makes the folder; raises CacheError unless it belongs to this user and nobody else may write to it."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.lstat()
    except OSError as error:
        raise CacheError(f"object cache: cannot make the folder {folder}: {error.strerror}; set {FOLDER_VARIABLE} to another") from None
    if not stat.S_ISDIR(status.st_mode):
        raise CacheError(f"object cache: {folder} is not a folder; set {FOLDER_VARIABLE} to one")
    if os.name != "posix":
        return
    if status.st_uid != os.geteuid():
        raise CacheError(
            f"object cache: {folder} belongs to user {status.st_uid}, not to you ({os.geteuid()}); cached code is run, "
            f"so its folder must be yours: set {FOLDER_VARIABLE} to a folder of your own"
        )
    if status.st_mode & 0o022:
        raise CacheError(
            f"object cache: others may write to {folder} (mode {stat.S_IMODE(status.st_mode):o}), so its code cannot be "
            f"trusted; empty it and run chmod 700, or set {FOLDER_VARIABLE} to another folder"
        )
    if status.st_mode & 0o077:
        folder.chmod(0o700)


_READ_ONLY = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""Neither through a link, nor waiting for the writer of a pipe."""


def _read_own(path: Path) -> bytes | None:
    """The contents of a regular file of this user, or None when there is no such file."""
    try:
        handle = os.open(path, _READ_ONLY)
    except OSError:
        return None
    status = os.fstat(handle)
    foreign = os.name == "posix" and (status.st_uid != os.geteuid() or status.st_mode & 0o022)
    if not stat.S_ISREG(status.st_mode) or foreign:
        os.close(handle)
        return None
    with os.fdopen(handle, "rb") as file:
        return file.read()
