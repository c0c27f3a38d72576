"""
A bar that shows how far a long run has come, in the style of PsyNeuLink's own reports.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from importlib import import_module
from types import TracebackType
from typing import Any, Self

AFTER_SECONDS = 1.0
"""A run that is over sooner shows no bar."""
PART_SECONDS = 0.2
"""The seconds between two movements of the bar."""


class watched_trials:
    """Goes through the trials of a run, or of a part of it; if wanted, and if there is a terminal, a bar shows how far the run has come."""

    def __init__(self, name: str, trials: int, wanted: bool):
        """`trials`: those of the whole run."""
        self.name, self.trials = name, trials
        self.wanted = wanted and trials > 1 and sys.stderr.isatty()
        self.bar: Any = None
        self.task: Any = None
        self.began = 0.0
        self.size = 1

    def __enter__(self) -> Self:
        self.began = time.monotonic()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.bar is not None:
            self.bar.stop()

    def parts(self, done: int, trials: int) -> Iterator[tuple[int, int]]:
        """
        So many further trials of the run, of which so many are `done`, in parts that take about the same time: of each the first and the
        last trial, counted from the first of these.
        """
        if not self.wanted:
            yield 0, trials
            return
        first = 0
        while first < trials:
            last = min(trials, first + self.size)
            at = time.monotonic()
            yield first, last
            now = time.monotonic()
            if last - first == self.size or now - at > PART_SECONDS:  # a shorter part, at the end, says little about the next one
                self.size = max(1, min(10 * self.size, round((last - first) * PART_SECONDS / max(now - at, 1e-6))))
            first = last
            if now - self.began > AFTER_SECONDS:
                self.show(done + first)

    def show(self, done: int) -> None:
        """Moves the bar."""
        if self.bar is None:
            rich = import_module("rich.progress")
            self.bar = rich.Progress(console=import_module("rich.console").Console(stderr=True), transient=True)
            self.bar.start()
            self.task = self.bar.add_task(f"{self.name} (cogir)", total=self.trials)
        self.bar.update(self.task, completed=done)
