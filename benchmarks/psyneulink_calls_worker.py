"""
Builds one reference model with PsyNeuLink, as a script does, and calls its `run` some times in one way; prints the seconds of each call as
JSON, by the clock and of processor time. Called by `psyneulink_calls.py`, a process for each way.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

from psyneulink_calls import Call, Seconds


def timed(call: Callable[[], Any], count: int) -> list[Seconds]:
    """The times of some calls."""
    times: list[Seconds] = []
    for _ in range(count):
        began, used = time.perf_counter(), time.process_time()
        call()
        times.append((time.perf_counter() - began, time.process_time() - used))
    return times


class Model:
    """A reference model as its script builds it, and one call of its `run`."""

    def __init__(self, name: str, call: Call):
        from support.psyneulink.golden import MODELS, fresh, script

        fresh()
        script_name, *arguments = MODELS.get(name, name.rsplit("_", 1))
        self.composition = script(script_name).build(*arguments)
        self.key = call.get("context") or self.composition.default_execution_id
        self.arguments = {"inputs": call["inputs"], "num_trials": call["num_trials"], "context": self.key}

    def call(self, **more: Any) -> None:
        """The call, and a look at each of its results."""
        self.composition.run(**self.arguments, **more)
        assert len(list(self.composition.parameters.results.get(self.key))) >= self.arguments["num_trials"]

    def python(self, count: int) -> list[Seconds]:
        """Calls in PsyNeuLink's Python mode."""
        return timed(self.call, count)

    def llvm(self, count: int) -> list[Seconds]:
        """Calls in PsyNeuLink's LLVMRun mode."""
        import psyneulink as pnl

        return timed(lambda: self.call(execution_mode=pnl.ExecutionMode.LLVMRun), count)

    def native(self, count: int) -> list[Seconds]:
        """Calls with cogir, whose import is a part of the first one."""

        def first() -> None:
            from cogir.psyneulink import accelerate

            accelerate(strict=True)
            self.call()

        return timed(first, 1) + timed(self.call, count - 1)


WAYS = {"Python": Model.python, "LLVMRun": Model.llvm, "cogir": Model.native}


def main(model: str, call: Call, way: str, count: int, tests: str) -> list[Seconds]:
    """The times of some calls of a model in one way."""
    sys.path.insert(0, tests)
    warnings.simplefilter("ignore")
    return WAYS[way](Model(model, call), count)


if __name__ == "__main__":
    print(json.dumps(main(**json.loads(sys.argv[1]))))
