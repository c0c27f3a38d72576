"""
The speed of code with the values of the parameters folded in, beside generic code.

    python benchmarks/specialisation.py [models ...] [--json file]

For each model the time of a trial with the generic code and with the version for its parameters, taken in turns, each the fastest of
several; and how long the version takes to compile. Only ratios within one run are meaningful.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

import cogir

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "examples"))
EXAMPLES = "botvinick_stroop chain ddm_analytical ddm_integrator evc_ddm extended_stroop_a lca multitasking necker_m".split()
CHAINS = ("identity", "diagonal", "permutation", "sparse", "dense")
"""Kinds of matrices of 100 x 100 between five layers of linear units; `sparse` has one element of 33."""
ROUNDS = 7
SIDE = 100
AIM = 0.02
"""Seconds that one measurement should take."""


def example(name: str) -> tuple[cogir.Model, Any]:
    """A model of `examples`, and its inputs."""
    import catalogue

    return catalogue.EXAMPLES[name].build(), catalogue.EXAMPLES[name].inputs


def chain(kind: str) -> tuple[cogir.Model, Any]:
    """Five layers of 100 linear units, with matrices of one kind between them."""
    source = np.random.default_rng(1)
    model = cogir.Model("chain")
    last = model.node("layer0", cogir.library.linear, input=SIDE)
    for number in range(1, 5):
        numbers = source.standard_normal((SIDE, SIDE))
        matrix = {
            "identity": np.eye(SIDE),
            "diagonal": np.diag(np.diag(numbers)),
            "permutation": np.eye(SIDE)[source.permutation(SIDE)],
            "sparse": numbers * (source.random((SIDE, SIDE)) < 1 / 33),
            "dense": numbers,
        }[kind]
        following = model.node(f"layer{number}", cogir.library.linear, input=SIDE)
        model.project(last, following, matrix=matrix)
        last = following
    return model, {"layer0": source.standard_normal((20, SIDE))}


def row(model: cogir.Model, given: Any) -> dict[str, float]:
    """Microseconds of a trial by each code, their ratio, and milliseconds to compile; the results must be the same."""
    compiled = model.compile(mode="run", cache=False)
    expected = str(compiled.run(given, num_trials=3).results)
    began = time.perf_counter()
    compiled.run(given, num_trials=10)
    trials = max(1, min(100_000, int(10 * AIM / (time.perf_counter() - began))))
    began = time.perf_counter()
    version = compiled.specialise()
    compile_time = time.perf_counter() - began
    compiled.reset()
    assert str(compiled.run(given, num_trials=3).results) == expected, "other results"
    found = dict.fromkeys(("generic", "specialised"), math.inf)
    held = compiled.engine.versions.held
    for _ in range(ROUNDS):
        for title, versions in (("generic", []), ("specialised", [version])):  # in one context: where its memory lies counts, too
            held[:] = versions
            began = time.perf_counter()
            compiled.run(given, num_trials=trials)
            found[title] = min(found[title], 1e6 * (time.perf_counter() - began) / trials)
    assert version.runs == ROUNDS + 1
    return {**found, "ratio": found["generic"] / found["specialised"], "ms to compile": 1e3 * compile_time}


def main() -> None:
    """Measures, and prints the table as it goes."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument("models", nargs="*", default=[*EXAMPLES, *CHAINS], help=f"of examples/, or {', '.join(CHAINS)}")
    parser.add_argument("--json", type=Path, help="write the figures here, too")
    given = parser.parse_args()
    titles = ["generic", "specialised", "ratio", "ms to compile"]
    print(f"microseconds of a trial\n\n| model | {' | '.join(titles)} |\n|{'---|' * (len(titles) + 1)}")
    table: dict[str, dict[str, float]] = {}
    for name in given.models:
        table[name] = row(*(chain(name) if name in CHAINS else example(name)))
        print(f"| {name} | {' | '.join(f'{table[name][title]:.3g}' for title in titles)} |", flush=True)
    if given.json:
        given.json.write_text(json.dumps(table, indent=1))


if __name__ == "__main__":
    main()
