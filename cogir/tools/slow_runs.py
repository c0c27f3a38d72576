"""
The notice on the standard error when a run takes long: which trial it is in, what may be the reason, and how to stop it.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager

from cogir.runtime.context import Context

NOTICE_SECONDS = 10.0
"""The seconds after which the notice is printed."""
HIGH_LIMIT = 1_000_000
"""The limit of executions of a node from which on the notice names it."""
LIMIT = "/limit:executions"


@contextmanager
def notice_if_slow(context: Context, hints: tuple[str, ...] = ()) -> Generator[None]:
    """A block with a run: after some seconds a notice says once that it still goes on; `hints` are further reasons."""

    def notify() -> None:
        print(still_running(context, hints), file=sys.stderr, flush=True)

    timer = threading.Timer(NOTICE_SECONDS, notify)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def still_running(context: Context, hints: tuple[str, ...]) -> str:
    """The message for a run that takes long."""
    parts = [f"still in trial {context.progress.done} after {NOTICE_SECONDS:g} s"]
    for path, value in context.params.items():
        if path.endswith(LIMIT) and value >= HIGH_LIMIT:
            node = path.removesuffix(LIMIT)
            parts.append(f'node "{node}" repeats until it has finished, up to {value} times: --set {path}=1000 lowers this limit')
    return "; ".join((*parts, *hints, "Ctrl-C stops the run and keeps the finished trials"))
