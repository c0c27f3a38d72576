"""
Draws of arrays in lanes: `random.normal(n)` beside `np.array([random.normal(), ...])`, which draws the same numbers.

    python benchmarks/shaped_draws.py [--count 5000] [--rounds 7]

Replicates of one node that sums noise until its largest element reaches a threshold, on one thread. Printed are nanoseconds per number
drawn, the fastest of several rounds, taken in turns, and the ratio of shaped to single draws: only ratios within one run are meaningful.
The script stops if a bit differs.
"""

from __future__ import annotations

import argparse
import math
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import cogir
from cogir.library import Random, State, Static, Step, Value

Node = Callable[..., Step]


def advance(drawn: Value, total: Value, steps: Value) -> Step:
    """One step of a sum, which counts the steps."""
    total = total + 0.1 * drawn
    return Step(outputs=(total, steps + 1.0), states=(total, steps + 1.0), finished=np.max(total) >= 1.0)


def normals(x: Value, *, size: Static = 2, total: State = 0.0, steps: State = 0.0, random: Random) -> Step:
    return advance(x + 0.3 + random.normal(size), total, steps)


def single_normals(x: Value, *, size: Static = 2, total: State = 0.0, steps: State = 0.0, random: Random) -> Step:
    return advance(x + 0.3 + np.array([random.normal() for _ in range(size)]), total, steps)


def lognormals(x: Value, *, size: Static = 2, total: State = 0.0, steps: State = 0.0, random: Random) -> Step:
    return advance(x + 0.3 + random.lognormal(-2.0, 0.5, size), total, steps)


def single_lognormals(x: Value, *, size: Static = 2, total: State = 0.0, steps: State = 0.0, random: Random) -> Step:
    return advance(x + 0.3 + np.array([random.lognormal(-2.0, 0.5) for _ in range(size)]), total, steps)


def choices(x: Value, *, size: Static = 2, total: State = 0.0, steps: State = 0.0, random: Random) -> Step:
    return advance(x + 0.3 + random.choice(np.array([-1.0, 0.5, 1.2]), size, p=[0.2, 0.5, 0.3]), total, steps)


def single_choices(x: Value, *, size: Static = 2, total: State = 0.0, steps: State = 0.0, random: Random) -> Step:
    return advance(x + 0.3 + np.array([random.choice(np.array([-1.0, 0.5, 1.2]), p=[0.2, 0.5, 0.3]) for _ in range(size)]), total, steps)


PAIRS: dict[str, tuple[Node, Node, tuple[int, ...]]] = {
    "normal": (normals, single_normals, (1, 2, 3, 4, 8, 12, 16)),
    "lognormal": (lognormals, single_lognormals, (2, 8, 16)),
    "choice": (choices, single_choices, (2, 8, 16)),
}


def compiled(function: Node, size: int) -> cogir.Compiled:
    """A node that draws arrays of this size."""
    model = cogir.Model("sum", seed=1)
    options: dict[str, Any] = {"execute_until_finished": True, "reset_each_trial": True, "max_executions_before_finished": 100_000}
    model.node("sum", function, input=size, size=size, **options)
    return model.compile(threads=1)


def main() -> None:
    parser = argparse.ArgumentParser(description="Times shaped draws in lanes beside single ones.")
    parser.add_argument("--count", type=int, default=5_000)
    parser.add_argument("--rounds", type=int, default=7)
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")
    print("| draw | numbers | shaped, ns | single, ns | shaped / single |")
    print("|---|---|---|---|---|")
    for name, (shaped, single, sizes) in PAIRS.items():
        for size in sizes:
            ways = [compiled(function, size) for function in (shaped, single)]
            inputs = {"sum": np.zeros((1, size))}
            found = [way.replicates(inputs, count=chosen.count) for way in ways]
            if not np.array_equal(found[0]["sum", "value_0"], found[1]["sum", "value_0"]):
                raise SystemExit(f"{name} of {size}: shaped and single draws differ")
            drawn = float(found[0]["sum", "value_1"].max(axis=-1).sum()) * size
            best = [math.inf, math.inf]
            for _ in range(chosen.rounds):
                for number, way in enumerate(ways):
                    begun = time.perf_counter()
                    way.replicates(inputs, count=chosen.count)
                    best[number] = min(best[number], 1e9 * (time.perf_counter() - begun) / drawn)
            print(f"| {name} | {size} | {best[0]:.2f} | {best[1]:.2f} | {best[0] / best[1]:.2f} |", flush=True)


if __name__ == "__main__":
    main()
