"""
Random streams: nanoseconds of a draw and of a step in runs, read trial by trial, beside NumPy on the same streams.

    python benchmarks/streams.py [--draws 5000000] [--rounds 5] [--json file]

`normal` and `uniform` are draws of one generator, one after the other, in trials of a thousand; NumPy's are arrays of as many. `step` is a
step of drift diffusion in a run, and in replicates with a stream for each decision, seeding included. Processor time, the least of several
rounds, taken in turns: only ratios within one run are meaningful.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import cogir
from cogir import library
from cogir.library.signature import Random

TRIAL = 1000
DECISIONS = 20_000
Run = Callable[[], float]
"""Something to measure: gives the number of draws or steps."""


def normals(variable: float, *, random: Random) -> float:
    """So many normals, one after the other."""
    total, drawn = 0.0, 0.0
    while drawn < variable:
        total = total + random.normal()
        drawn = drawn + 1.0
    return total


def uniforms(variable: float, *, random: Random) -> float:
    """So many uniforms, one after the other."""
    total, drawn = 0.0, 0.0
    while drawn < variable:
        total = total + random.uniform()
        drawn = drawn + 1.0
    return total


def drawing(function: Any, prng: str, draws: int) -> Run:
    """A model that draws in trials of a thousand."""
    model = cogir.Model("drawing")
    model.node("A", function, input=1, prng=prng, seed=5)
    compiled, inputs = model.compile(), {"A": [[float(TRIAL)]] * (draws // TRIAL)}

    def run() -> float:
        compiled.run(inputs)
        return float(draws // TRIAL * TRIAL)

    return run


def deciding(prng: str, replicates: bool) -> Run:
    """Decisions by drift diffusion, in trials of a run or in replicates."""
    model = cogir.Model("decision")
    settings = {"noise": 1.0, "threshold": 1.0, "time_step_size": 0.01, "max_executions_before_finished": 2**40}
    settings |= {"execute_until_finished": True, "reset_each_trial": True}
    model.node("DDM", library.drift_diffusion_integrator, input=1, prng=prng, **settings)
    compiled = model.compile()

    def run() -> float:
        if replicates:
            return float(np.sum(compiled.replicates({"DDM": [[1.0]]}, count=DECISIONS, seed=3)["DDM", "time"])) / 0.01
        return float(np.sum(compiled.run({"DDM": [[1.0]]}, num_trials=DECISIONS)["DDM", "time"])) / 0.01

    return run


def with_numpy(draw: Callable[[int], Any], draws: int) -> Run:
    """Arrays of a thousand draws of NumPy's."""

    def run() -> float:
        for _ in range(draws // TRIAL):
            draw(TRIAL)
        return float(draws // TRIAL * TRIAL)

    return run


def programs(draws: int) -> dict[str, Run]:
    """All that is measured, by name."""
    legacy, philox = np.random.RandomState([5]), np.random.Generator(np.random.Philox([5]))
    found: dict[str, Run] = {
        "normal, NumPy's RandomState": with_numpy(legacy.standard_normal, draws),
        "normal, mt19937": drawing(normals, "mt19937", draws),
        "normal, NumPy's Philox": with_numpy(philox.standard_normal, draws),
        "normal, philox4x64": drawing(normals, "philox4x64", draws),
        "normal, xoshiro256": drawing(normals, "xoshiro256", draws),
        "uniform, NumPy's RandomState": with_numpy(legacy.random_sample, draws),
        "uniform, mt19937": drawing(uniforms, "mt19937", draws),
    }
    for prng in ("mt19937", "philox4x64", "xoshiro256"):
        found[f"step in a run, {prng}"] = deciding(prng, replicates=False)
        found[f"step in replicates, {prng}"] = deciding(prng, replicates=True)
    return found


def measured(draws: int, rounds: int) -> dict[str, float]:
    """Nanoseconds of each; the first round, which compiles, does not count."""
    all_of_them = programs(draws)
    least = dict.fromkeys(all_of_them, float("inf"))
    for number in range(rounds + 1):
        for name, run in all_of_them.items():
            began = time.process_time()
            count = run()
            spent = (time.process_time() - began) / count * 1e9
            if number:
                least[name] = min(least[name], spent)
    return least


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=5_000_000, help="so many draws a round (default: 5000000)")
    parser.add_argument("--rounds", type=int, default=5, help="the least of so many rounds counts (default: 5)")
    parser.add_argument("--json", type=Path, help="a file for the figures")
    args = parser.parse_args()
    least = measured(args.draws, args.rounds)
    for name, nanoseconds in least.items():
        print(f"{name:32} {nanoseconds:8.2f} ns")
    ratio = least["normal, mt19937"] / least["normal, NumPy's RandomState"]
    print(f"a legacy normal takes {ratio:.2f} of NumPy's time")
    if args.json:
        args.json.write_text(json.dumps(least, indent=1))


if __name__ == "__main__":
    main()
