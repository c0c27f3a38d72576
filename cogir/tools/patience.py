"""
A word on the standard error when a run takes long: which trial it is in, what may be the reason, and how to stop it.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager

from cogir.runtime.context import Context

PATIENCE = 10.0
"""After how many seconds a run is said to go on."""
MANY = 1_000_000
"""From how many executions on a node's limit is no limit to speak of."""
LIMIT = "/limit:executions"


@contextmanager
def told(context: Context, hints: tuple[str, ...] = ()) -> Generator[None]:
    """Tells once, after some seconds, that the run in this block still goes on; `hints` are further reasons."""

    def tell() -> None:
        print(still_running(context, hints), file=sys.stderr, flush=True)

    timer = threading.Timer(PATIENCE, tell)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def still_running(context: Context, hints: tuple[str, ...]) -> str:
    """The message for a run that takes long."""
    parts = [f"still in trial {context.progress.done} after {PATIENCE:g} s"]
    for path, value in context.params.items():
        if path.endswith(LIMIT) and value >= MANY:
            node = path.removesuffix(LIMIT)
            parts.append(f'node "{node}" repeats until it has finished, up to {value} times: --set {path}=1000 lowers this limit')
    return "; ".join((*parts, *hints, "Ctrl-C stops the run and keeps the finished trials"))
