"""
The linear ballistic accumulator: choices and response times of three alternatives, some better than others (Brown and Heathcote 2008).

    python examples/models/lba.py [--trials N] [--figure FILE]
"""

from __future__ import annotations

import numpy as np
from figures import arguments, pyplot, write

import cogir
from cogir import library

DRIFTS = [1.0, 0.8, 0.6]


def main() -> None:
    chosen = arguments("The linear ballistic accumulator.", 200_000)
    model = cogir.Model("decision")
    model.node(
        "decision",
        library.linear_ballistic_decision,
        input=3,
        drift_variability=0.3,
        threshold=1.0,
        start_variability=0.5,
        non_decision_time=0.2,
        execute_until_finished=True,
        max_executions_before_finished=1,
    )
    found = model.compile(unfinished="ignore").replicates({"decision": [DRIFTS]}, count=chosen.trials, seed=1)
    choices, times = found["decision", "choice"][:, 0], found["decision", "response_time"][:, 0]
    for alternative, drift in enumerate(DRIFTS):
        own = times[choices == alternative]
        said = f"median response time {np.median(own):.3f} s" if len(own) else "never chosen"
        print(f"alternative {alternative}, drift {drift:.1f}   chosen {np.mean(choices == alternative):.3f}   {said}")
    print(f"no positive drift, and so no decision: {found.unfinished['decision'].mean():.4f} of the trials")
    if chosen.figure:
        figure, axes = pyplot().subplots(figsize=(6, 4))
        bins = np.linspace(0.2, 3.0, 113)
        for alternative, drift in enumerate(DRIFTS):
            own = times[choices == alternative]
            weights = np.full(len(own), 1.0 / (chosen.trials * (bins[1] - bins[0])))
            axes.hist(own, bins=bins, weights=weights, histtype="step", label=f"drift {drift:g}")
        axes.set(xlabel="response time (s)", ylabel="density, for each choice", title="Linear ballistic accumulator")
        axes.legend()
        write(figure, chosen.figure)


if __name__ == "__main__":
    main()
