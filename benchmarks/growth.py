"""
The growth of time with the size of a model: levels of a search, trials, nodes, lengths of vectors, and the time of compiling.

    python benchmarks/growth.py [groups ...] [--rounds 3] [--json file] [--passes]

A row of sizes is measured for each, the fastest of several rounds taken in turns. Over the upper half of the range (in logarithms), where
constant costs no longer count, the slope of log(time) against log(size) is fitted by least squares and printed beside the one expected: 1
where time is to be proportional to the size, 2 to its square, 0 where it is not to grow. `--passes` says where the time of compiling
1,000 nodes goes, and the slope of each part. `plot_growth.py` draws the figures from the file.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import cogir
from cogir import library
from cogir.runtime.compiled import Compiled

sys.path[:0] = [str(Path(__file__).parents[1] / "examples"), str(Path(__file__).parent)]

AIM = 0.01
"""Seconds that one measurement of a run should take at least."""
SLACK = 0.1
"""How much steeper than expected a slope may be found before it is pointed out."""

Measure = Callable[[], float]
"""Seconds of what is measured, each time anew."""


@dataclass(frozen=True)
class Series:
    """A series of measurements. One figure shows all series of a `group`; `of` names the timed action."""

    name: str
    group: str
    size: str
    of: str
    expected: int
    sizes: tuple[int, ...]
    prepare: Callable[[int], Measure]


def seconds_of(call: Callable[[], object]) -> float:
    """Wall-clock seconds."""
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def whole_call(compiled: Compiled, inputs: Any, trials: int) -> Measure:
    """A run of so many trials; several of them where one is too short to be timed."""
    calls = max(1, math.ceil(AIM / seconds_of(lambda: compiled.run(inputs, trials))))
    return lambda: seconds_of(lambda: [compiled.run(inputs, trials) for _ in range(calls)]) / calls


def per_trial(model: cogir.Model, inputs: Any) -> Measure:
    """One of many trials of one run."""
    compiled = model.compile(mode="run")
    trials = 1
    while (seconds := seconds_of(lambda: compiled.run(inputs, trials))) < AIM:
        trials = math.ceil(trials * min(10.0, 1.2 * AIM / seconds))
    return lambda: seconds_of(lambda: compiled.run(inputs, trials)) / trials


def search_model(levels: int) -> cogir.Model:
    """Predator-prey with so many levels of each of its three signals."""
    import predator_prey

    size = f"{levels}_levels"
    predator_prey.LEVELS[size] = np.linspace(0.0, 10.0, levels).tolist()
    return predator_prey.build(size)


def search(points: int) -> Measure:
    """One search."""
    import predator_prey

    return per_trial(search_model(round(points ** (1 / 3))), predator_prey.INPUTS)


def example(name: str, inputs: dict[str, Any]) -> Callable[[int], Measure]:
    """A whole call of an example."""

    def prepare(trials: int) -> Measure:
        model = __import__(name).build().compile(mode="run")
        return whole_call(model, inputs, trials)

    return prepare


def many_nodes(nodes: int, schedule: str, span: int) -> cogir.Model:
    """The generated model."""
    import many_nodes

    return many_nodes.build(nodes, schedule, span=span)


def nodes_run(schedule: str, span: int) -> Callable[[int], Measure]:
    """A trial of many nodes."""
    return lambda nodes: per_trial(many_nodes(nodes, schedule, span), {"n0": [[0.5, -0.5]]})


def compiling(build: Callable[[int], cogir.Model]) -> Callable[[int], Measure]:
    """
    From builder to callable without the cache, with the compiler loaded already; in processor time, which others on the machine
    lengthen less.
    """

    def prepare(size: int) -> Measure:
        build(2).compile(mode="run", cache=False)

        def measure() -> float:
            gc.collect()
            began = time.process_time()
            build(size).compile(mode="run", cache=False)
            return time.process_time() - began

        return measure

    return prepare


def elementwise(length: int) -> cogir.Model:
    """One node that applies a function to each element."""
    model = cogir.Model(f"elementwise_{length}")
    model.node("node", library.logistic, input=length)
    return model


def fully_connected(length: int) -> cogir.Model:
    """Two nodes, and a matrix between them in which nothing is zero."""
    model = cogir.Model(f"fully_connected_{length}")
    sender, receiver = (model.node(name, library.linear, input=length) for name in ("sender", "receiver"))
    model.project(sender, receiver, matrix=np.random.RandomState(length).normal(size=(length, length)) / length)
    return model


def vectors(build: Callable[[int], cogir.Model]) -> Callable[[int], Measure]:
    """A trial of a model with vectors of some length."""
    return lambda length: per_trial(build(length), np.random.RandomState(1).uniform(-1.0, 1.0, (1, length)))


POINTS = tuple(levels**3 for levels in (2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64, 81, 101))
TRIALS = tuple(10**exponent for exponent in range(7))
NODES = (10, 20, 50, 100, 200, 500, 1000)
LENGTHS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
KINDS = {"chain": ("static", 1), "static": ("static", 30), "residual": ("residual", 30)}
"""The generated models by name: schedule, and span of the projections."""

SERIES = (
    Series("predator-prey", "search", "points of the grid", "a search", 1, POINTS, search),
    Series("static schedule (chain)", "trials", "trials", "a run", 1, TRIALS, example("chain", {"A": [[1.0, -0.5]]})),
    Series("to a threshold (ddm_integrator)", "trials", "trials", "a run", 1, TRIALS, example("ddm_integrator", {"DDM": [[0.3]]})),
    *(Series(name, "nodes", "nodes", "a trial", 1, NODES, nodes_run(*kind)) for name, kind in KINDS.items()),
    *(
        Series(name, "compiling", "nodes", "compiling", 1, NODES, compiling(lambda nodes, kind=kind: many_nodes(nodes, *kind)))
        for name, kind in KINDS.items()
    ),
    Series("elementwise", "lengths", "length of the vectors", "a trial", 1, LENGTHS, vectors(elementwise)),
    Series("full matrix", "lengths", "length of the vectors", "a trial", 2, LENGTHS, vectors(fully_connected)),
    Series("levels of a search", "constant", "levels, or length", "compiling", 0, tuple(range(11, 102, 30)), compiling(search_model)),
    Series("length of a vector", "constant", "levels, or length", "compiling", 0, LENGTHS[3:], compiling(elementwise)),
)
GROUPS = tuple(dict.fromkeys(series.group for series in SERIES))


def slope(sizes: Iterable[int], seconds: Iterable[float]) -> tuple[float, int]:
    """The slope in logarithms over the upper half of the range, and the size at which that begins."""
    x, y = np.log(list(sizes)), np.log(list(seconds))
    upper = x >= (x[0] + x[-1]) / 2 - 1e-9
    return fitted(x[upper], y[upper]), round(math.exp(x[upper][0]))


def fitted(x: Any, y: Any) -> float:
    """The slope of the line through some points."""
    return float(np.polyfit(x, y, 1)[0])


def measured(series: Series, rounds: int) -> dict[str, Any]:
    """A series as the file holds it."""
    measures = [series.prepare(size) for size in series.sizes]
    seconds = [math.inf] * len(measures)
    for _ in range(rounds):
        for place, measure in enumerate(measures):
            seconds[place] = min(seconds[place], measure())
    found, since = slope(series.sizes, seconds)
    told = {name: getattr(series, name) for name in ("name", "group", "size", "of", "expected", "sizes")}
    return {**told, "seconds": seconds, "slope": found, "since": since}


def readable(seconds: float) -> str:
    """With a unit."""
    for scale, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "us")):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def by_pass(kind: str, sizes: tuple[int, ...] = NODES[3:]) -> dict[str, list[float]]:
    """Seconds of the parts of compiling at each of some numbers of nodes."""
    from cogir.backend.emit_llvm_ir import emit_llvm_ir
    from cogir.backend.jit import compile_to_object
    from cogir.lowering.pipeline import lower_to

    found: dict[str, list[float]] = {}
    for nodes in sizes:
        gc.collect()
        seconds: dict[str, float] = {}

        def take(part: str, work: Callable[[], Any], seconds: dict[str, float] = seconds) -> Any:
            began = time.perf_counter()
            result = work()
            seconds[part] = time.perf_counter() - began
            return result

        model = many_nodes(nodes, *KINDS[kind])
        module = take("the cog module", model.ir)
        lower_to(module, "llvm", seconds=seconds)
        text = take("LLVM IR as text", lambda module=module: emit_llvm_ir(module))
        take("LLVM", lambda text=text: compile_to_object(text))
        for part, each in seconds.items():
            found.setdefault(part, []).append(each)
    return found


def print_passes() -> dict[str, dict[str, list[float]]]:
    """A table for each kind of model; returns the figures."""
    found = {kind: by_pass(kind) for kind in KINDS}
    for kind, parts in found.items():
        print(f"\ncompiling, {kind}: ms at {', '.join(map(str, NODES[3:]))} nodes, and the slope\n")
        for part, seconds in sorted(parts.items(), key=lambda item: -item[1][-1]):
            print(f"| {part} | {' | '.join(f'{1e3 * each:.1f}' for each in seconds)} | {fitted(np.log(NODES[3:]), np.log(seconds)):.2f} |")
    return found


def row(series: Series, of: dict[str, Any]) -> str:
    """A line of the table."""
    steep = " (steeper)" if of["slope"] > of["expected"] + SLACK else ""
    ends = " | ".join(f"{series.sizes[end]:,}: {readable(of['seconds'][end])}" for end in (0, -1))
    return f"| {series.of} | {series.size} | {series.name} | {ends} | {of['slope']:.2f}{steep}, {of['since']:,} | {of['expected']} |"


def main() -> None:
    """Measures, and prints the table as it goes."""
    names = tuple(f"{series.group}/{series.name}" for series in SERIES)
    parser = argparse.ArgumentParser(description=(__doc__ or "").strip().splitlines()[0])
    parser.add_argument("groups", nargs="*", help=f"some of {', '.join(GROUPS)}, or single series ({', '.join(names)}); default: all")
    parser.add_argument("--rounds", type=int, default=3, help="the number of measurements of which the fastest counts")
    parser.add_argument("--passes", action="store_true", help="also show the time of each part of compiling")
    parser.add_argument("--json", type=Path, help="write the figures here; what it has of series that are not measured stays")
    given = parser.parse_args()
    if unknown := set(given.groups) - {*GROUPS, *names}:
        parser.error(f"there is no {', '.join(sorted(unknown))}; there are {', '.join((*GROUPS, *names))}")
    held: dict[str, Any] = json.loads(given.json.read_text()) if given.json and given.json.exists() else {"series": []}
    print("| time of | by | model | from | to | slope, from size | expected |\n|---|---|---|---|---|---|---|")
    for series, name in zip(SERIES, names, strict=True):
        if not given.groups or series.group in given.groups or name in given.groups:
            of = measured(series, given.rounds)
            print(row(series, of), flush=True)
            others = [each for each in held["series"] if (each["group"], each["name"]) != (series.group, series.name)]
            held["series"] = sorted([*others, of], key=lambda each: names.index(f"{each['group']}/{each['name']}"))
    if given.passes:
        held["seconds of compiling by part"] = print_passes()
    if given.json:
        given.json.write_text(json.dumps(held, indent=1))


if __name__ == "__main__":
    main()
