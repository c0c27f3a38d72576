"""
A bar that shows how far a long run has come, in the style of PsyNeuLink's own reports.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from importlib import import_module
from types import TracebackType
from typing import Any

AFTER_SECONDS = 1.0
"""A run that is over sooner shows no bar."""
PART_SECONDS = 0.2
"""How often the bar moves."""


class watched_trials:
    """Goes through the trials of a run in parts; if wanted, and if there is a terminal, a bar shows how far it has come."""

    def __init__(self, name: str, trials: int, wanted: bool):
        self.name, self.trials = name, trials
        self.wanted = wanted and trials > 1 and sys.stderr.isatty()
        self.bar: Any = None
        self.task: Any = None

    def __enter__(self) -> Iterator[tuple[int, int]]:
        return self.parts() if self.wanted else iter([(0, self.trials)])

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.bar is not None:
            self.bar.stop()

    def parts(self) -> Iterator[tuple[int, int]]:
        """Parts that take about the same time, as the first and the last trial."""
        began = time.monotonic()
        first, size = 0, 1
        while first < self.trials:
            last = min(self.trials, first + size)
            at = time.monotonic()
            yield first, last
            now = time.monotonic()
            size = max(1, min(10 * size, round((last - first) * PART_SECONDS / max(now - at, 1e-6))))
            first = last
            if now - began > AFTER_SECONDS:
                self.show(first)

    def show(self, done: int) -> None:
        """Moves the bar."""
        if self.bar is None:
            rich = import_module("rich.progress")
            self.bar = rich.Progress(console=import_module("rich.console").Console(stderr=True), transient=True)
            self.bar.start()
            self.task = self.bar.add_task(f"{self.name} (cogir)", total=self.trials)
        self.bar.update(self.task, completed=done)
