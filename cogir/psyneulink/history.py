"""
What has become of the calls of each Composition: how often they were native, short, or fell back, why, and the seconds that they took.
"""

from __future__ import annotations

import re
import time
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import StrEnum
from types import TracebackType
from typing import Any, Self
from weakref import WeakSet

from cogir.errors import CogirError
from cogir.psyneulink.records import kept

OF_CALL = re.compile(r"^\S+:\d+: |after \d+ trials? of the run, ")
"""The line of the script with which an error may begin, and how much of the run was over; another call has others, for the same reason."""


class Way(StrEnum):
    """The place in which a call was executed."""

    NATIVE = "native"
    SHORT = "short"
    PARTLY = "partly native"
    FALLBACK = "fell back"
    REFUSED = "refused"
    ASKED = "as asked"
    FAILED = "failed"


MEANINGS = {
    Way.NATIVE: "native",
    Way.SHORT: "in PsyNeuLink, shorter than compiling",
    Way.PARTLY: "native at first, then in PsyNeuLink",
    Way.FALLBACK: "in PsyNeuLink",
    Way.REFUSED: "an error",
    Way.ASKED: "in PsyNeuLink, as the script asks",
    Way.FAILED: "ended with an error, as in PsyNeuLink",
}


@dataclass
class NotedCalls:
    """The calls of one method that went one way, for one reason."""

    method: str
    way: Way
    reason: str = ""
    remedy: str = ""
    count: int = 0
    seconds: float = 0.0
    """Seconds that they took without compiling."""
    compiling: float = 0.0
    """Seconds in which the Composition was read and compiled for them, or its code was loaded; also if that ended with the reason."""


@dataclass(eq=False)
class History:
    """The calls of one Composition."""

    name: str = ""
    calls: dict[tuple[str, Way, str], NotedCalls] = field(default_factory=dict[tuple[str, Way, str], NotedCalls])

    def of(self, method: str, way: Way, message: str) -> NotedCalls:
        """The calls of a method that went a way because of what a message says; its reason may stand in several lines of a script."""
        key = method, way, OF_CALL.sub("", message) if message else ""
        if key not in self.calls:
            reason, _, remedy = message.partition("; ")
            self.calls[key] = NotedCalls(method, way, reason, remedy)
        return self.calls[key]


class NotedCall:
    """A call of a method, while it goes on; it is noted unless it is one within another, with which it counts."""

    __slots__ = ("began", "compiling", "composition", "message", "method", "token", "way")

    def __init__(self, composition: Any, method: str):
        self.composition, self.method = composition, method
        self.way, self.message, self.compiling = Way.NATIVE, "", 0.0

    def __enter__(self) -> Self:
        self.token = _going_on.set(self) if _going_on.get() is None else None
        self.began = time.perf_counter()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.token is None:
            return
        seconds = time.perf_counter() - self.began
        _going_on.reset(self.token)
        if isinstance(error, CogirError):
            self.way, self.message = Way.REFUSED, str(error)
        elif isinstance(error, Exception) and self.way is Way.NATIVE:
            self.way, self.message = Way.FAILED, f"{type(error).__name__}: {str(error).partition(chr(10))[0].replace('; ', ', ')}"
        noted = history_of(self.composition).of(self.method, self.way, self.message)
        noted.count += 1
        noted.seconds += seconds - self.compiling
        noted.compiling += self.compiling


_going_on: ContextVar[NotedCall | None] = ContextVar("going_on", default=None)
_alive: WeakSet[History] = WeakSet()
"""The histories of all Compositions that exist."""
_remembered: list[History] | None = None
"""Those of all that have existed, where they are to be reported at the end of a script."""


def remember_all() -> None:
    """From now on, histories outlive their Compositions."""
    global _remembered
    if _remembered is None:
        _remembered = list(_alive)


def histories() -> list[History]:
    """The histories of all Compositions, those that are remembered in the order of their first calls."""
    return list(_alive) if _remembered is None else list(_remembered)


def history_of(composition: Any) -> History:
    """The history of a Composition."""
    found = kept(composition, History)
    if not found.name:
        _alive.add(found)
        if _remembered is not None:
            _remembered.append(found)
    found.name = composition.name
    return found


@contextmanager
def noted_compiling() -> Generator[None]:
    """Within the block, something is compiled for the call that goes on."""
    began = time.perf_counter()
    try:
        yield
    finally:
        if (call := _going_on.get()) is not None:
            call.compiling += time.perf_counter() - began


def note_way(composition: Any, way: Way, message: str = "") -> None:
    """Notes the way of the call of a Composition that goes on, and why; if a part of another one went it, with that part."""
    call = _going_on.get()
    if call is not None and call.composition is composition:
        call.way, call.message = way, message
    elif message:
        history_of(composition).of("run", way, message)
