"""
The cost of reporting executions that were cut off.

    python benchmarks/flags.py

A drift-diffusion decision of about 80 steps, in which one trial of a hundred is cut off, runs in three ways: flags kept and reported (the
default), flags kept and ignored (`unfinished="ignore"`), and code without flags. The script prints median ratios of the processor time of
15 pairs of runs taken in turns, with quartiles, for runs and for replicates; the last line compares equal code, and shows the noise.
"""

from __future__ import annotations

import statistics
import time
import warnings
from collections.abc import Callable
from typing import Any

import cogir
from cogir.frontend.compile import source_of
from cogir.runtime.modes import compile_source
from cogir.runtime.options import Options

PAIRS = 15
TRIALS, REPLICATES = 20_000, 20_000
INPUTS = {"decision": [[1.0]]}


def model() -> cogir.Model:
    """A decision between two thresholds."""
    built = cogir.Model("decides", seed=1)
    built.node(
        "decision",
        cogir.library.drift_diffusion_integrator,
        input=1,
        noise=1.0,
        threshold=1.0,
        time_step_size=0.01,
        execute_until_finished=True,
        max_executions_before_finished=300,
        reset_each_trial=True,
        prng="xoshiro256",
    )
    return built


def seconds(call: Callable[[], Any]) -> float:
    """The processor time of a call."""
    start = time.process_time()
    call()
    return time.process_time() - start


def ratios(one: Callable[[], Any], other: Callable[[], Any]) -> list[float]:
    """The time of one call by that of another, in pairs that take turns in going first."""
    one(), other()
    found: list[float] = []
    for pair in range(PAIRS):
        calls = (one, other) if pair % 2 == 0 else (other, one)
        took = {call: seconds(call) for call in calls}
        found.append(took[one] / took[other])
    return found


def main() -> None:
    """Measures and prints."""
    warnings.simplefilter("ignore")
    reported, ignored = model().compile(), model().compile(unfinished="ignore")
    without = compile_source(source_of(model()), "run", Options(flags=()))
    share = reported.run(INPUTS, num_trials=TRIALS).unfinished["decision"].mean()
    print(f"cut off: {100 * share:.2f} % of the trials\n\n| | runs | quartiles | replicates | quartiles |\n|---|---|---|---|---|")
    pairs = (
        ("flags reported / ignored", reported, ignored),
        ("flags ignored / no flags", ignored, without),
        ("no flags / no flags", without, without),
    )
    for name, one, other in pairs:
        cells: list[str] = []
        for kind in ("run", "replicates"):

            def call(compiled: cogir.Compiled, kind: str = kind) -> Any:
                if kind == "run":
                    return compiled.run(INPUTS, num_trials=TRIALS)
                return compiled.replicates(INPUTS, count=REPLICATES, seed=1, start="fresh")

            low, median, high = statistics.quantiles(ratios(lambda one=one: call(one), lambda other=other: call(other)), n=4)
            cells += [f"{median:.3f}", f"{low:.3f} to {high:.3f}"]
        print(f"| {name} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
