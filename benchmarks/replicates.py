"""
Many decisions by drift and diffusion to a threshold: replicates in lanes, beside Numba's scalar loop and C by hand.

    python benchmarks/replicates.py [--count 1000000] [--rounds 5] [--json file]

All make `count` independent decisions (drift 1, noise 1, threshold 1, steps of 0.01: about 83 steps each) on one core, and write down
choice and time of each. Nanoseconds per step, the fastest of several rounds, all taken in turns: only ratios within one run are meaningful.
The C (`limits/drift_diffusion.c`) has the generator and the normals of cogir's `xoshiro256`; Numba (`pip install numba`) has its own,
NumPy's. Programs that cannot run here are left out.
"""

from __future__ import annotations

import argparse
import json
import math
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import cogir
from cogir import library

STEP = 0.01
PEER = Path(__file__).parent / "limits/drift_diffusion.c"
Run = Callable[[int], tuple[float, float]]
"""From a seed to seconds and steps."""


def decision(prng: str) -> cogir.Model:
    """One node that integrates evidence to a threshold."""
    model = cogir.Model("decision")
    settings = {"noise": 1.0, "threshold": 1.0, "time_step_size": STEP, "max_executions_before_finished": 2**40}
    settings |= {"execute_until_finished": True, "reset_each_trial": True}
    model.node("DDM", library.drift_diffusion_integrator, input=1, prng=prng, **settings)
    return model


def compiled(prng: str, count: int, **options: Any) -> Run:
    """Replicates of the model."""
    model = decision(prng).compile(**options)
    model.replicates({"DDM": [[1.0]]}, count=1)

    def run(seed: int) -> tuple[float, float]:
        begun = time.perf_counter()
        found = model.replicates({"DDM": [[1.0]]}, count=count, seed=seed)
        seconds = time.perf_counter() - begun
        return seconds, float(found["DDM", "time"].sum()) / STEP

    return run


def with_numba(count: int) -> Run | None:
    """The scalar loop that one would write for Numba; None without it."""
    try:
        import numba
    except ImportError:
        return None

    @numba.njit
    def decide(choices: Any, times: Any, drift: float, noise: float, threshold: float, step: float, seed: int) -> None:
        np.random.seed(seed)
        deviation = noise * np.sqrt(step)
        for i in range(len(choices)):
            position, elapsed = 0.0, 0.0
            while abs(position) < threshold:
                position = min(max(position + drift * step + deviation * np.random.normal(), -threshold), threshold)
                elapsed += step
            choices[i], times[i] = position, elapsed

    decide(np.empty(1), np.empty(1), 1.0, 1.0, 1.0, STEP, 0)

    def run(seed: int) -> tuple[float, float]:
        choices, times = np.empty(count), np.empty(count)
        begun = time.perf_counter()
        decide(choices, times, 1.0, 1.0, 1.0, STEP, seed)
        return time.perf_counter() - begun, float(times.sum()) / STEP

    return run


def by_hand(count: int, folder: Path) -> Run | None:
    """C, whose program takes the faster of two rounds; None without clang."""
    compiler = next(filter(shutil.which, ("clang-22", "clang")), None)
    if compiler is None or count != 1_000_000:
        return None
    program = folder / "decisions"
    flags = ["-O3", "-march=native", "-mprefer-vector-width=512", "-ffp-contract=off", "-fno-math-errno"]
    subprocess.run([compiler, *flags, str(PEER), "-o", str(program), "-lm"], check=True)

    def run(seed: int) -> tuple[float, float]:
        seconds, steps = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout.split()
        return float(seconds), float(steps)

    return run


def main() -> None:
    parser = argparse.ArgumentParser(description="Times decisions by drift and diffusion.")
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    count = chosen.count
    with tempfile.TemporaryDirectory() as folder:
        runs: dict[str, Run | None] = {
            "lanes, xoshiro256": compiled("xoshiro256", count),
            "lanes, xoshiro256, two threads": compiled("xoshiro256", count, threads=2),
            "one by one, xoshiro256": compiled("xoshiro256", count, without=["fill-lanes"]),
            "lanes, mt19937": compiled("mt19937", count),
            "one by one, mt19937": compiled("mt19937", count, without=["fill-lanes"]),
            "Numba, one by one": with_numba(count),
            "C by hand, lanes": by_hand(count, Path(folder)),
        }
        best = dict.fromkeys((title for title, run in runs.items() if run is not None), math.inf)
        for number in range(chosen.rounds):
            for title, run in runs.items():
                if run is not None:
                    seconds, steps = run(number)
                    best[title] = min(best[title], 1e9 * seconds / steps)
    print("| way | ns per step | C over it | it over Numba |")
    print("|---|---|---|---|")
    hand, numba = best.get("C by hand, lanes", math.nan), best.get("Numba, one by one", math.nan)
    for title, nanoseconds in best.items():
        print(f"| {title} | {nanoseconds:.2f} | {hand / nanoseconds:.2f} | {numba / nanoseconds:.1f} |")
    if chosen.json:
        chosen.json.write_text(json.dumps(best, indent=2))


if __name__ == "__main__":
    main()
