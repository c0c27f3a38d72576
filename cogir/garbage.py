"""The garbage collector, held still while a model is compiled."""

from __future__ import annotations

import gc
import os
from collections.abc import Generator
from contextlib import contextmanager

_held: list[None] = []
"""One for each thread that holds the collector still."""


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
    What exists now is looked at again only when the collector looks at everything.

    For after an import, which leaves classes and functions: they live as long as the process.
    """
    if not gc.get_freeze_count():  # else somebody has put objects aside, which unfreezing would bring back
        gc.freeze()
        gc.unfreeze()


def _let_go() -> None:
    """In a forked child: what held the collector still there is a thread that the child does not have."""
    if _held:
        _held.clear()
        gc.enable()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go)
