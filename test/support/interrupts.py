"""
Ctrl-C while native code runs.
"""

import os
import signal
import threading
import time

from cogir.runtime import interrupt


def press_soon(seconds: float, is_native: bool = True) -> threading.Thread:
    """
    Presses Ctrl-C when native code has run for so many seconds, or so many seconds from now if what it is to stop is not native.

    A timer alone may be over before, where the machine has other work: Ctrl-C then ends the tests.
    """

    def press() -> None:
        while is_native and (interrupt._watcher is None or not interrupt._watcher.runs):
            time.sleep(0.01)
        time.sleep(seconds)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=press, daemon=True)
    thread.start()
    return thread
