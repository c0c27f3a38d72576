"""
Searches by boxes beside exhaustive ones.

    python benchmarks/prune_search.py [--pairs 15] [--large]

For each search the time of a trial in both ways, in pairs that are taken in turns (processor time of one thread, in which other work on the
machine does not count), the median of their quotients with the range of the middle half, and the boxes and points that the search took.
The results must be the same to the bit. `--large` adds grids of 10^9 points, for which an exhaustive trial takes seconds.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import cogir
from cogir import library
from cogir.library import Value

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))
import predator_prey

INPUTS = np.array([[1.1576537, 0.60782117, -0.03479106, -0.47666293, -0.60836214, 0.1760381]])


def attention_price(intensity: Value) -> Value:
    """A cost with which the optimum lies inside of the grid."""
    return 0.01 * intensity


def flat(which: Value, *, a: float = 0.0, b: float = 0.0, c: float = 0.0) -> Value:
    """The same value everywhere, which bounds do not show."""
    x, y = a * b - c, c * b + a
    return (x + y) / (x + y) + np.sqrt(x * x + 1.0) * 0.0 + which[0]


def mostly_nan(which: Value, *, a: float = 0.0, b: float = 0.0, c: float = 0.0) -> Value:
    """NaN in most of the grid, and close values elsewhere."""
    x = a * b - c
    return np.sqrt(np.sin(a * 40.0 * b + c * 31.0) + 0.4) + which[0] + x / (x + 0.001)


def ragged(which: Value, *, a: float = 0.0, b: float = 0.0, c: float = 0.0) -> Value:
    """Waves that are much shorter than a box."""
    return np.sin(a * 211.0 * b) * np.cos(b * 171.0 * c) + np.sin(c * 93.0 * a) + which[0]


def of_function(function: Callable[..., Any], count: int) -> cogir.Model:
    """The search for the least value of a function of three signals."""
    model = cogir.Model(function.__name__)
    node = model.node("node", function, input=1)
    model.input(node)
    model.output(node)
    levels = np.linspace(0.1, 1.0, count)
    signals = [cogir.Signal(node.param(name), levels=levels, modulation="override") for name in "abc"]
    model.control("CONTROL", objective=node, signals=signals)
    return model


def predator_prey_of(count: int, inside: bool) -> cogir.Model:
    """Predator and prey with so many levels for each observation; `inside`: with costs for which the optimum is not at the end."""
    predator_prey.LEVELS["benchmark"] = np.linspace(0.0, 10.0, count)
    model = predator_prey.build("benchmark")
    if not inside:
        return model
    model = cogir.Model("predator_prey_inside")
    place = {who: model.node(f"{who} POS", input=2) for who in ("PLAYER", "PREDATOR", "PREY")}
    seen = {
        who: model.node(f"{who} OBS", library.psyneulink.gaussian_distort, input=2, seed=seed)
        for seed, who in enumerate(("PLAYER", "PREY", "PREDATOR"))
    }
    action = model.node("ACTION", predator_prey.move, input={"predator": 2, "player": 2, "prey": 2})
    direct = model.node("DIRECT MOVE", library.comparator, input={"sample": 2, "target": 2})
    objective = model.node("OBJECTIVE", predator_prey.agreement, input={"action": 2, "direct": 2})
    for who, node in place.items():
        model.project(node, seen[who])
    for source, target in (
        (place["PLAYER"], direct["sample"]),
        (place["PREY"], direct["target"]),
        (seen["PREDATOR"], action["predator"]),
        (seen["PREY"], action["player"]),
        (seen["PLAYER"], action["prey"]),
        (action, objective["action"]),
        (direct, objective["direct"]),
    ):
        model.project(source, target)
    model.output(action)
    signals = [
        cogir.Signal(seen[who].param("variance"), levels=np.linspace(0.0, 10.0, count), cost=attention_price)
        for who in ("PLAYER", "PREDATOR", "PREY")
    ]
    model.control("CONTROL", objective=objective, direction="maximize", signals=signals)
    return model


@dataclass
class Row:
    """One search."""

    title: str
    model: cogir.Model
    inputs: Any
    trials: int


def seconds(compiled: cogir.Compiled, row: Row) -> float:
    """The processor time of some trials from the beginning."""
    compiled.reset()
    begun = time.thread_time()
    compiled.run(row.inputs, num_trials=row.trials)
    return time.thread_time() - begun


def measure(row: Row, pairs: int) -> None:
    """Prints the times of one search in both ways."""
    ways = [row.model.compile(mode="run", threads=1, prune_search=each) for each in (False, None)]
    found = [each.run(row.inputs, num_trials=row.trials) for each in ways]
    assert str((found[0].results, found[0].allocations)) == str((found[1].results, found[1].allocations)), row.title
    points = int(np.prod([len(levels) for path, levels in ways[0].params.items() if "levels:" in path])) * row.trials
    times = np.array([[seconds(each, row) for each in ways] for _ in range(pairs)])
    quotients = np.sort(times[:, 1] / times[:, 0])
    low, middle, high = np.quantile(quotients, [0.25, 0.5, 0.75])
    taken = ways[1].context().searched
    exhaustive, pruned = 1e3 * np.median(times, axis=0) / row.trials
    share = (taken.boxes + taken.points) / points
    print(
        f"{row.title:34s} {exhaustive:10.3f} ms {pruned:10.3f} ms   {middle:7.4f} ({low:.4f} to {high:.4f})   "
        f"{taken.finished:4d} of {row.trials:3d}   {taken.boxes:8,d} + {taken.points:7,d}   {100 * share:9.5f} %",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--large", action="store_true")
    options = parser.parse_args()
    print(f"{'search':34s} {'exhaustive':>13s} {'by boxes':>13s}   {'quotient':28s} {'by boxes':>10s}   boxes + points       of all points")
    for row in (
        Row("predator_prey_xl", predator_prey_of(101, False), INPUTS, 20),
        Row("predator_prey_xl, optimum inside", predator_prey_of(101, True), INPUTS, 20),
        Row("flat", of_function(flat, 101), [[1.0]], 5),
        Row("mostly NaN", of_function(mostly_nan, 101), [[1.0]], 5),
        Row("ragged", of_function(ragged, 101), [[1.0]], 5),
    ):
        measure(row, options.pairs)
    if options.large:
        for row in (
            Row("predator_prey, 10^9 points", predator_prey_of(1000, False), INPUTS, 1),
            Row("the same, optimum inside", predator_prey_of(1000, True), INPUTS, 1),
        ):
            measure(row, 3)


if __name__ == "__main__":
    main()
