"""
Builds one reference model and lets copies of this process call `run`, each in one mode; prints the seconds as JSON. Called by
`psyneulink_calls.py`.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable
from typing import Any

PYTHON_CALLS, WARM_CALLS, LLVM_CALLS = 2, 30, 8
"""How many calls each copy makes: of a fast kind more, of which one is likely to be undisturbed."""

Calls = list[tuple[float, float]]
"""Seconds of each call by the clock, and of processor time."""


def timed(call: Callable[[], Any], count: int) -> Calls:
    """The times of some calls."""
    times: Calls = []
    for _ in range(count):
        began, used = time.perf_counter(), time.process_time()
        call()
        times.append((time.perf_counter() - began, time.process_time() - used))
    return times


def in_copy(work: Callable[[], Calls]) -> Calls | None:
    """What some work in a copy of this process gives; None where it fails, after saying why."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        status = 1
        try:
            gc.collect()  # touches all objects, so that their memory is copied before the clock runs
            with os.fdopen(writing, "w") as pipe:
                json.dump(work(), pipe)
            status = 0
        except Exception:
            print(traceback.format_exc().strip().splitlines()[-1], file=sys.stderr)
        finally:
            os._exit(status)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        text = pipe.read()
    _, status = os.waitpid(child, 0)
    return None if status else [(by_clock, used) for by_clock, used in json.loads(text)]


class Model:
    """A reference model and the first call of its reference run."""

    def __init__(self, name: str):
        from support.psyneulink_golden import build_golden

        golden = build_golden(name)
        self.composition, call = golden.composition, golden.calls[0]
        self.key = call.get("context") or self.composition.default_execution_id
        self.arguments = {"inputs": call["inputs"], "num_trials": call["num_trials"], "context": self.key}

    def call(self, **more: Any) -> None:
        """The call, and a look at each of its results."""
        self.composition.run(**self.arguments, **more)
        assert len(list(self.composition.parameters.results.get(self.key))) >= self.arguments["num_trials"]

    def python(self) -> Calls:
        """Calls in PsyNeuLink's Python mode."""
        return timed(self.call, PYTHON_CALLS)

    def llvm(self) -> Calls:
        """Calls in PsyNeuLink's LLVMRun mode."""
        import psyneulink as pnl

        return timed(lambda: self.call(execution_mode=pnl.ExecutionMode.LLVMRun), LLVM_CALLS)

    def native(self, cache: str) -> Calls:
        """Calls with cogir, whose import is a part of the first one."""
        os.environ["COGIR_CACHE_DIR"] = cache

        def first() -> None:
            from cogir.psyneulink import accelerate

            accelerate(strict=True)
            self.call()

        return timed(first, 1) + timed(self.call, WARM_CALLS)


def main(model: str, with_python: bool, firsts: int, tests: str) -> dict[str, dict[str, float]]:
    """The seconds of one model by what they are of, by the clock and of processor time."""
    sys.path.insert(0, tests)
    warnings.simplefilter("ignore")
    held = Model(model)
    made: dict[str, list[Calls]] = {"Python": [], "LLVMRun": [], "empty": [], "filled": []}

    def take(name: str, work: Callable[[], Calls]) -> None:
        if (calls := in_copy(work)) is not None:
            made[name].append(calls)

    if with_python:
        take("Python", held.python)
    for _ in range(firsts):
        take("LLVMRun", held.llvm)
        with tempfile.TemporaryDirectory() as cache:
            os.chmod(cache, 0o700)
            take("empty", lambda: held.native(cache))
            take("filled", lambda: held.native(cache))
    return {"clock": fastest(made, 0), "processor": fastest(made, 1)}


def fastest(made: dict[str, list[Calls]], kind: int) -> dict[str, float]:
    """The fastest first and the fastest later call in each mode, by the clock (0) or of processor time (1)."""
    found: dict[str, float] = {}
    for name, of in (("LLVMRun first", "LLVMRun"), ("cogir first, empty cache", "empty"), ("cogir first, filled cache", "filled")):
        if made[of]:
            found[name] = min(calls[0][kind] for calls in made[of])
    warm = {"Python": made["Python"], "LLVMRun": made["LLVMRun"], "cogir": made["empty"] + made["filled"]}
    return found | {name: min(call[kind] for calls in held for call in calls[1:]) for name, held in warm.items() if held}


if __name__ == "__main__":
    print(json.dumps(main(**json.loads(sys.argv[1]))))
