"""The object cache: what is found, what is refused, and what survives damage, rivals and kill -9."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from cogir.backend import cache as cache_module
from cogir.backend.cache import Entry, ObjectCache, cache_key, code_version, default_folder, open_cache
from cogir.backend.jit import CompiledCode, compile_to_object
from cogir.backend.llvm import host
from cogir.errors import CacheError

KEY = "ab" * 32
ENTRY = Entry(b"\x00code\xff" * 100, {"symbols": ["run"], "layout": {"a": [1, 2]}})


@pytest.fixture
def cache(tmp_path: Path) -> ObjectCache:
    return ObjectCache(tmp_path / "cache")


def test_what_is_put_is_found_again(cache: ObjectCache) -> None:
    assert cache.get(KEY) is None
    cache.put(KEY, ENTRY)
    assert cache.get(KEY) == ENTRY
    assert ObjectCache(cache.folder).get(KEY) == ENTRY
    cache.put(KEY, Entry(b"other"))
    assert cache.get(KEY) == Entry(b"other")
    cache.clear()
    assert cache.get(KEY) is None


def test_code_runs_from_the_cache(cache: ObjectCache) -> None:
    import ctypes

    cache.put(KEY, Entry(compile_to_object("define i64 @f(i64 %x) {\n  %y = mul i64 %x, 3\n  ret i64 %y\n}\n"), {"symbols": ["f"]}))
    entry = cache.get(KEY)
    assert entry is not None
    assert CompiledCode(entry.code, entry.metadata["symbols"]).function("f", ctypes.c_int64, ctypes.c_int64)(14) == 42


@pytest.mark.parametrize("position", [0, 5, 20, 60, 90, 200, -1])
def test_one_wrong_byte_is_noticed_and_the_entry_removed(cache: ObjectCache, position: int) -> None:
    cache.put(KEY, ENTRY)
    path = cache.path(KEY)
    data = bytearray(path.read_bytes())
    data[position] ^= 0x40
    path.write_bytes(data)
    assert cache.get(KEY) is None
    assert not path.exists()


@pytest.mark.parametrize("length", [0, 1, 15, 40, 80, -1])
def test_a_truncated_entry_is_noticed_and_rebuilt(cache: ObjectCache, length: int) -> None:
    cache.put(KEY, ENTRY)
    path = cache.path(KEY)
    path.write_bytes(path.read_bytes()[:length])
    assert cache.get(KEY) is None
    cache.put(KEY, ENTRY)
    assert cache.get(KEY) == ENTRY


def test_an_entry_under_the_name_of_another_is_refused(cache: ObjectCache) -> None:
    cache.put(KEY, ENTRY)
    other = "cd" * 32
    cache.path(KEY).rename(cache.path(other))
    assert cache.get(other) is None


def test_keys_depend_on_contents_and_target() -> None:
    keys = {
        cache_key("model"),
        cache_key("model", "options"),
        cache_key("modelo", "ptions"),
        cache_key("model", target=host(2)),
        cache_key(b"mode", b"l"),
    }
    assert len(keys) == 5
    assert cache_key("model") == cache_key(b"model")


def test_keys_depend_on_the_version_of_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    before = cache_key("model")
    monkeypatch.setattr(cache_module, "code_version", lambda: "another")
    assert cache_key("model") != before


def test_the_version_of_the_code_depends_on_the_linked_library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Which is written anew when lowering changes, and not with its sources."""
    copy = tmp_path / "cogir"
    shutil.copytree(cache_module.PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(cache_module, "PACKAGE", str(copy))
    before = code_version.__wrapped__()
    with (copy / "backend" / "library.ll").open("a") as library:
        library.write("\n")
    assert code_version.__wrapped__() != before


@pytest.mark.parametrize("change", ["numpy", "xdsl", "xdsl from a checkout", "python"])
def test_the_version_of_the_code_names_what_decides_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, change: str) -> None:
    version = code_version.__wrapped__
    package = tmp_path / "xdsl"
    package.mkdir()
    (package / "__init__.py").touch()
    if change != "xdsl from a checkout":
        (tmp_path / "xdsl-1.0.dist-info").mkdir()
    monkeypatch.setattr(cache_module, "find_spec", lambda name: SimpleNamespace(origin=str(tmp_path / name / "__init__.py")))
    before = version()
    assert version() == before
    match change:
        case "numpy":
            monkeypatch.setattr(np, "__version__", "another")
        case "python":
            monkeypatch.setattr(sys, "version_info", (3, 99, 0))
        case "xdsl":
            (tmp_path / "xdsl-1.0.dist-info").rename(tmp_path / "xdsl-1.1.dist-info")
        case _:
            (package / "more.py").write_text("more = 1")
    assert version() != before


def test_something_that_is_no_key_is_refused(cache: ObjectCache) -> None:
    with pytest.raises(CacheError, match=r"'\.\./escape' is not a cache key"):
        cache.get("../escape")


def test_entries_not_used_for_longest_go_first(tmp_path: Path) -> None:
    cache = ObjectCache(tmp_path / "cache", limit=5000)
    keys = [f"{number:064x}" for number in range(8)]
    now = time.time()
    for age, key in enumerate(keys[:4]):
        cache.put(key, Entry(b"x" * 1000))
        os.utime(cache.path(key), (now - 1000 + age, now - 1000 + age))
    assert cache.get(keys[0]) is not None  # used again: now the newest
    for key in keys[4:6]:
        cache.put(key, Entry(b"x" * 1000))
    left = {key for key in keys if cache.path(key).exists()}
    assert left == {keys[0], keys[3], keys[4], keys[5]}
    cache.put(keys[6], Entry(b"x" * 10_000))
    assert cache.get(keys[6]) is not None  # what was just written stays, however large


