"""
How many threads a call may use, if nobody says.
"""

from __future__ import annotations

import multiprocessing.process
import os
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from cogir.errors import InputError

ASKED = "COGIR_NUM_THREADS"
"""The environment variable that says how many threads there are at most."""
MOST_THREADS = 1024


def available_threads() -> int:
    """
    The processors that this process may use (`os.sched_getaffinity`), at most what its control group grants, and at most
    `COGIR_NUM_THREADS`.

    1 in threads other than the main one and in workers of process pools, Dask and xdist: whoever started those shares the machine among
    them. Raises `InputError` if the environment variable is no number of threads.
    """
    asked = asked_threads()
    if threading.current_thread() is not threading.main_thread() or is_worker():
        return 1
    affinity = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(affinity, granted_by_control_group(), asked))


def asked_threads() -> int:
    """The number in the environment variable; without one, more than any machine has."""
    text = os.environ.get(ASKED, "").strip()
    if not text:
        return MOST_THREADS
    if text.isdecimal() and 1 <= int(text) <= MOST_THREADS:
        return int(text)
    raise InputError(f"{ASKED} is {text!r}; set it to a whole number from 1 to {MOST_THREADS}, or unset it")


def is_worker() -> bool:
    """True in a process that a pool has started, of `multiprocessing`, Dask or xdist."""
    return multiprocessing.process.parent_process() is not None or "PYTEST_XDIST_WORKER" in os.environ


@cache
def granted_by_control_group() -> int:
    """The whole processors that the quota of the control group comes to; more than any machine has if there is none."""
    found = [quota for path in control_groups() if (quota := quota_in(path)) is not None]
    return max(1, int(min(found))) if found else MOST_THREADS


def control_groups(mounted: Path = Path("/sys/fs/cgroup"), listed: Path = Path("/proc/self/cgroup")) -> Iterator[Path]:
    """The folders of the control groups of this process, inner ones first (both versions)."""
    try:
        lines = listed.read_text().splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers and "cpu" not in controllers.split(","):
            continue
        root = mounted / controllers if controllers else mounted
        folder = root / path.strip("/")
        while folder != root:
            yield folder
            folder = folder.parent
        yield root


def quota_in(folder: Path) -> float | None:
    """The processors that a control group may use; None if there is no limit."""
    try:
        if (folder / "cpu.max").exists():
            quota, period = (folder / "cpu.max").read_text().split()
        else:
            quota, period = ((folder / f"cpu.cfs_{name}_us").read_text().strip() for name in ("quota", "period"))
        return None if quota in ("max", "-1") else int(quota) / int(period)
    except (OSError, ValueError, ZeroDivisionError):
        return None
