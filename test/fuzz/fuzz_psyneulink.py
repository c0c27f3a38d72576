"""
Runs random scripts in PsyNeuLink alone and under `accelerate()`, and compares all that each call leaves: results, states, logs, clocks,
errors and warnings. Each script is built once, and played in two processes that are copies of each other.

    python test/fuzz/fuzz_psyneulink.py --seeds 0:2000 --jobs 2
    python test/fuzz/fuzz_psyneulink.py --seeds 17:18 --show          # the calls of one script
    python test/fuzz/fuzz_psyneulink.py --planted Logs.enter          # is a fault seen?

Script `n` is `script(n)` of `support.psyneulink.random_scripts`. Two of three compile each Composition in its first call; the others leave
short calls to PsyNeuLink.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import itertools
import multiprocessing
import os
import pickle
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[2]
SMALLEST_SEED = 1000.0
BY_COMPILER = "in LLVMRun"
"""The end of the words for a call of PsyNeuLink's own compiler, which leaves truth values and counts as floating-point numbers."""
OF_COMPILED = ("returned", "results", "matrix", "error", "warnings")
"""What is compared after such a call."""


@dataclass
class Found:
    """What one script has shown."""

    seed: int
    kind: str = ""
    steps: list[str] = field(default_factory=list)
    ways: Counter[str] = field(default_factory=Counter)
    """Its calls, by where they were executed."""
    reasons: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)
    entries: int = 0
    """The entries of logs that were compared."""


def numbered() -> Any:
    """Components are hashed by their numbers, so that sets of them are gone through in the same order in both runs."""
    from psyneulink_suite.recorder import Numbers

    numbers = Numbers()
    numbers.watch()
    return numbers


def built(seed: int) -> Iterator[Any]:
    """The steps of a script, its Compositions built."""
    from support.psyneulink.golden import fresh
    from support.psyneulink.random_scripts import script

    fresh()
    _once("numbers", numbered).next = 0
    steps = script(seed)
    return itertools.chain([next(steps)], steps)


def played(steps: Iterator[Any]) -> tuple[list[Any], list[str]]:
    """What each call of a script has returned and left, and the calls in words."""
    from psyneulink_suite.plain_data import plain
    from psyneulink_suite.recorder import look, results
    from psyneulink_suite.records import Call

    calls: list[Any] = []
    words: list[str] = []
    for step in steps:
        count = len(results(step.composition, step.context))
        call = Call(step.what)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                call.returned = plain(step.call())
            except Exception as error:
                call.raised = type(error).__name__, plain(str(error))
        call.warned = [
            (one.category.__name__, plain(str(one.message)))
            for one in caught
            if issubclass(one.category, UserWarning) and not one.category.__module__.startswith("cogir")
        ]
        if step.what.endswith(BY_COMPILER):  # it keeps what it has learned to itself until somebody asks
            for projection in step.composition.projections:
                if hasattr(projection.parameters, "matrix"):
                    projection.parameters.matrix.get(step.context)
        look(call, step.composition, step.context, count)
        calls.append(call)
        words.append(step.what)
        if call.raised is not None:
            break  # what an error leaves half done is not promised
    return calls, words


@contextmanager
def played_beside(steps: Iterator[Any]) -> Iterator[Callable[[], tuple[list[Any], list[str]]]]:
    """
    Plays a script in a copy of this process, as it is now; gives a function that waits for what it has found.

    Building takes longer than most calls, and what has been built cannot be copied otherwise.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        status = 1
        try:
            os.close(reader)
            with os.fdopen(writer, "wb") as out:
                pickle.dump(played(steps), out)
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(status)
    os.close(writer)

    def awaited() -> tuple[list[Any], list[str]]:
        with os.fdopen(reader, "rb") as source:
            data = source.read()
        if not data:
            raise RuntimeError("fuzz_psyneulink: the process that runs PsyNeuLink alone has stopped; its error is above")
        return pickle.loads(data)

    try:
        yield awaited
    finally:
        os.waitpid(child, 0)


@contextmanager
def placed(seed: int) -> Iterator[None]:
    """The block in which a script is accelerated: a sixth of them with short runs in PsyNeuLink, a sixth with runs that begin there."""
    from support.psyneulink.going_over import going_over_after

    from cogir.psyneulink import accelerate

    with accelerate(short_runs="psyneulink" if seed % 3 == 2 else "native"), going_over_after(1) if seed % 6 == 5 else nullcontext():
        yield


def found(seed: int) -> Found:
    """What a script shows."""
    from psyneulink_suite.compare import Comparison, difference
    from support.psyneulink.random_scripts import kind_of

    from cogir.psyneulink import history

    one = Found(seed, kind_of(seed))
    try:
        steps = built(seed)
    except Exception as error:
        one.kind = "not built"
        one.reasons[f"not built: {error!r:.200}"] += 1
        return one
    before = {id(held) for held in history.histories()}
    with played_beside(steps) as alone:
        with placed(seed):
            history.remember_all()
            calls, _ = played(steps)
        expected, one.steps = alone()
    for held in history.histories():
        if id(held) in before:
            continue
        for noted in held.calls.values():
            one.ways[str(noted.way)] += noted.count
            if noted.reason:
                one.reasons[noted.reason] += noted.count
    comparison = Comparison()
    if fails_to_compile(one.steps[-1], expected[-1]) and len(calls) >= len(expected) and calls[len(expected) - 1].raised is None:
        one.reasons["PsyNeuLink's own compiler fails where the native call does not"] += 1
        expected.pop()
    elif len(calls) != len(expected):
        one.differences.append(f"{len(expected)} calls in PsyNeuLink and {len(calls)} in cogir: {calls[-1].raised}, {expected[-1].raised}")
    by_compiler = False
    for index, (wanted, after) in enumerate(zip(expected, calls, strict=False)):
        raised = wanted.raised is not None and wanted.raised == after.raised
        by_compiler = by_compiler or one.steps[index].endswith(BY_COMPILER)
        for what, a, b in comparison.of_call(wanted, after):
            if by_compiler and not what.endswith(OF_COMPILED):
                continue
            if one.kind == "search" and (what.endswith("num_executions") or is_seed(what, a)):
                continue  # PsyNeuLink's are those of its last simulation (docs/psyneulink_guide.md)
            if "parameter" in what and "log" in what and not difference(in_floats(a), in_floats(b)):
                continue  # native entries of ParameterPorts are floating-point numbers (docs/psyneulink_guide.md)
            if raised and what != "warnings":
                continue  # what an error leaves half done is not promised
            one.differences.append(f"call {index + 1} ({one.steps[index]}): {what}: PsyNeuLink {a!r:.300}, cogir {b!r:.300}")
        one.entries += sum(len(value) for path, value in wanted.held.items() if "log" in path and isinstance(value, list))
    return one


def looked_at(seed: int) -> Found:
    """What a script shows; an error of this tool is a difference, so that the others are looked at, too."""
    try:
        return found(seed)
    except Exception:
        return Found(seed, "not played", differences=[traceback.format_exc()])


def fails_to_compile(words: str, call: Any) -> bool:
    """True if PsyNeuLink's own compiler has stopped at an assertion of its own, after which there is nothing to compare with."""
    return words.endswith(BY_COMPILER) and call.raised is not None and call.raised[0] == "AssertionError"


