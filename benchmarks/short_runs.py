"""
Short calls of `Composition.run`: scripts that make few of them, and calls in new execution contexts.

    python benchmarks/short_runs.py [--rounds 3] [--contexts 8] [--no-search]

The first table is of a script that builds the Stroop network of PsyNeuLink's primer and makes some calls of two trials. Each time is taken
in a process of its own that has imported PsyNeuLink, with an empty cache, and holds the import of cogir where it is used. `plain`: without
cogir; `accelerated`: as `accelerate()` is by default, where calls stay in PsyNeuLink as long as that takes less time than compiling;
`compiled at once`: `accelerate(short_runs="native")`. `again`: accelerated once more, with the cache that `compiled at once` has filled.

The second table is of a Composition of three Mechanisms and of the largest search (predator-prey XL). A call is made in several execution
contexts, of which none has run before (`new`); then again in each (`warm`), and in turns (`in turns`), so that each call follows one in
another context. Medians.

The ways take turns; of each the fastest round counts. Seconds are by the clock, and in parentheses those of processor time. cogir is
measured as its installation leaves it, with byte code.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
WORKER = Path(__file__).with_name("short_runs_worker.py")
CALLS = (1, 3, 10, 30)
"""How many calls a script makes."""
WAYS = {"plain": None, "accelerated": "psyneulink", "compiled at once": "native", "again": "psyneulink"}
Seconds = Sequence[float]


def measured(asked: str, cache: str, **given: Any) -> Any:
    """What the worker measures in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COGIR_CACHE_DIR": cache}
    done = subprocess.run([sys.executable, WORKER, asked, json.dumps(given)], capture_output=True, text=True, env=environment, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def script_seconds(calls: int, rounds: int) -> dict[str, Seconds]:
    """The seconds of a script's calls in each way."""
    made: dict[str, list[Seconds]] = {way: [] for way in WAYS}
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as empty, tempfile.TemporaryDirectory() as filled:
            for way, short_runs in WAYS.items():
                cache = filled if way in ("compiled at once", "again") else empty
                _, run = measured("script", cache, short_runs=short_runs, calls=calls)
                made[way].append(run)
    return {way: (min(by_clock for by_clock, _ in each), min(used for _, used in each)) for way, each in made.items()}


def context_seconds(model: str, is_native: bool, count: int) -> list[Seconds]:
    """The medians of calls in new contexts, in the same ones again, and in turns."""
    with tempfile.TemporaryDirectory() as cache:
        found = measured("contexts", cache, model=model, is_native=is_native, count=count, tests=str(ROOT / "test"))
    return [tuple(statistics.median(column) for column in zip(*each, strict=True)) for each in found]


def cell(seconds: Seconds, scale: float = 1.0) -> str:
    """An entry of a table."""
    by_clock, used = seconds
    return f"{scale * by_clock:.3g} ({scale * used:.3g})"


def main() -> None:
    """Prints both tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").strip().splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3, help="the number of processes for each time of the first table")
    parser.add_argument("--contexts", type=int, default=8, help="the number of execution contexts of the second table")
    parser.add_argument("--no-search", action="store_true", help="leave the largest search out")
    given = parser.parse_args()
    compileall.compile_dir(str(ROOT / "cogir"), quiet=1)
    print(f"| seconds of the calls of a script | {' | '.join(WAYS)} |\n|{'---|' * (len(WAYS) + 1)}")
    for calls in CALLS:
        found = script_seconds(calls, given.rounds)
        print(f"| {calls} call{'s' if calls > 1 else ''} | {' | '.join(map(cell, found.values()))} |", flush=True)
    print("\n| milliseconds of a call | new context | warm | in turns |\n|---|---|---|---|")
    models = [("three", False), ("three", True)] + [("search", True)] * (not given.no_search)
    for model, is_native in models:
        entries = [cell(seconds, 1e3) for seconds in context_seconds(model, is_native, given.contexts)]
        print(f"| {model}, {'cogir' if is_native else 'PsyNeuLink'} | {' | '.join(entries)} |", flush=True)


if __name__ == "__main__":
    main()
