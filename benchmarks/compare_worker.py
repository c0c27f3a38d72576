"""
Measures one reference model for `compare.py`, in PsyNeuLink and in cogir; prints seconds as JSON.

Each way to run the model has a copy of this process (`fork`) that gets ready once, and then measures when it is asked: so all take turns in
one run, and none sees what another has left.
"""

from __future__ import annotations

import gc
import json
import math
import os
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from psyneulink_calls import XL, Call
from psyneulink_calls_worker import Model

Figures = dict[str, float]
"""Seconds by what they are of."""

LONG = 0.03
"""Seconds that a long run takes, of which the time of one trial is told."""


class Copy:
    """A copy of this process. `prepare` is called there, and what it gives each time that `figures` is asked for."""

    def __init__(self, prepare: Callable[[], Callable[[], Figures]]):
        ask, answer = os.pipe(), os.pipe()
        self.process = os.fork()
        if self.process == 0:
            os.close(ask[1])
            os.close(answer[0])
            self._serve(prepare, ask[0], answer[1])
        os.close(ask[0])
        os.close(answer[1])
        self.asks, self.answers = os.fdopen(ask[1], "w", buffering=1), os.fdopen(answer[0])

    @staticmethod
    def _serve(prepare: Callable[[], Callable[[], Figures]], ask: int, answer: int) -> None:
        """Answers until nobody asks; an answer of null says that this way does not run the model."""
        with os.fdopen(ask) as asks, os.fdopen(answer, "w", buffering=1) as answers:
            try:
                measure: Callable[[], Figures] | None = None
                for _ in asks:
                    gc.collect()
                    measure = measure or prepare()
                    answers.write(json.dumps(measure()) + "\n")
            except Exception:
                print(traceback.format_exc().strip().splitlines()[-1], file=sys.stderr)
            finally:
                answers.flush()
                os._exit(0)

    def figures(self) -> Figures:
        """Measures once; nothing where the copy has failed."""
        try:
            self.asks.write("go\n")
            return json.loads(self.answers.readline() or "{}")
        except BrokenPipeError:
            return {}

    def end(self) -> None:
        """Ends the copy."""
        with suppress(BrokenPipeError):
            self.asks.close()
        self.answers.close()
        os.waitpid(self.process, 0)


class Clock:
    """Seconds that have passed in some calls."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def watched(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """The same call, whose time counts."""

        def timed(*arguments: Any) -> Any:
            began = time.perf_counter()
            try:
                return call(*arguments)
            finally:
                self.seconds += time.perf_counter() - began

        return timed


def least(call: Callable[[], object], clock: Clock, count: int) -> tuple[float, float]:
    """The fastest of some calls, and the least time that one of them spent under the clock."""
    whole, inside = math.inf, math.inf
    for _ in range(count):
        clock.seconds, began = 0.0, time.perf_counter()
        call()
        whole, inside = min(whole, time.perf_counter() - began), min(inside, clock.seconds)
    return whole, inside


def calls_of(first: float, most: int) -> int:
    """How many calls are made in a round, when one takes `first` seconds."""
    return max(1, min(most, math.ceil(0.1 / first)))


def in_python(held: Model) -> Callable[[], Figures]:
    """PsyNeuLink's Python mode, in processor time: a call takes long enough for others on the machine to lengthen it."""

    def measure() -> Figures:
        began = time.process_time()
        held.call()
        return {"Python": time.process_time() - began}

    return measure


def per_trial(run: Callable[[int], object]) -> Callable[[], float]:
    """Seconds of a trial in a long run, without what a call costs: of many trials less half as many."""
    trials = 2
    while (seconds := least(lambda: run(trials), Clock(), 1)[0]) < LONG and trials < 10**7:
        trials = math.ceil(trials * min(10.0, 1.2 * LONG / seconds))
    half = trials // 2

    def measure() -> float:
        turns = [[least(lambda count=count: run(count), Clock(), 1)[0] for count in (half, trials)] for _ in range(4)]
        shorter, longer = (min(times) for times in zip(*turns, strict=True))
        return (longer - shorter) / (trials - half)

    return measure


