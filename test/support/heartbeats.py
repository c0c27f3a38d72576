"""Signals that come again and again, as a heartbeat or a sampling profiler sends them."""

import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager


@contextmanager
def heartbeat(seconds: float, handler: Callable[[], object]) -> Generator[None]:
    """Within the block, `handler` is called once in so many seconds, by SIGALRM."""

    def call(number: int, frame: object) -> None:
        handler()

    before = signal.signal(signal.SIGALRM, call)
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
