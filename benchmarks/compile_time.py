"""
The time from the builder to a callable, and its growth with the number of nodes.

`python benchmarks/compile_time.py` prints the tables of `docs/performance.md`. Each time is measured in a process of its own that has
imported cogir and built nothing yet; the median of five, or of one for the large models. Wall-clock and processor time are both given:
the first is what a user waits, the second does not depend on what else the machine is doing.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]

ONE = """
import json, sys, time
sys.path[:0] = [{examples!r}, {benchmarks!r}]
import numpy, cogir, {module}
wall, cpu = time.perf_counter(), time.process_time()
compiled = {module}.{build}.compile(mode="run")
ready = time.perf_counter() - wall, time.process_time() - cpu
wall = time.perf_counter()
compiled.run({inputs}, num_trials={trials})
print(json.dumps([*ready, time.perf_counter() - wall]))
"""


def measure(module: str, build: str, inputs: str, cache: str, trials: int = 1) -> tuple[float, float, float]:
    """Wall-clock and processor seconds to a callable, and seconds of its first run."""
    code = ONE.format(
        examples=str(ROOT / "examples"), benchmarks=str(ROOT / "benchmarks"), module=module, build=build, inputs=inputs, trials=trials
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, env={**os.environ, "COGIR_CACHE_DIR": cache}
    )
    return tuple(json.loads(done.stdout.splitlines()[-1]))


def median(times: list[tuple[float, ...]]) -> tuple[float, ...]:
    """Column by column."""
    return tuple(statistics.median(column) for column in zip(*times, strict=True))


def import_seconds() -> float:
    """The median wall-clock seconds that `import cogir` takes."""
    code = "import time; t = time.perf_counter(); import cogir; print(time.perf_counter() - t)"
    return statistics.median(float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout) for _ in range(5))


def main() -> None:
    """Prints all tables."""
    print(f"import cogir: {import_seconds():.3f} s (median of 5)\n")
    print("| model | cache | wall s | cpu s |")
    print("|---|---|---|---|")
    for module, inputs in (("botvinick_stroop", "botvinick_stroop.BLANK"), ("predator_prey", "predator_prey.INPUTS")):
        cold = []
        for _ in range(5):
            with tempfile.TemporaryDirectory() as cache:
                cold.append(measure(module, "build()", inputs, cache))
        with tempfile.TemporaryDirectory() as cache:
            measure(module, "build()", inputs, cache)
            warm = [measure(module, "build()", inputs, cache) for _ in range(5)]
        for name, times in (("empty", cold), ("filled", warm)):
            wall, cpu, _ = median(times)
            print(f"| {module} | {name} | {wall:.3f} | {cpu:.3f} |")
    print("\n| nodes | schedule | wall s | cpu s | cpu ms per node | first 10 trials, ms |")
    print("|---|---|---|---|---|---|")
    for schedule in ("static", "residual"):
        for nodes in (125, 250, 500, 1000):
            with tempfile.TemporaryDirectory() as cache:
                wall, cpu, run = measure("many_nodes", f"build({nodes}, {schedule!r})", "{'n0': [[0.5, -0.5]]}", cache, 10)
            print(f"| {nodes} | {schedule} | {wall:.2f} | {cpu:.2f} | {cpu / nodes * 1e3:.1f} | {run * 1e3:.2f} |", flush=True)


if __name__ == "__main__":
    main()
