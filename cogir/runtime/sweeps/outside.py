"""
What functions of libraries take from outside of their arguments: the time, the environment, files, random numbers without a seed.

A statistic that uses them has no identity: two calls of one function give different numbers. Those of the standard library and of NumPy are
known by name, those of other libraries that read files by what such functions are called.
"""

from __future__ import annotations

import datetime
import dis
import io
import pathlib
import random
import sys
from types import CodeType, ModuleType
from typing import Any, cast

import numpy as np

WHOLE = {
    *("os", "posix", "nt", "genericpath", "time", "secrets", "tempfile", "glob", "socket", "subprocess", "shutil", "fileinput", "mmap"),
    *("urllib.request", "http.client", "sqlite3", "_sqlite3", "dbm", "shelve", "linecache", "platform", "getpass", "locale", "_locale"),
    *(
        "threading",
        "_thread",
        "multiprocessing",
        "concurrent",
        "asyncio",
        "importlib",
        "gc",
        "resource",
        "signal",
        "weakref",
        "tracemalloc",
    ),
    *("numpy.random", "pathlib", "zipfile", "tarfile", "gzip", "bz2", "lzma", "sys"),
}
"""Modules whose functions and classes all reach outside, but for those in `PURE`."""
PURE = {
    *("os.fspath", "os.fsencode", "os.fsdecode", "posix.fspath", "time.struct_time", "sys.intern", "sys.getrecursionlimit"),
    *("pathlib.PurePath", "pathlib.PurePosixPath", "pathlib.PureWindowsPath"),
    *("numpy.random.Generator", "numpy.random._generator.Generator"),
    *("gzip.compress", "gzip.decompress", "bz2.compress", "bz2.decompress", "lzma.compress", "lzma.decompress", "zlib.compress"),
}
SINGLE = {
    *("io.open", "_io.open", "io.open_code", "io.FileIO", "_io.FileIO", "codecs.open", "builtins.open", "builtins.input"),
    *("builtins.id", "builtins.hash", "builtins.eval", "builtins.exec", "builtins.compile", "builtins.__import__"),
    *("builtins.globals", "builtins.locals", "builtins.vars", "builtins.breakpoint"),
    *("datetime.datetime.now", "datetime.datetime.today", "datetime.datetime.utcnow", "datetime.date.today"),
    *("datetime.datetime.fromtimestamp", "datetime.date.fromtimestamp", "datetime.datetime.astimezone"),
    *("posixpath.realpath", "posixpath.abspath", "posixpath.expanduser", "posixpath.expandvars", "posixpath.ismount", "posixpath.lexists"),
    *("ntpath.realpath", "ntpath.abspath", "ntpath.expanduser", "ntpath.expandvars", "ntpath.ismount", "ntpath.lexists"),
    *("uuid.uuid1", "uuid.uuid4", "uuid.uuid6", "uuid.uuid7", "uuid.getnode", "random.SystemRandom"),
    *("numpy.load", "numpy.loadtxt", "numpy.genfromtxt", "numpy.fromfile", "numpy.fromregex", "numpy.memmap"),
    *("numpy.lib.npyio.DataSource", "numpy.lib._datasource.DataSource", "numpy.lib.format.open_memmap", "numpy.DataSource"),
}
"""Further functions, methods and classes of the standard library and of NumPy."""
READS = ("load", "open", "read_", "imread")
"""So begin the names of functions of other libraries that read files."""
SEEDED = {
    *("random.Random", "numpy.random.mtrand.RandomState", "numpy.random._pickle.default_rng", "numpy.random.default_rng"),
    *(f"numpy.random.{module}" for module in ("_mt19937.MT19937", "_pcg64.PCG64", "_pcg64.PCG64DXSM", "_philox.Philox", "_sfc64.SFC64")),
    "numpy.random.bit_generator.SeedSequence",
}
"""What makes generators: with a seed they are the same each time."""
GENERATORS = (random.Random, np.random.Generator, np.random.RandomState, np.random.BitGenerator)
FILES = (pathlib.Path, io.IOBase)
CLOCKS = (datetime.datetime, datetime.date)
METHODS_OF_CLOCKS = ("now", "today", "utcnow", "fromtimestamp", "astimezone")


def name_of(value: Any) -> str:
    """The module and the name of a function, method or class."""
    holder = getattr(value, "__self__", None)
    name = str(getattr(value, "__qualname__", getattr(value, "__name__", "")))
    if isinstance(holder, type):
        return f"{holder.__module__}.{holder.__qualname__}.{name.rpartition('.')[2]}"
    module = getattr(value, "__module__", None)
    return f"{module if isinstance(module, str) else type(cast('Any', holder)).__module__}.{name}"


def outside(value: Any) -> str | None:
    """What a function, a class or an object takes from outside of its arguments, for messages; None if nothing."""
    holder = getattr(value, "__self__", None)
    for held in (value, holder):
        if isinstance(held, GENERATORS):
            made = "random.Random(1)" if isinstance(held, random.Random) else "np.random.default_rng(1)"
            return f"a generator of random numbers, which goes on from what was drawn before (make one inside the function: {made})"
        if isinstance(held, FILES):
            return f"an object of type {name_of(type(held))}, which reads files (read them before)"
    if not callable(value) or isinstance(value, ModuleType):
        return None
    name = name_of(value)
    return f"{name}, whose value depends on more than its arguments" if is_outside(name) else None


def makes_generators(value: Any) -> bool:
    """True for what makes a generator, from a seed if it is given one."""
    return callable(value) and name_of(value) in SEEDED


def is_outside(name: str) -> bool:
    """True for the name of a function, method or class that takes something from outside of its arguments."""
    if name in PURE or name in SEEDED:
        return False
    parts = name.split(".")
    before = [".".join(parts[:count]) for count in range(1, len(parts))]
    return name in SINGLE or any(module in WHOLE for module in before)


def reads_files(value: Any) -> bool:
    """True for a function of a library whose name says that it reads files."""
    module, _, name = name_of(value).rpartition(".")
    top = module.partition(".")[0]
    return callable(value) and top not in ("", "numpy", *sys.stdlib_module_names) and name.startswith(READS)


def is_called_without_arguments(code: CodeType, name: str) -> bool:
    """True if a name is called without arguments in a code object, or in one inside it, or used otherwise than by a call."""
    steps = list(dis.get_instructions(code))
    for place, step in enumerate(steps):
        if step.argval == name and step.opname.startswith("LOAD_") and step.opname != "LOAD_CONST":
            calls = (held for held in steps[place + 1 :] if held.opname.startswith("CALL") and _begin(held) == _begin(step) != (None, None))
            call = next(calls, None)
            if call is None or (call.opname == "CALL" and call.arg == 0):
                return True
    return any(is_called_without_arguments(inner, name) for inner in code.co_consts if isinstance(inner, CodeType))


def _begin(step: dis.Instruction) -> tuple[int | None, int | None]:
    """Where the expression begins of which an instruction is the end."""
    return (None, None) if step.positions is None else (step.positions.lineno, step.positions.col_offset)
