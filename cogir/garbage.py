"""
The garbage collector is disabled while a model is compiled.

This only saves time. If the collector is enabled early, for example because two threads compile at once, compilation is slower; if it
were never enabled again, memory would be freed later. Results do not depend on it.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Generator
from contextlib import contextmanager

_held: list[None] = []
"""One entry for each thread that has disabled the collector."""


@contextmanager
def without_garbage_collection() -> Generator[None]:
    """IR only grows while it is built and lowered: looking for cycles to free costs up to a third of the time, and finds little."""
    if not gc.isenabled():
        yield
        return
    _held.append(None)
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        del _held[-1:]


def count_as_old() -> None:
    """
    Moves all objects that exist now into the oldest generation of the collector.

    For use after an import, whose classes and functions live as long as the process.
    """
    if not gc.get_freeze_count():  # else somebody has put objects aside, which unfreezing would bring back
        gc.freeze()
        gc.unfreeze()


def _enable_in_child() -> None:
    """Enables the collector in a forked child, which does not have the threads that disabled it."""
    if _held:
        _held.clear()
        gc.enable()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_enable_in_child)
