"""
Slices of native code, and Ctrl-C within one.

Python runs its signal handlers only between bytecodes of the main thread, so a call into native code would hold them up
until it returns. A thread that sleeps otherwise therefore writes into `control`, at which native code looks:

- every 20 ms the budget of trials, by which the call returns at the end of the trial that it is in, however long a
  trial takes; the caller then calls it again for the rest.
- after a signal the stop flag, by which the call returns from the middle of a trial. The C part of signal handling
  writes a byte to a socket at once (`signal.set_wakeup_fd`), the thread reads it, the call returns, and Python's own handler
  runs (and raises `KeyboardInterrupt`, unless the user put another one in its place). If that returns, the caller begins again
  where native code had got to nothing; signals that come more often than it needs for that would stop it for ever, so the second
  attempt is made in another thread (`patiently`), which only a handler that raises stops.
"""

from __future__ import annotations

import math
import os
import signal
import threading
import time
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import TypeVar

import numpy as np
import numpy.typing as npt

T = TypeVar("T")

SLICE_SECONDS = 0.02
PATIENCE = 2.0
"""Seconds after the first Ctrl-C in which further ones wait, too, for the end of a call that is not to be interrupted."""
STOP, DONE, NODE, BUDGET, POLLS = range(5)
"""The words of `control`: the stop flag, the trials done, the node of a step limit, a budget of trials, a count of polls."""
SEARCHED, GIVEN_UP, BOXES, EVALUATED = range(8, 12)
"""
Further words: the searches that found their optimum by boxes, those that gave boxes up, the boxes that were bounded, and the points
that were evaluated in them.
"""
CONTROL_WORDS = 16

Control = npt.NDArray[np.int64]
_WAKE = b"\0"
"""Not the number of a signal."""


class _Watcher:
    """The sleeping thread, one per process, started when it is first needed."""

    def __init__(self) -> None:
        import socket  # who only compiles does not wait for it

        self.runs: dict[int, Control] = {}
        """Of all runs that go on, by identity."""
        self.main: Control | None = None
        """Of the run in the main thread, which alone gets signals."""
        self.forward = -1
        """The descriptor of whoever watched for signals before, for example an asyncio loop."""
        self._awake = self._used = False
        self.reader, self.writer = socket.socketpair()
        self.writer.setblocking(False)
        self.descriptor = self.writer.fileno()
        threading.Thread(target=self._watch, name="cogir-interrupt", daemon=True).start()

    def begin(self, control: Control) -> None:
        """From now on the run with this `control` goes in slices."""
        self.runs[id(control)] = control
        self._used = True
        if not self._awake:
            self._awake = True
            _write(self.descriptor, _WAKE)

    def end(self, control: Control) -> None:
        """The run is over."""
        self.runs.pop(id(control), None)

    def _watch(self) -> None:
        while True:
            self.reader.settimeout(self._sleep())
            try:
                signals = self.reader.recv(64).replace(_WAKE, b"")
            except TimeoutError:
                for control in list(self.runs.values()):
                    control[BUDGET] = 1
                continue
            main, forward = self.main, self.forward
            if signals and main is not None:
                main[STOP] = 1
            if signals and forward >= 0:
                _write(forward, signals)

    def _sleep(self) -> float | None:
        """
        The time to wait: one slice; without end when no run has begun lately, so that an idle process does nothing.

        First it says that it sleeps, and then it looks for runs: one that begins in between wakes it.
        """
        self._awake = False
        self._awake = bool(self.runs) or self._used
        self._used = False
        return SLICE_SECONDS if self._awake else None


def _write(descriptor: int, data: bytes) -> None:
    """Writes what there is room for; whoever has so much to read is awake already."""
    try:
        os.write(descriptor, data)
    except OSError:
        return


_watcher: _Watcher | None = None
_watcher_process = 0


class watched:
    """Within the block, `control` ends a slice every 20 ms and, in the main thread, stops native code when a signal comes."""

    __slots__ = ("_before", "_control", "_is_main", "_outer", "_watcher")

    def __init__(self, control: Control):
        self._control = control

    def __enter__(self) -> None:
        watcher = self._watcher = _running_watcher()
        watcher.begin(self._control)
        self._is_main = threading.get_ident() == _MAIN_THREAD.ident
        if self._is_main:
            self._outer, watcher.main = watcher.main, self._control
            self._before = signal.set_wakeup_fd(watcher.descriptor, warn_on_full_buffer=False)
            if self._before != watcher.descriptor:
                watcher.forward = self._before

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._is_main:
            signal.set_wakeup_fd(self._before, warn_on_full_buffer=False)
            self._watcher.main = self._outer
        self._watcher.end(self._control)


def patiently(control: Control, call: Callable[[], int]) -> int:
    """
    The status that `call` of native code returns, for which signals whose handlers return do not stop it.

    It is made in another thread, and this one runs the handlers; one that raises stops native code, and then its error is raised.
    """
    watcher = _running_watcher()
    if watcher.main is not control:  # no signal stops it
        return call()
    calling, over, given_up = threading.Lock(), threading.Event(), threading.Event()
    statuses: list[int] = []

    def work() -> None:
        try:
            with calling:
                if not given_up.is_set():
                    statuses.append(call())
        finally:
            over.set()

    watcher.main = None
    try:
        threading.Thread(target=work, name="cogir-patient", daemon=True).start()
        while not over.is_set():
            over.wait(SLICE_SECONDS)  # handlers run in between
    except BaseException:
        given_up.set()
        control[STOP] = 1
        _wait_until_free(calling)
        raise
    finally:
        watcher.main = control
    return statuses[0]


def without_interruption(call: Callable[[], T]) -> T:
    """
    The value that `call` returns; Ctrl-C takes effect when it is over, or when it comes again after `PATIENCE` seconds.

    An error raised by a handler while Python waits for another thread (`Event.wait`, `Future.done`) can leave a lock held that the other
    thread then waits for without end, as the end of a `with` block is Python code, too. So calls of zarr and of executors are made here.
    """
    before = signal.getsignal(signal.SIGINT)
    if threading.get_ident() != _MAIN_THREAD.ident or not callable(before):
        return call()
    came: list[tuple[int, FrameType | None]] = []
    until = math.inf

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal until
        now = time.monotonic()
        if now > until:
            before(number, frame)
        else:
            came.append((number, frame))
            until = min(until, now + PATIENCE)

    try:
        signal.signal(signal.SIGINT, note)
        return call()
    finally:
        signal.signal(signal.SIGINT, before)
        for one in came:
            before(*one)


def _wait_until_free(lock: threading.Lock) -> None:
    """Waits for who holds a lock, also through further signals: native code works on memory that others will use."""
    while lock.locked():
        try:
            time.sleep(0.0005)
        except BaseException:  # the first error is the one that counts
            continue


_MAIN_THREAD = threading.main_thread()


def _running_watcher() -> _Watcher:
    """The watcher of this process; a forked child gets one of its own, as threads do not survive a fork."""
    global _watcher, _watcher_process
    if _watcher is None or _watcher_process != os.getpid():
        _watcher = _Watcher()
        _watcher_process = os.getpid()
    return _watcher
