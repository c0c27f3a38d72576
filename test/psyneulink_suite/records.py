"""
What was recorded of PsyNeuLink's tests, and files of it.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass
class Call:
    """One outermost run, execute, learn or evaluate of a test."""

    kind: str
    """The name of the method."""
    native: bool = False
    """True if its trials, or batches that it learned from, were native."""
    parts: int = 0
    """What was native while PsyNeuLink did the rest: executions of nested Compositions, or the first trials of a run."""
    reasons: list[str] = field(default_factory=list)
    """Why it was left to PsyNeuLink, as far as that was said."""
    raised: tuple[str, str] | None = None
    """Class and text of the error."""
    warned: list[tuple[str, str]] = field(default_factory=list)
    """Class and text of PsyNeuLink's warnings to the user."""
    returned: Any = None
    results: Any = None
    """The results that it added."""
    held: dict[tuple[str | int, ...], Any] = field(default_factory=dict)
    """What the Composition holds in the execution context of the call, by path."""
    not_recorded: str | None = None
    """Why that could not be looked at."""


@dataclass
class RecordedTest:
    """One test, and its calls."""

    name: str
    outcome: str = "passed"
    why: str = ""
    """The end of what pytest says of a failure."""
    seconds: float = 0.0
    calls: list[Call] = field(default_factory=list)


def append(path: Path, test: RecordedTest) -> None:
    """Writes one more test to a file, so that a run that is stopped has recorded what it has run."""
    with path.open("ab") as file:
        pickle.dump(test, file)


def read(path: Path) -> Iterator[RecordedTest]:
    """The tests of a file."""
    with path.open("rb") as file:
        while True:
            try:
                yield pickle.load(file)
            except EOFError:
                return
