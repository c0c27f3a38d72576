"""Fixtures for tests of several floors."""

import gc
import os
import signal
import sys
from collections import defaultdict
from collections.abc import Iterator
from zlib import crc32

import pytest

from cogir.transforms import factor_grid, outline_parallel, reservoir_sampling

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a shell starts commands in the background, and processes inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)
# NumPy's library for matrices waits for its threads in a loop, on processors that other workers need: fits took 1.6 times the time.
# Where NumPy has been imported before, as without pytest-xdist, this counts for the processes that tests start.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ["COGIR_SHORT_RUNS"] = "native"  # calls under accelerate() are short in tests, which are about native code


@pytest.fixture(autouse=True)
def closed_figures() -> Iterator[None]:
    """Matplotlib warns of figures that stay open, from the twentieth on, whichever tests have drawn them."""
    yield
    if (pyplot := sys.modules.get("matplotlib.pyplot")) is not None:
        pyplot.close("all")


@pytest.hookimpl(tryfirst=True)  # before the cases with the mark `full` are left out
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leaves the cases that `sampled` does not choose to the long runs: they get the mark `full`."""
    cases: defaultdict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("sampled") and not item.get_closest_marker("full"):
            cases[item.nodeid.partition("[")[0]].append(item)
    for of_function in cases.values():
        of_function.sort(key=lambda item: crc32(item.nodeid.encode()))  # by chance, but the same each time
        mark = of_function[0].get_closest_marker("sampled")
        assert mark is not None
        for item in of_function[-(-len(of_function) // mark.args[0]) :]:
            item.add_marker(pytest.mark.full)


def pytest_collection_finish() -> None:
    """
    Has the garbage collector look at what tests make, and not again and again at the ten thousand items and all modules.

    That takes a seventh of the processor time of compiling and interpreting models.
    """
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """The passes act on small grids, too: on two levels, in blocks of three points, for any value that is work at all."""
    monkeypatch.setattr(reservoir_sampling, "SHORT", 2)
    monkeypatch.setattr(reservoir_sampling, "BLOCK", 3)
    monkeypatch.setattr(factor_grid, "WORTH", 1)
    monkeypatch.setattr(outline_parallel, "WORK", 0)
    monkeypatch.setattr(outline_parallel, "PARTS", 1)
