"""
The effect of each optimisation, and the largest search beside a hand-written one.

    python benchmarks/optimisations.py [models ...] [--json file]

For each model the time of a trial with all optimisations, with each one left out, and with none; then the search of the largest
predator-prey model (1,030,301 points) with one and two threads, beside C written by hand (`limits/predator_prey.c`, where there is
a C compiler). Every figure is the fastest of several, and all of a row are taken in turns: only ratios within one run are meaningful.
"""

from __future__ import annotations

import argparse
import json
import math
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from cogir.frontend.parsed import ParsedModel
from cogir.lowering.pipeline import OPTIMISATIONS
from cogir.runtime.compiled import Compiled

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "examples"))
MODELS = "botvinick_stroop chain ddm_analytical ddm_integrator evc_ddm extended_stroop_a lca necker_vectorised predator_prey_l".split()
ROUNDS = 5
AIM = 0.02
"""Seconds that one measurement should take."""


def model(name: str) -> ParsedModel:
    """A model of `examples`."""
    return ParsedModel((ROOT / "examples" / f"{name}.mlir").read_text())


def ways(name: str) -> dict[str, Compiled]:
    """The model compiled with all optimisations, without each of them, and without any."""
    left_out = {"all": (), **{f"no {each}": (each,) for each in OPTIMISATIONS}, "none": OPTIMISATIONS}
    return {title: model(name).compile(mode="run", without=without) for title, without in left_out.items()}


def fastest(runs: dict[str, Callable[[], object]]) -> dict[str, float]:
    """The fastest of several runs of each, taken in turns, in seconds."""
    found = dict.fromkeys(runs, math.inf)
    for _ in range(ROUNDS):
        for title, run in runs.items():
            began = time.perf_counter()
            run()
            found[title] = min(found[title], time.perf_counter() - began)
    return found


def row(name: str) -> dict[str, float]:
    """Microseconds of a trial, by what is left out; the results must be the same."""
    import catalogue

    compiled, given = ways(name), catalogue.EXAMPLES[name].inputs
    expected = str(compiled["all"].run(given, num_trials=3).results)
    for title, each in compiled.items():
        each.reset()
        assert str(each.run(given, num_trials=3).results) == expected, f"{name}: other results with {title}"
    began = time.perf_counter()
    compiled["none"].run(given, num_trials=3)
    trials = max(1, min(20_000, int(3 * AIM / (time.perf_counter() - began))))
    times = fastest({title: lambda each=each: each.run(given, num_trials=trials) for title, each in compiled.items()})
    return {title: 1e6 * seconds / trials for title, seconds in times.items()}


def by_hand() -> float | None:
    """Milliseconds of the search written in C; None without a compiler."""
    compiler = next(filter(shutil.which, ("clang-22", "clang", "gcc", "cc")), None)
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "search"
        flags = ["-O3", "-march=native", "-mprefer-vector-width=512", "-ffp-contract=off", "-fno-math-errno"]
        subprocess.run([compiler, *flags, str(ROOT / "benchmarks/limits/predator_prey.c"), "-o", str(program), "-lm"], check=True)
        return float(subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout)


def largest_search() -> dict[str, float]:
    """Milliseconds of one search of the largest model."""
    import predator_prey

    xl = predator_prey.build("xl")
    compiled = {f"{threads} thread{'s' * (threads > 1)}": xl.compile(mode="run", threads=threads) for threads in (1, 2)}
    compiled["no factor-grid"] = xl.compile(mode="run", without=["factor-grid"])
    compiled["no reservoir-sampling"] = xl.compile(mode="run", without=["reservoir-sampling"])
    compiled["none"] = xl.compile(mode="run", without=OPTIMISATIONS)
    for each in compiled.values():
        each.run(predator_prey.INPUTS, num_trials=1)
    runs = {title: lambda each=each: each.run(predator_prey.INPUTS, num_trials=1) for title, each in compiled.items()}
    rounds = [fastest(runs) for _ in range(3)]
    found = {title: 1e3 * min(each[title] for each in rounds) for title in runs}
    hand = by_hand()
    return found if hand is None else {**found, "C by hand": hand}


def main() -> None:
    """Measures, and prints the tables as it goes."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument("models", nargs="*", default=MODELS)
    parser.add_argument("--json", type=Path, help="write the figures here, too")
    given = parser.parse_args()
    titles = ["all", *(f"no {name}" for name in OPTIMISATIONS), "none"]
    print(f"microseconds of a trial\n\n| model | {' | '.join(titles)} |\n|{'---|' * (len(titles) + 1)}")
    table: dict[str, dict[str, float]] = {}
    for name in given.models:
        table[name] = row(name)
        print(f"| {name} | {' | '.join(f'{table[name][title]:.3g}' for title in titles)} |", flush=True)
    search = largest_search()
    print("\nmilliseconds of one search of 1,030,301 points\n")
    for title, milliseconds in search.items():
        print(f"| {title} | {milliseconds:.3g} |")
    if given.json:
        given.json.write_text(json.dumps({"microseconds of a trial": table, "milliseconds of a search": search}, indent=1))


if __name__ == "__main__":
    main()
