"""
Writes the table of docs/analysis.md: how wide the ranges of the examples are, beside what was seen in many runs.

    python docs/write_analysis.py [--runs 100000]

(multitasking is left out: a hundred thousand of its runs take an hour.)

The ranges are those of `cogir.analyze.ranges` for inputs between the least and the largest of the example, in three trials. The runs draw
inputs and seeds at random.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

import cogir

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "examples"))
NAMES = "ddm_integrator lca chain chain_conditions botvinick_stroop necker_s evc_ddm predator_prey_s".split()
TRIALS = 3
BEGIN, END = "<!-- begin: write_analysis -->\n", "<!-- end: write_analysis -->\n"
SIGMAS = 4.0
SEEDS = 1000
"""Runs with the same inputs, of models that draw."""


def boxes(inputs: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    """The least and the largest input of each element."""
    return {name: (np.atleast_2d(rows).min(axis=0), np.atleast_2d(rows).max(axis=0)) for name, rows in inputs.items()}


def seen(model: cogir.Model, box: dict[str, tuple[Any, Any]], runs: int, draws: bool) -> dict[str, tuple[Any, Any]]:
    """The least and the largest value of each element of the outputs, over as many runs; with draws, many seeds for each of the inputs."""
    compiled = model.compile(unfinished="ignore", out_of_range="ignore")
    source = np.random.default_rng(1)
    found: dict[str, tuple[Any, Any]] = {}
    for number in range(max(1, runs // SEEDS if draws else runs)):
        inputs = {name: drawn(source, low, high) for name, (low, high) in box.items()}
        if draws:
            part: Any = compiled.replicates(inputs, num_trials=TRIALS, count=SEEDS, seed=number)
        else:
            compiled.reset()
            part = compiled.run(inputs, num_trials=TRIALS)
        for path in part:
            values = np.asarray(part[path])
            values = values.reshape(-1, *values.shape[2 if draws else 1 :])
            low, high = values.min(axis=0), values.max(axis=0)
            before = found.get(path, (low, high))
            found[path] = np.minimum(low, before[0]), np.maximum(high, before[1])
    return found


def drawn(source: np.random.Generator, low: Any, high: Any) -> Any:
    """Inputs of a run: an element is at an end of its range in a third of the cases, and anywhere between otherwise."""
    shape = (TRIALS, *np.shape(low))
    ends = np.where(source.random(shape) < 0.5, low, high)
    return np.where(source.random(shape) < 1 / 3, ends, source.uniform(low, high, shape))


def main() -> None:
    """Measures, and writes the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=100_000)
    runs = parser.parse_args().runs
    import catalogue

    lines = [
        f"{runs:,} runs of {TRIALS} trials each; widths are those of the widest element.\n",
        f"| model | output | seen | range | range within {SIGMAS:g} sigma | seconds |",
        "|---|---|---|---|---|---|",
    ]
    for name in NAMES:
        example = catalogue.EXAMPLES[name]
        box = boxes(example.inputs)
        began = time.process_time()
        found = cogir.analyze.ranges(example.build(), inputs=box, trials=TRIALS)
        seconds = time.process_time() - began
        within = cogir.analyze.ranges(example.build(), inputs=box, trials=TRIALS, draws=SIGMAS)
        for path, (low, high) in seen(example.build(), box, runs, found.has_draws).items():
            port = found[path]
            assert port.holds(low).all(), path
            assert port.holds(high).all(), path
            widths = (np.max(high - low), np.max(port.width), np.max(within[path].width))
            same = "" if found.has_draws else "-"
            lines.append(f"| {name} | `{path}` | {widths[0]:.4g} | {widths[1]:.4g} | {same or format(widths[2], '.4g')} | {seconds:.2g} |")
        print(lines[-1], flush=True)
    page = ROOT / "docs" / "analysis.md"
    before, _, rest = page.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    page.write_text(before + BEGIN + "\n".join(lines) + "\n" + END + after)


if __name__ == "__main__":
    from reported import reported

    with reported(ROOT / "docs" / "analysis.md"):
        main()
