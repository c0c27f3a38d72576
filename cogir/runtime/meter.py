"""
Meters: how far a long call is.

    compiled.replicates(..., count=10**8)                                    # after two seconds, in terminals and notebooks: tqdm's bar
    compiled.run(..., progress=lambda done, total: print(done, "of", total))
    compiled.run(..., progress=False)

Bars need tqdm (`pip install 'cogir[study]'`); without it, and where nobody looks at the standard error, there are none.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self, cast

from cogir.errors import InputError, shown

SHOWN_AFTER = 2.0
"""Seconds that a call takes before its bar is shown."""
EVERY = 0.1
"""Seconds between two updates."""

Callback = Callable[[int, int], object]


class Meter:
    """The progress of one call: a context manager around it."""

    def __init__(self, what: str, total: int, unit: str, wanted: object = None):
        """
        `what` is done to `total` things called `unit`. `wanted`: None for a bar where somebody sees it, True for one always, False for
        none, or a function that is called with the number done and the total.

        Raises `InputError` for anything else.
        """
        if wanted is not None and not isinstance(wanted, bool) and not callable(wanted):
            raise InputError(f"{what}: progress is {shown(wanted)}; give True, False, or a function of the number done and the total")
        self.what, self.total, self.unit = what, total, unit
        self.base = 0
        """The number done before the part that is counted now."""
        self.done = 0
        self._callback = cast("Callback | None", wanted if callable(wanted) else None)
        self._bar: Any = None
        self._begun = time.perf_counter()
        self._wanted = wanted
        self._next = self._begun
        if self._callback is None:
            self._next = math.inf if wanted is False else self._begun + SHOWN_AFTER

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._next = math.inf
        if kind is None and self._callback is not None:
            self._callback(self.total, self.total)
        if self._bar is not None:
            if kind is None:
                self._bar.n = self.total
            self._bar.close()

    def update(self, done: int) -> None:
        """So much is done after the base: called often, and acts ten times a second."""
        self.done = self.base + done
        now = time.perf_counter()
        if now < self._next:
            return
        self._next = now + EVERY
        if self._callback is not None:
            self._callback(self.done, self.total)
            return
        if self._bar is None:
            if self._wanted or is_seen():
                self._bar = bar(self.what, self.total, self.unit)
            if self._bar is None:
                self._next = math.inf
                return
            self._bar.start_t = self._bar._time() - (now - self._begun)
        self._bar.n = self.done
        self._bar.refresh()


SILENT = Meter("", 0, "", False)
"""A meter that shows nothing."""


def is_seen() -> bool:
    """True in a terminal and in a notebook."""
    ipython = sys.modules.get("IPython")
    if ipython is not None and ipython.get_ipython() is not None:
        return True
    return sys.stderr is not None and sys.stderr.isatty()


def bar(what: str, total: int, unit: str) -> Any:
    """tqdm's bar, for the terminal or the notebook; None without tqdm."""
    try:
        from tqdm.auto import tqdm  # pyright: ignore[reportMissingModuleSource, reportUnknownVariableType]
    except ImportError:
        return None
    return tqdm(total=total, desc=what, unit=f" {unit}", unit_scale=total > 10_000, dynamic_ncols=True)  # pyright: ignore[reportUnknownVariableType]