def with_llvm(held: Model) -> Callable[[], Figures]:
    """PsyNeuLink's LLVMRun mode; the native part is the call of the compiled function by ctypes, as PsyNeuLink makes it."""
    import numpy as np
    import psyneulink as pnl
    from psyneulink.core.llvm import LLVMBinaryFunction

    clock = Clock()
    last: list[Any] = []

    def remembered(function: Any, *arguments: Any) -> Any:
        if len(arguments) == 7:
            last[:] = [function, *arguments]
        return clock.watched(function.c_func)(*arguments)

    LLVMBinaryFunction.__call__ = remembered

    def call() -> None:
        held.call(execution_mode=pnl.ExecutionMode.LLVMRun)

    def many(trials: int) -> None:
        function, state, parameters, data, inputs, outputs, _, input_count = last
        made = np.empty((trials, *outputs.shape[1:]), outputs.dtype)
        count = np.asarray(trials, dtype=np.uint32)
        function.c_func(state, parameters, data, inputs, made, count, input_count)
        assert count == trials

    call()
    warm, _ = least(call, clock, 1)
    one = per_trial(many)

    def measure() -> Figures:
        whole, inside = least(call, clock, calls_of(warm, 8))
        return {"LLVMRun": whole, "LLVMRun native": inside, "LLVMRun trial": one()}

    return measure


def watch_entry(clock: Clock) -> None:
    """Lets the time of native code count, wherever it is called from."""
    from cogir.runtime.entry import NativeEntry

    prepared = NativeEntry.__post_init__

    def watched(entry: Any) -> None:
        prepared(entry)
        entry._run = clock.watched(entry._run)

    NativeEntry.__post_init__ = watched


def with_composition(held: Model, cache: str) -> Callable[[], Figures]:
    """The same call of the same Composition by cogir."""
    os.environ["COGIR_CACHE_DIR"] = cache
    from cogir.psyneulink import accelerate

    clock = Clock()
    watch_entry(clock)
    accelerate(strict=True)
    held.call()
    warm, _ = least(held.call, clock, 1)

    def measure() -> Figures:
        whole, inside = least(held.call, clock, calls_of(warm, 30))
        return {"Composition": whole, "Composition native": inside}

    return measure


def with_model(name: str, held: Model, cache: str, state: str) -> Callable[[], Figures]:
    """The model of cogir's own examples with the same inputs; every result is read."""
    os.environ["COGIR_CACHE_DIR"] = cache
    import cogir

    clock = Clock()
    watch_entry(clock)
    build, inputs, controller = example_of(name, held)
    began = time.perf_counter()
    compiled: cogir.Compiled = build().compile(mode="run")
    ready = time.perf_counter() - began
    trials = held.arguments["num_trials"]

    def call() -> None:
        result = compiled.run(inputs, num_trials=trials)
        assert len(result.results) >= trials
        assert controller is None or len(result.allocations[controller]) >= trials

    warm, _ = least(call, clock, 2)
    one = per_trial(lambda count: compiled.run(inputs, num_trials=count))

    def measure() -> Figures:
        whole, inside = least(call, clock, calls_of(warm, 100))
        return {f"compile, {state}": ready, "model": whole, "model native": inside, "model trial": one()}

    return measure


def example_of(name: str, held: Model) -> tuple[Callable[[], Any], Any, str | None]:
    """How to build a model, the inputs of its call, and the name of its controller."""
    from support.golden import CASES, example, flat_inputs

    inputs = flat_inputs(held.arguments["inputs"])
    if name == XL:
        return example("predator_prey", "xl"), inputs, "CONTROL"
    case = next(case for case in CASES if case.file == name)
    return case.build, inputs, case.controller


def main(model: str, call: Call, python: bool, compiled: bool, rounds: int, tests: str) -> Figures:
    """The fastest seconds of one model by what they are of; `python` and `compiled` say which modes are measured."""
    sys.path.insert(0, tests)
    warnings.simplefilter("ignore")
    held = Model(model, call)
    found: Figures = {}

    def turn(copies: list[Copy]) -> None:
        for copy in copies:
            for what, seconds in copy.figures().items():
                found[what] = min(found.get(what, math.inf), seconds)

    with tempfile.TemporaryDirectory() as of_composition, tempfile.TemporaryDirectory() as of_model:
        slow = [Copy(lambda: in_python(held))] if python and model != XL else []
        copies: list[Copy] = []
        if compiled:
            copies += [Copy(lambda: with_llvm(held)), Copy(lambda: with_composition(held, of_composition))]
            copies += [Copy(lambda state=state: with_model(model, held, of_model, state)) for state in ("empty", "filled")]
        turn(slow)
        for _ in range(rounds):
            turn(copies)
        for copy in reversed(slow + copies):  # a later copy holds the pipes of those before it
            copy.end()
    return found


if __name__ == "__main__":
    print(json.dumps(main(**json.loads(sys.argv[1]))))
