"""Fixtures for tests of several floors."""

import os
import signal

import pytest

from cogir.transforms import factor_grid, outline_parallel, reservoir_sampling

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a shell starts commands in the background, and processes inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)
os.environ["COGIR_SHORT_RUNS"] = "native"  # calls under accelerate() are short in tests, which are about native code


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """The passes act on small grids, too: on two levels, in blocks of three points, for any value that is work at all."""
    monkeypatch.setattr(reservoir_sampling, "SHORT", 2)
    monkeypatch.setattr(reservoir_sampling, "BLOCK", 3)
    monkeypatch.setattr(factor_grid, "WORTH", 1)
    monkeypatch.setattr(outline_parallel, "WORK", 0)
    monkeypatch.setattr(outline_parallel, "PARTS", 1)
