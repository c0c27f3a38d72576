"""
Threads for native code: what the code asks for in `control[6]` when it comes to work that can be done in parts.

    c = model.compile(threads=4)
    c = model.compile(executor=ThreadPoolExecutor(4))     # or any other executor whose workers are threads of this process

Native code that comes to a search calls back with the address of a function, what to hand to it, and a number of levels. The thread that
runs the model, and workers of the executor, then call that function for parts of the range until none is left; such calls
run without Python's lock. Which part is done by whom, and when, cannot be seen in the results (`transforms/outline_parallel.py`).
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from cogir.errors import ModelError, shown
from cogir.runtime.plan import Words

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future, ThreadPoolExecutor

HELPER_WORD, STOP = 6, 0
MOST_THREADS = 1024
PARTS_PER_THREAD = 4
"""Parts do not take equally long, so there are more of them than threads."""

_CHUNK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
_HELPER = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)


def parts_of(count: int, number: int) -> Iterator[tuple[int, int]]:
    """The range from 0 to `count` in at most `number` parts of about equal size."""
    number = max(1, min(count, number))
    bounds = [count * part // number for part in range(number + 1)]
    return iter(list(pairwise(bounds)))


class Crew:
    """An executor, and how many of its workers help at the same time."""

    def __init__(self, executor: Executor, helpers: int):
        self.executor = executor
        self.helpers = helpers

    def share(self, control: Words) -> Sharing:
        """Lets one call of native code with this `control` share its work."""
        return Sharing(self, control)


class Sharing:
    """The work of one call of native code, shared with a crew."""

    def __init__(self, crew: Crew, control: Words):
        self.crew = crew
        self.control = control
        self.error: BaseException | None = None
        """The exception that was raised while native code called Python; it cannot pass through native code."""
        self.helper = _HELPER(self._share)
        self.address = ctypes.cast(self.helper, ctypes.c_void_p).value or 0

    def begin(self) -> None:
        """Tells native code where to ask."""
        self.control[HELPER_WORD] = self.address

    def raise_error(self) -> None:
        """Raises what was held back, if anything was."""
        error, self.error = self.error, None
        if error is not None:
            raise error

    def _share(self, chunk: int, handed: int, count: int) -> None:
        """Called by native code: has `chunk(handed, first, last)` called for all parts of the range; nothing is raised."""
        from concurrent.futures import wait

        call = _CHUNK(chunk)
        parts = parts_of(count, PARTS_PER_THREAD * (self.crew.helpers + 1))

        def work() -> None:
            """Does parts until none is left; the next one is taken under Python's lock."""
            for first, last in parts:
                call(handed, first, last)

        helpers: list[Future[None]] = []
        try:
            helpers += (self.crew.executor.submit(work) for _ in range(min(self.crew.helpers, count - 1)))
        except BaseException as error:  # the executor is shut down, or a signal has come: this thread does the work alone
            self._hold(error)
        while True:
            try:
                work()
                break
            except BaseException as error:
                self._hold(error)
        for helper in helpers:
            helper.cancel()
        while not all(helper.done() for helper in helpers):
            try:
                wait(helpers)
            except BaseException as error:
                self._hold(error)
        for helper in helpers:
            if not helper.cancelled() and (error := helper.exception()) is not None:
                self._hold(error)

    def _hold(self, error: BaseException) -> None:
        """Keeps the first error until native code has returned, which it now does soon."""
        self.error = self.error or error
        self.control[STOP] = 1


_pools: dict[tuple[int, int], ThreadPoolExecutor] = {}
"""The pools of this process by its number (a child that was forked needs its own) and the number of threads in them."""


def crew_of(threads: object, executor: object) -> Crew | None:
    """
    The crew that `compile(threads=..., executor=...)` asks for; None for one thread.

    Raises `ModelError` for what is no number of threads, and executors whose workers do not share this process's memory.
    """
    if threads is not None and (not isinstance(threads, int) or isinstance(threads, bool) or not 1 <= threads <= MOST_THREADS):
        raise ModelError(f"compile: threads is {shown(threads)}; give a whole number from 1 to {MOST_THREADS}, or leave it out")
    if executor is None and threads in (None, 1):
        return None
    if executor is None:
        assert isinstance(threads, int)
        return Crew(_pool(threads - 1), threads - 1)
    from concurrent.futures import Executor, ProcessPoolExecutor

    remedy = "give a ThreadPoolExecutor, or threads=4"
    if isinstance(executor, ProcessPoolExecutor):
        raise ModelError(f"compile: executor is a ProcessPoolExecutor, whose workers do not share memory with the run; {remedy}")
    if not isinstance(executor, Executor):
        raise ModelError(f"compile: executor is {shown(executor)}, which is not a concurrent.futures.Executor; {remedy}")
    helpers = threads - 1 if isinstance(threads, int) else os.cpu_count() or 1
    return Crew(executor, helpers) if helpers else None


def _pool(helpers: int) -> ThreadPoolExecutor:
    """The pool with so many threads, made when it is first needed."""
    from concurrent.futures import ThreadPoolExecutor

    key = (os.getpid(), helpers)
    if key not in _pools:
        _pools[key] = ThreadPoolExecutor(helpers, thread_name_prefix="cogir")
    return _pools[key]
