"""
Ctrl-C while native code runs.

Python runs its signal handlers only between bytecodes of the main thread, so a call into native code would hold them up
until it returns. But the C part of signal handling writes a byte to a pipe at once (`signal.set_wakeup_fd`): a
sleeping thread reads it and sets the stop flag, `control[0]`, which the native code looks at; the call returns, and Python's
own handler runs (and raises `KeyboardInterrupt`, unless the user put another one in its place).
"""

from __future__ import annotations

import os
import signal
import threading
from types import TracebackType

import numpy as np
import numpy.typing as npt


class _Watcher:
    """The sleeping thread, one per process, started when it is first needed."""

    def __init__(self) -> None:
        import socket  # who only compiles does not wait for it

        self.control: npt.NDArray[np.int64] | None = None
        self.forward = -1
        self.reader, self.writer = socket.socketpair()
        self.writer.setblocking(False)
        threading.Thread(target=self._watch, name="cogir-interrupt", daemon=True).start()

    def _watch(self) -> None:
        while signals := self.reader.recv(64):
            control, forward = self.control, self.forward
            if control is not None:
                control[0] = 1
            if forward >= 0:
                _write(forward, signals)


def _write(descriptor: int, data: bytes) -> None:
    """Hands the bytes on to whoever watched for signals before, for example an asyncio loop."""
    try:
        os.write(descriptor, data)
    except OSError:
        return


_watcher: _Watcher | None = None
_watcher_process = 0


class stop_on_signal:
    """Within the block, a signal sets `control[0]`. Outside the main thread, which gets no signals, it does nothing."""

    __slots__ = ("_active", "_control")

    def __init__(self, control: npt.NDArray[np.int64]):
        self._control = control
        self._active = False

    def __enter__(self) -> None:
        if threading.get_ident() != _MAIN_THREAD.ident:
            return
        watcher = _running_watcher()
        watcher.control = self._control
        watcher.forward = signal.set_wakeup_fd(watcher.writer.fileno(), warn_on_full_buffer=False)
        self._active = True

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._active and _watcher is not None:
            signal.set_wakeup_fd(_watcher.forward, warn_on_full_buffer=False)
            _watcher.control = None


_MAIN_THREAD = threading.main_thread()


def _running_watcher() -> _Watcher:
    """The watcher of this process; a forked child gets one of its own, as threads do not survive a fork."""
    global _watcher, _watcher_process
    if _watcher is None or _watcher_process != os.getpid():
        _watcher = _Watcher()
        _watcher_process = os.getpid()
    return _watcher
