"""
Microseconds of a warm call with little to compute: what an optimiser pays that asks for a model's likelihood at one point after another.

    python benchmarks/small_calls.py [--rounds 7] [--beside FOLDER]

Each call has the names and the shapes of the one before it, and other values. The times are those of the processor, the least of several
rounds; each round is a process of its own. Beside them are the numbers of Python functions that a call enters (`sys.setprofile`), which do
not depend on the machine. `--beside`: the folder of another checkout, as of the code before a change, that takes turns with this one; only
ratios within one run are meaningful.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
CALLS, REPEATS = 100, 15
"""The calls between two looks at the clock, and the times that this is done in a round."""
Figures = dict[str, tuple[float, int]]
"""Microseconds, and the number of functions, by what is called."""


def calls() -> dict[str, Callable[[], Any]]:
    """The calls; each has other values whenever it is made."""
    import cogir
    from cogir import library

    numbers: Iterator[float] = (number * 1e-4 for number in count(1))
    line = cogir.Model("line")
    line.node("line", lambda x, *, rate=2.0: x * rate)
    ddm = cogir.Model("decision")
    ddm.node(
        "ddm",
        library.drift_diffusion_integrator,
        input=1,
        noise=1.0,
        threshold=0.1,
        time_step_size=0.05,
        execute_until_finished=True,
        max_executions_before_finished=50,
        reset_each_trial=True,
    )
    lines, ran, decisions = line.compile(), line.compile(), ddm.compile(unfinished="ignore")
    ran.run({"line": [1.0]})
    given = {"ddm": [[1.0]]}

    def five() -> list[float]:
        return [next(numbers) for _ in range(5)]

    return {
        "sweep, one small input": lambda: lines.sweep({"line": [next(numbers)]}),
        "sweep, one parameter": lambda: lines.sweep({"line/rate": [next(numbers)]}, {"line": [1.0]}, 1),
        "sweep, two side by side": lambda: lines.sweep(cogir.zipped({"line/rate": [next(numbers)], "line": [0.5]}), None, 1),
        "sweep, five points": lambda: lines.sweep({"line/rate": five()}, {"line": [1.0]}, 1),
        "sweep, in a context that has run": lambda: ran.sweep({"line": [next(numbers)]}, start="fresh"),
        "sweep, one small input, and its result": lambda: lines.sweep({"line": [next(numbers)]})["line"],
        "sweep, one decision": lambda: decisions.sweep({"ddm/rate": [next(numbers)]}, given, 1, seed=1),
        "sweep, mean of ten decisions": lambda: decisions.sweep({"ddm/rate": [next(numbers)]}, given, 1, replicates=10, reduce="mean"),
        "replicates, one trial": lambda: lines.replicates({"line": [next(numbers)]}, 1),
        "replicates, one decision": lambda: decisions.replicates({"ddm": [[next(numbers)]]}, 1, seed=1),
        "run, one trial": lambda: lines.run({"line": [next(numbers)]}),
    }


def functions_of(call: Callable[[], Any]) -> int:
    """The number of Python functions that a call enters."""
    entered = 0

    def note(_: Any, event: str, __: Any) -> None:
        nonlocal entered
        entered += event == "call"

    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return entered


def microseconds(call: Callable[[], Any]) -> float:
    """The least time of a call."""
    least = float("inf")
    for _ in range(REPEATS):
        begun = time.process_time()
        for _ in range(CALLS):
            call()
        least = min(least, 1e6 * (time.process_time() - begun) / CALLS)
    return least


def worker() -> None:
    """Prints the figures of one round."""
    warnings.simplefilter("ignore")
    figures: Figures = {}
    for name, call in calls().items():
        for _ in range(5):
            call()
        figures[name] = microseconds(call), functions_of(call)
    print(json.dumps(figures))


def measured(folder: Path) -> Figures:
    """The figures of one round with the cogir of a folder."""
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    asked = [sys.executable, __file__, "--worker"]
    done = subprocess.run(asked, cwd=folder, capture_output=True, text=True, env=environment, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--beside", type=Path, help="the folder of another checkout")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.worker:
        worker()
        return
    folders: dict[str, Path] = {"here": ROOT} | ({} if args.beside is None else {"beside": args.beside.resolve()})
    for folder in folders.values():
        compileall.compile_dir(str(folder / "cogir"), quiet=1)
    best: dict[str, Figures] = {which: {} for which in folders}
    for _ in range(args.rounds):
        for which, folder in folders.items():
            for name, (least, functions) in measured(folder).items():
                best[which][name] = min(least, best[which].get(name, (least, functions))[0]), functions
    heads = [f"{which}: us, functions" for which in folders]
    print(f"| warm call | {' | '.join(heads)} |\n|{'---|' * (1 + len(heads))}")
    for name in best["here"]:
        print(f"| {name} | {' | '.join('{:.1f}, {}'.format(*figures[name]) for figures in best.values())} |")


if __name__ == "__main__":
    main()
