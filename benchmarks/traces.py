"""
Recording inside of trials: decisions of which each step is recorded, beside the same run without records.

    python benchmarks/traces.py [--trials 100000] [--rounds 5]

All make `trials` decisions by drift and diffusion to a threshold (drift 0.3, noise 1, threshold 1, steps of 0.01: about 109 steps each) in
one `run` on one core. The time with records includes reading the traces as arrays. Seconds, the fastest of several rounds, all taken in
turns: only ratios within one run are meaningful. Replicates in SIMD lanes are the fastest way without records; with records, replicates run
one after the other.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import cogir
from cogir import library

INPUTS = {"decision": [[0.3]]}
STEP = 0.01


def decision(every: int | None) -> cogir.Compiled:
    """One node that integrates evidence to a threshold, of which one of `every` executions is recorded; None records nothing."""
    model = cogir.Model("decisions", seed=1)
    node = model.node(
        "decision",
        library.drift_diffusion_integrator,
        noise=1.0,
        threshold=1.0,
        time_step_size=STEP,
        max_executions_before_finished=2**40,
        execute_until_finished=True,
        reset_each_trial=True,
    )
    if every is not None:
        model.record(node["value"], every=every)
    return model.compile(trace_memory=2**34)


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    """The time that some work takes, and what it gives."""
    begun = time.perf_counter()
    found = work()
    return time.perf_counter() - begun, found


def read(result: Any) -> Any:
    """The result, with its traces as arrays."""
    return result, [trace.values for trace in result.traces.values()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    models = {"nothing": decision(None), "each step": decision(1), "one step of 10": decision(10)}
    ways: dict[str, Callable[[cogir.Compiled], Any]] = {
        "run": lambda model: read(model.run(INPUTS, num_trials=args.trials)),
        "replicates": lambda model: read(model.replicates(INPUTS, count=args.trials, seed=1, start="fresh")),
    }
    for way, run in ways.items():
        best = dict.fromkeys(models, float("inf"))
        steps = records = 0
        for _ in range(args.rounds):
            for name, model in models.items():
                model.reset()
                taken, (result, traces) = seconds(lambda model=model: run(model))
                best[name] = min(best[name], taken)
                if name == "each step":
                    steps, records = round(float(result["decision", "time"].sum()) / STEP), len(traces[0])
        assert steps == records
        print(f"{way}: {args.trials:,} decisions, {steps:,} steps")
        for name, taken in best.items():
            print(f"  recording {name:<15} {taken:7.3f} s  {taken / best['nothing']:5.2f} x  {1e9 * taken / steps:6.2f} ns per step")


if __name__ == "__main__":
    main()
