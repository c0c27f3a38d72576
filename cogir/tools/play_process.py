"""
The processes in which `cog-play` lowers texts. Each text has one of its own, which can be ended: it takes too long, needs too much memory,
or a newer text replaces it.

They are forked from a server process that has imported the compiler, so that each starts within milliseconds.
"""

from __future__ import annotations

import multiprocessing
import resource
import signal
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from threading import Condition
from typing import cast

from cogir.tools.diagnostics import ToolError, internal_error
from cogir.tools.levels import LevelAnswer, LevelRequest, answer, error_of

CONTEXT = multiprocessing.get_context("forkserver")
STARTUP_SECONDS = 60.0
"""The seconds that the start of a process may take."""


@dataclass(frozen=True)
class LoweringLimits:
    """The limits of lowering one text."""

    seconds: float = 30.0
    bytes: int = 4 << 30
    """The address space of its process."""


LIMITS = LoweringLimits()


class LoweringJob:
    """A request that waits for its turn or is being answered."""

    def __init__(self, request: LevelRequest):
        self.request = request
        self.is_cancelled = False
        self._process: BaseProcess | None = None

    def start(self, limits: LoweringLimits) -> Connection:
        """Starts the process; gives the connection that its answer comes from."""
        connection, other = CONTEXT.Pipe(duplex=False)
        self._process = CONTEXT.Process(target=lower_in_process, args=(other, self.request, limits.bytes), daemon=True)
        self._process.start()
        other.close()
        return connection

    def cancel(self) -> None:
        """Ends the process, or does not let it start."""
        self.is_cancelled = True
        if self._process is not None:
            self._process.kill()

    def finish(self) -> None:
        """Waits for the end of the process."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process.close()
            self._process = None


class LoweringQueue:
    """Lowers texts one after the other; a newer text of a page cancels the older one."""

    def __init__(self, limits: LoweringLimits):
        self.limits = limits
        self._changed = Condition()
        self._newest: dict[str, LoweringJob] = {}
        self._running: LoweringJob | None = None
        CONTEXT.set_forkserver_preload([__name__])

    def ask(self, request: LevelRequest, page: str) -> LevelAnswer | None:
        """The answer to a request of a page; None if a newer one of the same page has cancelled it."""
        job = LoweringJob(request)
        with self._changed:
            if (older := self._newest.get(page)) is not None:
                older.cancel()
            self._newest[page] = job
            self._changed.notify_all()
            self._changed.wait_for(lambda: job.is_cancelled or self._running is None)
            if job.is_cancelled:
                return None
            self._running = job
        try:
            found = self._answered(job)
            return None if job.is_cancelled else found
        finally:
            with self._changed:
                job.finish()
                self._running = None
                if self._newest.get(page) is job:
                    del self._newest[page]
                self._changed.notify_all()

    def _answered(self, job: LoweringJob) -> LevelAnswer:
        """The answer of the process of a job, or the reason why there is none."""
        with self._changed:
            if job.is_cancelled:
                return LevelAnswer()
            connection = job.start(self.limits)
        try:
            if not connection.poll(STARTUP_SECONDS):
                return refusal(f"the compiler did not start within {STARTUP_SECONDS:g} seconds; is the machine overloaded?")
            connection.recv()  # the process has started: the time of the text begins
            if connection.poll(self.limits.seconds):
                return cast(LevelAnswer, connection.recv())
            return refusal(f"lowering took more than {self.limits.seconds:g} seconds and was stopped; make the model smaller")
        except (EOFError, OSError):  # it has ended, perhaps within its answer
            return refusal("the compiler ended unexpectedly, perhaps for lack of memory; make the model smaller")
        finally:
            connection.close()

    def stop(self) -> None:
        """Cancels all jobs."""
        with self._changed:
            for job in self._newest.values():
                job.cancel()
            self._changed.notify_all()


def refusal(reason: str) -> LevelAnswer:
    """The answer that gives a reason instead of IR."""
    return LevelAnswer(errors=[error_of(ToolError(reason))])


def lower_in_process(connection: Connection, request: LevelRequest, most_bytes: int) -> None:
    """Answers one request, in a process of its own."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the server, which ends this process
    limit_memory(most_bytes)
    connection.send("started")
    try:
        found = answer(request)
    except MemoryError:
        found = refusal(f"lowering needs more than {most_bytes >> 20:,} MiB of memory and was stopped; make the model smaller")
    except Exception as error:
        found = LevelAnswer(errors=[error_of(internal_error(error))])
    connection.send(found)


def limit_memory(most_bytes: int) -> None:
    """Limits the address space of this process; a limit that is lower already stays."""
    for kind, wanted in ((resource.RLIMIT_AS, most_bytes), (resource.RLIMIT_CORE, 0)):
        _, hard = resource.getrlimit(kind)
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(kind, (most, most))
