"""
What code with the values of the parameters folded in gives.

    python benchmarks/specialisation.py [models ...] [--json file]

For each model the time of a trial with the generic code and with the version for its parameters, taken in turns, each the fastest of
several; and how long the version takes to compile. What counts are the ratios of one run.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from pathlib import Path
from typing import Any

import cogir

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "examples"))
MODELS = "botvinick_stroop chain ddm_analytical ddm_integrator evc_ddm extended_stroop_a lca multitasking necker_m".split()
ROUNDS = 7
AIM = 0.02
"""Seconds that one measurement should take."""


def example(name: str) -> tuple[cogir.Model, Any]:
    """A model of `examples`, and its inputs."""
    import catalogue

    return catalogue.EXAMPLES[name].build(), catalogue.EXAMPLES[name].inputs


def row(model: cogir.Model, given: Any) -> dict[str, float]:
    """Microseconds of a trial by each code, their ratio, and milliseconds to compile; the results must be the same."""
    generic, specialised = (model.compile(mode="run", cache=False) for _ in range(2))
    began = time.perf_counter()
    version = specialised.specialise()
    compile_time = time.perf_counter() - began
    both = {"generic": generic, "specialised": specialised}
    assert len({str(each.run(given, num_trials=3).results) for each in both.values()}) == 1, "other results"
    began = time.perf_counter()
    generic.run(given, num_trials=10)
    trials = max(1, min(100_000, int(10 * AIM / (time.perf_counter() - began))))
    found = dict.fromkeys(both, math.inf)
    for _ in range(ROUNDS):
        for title, each in both.items():
            began = time.perf_counter()
            each.run(given, num_trials=trials)
            found[title] = min(found[title], 1e6 * (time.perf_counter() - began) / trials)
    assert version.runs == ROUNDS + 1
    return {**found, "ratio": found["generic"] / found["specialised"], "ms to compile": 1e3 * compile_time}


def main() -> None:
    """Measures, and prints the table as it goes."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument("models", nargs="*", default=MODELS)
    parser.add_argument("--json", type=Path, help="write the figures here, too")
    given = parser.parse_args()
    titles = ["generic", "specialised", "ratio", "ms to compile"]
    print(f"microseconds of a trial\n\n| model | {' | '.join(titles)} |\n|{'---|' * (len(titles) + 1)}")
    table: dict[str, dict[str, float]] = {}
    for name in given.models:
        table[name] = row(*example(name))
        print(f"| {name} | {' | '.join(f'{table[name][title]:.3g}' for title in titles)} |", flush=True)
    if given.json:
        given.json.write_text(json.dumps(table, indent=1))


if __name__ == "__main__":
    main()