def in_floats(value: Any) -> Any:
    """Entries of a log, whole numbers as floating-point numbers."""
    if isinstance(value, list):
        return [in_floats(item) for item in value]
    return value.astype(float) if isinstance(value, np.ndarray) and value.dtype.kind in "iu" else value


def is_seed(what: str, value: Any) -> bool:
    """True for what a controller with estimates gives the ParameterPort of a seed."""
    return "parameter" in what and "projection" in what and what.endswith("value") and float(np.max(value)) > SMALLEST_SEED


_made: dict[str, Any] = {}


def _once(name: str, make: Any) -> Any:
    """What is made once in a process."""
    if name not in _made:
        _made[name] = make()
    return _made[name]


def all_found(seeds: range, jobs: int) -> Iterator[Found]:
    """What the scripts of these seeds show."""
    if jobs == 1:
        yield from map(looked_at, seeds)
        return
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"), initializer=prepare, max_tasks_per_child=100) as pool:
        yield from pool.map(looked_at, seeds)


PLANTED = {
    "Logs.enter": ("cogir.psyneulink.state.logs", "Logs.enter"),
    "advance_clock": ("cogir.psyneulink.state.executions", "advance_clock"),
}
"""Functions that can be made to do nothing: the module of each, and its name there."""


def plant(fault: str) -> None:
    """Plants a fault: a function does nothing."""
    module, path = PLANTED[fault]
    *outer, name = path.split(".")
    holder: Any = importlib.import_module(module)
    for part in outer:
        holder = getattr(holder, part)
    setattr(holder, name, lambda *_, **__: None)


def prepare() -> None:
    """Paths of a process that plays scripts."""
    sys.path[:0] = [str(ROOT), str(ROOT / "test")]
    os.environ["WITH_PSYNEULINK"] = "true"
    warnings.simplefilter("ignore")
    gc.set_threshold(50_000, 20, 100)  # PsyNeuLink holds millions of objects, all of which a collection goes through


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", default="0:200", help="the first one, and the one after the last (default: 0:200)")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes share the work (default: 1)")
    parser.add_argument("--show", action="store_true", help="print the calls of each script")
    parser.add_argument("--planted", choices=sorted(PLANTED), help="make this function of cogir do nothing")
    parser.add_argument("--until-found", action="store_true", help="stop at the first script that differs")
    args = parser.parse_args()
    prepare()
    if args.planted and args.jobs > 1:
        parser.error("--planted: give --jobs 1")
    if args.planted:
        plant(args.planted)
    first, _, after = args.seeds.partition(":")
    seeds = range(int(first), int(after))
    kinds: Counter[str] = Counter()
    ways: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    wrong = entries = 0
    began = time.perf_counter()
    for one in all_found(seeds, args.jobs):
        kinds[one.kind] += 1
        ways += one.ways
        reasons += one.reasons
        entries += one.entries
        if args.show:
            print(f"seed {one.seed}, {one.kind}: {'; '.join(one.steps)}: {dict(one.ways)} {dict(one.reasons)}")
        if one.differences:
            wrong += 1
            print(f"--- seed {one.seed}, {one.kind}: {'; '.join(one.steps)}", *one.differences[:6], sep="\n    ", flush=True)
            if args.until_found:
                break
    print("kinds: " + ", ".join(f"{kind} {count}" for kind, count in kinds.most_common()))
    print("calls: " + ", ".join(f"{way} {count}" for way, count in ways.most_common()))
    for reason, count in reasons.most_common(25):
        print(f"  {count}: {reason}")
    print(f"{len(seeds)} random scripts, {entries} log entries, {time.perf_counter() - began:.0f} s: {wrong} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
