"""
Threads for native code: what the code asks for in `control[6]` when it comes to work that can be done in parts.

    c = model.compile()                                   # as many as there are, as far as the work pays for starting them
    c = model.compile(threads=4)
    c = model.compile(executor=ThreadPoolExecutor(4))     # or any other executor whose workers are threads of this process

Native code that comes to a search calls back with the address of a function, what to hand to it, and a number of levels. The thread that
runs the model, and its helpers, then call that function for parts of the range until none is left; such calls run without Python's lock.
Which part is done by whom, and when, cannot be seen in the results (`transforms/outline_parallel.py`).

Helpers live only during a call, so a process can be forked between calls. The first ones are threads for one piece of work, which begin
after 0.03 ms; a Thread of Python's keeps its caller waiting for up to 0.3 ms, and a ThreadPoolExecutor longer. Further work of the call is
done by such an executor, whose threads are used again.
"""

from __future__ import annotations

import _thread
import ctypes
import os
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Self, TypeVar

from cogir.errors import ModelError, shown
from cogir.runtime.plan import Words
from cogir.runtime.threads import MOST_THREADS, available_threads

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future
    from types import TracebackType

T = TypeVar("T")
U = TypeVar("U")

HELPER_WORD, STOP = 6, 0
PARTS_PER_THREAD = 4
"""Parts do not take equally long, so there are more of them than threads."""
PAYS_SECONDS = 0.002
"""Work that takes so long is worth the start of a thread."""

_CHUNK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
_HELPER = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)


def parts_of(count: int, number: int) -> Iterator[tuple[int, int]]:
    """The range from 0 to `count` in at most `number` parts of about equal size."""
    number = max(1, min(count, number))
    bounds = [count * part // number for part in range(number + 1)]
    return iter(list(pairwise(bounds)))


class Crew:
    """The threads that help with calls of native code: those of an executor, or threads of each call's own."""

    def __init__(self, executor: Executor | None = None, threads: int | None = None, limit: Callable[[], int] | None = None):
        """`threads`: with that of the caller; None for as many as pay. `limit`: the number of threads at most, where it is not given."""
        self.executor = executor
        self.threads = threads
        self.limit = limit

    def team(self) -> Team:
        """Helpers for one call: a context manager."""
        if self.threads is not None:
            return Team(self.executor, self.threads - 1, False)
        return Team(self.executor, self.available_helpers, True)

    def available_helpers(self) -> int:
        """The number of helpers where nobody has said how many."""
        threads = available_threads() if self.limit is None else min(available_threads(), self.limit())
        return max(1, threads) - 1


ALONE = Crew(threads=1)
"""No helpers."""


class Team:
    """The helpers of one call, which it waits for in the end."""

    def __init__(self, executor: Executor | None, helpers: int | Callable[[], int], has_to_pay: bool):
        """
        `helpers`: how many there are beside the caller, or a function that finds that. `has_to_pay`: they are asked for only where the work
        is worth it.
        """
        self._helpers = helpers
        self.has_to_pay = has_to_pay
        self._executor = executor
        self._own: list[Future[Any]] = []
        """The work for which the call has started threads of its own."""
        self._pool: Executor | None = None
        """Threads for further work of a call that comes to many searches."""

    @property
    def helpers(self) -> int:
        """The number of helpers, found when it is asked for first: calls that are over soon need none, whatever it is."""
        if not isinstance(self._helpers, int):
            self._helpers = self._helpers()
        return self._helpers

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        own, self._own = self._own, []
        pool, self._pool = self._pool, None
        for future in own:
            if not future.cancel():
                future.exception()
        if pool is not None:
            pool.shutdown(cancel_futures=True)

    def pays(self, seconds: float) -> bool:
        """True if helpers should be asked for work that takes one thread so long."""
        return (not self.has_to_pay or seconds >= PAYS_SECONDS) and self.helpers > 0

    def submit(self, work: Callable[[], T], helpers: list[Future[T]]) -> None:
        """
        Has a helper do some work, and adds what comes of it to `helpers`; for a thread of the call's own that is done before it begins, so
        that whoever is interrupted as it begins knows of it.
        """
        executor = self._executor or self._pool
        if executor is None and len(self._own) >= self.helpers:
            from concurrent.futures import ThreadPoolExecutor

            executor = self._pool = ThreadPoolExecutor(self.helpers, thread_name_prefix="cogir")
        if executor is not None:
            helpers.append(executor.submit(work))
            return
        from concurrent.futures import Future

        future: Future[T] = Future()
        helpers.append(future)
        self._own.append(future)
        _thread.start_new_thread(do, (future, work))


def do(future: Future[T], work: Callable[[], T]) -> None:
    """Does the work of a future, unless that is cancelled."""
    if not future.set_running_or_notify_cancel():
        return
    try:
        result = work()
    except BaseException as error:
        future.set_exception(error)
    else:
        future.set_result(result)


NOBODY = Team(None, 0, False)
"""A team without helpers."""


class Sharing:
    """The work of one call of native code, shared with a team."""

    def __init__(self, team: Team, control: Words):
        self.team = team
        self.control = control
        self.error: BaseException | None = None
        """The exception that was raised while native code called Python; it cannot pass through native code."""
        self.helper = _HELPER(self._share)
        self.address = ctypes.cast(self.helper, ctypes.c_void_p).value or 0

    def begin(self, control: Words) -> None:
        """Tells native code where to ask."""
        control[HELPER_WORD] = self.address

    def raise_error(self) -> None:
        """Raises what was held back, if anything was."""
        error, self.error = self.error, None
        if error is not None:
            raise error

    def _share(self, chunk: int, handed: int, count: int) -> None:
        """Called by native code: has `chunk(handed, first, last)` called for all parts of the range; nothing is raised."""
        from concurrent.futures import wait

        call = _CHUNK(chunk)
        helpers: list[Future[None]] = []
        parts = parts_of(count, PARTS_PER_THREAD * (self.team.helpers + 1))

        def work() -> None:
            """Does parts until none is left; the next one is taken under Python's lock."""
            for first, last in parts:
                call(handed, first, last)

        try:
            if self.team.has_to_pay:
                begun = time.perf_counter()
                first, last = next(parts)
                call(handed, first, last)
                left = (time.perf_counter() - begun) * (count - last) / max(1, last - first)
            else:
                left = 0.0
            if self.team.pays(left):
                for _ in range(min(self.team.helpers, count - 1)):
                    self.team.submit(work, helpers)
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


def crew_of(threads: object, executor: object) -> Crew:
    """
    The crew that `compile(threads=..., executor=...)` asks for.

    Raises `ModelError` for what is no number of threads, and executors whose workers do not share this process's memory.
    """
    if threads is not None and (not isinstance(threads, int) or isinstance(threads, bool) or not 1 <= threads <= MOST_THREADS):
        raise ModelError(f"compile: threads is {shown(threads)}; give a whole number from 1 to {MOST_THREADS}, or leave it out")
    if executor is None:
        return Crew(threads=threads)
    from concurrent.futures import Executor, ProcessPoolExecutor

    remedy = "give a ThreadPoolExecutor, or threads=4"
    if isinstance(executor, ProcessPoolExecutor):
        raise ModelError(f"compile: executor is a ProcessPoolExecutor, whose workers do not share memory with the run; {remedy}")
    if not isinstance(executor, Executor):
        raise ModelError(f"compile: executor is {shown(executor)}, which is not a concurrent.futures.Executor; {remedy}")
    return Crew(executor, threads if isinstance(threads, int) else (os.cpu_count() or 1) + 1)