def test_a_writer_that_is_killed_leaves_nothing_wrong(cache: ObjectCache) -> None:
    script = (
        "import sys\nfrom pathlib import Path\nfrom cogir.backend.cache import Entry, ObjectCache\n"
        f"cache = ObjectCache(Path({str(cache.folder)!r}))\nprint('ready', flush=True)\n"
        f"while True:\n    cache.put({KEY!r}, Entry(b'abcdefgh' * 500_000, {{'n': 1}}))\n"
    )
    for delay in (0.01, 0.03, 0.06):
        writer = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
        assert writer.stdout is not None
        writer.stdout.readline()
        time.sleep(delay)
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        entry = cache.get(KEY)
        assert entry is None or entry == Entry(b"abcdefgh" * 500_000, {"n": 1})
    leftovers = list(cache.folder.glob(".writing-*"))
    for path in leftovers:
        os.utime(path, (0, 0))
    cache.prune()
    assert not list(cache.folder.glob(".writing-*"))


def test_rival_writers_and_readers(cache: ObjectCache) -> None:
    script = (
        "import sys\nfrom pathlib import Path\nfrom cogir.backend.cache import Entry, ObjectCache\n"
        f"cache = ObjectCache(Path({str(cache.folder)!r}), limit=300_000)\nme = int(sys.argv[1])\n"
        "for turn in range(60):\n"
        "    key = f'{turn % 5:064x}'\n"
        "    if (turn + me) % 3:\n"
        "        cache.put(key, Entry(bytes([turn % 5]) * 50_000))\n"
        "    else:\n"
        "        entry = cache.get(key)\n"
        "        assert entry is None or entry.code == bytes([turn % 5]) * 50_000\n"
    )
    rivals = [subprocess.Popen([sys.executable, "-c", script, str(me)]) for me in range(3)]
    assert [rival.wait() for rival in rivals] == [0, 0, 0]


posix = pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")


@posix
def test_the_folder_is_closed_to_others(tmp_path: Path) -> None:
    folder = ObjectCache(tmp_path / "new").folder
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    readable = tmp_path / "readable"
    readable.mkdir()
    readable.chmod(0o755)
    ObjectCache(readable)
    assert stat.S_IMODE(readable.stat().st_mode) == 0o700


@posix
def test_a_folder_that_others_may_write_to_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "open"
    folder.mkdir()
    folder.chmod(0o777)
    with pytest.raises(CacheError, match=r"others may write to .*\(mode 777\).*chmod 700, or set COGIR_CACHE_DIR"):
        ObjectCache(folder)


@posix
def test_a_folder_of_somebody_else_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "theirs"
    folder.mkdir(mode=0o700)
    monkeypatch.setattr(os, "geteuid", lambda: folder.stat().st_uid + 1)
    with pytest.raises(CacheError, match=r"belongs to user \d+, not to you .* set COGIR_CACHE_DIR to a folder of your own"):
        ObjectCache(folder)


@posix
def test_an_entry_that_others_may_write_to_is_not_run(cache: ObjectCache) -> None:
    cache.put(KEY, ENTRY)
    cache.path(KEY).chmod(0o666)
    assert cache.get(KEY) is None


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_text("not a folder")
    with pytest.raises(CacheError, match="COGIR_CACHE_DIR"):
        ObjectCache(place)


def test_the_folder_can_be_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COGIR_CACHE_DIR", str(tmp_path / "mine"))
    assert open_cache().folder == tmp_path / "mine"
    monkeypatch.delenv("COGIR_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    if sys.platform.startswith("linux"):
        assert default_folder() == tmp_path / "xdg" / "cogir"


def test_what_is_no_file_counts_as_no_entry(cache: ObjectCache) -> None:
    cache.path(KEY).mkdir()
    pipe = "ef" * 32
    os.mkfifo(cache.path(pipe))
    assert cache.get(KEY) is None
    assert cache.get(pipe) is None
    with pytest.raises(CacheError, match=f"cannot write to .*; remove {KEY}.cogir there, or set COGIR_CACHE_DIR"):
        cache.put(KEY, ENTRY)
    cache.put(pipe, ENTRY)
    assert cache.get(pipe) == ENTRY
    cache.limit = 0
    cache.prune()
    assert [path.name for path in cache.folder.iterdir()] == [f"{KEY}.cogir"]
    cache.clear()


def test_the_folder_may_lie_in_the_home_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COGIR_CACHE_DIR", "~/somewhere")
    assert default_folder() == Path.home() / "somewhere"


@pytest.mark.parametrize("metadata", [b"", b"{", b"[]", b"3", b"\xff"])
def test_metadata_that_is_no_mapping_counts_as_no_entry(metadata: bytes, cache: ObjectCache) -> None:
    """The checksum of such an entry is right."""
    body = bytes.fromhex(KEY) + len(metadata).to_bytes(8, "little") + metadata + b"code"
    cache.path(KEY).write_bytes(b"cogir object 1\n" + hashlib.sha256(body).digest() + body)
    cache.path(KEY).chmod(0o600)
    assert cache.get(KEY) is None
    assert not cache.path(KEY).exists()


def test_a_mark_is_there_until_the_cache_is_cleared(cache: ObjectCache) -> None:
    assert not cache.is_marked(KEY)
    cache.mark(KEY)
    cache.mark(KEY)
    assert cache.is_marked(KEY)
    assert cache.get(KEY) is None
    cache.put(KEY, ENTRY)
    assert cache.is_marked(KEY)
    cache.clear()
    assert not cache.is_marked(KEY)
    assert not list(cache.folder.iterdir())
